"""Exact odds by the real resolver, and sampled ones that say so."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt

import pytest
from msgspec.structs import replace

from sandtable.kernel.decisions import Refusal
from sandtable.kernel.dice import Dice
from sandtable.kernel.engine import begin
from sandtable.kernel.events import Event, Order
from sandtable.kernel.forecast import Branch, Forecast, TooManyFallsError, every_fall, forecast
from sandtable.kernel.ids import HexId, RuleId, SideId, UnitId
from sandtable.kernel.resolution import Resolution
from sandtable.kernel.state import State, View
from tests.kit import toy
from tests.kit.battles import play
from tests.kit.toy import BLUE, LINE, RED, TOY, Bid, Dodge, Move, Pass, Position, Press, Shoot


def red_to_move() -> State[Position]:
    """Red has the first move; its third unit stands two cells from a blue one that it sees."""
    state = play(TOY, begin(TOY, LINE, {}, "seed").state, (RED, Bid(2)), (BLUE, Bid(1))).state
    return replace(state, position=state.position.put(UnitId(3), cell=HexId(5)).put(UnitId(5), cell=HexId(7)))


def odds(ruleset: toy.Toy, state: State[Position], side: SideId, order: Order, **limits: int) -> Forecast:
    found = forecast(ruleset, ruleset.view(state, side), order, **limits)
    assert isinstance(found, Forecast)
    return found


def shot_at(*orders: tuple[SideId, Order]) -> State[Position]:
    return play(TOY, red_to_move(), (RED, Shoot(UnitId(3), UnitId(5))), *orders).state


def test_a_shot_hits_on_4_or_more() -> None:
    found = odds(TOY, shot_at(), BLUE, Pass())
    assert found.branches == (Branch("lost", "1/2"), Branch("missed", "1/2"))
    assert (found.exact, found.samples, found.error, found.dice) == (True, 0, 0.0, 1)


def test_a_shot_at_a_dodging_unit_hits_on_5_or_more() -> None:
    found = odds(TOY, shot_at((BLUE, Dodge())), RED, Pass())
    assert found.branches == (Branch("missed", "2/3"), Branch("lost", "1/3"))
    assert [branch.chance for branch in found.branches] == [Fraction(2, 3), Fraction(1, 3)]


def test_a_forecast_brings_the_tally_that_resolves_the_order() -> None:
    found = odds(TOY, shot_at((BLUE, Dodge())), RED, Press())
    assert found.tally == (toy.to_hit(dodged=True, pressed=True),)
    assert [(line.label, line.value) for line in found.tally[0].lines] == [
        ("a shot", 4),
        ("the target dodges", 1),
        ("the shooter presses", -1),
    ]
    assert found.tally[0].total == 4


def test_an_order_without_dice_has_one_certain_result() -> None:
    assert odds(TOY, red_to_move(), RED, Shoot(UnitId(3), UnitId(5))).branches == (
        Branch("no effect", "1/1", harmless=True),
    )


def test_an_unlawful_order_has_no_odds_but_its_refusal() -> None:
    found = forecast(TOY, TOY.view(red_to_move(), RED), Shoot(UnitId(1), UnitId(5)))
    assert found == Refusal(RuleId("TOY-8"), "that is out of range")


def test_a_forecast_knows_nothing_of_an_ambush() -> None:
    state = red_to_move()
    state = replace(state, position=state.position.put(UnitId(4), cell=HexId(6)))
    assert odds(TOY, state, RED, Move(UnitId(3), HexId(6))).branches == (Branch("no effect", "1/1", harmless=True),)


class Volley(toy.Toy):
    """Firing goes on until a die misses, five shots at most; a hit is 1/6, and after it a chance of 2/5 ends it."""

    def resolve(self, resolution: Resolution[Position], side: SideId, order: Order) -> None:
        for _ in range(5):
            roll = resolution.roll("TOY-8", UnitId(3))
            resolution.emit(toy.Fired(UnitId(3), UnitId(5), roll, 6))
            if roll < 6 or resolution.chance(Fraction(2, 5), "TOY-5"):
                return

    def result(self, events: tuple[Event, ...], view: View[Position]) -> str:
        return f"{sum(isinstance(event, toy.Fired) and event.roll == 6 for event in events)} hits"


def test_a_tree_of_uneven_depth_is_counted_exactly() -> None:
    found = odds(Volley(), red_to_move(), RED, Shoot(UnitId(3), UnitId(5)))
    # a further shot needs a hit that does not end the volley: 1/6 x 3/5 = 1/10
    hits = {
        "0 hits": Fraction(5, 6),
        "1 hits": Fraction(1, 6) * Fraction(2, 5) + Fraction(1, 10) * Fraction(5, 6),
        "2 hits": Fraction(1, 10) * (Fraction(1, 6) * Fraction(2, 5) + Fraction(1, 10) * Fraction(5, 6)),
        "3 hits": Fraction(1, 100) * (Fraction(1, 6) * Fraction(2, 5) + Fraction(1, 10) * Fraction(5, 6)),
        "4 hits": Fraction(1, 1000) * (Fraction(1, 6) * Fraction(2, 5) + Fraction(1, 10) * Fraction(5, 6)),
        "5 hits": Fraction(1, 10_000) * Fraction(1, 6),
    }
    assert {branch.result: branch.chance for branch in found.branches} == hits
    assert sum(hits.values()) == 1
    assert found.exact


def leaves_of_a_volley() -> int:
    """Each shot has 5 misses, 2 chances that end the volley and 3 that go on; after the last, all 5 chances end it."""
    leaves = 0
    going_on = 1
    for shot in range(5):
        leaves += going_on * (5 + (2 if shot < 4 else 5))
        going_on *= 3
    return leaves


def test_the_limit_is_the_number_of_leaves() -> None:
    state, order = red_to_move(), Shoot(UnitId(3), UnitId(5))
    leaves = leaves_of_a_volley()
    assert odds(Volley(), state, RED, order, leaves=leaves).exact
    assert not odds(Volley(), state, RED, order, leaves=leaves - 1, samples=10).exact


def test_beyond_the_limit_the_odds_are_sampled_and_say_how_far_off_they_may_be() -> None:
    state, order = red_to_move(), Shoot(UnitId(3), UnitId(5))
    found = odds(Volley(), state, RED, order, leaves=3, samples=400)
    assert (found.exact, found.samples) == (False, 400)
    assert sum(branch.chance for branch in found.branches) == 1
    first = found.branches[0]
    p = float(first.chance)
    assert first.result == "0 hits"
    usual = 1.96 * sqrt(p * (1 - p) / 400)
    assert usual < found.error < 1.2 * usual
    assert abs(p - 5 / 6) < 2 * found.error
    assert odds(Volley(), state, RED, order, leaves=3, samples=400) == found


def test_samples_that_all_agree_are_not_certain() -> None:
    state, order = red_to_move(), Shoot(UnitId(3), UnitId(5))
    found = odds(Volley(), state, RED, order, leaves=3, samples=1)
    assert [branch.probability for branch in found.branches] == ["1/1"]
    # one sample of something says that it happens in at least a fifth of all cases, no more
    assert found.error == pytest.approx(0.793, abs=0.001)


# --- continuous draws -----------------------------------------------------------------------------------------------


class Continuous(toy.Toy):
    """A shot hits when a uniform number is below three tenths."""

    def resolve(self, resolution: Resolution[Position], side: SideId, order: Order) -> None:
        hits = resolution.uniform("TOY-8", UnitId(3)) < 0.3
        resolution.emit(toy.Fired(UnitId(3), UnitId(5), 6 if hits else 1, 6))

    def result(self, events: tuple[Event, ...], view: View[Position]) -> str:
        return "hit" if any(isinstance(event, toy.Fired) and event.roll == 6 for event in events) else "missed"


class ClosedForm(Continuous):
    """The same, and the system says what it comes to."""

    def odds(self, view: View[Position], order: Order) -> Forecast | None:
        if not isinstance(order, Shoot):
            return None
        return Forecast((Branch("missed", "7/10"), Branch("hit", "3/10")), self.explain(view, order), dice=1)


SHOT = Shoot(UnitId(3), UnitId(5))


def test_a_system_that_knows_the_odds_is_asked_before_any_die_is_thrown() -> None:
    found = odds(ClosedForm(), red_to_move(), RED, SHOT)
    assert found.branches == (Branch("missed", "7/10"), Branch("hit", "3/10"))
    assert (found.exact, found.samples) == (True, 0)


def test_a_system_is_asked_for_the_odds_of_lawful_orders_only() -> None:
    found = forecast(ClosedForm(), TOY.view(red_to_move(), RED), Shoot(UnitId(1), UnitId(5)))
    assert found == Refusal(RuleId("TOY-8"), "that is out of range")


def test_a_uniform_number_is_sampled_where_the_system_does_not_know_the_odds() -> None:
    found = odds(Continuous(), red_to_move(), RED, SHOT, samples=500)
    assert (found.exact, found.samples, found.dice) == (False, 500, 1)
    hit = next(branch.chance for branch in found.branches if branch.result == "hit")
    assert abs(float(hit) - 0.3) < 2 * found.error


def test_an_order_for_which_the_system_has_no_closed_form_is_played_out() -> None:
    found = odds(ClosedForm(), red_to_move(), RED, Move(UnitId(3), HexId(6)), samples=50)
    assert (found.exact, found.samples) == (False, 50)


def test_a_die_with_more_faces_than_leaves_is_not_enumerated() -> None:
    thrown: list[int] = []

    def play(dice: Dice) -> int:
        thrown.append(dice.face(7, UnitId(1)))
        return thrown[-1]

    assert [face for face, _ in every_fall(play, 7)] == thrown == [1, 2, 3, 4, 5, 6, 7]
    thrown.clear()
    with pytest.raises(TooManyFallsError):
        next(every_fall(play, 6))
    assert thrown == []


def test_without_samples_odds_that_must_be_sampled_are_left_open() -> None:
    for ruleset in (Continuous(), Volley()):
        found = odds(ruleset, red_to_move(), RED, SHOT, leaves=3, samples=0)
        assert found == Forecast((), found.tally, exact=False, error=1.0)
    assert odds(Volley(), red_to_move(), RED, SHOT, samples=0).exact
