"""The workbench on which a ruleset carries out one order."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Generic, TypeVar

from sandtable.kernel.dice import Dice, DrawnDice
from sandtable.kernel.events import Event, Frame
from sandtable.kernel.ids import NOBODY, RuleId, UnitId
from sandtable.kernel.state import State
from sandtable.kernel.telling import Telling

P = TypeVar("P")

RUNAWAY = 20_000
"""More events than any lawful order can cause: beyond it the ruleset is in a loop."""


class RunawayError(Exception):
    """A ruleset emitted events or advanced without end."""


class Resolution(Generic[P]):
    """The state being changed: `emit` is the one way to change the world, `roll`, `chance` and `uniform` the door for
    chance.
    """

    __slots__ = ("_apply", "_telling", "dice", "events", "flow", "position")

    def __init__(
        self, state: State[P], dice: Dice, apply: Callable[[P, Event], P], telling: Telling[P] | None = None
    ) -> None:
        self.position = state.position
        self.flow = list(state.flow)
        self.dice = DrawnDice(dice)
        self.events: list[Event] = []
        self._apply = apply
        self._telling = telling

    def emit(self, event: Event) -> None:
        """The event has happened, the position shows it, and every viewer is told what he may know of it."""
        if len(self.events) >= RUNAWAY:
            raise RunawayError(f"more than {RUNAWAY} events in one order, the last {event!r}")
        before = self.position
        self.position = self._apply(before, event)
        self.events.append(event)
        if self._telling is not None:
            self._telling.tell(event, before, self.position)

    def roll(self, rule: RuleId | str, actor: UnitId = NOBODY, sides: int = 6) -> int:
        """One die, thrown for that unit because that rule says so."""
        return self.dice.roll(rule, actor, sides)

    def chance(self, p: Fraction, rule: RuleId | str, actor: UnitId = NOBODY) -> bool:
        """True with exactly probability p."""
        return self.dice.chance(p, rule, actor)

    def uniform(self, rule: RuleId | str, actor: UnitId = NOBODY) -> float:
        """A number from 0 up to but not 1, each of 2**53 equally likely, for rules with continuous formulas."""
        return self.dice.uniform(rule, actor)

    @property
    def top(self) -> Frame:
        """The frame that play is in."""
        return self.flow[-1]

    def push(self, frame: Frame) -> None:
        """Play goes one level deeper and comes back here afterwards."""
        self.flow.append(frame)

    def pop(self) -> Frame:
        """The innermost level is over."""
        return self.flow.pop()

    def goto(self, frame: Frame) -> None:
        """The innermost level has become another."""
        self.flow[-1] = frame
