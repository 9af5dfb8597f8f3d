"""Who holds what, what it is worth, and who has won.

Rules: PB3-1301, PB3-1302.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from sandtable.kernel.ids import HexId, RuleId, SideId
from sandtable.kernel.resolution import Resolution
from sandtable.kernel.state import Outcome
from sandtable.kernel.trace import Line, Tally
from sandtable.rulesets.panzerblitz_3d.events import BattleEnded, ControlTaken
from sandtable.rulesets.panzerblitz_3d.kinds import FORTS
from sandtable.rulesets.panzerblitz_3d.model import (
    DESTROYED,
    EXITED,
    GERMAN,
    RESERVE,
    RUSSIAN,
    SIDES,
    UNSEEN,
    Position,
    Unit,
)
from sandtable.rulesets.panzerblitz_3d.pieces import enemy_of
from sandtable.rulesets.panzerblitz_3d.scenario import Condition, Victory
from sandtable.rulesets.panzerblitz_3d.stacks import units_at

LEVELS = ("", "marginal", "tactical", "decisive")


def terms(position: Position) -> Victory:
    """The victory section of the scenario."""
    victory: Victory = position.ground.scenario.sections.victory
    return victory


def counts(unit: Unit) -> bool:
    """Whether a unit holds hexes and counts as a loss: everybody but forts.

    Rules: PB3-1301.
    """
    return unit.kind not in FORTS


def contested(position: Position) -> frozenset[HexId]:
    """The hexes whose owner is remembered: objectives, and all that a condition or the scenario's control names."""
    return position.ground.once("contested", lambda: _contested(position))


def _contested(position: Position) -> frozenset[HexId]:
    board, scenario = position.ground.board, position.ground.scenario
    places = {HexId(place) for objective in scenario.objectives for place in objective.hexes}
    for condition in terms(position).conditions:
        places.update(HexId(board.parse(label)) for label in condition.hold)
    for labels in scenario.sections.control.values():
        places.update(HexId(board.parse(label)) for label in labels)
    return frozenset(places)


def take_control(resolution: Resolution[Position], place: HexId, side: SideId) -> None:
    """The hex is held by the side if it is one that matters and a unit of it is there.

    Rules: PB3-1302.
    """
    position = resolution.position
    if place not in contested(position) or position.control.get(place) == side:
        return
    if any(unit.side == side and counts(unit) for unit in units_at(position, place)):
        resolution.emit(ControlTaken(place, side))


def losses(position: Position, side: SideId) -> int:
    """How many units a side has lost, those that left the map where they may not included (PB3-1301)."""
    return sum(1 for unit in position.units if unit.fate == DESTROYED and unit.side == side and counts(unit))


def exit_of(position: Position, side: SideId, place: HexId) -> int | None:
    """The points for leaving the map from a hex, or None where the side may not leave."""
    return ways_out(position, side).get(place)


def ways_out(position: Position, side: SideId) -> dict[HexId, int]:
    """The hexes from which a side may leave the map, with the points for it."""
    board = position.ground.board
    return position.ground.once(
        ("exits", side),
        lambda: {
            HexId(board.parse(label)): way.points
            for way in terms(position).exits
            if way.side == side
            for label in way.hexes
        },
    )


def exited(position: Position, side: SideId) -> int:
    """How many units of a side have left the map where they may (PB3-1301)."""
    return sum(1 for unit in position.units if unit.fate == EXITED and unit.side == side)


def score(position: Position, side: SideId) -> Tally:
    """A side's points with the lines that made them.

    Rules: PB3-1302.
    """
    victory, rule = terms(position), RuleId("PB3-1302")
    lines: list[Line] = []
    lost = losses(position, enemy_of(side)) * victory.loss_points
    if lost:
        lines.append(Line("Enemy units destroyed", lost, rule))
    for objective in position.ground.scenario.objectives:
        worth = victory.objective_points if objective.points is None else objective.points
        held = sum(worth for place in objective.hexes if position.control.get(place) == side)
        if held:
            lines.append(Line(objective.title, held, rule))
    out = sum(unit.worth for unit in position.units if unit.fate == EXITED and unit.side == side)
    if out:
        lines.append(Line("Units exited", out, RuleId("PB3-1301")))
    handicap = victory.handicap.get(side, 0)
    if handicap:
        lines.append(Line("Set by the scenario", handicap, RuleId("PB3-1301")))
    return Tally("Points", sum(line.value for line in lines if isinstance(line.value, int)), tuple(lines))


class Part(NamedTuple):
    """One thing that a victory condition asks for: how much of it there is, how much there must be, and its word."""

    done: int
    needed: int
    word: str


def parts(position: Position, condition: Condition) -> Iterator[Part]:
    """What a victory condition asks for, one after the other.

    Rules: PB3-1301.
    """
    side, board = SideId(condition.side), position.ground.board
    if condition.hold:
        held = sum(position.control.get(HexId(board.parse(label))) == side for label in condition.hold)
        yield Part(held, condition.count or len(condition.hold), "held")
    if condition.destroy:
        yield Part(losses(position, enemy_of(side)), condition.destroy, "destroyed")
    if condition.exit:
        yield Part(exited(position, side), condition.exit, "off the map")


def is_met(position: Position, condition: Condition) -> bool:
    """Whether all parts of a victory condition hold now."""
    return all(part.done >= part.needed for part in parts(position, condition))


def judged(position: Position) -> Outcome:
    """How the battle stands: a side with nothing left has lost it outright; else by the scenario's conditions, and by
    points when it has none.

    Rules: PB3-1301, PB3-1302.
    """
    beaten = [side for side in SIDES if is_beaten(position, side)]
    if len(beaten) == 1:
        reason = f"nothing of the {beaten[0].capitalize()} side is left to fight"
        return Outcome(enemy_of(beaten[0]), LEVELS[-1], (reason,))
    victory = terms(position)
    met = [condition for condition in victory.conditions if is_met(position, condition)]
    if met:
        best = max(met, key=lambda condition: LEVELS.index(condition.level))
        if any(one.side != best.side and one.level == best.level for one in met):
            return Outcome(None, "draw", ("both sides met their conditions",))
        return Outcome(SideId(best.side), best.level, (best.title or "condition met",))
    if victory.conditions and victory.otherwise is not None:
        return Outcome(SideId(victory.otherwise.side), victory.otherwise.level, ("no condition was met",))
    return by_points(position)


def by_points(position: Position) -> Outcome:
    """The margin of points and what it is called (PB3-1302)."""
    victory = terms(position)
    points = {side: int(score(position, side).total) for side in SIDES}
    margin = points[GERMAN] - points[RUSSIAN]
    reason = f"German {points[GERMAN]} to Russian {points[RUSSIAN]} points"
    if abs(margin) < victory.marginal:
        return Outcome(None, "draw", (reason,))
    level = "marginal"
    for name in ("tactical", "decisive"):
        if abs(margin) >= getattr(victory, name):
            level = name
    return Outcome(GERMAN if margin > 0 else RUSSIAN, level, (reason,))


def fights_on(position: Position, side: SideId) -> bool:
    """Whether a side has anything left, on the table or still to come."""
    return any(
        unit.side == side and counts(unit) and (unit.hex or unit.fate in (RESERVE, UNSEEN)) for unit in position.units
    )


def is_beaten(position: Position, side: SideId) -> bool:
    """Whether a side has lost all it had: who got away is not beaten (PB3-1301)."""
    return bool(losses(position, side)) and not fights_on(position, side) and not exited(position, side)


def is_decided(position: Position) -> bool:
    """Whether a side has nothing left that could fight on."""
    return not all(fights_on(position, side) for side in SIDES)


def end_battle(resolution: Resolution[Position]) -> None:
    """The battle is over and its points are written down."""
    position = resolution.position
    resolution.emit(BattleEnded({side: int(score(position, side).total) for side in SIDES}))


def outcome(position: Position) -> Outcome | None:
    """How the battle ended, or None while it goes on."""
    return judged(position) if position.over else None
