"""What is remembered between orders equals what would be made anew, whatever was asked for before."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from sandtable import registry
from sandtable.content import load_shipped
from sandtable.kernel.ids import NOBODY, HexId, UnitId
from sandtable.rulesets.panzer_leader import changes, costs, sight, stacks, view
from sandtable.rulesets.panzer_leader.events import SegmentBegan
from sandtable.rulesets.panzer_leader.model import ALLIED, SIDES, Mine, Position, Unit
from tests.kit.battles import random_battle

RULES = registry.ruleset("panzer_leader")


def positions(name: str, options: dict[str, Any], seed: str) -> list[Position]:
    """The positions of a random battle, each followed by what both sides believe it to be."""
    scenario = load_shipped(name, registry.vocabulary("panzer_leader"))
    played = random_battle(RULES, scenario, options, seed, 150)
    return [
        p for state in played.states for p in (state.position, *(view.known_position(state.position, s) for s in SIDES))
    ]


BATTLES = [("pl-crossroads", {}), ("pl-meeting", {"fog": True}), ("pl-bluff", {"fog": True})]


@pytest.mark.parametrize(("name", "options"), BATTLES)
def test_the_map_of_stacks_is_the_same_in_the_same_order_as_if_made_anew(name: str, options: dict[str, Any]) -> None:
    for position in positions(name, options, "stacks"):
        anew: dict[HexId, tuple[Unit, ...]] = {}
        for unit in position.units:
            if unit.hex:
                anew[unit.hex] = (*anew.get(unit.hex, ()), unit)
        assert list(stacks.stacks(position).items()) == sorted(anew.items())


@pytest.mark.parametrize(("name", "options"), BATTLES)
def test_obstacles_are_the_same_as_if_made_anew(name: str, options: dict[str, Any]) -> None:
    for position in positions(name, options, "obstacles"):
        for side in SIDES:
            remembered = costs.obstacles(position, side)
            anew = costs._all_obstacles(position, side, remembered.markers)
            assert (remembered.flags, remembered.bridges) == (anew.flags, anew.bridges)


@pytest.mark.rule("PL-1507")
@pytest.mark.parametrize(("name", "options"), BATTLES)
def test_hidden_units_are_the_same_as_if_asked_anew(name: str, options: dict[str, Any]) -> None:
    for position in positions(name, options, "hidden"):
        for side in SIDES:
            anew = view._hidden(position, side) if options else frozenset()
            assert view.hidden_units(position, side) == anew


def test_united_looks_are_right_after_more_sets_of_hexes_than_are_remembered() -> None:
    position = positions("pl-crossroads", {}, "looks")[0]
    hexes = position.ground.board.hexes[: sight._MOST_UNITED + 2]
    for last in range(1, len(hexes) + 1):
        places = hexes[:last]
        seen = [sight.look(position, place) for place in places]
        expected = bytes(max(column) for column in zip(*seen, strict=True))
        assert sight._looks(position).united(frozenset(places)) == expected


def test_a_look_is_right_after_more_states_of_smoke_than_are_remembered() -> None:
    position = positions("pl-crossroads", {}, "smoke screens")[0]
    here, *hexes = position.ground.board.hexes[: sight._MOST_LOOKS + 3]
    for place in hexes:
        smoked = replace(position, smoke={place: 9})
        expected = bytes(sight.sees(smoked, here, h) for h in range(position.ground.board.size))
        seen = sight.look(smoked, here)
        streams = sight._open_streams(smoked)
        assert [seen[h] for h in position.ground.board.hexes if h not in streams] == [
            expected[h] for h in position.ground.board.hexes if h not in streams
        ]


def test_minefields_keep_their_identity_unless_a_lifter_is_taken_from_them() -> None:
    mines = {HexId(5): Mine(HexId(5), UnitId(2)), HexId(6): Mine(HexId(6))}
    assert changes.unflipped(mines, (UnitId(3),)) is mines
    assert changes.unflipped(mines, (UnitId(2),)) == {5: Mine(HexId(5), NOBODY), 6: Mine(HexId(6))}


def test_smoke_keeps_its_identity_until_some_of_it_is_spent() -> None:
    position = replace(positions("pl-crossroads", {}, "smoke")[0], smoke={HexId(40): 4, HexId(41): 6})
    lasting = RULES.apply(position, SegmentBegan(ALLIED, 2, 4))
    assert lasting.smoke is position.smoke
    assert RULES.apply(position, SegmentBegan(ALLIED, 3, 5)).smoke == {HexId(41): 6}
