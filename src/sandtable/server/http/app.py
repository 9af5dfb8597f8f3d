"""The application: one store of battles, one lobby, the client's pages, and the gate before it all."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any

from litestar import Litestar, MediaType, Request, Response, Router
from litestar.exceptions import HTTPException
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.types import ASGIApp

import sandtable
from sandtable.battle.battles import Battles
from sandtable.battle.faults import write_down
from sandtable.battle.library import ShippedLibrary
from sandtable.battle.storage.files import private_folder
from sandtable.battle.storage.rows import StoreError
from sandtable.battle.storage.store import Store, open_store
from sandtable.server import limits
from sandtable.server import messages as m
from sandtable.server.http import cards, routes
from sandtable.server.http.gate import Gate
from sandtable.server.http.lobby import Lobby, LobbyError
from sandtable.server.http.pages import Pages
from sandtable.server.limits import Addresses
from sandtable.server.play import sockets
from sandtable.server.play.sessions import THINKING_SECONDS, Sessions
from sandtable.server.settings import Settings, house_key
from sandtable.server.workers.pool import WorkerPool

log = logging.getLogger(__name__)

ODDS_SECONDS = 10.0
"""How long the odds of one order may take; then they can't be told."""

MOST_THINKERS = 4

AnyRequest = Request[Any, Any, Any]


def application(settings: Settings, pages: Pages | None = None, on_start: Callable[[], None] | None = None) -> ASGIApp:
    """The whole server as an ASGI application; its battles are opened when it starts and closed when it stops."""
    inner = inner_application(settings, pages or Pages(), on_start, lambda sessions: sessions.collector.run())
    return Gate(inner, settings, Addresses())


Background = Callable[[Sessions], Coroutine[Any, Any, None]]


def inner_application(
    settings: Settings,
    pages: Pages,
    on_start: Callable[[], None] | None = None,
    background: Background | None = None,
) -> Litestar:
    """The application without its gate; `background` goes on as long as it runs."""

    @asynccontextmanager
    async def lifespan(app: Litestar) -> AsyncIterator[None]:
        private_folder(settings.data)
        store = open_store(settings.store)
        workers, advisors = WorkerPool(_thinkers(), THINKING_SECONDS), WorkerPool(1, ODDS_SECONDS)
        app.state.lobby, app.state.pages = _lobby(settings, store, workers, advisors), pages
        meanwhile = asyncio.create_task(background(app.state.lobby.sessions)) if background is not None else None
        ahead = asyncio.create_task(asyncio.to_thread(cards.prepare))
        if on_start is not None:
            on_start()
        try:
            yield
        finally:
            if meanwhile is not None:
                meanwhile.cancel()
                await asyncio.wait([meanwhile])
            await ahead
            await app.state.lobby.sessions.close()
            workers.close()
            advisors.close()
            store.close()

    api = Router("/api", route_handlers=[*routes.API, sockets.play])
    return Litestar(
        [api, routes.client],
        dependencies=routes.DEPENDENCIES,
        lifespan=[lifespan],
        exception_handlers={LobbyError: _lobby_fault, StoreError: _store_fault, Exception: _fault},
        request_max_body_size=limits.BODY,
        openapi_config=OpenAPIConfig(
            title="Sandtable",
            version=sandtable.__version__,
            path="/api/schema",
            render_plugins=[JsonRenderPlugin(path="/openapi.json", media_type=MediaType.JSON)],
        ),
        logging_config=None,
        debug=False,
    )


def _thinkers() -> int:
    """One process less than there are processors: the table comes first."""
    return max(1, min(MOST_THINKERS, (os.cpu_count() or 2) - 1))


def _lobby(settings: Settings, store: Store, workers: WorkerPool, advisors: WorkerPool) -> Lobby:
    battles = Battles(store, ShippedLibrary())
    return Lobby(settings, battles, Sessions(battles, workers, advisors), house_key(settings.data))


def _told(status: int, reason: str, needs: str = "") -> Response[m.Fault]:
    return Response(m.Fault(reason, needs), status_code=status, headers={"cache-control": "no-store"})


def _lobby_fault(request: AnyRequest, error: LobbyError) -> Response[m.Fault]:
    return _told(error.status, str(error), error.needs)


def _store_fault(request: AnyRequest, error: StoreError) -> Response[m.Fault]:
    return _told(503, str(error))


def _fault(request: AnyRequest, error: Exception) -> Response[m.Fault]:
    """A request that makes no sense is told why; a fault of ours is written down and not shown."""
    if isinstance(error, HTTPException):
        extra = error.extra if isinstance(error.extra, list) else []
        if any(isinstance(one, dict) and one.get("source") == "path" for one in extra):
            # the only part of an address that has a shape is the id of a battle
            return _told(404, "there is no such battle")
        found = [str(one["message"]) for one in extra if isinstance(one, dict) and "message" in one]
        return _told(error.status_code, (found[0] if found else error.detail)[:300])
    if isinstance(error, RecursionError):
        return _told(400, "that is nested too deeply")
    write_down(log, "a request failed", error)
    return _told(500, "a fault of the server, not yours; it has been written down")
