"""Starts the server, tells where it is, and stops it cleanly."""

from __future__ import annotations

import signal
import socket
import sys
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from threading import Thread, current_thread, main_thread

import uvicorn
from litestar.types import ASGIApp

from sandtable.battle.storage.files import private_folder
from sandtable.battle.storage.folders import held
from sandtable.battle.storage.store import open_store
from sandtable.server import access, limits
from sandtable.server.http.app import application
from sandtable.server.http.protocols import Lines, RequestProtocol, SocketProtocol
from sandtable.server.settings import DATABASE, PORT, Settings, SettingsError

LONGEST_FAREWELL = 5
"""Seconds that open requests have to end when the server stops."""

SWITCHING = 0.001
"""Seconds that a thread may go on while another waits. A line is read, answered and written in a few short stretches;
before each of them it would wait five milliseconds, Python's own measure, for whoever works on a long question.
"""

Browse = Callable[[str], object]


def listening(settings: Settings) -> socket.socket:
    """A socket on the address of the settings; the usual port may be taken, and then any other will do."""
    ports = [settings.port, 0] if settings.port == PORT and settings.is_local else [settings.port]
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    for port in ports:
        # with its number, or asyncio takes it for no TCP and leaves small answers waiting for 40 ms
        bound = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            bound.bind((settings.host.strip("[]"), port))
            bound.listen(256)
        except (OSError, OverflowError) as error:
            bound.close()
            reason = error
        else:
            return bound
    why = getattr(reason, "strerror", None) or str(reason)
    raise SettingsError(f"the server can't listen on {settings.host} port {settings.port}: {why}")


def address_of(settings: Settings, port: int) -> str:
    """Where a browser on this machine finds the server."""
    host = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(settings.host, settings.host)
    return f"http://{f'[{host}]' if ':' in host and not host.startswith('[') else host}:{port}/"


def server_of(app: ASGIApp, settings: Settings) -> uvicorn.Server:
    """The server of an application, ready to be run."""

    def most(address: str) -> int | None:
        """How many connections of an address may be at no table: a proxy's are those of many."""
        return None if settings.is_local or access.is_proxy(settings, address) else limits.LINES

    lines = Lines(limits.WAITING_LINES, most)
    config = uvicorn.Config(
        app,
        lifespan="on",
        # uvicorn makes one for each connection, and asks for nothing else of what it calls a class
        http=partial(RequestProtocol, lines),  # type: ignore[arg-type]
        ws=partial(SocketProtocol, lines),  # type: ignore[arg-type]
        ws_max_size=limits.FRAME,
        ws_per_message_deflate=False,
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,  # the gate knows whom to believe
        timeout_graceful_shutdown=LONGEST_FAREWELL,
    )
    return uvicorn.Server(config)


@contextmanager
def _stopping_politely() -> Iterator[None]:
    """SIGTERM is heard as Ctrl-C is.

    uvicorn stops the server and then lets the signal do what it did before. That would be the end of the process on
    the spot, before it has said good-bye and before its worker processes have given back what they share with it.
    """
    if current_thread() is not main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def serve(settings: Settings, tell: Callable[[str], None], browse: Browse | None = webbrowser.open) -> int:
    """The server has run until it was told to stop; everything accepted is kept."""
    private_folder(settings.data)
    with held(settings.data):
        return _serve(settings, tell, browse)


def _serve(settings: Settings, tell: Callable[[str], None], browse: Browse | None) -> int:
    bound = listening(settings)
    port = bound.getsockname()[1]
    address = address_of(settings, port)
    if settings.port not in (0, port):
        tell(f"Port {settings.port} is taken by another program, so this time it is {port}.")

    # the URL of a database may hold a password, and a screen is no place for it
    kept = f"the database of --store or {DATABASE}" if settings.database else settings.data

    def started() -> None:
        tell(f"Sandtable is at {address}  (battles are kept in {kept}; Ctrl-C stops it)")
        if browse is not None:
            # some launchers wait for their browser, and the server must not
            Thread(target=browse, args=(address,), daemon=True).start()

    try:
        # tried here, since uvicorn tells what goes wrong at the start as a traceback
        open_store(settings.store).close()
        with _stopping_politely():
            sys.setswitchinterval(SWITCHING)
            server_of(application(settings, on_start=started), settings).run(sockets=[bound])
    except KeyboardInterrupt:
        # uvicorn has stopped everything before it passes the signal on
        pass
    finally:
        bound.close()
    tell("Sandtable has stopped; every battle is kept.")
    return 0
