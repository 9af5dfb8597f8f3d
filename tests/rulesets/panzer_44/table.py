"""A Panzer '44 table laid out for one test: a drawn board, a few units, a step of the turn.

    t = table(
        '''
        . . W
        . T .
        ''',
        unit("g_pz4h", "0101"),
        unit("u_m4", "0302", disruption=1),
        hexsides={"stream": ["0201-0301"]},
        mines={"0201": "hasty"},
    )
    t.play(PlotMove((U(1),)))

The letters are . clear, T town, W woods, H hilltop and m swamp. Units are numbered in the order given; a German type is
German, every other Allied. `play` submits an order to the ruleset, so everything that follows of itself has happened;
with `passing` (the default) the other side lets every occasion pass.
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
from sandtable.rulesets.panzer_44 import changes, sequence
from sandtable.rulesets.panzer_44.frames import StepFrame
from sandtable.rulesets.panzer_44.ground import Ground, Options
from sandtable.rulesets.panzer_44.kinds import KINDS
from sandtable.rulesets.panzer_44.model import ALLIED, GERMAN, MOVE, Plot, Position, Unit
from sandtable.rulesets.panzer_44.orderbook import BOOK
from sandtable.rulesets.panzer_44.orders import Pass
from sandtable.rulesets.panzer_44.ruleset import Panzer44
from sandtable.rulesets.panzer_44.scenario import Sections, UnitDetails
from tests.kit import boards
from tests.kit.scripted import ScriptedDice

E = TypeVar("E", bound=Event)

U = UnitId
RULES = Panzer44()
LEGEND = {"H": "hilltop", "m": "swamp"}


class Counter(msgspec.Struct, frozen=True):
    """A unit to be put on the table."""

    kind: str
    label: str
    side: SideId
    changes: dict[str, Any]


def unit(kind: str, label: str = "", side: SideId | str | None = None, **changes: Any) -> Counter:
    """A unit of the type on the hex; without a side it is German when its type is, else Allied."""
    owner = SideId(side) if side is not None else GERMAN if KINDS[kind].nation == "german" else ALLIED
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
        """The label of the hex that a unit is in, empty off the table."""
        place = self.unit(number).hex
        return self.board.label(place) if place else ""

    def unit(self, number: int) -> Unit:
        return self.position.units[number]

    def set(self, **fields: Any) -> None:
        """The position is otherwise than it was, by no event at all."""
        position = msgspec.structs.replace(self.position, **_fields(self.board, fields))
        self.state = msgspec.structs.replace(self.state, position=position)

    def change(self, number: int, **fields: Any) -> None:
        """A unit is otherwise than it was, by no event at all."""
        units = list(self.position.units)
        units[number] = msgspec.structs.replace(units[number], **fields)
        self.set(units=tuple(units))

    @property
    def decider(self) -> SideId:
        return sequence.decisions(self.state)[0].side

    @property
    def asked(self) -> str:
        """The kind of the open decision, empty when none is."""
        return next((decision.kind for decision in sequence.decisions(self.state)), "")

    def check(self, order: Order, side: SideId | str | None = None) -> Refusal | None:
        return RULES.check(RULES.view(self.state, SideId(side or self.decider)), order)

    def refusal(self, order: Order, side: SideId | str | None = None) -> Refusal:
        """The refusal that the order meets; it must meet one."""
        refusal = self.check(order, side)
        assert isinstance(refusal, Refusal), f"accepted: {order}"
        return refusal

    def play(
        self, order: Order, dice: Iterable[int] = (), *, side: SideId | str | None = None, passing: bool = True
    ) -> tuple[Event, ...]:
        """The order was accepted and carried out, every die written down for it was thrown, and, unless told otherwise,
        nobody fired on opportunity.
        """
        faces = ScriptedDice(dice)
        self._submit(order, faces, SideId(side or self.decider))
        happened = self.events
        while passing and self.asked == "opportunity":
            self._submit(Pass(), faces, self.decider)
            happened += self.events
        assert not faces.faces, f"dice not thrown: {faces.faces}"
        self.events = happened
        return happened

    def _submit(self, order: Order, dice: ScriptedDice, side: SideId) -> None:
        played = submit(RULES, self.state, side, order, dice)
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

    def settle(self, dice: Iterable[int] = ()) -> tuple[Event, ...]:
        """Everything that follows of itself has happened, until somebody is asked."""

        def go_on(resolution: Resolution[Position]) -> None:
            while not sequence.decisions(State(resolution.position, tuple(resolution.flow), self.state.dice)):
                sequence.advance(resolution)

        return self.run(go_on, dice=dice)

    def explain(self, order: Order) -> tuple[Tally, ...]:
        return BOOK.of(order).explain(self.position, self.decider, order)

    def happened(self, kind: type[E]) -> list[E]:
        return [event for event in self.events if isinstance(event, kind)]


def open_ground(width: int, height: int, letter: str = ".") -> str:
    """Rows of nothing but one kind of ground."""
    return "\n".join(letter * width for _ in range(height))


def scenario(board: Board, units: tuple[Any, ...] = (), **fields: Any) -> Scenario[Any, Any]:
    """A scenario with nothing in it but the board and the fields given."""
    sections = fields.pop("sections", None) or {}
    made: dict[str, Any] = {
        "id": "drawn",
        "system": "panzer_44",
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


_SCENARIO_FIELDS = ("turns", "first", "sections", "zones")


def table(
    rows: str,
    *units: Counter,
    elevation: str = "",
    roads: Iterable[Iterable[str]] = (),
    hexsides: Mapping[str, Iterable[str]] | None = None,
    options: Mapping[str, bool] | None = None,
    step: str = "plot",
    flow: tuple[Frame, ...] = (),
    objectives: Mapping[str, tuple[str, ...]] | None = None,
    **fields: Any,
) -> Table:
    """The table as described; `fields` are those of the position or the scenario, and labels may stand for hexes."""
    board = boards.board(rows, LEGEND, elevation=elevation, roads=roads, hexsides=hexsides)
    about = {key: fields.pop(key) for key in _SCENARIO_FIELDS if key in fields}
    prizes = tuple(Objective(title, tuple(map(board.parse, labels))) for title, labels in (objectives or {}).items())
    listed = tuple(
        ScenarioUnit(f"u{n}", one.kind, one.side, UnitDetails(), n + 1, hex=_place(board, one.label))
        for n, one in enumerate(units)
    )
    ground = Ground(scenario(board, listed, objectives=prizes, **about), Options(**(options or {})))
    position = Position(
        ground=ground,
        turn=fields.pop("turn", 1),
        step=step,
        units=_counters(board, units),
        **_fields(board, fields),
    )
    return Table(State(position, flow or (StepFrame(step),), DiceKey("test")))


def on_the_move(rows: str, *units: Counter, plotted: Iterable[int] | None = None, **about: Any) -> Table:
    """The table in the movement of the first unit's side, whose units are plotted to move, all or those named."""
    side = units[0].side if units else GERMAN
    movers = [n for n, one in enumerate(units) if one.side == side] if plotted is None else plotted
    orders = tuple(Plot(side, MOVE, UnitId(number)) for number in movers)
    others = tuple(about.pop("plots", ()))
    about = {"first": side, "active": side, **about}
    return table(rows, *units, step="first movement", plots=(*orders, *others), **about)


def _place(board: Board, label: str) -> HexId | None:
    return HexId(board.parse(label)) if label else None


def _counters(board: Board, counters: tuple[Counter, ...]) -> tuple[Unit, ...]:
    made: list[Unit] = []
    for number, counter in enumerate(counters):
        carrier = counter.changes.get("carrier", NOBODY)
        label = counter.label or (counters[carrier].label if carrier != NOBODY else "")
        place = HexId(board.parse(label)) if label else NOWHERE
        fields = {"name": f"u{number}", **counter.changes}
        made.append(Unit(UnitId(number), counter.kind, counter.side, place, **fields))
    return tuple(made)


def _fields(board: Board, fields: Mapping[str, Any]) -> dict[str, Any]:
    """Position fields with every label turned into the id of its hex."""

    def place(key: Any) -> HexId:
        return HexId(board.parse(key) if isinstance(key, str) else key)

    made = dict(fields)
    for name in ("mines", "control", "heard"):
        if name in made:
            made[name] = {place(key): value for key, value in made[name].items()}
    for name in ("wrecks", "positions"):
        if name in made:
            made[name] = tuple(map(place, made[name]))
    return made
