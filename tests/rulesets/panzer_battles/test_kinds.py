"""The unit types: their number, some facts of each sort, and everything that can be wrong with the table."""

from __future__ import annotations

from collections import Counter

import pytest

from sandtable.content import ContentError
from sandtable.rulesets.panzer_battles.kinds import (
    FLAG_TITLES,
    KINDS,
    TYPE_TITLES,
    UNIT_TYPES,
    UNKNOWN,
    men_equivalents,
    read_kinds,
)
from sandtable.rulesets.panzer_battles.parameters import DEFAULTS
from sandtable.rulesets.panzer_battles.version import TABLES

SHIPPED = (TABLES / "units.toml").read_text(encoding="utf-8")


@pytest.mark.rule("PB-UNIT-2", "PB-UNIT-4")
def test_there_are_97_unit_types() -> None:
    assert len(UNIT_TYPES) == 97
    kinds = [KINDS[key] for key in UNIT_TYPES]
    assert Counter(kind.nation for kind in kinds) == {
        **{"German": 39, "Soviet": 33, "American": 15, "British": 7, "any": 3}
    }
    assert Counter(kind.component for kind in kinds) == {
        **{"men": 35, "vehicles": 32, "guns": 20, "aircraft": 8, "ships": 2}
    }
    assert {flag for kind in kinds for flag in kind.flags} == set(FLAG_TITLES) - {"immobile"}
    assert {kind.type for kind in kinds} == set(TYPE_TITLES)


# key, full, soft, range, hard, range, defense, assault, ma
FACTS = """
de_rifle_coy   140  9  2  3  1 24 10  36
de_pzgren_coy  130 11  2  4  1  4 11 108
de_panther       5 14  6 25  8 20 16 108
de_tiger1        4 18  6 22  8 28 18  90
de_pak40         3  7  6 20  8 20  3 108
de_105lefh       4 16 42  2  4 18  1 108
su_rifle_coy   140  7  2  2  1 24  9  36
su_t34_76_coy   10 13  5 13  6 12 14 115
su_maxim_coy    60 14  4  1  1 24  5  36
us_m4            5 15  5 13  6 12 13 110
uk_churchill7    4 15  5 13  6 30 14  72
il2_flight       6 30  0  6  0  8  0   0
"""


@pytest.mark.rule("PB-UNIT-4", "PB-UNIT-5")
@pytest.mark.parametrize("row", FACTS.strip().splitlines())
def test_ratings_of_a_unit_type(row: str) -> None:
    key, *numbers = row.split()
    kind = KINDS[key]
    ratings = (kind.full, kind.soft, kind.soft_range, kind.hard, kind.hard_range, kind.defense, kind.assault, kind.ma)
    assert ratings == tuple(map(int, numbers))


@pytest.mark.rule("PB-UNIT-7")
def test_all_but_companies_count_as_platoons() -> None:
    assert KINDS["de_rifle_coy"].is_company
    assert not KINDS["de_105lefh"].is_company
    assert not KINDS["de_81mortar"].is_company


@pytest.mark.rule("PB-UNIT-9")
def test_motorized_and_mechanized_men_are_carried() -> None:
    carried = ("de_motinf_coy", "de_pzgren_coy", "de_bn_hq")
    assert [KINDS[key].is_carried for key in (*carried, "de_rifle_coy", "de_pz4h", "de_truck")] == [True] * 3 + [
        False
    ] * 3


@pytest.mark.rule("PB-STK-1")
def test_a_vehicle_or_gun_counts_as_ten_men() -> None:
    assert men_equivalents(KINDS["de_rifle_coy"], 120, DEFAULTS) == 120
    assert men_equivalents(KINDS["de_pz4h"], 5, DEFAULTS) == 50
    assert men_equivalents(KINDS["de_pak40"], 3, DEFAULTS) == 30


def test_the_unknown_unit_can_do_nothing() -> None:
    kind = KINDS[UNKNOWN]
    assert (kind.soft, kind.hard, kind.assault, kind.ma, kind.flags) == (0, 0, 0, 0, frozenset())
    assert kind.is_ground
    assert not kind.is_vehicles
    assert not KINDS["uk_lct"].is_ground


WRONG = [
    ("a key that stands twice", ('key = "de_rifle_coy"', 'key = "de_rifle_plt"'), "[[unit]] #2 'key': 'de_rifle_plt'"),
    ("a type nobody knows", ('type = "armor"', 'type = "elephants"'), "'type': unknown type 'elephants'"),
    ("a flag nobody knows", ('"assault_gun"]', '"winged"]'), "'flags': unknown flag 'winged'"),
    ("no range of indirect fire", ("indirect_range = 24\n", ""), "'indirect_range': expected one exactly"),
    (
        "infantry guns that fire over hills",
        ('type = "artillery"', 'type = "infantry_artillery"'),
        "infantry artillery does not fire indirectly (PB-OOB-13)",
    ),
    ("no command range", ("command_range = 40\n", ""), "'command_range': expected one exactly for headquarters"),
    ("no range against aircraft", ("aa_range = 16\n", ""), "'aa_range': expected one exactly where"),
    ("men that are towed", ('["engineer", "mine_clear"]', '["towed"]'), "'flags': only guns are towed"),
    ("aircraft on foot", ('move_class = "air"', 'move_class = "foot"'), "'move_class': expected 'air' exactly"),
    ("ships on foot", ('move_class = "naval"', 'move_class = "foot"'), "'move_class': expected 'naval' exactly"),
    ("a strength of nothing", ("full = 140", "full = 0"), "#2 'full': expected a whole number from 1 to 999, got 0"),
]


@pytest.mark.parametrize(("change", "problem"), [case[1:] for case in WRONG], ids=[case[0] for case in WRONG])
def test_a_wrong_unit_type_is_reported_with_file_and_key(change: tuple[str, str], problem: str) -> None:
    with pytest.raises(ContentError) as raised:
        read_kinds(SHIPPED.replace(*change).encode())
    assert problem in str(raised.value)
    assert str(raised.value).startswith("<table>: [[unit]] #")
