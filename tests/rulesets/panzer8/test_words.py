"""PANZER8 in words and answers: pieces, sentences, cards, reports, highlights, menus, and what a computer player makes
of it, over whole battles and on small tables.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import islice, pairwise
from typing import Any

import pytest

from sandtable import registry
from sandtable.ai.players import GreedyPlayer, Player, RandomPlayer
from sandtable.content import ContentError, load_scenario, load_sheet, load_shipped
from sandtable.kernel.dice import PromptDice
from sandtable.kernel.engine import all_viewers, begin, submit
from sandtable.kernel.events import DiceKey, Event
from sandtable.kernel.ids import SPECTATORS, RuleId
from sandtable.kernel.ruleset import Selection
from sandtable.kernel.state import Played, State
from sandtable.rulesets.panzer8 import badges, describe, doctrine, insight, marks, orders, outlook
from sandtable.rulesets.panzer8 import events as e
from sandtable.rulesets.panzer8.model import ALLIED, GERMAN, Combat, Effect, Opening, Position, Work
from sandtable.rulesets.panzer8.scenario import VOCABULARY
from sandtable.rulesets.panzer8.system import SYSTEM, tutorial, unit_title
from tests.rulesets.panzer8.table import RULES, Table, U, element, open_ground, table

SILENT = (
    e.StepBegan,
    e.TurnEnded,
    e.EffectSpent,
    e.ActionTaken,
    e.Reacted,
    e.Shown,
    e.WorkEnded,
    e.CombatEnded,
    e.OccasionGiven,
    e.AdvanceOffered,
    e.AccountsKnown,
)
"""Bookkeeping that tells a player nothing."""


@cache
def battle(name: str, player: str, options: tuple[str, ...] = (), orders_: int = 130) -> tuple[Played[Position], ...]:
    """The first turns of a battle, order by order."""
    scenario = load_shipped(name, VOCABULARY)
    seats: dict[str, Player] = {
        "random": RandomPlayer(RULES, SYSTEM.doctrine),
        "greedy": GreedyPlayer(RULES, SYSTEM.doctrine),
    }
    playing = seats[player]
    played = begin(RULES, scenario, dict.fromkeys(options, True), f"{name} {player}")
    state = played.state
    viewers = all_viewers(RULES, state)
    played = begin(RULES, scenario, dict.fromkeys(options, True), f"{name} {player}", viewers)
    found, dice = [played], PromptDice(f"{name} {player}")
    while RULES.decisions(found[-1].state) and len(found) < orders_:
        state = found[-1].state
        decision = RULES.decisions(state)[0]
        order = playing.choose(RULES.view(state, decision.side), decision, 64, dice)
        after = submit(RULES, state, decision.side, order)
        assert isinstance(after, Played), f"{order}: {after}"
        found.append(after)
    return tuple(found)


BATTLES = (
    ("p8-odon", "random", ("hidden_setup", "engineering")),
    ("p8-chemery", "random", ()),
    ("p8-mill-road", "greedy", ("hidden_setup",)),
    ("p8-mill-road", "random", ("own_decks",)),
)
battles = pytest.mark.parametrize(("name", "player", "options"), BATTLES, ids=lambda value: str(value))


def states(name: str, player: str, options: tuple[str, ...]) -> Iterator[State[Position]]:
    found = battle(name, player, options)
    return (played.state for played in found[:: max(1, len(found) // 8)])


@battles
def test_every_event_has_a_sentence_or_is_bookkeeping(name: str, player: str, options: tuple[str, ...]) -> None:
    for played in battle(name, player, options):
        view = RULES.view(played.state, ALLIED)
        for event in played.events:
            sentence = RULES.describe(event, view)
            quiet = isinstance(event, SILENT) or (isinstance(event, e.EffectBegan) and not sentence)
            assert bool(sentence) != quiet, event
            assert marks.marks(event) is not None
        for viewer, told in played.told.items():
            for news in told:
                RULES.describe(news.event, RULES.view(played.state, viewer))


@battles
def test_a_move_is_told_with_the_hex_it_set_out_from(name: str, player: str, options: tuple[str, ...]) -> None:
    for before, played in pairwise(battle(name, player, options)):
        position = before.state.position
        for event in played.events:
            if isinstance(event, e.Moved):
                told = marks.marks(event)
                assert (told.start, told.path) == (position.elements[event.unit].hex, (event.hex,))
            position = RULES.apply(position, event)


@battles
def test_questions_are_answered_in_every_state(name: str, player: str, options: tuple[str, ...]) -> None:
    for state in states(name, player, options):
        for viewer in all_viewers(RULES, state):
            view = RULES.view(state, viewer)
            pieces = RULES.pieces(view)
            for piece in pieces[:3]:
                card = RULES.card(view, piece.id)
                assert card is None or card.sections
                assert RULES.hex_facts(view, piece.hex)
                RULES.threats(view, piece.hex)
                RULES.watchers(view, piece.hex)
                for verb in RULES.menu(view, Selection((piece.id,))):
                    RULES.why_not(view, verb.key, Selection((piece.id,)), Selection(hex=pieces[0].hex))
                    if verb.targets:
                        assert verb.targets[0].text == RULES.order_text(verb.targets[0].order, view)
                        RULES.explain(view, verb.targets[0].order)
            assert RULES.standing(view)
            assert RULES.tree(view)
            assert all(RULES.report(view, report.kind) for report in RULES.reports(view))
            assert all(RULES.query(view, query.key) for query in RULES.queries(view))
            assert RULES.query(view, "nothing") is None
            assert RULES.report(view, "nothing") is None
            assert set(RULES.ready(view)) <= {piece.id for piece in pieces}
            assert RULES.step(view)
            RULES.believed(view)


@battles
def test_imagined_worlds_look_like_the_view(name: str, player: str, options: tuple[str, ...]) -> None:
    for state in states(name, player, options):
        view = RULES.view(state, ALLIED)
        world = RULES.imagine(view, DiceKey("dream"))
        assert RULES.known(world.position, ALLIED).elements == view.position.elements or "hidden_setup" in options


@battles
def test_the_pieces_told_are_the_pieces_seen(name: str, player: str, options: tuple[str, ...]) -> None:
    found = battle(name, player, options)
    for before, after in islice(pairwise(found), 0, None, 3):
        for viewer in (ALLIED, GERMAN, SPECTATORS):
            were, are = (RULES.view(played.state, viewer) for played in (before, after))
            change = RULES.piece_changes(were.position, are.position, viewer)
            shown = {piece.id: piece for piece in RULES.pieces(were)}
            shown |= {piece.id: piece for piece in change.changed}
            assert {id: piece for id, piece in shown.items() if id not in change.gone} == {
                piece.id: piece for piece in RULES.pieces(are)
            }


# --- small things ---------------------------------------------------------------------------------------------------


def test_sentences_of_rare_events() -> None:
    t = table(open_ground(2, 4), element("sherman", "0101"), element("pz4g", "0201"))
    place = t.hex("0102")
    told: list[tuple[Event, str]] = [
        (e.DeckShuffled(SPECTATORS), "The deck is shuffled"),
        (e.Stopped(U(0), place, t.hex("0103")), "Sherman"),
        (e.Stopped(U(0), place), "stops in 0102"),
        (e.StruckFromAir(ALLIED, place, 4, False), "do not find"),
        (e.StruckFromAir(ALLIED, place, 9, True), "arrive over"),
        (e.WorkBegan(U(0), place, 2, 1), "begins to clear"),
        (e.ObstacleCleared(place, 2), "is clear"),
        (e.BatteryCalled(U(0), ALLIED, "bat_105", place, place, 6, 6), "fires on"),
        (e.BatteryCalled(U(0), ALLIED, "", place, t.hex("0103"), 1, 1), "drifts to"),
        (
            e.BatteryCalled(U(0), ALLIED, "bat_105", place, 0, 1, 1),
            "fires at 0102 and drifts beyond the edge of the map",
        ),
        (
            e.BatteryCalled(U(-1), ALLIED, "bat_105", 0, 0, 0, 0),
            "Light field battery fires, and its shells come down beyond the edge of the map",
        ),
        (e.StruckFromAir(ALLIED, place, 4, False, "air_bomb"), "Dive bomber does not find 0102"),
        (e.StruckFromAir(ALLIED, place, 9, True, "air_bomb"), "Dive bomber arrives over 0102"),
        (
            e.AttackRolled("charge", U(1), 1, 5, -4, "no effect", RuleId("P8-11.09"), U(0), "suppressed"),
            "no effect; the attacker is suppressed",
        ),
        (e.DieCast(U(0), RuleId("P8-13.02"), 2, False), "nothing moves"),
        (e.DieCast(U(0), RuleId("P8-13.02"), 9, True), "its engine starts"),
        (e.EffectBegan("E02", ALLIED, 1, U(0)), "the initiative"),
        (e.EffectBegan("E03", ALLIED, 1), ""),
        (e.StragglersFound(ALLIED), "Stragglers"),
        (e.SightLost((U(1),)), "Out of sight"),
        (e.ElementsSighted((t.element(1),)), "In sight"),
        (e.BattleEnded(GERMAN, "tactical", ("so",)), "German wins"),
        (e.BattleEnded(SPECTATORS, "draw", ("so",)), "nobody wins"),
        (e.AttackRolled("mines", U(0), 5, 5, 1, "no effect", RuleId("P8-13.02")), "Mines go off under"),
        (e.Mounted(U(0), U(1), 60), "goes aboard"),
        (e.Dismounted(U(0), U(1), place, 60), "dismounts"),
        (e.Turned(U(0), 2), "turns southeast"),
    ]
    for event, part in told:
        assert part in describe.sentence(event, t.position)
        assert (describe.sentence(event, t.position) == "") == (part == "")
    assert describe.element_name(t.position, U(9)) == "nobody"
    assert describe.place_name(t.position, 0) == "off the map"


def test_results_in_a_few_words() -> None:
    t = table(open_ground(2, 4), element("sherman", "0101"))
    view = RULES.view(t.state, ALLIED)
    assert RULES.result((), view) == "no effect"
    assert "falls back" in RULES.result((e.FellBack(U(0), t.hexes("0102")),), view)
    assert "recovers" in RULES.result((e.RecoveryRolled(U(0), 7, 7, "recovers"),), view)
    assert "out of action" in RULES.result((e.Lost(U(0)),), view)
    assert "suppressed" in RULES.result((e.Suppressed(U(0)),), view)


def test_badges() -> None:
    t = table(
        open_ground(2, 4),
        element("eng", "0101", suppressed=True, acted=1, reacted=1, quality=-1, rallied=True),
        element("inf_rifle", "0201", "german"),
        combats=(Combat(U(0), U(1), "charge"),),
        works=(Work(U(0), 12, 1, 1),),
    )
    worn = badges.badges_of(t.position, t.element(0))
    assert set(badges.titles(worn)) == {
        "suppressed", "has acted", "has reacted", "rallies", "in close combat", "at work", "raw"
    }  # fmt: skip
    assert badges.tone_of(worn) == "shaken"


def test_lines_of_sight_are_explained() -> None:
    t = table("o\no\nW\no\no", element("sherman", "0101"), smoke={"0104": 9, "0105": 9})
    view = RULES.view(t.state, ALLIED)

    def why(a: str, b: str) -> str:
        line = insight.sight_line(view, t.hex(a), t.hex(b))
        return "" if line.clear else str(line.reason.rule if line.reason else "")

    assert why("0101", "0102") == ""
    assert why("0101", "0105") == "P8-7.02"
    assert insight.sight_line(view, t.hex("0101"), 0).reason is not None
    woods = table("W\nW\nW\nW", elevation="3\n0\n0\n3")
    inside = insight.sight_line(RULES.view(woods.state, ALLIED), woods.hex("0101"), woods.hex("0104"))
    assert inside.reason is not None
    assert inside.reason.rule == "P8-7.03"
    smoky = table(open_ground(1, 6), smoke={"0102": 9, "0104": 9})
    line = insight.sight_line(RULES.view(smoky.state, ALLIED), smoky.hex("0101"), smoky.hex("0105"))
    assert line.reason is not None
    assert line.reason.rule == "P8-12.02"
    far = table(open_ground(1, 16), sections={"visibility": 10})
    line = insight.sight_line(RULES.view(far.state, ALLIED), far.hex("0101"), far.hex("0116"))
    assert line.reason is not None
    assert line.reason.rule == "P8-1.03"
    assert insight.watchers(view, 0) == ()
    assert insight.threats(view, 0) == ()
    assert insight.hex_facts(view, 0) == ()


def test_facts_of_a_hex() -> None:
    t = table(
        "oB\noo",
        element("sherman", "0101"),
        smoke={"0201": 9},
        wrecks=["0201"],
        mines=["0201"],
        control={"0201": GERMAN},
        roads=[["0101", "0201"]],
        hexsides={"wall": ["0101-0201"]},
    )
    facts = {line.label for line in RULES.hex_facts(RULES.view(t.state, ALLIED), t.hex("0201"))}
    assert {"Smoke", "Wreck", "Mines", "Belongs to", "Road"} <= facts


def test_threats_look_at_range_arc_and_sight() -> None:
    t = table(
        open_ground(1, 40),
        element("sherman", "0101"),
        element("at_50", "0110", facing=3),
        element("pz4g", "0112", facing=3),
        element("truck", "0113", "german"),
    )
    view = RULES.view(t.state, ALLIED)
    assert [threat.actors for threat in insight.threats(view, t.hex("0101"))] == [(2,)]
    # the Sherman would be shot at by both kinds of shell that a Panzer IV has
    shots = insight.threats(view, t.hex("0102"), U(0))
    assert [shot.actors for shot in shots] == [(2,), (2,)]
    assert all(sum(branch.chance for branch in shot.branches) == 1 for shot in shots)
    assert insight.threats(view, t.hex("0102"), U(1)) == insight.threats(view, t.hex("0102"))
    assert insight.seen(view, (U(0),)) == insight.seen(view, ())


# --- the computer player --------------------------------------------------------------------------------------------


def gained(t: Table, order: Any, side: Any = ALLIED) -> int:
    return doctrine.gain(outlook.Outlook(t.position, side), order)


def test_a_sensible_player_weighs_orders() -> None:
    t = table(
        open_ground(3, 12),
        element("sherman", "0212"),
        element("pz4g", "0201", facing=3),
        element("halftrack", "0312"),
        element("inf_rifle", "", carrier=2),
        element("truck", "0112"),
        objectives={"The hill": ("0203",)},
        control={"0203": GERMAN},
    )
    assert gained(t, orders.Fire(U(0), U(1), "ap")) > 20
    assert gained(t, orders.Dismount(U(2), t.hex("0311"))) == 20
    assert gained(t, orders.Dismount(U(4), t.hex("0111"))) == 0
    far = table(open_ground(1, 40), element("halftrack", "0101"), element("inf_rifle", "", carrier=0))
    assert gained(far, orders.Dismount(U(0), far.hex("0102"))) == 0
    assert gained(t, orders.EndPhase()) == 0
    assert gained(t, orders.StrikeFromAir(t.hex("0201"), "ap")) > 0
    assert gained(t, orders.StrikeFromAir(t.hex("0201"), "hesa")) > 0
    assert gained(t, orders.StrikeFromAir(t.hex("0205"), "hesa")) == 0
    t.set(card="E07")
    assert gained(t, orders.ChooseHex(t.hex("0212"))) == 1
    assert gained(t, orders.ChooseHex(t.hex("0201"))) == 0
    t.set(card="E13")
    assert gained(t, orders.ChooseHex(t.hex("0201"))) > 0
    assert gained(t, orders.ChooseHex(t.hex("0212"))) < 0
    assert gained(t, orders.ChooseElement(U(0))) > 50
    t.set(opening=Opening(U(0), t.hex("0211")))
    assert isinstance(gained(t, orders.Advance(0)), int)


def test_a_sensible_player_answers_every_decision() -> None:
    view = RULES.view(table(open_ground(3, 3)).state, ALLIED)
    for kind, wanted in (("reaction", orders.Pass), ("event", orders.LetCardGo), ("advance", orders.Stay)):
        decision = type("D", (), {"kind": kind})()
        assert isinstance(SYSTEM.doctrine.ending(view, decision), wanted)
    assert outlook.material(view.position, ALLIED) == 0


# --- content --------------------------------------------------------------------------------------------------------

BOARD = b"""
format = 1
kind = "board"
id = "spot"
title = "Spot"
width = 3
height = 2
terrain = "ooo\\nomo"
elevation = "000\\n0%s0"
[legend]
o = "open_field"
m = "marsh"
"""

SCENARIO = """
format = 1
kind = "scenario"
id = "p8-spot"
system = "panzer8"
title = "Spot"
summary = "A spot."
board = "spot"
turns = 3
first = "allied"
[[batteries]]
side = "german"
type = "bat_81"
[[sides]]
id = "allied"
title = "Allied"
[[sides]]
id = "german"
title = "German"
[[units]]
id = "t"
type = "truck"
side = "allied"
at = "0202"
telephone = true
[[units]]
type = "sherman"
side = "allied"
aboard = "t"
[[units]]
type = "inf_rifle"
side = "allied"
aboard = "t"
[[units]]
type = "inf_rifle"
side = "german"
at = "0101"
[[units]]
type = "cmd_foot"
side = "german"
at = "0101"
[[units]]
type = "inf_lmg"
side = "german"
arrives = { turn = 2, at = ["0301"] }
"""


def test_everything_wrong_with_a_scenario_is_reported_at_once() -> None:
    sheet = load_sheet(BOARD % b"1", VOCABULARY)
    with pytest.raises(ContentError) as caught:
        load_scenario(SCENARIO.encode(), VOCABULARY, {"spot": sheet})
    told = str(caught.value)
    for part in (
        "holds two elements (P8-1.05)",
        "an element begins on the map, or its side is in 'setup.order' (P8-1.05)",
        "can't carry a M4 Sherman 75 (P8-6.10)",
        "carries another element already (P8-2.03)",
        "is impassable to it (P8-6.01)",
        "'telephone' is for forward observers (P8-12.03)",
        "has no observer to call it (P8-12.03)",
        "allied has no commander (P8-2.02)",
    ):
        assert part in told, told


@pytest.mark.rule("P8-3.01")
def test_levels_go_up_to_three() -> None:
    with pytest.raises(ContentError, match=r"P8-3\.01"):
        load_sheet(BOARD % b"4", VOCABULARY)


def test_counters_speak() -> None:
    cards = {card.key: card for card in SYSTEM.counters()}
    assert cards["tiger"].brief == "armored vehicle, AP 10 to 60 hexes, HESA 7 to 36 hexes, defense 9"
    assert cards["truck"].brief == "unarmored vehicle, no weapon, defense 2"
    assert cards["unknown"].values[0].amount == "not known"
    assert {"AP", "HESA", "Defense", "Movement", "Arc"} <= {value.name for value in cards["tiger"].values}


def test_the_door_of_the_room() -> None:
    assert unit_title("tiger") == "Tiger I"
    assert registry.system("panzer8") is SYSTEM
    assert tutorial is SYSTEM.tutorial
    assert len(SYSTEM.rules()) == 103
    assert Effect("E01", ALLIED, 1).unit == -1


# --- cards on the table and what an element faces --------------------------------------------------------------------


def open_cards(t: Table) -> list[tuple[str, str, str, tuple[str, ...]]]:
    """The cards that lie open, as a player reads them."""
    shown = RULES.pieces(RULES.view(t.state, ALLIED))
    return [(one.title, one.side, one.note, one.states) for one in shown if one.mark == "card"]


@pytest.mark.rule("P8-4.02", "P8-13.02")
def test_the_card_of_the_turn_lies_open_and_says_what_it_does() -> None:
    t = table(open_ground(6, 3), element("inf_lmg", "0101"), element("inf_lmg", "0601", side=GERMAN), half=3)
    assert open_cards(t) == []
    t.set(card="E01")
    assert open_cards(t) == [("All quiet", ALLIED, "nothing happens", ("drawn in this turn",))]


@pytest.mark.rule("P8-13.02")
def test_a_card_lies_open_as_long_as_it_works_with_the_element_it_works_on() -> None:
    t = table(open_ground(6, 3), element("inf_lmg", "0101"), element("inf_lmg", "0601", side=GERMAN), half=3)
    t.set(card="E02", effects=(Effect("E08", GERMAN, 3), Effect("E02", ALLIED, 3, U(0)), Effect("E15", ALLIED, 4)))
    assert [(title, side, states) for title, side, _, states in open_cards(t)] == [
        ("Initiative", ALLIED, (describe.element_name(t.position, U(0)), "until the end of this turn")),
        ("Haze", GERMAN, ("until the end of this turn",)),
        ("Enemy alert", ALLIED, ("until the end of the next turn",)),
    ]


@pytest.mark.rule("P8-4.02", "P8-4.05")
def test_a_card_comes_to_the_table_and_goes_from_it() -> None:
    t = table(open_ground(6, 3), element("inf_lmg", "0101"), element("inf_lmg", "0601", side=GERMAN), half=3)
    before = t.position
    drawn = RULES.apply(before, e.CardDrawn("E01", ALLIED, RULES.view(t.state, ALLIED).side))
    (card,), gone = RULES.piece_changes(before, drawn, ALLIED)
    assert (card.title, card.kind, card.hex, gone) == ("All quiet", "marker", 0, ())
    assert RULES.piece_changes(drawn, RULES.apply(drawn, e.TurnEnded(3)), ALLIED) == ((), (card.id,))


@pytest.mark.rule("P8-7.05", "P8-7.06")
def test_what_an_element_faces_is_marked_hex_by_hex_and_abeam_is_still_front() -> None:
    """It faces north: its own row, exactly abeam, is still before it; no row farther south is."""
    t = table(
        open_ground(5, 5),
        element("mmg", "0303", facing=0),
        element("inf_lmg", "0501", facing=3, side=GERMAN),
        sections={"visibility": 3},
    )
    view = RULES.view(t.state, ALLIED)
    titles = {query.key: query.title for query in RULES.queries(view) if "@" in query.key}
    assert titles["front@0"] == "What Medium machine gun #0 faces; its arc of fire"
    assert titles["front@1"].endswith("it fires all around")
    found = RULES.query(view, "front@0")
    assert found is not None
    marked = {t.board.label(place) for place in found.hexes}
    assert {"0301", "0302", "0103", "0503", "0202"} <= marked
    assert not marked & {"0303", "0304", "0305", "0203", "0403"}
    assert RULES.query(view, "front@7") is None
