"""Leaving the map: by withdrawal as the scenario wants it, or by an Exit Objective as the player does.

Rules: PB-MOVE-110, PB-VIC-7.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from math import floor

from sandtable.kernel.decisions import Refusal
from sandtable.kernel.ids import NOBODY, RuleId, SideId, UnitId
from sandtable.kernel.resolution import Resolution
from sandtable.kernel.trace import Line, Tally
from sandtable.play.words import mixed
from sandtable.rulesets.panzer_battles import index, victory
from sandtable.rulesets.panzer_battles.air.units import air_units
from sandtable.rulesets.panzer_battles.kinds import KINDS
from sandtable.rulesets.panzer_battles.model import Position, Unit, on_map
from sandtable.rulesets.panzer_battles.movement.carrying import is_held
from sandtable.rulesets.panzer_battles.names import unit_name
from sandtable.rulesets.panzer_battles.organization.events import UnitBrokenDown
from sandtable.rulesets.panzer_battles.organization.grouping import no_breakdown
from sandtable.rulesets.panzer_battles.refusals import own, refuse
from sandtable.rulesets.panzer_battles.reinforcements.events import UnitsExited, UnitsWithdrawn
from sandtable.rulesets.panzer_battles.reinforcements.orders import RemoveFromMap
from sandtable.rulesets.panzer_battles.results.points import loss_points


def with_riders(position: Position, unit: Unit) -> tuple[UnitId, ...]:
    """A unit on the map and whoever rides on it."""
    return (unit.id, *(other.id for other in index.at(position, unit.hex) if other.carrier == unit.id))


def withdraw(resolution: Resolution[Position]) -> None:
    """The units of the active side whose time is over have left, aircraft too and those on the map with whoever rides
    on them; a unit of which parts are called has been broken down for it, or goes as a whole where it can't be.

    Rules: PB-MOVE-110.
    """
    position = resolution.position
    names = {
        name
        for entry in position.ground.scenario.sections.withdrawals
        if entry.turn <= position.turn
        for name in entry.units
    }
    if not names:
        return
    _break_down(resolution, names)
    position = resolution.position
    side = position.active
    called = [unit for unit in on_map(position, side) if _called(position, unit, names)]
    leaving = {id: None for unit in called for id in with_riders(position, unit)}
    leaving |= {unit.id: None for unit in air_units(position, side) if unit.name in names}
    if leaving:
        resolution.emit(UnitsWithdrawn(side, tuple(leaving)))


def _called(position: Position, unit: Unit, names: Set[str]) -> list[UnitId]:
    """Those of the parts of a unit, itself among them, that are called away."""
    return [id for id in (unit.id, *unit.parts) if position.units[id].name in names]


def _break_down(resolution: Resolution[Position], names: Set[str]) -> None:
    """Combined units of which some parts are called away, and not all, stand apart."""
    position = resolution.position
    for unit in on_map(position, position.active):
        if 0 < len(_called(position, unit, names)) <= len(unit.parts):
            for part in reversed(unit.parts):
                if no_breakdown(resolution.position, unit.side, resolution.position.units[unit.id]) is None:
                    resolution.emit(UnitBrokenDown(unit.side, unit.id, part))


def no_exit(position: Position, side: SideId, unit: Unit) -> Refusal | None:
    """Why a unit can't leave the map where it is.

    Rules: PB-VIC-7, PB-VIC-9, PB-MOVE-49, PB-MOVE-98.
    """
    if unit.hex not in victory.exits(position.ground) or position.owners[unit.hex] != side:
        return refuse("PB-VIC-7", "it is not on an Exit Objective of its side")
    if unit.carrier != NOBODY:
        return refuse("PB-MOVE-49", "it leaves with its carrier")
    return refuse("PB-MOVE-98", "it is fixed and may not move yet") if is_held(position, unit) else None


def check_exit(position: Position, side: SideId, order: RemoveFromMap) -> Refusal | None:
    """Rules: PB-VIC-7."""
    unit = own(position, side, order.unit)
    return unit if isinstance(unit, Refusal) else no_exit(position, side, unit)


def resolve_exit(resolution: Resolution[Position], side: SideId, order: RemoveFromMap) -> None:
    """The unit has left for good, with whoever rides on it (PB-VIC-7)."""
    unit = resolution.position.units[order.unit]
    resolution.emit(UnitsExited(side, with_riders(resolution.position, unit), unit.hex))


def exit_options(position: Position, side: SideId, unit: Unit) -> Iterator[RemoveFromMap]:
    if no_exit(position, side, unit) is None:
        yield RemoveFromMap(unit.id)


def explain_exit(position: Position, side: SideId, order: RemoveFromMap) -> tuple[Tally, ...]:
    """What the exit is worth: the loss value of those who leave, times that of the objective.

    Rules: PB-VIC-8.
    """
    unit = position.units[order.unit]
    times = victory.exit_multiplier(position.ground, unit.hex)
    leaving = [position.units[id] for id in with_riders(position, unit)]
    values = [times * loss_points(KINDS[one.kind], one.strength, position.parameters) for one in leaving]
    lines = tuple(
        Line(unit_name(position, one.id), mixed(value), RuleId("PB-VIC-8"))
        for one, value in zip(leaving, values, strict=True)
    )
    return (Tally("Victory points", floor(sum(values)), lines),)
