"""Before the first shot: the opening of a battle, placement in zones, and units that come later."""

from __future__ import annotations

import pytest

from sandtable.kernel.engine import submit
from sandtable.kernel.events import DiceKey, Order
from sandtable.kernel.ids import NOBODY, NOWHERE, SideId
from sandtable.kernel.state import Played
from sandtable.rulesets.panzer_leader import setup
from sandtable.rulesets.panzer_leader.events import ControlTaken, MoveEnded, UnitPlaced
from sandtable.rulesets.panzer_leader.frames import SetupFrame, StepFrame
from sandtable.rulesets.panzer_leader.model import ALLIED, GERMAN, IN_PLAY, RESERVE
from sandtable.rulesets.panzer_leader.orders import EndPhase, MoveUnit, PlaceUnit
from sandtable.rulesets.panzer_leader.ruleset import PanzerLeader
from sandtable.rulesets.panzer_leader.scenario import (
    AircraftEntry,
    Naval,
    NavalMissionEntry,
    PanzerLeaderScenario,
    Setup,
)
from tests.rulesets.panzer_leader.battles import Entry, battle, entry, named, opened
from tests.rulesets.panzer_leader.table import Table, U, open_board

# --- the opening ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("PL-104")
@pytest.mark.parametrize("first", [ALLIED, GERMAN])
def test_the_side_that_goes_first_is_set_by_the_scenario(first: str) -> None:
    t = opened(battle("..", entry("a_rifle", "0101"), entry("g_rifle", "0201"), first=first))
    assert t.position.phasing == first
    assert (t.position.turn, t.position.segment) == (1, 1)


def test_the_table_is_as_the_scenario_lays_it_out() -> None:
    t = opened(
        battle(
            "...\n...",
            entry("a_truck", "0101", id="truck"),
            entry("a_rifle", id="rider", aboard="truck"),
            entry("n_fort30", "0301", id="fort"),
            entry("g_88", id="gun", inside="fort", facing=4),
            entry("g_pz4", id="late", turn=3, at=["0302"]),
            sections={
                "mines": ("0102",),
                "blocks": ("0202",),
                "aircraft": (
                    AircraftEntry("p47", "allied", "bombs", 2),
                    AircraftEntry("l5", "allied"),
                ),
            },
        )
    )
    truck, rider, fort, gun, late = (t.unit(named(t, name)) for name in ("truck", "rider", "fort", "gun", "late"))
    assert (rider.carrier, rider.hex) == (truck.id, truck.hex)
    assert (gun.fort, gun.hex, gun.facing) == (fort.id, fort.hex, 4)
    assert (late.hex, late.fate) == (NOWHERE, RESERVE)
    assert {truck.fate, rider.fate, fort.fate, gun.fate} == {IN_PLAY}
    assert list(t.position.mines) == [t.hex("0102")]
    assert t.position.blocks == (t.hex("0202"),)
    bomber, observer = t.position.aircraft
    assert (bomber.kind, bomber.ordnance, bomber.strafes, bomber.turn) == ("p47", "bombs", 4, 2)
    assert (observer.kind, observer.strafes, observer.turn) == ("l5", 0, 1)


@pytest.mark.rule("PL-1401", "PL-1507")
def test_units_are_dealt_ids_by_the_secret_seed_so_that_an_id_tells_nothing() -> None:
    b = battle(open_board(9, 1), *(entry("a_rifle", f"0{n}01", id=f"r{n}") for n in range(1, 10)))
    deals = {tuple(unit.name for unit in opened(b, seed=seed).position.units) for seed in "abc"}
    assert len(deals) == 3
    assert all(sorted(deal) == sorted(f"r{n}" for n in range(1, 10)) for deal in deals)
    assert [unit.id for unit in opened(b).position.units] == list(range(9))


@pytest.mark.rule("PL-1333")
def test_each_bridgelayer_has_a_tank_bridge_in_reserve() -> None:
    t = opened(battle("..", entry("b_bridge", "0101"), entry("b_bridge", "0101"), entry("g_rifle", "0201")))
    bridges = [unit for unit in t.position.units if unit.kind == "n_tbridge"]
    assert [(unit.fate, unit.side, unit.hex) for unit in bridges] == [(RESERVE, ALLIED, NOWHERE)] * 2
    assert not any(setup.awaits_setup(t.position, unit) for unit in bridges)


@pytest.mark.rule("PL-510", "PL-1121")
def test_naval_fire_written_before_the_battle_comes_down_in_the_segment_of_its_turn() -> None:
    naval = Naval(
        missions=(NavalMissionEntry("allied", "0201", 40, turn=2), NavalMissionEntry("german", "0101", 20, turn=1))
    )
    b = battle("..", entry("a_rifle", "0101"), entry("g_rifle", "0201"), sections={"naval": naval})
    missions = opened(b, {"naval_fire": True}).position.missions
    assert [(m.side, m.due, m.naval, m.written) for m in missions] == [("allied", 3, 40, 0), ("german", 2, 20, 0)]
    assert opened(b).position.missions == ()


@pytest.mark.rule("PL-1502")
def test_ground_belongs_at_first_to_whom_the_scenario_says_and_then_to_whoever_stands_there() -> None:
    b = battle(
        "TTTT",
        entry("a_rifle", "0101"),
        entry("a_truck", "0301"),
        entry("g_rifle", "0201"),
        sections={"control": {"german": ("0101", "0301")}},
    )
    t = opened(b)
    assert t.position.control == {t.hex("0101"): ALLIED, t.hex("0201"): GERMAN, t.hex("0301"): GERMAN}


def test_options_of_the_battle_go_before_those_of_the_scenario() -> None:
    b = battle("..", entry("a_rifle", "0101"), entry("g_rifle", "0201"), options={"fog": True, "smoke": True})
    options = opened(b, {"fog": False}).position.ground.options
    assert (options.fog, options.smoke) == (False, True)


def test_battles_of_one_scenario_with_the_same_options_share_their_ground() -> None:
    b = battle("..", entry("a_rifle", "0101"), entry("g_rifle", "0201"))
    one, two, other = (PanzerLeader().setup(b, options, DiceKey("x")) for options in ({}, {}, {"fog": True}))
    assert one.position.ground is two.position.ground
    assert one.position.ground is not other.position.ground
    # only so many grounds are kept
    for _ in range(40):
        PanzerLeader().setup(battle("..", entry("a_rifle", "0101")), {}, DiceKey("x"))
    assert PanzerLeader().setup(b, {}, DiceKey("x")).position.ground is not one.position.ground


# --- placement in zones ---------------------------------------------------------------------------------------------

FIELD = """
    . . . . . .
    . W . . . .
    R O . . . .
"""


def zoned(
    *entries: Entry, in_sight: bool = False, order: tuple[str, ...] = ("german", "allied"), open: bool = False
) -> PanzerLeaderScenario:
    return battle(
        FIELD,
        *entries,
        zones={"allied": ["0101", "0102", "0103", "0201", "0202", "0203"], "german": ["0501", "0601"]},
        sections={"setup": Setup(order, in_sight, open)},
    )


def place(t: Table, name: str, label: str, facing: int = 0) -> PlaceUnit:
    return PlaceUnit(named(t, name), t.hex(label), facing)


def give(t: Table, side: str, order: Order) -> Table:
    played = submit(PanzerLeader(), t.state, SideId(side), order)
    assert isinstance(played, Played), played
    t.state, t.events = played.state, played.events
    return t


@pytest.mark.rule("PL-1506")
def test_sides_set_up_in_the_order_of_the_scenario_and_then_the_battle_begins() -> None:
    t = opened(zoned(entry("g_rifle", id="g"), entry("a_rifle", id="a"), in_sight=True))
    assert t.state.flow == (SetupFrame(GERMAN, (ALLIED,)),)
    ruleset = PanzerLeader()
    (decision,) = ruleset.decisions(t.state)
    assert (decision.side, decision.kind, decision.rule) == (GERMAN, "setup", "PL-1506")
    give(t, GERMAN, place(t, "g", "0601", 5))
    assert t.happened(UnitPlaced) == [UnitPlaced(named(t, "g"), t.hex("0601"), 5)]
    give(t, GERMAN, EndPhase())
    assert t.state.flow == (SetupFrame(ALLIED),)
    give(t, ALLIED, place(t, "a", "0101"))
    give(t, ALLIED, EndPhase())
    assert isinstance(t.state.flow[0], StepFrame)
    assert t.position.step != "setup"


@pytest.mark.rule("PL-1506", "PL-1507")
@pytest.mark.parametrize(("open", "fog", "seen"), [(False, True, False), (True, True, True), (False, False, True)])
def test_in_the_fog_nobody_sees_the_enemy_while_he_sets_up_unless_the_scenario_says_so(
    open: bool, fog: bool, seen: bool
) -> None:
    entries = entry("g_rifle", id="g"), entry("g_rifle", "0602", id="post"), entry("a_rifle", id="a")
    t = opened(zoned(*entries, in_sight=True, open=open), {"fog": fog})
    give(t, GERMAN, place(t, "g", "0601"))
    give(t, GERMAN, EndPhase())
    ruleset, ours = PanzerLeader(), named(t, "a")
    for label in ("0101", "0102", "0201"):
        give(t, ALLIED, PlaceUnit(ours, t.hex(label)))
        known = ruleset.view(t.state, ALLIED).position
        assert [bool(known.units[named(t, name)].hex) for name in ("g", "post")] == [seen, seen], label
    give(t, ALLIED, EndPhase())
    known = ruleset.view(t.state, ALLIED).position
    assert [bool(known.units[named(t, name)].hex) for name in ("g", "post")] == [True, True]


@pytest.mark.rule("PL-1506", "PL-1507")
def test_in_the_fog_a_place_in_the_sight_of_an_enemy_nobody_sees_is_not_refused() -> None:
    t = opened(zoned(entry("g_rifle", "0501", id="g"), entry("a_rifle", id="a"), order=("allied",)), {"fog": True})
    give(t, ALLIED, place(t, "a", "0201"))
    assert t.position.units[named(t, "a")].hex == t.hex("0201")


@pytest.mark.rule("PL-1506")
def test_setup_does_not_end_while_a_unit_has_no_place() -> None:
    t = opened(
        zoned(entry("g_rifle", id="g"), entry("g_truck", "0501", id="t"), entry("g_pz4", id="rider", aboard="t"))
    )
    refusal = setup.check_end(t.position, GERMAN, EndPhase())
    assert refusal is not None
    assert refusal.rule == "PL-1506"
    assert refusal.reason == "Rifle platoon still has to be placed"
    assert setup.check_end(t.position, ALLIED, EndPhase()) is None
    t.set(step="direct fire")
    assert setup.check_end(t.position, GERMAN, EndPhase()) is None
    t.set(step="setup")
    give(t, GERMAN, place(t, "g", "0601"))
    assert setup.check_end(t.position, GERMAN, EndPhase()) is None


@pytest.mark.rule("PL-1506")
def test_a_side_places_its_own_waiting_units_inside_its_zone_and_may_place_them_again() -> None:
    t = opened(
        zoned(
            entry("g_rifle", id="g"),
            entry("g_rifle", "0401", id="fixed"),
            entry("g_truck", id="t"),
            entry("g_smg", id="rider", aboard="t"),
            entry("n_fort20", "0501", id="fort"),
            entry("g_50pak", id="gun", inside="fort"),
            entry("a_rifle", id="a"),
        )
    )
    reasons = {
        t.refusal(order, GERMAN).reason
        for order in (
            PlaceUnit(U(99), t.hex("0501")),
            PlaceUnit(U(-1), t.hex("0501")),
            place(t, "a", "0501"),
        )
    }
    assert reasons == {"there is no such unit of yours"}
    assert t.refusal(PlaceUnit(named(t, "g"), 0), GERMAN).reason == "that hex is off the board"
    assert t.refusal(place(t, "g", "0501", 6), GERMAN).reason == "a facing is a direction from 0 to 5"
    assert t.refusal(place(t, "rider", "0501"), GERMAN).reason == "it comes with its carrier"
    assert t.refusal(place(t, "g", "0101"), GERMAN).reason == "that hex is not in your setup zone"
    assert t.refusal(place(t, "fixed", "0501"), GERMAN).reason == "the scenario places this unit"
    stuck = "fortifications and their garrisons stand where the scenario puts them"
    assert t.refusal(place(t, "fort", "0601"), GERMAN).reason == stuck
    assert t.refusal(place(t, "gun", "0601"), GERMAN).reason == stuck
    t.play(place(t, "t", "0601"), side=GERMAN)
    assert {t.unit(named(t, name)).hex for name in ("t", "rider")} == {t.hex("0601")}
    t.play(place(t, "t", "0501"), side=GERMAN)
    assert {t.unit(named(t, name)).hex for name in ("t", "rider")} == {t.hex("0501")}


@pytest.mark.rule("PL-209", "PL-401")
def test_setup_keeps_to_terrain_and_stacking() -> None:
    entries = [entry("a_rifle", id=f"a{n}") for n in range(5)] + [entry("a_truck", id="t")]
    t = opened(zoned(*entries, order=("allied",)))
    assert t.refusal(place(t, "t", "0103")).rule == "PL-209"
    assert t.refusal(place(t, "a0", "0203")).rule == "PL-209"
    t.play(place(t, "a0", "0103"))
    for n in range(4):
        t.play(place(t, f"a{n}", "0101"))
    assert t.refusal(place(t, "a4", "0101")).rule == "PL-401"
    # standing there already, it needs no more room
    t.play(place(t, "a0", "0101", 2))


@pytest.mark.rule("PL-1506")
def test_the_side_that_sets_up_last_places_nobody_in_sight_of_the_enemy_unless_told_so() -> None:
    for in_sight in (False, True):
        t = opened(zoned(entry("g_rifle", "0401"), entry("a_rifle", id="a"), in_sight=in_sight, order=("allied",)))
        if in_sight:
            t.play(place(t, "a", "0101"))
        else:
            assert t.refusal(place(t, "a", "0101")).reason == "an enemy unit has that hex in sight"
    # the side that sets up first may
    t = opened(zoned(entry("a_rifle", id="a"), entry("a_rifle", "0301"), entry("g_rifle", id="g")))
    t.play(place(t, "g", "0501"), side=GERMAN)


@pytest.mark.rule("PL-1506")
def test_where_the_enemy_has_all_its_zone_in_sight_the_side_that_sets_up_last_places_its_units_all_the_same() -> None:
    men = [entry("a_rifle", id=f"a{n}") for n in range(5)]
    enemy, sections = entry("g_rifle", "0401"), {"setup": Setup(("allied",))}
    # nobody sees into the stream from afar, but tanks can't stand there
    t = opened(
        battle(".R..", *men, entry("a_m5", id="m"), enemy, zones={"allied": ["0101", "0201"]}, sections=sections)
    )
    assert t.refusal(place(t, "a4", "0101")).reason == "an enemy unit has that hex in sight"
    assert t.check(place(t, "m", "0101")) is None
    for n in range(4):
        t.play(place(t, f"a{n}", "0201"))
    assert t.check(place(t, "a4", "0101")) is None  # the stream is full
    assert t.refusal(place(t, "a0", "0101")).rule == "PL-1506"  # who is in it need not come out


@pytest.mark.rule("PL-1502", "PL-1506")
def test_when_a_side_has_set_up_the_ground_its_units_stand_on_is_its_own_and_no_other() -> None:
    b = battle(
        "TT..",
        entry("a_rifle", id="a"),
        entry("g_rifle", "0401"),
        zones={"allied": ["0101", "0201"]},
        sections={"setup": Setup(("allied",), True)},
    )
    t = opened(b)
    give(t, ALLIED, place(t, "a", "0201"))
    give(t, ALLIED, place(t, "a", "0101"))
    assert t.position.control == {}
    give(t, ALLIED, EndPhase())
    assert t.happened(ControlTaken) == [ControlTaken(t.hex("0101"), ALLIED)]
    assert t.position.control == {t.hex("0101"): ALLIED}


# --- reinforcements -------------------------------------------------------------------------------------------------


def reinforced(**options: bool) -> Table:
    b = battle(
        "...O\n...B",
        entry("a_rifle", "0101"),
        entry("a_truck", id="truck", turn=2, at=["0102", "0201", "0401"]),
        entry("a_rifle", id="rider", turn=2, at=["0102", "0201", "0401"], aboard="truck"),
        entry("a_rifle", id="foot", turn=2, at=["0102", "0201"]),
        entry("g_rifle", "0302"),
    )
    t = opened(b, options)
    t.set(turn=2, step="vehicle movement")
    t.state = type(t.state)(t.position, (StepFrame("vehicle movement"),), t.state.dice)
    return t


def test_a_reinforcement_comes_with_its_kind_from_its_turn_on_on_one_of_its_entry_hexes() -> None:
    t = reinforced()
    t.set(turn=1)
    assert t.refusal(place(t, "truck", "0102")).reason == "it arrives on turn 2"
    t.set(turn=2)
    assert t.refusal(place(t, "truck", "0101")).reason == "that is not one of its entry hexes"
    assert t.refusal(place(t, "foot", "0102")).rule == "PL-506"
    landing = t.refusal(place(t, "truck", "0401"))
    assert (landing.rule, landing.reason) == ("PL-1401", "landing units are placed at the end of the segment")
    on_table = next(unit.name for unit in t.position.units if unit.hex == t.hex("0101"))
    assert t.refusal(place(t, on_table, "0102")).reason == "this unit is no reinforcement"
    t.play(place(t, "truck", "0102"))
    rider = t.unit(named(t, "rider"))
    assert (rider.hex, rider.fate, rider.carrier) == (t.hex("0102"), IN_PLAY, named(t, "truck"))
    t.set(step="foot movement")
    t.play(place(t, "foot", "0102"))


@pytest.mark.rule("PL-401", "PL-605")
def test_a_reinforcement_waits_while_its_entry_hex_is_full_or_held_by_the_enemy() -> None:
    t = reinforced()
    enemy = next(unit.id for unit in t.position.units if unit.side == GERMAN)
    t.change(enemy, hex="0102")
    assert t.refusal(place(t, "truck", "0102")).rule == "PL-605"
    t.set(wrecks={"0201": 3}, blocks=("0201",))
    assert t.refusal(place(t, "truck", "0201")).rule == "PL-401"


@pytest.mark.rule("PL-209", "PL-631")
def test_a_vehicle_comes_in_on_no_swamp_or_stream_but_by_road_or_bridge() -> None:
    at = ["0101", "0201", "0301", "0401"]
    tank, men = entry("a_m5", id="tank", turn=1, at=at), entry("a_rifle", id="men", turn=1, at=at)
    t = opened(battle("MMRR.", tank, men, roads=[["0201", "0301"]], features={"bridge": ["0401"]}))
    t.set(step="vehicle movement")
    assert [t.refusal(place(t, "tank", label)).rule for label in ("0101", "0301")] == ["PL-209", "PL-209"]
    assert [t.check(place(t, "tank", label)) for label in ("0201", "0401")] == [None, None]
    t.set(bridges_down=["0401"])
    assert t.refusal(place(t, "tank", "0401")).rule == "PL-209"
    t.set(step="foot movement")
    assert [t.check(place(t, "men", label)) for label in at] == [None] * 4


@pytest.mark.rule("PL-605", "PL-1507")
def test_an_unseen_enemy_on_the_entry_hex_turns_the_reinforcement_back_for_the_segment() -> None:
    t = reinforced(fog=True)
    enemy = next(unit.id for unit in t.position.units if unit.side == GERMAN)
    order = place(t, "truck", "0201")
    assert t.check(order) is None  # as far as the side knows, the way is free
    t.change(enemy, hex="0201")
    t.run(setup.resolve_place, ALLIED, order)
    assert t.events == (MoveEnded(named(t, "truck"), "the way is barred (PL-605)"),)
    assert t.unit(named(t, "truck")).fate == RESERVE
    assert t.refusal(place(t, "truck", "0102")).reason == "its way in was barred in this segment"


@pytest.mark.rule("PL-601")
def test_who_is_on_the_move_has_finished_when_a_reinforcement_comes() -> None:
    b = battle("....", entry("a_m5", "0201", id="tank"), entry("a_m5", id="late", turn=1, at=["0101"]))
    t = opened(b)
    t.set(step="vehicle movement")
    t.play(MoveUnit(named(t, "tank"), t.hexes("0301")))
    t.play(place(t, "late", "0101"))
    assert t.refusal(MoveUnit(named(t, "tank"), t.hexes("0401"))).rule == "PL-601"
    assert t.check(MoveUnit(named(t, "late"), t.hexes("0201"))) is None


@pytest.mark.rule("PL-1301")
def test_a_reinforcement_that_comes_in_on_mines_stops_there() -> None:
    b = battle("...", entry("a_m5", id="tank", turn=1, at=["0101"]), entry("g_rifle", "0301"))
    t = opened(b)
    t.set(step="vehicle movement", mines=["0101"])
    t.play(place(t, "tank", "0101"))
    assert t.refusal(MoveUnit(named(t, "tank"), t.hexes("0201"))).rule == "PL-601"


@pytest.mark.rule("PL-1502")
def test_a_reinforcement_takes_the_ground_it_comes_in_on() -> None:
    b = battle("T..", entry("a_m5", id="tank", turn=1, at=["0101"]), entry("a_rifle", "0201"), entry("g_rifle", "0301"))
    t = opened(b)
    t.set(step="vehicle movement")
    t.play(place(t, "tank", "0101"))
    assert t.happened(ControlTaken) == [ControlTaken(t.hex("0101"), ALLIED)]


# --- options --------------------------------------------------------------------------------------------------------


def test_the_options_of_a_unit_are_the_hexes_where_it_can_be_placed() -> None:
    t = opened(zoned(entry("a_truck", id="t"), entry("a_rifle", id="r", aboard="t"), order=("allied",)))
    truck, rider = (t.unit(named(t, name)) for name in ("t", "r"))
    labels = {t.board.label(order.hex) for order in setup.placement_options(t.position, ALLIED, truck)}
    assert labels == {"0101", "0102", "0201", "0202"}
    assert list(setup.placement_options(t.position, ALLIED, rider)) == []
    assert list(setup.placement_options(t.position, GERMAN, truck)) == []


def test_the_options_of_a_reinforcement_are_its_open_entry_hexes() -> None:
    t = reinforced()
    truck = t.unit(named(t, "truck"))
    labels = [t.board.label(order.hex) for order in setup.placement_options(t.position, ALLIED, truck)]
    assert labels == ["0102", "0201"]
    on_table = next(unit for unit in t.position.units if unit.hex == t.hex("0101"))
    assert list(setup.placement_options(t.position, ALLIED, on_table)) == []


@pytest.mark.rule("PL-1401")
def test_in_the_landing_step_units_are_placed_at_sea() -> None:
    b = battle("O.\nB.", entry("a_rifle", id="wave", turn=1, at=["0101"]), entry("g_rifle", "0201"))
    t = opened(b)
    t.set(step="landing")
    wave = t.unit(named(t, "wave"))
    (order,) = setup.placement_options(t.position, ALLIED, wave)
    t.play(order)
    assert t.happened(UnitPlaced) == [UnitPlaced(wave.id, t.hex("0101"), facedown=True)]
    assert t.unit(wave.id).carrier == NOBODY
