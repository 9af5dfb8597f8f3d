"""Panzer Battles as the kernel asks for it: each question handed to the file named after its subject."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sandtable.kernel.events import DiceKey, Event, Order
from sandtable.kernel.forecast import Forecast, Reaction
from sandtable.kernel.ids import NOBODY, HexId, SideId, UnitId
from sandtable.kernel.questions import Formation, Query, Report, UnitCard
from sandtable.kernel.resolution import Resolution
from sandtable.kernel.ruleset import (
    Info,
    Marks,
    Piece,
    PieceChanges,
    SightLine,
    Target,
)
from sandtable.kernel.state import Outcome, State
from sandtable.kernel.state import View as KernelView
from sandtable.kernel.telling import known_position
from sandtable.kernel.trace import Line, Tally
from sandtable.play.answers import OrderbookAnswers
from sandtable.rulesets.panzer_battles import (
    cards,
    changes,
    describe,
    forces,
    imagination,
    insight,
    marks,
    pieces,
    sequence,
    setup,
    telling,
    victory,
    view,
)
from sandtable.rulesets.panzer_battles.air import calling
from sandtable.rulesets.panzer_battles.badges import BADGES
from sandtable.rulesets.panzer_battles.engineers import bridges
from sandtable.rulesets.panzer_battles.events import AnyEvent
from sandtable.rulesets.panzer_battles.fire import prospects
from sandtable.rulesets.panzer_battles.frames import AnyFrame
from sandtable.rulesets.panzer_battles.model import SIDES, Position
from sandtable.rulesets.panzer_battles.orderbook import BOOK
from sandtable.rulesets.panzer_battles.reinforcements import releases
from sandtable.rulesets.panzer_battles.spotting import concealment, fog
from sandtable.rulesets.panzer_battles.spotting.levels import spotters
from sandtable.rulesets.panzer_battles.version import RULES_VERSION

View = KernelView[Position]


class PanzerBattles(OrderbookAnswers[Position]):
    """The Panzer Battles ruleset."""

    book = BOOK
    info = Info(
        "panzer_battles", "Panzer Battles", RULES_VERSION, "PB-", Position, BOOK.orders, AnyEvent, AnyFrame, BADGES
    )

    def setup(self, scenario: Any, options: dict[str, Any], key: DiceKey) -> State[Position]:
        return setup.opening(scenario, options, key)

    def sides(self, state: State[Position]) -> tuple[SideId, ...]:
        """The two sides, each of which a person or a computer may play: alone, at one table, or over a network.

        Rules: PB-GEN-3, PB-GEN-7.
        """
        return SIDES

    decisions = staticmethod(sequence.decisions)

    def view(self, state: State[Position], side: SideId) -> View:
        return view.view(state, known_position(self, state, side), side)

    def pieces(self, view: View) -> tuple[Piece, ...]:
        return pieces.pieces(view)

    def piece_changes(self, before: Position, after: Position, side: SideId) -> PieceChanges:
        return pieces.piece_changes(before, after, side)

    def resolve(self, resolution: Resolution[Position], side: SideId, order: Order) -> None:
        """The order is carried out; who went out of sight by it is concealed, engineers who were struck have lost their
        bridges, and who was found may move.

        Rules: PB-ENG-46, PB-MOVE-99, PB-SPOT-20, PB-SPOT-32.
        """
        watched = spotters(resolution.position)
        super().resolve(resolution, side, order)
        concealment.settle_since(resolution, watched)
        bridges.settle(resolution)
        releases.alarm(resolution)

    advance = staticmethod(sequence.advance)

    apply = staticmethod(changes.apply)

    def known(self, position: Position, side: SideId, before: Position | None = None) -> Position:
        return view.known_position(position, side, before)

    def redact(self, event: Event, before: Position, after: Position, side: SideId) -> Event | None:
        return telling.redact(event, before, after, side)

    def discern(self, known: Position, before: Position, after: Position, side: SideId) -> Iterable[Event]:
        return view.discern(known, before, after, side)

    def hides(self, position: Position) -> bool:
        return fog.is_fogged(position)

    def may_undo(self, view_: View, order: Order) -> bool:
        return view.may_undo(view_.position, order)

    def believed(self, view: View) -> State[Position]:
        return State(prospects.believed(view.position), view.flow, DiceKey("forecast"))

    def imagine(self, view: View, key: DiceKey) -> State[Position]:
        return imagination.imagined(view, key)

    def outcome(self, state: State[Position]) -> Outcome | None:
        return victory.outcome(state.position)

    def odds(self, view: View, order: Order) -> Forecast | None:
        return prospects.odds(view, order)

    def plans(self, view: View) -> tuple[Target, ...]:
        return calling.plans(view.position, view.side)

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
