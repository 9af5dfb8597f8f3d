"""The computer players: they choose from their view alone and keep to a budget."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from sandtable import registry
from sandtable.ai.players import BUDGET, GreedyPlayer, RandomPlayer
from sandtable.content import load_shipped
from sandtable.kernel.decisions import Decision
from sandtable.kernel.dice import PromptDice
from sandtable.kernel.engine import begin, submit
from sandtable.kernel.events import Order
from sandtable.kernel.ids import HexId, UnitId
from sandtable.kernel.state import Played, State, View
from sandtable.play.system import Candidate
from tests.kit import panzer_leader, toy
from tests.kit.battles import random_battle
from tests.kit.toy import LINE, RED, SIDES, TOY

DICE = PromptDice("players")


class Advance:
    """A doctrine for the toy: go forward as far as you can, and never mind the rest."""

    def __init__(self, groups: Iterable[Iterable[Candidate]] | None = None) -> None:
        self.groups = groups
        self.judged = 0
        self.known: dict[Order, int | Fraction] = {}

    def candidates(self, view: View[toy.Position], decision: Decision) -> Iterable[Iterable[Candidate]]:
        if self.groups is not None:
            return self.groups
        return [[Candidate(order) for order in TOY.options(view, decision)]]

    def value(self, state: State[toy.Position], view: View[toy.Position]) -> int:
        self.judged += 1
        return sum(unit.cell for unit in state.position.of(view.side))

    def estimate(self, view: View[toy.Position], order: Order) -> int | Fraction | None:
        return self.known.get(order)

    def ending(self, view: View[toy.Position], decision: Decision) -> Order:
        return toy.EndMoves()


def moving() -> tuple[View[toy.Position], Decision]:
    """Red is about to move: its pieces stand on 1, 2 and 3, and may go up to three cells."""
    state = begin(TOY, LINE, {}, "players").state
    for side, bid in zip(SIDES, (2, 1), strict=True):
        played = submit(TOY, state, side, toy.Bid(bid))
        assert isinstance(played, Played)
        state = played.state
    (decision,) = TOY.decisions(state)
    assert decision.side == RED
    return TOY.view(state, RED), decision


def test_the_random_player_plays_something_lawful_and_the_same_by_the_same_dice() -> None:
    view, decision = moving()
    player = RandomPlayer(TOY, Advance())
    chosen = [player.choose(view, decision, BUDGET, PromptDice("lot", n)) for n in range(20)]
    assert all(TOY.check(view, order) is None for order in chosen)
    assert len(set(chosen)) > 3
    assert chosen == [player.choose(view, decision, BUDGET, PromptDice("lot", n)) for n in range(20)]


def test_the_greedy_player_takes_the_order_with_the_best_expected_value() -> None:
    view, decision = moving()
    order = GreedyPlayer(TOY, Advance()).choose(view, decision, BUDGET, DICE)
    assert order == toy.Move(UnitId(3), HexId(5))


def test_the_best_of_the_first_group_that_improves_on_doing_nothing_is_good_enough() -> None:
    view, decision = moving()
    back, little, far = (toy.Move(UnitId(3), HexId(cell)) for cell in (3, 4, 5))
    groups = [[], [Candidate(toy.Watch(UnitId(1)))], [Candidate(little)], [Candidate(far)]]
    assert GreedyPlayer(TOY, Advance(groups)).choose(view, decision, BUDGET, DICE) == little
    assert back.to == 3


def test_what_does_not_show_in_the_state_counts_as_a_bonus() -> None:
    view, decision = moving()
    little, far = (toy.Move(UnitId(3), HexId(cell)) for cell in (4, 5))
    groups = [[Candidate(far), Candidate(little, 5), Candidate(toy.Watch(UnitId(1)), -1)]]
    assert GreedyPlayer(TOY, Advance(groups)).choose(view, decision, BUDGET, DICE) == little


def test_when_nothing_is_better_than_nothing_the_greedy_player_is_done() -> None:
    view, decision = moving()
    groups = [[Candidate(toy.Watch(UnitId(1)))], [Candidate(toy.Move(UnitId(3), HexId(5)), -9)]]
    assert GreedyPlayer(TOY, Advance(groups)).choose(view, decision, BUDGET, DICE) == toy.EndMoves()


def test_the_greedy_player_tries_out_no_more_orders_than_its_budget() -> None:
    view, decision = moving()
    far = Candidate(toy.Move(UnitId(3), HexId(5)))
    doctrine = Advance([[Candidate(toy.Watch(UnitId(1)))] * 3, [Candidate(toy.Watch(UnitId(2)))] * 3, [far]])
    assert GreedyPlayer(TOY, doctrine).choose(view, decision, 4, DICE) == toy.EndMoves()
    assert doctrine.judged == 1 + 4  # the state as it is, and one for each order tried
    doctrine = Advance(doctrine.groups)
    assert GreedyPlayer(TOY, doctrine).choose(view, decision, 7, DICE) == far.order
    assert doctrine.judged == 1 + 7


def test_an_order_whose_value_is_known_is_not_played_out() -> None:
    view, decision = moving()
    little, far = (toy.Move(UnitId(3), HexId(cell)) for cell in (4, 5))
    doctrine = Advance([[Candidate(little), Candidate(far)]])
    doctrine.known = {little: Fraction(17, 2)}
    # the pieces stand on 1, 2 and 3: going far makes 8 of it, and 17/2 is more
    assert GreedyPlayer(TOY, doctrine).choose(view, decision, BUDGET, DICE) == little
    assert doctrine.judged == 1 + 1
    doctrine.known = {little: Fraction(15, 2)}
    assert GreedyPlayer(TOY, doctrine).choose(view, decision, BUDGET, DICE) == far


def test_a_bonus_counts_also_where_the_value_is_known() -> None:
    view, decision = moving()
    little = toy.Move(UnitId(3), HexId(4))
    doctrine = Advance([[Candidate(little, -1)]])
    doctrine.known = {little: 7}
    assert GreedyPlayer(TOY, doctrine).choose(view, decision, BUDGET, DICE) == toy.EndMoves()
    doctrine.known = {little: 8}
    assert GreedyPlayer(TOY, doctrine).choose(view, decision, BUDGET, DICE) == little


# --- with a real system ---------------------------------------------------------------------------------------------

PANZER_LEADER = registry.ruleset("panzer_leader")


def shipped(id: str) -> Any:
    return load_shipped(id, registry.vocabulary("panzer_leader"))


def test_the_greedy_player_chooses_the_same_in_worlds_that_look_alike_to_it() -> None:
    player = registry.player("greedy", "panzer_leader")
    options = {"fog": True, "opportunity_fire": True}
    battle = random_battle(PANZER_LEADER, shipped("pl-crossroads"), options, "players", 3000)
    compared = 0
    for state in battle.states[::20]:
        for decision in PANZER_LEADER.decisions(state):
            here = player.choose(PANZER_LEADER.view(state, decision.side), decision, 12, DICE)
            other = panzer_leader.twin(state, decision.side, PromptDice("twin", state.dice.number))
            if other is not None:
                there = player.choose(PANZER_LEADER.view(other, decision.side), decision, 12, DICE)
                assert here == there
                compared += 1
    assert compared >= 5
