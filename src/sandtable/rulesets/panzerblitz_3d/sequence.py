"""The sequence of play, to be read next to section 5 of the rules.

A game turn walks down GAME_TURN, then each player in turn down PLAYER_TURN. Which orders are given in a step stands in
the orderbook.

Rules: PB3-501, PB3-502, PB3-503, PB3-504, PB3-505, PB3-506, PB3-507, PB3-508, PB3-509.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from sandtable.kernel.decisions import Decision, Refusal
from sandtable.kernel.ids import RuleId, SideId
from sandtable.kernel.resolution import Resolution
from sandtable.kernel.state import State, View
from sandtable.play.step_tables import Level, Step
from sandtable.play.steps import Levels, Steps
from sandtable.rulesets.panzerblitz_3d import (
    artillery,
    assault,
    fire,
    journeys,
    opportunity,
    overrun,
    setup,
    victory,
)
from sandtable.rulesets.panzerblitz_3d.events import (
    FirstChosen,
    InitiativeRolled,
    NotesSealed,
    PlayerTurnBegan,
    PlayerTurnEnded,
    StepBegan,
    TurnBegan,
    TurnEnded,
)
from sandtable.rulesets.panzerblitz_3d.frames import Journey, OpportunityWindow, OverrunFrame, SetupFrame, StepFrame
from sandtable.rulesets.panzerblitz_3d.model import GERMAN, NO_SIDE, RUSSIAN, SIDES, Position
from sandtable.rulesets.panzerblitz_3d.orders import ChooseFirst, SealPlot
from sandtable.rulesets.panzerblitz_3d.pieces import enemy_of

Phase = Resolution[Position]

ROLLS, INITIATIVE, PLOTS, ASSIGNMENT, ARTILLERY = (
    "initiative rolls",
    "initiative",
    "artillery plots",
    "opportunity assignment",
    "artillery",
)
FIRE, VEHICLES, FOOT, ASSAULT = "fire", "vehicle movement", "foot movement", "close assault"
SEALED = (PLOTS, ASSIGNMENT)
"""The steps in which both sides write in secret."""


def _roll_initiative(resolution: Phase) -> None:
    """Both sides have rolled until one has the higher die (PB3-501)."""
    winner = NO_SIDE
    while not winner:
        german, russian = resolution.roll("PB3-501"), resolution.roll("PB3-501")
        winner = NO_SIDE if german == russian else GERMAN if german > russian else RUSSIAN
        resolution.emit(InitiativeRolled(german, russian, winner))


def _has_batteries(position: Position) -> bool:
    return bool(artillery.plotters(position))


def _in_fog_or(asked: Callable[[Position], bool]) -> Callable[[Position], bool]:
    """In the fog a step is never passed over: that it was would tell what a side can't do (PB3-1303)."""
    return lambda position: position.ground.options.fog or asked(position)


GAME_TURN: tuple[Step[Position], ...] = (
    Step(ROLLS, "Initiative rolls", "PB3-501", run=_roll_initiative),
    Step(INITIATIVE, "Initiative", "PB3-501", "You won the initiative: say who is first player this turn."),
    Step(
        PLOTS,
        "Plot off-board artillery",
        "PB3-502",
        "Plot a target hex for each battery in secret, then seal your plots.",
        needed=_has_batteries,
    ),
    Step(
        ASSIGNMENT,
        "Assign opportunity fire",
        "PB3-503",
        "Assign units to opportunity fire in secret, then seal the list: they neither fire nor move in your own turn.",
        finish=opportunity.reveal,
    ),
    Step(
        ARTILLERY,
        "Resolve off-board artillery",
        "PB3-504",
        run=artillery.resolve_artillery,
        needed=_has_batteries,
    ),
)

PLAYER_TURN: tuple[Step[Position], ...] = (
    Step(
        FIRE,
        "Fire",
        "PB3-505",
        "Designate targets; all fire is resolved when you end the step.",
        needed=_in_fog_or(fire.may_fire),
        finish=fire.fire_all,
    ),
    Step(
        VEHICLES,
        "Move vehicles",
        "PB3-509",
        "Move vehicles, load, unload and overrun; then end the step.",
        finish=journeys.end_movement,
    ),
    Step(
        FOOT,
        "Move foot units",
        "PB3-509",
        "Move infantry and others without vehicles; then end the step.",
        finish=journeys.end_movement,
    ),
    Step(
        ASSAULT,
        "Close assaults",
        "PB3-505",
        "Assault adjacent hexes with infantry that did not fire; then end the step.",
        needed=_in_fog_or(assault.may_assault),
    ),
)

BY_KEY = {step.key: step for step in (*GAME_TURN, *PLAYER_TURN)}


def _began(resolution: Phase, step: Step[Position]) -> None:
    """Play stands in the step."""
    position = resolution.position
    side = position.winner if step.key == INITIATIVE else position.phasing
    resolution.goto(StepFrame(step.key))
    resolution.emit(StepBegan(step.key, side, position.turn))


TURN_WALK: Steps[Position] = Steps(GAME_TURN, _began)
PLAYER_WALK: Steps[Position] = Steps(PLAYER_TURN, _began)


def writers(position: Position, step: str) -> tuple[SideId, ...]:
    """The sides that write in a sealed step."""
    return artillery.plotters(position) if step == PLOTS else SIDES


def _deciders(position: Position, step: str) -> tuple[SideId, ...]:
    """The sides that decide in a step."""
    if step in SEALED:
        return tuple(side for side in writers(position, step) if side not in position.sealed)
    return (position.winner,) if step == INITIATIVE else (position.phasing,)


def _decide_step(position: Position, frame: StepFrame) -> tuple[Decision, ...]:
    step = BY_KEY.get(frame.step)
    if step is None or not step.is_open:
        return ()
    rule, sealed = RuleId(step.rule), step.key in SEALED
    return tuple(Decision(side, step.key, rule, step.prompt, sealed=sealed) for side in _deciders(position, step.key))


def _go_on(resolution: Phase, frame: StepFrame) -> None:
    """The next step has begun, or the first turn."""
    if not frame.step:
        begin_turn(resolution, resolution.position.turn)
    elif not TURN_WALK.go_on(resolution, frame.step):
        begin_player_turn(resolution, resolution.position.first)


LEVELS: Levels[Position] = Levels(
    Level(SetupFrame, setup.decisions),
    Level(StepFrame, _decide_step, _go_on),
    Level(Journey, go_on=journeys.walk),
    Level(OverrunFrame, go_on=overrun.drive_on),
    Level(OpportunityWindow, opportunity.decisions),
)


def decisions(state: State[Position]) -> tuple[Decision, ...]:
    """The decisions that are open, if any."""
    return () if state.position.over else LEVELS.decisions(state)


def advance(resolution: Phase) -> None:
    """Play has gone one piece further."""
    LEVELS.advance(resolution)


def step_of(view: View[Position]) -> str:
    """The open decision or the step that play is in."""
    if view.decisions:
        return view.decisions[0].kind
    return next((frame.step for frame in reversed(view.flow) if isinstance(frame, StepFrame)), "")


# --- turns ----------------------------------------------------------------------------------------------------------


def begin_turn(resolution: Phase, turn: int) -> None:
    """A game turn has begun with the dice for the initiative."""
    resolution.emit(TurnBegan(turn))
    TURN_WALK.begin(resolution)


def begin_player_turn(resolution: Phase, side: SideId) -> None:
    """A side's player turn has begun with its first step that somebody needs."""
    resolution.emit(PlayerTurnBegan(side, resolution.position.turn))
    PLAYER_WALK.begin(resolution)


def end_player_turn(resolution: Phase) -> None:
    """The player turn is over: the other player follows, or the game turn ends with the recovery of who has served, and
    after the last of them the battle.

    Rules: PB3-506, PB3-507, PB3-905.
    """
    position = resolution.position
    resolution.emit(PlayerTurnEnded(position.phasing))
    if victory.is_decided(resolution.position):
        victory.end_battle(resolution)
    elif position.phasing == position.first:
        begin_player_turn(resolution, enemy_of(position.first))
    else:
        resolution.emit(TurnEnded(position.turn))
        if position.turn >= position.ground.scenario.turns:
            victory.end_battle(resolution)
        else:
            begin_turn(resolution, position.turn + 1)


def end_phase(resolution: Phase) -> None:
    """The side has ended its step or its setup."""
    top = resolution.top
    if isinstance(top, SetupFrame):
        setup.end_setup(resolution, top)
        return
    assert isinstance(top, StepFrame)
    if not PLAYER_WALK.end(resolution, top.step):
        end_player_turn(resolution)


# --- the initiative and sealed notes --------------------------------------------------------------------------------


def check_first(position: Position, side: SideId, order: ChooseFirst) -> Refusal | None:
    """Why a side can't be named first player, or None."""
    return None if order.side in SIDES else Refusal(RuleId("PB3-501"), "name one of the two sides")


def first_options(position: Position, side: SideId) -> Iterator[ChooseFirst]:
    """The side itself, then the enemy."""
    yield ChooseFirst(side)
    yield ChooseFirst(enemy_of(side))


def resolve_first(resolution: Phase, side: SideId, order: ChooseFirst) -> None:
    """It is settled who is first player of the game turn (PB3-501)."""
    resolution.emit(FirstChosen(order.side))
    TURN_WALK.end(resolution, INITIATIVE)


def seal_options(position: Position, side: SideId) -> Iterator[SealPlot]:
    """Notes can always be left as they are."""
    yield SealPlot()


def is_sealed(position: Position, side: SideId) -> Refusal | None:
    """Why a side writes nothing more, or None: its sealed notes stand as they are until both are (PB3-502, PB3-503)."""
    if side not in position.sealed:
        return None
    return Refusal(RuleId(BY_KEY[position.step].rule), "your notes are sealed")


def resolve_seal(resolution: Phase, side: SideId, order: SealPlot) -> None:
    """The side writes no more; when nobody does, the step is over (PB3-502, PB3-503)."""
    top = resolution.top
    assert isinstance(top, StepFrame)
    resolution.emit(NotesSealed(side))
    if not _deciders(resolution.position, top.step) and not TURN_WALK.end(resolution, top.step):
        begin_player_turn(resolution, resolution.position.first)
