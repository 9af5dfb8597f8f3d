"""Combining and breaking down as a player meets them."""

from __future__ import annotations

from sandtable.play.orderbook import Action, Aim, Row
from sandtable.play.words import listed
from sandtable.rulesets.panzer_battles import menu
from sandtable.rulesets.panzer_battles.model import Position
from sandtable.rulesets.panzer_battles.names import unit_name
from sandtable.rulesets.panzer_battles.organization import grouping
from sandtable.rulesets.panzer_battles.organization.orders import BreakDown, Combine, CombineAll
from sandtable.rulesets.panzer_battles.sequence import ORDERS

GROUP = "Organization"

ROWS: tuple[Row[Position], ...] = (
    Row(
        order=Combine,
        steps=(ORDERS,),
        check=grouping.check_combine,
        resolve=grouping.resolve_combine,
        explain=grouping.explain_combine,
        words=lambda p, x: f"combine {listed(unit_name(p, id) for id in x.units)}",
        by=menu.UNITS,
        together="units",
        options=grouping.combine_options,
        offers=grouping.combine_offers,
        aim=lambda p, x: Aim(p.units[x.units[0]].hex, actors=x.units),
        point=lambda p, side, units, target: Combine(tuple(unit.id for unit in units)),
        verb=Action(
            key="combine", title="Combine", hotkey="c", group=GROUP,
            rule="PB-UNIT-19", nothing="no other platoon of its company is with it", suits=grouping.is_platoon,
        ),
    ),
    Row(
        order=CombineAll,
        steps=(ORDERS,),
        check=grouping.check_combine_all,
        resolve=grouping.resolve_combine_all,
        words=lambda p, x: f"combine all in the hex of {unit_name(p, x.unit)}",
        by=menu.UNITS,
        options=grouping.nothing_to_try,
        offers=grouping.combine_all_offers,
        aim=lambda p, x: Aim(p.units[x.unit].hex, actors=(x.unit,)),
        point=lambda p, side, units, target: CombineAll(units[0].id),
        verb=Action(
            key="combine_all", title="Combine all here", hotkey="C", group=GROUP,
            rule="PB-UNIT-31", nothing="nobody in its hex can be combined", suits=grouping.is_platoon,
        ),
    ),
    Row(
        order=BreakDown,
        steps=(ORDERS,),
        check=grouping.check_breakdown,
        resolve=grouping.resolve_breakdown,
        words=lambda p, x: f"take a part out of {unit_name(p, x.unit)}",
        by=menu.UNITS,
        options=grouping.nothing_to_try,
        offers=grouping.breakdown_offers,
        aim=lambda p, x: Aim(p.units[x.unit].hex, actors=(x.unit,)),
        point=lambda p, side, units, target: BreakDown(units[0].id),
        verb=Action(
            key="break_down", title="Break down", hotkey="b", group=GROUP,
            rule="PB-UNIT-29", nothing="it is not combined of several",
            suits=lambda p, unit: bool(unit.parts), bars=grouping.no_breakdown,
        ),
    ),
)  # fmt: skip
