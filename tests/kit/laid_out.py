"""A table laid out for one test, whatever the system: orders are played on it by the ruleset with scripted dice."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Generic, TypeVar

import msgspec

from sandtable.content import MapSheet, Objective, Scenario, ScenarioUnit, Side
from sandtable.geometry.board import Board
from sandtable.kernel.decisions import Refusal
from sandtable.kernel.engine import submit
from sandtable.kernel.events import Event, Order
from sandtable.kernel.ids import NOBODY, NOWHERE, HexId, SideId, UnitId
from sandtable.kernel.resolution import Resolution
from sandtable.kernel.ruleset import Ruleset
from sandtable.kernel.state import Played, State
from sandtable.kernel.trace import Tally
from sandtable.play.orderbook import Orderbook
from tests.kit.scripted import ScriptedDice

P = TypeVar("P")
C = TypeVar("C")
E = TypeVar("E", bound=Event)


class Counter(msgspec.Struct, frozen=True):
    """A counter to be put on the table: its type, where, whose, and whatever else is not as at the start."""

    kind: str
    label: str
    side: SideId
    changes: dict[str, Any]


class LaidOut(Generic[P]):
    """What a test looks at: the state as it stands, and the events of what was done last.

    A system says by what rules it is played, which field of its position holds the counters, which may be written with
    labels for hexes, and how the other side lets an occasion pass (`occasion` is the kind of that decision).
    """

    rules: Ruleset[P]
    book: Orderbook[P]
    counters = "units"
    by_hex: tuple[str, ...] = ()
    """Fields of the position that are told by hex."""
    hexes_of: tuple[str, ...] = ()
    """Fields of the position that list hexes."""
    occasion = ""

    def __init__(self, state: State[P]) -> None:
        self.state = state
        self.events: tuple[Event, ...] = ()

    def passes(self) -> Order:
        """The order by which nobody reacts."""
        raise NotImplementedError

    @property
    def position(self) -> P:
        return self.state.position

    @property
    def board(self) -> Board:
        position: Any = self.position
        board: Board = position.ground.board
        return board

    def hex(self, label: str) -> HexId:
        return HexId(self.board.parse(label))

    def hexes(self, *labels: str) -> tuple[HexId, ...]:
        return tuple(map(self.hex, labels))

    def counter(self, number: int) -> Any:
        return getattr(self.position, self.counters)[number]

    def at(self, number: int) -> str:
        """The label of the hex that a counter is in, empty off the table."""
        place = self.counter(number).hex
        return self.board.label(place) if place else ""

    def set(self, **fields: Any) -> None:
        """The position is otherwise than it was, by no event at all."""
        position: Any = self.position
        position = msgspec.structs.replace(position, **self.fields(self.board, fields))
        self.state = msgspec.structs.replace(self.state, position=position)

    def change(self, number: int, **fields: Any) -> None:
        """A counter is otherwise than it was, by no event at all."""
        counters = list(getattr(self.position, self.counters))
        counters[number] = msgspec.structs.replace(counters[number], **fields)
        self.set(**{self.counters: tuple(counters)})

    @property
    def decider(self) -> SideId:
        return self.rules.decisions(self.state)[0].side

    @property
    def asked(self) -> str:
        """The kind of the open decision, empty when none is."""
        return next((decision.kind for decision in self.rules.decisions(self.state)), "")

    def check(self, order: Order, side: SideId | str | None = None) -> Refusal | None:
        return self.rules.check(self.rules.view(self.state, SideId(side or self.decider)), order)

    def refusal(self, order: Order, side: SideId | str | None = None) -> Refusal:
        """The refusal that the order meets; it must meet one."""
        refusal = self.check(order, side)
        assert isinstance(refusal, Refusal), f"accepted: {order}"
        return refusal

    def play(
        self, order: Order, dice: Iterable[int] = (), *, side: SideId | str | None = None, passing: bool = True
    ) -> tuple[Event, ...]:
        """The order was accepted and carried out, every die written down for it was thrown, and, unless told otherwise,
        nobody reacted.
        """
        faces = ScriptedDice(dice)
        self._submit(order, faces, SideId(side or self.decider))
        happened = self.events
        while passing and self.asked == self.occasion:
            self._submit(self.passes(), faces, self.decider)
            happened += self.events
        assert not faces.faces, f"dice not thrown: {faces.faces}"
        self.events = happened
        return happened

    def _submit(self, order: Order, dice: ScriptedDice, side: SideId) -> None:
        played = submit(self.rules, self.state, side, order, dice)
        assert isinstance(played, Played), f"refused: {played}"
        self.state, self.events = played.state, played.events

    def run(self, function: Callable[..., object], *arguments: Any, dice: Iterable[int] = ()) -> tuple[Event, ...]:
        """`function(resolution, *arguments)` is done, such as what the rules do at the start of a phase."""
        faces = ScriptedDice(dice)
        resolution: Resolution[P] = Resolution(self.state, faces, self.rules.apply)
        function(resolution, *arguments)
        assert not faces.faces, f"dice not thrown: {faces.faces}"
        self.state = State(resolution.position, tuple(resolution.flow), self.state.dice)
        self.events = tuple(resolution.events)
        return self.events

    def explain(self, order: Order) -> tuple[Tally, ...]:
        return self.book.of(order).explain(self.position, self.decider, order)

    def options(self, number: int, kind: type[Order]) -> list[Any]:
        """The orders of one kind that a counter has."""
        row = next(row for row in self.book.rows if row.order is kind)
        return list(row.options(self.position, self.counter(number).side, self.counter(number)))

    def happened(self, kind: type[E]) -> list[E]:
        return [event for event in self.events if isinstance(event, kind)]

    @classmethod
    def fields(cls, board: Board, fields: Mapping[str, Any]) -> dict[str, Any]:
        """Position fields with every label turned into the id of its hex."""

        def place(key: Any) -> HexId:
            return HexId(board.parse(key) if isinstance(key, str) else key)

        made = dict(fields)
        for name in set(cls.by_hex) & set(made):
            made[name] = {place(key): value for key, value in made[name].items()}
        for name in set(cls.hexes_of) & set(made):
            made[name] = tuple(map(place, made[name]))
        return made


def open_ground(width: int, height: int, letter: str = ".") -> str:
    """Rows of nothing but one kind of ground."""
    return "\n".join(letter * width for _ in range(height))


def bare_scenario(board: Board, **fields: Any) -> Scenario[Any, Any]:
    """A scenario with nothing in it but the board and the fields given."""
    made: dict[str, Any] = {
        "id": "drawn",
        "title": "Drawn for a test",
        "summary": "",
        "turns": 10,
        "sheet": MapSheet(board),
        "options": {},
        "units": (),
        "zones": (),
        "objectives": (),
        "tutorial": False,
        "difficulty": "even",
        "minutes": 10,
        "file": "",
        "digest": "",
    }
    return Scenario(**{**made, **fields})


def _labeled(counters: Sequence[Counter], number: int) -> str:
    """The label of the hex that a counter is in: its own, or that of the one that holds it."""
    counter = counters[number]
    holder = next((counter.changes[key] for key in ("carrier", "fort") if key in counter.changes), NOBODY)
    return counter.label or (counters[holder].label if holder != NOBODY else "")


def placed(board: Board, counters: Sequence[Counter], make: Callable[..., C]) -> tuple[C, ...]:
    """The counters as they stand on the table, numbered in their order."""
    made: list[C] = []
    for number, counter in enumerate(counters):
        label = _labeled(counters, number)
        place = HexId(board.parse(label)) if label else NOWHERE
        fields = {"name": f"u{number}", **counter.changes}
        made.append(make(UnitId(number), counter.kind, counter.side, place, **fields))
    return tuple(made)


def objectives(board: Board, titled: Mapping[str, tuple[str, ...]] | None) -> tuple[Objective, ...]:
    """The objectives of a scenario, each with the labels of its hexes."""
    return tuple(Objective(title, tuple(map(board.parse, labels))) for title, labels in (titled or {}).items())


def listed(board: Board, counters: Iterable[Counter], details: Any) -> tuple[ScenarioUnit[Any], ...]:
    """The counters as a scenario lists them, with what its system adds to each."""
    return tuple(
        ScenarioUnit(
            f"u{number}", one.kind, one.side, details, number + 1, hex=board.parse(one.label) if one.label else None
        )
        for number, one in enumerate(counters)
    )


def sides(**titles: str) -> tuple[Side, ...]:
    """The sides of a scenario by their ids."""
    return tuple(Side(SideId(id), title) for id, title in titles.items())
