"""Worlds that a side may expect: unseen enemies dealt from the order of battle, where they could be."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.content import Reinforcement, ScenarioUnit, Zone
from sandtable.geometry.board import Board
from sandtable.kernel.events import DiceKey
from sandtable.kernel.ids import NOBODY, HexId, SideId
from sandtable.kernel.state import State
from sandtable.kernel.telling import introduced
from sandtable.rulesets.panzer_leader import setup
from sandtable.rulesets.panzer_leader.frames import SetupFrame, StepFrame
from sandtable.rulesets.panzer_leader.ground import Ground, Options
from sandtable.rulesets.panzer_leader.model import ALLIED, GERMAN, RESERVE, UNSEEN, Position, Unit
from sandtable.rulesets.panzer_leader.pieces import with_units
from sandtable.rulesets.panzer_leader.ruleset import PanzerLeader
from sandtable.rulesets.panzer_leader.scenario import Setup, UnitDetails
from tests.rulesets.panzer_leader.table import drawn, scenario

RULESET = PanzerLeader()

SCREENED = "........\n........\nTTTTTTTT\n........\n........\n........"
"""A row of houses, north of which nobody sees anything that is south of it."""


def entry(id: str, type: str, board: Board, label: str = "", **fields: Any) -> ScenarioUnit[UnitDetails]:
    side = fields.pop("side", "allied" if type[0] in "ab" else "german")
    place = HexId(board.parse(label)) if label else None
    made = {"details": UnitDetails(), "entry": 1, "hex": place, **fields}
    return ScenarioUnit(id, type, side, **made)


def opened(board: Board, *entries: ScenarioUnit[UnitDetails], turn: int = 1, **fields: Any) -> State[Position]:
    """A battle under fog in the allied vehicle movement of a turn; nobody has moved."""
    name = repr((entries, fields))  # battles of one digest share their ground
    about = scenario(board, units=entries, digest=name, **fields)
    state = setup.opening(about, {"fog": True}, DiceKey("1"))
    position = replace(state.position, turn=turn, segment=2 * turn - 1, step="vehicle movement")
    return State(position, (StepFrame("vehicle movement"),), state.dice)


def imagined(state: State[Position], key: int = 0, side: SideId = ALLIED) -> dict[str, Unit]:
    """The enemies of a side by name in a world it imagines, which looks to it like its own."""
    view = RULESET.view(state, side)
    world = RULESET.imagine(view, DiceKey("imagined", key))
    seen = introduced(RULESET, world, (side,), {side: view.position})
    assert seen.known.positions[side] == view.position
    assert RULESET.view(seen, side) == view
    assert world.dice == DiceKey("imagined", key)
    return {unit.name or f"unseen {unit.id}": unit for unit in world.position.units if unit.side != side}


def place(units: dict[str, Unit], name: str, board: Board) -> str:
    return board.label(units[name].hex) if units[name].hex else ""


def test_a_world_without_secrets_is_the_one_that_is_seen() -> None:
    board = drawn("....")
    state = opened(board, entry("tank", "a_m4_75", board, "0101"), entry("foe", "g_pz4", board, "0401"))
    view = RULESET.view(state, ALLIED)
    assert RULESET.imagine(view, DiceKey("any")).position is view.position


@pytest.mark.rule("PL-1507")
def test_types_that_are_not_accounted_for_are_dealt_to_the_unseen() -> None:
    board = drawn(SCREENED)
    foes = [("a", "g_pz4"), ("b", "g_panther"), ("c", "g_rifle"), ("d", "g_truck")]
    entries = [entry(name, type, board, f"0{n}05") for n, (name, type) in enumerate(foes, 1)]
    seen = entry("seen", "g_stug", board, "0802")
    state = opened(board, entry("tank", "a_m4_75", board, "0101"), seen, *entries, turn=2)
    dealt: set[tuple[int, str]] = set()
    for key in range(8):
        units = imagined(state, key)
        assert Counter(unit.kind for unit in units.values()) == Counter(type for _, type in (*foes, ("seen", "g_stug")))
        assert units["seen"].hex == board.parse("0802")
        assert all(unit.hex for unit in units.values())
        dealt |= {(unit.id, unit.kind) for unit in units.values()}
    # the id of an unseen unit tells nothing of its type
    unseen = {unit.id for unit in state.position.units if unit.side == GERMAN and unit.name != "seen"}
    assert max(Counter(id for id, _ in dealt if id in unseen).values()) > 1


@pytest.mark.rule("PL-1507")
def test_two_keys_give_two_worlds() -> None:
    board = drawn(SCREENED)
    state = opened(board, entry("tank", "a_m4_75", board, "0101"), entry("foe", "g_pz4", board, "0405"), turn=2)
    places = {place(imagined(state, key), "foe", board) for key in range(12)}
    assert len(places) > 3


@pytest.mark.parametrize(("turn", "farthest"), [(1, 0), (2, 1), (3, 3)])
def test_an_unseen_unit_is_no_farther_from_its_start_than_it_can_have_gone(turn: int, farthest: int) -> None:
    board = drawn(SCREENED)
    # the Germans move second, so in the allied segment they have had one turn less; houses cost them half a point
    state = opened(board, entry("tank", "a_m4_75", board, "0101"), entry("foe", "g_rifle", board, "0405"), turn=turn)
    gone = {board.distance(imagined(state, key)["foe"].hex, board.parse("0405")) for key in range(20)}
    assert max(gone) == farthest


def test_a_gun_that_does_not_move_by_itself_is_where_it_was() -> None:
    board = drawn(SCREENED)
    state = opened(board, entry("tank", "a_m4_75", board, "0101"), entry("gun", "g_88", board, "0405"), turn=9)
    assert {place(imagined(state, key), "gun", board) for key in range(5)} == {"0405"}


@pytest.mark.rule("PL-401")
def test_no_hex_holds_more_units_than_may_stack() -> None:
    board = drawn("....\nTTTT\n.MMM\n")
    foes = [entry(f"foe{n}", "g_pz4", board, "0103") for n in range(6)]
    state = opened(board, entry("tank", "a_m4_75", board, "0201"), *foes)
    units = imagined(state)
    assert Counter(bool(unit.hex) for unit in units.values()) == {True: 4, False: 2}
    assert {unit.fate for unit in units.values() if not unit.hex} == {UNSEEN}


@pytest.mark.rule("PL-1502", "PL-1507")
def test_an_unseen_enemy_may_have_taken_ground_that_a_side_believes_its_own() -> None:
    board = drawn("....\nTTTT\nT.MM\n")
    state = opened(board, entry("tank", "a_m4_75", board, "0201"), entry("foe", "g_pz4", board, "0203"), turn=2)
    ours = {HexId(board.parse(label)): ALLIED for label in ("0102", "0202", "0302", "0402", "0103")}
    state = replace(state, position=replace(state.position, control=ours))
    expected = {place(imagined(state, key), "foe", board) for key in range(20)}
    assert "0203" in expected
    taken = expected & {"0102", "0202", "0302", "0402", "0103"}
    assert taken
    view = RULESET.view(state, ALLIED)
    for key in range(20):
        world = RULESET.imagine(view, DiceKey("imagined", key)).position
        there = next(unit.hex for unit in world.units if unit.side == GERMAN)
        assert world.control.get(there) == (GERMAN if there in ours else None)


@pytest.mark.rule("PL-722", "PL-1507")
def test_cover_hides_whoever_is_not_spotted_in_it() -> None:
    board = drawn("......\n..W...\n......")
    state = opened(board, entry("tank", "a_m4_75", board, "0601"), entry("foe", "g_pz4", board, "0302"), turn=3)
    assert {place(imagined(state, key), "foe", board) for key in range(5)} == {"0302"}


@pytest.mark.rule("PL-1506")
def test_reinforcements_that_are_not_due_wait_and_those_that_are_may_have_come() -> None:
    board = drawn(SCREENED)
    arrival = Reinforcement(2, (HexId(board.parse("0106")),))
    foe = entry("foe", "g_pz4", board, arrival=arrival)
    tank = entry("tank", "a_m4_75", board, "0101")
    assert imagined(opened(board, tank, foe, turn=2))["foe"].fate == RESERVE
    come = imagined(opened(board, tank, foe, turn=3))["foe"]
    assert (come.fate, bool(come.hex)) == ("", True)


@pytest.mark.rule("PL-1506")
def test_a_reinforcement_whose_way_in_is_in_sight_is_still_waiting() -> None:
    board = drawn("....")
    arrival = Reinforcement(1, (HexId(board.parse("0401")),))
    state = opened(
        board, entry("tank", "a_m4_75", board, "0101"), entry("foe", "g_rifle", board, arrival=arrival), turn=3
    )
    assert imagined(state)["foe"].fate == RESERVE


@pytest.mark.rule("PL-1506")
def test_a_unit_placed_by_its_player_is_somewhere_about_its_zone() -> None:
    board = drawn(SCREENED)
    zone = Zone("german", tuple(HexId(board.parse(f"0{n}06")) for n in range(1, 9)))
    sections = {"setup": Setup(order=("german", "allied"))}
    tank, foe = entry("tank", "a_m4_75", board, "0101"), entry("foe", "g_rifle", board)
    state = opened(board, tank, foe, zones=(zone,), sections=sections)
    (unit,) = (unit for unit in state.position.units if unit.side == GERMAN)
    placed = with_units(state.position, [replace(unit, hex=HexId(board.parse("0306")), fate="")])
    state = replace(state, position=placed)
    assert len({place(imagined(state, key), "foe", board) for key in range(30)}) == 8
    # while the Germans are still to set up, nobody has a place
    before = replace(state.position, turn=1, segment=0, step="setup")
    waiting = State(before, (SetupFrame(GERMAN, (ALLIED,)),), state.dice)
    assert imagined(waiting)["foe"].fate == RESERVE


def test_riders_stay_with_the_carrier_they_began_on() -> None:
    board = drawn(SCREENED)
    tank = entry("tank", "a_m4_75", board, "0101")
    state = opened(
        board,
        tank,
        entry("carrier", "g_ht", board, "0405"),
        entry("rider", "g_rifle", board, "0405", aboard="carrier"),
        turn=2,
    )
    for key in range(5):
        units = imagined(state, key)
        assert units["rider"].carrier == units["carrier"].id
        assert units["rider"].hex == units["carrier"].hex != 0


def test_a_rider_whose_carrier_has_no_place_has_none_either() -> None:
    board = drawn("....")
    state = opened(
        board,
        entry("tank", "a_m4_75", board, "0101"),
        entry("carrier", "g_ht", board, "0401"),
        entry("rider", "g_rifle", board, "0401", aboard="carrier"),
    )
    # both have gone to where the side does not know, which the table has no room for
    gone = [replace(unit, hex=0, fate=UNSEEN) for unit in state.position.units if unit.side == GERMAN]
    state = replace(state, position=with_units(state.position, gone))
    unknown = [Unit(unit.id, "n_unknown", GERMAN, fate=UNSEEN) for unit in gone]
    state = replace(state, position=with_units(state.position, unknown))
    world = RULESET.imagine(RULESET.view(state, ALLIED), DiceKey("imagined"))
    assert world.position == state.position


@pytest.mark.rule("PL-1321")
def test_garrisons_are_inside_their_fort_unless_that_would_show_them() -> None:
    board = drawn(SCREENED)
    tank = entry("tank", "a_m4_75", board, "0101")
    garrison = entry("men", "g_rifle", board, "0405", inside="fort")
    state = opened(board, tank, entry("fort", "n_fort20", board, "0405", side="german"), garrison, turn=2)
    units = imagined(state)
    assert units["men"].fort == units["fort"].id
    taken = next(replace(unit, side=ALLIED) for unit in state.position.units if unit.name == "fort")
    lost = replace(state, position=with_units(state.position, [taken]))
    assert imagined(lost)["men"].fort == -1


@pytest.mark.rule("PL-1321", "PL-1507")
def test_nobody_is_imagined_inside_a_fort_that_lies_open_to_view() -> None:
    board = drawn(SCREENED)
    tank, fort = entry("tank", "a_m4_75", board, "0101"), entry("fort", "n_fort20", board, "0102", side="german")
    state = opened(board, tank, fort, entry("men", "g_rifle", board, "0102", inside="fort"), turn=2)
    left = next(unit for unit in state.position.units if unit.name == "men")
    away = replace(left, hex=board.parse("0405"), fort=NOBODY)
    men = imagined(replace(state, position=with_units(state.position, [away]))).get("men")
    assert men is None or men.fort == NOBODY


@pytest.mark.rule("PL-1333")
def test_a_tank_bridge_that_nobody_has_seen_is_still_on_its_layer() -> None:
    board = drawn(SCREENED)
    tank, layer = entry("tank", "g_pz4", board, "0101"), entry("layer", "b_churchill_bridge", board, "0405")
    state = opened(board, tank, layer, turn=2)
    units = imagined(state, side=GERMAN)
    bridge = next(unit for unit in units.values() if unit.kind == "n_tbridge")
    assert bridge.fate == RESERVE
    assert units["layer"].hex


@pytest.mark.rule("PL-1401")
def test_faces_that_lie_down_are_landing_units_and_those_still_to_come_the_latest_of_them() -> None:
    board = drawn("....\nBBBB\nOOOO")
    down = {"details": UnitDetails(facedown=True)}
    late = Reinforcement(3, (HexId(board.parse("0403")),))
    state = opened(
        board,
        entry("gun", "g_88", board, "0101"),
        entry("tank", "b_cromwell", board, "0103", **down),
        entry("men", "b_commando", board, "0203", **down),
        entry("last", "b_flail", board, arrival=late),
    )
    state = replace(state, position=replace(state.position, ground=open_ground(state)))
    dealt = set()
    for key in range(8):
        units = imagined(state, key, GERMAN)
        assert {name: bool(unit.hex) for name, unit in units.items()} == {"tank": True, "men": True, "last": False}
        dealt.add(units["tank"].hex)
    assert dealt == {board.parse("0103"), board.parse("0203")}


def open_ground(state: State[Position]) -> Ground:
    """The ground of a battle without fog."""
    return Ground(state.position.ground.scenario, Options())
