"""Computer players at their seats: they are given a view, and their orders go the same way as everybody's."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from sandtable import registry
from sandtable.ai.players import BUDGET, Player
from sandtable.battle.authority import Battle
from sandtable.battle.observed import CommandAnswer
from sandtable.battle.seats import Kind, Seat
from sandtable.kernel import codec
from sandtable.kernel.decisions import Decision
from sandtable.kernel.dice import PromptDice
from sandtable.kernel.events import Order
from sandtable.kernel.state import View

Players = Callable[[str, str], Player]
"""A player by name and system."""


class Thought(NamedTuple):
    """A decision that waits for a computer player, with all it may know; `order` may be asked in another thread."""

    seat: Seat
    view: View[object]
    decision: Decision
    number: int
    lots: str
    player: Player

    def order(self, budget: int = BUDGET) -> Order:
        """What the player orders; its lots have nothing to do with the dice of the battle."""
        return self.player.choose(self.view, self.decision, budget, PromptDice(self.lots, self.number))

    @property
    def command(self) -> str:
        """The same for the same thought, so that a restart in between does not order twice."""
        return f"computer {self.number}"


def waiting(battle: Battle, players: Players = registry.player) -> Thought | None:
    """The first open decision of a computer player, or None."""
    ledger, rules = battle.ledger, battle.rules
    deciding = {decision.side for decision in rules.ruleset.decisions(ledger.state)}
    for seat in battle.seats.values():
        if seat.kind is not Kind.COMPUTER or seat.side not in deciding:
            continue
        view = battle.knowledge(seat.name)
        if view.decisions:
            player = players(seat.player, rules.header.system)
            # from the secret seed, or the other side could foresee them; its digest tells nothing of the battle's dice
            lots = codec.digest(["sandtable player", rules.header.seed, seat.side])
            return Thought(seat, view, view.decisions[0], ledger.number(seat.side), lots, player)
    return None


def play(battle: Battle, most: int, players: Players = registry.player, budget: int = BUDGET) -> list[CommandAnswer]:
    """Computer players have decided until a person must, the battle is over, an order failed, or `most` were given."""
    answers: list[CommandAnswer] = []
    while len(answers) < most and (thought := waiting(battle, players)) is not None:
        answer = battle.submit(thought.seat.name, thought.order(budget), thought.number, thought.command)
        answers.append(answer)
        if answer.verdict != "accepted":
            break
    return answers
