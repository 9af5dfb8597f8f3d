"""The sequence of play, to be read next to section 5 of the rules.

Rules: P44-5.01, P44-5.02, P44-5.10, P44-5.11, P44-5.12, P44-5.13, P44-15.05.
"""

from __future__ import annotations

from functools import cache

from sandtable.kernel.decisions import Decision
from sandtable.kernel.ids import RuleId, SideId
from sandtable.kernel.resolution import Resolution
from sandtable.kernel.state import State, View
from sandtable.play.step_tables import Level, Step
from sandtable.play.steps import Levels, Steps
from sandtable.rulesets.panzer_44 import (
    direct,
    journeys,
    movement,
    panic,
    plotting,
    reactions,
    recovery,
    setup,
    shelling,
    victory,
)
from sandtable.rulesets.panzer_44.events import StepBegan, TurnBegan, TurnEnded
from sandtable.rulesets.panzer_44.frames import Journey, OpportunityFrame, SetupFrame, StepFrame
from sandtable.rulesets.panzer_44.model import Position
from sandtable.rulesets.panzer_44.orders import EndMovement
from sandtable.rulesets.panzer_44.pieces import enemy_of, first_player, first_player_of, is_over

Phase = Resolution[Position]

PLOT, DIRECT_FIRE, FIRST_MOVE, SECOND_MOVE = "plot", "direct fire", "first movement", "second movement"
FIRST_SHELLS, SECOND_SHELLS = "first indirect fire", "second indirect fire"


def _end_turn(resolution: Phase) -> None:
    """Panic and orders are over; then victory is looked at (P44-6.07, P44-14.02)."""
    resolution.emit(TurnEnded())
    victory.conclude(resolution)


def _shells(resolution: Phase) -> None:
    shelling.resolve_side(resolution, resolution.position.active)


STEPS: tuple[Step[Position], ...] = (
    Step(PLOT, "Mutual plot", "P44-5.03", plotting.PROMPT),
    Step("panic", "Panic determination", "P44-6.03", run=panic.determine),
    Step(DIRECT_FIRE, "Direct fire", "P44-5.10"),
    Step(FIRST_MOVE, "Movement of the First Player", "P44-5.11", "Move every unit you plotted to move."),
    Step(SECOND_MOVE, "Movement of the Second Player", "P44-5.11", "Move every unit you plotted to move."),
    Step("removal", "Pin and disruption removal", "P44-10.07", run=recovery.remove_markers),
    Step(FIRST_SHELLS, "Indirect fire of the First Player", "P44-5.12", run=_shells),
    Step(SECOND_SHELLS, "Indirect fire of the Second Player", "P44-5.12", run=_shells),
    Step("end", "End of the turn", "P44-5.01", run=_end_turn),
)

BY_KEY = {step.key: step for step in STEPS}
MOVES = (FIRST_MOVE, SECOND_MOVE)
OF_FIRST, OF_SECOND = (FIRST_MOVE, FIRST_SHELLS), (SECOND_MOVE, SECOND_SHELLS)


def whose(position: Position, step: str) -> SideId:
    """Whose part of the turn a step is; nobody's where both take part."""
    if step in OF_FIRST:
        return first_player(position)
    return enemy_of(first_player(position)) if step in OF_SECOND else SideId("")


def _began(resolution: Phase, step: Step[Position]) -> None:
    """Play stands in the step."""
    resolution.goto(StepFrame(step.key))
    resolution.emit(StepBegan(step.key, whose(resolution.position, step.key)))


WALK: Steps[Position] = Steps(STEPS, _began)


@cache
def _move_decision(step: str, side: SideId) -> tuple[Decision, ...]:
    return (Decision(side, "movement", RuleId("P44-5.11"), BY_KEY[step].prompt),)


def _decide_step(position: Position, frame: StepFrame) -> tuple[Decision, ...]:
    """Both plot, the firing player names victims, and the moving player moves once his panicked units have bolted."""
    if frame.step == PLOT:
        return plotting.decide(position)
    if frame.step == DIRECT_FIRE:
        return direct.decide(position)
    side = position.active
    if frame.step not in MOVES or journeys.bolters(position, side):
        return ()
    # once he has begun, a player ends his movement himself, whatever becomes of his units
    is_open = position.underway or movement.movers(position, side)
    return _move_decision(frame.step, side) if is_open else ()


def _go_on(resolution: Phase, frame: StepFrame) -> None:
    """Play has gone on: plots are opened, fire is resolved, units bolt; else the next step has begun."""
    position = resolution.position
    if frame.step == PLOT:
        plotting.open_plots(resolution)
    if frame.step == DIRECT_FIRE and direct.go_on(resolution):
        return
    if frame.step in MOVES:
        bolting = journeys.bolters(position, position.active)
        if bolting:
            journeys.bolt(resolution, bolting[0])
            return
    if frame.step and WALK.go_on(resolution, frame.step):
        return
    turn = position.turn + 1 if frame.step else position.turn
    resolution.emit(TurnBegan(turn, first_player_of(position.ground, turn)))
    WALK.begin(resolution)


LEVELS: Levels[Position] = Levels(
    Level(SetupFrame, setup.decide),
    Level(StepFrame, _decide_step, _go_on),
    Level(Journey, go_on=journeys.go_on),
    Level(OpportunityFrame, reactions.decide),
)


def decisions(state: State[Position]) -> tuple[Decision, ...]:
    """The decisions that are open."""
    return () if is_over(state.position) else LEVELS.decisions(state)


def advance(resolution: Phase) -> None:
    """Play has gone one piece further."""
    LEVELS.advance(resolution)


def resolve_end_movement(resolution: Phase, side: SideId, order: EndMovement) -> None:
    """The side has ended its movement."""
    frame = resolution.top
    assert isinstance(frame, StepFrame)
    WALK.end(resolution, frame.step)


def step_of(view: View[Position]) -> str:
    """The open decision or the step that play is in."""
    if view.decisions:
        return view.decisions[0].kind
    return view.position.step
