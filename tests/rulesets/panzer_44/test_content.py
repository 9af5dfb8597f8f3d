"""Every shipped Panzer '44 board and scenario is sound, and holds what its idea promises."""

from __future__ import annotations

from collections import deque
from functools import cache

import pytest

from sandtable.content import load_scenario, load_sheet, shipped_boards, shipped_folder, shipped_scenarios, write_sheet
from sandtable.geometry import DIRECTIONS, Board, HexId
from sandtable.rulesets.panzer_44.kinds import KINDS
from sandtable.rulesets.panzer_44.scenario import VOCABULARY, Panzer44Scenario

SCENARIOS = {header.id: header for header in shipped_scenarios("panzer_44")}
BOARDS = {id: file for id, file in shipped_boards().items() if id in {header.board for header in SCENARIOS.values()}}

all_scenarios = pytest.mark.parametrize("id", SCENARIOS)
all_boards = pytest.mark.parametrize("id", BOARDS)


@cache
def scenario(id: str) -> Panzer44Scenario:
    folder = shipped_folder("scenarios")
    return load_scenario(folder.joinpath(SCENARIOS[id].file), VOCABULARY, shipped_folder("boards"))


def types(id: str, side: str) -> list[str]:
    return [unit.type for unit in scenario(id).units if unit.side == side]


def drivable(board: Board, start: HexId) -> set[HexId]:
    """The hexes a vehicle can come to: not over rivers but by their bridges."""
    seen, queue = {start}, deque([start])
    while queue:
        here = queue.popleft()
        for d in DIRECTIONS:
            there, marks = board.neighbor(here, d), board.side_features(here, d)
            if there and there not in seen and ("river" not in marks or "bridge" in marks):
                seen.add(there)
                queue.append(there)
    return seen


def test_there_are_five_scenarios_on_five_boards_and_one_of_them_teaches() -> None:
    assert (len(SCENARIOS), len(BOARDS)) == (5, 5)
    assert [id for id, header in SCENARIOS.items() if header.tutorial] == ["p44-farm-lane"]


@all_boards
def test_a_board_is_written_as_it_reads(id: str) -> None:
    assert write_sheet(load_sheet(BOARDS[id], VOCABULARY)) == BOARDS[id].read_text(encoding="utf-8")


@all_boards
def test_a_board_has_place_names_roads_that_leave_it_and_no_hex_out_of_reach(id: str) -> None:
    sheet = load_sheet(BOARDS[id], VOCABULARY)
    assert len(sheet.names) >= 4
    assert len(sheet.road_ends) >= 4
    start = next(place for place in sheet.board.hexes if sheet.board.roads[place])
    assert drivable(sheet.board, start) == set(sheet.board.hexes)


@all_boards
def test_every_village_lies_on_a_road(id: str) -> None:
    board = load_sheet(BOARDS[id], VOCABULARY).board
    towns = [place for place in board.hexes if board.terrain[place] == "town"]
    on_road = {place for place in towns if board.roads[place]}
    assert all(place in on_road or on_road & set(board.within(place, 3)) for place in towns)


@all_scenarios
def test_a_scenario_tells_both_players_what_to_do(id: str) -> None:
    battle = scenario(id)
    assert [side.id for side in battle.sides] == ["allied", "german"]
    assert all(len(side.briefing) > 150 and side.nations for side in battle.sides)
    assert battle.objectives
    assert battle.minutes <= 60


@all_scenarios
def test_units_are_of_the_nations_their_side_names(id: str) -> None:
    nations = {side.id: set(side.nations) for side in scenario(id).sides}
    assert [unit.id for unit in scenario(id).units if KINDS[unit.type].nation not in nations[unit.side]] == []


@all_scenarios
def test_every_side_has_a_panic_level(id: str) -> None:
    assert set(scenario(id).sections.panic) == {"allied", "german"}


def test_the_farm_is_short_and_small() -> None:
    battle = scenario("p44-farm-lane")
    assert (battle.turns, battle.first) == (6, "allied")
    assert len(battle.units) <= 12


def test_vierville_lies_behind_a_stream_and_mines() -> None:
    battle = scenario("p44-vierville")
    assert battle.sections.mines.hasty
    assert any("stream" in marks for marks in battle.board.hexsides.values())
    assert {battle.board.terrain[place] for place in battle.objectives[0].hexes} == {"town"}


def test_the_hill_above_the_orne_is_a_crested_hilltop_under_typhoons() -> None:
    battle = scenario("p44-orne")
    assert {battle.board.terrain[one.hexes[0]] for one in battle.objectives} == {"hilltop"}
    assert any("crest" in marks for marks in battle.board.hexsides.values())
    assert [sortie.type for sortie in battle.sections.sorties] == ["cas_typhoon"]
    assert {"b_fly", "b_church"} <= set(types("p44-orne", "allied"))


def test_in_the_mist_sight_is_short_at_first_and_green_crews_panic_more() -> None:
    sections = scenario("p44-mist").sections
    assert [(entry.turn, entry.hexes) for entry in sections.visibility] == [(1, 4), (7, 20)]
    assert sections.panic["german"] > sections.panic["allied"]
    assert {entry.side for entry in sections.exits} == {"german"}


def test_two_bridges_lead_over_the_our() -> None:
    battle = scenario("p44-our")
    board = battle.board
    bridges = {
        frozenset((place, board.neighbor(place, d))) for (place, d), m in board.hexsides.items() if "bridge" in m
    }
    assert bridges == {frozenset(one.hexes) for one in battle.objectives}
    assert {"g_tiger2", "g_pio"} <= set(types("p44-our", "german"))
    assert battle.sections.mines.defensive
