"""A Panzer Battles battle of any size for the bench: 200 by 150 hexes of rolling ground, woods, villages and roads, and
two armies eight hexes apart, fog on. The same numbers give the same battle everywhere.

An army is made of slices, each 50 units on ten hexes of front: six battalions, a regiment's armor and its guns. More
units are more slices side by side, so whoever gives an order has as many friends and enemies around him at every size.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

from bench.scale_battle import HEIGHT, WIDTH, patches
from sandtable import registry
from sandtable.content import MapSheet, load_scenario, load_sheet
from sandtable.geometry.board import Board
from sandtable.kernel.dice import PromptDice
from sandtable.rulesets.panzer_battles.kinds import KINDS
from sandtable.rulesets.panzer_battles.parameter_sections import PROHIBITED
from sandtable.rulesets.panzer_battles.parameters import DEFAULTS, column

SYSTEM = "panzer_battles"
TURNS = 99
SLICE_WIDTH, SLICE_UNITS = 10, 50
APART = 8
"""How many rows lie between the fronts."""

GROUND = (("f", 260, 24), ("g", 300, 10), ("o", 330, 16), ("v", 70, 6))
"""What the patches are, how many there are, and of how many steps each."""

HILLS, HILL_STEPS, HILL_METERS = 170, 70, 4
BASE_METERS = 180


class Army(NamedTuple):
    """What a side is made of: its nation, where its rear is (up or down), staffs, and the units of a slice."""

    nation: str
    towards: int
    staffs: tuple[str, str, str]
    battalion: tuple[str, ...]
    armor: tuple[str, ...]
    guns: tuple[str, ...]


ARMIES = {
    "allied": Army(
        "Soviet", 1, ("su_corps_hq", "su_bde_hq", "su_bn_hq"),
        ("su_rifle_coy", "su_rifle_coy", "su_rifle_coy", "su_maxim_coy", "su_82mortar"),
        ("su_t34_76_coy", "su_t34_76_coy", "su_t34_76_coy", "su_t70", "su_su85", "su_guards_coy", "su_ba64"),
        ("su_122how", "su_122how", "su_120mortar", "su_zis3", "su_45at", "su_sapper_coy"),
    ),
    "axis": Army(
        "German", -1, ("de_corps_hq", "de_div_hq", "de_bn_hq"),
        ("de_rifle_coy", "de_rifle_coy", "de_rifle_coy", "de_hmg_plt", "de_81mortar"),
        ("de_pz4h", "de_pz4h", "de_pz3l", "de_stug3g", "de_tiger1", "de_pzgren_coy", "de_sdkfz222"),
        ("de_105lefh", "de_105lefh", "de_nebel150", "de_pak40", "de_pak40", "de_pioneer_coy"),
    ),
}  # fmt: skip

BATTALIONS = 6
DEPTHS = (0, 0, 0, 3, 3, 3)
"""How far behind the front each battalion of a slice stands."""

ARMOR_BEHIND, GUNS_BEHIND, STAFF_BEHIND, PRIZE_BEHIND = 7, 10, 12, 5


@cache
def sheet() -> MapSheet:
    """The map of all these battles."""
    dice = PromptDice("ground of the Panzer Battles bench")
    rows = [["."] * WIDTH for _ in range(HEIGHT)]
    meters = [[BASE_METERS] * WIDTH for _ in range(HEIGHT)]
    for col, row in patches(dice, HILLS, HILL_STEPS):
        meters[row][col] += HILL_METERS
    for sign, count, size in GROUND:
        for col, row in patches(dice, count, size):
            rows[row][col] = sign
    grid = Board.build("pb-scale", WIDTH, HEIGHT)
    down = [[grid.label(grid.hex_at(col, row)) for row in range(HEIGHT)] for col in range(5, WIDTH, SLICE_WIDTH)]
    document = f'''format = 1
kind = "board"
id = "pb-scale"
title = "Scale"
width = {WIDTH}
height = {HEIGHT}
terrain = """
{chr(10).join("".join(row) for row in rows)}
"""
elevation_meters = """
{chr(10).join(" ".join(map(str, row)) for row in meters)}
"""
[legend]
"." = "clear"
f = "field"
g = "grass"
o = "forest"
v = "village"

[road_kinds]
secondary = {down}
'''
    return load_sheet(document.encode(), registry.vocabulary(SYSTEM), "pb-scale")


class Field:
    """Where units stand: each in a hex of its own that it can enter, as near as may be to where it is wanted."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._taken: set[int] = set()

    def place(self, kind: str, col: int, row: int) -> str:
        """The label of the free hex for a unit that is found first around the one wanted."""
        board, move = self._board, KINDS[kind]
        way = column("foot" if move.is_carried else move.move_class)
        ring = [board.hex_at(max(0, min(WIDTH - 1, col)), max(0, min(HEIGHT - 1, row)))]
        seen = set(ring)
        for here in ring:
            if here not in self._taken and DEFAULTS.movement.terrain[board.terrain[here]][way] != PROHIBITED:
                self._taken.add(here)
                return board.label(here)
            beside = [one for one in board.neighbors(here) if one not in seen]
            ring += beside
            seen.update(beside)
        raise ValueError("the map is full")


def _slice(side: str, army: Army, number: int, left: int) -> Iterator[tuple[str, str, int, int]]:
    """The units of a slice: type, organization, and where they are wanted."""
    front, back = _front(army), army.towards
    key = f"{side}-{number}"
    yield army.staffs[1], key, left + 5, front + STAFF_BEHIND * back
    for at, kind in enumerate(army.guns):
        yield kind, key, left + 2 * at, front + GUNS_BEHIND * back
    for at, kind in enumerate(army.armor):
        yield kind, key, left + at + 1, front + ARMOR_BEHIND * back
    for battalion, depth in enumerate(DEPTHS):
        col = left + 1 + 3 * (battalion % 3)
        yield army.staffs[2], f"{key}-{battalion}", col + 1, front + (depth + 2) * back
        for at, kind in enumerate(army.battalion):
            yield kind, f"{key}-{battalion}", col + at - 2, front + (depth + at // 3) * back


def _front(army: Army) -> int:
    return HEIGHT // 2 + army.towards * APART // 2


def _formations(side: str, army: Army, slices: int) -> Iterator[str]:
    def entry(id: str, level: str, parent: str) -> str:
        above = f'parent = "{parent}"\n' if parent else ""
        return f'[[formations]]\nid = "{id}"\ntitle = "{id}"\nside = "{side}"\nlevel = "{level}"\n{above}'

    yield entry(side, "corps", "")
    for number in range(slices):
        yield entry(f"{side}-{number}", "division", side)
        for battalion in range(BATTALIONS):
            yield entry(f"{side}-{number}-{battalion}", "battalion", f"{side}-{number}")


@cache
def scenario(units: int) -> Any:
    """A scenario of so many units, a multiple of 100: two fronts of slices across the middle of the map."""
    board, dice = sheet().board, PromptDice("armies of the Panzer Battles bench")
    slices = units // (2 * SLICE_UNITS)
    field, blocks, prizes = Field(board), list[str](), dict[str, list[str]]()
    lefts = [(WIDTH - slices * SLICE_WIDTH) // 2 + number * SLICE_WIDTH for number in range(slices)]
    for side, army in ARMIES.items():
        blocks += _formations(side, army, slices)
        row = _front(army) + PRIZE_BEHIND * army.towards
        prizes[side] = [board.label(board.hex_at(left + 5, row)) for left in lefts]
    for side, army in ARMIES.items():
        for number, left in enumerate(lefts):
            for kind, formation, col, row in _slice(side, army, number, left):
                quality = "BBCCCCD"[dice.below(7)]
                blocks.append(
                    f'[[units]]\ntype = "{kind}"\nside = "{side}"\nat = "{field.place(kind, col, row)}"\n'
                    f'formation = "{formation}"\nquality = "{quality}"\n'
                )
    objectives = [
        f'[[objectives]]\ntitle = "{label}"\nhex = "{label}"\npoints = 50\n' for one in prizes.values() for label in one
    ]
    document = f'''format = 1
kind = "scenario"
id = "pb-scale-{units}"
system = "{SYSTEM}"
title = "{units} units on {slices * SLICE_WIDTH} hexes of front"
summary = "For the bench."
board = "pb-scale"
turns = {TURNS}
first = "axis"
clock = "08:00"

[environment]
date = "1943-07-06"
visibility = 12
visibility_range = [8, 16]

[thresholds]
major_defeat = -900000
minor_defeat = -800000
minor_victory = 800000
major_victory = 900000

[ownership]
allied = {prizes["allied"]}
axis = {prizes["axis"]}

[[sides]]
id = "allied"
title = "Allied"
nations = ["Soviet"]

[[sides]]
id = "axis"
title = "Axis"
nations = ["German"]

{chr(10).join(sorted(objectives + blocks, key=lambda block: not block.startswith("[[formations]]")))}
'''
    return load_scenario(document.encode(), registry.vocabulary(SYSTEM), {"pb-scale": sheet()}, "pb-scale")
