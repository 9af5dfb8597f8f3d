"""The row of an order: all that a room says of one kind of order, and the verb under which a player meets it.

A row says in which steps an order is given, how it is judged, carried out and explained, which orders of its kind are
open to whoever is to act, and how a player meets it: the verb, its words, and what pointing at the map means.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

import msgspec

from sandtable.kernel.decisions import Refusal
from sandtable.kernel.dice import PromptDice
from sandtable.kernel.events import Order
from sandtable.kernel.forecast import Reaction
from sandtable.kernel.ids import NOWHERE, HexId, SideId, UnitId
from sandtable.kernel.resolution import Resolution
from sandtable.kernel.ruleset import Field, Selection
from sandtable.kernel.state import View
from sandtable.kernel.trace import Tally

P = TypeVar("P")


class Actor(Protocol):
    """A piece that can be given orders: a unit, an aircraft."""

    @property
    def id(self) -> UnitId: ...

    @property
    def side(self) -> SideId: ...

    @property
    def hex(self) -> HexId: ...


class Actors(msgspec.Struct, Generic[P], frozen=True):
    """A sort of piece that acts: everybody of a side who may have something to do in a step, and those among picked
    pieces. A verb of pieces that must be picked is silent until one is; otherwise it is for all of them.
    """

    everybody: Callable[[P, SideId, str], Iterable[Any]]
    picked: Callable[[P, tuple[UnitId, ...]], list[Any]]
    must_be_picked: bool = True


class Aim(NamedTuple):
    """What an order is about on the map: the hex and the pieces it is aimed at, a direction, the way, who acts, and
    the hex to point at next where that alone tells orders apart.
    """

    hex: HexId = NOWHERE
    units: tuple[UnitId, ...] = ()
    side: int | None = None
    path: tuple[HexId, ...] = ()
    actors: tuple[UnitId, ...] = ()
    then: HexId = NOWHERE

    def covers(self, target: Selection) -> bool:
        """Whether pointing there means this order; an order that is aimed at nothing is meant wherever one points."""
        if not self.hex and not self.units:
            return True
        if self.hex != target.hex:
            return False
        return not target.units or not self.units or any(id in self.units for id in target.units)


def standing(pieces: Sequence[Actor], *who: UnitId) -> Aim:
    """An order that is carried out where those who do it stand, or the first of them."""
    return Aim(pieces[who[0]].hex, actors=who)


def never_picked(position: Any, side: SideId, actor: Any, dice: PromptDice) -> None:
    """Random players never give the order."""
    return


def lawful(position: Any, side: SideId, order: Any) -> None:
    """An order that is lawful whenever its step is open."""
    return


def unexplained(position: Any, side: SideId, order: Any) -> tuple[Tally, ...]:
    """An order with no odds to explain."""
    return ()


def everyone(position: Any, actor: Any) -> bool:
    """The verb could mean something to anybody."""
    return True


def any_side(position: Any, side: SideId) -> bool:
    """Any side could use the verb."""
    return True


def nobody(position: Any, actor: Any) -> bool:
    """No verb of the kind is ever checked."""
    return False


def unbarred(position: Any, side: SideId, actor: Any) -> None:
    """Nothing in the actor itself stands in the way."""
    return


class Label(NamedTuple):
    """What is told beside a target: a short annotation, a few characters for the map, and what tells it from the other
    targets of its hex.
    """

    note: str = ""
    brief: str = ""
    choice: str = ""


UNLABELED = Label()


def unlabeled(position: Any, side: SideId, order: Any) -> Label:
    """Nothing to tell beside it."""
    return UNLABELED


def unwarned(position: Any, side: SideId, order: Any) -> str:
    """Nothing speaks against what is lawful."""
    return ""


def no_sequel(view: Any, order: Any) -> tuple[Reaction, ...]:
    """No dice fall for it later."""
    return ()


def no_fewer(position: Any, side: SideId, order: Any) -> Iterable[Order]:
    """Nobody is spared."""
    return ()


def no_form(position: Any, side: SideId, actors: Any) -> tuple[Field, ...]:
    """Nothing to fill in."""
    return ()


def no_aim(position: Any, order: Any) -> Aim:
    """The order is aimed at nothing."""
    return Aim()


class Action(msgspec.Struct, Generic[P], frozen=True, kw_only=True):
    """A verb as the menu shows it."""

    key: str
    title: str
    hotkey: str
    rule: str
    """The rule cited when there is nothing to point at, with the reason in `nothing`."""
    nothing: str
    group: str = ""
    closes: bool = False
    """Whether the order ends the step."""
    suits: Callable[[P, Any], bool] = everyone
    """Whether the verb could ever mean anything to the actor; the menu is silent about it otherwise."""
    offered: Callable[[P, SideId], bool] = any_side
    """Whether the side could ever use the verb in this battle; the menu is silent about it otherwise."""
    bars: Callable[[P, SideId, Any], Refusal | None] = unbarred
    """What in the actor itself stands in the way, whatever it is aimed at."""
    checked: Callable[[P, Any], bool] = nobody
    """Whether the actor is at it already."""
    form: Callable[[P, SideId, Any], tuple[Field, ...]] = no_form
    """What there is to fill in, given those who act."""
    label: Callable[[P, SideId, Any], Label] = unlabeled
    """What is told beside a target."""
    left: str = ""
    """What a unit can still do while it has not done this: "can still fire"."""
    titled: Callable[[View[P]], str] | None = None
    """The title, where it depends on the moment."""


class Row(msgspec.Struct, Generic[P], frozen=True, kw_only=True):
    """One kind of order. `options` and `offers` are asked with an actor, for an order of the side with none, and for a
    reaction with the frame that it answers.
    """

    order: type[Order]
    steps: tuple[str, ...]
    """The kinds of decision that the order can answer."""
    check: Callable[[P, SideId, Any], Refusal | None] = lawful
    resolve: Callable[[Resolution[P], SideId, Any], None]
    explain: Callable[[P, SideId, Any], tuple[Tally, ...]] = unexplained
    words: Callable[[P, Any], str]
    """The order as one short line."""
    by: Actors[P] | None = None
    """Who is given the order; None for the side as such."""
    reacts: bool = False
    """Whether the order answers the innermost frame, which its options are then asked with."""
    options: Callable[..., Iterator[Order]]
    """Lawful orders of the kind, as they are asked for."""
    offers: Callable[..., Iterator[Order]] | None = None
    """All that a menu offers to a picked actor, where that is more than a computer player need try."""
    pick: Callable[[P, SideId, Any, PromptDice], Order | None] | None = None
    """A quicker way to a random order than choosing among the options."""
    enters: bool = False
    """Whether it is for actors that are not on the table yet."""
    together: str = ""
    """The field that names all who act together, if several can."""
    fewer: Callable[[P, SideId, Any], Iterable[Order]] = no_fewer
    """Of an order of several, what some of them can do without the others and is worth doing."""
    by_hand: bool = False
    """Whether people alone give it: of an order that no piece need be picked for, no computer player is told."""
    on_paper: bool = False
    """Whether the order only writes something down, so that taking it back is never a look at the truth."""
    later: Callable[[View[P], Any], tuple[Reaction, ...]] = no_sequel
    """The dice it leads to later, if all stays as it is."""
    warns: Callable[[P, SideId, Any], str] = unwarned
    """What speaks against it although it is lawful: it is in vain, or costs more than it seems."""
    led: Callable[[P, SideId, Any, tuple[HexId, ...]], Iterator[Order]] | None = None
    """The orders of an actor whose way leads through hexes to the last of them, lawful or not; None without a way."""
    aim: Callable[[P, Any], Aim] = no_aim
    point: Callable[[P, SideId, Any, Selection], Order | Refusal]
    """The order that those who act would give by pointing there, lawful or not."""
    verb: Action[P]
