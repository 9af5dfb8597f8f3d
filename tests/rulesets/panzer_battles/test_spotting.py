"""Seeing: lines of sight, spotting levels, concealment, and what a side remembers."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from msgspec.structs import replace

from sandtable.geometry.hexes import Hex
from sandtable.kernel.ids import NOBODY, NOWHERE, SPECTATORS, HexId, UnitId
from sandtable.rulesets.panzer_battles import index
from sandtable.rulesets.panzer_battles.engineers.orders import DigIn
from sandtable.rulesets.panzer_battles.events import (
    Bumped,
    Concealed,
    Fired,
    IntelDropped,
    SightLost,
    Stepped,
    UnitsSeen,
)
from sandtable.rulesets.panzer_battles.model import ALLIED, AXIS, TRAVEL, Feature, Position, with_units
from sandtable.rulesets.panzer_battles.orders import Assault, ChangeMode, EndTurn, Fire, Move
from sandtable.rulesets.panzer_battles.spotting import knowledge, levels, sight
from sandtable.rulesets.panzer_battles.spotting.concealment import can_hide
from sandtable.rulesets.panzer_battles.spotting.levels import SPOTTED, UNKNOWN, UNSPOTTED, level
from tests.rulesets.panzer_battles.table import ONE, RULES, AllHighest, Table, U, table, unit

ROW = ". . . . . . . ."


def sees(t: Table, a: str, b: str) -> bool:
    seen = sight.sees(t.position, t.hex(a), t.hex(b))
    assert seen == sight.sees(t.position, t.hex(b), t.hex(a)), "sight is mutual"
    return seen


# --- lines of sight -------------------------------------------------------------------------------------------------


@pytest.mark.rule("PB-SPOT-1", "PB-SPOT-2")
def test_seeing_needs_a_clear_line_and_visibility() -> None:
    t = table("\n".join([ROW] * 8), visibility=[4])
    assert sees(t, "0101", "0501")
    assert not sees(t, "0101", "0601")


@pytest.mark.rule("PB-SPOT-3", "PB-SPOT-4", "PB-SPOT-8")
@pytest.mark.parametrize(("terrain", "hides"), [("f", False), ("r", False), ("o", True), ("F", True), ("V", True)])
def test_terrain_of_two_meters_and_more_hides_and_lower_terrain_does_not(terrain: str, hides: bool) -> None:
    t = table(f". . .\n{terrain} . .\n. . .")
    assert sees(t, "0101", "0103") is not hides
    assert sees(t, "0101", "0102"), "into it one sees"


@pytest.mark.rule("PB-SPOT-5", "PB-SPOT-6", "PB-SPOT-8")
def test_lines_run_from_eye_to_eye_and_what_they_touch_hides() -> None:
    # from 12 m to 2 m over two hexes the line passes at 7 m; bare ground at 10 m is above it, a field at 0 m below
    assert not sees(table(". .\n. .\n. .", elevation="10\n10\n00"), "0101", "0103")
    assert sees(table(". .\nf .\n. .", elevation="10\n00\n00"), "0101", "0103")
    # village of 8 m between heights of 10 m and 0 m: the line at 7 m is touched; from 20 m to 0 m it passes at 12 m
    assert not sees(table(". .\nV .\n. .", elevation="10\n00\n00"), "0101", "0103")
    assert sees(table(". .\nV .\n. .", elevation="20\n00\n00"), "0101", "0103")
    assert sees(table("F F\nF F\n. ."), "0101", "0102"), "adjacent hexes always see each other"


@pytest.mark.rule("PB-SPOT-9")
def test_hedge_rows_hide_between_and_not_at_the_ends() -> None:
    far = table("\n".join([". ."] * 4), hexsides={"hedge_row": ["0102-0103"]})
    assert not sees(far, "0101", "0104")
    assert sees(far, "0101", "0103"), "a side of the hex looked at"
    assert sees(far, "0102", "0104"), "a side of one's own hex"
    low = table("\n".join([". ."] * 4), hexsides={"hedge": ["0102-0103"]})
    assert sees(low, "0101", "0104")


@pytest.mark.rule("PB-SPOT-12", "PB-UNIT-15")
def test_more_than_seven_wrecks_hide() -> None:
    t = table(". .\n. .\n. .\nF .\n. .")
    t.set(wrecks={t.hex("0102"): 7, t.hex("0104"): 9})
    assert sees(t, "0101", "0103")
    t.set(wrecks={t.hex("0102"): 8, t.hex("0104"): 9})
    assert not sees(t, "0101", "0103")
    assert sight.wreck_tops(t.position) == {t.hex("0102"): (0, 3)}, "a wood is higher than wrecks"


def test_what_hexes_see_is_shared_by_positions_whose_wrecks_stand_alike() -> None:
    t = table(". .\n. .\n. .\n. .\n. .")

    def looks(*wrecks: tuple[str, int]) -> sight.Looks:
        t.set(wrecks={t.hex(label): count for label, count in wrecks})
        return sight.looks(t.position)

    free = looks()
    assert looks(("0102", 7)) is free, "so few hide nothing"
    blocked = looks(("0102", 8))
    assert blocked is not free
    assert looks(("0102", 9), ("0101", 1)) is blocked
    assert looks() is free
    others = [looks((f"010{row}", 8)) for row in (3, 4, 5)]
    assert others[0] is looks(("0103", 8))
    assert looks(("0102", 8)) is not blocked, "of the sets of wrecks, the oldest is forgotten"


def test_the_oldest_looks_are_forgotten_where_there_are_too_many() -> None:
    t = table(f"{ROW}\n{ROW}")
    kept = sight.Looks(sight._judge(t.position.ground), t.board, {})
    kept._most = 1
    first = kept.look(t.hex("0101"))
    kept.look(t.hex("0102"))
    again = kept.look(t.hex("0101"))
    assert again == first
    assert again is not first


def spec_sees(position: Position, a: HexId, b: HexId) -> bool:
    """PB-SPOT-7 to PB-SPOT-9 as they are written, with nudged ends and fractions for heights."""
    board, parameters = position.ground.board, position.parameters
    n = board.distance(a, b)
    if n > position.visibility:
        return False
    if n <= 1:
        return True
    start, end = board.axial(a), board.axial(b)
    nudge = (1e-6, 2e-6, -3e-6)
    return any(_is_clear(board, parameters, a, b, n, [tuple(sign * x for x in nudge), start, end]) for sign in (1, -1))


def _is_clear(board, parameters, a, b, n, line) -> bool:  # type: ignore[no-untyped-def]
    nudge, start, end = line
    ends = []
    for place in (start, end):
        cube = (place.q, place.r, -place.q - place.r)
        ends.append([x + d for x, d in zip(cube, nudge, strict=True)])
    way = [a]
    for i in range(1, n):
        point = [p + (q - p) * i / n for p, q in zip(*ends, strict=True)]
        way.append(board.from_axial(_rounded(point)))
    way.append(b)
    if 0 in way:
        return False
    heights = parameters.terrain.height_m
    eye, target = board.elevation[a] + 2, board.elevation[b] + 2
    for i in range(1, n):
        here = way[i]
        rise = heights[board.terrain[here]]
        if board.elevation[here] + (rise if rise >= 2 else 0) >= eye + Fraction((target - eye) * i, n):
            return False
    for i in range(2, n):
        here, there = way[i - 1], way[i]
        features = board.side_features(here, board.direction(here, there))
        rise = max((parameters.hexside.height_m.get(one, 0) for one in features), default=0)
        top = max(board.elevation[here], board.elevation[there]) + rise
        if rise >= 2 and top >= eye + (target - eye) * Fraction(2 * i - 1, 2 * n):
            return False
    return True


def _rounded(cube: list[float]) -> Hex:
    q, r, s = (round(x) for x in cube)
    dq, dr, ds = (abs(a - b) for a, b in zip((q, r, s), cube, strict=True))
    if dq > dr and dq > ds:
        q = -r - s
    elif dr > ds:
        r = -q - s
    return Hex(q, r)


@pytest.mark.rule("PB-SPOT-7", "PB-SPOT-8", "PB-SPOT-9", "PB-SPOT-10")
@pytest.mark.parametrize("seed", range(4))
def test_the_kernel_judges_every_line_as_the_rule_is_written(seed: int) -> None:
    rng = Random(seed)
    rows = ["".join(rng.choice("......fFVo") for _ in range(11)) for _ in range(9)]
    heights = ["".join(rng.choice("0001123") for _ in range(11)) for _ in range(9)]
    sides = {"hedge_row": [f"0{c}0{r}-0{c}0{r + 1}" for c in range(1, 9) for r in range(1, 8) if rng.random() < 0.2]}
    t = table("\n".join(rows), elevation="\n".join(heights), hexsides=sides)
    places = [HexId(h) for h in t.board.hexes]
    for a in places[::7]:
        for b in places:
            assert sight.sees(t.position, a, b) == spec_sees(t.position, a, b), (t.board.label(a), t.board.label(b))


# --- levels ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PB-SPOT-13", "PB-SPOT-14", "PB-SPOT-15", "PB-SPOT-27")
def test_an_enemy_is_spotted_by_a_steady_unit_unknown_to_a_broken_one_and_unspotted_when_concealed() -> None:
    t = table(ROW, unit("us_m4", "0101"), unit("de_truck", "0401"))
    assert level(t.position, t.unit(1)) == SPOTTED
    t.change(0, broken=True)
    assert level(t.position, t.unit(1)) == UNKNOWN
    t.change(1, concealed=True)
    assert level(t.position, t.unit(1)) == UNSPOTTED
    t.change(0, broken=False)
    assert level(t.position, t.unit(1)) == UNSPOTTED


@pytest.mark.rule("PB-SPOT-17", "PB-SPOT-18")
def test_of_an_unknown_unit_its_side_knows_the_hex_alone() -> None:
    t = table(ROW, unit("us_m4", "0101", broken=True), unit("de_truck", "0401"), unit("de_truck", "0401"))
    known = t.known(ALLIED)
    assert known.unknowns == (t.hex("0401"), t.hex("0401"))
    assert known.units[1].hex == NOWHERE
    assert t.known(SPECTATORS).unknowns == ()


@pytest.mark.rule("PB-SPOT-19")
def test_without_fog_every_enemy_is_shown_and_a_concealed_one_is_still_no_target() -> None:
    t = table("f" + ROW[1:], unit("us_m4", "0201"), unit("de_rifle_plt", "0101", concealed=True), fog=False)
    assert t.known(ALLIED) is t.position
    assert t.refusal(Fire(U(0), U(1))).rule == "PB-SPOT-18"


@pytest.mark.rule("PB-UNIT-16", "PB-UNIT-18")
def test_of_a_spotted_enemy_type_mode_and_what_shakes_him_show_and_nothing_else() -> None:
    t = table(
        ROW,
        unit("us_m4", "0101"),
        unit("de_rifle_coy", "0401", strength=83, quality="A", fatigue=70, disrupted=True, mode=TRAVEL, title="1st"),
    )
    seen = t.known(ALLIED).units[1]
    assert (seen.kind, seen.mode, seen.disrupted, seen.broken) == ("de_rifle_coy", TRAVEL, True, False)
    assert (seen.strength, seen.quality, seen.fatigue, seen.mp, seen.title, seen.name, seen.formation) == (
        knowledge.known_strength(t.unit(1)), "C", 0, 0, "", "", "",
    )  # fmt: skip
    assert 10 <= seen.strength <= 99


@pytest.mark.rule("PB-UNIT-16")
def test_two_strengths_of_one_notation_look_alike() -> None:
    t = table(ROW, unit("us_m4", "0101"), unit("de_rifle_coy", "0401", strength=83))
    before = t.known(ALLIED).units[1]
    t.change(1, strength=31)
    assert t.known(ALLIED).units[1] == before
    t.change(1, strength=131)
    assert t.known(ALLIED).units[1].strength == 140, "no more than its type has"


def _shuffled(t: Table, rng: Random) -> Position:
    """The position with a few units moved, broken, concealed or gone."""
    position = t.position
    for _ in range(rng.randrange(1, 4)):
        id = rng.randrange(len(position.units))
        place = HexId(rng.choice([*t.board.hexes, NOWHERE]))
        other = replace(position.units[id], hex=place, broken=rng.random() < 0.3, concealed=rng.random() < 0.2)
        if rng.random() < 0.1:
            other = replace(other, kind=rng.choice(["us_m4", "de_truck", "de_pz4h"]))
        position = with_units(position, (other,))
    if rng.random() < 0.3:
        known = {UnitId(rng.randrange(len(position.units))): rng.choice([levels.UNKNOWN, levels.SPOTTED])}
        position = replace(position, sightings={rng.choice([ALLIED, AXIS]): known})
    if rng.random() < 0.3:
        place = HexId(rng.choice(t.board.hexes))
        position = replace(position, wrecks={**position.wrecks, place: rng.choice([3, 12])})
    return position


@pytest.mark.rule("PB-SPOT-20")
@pytest.mark.parametrize("seed", range(6))
def test_counts_kept_up_to_date_are_those_made_from_scratch(seed: int) -> None:
    rng = Random(seed)
    rows = "\n".join("".join(rng.choice("....fFV") for _ in range(16)) for _ in range(12))
    t = table(
        rows,
        *(unit(rng.choice(["us_m4", "de_pz4h"]), f"{rng.randint(1, 16):02}{rng.randint(1, 12):02}") for _ in range(30)),
        visibility=[6],
    )
    for _ in range(30):
        t.state = replace(t.state, position=_shuffled(t, rng))
        kept = levels.spotters(t.position)
        assert levels.spotters(t.position) is kept
        fresh = replace(t.position, derived=type(t.position.derived)())
        scratch = levels.spotters(fresh)
        assert (kept.steady, kept.broken) == (scratch.steady, scratch.broken)
        assert levels.levels(t.position) == levels.levels(fresh)
        for side in (ALLIED, AXIS):
            assert levels.spotted_enemies(t.position, side) == levels.spotted_enemies(fresh, side)
            assert levels.unknown_enemies(t.position, side) == levels.unknown_enemies(fresh, side)
        assert index.occupancy(t.position) == index.occupancy(fresh)
        for place in t.board.hexes[::17]:
            near = {one.id for one in index.near(t.position, AXIS, HexId(place), 5)}
            assert near == {
                one.id for one in t.position.units
                if one.side == AXIS and one.hex and t.board.distance(one.hex, place) <= 5
            }  # fmt: skip
    seen = replace(t.position, visibility=3)
    assert levels.spotters(seen).steady == levels.spotters(replace(seen, derived=type(seen.derived)())).steady


# --- concealment ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("PB-SPOT-28", "PB-SPOT-34")
def test_low_terrain_hides_men_and_guns_and_tall_terrain_everybody() -> None:
    t = table(
        ". f F", unit("us_rifle_coy", "0101"), unit("us_57at", "0101"), unit("us_m4", "0101"),
        unit("us_rifle_coy", "0101", mode=TRAVEL),
    )  # fmt: skip
    hides = [[can_hide(t.position, t.unit(n), t.hex(place)) for n in range(4)] for place in ("0101", "0201", "0301")]
    assert hides == [[False] * 4, [True, True, False, False], [True] * 4]


@pytest.mark.rule("PB-SPOT-34")
def test_trains_are_never_concealed() -> None:
    t = table("F F", unit("us_rifle_coy", "0101", mode="rail"))
    assert not can_hide(t.position, t.unit(0), t.hex("0101"))


@pytest.mark.rule("PB-SPOT-28")
def test_men_on_the_outside_of_a_tank_are_hidden_no_better_than_the_tank() -> None:
    t = table("f F", unit("us_m4", "0101"), unit("us_rifle_coy", "0101", carrier=U(0)))
    assert [can_hide(t.position, t.unit(1), place) for place in t.hexes("0101", "0201")] == [False, True]


@pytest.mark.rule("PB-SPOT-30", "PB-SPOT-31", "PB-SPOT-33", "PB-SPOT-35")
def test_who_enters_cover_unseen_is_concealed_and_who_enters_it_in_sight_is_not() -> None:
    rows = """
    f f F . .
    f f F . .
    f f f f f
    """
    t = table(rows, unit("us_rifle_coy", "0101"), unit("de_truck", "0501"))
    t.play(Move((U(0),), t.hexes("0102")))
    assert t.unit(0).concealed
    assert t.heard(ALLIED, Stepped)[0].concealed is False, "who watches it is a secret"
    t.play(EndTurn())
    t.play(EndTurn())
    assert t.unit(0).concealed, "concealment lasts"
    t.play(Move((U(0),), t.hexes("0103", "0203")))
    assert not t.unit(0).concealed


@pytest.mark.rule("PB-SPOT-31", "PB-OPF-8")
def test_firing_and_changing_mode_reveal() -> None:
    t = table("F . . .\n. . . .", unit("us_m4", "0101", concealed=True), unit("de_truck", "0401"))
    t.play(Fire(U(0), U(1)), dice=AllHighest())
    assert not t.unit(0).concealed
    assert t.known(AXIS).units[0].kind == "us_m4"
    other = table("F . . .\n. . . .", unit("us_m4", "0101", concealed=True), unit("de_truck", "0401"))
    other.play(ChangeMode(U(0), TRAVEL))
    assert not other.unit(0).concealed


@pytest.mark.rule("PB-SPOT-32")
def test_who_did_nothing_this_turn_is_concealed_again_once_nobody_sees_him() -> None:
    rows = """
    . F . V
    . F . .
    . . . .
    """
    t = table(rows, unit("us_m4", "0303"), unit("de_rifle_plt", "0401"), unit("de_rifle_plt", "0403", strength=10))
    t.play(Move((U(0),), t.hexes("0203")), dice=AllHighest())
    assert not t.unit(1).concealed
    t.play(Move((U(0),), t.hexes("0103", "0102")), dice=AllHighest())
    assert t.unit(1).concealed
    assert t.only(Concealed).units == (1,)
    assert t.heard(ALLIED, Concealed) == t.heard(AXIS, Concealed) == []


@pytest.mark.rule("PB-SPOT-20", "PB-SPOT-32")
def test_who_did_nothing_is_concealed_again_when_the_last_who_saw_him_is_overrun() -> None:
    rows = """
    F . . . .
    . . . . .
    """
    t = table(rows, unit("su_rifle_coy", "0101"), unit("su_t34_76", "0402"), unit("de_truck", "0401"))
    t.play(Assault((U(1),), t.hex("0401")))
    assert t.unit(2).gone
    assert t.unit(0).concealed


@pytest.mark.rule("PB-SPOT-32")
def test_who_acted_is_concealed_again_only_in_his_next_turn() -> None:
    t = table("f F .\nf F .", unit("us_rifle_coy", "0101", fired=True), unit("de_truck", "0301"))
    t.play(EndTurn())
    assert not t.unit(0).concealed
    t.play(EndTurn(), dice=[ONE])
    assert t.unit(0).concealed


@pytest.mark.rule("PB-SPOT-31", "PB-SPOT-32")
def test_an_action_that_costs_nothing_keeps_a_unit_from_hiding_until_its_next_turn() -> None:
    for order in (ChangeMode(U(0), TRAVEL), DigIn(U(0))):
        t = table("F F .\nF F .", unit("us_rifle_coy", "0101", concealed=True), unit("de_truck", "0301"))
        t.play(order)
        assert not t.unit(0).concealed
        t.play(EndTurn())
        assert not t.unit(0).concealed
        t.play(EndTurn(), AllHighest())
        assert t.unit(0).concealed


@pytest.mark.rule("PB-SPOT-31", "PB-SPOT-35")
def test_work_that_ends_by_itself_is_no_action() -> None:
    t = table(
        "F .\nF .",
        unit("us_rifle_coy", "0101", concealed=True, digging_in=True),
        unit("de_truck", "0201"),
        active=AXIS,
        features={"0101": [Feature("improved", ALLIED)]},
        parameters={"misc": {"dig_in_pct": 100}},
    )
    t.play(EndTurn(), dice=[ONE])
    assert not t.unit(0).digging_in
    assert t.unit(0).concealed


# --- memory ---------------------------------------------------------------------------------------------------------


def _out_of_sight() -> Table:
    """An armored car that has driven behind a wood, out of sight of a tank."""
    rows = """
    . . . F . .
    . . . F . .
    . . . . . .
    """
    t = table(rows, unit("us_m4", "0101"), unit("de_sdkfz222", "0403", strength=2), active=AXIS)
    t.play(Move((U(1),), t.hexes("0503", "0602", "0601")), dice=AllHighest())
    return t


@pytest.mark.rule("PB-SPOT-20", "PB-SPOT-21")
def test_an_enemy_that_goes_out_of_sight_leaves_a_marker() -> None:
    t = _out_of_sight()
    assert t.heard(ALLIED, SightLost)[0].units == (1,)
    marker = t.known(ALLIED).intel[UnitId(1)]
    assert (marker.category, marker.notation, marker.turn) == ("armor", "X", 1)
    assert t.board.label(marker.hex) != t.at(1)
    assert marker.watched
    assert not knowledge.is_stale(t.position, marker, ALLIED), "the place was in sight all along"
    assert t.position.intel == {}, "the truth needs no markers"


@pytest.mark.rule("PB-SPOT-21")
def test_a_marker_goes_when_its_hex_is_seen_in_a_later_turn() -> None:
    t = _out_of_sight()
    place = t.known(ALLIED).intel[UnitId(1)].hex
    assert sight.sees(t.position, t.unit(0).hex, place)
    t.play(EndTurn())
    assert t.position.turn == 2
    assert t.known(ALLIED).intel == {}
    assert t.heard(ALLIED, IntelDropped)[0].units == (1,)


@pytest.mark.rule("PB-SPOT-21")
def test_a_marker_goes_at_once_when_its_hex_is_seen_again_and_nobody_shows_there() -> None:
    t = table(
        ". . . . F . . . .", unit("us_m4", "0201"), unit("us_m4", "0901"), unit("de_rifle_coy", "0501"), visibility=[3]
    )
    t.play(Move((U(0),), t.hexes("0101")))
    assert t.unit(2).concealed
    assert t.known(ALLIED).intel[UnitId(2)].hex == t.hex("0501")
    t.play(Move((U(1),), t.hexes("0801")))
    assert t.known(ALLIED).intel == {}
    assert t.heard(ALLIED, IntelDropped)[0].units == (2,)


@pytest.mark.rule("PB-SPOT-21")
def test_a_marker_goes_when_the_unit_is_seen_again_and_when_it_is_old() -> None:
    t = _out_of_sight()
    marker = t.known(ALLIED).intel[UnitId(1)]
    dark = replace(t.position, visibility=1, turn=12)
    assert not knowledge.is_stale(dark, marker, ALLIED)
    assert knowledge.is_stale(replace(dark, turn=13), marker, ALLIED)
    assert knowledge.is_stale(dark, marker, SPECTATORS)
    t.play(Move((U(1),), t.hexes("0602", "0503", "0403")), dice=AllHighest())
    assert t.known(ALLIED).intel == {}
    assert t.heard(ALLIED, UnitsSeen)[-1].contacts == (1,)


@pytest.mark.rule("PB-SPOT-21")
@pytest.mark.parametrize(
    ("kind", "category"),
    [
        ("de_bn_hq", "HQ"), ("de_pak40", "gun"), ("de_pz4h", "armor"), ("de_rifle_plt", "infantry"),
        ("de_pzgren_coy", "infantry"), ("de_truck", "unknown"),
    ],
)  # fmt: skip
def test_a_marker_tells_what_sort_of_unit_it_was(kind: str, category: str) -> None:
    assert knowledge.category(table(ROW, unit(kind, "0101")).unit(0)) == category


# --- what is told ---------------------------------------------------------------------------------------------------


def test_who_fires_unseen_is_not_named_to_his_target() -> None:
    t = table("F . .\n. . .", unit("us_m4", "0101", concealed=True), unit("de_truck", "0301", broken=True))
    t.play(Fire(U(0), U(1)), dice=AllHighest())
    (told,) = t.heard(AXIS, Fired)
    assert (told.unit, told.start, told.mp, told.lines) == (NOBODY, NOWHERE, 0, ())
    (own,) = t.heard(ALLIED, Fired)
    assert (own.unit, own.lines) == (0, ())
    assert t.known(AXIS).unknowns == (t.hex("0101"),)
    assert t.heard(SPECTATORS, Fired) == []


def test_a_step_in_sight_is_told_without_what_it_cost() -> None:
    t = table(ROW + "\n" + ROW, unit("us_m4", "0101"), unit("de_truck", "0801"), unit("de_truck", "0802"))
    t.play(Move((U(0),), t.hexes("0102")))
    (told,) = t.heard(AXIS, Stepped)
    assert (told.to, told.mp) == (t.hex("0102"), 0)
    t.play(ChangeMode(U(0), TRAVEL))
    assert t.known(AXIS).units[0].mode == TRAVEL


def test_a_mode_changed_out_of_sight_is_not_told() -> None:
    t = table(". F .\n. F .", unit("us_m4", "0101"), unit("de_truck", "0301"))
    t.play(ChangeMode(U(0), TRAVEL))
    assert t.told[AXIS] == ()


def test_without_fog_everybody_hears_who_runs_into_whom() -> None:
    t = table(". F .", unit("us_rifle_coy", "0101"), unit("de_rifle_plt", "0201", concealed=True), fog=False)
    # a concealed enemy shows without fog, so nobody can be ordered into him; the event is told as it is all the same
    event = Bumped(U(0), t.hex("0201"), 3, (U(1),))
    assert RULES.redact(event, t.position, t.position, AXIS) is event


def test_nothing_is_hidden_without_fog() -> None:
    t = table(". F .\n. F .", unit("us_m4", "0101", concealed=True), unit("de_truck", "0301"), fog=False)
    t.play(ChangeMode(U(0), TRAVEL))
    t.play(Move((U(0),), t.hexes("0102")))
    assert t.heard(AXIS, Stepped) == t.all(Stepped)
    assert t.heard(AXIS, IntelDropped) == []
    assert t.known(AXIS) is t.position
