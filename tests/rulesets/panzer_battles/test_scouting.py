"""What scouts, dust and neighbors bring to light, and that there is no smoke."""

from __future__ import annotations

from fractions import Fraction

import pytest

from sandtable.kernel.events import DiceKey
from sandtable.kernel.forecast import Forecast, forecast
from sandtable.kernel.ids import NOBODY, SPECTATORS
from sandtable.rulesets.panzer_battles.engineers.orders import FerryAcross
from sandtable.rulesets.panzer_battles.imagination import imagined
from sandtable.rulesets.panzer_battles.model import ALLIED, AXIS
from sandtable.rulesets.panzer_battles.orderbook import BOOK
from sandtable.rulesets.panzer_battles.orders import EndTurn, Move
from sandtable.rulesets.panzer_battles.spotting import scouting
from sandtable.rulesets.panzer_battles.spotting.events import Reported, Scouted
from sandtable.rulesets.panzer_battles.spotting.levels import SPOTTED, UNKNOWN, level
from tests.rulesets.panzer_battles.table import HIGHEST, ONE, RULES, AllHighest, Table, U, table, unit

ROW = ". g . . . . . . . . . ."
CLEAR_SKY = {"air": {"interdiction_pct": {"allied": 0, "axis": 0}}}
FIELD = f"{ROW}\n{ROW}\n{ROW}"


def patrol(**drawn: object) -> Table:
    """Scouts, and a platoon that hides in the grass."""
    return table(
        FIELD, unit("us_m5", "0602"), unit("de_rifle_plt", "0202", concealed=True), **drawn,  # type: ignore[arg-type]
    )  # fmt: skip


@pytest.mark.rule("PB-SPOT-23", "PB-OPT-13")
def test_a_scout_may_find_concealed_enemies_once_at_the_end_of_its_move() -> None:
    t = patrol()
    assert scouting.scouting_chance("C", 2, t.position) == Fraction(1, 4)
    order = Move((U(0),), t.hexes("0502"))
    t.play(order, dice=[ONE])
    assert t.only(Scouted).found == (1,)
    assert t.heard(ALLIED, Scouted)[0].found == ()
    assert t.heard(AXIS, Scouted) == []
    assert level(t.position, t.unit(1)) == SPOTTED
    assert t.known(ALLIED).units[1].hex == t.hex("0202")
    t.change(1, concealed=True)
    t.play(Move((U(0),), t.hexes("0602")), AllHighest())
    assert not t.all(Scouted)


@pytest.mark.rule("PB-SPOT-23", "PB-MOVE-93")
def test_a_scout_looks_around_when_a_ferry_has_taken_it_over() -> None:
    t = table(
        ". . g",
        unit("us_m5", "0101", mode="travel"),
        unit("de_rifle_plt", "0301", concealed=True),
        hexsides={"river": ["0101-0201"], "ferry": ["0101-0201"]},
    )
    t.play(FerryAcross(U(0), t.hex("0201")), dice=[HIGHEST, ONE])
    assert t.only(Scouted).found == (1,)


@pytest.mark.rule("PB-MOVE-49", "PB-SPOT-16", "PB-SPOT-23", "PB-MOVE-115")
def test_who_is_carried_neither_scouts_nor_sees_dust_nor_finds_who_stands_beside_him() -> None:
    reveals = {"los": {"adjacent_reveals": True}, "misc": {"dust_spot_pct": {"allied": 50, "axis": 50}}, **CLEAR_SKY}
    hidden = unit("de_rifle_plt", "0202", concealed=True)
    t = table(FIELD, unit("us_m5", "0302"), hidden, unit("de_rifle_plt", "0802"), visibility=[3], parameters=reveals)
    assert scouting.may_scout(t.unit(0))
    assert list(scouting.neighbors_found(t.position, [t.unit(0)])) == [(ALLIED, (1,))]
    assert scouting.dust_seen_by(t.position, t.unit(2)) == t.unit(0)
    t.change(0, carrier=U(0))
    assert not scouting.may_scout(t.unit(0))
    assert list(scouting.neighbors_found(t.position, [t.unit(0)])) == []
    assert scouting.dust_seen_by(t.position, t.unit(2)) is None


@pytest.mark.rule("PB-SPOT-23", "PB-MOVE-49", "PB-OOB-6")
def test_scouts_that_ride_find_nobody_and_who_is_flagged_as_one_does() -> None:
    t = table(
        FIELD, unit("us_m4", "0602"), unit("de_rifle_plt", "0202", concealed=True),
        unit("su_rifle_plt", "0602", carrier=U(0), flags=("recon",)),
    )  # fmt: skip
    assert not scouting.may_scout(t.unit(2))
    t.play(EndTurn())
    assert not t.all(Scouted)
    t.change(2, carrier=NOBODY)
    assert scouting.may_scout(t.unit(2))


@pytest.mark.rule("PB-SPOT-23")
def test_a_scout_that_stays_looks_around_at_next_turn_and_as_the_enemys_begins() -> None:
    t = patrol()
    t.play(EndTurn(), dice=[HIGHEST, ONE])
    assert [one.found for one in t.all(Scouted)] == [(), (1,)]
    open_table = patrol(fog=False)
    odds = forecast(RULES, open_table.view(), Move((U(0),), open_table.hexes("0502")))
    assert isinstance(odds, Forecast)
    assert not odds.certain
    assert [(one.result, round(float(one.chance), 3)) for one in odds.branches] == [
        ("moves to 0502", 0.833),
        ("moves to 0502; a concealed enemy is found", 0.167),
    ]
    assert float(scouting.scouting_chance("C", 3, open_table.position)) == pytest.approx(0.167, abs=0.001)
    open_table.play(Move((U(0),), open_table.hexes("0502")), dice=[ONE])
    assert open_table.heard(AXIS, Scouted)[0].found == (1,)
    assert RULES.describe(t.all(Scouted)[0], t.view()) == ""


@pytest.mark.rule("PB-MOVE-115", "PB-SPOT-24")
def test_dust_beyond_visibility_tells_that_somebody_moves() -> None:
    dusty = {"misc": {"dust_spot_pct": {"allied": 50, "axis": 50}}, **CLEAR_SKY}
    t = table(FIELD, unit("us_m4", "0502"), unit("de_rifle_plt", "1202"), visibility=[3], parameters=dusty)
    t.play(Move((U(0),), t.hexes("0602")), dice=[ONE])
    assert t.only(Reported).level == UNKNOWN
    assert t.known(AXIS).unknowns == (t.hex("0602"),)
    assert t.known(AXIS).units[0].hex == 0
    world = imagined(t.view(AXIS), DiceKey("x", 1)).position
    assert level(world, world.units[0]) == UNKNOWN
    for changes in ({"minutes": 0}, {"visibility": 20}):
        t.set(sightings={}, **changes)
        assert scouting.dust_seen_by(t.position, t.unit(0)) is None
        t.set(minutes=360, visibility=3)
    t.set(sightings={})
    t.play(Move((U(0),), t.hexes("0702")), AllHighest())
    assert not t.all(Reported)
    t.change(0, hex=0)
    assert scouting.dust_seen_by(t.position, t.unit(0)) is None


@pytest.mark.rule("PB-MOVE-93", "PB-MOVE-111")
def test_a_passage_may_break_a_vehicle_down_for_all_its_points() -> None:
    ferry = {"river": ["0101-0201"], "ferry": ["0101-0201"]}
    numbers = {"misc": {"vehicle_breakdown": {"allied": 2}}, **CLEAR_SKY}
    t = table(". . .", unit("us_m5", "0101", mode="travel"), hexsides=ferry, parameters=numbers)
    odds = forecast(RULES, t.view(), FerryAcross(U(0), t.hex("0201")))
    assert isinstance(odds, Forecast)
    assert {one.result for one in odds.branches} == {"moves to 0201", "moves to 0201; a vehicle or more breaks down"}
    worn = odds.tally[0]
    strength = t.unit(0).strength
    t.play(FerryAcross(U(0), t.hex("0201")), dice=[ONE])
    assert (t.unit(0).strength, worn.lines[0].rule) == (strength - 1, "PB-MOVE-111")


@pytest.mark.rule("PB-MOVE-111", "PB-MOVE-115")
def test_the_forecast_of_a_move_tells_everything_that_its_own_dice_may_bring() -> None:
    numbers = {"misc": {"dust_spot_pct": {"axis": 50}, "vehicle_breakdown": {"allied": 100}}, **CLEAR_SKY}
    t = table(FIELD, unit("us_m4", "0502"), unit("de_rifle_plt", "1202"), visibility=[3], parameters=numbers, fog=False)
    odds = forecast(RULES, t.view(), Move((U(0),), t.hexes("0602")))
    assert isinstance(odds, Forecast)
    worn = odds.branches[2].chance * 2
    assert {one.result: one.chance for one in odds.branches} == {
        "moves to 0602": (1 - worn) / 2,
        "moves to 0602; the dust is seen": (1 - worn) / 2,
        "moves to 0602; a vehicle or more breaks down": worn / 2,
        "moves to 0602; a vehicle or more breaks down; the dust is seen": worn / 2,
    }
    assert (odds.dice, odds.exact, odds.certain) == (2, True, False)


@pytest.mark.rule("PB-SPOT-16")
def test_a_concealed_neighbor_is_known_of_only_where_the_parameters_say_so() -> None:
    known = {"los": {"adjacent_reveals": True}, **CLEAR_SKY}
    for parameters, heard in ((None, []), (known, [UNKNOWN])):
        t = table(FIELD, unit("us_m4", "0402"), unit("de_rifle_plt", "0202", concealed=True), parameters=parameters)
        t.play(Move((U(0),), t.hexes("0302")), AllHighest())
        assert [one.level for one in t.all(Reported)] == heard
    t.play(EndTurn(), AllHighest())
    assert [one.side for one in t.all(Reported)] == [ALLIED]


@pytest.mark.rule("PB-SPOT-11", "PB-SPOT-22")
def test_there_is_no_smoke_and_who_sees_an_enemy_is_shown() -> None:
    assert not any("smoke" in verb for verb in BOOK.verbs)
    t = table(FIELD, unit("us_m4", "0602"), unit("us_m4", "1202"), unit("de_pz4h", "0402"), visibility=[4])
    found = RULES.query(t.view(), "watching")
    assert found is not None
    assert found.units == (0,)
    assert RULES.query(t.view(SPECTATORS), "watching") is None
    t = table(
        FIELD,
        unit("us_m4", "0602"),
        unit("de_rifle_plt", "0202", concealed=True),
        unit("su_rifle_plt", "1202"),
        unit("de_truck", "1102"),
        unit("us_m4", "1202"),
        fog=False,
        visibility=[4],
    )
    t.change(2, carrier=U(4))
    found = RULES.query(t.view(), "watching")
    assert found is not None
    assert found.units == (4,), "who is concealed is seen by nobody, and who rides sees nobody"
