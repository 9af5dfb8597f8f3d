"""Tables of a ruleset: the same messages as for every other file."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import msgspec

from sandtable.content import read_table
from tests.content.samples import problems_of


class Terrain(msgspec.Struct, frozen=True):
    cost: Fraction
    die: int = 0


class Effects(msgspec.Struct, frozen=True):
    terrain: dict[str, Terrain]


GOOD = 'format = 1\nkind = "table"\n[terrain.town]\ncost = "1/2"\ndie = 1\n[terrain.clear]\ncost = 1\n'


def test_a_table_is_read_into_the_type_of_its_ruleset(tmp_path: Path) -> None:
    path = tmp_path / "effects.toml"
    path.write_text(GOOD, encoding="utf-8")
    assert read_table(path, Effects) == Effects({"town": Terrain(Fraction(1, 2), 1), "clear": Terrain(Fraction(1))})
    assert read_table(GOOD.replace('"table"', '"effects"').encode(), Effects, "effects") == read_table(path, Effects)


def test_a_wrong_table_reports_every_problem(tmp_path: Path) -> None:
    path = tmp_path / "effects.toml"
    path.write_text(GOOD.replace('"1/2"', '"half"').replace("cost = 1\n", "cots = 1\n"), encoding="utf-8")
    fraction = 'a whole number or a fraction such as "1/2"'
    assert problems_of(lambda: read_table(path, Effects)) == [
        f"effects.toml: [terrain.town] 'cost': expected {fraction}, got 'half'",
        f"effects.toml: [terrain.clear] 'cost': missing; expected {fraction}",
        "effects.toml: [terrain.clear]: unknown key 'cots'; did you mean 'cost'?",
    ]
