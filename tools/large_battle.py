# ruff: noqa: E501  the sentences of the scenario are one line each, as in its file
"""The largest battle of Panzer Battles, drawn by a fixed seed: two corps of four divisions each, 300 units a side.

python3 run.py cli version && .venv/bin/python -m tools.large_battle
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import NamedTuple

from sandtable.content import MapSheet
from sandtable.rulesets.panzer_battles.kinds import KINDS
from sandtable.rulesets.panzer_battles.parameter_sections import PROHIBITED
from sandtable.rulesets.panzer_battles.parameters import DEFAULTS, column
from tools.battlefields import VILLAGES, olkhovets

FILE = Path(__file__).parent.parent / "bench" / "pb-large.toml"

PRIZES = {
    "Olkhovets": 120, "Ponizovka": 120, "Samarino": 80, "Teplitsy": 60, "Kasharino": 100, "Moloditsy": 60,
    "Brusnoye": 60,
}  # fmt: skip
"""What the villages that are fought for are worth."""


class Army(NamedTuple):
    """What a side is made of: the names and numbers of its divisions, and what their battalions hold."""

    side: str
    corps: str
    divisions: tuple[str, ...]
    front: int
    towards: int
    """The row of its front, and whether its rear is up (-1) or down (1)."""
    staffs: tuple[str, str, str]
    battalion: tuple[str, ...]
    guns: tuple[str, ...]
    armor: tuple[str, ...]


AXIS = Army(
    "axis", "Panzer corps Hartwig", ("9th Division", "20th Division", "6th Division", "258th Division"), 36, -1,
    ("de_corps_hq", "de_div_hq", "de_bn_hq"),
    ("de_rifle_coy", "de_rifle_coy", "de_rifle_coy", "de_hmg_plt", "de_81mortar"),
    ("de_105lefh", "de_105lefh", "de_105lefh", "de_150sfh", "de_nebel150", "de_pak40", "de_pak40", "de_88flak",
     "de_pioneer_coy"),
    ("de_pz4h", "de_pz4h", "de_pz3l", "de_pz4h", "de_stug3g", "de_stug3g", "de_tiger1", "de_pzgren_coy",
     "de_pzgren_coy", "de_sdkfz222", "de_marder3"),
)  # fmt: skip
ALLIED = Army(
    "allied", "31st Guards Rifle Corps", ("70th Guards Division", "75th Guards Division", "307th Division",
     "6th Guards Division"), 44, 1, ("su_corps_hq", "su_bde_hq", "su_bn_hq"),
    ("su_rifle_coy", "su_rifle_coy", "su_rifle_coy", "su_maxim_coy", "su_82mortar"),
    ("su_122how", "su_122how", "su_152how", "su_120mortar", "su_bm13", "su_zis3", "su_zis3", "su_45at",
     "su_sapper_coy"),
    ("su_t34_76_coy", "su_t34_76_coy", "su_t34_76_coy", "su_t34_76_coy", "su_t70", "su_su152", "su_su85",
     "su_guards_coy",
     "su_guards_coy", "su_ba64", "su_kv1"),
)  # fmt: skip


class Battlefield:
    """Where units can stand: each in a hex of its own, as near as may be to where it is wanted."""

    def __init__(self, sheet: MapSheet) -> None:
        self.board = sheet.board
        self.taken: set[int] = set()

    def place(self, kind: str, at: tuple[int, int]) -> str:
        """The label of the nearest free hex that a unit of the type can enter."""
        board = self.board
        wanted = board.hex_at(max(0, min(board.width - 1, at[0])), max(0, min(board.height - 1, at[1])))
        move = KINDS[kind]
        way = column("foot" if move.is_carried else move.move_class)

        def fits(place: int) -> bool:
            return place not in self.taken and DEFAULTS.movement.terrain[board.terrain[place]][way] != PROHIBITED

        found = min(filter(fits, board.hexes), key=lambda place: (board.distance(place, wanted), place))
        self.taken.add(found)
        return board.label(found)


def _text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _block(header: str, **fields: object) -> str:
    return "\n".join([header, *(f"{key} = {_text(value)}" for key, value in fields.items())]) + "\n"


def _ordinal(number: int) -> str:
    return f"{number}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(number, 'th') }"


def army(one: Army, field: Battlefield, random: Random) -> Iterator[str]:
    """The organizations and units of a side."""
    yield _block("[[formations]]", id=one.side, title=one.corps, side=one.side, level="corps")
    units: list[str] = []

    def unit(kind: str, name: str, formation: str, at: tuple[int, int]) -> None:
        quality = random.choice("BBCCCCD")
        units.append(
            _block(
                "[[units]]", type=kind, side=one.side, id=f"{one.side[:2]}-{len(units) + 1}", name=name,
                at=field.place(kind, at), formation=formation, quality=quality,
            )
        )  # fmt: skip

    unit(one.staffs[0], f"Staff of {one.corps}", one.side, (60, one.front + 30 * one.towards))
    for number, division in enumerate(one.divisions):
        key, middle = f"{one.side}-{number + 1}", 15 + 30 * number
        yield _block("[[formations]]", id=key, title=division, side=one.side, level="division", parent=one.side)
        unit(one.staffs[1], f"Staff of {division}", key, (middle, one.front + 14 * one.towards))
        for guns, kind in enumerate(one.guns):
            unit(
                kind,
                f"{division}: {KINDS[kind].name} {guns + 1}",
                key,
                (middle - 12 + 3 * guns, one.front + 9 * one.towards),
            )
        for tanks, kind in enumerate(one.armor):
            unit(
                kind,
                f"{division}: {KINDS[kind].name} {tanks + 1}",
                key,
                (middle - 11 + 2 * tanks, one.front + 5 * one.towards),
            )
        for battalion in range(9):
            inner, center = f"{key}-{battalion + 1}", middle - 13 + 3 * battalion + random.randint(-1, 1)
            depth = one.front + (0 if battalion % 3 else 3) * one.towards
            title = f"{_ordinal(battalion + 1)} Battalion, {division}"
            yield _block("[[formations]]", id=inner, title=title, side=one.side, level="battalion", parent=key)
            unit(one.staffs[2], f"Staff, {title}", inner, (center, depth + 4 * one.towards))
            for company, kind in enumerate(one.battalion):
                back = (0, 0, 1, 0, 2)[company]
                unit(
                    kind,
                    f"{KINDS[kind].name} {company + 1}, {title}",
                    inner,
                    (center - 1 + company, depth + back * one.towards),
                )
    yield from units


HEAD = """format = 1
kind = "scenario"
id = "pb-large"
system = "panzer_battles"
title = "Between the Sova and the Olkha"
summary = "July 1943. Two corps, three hundred units a side and thirty kilometers of front: the largest battle there is, for a long winter, several heads, or the computer alone."
board = "olkhovets"
turns = 20
first = "axis"
difficulty = "hard"
minutes = 1200
clock = "05:00"

[environment]
date = "1943-07-06"
visibility = 12
visibility_range = [8, 16]

[thresholds]
major_defeat = -200
minor_defeat = 50
minor_victory = 250
major_victory = 400
"""

SIDES = '''[[sides]]
id = "allied"
title = "31st Guards Rifle Corps"
nations = ["Soviet"]
briefing = """
Four divisions hold the villages between two rivers. The enemy must take them one by one; your tanks stand behind the middle and go where he breaks in.
"""

[[sides]]
id = "axis"
title = "Panzer corps Hartwig"
nations = ["German"]
briefing = """
South across the heights. Olkhovets and Ponizovka are the hinges of the whole front, Kasharino behind them is the prize. Mass the armor of two divisions against one village rather than four against four.
"""
'''


def main() -> None:
    """The scenario is written."""
    sheet = olkhovets()
    field, random = Battlefield(sheet), Random("pb-large")
    labels = {name: VILLAGES[name][0] for name in PRIZES}
    parts = [HEAD, _block("[ownership]", allied=list(labels.values()), axis=[]), SIDES]
    parts += [_block("[[objectives]]", title=name, hex=labels[name], points=points) for name, points in PRIZES.items()]
    blocks = [*army(ALLIED, field, random), *army(AXIS, field, random)]
    parts += sorted(blocks, key=lambda block: not block.startswith("[[formations]]"))
    FILE.write_text("\n".join(parts), "utf-8")


if __name__ == "__main__":
    main()
