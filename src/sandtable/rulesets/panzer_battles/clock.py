"""The clock: what time a turn begins, how long it lasts, and how far one sees in it.

Rules: PB-GEN-2, PB-TURN-6, PB-TURN-7.
"""

from __future__ import annotations

from sandtable.rulesets.panzer_battles.ground import Ground
from sandtable.rulesets.panzer_battles.parameters import Parameters

DAY = 24 * 60


def minutes_of(time: str) -> int:
    """The minutes since midnight of a time such as "05:30"."""
    hours, minutes = time.split(":")
    return int(hours) * 60 + int(minutes)


def shown(minutes: int) -> str:
    """A time as clocks show it."""
    return f"{minutes // 60 % 24:02}:{minutes % 60:02}"


def is_night(minutes: int, parameters: Parameters) -> bool:
    """Whether a turn that begins then is a night turn; the Dusk turn still counts as day.

    Rules: PB-TURN-6, PB-TURN-7.
    """
    time = parameters.time
    dusk_turn = time.day_turn_minutes if time.has_dawn_dusk_turns else 0
    now = minutes % DAY
    return not minutes_of(time.dawn) <= now < minutes_of(time.dusk) + dusk_turn


def next_turn(minutes: int, parameters: Parameters) -> int:
    """When the turn after one that begins then begins.

    Rules: PB-TURN-6.
    """
    time = parameters.time
    return minutes + (time.night_turn_minutes if is_night(minutes, parameters) else time.day_turn_minutes)


def visibility(ground: Ground, turn: int) -> int:
    """How far one sees in a turn: the scenario names it turn by turn, and the last goes on.

    Rules: PB-SPOT-1.
    """
    by_turn: tuple[int, ...] = ground.scenario.sections.visibility
    return by_turn[min(turn, len(by_turn)) - 1]
