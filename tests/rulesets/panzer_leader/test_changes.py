"""What each event does to the table."""

from __future__ import annotations

import pytest

from sandtable.kernel.events import Event
from sandtable.kernel.ids import NOBODY, NOWHERE
from sandtable.rulesets.panzer_leader import events as e
from sandtable.rulesets.panzer_leader import sequence
from sandtable.rulesets.panzer_leader.changes import apply
from sandtable.rulesets.panzer_leader.model import (
    ALLIED,
    FIRE,
    GERMAN,
    MINE,
    Mission,
    Mover,
    Position,
    Sighting,
    Unit,
    Work,
)
from tests.rulesets.panzer_leader.table import Table, U, ids, open_board, plane, table, unit


def laid() -> Table:
    """0 Sherman, 1 rifle, 2 halftrack carrying 3, 4 fort, 5 German rifle, 6 reserve bridge, 7 German engineer."""
    return table(
        open_board(3, 4),
        unit("a_m4_75", "0101"),
        unit("a_rifle", "0101"),
        unit("a_ht", "0102"),
        unit("a_rifle", carrier=2),
        unit("n_fort20", "0303"),
        unit("g_rifle", "0303"),
        unit("n_tbridge"),
        unit("g_engineer", "0304"),
        aircraft=[plane("p47", ordnance="bombs"), plane("l5")],
    )


def after(t: Table, *events: Event) -> Position:
    position = t.position
    for event in events:
        position = apply(position, event)
    return position


@pytest.mark.rule("PL-502", "PL-511")
def test_a_new_segment_starts_the_counts_of_attacks_anew_and_forgets_old_sightings_smoke_and_missions() -> None:
    t = laid()
    t.change(0, attacked=(MINE, FIRE), moved=True, transported=True, assaults=t.hex("0102"))
    fresh, old = Sighting(U(5), t.hex("0303"), 3, ids(0)), Sighting(U(7), t.hex("0304"), 2, ids(0))
    late = Mission(ALLIED, ids(0), t.hex("0303"), ids(1), 2, 4)
    past = Mission(GERMAN, ids(5), t.hex("0101"), ids(5), 1, 3)
    mover = Mover(U(0), t.hex("0101"))
    t.set(
        shelled=["0303"],
        sightings=(fresh, old),
        smoke={"0201": 4, "0202": 3},
        missions=(late, past),
        mover=mover,
    )
    position = after(t, e.SegmentBegan(GERMAN, 2, 4))
    assert (position.turn, position.segment, position.phasing) == (2, 4, GERMAN)
    begun = position.units[0]
    assert (begun.attacked, begun.moved, begun.transported, begun.assaults) == ((), False, False, NOWHERE)
    assert position.units[1] is t.unit(1)
    assert (position.shelled, position.sightings, position.mover) == ((), (fresh,), None)
    assert position.smoke == {t.hex("0201"): 4}
    assert position.missions == (late,)


@pytest.mark.rule("PL-508", "PL-905")
def test_at_the_end_of_a_segment_its_owners_units_are_face_up_and_the_others_are_not() -> None:
    t = laid()
    t.change(0, fired=True)
    t.change(1, dispersed=2)
    t.change(5, fired=True, dispersed=3)
    position = after(t, e.SegmentEnded(ALLIED))
    assert not any(u.is_inverted for u in position.units if u.side == ALLIED)
    assert (position.units[5].fired, position.units[5].dispersed) == (True, 3)


@pytest.mark.rule("PL-905")
def test_a_unit_dispersed_in_the_enemys_segment_sits_out_its_own() -> None:
    t = laid()  # the Allied segment 1
    position = after(t, e.UnitDispersed(U(5)), e.SegmentEnded(ALLIED), e.SegmentBegan(GERMAN, 1, 2))
    assert position.units[5].dispersed == 1
    assert not after(t, e.UnitDispersed(U(5)), e.SegmentEnded(GERMAN)).units[5].dispersed


@pytest.mark.rule("PL-101")
def test_a_turn_holds_two_player_segments() -> None:
    t = laid()
    began = []
    for _ in range(3):
        t.run(sequence.end_segment)
        began.append((t.position.turn, t.position.segment, t.position.phasing))
    assert began == [(1, 2, GERMAN), (2, 3, ALLIED), (2, 4, GERMAN)]


def test_a_step_ends_the_account_of_the_mover() -> None:
    t = laid()
    mover = Mover(U(0), t.hex("0101"), 4)
    moving = after(t, e.MoverSet(mover))
    assert moving.mover == mover
    begun = apply(moving, e.StepBegan("foot movement", ALLIED, 1))
    assert (begun.mover, begun.step, begun.landed) == (None, "foot movement", ())
    assert apply(moving, e.MoveEnded(U(1))).mover == mover
    ended = apply(moving, e.MoveEnded(U(0)))
    assert ended.mover is None
    assert ended.units[0].moved


def test_a_placed_unit_brings_what_it_carries() -> None:
    t = laid()
    place = t.hex("0204")
    position = after(t, e.UnitPlaced(U(2), place, facing=3, facedown=True))
    assert (position.units[2].hex, position.units[2].facing, position.units[2].facedown) == (place, 3, True)
    assert position.units[3].hex == place


@pytest.mark.rule("PL-643", "PL-723", "PL-1104")
def test_a_unit_that_moves_takes_its_passenger_along_and_loses_sightings_and_missions() -> None:
    t = laid()
    place = t.hex("0103")
    mover = Mover(U(2), t.hex("0102"), 2)
    t.change(2, last_fired=1)
    t.set(
        sightings=(Sighting(U(2), t.hex("0102"), 1, ids(5)), Sighting(U(5), t.hex("0303"), 1, ids(0))),
        missions=(Mission(ALLIED, ids(2, 0), t.hex("0303"), ids(1), 1, 3),),
    )
    position = after(t, e.UnitMoved(U(2), (place,), mover))
    assert (position.units[2].hex, position.units[2].last_fired) == (place, 0)
    assert (position.units[3].hex, position.units[3].transported) == (place, True)
    assert [s.unit for s in position.sightings] == [5]
    assert [m.firers for m in position.missions] == [(0,)]
    assert position.mover == mover
    foot = after(t, e.UnitMoved(U(1), (place,), mover))
    assert foot.units[1].hex == place
    assert len(foot.sightings) == 2


@pytest.mark.rule("PL-1504")
def test_a_unit_that_leaves_the_map_where_it_may_not_counts_as_destroyed() -> None:
    t = laid()
    assert [after(t, e.UnitExited(U(2), True)).units[n].fate for n in (2, 3)] == ["exited", "exited"]
    gone = after(t, e.UnitExited(U(2), False))
    assert [gone.units[n].fate for n in (2, 3)] == ["destroyed", "destroyed"]
    assert [gone.units[n].hex for n in (2, 3)] == [NOWHERE, NOWHERE]


@pytest.mark.rule("PL-723", "PL-901", "PL-908", "PL-1304")
def test_a_destroyed_unit_is_out_of_every_list_that_names_it() -> None:
    t = laid()
    mover = Mover(U(7), t.hex("0304"))
    t.set(
        mover=mover,
        missions=(
            Mission(GERMAN, ids(7), t.hex("0101"), ids(5), 1, 3),
            Mission(GERMAN, (), t.hex("0101"), ids(5), 1, 3, naval=20),
        ),
        sightings=(Sighting(U(0), t.hex("0101"), 1, ids(7)), Sighting(U(1), t.hex("0101"), 1, ids(5, 7))),
        works=(Work(U(7), "clear", t.hex("0203")), Work(U(5), "block", t.hex("0303"))),
        mines={"0203": 7, "0204": NOBODY},
    )
    position = after(t, e.UnitDestroyed(U(7), wreck=t.hex("0304")))
    assert (position.units[7].hex, position.units[7].fate) == (NOWHERE, "destroyed")
    assert position.mover is None
    assert [m.naval for m in position.missions] == [20]
    assert [(s.unit, s.witnesses) for s in position.sightings] == [(1, (5,))]
    assert [work.unit for work in position.works] == [5]
    assert [mine.flipped_by for mine in position.mines.values()] == [NOBODY, NOBODY]
    assert position.wrecks == {t.hex("0304"): 1}
    again = apply(position, e.UnitDestroyed(U(5)))
    assert again.wrecks == {t.hex("0304"): 1}


@pytest.mark.rule("PL-901", "PL-1507")
@pytest.mark.parametrize("event", [e.UnitDestroyed(U(7)), e.UnitExited(U(7), allowed=False)], ids=str)
def test_of_a_unit_that_is_gone_nobody_learns_what_it_was_about(event: e.AnyEvent) -> None:
    t = laid()
    t.change(7, fired=True, dispersed=1, moved=True, transported=True, last_fired=1, facing=3, attacked=("fire",))
    unit = t.unit(7)
    lost = after(t, event).units[7]
    assert lost == Unit(U(7), unit.kind, unit.side, fate="destroyed", name=unit.name)


def test_loading_and_unloading() -> None:
    t = laid()
    mover = Mover(U(2), t.hex("0102"), 10, handled="load")
    off = after(t, e.UnitUnloaded(U(2), U(3), mover))
    assert (off.units[3].carrier, off.units[3].transported, off.mover) == (NOBODY, True, mover)
    on = apply(off, e.UnitLoaded(U(2), U(3)))
    assert (on.units[3].carrier, on.mover) == (2, mover)
    dropped = after(t, e.UnitUnloaded(U(2), U(3), assaults=t.hex("0103")))
    assert dropped.units[3].assaults == t.hex("0103")


def test_forts_are_entered_left_and_captured() -> None:
    t = laid()
    inside = after(t, e.FortEntered(U(5), U(4)))
    assert inside.units[5].fort == 4
    assert apply(inside, e.FortLeft(U(5), U(4))).units[5].fort == NOBODY
    assert after(t, e.FortCaptured(U(4), ALLIED)).units[4].side == ALLIED


def attack(group: str, *targets: int) -> e.AttackRolled:
    return e.AttackRolled(
        group=group,
        how="direct",
        attackers=(),
        hex=NOWHERE,
        targets=ids(*targets),
        strength="1",
        defense=1,
        odds="1-1",
        drm=0,
        die=1,
        result="-",
        rule="PL-504",
    )


@pytest.mark.rule("PL-511")
def test_an_attack_marks_its_targets_with_its_group_once() -> None:
    t = laid()
    position = after(t, attack(FIRE, 5, 7), attack(FIRE, 5), attack(MINE, 5), attack("", 4))
    assert [position.units[n].attacked for n in (4, 5, 7)] == [(), (FIRE, MINE), (FIRE,)]


@pytest.mark.rule("PL-504", "PL-723", "PL-1206")
def test_units_that_fired_are_inverted_and_known_to_have_fired_unless_in_a_close_assault() -> None:
    t = laid()
    t.set(segment=5)
    position = after(t, e.UnitsFired(ids(0)), e.UnitsFired(ids(1), closely=True))
    assert [(u.fired, u.last_fired) for u in position.units[:2]] == [(True, 5), (True, 0)]


@pytest.mark.rule("PL-722", "PL-902", "PL-904", "PL-910")
def test_a_dispersed_unit_watches_no_more_and_a_second_dispersal_changes_nothing() -> None:
    t = laid()
    t.set(
        segment=3,
        sightings=(Sighting(U(5), t.hex("0303"), 3, ids(0)), Sighting(U(7), t.hex("0304"), 3, ids(0, 1))),
        missions=(Mission(ALLIED, ids(0), t.hex("0303"), ids(1), 3, 5),),
    )
    position = after(t, e.UnitDispersed(U(0)))
    assert position.units[0].dispersed == 3
    assert [(s.unit, s.witnesses) for s in position.sightings] == [(7, (1,))]
    assert position.missions == ()
    assert apply(position, e.UnitDispersed(U(0))) is position


@pytest.mark.rule("PL-722")
def test_a_new_sighting_replaces_the_old_one_of_the_same_unit() -> None:
    t = laid()
    old, other = Sighting(U(5), t.hex("0303"), 1, ids(0)), Sighting(U(7), t.hex("0304"), 1, ids(0))
    new = Sighting(U(5), t.hex("0303"), 2, ids(1))
    position = after(t, e.Sighted((old, other)), e.Sighted((new,)))
    assert position.sightings == (other, new)


@pytest.mark.rule("PL-1102", "PL-1104", "PL-1105")
def test_missions_are_written_fired_held_and_struck() -> None:
    t = laid()
    t.set(segment=3)
    due = Mission(ALLIED, ids(0, 1), t.hex("0303"), ids(1), 1, 3)
    later = Mission(ALLIED, ids(2), t.hex("0303"), ids(1), 2, 5)
    position = after(t, e.MissionWritten(due), e.MissionWritten(later), e.MissionWritten(due))
    part = Mission(ALLIED, ids(0), t.hex("0303"), ids(1), 1, 3)
    position = apply(position, e.MissionFired(part, t.hex("0303")))
    assert [m.firers for m in position.missions] == [(1,), (2,), (0, 1)]
    position = apply(position, e.MissionFired(due, t.hex("0303")))
    assert [m.firers for m in position.missions] == [(1,), (2,)]
    position = apply(position, e.MissionsEnded(ALLIED))
    assert [m.held for m in position.missions] == [True, False]


@pytest.mark.rule("PL-804", "PL-1121", "PL-1609")
def test_shells_smoke_and_naval_points_are_kept_count_of() -> None:
    t = laid()
    place = t.hex("0303")
    position = after(
        t,
        e.HexShelled(place),
        e.SmokeLaid(place, 4),
        e.NavalRefilled({ALLIED: 40}),
        e.NavalSpent(ALLIED, 20),
        e.NavalSpent(GERMAN, 5),
    )
    assert position.shelled == (place,)
    assert position.smoke == {place: 4}
    assert position.naval == {ALLIED: 20, GERMAN: -5}


@pytest.mark.rule("PL-1205", "PL-1206", "PL-1208")
def test_aircraft_fly_use_up_their_weapons_and_go() -> None:
    t = laid()
    t.set(segment=3)
    place = t.hex("0202")
    flying = after(t, e.AircraftFlew(U(0), place), e.AircraftFlew(U(1), place))
    assert [(p.hex, p.flown) for p in flying.aircraft] == [(place, 3), (place, 3)]
    strafed = apply(flying, e.AircraftAttacked(((U(0), "mg"),), place))
    assert (strafed.aircraft[0].strafes, strafed.aircraft[0].attacked) == (3, place)
    bombed = apply(flying, e.AircraftAttacked(((U(0), "bombs"),), place))
    assert (bombed.aircraft[0].ordnance, bombed.aircraft[0].strafes) == ("", 4)
    over = apply(bombed, e.AirPhaseEnded(ALLIED))
    assert [(p.hex, p.attacked) for p in over.aircraft] == [(NOWHERE, NOWHERE), (place, NOWHERE)]
    assert apply(bombed, e.AirPhaseEnded(GERMAN)).aircraft == bombed.aircraft
    fates = [apply(flying, e.AircraftShotAt(U(0), ids(5), 20, 1, word)).aircraft[0] for word in ("X", "abort", "-")]
    assert [(p.fate, p.hex, p.shot_at) for p in fates] == [
        ("destroyed", NOWHERE, 0),
        ("exited", NOWHERE, 0),
        ("", place, 3),
    ]


@pytest.mark.rule("PL-1304", "PL-1311", "PL-1331", "PL-1332", "PL-1333")
def test_works_go_on_and_mines_blocks_and_bridges_come_and_go() -> None:
    t = laid()
    place = t.hex("0203")
    position = after(
        t,
        e.WorkBegan(U(7), "clear", place),
        e.WorkBegan(U(5), "block", place),
        e.WorkAdvanced(U(7), 2, 1, 3),
        e.MineLaid(place, U(7)),
        e.BlockPlaced(place, U(7)),
        e.BlockPlaced(t.hex("0202")),
        e.BridgeDestroyed(place),
        e.BridgeLaid(U(6), place, ALLIED),
    )
    assert [(w.unit, w.stage, w.tries, w.since) for w in position.works] == [(7, 2, 1, 3), (5, 0, 0, 0)]
    assert position.mines[place].flipped_by == 7
    assert position.blocks == (place, t.hex("0202"))
    assert position.block_builders == (7,)
    assert position.bridges_down == (place,)
    assert (position.units[6].hex, position.units[6].side, position.units[6].fate) == (place, ALLIED, "")
    again = apply(position, e.WorkBegan(U(7), "demolish", place))
    assert [(w.unit, w.task) for w in again.works] == [(5, "block"), (7, "demolish")]
    bare = apply(position, e.MineLifted(place))
    bare = apply(bare, e.BlockRemoved(place))
    bare = apply(bare, e.WorkEnded(U(7), "clear", True))
    assert (bare.mines, bare.blocks) == ({}, (t.hex("0202"),))
    assert [w.unit for w in bare.works] == [5]


@pytest.mark.rule("PL-1401", "PL-1404", "PL-1502", "PL-1608")
def test_facing_identity_landing_and_control() -> None:
    t = laid()
    place = t.hex("0303")
    t.change(1, facedown=True, kind="n_unknown")
    position = after(
        t,
        e.FacingSet(U(5), 4),
        e.UnitRevealed(U(1), "a_rifle", "1st"),
        e.UnitLanded(U(1), place),
        e.ControlTaken(place, ALLIED),
    )
    assert position.units[5].facing == 4
    shown = position.units[1]
    assert (shown.facedown, shown.kind, shown.name) == (False, "a_rifle", "1st")
    assert position.landed == (1,)
    assert position.control == {place: ALLIED}


def test_dice_that_are_told_of_change_nothing_and_the_end_ends_the_battle() -> None:
    t = laid()
    cast = e.DieCast("survival", 3, True, "PL-1406")
    tried = e.CrossingTried(U(1), t.hex("0102"), 2, True, "PL-631")
    assert after(t, cast, tried) is t.position
    position = after(t, e.BattleEnded({ALLIED: 7}))
    assert position.over
    assert position.scores == {ALLIED: 7}
