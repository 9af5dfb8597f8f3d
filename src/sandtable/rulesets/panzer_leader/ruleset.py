"""Panzer Leader as the kernel asks for it: each question handed to the file named after its subject."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from sandtable.kernel.decisions import Decision, Refusal
from sandtable.kernel.dice import DiceKey
from sandtable.kernel.events import Event, Order
from sandtable.kernel.forecast import Forecast
from sandtable.kernel.ids import HexId, RuleId, SideId, UnitId
from sandtable.kernel.questions import Formation, Query, Report, UnitCard
from sandtable.kernel.resolution import Resolution
from sandtable.kernel.ruleset import Info, Marks, Piece, PieceChanges, Selection, SightLine, Threat, Verb
from sandtable.kernel.ruleset import Options as Choices
from sandtable.kernel.state import Outcome, State
from sandtable.kernel.state import View as KernelView
from sandtable.kernel.telling import known_position
from sandtable.kernel.trace import Line, Tally
from sandtable.rulesets.panzer_leader import (
    air,
    artillery,
    assault,
    cards,
    changes,
    choices,
    describe,
    engineers,
    fire,
    forces,
    forts,
    imagination,
    insight,
    marks,
    menu,
    movement,
    naval,
    opportunity,
    orders,
    overrun,
    queries,
    reactions,
    readiness,
    reports,
    sequence,
    setup,
    transport,
    victory,
    view,
)
from sandtable.rulesets.panzer_leader.badges import BADGES
from sandtable.rulesets.panzer_leader.events import AnyEvent
from sandtable.rulesets.panzer_leader.frames import AnyFrame
from sandtable.rulesets.panzer_leader.model import SIDES, Position

View = KernelView[Position]
Check = Callable[[Position, SideId, Any], Refusal | None]
Resolve = Callable[[Resolution[Position], SideId, Any], None]
Explain = Callable[[Position, SideId, Any], tuple[Tally, ...]]


def _check_nothing(position: Position, side: SideId, order: Order) -> None:
    """An order that is lawful whenever its step is open."""
    return


def _end_phase(resolution: Resolution[Position], side: SideId, order: orders.EndPhase) -> None:
    sequence.end_phase(resolution)


ORDERS: dict[type[Order], tuple[Check, Resolve]] = {
    orders.EndPhase: (setup.check_end, _end_phase),
    orders.PlaceUnit: (setup.check_place, setup.resolve_place),
    orders.WriteMission: (artillery.check_write, artillery.resolve_write),
    orders.WriteNavalMission: (naval.check_naval_write, naval.resolve_naval_write),
    orders.FireMissions: (artillery.check_missions, artillery.resolve_missions),
    orders.DirectFire: (fire.check_direct_fire, fire.resolve_direct_fire),
    orders.NavalFire: (naval.check_naval_fire, naval.resolve_naval_fire),
    orders.FlyTo: (air.check_fly, air.resolve_fly),
    orders.FireAtAircraft: (air.check_antiair, air.resolve_antiair),
    orders.AirAttack: (air.check_air_attack, air.resolve_air_attack),
    orders.MoveUnit: (movement.check_move, movement.resolve_move),
    orders.LeaveMap: (movement.check_leave, movement.resolve_leave),
    orders.LoadUnit: (transport.check_load, transport.resolve_load),
    orders.UnloadUnit: (transport.check_unload, transport.resolve_unload),
    orders.EnterFort: (forts.check_enter_fort, forts.resolve_enter_fort),
    orders.LeaveFort: (forts.check_leave_fort, forts.resolve_leave_fort),
    orders.Overrun: (overrun.check_overrun, overrun.resolve_overrun),
    orders.CloseAssault: (assault.check_assault, assault.resolve_assault),
    orders.OpportunityFire: (opportunity.check_opportunity, opportunity.resolve_opportunity),
    orders.Pass: (_check_nothing, opportunity.resolve_pass),
    orders.BeginWork: (engineers.check_begin, engineers.resolve_begin),
    orders.FinishWork: (engineers.check_finish, engineers.resolve_finish),
    orders.SetFacing: (fire.check_facing, fire.resolve_facing),
}

EXPLAIN: dict[type[Order], Explain] = {
    orders.DirectFire: fire.explain_direct_fire,
    orders.FireMissions: artillery.explain_missions,
    orders.NavalFire: naval.explain_naval_fire,
    orders.FireAtAircraft: air.explain_antiair,
    orders.AirAttack: air.explain_air_attack,
    orders.MoveUnit: movement.explain_move,
    orders.Overrun: overrun.explain_overrun,
    orders.CloseAssault: assault.explain_assault,
    orders.OpportunityFire: opportunity.explain_opportunity,
}


class PanzerLeader:
    """The Panzer Leader ruleset."""

    info = Info("panzer_leader", "Panzer Leader", "1", "PL-", Position, orders.AnyOrder, AnyEvent, AnyFrame, BADGES)

    def setup(self, scenario: Any, options: dict[str, Any], key: DiceKey) -> State[Position]:
        return setup.opening(scenario, options, key)

    def sides(self, state: State[Position]) -> tuple[SideId, ...]:
        return SIDES

    def decisions(self, state: State[Position]) -> tuple[Decision, ...]:
        return sequence.decisions(state)

    def view(self, state: State[Position], side: SideId) -> View:
        return view.view(state, known_position(self, state, side), side)

    def check(self, view: View, order: Order) -> Refusal | None:
        """The refusal an order would meet, judged on what the side knows."""
        if not any(decision.side == view.side for decision in view.decisions):
            return Refusal(RuleId("PL-501"), "it is the other side's decision now")
        if type(order) not in sequence.lawful_orders(view.flow[-1]):
            return Refusal(view.decisions[0].rule, f"that order does not belong to this step: {view.decisions[0].kind}")
        return ORDERS[type(order)][0](view.position, view.side, order)

    def options(self, view: View, decision: Decision) -> Choices:
        return choices.Choices(view, decision)

    def menu(self, view: View, selection: Selection) -> tuple[Verb, ...]:
        return menu.menu(self, view, selection)

    def pieces(self, view: View) -> tuple[Piece, ...]:
        return describe.pieces(view)

    def piece_changes(self, before: Position, after: Position, side: SideId) -> PieceChanges:
        return describe.piece_changes(before, after, side)

    def resolve(self, resolution: Resolution[Position], side: SideId, order: Order) -> None:
        ORDERS[type(order)][1](resolution, side, order)

    def advance(self, resolution: Resolution[Position]) -> None:
        sequence.advance(resolution)

    def apply(self, position: Position, event: Event) -> Position:
        return changes.apply(position, event)

    def known(self, position: Position, side: SideId) -> Position:
        return view.known_position(position, side)

    def redact(self, event: Event, before: Position, after: Position, side: SideId) -> Event | None:
        return view.telling.redact(event, before, after, side)

    def discern(self, known: Position, before: Position, after: Position, side: SideId) -> Iterable[Event]:
        return view.discern(known, before, after, side)

    def may_undo(self, view_: View, order: Order) -> bool:
        return view.may_undo(view_, order)

    def believed(self, view_: View) -> State[Position]:
        return State(view_.position, view_.flow, DiceKey("forecast"))

    def imagine(self, view_: View, key: DiceKey) -> State[Position]:
        return imagination.imagined(view_, key)

    def outcome(self, state: State[Position]) -> Outcome | None:
        return victory.outcome(state.position)

    def explain(self, view: View, order: Order) -> tuple[Tally, ...]:
        explain = EXPLAIN.get(type(order))
        return explain(view.position, view.side, order) if explain else ()

    def odds(self, view: View, order: Order) -> Forecast | None:
        return reactions.odds(self, view, order)

    def sight(self, view: View, a: HexId, b: HexId) -> SightLine:
        return insight.sight_line(view, a, b)

    def seen(self, view: View, units: tuple[UnitId, ...]) -> tuple[HexId, ...]:
        return insight.seen(view, units)

    def watchers(self, view: View, place: HexId) -> tuple[UnitId, ...]:
        return insight.watchers(view, place)

    def threats(self, view: View, place: HexId) -> tuple[Threat, ...]:
        return insight.threats(view, place)

    def standing(self, view: View) -> tuple[Tally, ...]:
        return insight.standing(view)

    def hex_facts(self, view: View, place: HexId) -> tuple[Line, ...]:
        return insight.hex_facts(view, place)

    def ready(self, view: View) -> tuple[UnitId, ...]:
        return readiness.ready(view)

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

    def order_text(self, order: Order, view: View) -> str:
        return describe.order_text(order, view.position)
