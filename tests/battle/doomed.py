"""A process that writes orders is killed at random moments; every order it acknowledged must be there afterwards.

Killing a process tells whether an answer waited for its
commit; whether the commit reached the disk is what `synchronous=FULL` is for, which the store checks when it opens.
"""

from __future__ import annotations

import multiprocessing
import sys
from concurrent.futures import Future
from multiprocessing.connection import Connection
from threading import Lock, Thread
from typing import Any, NamedTuple

from sandtable.battle.battles import BattlesError
from sandtable.battle.storage.rows import StoredEntry
from sandtable.battle.storage.store import Store, open_store
from sandtable.kernel.dice import PromptDice
from tests.battle.kit import SEATS, battles, lot

BATTLES = 3
"""How many battles are played at the same time, so that orders share transactions."""


class HastyStore(Store):
    """A broken build: it acknowledges an order while it is still on its way to the disk."""

    def append(self, row: StoredEntry, previous: str, status: str) -> Future[None]:
        super().append(row, previous, status)
        early: Future[None] = Future()
        early.set_result(None)
        return early


class Toll(NamedTuple):
    """What a campaign found."""

    kills: int
    acknowledged: int
    lost: int
    unanswered: int
    damaged: int


def play(url: str, pipe: Connection, kind: type[Store]) -> None:
    """Battles are resumed, begun and played without end; each acknowledged order is reported."""
    store = open_store(url)
    store.__class__ = kind
    one = battles(store)
    for trouble in one.resume().values():
        pipe.send(("damaged", trouble))
    running = [one.open(charter.id) for charter in store.charters() if charter.status == "running"]
    lock = Lock()

    def report(*words: str) -> None:
        with lock:
            pipe.send(words)

    def campaign(battle: Any) -> None:
        while True:
            if battle is None or battle.is_over:
                battle = one.create("toy", "line", SEATS, {"turns": 20})
                report("acknowledged", battle.id, ":set-up 0")
            number = battle.ledger.entries
            side, order = lot(battle, number) or ("", None)
            answer = battle.submit(side, order, battle.ledger.number(side), f"k{number}")
            if answer.verdict == "accepted":
                report("acknowledged", battle.id, f"{side}:k{number}")

    seats = [*running, *[None] * BATTLES][:BATTLES]
    threads = [Thread(target=campaign, args=(battle,), daemon=True) for battle in seats]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def doomed_round(url: str, kind: type[Store], round: int) -> list[tuple[str, ...]]:
    """The reports of a process that was killed at some moment after some orders."""
    context = multiprocessing.get_context("spawn" if sys.platform == "win32" else "forkserver")
    if sys.platform != "win32":
        context.set_forkserver_preload(["tests.battle.doomed"])
    reader, writer = context.Pipe(duplex=False)
    process = context.Process(target=play, args=(url, writer, kind), daemon=True)
    process.start()
    writer.close()
    dice = PromptDice("kill", round)
    reports = [reader.recv() for _ in range(1 + dice.below(30))]
    reader.poll(dice.below(1000) / 200_000)  # up to five milliseconds into the next order
    process.kill()
    try:
        while True:
            reports.append(reader.recv())
    except (EOFError, OSError):
        pass  # the last word of a killed process may be cut off: it was not said
    process.join()
    process.close()
    reader.close()
    return reports


def run(url: str, times: int, kind: type[Store] = Store) -> Toll:
    """A process is killed so many times, each time resuming what the one before left."""
    promised: set[tuple[str, ...]] = set()
    acknowledged = damaged = 0
    for round in range(times):
        reports = doomed_round(url, kind, round)
        said = [report[1:] for report in reports if report[0] == "acknowledged"]
        acknowledged += len(said)
        damaged += len(reports) - len(said)
        promised.update(said)
    store = open_store(url)
    kept = {(row.battle, row.command) for charter in store.charters() for row in store.rows(charter.id)}
    one = battles(store)
    for charter in store.charters():
        try:
            one.open(charter.id)
        except BattlesError:
            damaged += 1
    store.close()
    return Toll(times, acknowledged, len(promised - kept), len(kept - promised), damaged)
