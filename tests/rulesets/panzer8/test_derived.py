"""What is remembered between orders equals what would be made anew, whatever was asked for before."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from sandtable import registry
from sandtable.content import load_shipped
from sandtable.kernel.ids import NOBODY, SPECTATORS, UnitId
from sandtable.play.derived import Derived
from sandtable.rulesets.panzer8 import stacks, view, visibility
from sandtable.rulesets.panzer8.model import SIDES, Position
from tests.kit.battles import random_battle

RULES = registry.ruleset("panzer8")
BATTLES = ["p8-odon", "p8-kolkhoz"]


def positions(name: str, seed: str) -> list[Position]:
    """The positions of a random battle, each followed by what both sides believe it to be."""
    scenario = load_shipped(name, registry.vocabulary("panzer8"))
    played = random_battle(RULES, scenario, {}, seed, 150)
    return [
        p for state in played.states for p in (state.position, *(view.known_position(state.position, s) for s in SIDES))
    ]


def anew(position: Position) -> Position:
    """The position without anything that was worked out before."""
    return replace(position, derived=Derived())


@pytest.mark.rule("P8-1.05", "P8-6.10")
@pytest.mark.parametrize("name", BATTLES)
def test_who_stands_where_and_who_is_aboard_is_the_same_in_the_same_order_as_if_made_anew(name: str) -> None:
    for position in positions(name, "table"):
        standing = [one for one in position.elements if one.hex and one.carrier == NOBODY]
        made = stacks.table(anew(position))
        kept = stacks.table(position)
        assert (kept.by_hex, kept.aboard) == (made.by_hex, made.aboard)
        assert all(stacks.element_at(position, one.hex) == kept.by_hex[one.hex][-1] for one in standing)
        for side in SIDES:
            assert stacks.on_table(position, side) == tuple(one for one in standing if one.side == side)
        for one in standing:
            assert stacks.passengers(position, one.id) == [x for x in position.elements if x.carrier == one.id]


@pytest.mark.rule("P8-15.01")
@pytest.mark.parametrize("name", BATTLES)
def test_who_lies_hidden_is_the_same_as_if_asked_anew(name: str) -> None:
    found: set[frozenset[UnitId]] = set()
    for position in positions(name, "hidden"):
        for side in (*SIDES, SPECTATORS):
            found.add(visibility.hidden(position, side))
            assert visibility.hidden(position, side) == visibility.hidden(anew(position), side)
    assert name != "p8-odon" or len(found) > 2  # somebody came to light
