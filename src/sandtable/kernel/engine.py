"""One way in: `begin` opens a battle, `submit` carries out one order, `undoable` says whether it may be taken back."""

from __future__ import annotations

from collections.abc import Iterable
from operator import attrgetter
from typing import Any, TypeVar

from sandtable.kernel.decisions import KERNEL, Decision, Refusal
from sandtable.kernel.dice import Dice, KeyedDice
from sandtable.kernel.events import DiceKey, Order
from sandtable.kernel.ids import SPECTATORS, SideId
from sandtable.kernel.resolution import RUNAWAY, Resolution, RunawayError
from sandtable.kernel.ruleset import Ruleset
from sandtable.kernel.state import Played, State
from sandtable.kernel.telling import Telling, introduced, is_discovery, telling_of

P = TypeVar("P")

_side_of = attrgetter("side")


def begin(
    ruleset: Ruleset[P], scenario: Any, options: dict[str, Any], seed: str, viewers: Iterable[SideId] = ()
) -> Played[P]:
    """The battle is set up and stands at its first decision; these viewers will be told what happens in it."""
    state = introduced(ruleset, ruleset.setup(scenario, options, DiceKey(seed)), viewers, {})
    telling = telling_of(ruleset, state)
    resolution = Resolution(state, KeyedDice(state.dice), ruleset.apply, telling)
    return _settle(ruleset, state, resolution, telling, None, None)


def all_viewers(ruleset: Ruleset[P], state: State[P]) -> tuple[SideId, ...]:
    """Every side, and the spectators."""
    return (*ruleset.sides(state), SPECTATORS)


def submit(
    ruleset: Ruleset[P], state: State[P], side: SideId, order: Order, dice: Dice | None = None
) -> Played[P] | Refusal:
    """The order is carried out and play stands at the next decision, or nothing has changed and a refusal says why."""
    if side not in map(_side_of, decisions := ruleset.decisions(state)):
        in_play = decisions and side in ruleset.sides(state)
        told = ruleset.check(ruleset.view(state, side), order) if in_play else None
        return told or Refusal(KERNEL, "no decision is open to your side now")
    refusal = ruleset.check(ruleset.view(state, side), order)
    return carry_out(ruleset, state, side, order, dice) if refusal is None else refusal


def carry_out(ruleset: Ruleset[P], state: State[P], side: SideId, order: Order, dice: Dice | None = None) -> Played[P]:
    """A lawful order is carried out and play stands at the next decision."""
    telling = telling_of(ruleset, state)
    resolution = Resolution(state, dice or KeyedDice(state.dice), ruleset.apply, telling)
    ruleset.resolve(resolution, side, order)
    return _settle(ruleset, state, resolution, telling, side, order)


def _settle(
    ruleset: Ruleset[P],
    before: State[P],
    resolution: Resolution[P],
    telling: Telling[P] | None,
    side: SideId | None,
    order: Order | None,
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
    draws, events = tuple(resolution.dice.draws), tuple(resolution.events)
    if telling is None:
        return Played(state, side, order, draws, events)
    state = State(state.position, state.flow, key, telling.knowledge())
    told = {viewer: tuple(news) for viewer, news in telling.told.items()}
    return Played(state, side, order, draws, events, told)


def undoable(ruleset: Ruleset[P], before: State[P], played: Played[P]) -> bool:
    """Whether the order drew no dice, brought nothing to its side's light on the whole way, left the decision where it
    was, and is one that its system lets be taken back.

    Only what the mover was told is asked: an undo refused because a hidden enemy saw the move would betray him.
    """
    side, order = played.side, played.order
    if side is None or order is None or played.draws:
        return False
    if _deciders(ruleset.decisions(before)) != _deciders(ruleset.decisions(played.state)):
        return False
    return ruleset.may_undo(ruleset.view(before, side), order) and not any(map(is_discovery, played.told[side]))


def _deciders(decisions: tuple[Decision, ...]) -> tuple[SideId, ...]:
    return tuple(map(_side_of, decisions))
