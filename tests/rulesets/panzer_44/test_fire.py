"""Who may fire at whom, and the numbers of an attack: sections 8 and 9."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.kernel.trace import Tally
from sandtable.rulesets.panzer_44.fire import Odds, aimed, no_attack, no_shot, out_of_reach, pattern_line
from sandtable.rulesets.panzer_44.scenario import VisibilityEntry
from tests.rulesets.panzer_44.table import Table, open_ground, table, unit


def duel(distance: int = 3, firer: str = "u_m4", target: str = "g_pz4h", top: str = ".", **about: Any) -> Table:
    """A firer below its target in one column; the target is unit 0."""
    rows = "\n".join([f".{top}.", *["..."] * (distance + 1)])
    return table(rows, unit(target, "0201", "german"), unit(firer, f"02{distance + 1:02}", "allied"), **about)


def numbers(t: Table) -> Odds:
    return aimed(t.position, t.unit(1), t.unit(0))


def values(tally: Tally) -> dict[str, int]:
    return {line.label: int(line.value) for line in tally.lines}


def refusal(t: Table) -> str:
    """The rule that forbids unit 1 to fire at unit 0, empty when it may."""
    found = no_shot(t.position, t.unit(1), t.unit(0))
    return found.rule if found else ""


# --- the numbers ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("P44-9.02")
@pytest.mark.rule("P44-9.03")
@pytest.mark.rule("P44-1.07")
def test_strength_is_changed_by_range_and_defense_is_subtracted() -> None:
    found = numbers(duel(7, "g_pz4h", "u_m4"))
    assert values(found.superiority) == {"attack strength": 10, "range 7": -2, "defense of M4 Sherman (75)": -7}
    assert (found.net, found.column, found.off_die) == (1, 1, 0)


@pytest.mark.rule("P44-9.02")
@pytest.mark.rule("P44-9.04")
@pytest.mark.rule("P44-9.11")
def test_next_to_the_target_the_printed_strength_is_doubled_and_superiority_ends_at_8() -> None:
    found = numbers(duel(1, "g_pak43", "u_m4"))
    assert values(found.superiority)["range 1"] == 14
    assert values(found.superiority)["above +8"] == -13
    assert (found.net, found.column, int(found.superiority.total)) == (21, 8, 8)


@pytest.mark.rule("P44-9.03")
@pytest.mark.rule("P44-9.09")
def test_a_howitzer_takes_every_hard_target_as_4_and_gives_it_no_cover() -> None:
    found = numbers(duel(2, "u_m4105", "g_tiger2", "T"))
    assert values(found.superiority) == {"attack strength": 4, "any hard target counts as": -4}
    assert found.off_die == 0


@pytest.mark.rule("P44-9.03")
@pytest.mark.rule("P44-9.08")
def test_a_howitzer_subtracts_nothing_from_soft_targets_who_have_only_their_hex_for_cover() -> None:
    found = numbers(duel(6, "u_m4105", "g_gren", "W", hexsides={"crest": ["0201-0202"]}))
    assert values(found.superiority) == {"attack strength": 4}
    assert values(found.reduction) == {"woods": 2}


@pytest.mark.rule("P44-9.06")
@pytest.mark.rule("P44-13.06")
@pytest.mark.parametrize(
    ("top", "side", "positions", "cover"),
    [
        (".", "", (), {}),
        ("T", "", (), {"town": 3}),
        ("H", "", (), {"hilltop": 3}),
        ("W", "crest", (), {"woods": 2}),
        (".", "slope", (), {"behind a slope": 2}),
        (".", "stream", (), {}),
        ("T", "crest", ("0201",), {"Improved Position": 4}),
        ("m", "", (), {}),
    ],
)
def test_only_the_best_cover_comes_off_the_die(
    top: str, side: str, positions: tuple[str, ...], cover: dict[str, int]
) -> None:
    sides = {side: ["0201-0202"]} if side else None
    assert values(numbers(duel(3, top=top, hexsides=sides, positions=positions)).reduction) == cover


@pytest.mark.rule("P44-15.02")
@pytest.mark.rule("P44-9.07")
def test_with_the_option_cover_adds_up() -> None:
    t = duel(3, "u_m4", "g_gren", "T", positions=("0201",), options={"cumulative_cover": True})
    assert numbers(t).off_die == 7
    assert numbers(t).result(1) == "Pin"


@pytest.mark.rule("P44-7.06")
def test_a_hexside_covers_only_from_whom_the_line_comes_in_across_it() -> None:
    t = duel(3, hexsides={"crest": ["0201-0301"]})
    assert numbers(t).off_die == 0


@pytest.mark.rule("P44-9.09")
def test_armor_finds_no_cover_from_a_close_assault() -> None:
    found = numbers(duel(1, "u_rifle", "g_pz4h", "T", positions=("0201",)))
    assert values(found.superiority) == {"attack strength": 7, "defense of PzKw IVH": -7}
    assert found.off_die == 0


@pytest.mark.rule("P44-9.01")
@pytest.mark.rule("P44-11.05")
@pytest.mark.rule("P44-11.06")
def test_patterns_have_lines_of_their_own() -> None:
    assert (pattern_line("tight"), pattern_line("loose")) == ("HT", "HL")


# --- who may fire at whom -------------------------------------------------------------------------------------------


@pytest.mark.rule("P44-3.05")
def test_nobody_fires_beyond_his_range() -> None:
    assert refusal(duel(9, "u_m4", "g_251")) == ""
    assert refusal(duel(10, "u_m4", "g_251")) == "P44-3.05"


@pytest.mark.rule("P44-1.07")
def test_nobody_fires_into_his_own_hex() -> None:
    t = duel(1)
    found = out_of_reach(t.position, t.unit(1), t.unit(1).hex)
    assert found is not None
    assert found.rule == "P44-1.07"


@pytest.mark.rule("P44-8.08")
def test_a_howitzer_fires_over_open_sights_eight_hexes_far_or_its_own_range() -> None:
    assert refusal(duel(8, "u_m7", "g_gren")) == ""
    assert refusal(duel(9, "u_m7", "g_gren")) == "P44-8.08"
    assert refusal(duel(9, "g_2519", "g_gren")) == "P44-3.05"


@pytest.mark.rule("P44-4.07")
def test_nobody_fires_farther_than_he_sees() -> None:
    t = duel(9, "g_pak43", "u_m4")
    assert refusal(t) == ""
    mist = duel(9, "g_pak43", "u_m4", sections={"visibility": (VisibilityEntry(1, 8),)})
    assert refusal(mist) == "P44-4.07"


@pytest.mark.rule("P44-7.01")
@pytest.mark.rule("P44-9.08")
@pytest.mark.parametrize("firer", ["u_m4", "u_m7"])
def test_fire_over_open_sights_needs_a_line_of_sight_howitzers_too(firer: str) -> None:
    t = duel(4, firer, "g_gren", hexsides={"crest": ["0202-0203"]})
    assert refusal(t) == "P44-7.01"


@pytest.mark.rule("P44-8.07")
def test_small_arms_attack_armor_only_from_the_next_hex() -> None:
    assert refusal(duel(1, "u_rifle", "g_pz4h")) == ""
    assert refusal(duel(2, "u_rifle", "g_pz4h")) == "P44-8.07"
    assert refusal(duel(3, "u_rifle", "g_gren")) == ""


@pytest.mark.rule("P44-8.10")
def test_there_is_no_attack_below_minus_3() -> None:
    assert refusal(duel(3, "u_m4", "g_tiger1")) == ""
    assert refusal(duel(6, "u_m4", "g_tiger1")) == "P44-8.10"
    assert not numbers(duel(6, "u_m4", "g_tiger1")).is_allowed


@pytest.mark.rule("P44-15.04")
def test_from_a_halftrack_infantry_fires_at_half_strength_and_never_assaults() -> None:
    t = table(
        open_ground(1, 4),
        unit("g_gren", "0101"),
        unit("u_m3", "0103"),
        unit("u_arminf", carrier=1),
        unit("g_pz4h", "0104"),
    )
    found = aimed(t.position, t.unit(2), t.unit(0))
    assert values(found.superiority)["half its attack strength, mounted"] == 4
    denied = no_attack(t.position, t.unit(2), t.unit(3))
    assert denied is not None
    assert denied.rule == "P44-15.04"
