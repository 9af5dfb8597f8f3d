"""Boards read from TOML: terrain as rows of letters, roads as paths of hexes, hexsides as pairs of hexes."""

from __future__ import annotations

import re
from array import array
from collections.abc import Container, Iterable, Mapping, Sequence
from itertools import chain, pairwise
from typing import Annotated, Final, NamedTuple, TypeVar

import msgspec

from sandtable.content.model import MapSheet, Season
from sandtable.content.problems import Findings, clean, quoted
from sandtable.content.reading import Source, open_document
from sandtable.content.shapes import HexLabel, Id, Place, Reader, Reference, TerrainName, Title
from sandtable.content.vocabulary import AnyVocabulary
from sandtable.geometry import DIRECTION_NAMES, OFF_BOARD, Board, HexId, SideKey, opposite

K = TypeVar("K", HexId, SideKey)

MAX_HEXES: Final = 400 * 400
LEVELS: Final = "0123456789abcdefghijklmnopqrstuvwxyz"
"""The signs of elevation 0 to 35."""

EDGE: Final = "edge:"
"""What begins the name of a map edge, for example `edge:N`: it stands where a hex beyond the map would."""

_METERS = re.compile(r"-?\d{1,5}", re.ASCII)
_ROW_OF_METERS = re.compile(r"-?\d{1,5}(?: -?\d{1,5})*+", re.ASCII)

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
    elevation_meters: str = ""
    season: Season = "summer"
    roads: tuple[tuple[str, ...], ...] = ()
    road_kinds: dict[str, tuple[tuple[str, ...], ...]] = {}
    hexsides: dict[str, tuple[str, ...]] = {}
    features: dict[str, tuple[HexLabel, ...]] = {}
    names: dict[HexLabel, Title] = {}


class _Stop(NamedTuple):
    """A word of a road or hexside: a hex, or the direction of a map edge."""

    hex: HexId
    edge: int = -1


class _Net(NamedTuple):
    """The roads of a map: exits by hex, kinds by stretch as it was met first, and where roads leave the map."""

    exits: bytearray
    kinds: dict[SideKey, str]
    ends: set[tuple[HexId, int]]


def load_board(source: Source, vocabulary: AnyVocabulary, name: str = "") -> Board:
    """The board a file holds; ContentError with every problem when it holds none that this system can use."""
    return load_sheet(source, vocabulary, name).board


def load_sheet(source: Source, vocabulary: AnyVocabulary, name: str = "") -> MapSheet:
    """The board a file holds, with its place names and the roads that leave it; ContentError as for `load_board`."""
    document = open_document(source, "board", name)
    findings = Findings(document.file)
    reader = Reader(findings)
    file: BoardFile = reader.read(document.table, BoardFile, Place())
    del document  # of a large map it takes as much room as the board, which can have that room now
    _check_kinds(file, vocabulary, reader.references, findings)
    hexes = file.width * file.height
    if hexes > MAX_HEXES:
        findings.add("'width'", f"expected a map of at most {MAX_HEXES:,} hexes, got {hexes:,}")
    elif hexes:
        sheet = _draw(file, vocabulary.in_meters, reader.references, findings)
    findings.raise_if_any()
    findings.take(vocabulary.board_problems(sheet.board))
    findings.raise_if_any()
    return sheet


def find_hex(board: Board, label: str) -> HexId:
    """The hex that a label names as this board prints it, or 0."""
    # one spelling only, so that a hex can be searched for in a file
    digits = board.label_digits
    if len(label) != 2 * digits or not (label.isascii() and label.isdigit()):
        return OFF_BOARD
    col, row = int(label[:digits]) - 1, int(label[digits:]) - 1
    if not (0 <= col < board.width and 0 <= row < board.height):
        return OFF_BOARD
    # the very number that the board has: a map may name a hundred thousand hexes, and keeps what it names
    return board.hexes[row * board.width + col]


def not_on(board: Board, label: str) -> str:
    """The message about a label that names no hex of a board."""
    last = board.label(board.hex_at(board.width - 1, board.height - 1))
    return f"{quoted(label)} is not a hex of the board ({board.label(board.hex_at(0, 0))} to {last})"


def _check_kinds(file: BoardFile, vocabulary: AnyVocabulary, references: list[Reference], findings: Findings) -> None:
    for place, noun, value in references:
        if noun == "terrain" and value not in vocabulary.terrains:
            findings.add_unknown(place, noun, value, vocabulary.terrains)
    if file.elevation and vocabulary.in_meters:
        findings.add("'elevation'", "this system measures in meters; expected 'elevation_meters'")
    if file.elevation_meters and not vocabulary.in_meters:
        findings.add("'elevation_meters'", "this system counts in levels; expected 'elevation'")
    for kind in file.road_kinds:
        if kind not in vocabulary.road_kinds:
            findings.add_unknown("[road_kinds]", "kind of road", kind, vocabulary.road_kinds)
    for kind in file.hexsides:
        if kind not in vocabulary.hexsides:
            findings.add_unknown("[hexsides]", "kind of hexside", kind, vocabulary.hexsides)
    for kind in file.features:
        if kind not in vocabulary.features:
            findings.add_unknown("[features]", "kind of feature", kind, vocabulary.features)


def _draw(file: BoardFile, in_meters: bool, references: list[Reference], findings: Findings) -> MapSheet:
    """The sheet as far as the file is right; what is wrong with it is noted."""
    grid = Board.build(file.id, file.width, file.height)
    for place, noun, value in references:
        if noun == "hex" and not find_hex(grid, value):
            findings.add(place, not_on(grid, value))
    signs = _rows(grid, file.terrain, "terrain", findings)
    _check_signs(grid, signs, file.legend, "'terrain'", "is not in [legend]", findings)
    levels = _rows(grid, file.elevation, "elevation", findings) if file.elevation else []
    _check_signs(grid, levels, LEVELS, "'elevation'", "is not a level (0 to 9, then a to z)", findings)
    meters = _meters(grid, file.elevation_meters, findings) if file.elevation_meters else array("h")
    net = _roads(grid, file, findings)
    sides = _hexsides(grid, file, findings)
    features: dict[HexId, frozenset[str]] = {}
    for kind, labels in file.features.items():
        for label in labels:
            _mark(features, find_hex(grid, label), frozenset((kind,)))
    names = {find_hex(grid, label): text for label, text in file.names.items()}
    if findings.count:
        return MapSheet(grid)
    board = Board(
        file.id,
        file.title,
        file.width,
        file.height,
        _guarded(signs, file.legend),
        memoryview(_upright(grid, meters)) if in_meters else _heights(grid, levels),
        bytes(net.exits),
        sides,
        features,
        net.kinds,
    )
    return MapSheet(board, dict(sorted(names.items())), tuple(sorted(net.ends)), file.season)


def _mark(marked: dict[K, frozenset[str]], place: K, marks: frozenset[str]) -> None:
    before = marked.get(place)
    marked[place] = marks if before is None else before | marks


# --- rows ------------------------------------------------------------------------------------------------------------


def _rows(grid: Board, text: str, key: str, findings: Findings) -> list[str]:
    """The rows of signs as far as they lie on the map; rows too many, too few or of another length are noted."""
    rows = _lines(grid, text, key, findings)
    for r, row in enumerate(rows, 1):
        if len(row) != grid.width:
            findings.add(f"'{key}' row {r}", f"expected {grid.width} letters, got {len(row)}")
    return [row[: grid.width] for row in rows]


def _lines(grid: Board, text: str, key: str, findings: Findings) -> list[str]:
    rows = [row.strip() for row in text.strip().split("\n")]
    if len(rows) != grid.height:
        findings.add(f"'{key}'", f"expected {grid.height} rows, got {len(rows)}")
    return rows[: grid.height]


def _check_signs(
    grid: Board, rows: list[str], known: Container[str], where: str, fault: str, findings: Findings
) -> None:
    strange: dict[str, list[HexId]] = {}
    for r, row in enumerate(rows):
        if all(sign in known for sign in set(row)):
            continue
        for c, sign in enumerate(row):
            if sign not in known:
                strange.setdefault(sign, []).append(grid.hex_at(c, r))
    for sign, hexes in strange.items():
        findings.add(where, f"{quoted(sign)} {fault} ({_first_of(grid, hexes)})")


def _first_of(grid: Board, hexes: Sequence[HexId]) -> str:
    others = f" and {len(hexes) - 1} other hexes" if len(hexes) > 1 else ""
    return f"hex {grid.label(hexes[0])}{others}"


def _meters(grid: Board, text: str, findings: Findings) -> array[int]:
    """Heights in meters row by row; numbers too many, too few, or that are none of 16 bits, are noted."""
    meters = array("h")
    for r, row in enumerate(_lines(grid, text, "elevation_meters", findings)):
        words = row.split()
        if len(words) != grid.width:
            findings.add(f"'elevation_meters' row {r + 1}", f"expected {grid.width} numbers, got {len(words)}")
        if _ROW_OF_METERS.fullmatch(" ".join(words)):
            try:
                meters.extend(array("h", map(int, words)))
                continue
            except OverflowError:
                pass  # which of them is too great is found below
        wrong = [c for c, word in enumerate(words[: grid.width]) if not _is_height(word)]
        if wrong:
            hexes = [grid.hex_at(c, r) for c in wrong]
            fault = f"{quoted(words[wrong[0]])} is not a number of meters from -32768 to 32767"
            findings.add(f"'elevation_meters' row {r + 1}", f"{fault} ({_first_of(grid, hexes)})")
    return meters


def _is_height(word: str) -> bool:
    return _METERS.fullmatch(word) is not None and -(1 << 15) <= int(word) < 1 << 15


def _guarded(rows: list[str], legend: Mapping[str, str]) -> tuple[str, ...]:
    """Rows of signs as the layer of a board: column by column, with a ring of nothing around it."""
    guard = ("",) * (len(rows) + 2)
    columns = (("", *map(legend.__getitem__, column), "") for column in zip(*rows, strict=True))
    return tuple(chain(guard, chain.from_iterable(columns), guard))


def _heights(grid: Board, rows: list[str]) -> bytes:
    if not rows:
        return bytes(grid.size)
    guard = bytes(grid.height + 2)
    columns = (bytes((0, *map(LEVELS.index, column), 0)) for column in zip(*rows, strict=True))
    return b"".join((guard, *columns, guard))


def _upright(grid: Board, meters: array[int]) -> array[int]:
    heights = array("h", bytes(2 * grid.size))
    if meters:
        for c in range(grid.width):
            at = grid.hex_at(c, 0)
            heights[at : at + grid.height] = meters[c :: grid.width]
    return heights


# --- roads and hexsides ----------------------------------------------------------------------------------------------


def _roads(grid: Board, file: BoardFile, findings: Findings) -> _Net:
    net = _Net(bytearray(grid.size), {}, set())
    _lay_roads(grid, file.roads, "", Place(key="roads"), net, findings)
    for kind, paths in file.road_kinds.items():
        _lay_roads(grid, paths, kind, Place(header="road_kinds", key=clean(kind)), net, findings)
    return net


def _lay_roads(
    grid: Board, paths: Iterable[tuple[str, ...]], kind: str, here: Place, net: _Net, findings: Findings
) -> None:
    for n, path in enumerate(paths, 1):
        place = here.item(n)
        for m, (h, d) in _stretches(grid, path, place, findings):
            beyond = grid.neighbor_table[h][d]
            if not beyond:
                net.ends.add((h, d))
                continue
            net.exits[h] |= 1 << d
            net.exits[beyond] |= 1 << opposite(d)
            if kind:
                # each stretch is kept from its lower hex; the board mirrors it
                side = (h, d) if h < beyond else (beyond, opposite(d))
                if net.kinds.setdefault(side, kind) != kind:
                    other = quoted(net.kinds[side])
                    joined = f"{grid.label(h)} and {grid.label(beyond)}"
                    findings.add(place.item(m), f"the road between {joined} is of the kind {other} already")


def _stretches(grid: Board, path: tuple[str, ...], place: Place, findings: Findings) -> Iterable[tuple[int, SideKey]]:
    """The sides that a path crosses, each with the number of its second word; what is wrong with the path is noted."""
    hexes = [find_hex(grid, word) for word in path]
    steps = [grid.direction(a, b) for a, b in pairwise(hexes)]
    if steps and min(steps) >= 0:
        return enumerate(zip(hexes[:-1], steps, strict=True), 2)
    # an edge or a mistake: word by word
    stops = [_stop(grid, word, place.item(m), findings) for m, word in enumerate(path, 1)]
    if len(stops) < 2:
        findings.add(place, f"expected a road of two hexes or more, got {len(stops)}")
    for m in range(1, len(stops) - 1):
        if stops[m].edge >= 0:
            findings.add(place.item(m + 1), "expected a hex: a road can leave the map only where it begins or ends")
    sides = ((m, _shared_side(grid, a, b, place.item(m), findings)) for m, (a, b) in enumerate(pairwise(stops), 2))
    return [(m, side) for m, side in sides if side is not None]


def _hexsides(grid: Board, file: BoardFile, findings: Findings) -> dict[SideKey, frozenset[str]]:
    sides: dict[SideKey, frozenset[str]] = {}
    for kind, words in file.hexsides.items():
        marks, here = frozenset((kind,)), Place(header="hexsides", key=clean(kind))
        for n, text in enumerate(words, 1):
            first, dash, second = text.partition("-")
            h, beyond = find_hex(grid, first), find_hex(grid, second)
            d = grid.direction(h, beyond)
            if d < 0:
                # an edge or a mistake
                side = _written_side(grid, first, dash, second, here.item(n), findings)
                if side is None:
                    continue
                h, d = side
                beyond = OFF_BOARD
            # each side is kept from its lower hex; the board mirrors it
            _mark(sides, (beyond, opposite(d)) if 0 < beyond < h else (h, d), marks)
    return sides


def _written_side(grid: Board, first: str, dash: str, second: str, place: Place, findings: Findings) -> SideKey | None:
    if not dash:
        findings.add(place, f"expected two hexes such as '0403-0404', got {quoted(first)}")
        return None
    stops = _stop(grid, first, place, findings), _stop(grid, second, place, findings)
    return _shared_side(grid, *stops, place, findings)


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
