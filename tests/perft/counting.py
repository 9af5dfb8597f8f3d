"""Counting orders: how many sequences of orders there are from a position, and every order that could be written down.

Two orders are the same here when they come to the same: a way counts by where it ends, units that act together or are
aimed at together count as a set, and the facing of a unit that is placed or moved is not looked at. What a room
offers to nobody although it is lawful, such as giving a unit up for lost, it says in `withheld`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, product
from typing import Any, NamedTuple, get_args, get_origin, get_type_hints

import msgspec

from sandtable.geometry.board import Board
from sandtable.kernel.decisions import Decision
from sandtable.kernel.engine import submit
from sandtable.kernel.events import Order
from sandtable.kernel.ids import HexId, UnitId
from sandtable.kernel.ruleset import AnyRuleset
from sandtable.kernel.state import Played, State, View
from sandtable.play.orderbook import Orderbook

MOST_TOGETHER = 3
"""More units than ever act together or are aimed at together in these positions."""

MOST_BATTERIES = 3
"""More batteries than these positions have, where a battery is known by its number."""

WORDS: dict[str, Sequence[Any]] = {
    "gait": ("", "quick"),
    "task": ("clear", "block", "demolish"),
    "ammo": ("ap", "hesa"),
    "battery": ("bat_105",),
    "pattern": ("tight", "loose"),
    "sortie": ("P-47 sortie #1",),
    "support": ("P-47 sortie #1",),
    "nonce": ("",),
    "facing": range(6),
    "direction": range(-1, 6),
    "side": ("german", "russian"),
    "mode": ("deployed", "travel", "rail"),
}
"""What a field of an order that is neither a unit nor a hex may hold, by its name."""

IGNORED = {"PlaceUnit": ("facing",), "Move": ("facing",)}


class Table(NamedTuple):
    """A position to count from, and what the orders of it are made of."""

    ruleset: AnyRuleset
    book: Orderbook[Any]
    state: State[Any]
    board: Board
    places: Callable[[Any], dict[UnitId, HexId]]
    """Every unit that a position shows, with its hex."""
    withheld: Callable[[Any, Any], bool] = lambda position, order: False
    """Whether an order is lawful, but offered to nobody."""


def essence(order: Any) -> tuple[Any, ...]:
    """What an order comes to."""
    name = type(order).__name__
    skipped = IGNORED.get(name, ())
    return (name, *(_gist(field, getattr(order, field)) for field in order.__struct_fields__ if field not in skipped))


def _gist(name: str, value: Any) -> Any:
    if name == "path":
        return value[-1] if value else 0
    if isinstance(value, tuple):
        return frozenset(essence(part) if isinstance(part, msgspec.Struct) else part for part in value)
    return value


def offered(table: Table, state: State[Any]) -> dict[tuple[Any, ...], tuple[Decision, Order]]:
    """The options of every open decision, each once."""
    ruleset, found = table.ruleset, dict[tuple[Any, ...], tuple[Decision, Order]]()
    for decision in ruleset.decisions(state):
        for order in ruleset.options(ruleset.view(state, decision.side), decision):
            found.setdefault((decision.side, *essence(order)), (decision, order))
    return found


def perft(table: Table, state: State[Any], depth: int) -> int:
    """The number of sequences of so many orders; one ends early where dice fall or the battle does."""
    orders = offered(table, state)
    if depth == 1:
        return len(orders)
    return sum(_below(table, played, depth) for played in _played(table, state, orders))


def _below(table: Table, played: Played[Any], depth: int) -> int:
    is_leaf = bool(played.draws) or table.ruleset.outcome(played.state) is not None
    return 1 if is_leaf else perft(table, played.state, depth - 1)


def _played(table: Table, state: State[Any], orders: dict[Any, tuple[Decision, Order]]) -> Iterator[Played[Any]]:
    for decision, order in orders.values():
        played = submit(table.ruleset, state, decision.side, order)
        assert isinstance(played, Played), f"an option is refused: {order} {played}"
        yield played


def reached(table: Table) -> Iterator[State[Any]]:
    """The position, and every one of the same step that a single order without dice makes of it."""
    yield table.state
    steps = _steps(table, table.state)
    for played in _played(table, table.state, offered(table, table.state)):
        if not played.draws and _steps(table, played.state) == steps:
            yield played.state


def _steps(table: Table, state: State[Any]) -> list[tuple[str, str]]:
    return [(decision.side, decision.kind) for decision in table.ruleset.decisions(state)]


# every order that can be written down


def lawful(table: Table, state: State[Any]) -> set[tuple[Any, ...]]:
    """All that is lawful among everything that can be written in the orders of the open steps."""
    found = set[tuple[Any, ...]]()
    for decision in table.ruleset.decisions(state):
        view = table.ruleset.view(state, decision.side)
        for row in table.book.in_step(decision.kind).all:
            # what is set by hand alone, and whole columns with a path for each, are never offered
            if row.by_hand or "paths" in row.order.__struct_fields__:
                continue
            for order in _written(table, view, row.order):
                if table.ruleset.check(view, order) is None and not table.withheld(view.position, order):
                    found.add((decision.side, *essence(order)))
    return found


def _written(table: Table, view: View[Any], kind: type[Any]) -> Iterator[Any]:
    """Every order of a kind, made of the units and hexes of the position."""
    hints = get_type_hints(kind)
    names = [name for name in kind.__struct_fields__ if name not in IGNORED.get(kind.__name__, ())]
    for head in product(*(_values(table, view, name, hints[name]) for name in names if name != "path")):
        fields = dict(zip([name for name in names if name != "path"], head, strict=True))
        if "path" not in names:
            yield kind(**fields)
            continue
        movers = fields["units"] if "units" in fields else (fields["unit"],)
        start = table.places(view.position)[movers[0]] if movers else HexId(0)
        yield from (kind(**fields, path=path) for path in ((), *ways(table.board, start)))


def _values(table: Table, view: View[Any], name: str, hint: Any) -> Sequence[Any]:
    """All that a field can hold."""
    if name == "battery" and hint is int:
        return range(MOST_BATTERIES)
    if name in WORDS:
        return WORDS[name]
    if hint is UnitId:
        return list(table.places(view.position))
    if hint is HexId:
        return [HexId(h) for h in table.board.hexes]
    if hint is bool:
        return (False, True)
    if hint is int:
        return range(6)
    if get_origin(hint) is tuple:
        (inner, _) = get_args(hint)
        parts = list(_values(table, view, "", inner) if inner is UnitId else _written(table, view, inner))
        most = MOST_TOGETHER if inner is UnitId else 1
        return [some for size in range(most + 1) for some in combinations(parts, size)]
    raise TypeError(f"nobody knows what the field {name} of {hint} can hold")


def ways(board: Board, start: HexId) -> Iterator[tuple[HexId, ...]]:
    """Every way from a hex that comes to no hex twice, be it back to the first; none from off the board."""
    if not start:
        return
    stack: list[tuple[HexId, ...]] = [()]
    while stack:
        way = stack.pop()
        if way:
            yield way
        here = way[-1] if way else start
        ahead = (HexId(h) for h in board.neighbors(here) if board.is_on(h))
        stack += [(*way, h) for h in ahead if h not in way]
