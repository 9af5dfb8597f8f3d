"""What a player may ask of the table before deciding: lines of sight, threats, how things stand, facts of a hex."""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.kernel.forecast import Branch, Reaction, branches
from sandtable.kernel.ids import NOBODY, HexId, RuleId, SideId, UnitId
from sandtable.kernel.ruleset import ProfilePoint, SightLine
from sandtable.kernel.state import View
from sandtable.kernel.trace import Line, Tally
from sandtable.rulesets.panzer_44 import fire, movement, sight, victory
from sandtable.rulesets.panzer_44.describe import place_name, side_title, unit_name
from sandtable.rulesets.panzer_44.ground import exits, registered
from sandtable.rulesets.panzer_44.model import SIDES, Position, Unit
from sandtable.rulesets.panzer_44.panic import last_digit
from sandtable.rulesets.panzer_44.pieces import enemy_of, is_over, with_unit
from sandtable.rulesets.panzer_44.results import RESULT_WORDS
from sandtable.rulesets.panzer_44.stacks import is_fit, kind_of, on_table
from sandtable.rulesets.panzer_44.tables import GRADES
from sandtable.rulesets.panzer_44.terrain import HEXSIDES, HILLTOP, POSITION_REDUCTION, TERRAIN
from sandtable.rulesets.panzer_44.visibility import can_see, spotters, visibility

Seen = View[Position]


def sight_line(view: Seen, a: HexId, b: HexId) -> SightLine:
    """The line from one hex to another: clear or not, what obstructs, and the ground it passes over."""
    position = view.position
    board = position.ground.board
    if not (board.is_on(a) and board.is_on(b)):
        return SightLine(clear=False, reason=Line("off the board", "", RuleId("P44-7.01")))
    between = [place for place in _between(position, a, b) if place]
    profile = tuple(_profile_point(position, place) for place in dict.fromkeys((a, *between, b)))
    if can_see(position, a, b):
        return SightLine(clear=True, profile=profile)
    reason, place = _obstruction(position, a, b, between)
    return SightLine(clear=False, profile=profile, reason=reason, hex=place)


def _between(position: Position, a: HexId, b: HexId) -> Iterator[HexId]:
    """The hexes that a line touches, in order, 0 off the map."""
    board = position.ground.board
    start, end = board.axial(a), board.axial(b)
    for place in sight.touched(end.q - start.q, end.r - start.r).hexes:
        yield HexId(board.from_axial(type(start)(start.q + place.q, start.r + place.r)))


def _profile_point(position: Position, place: HexId) -> ProfilePoint:
    board = position.ground.board
    terrain = TERRAIN[board.terrain[place]]
    return ProfilePoint(place, board.elevation[place], terrain.title, terrain.blocks)


def _obstruction(position: Position, a: HexId, b: HexId, between: list[HexId]) -> tuple[Line, HexId]:
    """What stands in a line, and where."""
    board, far = position.ground.board, visibility(position)
    if board.distance(a, b) > far:
        return Line("beyond visibility", far, RuleId("P44-4.07")), b
    both_hills = board.terrain[a] == board.terrain[b] == HILLTOP
    for place in between:
        key = board.terrain[place]
        if TERRAIN[key].blocks and not (both_hills and key == HILLTOP):
            return Line(f"{TERRAIN[key].title} in {board.label(place)}", "", RuleId("P44-7.02")), place
    return Line("a crest or slope that borders neither end", "", RuleId("P44-7.03")), b


def seen(view: Seen, units: tuple[UnitId, ...]) -> tuple[HexId, ...]:
    """The hexes these own units see between them; all of the side's when none is named."""
    position = view.position
    eyes = {unit.hex for unit in spotters(position, view.side) if unit.id in units or not units}
    return tuple(
        HexId(place)
        for place in position.ground.board.hexes
        if any(can_see(position, eye, HexId(place)) for eye in eyes)
    )


def watchers(view: Seen, place: HexId) -> tuple[UnitId, ...]:
    """The side's units that see a hex."""
    position = view.position
    if not position.ground.board.is_on(place):
        return ()
    return tuple(unit.id for unit in spotters(position, view.side) if can_see(position, unit.hex, place))


def threats(view: Seen, place: HexId, unit: UnitId = NOBODY) -> tuple[Reaction, ...]:
    """Who of the known enemies could fire into a hex; with an own unit named, at it if it stood there, with odds."""
    position, side = view.position, view.side
    if side not in SIDES or not position.ground.board.is_on(place):
        return ()
    found: list[Reaction] = []
    target = None
    if 0 <= unit < len(position.units) and position.units[unit].side == side:
        position = with_unit(position, unit, hex=place)
        target = position.units[unit]
    for foe in on_table(position, enemy_of(side)):
        if is_fit(foe) and kind_of(foe).is_armed and fire.out_of_reach(position, foe, place) is None:
            shot = _threat(position, foe, place, target)
            if shot is not None:
                found.append(shot)
    return tuple(found)


def _threat(position: Position, foe: Unit, place: HexId, target: Unit | None) -> Reaction | None:
    text = f"{unit_name(position, foe.id)} can fire from {place_name(position, foe.hex)}"
    if target is None:
        return Reaction(foe.side, (foe.id,), place, text)
    if fire.no_attack(position, foe, target) is not None:
        return None
    odds = fire.aimed(position, foe, target)
    return Reaction(foe.side, (foe.id,), place, text, branches_of(odds), (odds.superiority, odds.reduction))


def branches_of(odds: fire.Odds) -> tuple[Branch, ...]:
    """The results of an attack with their chances, the likeliest first."""
    return branches({RESULT_WORDS[result]: chance for result, chance in odds.chances.items()})


def standing(view: Seen) -> tuple[Tally, ...]:
    """Who would win now, and how the battle stands for each side: its tasks, or its points.

    Rules: P44-14.01, P44-14.02.
    """
    position = view.position
    winner, level, reasons = victory.verdict(position)
    if is_over(position):
        winner, level, reasons = position.winner, position.level, position.reasons
    now = f"{side_title(position, winner)}, {level}" if winner else "a draw"
    title = "The battle has ended" if is_over(position) else "If it ended now"
    lines = tuple(Line(reason, "", RuleId("P44-14.01")) for reason in reasons)
    return (Tally(title, now, lines), *(_standing(position, side) for side in SIDES))


def _standing(position: Position, side: SideId) -> Tally:
    title = side_title(position, side)
    if not position.ground.scenario.sections.victory.conditions:
        points = victory.score(position, side)
        return Tally(title, points.total, points.lines)
    own = victory.tasks(position.ground, side)
    lines = [Line(one.title, "yes" if victory.is_met(position, one) else "not yet", RuleId("P44-14.01")) for one in own]
    if position.ground.scenario.sections.victory.otherwise == side:
        lines.append(Line("wins unless the other side does its task", "", RuleId("P44-14.01")))
    met = sum(victory.is_met(position, one) for one in own)
    return Tally(title, f"{met} of {len(own)} tasks" if own else "", tuple(lines))


def hex_facts(view: Seen, place: HexId) -> tuple[Line, ...]:
    """What the rules say of a hex: terrain, costs, cover, hexsides, and what lies there."""
    position = view.position
    board = position.ground.board
    if not board.is_on(place):
        return ()
    return tuple(_facts(position, place, view.side))


def _facts(position: Position, place: HexId, side: SideId) -> Iterator[Line]:
    board = position.ground.board
    terrain = TERRAIN[board.terrain[place]]
    yield Line("Terrain", terrain.title, RuleId("P44-2.01"))
    costs = ", ".join(f"{word} {movement.points(terrain.of(key))}" for key, word in COST_WORDS.items())
    yield Line("Movement points", costs, RuleId("P44-2.03"))
    if board.roads[place]:
        if place in position.wrecks:
            yield Line("Road", "blocked by a wreck", RuleId("P44-2.13"))
        else:
            yield Line("Road", "½ point along it", RuleId("P44-2.09"))
    yield Line("Off an attacker's die", terrain.die_reduction, RuleId("P44-9.06"))
    if terrain.blocks:
        yield Line("Sight", "blocks lines through it", RuleId("P44-7.02"))
    for direction, name in enumerate(("north", "northeast", "southeast", "south", "southwest", "northwest")):
        for key in sorted(board.side_features(place, direction)):
            title = HEXSIDES[key].title if key in HEXSIDES else "Bridge"
            yield Line(f"Hexside {name}", title, RuleId("P44-2.02"))
    yield Line("Last digit", last_digit(position, place), RuleId("P44-6.03"))
    if place in position.positions:
        yield Line("Improved Position", f"-{POSITION_REDUCTION} on an attacker's die", RuleId("P44-13.06"))
    if place in position.mines:
        yield Line("Mines", GRADES[position.mines[place]].title, RuleId("P44-13.01"))
    if place in position.wrecks:
        yield Line("Wreck", "no road here", RuleId("P44-13.08"))
    if place in position.control:
        yield Line("Belongs to", side_title(position, position.control[place]), RuleId("P44-14.02"))
    if place in registered(position.ground, side):
        yield Line("Registered", "shells on it count as observed", RuleId("P44-11.04"))
    if place in exits(position.ground, side):
        yield Line("Exit", "your units may leave the map here", RuleId("P44-12.07"))


COST_WORDS = {"hard": "tracked", "soft": "wheeled", "foot": "foot"}
