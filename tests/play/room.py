"""A room in one file: scouts on a line of hexes who run, wave, bid together and are hailed; all that play needs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from sandtable.kernel.decisions import Decision, Refusal
from sandtable.kernel.dice import PromptDice
from sandtable.kernel.events import EVERYBODY, Event, Frame, Order
from sandtable.kernel.forecast import Reaction
from sandtable.kernel.ids import NOWHERE, HexId, RuleId, SideId, UnitId
from sandtable.kernel.resolution import Resolution
from sandtable.kernel.ruleset import Field, Reminder, Selection
from sandtable.kernel.state import View
from sandtable.kernel.trace import Tally
from sandtable.play.orderbook import Orderbook
from sandtable.play.rows import Action, Actors, Aim, Label, Row

RED, BLUE = SideId("red"), SideId("blue")
LENGTH = 9


class Scout(msgspec.Struct, frozen=True):
    id: UnitId
    side: SideId
    hex: HexId = NOWHERE
    tired: bool = False


class Line(msgspec.Struct, frozen=True):
    """The position."""

    scouts: tuple[Scout, ...] = ()
    kites: tuple[Scout, ...] = ()


class Run(Order, frozen=True):
    unit: UnitId
    to: HexId


class Enter(Order, frozen=True):
    unit: UnitId
    to: HexId


class Wave(Order, frozen=True):
    units: tuple[UnitId, ...]
    to: HexId
    times: int = 1


class Fly(Order, frozen=True):
    kite: UnitId
    to: HexId


class Sing(Order, frozen=True):
    pass


class Rest(Order, frozen=True):
    pass


class Hail(Order, frozen=True):
    whom: UnitId


class Sang(Event, frozen=True):
    audience = EVERYBODY


class Day(Frame, frozen=True):
    pass


class Meeting(Frame, frozen=True):
    by: UnitId = UnitId(3)


def refuse(number: int, reason: str) -> Refusal:
    return Refusal(RuleId(f"L-{number}"), reason)


def scout(position: Line, id: UnitId) -> Scout:
    return next(one for one in position.scouts if one.id == id)


def check_run(position: Line, side: SideId, order: Run) -> Refusal | None:
    runner = scout(position, order.unit)
    if runner.tired:
        return refuse(2, "it is tired")
    return None if 0 < abs(runner.hex - order.to) <= 2 and 0 < order.to <= LENGTH else refuse(3, "that is too far")


def check_wave(position: Line, side: SideId, order: Wave) -> Refusal | None:
    return None if all(abs(scout(position, id).hex - order.to) == 1 for id in order.units) else refuse(4, "not beside")


def run_options(position: Line, side: SideId, unit: Scout) -> Iterator[Order]:
    return lawful(position, side, (Run(unit.id, HexId(place)) for place in range(1, LENGTH + 1)), check_run)


def wave_options(position: Line, side: SideId, unit: Scout) -> Iterator[Order]:
    """To each hex beside the scout, alone and with all who can."""
    for place in map(HexId, (unit.hex - 1, unit.hex + 1)):
        others = tuple(one.id for one in position.scouts if one.id != unit.id and abs(one.hex - place) == 1)
        yield Wave((unit.id,), place)
        if others:
            yield Wave((unit.id, *others), place)


def lawful(position: Line, side: SideId, orders: Iterator[Any], check: Any) -> Iterator[Order]:
    return (order for order in orders if check(position, side, order) is None)


def no_resolve(resolution: Resolution[Line], side: SideId, order: Order) -> None:
    resolution.emit(Sang())


def all_of(position: Line, side: SideId, step: str) -> list[Scout]:
    return [one for one in position.scouts if one.side == side]


SCOUTS: Actors[Line] = Actors(all_of, lambda position, ids: [one for one in position.scouts if one.id in ids])
KITES: Actors[Line] = Actors(
    lambda position, side, step: position.kites,
    lambda position, ids: [one for one in position.kites if one.id in ids],
    must_be_picked=False,
)


def fly_options(position: Line, side: SideId, kite: Scout) -> Iterator[Order]:
    if kite.side == side:
        yield Fly(kite.id, HexId(5))


def fly_offers(position: Line, side: SideId, kite: Scout) -> Iterator[Order]:
    return (Fly(kite.id, HexId(place)) for place in range(1, LENGTH + 1))


def verb(key: str, number: int, **more: Any) -> Action[Line]:
    return Action(key=key, title=key.title(), hotkey=key[0], rule=f"L-{number}", nothing=f"nothing to {key}", **more)


def first(dice: PromptDice, orders: Iterator[Order]) -> Order | None:
    return next(orders, None)


def spared(position: Line, side: SideId, order: Wave) -> Iterator[Order]:
    """Of three or more, all but the last."""
    if len(order.units) > 2:
        yield Wave(order.units[:-1], order.to)


ROWS: tuple[Row[Line], ...] = (
    Row(
        order=Run, steps=("day",), check=check_run, resolve=no_resolve, words=lambda p, x: f"run {x.unit} to {x.to}",
        by=SCOUTS, options=run_options, pick=lambda p, side, unit, dice: first(dice, run_options(p, side, unit)),
        explain=lambda p, side, x: (Tally("Way", abs(scout(p, x.unit).hex - x.to)),),
        aim=lambda p, x: Aim(x.to, path=(x.to,), actors=(x.unit,)),
        led=lambda p, side, unit, way: (Run(unit.id, place) for place in way),
        point=lambda p, side, units, target: Run(units[0].id, target.hex),
        verb=verb(
            "run", 3, bars=lambda p, side, unit: refuse(2, "it is tired") if unit.tired else None,
            suits=lambda p, unit: bool(unit.hex),
        ),
    ),
    Row(
        order=Enter, steps=("day",), resolve=no_resolve, words=lambda p, x: f"enter {x.unit} at {x.to}",
        by=SCOUTS, options=lambda p, side, unit: iter(() if unit.hex else (Enter(unit.id, HexId(1)),)), enters=True,
        aim=lambda p, x: Aim(x.to), point=lambda p, side, units, target: refuse(6, "only at 1"),
        verb=verb("enter", 6, suits=lambda p, unit: not unit.hex, left="waits outside"),
    ),
    Row(
        order=Wave, steps=("day", "night"), check=check_wave, resolve=no_resolve, words=lambda p, x: "wave",
        by=SCOUTS, options=wave_options, together="units", on_paper=True, fewer=spared,
        later=lambda view, x: (Reaction(view.side, x.units, x.to, "they may wave back", (), ()),),
        warns=lambda p, side, x: "nobody is there" if all(one.hex != x.to for one in p.scouts) else "",
        aim=lambda p, x: Aim(x.to, tuple(one.id for one in p.scouts if one.hex == x.to), actors=x.units),
        point=lambda p, side, units, target: Wave(tuple(unit.id for unit in units), target.hex),
        verb=verb(
            "wave", 4, checked=lambda p, unit: unit.tired, label=lambda p, side, x: Label("far", "!", f"{x.units}"),
            form=lambda p, side, units: (Field("times", "Times", least=1, most=3, default=2),),
        ),
    ),
    Row(
        order=Fly, steps=("day",), resolve=no_resolve, words=lambda p, x: f"fly to {x.to}",
        by=KITES, options=fly_options, offers=fly_offers, aim=lambda p, x: Aim(x.to),
        point=lambda p, side, kites, target: Fly(kites[0].id, target.hex), verb=verb("fly", 7),
    ),
    Row(
        order=Sing, steps=("day",), resolve=no_resolve, words=lambda p, x: "sing",
        options=lambda p, side: iter((Sing(),)), point=lambda p, side, nobody, target: Sing(),
        verb=verb("sing", 8, suits=lambda p, nobody: bool(p.kites)),
    ),
    Row(
        order=Hail, steps=("meeting",), resolve=no_resolve, words=lambda p, x: "hail",
        options=lambda p, side, frame: iter((Hail(frame.by),)), reacts=True,
        point=lambda p, side, nobody, target: Hail(UnitId(0)), verb=verb("hail", 9),
    ),
    Row(
        order=Rest, steps=("day", "night", "meeting"), resolve=no_resolve, words=lambda p, x: "rest",
        options=lambda p, side: iter((Rest(),) if p.scouts else ()), point=lambda p, side, nobody, target: Rest(),
        verb=verb(
            "zzz", 1, closes=True, titled=lambda view: f"Rest: {view.decisions[0].kind}",
            bars=lambda p, side, nobody: None if p.scouts else refuse(1, "nobody is there to rest"),
        ),
    ),
)  # fmt: skip

BOOK: Orderbook[Line] = Orderbook(
    ROWS,
    not_yet=refuse(1, "the other side decides"),
    not_yours=refuse(1, "that is not yours"),
    is_on=lambda position, place: 0 < place <= LENGTH,
    likely=all_of,
    idle=all_of,
    named=lambda position, id: f"scout {id}",
    losses=lambda position, side, step: (
        (Reminder("The kites fly away", RuleId("L-7"), lost=True),) if step == "night" and position.kites else ()
    ),
)


def view(position: Line, *steps: str, side: SideId = RED) -> View[Line]:
    """What a side sees that has these decisions open."""
    decisions = tuple(Decision(side, step, RuleId(f"L-{len(step)}")) for step in steps)
    flow = (Day(), Meeting()) if "meeting" in steps else (Day(),)
    return View(side, 1, position, flow, decisions)


def picked(*ids: int) -> Selection:
    return Selection(tuple(map(UnitId, ids)))


def at(place: int, *ids: int) -> Selection:
    return Selection(tuple(map(UnitId, ids)), HexId(place))


def red(id: int, place: int = 0, **more: Any) -> Scout:
    return Scout(UnitId(id), RED, HexId(place), **more)


def blue(id: int, place: int = 0) -> Scout:
    return Scout(UnitId(id), BLUE, HexId(place))
