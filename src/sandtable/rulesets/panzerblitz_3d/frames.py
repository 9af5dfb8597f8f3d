"""The levels that play can be at; the innermost is last in a state's flow."""

from __future__ import annotations

from sandtable.kernel.events import Frame
from sandtable.kernel.ids import NOWHERE, HexId, SideId, UnitId
from sandtable.rulesets.panzerblitz_3d.orders import OverrunRun


class SetupFrame(Frame, frozen=True):
    """A side places its units; the sides after it follow in order (PB3-1303)."""

    side: SideId
    then: tuple[SideId, ...] = ()


class StepFrame(Frame, frozen=True):
    """A step of the game turn (PB3-501 to PB3-507)."""

    step: str


class Journey(Frame, frozen=True):
    """A unit is on its way along the rest of a path; `overruns` is the hex it is to drive through, if any, and
    `ignored` tells that the enemy lets the rest of it go by: nobody decides while it is so, and no side is shown it.
    `behind` are the hexes that it has left, in case it can't stay where it is stopped (PB3-404).
    """

    unit: UnitId
    path: tuple[HexId, ...]
    overruns: HexId = NOWHERE
    ignored: bool = False
    behind: tuple[HexId, ...] = ()


class OpportunityWindow(Frame, frozen=True):
    """The moving unit has shown itself long enough: these enemies may fire at it now (PB3-1104)."""

    side: SideId
    unit: UnitId
    firers: tuple[UnitId, ...]


class OverrunFrame(Frame, frozen=True):
    """An overrun is under way: runs still to be driven, how far the first of them is, and who is through (PB3-1005).

    `stage` is 0 before its approach, 1 when it stands before the target hex, 2 when it has been sent through.
    """

    hex: HexId
    runs: tuple[OverrunRun, ...]
    through: tuple[UnitId, ...] = ()
    drop: tuple[UnitId, ...] = ()
    stage: int = 0


AnyFrame = SetupFrame | StepFrame | Journey | OpportunityWindow | OverrunFrame
