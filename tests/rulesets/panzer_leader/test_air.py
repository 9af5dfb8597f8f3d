"""Section 12 of the rules: aircraft fly, are fired at, and attack."""

from __future__ import annotations

import tomllib
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.kernel.ids import NOWHERE, HexId
from sandtable.rulesets.panzer_leader import air
from sandtable.rulesets.panzer_leader.combat import distribution
from sandtable.rulesets.panzer_leader.combat_tables import combat_tables
from sandtable.rulesets.panzer_leader.events import (
    AircraftAttacked,
    AircraftFlew,
    AircraftShotAt,
    AirPhaseEnded,
    AttackFailed,
    AttackRolled,
    SegmentBegan,
    SegmentEnded,
    UnitMoved,
    UnitRevealed,
    UnitsFired,
)
from sandtable.rulesets.panzer_leader.kinds import aircraft_kinds
from sandtable.rulesets.panzer_leader.model import ALLIED, DESTROYED, EXITED, GERMAN, Aircraft, Mover
from sandtable.rulesets.panzer_leader.orders import AirAttack, AirSortie, DirectFire, FireAtAircraft, FlyTo
from sandtable.rulesets.panzer_leader.view import known_position
from sandtable.rulesets.panzer_leader.workings import Attack
from tests.rulesets.panzer_leader.table import Table, U, ids, open_board, plane, table, unit

EXAMPLES = tomllib.loads((Path(__file__).parent / "examples.toml").read_text(encoding="utf-8"))["example"]
BY_ID = {example["id"]: example for example in EXAMPLES}

PLAIN = open_board(40, 3)


def air_attacks(t: Table) -> list[AirAttack]:
    return [order for one in t.position.aircraft for order in air.air_attack_options(t.position, ALLIED, one)]


def strike(t: Table, label: str, targets: tuple[int, ...], *sorties: tuple[int, str]) -> AirAttack:
    return AirAttack(tuple(AirSortie(U(id), weapon) for id, weapon in sorties), t.hex(label), ids(*targets))


def flak(aircraft: int, *firers: int) -> FireAtAircraft:
    return FireAtAircraft(ids(*firers), U(aircraft))


def put(t: Table, id: int, **fields: Any) -> None:
    """An aircraft is otherwise than it was."""
    fleet = list(t.position.aircraft)
    fleet[id] = replace(fleet[id], **fields)
    t.set(aircraft=tuple(fleet))


# --- aircraft and where they fly -------------------------------------------------------------------------------------


@pytest.mark.rule("PL-308")
def test_fighter_bombers_have_guns_and_bombs_or_rockets_and_the_l5_has_nothing() -> None:
    """Typhoon guns 2, P-47 guns 3, bombs 30 H, rockets 20 A."""
    kinds = aircraft_kinds()
    for key, strength in [("typhoon", 2), ("p47", 3)]:
        guns = kinds[key].guns
        assert guns is not None
        assert (guns.strength, guns.weapon) == (strength, "I")
        assert [(w.key, w.strength, w.weapon) for w in kinds[key].ordnance] == [
            ("bombs", 30, "H"),
            ("rockets", 20, "A"),
        ]
    for load, keys in [("", ["mg"]), ("bombs", ["mg", "bombs"]), ("rockets", ["mg", "rockets"])]:
        armed = Aircraft(U(0), "p47", ALLIED, load)
        assert [weapon.key for weapon in air.weapons_left(armed)] == keys
    assert air.weapons_left(Aircraft(U(0), "l5", ALLIED)) == ()


@pytest.mark.rule("PL-1201", "PL-505")
def test_an_aircraft_flies_anywhere_once_in_an_air_phase() -> None:
    """Any hex of the map, enemies and towns alike; a second flight is refused until the next segment of the side."""
    t = table("." * 39 + "T", unit("g_rifle", "4001"), aircraft=[plane("p47")], step="air movement")
    assert air.has_aircraft(t.position)
    t.play(FlyTo(U(0), t.hex("4001")))
    assert t.events == (AircraftFlew(U(0), t.hex("4001")),)
    assert t.position.aircraft[0].hex == t.hex("4001")
    assert t.refusal(FlyTo(U(0), t.hex("0101"))).rule == "PL-1202"
    t.set(segment=3)
    assert t.check(FlyTo(U(0), t.hex("0101"))) is None


@pytest.mark.rule("PL-1201")
def test_a_flight_of_nothing_or_to_nowhere_is_refused() -> None:
    """Unknown aircraft, the enemy's, one that is lost, one that comes later, a hex off the map."""
    t = table(
        PLAIN, aircraft=[plane("p47"), plane("p47", side=GERMAN), plane("p47", fate=DESTROYED), plane("l5", turn=2)]
    )
    place = t.hex("0101")
    for id, target, rule in [
        (-1, place, "PL-1201"),
        (9, place, "PL-1201"),
        (1, place, "PL-1201"),
        (2, place, "PL-1208"),
        (3, place, "PL-505"),
        (0, HexId(0), "PL-1201"),
        (0, HexId(-3), "PL-1201"),
        (0, HexId(10**6), "PL-1201"),
    ]:
        assert t.refusal(FlyTo(U(id), target)).rule == rule


@pytest.mark.rule("PL-505")
def test_the_air_phase_is_for_a_side_with_aircraft_that_can_still_do_something() -> None:
    """Not with lost, spent or later aircraft, nor with the enemy's."""
    for spent in [
        plane("p47", fate=EXITED),
        plane("p47", strafes=0),
        plane("l5", turn=2),
        plane("p47", side=GERMAN),
    ]:
        t = table(PLAIN, unit("g_rifle", "0501"), aircraft=[spent])
        assert not air.has_aircraft(t.position)
        assert list(air.fly_options(t.position, ALLIED, t.position.aircraft[0])) == []
    assert air.has_aircraft(table(PLAIN, aircraft=[plane("p47", strafes=0, ordnance="bombs")]).position)


@pytest.mark.rule("PL-1201")
def test_aircraft_are_no_units_for_stacking_and_bar_no_way() -> None:
    """They are not among the units of their hex at all."""
    t = table(PLAIN, aircraft=[plane("p47", "0501")])
    assert t.position.units == ()
    assert air.has_aircraft_overhead(t.position)


def test_flights_are_offered_to_a_hex_beside_each_enemy_clear_of_his_guns() -> None:
    """The neighbor under the fewest guns; an observer may also stay over friends. Each is lawful."""
    t = table(
        PLAIN,
        unit("g_rifle", "1502"),
        unit("g_20aa", "0502"),
        unit("a_rifle", "3001"),
        unit("n_tbridge", "3501"),
        aircraft=[plane("p47"), plane("l5")],
    )
    options = list(air.fly_options(t.position, ALLIED, t.position.aircraft[0]))
    assert len(options) == 2
    assert all(t.check(order) is None for order in options)
    notes = {air.flight_note(t.position, order) for order in options}
    # beside the rifles the gun ten hexes away does not reach
    assert notes == {"no flak", "flak 8"}
    assert t.hex("3001") in {o.hex for o in air.fly_options(t.position, ALLIED, t.position.aircraft[1])}
    t.play(options[0])
    assert list(air.fly_options(t.position, ALLIED, t.position.aircraft[0])) == []
    assert list(air.fly_options(t.position, GERMAN, t.position.aircraft[1])) == []


@pytest.mark.rule("PL-1201", "PL-1206")
def test_fighter_bombers_leave_at_the_end_of_the_air_phase_and_an_observer_stays_at_its_post() -> None:
    """The enemy's aircraft are none of this."""
    t = table(
        PLAIN,
        aircraft=[plane("p47", "0501", attacked=HexId(7)), plane("l5", "0701"), plane("p47", "0801", side=GERMAN)],
    )
    t.run(air.end_air_phase)
    assert t.events == (AirPhaseEnded(ALLIED),)
    assert [craft.hex for craft in t.position.aircraft] == [NOWHERE, t.hex("0701"), t.hex("0801")]
    assert t.position.aircraft[0].attacked == NOWHERE
    assert not air.has_aircraft_overhead(t.position)


# --- sighting --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PL-1206")
def test_in_the_open_units_are_sighted_within_30_hexes() -> None:
    """31 hexes are too far, and an aircraft that is not overhead sights nobody."""
    t = table(PLAIN, unit("g_rifle", "3101"), unit("g_rifle", "3201"), unit("g_rifle"), aircraft=[plane("l5", "0101")])
    assert [air.is_sighted_from_air(t.position, t.unit(n), ALLIED) for n in range(3)] == [True, False, False]
    assert not air.is_sighted_from_air(t.position, t.unit(0), GERMAN)
    assert air.observers(t.position, ALLIED, t.hex("3101")) == (0,)
    assert air.observers(t.position, ALLIED, t.hex("3201")) == ()
    put(t, 0, hex=NOWHERE)
    assert not air.is_sighted_from_air(t.position, t.unit(0), ALLIED)
    assert air.observers(t.position, ALLIED, t.hex("3101")) == ()


@pytest.mark.rule("PL-1206")
@pytest.mark.parametrize("cover", ["W", "T"])
def test_in_woods_and_towns_units_are_sighted_within_10_hexes_and_only_if_they_fired(cover: str) -> None:
    """In the previous segment or since; a move to another hex hides them again."""
    t = table(
        "." * 10 + cover * 3 + "." * 5,
        unit("g_rifle", "1101"),
        unit("g_rifle", "1201"),
        aircraft=[plane("l5", "0101")],
        segment=4,
    )
    assert not air.sights(t.position, t.position.aircraft[0], t.unit(0))
    assert air.observers(t.position, ALLIED, t.hex("1101")) == ()
    t.run(lambda resolution: resolution.emit(UnitsFired(ids(0, 1))))
    assert [air.sights(t.position, t.position.aircraft[0], t.unit(n)) for n in (0, 1)] == [True, False]
    assert air.observers(t.position, ALLIED, t.hex("1101")) == (0,)
    t.run(lambda resolution: resolution.emit(SegmentBegan(ALLIED, 3, 5)))
    assert air.sights(t.position, t.position.aircraft[0], t.unit(0))
    moved = UnitMoved(U(0), (t.hex("1301"),), Mover(U(0), t.hex("1101")))
    t.run(lambda resolution: resolution.emit(moved))
    assert not air.has_shown_itself(t.position, t.unit(0))
    t.run(lambda resolution: resolution.emit(UnitsFired(ids(1))))
    t.run(lambda resolution: resolution.emit(SegmentBegan(GERMAN, 4, 7)))
    assert not air.has_shown_itself(t.position, t.unit(1))


@pytest.mark.rule("PL-1206", "PL-1321")
def test_a_fort_in_the_woods_is_sighted_when_its_garrison_has_fired() -> None:
    """Who is inside shows the fort."""
    t = table("..W", unit("n_fort20", "0301"), unit("g_rifle", fort=0, last_fired=1), aircraft=[plane("p47", "0201")])
    assert air.sights(t.position, t.position.aircraft[0], t.unit(0))


@pytest.mark.rule("PL-1206")
def test_fighter_bombers_do_not_sight_for_indirect_fire() -> None:
    """Only the observer does."""
    t = table(PLAIN, aircraft=[plane("p47", "0101"), plane("l5", "0101"), plane("l5", "0101", side=GERMAN)])
    assert air.observers(t.position, ALLIED, t.hex("0501")) == (1,)


# --- anti-aircraft fire ----------------------------------------------------------------------------------------------


@pytest.mark.rule("PL-1207", "PL-1208")
def test_example_e33_anti_aircraft_strength_and_results() -> None:
    """34 points: half of the dice shoot it down, the other half drive it off."""
    example = BY_ID["PL-E33"]
    guns = [unit(f["unit"], f"{20 - f['distance']:02}01") for f in example["situation"]["firers"]]
    t = table(PLAIN, *guns, aircraft=[plane("p47", "2001")])
    strength, results = t.explain(flak(0, 0, 1))
    assert strength.total == example["expected"]["aa_total"]
    assert [(line.value, line.rule) for line in strength.lines] == [(28, "PL-1207"), (6, "PL-1207")]
    faces = Counter(line.value for line in results.lines)
    assert {word: Fraction(n, 6) for word, n in faces.items()} == {
        word: Fraction(share) for word, share in example["expected"]["distribution"].items()
    }
    assert t.explain(flak(0)) == ()


@pytest.mark.rule("PL-1207")
def test_every_row_of_the_anti_aircraft_table() -> None:
    """The row is the first whose most is not exceeded."""
    expected = {
        (1, 8): "abort - - - - -",
        (9, 12): "X abort - - - -",
        (13, 16): "X abort abort - - -",
        (17, 20): "X X abort abort - -",
        (21, 26): "X X abort abort abort -",
        (27, 36): "X X X abort abort abort",
        (37, 999): "X X X X abort abort",
    }
    for (least, most), results in expected.items():
        assert air.antiair_results(least) == air.antiair_results(most) == tuple(results.split())
    assert air.antiair_results(1200) == combat_tables().antiair.row[-1].results


@pytest.mark.rule("PL-1207", "PL-1202")
def test_anti_aircraft_guns_fire_within_their_range_doubled_up_to_half_of_it() -> None:
    """A range of 10: doubled at 5, single at 6 and 10, nothing at 11; no line of sight is needed."""
    for distance, strength in [(0, 8), (5, 8), (6, 4), (10, 4)]:
        t = table("." + "T" * 30, unit("g_20aa", "0101"), aircraft=[plane("p47", f"{1 + distance:02}01")])
        assert air.may_fire_at_aircraft(t.position)
        assert t.explain(flak(0, 0))[0].total == strength
    t = table(PLAIN, unit("g_20aa", "0101"), aircraft=[plane("p47", "1201")])
    assert t.refusal(flak(0, 0)).rule == "PL-1207"
    assert not air.may_fire_at_aircraft(t.position)
    assert list(air.antiair_options(t.position, GERMAN, t.unit(0))) == []


@pytest.mark.rule("PL-1207")
def test_all_guns_at_one_aircraft_are_summed_for_one_die_and_an_aircraft_is_fired_at_once() -> None:
    """It comes through, and the gun that waited may not try again; the other aircraft is another matter."""
    t = table(
        PLAIN,
        unit("g_20aa", "0501"),
        unit("g_37aa", "0601"),
        unit("g_20aa", "0401"),
        aircraft=[plane("p47", "0701"), plane("p47", "0801")],
    )
    played = t.play(flak(0, 0, 1), dice=[6])
    assert [draw.rule for draw in played.draws] == ["PL-1207"]
    assert t.events == (
        AircraftShotAt(U(0), ids(0, 1), 20, 6, "-"),
        UnitsFired(ids(0, 1)),
    )
    assert t.refusal(flak(0, 2)).reason == "the aircraft has been fired at in this air phase"
    assert t.check(flak(1, 2)) is None
    assert list(air.antiair_options(t.position, GERMAN, t.unit(2))) == [flak(1, 2)]


@pytest.mark.rule("PL-1207", "PL-602")
def test_a_gun_that_fired_at_aircraft_stays_fired_to_the_end_of_its_next_segment() -> None:
    """So it can't fire again, at aircraft or at anything."""
    t = table(
        PLAIN, unit("g_20aa", "0501"), unit("a_rifle", "0601"), aircraft=[plane("p47", "0701"), plane("p47", "0801")]
    )
    t.play(flak(0, 0), dice=[6])
    assert t.refusal(flak(1, 0)).rule == "PL-801"
    t.run(lambda resolution: resolution.emit(SegmentEnded(ALLIED)))
    t.run(lambda resolution: resolution.emit(SegmentBegan(GERMAN, 1, 2)))
    shot = DirectFire(ids(0), t.hex("0601"), ids(1))
    assert t.refusal(shot).rule == "PL-801"
    t.run(lambda resolution: resolution.emit(SegmentEnded(GERMAN)))
    assert not t.unit(0).fired


@pytest.mark.rule("PL-1207")
@pytest.mark.parametrize(
    ("gun", "rule"),
    [
        (unit("g_pz4", "0201"), "PL-1207"),
        (unit("g_20aa", "0201", dispersed=1), "PL-902"),
        (unit("g_20aa", "0201", fired=True), "PL-801"),
        (unit("g_20aa", carrier=1), "PL-643"),
        (unit("g_20aa", "0101"), "PL-713"),
        (unit("g_20aa"), "PL-1207"),
        (unit("g_20aa", "0201", side="allied"), "PL-1207"),
    ],
)
def test_only_ready_anti_aircraft_units_fire_at_aircraft(gun: Any, rule: str) -> None:
    """Each refusal has its rule, and none of these is offered."""
    t = table("R....", gun, unit("g_truck", "0201"), aircraft=[plane("p47", "0301")])
    assert t.refusal(flak(0, 0)).rule == rule
    assert not air.may_fire_at_aircraft(t.position)
    assert list(air.antiair_options(t.position, GERMAN, t.unit(0))) == []


@pytest.mark.rule("PL-1207")
def test_anti_aircraft_orders_that_name_nonsense_are_refused() -> None:
    """No firers, one twice, one that is not there, no such aircraft, one's own, one that is not overhead."""
    t = table(
        PLAIN,
        unit("g_20aa", "0201"),
        aircraft=[plane("p47", "0301"), plane("p47", "0301", side=GERMAN), plane("p47")],
    )
    for order in [flak(0), flak(0, 0, 0), flak(0, 9), flak(0, -1), flak(9, 0), flak(-1, 0), flak(1, 0), flak(2, 0)]:
        assert t.refusal(order).rule == "PL-1207"
    assert list(air.antiair_options(t.position, GERMAN, t.unit(0))) == [flak(0, 0)]
    assert not air.may_fire_at_aircraft(table(PLAIN, unit("g_20aa", "0201"), aircraft=[plane("p47")]).position)


def test_a_gun_is_offered_alone_and_with_all_others_in_range() -> None:
    """The one out of range stays out of it."""
    t = table(
        PLAIN, unit("g_20aa", "0201"), unit("g_wirbel", "0401"), unit("g_37aa", "3001"), aircraft=[plane("p47", "0301")]
    )
    options = list(air.antiair_options(t.position, GERMAN, t.unit(0)))
    assert options == [flak(0, 0), flak(0, 0, 1)]
    assert all(t.check(order) is None for order in options)


@pytest.mark.rule("PL-1208")
@pytest.mark.parametrize(("die", "fate"), [(1, DESTROYED), (2, EXITED), (3, "")])
def test_x_loses_the_aircraft_and_an_abort_sends_it_home_for_good(die: int, fate: str) -> None:
    """Neither can fly or attack again."""
    t = table(PLAIN, unit("g_37aa", "0501"), unit("g_rifle", "0801"), aircraft=[plane("p47", "0701")])
    t.play(flak(0, 0), dice=[die])
    craft = t.position.aircraft[0]
    assert craft.fate == fate
    assert (craft.hex == NOWHERE) == bool(fate)
    if fate:
        assert t.refusal(FlyTo(U(0), t.hex("0101"))).rule == "PL-1208"
        assert t.refusal(strike(t, "0801", (1,), (0, "mg"))).rule == "PL-1208"
        assert not air.has_aircraft_overhead(t.position)


# --- air attacks -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("PL-1203", "PL-1204")
def test_example_e32_air_attack() -> None:
    """Rockets and machine guns on tanks in the woods: the guns add nothing."""
    example = BY_ID["PL-E32"]
    targets = [unit(key, "0501", last_fired=1) for key in example["situation"]["targets"]]
    t = table("....W.", *targets, aircraft=[plane("typhoon", "0401", ordnance="rockets"), plane("p47", "0601")])
    order = strike(t, "0501", (0, 1), (0, "rockets"), (1, "mg"))
    assert t.check(order) is None
    attack = air.air_attack(t.position, order.sorties, order.hex, t.position.units)
    assert isinstance(attack, Attack)
    expected = example["expected"]
    assert (attack.strength, attack.defense) == (expected["as_total"], expected["ds_total"])
    assert (attack.odds, attack.drm) == (expected["odds"], expected["drm"])
    faces = Counter("D" if result == "DD" else result for result in distribution(attack))
    assert {word: Fraction(n, 6) for word, n in faces.items()} == {
        word: Fraction(share) for word, share in expected["distribution"].items()
    }
    strength = t.explain(order)[0]
    assert [(line.label, line.value, line.rule) for line in strength.lines] == [
        ("Typhoon: rockets", 20, "PL-308"),
        ("P-47: mg", 3, "PL-308"),
        ("P-47: mg against armored", "x0", "PL-1204"),
    ]


@pytest.mark.rule("PL-1204")
@pytest.mark.parametrize(
    ("weapon", "kinds", "strength"),
    [
        ("rockets", ["g_pz4"], "20"),
        ("rockets", ["g_rifle"], "10"),
        ("rockets", ["g_pz4", "g_truck"], "10"),
        ("bombs", ["g_pz4"], "15"),
        ("bombs", ["g_rifle"], "30"),
        ("bombs", ["g_pz4", "g_truck"], "15"),
        ("mg", ["g_truck"], "3"),
    ],
)
def test_air_weapons_against_armored_other_and_evenly_divided_targets(
    weapon: str, kinds: list[str], strength: str
) -> None:
    """Rockets are for armor, bombs and guns for the rest; an even target is taken as the worse."""
    load = "" if weapon == "mg" else weapon
    t = table(PLAIN, *(unit(key, "0501") for key in kinds), aircraft=[plane("p47", "0401", ordnance=load)])
    t.play(strike(t, "0501", tuple(range(len(kinds))), (0, weapon)), dice=[6])
    (roll,) = t.happened(AttackRolled)
    assert (roll.strength, roll.group, roll.how, roll.rule) == (strength, "air", "air", "PL-1203")


@pytest.mark.rule("PL-1204", "PL-832")
def test_machine_guns_do_nothing_to_armor_and_odds_worse_than_1_4_are_no_attack() -> None:
    """Alone they have no strength at all."""
    t = table(
        PLAIN, unit("g_pz4", "0501"), unit("g_rifle", "0301"), unit("g_rifle", "0301"), aircraft=[plane("p47", "0401")]
    )
    assert t.refusal(strike(t, "0501", (0,), (0, "mg"))).rule == "PL-832"
    assert t.refusal(strike(t, "0301", (1, 2), (0, "mg"))).reason == "3 against 16 is worse than 1-4"
    assert t.explain(strike(t, "0501", (0,), (0, "mg"))) == ()


@pytest.mark.rule("PL-1203")
def test_an_aircraft_attacks_from_a_hex_adjacent_to_its_target() -> None:
    """Not from the hex itself, from afar, or from off the map; an observer has no weapon."""
    t = table(
        PLAIN,
        unit("g_truck", "0501"),
        aircraft=[plane("p47", "0501"), plane("p47", "0301"), plane("p47"), plane("l5", "0401")],
    )
    for id in range(3):
        assert t.refusal(strike(t, "0501", (0,), (id, "mg"))).rule == "PL-1203"
    assert t.refusal(strike(t, "0501", (0,), (3, "mg"))).rule == "PL-1205"
    assert air_attacks(t) == []


@pytest.mark.rule("PL-1203", "PL-511")
def test_a_hex_is_attacked_once_in_an_air_phase_with_all_aircraft_summed_for_one_die() -> None:
    """Whoever is left over there, and though others could still attack."""
    t = table(
        PLAIN,
        unit("g_truck", "0501"),
        unit("g_rifle", "0501"),
        aircraft=[plane("p47", "0401"), plane("typhoon", "0601"), plane("p47", "0502")],
    )
    played = t.play(strike(t, "0501", (0,), (0, "mg"), (1, "mg")), dice=[1])
    assert [draw.rule for draw in played.draws] == ["PL-1203"]
    assert t.happened(AttackRolled)[0].strength == "5"
    assert t.refusal(strike(t, "0501", (1,), (2, "mg"))).reason == "the hex has been attacked in this air phase"
    t.run(air.end_air_phase)
    put(t, 2, hex=t.hex("0502"))
    assert t.check(strike(t, "0501", (1,), (2, "mg"))) is None


@pytest.mark.rule("PL-1203", "PL-209", "PL-823")
def test_terrain_and_dispersal_modify_an_air_attack_and_height_does_not_halve_it() -> None:
    """Swamp on a hilltop +1, dispersed this segment -1."""
    t = table(
        "....M.",
        unit("g_rifle", "0501", dispersed=1),
        aircraft=[plane("p47", "0401", ordnance="bombs")],
        elevation={"0501": 2},
    )
    strength, _, _, die = t.explain(strike(t, "0501", (0,), (0, "bombs")))
    assert (strength.total, die.total, len(die.lines)) == (30, 0, 2)


@pytest.mark.rule("PL-1203", "PL-802")
def test_the_target_is_any_set_of_units_of_the_hex_but_in_a_town_all_of_them() -> None:
    """Targets must be enemy counters there, each named once."""
    t = table(
        PLAIN,
        unit("g_truck", "0501"),
        unit("g_truck", "0501"),
        unit("a_truck", "0601"),
        aircraft=[plane("p47", "0401")],
    )
    assert t.check(strike(t, "0501", (1,), (0, "mg"))) is None
    for targets in [(), (0, 0), (2,), (9,), (-1,)]:
        assert t.refusal(strike(t, "0501", targets, (0, "mg"))).rule == "PL-802"
    town = table(
        "....T.",
        unit("g_truck", "0501", last_fired=1),
        unit("g_truck", "0501"),
        aircraft=[plane("p47", "0401", ordnance="rockets")],
    )
    assert town.refusal(strike(town, "0501", (0,), (0, "rockets"))).rule == "PL-802"
    assert town.check(strike(town, "0501", (0, 1), (0, "rockets"))) is None


@pytest.mark.rule("PL-802", "PL-1203")
def test_in_a_town_an_air_attack_hits_every_unit_of_the_hex() -> None:
    """Also those the side did not know of; if the odds become too bad the attack has no effect but is spent."""
    t = table(
        "....T.",
        unit("g_truck", "0501", last_fired=1),
        unit("g_rifle", "0501"),
        aircraft=[plane("p47", "0401", ordnance="bombs")],
    )
    t.run(air.resolve_air_attack, ALLIED, strike(t, "0501", (0,), (0, "bombs")), dice=[6])
    assert t.happened(AttackRolled)[0].targets == (0, 1)
    t = table(
        "....T.",
        unit("g_truck", "0501", last_fired=1),
        *[unit("g_tiger2", "0501")] * 4,
        aircraft=[plane("p47", "0401", ordnance="bombs")],
    )
    t.run(air.resolve_air_attack, ALLIED, strike(t, "0501", (0,), (0, "bombs")))
    place = t.hex("0501")
    assert t.events == (AircraftAttacked(((U(0), "bombs"),), place), AttackFailed(ALLIED, "air", (), place))


@pytest.mark.rule("PL-1205")
def test_bombs_and_rockets_are_used_once_a_game_and_machine_guns_four_times() -> None:
    """Each use is counted off."""
    t = table(PLAIN, unit("g_truck", "0501"), aircraft=[plane("p47", "0401", ordnance="bombs"), plane("p47", "0601")])
    t.play(strike(t, "0501", (0,), (0, "bombs"), (1, "mg")), dice=[6])
    assert t.happened(AircraftAttacked) == [AircraftAttacked(((U(0), "bombs"), (U(1), "mg")), t.hex("0501"))]
    assert [(craft.ordnance, craft.strafes) for craft in t.position.aircraft] == [("", 4), ("", 3)]
    put(t, 0, attacked=NOWHERE)
    put(t, 1, attacked=NOWHERE, strafes=0)
    assert t.refusal(strike(t, "0501", (0,), (0, "bombs"))).rule == "PL-1205"
    assert t.refusal(strike(t, "0501", (0,), (0, "rockets"))).rule == "PL-1205"
    assert t.refusal(strike(t, "0501", (0,), (1, "mg"))).rule == "PL-1205"


@pytest.mark.rule("PL-1205")
def test_an_aircraft_uses_one_weapon_in_an_air_phase() -> None:
    """Not two in one attack, nor another after the first."""
    t = table(
        PLAIN, unit("g_truck", "0501"), unit("g_truck", "0301"), aircraft=[plane("p47", "0401", ordnance="bombs")]
    )
    assert t.refusal(strike(t, "0501", (0,), (0, "bombs"), (0, "mg"))).rule == "PL-1205"
    assert t.refusal(strike(t, "0501", (0,))).rule == "PL-1205"
    t.play(strike(t, "0501", (0,), (0, "bombs")), dice=[6])
    assert t.refusal(strike(t, "0301", (1,), (0, "mg"))).rule == "PL-1205"
    assert air_attacks(t) == []


@pytest.mark.rule("PL-1206")
def test_units_in_woods_are_attacked_from_the_air_only_after_they_have_fired() -> None:
    """Who has fired may be attacked alone; in a town one who fired is enough for all."""
    t = table("....W.", unit("g_truck", "0501"), unit("g_truck", "0501", last_fired=1), aircraft=[plane("p47", "0401")])
    assert t.refusal(strike(t, "0501", (0,), (0, "mg"))).rule == "PL-1206"
    assert t.refusal(strike(t, "0501", (0, 1), (0, "mg"))).rule == "PL-1206"
    assert t.check(strike(t, "0501", (1,), (0, "mg"))) is None
    town = table("....T.", unit("g_truck", "0501"), aircraft=[plane("p47", "0401", ordnance="rockets")])
    assert town.refusal(strike(town, "0501", (0,), (0, "rockets"))).rule == "PL-1206"


@pytest.mark.rule("PL-1333")
def test_aircraft_do_nothing_to_a_tank_bridge() -> None:
    """Only direct and indirect fire destroys it."""
    t = table("....R.", unit("n_tbridge", "0501"), aircraft=[plane("p47", "0401", ordnance="bombs")])
    assert t.refusal(strike(t, "0501", (0,), (0, "bombs"))).rule == "PL-1333"


@pytest.mark.rule("PL-1203")
def test_an_air_attack_off_the_map_or_of_unknown_aircraft_is_refused() -> None:
    """And one of the enemy's."""
    t = table(PLAIN, unit("g_truck", "0501"), aircraft=[plane("p47", "0401", side=GERMAN)])
    assert t.refusal(AirAttack((AirSortie(U(0), "mg"),), HexId(0), ids(0))).rule == "PL-1203"
    for id in (-1, 0, 7):
        assert t.refusal(strike(t, "0501", (0,), (id, "mg"))).rule == "PL-1201"


@pytest.mark.rule("PL-1401")
def test_a_face_down_unit_shows_itself_under_air_attack() -> None:
    """What lands is known when it is bombed."""
    t = table(
        "OOB.",
        unit("a_rifle", "0201", facedown=True),
        aircraft=[plane("p47", "0101", side=GERMAN, ordnance="bombs")],
        phasing=GERMAN,
    )
    t.play(strike(t, "0201", (0,), (0, "bombs")), dice=[6])
    assert [event.unit for event in t.happened(UnitRevealed)] == [0]
    assert t.happened(AttackRolled)[0].defense == 8


def test_attacks_are_offered_with_each_weapon_alone_and_with_all_who_can_join() -> None:
    """All of them are lawful; the enemy's aircraft and those that are spent take no part."""
    t = table(
        PLAIN,
        unit("g_truck", "0501"),
        unit("g_pz4", "0501"),
        aircraft=[
            plane("p47", "0401", ordnance="rockets"),
            plane("typhoon", "0601", ordnance="bombs"),
            plane("p47", "0601", side=GERMAN),
            plane("p47", "0601", strafes=0),
            plane("p47", "3001"),
        ],
    )
    options = air_attacks(t)
    assert options
    assert all(t.check(order) is None for order in options)
    assert strike(t, "0501", (1,), (0, "rockets")) in options
    assert strike(t, "0501", (0, 1), (0, "rockets"), (1, "bombs")) in options
    assert strike(t, "0501", (0,), (0, "mg")) in options
    alone = table(PLAIN, unit("g_truck", "0501"), aircraft=[plane("p47", "0401", ordnance="rockets")])
    assert air_attacks(alone) == [
        strike(alone, "0501", (0,), (0, "mg")),
        strike(alone, "0501", (0,), (0, "rockets")),
    ]


@pytest.mark.rule("PL-1206", "PL-1507")
def test_under_fog_of_war_aircraft_overhead_show_what_they_sight() -> None:
    """Nobody on the ground sees the truck behind the town; the aircraft does, the unit in the town stays hidden."""
    rows = ". . T . . ."
    units = (unit("a_rifle", "0101"), unit("g_truck", "0501"), unit("g_rifle", "0301"))
    for label, seen in [("", 0), ("0601", 1)]:
        t = table(rows, *units, options={"fog": True}, aircraft=[plane("p47", label)])
        known = known_position(t.position, ALLIED)
        assert [bool(known.units[n].hex) for n in (1, 2)] == [bool(seen), False]
