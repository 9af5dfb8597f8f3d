"""Before the first plot: what a scenario lays out, and units placed in zones. P44-14.01."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sandtable.content import load_scenario, shipped_folder
from sandtable.kernel.dice import PromptDice
from sandtable.kernel.events import DiceKey
from sandtable.kernel.ids import NOBODY
from sandtable.rulesets.panzer_44.model import ALLIED, GERMAN, MISSION, TIGHT, Battery, Plot, Sortie
from sandtable.rulesets.panzer_44.orders import EndSetup, PlaceUnit
from sandtable.rulesets.panzer_44.scenario import VOCABULARY
from sandtable.rulesets.panzer_44.setup import opening, pick_place, place_options, placeable
from sandtable.rulesets.panzer_44.shelling import resolve_side
from tests.rulesets.panzer_44.table import Table

SCENARIO = """
format = 1
kind = "scenario"
id = "skirmish"
system = "panzer_44"
title = "Skirmish"
summary = "Two platoons."
board = "farm-lane"
turns = 5
first = "allied"
positions = ["1006"]
control = { allied = ["1106"] }

[[sides]]
id = "allied"
title = "US"

[[sides]]
id = "german"
title = "German"

[[units]]
type = "u_m4"
side = "allied"
at = "0101"

[[units]]
id = "track"
type = "g_251"
side = "german"

[[units]]
type = "g_pzgren"
side = "german"
aboard = "track"

[[units]]
type = "g_gren"
side = "german"
count = 3
at = "1006"

[[units]]
id = "mortar"
type = "g_81"
side = "german"
at = "1301"
accuracy = 2

[[zones]]
side = "german"
hexes = ["1005:1006"]

[[objectives]]
title = "Farm"
hexes = ["1006", "1106"]

[setup]
order = ["german"]

[mines]
hasty = ["0505"]
defensive = ["0504"]

[[batteries]]
side = "allied"
type = "oba_105"
missions = 3

[[batteries]]
side = "allied"
type = "oba_105"
missions = 1
accuracy = 2

[[sorties]]
side = "allied"
type = "cas_p47"
count = 2
"""


@pytest.fixture
def begun() -> Table:
    """The table with the Germans at their set-up."""
    return at_start()


def at_start(more: str = "", **options: Any) -> Table:
    scenario = load_scenario((SCENARIO + more).encode(), VOCABULARY, shipped_folder("boards"), name="skirmish")
    t = Table(opening(scenario, options, DiceKey("test")))
    t.settle()
    return t


def number(t: Table, name: str) -> Any:
    return next(unit.id for unit in t.position.units if unit.name == name)


@pytest.mark.rule("P44-14.01")
@pytest.mark.rule("P44-1.01")
def test_the_table_is_laid_out_as_the_scenario_says(begun: Table) -> None:
    position = begun.position
    assert {begun.board.label(place): grade for place, grade in position.mines.items()} == {
        "0505": "hasty",
        "0504": "defensive",
    }
    assert position.positions == begun.hexes("1006")
    assert position.units[number(begun, "mortar")].accuracy == 2
    assert (begun.asked, begun.decider) == ("setup", GERMAN)


@pytest.mark.rule("P44-11.09")
@pytest.mark.rule("P44-11.10")
def test_batteries_and_sorties_are_told_apart(begun: Table) -> None:
    first, second = begun.position.batteries
    assert (first.kind, first.accuracy, first.left) == ("oba_105", 1, 3)
    assert second == Battery(second.name, ALLIED, "oba_105", 2, 1)
    assert first.name != second.name
    one, two = begun.position.sorties
    assert one == Sortie(one.name, ALLIED, "cas_p47")
    assert one.name != two.name


@pytest.mark.rule("P44-11.09")
@pytest.mark.rule("P44-11.10")
def test_support_of_one_type_on_both_sides_is_told_apart_too() -> None:
    more = """
[[batteries]]
side = "german"
type = "oba_105"
missions = 2

[[sorties]]
side = "german"
type = "cas_p47"
"""
    position = at_start(more).position
    for listed in (position.batteries, position.sorties):
        assert len({one.name for one in listed}) == len(listed) == 3
    t = at_start(more)
    theirs = next(one for one in position.batteries if one.side == GERMAN)
    t.set(plots=(Plot(GERMAN, MISSION, hex=t.hex("0101"), pattern=TIGHT, support=theirs.name),))
    t.run(resolve_side, GERMAN, dice=[1])
    assert [one.left for one in t.position.batteries] == [3, 1, 1]


@pytest.mark.rule("P44-14.02")
def test_ground_that_counts_is_the_defenders_unless_the_scenario_says_otherwise(begun: Table) -> None:
    held = {begun.board.label(place): side for place, side in begun.position.control.items()}
    assert held == {"1006": GERMAN, "1106": ALLIED}


@pytest.mark.rule("P44-14.01")
def test_units_without_a_place_are_placed_in_the_zone_with_their_passengers(begun: Table) -> None:
    track, rider = number(begun, "track"), number(begun, "g_pzgren-1")
    assert begun.refusal(EndSetup()).rule == "P44-14.01"
    begun.play(PlaceUnit(track, begun.hex("1005")))
    assert (begun.at(track), begun.at(rider)) == ("1005", "1005")
    begun.play(EndSetup())
    assert (begun.asked, begun.position.turn) == ("plot", 1)


@pytest.mark.rule("P44-14.01")
@pytest.mark.rule("P44-4.01")
@pytest.mark.rule("P44-4.05")
def test_what_stands_in_the_way_of_placing(begun: Table) -> None:
    track, gren = number(begun, "track"), number(begun, "g_gren-1")
    here = begun.hex("1006")
    assert begun.refusal(PlaceUnit(track, here)).rule == "P44-4.01"
    assert begun.refusal(PlaceUnit(track, begun.hex("1106"))).rule == "P44-14.01"
    assert begun.refusal(PlaceUnit(gren, here)).rule == "P44-14.01"
    assert begun.check(PlaceUnit(gren, begun.hex("1005"))) is None
    assert begun.refusal(PlaceUnit(number(begun, "mortar"), begun.hex("1005"))).rule == "P44-14.01"
    assert begun.refusal(PlaceUnit(number(begun, "g_pzgren-1"), begun.hex("1005"))).rule == "P44-4.05"
    assert begun.refusal(PlaceUnit(number(begun, "u_m4-1"), begun.hex("1005"))).rule == "P44-5.04"
    assert begun.refusal(PlaceUnit(NOBODY, begun.hex("1005"))).rule == "P44-5.04"


@pytest.mark.rule("P44-14.01")
def test_who_may_be_placed_and_where(begun: Table) -> None:
    position = begun.position
    names = [unit.name for unit in placeable(position, GERMAN)]
    assert (names[0], sorted(names[1:])) == ("track", ["g_gren-1", "g_gren-2", "g_gren-3"])
    track = position.units[number(begun, "track")]
    assert [order.hex for order in place_options(position, GERMAN, track)] == [begun.hex("1005")]
    assert pick_place(position, GERMAN, track, PromptDice("lot", 1)) == PlaceUnit(track.id, begun.hex("1005"))
    full = Table(begun.state)
    for name in ("g_gren-1", "g_gren-2", "g_gren-3"):
        full.change(number(full, name), hex=full.hex("1005"))
    full.change(number(full, "mortar"), hex=full.hex("1006"))
    for name in ("u_m4-1", "g_pzgren-1"):
        full.change(number(full, name), hex=full.hex("1006"), carrier=NOBODY)
    assert pick_place(full.position, GERMAN, track, PromptDice("lot", 1)) is None


@pytest.mark.rule("P44-14.01")
def test_sides_set_up_one_after_the_other() -> None:
    zone = '[[zones]]\nside = "allied"\nhexes = ["0101:0202"]\n'
    scenario = load_scenario(
        (SCENARIO.replace('order = ["german"]', 'order = ["german", "allied"]') + zone).encode(),
        VOCABULARY,
        shipped_folder("boards"),
        name="skirmish",
    )
    t = Table(opening(scenario, {}, DiceKey("test")))
    t.play(PlaceUnit(number(t, "track"), t.hex("1005")))
    t.play(EndSetup())
    assert (t.asked, t.decider) == ("setup", ALLIED)
    t.play(EndSetup())
    assert t.asked == "plot"


def test_the_shipped_scenarios_begin() -> None:
    for file in sorted(Path(str(shipped_folder("scenarios"))).glob("p44-*.toml")):
        if not file.name.endswith(".tutorial.toml"):
            scenario = load_scenario(file, VOCABULARY, shipped_folder("boards"))
            t = Table(opening(scenario, {}, DiceKey("test")))
            t.settle()
            assert t.asked == "plot"
