"""Stacks that leave somebody behind, and ways that are no direct paths."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.kernel.decisions import Refusal
from sandtable.kernel.ruleset import Selection
from sandtable.rulesets.panzer_battles.engineers.events import MinesTouched
from sandtable.rulesets.panzer_battles.events import MoveStopped
from sandtable.rulesets.panzer_battles.model import ALLIED, AXIS, RAIL, TRAVEL, Feature
from sandtable.rulesets.panzer_battles.movement import moves, paths, stacks
from sandtable.rulesets.panzer_battles.movement.stacks import stacked
from sandtable.rulesets.panzer_battles.orderbook import BOOK
from sandtable.rulesets.panzer_battles.orders import Move, MoveLeavingBehind
from tests.rulesets.panzer_battles.table import RULES, AllHighest, Counter, Table, U, table, unit

STACK = Selection((U(0), U(1)))


def stack(**changes: object) -> Table:
    """A platoon of tanks and men on foot beside it in one hex, and a long meadow."""
    return table(
        ". . . . . . . .",
        unit("us_m4", "0101"),
        unit("us_rifle_coy", "0101", strength=40, full=40),
        **changes,  # type: ignore[arg-type]
    )


@pytest.mark.rule("PB-MOVE-10")
def test_a_stack_goes_no_farther_than_its_slowest_unit() -> None:
    t = stack()
    way = t.hexes("0201", "0301", "0401", "0501", "0601")
    assert t.refusal(Move((U(0), U(1)), way)).rule == "PB-MOVE-1"


@pytest.mark.rule("PB-MOVE-10")
def test_who_cannot_pay_is_left_behind_when_the_player_says_so() -> None:
    t = stack()
    way = t.hexes("0201", "0301", "0401", "0501", "0601")
    order = MoveLeavingBehind((U(0), U(1)), way)
    assert moves.followers(t.position, order) == (U(0),)
    t.play(order)
    assert (t.at(0), t.at(1)) == ("0601", "0501")
    stopped = t.only(MoveStopped)
    assert (stopped.units, stopped.reason) == ((U(1),), "the others go on without it")


@pytest.mark.rule("PB-MOVE-10")
def test_a_stack_none_of_which_gets_there_does_not_set_out() -> None:
    t = stack()
    t.change(0, mp=10)
    t.change(1, mp=10)
    assert t.refusal(MoveLeavingBehind((U(0), U(1)), t.hexes("0201", "0301"))).rule == "PB-MOVE-1"
    assert moves.followers(t.position, MoveLeavingBehind((U(0), U(1)), t.hexes("0201", "0301"))) == ()


@pytest.mark.rule("PB-MOVE-10", "PB-MOVE-82")
def test_mines_that_nobody_knew_of_leave_nobody_behind() -> None:
    t = stack(features={"0301": [Feature("minefield", AXIS, 3)]})
    t.change(1, mp=18)
    assert t.known(ALLIED).features == {}
    t.play(MoveLeavingBehind((U(0), U(1)), t.hexes("0201", "0301")), AllHighest())
    assert t.at(0) == "0301"
    assert not [one for one in t.all(MoveStopped) if U(1) in one.units]
    assert {one.unit for one in t.all(MinesTouched)} == {U(0), U(1)}


@pytest.mark.rule("PB-MOVE-10")
def test_the_menu_offers_it_to_several_units_with_how_many_get_there() -> None:
    t = stack()
    assert "leave_behind" not in [one.key for one in RULES.menu(t.view(), Selection((U(0),)))]
    (verb,) = [one for one in RULES.menu(t.view(), STACK) if one.key == "leave_behind"]
    notes = {t.board.label(one.hex): one.note for one in verb.targets}
    assert "0501" not in notes
    assert notes["0601"] == "1 of 2 can get there"
    far, near, here = (Selection(hex=t.hex(label)) for label in ("0801", "0301", "0101"))
    assert RULES.why_not(t.view(), "leave_behind", STACK, far) is None
    all_can = RULES.why_not(t.view(), "leave_behind", STACK, near)
    assert isinstance(all_can, Refusal)
    assert all_can.reason == "all of them can get there"
    assert RULES.why_not(t.view(), "leave_behind", STACK, here) is not None
    meant = BOOK.of(MoveLeavingBehind((), ())).point(t.known(ALLIED), ALLIED, stacked([t.unit(0), t.unit(1)]), far)
    assert isinstance(meant, MoveLeavingBehind)
    assert t.check(meant) is None
    t.change(1, fixed=True)
    (barred,) = [one for one in RULES.menu(t.view(), STACK) if one.key == "leave_behind"]
    assert barred.refusal is not None
    assert barred.refusal.rule == "PB-MOVE-98"
    t.change(1, fixed=False)
    assert stacked([t.unit(0)]) == []
    assert list(stacks.offers(t.position, ALLIED, t.unit(0))) == []
    order = MoveLeavingBehind((U(0), U(1)), t.hexes("0201", "0301", "0401", "0501", "0601"))
    forecast = RULES.odds(t.view(), order)
    assert forecast is not None
    assert len(forecast.tally) == 1
    assert RULES.order_text(order, t.view()).endswith("leaving behind who can't follow")


@pytest.mark.rule("PB-MOVE-10", "PB-STK-2")
def test_a_stack_that_finds_no_room_on_the_way_is_offered_no_move_through_it() -> None:
    full = unit("us_rifle_coy", "0601", strength=999, full=999)
    t = table(". . . . . . . .", unit("us_m4", "0101"), unit("us_rifle_coy", "0101", strength=40, full=40), full)

    def offered() -> set[str]:
        (pair,) = stacked([t.unit(0), t.unit(1)])
        return {t.board.label(one.path[-1]) for one in stacks.offers(t.position, ALLIED, pair)}

    assert not offered() & {"0601", "0701", "0801"}
    t.change(2, strength=10)
    assert {"0601", "0701"} <= offered()
    # the tanks alone would fit into the hex that both come through, and both together do not
    t.change(2, hex=t.hex("0301"), strength=t.position.parameters.stacking.max - 60)
    assert not offered()
    assert list(stacks.nothing_to_try(t.position, ALLIED, t.unit(0))) == []


@pytest.mark.rule("PB-STK-4", "PB-MOVE-10")
def test_a_stack_of_more_than_a_road_takes_goes_beside_it_and_is_told_so() -> None:
    many: dict[str, Any] = {"mode": TRAVEL, "strength": 14, "full": 14}
    t = table(
        "F F F",
        unit("us_m4", "0101", **many),
        unit("us_m4", "0101", **many),
        roads={"trail": [["0101", "0201", "0301"]]},
    )
    both = Move((U(0), U(1)), t.hexes("0201"))
    tallies = RULES.explain(t.view(), both)
    assert [(one.total, one.lines[0].label) for one in tallies] == [(18, "0201, forest")] * 2
    (tally,) = RULES.explain(t.view(), Move((U(0),), t.hexes("0201")))
    assert tally.lines[0].label == "0201, by road"
    t.play(both)
    assert [t.unit(n).mp for n in (0, 1)] == [110 - 18] * 2
    t.play(Move((U(0),), t.hexes("0301")))
    assert t.unit(0).mp == 110 - 18 - 7
    trucks = unit("de_truck", "0101", ALLIED, mode=TRAVEL, strength=20, full=20)
    t = table("F F F", trucks, trucks, roads={"trail": [["0101", "0201", "0301"]]})
    assert t.refusal(Move((U(0), U(1)), t.hexes("0201"))).rule == "PB-STK-4"
    assert t.check(Move((U(0),), t.hexes("0201"))) is None
    (pair,) = stacked([t.unit(0), t.unit(1)])
    assert list(stacks.offers(t.position, ALLIED, pair)) == []


def over(*words: str) -> dict[str, list[str]]:
    """A hexside between the first two hexes with all of that on it."""
    return {word: ["0101-0201"] for word in words}


DAMAGE, TOO_LIGHT = Feature("rail_damage"), over("stream", "light_bridge")

# --- why a step costs what it costs ----------------------------------------------------------------------------------

STEEP = {"hexsides": {"stream": ["0101-0201"]}, "elevation": "02"}
RIVER = {"hexsides": {"river": ["0101-0201"]}}
TRAIL, RAILS = {"roads": {"trail": [["0101", "0201"]]}}, {"roads": {"rail": [["0101", "0201"]]}}
JAM = {"features": {"0201": [Feature("congestion", ALLIED)]}}
MINED = {"features": {"0201": [Feature("improved", ALLIED), Feature("minefield", ALLIED, 1)]}}
THEIR_JAM = {"features": {"0201": [Feature("congestion", AXIS), Feature("minefield", ALLIED, 1)]}}
RUBBLE = {"features": {"0201": [Feature("rubble")]}}
FERRY, BANK = {"hex_features": {"full_ferry": ["0201"]}}, {"hex_features": {"raised": ["0201"]}}


@pytest.mark.rule(
    "PB-MOVE-5", "PB-MOVE-6", "PB-MOVE-9", "PB-MOVE-38", "PB-MOVE-40", "PB-MOVE-71", "PB-MOVE-82", "PB-MOVE-83"
)
@pytest.mark.parametrize(
    ("rows", "mover", "drawn", "told", "rule"),
    [
        (". F", unit("us_m4", "0101"), {}, "forest 18", "PB-MOVE-5"),
        (". F", unit("us_m4", "0101", mode=TRAVEL), TRAIL, "by road 7", "PB-MOVE-38"),
        # a rail bed takes longer than the meadow beside it
        (". .", unit("us_m4", "0101", mode=TRAVEL), RAILS, "clear 9", "PB-MOVE-5"),
        (". .", unit("us_m4", "0101"), STEEP, "clear, stream, uphill 27", "PB-MOVE-9"),
        (". .", unit("us_m4", "0101"), BANK, "clear, embankment 15", "PB-MOVE-40"),
        (". .", unit("us_m4", "0101"), {**RUBBLE, "storm": True}, "clear, RUBBLE, storm 54", "PB-ENV-16"),
        (". .\n. .", unit("us_m4", "0101"), {"foe": "0102"}, "clear, from zone to zone 18", "PB-ZOC-3"),
        (". .", unit("us_m4", "0101"), MINED, "clear, minefield of strength 1 37", "PB-MOVE-82"),
        (". .", unit("su_sapper_coy", "0101"), MINED, "clear, minefield of strength 1 12", "PB-MOVE-83"),
        (". .", unit("us_m4", "0101"), THEIR_JAM, "clear, minefield of strength 1 37", "PB-MOVE-82"),
        (". .", unit("us_m4", "0101"), JAM, "clear, congestion 110", "PB-MOVE-77"),
        (". ~", unit("us_rifle_coy", "0101", mode=TRAVEL), FERRY, "water, ferry 36", "PB-MOVE-97"),
        (". .", unit("us_ranger_coy", "0101"), RIVER, "clear, for the whole allowance 36", "PB-MOVE-75"),
        ("~ ~", unit("uk_lct", "0101"), {}, "water 4", "PB-MOVE-5"),
    ],
)  # fmt: skip
def test_a_step_is_told_with_all_that_makes_it_dear(
    rows: str, mover: Counter, drawn: dict[str, Any], told: str, rule: str
) -> None:
    foes = [unit("de_rifle_coy", drawn["foe"])] if "foe" in drawn else []
    t = table(rows, mover, *foes, **{key: value for key, value in drawn.items() if key != "foe"})
    (tally,) = RULES.explain(t.view(), Move((U(0),), t.hexes("0201")))
    (line,) = tally.lines
    assert (f"{line.label} {line.value}", line.rule) == (f"0201, {told}", rule)


# --- why there is no way -------------------------------------------------------------------------------------------

LINE = {"rail": [["0101", "0201"]]}
TANK, TRUCK, SHIP = "us_m4", "de_truck", "uk_destroyer"


@pytest.mark.rule(
    *("PB-MOVE-7", "PB-MOVE-34", "PB-MOVE-35", "PB-MOVE-41", "PB-MOVE-60", "PB-MOVE-61", "PB-MOVE-62"),
    *("PB-MOVE-90", "PB-MOVE-91", "PB-MOVE-96", "PB-STK-4", "PB-STK-5", "PB-STK-6"),
)
@pytest.mark.parametrize(
    ("rows", "mover", "drawn", "rule"),
    [
        (". .", unit(TANK, "0101", mode=RAIL), {}, "PB-MOVE-41"),
        (". .", unit(TANK, "0101", mode=RAIL), {"roads": LINE, "features": {"0201": [DAMAGE]}}, "PB-MOVE-41"),
        (". . .", unit(TANK, "0101", mode=RAIL), {"roads": LINE, "foe": "0301"}, "PB-MOVE-41"),
        ("s .", unit("uk_lct", "0101"), {}, "PB-MOVE-60"),
        ("~ s", unit(SHIP, "0101"), {}, "PB-MOVE-61"),
        ("~ ~ .", unit(SHIP, "0101"), {}, "PB-MOVE-61"),
        ("~ ~", unit(SHIP, "0101"), {"hexsides": {"dike": ["0101-0201"]}}, "PB-MOVE-62"),
        (". .", unit("us_rifle_coy", "0101"), {"hexsides": over("river", "light_bridge")}, "PB-MOVE-34"),
        (". .", unit("us_rifle_coy", "0101"), {"hexsides": over("river", "ford")}, "PB-MOVE-96"),
        (". .", unit(TRUCK, "0101", ALLIED, mode=TRAVEL), {"hexsides": over("canal", "light_bridge")}, "PB-MOVE-90"),
        (". .", unit(TANK, "0101", mode=TRAVEL), {"hexsides": over("river", "medium_bridge")}, "PB-MOVE-91"),
        (". .", unit(TANK, "0101", mode=TRAVEL), {"hexsides": over("river")}, "PB-MOVE-7"),
        (". m", unit(TANK, "0101", mode=TRAVEL), {}, "PB-MOVE-7"),
        (". m", unit(TANK, "0101"), {"roads": LINE}, "PB-MOVE-35"),
        (". m", unit(TANK, "0101", mode=TRAVEL, strength=26), {"roads": LINE}, "PB-STK-4"),
        (". m", unit(TANK, "0101", mode=TRAVEL), {"roads": LINE, "hexsides": TOO_LIGHT}, "PB-MOVE-35"),
        ("m .", unit(TANK, "0101", mode=TRAVEL), {}, "PB-MOVE-35"),
        (". .", unit(TANK, "0101", mode=RAIL, strength=26), {"roads": LINE}, "PB-STK-5"),
        (". .", unit(TANK, "0101", strength=51), {}, "PB-STK-2"),
    ],
)  # fmt: skip
def test_who_finds_no_way_is_told_by_which_rule(rows: str, mover: Counter, drawn: dict[str, Any], rule: str) -> None:
    foes = [unit("de_rifle_coy", drawn["foe"])] if "foe" in drawn else []
    t = table(rows, mover, *foes, **{key: value for key, value in drawn.items() if key != "foe"})
    assert t.refusal(Move((U(0),), t.hexes("0201"))).rule == rule


@pytest.mark.rule("PB-STK-6", "PB-STK-2")
def test_a_full_hex_is_the_reason_also_from_afar() -> None:
    sea = table("~ ~ ~", unit(SHIP, "0101"), *(unit(SHIP, "0301") for _ in range(4)))
    land = table(". . .", unit("us_rifle_coy", "0101"), unit("us_rifle_coy", "0301", strength=400))
    for t, rule in ((sea, "PB-STK-6"), (land, "PB-STK-2")):
        refusal = RULES.why_not(t.view(), "move", Selection((U(0),)), Selection(hex=t.hex("0301")))
        assert isinstance(refusal, Refusal)
        assert refusal.rule == rule


# --- detours ---------------------------------------------------------------------------------------------------------

LONG_WAY_ROUND = """
. ~ . . . . .
. ~ . . . . .
. ~ . . . . .
. ~ . . . . .
. ~ . . . . .
. . . . . . .
"""


@pytest.mark.rule("PB-MOVE-116")
def test_a_way_that_is_much_longer_than_the_straight_line_is_no_direct_path() -> None:
    t = table(LONG_WAY_ROUND, unit("us_rifle_coy", "0101"))
    way = paths.far_way(t.position, t.unit(0), t.hex("0301"))
    assert len(way) > 2 * 2 + 4
    assert paths.is_detour(t.position, t.unit(0).hex, way)
    refusal = RULES.why_not(t.view(), "move", Selection((U(0),)), Selection(hex=t.hex("0301")))
    assert isinstance(refusal, Refusal)
    assert (refusal.rule, refusal.reason) == ("PB-MOVE-116", "there is no direct path")


@pytest.mark.rule("PB-MOVE-116", "PB-MOVE-1")
def test_a_direct_path_that_is_too_far_lacks_points_only() -> None:
    t = table(LONG_WAY_ROUND, unit("us_rifle_coy", "0301"))
    t.change(0, mp=9)
    refusal = RULES.why_not(t.view(), "move", Selection((U(0),)), Selection(hex=t.hex("0701")))
    assert isinstance(refusal, Refusal)
    assert refusal.rule == "PB-MOVE-1"


@pytest.mark.rule("PB-MOVE-7")
def test_where_no_way_leads_at_all_the_ground_is_to_blame() -> None:
    t = table(". ~ .\n. ~ .", unit("us_rifle_coy", "0101"))
    refusal = RULES.why_not(t.view(), "move", Selection((U(0),)), Selection(hex=t.hex("0301")))
    assert isinstance(refusal, Refusal)
    assert (refusal.rule, refusal.reason) == ("PB-MOVE-7", "no way leads there")
    beside = RULES.why_not(t.view(), "move", Selection((U(0),)), Selection(hex=t.hex("0201")))
    assert isinstance(beside, Refusal)
    assert beside.rule == "PB-MOVE-7"


@pytest.mark.rule("PB-MOVE-116", "PB-MOVE-118", "PB-MOVE-119")
def test_a_detour_in_reach_is_shown_with_a_warning() -> None:
    t = table(LONG_WAY_ROUND, unit("us_m4", "0101"))
    (verb,) = [one for one in RULES.menu(t.view(), Selection((U(0),))) if one.key == "move"]
    warnings = {t.board.label(one.hex): one.warning for one in verb.targets}
    assert warnings["0301"].startswith("no direct path")
    assert warnings["0103"] == ""
    assert RULES.why_not(t.view(), "move", Selection((U(0),)), Selection(hex=t.hex("0301"))) is None
