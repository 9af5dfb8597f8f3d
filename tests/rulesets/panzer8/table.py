"""A PANZER8 table laid out for one test: a drawn board, a few elements, a phase of the turn.

    t = table(
        '''
        . . W
        . B .
        ''',
        element("t34", "0101", facing=3),
        element("pz4g", "0302", suppressed=True),
        hexsides={"hedge": ["0201-0301"]},
    )
    t.play(Fire(U(0), U(1), "ap"), dice=[7, 3])

The letters are those of the terrain table. Elements are numbered in the order given; a type of German make is German.
`play` submits an order to the ruleset, so everything that follows of itself has happened; with `passing` (the default)
the other side lets every occasion pass.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

import msgspec

from sandtable.content import MapSheet, Objective, Scenario, ScenarioUnit, Side
from sandtable.geometry.board import Board
from sandtable.kernel.decisions import Refusal
from sandtable.kernel.dice import DiceKey
from sandtable.kernel.engine import Played, submit
from sandtable.kernel.events import Event, Frame, Order
from sandtable.kernel.ids import NOBODY, NOWHERE, HexId, SideId, UnitId
from sandtable.kernel.resolution import Resolution
from sandtable.kernel.state import State
from sandtable.kernel.trace import Tally
from sandtable.rulesets.panzer8 import changes, sequence
from sandtable.rulesets.panzer8.frames import StepFrame
from sandtable.rulesets.panzer8.ground import Ground, Options
from sandtable.rulesets.panzer8.kinds import KINDS
from sandtable.rulesets.panzer8.model import ALLIED, GERMAN, Element, Position
from sandtable.rulesets.panzer8.orderbook import BOOK
from sandtable.rulesets.panzer8.orders import Pass
from sandtable.rulesets.panzer8.ruleset import Panzer8
from sandtable.rulesets.panzer8.scenario import ElementDetails, Sections
from sandtable.rulesets.panzer8.terrain import FEATURES
from tests.kit import boards
from tests.kit.scripted import ScriptedDice

E = TypeVar("E", bound=Event)

U = UnitId
RULES = Panzer8()


class Counter(msgspec.Struct, frozen=True):
    """An element to be put on the table."""

    kind: str
    label: str
    side: SideId
    changes: dict[str, Any]


def element(kind: str, label: str = "", side: SideId | str | None = None, **changes: Any) -> Counter:
    """An element of the type on the hex; without a side it is German when its type is, else Allied."""
    owner = SideId(side) if side is not None else GERMAN if KINDS[kind].nation == "GE" else ALLIED
    return Counter(kind, label, owner, changes)


class Table:
    """What a test looks at: the state as it stands, and the events of what was done last."""

    def __init__(self, state: State[Position]) -> None:
        self.state = state
        self.events: tuple[Event, ...] = ()

    @property
    def position(self) -> Position:
        return self.state.position

    @property
    def board(self) -> Board:
        return self.position.ground.board

    def hex(self, label: str) -> HexId:
        return HexId(self.board.parse(label))

    def hexes(self, *labels: str) -> tuple[HexId, ...]:
        return tuple(map(self.hex, labels))

    def at(self, number: int) -> str:
        """The label of the hex that an element is in, empty off the table."""
        place = self.element(number).hex
        return self.board.label(place) if place else ""

    def element(self, number: int) -> Element:
        return self.position.elements[number]

    def set(self, **fields: Any) -> None:
        """The position is otherwise than it was, by no event at all."""
        position = msgspec.structs.replace(self.position, **_fields(self.board, fields))
        self.state = msgspec.structs.replace(self.state, position=position)

    def change(self, number: int, **fields: Any) -> None:
        """An element is otherwise than it was, by no event at all."""
        elements = list(self.position.elements)
        elements[number] = msgspec.structs.replace(elements[number], **fields)
        self.set(elements=tuple(elements))

    @property
    def decider(self) -> SideId:
        return sequence.decisions(self.state)[0].side

    @property
    def asked(self) -> str:
        """The kind of the open decision, empty when none is."""
        return next((decision.kind for decision in sequence.decisions(self.state)), "")

    def check(self, order: Order, side: SideId | None = None) -> Refusal | None:
        return RULES.check(RULES.view(self.state, side or self.decider), order)

    def refusal(self, order: Order, side: SideId | None = None) -> Refusal:
        """The refusal that the order meets; it must meet one."""
        refusal = self.check(order, side)
        assert isinstance(refusal, Refusal), f"accepted: {order}"
        return refusal

    def play(self, order: Order, dice: Iterable[int] = (), *, passing: bool = True) -> tuple[Event, ...]:
        """The order was accepted and carried out, every die written down for it was thrown, and, unless told otherwise,
        nobody reacted.
        """
        faces = ScriptedDice(dice)
        self._submit(order, faces)
        happened = self.events
        while passing and self.asked == "reaction":
            self._submit(Pass(rest=True) if _may_rest(self) else Pass(), faces)
            happened += self.events
        assert not faces.faces, f"dice not thrown: {faces.faces}"
        self.events = happened
        return happened

    def _submit(self, order: Order, dice: ScriptedDice) -> None:
        played = submit(RULES, self.state, self.decider, order, dice)
        assert isinstance(played, Played), f"refused: {played}"
        self.state, self.events = played.state, played.events

    def run(self, function: Any, *arguments: Any, dice: Iterable[int] = ()) -> tuple[Event, ...]:
        """`function(resolution, *arguments)` is done, such as what the rules do at the start of a phase."""
        faces = ScriptedDice(dice)
        resolution: Resolution[Position] = Resolution(self.state, faces, changes.apply)
        function(resolution, *arguments)
        assert not faces.faces, f"dice not thrown: {faces.faces}"
        self.state = State(resolution.position, tuple(resolution.flow), self.state.dice)
        self.events = tuple(resolution.events)
        return self.events

    def explain(self, order: Order) -> tuple[Tally, ...]:
        return BOOK.of(order).explain(self.position, self.decider, order)

    def options(self, number: int, kind: type[Order]) -> list[Any]:
        """The orders of one kind that an element has."""
        row = next(row for row in BOOK.rows if row.order is kind)
        return list(row.options(self.position, self.element(number).side, self.element(number)))

    def happened(self, kind: type[E]) -> list[E]:
        return [event for event in self.events if isinstance(event, kind)]


def _may_rest(t: Table) -> bool:
    assert t.position.occasion is not None
    return t.position.occasion.manner == "enters"


def open_ground(width: int, height: int, letter: str = "o") -> str:
    """Rows of nothing but one kind of ground."""
    return "\n".join(letter * width for _ in range(height))


def drawn(
    rows: str,
    *,
    elevation: str = "",
    roads: Iterable[Iterable[str]] = (),
    hexsides: Mapping[str, Iterable[str]] | None = None,
) -> Board:
    """The board as drawn in the letters of the terrain table."""
    legend = {feature.letter: key for key, feature in FEATURES.items()}
    return boards.board(rows, legend, elevation=elevation, roads=roads, hexsides=hexsides)


def scenario(board: Board, units: tuple[Any, ...] = (), **fields: Any) -> Scenario[Any, Any]:
    """A scenario with nothing in it but the board and the fields given."""
    sections = fields.pop("sections", None) or {}
    made: dict[str, Any] = {
        "id": "drawn",
        "system": "panzer8",
        "title": "Drawn for a test",
        "summary": "",
        "turns": 10,
        "first": ALLIED,
        "sheet": MapSheet(board),
        "options": {},
        "sides": (Side(ALLIED, "Allied"), Side(GERMAN, "German")),
        "units": units,
        "zones": (),
        "objectives": (),
        "sections": Sections(**sections) if isinstance(sections, Mapping) else sections,
        "tutorial": False,
        "difficulty": "even",
        "minutes": 10,
        "file": "",
        "digest": "",
    }
    return Scenario(**{**made, **fields})


_SCENARIO_FIELDS = ("turns", "first", "sections")


def table(
    rows: str,
    *elements: Counter,
    elevation: str = "",
    roads: Iterable[Iterable[str]] = (),
    hexsides: Mapping[str, Iterable[str]] | None = None,
    options: Mapping[str, bool] | None = None,
    active: SideId | str = ALLIED,
    step: str = "action",
    flow: tuple[Frame, ...] = (),
    objectives: Mapping[str, tuple[str, ...]] | None = None,
    **fields: Any,
) -> Table:
    """The table as described; `fields` are those of the position or the scenario, and labels may stand for hexes."""
    board = drawn(rows, elevation=elevation, roads=roads, hexsides=hexsides)
    about = {key: fields.pop(key) for key in _SCENARIO_FIELDS if key in fields}
    prizes = tuple(Objective(title, tuple(map(board.parse, labels))) for title, labels in (objectives or {}).items())
    units = tuple(
        ScenarioUnit(f"u{n}", one.kind, one.side, ElementDetails(), n + 1, hex=_place(board, one.label))
        for n, one in enumerate(elements)
    )
    ground = Ground(scenario(board, units, objectives=prizes, **about), Options(**(options or {})))
    position = Position(
        ground=ground,
        turn=fields.pop("turn", 1),
        half=fields.pop("half", 1),
        active=SideId(active),
        step=step,
        elements=_counters(board, elements),
        **_fields(board, fields),
    )
    return Table(State(position, flow or (StepFrame(step),), DiceKey("test")))


def _place(board: Board, label: str) -> HexId | None:
    return HexId(board.parse(label)) if label else None


def _counters(board: Board, counters: tuple[Counter, ...]) -> tuple[Element, ...]:
    made: list[Element] = []
    for number, counter in enumerate(counters):
        carrier = counter.changes.get("carrier", NOBODY)
        label = counter.label or (counters[carrier].label if carrier != NOBODY else "")
        place = HexId(board.parse(label)) if label else NOWHERE
        fields = {"name": f"u{number}", **counter.changes}
        made.append(Element(UnitId(number), counter.kind, counter.side, place, **fields))
    return tuple(made)


def _fields(board: Board, fields: Mapping[str, Any]) -> dict[str, Any]:
    """Position fields with every label turned into the id of its hex."""

    def place(key: Any) -> HexId:
        return HexId(board.parse(key) if isinstance(key, str) else key)

    made = dict(fields)
    for name in ("smoke", "control"):
        if name in made:
            made[name] = {place(key): value for key, value in made[name].items()}
    for name in ("wrecks", "mines"):
        if name in made:
            made[name] = tuple(map(place, made[name]))
    return made
