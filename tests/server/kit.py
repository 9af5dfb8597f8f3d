"""A server of our own in a thread, and clients that talk to it as a browser would."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from threading import Event, Thread
from typing import Any

import httpx
from websockets.sync.client import ClientConnection, connect

from sandtable.server.http.app import inner_application
from sandtable.server.http.gate import Gate
from sandtable.server.http.pages import Pages
from sandtable.server.http.serving import listening, server_of
from sandtable.server.limits import Addresses
from sandtable.server.messages import PROTOCOL
from sandtable.server.settings import Settings

SECRET = "a secret that nobody guesses"
PATIENCE = 30.0
PLATOON = "pl-first-platoon"


class Server:
    """A running server: its address, its settings, and requests to it."""

    def __init__(self, settings: Settings, port: int) -> None:
        self.settings, self.port = settings, port
        self.host = f"127.0.0.1:{port}"
        self.http = httpx.Client(base_url=f"http://{self.host}", timeout=PATIENCE)

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        self.http.close()

    def come_anew(self) -> None:
        """The next request comes by a connection of its own."""
        self.http.close()
        self.http = httpx.Client(base_url=f"http://{self.host}", timeout=PATIENCE)

    def get(self, path: str, token: str = "", **more: Any) -> httpx.Response:
        return self.ask("GET", path, token, **more)

    def post(self, path: str, token: str = "", **more: Any) -> httpx.Response:
        return self.ask("POST", path, token, **more)

    def ask(self, method: str, path: str, token: str = "", **more: Any) -> httpx.Response:
        headers = {**({"authorization": f"Bearer {token}"} if token else {}), **more.pop("headers", {})}
        return self.http.request(method, f"/api/{path}", headers=headers, **more)

    def battle(self, allied: str = "human", german: str = "human", **more: Any) -> dict[str, Any]:
        """A new battle's keys."""
        seats = [{"side": "allied", "player": allied}, {"side": "german", "player": german}]
        wanted = {"scenario": PLATOON, "seats": seats, **more}
        answer = self.post("battles", "" if self.settings.is_local else SECRET, json=wanted)
        assert answer.status_code == 201, answer.text
        keys: dict[str, Any] = answer.json()
        return keys

    @contextmanager
    def line(self, battle: str, **options: Any) -> Iterator[Line]:
        """A socket to a battle on which nothing was said yet."""
        with connect(f"ws://{self.host}/api/battles/{battle}/play", **options) as connection:
            yield Line(connection)

    @contextmanager
    def seat(self, keys: dict[str, Any], side: str = "", had: Line | None = None, **hello: Any) -> Iterator[Line]:
        """A client at its table; `table` holds what it was greeted with, put into the table that it had before."""
        token = keys["tokens"].get(side) or next(iter(keys["tokens"].values()), keys["spectator"])
        with self.line(keys["id"]) as line:
            if had is not None:
                line.table, hello = had.table, {"since": had.number, "view_hash": had.hash, **hello}
            line.say("Hello", protocol=PROTOCOL, token=token, side=side, **hello)
            line.keep(line.hear())
            yield line


class Line:
    """A client: it remembers the table it was last told, and numbers its commands and questions."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection
        self.greeting: dict[str, Any] = {}
        self.table: dict[str, Any] = {}
        self.number = 0
        self.hash = ""
        self._counter = count(1)

    def say(self, kind: str, /, **fields: Any) -> None:
        self.connection.send(json.dumps({"type": kind, **fields}))

    def hear(self) -> dict[str, Any]:
        """The next message, whatever it is."""
        message: dict[str, Any] = json.loads(self.connection.recv(timeout=PATIENCE))
        return message

    def keep(self, message: dict[str, Any]) -> dict[str, Any]:
        if message["type"] in ("Snapshot", "Update"):
            self.greeting = self.greeting or message
            self.table = message["table"] if message["type"] == "Snapshot" else folded(self.table, message)
            self.number, self.hash = message["sequence"], message["view_hash"]
        return message

    def until(self, *kinds: str) -> dict[str, Any]:
        """The next message of one of these kinds; tables that come on the way are kept."""
        while True:
            message = self.keep(self.hear())
            if message["type"] in kinds:
                return message

    def ask(self, kind: str, /, **fields: Any) -> dict[str, Any]:
        """The answer to a question."""
        number = next(self._counter)
        self.say(kind, ask=number, **fields)
        while True:
            message = self.keep(self.hear())
            if message.get("ask") == number:
                return message

    def order(self, order: dict[str, Any], based_on: int | None = None, command: str = "") -> dict[str, Any]:
        """What became of an order; when it was accepted the table is the one after it."""
        command = command or f"command {next(self._counter)}"
        based = self.number if based_on is None else based_on
        self.say("Submit", command=command, based_on=based, order=order)
        return self._verdict(command)

    def undo(self) -> dict[str, Any]:
        command = f"undo {next(self._counter)}"
        self.say("Undo", command=command, based_on=self.number)
        return self._verdict(command)

    def _verdict(self, command: str) -> dict[str, Any]:
        while True:
            message = self.until("Accepted", "Refused")
            if message["command"] != command:
                continue
            while message["type"] == "Accepted" and self.number < message["number"]:
                self.until("Update", "Snapshot")
            return message

    def catch_up(self, number: int) -> None:
        """The table of that number or a later one has arrived."""
        while self.number < number:
            self.until("Update", "Snapshot")

    def closed(self) -> int:
        """The code the server closes the line with; what it says before is thrown away."""
        from websockets.exceptions import ConnectionClosed

        try:
            while True:
                self.connection.recv(timeout=PATIENCE)
        except ConnectionClosed as end:
            return end.rcvd.code if end.rcvd is not None else 1006


def folded(table: dict[str, Any], update: dict[str, Any]) -> dict[str, Any]:
    """The table after an update, as a client makes it of what it had."""
    pieces = {piece["id"]: piece for piece in table["pieces"]}
    for step in update["steps"]:
        pieces |= {piece["id"]: piece for piece in step.get("changed", ())}
        for id in step.get("gone", ()):
            del pieces[id]
    return {**table, **update["table"], "pieces": [*pieces.values()]}


def lines_of(update: dict[str, Any]) -> list[dict[str, Any]]:
    """What an update says in the log."""
    return [step["line"] for step in update["steps"] if "line" in step]


def fast_clock() -> Callable[[], float]:
    """A clock on which every look is an hour after the last, so that no limit is ever reached."""
    looks = count()
    return lambda: 3600.0 * next(looks)


@contextmanager
def running(
    folder: Path, clock: Callable[[], float] | None = None, pages: Pages | None = None, **settings: Any
) -> Iterator[Server]:
    """A server on a port of its own, gone afterwards with everything it started."""
    bound = listening(Settings(folder, port=0))
    port = bound.getsockname()[1]
    set_so = Settings(folder, port=port, **settings)
    ready = Event()
    inner = inner_application(set_so, pages or Pages(folder / "no client"), ready.set)
    app = Gate(inner, set_so, Addresses(clock or fast_clock()))
    server = server_of(app, set_so)
    thread = Thread(target=lambda: asyncio.run(server.serve(sockets=[bound])), daemon=True)
    thread.start()
    assert ready.wait(PATIENCE), "the server did not start"
    handle = Server(set_so, port)
    try:
        yield handle
    finally:
        handle.http.close()
        server.should_exit = True
        thread.join(PATIENCE)
        bound.close()
        assert not thread.is_alive(), "the server did not stop"


END = {"order": "EndPhase"}
