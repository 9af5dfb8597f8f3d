"""Indirect fire: who may, who watches for the guns, what it does to everybody in the hex, and what is told of it."""

from __future__ import annotations

import re
from typing import Any

import pytest

from sandtable.kernel.forecast import Forecast, forecast
from sandtable.kernel.ids import NOWHERE, SPECTATORS, UnitId
from sandtable.kernel.ruleset import Selection
from sandtable.rulesets.panzer_battles import victory
from sandtable.rulesets.panzer_battles.events import MoveStopped, Struck
from sandtable.rulesets.panzer_battles.fire import direct, indirect, opportunity
from sandtable.rulesets.panzer_battles.fire.costs import bombardment_cost, fire_cost
from sandtable.rulesets.panzer_battles.fire.counterbattery import nearest_enemy
from sandtable.rulesets.panzer_battles.fire.eligibility import cannot_fire
from sandtable.rulesets.panzer_battles.fire.events import Bombarded, FirePolicySet
from sandtable.rulesets.panzer_battles.fire.orders import Bombard, KeepBombarding, KeepFiring, SetPolicy
from sandtable.rulesets.panzer_battles.fire.policy import UNRESTRICTED, farthest, firing_type, target_type
from sandtable.rulesets.panzer_battles.fire.prospects import answer_odds, threats_to
from sandtable.rulesets.panzer_battles.fire.shelling import salvo
from sandtable.rulesets.panzer_battles.kinds import KINDS
from sandtable.rulesets.panzer_battles.model import ALLIED, AXIS, LOST_UNSEEN, NO_FACING, TRAVEL, Feature
from sandtable.rulesets.panzer_battles.movement.moves import SPENT
from sandtable.rulesets.panzer_battles.orderbook import BOOK
from sandtable.rulesets.panzer_battles.orders import EndTurn, Fire, Move
from sandtable.rulesets.panzer_battles.spotting.events import Reported
from sandtable.rulesets.panzer_battles.spotting.levels import SPOTTED, level
from tests.rulesets.panzer_battles.table import HIGHEST, ONE, RULES, AllHighest, Table, U, table, unit

ROW = ". " * 24
FIELD = f"{ROW}\n{ROW}\n{ROW}"
WOODS = f"{'. ' * 10}F {'. ' * 13}\n{'. ' * 10}F {'. ' * 13}\n{'. ' * 10}F {'. ' * 13}"
"""Woods in the eleventh column that nobody sees through."""


PARTISANS = next(key for key, kind in KINDS.items() if kind.has("partisan"))


def battery(*others: Any, rows: str = WOODS, **drawn: Any) -> Table:
    """American howitzers, a spotter beyond the woods, and an enemy company in front of it."""
    return table(
        rows, unit("us_m2a1", "0102"), unit("us_rifle_coy", "1402"), unit("de_rifle_coy", "1702"), *others, **drawn
    )


def target(t: Table, label: str = "1702") -> Bombard:
    return Bombard(U(0), t.hex(label))


def odds(t: Table, order: Any) -> Forecast:
    found = forecast(RULES, t.view(t.position.active), order)
    assert isinstance(found, Forecast)
    return found


# --- who may --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PB-FIRE-2", "PB-FIRE-6", "PB-OOB-13")
def test_guns_fire_indirectly_into_a_hex_that_a_spotter_of_the_side_sees() -> None:
    t = battery()
    assert t.check(target(t)) is None
    assert t.refusal(Bombard(U(1), t.hex("1702"))).reason == "it does not fire indirectly"
    assert t.refusal(target(t, "2402")).rule == "PB-SPOT-17"
    t.change(0, mode=TRAVEL)
    assert t.refusal(target(t)).reason == "nobody fires indirectly on the march"
    t.change(0, mode="deployed", unavailable=True)
    assert t.refusal(target(t)).rule == "PB-SUP-28"
    t.change(0, unavailable=False, setup_required=True)
    assert t.refusal(target(t)).rule == "PB-SUP-40"
    t.change(0, setup_required=False, broken=True)
    assert t.refusal(target(t)).rule == "PB-FIRE-8"
    assert t.refusal(Bombard(U(2), t.hex("1402"))).rule == "PB-GEN-3"
    assert t.refusal(Bombard(U(0), 99999)).rule == "PB-FIRE-8"


@pytest.mark.rule("PB-FIRE-2", "PB-FIRE-13", "PB-FIRE-21")
def test_range_own_units_and_facing_bound_indirect_fire() -> None:
    t = battery(unit("us_m2a1", "1602"), unit("us_m2a1", "1401", facing=0))
    mortar = table(FIELD, unit("de_81mortar", "0102", side=ALLIED), unit("de_rifle_coy", "1202"))
    assert mortar.refusal(Bombard(U(0), mortar.hex("1202"))).detail == "11 hexes away"
    assert t.refusal(target(t, "1602")).rule == "PB-FIRE-13"
    assert t.refusal(Bombard(U(4), t.hex("1702"))).rule == "PB-FIRE-21"
    assert t.refusal(Bombard(U(0), 99999)).reason == "that is off the map"


@pytest.mark.rule("PB-FIRE-3", "PB-FIRE-4", "PB-FIRE-5")
@pytest.mark.parametrize(
    ("state", "rule"),
    [
        ({"broken": True}, "PB-FIRE-3"),
        ({"carrier": 0}, "PB-FIRE-3"),
        ({"moved": True}, "PB-FIRE-4"),
        ({"fired": True}, "PB-FIRE-4"),
        ({"kind": PARTISANS}, "PB-FIRE-5"),
        ({"flags": ("partisan",)}, "PB-FIRE-5"),
    ],
)
def test_who_moved_fired_or_is_broken_directs_no_fire(state: dict[str, Any], rule: str) -> None:
    t = battery(unit("us_rifle_coy", "1502", broken=True))
    assert t.check(target(t)) is None
    t.change(1, **state)
    assert t.refusal(target(t)).rule == rule


@pytest.mark.rule("PB-FIRE-2", "PB-SPOT-25")
def test_fire_on_a_hex_that_was_reported_and_that_nobody_sees_is_directed_by_nobody() -> None:
    t = battery(unit("de_rifle_coy", "1802"))
    t.change(1, hex=t.hex("0102"))
    t.set(sightings={ALLIED: {U(2): SPOTTED}})
    assert t.refusal(target(t)).reason == "nobody sees the hex who could direct the fire"


@pytest.mark.rule("PB-FIRE-14", "PB-GEN-17")
def test_an_indirect_fire_costs_half_and_two_are_a_turn() -> None:
    t = battery()
    whole = t.unit(0).mp
    t.play(target(t), AllHighest())
    assert t.unit(0).mp == whole - (whole + 1) // 2
    assert t.unit(0).halves == 1
    t.play(target(t), AllHighest())
    assert t.unit(0).mp == 0
    assert t.refusal(target(t)).rule == "PB-FIRE-14"
    t.change(0, mp=5, halves=1, moved=True)
    assert t.refusal(target(t)).rule == "PB-FIRE-14"


@pytest.mark.rule("PB-FIRE-15")
def test_ships_pay_twice_for_a_fire() -> None:
    t = table(FIELD, unit("uk_destroyer", "0102"), unit("de_rifle_coy", "0302"))
    whole = t.unit(0).mp
    assert bombardment_cost(t.position, t.unit(0)) == whole
    assert fire_cost(t.position, t.unit(0)) == -(-2 * whole // 3)


@pytest.mark.rule("PB-FIRE-19", "PB-FIRE-18")
def test_no_more_than_so_much_falls_on_one_hex_in_a_turn() -> None:
    t = battery()
    t.set(shells={t.hex("1702"): 740})
    assert t.refusal(target(t)).rule == "PB-FIRE-19"
    t.set(shells={}, shots={t.hex("0102"): 1490})
    assert t.refusal(target(t)).rule == "PB-FIRE-18"
    t.set(shots={})
    t.play(target(t), AllHighest())
    assert t.position.shells == {t.hex("1702"): 40}
    assert t.known(AXIS).shells == {}


# --- what it does ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("PB-FIRE-11", "PB-CRT-20", "PB-SPOT-17")
def test_every_enemy_in_the_hex_gets_its_share_seen_or_not() -> None:
    t = battery(unit("de_pz4h", "1702"), unit("de_rifle_plt", "1702", concealed=True))
    found = salvo(t.position, t.unit(0), t.hex("1702"))
    assert [one.id for one in found.targets] == [2, 3, 4]
    assert sum(found.shares) == pytest.approx(1)
    t.play(target(t), AllHighest())
    assert [one.unit for one in t.only(Bombarded).struck] == [2, 3, 4]
    assert [one.unit for one in t.heard(ALLIED, Bombarded)[0].struck] == [2, 3]
    assert [one.unit for one in t.heard(AXIS, Bombarded)[0].struck] == [2, 3, 4]
    assert t.heard(AXIS, Bombarded)[0].unit == -1
    assert t.unit(4).attacked


@pytest.mark.rule("PB-FIRE-63", "PB-UNIT-8")
def test_of_enemies_nobody_saw_the_firer_learns_no_result_not_even_their_end() -> None:
    t = battery(unit("de_rifle_plt", "1602", strength=1, concealed=True), options={"fire_by_map": True})
    t.change(3, hex=t.hex("1902"))
    t.play(target(t, "1902"), dice=[HIGHEST, ONE])
    assert t.unit(3).gone == LOST_UNSEEN
    assert t.heard(ALLIED, Bombarded)[0].struck == ()
    assert t.known(ALLIED).units[3].gone == ""
    assert t.known(ALLIED).losses == {}
    assert t.known(SPECTATORS).losses == {}
    assert t.known(AXIS).units[3].gone == "eliminated"
    assert t.known(AXIS).losses == {AXIS: {"de_rifle_plt": 1}}
    assert t.position.hidden_losses == {AXIS: {"de_rifle_plt": 1}}
    assert RULES.known(t.position, AXIS).losses == t.known(AXIS).losses
    assert victory.losses_of(t.position, AXIS) == victory.losses_of(t.known(AXIS), AXIS)
    assert RULES.result((t.heard(ALLIED, Bombarded)[0],), t.view()) == "nobody saw what came of it"


@pytest.mark.rule("PB-MOVE-71", "PB-MOVE-85", "PB-FIRE-63", "PB-OPT-6")
def test_rubble_does_not_tell_who_fires_by_the_map_that_he_hit_somebody() -> None:
    rows = "\n".join([". . . V . . . . . . . ."] * 3)
    t = table(
        rows, unit("us_m2a1", "1202"), unit("us_rifle_coy", "0102"), unit("de_rifle_coy", "0402"),
        parameters={"misc": {"rubble_pct_per_1000_fire": 1000}}, options={"fire_by_map": True}, visibility=[1],
    )  # fmt: skip
    t.play(Bombard(U(0), t.hex("0402")), dice=[ONE, HIGHEST, ONE])
    ruins = {t.hex("0402"): (Feature("rubble", AXIS),)}
    assert (t.position.features, t.known(AXIS).features, t.known(ALLIED).features) == (ruins, ruins, {})
    t.change(2, hex=0)
    t.play(Move((U(1),), t.hexes("0202", "0302", "0402")))
    assert (t.at(1), t.only(MoveStopped).reason) == ("0302", SPENT)
    assert t.known(ALLIED).features == ruins


@pytest.mark.rule("PB-UNIT-15")
def test_wrecks_of_an_indirect_fire_are_seen_burning() -> None:
    t = battery(unit("de_pz4h", "1702", strength=1))
    t.change(2, hex=0)
    t.play(target(t), dice=[HIGHEST, ONE, ONE])
    assert t.known(ALLIED).wrecks == {t.hex("1702"): 1}
    assert t.known(ALLIED).losses == {AXIS: {"de_pz4h": 1}}


@pytest.mark.rule("PB-FIRE-7", "PB-FIRE-30", "PB-OPT-6", "PB-FIRE-31", "PB-FIRE-32")
def test_detached_spotters_halve_the_map_quarters_and_the_enemys_turn_takes_its_part() -> None:
    t = battery(unit("su_bn_hq", "1301"), options={"fire_by_map": True})

    def value(table: Table) -> float:
        return salvo(table.position, table.unit(0), table.hex("1702")).shots[0].value.value

    plain = value(t)
    t.change(3, hex=0)
    assert value(t) == pytest.approx(plain / 2)
    t.change(1, moved=True)
    assert value(t) == pytest.approx(plain / 4)
    assert t.check(target(t)) is None
    assert t.check(target(t, "2402")) is None
    t.set(active=AXIS)
    assert value(t) == pytest.approx(plain / 8)


@pytest.mark.rule("PB-FIRE-22")
def test_a_unit_keeps_firing_until_it_can_not() -> None:
    t = battery()
    t.play(KeepBombarding(U(0), t.hex("1702")), AllHighest())
    assert len(t.all(Bombarded)) == 2
    d = table(FIELD, unit("us_m4", "0102"), unit("de_rifle_coy", "0302"))
    d.play(KeepFiring(U(0), U(1)), AllHighest())
    assert d.unit(0).mp == 0
    assert odds(battery(), KeepBombarding(U(0), t.hex("1702"))).exact is False
    assert odds(table(FIELD, unit("us_m4", "0102"), unit("de_rifle_coy", "0302")), KeepFiring(U(0), U(1))).error == 1.0


# --- what is foreseen -----------------------------------------------------------------------------------------------


@pytest.mark.rule("PB-CRT-21", "PB-CRT-20")
def test_odds_of_an_indirect_fire_are_of_those_who_are_known() -> None:
    one = odds(battery(), target(battery()))
    assert one.exact
    assert "loses" in " ".join(branch.result for branch in one.branches)
    assert (one.tally[0].title, one.tally[1].title) == ("Loss of Rifle company #2 to be expected", "Fire value")
    t = battery(unit("de_pz4h", "1702"))
    several = odds(t, target(t))
    assert "1 of 2 units shaken or gone" in [branch.result for branch in several.branches]
    blind = battery(options={"fire_by_map": True})
    assert odds(blind, target(blind, "2402")).branches[0].result == "nobody will see what comes of it"
    assert odds(blind, target(blind, "2402")).dice, "somebody may be there, and be hit by dice"
    unknown = battery(unit("de_rifle_plt", "1702", concealed=True))
    unknown.set(sightings={ALLIED: {U(3): 1}})
    assert unknown.known(ALLIED).unknowns == (unknown.hex("1702"),)
    assert not odds(unknown, target(unknown)).exact


@pytest.mark.rule("PB-FIRE-63", "PB-SPOT-19")
@pytest.mark.parametrize("fog", [True, False])
def test_what_shells_do_to_the_concealed_is_known_to_both_sides_without_fog(fog: bool) -> None:
    deadly = {"combat": {"fire_lcv": 100_000, "fire_hcv": 100_000}}
    t = battery(unit("de_rifle_plt", "1702", concealed=True), fog=fog, parameters=deadly)
    t.play(target(t), AllHighest())
    assert t.unit(3).gone == ("lost" if fog else "eliminated")
    in_sight = {"de_rifle_coy": 140 - t.unit(2).strength}
    assert t.known(ALLIED).losses == {AXIS: in_sight if fog else {**in_sight, "de_rifle_plt": 40}}


@pytest.mark.rule("PB-FIRE-62", "PB-FIRE-63")
def test_an_indirect_fire_in_the_menu_and_in_words() -> None:
    t = battery()
    verbs = {verb.key: verb for verb in RULES.menu(t.view(), Selection((U(0),)))}
    assert [one.hex for one in verbs["bombard"].targets] == [t.hex("1702")]
    assert [one.hex for one in verbs["keep_bombarding"].targets] == [t.hex("1702")]
    assert "expected loss" in verbs["bombard"].targets[0].note
    assert RULES.why_not(t.view(), "bombard", Selection((U(0),)), Selection(hex=t.hex("1702"))) is None
    for key in ("bombard", "keep_bombarding"):
        assert RULES.why_not(t.view(), key, Selection((U(0),)), Selection(hex=t.hex("0202"))) is not None
    assert RULES.explain(t.view(), target(t))
    t.play(target(t), AllHighest())
    event = t.heard(ALLIED, Bombarded)[0]
    assert "shells 1702" in RULES.describe(event, t.view())
    assert RULES.describe(t.heard(AXIS, Bombarded)[0], t.view(AXIS)).startswith("Unseen guns shell 1702")
    assert RULES.marks(event).brief == event.brief
    assert re.fullmatch(r"\d+ men(/[DBX])?", event.brief)
    assert RULES.marks(event).start == t.hex("0102")
    assert "loses" in RULES.result((event,), t.view())
    by_map = battery(options={"fire_by_map": True})
    verbs = {verb.key: verb for verb in RULES.menu(by_map.view(), Selection((U(0),)))}
    assert len(verbs["bombard"].targets) > 40
    direct = table(FIELD, unit("us_m4", "0102"), unit("de_rifle_coy", "0302"))
    verbs = {verb.key: verb for verb in RULES.menu(direct.view(), Selection((U(0),)))}
    assert len(verbs["keep_firing"].targets) == 1
    here, there = Selection((U(0),)), Selection(hex=direct.hex("0302"))
    assert RULES.why_not(direct.view(), "keep_firing", here, there) is None
    assert RULES.why_not(direct.view(), "keep_firing", here, Selection(hex=direct.hex("0902"))) is not None


# --- counter-battery ------------------------------------------------------------------------------------------------


@pytest.mark.rule("PB-FIRE-60", "PB-OPT-5", "PB-SPOT-24", "PB-SPOT-25")
def test_guns_that_fire_out_of_sight_may_be_found_until_the_enemys_turn_ends() -> None:
    t = battery(options={"counterbattery": True})
    t.play(target(t), dice=[ONE, HIGHEST, ONE])
    assert t.only(Reported).units == (0,)
    assert t.known(AXIS).units[0].hex == t.hex("0102")
    assert level(t.position, t.unit(0)) == SPOTTED
    t.play(EndTurn(), AllHighest())
    assert t.known(AXIS).units[0].hex == t.hex("0102")
    t.play(EndTurn(), AllHighest())
    assert t.known(AXIS).units[0].hex == 0
    assert nearest_enemy(t.position, t.unit(0)) == 16
    t.change(2, hex=0)
    assert nearest_enemy(t.position, t.unit(0)) is None


@pytest.mark.rule("PB-FIRE-60")
def test_without_the_option_or_an_enemy_in_reach_nobody_listens() -> None:
    t = battery(options={"counterbattery": True}, parameters={"combat": {"counterbattery_max_range": 8}})
    t.play(target(t), dice=[ONE, HIGHEST])
    assert not t.all(Reported)
    seen = battery(rows=FIELD, options={"counterbattery": True})
    seen.play(target(seen), AllHighest())
    assert not seen.all(Reported)


# --- opportunity fire -----------------------------------------------------------------------------------------------


@pytest.mark.rule("PB-OPF-9", "PB-FIRE-32")
def test_guns_out_of_sight_take_opportunities_where_a_spotter_is_beside_the_mover() -> None:
    t = battery(active=AXIS)
    t.change(2, hex=t.hex("1602"))
    found = opportunity.chances(t.position, t.unit(2), by_moving=True)
    assert [(one.unit.id, one.indirect) for one in found] == [(0, True), (1, False)]
    assert answer_odds(t.position, found[0], t.unit(2)).mean_loss > 0
    assert answer_odds(t.position, found[1], t.unit(2)).mean_loss > 0
    assert [threat.actors for threat in threats_to(t.position, U(2))] == [(U(0),), (U(1),)]
    assert [one.indirect for one in opportunity.chances(t.position, t.unit(2), by_moving=False)] == [False]
    t.change(0, fired=True, has_shot=True)
    assert [one.unit.id for one in opportunity.chances(t.position, t.unit(2), by_moving=True)] == [1]
    t.change(0, fired=True, has_shot=False, thirds=1)
    t.change(2, hex=t.hex("1502"))
    t.play(Move((U(2),), t.hexes("1602")), dice=[ONE, ONE, HIGHEST, HIGHEST])
    assert t.all(Bombarded)[0].opportunity


class GunsAlone(AllHighest):
    """Dice that let the guns fire, and do as little harm as can be, and nobody else."""

    def face(self, sides: int, actor: UnitId) -> int:
        return sides if actor else ONE


@pytest.mark.rule("PB-OPF-9", "PB-OPF-3")
def test_guns_that_answered_may_answer_again_and_those_that_fired_in_their_turn_not_at_all() -> None:
    t = battery(active=AXIS)
    t.change(0, thirds=1)
    t.change(2, hex=t.hex("1502"))
    for place in ("1602", "1502"):
        t.play(Move((U(2),), t.hexes(place)), GunsAlone())
        assert [one.unit for one in t.all(Bombarded)] == [U(0)], "although they were set up this turn"
    t.play(EndTurn(), AllHighest())
    t.change(0, unavailable=False)
    t.play(target(t, "1502"), GunsAlone())
    t.play(EndTurn(), AllHighest())
    t.play(Move((U(2),), t.hexes("1602")), GunsAlone())
    assert not t.all(Bombarded)


@pytest.mark.rule("PB-FIRE-7", "PB-CRT-21", "PB-UNIT-18")
def test_of_enemy_spotters_whose_headquarters_are_not_known_the_forecast_makes_nothing() -> None:
    t = battery(unit("us_bn_hq", "1302", moved=True, concealed=True), rows=FIELD, active=AXIS)
    t.change(2, hex=t.hex("1602"))
    known = t.known(AXIS)
    assert known.units[1].formation == ""
    foreseen, true = (salvo(one, one.units[0], t.hex("1602")).shots[0].value for one in (known, t.position))
    assert foreseen.value == true.value


@pytest.mark.rule("PB-OPF-5", "PB-OPF-6", "PB-OPF-7")
def test_settings_of_the_side_and_of_units_bound_opportunity_fire() -> None:
    t = table(FIELD, unit("us_m4", "0102"), unit("us_57at", "0202"), unit("de_pz4h", "0702"), active=AXIS)
    assert [one.unit.id for one in opportunity.chances(t.position, t.unit(2), by_moving=True)] == [0, 1]
    t.set(active=ALLIED)
    t.play(SetPolicy(vehicles_hard="S"))
    assert t.only(FirePolicySet).units == ()
    assert t.known(AXIS).opfire == {}
    assert [one.unit.id for one in opportunity.chances(t.position, t.unit(2), by_moving=True)] == [1]
    t.play(SetPolicy((U(1),), at_guns_hard="N"))
    assert farthest(t.position, t.unit(1), t.unit(2), 6) == 0
    assert not opportunity.chances(t.position, t.unit(2), by_moving=True)
    assert t.heard(AXIS, FirePolicySet) == []
    card = RULES.card(t.view(), U(1))
    assert card is not None
    assert "never" in [line.value for section in card.sections for line in section.lines]
    assert RULES.describe(t.only(FirePolicySet), t.view()).startswith("Opportunity fire is settled for")


@pytest.mark.rule("PB-OPF-7")
def test_the_form_of_the_settings_is_for_the_side_or_for_those_picked() -> None:
    t = table(FIELD, unit("us_m4", "0102"), unit("us_57at", "0202"), unit("de_pz4h", "2402"))
    verbs = {verb.key: verb for verb in RULES.menu(t.view(), Selection())}
    assert [one.order for one in verbs["policy"].targets] == [SetPolicy()]
    assert [field.name for field in verbs["policy"].form][::3] == ["vehicles_foot", "at_guns_foot"], "what the side has"
    alone = {verb.key: verb for verb in RULES.menu(t.view(), Selection((U(1),)))}
    assert [field.name for field in alone["policy"].form] == ["at_guns_foot", "at_guns_soft", "at_guns_hard"]
    (letters,) = RULES.explain(t.view(), SetPolicy())
    assert [(line.label, line.value) for line in letters.lines][::3] == [("never", "N"), ("as far as it reaches", "L")]
    verbs = {verb.key: verb for verb in RULES.menu(t.view(), Selection((U(0), U(1))))}
    assert SetPolicy((U(0), U(1))) in [one.order for one in verbs["policy"].targets]
    assert t.refusal(SetPolicy((U(0), U(0)))).rule == "PB-OPF-7"
    assert t.refusal(SetPolicy((U(2),))).rule == "PB-GEN-3"
    assert RULES.why_not(t.view(), "policy", Selection((U(0),)), Selection(hex=t.hex("0102"))) is None
    point = BOOK.of(SetPolicy()).point
    assert point(t.position, ALLIED, [t.unit(0), t.unit(1)], Selection(hex=t.hex("0102"))) == SetPolicy((U(0), U(1)))
    assert RULES.order_text(SetPolicy(), t.view()) == "settle the opportunity fire of the side"
    bare = table(FIELD, unit("de_pz4h", "0202"))
    verbs = {verb.key: verb for verb in RULES.menu(bare.view(), Selection())}
    assert verbs["policy"].refusal is not None


@pytest.mark.rule("PB-OPF-6")
def test_as_which_type_units_fire_and_are_fired_at() -> None:
    t = table(
        FIELD, unit("us_m4", "0102"), unit("us_57at", "0202"), unit("us_m2a1", "0302"), unit("su_maxim_coy", "0402"),
        unit("su_rifle_coy", "0502"), unit("us_aib_coy", "0602", mode=TRAVEL), unit("us_aib_coy", "0702"),
        unit("de_truck", "0802"),
    )  # fmt: skip
    kinds = [firing_type(one) for one in t.position.units]
    assert kinds[:5] == ["vehicles", "at_guns", "guns", "heavy", "infantry"]
    assert [target_type(one) for one in t.position.units] == [
        "hard", "soft", "soft", "foot", "foot", "hard", "foot", "soft"
    ]  # fmt: skip
    assert len(UNRESTRICTED) == 15


@pytest.mark.rule("PB-FIRE-61")
def test_shells_may_bring_houses_down() -> None:
    crumbling = {"misc": {"rubble_pct_per_1000_fire": 1000}}
    rows = "\n".join([ROW.replace(". " * 24, ". " * 16 + "V " + ". " * 7)] * 3)
    t = battery(rows=rows, parameters=crumbling)
    t.play(target(t), dice=[ONE, HIGHEST, ONE])
    assert [one.kind for one in t.position.features[t.hex("1702")]] == ["rubble"]


@pytest.mark.rule("PB-FIRE-12", "PB-OPT-14")
def test_direct_fire_hits_one_unit_of_a_hex_alone() -> None:
    t = table(FIELD, unit("us_m4", "0102"), unit("de_rifle_coy", "0302"), unit("de_rifle_plt", "0302"))
    t.play(Fire(U(0), U(1)), AllHighest())
    assert [one.unit for one in t.all(Struck)] == [1]
    assert t.unit(2).strength == t.unit(2).full


@pytest.mark.rule("PB-OPT-1")
def test_fog_of_war_is_an_option() -> None:
    hidden = unit("de_rifle_plt", "1702", concealed=True)
    assert battery(hidden).known(ALLIED).units[3].hex == 0
    assert battery(hidden, fog=False).known(ALLIED).units[3].hex != 0


@pytest.mark.rule("PB-FIRE-34", "PB-FIRE-35")
def test_artillery_at_tanks_nearby_and_siege_guns_at_pillboxes_on_the_table() -> None:
    t = table(FIELD, unit("us_m2a1", "0102"), unit("de_pz4h", "0402"), unit("us_rifle_coy", "0302"))

    def labels(table: Table, label: str) -> list[str]:
        (shot,) = salvo(table.position, table.unit(0), table.hex(label)).shots
        return [line.label for line in shot.value.tallies[0].lines]

    assert "artillery at a hard target nearby" in labels(t, "0402")
    t.change(1, hex=t.hex("0802"))
    assert "artillery at a hard target nearby" not in labels(t, "0802")
    siege = table(
        FIELD, unit("de_moerser210", "0102", side=ALLIED), unit("de_rifle_coy", "2002"),
        features={"2002": [Feature("pillbox", AXIS)]},
    )  # fmt: skip
    assert "siege gun at a pillbox" in labels(siege, "2002")


@pytest.mark.rule("PB-FIRE-60", "PB-FIRE-63")
def test_guns_that_are_not_found_and_a_fire_without_fog() -> None:
    t = battery(options={"counterbattery": True})
    t.play(target(t), AllHighest())
    assert not t.all(Reported)
    clear = battery(fog=False, options={"fire_by_map": True})
    clear.play(target(clear), AllHighest())
    assert clear.heard(AXIS, Bombarded)[0].unit == 0
    clear.play(target(clear, "2402"), AllHighest())
    assert clear.only(Bombarded).struck == ()
    assert list(indirect.keep_bombarding_options(t.position, ALLIED, t.unit(0))) == []
    assert list(direct.keep_firing_options(t.position, ALLIED, t.unit(0))) == []
    assert list(indirect.bombard_options(clear.position, ALLIED, clear.unit(0))) == []


@pytest.mark.rule("PB-OPF-9", "PB-FIRE-8")
def test_guns_that_face_elsewhere_or_are_on_a_train_take_no_opportunity() -> None:
    t = battery(active=AXIS)
    t.change(2, hex=t.hex("1602"))
    t.change(0, facing=5)
    assert [one.unit.id for one in opportunity.chances(t.position, t.unit(2), by_moving=True)] == [1]
    t.change(0, hex=NOWHERE, facing=NO_FACING)
    assert [one.unit.id for one in opportunity.chances(t.position, t.unit(2), by_moving=True)] == [1], "it is gone"
    t.set(active=ALLIED)
    t.change(1, mode="rail")
    assert t.refusal(Fire(U(1), U(2))).reason == "nobody fires from a train"
    t.change(1, mode="deployed", carrier=U(0))
    barred = cannot_fire(t.position, t.unit(1))
    assert barred is not None
    assert barred.reason == "passengers do not fire"
