"""Air units: off the map, listed by side, and what each is for.

Rules: PB-AIR-1, PB-UNIT-1.
"""

from __future__ import annotations

from sandtable.kernel.ids import SideId
from sandtable.rulesets.panzer_battles.kinds import AIRCRAFT
from sandtable.rulesets.panzer_battles.model import Mission, Position, Unit

STRIKE, CARPET, RECON = "strike", "carpet", "recon"
"""The kinds of mission; each air unit flies one of them (PB-AIR-1, PB-AIR-22)."""

TITLES = {STRIKE: "air strike", CARPET: "carpet bombing", RECON: "air reconnaissance"}


def is_air(unit: Unit) -> bool:
    """Whether a unit is of aircraft."""
    return unit.of.component == AIRCRAFT


def mission_of(unit: Unit) -> str:
    """What an air unit is for.

    Rules: PB-AIR-1, PB-AIR-22.
    """
    if unit.has("recon_air"):
        return RECON
    return CARPET if unit.has("heavy_bomber") else STRIKE


def air_units(position: Position, side: SideId) -> list[Unit]:
    """The air units that a side has left, as far as they are known."""
    return [unit for unit in position.units if unit.side == side and is_air(unit) and not unit.gone and not unit.away]


def called(position: Position, unit: Unit) -> Mission | None:
    """The mission that an air unit is called to, if any (PB-AIR-4)."""
    return next((one for one in position.missions if one.unit == unit.id), None)
