"""The map in letters: columns of hexes, every other one half a hex lower, or told hex by hex in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from sandtable.cli.voice import Span
from sandtable.content import Scenario
from sandtable.geometry import DIRECTION_NAMES, DIRECTIONS, Board
from sandtable.kernel.ids import HexId, SideId
from sandtable.kernel.ruleset import Piece

COUNTERS = ("unit", "work")
"""The kinds of piece that are picked by their number."""

SIDE_STYLES = ("bold white on blue", "bold white on red", "bold black on yellow", "bold white on magenta")

# What a word in the name of a terrain looks like; a terrain with none of them has a style by its place in the list.
TERRAIN_STYLES = {
    "clear": "grey50 on grey11",
    "open": "grey50 on grey11",
    "wood": "bright_green on dark_green",
    "forest": "bright_green on dark_green",
    "orchard": "bright_green on dark_green",
    "town": "white on grey42",
    "city": "white on grey42",
    "village": "white on grey42",
    "water": "white on blue3",
    "sea": "white on blue3",
    "stream": "white on blue3",
    "river": "white on blue3",
    "gully": "black on khaki3",
    "swamp": "black on dark_cyan",
    "marsh": "black on dark_cyan",
    "beach": "black on light_goldenrod3",
    "slope": "white on orange4",
    "hill": "white on orange4",
}
OTHER_STYLES = ("white on purple4", "black on grey62", "white on dark_red", "black on plum3")


class Chart:
    """The fixed part of the map: letters and colors for terrains and sides."""

    def __init__(self, scenario: Scenario[Any, Any], sides: tuple[SideId, ...]) -> None:
        self.scenario = scenario
        self.board: Board = scenario.board
        counts = Counter(self.board.terrain[h] for h in self.board.hexes)
        self.common = counts.most_common(1)[0][0]
        self.letters = _letters([key for key, _ in counts.most_common()])
        self.styles = {key: _terrain_style(key, number) for number, key in enumerate(self.letters)}
        self.side_letters = _side_letters(sides)
        self.side_styles = {side: SIDE_STYLES[n % len(SIDE_STYLES)] for n, side in enumerate(sides)}
        self.objectives = {h for objective in scenario.objectives for h in objective.hexes}

    def code(self, piece: Piece) -> str:
        """What stands on the map for a piece: the letter of its side and its number, or a short word."""
        if piece.kind in COUNTERS:
            return f"{self.side_letters.get(piece.side, '?')}{piece.id}{'?' if piece.last_seen else ''}"
        return piece.mark[:3]

    def place(self, h: HexId) -> str:
        """A hex as players call it."""
        return self.board.label(h) if self.board.is_on(h) else "off the map"

    # drawn

    def drawing(self, pieces: Iterable[Piece], width: int, center: HexId) -> Iterator[list[Span]]:
        """The lines of the map, cut to a width around a hex when it is too wide."""
        stacks = _stacks(pieces)
        cell = max([3, *(len(self.code(stack[0])) for stack in stacks.values())]) + 1
        first, last = self._window((width - 5) // cell, center)
        yield [(" " * 5 + "".join(f"{column + 1:02d}".ljust(cell) for column in range(first, last)), "bold")]
        # each hex is two lines high, and odd columns begin one line lower
        for line in range(2 * self.board.height + 1):
            row = line // 2
            label = f"{row + 1:02d}" if not line % 2 and row < self.board.height else "  "
            spans: list[Span] = [(f" {label}  ", "bold")]
            for column in range(first, last):
                spans.append(self._half_hex(column, line - (column & 1), cell, stacks))
            yield spans
        if last - first < self.board.width:
            part = f"columns {first + 1:02d} to {last:02d} of {self.board.width:02d}"
            yield [(f"     {part}; `map HEX` shows another part", "")]
        yield from self._legend()

    def _window(self, most: int, center: HexId) -> tuple[int, int]:
        width = self.board.width
        if width <= max(most, 1):
            return 0, width
        middle = self.board.col_row(center)[0] if self.board.is_on(center) else width // 2
        first = min(max(0, middle - most // 2), width - max(most, 1))
        return first, first + max(most, 1)

    def _half_hex(self, column: int, line: int, cell: int, stacks: Mapping[HexId, list[Piece]]) -> Span:
        row, is_lower = divmod(line, 2)
        h = HexId(self.board.hex_at(column, row))
        if not h:
            return " " * cell, ""
        stack = stacks.get(h, [])
        terrain = self.board.terrain[h]
        if is_lower and stack:
            return self.code(stack[0]).ljust(cell), self.side_styles.get(stack[0].side, "bold")
        if is_lower:
            return ("=" if self.board.roads[h] else "").ljust(cell), self.styles[terrain]
        letter = self.letters[terrain]
        level = self.board.elevation[h]
        count = sum(piece.kind in COUNTERS and not piece.last_seen for piece in stack)
        marks = f"{letter}{level or ''}{'*' if h in self.objectives else ''}{f'x{count}' if count > 1 else ''}"
        return marks[:cell].ljust(cell), self.styles[terrain]

    def _legend(self) -> Iterator[list[Span]]:
        spans: list[Span] = [("     ", "")]
        for key, letter in self.letters.items():
            spans += [(letter, self.styles[key]), (f" {key}  ", "")]
        yield spans
        sides = ", ".join(f"{letter} {side}" for side, letter in self.side_letters.items())
        goals = "; * an objective" if self.objectives else ""
        yield [(f"     {sides}; a digit is the height, = a road, x2 a stack of two, ? last seen there{goals}", "")]

    # told

    def telling(self, pieces: Iterable[Piece]) -> Iterator[str]:
        """The map in sentences: the ground first, then who stands where."""
        board = self.board
        yield f"The map has {board.width} columns and {board.height} rows, hexes {self._first()} to {self._last()}."
        for key in self.letters:
            if key != self.common:
                yield f"Terrain {key}: {', '.join(board.label(h) for h in board.hexes if board.terrain[h] == key)}."
        yield f"All other hexes are {self.common}."
        for h, stack in sorted(_stacks(pieces).items()):
            yield f"Hex {self.place(h)}: {'; '.join(self.told(piece) for piece in stack)}."

    def _first(self) -> str:
        return self.board.label(self.board.hex_at(0, 0))

    def _last(self) -> str:
        return self.board.label(self.board.hex_at(self.board.width - 1, self.board.height - 1))

    def told(self, piece: Piece) -> str:
        """A piece in words."""
        side = self.title(piece.side)
        number = f"unit {piece.id}, " if piece.kind in COUNTERS else ""
        states = f", {', '.join(piece.states)}" if piece.states else ""
        return f"{number}{side + ' ' if side else ''}{piece.title}{states}"

    def title(self, side: SideId) -> str:
        """What a side is called."""
        return next((own.title for own in self.scenario.sides if own.id == side), str(side).capitalize())

    def hex_lines(self, h: HexId, pieces: Iterable[Piece]) -> Iterator[str]:
        """Everything about one hex."""
        board = self.board
        name = self.scenario.sheet.names.get(h, "")
        yield f"Hex {board.label(h)}{f' ({name})' if name else ''}: {board.terrain[h]}, level {board.elevation[h]}."
        features = sorted(board.features.get(h, ()))
        if features:
            yield f"Here: {', '.join(features)}."
        roads = [DIRECTION_NAMES[d] for d in DIRECTIONS if board.has_road(h, d)]
        if roads:
            yield f"Roads lead {', '.join(roads)}."
        for d in DIRECTIONS:
            if marks := sorted(board.side_features(h, d)):
                yield f"On the {DIRECTION_NAMES[d]} side: {', '.join(marks)}."
        for objective in self.scenario.objectives:
            if h in objective.hexes:
                yield f"Objective: {objective.title}{f', {objective.points} points' if objective.points else ''}."
        for piece in pieces:
            if piece.hex == h:
                yield f"There is {self.told(piece)}."


def _stacks(pieces: Iterable[Piece]) -> dict[HexId, list[Piece]]:
    """The pieces on the map by hex, those that are picked by number first and passengers after their carriers."""
    stacks: dict[HexId, list[Piece]] = {}
    for piece in pieces:
        if piece.hex:
            stacks.setdefault(piece.hex, []).append(piece)
    for stack in stacks.values():
        stack.sort(key=_prominence)
    return stacks


def _prominence(piece: Piece) -> tuple[bool, ...]:
    is_memory = piece.last_seen > 0
    return piece.kind not in COUNTERS, is_memory, piece.kind == "work", piece.carrier is not None


def _letters(keys: list[str]) -> dict[str, str]:
    """A letter for each terrain: a dot for the commonest, for the others one of their name if it is free."""
    letters = {keys[0]: "."}
    for key in keys[1:]:
        wanted = [sign for sign in key.lower() if sign.isalpha()] + list("abcdefghijklmnopqrstuvwxyz?")
        letters[key] = next((sign for sign in wanted if sign not in letters.values()), "?")
    return letters


def _terrain_style(key: str, number: int) -> str:
    for word, style in TERRAIN_STYLES.items():
        if word in key:
            return style
    return OTHER_STYLES[number % len(OTHER_STYLES)]


def _side_letters(sides: tuple[SideId, ...]) -> dict[SideId, str]:
    letters: dict[SideId, str] = {}
    for side in sides:
        wanted = [sign for sign in side.upper() if sign.isalpha()] + list("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
        letters[side] = next(sign for sign in wanted if sign not in letters.values())
    return letters
