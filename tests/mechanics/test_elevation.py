"""The words of a target elevation table, and lines that one hex alone can block."""

from __future__ import annotations

from sandtable.geometry.board import Board
from sandtable.geometry.sight import BLOCKS, BLOCKS_BESIDE_LOWER, BLOCKS_NEAR_LOWER, CLEAR, ONE_ALLOWED
from sandtable.mechanics.elevation import EFFECTS, ELEVATIONS, past_hex


def test_every_word_of_the_table_has_its_effect() -> None:
    assert dict(EFFECTS) == {
        "B": BLOCKS,
        "behind_lower": BLOCKS_BESIDE_LOWER,
        "near_ground": BLOCKS_NEAR_LOWER,
        "O1": ONE_ALLOWED,
        ".": CLEAR,
    }
    assert dict(ELEVATIONS) == {"ground": 0, "slope": 1, "hilltop": 2}


def test_what_lies_in_a_hex_blocks_lines_through_it_and_no_others() -> None:
    board = Board.build("line", 1, 5)
    one, two, three, four, five = (board.hex_at(0, row) for row in range(5))
    past = past_hex(board, three)
    assert not past.sees(one, five)
    assert not past.sees(two, four)
    assert past.sees(one, two)
    assert past.sees(one, three)
