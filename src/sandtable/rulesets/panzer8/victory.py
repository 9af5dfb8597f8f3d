"""Objectives, losses, and how a battle ends.

Rules: P8-14.01, P8-14.02, P8-14.03.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from sandtable.kernel.ids import HexId, RuleId, SideId, UnitId
from sandtable.kernel.resolution import Resolution
from sandtable.kernel.state import Outcome
from sandtable.kernel.trace import Line, Tally
from sandtable.rulesets.panzer8.events import BattleEnded, GroundTaken
from sandtable.rulesets.panzer8.ground import Ground
from sandtable.rulesets.panzer8.kinds import KINDS
from sandtable.rulesets.panzer8.model import LOST, SIDES, Position
from sandtable.rulesets.panzer8.pieces import enemy_of, is_over
from sandtable.rulesets.panzer8.stacks import kind_of

OBJECTIVE_POINTS = 3
"""What an objective hex is worth unless the scenario gives another value (P8-14.03)."""

LOSS_POINTS = 1
DRAW = "draw"


def objective_points(ground: Ground) -> dict[HexId, int]:
    """Every objective hex with its points."""
    kept = ground.cache.get("objectives")
    if kept is None:
        kept = ground.cache["objectives"] = {
            HexId(place): OBJECTIVE_POINTS if one.points is None else one.points
            for one in ground.scenario.objectives
            for place in one.hexes
        }
    found: dict[HexId, int] = kept
    return found


def take_ground(resolution: Resolution[Position], unit: UnitId) -> None:
    """Who enters an objective hex holds it (P8-14.03)."""
    enter_ground(resolution, unit, (resolution.position.elements[unit].hex,))


def enter_ground(resolution: Resolution[Position], unit: UnitId, path: tuple[HexId, ...]) -> None:
    """Every objective hex on the way of an element is its side's, whatever made it go there (P8-14.03)."""
    side = resolution.position.elements[unit].side
    for place in path:
        position = resolution.position
        if place in objective_points(position.ground) and position.control.get(place) != side:
            resolution.emit(GroundTaken(place, side))


# --- losses ---------------------------------------------------------------------------------------------------------


def initial_strength(ground: Ground, side: SideId) -> int:
    """How many combat elements a side began with (P8-2.05)."""
    return sum(entry.side == side and KINDS[entry.type].is_combat_element for entry in ground.scenario.units)


def combat_losses(position: Position, side: SideId) -> int:
    """How many combat elements a side has lost."""
    return sum(one.side == side and one.fate == LOST and kind_of(one).is_combat_element for one in position.elements)


def breaking_point(ground: Ground, side: SideId) -> int:
    """So many lost combat elements lose the battle: half, rounded up, unless the scenario names another number for the
    side (P8-14.02).
    """
    named: dict[str, int] = ground.scenario.sections.breaking
    return named.get(side, -(-initial_strength(ground, side) // 2))


def broken(position: Position) -> list[SideId]:
    """The sides that have lost as many combat elements as break them."""
    return [side for side in SIDES if combat_losses(position, side) >= breaking_point(position.ground, side)]


# --- points ---------------------------------------------------------------------------------------------------------


def score(position: Position, side: SideId) -> Tally:
    """A side's points: objective hexes held and enemy combat elements out of action (P8-14.03)."""
    rule = RuleId("P8-14.03")
    worth = objective_points(position.ground)
    lines = []
    for one in position.ground.scenario.objectives:
        held = [HexId(h) for h in one.hexes if position.control.get(HexId(h)) == side]
        lines.append(Line(f"{one.title} held", sum(worth[h] for h in held), rule))
    lines.append(Line("enemy elements out of action", LOSS_POINTS * combat_losses(position, enemy_of(side)), rule))
    return Tally("Points", sum(int(line.value) for line in lines), tuple(lines))


class Terms(Protocol):
    """A condition of victory: a side holds `count` of some hexes, all when that is 0."""

    side: str
    hold: tuple[str, ...]
    count: int


def is_met(position: Position, condition: Terms) -> bool:
    """Whether a side holds as many of some hexes as a condition asks for."""
    board = position.ground.board
    hexes = [board.parse(label) for label in condition.hold]
    held = sum(position.control.get(h) == condition.side for h in hexes)
    return held >= (condition.count or len(hexes))


def conclude(resolution: Resolution[Position], *, is_last: bool) -> None:
    """The battle is over if a side is broken, or its last turn has ended (P8-14.01)."""
    verdict = next(_verdicts(resolution.position, is_last=is_last), None)
    if verdict is not None:
        winner, level, reasons = verdict
        resolution.emit(BattleEnded(winner, level, reasons))


def _verdicts(position: Position, *, is_last: bool) -> Iterator[tuple[SideId, str, tuple[str, ...]]]:
    lost = broken(position)
    titles = {one.id: one.title for one in position.ground.scenario.sides}
    if len(lost) == 1:
        loser, count = lost[0], combat_losses(position, lost[0])
        reason = f"{titles[loser]} has lost {count} of {initial_strength(position.ground, loser)} elements (P8-14.02)"
        yield enemy_of(loser), "decisive", (reason,)
    elif lost:
        yield _fewer_lost(position)
    if is_last:
        yield _at_the_limit(position, titles)


def _fewer_lost(position: Position) -> tuple[SideId, str, tuple[str, ...]]:
    """Both are broken: the smaller share lost wins (P8-14.02)."""
    a, b = SIDES
    first = combat_losses(position, a) * initial_strength(position.ground, b)
    second = combat_losses(position, b) * initial_strength(position.ground, a)
    reason = ("both sides have lost too many elements; the smaller share lost wins (P8-14.02)",)
    if first == second:
        return SideId(""), DRAW, reason
    return (a if first < second else b), "marginal", reason


def _at_the_limit(position: Position, titles: dict[str, str]) -> tuple[SideId, str, tuple[str, ...]]:
    """Conditions of the scenario, or points, decide at the turn limit (P8-14.03)."""
    victory = position.ground.scenario.sections.victory
    for condition in victory.conditions:
        if is_met(position, condition):
            return SideId(condition.side), "tactical", (condition.title,)
    if victory.otherwise:
        return SideId(victory.otherwise), "tactical", (f"{titles[victory.otherwise]} has held out",)
    points = {side: int(score(position, side).total) for side in SIDES}
    reason = (", ".join(f"{titles[side]} {points[side]} points" for side in SIDES) + " (P8-14.03)",)
    a, b = SIDES
    if points[a] == points[b]:
        return SideId(""), DRAW, reason
    return (a if points[a] > points[b] else b), "tactical", reason


def outcome(position: Position) -> Outcome | None:
    """How the battle ended, or None while it lasts."""
    if not is_over(position):
        return None
    return Outcome(position.winner or None, position.level, position.reasons)
