"""What one client can do to all others: keep connections, flood, never read, ask without end. Each is cut or waits, and
whoever else is there notices nothing.
"""

from __future__ import annotations

import asyncio
import base64
import os
import socket
import struct
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from sandtable.battle.authority import Battle
from sandtable.battle.library import ShippedLibrary
from sandtable.battle.memory import open_battle
from sandtable.battle.observed import wire
from sandtable.battle.seats import human
from sandtable.battle.snapshots import snapshot_of
from sandtable.battle.storage.store import Store
from sandtable.kernel.ids import SideId
from sandtable.kernel.ruleset import Selection
from sandtable.server import limits
from sandtable.server.http.serving import listening
from sandtable.server.limits import Budget, Budgets
from sandtable.server.messages import PROTOCOL
from sandtable.server.play.turns import IS_SAFE_APART, Turns
from sandtable.server.settings import Settings
from tests.server.kit import PATIENCE, PLATOON, SECRET, Server, running

ALLIED, GERMAN = SideId("allied"), SideId("german")

apart = pytest.mark.skipif(not IS_SAFE_APART, reason="interpreted, questions are answered where orders are")


@contextmanager
def plain(server: Server, sent: bytes = b"") -> Iterator[socket.socket]:
    """A connection on which that was said, as bytes."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as line:
        line.sendall(sent)
        yield line


def is_cut(line: socket.socket) -> bool:
    """Whether the server closes the connection."""
    try:
        while line.recv(65_536):
            pass
    except ConnectionError:
        return True
    except TimeoutError:
        return False
    return True


def is_gone(line: socket.socket) -> bool:
    """Whether one more byte finds nobody who listens."""
    try:
        line.sendall(b"G")
        return not line.recv(65_536)
    except TimeoutError:
        return False
    except OSError:
        return True


# connections


def test_small_answers_do_not_wait_to_be_sent_with_others(tmp_path: Path) -> None:
    found: list[int] = []

    class Taken(asyncio.Protocol):
        def connection_made(self, transport: Any) -> None:
            found.append(transport.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            transport.abort()

    async def accept() -> None:
        bound = listening(Settings(tmp_path, port=0))
        server = await asyncio.get_running_loop().create_server(Taken, sock=bound)
        async with server:
            reader, writer = await asyncio.open_connection(*bound.getsockname())
            with suppress(ConnectionError):
                await reader.read()
            writer.close()

    asyncio.run(accept())
    assert found
    assert all(found)


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"GET /api/house HTTP/1.1\r\nHost: x",
        b"POST /api/battles HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\n{",
    ],
    ids=["nothing", "half a head", "half a body"],
)
def test_an_unfinished_request_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sent: bytes) -> None:
    monkeypatch.setattr(limits, "HEAD_SECONDS", 0.2)
    monkeypatch.setattr(limits, "body_seconds", lambda length: 0.2)
    with running(tmp_path) as server, plain(server, sent) as line:
        assert is_cut(line)


def test_a_byte_now_and_then_gains_no_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "HEAD_SECONDS", 0.5)
    with running(tmp_path) as server, plain(server, b"GET /api/house HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n") as line:
        assert line.recv(10) == b"HTTP/1.1 2"
        line.settimeout(0.05)
        assert any(is_gone(line) for _ in range(200))


def test_a_thousand_unfinished_requests_keep_nobody_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "WAITING_LINES", 40)
    with running(tmp_path) as server, ExitStack() as stack:
        keys = server.battle()
        with server.seat(keys, "allied") as player:
            lines = [stack.enter_context(plain(server, b"GET / HTTP/1.1\r\n")) for _ in range(200)]
            # the connection that opened the battle is the oldest of them, and may be gone
            server.come_anew()
            assert server.get("house").status_code == 200
            # the oldest went, and who has a seat keeps it
            assert all(is_cut(line) for line in lines[:150])
            assert player.ask("Ping")["type"] == "Pong"


def test_one_address_has_so_many_connections_and_no_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "LINES", 10)
    with running(tmp_path, secret=SECRET) as server, ExitStack() as stack:
        for _ in range(10):
            stack.enter_context(plain(server, b"GET / HTTP/1.1\r\n"))
        with plain(server) as line:
            assert is_cut(line)
        stack.close()
        assert server.get("house").status_code == 200


# sockets


def frame(opcode: int, data: bytes = b"") -> bytes:
    """A frame of a client."""
    assert len(data) < 65_536
    head = struct.pack("!BB", 0x80 | opcode, 0x80 | len(data)) if len(data) < 126 else b""
    return (head or struct.pack("!BBH", 0x80 | opcode, 0xFE, len(data))) + b"\0\0\0\0" + data


@contextmanager
def handshaken(server: Server, keys: dict[str, Any]) -> Iterator[socket.socket]:
    """A socket that has taken a seat, as bytes."""
    head = (
        f"GET /api/battles/{keys['id']}/play HTTP/1.1\r\nHost: {server.host}\r\nUpgrade: websocket\r\n"
        f"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}\r\n\r\n"
    )
    with plain(server, head.encode()) as line:
        assert line.recv(12) == b"HTTP/1.1 101"
        hello = f'{{"type":"Hello","protocol":{PROTOCOL},"token":"{keys["tokens"]["allied"]}"}}'
        line.sendall(frame(1, hello.encode()))
        yield line


def flooded(line: socket.socket, data: bytes, times: int) -> bool:
    """Whether somebody who sends that often and reads nothing meanwhile is cut."""
    line.settimeout(5.0)
    with suppress(OSError):  # the server has stopped reading, or has cut him already
        for _ in range(times):
            line.sendall(data)
    return is_cut(line)


@pytest.mark.parametrize(("opcode", "size"), [(9, 125), (9, 0), (10, 0), (1, 0), (2, 1), (0, 0)])
def test_a_flood_of_frames_is_cut_soon(server: Server, opcode: int, size: int) -> None:
    """Pings, pongs, messages and fragments: 200,000 of each."""
    with server.seat(server.battle(), "german") as other:
        with handshaken(server, server.battle()) as line:
            assert flooded(line, frame(opcode, b"x" * size) * 1000, 200)
        assert other.ask("Ping")["type"] == "Pong"


# shares


def test_the_sockets_of_one_seat_share_its_orders(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        keys = server.battle()
        with server.seat(keys, "german") as first, server.seat(keys, "german") as second:
            refused = []
            for number in range(15):
                for line in (first, second):
                    answer = line.order({"order": "EndPhase"}, command=f"{id(line)} {number}")
                    refused.append(answer["refusal"]["reason"])
    assert sum("too much at once" in reason for reason in refused) > 0


def test_a_seat_is_open_in_so_many_places_and_the_oldest_goes(server: Server) -> None:
    keys = server.battle()
    with ExitStack() as stack:
        first = stack.enter_context(server.seat(keys, "german"))
        others = [stack.enter_context(server.seat(keys, "german")) for _ in range(limits.SEAT_SOCKETS)]
        assert first.closed() == 4429
        assert all(line.ask("Ping")["type"] == "Pong" for line in others)


def test_an_account_outlives_the_sockets_that_use_it() -> None:
    budgets = Budgets(lambda: 0.0)
    budgets.of("seat", limits.SEAT).work.spend(3.0)
    assert budgets.of("seat", limits.SEAT).work.wait() == pytest.approx(2.0 / limits.SEAT.work[0])
    for number in range(limits.ADDRESSES):
        budgets.of(str(number), limits.ADDRESS)
    assert len(budgets._budgets) == limits.ADDRESSES
    assert budgets.of("seat", limits.SEAT).work.wait() == 0


def test_a_stranger_who_asks_for_the_list_has_nothing_read_for_him(
    public_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys = public_server.battle()
    monkeypatch.setattr(Store, "charters", lambda self: pytest.fail("all battles were read"))
    assert public_server.get("battles").json() == []
    assert public_server.get("battles", "guessed,guesses").json() == []
    assert [card["id"] for card in public_server.get("battles", keys["tokens"]["allied"]).json()] == [keys["id"]]


# turns


@apart
def test_a_ping_and_an_order_are_answered_while_a_question_is_worked_on(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, go_on, menu = Event(), Event(), Battle.menu

    def slow(*given: Any) -> Any:
        begun.set()
        assert go_on.wait(PATIENCE)
        return menu(*given)

    monkeypatch.setattr(Battle, "menu", slow)
    keys = server.battle()
    with server.seat(keys, "allied") as asking, server.seat(server.battle(), "allied") as other:
        asking.say("AskMenu", ask=7, selection={})
        assert begun.wait(PATIENCE)
        try:
            assert other.ask("Ping")["type"] == asking.ask("Ping")["type"] == "Pong"
            assert other.order({"order": "EndPhase"})["type"] == "Accepted"
        finally:
            go_on.set()
        assert asking.until("MenuAnswer")["ask"] == 7


class Costing(Turns):
    """Turns in which work takes no time and costs what it says."""

    async def _carried_out(self, ticket: Any, work: Any) -> Any:
        try:
            ticket.cost = await work()
        finally:
            self._leave(ticket)


def test_who_asks_for_one_thing_does_not_wait_for_who_asks_for_a_hundred() -> None:
    async def served() -> list[str]:
        turns, order = Costing(), list[str]()
        many, one = (Budget(limits.SEAT, lambda: 0.0) for _ in range(2))

        async def ask(name: str, account: Budget) -> None:
            async def work() -> float:
                order.append(name)
                return 0.005

            await turns._done(turns_ticket(account), work)

        tasks = [asyncio.create_task(ask("many", many)) for _ in range(100)]
        while len(order) < 50:
            await asyncio.sleep(0)
        tasks.append(asyncio.create_task(ask("one", one)))
        await asyncio.gather(*tasks)
        return order

    order = asyncio.run(served())
    assert order.index("one") <= 52


def test_who_owes_waits_and_lets_others_go_first() -> None:
    async def served() -> list[str]:
        turns, order, now = Costing(), list[str](), [0.0]
        greedy, other = (Budget(limits.SEAT, lambda: now[0]) for _ in range(2))
        greedy.work.spend(2.0)

        async def ask(name: str, account: Budget) -> None:
            async def work() -> float:
                order.append(name)
                return 0.0

            await turns._done(turns_ticket(account), work)

        tasks = [asyncio.create_task(ask("greedy", greedy)), asyncio.create_task(ask("other", other))]
        await tasks[1]
        assert order == ["other"]
        tasks[0].cancel()
        await asyncio.wait(tasks[:1])
        # who hung up while he waited has left no gap
        await ask("other", other)
        return order

    assert asyncio.run(served()) == ["other", "other"]


def turns_ticket(account: Budget) -> Any:
    from sandtable.server.play.turns import _Ticket

    return _Ticket((account,))


def test_who_hangs_up_pays_for_what_is_done_for_him() -> None:
    async def paid() -> float:
        turns, account = Turns(), Budget(limits.SEAT, lambda: 0.0)
        begun, go_on = asyncio.Event(), asyncio.Event()

        async def work() -> None:
            begun.set()
            await go_on.wait()

        task = asyncio.create_task(turns.elsewhere((account,), work, 1.0))
        await begun.wait()
        task.cancel()
        await asyncio.wait([task])
        assert account.served == 0
        go_on.set()
        while not account.served:
            await asyncio.sleep(0)
        return account.served

    assert asyncio.run(paid()) > 0


# a battle that somebody makes long


@pytest.mark.parametrize("times", [300, pytest.param(9_500, marks=pytest.mark.thorough)])
def test_moving_and_taking_back_without_end_makes_no_battle_too_large_to_show(times: int) -> None:
    """Before the log was paged, 9,500 of these made a snapshot that no client could be sent."""
    table = ShippedLibrary().find("panzer_leader", PLATOON)
    battle = open_battle(table, (human(ALLIED), human(GERMAN)), {"fog": False}, "brick")
    while (order := a_move(battle)) is None:
        ordered(battle, battle.order_from(b'{"order":"EndPhase"}'))
    sizes = list[int]()
    for _ in range(times):
        ordered(battle, order)
        assert (
            battle.undo(ALLIED, battle.standpoint(ALLIED).number, f"back {battle.ledger.entries}").verdict == "accepted"
        )
        sizes.append(len(wire(battle.table(ALLIED))) + len(wire(battle.recent_log(ALLIED))))
    assert max(sizes) < limits.BACKLOG / 8
    assert len(snapshot_of(battle.ledger).body) < 300_000
    ordered(battle, order)


def a_move(battle: Battle) -> Any:
    """An order to move, if this is the time for it."""
    units = [piece.id for piece in battle.table(ALLIED).pieces if piece.side == ALLIED]
    menus = [battle.menu(ALLIED, Selection(units=(unit,))) for unit in units]
    moves = (one for menu in menus for verb in menu.verbs if verb.key == "move" for one in verb.targets)
    return next((target.order for target in moves), None)


def ordered(battle: Battle, order: Any) -> None:
    answer = battle.submit(ALLIED, order, battle.standpoint(ALLIED).number, f"order {battle.ledger.entries}")
    assert answer.verdict == "accepted"
