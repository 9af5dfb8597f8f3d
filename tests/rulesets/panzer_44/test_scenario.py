"""What Panzer '44 objects to in boards and scenarios."""

from __future__ import annotations

from pathlib import Path

import pytest

from sandtable.content import ContentError, load_scenario
from sandtable.rulesets.panzer_44.scenario import VOCABULARY, Panzer44Scenario, area_hexes

BOARD = """
format = 1
kind = "board"
id = "field"
title = "Field"
width = 5
height = 4
terrain = '''
.....
..T..
.W...
.....
'''
elevation = '''
00000
01100
00000
00000
'''
roads = [["0101", "0102", "0202"], ["0404", "0504"]]
[legend]
"." = "clear"
T = "town"
W = "woods"
[hexsides]
{sides}
"""

SCENARIO = """
format = 1
kind = "scenario"
id = "skirmish"
system = "panzer_44"
title = "Skirmish"
summary = "Two platoons."
board = "field"
turns = 5
first = "allied"
{more}
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
at = "0504"
{sections}
"""


def loaded(folder: Path, *, more: str = "", sections: str = "", sides: str = "") -> Panzer44Scenario:
    """A small scenario with what is added to it."""
    (folder / "field.toml").write_text(BOARD.format(sides=sides), encoding="utf-8")
    text = SCENARIO.format(more=more, sections=sections)
    return load_scenario(text.encode(), VOCABULARY, folder, name="skirmish")


def problems(folder: Path, *, more: str = "", sections: str = "", sides: str = "") -> str:
    """What is wrong with it."""
    with pytest.raises(ContentError) as caught:
        loaded(folder, more=more, sections=sections, sides=sides)
    return str(caught.value)


# --- boards ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("P44-2.02")
@pytest.mark.rule("P44-2.10")
@pytest.mark.rule("P44-2.11")
def test_a_sound_board_and_scenario_have_no_problems(tmp_path: Path) -> None:
    sides = (
        'stream = ["0101-0102", "0404-0504"]\nbridge = ["0101-0102"]\nslope = ["0202-0203"]\ncrest = ["0101-edge:N"]'
    )
    assert len(loaded(tmp_path, sides=sides).units) == 2


@pytest.mark.rule("P44-2.02")
def test_a_side_is_one_of_stream_crest_slope_and_water(tmp_path: Path) -> None:
    found = problems(tmp_path, sides='stream = ["0303-0403"]\ncrest = ["0303-0403"]')
    assert "crest and stream; a side is one of them (P44-2.02)" in found


@pytest.mark.rule("P44-2.10")
def test_a_bridge_crosses_water_and_carries_a_road(tmp_path: Path) -> None:
    found = problems(tmp_path, sides='river = ["0303-0403"]\nbridge = ["0101-0102", "0303-0403"]')
    assert "a bridge over no stream or river (P44-2.10)" in found
    assert "a bridge without a road (P44-2.10)" in found


@pytest.mark.rule("P44-2.11")
@pytest.mark.parametrize("side", ["0303-0403", "0101-edge:N"])
def test_a_slope_has_a_low_side(tmp_path: Path, side: str) -> None:
    assert "a slope between hexes of the same elevation has no low side (P44-2.11)" in problems(
        tmp_path, sides=f'slope = ["{side}"]'
    )


# --- units ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("P44-4.01")
def test_three_units_share_a_hex_and_four_do_not(tmp_path: Path) -> None:
    three = '[[units]]\ntype = "u_rifle"\nside = "allied"\ncount = {}\nat = "0101"'
    assert len(loaded(tmp_path, sections=three.format(2)).units) == 4
    assert "hex 0101 holds more than 3 units (P44-4.01)" in problems(tmp_path, sections=three.format(3))


@pytest.mark.rule("P44-4.02")
def test_enemies_do_not_begin_in_one_hex(tmp_path: Path) -> None:
    found = problems(tmp_path, sections='[[units]]\ntype = "g_gren"\nside = "german"\nat = "0101"')
    assert "both sides stand in hex 0101 (P44-4.02)" in found


@pytest.mark.rule("P44-4.04")
def test_a_carrier_takes_one_unit_on_foot_or_one_gun(tmp_path: Path) -> None:
    aboard = '[[units]]\ntype = "{}"\nside = "german"\naboard = "track"\n'
    assert len(loaded(tmp_path, sections=aboard.format("g_pak40")).units) == 3
    assert "SdKfz 251 can't carry PzKw IVH (P44-4.04)" in problems(tmp_path, sections=aboard.format("g_pz4h"))
    two = aboard.format("g_gren") + aboard.format("g_mg")
    assert "track carries another unit already (P44-4.04)" in problems(tmp_path, sections=two)


@pytest.mark.rule("P44-14.01")
def test_a_unit_begins_on_the_map_or_is_placed_in_a_zone_of_its_side(tmp_path: Path) -> None:
    free = '[[units]]\ntype = "g_gren"\nside = "german"\n'
    zone = '[[zones]]\nside = "german"\nhexes = ["0401:0504"]\n'
    assert "has no place, and german has no zone in 'setup.order'" in problems(tmp_path, sections=free + zone)
    assert len(loaded(tmp_path, sections=f'{free}{zone}[setup]\norder = ["german"]').units) == 3
    late = '[[units]]\ntype = "g_gren"\nside = "german"\narrives = { turn = 2, at = "0504" }'
    assert "a unit begins on the map (P44-14.01)" in problems(tmp_path, sections=late)


@pytest.mark.rule("P44-4.02")
def test_zones_of_the_sides_lie_apart_and_hold_no_enemy(tmp_path: Path) -> None:
    zones = '[[zones]]\nside = "german"\nhexes = ["0101:0202"]\n[[zones]]\nside = "allied"\nhexes = ["0202"]\n'
    found = problems(tmp_path, sections=zones)
    assert "stands in the enemy's zone in hex 0101 (P44-4.02)" in found
    assert "hex 0202 is in zones of both sides (P44-4.02)" in found


# --- sections -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("P44-6.01")
def test_a_unit_names_a_group_of_its_own_side(tmp_path: Path) -> None:
    green = '[[groups]]\nid = "green"\ntitle = "Green crews"\nside = "{}"\nlevel = 3\n'
    unit = '[[units]]\ntype = "g_pz4h"\nside = "german"\nat = "0503"\ngroup = "green"\n'
    assert len(loaded(tmp_path, sections=green.format("german") + unit).units) == 3
    assert "german has no group green (P44-6.01)" in problems(tmp_path, sections=green.format("allied") + unit)


@pytest.mark.rule("P44-11.03")
def test_only_howitzers_and_mortars_have_an_accuracy(tmp_path: Path) -> None:
    unit = '[[units]]\ntype = "{}"\nside = "german"\nat = "0503"\naccuracy = 2\n'
    assert len(loaded(tmp_path, sections=unit.format("g_wespe")).units) == 3
    found = problems(tmp_path, sections=unit.format("g_pz4h"))
    assert "'accuracy' is for howitzers and mortars (P44-11.03)" in found


@pytest.mark.rule("P44-11.09")
@pytest.mark.rule("P44-11.10")
def test_batteries_and_aircraft_are_of_a_known_type(tmp_path: Path) -> None:
    found = problems(
        tmp_path,
        sections='[[batteries]]\nside = "allied"\ntype = "oba_106"\nmissions = 2\n'
        '[[sorties]]\nside = "allied"\ntype = "cas_p48"\n',
    )
    assert "[[batteries]] #1: 'type': expected one of oba_105" in found
    assert "[[sorties]] #1: 'type': expected one of cas_p47" in found


@pytest.mark.rule("P44-14.02")
def test_an_area_is_made_of_hexes_and_rectangles(tmp_path: Path) -> None:
    presence = '[[victory.presence]]\nside = "german"\ntitle = "West"\narea = {}\npoints = 2\n'
    board = loaded(tmp_path, sections=presence.format('["0101:0202", "0503"]')).board
    found = [board.label(place) for place in area_hexes(board, ["0101:0202", "0503"])]
    assert found == ["0101", "0102", "0201", "0202", "0503"]
    assert "[[victory.presence]] #1: 'area': expected hexes of the board or rectangles" in problems(
        tmp_path, sections=presence.format('["0101:0909"]')
    )


@pytest.mark.rule("P44-13.09")
def test_mines_lie_neither_in_towns_nor_on_roads_unless_the_scenario_says_so(tmp_path: Path) -> None:
    mines = '[mines]\nhasty = ["0102", "0302", "0401"]'
    found = problems(tmp_path, sections=mines)
    assert "hex 0102: mines in a town or road hex; 'mined_roads' allows them (P44-13.09)" in found
    assert "hex 0302: mines" in found
    assert "hex 0401" not in found
    assert loaded(tmp_path, more="mined_roads = true", sections=mines).sections.mined_roads


@pytest.mark.rule("P44-13.01")
def test_a_minefield_has_one_grade(tmp_path: Path) -> None:
    found = problems(tmp_path, sections='[mines]\nhasty = ["0401"]\ndefensive = ["0401"]')
    assert "hex 0401: mines of two grades in one hex (P44-13.01)" in found


@pytest.mark.rule("P44-12.07")
def test_an_exit_is_at_the_edge_of_the_map(tmp_path: Path) -> None:
    exits = '[[exits]]\nside = "german"\nhexes = ["{}"]\n'
    assert loaded(tmp_path, sections=exits.format("0102")).sections.exits[0].points == 3
    assert "units leave at the edge of the map (P44-12.07)" in problems(tmp_path, sections=exits.format("0303"))


@pytest.mark.rule("P44-6.01")
def test_a_panic_level_is_at_most_4(tmp_path: Path) -> None:
    assert loaded(tmp_path, sections="[panic]\nallied = 4").sections.panic == {"allied": 4}
    assert "[panic]" in problems(tmp_path, sections="[panic]\nallied = 5")
