"""Moving: costs, roads, crossings, stops and the order of moves."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from sandtable.content import MapSheet
from sandtable.kernel.decisions import Refusal
from sandtable.kernel.dice import PromptDice
from sandtable.kernel.ids import HexId, RuleId
from sandtable.kernel.trace import Line
from sandtable.rulesets.panzer_leader import assault, costs, mobility, movement, works
from sandtable.rulesets.panzer_leader.events import (
    BridgeLaid,
    ControlTaken,
    CrossingTried,
    DieCast,
    FortCaptured,
    MineLifted,
    MoveEnded,
    UnitDestroyed,
    UnitDispersed,
    UnitExited,
    UnitLanded,
    UnitMoved,
)
from sandtable.rulesets.panzer_leader.ground import Ground
from sandtable.rulesets.panzer_leader.model import ALLIED, DESTROYED, EXITED, GERMAN, Mover, Unit
from sandtable.rulesets.panzer_leader.orders import CloseAssault, LeaveMap, MoveUnit
from sandtable.rulesets.panzer_leader.scenario import Exit, Sections, Victory
from tests.rulesets.panzer_leader.table import Table, U, ids, open_board, table, unit

VEHICLES, FOOT = "vehicle movement", "foot movement"


def strip(letters: str) -> str:
    """A board one hex wide, from 0101 down."""
    return "\n".join(letters)


def column(rows: str, *units: Any, step: str = VEHICLES, **fields: Any) -> Table:
    return table(strip(rows), *units, step=step, **fields)


def move(t: Table, number: int, *labels: str, gait: str = "") -> MoveUnit:
    return MoveUnit(U(number), t.hexes(*labels), gait)


def cost(t: Table, a: str, b: str, number: int = 0, **how: Any) -> int | None:
    return movement.step_cost(t.position, t.unit(number), t.hex(a), t.hex(b), **how)


def reached(t: Table, number: int = 0, gait: str = "") -> dict[str, int]:
    found = movement.reach(t.position, t.unit(number), gait)
    return {t.board.label(place): points for place, points in found.items()}


# --- costs ----------------------------------------------------------------------------------------------------------

# half points by terrain letter; None where the unit may not go
TRUCK = {".": 4, "T": 1, "W": 4, "M": None, "S": 10, "F": 10, "R": None, "B": 4, "O": None}
TANK = {".": 2, "T": 1, "W": 2, "M": None, "S": 6, "F": 6, "R": None, "B": 4, "O": None}
INFANTRY = {".": 2, "T": 1, "W": 2, "M": 2, "S": 2, "F": 2, "R": 2, "B": 2, "O": None}


@pytest.mark.rule("PL-209", "PL-603", "PL-304")
@pytest.mark.parametrize(("key", "chart"), [("a_truck", TRUCK), ("a_m4_75", TANK), ("a_rifle", INFANTRY)])
@pytest.mark.parametrize("letter", TANK)
def test_a_unit_pays_for_the_hex_it_enters(key: str, chart: dict[str, int | None], letter: str) -> None:
    t = column("." + letter, unit(key, "0101"), step=FOOT if key == "a_rifle" else VEHICLES)
    assert cost(t, "0101", "0102") == chart[letter]
    assert ("0102" in reached(t)) == (chart[letter] is not None)


def test_a_step_joins_neighbors_on_the_map() -> None:
    t = column("...", unit("a_m4_75", "0101"))
    assert cost(t, "0101", "0103") is None
    assert movement.step_cost(t.position, t.unit(0), t.hex("0101"), HexId(0)) is None
    assert movement.step_cost(t.position, t.unit(0), HexId(-7), t.hex("0101")) is None


@pytest.mark.rule("PL-214")
def test_a_wooded_slope_costs_what_the_dearer_of_the_two_costs() -> None:
    t = column(".F", unit("a_m4_75", "0101"))
    assert cost(t, "0101", "0102") == TANK["S"]


@pytest.mark.rule("PL-603")
def test_half_points_are_kept_exactly() -> None:
    t = column("..TTTTT", unit("b_churchill7", "0101"))  # five points: one hex of clear, five of town leave 1.5
    t.play(move(t, 0, "0102", "0103", "0104", "0105", "0106", "0107"))
    assert t.position.mover == Mover(U(0), t.hex("0101"), spent=7, hexes=6)
    assert movement.allowance(t.position, t.unit(0)) == 10


@pytest.mark.rule("PL-603")
def test_a_path_beyond_the_allowance_is_refused() -> None:
    t = column("..........", unit("b_churchill7", "0101"))
    far = [f"01{row:02}" for row in range(2, 8)]
    assert t.check(move(t, 0, *far[:5])) is None
    assert t.refusal(move(t, 0, *far)) == Refusal(RuleId("PL-603"), "not enough movement points to reach 0107")


@pytest.mark.rule("PL-604")
def test_a_unit_with_one_point_always_moves_one_hex_as_its_only_one() -> None:
    t = column(".S.", unit("a_rifle", "0101"), step=FOOT)
    assert t.refusal(move(t, 0, "0102", "0103")).rule == "PL-603"
    t.play(move(t, 0, "0102"))
    assert t.unit(0).hex == t.hex("0102")
    assert t.refusal(move(t, 0, "0103")).rule == "PL-603"


@pytest.mark.rule("PL-604")
def test_not_even_so_into_a_forbidden_hex_or_over_a_forbidden_side() -> None:
    t = column(".O", unit("a_rifle", "0101"), step=FOOT)
    assert t.refusal(move(t, 0, "0102")).rule == "PL-209"
    t = column("..", unit("a_81mm", "0101"), step=FOOT, hexsides={"cliff": ["0101-0102"]})
    assert t.refusal(move(t, 0, "0102")).rule == "PL-621"


@pytest.mark.rule("PL-604")
def test_a_unit_without_movement_never_moves_by_itself() -> None:
    t = column("..", unit("g_88", "0101"), step=FOOT, phasing=GERMAN)
    assert t.refusal(move(t, 0, "0102")) == Refusal(RuleId("PL-604"), "88mm AT gun never moves by itself")
    assert reached(t) == {"0101": 0}


@pytest.mark.rule("PL-606")
def test_vehicles_do_not_cross_a_green_side() -> None:
    t = column("..", unit("a_m4_75", "0101"), unit("a_rifle", "0101"), hexsides={"green": ["0101-0102"]})
    assert t.refusal(move(t, 0, "0102")).rule == "PL-606"
    assert cost(t, "0101", "0102", 1) == 2


# --- roads ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PL-611")
def test_the_road_rate_is_for_going_from_road_hex_to_road_hex_through_the_side_the_road_crosses() -> None:
    #  two roads side by side: 0101-0102-0103 and 0201-0202
    rows = "..\n..\n.."
    t = table(rows, unit("a_truck", "0101"), roads=[["0101", "0102", "0103"], ["0201", "0202"]], step=VEHICLES)
    assert cost(t, "0101", "0102") == 1
    assert cost(t, "0102", "0202") == 4


@pytest.mark.rule("PL-612", "PL-403")
@pytest.mark.parametrize(
    ("others", "rate"),
    [
        ([unit("a_m4_75", "0102"), unit("a_ht", "0102"), unit("a_rifle", carrier=2)], 1),
        ([unit("a_m4_75", "0102"), unit("a_ht", "0102"), unit("a_rifle", "0102")], 4),
    ],
)
def test_more_than_two_others_in_the_hex_deny_the_road_rate(others: list[Any], rate: int) -> None:
    t = column("..", unit("a_truck", "0101"), *others, roads=[["0101", "0102"]])
    assert cost(t, "0101", "0102") == rate


@pytest.mark.rule("PL-402", "PL-612")
def test_wrecks_blocks_and_forts_are_counted_among_the_others() -> None:
    t = column("..", unit("a_truck", "0101"), unit("a_rifle", "0102"), roads=[["0101", "0102"]])
    for wrecks, rate in ((1, 1), (2, 4)):
        t.set(wrecks={"0102": wrecks})
        assert cost(t, "0101", "0102") == rate


@pytest.mark.rule("PL-613", "PL-606")
@pytest.mark.parametrize("kind", ["green side", "swamp"])
def test_where_the_road_is_the_only_way_in_a_vehicle_stays_out_when_the_rate_is_denied(kind: str) -> None:
    rows, sides = (".M", {}) if kind == "swamp" else ("..", {"green": ["0101-0102"]})
    crowd = [unit("a_rifle", "0102") for _ in range(2)]
    t = column(rows, unit("a_m4_75", "0101"), *crowd, roads=[["0101", "0102"]], hexsides=sides)
    assert cost(t, "0101", "0102") == 1
    t.set(wrecks={"0102": 1})
    refusal = t.refusal(move(t, 0, "0102"))
    assert refusal.rule == "PL-613"
    assert "the road can't be used now" in refusal.reason


@pytest.mark.rule("PL-614", "PL-1301", "PL-1311")
@pytest.mark.parametrize("thing", ["mine", "block", "fort"])
def test_a_block_fortification_or_minefield_denies_the_road_rate(thing: str) -> None:
    t = column(
        "..",
        unit("a_truck", "0101"),
        unit("n_fort20", "" if thing != "fort" else "0102", ALLIED),
        roads=[["0101", "0102"]],
    )
    if thing == "mine":
        t.set(mines=["0102"])
    elif thing == "block":
        t.set(blocks=["0102"])
    assert cost(t, "0101", "0102") == 4


@pytest.mark.rule("PL-615")
def test_at_the_road_rate_terrain_and_sides_do_not_count_but_enemies_and_stacking_do() -> None:
    t = column(
        ".S..",
        unit("a_m4_75", "0101"),
        unit("g_rifle", "0104"),
        roads=[["0101", "0102", "0103", "0104"]],
        hexsides={"cliff": ["0102-0103"]},
    )
    played = t.play(move(t, 0, "0102", "0103"))
    assert [event.mover.spent for event in played.events if isinstance(event, UnitMoved)] == [2]
    assert t.refusal(move(t, 0, "0104")).rule == "PL-605"


@pytest.mark.rule("PL-616")
def test_a_town_costs_half_a_point_from_any_side_with_any_stack() -> None:
    t = column(".T", unit("a_truck", "0101"), *(unit("a_rifle", "0102") for _ in range(3)))
    assert cost(t, "0101", "0102") == 1


@pytest.mark.rule("PL-1028", "PL-611")
def test_infantry_may_use_the_road_rate_to_reach_its_assault() -> None:
    t = column("....", unit("a_rifle", "0101"), unit("g_rifle", "0104"), roads=[["0101", "0102", "0103"]], step=FOOT)
    t.play(move(t, 0, "0102", "0103"))
    assert assault.check_assault(t.position, ALLIED, CloseAssault(ids(0), t.hex("0104"))) is None


# --- crossings ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PL-621")
def test_infantry_crosses_a_cliff_on_a_one() -> None:
    t = column("..", unit("a_rifle", "0101"), step=FOOT, hexsides={"cliff": ["0101-0102"]})
    played = t.play(move(t, 0, "0102"), dice=[1])
    assert t.happened(CrossingTried) == [CrossingTried(U(0), t.hex("0102"), 1, True, "PL-621")]
    assert [(draw.rule, draw.actor) for draw in played.draws] == [("PL-621", 0)]
    assert t.unit(0).hex == t.hex("0102")
    assert t.position.mover is not None
    assert t.position.mover.spent == 2


@pytest.mark.rule("PL-621")
@pytest.mark.parametrize("die", [2, 6])
def test_infantry_that_fails_at_a_cliff_does_not_move_this_segment(die: int) -> None:
    t = column("...", unit("a_rifle", "0102"), step=FOOT, hexsides={"cliff": ["0101-0102"]})
    t.play(move(t, 0, "0101"), dice=[die])
    assert t.unit(0).hex == t.hex("0102")
    assert t.refusal(move(t, 0, "0103")).rule == "PL-601"


@pytest.mark.rule("PL-621")
def test_no_vehicle_and_no_gun_tries_a_cliff() -> None:
    t = column("..", unit("a_m4_75", "0101"), hexsides={"cliff": ["0101-0102"]})
    assert t.refusal(move(t, 0, "0102")).rule == "PL-621"


@pytest.mark.rule("PL-631")
@pytest.mark.parametrize(("die", "enters"), [(1, True), (3, True), (4, False), (6, False)])
def test_foot_units_enter_a_stream_on_one_to_three(die: int, enters: bool) -> None:
    t = column(".R.", unit("a_81mm", "0101"), step=FOOT)
    t.play(move(t, 0, "0102"), dice=[die])
    assert (t.unit(0).hex == t.hex("0102")) == enters
    assert t.unit(0).moved == (not enters)
    if not enters:
        assert t.happened(MoveEnded) == [MoveEnded(U(0), "the crossing failed (PL-634)")]


@pytest.mark.rule("PL-631")
def test_vehicles_do_not_enter_a_stream() -> None:
    t = column(".R", unit("a_m4_75", "0101"))
    assert t.refusal(move(t, 0, "0102")).rule == "PL-631"


@pytest.mark.rule("PL-632")
@pytest.mark.parametrize(("rows", "dice"), [("R.", []), ("RR", [3])])
def test_leaving_a_stream_takes_no_die_unless_the_next_hex_is_a_stream_too(rows: str, dice: list[int]) -> None:
    t = column(rows, unit("a_rifle", "0101"), step=FOOT)
    t.play(move(t, 0, "0102"), dice=dice)
    assert t.unit(0).hex == t.hex("0102")


@pytest.mark.rule("PL-621", "PL-631")
def test_a_stream_below_a_cliff_takes_both_dice() -> None:
    t = column(".R", unit("a_rifle", "0101"), step=FOOT, hexsides={"cliff": ["0101-0102"]})
    t.play(move(t, 0, "0102"), dice=[1, 4])
    assert [(event.rule, event.crossed) for event in t.happened(CrossingTried)] == [("PL-621", True), ("PL-631", False)]
    assert t.unit(0).hex == t.hex("0101")


@pytest.mark.rule("PL-633")
def test_a_bridge_that_stands_is_clear_terrain_even_when_its_road_is_unusable() -> None:
    t = column(
        ".R.",
        unit("a_m4_75", "0101"),
        unit("n_tbridge", "", ALLIED),
        *(unit("a_rifle", "0102") for _ in range(3)),
        roads=[["0101", "0102", "0103"]],
        features={"bridge": ["0102"]},
    )
    assert cost(t, "0101", "0102") == 2
    t.set(bridges_down=["0102"])
    assert cost(t, "0101", "0102") is None
    assert cost(t, "0102", "0103") == 2  # the road is broken
    t.change(1, hex="0102")
    assert cost(t, "0101", "0102") == 2
    assert cost(t, "0102", "0103") == 1


@pytest.mark.rule("PL-634")
def test_a_failed_crossing_stops_a_unit_where_it_stands() -> None:
    t = column(".TT", unit("a_rifle", "0101"), step=FOOT, hexsides={"cliff": ["0102-0103"]})
    t.play(move(t, 0, "0102", "0103"), dice=[2])
    assert t.unit(0).hex == t.hex("0102")
    assert t.unit(0).moved
    assert [type(event) for event in t.events] == [UnitMoved, ControlTaken, CrossingTried, MoveEnded]


@pytest.mark.rule("PL-621")
def test_a_crossing_in_the_middle_of_a_move_pays_the_cost_of_its_hex() -> None:
    t = column(".TT", unit("a_rifle", "0101"), step=FOOT, hexsides={"cliff": ["0102-0103"]}, control={"0102": ALLIED})
    t.play(move(t, 0, "0102", "0103"), dice=[1])
    assert [(event.path, event.mover.spent) for event in t.happened(UnitMoved)] == [
        (t.hexes("0102"), 1),
        (t.hexes("0103"), 2),
    ]


# --- whose turn it is -----------------------------------------------------------------------------------------------


@pytest.mark.rule("PL-601")
def test_a_unit_may_go_on_until_the_next_unit_starts() -> None:
    t = column("........", unit("a_m4_75", "0101"), unit("a_m4_75", "0108"))
    t.play(move(t, 0, "0102"))
    t.play(move(t, 0, "0103"))
    assert t.happened(MoveEnded) == []
    assert t.position.mover == Mover(U(0), t.hex("0101"), spent=4, hexes=2)
    t.play(move(t, 1, "0107"))
    assert t.happened(MoveEnded) == [MoveEnded(U(0))]
    assert t.refusal(move(t, 0, "0104")) == Refusal(RuleId("PL-601"), "M4/75 Sherman has finished its move")


@pytest.mark.rule("PL-601")
def test_the_last_mover_has_finished_when_the_step_ends() -> None:
    t = column("...", unit("a_m4_75", "0101"))
    t.play(move(t, 0, "0102"))
    t.run(movement.end_movement)
    assert t.unit(0).moved
    t.run(movement.end_movement)
    assert t.events == ()


@pytest.mark.rule("PL-602")
@pytest.mark.parametrize("state", [{"fired": True}, {"dispersed": 1}])
def test_a_unit_that_fired_or_is_dispersed_does_not_move(state: dict[str, Any]) -> None:
    t = column("..", unit("a_m4_75", "0101", **state))
    assert t.refusal(move(t, 0, "0102")).rule == "PL-602"
    assert reached(t) == {"0101": 0}
    assert movement.allowance(t.position, t.unit(0)) == 0


@pytest.mark.rule("PL-506", "PL-507")
def test_vehicles_move_in_their_step_and_foot_units_in_theirs() -> None:
    t = column("..", unit("a_m4_75", "0101"), unit("a_rifle", "0101"))
    assert t.refusal(move(t, 1, "0102")).rule == "PL-507"
    t.set(step=FOOT)
    assert t.refusal(move(t, 0, "0102")).rule == "PL-506"


@pytest.mark.rule("PL-605", "PL-406")
def test_a_unit_does_not_enter_a_hex_where_it_knows_of_an_enemy() -> None:
    t = column("..", unit("a_m4_75", "0101"), unit("g_truck", "0102"))
    assert t.refusal(move(t, 0, "0102")) == Refusal(RuleId("PL-605"), "an enemy holds 0102")


@pytest.mark.rule("PL-605", "PL-1507")
def test_an_enemy_nobody_knew_of_breaks_the_move_off_before_his_hex() -> None:
    #  the fog hides the rifles in the woods until the tank stands beside them
    t = column("....W.", unit("a_m4_75", "0101"), unit("g_rifle", "0105"), options={"fog": True})
    t.submit(move(t, 0, "0102", "0103", "0104", "0105", "0106"))
    assert t.unit(0).hex == t.hex("0104")
    assert t.unit(0).moved
    assert t.happened(MoveEnded) == [MoveEnded(U(0), "the way is barred (PL-605)")]


@pytest.mark.rule("PL-605")
def test_an_unseen_enemy_next_door_stops_a_unit_before_it_has_moved() -> None:
    t = column("..", unit("a_m4_75", "0101"), unit("g_rifle", "0102"))
    t.run(movement.resolve_move, ALLIED, move(t, 0, "0102"))
    assert t.events == (MoveEnded(U(0), "the way is barred (PL-605)"),)


@pytest.mark.rule("PL-401")
def test_nobody_moves_through_a_full_hex() -> None:
    t = column("...", unit("a_m4_75", "0101"), *(unit("a_rifle", "0102") for _ in range(4)))
    assert t.refusal(move(t, 0, "0102", "0103")) == Refusal(RuleId("PL-401"), "0102 is full")
    assert reached(t) == {"0101": 0}


@pytest.mark.rule("PL-401")
def test_the_hex_a_unit_left_has_room_for_it_to_come_back() -> None:
    t = column("..", unit("a_m4_75", "0101"), *(unit("a_rifle", "0101") for _ in range(3)))
    t.play(move(t, 0, "0102", "0101"))
    assert t.unit(0).hex == t.hex("0101")


@pytest.mark.rule("PL-643")
def test_a_passenger_does_not_move_by_itself() -> None:
    t = column(
        "..", unit("a_truck", "0101"), unit("a_rifle", carrier=0), unit("a_rifle", "0101", transported=True), step=FOOT
    )
    assert t.refusal(move(t, 1, "0102")).rule == "PL-643"
    assert t.refusal(move(t, 2, "0102")).rule == "PL-643"


@pytest.mark.rule("PL-1321")
def test_a_unit_leaves_its_fort_before_it_moves() -> None:
    t = column("..", unit("n_fort20", "0101", ALLIED), unit("a_rifle", fort=0), step=FOOT)
    assert t.refusal(move(t, 1, "0102")).rule == "PL-1321"


@pytest.mark.parametrize("id", [-1, 2, 99])
def test_an_order_for_no_unit_of_the_side_is_refused(id: int) -> None:
    t = column("..", unit("g_pz4", "0101"), unit("a_m4_75", "0101"))
    t.change(1, hex=0)
    for order in (MoveUnit(U(id), (t.hex("0102"),)), MoveUnit(U(0), (t.hex("0102"),)), MoveUnit(U(1), ())):
        assert t.refusal(order).rule == "PL-601"


@pytest.mark.parametrize("path", [(), (0,), (-3,), (99999,), ("start",), ("far",)])
def test_a_path_goes_from_hex_to_hex_on_the_map(path: tuple[Any, ...]) -> None:
    t = column("...", unit("a_m4_75", "0101"))
    places = {"start": t.hex("0101"), "far": t.hex("0103")}
    order = MoveUnit(U(0), tuple(places.get(place, place) for place in path))
    assert t.refusal(order).rule == "PL-601"


# --- what stops a unit ----------------------------------------------------------------------------------------------


@pytest.mark.rule("PL-1301")
def test_a_unit_that_enters_a_minefield_stops_there() -> None:
    t = column("...", unit("a_m4_75", "0101"), mines=["0102"])
    assert t.refusal(move(t, 0, "0102", "0103")) == Refusal(RuleId("PL-1301"), "it must stop in 0102")
    t.play(move(t, 0, "0102"))
    assert t.happened(MoveEnded) == [MoveEnded(U(0), "mines lie here (PL-1301)")]
    assert t.unit(0).moved


@pytest.mark.rule("PL-1311")
def test_a_block_is_entered_only_by_a_unit_that_began_its_move_beside_it() -> None:
    t = column("....", unit("a_m4_75", "0101"), unit("a_m4_75", "0102"), blocks=["0103"])
    assert t.refusal(move(t, 0, "0102", "0103")).rule == "PL-1311"
    t.play(move(t, 0, "0102"))
    assert t.refusal(move(t, 0, "0103")).rule == "PL-1311"
    t.play(move(t, 1, "0103"))
    assert t.happened(MoveEnded)[-1].why == "a block lies here (PL-1311)"


@pytest.mark.rule("PL-1311")
def test_a_unit_that_began_on_a_block_does_not_come_back_to_it() -> None:
    t = column("..", unit("a_m4_75", "0101"), blocks=["0101"])
    assert t.refusal(move(t, 0, "0102", "0101")).rule == "PL-1311"
    t.play(move(t, 0, "0102"))


@pytest.mark.rule("PL-1322", "PL-406", "PL-1323")
def test_a_unit_may_move_on_top_of_an_undefended_fort_and_stops() -> None:
    t = column("...", unit("a_m4_75", "0101"), unit("n_fort20", "0102", GERMAN), unit("g_rifle", fort=1))
    assert t.refusal(move(t, 0, "0102", "0103")).rule == "PL-1322"
    t.play(move(t, 0, "0102"))
    assert t.happened(FortCaptured) == []
    assert t.happened(MoveEnded)[-1].why == "a fort stands here (PL-1322)"
    on_top = column("..", unit("a_m4_75", "0101"), unit("n_fort20", "0102", GERMAN), unit("g_rifle", "0102"))
    assert on_top.refusal(move(on_top, 0, "0102")).rule == "PL-605"


@pytest.mark.rule("PL-1323")
def test_an_empty_fort_is_captured_by_moving_in() -> None:
    t = column("..", unit("a_m4_75", "0101"), unit("n_fort20", "0102", GERMAN))
    t.play(move(t, 0, "0102"))
    assert t.unit(1).side == ALLIED
    assert t.happened(MoveEnded)[-1].why == "a fort stands here (PL-1322)"


@pytest.mark.rule("PL-1305")
def test_a_flail_leaves_its_minefield_for_half_its_allowance() -> None:
    t = column("......", unit("b_flail", "0101"), mines=["0101"])
    (tally,) = t.explain(move(t, 0, "0102"))
    assert tally.lines[0] == Line("Leaves 0101", 4, RuleId("PL-1305"))
    assert (tally.title, tally.total) == ("Movement points of 8", 5)
    assert t.refusal(move(t, 0, "0102", "0103", "0104", "0105", "0106")).rule == "PL-603"
    t.play(move(t, 0, "0102"))
    assert t.happened(MineLifted) == [MineLifted(t.hex("0101"))]
    assert t.position.mover is not None
    assert t.position.mover.spent == 10
    t.play(move(t, 0, "0103"))
    assert t.position.mover.spent == 12


@pytest.mark.rule("PL-1333", "PL-631")
def test_a_bridgelayer_enters_a_stream_stops_and_leaves_it_with_a_bridge() -> None:
    t = column("..R.", unit("b_bridge", "0102"), unit("n_tbridge", "", ALLIED))
    assert t.refusal(move(t, 0, "0103", "0104")).rule == "PL-1333"
    t.play(move(t, 0, "0103"))
    assert t.happened(MoveEnded)[-1].why == "it lays its bridge here (PL-1333)"
    t.change(0, moved=False)
    (tally,) = t.explain(move(t, 0, "0104"))
    assert tally.lines[0] == Line("Leaves 0103", 3, RuleId("PL-1333"))
    t.play(move(t, 0, "0104"))
    assert t.happened(BridgeLaid) != []
    assert t.position.mover is not None
    assert t.position.mover.spent == 8
    # its bridge is laid, so the next stream keeps it out
    t.change(1, hex=0, fate="destroyed")
    t.change(0, moved=False)
    t.set(mover=None)
    assert t.refusal(move(t, 0, "0103")).rule == "PL-1333"


ALL_KINDS_OF_STOP = """
. . . .
. . . .
. R . .
. . . .
"""


@pytest.mark.rule("PL-1301", "PL-1311", "PL-1322", "PL-1333")
@pytest.mark.parametrize("kind", ["a_m4_75", "b_flail", "b_bridge"])
def test_the_flags_agree_with_what_works_say(kind: str) -> None:
    t = table(
        ALL_KINDS_OF_STOP,
        unit(kind, "0202"),
        unit("n_fort20", "0301", GERMAN),
        unit("n_fort20", "0102", GERMAN),
        unit("g_rifle", "0102"),
        unit("n_fort20", "0401", ALLIED),
        unit("n_tbridge", "", ALLIED),
        mines=["0201"],
        blocks=["0302", "0404"],
        step=VEHICLES,
    )
    me, here = t.unit(0), t.unit(0).hex
    now = mobility.terms(t.position, me)
    for place in t.board.hexes:
        if place == here:
            continue
        barred = works.may_enter(t.position, me, here, here, place) is not None
        assert bool(now.flags[place] & 1) == barred, t.board.label(place)
        if not barred:
            assert bool(now.flags[place] & 4) == (works.must_stop(t.position, me, place) is not None)


# --- the map's edge, control ----------------------------------------------------------------------------------------


def edge(exits: tuple[str, ...] = ("0101",), **fields: Any) -> Table:
    rows = "...\n...\n..."
    sections = Sections(victory=Victory(exits=(Exit("allied", exits),)))
    return table(rows, unit("a_truck", "0101"), unit("a_rifle", carrier=0), step=VEHICLES, sections=sections, **fields)


@pytest.mark.rule("PL-1504")
def test_a_unit_leaves_the_map_with_its_passenger_where_the_scenario_lets_it() -> None:
    t = edge()
    t.play(LeaveMap(U(0)))
    assert t.happened(UnitExited) == [UnitExited(U(0), True, 1)]
    assert [t.unit(n).fate for n in (0, 1)] == [EXITED, EXITED]


@pytest.mark.rule("PL-1504")
def test_a_unit_that_leaves_elsewhere_counts_as_destroyed() -> None:
    t = edge(exits=("0103",))
    assert list(movement.leave_options(t.position, ALLIED, t.unit(0))) == []
    t.play(LeaveMap(U(0)))
    assert t.unit(0).fate == DESTROYED


@pytest.mark.rule("PL-1504", "PL-603")
def test_leaving_takes_an_edge_hex_and_the_points_for_it() -> None:
    t = edge()
    t.change(0, hex="0202")
    assert t.refusal(LeaveMap(U(0))).rule == "PL-1504"
    t.change(0, hex="0101")
    t.set(mover=Mover(U(0), t.hex("0101"), spent=25, hexes=3))
    assert t.refusal(LeaveMap(U(0))).rule == "PL-603"
    assert t.refusal(LeaveMap(U(9))).rule == "PL-601"
    sea = column("OB", unit("a_m4_dd", "0101"))
    assert sea.refusal(LeaveMap(U(0))).rule == "PL-1401"


@pytest.mark.rule("PL-611")
def test_where_a_road_runs_off_the_map_leaving_costs_the_road_rate() -> None:
    t = edge()
    assert movement.leaving_map_cost(t.position, t.unit(0)) == 4
    sheet = MapSheet(t.board, road_ends=((t.hex("0101"), 0),))
    ground = t.position.ground
    t.set(ground=Ground(replace(ground.scenario, sheet=sheet), ground.options))
    assert movement.leaving_map_cost(t.position, t.unit(0)) == 1


@pytest.mark.rule("PL-1502")
def test_a_hex_that_matters_changes_hands_as_a_unit_passes_through() -> None:
    t = column(".T..", unit("a_m4_75", "0101"))
    t.play(move(t, 0, "0102", "0103", "0104"))
    assert t.happened(ControlTaken) == [ControlTaken(t.hex("0102"), ALLIED)]
    assert [event.path for event in t.happened(UnitMoved)] == [t.hexes("0102"), t.hexes("0103", "0104")]
    again = column(".T..", unit("a_m4_75", "0101"), control={"0102": ALLIED})
    again.play(move(again, 0, "0102", "0103", "0104"))
    assert [event.path for event in again.happened(UnitMoved)] == [again.hexes("0102", "0103", "0104")]


# --- landing --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PL-1401", "PL-1404")
def test_a_unit_at_sea_lands_on_a_beach_and_goes_on() -> None:
    t = column("OB..", unit("a_m4_75", "0101", facedown=True))
    t.play(move(t, 0, "0102", "0103"))
    assert t.happened(UnitLanded) == [UnitLanded(U(0), t.hex("0102"))]
    assert t.unit(0).hex == t.hex("0103")
    straight = column("O.", unit("a_m4_75", "0101"))
    assert straight.refusal(move(straight, 0, "0102")).rule == "PL-1401"


@pytest.mark.rule("PL-1404")
def test_a_landing_onto_friends_disperses_all_and_ends_the_move() -> None:
    t = column("OB..", unit("a_m4_75", "0101"), unit("a_rifle", "0102"))
    assert t.refusal(move(t, 0, "0102", "0103")).rule == "PL-1404"
    t.play(move(t, 0, "0102"))
    assert t.unit(0).dispersed
    assert t.unit(1).dispersed
    assert t.unit(0).moved


@pytest.mark.rule("PL-1404")
def test_units_ashore_move_before_units_land() -> None:
    rows = "O.\nB.\n.."
    t = table(rows, unit("a_m4_75", "0101"), unit("a_m4_75", "0203"), step=VEHICLES)
    t.play(move(t, 0, "0102"))
    assert t.refusal(move(t, 1, "0202")).rule == "PL-1404"
    t.play(move(t, 0, "0103"))


@pytest.mark.rule("PL-1405")
def test_a_unit_dispersed_at_sea_lands_one_hex_and_stays_dispersed() -> None:
    t = column("OB..", unit("a_m4_75", "0101", dispersed=1))
    assert reached(t) == {"0101": 0, "0102": 4}
    assert t.refusal(move(t, 0, "0102", "0103")).rule == "PL-1405"
    t.play(move(t, 0, "0102"))
    assert t.unit(0).dispersed
    assert t.unit(0).moved


@pytest.mark.rule("PL-1403")
def test_a_unit_that_has_not_landed_when_its_step_ends_is_lost() -> None:
    t = column("OB", unit("a_m4_75", "0101"), unit("a_rifle", "0101"))
    t.run(movement.end_movement)
    assert [event.unit for event in t.happened(UnitDestroyed)] == [0]
    t.set(step=FOOT)
    t.run(movement.end_movement)
    assert [event.unit for event in t.happened(UnitDestroyed)] == [1]


# --- quick-time, turrets --------------------------------------------------------------------------------------------

QUICK = {"quick_time": True}


@pytest.mark.rule("PL-1605")
@pytest.mark.parametrize(("die", "dispersed"), [(3, False), (4, True)])
def test_infantry_in_quick_time_goes_two_hexes_and_is_dispersed_on_four_to_six(die: int, dispersed: bool) -> None:
    t = column("....", unit("a_rifle", "0101"), step=FOOT, options=QUICK)
    assert reached(t, gait="quick") == {"0101": 0, "0102": 2, "0103": 4}
    played = t.play(move(t, 0, "0102", "0103", gait="quick"), dice=[die])
    assert [type(event) for event in played.events][:3] == [UnitMoved, MoveEnded, DieCast]
    assert bool(t.happened(UnitDispersed)) == dispersed
    assert t.unit(0).hex == t.hex("0103")
    assert t.refusal(move(t, 0, "0104")).rule == "PL-601"


@pytest.mark.rule("PL-1605")
@pytest.mark.parametrize("letter", "STWRF")
def test_quick_time_enters_no_slope_woods_stream_or_town_unless_along_a_road(letter: str) -> None:
    t = column("." + letter, unit("a_rifle", "0101"), step=FOOT, options=QUICK)
    assert t.refusal(move(t, 0, "0102", gait="quick")).rule == "PL-1605"
    if letter != "R":
        road = column("." + letter, unit("a_rifle", "0101"), step=FOOT, options=QUICK, roads=[["0101", "0102"]])
        assert cost(road, "0101", "0102", gait="quick") == 2  # no road rate


@pytest.mark.rule("PL-1605")
def test_quick_time_takes_no_cliff_and_no_sea() -> None:
    t = column("..", unit("a_rifle", "0101"), step=FOOT, options=QUICK, hexsides={"cliff": ["0101-0102"]})
    assert t.refusal(move(t, 0, "0102", gait="quick")).reason == "quick-time does not go over the cliff at 0102"
    sea = column("OB", unit("a_rifle", "0101"), step=FOOT, options=QUICK)
    assert sea.refusal(move(sea, 0, "0102", gait="quick")).rule == "PL-1401"


@pytest.mark.rule("PL-1605")
def test_quick_time_is_an_option_for_infantry_without_machine_guns_and_for_a_whole_move() -> None:
    plain = column("..", unit("a_rifle", "0101"), step=FOOT)
    assert plain.refusal(move(plain, 0, "0102", gait="quick")).rule == "PL-1605"
    assert reached(plain, gait="quick") == {"0101": 0}
    t = column(
        "....T.", unit("a_mg", "0101"), unit("a_81mm", "0101"), unit("a_rifle", "0104"), step=FOOT, options=QUICK
    )
    for number in (0, 1):
        assert t.refusal(move(t, number, "0102", gait="quick")).rule == "PL-1605"
    t.play(move(t, 2, "0105"))
    assert t.refusal(move(t, 2, "0106", gait="quick")) == Refusal(
        RuleId("PL-1605"), "quick-time is for the whole of a move"
    )
    assert t.refusal(move(t, 2, "0106", gait="gallop")).rule == "PL-1605"
    fresh = column("..", unit("a_rifle", "0101"), step=FOOT, options=QUICK)
    assert fresh.refusal(move(fresh, 0, "0102", gait="gallop")).reason == "there is no gait 'gallop'"


@pytest.mark.rule("PL-1605", "PL-1301")
def test_quick_time_onto_a_minefield_stops_and_throws_its_die_all_the_same() -> None:
    t = column("...", unit("a_rifle", "0101"), step=FOOT, options=QUICK, mines=["0102"])
    t.play(move(t, 0, "0102", gait="quick"), dice=[1])
    assert t.happened(MoveEnded) == [MoveEnded(U(0), "mines lie here (PL-1301)")]
    assert not t.unit(0).dispersed


@pytest.mark.rule("PL-1607")
def test_a_turreted_unit_that_fired_in_its_own_segment_moves_half_its_allowance() -> None:
    options = {"turret_fire": True}
    t = column(".......", unit("a_m4_76", "0101", fired=True, last_fired=3), segment=3, options=options)
    assert movement.allowance(t.position, t.unit(0)) == 8  # nine points: half, rounded down, is four
    t.play(move(t, 0, "0102"))
    t.play(move(t, 0, "0103"))
    assert t.refusal(move(t, 0, "0104", "0105", "0106")).rule == "PL-603"


@pytest.mark.rule("PL-1607", "PL-1603")
def test_no_other_unit_that_fired_moves() -> None:
    options = {"turret_fire": True}
    before = column("..", unit("a_m4_76", "0101", fired=True, last_fired=2), segment=3, options=options)
    assert before.refusal(move(before, 0, "0102")).rule == "PL-602"
    casemate = column("..", unit("a_priest", "0101", fired=True, last_fired=3), segment=3, options=options)
    assert casemate.refusal(move(casemate, 0, "0102")).rule == "PL-602"


# --- previews and choices -------------------------------------------------------------------------------------------


def test_the_tally_of_a_move_has_a_line_for_every_hex_and_die() -> None:
    t = column(".T.R", unit("a_rifle", "0103"), step=FOOT, options=QUICK, roads=[["0102", "0103"]])
    (tally,) = t.explain(move(t, 0, "0104"))
    assert (tally.title, tally.total) == ("Movement points of 1", 1)
    assert tally.lines == (
        Line("0104 stream", 1, RuleId("PL-209")),
        Line("0104 stream, entered on 1 to 3", "die", RuleId("PL-631")),
    )
    (quick,) = t.explain(move(t, 0, "0102", gait="quick"))
    assert quick.lines[-1] == Line("Quick-time: in order on 1 to 3", "die", RuleId("PL-1605"))
    assert t.explain(move(t, 0, "0101")) == ()
    assert movement.left_after(t.position, move(t, 0, "0104")) == (0, True)
    assert movement.left_after(t.position, move(t, 0, "0102")) == (1, False)


def test_the_tally_names_the_road_rate() -> None:
    t = column("...", unit("a_truck", "0101"), roads=[["0101", "0102"]])
    (tally,) = t.explain(move(t, 0, "0102", "0103"))
    assert tally.total == "2½"
    assert [(line.label, line.value, line.rule) for line in tally.lines] == [
        ("0102 road", "½", "PL-611"),
        ("0103 clear", 2, "PL-209"),
    ]


def test_options_are_lawful_and_lead_to_every_hex_in_reach() -> None:
    t = column("......", unit("a_rifle", "0103"), unit("a_m4_75", "0101"), step=FOOT, options=QUICK)
    options = list(movement.move_options(t.position, ALLIED, t.unit(0)))
    assert sorted((order.gait, order.path[-1]) for order in options) == [
        (gait, t.hex(label))
        for gait, labels in (("", ("0102", "0104")), ("quick", ("0101", "0102", "0104", "0105")))
        for label in labels
    ]
    assert all(t.check(order) is None for order in options)
    assert list(movement.move_options(t.position, ALLIED, t.unit(1))) == []
    assert list(movement.move_options(t.position, GERMAN, t.unit(0))) == []
    leaving = edge()
    assert list(movement.leave_options(leaving.position, ALLIED, leaving.unit(0))) == [LeaveMap(U(0))]
    assert movement.moving_refusal(t.position, ALLIED, t.unit(0)) is None


def test_a_picked_move_is_lawful() -> None:
    t = table(open_board(6, 6), unit("a_m4_75", "0303"), step=VEHICLES)
    picks = [movement.pick_move(t.position, ALLIED, t.unit(0), PromptDice("pick", n)) for n in range(20)]
    assert all(order is not None and t.check(order) is None for order in picks)
    assert len({order.path[-1] for order in picks if order}) > 5


def test_a_picked_move_is_now_and_then_in_quick_time() -> None:
    t = table(open_board(6, 6), unit("a_rifle", "0303"), step=FOOT, options=QUICK)
    picks = [movement.pick_move(t.position, ALLIED, t.unit(0), PromptDice("pick", n)) for n in range(20)]
    assert {order.gait for order in picks if order} == {"", "quick"}
    assert all(order is not None and t.check(order) is None for order in picks)


def test_nothing_is_picked_for_a_unit_that_can_go_nowhere() -> None:
    t = column("...O", unit("a_m4_75", "0101", fired=True), unit("a_m4_75", "0103"), mines=["0102"])
    assert movement.pick_move(t.position, ALLIED, t.unit(0), PromptDice("pick")) is None
    t.play(move(t, 1, "0102"))
    assert movement.pick_move(t.position, ALLIED, t.unit(1), PromptDice("pick")) is None
    shut = column(".O", unit("a_m4_75", "0101"))
    assert movement.pick_move(shut.position, ALLIED, shut.unit(0), PromptDice("pick")) is None
    spent = column("..", unit("a_m4_75", "0101"), mover=Mover(U(0), HexId(4), spent=16, hexes=8))
    assert movement.pick_move(spent.position, ALLIED, spent.unit(0), PromptDice("pick")) is None


def test_a_unit_off_the_table_reaches_nothing() -> None:
    t = column("..", unit("a_m4_75"))
    assert reached(t) == {}


# --- reach, check and walk agree ------------------------------------------------------------------------------------

LETTERS = st.lists(st.sampled_from("....WTSMRB"), min_size=16, max_size=16)
SIDES = st.lists(st.sampled_from(["0101-0102", "0202-0302", "0203-0303", "0303-0304", "0302-0402"]), max_size=3)
PLACES = [f"{c:02}{r:02}" for c in range(1, 5) for r in range(1, 5)]


@st.composite
def tables(draw: st.DrawFn) -> Table:
    letters = draw(LETTERS)
    rows = "\n".join("".join(letters[n : n + 4]) for n in range(0, 16, 4))
    kind = draw(st.sampled_from(["a_rifle", "a_81mm", "b_churchill7", "a_truck"]))
    friends = [unit("a_rifle", label) for label in draw(st.lists(st.sampled_from(PLACES), max_size=6))]
    enemies = [unit("g_rifle", label) for label in draw(st.lists(st.sampled_from(PLACES), max_size=2))]
    return table(
        rows,
        unit(kind, "0202"),
        *friends,
        *[counter for counter in enemies if counter.label not in {"0202", *(f.label for f in friends)}],
        roads=[["0201", "0202", "0203", "0303", "0304"]],
        hexsides={draw(st.sampled_from(["green", "cliff"])): set(draw(SIDES))},
        mines=draw(st.lists(st.sampled_from(PLACES), max_size=1)),
        blocks=draw(st.lists(st.sampled_from(PLACES), max_size=2, unique=True)),
        step=FOOT if kind in ("a_rifle", "a_81mm") else VEHICLES,
    )


@given(tables())
@settings(max_examples=40)
def test_reach_offers_exactly_what_an_order_may_ask_for(t: Table) -> None:
    me = t.unit(0)
    found = movement.reach(t.position, me)
    for place in found.hexes[1:]:
        assert t.check(MoveUnit(me.id, tuple(map(HexId, found.path_to(place))))) is None
    # and no path of up to three hexes gets anywhere else, or anywhere cheaper
    paths: list[tuple[HexId, ...]] = [()]
    for _ in range(3):
        paths = [(*path, HexId(there)) for path in paths for there in t.board.neighbors(path[-1] if path else me.hex)]
        for path in paths:
            order = MoveUnit(me.id, path)
            if t.check(order) is None:
                assert path[-1] in found
                steps = mobility.steps(t.position, me, path, mobility.terms(t.position, me))
                assert isinstance(steps, list)
                assert found.cost(path[-1]) <= sum(step.cost for step in steps)


@given(tables(), st.data())
@settings(max_examples=25)
def test_flags_done_anew_where_units_changed_are_as_if_all_were_done_anew(t: Table, data: st.DataObject) -> None:
    costs.obstacles(t.position, ALLIED)
    for _ in range(3):
        number = data.draw(st.integers(0, len(t.position.units) - 1))
        changed: list[dict[str, Any]] = [{"moved": True}, {"hex": "0404"}, {"hex": 0}, {"side": GERMAN}]
        t.change(number, **data.draw(st.sampled_from(changed)))
        derived = costs.obstacles(t.position, ALLIED)
        assert derived is costs.obstacles(t.position, ALLIED)
        t.position.ground.cache.clear()
        assert derived.flags == costs.obstacles(t.position, ALLIED).flags


def test_a_bridge_laid_since_is_among_the_bridges() -> None:
    t = column(".R.", unit("a_m4_75", "0101"), unit("n_tbridge", "", ALLIED))
    assert costs.obstacles(t.position, ALLIED).bridges == ((), ())
    t.change(1, hex="0102")
    assert costs.obstacles(t.position, ALLIED).bridges == ((), t.hexes("0102"))
    assert isinstance(t.unit(1), Unit)
