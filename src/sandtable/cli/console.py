"""`sandtable console`: a whole battle at one keyboard, against people or computer players."""

from __future__ import annotations

import argparse
import secrets
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

from sandtable import registry
from sandtable.ai.players import BUDGET
from sandtable.cli.desk import Desk, Leave
from sandtable.cli.session import Session
from sandtable.cli.trouble import CommandError
from sandtable.cli.voice import Ear, Voice
from sandtable.kernel.ids import SideId
from sandtable.lab.seats import HUMAN, computer_order, deciding, players_of, seats_from
from sandtable.lab.tables import open_table, options_from

DEFAULT_SIDES = f"{HUMAN},greedy"


def console(asked: argparse.Namespace) -> int:
    """The battle has been played to its end, or laid aside and kept."""
    session = _session(asked)
    kept = asked.record or asked.resume
    record = Path(kept) if kept else None
    if record is not None and not record.parent.is_dir():
        raise CommandError(f"{record}: this is in no folder that exists")
    words = ",".join([HUMAN] * len(session.sides)) if asked.hot_seat else asked.sides or DEFAULT_SIDES
    seats = seats_from(words, session.sides, (HUMAN, *registry.PLAYERS))
    voice = Voice(asked.plain)
    game = ConsoleGame(session, seats, voice, Ear(voice), record, asked.budget or BUDGET)
    try:
        game.play()
    except KeyboardInterrupt:
        voice.say()
        voice.say("Stopped.")
    finally:
        # also after a fault: what was played is not lost
        game.session.keep(game.record)
    if game.record is not None:
        voice.say(f"The battle is kept in {game.record}.")
    return 0


def _session(asked: argparse.Namespace) -> Session:
    if asked.resume:
        for word, value in (("--seed", asked.seed), ("--option", asked.option)):
            if value:
                raise CommandError(f"{word} can't be changed in a battle that has begun")
        return Session.resumed(Path(asked.resume), asked.scenario)
    if asked.scenario is None:
        raise CommandError("name a scenario, or a battle to go on with by --resume; `sandtable scenarios` lists them")
    table = open_table(asked.scenario)
    options = options_from(table, asked.option)
    return Session.begun(table, options, asked.seed if asked.seed is not None else secrets.token_hex(8))


class ConsoleGame:
    """The loop of a battle: whoever's decision is open decides, until it is over or the players leave."""

    def __init__(
        self, session: Session, seats: dict[SideId, str], voice: Voice, ear: Ear, record: Path | None, budget: int
    ) -> None:
        self.session, self.seats, self.voice, self.ear = session, seats, voice, ear
        self.record, self.budget = record, budget
        self.players = players_of(session.table.system, seats)
        self.people = [side for side in session.sides if seats[side] == HUMAN]
        self.desk = Desk(session, voice, ear)
        self.last_person: SideId | None = None
        self.briefed: set[SideId] = set()

    def play(self) -> None:
        """The battle is over, or somebody has left."""
        self.desk.welcome(self.people)
        while (side := deciding(self.session.battle)) is not None:
            if self.seats[side] != HUMAN:
                self._computers()
                continue
            self._hand_over(side)
            self.session.keep(self.record)
            try:
                self.desk.decide(side)
            except Leave as leave:
                if leave.other is None:
                    return
                self._change(leave.other, leave.path)
        self._finish()

    def _computers(self) -> None:
        """The computer players have decided as far as it is up to them."""
        with self._thinking():
            while (side := deciding(self.session.battle)) is not None and self.seats[side] != HUMAN:
                self._computer(side)
                if not self.people:
                    self.voice.list(self.session.news(side))

    def _computer(self, side: SideId) -> None:
        refusal = computer_order(self.session.battle, side, self.players[side], self.budget).refusal
        if refusal is not None:
            raise CommandError(
                f"the {self.seats[side]} player of {side} gave an unlawful order: {refusal.reason} ({refusal.rule})"
            )

    def _thinking(self) -> AbstractContextManager[Any]:
        """A sign of life on a terminal while the computer players decide."""
        if self.voice.plain or not sys.stderr.isatty() or not self.people:
            return nullcontext()
        from rich.console import Console

        status: Callable[..., AbstractContextManager[Any]] = Console(stderr=True).status
        return status("the other side is thinking")

    def _hand_over(self, side: SideId) -> None:
        """At a keyboard shared by people, the next one sits down before anything is shown to them."""
        if len(self.people) > 1 and side != self.last_person:
            if self.last_person is not None and self.ear.is_live:
                self.voice.clear()
                self.ear.hear(f"The keyboard goes to {self.desk.chart.title(side)}. Press Enter when you sit there: ")
            else:
                self.voice.say()
                self.voice.say(f"The keyboard goes to {self.desk.chart.title(side)}.", "bold")
            if side not in self.briefed:
                self.desk.brief(side)
                self.briefed.add(side)
        self.last_person = side

    def _change(self, session: Session, path: Path | None) -> None:
        """Another battle is on the table, and is kept in its own file from now on."""
        self.session.keep(self.record)
        self.session, self.record = session, path
        self.desk = Desk(session, self.voice, self.ear)
        self.desk.welcome(self.people)

    def _finish(self) -> None:
        outcome = self.session.battle.progress().outcome
        assert outcome is not None
        for side in self.people or self.session.sides[:1]:
            self.voice.list(self.session.news(side))
        winner = self.desk.chart.title(outcome.winner) if outcome.winner else None
        self.voice.say()
        self.voice.say("The battle is over: " + (f"{winner} wins, {outcome.level}." if winner else "a draw."), "bold")
        self.voice.list(outcome.reasons)
