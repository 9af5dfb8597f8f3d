"""Corps attachments: who can be given to whom, when, and what it changes."""

from __future__ import annotations

import pytest

from sandtable.kernel.ids import SPECTATORS
from sandtable.kernel.ruleset import Selection
from sandtable.rulesets.panzer_battles import forces, names
from sandtable.rulesets.panzer_battles.assault.situations import organization
from sandtable.rulesets.panzer_battles.formations import headquarters, parent
from sandtable.rulesets.panzer_battles.model import ALLIED, AXIS
from sandtable.rulesets.panzer_battles.orderbook import BOOK
from sandtable.rulesets.panzer_battles.organization.attaching import changing_level, movable, takers
from sandtable.rulesets.panzer_battles.organization.events import Attached
from sandtable.rulesets.panzer_battles.organization.orders import Attach
from sandtable.rulesets.panzer_battles.scenario import FormationEntry as Entry
from tests.rulesets.panzer_battles.table import RULES, Table, U, coming, table, unit

MIDNIGHT, NOON = 24 * 60, 12 * 60

CORPS = (
    Entry("army", "The Army", "allied", "army"),
    Entry("first", "First Corps", "allied", "corps", "army"),
    Entry("second", "Second Corps", "allied", "corps", "army"),
    Entry("division", "The Division", "allied", "division", "first"),
    Entry("battalion", "The Battalion", "allied", "battalion", "division"),
    Entry("third", "Third Corps", "axis", "corps"),
    Entry("regiment", "The Regiment", "axis", "regiment"),
)

SOVIETS = (
    Entry("fifth", "Fifth Army", "allied", "army"),
    Entry("sixth", "Sixth Army", "allied", "army"),
    Entry("tanks", "Tank Corps", "allied", "corps", "fifth"),
    Entry("brigade", "The Brigade", "allied", "brigade", "tanks"),
    Entry("rifles", "The Rifles", "allied", "division", "fifth"),
    Entry("other", "Other Corps", "allied", "corps", "sixth"),
    Entry("regiment", "The Regiment", "axis", "regiment"),
)


def corps_table(**changes: object) -> Table:
    """A battalion of the First Corps, the staffs of its division and of both corps, and an enemy far away."""
    return table(
        ". . . . . . . . . . . .\n" * 3,
        unit("us_rifle_coy", "0101", formation="battalion"),
        unit("us_bn_hq", "0102", formation="division"),
        unit("us_bn_hq", "0201", formation="first"),
        unit("us_bn_hq", "0301", formation="second"),
        unit("us_m4", "0202", formation="first"),
        unit("de_rifle_coy", "1203", formation="regiment"),
        **{"minutes": MIDNIGHT, "formations": CORPS, **changes},  # type: ignore[arg-type]
    )


@pytest.mark.rule("PB-OOB-10", "PB-CMD-28")
def test_an_organization_of_a_corps_is_given_to_another_at_midnight() -> None:
    t = corps_table()
    assert headquarters(t.position, t.unit(1)) == t.unit(2)
    t.play(Attach(U(0), "division", "second"))
    assert t.only(Attached) == Attached(ALLIED, (), "division", "second")
    assert parent(t.position, "division") == "second"
    assert headquarters(t.position, t.unit(1)) == t.unit(3)
    assert organization(t.position, t.unit(0)) == ("division", "second")


@pytest.mark.rule("PB-OOB-10")
def test_a_unit_is_given_away_by_itself() -> None:
    t = corps_table()
    t.change(0, parts=())
    t.play(Attach(U(0), "", "second"))
    assert t.unit(0).formation == "second"
    assert headquarters(t.position, t.unit(0)) == t.unit(3)


@pytest.mark.rule("PB-OOB-10")
def test_attachments_change_in_the_midnight_turn_only() -> None:
    noon = corps_table(minutes=NOON)
    (verb,) = [one for one in RULES.menu(noon.view(), Selection((U(0),))) if one.key == "attach"]
    assert (verb.targets, verb.refusal is not None) == ((), True)
    refusal = noon.refusal(Attach(U(0), "division", "second"))
    assert (refusal.rule, "midnight" in refusal.reason) == ("PB-OOB-10", True)
    assert corps_table(minutes=MIDNIGHT + 15).check(Attach(U(0), "division", "second")) is None


@pytest.mark.rule("PB-OOB-10")
def test_what_can_be_attached_is_offered_and_nothing_else() -> None:
    t = corps_table()
    (verb,) = [one for one in RULES.menu(t.view(), Selection((U(0),))) if one.key == "attach"]
    offered = [(one.order.organization, one.order.to) for one in verb.targets]  # type: ignore[attr-defined]
    assert offered == [("", "second"), ("battalion", "second"), ("division", "second")]
    assert [one.choice for one in verb.targets][2] == "The Division to Second Corps"
    assert [one.key for one in RULES.menu(t.view(AXIS), Selection((U(5),))) if one.key == "attach"] == []
    assert t.refusal(Attach(U(0), "army", "second")).rule == "PB-OOB-11"
    assert t.refusal(Attach(U(0), "division", "first")).rule == "PB-OOB-10"
    assert t.refusal(Attach(U(0), "division", "third")).rule == "PB-OOB-10"
    assert t.refusal(Attach(U(1), "", "second")).reason == "it goes with its organization"
    assert t.refusal(Attach(U(5), "", "second")).rule == "PB-GEN-3"
    here, elsewhere = Selection(hex=t.hex("0101")), Selection(hex=t.hex("0202"))
    assert RULES.why_not(t.view(), "attach", Selection((U(0),)), here) is None
    assert RULES.why_not(t.view(), "attach", Selection((U(0),)), elsewhere) is not None
    meant = BOOK.of(Attach(U(0), "", "")).point(t.known(ALLIED), ALLIED, [t.unit(0)], here)
    assert meant == Attach(U(0), "", "second")
    assert RULES.order_text(Attach(U(0), "none", "none"), t.view()).endswith("to nobody")


@pytest.mark.rule("PB-OOB-10")
def test_who_is_in_no_corps_is_attached_nowhere() -> None:
    t = corps_table(active=AXIS)
    assert t.refusal(Attach(U(5), "", "third"), AXIS).reason == "no other corps of its side could take it"
    assert movable(t.position, t.unit(5)) == []
    assert [one.id for one in takers(t.position, t.unit(5))] == ["third"]


@pytest.mark.rule("PB-OOB-11")
def test_soviets_from_1942_on_change_armies_and_their_corps_are_fixed() -> None:
    t = table(
        ". . . .",
        unit("su_t34_76", "0101", formation="brigade"),
        unit("su_rifle_coy", "0201", formation="rifles"),
        unit("de_rifle_coy", "0401", formation="regiment"),
        minutes=MIDNIGHT,
        formations=SOVIETS,
    )
    assert changing_level(t.position, t.unit(0)) == "army"
    assert [one.id for one in movable(t.position, t.unit(0))] == ["tanks"]
    assert t.check(Attach(U(0), "tanks", "sixth")) is None
    assert t.refusal(Attach(U(0), "brigade", "sixth")).rule == "PB-OOB-11"
    assert t.refusal(Attach(U(0), "", "sixth")).reason == "it goes with its organization"
    assert t.refusal(Attach(U(0), "tanks", "other")).rule == "PB-OOB-10"
    assert t.check(Attach(U(1), "", "sixth")) is None
    t.play(Attach(U(0), "tanks", "sixth"))
    assert parent(t.position, "tanks") == "sixth"


@pytest.mark.rule("PB-OOB-11")
def test_soviets_of_1941_have_corps_like_everybody() -> None:
    units = (unit("su_t34_76", "0101", formation="brigade"), unit("de_rifle_coy", "0201", formation="regiment"))
    early = {"environment": {"date": "1941-07-05"}}
    t = table(". .", *units, minutes=MIDNIGHT, formations=SOVIETS, sections=early)
    assert changing_level(t.position, t.unit(0)) == "corps"
    assert t.check(Attach(U(0), "brigade", "other")) is None
    alone = table(". .", *units, minutes=MIDNIGHT, formations=(*SOVIETS[:1], *SOVIETS[2:5], SOVIETS[-1]))
    assert alone.refusal(Attach(U(0), "tanks", "sixth")).rule == "PB-OOB-11"


@pytest.mark.rule("PB-OOB-10")
def test_the_order_of_battle_and_the_counters_show_it_to_their_own_side_alone() -> None:
    t = corps_table()
    before = t.view().position
    t.play(Attach(U(0), "division", "second"))
    assert t.heard(ALLIED, Attached)
    assert not t.heard(AXIS, Attached)
    assert t.known(ALLIED).attachments == {"division": "second"}
    assert t.known(AXIS).attachments == {}
    assert t.known(SPECTATORS).attachments == {}
    own = forces.tree(t.view())[0].children[0]
    assert [(one.key, [child.key for child in one.children]) for one in own.children] == [
        ("first", []),
        ("second", ["second troops", "division"]),
    ]
    changes = RULES.piece_changes(before, t.view().position, ALLIED)
    assert {one.id: one.formation for one in changes.changed} == {U(2): "first", U(3): "second troops", U(4): "first"}
    assert RULES.describe(t.only(Attached), t.view()) == "The Division is attached to Second Corps"


@pytest.mark.rule("PB-OOB-10", "PB-OOB-5")
def test_an_attachment_tells_beforehand_whose_staff_it_brings() -> None:
    t = corps_table()
    (tally,) = RULES.explain(t.view(), Attach(U(4), "", "second"))
    assert [line.value for line in tally.lines] == [2, 12]
    (tally,) = RULES.explain(t.view(), Attach(U(0), "division", "second"))
    staff, over = names.unit_name(t.position, U(1)), names.unit_name(t.position, U(3))
    assert (tally.title, tally.total) == (f"Headquarters over {staff}", over), (
        "the division's staff has another over it"
    )
    t.change(3, hex=0)
    (tally,) = RULES.explain(t.view(), Attach(U(4), "", "second"))
    assert tally.total == "none"
    t.play(Attach(U(4), "", "second"))
    assert RULES.describe(t.only(Attached), t.view()).endswith("is attached to Second Corps")


def test_who_is_still_to_come_is_not_attached() -> None:
    t = corps_table()
    late = table(". .", coming("us_m4", "0101", 2, formation="division"), minutes=MIDNIGHT, formations=CORPS)
    assert late.refusal(Attach(U(0), "division", "second")).rule == "PB-UNIT-8"
    assert t.refusal(Attach(U(99), "division", "second")).rule == "PB-GEN-3"
