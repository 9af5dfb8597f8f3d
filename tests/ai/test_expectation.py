"""What an order can be expected to be worth, in the world as its side believes it or in one that it imagines."""

from __future__ import annotations

from fractions import Fraction

from msgspec.structs import replace

from sandtable.ai.players import expectation
from sandtable.kernel.engine import begin
from sandtable.kernel.events import DiceKey, Order
from sandtable.kernel.ids import HexId, SideId, UnitId
from sandtable.kernel.resolution import Resolution
from sandtable.kernel.state import State
from tests.kit import toy
from tests.kit.battles import play
from tests.kit.toy import BLUE, LINE, RED, TOY, Bid, Dodge, Move, Pass, Position, Shoot

SHOT = Shoot(UnitId(3), UnitId(5))


def red_to_move() -> State[Position]:
    """Red has the first move; its third unit stands two cells from a blue one that it sees."""
    state = play(TOY, begin(TOY, LINE, {}, "seed").state, (RED, Bid(2)), (BLUE, Bid(1))).state
    return replace(state, position=state.position.put(UnitId(3), cell=HexId(5)).put(UnitId(5), cell=HexId(7)))


def shot_at() -> State[Position]:
    return play(TOY, red_to_move(), (RED, SHOT)).state


def blue_units(state: State[Position]) -> int:
    return len(state.position.of(BLUE))


def red_units(state: State[Position]) -> int:
    return len(state.position.of(RED))


def test_an_expectation_weighs_every_fall_of_the_dice() -> None:
    view = TOY.view(shot_at(), BLUE)
    assert expectation(TOY, view, Pass(), blue_units) == Fraction(5, 2)
    assert expectation(TOY, view, Dodge(), blue_units) == 3


def test_an_expectation_is_a_mean_of_throws_when_the_dice_can_fall_in_too_many_ways() -> None:
    view = TOY.view(shot_at(), BLUE)
    # the die of a shot falls in six ways, half of which hit; the first three of them would all be misses
    assert expectation(TOY, view, Pass(), blue_units, leaves=6) == Fraction(5, 2)
    throws = expectation(TOY, view, Pass(), blue_units, leaves=5)
    assert throws in {Fraction(hits, 5) for hits in range(11, 15)}
    assert expectation(TOY, view, Pass(), blue_units, leaves=5) == throws


def test_an_expectation_can_be_of_a_world_that_the_side_imagines() -> None:
    view, order = TOY.view(red_to_move(), RED), Move(UnitId(3), HexId(6))
    assert expectation(TOY, view, order, red_units) == 3
    worlds = [TOY.imagine(view, DiceKey("imagined", n)) for n in range(40)]
    ambushed = [world for world in worlds if world.position.at(HexId(6)) is not None]
    assert 0 < len(ambushed) < len(worlds)
    assert {expectation(TOY, view, order, red_units, state=world) for world in ambushed} == {3 - toy.AMBUSH}


class Continuous(toy.Toy):
    """A shot hits when a uniform number is below three tenths."""

    def resolve(self, resolution: Resolution[Position], side: SideId, order: Order) -> None:
        if resolution.uniform("TOY-8", UnitId(3)) < 0.3:
            resolution.emit(toy.Lost(UnitId(5)))


def test_the_expectation_of_a_uniform_number_is_a_mean_of_throws() -> None:
    mean = expectation(Continuous(), TOY.view(red_to_move(), RED), SHOT, blue_units)
    # red knows of one blue unit and hits it three times in ten
    assert abs(float(mean) - 0.7) < 0.2
