"""What a player may ask before deciding: sight lines, watchers, threats, how things stand, what a hex is."""

from __future__ import annotations

import pytest

from sandtable.kernel.ids import HexId
from sandtable.kernel.ruleset import ProfilePoint
from sandtable.kernel.state import View
from sandtable.rulesets.panzer_leader.model import ALLIED, GERMAN, Position
from sandtable.rulesets.panzer_leader.ruleset import PanzerLeader
from sandtable.rulesets.panzer_leader.scenario import Condition, Victory
from tests.rulesets.panzer_leader.battles import battle, entry, opened
from tests.rulesets.panzer_leader.table import Table, ids, table, unit

PL = PanzerLeader()
OFF_BOARD = HexId(0)


def seen_by(t: Table, side: str = "allied") -> View[Position]:
    return PL.view(t.state, ALLIED if side == "allied" else GERMAN)


@pytest.mark.rule("PL-701", "PL-704")
def test_a_clear_line_is_told_with_the_ground_it_passes_over() -> None:
    t = table("...\n...", unit("a_rifle", "0101"))
    line = PL.sight(seen_by(t), t.hex("0101"), t.hex("0301"))
    assert line.clear
    assert line.profile[0] == ProfilePoint(t.hex("0101"), 0, "Clear")
    assert not any(point.rises for point in line.profile if point.cover == "Clear")
    assert [point.hex for point in line.profile][-1] == t.hex("0301")


@pytest.mark.rule("PL-704", "PL-707", "PL-714")
def test_a_blocked_line_names_the_side_that_obstructs_and_its_rule() -> None:
    t = table("....", unit("a_rifle", "0101"), hexsides={"green": ["0201-0301"]})
    line = PL.sight(seen_by(t), t.hex("0101"), t.hex("0401"))
    assert not line.clear
    assert line.reason is not None
    assert (line.reason.label, line.reason.rule) == ("a hedge", "PL-707")
    assert line.side is not None
    assert line.hex in (t.hex("0201"), t.hex("0301"))


@pytest.mark.rule("PL-706")
def test_a_line_through_a_town_names_the_whole_hex() -> None:
    t = table(".T..", unit("a_rifle", "0101"))
    line = PL.sight(seen_by(t), t.hex("0101"), t.hex("0401"))
    assert (line.clear, line.hex, line.side) == (False, t.hex("0201"), None)


@pytest.mark.rule("PL-1609")
def test_a_line_through_smoke_names_the_smoke() -> None:
    t = table("....", unit("a_rifle", "0101"))
    t = table("....", unit("a_rifle", "0101"), smoke={t.hex("0201"): 9})
    line = PL.sight(seen_by(t), t.hex("0101"), t.hex("0401"))
    assert line.reason is not None
    assert (line.clear, line.hex, line.reason.rule) == (False, t.hex("0201"), "PL-1609")


def test_a_line_off_the_board_is_no_line() -> None:
    t = table("..", unit("a_rifle", "0101"))
    assert not PL.sight(seen_by(t), t.hex("0101"), OFF_BOARD).clear


def test_what_units_see_is_told_for_those_named_or_for_the_whole_side() -> None:
    t = table(".T..", unit("a_rifle", "0101"), unit("a_rifle", "0401"), unit("g_rifle", "0301"))
    all_hexes = {t.hex(label) for label in ("0101", "0201", "0301", "0401")}
    assert set(PL.seen(seen_by(t), ())) == all_hexes
    assert set(PL.seen(seen_by(t), ids(0))) == {t.hex("0101"), t.hex("0201")}
    # neither an enemy unit nor one that does not exist tells anything
    assert PL.seen(seen_by(t), ids(2, 99)) == ()


def test_who_watches_a_hex_is_told_of_the_own_side_only() -> None:
    t = table("...", unit("a_rifle", "0101"), unit("a_truck", "0101"), unit("g_rifle", "0301"))
    assert PL.watchers(seen_by(t), t.hex("0201")) == ids(0)
    assert PL.watchers(seen_by(t), OFF_BOARD) == ()


@pytest.mark.rule("PL-305", "PL-808")
def test_of_an_empty_hex_the_enemies_who_could_fire_there_with_their_strength_against_armor_and_others() -> None:
    t = table(
        "......T.",
        unit("a_m4_75", "0101"),
        unit("g_panther", "0401"),
        unit("g_rifle", "0501"),
        unit("g_truck", "0201"),
        unit("g_rifle", "0801"),
    )
    empty = {threat.actors: threat.text for threat in PL.threats(seen_by(t), t.hex("0301"))}
    assert empty == {
        ids(1): "32 against armor, 8 against others",
        ids(2): "0 against armor, 3 against others",
    }
    assert PL.threats(seen_by(t), OFF_BOARD) == ()


def test_a_fortification_by_itself_is_no_threat() -> None:
    t = table("....", unit("a_rifle", "0101"), unit("n_fort20", "0301", side="german"))
    assert PL.threats(seen_by(t), t.hex("0101")) == ()


@pytest.mark.rule("PL-1501", "PL-1505")
def test_the_standing_shows_both_sides_points_and_how_it_would_end_now() -> None:
    t = opened(battle(".T", entry("a_rifle", "0201"), entry("g_rifle", "0101"), objectives=[("Town", ["0201"], 5)]))
    standing = {tally.title: tally.total for tally in PL.standing(seen_by(t))}
    assert standing == {"If it ended now": "Allied, tactical", "Allied: points": 5, "German: points": 0}


@pytest.mark.rule("PL-1501")
def test_the_standing_says_of_each_condition_whether_it_is_met() -> None:
    terms = Victory(
        conditions=(
            Condition("allied", "tactical", title="Hold the town", hold=("0201",)),
            Condition("german", "decisive", hold=("0201",)),
        )
    )
    t = opened(battle(".T", entry("a_rifle", "0201"), entry("g_rifle", "0101"), sections={"victory": terms}))
    conditions = next(tally for tally in PL.standing(seen_by(t)) if tally.title == "Conditions")
    assert [(line.label, line.value) for line in conditions.lines] == [
        ("Allied, tactical: Hold the town", "met: 1 of 1 held"),
        ("German, decisive", "not met: 0 of 1 held"),
    ]
    assert conditions.total == "1 of 2 met"


@pytest.mark.rule("PL-1501")
def test_the_standing_says_how_far_each_part_of_a_condition_is_and_no_more_if_after_the_end() -> None:
    terms = Victory(
        conditions=(
            Condition("german", "tactical", title="Two houses are held", hold=("0101", "0201", "0301"), count=2),
            Condition("allied", "marginal", destroy=3, exit=1, occupy=("0401",), units=1),
            Condition("allied", "decisive", title="Just be there"),
        )
    )
    held = {"0101": ALLIED, "0201": ALLIED, "0301": ALLIED}
    counters = unit("a_rifle", "0401"), unit("g_rifle", fate="destroyed"), unit("g_rifle", "0301")
    t = table("TTT.", *counters, sections={"victory": terms}, control=held)
    conditions = next(tally for tally in PL.standing(seen_by(t)) if tally.title == "Conditions")
    assert [(line.label, line.value) for line in conditions.lines] == [
        ("German, tactical: Two houses are held", "not met: 0 of 2 held"),
        ("Allied, marginal", "not met: 1 of 3 destroyed, 0 of 1 off the map, 1 of 1 there"),
        ("Allied, decisive: Just be there", "met"),
    ]
    assert PL.standing(seen_by(t))[0].title == "If it ended now"
    t.set(over=True)
    assert PL.standing(seen_by(t))[0].title == "The battle has ended"


@pytest.mark.rule("PL-209", "PL-401", "PL-611", "PL-721", "PL-833", "PL-1301", "PL-1311", "PL-1502", "PL-1609")
def test_a_hex_tells_its_terrain_costs_cover_and_markers_each_with_its_rule() -> None:
    plain = table("TW.", unit("a_rifle", "0101"))
    t = table(
        "TW.\n...",
        unit("a_rifle", "0101"),
        roads=[["0101", "0201"]],
        smoke={plain.hex("0201"): 9},
        blocks=(plain.hex("0201"),),
    )
    town = {line.label: line.value for line in PL.hex_facts(seen_by(t), t.hex("0101"))}
    assert town["Terrain"] == "Town"
    assert town["Vehicles enter for"] == "½"
    assert town["Die against fire"] == "+1"
    assert town["Belongs to"] == "nobody"
    assert town["Units must be spotted"] == "from afar"
    assert PL.hex_facts(seen_by(t), OFF_BOARD) == ()


@pytest.mark.rule("PL-1331", "PL-1502")
def test_a_hex_tells_the_title_of_its_owner_and_that_its_bridge_is_down() -> None:
    t = table(
        "TR", unit("a_rifle", "0101"), features={"bridge": ["0201"]}, bridges_down=("0201",), control={"0101": GERMAN}
    )
    assert {line.label: line.value for line in PL.hex_facts(seen_by(t), t.hex("0101"))}["Belongs to"] == "German"
    ruin = {line.label: line.value for line in PL.hex_facts(seen_by(t), t.hex("0201"))}
    assert (ruin["Bridge"], ruin["Terrain"]) == ("destroyed", "Stream")


@pytest.mark.rule("PL-202", "PL-209", "PL-1301", "PL-1311", "PL-1609")
def test_a_hex_tells_what_lies_in_it_and_how_high_it_is() -> None:
    first = table("..M", unit("a_rifle", "0101"), elevation="200")
    here, swamp = first.hex("0201"), first.hex("0301")
    t = opened(
        battle("..M", entry("a_rifle", "0101"), elevation="200", sections={"mines": ("0201",), "blocks": ("0101",)})
    )
    facts = {line.label: line.value for line in PL.hex_facts(seen_by(t), t.hex("0101"))}
    assert (facts["Terrain"], facts["Level"], facts["Block"]) == ("Clear on a hilltop", 2, "stop on entering")
    assert {line.label for line in PL.hex_facts(seen_by(t), here)} >= {"Minefield"}
    wet = {line.label: line.value for line in PL.hex_facts(seen_by(t), swamp)}
    assert wet["Vehicles enter"] == "not at all"
    smoky = table("..M", unit("a_rifle", "0101"), smoke={here: 9})
    assert "Smoke" in {line.label for line in PL.hex_facts(seen_by(smoky), here)}
