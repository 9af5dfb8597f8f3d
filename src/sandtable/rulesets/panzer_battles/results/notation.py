"""How much of an enemy's strength is shown, and what a player makes of it."""

from __future__ import annotations


def notation(strength: int) -> str:
    """A strength as the enemy sees it: a cross for each digit.

    Rules: PB-UNIT-16, PB-UNIT-17.
    """
    return "X" * len(str(strength))


def least(strength: int) -> int:
    """The least of all strengths that look the same to the enemy."""
    return int("1".ljust(len(str(strength)), "0"))


def midpoint(strength: int) -> int:
    """The middle of all strengths that look the same to the enemy, halves rounded up.

    Rules: PB-CRT-21.
    """
    return 11 * least(strength) // 2
