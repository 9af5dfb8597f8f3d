"""A Panzer Leader battle of any size for the bench: 200 by 150 hexes of woods, towns, slopes and roads, two armies in
front of each other, fog and opportunity fire on. The same numbers give the same battle everywhere.
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

FORCES = {
    "allied": ("a_m4_75", "a_m4_76", "a_rifle", "a_57at", "a_hellcat", "a_armored", "a_greyhound", "a_81mm"),
    "german": ("g_panther", "g_pz4", "g_rifle", "g_75pak", "g_stug", "g_security", "g_engineer", "g_81mm"),
}
"""Who fights, over and over until there are enough of them."""


def patches(dice: PromptDice, count: int, size: int) -> Iterator[tuple[int, int]]:
    """Columns and rows of so many patches here and there, each of so many steps of a walk by lot."""
    for _ in range(count):
        col, row = dice.below(WIDTH), dice.below(HEIGHT)
        for _ in range(size):
            yield col, row
            col = min(WIDTH - 1, max(0, col + dice.below(3) - 1))
            row = min(HEIGHT - 1, max(0, row + dice.below(3) - 1))


@cache
def sheet() -> MapSheet:
    """The map of all these battles."""
    dice = PromptDice("ground of the scale bench")
    rows = [["."] * WIDTH for _ in range(HEIGHT)]
    for sign, count, size in (("s", HILLS, 14), ("w", WOODS, 12), ("t", TOWNS, 5)):
        for col, row in patches(dice, count, size):
            rows[row][col] = sign
    grid = Board.build("scale", WIDTH, HEIGHT)
    edges = {
        "green": _edges(grid, rows, lambda here, there: "w" in (here, there)),
        "brown": _edges(grid, rows, lambda here, there: (here == "s") != (there == "s") and "w" not in (here, there)),
    }
    text = "\n".join("".join(row) for row in rows)
    levels = "\n".join("".join("1" if sign == "s" else "0" for sign in row) for row in rows)
    document = f'''format = 1
kind = "board"
id = "scale"
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
    return load_sheet(document.encode(), registry.vocabulary(SYSTEM), "scale")


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
    board = sheet().board
    lines = []
    half = units // 2
    depth = -(-half // HEIGHT)
    for side, kinds in FORCES.items():
        for number in range(half):
            row, rank = number % HEIGHT, number // HEIGHT
            away = 6 + 2 * rank + (number * 7 % 3)
            col = WIDTH // 2 - away if side == "allied" else WIDTH // 2 + away
            label = board.label(board.hex_at(col, row))
            lines.append(f'[[units]]\ntype = "{kinds[number % len(kinds)]}"\nside = "{side}"\nat = "{label}"\n')
    document = f'''format = 1
kind = "scenario"
id = "scale-{units}"
system = "{SYSTEM}"
title = "{units} units, {depth} deep"
summary = "For the bench."
board = "scale"
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
    return load_scenario(document.encode(), registry.vocabulary(SYSTEM), {"scale": sheet()}, "scale")
