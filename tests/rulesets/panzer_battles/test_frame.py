"""The frame of the rules: scale, sides, units and what there is not."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.kernel.ruleset import Selection
from sandtable.rulesets.panzer_battles.command.control import is_detached
from sandtable.rulesets.panzer_battles.deception.orders import DeployDeception
from sandtable.rulesets.panzer_battles.engineers.demolition import cannot_damage_rail
from sandtable.rulesets.panzer_battles.features import placed
from sandtable.rulesets.panzer_battles.fire.shelling import may_spot
from sandtable.rulesets.panzer_battles.formations import LEVEL_MARKS, is_fanatical
from sandtable.rulesets.panzer_battles.kinds import KINDS, TYPE_TITLES
from sandtable.rulesets.panzer_battles.model import ALLIED, AXIS, SIDES, enemy_of
from sandtable.rulesets.panzer_battles.movement.stacking import has_room, stacked
from sandtable.rulesets.panzer_battles.movement.zones import has_zone
from sandtable.rulesets.panzer_battles.orderbook import BOOK
from sandtable.rulesets.panzer_battles.orders import Move
from sandtable.rulesets.panzer_battles.parameter_sections import URBAN
from sandtable.rulesets.panzer_battles.pieces import symbol_of
from sandtable.rulesets.panzer_battles.results.losses import DIE
from sandtable.rulesets.panzer_battles.scenario import LEVELS
from sandtable.rulesets.panzer_battles.supply.ammunition import can_run_low
from sandtable.rulesets.panzer_battles.supply.values import is_exempt
from tests.rulesets.panzer_battles.table import RULES, U, table, unit

FIELD = ". . . . .\n. . . . ."


@pytest.mark.rule("PB-GEN-1")
def test_visibility_is_told_in_hexes_and_meters() -> None:
    t = table(FIELD, unit("us_m4", "0101"), visibility=[6])
    report = RULES.report(t.view(), "command")
    assert report is not None
    values = [line.value for section in report.sections for line in section.lines]
    assert "6 hexes, 1500 m" in values


@pytest.mark.rule("PB-GEN-3")
def test_there_are_two_sides_and_each_is_the_others_enemy() -> None:
    assert SIDES == (ALLIED, AXIS)
    assert [enemy_of(side) for side in SIDES] == [AXIS, ALLIED]


@pytest.mark.rule("PB-GEN-8", "PB-UNIT-12", "PB-MOVE-27", "PB-GEN-13")
def test_nothing_is_offered_of_what_the_parent_series_has_and_this_has_not() -> None:
    words = ("stockpile", "recover", "auto", "replace", "defensive")
    assert not [verb for verb in BOOK.verbs for word in words if word in verb]
    assert DIE == 6


@pytest.mark.rule("PB-OOB-2", "PB-OOB-12")
def test_headquarters_show_their_level_and_every_type_has_a_symbol() -> None:
    assert set(LEVEL_MARKS) == set(LEVELS)
    t = table(FIELD, unit("de_bn_hq", "0101", ALLIED), unit("us_m4", "0101"), unit("de_pz4h", "0201"))

    def corner(side: Any, id: int) -> str:
        return next(one.corners[3] for one in RULES.pieces(t.view(side)) if one.id == id)

    assert (corner(ALLIED, 0), corner(ALLIED, 1), corner(AXIS, 0)) == ("II", "", "")
    assert {kind.type for kind in KINDS.values() if not symbol_of(kind)} == set()
    assert len({symbol_of(kind) for kind in KINDS.values() if kind.type in TYPE_TITLES}) > 12


@pytest.mark.rule("PB-OOB-7")
def test_a_nation_may_be_fanatical() -> None:
    t = table(FIELD, unit("us_m4", "0101"), unit("de_pz4h", "0201"), sections={"fanatical": ["German"]})
    assert [is_fanatical(t.position, t.unit(number)) for number in (0, 1)] == [False, True]


@pytest.mark.rule("PB-STK-8")
def test_deployed_deception_units_take_no_room() -> None:
    t = table(
        FIELD,
        unit("any_deception", "0101", ALLIED),
        *(unit("us_rifle_coy", "0102", strength=160) for _ in range(3)),
        parameters={"deception": {"range": {"allied": 2}}},
    )
    t.play(DeployDeception(U(0), t.hex("0102")))
    assert stacked(t.position, t.position.units[1:]) == 480
    assert has_room(t.position, t.hex("0102"), ())


@pytest.mark.rule("PB-MOVE-63", "PB-MOVE-64", "PB-MOVE-65")
def test_partisans_are_never_detached_and_damage_no_rails() -> None:
    t = table(FIELD, unit("su_partisan", "0101"), unit("us_m4", "0101"), roads={"rail": [["0101", "0201"]]})
    assert not is_detached(t.position, t.unit(0))
    assert is_detached(t.position, t.unit(1))
    refusal = cannot_damage_rail(t.position, ALLIED, t.unit(0))
    assert refusal is not None
    assert refusal.rule == "PB-MOVE-65"


@pytest.mark.rule("PB-OOB-6", "PB-MOVE-63", "PB-CMD-9", "PB-SUP-18", "PB-SUP-29", "PB-ZOC-8")
def test_whom_the_order_of_battle_makes_partisans_are_such_in_all() -> None:
    t = table(FIELD, unit("su_rifle_plt", "0101", flags=("partisan",), fired=True))
    band = t.unit(0)
    assert (is_detached(t.position, band), has_zone(band), can_run_low(band)) == (False, False, False)
    assert is_exempt(t.position, band)
    assert not may_spot(replace(band, fired=False))


@pytest.mark.rule("PB-MOVE-119", "PB-MOVE-118")
def test_a_move_to_a_hex_in_reach_goes_however_devious_the_way() -> None:
    t = table(
        ". ~ . . .\n. ~ . . .\n. . . . .",
        unit("us_m4", "0101"),
        unit("de_rifle_coy", "0503"),
        visibility=[1],
    )
    order = BOOK.of(Move((U(0),), ())).point(t.known(ALLIED), ALLIED, [t.unit(0)], Selection(hex=t.hex("0301")))
    assert isinstance(order, Move)
    assert len(order.path) > 3
    assert t.check(order) is None


@pytest.mark.rule("PB-MOVE-125")
def test_moved_fixed_and_crowded_units_can_be_shown() -> None:
    t = table(
        FIELD,
        unit("us_m4", "0101", moved=True),
        unit("us_m4", "0102", fixed=True),
        *(unit("us_rifle_coy", "0201", strength=160) for _ in range(2)),
    )
    found = [RULES.query(t.view(), key) for key in ("moved", "fixed", "crowded")]
    assert [one and (one.units or one.hexes) for one in found] == [(0,), (1,), t.hexes("0201")]


@pytest.mark.rule("PB-MAP-8")
def test_villages_towns_cities_and_industry_are_urban() -> None:
    assert set(URBAN) == {"village", "town", "city", "industrial"}
    assert placed(table(".").board, (), "none") == {}


@pytest.mark.rule("PB-UNIT-6", "PB-UNIT-1")
def test_a_unit_remembers_its_state_and_what_it_is() -> None:
    t = table(FIELD, unit("us_m4", "0101"), unit("us_m4", "0101"))
    t.play(Move((U(0),), t.hexes("0201")))
    moved, still = t.unit(0), t.unit(1)
    assert (moved.moved, still.moved) == (True, False)
    assert moved.mp < still.mp
    assert (moved.of.size, moved.of.component) == ("platoon", "vehicles")
