"""What the console says before an order: whether it is worth a question, and its odds in words."""

from __future__ import annotations

from sandtable import registry
from sandtable.cli.advice import is_risky, odds_lines
from sandtable.content import load_shipped
from sandtable.kernel.engine import begin
from sandtable.kernel.ids import HexId, UnitId
from sandtable.kernel.state import View
from sandtable.rulesets.panzer_leader.model import ALLIED, Position
from sandtable.rulesets.panzer_leader.orders import EndPhase, MoveUnit, WriteMission
from tests.rulesets.panzer_leader.table import ids, open_board, table, unit

RULESET = registry.ruleset("panzer_leader")
PAST_THE_GUN = ("0408", "0508", "0607", "0707", "0806", "0906")


def about_to_drive(**options: bool) -> View[Position]:
    """The Shermans of the first platoon are about to move."""
    scenario = load_shipped("pl-first-platoon", registry.vocabulary("panzer_leader"))
    view = RULESET.view(begin(RULESET, scenario, dict(options), "1").state, ALLIED)
    assert view.decisions[0].kind == "vehicle movement"
    return view


def drive(view: View[Position], *labels: str) -> MoveUnit:
    sherman = next(unit.id for unit in view.position.units if unit.name == "a_m4_75-2")
    return MoveUnit(UnitId(sherman), tuple(HexId(view.position.ground.board.parse(label)) for label in labels))


def test_a_move_that_known_enemies_may_fire_at_is_asked_about() -> None:
    view = about_to_drive(opportunity_fire=True)
    assert is_risky(RULESET, view, drive(view, *PAST_THE_GUN))
    assert not is_risky(RULESET, view, drive(view, "0408"))
    assert not is_risky(RULESET, view, EndPhase())


def test_without_opportunity_fire_the_same_move_is_not() -> None:
    view = about_to_drive()
    assert not is_risky(RULESET, view, drive(view, *PAST_THE_GUN))


def test_an_order_that_leads_to_dice_later_or_is_in_vain_is_asked_about() -> None:
    t = table(open_board(14, 1), unit("a_81mm", "0301"), unit("a_rifle", "1001"), step="indirect orders")
    view, mission = RULESET.view(t.state, ALLIED), WriteMission(ids(0), t.hex("1201"))
    assert is_risky(RULESET, view, mission)
    plain = list(odds_lines(RULESET, view, mission, plain=True))
    assert any(line.startswith("In your next segment it comes down on 1201") for line in plain)
    assert plain[-1].startswith("Think it over: As things stand nobody is known to be in 1201.")
    drawn = list(odds_lines(RULESET, view, mission, plain=False))
    assert (drawn[0], drawn[-1]) == ("No dice now.", plain[-1])


def test_reactions_are_told_in_plain_words_too() -> None:
    view = about_to_drive(opportunity_fire=True)
    lines = list(odds_lines(RULESET, view, drive(view, *PAST_THE_GUN), plain=True))
    assert "If nobody reacts:" in lines
    assert any(line.endswith(" in 0806.") and "may fire at" in line for line in lines)
    assert "Result of that, no effect: 50.0 percent." in lines
    assert lines[-1] == (
        "Gets through: 100.0 percent (1) if nobody reacts, at least 50.0 percent (1/2) whatever known enemies do."
    )
    drawn = list(odds_lines(RULESET, view, drive(view, *PAST_THE_GUN), plain=False))
    assert "If nobody reacts, it happens as ordered." in drawn
