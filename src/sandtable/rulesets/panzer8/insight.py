"""What a player may ask of the table before deciding: lines of sight, threats, how things stand, facts of a hex."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from sandtable.geometry.point_sight import points
from sandtable.kernel.forecast import Branch, Reaction
from sandtable.kernel.ids import NOBODY, HexId, RuleId, UnitId
from sandtable.kernel.ruleset import ProfilePoint, SightLine
from sandtable.kernel.state import View
from sandtable.kernel.trace import Line, Tally
from sandtable.rulesets.panzer8 import sight, victory
from sandtable.rulesets.panzer8.cover import hex_cover, side_features
from sandtable.rulesets.panzer8.describe import side_title
from sandtable.rulesets.panzer8.fire import AMMO, contest, fire_range, no_shot
from sandtable.rulesets.panzer8.fire import standing as standing_fire
from sandtable.rulesets.panzer8.kinds import ARMOR
from sandtable.rulesets.panzer8.model import SIDES, Element, Position
from sandtable.rulesets.panzer8.movement import ground_at
from sandtable.rulesets.panzer8.movement_table import RATES
from sandtable.rulesets.panzer8.outlook import chances
from sandtable.rulesets.panzer8.pieces import enemy_of, with_element
from sandtable.rulesets.panzer8.results import NONE
from sandtable.rulesets.panzer8.stacks import kind_of, on_table
from sandtable.rulesets.panzer8.terrain import FEATURES, HEXSIDES


def sight_line(view: View[Position], a: HexId, b: HexId) -> SightLine:
    """The line from one hex to another: clear or not, what obstructs, and the ground it passes over."""
    position = view.position
    board = position.ground.board
    if not (board.is_on(a) and board.is_on(b)):
        return SightLine(clear=False, reason=Line("off the board", "", RuleId("P8-7.01")))
    between = points(board, a, b)
    places = [a, *(one if one else other for one, other in between), b]
    profile = tuple(
        ProfilePoint(HexId(h), board.elevation[h], FEATURES[board.terrain[h]].title) for h in dict.fromkeys(places) if h
    )
    if sight.sees(position, a, b):
        return SightLine(clear=True, profile=profile)
    reason, place = _obstruction(position, a, b)
    return SightLine(clear=False, profile=profile, reason=reason, hex=place)


def _obstruction(position: Position, a: HexId, b: HexId) -> tuple[Line, HexId]:
    """What stands in a line, and where."""
    board, distance = position.ground.board, position.ground.board.distance(a, b)
    far = sight.visibility(position)
    if distance > far:
        return Line("beyond visibility", far, RuleId("P8-1.03")), b
    if not sight.eyes(position.ground).sees(a, b):
        here, there = board.elevation[a], board.elevation[b]
        for i, (one, other) in enumerate(points(board, a, b), 1):
            tops = [board.elevation[h] + FEATURES[board.terrain[h]].height for h in (one, other) if h]
            if tops and min(tops) * distance > (distance - i) * here + i * there:
                what = FEATURES[board.terrain[one or other]].title
                return Line(f"{what} in {board.label(one or other)}", min(tops), RuleId("P8-7.02")), HexId(one or other)
        return Line("too deep inside woods or houses", sight.CLOSE_SMOKE, RuleId("P8-7.03")), b
    smoke = sight.smoke_on_line(position, a, b)
    return Line("smoke on the line", smoke, RuleId("P8-12.02")), b


def seen(view: View[Position], units: tuple[UnitId, ...]) -> tuple[HexId, ...]:
    """The hexes these own elements see between them; all of the side's when none is named."""
    position = view.position
    looking = [one for one in on_table(position, view.side) if one.id in units or not units]
    return tuple(
        HexId(h) for h in position.ground.board.hexes if any(sight.sees(position, one.hex, HexId(h)) for one in looking)
    )


def watchers(view: View[Position], place: HexId) -> tuple[UnitId, ...]:
    """The side's elements that see a hex."""
    position = view.position
    if not position.ground.board.is_on(place):
        return ()
    return tuple(one.id for one in on_table(position, view.side) if sight.sees(position, one.hex, place))


def threats(view: View[Position], place: HexId, unit: UnitId = NOBODY) -> tuple[Reaction, ...]:
    """The known enemies that could fire at a hex as they stand; with an own element named, their shots at it there.

    Rules: P8-8.01, P8-8.03, P8-8.05.
    """
    position = view.position
    if not position.ground.board.is_on(place):
        return ()
    own = position.elements[unit] if 0 <= unit < len(position.elements) else None
    if own is not None and own.side == view.side and own.hex:
        there = with_element(position, own.id, hex=place)
        return tuple(shot for foe in on_table(position, enemy_of(view.side)) for shot in _shots(there, foe, own.id))
    found = []
    for foe in on_table(position, enemy_of(view.side)):
        can = [ammo for ammo in AMMO if _bears(position, foe, place, ammo)]
        if can:
            kind = kind_of(foe)
            values = {"ap": f"AP {kind.ap}", "hesa": f"HESA {kind.hesa}"}
            found.append(Reaction(foe.side, (foe.id,), place, ", ".join(values[ammo] for ammo in can)))
    return tuple(found)


def _bears(position: Position, foe: Element, place: HexId, ammo: str) -> bool:
    """Whether an enemy could fire so at whatever stands in a hex."""
    board, reach = position.ground.board, fire_range(foe, ammo)
    if not reach or board.distance(foe.hex, place) > reach or not sight.sees(position, foe.hex, place):
        return False
    return sight.is_in_arc(board, foe, foe.facing, foe.hex, place)


def _shots(position: Position, foe: Element, unit: UnitId) -> Iterator[Reaction]:
    """The shots of an enemy at an element, each with its odds."""
    target = position.elements[unit]
    for ammo in AMMO:
        if no_shot(position, standing_fire(foe), target, ammo) is None:
            odds = contest(position, standing_fire(foe), target, ammo)
            falls = chances(odds.modifier, ammo, is_armor=kind_of(target).kind == ARMOR)
            results = tuple(Branch(result, f"{count}/100", result == NONE) for result, count in falls.items() if count)
            text = f"fires {'AP' if ammo == 'ap' else 'HE or small arms'}, {odds.modifier:+d} before the dice"
            yield Reaction(foe.side, (foe.id,), target.hex, text, results, (odds.attack, odds.defense))


def standing(view: View[Position]) -> tuple[Tally, ...]:
    """Losses until each side breaks, conditions of victory, and points.

    Rules: P8-14.01, P8-14.02, P8-14.03.
    """
    position = view.position
    order = sorted(SIDES, key=lambda side: side != view.side)
    broken = tuple(
        Line(
            side_title(position, side),
            f"{victory.combat_losses(position, side)} of {victory.breaking_point(position.ground, side)}",
            RuleId("P8-14.02"),
        )
        for side in order
    )
    own, other = (line.value for line in broken)
    lost = f"{own}, the enemy {other}" if view.side in SIDES else ", ".join(f"{x.label} {x.value}" for x in broken)
    tallies = [Tally("Losses until broken", lost, broken)]
    conditions = position.ground.scenario.sections.victory.conditions
    if conditions:
        lines = tuple(
            Line(one.title, "met" if victory.is_met(position, one) else "not met", RuleId("P8-14.01"))
            for one in conditions
        )
        tallies.append(Tally("Conditions", sum(line.value == "met" for line in lines), lines))
    for side in order:
        tallies.append(replace(victory.score(position, side), title=f"{side_title(position, side)}: points"))
    return tuple(tallies)


def hex_facts(view: View[Position], place: HexId) -> tuple[Line, ...]:
    """Ground, height, costs, cover and hexsides of a hex, each with its rule."""
    position = view.position
    board = position.ground.board
    if not board.is_on(place):
        return ()
    feature, ground = FEATURES[board.terrain[place]], ground_at(position, place)
    facts = [
        Line("Terrain", feature.title, RuleId("P8-3.01")),
        Line("Ground", ground, RuleId("P8-3.01")),
        Line("Level", board.elevation[place], RuleId("P8-3.01")),
        Line("Cover", hex_cover(position, place), RuleId("P8-3.03")),
    ]
    for key in ("Inf", "Mech", "Wh"):
        rate = getattr(RATES[key], "open" if ground == "bua" else ground)
        value = "not at all" if not rate else f"{rate} hexes a move" + (", half in houses" if ground == "bua" else "")
        facts.append(Line(RATES[key].title, value, RuleId("P8-6.01")))
    if board.roads[place]:
        facts.append(Line("Road", "road rates along it", RuleId("P8-6.03")))
    for direction, name in enumerate(("north", "northeast", "southeast", "south", "southwest", "northwest")):
        for side in sorted(side_features(position, place, direction)):
            facts.append(Line(f"{HEXSIDES[side].title} to the {name}", HEXSIDES[side].cover, RuleId("P8-3.02")))
    if place in position.smoke:
        facts.append(Line("Smoke", "two such hexes block a line", RuleId("P8-12.02")))
    if place in position.wrecks:
        facts.append(Line("Wreck", "soft cover for infantry", RuleId("P8-9.01")))
    if place in position.mines:
        facts.append(Line("Mines", "hit vehicles that enter", RuleId("P8-15.02")))
    if place in position.control:
        facts.append(Line("Belongs to", side_title(position, position.control[place]), RuleId("P8-14.03")))
    return tuple(facts)
