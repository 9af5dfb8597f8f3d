"""Where on the map an event is shown, and what step a viewer knows play to be in."""

from __future__ import annotations

from typing import get_args, get_type_hints

import pytest

from sandtable.battle.library import ShippedLibrary
from sandtable.kernel.engine import begin
from sandtable.kernel.events import Event
from sandtable.kernel.ids import NOBODY, SPECTATORS, HexId, RuleId, UnitId
from sandtable.kernel.ruleset import Marks
from sandtable.kernel.trace import Line
from sandtable.rulesets.panzer_leader import events as e
from sandtable.rulesets.panzer_leader.marks import UNITS, marks
from sandtable.rulesets.panzer_leader.model import ALLIED, Mover, Unit

PLACE, UNIT, OTHER = HexId(55), UnitId(3), UnitId(4)


@pytest.mark.parametrize(
    ("event", "shown"),
    [
        (e.UnitMoved(UNIT, (PLACE,), Mover(UNIT, PLACE)), Marks(units=(UNIT,), path=(PLACE,))),
        (
            e.UnitMoved(UNIT, (PLACE, HexId(56)), Mover(UNIT, HexId(54), hexes=2)),
            Marks(units=(UNIT,), path=(PLACE, HexId(56)), start=HexId(54)),
        ),
        (
            e.UnitMoved(UNIT, (HexId(57),), Mover(UNIT, HexId(54), hexes=3)),
            Marks(units=(UNIT,), path=(HexId(57),)),
        ),
        (e.SegmentBegan(ALLIED, 2, 1), Marks(tone="heading", side=ALLIED)),
        (e.StepBegan("direct fire", ALLIED, 2), Marks(tone="phase", side=ALLIED)),
        (e.UnitLoaded(UNIT, OTHER), Marks(units=(UNIT, OTHER))),
        (e.UnitDispersed(UNIT), Marks(units=(UNIT,), rule=RuleId("PL-902"), brief="dispersed")),
        (e.MoveEnded(UNIT, "mines lie here (PL-1301)"), Marks(units=(UNIT,), rule=RuleId("PL-1301"))),
        (e.MoveEnded(UNIT), Marks(units=(UNIT,))),
        (e.UnitRecovered(UNIT), Marks(units=(UNIT,), rule=RuleId("PL-905"), brief="recovered")),
        (e.DieCast("task", 4, True, "PL-1304", hex=PLACE), Marks(PLACE, rule=RuleId("PL-1304"), brief="passed")),
        (e.DieCast("task", 5, False, "PL-1304"), Marks(rule=RuleId("PL-1304"), brief="failed")),
        (e.CrossingTried(UNIT, PLACE, 1, True, ""), Marks(PLACE, (UNIT,), brief="across")),
        (e.CrossingTried(UNIT, PLACE, 6, False, ""), Marks(PLACE, (UNIT,), brief="it fails")),
        (e.UnitDestroyed(UNIT), Marks(units=(UNIT,), rule=RuleId("PL-901"), tone="loss", brief="destroyed")),
        (e.UnitExited(UNIT, allowed=True), Marks(units=(UNIT,), tone="left")),
        (e.AircraftShotAt(UNIT, (OTHER,), 8, 3, "-"), Marks(tone="act", brief="no effect")),
        (e.HexShelled(PLACE), Marks(PLACE)),
        (e.UnitsSighted((Unit(UNIT, "sherman", ALLIED, PLACE),)), Marks(units=(UNIT,))),
        (
            e.UnitsSighted((Unit(UNIT, "sherman", ALLIED, PLACE), Unit(OTHER, "sherman", ALLIED)), (UNIT,)),
            Marks(PLACE, (UNIT,), rule=RuleId("PL-1507"), tone="contact", brief="in sight"),
        ),
        (
            e.ContactMoved(Unit(UNIT, "sherman", ALLIED, PLACE), (PLACE,), Mover(UNIT, PLACE)),
            Marks(units=(UNIT,), path=(PLACE,), rule=RuleId("PL-1507"), tone="contact", brief="in sight"),
        ),
        (
            e.MovedOutOfSight(UNIT, (PLACE,)),
            Marks(units=(UNIT,), path=(PLACE,), rule=RuleId("PL-1507"), tone="contact", brief="out of sight"),
        ),
        (e.AttackFailed(ALLIED, "direct", (UNIT,), PLACE), Marks(PLACE, (UNIT,), tone="act", brief="no effect")),
        (e.SightLost((UNIT, OTHER)), Marks(units=(UNIT, OTHER), tone="contact", brief="out of sight")),
    ],
)
def test_an_event_is_shown_where_it_happened(event: Event, shown: Marks) -> None:
    assert marks(event) == shown


def test_an_attack_shows_who_took_part_once_and_how_it_was_reckoned() -> None:
    line = Line("terrain", 1, RuleId("PL-808"))
    event = e.AttackRolled(
        group="a", how="direct", attackers=(UNIT,), hex=PLACE, targets=(OTHER, UNIT), strength="4", defense=2,
        odds="2-1", drm=0, die=3, result="D", rule="PL-808", lines=(line,),
    )  # fmt: skip
    assert marks(event) == Marks(
        PLACE, (UNIT, OTHER), lines=(line,), rule=RuleId("PL-808"), tone="act", brief=event.result
    )


def test_nobody_is_shown_nowhere() -> None:
    assert NOBODY not in marks(e.DieCast("task", 4, passed=True, rule="PL-1304")).units


def test_every_field_of_a_unit_that_an_event_is_about_is_shown() -> None:
    """An event with a field called unit or units is about it."""
    for kind in get_args(e.AnyEvent):
        about = {"unit", "units"} & set(get_type_hints(kind))
        assert about <= set(UNITS.get(kind, ())) or kind in (e.UnitsSighted, e.ContactMoved, e.MovedOutOfSight), kind


def test_the_step_is_that_of_the_decision_or_of_the_flow_or_a_secret() -> None:
    found = ShippedLibrary().find("panzer_leader", "pl-first-platoon")
    rules = found.ruleset
    for fog in (False, True):
        state = begin(rules, found.scenario, {"fog": fog}, "steps").state
        (decision,) = rules.decisions(state)
        other = next(side for side in rules.sides(state) if side != decision.side)
        assert rules.step(rules.view(state, decision.side)) == decision.kind
        for side in (other, SPECTATORS):
            assert rules.step(rules.view(state, side)) == ("" if fog else decision.kind)
