"""What is remembered between orders equals what would be made anew, whatever was asked for before."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from sandtable import registry
from sandtable.content import load_shipped
from sandtable.kernel.ids import NOBODY, NOWHERE, SPECTATORS, HexId, SideId, UnitId
from sandtable.play.derived import Derived
from sandtable.rulesets.panzer_leader import changes, costs, ground, looks, sight, stacks, view, visibility
from sandtable.rulesets.panzer_leader.events import SegmentBegan
from sandtable.rulesets.panzer_leader.kinds import KINDS, VEHICLES
from sandtable.rulesets.panzer_leader.model import ALLIED, GERMAN, IN_PLAY, SIDES, Mine, Position, Unit, unseen
from sandtable.rulesets.panzer_leader.pieces import enemy_of, with_units
from tests.kit.battles import random_battle
from tests.rulesets.panzer_leader.table import U, ids, table, unit

RULES = registry.ruleset("panzer_leader")


def positions(name: str, options: dict[str, Any], seed: str) -> list[Position]:
    """The positions of a random battle, each followed by what both sides believe it to be."""
    scenario = load_shipped(name, registry.vocabulary("panzer_leader"))
    played = random_battle(RULES, scenario, options, seed, 150)
    return [
        p for state in played.states for p in (state.position, *(view.known_position(state.position, s) for s in SIDES))
    ]


@pytest.fixture(params=["small", "large"], autouse=True)
def maps(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is remembered is right on small maps, where whole looks are kept, and on large ones, where they are not."""
    if request.param == "large":
        monkeypatch.setattr(looks, "SMALL", 0)
        monkeypatch.setattr(ground.Ground, "kept", {})


BATTLES = [("pl-crossroads", {}), ("pl-meeting", {"fog": True}), ("pl-bluff", {"fog": True})]


@pytest.mark.parametrize(("name", "options"), BATTLES)
def test_the_map_of_stacks_is_the_same_in_the_same_order_as_if_made_anew(name: str, options: dict[str, Any]) -> None:
    for position in positions(name, options, "stacks"):
        made: dict[HexId, tuple[Unit, ...]] = {}
        for one in position.units:
            if one.hex:
                made[one.hex] = (*made.get(one.hex, ()), one)
        assert list(stacks.stacks(position).items()) == sorted(made.items())


def told(watch: sight.Watch) -> tuple[object, ...]:
    """What a watch knows, the ways in which it was made aside."""
    return watch.eyes.numbers, watch.seen_by.numbers, watch.blind


def anew(position: Position) -> Position:
    """The position without anything that was worked out before."""
    return replace(position, derived=Derived())


@pytest.mark.parametrize(("name", "options"), BATTLES)
def test_obstacles_are_the_same_as_if_made_anew(name: str, options: dict[str, Any]) -> None:
    for position in positions(name, options, "obstacles"):
        for side in SIDES:
            kept, made = costs.obstacles(position, side), costs.obstacles(anew(position), side)
            assert (kept.flags, kept.bridges) == (made.flags, made.bridges)


def test_obstacles_follow_every_marker_and_are_made_anew_when_a_bridge_falls() -> None:
    t = table(". . . . .\n. . . . .", unit("a_m4_75", "0101"), unit("g_rifle", "0501"))
    one, other = t.hex("0201"), t.hex("0301")
    marked: list[dict[str, Any]] = [
        {"wrecks": {one: 1}},
        {"wrecks": {one: 2, other: 4}},
        {"blocks": (one,)},
        {"blocks": (other,), "mines": {one: Mine(one)}},
        {"mines": {other: Mine(other, U(0))}},
        {"mines": {}, "blocks": (), "wrecks": {}, "bridges_down": (one,)},
    ]
    position = t.position
    for markers in marked:
        costs.obstacles(position, ALLIED)
        position = replace(position, **markers)
        kept, made = costs.obstacles(position, ALLIED), costs.obstacles(anew(position), ALLIED)
        assert (kept.flags, kept.bridges) == (made.flags, made.bridges)


@pytest.mark.parametrize(("name", "options"), BATTLES)
def test_a_viewer_who_does_not_know_the_whole_table_works_out_of_it_for_himself(
    name: str, options: dict[str, Any]
) -> None:
    """Or he and the table would take turns at making everything anew."""
    scenario = load_shipped(name, registry.vocabulary("panzer_leader"))
    for state in random_battle(RULES, scenario, options, "apart", 150).states:
        assert state.known.positions
        for known in state.known.positions.values():
            assert (known is state.position) == (known.derived is state.position.derived)


@pytest.mark.parametrize(("name", "options"), BATTLES)
def test_who_is_on_the_table_is_the_same_in_the_same_order_as_if_made_anew(name: str, options: dict[str, Any]) -> None:
    for position in positions(name, options, "active"):
        for side in SIDES:
            own = [one for one in position.units if one.side == side]
            on_table = tuple(one for one in own if one.hex)
            assert stacks.active(position, side) == on_table
            assert list(stacks.places_of(position, side)) == list(dict.fromkeys(one.hex for one in on_table))
            members = stacks.occupancy(position).members
            assert list(members(side)) == own
            assert list(members(side, VEHICLES)) == [one for one in own if one.kind in VEHICLES]


@pytest.mark.rule("PL-641", "PL-1323")
def test_whose_units_are_and_who_rides_follows_who_is_captured_and_who_gets_on() -> None:
    t = table(". . .", unit("a_truck", "0101"), unit("a_rifle", "0101"), unit("n_fort20", "0301", GERMAN))
    assert whose(t.position) == {ALLIED: [0, 1], GERMAN: [2]}
    assert stacks.riders(t.position) == {}
    aboard = with_units(t.position, [replace(t.position.units[1], carrier=U(0))])
    assert stacks.riders(aboard) == {0: (1,)}
    taken = with_units(aboard, [replace(aboard.units[2], side=ALLIED)])
    assert whose(taken) == {ALLIED: [0, 1, 2], GERMAN: []}
    assert stacks.riders(taken) == {0: (1,)}


def whose(position: Position) -> dict[SideId, list[int]]:
    """The numbers of each side's units on the table, which here are all."""
    occupied = stacks.occupancy(position)
    members = {side: [int(one.id) for one in occupied.members(side)] for side in SIDES}
    assert members == {side: [int(one.id) for one in stacks.active(position, side)] for side in SIDES}
    return members


@pytest.mark.rule("PL-1507")
@pytest.mark.parametrize(("name", "options"), BATTLES)
def test_hidden_units_are_the_same_as_if_asked_anew(name: str, options: dict[str, Any]) -> None:
    for position in positions(name, options, "hidden"):
        for side in (*SIDES, SPECTATORS):
            assert visibility.hidden_units(position, side) == visibility.hidden_units(anew(position), side)


@pytest.mark.parametrize(("name", "options"), BATTLES)
def test_a_watch_is_the_same_as_if_kept_anew(name: str, options: dict[str, Any]) -> None:
    for position in positions(name, options, "watch"):
        for side in SIDES:
            kept, made = sight.watch(position, side), sight.watch(anew(position), side)
            assert told(kept) == told(made)


@pytest.mark.rule("PL-1507")
def test_a_watch_is_right_after_a_move_where_an_enemy_fortification_looks_at_nobody() -> None:
    t = table(". . . . .", unit("a_rifle", "0101"), unit("n_fort20", "0501", GERMAN), unit("g_rifle", "0401"))
    sight.watch(t.position, ALLIED)
    moved = replace(t.position, units=(replace(t.position.units[0], hex=t.hex("0201")), *t.position.units[1:]))
    kept, made = sight.watch(moved, ALLIED), sight.watch(anew(moved), ALLIED)
    assert told(kept) == told(made)


@pytest.mark.rule("PL-1333", "PL-1507")
def test_a_fogged_view_that_is_asked_first_does_not_make_the_truth_forget_a_tank_bridge() -> None:
    units = (unit("a_rifle", "0101"), unit("n_tbridge", "0301", fate=IN_PLAY), unit("g_rifle", "0501"))
    t = table(". . R . .", *units, options={"fog": True})
    place = t.hex("0301")
    hidden = replace(t.position, units=(t.position.units[0], unseen(U(1), ALLIED), t.position.units[2]))
    believed = replace(hidden, derived=t.position.derived)
    assert sight._open_streams(believed) == {place}
    assert sight._open_streams(t.position) == frozenset()
    assert sight._open_streams(believed) == {place}


def test_looks_are_right_after_more_hexes_than_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    position = positions("pl-crossroads", {}, "looks")[0]
    monkeypatch.setattr(looks, "MOST_ROWS", 2)
    for _ in range(2):
        for here in position.ground.board.hexes[:5]:
            bare = looks.sight_on(position.ground).visible(here)
            row = sight.look(position, here)
            assert not row[NOWHERE]
            assert all(row[h] == bare[h] for h in position.ground.board.hexes)
    assert len(sight.looks(position)) <= 2


@pytest.mark.rule("PL-712", "PL-713", "PL-1609")
@pytest.mark.parametrize("name", ["pl-crossroads", "pl-bluff"])
def test_from_where_a_hex_is_observed_is_what_the_looks_from_there_say(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    clear = positions(name, {}, "onto")[0]
    monkeypatch.setattr(looks, "MOST_ROWS", 30)
    hexes = clear.ground.board.hexes
    for position in (clear, replace(clear, smoke={hexes[300]: 9, hexes[311]: 9})):
        found = sight.looks(position)
        streams = sorted(found.streams)
        for eye in (*hexes[::29], *streams[:9]):
            row = sight.look(position, eye)
            for place in (*hexes[::41], *streams[::2]):
                assert found.onto(place)[eye] == row[place]


def test_a_look_is_right_after_more_states_of_smoke_than_are_remembered() -> None:
    position = positions("pl-crossroads", {}, "smoke screens")[0]
    here, *hexes = position.ground.board.hexes[: sight._MOST_LOOKS + 3]
    for place in hexes:
        smoked = replace(position, smoke={place: 9})
        seen, streams = sight.look(smoked, here), sight._open_streams(smoked)
        for h in position.ground.board.hexes:
            assert h in streams or seen[h] == sight.sees(smoked, here, h)


def test_minefields_keep_their_identity_unless_a_lifter_is_taken_from_them() -> None:
    mines = {HexId(5): Mine(HexId(5), U(2)), HexId(6): Mine(HexId(6))}
    assert changes.unflipped(mines, ids(3)) is mines
    assert changes.unflipped(mines, ids(2)) == {5: Mine(HexId(5), NOBODY), 6: Mine(HexId(6))}


def test_smoke_keeps_its_identity_until_some_of_it_is_spent() -> None:
    position = replace(positions("pl-crossroads", {}, "smoke")[0], smoke={HexId(40): 4, HexId(41): 6})
    lasting = RULES.apply(position, SegmentBegan(ALLIED, 2, 4))
    assert lasting.smoke is position.smoke
    assert RULES.apply(position, SegmentBegan(ALLIED, 3, 5)).smoke == {HexId(41): 6}


@pytest.mark.rule("PL-1507", "PL-1609")
def test_when_much_changes_at_once_or_smoke_is_laid_everything_is_looked_at_anew() -> None:
    crowd = [unit("g_rifle", "0501") for _ in range(stacks.MANY + 1)]
    t = table(". . . . .\n. . . T .", unit("a_rifle", "0101"), *crowd, options={"fog": True, "smoke": True})

    def seen(position: Position) -> tuple[frozenset[UnitId], bool]:
        known = visibility.hidden_units(position, ALLIED), sight.is_watched(position, ALLIED, t.hex("0501"))
        fresh = anew(position)
        assert known == (visibility.hidden_units(fresh, ALLIED), sight.is_watched(fresh, ALLIED, t.hex("0501")))
        return known

    everybody = frozenset(U(id) for id in range(1, stacks.MANY + 2))
    assert seen(t.position) == (frozenset(), True)
    smoked = replace(t.position, smoke={t.hex("0301"): 9, t.hex("0302"): 9})
    assert seen(smoked) == (everybody, False)
    behind = tuple(replace(one, hex=t.hex("0502")) if one.id else one for one in t.position.units)
    hidden, watched = seen(replace(t.position, units=behind))
    assert (hidden in (everybody, frozenset()), watched) == (True, True)
    assert sight.watch(smoked, ALLIED).seen_by.numbers[t.hex("0501")] == 0
    assert visibility.hidden_units(t.position, ALLIED) == frozenset()
    assert visibility.hidden_units(replace(t.position, units=behind), ALLIED) == hidden
    assert sight.watch(replace(t.position, units=behind), ALLIED).seen_by.numbers.keys() == {t.hex("0502")}


def test_who_watches_a_hex_and_whether_anybody_is_in_sight_is_what_the_lines_say() -> None:
    for position in positions("pl-bluff", {"fog": True}, "watchers")[::40]:
        row_of = sight.looks(position)
        for side in SIDES:
            eyes = [unit for unit in stacks.active(position, side) if not KINDS[unit.kind].is_work]
            for place in position.ground.board.hexes[::7]:
                by = [unit.id for unit in eyes if row_of[unit.hex][place]]
                assert [unit.id for unit in sight.watchers(position, side, place)] == by
                assert sight.is_watched(position, side, place) == bool(by)
            enemies = {unit.hex for unit in stacks.active(position, enemy_of(side))}
            seen = any(row_of[unit.hex][place] for unit in eyes for place in enemies)
            assert sight.has_enemy_in_sight(position, side) == seen
