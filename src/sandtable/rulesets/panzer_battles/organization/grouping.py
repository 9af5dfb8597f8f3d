"""Who may be combined with whom, and the orders that do it.

Rules: PB-UNIT-21, PB-UNIT-31.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sandtable.kernel.decisions import Refusal
from sandtable.kernel.ids import NOBODY, RuleId, SideId, UnitId
from sandtable.kernel.resolution import Resolution
from sandtable.kernel.trace import Line, Tally
from sandtable.rulesets.panzer_battles import index
from sandtable.rulesets.panzer_battles.badges import BY_KEY, FATIGUE, badges_of
from sandtable.rulesets.panzer_battles.formations import formations
from sandtable.rulesets.panzer_battles.model import Position, Unit
from sandtable.rulesets.panzer_battles.movement.carrying import load, passengers
from sandtable.rulesets.panzer_battles.names import unit_name
from sandtable.rulesets.panzer_battles.organization.combining import broken_down, combined, count
from sandtable.rulesets.panzer_battles.organization.events import UnitBrokenDown, UnitsCombined
from sandtable.rulesets.panzer_battles.organization.orders import BreakDown, Combine, CombineAll
from sandtable.rulesets.panzer_battles.refusals import own, refuse

COMPANY = "company"


def is_platoon(position: Position, unit: Unit) -> bool:
    """Whether a unit is part of a company, and not its staff, so that it could be combined with others of it.

    Rules: PB-UNIT-19.
    """
    company = formations(position.ground).get(unit.formation)
    is_part = not unit.of.is_company and not unit.of.has("hq")
    return is_part and company is not None and company.level == COMPANY


def no_union(position: Position, one: Unit, other: Unit) -> Refusal | None:
    """Why two units can't be combined.

    Rules: PB-UNIT-19, PB-UNIT-20, PB-UNIT-22, PB-MOVE-47.
    """
    if not _is_of_its_company(position, one, other):
        return refuse("PB-UNIT-19", "only platoons of one company combine")
    if one.of.component != other.of.component:
        return refuse("PB-UNIT-20", "men, guns and vehicles do not combine")
    if one.hex != other.hex or one.mode != other.mode or one.facing != other.facing:
        return refuse("PB-UNIT-22", "units that combine are in one hex, one mode and of one facing")
    if one.carrier != NOBODY or other.carrier != NOBODY:
        return refuse("PB-UNIT-22", "who is carried can't be combined")
    if one.operation != other.operation or one.digging_in != other.digging_in:
        return refuse("PB-UNIT-22", "one of them is at work and the other is not")
    is_mixed = bool(one.blend or other.blend) or one.kind != other.kind
    if is_mixed and (passengers(position, one) or passengers(position, other)):
        return refuse("PB-MOVE-47", "vehicles of several types do not combine while they carry somebody")
    return None


def check_combine(position: Position, side: SideId, order: Combine) -> Refusal | None:
    """Rules: PB-UNIT-19, PB-UNIT-20, PB-UNIT-22."""
    if len(set(order.units)) < len(order.units) or len(order.units) < 2:
        return refuse("PB-UNIT-19", "it takes two different units or more")
    units: list[Unit] = []
    for id in order.units:
        unit = own(position, side, id)
        if isinstance(unit, Refusal):
            return unit
        refusal = no_union(position, units[0], unit) if units else None
        if refusal is not None:
            return refusal
        units.append(unit)
    return None


def cannot_combine(position: Position, side: SideId, unit: Unit) -> Refusal | None:
    """Why a unit combines with none of its company who are with it; nothing where it could, or where nobody is.

    Rules: PB-UNIT-19, PB-UNIT-20, PB-UNIT-22, PB-MOVE-47.
    """
    there = (one for one in index.at(position, unit.hex) if one.id != unit.id)
    against = [no_union(position, unit, one) for one in there if _is_of_its_company(position, unit, one)]
    return None if None in against else next(iter(against), None)


def _is_of_its_company(position: Position, one: Unit, other: Unit) -> bool:
    are_platoons = is_platoon(position, one) and is_platoon(position, other)
    return are_platoons and one.formation == other.formation


def resolve_combine(resolution: Resolution[Position], side: SideId, order: Combine) -> None:
    """The units are one (PB-UNIT-19)."""
    resolution.emit(UnitsCombined(side, order.units))


def groups(position: Position, unit: Unit) -> list[tuple[Unit, ...]]:
    """Every group of units in the hex of one that could be combined, by id.

    Rules: PB-UNIT-31.
    """
    found: list[list[Unit]] = []
    for other in index.at(position, unit.hex):
        group = next((one for one in found if no_union(position, one[0], other) is None), None)
        if group is not None:
            group.append(other)
        elif is_platoon(position, other) and other.carrier == NOBODY:
            found.append([other])
    return [tuple(group) for group in found if len(group) > 1]


def combine_options(position: Position, side: SideId, unit: Unit) -> Iterator[Combine]:
    """The union of a unit with all that can be combined with it, if it is the first of them."""
    for group in groups(position, unit):
        if group[0].id == unit.id:
            yield Combine(tuple(one.id for one in group))


def combine_offers(position: Position, side: SideId, unit: Unit) -> Iterator[Combine]:
    """The union of a picked unit with all that can be combined with it."""
    for group in groups(position, unit):
        if unit in group:
            yield Combine((unit.id, *(one.id for one in group if one.id != unit.id)))


def explain_combine(position: Position, side: SideId, order: Combine) -> tuple[Tally, ...]:
    """What the combined unit will be.

    Rules: PB-UNIT-23, PB-UNIT-24, PB-UNIT-25, PB-UNIT-26, PB-UNIT-27.
    """
    units = [position.units[id] for id in order.units]
    whole = combined(units, position.parameters)
    lines = (
        *(Line(unit_name(position, unit.id), unit.strength, RuleId("PB-UNIT-26")) for unit in units),
        Line("fatigue", whole.fatigue, RuleId("PB-UNIT-25")),
        Line("movement points", whole.mp, RuleId("PB-UNIT-24")),
        Line("quality", whole.quality, RuleId("PB-UNIT-27")),
        *_conditions(position, units, whole),
    )
    return (Tally("Strength", whole.strength, lines),)


def _conditions(position: Position, units: Sequence[Unit], whole: Unit) -> Iterator[Line]:
    """What all are together that not all were before (PB-UNIT-23); fatigue is told apart."""
    before = [badges_of(position, unit) for unit in units]
    for badge in (BY_KEY[key] for key in badges_of(position, whole)):
        if badge not in FATIGUE and not all(badge.key in worn for worn in before):
            yield Line("all of it is", badge.title, RuleId("PB-UNIT-23"))


# --- all of a hex ---------------------------------------------------------------------------------------------------


def check_combine_all(position: Position, side: SideId, order: CombineAll) -> Refusal | None:
    """Rules: PB-UNIT-31."""
    unit = own(position, side, order.unit)
    if isinstance(unit, Refusal):
        return unit
    return None if groups(position, unit) else refuse("PB-UNIT-31", "nobody in its hex can be combined")


def resolve_combine_all(resolution: Resolution[Position], side: SideId, order: CombineAll) -> None:
    """Every group of the hex is one unit (PB-UNIT-31)."""
    for ids in _all_groups(resolution.position, order.unit):
        resolution.emit(UnitsCombined(side, ids))


def _all_groups(position: Position, id: UnitId) -> list[tuple[UnitId, ...]]:
    """The ids of all groups in the hex of a unit; it stands for its own itself, and stays whom the player picked.

    Rules: PB-UNIT-31.
    """
    found = groups(position, position.units[id])
    return [tuple(sorted((one.id for one in group), key=lambda one: (one != id, one))) for group in found]


def explain_combine_all(position: Position, side: SideId, order: CombineAll) -> tuple[Tally, ...]:
    """What each of the combined units will be."""
    found = _all_groups(position, order.unit)
    return tuple(tally for ids in found for tally in explain_combine(position, side, Combine(ids)))


def combine_all_offers(position: Position, side: SideId, unit: Unit) -> Iterator[CombineAll]:
    if groups(position, unit):
        yield CombineAll(unit.id)


# --- breaking down --------------------------------------------------------------------------------------------------


def no_breakdown(position: Position, side: SideId, unit: Unit) -> Refusal | None:
    """Why a unit can't be broken down.

    Rules: PB-UNIT-29, PB-UNIT-30, PB-UNIT-22, PB-MOVE-46.
    """
    if not unit.parts:
        return refuse("PB-UNIT-29", "it is not combined of several")
    if unit.carrier != NOBODY:
        return refuse("PB-UNIT-22", "it is carried")
    if unit.strength < count(unit):
        return refuse("PB-UNIT-30", "too little of it is left")
    aboard = passengers(position, unit)
    if aboard and load(broken_down(position, unit)[0], aboard, position.parameters) > 1:
        return refuse("PB-MOVE-46", "it needs all of its vehicles for those it carries")
    return None


def check_breakdown(position: Position, side: SideId, order: BreakDown) -> Refusal | None:
    """Rules: PB-UNIT-29."""
    unit = own(position, side, order.unit)
    return unit if isinstance(unit, Refusal) else no_breakdown(position, side, unit)


def resolve_breakdown(resolution: Resolution[Position], side: SideId, order: BreakDown) -> None:
    """One part stands for itself (PB-UNIT-29)."""
    unit = resolution.position.units[order.unit]
    resolution.emit(UnitBrokenDown(side, unit.id, unit.parts[-1]))


def explain_breakdown(position: Position, side: SideId, order: BreakDown) -> tuple[Tally, ...]:
    """What is taken out and what is left, both with the state of the whole (PB-UNIT-30)."""
    unit = position.units[order.unit]
    left, taken = broken_down(position, unit)
    lines = (
        Line("before", unit.strength, RuleId("PB-UNIT-29")),
        Line(f"taken out, {unit_name(position, taken.id)}", -taken.strength, RuleId("PB-UNIT-30")),
    )
    return (Tally("Strength that is left", left.strength, lines),)


def breakdown_offers(position: Position, side: SideId, unit: Unit) -> Iterator[BreakDown]:
    if no_breakdown(position, side, unit) is None:
        yield BreakDown(unit.id)


def nothing_to_try(position: Position, side: SideId, unit: Unit) -> Iterator[BreakDown]:
    """What gains nothing by itself no computer player need try."""
    yield from ()


def mark(position: Position, unit: Unit) -> str:
    """Of how many units one consists, for those that can be combined.

    Rules: PB-UNIT-28.
    """
    return f"[{count(unit)}]" if is_platoon(position, unit) else ""
