"""PANZER8 as the kernel asks for it: each question handed to the file named after its subject."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sandtable.kernel.events import DiceKey, Event, Order
from sandtable.kernel.forecast import Forecast, Reaction
from sandtable.kernel.ids import NOBODY, HexId, SideId, UnitId
from sandtable.kernel.questions import Formation, Query, Report, UnitCard
from sandtable.kernel.ruleset import (
    Info,
    Marks,
    Piece,
    PieceChanges,
    SightLine,
)
from sandtable.kernel.state import Outcome, State
from sandtable.kernel.state import View as KernelView
from sandtable.kernel.telling import known_position
from sandtable.kernel.trace import Line, Tally
from sandtable.play.answers import OrderbookAnswers
from sandtable.rulesets.panzer8 import (
    cards,
    changes,
    describe,
    forces,
    imagination,
    insight,
    marks,
    prospects,
    sequence,
    setup,
    victory,
    view,
)
from sandtable.rulesets.panzer8.badges import BADGES
from sandtable.rulesets.panzer8.events import AnyEvent
from sandtable.rulesets.panzer8.frames import AnyFrame
from sandtable.rulesets.panzer8.model import SIDES, Position
from sandtable.rulesets.panzer8.orderbook import BOOK

View = KernelView[Position]


class Panzer8(OrderbookAnswers[Position]):
    """The PANZER8 ruleset."""

    book = BOOK
    info = Info("panzer8", "PANZER8", "1", "P8-", Position, BOOK.orders, AnyEvent, AnyFrame, BADGES)

    def setup(self, scenario: Any, options: dict[str, Any], key: DiceKey) -> State[Position]:
        return setup.opening(scenario, options, key)

    def sides(self, state: State[Position]) -> tuple[SideId, ...]:
        return SIDES

    decisions = staticmethod(sequence.decisions)

    def view(self, state: State[Position], side: SideId) -> View:
        # an order is picked on a view and judged on it, so that the latest is asked for twice
        asked = state.position.derived.answers("views", state)
        seen: View | None = asked.get(side)
        if seen is None:
            seen = asked[side] = view.view(state, known_position(self, state, side), side)
        return seen

    def pieces(self, view: View) -> tuple[Piece, ...]:
        return describe.pieces(view)

    def piece_changes(self, before: Position, after: Position, side: SideId) -> PieceChanges:
        return describe.piece_changes(before, after, side)

    advance = staticmethod(sequence.advance)

    apply = staticmethod(changes.apply)

    def known(self, position: Position, side: SideId, before: Position | None = None) -> Position:
        return view.known_position(position, side)

    def redact(self, event: Event, before: Position, after: Position, side: SideId) -> Event | None:
        return view.telling.redact(event, before, after, side)

    def discern(self, known: Position, before: Position, after: Position, side: SideId) -> Iterable[Event]:
        return view.discern(known, after, side)

    def hides(self, position: Position) -> bool:
        return position.ground.options.hidden_setup

    def may_undo(self, view_: View, order: Order) -> bool:
        return view.may_undo(view_, order)

    def imagine(self, view: View, key: DiceKey) -> State[Position]:
        return imagination.imagined(view, key)

    def outcome(self, state: State[Position]) -> Outcome | None:
        return victory.outcome(state.position)

    def odds(self, view: View, order: Order) -> Forecast | None:
        return prospects.odds(self, view, order)

    def sight(self, view: View, a: HexId, b: HexId) -> SightLine:
        return insight.sight_line(view, a, b)

    def seen(self, view: View, units: tuple[UnitId, ...]) -> tuple[HexId, ...]:
        return insight.seen(view, units)

    def watchers(self, view: View, place: HexId) -> tuple[UnitId, ...]:
        return insight.watchers(view, place)

    def threats(self, view: View, place: HexId, unit: UnitId = NOBODY) -> tuple[Reaction, ...]:
        return insight.threats(view, place, unit)

    def standing(self, view: View) -> tuple[Tally, ...]:
        return insight.standing(view)

    def hex_facts(self, view: View, place: HexId) -> tuple[Line, ...]:
        return insight.hex_facts(view, place)

    def ready(self, view: View) -> tuple[UnitId, ...]:
        return forces.ready(view)

    def card(self, view: View, unit: UnitId) -> UnitCard | None:
        return cards.card(view, unit)

    def tree(self, view: View) -> tuple[Formation, ...]:
        return forces.tree(view)

    def queries(self, view: View) -> tuple[Query, ...]:
        return forces.queries(view)

    def query(self, view: View, key: str) -> Query | None:
        return forces.query(view, key)

    def reports(self, view: View) -> tuple[Report, ...]:
        return forces.reports(view)

    def report(self, view: View, kind: str) -> Report | None:
        return forces.report(view, kind)

    def result(self, events: tuple[Event, ...], view: View) -> str:
        return describe.result(events, view)

    def describe(self, event: Event, view: View) -> str:
        return describe.sentence(event, view.position)

    def marks(self, event: Event) -> Marks:
        return marks.marks(event)

    def step(self, view: View) -> str:
        return sequence.step_of(view)
