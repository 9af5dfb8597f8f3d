"""A disk that fails: each write and each sync of a short battle fails once, or from then on, in the kernel's own words.

Whatever fails, an order is refused in a plain sentence, no more orders are taken, looking goes on, and after a restart
on a sound disk everything acknowledged is there and the battle goes on. Whether an acknowledged order was durable is
asked of the disk on which nothing unsynced is left.

    python -m tests.battle.faults --orders 200             every write and every sync of 200 orders
    python -m tests.battle.faults --broken swallowed       the control: a disk that hides its errors must be found
"""

from __future__ import annotations

import argparse
import errno
import os
import sys
import tempfile
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path
from typing import NamedTuple

import msgspec

from sandtable.battle.authority import Battle
from sandtable.battle.storage.store import open_store
from sandtable.kernel.dice import PromptDice
from tests.battle import power
from tests.battle.kit import SEATS, battles, lot, order_by_lot
from tests.battle.power import DATABASE, Disk, Entry

STOPPED = "stopped"
"""The name of the file that marks the moment after the last answer."""

SENTENCE = "takes no more orders until the program is restarted"


class Fault(NamedTuple):
    """What fails, from which call on, how often, and how."""

    what: int
    at: int
    times: int
    error: int


class Result(msgspec.Struct, frozen=True):
    """What became of a battle on a disk that failed; `strange` says in words what should not have been."""

    run: str
    accepted: tuple[str, ...]
    refused: int
    strange: str


def laid(folder: Path, content: bytes) -> Path:
    """A database that is safely on the disk."""
    folder.mkdir()
    path = folder / DATABASE
    path.write_bytes(content)
    for name in (path, folder):
        number = os.open(name, os.O_RDONLY)
        os.fsync(number)
        os.close(number)
    return path


def template(folder: Path) -> bytes:
    """An empty database with its tables."""
    folder.mkdir()
    open_store(str(folder / DATABASE)).close()
    return (folder / DATABASE).read_bytes()


def play(path: Path, run: str, orders: int, fault: Fault) -> Result:
    """A battle whose disk fails as told, and then a restart on a sound one."""
    store = open_store(str(path))
    battle = battles(store).create("toy", "line", SEATS, {"turns": 20}, "faults")
    power.disk_fails(*fault)
    verdicts, reasons = [], set()
    accepted = [f"{battle.id} :set-up 0"]
    for number in range(orders):
        if battle.is_over:
            break
        drawn = lot(battle, number)
        assert drawn is not None, "a battle that is not over has no decision"
        side, order = drawn
        answer = battle.submit(side, order, battle.ledger.number(side), f"f{number}")
        verdicts.append(answer.verdict)
        if answer.verdict == "accepted":
            accepted.append(f"{battle.id} {side}:f{number}")
        elif answer.refusal is not None:
            reasons.add(answer.refusal.reason)
    strange = judged(battle, verdicts, reasons)
    # from here on the disk is sound again: closing the store would save what was in danger
    (path.parent / STOPPED).touch()
    power.disk_fails(0, 0)
    store.close()
    return Result(run, tuple(accepted), len(verdicts) + 1 - len(accepted), strange or restarted(path, accepted))


def judged(battle: Battle, verdicts: list[str], reasons: set[str]) -> str:
    """What is strange about these answers, or nothing."""
    good = verdicts.count("accepted")
    if verdicts != ["accepted"] * good + ["unavailable"] * (len(verdicts) - good):
        return f"after a failure an order was taken: {verdicts}"
    if any(SENTENCE not in reason for reason in reasons):
        return f"a refusal says something else: {reasons}"
    if battle.view("red").number != battle.ledger.number(battle.sides[0]):
        return "the table can't be looked at"
    return ""


def restarted(path: Path, accepted: list[str]) -> str:
    """What is strange after a restart, or nothing."""
    kept, is_damaged = power.read(path)
    if is_damaged or not set(accepted) <= kept:
        return "after the restart the database is damaged or lacks an acknowledged order"
    store = open_store(str(path))
    try:
        battle = battles(store).open(store.charters()[0].id)
        if not battle.is_over:
            order_by_lot(battle, 10_000)
        return ""
    finally:
        store.close()


def faults(writes: int, syncs: int, every: int) -> Iterator[Fault]:
    """Each n-th write and sync: once or from then on, with the errors that disks have."""
    for at in range(1, writes + 1):
        if at % every == 0:
            is_full = at // every % 2
            yield Fault(power.WRITES, at, 1 << 40 if is_full else 1, errno.ENOSPC if is_full else errno.EIO)
    for at in range(1, syncs + 1):
        yield Fault(power.SYNCS, at, 1 if at % 2 else 1 << 40, errno.EIO)


def calls(folder: Path, content: bytes, orders: int) -> tuple[int, int]:
    """How many writes and syncs so many orders take on a sound disk."""
    counted = []
    for kind in (power.WRITES, power.SYNCS):
        path = laid(folder / f"count{kind}", content)
        never = Fault(kind, 1 << 40, 1, 0)
        store = open_store(str(path))
        battle = battles(store).create("toy", "line", SEATS, {"turns": 20}, "faults")
        power.disk_fails(*never)
        for number in range(orders):
            if not battle.is_over:
                order_by_lot(battle, number)
        counted.append(power.disk_calls())
        power.disk_fails(0, 0)
        store.close()
    return counted[0], counted[1]


def perform(folder: Path, orders: int, every: int, broken: str) -> Iterator[Result]:
    """Every fault, one after the other; this process runs on the disk that is watched."""
    content = template(folder / "template")
    if broken == "swallowed":
        path = laid(folder / "swallowed", content)
        yield play(path, "swallowed", orders, Fault(power.SWALLOWED_SYNCS, 1, 1 << 40, errno.EIO))
        return
    for number, fault in enumerate(faults(*calls(folder, content, orders), every)):
        yield play(laid(folder / f"run{number}", content), f"run{number}", orders, fault)


# judging


class Toll(NamedTuple):
    """What a campaign found: faults that refused an order, acknowledged orders that were not durable, the strange."""

    runs: int
    refused: int
    false: int
    strange: list[str]


def campaign(folder: Path, orders: int, every: int, broken: str = "nothing") -> Toll:
    """Every fault on a disk of its own, and what was durable when the power went at the moment of the failure."""
    disk, log = folder / "disk", folder / "disk.log"
    disk.mkdir()
    asked = ["--perform", "--orders", str(orders), "--every", str(every), "--broken", broken]
    said = power.watched(power.shim(folder), disk, log, "tests.battle.faults", *asked)
    results = [msgspec.json.decode(line, type=Result) for line in said.splitlines()]
    happened = by_folder(power.entries(log.read_bytes(), disk.resolve()))
    false = sum(not is_durable(happened[one.run], one, folder) for one in results)
    return Toll(len(results), sum(one.refused > 0 for one in results), false, [x.strange for x in results if x.strange])


def by_folder(recording: Iterator[Entry]) -> dict[str, list[Entry]]:
    """What happened in each folder of the disk."""
    happened: dict[str, list[Entry]] = {}
    for entry in recording:
        folder, _, name = entry.name.partition("/")
        happened.setdefault(folder, []).append(entry._replace(name=name))
    return happened


def is_durable(recording: list[Entry], result: Result, folder: Path) -> bool:
    """Whether all that was acknowledged is on the disk when the power goes after the last answer."""
    disk = Disk()
    for entry in takewhile(lambda entry: entry.name != STOPPED, recording):
        disk.see(entry)
    lacks, _ = power.examine(folder / "image", disk.cut(Nothing("")), set(result.accepted), is_thorough=False)
    return not lacks


class Nothing(PromptDice):
    """Dice that keep nothing of what is not synced."""

    def below(self, sides: int) -> int:
        return 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--orders", type=int, default=200)
    parser.add_argument("--every", type=int, default=1, help="fail every so many writes")
    parser.add_argument("--broken", choices=["nothing", "swallowed"], default="nothing")
    parser.add_argument("--perform", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--folder", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.perform:
        for result in perform(Path(asked.folder), asked.orders, asked.every, asked.broken):
            print(msgspec.json.encode(result).decode(), flush=True)
        return 0
    if why := power.why_not():
        print(why)
        return 2
    with tempfile.TemporaryDirectory() as name:
        toll = campaign(Path(name), asked.orders, asked.every, asked.broken)
    print(
        f"{toll.runs} faults, {toll.refused} refused an order, {toll.false} runs acknowledged what was not durable, "
        f"{len(toll.strange)} strange"
    )
    print("\n".join(toll.strange[:5]))
    return 1 if toll.false or toll.strange else 0


if __name__ == "__main__":
    sys.exit(main())
