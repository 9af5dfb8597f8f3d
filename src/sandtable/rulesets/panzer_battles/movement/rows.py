"""Riding and walking as a player meets them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from sandtable.kernel.decisions import Refusal
from sandtable.kernel.ids import NOBODY, SideId
from sandtable.kernel.ruleset import Selection
from sandtable.play.rows import Action, Aim, Label, Row
from sandtable.play.words import does, listed
from sandtable.rulesets.panzer_battles import index, menu
from sandtable.rulesets.panzer_battles.model import RAIL, Position, Unit
from sandtable.rulesets.panzer_battles.movement import boarding, columns, modes, walking
from sandtable.rulesets.panzer_battles.movement.carrying import can_carry, passengers
from sandtable.rulesets.panzer_battles.movement.orders import Carry, ChangeRail, GoOnFoot, MoveColumn, Uncarry
from sandtable.rulesets.panzer_battles.names import unit_name
from sandtable.rulesets.panzer_battles.refusals import refuse
from sandtable.rulesets.panzer_battles.sequence import ORDERS

GROUP = "Movement"


def _point_carry(position: Position, side: SideId, units: Sequence[Unit], target: Selection) -> Carry | Refusal:
    """Those picked board the carrier pointed at, or the carrier picked with them (PB-MOVE-47)."""
    aimed = [unit for unit in menu.picked(position, target.units) if can_carry(unit)]
    carriers = aimed or [unit for unit in units if can_carry(unit)] or _carriers_with(position, units)
    if not carriers:
        return refuse("PB-MOVE-47", "nobody in its hex could carry it")
    return Carry(tuple(unit.id for unit in units if unit.id != carriers[0].id), carriers[0].id)


def _carriers_with(position: Position, units: Sequence[Unit]) -> list[Unit]:
    there = index.at(position, units[0].hex)
    return [unit for unit in there if unit.side == units[0].side and can_carry(unit)]


def _vehicle(position: Position, unit: Unit) -> Unit:
    """Who sets down whoever rides: the carrier itself, also when a passenger is picked."""
    return unit if unit.carrier == NOBODY else position.units[unit.carrier]


def _no_landing(position: Position, side: SideId, unit: Unit) -> Refusal | None:
    return boarding.no_landing(position, side, _vehicle(position, unit))


def _uncarry_offers(position: Position, side: SideId, unit: Unit) -> Iterator[Uncarry]:
    yield from boarding.uncarry_options(position, side, _vehicle(position, unit))


def _point_uncarry(position: Position, side: SideId, units: Sequence[Unit], target: Selection) -> Uncarry | Refusal:
    here = target.hex == units[0].hex
    return Uncarry(_vehicle(position, units[0]).id) if here else refuse("PB-MOVE-47", "it does that where it stands")


def _no_boarding(position: Position, side: SideId, unit: Unit) -> Refusal | None:
    return None if unit.carrier == NOBODY else refuse("PB-MOVE-49", "it is carried already")


def _point_column(position: Position, side: SideId, units: Sequence[Unit], target: Selection) -> MoveColumn | Refusal:
    """The march of the column of the first picked whose head comes to the hex pointed at."""
    marches = columns.column_offers(position, side, units[0])
    there = (order for order in marches if order.paths[0][-1] == target.hex)
    return next(there, refuse("PB-MOVE-120", "no column of its division can march there by road"))


def _nothing(position: Position, side: SideId, unit: Any) -> Iterator[GoOnFoot]:
    """What gains nothing by itself no computer player need try."""
    yield from ()


ROWS: tuple[Row[Position], ...] = (
    Row(
        order=Carry,
        steps=(ORDERS,),
        check=boarding.check_carry,
        resolve=boarding.resolve_carry,
        explain=boarding.explain_carry,
        words=lambda p, x: does((unit_name(p, id) for id in x.units), f"boards {unit_name(p, x.carrier)}"),
        by=menu.UNITS,
        together="units",
        options=boarding.carry_options,
        aim=lambda p, x: Aim(p.units[x.carrier].hex, (x.carrier,), actors=x.units),
        point=_point_carry,
        verb=Action(
            key="carry", title="Carry", hotkey="k", group=GROUP,
            rule="PB-MOVE-47", nothing="nobody in its hex could carry it",
            suits=lambda p, unit: any(one.id != unit.id for one in _carriers_with(p, (unit,))), bars=_no_boarding,
            label=lambda p, side, x: Label(choice=unit_name(p, x.carrier)),
        ),
    ),
    Row(
        order=Uncarry,
        steps=(ORDERS,),
        check=boarding.check_uncarry,
        resolve=boarding.resolve_uncarry,
        explain=boarding.explain_uncarry,
        words=lambda p, x: does([unit_name(p, x.carrier)], "sets everybody down"),
        by=menu.UNITS,
        options=boarding.uncarry_options,
        offers=_uncarry_offers,
        aim=lambda p, x: Aim(p.units[x.carrier].hex, actors=(x.carrier,)),
        point=_point_uncarry,
        verb=Action(
            key="uncarry", title="Uncarry", hotkey="l", group=GROUP,
            rule="PB-MOVE-47", nothing="it carries nobody",
            suits=lambda p, unit: bool(passengers(p, _vehicle(p, unit))), bars=_no_landing,
        ),
    ),
    Row(
        order=ChangeRail,
        steps=(ORDERS,),
        check=modes.check_rail,
        resolve=modes.resolve_rail,
        explain=modes.explain_rail,
        words=lambda p, x: does([unit_name(p, x.unit)], modes.rail_words(p.units[x.unit])),
        by=menu.UNITS,
        options=modes.rail_options,
        aim=lambda p, x: Aim(p.units[x.unit].hex, actors=(x.unit,)),
        point=menu.where_it_stands(ChangeRail, "PB-MOVE-30"),
        verb=Action(
            key="rail", title="Rail Mode", hotkey="R", group=GROUP,
            rule="PB-MOVE-30", nothing="it can't board a train here",
            suits=lambda p, unit: unit.mode == RAIL or modes.has_rail(p.ground.board, unit.hex),
            bars=modes.no_rail_change, checked=lambda p, unit: unit.mode == RAIL,
        ),
    ),
    Row(
        order=MoveColumn,
        steps=(ORDERS,),
        check=columns.check_column,
        resolve=columns.resolve_column,
        words=lambda p, x: f"march in column with {listed(unit_name(p, id) for id in x.units)}",
        by=menu.UNITS,
        options=_nothing,
        offers=columns.column_offers,
        aim=lambda p, x: Aim(x.paths[0][-1], path=x.paths[0], actors=x.units),
        point=_point_column,
        verb=Action(
            key="column", title="Column", hotkey="N", group=GROUP,
            rule="PB-MOVE-120", nothing="nobody of one division stands behind it on the way to a road",
        ),
    ),
    Row(
        order=GoOnFoot,
        steps=(ORDERS,),
        check=walking.check_walk,
        resolve=walking.resolve_walk,
        words=lambda p, x: does([unit_name(p, x.unit)], "leaves its vehicles behind"),
        by=menu.UNITS,
        options=_nothing,
        offers=walking.walk_offers,
        aim=lambda p, x: Aim(p.units[x.unit].hex, actors=(x.unit,)),
        point=menu.where_it_stands(GoOnFoot, "PB-MOVE-67"),
        warns=walking.walk_warning,
        verb=Action(
            key="on_foot", title="On Foot", hotkey="F", group=GROUP,
            rule="PB-MOVE-67", nothing="it can't leave its vehicles behind",
            suits=lambda p, unit: unit.of.is_carried, bars=walking.no_walk,
            checked=lambda p, unit: unit.on_foot,
        ),
    ),
)  # fmt: skip
