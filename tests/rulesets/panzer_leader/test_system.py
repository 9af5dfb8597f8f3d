"""What the floors above ask of the room besides its rules of play."""

from __future__ import annotations

import pytest

from sandtable import registry
from sandtable.content import load_shipped, tutorial_path
from sandtable.kernel.engine import begin, submit
from sandtable.kernel.ruleset import Selection
from sandtable.kernel.state import Played
from sandtable.rulesets.panzer_leader.orderbook import BOOK
from sandtable.rulesets.panzer_leader.system import SYSTEM

SCENARIO = "pl-first-platoon"


def test_unit_types_are_called_as_their_counters_are() -> None:
    assert SYSTEM.unit_title("a_m4_75") == "M4/75 Sherman"


def test_the_catalogue_is_listed_in_its_order() -> None:
    ids = [rule.id for rule in SYSTEM.rules()]
    assert ids[:2] == ["PL-101", "PL-102"]
    assert len(ids) == len(set(ids)) >= 187


def test_the_tutorial_guides_the_side_that_begins() -> None:
    scenario = load_shipped(SCENARIO, SYSTEM.vocabulary)
    tutorial = SYSTEM.tutorial(scenario, tutorial_path(SCENARIO))
    assert (tutorial.scenario, tutorial.side) == (SCENARIO, scenario.first)
    assert len(tutorial.steps) == 11


@pytest.mark.parametrize("id", [SCENARIO, "pl-withdrawal"])
def test_a_tutorial_may_name_every_verb_and_decision_of_a_battle(id: str) -> None:
    rules, doctrine = SYSTEM.ruleset, registry.doctrine("panzer_leader")
    played = begin(rules, load_shipped(id, SYSTEM.vocabulary), {}, "words")
    verbs, kinds = set(), set()
    while open_now := rules.decisions(played.state):
        decision = open_now[0]
        view = rules.view(played.state, decision.side)
        own = tuple(piece.id for piece in rules.pieces(view) if piece.side == decision.side and piece.kind == "unit")
        kinds.add(decision.kind)
        verbs |= {verb.key for verb in rules.menu(view, Selection(own))}
        after = submit(rules, played.state, decision.side, doctrine.ending(view, decision))
        assert isinstance(after, Played)
        played = after
    assert {"move", "end"} <= verbs <= BOOK.verbs
    assert {"vehicle movement"} < kinds <= BOOK.steps


def test_only_its_own_side_is_told_what_a_unit_is_called() -> None:
    state = begin(SYSTEM.ruleset, load_shipped(SCENARIO, SYSTEM.vocabulary), {}, "names").state
    for side in SYSTEM.ruleset.sides(state):
        pieces = SYSTEM.ruleset.pieces(SYSTEM.ruleset.view(state, side))
        units = [piece for piece in pieces if piece.kind == "unit"]
        assert all(bool(piece.name) == (piece.side == side) for piece in units)
        assert {piece.name for piece in units if piece.side == side} == {
            unit.id for unit in state.position.ground.scenario.units if unit.side == side
        }
