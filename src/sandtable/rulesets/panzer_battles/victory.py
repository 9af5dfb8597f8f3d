"""Objectives, losses and who has won.

Rules: PB-VIC-1, PB-VIC-10, PB-VIC-11.
"""

from __future__ import annotations

from fractions import Fraction
from math import floor

from sandtable.kernel.ids import HexId, RuleId, SideId, UnitId
from sandtable.kernel.resolution import Resolution
from sandtable.kernel.state import Outcome
from sandtable.kernel.trace import Line, Tally
from sandtable.rulesets.panzer_battles.events import BattleEnded, ObjectiveTaken
from sandtable.rulesets.panzer_battles.ground import Ground
from sandtable.rulesets.panzer_battles.kinds import KINDS
from sandtable.rulesets.panzer_battles.model import Position, enemy_of
from sandtable.rulesets.panzer_battles.names import side_title
from sandtable.rulesets.panzer_battles.results.points import loss_points
from sandtable.rulesets.panzer_battles.schedule import exit_hexes

MAJOR_VICTORY, MINOR_VICTORY, DRAW, MINOR_DEFEAT, MAJOR_DEFEAT = (
    "major victory",
    "minor victory",
    "draw",
    "minor defeat",
    "major defeat",
)
RIDDLE = "?"
"""What is told of the enemy's exits under fog (PB-VIC-6)."""

MIRRORED = {MINOR_DEFEAT: MINOR_VICTORY, MAJOR_DEFEAT: MAJOR_VICTORY}
"""A defeat of the first side as its enemy sees it."""


def objective_points(ground: Ground) -> dict[HexId, int]:
    """What each objective is worth to its owner at the end.

    Rules: PB-VIC-2.
    """

    def make() -> dict[HexId, int]:
        return {HexId(place): one.points or 0 for one in ground.scenario.objectives for place in one.hexes}

    return ground.once("objective points", make)


def exits(ground: Ground) -> frozenset[HexId]:
    """The Exit Objectives, by which units leave the map.

    Rules: PB-VIC-6.
    """
    return ground.once("exits", lambda: exit_hexes(ground.scenario))


def exit_multiplier(ground: Ground, place: HexId) -> Fraction:
    """How often an Exit Objective counts the value of those who leave by it, or what part of it (PB-VIC-8)."""
    times: float = ground.scenario.sections.exit_multipliers.get(ground.board.label(place), 1)
    return Fraction(str(times))


def exit_value(position: Position, place: HexId) -> int:
    """What an Exit Objective has grown to, as far as it is known: the loss value of all who left by it.

    Rules: PB-VIC-8.
    """
    left = position.exits.get(place, {}).items()
    value = sum((loss_points(KINDS[kind], count, position.parameters) for kind, count in left), Fraction(0))
    return floor(value * exit_multiplier(position.ground, place))


def exits_of(position: Position, side: SideId) -> int:
    """The points of a side for those who left the map (PB-VIC-7)."""
    own = (place for place in position.exits if position.owners[place] == side)
    return sum(exit_value(position, place) for place in own)


def capture(resolution: Resolution[Position], id: UnitId) -> None:
    """An objective that a unit stands on is its side's, unless it is Broken; an exit never changes hands, and who is
    carried is never asked.

    Rules: PB-VIC-4, PB-VIC-5, PB-VIC-9.
    """
    position = resolution.position
    unit = position.units[id]
    owner = position.owners.get(unit.hex)
    if owner is None or owner == unit.side or unit.hex in exits(position.ground):
        return
    if not unit.broken:
        resolution.emit(ObjectiveTaken(unit.hex, unit.side))


def objectives_of(position: Position, side: SideId) -> int:
    """The points of the objectives that a side owns (PB-VIC-2)."""
    points = objective_points(position.ground)
    return sum(points[place] for place, owner in position.owners.items() if owner == side)


def losses_of(position: Position, side: SideId) -> int:
    """The points that a side's losses are worth to its enemy, as far as they are known.

    Rules: PB-VIC-12.
    """
    counts = [*position.losses.get(side, {}).items(), *position.hidden_losses.get(side, {}).items()]
    return floor(sum((loss_points(KINDS[kind], count, position.parameters) for kind, count in counts), Fraction(0)))


def score(position: Position) -> Tally:
    """The score, from the first side's view, as far as it is known.

    Rules: PB-VIC-6, PB-VIC-10.
    """
    first, second = position.first, enemy_of(position.first)
    rule = RuleId("PB-VIC-10")
    ours, theirs = side_title(position, first), side_title(position, second)
    lines: tuple[Line, ...] = (
        Line(f"objectives of {ours}", objectives_of(position, first), rule),
        Line(f"losses of {theirs}", losses_of(position, second), RuleId("PB-VIC-12")),
        Line(f"losses of {ours}", -losses_of(position, first), RuleId("PB-VIC-12")),
    )
    if exits(position.ground):
        lines += (_exits_line(position, first, 1), _exits_line(position, second, -1))
    return Tally("Score", sum(int(line.value) for line in lines if line.value != RIDDLE), lines)


def _exits_line(position: Position, side: SideId, sign: int) -> Line:
    """What the exits of a side count for or against the first, where the viewer knows that (PB-VIC-6)."""
    points = sign * exits_of(position, side) if position.knows(side) else RIDDLE
    return Line(f"exits of {side_title(position, side)}", points, RuleId("PB-VIC-8"))


def level_of(ground: Ground, points: int) -> str:
    """The level of a score for the first side.

    Rules: PB-VIC-11.
    """
    thresholds = ground.scenario.sections.thresholds
    if points >= thresholds.major_victory:
        return MAJOR_VICTORY
    if points >= thresholds.minor_victory:
        return MINOR_VICTORY
    if points <= thresholds.major_defeat:
        return MAJOR_DEFEAT
    return MINOR_DEFEAT if points <= thresholds.minor_defeat else DRAW


def conclude(resolution: Resolution[Position], *, is_last: bool) -> None:
    """After a game turn the battle may be over: at its limit, or early where the scenario lets a major level end it.

    Rules: PB-TURN-10, PB-VIC-14.
    """
    position = resolution.position
    points = int(score(position).total)
    level = level_of(position.ground, points)
    is_early = position.parameters.victory.early_termination and level in (MAJOR_VICTORY, MAJOR_DEFEAT)
    if is_last or is_early:
        resolution.emit(BattleEnded(points, level))


def outcome(position: Position) -> Outcome | None:
    """How the battle ended, or None while it goes on.

    Rules: PB-VIC-1, PB-VIC-11.
    """
    result = position.result
    if result is None:
        return None
    reason = f"the score is {result.score}"
    if result.level == DRAW:
        return Outcome(None, DRAW, (reason,))
    winner = enemy_of(position.first) if result.level in MIRRORED else position.first
    return Outcome(winner, MIRRORED.get(result.level, result.level), (reason,))
