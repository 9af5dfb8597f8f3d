"""Corners of many rules: who is spared, what stops, what goes on in frost and storm."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.content import load_scenario, shipped_folder
from sandtable.kernel.events import DiceKey
from sandtable.kernel.resolution import Resolution
from sandtable.rulesets.panzer_battles import changes
from sandtable.rulesets.panzer_battles.air.calling import cannot_be_called
from sandtable.rulesets.panzer_battles.air.events import CANCELED, Interdicted, MissionFlown
from sandtable.rulesets.panzer_battles.assault.eligibility import assault_cost
from sandtable.rulesets.panzer_battles.assault.retreat import refuges
from sandtable.rulesets.panzer_battles.command.rest import had_quiet, nominal_rest
from sandtable.rulesets.panzer_battles.deception.events import DeceptionFound, DeceptionRecalled
from sandtable.rulesets.panzer_battles.engineers import digging, mines
from sandtable.rulesets.panzer_battles.engineers.bridges import work
from sandtable.rulesets.panzer_battles.engineers.orders import DigIn, LayMines
from sandtable.rulesets.panzer_battles.engineers.states import is_boat_crew
from sandtable.rulesets.panzer_battles.events import MoveStopped
from sandtable.rulesets.panzer_battles.features import FeatureEntry, placed
from sandtable.rulesets.panzer_battles.fire.events import Suffered
from sandtable.rulesets.panzer_battles.fire.shelling import salvo, wrecked
from sandtable.rulesets.panzer_battles.model import ALLIED, AXIS, TRAVEL, WITHDRAWN, Feature, Mission
from sandtable.rulesets.panzer_battles.movement import paths
from sandtable.rulesets.panzer_battles.orders import Assault, EndTurn, Fire, Move
from sandtable.rulesets.panzer_battles.parameters import DEFAULTS
from sandtable.rulesets.panzer_battles.reinforcements.orders import Arrive
from sandtable.rulesets.panzer_battles.reinforcements.releases import alarm, sees_an_enemy
from sandtable.rulesets.panzer_battles.results.losses import fatigue_gained
from sandtable.rulesets.panzer_battles.results.struck import Struck
from sandtable.rulesets.panzer_battles.scenario import VOCABULARY
from sandtable.rulesets.panzer_battles.supply.ammunition import can_run_low
from sandtable.rulesets.panzer_battles.supply.events import Supplied
from sandtable.rulesets.panzer_battles.supply.values import is_cut_off
from tests.rulesets.panzer_battles.table import HIGHEST, ONE, RULES, AllHighest, Faces, Table, U, coming, table, unit

ROW = ". . . . ."


# --- supply ----------------------------------------------------------------------------------------------------------


def cut_by_mines(**parameters: Any) -> Table:
    """A unit whose one way to its source leads through a minefield."""
    return table(
        ROW,
        unit("us_rifle_coy", "0101"),
        unit("de_pz4h", "0501"),
        features={"0201": [Feature("minefield", AXIS, 1)]},
        sections={"supply_sources": [{"side": "allied", "hex": "0301", "value": 80}]},
        parameters=parameters or None,
    )


@pytest.mark.rule("PB-MOVE-84", "PB-SUP-13")
def test_a_minefield_blocks_supply_by_default_and_not_where_the_data_say_so() -> None:
    t = cut_by_mines()
    assert is_cut_off(t.position, t.unit(0))
    free = cut_by_mines(misc={"minefield_blocks_supply": False})
    assert not is_cut_off(free.position, free.unit(0))


@pytest.mark.rule("PB-FIRE-59", "PB-SUP-24")
def test_isolated_units_that_fire_do_not_run_low_but_guns_run_out_of_shells() -> None:
    t = table(
        ". . .",
        unit("us_rifle_coy", "0101", fired=True),
        unit("us_m7", "0101", fired=True),
        unit("de_pz4h", "0301"),
        active=AXIS,
        sections={"supply_sources": [{"side": "allied", "hex": "0301", "value": 100}]},
    )
    t.play(EndTurn(), AllHighest())
    assert t.unit(0).isolated
    assert not can_run_low(t.unit(0))
    supplied = t.only(Supplied)
    assert (supplied.low_ammo, supplied.unavailable) == ((), (U(1),))


@pytest.mark.rule("PB-SUP-12")
def test_a_ferry_brings_supplies_over_a_river() -> None:
    sides: dict[str, Any] = {"river": ["0201-0301", "0201-0302", "0202-0302"]}
    source = {"supply_sources": [{"side": "allied", "hex": "0401", "value": 80}]}

    def cut(**more: Any) -> bool:
        t = table(". . . .\n. . . .", unit("us_rifle_coy", "0101"), hexsides={**sides, **more}, sections=source)
        return is_cut_off(t.position, t.unit(0))

    assert cut()
    assert not cut(ferry=["0201-0301"])
    t = table(". ~ . .", unit("us_rifle_coy", "0101"), hexsides={"ferry": ["0101-0201"]}, sections=source)
    assert is_cut_off(t.position, t.unit(0))


@pytest.mark.rule("PB-SUP-15", "PB-ENG-53")
def test_engineers_who_hold_a_bridge_ferry_supplies_and_builders_do_not() -> None:
    t = table(".", unit("su_bridge_eng", "0101"))
    for operation in ("", "holding:2", "pontoon holding:2", "laying"):
        t.change(0, operation=operation)
        assert is_boat_crew(t.unit(0))
    for operation in ("building:2", "dismantling:2", "pontoon dismantling:2"):
        t.change(0, operation=operation)
        assert not is_boat_crew(t.unit(0))


@pytest.mark.rule("PB-SUP-45")
def test_guns_that_start_on_the_march_or_arrive_are_not_set_up() -> None:
    source = shipped_folder("scenarios").joinpath("pb-kamenka.toml").read_text("utf-8")
    scenario = load_scenario(source.encode(), VOCABULARY, shipped_folder("boards"))
    position = RULES.setup(scenario, {"artillery_setup": True}, DiceKey("guns")).position
    guns = [unit for unit in position.units if unit.of.has("indirect") and not unit.of.has("at_gun")]
    assert guns
    assert all(unit.setup_required == (unit.mode != "deployed" or bool(unit.away)) for unit in guns)
    assert any(unit.setup_required for unit in guns)
    t = table(". .", coming("us_m7", "0101", 1, away="due"), unit("de_pz4h", "0201"), options={"artillery_setup": True})
    t.set(visibility=1)
    t.change(1, hex=0)
    t.play(Arrive(U(0)), AllHighest())
    assert t.unit(0).setup_required


@pytest.mark.rule("PB-SUP-48")
def test_no_event_of_play_stockpiles_shells() -> None:
    t = table(". .", unit("us_m7", "0101", stockpiled=True, fired=True), unit("us_m7", "0101"), active=AXIS)
    t.set(supply={ALLIED: 0})
    t.play(EndTurn(), AllHighest())
    assert t.only(Supplied).unstocked == (U(0),)
    assert not any(unit.stockpiled for unit in t.position.units)
    assert not [name for name in Supplied.__struct_fields__ if name in ("stocked", "stockpiled")]


@pytest.mark.rule("PB-OOB-15", "PB-OPT-8")
def test_supply_columns_exist_with_the_option_only() -> None:
    source = shipped_folder("scenarios").joinpath("pb-kalinovka.toml").read_text("utf-8")
    entry = '\n[[units]]\nid = "column"\ntype = "any_supply"\nside = "allied"\nat = "0209"\nformation = "{}"\n'
    formation = load_scenario(source.encode(), VOCABULARY, shipped_folder("boards")).sections.formations[0].id
    written = source + entry.format(formation)
    scenario = load_scenario(written.encode(), VOCABULARY, shipped_folder("boards"))

    def column(**options: bool) -> Any:
        units = RULES.setup(scenario, options, DiceKey("columns")).position.units
        return next(unit for unit in units if unit.name == "column")

    assert (column().hex, column().away) == (0, WITHDRAWN)
    assert column(explicit_supply=True).hex
    assert not column(explicit_supply=True).away


# --- frost and storm -------------------------------------------------------------------------------------------------


@pytest.mark.rule("PB-ENV-11", "PB-MOVE-39")
def test_a_primary_road_in_travel_mode_does_not_care_for_the_ground() -> None:
    def cost(road: str, condition: str, mode: str) -> int:
        t = table(". .", unit("us_m4", "0101", mode=mode), roads={road: [["0101", "0201"]]}, condition=condition)
        return paths.step(t.position, t.unit(0), t.hex("0101"), t.hex("0201")).cost

    assert cost("primary", "mud", TRAVEL) == cost("primary", "normal", TRAVEL)
    assert cost("secondary", "mud", TRAVEL) > cost("secondary", "normal", TRAVEL)
    assert cost("primary", "mud", "deployed") > cost("primary", "normal", "deployed")


@pytest.mark.rule("PB-ENV-14", "PB-MOVE-102", "PB-ENG-28")
def test_nobody_digs_in_or_lays_mines_in_frozen_ground() -> None:
    t = table(".", unit("us_eng_coy", "0101"), condition="frozen")
    assert t.refusal(DigIn(U(0))).reason == "the ground is frozen"
    assert t.refusal(LayMines(U(0))).reason == "the ground is frozen"
    assert table(".", unit("us_eng_coy", "0101")).check(DigIn(U(0))) is None


@pytest.mark.rule("PB-ENV-14")
def test_work_begun_before_the_frost_rests() -> None:
    t = table(".", unit("us_eng_coy", "0101", digging_in=True), condition="frozen")
    t.work(digging.dig, ALLIED, [])
    assert t.events == ()
    t.change(0, digging_in=False, operation="laying")
    t.work(mines.lay, ALLIED, [])
    assert t.events == ()
    assert t.unit(0).operation == "laying"


@pytest.mark.rule("PB-ENV-19", "PB-AIR-6")
def test_nobody_flies_in_a_storm() -> None:
    t = table(". .", unit("us_m4", "0101"), unit("p47_flight", "", "allied"), unit("de_pz4h", "0201"), active=AXIS)
    t.set(missions=(Mission(U(1), ALLIED, t.hex("0201"), "strike"),), weather=_storm(t))
    refusal = cannot_be_called(t.position, ALLIED, t.unit(1))
    assert refusal is not None
    assert refusal.rule == "PB-AIR-6"
    t.play(EndTurn(), AllHighest())
    assert t.only(MissionFlown).outcome == CANCELED
    assert (t.position.missions, t.unit(1).unavailable) == ((), False)


def _storm(t: Table) -> Any:
    return type(t.position.weather)("normal", storm=True, nominal=20)


@pytest.mark.rule("PB-ENV-20", "PB-REIN-15")
@pytest.mark.parametrize("by", ["paradrop", "glider", "amphibious"])
def test_nobody_lands_in_a_storm_but_by_road_one_arrives(by: str) -> None:
    def refused(how: str) -> bool:
        t = table(". .", coming("us_rifle_coy", "0101", 1, away="due", arrival={"by": how}), storm=True)
        return t.check(Arrive(U(0))) is not None

    assert refused(by)
    assert not refused("road")


# --- seeing and being seen -------------------------------------------------------------------------------------------


@pytest.mark.rule("PB-SPOT-36", "PB-MOVE-99")
def test_being_looked_at_frees_no_fixed_unit_and_seeing_does() -> None:
    t = table(
        "F . F", unit("us_rifle_coy", "0101", fixed=True, concealed=True), unit("de_rifle_coy", "0301", concealed=True)
    )
    assert not sees_an_enemy(t.position, t.unit(0))
    t.work(lambda bench, side: alarm(bench), ALLIED, [])
    assert t.unit(0).fixed
    t.change(1, concealed=False)
    assert sees_an_enemy(t.position, t.unit(0))
    t.work(lambda bench, side: alarm(bench), ALLIED, [])
    assert not t.unit(0).fixed


# --- movement and fire -----------------------------------------------------------------------------------------------


@pytest.mark.rule("PB-MOVE-11", "PB-AIR-37")
def test_aircraft_that_strike_a_march_stop_it_hit_or_not() -> None:
    t = table(
        ". . . .",
        unit("us_m4", "0101", mode=TRAVEL),
        unit("de_pz4h", "0401"),
        visibility=(2,),
        parameters={"air": {"interdiction_pct": {"allied": 0, "axis": 100}, "interdiction_mp_chance_pct": 0}},
    )
    t.change(1, hex=0)
    t.play(Move((U(0),), t.hexes("0201", "0301")), dice=[HIGHEST, ONE, ONE, HIGHEST, HIGHEST, ONE, HIGHEST, ONE])
    assert not t.only(Interdicted).struck[0].lost
    assert (t.at(0), t.only(MoveStopped).units) == ("0201", (U(0),))


@pytest.mark.rule("PB-MOVE-49", "PB-CRT-20")
def test_who_rides_inside_is_not_hit_by_shells_apart() -> None:
    t = table(
        ". . .",
        unit("us_m7", "0101"),
        unit("us_m4", "0201"),
        unit("de_truck", "0301"),
        unit("de_rifle_plt", "0301", carrier=2),
        unit("de_pz4h", "0301"),
        unit("de_rifle_plt", "0301", carrier=4),
    )
    found = salvo(t.position, t.unit(0), t.hex("0301"))
    assert [target.id for target in found.targets] == [2, 4, 5]


@pytest.mark.rule("PB-UNIT-15")
def test_vehicles_lost_in_the_water_leave_no_wreck() -> None:
    def wrecks(terrain: str) -> int:
        t = table(terrain, unit("us_m4", "0101"), unit("de_truck", "0201", strength=1, full=1))
        t.play(Fire(U(0), U(1)), AllHighest())
        assert t.unit(1).gone
        return t.position.wrecks.get(t.hex("0201"), 0)

    assert wrecks(". .") == 1
    assert wrecks(". s") == 0
    t = table(". . s", unit("us_m7", "0101"), unit("us_m4", "0201"), unit("de_truck", "0301", strength=1, full=1))
    hit = (Suffered(U(1), "us_m4", ALLIED, 2), Suffered(U(2), "de_truck", AXIS, 1))
    assert wrecked(hit, t.position) == 2


@pytest.mark.rule("PB-MOVE-76")
@pytest.mark.parametrize(("named", "side"), [("none", ""), ("both", ""), ("axis", "axis"), ("allied", "allied")])
def test_congestion_is_for_the_side_that_the_data_name(named: str, side: str) -> None:
    board = table(". .").board
    entries = (FeatureEntry("congestion", ("0101",)), FeatureEntry("congestion", ("0201",), "allied"))
    found = placed(board, entries, named)
    assert [one.side for features in found.values() for one in features] == [side, "allied"]


@pytest.mark.rule("PB-FAT-4", "PB-FAT-3")
def test_the_fatigue_of_a_loss_may_be_nothing_at_all() -> None:
    t = table(".", unit("us_m4", "0101"))
    company = Struck(is_men=True, strength=100, full=100, size="company")
    for face, gained in ((ONE, 0), (HIGHEST, 30)):
        dice = Faces([face])
        bench = Resolution(t.state, dice, changes.apply)
        assert fatigue_gained(bench, company, 15, DEFAULTS, U(0), attacks=False) == gained


@pytest.mark.rule("PB-FAT-8", "PB-FAT-11", "PB-OPT-12")
def test_who_changed_its_mode_or_holds_a_bridge_has_rested() -> None:
    t = table(".", unit("us_eng_coy", "0101", thirds=1), options={"quality_fatigue": True})
    assert had_quiet(t.position, t.unit(0))
    for work_in_hand in ("holding:1", "laying"):
        t.change(0, operation=work_in_hand)
        assert had_quiet(t.position, t.unit(0))
    busy: tuple[dict[str, Any], ...] = (
        {"operation": "building:1"},
        {"operation": "", "assaulted": True},
        {"assaulted": False, "moved": True},
    )
    for fields in busy:
        t.change(0, **fields)
        assert not had_quiet(t.position, t.unit(0))
    t.change(0, quality="A")
    assert nominal_rest(t.position, t.unit(0)) == 6


# --- assault ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PB-ASLT-55", "PB-MOVE-59")
def test_commandos_assault_across_cliffs_for_all_their_points() -> None:
    t = table(
        ". .",
        unit("us_ranger_coy", "0101"),
        unit("us_rifle_coy", "0101"),
        unit("de_rifle_plt", "0201"),
        hexsides={"cliff": ["0101-0201"]},
    )
    assert t.check(Assault((U(0),), t.hex("0201"))) is None
    assert assault_cost(t.position, t.unit(0), t.hex("0201"), overruns=False) == t.unit(0).mp
    assert t.refusal(Assault((U(1),), t.hex("0201"))).rule == "PB-ASLT-6"


@pytest.mark.rule("PB-ASLT-53", "PB-DEC-13")
def test_a_deception_unit_in_a_hex_taken_by_assault_is_lost() -> None:
    t = table(
        ". . .",
        unit("us_rifle_coy", "0101"),
        unit("de_truck", "0201"),
        unit("any_deception", "", "axis"),
        unit("any_deception", "", "axis"),
    )
    t.change(2, posted=t.hex("0201"))
    t.change(3, posted=t.hex("0301"))
    t.play(Assault((U(0),), t.hex("0201")), AllHighest())
    assert t.at(0) == "0201"
    assert t.only(DeceptionFound).unit == U(2)
    assert (t.unit(2).posted, t.unit(3).posted) == (0, t.hex("0301"))


@pytest.mark.rule("PB-UNIT-11", "PB-ASLT-46", "PB-ASLT-48")
def test_who_never_moves_does_not_retreat() -> None:
    t = table(". .", unit("us_rifle_coy", "0101", flags=("immobile",)), unit("de_rifle_coy", "0201"))
    assert refuges(t.position, t.unit(0), ()) == []
    t.change(0, flags=())
    assert refuges(t.position, t.unit(0), ()) == []
    wide = table(". . .\n. . .", unit("us_rifle_coy", "0201"), unit("de_rifle_coy", "0301"))
    assert refuges(wide.position, wide.unit(0), ())


@pytest.mark.rule("PB-GEN-17")
def test_after_a_third_and_a_half_an_assault_needs_its_two_thirds() -> None:
    t = table(". .", unit("us_m4", "0101", thirds=1, mp=73), unit("de_rifle_plt", "0201"))
    assert assault_cost(t.position, t.unit(0), t.hex("0201"), overruns=False) == 73
    t.change(0, halves=1)
    assert assault_cost(t.position, t.unit(0), t.hex("0201"), overruns=False) == 74


# --- engineers and deception -----------------------------------------------------------------------------------------


@pytest.mark.rule("PB-ENG-38")
def test_engineers_on_both_banks_build_the_same_bridge_together() -> None:
    t = table(
        ". .",
        unit("su_bridge_eng", "0101", operation="building:2"),
        unit("su_bridge_eng", "0201", operation="building:5"),
        hexsides={"river": ["0101-0201"]},
    )
    t.work(work, ALLIED, [ONE])
    assert [t.unit(n).operation for n in (0, 1)] == ["holding:2", ""]


@pytest.mark.rule("PB-ENG-46", "PB-TURN-2")
def test_a_bridge_is_gone_as_soon_as_aircraft_have_destroyed_its_engineers() -> None:
    t = table(
        ". . .",
        unit("us_m4", "0101"),
        unit("su_bridge_eng", "0201", operation="holding:1", strength=1, full=1),
        unit("ju87_flight", "", "axis"),
        hexsides={"river": ["0201-0301"]},
    )
    t.change(1, operation=f"holding:{t.board.direction(t.hex('0201'), t.hex('0301'))}")
    t.bridge("0201", "0301")
    t.set(missions=(Mission(U(2), AXIS, t.hex("0201"), "strike"),))
    t.play(EndTurn(), AllHighest())
    assert t.position.active == AXIS
    assert t.unit(1).gone
    assert not any("engineer_bridge" in found for found in t.position.sides.values())


@pytest.mark.rule("PB-DEC-14")
def test_a_deception_unit_is_recalled_by_regular_units_only() -> None:
    t = table(". .", unit("any_deception", "", "allied"), unit("any_deception", "0101", "allied"), active=AXIS)
    t.change(0, posted=t.hex("0101"))
    t.play(EndTurn(), AllHighest())
    assert not t.all(DeceptionRecalled)
    t = table(". .", unit("any_deception", "", "allied"), unit("us_m4", "0101"), active=AXIS)
    t.change(0, posted=t.hex("0101"))
    t.play(EndTurn(), AllHighest())
    assert t.only(DeceptionRecalled).units == (U(0),)
