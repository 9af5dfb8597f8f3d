"""The levels that play can be at; the innermost is last in a state's flow."""

from __future__ import annotations

from sandtable.kernel.events import Frame
from sandtable.kernel.ids import NOWHERE, HexId, SideId, UnitId


class SetupFrame(Frame, frozen=True):
    """A side places its units; the others after it (P44-14.01)."""

    side: SideId
    then: tuple[SideId, ...] = ()


class StepFrame(Frame, frozen=True):
    """A step of the Game-Turn (P44-5.01)."""

    step: str = ""


class Journey(Frame, frozen=True):
    """A unit is on its way along the rest of a path.

    `then` is what it does at the end of it: nothing, bolt on in a direction, overrun the hex `target`, or leave the
    map; `left` is what a bolting unit may still spend. `ignored` tells that the enemy lets the rest of the move pass.
    """

    unit: UnitId
    path: tuple[HexId, ...]
    then: str = ""
    target: HexId = NOWHERE
    direction: int = -1
    left: int = 0
    ignored: bool = False


class OpportunityFrame(Frame, frozen=True):
    """Enemies of a mover may fire at it (P44-8.03)."""

    side: SideId


AnyFrame = SetupFrame | StepFrame | Journey | OpportunityFrame
