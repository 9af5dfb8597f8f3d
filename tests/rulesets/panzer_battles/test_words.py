"""Panzer Battles in words: the log, marks, pieces, cards, the order of battle, highlights, reports, and the menu."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from sandtable.kernel.events import Event
from sandtable.kernel.ids import NOBODY, NOWHERE, SPECTATORS, HexId, UnitId
from sandtable.kernel.ruleset import Selection, Verb
from sandtable.play.menu import reminders
from sandtable.rulesets.panzer_battles import describe, marks, menu, names, pieces
from sandtable.rulesets.panzer_battles import events as e
from sandtable.rulesets.panzer_battles import orders as o
from sandtable.rulesets.panzer_battles.deception.events import DeceptionDeployed, DeceptionPrevented, Misled
from sandtable.rulesets.panzer_battles.engineers.events import WorkChanged
from sandtable.rulesets.panzer_battles.fire.events import Bombarded, Suffered
from sandtable.rulesets.panzer_battles.fire.prospects import threats_to
from sandtable.rulesets.panzer_battles.formations import chain, headquarters
from sandtable.rulesets.panzer_battles.kinds import KINDS
from sandtable.rulesets.panzer_battles.model import ALLIED, AXIS, DEPLOYED, TRAVEL
from sandtable.rulesets.panzer_battles.movement import moves
from sandtable.rulesets.panzer_battles.movement.events import Boarded
from sandtable.rulesets.panzer_battles.orderbook import BOOK
from sandtable.rulesets.panzer_battles.organization.events import Attached, UnitBrokenDown
from sandtable.rulesets.panzer_battles.spotting.knowledge import marker
from sandtable.rulesets.panzer_battles.spotting.obstacles import obstacle
from tests.rulesets.panzer_battles.table import RULES, AllHighest, Table, U, table, unit

FIELD = "\n".join([". . . . . ."] * 4)


def meeting() -> Table:
    """A staff, a tank platoon and a company against a tank platoon, a staff in sight and a hidden gun."""
    return table(
        FIELD,
        unit("su_bn_hq", "0101", formation="brigade"),
        unit("us_m4", "0102", title="1st Platoon", name="first"),
        unit("us_rifle_coy", "0103", disrupted=True),
        unit("de_pz4h", "0601", broken=True),
        unit("de_pak40", "0604", concealed=True),
        owners={"0102": ALLIED, "0601": AXIS},
    )


def said(t: Table, event: Event) -> str:
    return RULES.describe(event, t.view())


def verbs(t: Table, *units: int, **target: object) -> dict[str, Verb]:
    return {verb.key: verb for verb in RULES.menu(t.view(), Selection(tuple(map(UnitId, units))))}


# --- the log --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PB-FIRE-11", "PB-UNIT-29", "PB-OOB-10", "PB-DEC-7", "PB-OPF-1")
def test_units_with_the_name_of_several_do_everything_as_several() -> None:
    t = table(
        FIELD,
        *(unit("de_105lefh", "0101", AXIS, title="Howitzers"), unit("de_pz4h", "0103", title="Panthers")),
        unit("us_m4", "0303"),
        fog=False,
    )
    here = t.hex("0102")
    assert said(t, Bombarded(U(0), here)) == "Howitzers shell 0102"
    assert said(t, UnitBrokenDown(AXIS, U(0), U(1))) == "Panthers are taken out of Howitzers"
    assert said(t, Attached(AXIS, (U(1),), "", "regiment")).startswith("Panthers are attached to ")
    assert said(t, DeceptionPrevented(AXIS, U(1), here)) == "Panthers find an enemy in 0102"
    assert said(t, DeceptionDeployed(AXIS, U(1), here)) == "Panthers work unseen in 0102"
    assert said(t, Misled(U(1), here)) == "Panthers are sent astray in 0102, Disrupted"
    told = [one.text for one in threats_to(t.position, U(2))]
    assert any(text.startswith("Panthers fire from 0103") for text in told)


@pytest.mark.rule("PB-FIRE-62")
def test_every_event_is_a_sentence_or_bookkeeping() -> None:
    t = meeting()
    here = t.hex("0102")
    assert said(t, e.TurnBegan(ALLIED, 2, 390, 8)) == "Turn 2, 06:30, visibility 8: Allies"
    assert said(t, e.Stepped(U(1), here)) == "1st Platoon moves to 0102 (Place 0102)"
    assert said(t, e.Stepped(U(1), here, retreats=True)) == "1st Platoon retreats to 0102 (Place 0102)"
    assert said(t, e.Bumped(U(1), t.hex("0202"))) == "1st Platoon runs into an enemy in 0202"
    assert said(t, e.MoveStopped(ALLIED, (U(1),), here, "why")) == "1st Platoon stops in 0102 (Place 0102): why"
    assert said(t, e.MoveStopped(ALLIED, (U(1),), here, moves.BUMP)) == "", "whom it ran into is told already"
    assert said(t, e.ModeChanged(U(1), TRAVEL)) == "1st Platoon goes over to Travel Mode"
    assert said(t, e.ModeChanged(U(1), DEPLOYED)) == "1st Platoon deploys"
    assert said(t, e.Fired(U(4), U(1), here)) == "An unseen enemy fires at 1st Platoon"
    unordered = said(t, e.Fired(NOBODY, U(1), here, opportunity=True))
    assert unordered == "Opportunity fire: an unseen enemy fires at 1st Platoon"
    assert said(t, e.Rested(ALLIED, (U(1), U(2)), (0, 0))) == "1st Platoon and Rifle company #2 rest"
    recovered = said(t, e.Recovered(ALLIED, (U(0), U(1), U(2))))
    assert recovered == (
        "Battalion headquarters #0 and 1st Platoon recover; Rifle company #2 is Disrupted and no more Broken"
    )
    assert said(t, e.AssaultBegun(ALLIED, (U(1), U(2)), here)) == (
        "1st Platoon and Rifle company #2 storm 0102 (Place 0102)"
    )
    assert said(t, WorkChanged(U(1), "building:0")) == "1st Platoon begins a bridge"
    assert said(t, WorkChanged(U(1))) == "1st Platoon ends its work"
    assert said(t, WorkChanged(U(1), by_itself=True)) == "1st Platoon has done its work"
    assert (
        said(t, Boarded(ALLIED, U(1), (U(2), U(3)), ())) == "Rifle company #2 and Pz IV H platoon #3 board 1st Platoon"
    )
    assert said(t, Bombarded(NOBODY, here, opportunity=True)) == (
        "Opportunity fire: unseen guns shell 0102 (Place 0102)"
    )
    hit = Bombarded(NOBODY, here, struck=(Suffered(U(2), "us_rifle_coy", ALLIED, 0),))
    assert said(t, hit) == "Unseen guns shell 0102 (Place 0102): Rifle company #2 has no loss"
    both = replace(hit, struck=(Suffered(U(1), "us_m4", ALLIED, 1, result="D"), *hit.struck))
    assert said(t, both).endswith("1st Platoon loses 1 vehicle, Disrupted; Rifle company #2 has no loss")
    assert said(t, e.Struck(U(1), here, 1, result="D", kind="us_m4")) == "1st Platoon: loses 1 vehicle, Disrupted"
    assert said(t, e.Struck(U(2), here, 0, kind="us_rifle_coy")) == "Rifle company #2: no loss"
    assert said(t, e.ObjectiveTaken(here, AXIS)) == "Axis takes 0102 (Place 0102)"
    assert said(t, e.UnitsSeen((t.unit(3),), (U(3),))) == "In sight: Pz IV H platoon #3 in 0601 (Place 0601)"
    assert said(t, e.UnitsSeen((t.unit(3),))) == ""
    assert said(t, e.SightLost((U(3),))) == "", "nothing is remembered of him"
    last = marker(t.position, t.unit(3), ALLIED)
    t.set(intel={U(3): last, U(2): replace(last, unit=U(2)), U(1): replace(last, unit=U(1), category="HQ", hex=here)})
    assert describe.sentence(e.SightLost((U(3), U(2), U(1))), t.position) == (
        "Out of sight: armor, last seen in 0601 (Place 0601); a headquarters, last seen in 0102 (Place 0102)"
    )
    t.set(intel={})
    assert said(t, e.UnknownsSeen((here, here))) == "Somebody is in 0102 (Place 0102)"
    assert said(t, e.BattleEnded(3, "draw")) == "The battle is over with a score of 3: draw for Allies"
    assert said(t, e.PointsRestored(ALLIED)) == ""
    assert RULES.result((e.Struck(U(2), here, 3, kind="us_rifle_coy"),), t.view()) == "Rifle company #2 loses 3 men"
    assert RULES.result((), t.view()) == "no effect"
    assert names.unit_name(t.position, UnitId(77)) == "nobody"
    assert names.place_name(t.position, NOWHERE) == "off the map"


@pytest.mark.rule("PB-FIRE-62")
def test_marks_say_where_and_to_whom() -> None:
    t = meeting()
    here = t.hex("0102")
    fired = marks.marks(e.Fired(U(1), U(3), here, t.hex("0103")))
    assert (fired.hex, fired.units, fired.start, fired.tone) == (here, (1, 3), t.hex("0103"), "act")
    assert marks.marks(e.Fired(NOBODY, U(3), here)).units == (3,)
    step = marks.marks(e.Stepped(U(1), here, start=t.hex("0103")))
    assert (step.path, step.start) == ((here,), t.hex("0103"))
    gone = marks.marks(e.Struck(U(1), here, 2, result="X", kind="us_m4"))
    assert (gone.brief, gone.tone) == ("2 vehicles/X", "loss")
    assert marks.marks(e.Struck(U(1), here, 2, kind="us_m4")).brief == "2 vehicles"
    seen = marks.marks(e.UnitsSeen((t.unit(2), t.unit(3)), (U(3),)))
    assert (seen.units, seen.hex) == ((3,), t.hex("0601")), "where he came into sight, wherever he goes"
    assert marks.marks(e.UnitsSeen((t.unit(3),))).hex == NOWHERE
    assert marks.marks(e.SightLost((U(3),))).units == (3,)
    assert marks.marks(e.TurnBegan(AXIS, 2, 0, 1)).side == AXIS


# --- pieces ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PB-UNIT-16", "PB-UNIT-17", "PB-SPOT-17")
def test_an_enemys_strength_is_shown_in_notation_and_ones_own_in_numbers() -> None:
    t = meeting()
    shown = {piece.id: piece for piece in RULES.pieces(t.view()) if piece.kind == "unit"}
    assert shown[U(1)].corners == ("15", "13", "5", "")
    assert shown[U(3)].corners == ("15", "19", "X", "")
    assert (shown[U(3)].formation, shown[U(3)].name, shown[U(1)].name) == ("axis", "", "first")
    assert shown[U(0)].formation == "brigade troops"
    assert U(4) not in shown
    flags = [piece for piece in RULES.pieces(t.view()) if piece.mark == "flag"]
    assert [piece.side for piece in flags] == [ALLIED, AXIS]


@pytest.mark.rule("PB-UNIT-16", "PB-UNIT-17", "PB-MOVE-1")
def test_a_piece_tells_how_the_unit_stands_and_of_an_enemy_only_what_shows() -> None:
    t = meeting()
    t.change(1, strength=4, mp=40, fatigue=12, quality="B")
    notes = {piece.id: piece.note for piece in RULES.pieces(t.view()) if piece.kind == "unit"}
    assert notes[U(1)] == "4 of 5 vehicles, 40 of 121 points, fatigue 12, quality B"
    assert notes[U(3)] == "strength X"


@pytest.mark.rule("PB-SPOT-17", "PB-SPOT-21")
def test_unknown_units_and_markers_are_pieces_too() -> None:
    t = table(FIELD, unit("us_m4", "0101", broken=True), unit("de_truck", "0401"), unit("de_truck", "0401"))
    unknown = [piece for piece in RULES.pieces(t.view()) if piece.mark == "unknown"]
    assert [piece.hex for piece in unknown] == [t.hex("0401")] * 2
    assert len({piece.id for piece in unknown}) == 2
    assert all(piece.id >= 3 for piece in unknown)
    before = t.known(ALLIED)
    after = replace(before, unknowns=(), wrecks={t.hex("0101"): 2})
    changes = RULES.piece_changes(before, after, ALLIED)
    assert set(changes.gone) == {piece.id for piece in unknown}
    assert [piece.note for piece in changes.changed] == ["2 vehicles"]


# --- cards, tree, highlights, reports -------------------------------------------------------------------------------


@pytest.mark.rule("PB-UNIT-4", "PB-OOB-9", "PB-UNIT-18")
def test_the_card_of_a_unit_tells_its_values_state_and_organization() -> None:
    t = meeting()
    card = RULES.card(t.view(), U(1))
    assert card is not None
    lines = {line.label: line.value for section in card.sections for line in section.lines}
    assert lines["Vehicles"] == "5 of 5"
    assert lines["Battalion"] == "The Battalion"
    assert lines["Brigade"] == "The Brigade"
    assert lines["Fire"] == "for 37 points each"
    assert lines["Move"] == "yes"
    enemy = RULES.card(t.view(), U(3))
    assert enemy is not None
    assert ("Vehicles", "X") in [(line.label, line.value) for line in enemy.sections[1].lines]
    assert [section.title for section in enemy.sections] == ["Values", "State"]
    assert RULES.card(t.view(), U(4)) is None
    assert RULES.card(t.view(), UnitId(99)) is None
    t.change(1, mp=0)
    spent = RULES.card(t.view(), U(1))
    assert spent is not None
    assert [line.value for line in spent.sections[-1].lines] == [
        "no: it has no movement points left", "no: it has not the movement points left",
    ]  # fmt: skip
    t.change(3, hex=NOWHERE, gone="eliminated", strength=0)
    gone = RULES.card(t.view(), U(3))
    assert gone is not None
    assert gone.sections[1].lines[0].label == "Eliminated"


@pytest.mark.rule("PB-OOB-1", "PB-OOB-3", "PB-OOB-4", "PB-OOB-5")
def test_a_unit_is_commanded_by_the_nearest_staff_above_it() -> None:
    t = table(
        FIELD, unit("su_bn_hq", "0101", formation="brigade"), unit("us_m4", "0102"),
        unit("su_bn_hq", "0103", formation="battalion"), unit("de_pz4h", "0601"),
    )  # fmt: skip
    assert headquarters(t.position, t.unit(1)) == t.unit(2)
    assert headquarters(t.position, t.unit(2)) == t.unit(0)
    assert headquarters(t.position, t.unit(0)) is None
    assert headquarters(t.position, t.unit(3)) is None
    t.change(2, hex=NOWHERE)
    assert headquarters(t.position, t.unit(1)) is None, "without a staff until it is restored"
    assert [one.id for one in chain(t.position, "battalion")] == ["battalion", "brigade"]


@pytest.mark.rule("PB-OOB-1", "PB-OOB-9")
def test_the_order_of_battle_is_a_tree_of_ones_own_and_a_list_of_enemies_in_sight() -> None:
    t = meeting()
    own, enemy = RULES.tree(t.view())
    (brigade,) = own.children
    assert [child.title for child in brigade.children] == ["The Brigade: staff and troops", "The Battalion"]
    assert (own.left, own.initial) == (3, 3)
    assert (enemy.units, enemy.children) == ((3,), ())
    no_staff = table(FIELD, unit("us_m4", "0101"))
    assert [child.key for child in RULES.tree(no_staff.view())[0].children[0].children] == ["battalion"]


def test_highlights_are_worked_out_when_asked_for() -> None:
    t = meeting()
    view = t.view()
    assert {query.key for query in RULES.queries(view)} >= {"ready", "zones", "seen", "headquarters", "objectives"}
    found = {query.key: RULES.query(view, query.key) for query in RULES.queries(view)}
    assert found["shaken"] is not None
    assert found["shaken"].units == (2, 3)
    assert found["headquarters"] is not None
    assert found["headquarters"].units == (0,)
    assert found["leaderless"] is not None
    assert found["leaderless"].units == (0,)
    assert found["objectives"] is not None
    assert len(found["objectives"].hexes) == 2
    assert RULES.query(view, "nonsense") is None
    assert [query.key for query in RULES.queries(t.view(SPECTATORS))] == ["objectives"]
    assert RULES.query(t.view(SPECTATORS), "ready") is None
    assert RULES.ready(t.view(AXIS)) == ()


@pytest.mark.rule("PB-CMD-29", "PB-VIC-15")
def test_reports_tell_the_clock_the_standing_and_the_losses() -> None:
    t = meeting()
    t.set(losses={AXIS: {"de_pz4h": 2}})
    command = RULES.report(t.view(), "command")
    assert command is not None
    assert command.sections[0].title == "Turn 1 of 5"
    victory = RULES.report(t.view(), "victory")
    assert victory is not None
    assert victory.sections[0].total == 5 + 8
    losses = RULES.report(t.view(), "losses")
    assert losses is not None
    assert losses.sections[1].lines[0].value == "2 vehicles"
    assert RULES.report(t.view(), "weather") is None
    assert [report.kind for report in RULES.reports(t.view())][:1] == ["command"]


# --- insight --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PB-SPOT-8", "PB-SPOT-9", "PB-SPOT-1")
def test_a_line_says_what_stands_in_it() -> None:
    rows = "\n".join([". . . . .", "F . . . .", *[". . . . ."] * 4])
    t = table(rows, hexsides={"hedge_row": ["0202-0203"]}, visibility=[4])
    view = t.view()

    def reason(a: str, b: str) -> tuple[str, str]:
        line = RULES.sight(view, t.hex(a), t.hex(b))
        assert line.reason is not None
        return line.reason.label, line.reason.rule

    assert reason("0101", "0103") == ("forest in 0102", "PB-SPOT-8")
    assert reason("0201", "0204") == ("hexside of 0203", "PB-SPOT-9")
    assert reason("0501", "0506") == ("beyond visibility", "PB-SPOT-1")
    clear = RULES.sight(view, t.hex("0301"), t.hex("0303"))
    assert clear.clear
    assert len(clear.profile) == 3
    assert not RULES.sight(view, HexId(0), t.hex("0101")).clear


def test_a_line_over_the_ragged_edge_is_barred_by_it() -> None:
    t = table(". . . . .\n. . . . .")
    found = obstacle(t.position, t.hex("0101"), t.hex("0301"))
    assert found.words in ("the edge of the map", "clear in 0201")
    assert obstacle(t.position, t.hex("0101"), t.hex("0102")).words == "the edge of the map"


def test_what_is_seen_by_whom_and_from_where() -> None:
    t = meeting()
    view = t.view()
    assert len(RULES.seen(view, ())) == 24
    assert t.hex("0101") in RULES.seen(view, (U(1),))
    assert RULES.watchers(view, t.hex("0601")) == (0, 1, 2)
    assert RULES.watchers(view, HexId(0)) == ()


@pytest.mark.rule("PB-OPF-1", "PB-OPF-4")
def test_threats_are_of_known_enemies_that_could_fire() -> None:
    t = table(FIELD, unit("us_m4", "0101"), unit("de_pz4h", "0601"), unit("de_pz4h", "0602", broken=True))
    view = t.view()
    (hex_threat,) = RULES.threats(view, t.hex("0201"))
    assert (hex_threat.actors, hex_threat.text) == ((1,), "soft 15, hard 19")
    (shot,) = RULES.threats(view, t.hex("0201"), U(0))
    assert shot.actors == (1,)
    assert sum(branch.chance for branch in shot.branches) == 1
    assert RULES.threats(view, HexId(0)) == ()
    assert RULES.threats(view, t.hex("0201"), UnitId(1)) == (hex_threat,)
    assert RULES.threats(view, t.hex("0601"), U(0)) == RULES.threats(view, t.hex("0601")), "nobody goes where he stands"
    far = table(". " * 12, unit("us_m4", "0101"), unit("de_pz4h", "1201"))
    assert RULES.threats(far.view(), far.hex("0101")) == ()


@pytest.mark.rule("PB-VIC-6", "PB-VIC-8")
def test_the_facts_of_an_exit_tell_its_value_to_its_side_alone() -> None:
    t = table(". .\n. .", unit("us_m4", "0102"), owners={"0101": ALLIED}, objectives={"0101": 0})
    t.set(exits={t.hex("0101"): {"us_m4": 2}})
    own, foes = ([line.label for line in RULES.hex_facts(t.view(side), t.hex("0101"))] for side in (ALLIED, AXIS))
    assert "Exit of 8 points" in own
    assert "Exit of ? points" in foes


@pytest.mark.rule("PB-MAP-3", "PB-MAP-4", "PB-MAP-7")
@pytest.mark.rule("PB-MAP-5")
def test_roads_and_rail_lines_are_told_by_their_kind_and_where_they_lead() -> None:
    t = table(
        ". . .\n. . .", unit("us_m4", "0101"), hex_features={"raised": ["0201"]},
        roads={"primary_rail": [["0101", "0201"]], "secondary": [["0201", "0301"]], "trail": [["0201", "0202"]]},
    )  # fmt: skip
    facts = {line.label: (line.value, line.rule) for line in RULES.hex_facts(t.view(), t.hex("0201"))}
    assert facts["Primary road"] == ("raised, to the northwest", "PB-MOVE-38")
    assert facts["Rail line"] == ("raised, to the northwest", "PB-MOVE-41")
    assert facts["Secondary road"] == ("raised, to the northeast", "PB-MOVE-38")
    assert facts["Trail"] == ("raised, to the south", "PB-MOVE-38")


def test_the_facts_of_a_hex() -> None:
    t = table(
        ". m\n. .", unit("us_m4", "0101"), owners={"0101": ALLIED}, hexsides={"stream": ["0101-0102"]},
        roads={"trail": [["0101", "0102"]]},
    )  # fmt: skip
    t.set(wrecks={t.hex("0101"): 3})
    facts = {line.label: line.value for line in RULES.hex_facts(t.view(), t.hex("0101"))}
    assert facts["Terrain"] == "clear"
    assert facts["Hexside"] == "stream to the south"
    assert facts["Men-equivalents"] == "50 of 500"
    assert facts["Objective of 5 points"] == "Allies"
    assert facts["Wrecks"] == 3
    assert facts["Trail"] == "to the south"
    costs = [label for label in facts if label.startswith("Cost")]
    assert costs == ["Cost, foot", "Cost, tracked"], "of those who are in play, and of who walks"
    marsh = {line.label: line.value for line in RULES.hex_facts(t.view(), t.hex("0201"))}
    assert marsh["Cost, tracked"] == "prohibited"
    assert RULES.hex_facts(t.view(), HexId(0)) == ()


@pytest.mark.rule("PB-VIC-10", "PB-VIC-11", "PB-VIC-15")
def test_the_standing_is_the_score_and_its_level() -> None:
    score, level, objectives = RULES.standing(meeting().view())
    assert (score.total, level.total) == (5, "draw")
    assert [line.value for line in level.lines] == [-40, -10, 10, 40]
    assert [line.label for line in level.lines][1:3] == ["minor defeat at most", "minor victory at least"]
    assert [line.label for line in score.lines] == ["objectives of Allies", "losses of Axis", "losses of Allies"]
    report = RULES.report(meeting().view(), "victory")
    assert report is not None
    assert report.sections[-1].lines == objectives.lines
    assert ("0102 (Place 0102), 5 points", "Allies") in [(line.label, line.value) for line in objectives.lines]


# --- the menu -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PB-TURN-4", "PB-MOVE-124")
def test_the_menu_of_a_unit_and_the_end_of_the_turn_that_asks_first() -> None:
    t = meeting()
    shown = verbs(t, 1)
    assert set(shown) >= {"move", "fire", "keep_firing", "policy", "assault", "travel", "end"}
    assert shown["fire"].targets[0].units == (3,)
    assert shown["fire"].targets[0].choice == "Pz IV H platoon #3"
    assert "can still act" in shown["end"].confirm
    assert not shown["travel"].checked
    assert shown["travel"].targets[0].note == "110 MP left"
    assert "fire" not in verbs(t, 0), "a staff has nothing to fire with"
    t.change(1, mode=TRAVEL)
    assert verbs(t, 1)["travel"].checked
    assert RULES.order_text(o.Move((), ()), t.view()) == "move  to off the map"
    assert RULES.order_text(o.EndTurn(), t.view()) == "end the turn"
    assert RULES.order_text(o.ChangeMode(U(1), DEPLOYED), t.view()) == "1st Platoon deploys"
    assert RULES.order_text(o.Fire(U(1), U(3)), t.view()) == "1st Platoon fires at Pz IV H platoon #3"


@pytest.mark.rule("PB-TURN-4")
def test_of_those_who_did_nothing_a_player_is_reminded_before_he_ends_his_turn() -> None:
    t = meeting()
    t.change(0, moved=True)
    t.change(2, digging_in=True)
    (left,) = reminders(BOOK, t.view())
    assert left.text == "1st Platoon has done nothing yet"


def test_pointing_out_of_reach_says_that_it_is_too_far_or_that_an_enemy_is_there() -> None:
    t = meeting()
    t.change(2, mp=20)
    picked = Selection((U(2),))
    far = RULES.why_not(t.view(), "move", picked, Selection(hex=t.hex("0504")))
    taken = RULES.why_not(t.view(), "move", picked, Selection(hex=t.hex("0601")))
    assert far is not None
    assert taken is not None
    assert far.reason == "it has not the movement points left"
    assert (taken.rule, taken.reason) == ("PB-MOVE-14", "an enemy stands there")


def test_pointing_says_why_not() -> None:
    t = meeting()
    view, picked = t.view(), Selection((U(1),))

    def why(verb: str, target: Selection, selection: Selection = picked) -> str:
        refusal = RULES.why_not(view, verb, selection, target)
        return refusal.rule if refusal else ""

    assert why("move", Selection(hex=t.hex("0102"))) == "PB-MOVE-2"
    assert why("move", Selection(hex=t.hex("0202"))) == ""
    assert why("fire", Selection(hex=t.hex("0601"))) == ""
    assert why("fire", Selection((U(3),), t.hex("0601"))) == ""
    assert why("fire", Selection(hex=t.hex("0604"))) == "PB-SPOT-18"
    assert why("fire", Selection((U(3),), t.hex("0601")), Selection((U(2),))) == "PB-FIRE-1"
    assert why("travel", Selection(hex=t.hex("0202"))) == "PB-MOVE-21"
    assert why("travel", Selection(hex=t.hex("0102"))) == ""
    t.change(1, mode=TRAVEL, mp=1)
    view = t.view()
    assert why("travel", Selection(hex=t.hex("0102"))) == "PB-MOVE-26"


@pytest.mark.rule("PB-MOVE-10")
def test_units_of_one_hex_that_are_picked_together_are_offered_to_move_together() -> None:
    t = table(FIELD, unit("us_m4", "0101"), unit("us_rifle_coy", "0101"))
    orders = [target.order for target in verbs(t, 0, 1)["move"].targets]
    assert o.Move((U(0), U(1)), t.hexes("0102")) in orders
    assert o.Move((U(1),), t.hexes("0102")) in orders


@pytest.mark.rule("PB-MOVE-14")
def test_a_way_into_an_unknown_unit_is_warned_of() -> None:
    t = table(FIELD, unit("us_m4", "0101", broken=True), unit("de_truck", "0103"))
    known = t.known(ALLIED)
    assert menu.move_warning(known, ALLIED, o.Move((U(0),), t.hexes("0102", "0103"))) == "somebody is in 0103"
    assert menu.move_warning(known, ALLIED, o.Move((U(0),), t.hexes("0102"))) == ""
    assert describe.capital("") == ""
    assert pieces.symbol_of(t.unit(0).of) == "armor"
    assert [pieces.symbol_of(KINDS[key]) for key in ("de_hmg_plt", "de_81mortar")] == ["mg", "mortar"]


def test_a_unit_changes_its_mode_where_one_points_at_it() -> None:
    t = meeting()
    order = menu.point_mode(t.position, ALLIED, [t.unit(1)], Selection(hex=t.hex("0102")))
    assert order == o.ChangeMode(U(1), TRAVEL)


def test_where_play_stands_and_whether_anything_is_hidden() -> None:
    t = meeting()
    assert RULES.step(t.view()) == "orders"
    assert RULES.hides(t.position)
    assert RULES.marks(e.ObjectiveTaken(t.hex("0102"), AXIS)).rule == "PB-VIC-4"


def test_a_turn_can_be_played_from_menus_alone() -> None:
    t = meeting()
    order = verbs(t, 1)["move"].targets[0].order
    t.play(order, dice=AllHighest())
    assert t.unit(1).moved
