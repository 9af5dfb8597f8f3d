"""Walking down a room's sequence of play: a table of steps, and the levels that play can be at.

A step either asks a side for decisions until that side ends it, or is done by the rules alone; a step that nobody
needs is passed over. A level is a kind of frame: what is decided at it, and how it goes on when nobody decides. A
reaction is a level like any other, pushed onto the flow while an order is carried out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Generic, TypeVar

from sandtable.kernel.decisions import Decision
from sandtable.kernel.resolution import Resolution
from sandtable.kernel.state import State
from sandtable.play.step_tables import Level, Step

P = TypeVar("P")


class Steps(Generic[P]):
    """A table of steps; `began` puts play into a step and tells so."""

    def __init__(self, table: Iterable[Step[P]], began: Callable[[Resolution[P], Step[P]], None]) -> None:
        self.table = tuple(table)
        self.by_key = {step.key: step for step in self.table}
        self._after = {step.key: self.table[place:] for place, step in enumerate(self.table, 1)}
        self._began = began

    def begin(self, resolution: Resolution[P]) -> bool:
        """The first step that somebody needs has begun; False when nobody needs any."""
        return self._begin_one(resolution, self.table)

    def go_on(self, resolution: Resolution[P], key: str) -> bool:
        """The next step that somebody needs has begun; False when the table is at its end."""
        return self._begin_one(resolution, self._after[key])

    def end(self, resolution: Resolution[P], key: str) -> bool:
        """The step is finished and the next one has begun; False when the table is at its end."""
        finish = self.by_key[key].finish
        if finish is not None:
            finish(resolution)
        return self.go_on(resolution, key)

    def _begin_one(self, resolution: Resolution[P], steps: tuple[Step[P], ...]) -> bool:
        for step in steps:
            if step.needed(resolution.position):
                self._began(resolution, step)
                if step.run is not None:
                    step.run(resolution)
                return True
        return False


class Levels(Generic[P]):
    """All levels of a room."""

    def __init__(self, *levels: Level[P]) -> None:
        self.decide = {level.frame: level.decide for level in levels}
        self._go_on = {level.frame: level.go_on for level in levels if level.go_on is not None}

    def decisions(self, state: State[P]) -> tuple[Decision, ...]:
        """The decisions open at the innermost level."""
        top = state.flow[-1]
        return self.decide[type(top)](state.position, top)

    def advance(self, resolution: Resolution[P]) -> None:
        """Play has gone one piece further at the innermost level."""
        top = resolution.top
        self._go_on[type(top)](resolution, top)
