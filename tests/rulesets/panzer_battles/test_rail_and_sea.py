"""Trains, ships, swimmers and climbers, and vehicles that break down."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.content import MapSheet, load_scenario
from sandtable.geometry.board import Board
from sandtable.kernel.events import DiceKey
from sandtable.kernel.ruleset import Selection
from sandtable.rulesets.panzer_battles import describe
from sandtable.rulesets.panzer_battles.assault.retreat import refuges
from sandtable.rulesets.panzer_battles.engineers.orders import DamageRail
from sandtable.rulesets.panzer_battles.events import ModeChanged, MoveStopped
from sandtable.rulesets.panzer_battles.marks import marks
from sandtable.rulesets.panzer_battles.model import ALLIED, AXIS, Feature
from sandtable.rulesets.panzer_battles.movement import moves, paths
from sandtable.rulesets.panzer_battles.movement.breakdown import breakdown_chance
from sandtable.rulesets.panzer_battles.movement.costs import allowance
from sandtable.rulesets.panzer_battles.movement.orders import ChangeRail
from sandtable.rulesets.panzer_battles.movement.stacking import has_room
from sandtable.rulesets.panzer_battles.orders import Assault, ChangeMode, EndTurn, Fire, Move
from sandtable.rulesets.panzer_battles.parameters import overridden
from sandtable.rulesets.panzer_battles.ruleset import PanzerBattles
from sandtable.rulesets.panzer_battles.scenario import VOCABULARY
from tests.rulesets.panzer_battles.table import RULES, AllHighest, Table, U, table, unit
from tests.rulesets.panzer_battles.test_examples import Facts, of_kind
from tests.rulesets.panzer_battles.test_scenario import TEXT

RAILWAY = ". . . . . . .\n. . . . . . ."
LINE = {"rail": [["0101", "0201", "0301", "0401", "0501"]]}
CAPACITY = {"misc": {"rail_capacity": {"allied": 200}}}


def railway(*units: Any, **drawn: Any) -> Table:
    """A rail line from 0101 to 0501."""
    return table(RAILWAY, *units, **{"roads": LINE, "parameters": CAPACITY, "visibility": [1], **drawn})


@pytest.mark.rule("PB-MOVE-21", "PB-MOVE-30", "PB-MOVE-56")
def test_boarding_a_train_is_told_as_such_with_its_own_rule() -> None:
    t = railway(unit("us_m4", "0101"), unit("any_armtrain", "0301", ALLIED, mode="rail"), unit("de_rifle_coy", "0702"))
    for number, words in ((0, "boards a train"), (1, "halts"), (0, "leaves the train"), (1, "gets under way")):
        t.play(ChangeRail(U(number)))
        event = t.only(ModeChanged)
        assert describe.sentence(event, t.position).endswith(words)
        assert marks(event).rule == "PB-MOVE-30"
        t.change(number, mp=allowance(t.position, t.unit(number)))
    t.play(ChangeMode(U(0), "travel"))
    assert marks(t.only(ModeChanged)).rule == "PB-MOVE-26"
    t.change(1, mode="deployed")
    assert "halts" not in RULES.order_text(ChangeMode(U(1), "travel"), t.view())
    assert "gets under way" in RULES.order_text(ChangeRail(U(1)), t.view())


@pytest.mark.rule("PB-MOVE-41", "PB-MOVE-60", "PB-MOVE-61")
def test_where_no_rail_or_water_leads_is_told_by_their_own_rules() -> None:
    broken = {"0301": [Feature("rail_damage", AXIS)]}
    t = railway(unit("us_m4", "0101", mode="rail"), unit("de_rifle_coy", "0702"), features=broken, fog=False)
    ships = table("~ ~ . ~", unit("uk_destroyer", "0101"), unit("uk_lct", "0101"))
    for battle, number, to, rule in (
        (t, 0, "0501", "PB-MOVE-41"),
        (ships, 0, "0401", "PB-MOVE-60"),
        (ships, 1, "0401", "PB-MOVE-61"),
    ):
        refusal = RULES.why_not(battle.view(), "move", Selection((U(number),)), Selection(hex=battle.hex(to)))
        assert refusal is not None
        assert (refusal.rule, refusal.reason[:3]) == (rule, "no "), refusal.reason


@pytest.mark.rule("PB-MOVE-30", "PB-MOVE-32")
def test_the_preview_of_a_change_of_rail_mode_tells_its_cost_and_what_the_railways_carry() -> None:
    t = railway(
        unit("us_m4", "0101", strength=5), unit("us_rifle_coy", "0201", mode="rail", strength=100, full=160),
        unit("any_armtrain", "0301", ALLIED, mode="deployed"), unit("de_rifle_coy", "0702"),
    )  # fmt: skip
    points, crowd = RULES.explain(t.view(), ChangeRail(U(0)))
    assert (points.total, points.lines[1].value, points.lines[1].rule) == (0, -t.unit(0).mp, "PB-MOVE-30")
    assert (crowd.total, [line.value for line in crowd.lines]) == (150, [100, 50, 200])
    for number in (1, 2):
        assert [tally.total for tally in RULES.explain(t.view(), ChangeRail(U(number)))] == [0]


@pytest.mark.rule("PB-MOVE-30", "PB-MOVE-41", "PB-MOVE-126")
def test_units_board_a_train_for_all_their_points_and_go_by_rail_next_turn() -> None:
    t = railway(unit("us_m4", "0101"), unit("de_rifle_coy", "0702"))
    t.play(ChangeRail(U(0)))
    assert (t.unit(0).mode, t.unit(0).mp) == ("rail", 0)
    assert "leaves the train" in RULES.order_text(ChangeRail(U(0)), t.view())
    t.change(0, mp=60)
    assert paths.step(t.position, t.unit(0), t.hex("0101"), t.hex("0201")).cost == 2
    assert paths.step(t.position, t.unit(0), t.hex("0101"), t.hex("0102")) is paths.NO_WAY
    t.play(Move((U(0),), t.hexes("0201", "0301", "0401", "0501")), AllHighest())
    assert (t.at(0), t.unit(0).mp) == ("0501", 52)
    assert sorted(t.board.label(place) for place in paths.goals(t.position, t.unit(0))) == [
        "0101",
        "0201",
        "0301",
        "0401",
    ]


@pytest.mark.rule("PB-MOVE-85", "PB-MOVE-87", "PB-MOVE-41", "PB-SPOT-26")
def test_a_train_stops_before_damage_that_its_side_had_not_seen() -> None:
    t = railway(unit("us_m4", "0101", mode="rail"), unit("de_rifle_coy", "0401"), active=AXIS)
    t.play(DamageRail(U(1)))
    assert t.known(AXIS).features == {t.hex("0401"): (Feature("rail_damage", AXIS),)}
    assert t.known(ALLIED).features == {}
    t.change(1, hex=t.hex("0702"))
    t.play(EndTurn(), AllHighest())
    t.play(Move((U(0),), t.hexes("0201", "0301", "0401", "0501")), AllHighest())
    assert (t.at(0), t.only(MoveStopped).reason) == ("0301", moves.BARRED)
    assert t.known(ALLIED).features == {t.hex("0401"): (Feature("rail_damage", AXIS),)}


@pytest.mark.rule("PB-MOVE-24", "PB-ZOC-10")
def test_units_in_rail_mode_neither_fire_nor_assault_and_have_no_zone() -> None:
    t = railway(unit("us_m4", "0101", mode="rail"), unit("de_rifle_coy", "0201"), visibility=[5])
    assert t.refusal(Fire(U(0), U(1))).rule == "PB-FIRE-8"
    assert t.refusal(Assault((U(0),), t.hex("0201"))).rule == "PB-MOVE-24"


@pytest.mark.rule("PB-MOVE-25", "PB-MOVE-31", "PB-MOVE-32", "PB-STK-11")
def test_who_can_not_board_a_train() -> None:
    t = railway(unit("us_m4", "0102"), unit("us_rifle_coy", "0101", strength=151), unit("us_m4", "0301", mode="rail"))
    assert t.refusal(ChangeRail(U(0))).rule == "PB-MOVE-31"
    assert t.refusal(ChangeRail(U(1))).rule == "PB-MOVE-32"
    assert t.refusal(ChangeRail(U(9))).rule == "PB-GEN-3"
    t.change(1, strength=150)
    assert t.check(ChangeRail(U(1))) is None
    t.change(1, mp=3)
    assert t.refusal(ChangeRail(U(1))).rule == "PB-MOVE-30"
    crowd = [unit("us_rifle_coy", "0101", strength=160) for _ in range(4)]
    t = railway(unit("us_m4", "0101"), *crowd)
    assert t.refusal(ChangeRail(U(0))).rule == "PB-MOVE-25"
    t = railway(unit("us_m4", "0101"), features={"0101": [Feature("rail_damage")]})
    assert t.refusal(ChangeRail(U(0))).rule == "PB-MOVE-31"


@pytest.mark.rule("PB-MOVE-30", "PB-MOVE-36")
def test_leaving_the_train_costs_all_and_needs_ground_to_stand_on() -> None:
    t = railway(unit("us_m4", "0101", mode="rail"), unit("de_rifle_coy", "0702"))
    verbs = {verb.key: verb for verb in RULES.menu(t.view(), Selection(units=(U(0),)))}
    assert verbs["rail"].targets
    t.play(ChangeRail(U(0)))
    assert (t.unit(0).mode, t.unit(0).mp) == ("deployed", 0)
    assert "boards a train" in RULES.order_text(ChangeRail(U(0)), t.view())
    t = table(". F . . .", unit("de_truck", "0201", ALLIED, mode="rail"), roads=LINE, parameters=CAPACITY)
    assert t.refusal(ChangeRail(U(0))).rule == "PB-MOVE-36"


@pytest.mark.rule("PB-MOVE-30", "PB-STK-2")
def test_nobody_leaves_a_train_into_a_full_hex_or_takes_passengers_along() -> None:
    crowd = [unit("us_rifle_coy", "0101") for _ in range(3)]
    t = railway(unit("us_rifle_coy", "0101", mode="rail"), *crowd)
    assert t.refusal(ChangeRail(U(0))).rule == "PB-STK-2"
    t.change(3, hex=t.hex("0102"))
    assert t.check(ChangeRail(U(0))) is None
    t = railway(unit("us_m4", "0101"), unit("us_rifle_coy", "0101", strength=20, carrier=U(0)))
    assert t.refusal(ChangeRail(U(0))).rule == "PB-MOVE-30"


@pytest.mark.rule("PB-MOVE-41")
def test_trains_do_not_pass_damage_blown_bridges_or_zones_of_control_without_a_friend() -> None:
    def goals(*others: Any, **drawn: Any) -> list[str]:
        t = railway(unit("us_m4", "0101", mode="rail"), *others, **drawn)
        return [t.board.label(place) for place in paths.goals(t.position, t.unit(0))]

    assert goals(features={"0301": [Feature("rail_damage")]}) == ["0201"]
    assert goals(hexsides={"river": ["0201-0301"]}) == ["0201"]
    assert goals(hexsides={"river": ["0201-0301"], "rail_bridge": ["0201-0301"]}) == ["0201", "0301", "0401", "0501"]
    assert goals(hexsides={"stream": ["0201-0301"], "damaged_bridge": ["0201-0301"]}) == ["0201"]
    foe = unit("de_rifle_coy", "0502")
    assert goals(foe, visibility=[9]) == ["0201", "0301"]
    assert goals(foe, unit("us_m4", "0401"), visibility=[9]) == ["0201", "0301", "0401"]
    assert goals(unit("de_rifle_coy", "0301"), visibility=[9]) == []


@pytest.mark.rule("PB-ENG-59", "PB-MOVE-41")
def test_no_train_runs_over_a_long_bridge_that_was_blown() -> None:
    drawn: dict[str, Any] = {"roads": {"rail": [["0101", "0201", "0301"]]}, "hex_features": {"full_bridge": ["0201"]}}
    for features, passes in (({}, True), ({"0201": [Feature("broken_bridge")]}, False)):
        t = table(". ~ .", unit("su_rifle_coy", "0101", mode="rail", mp=60), features=features, **drawn)
        assert (t.check(Move((U(0),), t.hexes("0201", "0301"))) is None) is passes


@pytest.mark.rule("PB-MOVE-41", "PB-ZOC-13")
@pytest.mark.parametrize(("start", "path"), [("0101", ("0201", "0301", "0401", "0501")), ("0301", ("0401",))])
def test_a_train_stops_before_a_zone_that_it_did_not_know_of(start: str, path: tuple[str, ...]) -> None:
    t = railway(unit("us_m4", start, mode="rail"), unit("de_rifle_coy", "0502"))
    assert t.check(Move((U(0),), t.hexes(*path))) is None
    t.play(Move((U(0),), t.hexes(*path)), AllHighest())
    assert t.at(0) == "0301"
    assert t.only(MoveStopped).reason == moves.BARRED


@pytest.mark.rule("PB-MOVE-14", "PB-MOVE-41")
def test_a_train_that_bumps_into_an_enemy_in_his_own_zone_has_paid_for_the_step() -> None:
    foes = unit("de_rifle_coy", "0301", concealed=True), unit("de_rifle_coy", "0401")
    rows = ". . F . .\n. . . . ."
    t = table(rows, unit("us_m4", "0101", mode="rail"), *foes, roads=LINE, visibility=[1])
    t.play(Move((U(0),), t.hexes("0201", "0301")), AllHighest())
    assert (t.at(0), t.unit(0).mp) == ("0201", 60 - 2 - 2)
    assert t.only(MoveStopped).reason == moves.BUMP


@pytest.mark.rule("PB-STK-2", "PB-STK-5")
def test_trains_do_not_count_for_the_hex_and_share_the_limit_of_roads() -> None:
    t = railway(
        unit("us_rifle_coy", "0101", mode="rail", strength=160),
        unit("us_rifle_coy", "0201", mode="rail", strength=80),
        unit("us_rifle_coy", "0202", strength=160),
    )
    assert has_room(t.position, t.hex("0201"), (t.unit(0),))
    t.change(1, strength=100)
    assert not has_room(t.position, t.hex("0201"), (t.unit(0),))
    t.change(1, strength=450)
    assert has_room(t.position, t.hex("0201"), (t.unit(2),))


@pytest.mark.rule("PB-MOVE-56", "PB-MOVE-32")
def test_rail_units_move_on_rails_alone_and_do_not_count_against_the_capacity() -> None:
    t = railway(unit("any_armtrain", "0101", ALLIED, mode="rail"), parameters={})
    assert t.refusal(ChangeMode(U(0), "travel")).rule == "PB-MOVE-56"
    t.play(Move((U(0),), t.hexes("0201", "0301")))
    assert t.at(0) == "0301"
    t.change(0, mode="deployed")
    assert t.refusal(Move((U(0),), t.hexes("0401"))).rule == "PB-MOVE-56"
    assert t.check(ChangeRail(U(0))) is not None, "it has not all of its points"
    t.change(0, mp=allowance(t.position, t.unit(0)))
    assert RULES.order_text(ChangeRail(U(0)), t.view()).endswith("gets under way")
    t.play(ChangeRail(U(0)))
    assert (t.unit(0).mode, t.unit(0).mp) == ("rail", 0)
    t = railway(unit("any_armtrain", "0301", ALLIED, mode="rail"), unit("us_m4", "0101", strength=20))
    assert t.check(ChangeRail(U(1))) is None


@pytest.mark.rule("PB-MOVE-24", "PB-MOVE-30", "PB-MOVE-56")
def test_an_armored_train_halts_to_fire_and_does_not_fall_back() -> None:
    t = railway(unit("any_armtrain", "0301", ALLIED, mode="rail"), unit("de_rifle_coy", "0502"), visibility=[9])
    assert t.refusal(Fire(U(0), U(1))).rule == "PB-FIRE-8"
    assert RULES.order_text(ChangeRail(U(0)), t.view()).endswith("halts")
    assert refuges(t.position, t.unit(0), t.hexes("0401"))
    t.play(ChangeRail(U(0)))
    assert (t.unit(0).mode, t.unit(0).mp) == ("deployed", 0)
    t.change(0, mp=60)
    assert t.check(Fire(U(0), U(1))) is None
    assert refuges(t.position, t.unit(0), t.hexes("0401")) == []


@pytest.mark.rule("PB-MOVE-12")
def test_a_broken_unit_in_rail_mode_does_not_move() -> None:
    t = railway(unit("us_m4", "0101", mode="rail", broken=True))
    assert t.refusal(Move((U(0),), t.hexes("0201"))).rule == "PB-MOVE-12"


@pytest.mark.rule("PB-MOVE-56")
def test_a_rail_unit_begins_in_rail_mode() -> None:
    board = Board.build("b", 6, 4, meters=True, terrain={"0202": "forest"}, road_kinds={"rail": [["0101", "0201"]]})
    text = TEXT.replace('type = "us_m4"', 'type = "any_armtrain"').replace('at = "0202"', 'at = "0301"')
    scenario = load_scenario(text.encode(), VOCABULARY, {"b": MapSheet(board)})
    position = PanzerBattles().setup(scenario, {}, DiceKey("x")).position
    assert [unit.mode for unit in position.units if unit.kind == "any_armtrain"] == ["rail"]
    halted = text.replace('mode = "travel"', 'mode = "deployed"')
    scenario = load_scenario(halted.encode(), VOCABULARY, {"b": MapSheet(board)})
    position = PanzerBattles().setup(scenario, {}, DiceKey("x")).position
    assert [unit.mode for unit in position.units if unit.kind == "any_armtrain"] == ["deployed"]


@pytest.mark.rule("PB-UNIT-11")
def test_an_immobile_unit_never_moves() -> None:
    t = railway(unit("us_m4", "0101", flags=("immobile",)))
    assert t.refusal(Move((U(0),), t.hexes("0201"))).rule == "PB-UNIT-11"


@pytest.mark.rule("PB-OOB-12", "PB-OOB-16")
def test_rail_mode_shows_its_own_symbol() -> None:
    t = railway(unit("us_m4", "0101"), unit("us_m4", "0201", mode="rail"))
    marks = {one.id: one.mark for one in RULES.pieces(t.view())}
    assert (marks[U(0)], marks[U(1)]) == ("armor", "rail")


# --- at sea ---------------------------------------------------------------------------------------------------------

SHORE = """
~ ~ ~ ~ ~ s .
~ ~ ~ ~ ~ s .
~ ~ ~ ~ ~ s .
"""


@pytest.mark.rule("PB-MOVE-60", "PB-MOVE-61", "PB-MAP-10")
def test_ships_keep_off_the_shore_and_landing_craft_come_up_to_it() -> None:
    t = table(SHORE, unit("uk_destroyer", "0202"), unit("uk_lct", "0202"))

    def goals(number: int) -> set[str]:
        return {t.board.label(place) for place in paths.goals(t.position, t.unit(number))}

    assert "0402" in goals(0)
    assert not goals(0) & {"0602", "0702"}
    assert "0602" in goals(1)
    assert "0702" not in goals(1)
    assert paths.step(t.position, t.unit(0), t.hex("0202"), t.hex("0302")).cost == 4
    assert t.refusal(ChangeMode(U(0), "travel")).rule == "PB-MOVE-60"


@pytest.mark.rule("PB-MOVE-61")
def test_a_ship_does_not_come_beside_land() -> None:
    t = table("~ ~ .", unit("uk_destroyer", "0101"))
    assert paths.goals(t.position, t.unit(0)) == []


@pytest.mark.rule("PB-MOVE-62")
def test_ships_do_not_cross_dikes() -> None:
    t = table(SHORE, unit("uk_lct", "0202"), hexsides={"dike": ["0202-0302"]})
    assert paths.step(t.position, t.unit(0), t.hex("0202"), t.hex("0302")) is paths.NO_WAY


@pytest.mark.rule("PB-STK-6")
def test_four_ships_fit_into_a_hex() -> None:
    t = table(SHORE, unit("uk_destroyer", "0202"), *(unit("uk_destroyer", "0302") for _ in range(4)))
    assert not has_room(t.position, t.hex("0302"), (t.unit(0),))
    t.change(4, hex=t.hex("0102"))
    assert has_room(t.position, t.hex("0302"), (t.unit(0),))


@pytest.mark.rule("PB-MOVE-57", "PB-MOVE-58", "PB-MOVE-75")
def test_amphibious_units_swim_rivers_and_water_near_land_for_all_their_points() -> None:
    t = table(". . ~ ~ ~", unit("uk_dd_sherman", "0101", mode="travel"), hexsides={"river": ["0101-0201"]})
    whole = allowance(t.position, t.unit(0))
    assert paths.step(t.position, t.unit(0), t.hex("0101"), t.hex("0201")).cost == whole
    assert paths.goals(t.position, t.unit(0)) == list(t.hexes("0201"))
    assert paths.step(t.position, t.unit(0), t.hex("0201"), t.hex("0301")).cost == whole
    assert paths.step(t.position, t.unit(0), t.hex("0301"), t.hex("0401")) is paths.NO_WAY
    t.play(Move((U(0),), t.hexes("0201")))
    assert (t.at(0), t.unit(0).mp) == ("0201", 0)
    t.change(0, hex=t.hex("0301"), mp=whole)
    assert paths.step(t.position, t.unit(0), t.hex("0301"), t.hex("0201")).cost < whole
    t.change(0, mode="deployed", hex=t.hex("0101"))
    assert paths.step(t.position, t.unit(0), t.hex("0101"), t.hex("0201")) is paths.NO_WAY
    t.change(0, mode="travel", mp=whole - 1)
    assert t.refusal(Move((U(0),), t.hexes("0201"))).rule == "PB-MOVE-1"


@pytest.mark.rule("PB-MOVE-57")
def test_where_roads_cross_the_river_they_are_used() -> None:
    t = table(
        ". . .",
        unit("uk_dd_sherman", "0101", mode="travel"),
        hexsides={"river": ["0101-0201"], "heavy_bridge": ["0101-0201"]},
        roads={"primary": [["0101", "0201"]]},
    )
    assert paths.step(t.position, t.unit(0), t.hex("0101"), t.hex("0201")).cost == 4


@pytest.mark.rule("PB-MOVE-59")
def test_commandos_cross_any_hexside_for_all_their_points() -> None:
    t = table(". . ~", unit("us_ranger_coy", "0101"), unit("us_rifle_coy", "0101"), hexsides={"cliff": ["0101-0201"]})
    step = paths.step(t.position, t.unit(0), t.hex("0101"), t.hex("0201"))
    assert step.cost == allowance(t.position, t.unit(0))
    assert paths.step(t.position, t.unit(1), t.hex("0101"), t.hex("0201")) is paths.NO_WAY
    assert paths.step(t.position, t.unit(0), t.hex("0201"), t.hex("0301")) is paths.NO_WAY
    foe = table(". .", unit("us_ranger_coy", "0101"), unit("de_rifle_plt", "0201"), hexsides={"cliff": ["0101-0201"]})
    assert foe.check(Assault((U(0),), foe.hex("0201"))) is None


# --- breakdown ------------------------------------------------------------------------------------------------------


@of_kind("breakdown")
def test_how_likely_vehicles_break_down(situation: Facts, expected: Facts) -> None:
    parameters = overridden({"misc": {"vehicle_breakdown": {"allied": situation["B"]}}}, "x")
    (tanks,) = table(".", unit("us_m4", "0101")).position.units
    tanks = replace(tanks, strength=situation["vehicles"], quality=situation["q"])
    if situation.get("low_reliability"):
        tanks = replace(tanks, flags=("low_reliability",))
    chance = breakdown_chance(tanks, situation["cost"], parameters)
    assert float(chance) == pytest.approx(expected.get("p", expected.get("p_per_hex")), abs=1e-6)
    if "hexes" in situation:
        assert chance * situation["hexes"] == expected["expected_losses"]


@pytest.mark.rule("PB-MOVE-111", "PB-MOVE-113", "PB-VIC-13", "PB-UNIT-15")
def test_a_vehicle_breaks_down_on_the_way_and_is_a_loss_but_never_the_last() -> None:
    rate = {"misc": {"vehicle_breakdown": {"allied": 10}}}
    t = table(RAILWAY, unit("us_m4", "0101", strength=4), unit("de_rifle_coy", "0702"), parameters=rate, visibility=[1])
    order = Move((U(0),), t.hexes("0201", "0301"))
    odds = RULES.odds(t.view(), order)
    assert odds is not None
    (worn,) = [tally for tally in odds.tally if tally.title.startswith("Breakdown of")]
    assert len(worn.lines) == 2
    # what the die can do stands among the results
    assert [one.result for one in odds.branches] == ["moves to 0301", "moves to 0301; a vehicle or more breaks down"]
    assert f"{float(odds.branches[1].chance):.1%}" == worn.total
    assert (sum(one.chance for one in odds.branches), odds.dice, odds.exact) == (1, 1, True)
    t.play(order, dice=[1, 2000])
    assert (t.unit(0).strength, t.at(0)) == (3, "0301")
    assert t.known(ALLIED).losses[ALLIED] == {"us_m4": 1}
    assert t.position.wrecks == {t.hex("0201"): 1}
    t.change(0, strength=1)
    t.play(Move((U(0),), t.hexes("0401")))
    assert t.unit(0).strength == 1


@pytest.mark.rule("PB-MOVE-111")
def test_men_do_not_break_down() -> None:
    parameters = overridden({"misc": {"vehicle_breakdown": {"axis": 10}}}, "x")
    (men,) = table(".", unit("de_rifle_coy", "0101")).position.units
    assert breakdown_chance(men, 9, parameters) == Fraction(0)
    assert men.side == AXIS
