"""What a player can order of guns beyond direct fire."""

from __future__ import annotations

from typing import Literal

from sandtable.kernel.events import Order
from sandtable.kernel.ids import HexId, UnitId

Setting = Literal["N", "S", "M", "L"]
"""Never, within a third of the range, within two thirds, always (PB-OPF-5)."""


class KeepFiring(Order, frozen=True):
    """Fire direct at a unit as long as that can be done (PB-FIRE-22)."""

    unit: UnitId
    target: UnitId


class Bombard(Order, frozen=True):
    """Fire indirectly into a hex (PB-FIRE-2)."""

    unit: UnitId
    hex: HexId


class KeepBombarding(Order, frozen=True):
    """Fire indirectly into a hex as long as that can be done (PB-FIRE-22)."""

    unit: UnitId
    hex: HexId


class SetPolicy(Order, frozen=True):
    """At what targets each type of weapon takes opportunities to fire, and how far: some units, or with none named all
    of the side that have no settings of their own.

    Rules: PB-OPF-5, PB-OPF-6, PB-OPF-7.
    """

    units: tuple[UnitId, ...] = ()
    infantry_foot: Setting = "L"
    infantry_soft: Setting = "L"
    infantry_hard: Setting = "L"
    heavy_foot: Setting = "L"
    heavy_soft: Setting = "L"
    heavy_hard: Setting = "L"
    vehicles_foot: Setting = "L"
    vehicles_soft: Setting = "L"
    vehicles_hard: Setting = "L"
    at_guns_foot: Setting = "L"
    at_guns_soft: Setting = "L"
    at_guns_hard: Setting = "L"
    guns_foot: Setting = "L"
    guns_soft: Setting = "L"
    guns_hard: Setting = "L"
