"""Panzer Leader battles of any size for the bench: 200 by 150 hexes of woods, towns and slopes, fog of war and
opportunity fire on. The same numbers give the same battle everywhere.

In one kind two armies stand in front of each other, the denser the more units there are. In the other, fights of a
hundred units stand apart from each other on the same piece of ground, laid over and over, out of each other's range:
more units are more fights, and whoever gives an order has the same friends, enemies and ground around him.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from sandtable import registry
from sandtable.content import MapSheet, load_scenario, load_sheet
from sandtable.geometry.board import Board
from sandtable.kernel.dice import PromptDice

SYSTEM = "panzer_leader"
WIDTH, HEIGHT = 200, 150
WOODS, TOWNS, HILLS = 420, 60, 90
TURNS = 500

FIGHT_WIDTH, FIGHT_HEIGHT, FIGHT_UNITS = 40, 37, 100
FIGHT_FRONT, FIGHT_APART = 10, 5
"""How many rows a fight is wide, and how far the first ranks are from the middle between them."""

FORCES = {
    "allied": ("a_m4_75", "a_m4_76", "a_rifle", "a_57at", "a_hellcat", "a_armored", "a_greyhound", "a_81mm"),
    "german": ("g_panther", "g_pz4", "g_rifle", "g_75pak", "g_stug", "g_security", "g_engineer", "g_81mm"),
}
"""Who fights, over and over until there are enough of them."""


def patches(
    dice: PromptDice, count: int, size: int, width: int = WIDTH, height: int = HEIGHT
) -> Iterator[tuple[int, int]]:
    """Columns and rows of so many patches here and there, each of so many steps of a walk by lot."""
    for _ in range(count):
        col, row = dice.below(width), dice.below(height)
        for _ in range(size):
            yield col, row
            col = min(width - 1, max(0, col + dice.below(3) - 1))
            row = min(height - 1, max(0, row + dice.below(3) - 1))


def _rows(name: str, width: int, height: int, share: float = 1.0) -> list[list[str]]:
    """Woods, towns and slopes here and there on open ground; of a smaller ground a share of the patches."""
    dice = PromptDice(name)
    rows = [["."] * width for _ in range(height)]
    for sign, count, size in (("s", HILLS, 14), ("w", WOODS, 12), ("t", TOWNS, 5)):
        for col, row in patches(dice, round(count * share), size, width, height):
            rows[row][col] = sign
    return rows


@cache
def sheet() -> MapSheet:
    """The map of the two armies."""
    return _sheet("scale", _rows("ground of the scale bench", WIDTH, HEIGHT))


@cache
def fights_sheet() -> MapSheet:
    """The map of the fights: one piece of ground over and over."""
    share = FIGHT_WIDTH * FIGHT_HEIGHT / (WIDTH * HEIGHT)
    piece = _rows("ground of a fight", FIGHT_WIDTH, FIGHT_HEIGHT, share)
    return _sheet(
        "fights", [[piece[row % FIGHT_HEIGHT][col % FIGHT_WIDTH] for col in range(WIDTH)] for row in range(HEIGHT)]
    )


def _sheet(id: str, rows: list[list[str]]) -> MapSheet:
    grid = Board.build(id, WIDTH, HEIGHT)
    edges = {
        "green": _edges(grid, rows, lambda here, there: "w" in (here, there)),
        "brown": _edges(grid, rows, lambda here, there: (here == "s") != (there == "s") and "w" not in (here, there)),
    }
    text = "\n".join("".join(row) for row in rows)
    levels = "\n".join("".join("1" if sign == "s" else "0" for sign in row) for row in rows)
    document = f'''format = 1
kind = "board"
id = "{id}"
title = "Scale"
width = {WIDTH}
height = {HEIGHT}
terrain = """
{text}
"""
elevation = """
{levels}
"""
[legend]
"." = "clear"
w = "woods"
t = "town"
s = "slope"

[hexsides]
green = {edges["green"]}
brown = {edges["brown"]}
'''
    return load_sheet(document.encode(), registry.vocabulary(SYSTEM), id)


def _edges(grid: Board, rows: list[list[str]], is_one: Callable[[str, str], bool]) -> list[str]:
    """The hexsides between terrains of which that is true, as a board file names them."""
    found = []
    for here in grid.hexes:
        for there in grid.neighbors(here):
            (col, row), (c, r) = grid.col_row(here), grid.col_row(there)
            if here < there and is_one(rows[row][col], rows[r][c]):
                found.append(f"{grid.label(here)}-{grid.label(there)}")
    return found


@cache
def scenario(units: int) -> Any:
    """A scenario of so many units: two fronts of equal depth, 12 hexes apart, across the middle of the map."""
    half = units // 2
    depth = -(-half // HEIGHT)

    def place(side: str, number: int) -> tuple[int, int]:
        row, rank = number % HEIGHT, number // HEIGHT
        away = 6 + 2 * rank + (number * 7 % 3)
        return WIDTH // 2 - away if side == "allied" else WIDTH // 2 + away, row

    return _scenario(sheet(), half, f"{units} units, {depth} deep", place)


@cache
def fights(units: int) -> Any:
    """A scenario of so many units, a multiple of 100: fights of 50 units against 50, side by side and row below row."""
    half, across = FIGHT_UNITS // 2, WIDTH // FIGHT_WIDTH

    def place(side: str, number: int) -> tuple[int, int]:
        fight, one = divmod(number, half)
        rank, row = divmod(one, FIGHT_FRONT)
        away, top = FIGHT_APART + rank, (FIGHT_HEIGHT - FIGHT_FRONT) // 2
        middle = FIGHT_WIDTH * (fight % across) + FIGHT_WIDTH // 2
        return middle - away if side == "allied" else middle + away, FIGHT_HEIGHT * (fight // across) + top + row

    return _scenario(fights_sheet(), units // 2, f"{units} units in fights of {FIGHT_UNITS}", place)


def _scenario(ground: MapSheet, half: int, title: str, place: Callable[[str, int], tuple[int, int]]) -> Any:
    """A scenario of so many units a side, each where its number puts it."""
    board, lines = ground.board, list[str]()
    for side, kinds in FORCES.items():
        for number in range(half):
            label = board.label(board.hex_at(*place(side, number)))
            lines.append(f'[[units]]\ntype = "{kinds[number % len(kinds)]}"\nside = "{side}"\nat = "{label}"\n')
    document = f'''format = 1
kind = "scenario"
id = "{board.id}-{2 * half}"
system = "{SYSTEM}"
title = "{title}"
summary = "For the bench."
board = "{board.id}"
turns = {TURNS}
first = "allied"

[options]
fog = true
opportunity_fire = true

[[sides]]
id = "allied"
title = "Allied"
nations = ["us"]

[[sides]]
id = "german"
title = "German"
nations = ["german"]

{chr(10).join(lines)}
'''
    return load_scenario(document.encode(), registry.vocabulary(SYSTEM), {board.id: ground}, board.id)
