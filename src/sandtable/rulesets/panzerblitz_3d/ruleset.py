"""3D PanzerBlitz as the kernel asks for it: each question handed to the file named after its subject."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sandtable.kernel.decisions import Refusal
from sandtable.kernel.events import DiceKey, Event, Order
from sandtable.kernel.forecast import Forecast, Reaction
from sandtable.kernel.ids import NOBODY, HexId, SideId, UnitId
from sandtable.kernel.questions import Formation, Query, Report, UnitCard
from sandtable.kernel.ruleset import Info, Marks, Piece, PieceChanges, Selection, SightLine, Target
from sandtable.kernel.state import Outcome, State
from sandtable.kernel.state import View as KernelView
from sandtable.kernel.telling import known_position
from sandtable.kernel.trace import Line, Tally
from sandtable.play.answers import OrderbookAnswers
from sandtable.rulesets.panzerblitz_3d import (
    cards,
    changes,
    dangers,
    describe,
    forces,
    imagination,
    insight,
    marks,
    plans,
    queries,
    reactions,
    readiness,
    reports,
    sequels,
    sequence,
    setup,
    victory,
    view,
)
from sandtable.rulesets.panzerblitz_3d.badges import BADGES
from sandtable.rulesets.panzerblitz_3d.events import AnyEvent
from sandtable.rulesets.panzerblitz_3d.frames import AnyFrame
from sandtable.rulesets.panzerblitz_3d.model import SIDES, Position
from sandtable.rulesets.panzerblitz_3d.orderbook import BOOK

View = KernelView[Position]


class Panzerblitz3d(OrderbookAnswers[Position]):
    """The 3D PanzerBlitz ruleset."""

    book = BOOK
    info = Info("panzerblitz_3d", "3D PanzerBlitz", "1", "PB3-", Position, BOOK.orders, AnyEvent, AnyFrame, BADGES)

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

    def check(self, view: View, order: Order) -> Refusal | None:
        return sequence.is_sealed(view.position, view.side) or super().check(view, order)

    def why_not(self, view: View, verb: str, selection: Selection, target: Selection) -> Refusal | None:
        sealed = sequence.is_sealed(view.position, view.side)
        return sealed or super().why_not(view, verb, selection, target)

    def pieces(self, view: View) -> tuple[Piece, ...]:
        return describe.pieces(view)

    def piece_changes(self, before: Position, after: Position, side: SideId) -> PieceChanges:
        return describe.piece_changes(before, after, side)

    advance = staticmethod(sequence.advance)

    apply = staticmethod(changes.apply)

    def known(self, position: Position, side: SideId, before: Position | None = None) -> Position:
        return view.known_position(position, side, before)

    def redact(self, event: Event, before: Position, after: Position, side: SideId) -> Event | None:
        return view.telling.redact(event, before, after, side)

    def discern(self, known: Position, before: Position, after: Position, side: SideId) -> Iterable[Event]:
        return view.discern(known, before, after, side)

    def hides(self, position: Position) -> bool:
        return position.ground.options.fog

    def may_undo(self, view_: View, order: Order) -> bool:
        return view.may_undo(view_.position, is_on_paper=BOOK.of(order).on_paper)

    def imagine(self, view_: View, key: DiceKey) -> State[Position]:
        return imagination.imagined(view_, key)

    def outcome(self, state: State[Position]) -> Outcome | None:
        return victory.outcome(state.position)

    def odds(self, view: View, order: Order) -> Forecast | None:
        return sequels.odds(view, order) or reactions.odds(self, view, order)

    def sight(self, view: View, a: HexId, b: HexId) -> SightLine:
        return insight.sight_line(view, a, b)

    def seen(self, view: View, units: tuple[UnitId, ...]) -> tuple[HexId, ...]:
        return insight.seen(view, units)

    def watchers(self, view: View, place: HexId) -> tuple[UnitId, ...]:
        return insight.watchers(view, place)

    def threats(self, view: View, place: HexId, unit: UnitId = NOBODY) -> tuple[Reaction, ...]:
        return insight.threats(view, place) if unit == NOBODY else dangers.dangers(view, place, unit)

    def standing(self, view: View) -> tuple[Tally, ...]:
        return insight.standing(view)

    def hex_facts(self, view: View, place: HexId) -> tuple[Line, ...]:
        return insight.hex_facts(view, place)

    def ready(self, view: View) -> tuple[UnitId, ...]:
        return readiness.ready(view)

    def plans(self, view: View) -> tuple[Target, ...]:
        return plans.plans(view)

    def card(self, view: View, unit: UnitId) -> UnitCard | None:
        return cards.card(view, unit)

    def tree(self, view: View) -> tuple[Formation, ...]:
        return forces.tree(view)

    def queries(self, view: View) -> tuple[Query, ...]:
        return queries.queries(view)

    def query(self, view: View, key: str) -> Query | None:
        return queries.query(view, key)

    def reports(self, view: View) -> tuple[Report, ...]:
        return reports.reports(view)

    def report(self, view: View, kind: str) -> Report | None:
        return reports.report(view, kind)

    def result(self, events: tuple[Event, ...], view: View) -> str:
        return describe.result(events, view)

    def describe(self, event: Event, view: View) -> str:
        return describe.sentence(event, view.position)

    def marks(self, event: Event) -> Marks:
        return marks.marks(event)

    def step(self, view: View) -> str:
        return sequence.step_of(view)
