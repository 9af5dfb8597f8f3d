"""The air in sentences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sandtable.kernel.events import Event
from sandtable.kernel.ids import NOBODY
from sandtable.play.words import listed
from sandtable.rulesets.panzer_battles.air.events import (
    DONE,
    AirUnitsReadied,
    Interdicted,
    MissionCalled,
    MissionFlown,
)
from sandtable.rulesets.panzer_battles.air.units import CARPET, RECON, STRIKE, TITLES
from sandtable.rulesets.panzer_battles.fire.words import results
from sandtable.rulesets.panzer_battles.kinds import KINDS
from sandtable.rulesets.panzer_battles.model import Position
from sandtable.rulesets.panzer_battles.names import place_name, strength_text, unit_name


def called(event: MissionCalled, position: Position) -> str:
    """Who is called where."""
    return f"{unit_name(position, event.unit)}: {TITLES[event.kind]} called on {place_name(position, event.hex)}"


def readied(event: AirUnitsReadied, position: Position) -> str:
    """Who can be called again."""
    ready = listed(unit_name(position, id) for id in event.available)
    return f"available again: {ready}" if ready else ""


DIVERTED = {STRIKE: ", beside {} where nobody was left", CARPET: ", scattered from {}"}
"""Why a mission went to another hex than the one it was called to (PB-AIR-7, PB-AIR-23)."""


UNSEEN = "nobody saw what came of it"


def flown(event: MissionFlown, position: Position) -> str:
    """How a mission went."""
    who = KINDS[event.aircraft].name if event.unit == NOBODY else unit_name(position, event.unit)
    found = [event.outcome] if event.outcome != DONE else []
    found += [f"loses {strength_text(event.aircraft, event.lost)}"] if event.lost else []
    # what came of it says that it was flown
    found += results(position, event.struck) or ([] if found else [DONE if event.kind == RECON else UNSEEN])
    where = place_name(position, event.hex)
    if event.called:
        where += DIVERTED[event.kind].format(place_name(position, event.called))
    return f"{TITLES[event.kind]} by {who} on {where}: {'; '.join(found)}"


def interdicted(event: Interdicted, position: Position) -> str:
    """What aircraft on the prowl did."""
    found = "; ".join(results(position, event.struck))
    where = f"{KINDS[event.aircraft].name} strikes the march in {place_name(position, event.hex)}"
    return f"{where}: {found}" if found else where


SENTENCES: dict[type[Event], Callable[[Any, Position], str]] = {
    MissionCalled: called,
    AirUnitsReadied: readied,
    MissionFlown: flown,
    Interdicted: interdicted,
}
