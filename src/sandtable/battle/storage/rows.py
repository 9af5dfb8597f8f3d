"""What a store keeps, as plain values: worker processes know them without a database."""

from __future__ import annotations

import msgspec

from sandtable.kernel import codec


class Charter(msgspec.Struct, frozen=True):
    """What stays the same during a battle; `header` is the canonical JSON of the record's header, seed included."""

    id: str
    title: str
    system: str
    rules_version: str
    header: str
    dice: str
    delay: int
    created: int
    status: str = "running"


class Row(msgspec.Struct, frozen=True):
    """One entry of a log as it is stored."""

    battle: str
    number: int
    seat: str
    command: str
    at: int
    body: str
    chain: str


class Snapshot(msgspec.Struct, frozen=True):
    """A folded log up to some entry: a cache that can be thrown away."""

    number: int
    chain: str
    digest: str
    body: str


def link(previous: str, number: int, seat: str, command: str, at: int, body: str) -> str:
    """The chain of an entry: it binds every column of the row to everything before it, as in `kernel.replay`."""
    return codec.digest([previous, number, seat, command, at, body])
