"""A battle being played at one keyboard: its state, its record, what each side has heard of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sandtable.cli.files import write_bytes
from sandtable.cli.records import read_record, table_of
from sandtable.cli.trouble import Trouble
from sandtable.kernel import codec, replay
from sandtable.kernel.decisions import Refusal
from sandtable.kernel.dice import DiceKey
from sandtable.kernel.engine import Played, all_viewers, begin, submit, undoable
from sandtable.kernel.events import Order
from sandtable.kernel.ids import SideId
from sandtable.kernel.replay import Recorder
from sandtable.kernel.state import State
from sandtable.lab.tables import Table, header


class Session:
    """One battle from its opening, with everything played so far."""

    def __init__(self, table: Table, options: dict[str, Any], seed: str) -> None:
        self.table, self.options, self.seed = table, options, seed
        self.ruleset, self.scenario = table.ruleset, table.scenario
        viewers = all_viewers(self.ruleset, self.ruleset.setup(self.scenario, dict(options), DiceKey(seed)))
        opening = begin(self.ruleset, self.scenario, options, seed, viewers)
        self.recorder: Recorder[Any] = Recorder(header(table, options, seed), opening)
        self.sides = self.ruleset.sides(opening.state)
        self._past: list[tuple[State[Any], Played[Any]]] = [(opening.state, opening)]
        self._heard = dict.fromkeys(self.sides, 0)
        self._saved = 0

    @classmethod
    def resumed(cls, path: Path, scenario: str | None) -> Session:
        """The battle of a record, at the decision where it was left; Trouble when the record does not hold."""
        record = read_record(path)
        table = table_of(record, scenario)
        verdict = replay.verify(table.ruleset, table.scenario, record)
        if not verdict.holds:
            raise Trouble(f"{path}: the record does not hold: {verdict.problem}")
        session = cls(table, dict(record.header.options), record.header.seed or "")
        for entry in record.entries[1:]:
            order = codec.decode(bytes(entry.order), table.ruleset.info.orders)
            session.order(SideId(entry.side or ""), order)
        # what was told before the battle was laid aside is not told again
        session._heard = dict.fromkeys(session.sides, len(session._past))
        session._saved = len(session.recorder.entries)
        return session

    @property
    def state(self) -> State[Any]:
        """The battle as it stands."""
        return self.recorder.state

    def order(self, side: SideId, order: Order) -> Played[Any] | Refusal:
        """The order is carried out and recorded, or refused."""
        before = self.state
        played = submit(self.ruleset, before, side, order)
        if isinstance(played, Played):
            self.recorder.add(played)
            self._past.append((before, played))
        return played

    def undo(self, side: SideId) -> str:
        """The side's latest order is taken back; the answer is why not, or nothing."""
        before, played = self._past[-1]
        if played.side != side:
            return "the latest order is not yours"
        if not undoable(self.ruleset, before, played):
            return "the order can't be taken back: it threw dice, showed you something or passed the decision on"
        self.recorder.drop(before)
        self._past.pop()
        self._heard = {own: min(heard, len(self._past)) for own, heard in self._heard.items()}
        self._saved = -1
        return ""

    def news(self, side: SideId) -> Iterator[str]:
        """What has happened since the side last listened, as far as it may know."""
        heard, self._heard[side] = self._heard[side], len(self._past)
        yield from self._told(side, heard)

    def log(self, side: SideId) -> list[str]:
        """Everything that has happened, as far as the side may know."""
        return list(self._told(side, 0))

    def _told(self, side: SideId, start: int) -> Iterator[str]:
        for _, played in self._past[start:]:
            view = self.ruleset.view(played.state, side)
            for told in played.told[side]:
                if text := self.ruleset.describe(told.event, view):
                    yield text

    def save(self, path: Path) -> None:
        """The file holds the battle so far."""
        record = self.recorder.record(self.ruleset.outcome(self.state))
        write_bytes(path, replay.write(record))

    def keep(self, path: Path | None) -> None:
        """The file that the battle is recorded in, if any, is up to date."""
        if path is not None and self._saved != len(self.recorder.entries):
            self.save(path)
            self._saved = len(self.recorder.entries)
