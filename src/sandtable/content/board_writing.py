"""Boards written as TOML that reads back as the same board, laid out for people to edit."""

from __future__ import annotations

import json
import string
from collections import Counter
from collections.abc import Iterable, Mapping
from heapq import heapify, heappop, heappush

from sandtable.content.boards import EDGE, LEVELS
from sandtable.content.migrations import FORMAT
from sandtable.content.model import MapSheet
from sandtable.geometry import DIRECTION_NAMES, DIRECTIONS, Board, HexId, opposite


def write_board(board: Board) -> str:
    """The board as the text of a board file."""
    return write_sheet(MapSheet(board))


def write_sheet(sheet: MapSheet) -> str:
    """The board with its place names and the roads that leave it, as the text of a board file."""
    board = sheet.board
    legend = _legend(board)
    blocks = [
        [
            f"format = {FORMAT}",
            'kind = "board"',
            f"id = {_text(board.id)}",
            f"title = {_text(board.title)}",
            f"width = {board.width}",
            f"height = {board.height}",
            *([] if sheet.season == "summer" else [f"season = {_text(sheet.season)}"]),
        ],
        ['terrain = """', *_rows(board, {h: legend[board.terrain[h]] for h in board.hexes}), '"""'],
    ]
    if board.in_meters:
        blocks.append(['elevation_meters = """', *_rows_of_meters(board), '"""'])
    elif any(board.elevation):
        blocks.append(['elevation = """', *_rows(board, _levels(board)), '"""'])
    roads = _roads(sheet)
    if "" in roads:
        blocks.append(["roads = [", *(f"  {_list(road)}," for road in roads.pop("")), "]"])
    blocks.append(["[legend]", *(f"{_key(letter)} = {_text(key)}" for key, letter in legend.items())])
    if roads:
        blocks.append(["[road_kinds]"])
        for kind, paths in roads.items():
            blocks[-1] += [f"{_key(kind)} = [", *(f"  {_list(path)}," for path in paths), "]"]
    if board.hexsides:
        blocks.append(["[hexsides]", *_listed(_sides_by_kind(board))])
    if board.features:
        blocks.append(["[features]", *_listed(_features_by_kind(board))])
    if sheet.names:
        names = (f"{_text(board.label(h))} = {_text(name)}" for h, name in sorted(sheet.names.items()))
        blocks.append(["[names]", *names])
    return "\n\n".join("\n".join(block) for block in blocks) + "\n"


def _text(text: str) -> str:
    # a JSON string is a TOML string, save for one control character that JSON lets stand
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _key(key: str) -> str:
    plain = string.ascii_letters + string.digits + "_-"
    return key if key and all(sign in plain for sign in key) else _text(key)


def _list(words: Iterable[str]) -> str:
    return "[" + ", ".join(map(_text, words)) + "]"


def _listed(table: Mapping[str, list[str]]) -> list[str]:
    lines = []
    for key, words in sorted(table.items()):
        lines.append(f"{_key(key)} = [")
        lines.extend(f"  {', '.join(map(_text, words[n : n + 8]))}," for n in range(0, len(words), 8))
        lines.append("]")
    return lines


def _legend(board: Board) -> dict[str, str]:
    """A letter for each terrain: a dot for the commonest, which makes the rest stand out, then a letter of its name."""
    counts = Counter(board.terrain[h] for h in board.hexes)
    commonest = min(counts, key=lambda key: (-counts[key], key))
    legend = {commonest: "."}
    for key in sorted(counts.keys() - {commonest}):
        wanted = [sign for sign in key + key.upper() + string.ascii_letters + string.digits if sign.isalnum()]
        free = [sign for sign in wanted if sign.isascii() and sign not in legend.values()]
        if not free:
            raise ValueError(f"board {board.id} has more terrains than there are letters")
        legend[key] = free[0]
    return legend


def _rows(board: Board, signs: Mapping[HexId, str]) -> list[str]:
    return ["".join(signs[board.hex_at(c, r)] for c in range(board.width)) for r in range(board.height)]


def _rows_of_meters(board: Board) -> list[str]:
    width = max(len(str(board.elevation[h])) for h in board.hexes)
    rows = ((board.elevation[board.hex_at(c, r)] for c in range(board.width)) for r in range(board.height))
    return [" ".join(f"{height:{width}}" for height in row) for row in rows]


def _levels(board: Board) -> dict[HexId, str]:
    if max(board.elevation) >= len(LEVELS):
        raise ValueError(f"board {board.id} is higher than {len(LEVELS) - 1} levels")
    return {h: LEVELS[board.elevation[h]] for h in board.hexes}


def _edge(d: int) -> str:
    return EDGE + DIRECTION_NAMES[d]


def _sides_by_kind(board: Board) -> dict[str, list[str]]:
    table: dict[str, list[str]] = {}
    for (h, d), kinds in sorted(board.hexsides.items()):
        beyond = board.neighbor(h, d)
        if not beyond or h < beyond:
            for kind in sorted(kinds):
                table.setdefault(kind, []).append(f"{board.label(h)}-{board.label(beyond) if beyond else _edge(d)}")
    return table


def _features_by_kind(board: Board) -> dict[str, list[str]]:
    table: dict[str, list[str]] = {}
    for h, kinds in sorted(board.features.items()):
        for kind in sorted(kinds):
            table.setdefault(kind, []).append(board.label(h))
    return table


class _Ways:
    """The stretches of one kind of road that are still to be written, by hex and direction."""

    def __init__(self, board: Board, exits: dict[HexId, set[int]]) -> None:
        self.board = board
        self.exits = exits
        self._queue = [(self._rank(h), h) for h in exits]
        heapify(self._queue)

    def _rank(self, h: HexId) -> tuple[bool, bool, bool]:
        """How well a hex begins a road: best at the map edge, then at a dead end, then where an odd way is left."""
        ways = self.exits[h]
        return all(self.board.neighbor(h, d) for d in ways), len(ways) != 1, len(ways) % 2 == 0

    def best(self) -> HexId:
        """The hex that best begins the next road, 0 when all are written."""
        while self._queue:
            rank, h = heappop(self._queue)
            if h in self.exits and self._rank(h) == rank:  # otherwise it was taken, or counted anew, since
                return h
        return 0

    def take(self, h: HexId, d: int) -> None:
        self.exits[h].remove(d)
        if self.exits[h]:
            heappush(self._queue, (self._rank(h), h))
        else:
            del self.exits[h]


def _roads(sheet: MapSheet) -> dict[str, list[list[str]]]:
    """The road nets by kind, each as few long paths: each begins at an end where there is one and runs as straight as
    it can.
    """
    board = sheet.board
    nets: dict[str, dict[HexId, set[int]]] = {}
    for h in board.hexes:
        if board.roads[h]:
            for d in DIRECTIONS:
                if board.has_road(h, d):
                    nets.setdefault(board.road_kind(h, d), {}).setdefault(h, set()).add(d)
    for h, d in sheet.road_ends:
        # the stretch beyond the map has no kind of its own: it goes on with a road that comes to the edge there
        kind = next((kind for kind, exits in sorted(nets.items()) if h in exits), "")
        nets.setdefault(kind, {}).setdefault(h, set()).add(d)
    roads: dict[str, list[list[str]]] = {}
    for kind, exits in sorted(nets.items()):
        ways = _Ways(board, exits)
        while h := ways.best():
            roads.setdefault(kind, []).append(_follow(ways, h))
    return roads


def _follow(ways: _Ways, h: HexId) -> list[str]:
    """The words of one road from a hex on, each stretch taken away from what is left to write."""
    board, exits = ways.board, ways.exits
    off_map = [d for d in sorted(exits[h]) if not board.neighbor(h, d)]
    path = [board.label(h)]
    heading = min(exits[h])
    if off_map:
        path.insert(0, _edge(off_map[0]))
        heading = opposite(off_map[0])
        ways.take(h, off_map[0])
    while h in exits:
        ahead = heading
        heading = min(exits[h], key=lambda d: (min((d - ahead) % 6, (ahead - d) % 6), d))
        ways.take(h, heading)
        h = board.neighbor(h, heading)
        if not h:
            path.append(_edge(heading))
            break
        ways.take(h, opposite(heading))
        path.append(board.label(h))
    return path
