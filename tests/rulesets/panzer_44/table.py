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
from typing import Any

from sandtable.content import Scenario
from sandtable.geometry.board import Board
from sandtable.kernel.events import DiceKey, Event, Frame, Order
from sandtable.kernel.ids import SideId, UnitId
from sandtable.kernel.resolution import Resolution
from sandtable.kernel.state import State
from sandtable.rulesets.panzer_44 import sequence
from sandtable.rulesets.panzer_44.frames import StepFrame
from sandtable.rulesets.panzer_44.ground import Ground, Options
from sandtable.rulesets.panzer_44.kinds import KINDS
from sandtable.rulesets.panzer_44.model import ALLIED, GERMAN, MOVE, Plot, Position, Unit
from sandtable.rulesets.panzer_44.orderbook import BOOK
from sandtable.rulesets.panzer_44.orders import Pass
from sandtable.rulesets.panzer_44.ruleset import Panzer44
from sandtable.rulesets.panzer_44.scenario import Sections, UnitDetails
from tests.kit import boards
from tests.kit.laid_out import Counter, LaidOut, bare_scenario, listed, open_ground, placed, sides
from tests.kit.laid_out import objectives as prizes

__all__ = ["RULES", "Counter", "Table", "U", "on_the_move", "open_ground", "scenario", "table", "unit"]

U = UnitId
RULES = Panzer44()
LEGEND = {"H": "hilltop", "m": "swamp"}


def unit(kind: str, label: str = "", side: SideId | str | None = None, **changes: Any) -> Counter:
    """A unit of the type on the hex; without a side it is German when its type is, else Allied."""
    owner = SideId(side) if side is not None else GERMAN if KINDS[kind].nation == "german" else ALLIED
    return Counter(kind, label, owner, changes)


class Table(LaidOut[Position]):
    """What a test looks at."""

    rules = RULES
    book = BOOK
    by_hex = ("mines", "control", "heard")
    hexes_of = ("wrecks", "positions")
    occasion = "opportunity"

    def passes(self) -> Order:
        return Pass()

    def unit(self, number: int) -> Unit:
        return self.position.units[number]

    def settle(self, dice: Iterable[int] = ()) -> tuple[Event, ...]:
        """Everything that follows of itself has happened, until somebody is asked."""

        def go_on(resolution: Resolution[Position]) -> None:
            while not sequence.decisions(State(resolution.position, tuple(resolution.flow), self.state.dice)):
                sequence.advance(resolution)

        return self.run(go_on, dice=dice)


def scenario(board: Board, units: tuple[Any, ...] = (), **fields: Any) -> Scenario[Any, Any]:
    """A scenario with nothing in it but the board and the fields given."""
    sections = fields.pop("sections", None) or {}
    made = Sections(**sections) if isinstance(sections, Mapping) else sections
    about = {"system": "panzer_44", "first": ALLIED, "sides": sides(allied="Allied", german="German"), "units": units}
    return bare_scenario(board, **{**about, "sections": made, **fields})


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
    made = scenario(board, listed(board, units, UnitDetails()), objectives=prizes(board, objectives), **about)
    ground = Ground(made, Options(**(options or {})))
    position = Position(
        ground=ground,
        turn=fields.pop("turn", 1),
        step=step,
        units=placed(board, units, Unit),
        **Table.fields(board, fields),
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
