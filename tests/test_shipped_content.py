"""Every shipped Panzer Leader board and scenario is sound, laid out alike, and holds what its idea promises."""

from collections.abc import Callable
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from sandtable.content import (
    Scenario,
    load_scenario,
    load_sheet,
    shipped_boards,
    shipped_folder,
    shipped_scenarios,
    write_sheet,
)
from sandtable.geometry import DIRECTIONS, Board, HexId
from sandtable.rulesets.panzer_leader.kinds import KINDS
from sandtable.rulesets.panzer_leader.scenario import VOCABULARY, PanzerLeaderScenario
from sandtable.rulesets.panzer_leader.victory import LEVELS
from tools import draw_board

SCENARIOS = {header.id: header for header in shipped_scenarios("panzer_leader")}
BOARDS = {id: file for id, file in shipped_boards().items() if id in {header.board for header in SCENARIOS.values()}}
FULL = (30, 20)

all_scenarios = pytest.mark.parametrize("id", SCENARIOS)
all_boards = pytest.mark.parametrize("id", BOARDS)
full_scenarios = pytest.mark.parametrize("id", [id for id, header in SCENARIOS.items() if not header.tutorial])


@cache
def scenario(id: str) -> PanzerLeaderScenario:
    folder = shipped_folder("scenarios")
    return load_scenario(folder.joinpath(SCENARIOS[id].file), VOCABULARY, shipped_folder("boards"))


def types(battle: Scenario[Any, Any], side: str) -> list[str]:
    return [unit.type for unit in battle.units if unit.side == side]


def terrains(board: Board) -> set[str]:
    return {board.terrain[place] for place in board.hexes}


def drivable(board: Board, start: HexId) -> set[HexId]:
    """The hexes a vehicle can come to: by road anywhere, else not over green or cliff sides nor into water or swamp."""
    seen, queue = {start}, [start]
    while queue:
        here = queue.pop()
        for d in DIRECTIONS:
            there = board.neighbor(here, d)
            if not there or there in seen:
                continue
            wet = board.terrain[there] in {"stream", "swamp", "sea"} and not board.has_feature(there, "bridge")
            closed = wet or board.side_features(here, d) & {"green", "cliff"}
            if board.has_road(here, d) or not closed:
                seen.add(there)
                queue.append(there)
    return seen


# --- every file ------------------------------------------------------------------------------------------------------


def test_there_are_seven_scenarios_and_one_of_them_teaches() -> None:
    assert len(SCENARIOS) >= 7
    assert [id for id, header in SCENARIOS.items() if header.tutorial] == ["pl-first-platoon"]


@all_boards
def test_a_board_reads_back_from_its_written_form_as_the_same_board(id: str) -> None:
    sheet = load_sheet(BOARDS[id], VOCABULARY)
    again = load_sheet(write_sheet(sheet).encode(), VOCABULARY, name=id)
    assert again.board.digest == sheet.board.digest
    assert (again.board.title, again.names, again.road_ends) == (sheet.board.title, sheet.names, sheet.road_ends)


@all_boards
def test_a_board_is_in_the_house_layout(id: str) -> None:
    text = BOARDS[id].read_text(encoding="utf-8")
    assert draw_board.house_layout(load_sheet(BOARDS[id], VOCABULARY)) == text


@all_boards
def test_a_board_has_place_names_and_roads_that_leave_it(id: str) -> None:
    sheet = load_sheet(BOARDS[id], VOCABULARY)
    assert len(sheet.names) >= 3
    assert len(sheet.road_ends) >= 2


@all_boards
def test_a_vehicle_can_drive_nearly_everywhere(id: str) -> None:
    board = load_sheet(BOARDS[id], VOCABULARY).board
    dry = [place for place in board.hexes if board.terrain[place] not in {"stream", "swamp", "sea"}]
    start = next(place for place in dry if board.roads[place])
    assert len(drivable(board, start).intersection(dry)) > 0.95 * len(dry)


@all_scenarios
def test_a_scenario_tells_both_players_what_to_do(id: str) -> None:
    battle = scenario(id)
    assert [side.id for side in battle.sides] == ["allied", "german"]
    assert all(len(side.briefing) > 150 and side.nations for side in battle.sides)
    assert battle.summary
    assert battle.minutes <= 120


@all_scenarios
def test_a_scenario_names_its_objectives(id: str) -> None:
    assert scenario(id).objectives
    assert all(objective.title and objective.hexes for objective in scenario(id).objectives)


@all_scenarios
def test_units_are_of_the_nations_their_side_names(id: str) -> None:
    battle = scenario(id)
    nations = {side.id: {*side.nations, "any"} for side in battle.sides}
    assert [unit.id for unit in battle.units if KINDS[unit.type].nation not in nations[unit.side]] == []


@all_scenarios
def test_the_defender_owns_what_the_attacker_is_to_take(id: str) -> None:
    battle = scenario(id)
    owned = {label for labels in battle.sections.control.values() for label in labels}
    wanted = {label for condition in battle.sections.victory.conditions for label in condition.hold}
    assert wanted <= owned


@all_scenarios
def test_victory_is_graded(id: str) -> None:
    victory = scenario(id).sections.victory
    if victory.conditions:
        levels = {LEVELS.index(condition.level) for condition in victory.conditions}
        assert len(levels) >= 2
        assert victory.otherwise is not None
    else:
        assert victory.marginal < victory.tactical < victory.decisive


@full_scenarios
def test_a_full_battle_has_a_board_of_30_by_20_hexes_or_more(id: str) -> None:
    board = scenario(id).board
    assert (board.width, board.height) >= FULL
    assert board.height >= FULL[1]


@full_scenarios
def test_a_full_battle_has_ten_turns_or_more_and_a_dozen_units_a_side_or_nearly(id: str) -> None:
    battle = scenario(id)
    assert battle.turns >= 10
    assert all(len(types(battle, side.id)) >= 8 for side in battle.sides)


# --- each idea -------------------------------------------------------------------------------------------------------


def test_the_first_battle_is_short_small_and_opened_by_the_player() -> None:
    battle = scenario("pl-first-platoon")
    assert (battle.first, battle.sides[0].id) == ("allied", "allied")
    assert battle.turns == 5
    assert len(battle.units) <= 10
    assert {"a_m4_75", "a_rifle"} <= set(types(battle, "allied"))
    assert {"g_50pak", "g_rifle"} <= set(types(battle, "german"))


def test_the_crossroads_lie_among_hedges_where_four_roads_meet() -> None:
    battle = scenario("pl-crossroads")
    board, village = battle.board, battle.objectives[0].hexes
    hedges = [
        side
        for side, symbols in board.hexsides.items()
        if "green" in symbols and board.terrain[side[0]] == board.terrain[board.neighbor(*side)] == "clear"
    ]
    assert len(hedges) > 100
    assert len(village) == 5
    assert max(board.roads[place].bit_count() for place in village) == 4
    assert battle.sections.blocks
    assert battle.sections.mines


def test_the_town_lies_on_a_hilltop_and_help_comes_on_turn_3() -> None:
    battle = scenario("pl-town-assault")
    assert all(
        battle.board.terrain[place] == "town" and battle.board.elevation[place] == 2
        for place in battle.objectives[0].hexes
    )
    assert {unit.arrival.turn for unit in battle.units if unit.arrival} == {3}
    assert battle.options["opportunity_fire"] is True
    assert len([unit for unit in battle.units if unit.aboard]) == 6


def test_the_ridge_is_a_line_of_hilltops_behind_swamp_and_stream() -> None:
    battle = scenario("pl-ridge")
    board, crest = battle.board, battle.objectives[0].hexes
    assert {"swamp", "stream", "slope"} <= terrains(board)
    assert all(board.elevation[place] == 2 for place in crest)
    assert all(board.distance(a, b) == 1 for a, b in pairwise(crest))
    assert "b_bridge" in types(battle, "allied")


def test_the_landing_has_sea_beach_cliffs_forts_and_everything_that_swims() -> None:
    battle = scenario("pl-bluff")
    board = battle.board
    assert {"sea", "beach", "slope"} <= terrains(board)
    assert sum("cliff" in symbols for symbols in board.hexsides.values()) > 40
    assert types(battle, "german").count("n_fort30") == 3
    assert {"a_m4_dd", "b_flail", "b_crocodile", "b_engineer", "b_commando"} <= set(types(battle, "allied"))
    assert battle.options["naval_fire"] is True
    assert battle.sections.naval.points == {"allied": 40}
    assert battle.sections.mines
    assert battle.sections.blocks


def test_landing_units_lie_off_a_beach_one_to_a_hex() -> None:
    battle = scenario("pl-bluff")
    board = battle.board
    afloat = [unit.hex for unit in battle.units if unit.details.facedown and unit.hex]
    later = {place for unit in battle.units if unit.arrival and unit.side == "allied" for place in unit.arrival.hexes}
    assert len(set(afloat)) == len(afloat) > 8
    for place in {*afloat, *later}:
        assert board.terrain[place] == "sea"
        assert any(board.terrain[shore] == "beach" for shore in board.neighbors(place))


def test_only_the_draws_lead_up_the_bluff() -> None:
    board = scenario("pl-bluff").board
    ways = {
        board.terrain[there]
        for place in board.hexes
        if board.terrain[place] == "beach"
        for d in DIRECTIONS
        if (there := board.neighbor(place, d)) and "cliff" not in board.side_features(place, d)
    }
    assert ways == {"beach", "sea", "slope"}


def test_the_withdrawal_has_aircraft_opportunity_fire_and_a_bridge_to_the_way_out() -> None:
    battle = scenario("pl-withdrawal")
    assert [plane.type for plane in battle.sections.aircraft] == ["p47", "p47"]
    assert {plane.ordnance for plane in battle.sections.aircraft} == {"bombs", "rockets"}
    assert battle.options["opportunity_fire"] is True
    assert [way.side for way in battle.sections.victory.exits] == ["german"]
    board = battle.board
    doors = {board.parse(label) for label in battle.sections.victory.exits[0].hexes}
    assert doors & {place for place, _ in battle.sheet.road_ends}
    bridges = [place for place in board.features if board.has_feature(place, "bridge")]
    assert len(bridges) == 1
    column = next(unit.hex for unit in battle.units if unit.type == "g_truck" and unit.hex)
    assert doors <= drivable(board, column)


def test_the_meeting_engagement_is_set_up_by_the_players_and_judged_by_points() -> None:
    battle = scenario("pl-meeting")
    assert battle.sections.setup.order == ("german", "allied")
    assert all(unit.hex is None and unit.arrival is None for unit in battle.units)
    assert battle.sections.victory.conditions == ()
    zones = [set(battle.zone(side.id)) for side in battle.sides]
    assert not zones[0] & zones[1]
    assert sum(battle.board.elevation[place] == 2 for place in battle.board.hexes) > 20


# --- the tool that draws boards --------------------------------------------------------------------------------------

SKETCH = """\
format = 1
kind = "board"
id = "sketch"
title = "Sketch"
width = 5
height = 5
terrain = '''
WW...
.SSS.
.S.S.
.FSS.
....T
'''
elevation = '''
00000
01110
01210
01110
00000
'''
[legend]
"." = "clear"
W = "woods"
S = "slope"
F = "slope_woods"
T = "town"
"""


@pytest.fixture
def sketch(tmp_path: Path) -> Path:
    file = tmp_path / "sketch.toml"
    file.write_text(SKETCH, encoding="utf-8")
    return file


def symbol_of(file: Path) -> Callable[[str, str], set[str]]:
    board = load_sheet(file, VOCABULARY).board
    return lambda a, b: set(board.side_features(board.parse(a), board.direction(board.parse(a), board.parse(b))))


@pytest.mark.rule("PL-205")
def test_green_is_proposed_between_woods_orange_round_hilltops_brown_between_slopes_off_the_crest(sketch: Path) -> None:
    assert draw_board.main(["--propose", str(sketch)]) == 0
    symbol = symbol_of(sketch)
    assert symbol("0101", "0201") == {"green"}
    assert symbol("0303", "0302") == {"orange"}
    assert symbol("0202", "0203") == set()  # one common neighbor is the hilltop, the other is not
    assert symbol("0203", "0204") == {"brown"}
    assert symbol("0104", "0105") == set()


def test_what_the_author_drew_is_kept(sketch: Path) -> None:
    sketch.write_text(f'{SKETCH}[hexsides]\ncliff = ["0303-0302"]\n', encoding="utf-8")
    draw_board.main(["--propose", str(sketch)])
    assert symbol_of(sketch)("0303", "0302") == {"cliff"}


def test_a_map_is_shown_with_what_its_hilltops_see(sketch: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert draw_board.main(["--show", str(sketch)]) == 0
    shown = capsys.readouterr().out
    assert "^" in shown
    assert "0303 sees" in shown
    assert sketch.read_text(encoding="utf-8") == SKETCH


def test_a_file_that_is_no_board_is_answered_with_its_problems(
    sketch: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sketch.write_text(SKETCH.replace('"woods"', '"woodz"'), encoding="utf-8")
    assert draw_board.main([str(sketch)]) == 1
    assert "did you mean 'woods'?" in capsys.readouterr().err
