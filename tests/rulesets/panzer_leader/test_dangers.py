"""What known enemies could do to a unit on a certain ground: each alone, the worst together, with exact odds."""

from __future__ import annotations

import pytest

from sandtable.kernel.forecast import Forecast, Reaction, forecast
from sandtable.kernel.ids import NOBODY, HexId, UnitId
from sandtable.rulesets.panzer_leader.model import ALLIED, GERMAN
from sandtable.rulesets.panzer_leader.orders import DirectFire, MoveUnit
from sandtable.rulesets.panzer_leader.ruleset import PanzerLeader
from tests.rulesets.panzer_leader.table import Table, U, ids, open_board, plane, table, unit

PL = PanzerLeader()
OFF_BOARD = HexId(10**6)


def threats(t: Table, label: str, number: int = 0) -> tuple[Reaction, ...]:
    return PL.threats(PL.view(t.state, ALLIED), t.hex(label), U(number))


def odds(t: Table, label: str, number: int = 0) -> list[tuple[tuple[UnitId, ...], str]]:
    return [(threat.actors, threat.text) for threat in threats(t, label, number)]


@pytest.mark.rule("PL-803", "PL-831")
def test_each_known_enemy_alone_and_the_worst_of_them_together() -> None:
    t = table(
        "......", unit("a_m4_75", "0101"), unit("g_50pak", "0401"), unit("g_50pak", "0301"), unit("g_rifle", "0201")
    )
    # 8 halved-range guns: one is near and doubled, one far; riflemen can't harm armor from afar, but beside it
    assert odds(t, "0101") == [
        (ids(1, 2), "2-1"),
        (ids(2), "1-1"),
        (ids(3), "close assault: 1-3, die -2"),
        (ids(1), "1-2"),
    ]


@pytest.mark.rule("PL-803")
def test_no_more_fire_together_than_the_odds_take() -> None:
    t = table(
        ".....", unit("a_truck", "0101"), unit("g_panther", "0301"), unit("g_rifle", "0501"), unit("g_rifle", "0501")
    )
    # the Panther alone has 4-1 against a truck, and so has each of the others less
    assert odds(t, "0101")[0] == (ids(1), "4-1")
    assert all(len(units) == 1 for units, _ in odds(t, "0101"))


@pytest.mark.rule("PL-504", "PL-836")
def test_the_odds_are_those_of_the_attack_that_the_enemy_would_order() -> None:
    t = table("....", unit("a_m4_75", "0101"), unit("g_panther", "0401"), step="direct fire", phasing=GERMAN)
    ordered = forecast(PL, PL.view(t.state, GERMAN), DirectFire(ids(1), t.hex("0101"), ids(0)))
    assert isinstance(ordered, Forecast)
    (threat,) = threats(t, "0101")
    assert threat.branches == ordered.branches
    assert [tally.total for tally in threat.tally] == [tally.total for tally in ordered.tally]
    assert {line.rule for tally in threat.tally for line in tally.lines} >= {"PL-307", "PL-802", "PL-831"}


@pytest.mark.rule("PL-209", "PL-721", "PL-833")
def test_the_ground_is_that_of_the_hex_asked_about() -> None:
    t = table("W..T.", unit("a_rifle", "0201"), unit("g_panther", "0501"))
    assert odds(t, "0301") == []
    t = table("W....T", unit("a_rifle", "0201"), unit("g_panther", "0501"))
    assert odds(t, "0201") == [(ids(1), "1-1")]
    # in woods it is not spotted from afar; in the town next to the enemy it is, and counts as armored there
    assert odds(t, "0101") == []
    assert odds(t, "0601") == [(ids(1), "4-1, die +1")]


@pytest.mark.rule("PL-802", "PL-806")
def test_the_enemy_names_whatever_target_is_worst_for_the_unit() -> None:
    # alone the riflemen meet half of the gun's strength; with two tanks they are part of an armored target
    t = table("..", unit("a_rifle", "0101"), unit("a_truck", "0101"), unit("g_50pak", "0201"))
    (alone,) = threats(t, "0101")
    assert alone.text == "1-2"
    t = table("T.", unit("a_rifle", "0101"), unit("a_rifle", "0101"), unit("g_50pak", "0201"))
    (town,) = threats(t, "0101")
    assert town.tally[1].total == 12


@pytest.mark.rule("PL-801", "PL-902", "PL-1603")
def test_who_has_fired_at_a_mover_or_is_dispersed_does_nothing_in_his_next_segment() -> None:
    t = table("....", unit("a_m4_75", "0101"), unit("g_panther", "0401"))
    assert odds(t, "0101") == [(ids(1), "3-1")]
    t = table("....", unit("a_m4_75", "0101"), unit("g_panther", "0401", fired=True))
    assert odds(t, "0101") == []
    t = table("....", unit("a_m4_75", "0101"), unit("g_panther", "0401", dispersed=1))
    assert odds(t, "0101") == []
    t = table("....", unit("a_m4_75", "0101"), unit("g_panther", "0401", fired=True), phasing=GERMAN)
    assert odds(t, "0101") == []


@pytest.mark.rule("PL-645", "PL-1321")
def test_a_carrier_goes_with_whom_it_carries_and_a_fort_stands_for_its_garrison() -> None:
    t = table(
        ".....",
        unit("a_truck", "0101"),
        unit("a_rifle", carrier=0),
        unit("g_panther", "0501"),
        unit("n_fort20", "0201", side="allied"),
        unit("a_rifle", fort=3),
    )
    assert odds(t, "0301", 1) == odds(t, "0301", 0) == [(ids(2), "4-1")]
    assert threats(t, "0201", 4)[0].tally[1].total == 20
    assert threats(t, "0301", 4)[0].tally[1].total == 6


def test_the_card_of_a_unit_tells_the_odds_against_it_where_it_stands() -> None:
    t = table("......", unit("a_m4_75", "0101"), unit("g_panther", "0401"))
    card = PL.card(PL.view(t.state, ALLIED), U(0))
    assert card is not None
    (lines,) = [section.lines for section in card.sections if section.title == "Known enemies can attack it"]
    assert [(line.label, line.value, line.rule) for line in lines] == [("Panther G #1", "3-1", "PL-805")]
    t = table("...W..", unit("a_m4_75", "0201"), aircraft=[plane("typhoon", side=GERMAN, ordnance="bombs", strafes=1)])
    card = PL.card(PL.view(t.state, ALLIED), U(0))
    assert card is not None
    ((line,),) = [section.lines for section in card.sections if section.title == "Known enemies can attack it"]
    assert (line.rule, "Typhoon" in line.label, str(line.value).startswith("from the air: ")) == ("PL-1203", True, True)


def test_a_unit_still_to_come_can_be_thought_there() -> None:
    t = table("....", unit("a_m4_75", fate="reserve"), unit("g_panther", "0401"))
    assert odds(t, "0101") == [(ids(1), "3-1")]


def test_there_is_nothing_to_tell_of_enemies_of_the_lost_and_of_no_hex() -> None:
    t = table("....", unit("a_m4_75", "0101"), unit("g_panther", "0401"), unit("a_rifle", fate="destroyed"))
    view = PL.view(t.state, ALLIED)
    assert PL.threats(view, t.hex("0101"), U(1)) == PL.threats(view, t.hex("0101"), U(2)) == ()
    assert PL.threats(view, OFF_BOARD, U(0)) == PL.threats(view, t.hex("0101"), U(99)) == ()
    assert PL.threats(view, t.hex("0201"), NOBODY)[0].branches == ()


@pytest.mark.rule("PL-1507")
def test_an_unseen_enemy_is_no_danger_that_is_told() -> None:
    t = table("..T....", unit("a_rifle", "0101"), unit("g_panther", "0701"), options={"fog": True})
    assert odds(t, "0101") == []


# --- all that the enemy could do next


def harm(t: Table, label: str, kind: str, number: int = 0) -> list[tuple[tuple[UnitId, ...], str]]:
    """Who could do that to the unit in the hex, and at what odds."""
    told = (threat for threat in odds(t, label, number) if threat[1].startswith(f"{kind}: "))
    return [(units, text.removeprefix(f"{kind}: ")) for units, text in told]


@pytest.mark.rule("PL-802", "PL-808")
def test_with_no_unit_named_it_is_the_worst_that_the_enemy_could_do_to_any_of_the_hex() -> None:
    t = table("....", unit("a_m4_75", "0101"), unit("a_m4_75", "0101"), unit("g_panther", "0401"))
    (worst,) = threats(t, "0101", NOBODY)
    assert (worst.actors, worst.text) == (ids(2), "3-1")
    assert any("dispersed" in branch.result for branch in worst.branches)
    (alone,) = threats(t, "0101")
    assert alone.text == worst.text
    town = table("T..", unit("a_m4_75", "0101"), unit("a_m4_75", "0101"), unit("g_panther", "0201"))
    assert {threat.text for threat in threats(town, "0101", NOBODY)} == {"1-1, die +1"}


@pytest.mark.rule("PL-802")
def test_who_can_harm_only_the_riflemen_beside_a_tank_threatens_the_hex_all_the_same() -> None:
    t = table("...", unit("a_m4_75", "0101"), unit("a_rifle", "0101"), unit("g_rifle", "0301"))
    assert ids(2) in [threat.actors for threat in threats(t, "0101", NOBODY)]


@pytest.mark.rule("PL-1601", "PL-1602")
def test_who_moves_there_is_fired_at_on_the_spot_and_alone_where_that_is_played() -> None:
    board, there = "......", (unit("a_rifle", "0101"), unit("a_rifle", "0201"), unit("g_panther", "0601"))
    t = table(board, *there, options={"opportunity_fire": True}, step="foot movement")
    assert harm(t, "0201", "opportunity fire") == [(ids(2), "1-1")]
    # it is not under way where it stands, when it has moved, when it is still to come, or when that is not played
    assert harm(t, "0101", "opportunity fire") == []
    t.change(0, moved=True)
    assert harm(t, "0201", "opportunity fire") == []
    t.change(0, moved=False, hex=HexId(0), fate="reserve")
    assert harm(t, "0201", "opportunity fire") == []
    assert harm(table(board, *there, step="foot movement"), "0201", "opportunity fire") == []
    theirs = table(board, *there, options={"opportunity_fire": True}, phasing=GERMAN)
    assert harm(theirs, "0201", "opportunity fire") == []


@pytest.mark.rule("PL-1601")
def test_only_who_has_it_in_sight_long_enough_on_its_cheapest_way_may_fire_at_it_there() -> None:
    there = (unit("a_m4_75", "0101"), unit("g_75pak", "0202"))
    t = table(open_board(2, 4), *there, options={"opportunity_fire": True}, step="vehicle movement")
    # a quarter of its 8 points: the second hex in sight is the first where it may be fired at
    assert harm(t, "0102", "opportunity fire") == []
    assert [who for who, _ in harm(t, "0103", "opportunity fire")] == [ids(1)]
    # what it has spent in his sight already counts
    t.play(MoveUnit(U(0), (t.hex("0102"),)))
    assert [who for who, _ in harm(t, "0103", "opportunity fire")] == [ids(1)]
    # there is no such fire where it can't come to in this move
    far = table(open_board(12, 1), unit("a_m4_75", "0101"), unit("g_88", "1201"), options={"opportunity_fire": True})
    assert harm(far, "1101", "opportunity fire") == []


@pytest.mark.rule("PL-1601", "PL-1603")
def test_who_fires_at_the_mover_is_not_there_to_fire_later_and_who_has_fired_does_neither() -> None:
    t = table(
        "......",
        unit("a_rifle", "0101"),
        unit("g_panther", "0601", fired=True),
        options={"opportunity_fire": True},
        step="foot movement",
    )
    assert odds(t, "0201") == []


@pytest.mark.rule("PL-1101", "PL-1103", "PL-1107")
def test_batteries_may_have_written_fire_on_a_hex_that_somebody_spots_for() -> None:
    board = "W..............."
    there = (unit("a_rifle", "0101"), unit("a_truck", "0101"), unit("g_wespe", "1601"), unit("g_rifle", "0201"))
    t = table(board, *there)
    assert [units for units, _ in harm(t, "0101", "written indirect fire")] == [ids(2)]
    # the strength is shared among the counters of the hex
    (written,) = [one for one in threats(t, "0101") if one.text.startswith("written")]
    assert any("Divided among 2 counters" in line.label for tally in written.tally for line in tally.lines)
    assert {branch.result for branch in written.branches} <= {"no effect"} | {
        f"{name} {fate}" for name in ("Rifle platoon #0",) for fate in ("dispersed", "destroyed")
    }
    unspotted = table(board, *there[:3])
    assert harm(unspotted, "0101", "written indirect fire") == []
    t.change(2, dispersed=1)
    assert harm(t, "0101", "written indirect fire") == []


@pytest.mark.rule("PL-1002", "PL-1003", "PL-1005", "PL-1006")
def test_armor_that_finds_a_way_through_may_overrun_together_or_alone() -> None:
    board = """
    .........
    .........
    .........
    """
    t = table(board, unit("a_rifle", "0402"), unit("g_panther", "0701"), unit("g_pz4", "0702"), unit("g_truck", "0802"))
    run = harm(t, "0402", "overrun")
    assert run == [(ids(1, 2), "4-1, die -2"), (ids(1), "3-1, die -2"), (ids(2), "3-1, die -2")]
    # a lonely armored car is too weak for a stack of tanks
    tanks = [unit("a_m4_75", "0402") for _ in range(4)]
    assert harm(table(board, *tanks, unit("g_2341", "0702")), "0402", "overrun") == []
    # not in woods, not when it has fired, not beyond reach
    assert harm(t, "0101", "overrun") == [], "behind the edge of the map there is no way out"
    wooded = table(board.replace(".........", "...W.....", 3), unit("a_rifle", "0402"), unit("g_panther", "0701"))
    assert harm(wooded, "0402", "overrun") == []
    t.change(1, fired=True)
    assert {units for units, _ in harm(t, "0402", "overrun")} == {ids(2)}


@pytest.mark.rule("PL-1001", "PL-1005")
def test_no_more_overrun_in_one_order_than_are_offered_together() -> None:
    board = "\n".join(["..........."] * 6)
    armor = [unit("g_panther", label) for label in ("0801", "0802", "0803", "0804", "0805")]
    t = table(board, unit("a_m4_75", "0403"), unit("a_m4_75", "0403"), unit("a_m4_75", "0403"), *armor)
    together = max((units for units, _ in harm(t, "0403", "overrun")), key=len)
    assert 2 <= len(together) <= 4
    far = table("\n".join(["." * 30] * 3), unit("a_rifle", "0202"), unit("g_panther", "2902"))
    assert harm(far, "0202", "overrun") == []


@pytest.mark.rule("PL-1021", "PL-1023", "PL-1027", "PL-1028")
def test_infantry_beside_the_hex_or_that_can_come_beside_it_may_assault() -> None:
    rifles = [unit("g_rifle", label) for label in ("0201", "0301", "0601")]
    t = table("......", unit("a_m4_75", "0101"), *rifles)
    found = harm(t, "0101", "close assault")
    assert {units for units, _ in found} == {ids(1, 2), ids(1), ids(2)}
    # who is dispersed stays where it is and does nothing, and where there is no room nobody comes
    t.change(2, dispersed=1)
    assert {units for units, _ in harm(t, "0101", "close assault")} == {ids(1)}
    # machine guns assault with other infantry alone (PL-1027)
    guns = table("...", unit("a_m4_75", "0101"), unit("g_hmg", "0201"))
    assert harm(guns, "0101", "close assault") == []
    crowd = [unit("g_truck", "0201") for _ in range(4)]
    full = table("...", unit("a_m4_75", "0101"), *crowd, unit("g_rifle", "0301"))
    assert harm(full, "0101", "close assault") == []


@pytest.mark.rule("PL-1203", "PL-1205", "PL-1206")
def test_aircraft_that_are_left_may_come() -> None:
    planes = [
        plane("typhoon", side=GERMAN, ordnance="rockets", strafes=1),
        plane("l5", side=GERMAN),
        plane("typhoon", side=ALLIED, ordnance="rockets", strafes=1),
    ]
    t = table("...W..", unit("a_m4_75", "0201"), aircraft=planes)
    ((actors, text),) = harm(t, "0201", "from the air")
    assert actors == ids(1), "aircraft are numbered after the units"
    assert text
    # in cover it is not sighted from the air
    assert harm(t, "0401", "from the air") == []
    two = table("......", unit("a_m4_75", "0201"), aircraft=[planes[0], planes[0]])
    assert len(max((units for units, _ in harm(two, "0201", "from the air")), key=len)) == 2
