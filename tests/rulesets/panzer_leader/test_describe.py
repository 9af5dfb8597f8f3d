"""Panzer Leader in words: names, pieces, sentences, orders and results."""

from __future__ import annotations

from typing import Any, get_args

import pytest
from msgspec.structs import replace

from sandtable.content import MapSheet, Objective
from sandtable.kernel.events import Event, Order
from sandtable.kernel.ids import NOWHERE, SideId
from sandtable.kernel.ruleset import Piece
from sandtable.kernel.state import View
from sandtable.rulesets.panzer_leader import describe
from sandtable.rulesets.panzer_leader import events as e
from sandtable.rulesets.panzer_leader import orders as o
from sandtable.rulesets.panzer_leader.ground import Ground
from sandtable.rulesets.panzer_leader.kinds import UNKNOWN
from sandtable.rulesets.panzer_leader.marks import marks
from sandtable.rulesets.panzer_leader.model import (
    ALLIED,
    DESTROYED,
    EXITED,
    GERMAN,
    RESERVE,
    Mission,
    Mover,
    Position,
    Sighting,
    with_unit,
)
from sandtable.rulesets.panzer_leader.orderbook import BOOK
from sandtable.rulesets.panzer_leader.ruleset import PanzerLeader
from sandtable.rulesets.panzer_leader.scenario import Condition, Victory
from tests.rulesets.panzer_leader.battles import battle, entry, named, opened
from tests.rulesets.panzer_leader.table import Table, U, ids, plane, table, unit
from tests.rulesets.panzer_leader.test_landing import waiting


def laid_out(**fields: Any) -> Table:
    return table(
        "....\n.W..",
        unit("a_rifle", "0101"),
        unit("a_rifle", "0101"),
        unit("g_panther", "0301"),
        unit("n_fort30", "0402"),
        aircraft=[plane("p47", "0201", ordnance="bombs"), plane("l5")],
        **fields,
    )


RULESET = PanzerLeader()
T = laid_out()
HERE = T.hex("0101")


def view_of(t: Table) -> View[Position]:
    return RULESET.view(t.state, ALLIED)


def pieces(t: Table) -> dict[int, Piece]:
    return {piece.id: piece for piece in describe.pieces(view_of(t))}


# --- names ----------------------------------------------------------------------------------------------------------


def test_a_side_is_called_as_the_scenario_calls_it() -> None:
    assert describe.side_title(T.position, GERMAN) == "German"
    assert describe.side_title(T.position, SideId("third")) == "third"


def test_a_hex_is_called_by_its_label_and_its_printed_name() -> None:
    position = T.position
    scenario = position.ground.scenario
    sheet = MapSheet(T.board, {HERE: "Le Mesnil"})
    named = replace(position, ground=Ground(replace(scenario, sheet=sheet), position.ground.options))
    assert describe.place_name(named, HERE) == "0101 (Le Mesnil)"
    assert describe.place_name(position, HERE) == "0101"
    assert describe.place_name(position, 0) == "off the map"


def test_a_unit_is_called_by_its_own_name_if_it_has_one_else_by_its_type_and_number() -> None:
    t = opened(
        battle("..", entry("a_rifle", "0101", id="r", name="Easy, 1st platoon"), entry("g_rifle", "0201", id="g"))
    )
    assert describe.unit_name(t.position, named(t, "r")) == "Easy, 1st platoon"
    assert describe.unit_name(t.position, named(t, "g")) == f"Rifle platoon #{named(t, 'g')}"
    assert describe.unit_name(t.position, U(99)) == "unit 99"
    assert describe.aircraft_name(T.position, U(0)) == "P-47 #0"
    assert describe.aircraft_name(T.position, U(9)) == "aircraft 9"


def test_several_units_make_one_phrase_in_which_alike_names_are_counted() -> None:
    entries = [entry("a_rifle", "0101", id=f"r{n}", name="Rifles") for n in (1, 2)]
    t = opened(battle("..", *entries, entry("g_rifle", "0201", id="g")))
    units = [named(t, name) for name in ("r1", "r2", "g")]
    assert describe.unit_names(t.position, units) == f"2 Rifles and Rifle platoon #{units[2]}"
    assert describe.unit_names(t.position, ids(0, 7, 8)).endswith(", unit 7 and unit 8")
    assert describe.unit_names(t.position, ()) == "nobody"


# --- pieces ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PL-102")
def test_a_piece_shows_attack_range_defense_and_movement_and_its_weapon_class() -> None:
    shown = pieces(T)
    assert (shown[2].corners, shown[2].letter, shown[2].title) == (("16", "12", "12", "10"), "A", "Panther G #2")
    assert shown[0].corners == ("2", "2*", "6", "1")
    # a fortification has a defense strength and nothing else
    assert (shown[3].corners, shown[3].letter, shown[3].kind) == (("", "", "30", ""), "", "work")


@pytest.mark.rule("PL-105")
def test_a_piece_shows_its_states_each_apart() -> None:
    t = laid_out(sightings=(Sighting(U(2), 5, 1, ids(0)),))
    t.change(0, fired=True, moved=True, transported=True, fort=3)
    t.change(1, carrier=0, facedown=True)
    t.change(2, dispersed=1)
    shown = pieces(t)
    assert shown[0].states == ("fired", "moved", "transported", "inside")
    assert shown[1].states == ("aboard", "face-down")
    assert shown[2].states == ("dispersed", "spotted")
    assert (shown[0].carrier, shown[1].carrier, shown[2].carrier) == (3, 0, None)


def test_own_units_that_wait_are_shown_without_a_hex_and_those_of_the_enemy_are_not() -> None:
    t = table("..", unit("a_rifle", "0101"), unit("a_m5"), unit("n_tbridge", side=ALLIED), unit("g_rifle"))
    shown = pieces(t)
    assert set(shown) == {0, 1}
    assert (shown[1].hex, shown[1].states) == (0, ("in reserve",))


@pytest.mark.rule("PL-1506")
def test_a_reinforcement_tells_when_and_where_it_comes() -> None:
    far = ["0201", "0301", "0401", "0501"]
    t = opened(
        battle(
            ".....",
            entry("a_rifle", "0101"),
            entry("a_m5", turn=1, at=["0101"]),
            entry("a_m5", turn=2, at=far[:2]),
            entry("a_m5", turn=2, at=far),
            entry("g_rifle", "0501"),
        )
    )
    waiting = [piece.note for piece in describe.pieces(view_of(t)) if not piece.hex]
    assert sorted(waiting) == [
        "comes on turn 2 or later, in 0201 or 0301",
        "comes on turn 2 or later, in one of 4 hexes",
        "may come this turn, in 0101",
    ]
    assert {piece.note for piece in describe.pieces(view_of(t)) if piece.hex} == {""}


@pytest.mark.rule("PL-1401")
def test_a_unit_that_waits_to_land_tells_when_it_is_placed_at_sea() -> None:
    now, later = waiting(), waiting(2, "0201")
    assert (
        describe.coming(now.position, now.unit(0)) == "is placed at sea as your segment ends, in 0101 or 0201 or 0202"
    )
    assert describe.coming(later.position, later.unit(0)) == "is placed at sea on turn 2 or later, in 0201"


@pytest.mark.rule("PL-1608")
def test_a_gun_shows_where_it_points_when_its_field_of_fire_is_limited() -> None:
    for on, facing in ((False, None), (True, 4)):
        t = table("..", unit("a_105", "0101", facing=4), unit("a_m5", "0201"), options={"field_of_fire": on})
        shown = pieces(t)
        assert (shown[0].facing, shown[1].facing) == (facing, None)


def test_aircraft_over_the_map_and_markers_are_pieces_with_numbers_of_their_own() -> None:
    t = laid_out(mines={"0102": 0, "0202": -1}, blocks=("0302",), wrecks={"0401": 2}, smoke={"0402": 9})
    t.set(aircraft=(replace(t.position.aircraft[0], attacked=5), t.position.aircraft[1]))
    every = describe.pieces(view_of(t))
    assert len({piece.id for piece in every}) == len(every)
    (bomber,) = (piece for piece in every if piece.kind == "aircraft")
    assert (bomber.title, bomber.corners, bomber.states) == ("P-47 #0", ("3", "", "", ""), ("bombs", "attacked"))
    markers = [(piece.mark, t.board.label(piece.hex), piece.states) for piece in every if piece.kind == "marker"]
    assert sorted(markers) == [
        ("block", "0302", ()),
        ("mine", "0102", ("being lifted",)),
        ("mine", "0202", ()),
        ("smoke", "0402", ()),
        ("wreck", "0401", ()),
        ("wreck", "0401", ()),
    ]


@pytest.mark.rule("PL-1331", "PL-1502")
def test_a_bridge_that_is_down_and_the_owners_of_what_is_fought_for_are_markers() -> None:
    victory = Victory(conditions=(Condition("allied", "tactical", hold=("0401",)),))
    t = laid_out(
        features={"bridge": ["0302"]},
        bridges_down=("0302",),
        objectives=(Objective("Le Mesnil", (T.hex("0201"), T.hex("0202"))),),
        sections={"victory": victory},
        control={"0201": GERMAN, "0401": ALLIED, "0102": GERMAN},
    )
    markers = [piece for piece in describe.pieces(view_of(t)) if piece.kind == "marker"]
    assert [(piece.mark, piece.side, t.board.label(piece.hex), piece.title) for piece in markers] == [
        ("flag", GERMAN, "0201", "Flag"),
        ("flag", ALLIED, "0401", "Flag"),
        ("ruined bridge", "", "0302", "Ruined bridge"),
    ]


def test_an_unarmed_aircraft_shows_no_guns() -> None:
    t = table("..", unit("a_rifle", "0101"), aircraft=[plane("l5", "0101")])
    assert pieces(t)[1].corners == ("", "", "", "")


# --- sentences ------------------------------------------------------------------------------------------------------


def attack(**fields: Any) -> e.AttackRolled:
    made: dict[str, Any] = {
        "group": "fire", "how": "direct", "attackers": (2,), "hex": HERE, "targets": (0, 1), "strength": "16",
        "defense": 12, "odds": "1-1", "drm": 1, "die": 3, "result": "-", "rule": "PL-836",
    }  # fmt: skip
    return e.AttackRolled(**{**made, **fields})


MISSION = Mission(ALLIED, ids(0), HERE, (), 1, 3)
MOVER = Mover(U(0), HERE)

SENTENCES: list[tuple[Event, str]] = [
    (e.StepBegan("direct fire", ALLIED, 1), "Allied: direct fire."),
    (e.StepBegan("", GERMAN, 1), ""),
    (e.UnitsSighted((T.position.units[2],), ids(2)), "In sight: Panther G #2 in 0301."),
    (
        e.UnitsSighted((replace(T.position.units[2], hex=T.hex("0101")), *T.position.units[:3]), ids(0, 1, 2)),
        "In sight: Panther G #2, Rifle platoon #0 and Rifle platoon #1 in 0101; Panther G #2 in 0301.",
    ),
    (e.UnitsSighted((replace(T.position.units[2], kind="n_tbridge"),), ids(2)), ""),
    (e.UnitsSighted((T.position.units[2],)), ""),
    (e.UnitsSighted((replace(T.position.units[2], hex=NOWHERE, fate=DESTROYED),)), "The enemy has lost Panther G #2."),
    (e.UnitsSighted((replace(T.position.units[2], hex=NOWHERE, fate=RESERVE),)), ""),
    (e.SightLost(ids(1)), ""),
    (e.ContactsForgotten(ids(1)), ""),
    (e.ContactMoved(T.position.units[2], (HERE,), Mover(U(2), HERE)), "Panther G #2 comes into sight in 0101."),
    (e.MovedOutOfSight(U(2), (HERE,)), "Panther G #2 moves to 0101 and out of sight."),
    (e.AccountsKnown(mover=None), ""),
    (e.SegmentBegan(GERMAN, 2, 4), "Turn 2, German segment."),
    (e.SegmentEnded(GERMAN), ""),
    (e.UnitPlaced(U(0), HERE), "Rifle platoon #0 is placed in 0101."),
    (e.UnitMoved(U(0), (HERE,), MOVER), "Rifle platoon #0 moves to 0101."),
    (e.MoveEnded(U(0)), ""),
    (e.MoveEnded(U(0), "mines lie here (PL-1301)"), "Rifle platoon #0 stops: mines lie here."),
    (e.MoverSet(MOVER), ""),
    (e.MoveHalted(U(0), ALLIED), ""),
    (
        e.AttackFailed(ALLIED, "air", (), HERE),
        "Aircraft attack 0101: no effect; more stands there than you see.",
    ),
    (e.MoveResumed(U(0), ALLIED), ""),
    (e.CrossingTried(U(0), HERE, 2, True, "PL-631"), "Rifle platoon #0 tries to cross into 0101: die 2, across."),
    (e.CrossingTried(U(0), HERE, 5, False, "PL-631"), "Rifle platoon #0 tries to cross into 0101: die 5, it fails."),
    (e.UnitExited(U(0), True), "Rifle platoon #0 leaves the map."),
    (e.UnitExited(U(0), False), "Rifle platoon #0 leaves the map where it may not, and counts as lost."),
    (e.UnitLoaded(U(2), U(0)), "Rifle platoon #0 mounts Panther G #2."),
    (e.UnitUnloaded(U(2), U(0)), "Rifle platoon #0 dismounts from Panther G #2."),
    (e.FortEntered(U(0), U(3)), "Rifle platoon #0 goes into Fortification 30 #3."),
    (e.FortLeft(U(0), U(3)), "Rifle platoon #0 comes out of Fortification 30 #3."),
    (e.FortCaptured(U(3), ALLIED), "Fortification 30 #3 is taken by the Allied side."),
    (
        attack(),
        "Panther G #2 fires at Rifle platoon #0 and Rifle platoon #1 in 0101: 16 to 12, 1-1, die 3 +1, no effect.",
    ),
    (
        attack(attackers=(), how="mine", targets=(2,), drm=0, result="DD", rule="PL-1303"),
        "The minefield attacks Panther G #2 in 0101: 16 to 12, 1-1, die 3, result DD.",
    ),
    (
        attack(attackers=(), targets=(2,), strength="27/2", rule="PL-1121"),
        "Naval guns fire at Panther G #2 in 0101: 13½ to 12, 1-1, die 3 +1, no effect.",
    ),
    (
        attack(attackers=(), targets=(2,), strength="105/8", rule="PL-1203", how="air"),
        "Aircraft attack Panther G #2 in 0101: 13 1/8 to 12, 1-1, die 3 +1, no effect.",
    ),
    (
        attack(targets=(2,), strength="1/2"),
        "Panther G #2 fires at Panther G #2 in 0101: ½ to 12, 1-1, die 3 +1, no effect.",
    ),
    (
        attack(attackers=(), strength="", odds="", targets=(0,), result="D"),
        "Unseen attackers fire at Rifle platoon #0 in 0101: die 3 +1, result D.",
    ),
    (e.UnitsFired(ids(0)), ""),
    (e.UnitDispersed(U(0)), "Rifle platoon #0 is dispersed."),
    (e.UnitRecovered(U(0)), "Rifle platoon #0 recovers from dispersal."),
    (e.UnitDestroyed(U(0)), "Rifle platoon #0 is destroyed."),
    (e.UnitDestroyed(U(0), rule="PL-645"), "Rifle platoon #0 is lost with its carrier."),
    (e.UnitDestroyed(U(0), rule="PL-1403"), "Rifle platoon #0 is lost at sea."),
    (e.UnitDestroyed(U(2), rule="PL-1406"), "Panther G #2 sinks."),
    (e.UnitDestroyed(U(2), wreck=True), "Panther G #2 is destroyed, leaving a wreck."),
    (e.Sighted((Sighting(U(2), T.hex("0202"), 1, ids(0)),)), "Panther G #2 can be spotted now."),
    (e.MissionWritten(MISSION), "Mission written: Rifle platoon #0 on 0101, for turn 2."),
    (
        e.MissionWritten(replace(MISSION, firers=(), naval=20, smoke=True)),
        "Mission written: naval guns (20) on 0101, smoke, for turn 2.",
    ),
    (e.MissionStruck(ALLIED, MISSION), "Mission struck out: Rifle platoon #0 on 0101."),
    (
        e.MissionStruck(ALLIED, replace(MISSION, firers=(), naval=20)),
        "Mission struck out: naval guns (20) on 0101.",
    ),
    (e.MissionFired(MISSION, HERE), "Indirect fire comes down on 0101."),
    (e.MissionFired(MISSION, T.hex("0201"), True), "Indirect fire comes down on 0201, scattered from 0101."),
    (e.MissionFired(MISSION, 0), "Indirect fire goes wild."),
    (e.MissionsEnded(ALLIED), ""),
    (e.HexShelled(HERE), ""),
    (e.SmokeLaid(HERE, 3), "Smoke lies in 0101."),
    (e.NavalSpent(ALLIED, 20), "Naval guns use 20 points."),
    (e.NavalRefilled({ALLIED: 40}), ""),
    (e.AircraftFlew(U(0), HERE), "P-47 #0 flies to 0101."),
    (e.AircraftShotAt(U(0), ids(2), 8, 1, "X"), "Anti-aircraft fire of 8 at P-47 #0: die 1: shot down."),
    (e.AircraftShotAt(U(0), ids(2), 8, 2, "abort"), "Anti-aircraft fire of 8 at P-47 #0: die 2: driven off."),
    (e.AircraftShotAt(U(0), ids(2), 8, 6, "-"), "Anti-aircraft fire of 8 at P-47 #0: die 6: no effect."),
    (e.AircraftAttacked(((U(0), "bombs"),)), "P-47 #0 uses bombs."),
    (e.AirPhaseEnded(ALLIED), ""),
    (e.WorkBegan(U(0), "clear", HERE), "Rifle platoon #0 starts clearing the way in 0101."),
    (e.WorkAdvanced(U(0), 1), "Rifle platoon #0's work goes on."),
    (e.WorkEnded(U(0), "clear", True), "Rifle platoon #0: clearing the way is done."),
    (e.WorkEnded(U(0), "demolish", False, 6), "Rifle platoon #0: charging the bridge comes to nothing, die 6."),
    (e.MineLaid(HERE), "A minefield lies in 0101."),
    (e.MineLaid(HERE, U(0)), "A minefield lies in 0101, and is being cleared."),
    (e.MineLifted(HERE), "The minefield in 0101 is gone."),
    (e.BlockPlaced(HERE), "A block lies in 0101."),
    (e.BlockRemoved(HERE), "The block in 0101 is gone."),
    (e.BridgeDestroyed(HERE), "The bridge in 0101 is down."),
    (e.BridgeLaid(U(3), HERE, ALLIED), "A tank bridge lies in 0101."),
    (e.FacingSet(U(0), 2), "Rifle platoon #0 turns."),
    (e.UnitRevealed(U(0)), "Rifle platoon #0 shows itself at sea."),
    (e.UnitLanded(U(2), T.hex("0301")), "Panther G #2 comes ashore in 0301."),
    (
        e.UnitLanded(U(0), HERE),
        "Rifle platoon #0 comes ashore in 0101 on top of friends, which disperses all of them.",
    ),
    (e.ControlTaken(HERE, GERMAN), "0101 belongs to the German side."),
    (e.DieCast("quick-time", 3, True, "PL-1605", U(0)), "Rifle platoon #0: quick-time: die 3, passed."),
    (e.DieCast("a charge", 5, False, "PL-1331"), "a charge: die 5, failed."),
    (e.BattleEnded({}), "The battle is over."),
]


@pytest.mark.parametrize(("event", "sentence"), SENTENCES, ids=lambda value: type(value).__name__)
def test_what_happened_is_said_in_a_sentence(event: Event, sentence: str) -> None:
    assert describe.sentence(event, T.position) == sentence


@pytest.mark.rule("PL-722", "PL-1609")
def test_who_fires_in_the_open_is_not_told_of_as_given_away() -> None:
    assert describe.sentence(e.Sighted((Sighting(U(2), HERE, 1, ids(0)),)), T.position) == ""


def test_every_event_has_its_sentence_and_only_bookkeeping_is_silent() -> None:
    assert {type(event) for event, _ in SENTENCES} == set(get_args(e.AnyEvent))
    assert {type(event) for event, sentence in SENTENCES if not sentence} == {
        e.MoveEnded, e.MoverSet, e.UnitsFired, e.MissionsEnded, e.HexShelled, e.NavalRefilled, e.AirPhaseEnded,
        e.SegmentEnded,
        e.StepBegan, e.UnitsSighted, e.SightLost, e.ContactsForgotten, e.AccountsKnown,
        e.MoveHalted, e.MoveResumed,
    }  # fmt: skip


# --- orders ---------------------------------------------------------------------------------------------------------

ORDERS: list[tuple[Order, str]] = [
    (o.PlaceUnit(U(0), HERE), "place Rifle platoon #0 in 0101"),
    (o.EndPhase(), "end the phase"),
    (o.WriteMission(ids(0), HERE), "indirect fire of Rifle platoon #0 on 0101"),
    (o.WriteMission(ids(0), HERE, smoke=True), "smoke of Rifle platoon #0 on 0101"),
    (o.WriteNavalMission(20, HERE), "naval fire of 20 on 0101"),
    (o.StrikeMission(HERE, U(0)), "strike out the fire of Rifle platoon #0 on 0101"),
    (o.FireMissions(), "fire missions"),
    (o.FireMissions(ids(0)), "fire missions, hold Rifle platoon #0"),
    (o.DirectFire(ids(2), HERE, ids(0)), "fire at Rifle platoon #0 in 0101 with Panther G #2"),
    (o.NavalFire(20, HERE, ids(0)), "fire naval guns (20) at Rifle platoon #0 in 0101"),
    (o.FlyTo(U(0), HERE), "fly P-47 #0 to 0101"),
    (o.FireAtAircraft(ids(2), U(0)), "fire at P-47 #0 with Panther G #2"),
    (o.AirAttack((o.AirSortie(U(0), "mg"),), HERE, ids(0)), "attack Rifle platoon #0 in 0101 with mg of P-47 #0"),
    (o.MoveUnit(U(0), (HERE,)), "move Rifle platoon #0 to 0101"),
    (o.MoveUnit(U(0), (HERE,), "quick"), "move Rifle platoon #0 to 0101 at quick-time"),
    (o.MoveUnit(U(0), ()), "move Rifle platoon #0 to off the map"),
    (o.LeaveMap(U(0)), "take Rifle platoon #0 off the map"),
    (o.LoadUnit(U(2), U(0)), "load Rifle platoon #0 on Panther G #2"),
    (o.UnloadUnit(U(2)), "unload Panther G #2"),
    (o.EnterFort(U(0)), "take Rifle platoon #0 into the fortification"),
    (o.LeaveFort(U(0)), "take Rifle platoon #0 out of the fortification"),
    (o.Overrun(HERE, (o.OverrunRun(U(2), (HERE,)),)), "overrun 0101 with Panther G #2"),
    (o.CloseAssault(ids(0, 1), HERE), "assault 0101 with Rifle platoon #0 and Rifle platoon #1"),
    (o.OpportunityFire(ids(2)), "opportunity fire by Panther G #2"),
    (o.Pass(), "let it go by"),
    (o.Pass(rest=True), "let the whole move go by"),
    (o.BeginWork(U(0), "clear", HERE), "set Rifle platoon #0 to clearing the way in 0101"),
    (o.FinishWork(U(0)), "Rifle platoon #0: finish the work"),
    (o.SetFacing(U(0), 2), "turn Rifle platoon #0 to the southeast"),
]


@pytest.mark.parametrize(("order", "text"), ORDERS, ids=lambda value: type(value).__name__)
def test_an_order_is_one_short_line(order: Order, text: str) -> None:
    assert BOOK.text(order, T.position) == text


def test_every_order_has_its_line() -> None:
    assert {type(order) for order, _ in ORDERS} == {row.order for row in BOOK.rows}


# --- results --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("events", "result"),
    [
        ((), "no effect"),
        ((attack(), e.UnitsFired(ids(2))), "no effect"),
        ((e.UnitDispersed(U(0)), e.UnitDestroyed(U(1))), "Rifle platoon #1 destroyed; Rifle platoon #0 dispersed"),
        ((e.UnitDispersed(U(0)), e.UnitDestroyed(U(0))), "Rifle platoon #0 destroyed"),
        ((e.AircraftShotAt(U(0), ids(2), 8, 1, "X"),), "P-47 #0 shot down"),
        ((e.AircraftShotAt(U(0), ids(2), 8, 1, "abort"),), "P-47 #0 driven off"),
        ((e.AircraftShotAt(U(0), ids(2), 8, 1, "-"),), "no effect"),
        ((e.CrossingTried(U(0), HERE, 1, True, "PL-631"),), "crosses"),
        ((e.CrossingTried(U(0), HERE, 6, False, "PL-631"),), "does not cross"),
        ((e.DieCast("quick-time", 6, False, "PL-1605", U(0)),), "quick-time fails"),
        ((e.DieCast("quick-time", 1, True, "PL-1605", U(0)),), "stays in order"),
        ((e.DieCast("block", 1, True, "PL-1332", U(0)),), "no effect"),
        ((e.WorkEnded(U(0), "demolish", True, 1),), "work done"),
        ((e.WorkEnded(U(0), "demolish", False, 6),), "work fails"),
        ((e.WorkEnded(U(0), "clear", True),), "no effect"),
    ],
)
def test_what_came_of_an_order_is_told_by_what_befell_units_and_aircraft(
    events: tuple[Event, ...], result: str
) -> None:
    assert describe.result(events, view_of(T)) == result


# --- what changes on the map ----------------------------------------------------------------------------------------


def test_only_what_has_changed_is_drawn_anew_and_what_is_gone_is_taken_away() -> None:
    t = laid_out(wrecks={"0101": 1})
    before = t.position
    moved = RULESET.apply(before, e.UnitMoved(U(0), (t.hex("0102"),), Mover(U(0), t.hex("0101"))))
    changes = RULESET.piece_changes(before, moved, ALLIED)
    assert [(piece.id, piece.hex) for piece in changes.changed] == [(0, t.hex("0102"))]
    assert changes.gone == ()
    lost = RULESET.apply(moved, e.UnitDestroyed(U(0), t.hex("0102")))
    changes = RULESET.piece_changes(moved, lost, ALLIED)
    assert [(piece.mark, piece.hex) for piece in changes.changed] == [("wreck", t.hex("0102"))]
    assert changes.gone == (0,)
    flown = RULESET.apply(lost, e.AircraftFlew(U(0), t.hex("0102")))
    assert [piece.kind for piece in RULESET.piece_changes(lost, flown, ALLIED).changed] == ["aircraft"]
    gone = RULESET.apply(flown, e.AirPhaseEnded(ALLIED))
    assert len(RULESET.piece_changes(flown, gone, ALLIED).gone) == 1


def test_who_is_spotted_and_who_comes_sooner_looks_otherwise() -> None:
    t = laid_out()
    spotted = RULESET.apply(t.position, e.Sighted((Sighting(U(2), t.hex("0301"), 1, ids(0)),)))
    assert [piece.id for piece in RULESET.piece_changes(t.position, spotted, ALLIED).changed] == [2]
    same = RULESET.apply(spotted, e.SegmentBegan(GERMAN, 1, 2))
    assert RULESET.piece_changes(spotted, same, ALLIED) == ((), ())
    b = battle(
        ". . .",
        entry("a_rifle", "0101"),
        entry("a_m5", id="late", turn=2, at=("0101",)),
        first="allied",
    )
    opened_table = opened(b)
    later = replace(opened_table.position, turn=2)
    late = named(opened_table, "late")
    assert [piece.id for piece in RULESET.piece_changes(opened_table.position, later, ALLIED).changed] == [late]
    assert RULESET.piece_changes(opened_table.position, later, GERMAN) == ((), ())


def test_what_changes_nothing_to_be_seen_and_who_is_nowhere_to_be_seen_is_not_drawn_anew() -> None:
    t = laid_out()
    attacked = with_unit(t.position, U(0), attacked=("fire",))
    assert RULESET.piece_changes(t.position, attacked, ALLIED) == ((), ())
    waiting = with_unit(t.position, U(2), hex=NOWHERE, fate=RESERVE)
    later = with_unit(waiting, U(2), moved=True)
    assert RULESET.piece_changes(waiting, later, ALLIED) == ((), ())


@pytest.mark.rule("PL-1507")
def test_the_loss_of_a_unit_that_was_out_of_sight_is_told_once() -> None:
    t = laid_out()
    gone = replace(t.unit(2), hex=NOWHERE, fate=DESTROYED)
    t.change(2, kind=UNKNOWN)
    for told in (e.UnitDestroyed(U(2)), e.UnitExited(U(2), allowed=True)):
        assert describe.sentence(told, t.position) == ""
    left = tuple(replace(gone, id=U(id), fate=EXITED) for id in (2, 4))
    assert describe.sentence(e.UnitsSighted(left), t.position) == "Panther G #2 and Panther G #4 have left the map."
    assert describe.sentence(e.UnitsSighted((gone,)), t.position).startswith("The enemy has lost ")
    assert marks(e.UnitsSighted((gone,))).tone == "loss"
    assert marks(e.UnitsSighted((replace(gone, fate=RESERVE),))).tone == ""
