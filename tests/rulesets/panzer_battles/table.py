"""A Panzer Battles table laid out for one test: a drawn board, a few units, a side's turn.

    t = table(
        '''
        . . F
        . V .
        ''',
        unit("us_sherman", "0101"),
        unit("de_pak40", "0302", concealed=True),
        hexsides={"hedge": ["0201-0301"]},
    )
    t.play(Fire(U(0), U(1)), dice=[...])

Units are numbered in the order given; a type of German make is Axis. Elevation is drawn in tens of meters. Nothing is
concealed unless a unit says so.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise
from typing import Any, TypeVar

import msgspec
from msgspec.structs import replace

from sandtable.content import MapSheet, Objective, Reinforcement, Scenario, ScenarioUnit, Side
from sandtable.geometry.board import Board
from sandtable.kernel.decisions import Refusal
from sandtable.kernel.engine import all_viewers, submit
from sandtable.kernel.events import DiceKey, Event, Order
from sandtable.kernel.ids import NOWHERE, HexId, SideId, UnitId
from sandtable.kernel.resolution import Resolution
from sandtable.kernel.state import Played, State, Told, View
from sandtable.kernel.telling import introduced
from sandtable.rulesets.panzer_battles.frames import StepFrame
from sandtable.rulesets.panzer_battles.ground import Ground, Options
from sandtable.rulesets.panzer_battles.kinds import KINDS
from sandtable.rulesets.panzer_battles.model import ALLIED, AXIS, TRAVEL, Feature, Position, Unit, Weather
from sandtable.rulesets.panzer_battles.movement.costs import allowance
from sandtable.rulesets.panzer_battles.parameters import overridden
from sandtable.rulesets.panzer_battles.ruleset import PanzerBattles
from sandtable.rulesets.panzer_battles.scenario import FormationEntry, Sections, Thresholds, UnitDetails
from sandtable.rulesets.panzer_battles.schedule import Arrival
from sandtable.rulesets.panzer_battles.sequence import ORDERS
from sandtable.rulesets.panzer_battles.terrain import features_on, with_side
from tests.kit import boards
from tests.kit.scripted import ScriptedDice

E = TypeVar("E", bound=Event)
U = UnitId
RULES = PanzerBattles()

LETTERS = {
    "g": "grass",
    "f": "field",
    "b": "building",
    "r": "rough",
    "o": "orchard",
    "F": "forest",
    "m": "marsh",
    "V": "village",
    "T": "town",
    "~": "water",
    "s": "shallow_water",
}

FORMATIONS = (
    FormationEntry("brigade", "The Brigade", "allied", "brigade"),
    FormationEntry("battalion", "The Battalion", "allied", "battalion", "brigade"),
    FormationEntry("company", "The Company", "allied", "company", "battalion"),
    FormationEntry("regiment", "The Regiment", "axis", "regiment"),
)
THRESHOLDS = Thresholds(-40, -10, 10, 40)

ONE = 1
"""The lowest face of a die: what is thrown under a chance."""


HIGHEST = 0
"""Of whatever die is thrown, the highest face: what is thrown under no chance."""


EMPTY_SKY = overridden({"air": {"interdiction_pct": {"allied": 0, "axis": 0}}}, "drawn.toml")
"""The parameters of tables that name none: nobody is interdicted on the march, so that moves throw no dice for it."""


class Faces(ScriptedDice):
    """Dice that fall as written, where HIGHEST is the highest face of whatever die is thrown."""

    def face(self, sides: int, actor: UnitId) -> int:
        if self.faces and self.faces[0] == HIGHEST:
            self.faces[0] = sides
        return super().face(sides, actor)


class AllHighest:
    """Dice that always show their highest face: nobody takes an opportunity, losses are as heavy as can be."""

    faces: tuple[int, ...] = ()

    def face(self, sides: int, actor: UnitId) -> int:
        return sides


class Counter(msgspec.Struct, frozen=True):
    """A unit to be put on the table, or one that is to arrive there."""

    kind: str
    label: str
    side: SideId
    changes: dict[str, Any]
    arrives: Reinforcement | None = None
    details: dict[str, Any] = {}


def unit(kind: str, label: str, side: SideId | str | None = None, **changes: Any) -> Counter:
    """A unit of the type on the hex, fresh and at full strength; without a side it is Axis when its type is German."""
    owner = SideId(side) if side is not None else AXIS if KINDS[kind].nation == "German" else ALLIED
    return Counter(kind, label, owner, changes)


def coming(
    kind: str,
    label: str,
    turn: int,
    side: SideId | str | None = None,
    *,
    away: str = "coming",
    arrival: Mapping[str, Any] | None = None,
    **changes: Any,
) -> Counter:
    """A unit that arrives in a hex, in Travel Mode unless it says otherwise."""
    one = unit(kind, label, side, **{"mode": TRAVEL, **changes, "away": away})
    return replace(one, arrives=Reinforcement(turn, ()), details={"arrival": Arrival(**(arrival or {}))})


class Table:
    """What a test looks at: the state as it stands, the events of what was done last, and what each side was told."""

    def __init__(self, state: State[Position]) -> None:
        self.state = state
        self.events: tuple[Event, ...] = ()
        self.told: Mapping[SideId, tuple[Told, ...]] = {}

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

    def unit(self, number: int) -> Unit:
        return self.position.units[number]

    def at(self, number: int) -> str:
        """The label of the hex that a unit is in, empty off the map."""
        place = self.unit(number).hex
        return self.board.label(place) if place else ""

    def view(self, side: SideId = ALLIED) -> View[Position]:
        return RULES.view(self.state, side)

    def known(self, side: SideId) -> Position:
        return self.view(side).position

    def change(self, number: int, **fields: Any) -> None:
        """A unit is otherwise than it was, by no event at all; everybody knows what he may, from scratch."""
        units = list(self.position.units)
        units[number] = replace(units[number], **fields)
        self.set(units=tuple(units))

    def set(self, **fields: Any) -> None:
        """The position is otherwise than it was, by no event at all."""
        self.state = _introduced(replace(self.state, position=replace(self.position, **fields)))

    def check(self, order: Order, side: SideId | None = None) -> Refusal | None:
        return RULES.check(self.view(side or self.position.active), order)

    def refusal(self, order: Order, side: SideId | None = None) -> Refusal:
        """The refusal that the order meets; it must meet one."""
        refusal = self.check(order, side)
        assert isinstance(refusal, Refusal), f"accepted: {order}"
        return refusal

    def play(self, order: Order, dice: Iterable[int] | AllHighest = ()) -> tuple[Event, ...]:
        """The order was accepted and carried out, and every die written down for it was thrown."""
        faces = dice if isinstance(dice, AllHighest) else Faces(dice)
        played = submit(RULES, self.state, self.position.active, order, faces)
        assert isinstance(played, Played), played
        assert not faces.faces, f"dice not thrown: {faces.faces}"
        self.state, self.events, self.told = played.state, played.events, played.told
        return self.events

    def work(self, do: Callable[[Resolution[Position], SideId], None], side: SideId, dice: Iterable[int]) -> None:
        """Something has been done for a side that no order does, by the dice written down for it."""
        faces = Faces(dice)
        bench = Resolution(self.state, faces, RULES.apply)
        do(bench, side)
        assert not faces.faces, f"dice not thrown: {faces.faces}"
        self.events = tuple(bench.events)
        self.state = _introduced(replace(self.state, position=bench.position))

    def bridge(self, here: str, there: str) -> None:
        """Engineers have bridged the hexside between two hexes."""
        self._side(here, there, "engineer_bridge")

    def wire(self, sides: str) -> None:
        """The bridge between two hexes is wired."""
        here, _, there = sides.partition("-")
        self._side(here, there, "wired")

    def _side(self, here: str, there: str, word: str) -> None:
        place, other = self.hexes(here, there)
        direction = self.board.direction(place, other)
        now = features_on(self.position, place, direction) | {word}
        self.set(sides=with_side(self.position, place, direction, now))

    def only(self, kind: type[E]) -> E:
        """The one event of a kind among the last."""
        (found,) = self.all(kind)
        return found

    def all(self, kind: type[E]) -> list[E]:
        return [event for event in self.events if isinstance(event, kind)]

    def heard(self, side: SideId, kind: type[E]) -> list[E]:
        """What a side was told of a kind by the last order."""
        return [told.event for told in self.told[side] if isinstance(told.event, kind)]


def table(
    terrain: str,
    *counters: Counter,
    elevation: str = "",
    roads: Mapping[str, Iterable[Iterable[str]]] | None = None,
    hexsides: Mapping[str, Iterable[str]] | None = None,
    hex_features: Mapping[str, Iterable[str]] | None = None,
    objectives: Mapping[str, int] | None = None,
    owners: Mapping[str, SideId] | None = None,
    fog: bool = True,
    turns: int = 5,
    visibility: Iterable[int] = (20,),
    condition: str = "normal",
    storm: bool = False,
    minutes: int = 360,
    features: Mapping[str, Iterable[Feature]] | None = None,
    parameters: dict[str, Any] | None = None,
    options: Mapping[str, bool] | None = None,
    sections: Mapping[str, Any] | None = None,
    formations: tuple[FormationEntry, ...] = FORMATIONS,
    active: SideId = ALLIED,
    first: SideId = ALLIED,
) -> Table:
    """The table, in the active side's turn; `sections` are further sections of its scenario, as a file has them."""
    board = _board(terrain, elevation, roads or {}, hexsides, hex_features or {})
    farthest = tuple(visibility)
    now = farthest[0]
    prizes = {**dict.fromkeys(owners or {}, 5), **(objectives or {})}
    written = msgspec.convert({"thresholds": msgspec.to_builtins(THRESHOLDS), **(sections or {})}, Sections)
    filed = replace(
        written,
        environment=replace(
            written.environment, visibility=now, condition=condition, visibility_range=(min(farthest), max(farthest))
        ),
        formations=formations,
        parameters=parameters or {},
    )
    scenario: Scenario[Sections, UnitDetails] = Scenario(
        id="drawn",
        system="panzer_battles",
        title="Drawn",
        summary="",
        turns=turns,
        first=first,
        sheet=MapSheet(board, names={board.parse(label): f"Place {label}" for label in prizes}),
        options={"fog": fog, **(options or {})},
        sides=(Side("allied", "Allies"), Side("axis", "Axis")),
        units=tuple(_entry(board, number, one) for number, one in enumerate(counters)),
        zones=(),
        objectives=tuple(Objective(label, (board.parse(label),), points) for label, points in prizes.items()),
        sections=filed,
        tutorial=False,
        difficulty="easy",
        minutes=5,
        file="drawn.toml",
        digest=str(filed),
    )
    ground = Ground(scenario, msgspec.convert(scenario.options, Options))
    if not parameters:
        ground.parameters = EMPTY_SKY
    position = Position(
        ground=ground,
        turn=1,
        minutes=minutes,
        visibility=now,
        active=active,
        units=tuple(_placed(board, number, one) for number, one in enumerate(counters)),
        owners={HexId(board.parse(label)): side for label, side in (owners or {}).items()},
        weather=Weather(condition, storm, now),
        features={HexId(board.parse(label)): tuple(found) for label, found in (features or {}).items()},
    )
    rested = (
        placed if "mp" in one.changes else replace(placed, mp=allowance(position, placed))
        for placed, one in zip(position.units, counters, strict=True)
    )
    position = replace(position, units=tuple(rested))
    return Table(_introduced(State(position, (StepFrame(ORDERS),), DiceKey("table"))))


def _introduced(state: State[Position]) -> State[Position]:
    return introduced(RULES, state, all_viewers(RULES, state), {})


def _board(
    terrain: str,
    elevation: str,
    roads: Mapping[str, Iterable[Iterable[str]]],
    hexsides: Mapping[str, Iterable[str]] | None,
    hex_features: Mapping[str, Iterable[str]],
) -> Board:
    laid = [list(road) for kind in roads.values() for road in kind]
    drawn = boards.board(terrain, LETTERS, elevation=elevation, roads=laid, hexsides=hexsides)
    kinds = {}
    for kind, ways in roads.items():
        for way in ways:
            places = [drawn.parse(label) for label in way]
            for here, there in pairwise(places):
                kinds[here, drawn.direction(here, there)] = kind
    meters = array("h", [10 * level for level in drawn.elevation])
    return Board(
        "drawn",
        "Drawn",
        drawn.width,
        drawn.height,
        drawn.terrain,
        memoryview(meters),
        drawn.roads,
        dict(drawn.hexsides),
        _marked(drawn, hex_features),
        kinds,
    )


def _marked(board: Board, words: Mapping[str, Iterable[str]]) -> dict[int, frozenset[str]]:
    """What the board says of single hexes, by hex."""
    found: dict[int, frozenset[str]] = {}
    for word, labels in words.items():
        for place in map(board.parse, labels):
            found[place] = found.get(place, frozenset()) | {word}
    return found


def _formation(side: SideId) -> str:
    return "battalion" if side == ALLIED else "regiment"


def _entry(board: Board, number: int, one: Counter) -> ScenarioUnit[UnitDetails]:
    details = UnitDetails(one.changes.get("formation", _formation(one.side)), **one.details)
    place, name = board.parse(one.label) if one.label else None, f"unit-{number}"
    if one.arrives and place:
        arrival = Reinforcement(one.arrives.turn, (place,))
        return ScenarioUnit(name, one.kind, one.side, details, number + 1, arrival=arrival)
    return ScenarioUnit(name, one.kind, one.side, details, number + 1, hex=place)


def _placed(board: Board, number: int, one: Counter) -> Unit:
    full = one.changes.get("full", KINDS[one.kind].full)
    name = f"unit-{number}"
    fields = {"strength": full, "full": full, "formation": _formation(one.side), "name": name, **one.changes}
    return Unit(
        id=UnitId(number),
        kind=one.kind,
        side=one.side,
        hex=NOWHERE if one.changes.get("away") or not one.label else HexId(board.parse(one.label)),
        **fields,
    )
