"""Panzer Leader boards: hexside symbols proposed from the terrain, and files laid out alike.

python tools/draw_board.py FILE...             rewrite boards in the house layout; the symbols stay as they are
python tools/draw_board.py --propose FILE...   add the proposed symbol to every side that has none
python tools/draw_board.py --show FILE...      print the map and how far each hilltop sees, change nothing
"""

import argparse
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import msgspec

from sandtable.content import ContentError, MapSheet, load_sheet, write_sheet
from sandtable.geometry import Board, HexId
from sandtable.geometry.sight import SymbolSight
from sandtable.rulesets.panzer_leader.looks import BROWN_AT_CREST, TOWN, elevation_effects, side_codes
from sandtable.rulesets.panzer_leader.scenario import VOCABULARY
from sandtable.rulesets.panzer_leader.terrain import HILLTOP_LEVEL, proposed_symbols
from sandtable.rulesets.panzer_leader.terrain_table import TERRAIN

LETTERS: Mapping[str, str] = MappingProxyType({key: row.letter for key, row in TERRAIN.items()})


def _is_hilltop(board: Board, place: HexId) -> bool:
    return board.elevation[place] == HILLTOP_LEVEL


def with_proposals(sheet: MapSheet) -> MapSheet:
    """The sheet with every side that had no symbol carrying the proposed one."""
    board = sheet.board
    proposed = {side: frozenset({symbol}) for side, symbol in proposed_symbols(board).items()}
    drawn = Board(
        board.id,
        board.title,
        board.width,
        board.height,
        board.terrain,
        board.elevation,
        board.roads,
        proposed | dict(board.hexsides),
        board.features,
        board.road_kinds,
    )
    return msgspec.structs.replace(sheet, board=drawn)


def house_layout(sheet: MapSheet) -> str:
    """The text of the board file, with the letters of the terrain table, which are the same on every board."""
    board = sheet.board
    used = [key for key in LETTERS if key in set(board.terrain)]
    rows = "\n".join(
        "".join(LETTERS[board.terrain[board.hex_at(col, row)]] for col in range(board.width))
        for row in range(board.height)
    )
    legend = "\n".join(f'{LETTERS[key] if LETTERS[key].isalpha() else repr(LETTERS[key])} = "{key}"' for key in used)
    text = re.sub(r'(?s)(\nterrain = """\n).*?(\n""")', lambda found: f"{found[1]}{rows}{found[2]}", write_sheet(sheet))
    return re.sub(
        r"(?s)(\n\[legend\]\n).*?(\n\n|\n\Z)", lambda found: f"{found[1]}{legend}{found[2]}", text, count=1
    ).replace("'.'", '"."')


def picture(board: Board) -> str:
    """The map as text: letters of terrain, lower case or ^ on a hilltop, = for a bridge, a dash after a road hex."""
    lines = ["     " + " ".join(f"{col + 1:02}" for col in range(board.width))]
    for row in range(board.height):
        signs = []
        for col in range(board.width):
            place = board.hex_at(col, row)
            sign = LETTERS[board.terrain[place]]
            if _is_hilltop(board, place):
                sign = "^" if sign == "." else sign.lower()
            if board.has_feature(place, "bridge"):
                sign = "="
            signs.append(sign + ("-" if board.roads[place] else " "))
        lines.append(f"{row + 1:02}    " + " ".join(signs))
    return "\n".join(lines)


def sight_report(board: Board) -> str:
    """How many hexes of the board each hilltop sees."""
    towns = bytes(TOWN if key == "town" else 0 for key in board.terrain)
    sight = SymbolSight(
        board, board.elevation, side_codes(board), towns, elevation_effects(), clear_lengthwise=(BROWN_AT_CREST,)
    )
    lines = []
    for place in board.hexes:
        if _is_hilltop(board, place):
            seen = sum(1 for other in board.hexes if other != place and sight.sees(place, other))
            lines.append(f"{board.label(place)} sees {seen} of {len(board.hexes)} hexes")
    return "\n".join(lines)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Lay out Panzer Leader boards.")
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    parser.add_argument("--propose", action="store_true", help="add the proposed symbol to every side that has none")
    parser.add_argument("--show", action="store_true", help="print the map, change nothing")
    options = parser.parse_args(arguments)
    for file in options.files:
        try:
            sheet = load_sheet(file, VOCABULARY)
        except ContentError as error:
            print(error, file=sys.stderr)
            return 1
        if options.show:
            print(picture(sheet.board), sight_report(sheet.board), sep="\n\n")
        else:
            drawn = with_proposals(sheet) if options.propose else sheet
            file.write_text(house_layout(drawn), encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
