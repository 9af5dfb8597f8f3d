"""The terrain effects table and the map."""

from __future__ import annotations

import csv
import io

import pytest

from sandtable.rulesets.panzer_leader import terrain
from sandtable.rulesets.panzer_leader.model import ALLIED
from sandtable.rulesets.panzer_leader.terrain_table import TERRAIN, terrain_table
from tests.rulesets.panzer_leader.table import drawn, open_board, table, unit

# The table of PL-209, written down a second time; movement in points, X forbidden.
PRINTED = """\
terrain,mp_truck,mp_vehicle,mp_nonvehicle,drm_fire,drm_air,drm_overrun,drm_cat,drm_mine,needs_spotting,overrun_ok,level
clear,2,1,1,0,0,0,0,0,no,yes,0
town,0.5,0.5,0.5,1,1,1,1,1,yes,no,0
woods,2,1,1,1,1,1,1,0,yes,no,0
swamp,X,X,1,1,1,0,0,0,no,no,0
slope,5,3,3,0,0,0,0,0,no,no,1
slope_woods,5,3,3,1,1,1,1,0,yes,no,1
stream,X,X,1,0,0,0,0,0,no,no,0
beach,2,2,1,1,1,0,0,0,no,no,0
sea,X,X,X,0,0,0,0,0,no,no,0
"""
ROWS = list(csv.DictReader(io.StringIO(PRINTED)))


def half_points(text: str) -> int:
    return -1 if text == "X" else int(float(text) * 2)


@pytest.mark.parametrize("row", ROWS, ids=[row["terrain"] for row in ROWS])
@pytest.mark.rule("PL-201", "PL-202", "PL-209", "PL-210", "PL-211", "PL-213")
def test_each_row_of_the_terrain_effects_table(row: dict[str, str]) -> None:
    found = TERRAIN[row["terrain"]]
    assert found.truck == half_points(row["mp_truck"])
    assert found.vehicle == half_points(row["mp_vehicle"])
    assert found.nonvehicle == half_points(row["mp_nonvehicle"])
    for name in ("drm_fire", "drm_air", "drm_overrun", "drm_cat", "drm_mine"):
        assert getattr(found, name) == int(row[name])
    assert found.needs_spotting == (row["needs_spotting"] == "yes")
    assert found.overrun_ok == (row["overrun_ok"] == "yes")
    assert found.level == int(row["level"])


@pytest.mark.rule("PL-201", "PL-202")
def test_there_is_no_other_terrain_and_hilltops_have_a_base_of_their_own() -> None:
    assert set(TERRAIN) == {row["terrain"] for row in ROWS}
    assert terrain_table().hilltop.base == ("clear", "town", "woods", "swamp")
    assert terrain_table().hilltop.level == 2
    assert terrain_table().road_cost == 1


@pytest.mark.rule("PL-214")
def test_a_wooded_slope_has_the_dearest_cost_and_the_summed_modifiers_of_slope_and_woods() -> None:
    slope, woods, both = TERRAIN["slope"], TERRAIN["woods"], TERRAIN["slope_woods"]
    for name in ("truck", "vehicle", "nonvehicle"):
        assert getattr(both, name) == max(getattr(slope, name), getattr(woods, name))
    for name in ("drm_fire", "drm_air", "drm_overrun", "drm_cat", "drm_mine"):
        assert getattr(both, name) == getattr(slope, name) + getattr(woods, name)


@pytest.mark.rule("PL-202")
def test_a_hilltop_is_level_2_a_slope_1_and_all_else_0() -> None:
    t = table(".SF\nRTM", elevation={"0101": 2})
    levels = {t.board.label(h): terrain.level_at(t.position, h) for h in t.board.hexes}
    assert levels == {"0101": 2, "0201": 1, "0301": 1, "0102": 0, "0202": 0, "0302": 0}


@pytest.mark.rule("PL-207")
def test_a_hex_on_the_edge_is_as_good_as_any() -> None:
    t = table("W.\n..", unit("a_rifle", "0101"))
    assert terrain.terrain_at(t.position, t.hex("0101")).title == "Woods"


@pytest.mark.rule("PL-212")
def test_a_road_does_not_change_the_defense_of_its_hex() -> None:
    t = table("W\nW", roads=[["0101", "0102"]])
    assert terrain.terrain_at(t.position, t.hex("0101")).drm_fire == 1


@pytest.mark.rule("PL-633", "PL-1331")
def test_a_bridge_that_stands_makes_its_hex_clear() -> None:
    t = table("R\n.", features={"bridge": ["0101", "0102"]})
    assert terrain.terrain_key(t.position, t.hex("0101")) == "clear"
    assert not terrain.has_bridge(t.position, t.hex("0102"))  # on dry land there is nothing to bridge
    t.set(bridges_down=["0101"])
    assert terrain.terrain_key(t.position, t.hex("0101")) == "stream"


@pytest.mark.rule("PL-1333")
def test_a_tank_bridge_makes_its_hex_clear() -> None:
    t = table("R\nR", unit("n_tbridge", "0101", ALLIED), unit("a_rifle", "0102"))
    assert terrain.has_bridge(t.position, t.hex("0101"))
    assert not terrain.has_bridge(t.position, t.hex("0102"))


@pytest.mark.rule("PL-721", "PL-1609")
def test_woods_towns_and_smoke_conceal() -> None:
    t = table("W.T\nFM.", smoke={"0302": 4})
    concealing = {t.board.label(h) for h in t.board.hexes if terrain.is_concealing(t.position, h)}
    assert concealing == {"0101", "0301", "0102", "0302"}


# --- proposed symbols -----------------------------------------------------------------------------------------------


def proposals(rows: str, elevation: dict[str, int]) -> dict[str, str]:
    board = drawn(rows, elevation=elevation)
    return {
        f"{board.label(h)}-{board.label(board.neighbor(h, d))}": symbol
        for (h, d), symbol in terrain.proposed_symbols(board).items()
    }


@pytest.mark.rule("PL-205")
def test_green_is_proposed_between_woods_and_orange_around_a_hilltop() -> None:
    assert proposals("WF\n..", {}) == {"0101-0201": "green"}
    assert proposals(open_board(2, 2), {"0101": 2}) == {"0101-0102": "orange", "0101-0201": "orange"}
    assert proposals("WW", {"0101": 2}) == {"0101-0201": "orange"}


@pytest.mark.rule("PL-205")
def test_brown_is_proposed_between_slopes_whose_common_neighbors_are_alike() -> None:
    # 0202 and 0203 share the neighbors 0103 and 0303
    rows = """
        ...
        .S.
        .S.
        ...
    """
    assert proposals(rows, {}) == {"0202-0203": "brown"}
    one = proposals(rows, {"0103": 2})
    assert "0202-0203" not in one
    assert set(one.values()) == {"orange"}
    both = proposals(rows, {"0103": 2, "0303": 2})
    assert both["0202-0203"] == "brown"
