"""Visibility, ground, storms and frost, and weather that is programmed."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.content import ContentError
from sandtable.kernel.ids import UnitId
from sandtable.rulesets.panzer_battles import clock
from sandtable.rulesets.panzer_battles.assault.situations import circumstances, side_pct
from sandtable.rulesets.panzer_battles.describe import sentence
from sandtable.rulesets.panzer_battles.environment.calendar import Day, day_of, is_day, later
from sandtable.rulesets.panzer_battles.environment.events import WeatherChanged
from sandtable.rulesets.panzer_battles.environment.program import in_force, read_program
from sandtable.rulesets.panzer_battles.environment.weather import farthest, program, visibility
from sandtable.rulesets.panzer_battles.environment.words import changes_of, ground_text
from sandtable.rulesets.panzer_battles.fire.situations import hexside_pct
from sandtable.rulesets.panzer_battles.model import ALLIED, AXIS, TRAVEL, Unit, Weather
from sandtable.rulesets.panzer_battles.movement import paths
from sandtable.rulesets.panzer_battles.movement.costs import allowance
from sandtable.rulesets.panzer_battles.movement.zones import zone_around
from sandtable.rulesets.panzer_battles.orders import EndTurn
from tests.rulesets.panzer_battles.table import HIGHEST, ONE, RULES, Table, table, unit

MEADOW = "\n".join([". . . ."] * 3)
FROST = {"frozen": {"penalty_pct": {"allied": 20}}}


def at(time: str, days: int = 0) -> int:
    return clock.minutes_of(time) + days * clock.DAY


def next_turn(t: Table, dice: tuple[int, ...] = ()) -> None:
    t.play(EndTurn())
    t.play(EndTurn(), dice=list(dice))


# --- the clock -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PB-TURN-7", "PB-TURN-8")
def test_dawn_dusk_and_midnight_are_the_first_turns_at_or_after_their_time() -> None:
    times = ("04:30", "05:00", "05:30", "20:00", "20:15", "20:30", "23:30", "00:00", "00:30", "01:00")
    ground = table(MEADOW, unit("us_m4", "0101")).position.ground
    assert [time for time in times if clock.is_dawn(ground, at(time))] == ["05:00", "05:30"]
    # a battle that began at half past five may have had a turn of the night before it, an hour earlier
    assert [time for time in times if clock.is_dusk(ground, at(time))] == ["20:00", "20:15"]
    assert [time for time in times if clock.is_midnight_turn(ground, at(time))] == ["00:00", "00:30"]


@pytest.mark.parametrize(
    ("start", "seen"),
    [
        ("04:00", [("04:00", 1), ("05:00", 4), ("05:30", 8), ("06:00", 8)]),
        ("03:30", [("03:30", 1), ("04:30", 1), ("05:30", 4), ("06:00", 8)]),
        ("05:00", [("05:00", 4), ("05:30", 8), ("06:00", 8), ("06:30", 8)]),
    ],
)
@pytest.mark.rule("PB-TURN-7", "PB-ENV-3")
def test_one_turn_is_the_dawn_turn_whenever_the_battle_began(start: str, seen: list[tuple[str, int]]) -> None:
    t = table(MEADOW, unit("us_m4", "0101"), visibility=(8,), minutes=at(start), sections={"clock": start})
    found = [(start, visibility(t.position.ground, t.position.weather, at(start)))]
    while len(found) < len(seen):
        next_turn(t)
        found.append((clock.shown(t.position.minutes), t.position.visibility))
    assert found == seen


@pytest.mark.rule("PB-ENV-1", "PB-ENV-2", "PB-ENV-3", "PB-ENV-4", "PB-ENV-17", "PB-TURN-7")
def test_one_sees_half_as_far_at_dawn_and_dusk_and_a_hex_by_night_and_in_a_storm() -> None:
    clear, ground = Weather(nominal=7), table(MEADOW, unit("us_m4", "0101")).position.ground
    seen = [visibility(ground, clear, at(time)) for time in ("12:00", "05:00", "20:00", "23:00")]
    assert seen == [7, 3, 3, 1]
    assert visibility(ground, Weather(nominal=1), at("05:00")) == 1
    assert visibility(ground, replace(clear, storm=True), at("12:00")) == 1


# --- visibility and ground -------------------------------------------------------------------------------------------


@pytest.mark.rule("PB-ENV-5", "PB-ENV-6")
def test_visibility_that_changes_goes_on_changing_until_it_stops_or_meets_its_bound() -> None:
    t = table(MEADOW, unit("us_m4", "0101"), visibility=(6, 3, 8))
    next_turn(t, (HIGHEST,))
    assert not t.all(WeatherChanged)
    next_turn(t, (ONE, 1))
    assert t.position.weather == Weather(nominal=5, trend=-1)
    next_turn(t, (HIGHEST,))
    assert t.position.weather == Weather(nominal=5)
    next_turn(t, (ONE, 2))
    assert (t.position.visibility, t.position.weather.trend) == (6, 1)
    t.set(weather=Weather(nominal=7, trend=1), turn=1)
    next_turn(t, (ONE,))
    assert t.position.weather == Weather(nominal=8)


@pytest.mark.rule("PB-ENV-7", "PB-ENV-21")
def test_changes_of_the_weather_are_told_to_everybody() -> None:
    event = WeatherChanged("mud", storm=True, nominal=4, trend=0)
    position = table(MEADOW).position
    assert sentence(event, position) == "The ground is mud, a storm rages and visibility by day 4"
    calm = WeatherChanged("mud", storm=False, nominal=4, trend=0)
    assert sentence(calm, position) == "The ground is mud and visibility by day 4"
    storm, clear = Weather("mud", True, 3), Weather("soft", False, 4)
    assert changes_of(clear, storm) == ("the ground is mud", "a storm rages", "visibility by day falls to 3")
    assert changes_of(storm, clear) == ("the ground is soft", "the storm is over", "visibility by day rises to 4")
    assert changes_of(storm, storm) == ()
    assert (ground_text(storm), ground_text(clear)) == ("mud, storm", "soft")


@pytest.mark.rule("PB-ENV-8", "PB-ENV-9", "PB-ENV-15", "PB-ENV-22", "PB-TURN-9")
def test_the_ground_is_drawn_at_midnight_and_a_storm_may_end() -> None:
    header = {"environment": {"conditions": ["normal", "mud"]}}
    t = table(MEADOW, unit("us_m4", "0101"), sections=header, storm=True, minutes=at("23:30"))
    next_turn(t, (3, HIGHEST))
    assert (clock.shown(t.position.minutes), t.position.weather) == ("00:30", Weather("mud"))
    next_turn(t)
    t = table(MEADOW, unit("us_m4", "0101"), storm=True, minutes=at("23:30"))
    next_turn(t, (ONE,))
    assert t.position.weather.storm


# --- storms and frost ------------------------------------------------------------------------------------------------


@pytest.mark.rule("PB-ENV-16")
def test_a_storm_doubles_the_cost_of_every_step() -> None:
    t = table(MEADOW, unit("us_m4", "0101"), storm=True, hexsides={"stream": ["0101-0201"]})
    assert paths.step(t.position, t.unit(0), t.hex("0101"), t.hex("0102")).cost == 2 * 9
    t.set(sides={8 * t.hex("0101") + 3: frozenset({"stream"})})
    assert paths.step(t.position, t.unit(0), t.hex("0101"), t.hex("0102")).cost == 2 * (9 + 12)


@pytest.mark.rule("PB-ENV-10", "PB-ENV-13")
@pytest.mark.parametrize(
    ("kind", "feature", "cost"),
    [
        ("su_rifle_coy", "stream", 10),
        ("su_rifle_coy", "river", 10),
        ("de_truck", "stream", 18 + 11),
        ("de_truck", "river", 0),
        ("de_truck", "gully", 18 + 27),
    ],
)
def test_ice_bears_men_and_leaves_vehicles_half_the_trouble_of_a_stream(kind: str, feature: str, cost: int) -> None:
    t = table(MEADOW, unit(kind, "0101", mode=TRAVEL), condition="frozen", hexsides={feature: ["0101-0102"]})
    assert paths.step(t.position, t.unit(0), t.hex("0101"), t.hex("0102")).cost == cost


@pytest.mark.rule("PB-ENV-13", "PB-ZOC-11")
def test_a_frozen_river_protects_nobody() -> None:
    t = table(MEADOW, unit("us_m4", "0101"), hexsides={"river": ["0101-0102"]})
    start, place = t.hexes("0101", "0102")
    assert (hexside_pct(t.position, start, place), side_pct(t.position, start, place)) == (-30, -30)
    assert place not in zone_around(t.position, start)
    t.set(weather=Weather("frozen"))
    assert (hexside_pct(t.position, start, place), side_pct(t.position, start, place)) == (0, 0)
    assert place in zone_around(t.position, start)


@pytest.mark.rule("PB-ENV-18", "PB-ENV-31")
def test_storm_and_frost_reach_the_fighters_of_an_assault() -> None:
    t = table(MEADOW, unit("us_m4", "0101"), condition="frozen", storm=True)
    context = circumstances(t.position, [t.unit(0)], t.hex("0102"))
    assert (context.storm, context.frozen) == (True, True)


@pytest.mark.rule("PB-ENV-32", "PB-SUP-33", "PB-SUP-34", "PB-GEN-16")
def test_frost_and_want_of_fuel_are_multiplied_before_points_are_rounded_down() -> None:
    frozen = table(".", parameters=FROST, condition="frozen").position
    normal = table(".", parameters=FROST).position

    def points(position: Any, kind: str, **state: Any) -> int:
        return allowance(position, Unit(UnitId(0), kind, ALLIED, **state))

    assert points(normal, "us_m4") == 110
    assert points(frozen, "us_m4") == 66
    assert points(normal, "us_m4", low_fuel=True) == 55
    assert points(frozen, "us_m4", low_fuel=True, quality="D") == 110 * 9 * 6 // 200
    assert points(frozen, "su_rifle_coy") == 36
    riders = {"low_fuel": True}
    assert points(normal, "de_pzgren_coy", **riders) == 36
    assert points(normal, "de_pzgren_coy", mode=TRAVEL) == 2 * points(normal, "de_pzgren_coy", mode=TRAVEL, **riders)
    lame = table(".", parameters={"frozen": {"penalty_pct": {"allied": 60}}}, condition="frozen").position
    assert points(lame, "us_m4") == 1


@pytest.mark.rule("PB-UNIT-11")
def test_an_immobile_unit_has_points_for_three_fires_alone() -> None:
    t = table(MEADOW, unit("de_pak40", "0101", flags=("immobile",)))
    assert t.unit(0).mp == 6
    (shown,) = RULES.pieces(t.view(AXIS))
    assert "fires left: 3 direct" in shown.note


# --- programmed weather ----------------------------------------------------------------------------------------------

LINES = """\
18 12 1944   0  80   0  20   0   3 4   30

24 12 1944   0   0   0   0 100   6 6
"""


@pytest.mark.rule("PB-ENV-24", "PB-ENV-28")
def test_a_line_holds_from_its_day_until_the_day_of_the_next() -> None:
    found = read_program(LINES, "weather", 20)
    assert in_force(found, Day(1944, 12, 17)) is None
    held = in_force(found, Day(1944, 12, 20))
    assert held is not None
    assert (held.conditions, held.visibility, held.storm_pct) == ((0, 80, 0, 20, 0), (3, 4), 30)
    last = in_force(found, Day(1945, 1, 1))
    assert last is not None
    assert (last.visibility, last.storm_pct) == ((6, 6), 0)


@pytest.mark.rule("PB-ENV-25", "PB-ENV-27")
def test_every_line_that_is_wrong_is_named() -> None:
    wrong = "\n".join(
        [
            "18 12 1944 0 80 0 20 0 3",
            "018 12 1944 0 80 0 20 0 3 4",
            "30 2 1944 0 80 0 10 0 4 3 101",
            "18 12 1944 0 80 0 20 0 3 4",
            "17 12 1944 0 80 0 20 0 3 40",
            "17 12 1944 0 80 0 20 0 3 4",
            "x 12 -1 0 80 0 20 0 3 4",
        ]
    )
    with pytest.raises(ContentError) as error:
        read_program(wrong, "Weather.dat", 20)
    assert [f"{one.where}: {one.message}" for one in error.value.problems] == [
        "weather line 1: expected 10 numbers, or 11 with storms, got 9",
        "weather line 2: expected a whole number without leading zeros, got '018' (PB-ENV-27)",
        "weather line 3: there is no day 30 2 1944",
        "weather line 3: the five conditions add to 90 %, not to 100 (PB-ENV-25)",
        "weather line 3: expected a visibility from 1 to 20, the least first, got 4 3",
        "weather line 3: expected storms in at most 100 % of the days, got 101",
        "weather line 5: expected a visibility from 1 to 20, the least first, got 3 40",
        "weather line 6: expected a day after 1944-12-18, got 1944-12-17",
        "weather line 7: expected a whole number without leading zeros, got 'x' (PB-ENV-27)",
        "weather line 7: expected a whole number without leading zeros, got '-1' (PB-ENV-27)",
    ]


def programmed(*, option: bool = True, **changes: Any) -> Table:
    header = {"environment": {"date": "1944-12-18", "weather": LINES, **changes}}
    return table(
        MEADOW,
        unit("us_m4", "0101"),
        sections=header,
        options={"programmed_weather": option},
        visibility=(3,),
        minutes=at("23:30"),
    )


@pytest.mark.rule("PB-ENV-23", "PB-ENV-26", "PB-OPT-2")
def test_programmed_weather_is_drawn_at_the_start_of_each_day() -> None:
    t = programmed()
    assert farthest(t.position.ground) == 6
    next_turn(t, (81, 2, ONE, HIGHEST))
    assert t.position.weather == Weather("snow", True, 4)
    t.set(minutes=at("23:30", 5), turn=1)
    next_turn(t, (100,))
    assert t.position.weather == Weather("frozen", False, 6)
    off = programmed(option=False)
    assert (program(off.position.ground), farthest(off.position.ground)) == ((), 3)
    next_turn(off)
    assert off.position.weather == Weather(nominal=3)


@pytest.mark.rule("PB-ENV-26", "PB-ENV-28")
def test_the_first_turn_has_the_weather_of_its_day() -> None:
    t = programmed()
    t.set(turn=0, active="axis", minutes=at("12:00"))
    t.play(EndTurn(), dice=[80, 1, HIGHEST])
    assert t.position.weather == Weather("soft", False, 3)
    before = programmed(date="1944-12-10")
    before.set(turn=0, active="axis")
    before.play(EndTurn())
    assert before.position.weather == Weather(nominal=3)


def test_days_follow_each_other() -> None:
    assert later(Day(1943, 12, 30), 3) == Day(1944, 1, 2)
    assert later(Day(1944, 2, 28), 1) == Day(1944, 2, 29)
    assert not is_day(Day(1943, 2, 29))
    assert not is_day(Day(1943, 13, 1))
    assert str(day_of("1943-07-05")) == "1943-07-05"
