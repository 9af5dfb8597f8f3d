"""A battle as it was: what a seat saw after each thing it noticed, and after the end the truth, order by order."""

from __future__ import annotations

from typing import Any

import msgspec

from sandtable.battle import observation
from sandtable.battle.authority import Battle
from sandtable.battle.ledger import Ledger
from sandtable.battle.observation import Sight
from sandtable.battle.seats import Seat
from sandtable.kernel import codec, replay
from sandtable.kernel.ids import SideId
from sandtable.kernel.replay import Entry, Record
from sandtable.kernel.state import State, View
from sandtable.server import messages as m
from sandtable.server import telling


class LookbackError(Exception):
    """That can't be looked back at; the message is one sentence."""


class Lookback:
    """The states of a battle's standing lines, folded when somebody first asks and kept while the log stands."""

    def __init__(self, battle: Battle) -> None:
        self._battle = battle
        self._ledger: Ledger | None = None
        self._states: list[State[Any]] = []

    def replayed(self, seat: Seat, ask: m.AskReplay) -> m.Replayed:
        """The answer to a question about the past; LookbackError when the seat may not know it."""
        if not ask.full and seat.side is not None:
            return self._as_seen(seat, seat.side, ask)
        if not self._battle.is_over:
            raise LookbackError("the whole of a battle is shown after its end")
        return self._as_it_was(ask)

    def states(self) -> list[State[Any]]:
        """The state after each standing line."""
        ledger, rules = self._battle.ledger, self._battle.rules
        if self._ledger is not ledger:
            entries = tuple(
                Entry(number, line.side, line.order, line.draws, line.events, line.flow, "")
                for number, line in enumerate(ledger.lines)
            )
            self._states = list(replay.states(rules.ruleset, rules.scenario, Record(rules.header, entries, "")))
            self._ledger = ledger
        return self._states

    def _as_seen(self, seat: Seat, side: SideId, ask: m.AskReplay) -> m.Replayed:
        ledger, rules = self._battle.ledger, self._battle.rules
        last = ledger.number(side)
        number = max(1, min(ask.sequence, last))
        # lines the side did not notice left its view as it was, so the latest noticed one tells the table
        noticed = [index for index, marks in enumerate(ledger.marks) if side in marks and marks[side].number <= number]
        state = self.states()[noticed[-1]]
        sight = observation.sight(rules.ruleset, state, side, number, can_undo=False)
        view = observation.knowledge(rules.ruleset, state, side)
        table = self._table(msgspec.structs.replace(sight, decisions=()), view)
        return m.Replayed(ask.ask, number, last, table, telling.log_lines([ledger.logs[side][number - 1]]))

    def _as_it_was(self, ask: m.AskReplay) -> m.Replayed:
        ruleset, states = self._battle.rules.ruleset, self.states()
        last = len(states) - 1
        number = max(0, min(ask.sequence, last))
        state, line = states[number], self._battle.ledger.lines[number]
        # any side's view with the true position in it: the battle is over and nothing is secret any more
        view: View[Any] = msgspec.structs.replace(
            ruleset.view(state, ruleset.sides(state)[0]), position=state.position, decisions=()
        )
        sight = Sight(number, view.turn, "", pieces=ruleset.pieces(view), outcome=ruleset.outcome(state))
        events = (codec.decode(bytes(raw), ruleset.info.events) for raw in line.events)
        told = tuple(
            observation.Seen(msgspec.Raw(codec.encode(event)), ruleset.describe(event, view)) for event in events
        )
        log = telling.log_lines([observation.Observation(number, view.turn, "", told)])
        return m.Replayed(ask.ask, number, last, self._table(sight, view), log)

    def _table(self, sight: Sight, view: View[Any]) -> m.Table:
        rules = self._battle.rules
        sides = rules.ruleset.sides(self._battle.ledger.state)
        return msgspec.structs.replace(
            telling.table(rules.ruleset, sides, rules.scenario.turns, sight, view), waiting_for=()
        )
