"""The whole of a battle at one moment, and an order that led from one to the next."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Generic, NamedTuple, TypeVar

import msgspec

from sandtable.kernel import codec
from sandtable.kernel.decisions import Decision
from sandtable.kernel.events import DiceKey, Draw, Event, Frame, Order
from sandtable.kernel.ids import SideId

P = TypeVar("P")


class Knowledge(codec.Unwritten, Generic[P]):
    """The position as each viewer knows it, folded from what he was told; a viewer nobody tells anything has none."""

    __slots__ = ("positions",)

    def __init__(self, positions: Mapping[SideId, P] | None = None) -> None:
        self.positions: Mapping[SideId, P] = positions or {}


class State(msgspec.Struct, Generic[P], frozen=True):
    """Everything on the table, the sequence of play as a stack of frames, and where the dice stand.

    `known` could be made again from the position but for what viewers remember; and telling what happened is quicker.
    """

    position: P
    flow: tuple[Frame, ...]
    dice: DiceKey
    known: Knowledge[P] = Knowledge()


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


class Told(NamedTuple):
    """An event as a viewer was told it, and the position as he knows it from then on."""

    event: Event
    known: Any


class Played(msgspec.Struct, Generic[P], frozen=True):
    """One order as it was carried out: the state after it, the dice, the events, and what each viewer was told."""

    state: State[P]
    side: SideId | None
    order: Order | None
    draws: tuple[Draw, ...]
    events: tuple[Event, ...]
    told: Mapping[SideId, tuple[Told, ...]] = {}
