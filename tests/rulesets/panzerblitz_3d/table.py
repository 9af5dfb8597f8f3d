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
from typing import Any

from sandtable.content import Scenario
from sandtable.geometry.board import Board
from sandtable.kernel.events import DiceKey, Frame, Order
from sandtable.kernel.ids import SideId, UnitId
from sandtable.kernel.state import State
from sandtable.rulesets.panzerblitz_3d.frames import StepFrame
from sandtable.rulesets.panzerblitz_3d.ground import Ground, Options
from sandtable.rulesets.panzerblitz_3d.kinds import KINDS
from sandtable.rulesets.panzerblitz_3d.model import GERMAN, Position, Unit
from sandtable.rulesets.panzerblitz_3d.orderbook import BOOK
from sandtable.rulesets.panzerblitz_3d.orders import Pass
from sandtable.rulesets.panzerblitz_3d.ruleset import Panzerblitz3d
from sandtable.rulesets.panzerblitz_3d.scenario import Sections, UnitDetails
from sandtable.rulesets.panzerblitz_3d.terrain_table import TERRAIN
from tests.kit import boards
from tests.kit.laid_out import Counter, LaidOut, bare_scenario, listed, open_ground, placed, sides
from tests.kit.laid_out import objectives as prizes

__all__ = ["RULES", "Counter", "Table", "U", "drawn", "open_ground", "scenario", "table", "unit"]

U = UnitId
RULES = Panzerblitz3d()

HILLTOPS = {"^": ".", "w": "W", "t": "T"}
"""What the letters of hilltops are on level ground."""


def unit(kind: str, label: str = "", **changes: Any) -> Counter:
    """A unit of the type on the hex; one that is carried or in a fort is where that is."""
    return Counter(kind, label, SideId(KINDS[kind].nation), changes)


class Table(LaidOut[Position]):
    """What a test looks at."""

    rules = RULES
    book = BOOK
    by_hex = ("wrecks", "control")
    hexes_of = ("barrages", "mines", "blocks")
    occasion = "opportunity fire"

    def passes(self) -> Order:
        return Pass()

    def unit(self, number: int) -> Unit:
        return self.position.units[number]

    def units(self, *numbers: int) -> list[Unit]:
        return [self.unit(number) for number in numbers]


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
    made = Sections(**sections) if isinstance(sections, Mapping) else sections
    both = sides(german="German", russian="Russian")
    about = {"system": "panzerblitz_3d", "first": GERMAN, "sides": both, "units": units, "sections": made}
    return bare_scenario(board, **{**about, **fields})


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
    made = scenario(board, listed(board, units, UnitDetails()), objectives=prizes(board, objectives), **about)
    ground = Ground(made, Options(**(options or {})))
    side = SideId(phasing)
    position = Position(
        ground=ground,
        turn=fields.pop("turn", 1),
        phasing=side,
        first=SideId(fields.pop("first", side)),
        step=step,
        units=placed(board, units, Unit),
        **Table.fields(board, fields),
    )
    return Table(State(position, flow or (StepFrame(step),), DiceKey("test")))
