"""Indirect fire, batteries off the map and aircraft: section 11."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.rulesets.panzer_44.events import AttackRolled, RangedIn, ShellsFell, SortieFlown, SortieHeld
from sandtable.rulesets.panzer_44.model import (
    ALLIED,
    GERMAN,
    INDIRECT,
    LOOSE,
    MISSION,
    SORTIE,
    TIGHT,
    Battery,
    Heard,
    Plot,
    Ranging,
    Sortie,
)
from sandtable.rulesets.panzer_44.shelling import is_observed, resolve_side, shell_odds
from tests.rulesets.panzer_44.table import Counter, Table, U, open_ground, table, unit

CENTER = "0505"


def shelled(*units: Counter, dice: tuple[int, ...], pattern: str = TIGHT, aim: str = CENTER, **about: Any) -> Table:
    """The table after a mission of an Allied battery of strength 5; unit 0 is its spotter."""
    t = table(open_ground(10, 10), *units, batteries=(Battery("guns", ALLIED, "oba_105", 1, 2),), **about)
    t.set(plots=(Plot(ALLIED, MISSION, hex=t.hex(aim), pattern=pattern, support="guns"),))
    t.run(resolve_side, ALLIED, dice=dice)
    return t


SPOTTER = unit("u_rifle", "0510")


def fell(t: Table) -> str:
    (event,) = t.happened(ShellsFell)
    return t.board.label(event.hex) if event.hex else ""


def attacked(t: Table) -> list[int]:
    return [event.target for event in t.happened(AttackRolled)]


# --- aim ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("P44-11.02")
@pytest.mark.rule("P44-11.03")
def test_observed_fire_is_on_target_by_its_accuracy_and_else_one_hex_off() -> None:
    assert fell(shelled(SPOTTER, dice=(1,))) == CENTER
    assert fell(shelled(SPOTTER, dice=(2, 1))) == "0504"
    assert fell(shelled(SPOTTER, dice=(6, 4))) == "0506"


@pytest.mark.rule("P44-11.04")
@pytest.mark.parametrize("changes", [{"disruption": 1}, {"panic": "frozen"}])
def test_unobserved_fire_falls_two_hexes_off_without_a_roll_for_accuracy(changes: dict[str, Any]) -> None:
    t = shelled(unit("u_rifle", "0510", **changes), dice=(1,))
    assert fell(t) == "0503"
    assert [(event.observed, event.roll, event.direction) for event in t.happened(ShellsFell)] == [(False, 0, 1)]


@pytest.mark.rule("P44-11.04")
def test_a_registered_hex_counts_as_observed() -> None:
    t = shelled(dice=(1,), sections={"registered": {"allied": (CENTER,)}})
    assert fell(t) == CENTER
    assert not is_observed(t.position, GERMAN, t.hex(CENTER))


@pytest.mark.rule("P44-11.08")
@pytest.mark.parametrize(("turn", "seen"), [(2, True), (3, False)])
def test_the_hex_of_a_battery_that_fired_last_turn_counts_as_observed(turn: int, seen: bool) -> None:
    t = table(open_ground(10, 10), unit("g_wespe", CENTER), heard={CENTER: Heard(GERMAN, 1)}, turn=turn)
    assert is_observed(t.position, ALLIED, t.hex(CENTER)) == seen


@pytest.mark.rule("P44-11.08")
@pytest.mark.rule("P44-5.12")
def test_a_battery_that_fired_last_turn_is_aimed_at_also_when_it_has_just_fired_again() -> None:
    t = table(open_ground(10, 10), unit("g_wespe", CENTER), unit("u_m7", "0110"), heard={CENTER: Heard(GERMAN, 1)})
    mine, yours = (
        Plot(GERMAN, INDIRECT, U(0), t.hex("0101"), TIGHT),
        Plot(ALLIED, INDIRECT, U(1), t.hex(CENTER), TIGHT),
    )
    t.set(plots=(mine, yours), turn=2)
    t.run(resolve_side, GERMAN, dice=[1])
    assert t.position.heard[t.hex(CENTER)] == Heard(GERMAN, 2, 1)
    t.run(resolve_side, ALLIED, dice=[1, 1])
    assert [(event.observed, event.hex) for event in t.happened(ShellsFell)] == [(True, t.hex(CENTER))]


@pytest.mark.rule("P44-11.08")
@pytest.mark.parametrize(
    ("known", "now"), [((GERMAN, 2, 1), (GERMAN, 2, 1)), ((ALLIED, 1), (GERMAN, 2)), ((), (GERMAN, 2))]
)
def test_of_a_hex_that_batteries_fired_from_the_last_two_turns_are_known(known: Any, now: Any) -> None:
    heard = {CENTER: Heard(*known)} if known else {}
    t = table(open_ground(10, 10), unit("g_wespe", CENTER), heard=heard, turn=2)
    t.set(plots=(Plot(GERMAN, INDIRECT, U(0), t.hex("0101"), TIGHT),))
    t.run(resolve_side, GERMAN, dice=[1])
    assert t.position.heard == {t.hex(CENTER): Heard(*now)}


@pytest.mark.rule("P44-11.08")
def test_a_battery_that_fires_for_the_first_time_was_not_heard_before() -> None:
    t = table(open_ground(10, 10), unit("g_wespe", CENTER), heard={CENTER: Heard(GERMAN, 1)})
    assert not is_observed(t.position, ALLIED, t.hex(CENTER)), "not in the turn before the first"


@pytest.mark.rule("P44-11.07")
def test_fire_that_falls_off_the_map_does_nothing_and_the_mission_is_used_up() -> None:
    t = shelled(unit("u_rifle", "0105"), unit("g_gren", "0101"), dice=(2, 1), aim="0101")
    assert (fell(t), attacked(t)) == ("", [])
    assert t.position.batteries[0].left == 1


# --- patterns -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("P44-11.05")
@pytest.mark.rule("P44-11.09")
def test_a_tight_pattern_attacks_everybody_in_the_hex_friend_and_enemy_armor_too() -> None:
    t = shelled(SPOTTER, unit("g_pz4h", CENTER), unit("g_gren", CENTER), unit("g_gren", "0504"), dice=(1, 1, 1))
    assert attacked(t) == [1, 2]
    # 5 less 4 for armor, 5 for men
    assert [event.column for event in t.happened(AttackRolled)] == [1, 5]
    own = shelled(SPOTTER, unit("u_rifle", CENTER), dice=(1, 1))
    assert attacked(own) == [1]


@pytest.mark.rule("P44-11.06")
@pytest.mark.rule("P44-8.09")
def test_a_loose_pattern_attacks_all_soft_targets_in_seven_hexes_and_no_armor() -> None:
    units = [unit("g_pz4h", CENTER), unit("g_gren", CENTER), unit("g_gren", "0504"), unit("g_gren", "0503")]
    t = shelled(SPOTTER, *units, unit("u_57", "0606"), dice=(1, 1, 1), pattern=LOOSE)
    assert attacked(t) == [2, 3]
    assert [event.column for event in t.happened(AttackRolled)] == [0, 0]


@pytest.mark.rule("P44-9.08")
@pytest.mark.rule("P44-13.06")
def test_hex_terrain_and_positions_cover_from_shells() -> None:
    t = table(".T\n..", unit("g_gren", "0201"), unit("g_gren", "0101"), positions=("0101",))
    assert [shell_odds(t.position, 5, LOOSE, one).off_die for one in t.position.units] == [3, 4]


# --- batteries on the map -------------------------------------------------------------------------------------------


@pytest.mark.rule("P44-11.01")
@pytest.mark.rule("P44-11.08")
@pytest.mark.rule("P44-8.06")
def test_a_battery_on_the_map_fires_without_seeing_and_is_heard() -> None:
    t = table(open_ground(10, 10), unit("u_m7", "0110"), SPOTTER, unit("g_gren", CENTER))
    t.set(plots=(Plot(ALLIED, INDIRECT, U(0), t.hex(CENTER), TIGHT),))
    t.run(resolve_side, ALLIED, dice=[1, 1])
    assert attacked(t) == [2]
    assert t.position.heard == {t.hex("0110"): Heard(ALLIED, 1)}


@pytest.mark.rule("P44-5.12")
@pytest.mark.parametrize("changes", [{"disruption": 1}, {"panic": "frozen"}])
def test_a_battery_that_is_disrupted_or_panicked_does_not_fire(changes: dict[str, Any]) -> None:
    t = table(open_ground(10, 10), unit("u_m7", "0110", **changes), unit("g_gren", CENTER))
    t.set(plots=(Plot(ALLIED, INDIRECT, U(0), t.hex(CENTER), TIGHT),))
    t.run(resolve_side, ALLIED)
    assert t.events == ()


@pytest.mark.rule("P44-11.03")
def test_a_unit_may_have_an_accuracy_of_its_own() -> None:
    t = table(open_ground(10, 10), unit("u_m7", "0110", accuracy=3), SPOTTER)
    t.set(plots=(Plot(ALLIED, INDIRECT, U(0), t.hex(CENTER), TIGHT),))
    t.run(resolve_side, ALLIED, dice=[3])
    assert fell(t) == CENTER


@pytest.mark.rule("P44-15.03")
@pytest.mark.parametrize(
    ("kept", "dice", "place"),
    [
        (Ranging(0, 2, 2, False), (3,), CENTER),
        (Ranging(0, 2, 2, False), (4, 1), "0504"),
        (Ranging(0, 2, 1, False), (2, 1), "0504"),
        (Ranging(0, 1, 2, True), (), CENTER),
    ],
)
def test_ranging_in_raises_accuracy_for_each_turn_in_a_row_and_on_target_stays_so(
    kept: Ranging, dice: tuple[int, ...], place: str
) -> None:
    t = table(
        open_ground(10, 10),
        SPOTTER,
        batteries=(Battery("guns", ALLIED, "oba_105", 1, 2),),
        options={"ranging_in": True},
        turn=3,
    )
    aim = t.hex(CENTER)
    ranging = {"guns": Ranging(aim, kept.turns, kept.turn, kept.on_target)}
    t.set(plots=(Plot(ALLIED, MISSION, hex=aim, pattern=TIGHT, support="guns"),), ranging=ranging)
    t.run(resolve_side, ALLIED, dice=dice)
    assert fell(t) == place
    (event,) = t.happened(RangedIn)
    assert (event.ranging.turn, event.ranging.on_target) == (3, place == CENTER)


# --- aircraft -------------------------------------------------------------------------------------------------------


def bombed(*units: Counter, dice: tuple[int, ...], aim: str = CENTER) -> Table:
    """The table after the sortie of an Allied Thunderbolt of strength 7."""
    t = table(open_ground(10, 10), *units, sorties=(Sortie("flight", ALLIED, "cas_p47"),))
    t.set(plots=(Plot(ALLIED, SORTIE, hex=t.hex(aim), support="flight"),))
    t.run(resolve_side, ALLIED, dice=dice)
    return t


@pytest.mark.rule("P44-11.10")
def test_aircraft_attack_every_enemy_in_the_hex_on_1_to_4() -> None:
    t = bombed(SPOTTER, unit("g_pz4h", CENTER), unit("g_gren", CENTER), dice=(4, 1, 1))
    assert [(event.target, event.column) for event in t.happened(AttackRolled)] == [(1, 3), (2, 7)]
    assert t.position.sorties[0].flown
    aborted = bombed(SPOTTER, unit("g_pz4h", CENTER), dice=(5,))
    assert attacked(aborted) == []
    assert aborted.position.sorties[0].flown


@pytest.mark.rule("P44-11.10")
def test_aircraft_spare_friends() -> None:
    t = bombed(SPOTTER, unit("u_m4", CENTER), dice=(1,))
    assert attacked(t) == []


@pytest.mark.rule("P44-11.10")
@pytest.mark.parametrize(
    "spotter",
    [unit("u_rifle", "0501"), unit("u_rifle", "0510", disruption=1), unit("u_rifle", "1010")],
)
def test_without_a_spotter_within_five_hexes_a_sortie_does_not_attack_and_is_not_used_up(spotter: Counter) -> None:
    t = bombed(spotter, unit("g_pz4h", "0507"), dice=(), aim="0507")
    assert [event.support for event in t.happened(SortieHeld)] == ["flight"]
    assert not t.position.sorties[0].flown


@pytest.mark.rule("P44-11.11")
@pytest.mark.parametrize(
    ("flak", "attacks"),
    [
        (unit("g_wirbel", CENTER), False),
        (unit("g_wirbel", "0504"), False),
        (unit("g_wirbel", "0503"), True),
        (unit("g_wirbel", CENTER, disruption=1), True),
        (unit("g_mg", CENTER), True),
        (unit("u_m16", "0504"), True),
    ],
)
def test_light_flak_in_the_hex_or_next_to_it_turns_aircraft_away_on_4(flak: Counter, attacks: bool) -> None:
    targets = 1 + (flak.label == CENTER)
    t = bombed(SPOTTER, unit("g_pz4h", CENTER), flak, dice=(4, *[1] * (targets if attacks else 0)))
    assert [event.attacks for event in t.happened(SortieFlown)] == [attacks]
