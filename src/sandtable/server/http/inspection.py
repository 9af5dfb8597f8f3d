"""Strangers' records are read and played through by a process that may take neither long nor much.

A record is a file that anybody can write. Reading it and running the rules on it happens in a child of the server with
a limit on its memory and its time; what comes back is the record in canonical form, or one sentence.
"""

from __future__ import annotations

import json
import logging
import os
from typing import Any

import msgspec

from sandtable.battle.library import Library, ShippedLibrary, record_problem, restored
from sandtable.battle.memory import OneScenario
from sandtable.kernel import codec, replay
from sandtable.kernel.replay import Entry, Record
from sandtable.server.workers import jobs
from sandtable.server.workers.pool import WorkerPool

SECONDS = 30.0
"""How long starting the process, reading and checking may take; a battle of some hundred orders takes two."""

MEMORY = 768 * 1024 * 1024
"""Bytes of address space that the process may take, the program itself included."""

APART = b"\n"
"""What stands between the files of a scenario, packed, and the record."""

FOUND, WRONG = b"+", b"-"
"""How the child's answer begins."""


NO_RECORD = "that is no record of a whole battle, and no save"

log = logging.getLogger(__name__)


class NoRecord(Exception):
    """A file that is no record that a battle can go on from; the message is one sentence."""


async def checked(data: bytes, content: str = "") -> Record:
    """The record in a file, true to the rules entry by entry; NoRecord when it is none. `content` holds the files of
    its scenario when they are not those of this program."""
    try:
        codec.guard(data)
    except codec.CodecError as error:
        raise NoRecord(f"{NO_RECORD}: {error}") from None
    if not data.lstrip().startswith(b"{"):
        # what is not even an object is not worth a process
        raise NoRecord(NO_RECORD)
    workers = WorkerPool(1, SECONDS, begin, tries=1)
    try:
        if content:
            answer = await workers.run(inspect_with_content, content.encode() + APART + data)
        else:
            answer = await workers.run(inspect, data)
    finally:
        workers.close()
    if answer is None:
        raise NoRecord("the record takes too much time or memory to check")
    if answer[:1] == WRONG:
        raise NoRecord(answer[1:].decode())
    return replay.read(answer[1:])


# in the child


def begin(board: Any) -> None:
    """The process serves the server, with little memory and without core files."""
    jobs.begin(board)
    try:
        import resource
    except ImportError:
        # Windows has no such limits: there the time alone is limited
        return
    for limit, most in ((resource.RLIMIT_AS, MEMORY), (resource.RLIMIT_CORE, 0), (resource.RLIMIT_FSIZE, 0)):
        hard = resource.getrlimit(limit)[1]
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(limit, (most, most))


def inspect(data: bytes, slot: int) -> bytes:
    """The record in canonical form, or what is wrong with it."""
    return _inspected(data, "")


def inspect_with_content(data: bytes, slot: int) -> bytes:
    """As `inspect`, of a record that comes after the files of its scenario."""
    content, _, record = data.partition(APART)
    return _inspected(record, content.decode())


def _inspected(data: bytes, content: str) -> bytes:
    try:
        record = record_in(data)
        problem = record_problem(_library(record, content), record)
    except codec.CodecError as error:
        log.info("a file was no record: %s", str(error)[:200])
        problem = NO_RECORD
    except (Ambiguous, LookupError) as error:
        problem = str(error)
    except MemoryError:
        # nothing sensible can be said with no memory left
        os._exit(1)
    except Exception as error:
        log.info("a file was no record: %s", type(error).__name__)
        problem = NO_RECORD
    return WRONG + problem.encode() if problem else FOUND + replay.write(record)


def _library(record: Record, content: str) -> Library:
    """Where the scenario of a record is found: in the files that came with it, or among the shipped ones."""
    if not content:
        return ShippedLibrary()
    return OneScenario(restored(record.header.system, content))


class Ambiguous(Exception):
    """A file says two things under one name."""


class _Exported(msgspec.Struct, frozen=True):
    record: msgspec.Raw


def record_in(data: bytes) -> Record:
    """The record in a file, by itself or as an export wraps it."""
    codec.guard(data)
    _unambiguous(data)
    try:
        record = replay.read(bytes(msgspec.json.decode(data, type=_Exported).record))
    except msgspec.MsgspecError:
        record = replay.read(data)
    return msgspec.structs.replace(record, entries=tuple(map(_canonical, record.entries)))


def _unambiguous(data: bytes) -> None:
    """No object says two things under one name: one reader would take the first and another the last."""

    def once(pairs: list[tuple[str, Any]]) -> None:
        if len(pairs) != len({name for name, _ in pairs}):
            name = next(name for place, (name, _) in enumerate(pairs) if name in {one for one, _ in pairs[:place]})
            raise Ambiguous(f"the file says {name[:64]!r} twice")

    try:
        json.loads(data, object_pairs_hook=once)
    except (ValueError, RecursionError) as error:
        raise codec.CodecError(str(error)) from None


def _canonical(entry: Entry) -> Entry:
    """The entry as the rules would write it: a file that went through other hands may be spaced in another way."""
    return msgspec.structs.replace(
        entry,
        order=_rewritten(entry.order),
        events=tuple(map(_rewritten, entry.events)),
        flow=tuple(map(_rewritten, entry.flow)),
    )


def _rewritten(raw: msgspec.Raw) -> msgspec.Raw:
    return msgspec.Raw(codec.encode(codec.decode(bytes(raw), Any)))
