"""Panzer '44 in words and answers: pieces, sentences, cards, reports, highlights, and what may be asked of the table,
over whole battles and on small tables.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import islice, pairwise

import pytest

from sandtable.ai.players import GreedyPlayer, Player, RandomPlayer
from sandtable.content import load_shipped, tutorial_path
from sandtable.kernel.dice import PromptDice
from sandtable.kernel.engine import submit
from sandtable.kernel.events import DiceKey, Event
from sandtable.kernel.ids import NOBODY, NOWHERE, SPECTATORS, RuleId, SideId
from sandtable.kernel.ruleset import Selection
from sandtable.kernel.state import Played, State
from sandtable.rulesets.panzer_44 import badges, counters, describe, imagination, insight, marks
from sandtable.rulesets.panzer_44 import events as e
from sandtable.rulesets.panzer_44.kinds import UNKNOWN
from sandtable.rulesets.panzer_44.model import (
    ALLIED,
    GERMAN,
    SIDES,
    UNSEEN,
    Battery,
    Contact,
    Plot,
    Position,
    Ranging,
    Sortie,
    Work,
    unseen,
)
from sandtable.rulesets.panzer_44.scenario import VOCABULARY, Condition, Exit, Group, Victory, VisibilityEntry
from sandtable.rulesets.panzer_44.system import SYSTEM, rules, unit_title
from tests.kit.battles import told_battle
from tests.rulesets.panzer_44.table import RULES, U, open_ground, table, unit

SILENT = (
    e.TurnEnded,
    e.HitsApplied,
    e.VictimAsked,
    e.PinRemoved,
    e.MoveBegan,
    e.MoveHalted,
    e.OccasionGiven,
    e.OpportunityTaken,
    e.MoveSpent,
    e.WorkEnded,
    e.RangedIn,
    e.AccountsKnown,
    e.ContactsForgotten,
)
"""Bookkeeping that tells a player nothing."""

VIEWERS = (*SIDES, SPECTATORS)


@cache
def battle(name: str, player: str, options: tuple[str, ...] = (), most: int = 150) -> tuple[Played[Position], ...]:
    """The first turns of a battle, order by order."""
    seats: dict[str, Player] = {
        "random": RandomPlayer(RULES, SYSTEM.doctrine),
        "greedy": GreedyPlayer(RULES, SYSTEM.doctrine),
    }
    scenario = load_shipped(name, VOCABULARY)
    found = [told_battle(RULES, scenario, dict.fromkeys(options, True), f"{name} {player}")]
    dice = PromptDice(f"{name} {player}")
    while RULES.decisions(found[-1].state) and len(found) < most:
        state = found[-1].state
        decision = RULES.decisions(state)[0]
        order = seats[player].choose(RULES.view(state, decision.side), decision, 64, dice)
        after = submit(RULES, state, decision.side, order)
        assert isinstance(after, Played), f"{order}: {after}"
        found.append(after)
    return tuple(found)


BATTLES = (
    ("p44-vierville", "random", ("fog", "ranging_in")),
    ("p44-mist", "random", ("mounted_fire",)),
    ("p44-orne", "greedy", ("fog",)),
    ("p44-our", "greedy", ()),
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
            quiet = isinstance(event, SILENT) or (isinstance(event, e.StepBegan) and not event.step)
            # of whom a side sees nothing it is told no move
            quiet = quiet or (isinstance(event, e.Moved) and view.position.units[event.unit].kind == UNKNOWN)
            assert bool(sentence) != quiet, event
            assert marks.marks(event) is not None
        for viewer, told in played.told.items():
            for news in told:
                RULES.describe(news.event, RULES.view(played.state, viewer))
                RULES.marks(news.event)


@battles
def test_questions_are_answered_in_every_state(name: str, player: str, options: tuple[str, ...]) -> None:
    for state in states(name, player, options):
        for viewer in VIEWERS:
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
                        RULES.sequel(view, verb.targets[0].order)
            assert RULES.standing(view)
            assert RULES.tree(view)
            assert all(RULES.report(view, report.kind) for report in RULES.reports(view))
            assert all(RULES.query(view, query.key) for query in RULES.queries(view))
            assert set(RULES.ready(view)) <= {piece.id for piece in pieces}
            assert RULES.step(view)
            RULES.believed(view)
            RULES.reminders(view)
            RULES.plans(view)


@battles
def test_the_pieces_told_are_the_pieces_seen(name: str, player: str, options: tuple[str, ...]) -> None:
    for before, after in islice(pairwise(battle(name, player, options)), 0, None, 3):
        for viewer in VIEWERS:
            were, are = (RULES.view(played.state, viewer) for played in (before, after))
            change = RULES.piece_changes(were.position, are.position, viewer)
            shown = {piece.id: piece for piece in RULES.pieces(were)}
            shown |= {piece.id: piece for piece in change.changed}
            assert {id: piece for id, piece in shown.items() if id not in change.gone} == {
                piece.id: piece for piece in RULES.pieces(are)
            }


# --- sentences --------------------------------------------------------------------------------------------------------


def test_sentences_of_rare_events() -> None:
    t = table(open_ground(2, 4), unit("u_m4", "0101"), unit("g_pz4h", "0201"),
              sections={"groups": (Group("raw", "Raw recruits", "german", 3),)})  # fmt: skip
    place, other = t.hex("0102"), t.hex("0103")
    told: list[tuple[Event, str]] = [
        (e.StepBegan(""), ""),
        (e.StepBegan("first movement", ALLIED), "Movement of the First Player: Allied"),
        (e.BattleEnded(GERMAN, "marginal", ("so",)), "German wins, marginal"),
        (e.BattleEnded(SideId(""), "draw", ("so",)), "a draw"),
        (e.OrderVoid(ALLIED, Plot(ALLIED, "move", U(0)), "why", RuleId("P44-5.08")), "No order"),
        (e.DigitsDrawn(GERMAN, "raw", (3, 7)), "German, Raw recruits: hexes ending in 3 and 7 panic"),
        (e.DigitsDrawn(ALLIED, "", (3,)), "Allied: hexes ending in 3 panic"),
        (e.Panicked(U(0), 0, "frozen"), "panics and freezes"),
        (e.Panicked(U(0), 6, "bolting"), "panics and bolts (die 6)"),
        (e.Steadied(U(0)), "stays where it is"),
        (e.BoltRolled(U(0), 2), "bolts northeast"),
        (e.FireWasted(ALLIED, U(0), place), "hits nobody"),
        (e.AttackRolled("shells", U(0), 4, 2, 3, "P", RuleId("P44-11.05")), "die 4 less 2 at +3, delayed panic"),
        (e.Barred(U(0), place), "barred by enemies in 0102"),
        (e.Loaded(U(0), U(1), 4), "goes aboard"),
        (e.Unloaded(U(0), U(1), 4), "is set down"),
        (e.LeftMap(U(0), place), "leaves the map"),
        (e.WorkAdvanced(ALLIED, Work(U(0), "clear", place, 1)), "works on"),
        (e.MinesLowered(place, "hasty"), "weaker now"),
        (e.MinesLowered(place, ""), "cleared"),
        (e.PositionBuilt(place), "Improved Position"),
        (e.ShellsFell(ALLIED, "tight", NOWHERE, U(0)), "fires off the map"),
        (e.ShellsFell(ALLIED, "tight", place, NOBODY, "", other), "A battery in 0103 fires on 0102"),
        (e.ShellsFell(ALLIED, "loose", place, U(0), "", other, other), "unobserved, and hits 0102"),
        (e.ShellsFell(ALLIED, "loose", place, NOBODY, "105mm", aimed=place, observed=True), "105mm fires on 0102"),
        (e.RangedIn(ALLIED, "x", Ranging(place, 1, 1, on_target=True)), ""),
        (e.SortieFlown(ALLIED, "P-47", place, 2, True, False), "P-47 attacks"),
        (e.SortieFlown(ALLIED, "P-47", place, 6, False, False), "driven off"),
        (e.SortieHeld(ALLIED, "P-47", place), "Nobody marks"),
        (e.UnitsSighted((t.unit(1),), (U(1),)), "In sight: "),
        (e.UnitsSighted((t.unit(1),)), ""),
        (e.SightLost((U(1),)), ""),
    ]
    for event, part in told:
        sentence = describe.sentence(event, t.position)
        assert part in sentence
        assert (sentence == "") == (part == "")
    t.set(contacts={U(1): Contact(t.unit(1), 1)})
    moved = e.Moved(U(1), place, 0)
    assert describe.sentence(moved, t.position).endswith("moves to 0102")
    t.change(1, kind="unknown")
    assert describe.sentence(moved, t.position) == "", "he is told of as in sight"
    gone = describe.sentence(e.Destroyed(U(1), place, True), t.position)
    assert gone == "PzKw IVH #1 is destroyed in 0102", "he was known when he was last seen"
    t.change(1, kind="g_pz4h")
    lost = describe.sentence(e.SightLost((U(1),)), t.position)
    assert lost == f"Out of sight: {describe.unit_name(t.position, U(1))}, last seen in 0201"
    assert describe.unit_name(t.position, U(9)) == "nobody"
    assert describe.place_name(t.position, 0) == "off the map"


def test_what_came_of_an_order_in_a_few_words() -> None:
    t = table(open_ground(2, 4), unit("u_m4", "0101"))
    view, name = RULES.view(t.state, ALLIED), "M4 Sherman (75) #0"
    assert RULES.result((), view) == "no effect"
    assert RULES.result((e.Pinned(U(0)), e.PanicDelayed(U(0))), view) == f"{name} pinned and {name} will panic"
    assert RULES.result((e.Disrupted(U(0), 2),), view) == f"{name} disrupted 2"
    assert RULES.result((e.Destroyed(U(0), 1, wreck=True),), view) == f"{name} destroyed"


def test_marks_tell_what_came_of_it_in_a_word_or_two() -> None:
    briefs = {
        "pinned": e.AttackRolled("mines", U(0), 1, 0, 0, "Pin", RuleId("P44-13.01")),
        "recovers": e.RecoveryRolled(U(0), 1, True),
        "no effect": e.RecoveryRolled(U(0), 6, False),
        "panics, frozen": e.Panicked(U(0), 1, "frozen"),
        "attacks": e.SortieFlown(ALLIED, "x", 1, 1, True, False),
        "driven off": e.SortieFlown(ALLIED, "x", 1, 6, False, False),
        "": e.Moved(U(0), 12, 2, 11),
    }
    assert {words: marks.marks(event).brief for words, event in briefs.items()} == {words: words for words in briefs}
    told = marks.marks(e.Moved(U(0), 12, 2, 11))
    assert (told.start, told.path) == (11, (12,))
    assert marks.marks(e.SightLost((U(1), U(2)))).units == (1, 2)
    assert marks.marks(e.StepBegan("plot", GERMAN)).side == GERMAN


# --- pieces, badges, counters, cards ----------------------------------------------------------------------------------


def test_badges() -> None:
    t = table(
        open_ground(2, 4),
        unit("u_eng", "0101", disruption=2, pinned=True, delayed=True, panic="frozen", moved=True),
        works=(Work(U(0), "dig", 12, 1),),
        plots=(Plot(ALLIED, "dig", U(0)),),
        shot=(U(0),),
    )
    worn = badges.badges_of(t.position, t.unit(0))
    assert worn == ("D2", "frozen", "pinned", "delayed", "digs", "moved", "fired", "works")
    assert badges.tone_of(worn) == "shaken"
    assert badges.titles(("aboard",)) == ("aboard",)


@pytest.mark.rule("P44-3.01")
def test_a_counter_shows_attack_with_class_range_defense_and_movement() -> None:
    t = table(open_ground(2, 4), unit("u_m4", "0101"), unit("u_truck", "0102"))
    tank, truck = RULES.pieces(RULES.view(t.state, ALLIED))[:2]
    assert tank.corners == ("8M", "9", "7", "9")
    assert truck.corners == ("", "", "2", "10")
    cards = {card.key: card for card in counters.counters()}
    assert cards["u_m4"].brief == "attack 8 (gun) to 9 hexes, defense 7 (hard target), 9 movement points"
    assert cards["u_truck"].brief.startswith("unarmed")
    assert [value.name for value in cards["u_m3"].values][-2:] == ["Carries", "Ability"]
    assert cards["unknown"].values[0].amount == "not known"
    assert unit_title("u_m4") == "M4 Sherman (75)"
    assert len(rules()) == 126


def test_the_card_of_a_unit_tells_all_that_is_known_of_it() -> None:
    t = table(
        open_ground(2, 4),
        unit("u_m3", "0101", spent=5, moved=True),
        unit("u_rifle", carrier=0),
        unit("g_gren", "0204", disruption=3),
        unit("g_pz4h", "", fate="lost"),
        unit("g_truck", "0203"),
        plots=(Plot(ALLIED, "move", U(0)), Plot(GERMAN, "opportunity", U(2))),
    )

    def lines(number: int, side: SideId = ALLIED) -> dict[str, object]:
        card = RULES.card(RULES.view(t.state, side), U(number))
        assert card is not None
        return {line.label: line.value for section in card.sections for line in section.lines}

    halftrack = lines(0)
    assert halftrack["Movement points left"] == "7½"
    assert str(halftrack["Order"]).endswith("moves")
    assert halftrack["Carries"] == "Rifle platoon #1"
    assert lines(1)["Aboard"] == "M3 halftrack #0"
    assert lines(2)["Recovers on"] == "1"
    assert "Order" not in lines(2), "the plots are not open yet"
    assert lines(3)["Off the map"] == "lost"
    assert "Attack" not in lines(4)
    t.change(2, disruption=1)
    assert lines(2, GERMAN)["Recovers on"] == "1 to 3"
    assert RULES.card(RULES.view(t.state, ALLIED), U(9)) is None


# --- what may be asked ------------------------------------------------------------------------------------------------


@pytest.mark.rule("P44-7.02")
def test_lines_of_sight_are_explained() -> None:
    rows = """
    . . . . . .
    . . W . . .
    . . . . . .
    H . H . H .
    """
    t = table(rows, unit("u_m4", "0102"), hexsides={"crest": ["0201-0301"]},
              sections={"visibility": (VisibilityEntry(1, 4),)})  # fmt: skip
    view = RULES.view(t.state, ALLIED)

    def why(a: str, b: str) -> str:
        line = RULES.sight(view, t.hex(a), t.hex(b))
        return "" if line.clear else str(line.reason.rule if line.reason else "")

    assert why("0102", "0202") == ""
    assert why("0102", "0502") == "P44-7.02"
    assert why("0101", "0401") == "P44-7.03"
    assert why("0101", "0604") == "P44-4.07"
    assert why("0104", "0504") == "", "from hilltop to hilltop"
    assert RULES.sight(view, t.hex("0102"), 0).reason is not None
    assert RULES.seen(view, (U(0),)) == RULES.seen(view, ())
    assert RULES.watchers(view, t.hex("0202")) == (0,)
    assert RULES.watchers(view, 0) == ()
    assert RULES.threats(view, 0) == ()
    assert RULES.hex_facts(view, 0) == ()


def test_facts_of_a_hex() -> None:
    t = table(
        "..\n.T",
        unit("u_m4", "0101"),
        wrecks=["0202"],
        mines={"0202": "hasty"},
        positions=["0202"],
        control={"0202": GERMAN},
        roads=[["0201", "0202"], ["0101", "0201"]],
        hexsides={"stream": ["0201-0202"], "bridge": ["0201-0202"]},
        sections={"registered": {"allied": ("0202",)}, "exits": (Exit("allied", ("0202",)),)},
    )
    view = RULES.view(t.state, ALLIED)
    facts = {line.label: line.value for line in RULES.hex_facts(view, t.hex("0202"))}
    assert facts["Road"] == "blocked by a wreck"
    assert {"Improved Position", "Mines", "Wreck", "Belongs to", "Registered", "Exit", "Sight"} <= facts.keys()
    assert facts["Hexside north"] == "Stream"
    plain = {line.label: line.value for line in RULES.hex_facts(view, t.hex("0201"))}
    assert plain["Road"] == "½ point along it"


def test_threats_look_at_range_sight_and_superiority() -> None:
    t = table(open_ground(1, 16), unit("u_m4", "0101"), unit("g_pz4h", "0108"), unit("g_gren", "0104"),
              unit("g_truck", "0105"), unit("g_tiger1", "0109", disruption=1))  # fmt: skip
    view = RULES.view(t.state, ALLIED)
    assert [threat.actors for threat in RULES.threats(view, t.hex("0101"))] == [(1,), (2,)]
    shots = RULES.threats(view, t.hex("0102"), U(0))
    assert [shot.actors for shot in shots] == [(1,)], "small arms do nothing to a tank two hexes away"
    assert sum(branch.chance for branch in shots[0].branches) == 1
    assert RULES.threats(view, t.hex("0102"), U(1)) == RULES.threats(view, t.hex("0102"))
    assert RULES.threats(RULES.view(t.state, SPECTATORS), t.hex("0101")) == ()


@pytest.mark.rule("P44-14.01")
def test_how_things_stand_is_told_as_tasks_or_as_points() -> None:
    tasks = Victory(conditions=(Condition("allied", "Hold the farm", ("0101",)),), otherwise="german")
    t = table(open_ground(2, 2), sections={"victory": tasks}, control={"0101": ALLIED})
    now, allied, german = RULES.standing(RULES.view(t.state, ALLIED))
    assert (now.title, now.total) == ("If it ended now", "Allied, decisive")
    assert (allied.total, allied.lines[0].value) == ("1 of 1 tasks", "yes")
    assert german.lines[0].label == "wins unless the other side does its task"
    t.set(control={"0101": GERMAN})
    now, allied, _ = RULES.standing(RULES.view(t.state, ALLIED))
    assert (now.total, allied.lines[0].value) == ("German, decisive", "not yet")
    points = table(open_ground(2, 2), unit("g_pz4h", "", fate="lost"))
    now, allied, _ = RULES.standing(RULES.view(points.state, ALLIED))
    assert (now.total, allied.total) == ("a draw", 3)
    points.set(winner=GERMAN, level="marginal", reasons=("by points",))
    (now, *_) = RULES.standing(RULES.view(points.state, ALLIED))
    assert (now.title, now.total, now.lines[0].label) == ("The battle has ended", "German, marginal", "by points")


def test_reports_tell_orders_support_and_panic_levels() -> None:
    t = table(
        open_ground(4, 4),
        unit("u_m4", "0101"),
        unit("g_pz4h", "0404"),
        plots=(Plot(ALLIED, "move", U(0)), Plot(GERMAN, "move", U(1))),
        batteries=(Battery("105mm", ALLIED, "oba_105", 1, 3),),
        sorties=(Sortie("P-47 #1", ALLIED, "cas_p47"), Sortie("P-47 #2", ALLIED, "cas_p47", flown=True)),
        sections={"panic": {"allied": 2}},
    )

    def report(kind: str) -> dict[str, list[object]]:
        found = RULES.report(RULES.view(t.state, ALLIED), kind)
        assert found is not None
        return {section.title: [line.value for line in section.lines] for section in found.sections}

    assert report("orders") == {"Allied": ["move"], "German": []}
    assert report("support") == {"Off the map": ["3 missions left, accuracy 1", "strength 7", "flown"]}
    assert report("panic") == {"Allied": [2], "German": [0]}
    t.set(step="panic", opened=True)
    assert report("orders") == {"Allied": ["move"], "German": ["move"]}


# --- imagination ------------------------------------------------------------------------------------------------------


def test_an_imagined_enemy_stands_where_he_is_not_seen_or_is_still_to_come() -> None:
    rows = "......\n..WW..\n......"
    t = table(rows, unit("u_m4", "0101"), unit("g_pz4h", "0602"), unit("g_gren", "0601"), options={"fog": True},
              sections={"visibility": (VisibilityEntry(1, 2),)})  # fmt: skip
    view = RULES.view(t.state, ALLIED)
    assert [one.fate for one in view.position.units[1:]] == [UNSEEN, UNSEEN]
    world = imagination.imagined(view, DiceKey("dream"))
    kinds = sorted(one.kind for one in world.position.units[1:])
    assert kinds == ["g_gren", "g_pz4h"]
    assert all(t.board.distance(one.hex, t.hex("0101")) > 2 for one in world.position.units[1:])
    open_table = table(open_ground(2, 1), unit("u_m4", "0101"), unit("g_pz4h", "0201"), options={"fog": True})
    seen = RULES.view(open_table.state, ALLIED)
    lost = RULES.believed(seen).position
    assert lost.units[1].hex, "he is in sight"
    nowhere = open_table.position
    open_table.set(units=(nowhere.units[0], unseen(U(1), GERMAN)))
    world = imagination.imagined(RULES.view(open_table.state, ALLIED), DiceKey("dream"))
    assert world.position.units[1].fate == "reserve", "every hex is in sight"


def test_spectators_may_ask_for_objectives_alone() -> None:
    t = table(open_ground(2, 1), unit("u_m4", "0101"))
    assert [query.key for query in RULES.queries(RULES.view(t.state, SPECTATORS))] == ["objectives"]
    assert RULES.query(RULES.view(t.state, SPECTATORS), "ready") is None
    assert insight.seen(RULES.view(t.state, SPECTATORS), ()) == ()


def test_engineers_at_work_show_it() -> None:
    t = table(open_ground(2, 1), unit("u_eng", "0101"), step="removal")
    before = t.position
    t.set(works=(Work(U(0), "dig", t.hex("0101"), 1),))
    (changed,) = RULES.piece_changes(before, t.position, ALLIED).changed
    assert changed.badges == ("works",)
    assert not RULES.hides(t.position)
    assert unit_title("u_eng") == "Engineer platoon"
    lesson = load_shipped("p44-farm-lane", VOCABULARY)
    assert SYSTEM.tutorial(lesson, tutorial_path("p44-farm-lane")).steps
