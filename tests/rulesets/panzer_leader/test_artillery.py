"""Section 11 of the rules: indirect fire, from the written order to the shells in the hex."""

from __future__ import annotations

import tomllib
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.kernel.ids import NOBODY, HexId, SideId
from sandtable.rulesets.panzer_leader import artillery, changes, describe, missions
from sandtable.rulesets.panzer_leader.combat import distribution
from sandtable.rulesets.panzer_leader.events import (
    AttackRolled,
    HexShelled,
    MissionFired,
    MissionsEnded,
    MissionWritten,
    SegmentBegan,
    SegmentEnded,
    Sighted,
    SmokeLaid,
    UnitDestroyed,
    UnitDispersed,
    UnitLoaded,
    UnitMoved,
    UnitRevealed,
    UnitsFired,
)
from sandtable.rulesets.panzer_leader.model import ALLIED, GERMAN, Mission, Mover, Sighting
from sandtable.rulesets.panzer_leader.orders import DirectFire, FireMissions, WriteMission
from sandtable.rulesets.panzer_leader.view import known_position
from sandtable.rulesets.panzer_leader.workings import Barrage
from tests.rulesets.panzer_leader.table import Counter as Piece
from tests.rulesets.panzer_leader.table import Table, U, ids, open_board, plane, table, unit

EXAMPLES = tomllib.loads((Path(__file__).parent / "examples.toml").read_text(encoding="utf-8"))["example"]
BY_ID = {example["id"]: example for example in EXAMPLES}

PLAIN = open_board(40, 3)


def mission(t: Table, firers: tuple[int, ...], label: str, **changed: Any) -> Mission:
    """A mission of the side on turn that is due now, spotted by nobody."""
    fields = {"written": t.position.segment - 2, "due": t.position.segment, **changed}
    side = fields.pop("side", t.position.phasing)
    return Mission(side, ids(*firers), t.hex(label), fields.pop("spotters", ()), **fields)


def due(rows: str, *units: Piece, at: str, firers: tuple[int, ...] = (0,), spotters: Any = (1,), **more: Any) -> Table:
    """A table in segment 3 on which a mission of the first unit, spotted by the second, is due."""
    smoke = more.pop("smoke_mission", False)
    t = table(rows, *units, segment=3, turn=2, step="indirect fire", **more)
    t.set(missions=(mission(t, firers, at, spotters=spotters, smoke=smoke),))
    return t


# --- writing ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PL-501", "PL-1102")
def test_an_order_names_units_and_one_hex_and_is_due_in_the_sides_next_segment() -> None:
    """Batteries are ordered onto an empty hex; the note says when it was written, when it is due and who spots."""
    t = table(PLAIN, unit("a_105", "0101"), unit("a_priest", "0102"), unit("a_rifle", "1401"), segment=5, turn=3)
    t.play(WriteMission(ids(0, 1), t.hex("1501")))
    (event,) = t.happened(MissionWritten)
    assert event.mission == Mission(ALLIED, ids(0, 1), t.hex("1501"), ids(0, 1, 2), written=5, due=7)
    assert t.position.missions == (event.mission,)


@pytest.mark.rule("PL-1102")
def test_a_written_order_is_secret() -> None:
    """The side that wrote it knows it, the other does not."""
    t = table(PLAIN, unit("a_105", "0101"), unit("a_rifle", "1401"))
    t.play(WriteMission(ids(0), t.hex("1501")))
    assert known_position(t.position, ALLIED).missions == t.position.missions
    assert known_position(t.position, GERMAN).missions == ()


@pytest.mark.rule("PL-1101", "PL-208")
@pytest.mark.parametrize(
    ("kind", "label", "lawful"),
    [
        ("a_105", "0901", False),  # 8 hexes: a quarter of 32
        ("a_105", "1001", True),
        ("a_105", "3301", True),  # 32 hexes
        ("a_105", "3401", False),
        ("b_25pdr", "0901", False),  # a quarter of 35 rounded down is 8
        ("b_25pdr", "1001", True),
        ("a_81mm", "0201", True),
        ("a_81mm", "1301", True),
        ("a_81mm", "1401", False),
        ("a_81mm", "0101", False),
    ],
)
def test_howitzers_fire_beyond_a_quarter_of_their_range_and_mortars_from_one_hex(
    kind: str, label: str, lawful: bool
) -> None:
    """Both reach their printed range and no farther."""
    t = table(PLAIN, unit(kind, "0101"))
    refusal = t.check(WriteMission(ids(0), t.hex(label)))
    assert (refusal is None) == lawful
    if refusal is not None:
        assert refusal.rule == "PL-1101"
        assert "out of range" in refusal.reason


@pytest.mark.rule("PL-1101")
@pytest.mark.parametrize(
    ("piece", "reason"),
    [
        (unit("a_m4_75", "0101"), "can't fire indirectly"),
        (unit("a_m4_105", "0101"), "can't fire indirectly"),
        (unit("a_105", carrier=1), "loaded"),
        (unit("a_105", "0101", dispersed=1), "dispersed"),
        (unit("a_105", "0101", fired=True), "has fired"),
    ],
)
def test_a_unit_that_cannot_fire_indirectly_or_is_loaded_dispersed_or_fired_may_not_be_ordered(
    piece: Piece, reason: str
) -> None:
    """The refusal says which of these it is."""
    t = table(PLAIN, piece, unit("a_truck", "0101"), unit("a_rifle", "1401"))
    refusal = t.refusal(WriteMission(ids(0), t.hex("1501")))
    assert refusal.rule == "PL-1101"
    assert reason in refusal.reason
    assert not list(artillery.mission_options(t.position, ALLIED, t.unit(0)))


@pytest.mark.rule("PL-713", "PL-1401")
def test_no_battery_fires_from_a_stream_or_from_the_sea() -> None:
    """Guns that stand in water can't be ordered."""
    t = table("RO" + "." * 18, unit("a_81mm", "0101"), unit("a_81mm", "0201"), unit("a_rifle", "0501"))
    assert t.refusal(WriteMission(ids(0), t.hex("0601"))).rule == "PL-713"
    assert t.refusal(WriteMission(ids(1), t.hex("0601"))).rule == "PL-1401"


@pytest.mark.rule("PL-801", "PL-1101")
def test_a_unit_has_one_order_for_a_segment_but_may_have_one_due_now_and_one_for_the_next() -> None:
    """An order that is due now does not hinder the next; a second for the next segment is refused."""
    t = table(PLAIN, unit("a_105", "0101"), unit("a_rifle", "1401"), segment=3, turn=2)
    t.set(missions=(mission(t, (0,), "1501"),))
    order = WriteMission(ids(0), t.hex("1501"))
    t.play(order)
    assert t.refusal(order).rule == "PL-801"


@pytest.mark.rule("PL-1102")
def test_an_order_that_names_nonsense_is_refused() -> None:
    """No firers, a firer twice, units that are not there or not one's own, a hex off the map."""
    t = table(PLAIN, unit("a_105", "0101"), unit("g_105", "0102"), unit("a_105"))
    place = t.hex("1501")
    for firers, target in [
        ((), place),
        ((0, 0), place),
        ((1,), place),
        ((2,), place),
        ((-1,), place),
        ((99,), place),
        ((0,), HexId(0)),
        ((0,), HexId(-7)),
        ((0,), HexId(10**6)),
    ]:
        assert t.refusal(WriteMission(ids(*firers), target)).rule == "PL-1102"


@pytest.mark.rule("PL-1103")
@pytest.mark.parametrize(
    ("spotter", "lawful"),
    [
        (unit("a_rifle", "0802"), True),
        (unit("a_rifle", "0802", dispersed=1), False),
        (unit("a_truck", "0802"), False),
        (unit("a_rifle", "0302"), False),  # behind the town
        (unit("g_rifle", "0802"), False),
    ],
)
def test_a_friendly_undispersed_combat_unit_must_see_the_hex(spotter: Piece, lawful: bool) -> None:
    """Trucks, dispersed units and units without a line of sight do not help; nor does the battery behind the town."""
    t = table(
        """
        . . . . T T . . . . . . . . . .
        . . . . T T . . . . . . . . . .
        . . . . T T . . . . . . . . . .
        """,
        unit("a_107mm", "0102"),
        spotter,
    )
    refusal = t.check(WriteMission(ids(0), t.hex("1202")))
    assert (refusal is None) == lawful
    if refusal is not None:
        assert refusal.rule == "PL-1103"


@pytest.mark.rule("PL-1103")
@pytest.mark.parametrize("cover", ["W", "T"])
def test_for_a_woods_or_town_hex_the_spotter_must_be_adjacent_or_have_seen_an_enemy_fire_there(cover: str) -> None:
    """Sight from afar is not enough; a neighbor is, and so is one who watches an enemy that fired."""
    t = table(f". . . . . . . {cover} . .", unit("a_81mm", "0101"), unit("a_rifle", "0401"), unit("g_rifle", "0801"))
    order = WriteMission(ids(0), t.hex("0801"))
    assert t.refusal(order).rule == "PL-1103"
    t.change(1, hex="0701")
    assert t.check(order) is None
    t.change(1, hex="0401")
    t.set(sightings=(Sighting(U(2), t.hex("0801"), 1, ids(1)),))
    t.play(order)
    assert t.position.missions[0].spotters == ids(1)


@pytest.mark.rule("PL-1103")
def test_a_friend_who_fired_out_of_the_woods_does_not_make_them_observed() -> None:
    """It is an enemy there who must have fired."""
    t = table(". . . . . . . W . .", unit("a_81mm", "0101"), unit("a_rifle", "0401"), unit("a_81mm", "0801"))
    t.set(sightings=(Sighting(U(2), t.hex("0801"), 1, ids(1)),))
    # the mortar in the woods is there itself: without it nobody observes the hex
    t.change(2, hex=HexId(0))
    assert t.refusal(WriteMission(ids(0), t.hex("0801"))).rule == "PL-1103"


@pytest.mark.rule("PL-1206", "PL-1103")
def test_an_observer_aircraft_sights_for_indirect_fire() -> None:
    """With nobody on the ground who sees the hex the L-5 overhead is enough; the order remembers it."""
    rows = ". T . . . . . . . . . ."
    t = table(rows, unit("a_81mm", "0101"), aircraft=[plane("l5"), plane("l5", "1201")])
    t.set(aircraft=t.position.aircraft[:1])
    order = WriteMission(ids(0), t.hex("1101"))
    assert t.refusal(order).rule == "PL-1103"
    t = table(rows, unit("a_81mm", "0101"), aircraft=[plane("l5"), plane("l5", "1201")])
    t.play(order)
    assert (t.position.missions[0].spotters, t.position.missions[0].observers) == ((), ids(1))


@pytest.mark.rule("PL-1206", "PL-1105")
def test_an_observer_that_is_still_overhead_saves_the_order_from_scatter() -> None:
    """Gone, it leaves the order to the die."""
    t = table(PLAIN, unit("a_81mm", "0101"), segment=3, step="indirect fire", aircraft=[plane("l5", "1201")])
    t.set(missions=(mission(t, (0,), "1101", observers=ids(0)),))
    assert missions.is_still_observed(t.position, t.position.missions[0])
    t.set(aircraft=(changed_plane(t, hex=HexId(0)),))
    assert not missions.is_still_observed(t.position, t.position.missions[0])


def changed_plane(t: Table, **fields: Any) -> Any:
    return replace(t.position.aircraft[0], **fields)


@pytest.mark.rule("PL-1608", "PL-1101")
def test_a_gun_with_a_field_of_fire_is_ordered_only_to_its_front() -> None:
    """With the option on a howitzer that points away from the hex is refused."""
    for facing, lawful in [(2, True), (5, False)]:
        t = table(PLAIN, unit("a_105", "0101", facing=facing), options={"field_of_fire": True})
        refusal = t.check(WriteMission(ids(0), t.hex("1501")))
        assert (refusal is None) == lawful
        if refusal is not None:
            assert refusal.rule == "PL-1608"


@pytest.mark.rule("PL-501")
def test_orders_are_written_while_a_battery_is_ready_and_the_next_turn_comes() -> None:
    """The step is passed over without a battery that could be ordered, and in the last turn."""
    assert artillery.may_write_missions(table(PLAIN, unit("a_105", "0101")).position)
    assert not artillery.may_write_missions(table(PLAIN, unit("a_105", "0101"), turn=10).position)
    assert not artillery.may_write_missions(table(PLAIN, unit("a_105", "0101", fired=True), unit("g_105")).position)
    assert not artillery.may_write_missions(table(PLAIN, unit("a_105")).position)


@pytest.mark.rule("PL-1101", "PL-1103", "PL-1609")
def test_the_options_are_lawful_and_offer_each_observed_enemy_alone_together_and_as_smoke() -> None:
    """A battery is offered each enemy stack in range, by itself, with the other batteries, and with smoke."""
    t = table(
        PLAIN,
        unit("a_105", "0101"),
        unit("a_81mm", "0501"),
        unit("a_rifle", "1401"),
        unit("g_rifle", "1501"),
        unit("g_pz4", "1601"),
        unit("g_pz4", "0401"),
        options={"smoke": True},
    )
    options = list(artillery.mission_options(t.position, ALLIED, t.unit(0)))
    assert all(t.check(order) is None for order in options)
    assert {(order.firers, t.board.label(order.hex), order.smoke) for order in options} == {
        ((0,), "1501", False),
        ((0,), "1501", True),
        ((0, 1), "1501", False),
        ((0, 1), "1501", True),
        ((0,), "1601", False),
        ((0,), "1601", True),
        ((0, 1), "1601", False),
        ((0, 1), "1601", True),
    }
    mortar = list(artillery.mission_options(t.position, ALLIED, t.unit(1)))
    assert all(t.check(order) is None for order in mortar)
    # the mortar alone has too little for smoke, and the howitzer can't reach the tank beside it
    assert ((1,), "0401", False) in {(o.firers, t.board.label(o.hex), o.smoke) for o in mortar}
    assert not any(o.smoke and o.firers == (1,) for o in mortar)
    assert not list(artillery.mission_options(t.position, GERMAN, t.unit(0)))


def test_an_enemy_that_nobody_observes_is_no_option() -> None:
    """The town hides him."""
    t = table(
        """
        . . T . . . . .
        . . T . . . . .
        """,
        unit("a_81mm", "0101"),
        unit("g_rifle", "0501"),
    )
    assert not list(artillery.mission_options(t.position, ALLIED, t.unit(0)))


# --- who drops out ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("PL-910", "PL-1104")
@pytest.mark.parametrize(
    "event",
    [
        UnitDispersed(U(0)),
        UnitDestroyed(U(0)),
        UnitLoaded(U(2), U(0)),
        UnitMoved(U(0), (HexId(7),), Mover(U(0), HexId(6))),
    ],
)
def test_a_unit_that_is_dispersed_lost_loaded_or_moves_loses_its_written_order(event: Any) -> None:
    """The other battery of the order keeps it; an order without batteries is gone."""
    t = table(PLAIN, unit("a_81mm", "0101"), unit("a_105", "0101"), unit("a_truck", "0101"))
    t.set(missions=(mission(t, (0, 1), "1501", due=3), mission(t, (0,), "1001", due=1)))
    t.run(lambda resolution: resolution.emit(event))
    assert [m.firers for m in t.position.missions] == [ids(1)]


@pytest.mark.rule("PL-1104")
def test_in_the_segment_of_resolution_a_unit_carries_out_its_order_or_holds_and_never_fires_directly() -> None:
    """A held order keeps its battery from direct fire to the end of the segment, then it is forgotten."""
    t = due(open_board(16, 1), unit("a_107mm", "0101"), unit("a_rifle", "1001"), unit("g_rifle", "1201"), at="1201")
    shot = DirectFire(ids(0), t.hex("1201"), ids(2))
    assert t.refusal(shot).rule == "PL-1104"
    t.run(artillery.strike_due_missions)
    assert t.happened(MissionsEnded) == [MissionsEnded(ALLIED)]
    assert t.refusal(shot).rule == "PL-1104"
    assert not artillery.has_due_missions(t.position)
    assert t.refusal(FireMissions()).rule == "PL-503"
    t.run(lambda resolution: resolution.emit(SegmentBegan(GERMAN, 2, 4)))
    assert t.position.missions == ()


@pytest.mark.rule("PL-1104")
def test_batteries_of_one_order_may_hold_while_the_others_fire() -> None:
    """The one that holds is not fired, fires nothing else, and can't change its mind."""
    t = due(PLAIN, unit("a_105", "0101"), unit("a_rifle", "1401"), unit("a_105", "0102"), at="1501", firers=(0, 2))
    t.play(FireMissions(hold=ids(2)))
    (fired,) = t.happened(MissionFired)
    assert fired.mission.firers == ids(0)
    assert t.happened(UnitsFired) == [UnitsFired(ids(0))]
    assert [(m.firers, m.held) for m in t.position.missions] == [(ids(2), True)]
    assert t.refusal(FireMissions()).rule == "PL-503"


@pytest.mark.rule("PL-1104")
def test_only_an_ordered_battery_can_be_told_to_hold() -> None:
    """Another unit has nothing to hold."""
    t = due(PLAIN, unit("a_105", "0101"), unit("a_rifle", "1401"), at="1501")
    assert t.refusal(FireMissions(hold=ids(1))).rule == "PL-1104"


@pytest.mark.rule("PL-1104")
def test_when_all_hold_no_order_is_carried_out() -> None:
    """No die, no shells, and nobody has fired."""
    t = due(PLAIN, unit("a_105", "0101"), unit("a_rifle", "1401"), at="1501")
    t.play(FireMissions(hold=ids(0)))
    assert t.events == (MissionsEnded(ALLIED),)
    assert not t.unit(0).fired


@pytest.mark.rule("PL-713", "PL-1104")
def test_a_battery_whose_bridge_has_gone_does_not_fire() -> None:
    """It stands in a stream now."""
    t = due("R" + "." * 15, unit("a_107mm", "0101"), unit("a_rifle", "1001"), at="1201")
    t.play(FireMissions())
    assert t.events == (MissionsEnded(ALLIED),)


# --- coming down -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("PL-503", "PL-510")
def test_orders_come_down_in_the_segment_they_are_due_and_none_in_the_first_turn() -> None:
    """An order written in turn 1 is not due before turn 2; without a due order the step is passed over."""
    t = table(PLAIN, unit("a_105", "0101"), unit("a_rifle", "1401"))
    t.play(WriteMission(ids(0), t.hex("1501")))
    assert not artillery.has_due_missions(t.position)
    assert t.refusal(FireMissions()).rule == "PL-503"
    for segment, side in [(2, GERMAN), (3, ALLIED)]:
        t.run(lambda r, side=side, segment=segment: r.emit(SegmentBegan(side, (segment + 1) // 2, segment)))
        assert artillery.has_due_missions(t.position) == (segment == 3)


@pytest.mark.rule("PL-503")
def test_the_firers_become_fired_and_each_defender_gets_its_own_die() -> None:
    """One attack a counter, and the guns are fired to the end of their segment."""
    t = due(
        PLAIN, unit("a_105", "0101"), unit("a_rifle", "1401"), unit("g_rifle", "1501"), unit("g_smg", "1501"), at="1501"
    )
    played = t.play(FireMissions(), dice=[3, 1])
    assert [draw.rule for draw in played.draws] == ["PL-1107", "PL-1107"]
    assert [(roll.targets, roll.die) for roll in t.happened(AttackRolled)] == [((2,), 3), ((3,), 1)]
    assert t.unit(0).fired
    t.run(lambda resolution: resolution.emit(SegmentEnded(ALLIED)))
    assert not t.unit(0).fired


@pytest.mark.rule("PL-1105")
def test_an_order_whose_spotter_still_qualifies_needs_no_scatter_die() -> None:
    """The event shows no die and the hex it was written for."""
    t = due(PLAIN, unit("a_105", "0101"), unit("a_rifle", "1401"), at="1501")
    t.play(FireMissions())
    (fired,) = t.happened(MissionFired)
    assert (fired.hex, fired.scattered, fired.die) == (t.hex("1501"), False, 0)


@pytest.mark.rule("PL-1105")
@pytest.mark.parametrize(
    "spotter", [unit("a_rifle", "1401", dispersed=2), unit("a_rifle"), unit("a_rifle", "0102", dispersed=1)]
)
def test_without_a_spotter_of_the_order_later_ones_do_not_help(spotter: Piece) -> None:
    """The order's own spotter is dispersed or gone: the die is thrown, though another unit sees the hex."""
    t = due(PLAIN, unit("a_105", "0101"), spotter, unit("a_rifle", "1402"), at="1501")
    assert missions.is_observed(t.position, ALLIED, t.hex("1501"))
    played = t.play(FireMissions(), dice=[2])
    assert [(draw.rule, draw.actor) for draw in played.draws] == [("PL-1105", 0)]
    assert t.happened(MissionFired)[0].hex == t.hex("1501")


@pytest.mark.rule("PL-1105", "PL-1106")
@pytest.mark.parametrize(
    ("dice", "label"),
    [
        ([1], "1502"),
        ([2], "1502"),
        ([3, 1], "1501"),  # north
        ([4, 2], "1601"),
        ([5, 3], "1602"),
        ([3, 4], "1503"),
        ([4, 5], "1402"),
        ([5, 6], "1401"),
        ([6], ""),
    ],
)
def test_1_and_2_are_on_target_3_to_5_fall_on_a_neighbor_clockwise_from_north_and_6_nowhere(
    dice: list[int], label: str
) -> None:
    """Every face of the scatter die and of the direction die."""
    t = due(PLAIN, unit("a_105", "0101"), unit("a_rifle", "0103"), at="1502", spotters=())
    t.play(FireMissions(), dice=dice)
    (fired,) = t.happened(MissionFired)
    assert fired.hex == (t.hex(label) if label else 0)
    assert fired.scattered == (label != "1502")
    assert fired.die == dice[0]
    assert [event.hex for event in t.happened(HexShelled)] == ([t.hex(label)] if label else [])
    assert t.unit(0).fired


@pytest.mark.rule("PL-1105", "PL-1106")
def test_example_e18_scatter_falls_as_the_worked_example_says() -> None:
    """One third on target, one twelfth on each neighbor, one sixth nowhere."""
    expected = BY_ID["PL-E18"]["expected"]
    falls: Counter[HexId] = Counter()
    for die in range(1, 7):
        for direction in range(1, 7):
            t = due(PLAIN, unit("a_105", "0101"), unit("a_rifle", "0103"), at="1502", spotters=())
            t.play(FireMissions(), dice=[die, direction] if 3 <= die <= 5 else [die])
            falls[t.happened(MissionFired)[0].hex] += 1
    assert Fraction(falls[t.hex("1502")], 36) == Fraction(expected["target_hex"])
    assert Fraction(falls[HexId(0)], 36) == Fraction(expected["no_effect"])
    around = t.board.neighbors(t.hex("1502"))
    assert {Fraction(falls[HexId(n)], 36) for n in around} == {Fraction(expected["each_of_6_adjacent_hexes"])}


@pytest.mark.rule("PL-1106")
def test_scattered_fire_hits_friend_and_foe_alike() -> None:
    """The rifles of one's own side beside the target take it."""
    t = due(PLAIN, unit("a_105", "0101"), unit("a_rifle", "1501"), unit("g_rifle", "1502"), at="1502", spotters=())
    t.play(FireMissions(), dice=[3, 1, 1])
    (roll,) = t.happened(AttackRolled)
    assert (roll.hex, roll.targets, roll.attackers) == (t.hex("1501"), (1,), (0,))
    assert t.happened(UnitDestroyed) == [UnitDestroyed(U(1))]
    assert t.unit(2).hex == t.hex("1502")


@pytest.mark.rule("PL-1106")
def test_fire_that_scatters_off_the_map_harms_nobody() -> None:
    """There is no hex to the north of the northern edge."""
    t = due(PLAIN, unit("a_105", "0101"), unit("a_rifle", "1401"), unit("g_rifle", "1501"), at="1501", spotters=())
    t.play(FireMissions(), dice=[3, 1])
    assert t.happened(MissionFired)[0].hex == 0
    assert not t.happened(HexShelled)


@pytest.mark.rule("PL-722", "PL-503")
def test_a_battery_that_fires_out_of_the_woods_gives_itself_away() -> None:
    """The enemy who sees it has a sighting."""
    t = due("W" + "." * 19, unit("a_105", "0101"), unit("a_rifle", "1401"), unit("g_rifle", "1201"), at="1501")
    t.play(FireMissions())
    (sighted,) = t.happened(Sighted)
    assert [(s.unit, s.witnesses) for s in sighted.sightings] == [(0, (2,))]


# --- the attack ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PL-806", "PL-808", "PL-1107", "PL-1108")
@pytest.mark.parametrize("key", ["PL-E16", "PL-E17"])
def test_worked_examples_of_indirect_fire(key: str) -> None:
    """Totals, shares, odds and distributions as written."""
    example = BY_ID[key]
    terrain = {"clear": ".", "woods": "W"}[example["situation"]["terrain"]]
    rows = "." * 30 + terrain
    targets = [unit(name, "3101") for name in example["situation"]["targets"]]
    firers = [unit(f["unit"], f"{31 - f['distance']:02}01") for f in example["situation"]["firers"]]
    t = table(rows, *targets, *firers)
    place = t.hex("3101")
    able = tuple(
        u.id for u in t.position.units[len(targets) :] if artillery.range_refusal(t.position, u, place) is None
    )
    attacks = artillery.bombardment(t.position, Barrage(place, able))
    expected = example["expected"]
    assert [attack.strength for attack in attacks] == [expected["as_each_defender"]] * len(targets)
    total, _ = artillery.barrage_strength(
        t.position, Barrage(place, able), "nonarmored" if key == "PL-E16" else "armored"
    )
    assert total == expected["as_total"]
    for attack, wanted in zip(attacks, expected["per_defender"], strict=True):
        assert t.unit(attack.targets[0]).kind == wanted["unit"]
        assert attack.odds == wanted["odds"]
        faces = Counter("D" if result == "DD" else result for result in distribution(attack))
        assert {word: Fraction(n, 6) for word, n in faces.items()} == {
            word: Fraction(share) for word, share in wanted["distribution"].items()
        }


@pytest.mark.rule("PL-1107", "PL-808")
def test_the_strength_after_the_weapon_table_is_divided_among_the_counters_and_the_fraction_dropped() -> None:
    """Armor, or as many armored as not, halves it; the lines tell it all."""
    t = table(PLAIN, unit("a_155", "0101"), unit("a_81mm", "0501"), unit("g_pz4", "1501"), unit("g_rifle", "1501"))
    attacks = artillery.bombardment(t.position, Barrage(t.hex("1501"), ids(0, 1)))
    # 60/2 + 3/2 = 63/2, for each of two counters 15
    assert [(attack.strength, attack.odds) for attack in attacks] == [(Fraction(15), "1-1")] * 2
    assert [(line.label, line.value, line.rule) for line in attacks[0].tallies.lines] == [
        ("155mm howitzer: attack strength", 60, "PL-307"),
        (
            "155mm howitzer: (H) against armored, far, the worse for it of an evenly divided target",
            "x1/2",
            "PL-807",
        ),
        ("81mm mortar: attack strength", 3, "PL-307"),
        ("81mm mortar: M against armored, far, the worse for it of an evenly divided target", "x1/2", "PL-807"),
        ("Divided among 2 counters, fraction dropped", 15, "PL-1107"),
        ("PzKw IVh defends", 8, "PL-802"),
        ("15 against 8", "1-1", "PL-831"),
    ]


@pytest.mark.rule("PL-1107", "PL-645", "PL-1321")
def test_a_carrier_with_its_passenger_and_a_fort_with_its_contents_are_one_counter_each() -> None:
    """Nobody aboard or inside is attacked; they share the fate of what holds them."""
    t = due(
        PLAIN,
        unit("a_155", "0101"),
        unit("a_rifle", "1401"),
        unit("g_truck", "1501"),
        unit("g_rifle", carrier=2),
        unit("n_fort20", "1501"),
        unit("g_rifle", fort=4),
        at="1501",
    )
    t.play(FireMissions(), dice=[1, 1])
    # one of each type: 60/2 divided by two
    assert [(roll.targets, roll.strength, roll.odds) for roll in t.happened(AttackRolled)] == [
        ((2,), "15", "4-1"),
        ((4,), "15", "1-2"),
    ]
    assert [event.unit for event in t.happened(UnitDestroyed)] == [3, 2]
    assert [event.unit for event in t.happened(UnitDispersed)] == [4, 5]


@pytest.mark.rule("PL-1108")
def test_terrain_and_dispersal_modify_each_roll_and_height_never_halves() -> None:
    """On a wooded hilltop: +1 for all, and -1 for the one that was dispersed this segment."""
    t = table(
        "." * 14 + "W",
        unit("a_105", "0101"),
        unit("g_rifle", "1501"),
        unit("g_smg", "1501", dispersed=1),
        elevation={"1501": 2},
    )
    attacks = artillery.bombardment(t.position, Barrage(t.hex("1501"), ids(0)))
    assert [(attack.strength, attack.drm) for attack in attacks] == [(Fraction(20), 1), (Fraction(20), 0)]


@pytest.mark.rule("PL-1108", "PL-832")
def test_a_counter_against_which_the_odds_are_worse_than_1_4_is_unharmed() -> None:
    """The mortar's share of 1 does nothing to the tank and 1-1 to the truck; a share of 0 does nothing to anybody."""
    t = due(
        open_board(16, 1),
        unit("a_81mm", "0201"),
        unit("a_rifle", "1001"),
        unit("g_truck", "1201"),
        unit("g_truck", "1201"),
        unit("g_rifle", "1201"),
        at="1201",
    )
    t.play(FireMissions(), dice=[6, 6])
    assert [(roll.targets, roll.odds) for roll in t.happened(AttackRolled)] == [((2,), "1-1"), ((3,), "1-1")]
    t = due(
        open_board(16, 1),
        unit("a_81mm", "0201"),
        unit("a_rifle", "1001"),
        unit("g_pz4", "1201"),
        unit("g_pz4", "1201"),
        at="1201",
    )
    t.play(FireMissions())
    assert t.happened(HexShelled) == [HexShelled(t.hex("1201"), in_vain=True)]
    assert describe.sentence(t.happened(HexShelled)[0], t.position) == (
        "The shells harm nothing in 1201: nobody is there, or they are too weak."
    )


@pytest.mark.rule("PL-1109", "PL-1106")
def test_all_units_of_the_hex_are_attacked_whoever_they_belong_to() -> None:
    """Friends on top of an enemy fort are hit with it."""
    t = due(
        PLAIN,
        unit("a_155", "0101"),
        unit("a_rifle", "1401"),
        unit("n_fort20", "1501"),
        unit("a_rifle", "1501"),
        at="1501",
    )
    t.play(FireMissions(), dice=[6, 6])
    assert [roll.targets for roll in t.happened(AttackRolled)] == [(2,), (3,)]


@pytest.mark.rule("PL-1110", "PL-511")
def test_all_fire_that_comes_down_on_a_hex_is_added_into_one_attack_after_all_scatter_dice() -> None:
    """Two orders, one of them scattered onto the other's hex: first the dice of scatter, then one attack of 80."""
    t = table(
        PLAIN,
        unit("a_105", "0101"),
        unit("a_105", "0102"),
        unit("a_rifle", "1401"),
        unit("g_rifle", "1502"),
        segment=3,
        step="indirect fire",
    )
    t.set(missions=(mission(t, (0,), "1501"), mission(t, (1,), "1502", spotters=ids(2))))
    played = t.play(FireMissions(), dice=[4, 4, 6])
    assert [draw.rule for draw in played.draws] == ["PL-1105", "PL-1106", "PL-1107"]
    (roll,) = t.happened(AttackRolled)
    assert (roll.attackers, roll.strength, roll.hex) == ((0, 1), "80", t.hex("1502"))
    assert t.happened(HexShelled) == [HexShelled(t.hex("1502"))]


@pytest.mark.rule("PL-804")
def test_direct_fire_may_not_hit_a_hex_that_indirect_fire_has_hit_this_segment() -> None:
    """An empty hex is marked as well; in the next segment the mark is gone."""
    t = due(open_board(16, 1), unit("a_107mm", "0101"), unit("a_rifle", "1101"), unit("g_truck", "1201"), at="1201")
    t.play(FireMissions(), dice=[6])
    assert t.position.shelled == (t.hex("1201"),)
    assert t.refusal(DirectFire(ids(1), t.hex("1201"), ids(2))).rule == "PL-804"
    empty = due(PLAIN, unit("a_105", "0101"), unit("a_rifle", "1401"), at="1501")
    empty.play(FireMissions())
    assert empty.position.shelled == (empty.hex("1501"),)
    empty.run(lambda resolution: resolution.emit(SegmentBegan(GERMAN, 2, 4)))
    assert not [*empty.position.shelled]


@pytest.mark.rule("PL-1333")
def test_indirect_fire_on_a_tank_bridge_is_halved_and_only_x_destroys_it_with_the_vehicles_on_it() -> None:
    """The tank on the bridge has its own die first; then the bridge goes down with it and leaves no wreck."""

    def bombed() -> Table:
        return due(
            "." * 14 + "R.",
            *(unit("a_8in", "0101"), unit("a_rifle", "1401"), unit("n_tbridge", "1501"), unit("g_pz4", "1501")),
            *(unit("a_8in", "0101"), unit("a_8in", "0101"), unit("a_8in", "0101")),
            at="1501",
            firers=(0, 4, 5, 6),
        )

    t = bombed()
    attacks = artillery.bombardment(t.position, Barrage(t.hex("1501"), ids(0, 4, 5, 6)))
    # four times 40 against armor, divided by two counters, is 80: halved for the bridge
    assert [(attack.targets, attack.strength, attack.odds) for attack in attacks] == [
        (ids(2), Fraction(40), "1-1"),
        (ids(3), Fraction(80), "4-1"),
    ]
    assert "PL-1333" in {line.rule for line in attacks[0].tallies.lines}
    t.play(FireMissions(), dice=[1, 6])  # DD on the bridge, DD on the tank
    assert [event.unit for event in t.happened(UnitDispersed)] == [3]
    t = bombed()
    barrage = Barrage(t.hex("1501"), ids(0, 4, 5, 6), naval=400)
    t.run(artillery.shell, barrage, dice=[1])  # 2-1 on the bridge: X, and the tank gets no die of its own
    assert {event.unit for event in t.happened(UnitDestroyed)} == {2, 3}
    assert not t.position.wrecks


@pytest.mark.rule("PL-1401", "PL-1402")
def test_a_face_down_unit_at_sea_shows_itself_when_shells_fall_on_it() -> None:
    """It is revealed before its defense is counted."""
    t = due(
        "." * 14 + "O",
        unit("g_105", "0101"),
        unit("g_rifle", "1401"),
        unit("a_rifle", "1501", facedown=True),
        at="1501",
        phasing=GERMAN,
    )
    t.play(FireMissions(), dice=[6])
    assert [event.unit for event in t.happened(UnitRevealed)] == [2]
    assert (t.happened(AttackRolled)[0].defense, t.happened(AttackRolled)[0].strength) == (8, "20")


@pytest.mark.rule("PL-1107")
def test_the_explanation_shows_each_attack_as_it_will_be_if_nothing_scatters() -> None:
    """Four tallies a counter; smoke and held batteries explain nothing."""
    t = due(
        PLAIN, unit("a_105", "0101"), unit("a_rifle", "1401"), unit("g_rifle", "1501"), unit("g_smg", "1501"), at="1501"
    )
    tallies = t.explain(FireMissions())
    assert [(tally.title, tally.total) for tally in tallies] == [
        ("Attack strength", 20),
        ("Defense strength", 8),
        ("Odds", "2-1"),
        ("Die modifier", 0),
        ("Attack strength", 20),
        ("Defense strength", 6),
        ("Odds", "3-1"),
        ("Die modifier", 0),
    ]
    assert t.explain(FireMissions(hold=ids(0))) == ()
    assert due(PLAIN, unit("a_105", "0101"), unit("a_rifle", "1401"), at="1501").explain(FireMissions()) == ()
    smoke = due(
        PLAIN, unit("a_105", "0101"), unit("a_rifle", "1401"), unit("g_rifle", "1501"), at="1501", smoke_mission=True
    )
    assert smoke.explain(FireMissions()) == ()


@pytest.mark.rule("PL-503", "PL-1104")
def test_the_options_are_to_fire_or_to_spare_friends_who_have_come_into_the_hex() -> None:
    """Both are lawful; with nothing due there are none."""
    t = due(PLAIN, unit("a_105", "0101"), unit("a_rifle", "1501"), at="1501")
    options = list(artillery.due_options(t.position, ALLIED))
    assert options == [FireMissions(), FireMissions(ids(0))]
    assert all(t.check(order) is None for order in options)
    t = due(PLAIN, unit("a_105", "0101"), unit("a_rifle", "1401"), at="1501")
    assert list(artillery.due_options(t.position, ALLIED)) == [FireMissions()]
    assert list(artillery.due_options(t.position, GERMAN)) == []


# --- the notes -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PL-1104", "PL-1110")
def test_a_mission_that_came_down_is_struck_from_the_notes_once() -> None:
    """Of two equal naval lots on one hex one is left; a stranger's event strikes nothing."""
    t = table(PLAIN, unit("a_105", "0101"))
    lot = mission(t, (), "1501", naval=20)
    t.set(missions=(lot, lot))
    t.run(lambda resolution: resolution.emit(MissionFired(lot, lot.hex)))
    assert t.position.missions == (lot,)
    other = mission(t, (0,), "1501")
    assert changes.apply(t.position, MissionFired(other, other.hex)).missions == (lot,)


# --- smoke -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PL-1609")
def test_smoke_needs_the_option_25_points_the_right_guns_and_a_hex_that_holds_it() -> None:
    """Each condition has its refusal."""
    rows = "." * 14 + ".MRO."
    t = table(
        rows,
        unit("a_105", "0101"),
        unit("a_81mm", "0501"),
        unit("a_rifle", "1401"),
        unit("a_rifle", "1901"),
        options={"smoke": True},
    )

    def smoke(label: str, *firers: int) -> WriteMission:
        return WriteMission(ids(*firers), t.hex(label), smoke=True)

    assert t.check(smoke("1501", 0)) is None
    for order, reason in [
        (smoke("1501", 1), "25 points"),
        (smoke("1401", 0), "a friend"),
        (smoke("1601", 0), "sea, stream or swamp"),
        (smoke("1701", 0), "sea, stream or swamp"),
        (smoke("1801", 0), "sea, stream or swamp"),
    ]:
        refusal = t.refusal(order)
        assert refusal.rule == "PL-1609"
        assert reason in refusal.reason
    off = table(rows, unit("a_105", "0101"), unit("a_rifle", "1401"))
    assert "not in use" in off.refusal(smoke("1501", 0)).reason
    for rocket in ("g_nebel", "g_maultier"):
        t = table(PLAIN, unit(rocket, "0101"), options={"smoke": True}, phasing=GERMAN)
        assert "rocket" in t.refusal(smoke("0801", 0)).reason


@pytest.mark.rule("PL-1609")
def test_smoke_attacks_nobody_and_lies_for_two_own_segments() -> None:
    """Laid in segment 3 it lies in 3, 4 and 5 and is gone in 6."""
    t = table(PLAIN, unit("a_105", "0101"), unit("a_rifle", "1401"), unit("g_rifle", "1501"), options={"smoke": True})
    t.play(WriteMission(ids(0), t.hex("1501"), smoke=True))
    for segment, side in [(2, GERMAN), (3, ALLIED)]:
        t.run(lambda r, side=side, segment=segment: r.emit(SegmentBegan(side, (segment + 1) // 2, segment)))
    t.play(FireMissions())
    assert t.happened(SmokeLaid) == [SmokeLaid(t.hex("1501"), 5)]
    assert not t.happened(HexShelled)
    assert t.unit(0).fired
    for segment, side, lies in [(4, GERMAN, True), (5, ALLIED, True), (6, GERMAN, False)]:
        t.run(lambda r, side=side, segment=segment: r.emit(SegmentBegan(side, (segment + 1) // 2, segment)))
        assert (t.hex("1501") in t.position.smoke) == lies


@pytest.mark.rule("PL-1609")
@pytest.mark.parametrize(("battery", "rows", "dice"), [("a_81mm", "." * 15, [1]), ("a_155", "." * 15 + "M", [3, 2])])
def test_too_little_smoke_or_smoke_on_water_disperses(battery: str, rows: str, dice: list[int]) -> None:
    """What is left of the batteries is too weak, or the smoke has drifted onto a swamp."""
    t = due(
        rows + "." * (20 - len(rows)) + "\n" + "." * 20,
        unit(battery, "0501" if battery == "a_81mm" else "0101"),
        unit("a_rifle", "1401"),
        at="1501" if battery == "a_81mm" else "1502",
        spotters=(),
        smoke_mission=True,
    )
    t.play(FireMissions(), dice=dice)
    assert t.happened(MissionFired)
    assert not t.happened(SmokeLaid)


@pytest.mark.rule("PL-1609")
def test_smoke_blocks_the_sight_of_spotters_behind_it() -> None:
    """An order whose spotter looks through smoke is rolled for scatter."""
    t = due(open_board(20, 1), unit("a_105", "0101"), unit("a_rifle", "1201"), at="1501", smoke={"1301": 3})
    t.play(FireMissions(), dice=[1])
    assert t.happened(MissionFired)[0].die == 1


def test_a_side_is_asked_only_for_its_own_notes() -> None:
    """The enemy's due mission is none of ours."""
    t = table(PLAIN, unit("g_105", "0101"), segment=3)
    t.set(missions=(mission(t, (0,), "1501", side=SideId("german")),))
    assert missions.due_missions(t.position, ALLIED) == ()
    assert not artillery.has_due_missions(t.position)
    assert t.unit(0).carrier == NOBODY
