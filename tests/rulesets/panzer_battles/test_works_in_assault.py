"""Works, charges, fanatics and mines in assaults; bridges that a scenario wires."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.rulesets.panzer_battles import features
from sandtable.rulesets.panzer_battles.assault.prospects import explain_assault
from sandtable.rulesets.panzer_battles.assault.retreat import is_refuge, retreat
from sandtable.rulesets.panzer_battles.assault.situations import as_fighter, circumstances, value_of
from sandtable.rulesets.panzer_battles.engineers.demolition import damage_chance
from sandtable.rulesets.panzer_battles.engineers.events import DamageTried, FeatureChanged
from sandtable.rulesets.panzer_battles.engineers.orders import Demolish
from sandtable.rulesets.panzer_battles.engineers.states import is_engineer, may_bridge, may_clear
from sandtable.rulesets.panzer_battles.engineers.wiring import wired_sides, wiring_problems, with_wires
from sandtable.rulesets.panzer_battles.events import Struck
from sandtable.rulesets.panzer_battles.model import ALLIED, AXIS, Feature
from sandtable.rulesets.panzer_battles.names import COMPASS
from sandtable.rulesets.panzer_battles.orders import Assault, Move
from sandtable.rulesets.panzer_battles.parameter_sections import TERRAINS, URBAN
from sandtable.rulesets.panzer_battles.results.losses import Interval
from sandtable.rulesets.panzer_battles.spotting.concealment import can_hide
from tests.rulesets.panzer_battles.table import RULES, AllHighest, Table, U, table, unit

BUNKER = Feature("bunker", ALLIED)


def storm(*found: Feature, attacker: str = "de_rifle_coy", **changes: Any) -> Table:
    """Germans beside Soviet riflemen in a hex with works."""
    return table(
        ". . .",
        unit(attacker, "0101"),
        unit("su_rifle_coy", "0201", **changes),
        features={"0201": found} if found else None,
        fog=False,
        active=AXIS,
    )


def guard(t: Table) -> float:
    return value_of(t.position, [t.unit(0)], [t.unit(1)], t.hex("0201")).defenders_guard


@pytest.mark.rule("PB-ASLT-35")
@pytest.mark.rule("PB-FIRE-67")
@pytest.mark.rule("PB-FIRE-49")
def test_bunkers_add_to_the_defense_in_assault_trenches_do_not_and_vacated_ones_add_half() -> None:
    plain = guard(storm())
    assert guard(storm(Feature("trench", ALLIED))) == plain
    assert guard(storm(BUNKER)) == plain + 16
    assert guard(storm(Feature("bunker", ALLIED, vacated=True))) == plain + 8
    assert guard(storm(Feature("bunker", AXIS))) == plain + 8


@pytest.mark.rule("PB-ASLT-36")
@pytest.mark.rule("PB-ENG-9")
def test_charges_halve_what_a_bunker_adds_and_cost_those_who_carry_them_strength() -> None:
    assert guard(storm(BUNKER, attacker="de_assault_pio")) == guard(storm()) + 8
    sappers = storm(BUNKER)
    sappers.change(0, flags=("demolition",))
    assert guard(sappers) == guard(storm()) + 8
    t = storm(BUNKER, attacker="de_assault_pio")
    t.play(Assault((U(0),), t.hex("0201")), AllHighest())
    spent = t.all(Struck)[-1]
    assert (spent.unit, spent.lost) == (0, 32 // t.unit(0).of.assault)
    assert RULES.marks(spent).rule == "PB-ASLT-36"
    t = table(
        ". .",
        unit("de_assault_pio", "0101"),
        unit("de_rifle_plt", "0101"),
        unit("su_rifle_coy", "0201"),
        features={"0201": [BUNKER]},
        fog=False,
        active=AXIS,
    )
    t.play(Assault((U(0), U(1)), t.hex("0201")), AllHighest())
    assert [one.unit for one in t.all(Struck)].count(U(0)) == 2
    assert [one.unit for one in t.all(Struck)].count(U(1)) == 1
    t = storm(attacker="de_assault_pio")
    t.play(Assault((U(0),), t.hex("0201")), AllHighest())
    assert t.all(Struck)[-1].unit == 0
    assert len([one for one in t.all(Struck) if one.unit == 0]) == 1


@pytest.mark.rule("PB-ASLT-13")
@pytest.mark.rule("PB-ASLT-15")
@pytest.mark.rule("PB-ASLT-16")
def test_defenders_at_work_fight_at_half() -> None:
    for change, field in (
        ({"digging_in": True}, "digging_in"),
        ({"operation": "building:1"}, "bridging"),
        ({"operation": "laying"}, "mining"),
    ):
        t = storm(**change)
        assert getattr(as_fighter(t.position, t.unit(1), t.hex("0201"), [t.unit(0)]), field)
    assert circumstances(t.position, [t.unit(0)], t.hex("0201")).fort == ""


@pytest.mark.rule("PB-ASLT-46")
@pytest.mark.rule("PB-ASLT-49")
@pytest.mark.rule("PB-OOB-7")
@pytest.mark.rule("PB-ASLT-50")
@pytest.mark.rule("PB-FIRE-68")
def test_a_work_of_the_enemy_is_vacated_by_who_falls_back_into_it() -> None:
    t = table(
        "~ ~ ~\n~ . ~\n~ . ~",
        unit("de_rifle_coy", "0202", disrupted=True),
        unit("su_rifle_coy", "0302"),
        features={"0203": [Feature("trench", ALLIED)]},
    )
    t.work(lambda bench, side: retreat(bench, (U(0),), frozenset()), AXIS, [])
    assert t.at(0) == "0203"
    assert t.position.features[t.hex("0203")] == (Feature("trench", ALLIED, vacated=True),)


@pytest.mark.rule("PB-FIRE-68")
def test_who_cannot_retreat_is_taken_in_part_and_his_work_vacated_but_fanatics_lose_nothing_more() -> None:
    def trapped(*found: Feature, **sections: Any) -> Table:
        t = table(
            ". .",
            unit("de_rifle_coy", "0101"),
            unit("su_rifle_coy", "0201", disrupted=True),
            features={"0201": found},
            sections=sections,
            fog=False,
        )
        t.work(
            lambda bench, side: retreat(bench, (U(1),), frozenset({t.hex("0101")})), AXIS, (1,) if not sections else ()
        )
        return t

    t = trapped(Feature("trench", ALLIED))
    assert t.unit(1).strength < t.unit(1).full
    assert t.only(FeatureChanged).new == Feature("trench", ALLIED, vacated=True)
    t = trapped(Feature("trench", ALLIED), fanatical=["Soviet"])
    assert t.unit(1).strength == t.unit(1).full
    assert t.only(FeatureChanged).new == Feature("trench", ALLIED, vacated=True)
    t = trapped(BUNKER, fanatical=["Soviet"])
    assert not t.events


@pytest.mark.rule("PB-ASLT-44")
def test_nobody_retreats_into_mines() -> None:
    for found in ([], [Feature("minefield", ALLIED)]):
        t = table(". .", unit("su_rifle_coy", "0101"), features={"0201": found} if found else None)
        assert is_refuge(t.position, t.unit(0), t.hex("0201")) is not bool(found)


@pytest.mark.rule("PB-SPOT-29")
def test_a_work_of_its_side_that_is_not_vacated_hides_men_like_grass() -> None:
    t = table(
        ". . .",
        unit("su_rifle_coy", "0101"),
        unit("su_t34_76", "0101"),
        features={
            "0101": [Feature("improved", ALLIED)],
            "0201": [Feature("trench", AXIS)],
            "0301": [Feature("trench", ALLIED, vacated=True)],
        },
    )
    assert [can_hide(t.position, t.unit(0), place) for place in t.hexes("0101", "0201", "0301")] == [True, False, False]
    assert not can_hide(t.position, t.unit(1), t.hex("0101"))


@pytest.mark.rule("PB-ENG-60")
def test_a_scenario_wires_bridges_by_their_hexsides_or_hexes() -> None:
    t = table(
        ". . ~",
        unit("su_rifle_coy", "0101"),
        hexsides={"river": ["0101-0201"], "heavy_bridge": ["0101-0201"]},
        hex_features={"full_bridge": ["0301"]},
    )
    wires = ("0101-0201", "0301")
    assert not list(wiring_problems(t.board, wires))
    sides = wired_sides(t.board, wires)
    assert [sorted(found) for found in sides.values()] == [["heavy_bridge", "river", "wired"]] * 2
    assert with_wires(t.board, wires, {}) == {t.hex("0301"): (Feature("wired"),)}
    wrong = ("0101", "0201-0301", "0101-0301", "9999")
    assert len(list(wiring_problems(t.board, wrong))) == len(wrong)


@pytest.mark.rule("PB-ENG-12")
@pytest.mark.rule("PB-ENG-13")
def test_the_chance_of_damage_is_the_mean_of_a_tenth_of_the_casualty_value_or_certainty() -> None:
    assert damage_chance(Interval(1.05, 5.25), 10) == pytest.approx(0.315)
    assert damage_chance(Interval(3.0, 15.0), 10) == pytest.approx(0.795833, abs=1e-6)
    assert damage_chance(Interval(60.0, 300.0), 10) == 1.0
    assert damage_chance(Interval(0.0, 0.0), 10) == 0.0


@pytest.mark.rule("PB-MOVE-81")
def test_who_is_lost_among_mines_does_no_more_there() -> None:
    t = table(
        ". .",
        unit("su_rifle_coy", "0101"),
        features={"0201": [Feature("minefield", ALLIED, 3)]},
        parameters={"misc": {"mine_attack": 10_000}},
    )
    t.play(Move((U(0),), t.hexes("0201")), AllHighest())
    assert t.at(0) == ""
    assert features.at(t.position, t.hex("0201"))


@pytest.mark.rule("PB-ASLT-34")
def test_vehicles_without_infantry_are_reported_beforehand_but_not_under_fog() -> None:
    for fog, title in ((False, "Vehicles without infantry"), (True, "Average defense of the defenders")):
        t = table("F F", unit("de_pz4h", "0101"), unit("su_rifle_coy", "0201"), fog=fog, active=AXIS)
        tallies = explain_assault(t.known(AXIS), AXIS, Assault((U(0),), t.hex("0201")))
        assert tallies[-1].title == title


@pytest.mark.rule("PB-ENG-18")
def test_partisans_nearby_may_spoil_a_demolition() -> None:
    t = table(
        ". . .",
        unit("de_pioneer_coy", "0101"),
        unit("su_rifle_coy", "0301", flags=("partisan",)),
        hexsides={"at_ditch": ["0101-0201"]},
        parameters={"deception": {"damage_pct": {"allied": 50}}},
        fog=False,
        active=AXIS,
    )
    t.play(Demolish(U(0), t.hex("0201")), (1, 1, 1))
    assert not t.only(DamageTried).done


@pytest.mark.rule("PB-MAP-1")
@pytest.mark.rule("PB-MAP-2")
def test_the_six_directions_run_clockwise_from_north_and_odd_columns_lie_half_a_hex_lower() -> None:
    t = table("\n".join([". . . ."] * 3), unit("su_rifle_coy", "0202"))
    around = [t.board.label(t.board.neighbor(t.hex("0202"), direction)) for direction in range(6)]
    assert dict(zip(COMPASS, around, strict=True)) == {
        "north": "0201",
        "northeast": "0302",
        "southeast": "0303",
        "south": "0203",
        "southwest": "0103",
        "northwest": "0102",
    }


@pytest.mark.rule("PB-MAP-8")
@pytest.mark.rule("PB-MAP-3")
def test_urban_hexes_are_village_town_city_and_industrial() -> None:
    assert {"village", "town", "city", "industrial"} == URBAN
    assert set(TERRAINS) > URBAN


@pytest.mark.rule("PB-ENG-3")
@pytest.mark.rule("PB-ENG-5")
def test_a_bridgelayer_lays_its_bridge_and_does_nothing_else_and_others_may_clear_mines() -> None:
    layer, tank = (
        table(". .", unit(kind, "0101", flags=flags)).unit(0)
        for kind, flags in (("uk_churchill_avlb", ()), ("su_t34_76", ("mine_clear",)))
    )
    assert (is_engineer(layer), may_bridge(layer), may_clear(layer)) == (False, True, False)
    assert may_clear(tank)
