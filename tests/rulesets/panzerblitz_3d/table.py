"""A 3D PanzerBlitz table laid out for one test: a drawn board, a few units, a step of the turn.

    t = table(
        '''
        . . W .
        . S ^ S
        ''',
        unit("r_t34c", "0101"),
        unit("g_rifle", "0401", dispersed=True),
        hexsides={"green": ["0201-0301"]},
        phasing="russian",
        step="fire",
    )
    t.play(DesignateTarget((U(0),), t.hex("0401"), (U(1),)))
    t.play(EndPhase(), dice=[3])

The letters are those of the terrain table; `^`, `w` and `t` are clear ground, woods and a town on a hilltop. Units are
numbered in the order given, and each belongs to the nation of its type. `play` submits an order to the ruleset, so
everything that follows of itself has happened; with `passing` (the default) the other side lets every chance of
opportunity fire go by.
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
from sandtable.rulesets.panzerblitz_3d import changes, sequence
from sandtable.rulesets.panzerblitz_3d.frames import StepFrame
from sandtable.rulesets.panzerblitz_3d.ground import Ground, Options
from sandtable.rulesets.panzerblitz_3d.kinds import KINDS
from sandtable.rulesets.panzerblitz_3d.model import GERMAN, RUSSIAN, Position, Unit
from sandtable.rulesets.panzerblitz_3d.orderbook import BOOK
from sandtable.rulesets.panzerblitz_3d.orders import Pass
from sandtable.rulesets.panzerblitz_3d.ruleset import Panzerblitz3d
from sandtable.rulesets.panzerblitz_3d.scenario import Sections, UnitDetails
from sandtable.rulesets.panzerblitz_3d.terrain import TERRAIN
from tests.kit import boards
from tests.kit.scripted import ScriptedDice

E = TypeVar("E", bound=Event)

U = UnitId
RULES = Panzerblitz3d()

HILLTOPS = {"^": ".", "w": "W", "t": "T"}
"""What the letters of hilltops are on level ground."""


class Counter(msgspec.Struct, frozen=True):
    """A unit to be put on the table."""

    kind: str
    label: str
    changes: dict[str, Any]


def unit(kind: str, label: str = "", **changes: Any) -> Counter:
    """A unit of the type on the hex; one that is carried or in a fort is where that is."""
    return Counter(kind, label, changes)


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

    def units(self, *numbers: int) -> list[Unit]:
        return [self.unit(number) for number in numbers]

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

    def check(self, order: Order, side: SideId | None = None) -> Refusal | None:
        return RULES.check(RULES.view(self.state, side or self.decider), order)

    def refusal(self, order: Order, side: SideId | None = None) -> Refusal:
        """The refusal that the order meets; it must meet one."""
        refusal = self.check(order, side)
        assert isinstance(refusal, Refusal), f"accepted: {order}"
        return refusal

    def play(
        self, order: Order, dice: Iterable[int] = (), *, side: SideId | str | None = None, passing: bool = True
    ) -> tuple[Event, ...]:
        """The order was accepted and carried out, every die written down for it was thrown, and, unless told otherwise,
        nobody fired at opportunity.
        """
        faces = ScriptedDice(dice)
        self._submit(order, faces, side)
        happened = self.events
        while passing and self.asked == "opportunity fire":
            self._submit(Pass(), faces)
            happened += self.events
        assert not faces.faces, f"dice not thrown: {faces.faces}"
        self.events = happened
        return happened

    def _submit(self, order: Order, dice: ScriptedDice, side: SideId | str | None = None) -> None:
        played = submit(RULES, self.state, SideId(side) if side else self.decider, order, dice)
        assert isinstance(played, Played), f"refused: {played}"
        self.state, self.events = played.state, played.events

    def run(self, function: Any, *arguments: Any, dice: Iterable[int] = ()) -> tuple[Event, ...]:
        """`function(resolution, *arguments)` is done, such as what the rules do at the end of a turn."""
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
        """The orders of one kind that a unit has."""
        row = next(row for row in BOOK.rows if row.order is kind)
        return list(row.options(self.position, self.unit(number).side, self.unit(number)))

    def happened(self, kind: type[E]) -> list[E]:
        return [event for event in self.events if isinstance(event, kind)]


def open_ground(width: int, height: int, letter: str = ".") -> str:
    """Rows of nothing but one kind of ground."""
    return "\n".join(letter * width for _ in range(height))


def drawn(
    rows: str,
    *,
    roads: Iterable[Iterable[str]] = (),
    hexsides: Mapping[str, Iterable[str]] | None = None,
    gully: Iterable[str] = (),
    ford: Iterable[str] = (),
) -> Board:
    """The board as drawn in the letters of the terrain table and those of hilltops; a ford is in a gully."""
    legend = {terrain.letter: key for key, terrain in TERRAIN.items()}
    levels = {terrain.letter: terrain.level for terrain in TERRAIN.values()} | dict.fromkeys(HILLTOPS, 2)
    lines = ["".join(line.split()) for line in rows.splitlines() if line.strip()]
    ground = ["".join(HILLTOPS.get(letter, letter) for letter in line) for line in lines]
    heights = ["".join(str(levels[letter]) for letter in line) for line in lines]
    features = {name: labels for name, labels in (("gully", (*gully, *ford)), ("ford", tuple(ford))) if labels}
    return boards.board(
        "\n".join(ground), legend, elevation="\n".join(heights), roads=roads, hexsides=hexsides, features=features
    )


def scenario(board: Board, units: tuple[Any, ...] = (), **fields: Any) -> Scenario[Any, Any]:
    """A scenario with nothing in it but the board and the fields given."""
    sections = fields.pop("sections", None) or {}
    made: dict[str, Any] = {
        "id": "drawn",
        "system": "panzerblitz_3d",
        "title": "Drawn for a test",
        "summary": "",
        "turns": 10,
        "first": GERMAN,
        "sheet": MapSheet(board),
        "options": {},
        "sides": (Side(GERMAN, "German"), Side(RUSSIAN, "Russian")),
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


_SCENARIO_FIELDS = ("turns", "first_of_file", "sections", "zones")


def table(
    rows: str,
    *units: Counter,
    roads: Iterable[Iterable[str]] = (),
    hexsides: Mapping[str, Iterable[str]] | None = None,
    gully: Iterable[str] = (),
    ford: Iterable[str] = (),
    options: Mapping[str, bool] | None = None,
    phasing: SideId | str = GERMAN,
    step: str = "fire",
    flow: tuple[Frame, ...] = (),
    objectives: Mapping[str, tuple[str, ...]] | None = None,
    **fields: Any,
) -> Table:
    """The table as described; `fields` are those of the position or the scenario, and labels may stand for hexes."""
    board = drawn(rows, roads=roads, hexsides=hexsides, gully=gully, ford=ford)
    about = {key: fields.pop(key) for key in _SCENARIO_FIELDS if key in fields}
    prizes = tuple(Objective(title, tuple(map(board.parse, labels))) for title, labels in (objectives or {}).items())
    listed = tuple(
        ScenarioUnit(f"u{n}", one.kind, KINDS[one.kind].nation, UnitDetails(), n + 1, hex=_place(board, one.label))
        for n, one in enumerate(units)
    )
    ground = Ground(scenario(board, listed, objectives=prizes, **about), Options(**(options or {})))
    side = SideId(phasing)
    position = Position(
        ground=ground,
        turn=fields.pop("turn", 1),
        phasing=side,
        first=SideId(fields.pop("first", side)),
        step=step,
        units=_counters(board, units),
        **_fields(board, fields),
    )
    return Table(State(position, flow or (StepFrame(step),), DiceKey("test")))


def _place(board: Board, label: str) -> HexId | None:
    return HexId(board.parse(label)) if label else None


def _counters(board: Board, counters: tuple[Counter, ...]) -> tuple[Unit, ...]:
    made: list[Unit] = []
    for number, counter in enumerate(counters):
        holder = next((counter.changes[key] for key in ("carrier", "fort") if key in counter.changes), NOBODY)
        label = counter.label or (counters[holder].label if holder != NOBODY else "")
        place = HexId(board.parse(label)) if label else NOWHERE
        fields = {"name": f"u{number}", **counter.changes}
        made.append(Unit(UnitId(number), counter.kind, SideId(KINDS[counter.kind].nation), place, **fields))
    return tuple(made)


def _fields(board: Board, fields: Mapping[str, Any]) -> dict[str, Any]:
    """Position fields with every label turned into the id of its hex."""

    def place(key: Any) -> HexId:
        return HexId(board.parse(key) if isinstance(key, str) else key)

    made = dict(fields)
    for name in ("wrecks", "control"):
        if name in made:
            made[name] = {place(key): value for key, value in made[name].items()}
    for name in ("barrages", "mines", "blocks"):
        if name in made:
            made[name] = tuple(map(place, made[name]))
    return made
