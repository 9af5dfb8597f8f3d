"""Platoons are combined and broken down again."""

from __future__ import annotations

from copy import copy
from typing import Any

import pytest

from sandtable.kernel.ids import HexId
from sandtable.kernel.ruleset import Selection
from sandtable.rulesets.panzer_battles import describe
from sandtable.rulesets.panzer_battles.engineers import mines
from sandtable.rulesets.panzer_battles.events import SightLost
from sandtable.rulesets.panzer_battles.fire.situations import as_struck, as_target
from sandtable.rulesets.panzer_battles.kinds import KINDS
from sandtable.rulesets.panzer_battles.model import ALLIED, AXIS, COMBINED, Feature, Unit
from sandtable.rulesets.panzer_battles.operations import CLEARING, HOLDING, toward
from sandtable.rulesets.panzer_battles.orders import EndTurn, Move
from sandtable.rulesets.panzer_battles.organization import events as e
from sandtable.rulesets.panzer_battles.organization import grouping
from sandtable.rulesets.panzer_battles.organization.combining import combined
from sandtable.rulesets.panzer_battles.organization.orders import BreakDown, Combine, CombineAll
from sandtable.rulesets.panzer_battles.parameters import DEFAULTS
from sandtable.rulesets.panzer_battles.results.struck import fatigue_factor, morale_base
from sandtable.rulesets.panzer_battles.view import known_position
from tests.rulesets.panzer_battles.table import HIGHEST, RULES, AllHighest, Counter, Table, U, table, unit
from tests.rulesets.panzer_battles.test_examples import Facts, of_kind

FIELD = ". . . . .\n. . . . ."


def platoon(label: str = "0101", kind: str = "us_m4", **changes: Any) -> Counter:
    """A platoon of the company."""
    return unit(kind, label, ALLIED, **{"formation": "company", "strength": 4, "full": 5, **changes})


def pair(**changes: Any) -> Table:
    """Two platoons of the company in one hex, the second as said, and an enemy."""
    return table(FIELD, platoon(), platoon(**changes), unit("de_pz4h", "0502"))


@pytest.mark.rule("PB-UNIT-19", "PB-UNIT-21", "PB-UNIT-23", "PB-UNIT-24", "PB-UNIT-26")
def test_platoons_of_a_company_become_one_unit_with_the_worst_of_their_conditions() -> None:
    t = table(
        FIELD,
        platoon(mp=60),
        platoon(disrupted=True, low_ammo=True, fired=True, thirds=1),
        platoon(fatigue=30),
        unit("de_pz4h", "0502"),
    )
    t.play(Combine((U(0), U(1), U(2))))
    whole = t.unit(0)
    assert (whole.strength, whole.full, whole.mp, whole.fatigue) == (12, 15, 60, 10)
    assert (whole.disrupted, whole.low_ammo, whole.fired, whole.thirds) == (True, True, True, 1)
    assert whole.parts == (1, 2)
    assert [(t.at(number), t.unit(number).away) for number in (1, 2)] == [("", COMBINED)] * 2
    assert "combine" in describe.sentence(t.only(e.UnitsCombined), t.position)
    assert not t.heard(AXIS, e.UnitsCombined)


@pytest.mark.rule("PB-UNIT-21", "PB-UNIT-22", "PB-MOVE-46", "PB-MOVE-47")
def test_who_rides_on_a_part_rides_on_the_whole_which_keeps_the_vehicles_it_needs() -> None:
    riders = unit("us_rifle_coy", "0101", strength=25, full=26, carrier=U(1))
    t = table(FIELD, platoon(), platoon(strength=5), riders, unit("de_pz4h", "0502"))
    t.play(Combine((U(0), U(1))))
    assert (t.unit(2).carrier, t.unit(0).strength) == (0, 9)
    t.play(Move((U(0),), t.hexes("0102")), AllHighest())
    assert t.at(2) == "0102"
    assert t.check(BreakDown(U(0))) is None
    t.change(2, strength=26)
    assert t.refusal(BreakDown(U(0))).rule == "PB-MOVE-46"
    mixed = table(FIELD, platoon(), platoon(kind="us_m5"), riders)
    assert mixed.refusal(Combine((U(0), U(1)))).rule == "PB-MOVE-47"
    mixed.change(2, carrier=U(0))
    assert mixed.refusal(Combine((U(0), U(1)))).rule == "PB-MOVE-47"


@pytest.mark.rule("PB-UNIT-23")
def test_a_broken_part_breaks_the_whole() -> None:
    t = pair(broken=True)
    t.change(0, disrupted=True)
    t.play(Combine((U(0), U(1))))
    assert (t.unit(0).broken, t.unit(0).disrupted) == (True, False)


@pytest.mark.rule("PB-UNIT-30", "PB-ENG-7", "PB-MOVE-103")
def test_a_part_that_is_taken_out_is_at_the_work_of_the_whole_and_at_none_that_was_broken_off() -> None:
    mines = {"0101": [Feature("minefield", AXIS)]}
    at_work: dict[str, Any] = {"kind": "de_assault_pio", "operation": CLEARING, "progress": 1}
    t = table(FIELD, platoon(**at_work), platoon(**at_work), features=mines)
    t.play(Combine((U(0), U(1))))
    t.change(0, progress=2)
    apart = copy(t)
    apart.play(BreakDown(U(0)))
    assert [(unit.operation, unit.progress) for unit in apart.position.units] == [(CLEARING, 2)] * 2
    t.play(Move((U(0),), t.hexes("0102")))
    t.play(BreakDown(U(0)))
    assert [(unit.operation, unit.progress) for unit in t.position.units] == [("", 0)] * 2


@pytest.mark.rule("PB-UNIT-30", "PB-ENG-43")
def test_a_part_that_is_taken_out_leaves_the_bridge_in_hand_to_the_others() -> None:
    t = table(FIELD, platoon(kind="de_assault_pio"), platoon(kind="de_assault_pio"))
    t.play(Combine((U(0), U(1))))
    t.change(0, operation=toward(HOLDING, 3))
    t.play(BreakDown(U(0)))
    assert [unit.operation for unit in t.position.units] == [toward(HOLDING, 3), ""]


@pytest.mark.rule("PB-UNIT-23", "PB-MOVE-101", "PB-SUP-19")
def test_who_is_fixed_for_longer_than_the_night_or_supplied_for_less_holds_for_the_whole() -> None:
    fixed: dict[str, Any] = {"fixed": True}
    for others, tonight in ((fixed, False), ({**fixed, "fixed_tonight": True}, True), ({}, True)):
        t = table(FIELD, platoon(fixed=True, fixed_tonight=True, supplied_until=4), platoon(**others))
        t.play(Combine((U(0), U(1))))
        assert (t.unit(0).fixed, t.unit(0).fixed_tonight, t.unit(0).supplied_until) == (True, tonight, 0)


@of_kind("combination")
def test_what_a_combined_unit_is(situation: Facts, expected: Facts) -> None:
    parts = [
        Unit(
            U(number),
            "de_rifle_plt",
            ALLIED,
            HexId(1),
            one["strength"],
            50,
            one["q"],
            one["fatigue"],
            one["disrupted"],
            mp=one["mp"],
        )
        for number, one in enumerate(situation["parts"])
    ]
    whole = combined(parts, DEFAULTS)
    assert (whole.strength, whole.fatigue, whole.mp) == (expected["strength"], expected["fatigue"], expected["mp"])
    assert (whole.quality, whole.disrupted) == (expected["quality"], expected["disrupted"])
    size = as_struck(whole).size
    assert fatigue_factor(size, DEFAULTS) == expected["factor"]
    assert morale_base(size, DEFAULTS) == expected["base"]


@pytest.mark.rule("PB-UNIT-32", "PB-UNIT-7")
def test_two_parts_count_as_more_than_a_platoon_and_three_as_a_company() -> None:
    t = table(FIELD, platoon(), platoon(), platoon(), unit("de_pz4h", "0502"))
    plain = as_struck(t.unit(0)).size
    t.play(Combine((U(0), U(1))))
    two = as_struck(t.unit(0)).size
    t.play(Combine((U(0), U(2))))
    assert (plain, two, as_struck(t.unit(0)).size) == ("platoon", "combined2", "company")


@pytest.mark.rule("PB-UNIT-26")
def test_ratings_of_different_types_are_averaged_by_strength_and_reach_the_formulas() -> None:
    light, heavy = KINDS["us_m5"], KINDS["us_m4"]
    t = table(FIELD, platoon(strength=2), platoon(kind="us_m5", strength=6), platoon(), unit("de_pz4h", "0502"))
    t.play(Combine((U(0), U(1))))
    defense = as_target(t.position, t.unit(0)).defense
    assert defense == round((heavy.defense * 2 + light.defense * 6) / 8)
    t.play(Combine((U(0), U(2))))
    again = as_target(t.position, t.unit(0)).defense
    assert again == round((heavy.defense * 6 + light.defense * 6) / 12)
    assert t.unit(0).of.name == heavy.name


@pytest.mark.rule("PB-UNIT-19")
def test_a_staff_is_no_platoon_of_its_company() -> None:
    men = platoon(kind="de_rifle_plt", strength=30, full=40), platoon(kind="us_bn_hq", strength=20, full=20)
    for first, second in (men, men[::-1]):
        t = table(FIELD, first, second)
        assert t.refusal(Combine((U(0), U(1)))).rule == "PB-UNIT-19"


@pytest.mark.rule("PB-UNIT-24")
def test_a_unit_of_several_types_is_no_faster_in_later_turns_than_the_slowest_of_them() -> None:
    t = table(FIELD, platoon(kind="us_m5"), platoon(kind="uk_churchill7"))
    slow = KINDS["uk_churchill7"].ma
    t.play(Combine((U(0), U(1))))
    assert t.unit(0).mp == slow < KINDS["us_m5"].ma
    t.play(EndTurn())
    t.play(EndTurn())
    assert t.unit(0).mp == slow
    t.play(BreakDown(U(0)))
    assert [unit.mp for unit in t.position.units] == [slow, slow]


@pytest.mark.rule("PB-UNIT-19", "PB-UNIT-20", "PB-UNIT-22")
@pytest.mark.parametrize(
    ("other", "rule"),
    [
        ({"formation": "battalion"}, "PB-UNIT-19"),
        ({"kind": "us_rifle_coy"}, "PB-UNIT-19"),
        ({"kind": "us_57at"}, "PB-UNIT-20"),
        ({"label": "0102"}, "PB-UNIT-22"),
        ({"mode": "travel"}, "PB-UNIT-22"),
        ({"facing": 2}, "PB-UNIT-22"),
        ({"carrier": U(2)}, "PB-MOVE-49"),
        ({"digging_in": True}, "PB-UNIT-22"),
    ],
)
def test_who_can_not_be_combined(other: dict[str, Any], rule: str) -> None:
    t = pair(**other)
    assert t.refusal(Combine((U(0), U(1)))).rule == rule
    assert t.refusal(CombineAll(U(0))).rule == "PB-UNIT-31"


@pytest.mark.rule("PB-UNIT-19", "PB-UNIT-20", "PB-UNIT-22")
@pytest.mark.parametrize(
    ("other", "rule"),
    [
        ({"formation": "battalion"}, "PB-UNIT-19"),
        ({"kind": "us_57at"}, "PB-UNIT-20"),
        ({"mode": "travel"}, "PB-UNIT-22"),
        ({"digging_in": True}, "PB-UNIT-22"),
    ],
)
def test_the_menu_says_what_keeps_those_of_one_company_apart(other: dict[str, Any], rule: str) -> None:
    verbs = {verb.key: verb for verb in RULES.menu(pair(**other).view(), Selection(units=(U(0),)))}
    assert verbs["combine"].refusal is not None
    assert verbs["combine"].refusal.rule == rule
    is_alone = rule == "PB-UNIT-19"
    assert is_alone == verbs["combine"].refusal.reason.startswith("no other platoon")


@pytest.mark.rule("PB-UNIT-25", "PB-UNIT-30", "PB-UNIT-31")
def test_the_preview_tells_what_comes_of_combining_all_and_of_breaking_down() -> None:
    guns = platoon(kind="us_57at", strength=3, full=3), platoon(kind="us_57at", strength=2, full=3)
    t = table(FIELD, platoon(strength=5), platoon(), *guns, unit("de_pz4h", "0502"))
    assert [tally.total for tally in RULES.explain(t.view(), CombineAll(U(0)))] == [9, 5]
    t.play(CombineAll(U(0)))
    (tally,) = RULES.explain(t.view(), BreakDown(U(0)))
    assert (tally.total, [line.value for line in tally.lines]) == (5, [9, -4])


@pytest.mark.rule("PB-UNIT-23")
def test_the_preview_of_combining_tells_what_all_will_be_together() -> None:
    t = table(FIELD, platoon(low_fuel=True, fatigue=60), platoon(disrupted=True, low_fuel=True, fatigue=60), platoon())
    (tally,) = RULES.explain(t.view(), Combine((U(0), U(1))))
    assert [line.value for line in tally.lines if line.rule == "PB-UNIT-23"] == ["Disrupted"]
    (tally,) = RULES.explain(t.view(), Combine((U(2), U(1))))
    assert [line.value for line in tally.lines if line.rule == "PB-UNIT-23"] == ["Disrupted", "Low Fuel"]


def test_combining_takes_two_different_units_of_ones_own() -> None:
    t = pair()
    assert t.refusal(Combine((U(0), U(0)))).rule == "PB-UNIT-19"
    assert t.refusal(Combine((U(0),))).rule == "PB-UNIT-19"
    assert t.refusal(Combine((U(2), U(0)))).rule == "PB-GEN-3"
    assert t.refusal(CombineAll(U(2))).rule == "PB-GEN-3"
    assert t.refusal(BreakDown(U(2))).rule == "PB-GEN-3"


@pytest.mark.rule("PB-UNIT-31")
def test_all_groups_of_a_hex_are_combined_at_once() -> None:
    t = table(
        FIELD,
        *(platoon(), platoon(kind="us_57at"), platoon(), platoon(kind="us_57at"), unit("us_m4", "0101")),
        unit("de_pz4h", "0502"),
    )
    verbs = {verb.key: verb for verb in RULES.menu(t.view(), Selection(units=(U(0),)))}
    assert verbs["combine_all"].targets
    t.play(CombineAll(U(0)))
    assert [one.units for one in t.all(e.UnitsCombined)] == [(0, 2), (1, 3)]
    assert "combine all" in RULES.order_text(CombineAll(U(0)), t.view())


@pytest.mark.rule("PB-UNIT-31")
def test_who_is_picked_when_all_are_combined_stands_for_his_own() -> None:
    t = table(FIELD, platoon(), platoon(), platoon(), unit("de_pz4h", "0502"))
    t.play(CombineAll(U(1)))
    assert (t.at(1), t.unit(1).parts) == ("0101", (0, 2))


@pytest.mark.rule("PB-UNIT-30", "PB-ENG-7")
def test_a_part_that_is_taken_out_is_at_the_work_of_the_whole_and_at_no_other() -> None:
    sappers = [unit("de_assault_pio", "0101", ALLIED, formation="company", operation="clearing") for _ in range(2)]
    t = table(". .", *sappers, features={"0101": [Feature("minefield", AXIS, 1)]})
    t.play(Combine((U(0), U(1))))
    t.work(mines.clear, ALLIED, (HIGHEST,))
    assert (t.unit(0).operation, t.position.features) == ("", {})
    t.play(BreakDown(U(0)))
    assert [t.unit(number).operation for number in (0, 1)] == ["", ""]
    t.play(Combine((U(0), U(1))))
    t.change(0, operation="laying", progress=2)
    t.play(BreakDown(U(0)))
    assert [(t.unit(number).operation, t.unit(number).progress) for number in (0, 1)] == [("laying", 2)] * 2


@pytest.mark.rule("PB-UNIT-29", "PB-UNIT-30")
def test_breaking_down_takes_one_part_out_with_its_share_and_the_state_of_all() -> None:
    t = table(FIELD, platoon(strength=5), platoon(quality="A", disrupted=True), platoon(), unit("de_pz4h", "0502"))
    t.play(Combine((U(0), U(1), U(2))))
    t.change(0, strength=10, mp=7, fatigue=44)
    t.play(BreakDown(U(0)))
    left, part = t.unit(0), t.unit(2)
    assert (left.strength, left.full, left.parts) == (7, 10, (1,))
    assert (part.strength, part.full, part.mp, part.fatigue, part.disrupted) == (3, 5, 7, 44, True)
    assert t.at(2) == "0101"
    assert "taken out" in describe.sentence(t.only(e.UnitBrokenDown), t.position)
    t.play(BreakDown(U(0)))
    assert (t.unit(0).strength, t.unit(1).strength) == (4, 3)
    assert (t.unit(0).quality, t.unit(1).quality) == ("C", "A")
    assert t.refusal(BreakDown(U(0))).rule == "PB-UNIT-29"


@pytest.mark.rule("PB-UNIT-30")
def test_what_is_carried_or_next_to_nothing_is_not_broken_down() -> None:
    t = pair()
    t.play(Combine((U(0), U(1))))
    verbs = {verb.key: verb for verb in RULES.menu(t.view(), Selection(units=(U(0),)))}
    assert verbs["break_down"].targets
    assert "take a part" in RULES.order_text(BreakDown(U(0)), t.view())
    t.change(0, strength=1)
    assert t.refusal(BreakDown(U(0))).rule == "PB-UNIT-30"
    assert not list(grouping.breakdown_offers(t.known(ALLIED), ALLIED, t.unit(0)))
    t.change(0, strength=4, carrier=U(2))
    assert t.refusal(BreakDown(U(0))).rule == "PB-MOVE-49"
    assert grouping.no_breakdown(t.known(ALLIED), ALLIED, t.unit(0)) is not None
    assert grouping.no_union(t.known(ALLIED), t.unit(0), t.unit(0)) is not None


@pytest.mark.rule("PB-UNIT-28")
def test_the_counter_shows_how_many_units_it_stands_for() -> None:
    t = pair()

    def title(side: Any) -> str:
        return next(one.title for one in RULES.pieces(t.view(side)) if one.id == 0)

    assert title(ALLIED).endswith("[1]")
    t.play(Combine((U(0), U(1))))
    assert title(ALLIED).endswith("[2]")
    card = RULES.card(t.view(), U(0))
    assert card is not None
    assert card.sections[0].lines[0].value == "Armor, 2 combined"
    assert "[" not in title(AXIS)


def test_the_menu_offers_what_combining_would_make() -> None:
    t = pair()
    verbs = {verb.key: verb for verb in RULES.menu(t.view(), Selection(units=(U(1),)))}
    (target,) = verbs["combine"].targets
    assert target.hex == t.hex("0101")
    (tally,) = RULES.explain(t.view(), Combine((U(1), U(0))))
    assert tally.total == 8
    both = {verb.key: verb for verb in RULES.menu(t.view(), Selection(units=(U(0), U(1))))}
    assert both["combine"].targets
    assert "combine" in RULES.order_text(Combine((U(0), U(1))), t.view())
    options = [order for order in RULES.options(t.view(), t.view().decisions[0]) if isinstance(order, Combine)]
    assert options == [Combine((U(0), U(1)))]
    alone = {verb.key for verb in RULES.menu(t.view(), Selection(units=(U(0),)))}
    assert "break_down" not in alone


@pytest.mark.rule("PB-UNIT-16")
def test_the_enemy_takes_a_combined_unit_for_no_more_than_it_looks_like() -> None:
    t = table(FIELD, *(platoon(kind="de_rifle_plt", strength=48, full=50) for _ in range(3)), unit("de_pz4h", "0502"))
    t.play(Combine((U(0), U(1), U(2))))
    assert t.known(AXIS).units[0].strength == 100


@pytest.mark.rule("PB-UNIT-19", "PB-OOB-9", "PB-AIR-1", "PB-MOVE-110")
def test_the_order_of_battle_counts_who_is_combined_or_flies_as_left_and_no_others_off_the_map() -> None:
    flight = unit("il2_flight", "", ALLIED, formation="company")
    t = table(FIELD, platoon(), platoon(), platoon(), flight, unit("de_pz4h", "0502"))
    t.play(Combine((U(0), U(1))))

    def left() -> tuple[int, int]:
        own = next(army for army in RULES.tree(t.view()) if army.side == ALLIED)
        return own.left, own.initial

    assert left() == (4, 4)
    t.change(2, hex=0, away="withdrawn")
    assert left() == (3, 4)
    t.change(3, gone="eliminated")
    assert left() == (2, 4)


@pytest.mark.rule("PB-OOB-9", "PB-OOB-15")
def test_the_order_of_battle_counts_supply_columns_where_the_option_brings_them() -> None:
    for option, count in ((True, 2), (False, 1)):
        column = unit("any_supply", "0101", ALLIED, formation="company")
        t = table(FIELD, platoon(), column, unit("de_pz4h", "0502"), options={"explicit_supply": option})
        own = next(army for army in RULES.tree(t.view()) if army.side == ALLIED)
        assert own.initial == count


@pytest.mark.rule("PB-SPOT-20", "PB-SPOT-21", "PB-UNIT-18")
def test_who_is_combined_in_plain_view_goes_out_of_nobodys_sight() -> None:
    t = table(FIELD, platoon(), platoon(), unit("de_pz4h", "0502"))
    before = t.known(AXIS)
    assert [unit.hex for unit in before.units[:2]] == [t.hex("0101")] * 2
    t.play(Combine((U(0), U(1))))
    assert not t.heard(AXIS, SightLost)
    assert ([unit.hex for unit in t.known(AXIS).units[:2]], t.known(AXIS).intel) == ([t.hex("0101"), 0], {})
    made = known_position(t.position, AXIS, before)
    assert (made.units, made.intel) == (t.known(AXIS).units, {})
    t.play(BreakDown(U(0)))
    assert [unit.hex for unit in t.known(AXIS).units[:2]] == [t.hex("0101")] * 2
