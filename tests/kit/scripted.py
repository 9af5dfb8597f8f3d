"""Dice that fall as written, and a test that fails when one of them was not thrown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Protocol

import pytest

from sandtable.kernel.dice import DiceError
from sandtable.kernel.ids import UnitId


class ScriptedDice:
    """Dice that fall as written; running short is an error."""

    def __init__(self, faces: Iterable[int]) -> None:
        self.faces = list(faces)

    def face(self, sides: int, actor: UnitId) -> int:
        if not self.faces:
            raise DiceError(f"the scripted dice ran short: a d{sides} was asked for")
        face = self.faces.pop(0)
        if not 1 <= face <= sides:
            raise DiceError(f"the scripted dice say {face}, but the die has {sides} sides")
        return face


class Script(Protocol):
    """`scripted(3, 6)` makes dice that show 3, then 6."""

    def __call__(self, *faces: int) -> ScriptedDice: ...


@pytest.fixture
def scripted() -> Iterator[Script]:
    """Makes scripted dice; at the end of the test every face must have been thrown."""
    made: list[ScriptedDice] = []

    def script(*faces: int) -> ScriptedDice:
        made.append(ScriptedDice(faces))
        return made[-1]

    yield script
    left = [dice.faces for dice in made if dice.faces]
    if left:
        pytest.fail(f"scripted dice were not thrown: {left}")
