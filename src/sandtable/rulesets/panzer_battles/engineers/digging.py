"""Digging in: improved positions, trenches and bunkers grow where units dig.

Rules: PB-MOVE-102, PB-MOVE-104, PB-MOVE-106.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from msgspec.structs import replace

from sandtable.kernel.decisions import Refusal
from sandtable.kernel.ids import HexId, SideId
from sandtable.kernel.resolution import Resolution
from sandtable.kernel.trace import Tally
from sandtable.rulesets.panzer_battles import features, index
from sandtable.rulesets.panzer_battles.engineers.events import FeatureChanged, WorkChanged
from sandtable.rulesets.panzer_battles.engineers.orders import DigIn
from sandtable.rulesets.panzer_battles.engineers.states import each_turn, has_acted, is_engineer, may_bridge
from sandtable.rulesets.panzer_battles.kinds import COMPANY
from sandtable.rulesets.panzer_battles.model import DEPLOYED, Feature, Position, Unit
from sandtable.rulesets.panzer_battles.parameters import Parameters
from sandtable.rulesets.panzer_battles.refusals import own, refuse
from sandtable.rulesets.panzer_battles.results.losses import probability
from sandtable.rulesets.panzer_battles.results.struck import size_of

FROZEN = "frozen"
RESTORABLE = (features.IMPROVED, features.TRENCH)
"""Works that digging makes whole again (PB-FIRE-69)."""


class Dig(NamedTuple):
    """The next thing that digging makes of a hex, out of what."""

    old: Feature | None
    new: Feature


def next_work(position: Position, unit: Unit, place: HexId) -> Dig | None:
    """What a unit's digging would make of a hex; None where it is as good as that unit can make it. Who restores a work
    of the enemy has made it his own.

    Rules: PB-MOVE-104, PB-MOVE-105, PB-FIRE-69.
    """
    work = features.work_at(position, place)
    if work is None:
        return Dig(None, Feature(features.IMPROVED, unit.side))
    if work.kind in RESTORABLE and (work.vacated or work.side != unit.side):
        return Dig(work, replace(work, side=unit.side, vacated=False))
    if work.kind == features.IMPROVED:
        return Dig(work, replace(work, kind=features.TRENCH))
    if work.kind == features.TRENCH and is_engineer(unit) and not may_bridge(unit):
        return Dig(work, replace(work, kind=features.BUNKER))
    return None


def size_multiplier(unit: Unit, parameters: Parameters) -> int:
    """By how much a unit digs faster than a platoon: a company or three combined, or two.

    Rules: PB-MOVE-106.
    """
    misc = parameters.misc
    size = size_of(1 + len(unit.parts), is_company=unit.of.is_company)
    if size == COMPANY:
        return misc.dig_in_mult_company
    return misc.dig_in_mult_combined2 if size == "combined2" else 1


def dig_chance(unit: Unit, kind: str, parameters: Parameters) -> Fraction:
    """How likely a unit's digging makes a work of that kind, or makes it whole, in a turn.

    Rules: PB-MOVE-106.
    """
    misc = parameters.misc
    if kind == features.BUNKER:
        return probability(misc.bunker_pct)
    pct = misc.dig_in_pct * size_multiplier(unit, parameters)
    pct *= misc.dig_in_mult_engineer if is_engineer(unit) else 1
    pct *= misc.dig_in_mult_improved if kind == features.IMPROVED else 1
    return probability(pct)


def cannot_dig(position: Position, side: SideId, unit: Unit) -> Refusal | None:
    """What keeps a unit from digging in where it stands, or from ending it.

    Rules: PB-MOVE-102, PB-MOVE-108, PB-ENV-14, PB-OPT-8.
    """
    if unit.digging_in:
        return None
    if unit.has("hq") or unit.has("supply"):
        return refuse("PB-MOVE-102", "headquarters and supply units do not dig in")
    if unit.mode != DEPLOYED or unit.is_shaken:
        return refuse("PB-MOVE-102", "only a deployed unit in good order digs in")
    if unit.operation:
        return refuse("PB-ENG-7", "it has another work in hand")
    if position.weather.condition == FROZEN:
        return refuse("PB-MOVE-102", "the ground is frozen")
    if features.find(position, unit.hex, features.PILLBOX):
        return refuse("PB-MOVE-102", "nobody digs in beside a pillbox")
    if next_work(position, unit, unit.hex) is None:
        return refuse("PB-MOVE-108", "it can make nothing better of this hex")
    return has_acted(unit, "PB-MOVE-102")


def check_dig(position: Position, side: SideId, order: DigIn) -> Refusal | None:
    """Rules: PB-MOVE-102."""
    unit = own(position, side, order.unit)
    return unit if isinstance(unit, Refusal) else cannot_dig(position, side, unit)


def resolve_dig(resolution: Resolution[Position], side: SideId, order: DigIn) -> None:
    """The unit digs in from now on, or no more; meanwhile it fires and defends at half and storms nobody.

    Rules: PB-MOVE-102, PB-MOVE-103, PB-SPOT-31.
    """
    unit = resolution.position.units[order.unit]
    resolution.emit(WorkChanged(unit.id, "", not unit.digging_in, unit.mp, unit.thirds))


def explain_dig(position: Position, side: SideId, order: DigIn) -> tuple[Tally, ...]:
    """How likely the work is done at the start of each of the side's turns."""
    unit = position.units[order.unit]
    work = next_work(position, unit, unit.hex)
    if unit.digging_in or work is None:
        return ()
    chance = dig_chance(unit, work.new.kind, position.parameters)
    return each_turn(work.new.kind, chance, "PB-MOVE-106")


def dig(resolution: Resolution[Position], side: SideId) -> None:
    """The units of a side that dig have tested, and one success in a hex has done one step; frozen ground lets nobody.

    Rules: PB-MOVE-104, PB-MOVE-106, PB-MOVE-107, PB-MOVE-108, PB-ENV-14.
    """
    if resolution.position.weather.condition == FROZEN:
        return
    diggers = [unit for unit in resolution.position.units if unit.digging_in and unit.side == side and unit.hex]
    for place in sorted({unit.hex for unit in diggers}):
        for unit in diggers:
            if unit.hex == place and not unit.is_shaken and _succeeds(resolution, unit):
                break
        _stop_done(resolution, place, side)


def _succeeds(resolution: Resolution[Position], unit: Unit) -> bool:
    position = resolution.position
    work = next_work(position, unit, unit.hex)
    if work is None or not resolution.chance(
        dig_chance(unit, work.new.kind, position.parameters), "PB-MOVE-106", unit.id
    ):
        return False
    resolution.emit(FeatureChanged(unit.hex, work.old, work.new))
    return True


def _stop_done(resolution: Resolution[Position], place: HexId, side: SideId) -> None:
    """Who can make nothing better of the hex digs no more (PB-MOVE-108)."""
    position = resolution.position
    for unit in index.at(position, place):
        if unit.side == side and unit.digging_in and next_work(position, unit, place) is None:
            resolution.emit(WorkChanged(unit.id, mp=unit.mp, thirds=unit.thirds, by_itself=True))
