"""Mines, obstacles, congestion, rubble and raised roads on the way of those who move."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sandtable.kernel.forecast import Arrival
from sandtable.kernel.ids import HexId
from sandtable.rulesets.panzer_battles.describe import sentence
from sandtable.rulesets.panzer_battles.engineers.events import FeatureChanged, MinesTouched, WorkChanged
from sandtable.rulesets.panzer_battles.events import MoveStopped, Struck
from sandtable.rulesets.panzer_battles.menu import move_warning
from sandtable.rulesets.panzer_battles.model import ALLIED, AXIS, TRAVEL, Feature
from sandtable.rulesets.panzer_battles.movement import moves, paths
from sandtable.rulesets.panzer_battles.movement.minefields import blast
from sandtable.rulesets.panzer_battles.orders import Move
from sandtable.rulesets.panzer_battles.spotting.obstacles import obstacle
from sandtable.rulesets.panzer_battles.spotting.sight import sees, wreck_tops
from tests.rulesets.panzer_battles.table import RULES, AllHighest, Table, U, table, unit

MINES = Feature("minefield", ALLIED, 2)
OBSTACLE = Feature("obstacle")
JAM = Feature("congestion", ALLIED)
RUBBLE, CLEARED = Feature("rubble"), Feature("cleared_rubble")


def cost(t: Table, label: str, number: int = 0) -> int:
    """What entering a hex beside it costs a unit, as its side knows."""
    known = t.known(t.unit(number).side)
    return paths.step(known, known.units[number], known.units[number].hex, t.hex(label)).cost


@pytest.mark.rule("PB-MOVE-82")
@pytest.mark.rule("PB-MOVE-83")
def test_a_minefield_costs_a_third_of_the_allowance_for_each_of_its_strength_and_clearers_one_third() -> None:
    t = table(". . .", unit("su_rifle_coy", "0101"), unit("su_sapper_coy", "0101"), features={"0201": [MINES]})
    assert cost(t, "0201") == 24
    assert cost(t, "0201", 1) == 12
    t = table(". F .", unit("su_t34_76", "0101"), features={"0201": [Feature("minefield", ALLIED, 1)]}, condition="mud")
    ma = t.unit(0).mp
    assert cost(t, "0201") == max(-(-ma // 3), paths.step(t.position, t.unit(0), t.unit(0).hex, t.hex("0201")).normal)


@pytest.mark.rule("PB-MOVE-80")
@pytest.mark.rule("PB-MOVE-81")
@pytest.mark.rule("PB-MOVE-85")
@pytest.mark.rule("PB-MOVE-11")
def test_mines_of_its_own_side_attack_who_enters_and_stop_the_move() -> None:
    t = table(". . .\n. . .", unit("su_rifle_coy", "0101"), features={"0201": [MINES]})
    t.play(Move((U(0),), t.hexes("0201", "0202")), AllHighest())
    assert t.at(0) == "0201"
    assert t.unit(0).mp == 12
    touched = t.only(MinesTouched)
    assert sentence(touched, t.position).endswith("is among mines in 0201")
    assert t.only(Struck).lost > 0
    assert t.only(MoveStopped).reason == "it is among mines"


@pytest.mark.rule("PB-MOVE-82")
def test_mines_that_nobody_knew_of_take_what_there_is() -> None:
    t = table(". . .", unit("su_rifle_coy", "0101", mp=18), features={"0301": [Feature("minefield", AXIS, 3)]})
    t.play(Move((U(0),), t.hexes("0201", "0301")), AllHighest())
    assert (t.at(0), t.unit(0).mp) == ("0301", 0)
    assert t.only(MinesTouched).hex == t.hex("0301")
    assert t.heard(ALLIED, MinesTouched)
    assert not t.heard(AXIS, MinesTouched)


@pytest.mark.rule("PB-MOVE-83")
@pytest.mark.rule("PB-ENG-22")
def test_who_clears_mines_is_not_attacked_and_is_at_it_at_once() -> None:
    t = table(". .", unit("su_sapper_coy", "0101"), features={"0201": [MINES]})
    t.play(Move((U(0),), t.hexes("0201")))
    assert not t.all(MinesTouched)
    assert t.only(WorkChanged).operation == "clearing"
    assert sentence(t.only(WorkChanged), t.position).endswith("begins to clear mines")
    t = table(". .", unit("su_sapper_coy", "0101", mode=TRAVEL), features={"0201": [MINES]})
    t.play(Move((U(0),), t.hexes("0201")))
    assert not t.all(WorkChanged)


@pytest.mark.rule("PB-ENG-26")
def test_through_lanes_friends_in_travel_mode_pass_at_the_normal_cost() -> None:
    t = table(
        ". .",
        unit("su_rifle_coy", "0101", mode=TRAVEL),
        unit("su_sapper_coy", "0201", operation="clearing", progress=1),
        features={"0201": [MINES]},
    )
    assert cost(t, "0201") == 9
    t.play(Move((U(0),), t.hexes("0201")))
    assert not t.all(MinesTouched)
    t.change(1, progress=0)
    t.change(0, hex=t.hex("0101"), mp=36)
    assert cost(t, "0201") == 24


@pytest.mark.rule("PB-MOVE-81")
def test_mines_in_shallow_water_are_worth_half_and_riders_outside_suffer_four_times() -> None:
    t = table(". s", unit("su_smg_coy", "0101"), features={"0101": [MINES], "0201": [MINES]})
    dry, wet = (blast(t.position, t.unit(0), place) for place in t.hexes("0101", "0201"))
    outside = blast(t.position, t.unit(0), t.hex("0101"), rides=True)
    assert dry is not None
    assert wet is not None
    assert outside is not None
    assert wet.interval.high == pytest.approx(dry.interval.high / 2)
    assert outside.interval.high == pytest.approx(dry.interval.high * 4 * t.unit(0).of.defense / 16)


@pytest.mark.rule("PB-MOVE-81")
def test_known_mines_on_the_way_are_forecast() -> None:
    t = table(". .", unit("su_rifle_coy", "0101"), unit("su_sapper_coy", "0101"), features={"0201": [MINES]})
    forecast = RULES.odds(t.view(), Move((U(0),), t.hexes("0201")))
    assert forecast is not None
    assert [reaction.text for reaction in forecast.reactions] == ["mines in 0201"]
    calm = RULES.odds(t.view(), Move((U(1),), t.hexes("0201")))
    assert calm is not None
    assert not calm.reactions


@pytest.mark.rule("PB-MOVE-11", "PB-MOVE-51", "PB-MOVE-81")
def test_a_move_through_known_mines_is_forecast_to_end_among_them_with_what_they_do_to_riders() -> None:
    rows = ". . .\n. . ."
    aboard = unit("us_rifle_coy", "0101", strength=10, carrier=U(0))
    t = table(rows, unit("us_m4", "0101"), aboard, features={"0201": [MINES]})
    through = Move((U(0),), t.hexes("0201", "0301"))
    forecast = RULES.odds(t.view(), through)
    assert forecast is not None
    assert [branch.result for branch in forecast.branches] == ["moves to 0201, where mines stop it"]
    assert forecast.arrival == Arrival("0", "0")
    texts = [reaction.text for reaction in forecast.reactions]
    assert texts == ["mines in 0201", "mines in 0201, to Rifle company #1 on the outside"]
    assert move_warning(t.position, ALLIED, through) == "mines in 0201 stop it"
    t.play(through, AllHighest())
    assert t.at(0) == "0201"
    assert t.only(MoveStopped).reason == moves.MINED
    calm = table(rows, unit("us_m4", "0101", flags=("mine_clear",)), aboard, features={"0201": [MINES]})
    forecast = RULES.odds(calm.view(), through)
    assert forecast is not None
    assert not forecast.reactions
    assert move_warning(calm.position, ALLIED, through) == ""


@pytest.mark.rule("PB-ENG-26", "PB-MOVE-51")
def test_who_rides_goes_through_lanes_as_his_carrier_does() -> None:
    t = table(
        ". .", unit("su_t34_76", "0101", mode=TRAVEL), unit("su_smg_coy", "0101", strength=20, carrier=U(0)),
        unit("su_sapper_coy", "0201", operation="clearing", progress=1), features={"0201": [MINES]},
    )  # fmt: skip
    t.play(Move((U(0),), t.hexes("0201")))
    assert t.at(1) == "0201"
    assert not t.all(MinesTouched)


@pytest.mark.rule("PB-MOVE-11", "PB-SPOT-19", "PB-SPOT-32")
def test_without_fog_a_move_is_forecast_to_stop_where_an_enemy_comes_into_sight() -> None:
    way = ("0102", "0202", "0302", "0303")
    for fog, told, chances in (
        (False, "moves to 0102, where an enemy comes into sight", Arrival("0", "0")),
        (True, "moves to 0303", None),
    ):
        t = table(BEHIND_A_WOOD, unit("us_m4", "0101"), unit("de_truck", "0501"), fog=fog)
        order = Move((U(0),), t.hexes(*way))
        forecast = RULES.odds(t.view(), order)
        assert forecast is not None
        assert (forecast.branches[0].result, forecast.arrival) == (told, chances)
        t.play(order)
        assert (t.at(0), t.only(MoveStopped).reason) == ("0102", moves.CONTACT)


@pytest.mark.rule("PB-MOVE-11", "PB-SPOT-31", "PB-SPOT-32")
def test_who_fires_and_is_out_of_sight_for_a_while_may_stop_a_move_once_more() -> None:
    wood = ". . . . . F\n. F . . . .\n. . . . . ."
    t = table(wood, unit("us_m5", "0101"), unit("de_pak40", "0601"), fog=False)
    forecast = RULES.odds(t.view(), Move((U(0),), t.hexes("0102", "0103", "0203", "0303")))
    assert forecast is not None
    assert forecast.arrival == Arrival("1", "0")


BEHIND_A_WOOD = ". . F . .\n. . . . .\n. . . . ."


@pytest.mark.rule("PB-MOVE-73")
@pytest.mark.rule("PB-MOVE-74")
@pytest.mark.rule("PB-MOVE-75")
def test_an_obstacle_costs_the_whole_allowance_and_half_of_it_in_shallow_water() -> None:
    t = table(
        ". . s",
        unit("su_rifle_coy", "0101"),
        unit("su_rifle_coy", "0101"),
        features={"0201": [OBSTACLE], "0301": [OBSTACLE]},
    )
    assert cost(t, "0201") == 36
    t.change(1, hex=t.hex("0201"), mp=36)
    assert cost(t, "0301", 1) == 24
    t.change(0, mp=35)
    assert t.refusal(Move((U(0),), t.hexes("0201"))).rule == "PB-MOVE-1"


@pytest.mark.rule("PB-MOVE-76")
@pytest.mark.rule("PB-MOVE-77")
def test_congestion_costs_the_side_that_it_is_for_the_whole_allowance() -> None:
    t = table(
        ". . .",
        unit("su_rifle_coy", "0101"),
        unit("de_rifle_coy", "0301"),
        features={"0201": [JAM]},
        fog=False,
    )
    assert cost(t, "0201") == 36
    assert cost(t, "0201", 1) == 9


@pytest.mark.rule("PB-MOVE-71")
@pytest.mark.rule("PB-MOVE-72")
def test_rubble_triples_the_cost_and_stops_the_road_and_cleared_it_leaves_the_road() -> None:
    def drawn(*found: Feature) -> int:
        t = table(
            ". T",
            unit("su_t34_76", "0101", mode=TRAVEL),
            roads={"primary": [["0101", "0201"]]},
            features={"0201": found} if found else None,
        )
        return cost(t, "0201")

    assert [drawn(), drawn(RUBBLE), drawn(CLEARED)] == [4, 36, 4]
    t = table(". T", unit("su_t34_76", "0101"), features={"0201": [CLEARED]})
    assert cost(t, "0201") == 36


@pytest.mark.rule("PB-MOVE-40")
@pytest.mark.rule("PB-MAP-5")
def test_a_raised_road_is_climbed_like_an_embankment_unless_one_comes_along_it() -> None:
    def drawn(mode: str) -> int:
        t = table(
            ". .",
            unit("su_t34_76", "0101", mode=mode),
            roads={"primary": [["0101", "0201"]]},
            hex_features={"raised": ["0201"]},
        )
        return cost(t, "0201")

    bank = table(". .", unit("su_t34_76", "0101"), hexsides={"embankment": ["0101-0201"]})
    assert drawn("deployed") == cost(bank, "0201")
    assert drawn(TRAVEL) == 4


@pytest.mark.rule("PB-MOVE-40")
@pytest.mark.rule("PB-SPOT-9")
def test_a_raised_road_stands_in_the_line_of_sight() -> None:
    bank = {"raised": ["0201", "0202", "0203"]}
    for raised, is_seen in ((None, True), (bank, False)):
        t = table("\n".join([". . ."] * 3), unit("su_rifle_coy", "0101"), hex_features=raised)
        assert sees(t.position, t.hex("0101"), t.hex("0301")) is is_seen
    found = obstacle(t.position, t.hex("0102"), t.hex("0302"))
    assert (found.words, found.top, found.rule) == ("embankment in 0201", 2, "PB-SPOT-9")


@pytest.mark.rule("PB-SPOT-8")
@pytest.mark.rule("PB-SPOT-12")
def test_wrecks_do_not_lower_the_bank_that_they_lie_on() -> None:
    bank = {"raised": ["0201", "0202"]}
    high = {"hexside": {"height_m": {"embankment": 12}}}
    t = table(". . .\n. . .", unit("su_rifle_coy", "0101"), hex_features=bank, parameters=high)
    t.set(wrecks={t.hex("0201"): 8})
    assert wreck_tops(t.position) == {}


@pytest.mark.rule("PB-MOVE-90")
def test_a_rail_bridge_bears_infantry_and_in_travel_mode_one_drives_on_the_bed_of_the_line() -> None:
    for kind, there in (("su_rifle_coy", 9), ("su_t34_76", 0)):
        t = table(
            ". .",
            unit(kind, "0101", mode=TRAVEL),
            roads={"rail": [["0101", "0201"]]},
            hexsides={"river": ["0101-0201"], "rail_bridge": ["0101-0201"]},
        )
        assert cost(t, "0201") == there


@pytest.mark.rule("PB-MOVE-97")
@pytest.mark.rule("PB-MAP-6")
def test_a_ferry_in_a_water_hex_takes_the_whole_allowance_of_who_travels_and_is_left_as_any_hex() -> None:
    t = table(". ~ .", unit("su_rifle_coy", "0101", mode=TRAVEL), hex_features={"full_ferry": ["0201"]})
    assert cost(t, "0201") == 36
    t.play(Move((U(0),), t.hexes("0201")))
    assert t.unit(0).mp == 0
    t.change(0, mp=36)
    assert cost(t, "0301") == 9
    ship = table("~ ~ ~", unit("uk_lct", "0101"), hex_features={"full_ferry": ["0201"]})
    assert cost(ship, "0201") == 4, "a ship pays what water costs"
    t = table(". ~ .", unit("su_rifle_coy", "0101"), hex_features={"full_ferry": ["0201"]})
    assert cost(t, "0201") == 0


@pytest.mark.rule("PB-ENG-52")
@pytest.mark.rule("PB-ENG-59")
def test_a_pontoon_is_a_road_over_water_and_a_broken_bridge_is_none() -> None:
    t = table(
        """
        . ~ .
        . . .
        """,
        unit("su_t34_76", "0101", mode=TRAVEL),
        features={"0201": [Feature("pontoon", count=2)]},
    )
    assert [cost(t, "0201")] == [5]
    t.change(0, hex=t.hex("0201"))
    assert cost(t, "0302") == 0 or t.board.direction(t.hex("0201"), t.hex("0302")) in (2, 5)
    t = table(
        ". ~ .",
        unit("su_t34_76", "0101", mode=TRAVEL),
        roads={"primary": [["0101", "0201", "0301"]]},
        hex_features={"full_bridge": ["0201"]},
    )
    assert cost(t, "0201") == 4
    t.set(features={t.hex("0201"): (Feature("broken_bridge"),)})
    assert cost(t, "0201") == 0


@pytest.mark.rule("PB-FIRE-68")
def test_a_work_that_the_enemy_enters_is_vacated() -> None:
    t = table(". .", unit("su_rifle_coy", "0101"), features={"0201": [Feature("trench", AXIS)]})
    t.play(Move((U(0),), t.hexes("0201")))
    assert t.only(FeatureChanged).new == Feature("trench", AXIS, vacated=True)
    assert sentence(t.only(FeatureChanged), t.position) == "Now in 0201: trench, vacated"


@pytest.mark.rule("PB-MOVE-117")
@pytest.mark.rule("PB-MOVE-118")
def test_a_way_leads_around_known_mines_but_reach_counts_what_lies_behind_them() -> None:
    t = table(
        """
        . . . .
        . . . .
        """,
        unit("su_t34_76", "0101"),
        unit("su_sapper_coy", "0101"),
        features={"0201": [Feature("minefield", ALLIED, 1)], "0202": [MINES]},
    )
    known = t.known(ALLIED)
    goal = t.hex("0301")
    assert goal in paths.reach(known, known.units[0])
    direct = paths.way(known, known.units[0], goal)
    assert set(direct) & set(t.hexes("0201", "0202"))
    t.set(features={t.hex("0201"): (MINES,), t.hex("0402"): (RUBBLE,)})
    known = t.known(ALLIED)
    assert not set(paths.way(known, known.units[0], goal)) & set(t.hexes("0201"))
    t.change(0, mp=1)
    known = t.known(ALLIED)
    assert paths.way(known, known.units[0], t.hex("0401")) == t.hexes("0401")


KINDS = st.sampled_from(["su_rifle_coy", "su_t34_76", "su_sapper_coy"])
LYING = st.sampled_from([MINES, Feature("minefield", ALLIED, 1), OBSTACLE, JAM, RUBBLE, CLEARED])
PLACES = [f"{col:02}{row:02}" for col in range(1, 6) for row in range(1, 5)]


@settings(max_examples=40, deadline=None)
@given(
    KINDS,
    st.dictionaries(st.sampled_from(PLACES[1:]), LYING, max_size=8),
    st.lists(st.sampled_from(PLACES[4:]), max_size=2, unique=True),
    st.sampled_from(["deployed", TRAVEL]),
)
def test_the_search_and_the_single_step_agree_on_what_ways_cost(
    kind: str, lying: dict[str, Feature], foes: list[str], mode: str
) -> None:
    t = table(
        """
        . T . T .
        . . T . .
        T . . T .
        . . . . .
        """,
        unit(kind, "0101", mode=mode),
        *(unit("de_rifle_coy", label) for label in foes),
        roads={"secondary": [["0101", "0201", "0301"]]},
        features={label: [one] for label, one in lying.items()},
        fog=False,
    )
    mover = t.unit(0)
    found = paths.reach(t.position, mover)
    for goal, least in found.items():
        here, paid = mover.hex, 0
        for to in found.path_to(goal):
            paid += paths.step(t.position, mover, here, HexId(to)).cost
            here = HexId(to)
        assert paid == least
