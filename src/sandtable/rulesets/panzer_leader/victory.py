"""Who holds what, what it is worth, and who has won.

Rules: PL-1501, PL-1502, PL-1503, PL-1504, PL-1505.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from sandtable.geometry.hexes import DIRECTIONS
from sandtable.kernel.ids import HexId, RuleId, SideId
from sandtable.kernel.resolution import Resolution
from sandtable.kernel.state import Outcome
from sandtable.kernel.trace import Line, Tally
from sandtable.rulesets.panzer_leader.events import BattleEnded, ControlTaken, NavalRefilled
from sandtable.rulesets.panzer_leader.kinds import WORKS
from sandtable.rulesets.panzer_leader.model import (
    ALLIED,
    DESTROYED,
    EXITED,
    GERMAN,
    RESERVE,
    SIDES,
    UNSEEN,
    Position,
    Unit,
)
from sandtable.rulesets.panzer_leader.pieces import enemy_of
from sandtable.rulesets.panzer_leader.scenario import Condition, Victory
from sandtable.rulesets.panzer_leader.stacks import kind, units_at

LEVELS = ("", "marginal", "tactical", "decisive")


def terms(position: Position) -> Victory:
    """The victory section of the scenario."""
    victory: Victory = position.ground.scenario.sections.victory
    return victory


def counts(unit: Unit) -> bool:
    """Whether a unit controls hexes and counts as a loss: trucks, wagons, forts and bridges do neither.

    Rules: PL-1503.
    """
    return unit.kind not in WORKS and not kind(unit).is_soft_carrier


def banks(position: Position, bridge: HexId) -> tuple[tuple[HexId, ...], ...]:
    """The land hexes beside a bridge, bank by bank: around the bridge the stream divides them, and where it runs off
    the map its edge does. Roads do not matter, and a bank that is off the map is none.

    Rules: PL-1502.
    """
    cache = position.ground.cache
    if ("banks", bridge) not in cache:
        board = position.ground.board
        around = [board.neighbor(bridge, d) for d in DIRECTIONS]
        water = [bool(h) and board.terrain[h] in ("stream", "sea") for h in around]
        divides = water if sum(water) > 1 else [wet or not h for wet, h in zip(water, around, strict=True)]
        start = divides.index(True) if any(divides) else 0
        found: list[list[HexId]] = [[]]
        for d in (*range(start, 6), *range(start)):
            if divides[d]:
                found.append([])
            elif around[d]:
                found[-1].append(HexId(around[d]))
        cache["banks", bridge] = tuple(tuple(bank) for bank in found if bank)
    made: tuple[tuple[HexId, ...], ...] = cache["banks", bridge]
    return made


def contested(position: Position) -> frozenset[HexId]:
    """The hexes whose owner is remembered: towns, bridges and their banks, objectives and all that a condition
    names.
    """
    cache = position.ground.cache
    if "contested" not in cache:
        board, scenario = position.ground.board, position.ground.scenario
        places = {place for place in board.hexes if board.terrain[place] == "town"}
        for place in board.features:
            if board.has_feature(place, "bridge"):
                places |= {place, *(bank for side in banks(position, place) for bank in side)}
        for objective in scenario.objectives:
            places.update(objective.hexes)
        for condition in terms(position).conditions:
            places.update(board.parse(label) for label in condition.hold)
        cache["contested"] = frozenset(places)
    result: frozenset[HexId] = cache["contested"]
    return result


def take_control(resolution: Resolution[Position], place: HexId, side: SideId) -> None:
    """The hex belongs to the side if it is one that matters and a unit that can hold it stands there.

    Rules: PL-1502, PL-1503, PL-907.
    """
    position = resolution.position
    if place not in contested(position) or position.control.get(place) == side:
        return
    if any(unit.side == side and counts(unit) for unit in units_at(position, place)):
        resolution.emit(ControlTaken(place, side))


def holds(position: Position, side: SideId, place: HexId) -> bool:
    """Whether a hex belongs to a side; a bridge only together with a hex on each bank that is on the map.

    Rules: PL-1502.
    """
    if position.control.get(place) != side:
        return False
    if not position.ground.board.has_feature(place, "bridge"):
        return True
    return all(any(position.control.get(h) == side for h in bank) for bank in banks(position, place))


def gone(position: Position) -> tuple[Unit, ...]:
    """The units that are lost or have left the map."""
    units = position.units

    def updated(known: tuple[Unit, ...], sources: tuple[tuple[Unit, ...]]) -> tuple[Unit, ...] | None:
        changed = position.derived.changes(sources[0], units)
        return None if any(unit.fate in _GONE for pair in changed for unit in pair) else known

    return position.derived.part(
        "gone", (units,), lambda: tuple([unit for unit in units if unit.fate in _GONE]), updated
    )


_GONE = (DESTROYED, EXITED)


def _toll(position: Position) -> Counter[tuple[SideId, str]]:
    """How many counting units of each side are gone, by what became of them; and forts, as "fort"."""
    units = gone(position)

    def made() -> Counter[tuple[SideId, str]]:
        forts = [(unit.side, FORT) for unit in units if unit.fate == DESTROYED and kind(unit).is_fort]
        return Counter([(unit.side, unit.fate) for unit in units if counts(unit)] + forts)

    return position.derived.part("toll", (units,), made)


FORT = "fort"


def losses(position: Position, side: SideId) -> int:
    """How many counting units a side has lost, those that left the map where they may not included.

    Rules: PL-1503, PL-1504.
    """
    return _toll(position)[side, DESTROYED]


def exit_of(position: Position, side: SideId, place: HexId) -> int | None:
    """The points for leaving the map from a hex, or None where the side may not leave."""
    board = position.ground.board
    for way in terms(position).exits:
        if way.side == side and any(board.parse(label) == place for label in way.hexes):
            return way.points
    return None


def exited(position: Position, side: SideId) -> int:
    """How many counting units of a side have left the map where they may."""
    return _toll(position)[side, EXITED]


def score(position: Position, side: SideId) -> Tally:
    """A side's points with the lines that made them.

    Rules: PL-1505.
    """
    victory, rule = terms(position), RuleId("PL-1505")
    lines: list[Line] = []
    lost = losses(position, enemy_of(side)) * victory.loss_points
    if lost:
        lines.append(Line("Enemy units destroyed", lost, rule))
    forts = _toll(position)[enemy_of(side), FORT] * victory.fort_points
    if forts:
        lines.append(Line("Fortifications destroyed", forts, rule))
    for objective in position.ground.scenario.objectives:
        worth = victory.objective_points if objective.points is None else objective.points
        held = sum(worth for place in objective.hexes if holds(position, side, place))
        if held:
            lines.append(Line(objective.title, held, rule))
    out = sum(unit.worth for unit in gone(position) if unit.fate == EXITED and unit.side == side and counts(unit))
    if out:
        lines.append(Line("Units exited", out, RuleId("PL-1501")))
    handicap = victory.handicap.get(side, 0)
    if handicap:
        lines.append(Line("Set by the scenario", handicap, RuleId("PL-1501")))
    return Tally("Points", sum(line.value for line in lines if isinstance(line.value, int)), tuple(lines))


class Part(NamedTuple):
    """One thing that a victory condition asks for: how much of it there is, how much there must be, and its word."""

    done: int
    needed: int
    word: str


def parts(position: Position, condition: Condition) -> Iterator[Part]:
    """What a victory condition asks for, one after the other.

    Rules: PL-1501.
    """
    side, board = SideId(condition.side), position.ground.board
    if condition.hold:
        held = sum(holds(position, side, board.parse(label)) for label in condition.hold)
        yield Part(held, condition.count or len(condition.hold), "held")
    if condition.destroy:
        yield Part(losses(position, enemy_of(side)), condition.destroy, "destroyed")
    if condition.exit:
        yield Part(exited(position, side), condition.exit, "off the map")
    if condition.occupy:
        ground = {board.parse(label) for label in condition.occupy}
        present = sum(1 for unit in position.units if unit.hex in ground and unit.side == side and counts(unit))
        yield Part(present, condition.units, "there")


def is_met(position: Position, condition: Condition) -> bool:
    """Whether all parts of a victory condition hold now.

    Rules: PL-1501.
    """
    return all(part.done >= part.needed for part in parts(position, condition))


def judged(position: Position) -> Outcome:
    """How the battle stands by the scenario's conditions, or by points when it has none.

    Rules: PL-1501, PL-1505.
    """
    beaten = [side for side in SIDES if is_beaten(position, side)]
    if len(beaten) == 1:
        return Outcome(
            enemy_of(beaten[0]), LEVELS[-1], (f"nothing of the {beaten[0].capitalize()} side is left to fight",)
        )
    victory = terms(position)
    met = [condition for condition in victory.conditions if is_met(position, condition)]
    if met:
        best = max(met, key=lambda condition: LEVELS.index(condition.level))
        rivals = [c for c in met if c.side != best.side and c.level == best.level]
        if not rivals:
            return Outcome(SideId(best.side), best.level, (best.title or "condition met",))
        return Outcome(None, "draw", ("both sides met their conditions",))
    if victory.conditions and victory.otherwise is not None:
        return Outcome(SideId(victory.otherwise.side), victory.otherwise.level, ("no condition was met",))
    return by_points(position)


def by_points(position: Position) -> Outcome:
    """The margin of points and what it is called."""
    victory = terms(position)
    points = {side: score(position, side).total for side in SIDES}
    margin = int(points[ALLIED]) - int(points[GERMAN])
    reason = f"{points[ALLIED]} to {points[GERMAN]} points"
    if abs(margin) < victory.marginal:
        return Outcome(None, "draw", (reason,))
    level = "marginal"
    for name in ("tactical", "decisive"):
        if abs(margin) >= getattr(victory, name):
            level = name
    return Outcome(ALLIED if margin > 0 else GERMAN, level, (reason,))


def _fights_on(position: Position, side: SideId) -> bool:
    """Whether a side has anything left that counts, on the table or still to come."""
    for unit in position.units:
        if unit.side == side and counts(unit) and (unit.hex or unit.fate in (RESERVE, UNSEEN)):
            return True
    return False


def is_beaten(position: Position, side: SideId) -> bool:
    """Whether a side has lost all it had, and so the battle outright: trucks are no army, but who got away is not
    beaten.

    Rules: PL-1501, PL-1503.
    """
    return bool(losses(position, side)) and not _fights_on(position, side) and not exited(position, side)


def is_decided(position: Position) -> bool:
    """Whether a side has nothing left that could fight on."""
    return not all(_fights_on(position, side) for side in SIDES)


def begin_segment(resolution: Resolution[Position]) -> None:
    """Naval points are as each turn gives them (PL-1121)."""
    position = resolution.position
    points = position.ground.scenario.sections.naval.points
    if points and position.ground.options.naval_fire and position.phasing == position.ground.scenario.first:
        resolution.emit(NavalRefilled({SideId(side): value for side, value in points.items()}))


def end_battle(resolution: Resolution[Position]) -> None:
    """The battle is over and its points are written down."""
    position = resolution.position
    resolution.emit(BattleEnded({side: int(score(position, side).total) for side in SIDES}))


def outcome(position: Position) -> Outcome | None:
    """How the battle ended, or None while it goes on."""
    return judged(position) if position.over else None
