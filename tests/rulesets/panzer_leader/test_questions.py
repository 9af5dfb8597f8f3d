"""Who can act, cards, orders of battle, highlights and reports: what a client asks besides orders."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.battle import observation
from sandtable.kernel.ids import SPECTATORS, SideId
from sandtable.kernel.questions import Query, Section, UnitCard
from sandtable.kernel.state import View
from sandtable.rulesets.panzer_leader import fire
from sandtable.rulesets.panzer_leader.badges import ARM_OF, ARMS, BADGES, badges_of_mine
from sandtable.rulesets.panzer_leader.frames import OpportunityWindow, StepFrame
from sandtable.rulesets.panzer_leader.kinds import KINDS
from sandtable.rulesets.panzer_leader.model import ALLIED, GERMAN, Mine, Mission, Mover, Position, Sighting, Work
from sandtable.rulesets.panzer_leader.ruleset import PanzerLeader
from sandtable.rulesets.panzer_leader.scenario import Condition, Exit, Victory
from tests.rulesets.panzer_leader.battles import battle, entry, named, opened
from tests.rulesets.panzer_leader.table import Table, U, ids, plane, table, unit

PL = PanzerLeader()


def seen_by(t: Table, side: SideId = ALLIED) -> View[Position]:
    return PL.view(t.state, side)


def card_of(t: Table, number: int, side: SideId = ALLIED) -> UnitCard:
    card = PL.card(seen_by(t, side), U(number))
    assert card is not None
    return card


def lines_of(card: UnitCard, title: str) -> dict[str, Any]:
    return {line.label: line.value for section in card.sections if section.title == title for line in section.lines}


def found(t: Table, key: str, side: SideId = ALLIED) -> Query:
    query = PL.query(seen_by(t, side), key)
    assert query is not None
    return query


def sections(t: Table, kind: str, side: SideId = ALLIED) -> dict[str, Section]:
    report = PL.report(seen_by(t, side), kind)
    assert report is not None
    return {section.title: section for section in report.sections}


def labels(t: Table, query: Query) -> list[str]:
    return [t.board.label(place) for place in query.hexes]


# badges and formations


def test_every_unit_type_belongs_to_an_arm() -> None:
    assert set(ARM_OF) == set(KINDS)
    assert set(ARM_OF.values()) | {"aircraft"} == {arm.key for arm in ARMS}


@pytest.mark.rule("PL-902", "PL-722")
def test_a_piece_wears_the_badges_of_its_state_and_the_tone_of_the_first() -> None:
    t = table(
        "...",
        unit("a_rifle", "0101", dispersed=1, fired=True),
        unit("a_rifle", "0201", moved=True),
        unit("g_rifle", "0301"),
        sightings=(Sighting(U(2), 0, 1, ids(0)),),
    )
    shown = {piece.id: (piece.badges, piece.states, piece.tone) for piece in PL.pieces(seen_by(t))}
    assert shown[U(0)] == (("dispersed", "fired"), ("dispersed", "fired"), "shaken")
    assert shown[U(1)] == (("moved",), ("moved",), "spent")
    assert shown[U(2)] == (("spotted",), ("spotted",), "seen")


@pytest.mark.rule("PL-1304")
def test_a_minefield_that_is_being_lifted_says_so() -> None:
    assert badges_of_mine(Mine(3, U(1))) == ("lifted",)
    assert badges_of_mine(Mine(3)) == ()
    assert {badge.title for badge in BADGES if badge.key == "lifted"} == {"being lifted"}


# who is ready


def test_nobody_is_ready_while_the_other_side_decides() -> None:
    t = table("..", unit("a_rifle", "0101"), unit("g_rifle", "0201"), step="direct fire")
    assert PL.ready(seen_by(t)) == ids(0)
    assert PL.ready(seen_by(t, GERMAN)) == ()


@pytest.mark.rule("PL-801", "PL-832")
def test_who_has_a_shot_alone_or_with_others_is_ready() -> None:
    t = table(
        "............",
        unit("a_rifle", "0201"),
        unit("a_rifle", "0201", fired=True),
        unit("a_truck", "0101"),
        unit("g_rifle", "0301"),
        unit("a_rifle", "1201"),
        step="direct fire",
    )
    assert [one.id for one in fire.shooters(t.position, ALLIED)] == [0]
    far = table("......T......", unit("a_rifle", "0101"), unit("g_rifle", "1301"), step="direct fire")
    assert list(fire.shooters(far.position, ALLIED)) == []


@pytest.mark.rule("PL-506", "PL-507")
def test_vehicles_are_ready_when_vehicles_move_and_those_on_foot_later() -> None:
    counters = (unit("a_m4_75", "0101"), unit("a_rifle", "0201"), unit("g_rifle", "0501"))
    assert PL.ready(seen_by(table(".....", *counters, step="vehicle movement"))) == ids(0)
    assert PL.ready(seen_by(table(".....", *counters, step="foot movement"))) == ids(1)


@pytest.mark.rule("PL-506", "PL-507")
def test_whoever_can_do_nothing_but_end_the_step_is_told_so_and_nobody_else() -> None:
    counters = (unit("a_rifle", "0201"), unit("g_rifle", "0501"))
    on_wheels = table(".....", *counters, step="vehicle movement")
    assert observation.ready(PL, seen_by(on_wheels)).idle
    assert not observation.ready(PL, seen_by(on_wheels, GERMAN)).idle, "he is not asked"
    assert not observation.ready(PL, seen_by(table(".....", *counters, step="foot movement"))).idle


@pytest.mark.rule("PL-1601")
def test_those_who_may_fire_at_a_moving_enemy_are_ready() -> None:
    t = table(
        ".....",
        unit("a_m4_75", "0101"),
        unit("g_panther", "0401"),
        unit("g_panther", "0501"),
        step="vehicle movement",
        options={"opportunity_fire": True},
        mover=Mover(U(0), 0, exposure={U(1): 8, U(2): 8}),
    )
    window = OpportunityWindow(GERMAN, U(0), ids(1, 2))
    view = View(GERMAN, 1, t.position, (StepFrame("vehicle movement"), window), (PL.decisions(t.state)[0],))
    assert PL.ready(view) == ids(1, 2)
    assert not observation.ready(PL, view).idle, "a reaction is never answered for its player"


# cards


@pytest.mark.rule("PL-102", "PL-305", "PL-307")
def test_a_card_tells_what_is_printed() -> None:
    t = table("..", unit("g_rifle", "0101"), unit("n_fort20", "0201", side="german"))
    card = card_of(t, 0)
    assert (card.title, card.kind, card.side) == ("Rifle platoon #0", "Rifle platoon", GERMAN)
    printed = lines_of(card, "Printed")
    assert printed["Attack: strength of its fire, before distance and target"] == "3"
    assert printed["Range: fires up to 2 hexes, up to 4 at half strength against targets without armor"] == "2*"
    assert "Ability: infantry-type" in printed
    assert [label.partition(":")[0] for label in lines_of(card_of(t, 1), "Printed")] == ["Defense", "Ability"]


@pytest.mark.rule("PL-209", "PL-302", "PL-721", "PL-835")
def test_a_card_tells_what_the_ground_does_for_a_unit() -> None:
    t = table("T.", unit("a_rifle", "0101", dispersed=1), unit("g_panther", "0201"))
    t.set(segment=1)
    place = lines_of(card_of(t, 0), "Where it is")
    assert place["Terrain"] == "Town"
    assert place["Cover"] == "must be spotted to be fired at from afar"
    assert place["Die against fire: target in town"] == "+1"
    assert place["Defends as"] == "armored"
    assert "Defends as" not in lines_of(card_of(t, 1), "Where it is")


@pytest.mark.rule("PL-641", "PL-1321", "PL-1608")
def test_a_card_tells_who_carries_and_who_shelters_whom() -> None:
    t = table(
        "...",
        unit("a_truck", "0101"),
        unit("a_rifle", carrier=0),
        unit("n_fort20", "0301", side="german"),
        unit("g_rifle", fort=2),
        unit("a_57at", "0201", facing=2),
        options={"field_of_fire": True},
    )
    assert lines_of(card_of(t, 0), "Where it is")["Carries"] == "Rifle platoon #1"
    assert lines_of(card_of(t, 1), "Where it is")["Aboard"].endswith("#0")
    assert lines_of(card_of(t, 2), "Where it is")["Holds"] == "Rifle platoon #3"
    assert lines_of(card_of(t, 3), "Where it is")["Inside"].endswith("#2")
    assert lines_of(card_of(t, 4), "Where it is")["Points"] == "southeast"


@pytest.mark.rule("PL-511", "PL-603", "PL-1102", "PL-1304")
def test_a_card_tells_what_a_unit_has_done_and_has_in_hand() -> None:
    t = table(
        "...",
        unit("a_engineer", "0101", fired=True, attacked=("fire",)),
        unit("a_81mm", "0201"),
        works=(Work(U(0), "clear", 0),),
        missions=(
            Mission(ALLIED, ids(1), 0, (), 1, 3),
            Mission(ALLIED, ids(1), 0, (), 1, 5, smoke=True),
        ),
        mover=Mover(U(0), 0, spent=3),
    )
    done = lines_of(card_of(t, 0), "This segment")
    assert done == {"Has": "fired", "Movement spent": "1½", "Was attacked": "by fire", "Works": "clear in off the map"}
    assert lines_of(card_of(t, 1), "This segment") == {"Ordered": "smoke on off the map"}
    shaken = table(".", unit("a_rifle", "0101", dispersed=1))
    assert lines_of(card_of(shaken, 0), "This segment") == {"Is": "dispersed"}


@pytest.mark.rule("PL-501", "PL-504", "PL-506", "PL-507")
def test_a_card_tells_what_a_unit_can_still_do_in_its_segment() -> None:
    counters = (unit("a_m4_75", "0101"), unit("a_rifle", "0201"), unit("a_81mm", "0301"), unit("a_truck", "0401"))
    early = table("....", *counters, step="indirect orders")
    assert lines_of(card_of(early, 0), "It can still") == {"Move": "yes", "Movement points left": 8, "Fire": "yes"}
    assert lines_of(card_of(early, 1), "It can still")["Close assault"] == "yes"
    assert lines_of(card_of(early, 2), "It can still")["Be ordered to fire indirectly"] == "yes"
    assert set(lines_of(card_of(early, 3), "It can still")) == {"Move", "Movement points left"}
    late = table("....", *counters, step="foot movement")
    tank, battery = (lines_of(card_of(late, number), "It can still") for number in (0, 2))
    assert tank == {"Move": "no: the step is over: move vehicles", "Fire": "no: the step is over: direct fire"}
    ordered = "no: the step is over: write indirect-fire orders"
    assert battery["Be ordered to fire indirectly"] == ordered
    assert lines_of(card_of(late, 1), "It can still")["Move"] == "yes"


@pytest.mark.rule("PL-1507")
def test_what_an_enemy_can_still_do_is_not_on_his_card() -> None:
    t = table("..", unit("a_rifle", "0101"), unit("g_rifle", "0201"))
    for number, side in ((1, ALLIED), (1, GERMAN), (0, SPECTATORS)):
        assert lines_of(card_of(t, number, side), "It can still") == {}


@pytest.mark.rule("PL-901", "PL-1504", "PL-1506")
def test_a_card_tells_where_a_unit_off_the_table_is() -> None:
    t = opened(
        battle(
            "...",
            entry("a_rifle", "0101"),
            entry("a_rifle", "0101"),
            entry("a_rifle", turn=3, at=["0101"]),
            entry("g_rifle", "0301"),
        )
    )
    t.change(0, hex=0, fate="destroyed")
    t.change(1, hex=0, fate="exited")
    where = [lines_of(card_of(t, number), "Where it is") for number in range(3)]
    assert where[0] == {"Destroyed": "off the table"}
    assert where[1] == {"Left the map": "off the table"}
    assert where[2] == {"In reserve": "comes on turn 3 or later, in 0101"}


@pytest.mark.rule("PL-1506")
def test_a_card_of_a_unit_that_waits_to_be_set_up_says_so() -> None:
    t = table(".", unit("a_rifle"), unit("a_rifle", "0101"))
    assert lines_of(card_of(t, 0), "Where it is") == {"In reserve": "to be set up"}


@pytest.mark.rule("PL-308", "PL-1205")
def test_an_aircraft_has_a_card_under_the_number_of_its_piece() -> None:
    t = table(
        ".",
        unit("a_rifle", "0101"),
        aircraft=[plane("p47", "0101", ordnance="bombs"), plane("l5")],
    )
    strafing = card_of(t, 1)
    assert strafing.badges == ("bombs",)
    assert lines_of(strafing, "Aircraft")["Carries"] == "bombs"
    assert lines_of(strafing, "Aircraft")["Where it is"] == "0101"
    watching = lines_of(card_of(t, 2), "Aircraft")
    assert watching == {"Role": "observer", "Where it is": "off the map"}
    assert PL.card(seen_by(t), U(3)) is None
    assert PL.card(seen_by(t), U(-5)) is None


@pytest.mark.rule("PL-1401", "PL-1507")
def test_of_an_unseen_enemy_there_is_no_card_and_of_a_face_down_one_no_values() -> None:
    t = table("..T....", unit("a_rifle", "0101"), unit("g_panther", "0701"), options={"fog": True})
    assert PL.card(seen_by(t), U(1)) is None
    t = table("OB.", unit("a_rifle", "0101", facedown=True), unit("g_rifle", "0301"))
    told = {"Type: it is told when the unit lands or is attacked": "not known"}
    assert lines_of(card_of(t, 0, GERMAN), "Printed") == told


# the order of battle


@pytest.mark.rule("PL-1503", "PL-1507")
def test_the_order_of_battle_counts_what_is_left_and_unseen_enemies_by_number_only() -> None:
    t = table(
        "..T....",
        unit("a_rifle", "0101"),
        unit("a_m4_75", "0101"),
        unit("g_panther", "0701"),
        unit("g_rifle", "0701"),
        aircraft=[plane("p47"), plane("l5", fate="destroyed")],
        options={"fog": True},
    )
    t.change(1, hex=0, fate="destroyed")
    own, enemy = PL.tree(seen_by(t))
    assert [(arm.title, arm.left, arm.initial, arm.units) for arm in own.children] == [
        ("Tanks and assault guns", 0, 1, ()),
        ("Infantry and engineers", 1, 1, ids(0)),
        ("Aircraft", 1, 2, ()),
    ]
    assert (own.side, own.left, own.initial) == (ALLIED, 2, 4)
    assert [(arm.key, arm.left, arm.units) for arm in enemy.children] == [("german unknown", 2, ())]
    assert [army.side for army in PL.tree(seen_by(t, GERMAN))] == [GERMAN, ALLIED]
    overhead = table(".", unit("a_rifle", "0101"), aircraft=[plane("p47", "0101")])
    assert PL.tree(seen_by(overhead))[0].children[-1].units == ids(1)


# highlights


def test_only_highlights_that_can_mean_something_are_listed() -> None:
    t = table("..", unit("a_rifle", "0101"), unit("g_rifle", "0201"), step="direct fire")
    assert [query.key for query in PL.queries(seen_by(t))] == [
        "ready", "can move", "can fire", "spotted", "exposed", "under fire", "seen",
    ]  # fmt: skip
    assert [query.key for query in PL.queries(seen_by(t, GERMAN))] == ["spotted", "exposed", "under fire", "seen"]
    assert PL.queries(seen_by(t, SPECTATORS)) == ()
    assert PL.query(seen_by(t), "mines") is None
    assert PL.query(seen_by(t), "sky") is None


@pytest.mark.rule("PL-601", "PL-801")
def test_who_can_still_move_or_fire_is_found() -> None:
    t = table(
        ".....",
        unit("a_m4_75", "0101"),
        unit("a_rifle", "0201", fired=True),
        unit("a_rifle", "0301", moved=True),
        unit("g_rifle", "0501"),
        step="direct fire",
    )
    assert found(t, "ready").units == ids(0, 2)
    assert found(t, "can move").units == ids(0)
    assert found(t, "can fire").units == ids(0, 2)


@pytest.mark.rule("PL-721", "PL-805", "PL-902")
def test_known_enemies_tell_where_fire_can_fall() -> None:
    t = table(
        "....T....",
        unit("a_rifle", "0401"),
        unit("a_rifle", "0501"),
        unit("g_rifle", "0601"),
        unit("g_truck", "0701"),
        unit("g_panther", "0801", dispersed=1),
    )
    assert labels(t, found(t, "under fire")) == ["0501", "0601", "0701", "0801", "0901"]
    assert found(t, "exposed").units == ids(1)
    assert found(t, "dispersed").units == ids(4)
    assert found(t, "spotted").units == ids(2, 3, 4)
    assert "0701" in labels(t, found(t, "seen"))


@pytest.mark.rule("PL-721")
def test_units_in_cover_are_exposed_only_when_spotted() -> None:
    t = table("T.....", unit("a_rifle", "0101"), unit("g_panther", "0401"), unit("g_rifle", "0401"))
    assert "0101" in labels(t, found(t, "under fire"))
    assert found(t, "exposed").units == ()


@pytest.mark.rule("PL-1301", "PL-1311", "PL-1502", "PL-1504", "PL-1506")
def test_ground_that_matters_is_found() -> None:
    terms = Victory(exits=(Exit("allied", ("0101",)), Exit("german", ("0401",))), conditions=(
        Condition("german", "tactical", hold=("0301",)),
    ))  # fmt: skip
    t = opened(
        battle(
            ".T..",
            entry("a_rifle", "0201"),
            entry("a_rifle", turn=2, at=["0101"], id="late"),
            entry("g_rifle", "0401"),
            objectives=[("Town", ["0201"], 5)],
            sections={"victory": terms, "mines": ("0301",), "blocks": ("0101",)},
        )
    )
    assert labels(t, found(t, "objectives")) == ["0201", "0301"]
    assert labels(t, found(t, "held allied")) == ["0201"]
    assert labels(t, found(t, "held german")) == []
    assert labels(t, found(t, "exits")) == ["0101"]
    assert labels(t, found(t, "exits", GERMAN)) == ["0401"]
    assert labels(t, found(t, "mines")) == ["0301"]
    assert labels(t, found(t, "blocks")) == ["0101"]
    assert found(t, "waiting").units == (named(t, "late"),)
    assert PL.query(seen_by(t, GERMAN), "waiting") is None


# reports


@pytest.mark.rule("PL-1503")
def test_losses_are_reported_by_type_for_both_sides() -> None:
    t = table("..", *(unit("a_rifle", "0101") for _ in range(3)), unit("a_truck", "0101"), unit("g_rifle", "0201"))
    for number in (0, 1, 3):
        t.change(number, hex=0, fate="destroyed")
    lost = sections(t, "losses")["Allied"]
    assert {line.label: line.value for line in lost.lines} == {"Rifle platoon": 2, KINDS["a_truck"].name: 1}
    # a truck counts as no loss
    assert lost.total == 2
    assert sections(t, "losses")["German"].lines == ()
    assert sections(t, "forces")["Allied"].total == "1 of 4"


@pytest.mark.rule("PL-1501", "PL-1502", "PL-1505")
def test_points_and_the_owners_of_objectives_are_reported_to_spectators_too() -> None:
    goals = [("Town", ["0201"], 5), ("Field", ["0101"], 1)]
    t = opened(battle(".T.", entry("a_rifle", "0201"), entry("g_rifle", "0301"), objectives=goals))
    for side in (ALLIED, GERMAN, SPECTATORS):
        standing = sections(t, "standing", side)
        assert standing["Allied: points"].total == 5
        assert standing["German: points"].total == 0
        assert [(line.label, line.value) for line in standing["Objectives"].lines] == [
            ("Town, 0201", "Allied"),
            ("Field, 0101", "nobody"),
        ]
    bare = opened(battle("..", entry("a_rifle", "0101"), entry("g_rifle", "0201")))
    assert "Objectives" not in sections(bare, "standing")


def test_what_each_unit_did_is_reported_and_the_idle_are_counted() -> None:
    t = table("...", unit("a_rifle", "0101", fired=True), unit("a_rifle", "0201"), unit("g_rifle", "0301", fired=True))
    done = sections(t, "done")
    assert done["Rifle platoon #0"].units == ids(0)
    assert [line.value for line in done["Rifle platoon #0"].lines] == ["fired"]
    assert done["Units that have done nothing"].total == 1
    assert [report.kind for report in PL.reports(seen_by(t))] == ["losses", "forces", "standing", "done"]
    assert PL.report(seen_by(t), "weather") is None
