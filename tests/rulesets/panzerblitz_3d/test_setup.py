"""Setting up in zones, reinforcements, and what scenario and board files may not say (PB3-1303)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from sandtable.geometry.board import Board
from sandtable.geometry.hexes import N
from sandtable.kernel.dice import PromptDice
from sandtable.kernel.ids import HexId
from sandtable.rulesets.panzerblitz_3d import events as e
from sandtable.rulesets.panzerblitz_3d import setup
from sandtable.rulesets.panzerblitz_3d.model import GERMAN, RESERVE, RUSSIAN
from sandtable.rulesets.panzerblitz_3d.orders import EndPhase, PlaceUnit
from sandtable.rulesets.panzerblitz_3d.scenario import (
    BatteryEntry,
    Sections,
    Setup,
    board_problems,
    scenario_problems,
)
from sandtable.rulesets.panzerblitz_3d.terrain import may_stand, suggested_symbols
from tests.kit import boards
from tests.rulesets.panzerblitz_3d.battles import battle, entry, id_of, opened
from tests.rulesets.panzerblitz_3d.table import Table, U, drawn, open_ground, table, unit

ZONES = {"german": ["0101", "0102", "0103"], "russian": ["0501", "0502", "0503"]}
ORDER = Sections(setup=Setup(("german", "russian")))


def setting_up(*entries: Any, rows: str = open_ground(5, 3), **fields: Any) -> Table:
    given = entries or (entry("g_rifle", id="a"), entry("g_rifle", id="b"), entry("r_rifle", id="c"))
    return opened(battle(rows, *given, zones=ZONES, sections=ORDER, **fields))


@pytest.mark.rule("PB3-1303")
def test_sides_set_up_in_their_zones_in_the_order_of_the_scenario() -> None:
    t = setting_up(objectives=[("Post", ["0101", "0501"], 1)])
    a, b, c = (id_of(t, name) for name in "abc")
    assert (t.asked, t.decider) == ("setup", GERMAN)
    assert t.refusal(EndPhase()).reason == "Rifle platoon still has to be placed"
    assert list(setup.end_options(t.position, GERMAN)) == []
    assert t.refusal(PlaceUnit(a, t.hex("0301"))).reason == "that hex is not in your setup zone"
    assert t.refusal(PlaceUnit(c, t.hex("0101"))).reason == "there is no such unit of yours"
    assert t.refusal(PlaceUnit(a, HexId(0))).reason == "that is no hex of the map"
    t.play(PlaceUnit(a, t.hex("0101")))
    t.play(PlaceUnit(b, t.hex("0101")))
    t.play(PlaceUnit(b, t.hex("0102")))
    t.play(EndPhase())
    assert (t.asked, t.decider) == ("setup", RUSSIAN)
    t.play(PlaceUnit(c, t.hex("0501")))
    t.play(EndPhase(), dice=[6, 1])
    assert t.position.control == {t.hex("0101"): GERMAN, t.hex("0501"): RUSSIAN}
    assert t.asked == "initiative"


@pytest.mark.rule("PB3-1303")
def test_what_the_scenario_has_placed_stays_and_what_rides_comes_with_its_carrier() -> None:
    t = setting_up(
        entry("g_truck", id="truck"),
        entry("g_rifle", id="rider", aboard="truck"),
        entry("g_rifle", "0301", id="fixed"),
        entry("r_rifle", "0501"),
        rows=". . . . .\nM . . . .\nP . . . .",
    )
    truck, rider, fixed = (id_of(t, name) for name in ("truck", "rider", "fixed"))
    assert t.refusal(PlaceUnit(rider, t.hex("0101"))).reason == "it comes with its carrier"
    assert t.refusal(PlaceUnit(fixed, t.hex("0101"))).reason == "the scenario places this unit"
    assert t.refusal(PlaceUnit(truck, t.hex("0102"))).rule == "PB3-205"
    t.play(PlaceUnit(truck, t.hex("0101")))
    assert (t.at(truck), t.at(rider)) == ("0101", "0101")
    assert list(setup.placement_options(t.position, GERMAN, t.unit(rider))) == []


@pytest.mark.rule("PB3-401")
def test_a_setup_hex_holds_no_more_than_the_stacking_limit() -> None:
    t = setting_up(*(entry("g_rifle", id=f"g{n}") for n in range(4)), entry("r_rifle", "0501"))
    ids = [id_of(t, f"g{n}") for n in range(4)]
    for id in ids[:3]:
        t.play(PlaceUnit(id, t.hex("0101")))
    assert t.refusal(PlaceUnit(ids[3], t.hex("0101"))).rule == "PB3-401"
    assert {t.board.label(o.hex) for o in setup.placement_options(t.position, GERMAN, t.unit(ids[3]))} == {
        "0102",
        "0103",
    }
    picked = setup.pick_placement(t.position, GERMAN, t.unit(ids[3]), PromptDice("x"))
    assert picked is not None
    assert picked.hex != t.hex("0101")
    assert setup.pick_placement(t.position, RUSSIAN, t.unit(ids[3]), PromptDice("x")) is None


@pytest.mark.rule("PB3-1303")
def test_reinforcements_come_from_their_turn_on_at_their_hexes_in_the_step_of_their_kind() -> None:
    made = battle(
        open_ground(5, 1),
        entry("g_pz4", id="tank", turn=1, at=["0101"]),
        entry("g_rifle", id="late", turn=2, at=["0101"]),
        entry("g_rifle", "0201", id="here"),
        entry("r_rifle", "0501"),
    )
    t = opened(made)
    tank, late, here = (id_of(t, name) for name in ("tank", "late", "here"))
    t.set(step="vehicle movement", phasing=GERMAN, first=GERMAN)
    t.state = t.state.__class__(t.position, (t.state.flow[0].__class__("vehicle movement"),), t.state.dice)
    assert t.refusal(PlaceUnit(late, t.hex("0101"))).reason == "it arrives on turn 2"
    assert t.refusal(PlaceUnit(here, t.hex("0101"))).reason == "this unit is no reinforcement"
    assert t.refusal(PlaceUnit(tank, t.hex("0301"))).reason == "that is not one of its entry hexes"
    t.set(turn=2)
    assert t.refusal(PlaceUnit(late, t.hex("0101"))).rule == "PB3-509"
    t.play(PlaceUnit(tank, t.hex("0101")))
    assert t.at(tank) == "0101"
    assert list(setup.placement_options(t.position, GERMAN, t.unit(tank))) == []


@pytest.mark.rule("PB3-606")
def test_a_reinforcement_finds_its_way_in_barred_by_an_enemy_seen_or_unseen() -> None:
    made = battle(
        "W . . . .",
        entry("g_pz4", id="tank", turn=1, at=["0101"]),
        entry("r_rifle", "0101", id="foe"),
        entry("g_rifle", "0501"),
        sections={"mines": ("0201",)},
    )
    t = opened(made)
    t.set(step="vehicle movement", phasing=GERMAN, first=GERMAN)
    t.state = t.state.__class__(t.position, (t.state.flow[0].__class__("vehicle movement"),), t.state.dice)
    tank = id_of(t, "tank")
    assert t.refusal(PlaceUnit(tank, t.hex("0101"))).rule == "PB3-606"
    t.run(setup.resolve_place, GERMAN, PlaceUnit(tank, t.hex("0101")))
    assert [event.why for event in t.happened(e.MoveEnded)] == ["the way is barred (PB3-606)"]
    assert t.unit(tank).fate == RESERVE
    assert t.refusal(PlaceUnit(tank, t.hex("0101"))).reason == "its way in was barred in this player turn"


@pytest.mark.rule("PB3-305")
def test_a_battery_has_the_missions_of_the_table_unless_the_scenario_says_otherwise() -> None:
    entries = (BatteryEntry("german", "ob_105"), BatteryEntry("russian", "ob_rocket", 1, "Katyushas"))
    t = opened(
        battle(open_ground(3, 1), entry("g_rifle", "0101"), entry("r_rifle", "0301"), sections={"batteries": entries})
    )
    assert [(one.missions, one.name) for one in t.position.batteries] == [(4, ""), (1, "Katyushas")]


@pytest.mark.rule("PB3-1201")
def test_a_scenario_makes_any_unit_a_forward_observer() -> None:
    t = opened(battle(open_ground(3, 1), entry("g_rifle", "0101", observer=True), entry("r_rifle", "0301")))
    assert [unit.observer for unit in t.position.units if unit.side == GERMAN] == [True]


# --- what files may not say -----------------------------------------------------------------------------------------


def complaints(made: Any) -> list[str]:
    return [problem.message for problem in scenario_problems(made)]


GOOD = (entry("g_rifle", "0101"), entry("r_rifle", "0301"))


def test_a_sound_scenario_has_no_problems() -> None:
    assert complaints(battle(open_ground(3, 1), *GOOD)) == []


CASES: list[tuple[str, dict[str, Any], list[Any]]] = [
    ("a Rifle company is not german (PB3-304)", {}, [entry("r_rifle", "0101", side="german")]),
    ("hex 0101 holds more than 2 units (PB3-401)", {}, [entry("r_rifle", "0101") for _ in range(3)]),
    ("both sides stand in hex 0101 (PB3-606)", {}, [entry("r_rifle", "0101"), entry("g_rifle", "0101")]),
    (
        "'aboard': a Truck can't carry a PzKpfw IV (PB3-621)",
        {},
        [entry("g_truck", "0101", id="t"), entry("g_pz4", aboard="t")],
    ),
    (
        "'aboard': t carries another unit already (PB3-621)",
        {},
        [entry("g_truck", "0101", id="t"), entry("g_rifle", aboard="t"), entry("g_rifle", aboard="t")],
    ),
    (
        "'inside': t is no fort (PB3-1606)",
        {},
        [entry("g_truck", "0101", id="t"), entry("g_rifle", inside="t")],
    ),
    (
        "'inside': f holds more than 2 units (PB3-405)",
        {"options": {"works": True}},
        [entry("n_fort_r", "0101", id="f"), *(entry("r_rifle", inside="f") for _ in range(3))],
    ),
    ("swamp in hex 0201 is forbidden to it (PB3-205)", {"rows": ". M ."}, [entry("g_pz4", "0201")]),
    ("swamp in hex 0201 is forbidden to it (PB3-205)", {"rows": ". M ."}, [entry("g_pz4", turn=2, at=["0201"])]),
    ("mines, blocks and forts need 'works = true' (PB3-1606)", {"sections": {"mines": ("0101",)}}, []),
    (
        "a fort needs a hex of its own (PB3-1606)",
        {"options": {"works": True}},
        [entry("n_fort_r", "0101"), entry("n_fort_r", "0101")],
    ),
    ("has no place, but 'setup.order' leaves german out (PB3-1303)", {}, [entry("g_rifle")]),
    (
        "german has 3 units to set up and room for 2 (PB3-401)",
        {"sections": {"setup": Setup(("german",))}, "zones": {"german": ["0101"]}},
        [entry("g_pz4", "0101", id="t"), entry("g_rifle", aboard="t"), *(entry("g_rifle") for _ in range(3))],
    ),
    (
        "no hex of the zone bears a Truck (PB3-205)",
        {"rows": "M.", "sections": {"setup": Setup(("german",))}, "zones": {"german": ["0101"]}},
        [entry("g_rifle"), entry("g_truck")],
    ),
    ("stands in the enemy's zone in hex 0101 (PB3-1303)", {"zones": {"russian": ["0101"]}}, [entry("g_rifle", "0101")]),
    (
        "hex 0101 is in zones of both sides (PB3-1303)",
        {"zones": {"russian": ["0101"], "german": ["0101"]}},
        [],
    ),
]


@pytest.mark.parametrize(
    ("message", "fields", "entries"), CASES, ids=lambda value: value if isinstance(value, str) else ""
)
def test_a_scenario_is_told_what_is_wrong_with_it(message: str, fields: dict[str, Any], entries: Iterable[Any]) -> None:
    given = dict(fields)
    assert message in complaints(battle(given.pop("rows", open_ground(3, 1)), *entries, **given))


@pytest.mark.rule("PB3-205", "PB3-604", "PB3-607")
def test_a_ford_or_a_road_lets_vehicles_stand_in_a_swamp_and_nothing_lets_them_stand_in_a_pond() -> None:
    board = drawn("M M M P", ford=["0201"], roads=[["0301", "0401"]])
    places = [board.parse(label) for label in ("0101", "0201", "0301", "0401")]
    assert [may_stand(board, "truck", HexId(place)) for place in places] == [False, True, True, False]
    assert [may_stand(board, "nonvehicle", HexId(place)) for place in places] == [True, True, True, False]


@pytest.mark.rule("PB3-201")
@pytest.mark.rule("PB3-202")
@pytest.mark.rule("PB3-203")
def test_a_board_is_told_what_is_wrong_with_it() -> None:
    legend = {".": "clear", "S": "slope", "P": "pond"}
    wrong = boards.board(
        ".SP\n...",
        legend,
        elevation="100\n022",
        features={"gully": ["0301", "0202"], "ford": ["0102"]},
        hexsides={"green": ["0102-0202"], "brown": ["0102-0202"]},
    )
    assert [problem.message for problem in board_problems(wrong)] == [
        "clear at elevation 1; expected 0 or 2 (PB3-202)",
        "slope at elevation 0; expected 1 (PB3-202)",
        "a gully in pond at elevation 0 (PB3-201)",
        "a ford without a gully (PB3-201)",
        "a gully in clear at elevation 2 (PB3-201)",
        "brown, green; a side carries one symbol (PB3-203)",
    ]
    edge = Board.build("edge", 2, 1, hexsides={("0201", N): {"brown", "green"}})
    assert [problem.message for problem in board_problems(edge)] == [
        "brown, green; a side carries one symbol (PB3-203)"
    ]


@pytest.mark.rule("PB3-204")
def test_symbols_are_suggested_by_the_terrain_on_both_sides() -> None:
    board = drawn(
        """
        W W T T .
        S S ^ . .
        S ^ . . .
        """
    )
    found = suggested_symbols(board)

    def between(a: str, b: str) -> str:
        here, there = board.parse(a), board.parse(b)
        return found.get((here, board.direction(here, there)), "")

    assert between("0101", "0201") == "green" == between("0201", "0101")
    assert between("0301", "0401") == "gray"
    assert between("0302", "0402") == "orange"
    assert between("0402", "0302") == "orange"
    assert between("0302", "0401") == "orange"
    assert between("0401", "0501") == ""
    assert between("0102", "0103") == "brown"
    flat = drawn("S S\nS S\nS S")
    assert set(suggested_symbols(flat).values()) == {"brown"}
    # with a hilltop on one hand and none on the other the slope does not fold
    ledge = drawn("S ^\nS ^")
    assert (ledge.parse("0101"), 3) not in suggested_symbols(ledge)


def test_terrain_of_a_drawn_table_is_what_its_letters_say() -> None:
    t = table("W ^", unit("g_rifle", "0101"))
    assert (t.board.terrain[t.hex("0101")], t.board.elevation[t.hex("0201")]) == ("woods", 2)
    assert U(0) == t.unit(0).id
