"""Numbers that explain themselves."""

from __future__ import annotations

from fractions import Fraction

import pytest

from sandtable.kernel import codec
from sandtable.kernel.ids import RuleId
from sandtable.kernel.trace import Amount, Line, Tally, amount


@pytest.mark.parametrize(
    ("number", "shown"),
    [(3, 3), (0, 0), (Fraction(6, 2), 3), (Fraction(27, 2), "27/2"), (Fraction(-1, 3), "-1/3"), (Fraction(0), 0)],
)
def test_a_number_is_whole_or_an_exact_fraction(number: int | Fraction, shown: Amount) -> None:
    assert amount(number) == shown
    assert type(amount(number)) is type(shown)


def test_a_tally_is_the_same_after_json() -> None:
    tally = Tally("odds", "2-1", (Line("attack", "27/2", RuleId("TOY-8")), Line("defense", 6, RuleId("TOY-8"))))
    assert codec.decode(codec.encode(tally), Tally) == tally
