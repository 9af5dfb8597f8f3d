"""What a player can read: the Command report, the schedule, cards, highlights."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.kernel.ids import SPECTATORS
from sandtable.kernel.questions import Section
from sandtable.kernel.ruleset import Selection
from sandtable.kernel.telling import introduced
from sandtable.rulesets.panzer_battles.cards import points_color
from sandtable.rulesets.panzer_battles.command.news import noted
from sandtable.rulesets.panzer_battles.command.outlook import in_command_chance, outlook, reach_chance
from sandtable.rulesets.panzer_battles.model import ALLIED, AXIS, News, Weather
from sandtable.rulesets.panzer_battles.orders import EndTurn, Fire
from sandtable.rulesets.panzer_battles.reinforcements.events import UnitsReleased
from tests.rulesets.panzer_battles.table import RULES, AllHighest, Counter, Table, U, coming, table, unit


def sections(t: Table, kind: str, side: object = ALLIED) -> dict[str, Section]:
    """The sections of a report by title."""
    report = RULES.report(t.view(side), kind)  # type: ignore[arg-type]
    assert report is not None
    return {one.title: one for one in report.sections}


# --- the Command report ----------------------------------------------------------------------------------------------


def busy_table() -> Table:
    """An axis turn, after which much happens to the Allies at the start of theirs."""
    return table(
        ". . . . . . . . . . . .\n" * 2,
        unit("us_rifle_coy", "0101", disrupted=True, fatigue=30),
        unit("us_bn_hq", "0101"),
        unit("us_m4", "0201", fired=True, low_fuel=True, fixed=True),
        coming("us_m4", "0102", 2),
        unit("us_rifle_coy", "0202", fixed=True),
        unit("de_rifle_coy", "1202", fatigue=20),
        active=AXIS,
        visibility=(5, 3),
        sections={
            "releases": [{"formation": "battalion", "turn": 2}],
            "fixings": [{"units": ["unit-1"], "turn": 2}],
            "withdrawals": [{"units": ["unit-4"], "turn": 2}],
        },
        parameters={"supply": {"global": {"allied": 0, "axis": 100}}},
    )


@pytest.mark.rule("PB-CMD-29", "PB-TURN-2")
def test_the_command_report_tells_what_the_start_of_the_turn_brought() -> None:
    t = busy_table()
    t.play(EndTurn(), AllHighest())
    found = sections(t, "command")
    told = {title: (one.total, one.units) for title, one in found.items() if one.total}
    # who has not come yet or has gone is named, but has no counter to point at
    assert told == {
        "Reinforcements that may arrive": (1, ()),
        "Free to move": (2, (U(2),)),
        "Fixed": (1, (U(1),)),
        "Withdrawn": (1, ()),
        "Out of Command": (1, (U(1),)),
        "Low on ammunition": (1, (U(2),)),
        "Rested": (1, (U(0),)),
        "Shaken units": (1, (U(0),)),
    }
    assert found["Fixed"].lines[0].rule == "PB-MOVE-101"


@pytest.mark.rule("PB-CMD-29", "PB-UNIT-18")
def test_the_report_is_for_its_own_side_and_the_same_told_or_looked_up() -> None:
    t = busy_table()
    t.play(EndTurn(), AllHighest())
    assert "Rested" not in sections(t, "command", AXIS)
    assert set(t.known(AXIS).news) <= {AXIS}
    assert t.known(SPECTATORS).news == {}
    for side in (ALLIED, AXIS, SPECTATORS):
        folded = t.known(side)
        fresh = introduced(RULES, t.state, (side,), {})
        assert RULES.view(fresh, side).position.news == folded.news
    assert "Rested" not in sections(t, "command", SPECTATORS)


@pytest.mark.rule("PB-CMD-29", "PB-ENV-7")
def test_weather_is_news_for_both_sides_until_the_next_turn() -> None:
    t = table(". . .", unit("us_m4", "0101"), unit("de_pz4h", "0301"), active=AXIS, visibility=(5, 3))
    t.set(weather=Weather("normal", storm=False, nominal=5, trend=-1))
    t.play(EndTurn(), AllHighest())
    assert t.position.weather.trend == 0
    was = t.position.news[ALLIED][0].weather
    assert was is not None
    assert (was.nominal, was.trend) == (5, -1)
    t.set(weather=Weather("mud", storm=False, nominal=4))
    assert [line.label for line in sections(t, "command")["Weather"].lines] == [
        "the ground is mud",
        "visibility by day falls to 4",
    ]
    t.play(EndTurn(), AllHighest())
    assert [one.topic for one in t.position.news[AXIS]] == ["weather"]
    t.set(weather=Weather("mud", storm=False, nominal=4), news={AXIS: (News("rested", (U(1),)),)})
    t.play(EndTurn(), AllHighest())
    assert AXIS not in t.position.news
    t.set(news={ALLIED: (News("rested", (U(0),)),), AXIS: (News("rested", (U(1),)),)})
    t.play(EndTurn(), AllHighest())
    assert (list(t.position.news), t.position.active) == ([ALLIED], AXIS)


@pytest.mark.rule("PB-CMD-29")
def test_what_happens_in_the_enemys_turn_is_no_news_of_the_start_of_ones_own() -> None:
    t = table(". . .", unit("us_m4", "0101", fixed=True), unit("de_pz4h", "0301"))
    released = UnitsReleased(AXIS, (U(1),))
    assert noted(t.position, released, t.position) is t.position
    own = noted(t.position, UnitsReleased(ALLIED, (U(0),)), t.position)
    assert own.news == {ALLIED: (News("released", (U(0),)),)}


# --- other reports ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("PB-REIN-1", "PB-REIN-3", "PB-MOVE-100", "PB-MOVE-110")
def test_the_schedule_lists_what_is_still_to_come_for_its_own_side() -> None:
    t = table(
        ". . . .",
        unit("us_m4", "0101"),
        coming("us_m4", "0201", 1, away="due"),
        coming("us_m4", "0201", 3, arrival={"chance": 50, "protection": 2}),
        unit("de_pz4h", "0401"),
        sections={
            "releases": [
                {"formation": "battalion", "turn": 4, "when_spotted": True},
                {"formation": "regiment", "turn": 4},
                {"formation": "battalion", "turn": 1},
            ],
            "withdrawals": [{"units": ["unit-0", "unit-3"], "turn": 5}],
        },
    )
    found = sections(t, "schedule")
    assert [line.value for line in found["Reinforcements"].lines] == ["now, 0201", "turn 3, 0201, 50 % each turn", 2, 5]
    assert [line.value for line in found["Releases"].lines] == ["turn 4, or when one of it is spotted"]
    assert [(line.value, line.rule) for line in found["Withdrawals"].lines] == [("turn 5", "PB-MOVE-110")]
    assert sections(t, "schedule", SPECTATORS) == {}


@pytest.mark.rule("PB-DEC-5")
def test_the_deception_report_lists_who_is_available_and_deployed() -> None:
    t = table(
        ". . .",
        unit("us_m4", "0101", flags=("deception",), moved=True),
        unit("us_m4", "", flags=("deception",), posted=20),
        unit("de_pz4h", "0301"),
    )
    t.change(1, posted=t.hex("0201"))
    found = sections(t, "deception")
    assert found["Available"].lines[0].label.endswith(" X")
    assert found["Deployed"].lines[0].value == "0201"
    assert not found["Deployed"].lines[0].label.endswith(" X")


@pytest.mark.rule("PB-SUP-52")
def test_the_supply_report_tells_how_to_stay_supplied() -> None:
    t = table(". .", unit("us_m4", "0101"), unit("de_pz4h", "0201"))
    tips = " ".join(line.label for line in sections(t, "supply")["How to stay supplied"].lines)
    assert all(word in tips for word in ("headquarters", "Travel Mode", "midnight", "away from fire"))


@pytest.mark.rule("PB-ENG-64")
def test_engineers_can_be_highlighted() -> None:
    t = table(". .", unit("us_m4", "0101"), unit("us_eng_coy", "0101"), unit("de_pioneer_coy", "0201"))
    found = RULES.query(t.view(), "engineers")
    assert found is not None
    assert found.units == (U(1),)


# --- cards -----------------------------------------------------------------------------------------------------------


def lines(t: Table, number: int) -> dict[str, str]:
    """The lines of a unit's card by label."""
    card = RULES.card(t.view(), U(number))
    assert card is not None
    return {line.label: str(line.value) for section in card.sections for line in section.lines}


@pytest.mark.rule("PB-FAT-12")
@pytest.mark.parametrize(
    ("fatigue", "told", "shown"),
    [
        (0, "0, none", []),
        (10, "10, low", [("low fatigue", "green")]),
        (60, "60, medium", [("medium fatigue", "yellow")]),
        (120, "120, high", [("high fatigue", "orange")]),
        (150, "150, maximum", [("maximum fatigue", "red")]),
    ],
)
def test_each_level_of_fatigue_has_its_color(fatigue: int, told: str, shown: list[tuple[str, str]]) -> None:
    t = table(".", unit("us_m4", "0101", fatigue=fatigue))
    assert lines(t, 0)["Fatigue"] == told
    (piece,), card = RULES.pieces(t.view()), RULES.card(t.view(), U(0))
    assert card is not None
    assert [line.value for part in card.sections for line in part.lines if line.rule == "PB-FAT-12"] == [told]
    badges = {badge.key: badge for badge in RULES.info.badges}
    for worn in (piece.badges, card.badges):
        assert [(badges[key].title, badges[key].tone) for key in worn] == shown
    assert piece.tone == ""


@pytest.mark.rule("PB-FAT-12", "PB-UNIT-16")
def test_the_fatigue_of_an_enemy_shows_nowhere() -> None:
    t = table(". .", unit("us_m4", "0101"), unit("de_pz4h", "0201", fatigue=120))
    (enemy,) = [piece for piece in RULES.pieces(t.view()) if piece.id == U(1)]
    assert enemy.badges == ()


@pytest.mark.rule("PB-MOVE-124")
def test_movement_points_have_the_color_of_the_part_that_is_left() -> None:
    assert [points_color(points, 90) for points in (91, 90, 89, 60, 59, 30, 29, 0)] == [
        "white", "white", "green", "green", "yellow", "yellow", "red", "red"
    ]  # fmt: skip
    assert lines(table(".", unit("us_m4", "0101", mp=40)), 0)["Movement points"] == "40 of 110, yellow"


@pytest.mark.rule("PB-UNIT-11")
def test_who_never_moves_shows_how_often_it_can_still_fire() -> None:
    t = table(". .", unit("us_m4", "0101", flags=("immobile",)), unit("us_m7", "0101", flags=("immobile",)))
    assert lines(t, 0)["Fires left"] == "3 direct"
    assert lines(t, 1)["Fires left"] == "3 direct or 2 indirect"
    t.change(0, mp=2, thirds=2)
    assert lines(t, 0)["Fires left"] == "1 direct"
    assert "Movement points" not in lines(t, 0)


@pytest.mark.rule("PB-MOR-1", "PB-OOB-6", "PB-ENG-56")
def test_the_card_tells_the_quality_of_a_unit_and_what_it_has_by_the_order_of_battle() -> None:
    t = table(". .", unit("su_sapper_coy", "0101", quality="E", flags=("has_boats",)), unit("de_pz4h", "0201"))
    assert lines(t, 0)["Quality"] == "E, Inferior"
    card = RULES.card(t.view(), U(0))
    assert card is not None
    assert "has boats" in [line.value for line in card.sections[0].lines]
    assert "Quality" not in lines(t, 1), "nobody tells the enemy's"


@pytest.mark.rule("PB-CMD-3", "PB-CMD-4")
def test_the_card_of_a_headquarters_tells_how_far_it_reaches_now_and_at_best() -> None:
    post = unit("us_bn_hq", "0101", quality="B", disrupted=True, mode="travel")
    t = table(". .", post, unit("de_bn_hq", "0201"))
    assert lines(t, 0)["Command range"] == "4 7/8 hexes now, 13 at best"
    assert "Command range" not in lines(t, 1), "nobody tells the enemy's"


@pytest.mark.rule("PB-CMD-7")
def test_the_card_tells_that_a_unit_is_detached() -> None:
    t = table(". .", unit("us_m4", "0101"), unit("us_m4", "0201"), unit("us_bn_hq", "0201"))
    t.change(0, formation="brigade")
    assert lines(t, 0)["Is"] == "Detached"
    assert "Is" not in lines(t, 1)


@pytest.mark.rule("PB-CMD-1", "PB-CMD-16", "PB-CMD-22", "PB-SUP-23", "PB-SUP-36")
def test_the_card_tells_what_the_next_turn_may_bring() -> None:
    half = {"supply": {"global": {"allied": 50, "axis": 50}, "refuel_pct": {"allied": 40}}}
    t = table(
        ". . .",
        unit("us_m4", "0101", disrupted=True, fired=True, low_fuel=True),
        unit("us_bn_hq", "0101"),
        unit("us_bn_hq", "0101", formation="brigade"),
        unit("us_m4", "0201", formation="company", low_fuel=True, isolated=True),
        parameters=half,
    )
    assert in_command_chance(t.position, t.unit(2)) == 0.5
    assert in_command_chance(t.position, t.unit(1)) == 0.75
    assert reach_chance(t.position, t.unit(0)) == 0.75
    told = lines(t, 0)
    assert told["recovers"] == f"{(1 + 0.75) / 2 * 2 / 6:.0%}"
    assert told["low on ammunition"] == f"{0.5 * 0.25:.0%}"
    assert told["refueled, if it is not midnight"] == "30%"
    assert lines(t, 1)["in command"] == "75%"
    assert lines(t, 3)["refueled, if it is not midnight"] == "30%", "its next turn finds that the line is open again"


@pytest.mark.rule("PB-SUP-17", "PB-SUP-20", "PB-SUP-24")
def test_the_card_of_who_is_cut_off_now_tells_what_that_means_for_his_next_turn() -> None:
    def outlooks(*enemies: Counter) -> list[dict[str, Any]]:
        tank = unit("us_m4", "0403", fired=True, low_fuel=True, disrupted=True)
        t = table("\n".join([". . . . . . ."] * 5), tank, unit("us_bn_hq", "0403"), *enemies)
        return [{line.label: line.value for line in outlook(t.position, t.unit(number))} for number in (0, 1)]

    free, post = outlooks()
    assert "low on ammunition" in free
    assert post["in command"] == "80%"
    around = ("0402", "0503", "0504", "0404", "0304", "0303")
    cut, post = outlooks(*(unit("de_rifle_coy", label) for label in around))
    assert "low on ammunition" not in cut, "who is cut off does not run low by firing"
    assert cut["refueled, if it is not midnight"] == "0%"
    assert post["in command"] == "0%"
    assert float(str(cut["recovers"])[:-1]) < float(str(free["recovers"])[:-1])


@pytest.mark.rule("PB-CMD-1", "PB-CMD-25")
def test_without_a_headquarters_recovery_and_supply_are_worse() -> None:
    t = table(". . .", unit("us_m4", "0101", disrupted=True, fired=True), unit("us_bn_hq", "0201", disrupted=True))
    with_staff = {line.label: line.value for line in outlook(t.position, t.unit(0))}
    assert float(str({one.label: one.value for one in outlook(t.position, t.unit(1))}["recovers"])[:-1]) > 0
    t.change(1, hex=0)
    alone = {line.label: line.value for line in outlook(t.position, t.unit(0))}
    assert reach_chance(t.position, t.unit(0)) == 0
    assert float(str(alone["recovers"])[:-1]) < float(str(with_staff["recovers"])[:-1])
    assert float(str(alone["low on ammunition"])[:-1]) > float(str(with_staff["low on ammunition"])[:-1])
    t.change(0, low_fuel=True)
    assert "0%" in [line.value for line in outlook(t.position, t.unit(0))]


@pytest.mark.rule("PB-ENV-12")
def test_ground_that_the_cold_makes_firm_stands_in_square_brackets() -> None:
    def fact(condition: str) -> tuple[object, object]:
        t = table("f", unit("us_m4", "0101"), condition=condition)
        facts = {line.label: line for line in RULES.hex_facts(t.view(), t.hex("0101"))}
        return facts["Terrain"].value, facts["Fire at units here"].value

    assert fact("normal")[0] == "field"
    assert fact("snow") == ("[field], now clear", "+0 %")
    assert fact("normal")[1] != fact("snow")[1]


# --- menus -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PB-AIR-1", "PB-DEC-1", "PB-REIN-1", "PB-ENG-64")
def test_verbs_that_a_side_can_never_use_stand_in_no_menu_and_are_still_explained() -> None:
    t = table(". .", unit("us_rifle_coy", "0101"), unit("de_pz4h", "0201"))
    keys = {verb.key for verb in RULES.menu(t.view(), Selection((U(0),)))}
    never = {
        "air_strike",
        "carpet",
        "air_recon",
        "deception",
        "arrive",
        "laymines",
        "demolish",
        "buildbridge",
        "attach",
    }
    assert not keys & never
    for verb in never:
        refusal = RULES.why_not(t.view(), verb, Selection((U(0),)), Selection(hex=t.hex("0201")))
        assert refusal is not None
        assert refusal.rule.startswith("PB-")
    rich = table(
        ". .",
        unit("us_rifle_coy", "0101"),
        unit("p47_flight", "", "allied"),
        unit("us_m4", "0101", flags=("deception",)),
        coming("us_m4", "0101", 9),
        unit("de_pz4h", "0201"),
    )
    keys = {verb.key for verb in RULES.menu(rich.view(), Selection((U(0),)))}
    assert {"air_strike", "deception", "arrive"} <= keys
    assert "carpet" not in keys


@pytest.mark.rule("PB-GEN-1", "PB-FIRE-1")
def test_one_hex_is_told_as_one() -> None:
    counters = unit("us_rifle_coy", "0101"), unit("de_pz4h", "0301")
    t = table(". . . .", *counters, visibility=[1], fog=False)
    report = RULES.report(t.view(), "command")
    assert report is not None
    told = {line.label: line.value for section in report.sections for line in section.lines}
    assert told["Visibility"] == "1 hex, 250 m"
    assert table(". . . .", *counters).refusal(Fire(U(0), U(1))).reason == "its range is 1 hex"
