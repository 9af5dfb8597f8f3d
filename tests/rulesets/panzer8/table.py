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
from typing import Any

from sandtable.content import Scenario
from sandtable.geometry.board import Board
from sandtable.kernel.events import DiceKey, Frame, Order
from sandtable.kernel.ids import SideId, UnitId
from sandtable.kernel.state import State
from sandtable.rulesets.panzer8.frames import StepFrame
from sandtable.rulesets.panzer8.ground import Ground, Options
from sandtable.rulesets.panzer8.kinds import KINDS
from sandtable.rulesets.panzer8.model import ALLIED, GERMAN, Element, Position
from sandtable.rulesets.panzer8.orderbook import BOOK
from sandtable.rulesets.panzer8.orders import Pass
from sandtable.rulesets.panzer8.ruleset import Panzer8
from sandtable.rulesets.panzer8.scenario import ElementDetails, Sections
from sandtable.rulesets.panzer8.terrain import FEATURES
from tests.kit import boards, laid_out
from tests.kit.laid_out import Counter, LaidOut, bare_scenario, listed, placed, sides
from tests.kit.laid_out import objectives as prizes

__all__ = ["RULES", "Counter", "Table", "U", "drawn", "element", "open_ground", "scenario", "table"]

U = UnitId
RULES = Panzer8()


def element(kind: str, label: str = "", side: SideId | str | None = None, **changes: Any) -> Counter:
    """An element of the type on the hex; without a side it is German when its type is, else Allied."""
    owner = SideId(side) if side is not None else GERMAN if KINDS[kind].nation == "GE" else ALLIED
    return Counter(kind, label, owner, changes)


class Table(LaidOut[Position]):
    """What a test looks at."""

    rules = RULES
    book = BOOK
    counters = "elements"
    by_hex = ("smoke", "control")
    hexes_of = ("wrecks", "mines")
    occasion = "reaction"

    def passes(self) -> Order:
        assert self.position.occasion is not None
        return Pass(rest=True) if self.position.occasion.manner == "enters" else Pass()

    def element(self, number: int) -> Element:
        return self.position.elements[number]


def open_ground(width: int, height: int, letter: str = "o") -> str:
    """Rows of nothing but one kind of ground."""
    return laid_out.open_ground(width, height, letter)


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
    made = Sections(**sections) if isinstance(sections, Mapping) else sections
    about = {"system": "panzer8", "first": ALLIED, "sides": sides(allied="Allied", german="German"), "units": units}
    return bare_scenario(board, **{**about, "sections": made, **fields})


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
    made = scenario(board, listed(board, elements, ElementDetails()), objectives=prizes(board, objectives), **about)
    ground = Ground(made, Options(**(options or {})))
    position = Position(
        ground=ground,
        turn=fields.pop("turn", 1),
        half=fields.pop("half", 1),
        active=SideId(active),
        step=step,
        elements=placed(board, elements, Element),
        **Table.fields(board, fields),
    )
    return Table(State(position, flow or (StepFrame(step),), DiceKey("test")))
