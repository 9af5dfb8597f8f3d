"""What is remembered between orders equals what would be made anew, whatever was asked for before."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from sandtable import registry
from sandtable.content import load_shipped
from sandtable.play.derived import Derived
from sandtable.rulesets.panzerblitz_3d import costs, stacks, view
from sandtable.rulesets.panzerblitz_3d.model import SIDES, Position
from tests.kit.battles import random_battle

RULES = registry.ruleset("panzerblitz_3d")
BATTLES = ["pb3-cauldron", "pb3-hill-209"]


def positions(name: str, seed: str) -> list[Position]:
    """The positions of a random battle, each followed by what both sides believe it to be."""
    scenario = load_shipped(name, registry.vocabulary("panzerblitz_3d"))
    played = random_battle(RULES, scenario, {}, seed, 400)
    return [
        p for state in played.states for p in (state.position, *(view.known_position(state.position, s) for s in SIDES))
    ]


def anew(position: Position) -> Position:
    """The position without anything that was worked out before."""
    return replace(position, derived=Derived())


@pytest.mark.rule("PB3-402", "PB3-622")
@pytest.mark.parametrize("name", BATTLES)
def test_who_stands_where_and_who_rides_is_the_same_in_the_same_order_as_if_made_anew(name: str) -> None:
    for position in positions(name, "stacks"):
        kept, made = stacks.occupancy(position), stacks.occupancy(anew(position))
        assert list(stacks.stacks(position).items()) == list(made.in_order().items())
        assert kept.riders == made.riders
        for side in SIDES:
            own = tuple(unit for unit in position.units if unit.hex and unit.side == side)
            assert stacks.active(position, side) == own
            assert stacks.places_of(position, side) == tuple(dict.fromkeys(unit.hex for unit in own))
        for unit in position.units:
            assert stacks.passengers_of(position, unit.id) == [x for x in position.units if x.carrier == unit.id]


@pytest.mark.rule("PB3-604", "PB3-606", "PB3-1606")
@pytest.mark.parametrize("name", BATTLES)
def test_what_is_in_the_way_is_the_same_as_if_looked_for_anew(name: str) -> None:
    found: set[bytes] = set()
    for position in positions(name, "flags"):
        for side in SIDES:
            found.add(bytes(costs.flags(position, side)))
            assert costs.flags(position, side) == costs.flags(anew(position), side)
    assert len(found) > 2
