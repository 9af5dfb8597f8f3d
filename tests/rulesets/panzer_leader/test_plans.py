"""What stands in a side's notes: listed for that side alone, and struck out while nobody has acted on it."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.kernel.ids import SPECTATORS, SideId
from sandtable.kernel.ruleset import Selection, Target
from sandtable.rulesets.panzer_leader.events import MissionStruck
from sandtable.rulesets.panzer_leader.model import ALLIED, GERMAN, Mission
from sandtable.rulesets.panzer_leader.orders import StrikeMission, WriteMission, WriteNavalMission
from sandtable.rulesets.panzer_leader.ruleset import PanzerLeader
from tests.rulesets.panzer_leader.table import Table, U, ids, open_board, table, unit
from tests.rulesets.panzer_leader.test_naval import coast

RULESET = PanzerLeader()
PLAIN = open_board(30, 2)


def writing(**more: Any) -> Table:
    """Two batteries in the step in which missions are written, spotted for by a platoon."""
    counters = (unit("a_105", "0101"), unit("a_priest", "0102"), unit("a_rifle", "1401"))
    return table(PLAIN, *counters, segment=3, turn=2, step="indirect orders", **more)


def written(t: Table, side: SideId = ALLIED) -> tuple[Target, ...]:
    return RULESET.plans(RULESET.view(t.state, side))


@pytest.mark.rule("PL-1102")
def test_a_written_mission_is_listed_for_its_side_alone() -> None:
    t = writing()
    t.play(WriteMission(ids(0, 1), t.hex("1501")))
    (plan,) = written(t)
    assert plan == Target(
        StrikeMission(t.hex("1501"), U(0)),
        t.hex("1501"),
        note="comes down in your segment of turn 3",
        path=(t.hex("0101"), t.hex("1501")),
        text="indirect fire of 105mm howitzer #0 and M7 Priest #1 on 1501",
        actors=ids(0, 1),
        brief="turn 3",
    )
    assert written(t, GERMAN) == written(t, SPECTATORS) == ()


@pytest.mark.rule("PL-1102")
def test_a_plan_stays_the_same_until_one_of_its_batteries_has_changed() -> None:
    t = writing()
    t.play(WriteMission(ids(0, 1), t.hex("1501")))
    (known,) = written(t)
    stand(t, 2, "1301")
    assert written(t)[0] is known
    stand(t, 0, "0201")
    assert written(t)[0].path == (t.hex("0201"), t.hex("1501"))


def stand(t: Table, id: int, label: str) -> None:
    """A unit stands somewhere else."""
    t.set(units=tuple(replace(one, hex=t.hex(label)) if one.id == id else one for one in t.position.units))


@pytest.mark.rule("PL-1102", "PL-1609")
def test_what_comes_down_first_is_listed_first_and_what_was_held_not_at_all() -> None:
    t = writing()
    late = Mission(ALLIED, ids(0), t.hex("1501"), (), written=3, due=5, smoke=True)
    due = Mission(ALLIED, ids(1), t.hex("1601"), (), written=1, due=3)
    t.set(missions=(late, due, replace(due, held=True), replace(due, side=GERMAN)))
    assert [(plan.actors, plan.brief) for plan in written(t)] == [(ids(1), "turn 2"), (ids(0), "smoke, turn 3")]


@pytest.mark.rule("PL-1121")
def test_naval_fire_is_written_down_too_and_comes_from_nowhere_on_the_map() -> None:
    t = coast(unit("a_rifle", "0301"), segment=3, turn=2, step="indirect orders")
    t.play(WriteNavalMission(20, t.hex("0801")))
    (plan,) = written(t)
    assert (plan.text, plan.path, plan.actors) == ("indirect fire of naval guns (20) on 0801", (), ())
    assert RULESET.order_text(plan.order, RULESET.view(t.state, ALLIED)) == (
        "strike out the fire of naval guns (20) on 0801"
    )
    t.play(plan.order)
    assert written(t) == ()


@pytest.mark.rule("PL-1102")
def test_a_mission_is_struck_out_while_the_step_lasts_in_which_it_was_written() -> None:
    t = writing()
    t.play(WriteMission(ids(0), t.hex("1501")))
    t.play(WriteMission(ids(1), t.hex("1601")))
    t.play(written(t)[0].order)
    (struck,) = t.happened(MissionStruck)
    assert struck.mission.firers == ids(0)
    assert [plan.actors for plan in written(t)] == [ids(1)]
    assert t.check(WriteMission(ids(0), t.hex("1501"))) is None


@pytest.mark.rule("PL-1104")
def test_an_older_mission_is_carried_out_or_held_but_not_struck_out() -> None:
    t = writing()
    t.set(missions=(Mission(ALLIED, ids(0), t.hex("1501"), (), written=1, due=3),))
    assert t.refusal(written(t)[0].order).rule == "PL-1104"
    assert "erase" not in {verb.key for verb in RULESET.menu(RULESET.view(t.state, ALLIED), Selection())}


@pytest.mark.rule("PL-1102")
def test_of_two_like_missions_the_one_just_written_is_struck_out() -> None:
    t = writing()
    old = Mission(ALLIED, ids(0), t.hex("1501"), (), written=1, due=3)
    fresh = Mission(ALLIED, ids(0), t.hex("1501"), (), written=3, due=5)
    t.set(missions=(old, fresh))
    t.play(StrikeMission(t.hex("1501"), U(0)))
    assert t.position.missions == (old,)


@pytest.mark.rule("PL-1102")
def test_nobody_strikes_out_what_is_not_in_his_notes() -> None:
    t = writing()
    t.set(missions=(Mission(GERMAN, ids(0), t.hex("1501"), (), written=3, due=5),))
    assert t.refusal(StrikeMission(t.hex("1501"), U(0))).rule == "PL-1102"


@pytest.mark.rule("PL-1102")
def test_the_menu_offers_to_strike_out_once_something_is_written() -> None:
    t = writing()
    view = RULESET.view(t.state, ALLIED)
    assert "erase" not in {verb.key for verb in RULESET.menu(view, Selection())}
    t.play(WriteMission(ids(0), t.hex("1501")))
    view = RULESET.view(t.state, ALLIED)
    verb = next(verb for verb in RULESET.menu(view, Selection()) if verb.key == "erase")
    (target,) = verb.targets
    assert target.text == "strike out the fire of 105mm howitzer #0 on 1501"
    assert not target.hex, "a click on the map would be taken for it"
    assert RULESET.why_not(view, "erase", Selection(), Selection(hex=t.hex("1501"))) is None


@pytest.mark.rule("PL-1102")
def test_no_computer_player_need_try_to_strike_anything_out() -> None:
    t = writing()
    t.play(WriteMission(ids(0), t.hex("1501")))
    (decision,) = RULESET.decisions(t.state)
    orders = RULESET.options(RULESET.view(t.state, ALLIED), decision)
    assert not any(isinstance(order, StrikeMission) for order in orders)
