"""Bench entries of a board of 160,000 hexes: how long its file takes to load, and what it then occupies."""

from __future__ import annotations

import atexit
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from random import Random
from statistics import median
from time import thread_time

from bench.geometry import smooth
from bench.harness import Entry, entries, progress
from sandtable.content import MapSheet, Nothing, Vocabulary, load_sheet, write_sheet
from sandtable.geometry import Board

ROOT = Path(__file__).parent.parent
SIDE = 400
SECONDS = 1.0
MEGABYTES = 60.0
ROUNDS = 5

VOCABULARY: Vocabulary[Nothing, Nothing] = Vocabulary(
    "bench",
    Nothing,
    Nothing,
    terrains=frozenset({"clear", "woods", "town", "rough", "water"}),
    unit_types=frozenset(),
    hexsides=frozenset({"stream", "hedge", "wall"}),
    features=frozenset({"bridge", "ford", "church"}),
    road_kinds=frozenset({"track", "paved"}),
    in_meters=True,
)


def country(side: int = SIDE) -> MapSheet:
    """A map of so many hexes each way with all that a file can hold: heights in meters, woods, towns, sixty roads of
    three kinds from edge to edge, a symbol on one side in twenty and a feature on one hex in fifty.
    """
    rng = Random(side)
    blank = Board.build("blank", side, side)
    cover, hills, lakes = (smooth(rng, side, side, reach) for reach in (2, 6, 3))
    terrain: dict[int | str, str] = {}
    heights: dict[int | str, int] = {}
    hexsides: dict[tuple[int | str, int], list[str]] = {}
    features: dict[int | str, list[str]] = {}
    for h in blank.hexes:
        place = blank.col_row(h)
        wooded = "woods" if cover[place] > 0.7 else "rough" if cover[place] < 0.1 else "clear"
        terrain[h] = "water" if lakes[place] > 0.985 else "town" if rng.random() < 0.03 else wooded
        heights[h] = int(1200 * hills[place] ** 2) - 20
        for d in (0, 1, 2):
            if blank.neighbor(h, d) and rng.random() < 0.05:
                hexsides[h, d] = [rng.choice(("stream", "hedge", "wall"))]
        if rng.random() < 0.02:
            features[h] = [rng.choice(("bridge", "ford", "church"))]
    walks = [walk(rng, blank) for _ in range(60)]
    taken: set[frozenset[int | str]] = set()
    kinds = {"paved": apart(walks[:20], taken), "track": apart(walks[20:40], taken)}
    board = Board.build(
        "scale",
        side,
        side,
        terrain=terrain,
        elevation=heights,
        meters=True,
        roads=apart(walks[40:], taken),
        road_kinds=kinds,
        hexsides=hexsides,
        features=features,
    )
    names = {h: f"Place {n}" for n, h in enumerate(rng.sample(board.hexes, 200))}
    return MapSheet(board, dict(sorted(names.items())))


def walk(rng: Random, board: Board) -> list[int | str]:
    """The hexes of a road from the upper edge to the lower."""
    h = board.hex_at(rng.randrange(board.width), 0)
    path: list[int | str] = []
    while h:
        path.append(h)
        d = rng.choice((2, 3, 4))
        h = board.neighbor(h, d if board.neighbor(h, d) else 3)
    return path


def apart(walks: list[list[int | str]], taken: set[frozenset[int | str]]) -> list[list[int | str]]:
    """The stretches of roads that no road has taken, so that each stretch has one kind."""
    paths: list[list[int | str]] = []
    for way in walks:
        path = way[:1]
        for here, there in pairwise(way):
            if frozenset((here, there)) in taken:
                paths.append(path)
                path = [there]
            else:
                taken.add(frozenset((here, there)))
                path.append(there)
        paths.append(path)
    return [path for path in paths if len(path) > 1]


@cache
def board_file() -> Path:
    """The file of the map, which goes when this process does; what is read from it is what was written to it."""
    sheet = country()
    folder = tempfile.mkdtemp(prefix="bench-board-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    path = Path(folder, "scale.toml")
    path.write_text(write_sheet(sheet), encoding="utf-8")
    again = load_sheet(path, VOCABULARY)
    if again.board.digest != sheet.board.digest or again.names != sheet.names:
        raise AssertionError("the map read back is another one")
    return path


def load_time() -> Iterator[Entry]:
    path, seconds = board_file(), []
    for _ in range(ROUNDS):
        begin = thread_time()
        sheet = load_sheet(path, VOCABULARY)
        seconds.append(thread_time() - begin)
        del sheet  # the next one must make its places anew
    size = path.stat().st_size / 1e6
    against_budget = {"sandtable": seconds, "budget": [SECONDS] * ROUNDS}
    note = f"the file has {size:.1f} MB; load_sheet, from opening it to the checked board"
    yield from entries("scale-board", "s CPU", 1, against_budget, {"budget": 1.0}, note)


# A process of its own, so that nothing it holds was there before; what the imports take is not the board's.
CHILD = """
import gc, re, sys
from pathlib import Path
from bench.scale_board import VOCABULARY
from sandtable.content import load_sheet

def size(name):
    # not ru_maxrss, which counts what the process that started this one had
    return int(re.search(name + r":\\s+(\\d+) kB", Path("/proc/self/status").read_text())[1]) * 1024

gc.collect()
before = size("VmRSS")
sheet = load_sheet(Path(sys.argv[1]), VOCABULARY)
sheet.board.digest
gc.collect()
print(size("VmRSS") - before, size("VmHWM") - before)
"""


def memory() -> Iterator[Entry]:
    """What the process has grown by once the board is there, held to the budget, and the most it grew by meanwhile."""
    if not Path("/proc/self/status").is_file():
        progress("  memory: told by Linux alone, skipped")
        return
    path = board_file()
    kept, most = [], []
    for _ in range(ROUNDS):
        command = [sys.executable, "-c", CHILD, str(path)]
        told = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split()
        kept.append(int(told[0]) / 1e6)
        most.append(int(told[1]) / 1e6)
    against_budget = {"sandtable": kept, "budget": [MEGABYTES] * ROUNDS}
    note = (
        f"resident memory the process grew by, parser's leftovers included; {median(most):.0f} MB at most while loading"
    )
    yield from entries("scale-board-memory", "MB", 1, against_budget, {"budget": 1.0}, note)


def told(run: Callable[[], Iterator[Entry]]) -> Callable[[], list[Entry]]:
    def listed() -> list[Entry]:
        return list(run())

    return listed


ENTRIES: dict[str, Callable[[], list[Entry]]] = {"scale-board": told(load_time), "scale-board-memory": told(memory)}
