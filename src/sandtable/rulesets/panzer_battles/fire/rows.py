"""The orders of guns beyond direct fire, one row each."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.kernel.decisions import Refusal
from sandtable.kernel.ids import SideId
from sandtable.kernel.ruleset import Selection
from sandtable.play.rows import Action, Aim, Label, Row
from sandtable.play.words import does, listed
from sandtable.rulesets.panzer_battles import menu
from sandtable.rulesets.panzer_battles import orders as o
from sandtable.rulesets.panzer_battles.fire import direct, indirect, policy
from sandtable.rulesets.panzer_battles.fire import orders as f
from sandtable.rulesets.panzer_battles.fire.prospects import brief_bombardment
from sandtable.rulesets.panzer_battles.model import Position, Unit
from sandtable.rulesets.panzer_battles.names import place_name, unit_name
from sandtable.rulesets.panzer_battles.sequence import ORDERS

FIRE = "Fire"


def fires_indirectly(position: Position, unit: Unit) -> bool:
    return unit.of.has("indirect")


def point_bombard(position: Position, side: SideId, units: Sequence[Unit], target: Selection) -> f.Bombard:
    return f.Bombard(units[0].id, target.hex)


def point_keep_bombarding(
    position: Position, side: SideId, units: Sequence[Unit], target: Selection
) -> f.KeepBombarding:
    return f.KeepBombarding(units[0].id, target.hex)


def point_keep_firing(
    position: Position, side: SideId, units: Sequence[Unit], target: Selection
) -> f.KeepFiring | Refusal:
    """To keep firing at the enemy pointed at, or at the best target in the hex (PB-FIRE-10)."""
    once = menu.point_fire(position, side, units, target)
    return once if isinstance(once, Refusal) else f.KeepFiring(once.unit, once.target)


def keep_firing_aim(position: Position, order: f.KeepFiring) -> Aim:
    return menu.fire_aim(position, o.Fire(order.unit, order.target))


def keep_firing_label(position: Position, side: SideId, order: f.KeepFiring) -> Label:
    """What the first fire can be expected to do."""
    return menu.fire_label(position, side, o.Fire(order.unit, order.target))


def bombard_aim(position: Position, order: f.Bombard | f.KeepBombarding) -> Aim:
    return Aim(order.hex, actors=(order.unit,))


def bombard_label(position: Position, side: SideId, order: f.Bombard | f.KeepBombarding) -> Label:
    """What the fire can be expected to do to those who are known to be there."""
    note, brief = brief_bombardment(position, order)
    return Label(note, brief)


ROWS: tuple[Row[Position], ...] = (
    Row(
        order=f.KeepFiring,
        steps=(ORDERS,),
        check=direct.check_fire,
        resolve=direct.resolve_keep_firing,
        explain=direct.explain_fire,
        words=lambda p, x: does([unit_name(p, x.unit)], f"fires at {unit_name(p, x.target)} while points last"),
        by=menu.UNITS,
        options=direct.keep_firing_options,
        offers=direct.keep_firing_offers,
        aim=keep_firing_aim,
        point=point_keep_firing,
        verb=Action(
            key="keep_firing", title="Fire until spent", hotkey="g", group=FIRE,
            rule="PB-FIRE-22", nothing="nobody it could harm is in range and in sight", suits=menu.is_armed,
            bars=menu.bars_fire, label=keep_firing_label,
        ),
    ),
    Row(
        order=f.Bombard,
        steps=(ORDERS,),
        check=indirect.check_bombard,
        resolve=indirect.resolve_bombard,
        explain=indirect.explain_bombard,
        words=lambda p, x: does([unit_name(p, x.unit)], f"fires indirectly into {place_name(p, x.hex)}"),
        by=menu.UNITS,
        options=indirect.bombard_options,
        offers=indirect.bombard_offers,
        aim=bombard_aim,
        point=point_bombard,
        verb=Action(
            key="bombard", title="Indirect fire", hotkey="h", group=FIRE,
            rule="PB-FIRE-2", nothing="no enemy is known in range whom a spotter sees", suits=fires_indirectly,
            bars=indirect.bars_bombardment, label=bombard_label,
        ),
    ),
    Row(
        order=f.KeepBombarding,
        steps=(ORDERS,),
        check=indirect.check_bombard,
        resolve=indirect.resolve_keep_bombarding,
        explain=indirect.explain_bombard,
        words=lambda p, x: (
            does([unit_name(p, x.unit)], f"fires indirectly into {place_name(p, x.hex)} while points last")
        ),
        by=menu.UNITS,
        options=indirect.keep_bombarding_options,
        offers=indirect.keep_bombarding_offers,
        aim=bombard_aim,
        point=point_keep_bombarding,
        verb=Action(
            key="keep_bombarding", title="Indirect fire until spent", hotkey="j", group=FIRE,
            rule="PB-FIRE-22", nothing="no enemy is known in range whom a spotter sees", suits=fires_indirectly,
            bars=indirect.bars_bombardment, label=bombard_label,
        ),
    ),
    Row(
        order=f.SetPolicy,
        steps=(ORDERS,),
        check=policy.check_policy,
        resolve=policy.resolve_policy,
        explain=policy.explain_policy,
        words=lambda p, x: (
            f"settle the opportunity fire of {listed(unit_name(p, id) for id in x.units) or 'the side'}"
        ),
        by=policy.SIDE_OR_UNITS,
        together="units",
        options=policy.side_options,
        offers=policy.unit_offers,
        by_hand=True,
        on_paper=True,
        point=policy.point_policy,
        verb=Action(
            key="policy", title="Opportunity fire", hotkey="o", group=FIRE,
            rule="PB-OPF-7", nothing="no unit is on the map", form=policy.policy_form,
        ),
    ),
)  # fmt: skip
