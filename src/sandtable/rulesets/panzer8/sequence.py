"""The sequence of play, to be read next to section 4 of the rules.

Rules: P8-4.01, P8-4.02, P8-4.03, P8-4.04, P8-4.05.
"""

from __future__ import annotations

from functools import cache

from sandtable.kernel.decisions import Decision
from sandtable.kernel.ids import RuleId, SideId
from sandtable.kernel.resolution import Resolution
from sandtable.kernel.state import State, View
from sandtable.play.step_tables import Level, Step
from sandtable.play.steps import Levels, Steps
from sandtable.rulesets.panzer8 import close_combat, deck, engineering, journeys, reactions, setup, victory
from sandtable.rulesets.panzer8.events import StepBegan, TurnBegan, TurnEnded
from sandtable.rulesets.panzer8.frames import AdvanceFrame, CardFrame, Journey, ReactionFrame, SetupFrame, StepFrame
from sandtable.rulesets.panzer8.model import Position
from sandtable.rulesets.panzer8.pieces import enemy_of, is_over

Phase = Resolution[Position]


def _end_turn(resolution: Phase) -> None:
    """Smoke and effects that are over are gone, the deck may be whole again; then victory is checked (P8-4.05)."""
    engineering.advance_works(resolution)
    deck.shuffle_if_due(resolution)
    resolution.emit(TurnEnded(resolution.position.half))
    position = resolution.position
    scenario = position.ground.scenario
    is_last = position.turn >= scenario.turns and position.active != scenario.first
    victory.conclude(resolution, is_last=is_last)


STEPS: tuple[Step[Position], ...] = (
    Step("draw", "Event", "P8-4.02", run=deck.draw),
    Step("action", "Action", "P8-4.03", "Give each element one action, in any order; then end the phase."),
    Step(
        "close combat",
        "Close combat",
        "P8-4.04",
        "Fight the close combats you declared, in the order you choose.",
        run=close_combat.drop_void_combats,
        needed=close_combat.has_combats,
    ),
    Step("end", "End", "P8-4.05", run=_end_turn),
)

BY_KEY = {step.key: step for step in STEPS}


def _began(resolution: Phase, step: Step[Position]) -> None:
    """Play stands in the step."""
    resolution.goto(StepFrame(step.key))
    resolution.emit(StepBegan(step.key, resolution.position.active))


WALK: Steps[Position] = Steps(STEPS, _began)


@cache
def _step_decision(key: str, side: SideId) -> tuple[Decision, ...]:
    step = BY_KEY.get(key)
    if step is None or not step.is_open:
        return ()
    return (Decision(side, step.key, RuleId(step.rule), step.prompt),)


def _decide_step(position: Position, frame: StepFrame) -> tuple[Decision, ...]:
    """The active player decides; close combat is over when none is left to fight."""
    if frame.step == "close combat" and not position.combats:
        return ()
    return _step_decision(frame.step, position.active)


def _go_on(resolution: Phase, frame: StepFrame) -> None:
    """The next step has begun; after the last one it is the other player's turn (P8-4.01)."""
    if frame.step and WALK.go_on(resolution, frame.step):
        return
    position = resolution.position
    if not frame.step:
        side, turn = position.active, position.turn
    else:
        side = enemy_of(position.active)
        turn = position.turn + (side == position.ground.scenario.first)
    resolution.emit(TurnBegan(side, turn, position.half + 1))
    WALK.begin(resolution)


LEVELS: Levels[Position] = Levels(
    Level(SetupFrame, setup.decide),
    Level(StepFrame, _decide_step, _go_on),
    Level(CardFrame, deck.decide),
    Level(Journey, go_on=journeys.go_on),
    Level(ReactionFrame, reactions.decide),
    Level(AdvanceFrame, close_combat.decide_advance),
)


def decisions(state: State[Position]) -> tuple[Decision, ...]:
    """The decision that is open, if any."""
    return () if is_over(state.position) else LEVELS.decisions(state)


def advance(resolution: Phase) -> None:
    """Play has gone one piece further."""
    LEVELS.advance(resolution)


def end_phase(resolution: Phase) -> None:
    """The active player has ended his actions, or a player his set-up."""
    top = resolution.top
    if isinstance(top, SetupFrame):
        setup.end_setup(resolution, top)
    else:
        WALK.end(resolution, "action")


def step_of(view: View[Position]) -> str:
    """The open decision or the step that play is in."""
    if view.decisions:
        return view.decisions[0].kind
    return next((frame.step for frame in reversed(view.flow) if isinstance(frame, StepFrame)), view.position.step)
