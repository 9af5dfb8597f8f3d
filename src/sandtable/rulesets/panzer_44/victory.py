"""Objectives, losses, exits, and how a battle ends.

Rules: P44-14.01, P44-14.02.
"""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.kernel.ids import HexId, RuleId, SideId, UnitId
from sandtable.kernel.resolution import Resolution
from sandtable.kernel.state import Outcome
from sandtable.kernel.trace import Line, Tally
from sandtable.rulesets.panzer_44.events import BattleEnded, GroundTaken
from sandtable.rulesets.panzer_44.ground import Ground, exits
from sandtable.rulesets.panzer_44.kinds import HARD, SOFT, UnitKind
from sandtable.rulesets.panzer_44.model import EXITED, LOST, SIDES, Position
from sandtable.rulesets.panzer_44.pieces import enemy_of, is_over
from sandtable.rulesets.panzer_44.scenario import Condition, Presence, area_hexes
from sandtable.rulesets.panzer_44.stacks import kind_of

LOSS_POINTS = {HARD: 3, SOFT: 1}
OTHER_LOSS = 2
"""What a destroyed enemy is worth: hard vehicles, trucks and jeeps, and all others (P44-14.02)."""

OBJECTIVE_POINTS = 3
"""What an objective is worth when the scenario is silent about it."""

MARGINAL, DECISIVE = 5, 15
"""The margins from which a victory is marginal and decisive (P44-14.02)."""

DRAW, TASK = "draw", "decisive"
RULE = RuleId("P44-14.02")


def loss_points(kind: UnitKind) -> int:
    """What a destroyed unit of a type is worth to the enemy."""
    return LOSS_POINTS.get(kind.mobility, OTHER_LOSS)


def contested(ground: Ground) -> frozenset[HexId]:
    """The hexes that count for victory, whose owner is the last side to enter them."""

    def make() -> frozenset[HexId]:
        scenario, board = ground.scenario, ground.board
        held = (label for condition in scenario.sections.victory.conditions for label in condition.hold)
        named = (label for labels in scenario.sections.control.values() for label in labels)
        prizes = (place for one in scenario.objectives for place in one.hexes)
        return frozenset(map(HexId, (*prizes, *map(board.parse, held), *map(board.parse, named))))

    return ground.once("contested", make)


def take_ground(resolution: Resolution[Position], unit: UnitId) -> None:
    """Who enters a hex that counts holds it."""
    position = resolution.position
    taker = position.units[unit]
    if taker.hex in contested(position.ground) and position.control.get(taker.hex) != taker.side:
        resolution.emit(GroundTaken(taker.hex, taker.side))


# --- points ---------------------------------------------------------------------------------------------------------


def exited(position: Position, side: SideId) -> int:
    """How many of a side's units have left the map."""
    return sum(unit.side == side and unit.fate == EXITED for unit in position.units)


def present(position: Position, presence: Presence) -> int:
    """How many units of the side are in an area."""
    area = position.ground.once(("area", presence.area), lambda: set(area_hexes(position.ground.board, presence.area)))
    return sum(unit.side == presence.side and unit.hex in area for unit in position.units)


def score(position: Position, side: SideId) -> Tally:
    """A side's points."""
    lines = tuple(_points(position, side))
    return Tally("Points", sum(int(line.value) for line in lines), lines)


def _points(position: Position, side: SideId) -> Iterator[Line]:
    scenario = position.ground.scenario
    for one in scenario.objectives:
        held = all(position.control.get(HexId(place)) == side for place in one.hexes)
        worth = OBJECTIVE_POINTS if one.points is None else one.points
        yield Line(f"{one.title} held", worth * held, RULE)
    if scenario.sections.victory.losses:
        lost = [kind_of(unit) for unit in position.units if unit.side != side and unit.fate == LOST]
        yield Line("enemy units destroyed", sum(map(loss_points, lost)), RULE)
    if any(entry.side == side for entry in scenario.sections.exits):
        ways_out = exits(position.ground, side)
        gone = [unit for unit in position.units if unit.side == side and unit.fate == EXITED]
        yield Line("units exited", sum(ways_out[unit.exit] for unit in gone), RULE)
    for presence in scenario.sections.victory.presence:
        if presence.side == side:
            yield Line(presence.title, presence.points * present(position, presence), RULE)


# --- tasks ----------------------------------------------------------------------------------------------------------


def is_met(position: Position, condition: Condition) -> bool:
    """Whether a side has as many of some hexes, and has brought as many units out, as a condition asks for."""
    places = [position.ground.board.parse(label) for label in condition.hold]
    held = sum(position.control.get(place) == condition.side for place in places)
    return held >= (condition.count or len(places)) and exited(position, SideId(condition.side)) >= condition.exit


def tasks(ground: Ground, side: SideId) -> list[Condition]:
    """The conditions that a side must all meet."""
    return [one for one in ground.scenario.sections.victory.conditions if one.side == side]


def has_won(position: Position, side: SideId) -> bool:
    """Whether a side has tasks and has met them all."""
    own = tasks(position.ground, side)
    return bool(own) and all(is_met(position, one) for one in own)


def conclude(resolution: Resolution[Position]) -> None:
    """The battle is over when its last turn has ended, or when a side has brought out as many units as it must."""
    position = resolution.position
    if position.turn >= position.ground.scenario.turns:
        winner, level, reasons = verdict(position)
        resolution.emit(BattleEnded(winner, level, reasons))
        return
    for side in SIDES:
        own = tasks(position.ground, side)
        if has_won(position, side) and not any(one.hold for one in own):
            resolution.emit(BattleEnded(side, TASK, tuple(one.title for one in own)))
            return


def verdict(position: Position) -> tuple[SideId, str, tuple[str, ...]]:
    """Who would win, how, and why, if the last turn ended now: tasks of the scenario, or points, decide.

    Rules: P44-14.01, P44-14.02.
    """
    victory = position.ground.scenario.sections.victory
    titles = {one.id: one.title for one in position.ground.scenario.sides}
    for side in SIDES:
        if has_won(position, side):
            return side, TASK, tuple(one.title for one in tasks(position.ground, side))
    if victory.otherwise is not None:
        return SideId(victory.otherwise), TASK, (f"{titles[victory.otherwise]} has prevented it",)
    points = {side: int(score(position, side).total) for side in SIDES}
    reason = (", ".join(f"{titles[side]} {points[side]} points" for side in SIDES),)
    best = max(SIDES, key=lambda side: points[side])
    margin = points[best] - points[enemy_of(best)]
    if margin < MARGINAL:
        return SideId(""), DRAW, reason
    return best, "marginal" if margin < DECISIVE else "decisive", reason


def outcome(position: Position) -> Outcome | None:
    """How the battle ended, or None while it lasts."""
    return Outcome(position.winner or None, position.level, position.reasons) if is_over(position) else None
