"""Panzer Leader as the kernel asks for it: every order has its judge, and one out of place is refused with a rule."""

from __future__ import annotations

import pytest

from sandtable.kernel import codec
from sandtable.kernel.events import DiceKey, Order
from sandtable.kernel.forecast import Forecast, forecast
from sandtable.kernel.ids import NOBODY
from sandtable.rulesets.panzer_leader import events, frames, orders, sequence
from sandtable.rulesets.panzer_leader.model import ALLIED, GERMAN, SIDES, Mover
from sandtable.rulesets.panzer_leader.orderbook import BOOK
from sandtable.rulesets.panzer_leader.ruleset import PanzerLeader
from tests.rulesets.panzer_leader.table import U, ids, open_board, table, unit

RULESET = PanzerLeader()


def test_every_kind_of_order_has_one_row_and_every_open_step_has_orders_and_an_end() -> None:
    kinds = {kind for kind in vars(orders).values() if isinstance(kind, type) and issubclass(kind, Order)}
    assert {row.order for row in BOOK.rows} == kinds - {Order}
    assert len(BOOK.rows) == len(kinds) - 1
    steps = {"setup", "opportunity fire"} | {step.key for step in sequence.STEPS if step.is_open}
    assert {step for row in BOOK.rows for step in row.steps} == steps
    for step in steps:
        rows = BOOK.in_step(step)
        assert rows.of_units or rows.others
        assert [row.verb.closes for row in rows.closing] == [True]
        assert len({row.verb.key for row in rows.all}) == len(rows.all)
        assert len({row.verb.hotkey for row in rows.all}) == len(rows.all)


def test_the_name_card_lists_every_word_of_the_system() -> None:
    info = RULESET.info
    assert (info.key, info.prefix) == ("panzer_leader", "PL-")
    assert (info.orders, info.events, info.frames) == (BOOK.orders, events.AnyEvent, frames.AnyFrame)
    frame = frames.StepFrame("direct fire")
    assert codec.decode(codec.encode(frame), info.frames) == frame


def test_an_order_is_refused_when_the_other_side_decides_or_the_step_is_another() -> None:
    t = table("...", unit("a_m5", "0101"), unit("g_rifle", "0301"), step="direct fire")
    ours, theirs = (RULESET.view(t.state, side) for side in (ALLIED, GERMAN))
    refusal = RULESET.check(theirs, orders.EndPhase())
    assert refusal is not None
    assert (refusal.rule, refusal.reason) == ("PL-501", "it is the other side's decision now")
    refusal = RULESET.check(ours, orders.MoveUnit(U(0), t.hexes("0201")))
    assert refusal is not None
    assert (refusal.rule, refusal.reason) == ("PL-504", "that order does not belong to this step: direct fire")
    assert RULESET.check(ours, orders.EndPhase()) is None


def test_letting_a_mover_go_by_is_always_lawful_for_the_side_that_may_fire() -> None:
    t = table(
        "...",
        unit("a_m5", "0101"),
        unit("g_rifle", "0301"),
        flow=(frames.StepFrame("vehicle movement"), frames.OpportunityWindow(GERMAN, U(0), ids(1))),
        mover=Mover(U(0), 5),
        step="vehicle movement",
    )
    assert RULESET.check(RULESET.view(t.state, GERMAN), orders.Pass()) is None


def test_what_an_order_would_bring_is_explained_and_forecast_by_the_calculation_that_resolves_it() -> None:
    t = table(open_board(3, 1), unit("a_m4_75", "0101"), unit("g_pz4", "0301"))
    view = RULESET.view(t.state, ALLIED)
    order = orders.DirectFire(ids(0), t.hex("0301"), ids(1))
    tallies = RULESET.explain(view, order)
    assert "Odds" in {tally.title for tally in tallies}
    odds = forecast(RULESET, view, order)
    assert isinstance(odds, Forecast)
    assert odds.tally == tallies
    assert {branch.result: branch.probability for branch in odds.branches} == {
        "PzKw IVh #1 dispersed": "2/3", "PzKw IVh #1 destroyed": "1/6", "no effect": "1/6",
    }  # fmt: skip
    assert RULESET.explain(view, orders.EndPhase()) == ()


def test_the_world_a_side_believes_in_is_its_view_with_dice_of_its_own() -> None:
    t = table("W..", unit("a_m5", "0301"), unit("g_rifle", "0101", name="foe"), options={"fog": True})
    view = RULESET.view(t.state, ALLIED)
    world = RULESET.believed(view)
    assert world.position is view.position
    assert world.flow == view.flow
    assert world.dice == DiceKey("forecast")
    assert world.position.units[1].carrier == NOBODY


def test_the_questions_of_a_client_are_answered() -> None:
    t = table("...", unit("a_m5", "0101"), unit("g_pz4", "0301"))
    view = RULESET.view(t.state, ALLIED)
    assert RULESET.sides(t.state) == SIDES
    assert RULESET.outcome(t.state) is None
    assert [piece.id for piece in RULESET.pieces(view)] == [0, 1]
    assert RULESET.describe(events.UnitDispersed(U(0)), view) == "M5 Stuart #0 is dispersed."
    assert RULESET.order_text(orders.EndPhase(), view) == "end the phase"
    assert RULESET.result((events.UnitDestroyed(U(1)),), view) == "PzKw IVh #1 destroyed"
    assert RULESET.redact(events.UnitDispersed(U(0)), t.position, t.position, GERMAN) == events.UnitDispersed(U(0))
    assert RULESET.apply(t.position, events.UnitDispersed(U(0))).units[0].dispersed == 1
    assert RULESET.sight(view, t.hex("0101"), t.hex("0301")).clear
    assert RULESET.seen(view, ids(0)) == tuple(t.board.hexes)
    assert RULESET.watchers(view, t.hex("0301")) == (0,)
    assert [threat.actors for threat in RULESET.threats(view, t.hex("0101"))] == [(1,)]
    assert len(RULESET.standing(view)) >= 2
    assert RULESET.hex_facts(view, t.hex("0101"))
    assert RULESET.marks(events.UnitDestroyed(U(1))).tone == "loss"


@pytest.mark.rule("PL-714")
def test_where_sight_is_in_doubt_the_engines_answer_stands_and_no_die_is_thrown() -> None:
    # the line from 0101 to 0202 runs along the side between 0102 and 0201
    t = table("...\n...", unit("a_m5", "0101"), unit("g_rifle", "0202"), hexsides={"green": ["0102-0201"]})
    view = RULESET.view(t.state, ALLIED)
    for _ in range(2):
        line = RULESET.sight(view, t.hex("0101"), t.hex("0202"))
        assert not line.clear
        assert line.reason is not None
    assert RULESET.sight(view, t.hex("0202"), t.hex("0101")).clear == line.clear
    refusal = t.refusal(orders.DirectFire(ids(0), t.hex("0202"), ids(1)))
    assert refusal.rule.startswith("PL-")
