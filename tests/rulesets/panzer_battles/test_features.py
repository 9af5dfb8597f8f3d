"""Works, mines and markers in hexes, and what each side knows of them."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from sandtable.rulesets.panzer_battles import features
from sandtable.rulesets.panzer_battles.describe import sentence
from sandtable.rulesets.panzer_battles.events import FeaturesSeen
from sandtable.rulesets.panzer_battles.model import ALLIED, AXIS, Feature
from sandtable.rulesets.panzer_battles.names import feature_title
from sandtable.rulesets.panzer_battles.orders import EndTurn, Move
from sandtable.rulesets.panzer_battles.pieces import markers
from sandtable.rulesets.panzer_battles.terrain import features_on, terrain_at, with_side
from tests.rulesets.panzer_battles.table import HIGHEST, ONE, RULES, Table, U, table, unit

TRENCH = Feature("trench", AXIS)
MINES = Feature("minefield", AXIS, 2)
RUBBLE = Feature("rubble")


def known(t: Table, label: str) -> list[str]:
    """The kinds of features that the Allies know of in a hex."""
    return [one.kind for one in features.at(t.known(ALLIED), t.hex(label))]


@pytest.mark.rule("PB-SPOT-26")
@pytest.mark.rule("PB-MOVE-85")
def test_works_of_the_enemy_are_known_once_seen_and_then_stay_known() -> None:
    t = table(
        """
        . . . F . .
        . . . F . .
        """,
        unit("su_rifle_coy", "0101"),
        features={"0501": [TRENCH], "0201": [RUBBLE]},
        visibility=(4,),
    )
    assert known(t, "0501") == []
    assert known(t, "0201") == ["rubble"]
    assert features.at(t.known(AXIS), t.hex("0501")) == (TRENCH,)

    t = table(
        """
        . . . . . .
        . . . . . .
        """,
        unit("su_rifle_coy", "0101"),
        features={"0501": [TRENCH]},
        visibility=(3,),
    )
    assert known(t, "0501") == []
    t.play(Move((U(0),), t.hexes("0201")))
    (told,) = t.heard(ALLIED, FeaturesSeen)
    assert sentence(told, t.known(ALLIED)) == "Found: TRENCH in 0501"
    t.play(Move((U(0),), t.hexes("0101")))
    assert known(t, "0501") == ["trench"]
    assert not t.heard(ALLIED, FeaturesSeen)


@pytest.mark.rule("PB-SPOT-26")
def test_mines_show_only_to_those_beside_or_in_them() -> None:
    t = table(
        """
        . . . . .
        . . . . .
        """,
        unit("su_rifle_coy", "0101"),
        features={"0401": [MINES]},
    )
    t.play(Move((U(0),), t.hexes("0201")))
    assert known(t, "0401") == []
    t.play(Move((U(0),), t.hexes("0301")))
    assert known(t, "0401") == ["minefield"]


@pytest.mark.rule("PB-SPOT-26")
def test_broken_units_learn_of_works_and_of_the_mines_they_run_into() -> None:
    t = table(
        """
        . . . . .
        . . . . .
        """,
        unit("su_rifle_coy", "0101", broken=True),
        features={"0201": [MINES], "0501": [TRENCH]},
    )
    assert (known(t, "0201"), known(t, "0501")) == (["minefield"], ["trench"])
    t.change(0, broken=False, hex=t.hex("0401"))
    t.set(features={t.hex("0201"): (MINES,)})
    assert known(t, "0201") == []
    t.change(0, broken=True)
    t.play(Move((U(0),), t.hexes("0301")))
    assert known(t, "0201") == ["minefield"]


@pytest.mark.rule("PB-SPOT-26")
def test_who_looks_away_does_not_learn_what_becomes_of_a_work() -> None:
    t = table(
        """
        . . . .
        . . . .
        """,
        unit("su_rifle_coy", "0101"),
        features={"0301": [TRENCH]},
    )
    gone = features.exchanged(t.position, t.hex("0301"), TRENCH, None)
    assert gone == {}
    seen = features.exchanged(t.position, t.hex("0301"), TRENCH, Feature("bunker", AXIS))
    assert [one.kind for one in seen[t.hex("0301")]] == ["bunker"]
    assert features.work_at(t.position, t.hex("0301")) == TRENCH
    assert features.minefield_at(t.position, t.hex("0301")) is None


@pytest.mark.rule("PB-MOVE-109")
@pytest.mark.rule("PB-MOVE-72")
def test_a_work_is_written_in_capitals_and_vacated_in_small_letters() -> None:
    t = table(". .", unit("su_rifle_coy", "0101"), features={"0201": [TRENCH, MINES]})
    assert [(one.title, one.note) for one in markers(t.position)] == [
        ("TRENCH", ""),
        ("minefield of strength 2", "2"),
    ]
    assert feature_title(Feature("bunker", AXIS, vacated=True)) == "bunker, vacated"
    assert feature_title(Feature("cleared_rubble")) == "Rubble, cleared"


@pytest.mark.rule("PB-ENV-12")
def test_in_the_cold_fields_and_marsh_are_clear_and_swamp_is_forest() -> None:
    t = table("f m . F", unit("su_rifle_coy", "0301"), condition="snow")
    assert [terrain_at(t.position, place) for place in t.hexes("0101", "0201", "0301", "0401")] == [
        "clear",
        "clear",
        "clear",
        "forest",
    ]


@pytest.mark.rule("PB-MOVE-34")
def test_a_hexside_costs_what_lies_on_it_now() -> None:
    t = table(". .", unit("su_rifle_coy", "0101"), hexsides={"river": ["0101-0201"]})
    here, direction = t.hex("0101"), t.board.direction(t.hex("0101"), t.hex("0201"))
    assert t.check(Move((U(0),), t.hexes("0201"))) is not None
    t.set(sides=with_side(t.position, here, direction, frozenset()))
    assert features_on(t.position, t.hex("0201"), (direction + 3) % 6) == frozenset()
    assert t.check(Move((U(0),), t.hexes("0201"))) is None


@pytest.mark.rule("PB-SPOT-26")
def test_when_it_grows_light_everybody_looks_around_again() -> None:
    t = table(
        """
        . . . . . .
        . . . . . .
        """,
        unit("su_rifle_coy", "0101"),
        unit("de_rifle_coy", "0602"),
        features={"0401": [TRENCH]},
        visibility=(1, 4),
    )
    t.play(EndTurn())
    t.play(EndTurn(), dice=[HIGHEST])
    assert known(t, "0401") == []
    t.set(weather=replace(t.position.weather, nominal=3, trend=1))
    t.play(EndTurn())
    t.play(EndTurn(), dice=[ONE])
    assert known(t, "0401") == ["trench"]


@pytest.mark.rule("PB-MAP-9")
def test_a_hex_tells_what_was_built_in_it() -> None:
    t = table(". .", unit("su_rifle_coy", "0101"), features={"0201": [TRENCH]})
    facts = RULES.hex_facts(t.view(), t.hex("0201"))
    assert [line.value for line in facts if line.label == "Feature"] == ["TRENCH"]


@pytest.mark.rule("PB-MOVE-34")
def test_hexsides_that_nobody_touched_are_as_the_board_has_them() -> None:
    t = table(". . .", unit("su_rifle_coy", "0101"), hexsides={"river": ["0101-0201", "0201-0301"]})
    first, second = t.hexes("0101", "0201")
    t.set(sides=with_side(t.position, first, t.board.direction(first, second), frozenset()))
    onward = t.board.direction(second, t.hex("0301"))
    assert features_on(t.position, second, onward) == {"river"}
