"""The clock: what time a turn begins, how long it lasts, and what part of the day it is.

Rules: PB-GEN-2, PB-TURN-6, PB-TURN-7, PB-TURN-8.
"""

from __future__ import annotations

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


def has_passed(minutes: int, time: str, parameters: Parameters) -> bool:
    """Whether a turn that begins then is the one that begins at a time of the day, or the first after it."""
    by_night = minutes - parameters.time.night_turn_minutes
    was_night = is_night(by_night, parameters)
    before = by_night if was_night else minutes - parameters.time.day_turn_minutes
    return (minutes - minutes_of(time)) % DAY < minutes - before


def is_midnight_turn(minutes: int, parameters: Parameters) -> bool:
    """Whether a turn that begins then is the midnight turn, with which a day starts.

    Rules: PB-TURN-8, PB-TURN-9.
    """
    return has_passed(minutes, parameters.time.midnight, parameters)


def is_twilight(minutes: int, parameters: Parameters) -> bool:
    """Whether a turn that begins then is the Dawn turn or the Dusk turn, where there are such.

    Rules: PB-TURN-7.
    """
    return is_dawn(minutes, parameters) or is_dusk(minutes, parameters)


def is_dawn(minutes: int, parameters: Parameters) -> bool:
    """Whether a turn that begins then is the Dawn turn.

    Rules: PB-TURN-7.
    """
    time = parameters.time
    return time.has_dawn_dusk_turns and has_passed(minutes, time.dawn, parameters)


def is_dusk(minutes: int, parameters: Parameters) -> bool:
    """Whether a turn that begins then is the Dusk turn.

    Rules: PB-TURN-7.
    """
    time = parameters.time
    return time.has_dawn_dusk_turns and has_passed(minutes, time.dusk, parameters)
