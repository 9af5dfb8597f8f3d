"""The line between a page and its server, in the hands of a test."""

from __future__ import annotations

import json
from typing import Any

from playwright.sync_api import WebSocketRoute

from tests.browser.table import Table


def with_short_log(snapshot: dict[str, Any], most: int) -> dict[str, Any]:
    """The snapshot with the latest lines of its log alone, as of a battle that lasts long."""
    dropped = max(0, len(snapshot["log"]) - most)
    return {**snapshot, "first": snapshot["first"] + dropped, "log": snapshot["log"][dropped:]}


class Wire:
    """The line between a page and its server, in our hands: it can be cut, answers can be kept back, and of the log a
    snapshot can be made to hold no more than a few lines.
    """

    def __init__(self, table: Table) -> None:
        self.keeps_back = ""
        self.page_of_log = 0
        self.heard: list[dict[str, Any]] = []
        self.kept: list[dict[str, Any]] = []
        self.opened = 0
        self._line: WebSocketRoute | None = None
        self._refuses = False
        table.page.route_web_socket("**/api/battles/*/play", self._open)

    def _open(self, line: WebSocketRoute) -> None:
        if self._refuses:
            line.close(code=1013)
            return
        self.opened += 1
        self._line = line
        server = line.connect_to_server()
        server.on_message(lambda text: self._pass_on(line, text))

    def _pass_on(self, line: WebSocketRoute, text: str | bytes) -> None:
        if line is not self._line:
            return
        message = json.loads(text)
        if message["type"] == self.keeps_back:
            self.kept.append(message)
            return
        if message["type"] == "Snapshot" and self.page_of_log:
            message = with_short_log(message, self.page_of_log)
        self.heard.append(message)
        line.send(json.dumps(message))

    def give_back(self) -> None:
        """What was kept back arrives, and nothing more is kept."""
        assert self._line is not None
        self.keeps_back = ""
        kept, self.kept = self.kept, []
        for message in kept:
            self._pass_on(self._line, json.dumps(message))

    def tables(self) -> list[str]:
        """How the page was told of its table: "Snapshot" or "Update", from the first to the last."""
        return [message["type"] for message in self.heard if "steps" in message or "table" in message]

    def cut(self, code: int = 1013, reason: str = "") -> None:
        """The line is down and stays so."""
        assert self._line is not None
        self._refuses = True
        line, self._line = self._line, None
        line.close(code=code, reason=reason)

    def mend(self) -> None:
        """The next try to open the line succeeds."""
        self._refuses = False
        self.keeps_back = ""
