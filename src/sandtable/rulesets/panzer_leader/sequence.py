"""The sequence of play, to be read next to section 5 of the rules.

A segment walks down STEPS. Which orders are given in a step stands in the orderbook.

Rules: PL-501, PL-502, PL-503, PL-504, PL-505, PL-506, PL-507, PL-508, PL-509, PL-510.
"""

from __future__ import annotations

from functools import cache

from sandtable.kernel.decisions import Decision
from sandtable.kernel.events import Frame
from sandtable.kernel.ids import RuleId, SideId
from sandtable.kernel.resolution import Resolution
from sandtable.kernel.state import State, View
from sandtable.play.step_tables import Level, Step
from sandtable.play.steps import Levels, Steps
from sandtable.rulesets.panzer_leader import (
    air,
    artillery,
    assault,
    engineers,
    fire,
    landing,
    movement,
    opportunity,
    overrun,
    setup,
    victory,
    works,
)
from sandtable.rulesets.panzer_leader.events import SegmentBegan, SegmentEnded, StepBegan, UnitRecovered
from sandtable.rulesets.panzer_leader.frames import (
    Journey,
    OpportunityWindow,
    OverrunFrame,
    SetupFrame,
    StepFrame,
)
from sandtable.rulesets.panzer_leader.model import Position
from sandtable.rulesets.panzer_leader.pieces import enemy_of
from sandtable.rulesets.panzer_leader.stacks import active

Phase = Resolution[Position]

STEPS: tuple[Step[Position], ...] = (
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
        needed=artillery.may_write_missions,
    ),
    Step("mines", "Minefield attacks", "PL-502", run=works.attack_on_mines, needed=works.has_mine_attacks),
    Step(
        "indirect fire",
        "Resolve indirect fire",
        "PL-503",
        "Your written fire comes down when you end the phase; tell batteries to hold before.",
        needed=artillery.has_due_missions,
        finish=artillery.fire_due_missions,
    ),
    Step(
        "direct fire",
        "Direct fire",
        "PL-504",
        "Fire at what you can see; then end the phase.",
        needed=fire.may_fire,
    ),
    Step(
        "air movement",
        "Fly aircraft",
        "PL-1202",
        "Send aircraft to hexes beside their targets; then end the phase.",
        needed=air.has_aircraft,
    ),
    Step(
        "anti-aircraft",
        "Anti-aircraft fire",
        "PL-1207",
        "Fire at the aircraft overhead, or let them come.",
        enemy_decides=True,
        needed=air.may_fire_at_aircraft,
    ),
    Step(
        "air attack",
        "Air attack",
        "PL-505",
        "Attack with the aircraft that are left; then end the phase.",
        needed=air.has_aircraft_overhead,
        finish=air.end_air_phase,
    ),
    Step(
        "vehicle movement",
        "Move vehicles",
        "PL-506",
        "Move vehicles, load, unload and overrun; then end the phase.",
        run=engineers.advance_works,
        finish=movement.end_movement,
    ),
    Step(
        "foot movement",
        "Move foot units",
        "PL-507",
        "Move infantry and others without vehicles; then end the phase.",
        finish=movement.end_movement,
    ),
    Step(
        "close assault",
        "Close assaults",
        "PL-507",
        "Assault adjacent hexes with infantry that did not fire; then end the phase.",
        needed=assault.may_assault,
    ),
    Step(
        "landing",
        "Place landing units",
        "PL-1401",
        "Place units at sea beside a beach; they land in your next segment.",
        needed=landing.may_place,
    ),
)

BY_KEY = {step.key: step for step in STEPS}


def _began(resolution: Phase, step: Step[Position]) -> None:
    """Play stands in the step."""
    position = resolution.position
    resolution.goto(StepFrame(step.key))
    resolution.emit(StepBegan(step.key, decider(position.phasing, step), position.turn, open=step.is_open))


WALK: Steps[Position] = Steps(STEPS, _began)


def decider(phasing: SideId, step: Step[Position]) -> SideId:
    """The side that decides in a step: the phasing one, except for anti-aircraft fire."""
    return enemy_of(phasing) if step.enemy_decides else phasing


@cache
def step_decisions(key: str, phasing: SideId) -> tuple[Decision, ...]:
    """The decision of a step in a side's segment, none when the rules alone do it."""
    step = BY_KEY.get(key)
    if step is None or not step.is_open:
        return ()
    side = decider(phasing, step)
    return (Decision(side, step.key, RuleId(step.rule), step.prompt, optional=step.enemy_decides),)


def _decide_step(position: Position, frame: StepFrame) -> tuple[Decision, ...]:
    return step_decisions(frame.step, position.phasing)


def _go_on(resolution: Phase, frame: StepFrame) -> None:
    """The next step has begun, or the first of the first segment."""
    if not frame.step:
        position = resolution.position
        begin_segment(resolution, position.phasing, position.turn, position.segment + 1)
    else:
        # no step that the rules do alone is the last of a segment
        WALK.go_on(resolution, frame.step)


LEVELS: Levels[Position] = Levels(
    Level(SetupFrame, setup.decisions),
    Level(StepFrame, _decide_step, _go_on),
    Level(Journey, go_on=movement.walk),
    Level(OverrunFrame, go_on=overrun.drive_on),
    Level(OpportunityWindow, opportunity.decisions),
)


def decisions(state: State[Position]) -> tuple[Decision, ...]:
    """The decision that is open, if any: the reacting side's in an opportunity window, else the deciding side's of
    the step.
    """
    position, top = state.position, state.flow[-1]
    return () if position.over else LEVELS.decide[type(top)](position, top)


def step_of(view: View[Position]) -> str:
    """The open decision or the step that play is in, as a viewer knows it; empty while the fog hides it."""
    if view.decisions:
        return view.decisions[0].kind
    return next((frame.step for frame in reversed(view.flow) if isinstance(frame, StepFrame)), "")


def advance(resolution: Phase) -> None:
    """Play has gone one piece further: a journey walked on, a step done by the rules alone, or the next step begun."""
    LEVELS.advance(resolution)


def end_phase(resolution: Phase) -> None:
    """The side has ended its step or its setup."""
    top = resolution.top
    if isinstance(top, SetupFrame):
        setup.end_setup(resolution, top)
        return
    assert isinstance(top, StepFrame)
    if not WALK.end(resolution, top.step):
        end_segment(resolution)


def begin_segment(resolution: Phase, side: SideId, turn: int, segment: int) -> None:
    """The side's segment has begun with its first step that somebody needs."""
    resolution.emit(SegmentBegan(side, turn, segment))
    victory.begin_segment(resolution)
    WALK.begin(resolution)


def end_segment(resolution: Phase) -> None:
    """Step 7 and 8: the owner's units are face-up, and play passes on or the last turn is over.

    Rules: PL-508, PL-509, PL-905.
    """
    position = resolution.position
    for unit in active(position, position.phasing):
        if unit.dispersed:
            resolution.emit(UnitRecovered(unit.id))
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
