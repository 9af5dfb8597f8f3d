"""One way in: orders are refused or carried out, play stops at the next decision, and undo is computed."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.kernel import codec
from sandtable.kernel import resolution as workbench
from sandtable.kernel.decisions import KERNEL, Decision, Refusal
from sandtable.kernel.dice import DiceKey
from sandtable.kernel.engine import Played, begin, observed, submit, undoable
from sandtable.kernel.events import Draw, Frame, Order
from sandtable.kernel.ids import NOBODY, HexId, RuleId, SideId, UnitId
from sandtable.kernel.resolution import Resolution, RunawayError
from sandtable.kernel.state import Outcome, State, View
from tests.kit import toy
from tests.kit.battles import must, play
from tests.kit.scripted import Script
from tests.kit.toy import BLUE, LINE, RED, TOY, Bid, Dodge, EndMoves, Move, Pass, Position, Press, Shoot, Watch


def opening() -> State[Position]:
    return begin(TOY, LINE, {}, "seed").state


def red_to_move(bid: int = 2, *, units: dict[int, int] | None = None) -> State[Position]:
    """Red has the first move, with units moved to the cells given."""
    state = play(TOY, opening(), (RED, Bid(bid)), (BLUE, Bid(1))).state
    position = state.position
    for id, cell in (units or {}).items():
        position = position.put(UnitId(id), cell=HexId(cell))
    return replace(state, position=position)


def test_a_battle_opens_at_its_first_decision() -> None:
    played = begin(TOY, LINE, {}, "seed")
    assert (played.side, played.order, played.draws, played.events) == (None, None, (), ())
    assert [decision.side for decision in TOY.decisions(played.state)] == [RED, BLUE]
    assert played.state.dice == DiceKey("seed", 1)


def test_a_side_without_an_open_decision_is_refused() -> None:
    assert submit(TOY, red_to_move(), BLUE, EndMoves()) == Refusal(KERNEL, "no decision is open to your side now")


def test_an_unlawful_order_is_refused_and_nothing_changes() -> None:
    state = red_to_move()
    before = codec.encode(state)
    refusal = submit(TOY, state, RED, Move(UnitId(3), HexId(11)))
    assert refusal == Refusal(RuleId("TOY-3"), "that is too far")
    assert codec.encode(state) == before


@pytest.mark.parametrize(
    ("order", "rule", "reason"),
    [
        (Bid(1), "TOY-1", "nothing like that can be decided now"),
        (Move(UnitId(5), HexId(8)), "TOY-1", "that is no unit of yours"),
        (Move(UnitId(99), HexId(8)), "TOY-1", "that is no unit of yours"),
        (Move(UnitId(3), HexId(0)), "TOY-3", "that is nowhere to go"),
        (Move(UnitId(2), HexId(4)), "TOY-3", "another piece is in the way"),
        (Shoot(UnitId(3), UnitId(4)), "TOY-8", "that is no enemy you can see"),
        (Shoot(UnitId(3), UnitId(5)), "TOY-8", "that is out of range"),
    ],
)
def test_a_refusal_cites_its_rule_and_tells_no_secret(order: Order, rule: str, reason: str) -> None:
    assert submit(TOY, red_to_move(), RED, order) == Refusal(RuleId(rule), reason)


def test_the_number_of_the_order_moves_the_dice_on() -> None:
    state = red_to_move()
    played = must(submit(TOY, state, RED, Watch(UnitId(1))))
    assert played.state.dice == DiceKey("seed", state.dice.number + 1)


# sealed decisions


def test_the_first_sealed_order_is_stored_unseen_and_no_die_falls() -> None:
    played = must(submit(TOY, opening(), BLUE, Bid(2)))
    assert played.draws == ()
    assert [decision.side for decision in TOY.decisions(played.state)] == [RED]
    assert observed(TOY, played, RED) == (toy.BidMade(BLUE, 0),)
    assert observed(TOY, played, BLUE) == (toy.BidMade(BLUE, 2),)
    assert TOY.view(played.state, RED).position.bids == (0, 0)


def test_the_last_sealed_order_reveals_both_and_a_tie_is_diced(scripted: Script) -> None:
    first = must(submit(TOY, opening(), BLUE, Bid(2)))
    last = must(submit(TOY, first.state, RED, Bid(2), scripted(5)))
    assert last.draws == (Draw(RuleId("TOY-2"), 6, 5),)
    assert last.events == (toy.BidMade(RED, 2), toy.BidsRevealed(2, 2, BLUE))
    assert last.state.flow == (toy.Moves(BLUE, (RED,)),)


# reactions


def test_a_reaction_and_its_answer_are_frames_on_the_stack(scripted: Script) -> None:
    state = red_to_move(units={3: 7, 4: 12})
    shot = must(submit(TOY, state, RED, Shoot(UnitId(3), UnitId(5))))
    assert shot.state.flow[1:] == (toy.Dodging(UnitId(3), UnitId(5)),)
    assert [(d.side, d.kind, d.optional) for d in TOY.decisions(shot.state)] == [(BLUE, "dodge", True)]
    dodged = must(submit(TOY, shot.state, BLUE, Dodge()))
    assert dodged.state.flow[2:] == (toy.Pressing(),)
    assert [(d.side, d.kind, d.optional) for d in TOY.decisions(dodged.state)] == [(RED, "press", True)]
    pressed = must(submit(TOY, dodged.state, RED, Press(), scripted(4)))
    assert pressed.events == (toy.Fired(UnitId(3), UnitId(5), 4, 4), toy.Lost(UnitId(5)))
    assert pressed.state.flow == state.flow


@pytest.mark.parametrize(("answers", "needed"), [([Pass()], 4), ([Dodge(), Pass()], 5)])
def test_a_reaction_may_be_passed(answers: list[Order], needed: int, scripted: Script) -> None:
    state = red_to_move(units={3: 7, 4: 12})
    sides = iter((BLUE, RED))
    shot = play(TOY, state, (RED, Shoot(UnitId(3), UnitId(5)))).state
    played = play(TOY, shot, *((next(sides), answer) for answer in answers), dice=scripted(3))
    assert played.events == (toy.Fired(UnitId(3), UnitId(5), 3, needed),)


def test_an_automatic_reaction_is_resolved_on_the_spot(scripted: Script) -> None:
    state = red_to_move(bid=3, units={5: 5})
    state = replace(state, position=state.position.put(UnitId(5), watching=True))
    played = must(submit(TOY, state, RED, Move(UnitId(3), HexId(4)), scripted(5)))
    assert played.events == (toy.Moved(UnitId(3), HexId(4)), toy.Fired(UnitId(5), UnitId(3), 5, 6))
    assert [decision.side for decision in TOY.decisions(played.state)] == [RED]


def test_an_automatic_reaction_may_end_a_move(scripted: Script) -> None:
    state = red_to_move(units={5: 6})
    state = replace(state, position=state.position.put(UnitId(4), cell=HexId(5), watching=True))
    played = must(submit(TOY, state, RED, Move(UnitId(3), HexId(5)), scripted(6)))
    assert played.events[-1] == toy.Lost(UnitId(3))
    assert toy.Moved(UnitId(3), HexId(5)) not in played.events


@pytest.mark.parametrize(("face", "lost"), [(1, (toy.Lost(UnitId(3)),)), (2, ())])
def test_a_move_into_a_hidden_enemy_is_accepted_and_interrupted(
    face: int, lost: tuple[toy.Lost, ...], scripted: Script
) -> None:
    state = red_to_move(units={4: 5})
    played = must(submit(TOY, state, RED, Move(UnitId(3), HexId(5)), scripted(face)))
    assert played.events == (toy.Moved(UnitId(3), HexId(4)), toy.Ambushed(UnitId(3), UnitId(4)), *lost)
    assert played.draws == (Draw(RuleId("TOY-5"), 3, face, UnitId(4), "1/3"),)
    assert UnitId(4) in [piece.id for piece in TOY.pieces(TOY.view(played.state, RED))]


# advancing


def test_a_phase_without_decisions_is_passed_by_itself() -> None:
    played = play(TOY, red_to_move(), (RED, EndMoves()), (BLUE, EndMoves()))
    assert played.events == (toy.TurnBegan(2),)
    assert played.state.flow == (toy.Plan(),)


def test_every_event_comes_with_the_position_after_it() -> None:
    played = must(submit(TOY, red_to_move(), RED, Move(UnitId(3), HexId(5))))
    cells = [unit.cell for position in played.trail if (unit := position.unit(UnitId(3)))]
    assert cells == [4, 5]
    assert played.trail[-1] == played.state.position


def test_the_battle_ends_when_a_side_has_no_units(scripted: Script) -> None:
    state = red_to_move(units={3: 7})
    alone = tuple(unit for unit in state.position.units if unit.id in (3, 5))
    state = replace(state, position=replace(state.position, units=alone))
    shot = play(TOY, state, (RED, Shoot(UnitId(3), UnitId(5)))).state
    played = play(TOY, shot, (BLUE, Pass()), dice=scripted(6))
    assert TOY.outcome(played.state) == Outcome(RED, "decisive", ("red 1, blue 0 (TOY-9)",))
    assert TOY.decisions(played.state) == ()


def test_the_battle_ends_after_its_last_turn() -> None:
    state = begin(TOY, LINE, {"turns": 1}, "seed").state
    orders = [(RED, Bid(2)), (BLUE, Bid(1)), (RED, EndMoves()), (BLUE, EndMoves())]
    assert TOY.outcome(play(TOY, state, *orders).state) == Outcome(None, "marginal", ("red 3, blue 3 (TOY-9)",))


# undo


def can_undo(state: State[Position], side: SideId, order: Order, dice: Any = None) -> bool:
    return undoable(TOY, state, must(submit(TOY, state, side, order, dice)))


def test_an_order_that_changed_only_what_its_side_knows_may_be_undone() -> None:
    assert can_undo(red_to_move(), RED, Watch(UnitId(1)))
    assert can_undo(red_to_move(), RED, Move(UnitId(3), HexId(5)))


def test_an_order_that_drew_dice_may_not_be_undone(scripted: Script) -> None:
    state = red_to_move(bid=3, units={5: 5})
    state = replace(state, position=state.position.put(UnitId(5), watching=True))
    assert not can_undo(state, RED, Move(UnitId(3), HexId(4)), scripted(1))


def test_an_order_that_told_its_side_something_may_not_be_undone() -> None:
    class Scouting(toy.Toy):
        """Red learns something new with every cell its units come to."""

        def known(self, view: View[Position]) -> Hashable:
            return tuple(unit.cell for unit in view.position.units if unit.side == RED and view.side == RED)

    state, order = red_to_move(), Move(UnitId(3), HexId(5))
    assert not undoable(Scouting(), state, must(submit(Scouting(), state, RED, order)))


def test_an_order_that_showed_only_the_enemy_something_may_be_undone_as_a_refusal_could_betray_an_onlooker() -> None:
    state = play(TOY, red_to_move(), (RED, EndMoves())).state
    assert can_undo(state, BLUE, Move(UnitId(5), HexId(8)))
    assert can_undo(state, BLUE, Move(UnitId(4), HexId(6)))


def test_an_order_that_passed_the_decision_on_may_not_be_undone() -> None:
    assert not can_undo(red_to_move(), RED, EndMoves())
    assert not can_undo(opening(), RED, Bid(1))


def test_the_setting_up_of_a_battle_may_not_be_undone() -> None:
    played = begin(TOY, LINE, {}, "seed")
    assert not undoable(TOY, played.state, played)


# loops in a ruleset


class Shouting(toy.Toy):
    """Watching never stops happening."""

    def resolve(self, resolution: Resolution[Position], side: SideId, order: Order) -> None:
        while True:
            resolution.emit(toy.Watched(UnitId(1)))


class Drifting(toy.Toy):
    """Nobody ever has anything to decide."""

    def decisions(self, state: State[Position]) -> tuple[Decision, ...]:
        return ()

    def advance(self, resolution: Resolution[Position]) -> None:
        resolution.goto(toy.Rest())


@pytest.fixture
def small_limit(monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr(workbench, "RUNAWAY", 50)
    monkeypatch.setattr("sandtable.kernel.engine.RUNAWAY", 50)
    return 50


def test_events_without_end_are_stopped(small_limit: int) -> None:
    with pytest.raises(RunawayError, match=rf"more than {small_limit} events in one order, the last Watched\(unit=1\)"):
        submit(Shouting(), red_to_move(), RED, Watch(UnitId(1)))


def test_a_sequence_of_play_without_decisions_is_stopped(small_limit: int) -> None:
    with pytest.raises(RunawayError, match="advances without reaching a decision"):
        begin(Drifting(), LINE, {}, "seed")


def test_the_workbench_keeps_the_sequence_of_play_as_a_stack(scripted: Script) -> None:
    bench = Resolution(opening(), scripted(2), TOY.apply)
    frames: list[Frame] = [bench.top]
    bench.push(toy.Rest())
    frames.append(bench.top)
    bench.goto(toy.Pressing())
    frames += [bench.pop(), bench.top]
    assert frames == [toy.Plan(), toy.Rest(), toy.Pressing(), toy.Plan()]
    assert bench.roll("TOY-2") == 2
    assert bench.dice.draws[0].actor == NOBODY


def test_a_played_order_is_a_value() -> None:
    state = red_to_move()
    assert submit(TOY, state, RED, Watch(UnitId(1))) == submit(TOY, state, RED, Watch(UnitId(1)))
    assert isinstance(submit(TOY, state, RED, Watch(UnitId(1))), Played)
