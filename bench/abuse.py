"""How long a bystander waits while others ask for all they may: strangers with many sockets, large menus, wrong orders
and pings, each from an address of his own.

    python -m bench.server --abuse --strangers 10 --seconds 20
"""

from __future__ import annotations

import asyncio
import json
from itertools import count
from multiprocessing import get_context
from time import perf_counter
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from bench.harness import Entry, progress
from bench.server import END, SECRET, SIDES, Running, Seat, entry, new_battle
from sandtable.server import limits
from sandtable.server.messages import PROTOCOL

PING_BUDGET = 100.0
ORDER_BUDGET = 250.0
NOTHING = {"order": "MoveUnit", "unit": 0, "path": []}


async def _line(address: str, keys: dict[str, Any], own: str) -> ClientConnection:
    """A socket to a battle from one of the addresses of this machine."""
    url = f"ws://{address}/api/battles/{keys['id']}/play"
    return await connect(url, compression=None, max_queue=None, local_addr=(own, 0))


async def _seated(address: str, keys: dict[str, Any], side: str, own: str) -> Seat:
    seat = Seat(await _line(address, keys, own))
    await seat.sit(keys["tokens"][side])
    return seat


async def _in_movement(address: str, keys: dict[str, Any], own: str) -> str:
    """The side whose units are to move: the menus of that step are the largest."""
    seats = {side: await _seated(address, keys, side, own) for side in SIDES}
    for number in count():
        side, seat = next((side, seat) for side, seat in seats.items() if seat.table["decisions"])
        if "move" in seat.table["step"].lower():
            break
        await seat.order(f"end {number}", END)
        await asyncio.sleep(0.25)
    for seat in seats.values():
        await seat.line.close()
    return side


async def _drain(line: ClientConnection) -> None:
    async for _ in line:
        pass


async def _abuse(address: str, keys: dict[str, Any], side: str, own: str, seconds: float) -> None:
    """One socket that asks for all its units' menus, gives orders that can't be carried out, and pings, as fast as it
    may. It reads and does not look.
    """
    until = perf_counter() + seconds
    line = await _line(address, keys, own)
    await line.send(json.dumps({"type": "Hello", "protocol": PROTOCOL, "token": keys["tokens"][side]}))
    table = json.loads(await line.recv())["table"]
    drain = asyncio.create_task(_drain(line))
    units = [piece["id"] for piece in table["pieces"] if piece["side"] == side]
    every = json.dumps({"type": "AskMenu", "ask": 1, "selection": {"units": units}})
    wrong = json.dumps({"type": "Submit", "command": "no", "based_on": 1, "order": NOTHING})
    turns = [every, every, every, '{"type":"Ping","ask":2}', wrong]
    try:
        for number in count():
            if perf_counter() > until:
                break
            await line.send(turns[number % len(turns)])
            await asyncio.sleep(limits.SEAT_SOCKETS / limits.SEAT.messages[0])
        await line.close()
    except ConnectionClosed:
        progress(f"    a socket of {own} was cut after {number} messages")
    drain.cancel()


def _strangers(address: str, abused: list[tuple[dict[str, Any], str, str]], seconds: float) -> None:
    """All the strangers, in a process of their own."""

    async def everybody() -> None:
        await asyncio.gather(*(_abuse(address, *one, seconds) for one in abused for _ in range(limits.SEAT_SOCKETS)))

    asyncio.run(everybody())


async def abused(running: Running, strangers: int, seconds: float) -> list[Entry]:
    """How soon a bystander's pings and orders are answered meanwhile."""
    address = running.address
    keys = [new_battle(address, SECRET) for _ in range(strangers + 1)]
    own = [f"127.0.0.{number + 10}" for number in range(strangers + 1)]
    sides = [await _in_movement(address, one, where) for one, where in zip(keys[1:], own[1:], strict=True)]
    bystander = {side: await _seated(address, keys[0], side, own[0]) for side in SIDES}
    cpu, start = running.cpu, perf_counter()
    until = start + seconds
    strangers_at = list(zip(keys[1:], sides, own[1:], strict=True))
    process = get_context("spawn").Process(target=_strangers, args=(address, strangers_at, seconds))
    process.start()
    pings, orders = list[float](), list[float]()
    for number in count():
        if perf_counter() > until:
            break
        mover = next(seat for seat in bystander.values() if seat.table["decisions"])
        begin = perf_counter()
        if number % 5 == 4:
            await mover.order(f"end {number}", END)
            await asyncio.wait_for(mover.news.wait(), seconds)
            orders.append((perf_counter() - begin) * 1000)
        else:
            await mover.say(type="Ping", ask=number + 1)
            pings.append((perf_counter() - begin) * 1000)
        await asyncio.sleep(0.05)
    await asyncio.to_thread(process.join)
    busy = 100 * (running.cpu - cpu) / (perf_counter() - start)
    note = f" beside {strangers} strangers with {limits.SEAT_SOCKETS} sockets each, the server busy {busy:.0f} %"
    return [
        entry("server.abuse.ping", pings, PING_BUDGET, note, rounds=1),
        entry("server.abuse.order", orders, ORDER_BUDGET, note, rounds=1),
    ]
