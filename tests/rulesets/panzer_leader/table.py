"""A Panzer Leader table laid out for one test: a drawn board, a few counters, one step of the sequence of play.

    t = table(
        '''
        . . W .
        . S . .
        ''',
        unit("g_panther", "0101"),
        unit("a_rifle", "0302", dispersed=1),
        hexsides={"green": ["0201-0301"]},
        options={"smoke": True},
        wrecks={"0102": 1},
    )
    played = t.play(DirectFire(ids(0), t.hex("0302"), ids(1)), dice=[3])

The letters are those of the terrain table. Units are numbered in the order given: `U(0)` is the first
of them, `ids(0, 1)` the first two. `play` checks the order, carries it
out and walks journeys and overruns to their next decision; it does not leave the step.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

import msgspec

from sandtable.content import MapSheet, Scenario, Side
from sandtable.geometry.board import Board
from sandtable.kernel.decisions import Refusal
from sandtable.kernel.engine import submit
from sandtable.kernel.events import DiceKey, Event, Frame, Order
from sandtable.kernel.ids import NOBODY, NOWHERE, HexId, SideId, UnitId
from sandtable.kernel.resolution import Resolution
from sandtable.kernel.state import Played, State
from sandtable.kernel.trace import Tally
from sandtable.rulesets.panzer_leader import changes, orders
from sandtable.rulesets.panzer_leader.frames import Journey, OverrunFrame, StepFrame
from sandtable.rulesets.panzer_leader.ground import Ground, Options
from sandtable.rulesets.panzer_leader.model import ALLIED, GERMAN, IN_PLAY, RESERVE, Aircraft, Mine, Position, Unit
from sandtable.rulesets.panzer_leader.movement import walk
from sandtable.rulesets.panzer_leader.orderbook import BOOK
from sandtable.rulesets.panzer_leader.overrun import drive_on
from sandtable.rulesets.panzer_leader.pieces import enemy_of
from sandtable.rulesets.panzer_leader.ruleset import PanzerLeader
from sandtable.rulesets.panzer_leader.scenario import Sections
from sandtable.rulesets.panzer_leader.terrain_table import TERRAIN
from tests.kit import boards
from tests.kit.scripted import ScriptedDice

E = TypeVar("E", bound=Event)

U = UnitId
"""The unit of that number."""


def ids(*numbers: int) -> tuple[UnitId, ...]:
    """The units of those numbers, as in the firers of an attack."""
    return tuple(map(UnitId, numbers))


# Orders that the side not on turn gives.
_REACTIONS = (orders.FireAtAircraft, orders.OpportunityFire, orders.Pass)

# Position fields that may be written with labels instead of hex ids.
_BY_HEX = ("wrecks", "smoke", "control")
_HEXES = ("blocks", "bridges_down", "shelled")


class Counter(msgspec.Struct, frozen=True):
    """A unit to be put on the table: its type, where, and whatever else is not as at the start."""

    kind: str
    label: str
    side: SideId
    changes: dict[str, Any]


def unit(kind: str, label: str = "", side: SideId | str | None = None, **changes: Any) -> Counter:
    """A counter of the type on the hex; the side follows from the type's prefix, and things of nobody are German.

    `carrier` and `fort` are numbers of other units; a unit so aboard or inside needs no label. A unit that has no hex
    at all is in reserve.
    """
    owner = SideId(side) if side is not None else ALLIED if kind[0] in "ab" else GERMAN
    return Counter(kind, label, owner, changes)


def plane(kind: str, label: str = "", side: SideId | str = ALLIED, **changes: Any) -> Counter:
    """An aircraft of the type, over the hex if one is given; pass it in `aircraft=[...]`."""
    return Counter(kind, label, SideId(side), changes)


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
        """The id of a hex by its label."""
        return HexId(self.board.parse(label))

    def hexes(self, *labels: str) -> tuple[HexId, ...]:
        """The ids of hexes by their labels, as in the path of a move."""
        return tuple(map(self.hex, labels))

    def unit(self, number: int) -> Unit:
        return self.position.units[number]

    def change(self, number: int, **changes: Any) -> None:
        """A unit is otherwise than it was, by no event at all."""
        self._put(_changed_unit(self.position, number, changes))

    def set(self, **fields: Any) -> None:
        """The position is otherwise than it was, by no event at all; labels may stand for hexes."""
        self._put(msgspec.structs.replace(self.position, **_fields(self.board, fields)))

    def _put(self, position: Position) -> None:
        self.state = msgspec.structs.replace(self.state, position=position)

    def side_of(self, order: Order) -> SideId:
        """The side that gives such an order now."""
        return enemy_of(self.position.phasing) if isinstance(order, _REACTIONS) else self.position.phasing

    def check(self, order: Order, side: SideId | None = None) -> Refusal | None:
        """The judgment of the order's own section."""
        return BOOK.of(order).check(self.position, side or self.side_of(order), order)

    def refusal(self, order: Order, side: SideId | None = None) -> Refusal:
        """The refusal that the order meets; it must meet one."""
        refusal = self.check(order, side)
        assert isinstance(refusal, Refusal), f"accepted: {order}"
        return refusal

    def play(self, order: Order, dice: Iterable[int] = (), side: SideId | None = None) -> Played[Position]:
        """The order is accepted and carried out, and every die written down for it has been thrown."""
        refusal = self.check(order, side)
        assert refusal is None, f"refused: {refusal}"
        return self.run(BOOK.of(order).resolve, side or self.side_of(order), order, dice=dice)

    def run(self, function: Callable[..., object], *arguments: Any, dice: Iterable[int] = ()) -> Played[Position]:
        """`function(resolution, *arguments)` is done, such as what the rules do at the start of a step."""
        faces = ScriptedDice(dice)
        resolution: Resolution[Position] = Resolution(self.state, faces, changes.apply)
        function(resolution, *arguments)
        _settle(resolution)
        assert not faces.faces, f"dice not thrown: {faces.faces}"
        key = DiceKey(self.state.dice.seed, self.state.dice.number + 1)
        self.state = State(resolution.position, tuple(resolution.flow), key)
        self.events = tuple(resolution.events)
        draws = tuple(resolution.dice.draws)
        return Played(self.state, None, None, draws, self.events)

    def submit(self, order: Order, dice: Iterable[int] = (), side: SideId | None = None) -> Played[Position]:
        """The order has gone the whole way through the ruleset and the sequence of play."""
        faces = ScriptedDice(dice)
        ruleset = PanzerLeader()
        played = submit(ruleset, self.state, side or self.side_of(order), order, faces)
        assert isinstance(played, Played), f"refused: {played}"
        assert not faces.faces, f"dice not thrown: {faces.faces}"
        self.state, self.events = played.state, played.events
        return played

    def explain(self, order: Order, side: SideId | None = None) -> tuple[Tally, ...]:
        """The tallies of the order."""
        return BOOK.of(order).explain(self.position, side or self.side_of(order), order)

    def happened(self, kind: type[E]) -> list[E]:
        """The events of one kind in what was done last."""
        return [event for event in self.events if isinstance(event, kind)]


def _settle(resolution: Resolution[Position]) -> None:
    """Journeys and overruns have been walked as far as the next decision."""
    while resolution.flow:
        top = resolution.top
        if isinstance(top, Journey):
            walk(resolution, top)
        elif isinstance(top, OverrunFrame):
            drive_on(resolution, top)
        else:
            return


def _changed_unit(position: Position, number: int, changed: Mapping[str, Any]) -> Position:
    fields = {**changed}
    if isinstance(fields.get("hex"), str):
        fields["hex"] = position.ground.board.parse(fields["hex"])
    units = list(position.units)
    units[number] = msgspec.structs.replace(units[number], **fields)
    return msgspec.structs.replace(position, units=tuple(units))


def drawn(
    rows: str,
    *,
    elevation: str | Mapping[str, int] = "",
    roads: Iterable[Iterable[str]] = (),
    hexsides: Mapping[str, Iterable[str]] | None = None,
    features: Mapping[str, Iterable[str]] | None = None,
) -> Board:
    """The board as drawn in the letters of the terrain table, each hex on the level of its terrain.

    Elevation is either rows of digits ("." leaves the level of the terrain) or a level by label.
    """
    levels = {row.letter: row.level for row in TERRAIN.values()}
    letters = ["".join(line.split()) for line in rows.splitlines() if line.strip()]
    digits = [[str(levels[letter]) for letter in line] for line in letters]
    if isinstance(elevation, str):
        for r, line in enumerate(line for line in elevation.splitlines() if line.strip()):
            for c, digit in enumerate("".join(line.split())):
                digits[r][c] = digits[r][c] if digit == "." else digit
    else:
        for label, level in elevation.items():
            digits[int(label[2:]) - 1][int(label[:2]) - 1] = str(level)
    return boards.board(
        rows,
        {row.letter: key for key, row in TERRAIN.items()},
        elevation="\n".join("".join(line) for line in digits),
        roads=roads,
        hexsides=hexsides,
        features=features,
    )


def open_board(width: int, height: int) -> str:
    """Rows of nothing but clear terrain."""
    return "\n".join("." * width for _ in range(height))


def _sections(given: Any) -> Any:
    """The scenario's own sections: as given, from a mapping, or empty."""
    if given is not None and not isinstance(given, Mapping):
        return given
    return Sections(**(given or {}))


def scenario(board: Board, **fields: Any) -> Scenario[Any, Any]:
    """A scenario with nothing in it but the board and the fields given."""
    made: dict[str, Any] = {
        "id": "drawn",
        "system": "panzer_leader",
        "title": "Drawn for a test",
        "summary": "",
        "turns": 10,
        "first": ALLIED,
        "sheet": MapSheet(board),
        "options": {},
        "sides": (Side(ALLIED, "Allied", ("us", "british")), Side(GERMAN, "German", ("german",))),
        "units": (),
        "zones": (),
        "objectives": (),
        "sections": _sections(fields.pop("sections", None)),
        "tutorial": False,
        "difficulty": "even",
        "minutes": 10,
        "file": "",
        "digest": "",
    }
    return Scenario(**{**made, **fields})


_SCENARIO_FIELDS = ("turns", "first", "zones", "objectives", "sections")


def table(
    rows: str,
    *units: Counter,
    elevation: str | Mapping[str, int] = "",
    roads: Iterable[Iterable[str]] = (),
    hexsides: Mapping[str, Iterable[str]] | None = None,
    features: Mapping[str, Iterable[str]] | None = None,
    options: Mapping[str, bool] | None = None,
    phasing: SideId | str = ALLIED,
    segment: int = 1,
    turn: int = 1,
    step: str = "direct fire",
    flow: Sequence[Frame] = (),
    aircraft: Sequence[Counter] = (),
    **fields: Any,
) -> Table:
    """The table as described; `fields` are those of the position or the scenario, and labels may stand for hexes."""
    board = drawn(rows, elevation=elevation, roads=roads, hexsides=hexsides, features=features)
    about = {key: fields.pop(key) for key in _SCENARIO_FIELDS if key in fields}
    ground = Ground(scenario(board, **about), Options(**(options or {})))
    position = Position(
        ground=ground,
        turn=turn,
        segment=segment,
        phasing=SideId(phasing),
        step=step,
        units=_counters(board, units),
        aircraft=tuple(_aircraft(board, number, counter) for number, counter in enumerate(aircraft)),
        **_fields(board, fields),
    )
    return Table(State(position, tuple(flow) or (StepFrame(step),), DiceKey("test")))


def _counters(board: Board, counters: Sequence[Counter]) -> tuple[Unit, ...]:
    made: list[Unit] = []
    for number, counter in enumerate(counters):
        bearer = counter.changes.get("carrier", counter.changes.get("fort", NOBODY))
        label = counter.label or (counters[bearer].label if bearer != NOBODY else "")
        fields = {"hex": HexId(board.parse(label)) if label else NOWHERE, "fate": IN_PLAY if label else RESERVE}
        made.append(Unit(UnitId(number), counter.kind, counter.side, **{**fields, **counter.changes}))
    return tuple(made)


def _aircraft(board: Board, number: int, counter: Counter) -> Aircraft:
    place = HexId(board.parse(counter.label)) if counter.label else NOWHERE
    return Aircraft(UnitId(number), counter.kind, counter.side, hex=place, **counter.changes)


def _fields(board: Board, fields: Mapping[str, Any]) -> dict[str, Any]:
    """Position fields with every label turned into the id of its hex."""

    def place(key: Any) -> HexId:
        return HexId(board.parse(key) if isinstance(key, str) else key)

    made = dict(fields)
    for name in _BY_HEX:
        if name in made:
            made[name] = {place(key): value for key, value in made[name].items()}
    for name in _HEXES:
        if name in made:
            made[name] = tuple(map(place, made[name]))
    if "mines" in made:
        # ["0304"], or {"0304": the engineer that lifts it}
        mines = made["mines"] if isinstance(made["mines"], Mapping) else dict.fromkeys(made["mines"], NOBODY)
        made["mines"] = {place(key): by if isinstance(by, Mine) else Mine(place(key), by) for key, by in mines.items()}
    return made
