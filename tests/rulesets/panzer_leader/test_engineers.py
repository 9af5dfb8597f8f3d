"""What engineers do: clearing mines and blocks, blowing bridges, blocking roads."""

import pytest

from sandtable.kernel.ids import NOBODY
from sandtable.rulesets.panzer_leader import engineers, works
from sandtable.rulesets.panzer_leader.events import (
    BlockPlaced,
    BlockRemoved,
    BridgeDestroyed,
    DieCast,
    MineLaid,
    MineLifted,
    UnitDestroyed,
    WorkAdvanced,
    WorkBegan,
    WorkEnded,
)
from sandtable.rulesets.panzer_leader.model import ALLIED, Mine, Mover, Work
from sandtable.rulesets.panzer_leader.orders import BeginWork, FinishWork
from tests.rulesets.panzer_leader.table import Counter, Table, table, unit

OPEN = """
. . . .
. . . .
"""

# The stream runs down the second column; the road crosses it in 0202 and goes on through woods.
BRIDGE = """
. R . .
. R W .
. R . .
"""


def tasks(t: Table, number: int) -> list[BeginWork | FinishWork]:
    return [
        *engineers.finish_options(t.position, ALLIED, t.unit(number)),
        *engineers.begin_options(t.position, ALLIED, t.unit(number)),
    ]


def mined(*units: Counter, **fields: object) -> Table:
    """An Allied engineer, unit 0, in 0101 beside mines in 0102."""
    return table(OPEN, unit("a_engineer", "0101"), *units, step="foot movement", **{"mines": ["0102"], **fields})


def bridged(label: str = "0202", *units: Counter, **fields: object) -> Table:
    """An Allied engineer, unit 0, on the bridge."""
    return table(
        BRIDGE,
        unit("a_engineer", label),
        *units,
        roads=[["0102", "0202", "0302", "0402"]],
        features={"bridge": ["0202"]},
        step="foot movement",
        **fields,
    )


def next_turn(t: Table) -> None:
    """The next own movement phase of the phasing side has begun; dispersal and moves of the last are over."""
    t.set(segment=t.position.segment + 2, mover=None)
    t.run(engineers.advance_works)


def step_to(t: Table, label: str, number: int = 0) -> None:
    """A unit has gone to another hex."""
    place = t.unit(number).hex
    t.change(number, hex=label)
    t.run(works.left, number, place)
    events = t.events
    t.run(works.entered, number, t.hex(label))
    t.events = events + t.events


@pytest.mark.rule("PL-1304")
def test_engineers_clear_a_mine_over_four_own_turns() -> None:
    t = mined()
    mines = t.hex("0102")
    t.play(BeginWork(0, "clear", mines))
    assert t.events == (WorkBegan(0, "clear", mines, 0, 1),)
    next_turn(t)
    assert t.events == (MineLaid(mines, 0), WorkAdvanced(0, engineers.FLIPPED, since=3))
    next_turn(t)
    assert t.events == (WorkAdvanced(0, engineers.SAFE, since=5),)
    step_to(t, "0102")
    assert t.events == ()
    next_turn(t)
    assert t.events == (MineLifted(mines), WorkEnded(0, "clear", True))
    assert not t.position.mines
    assert not t.position.works


@pytest.mark.rule("PL-1304")
def test_being_adjacent_is_the_first_turn_even_for_a_unit_that_moved_there() -> None:
    t = mined(mover=Mover(0, 0, hexes=1))
    t.play(BeginWork(0, "clear", t.hex("0102")))
    next_turn(t)
    assert t.position.mines[t.hex("0102")].flipped_by == 0


@pytest.mark.rule("PL-1304")
def test_nothing_advances_twice_in_a_segment_and_an_engineer_may_wait_before_it_steps_on() -> None:
    t = mined()
    t.play(BeginWork(0, "clear", t.hex("0102")))
    t.run(engineers.advance_works)
    assert t.events == ()
    next_turn(t)
    t.run(engineers.advance_works)
    assert t.events == ()
    next_turn(t)
    next_turn(t)
    assert t.events == ()
    assert t.position.works[0].stage == engineers.SAFE


@pytest.mark.rule("PL-1304")
def test_mines_do_not_attack_the_engineers_that_lift_them_but_all_others() -> None:
    t = mined(unit("a_rifle", "0102"))
    mines = t.hex("0102")
    t.change(0, hex=mines)
    t.set(works=(Work(0, "clear", mines, engineers.SAFE),), phasing="german")
    assert [victim.id for victim in works.mine_victims(t.position)] == [1]


@pytest.mark.rule("PL-1304")
def test_dispersal_pauses_the_clearing() -> None:
    t = mined()
    t.play(BeginWork(0, "clear", t.hex("0102")))
    t.change(0, dispersed=2)
    next_turn(t)
    assert t.events == ()
    t.change(0, dispersed=0)
    next_turn(t)
    assert t.position.works[0].stage == engineers.FLIPPED


@pytest.mark.rule("PL-1304")
def test_the_loss_of_the_engineer_restarts_the_clearing() -> None:
    t = mined(unit("a_engineer", "0201"))
    t.play(BeginWork(0, "clear", t.hex("0102")))
    next_turn(t)
    t.run(lambda resolution: resolution.emit(UnitDestroyed(0)))
    assert t.position.mines == {t.hex("0102"): Mine(t.hex("0102"))}
    assert t.position.works == ()
    t.play(BeginWork(1, "clear", t.hex("0102")))
    assert t.position.works[0].stage == engineers.BESIDE


@pytest.mark.rule("PL-1304")
def test_an_engineer_that_goes_away_gives_the_clearing_up() -> None:
    t = mined()
    t.play(BeginWork(0, "clear", t.hex("0102")))
    next_turn(t)
    step_to(t, "0201")
    step_to(t, "0301")
    next_turn(t)
    assert t.events == (MineLaid(t.hex("0102")), WorkEnded(0, "clear", False))
    assert t.position.mines[t.hex("0102")].flipped_by == NOBODY


@pytest.mark.rule("PL-1304")
def test_an_engineer_that_leaves_the_mines_again_or_steps_on_them_too_early_gives_the_clearing_up() -> None:
    t = mined(works=())
    mines = t.hex("0102")
    t.play(BeginWork(0, "clear", mines))
    next_turn(t)
    step_to(t, "0102")
    assert t.events == (MineLaid(mines), WorkEnded(0, "clear", False))
    t.set(works=(Work(0, "clear", mines, engineers.SAFE),))
    step_to(t, "0202")
    assert t.events == (WorkEnded(0, "clear", False),)


@pytest.mark.rule("PL-1304")
def test_clearing_ends_when_the_engineer_mounts_or_nothing_is_left_to_clear() -> None:
    for gone in ({"carrier": 1}, {}):
        t = mined(unit("a_truck", "0101"))
        t.play(BeginWork(0, "clear", t.hex("0102")))
        t.change(0, **gone)
        if not gone:
            t.set(mines={})
        next_turn(t)
        assert t.happened(WorkEnded) == [WorkEnded(0, "clear", False)]


@pytest.mark.rule("PL-1311")
def test_a_block_is_removed_by_engineers_in_the_way_of_mines() -> None:
    t = mined(mines={}, blocks=["0102"])
    block = t.hex("0102")
    t.play(BeginWork(0, "clear", block))
    next_turn(t)
    assert t.events == (WorkAdvanced(0, engineers.FLIPPED, since=3),)
    next_turn(t)
    step_to(t, "0102")
    next_turn(t)
    assert t.events == (BlockRemoved(block), WorkEnded(0, "clear", True))
    assert t.position.blocks == ()


@pytest.mark.rule("PL-1304", "PL-1311")
def test_what_engineers_can_not_clear() -> None:
    t = mined(unit("a_rifle", "0101"), unit("a_engineer", "0401"), unit("a_engineer", "0201"), blocks=["0202"])
    mines = t.hex("0102")
    assert t.refusal(BeginWork(1, "clear", mines)).rule == "PL-1304"
    assert t.refusal(BeginWork(77, "clear", mines)).rule == "PL-1304"
    assert t.refusal(BeginWork(2, "clear", mines)).rule == "PL-1304"
    assert t.refusal(BeginWork(2, "clear", t.hex("0202"))).rule == "PL-1311"
    assert t.refusal(BeginWork(0, "clear", t.hex("0201"))).rule == "PL-1304"
    assert t.refusal(BeginWork(0, "clear", 9999)).rule == "PL-1304"
    assert t.refusal(BeginWork(0, "dig", mines)).rule == "PL-1304"
    t.play(BeginWork(0, "clear", mines))
    assert t.refusal(BeginWork(0, "clear", mines)).reason == "the unit is at it already"
    assert t.refusal(BeginWork(3, "clear", mines)).reason == "another unit of yours is clearing that hex"
    t.play(BeginWork(3, "clear", t.hex("0202")))


@pytest.mark.rule("PL-1304")
@pytest.mark.parametrize(
    ("changes", "step", "rule"),
    [
        ({"dispersed": 1}, "foot movement", "PL-1304"),
        ({"carrier": 1}, "foot movement", "PL-1304"),
        ({}, "vehicle movement", "PL-507"),
    ],
)
def test_an_engineer_works_undispersed_on_foot_and_when_foot_units_move(
    changes: dict[str, int], step: str, rule: str
) -> None:
    t = mined(unit("a_truck", "0101"))
    t.change(0, **changes)
    t.set(step=step)
    assert t.refusal(BeginWork(0, "clear", t.hex("0102"))).rule == rule
    assert t.refusal(FinishWork(0)).rule == rule


@pytest.mark.rule("PL-1304")
def test_an_engineer_takes_up_one_task_a_segment_and_gives_up_the_old_one_for_a_new() -> None:
    t = mined(blocks=["0201"])
    mines, block = t.hex("0102"), t.hex("0201")
    t.play(BeginWork(0, "clear", mines))
    assert t.refusal(BeginWork(0, "clear", block)).reason == "the unit has taken up a task in this segment"
    next_turn(t)
    t.play(BeginWork(0, "clear", block))
    assert t.events == (MineLaid(mines), WorkBegan(0, "clear", block, 0, 3))
    next_turn(t)
    t.play(BeginWork(0, "clear", mines))
    assert t.events == (WorkBegan(0, "clear", mines, 0, 5),)


def charged(t: Table, task: str, phases: int) -> None:
    """The engineer has begun the task where it stands and spent the phases on it."""
    t.play(BeginWork(0, task, t.unit(0).hex))
    for _ in range(phases):
        next_turn(t)


@pytest.mark.rule("PL-1331")
@pytest.mark.parametrize(("die", "falls"), [(1, True), (5, True), (6, False)])
def test_a_bridge_falls_on_1_to_5_after_three_full_movement_phases_and_a_step_off(die: int, falls: bool) -> None:
    t = bridged()
    bridge = t.hex("0202")
    charged(t, "demolish", 3)
    assert t.refusal(FinishWork(0)).reason == "the unit must step off to an adjacent hex first"
    step_to(t, "0302")
    assert t.events == ()
    played = t.play(FinishWork(0), dice=[die])
    assert [(draw.rule, draw.actor) for draw in played.draws] == [("PL-1331", 0)]
    cast = DieCast("demolish", die, falls, "PL-1331", 0, bridge)
    if falls:
        ended = WorkEnded(0, "demolish", True, die)
        assert t.events == (cast, BridgeDestroyed(bridge), BlockPlaced(bridge), ended)
        assert t.position.bridges_down == (bridge,)
        assert t.position.blocks == (bridge,)
        assert t.position.block_builders == ()
    else:
        assert t.events == (cast, WorkAdvanced(0, engineers.IDLE, 1))
        assert t.position.bridges_down == ()


@pytest.mark.rule("PL-1331")
@pytest.mark.parametrize(("phases", "best"), [(1, 2), (2, 4), (3, 5), (4, 5)])
def test_after_a_failure_fewer_phases_are_enough_at_worse_chances(phases: int, best: int) -> None:
    for die, falls in ((best, True), (best + 1, False)):
        t = bridged()
        t.set(works=(Work(0, "demolish", t.hex("0202"), engineers.IDLE, 1),))
        charged(t, "demolish", phases)
        step_to(t, "0302")
        t.play(FinishWork(0), dice=[die])
        assert (t.position.bridges_down != ()) is falls
        if not falls:
            assert t.position.works == (Work(0, "demolish", t.hex("0202"), engineers.IDLE, 2),)


@pytest.mark.rule("PL-1331")
def test_the_first_attempt_needs_three_phases_and_the_one_in_which_it_came_does_not_count() -> None:
    t = bridged(mover=Mover(0, 0, hexes=1))
    charged(t, "demolish", 3)
    assert t.refusal(FinishWork(0)).reason == "the unit must stay 3 full movement phases"
    next_turn(t)
    step_to(t, "0302")
    assert t.check(FinishWork(0)) is None


@pytest.mark.rule("PL-1331")
def test_a_phase_spent_dispersed_does_not_count() -> None:
    t = bridged()
    charged(t, "demolish", 1)
    t.run(engineers.advance_works)
    assert t.events == ()
    t.change(0, dispersed=4)
    next_turn(t)
    assert t.events == (WorkAdvanced(0, 2, since=6),)
    t.change(0, dispersed=0)
    next_turn(t)
    assert t.events == ()
    next_turn(t)
    assert t.events == (WorkAdvanced(0, 3, since=9),)
    next_turn(t)
    assert t.events == ()


@pytest.mark.rule("PL-1331")
def test_stepping_off_too_early_loses_the_phases_but_not_the_memory_of_a_failure() -> None:
    t = bridged()
    charged(t, "demolish", 2)
    step_to(t, "0302")
    assert t.events == (WorkEnded(0, "demolish", False),)
    t = bridged()
    t.set(works=(Work(0, "demolish", t.hex("0202"), engineers.IDLE, 1),))
    t.play(BeginWork(0, "demolish", t.hex("0202")))
    step_to(t, "0302")
    assert t.events == (WorkAdvanced(0, engineers.IDLE, 1),)
    step_to(t, "0202")
    step_to(t, "0302")
    next_turn(t)
    assert t.events == ()


@pytest.mark.rule("PL-1331")
def test_a_charge_that_was_not_tried_on_stepping_off_is_lost_with_the_next_movement() -> None:
    t = bridged()
    charged(t, "demolish", 3)
    step_to(t, "0302")
    next_turn(t)
    assert t.events == (WorkEnded(0, "demolish", False),)


@pytest.mark.rule("PL-1331")
def test_only_a_standing_bridge_under_the_engineer_s_feet_can_be_charged() -> None:
    t = bridged("0302")
    assert t.refusal(BeginWork(0, "demolish", t.hex("0202"))).rule == "PL-1331"
    t = bridged(bridges_down=["0202"])
    assert t.refusal(BeginWork(0, "demolish", t.hex("0202"))).rule == "PL-1331"
    t = bridged("0201", unit("n_tbridge", "0201", side="allied"))
    assert t.refusal(BeginWork(0, "demolish", t.hex("0201"))).rule == "PL-1331"


@pytest.mark.rule("PL-1331")
def test_a_bridge_is_not_blown_under_units_nor_twice_and_no_charge_is_tried_that_is_not_there() -> None:
    t = bridged("0202", unit("a_rifle", "0202"))
    assert t.refusal(FinishWork(0)).reason == "the unit has no charge to try"
    charged(t, "demolish", 3)
    step_to(t, "0302")
    assert t.refusal(FinishWork(0)).reason == "units stand on the bridge"
    t.change(1, hex="0102")
    t.set(bridges_down=["0202"])
    assert t.refusal(FinishWork(0)).reason == "the bridge is down"


@pytest.mark.rule("PL-1332")
@pytest.mark.parametrize(("label", "beside", "phases"), [("0302", "0402", 2), ("0402", "0302", 4)])
def test_a_road_block_takes_two_turns_in_woods_and_four_elsewhere_and_succeeds_on_1_to_5(
    label: str, beside: str, phases: int
) -> None:
    t = bridged(label)
    charged(t, "block", phases - 1)
    assert t.refusal(FinishWork(0)).rule == "PL-1332"
    next_turn(t)
    step_to(t, beside)
    t.play(FinishWork(0), dice=[5])
    assert t.happened(BlockPlaced) == [BlockPlaced(t.hex(label), 0)]
    assert t.happened(WorkEnded) == [WorkEnded(0, "block", True, 5)]


@pytest.mark.rule("PL-1332")
def test_after_a_failure_each_further_try_takes_one_turn() -> None:
    t = bridged("0402")
    charged(t, "block", 4)
    step_to(t, "0302")
    t.play(FinishWork(0), dice=[6])
    assert t.position.blocks == ()
    step_to(t, "0402")
    t.set(segment=t.position.segment + 2)
    charged(t, "block", 1)
    step_to(t, "0302")
    t.play(FinishWork(0), dice=[5])
    assert t.position.blocks == (t.hex("0402"),)


@pytest.mark.rule("PL-1332")
def test_an_engineer_builds_one_road_block_in_a_game() -> None:
    t = bridged("0402", block_builders=(0,))
    assert t.refusal(BeginWork(0, "block", t.hex("0402"))).rule == "PL-1332"


@pytest.mark.rule("PL-1332", "PL-1302")
def test_a_block_is_built_on_the_engineer_s_own_road_hex_without_mines_block_or_fort() -> None:
    t = bridged("0402")
    assert t.refusal(BeginWork(0, "block", t.hex("0302"))).rule == "PL-1332"
    t = bridged("0401")
    assert t.refusal(BeginWork(0, "block", t.hex("0401"))).rule == "PL-1332"
    for there in ({"mines": ["0402"]}, {"blocks": ["0402"]}):
        t = bridged("0402", **there)
        assert t.refusal(BeginWork(0, "block", t.hex("0402"))).rule == "PL-1302"
    t = bridged("0402", unit("n_fort20", "0402", side="allied"))
    assert t.refusal(BeginWork(0, "block", t.hex("0402"))).rule == "PL-1302"


@pytest.mark.rule("PL-402")
def test_a_block_needs_room_in_the_stack() -> None:
    t = bridged("0302", wrecks={"0302": 3})
    charged(t, "block", 2)
    t.set(wrecks={"0302": 4})
    step_to(t, "0402")
    assert t.refusal(FinishWork(0)).rule == "PL-402"
    t.set(wrecks={})
    assert t.check(FinishWork(0)) is None


def test_tasks_of_the_other_side_and_of_vehicles_wait() -> None:
    t = mined(unit("g_engineer", "0202"), unit("b_flail", "0102"))
    mines = t.hex("0102")
    t.set(works=(Work(1, "clear", mines), Work(2, "flail", mines)))
    next_turn(t)
    assert t.events == ()


def test_the_options_are_the_lawful_orders() -> None:
    t = mined(unit("a_rifle", "0101"), unit("a_engineer"))
    begin = BeginWork(0, "clear", t.hex("0102"))
    assert [tasks(t, one.id) for one in t.position.units] == [[begin], [], []]
    t = bridged()
    bridge = t.hex("0202")
    assert tasks(t, 0) == [
        BeginWork(0, "demolish", bridge),
        BeginWork(0, "block", bridge),
    ]
    charged(t, "demolish", 3)
    step_to(t, "0302")
    assert tasks(t, 0) == [
        FinishWork(0),
        BeginWork(0, "block", t.hex("0302")),
    ]
