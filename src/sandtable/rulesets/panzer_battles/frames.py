"""The levels that play can be at: there are no phases inside a player turn (PB-GEN-5)."""

from __future__ import annotations

from sandtable.kernel.events import Frame


class StepFrame(Frame, frozen=True):
    """A step of a player turn (PB-TURN-1)."""

    step: str = ""


AnyFrame = StepFrame
