"""The arrival of reinforcements as a player meets it."""

from __future__ import annotations

from typing import Any

from sandtable.kernel.decisions import Refusal
from sandtable.kernel.ids import SideId
from sandtable.kernel.ruleset import Selection
from sandtable.play.rows import Action, Aim, Label, Row
from sandtable.play.words import listed
from sandtable.rulesets.panzer_battles import menu, victory
from sandtable.rulesets.panzer_battles.model import Position
from sandtable.rulesets.panzer_battles.names import place_name, unit_name
from sandtable.rulesets.panzer_battles.refusals import refuse
from sandtable.rulesets.panzer_battles.reinforcements import arriving, entries, leaving
from sandtable.rulesets.panzer_battles.reinforcements.entries import entry_of
from sandtable.rulesets.panzer_battles.reinforcements.orders import Arrive, RemoveFromMap
from sandtable.rulesets.panzer_battles.sequence import ORDERS


def _names(position: Position, order: Arrive) -> str:
    units = arriving.companions(position, position.units[order.unit])
    return listed(unit_name(position, unit.id) for unit in units)


def _point(position: Position, side: SideId, actors: Any, target: Selection) -> Arrive | Refusal:
    unit = arriving.first_of(position, side, target.hex)
    return refuse("PB-REIN-1", "nobody is due to arrive there") if unit is None else Arrive(unit)


ROWS: tuple[Row[Position], ...] = (
    Row(
        order=Arrive,
        steps=(ORDERS,),
        check=arriving.check_arrive,
        resolve=arriving.resolve_arrive,
        explain=arriving.explain_arrive,
        words=lambda p, x: f"bring in {_names(p, x)}",
        options=arriving.arrive_options,
        aim=lambda p, x: Aim(entry_of(p, p.units[x.unit]).hex),
        point=_point,
        verb=Action(
            key="arrive", title="Arrived", hotkey="r", group="Movement",
            rule="PB-REIN-1", nothing="no reinforcements are due", offered=entries.are_coming,
            label=lambda p, side, x: Label(f"{_names(p, x)} in {place_name(p, entry_of(p, p.units[x.unit]).hex)}"),
        ),
    ),
    Row(
        order=RemoveFromMap,
        steps=(ORDERS,),
        check=leaving.check_exit,
        resolve=leaving.resolve_exit,
        explain=leaving.explain_exit,
        words=lambda p, x: f"take {unit_name(p, x.unit)} off the map",
        by=menu.UNITS,
        options=leaving.exit_options,
        aim=lambda p, x: Aim(p.units[x.unit].hex, actors=(x.unit,)),
        point=lambda p, side, units, target: RemoveFromMap(units[0].id),
        verb=Action(
            key="exit", title="Remove From Map", hotkey="x", group="Movement",
            rule="PB-VIC-7", nothing="it is not on an Exit Objective of its side",
            suits=lambda p, unit: unit.hex in victory.exits(p.ground), bars=leaving.no_exit,
        ),
    ),
)  # fmt: skip
