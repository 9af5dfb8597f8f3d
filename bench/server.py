"""The server over loopback: how soon a menu, a forecast and an order's news arrive, and how it bears many battles.

The server runs in a process of its own, the clients in this one. An answer has no peer to be compared with, so an
entry's ratio is its 99th percentile over the budget. On a shared machine an answer also waits for others: so there are
three rounds, the best of which counts, and the note gives the median of all. Many battles at once are one round.

    python -m bench.server                                            the three entries
    python -m bench.server --load --battles 500 --rate 50 --seconds 30   many battles at once
    python -m bench.server --abuse --strangers 10 --seconds 20           a bystander beside strangers
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any, NamedTuple

from websockets.asyncio.client import ClientConnection, connect

from bench.harness import Entry, as_table, progress
from sandtable.kernel.dice import PromptDice
from sandtable.server.messages import PROTOCOL

SCENARIO = "pl-withdrawal"
QUESTION_BUDGET = 50.0
ORDER_BUDGET = 100.0
LOAD_BUDGET = 150.0
TIMES = 300
ROUNDS = 3
SIDES = ("allied", "german")
END = {"order": "EndPhase"}
SECRET = "the secret of a server that is measured"


class Running(NamedTuple):
    """A server in a process of its own."""

    address: str
    pid: int

    @property
    def cpu(self) -> float:
        """Seconds of processor time it has taken; 0 where that can't be read."""
        try:
            fields = Path(f"/proc/{self.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        except OSError:
            return 0.0
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def server(**environment: str) -> Iterator[Running]:
    """A server, gone afterwards with all it kept."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "sandtable.cli", "serve", "--no-browser", "--port", "0", "--data", folder]
        known = {**os.environ, **environment}
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=known) as process:
            assert process.stdout is not None
            found = re.search(r"http://(\S+)/", process.stdout.readline())
            assert found is not None, "the server did not start"
            try:
                yield Running(found[1], process.pid)
            finally:
                progress(f"    the server took {_memory(process.pid)} MiB")
                process.terminate()
                process.wait(30)


def _memory(pid: int) -> int:
    """The memory a process holds, in MiB; 0 where that can't be read."""
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    except OSError:
        return 0
    return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) // 1024  # type: ignore[index]


def new_battle(address: str, secret: str = "") -> dict[str, Any]:
    """The keys of a battle between two people."""
    seats = [{"side": side, "player": "human"} for side in SIDES]
    wanted = {"scenario": SCENARIO, "seats": seats, "options": {"fog": True}}
    # the dice of a public battle are the server's to throw
    body = json.dumps(wanted if secret else {**wanted, "seed": "bench"}).encode()
    headers = {"content-type": "application/json", "authorization": f"Bearer {secret}"}
    request = urllib.request.Request(f"http://{address}/api/battles", body, headers)
    with urllib.request.urlopen(request) as answer:
        keys: dict[str, Any] = json.loads(answer.read())
        return keys


class Seat:
    """A client of one seat, with its latest table."""

    def __init__(self, line: ClientConnection) -> None:
        self.line = line
        self.table: dict[str, Any] = {}
        self.number = 0
        self.answers: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.news: asyncio.Event = asyncio.Event()
        self.heard = 0.0
        self.reader: asyncio.Task[None] | None = None

    async def sit(self, token: str) -> None:
        await self.line.send(json.dumps({"type": "Hello", "protocol": PROTOCOL, "token": token}))
        self._keep(json.loads(await self.line.recv()))
        self.reader = asyncio.create_task(self._read())

    async def _read(self) -> None:
        async for frame in self.line:
            message = json.loads(frame)
            if message["type"] in ("Snapshot", "Update"):
                self._keep(message)
                self.heard = perf_counter()
                self.news.set()
            else:
                self.answers.put_nowait(message)

    def _keep(self, message: dict[str, Any]) -> None:
        self.number = message["sequence"]
        if message["type"] == "Snapshot":
            self.table = message["table"]
            return
        pieces = {piece["id"]: piece for piece in self.table["pieces"]}
        for step in message["steps"]:
            pieces |= {piece["id"]: piece for piece in step.get("changed", ())}
            for id in step.get("gone", ()):
                del pieces[id]
        self.table = {**self.table, **message["table"], "pieces": [*pieces.values()]}

    @property
    def units(self) -> list[int]:
        """The seat's own units on the table."""
        return [piece["id"] for piece in self.table["pieces"] if piece["side"] == self.table["side"]]

    async def say(self, **message: Any) -> dict[str, Any]:
        """The answer to a message."""
        await self.line.send(json.dumps(message))
        return await self.answers.get()

    async def order(self, command: str, order: dict[str, Any]) -> dict[str, Any]:
        """What became of an order."""
        self.news.clear()
        return await self.say(type="Submit", command=command, based_on=self.number, order=order)


class Game:
    """A battle with a client on each side."""

    def __init__(self, name: str, seats: list[Seat]) -> None:
        self.name, self.seats = name, seats
        self.dice = PromptDice(name)
        self.count = 0
        self.busy = False

    @property
    def mover(self) -> Seat | None:
        return next((seat for seat in self.seats if seat.table["decisions"]), None)

    async def pick(self, seat: Seat) -> dict[str, Any]:
        """A lawful order by lot: half the time a move or a shot of some unit, otherwise the end of the phase."""
        own = seat.units
        if own and self.dice.below(2):
            menu = await seat.say(type="AskMenu", ask=1, selection={"units": [own[self.dice.below(len(own))]]})
            targets = [target for verb in menu.get("menu", {}).get("verbs", ()) for target in verb.get("targets", ())]
            if targets:
                order: dict[str, Any] = targets[self.dice.below(len(targets))]["order"]
                return order
        return END

    async def play(self) -> float | None:
        """Milliseconds from an order until both seats that noticed it have its news; None when nobody can order."""
        seat = self.mover
        if seat is None:
            return None
        order = await self.pick(seat)
        other = next(one for one in self.seats if one is not seat)
        other.news.clear()
        begin = perf_counter()
        self.count += 1
        verdict = await seat.order(f"{self.name} {self.count}", order)
        assert verdict["type"] in ("Accepted", "Refused"), verdict
        if verdict["type"] == "Refused":
            return None
        await seat.news.wait()
        # in fog the other side may notice nothing; then only the mover's own news are timed
        last = max(seat.heard, other.heard if other.news.is_set() else 0.0)
        return (last - begin) * 1000


async def open_game(address: str, keys: dict[str, Any]) -> Game:
    seats = []
    for side in SIDES:
        line = await connect(f"ws://{address}/api/battles/{keys['id']}/play", compression=None, max_queue=None)
        seat = Seat(line)
        await seat.sit(keys["tokens"][side])
        seats.append(seat)
    return Game(keys["id"], seats)


def percentile(values: list[float], part: float) -> float:
    ranked = sorted(values)
    return ranked[min(len(ranked) - 1, int(len(ranked) * part))]


def entry(name: str, values: list[float], budget: float, note: str = "", rounds: int = ROUNDS) -> Entry:
    size = -(-len(values) // rounds)
    worst = min(percentile(values[start : start + size], 0.99) for start in range(0, len(values), size))
    spread = (min(values) / budget, max(values) / budget)
    told = f"median {median(values):.1f} ms of {len(values)}{note}"
    return Entry(name, worst, "ms p99", {}, worst / budget, spread, 1.0, worst <= budget, told)


async def _questions(address: str) -> Iterator[Entry]:
    game = await open_game(address, new_battle(address))
    menus, previews = list[float](), list[float]()
    for number in range(TIMES):
        seat = game.mover
        assert seat is not None
        own = seat.units
        begin = perf_counter()
        menu = await seat.say(type="AskMenu", ask=number + 1, selection={"units": [own[number % len(own)]]})
        menus.append((perf_counter() - begin) * 1000)
        targets = [target for verb in menu["menu"]["verbs"] for target in verb.get("targets", ())]
        if targets:
            begin = perf_counter()
            await seat.say(type="AskPreview", ask=number + 1, order=targets[number % len(targets)]["order"])
            previews.append((perf_counter() - begin) * 1000)
        if number % 10 == 9:
            await game.play()
        # a person looks before he asks again, and the server holds him to it
        await asyncio.sleep(0.06)
    return iter([entry("server.menu", menus, QUESTION_BUDGET), entry("server.preview", previews, QUESTION_BUDGET)])


async def _orders(address: str) -> Entry:
    games = [await open_game(address, new_battle(address)) for _ in range(10)]
    times = list[float]()
    for number in range(TIMES):
        taken = await games[number % len(games)].play()
        if taken is not None:
            times.append(taken)
        await asyncio.sleep(0.02)
    return entry("server.order", times, ORDER_BUDGET)


def questions() -> list[Entry]:
    """How soon a menu and a forecast arrive."""
    with server() as running:
        return list(asyncio.run(_questions(running.address)))


def orders() -> list[Entry]:
    """How soon both seats have the news of an order, its commit to the disk included."""
    with server() as running:
        return [asyncio.run(_orders(running.address))]


ENTRIES: dict[str, Callable[[], list[Entry]]] = {"server.questions": questions, "server.order": orders}


# many battles


async def _load(running: Running, battles: int, rate: float, seconds: float) -> Entry:
    games = []
    for number in range(battles):
        games.append(await open_game(running.address, new_battle(running.address)))
        if number % 100 == 99:
            progress(f"    {number + 1} battles are open")
    times, tasks, late = list[float](), set[asyncio.Task[None]](), 0
    start, cpu = perf_counter(), running.cpu

    async def one(game: Game) -> None:
        taken = await game.play()
        game.busy = False
        if taken is not None:
            times.append(taken)

    number = 0
    while (due := number / rate) < seconds:
        await asyncio.sleep(max(0.0, start + due - perf_counter()))
        game = games[number % battles]
        number += 1
        if game.busy:
            late += 1
            continue
        game.busy = True
        task = asyncio.create_task(one(game))
        tasks.add(task)
        task.add_done_callback(tasks.discard)
    await asyncio.gather(*tasks)
    spent = perf_counter() - start
    each = 1000 * (running.cpu - cpu) / max(1, len(times))
    note = (
        f" in {spent:.0f} s, {len(times) / spent:.0f} a second, {battles} battles, {late} left out, {each:.1f} ms CPU"
    )
    return entry("server.load", times, LOAD_BUDGET, note, rounds=1)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.server", description=__doc__)
    parser.add_argument("--load", action="store_true", help="play many battles at once")
    parser.add_argument("--battles", type=int, default=500)
    parser.add_argument("--rate", type=float, default=50.0, help="orders a second over all battles")
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--abuse", action="store_true", help="time a bystander while strangers ask for all they may")
    parser.add_argument("--strangers", type=int, default=10)
    asked = parser.parse_args()
    if asked.abuse:
        from bench.abuse import abused

        with server(SANDTABLE_SECRET=SECRET) as running:
            measured = asyncio.run(abused(running, asked.strangers, asked.seconds))
    elif asked.load:
        with server() as running:
            measured = [asyncio.run(_load(running, asked.battles, asked.rate, asked.seconds))]
    else:
        measured = [one for run in ENTRIES.values() for one in run()]
    print(as_table(measured))
    for one in measured:
        print(f"{one.name}: {one.note}")
    return 0 if all(one.met for one in measured) else 1


if __name__ == "__main__":
    sys.exit(main())
