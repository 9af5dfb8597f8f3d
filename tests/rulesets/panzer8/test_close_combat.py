"""Close combat: section 11."""

from __future__ import annotations

import pytest

from sandtable.rulesets.panzer8 import close_combat
from sandtable.rulesets.panzer8.events import AttackRolled, CombatDeclared, CombatEnded
from sandtable.rulesets.panzer8.model import CHARGE, OVERRUN, Combat, Effect
from sandtable.rulesets.panzer8.orders import Advance, Charge, EndPhase, Fight, Overrun
from tests.rulesets.panzer8.table import RULES, Table, U, element, open_ground, table


def modifiers(t: Table, manner: str = CHARGE) -> tuple[dict[str, int], dict[str, int]]:
    """What both sides of a combat between the first two elements add."""
    odds = close_combat.combat_contest(t.position, t.element(0), t.element(0).hex, t.element(1), manner)
    attack, defense = ({line.label: int(line.value) for line in tally.lines} for tally in (odds.attack, odds.defense))
    return attack, defense


def fight(t: Table, dice: tuple[int, int], manner: str = CHARGE) -> None:
    """The first element fights the second."""
    t.set(combats=(Combat(U(0), U(1), manner),))
    t.run(close_combat.resolve_fight, t.position.active, Fight(U(0)), dice=dice)


@pytest.mark.rule("P8-11.01")
def test_infantry_engineers_cavalry_and_commanders_on_foot_charge_what_is_no_armor() -> None:
    t = table(open_ground(3, 9), element("inf_rifle", "0206"), element("inf_rifle", "0201", "german"))
    order = Charge(U(0), U(1), t.hexes("0205", "0204", "0203", "0202"))
    assert order in t.options(0, Charge)
    assert t.refusal(Charge(U(0), U(1))).rule == "P8-11.01"
    assert t.refusal(Charge(U(0), U(9))).rule == "P8-11.01"
    assert t.refusal(Charge(U(0), U(0))).rule == "P8-11.01"
    t.play(order)
    assert t.happened(CombatDeclared)[0].defender == 1
    t.change(0, acted=0)
    t.set(combats=())
    t.change(1, kind="pz4g")
    assert t.refusal(Charge(U(0), U(1))).rule == "P8-11.01"
    for kind, allowed in (("cmd_foot", True), ("eng", True), ("cav", True), ("cmd_car", False), ("mmg", False)):
        t.change(0, kind=kind, hex=t.hex("0202"))
        t.change(1, kind="inf_rifle")
        assert (t.check(Charge(U(0), U(1))) is None) == allowed
    assert t.options(0, Charge) == []


@pytest.mark.rule("P8-11.02")
@pytest.mark.rule("P8-11.05")
@pytest.mark.rule("P8-11.06")
def test_what_the_attacker_adds() -> None:
    t = table(
        open_ground(3, 9),
        element("eng", "0202", quality=1),
        element("inf_rifle", "0201", "german"),
        element("cmd_foot", "0206"),
        smoke={"0201": 9},
    )
    attack, _ = modifiers(t)
    assert attack == {"HESA value": 4, "engineers": 2, "through smoke": 1, "commander near": 1, "quality": 1}
    t.change(2, suppressed=True)
    assert "commander near" not in modifiers(t)[0]
    t.change(2, suppressed=False, hex=t.hex("0208"))
    assert "commander near" not in modifiers(t)[0]
    t.change(0, kind="cmd_foot")
    assert modifiers(t)[0] == {"fights hand to hand": 4, "quality": 1}


@pytest.mark.rule("P8-11.03")
def test_what_the_defender_adds() -> None:
    t = table(
        "oBo\nooo\nooo",
        element("inf_rifle", "0202"),
        element("eng", "0201", "german", suppressed=True),
    )
    assert modifiers(t)[1] == {"HESA value": 4, "engineers": 2, "hard cover": 2}
    t.change(1, kind="at_75")
    assert modifiers(t)[1] == {"fights hand to hand": 4, "hard cover": 2}
    t.change(1, kind="truck")
    assert modifiers(t)[1] == {"HESA value": 0, "hard cover": 2}


@pytest.mark.rule("P8-11.04")
@pytest.mark.parametrize(("letter", "rides"), [("o", True), (".", True), ("c", True), ("s", False), ("B", False)])
def test_cavalry_rides_down_what_stands_in_the_open(letter: str, rides: bool) -> None:
    t = table(f"o{letter}o\nooo", element("cav", "0202"), element("mmg", "0201", "german"))
    assert ("cavalry charges" in modifiers(t)[0]) == rides
    dug = table(
        f"o{letter}o\nooo",
        element("cav", "0202"),
        element("mmg", "0201", "german"),
        sections={"dug_in": ("0201",)},
    )
    assert "cavalry charges" in modifiers(dug)[0]


@pytest.mark.rule("P8-11.04")
def test_in_mud_cavalry_rides_down_what_stands_in_high_crops_and_not_what_stands_in_a_field() -> None:
    for letter, rides in (("c", True), ("o", False), (".", True)):
        rows = f"o{letter}o\nooo"
        mud = table(rows, element("cav", "0202"), element("inf_rifle", "0201", "german"), sections={"mud": True})
        assert close_combat.is_cavalry_ground(mud.position, mud.element(1)) == rides


@pytest.mark.rule("P8-11.06")
def test_a_commander_aboard_helps_as_one_on_foot_does() -> None:
    t = table(
        open_ground(3, 9),
        element("inf_rifle", "0205"),
        element("inf_rifle", "0204", "german"),
        element("halftrack", "0208"),
        element("cmd_foot", "", "allied", carrier=2),
    )
    assert modifiers(t)[0] == {"HESA value": 4, "commander near": 1}
    t.change(3, suppressed=True)
    assert modifiers(t)[0] == {"HESA value": 4}


@pytest.mark.rule("P8-11.06")
def test_a_charge_is_foretold_with_the_commanders_near_where_it_will_be_fought() -> None:
    t = table(
        open_ground(3, 12),
        element("inf_rifle", "0206"),
        element("inf_rifle", "0201", "german"),
        element("cmd_foot", "0210"),
    )
    charge = Charge(U(0), U(1), t.hexes("0205", "0204", "0203", "0202"))
    _, foretold, _ = t.explain(charge)
    t.play(charge)
    t.play(EndPhase())
    fought, _ = t.explain(Fight(U(0)))
    assert foretold == fought
    assert foretold.total == 4
    t.change(2, hex=t.hex("0306"))
    assert t.explain(Fight(U(0)))[0].total == 5, "4 hexes from where the charge ends"


@pytest.mark.rule("P8-11.07")
def test_an_armored_vehicle_overruns_with_8_and_no_cover_counts() -> None:
    t = table(
        "oso\nooo\nooo",
        element("sherman", "0202", quality=1),
        element("inf_rifle", "0201", "german"),
        element("cmd_foot", "0101", "german"),
    )
    assert modifiers(t, OVERRUN) == ({"tracks and guns": 8, "quality": 1}, {"HESA value": 4, "commander near": 1})
    assert t.check(Overrun(U(0), U(1))) is None
    for target in (0, 9):
        assert t.refusal(Overrun(U(0), U(target))).rule == "P8-11.07"
    t.change(1, kind="pz4g")
    assert t.refusal(Overrun(U(0), U(1))).rule == "P8-11.07"
    t.change(1, kind="inf_rifle", hex=t.hex("0301"))
    assert t.refusal(Overrun(U(0), U(1), t.hexes("0203"))).rule == "P8-11.07"
    t.change(1, hex=t.hex("0201"))
    t.change(0, kind="inf_rifle")
    assert t.refusal(Overrun(U(0), U(1))).rule == "P8-11.07"
    assert t.options(0, Overrun) == []


@pytest.mark.rule("P8-11.08")
def test_no_overrun_into_houses_or_dense_woods_or_across_a_wall() -> None:
    for letter in "BD":
        t = table(f"o{letter}o\nooo", element("sherman", "0202"), element("inf_rifle", "0201", "german"))
        assert t.refusal(Overrun(U(0), U(1))).rule == "P8-11.08"
        assert t.options(0, Overrun) == []
    walled = table(
        "ooo\nooo",
        element("sherman", "0202"),
        element("inf_rifle", "0201", "german"),
        hexsides={"wall": ["0201-0202"]},
    )
    assert walled.refusal(Overrun(U(0), U(1))).rule == "P8-11.08"


@pytest.mark.rule("P8-11.09")
@pytest.mark.rule("P8-11.10")
@pytest.mark.parametrize(
    ("dice", "result", "backfire"),
    [
        ((5, 5), "no effect", "no effect"),
        ((6, 5), "falls back", "no effect"),
        ((8, 5), "suppressed", "no effect"),
        ((10, 5), "out of action", "no effect"),
        ((5, 6), "no effect", "falls back"),
        ((5, 8), "no effect", "suppressed"),
        ((5, 10), "no effect", "out of action"),
    ],
)
def test_the_lower_total_loses(dice: tuple[int, int], result: str, backfire: str) -> None:
    t = table(open_ground(3, 9), element("inf_rifle", "0205"), element("inf_rifle", "0204", "german"))
    fight(t, dice)
    (rolled,) = t.happened(AttackRolled)
    assert (rolled.result, rolled.backfire) == (result, backfire)
    assert t.position.combats == ()


@pytest.mark.rule("P8-11.11")
def test_the_winner_may_advance_into_the_empty_hex_if_the_ground_lets_it() -> None:
    t = table(open_ground(3, 9), element("inf_rifle", "0205"), element("inf_rifle", "0204", "german"))
    fight(t, (10, 1))
    assert t.asked == "advance"
    suppressed = table(open_ground(3, 9), element("inf_rifle", "0205"), element("inf_rifle", "0204", "german"))
    fight(suppressed, (8, 5))
    assert suppressed.asked == "action"
    marsh = table("omo\nooo", element("mcycle", "0202"), element("inf_rifle", "0201", "german"))
    fight(marsh, (10, 1))
    assert marsh.asked == "action"
    beaten = table(open_ground(3, 9), element("inf_rifle", "0205"), element("inf_rifle", "0204", "german"))
    fight(beaten, (1, 10))
    assert beaten.asked == "action"


@pytest.mark.rule("P8-4.04")
@pytest.mark.rule("P8-11.12")
def test_several_attackers_fight_one_after_another_until_the_defender_has_left() -> None:
    t = table(
        open_ground(5, 9),
        element("inf_rifle", "0305"),
        element("inf_rifle", "0304", "german"),
        element("inf_rifle", "0204"),
        step="close combat",
        combats=(Combat(U(0), U(1), CHARGE), Combat(U(2), U(1), CHARGE)),
    )
    assert t.refusal(Fight(U(1))).rule == "P8-4.03"
    assert [order.unit for n in (0, 2) for order in t.options(n, Fight)] == [0, 2]
    t.play(Fight(U(2)), dice=[10, 1])
    assert [event.attacker for event in t.happened(CombatEnded)] == [2, 0]
    assert t.refusal(Fight(U(0))).rule.startswith("P8-")
    void = table(
        open_ground(5, 9),
        element("inf_rifle", "0305"),
        element("inf_rifle", "0301", "german"),
        combats=(Combat(U(0), U(1), CHARGE),),
    )
    void.run(close_combat.drop_void_combats)
    assert void.position.combats == ()


@pytest.mark.rule("P8-4.04")
@pytest.mark.rule("P8-13.02")
def test_who_may_act_twice_fights_both_whom_he_has_charged() -> None:
    t = table(
        open_ground(5, 9),
        element("inf_rifle", "0305", spare=1),
        element("inf_rifle", "0304", "german"),
        element("inf_rifle", "0405", "german"),
    )
    t.play(Charge(U(0), U(1)))
    assert t.refusal(Charge(U(0), U(1))).rule == "P8-4.04"
    assert [order.target for order in t.options(0, Charge) if not order.path] == [2]
    t.play(Charge(U(0), U(2)))
    t.play(EndPhase())
    view = RULES.view(t.state, t.decider)
    fights = [Fight(U(0), U(1)), Fight(U(0), U(2))]
    assert list(RULES.options(view, view.decisions[0])) == fights
    assert len({t.book.of(order).words(t.position, order) for order in fights}) == 2
    assert t.refusal(Fight(U(0), U(0))).rule == "P8-4.04"
    # in the order that the active player chooses
    t.play(fights[1], dice=[5, 5])
    assert [combat.defender for combat in t.position.combats] == [1]
    assert t.options(0, Fight) == [Fight(U(0))]
    t.run(close_combat.resolve_fight, t.position.active, Fight(U(0)), dice=[5, 5])
    assert t.position.combats == ()


@pytest.mark.rule("P8-11.11")
@pytest.mark.rule("P8-13.02")
def test_an_advance_enters_the_hex_mines_and_all_and_takes_an_engine_that_runs() -> None:
    t = table(open_ground(3, 9), element("sherman", "0205"), element("inf_rifle", "0204", "german"))
    t.set(effects=(Effect("E18", t.element(0).side, 1),))
    fight(t, (10, 1), OVERRUN)
    t.play(Advance(0), dice=[8, 5])
    assert t.happened(AttackRolled)[0].manner == "mines"
    assert t.element(0).suppressed
    assert t.at(0) == "0204"
    still = table(open_ground(3, 9), element("sherman", "0205"), element("inf_rifle", "0204", "german"))
    still.set(effects=(Effect("E09", still.element(0).side, 1, U(0)),))
    fight(still, (10, 1), OVERRUN)
    assert still.asked == "action"


@pytest.mark.rule("P8-11.12")
def test_a_defender_who_fell_back_has_left_even_where_another_attacker_is_next_to_him_still() -> None:
    t = table(
        open_ground(5, 9),
        element("inf_rifle", "0305"),
        element("mmg", "0304", "german"),
        element("inf_rifle", "0203"),
        step="close combat",
        combats=(Combat(U(0), U(1), CHARGE), Combat(U(2), U(1), CHARGE)),
    )
    t.play(Fight(U(0)), dice=[6, 5])
    assert t.at(1) == "0303"
    assert t.board.distance(t.hex("0203"), t.hex("0303")) == 1
    assert t.position.combats == ()


def test_a_charge_that_can_not_move_is_made_from_where_it_stands() -> None:
    t = table(open_ground(3, 9), element("inf_rifle", "0203"), element("inf_rifle", "0201", "german"))
    t.set(effects=(Effect("E09", t.element(0).side, 1, U(0)),))
    assert t.options(0, Charge) == []
    assert t.refusal(Charge(U(0), U(1), t.hexes("0202"))).rule == "P8-13.02"
    t.change(0, acted=1)
    assert t.options(0, Charge) == []
