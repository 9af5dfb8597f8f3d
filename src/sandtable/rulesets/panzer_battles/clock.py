"""The clock: what time a turn begins, how long it lasts, and what part of the day it is.

Rules: PB-GEN-2, PB-TURN-6, PB-TURN-7, PB-TURN-8.
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


def turn_before(ground: Ground, minutes: int) -> int:
    """When the turn began before one that begins then: at dawn the time alone does not tell, since a turn of the night
    may have been the last as well as one of the day. What came before the first turn of a battle is taken to have been
    night where it may have been.

    Rules: PB-TURN-6, PB-TURN-7.
    """
    known = ground.once("turns before", lambda: _turns_before(ground))
    if minutes in known:
        return known[minutes]
    by_night = minutes - ground.parameters.time.night_turn_minutes
    was_night = is_night(by_night, ground.parameters)
    return by_night if was_night else minutes - ground.parameters.time.day_turn_minutes


def _turns_before(ground: Ground) -> dict[int, int]:
    """When each turn of a battle begins but the first, with when the turn before it began."""
    found, now = {}, minutes_of(ground.scenario.sections.clock)
    for _ in range(1, ground.scenario.turns):
        after = next_turn(now, ground.parameters)
        found[after], now = now, after
    return found


def has_passed(ground: Ground, minutes: int, time: str) -> bool:
    """Whether a turn that begins then is the one that begins at a time of the day, or the first after it."""
    return (minutes - minutes_of(time)) % DAY < minutes - turn_before(ground, minutes)


def is_midnight_turn(ground: Ground, minutes: int) -> bool:
    """Whether a turn that begins then is the midnight turn, with which a day starts.

    Rules: PB-TURN-8, PB-TURN-9.
    """
    return has_passed(ground, minutes, ground.parameters.time.midnight)


def is_twilight(ground: Ground, minutes: int) -> bool:
    """Whether a turn that begins then is the Dawn turn or the Dusk turn, where there are such.

    Rules: PB-TURN-7.
    """
    return is_dawn(ground, minutes) or is_dusk(ground, minutes)


def is_dawn(ground: Ground, minutes: int) -> bool:
    """Whether a turn that begins then is the Dawn turn.

    Rules: PB-TURN-7.
    """
    time = ground.parameters.time
    return time.has_dawn_dusk_turns and has_passed(ground, minutes, time.dawn)


def is_dusk(ground: Ground, minutes: int) -> bool:
    """Whether a turn that begins then is the Dusk turn.

    Rules: PB-TURN-7.
    """
    time = ground.parameters.time
    return time.has_dawn_dusk_turns and has_passed(ground, minutes, time.dusk)
