"""One way in: orders are refused or carried out, play stops at the next decision, and undo is computed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.kernel import codec
from sandtable.kernel import resolution as workbench
from sandtable.kernel.decisions import KERNEL, Decision, Refusal
from sandtable.kernel.engine import begin, submit, undoable
from sandtable.kernel.events import DiceKey, Draw, Event, Frame, Order
from sandtable.kernel.ids import NOBODY, SPECTATORS, HexId, RuleId, SideId, UnitId
from sandtable.kernel.resolution import Resolution, RunawayError
from sandtable.kernel.state import Outcome, Played, State
from sandtable.kernel.telling import introduced
from tests.kit import toy
from tests.kit.battles import must, play
from tests.kit.scripted import Script
from tests.kit.toy import BLUE, LINE, RED, TOY, Bid, Dodge, EndMoves, Move, Pass, Position, Press, Shoot, Watch


def opening() -> State[Position]:
    return begin(TOY, LINE, {}, "seed", VIEWERS).state


VIEWERS = (RED, BLUE, SPECTATORS)


def changed(state: State[Position], position: Position) -> State[Position]:
    """The state with another position, of which everybody knows what he may."""
    return introduced(TOY, replace(state, position=position), VIEWERS, {})


def heard(played: Played[Position], viewer: SideId) -> tuple[Event, ...]:
    """The events of an order as a viewer was told them."""
    return tuple(told.event for told in played.told[viewer])


def red_to_move(bid: int = 2, *, units: dict[int, int] | None = None) -> State[Position]:
    """Red has the first move, with units moved to the cells given."""
    state = play(TOY, opening(), (RED, Bid(bid)), (BLUE, Bid(1))).state
    position = state.position
    for id, cell in (units or {}).items():
        position = position.put(UnitId(id), cell=HexId(cell))
    return changed(state, position)


def test_a_battle_opens_at_its_first_decision() -> None:
    played = begin(TOY, LINE, {}, "seed")
    assert (played.side, played.order, played.draws, played.events) == (None, None, (), ())
    assert [decision.side for decision in TOY.decisions(played.state)] == [RED, BLUE]
    assert played.state.dice == DiceKey("seed", 1)


def test_a_side_without_an_open_decision_is_refused_by_the_rule_that_the_system_names() -> None:
    own = Refusal(RuleId("TOY-1"), "nothing like that can be decided now")
    assert submit(TOY, red_to_move(), BLUE, EndMoves()) == own


def test_who_has_no_part_in_the_battle_is_refused() -> None:
    stranger = SideId("green")
    assert submit(TOY, red_to_move(), stranger, EndMoves()) == Refusal(KERNEL, "no decision is open to your side now")


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
    assert heard(played, RED) == heard(played, SPECTATORS) == (toy.BidMade(BLUE, 0),)
    assert heard(played, BLUE) == (toy.BidMade(BLUE, 2),)
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
    state = changed(state, state.position.put(UnitId(5), watching=True))
    played = must(submit(TOY, state, RED, Move(UnitId(3), HexId(4)), scripted(5)))
    assert played.events == (toy.Moved(UnitId(3), HexId(4)), toy.Fired(UnitId(5), UnitId(3), 5, 6))
    assert [decision.side for decision in TOY.decisions(played.state)] == [RED]


def test_an_automatic_reaction_may_end_a_move(scripted: Script) -> None:
    state = red_to_move(units={5: 6})
    state = changed(state, state.position.put(UnitId(4), cell=HexId(5), watching=True))
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


def test_everything_told_comes_with_the_position_as_its_viewer_knows_it_then() -> None:
    played = must(submit(TOY, red_to_move(), RED, Move(UnitId(3), HexId(5))))
    for viewer in VIEWERS:
        told = played.told[viewer]
        assert [unit.cell for one in told if (unit := one.known.unit(UnitId(3)))] == [4, 5]
        assert told[-1].known == played.state.known.positions[viewer] == TOY.known(played.state.position, viewer)


def test_a_unit_that_leaves_its_hiding_place_is_shown_to_those_who_did_not_know_of_it() -> None:
    state = play(TOY, red_to_move(), (RED, EndMoves())).state
    played = must(submit(TOY, state, BLUE, Move(UnitId(4), HexId(6))))
    moved, shown = toy.Moved(UnitId(4), HexId(6)), played.state.position.unit(UnitId(4))
    assert heard(played, BLUE) == (moved,)
    assert shown is not None
    assert heard(played, RED) == heard(played, SPECTATORS) == (moved, toy.Appeared((shown,)))


def test_where_nobody_is_told_anything_views_are_made_from_scratch() -> None:
    state = replace(red_to_move(), known=introduced(TOY, opening(), (), {}).known)
    played = must(submit(TOY, state, RED, Move(UnitId(3), HexId(5))))
    assert played.told == played.state.known.positions == {}
    assert TOY.view(played.state, RED).position == TOY.known(played.state.position, RED)


def test_what_viewers_know_is_no_part_of_what_is_written() -> None:
    told, untold = opening(), begin(TOY, LINE, {}, "seed").state
    assert codec.encode(told) == codec.encode(untold)
    assert replace(untold, position=told.position) == told
    assert hash(told.known) == hash(untold.known)


def test_a_uniform_number_is_one_draw_of_two_to_the_53_sides(scripted: Script) -> None:
    bench = Resolution(opening(), scripted(1 + 2**52, 1, 2**53), TOY.apply)
    assert [bench.uniform("TOY-2"), bench.uniform("TOY-2")] == [0.5, 0.0]
    assert bench.uniform("TOY-2", UnitId(3)) < 1
    assert bench.dice.draws[2] == Draw(RuleId("TOY-2"), 2**53, 2**53, UnitId(3))


def test_the_battle_ends_when_a_side_has_no_units(scripted: Script) -> None:
    state = red_to_move(units={3: 7})
    alone = tuple(unit for unit in state.position.units if unit.id in (3, 5))
    state = changed(state, replace(state.position, units=alone))
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
    state = changed(state, state.position.put(UnitId(5), watching=True))
    assert not can_undo(state, RED, Move(UnitId(3), HexId(4)), scripted(1))


def test_an_order_that_told_its_side_something_may_not_be_undone() -> None:
    class Scouting(toy.Toy):
        """Red learns something on the way, though nothing is left of it at the end."""

        def discern(self, known: Position, before: Position, after: Position, side: SideId) -> Iterator[Event]:
            if side == RED and after.at(HexId(4)):
                yield toy.Appeared(())

    state, order = red_to_move(), Move(UnitId(3), HexId(5))
    assert not undoable(Scouting(), state, must(submit(Scouting(), state, RED, order)))


def test_an_order_that_its_system_does_not_let_be_taken_back_may_not_be_undone() -> None:
    class Strict(toy.Toy):
        def may_undo(self, view: Any, order: Order) -> bool:
            return isinstance(order, Watch)

    state = red_to_move()
    for order, may in ((Watch(UnitId(1)), True), (Move(UnitId(3), HexId(5)), False)):
        assert undoable(Strict(), state, must(submit(Strict(), state, RED, order))) is may


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
