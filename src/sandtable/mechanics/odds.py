"""Odds ratios: attack strength against defense strength, reduced to a column of a results table."""

from __future__ import annotations

from fractions import Fraction


def odds_ratio(attack: int | Fraction, defense: int, best: int) -> int:
    """The ratio in the defender's favor reduced to n-1 (as n, at most `best`) or to 1-n (as -n), fractions lost by
    the attacker.

    1-1 is 1; there is no 0 and no -1.
    """
    # in whole numbers, since a Fraction takes ten times as long to compare or divide
    if attack.numerator <= 0:
        raise ValueError("odds need an attack strength above 0")
    attackers, defenders = attack.numerator, defense * attack.denominator
    if attackers >= defenders:
        return min(best, attackers // defenders)
    return -defenders // attackers  # rounded away from 0, against the attacker


def odds_text(ratio: int) -> str:
    """The ratio as it heads a column: "3-1" or "1-2"."""
    return f"{ratio}-1" if ratio > 0 else f"1-{-ratio}"


def shifted(columns: tuple[str, ...], column: str, right: int) -> str:
    """The column that many places to the right, stopping at the last."""
    return columns[min(len(columns) - 1, columns.index(column) + right)]
