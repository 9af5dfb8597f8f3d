"""What a side may know of the table and of what happens on it."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.kernel.engine import begin, undoable
from sandtable.kernel.events import DiceKey, Event
from sandtable.kernel.ids import NOBODY, NOWHERE, SPECTATORS, RuleId, SideId
from sandtable.kernel.state import State
from sandtable.kernel.telling import introduced, retold
from sandtable.kernel.trace import Line
from sandtable.rulesets.panzer_leader import changes, visibility
from sandtable.rulesets.panzer_leader import events as e
from sandtable.rulesets.panzer_leader.frames import Journey, OpportunityWindow, OverrunFrame, StepFrame
from sandtable.rulesets.panzer_leader.kinds import UNKNOWN
from sandtable.rulesets.panzer_leader.model import (
    ALLIED,
    GERMAN,
    IN_PLAY,
    RESERVE,
    UNSEEN,
    Mine,
    Mission,
    Mover,
    Position,
    Sighting,
    Unit,
    Work,
)
from sandtable.rulesets.panzer_leader.orders import EndPhase, MoveUnit, Overrun, OverrunRun, WriteMission
from sandtable.rulesets.panzer_leader.ruleset import PanzerLeader
from tests.rulesets.panzer_leader.battles import battle, entry, named, opened
from tests.rulesets.panzer_leader.table import Table, U, ids, open_board, plane, table, unit

RULESET = PanzerLeader()
FOG = {"fog": True}

# The town hides what is behind it; the woods hide what is in them.
FIELD = """
    . . . T . . .
    . W . T . . .
    . . . T . . .
"""


def known(t: Table, side: SideId = ALLIED) -> Position:
    return RULESET.view(t.state, side).position


def seen_by(t: Table, side: SideId = ALLIED) -> set[int]:
    return {unit.id for unit in known(t, side).units if unit.side != side and unit.fate != UNSEEN}


def redacted(t: Table, event: Event, side: SideId = ALLIED) -> Event | None:
    return RULESET.redact(event, t.position, t.position, side)


def fogged(*units: Any, **fields: Any) -> Table:
    """Allied unit 0 in the west; what follows is German unless said otherwise."""
    return table(FIELD, unit("a_rifle", "0102"), *units, options={**FOG, **fields.pop("options", {})}, **fields)


def mission(side: SideId, **fields: Any) -> Mission:
    made = {"firers": (1,), "hex": 9, "spotters": (0,), "written": 1, "due": 3}
    return Mission(side, **{**made, **fields})


# --- written missions -----------------------------------------------------------------------------------------------


@pytest.mark.rule("PL-1102", "PL-1507")
def test_a_written_mission_is_secret_until_it_is_resolved() -> None:
    ours, theirs = mission(ALLIED), mission(GERMAN)
    t = table("..", unit("a_81mm", "0101"), unit("g_81mm", "0201"), missions=(ours, theirs))
    assert known(t, ALLIED).missions == (ours,)
    assert known(t, GERMAN).missions == (theirs,)
    assert redacted(t, e.MissionWritten(ours)) == e.MissionWritten(ours)
    assert redacted(t, e.MissionWritten(theirs)) is None
    assert redacted(t, e.MissionsEnded(GERMAN)) is None
    assert redacted(t, e.MissionsEnded(ALLIED)) == e.MissionsEnded(ALLIED)


@pytest.mark.rule("PL-1102")
def test_a_mission_that_comes_down_shows_neither_its_spotters_nor_unseen_batteries() -> None:
    fired = e.MissionFired(mission(GERMAN, firers=(1, 2), observers=(3,)), 9)
    t = table("...", unit("a_rifle", "0101"), unit("g_81mm", "0301"), unit("g_81mm", "0201"))
    shown = redacted(t, fired)
    assert shown == e.MissionFired(mission(GERMAN, firers=(1, 2), spotters=()), 9)
    assert redacted(t, fired, GERMAN) == fired
    t = fogged(unit("g_81mm", "0702"), unit("g_81mm", "0302"))
    assert redacted(t, fired) == e.MissionFired(mission(GERMAN, firers=(2,), spotters=()), 9)


def test_the_table_is_the_very_same_when_nothing_is_hidden() -> None:
    t = table("..", unit("a_rifle", "0101"), unit("g_rifle", "0201"), missions=(mission(ALLIED),))
    assert known(t) is t.position
    t = fogged(unit("g_rifle", "0202"))
    assert known(t) is t.position


# --- face-down landing units ----------------------------------------------------------------------------------------

SHORE = """
    O O O
    B B B
    . . .
"""


@pytest.mark.rule("PL-1401", "PL-1507")
def test_what_a_face_down_landing_unit_is_its_enemy_does_not_know() -> None:
    t = table(SHORE, unit("b_25pdr", "0101", facedown=True, name="battery", facing=3), unit("g_rifle", "0203"))
    hidden = known(t, GERMAN).units[0]
    assert (hidden.kind, hidden.name, hidden.facing, hidden.hex) == (UNKNOWN, "", 0, t.hex("0101"))
    assert known(t, ALLIED) is t.position
    placed = e.UnitPlaced(U(0), t.hex("0101"), 3, facedown=True)
    assert redacted(t, placed, GERMAN) == e.UnitPlaced(U(0), t.hex("0101"), 0, facedown=True)
    assert redacted(t, placed, ALLIED) == placed


@pytest.mark.rule("PL-1401", "PL-1507")
def test_landing_plans_are_secret_units_that_wait_to_land_have_no_face_either() -> None:
    b = battle(
        SHORE,
        entry("b_flail", id="flail", turn=2, at=["0101"]),
        entry("b_bren", id="bren", turn=2, at=["0201"]),
        entry("b_6pdr", id="gun", turn=2, at=["0201"], aboard="bren"),
        entry("b_rifle", id="walker", turn=2, at=["0103"]),
        entry("b_rifle", "0303"),
        entry("g_rifle", "0203"),
    )
    t = opened(b)
    enemy = {unit.id: unit for unit in known(t, GERMAN).units}
    for name in ("flail", "bren"):
        waiting = enemy[named(t, name)]
        assert (waiting.kind, waiting.name, waiting.fate) == (UNKNOWN, "", RESERVE)
    gun = named(t, "gun")
    assert enemy[gun] == Unit(gun, UNKNOWN, ALLIED, fate=UNSEEN)
    # by land, it is an open reinforcement
    assert enemy[named(t, "walker")].kind == "b_rifle"


@pytest.mark.rule("PL-1401", "PL-1507")
def test_a_face_down_unit_out_of_sight_stays_without_a_face_in_the_fog() -> None:
    t = table(SHORE, unit("b_flail", "0101", facedown=True, name="flail"), options=FOG)
    assert known(t, GERMAN).units[0] == Unit(U(0), UNKNOWN, ALLIED, fate=UNSEEN)
    assert redacted(t, e.UnitPlaced(U(0), t.hex("0101"), facedown=True), GERMAN) is None
    assert redacted(t, e.UnitRevealed(U(0), "b_flail", "flail"), GERMAN) is None


# --- fog of war -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("PL-1507")
def test_without_fog_every_unit_on_the_table_is_seen() -> None:
    t = table(FIELD, unit("a_rifle", "0102"), unit("g_rifle", "0702"), unit("g_rifle", "0402"))
    assert seen_by(t) == {1, 2}
    assert visibility.hidden_units(t.position, ALLIED) == frozenset()


@pytest.mark.rule("PL-1507")
def test_in_the_fog_units_out_of_every_enemy_line_of_sight_are_hidden_with_all_there_is_to_know_of_them() -> None:
    t = fogged(unit("g_panther", "0702", fired=True, name="lead"), unit("g_rifle", "0302"), unit("g_stug"))
    assert seen_by(t) == {2}
    assert known(t).units[1] == Unit(U(1), UNKNOWN, GERMAN, fate=UNSEEN)
    # nor is it known whether a reinforcement has come yet
    assert known(t).units[3] == Unit(U(3), UNKNOWN, GERMAN, fate=UNSEEN)
    assert known(t, GERMAN).units[1] == t.unit(1)


@pytest.mark.rule("PL-1507")
def test_in_the_fog_units_in_woods_or_town_are_hidden_until_spotted() -> None:
    t = fogged(unit("g_rifle", "0402"), unit("g_rifle", "0202"))
    assert seen_by(t) == {2}  # the woods are adjacent
    t.change(0, dispersed=1)
    assert seen_by(t) == set()  # a dispersed unit does not spot
    t.change(0, dispersed=0)
    t.set(sightings=(Sighting(U(1), t.hex("0402"), 1, ids(0)),))
    assert seen_by(t) == {1, 2}


@pytest.mark.rule("PL-1206", "PL-1507")
def test_aircraft_lift_the_fog_below_them() -> None:
    t = fogged(unit("g_rifle", "0702"), aircraft=[plane("l5", "0602")])
    assert seen_by(t) == {1}


@pytest.mark.rule("PL-1206", "PL-1507")
def test_aircraft_lose_sight_of_who_has_fired_out_of_cover_when_that_is_a_segment_ago() -> None:
    t = fogged(unit("g_rifle", "0402", last_fired=1), aircraft=[plane("l5", "0502")], segment=2, phasing=GERMAN)
    assert visibility.hidden_units(t.position, ALLIED) == frozenset()
    t.set(segment=3)
    assert visibility.hidden_units(t.position, ALLIED) == frozenset(ids(1))


def test_works_lie_open() -> None:
    t = fogged(unit("n_fort30", "0702"), unit("g_rifle", fort=1))
    assert seen_by(t) == {1}


@pytest.mark.rule("PL-1507")
def test_what_hidden_units_are_about_is_hidden_with_them() -> None:
    t = fogged(
        unit("g_engineer", "0702"),
        unit("g_rifle", "0302"),
        works=(Work(U(1), "clear", 5), Work(U(2), "block", 6)),
        block_builders=(1, 2),
        landed=(1, 2),
        mines={"0701": 1, "0301": 2},
    )
    position = known(t)
    assert position.works == (Work(U(2), "block", 6),)
    assert position.block_builders == position.landed == (2,)
    assert position.mines == {t.hex("0701"): Mine(t.hex("0701")), t.hex("0301"): Mine(t.hex("0301"), U(2))}


@pytest.mark.rule("PL-1507")
def test_eyes_that_are_unseen_themselves_are_not_named() -> None:
    t = fogged(
        unit("g_rifle", "0402"),
        unit("g_rifle", "0302"),
        sightings=(Sighting(U(0), 9, 1, ids(1)), Sighting(U(0), 9, 1, ids(1, 2)), Sighting(U(1), 9, 1, ids(0))),
        mover=Mover(U(0), 9, 4, 2, exposure={U(1): 4, U(2): 4}),
    )
    t.change(1, hex="0702")
    assert known(t).sightings == (Sighting(U(0), 9, 1, ids(2)),)
    assert known(t).mover == Mover(U(0), 9, 4, 2, exposure={U(2): 4})


@pytest.mark.rule("PL-1507")
def test_of_an_enemy_that_moves_only_what_is_in_sight_shows() -> None:
    mover = Mover(U(1), 99, 6, 3, exposure={U(0): 2}, gait="quick", on_road=True)
    t = fogged(unit("g_rifle", "0302"), unit("g_rifle", "0702"), mover=mover)
    assert known(t).mover == Mover(U(1), t.hex("0302"), exposure={U(0): 2}, gait="quick")
    t.set(mover=Mover(U(2), t.hex("0701"), 2))
    assert known(t).mover is None


@pytest.mark.rule("PL-1507")
def test_in_the_fog_the_enemys_steps_are_hidden_because_those_he_passes_over_would_tell() -> None:
    t = fogged(unit("g_rifle", "0702"), phasing=GERMAN, step="direct fire")
    view = RULESET.view(t.state, ALLIED)
    assert (view.position.step, view.flow, view.decisions) == ("", (StepFrame(""),), ())
    began = e.StepBegan("direct fire", GERMAN, 1)
    assert redacted(t, began) is None
    assert redacted(t, began, GERMAN) == began
    # a step of his in which the other side decides is the other side's business
    asked, next_one = e.StepBegan("anti-aircraft", ALLIED, 1), e.StepBegan("air attack", GERMAN, 1)
    t.set(step="anti-aircraft")
    assert known(t).step == "anti-aircraft"
    assert redacted(t, asked) == asked
    # when it is over, he knows that and no more; a spectator never knew
    then = changes.apply(t.position, next_one)
    assert RULESET.redact(next_one, t.position, then, ALLIED) == e.StepBegan("", GERMAN, 1)
    assert RULESET.redact(next_one, t.position, then, SPECTATORS) is None
    t.set(step="setup")
    assert known(t).step == "setup"


@pytest.mark.rule("PL-502", "PL-1507")
def test_that_mines_go_off_somewhere_does_not_tell_that_somebody_unseen_stands_on_them() -> None:
    mines = e.StepBegan("mines", ALLIED, 1, open=False)
    hidden = fogged(unit("g_rifle", "0702"))
    assert redacted(hidden, mines) is None
    assert redacted(table(FIELD, unit("a_rifle", "0101"), unit("g_rifle", "0702")), mines) == mines


# --- the flow -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PL-1507", "PL-1602")
def test_an_enemy_who_may_fire_at_a_mover_sees_it_but_not_where_it_goes() -> None:
    window = OpportunityWindow(GERMAN, U(0), ids(1, 2))
    journey = Journey(U(0), (20, 21))
    t = fogged(
        unit("g_rifle", "0302"),
        unit("g_rifle", "0702"),
        step="foot movement",
        flow=(StepFrame("foot movement"), journey, window),
        mover=Mover(U(0), 9, 2, 1, exposure={U(1): 2, U(2): 2}),
        options={"opportunity_fire": True},
    )
    ours, theirs = RULESET.view(t.state, ALLIED), RULESET.view(t.state, GERMAN)
    # nor does the mover's side see who may fire: one who is left out in its sight would have a mission (PL-1104)
    assert ours.flow == (StepFrame("foot movement"), journey, OpportunityWindow(GERMAN, U(0), ()))
    assert theirs.flow == (StepFrame("foot movement"), Journey(U(0), ()), window)
    assert (len(ours.decisions), len(theirs.decisions)) == (0, 1)
    # the runs of an overrun were declared
    t.state = State(
        t.position, (StepFrame("vehicle movement"), Journey(U(0), (20, 21), overruns=20), window), DiceKey("x")
    )
    assert RULESET.view(t.state, GERMAN).flow[1] == Journey(U(0), (20, 21), overruns=20)


@pytest.mark.rule("PL-1005", "PL-1507")
def test_of_an_overrun_an_enemy_knows_only_the_vehicles_in_his_sight() -> None:
    runs = OverrunRun(U(0), (20, 21)), OverrunRun(U(2), (20, 21))
    overrun, window = OverrunFrame(20, runs, ids(2), ids(2)), OpportunityWindow(GERMAN, U(0), ids(1))
    t = fogged(
        unit("g_rifle", "0302"),
        unit("a_m4_75", "0702"),
        step="vehicle movement",
        flow=(StepFrame("vehicle movement"), overrun, window),
        options={"opportunity_fire": True},
    )
    assert RULESET.view(t.state, GERMAN).flow[1] == OverrunFrame(20, runs[:1])
    assert RULESET.view(t.state, ALLIED).flow[1] == overrun


@pytest.mark.rule("PL-1507")
@pytest.mark.parametrize(("options", "may"), [({}, True), (FOG, False)])
def test_in_the_fog_a_move_is_not_taken_back_whether_or_not_it_found_anything(
    options: dict[str, bool], may: bool
) -> None:
    b = battle(FIELD, entry("a_m5", "0101", id="scout"), entry("g_rifle", "0702", id="foe"), first="allied")
    t = Table(begin(RULESET, b, options, "seed", (ALLIED, GERMAN)).state)
    while t.position.step != "vehicle movement":
        t.submit(EndPhase(), side=ALLIED)
    before, order = t.state, MoveUnit(named(t, "scout"), t.hexes("0201"))
    assert undoable(RULESET, before, t.submit(order, side=ALLIED)) is may


@pytest.mark.rule("PL-1102", "PL-1507")
def test_what_is_only_written_down_can_be_taken_back_in_the_fog_too() -> None:
    view = RULESET.view(fogged(unit("g_rifle", "0302")).state, ALLIED)
    assert RULESET.may_undo(view, WriteMission(ids(0), 9))
    assert not RULESET.may_undo(view, EndPhase())


# --- coming into sight and going out of it --------------------------------------------------------------------------


def told(t: Table, event: Event, side: SideId = ALLIED) -> list[Event]:
    """What a viewer is told when an event happens, which has happened then."""
    t.state = introduced(RULESET, t.state, (side,), t.state.known.positions)
    t.state, news = retold(RULESET, t.state, (event,), t.state.flow)
    known = t.state.known.positions[side]
    assert known == RULESET.known(t.position, side, known)
    return [one.event for one in news[side]]


@pytest.mark.rule("PL-1507")
def test_an_enemy_who_comes_into_sight_is_shown_as_he_is_and_one_who_leaves_it_is_lost() -> None:
    t = fogged(unit("g_rifle", "0702", fired=True))
    path = t.hexes("0602", "0502", "0302")
    arrived = e.UnitMoved(U(1), path, Mover(U(1), t.hex("0702"), 6, 3))
    news = told(t, arrived)
    assert news == [
        e.ContactMoved(t.position.units[1], t.hexes("0302"), Mover(U(1), t.hex("0302"))),
    ]
    away = e.UnitMoved(U(1), t.hexes("0602"), Mover(U(1), t.hex("0302"), 2, 1))
    assert told(t, away) == [e.SightLost(ids(1), t.hex("0302")), e.AccountsKnown(mover=None)]


@pytest.mark.rule("PL-1507")
def test_a_loss_out_of_sight_is_public_and_its_wreck_lies_where_it_fell() -> None:
    t = fogged(unit("g_panther", "0702"))
    news = told(t, e.UnitDestroyed(U(1), t.hex("0702")))
    assert news == [e.UnitDestroyed(U(1), t.hex("0702")), e.UnitsSighted((t.position.units[1],))]


@pytest.mark.rule("PL-1507")
def test_spectators_see_what_both_sides_see() -> None:
    t = fogged(unit("g_rifle", "0302"), unit("g_rifle", "0702"), missions=(mission(ALLIED),))
    public = RULESET.view(t.state, SPECTATORS)
    assert [unit.fate for unit in public.position.units] == [IN_PLAY, IN_PLAY, UNSEEN]
    assert (public.position.missions, public.decisions) == ((), ())
    moved = e.UnitMoved(U(1), t.hexes("0301"), Mover(U(1), t.hex("0302"), 2, 1, exposure={U(0): 2}))
    assert told(t, moved, SPECTATORS) == [
        e.UnitMoved(U(1), t.hexes("0301"), Mover(U(1), t.hex("0301"), exposure={U(0): 2}))
    ]


# --- events ---------------------------------------------------------------------------------------------------------


def attack(**fields: Any) -> e.AttackRolled:
    made: dict[str, Any] = {
        "group": "fire", "how": "direct", "attackers": (1,), "hex": 9, "targets": (0,), "strength": "8", "defense": 6,
        "odds": "1-1", "drm": 0, "die": 3, "result": "D", "rule": "PL-836", "lines": (Line("x", 1, RuleId("PL-808")),),
    }  # fmt: skip
    return e.AttackRolled(**{**made, **fields})


# Allied 0; German 1 in sight, 2 hidden, 3 hidden.
UNITS = (unit("g_rifle", "0302"), unit("g_rifle", "0702"), unit("g_rifle", "0602"))


@pytest.mark.rule("PL-1507")
@pytest.mark.parametrize(
    ("event", "shown"),
    [
        (e.UnitPlaced(U(2), 9), None),
        (e.MoveEnded(U(2)), None),
        (e.CrossingTried(U(2), 9, 1, True, "PL-631"), None),
        (e.UnitLoaded(U(1), U(2)), None),
        (e.UnitUnloaded(U(2), U(1)), None),
        (e.FortEntered(U(2), U(1)), None),
        (e.FortLeft(U(2), U(1)), None),
        (e.UnitDispersed(U(2)), None),
        (e.UnitLanded(U(2), 9), None),
        (e.WorkBegan(U(2), "clear", 9), None),
        (e.WorkAdvanced(U(2), 1), None),
        (e.WorkEnded(U(2), "clear", True), None),
        (e.FacingSet(U(2), 1), None),
        (e.DieCast("quick-time", 3, True, "PL-1605", U(2)), None),
        (e.UnitsFired(ids(2, 3)), None),
        (e.UnitsFired(ids(1, 2)), e.UnitsFired(ids(1))),
        (e.Sighted((Sighting(U(2), 9, 1, ids(0)),)), None),
        (e.Sighted((Sighting(U(0), 9, 1, ids(2)),)), None),
        (e.Sighted((Sighting(U(0), 9, 1, ids(1, 2)),)), e.Sighted((Sighting(U(0), 9, 1, ids(1)),))),
        (e.MineLaid(9, U(2)), e.MineLaid(9)),
        (e.BlockPlaced(9, U(2)), e.BlockPlaced(9)),
        (e.AircraftShotAt(U(0), ids(1, 2), 8, 3, "-"), e.AircraftShotAt(U(0), ids(1), 8, 3, "-")),
        (attack(targets=(2,)), None),
        # one's own attack is told, with nothing that hangs on what one does not see
        (
            attack(targets=(2,), attackers=(0,), drm=-1),
            attack(targets=(), attackers=(0,), defense=0, odds="", lines=(), unseen=True),
        ),
        (
            attack(targets=(1, 2), attackers=()),
            attack(targets=(1,), attackers=(), defense=0, odds="", lines=(), unseen=True),
        ),
        (attack(targets=(2,), attackers=(), how="mine"), None),
        (attack(attackers=(1, 2)), attack(attackers=(), strength="", odds="", lines=())),
        (e.MoverSet(Mover(U(2), 9)), None),
    ],
)
def test_events_about_hidden_units_are_hidden_and_hidden_names_struck_out(event: Event, shown: Event | None) -> None:
    t = fogged(*UNITS)
    assert redacted(t, event) == shown
    assert redacted(t, event, GERMAN) == event


@pytest.mark.rule("PL-1005", "PL-1507")
@pytest.mark.parametrize(
    ("way_there", "driving", "attacking"),
    [
        (".", "Sherman Crab flail #0 moves to 0103 and out of sight.", "Sherman Crab flail #0 overruns"),
        ("W", "Unidentified unit #0 is glimpsed in 0103.", "Unidentified unit #0 overruns"),
    ],
)
def test_who_is_overrun_knows_whom_he_saw_driving_through(way_there: str, driving: str, attacking: str) -> None:
    #  nobody who is dispersed spots what drives on into the woods
    rows = "\n".join(["W", way_there, ".", "W"])
    units = unit("b_flail", "0101"), unit("g_rifle", "0103", dispersed=1)
    t = table(rows, *units, step="vehicle movement", options=FOG)
    t.state = introduced(RULESET, t.state, (GERMAN,), {})
    before, path = t.state, t.hexes("0102", "0103", "0104")
    t.play(Overrun(t.hex("0103"), (OverrunRun(U(0), path),)), dice=[4])
    after, news = retold(RULESET, before, t.events, t.state.flow)
    view = RULESET.view(after, GERMAN)
    said = [RULESET.describe(one.event, replace(view, position=one.known)) for one in news[GERMAN]]
    assert driving in said
    (attack,) = (line for line in said if "overruns" in line)
    # what it did is told, and no strength
    assert attack == f"{attacking} Rifle platoon #1 in 0103: die 4 -3, result X."


@pytest.mark.rule("PL-1507", "PL-1601")
def test_the_account_of_a_move_is_its_own_sides_but_for_unseen_eyes_and_the_enemy_knows_what_shows() -> None:
    t = fogged(*UNITS)
    event = e.MoverSet(Mover(U(0), 9, 4, exposure={U(1): 1, U(2): 1}))
    assert redacted(t, event) == e.MoverSet(Mover(U(0), 9, 4, exposure={U(1): 1}))
    assert redacted(t, event, GERMAN) == e.MoverSet(Mover(U(0), t.unit(0).hex, exposure={U(1): 1, U(2): 1}))
    unwatched = e.MoverSet(Mover(U(0), 9, 4))
    assert redacted(t, unwatched) is unwatched
    open_table = table(FIELD, unit("a_rifle", "0102"))
    assert redacted(open_table, event, GERMAN) is event


@pytest.mark.rule("PL-1507")
@pytest.mark.parametrize(
    "event",
    [
        e.MoveEnded(U(1)),
        e.MineLaid(9, U(1)),
        e.BlockPlaced(9, U(1)),
        e.UnitDestroyed(U(2)),
        e.UnitExited(U(2), allowed=True),
        e.HexShelled(9),
        e.SegmentBegan(GERMAN, 1, 2),
        attack(),
    ],
)
def test_losses_and_what_happens_in_sight_is_public(event: Event) -> None:
    assert redacted(fogged(*UNITS), event) == event


@pytest.mark.rule("PL-1507")
def test_of_an_enemys_move_the_stretch_in_sight_is_seen() -> None:
    t = fogged(*UNITS)
    t.change(2, hex="0601")

    def move(id: int, *labels: str) -> e.UnitMoved:
        return e.UnitMoved(U(id), t.hexes(*labels), Mover(U(id), 77, 8, 4))

    # it passed by and is out of sight again
    assert redacted(t, move(2, "0302", "0402", "0601")) == e.MovedOutOfSight(U(2), t.hexes("0302"))
    assert redacted(t, move(2, "0602", "0601")) is None
    # it has come into sight
    shown = e.UnitMoved(U(1), t.hexes("0302"), Mover(U(1), t.hex("0302")))
    assert redacted(t, move(1, "0602", "0302")) == shown
    # it stands in cover, but spotted
    t.change(1, hex="0202")
    assert redacted(t, move(1, "0602", "0202")) == e.UnitMoved(U(1), t.hexes("0202"), Mover(U(1), t.hex("0202")))
    # one's own is known, but not the eyes on it
    ours = e.UnitMoved(U(0), t.hexes("0102"), Mover(U(0), 9, 2, 1, exposure={U(1): 2, U(2): 2}))
    assert redacted(t, ours) == e.UnitMoved(U(0), t.hexes("0102"), Mover(U(0), 9, 2, 1, exposure={U(1): 2}))


def test_a_unit_off_the_table_hides_nothing_and_is_not_hidden() -> None:
    t = fogged(unit("g_rifle", "0302"), unit("g_rifle", hex=NOWHERE, fate="destroyed"))
    assert visibility.hidden_units(t.position, ALLIED) == frozenset()
    assert known(t).units[2].fate == "destroyed"
    assert known(t).units[1].fate == IN_PLAY
    assert known(t).units[1].carrier == NOBODY


# --- what a side remembers ------------------------------------------------------------------------------------------

# A town on either side of a wall of towns: the Allied rifle in the west sees only the western one.
STREET = """
    . . . T . . .
    . . T T . T .
    . . . T . . .
"""


def taken(t: Table, label: str, side: SideId) -> e.ControlTaken:
    return e.ControlTaken(t.hex(label), side)


@pytest.mark.rule("PL-1502", "PL-1507")
def test_ground_that_an_unseen_enemy_takes_still_belongs_to_whom_the_side_last_knew() -> None:
    t = table(STREET, unit("a_rifle", "0102"), unit("g_rifle", "0602"), unit("g_rifle", "0703"), options=FOG)
    ours = taken(t, "0602", ALLIED)
    assert told(t, ours) == [ours]
    assert told(t, taken(t, "0602", GERMAN)) == []
    assert t.position.control == {t.hex("0602"): GERMAN}
    assert t.state.known.positions[ALLIED].control == {t.hex("0602"): ALLIED}
    # a truck owns no ground, and neither does an enemy who has only been there
    assert RULESET.standing(RULESET.view(t.state, ALLIED)) != RULESET.standing(RULESET.view(t.state, GERMAN))


@pytest.mark.rule("PL-1502", "PL-1507")
def test_who_owns_ground_is_known_when_its_owner_is_seen_in_it_and_to_everybody_after_the_end() -> None:
    t = table(STREET, unit("a_rifle", "0102"), unit("g_rifle", "0302"), options=FOG)
    assert told(t, taken(t, "0302", GERMAN)) == []  # unspotted in the town
    near = e.UnitMoved(U(0), t.hexes("0202"), Mover(U(0), t.hex("0102"), 2, 1))
    news = told(t, near)
    assert news[-1] == e.AccountsKnown(control={t.hex("0302"): GERMAN})
    t = table(STREET, unit("a_rifle", "0102"), unit("g_rifle", "0302"), options=FOG)
    told(t, taken(t, "0302", GERMAN))
    assert told(t, e.BattleEnded())[-1] == e.AccountsKnown(control={t.hex("0302"): GERMAN})


def lost(t: Table) -> dict[int, tuple[str, int, str]]:
    """What the Allied side remembers: who, last seen where and in which turn, and what it was."""
    board = t.position.ground.board
    return {
        id: (board.label(one.unit.hex), one.turn, one.unit.kind)
        for id, one in t.state.known.positions[ALLIED].contacts.items()
    }


@pytest.mark.rule("PL-1507")
def test_an_enemy_out_of_sight_is_remembered_where_he_was_last_seen_until_that_place_is_seen_without_him() -> None:
    t = fogged(unit("g_panther", "0302", fired=True))
    away = e.UnitMoved(U(1), t.hexes("0402", "0602"), Mover(U(1), t.hex("0302"), 4, 2))
    assert told(t, away) == [e.SightLost(ids(1), t.hex("0302"))]
    assert lost(t) == {1: ("0302", 1, "g_panther")}
    piece = next(one for one in RULESET.pieces(RULESET.view(t.state, ALLIED)) if one.last_seen)
    assert (piece.id, piece.hex, piece.last_seen, piece.title) == (1, t.hex("0302"), 1, "Panther G #1")
    assert (piece.badges, piece.states) == ((), ("last seen on turn 1",))
    card = RULESET.card(RULESET.view(t.state, ALLIED), U(1))
    assert card is not None
    assert [(line.label, line.value) for line in card.sections[0].lines] == [("Last seen in", "0302"), ("On turn", 1)]
    # nothing stands there: the believed world is empty
    assert not RULESET.believed(RULESET.view(t.state, ALLIED)).position.units[1].hex
    # the rifle sees the hex all the time, but the turn has to pass before it has seen it again
    assert told(t, e.SegmentBegan(ALLIED, 1, 2)) == [e.SegmentBegan(ALLIED, 1, 2)]
    before = t.state.known.positions[ALLIED]
    assert told(t, e.SegmentBegan(ALLIED, 2, 3)) == [e.SegmentBegan(ALLIED, 2, 3), e.ContactsForgotten(ids(1))]
    assert lost(t) == {}
    # and so goes the counter that stood for it
    assert RULESET.piece_changes(before, t.state.known.positions[ALLIED], ALLIED).gone == (1,)
    assert RULESET.hides(t.position)


@pytest.mark.rule("PL-1507")
def test_a_contact_lasts_while_nobody_looks_and_ends_when_somebody_does() -> None:
    t = fogged(unit("g_panther", "0202"), unit("a_rifle", "0101"))
    told(t, e.UnitDispersed(U(0)))
    told(t, e.UnitDispersed(U(2)))
    assert lost(t) == {1: ("0202", 1, "g_panther")}  # still there, but nobody spots it in the woods
    told(t, e.SegmentBegan(GERMAN, 2, 4))
    told(t, e.UnitMoved(U(1), t.hexes("0302", "0602"), Mover(U(1), t.hex("0202"), 4, 2)))
    assert lost(t) == {1: ("0302", 2, "g_panther")}  # a glimpse: who it is shows by its number
    told(t, e.SegmentBegan(ALLIED, 3, 5))
    assert lost(t) == {}
    t = fogged(unit("g_panther", "0202"), unit("a_rifle", "0101"))
    for id in (0, 2):
        told(t, e.UnitDispersed(U(id)))
    told(t, e.UnitMoved(U(1), t.hexes("0602"), Mover(U(1), t.hex("0202"), 4, 2)))
    told(t, e.SegmentBegan(ALLIED, 2, 3))
    assert lost(t) == {1: ("0202", 1, "g_panther")}  # the woods have not been searched
    assert told(t, e.SegmentEnded(ALLIED))[-1] == e.ContactsForgotten(ids(1))


@pytest.mark.rule("PL-1507")
def test_a_contact_ends_when_the_unit_is_seen_elsewhere_or_known_to_be_lost() -> None:
    t = fogged(unit("g_panther", "0302"), unit("g_rifle", "0301"))
    for id, start in ((1, "0302"), (2, "0301")):
        told(t, e.UnitMoved(U(id), t.hexes("0602"), Mover(U(id), t.hex(start), 4, 2)))
    assert set(lost(t)) == {1, 2}
    told(t, e.UnitMoved(U(1), t.hexes("0303"), Mover(U(1), t.hex("0602"), 4, 2)))
    assert set(lost(t)) == {2}
    told(t, e.UnitDestroyed(U(2)))
    assert lost(t) == {}


@pytest.mark.rule("PL-1507")
def test_one_who_passes_through_sight_or_leaves_it_is_told_in_one_line_with_the_way_he_was_seen_to_take() -> None:
    t = fogged(unit("g_panther", "0602"))
    news = told(t, e.UnitMoved(U(1), t.hexes("0502", "0302", "0402", "0602"), Mover(U(1), t.hex("0602"), 8, 4)))
    assert news == [e.MovedOutOfSight(U(1), t.hexes("0302"))]
    assert RULESET.describe(news[0], RULESET.view(t.state, ALLIED)) == "Unidentified unit #1 is glimpsed in 0302."
    assert lost(t) == {1: ("0302", 1, UNKNOWN)}
    # who was seen before, and who rides with him, are remembered where he was seen last
    t = fogged(unit("g_ht", "0303"), unit("g_rifle", carrier=1))
    news = told(t, e.UnitMoved(U(1), t.hexes("0302", "0402", "0602"), Mover(U(1), t.hex("0303"), 6, 3)))
    lines = [RULESET.describe(one, RULESET.view(t.state, ALLIED)) for one in news]
    assert [line for line in lines if line] == ["SdKfz 251 halftrack #1 moves to 0302 and out of sight."]
    assert {id: place for id, (place, _, _) in lost(t).items()} == {1: "0302", 2: "0302"}


@pytest.mark.rule("PL-722", "PL-1507")
def test_one_who_gives_himself_away_is_told_in_one_line() -> None:
    t = fogged(unit("g_rifle", "0402"))
    news = told(t, e.Sighted((Sighting(U(1), t.hex("0402"), 1, ids(0)),)))
    lines = [RULESET.describe(one, RULESET.view(t.state, ALLIED)) for one in news]
    assert [line for line in lines if line] == ["In sight: Rifle platoon #1 in 0402."]


@pytest.mark.rule("PL-1206", "PL-1507")
def test_a_contact_ends_when_an_aircraft_overhead_sees_nobody_there() -> None:
    t = fogged(unit("g_panther", "0302"), aircraft=[plane("l5", "0702")])
    told(t, e.UnitMoved(U(1), t.hexes("0402"), Mover(U(1), t.hex("0302"), 2, 1)))
    assert [RULESET.describe(one, RULESET.view(t.state, ALLIED)) for one in [e.SightLost(ids(1))]] == [
        "Out of sight: Panther G #1, last seen in 0302."
    ]
    t.change(0, hex="0202", dispersed=1)
    told(t, e.UnitDestroyed(U(0)))
    told(t, e.SegmentBegan(ALLIED, 2, 3))
    seen = visibility.is_searched(t.position, t.hex("0302"), ALLIED)
    assert (seen, set(lost(t))) == (True, set())


@pytest.mark.rule("PL-1107", "PL-1507")
def test_whether_shells_found_nobody_is_told_to_whose_fire_it_is_alone() -> None:
    t = table(open_board(4, 1), unit("a_rifle", "0101"), unit("g_rifle", "0401"), options={"fog": True})
    vain = e.HexShelled(t.hex("0201"), in_vain=True)
    assert redacted(t, vain, ALLIED) == vain
    assert redacted(t, vain, GERMAN) == e.HexShelled(t.hex("0201"))
