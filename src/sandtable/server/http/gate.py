"""What stands before everything: foreign pages and floods are turned away, and every answer forbids what it can."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from litestar.types import ASGIApp, Message, Receive, Scope, Send

from sandtable.server import access
from sandtable.server import messages as m
from sandtable.server.limits import Addresses
from sandtable.server.play import telling
from sandtable.server.settings import Settings

CONTENT_SECURITY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "style-src-attr 'unsafe-inline'",  # a bar is as long as a number says; scripts can't hide there
        "img-src 'self' data: blob:",
        "font-src 'self'",
        "connect-src 'self'",
        "worker-src 'self'",
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)

HEADERS = (
    (b"content-security-policy", CONTENT_SECURITY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
)

HARMLESS = frozenset({"GET", "HEAD", "OPTIONS"})


class Gate:
    """Wraps the whole application, its errors included."""

    def __init__(self, app: ASGIApp, settings: Settings, addresses: Addresses) -> None:
        self._app = app
        self._settings = settings
        self._addresses = addresses

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        kind = str(scope["type"])
        if kind == "lifespan":
            await self._app(scope, receive, send)
        elif kind == "http":
            await self._request(scope, receive, _shielding(send))
        elif kind == "websocket":
            await self._line(scope, receive, send)

    async def _request(self, scope: Any, receive: Receive, send: Send) -> None:
        headers = _Headers(scope["headers"])
        problem = self._strange(headers)
        if not problem and scope["method"] not in HARMLESS:
            problem = self._foreign(headers)
        if problem:
            await _refuse(send, 403, problem)
        elif not self._settings.is_local and not self._addresses.may_call(self._address(scope, headers)):
            await _refuse(send, 429, "that is too much at once; try again in a moment")
        else:
            await self._app(scope, receive, send)

    async def _line(self, scope: Any, receive: Receive, send: Send) -> None:
        headers = _Headers(scope["headers"])
        address = self._address(scope, headers)
        problem = self._strange(headers) or self._foreign(headers)
        is_public = not self._settings.is_local
        if problem or (is_public and not self._addresses.may_call(address)):
            await _turn_away(receive, send)
            return
        if is_public and not self._addresses.may_open(address):
            await _turn_away(receive, send)
            return
        try:
            # whose share his questions come out of
            scope["client"] = (address, 0)
            await self._app(scope, receive, send)
        finally:
            if is_public:
                self._addresses.closed(address)

    def _strange(self, headers: _Headers) -> str:
        return access.host_problem(self._settings, headers.text("host")) or access.forwarding_problem(
            self._settings, headers.names()
        )

    def _address(self, scope: Any, headers: _Headers) -> str:
        """Whence a request comes."""
        client = scope.get("client")
        return access.caller_address(self._settings, str(client[0]) if client else "", headers.text("x-forwarded-for"))

    def _foreign(self, headers: _Headers) -> str:
        return access.origin_problem(
            self._settings, headers.text("host"), headers.get("origin"), headers.get("sec-fetch-site")
        )


class _Headers:
    """The headers of a request; a header that is there twice counts as a strange one."""

    def __init__(self, raw: Iterable[tuple[bytes, bytes]]) -> None:
        self._values: dict[str, str] = {}
        for name, value in raw:
            key = name.decode("latin-1").lower()
            text = value.decode("latin-1")
            self._values[key] = f"{self._values[key]}, {text}" if key in self._values else text

    def get(self, name: str) -> str | None:
        return self._values.get(name)

    def text(self, name: str) -> str:
        return self._values.get(name, "")

    def names(self) -> Iterable[str]:
        return self._values.keys()


def _shielding(send: Send) -> Send:
    """Sends every answer with the headers that forbid."""

    async def shielded(message: Message) -> None:
        if message["type"] == "http.response.start":
            ours = {name for name, _ in HEADERS}
            kept = [(name, value) for name, value in message["headers"] if name.lower() not in ours]
            message["headers"] = [*kept, *HEADERS]
        await send(message)

    return shielded


async def _refuse(send: Send, status: int, reason: str) -> None:
    body = telling.encode(m.Fault(reason))
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})


async def _turn_away(receive: Receive, send: Send) -> None:
    """The handshake is refused: the client sees no more than that."""
    await receive()
    await send({"type": "websocket.close", "code": 1008, "reason": ""})
