"""Lines of sight and who sees whom: section 7 and P44-4.07."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.rulesets.panzer_44.model import ALLIED
from sandtable.rulesets.panzer_44.scenario import VisibilityEntry
from sandtable.rulesets.panzer_44.sight import sees, sight
from sandtable.rulesets.panzer_44.visibility import can_see, is_watched, visibility
from tests.rulesets.panzer_44.table import Table, open_ground, table, unit


def looks(t: Table, a: str, b: str) -> bool:
    """Whether one hex sees another; it is the same both ways."""
    there = sees(t.position.ground, *t.hexes(a, b))
    assert sees(t.position.ground, *t.hexes(b, a)) == there
    return there


@pytest.mark.rule("P44-7.01")
@pytest.mark.parametrize("letter", list(".TWHm"))
def test_adjacent_hexes_always_see_each_other(letter: str) -> None:
    t = table(open_ground(3, 3, letter), hexsides={"crest": ["0202-0203"]})
    assert all(looks(t, "0202", t.board.label(place)) for place in t.board.neighbors(t.hex("0202")))


@pytest.mark.rule("P44-7.02")
@pytest.mark.parametrize(("letter", "blocks"), [(".", False), ("T", True), ("W", True), ("H", True), ("m", False)])
def test_towns_woods_and_hilltops_between_block_the_line(letter: str, blocks: bool) -> None:
    t = table(f".\n.\n{letter}\n.\n.")
    assert looks(t, "0101", "0105") == (not blocks)


@pytest.mark.rule("P44-7.02")
@pytest.mark.parametrize("letter", list("TWH"))
def test_the_two_ends_do_not_block(letter: str) -> None:
    t = table(f"{letter}\n.\n.\n{letter}")
    assert looks(t, "0101", "0104")


@pytest.mark.rule("P44-7.02")
def test_a_line_along_an_edge_is_blocked_by_either_hex_beside_it() -> None:
    for woods in ("0201", "0202"):
        rows = [["."] * 3 for _ in range(3)]
        rows[int(woods[2:]) - 1][int(woods[:2]) - 1] = "W"
        t = table("\n".join(map("".join, rows)))
        assert not looks(t, "0102", "0302")
    assert looks(table(open_ground(3, 3)), "0102", "0302")


@pytest.mark.rule("P44-7.03")
@pytest.mark.parametrize("kind", ["crest", "slope"])
@pytest.mark.parametrize(("side", "seen"), [("0101-0102", True), ("0102-0103", False), ("0104-0105", True)])
def test_crests_and_slopes_block_unless_they_border_an_end(kind: str, side: str, seen: bool) -> None:
    t = table(open_ground(1, 5), hexsides={kind: [side]})
    assert looks(t, "0101", "0105") == seen


@pytest.mark.rule("P44-7.04")
def test_from_hilltop_to_hilltop_only_woods_and_towns_block() -> None:
    hills = {"H": True, "W": False, "T": False, ".": True}
    for letter, seen in hills.items():
        t = table(f"H\n.\n{letter}\n.\nH", hexsides={"crest": ["0102-0103"], "slope": ["0103-0104"]})
        assert looks(t, "0101", "0105") == seen
    low = table(".\n.\nH\n.\nH", hexsides={"crest": ["0102-0103"]})
    assert not looks(low, "0101", "0105")


@pytest.mark.rule("P44-7.05")
def test_units_wrecks_roads_water_and_swamp_do_not_block() -> None:
    t = table(
        ".\n.\nm\n.\n.",
        unit("g_tiger2", "0102"),
        unit("u_m4", "0104"),
        roads=[["0101", "0102", "0103", "0104", "0105"]],
        hexsides={"stream": ["0102-0103"], "river": ["0103-0104"], "bridge": ["0103-0104"]},
        wrecks=("0103",),
    )
    assert looks(t, "0101", "0105")


@pytest.mark.rule("P44-7.06")
def test_a_target_is_behind_the_hexside_the_line_comes_in_by_and_at_a_corner_behind_both() -> None:
    t = table(open_ground(5, 5))
    entered = sight(t.position.ground).entered_by
    assert entered(*t.hexes("0305", "0303")) == (3,)
    assert entered(*t.hexes("0103", "0303")) == (4, 5)


@pytest.mark.rule("P44-4.07")
def test_nobody_sees_farther_than_the_visibility_which_may_change_with_the_turn() -> None:
    t = table(open_ground(1, 24))
    assert visibility(t.position) == 20
    assert can_see(t.position, *t.hexes("0101", "0121"))
    assert not can_see(t.position, *t.hexes("0101", "0122"))
    mist = {"visibility": (VisibilityEntry(1, 4), VisibilityEntry(7, 20))}
    for turn, far in ((1, 4), (6, 4), (7, 20), (9, 20)):
        assert visibility(table(".", sections=mist, turn=turn).position) == far


@pytest.mark.rule("P44-4.07")
@pytest.mark.parametrize(
    ("changes", "seen"),
    [({}, True), ({"pinned": True}, True), ({"disruption": 1}, False), ({"panic": "frozen"}, False)],
)
def test_an_enemy_is_visible_to_units_that_are_neither_disrupted_nor_panicked(
    changes: dict[str, Any], seen: bool
) -> None:
    t = table(open_ground(1, 6), unit("u_m4", "0101", **changes), unit("g_pz4h", "0106"))
    assert is_watched(t.position, t.unit(1).hex, ALLIED) == seen


@pytest.mark.rule("P44-4.05")
def test_a_passenger_does_not_spot() -> None:
    t = table(
        open_ground(1, 6),
        unit("u_m3", "0101", disruption=1),
        unit("u_arminf", carrier=0),
        unit("g_pz4h", "0106"),
    )
    assert not is_watched(t.position, t.unit(2).hex, ALLIED)
