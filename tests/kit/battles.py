"""Battles played at random, order by order, as a record keeps them."""

from __future__ import annotations

from typing import Any, NamedTuple

from sandtable.kernel import codec
from sandtable.kernel.dice import PromptDice
from sandtable.kernel.engine import all_viewers, begin, submit
from sandtable.kernel.events import DiceKey, Order
from sandtable.kernel.ids import SideId
from sandtable.kernel.replay import FORMAT, Header, Record, commitment, recorded
from sandtable.kernel.ruleset import AnyRuleset
from sandtable.kernel.state import Played, State


class Step(NamedTuple):
    """One order of a battle and what came of it."""

    before: State[Any]
    side: SideId
    order: Order
    played: Played[Any]


class Battle(NamedTuple):
    """A battle from its opening to wherever it got."""

    opening: Played[Any]
    steps: list[Step]

    @property
    def states(self) -> list[State[Any]]:
        """The state before the first order and after each."""
        return [self.opening.state, *(step.played.state for step in self.steps)]


def must(played: Any) -> Played[Any]:
    """The order was carried out; a refusal fails the test."""
    assert isinstance(played, Played), f"refused: {played}"
    return played


def play(ruleset: AnyRuleset, state: State[Any], *orders: tuple[SideId, Order], dice: Any = None) -> Played[Any]:
    """The orders are carried out one after the other; the last of them is returned."""
    played = None
    for side, order in orders:
        played = must(submit(ruleset, state, side, order, dice))
        state = played.state
    return must(played)


def told_battle(ruleset: AnyRuleset, scenario: Any, options: dict[str, Any], seed: str) -> Played[Any]:
    """A battle that has begun and of which everybody is told, as at a real table."""
    viewers = all_viewers(ruleset, ruleset.setup(scenario, options, DiceKey(seed)))
    return begin(ruleset, scenario, options, seed, viewers)


def random_battle(ruleset: AnyRuleset, scenario: Any, options: dict[str, Any], seed: str, most: int) -> Battle:
    """A battle in which every decision is taken by lot, up to its end, a dead end or that many orders."""
    opening = told_battle(ruleset, scenario, options, seed)
    state, steps = opening.state, list[Step]()
    for number in range(most):
        decisions = ruleset.decisions(state)
        if not decisions:
            break
        dice = PromptDice(f"lots of {seed}", number)
        decision = decisions[dice.below(len(decisions))]
        choices = ruleset.options(ruleset.view(state, decision.side), decision)
        if next(iter(choices), None) is None:
            break
        order = choices.pick(dice)
        played = must(submit(ruleset, state, decision.side, order))
        steps.append(Step(state, decision.side, order, played))
        state = played.state
    return Battle(opening, steps)


def header(ruleset: AnyRuleset, scenario: Any, options: dict[str, Any], seed: str) -> Header:
    """The header of a battle that is no secret."""
    info = ruleset.info
    return Header(FORMAT, info.key, info.rules_version, "", "", options, commitment(seed), seed)


def record_of(ruleset: AnyRuleset, header: Header, battle: Battle) -> Record:
    """The battle written down."""
    played = [battle.opening, *(step.played for step in battle.steps)]
    return recorded(header, played, played[-1].state, ruleset.outcome(played[-1].state))


def same(a: object, b: object) -> bool:
    """Whether two values have the same canonical bytes."""
    return codec.encode(a) == codec.encode(b)
