"""A client in the small: it puts what it is told, step by step, into the table it had."""

from __future__ import annotations

from typing import Any

import msgspec

from sandtable.battle.authority import Battle
from sandtable.battle.observation import difference
from sandtable.battle.observed import Table, TableChange
from sandtable.kernel.ids import UnitId
from sandtable.kernel.ruleset import Piece


class Behind(Exception):
    """The client's table is not the one the seat sees."""


class Follower:
    """Whoever follows a battle from a seat by what he is told alone."""

    def __init__(self, battle: Battle, seat: str) -> None:
        self.seat = seat
        self.number = 0
        self.lines = 0
        self.look(battle)

    def look(self, battle: Battle) -> None:
        """The whole table anew."""
        table = battle.table(self.seat)
        self.pieces: dict[UnitId, Piece] = {piece.id: piece for piece in table.pieces}
        self.around: TableChange = battle.situation(self.seat)
        self.number = battle.standpoint(self.seat).number
        page = battle.log(self.seat)
        self.lines = page.first + len(page.lines) - 1

    def listen(self, battle: Battle) -> int:
        """What happened since is put into the table; how many steps that took."""
        if not self.number or (battle.seats[self.seat].is_spectator and battle.is_over):
            self.look(battle)
            return 0
        steps = [step for seen in battle.events(self.seat, self.number) for step in seen.steps]
        for step in steps:
            self.pieces.update({piece.id: piece for piece in step.changed})
            for id in step.gone:
                if id not in self.pieces:
                    raise Behind(f"{self.seat}: piece {id} goes that never was there")
                del self.pieces[id]
            self.lines += step.line is not None
        change = msgspec.structs.asdict(difference(self.around, battle.situation(self.seat)))
        told = {name: value for name, value in change.items() if value is not msgspec.UNSET}
        self.around = msgspec.structs.replace(self.around, **told)
        self.number = battle.standpoint(self.seat).number
        return len(steps)

    def compare(self, battle: Battle) -> None:
        """Behind when the table is not the one that the seat sees."""
        table = battle.table(self.seat)
        wanted = {piece.id: piece for piece in table.pieces}
        if len(wanted) != len(table.pieces):
            raise Behind(f"{self.seat}: two pieces have one id")
        if self.pieces != wanted:
            other = {id for id in {*wanted, *self.pieces} if wanted.get(id) != self.pieces.get(id)}
            raise Behind(f"{self.seat}: other pieces: {other}")
        if self._around() != _around(table) and not (battle.seats[self.seat].is_spectator and battle.is_over):
            raise Behind(f"{self.seat}: {self._around()} against {_around(table)}")
        page = battle.log(self.seat)
        if self.lines != page.first + len(page.lines) - 1:
            raise Behind(f"{self.seat}: {self.lines} lines of the log")

    def _around(self) -> dict[str, Any]:
        return msgspec.structs.asdict(self.around)


def _around(table: Table) -> dict[str, Any]:
    return {name: getattr(table, name) for name in TableChange.__struct_fields__}


def follow(battle: Battle, followers: list[Follower]) -> int:
    """Everybody has heard what happened and has the table that he sees; how many steps that took."""
    steps = 0
    for follower in followers:
        steps += follower.listen(battle)
        follower.compare(battle)
    return steps
