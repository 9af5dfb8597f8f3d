"""Walking down a sequence of play."""

from __future__ import annotations

from sandtable.kernel.decisions import Decision
from sandtable.kernel.events import EVERYBODY, DiceKey, Event, Frame
from sandtable.kernel.ids import RuleId, SideId
from sandtable.kernel.resolution import Resolution
from sandtable.kernel.state import State
from sandtable.play.step_tables import Level, Step
from sandtable.play.steps import Levels, Steps
from tests.kit.scripted import ScriptedDice

Day = Resolution[tuple[str, ...]]


class Said(Event, frozen=True):
    audience = EVERYBODY
    word: str


class InStep(Frame, frozen=True):
    key: str


class Reaction(Frame, frozen=True):
    side: SideId


def said(word: str):  # type: ignore[no-untyped-def]
    return lambda resolution: resolution.emit(Said(word))


STEPS: tuple[Step[tuple[str, ...]], ...] = (
    Step("morning", "Morning", "L-1", run=said("sunrise")),
    Step("market", "Market", "L-2", "Buy something.", needed=lambda position: "money" in position),
    Step("evening", "Evening", "L-3", "Do something.", finish=said("sunset")),
)


def began(resolution: Day, step: Step[tuple[str, ...]]) -> None:
    resolution.goto(InStep(step.key))
    resolution.emit(Said(step.title))


WALK: Steps[tuple[str, ...]] = Steps(STEPS, began)


def day(*position: str) -> Day:
    state = State(position, (InStep(""),), DiceKey("x"))
    return Resolution(state, ScriptedDice(()), lambda before, event: before)


def words(resolution: Day) -> list[str]:
    return [event.word for event in resolution.events if isinstance(event, Said)]


def test_the_first_step_that_somebody_needs_begins_with_what_the_rules_do() -> None:
    resolution = day()
    assert WALK.begin(resolution)
    assert resolution.top == InStep("morning")
    assert words(resolution) == ["Morning", "sunrise"]


def test_a_step_that_nobody_needs_is_passed_over() -> None:
    poor, rich = day(), day("money")
    assert WALK.go_on(poor, "morning")
    assert WALK.go_on(rich, "morning")
    assert (poor.top, rich.top) == (InStep("evening"), InStep("market"))


def test_ending_a_step_finishes_it_and_the_table_comes_to_its_end() -> None:
    resolution = day("money")
    assert WALK.end(resolution, "market")
    assert not WALK.end(resolution, "evening")
    assert words(resolution) == ["Evening", "sunset"]


def test_where_nobody_needs_anything_no_step_begins() -> None:
    idle: Steps[tuple[str, ...]] = Steps((STEPS[1],), began)
    assert not idle.begin(day())


def test_a_step_with_a_prompt_is_open() -> None:
    assert [step.is_open for step in STEPS] == [False, True, True]
    assert WALK.by_key["market"].title == "Market"


def test_the_innermost_level_decides_or_goes_on_by_itself() -> None:
    answer = Decision(SideId("red"), "answer", RuleId("L-4"))
    levels: Levels[tuple[str, ...]] = Levels(
        Level(InStep, go_on=lambda resolution, frame: resolution.goto(InStep("later"))),
        Level(Reaction, decide=lambda position, frame: (answer,) if frame.side == answer.side else ()),
    )
    resolution = day()
    assert levels.decisions(State((), (InStep(""),), DiceKey("x"))) == ()
    assert levels.decisions(State((), (InStep(""), Reaction(SideId("red"))), DiceKey("x"))) == (answer,)
    levels.advance(resolution)
    assert resolution.top == InStep("later")
