"""Combining, breaking down and attaching as a player meets them."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.kernel.decisions import Refusal
from sandtable.kernel.ids import SideId
from sandtable.kernel.ruleset import Selection
from sandtable.play.rows import Action, Aim, Label, Row
from sandtable.play.words import listed
from sandtable.rulesets.panzer_battles import menu
from sandtable.rulesets.panzer_battles.model import Position, Unit
from sandtable.rulesets.panzer_battles.names import unit_name
from sandtable.rulesets.panzer_battles.organization import attaching, grouping
from sandtable.rulesets.panzer_battles.organization.orders import Attach, BreakDown, Combine, CombineAll
from sandtable.rulesets.panzer_battles.refusals import refuse
from sandtable.rulesets.panzer_battles.sequence import ORDERS

GROUP = "Organization"


def _point_attach(position: Position, side: SideId, units: Sequence[Unit], target: Selection) -> Attach | Refusal:
    """What of the first picked can be attached first, where it stands."""
    if target.hex != units[0].hex:
        return refuse("PB-OOB-10", "point at its hex and say where it is to be attached")
    offered = attaching.attach_offers(position, side, units[0])
    return next(offered, refuse("PB-OOB-10", "there is nothing to be attached elsewhere"))


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
            bars=grouping.cannot_combine,
        ),
    ),
    Row(
        order=CombineAll,
        steps=(ORDERS,),
        check=grouping.check_combine_all,
        resolve=grouping.resolve_combine_all,
        explain=grouping.explain_combine_all,
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
        explain=grouping.explain_breakdown,
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
    Row(
        order=Attach,
        steps=(ORDERS,),
        check=attaching.check_attach,
        resolve=attaching.resolve_attach,
        explain=attaching.explain_attach,
        words=lambda p, x: f"attach {attaching.what(p, x)} to {attaching.taker_title(p, x)}",
        by=menu.UNITS,
        options=grouping.nothing_to_try,
        offers=attaching.attach_offers,
        by_hand=True,
        on_paper=True,
        aim=lambda p, x: Aim(p.units[x.unit].hex, actors=(x.unit,)),
        point=_point_attach,
        verb=Action(
            key="attach", title="Attach to another corps", hotkey="A", group=GROUP,
            rule="PB-OOB-10", nothing="there is nothing to be attached elsewhere", suits=attaching.can_change,
            bars=attaching.cannot_attach,
            label=lambda p, side, x: Label(choice=f"{attaching.what(p, x)} to {attaching.taker_title(p, x)}"),
        ),
    ),
)  # fmt: skip
