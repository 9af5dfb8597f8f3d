"""Odds at every boundary, against numbers written down by hand."""

from fractions import Fraction

import pytest

from sandtable.mechanics.odds import odds_ratio, odds_text, shifted

COLUMNS = ("1-4", "1-3", "1-2", "1-1", "2-1", "3-1", "4-1")


@pytest.mark.parametrize(
    ("attack", "defense", "odds"),
    [
        (40, 10, "4-1"),
        (41, 10, "4-1"),
        (400, 10, "4-1"),
        (39, 10, "3-1"),
        (Fraction(79, 2), 10, "3-1"),
        (30, 10, "3-1"),
        (29, 10, "2-1"),
        (20, 10, "2-1"),
        (19, 10, "1-1"),
        (10, 10, "1-1"),
        (Fraction(27, 2), 13, "1-1"),
        (Fraction(25, 2), 13, "1-2"),
        (9, 10, "1-2"),
        (5, 10, "1-2"),
        (Fraction(19, 4), 10, "1-3"),
        (4, 10, "1-3"),
        (Fraction(10, 3), 10, "1-3"),
        (3, 10, "1-4"),
        (Fraction(5, 2), 10, "1-4"),
        (Fraction(9, 4), 10, "1-5"),
        (1, 10, "1-10"),
        (1, 1, "1-1"),
        (Fraction(1, 8), 1, "1-8"),
    ],
)
@pytest.mark.rule("PL-831")
def test_the_ratio_is_rounded_in_favor_of_the_defender(attack: int | Fraction, defense: int, odds: str) -> None:
    assert odds_text(odds_ratio(attack, defense, best=4)) == odds


@pytest.mark.parametrize(("best", "ratio"), [(4, 4), (6, 6), (10, 10)])
def test_the_best_column_is_the_systems_own(best: int, ratio: int) -> None:
    assert odds_ratio(1000, 10, best) == ratio


@pytest.mark.parametrize("attack", [0, Fraction(-1, 2)])
def test_nothing_has_no_odds(attack: int | Fraction) -> None:
    with pytest.raises(ValueError, match="above 0"):
        odds_ratio(attack, 3, best=4)


@pytest.mark.parametrize(
    ("column", "right", "found"),
    [
        ("1-4", 1, "1-3"),
        ("1-2", 1, "1-1"),
        ("1-1", 1, "2-1"),
        ("1-1", 2, "3-1"),
        ("4-1", 1, "4-1"),
        ("3-1", 3, "4-1"),
        ("2-1", 0, "2-1"),
    ],
)
def test_a_shift_goes_right_and_stops_at_the_last_column(column: str, right: int, found: str) -> None:
    assert shifted(COLUMNS, column, right) == found
