"""Who plays which side, and a computer player's next order."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sandtable import registry
from sandtable.kernel.decisions import Decision
from sandtable.kernel.dice import PromptDice
from sandtable.kernel.events import Order
from sandtable.kernel.ids import SideId
from sandtable.kernel.state import View
from sandtable.lab.tables import LabError, named

HUMAN = "human"


def seats_from(text: str, sides: tuple[SideId, ...], allowed: Iterable[str]) -> dict[SideId, str]:
    """Who plays each side, written as A,B in the order of the sides or as side=A,side=B."""
    known = tuple(allowed)
    words = [word.strip() for word in text.split(",")]
    if any("=" in word for word in words):
        pairs = [word.partition("=") for word in words]
    else:
        if len(words) != len(sides):
            wanted = ", ".join(sides)
            raise LabError(f"{len(words)} players are named, but the battle has {len(sides)} sides ({wanted})")
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


def players_of(system: str, seats: dict[SideId, str]) -> dict[SideId, Any]:
    """The computer players at their sides; people are left out."""
    return {side: registry.player(name, system) for side, name in seats.items() if name != HUMAN}


def computer_order(player: Any, view: View[Any], decision: Decision, budget: int, seed: str, number: int) -> Order:
    """What a computer player orders; its lots have nothing to do with the dice of the battle."""
    order: Order = player.choose(view, decision, budget, PromptDice(f"{seed} player {decision.side}", number))
    return order
