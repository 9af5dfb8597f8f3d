"""The kit itself: drawings become boards, and unused dice fail a test."""

from __future__ import annotations

import inspect

import pytest

from sandtable.kernel.dice import DiceError
from sandtable.kernel.ids import UnitId
from tests.kit.boards import board
from tests.kit.scripted import Script, scripted

__all__ = ["scripted"]


def test_a_drawing_becomes_a_board() -> None:
    drawn = board(
        """
        . . W
         T . x
        """,
        {"x": "cliff"},
        elevation="""
        0 1 2
        3 0 0
        """,
        roads=[["0101", "0102"]],
        hexsides={"stream": ["0101-0102", "0102-0101"], "wall": ["0101-0102"]},
        features={"hill": ["0202"], "mine": ["0202"]},
    )
    assert (drawn.width, drawn.height) == (3, 2)
    assert [drawn.terrain[h] for h in drawn.hexes] == ["clear", "clear", "woods", "town", "clear", "cliff"]
    assert [drawn.elevation[h] for h in drawn.hexes] == [0, 1, 2, 3, 0, 0]
    here, there = drawn.parse("0101"), drawn.parse("0102")
    assert drawn.has_road(here, 3)
    assert drawn.side_features(here, 3) == drawn.side_features(there, 0) == {"stream", "wall"}
    assert drawn.features == {drawn.parse("0202"): {"hill", "mine"}}


def test_odd_columns_are_pushed_half_a_hex_down() -> None:
    drawn = board("...\n...")
    assert drawn.direction(drawn.parse("0201"), drawn.parse("0302")) == 2
    assert drawn.direction(drawn.parse("0101"), drawn.parse("0201")) == 2


def test_a_wrong_drawing_is_an_error() -> None:
    with pytest.raises(ValueError, match="these have"):
        board("...\n..")
    with pytest.raises(ValueError, match="cover more than the board"):
        board("..", elevation="000")
    with pytest.raises(ValueError, match="share no side"):
        board("...", hexsides={"stream": ["0101-0301"]})
    with pytest.raises(KeyError):
        board("?")


def test_scripted_dice_must_all_be_thrown() -> None:
    # the fixture's own generator, run by hand to see how it ends
    script = inspect.unwrap(scripted)()
    dice = next(script)(3, 4)
    assert dice.face(6, UnitId(1)) == 3
    with pytest.raises(pytest.fail.Exception, match=r"not thrown: \[\[4\]\]"):
        next(script)


def test_scripted_dice_may_not_run_short(scripted: Script) -> None:
    with pytest.raises(DiceError, match="ran short"):
        scripted().face(6, UnitId(1))
