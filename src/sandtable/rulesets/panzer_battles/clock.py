"""The clock: what time a turn begins, how long it lasts, and what part of the day it is.

Rules: PB-GEN-2, PB-TURN-6, PB-TURN-7, PB-TURN-8.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sandtable.rulesets.panzer_battles.parameters import Parameters

if TYPE_CHECKING:
    from sandtable.rulesets.panzer_battles.ground import Ground

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


def turn_before(minutes: int, ground: Ground) -> int:
    """When the turn before one that begins then began: as the battle has had it, and before its first turn as it would
    have been.

    Rules: PB-TURN-6.
    """
    known: dict[int, int] = ground.once("turns before", lambda: _turns_before(ground))
    if minutes in known:
        return known[minutes]
    time = ground.parameters.time
    by_night = minutes - time.night_turn_minutes
    return by_night if is_night(by_night, ground.parameters) else minutes - time.day_turn_minutes


def _turns_before(ground: Ground) -> dict[int, int]:
    """When the turn before each of a battle began, but for the first."""
    found, begins = dict[int, int](), minutes_of(ground.scenario.sections.clock)
    for _ in range(ground.scenario.turns):
        following = next_turn(begins, ground.parameters)
        found[following] = begins
        begins = following
    return found


def has_passed(minutes: int, time: str, ground: Ground) -> bool:
    """Whether a turn that begins then is the one that begins at a time of the day, or the first after it."""
    return (minutes - minutes_of(time)) % DAY < minutes - turn_before(minutes, ground)


def is_midnight_turn(minutes: int, ground: Ground) -> bool:
    """Whether a turn that begins then is the midnight turn, with which a day starts.

    Rules: PB-TURN-8, PB-TURN-9.
    """
    return has_passed(minutes, ground.parameters.time.midnight, ground)


def is_twilight(minutes: int, ground: Ground) -> bool:
    """Whether a turn that begins then is the Dawn turn or the Dusk turn, where there are such.

    Rules: PB-TURN-7.
    """
    time = ground.parameters.time
    begins = (time.dawn, time.dusk) if time.has_dawn_dusk_turns else ()
    return any(has_passed(minutes, one, ground) for one in begins)
