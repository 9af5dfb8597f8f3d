"""The browser client's frame times: a board of 200 by 150 hexes with 1,000 counters, and how soon a common board shows.

A headless Chromium without a graphics card draws the pages of web/bench. A frame has no peer to be compared with, so
an entry's ratio is its value over the budget. The time between two frames is what a player sees, but on a shared
machine a frame also waits for others: so every phase runs in three rounds, the best of which counts, and the processor
time that the page itself took for its longest frame is an entry of its own.
"""

from __future__ import annotations

import functools
import http.server
import json
import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bench.harness import Entry, progress
from tools import browser, webbuild

ROUNDS = 3
WIDTH, HEIGHT = 1280, 800
MEDIAN_BUDGET = 17.0  # milliseconds: the display's own 16.7 and what the clock is off by
WORST_BUDGET = 50.0
VISIBLE_BUDGET = 1500.0
PHASES = ("whole", "pan", "panHalf", "zoomOut", "zoomIn")


class Pages(http.server.SimpleHTTPRequestHandler):
    """Serves the built pages without a word."""

    extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, ".js": "text/javascript"}  # noqa: RUF012

    def log_message(self, format: str, *args: object) -> None:
        return


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address of a server of that folder's files."""
    handler = functools.partial(Pages, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


@functools.cache
def rounds() -> tuple[dict[str, Any], ...]:
    """What the page measured, round by round; none when there is no browser or no Playwright."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        progress("client: left out, Playwright is not installed")
        return ()
    path = browser.find()
    if path is None:
        progress("client: left out, there is no Chromium")
        return ()
    with served(webbuild.bundle_bench(webbuild.ROOT)) as address, sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=list(browser.FLAGS))
        measured = []
        for number in range(ROUNDS):
            page = chromium.new_page(viewport={"width": WIDTH, "height": HEIGHT})
            page.goto(f"{address}/index.html")
            page.wait_for_function("() => 'measure' in window")
            chromium.start_tracing(page=page, categories=["toplevel", "blink.user_timing"])
            found = page.evaluate("measure()")
            found["busiest"] = busiest_tasks(json.loads(chromium.stop_tracing())["traceEvents"])
            measured.append(found)
            page.close()
            progress(f"client: round {number + 1} of {ROUNDS}, load {_load()}")
        chromium.close()
    return tuple(measured)


def busiest_tasks(events: list[dict[str, Any]]) -> dict[str, float]:
    """The most processor time, in milliseconds, that the page's main thread took without a break in each phase."""
    named = [(e["pid"], e["tid"], e["args"]["name"]) for e in events if e["name"] == "thread_name"]
    mains = {(pid, tid) for pid, tid, name in named if name == "CrRendererMain"}
    marks = {e["name"]: e["ts"] for e in events if e.get("cat") == "blink.user_timing"}
    timed = [e for e in events if "tdur" in e and (e["pid"], e["tid"]) in mains and "RunTask" in e["name"]]
    tasks = [(e["ts"], e["tdur"] / 1000) for e in timed]
    return {
        phase: max(
            (cost for at, cost in tasks if marks[f"{phase} begins"] <= at <= marks[f"{phase} ends"]), default=0.0
        )
        for phase in PHASES
    }


def _load() -> str:
    return f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown"


def _entry(name: str, values: list[float], budget: float, note: str) -> Entry:
    best, worst = min(values), max(values)
    spread = (best / budget, worst / budget)
    return Entry(name, best, "ms", {}, best / budget, spread, 1.0, best <= budget, note)


def _frames(key: str, budget: float) -> Iterator[Entry]:
    for phase in PHASES:
        values = [float(one["runs"][phase][key]) for one in rounds()]
        if values:
            yield _entry(f"client-{key}:{phase}", values, budget, "time between frames, best of three rounds")


def median_frame() -> Iterator[Entry]:
    """The usual frame while panning and zooming."""
    yield from _frames("median", MEDIAN_BUDGET)


def worst_frame() -> Iterator[Entry]:
    """The longest frame while panning and zooming."""
    yield from _frames("worst", WORST_BUDGET)


def busiest_frame() -> Iterator[Entry]:
    """The processor time of the longest frame, whatever else the machine does."""
    for phase in PHASES:
        values = [float(one["busiest"][phase]) for one in rounds()]
        if values:
            yield _entry(f"client-busiest:{phase}", values, WORST_BUDGET, "processor time, best of three rounds")


def first_map() -> Iterator[Entry]:
    """From handing over a board of 40 by 30 hexes to seeing it, and to seeing it sharp."""
    measured = rounds()
    for key in ("visible", "sharp"):
        values = [float(one[key]) for one in measured]
        if values:
            yield _entry(f"client-first-map:{key}", values, VISIBLE_BUDGET, "40 x 30 hexes")


ENTRIES: dict[str, Callable[[], Iterator[Entry]]] = {
    "client-median": median_frame,
    "client-worst": worst_frame,
    "client-busiest": busiest_frame,
    "client-first-map": first_map,
}

if __name__ == "__main__":
    from bench.harness import as_table

    print(as_table(entry for run in ENTRIES.values() for entry in run()))
    sys.exit(0)
