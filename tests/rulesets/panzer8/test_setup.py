"""Players set up in their zones before the first turn; under hidden set-up nobody sees the other do it."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.ai.players import GreedyPlayer, RandomPlayer
from sandtable.content import ContentError, ScenarioUnit, Zone, load_scenario, load_sheet
from sandtable.kernel.dice import PromptDice
from sandtable.kernel.engine import all_viewers, begin, submit
from sandtable.kernel.events import DiceKey
from sandtable.kernel.ids import SPECTATORS, SideId
from sandtable.kernel.ruleset import Selection
from sandtable.kernel.state import State
from sandtable.kernel.telling import introduced
from sandtable.rulesets.panzer8 import setup
from sandtable.rulesets.panzer8.events import ElementsSighted, Placed
from sandtable.rulesets.panzer8.frames import SetupFrame, StepFrame
from sandtable.rulesets.panzer8.model import ALLIED, GERMAN, IN_PLAY, RESERVE, SETUP, UNSEEN, Position
from sandtable.rulesets.panzer8.orders import EndPhase, PlaceElement
from sandtable.rulesets.panzer8.scenario import VOCABULARY, ElementDetails, Setup
from sandtable.rulesets.panzer8.system import SYSTEM
from tests.kit.battles import must
from tests.rulesets.panzer8.table import RULES, Table, U, drawn, scenario
from tests.rulesets.panzer8.test_words import BOARD, SCENARIO

ROWS = """
o o o o o o o o
o W o o o o W o
m o o o o o o o
"""


def zoned(**options: bool) -> Table:
    """Two sides set up at the edges of a meadow, the Germans first: a section and a truck with another aboard each."""
    board = drawn(ROWS)

    def entry(n: int, kind: str, side: SideId, **more: Any) -> ScenarioUnit[ElementDetails]:
        return ScenarioUnit(f"u{n}", kind, side, ElementDetails(facing=2), n + 1, **more)

    units = (
        entry(0, "inf_lmg", ALLIED),
        entry(1, "truck", ALLIED),
        entry(2, "inf_rifle", ALLIED, aboard="u1"),
        entry(3, "inf_lmg", GERMAN, hex=board.parse("0701")),
        entry(4, "pz4g", GERMAN),
        entry(5, "cmd_foot", ALLIED, hex=board.parse("0403")),
    )
    strips = {ALLIED: ("0101", "0102", "0103", "0201", "0202"), GERMAN: ("0701", "0702", "0801", "0802")}
    zones = tuple(Zone(side, tuple(map(board.parse, labels))) for side, labels in strips.items())
    terms = {"setup": Setup(("german", "allied"))}
    return Table(setup.opening(scenario(board, units, zones=zones, sections=terms), options, DiceKey("seed")))


def numbers(t: Table) -> dict[str, int]:
    """The ids of the elements by their names, for ids are dealt."""
    return {one.name: one.id for one in t.position.elements}


def place(t: Table, name: str, label: str, facing: int = 0) -> PlaceElement:
    return PlaceElement(t.position.elements[numbers(t)[name]].id, t.hex(label), facing)


@pytest.mark.rule("P8-4.01")
def test_sides_set_up_in_the_order_of_the_scenario_and_then_the_first_turn_begins() -> None:
    t = zoned()
    assert (t.asked, t.decider) == (SETUP, GERMAN)
    assert t.refusal(EndPhase()).reason == "PzKw IVG 75L43 still has to be set up"
    t.play(place(t, "u4", "0802", 5))
    (placed,) = t.happened(Placed)
    assert (placed.unit, placed.hex, placed.facing) == (numbers(t)["u4"], t.hex("0802"), 5)
    told = RULES.describe(placed, RULES.view(t.state, GERMAN))
    assert "is set up in 0802, facing northwest" in told
    t.play(EndPhase())
    assert (t.asked, t.decider) == (SETUP, ALLIED)
    t.play(place(t, "u0", "0101"))
    t.play(place(t, "u1", "0201"))
    played = must(submit(RULES, t.state, ALLIED, EndPhase()))
    assert played.state.position.turn == 1
    assert played.state.position.step != SETUP
    assert isinstance(played.state.flow[0], StepFrame)


@pytest.mark.rule("P8-4.01", "P8-6.10")
def test_whoever_is_aboard_is_set_up_with_his_carrier() -> None:
    t = zoned()
    t.state = State(t.position, (SetupFrame(ALLIED),), t.state.dice)
    t.play(place(t, "u1", "0201"))
    rider = t.element(numbers(t)["u2"])
    assert (rider.hex, rider.fate) == (t.hex("0201"), IN_PLAY)
    assert t.refusal(place(t, "u2", "0102")).rule == "P8-4.01"


@pytest.mark.rule("P8-4.01", "P8-1.05", "P8-6.01")
@pytest.mark.parametrize(
    ("name", "label", "facing", "rule"),
    [
        ("u4", "0401", 0, "P8-4.01"),
        ("u4", "0701", 0, "P8-1.05"),
        ("u4", "0801", 6, "P8-6.08"),
        ("u0", "0801", 0, "P8-4.03"),
    ],
)
def test_an_element_is_set_up_alone_in_a_hex_of_its_own_zone(name: str, label: str, facing: int, rule: str) -> None:
    t = zoned()
    assert t.refusal(place(t, name, label, facing)).rule == rule
    assert t.refusal(PlaceElement(U(99), t.hex(label))).rule == "P8-4.03"


@pytest.mark.rule("P8-6.01")
def test_nobody_is_set_up_where_he_could_never_have_come() -> None:
    """A truck never drives into a marsh; a section wades through it."""
    t = zoned()
    t.state = State(t.position, (SetupFrame(ALLIED),), t.state.dice)
    assert t.refusal(place(t, "u1", "0103")).rule == "P8-6.01"
    assert t.check(place(t, "u0", "0103")) is None


@pytest.mark.rule("P8-4.01", "P8-6.08")
def test_what_the_scenario_puts_into_a_zone_may_be_put_elsewhere_in_it_or_turned() -> None:
    t = zoned()
    section = numbers(t)["u3"]
    assert t.check(place(t, "u3", "0801", 4)) is None
    assert t.check(place(t, "u3", "0701", 4)) is None
    menu = RULES.menu(RULES.view(t.state, GERMAN), Selection((t.element(section).id,)))
    verb = next(verb for verb in menu if verb.key == "place")
    assert len(verb.targets) == 4 * 6 - 1
    there = [target.order.facing for target in verb.targets if target.hex == t.hex("0802")]  # type: ignore[attr-defined]
    assert there == [2, 3, 4, 5, 0, 1], "the way it faced comes first"
    assert {target.then for target in verb.targets} >= set(t.hexes("0801", "0701"))
    assert len(t.options(section, PlaceElement)) == 3
    ending = next(verb for verb in menu if verb.key == "end")
    assert ending.title == "End the set-up"
    assert ending.refusal is not None
    assert ending.refusal.rule == "P8-4.01"


@pytest.mark.rule("P8-15.01")
def test_under_hidden_setup_nobody_sees_the_enemy_while_setting_up() -> None:
    t = zoned(hidden_setup=True)
    t.play(place(t, "u4", "0801"))
    for side in (ALLIED, SPECTATORS):
        view = RULES.view(t.state, side)
        assert all(one.fate == UNSEEN for one in view.position.elements if one.side == GERMAN)
        assert not any(piece.side == GERMAN for piece in RULES.pieces(view) if piece.kind != "marker")
        assert RULES.redact(t.events[0], t.position, t.position, side) is None
    own = RULES.view(t.state, GERMAN).position.elements
    assert [one.fate for one in own if one.side == GERMAN] == [IN_PLAY, IN_PLAY]


@pytest.mark.rule("P8-15.01")
def test_what_stands_in_the_open_is_seen_when_the_first_turn_begins() -> None:
    t = zoned(hidden_setup=True)
    t.state = introduced(RULES, t.state, all_viewers(RULES, t.state), {})
    for side, orders in {GERMAN: [("u4", "0801")], ALLIED: [("u0", "0101"), ("u1", "0201")]}.items():
        for name, label in orders:
            t.play(place(t, name, label))
        played = must(submit(RULES, t.state, side, EndPhase()))
        t.state = played.state
    told = [one.event for one in played.told[ALLIED]]
    (sighted,) = [event for event in told if isinstance(event, ElementsSighted)]
    assert {one.name for one in sighted.elements} == {"u3", "u4"}


@pytest.mark.rule("P8-15.01")
def test_riders_lie_hidden_with_their_carrier() -> None:
    t = zoned(hidden_setup=True)
    names = numbers(t)
    t.set(step="action")
    t.change(names["u1"], hex=t.hex("0202"), fate=IN_PLAY)
    t.change(names["u2"], hex=t.hex("0202"), fate=IN_PLAY)
    for name in ("u3", "u4"):
        t.change(names[name], hex=0, fate="lost")
    assert RULES.known(t.position, GERMAN).elements[names["u2"]].fate == UNSEEN


@pytest.mark.rule("P8-4.01")
def test_an_imagined_enemy_stands_in_his_zone() -> None:
    t = zoned(hidden_setup=True)
    t.play(place(t, "u4", "0801"))
    t.play(EndPhase())
    position: Position = RULES.imagine(RULES.view(t.state, ALLIED), DiceKey("guess")).position
    zone = set(t.hexes("0701", "0702", "0801", "0802"))
    assert {one.hex for one in position.elements if one.side == GERMAN} <= zone


@pytest.mark.rule("P8-4.01")
@pytest.mark.parametrize("kind", [GreedyPlayer, RandomPlayer])
def test_computer_players_set_up_and_begin(kind: Any) -> None:
    t = zoned()
    player, dice = kind(RULES, SYSTEM.doctrine), PromptDice("setup")
    for _ in range(60):
        if t.asked != SETUP:
            break
        side = t.decider
        view = RULES.view(t.state, side)
        t.state = must(submit(RULES, t.state, side, player.choose(view, view.decisions[0], 50, dice))).state
    assert t.asked != SETUP
    assert all(one.fate != RESERVE for one in t.position.elements)


@pytest.mark.rule("P8-4.01")
def test_a_player_is_reminded_of_nobody_while_he_sets_up() -> None:
    t = zoned()
    view = RULES.view(t.state, GERMAN)
    assert RULES.reminders(view) == ()
    assert set(RULES.ready(view)) == {numbers(t)["u3"], numbers(t)["u4"]}


@pytest.mark.rule("P8-1.05", "P8-4.01")
def test_zones_are_large_enough_and_nobody_shares_one() -> None:
    sheet = load_sheet(BOARD % b"1", VOCABULARY)
    text = SCENARIO + (
        '[[units]]\ntype = "inf_lmg"\nside = "german"\n'
        '[setup]\norder = ["allied", "german"]\n'
        '[[zones]]\nside = "allied"\nhexes = ["0101"]\n[[zones]]\nside = "german"\nhexes = ["0101"]\n'
    )
    with pytest.raises(ContentError) as caught:
        load_scenario(text.encode(), VOCABULARY, {"spot": sheet})
    assert "#7: an element begins on the map" not in str(caught.value)
    assert "german has 4 elements for a zone of 1 hexes (P8-1.05)" in str(caught.value)
    assert "no hex is in the zones of both sides (P8-1.05)" in str(caught.value)


def test_a_battle_without_zones_begins_with_its_first_turn() -> None:
    board = drawn(ROWS)
    state = begin(RULES, scenario(board), {}, "seed").state
    assert state.position.step != SETUP
