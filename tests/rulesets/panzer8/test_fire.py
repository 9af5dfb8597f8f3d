"""Fire, cover, sight and facing: sections 3, 7 and 8."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.geometry.hexes import Hex
from sandtable.kernel.trace import Tally
from sandtable.rulesets.panzer8 import cover, fire, sight
from sandtable.rulesets.panzer8.events import AttackRolled
from sandtable.rulesets.panzer8.model import ALLIED, GERMAN, Effect
from sandtable.rulesets.panzer8.orders import Fire, Move, MoveAndFire
from tests.rulesets.panzer8.table import Table, U, element, open_ground, table


def values(tally: Tally) -> dict[str, int]:
    return {line.label: int(line.value) for line in tally.lines}


def duel(distance: int = 8, firer: str = "sherman", target: str = "pz4g", **changes: Any) -> Table:
    """A firer below its target in one column, the target looking at it."""
    return table(
        open_ground(3, distance + 2),
        element(target, "0201", "german", facing=3),
        element(firer, f"02{distance + 1:02d}", "allied", **changes),
    )


@pytest.mark.rule("P8-8.01")
@pytest.mark.rule("P8-8.02")
def test_a_shot_adds_its_value_to_one_die_and_the_target_its_defense_to_another() -> None:
    t = duel()
    attack, defense = t.explain(Fire(U(1), U(0), "ap"))
    assert values(attack) == {"AP value": 7}
    assert values(defense) == {"Def of the target": 6}
    t.play(Fire(U(1), U(0), "ap"), dice=[9, 4])
    (rolled,) = t.happened(AttackRolled)
    assert (rolled.difference, rolled.result) == (6, "out of action")


@pytest.mark.rule("P8-8.01")
@pytest.mark.parametrize(("distance", "bonus"), [(4, 1), (5, 0)])
def test_within_four_hexes_an_unsuppressed_firer_adds_one(distance: int, bonus: int) -> None:
    t = duel(distance)
    attack, _ = t.explain(Fire(U(1), U(0), "ap"))
    assert values(attack).get("within 4 hexes", 0) == bonus
    t.change(1, suppressed=True)
    attack, _ = t.explain(Fire(U(1), U(0), "ap"))
    assert "within 4 hexes" not in values(attack)


@pytest.mark.rule("P8-7.05")
@pytest.mark.parametrize(("facing", "flanked"), [(3, False), (2, False), (0, True), (1, True), (5, True), (4, False)])
def test_a_firer_behind_the_front_has_the_flank(facing: int, flanked: bool) -> None:
    t = duel()
    t.change(0, facing=facing)
    attack, _ = t.explain(Fire(U(1), U(0), "ap"))
    assert ("from behind its front" in values(attack)) == flanked


@pytest.mark.rule("P8-2.04")
def test_quality_counts_on_both_sides() -> None:
    t = duel(quality=1)
    t.change(0, quality=-1)
    attack, defense = t.explain(Fire(U(1), U(0), "ap"))
    assert (attack.total, defense.total) == (8, 5)


@pytest.mark.rule("P8-8.03")
@pytest.mark.parametrize(("distance", "over"), [(17, 0), (18, 1)])
def test_armor_piercing_fire_over_half_range_is_harder(distance: int, over: int) -> None:
    t = duel(distance)
    _, defense = t.explain(Fire(U(1), U(0), "ap"))
    assert values(defense).get("over half range", 0) == over
    _, defense = t.explain(Fire(U(1), U(0), "hesa"))
    assert "over half range" not in values(defense)


@pytest.mark.rule("P8-8.03")
def test_no_fire_beyond_range_or_visibility_or_without_a_line() -> None:
    assert duel(35).refusal(Fire(U(1), U(0), "ap")).rule == "P8-8.03"
    assert duel(34).check(Fire(U(1), U(0), "ap")) is None
    misty = table(
        open_ground(1, 16),
        element("pz4g", "0101"),
        element("sherman", "0115"),
        sections={"visibility": 12},
    )
    assert misty.refusal(Fire(U(1), U(0), "ap")).rule == "P8-1.03"
    wooded = table("o\nW\no", element("pz4g", "0101"), element("sherman", "0103"))
    assert wooded.refusal(Fire(U(1), U(0), "ap")).rule == "P8-8.03"


@pytest.mark.rule("P8-1.03")
def test_haze_lowers_visibility_to_20() -> None:
    t = duel(25)
    assert t.check(Fire(U(1), U(0), "ap")) is None
    t.set(effects=(Effect("E08", GERMAN, 2),))
    assert t.refusal(Fire(U(1), U(0), "ap")).rule == "P8-1.03"
    assert sight.visibility(t.position) == 20


@pytest.mark.rule("P8-8.08")
def test_armor_piercing_fire_is_for_vehicles() -> None:
    t = duel(target="inf_rifle")
    assert t.refusal(Fire(U(1), U(0), "ap")).rule == "P8-8.08"
    assert t.check(Fire(U(1), U(0), "hesa")) is None
    soft = duel(target="truck")
    assert soft.check(Fire(U(1), U(0), "ap")) is None


@pytest.mark.rule("P8-8.09")
def test_small_arms_do_nothing_to_closed_armor_and_shells_only_suppress_it() -> None:
    t = duel(firer="inf_rifle")
    assert t.refusal(Fire(U(1), U(0), "hesa")).rule == "P8-8.09"
    assert duel(firer="inf_rifle", target="halftrack").check(Fire(U(1), U(0), "hesa")) is None
    shells = duel()
    shells.play(Fire(U(1), U(0), "hesa"), dice=[10, 1])
    assert shells.happened(AttackRolled)[0].result == "suppressed"
    shells = duel()
    # 6 and 3 against 6 and 2: one ahead would throw a softer target back
    shells.play(Fire(U(1), U(0), "hesa"), dice=[3, 2])
    assert shells.happened(AttackRolled)[0].result == "no effect"


@pytest.mark.rule("P8-8.10")
def test_fire_is_aimed_at_one_enemy_on_the_map() -> None:
    t = duel()
    assert t.refusal(Fire(U(1), U(1), "ap")).rule == "P8-8.10"
    assert t.refusal(Fire(U(1), U(9), "ap")).rule == "P8-8.10"
    assert t.refusal(Fire(U(1), U(0), "rockets")).rule == "P8-2.01"
    assert t.refusal(Fire(U(0), U(1), "ap")).rule == "P8-4.03"
    aboard = table(
        open_ground(1, 6),
        element("halftrack", "0101", "german"),
        element("inf_rifle", "", "german", carrier=0),
        element("sherman", "0105"),
    )
    assert aboard.refusal(Fire(U(2), U(1), "hesa")).rule == "P8-8.10"
    assert aboard.options(2, Fire) == [Fire(U(2), U(0), "ap"), Fire(U(2), U(0), "hesa")]


@pytest.mark.rule("P8-2.01")
def test_a_blank_value_means_no_such_fire() -> None:
    t = duel(firer="inf_rifle", target="truck")
    assert t.refusal(Fire(U(1), U(0), "ap")).rule == "P8-2.01"
    trucks = duel(firer="truck")
    assert trucks.refusal(Fire(U(1), U(0), "hesa")).rule == "P8-2.01"
    assert trucks.options(1, Fire) == []
    assert trucks.options(1, MoveAndFire) == []


@pytest.mark.rule("P8-7.06")
def test_a_front_arc_fires_only_to_the_front() -> None:
    t = duel(firer="at_6pdr", facing=3)
    assert t.refusal(Fire(U(1), U(0), "ap")).rule == "P8-7.06"
    t.change(1, facing=5)
    assert t.check(Fire(U(1), U(0), "ap")) is None


@pytest.mark.rule("P8-4.07")
def test_weapons_and_guns_may_turn_and_fire_which_counts_as_moved() -> None:
    t = duel(firer="at_6pdr", facing=3)
    turning = MoveAndFire(U(1), (), 0, U(0), "ap")
    _, defense = t.explain(turning)
    assert values(defense)["the firer moved"] == 1
    assert turning in t.options(1, MoveAndFire)
    assert t.refusal(MoveAndFire(U(1), t.hexes("0208"), 0, U(0), "ap")).rule == "P8-4.07"
    t.play(turning, dice=[5, 5])
    assert t.element(1).facing == 0
    assert duel().refusal(MoveAndFire(U(1), (), 0, U(0), "ap")).rule == "P8-4.06"


@pytest.mark.rule("P8-4.06")
@pytest.mark.rule("P8-8.02")
def test_move_and_fire_goes_up_to_half_a_move_and_counts_as_moved() -> None:
    t = duel(12)
    order = MoveAndFire(U(1), t.hexes("0212", "0211"), 0, U(0), "ap")
    way, _, defense = t.explain(order)
    assert way.total == 10
    assert values(defense)["the firer moved"] == 1
    t.play(order, dice=[1, 10])
    assert t.at(1) == "0211"
    assert t.refusal(order).rule == "P8-4.03"
    wrong = duel(12)
    assert wrong.refusal(MoveAndFire(U(1), wrong.hexes("0212"), 7, U(0), "ap")).rule == "P8-6.08"
    assert wrong.refusal(MoveAndFire(U(1), wrong.hexes("0212"), 0, U(1), "ap")).rule == "P8-8.10"
    assert wrong.refusal(MoveAndFire(U(1), wrong.hexes("0209"), 0, U(0), "ap")).rule == "P8-6.01"
    wrong.set(effects=(Effect("E09", ALLIED, 1, U(1)),))
    assert wrong.refusal(MoveAndFire(U(1), wrong.hexes("0212"), 0, U(0), "ap")).rule == "P8-13.02"


@pytest.mark.rule("P8-4.08")
@pytest.mark.rule("P8-9.02")
def test_a_suppressed_element_may_fire_without_moving_and_nothing_else_but_recover() -> None:
    t = duel(suppressed=True)
    assert t.check(Fire(U(1), U(0), "ap")) is None
    assert t.refusal(Move(U(1), t.hexes("0210"), 0)).rule == "P8-4.08"
    assert t.refusal(MoveAndFire(U(1), t.hexes("0208"), 0, U(0), "ap")).rule == "P8-4.08"


@pytest.mark.rule("P8-13.02")
def test_cards_that_work_on_fire() -> None:
    t = duel()
    t.set(effects=(Effect("E05", ALLIED, 1, U(1)),))
    attack, _ = t.explain(Fire(U(1), U(0), "ap"))
    assert values(attack)["fresh belts (card E05)"] == 1
    t.play(Fire(U(1), U(0), "ap"), dice=[1, 10])
    assert t.position.effects == ()
    short = duel(firer="at_6pdr", facing=0)
    short.set(effects=(Effect("E04", ALLIED, 1, U(1)),))
    assert short.refusal(Fire(U(1), U(0), "ap")).rule == "P8-13.02"
    lost = duel()
    lost.set(effects=(Effect("E12", ALLIED, 1, U(1)),))
    assert lost.check(Fire(U(1), U(0), "ap")) is None
    assert lost.refusal(Move(U(1), lost.hexes("0210"), 0)).rule == "P8-13.02"
    lost.set(effects=(Effect("E11", ALLIED, 1, U(1)),))
    assert lost.refusal(Fire(U(1), U(0), "ap")).rule == "P8-13.02"


# --- cover ----------------------------------------------------------------------------------------------------------


def covered(t: Table) -> tuple[str, int]:
    line = cover.cover(t.position, t.element(0), t.element(1).hex)
    return line.label, int(line.value)


@pytest.mark.rule("P8-3.01")
@pytest.mark.rule("P8-3.03")
@pytest.mark.parametrize(
    ("letter", "wanted"),
    [(".", 0), ("o", 0), ("c", 1), ("s", 1), ("W", 1), ("D", 1), ("m", 0), ("B", 2), ("R", 2)],
)
def test_cover_of_the_target_hex(letter: str, wanted: int) -> None:
    t = table(f"o{letter}o\nooo\nooo", element("inf_rifle", "0201", "german"), element("inf_rifle", "0202"))
    assert covered(t)[1] == wanted


@pytest.mark.rule("P8-3.02")
@pytest.mark.rule("P8-3.04")
@pytest.mark.parametrize(
    ("key", "wanted"), [("hedge", 1), ("railway_bank", 1), ("wall", 2), ("stream", 0), ("ditch", 0)]
)
def test_a_hexside_covers_against_shots_that_enter_across_it(key: str, wanted: int) -> None:
    t = table(
        open_ground(3, 6),
        element("inf_rifle", "0202", "german"),
        element("inf_rifle", "0205"),
        hexsides={key: ["0202-0203"]},
    )
    assert covered(t)[1] == wanted
    t.change(1, hex=t.hex("0201"))
    assert covered(t)[1] == 0


@pytest.mark.rule("P8-3.04")
def test_at_a_corner_both_hexsides_count() -> None:
    t = table(
        open_ground(5, 7),
        element("inf_rifle", "0204", "german"),
        element("inf_rifle", "0303"),
        hexsides={"wall": ["0203-0204"]},
    )
    target = t.board.axial(t.element(0).hex)
    # straight through the corner between its north and its northeast side
    t.change(1, hex=t.board.from_axial(Hex(target.q + 1, target.r - 2)))
    assert sight.entered_across(t.board, t.element(1).hex, t.element(0).hex) == (0, 1)
    assert covered(t)[1] == 2


@pytest.mark.rule("P8-15.02")
@pytest.mark.rule("P8-3.05")
def test_a_breach_takes_the_wall_away_and_leaves_the_crest_that_it_stood_on() -> None:
    t = table(
        open_ground(3, 6),
        element("sherman", "0202", facing=3),
        element("inf_rifle", "0205", "german"),
        hexsides={"wall": ["0202-0203"], "crest": ["0202-0203"]},
    )
    t.set(breaches=((t.hex("0202"), 3),))
    assert cover.cover(t.position, t.element(0), t.hex("0205")).label == "hull-down"
    bare = table(open_ground(3, 6), element("sherman", "0202", facing=3), hexsides={"wall": ["0202-0203"]})
    bare.set(breaches=((bare.hex("0202"), 3),))
    assert cover.cover(bare.position, bare.element(0), bare.hex("0205")).value == 0


@pytest.mark.rule("P8-3.05")
@pytest.mark.parametrize(("facing", "wanted"), [(3, 2), (2, 2), (4, 2), (0, 0), (1, 0), (5, 0)])
def test_a_vehicle_behind_a_crest_that_it_faces_is_hull_down(facing: int, wanted: int) -> None:
    t = table(
        open_ground(3, 6),
        element("pz4g", "0202", facing=facing),
        element("sherman", "0205"),
        hexsides={"crest": ["0202-0203"]},
    )
    assert covered(t)[1] == wanted
    t.change(0, kind="inf_rifle")
    assert covered(t)[1] == 0


@pytest.mark.rule("P8-3.06")
def test_only_the_best_cover_counts() -> None:
    t = table(
        "ooo\noBo\nooo\nooo\nooo",
        element("inf_rifle", "0202", "german"),
        element("inf_rifle", "0205"),
        hexsides={"hedge": ["0202-0203"]},
        smoke={"0202": 9},
    )
    assert covered(t)[1] == 2


@pytest.mark.rule("P8-3.03")
@pytest.mark.rule("P8-9.01")
def test_dug_in_positions_and_wrecks() -> None:
    t = table(
        open_ground(3, 6),
        element("inf_rifle", "0202", "german"),
        element("inf_rifle", "0205"),
        sections={"dug_in": ("0202",)},
    )
    assert covered(t) == ("hard cover", 2)
    wreck = table(
        open_ground(3, 6), element("inf_rifle", "0202", "german"), element("inf_rifle", "0205"), wrecks=["0202"]
    )
    assert covered(wreck) == ("behind a wreck", 1)
    wreck.change(0, kind="pz4g")
    assert covered(wreck) == ("no cover", 0)


# --- sight ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("P8-7.01")
def test_adjacent_hexes_always_see_each_other() -> None:
    t = table("DD\nDD")
    assert sight.sees(t.position, t.hex("0101"), t.hex("0102"))


@pytest.mark.rule("P8-7.02")
@pytest.mark.parametrize(
    ("levels", "clear"),
    [("0000", True), ("0100", False), ("1000", True), ("1100", False), ("1101", True), ("2100", True)],
)
def test_ground_above_the_line_blocks_it(levels: str, clear: bool) -> None:
    t = table("o\no\no\no", elevation="\n".join(levels))
    assert sight.sees(t.position, t.hex("0101"), t.hex("0104")) == clear
    assert sight.sees(t.position, t.hex("0104"), t.hex("0101")) == clear


@pytest.mark.rule("P8-3.07")
@pytest.mark.rule("P8-7.02")
@pytest.mark.parametrize(("letter", "clear"), [("W", False), ("D", False), ("B", False), ("s", True), ("c", True)])
def test_woods_and_houses_stand_one_level_high(letter: str, clear: bool) -> None:
    t = table(f"o\n{letter}\no")
    assert sight.sees(t.position, t.hex("0101"), t.hex("0103")) == clear


@pytest.mark.rule("P8-7.03")
def test_inside_woods_one_sees_two_hexes_far() -> None:
    t = table("W\nD\nW\nW")
    assert sight.sees(t.position, t.hex("0101"), t.hex("0103"))
    assert not sight.sees(t.position, t.hex("0101"), t.hex("0104"))
    uphill = table("W\nW\nW\nW", elevation="3\n0\n0\n3")
    assert not sight.sees(uphill.position, uphill.hex("0101"), uphill.hex("0104"))


@pytest.mark.rule("P8-7.04")
def test_elements_do_not_block_lines() -> None:
    t = duel()
    t.change(1, hex=t.hex("0205"))
    assert sight.sees(t.position, t.hex("0201"), t.hex("0209"))


@pytest.mark.rule("P8-12.02")
def test_one_smoke_hex_hides_and_two_block() -> None:
    t = table(open_ground(1, 6), smoke={"0103": 9})
    a, b = t.hex("0101"), t.hex("0105")
    assert sight.sees(t.position, a, b)
    assert sight.is_in_smoke(t.position, a, b)
    t.set(smoke={t.hex("0103"): 9, t.hex("0105"): 9})
    assert not sight.sees(t.position, a, b)
    t.set(smoke={t.hex("0101"): 9, t.hex("0102"): 9})
    assert sight.sees(t.position, a, t.hex("0102"))
    assert sight.is_in_smoke(t.position, a, t.hex("0102"))
    assert sight.smoke_on_line(table("o").position, a, b) == 0


@pytest.mark.rule("P8-1.02")
@pytest.mark.rule("P8-1.06")
def test_distances_and_directions() -> None:
    t = table(open_ground(5, 5))
    assert t.board.distance(t.hex("0101"), t.hex("0105")) == 4
    assert sight.facing_toward(t.board, t.hex("0303"), t.hex("0301")) == 0
    assert sight.facing_toward(t.board, t.hex("0303"), t.hex("0305")) == 3
    assert [sight.facing_toward(t.board, t.hex("0303"), h) for h in t.board.neighbor_table[t.hex("0303")]] == [
        0, 1, 2, 3, 4, 5
    ]  # fmt: skip


def test_fire_options_of_half_a_move() -> None:
    t = duel(8, facing=3)
    found = t.options(1, MoveAndFire)
    assert all(t.check(order) is None for order in found)
    assert {len(order.path) for order in found} == {0, 1, 2, 3, 4}
    t.change(1, acted=1)
    assert t.options(1, MoveAndFire) == []
    assert t.options(1, Fire) == []
    assert fire.cannot_fire(t.position, t.element(1)) is None
