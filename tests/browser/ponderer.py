"""A computer player for tests of waiting."""

from __future__ import annotations

from threading import Event
from typing import Any

from sandtable.kernel.decisions import Decision
from sandtable.kernel.dice import PromptDice
from sandtable.kernel.events import Order
from sandtable.kernel.state import View


class Ponderer:
    """A computer player that never comes to an end by itself."""

    def __init__(self, ruleset: Any, doctrine: Any) -> None:
        self._ruleset = ruleset
        self._doctrine = doctrine

    def choose(self, view: View[Any], decision: Decision, budget: int, dice: PromptDice) -> Order:
        pause = Event()
        while True:
            # looking at the doctrine is what hears that nobody waits any more
            self._doctrine.value(self._ruleset.believed(view), view)
            pause.wait(0.02)
