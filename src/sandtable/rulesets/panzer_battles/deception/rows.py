"""Sending deception units out, as a player meets it."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.kernel.decisions import Refusal
from sandtable.kernel.ids import SideId
from sandtable.kernel.ruleset import Selection
from sandtable.play.rows import Action, Actors, Aim, Row
from sandtable.rulesets.panzer_battles.deception import deploying
from sandtable.rulesets.panzer_battles.deception.orders import DeployDeception
from sandtable.rulesets.panzer_battles.model import Position, Unit
from sandtable.rulesets.panzer_battles.names import place_name, unit_name
from sandtable.rulesets.panzer_battles.sequence import ORDERS

DECEIVERS: Actors[Position] = Actors(
    lambda position, side, step: deploying.deceivers(position, side), deploying.picked, must_be_picked=False
)


def _point(position: Position, side: SideId, units: Sequence[Unit], target: Selection) -> DeployDeception | Refusal:
    """The first of those who can be sent where one points; otherwise the first, to be told why not."""
    orders = [DeployDeception(unit.id, target.hex) for unit in units]
    able = (order for order in orders if deploying.check_deploy(position, side, order) is None)
    return next(able, orders[0])


ROWS: tuple[Row[Position], ...] = (
    Row(
        order=DeployDeception,
        steps=(ORDERS,),
        check=deploying.check_deploy,
        resolve=deploying.resolve_deploy,
        words=lambda p, x: f"send {unit_name(p, x.unit)} unseen to {place_name(p, x.hex)}",
        by=DECEIVERS,
        options=deploying.deploy_options,
        aim=lambda p, x: Aim(x.hex, actors=(x.unit,)),
        point=_point,
        verb=Action(
            key="deception", title="Deploy Deception", hotkey="D", group="Movement",
            rule="PB-DEC-1", nothing="there is no deception unit to send out", bars=deploying.cannot_deploy,
            offered=lambda p, side: bool(deploying.deceivers(p, side)),
        ),
    ),
)  # fmt: skip
