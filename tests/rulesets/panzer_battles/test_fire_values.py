"""Fire value and defense: every factor alone, with its line."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.rulesets.panzer_battles.fire.chances import band, counterbattery_chance, limit, opportunity_chance
from sandtable.rulesets.panzer_battles.fire.values import (
    FireContext,
    Firer,
    Target,
    disruption_multiplier,
    fire_value,
    indirect_limit,
    is_armored,
    is_hard,
)
from sandtable.rulesets.panzer_battles.kinds import KINDS
from sandtable.rulesets.panzer_battles.parameters import DEFAULTS, overridden

NEXT_HEX = FireContext(range=1, men_in_hex=140)


def firer(key: str = "de_pz4h", **state: Any) -> Firer:
    """A unit at full strength, quality C, in good order, or as said."""
    kind = KINDS[key]
    return replace(Firer(kind, "axis", kind.full, kind.full, kind.soft, kind.hard), **state)


def target(key: str = "su_rifle_coy", **state: Any) -> Target:
    """A Deployed target, or as said."""
    return replace(Target(KINDS[key], "allied", KINDS[key].defense), **state)


def context(**facts: Any) -> FireContext:
    """One hex away in the open, or as said."""
    return replace(NEXT_HEX, **facts)


FROST = overridden({"frozen": {"penalty_pct": {"allied": 20, "axis": 40}}}, "test")
PLAIN = (firer(), target(), NEXT_HEX)

# what differs from a tank platoon firing at a company in the next hex; the factor; the rule of its line
FACTORS: list[tuple[Any, Any, Any, float, str]] = [
    (firer(quality="A"), target(), NEXT_HEX, 1.5, "PB-FIRE-25"),
    (firer(quality="B"), target(), NEXT_HEX, 1.25, "PB-FIRE-25"),
    (firer(quality="D"), target(), NEXT_HEX, 0.8, "PB-FIRE-25"),
    (firer(quality="F"), target(), NEXT_HEX, 0.4, "PB-FIRE-25"),
    (firer(fatigue=50), target(), NEXT_HEX, 0.9, "PB-FIRE-26"),
    (firer(fatigue=150), target(), NEXT_HEX, 0.6, "PB-FIRE-26"),
    (firer(disrupted=True), target(), NEXT_HEX, 0.5, "PB-FIRE-27"),
    (firer(digging_in=True, low_ammo=True), target(), NEXT_HEX, 0.5, "PB-FIRE-28"),
    (firer(low_ammo=True), target(), NEXT_HEX, 0.5, "PB-FIRE-28"),
    (firer(unavailable=True), target(), NEXT_HEX, 0.5, "PB-FIRE-70"),
    (firer(mode="travel"), target(), NEXT_HEX, 0.5, "PB-FIRE-29"),
    (firer(mode="travel", road_only=True), target(), NEXT_HEX, 0.25, "PB-FIRE-29"),
    (firer(), target(), context(range=0), 2, "PB-FIRE-36"),
    (firer(), target(), context(range=3), 0.5, "PB-FIRE-36"),
    (firer(), target(), context(uphill=True), 0.8, "PB-FIRE-38"),
    (firer(), target(), context(storm=True), 0.5, "PB-FIRE-42"),
    (firer(), target(), context(men_in_hex=375), 1.5, "PB-FIRE-41"),
    (firer(), target(), context(men_in_hex=900), 2, "PB-FIRE-41"),
    (firer(), target(), context(advantage=1.2), 1.2, "PB-FIRE-71"),
    (firer(), target(), context(hexside_pct=-10), 0.9, "PB-FIRE-44"),
    (firer(), target(), context(terrain="village"), 0.8, "PB-FIRE-45"),
    (firer(), target(), context(fort="improved"), 0.7, "PB-FIRE-46"),
    (firer(), target(), context(fort="trench"), 0.45, "PB-FIRE-46"),
    (firer(), target(), context(fort="trench", vacated=True), 0.725, "PB-FIRE-46"),
    (firer(), target(broken=True), NEXT_HEX, 0.5, "PB-FIRE-55"),
]


@pytest.mark.rule("PB-FIRE-25", "PB-FIRE-26", "PB-FIRE-27", "PB-FIRE-28", "PB-FIRE-29", "PB-FIRE-36", "PB-FIRE-38")
@pytest.mark.rule("PB-FIRE-41", "PB-FIRE-42", "PB-FIRE-43", "PB-FIRE-44", "PB-FIRE-45", "PB-FIRE-46", "PB-FIRE-49")
@pytest.mark.rule("PB-FIRE-55", "PB-FIRE-70", "PB-FIRE-71")
@pytest.mark.parametrize(("shooter", "victim", "facts", "factor", "rule"), FACTORS)
def test_each_factor_multiplies_the_fire_value(
    shooter: Firer, victim: Target, facts: FireContext, factor: float, rule: str
) -> None:
    plain = fire_value(*PLAIN, DEFAULTS)
    fire = fire_value(shooter, victim, facts, DEFAULTS)
    assert plain.value == 75
    assert fire.value == pytest.approx(75 * factor)
    assert [line.rule for line in fire.tallies[0].lines] == ["PB-FIRE-23", rule]
    assert fire.defense == 24
    assert fire.cv == fire.value / 24


@pytest.mark.rule("PB-FIRE-56")
def test_a_fire_is_explained_by_its_two_tallies() -> None:
    value, guard = fire_value(firer(quality="B"), target(), context(range=2), DEFAULTS).tallies
    assert (value.title, value.total) == ("Fire value", "62.5")
    assert [(line.label, line.value) for line in value.lines] == [
        ("soft attack x 5", "75"),
        ("quality B", "+25%"),
        ("range 2", "/1.5"),
    ]
    assert (guard.title, guard.total) == ("Defense", "24")
    assert [(line.label, line.value) for line in guard.lines] == [("Rifle company", "24")]


@pytest.mark.rule("PB-FIRE-23", "PB-FIRE-24")
def test_men_fire_by_tens_and_less_than_their_number_suggests() -> None:
    fire = fire_value(firer("de_rifle_coy", strength=98), target(), NEXT_HEX, DEFAULTS)
    assert fire.value == pytest.approx(9 * 12.6)
    assert fire.tallies[0].lines[0].label == "soft attack x 126 effective men / 10"


@pytest.mark.rule("PB-FIRE-7", "PB-FIRE-30", "PB-FIRE-31", "PB-FIRE-32", "PB-FIRE-33", "PB-FIRE-36")
def test_indirect_fire_depends_on_who_spots_and_whose_turn_it_is() -> None:
    guns = firer("su_122how", side="allied")
    far = context(range=20, indirect=True)
    plain = fire_value(guns, target(), far, DEFAULTS).value
    assert plain == 72
    assert fire_value(guns, target(), replace(far, by_map=True), DEFAULTS).value == plain / 4
    assert fire_value(guns, target(), replace(far, detached_only=True), DEFAULTS).value == plain / 2
    assert fire_value(guns, target(), replace(far, enemy_turn=True), DEFAULTS).value == plain / 2
    poor = overridden({"artillery": {"stockpiled_fire_pct": {"allied": 75}}}, "test")
    assert fire_value(replace(guns, stockpiled=True), target(), far, poor).value == plain * 0.75
    # no range, no hexside; unavailable guns do not fire indirectly at all
    assert fire_value(replace(guns, unavailable=True), target(), replace(far, hexside_pct=-30), DEFAULTS).value == plain


@pytest.mark.rule("PB-FIRE-15", "PB-FIRE-34", "PB-FIRE-35")
def test_ships_artillery_at_tanks_nearby_and_siege_guns_at_pillboxes() -> None:
    ship = fire_value(firer("uk_destroyer"), target(), context(range=1, indirect=True), DEFAULTS)
    assert ship.value == 240
    near, far = (context(range=distance, indirect=True) for distance in (4, 5))
    tanks = target("su_t34_76")
    assert fire_value(firer("de_105lefh"), tanks, near, DEFAULTS).value == 40
    assert fire_value(firer("de_105lefh"), tanks, far, DEFAULTS).value == 8
    assert fire_value(firer("de_105lefh"), target(), near, DEFAULTS).value == 64
    pillbox = context(range=30, indirect=True, fort="pillbox")
    siege = fire_value(firer("de_moerser210"), target("su_maxim_coy"), pillbox, DEFAULTS)
    assert siege.value == pytest.approx(6 * 2 * 50 * 0.3)
    bunker = replace(pillbox, fort="bunker")
    assert fire_value(firer("de_moerser210"), target("su_maxim_coy"), bunker, DEFAULTS).value == pytest.approx(4.8)
    on_march = target("su_maxim_coy", mode="travel")
    assert fire_value(firer("de_moerser210"), on_march, pillbox, DEFAULTS).value == 38 * 2


@pytest.mark.rule("PB-FIRE-39", "PB-FIRE-40")
def test_armor_counts_for_what_fights_behind_it() -> None:
    assert is_armored(target("su_t34_76"))
    assert is_armored(target("us_aib_coy", mode="travel"))
    assert not is_armored(target("us_aib_coy"))
    assert not is_armored(target("us_aib_coy", mode="rail"))
    assert is_armored(target("su_t34_76", mode="rail"))
    assert not is_armored(target("de_truck"))
    assert not is_armored(target("uk_destroyer"))
    assert not is_armored(target())


@pytest.mark.rule("PB-FIRE-23", "PB-FIRE-47", "PB-UNIT-9", "PB-MOVE-52")
def test_what_is_a_hard_target() -> None:
    assert is_hard(target("su_t34_76"), "")
    assert is_hard(target("us_aib_coy", mode="travel"), "")
    assert not is_hard(target("us_aib_coy"), "")
    assert not is_hard(target("us_aib_coy", mode="rail"), "")
    assert is_hard(target("us_aib_coy"), "bunker")
    assert is_hard(target(), "pillbox")
    assert not is_hard(target(mode="travel"), "pillbox")
    assert not is_hard(target(), "trench")
    assert not is_hard(target(rides=True), "")


@pytest.mark.rule("PB-FIRE-47", "PB-FIRE-48")
def test_vehicles_get_half_of_ground_and_trenches_and_nothing_of_bunkers() -> None:
    tanks, plain = target("su_t34_76"), fire_value(firer(), target("su_t34_76"), NEXT_HEX, DEFAULTS)

    def ratio(**facts: Any) -> float:
        return fire_value(firer(), tanks, context(**facts), DEFAULTS).value / plain.value

    assert ratio(terrain="forest") == pytest.approx(0.85)
    assert ratio(fort="improved") == pytest.approx(0.85)
    assert ratio(fort="bunker") == 1
    assert fire_value(firer(), tanks, context(fort="bunker"), DEFAULTS).defense == 12


@pytest.mark.rule("PB-FIRE-47", "PB-FIRE-49")
@pytest.mark.parametrize(
    ("fort", "vacated", "defense", "pct"),
    [("bunker", False, 40, 40), ("pillbox", False, 56, 30), ("bunker", True, 32, 70), ("pillbox", True, 40, 65)],
)
def test_bunkers_add_to_the_defense_of_men(fort: str, vacated: bool, defense: float, pct: int) -> None:
    fire = fire_value(firer(), target(), context(fort=fort, vacated=vacated), DEFAULTS)
    assert fire.defense == defense
    assert fire.value == pytest.approx(95 * pct / 100)
    assert fire.tallies[1].lines[1].rule == "PB-FIRE-47"


# target, its defense, the rules of the lines after the first
DEFENSES: list[tuple[Target, FireContext, float, list[str]]] = [
    (target(), NEXT_HEX, 24, []),
    (target("de_motinf_coy"), NEXT_HEX, 24, []),
    (target("de_motinf_coy", mode="travel"), NEXT_HEX, 6, ["PB-FIRE-50"]),
    (target("de_motinf_coy", low_fuel=True), NEXT_HEX, 24, []),
    (target("de_motinf_coy", mode="travel", low_fuel=True), NEXT_HEX, 3, ["PB-FIRE-50", "PB-FIRE-52"]),
    (target(mode="rail"), NEXT_HEX, 12, ["PB-FIRE-50"]),
    (target("su_zis3", mode="travel"), NEXT_HEX, 5, ["PB-FIRE-50"]),
    (target("su_zis3", road_only=True), NEXT_HEX, 5, ["PB-FIRE-50"]),
    (target("su_t34_76", road_only=True), NEXT_HEX, 12, []),
    (target("su_t34_76", low_fuel=True), NEXT_HEX, 6, ["PB-FIRE-52"]),
    (target("su_t34_76", vulnerable=True), NEXT_HEX, 6, ["PB-FIRE-53"]),
    (target(rides=True, mode="travel"), NEXT_HEX, 16, []),
    (target(), context(frozen=True), 19.2, ["PB-FIRE-54"]),
    (target(), context(frozen=True, terrain="town"), 21.6, ["PB-FIRE-54"]),
]


@pytest.mark.rule("PB-FIRE-50", "PB-FIRE-51", "PB-FIRE-52", "PB-FIRE-53", "PB-FIRE-54", "PB-UNIT-9", "PB-MOVE-52")
@pytest.mark.rule("PB-ENV-29", "PB-ENV-30")
@pytest.mark.parametrize(("victim", "facts", "defense", "rules"), DEFENSES)
def test_the_state_of_a_target_changes_its_defense(
    victim: Target, facts: FireContext, defense: float, rules: list[str]
) -> None:
    fire = fire_value(firer(), victim, facts, FROST)
    assert fire.defense == pytest.approx(defense)
    assert [line.rule for line in fire.tallies[1].lines[1:]] == rules


@pytest.mark.rule("PB-FIRE-42", "PB-ENV-31")
def test_frost_takes_half_its_penalty_from_fire() -> None:
    fire = fire_value(firer(), target(), context(frozen=True), FROST)
    assert fire.value == pytest.approx(75 * 0.8)
    assert fire.tallies[0].lines[-1].rule == "PB-FIRE-42"


@pytest.mark.rule("PB-FIRE-50", "PB-MOVE-33", "PB-MOVE-52")
def test_on_the_march_and_outside_a_vehicle_nothing_covers() -> None:
    covered = context(terrain="town", fort="trench", hexside_pct=-20)
    assert fire_value(firer(), target(mode="travel"), covered, DEFAULTS).value == 75
    assert fire_value(firer(), target(rides=True), covered, DEFAULTS).value == 75
    assert fire_value(firer(), target("su_zis3", road_only=True), covered, DEFAULTS).value == 75


@pytest.mark.rule("PB-FIRE-58")
def test_what_shakes_twice_as_much() -> None:
    def times(shooter: str, victim: Target, **facts: Any) -> Fraction:
        return disruption_multiplier(firer(shooter), victim, context(**facts), DEFAULTS)

    assert times("de_105lefh", target("su_t34_76"), indirect=True) == 2
    assert times("de_105lefh", target("su_bn_hq"), indirect=True) == 2
    assert times("de_105lefh", target(), indirect=True, fort="bunker") == 2
    assert times("de_105lefh", target(), indirect=True) == 1
    assert times("de_105lefh", target("su_bn_hq")) == 1
    assert times("de_pak40", target("su_t34_76")) == 2
    assert times("de_88flak", target("su_t34_76")) == 2
    assert times("de_20flak", target("su_t34_76")) == 1
    assert times("de_pz4h", target("su_t34_76")) == 1
    assert times("de_pak40", target("us_aib_coy", mode="travel")) == 1


@pytest.mark.rule("PB-FIRE-19")
def test_indirect_fire_on_a_hex_has_a_limit() -> None:
    assert indirect_limit(DEFAULTS) == 750


# --- chances ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PB-OPF-5", "PB-OPF-6")
def test_settings_of_opportunity_fire() -> None:
    assert [limit(setting, 8) for setting in "NSML"] == [0, 2, 5, 8]
    assert [limit(setting, 1) for setting in "NSML"] == [0, 1, 1, 1]


@pytest.mark.rule("PB-OPF-4")
@pytest.mark.parametrize(
    ("distance", "name", "mover", "shooter"),
    [(1, "short", "9/10", "297/1000"), (2, "medium", "27/40", "891/4000"), (3, "long", "81/200", "2673/20000")],
)
def test_opportunity_fire_grows_rare_with_distance(distance: int, name: str, mover: str, shooter: str) -> None:
    assert band(distance, 3) == name
    assert opportunity_chance("C", distance, 3, DEFAULTS) == Fraction(mover)
    assert opportunity_chance("C", distance, 3, DEFAULTS, at_fire=True) == Fraction(shooter)


@pytest.mark.rule("PB-OPF-4", "PB-GEN-18")
def test_no_chance_is_more_than_certain() -> None:
    assert opportunity_chance("A", 1, 3, DEFAULTS) == 1


@pytest.mark.rule("PB-FIRE-60")
def test_guns_far_from_every_enemy_are_not_found() -> None:
    assert counterbattery_chance(40, 40, "axis", DEFAULTS) == Fraction(40, 250 * 40)
    assert counterbattery_chance(40, 41, "axis", DEFAULTS) == 0
