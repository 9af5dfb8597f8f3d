"""Supply values and sources, lines of communication, ammunition, shells, fuel, setting up, supply columns."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.kernel.ids import SPECTATORS
from sandtable.rulesets.panzer_battles.badges import badges_of
from sandtable.rulesets.panzer_battles.command import restoration
from sandtable.rulesets.panzer_battles.command.control import command_chance
from sandtable.rulesets.panzer_battles.command.events import StaffsRestored
from sandtable.rulesets.panzer_battles.command.rest import had_quiet, most_rest
from sandtable.rulesets.panzer_battles.describe import sentence
from sandtable.rulesets.panzer_battles.engineers.states import is_boat_crew
from sandtable.rulesets.panzer_battles.fire.situations import as_struck, shot
from sandtable.rulesets.panzer_battles.ground import Ground, Options
from sandtable.rulesets.panzer_battles.kinds import KINDS
from sandtable.rulesets.panzer_battles.marks import marks
from sandtable.rulesets.panzer_battles.model import ALLIED, AXIS, RAIL, TRAVEL, Feature, Unit
from sandtable.rulesets.panzer_battles.movement.orders import Carry, Uncarry
from sandtable.rulesets.panzer_battles.orders import EndTurn, Move
from sandtable.rulesets.panzer_battles.parameters import DEFAULTS, overridden
from sandtable.rulesets.panzer_battles.results.struck import morale
from sandtable.rulesets.panzer_battles.supply.ammunition import brought, can_run_low, low_ammo_chance, shells_value
from sandtable.rulesets.panzer_battles.supply.artillery import (
    can_set_up,
    cannot_fire_indirect,
    is_artillery,
    needs_setup,
    setup_pct,
)
from sandtable.rulesets.panzer_battles.supply.columns import column_for, points_for, refilled
from sandtable.rulesets.panzer_battles.supply.events import LinesTraced, Supplied
from sandtable.rulesets.panzer_battles.supply.fuel import burns, is_reached, needs_fuel, refuel_chance
from sandtable.rulesets.panzer_battles.supply.lines import traced
from sandtable.rulesets.panzer_battles.supply.sources import SourceEntry, edge, global_value, problems, usable
from sandtable.rulesets.panzer_battles.supply.values import is_cut_off, value_of
from tests.rulesets.panzer_battles.table import HIGHEST, ONE, RULES, Table, U, table, unit
from tests.rulesets.panzer_battles.test_examples import Facts, near, of_kind

MEADOW = "\n".join([". . . . . . ."] * 5)
MIDNIGHT = 23 * 60 + 30


def source(side: str, label: str, value: int) -> dict[str, Any]:
    return {"side": side, "hex": label, "value": value}


def next_turn(t: Table, dice: tuple[int, ...] = ()) -> None:
    """The other side's turn passes and the first side's begins again."""
    t.play(EndTurn())
    t.play(EndTurn(), dice=list(dice))


# --- the examples ----------------------------------------------------------------------------------------------------


@of_kind("low ammunition")
def test_how_likely_a_unit_runs_low(situation: Facts, expected: Facts) -> None:
    if situation.get("isolated"):
        fired = Unit(U(0), "su_rifle_coy", ALLIED, fired=True, isolated=True)
        assert can_run_low(fired) is bool(expected["p_low_ammo"])
        return
    c, r = Fraction(situation.get("C", 0)), situation.get("R", 0)
    reach = c / (c + r) if situation["hq_in_command"] else Fraction(0)
    assert float(low_ammo_chance(Fraction(situation["supply"], 100), reach)) == near(expected["p_low_ammo"])


@of_kind("refueling")
def test_how_likely_a_unit_is_refueled_in_a_turn(situation: Facts, expected: Facts) -> None:
    supply = Fraction(situation["supply"], 100)
    if "corps_range" not in situation:
        reach, distance = Fraction(situation["command_range"]), situation["distance"]
        found = [refuel_chance(situation["refuel"], supply, reach, distance)]
    else:
        corps = Fraction(situation["corps_range"])
        posts = [command_chance(supply, supply, corps, r) for r in situation["R"]]
        found = [refuel_chance(situation["refuel"], post, Fraction(1), 1) for post in posts]
    assert [float(one) for one in found] == near(expected["p_refuel_per_turn"], 1e-4)


@of_kind("stockpile")
def test_a_stockpile_is_tested_by_three_quarters(situation: Facts, expected: Facts) -> None:
    parameters = {"supply": {"global": {"allied": situation["supply"]}}}
    t = table(MEADOW, unit("su_122how", "0101", stockpiled=True), parameters=parameters)
    assert 100 * shells_value(t.position, t.unit(0)) == expected["test_value"]


@of_kind("set-up")
def test_self_propelled_guns_may_need_no_setup(situation: Facts, expected: Facts) -> None:
    found = []
    for pct in situation["setup_pct"]:
        parameters = {"artillery": {"setup_pct": {"allied": pct}}}
        t = table(".", unit("us_m7", "0101"), parameters=parameters, options={"artillery_setup": True})
        affected = needs_setup(t.position.ground, t.unit(0))
        found.append((affected, float(setup_pct(t.unit(0), ALLIED, t.position.parameters) / 100)))
    assert found == list(zip(expected["affected"], expected["p"], strict=True))


# --- values and sources ----------------------------------------------------------------------------------------------


@pytest.mark.rule("PB-SUP-1", "PB-SUP-2")
def test_the_supply_value_of_a_day_is_drawn_around_that_of_the_header() -> None:
    parameters = {"supply": {"global": {"allied": 95}, "variation": {"allied": 10}}}
    t = table(MEADOW, unit("su_rifle_coy", "0101"), parameters=parameters, minutes=MIDNIGHT)
    next_turn(t, (1,))
    assert (global_value(t.position, ALLIED), t.known(ALLIED).supply, t.known(AXIS).supply) == (85, {ALLIED: 85}, {})
    next_turn(t)
    assert global_value(t.position, ALLIED) == 85
    t.set(minutes=MIDNIGHT, turn=1)
    next_turn(t, (HIGHEST,))
    assert global_value(t.position, ALLIED) == 100
    assert sentence(t.only(LinesTraced), t.position) == ""


@pytest.mark.rule("PB-SUP-3", "PB-SUP-4", "PB-SUP-7", "PB-SUP-8")
def test_a_unit_uses_the_best_source_it_can_trace_to() -> None:
    sections = {"supply_sources": [source("allied", "0101", 60), source("allied", "0105", 90)]}
    t = table(MEADOW, unit("su_rifle_coy", "0703"), unit("de_pz4h", "0503"), sections=sections)
    assert value_of(t.position, t.unit(0)) == Fraction(9, 10)
    t.change(1, hex=t.hex("0105"))
    assert value_of(t.position, t.unit(0)) == Fraction(6, 10)
    assert not is_cut_off(t.position, t.unit(0))


@pytest.mark.rule("PB-SUP-5", "PB-SUP-6")
def test_without_sources_the_edge_of_the_map_supplies() -> None:
    t = table("s . .\n. . .\n. . ~", unit("su_rifle_coy", "0202"), unit("de_pz4h", "0103"))
    labels = {t.board.label(place) for place in edge(t.position.ground)}
    assert labels == {"0201", "0301", "0102", "0302", "0103", "0203"}
    assert t.hex("0103") not in usable(t.position, ALLIED)
    assert value_of(t.position, t.unit(0)) == Fraction(8, 10)


@pytest.mark.rule("PB-SUP-9", "PB-SUP-18")
def test_ships_have_half_the_global_value_and_are_never_cut_off() -> None:
    ship = next(kind.key for kind in KINDS.values() if kind.has("naval"))
    t = table("~ ~\n~ ~", unit(ship, "0101", ALLIED))
    assert value_of(t.position, t.unit(0)) == Fraction(4, 10)
    assert not is_cut_off(t.position, t.unit(0))
    assert is_artillery(t.unit(0))


# --- lines of communication ------------------------------------------------------------------------------------------


def surrounded(*others: Any, **changes: Any) -> Table:
    """A company in 0403 with German tanks at two hexes' distance all around it."""
    foes = [unit("de_pz4h", label) for label in ("0201", "0204", "0401", "0405", "0601", "0604")]
    return table(MEADOW, unit("su_rifle_coy", "0403"), *foes, *others, **changes)


@pytest.mark.rule("PB-SUP-10", "PB-SUP-17", "PB-SUP-20")
def test_a_unit_behind_enemy_zones_is_isolated_for_the_turn() -> None:
    t = surrounded()
    assert is_cut_off(t.position, t.unit(0))
    next_turn(t)
    assert t.unit(0).isolated
    assert value_of(t.position, t.unit(0)) == 0
    assert t.heard(ALLIED, LinesTraced) == [LinesTraced(ALLIED, 80, (U(0),))]
    assert t.heard(AXIS, LinesTraced) == []
    assert sentence(t.only(LinesTraced), t.position) == "Isolated: Rifle company #0"
    for number in range(1, 7):
        t.change(number, hex=0)
    next_turn(t)
    assert not t.unit(0).isolated


@pytest.mark.rule("PB-SUP-11")
def test_friendly_units_open_the_enemys_zone() -> None:
    road = [unit("su_rifle_coy", label) for label in ("0502", "0603", "0703")]
    assert not is_cut_off((t := surrounded(*road)).position, t.unit(0))


@pytest.mark.rule("PB-SUP-18", "PB-SUP-19")
def test_partisans_and_fresh_paratroopers_are_never_isolated() -> None:
    t = surrounded()
    t.change(0, supplied_until=1)
    assert not is_cut_off(t.position, t.unit(0))
    # who is never cut off lives on what his side has
    assert value_of(t.position, t.unit(0)) == Fraction(8, 10)
    t.set(turn=2)
    assert is_cut_off(t.position, t.unit(0))
    partisans = next(kind.key for kind in KINDS.values() if kind.has("partisan"))
    t.change(0, kind=partisans)
    assert not is_cut_off(t.position, t.unit(0))


ISLAND = """
~ ~ ~ ~ ~
~ ~ . ~ ~
~ ~ ~ ~ ~
. . . . .
"""


@pytest.mark.rule("PB-SUP-12", "PB-SUP-13", "PB-SUP-14")
def test_water_bars_supply_and_a_bridge_carries_it() -> None:
    island = table(ISLAND, unit("su_rifle_coy", "0302"))
    assert is_cut_off(island.position, island.unit(0))
    sections = {"supply_sources": [source("allied", "0101", 90)]}
    sides = ["0201-0202", "0201-0301", "0201-0302", "0201-0101", "0201-0102"]
    river = table(". . .\n. . .", unit("su_rifle_coy", "0201"), hexsides={"river": sides}, sections=sections)
    assert is_cut_off(river.position, river.unit(0))
    bridge = {"river": sides, "light_bridge": ["0201-0202"]}
    over = table(". . .\n. . .", unit("su_rifle_coy", "0201"), hexsides=bridge, sections=sections)
    assert value_of(over.position, over.unit(0)) == Fraction(9, 10)


@pytest.mark.rule("PB-SUP-11", "PB-SUP-16")
def test_who_stands_on_a_source_among_mines_has_it_for_himself() -> None:
    sections = {"supply_sources": [source("allied", "0202", 70)]}
    mines = {"0202": [Feature("minefield", ALLIED, 1)]}
    on_it, beyond = unit("su_rifle_coy", "0202"), unit("su_rifle_coy", "0404")
    t = table("....\n....\n....\n....", on_it, beyond, features=mines, sections=sections)
    assert [traced(t.position, t.unit(number)) for number in (0, 1)] == [70, -1]


@pytest.mark.rule("PB-SUP-15")
def test_engineers_bring_a_line_over_a_river_one_hex_and_no_farther() -> None:
    sections = {"supply_sources": [source("allied", "0101", 90)]}
    river = {"river": ["0201-0301", "0201-0302", "0202-0302", "0202-0303", "0203-0303"]}
    rows = ". . . .\n. . . .\n. . . ."
    counters = (unit("su_rifle_coy", "0302"), unit("su_rifle_coy", "0402"), unit("su_sapper_coy", "0202"))
    t = table(rows, *counters, hexsides=river, sections=sections)
    assert (traced(t.position, t.unit(0)), is_cut_off(t.position, t.unit(1))) == (90, True)
    t.change(2, disrupted=True)
    assert is_cut_off(t.position, t.unit(0))
    assert not is_boat_crew(t.unit(2))


@pytest.mark.rule("PB-SUP-13", "PB-SUP-16")
def test_minefields_bar_supply_but_not_the_units_own_hex() -> None:
    sections = {"supply_sources": [source("allied", "0101", 90)]}
    mine = Feature("minefield", ALLIED)
    rows, work = ". . .", Feature("trench", ALLIED)
    t = table(rows, unit("su_rifle_coy", "0301"), features={"0201": [mine]}, sections=sections)
    assert is_cut_off(t.position, t.unit(0))
    here = table(rows, unit("su_rifle_coy", "0201"), features={"0201": [mine]}, sections=sections)
    assert not is_cut_off(here.position, here.unit(0))
    assert not is_cut_off(
        (open_way := table(rows, unit("su_rifle_coy", "0301"), features={"0201": [work]}, sections=sections)).position,
        open_way.unit(0),
    )
    cliff = table(rows, unit("su_rifle_coy", "0301"), hexsides={"cliff": ["0201-0301"]}, sections=sections)
    assert is_cut_off(cliff.position, cliff.unit(0))
    wet = [SourceEntry("allied", "0101", 50), SourceEntry("allied", "0101", 50)]
    lake = table("~ .").board
    assert [one.where for one in problems(lake, wet)] == [f"[[supply_sources]] #{n} 'hex'" for n in (1, 2, 2)]
    harmless = {"misc": {"minefield_blocks_supply": False}}
    t = table(rows, unit("su_rifle_coy", "0301"), features={"0201": [mine]}, sections=sections, parameters=harmless)
    assert not is_cut_off(t.position, t.unit(0))


# --- ammunition ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PB-SUP-21", "PB-SUP-25", "PB-SUP-27", "PB-SUP-32", "PB-SUP-35", "PB-SUP-41", "PB-SUP-49")
@pytest.mark.parametrize(
    ("field", "rule"),
    [
        ("low_ammo", "PB-SUP-21"),
        ("replenished", "PB-SUP-25"),
        ("unavailable", "PB-SUP-27"),
        ("available", "PB-SUP-27"),
        ("unstocked", "PB-SUP-49"),
        ("set_up", "PB-SUP-41"),
        ("low_fuel", "PB-SUP-32"),
        ("refueled", "PB-SUP-35"),
    ],
)
def test_the_log_names_the_rule_of_what_supply_brought(field: str, rule: str) -> None:
    brought: dict[str, Any] = {field: (U(0),)}
    assert marks(Supplied(ALLIED, **brought)).rule == rule


@pytest.mark.rule("PB-SUP-21", "PB-SUP-22", "PB-SUP-25")
def test_who_fired_is_tested_by_supply_and_then_by_the_range_of_his_headquarters() -> None:
    counters = (unit("su_rifle_coy", "0103", fired=True), unit("su_bn_hq", "0101"))
    t = table(MEADOW, *counters, turns=20)
    reach = brought(t.position, t.unit(0))
    assert reach == Fraction(10, 12)
    next_turn(t, (ONE, ONE))
    assert not t.all(Supplied)
    t.change(0, fired=True)
    next_turn(t, (ONE, HIGHEST, ONE))
    assert not t.unit(0).low_ammo
    t.change(0, fired=True)
    next_turn(t, (ONE, HIGHEST, HIGHEST))
    assert t.unit(0).low_ammo
    assert t.heard(AXIS, Supplied) == []
    assert sentence(t.only(Supplied), t.position) == "Low on ammunition: Rifle company #0"
    next_turn(t, (ONE, HIGHEST))
    assert t.unit(0).low_ammo
    next_turn(t, (ONE, ONE))
    assert not t.unit(0).low_ammo


@pytest.mark.rule("PB-SUP-20", "PB-SUP-22", "PB-SUP-23", "PB-SUP-25")
def test_without_a_headquarters_in_command_nothing_is_brought() -> None:
    t = table(MEADOW, unit("su_rifle_coy", "0103", low_ammo=True))
    assert brought(t.position, t.unit(0)) == 0
    next_turn(t)
    assert t.unit(0).low_ammo
    out = table(MEADOW, unit("su_rifle_coy", "0103"), unit("su_bn_hq", "0101", out_of_command=True))
    assert brought(out.position, out.unit(0)) == 0


@pytest.mark.rule("PB-SUP-24", "PB-SUP-29")
def test_isolated_units_and_partisans_do_not_run_low_by_firing() -> None:
    partisans = next(kind.key for kind in KINDS.values() if kind.has("partisan"))
    assert not can_run_low(Unit(U(0), partisans, ALLIED, fired=True))
    assert not can_run_low(Unit(U(0), "su_rifle_coy", ALLIED, fired=True, isolated=True))
    assert can_run_low(Unit(U(0), "su_rifle_coy", ALLIED, fired=True))
    t = surrounded()
    t.change(0, low_ammo=True)
    next_turn(t)
    assert t.unit(0).low_ammo


@pytest.mark.rule("PB-SUP-27", "PB-SUP-20")
def test_guns_that_fired_may_be_out_of_shells_and_are_supplied_again() -> None:
    t = table(MEADOW, unit("su_122how", "0103", fired=True))
    next_turn(t, (HIGHEST,))
    assert t.unit(0).unavailable
    next_turn(t, (HIGHEST,))
    assert t.unit(0).unavailable
    next_turn(t, (ONE,))
    assert not t.unit(0).unavailable
    cut = surrounded()
    cut.change(0, kind="su_122how", fired=True, strength=4, full=4)
    next_turn(cut)
    assert cut.unit(0).unavailable


@pytest.mark.rule("PB-SUP-28", "PB-SUP-40", "PB-SUP-43")
def test_what_keeps_guns_from_firing_indirectly() -> None:
    position = table(".").position
    gun = Unit(U(0), "su_122how", ALLIED)
    assert cannot_fire_indirect(position, gun) is None
    for field, rule in (("unavailable", "PB-SUP-28"), ("setup_required", "PB-SUP-40")):
        refusal = cannot_fire_indirect(position, Unit(U(0), "su_122how", ALLIED, **dict[str, Any]({field: True})))
        assert refusal is not None
        assert refusal.rule == rule


@pytest.mark.rule("PB-SUP-48", "PB-SUP-49", "PB-SUP-50")
def test_the_first_failure_uses_up_a_stockpile_and_so_does_moving() -> None:
    t = table(MEADOW, unit("su_122how", "0103", fired=True, stockpiled=True))
    next_turn(t, (HIGHEST,))
    assert (t.unit(0).stockpiled, t.unit(0).unavailable) == (False, False)
    moved = table(MEADOW, unit("su_122how", "0103", mode=TRAVEL, stockpiled=True))
    moved.play(Move((U(0),), moved.hexes("0104")))
    assert not moved.unit(0).stockpiled


# --- setting up ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PB-SUP-40", "PB-SUP-41", "PB-SUP-46", "PB-OPT-4", "PB-GEN-12")
def test_guns_that_moved_are_set_up_after_a_turn_of_quiet() -> None:
    t = table(MEADOW, unit("su_122how", "0103", mode=TRAVEL), options={"artillery_setup": True})
    t.play(Move((U(0),), t.hexes("0104")))
    assert t.unit(0).setup_required
    next_turn(t)
    next_turn(t)
    assert t.unit(0).setup_required
    t.change(0, mode="deployed")
    next_turn(t, (51,))
    assert t.unit(0).setup_required
    next_turn(t, (50,))
    assert not t.unit(0).setup_required
    shot = Unit(U(0), "su_122how", ALLIED, setup_required=True, fired=True, has_shot=True)
    assert not can_set_up(shot)
    assert can_set_up(replace(shot, has_shot=False)), "an opportunity in the enemy's turn is no fire of its own"


@pytest.mark.rule("PB-SUP-40", "PB-SUP-50", "PB-FAT-8", "PB-MOVE-49")
def test_guns_that_a_truck_takes_elsewhere_have_moved() -> None:
    t = table(
        MEADOW,
        unit("de_truck", "0103", ALLIED, mode=TRAVEL),
        unit("su_122how", "0103", strength=2, carrier=U(0), stockpiled=True),
        options={"artillery_setup": True},
    )
    t.play(Move((U(0),), t.hexes("0203")))
    gun = t.unit(1)
    assert (gun.hex, gun.moved, gun.setup_required, gun.stockpiled) == (t.hex("0203"), True, True, False)
    assert not gun.has_burned
    assert not had_quiet(t.position, gun)
    t.change(1, setup_required=False, mp=99)
    t.play(Uncarry(U(0)))
    assert t.unit(1).setup_required, "who is set down counts as having moved"
    t.change(1, setup_required=False)
    t.change(0, mp=99)
    t.play(Carry((U(1),), U(0)))
    assert t.unit(1).setup_required


@pytest.mark.rule("PB-SUP-42", "PB-SUP-44", "PB-SUP-47", "PB-OPT-4")
def test_who_needs_no_setup() -> None:
    ground = table(".", options={"artillery_setup": True}).position.ground
    assert needs_setup(ground, Unit(U(0), "su_122how", ALLIED))
    assert not needs_setup(table(".").position.ground, Unit(U(0), "su_122how", ALLIED))
    assert not needs_setup(ground, Unit(U(0), "de_pak40", AXIS))
    assert not is_artillery(Unit(U(0), "de_pak40", AXIS))
    siege = next(kind.key for kind in KINDS.values() if kind.has("siege"))
    assert setup_pct(Unit(U(0), siege, AXIS), AXIS, DEFAULTS) == Fraction(67, 2)
    always = overridden({"artillery": {"setup_pct": {"axis": 100}}}, "test")
    assert setup_pct(Unit(U(0), siege, AXIS), AXIS, always) == 100


# --- fuel ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PB-SUP-30", "PB-SUP-31", "PB-SUP-39")
def test_what_has_engines_burns_fuel_when_it_moves() -> None:
    tank = Unit(U(0), "us_m4", ALLIED)
    assert burns(tank)
    assert not burns(Unit(U(0), "us_m4", ALLIED, mode=RAIL))
    assert not needs_fuel(Unit(U(0), "su_rifle_coy", ALLIED))
    assert not needs_fuel(Unit(U(0), "su_bn_hq", ALLIED))
    grenadiers = Unit(U(0), "de_pzgren_coy", AXIS)
    assert (needs_fuel(grenadiers), burns(grenadiers)) == (True, False)
    t = table(MEADOW, unit("us_m4", "0103"), unit("su_rifle_coy", "0303"))
    t.play(Move((U(0),), t.hexes("0104")))
    t.play(Move((U(1),), t.hexes("0304")))
    assert (t.unit(0).has_burned, t.unit(1).has_burned) == (True, False)


@pytest.mark.rule("PB-SUP-32", "PB-SUP-20", "PB-TURN-8")
def test_who_burned_fuel_is_tested_at_midnight() -> None:
    def burned(*others: Any) -> Table:
        return table(MEADOW, unit("us_m4", "0103", has_burned=True), *others, minutes=MIDNIGHT)

    t = burned()
    next_turn(t, (ONE,))
    assert (t.unit(0).low_fuel, t.unit(0).has_burned) == (False, False)
    t = burned()
    next_turn(t, (HIGHEST,))
    assert t.unit(0).low_fuel
    t = burned(unit("su_bn_hq", "0101"))
    assert is_reached(t.position, t.unit(0))
    next_turn(t, (ONE, HIGHEST))
    assert not t.unit(0).low_fuel
    t = surrounded(minutes=MIDNIGHT)
    t.change(0, kind="us_m4", has_burned=True, strength=5, full=5)
    next_turn(t)
    assert t.unit(0).low_fuel


@pytest.mark.rule("PB-SUP-35", "PB-SUP-36", "PB-SUP-20")
def test_who_is_low_on_fuel_is_refueled_by_his_headquarters() -> None:
    t = table(MEADOW, unit("us_m4", "0103", low_fuel=True), unit("su_bn_hq", "0101"))
    assert t.unit(0).mp == 55
    next_turn(t, (ONE, HIGHEST))
    assert t.unit(0).low_fuel
    next_turn(t, (ONE, ONE))
    assert (t.unit(0).low_fuel, t.unit(0).mp) == (False, 110)
    t = table(MEADOW, unit("us_m4", "0103", low_fuel=True), unit("su_bn_hq", "0101"), minutes=MIDNIGHT)
    next_turn(t, (ONE, ONE))
    assert not t.unit(0).low_fuel
    alone = table(MEADOW, unit("us_m4", "0103", low_fuel=True), minutes=MIDNIGHT)
    next_turn(alone)
    assert alone.unit(0).low_fuel


# --- supply columns --------------------------------------------------------------------------------------------------


@pytest.mark.rule("PB-OPT-8", "PB-OPT-9", "PB-OOB-15")
def test_columns_give_of_their_points_and_are_refilled_on_a_source() -> None:
    options = {"explicit_supply": True}
    t = table(MEADOW, unit("su_rifle_coy", "0403", fired=True), options=options)
    assert value_of(t.position, t.unit(0)) == Fraction(4, 10)
    column = unit("any_supply", "0303", ALLIED, stores=100)
    t = table(MEADOW, unit("su_rifle_coy", "0403", fired=True), column, options=options)
    assert value_of(t.position, t.unit(0)) == Fraction(8, 10)
    assert points_for(t.position, t.unit(0)) == 14
    next_turn(t, (ONE,))
    assert t.unit(1).stores == 86
    t.change(1, broken=True)
    assert column_for(t.position, t.unit(0)) is None
    t.change(1, broken=False, stores=0)
    assert column_for(t.position, t.unit(0)) is None
    t.change(1, hex=t.hex("0101"))
    assert refilled(t.position, t.unit(1)) == 100 * t.unit(1).strength
    next_turn(t)
    assert t.unit(1).stores == 100 * t.unit(1).strength
    ship = table(MEADOW, unit("uk_destroyer", "0403", fired=True), column, options=options)
    next_turn(ship, (ONE,))
    assert ship.unit(1).stores == 100, "ships are supplied by nobody's column"
    served = table(MEADOW, unit("su_rifle_coy", "0403", fired=True), options=options)
    next_turn(served, (ONE,))
    assert not served.all(Supplied)


# --- what is shown ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("PB-SUP-51", "PB-CMD-7", "PB-CMD-17")
def test_supply_is_shown_to_its_own_side_alone() -> None:
    sections = {"supply_sources": [source("allied", "0101", 60), source("allied", "0105", 90)]}
    foe = unit("de_pz4h", "0105")
    t = table(MEADOW, unit("su_rifle_coy", "0403", isolated=True, low_ammo=True), foe, sections=sections)
    asked = {key: RULES.query(t.view(), key) for key in ("low_supply", "isolated", "sources", "detached")}
    found = {key: query.units or query.hexes for key, query in asked.items() if query is not None}
    assert found == {"low_supply": (0,), "isolated": (0,), "sources": (t.hex("0101"),), "detached": (0,)}
    report = RULES.report(t.view(), "supply")
    assert report is not None
    told = [section.title for section in report.sections]
    assert told == ["Supply", "Supply Sources", "Isolated", "Low Ammo", "How to stay supplied"]
    assert [line.value for line in report.sections[1].lines] == ["60 %", "90 %, lost"]
    (line,) = (one for one in RULES.hex_facts(t.view(), t.hex("0403")) if one.label == "Supply")
    assert line.value == "60 %"
    assert ("isolated" in badges_of(t.position, t.unit(0)), t.known(AXIS).units[0].low_ammo) == (True, False)
    bare = table(MEADOW, unit("su_rifle_coy", "0403"))
    edges = RULES.report(bare.view(), "supply")
    assert edges is not None
    assert edges.sections[1].lines[0].label == "Every hex of the map edge"
    watching = RULES.report(bare.view(SPECTATORS), "supply")
    assert watching is not None
    assert watching.sections == ()
    assert "Supply" not in [one.label for one in RULES.hex_facts(bare.view(SPECTATORS), bare.hex("0403"))]


@pytest.mark.rule("PB-GEN-21")
def test_every_number_of_the_parameter_data_can_be_read() -> None:
    report = RULES.report(table(".").view(), "parameters")
    assert report is not None
    shown = {section.title: {line.label: line.value for line in section.lines} for section in report.sections}
    assert list(shown) == list(DEFAULTS.__struct_fields__)
    assert shown["supply"]["everywhere allied"] == "80"
    assert shown["misc"]["hq restore strength %"] == "25, 75"
    assert shown["misc"]["broken requires max fatigue"] == "no"
    assert shown["quality"]["numeric A"] == "6"


# --- headquarters formed anew ----------------------------------------------------------------------------------------


@pytest.mark.rule("PB-CMD-27", "PB-CMD-18")
def test_a_lost_headquarters_is_formed_anew_disrupted_and_out_of_command() -> None:
    post = unit("su_bn_hq", "0101", gone="eliminated", strength=0, full=20)
    t = table(MEADOW, post, unit("su_rifle_coy", "0403"), unit("de_pz4h", "0701"), visibility=(2,))
    t.change(0, hex=0)
    next_turn(t, (HIGHEST,))
    assert t.unit(0).gone
    # four tenths at quality C, half of its men, and no recovery in the same turn
    next_turn(t, (ONE, 26, HIGHEST, HIGHEST))
    assert (t.at(0), t.unit(0).strength, t.unit(0).disrupted, t.unit(0).out_of_command) == ("0403", 10, True, True)
    assert t.known(AXIS).units[0].kind == "unknown"
    assert sentence(t.only(StaffsRestored), t.position).startswith("Formed anew: ")
    (told,) = t.heard(AXIS, StaffsRestored)
    assert (told.hexes, sentence(told, t.known(AXIS))) == ((), "Allies has a headquarters again")


@pytest.mark.rule("PB-CMD-27", "PB-SPOT-30", "PB-SUP-17")
def test_a_headquarters_formed_anew_is_neither_hidden_nor_cut_off_as_it_was() -> None:
    post = unit("su_bn_hq", "0101", gone="eliminated", strength=0, full=20, concealed=True, isolated=True)
    t = table(MEADOW, post, unit("su_rifle_coy", "0403"), unit("de_pz4h", "0701"))
    t.change(0, hex=0)
    t.work(lambda bench, side: restoration.restore(bench), ALLIED, (ONE, 26))
    assert (t.at(0), t.unit(0).concealed, t.unit(0).isolated) == ("0403", False, False)


@pytest.mark.rule("PB-CMD-27", "PB-FIRE-63")
def test_of_a_headquarters_that_was_lost_unseen_the_enemy_hears_nothing() -> None:
    posts = [unit("su_bn_hq", "0101", gone=gone, strength=0, full=20) for gone in ("lost", "eliminated")]
    t = table(MEADOW, *posts, unit("su_rifle_coy", "0403"), unit("de_pz4h", "0701"), visibility=(2,))
    for number in (0, 1):
        t.change(number, hex=0, formation="battalion" if number else "brigade")
    next_turn(t, (ONE, 26, ONE, 26, HIGHEST, HIGHEST, HIGHEST))
    assert [t.at(number) for number in (0, 1)] == ["0403", "0403"]
    assert [told.units for told in t.heard(AXIS, StaffsRestored)] == [(1,)]
    t.change(0, hex=0, gone="lost")
    next_turn(t, (HIGHEST, ONE, 26, HIGHEST, HIGHEST, HIGHEST))
    assert t.all(StaffsRestored)
    assert not t.heard(AXIS, StaffsRestored)


@pytest.mark.rule("PB-SUP-11", "PB-SUP-13", "PB-ENG-56")
def test_who_was_ferried_to_a_water_hex_is_supplied_from_its_banks() -> None:
    lake = ". . . .\n. ~ ~ .\n. ~ ~ .\n. . . ."
    t = table(lake, unit("su_rifle_coy", "0202", mode=TRAVEL), unit("de_rifle_coy", "0404"), visibility=(1,))
    assert not is_cut_off(t.position, t.unit(0))
    foes = [unit("de_rifle_coy", label) for label in ("0101", "0102", "0103", "0201", "0301")]
    assert is_cut_off(table(lake, unit("su_rifle_coy", "0202", mode=TRAVEL), *foes).position, t.unit(0))


@pytest.mark.rule("PB-CMD-27", "PB-STK-2")
def test_a_headquarters_is_formed_anew_where_there_is_room() -> None:
    post = unit("su_bn_hq", "0101", gone="eliminated", strength=0, full=20)
    crowd = [unit("su_rifle_coy", "0102", strength=160, full=160) for _ in range(3)]
    t = table(MEADOW, post, *crowd, unit("su_rifle_coy", "0403"))
    t.change(0, hex=0, lost_at=t.hex("0101"))
    assert restoration.place_for(t.position, t.unit(0)) == t.hex("0102")
    t.change(1, strength=161, full=170)
    assert restoration.place_for(t.position, t.unit(0)) == t.hex("0403")


@pytest.mark.rule("PB-CMD-27")
def test_no_headquarters_is_formed_beside_the_enemy() -> None:
    post = unit("su_bn_hq", "0101", gone="eliminated", strength=0)
    t = table(MEADOW, post, unit("su_rifle_coy", "0403"), unit("de_pz4h", "0503"))
    t.change(0, hex=0)
    next_turn(t)
    assert t.unit(0).gone


@pytest.mark.rule("PB-OPT-12", "PB-FAT-8", "PB-FAT-13")
def test_better_troops_rest_better_by_the_optional_rule_and_nobody_rests_at_work_or_among_mines() -> None:
    t = table(MEADOW, unit("su_rifle_coy", "0403", quality="A"), options={"quality_fatigue": True})
    assert most_rest(t.position, t.unit(0)) == 12
    assert most_rest(table(MEADOW).position, t.unit(0)) == 8
    assert had_quiet(t.position, t.unit(0))
    t.change(0, digging_in=True)
    assert not had_quiet(t.position, t.unit(0))
    mined = table(MEADOW, unit("su_rifle_coy", "0403"), features={"0403": [Feature("minefield", AXIS)]})
    assert not had_quiet(mined.position, mined.unit(0))


@pytest.mark.rule("PB-SUP-26", "PB-SUP-33", "PB-MOR-6", "PB-MOR-8")
def test_want_of_supply_weakens_fire_defense_and_morale() -> None:
    t = table(MEADOW, unit("us_m4", "0401"), unit("de_pz4h", "0403"))
    whole = shot(t.position, t.unit(0), t.unit(1)).value
    t.change(0, low_ammo=True)
    t.change(1, low_fuel=True)
    weak = shot(t.position, t.unit(0), t.unit(1)).value
    assert (weak.value / whole.value, weak.defense / whole.defense) == (0.5, 0.5)
    assert morale(as_struck(Unit(U(0), "us_m4", ALLIED, low_ammo=True, low_fuel=True)), DEFAULTS) == 3
    assert morale(as_struck(Unit(U(0), "us_m4", ALLIED, low_ammo=True, isolated=True)), DEFAULTS) == 2


@pytest.mark.rule("PB-OPT-15")
def test_by_the_option_units_break_at_maximum_fatigue_only() -> None:
    assert not table(".").position.parameters.misc.broken_requires_max_fatigue
    ground = Ground(table(".").position.ground.scenario, Options(broken_at_maximum=True))
    assert ground.parameters.misc.broken_requires_max_fatigue


@pytest.mark.rule("PB-OPT-9", "PB-SUP-9")
def test_the_card_and_the_report_tell_what_columns_have_left_and_whom_they_serve() -> None:
    counters = (
        unit("su_rifle_coy", "0403"),
        unit("any_supply", "0303", ALLIED, stores=86),
        unit("uk_destroyer", "0402"),
    )
    t = table(MEADOW, *counters, options={"explicit_supply": True})

    def told(t: Table, number: int) -> list[tuple[str, Any]]:
        card = RULES.card(t.view(), U(number))
        assert card is not None
        return [(line.label, line.value) for part in card.sections for line in part.lines if line.rule == "PB-OPT-9"]

    assert told(t, 0) == [("Supply column", "Supply column #1")]
    assert told(t, 1) == [("Carries", "86 of 1000 points")]
    assert told(t, 2) == []
    report = RULES.report(t.view(), "supply")
    assert report is not None
    (columns,) = (section for section in report.sections if section.title == "Supply columns")
    assert [(line.label, line.value) for line in columns.lines] == [("Supply column #1", "86 of 1000 points")]
    t.change(1, stores=0)
    assert told(t, 0) == [("Supply column", "none near, half the supply")]
    assert told(table(MEADOW, unit("su_rifle_coy", "0403")), 0) == []
