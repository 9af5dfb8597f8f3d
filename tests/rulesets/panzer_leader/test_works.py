"""Mines, blocks, flails and tank bridges, and what works of all kinds mean to a unit that moves."""

from typing import Any

import pytest

from sandtable.kernel.events import Event
from sandtable.kernel.ids import HexId, RuleId
from sandtable.kernel.trace import Line
from sandtable.rulesets.panzer_leader import combat, works
from sandtable.rulesets.panzer_leader.events import (
    AttackRolled,
    BridgeLaid,
    FortCaptured,
    MineLifted,
    UnitDestroyed,
    UnitDispersed,
    WorkBegan,
    WorkEnded,
)
from sandtable.rulesets.panzer_leader.mobility import step_cost
from sandtable.rulesets.panzer_leader.model import ALLIED, DESTROYED, GERMAN, Work
from sandtable.rulesets.panzer_leader.orders import MoveUnit
from sandtable.rulesets.panzer_leader.terrain import terrain_key
from tests.rulesets.panzer_leader.table import Counter, Table, U, drawn, table, unit

OPEN = """
. W . .
. . . .
"""

STREAM = """
. R .
. R .
"""


def minefield(*units: Counter, phasing: str = GERMAN) -> Table:
    """Mines in the woods of 0201 in the segment of the side that has no units on them."""
    return table(OPEN, *units, mines=["0201"], phasing=phasing, step="mines")


@pytest.mark.rule("PL-1301", "PL-502")
def test_mines_attack_both_sides_in_the_opponent_s_segment_and_never_run_out() -> None:
    for kind, phasing in (("a_rifle", GERMAN), ("g_rifle", ALLIED)):
        t = minefield(unit(kind, "0201"), phasing=phasing)
        assert works.has_mine_attacks(t.position)
        t.run(works.attack_on_mines, dice=[6])
        assert t.hex("0201") in t.position.mines
    own = minefield(unit("g_rifle", "0201"))
    assert not works.has_mine_attacks(own.position)
    assert not works.has_mine_attacks(table(OPEN, unit("a_rifle", "0201"), phasing=GERMAN).position)


@pytest.mark.rule("PL-1303")
@pytest.mark.parametrize(("die", "result"), [(1, "X"), (2, "DD"), (3, "DD"), (4, "D"), (5, "D"), (6, "-")])
def test_a_mine_attacks_at_2_1_without_any_modifier_even_in_woods(die: int, result: str) -> None:
    t = minefield(unit("a_m4_75", "0201"))
    t.run(works.attack_on_mines, dice=[die])
    [rolled] = t.happened(AttackRolled)
    assert (rolled.group, rolled.odds, rolled.drm, rolled.result) == ("mine", "2-1", 0, result)
    assert (rolled.strength, rolled.defense, rolled.rule) == ("18", 9, "PL-1303")
    assert rolled.lines == (Line("Minefield", "2-1", RuleId("PL-1303")),)
    assert t.unit(0).attacked == ("mine",) or result == "X"


@pytest.mark.rule("PL-1303")
def test_each_unit_on_the_mine_is_attacked_separately_a_carrier_with_its_passenger_as_one() -> None:
    t = minefield(unit("a_rifle", "0201"), unit("a_truck", "0201"), unit("a_rifle", carrier=1), unit("a_rifle", "0101"))
    played = t.run(works.attack_on_mines, dice=[6, 1])
    assert [draw.actor for draw in played.draws] == [0, 1]
    assert [event.unit for event in t.happened(UnitDestroyed)] == [2, 1]


@pytest.mark.rule("PL-211")
def test_mines_in_a_town_would_take_its_modifier() -> None:
    t = table("T", unit("a_rifle", "0101"), mines=["0101"], phasing=GERMAN)
    assert works.mine_attack(t.position, t.unit(0)).drm == 1


@pytest.mark.rule("PL-1305")
def test_mines_do_not_attack_flails() -> None:
    t = minefield(unit("b_flail", "0201"), unit("n_tbridge", "0201", side=ALLIED))
    assert not works.has_mine_attacks(t.position)


@pytest.mark.rule("PL-1302")
def test_mines_lie_one_to_a_hex_not_in_sea_town_bridge_or_swamp_nor_with_a_block_or_fort() -> None:
    board = drawn("O T R M\n. . R B", features={"bridge": ["0301"]})
    labels = ["0101", "0201", "0301", "0401", "0102", "0202", "0302", "0402"]
    at = {label: HexId(board.parse(label)) for label in labels}
    problems = works.mine_problems(board, at.values(), blocks=[at["0102"]], forts=[at["0202"]])
    assert [place for place, _ in problems] == [at[label] for label in labels[:6]]
    assert list(works.mine_problems(board, [at["0302"], at["0302"]])) == [
        (at["0302"], "two minefields in one hex (PL-1302)")
    ]


@pytest.mark.rule("PL-614")
def test_a_block_fortification_or_minefield_denies_the_road_rate() -> None:
    road = [["0101", "0102"]]
    rifle, fort = unit("a_truck", "0101"), unit("n_fort20", "0102", side=ALLIED)
    cases: list[tuple[tuple[Counter, ...], dict[str, Any]]] = [
        ((rifle,), {"mines": ["0102"]}),
        ((rifle,), {"blocks": ["0102"]}),
        ((rifle, fort), {}),
    ]
    for units, there in cases:
        t = table(OPEN, *units, roads=road, **there)
        assert step_cost(t.position, t.unit(0), t.hex("0101"), t.hex("0102")) == 4
    t = table(OPEN, rifle, roads=road)
    assert step_cost(t.position, t.unit(0), t.hex("0101"), t.hex("0102")) == 1


@pytest.mark.rule("PL-1301", "PL-1311", "PL-1322")
def test_a_unit_stops_on_mines_on_a_block_and_on_top_of_an_enemy_fort() -> None:
    t = table(
        OPEN,
        unit("a_rifle", "0101"),
        unit("n_fort20", "0301"),
        unit("n_fort20", "0401", side=ALLIED),
        mines=["0201"],
        blocks=["0202"],
    )
    stops = {
        label: works.must_stop(t.position, t.unit(0), t.hex(label))
        for label in ["0201", "0202", "0301", "0401", "0102"]
    }
    assert stops == {"0201": "PL-1301", "0202": "PL-1311", "0301": "PL-1322", "0401": None, "0102": None}


@pytest.mark.rule("PL-1311")
def test_a_block_is_entered_only_by_a_unit_that_began_its_move_adjacent() -> None:
    t = table(OPEN, unit("a_m4_75", "0101"), blocks=["0301"])
    start, beside, block = t.hexes("0101", "0201", "0301")
    refusal = works.may_enter(t.position, t.unit(0), beside, start, block)
    assert refusal is not None
    assert refusal.rule == "PL-1311"
    assert works.may_enter(t.position, t.unit(0), beside, beside, block) is None


@pytest.mark.rule("PL-1322")
def test_nobody_enters_a_fort_s_hex_while_enemies_stand_on_top() -> None:
    t = table(OPEN, unit("a_rifle", "0101"), unit("n_fort20", "0201"), unit("g_rifle", "0201"))
    start, place = t.hexes("0101", "0201")
    refusal = works.may_enter(t.position, t.unit(0), start, start, place)
    assert refusal is not None
    assert refusal.rule == "PL-1322"


@pytest.mark.rule("PL-1323")
def test_a_unit_that_comes_to_the_hex_of_an_empty_fort_has_captured_it() -> None:
    t = table(OPEN, unit("a_rifle", "0201"), unit("n_fort20", "0201"))
    t.run(works.entered, 0, t.hex("0201"))
    assert t.events == (FortCaptured(U(1), ALLIED),)


@pytest.mark.rule("PL-1305")
def test_a_flail_leaves_the_mines_for_half_its_allowance_and_they_are_gone() -> None:
    t = minefield(unit("b_flail", "0201"), unit("a_m4_75", "0201"), phasing=ALLIED)
    mines = t.hex("0201")
    t.run(works.entered, 0, mines)
    assert t.happened(Event) == [WorkBegan(U(0), "flail", mines)]
    assert works.leaving_cost(t.position, t.unit(0), mines) == 8
    assert works.leaving_cost(t.position, t.unit(1), mines) is None
    t.change(0, hex="0301")
    t.run(works.left, 0, mines)
    assert t.happened(Event) == [MineLifted(mines), WorkEnded(U(0), "flail", True)]
    assert works.leaving_cost(t.position, t.unit(0), mines) is None


@pytest.mark.rule("PL-1301", "PL-1305")
def test_a_flail_drives_onto_the_mines_stops_and_clears_them_with_its_next_move() -> None:
    t = table(OPEN, unit("b_flail", "0102"), mines=["0202"], step="vehicle movement")
    t.play(MoveUnit(U(0), t.hexes("0202")))
    assert t.unit(0).moved
    t.set(segment=3, mover=None)
    t.change(0, moved=False)
    t.play(MoveUnit(U(0), t.hexes("0302")))
    assert t.happened(MineLifted) == [MineLifted(t.hex("0202"))]
    assert t.position.mover is not None
    assert t.position.mover.spent == 8 + 2


@pytest.mark.rule("PL-1305")
def test_a_flail_leaves_nothing_to_clear_where_another_has_cleared() -> None:
    t = table(OPEN, unit("b_flail", "0301"), unit("a_m4_75", "0101"))
    t.set(works=(Work(U(0), "flail", t.hex("0201")),))
    t.run(works.left, 0, t.hex("0201"))
    assert t.happened(Event) == [WorkEnded(U(0), "flail", False)]
    t.run(works.left, 1, t.hex("0201"))
    t.run(works.entered, 0, t.hex("0301"))
    assert t.happened(Event) == []


def bridging(*units: Counter) -> Table:
    """A bridgelayer, unit 0, in the stream with its bridge, unit 1, in reserve."""
    return table(STREAM, unit("b_bridge", "0201"), unit("n_tbridge", side=ALLIED), *units, step="vehicle movement")


@pytest.mark.rule("PL-1333")
def test_a_bridgelayer_stops_in_the_stream_and_leaves_for_3_points_and_the_bridge_lies_there() -> None:
    t = bridging()
    stream = t.hex("0201")
    assert works.must_stop(t.position, t.unit(0), stream) == "PL-1333"
    t.run(works.entered, 0, stream)
    assert t.happened(Event) == [WorkBegan(U(0), "bridge", stream)]
    assert works.leaving_cost(t.position, t.unit(0), stream) == 6
    t.change(0, hex="0301")
    t.run(works.left, 0, stream)
    assert t.happened(Event) == [BridgeLaid(U(1), stream, ALLIED), WorkEnded(U(0), "bridge", True)]
    assert terrain_key(t.position, stream) == "clear"
    assert t.position.units[1].hex == stream
    assert combat.defense_of(t.position, t.unit(1)) == 32


@pytest.mark.rule("PL-1333", "PL-631")
def test_a_bridgelayer_lays_one_bridge_and_without_it_stays_out_of_streams() -> None:
    t = bridging(
        unit("b_bridge", "0101"), unit("n_tbridge", side=ALLIED), unit("b_bridge", "0301"), unit("a_m4_75", "0301")
    )
    first, other, third, tank = (t.unit(n) for n in (0, 2, 4, 5))
    assert [works.bridge_of(t.position, one) for one in (first, other, third)] == [t.unit(1), t.unit(3), None]
    assert [works.can_bridge(t.position, one) for one in (first, other, third, tank)] == [True, True, False, False]
    here, stream = t.hexes("0301", "0202")
    refusal = works.may_enter(t.position, third, here, here, stream)
    assert refusal is not None
    assert refusal.rule == "PL-1333"
    assert works.may_enter(t.position, first, t.hex("0201"), t.hex("0201"), stream) is None
    t.change(1, fate=DESTROYED)
    assert not works.can_bridge(t.position, first)
    t.change(0, hex="0301")
    t.run(works.left, 0, t.hex("0201"))
    assert t.events == ()


def spanned(*units: Counter) -> Table:
    """A German tank bridge, unit 0, across 0201."""
    return table(STREAM, unit("n_tbridge", "0201"), *units)


@pytest.mark.rule("PL-1333")
def test_a_tank_bridge_is_attacked_alone_by_direct_or_indirect_fire_of_no_light_weapons() -> None:
    t = spanned(unit("g_rifle", "0201"), unit("a_155", "0101"), unit("a_rifle", "0101"))
    bridge, rifle, howitzer, light = t.position.units
    judged = [
        works.bridge_target_refusal(combat.DIRECT, (howitzer,), (bridge,)),
        works.bridge_target_refusal(combat.INDIRECT, (howitzer,), (bridge,)),
        works.bridge_target_refusal(combat.AIR_ATTACK, (light,), (rifle,)),
        works.bridge_target_refusal(combat.AIR_ATTACK, (), (bridge,)),
        works.bridge_target_refusal(combat.DIRECT, (howitzer,), (bridge, rifle)),
        works.bridge_target_refusal(combat.DIRECT, (howitzer, light), (bridge,)),
    ]
    assert [refusal and refusal.rule for refusal in judged] == [None, None, None, "PL-1333", "PL-1333", "PL-1333"]


@pytest.mark.rule("PL-1333")
def test_only_x_destroys_a_tank_bridge_with_the_vehicles_on_it_and_no_wrecks() -> None:
    t = spanned(unit("g_pz4", "0201"), unit("g_rifle", carrier=1), unit("g_rifle", "0201"), unit("g_pz4", "0301"))
    for result in ("-", "D", "DD", "DD"):
        t.run(combat.take_result, 0, result)
        assert t.events == ()
    t.run(combat.take_result, 0, "X")
    assert {event.unit for event in t.happened(UnitDestroyed)} == {0, 1, 2}
    assert not t.happened(UnitDispersed)
    assert not t.position.wrecks
    assert t.unit(3).hex == t.hex("0201")
    assert terrain_key(t.position, t.hex("0201")) == "stream"
