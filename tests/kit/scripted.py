"""Dice that fall as written, and a test that fails when one of them was not thrown."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

import pytest

from sandtable.kernel.dice import ScriptedDice


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
