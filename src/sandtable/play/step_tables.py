"""The lines of a room's sequence of play: what a step and a level are made of; `steps.py` walks them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

import msgspec

from sandtable.kernel.decisions import Decision
from sandtable.kernel.events import Frame
from sandtable.kernel.resolution import Resolution

P = TypeVar("P")


def always(position: Any) -> bool:
    """The step is needed every time."""
    return True


class Step(msgspec.Struct, Generic[P], frozen=True):
    """One line of the sequence of play.

    A step with a `prompt` asks a side to decide; one without is done by `run` alone. `run` happens when the step
    begins, `finish` when the side ends it.
    """

    key: str
    title: str
    rule: str
    prompt: str = ""
    enemy_decides: bool = False
    needed: Callable[[P], bool] = always
    run: Callable[[Resolution[P]], None] | None = None
    finish: Callable[[Resolution[P]], None] | None = None

    @property
    def is_open(self) -> bool:
        """Whether somebody decides in the step."""
        return bool(self.prompt)


def nothing(position: Any, frame: Any) -> tuple[Decision, ...]:
    """Nobody ever decides at the level."""
    return ()


class Level(msgspec.Struct, Generic[P], frozen=True):
    """A kind of frame: the decisions open at it, and how play goes on when there are none."""

    frame: type[Frame]
    decide: Callable[[P, Any], tuple[Decision, ...]] = nothing
    go_on: Callable[[Resolution[P], Any], None] | None = None
