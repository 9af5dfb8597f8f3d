"""Who plays which side, and how orders are given at the seats of a battle in memory."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from sandtable import registry
from sandtable.ai.players import Player
from sandtable.battle.authority import Battle
from sandtable.battle.library import PlayableScenario
from sandtable.battle.observed import CommandAnswer
from sandtable.kernel.dice import PromptDice
from sandtable.kernel.events import DiceKey, Order
from sandtable.kernel.ids import SideId
from sandtable.lab.tables import LabError, named

HUMAN = "human"


def sides_of(table: PlayableScenario, options: Mapping[str, Any]) -> tuple[SideId, ...]:
    """The sides of a battle on that table; LabError when it can't be set up."""
    try:
        return table.ruleset.sides(table.ruleset.setup(table.scenario, dict(options), DiceKey("")))
    except ValueError as error:
        raise LabError(f"the battle can't be set up: {error}") from None


def seats_from(text: str, sides: tuple[SideId, ...], allowed: Iterable[str]) -> dict[SideId, str]:
    """Who plays each side, written as A,B in the order of the sides or as side=A,side=B."""
    known = tuple(allowed)
    words = [word.strip() for word in text.split(",")]
    if any("=" in word for word in words):
        pairs = [word.partition("=") for word in words]
    else:
        if len(words) != len(sides):
            wanted = ", ".join(sides)
            count = "1 player is named" if len(words) == 1 else f"{len(words)} players are named"
            raise LabError(f"{count}, but the battle has {len(sides)} sides ({wanted})")
        pairs = [(side, "=", word) for side, word in zip(sides, words, strict=True)]
    seats: dict[SideId, str] = {}
    for side, _, name in pairs:
        if side not in sides:
            raise named("side", side, sides)
        if name not in known:
            raise named("player", name, known)
        seats[SideId(side)] = name
    if missing := [side for side in sides if side not in seats]:
        raise LabError(f"nobody is named to play {' and '.join(missing)}")
    return seats


def players_of(system: str, seats: dict[SideId, str]) -> dict[SideId, Player]:
    """The computer players at their sides; people are left out."""
    return {side: registry.player(name, system) for side, name in seats.items() if name != HUMAN}


def deciding(battle: Battle) -> SideId | None:
    """The side that decides next, or None when the battle is over."""
    return None if battle.is_over else battle.rules.ruleset.decisions(battle.ledger.state)[0].side


def give(battle: Battle, side: SideId, order: Order) -> CommandAnswer:
    """The order has been given at the side's seat, on the latest that the side has noticed."""
    # nobody else writes to a battle in memory, and every order that is carried out moves the number on
    number = battle.ledger.number(side)
    return battle.submit(side, order, number, str(number))


def computer_order(battle: Battle, side: SideId, player: Player, budget: int) -> CommandAnswer:
    """A computer player has given its order; its lots have nothing to do with the dice of the battle."""
    view, ledger = battle.knowledge(side), battle.ledger
    lots = PromptDice(f"{battle.rules.header.seed} player {side}", ledger.state.dice.number)
    return give(battle, side, player.choose(view, view.decisions[0], budget, lots))
