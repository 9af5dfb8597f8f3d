"""The levels that play can be at; the innermost is last in a state's flow."""

from __future__ import annotations

from sandtable.kernel.events import Frame
from sandtable.kernel.ids import NOBODY, NOWHERE, HexId, SideId, UnitId


class SetupFrame(Frame, frozen=True):
    """A side sets up in its zone, and then the others do (P8-4.01)."""

    side: SideId
    then: tuple[SideId, ...] = ()


class StepFrame(Frame, frozen=True):
    """A phase of the active player's turn (P8-4.01)."""

    step: str = ""


class CardFrame(Frame, frozen=True):
    """A card was drawn that a player has to choose for (P8-4.02)."""

    card: str
    side: SideId


class Journey(Frame, frozen=True):
    """An element is on its way along the rest of a path.

    `then` is what it does at the end of it: nothing, fire, hunt, charge or overrun, against `target` with `ammo`.
    `empty` is the last empty hex it left; `ignored` tells that the enemy lets the rest of the action pass.
    """

    unit: UnitId
    path: tuple[HexId, ...]
    facing: int
    then: str = ""
    target: UnitId = NOBODY
    ammo: str = ""
    empty: HexId = NOWHERE
    ignored: bool = False


class ReactionFrame(Frame, frozen=True):
    """The enemies of an element that gave them an occasion may react (P8-5.02)."""

    side: SideId


class AdvanceFrame(Frame, frozen=True):
    """A winner of close combat may enter the hex that the loser left (P8-11.11)."""

    side: SideId


AnyFrame = SetupFrame | StepFrame | CardFrame | Journey | ReactionFrame | AdvanceFrame
