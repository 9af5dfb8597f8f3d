"""Orders that make no sense: each is refused in one clear sentence."""

from __future__ import annotations

import pytest

from sandtable.kernel.decisions import Refusal
from sandtable.kernel.engine import submit
from sandtable.kernel.events import Order
from sandtable.kernel.ids import RuleId
from sandtable.rulesets.panzer_44 import orders as o
from sandtable.rulesets.panzer_44.model import ALLIED, LOST
from tests.rulesets.panzer_44.table import RULES, Table, U, open_ground, table, unit

TANK, RIFLE, MORTAR, DEAD, PANZER = map(U, range(5))


def plotting() -> Table:
    """Both sides write; of the Allies a tank, infantry and a mortar are there, and another tank is lost."""
    return table(
        open_ground(6, 9),
        unit("u_m4", "0105"),
        unit("u_rifle", "0305"),
        unit("u_81", "0505"),
        unit("u_m4", fate=LOST),
        unit("g_pz4h", "0101"),
        step="plot",
    )


GOAL = plotting().hex("0101")
"""Where the enemy is."""


@pytest.mark.parametrize(
    ("order", "rule", "sentence"),
    [
        (o.PlotDirectFire((TANK,), 10**9), "P44-1.04", "that is no hex of the map"),
        (o.PlotDirectFire((), GOAL), "P44-5.04", "an order is for one unit or several"),
        (o.PlotDirectFire((TANK, TANK), GOAL), "P44-5.04", "an order is for one unit or several"),
        (o.PlotDirectFire((DEAD,), GOAL), "P44-10.04", "it is not on the map"),
        (o.PlotDirectFire((U(99),), GOAL), "P44-5.04", "that is no unit of yours"),
        (o.PlotDirectFire((U(-1),), GOAL), "P44-5.04", "that is no unit of yours"),
        (o.PlotDirectFire((PANZER,), GOAL), "P44-5.04", "that is no unit of yours"),
        (o.PlotOpportunityFire((DEAD,)), "P44-10.04", "it is not on the map"),
        (o.PlotMove((DEAD,)), "P44-10.04", "it is not on the map"),
        (o.PlotIndirectFire(TANK, GOAL), "P44-8.06", "only howitzers and mortars fire indirectly"),
        (o.PlotIndirectFire(DEAD, GOAL), "P44-10.04", "it is not on the map"),
        (o.PlotIndirectFire(MORTAR, GOAL, "sideways"), "P44-11.01", "a pattern is tight or loose"),
        (o.PlotClear(RIFLE, GOAL), "P44-13.05", "only engineers clear mines and dig positions"),
        (o.PlotDig(TANK), "P44-13.05", "only engineers clear mines and dig positions"),
        (o.PlotDig(DEAD), "P44-10.04", "it is not on the map"),
        (o.PlotMission("no such battery", GOAL), "P44-11.09", "you have no such battery with a mission left"),
        (o.PlotSortie("no such sortie", GOAL), "P44-11.10", "you have no such sortie left"),
        (o.Unplot(DEAD), "P44-10.04", "it is not on the map"),
        (o.Unplot(TANK), "P44-5.04", "it has no order"),
        (o.UnplotSupport("no such battery"), "P44-5.04", "nothing of that kind is plotted"),
        (o.Move(TANK, (1,)), "P44-5.03", "that order does not belong to this step: plot"),
        (o.FireOnOpportunity(TANK), "P44-5.03", "that order does not belong to this step: plot"),
        (o.NameTarget(PANZER), "P44-5.03", "that order does not belong to this step: plot"),
    ],
    ids=str,
)
def test_an_order_that_makes_no_sense_is_refused_in_one_sentence(order: Order, rule: str, sentence: str) -> None:
    t = plotting()
    assert submit(RULES, t.state, ALLIED, order) == Refusal(RuleId(rule), sentence)
