"""The sequence of play: what happens by itself at the start of a player turn, and then the player's actions.

The table is read next to PB-TURN-2.

Rules: PB-TURN-1, PB-TURN-2, PB-TURN-3, PB-TURN-5, PB-GEN-4, PB-GEN-5.
"""

from __future__ import annotations

from functools import cache

from sandtable.kernel.decisions import Decision
from sandtable.kernel.ids import RuleId, SideId
from sandtable.kernel.resolution import Resolution
from sandtable.kernel.state import State, View
from sandtable.play.step_tables import Level, Step
from sandtable.play.steps import Levels, Steps
from sandtable.rulesets.panzer_battles import clock, victory
from sandtable.rulesets.panzer_battles.air import flying, readiness
from sandtable.rulesets.panzer_battles.command import control, recovery, rest, restoration
from sandtable.rulesets.panzer_battles.deception import effects
from sandtable.rulesets.panzer_battles.engineers import bridges, keeping, turn
from sandtable.rulesets.panzer_battles.environment.events import WeatherChanged
from sandtable.rulesets.panzer_battles.environment.weather import next_weather, visibility
from sandtable.rulesets.panzer_battles.events import PointsRestored, TurnBegan
from sandtable.rulesets.panzer_battles.frames import StepFrame
from sandtable.rulesets.panzer_battles.model import Position, enemy_of
from sandtable.rulesets.panzer_battles.movement import walking
from sandtable.rulesets.panzer_battles.reinforcements import arriving, entries, leaving, releases
from sandtable.rulesets.panzer_battles.spotting import concealment, scouting
from sandtable.rulesets.panzer_battles.supply import daily

Phase = Resolution[Position]

ORDERS = "orders"


def _clock(resolution: Phase) -> None:
    """The other side's turn begins; after the second side's turn the clock advances, and the weather changes.

    Rules: PB-TURN-2, PB-TURN-5.
    """
    position = resolution.position
    side = enemy_of(position.active)
    turn = position.turn + (side == position.first)
    minutes = position.minutes
    if turn > max(1, position.turn):
        minutes = clock.next_turn(minutes, position.parameters)
    weather = next_weather(resolution, turn, minutes) if side == position.first else position.weather
    resolution.emit(TurnBegan(side, turn, minutes, visibility(weather, minutes, position.ground)))
    if weather != position.weather:
        resolution.emit(WeatherChanged(weather.condition, weather.storm, weather.nominal, weather.trend))


def _keep_schedule(resolution: Phase) -> None:
    """Units are released, fixed and withdrawn as the scenario says (PB-TURN-2, step 2)."""
    releases.keep_schedule(resolution)
    leaving.withdraw(resolution)


def _settle(resolution: Phase) -> None:
    """Spotting and concealment are as they are now, and who sees the enemy is fixed no more (PB-TURN-2, step 14)."""
    concealment.settle(resolution)
    scouting.at_turn_start(resolution)
    releases.alarm(resolution)


def _fly(resolution: Phase) -> None:
    """Missions are flown, and bridges whose engineers they struck are gone (PB-TURN-2, step 15; PB-ENG-46)."""
    flying.fly(resolution)
    bridges.settle(resolution)


def _arrivals(resolution: Phase) -> None:
    """Reinforcements are announced, and come in by themselves where the option says so (PB-TURN-4)."""
    entries.announce(resolution)
    arriving.arrive_by_themselves(resolution)


def _look_for_deception(resolution: Phase) -> None:
    """The enemy's deception units may be found, and one's own come back (PB-TURN-2, step 10)."""
    effects.search(resolution)
    effects.recall(resolution)


def _restore_points(resolution: Phase) -> None:
    """Movement points are whole again and the flags of the last turn cleared (PB-TURN-2, step 13)."""
    resolution.emit(PointsRestored(resolution.position.active))


def _close(resolution: Phase) -> None:
    """Scouts that stayed look around, works and markers are as the turn leaves them; after the second side's turn the
    battle may be over.

    Rules: PB-FIRE-68, PB-MOVE-78, PB-SPOT-23, PB-TURN-10.
    """
    scouting.at_next_turn(resolution)
    keeping.end_turn(resolution)
    position = resolution.position
    if position.active != position.first:
        victory.conclude(resolution, is_last=position.turn >= position.ground.scenario.turns)


STEPS: tuple[Step[Position], ...] = (
    Step("clock", "Clock and visibility", "PB-TURN-2", run=_clock),
    Step("schedule", "Releases, fixing, withdrawals", "PB-TURN-2", run=_keep_schedule),
    Step("lines", "Supply values and isolation", "PB-SUP-17", run=daily.trace),
    Step("command", "Command test", "PB-CMD-10", run=control.test),
    Step("staffs", "Headquarters formed anew", "PB-CMD-27", run=restoration.restore),
    Step("supply", "Ammunition, set-up and fuel", "PB-SUP-21", run=daily.supply),
    Step("recovery", "Recovery", "PB-CMD-19", run=recovery.recover),
    Step("rest", "Rest", "PB-FAT-8", run=rest.rest),
    Step("works", "Engineers and digging in", "PB-ENG-7", run=turn.work),
    Step("deception", "Deception units", "PB-TURN-2", run=_look_for_deception),
    Step("on_foot", "Units on foot", "PB-MOVE-68", run=walking.remount),
    Step("air", "Air units", "PB-AIR-32", run=readiness.ready),
    Step("points", "Movement points", "PB-TURN-2", run=_restore_points),
    Step("spotting", "Spotting and concealment", "PB-SPOT-20", run=_settle),
    Step("missions", "Air missions", "PB-AIR-2", run=_fly),
    Step("arrivals", "Arrivals", "PB-TURN-4", run=_arrivals),
    Step(ORDERS, "Orders", "PB-TURN-1", "Move and fire with your units in any order; then end your turn."),
    Step("close", "Next Turn", "PB-TURN-5", run=_close),
)

BY_KEY = {step.key: step for step in STEPS}


def _began(resolution: Phase, step: Step[Position]) -> None:
    resolution.goto(StepFrame(step.key))


WALK: Steps[Position] = Steps(STEPS, _began)


@cache
def _decision(key: str, side: SideId) -> tuple[Decision, ...]:
    step = BY_KEY.get(key)
    if step is None or not step.is_open:
        return ()
    return (Decision(side, step.key, RuleId(step.rule), step.prompt),)


def _decide(position: Position, frame: StepFrame) -> tuple[Decision, ...]:
    return _decision(frame.step, position.active)


def _go_on(resolution: Phase, frame: StepFrame) -> None:
    """The next step has begun; after the last one it is the other side's turn."""
    if not frame.step or not WALK.go_on(resolution, frame.step):
        WALK.begin(resolution)


LEVELS: Levels[Position] = Levels(Level(StepFrame, _decide, _go_on))


def decisions(state: State[Position]) -> tuple[Decision, ...]:
    """The decision that is open, if any."""
    return () if state.position.result is not None else LEVELS.decisions(state)


def advance(resolution: Phase) -> None:
    """Play has gone one step further."""
    LEVELS.advance(resolution)


def end_turn(resolution: Phase) -> None:
    """The active side has ended its turn (PB-TURN-5)."""
    WALK.end(resolution, ORDERS)


def step_of(view: View[Position]) -> str:
    """The step that play is in."""
    frame = view.flow[-1]
    assert isinstance(frame, StepFrame)
    return frame.step
