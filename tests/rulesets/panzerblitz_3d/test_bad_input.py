"""Orders that make no sense: each is refused in one clear sentence."""

from __future__ import annotations

import pytest

from sandtable.kernel.decisions import Refusal
from sandtable.kernel.engine import submit
from sandtable.kernel.events import Order
from sandtable.kernel.ids import RuleId
from sandtable.rulesets.panzerblitz_3d import orders as o
from sandtable.rulesets.panzerblitz_3d.frames import StepFrame
from sandtable.rulesets.panzerblitz_3d.model import DESTROYED, GERMAN, BatteryState
from tests.rulesets.panzerblitz_3d.table import RULES, Table, U, open_ground, table, unit

TANK, RIFLE, TRUCK, DEAD, ENEMY = map(U, range(5))


def at_step(step: str) -> Table:
    """A step of the turn in which the Germans decide: a tank, infantry and a truck, another tank is lost."""
    return table(
        open_ground(8, 8),
        unit("g_pz4", "0105"),
        unit("g_rifle", "0305"),
        unit("g_truck", "0505"),
        unit("g_pz4", fate=DESTROYED),
        unit("r_t34c", "0101"),
        step=step,
        flow=(StepFrame(step),),
        batteries=(BatteryState(0, "ob_105", GERMAN, 1),),
    )


GOAL = at_step("fire").hex("0101")
"""Where the enemy is."""


@pytest.mark.parametrize(
    ("step", "order", "rule", "sentence"),
    [
        ("artillery plots", o.PlotFire(9, GOAL), "PB3-502", "there is no such battery of yours"),
        ("artillery plots", o.PlotFire(0, 10**9), "PB3-502", "that is no hex of the map"),
        ("artillery plots", o.CancelPlot(0), "PB3-502", "nothing is written for that battery"),
        (
            "artillery plots",
            o.MoveUnit(TANK, (1,)),
            "PB3-502",
            "that order does not belong to this step: artillery plots",
        ),
        ("opportunity assignment", o.Assign((TRUCK,)), "PB3-503", "Truck has no weapon"),
        ("opportunity assignment", o.Assign((DEAD,)), "PB3-503", "name each of your units on the table once"),
        ("opportunity assignment", o.Assign((ENEMY,)), "PB3-503", "name each of your units on the table once"),
        ("opportunity assignment", o.Assign(()), "PB3-503", "name each of your units on the table once"),
        ("opportunity assignment", o.Unassign((TANK,)), "PB3-503", "name units of yours that are assigned, each once"),
        (
            "opportunity assignment",
            o.PlotFire(0, GOAL),
            "PB3-503",
            "that order does not belong to this step: opportunity assignment",
        ),
        ("fire", o.DesignateTarget((TRUCK,), GOAL, (ENEMY,)), "PB3-801", "Truck has no weapon"),
        ("fire", o.DesignateTarget((DEAD,), GOAL, (ENEMY,)), "PB3-801", "name each of your firing units once"),
        ("fire", o.DesignateTarget((TANK,), GOAL, (DEAD,)), "PB3-802", "name each target in sight once"),
        ("fire", o.DesignateTarget((TANK,), GOAL, ()), "PB3-802", "name each target in sight once"),
        ("fire", o.CancelShot(TANK), "PB3-505", "that unit has no target to strike out"),
        ("vehicle movement", o.MoveUnit(RIFLE, (1,)), "PB3-509", "vehicles move first, all others after them"),
        ("vehicle movement", o.MoveUnit(DEAD, (1,)), "PB3-601", "there is no such unit of yours on the table"),
        ("vehicle movement", o.MoveUnit(ENEMY, (1,)), "PB3-601", "there is no such unit of yours on the table"),
        ("vehicle movement", o.MoveUnit(TANK, ()), "PB3-602", "a move goes through at least one hex"),
        (
            "vehicle movement",
            o.MoveUnit(TANK, (10**9,)),
            "PB3-602",
            "a path goes from each hex to one beside it on the map",
        ),
        (
            "vehicle movement",
            o.LoadUnit(TANK, DEAD),
            "PB3-621",
            "carrier and passenger must be units of yours in one hex",
        ),
        (
            "vehicle movement",
            o.LoadUnit(RIFLE, TRUCK),
            "PB3-621",
            "carrier and passenger must be units of yours in one hex",
        ),
        ("vehicle movement", o.UnloadUnit(TRUCK), "PB3-621", "there is no such carrier of yours with a passenger"),
        ("vehicle movement", o.EnterFort(TANK), "PB3-1606", "there is no fort of yours to enter here"),
        ("vehicle movement", o.Overrun(GOAL, (o.OverrunRun(TRUCK, (1,)),)), "PB3-1004", "Truck does not overrun"),
        ("foot movement", o.MoveUnit(TANK, (1,)), "PB3-509", "vehicles move first, all others after them"),
        ("close assault", o.CloseAssault((TANK,), GOAL), "PB3-1021", "PzKpfw IV is no infantry"),
        ("close assault", o.CloseAssault((DEAD,), GOAL), "PB3-1021", "name each of your assaulting units once"),
        (
            "close assault",
            o.OpportunityFire((TANK,)),
            "PB3-505",
            "that order does not belong to this step: close assault",
        ),
    ],
    ids=str,
)
def test_an_order_that_makes_no_sense_is_refused_in_one_sentence(
    step: str, order: Order, rule: str, sentence: str
) -> None:
    t = at_step(step)
    assert submit(RULES, t.state, GERMAN, order) == Refusal(RuleId(rule), sentence)
