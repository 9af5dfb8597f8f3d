"""The sequence of play, to be read next to section 5 of the rules.

A segment walks down STEPS. A step either asks a side for decisions until it ends the phase, or is done by the rules
alone; a step that nobody needs is passed over.

Rules: PL-501, PL-502, PL-503, PL-504, PL-505, PL-506, PL-507, PL-508, PL-509, PL-510.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import msgspec

from sandtable.kernel.decisions import Decision
from sandtable.kernel.events import Frame, Order
from sandtable.kernel.ids import RuleId, SideId
from sandtable.kernel.resolution import Resolution
from sandtable.kernel.state import State, View
from sandtable.rulesets.panzer_leader import (
    air,
    artillery,
    assault,
    engineers,
    fire,
    landing,
    movement,
    opportunity,
    orders,
    overrun,
    setup,
    victory,
    works,
)
from sandtable.rulesets.panzer_leader.events import SegmentBegan, SegmentEnded, StepBegan
from sandtable.rulesets.panzer_leader.frames import (
    Journey,
    OpportunityWindow,
    OverrunFrame,
    SetupFrame,
    StepFrame,
)
from sandtable.rulesets.panzer_leader.model import Position, enemy_of

Phase = Resolution[Position]


def always(position: Position) -> bool:
    """The step is needed in every segment."""
    return True


class Step(msgspec.Struct, frozen=True):
    """One line of the sequence of play.

    `lawful` lists the orders the deciding side may give; a step without any is done by `run` alone. `run` happens
    when the step begins, `finish` when the side ends it.
    """

    key: str
    title: str
    rule: str
    prompt: str = ""
    lawful: tuple[type[Order], ...] = ()
    enemy_decides: bool = False
    needed: Callable[[Position], bool] = always
    run: Callable[[Phase], None] | None = None
    finish: Callable[[Phase], None] | None = None


STEPS: tuple[Step, ...] = (
    Step(
        "landing rolls",
        "Swimming tanks at sea",
        "PL-1406",
        run=landing.roll_survival,
        needed=landing.has_swimmers_at_sea,
    ),
    Step(
        "indirect orders",
        "Write indirect-fire orders",
        "PL-501",
        "Order batteries to fire in your next segment, then end the phase.",
        lawful=(orders.WriteMission, orders.WriteNavalMission, orders.EndPhase),
        needed=artillery.may_write_missions,
    ),
    Step("mines", "Minefield attacks", "PL-502", run=works.attack_on_mines, needed=works.has_mine_attacks),
    Step(
        "indirect fire",
        "Resolve indirect fire",
        "PL-503",
        "Let your written fire come down, or tell batteries to hold.",
        lawful=(orders.FireMissions, orders.EndPhase),
        needed=artillery.has_due_missions,
        finish=artillery.strike_due_missions,
    ),
    Step(
        "direct fire",
        "Direct fire",
        "PL-504",
        "Fire at what you can see; then end the phase.",
        lawful=(orders.DirectFire, orders.NavalFire, orders.EndPhase),
        needed=fire.may_fire,
    ),
    Step(
        "air movement",
        "Fly aircraft",
        "PL-1202",
        "Send aircraft to hexes beside their targets; then end the phase.",
        lawful=(orders.FlyTo, orders.EndPhase),
        needed=air.has_aircraft,
    ),
    Step(
        "anti-aircraft",
        "Anti-aircraft fire",
        "PL-1207",
        "Fire at the aircraft overhead, or let them come.",
        lawful=(orders.FireAtAircraft, orders.EndPhase),
        enemy_decides=True,
        needed=air.may_fire_at_aircraft,
    ),
    Step(
        "air attack",
        "Air attack",
        "PL-505",
        "Attack with the aircraft that are left; then end the phase.",
        lawful=(orders.AirAttack, orders.EndPhase),
        needed=air.has_aircraft_overhead,
        finish=air.end_air_phase,
    ),
    Step(
        "vehicle movement",
        "Move vehicles",
        "PL-506",
        "Move vehicles, load, unload and overrun; then end the phase.",
        lawful=(
            orders.MoveUnit,
            orders.LeaveMap,
            orders.LoadUnit,
            orders.UnloadUnit,
            orders.EnterFort,
            orders.LeaveFort,
            orders.Overrun,
            orders.PlaceUnit,
            orders.BeginWork,
            orders.FinishWork,
            orders.EndPhase,
        ),
        run=engineers.advance_works,
        finish=movement.end_movement,
    ),
    Step(
        "foot movement",
        "Move foot units",
        "PL-507",
        "Move infantry and others without vehicles; then end the phase.",
        lawful=(
            orders.MoveUnit,
            orders.LeaveMap,
            orders.EnterFort,
            orders.LeaveFort,
            orders.PlaceUnit,
            orders.BeginWork,
            orders.FinishWork,
            orders.SetFacing,
            orders.EndPhase,
        ),
        finish=movement.end_movement,
    ),
    Step(
        "close assault",
        "Close assaults",
        "PL-507",
        "Assault adjacent hexes with infantry that did not fire; then end the phase.",
        lawful=(orders.CloseAssault, orders.EndPhase),
        needed=assault.may_assault,
    ),
    Step(
        "landing",
        "Place landing units",
        "PL-1401",
        "Place units at sea beside a beach; they land in your next segment.",
        lawful=(orders.PlaceUnit, orders.EndPhase),
        needed=landing.may_place,
    ),
)

BY_KEY = {step.key: step for step in STEPS}
AFTER = {step.key: STEPS[place:] for place, step in enumerate(STEPS, 1)}
"""The steps that can follow each step in a segment."""


def decisions(state: State[Position]) -> tuple[Decision, ...]:
    """The decision that is open, if any: the reacting side's in an opportunity window, else the deciding side's of
    the step.
    """
    if state.position.over:
        return ()
    top = state.flow[-1]
    if isinstance(top, StepFrame):
        return step_decisions(top.step, state.position.phasing) if top.step else ()
    if isinstance(top, OpportunityWindow):
        return (opportunity.decision(state.position, top),)
    if isinstance(top, SetupFrame):
        return (setup.decision(top),)
    return ()


def step_of(view: View[Position]) -> str:
    """The open decision or the step that play is in, as a viewer knows it; empty while the fog hides it."""
    if view.decisions:
        return view.decisions[0].kind
    return next((frame.step for frame in reversed(view.flow) if isinstance(frame, StepFrame)), "")


@cache
def step_decisions(key: str, phasing: SideId) -> tuple[Decision, ...]:
    """The decision of a step in a side's segment, none when the rules alone do it."""
    step = BY_KEY[key]
    if not step.lawful:
        return ()
    side = enemy_of(phasing) if step.enemy_decides else phasing
    return (Decision(side, step.key, RuleId(step.rule), step.prompt, optional=step.enemy_decides),)


def decider(position: Position, step: Step) -> SideId:
    """The side that decides in a step: the phasing one, except for anti-aircraft fire."""
    return enemy_of(position.phasing) if step.enemy_decides else position.phasing


def lawful_orders(frame: Frame) -> tuple[type[Order], ...]:
    """The kinds of order that fit the innermost frame."""
    if isinstance(frame, StepFrame):
        return BY_KEY[frame.step].lawful
    if isinstance(frame, SetupFrame):
        return (orders.PlaceUnit, orders.SetFacing, orders.EndPhase)
    return (orders.OpportunityFire, orders.Pass)


def advance(resolution: Phase) -> None:
    """Play has gone one piece further: a journey walked on, a step done by the rules alone, or the next step begun."""
    top = resolution.top
    match top:
        case Journey():
            movement.walk(resolution, top)
        case OverrunFrame():
            overrun.drive_on(resolution, top)
        case StepFrame() if top.step:
            next_step(resolution, top.step)
        case _:
            position = resolution.position
            begin_segment(resolution, position.phasing, position.turn, position.segment + 1)


def end_phase(resolution: Phase) -> None:
    """The side has ended its step or its setup."""
    top = resolution.top
    if isinstance(top, SetupFrame):
        setup.end_setup(resolution, top)
        return
    assert isinstance(top, StepFrame)
    finish = BY_KEY[top.step].finish
    if finish is not None:
        finish(resolution)
    next_step(resolution, top.step)


def next_step(resolution: Phase, key: str) -> None:
    """The next step that somebody needs has begun, or the segment is over."""
    for step in AFTER[key]:
        if step.needed(resolution.position):
            begin_step(resolution, step)
            return
    end_segment(resolution)


def begin_step(resolution: Phase, step: Step) -> None:
    """Play stands in the step, and what the rules do at its start is done."""
    position = resolution.position
    resolution.goto(StepFrame(step.key))
    resolution.emit(StepBegan(step.key, decider(position, step), position.turn, open=bool(step.lawful)))
    if step.run is not None:
        step.run(resolution)


def begin_segment(resolution: Phase, side: SideId, turn: int, segment: int) -> None:
    """The side's segment has begun with its first step that somebody needs."""
    resolution.emit(SegmentBegan(side, turn, segment))
    victory.begin_segment(resolution)
    begin_step(resolution, next(step for step in STEPS if step.needed(resolution.position)))


def end_segment(resolution: Phase) -> None:
    """Step 7 and 8: the owner's units are face-up, and play passes on or the last turn is over.

    Rules: PL-508, PL-509.
    """
    position = resolution.position
    resolution.emit(SegmentEnded(position.phasing))
    scenario = position.ground.scenario
    turn = position.turn + (position.phasing != scenario.first)
    if turn > scenario.turns or victory.is_decided(resolution.position):
        victory.end_battle(resolution)
        return
    begin_segment(resolution, enemy_of(position.phasing), turn, position.segment + 1)


def title_of(frame: Frame) -> str:
    """The name of the step that play is in."""
    if isinstance(frame, StepFrame) and frame.step:
        return BY_KEY[frame.step].title
    return "Setup"
