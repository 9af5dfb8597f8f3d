"""What is said at a table: to everybody, or to one's own side alone. It is no part of the battle and changes nothing in
it.
"""

from __future__ import annotations

from concurrent.futures import Future

from sandtable.battle import observation
from sandtable.battle.ledger import Ledger
from sandtable.battle.observation import way_out
from sandtable.battle.observed import ChatPart
from sandtable.battle.seats import Seat, plain_text
from sandtable.battle.storage.rows import BattleStore, StoredChat
from sandtable.kernel.ids import SideId

ALL, SIDE = "all", "side"
"""Whom something is said to."""

LONGEST_TEXT = 500
KEPT = 1000
"""Lines to each audience that are kept; older ones go."""

LONGEST_PAGE = 100


class Denied(Exception):
    """There is no such seat at this battle, or it may not ask that; the message is one sentence."""


class Chatting:
    """The talk at one battle. Each audience counts its own lines, so that nobody can count those of others."""

    id: str
    seats: dict[str, Seat]
    _store: BattleStore

    def _shown(self, seat: str) -> tuple[Ledger, SideId]:
        raise NotImplementedError

    def _seat(self, name: str) -> Seat:
        raise NotImplementedError

    def _now(self) -> int:
        raise NotImplementedError

    @way_out
    def chat(self, seat: str, to: str, before: int = 0, most: int = LONGEST_PAGE) -> ChatPart:
        """What was said to an audience right before the line of that number, the latest for 0.

        Spectators hear what is said to all when they are shown what it was said about.
        """
        ledger, _ = self._shown(seat)
        audience = self._audience(seat, to)
        before = before if before > 0 else 2**31 - 1
        most = max(1, min(most, LONGEST_PAGE))
        return observation.chat_part(to, self._store.chat(self.id, audience, before, most, ledger.entries), self.seats)

    def say(self, seat: str, to: str, text: str) -> Future[StoredChat]:
        """What that seat says is on its way to the store; Denied when there is nothing to say, or for spectators."""
        if self._seat(seat).is_spectator:
            # he knows of both sides what neither knows of the other
            raise Denied("spectators say nothing at the table")
        said = plain_text(text, LONGEST_TEXT)
        if not said:
            raise Denied("there is nothing to say")
        ledger, _ = self._shown(seat)
        line = StoredChat(self._audience(seat, to), 0, seat, self._now(), ledger.entries, said)
        return self._store.say(self.id, line, KEPT)

    def _audience(self, seat: str, to: str) -> str:
        side = self._seat(seat).side
        if to == ALL:
            return ""
        if to != SIDE or side is None:
            raise Denied("you belong to no such side")
        return side
