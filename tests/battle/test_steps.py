"""What a seat is told step by step, put into the table it had, is the table it sees: no piece early, late or left."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.battle import ledger, observation
from sandtable.battle.authority import Battle
from sandtable.battle.battles import Battles
from sandtable.battle.library import ShippedLibrary
from sandtable.battle.observation import Noticed
from sandtable.battle.observed import ToldStep
from sandtable.battle.seats import human, spectator
from sandtable.kernel.dice import PromptDice
from tests.battle.folding import Behind, Follower, follow
from tests.battle.kit import SEATS, WATCHER, MemoryStore, Shelf, battles, order_by_lot
from tests.battle.toys import Melee
from tests.kit.toy import BLUE, LINE, RED, SIDES, TOY, Post, Scenario

LONG_LINE = Scenario(14, 20, (*LINE.posts, Post(RED, 5, hidden=True), Post(BLUE, 14)))


def toy_campaign(number: int) -> tuple[int, int]:
    """How many steps were told in a battle of the toy with undos and restarts, and how many orders were taken back."""
    store = MemoryStore()
    house = battles(store, Shelf((TOY, Melee())[number % 2], long=LONG_LINE))
    battle = house.create("toy", "long", SEATS, {"turns": 20}, f"steps {number}")
    followers = [Follower(battle, seat) for seat in (*SIDES, WATCHER)]
    dice, steps, undone = PromptDice("steps", number), 0, 0
    for order in range(120):
        if order_by_lot(battle, order) is None:
            break
        for side in SIDES:
            if battle.situation(side).can_undo and dice.below(4) == 0:
                undone += battle.undo(side, battle.ledger.number(side), f"back {order} {side}").verdict == "accepted"
        if dice.below(10) == 0:
            house.release(battle.id)
            battle = house.open(battle.id)
        steps += follow(battle, followers)
    return steps, undone


def room_campaign(scenario: str, options: dict[str, Any], orders: int) -> int:
    """How many steps were told in a battle of a shipped scenario."""
    house = Battles(MemoryStore(), ShippedLibrary())
    seats = (human("allied"), human("german"), spectator(WATCHER))  # type: ignore[arg-type]
    battle = house.create("panzer_leader", scenario, seats, options, f"steps of {scenario}")
    followers = [Follower(battle, seat) for seat in battle.seats]
    steps = 0
    for order in range(orders):
        if order_by_lot(battle, order) is None:
            break
        steps += follow(battle, followers)
    return steps


@pytest.mark.parametrize("number", range(6))
def test_whoever_follows_step_by_step_sees_the_table(number: int) -> None:
    steps, undone = toy_campaign(number)
    assert steps > 60
    assert undone > 0


@pytest.mark.parametrize("fog", [False, True])
@pytest.mark.parametrize("scenario", ["pl-meeting", "pl-crossroads", "pl-bluff"])
def test_whoever_follows_a_shipped_scenario_sees_the_table(scenario: str, fog: bool) -> None:
    assert room_campaign(scenario, {"fog": fog, "opportunity_fire": True}, 120) > 60


# builds that tell a step wrongly

Alter = Callable[[Noticed, list[ToldStep]], tuple[ToldStep, ...]]


def altered(patch: pytest.MonkeyPatch, alter: Alter) -> None:
    real, held = observation.noticed, list[ToldStep]()

    def noticed(*given: Any) -> tuple[Noticed, ...]:
        return tuple(
            seen._replace(observation=replace(seen.observation, steps=alter(seen, held))) for seen in real(*given)
        )

    patch.setattr(ledger, "noticed", noticed)


def too_late(seen: Noticed, held: list[ToldStep]) -> tuple[ToldStep, ...]:
    """The pieces of a step come with the next one."""
    steps = []
    for step in seen.observation.steps:
        late = held.pop() if held else ToldStep()
        held.append(step)
        steps.append(replace(step, changed=late.changed))
    return tuple(steps)


def not_taken_away(seen: Noticed, held: list[ToldStep]) -> tuple[ToldStep, ...]:
    return tuple(replace(step, gone=()) for step in seen.observation.steps)


def taken_away_twice(seen: Noticed, held: list[ToldStep]) -> tuple[ToldStep, ...]:
    return tuple(step for one in seen.observation.steps for step in (one, replace(one, changed=(), line=None)))


def without_bookkeeping(seen: Noticed, held: list[ToldStep]) -> tuple[ToldStep, ...]:
    """Only what has a line in the log is told."""
    return tuple(replace(step, changed=() if "Appeared" in str(step.line) else step.changed) for step in seen[0].steps)


@pytest.mark.parametrize("alter", [too_late, not_taken_away, taken_away_twice, without_bookkeeping])
def test_a_build_that_tells_a_step_wrongly_is_caught(alter: Alter, monkeypatch: pytest.MonkeyPatch) -> None:
    altered(monkeypatch, alter)
    with pytest.raises(Behind):
        [*map(toy_campaign, range(6))]


def test_a_build_that_takes_back_without_the_pieces_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    real = observation.taken_back

    def taken_back(*given: Any) -> Noticed | None:
        seen = real(*given)
        return seen and seen._replace(observation=replace(seen.observation, steps=(ToldStep(),)))

    monkeypatch.setattr(ledger, "taken_back", taken_back)
    with pytest.raises(Behind):
        toy_campaign(0)


def test_a_build_whose_situation_lags_behind_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    real, first = Battle.situation, dict[str, Any]()

    def lagging(battle: Battle, seat: str) -> Any:
        return first.setdefault(seat, real(battle, seat))

    follower_sees = Follower.compare
    monkeypatch.setattr(Battle, "situation", lagging)

    def compare(follower: Follower, battle: Battle) -> None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Battle, "situation", real)
            follower_sees(follower, battle)

    monkeypatch.setattr(Follower, "compare", compare)
    with pytest.raises(Behind):
        toy_campaign(0)
