"""On tables small enough to count, every lawful order is offered and no other, as deep as three orders."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from copy import deepcopy
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest

from sandtable import registry
from sandtable.kernel.engine import begin, submit
from sandtable.kernel.events import DiceKey, Order
from sandtable.kernel.ids import HexId, UnitId
from sandtable.kernel.state import State
from sandtable.rulesets.panzer8.orderbook import BOOK as P8_BOOK
from sandtable.rulesets.panzer8.orders import MoveAndFire
from sandtable.rulesets.panzer8.sight import facing_toward
from sandtable.rulesets.panzer_44 import orders as p44_orders
from sandtable.rulesets.panzer_44 import plotting
from sandtable.rulesets.panzer_44.model import Plot
from sandtable.rulesets.panzer_44.orderbook import BOOK as P44_BOOK
from sandtable.rulesets.panzer_battles.orderbook import BOOK as PB_BOOK
from sandtable.rulesets.panzer_battles.orders import Move
from sandtable.rulesets.panzer_leader import victory
from sandtable.rulesets.panzer_leader.model import Position
from sandtable.rulesets.panzer_leader.orderbook import BOOK
from sandtable.rulesets.panzer_leader.orders import LeaveMap, MoveUnit, StrikeMission
from sandtable.rulesets.panzer_leader.ruleset import PanzerLeader
from sandtable.rulesets.panzer_leader.scenario import Sections
from sandtable.rulesets.panzerblitz_3d import orders as pb3_orders
from sandtable.rulesets.panzerblitz_3d import victory as pb3_victory
from sandtable.rulesets.panzerblitz_3d.model import BatteryState
from sandtable.rulesets.panzerblitz_3d.orderbook import BOOK as PB3_BOOK
from sandtable.rulesets.panzerblitz_3d.scenario import Sections as Pb3Sections
from tests.kit.battles import must
from tests.kit.patrol import room
from tests.perft.counting import Table, lawful, offered, perft, reached
from tests.rulesets.panzer8 import table as p8
from tests.rulesets.panzer_44 import table as p44
from tests.rulesets.panzer_battles import table as pb
from tests.rulesets.panzer_leader.battles import battle, entry, opened
from tests.rulesets.panzer_leader.table import table, unit
from tests.rulesets.panzerblitz_3d import table as pb3

HERE = Path(__file__).parent
BY_LABEL = ("hex", "to")
"""The fields of an order that name a hex."""


def panzer_leader(given: dict[str, Any]) -> Table:
    """A table drawn as in the tests of the room, or, with zones, a scenario that begins with its setup."""
    given = deepcopy(given)
    rows, counters, zones = given.pop("rows"), given.pop("units"), given.pop("zones", None)
    orders, ruleset = given.pop("orders", []), PanzerLeader()
    given["sections"] = msgspec.convert(given.pop("sections", {}), Sections)
    if zones:
        entries = [entry(one.pop("kind"), one.pop("at", ""), **one) for one in counters]
        laid = opened(battle(rows, *entries, zones=zones, **given))
    else:
        laid = table(rows, *(unit(one.pop("kind"), one.pop("at", ""), **one) for one in counters), **given)
    state, board = laid.state, laid.board
    for order in orders:
        named = {key: board.parse(value) if key in BY_LABEL else value for key, value in order.items()}
        named["path"] = [board.parse(label) for label in order["path"]]
        side = ruleset.decisions(state)[0].side
        state = must(submit(ruleset, state, side, msgspec.convert(named, BOOK.orders))).state
    return Table(ruleset, BOOK, state, board, lambda position: {one.id: one.hex for one in position.units}, withheld)


def withheld(position: Position, order: Order) -> bool:
    """Nobody is offered to go round in a circle, to leave the map where that counts as a loss (PL-1504), nor, unless he
    plays by hand, to strike out what he has just written (PL-1102).
    """
    if isinstance(order, StrikeMission):
        return True
    if isinstance(order, MoveUnit):
        return order.path[-1] == position.units[order.unit].hex
    unit = position.units[order.unit] if isinstance(order, LeaveMap) else None
    return unit is not None and victory.exit_of(position, unit.side, unit.hex) is None


def night_patrol(given: dict[str, Any]) -> Table:
    """The meadow with the patrols in these hexes, in the order of the scenario."""
    ruleset = room.NightPatrol()
    opening = begin(ruleset, room.meadow(), {}, "perft").state
    board, position = opening.position.ground.board, opening.position
    for number, label in enumerate(given["patrols"]):
        position = position.put(UnitId(number), hex=HexId(board.parse(label)))
    state = State(position, opening.flow, DiceKey("perft"))
    return Table(ruleset, room.BOOK, state, board, lambda position: {one.id: one.hex for one in position.patrols})


def panzer8(given: dict[str, Any]) -> Table:
    """A table drawn as in the tests of the room."""
    given = deepcopy(given)
    rows, counters = given.pop("rows"), given.pop("units")
    laid = p8.table(rows, *(p8.element(one.pop("kind"), one.pop("at", ""), **one) for one in counters), **given)
    return Table(
        p8.RULES,
        P8_BOOK,
        laid.state,
        laid.board,
        lambda position: {one.id: one.hex for one in position.elements},
        circles,
    )


def circles(position: Any, order: Any) -> bool:
    """Nobody is offered to go round in a circle, or to look away from what he fires at."""
    path: tuple[HexId, ...] = getattr(order, "path", ())
    if isinstance(order, MoveAndFire):
        here = path[-1] if path else position.elements[order.unit].hex
        there = position.elements[order.target].hex
        if order.facing != facing_toward(position.ground.board, here, there):
            return True
    return bool(path) and bool(path[-1] == position.elements[order.unit].hex)


def panzer_44(given: dict[str, Any]) -> Table:
    """A table drawn as in the tests of the room, at the plot or, where units are plotted, in a player's movement."""
    given = deepcopy(given)
    rows, counters = given.pop("rows"), given.pop("units")
    laid = p44.on_the_move if "plotted" in given else p44.table
    given["plots"] = tuple(msgspec.convert(plot, Plot) for plot in given.pop("plots", ()))
    t = laid(rows, *(p44.unit(one.pop("kind"), one.pop("at", ""), **one) for one in counters), **given)
    return Table(
        p44.RULES,
        P44_BOOK,
        t.state,
        t.board,
        lambda position: {one.id: one.hex for one in position.units},
        unmeant,
    )


def unmeant(position: Any, order: Any) -> bool:
    """Nobody is offered fire that is wasted, shells where nobody is, what he can write for one unit after the other,
    to strike out what he has written, or to go round in a circle.
    """
    match order:
        case p44_orders.Unplot() | p44_orders.UnplotSupport():
            return True
        case p44_orders.PlotMove() | p44_orders.PlotOpportunityFire():
            return len(order.units) > 1
        case p44_orders.PlotDirectFire():
            units = [position.units[unit] for unit in order.units]
            return len(units) > 1 or plotting.in_vain(position, units[0], order.hex) is not None
        case p44_orders.PlotIndirectFire():
            return order.hex not in plotting.targets_for_shells(position, position.units[order.unit].side)
        case p44_orders.Move() | p44_orders.Overrun():
            return position.units[order.unit].hex in order.path[-1:]
    return False


def panzerblitz_3d(given: dict[str, Any]) -> Table:
    """A table drawn as in the tests of the room; the enemy's batteries and notes are as given."""
    given = deepcopy(given)
    rows, counters = given.pop("rows"), given.pop("units")
    batteries = tuple(
        msgspec.convert({"id": n, **one}, BatteryState) for n, one in enumerate(given.pop("batteries", []))
    )
    given["sections"] = msgspec.convert(given.pop("sections", {}), Pb3Sections)
    laid = pb3.table(
        rows, *(pb3.unit(one.pop("kind"), one.pop("at", ""), **one) for one in counters), batteries=batteries, **given
    )
    return Table(
        pb3.RULES,
        PB3_BOOK,
        laid.state,
        laid.board,
        lambda position: {one.id: one.hex for one in position.units},
        kept_from_players,
    )


def kept_from_players(position: Any, order: Any) -> bool:
    """Nobody is offered to go round in a circle or to leave the map where that counts as a loss; computer players write
    only what they mean, each unit and battery once, and shell only enemies and ground that counts.
    """
    match order:
        case pb3_orders.MoveUnit():
            return bool(order.path[-1] == position.units[order.unit].hex)
        case pb3_orders.LeaveMap():
            unit = position.units[order.unit]
            return pb3_victory.exit_of(position, unit.side, unit.hex) is None
        case pb3_orders.CancelPlot() | pb3_orders.CancelShot() | pb3_orders.Unassign():
            return True
        case pb3_orders.Assign():
            return len(order.units) > 1
        case pb3_orders.PlotFire():
            side = position.batteries[order.battery].side
            known = any(one.hex == order.hex and one.side != side for one in position.units)
            return not known or any(plot.battery == order.battery for plot in position.plots)
    return False


def panzer_battles(given: dict[str, Any]) -> Table:
    """A table drawn as in the tests of the room."""
    given = deepcopy(given)
    rows, counters = given.pop("rows"), given.pop("units")
    laid = pb.table(rows, *(pb.unit(one.pop("kind"), one.pop("at"), **one) for one in counters), **given)
    places = lambda position: {one.id: one.hex for one in position.units}  # noqa: E731
    return Table(pb.RULES, PB_BOOK, laid.state, laid.board, places, stacks_and_circles)


def stacks_and_circles(position: Any, order: Any) -> bool:
    """Stacks move together when a player picks them; nobody is offered to go round in a circle, to keep on firing, or
    to leave his trucks behind.
    """
    if not isinstance(order, Move):
        return type(order).__name__ in ("KeepFiring", "KeepBombarding", "GoOnFoot")
    return len(order.units) > 1 or order.path[-1] == position.units[order.units[0]].hex


ROOMS: dict[str, Callable[[dict[str, Any]], Table]] = {
    "panzer_leader": panzer_leader,
    "panzerblitz_3d": panzerblitz_3d,
    "panzer8": panzer8,
    "panzer_44": panzer_44,
    "panzer_battles": panzer_battles,
    "night_patrol": night_patrol,
}


def positions() -> list[Any]:
    """Every position of every file, as a builder of its table and its counts."""
    return [
        pytest.param(partial(build, entry), counts, id=f"{key}: {title}")
        for key, build in ROOMS.items()
        for entry in tomllib.loads((HERE / f"{key}.toml").read_text(encoding="utf-8"))["position"]
        for title, counts in [(entry.pop("title"), entry.pop("counts"))]
    ]


@pytest.mark.parametrize(("build", "counts"), positions())
def test_there_are_as_many_sequences_of_orders_as_counted(build: Callable[[], Table], counts: list[int]) -> None:
    laid = build()
    assert [perft(laid, laid.state, depth) for depth in (1, 2, 3)] == counts


@pytest.mark.parametrize(("build", "counts"), positions())
def test_what_is_offered_is_all_that_is_lawful(build: Callable[[], Table], counts: list[int]) -> None:
    laid = build()
    for state in reached(laid):
        assert set(offered(laid, state)) == lawful(laid, state)


def test_every_room_has_its_positions() -> None:
    assert {path.stem for path in HERE.glob("*.toml")} == set(ROOMS)
    assert registry.SYSTEMS.keys() <= set(ROOMS)
