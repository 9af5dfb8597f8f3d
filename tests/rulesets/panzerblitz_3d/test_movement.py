"""Movement: costs, roads, gullies, green sides, stacking, carriers and the way off the map."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from sandtable.kernel.dice import PromptDice
from sandtable.kernel.ids import NOBODY, HexId
from sandtable.rulesets.panzerblitz_3d.events import MoveEnded, UnitExited, UnitMoved
from sandtable.rulesets.panzerblitz_3d.model import EXITED, GERMAN, RUSSIAN
from sandtable.rulesets.panzerblitz_3d.movement import led_moves, left_after, pick_move, way_to
from sandtable.rulesets.panzerblitz_3d.orders import EndPhase, LeaveMap, LoadUnit, MoveUnit, UnloadUnit
from sandtable.rulesets.panzerblitz_3d.scenario import Exit, Sections, Victory
from tests.rulesets.panzerblitz_3d.table import RULES, Counter, Table, U, open_ground, table, unit

VEHICLES, FOOT = "vehicle movement", "foot movement"


def move(t: Table, number: int, *labels: str) -> MoveUnit:
    return MoveUnit(U(number), t.hexes(*labels))


def moving(rows: str, *units: Counter, **fields: Any) -> Table:
    """A table on which German vehicles move."""
    return table(rows, *units, **{"step": VEHICLES, "phasing": GERMAN, **fields})


def cost(t: Table, *labels: str) -> Fraction:
    """What the way costs the first unit."""
    (tally,) = t.explain(move(t, 0, *labels))
    return Fraction(str(tally.total))


# --- terrain ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("letter", "truck", "vehicle", "foot"),
    [
        (".", 2, 1, 1),
        ("T", "1/2", "1/2", "1/2"),
        ("W", 2, 1, 1),
        ("M", None, None, 1),
        ("P", None, None, None),
        ("S", 4, 3, 3),
        ("F", 4, 3, 3),
    ],
)
@pytest.mark.rule("PB3-205", "PB3-602", "PB3-607")
def test_a_hex_is_paid_for_on_entry(letter: str, truck: object, vehicle: object, foot: object) -> None:
    for key, wanted in (("g_truck", truck), ("g_pz4", vehicle), ("g_rifle", foot)):
        t = moving(f".{letter}.", unit(key, "0101"), step=FOOT if key == "g_rifle" else VEHICLES)
        if wanted is None:
            assert t.refusal(move(t, 0, "0201")).rule == ("PB3-607" if letter == "P" else "PB3-205")
        else:
            assert cost(t, "0201") == Fraction(str(wanted))


@pytest.mark.parametrize(("start", "truck", "tank"), [("S", 1, 1), ("^", 1, 1), (".", 4, 3)])
@pytest.mark.rule("PB3-207")
def test_only_the_step_from_level_ground_onto_a_slope_is_a_climb(start: str, truck: int, tank: int) -> None:
    for key, wanted in (("g_truck", truck), ("g_pz4", tank)):
        t = moving(f"{start}S.", unit(key, "0101"))
        assert cost(t, "0201") == wanted


@pytest.mark.parametrize(("start", "truck", "tank"), [("S", 2, 1), (".", 4, 3)])
@pytest.mark.rule("PB3-208")
def test_a_wooded_slope_costs_the_dearer_of_the_two(start: str, truck: int, tank: int) -> None:
    for key, wanted in (("g_truck", truck), ("g_pz4", tank)):
        t = moving(f"{start}F.", unit(key, "0101"))
        assert cost(t, "0201") == wanted


@pytest.mark.rule("PB3-207")
def test_from_the_slope_a_hilltop_costs_what_its_ground_costs() -> None:
    assert cost(moving("S^.", unit("g_pz4", "0101")), "0201") == 1
    assert cost(moving("St.", unit("g_pz4", "0101")), "0201") == Fraction(1, 2)


# --- roads and green sides -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("letter", "SWM")
@pytest.mark.rule("PB3-604")
def test_along_a_road_every_hex_costs_half_a_point(letter: str) -> None:
    t = moving(f".{letter}.", unit("g_pz4", "0101"), roads=[["0101", "0201", "0301"]])
    (tally,) = t.explain(move(t, 0, "0201", "0301"))
    assert [(line.value, line.rule) for line in tally.lines] == [("1/2", "PB3-604"), ("1/2", "PB3-604")]


@pytest.mark.parametrize("fields", [{}, {"wrecks": {"0201": 1}}])
@pytest.mark.rule("PB3-604")
def test_with_a_unit_or_a_wreck_in_the_hex_the_ground_is_paid_for(fields: dict[str, Any]) -> None:
    others = [] if fields else [unit("g_rifle", "0201")]
    t = moving(".S.", unit("g_pz4", "0101"), *others, roads=[["0101", "0201"]], **fields)
    assert cost(t, "0201") == 3


@pytest.mark.rule("PB3-604")
def test_where_the_road_is_taken_forbidden_ground_stays_forbidden() -> None:
    t = moving(".M.", unit("g_pz4", "0101"), unit("g_rifle", "0201"), roads=[["0101", "0201"]])
    refusal = t.refusal(move(t, 0, "0201"))
    assert refusal.rule == "PB3-604"
    assert "the road rate is not to be had there" in refusal.reason


@pytest.mark.rule("PB3-604")
def test_who_is_inside_a_fort_is_in_the_hex_and_an_empty_fort_is_nobody() -> None:
    fort = unit("n_fort_g", "0201")
    t = moving("...", unit("g_pz4", "0101"), fort, roads=[["0101", "0201"]], options={"works": True})
    assert cost(t, "0201") == Fraction(1, 2)
    inside = unit("g_rifle", fort=1)
    t = moving("...", unit("g_pz4", "0101"), fort, inside, roads=[["0101", "0201"]], options={"works": True})
    assert cost(t, "0201") == 1


@pytest.mark.rule("PB3-604")
def test_who_comes_back_by_road_finds_nobody_else_where_it_stood() -> None:
    back: dict[str, Any] = {"roads": [["0101", "0201"]]}
    rider = unit("g_rifle", carrier=0)
    assert cost(moving("M..", unit("g_truck", "0101"), rider, **back), "0201", "0101") == 1
    t = moving("...", unit("g_truck", "0101"), unit("g_rifle", "0101"), **back)
    assert cost(t, "0201", "0101") == Fraction(5, 2)
    t = moving("...", unit("g_truck", "0101"), wrecks={"0101": 1}, **back)
    assert cost(t, "0201", "0101") == Fraction(5, 2)


@pytest.mark.rule("PB3-604", "PB3-607")
def test_no_road_leads_into_a_pond() -> None:
    t = moving(".P.", unit("g_pz4", "0101"), roads=[["0101", "0201", "0301"]])
    refusal = t.refusal(move(t, 0, "0201"))
    assert (refusal.rule, "road" in refusal.reason) == ("PB3-607", False)
    assert t.options(0, MoveUnit) == []
    labels = [line.label for line in RULES.hex_facts(RULES.view(t.state, GERMAN), t.hex("0201"))]
    assert "Along the road" not in labels


@pytest.mark.rule("PB3-210")
def test_vehicles_cross_a_green_side_along_a_road_only_and_cavalry_anywhere() -> None:
    green: dict[str, Any] = {"hexsides": {"green": ["0101-0201"]}}
    t = moving("WW.", unit("g_pz4", "0101"), **green)
    assert t.refusal(move(t, 0, "0201")).rule == "PB3-210"
    assert cost(moving("WW.", unit("g_pz4", "0101"), roads=[["0101", "0201"]], **green), "0201") == Fraction(1, 2)
    t = moving("WW.", unit("g_pz4", "0101"), unit("g_rifle", "0201"), roads=[["0101", "0201"]], **green)
    assert t.refusal(move(t, 0, "0201")).rule == "PB3-210"
    assert cost(moving("WW.", unit("r_cavalry", "0101"), phasing=RUSSIAN, **green), "0201") == 1
    assert cost(moving("WW.", unit("g_rifle", "0101"), step=FOOT, **green), "0201") == 1


@pytest.mark.rule("PB3-303")
def test_cavalry_moves_with_the_vehicles_and_keeps_out_of_swamps() -> None:
    t = moving(".M.", unit("r_cavalry", "0101"), phasing=RUSSIAN)
    assert t.refusal(move(t, 0, "0201")).rule == "PB3-205"


# --- gullies ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PB3-605")
def test_leaving_a_gully_costs_three_more_and_a_ford_or_a_road_saves_that() -> None:
    assert cost(moving("...", unit("g_pz4", "0101"), gully=["0101"]), "0201") == 4
    assert cost(moving("...", unit("g_truck", "0101"), gully=["0101"]), "0201") == 7
    assert cost(moving("...", unit("g_pz4", "0101"), ford=["0101"]), "0201") == 1
    assert cost(moving("...", unit("g_pz4", "0101"), gully=["0101", "0201"]), "0201") == 1
    assert cost(moving("...", unit("g_pz4", "0201"), gully=["0201"], roads=[["0101", "0201"]]), "0101") == Fraction(
        1, 2
    )
    assert cost(moving("WW.", unit("g_pz4", "0101"), gully=["0101"]), "0201") == 4


# --- one hex at least, and who may move ------------------------------------------------------------------------------


@pytest.mark.rule("PB3-603")
def test_a_unit_may_always_enter_one_hex_as_its_only_one() -> None:
    t = moving(".S..", unit("g_rifle", "0101"), step=FOOT)
    t.play(move(t, 0, "0201"))
    assert t.at(0) == "0201"
    assert t.options(0, MoveUnit) == []
    assert t.refusal(move(t, 0, "0301")).rule == "PB3-602"
    t = moving(".S..", unit("g_rifle", "0101"), step=FOOT)
    assert t.refusal(move(t, 0, "0201", "0301")).rule == "PB3-602"


@pytest.mark.rule("PB3-603")
def test_a_gun_never_moves_by_itself() -> None:
    t = moving("...", unit("g_88", "0101"), step=FOOT)
    assert t.refusal(move(t, 0, "0201")).rule == "PB3-603"


@pytest.mark.rule("PB3-602")
def test_half_points_are_kept_between_the_parts_of_a_move() -> None:
    t = moving(open_ground(9, 1), unit("g_jtiger", "0101"), roads=[["0101", "0201"]])
    t.play(move(t, 0, "0201"))
    assert left_after(t.position, GERMAN, move(t, 0, "0301")) == 7
    t.play(move(t, 0, "0301", "0401", "0501", "0601"))
    assert t.refusal(move(t, 0, "0701")).rule == "PB3-602"


@pytest.mark.parametrize(
    ("changes", "rule"),
    [
        ({"fired": True}, "PB3-601"),
        ({"dispersed": True}, "PB3-902"),
        ({"of_assigned": True}, "PB3-1101"),
        ({"unloaded": True}, "PB3-622"),
        ({"moved": True}, "PB3-601"),
    ],
)
@pytest.mark.rule("PB3-601", "PB3-622", "PB3-902", "PB3-1101")
def test_who_fired_is_dispersed_or_lies_in_wait_stays_where_he_is(changes: dict[str, bool], rule: str) -> None:
    t = moving("...", unit("g_pz4", "0101", **changes))
    assert t.refusal(move(t, 0, "0201")).rule == rule
    assert t.options(0, MoveUnit) == []
    assert pick_move(t.position, GERMAN, t.unit(0), PromptDice("x")) is None


@pytest.mark.rule("PB3-509")
def test_vehicles_move_before_men_on_foot() -> None:
    t = moving("...", unit("g_pz4", "0101"), unit("g_rifle", "0101"))
    assert t.refusal(move(t, 1, "0201")).rule == "PB3-509"
    t.play(EndPhase())
    assert t.asked == FOOT
    assert t.refusal(move(t, 0, "0201")).rule == "PB3-509"
    t.play(move(t, 1, "0201"))


@pytest.mark.rule("PB3-601")
def test_a_unit_has_finished_when_another_sets_out() -> None:
    t = moving("....", unit("g_pz4", "0101"), unit("g_lynx", "0101"))
    t.play(move(t, 0, "0201"))
    t.play(move(t, 1, "0201"))
    assert [event.unit for event in t.happened(MoveEnded)] == [0]
    assert t.refusal(move(t, 0, "0301")).rule == "PB3-601"


@pytest.mark.rule("PB3-606")
def test_nobody_enters_a_hex_with_an_enemy_dispersed_or_not() -> None:
    t = moving("...", unit("g_pz4", "0101"), unit("r_truck", "0201", dispersed=True))
    assert t.refusal(move(t, 0, "0201")).rule == "PB3-606"


def test_orders_that_name_nonsense_are_refused_and_never_fail() -> None:
    t = moving("....", unit("g_pz4", "0101"), unit("r_t34c", "0401"))
    for order in (
        MoveUnit(U(0), ()),
        MoveUnit(U(0), (HexId(0),)),
        MoveUnit(U(0), (HexId(-3),)),
        move(t, 0, "0301"),
        move(t, 1, "0301"),
        MoveUnit(U(99), t.hexes("0201")),
        LeaveMap(U(-1)),
        LoadUnit(U(0), U(9)),
        UnloadUnit(U(0)),
    ):
        t.refusal(order)
        assert t.explain(order) == ()


# --- stacking --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("key", "limit"), [("g_pz4", 3), ("r_t34c", 2)])
@pytest.mark.rule("PB3-401", "PB3-404")
def test_a_full_hex_may_be_passed_through_but_not_stopped_in(key: str, limit: int) -> None:
    others = [unit(key, "0201") for _ in range(limit)]
    t = moving("...", unit(key, "0101"), *others, phasing=GERMAN if key == "g_pz4" else RUSSIAN)
    assert t.refusal(move(t, 0, "0201")).rule == "PB3-404"
    assert t.check(move(t, 0, "0201", "0301")) is None
    t.change(1, hex=t.hex("0301"))
    assert t.check(move(t, 0, "0201")) is None


@pytest.mark.rule("PB3-402", "PB3-406")
def test_wrecks_take_room_from_both_sides() -> None:
    t = moving("...", unit("g_pz4", "0101"), wrecks={"0201": 3})
    assert t.refusal(move(t, 0, "0201")).rule == "PB3-404"
    t = moving("...", unit("r_t34c", "0101"), wrecks={"0201": 1}, phasing=RUSSIAN)
    assert t.check(move(t, 0, "0201")) is None
    t = moving("...", unit("r_t34c", "0101"), wrecks={"0201": 5}, phasing=RUSSIAN)
    assert t.refusal(move(t, 0, "0201")).rule == "PB3-404"


@pytest.mark.rule("PB3-405")
def test_a_loaded_carrier_counts_once_and_mines_not_at_all() -> None:
    t = moving(
        "...",
        unit("r_t34c", "0101"),
        unit("r_truck", "0201"),
        unit("r_rifle", carrier=1),
        phasing=RUSSIAN,
        mines=["0201"],
        options={"works": True},
    )
    assert t.check(move(t, 0, "0201")) is None


# --- carriers --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("carrier", "passenger", "can"),
    [
        ("g_truck", "g_88", True),
        ("g_truck", "g_rifle", True),
        ("g_wagon", "g_cp", True),
        ("g_ht", "g_81mm", True),
        ("g_pz4", "g_rifle", True),
        ("g_pz4", "g_75pak", False),
        ("g_wespe", "g_rifle", False),
        ("g_truck", "g_wagon", False),
    ],
)
@pytest.mark.rule("PB3-621")
def test_who_carries_whom(carrier: str, passenger: str, can: bool) -> None:
    t = moving("...", unit(carrier, "0101"), unit(passenger, "0101"))
    assert (t.check(LoadUnit(U(0), U(1))) is None) is can
    assert (t.options(0, LoadUnit) == [LoadUnit(U(0), U(1))]) is can


@pytest.mark.rule("PB3-621")
def test_riders_mount_russian_tanks_and_cavalry_mounts_nothing() -> None:
    t = moving("...", unit("r_t34c", "0101"), unit("r_smg", "0101"), phasing=RUSSIAN)
    assert t.check(LoadUnit(U(0), U(1))) is None
    t = moving("...", unit("r_truck", "0101"), unit("r_cavalry", "0101"), phasing=RUSSIAN)
    assert t.refusal(LoadUnit(U(0), U(1))).rule == "PB3-621"


@pytest.mark.rule("PB3-622")
def test_loading_takes_carrier_and_passenger_their_whole_turn() -> None:
    t = moving("....", unit("g_ht", "0101"), unit("g_rifle", "0101"), unit("g_smg", "0101"))
    t.play(LoadUnit(U(0), U(1)))
    assert t.unit(1).carrier == 0
    assert t.refusal(move(t, 0, "0201")).rule in ("PB3-601", "PB3-622")
    assert t.refusal(LoadUnit(U(0), U(2))).rule == "PB3-621"
    t = moving("....", unit("g_ht", "0101"), unit("g_rifle", "0201"))
    t.play(move(t, 0, "0201"))
    assert t.refusal(LoadUnit(U(0), U(1))).rule == "PB3-622"


@pytest.mark.parametrize("number", [0, 1])
@pytest.mark.parametrize("state", ["fired", "dispersed", "of_assigned"])
@pytest.mark.rule("PB3-622")
def test_nobody_loads_who_fired_is_dispersed_or_lies_in_wait(number: int, state: str) -> None:
    t = moving("....", unit("g_ht", "0101"), unit("g_rifle", "0101"))
    t.change(number, **{state: True})
    assert t.refusal(LoadUnit(U(0), U(1))).rule == "PB3-622"


@pytest.mark.rule("PB3-509", "PB3-622")
def test_loading_and_unloading_belong_to_the_movement_of_vehicles() -> None:
    t = moving("....", unit("g_ht", "0101"), unit("g_rifle", "0101"), unit("g_ht", "0101"), unit("g_smg", carrier=2))
    t.set(step=FOOT)
    assert t.refusal(LoadUnit(U(0), U(1))).rule == "PB3-509"
    assert t.refusal(UnloadUnit(U(2))).rule == "PB3-509"


@pytest.mark.rule("PB3-621")
def test_nobody_is_loaded_from_another_carrier() -> None:
    t = moving("....", unit("g_ht", "0101"), unit("g_ht", "0101"), unit("g_smg", carrier=1))
    assert t.refusal(LoadUnit(U(0), U(2))).rule == "PB3-621"


@pytest.mark.rule("PB3-622")
def test_unloading_is_free_and_the_carrier_may_move_before_and_after_it() -> None:
    t = moving(open_ground(6, 1), unit("g_ht", "0101"), unit("g_rifle", carrier=0))
    t.play(move(t, 0, "0201", "0301"))
    assert t.at(1) == "0301"
    t.play(UnloadUnit(U(0)))
    assert (t.at(1), t.unit(1).carrier) == ("0301", NOBODY)
    t.play(move(t, 0, "0401"))
    assert t.at(1) == "0301"
    t.play(EndPhase())
    assert t.refusal(move(t, 1, "0401")).rule == "PB3-622"


@pytest.mark.rule("PB3-622")
def test_who_was_loaded_does_not_get_off_in_the_same_player_turn() -> None:
    t = moving("...", unit("g_ht", "0101"), unit("g_rifle", "0101"))
    t.play(LoadUnit(U(0), U(1)))
    assert t.refusal(UnloadUnit(U(0))).rule == "PB3-622"
    assert t.options(0, UnloadUnit) == []


@pytest.mark.rule("PB3-404", "PB3-622", "PB3-902")
def test_nobody_gets_off_into_a_full_hex_or_from_a_dispersed_carrier() -> None:
    t = moving("...", unit("r_t34c", "0101"), unit("r_smg", carrier=0), unit("r_t34c", "0101"), phasing=RUSSIAN)
    assert t.refusal(UnloadUnit(U(0))).rule == "PB3-404"
    t.change(2, hex=t.hex("0301"))
    assert t.options(0, UnloadUnit) == [UnloadUnit(U(0))]
    t.change(0, dispersed=True)
    assert t.refusal(UnloadUnit(U(0))).rule == "PB3-902"


@pytest.mark.rule("PB3-622")
def test_a_passenger_does_not_move_by_itself() -> None:
    t = moving("...", unit("g_ht", "0101"), unit("g_rifle", carrier=0), step=FOOT)
    assert t.refusal(move(t, 1, "0201")).rule == "PB3-622"


# --- off the map -----------------------------------------------------------------------------------------------------


def leaving(*units: Counter, **fields: Any) -> Table:
    """German vehicles on a map that they may leave from 0101."""
    sections = Sections(victory=Victory(exits=(Exit("german", ("0101",)),)))
    return moving("...\n...\n...", *units, sections=sections, **fields)


@pytest.mark.rule("PB3-1301")
def test_a_unit_leaves_the_map_from_its_edge_with_all_it_carries() -> None:
    t = leaving(unit("g_ht", "0101"), unit("g_rifle", carrier=0), unit("g_pz4", "0202"))
    assert t.refusal(LeaveMap(U(2))).rule == "PB3-1301"
    assert t.options(0, LeaveMap) == [LeaveMap(U(0))]
    t.play(LeaveMap(U(0)))
    assert t.happened(UnitExited)
    assert [t.unit(number).fate for number in (0, 1)] == [EXITED, EXITED]


@pytest.mark.rule("PB3-602", "PB3-1301")
def test_leaving_is_paid_for_like_a_hex() -> None:
    t = leaving(unit("g_jtiger", "0102"))
    t.play(move(t, 0, "0101"))
    assert t.options(0, LeaveMap) == [LeaveMap(U(0))]
    t.set(mover=type(t.position.mover)(U(0), t.hex("0102"), spent=9, hexes=1))  # type: ignore[misc]
    assert t.refusal(LeaveMap(U(0))).rule == "PB3-602"


# --- ways and picks --------------------------------------------------------------------------------------------------


def test_a_way_is_the_cheapest_and_straight_where_there_is_none() -> None:
    t = moving("..P..\n..P..", unit("g_pz4", "0101"))
    assert way_to(t.position, t.unit(0), t.hex("0501")) == t.board.line(t.hex("0101"), t.hex("0501"))[1:]
    t = moving(".....", unit("g_pz4", "0101"))
    assert way_to(t.position, t.unit(0), t.hex("0301")) == t.hexes("0201", "0301")
    (led,) = led_moves(t.position, GERMAN, t.unit(0), t.hexes("0201", "0401"))
    assert led == move(t, 0, "0201", "0301", "0401")
    t.change(0, hex=HexId(0))
    assert list(led_moves(t.position, GERMAN, t.unit(0), t.hexes("0201"))) == []


def test_a_random_move_is_a_lawful_one() -> None:
    t = moving("P.\n..", unit("g_pz4", "0201"), unit("g_lynx", "0102"), unit("g_lynx", "0102"), unit("g_lynx", "0102"))
    for seed in range(12):
        order = pick_move(t.position, GERMAN, t.unit(0), PromptDice(str(seed)))
        assert order is not None
        assert t.check(order) is None
    t = moving("P.P", unit("g_pz4", "0201"))
    assert pick_move(t.position, GERMAN, t.unit(0), PromptDice("1")) is None
    assert t.options(0, MoveUnit) == []


@pytest.mark.rule("PB3-602")
def test_a_move_is_told_in_one_piece_where_nothing_can_happen() -> None:
    t = moving(open_ground(5, 1), unit("g_pz4", "0101"))
    t.play(move(t, 0, "0201", "0301", "0401"))
    assert [event.path for event in t.happened(UnitMoved)] == [t.hexes("0201", "0301", "0401")]
