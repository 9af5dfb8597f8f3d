"""Staff work of the posts: orders that ask for something to be filled in, or to be confirmed, before they are given."""

from __future__ import annotations

from sandtable.kernel.decisions import Refusal
from sandtable.kernel.events import EVERYBODY, Event, Order
from sandtable.kernel.ids import UnitId
from sandtable.kernel.ruleset import Field, Selection, Target, Verb
from sandtable.kernel.state import View
from tests.kit import toy
from tests.kit.toy import Position, refuse

STAFF, POSTS, FIRE = "Staff work", "Posts", "Fire"
"""The groups of the menu."""

GROUPS = {"move": POSTS, "watch": POSTS, "shoot": FIRE}
COLORS = ("green", "red", "white")
FORM = (
    Field("color", "Color", "choice", choices=COLORS, default="green"),
    Field("times", "Times", least=1, most=3, default=1),
    Field("loud", "With a shout", "flag", default=False),
)


class Signal(Order, frozen=True):
    """Give a signal; it takes no time."""

    unit: UnitId
    color: str = "green"
    times: int = 1
    loud: bool = False


class Retire(Order, frozen=True):
    """Leave the line for good."""

    unit: UnitId


class Signaled(Event, frozen=True):
    audience = EVERYBODY

    unit: UnitId
    color: str
    times: int
    loud: bool


ORDERS = toy.ORDERS | Signal | Retire
EVENTS = toy.EVENTS | Signaled


def check(view: View[Position], order: Signal | Retire) -> Refusal | None:
    unit = view.position.unit(order.unit)
    if not any(decision.kind == "move" for decision in view.decisions) or unit is None or unit.side != view.side:
        return refuse(1, "that is no unit of yours")
    if isinstance(order, Signal) and not 1 <= order.times <= 3:
        return refuse(1, "a signal is given one to three times")
    if isinstance(order, Signal) and order.color == "white" and order.loud:
        return refuse(1, "nobody shouts with a white flare")
    return None


def verbs(view: View[Position], selection: Selection) -> tuple[Verb, ...]:
    """What the staff of one post can do."""
    own = [unit for unit in view.position.of(view.side) if unit.id in selection.units]
    if len(own) != 1 or not any(decision.kind == "move" for decision in view.decisions):
        return ()
    signal, retire = Target(Signal(own[0].id)), Target(Retire(own[0].id))
    return (
        Verb("signal", "Signal", "g", (signal,), group=STAFF, form=FORM),
        Verb("retire", "Retire", "t", (retire,), group=STAFF, confirm="the post does not come back"),
    )


def text(name: str, event: Signaled) -> str:
    """A signal in words."""
    times = {1: "once", 2: "twice", 3: "three times"}[event.times]
    return f"{name} signals {event.color} {times}{' with a shout' if event.loud else ''}."
