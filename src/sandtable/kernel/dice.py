"""The one door for chance.

A draw depends only on (secret seed, order number, acting unit, ordinal of that unit's draw within the order). The
frozen mapping: BLAKE2b, keyed by the 32-byte BLAKE2b digest of the seed, over the ASCII text
"number/actor/ordinal/attempt" gives eight bytes, read as a big-endian integer n; n at or above the largest multiple of
`sides` that fits 64 bits is rejected and the attempt counts up; the face is n % sides + 1. A chance p = a/b is a draw
of b sides that succeeds on 1..a; a uniform number is (face - 1) / 2**53 of a draw of 2**53 sides.
"""

from __future__ import annotations

from fractions import Fraction
from hashlib import blake2b
from struct import Struct
from typing import Final, Protocol

from sandtable.kernel.events import DiceKey, Draw
from sandtable.kernel.ids import NOBODY, RuleId, UnitId

_SPAN: Final = 1 << 64
_WORD: Final = 1 << 32
UNIFORM: Final = 1 << 53
"""The sides of the die behind a uniform number: as many as a float can tell apart between 0 and 1."""
_WORDS: Final = Struct(">16I")


class Dice(Protocol):
    """A source of faces 1..sides."""

    def face(self, sides: int, actor: UnitId) -> int: ...


class KeyedDice:
    """Dice of a real battle: the same seed, order number and actor give the same faces on every machine."""

    __slots__ = ("_key", "_number", "_ordinals", "_seed")

    def __init__(self, key: DiceKey) -> None:
        self._seed, self._key = key.seed, b""
        self._number = key.number
        self._ordinals: dict[UnitId, int] = {}

    def face(self, sides: int, actor: UnitId) -> int:
        if not 1 <= sides <= _SPAN:
            raise DiceError(f"a die can't have {sides} sides")
        # most orders throw no dice, so the key is made only when one is thrown
        key = self._key = self._key or blake2b(self._seed.encode(), digest_size=32).digest()
        ordinal = self._ordinals.get(actor, 0)
        self._ordinals[actor] = ordinal + 1
        limit = _SPAN - _SPAN % sides
        attempt = 0
        while True:
            text = f"{self._number}/{actor}/{ordinal}/{attempt}".encode()
            n = int.from_bytes(blake2b(text, key=key, digest_size=8).digest(), "big")
            if n < limit:
                return n % sides + 1
            attempt += 1


class PromptDice:
    """A player's own dice, apart from the battle's: the same seed and number give the same choices on every machine."""

    __slots__ = ("_block", "_key", "_words")

    def __init__(self, seed: str, number: int = 0) -> None:
        self._key = f"{seed}/{number}"
        self._block = 0
        self._words: list[int] = []

    def below(self, n: int) -> int:
        """A number from 0 to n - 1, each equally likely; n is at most 2**32."""
        if not 1 <= n <= _WORD:
            raise DiceError(f"nobody can choose among {n}")
        limit = _WORD - _WORD % n
        while True:
            if not self._words:
                block = blake2b(f"{self._key}/{self._block}".encode()).digest()
                self._words = list(_WORDS.unpack(block))
                self._block += 1
            word = self._words.pop()
            if word < limit:
                return word % n


class DiceError(Exception):
    """The dice do not fit what the rules asked for."""


class DrawnDice:
    """A door that remembers: every face that passes is kept as a Draw citing its rule."""

    __slots__ = ("_dice", "draws")

    def __init__(self, dice: Dice) -> None:
        self._dice = dice
        self.draws: list[Draw] = []

    def roll(self, rule: RuleId | str, actor: UnitId = NOBODY, sides: int = 6) -> int:
        """One die of that many sides, thrown for that unit because that rule says so."""
        face = self._dice.face(sides, actor)
        self.draws.append(Draw(RuleId(rule), sides, face, actor))
        return face

    def chance(self, p: Fraction, rule: RuleId | str, actor: UnitId = NOBODY) -> bool:
        """True with exactly probability p."""
        face = self._dice.face(p.denominator, actor)
        self.draws.append(Draw(RuleId(rule), p.denominator, face, actor, f"{p.numerator}/{p.denominator}"))
        return face <= p.numerator

    def uniform(self, rule: RuleId | str, actor: UnitId = NOBODY) -> float:
        """A number from 0 up to but not 1: one die of 2**53 sides."""
        return (self.roll(rule, actor, UNIFORM) - 1) / UNIFORM
