"""The whole of a battle at one moment."""

from __future__ import annotations

from typing import Generic, TypeVar

import msgspec

from sandtable.kernel.decisions import Decision
from sandtable.kernel.dice import DiceKey
from sandtable.kernel.events import Frame
from sandtable.kernel.ids import SideId

P = TypeVar("P")


class State(msgspec.Struct, Generic[P], frozen=True):
    """Everything on the table, the sequence of play as a stack of frames, and where the dice stand."""

    position: P
    flow: tuple[Frame, ...]
    dice: DiceKey


class View(msgspec.Struct, Generic[P], frozen=True):
    """What one side may know: the table as it believes it to be, and the decisions open to it."""

    side: SideId
    turn: int
    position: P
    flow: tuple[Frame, ...]
    decisions: tuple[Decision, ...]


class Outcome(msgspec.Struct, frozen=True):
    """How a battle ended: the winner (None for a draw), how clearly, and the reasons."""

    winner: SideId | None
    level: str
    reasons: tuple[str, ...] = ()
