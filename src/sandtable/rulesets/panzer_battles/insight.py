"""What a player may ask of the table before deciding: lines of sight, threats, how things stand, facts of a hex."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from sandtable.geometry.board import Board
from sandtable.geometry.hexes import DIRECTIONS
from sandtable.kernel.forecast import Reaction
from sandtable.kernel.ids import NOBODY, HexId, RuleId, UnitId
from sandtable.kernel.ruleset import ProfilePoint, SightLine
from sandtable.kernel.state import View
from sandtable.kernel.trace import Line, Tally
from sandtable.play.words import listed
from sandtable.rulesets.panzer_battles import features, index, victory
from sandtable.rulesets.panzer_battles.fire.prospects import threats_to
from sandtable.rulesets.panzer_battles.model import Position, enemy_of, on_map, with_units
from sandtable.rulesets.panzer_battles.movement.costs import PLAIN_ROAD, RAISED
from sandtable.rulesets.panzer_battles.movement.stacking import stacked
from sandtable.rulesets.panzer_battles.names import (
    COMPASS,
    ROADS,
    feature_title,
    place_name,
    road_titles,
    side_title,
    side_words,
)
from sandtable.rulesets.panzer_battles.parameter_sections import MOVE_CLASSES, PROHIBITED
from sandtable.rulesets.panzer_battles.pieces import objective_value
from sandtable.rulesets.panzer_battles.spotting.levels import observers
from sandtable.rulesets.panzer_battles.spotting.obstacles import obstacle
from sandtable.rulesets.panzer_battles.spotting.sight import look, sees, terrain_height
from sandtable.rulesets.panzer_battles.supply.display import fact
from sandtable.rulesets.panzer_battles.terrain import features_on, terrain_at

NOT_ON_MAP = SightLine(clear=False, reason=Line("off the board", "", RuleId("PB-SPOT-5")))


def sight_line(view: View[Position], a: HexId, b: HexId) -> SightLine:
    """The line from one hex to another: clear or not, what obstructs, and the ground it passes over."""
    position = view.position
    board = position.ground.board
    if not (board.is_on(a) and board.is_on(b)):
        return NOT_ON_MAP
    profile = tuple(
        ProfilePoint(
            HexId(place),
            board.elevation[place],
            board.terrain[place].replace("_", " "),
            terrain_height(position.parameters, board.terrain[place]) > 0,
        )
        for place in board.line(a, b)
        if place
    )
    if sees(position, a, b):
        return SightLine(clear=True, profile=profile)
    if board.distance(a, b) > position.visibility:
        return SightLine(False, profile, Line("beyond visibility", position.visibility, RuleId("PB-SPOT-1")), b)
    found = obstacle(position, a, b)
    return SightLine(False, profile, Line(found.words, found.top, RuleId(found.rule)), found.hex)


def seen(view: View[Position], units: tuple[UnitId, ...]) -> tuple[HexId, ...]:
    """The hexes these own units see between them; all of the side's when none is named."""
    position = view.position
    board, found = position.ground.board, set[HexId]()
    for unit in on_map(position, view.side):
        if unit.id in units or not units:
            mask = look(position, unit.hex)
            found |= {HexId(h) for h in board.within(unit.hex, position.visibility) if mask[h]}
    return tuple(sorted(found))


def watchers(view: View[Position], place: HexId) -> tuple[UnitId, ...]:
    """The side's units that see a hex."""
    position = view.position
    if not position.ground.board.is_on(place):
        return ()
    return tuple(sorted(unit.id for unit in observers(position, view.side, place)))


def threats(view: View[Position], place: HexId, unit: UnitId = NOBODY) -> tuple[Reaction, ...]:
    """The known enemies that could fire at a hex as they stand; with an own unit named, their shots at it there, unless
    enemies are there themselves.

    Rules: PB-OPF-1, PB-OPF-4.
    """
    position = view.position
    if not position.ground.board.is_on(place):
        return ()
    own = position.units[unit] if 0 <= unit < len(position.units) else None
    is_free = all(other.side == view.side for other in index.at(position, place))
    if own is not None and own.side == view.side and own.hex and is_free:
        return threats_to(with_units(position, (replace(own, hex=place),)), own.id)
    found = []
    for foe in sorted(observers(position, enemy_of(view.side), place), key=lambda one: one.id):
        distance, kind = position.ground.board.distance(foe.hex, place), foe.of
        can = [("soft", kind.soft, kind.soft_range), ("hard", kind.hard, kind.hard_range)]
        bears = [f"{word} {value}" for word, value, reach in can if value and distance <= reach]
        if bears and not foe.broken:
            found.append(Reaction(foe.side, (foe.id,), place, ", ".join(bears)))
    return tuple(found)


def standing(view: View[Position]) -> tuple[Tally, ...]:
    """The score, the level it is with the thresholds, and the objectives.

    Rules: PB-VIC-2, PB-VIC-10, PB-VIC-11, PB-VIC-15.
    """
    position = view.position
    score = victory.score(position)
    thresholds = position.ground.scenario.sections.thresholds
    lines = tuple(
        Line(
            f"{name.replace('_', ' ')} at {'least' if 'victory' in name else 'most'}",
            getattr(thresholds, name),
            RuleId("PB-VIC-11"),
        )
        for name in thresholds.__struct_fields__
    )
    level = victory.level_of(position.ground, int(score.total))
    first = side_title(position, position.first)
    return (score, Tally(f"Level for {first}", level, lines), Tally("Objectives", "", objectives(position)))


def objectives(position: Position) -> tuple[Line, ...]:
    """Each objective with what it is worth, and whose it is now.

    Rules: PB-VIC-2, PB-VIC-15.
    """
    return tuple(
        Line(_objective(position, place), side_title(position, owner), RuleId("PB-VIC-2"))
        for place, owner in position.owners.items()
    )


def _objective(position: Position, place: HexId) -> str:
    """An objective and what it is worth: an exit what those were who have left by it.

    Rules: PB-VIC-2, PB-VIC-6, PB-VIC-8.
    """
    value = f"{place_name(position, place)}, {objective_value(position, place)} points"
    return f"{value} so far, for those who leave there" if place in victory.exits(position.ground) else value


def terrain_words(position: Position, place: HexId) -> str:
    """The terrain of a hex, in square brackets where the cold makes another of it.

    Rules: PB-ENV-12.
    """
    name, now = position.ground.board.terrain[place].replace("_", " "), terrain_at(position, place)
    return name if position.ground.board.terrain[place] == now else f"[{name}], now {now.replace('_', ' ')}"


def _roads(board: Board, place: HexId) -> Iterator[Line]:
    """The roads and rail lines of a hex, each with where it leads.

    Rules: PB-MAP-5.
    """
    raised = "raised, " if board.has_feature(place, RAISED) else ""
    ways: dict[str, list[str]] = {}
    for direction in DIRECTIONS:
        if board.has_road(place, direction):
            for title in road_titles(board.road_kind(place, direction) or PLAIN_ROAD):
                ways.setdefault(title, []).append(COMPASS[direction])
    for title, leads in sorted(ways.items()):
        rule = "PB-MOVE-41" if title == ROADS["rail"] else "PB-MOVE-38"
        yield Line(title, f"{raised}to the {listed(leads)}", RuleId(rule))


def hex_facts(view: View[Position], place: HexId) -> tuple[Line, ...]:
    """Terrain, height, costs, cover, hexsides and owner of a hex, each with its rule."""
    position = view.position
    board, parameters = position.ground.board, position.parameters
    if not board.is_on(place):
        return ()
    terrain, name = terrain_at(position, place), board.terrain[place]
    facts = [
        Line("Terrain", terrain_words(position, place), RuleId("PB-MAP-3" if terrain == name else "PB-ENV-12")),
        Line("Elevation", f"{board.elevation[place]} m", RuleId("PB-MAP-7")),
        Line("Height", f"{parameters.terrain.height_m[name]} m", RuleId("PB-SPOT-3")),
        Line("Fire at units here", f"{parameters.terrain.combat_pct[terrain]:+d} %", RuleId("PB-FIRE-45")),
    ]
    # whoever leaves his vehicle walks
    in_play = {"foot", *(unit.of.move_class for unit in position.units if unit.hex)}
    for name, cost in zip(MOVE_CLASSES, parameters.movement.terrain[terrain], strict=True):
        if name in in_play:
            facts.append(Line(f"Cost, {name}", "prohibited" if cost == PROHIBITED else cost, RuleId("PB-MOVE-5")))
    facts += _roads(board, place)
    for direction in DIRECTIONS:
        for feature in sorted(features_on(position, place, direction)):
            words = f"{side_words(feature)} to the {COMPASS[direction]}"
            facts.append(Line("Hexside", words, RuleId("PB-MAP-4")))
    if index.at(position, place):
        limit = parameters.stacking.max
        crowd = stacked(position, index.at(position, place))
        facts.append(Line("Men-equivalents", f"{crowd} of {limit}", RuleId("PB-STK-2")))
    for one in features.at(position, place):
        facts.append(Line("Feature", feature_title(one), RuleId("PB-MAP-9")))
    if place in position.wrecks:
        facts.append(Line("Wrecks", position.wrecks[place], RuleId("PB-UNIT-15")))
    facts += fact(view, place)
    if place in position.owners:
        points, is_exit = objective_value(position, place), place in victory.exits(position.ground)
        owner, rule = side_title(position, position.owners[place]), "PB-VIC-6" if is_exit else "PB-VIC-2"
        facts.append(Line(f"{'Exit' if is_exit else 'Objective'} of {points} points", owner, RuleId(rule)))
    return tuple(facts)
