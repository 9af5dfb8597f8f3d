"""Power failures: what the store wrote and synced is recorded, and disks are made on which anything unsynced is gone.

A shim of the C library (`disk.c`) writes down every write, cut, sync, creation and removal of the store's files, and
every acknowledgement among them. An image is the disk after a cut at some moment: what was synced is there, and of what
was not anything may be: whole writes, some of their sectors, or nothing, in any order. Names of files are as durable as
the last sync of their folder, and later changes of names persist in their order. The shared memory beside the log is
not on the disk.

    python -m tests.battle.power --images 10000
    python -m tests.battle.power --images 1000 --broken normal     the control: it must lose orders
"""

from __future__ import annotations

import argparse
import ctypes
import os
import shutil
import sqlite3
import struct
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

from sandtable.battle.storage import store as stores
from sandtable.battle.storage.rows import StoredEntry, link
from sandtable.battle.storage.store import open_store
from sandtable.kernel import codec
from sandtable.kernel.dice import PromptDice
from sandtable.kernel.replay import Header
from tests.battle.kit import SEATS, battles, lot, order_by_lot

SHIM = Path(__file__).with_name("disk.c")
DATABASE = "battles.db"
ACKNOWLEDGED = "acknowledged"
HEAD = struct.Struct("<cIIq")
SECTOR = 512
BATTLES = 3
ORDERS = 24
"""Orders of each battle in each of the two sessions of a recording."""

CHECKPOINT_PAGES = 40
"""The log goes back into the database this often, so that a short recording holds many of those moments too."""


# the shim


def why_not() -> str:
    """Why the disk can't be watched on this machine, or nothing."""
    if sys.platform != "linux":
        return "the disk is watched by a shim of the C library that is written for Linux"
    return "" if compiler() else "the disk is watched by a shim of the C library, and there is no C compiler to make it"


def compiler() -> str | None:
    return next((found for name in ("cc", "gcc", "clang") if (found := shutil.which(name))), None)


def shim(folder: Path) -> Path:
    """The shim, compiled into a folder."""
    made = folder / "disk.so"
    subprocess.run([str(compiler()), "-O1", "-shared", "-fPIC", "-o", made, SHIM, "-ldl", "-lpthread"], check=True)
    return made


def watched(made: Path, folder: Path, log: Path, module: str, *arguments: str) -> str:
    """What a module says on stdout when it is run with those arguments on a disk that is watched."""
    disk = {"LD_PRELOAD": str(made), "DISK_FOLDER": str(folder.resolve()), "DISK_LOG": str(log)}
    done = subprocess.run(
        [sys.executable, "-m", module, *arguments, "--folder", str(folder.resolve())],
        cwd=Path(__file__).parents[2],
        env={**os.environ, **disk},
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    return done.stdout


WRITES, SYNCS, SWALLOWED_SYNCS = 1, 2, 6
"""What fails, in the words of the shim; a swallowed sync fails and says that it did not."""


def disk_fails(what: int, at: int, times: int = 1 << 40, error: int = 0) -> None:
    """From its n-th call of that kind on, the disk of this process, which is watched, fails so many times."""
    ctypes.CDLL(None).disk_fails(what, ctypes.c_long(at), ctypes.c_long(times), error)


def disk_calls() -> int:
    """How many calls of that kind there have been."""
    calls = ctypes.CDLL(None).disk_calls
    calls.restype = ctypes.c_long
    return int(calls())


# recording


def settle_for(synchronous: str) -> None:
    """Stores of this process sync so; one that does not promise durability is not refused."""
    real = stores._set_up_sqlite

    def set_up(connection: Any, record: Any) -> None:
        real(connection, record)
        connection.execute(f"PRAGMA synchronous={synchronous}").close()
        connection.execute(f"PRAGMA wal_autocheckpoint={CHECKPOINT_PAGES}").close()

    stores._set_up_sqlite = set_up
    stores._DURABLE["sqlite"] = (("PRAGMA journal_mode", "wal"),)


def play(folder: Path, seed: str) -> None:
    """Battles are played at the same time; each acknowledgement goes to the disk's log at the moment it is known."""
    said = os.open(folder / ACKNOWLEDGED, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    store = open_store(str(folder / DATABASE))
    one = battles(store)
    running = [one.open(charter.id) for charter in store.charters() if charter.status == "running"]

    def acknowledged(battle: str, command: str) -> None:
        os.write(said, f"{battle} {command}\n".encode())

    def campaign(number: int) -> None:
        battle = running[number] if number < len(running) else None
        for _ in range(ORDERS):
            if battle is None or battle.is_over:
                battle = one.create("toy", "line", SEATS, {"turns": 20}, f"{seed} {number}")
                acknowledged(battle.id, ":set-up 0")
            entry = battle.ledger.entries
            side, order = lot(battle, entry) or ("", None)
            if battle.submit(side, order, battle.ledger.number(side), f"p{entry}").verdict == "accepted":
                acknowledged(battle.id, f"{side}:p{entry}")

    with ThreadPoolExecutor(BATTLES) as players:
        list(players.map(campaign, range(BATTLES)))
    store.close()
    os.close(said)


class Entry(NamedTuple):
    """One thing that happened on the disk."""

    kind: str
    name: str
    offset: int
    data: bytes


def record(made: Path, folder: Path, broken: str = "", seed: str = "power") -> list[Entry]:
    """Two sessions of a store, as its disk saw them."""
    log, disk = folder / "disk.log", folder / "disk"
    shutil.rmtree(disk, ignore_errors=True)
    log.unlink(missing_ok=True)
    disk.mkdir()
    watched(made, disk, log, "tests.battle.power", "--record", "--seed", seed, "--broken", broken or "nothing")
    return list(entries(log.read_bytes(), disk.resolve()))


def entries(data: bytes, disk: Path) -> Iterator[Entry]:
    """The entries of a log; names are those inside the folder, the folder's own is empty."""
    at = 0
    while at < len(data):
        kind, path, size, offset = HEAD.unpack_from(data, at)
        at += HEAD.size
        name = data[at : at + path].decode().removeprefix(str(disk)).lstrip("/")
        yield Entry(kind.decode(), name, offset, data[at + path : at + path + size])
        at += path + size


# images


class File:
    """A file as the disk holds it: what is synced, and what may or may not be there."""

    def __init__(self) -> None:
        self.synced = bytearray()
        self.pending: list[Entry] = []

    def sync(self) -> None:
        for entry in self.pending:
            apply(self.synced, entry)
        self.pending = []


def apply(content: bytearray, entry: Entry) -> None:
    """The write or cut is in the content; a gap before it holds zeros."""
    if entry.kind == "T":
        del content[entry.offset :]
        content.extend(bytes(entry.offset - len(content)))
        return
    content.extend(bytes(max(0, entry.offset - len(content))))
    content[entry.offset : entry.offset + len(entry.data)] = entry.data


class Disk:
    """Files and their names, as far as they are durable."""

    def __init__(self) -> None:
        self.names: dict[str, File] = {}
        self.durable_names: dict[str, File] = {}
        self.changes: list[tuple[str, File | None]] = []
        self.acknowledged: set[str] = set()

    def see(self, entry: Entry) -> None:
        """One more thing has happened."""
        if entry.name == ACKNOWLEDGED:
            self.acknowledged.update(entry.data.decode().splitlines())
        elif entry.name.endswith("-shm"):
            pass
        elif entry.kind == "C":
            self.names[entry.name] = File()
            self.changes.append((entry.name, self.names[entry.name]))
        elif entry.kind == "U":
            del self.names[entry.name]
            self.changes.append((entry.name, None))
        elif entry.kind == "S" and not entry.name:
            self.durable_names, self.changes = dict(self.names), []
        elif entry.kind == "S":
            self.names[entry.name].sync()
        else:
            self.names[entry.name].pending.append(entry)

    def cut(self, dice: PromptDice) -> dict[str, bytes]:
        """The files after a power failure now."""
        names = dict(self.durable_names)
        for name, file in self.changes[: dice.below(len(self.changes) + 1)]:
            if file is None:
                names.pop(name, None)
            else:
                names[name] = file
        mode = MODES[dice.below(len(MODES))]
        return {name: bytes(after_cut(file, mode, dice)) for name, file in names.items()}


MODES = ("nothing", "everything", "first", "some", "sectors", "sectors")
"""What is left of the unsynced writes: none, all, those up to some one that is torn, some, or some of their sectors."""


def after_cut(file: File, mode: str, dice: PromptDice) -> bytearray:
    content = bytearray(file.synced)
    pending = {"nothing": [], "first": file.pending[: dice.below(len(file.pending) + 1)]}.get(mode, file.pending)
    for place, entry in enumerate(pending):
        if mode == "sectors" or (mode == "first" and place == len(pending) - 1):
            for sector in sectors(entry):
                if dice.below(2):
                    apply(content, sector)
        elif mode != "some" or dice.below(2):
            apply(content, entry)
    return content


def sectors(entry: Entry) -> Iterator[Entry]:
    """The parts of a write that reach the disk as one."""
    if entry.kind == "T":
        yield entry
        return
    start, end = entry.offset, entry.offset + len(entry.data)
    while start < end:
        stop = min(end, start // SECTOR * SECTOR + SECTOR)
        yield Entry("W", entry.name, start, entry.data[start - entry.offset : stop - entry.offset])
        start = stop


def images(recording: list[Entry], count: int, lots: str) -> Iterator[tuple[dict[str, bytes], set[str]]]:
    """So many disks, each cut off at a moment of its own, with what had been acknowledged until then."""
    dice = PromptDice(lots)
    moments = sorted(dice.below(len(recording)) for _ in range(count))
    disk, seen = Disk(), 0
    for moment in moments:
        for entry in recording[seen:moment]:
            disk.see(entry)
        seen = moment
        yield disk.cut(dice), set(disk.acknowledged)


# what is left


class Toll(NamedTuple):
    """What a campaign found: images that lack an acknowledged order, or that are damaged; promises checked."""

    images: int
    lost: int
    damaged: int
    promises: int


def examine(folder: Path, files: dict[str, bytes], promised: set[str], is_thorough: bool) -> tuple[bool, bool]:
    """Whether an image lacks something that was acknowledged, and whether it is damaged."""
    folder.mkdir(exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    for name, content in files.items():
        (folder / name).write_bytes(content)
    try:
        kept, is_damaged = read(folder / DATABASE)
        if is_thorough and kept:
            is_damaged |= not goes_on(folder / DATABASE)
    except Exception:
        # a damaged database may hold anything, and so may fail in any way
        return bool(promised), True
    return not promised <= kept, is_damaged


def read(path: Path) -> tuple[set[str], bool]:
    """The commands in a database, and whether it or one of its logs is damaged."""
    connection = sqlite3.connect(path)
    try:
        # what is left is read once and thrown away
        connection.execute("PRAGMA synchronous=OFF")
        is_damaged = connection.execute("PRAGMA integrity_check").fetchone()[0] != "ok"
        tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
        if not {"battle", "entry"} <= tables:
            return set(), is_damaged
        kept: set[str] = set()
        for battle, header, count, chain in connection.execute("SELECT id, header, entries, chain FROM battle"):
            columns = ", ".join(StoredEntry.__struct_fields__)
            found = connection.execute(f"SELECT {columns} FROM entry WHERE battle = ? ORDER BY number", (battle,))
            previous, number = codec.digest(codec.decode(header.encode(), Header)), 0
            for number, row in enumerate((StoredEntry(*values) for values in found), 1):
                is_damaged |= row.chain != link(previous, number - 1, row.seat, row.command, row.at, row.body)
                previous = row.chain
                kept.add(f"{battle} {row.command}")
            is_damaged |= (number, previous) != (count, chain)
        return kept, is_damaged
    finally:
        connection.close()


def goes_on(path: Path) -> bool:
    """Whether the program opens what is left and every battle of it goes on."""
    store = open_store(str(path))
    try:
        one = battles(store)
        for charter in store.charters():
            battle = one.open(charter.id)
            if not battle.is_over and order_by_lot(battle, battle.ledger.entries + 1000) is None:
                return False
        return True
    finally:
        store.close()


THOROUGH = 75
"""Every so many images the program itself opens what is left and plays on."""


def campaign(recording: list[Entry], folder: Path, count: int, lots: str = "cuts") -> Toll:
    """So many images of a recording, examined."""
    lost = damaged = promises = 0
    for number, (files, promised) in enumerate(images(recording, count, lots)):
        lacks, is_damaged = examine(folder / "image", files, promised, number % THOROUGH == 0)
        lost += lacks
        damaged += is_damaged
        promises += len(promised)
    return Toll(count, lost, damaged, promises)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--images", type=int, default=10_000)
    parser.add_argument("--broken", choices=["nothing", "normal", "swallowed"], default="nothing")
    parser.add_argument("--seed", default="power")
    parser.add_argument("--record", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--folder", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.record:
        settle_for("NORMAL" if asked.broken == "normal" else "FULL")
        if asked.broken == "swallowed":
            disk_fails(SWALLOWED_SYNCS, 40)
        for session in range(2):
            play(Path(asked.folder), f"{asked.seed} {session}")
        return 0
    if why := why_not():
        print(why)
        return 2
    total = Toll(0, 0, 0, 0)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        made = shim(folder)
        while total.images < asked.images:
            seed = f"{asked.seed} {total.images}"
            recording = record(made, folder, asked.broken, seed)
            found = campaign(recording, folder, min(1000, asked.images - total.images), seed)
            total = Toll(*(sum(pair) for pair in zip(total, found, strict=True)))
    print(
        f"{total.images} images, {total.promises} promises: {total.lost} images lack an acknowledged order, "
        f"{total.damaged} are damaged"
    )
    return 1 if total.lost or total.damaged else 0


if __name__ == "__main__":
    sys.exit(main())
