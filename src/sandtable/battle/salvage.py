"""The record of a battle that can't be opened any more, read off its log without the rules it was played under.

As far as the chain of its entries holds, and no farther: what was changed from outside, and all after it, is left out.
The truth and the seed are in it, so it is for whoever runs the server alone, who could read them in the database.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from sandtable.battle.ledger import LoggedOrder, body_of
from sandtable.battle.storage.rows import BattleStore, StoredEntry, link
from sandtable.kernel import codec, replay
from sandtable.kernel.events import DiceKey
from sandtable.kernel.replay import Header, Record
from sandtable.kernel.state import Played, State


def salvaged(store: BattleStore, battle: str) -> Record | None:
    """What can still be read of a battle; None when that is nothing. Nobody knows the state it leads to, so the digest
    of that is empty.
    """
    charter = store.charter(battle)
    if charter is None:
        return None
    try:
        header: Header = codec.decode(charter.header.encode(), Header)
        lines = _standing(_whole(codec.digest(header), store.rows(battle)))
    except (codec.CodecError, ValueError):
        return None
    if not lines:
        return None
    # each part stays the bytes that were written down: only the rules of that time could read them
    told = [
        Played(State(None, line.flow, DiceKey("")), line.side, line.order, line.draws, line.events)  # type: ignore[arg-type]
        for line in lines
    ]
    return replace(replay.recorded(header, told, told[-1].state, None), digest="")


def _whole(chain: str, rows: Iterable[StoredEntry]) -> Iterator[StoredEntry]:
    """The entries up to the first that is not what was written; the chain starts with the header."""
    for number, row in enumerate(rows):
        if row.number != number or row.chain != link(chain, row.number, row.seat, row.command, row.at, row.body):
            return
        yield row
        chain = row.chain


def _standing(rows: Iterable[StoredEntry]) -> list[LoggedOrder]:
    """The orders that stand, those taken back left out."""
    lines: list[LoggedOrder] = []
    for row in rows:
        body = body_of(row)
        lines[body.back or len(lines) :] = body.lines
    return lines
