"""One way in: `begin` opens a battle, `submit` carries out one order, `undoable` says whether it may be taken back."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

import msgspec

from sandtable.kernel.decisions import KERNEL, Decision, Refusal
from sandtable.kernel.dice import Dice, DiceKey, KeyedDice
from sandtable.kernel.events import Draw, Event, Order
from sandtable.kernel.ids import SideId
from sandtable.kernel.resolution import RUNAWAY, Resolution, RunawayError
from sandtable.kernel.ruleset import Ruleset
from sandtable.kernel.state import State

P = TypeVar("P")


class Played(msgspec.Struct, Generic[P], frozen=True):
    """One order as it was carried out: the state after it, the dice, and each event with the position after it."""

    state: State[P]
    side: SideId | None
    order: Order | None
    draws: tuple[Draw, ...]
    events: tuple[Event, ...]
    trail: tuple[P, ...]


def begin(ruleset: Ruleset[P], scenario: Any, options: dict[str, Any], seed: str) -> Played[P]:
    """The battle is set up and stands at its first decision."""
    state = ruleset.setup(scenario, options, DiceKey(seed))
    resolution = Resolution(state, KeyedDice(state.dice), ruleset.apply)
    return _settle(ruleset, state, resolution, None, None)


def submit(
    ruleset: Ruleset[P], state: State[P], side: SideId, order: Order, dice: Dice | None = None
) -> Played[P] | Refusal:
    """The order is carried out and play stands at the next decision, or nothing has changed and a refusal says why."""
    if side not in [decision.side for decision in ruleset.decisions(state)]:
        return Refusal(KERNEL, "no decision is open to your side now")
    refusal = ruleset.check(ruleset.view(state, side), order)
    if refusal is not None:
        return refusal
    resolution = Resolution(state, dice or KeyedDice(state.dice), ruleset.apply)
    ruleset.resolve(resolution, side, order)
    return _settle(ruleset, state, resolution, side, order)


def _settle(
    ruleset: Ruleset[P], before: State[P], resolution: Resolution[P], side: SideId | None, order: Order | None
) -> Played[P]:
    """Play has advanced until somebody must decide or the battle is over."""
    key = DiceKey(before.dice.seed, before.dice.number + 1)
    state = State(resolution.position, tuple(resolution.flow), key)
    steps = 0
    while not ruleset.decisions(state) and ruleset.outcome(state) is None:
        ruleset.advance(resolution)
        state = State(resolution.position, tuple(resolution.flow), key)
        steps += 1
        if steps > RUNAWAY:
            raise RunawayError("the sequence of play advances without reaching a decision")
    return Played(state, side, order, tuple(resolution.dice.draws), tuple(resolution.events), tuple(resolution.trail))


def undoable(ruleset: Ruleset[P], before: State[P], played: Played[P]) -> bool:
    """Whether the order drew no dice, told its side nothing new and left the decision with it.

    Only the mover's own knowledge is asked: an undo refused because a hidden enemy saw the move would betray him.
    """
    side, after = played.side, played.state
    if played.draws or side is None or _deciders(ruleset.decisions(before)) != _deciders(ruleset.decisions(after)):
        return False
    known = ruleset.known(ruleset.view(before, side))
    # also what came to light on the way and is out of sight again
    passed = (State(position, after.flow, after.dice) for position in played.trail)
    return all(ruleset.known(ruleset.view(state, side)) == known for state in (*passed, after))


def _deciders(decisions: tuple[Decision, ...]) -> tuple[SideId, ...]:
    return tuple(decision.side for decision in decisions)


def observed(ruleset: Ruleset[P], played: Played[P], side: SideId) -> tuple[Event, ...]:
    """The events of an order as that side may know them."""
    seen = (ruleset.redact(event, position, side) for event, position in zip(played.events, played.trail, strict=True))
    return tuple(event for event in seen if event is not None)
