"""A battle being played at one keyboard: the authority's battle in memory, how far each side has listened, its file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sandtable.battle.authority import Battle
from sandtable.battle.battles import BattlesError
from sandtable.battle.library import PlayableScenario
from sandtable.battle.memory import open_battle, open_record
from sandtable.battle.observed import CommandAnswer
from sandtable.battle.seats import hot_seat
from sandtable.cli.files import write_bytes
from sandtable.cli.records import read_record, table_of
from sandtable.cli.trouble import CommandError
from sandtable.kernel import replay
from sandtable.kernel.events import Order
from sandtable.kernel.ids import SideId
from sandtable.kernel.state import View
from sandtable.lab.seats import give, sides_of


class Session:
    """One battle, with a seat for each of its sides; a seat is asked for what its side may know and nothing else."""

    def __init__(self, table: PlayableScenario, battle: Battle) -> None:
        self.table, self.battle = table, battle
        self.ruleset, self.scenario = table.ruleset, table.scenario
        self.sides = battle.sides
        self._heard = dict.fromkeys(self.sides, 0)
        self._kept: tuple[int, ...] = ()

    @classmethod
    def begun(cls, table: PlayableScenario, options: dict[str, Any], seed: str) -> Session:
        """A new battle at its first decision."""
        seats = tuple(map(hot_seat, sides_of(table, options)))
        return cls(table, open_battle(table, seats, options, seed))

    @classmethod
    def resumed(cls, path: Path, scenario: str | None) -> Session:
        """The battle of a record, at the decision where it was left; CommandError when the record does not hold."""
        record = read_record(path)
        table = table_of(record, scenario)
        opening = next(replay.states(table.ruleset, table.scenario, record), None)
        if opening is None:
            raise CommandError(f"{path}: the record has no entries")
        try:
            battle = open_record(table, record, tuple(map(hot_seat, table.ruleset.sides(opening))))
        except BattlesError as error:
            raise CommandError(f"{path}: {error}") from None
        session = cls(table, battle)
        # what was told before the battle was laid aside is not told again
        session._heard = {side: session.number(side) for side in session.sides}
        session._kept = session._numbers()
        return session

    def view(self, side: SideId) -> View[Any]:
        """The battle as the side knows it."""
        return self.battle.knowledge(side)

    def number(self, side: SideId) -> int:
        """How much the side has noticed; its own orders count."""
        return self.battle.standpoint(side).number

    def order(self, side: SideId, order: Order) -> CommandAnswer:
        """The order is carried out and recorded, or refused."""
        return give(self.battle, side, order)

    def can_undo(self, side: SideId) -> bool:
        """Whether the side may take its latest order back."""
        return self.battle.situation(side).can_undo is True

    def undo(self, side: SideId) -> CommandAnswer:
        """The side's latest order is taken back, or the answer says why not."""
        number = self.number(side)
        return self.battle.undo(side, number, str(number))

    def news(self, side: SideId) -> Iterator[str]:
        """What the side has noticed since it last listened."""
        heard, self._heard[side] = self._heard[side], self.number(side)
        for observation in self.battle.events(side, heard):
            yield from (line.text for line in observation.lines)

    def log(self, side: SideId, most: int | None) -> list[str]:
        """The latest lines of the side's log, at most so many; all of them for None."""
        lines: list[str] = []
        before = 0
        while most is None or len(lines) < most:
            part = self.battle.log(side, before) if most is None else self.battle.log(side, before, most - len(lines))
            lines[:0] = [line.text for line in part.lines]
            before = part.first
            if before == 1:
                break
        return lines

    def save(self, path: Path) -> None:
        """The file holds the battle so far."""
        write_bytes(path, replay.write(self.battle.record()))

    def keep(self, path: Path | None) -> None:
        """The file that the battle is recorded in, if any, is up to date."""
        if path is not None and self._kept != self._numbers():
            self.save(path)
            self._kept = self._numbers()

    def _numbers(self) -> tuple[int, ...]:
        return tuple(map(self.number, self.sides))
