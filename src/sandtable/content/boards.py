"""Boards read from TOML: terrain as rows of letters, roads as paths of hexes, hexsides as pairs of hexes."""

from __future__ import annotations

from collections.abc import Collection
from itertools import pairwise
from typing import Annotated, Final, NamedTuple

import msgspec

from sandtable.content.model import MapSheet
from sandtable.content.problems import Findings, clean, quoted
from sandtable.content.reading import Source, open_document
from sandtable.content.shapes import HexLabel, Id, Place, Reader, Reference, TerrainName, Title
from sandtable.content.vocabulary import AnyVocabulary
from sandtable.geometry import DIRECTION_NAMES, Board, HexId, SideKey, opposite

MAX_HEXES: Final = 1 << 16
LEVELS: Final = "0123456789abcdefghijklmnopqrstuvwxyz"
"""The signs of elevation 0 to 35."""

EDGE: Final = "edge:"
"""What begins the name of a map edge, for example `edge:N`: it stands where a hex beyond the map would."""

_Size = Annotated[int, msgspec.Meta(ge=1, le=999, description="a whole number from 1 to 999")]
_Letter = Annotated[str, msgspec.Meta(pattern=r"^[!-~]\Z", description="a single letter or sign")]
_Rows = Annotated[str, msgspec.Meta(min_length=1, description="rows of letters, one row per line")]


class BoardFile(msgspec.Struct, frozen=True):
    """The keys of a board file."""

    id: Id
    title: Title
    width: _Size
    height: _Size
    legend: dict[_Letter, TerrainName]
    terrain: _Rows
    elevation: str = ""
    roads: tuple[tuple[str, ...], ...] = ()
    hexsides: dict[str, tuple[str, ...]] = {}
    features: dict[str, tuple[HexLabel, ...]] = {}
    names: dict[HexLabel, Title] = {}


class _Stop(NamedTuple):
    """A word of a road or hexside: a hex, or the direction of a map edge."""

    hex: HexId
    edge: int = -1


def load_board(source: Source, vocabulary: AnyVocabulary, name: str = "") -> Board:
    """The board a file holds; ContentError with every problem when it holds none that this system can use."""
    return load_sheet(source, vocabulary, name).board


def load_sheet(source: Source, vocabulary: AnyVocabulary, name: str = "") -> MapSheet:
    """The board a file holds, with its place names and the roads that leave it; ContentError as for `load_board`."""
    document = open_document(source, "board", name)
    findings = Findings(document.file)
    reader = Reader(findings)
    file: BoardFile = reader.read(document.table, BoardFile, Place())
    _check_kinds(file, vocabulary, reader.references, findings)
    hexes = file.width * file.height
    if hexes > MAX_HEXES:
        findings.add("'width'", f"expected a map of at most {MAX_HEXES:,} hexes, got {hexes:,}")
    elif hexes:
        sheet = _draw(file, reader.references, findings)
    findings.raise_if_any()
    findings.take(vocabulary.board_problems(sheet.board))
    findings.raise_if_any()
    return sheet


def find_hex(board: Board, label: str) -> HexId:
    """The hex that a label names as this board prints it, or 0."""
    try:
        h = board.parse(label)
    except ValueError:
        return 0
    # one spelling only, so that a hex can be searched for in a file
    return h if board.label(h) == label else 0


def not_on(board: Board, label: str) -> str:
    """The message about a label that names no hex of a board."""
    last = board.label(board.hex_at(board.width - 1, board.height - 1))
    return f"{quoted(label)} is not a hex of the board ({board.label(board.hex_at(0, 0))} to {last})"


def _check_kinds(file: BoardFile, vocabulary: AnyVocabulary, references: list[Reference], findings: Findings) -> None:
    for place, noun, value in references:
        if noun == "terrain" and value not in vocabulary.terrains:
            findings.add_unknown(place, noun, value, vocabulary.terrains)
    for kind in file.hexsides:
        if kind not in vocabulary.hexsides:
            findings.add_unknown("[hexsides]", "kind of hexside", kind, vocabulary.hexsides)
    for kind in file.features:
        if kind not in vocabulary.features:
            findings.add_unknown("[features]", "kind of feature", kind, vocabulary.features)


def _draw(file: BoardFile, references: list[Reference], findings: Findings) -> MapSheet:
    """The sheet as far as the file is right; what is wrong with it is noted."""
    grid = Board.build(file.id, file.width, file.height)
    for place, noun, value in references:
        if noun == "hex" and not find_hex(grid, value):
            findings.add(place, not_on(grid, value))
    signs = _signs(grid, file.terrain, "terrain", findings)
    _check_signs(grid, signs, file.legend, "'terrain'", "is not in [legend]", findings)
    levels = _signs(grid, file.elevation, "elevation", findings) if file.elevation else {}
    heights = {sign: level for level, sign in enumerate(LEVELS)}
    _check_signs(grid, levels, heights, "'elevation'", "is not a level (0 to 9, then a to z)", findings)
    roads, ends = _roads(grid, file, findings)
    sides = _hexsides(grid, file, findings)
    features: dict[HexId, set[str]] = {}
    for kind, labels in file.features.items():
        for label in labels:
            features.setdefault(find_hex(grid, label), set()).add(kind)
    names = {find_hex(grid, label): text for label, text in file.names.items()}
    if findings.count:
        return MapSheet(grid)
    terrain = tuple(file.legend[signs[h]] if grid.is_on(h) else "" for h in range(grid.size))
    elevation = bytes(heights[levels[h]] if h in levels else 0 for h in range(grid.size))
    board = Board(
        file.id,
        file.title,
        file.width,
        file.height,
        terrain,
        elevation,
        roads,
        {side: frozenset(kinds) for side, kinds in sides.items()},
        {h: frozenset(kinds) for h, kinds in features.items()},
    )
    return MapSheet(board, dict(sorted(names.items())), ends)


def _signs(grid: Board, text: str, key: str, findings: Findings) -> dict[HexId, str]:
    """The sign of every hex that rows of signs cover; rows too many, too few or of another length are noted."""
    rows = [row.strip() for row in text.strip().split("\n")]
    if len(rows) != grid.height:
        findings.add(f"'{key}'", f"expected {grid.height} rows, got {len(rows)}")
    signs = {}
    for r, row in enumerate(rows[: grid.height]):
        if len(row) != grid.width:
            findings.add(f"'{key}' row {r + 1}", f"expected {grid.width} letters, got {len(row)}")
        for c, sign in enumerate(row[: grid.width]):
            signs[grid.hex_at(c, r)] = sign
    return signs


def _check_signs(
    grid: Board, signs: dict[HexId, str], known: Collection[str], where: str, fault: str, findings: Findings
) -> None:
    strange: dict[str, list[HexId]] = {}
    for h, sign in signs.items():
        if sign not in known:
            strange.setdefault(sign, []).append(h)
    for sign, hexes in strange.items():
        others = f" and {len(hexes) - 1} other hexes" if len(hexes) > 1 else ""
        findings.add(where, f"{quoted(sign)} {fault} (hex {grid.label(hexes[0])}{others})")


def _roads(grid: Board, file: BoardFile, findings: Findings) -> tuple[bytes, tuple[tuple[HexId, int], ...]]:
    exits = bytearray(grid.size)
    ends: set[tuple[HexId, int]] = set()
    for n, road in enumerate(file.roads, 1):
        place = Place(key="roads").item(n)
        stops = [_stop(grid, word, place.item(m), findings) for m, word in enumerate(road, 1)]
        if len(stops) < 2:
            findings.add(place, f"expected a road of two hexes or more, got {len(stops)}")
        for m in range(1, len(stops) - 1):
            if stops[m].edge >= 0:
                findings.add(place.item(m + 1), "expected a hex: a road can leave the map only where it begins or ends")
        for m, (a, b) in enumerate(pairwise(stops), 2):
            side = _shared_side(grid, a, b, place.item(m), findings)
            if side is None:
                continue
            h, d = side
            if beyond := grid.neighbor(h, d):
                exits[h] |= 1 << d
                exits[beyond] |= 1 << opposite(d)
            else:
                ends.add((h, d))
    return bytes(exits), tuple(sorted(ends))


def _hexsides(grid: Board, file: BoardFile, findings: Findings) -> dict[SideKey, set[str]]:
    sides: dict[SideKey, set[str]] = {}
    for kind, words in file.hexsides.items():
        for n, text in enumerate(words, 1):
            place = Place(header="hexsides", key=clean(kind)).item(n)
            first, dash, second = text.partition("-")
            if not dash:
                findings.add(place, f"expected two hexes such as '0403-0404', got {quoted(text)}")
                continue
            stops = _stop(grid, first, place, findings), _stop(grid, second, place, findings)
            side = _shared_side(grid, *stops, place, findings)
            if side is not None:
                h, d = side
                # each side is kept from its lower hex; the board mirrors it
                beyond = grid.neighbor(h, d)
                sides.setdefault((beyond, opposite(d)) if 0 < beyond < h else side, set()).add(kind)
    return sides


def _stop(grid: Board, word: str, place: Place, findings: Findings) -> _Stop:
    if word.startswith(EDGE):
        name = word.removeprefix(EDGE)
        if name in DIRECTION_NAMES:
            return _Stop(0, DIRECTION_NAMES.index(name))
        findings.add_unknown(place, "direction", name, DIRECTION_NAMES)
        return _Stop(0)
    h = find_hex(grid, word)
    if not h:
        findings.add(place, not_on(grid, word))
    return _Stop(h)


def _shared_side(grid: Board, a: _Stop, b: _Stop, place: Place, findings: Findings) -> SideKey | None:
    """The side between two hexes, or between a hex and the map edge; None when there is none, which is noted."""
    if a.hex and b.hex:
        d = grid.direction(a.hex, b.hex)
        if d < 0:
            findings.add(place, f"{grid.label(a.hex)} and {grid.label(b.hex)} are not adjacent")
        return (a.hex, d) if d >= 0 else None
    h, edge = (a.hex, b.edge) if a.hex else (b.hex, a.edge)
    if a.edge >= 0 and b.edge >= 0:
        findings.add(place, "expected a hex beside the map edge")
    if not h or edge < 0:
        # a word that is neither hex nor edge has its message already
        return None
    if grid.neighbor(h, edge):
        findings.add(place, f"the map does not end {DIRECTION_NAMES[edge]} of {grid.label(h)}")
        return None
    return h, edge
