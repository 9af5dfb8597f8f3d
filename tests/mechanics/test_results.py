"""A results table: cells, and dice beyond its rows."""

import pytest

from sandtable.mechanics.results import ResultsTable

TABLE = ResultsTable(("1-1", "2-1"), {0: ("a", "b"), 1: ("c", "d"), 2: ("e", "f")})


@pytest.mark.parametrize(
    ("column", "die", "result"),
    [
        ("1-1", 0, "a"),
        ("2-1", 0, "b"),
        ("1-1", 1, "c"),
        ("2-1", 1, "d"),
        ("1-1", 2, "e"),
        ("2-1", 2, "f"),
        ("1-1", -1, "a"),
        ("2-1", -7, "b"),
        ("1-1", 3, "e"),
        ("2-1", 12, "f"),
    ],
)
def test_a_cell_is_found_by_column_and_die_and_dice_beyond_fall_on_the_outermost_row(
    column: str, die: int, result: str
) -> None:
    assert TABLE.result(column, die) == result


@pytest.mark.parametrize(("die", "row"), [(-5, 0), (0, 0), (1, 1), (2, 2), (9, 2)])
def test_the_die_is_clamped(die: int, row: int) -> None:
    assert TABLE.clamped(die) == row
