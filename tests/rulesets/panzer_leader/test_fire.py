"""Direct fire."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from sandtable.kernel.decisions import Refusal
from sandtable.kernel.dice import PromptDice
from sandtable.kernel.ids import HexId, RuleId
from sandtable.kernel.trace import Line
from sandtable.rulesets.panzer_leader import fire
from sandtable.rulesets.panzer_leader.events import (
    AttackFailed,
    AttackRolled,
    FacingSet,
    Sighted,
    UnitDestroyed,
    UnitDispersed,
    UnitRevealed,
    UnitsFired,
    UnitUnloaded,
)
from sandtable.rulesets.panzer_leader.model import AIR, ALLIED, FIRE, GERMAN, MINE, Mission, Sighting
from sandtable.rulesets.panzer_leader.orders import DirectFire, SetFacing
from sandtable.rulesets.panzer_leader.ruleset import PanzerLeader
from sandtable.rulesets.panzer_leader.sequels import warn_of_fire
from sandtable.rulesets.panzer_leader.workings import Attack
from tests.rulesets.panzer_leader.table import Table, U, ids, open_board, table, unit


def shot(t: Table, label: str, firers: tuple[int, ...], targets: tuple[int, ...]) -> DirectFire:
    return DirectFire(ids(*firers), t.hex(label), ids(*targets))


def duel(target: str = "g_pz4", terrain: str = ".", **fields: Any) -> Table:
    """A Sherman in 0101, the target four hexes to the south in 0105, nothing between."""
    rows = f".\n.\n.\n.\n{terrain}\n."
    return table(rows, unit("a_m4_75", "0101"), unit(target, "0105"), **fields)


# --- the shot -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PL-504", "PL-831", "PL-833", "PL-836")
def test_an_attack_is_one_die_on_the_column_of_its_odds() -> None:
    t = duel()
    played = t.play(shot(t, "0105", (0,), (1,)), dice=[3])
    assert [type(event) for event in played.events] == [UnitsFired, AttackRolled, UnitDispersed]
    (rolled,) = t.happened(AttackRolled)
    assert (rolled.strength, rolled.defense, rolled.odds, rolled.drm, rolled.result) == ("22", 8, "2-1", 0, "DD")
    assert rolled.rule == "PL-504"
    assert t.unit(0).fired
    assert t.unit(1).dispersed == 1
    assert t.unit(1).attacked == (FIRE,)
    assert [(draw.rule, draw.sides, draw.actor) for draw in played.draws] == [("PL-504", 6, 0)]


@pytest.mark.rule("PL-831")
def test_the_tallies_name_every_number_with_its_rule() -> None:
    t = duel(terrain="W", sightings=())
    t.set(sightings=(Sighting(U(1), t.hex("0105"), 1, ids(0)),))
    strength, defense, odds, die = t.explain(shot(t, "0105", (0,), (1,)))
    assert (strength.total, defense.total, odds.total, die.total) == (22, 8, "2-1", 1)
    assert strength.lines == (
        Line("M4/75 Sherman: attack strength", 11, RuleId("PL-307")),
        Line("M4/75 Sherman: A against armored, near", "x2", RuleId("PL-808")),
    )
    assert defense.lines == (Line("PzKw IVh defends", 8, RuleId("PL-802")),)
    assert odds.lines == (Line("22 against 8", "2-1", RuleId("PL-831")),)
    assert die.lines == (Line("Target in woods", 1, RuleId("PL-209")),)
    assert t.explain(shot(t, "0105", (1,), (0,))) == ()


@pytest.mark.rule("PL-801")
def test_a_unit_fires_once_in_a_segment() -> None:
    t = table(open_board(1, 6), unit("a_m4_75", "0101"), unit("g_pz4", "0105"), unit("g_pz4", "0106"))
    t.play(shot(t, "0105", (0,), (1,)), dice=[6])
    assert t.refusal(shot(t, "0106", (0,), (2,))).rule == "PL-801"


@pytest.mark.parametrize(
    ("changes", "rule"),
    [
        ({"fired": True}, "PL-801"),
        ({"dispersed": 1}, "PL-902"),
        ({"transported": True}, "PL-643"),
        ({"hex": 0}, "PL-801"),
        ({"kind": "a_truck"}, "PL-648"),
    ],
)
@pytest.mark.rule("PL-504", "PL-643", "PL-648", "PL-801", "PL-902", "PL-1603")
def test_a_unit_that_fired_is_dispersed_rides_or_has_no_weapon_may_not_fire(
    changes: dict[str, object], rule: str
) -> None:
    t = duel()
    t.change(0, **changes)
    assert t.refusal(shot(t, "0105", (0,), (1,))).rule == rule


@pytest.mark.rule("PL-643", "PL-648")
def test_a_passenger_may_not_fire_and_a_loaded_halftrack_may() -> None:
    t = table(open_board(1, 4), unit("a_ht", "0101"), unit("a_rifle", carrier=0), unit("g_smg", "0102"))
    assert t.refusal(shot(t, "0102", (1,), (2,))).rule == "PL-643"
    t.play(shot(t, "0102", (0,), (2,)), dice=[6])


@pytest.mark.rule("PL-713")
def test_nothing_fires_out_of_a_stream_unless_on_a_bridge() -> None:
    rows = "R\n.\n."
    t = table(rows, unit("a_rifle", "0101"), unit("g_smg", "0102"))
    assert t.refusal(shot(t, "0102", (0,), (1,))).rule == "PL-713"
    bridged = table(rows, unit("a_rifle", "0101"), unit("g_smg", "0102"), features={"bridge": ["0101"]})
    assert bridged.check(shot(bridged, "0102", (0,), (1,))) is None


@pytest.mark.rule("PL-712")
def test_a_unit_in_a_stream_is_attacked_from_the_ground_only_when_adjacent() -> None:
    t = table(".\n.\nR", unit("a_rifle", "0101"), unit("a_rifle", "0102"), unit("g_smg", "0103"))
    assert t.refusal(shot(t, "0103", (0,), (2,))).rule == "PL-712"
    assert t.check(shot(t, "0103", (1,), (2,))) is None


@pytest.mark.rule("PL-1401")
def test_a_unit_at_sea_does_not_fire() -> None:
    t = table("O\nB\n.", unit("a_m4_dd", "0101"), unit("g_rifle", "0102"))
    assert t.refusal(shot(t, "0102", (0,), (1,))).rule == "PL-1401"


@pytest.mark.rule("PL-1401", "PL-1402")
def test_a_face_down_unit_at_sea_shows_what_it_is_when_it_is_fired_at() -> None:
    t = table("O\nB\n.", unit("a_m4_dd", "0101", facedown=True), unit("g_75pak", "0102"), phasing=GERMAN)
    t.play(shot(t, "0101", (1,), (0,)), dice=[3])
    assert t.events[0] == UnitRevealed(U(0), "a_m4_dd", "")
    (rolled,) = t.happened(AttackRolled)
    assert (rolled.strength, rolled.defense, rolled.drm, rolled.result) == ("26", 9, 2, "D")


@pytest.mark.rule("PL-1104")
def test_a_unit_with_a_mission_due_this_segment_may_not_fire_directly() -> None:
    t = table(open_board(1, 8), unit("a_priest", "0101"), unit("g_rifle", "0105"))
    due = Mission(ALLIED, ids(0), t.hex("0108"), (), 1, 3)
    t.set(missions=(due,))
    assert t.check(shot(t, "0105", (0,), (1,))) is None  # written now, due in two segments
    t.set(segment=3)
    assert t.refusal(shot(t, "0105", (0,), (1,))).rule == "PL-1104"


@pytest.mark.rule("PL-805")
def test_each_firer_needs_range_and_sight_of_its_own() -> None:
    t = table(
        open_board(2, 10),
        unit("a_m4_75", "0101"),
        unit("a_m4_75", "0201"),
        unit("g_pz4", "0109"),
        hexsides={"green": ["0105-0106"]},
    )
    blocked = t.refusal(shot(t, "0109", (0,), (2,)))
    assert blocked == Refusal(RuleId("PL-707"), "M4/75 Sherman has no line of sight: a hedge at 0105")
    assert t.check(shot(t, "0109", (1,), (2,))) is None
    assert t.refusal(shot(t, "0109", (1, 0), (2,))).rule == "PL-707"
    open_field = table(open_board(1, 10), unit("a_m4_75", "0101"), unit("g_pz4", "0110"))
    assert open_field.refusal(shot(open_field, "0110", (0,), (1,))).rule == "PL-805"


@pytest.mark.rule("PL-1608")
def test_a_gun_may_not_fire_behind_itself() -> None:
    t = table(open_board(1, 5), unit("a_57at", "0103"), unit("g_pz4", "0105"), options={"field_of_fire": True})
    assert t.refusal(shot(t, "0105", (0,), (1,))).rule == "PL-1608"
    assert list(fire.fire_options(t.position, ALLIED, t.unit(0))) == []
    assert not fire.may_fire(t.position)
    t.change(0, facing=3)
    assert t.check(shot(t, "0105", (0,), (1,))) is None


@pytest.mark.rule("PL-721", "PL-805")
def test_a_unit_in_woods_is_fired_at_from_afar_only_when_spotted() -> None:
    t = duel(terrain="W")
    assert t.refusal(shot(t, "0105", (0,), (1,))).rule == "PL-721"
    t.change(0, hex="0104")
    assert t.check(shot(t, "0105", (0,), (1,))) is None


@pytest.mark.rule("PL-721", "PL-802")
def test_in_woods_every_target_must_be_spotted_and_in_a_town_one_of_them() -> None:
    for letter, allowed in (("W", False), ("T", True)):
        rows = f".\n.\n.\n.\n{letter}\n."
        t = table(
            rows, unit("a_m4_75", "0101"), unit("a_m4_75", "0101"), unit("g_pz4", "0105"), unit("g_rifle", "0105")
        )
        t.set(sightings=(Sighting(U(2), t.hex("0105"), 1, ids(0)),))
        assert (t.check(shot(t, "0105", (0, 1), (2, 3))) is None) == allowed
        if not allowed:
            assert t.refusal(shot(t, "0105", (0, 1), (2, 3))).reason == "Rifle platoon in 0105 is not spotted"


# --- targets --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PL-802", "PL-803")
def test_any_set_of_defenders_is_one_target_and_different_sets_have_different_firers() -> None:
    t = table(
        open_board(1, 6),
        unit("a_m4_75", "0101"),
        unit("a_m4_75", "0101"),
        unit("g_pz4", "0104"),
        unit("g_lynx", "0104"),
        unit("g_rifle", "0104"),
    )
    t.play(shot(t, "0104", (0,), (2, 3)), dice=[6])
    assert t.happened(AttackRolled)[0].defense == 14
    t.play(shot(t, "0104", (1,), (4,)), dice=[6])
    assert t.happened(AttackRolled)[0].defense == 8


@pytest.mark.rule("PL-511", "PL-803")
def test_a_defender_is_fired_at_once_in_a_segment_whatever_else_attacks_it() -> None:
    t = duel()
    t.change(1, attacked=(MINE, AIR))
    assert t.check(shot(t, "0105", (0,), (1,))) is None
    t.change(1, attacked=(FIRE,))
    assert t.refusal(shot(t, "0105", (0,), (1,))).rule == "PL-511"


@pytest.mark.rule("PL-804")
def test_direct_fire_does_not_hit_a_hex_that_was_shelled_this_segment() -> None:
    t = duel()
    t.set(shelled=["0105"])
    assert t.refusal(shot(t, "0105", (0,), (1,))).rule == "PL-804"
    assert list(fire.fire_options(t.position, ALLIED, t.unit(0))) == []


@pytest.mark.rule("PL-802")
def test_in_a_town_all_units_of_the_hex_are_one_target() -> None:
    rows = ".\n.\nT"
    t = table(rows, unit("a_m4_75", "0102"), unit("g_rifle", "0103"), unit("g_truck", "0103"))
    assert t.refusal(shot(t, "0103", (0,), (1,))).rule == "PL-802"
    assert t.check(shot(t, "0103", (0,), (1, 2))) is None
    assert [order.targets for order in fire.fire_options(t.position, ALLIED, t.unit(0))] == [(1, 2)]


@pytest.mark.rule("PL-511", "PL-802")
@pytest.mark.parametrize("letter", ["T", "."])
def test_a_hex_without_targets_that_were_not_fired_at_offers_none(letter: str) -> None:
    t = table(f".\n{letter}", unit("a_m4_75", "0101"), unit("g_rifle", "0102", attacked=(FIRE,)))
    assert list(fire.target_sets(t.position, ALLIED, t.hex("0102"))) == []
    t.change(1, hex=0)
    assert list(fire.target_sets(t.position, ALLIED, t.hex("0102"))) == []


@pytest.mark.rule("PL-802")
def test_in_a_town_fire_falls_on_units_that_the_firer_did_not_know_of_too() -> None:
    rows = ".\n.\nT"
    t = table(rows, unit("a_m4_75", "0102"), unit("g_rifle", "0103"), unit("g_truck", "0103"))
    order = shot(t, "0103", (0,), (1,))
    t.run(fire.resolve_direct_fire, ALLIED, order, dice=[1])
    assert t.happened(AttackRolled)[0].targets == (1, 2)


@pytest.mark.rule("PL-802", "PL-832")
def test_fire_that_the_unknown_defenders_make_hopeless_is_spent_without_effect() -> None:
    rows = ".\n.\nT"
    t = table(
        rows,
        unit("a_greyhound", "0102"),
        unit("g_rifle", "0103"),
        unit("g_engineer", "0103"),
        unit("g_engineer", "0103"),
    )
    order = shot(t, "0103", (0,), (1,))
    t.run(fire.resolve_direct_fire, ALLIED, order)
    failed = AttackFailed(ALLIED, "direct", ids(0), t.hex("0103"))
    assert t.events == (UnitsFired(ids(0)), failed)
    ruleset = PanzerLeader()
    told = ruleset.describe(failed, ruleset.view(t.state, ALLIED))
    assert told.endswith(" fires at 0103: no effect; more stands there than you see.")
    # his enemy hears nothing of it
    assert ruleset.redact(failed, t.position, t.position, GERMAN) is None


@pytest.mark.rule("PL-646")
def test_a_rider_on_a_german_tank_may_be_attacked_alone() -> None:
    t = table(open_board(1, 4), unit("a_rifle", "0101"), unit("g_pz4", "0102"), unit("g_rifle", carrier=1))
    order = shot(t, "0102", (0,), (2,))
    t.play(order, dice=[4])
    (rolled,) = t.happened(AttackRolled)
    assert (rolled.defense, rolled.odds, rolled.result) == (1, "2-1", "D")
    assert t.happened(UnitUnloaded) == [UnitUnloaded(U(1), U(2), forced=True)]
    assert not t.unit(1).dispersed


@pytest.mark.rule("PL-646")
def test_a_rider_is_not_attacked_together_with_its_tank_nor_a_passenger_inside_a_carrier() -> None:
    t = table(
        open_board(1, 4),
        unit("a_m4_75", "0101"),
        unit("g_pz4", "0102"),
        unit("g_rifle", carrier=1),
        unit("g_ht", "0102"),
        unit("g_smg", carrier=3),
    )
    assert t.refusal(shot(t, "0102", (0,), (1, 2))).rule == "PL-646"
    assert t.refusal(shot(t, "0102", (0,), (4,))).rule == "PL-802"
    sets = [tuple(unit.id for unit in targets) for targets in fire.target_sets(t.position, ALLIED, t.hex("0102"))]
    assert sets == [(1, 3), (1,), (2,), (3,)]


@pytest.mark.rule("PL-646", "PL-802")
def test_in_a_town_riders_are_not_apart_from_their_tank() -> None:
    t = table(".\nT", unit("a_m4_75", "0101"), unit("g_pz4", "0102"), unit("g_rifle", carrier=1))
    assert not fire.is_target(t.position, ALLIED, t.unit(2))
    assert t.check(shot(t, "0102", (0,), (1,))) is None


@pytest.mark.rule("PL-806", "PL-1321")
def test_a_fort_is_one_armored_target_and_those_inside_are_none() -> None:
    t = table(open_board(1, 4), unit("a_m4_75", "0101"), unit("n_fort20", "0102"), unit("g_rifle", fort=1))
    assert t.refusal(shot(t, "0102", (0,), (2,))).rule == "PL-802"
    t.play(shot(t, "0102", (0,), (1,)), dice=[3])
    assert (t.happened(AttackRolled)[0].strength, t.happened(AttackRolled)[0].defense) == ("22", 20)
    assert [event.unit for event in t.happened(UnitDispersed)] == [1, 2]


@pytest.mark.rule("PL-1333")
def test_light_weapons_cannot_attack_a_tank_bridge_and_only_x_destroys_it() -> None:
    t = table(
        ".\n.\nR\n.",
        unit("a_rifle", "0102"),
        unit("a_155", "0102"),
        unit("n_tbridge", "0103", GERMAN),
        unit("g_rifle", "0103"),
    )
    assert t.refusal(shot(t, "0103", (0,), (2,))).rule == "PL-1333"
    assert all(order.targets != (2,) for order in fire.fire_options(t.position, ALLIED, t.unit(0)))
    assert [order.firers for order in fire.fire_options(t.position, ALLIED, t.unit(1)) if order.targets == (2,)] == [
        (1,)
    ]
    t.play(shot(t, "0103", (1,), (2,)), dice=[3])
    assert [type(event) for event in t.events] == [UnitsFired, AttackRolled]
    assert not t.unit(2).dispersed


@pytest.mark.rule("PL-801", "PL-802")
def test_an_order_that_names_nonsense_is_refused_and_never_fails() -> None:
    t = duel()
    place = t.hex("0105")
    for order in (
        DirectFire((), place, ids(1)),
        DirectFire(ids(0, 0), place, ids(1)),
        DirectFire(ids(-1), place, ids(1)),
        DirectFire(ids(7), place, ids(1)),
        DirectFire(ids(1), place, ids(1)),
        DirectFire(ids(0), place, ()),
        DirectFire(ids(0), place, ids(1, 1)),
        DirectFire(ids(0), place, ids(-2)),
        DirectFire(ids(0), HexId(0), ids(1)),
        DirectFire(ids(0), HexId(-5), ids(1)),
        DirectFire(ids(0), HexId(10**9), ids(1)),
        DirectFire(ids(0), t.hex("0104"), ids(1)),
        DirectFire(ids(0), t.hex("0101"), ids(0)),
    ):
        assert t.refusal(order).rule in ("PL-801", "PL-802")


# --- strength and odds ----------------------------------------------------------------------------------------------


@pytest.mark.rule("PL-806", "PL-807", "PL-808")
def test_class_i_cannot_take_part_against_an_evenly_divided_target() -> None:
    t = table(
        open_board(1, 4), unit("g_rifle", "0101"), unit("a_m4_75", "0102"), unit("a_rifle", "0102"), phasing=GERMAN
    )
    assert t.refusal(shot(t, "0102", (0,), (1, 2))).rule == "PL-807"
    assert t.check(shot(t, "0102", (0,), (2,))) is None


@pytest.mark.rule("PL-832")
def test_odds_worse_than_1_to_4_are_not_allowed() -> None:
    t = table(open_board(1, 4), unit("a_scout", "0101"), unit("g_rifle", "0102"))
    assert t.refusal(shot(t, "0102", (0,), (1,))) == Refusal(RuleId("PL-832"), "1 against 8 is worse than 1-4")
    assert list(fire.fire_options(t.position, ALLIED, t.unit(0))) == []


@pytest.mark.rule("PL-1605")
def test_a_halved_defense_is_rounded_up() -> None:
    t = table(open_board(1, 4), unit("g_rifle", "0101"), unit("b_commando", "0102"), phasing=GERMAN)
    attack = fire.direct_attack(
        t.position, GERMAN, (t.unit(0),), t.hex("0102"), (t.unit(1),), defense_halved=True, group="", rule="PL-1602"
    )
    assert isinstance(attack, Attack)
    assert (attack.strength, attack.defense, attack.odds, attack.rule) == (Fraction(3), 3, "1-1", "PL-1602")
    assert attack.tallies.defense.lines[-1].rule == "PL-1605"


@pytest.mark.rule("PL-835")
def test_one_dispersed_unit_gives_the_whole_target_the_modifier() -> None:
    t = table(open_board(1, 4), unit("a_m4_75", "0101"), unit("g_pz4", "0102", dispersed=1), unit("g_lynx", "0102"))
    t.play(shot(t, "0102", (0,), (1, 2)), dice=[2])
    (rolled,) = t.happened(AttackRolled)
    assert (rolled.drm, rolled.odds, rolled.result) == (-1, "1-1", "DD")
    # judged unit by unit: the dispersed one is removed, the other dispersed (PL-903)
    assert [event.unit for event in t.happened(UnitDestroyed)] == [1]
    assert [event.unit for event in t.happened(UnitDispersed)] == [2]


# --- consequences ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("PL-722")
def test_fire_out_of_cover_gives_the_firer_away() -> None:
    t = table("W\n.\n.\n.", unit("a_m4_75", "0101"), unit("g_pz4", "0104"), unit("g_pz4", "0103"))
    t.play(shot(t, "0104", (0,), (1,)), dice=[6])
    assert t.events[-1] == Sighted((Sighting(U(0), t.hex("0101"), 1, ids(1, 2)),))


@pytest.mark.rule("PL-1324")
def test_fire_at_enemies_on_top_of_ones_own_fort_is_rolled_again_against_the_fort() -> None:
    t = table(
        open_board(1, 4),
        unit("n_fort20", "0102"),
        unit("g_rifle", fort=0),
        unit("a_rifle", "0102"),
        unit("g_pz4", "0101"),
        unit("g_smg", "0101"),
        phasing=GERMAN,
    )
    t.play(shot(t, "0102", (3, 4), (2,)), dice=[6, 1])
    top, fort = t.happened(AttackRolled)
    assert (top.strength, top.defense, top.targets, top.group) == ("13", 6, (2,), FIRE)
    # the tank doubles against the armored fort, the infantry can't harm it
    assert (fort.strength, fort.defense, fort.targets, fort.group, fort.rule) == ("28", 20, (0,), "", "PL-1324")
    assert fort.attackers == (3,)
    assert [event.unit for event in t.happened(UnitDispersed)] == [0, 1]


@pytest.mark.rule("PL-1324", "PL-1322")
def test_those_inside_who_fire_at_enemies_on_top_do_not_hit_their_own_fort() -> None:
    t = table(
        open_board(1, 4), unit("n_fort20", "0102"), unit("g_smg", fort=0), unit("a_rifle", "0102"), phasing=GERMAN
    )
    t.play(shot(t, "0102", (1,), (2,)), dice=[6])
    assert len(t.happened(AttackRolled)) == 1


# --- options --------------------------------------------------------------------------------------------------------


def crowd() -> Table:
    return table(
        """
        . . . . . .
        . W . T . .
        . . . . . .
        . . S . . .
        """,
        unit("a_m4_75", "0101"),
        unit("a_rifle", "0302"),
        unit("a_priest", "0501", fired=True),
        unit("a_81mm", "0604"),
        unit("a_truck", "0601"),
        unit("a_rifle", "0601", carrier=4),
        unit("a_m4_75", "0501", dispersed=1),
        unit("g_pz4", "0304"),
        unit("g_rifle", carrier=7),
        unit("g_rifle", "0402"),
        unit("g_truck", "0402"),
        unit("g_smg", "0202"),
        unit("g_pz4", "0304", attacked=(FIRE,)),
    )


@pytest.mark.rule("PL-805")
def test_every_option_is_a_lawful_order_and_joint_fire_is_among_them() -> None:
    t = crowd()
    made = {u.id: list(fire.fire_options(t.position, ALLIED, u)) for u in t.position.units}
    for number, options in made.items():
        assert len(set(options)) == len(options)
        for order in options:
            assert isinstance(order, DirectFire)
            assert order.firers[0] == number
            assert t.check(order) is None
    assert {number for number, options in made.items() if options} == {0, 1, 3}
    assert any(len(order.firers) > 1 for options in made.values() for order in options)
    assert DirectFire(ids(0), t.hex("0202"), ids(11)) in made[U(0)]
    assert all(12 not in order.targets for options in made.values() for order in options)


@pytest.mark.rule("PL-504")
def test_the_step_is_passed_over_when_nobody_can_fire() -> None:
    assert fire.may_fire(crowd().position)
    t = duel()
    assert fire.may_fire(t.position)
    t.change(0, fired=True)
    assert not fire.may_fire(t.position)
    t.set(naval={ALLIED: 20})
    assert fire.may_fire(t.position)
    assert not fire.may_fire(duel(terrain="W").position)
    assert not fire.may_fire(table(open_board(1, 3), unit("a_truck", "0101"), unit("g_pz4", "0102")).position)


@pytest.mark.rule("PL-805")
def test_a_random_shot_is_one_of_the_options() -> None:
    t = crowd()
    for u in t.position.units:
        options = set(fire.fire_options(t.position, ALLIED, u))
        picked = {fire.pick_fire(t.position, ALLIED, u, PromptDice("lots", number)) for number in range(40)}
        assert options.issuperset(picked) or (picked == {None} and not options)
        assert len(picked) > 1 or len(options) <= 1


@pytest.mark.rule("PL-805", "PL-832")
def test_a_random_shot_passes_over_hexes_at_which_the_unit_can_only_look() -> None:
    t = table(open_board(1, 4), unit("a_scout", "0102"), unit("g_rifle", "0101"), unit("g_truck", "0103"))
    picked = {fire.pick_fire(t.position, ALLIED, t.unit(0), PromptDice("lots", number)) for number in range(9)}
    assert picked == {DirectFire(ids(0), t.hex("0103"), ids(2))}
    t.change(2, hex=0)
    assert fire.pick_fire(t.position, ALLIED, t.unit(0), PromptDice("lots")) is None
    t.change(1, hex=0)
    assert fire.pick_fire(t.position, ALLIED, t.unit(0), PromptDice("lots")) is None


@pytest.mark.rule("PL-721")
def test_who_stands_beside_the_woods_spots_for_those_who_are_far_unless_dispersed() -> None:
    t = table("W\n.\n.\n.", unit("a_m4_75", "0102"), unit("a_m4_75", "0104"), unit("g_pz4", "0101"))
    assert {order.firers for order in fire.fire_options(t.position, ALLIED, t.unit(0))} == {(0,), (0, 1)}
    t.change(0, dispersed=1)
    assert list(fire.fire_options(t.position, ALLIED, t.unit(1))) == []


@pytest.mark.rule("PL-832")
def test_a_shot_too_weak_alone_is_offered_together() -> None:
    t = table(open_board(1, 4), unit("a_scout", "0101"), unit("a_scout", "0101"), unit("g_rifle", "0102"))
    (order,) = fire.fire_options(t.position, ALLIED, t.unit(0))
    assert order == DirectFire(ids(0, 1), t.hex("0102"), ids(2))


# --- facing ---------------------------------------------------------------------------------------------------------


def gun(**changes: Any) -> Table:
    return table(
        open_board(1, 4),
        unit("g_88", "0101", **changes),
        unit("g_truck", "0101"),
        phasing=GERMAN,
        step="foot movement",
        options={"field_of_fire": True},
    )


@pytest.mark.rule("PL-1608")
def test_a_gun_is_turned_toward_another_direction() -> None:
    t = gun()
    t.play(SetFacing(U(0), 3))
    assert t.events == (FacingSet(U(0), 3),)
    assert t.unit(0).facing == 3
    assert [order.facing for order in fire.facing_options(t.position, GERMAN, t.unit(0))] == [0, 1, 2, 4, 5]


@pytest.mark.rule("PL-602", "PL-643", "PL-1608")
def test_a_gun_that_fired_is_dispersed_or_is_aboard_is_not_turned() -> None:
    for changes, rule in (
        ({"fired": True}, "PL-602"),
        ({"dispersed": 1}, "PL-602"),
        ({"carrier": 1}, "PL-643"),
        ({"hex": 0}, "PL-1608"),
        ({"side": ALLIED}, "PL-1608"),
        ({"kind": "g_120mm"}, "PL-1608"),
    ):
        t = gun()
        t.change(0, **changes)
        assert t.refusal(SetFacing(U(0), 3)).rule == rule
    t = gun()
    for number, facing in ((0, 0), (0, 6), (0, -1), (9, 1), (-1, 1)):
        assert t.refusal(SetFacing(U(number), facing)).rule == "PL-1608"


@pytest.mark.rule("PL-1608")
def test_without_the_option_no_gun_is_turned() -> None:
    t = table(open_board(1, 4), unit("g_88", "0101"), phasing=GERMAN)
    assert t.refusal(SetFacing(U(0), 3)).rule == "PL-1608"
    assert list(fire.facing_options(t.position, GERMAN, t.unit(0))) == []


@pytest.mark.rule("PL-836")
def test_shots_that_no_die_makes_good_are_offered_last_and_warned_of() -> None:
    t = table("...B", unit("g_75pak", "0101"), unit("a_rifle", "0401"), unit("b_crocodile", "0401"), phasing=GERMAN)
    both, rifle, tank = ids(1, 2), ids(1), ids(2)
    assert [order.targets for order in fire.fire_offers(t.position, GERMAN, t.unit(0))] == [rifle, tank, both]
    warnings = [warn_of_fire(t.position, GERMAN, DirectFire(ids(0), t.hex("0401"), aim)) for aim in (rifle, both)]
    assert warnings == ["", "No die would do any harm (PL-836)."]
