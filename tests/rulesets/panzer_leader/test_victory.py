"""Who holds what, what it is worth, and who has won."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.content import Objective
from sandtable.kernel.ids import RuleId
from sandtable.kernel.state import Outcome
from sandtable.kernel.trace import Line
from sandtable.rulesets.panzer_leader import victory
from sandtable.rulesets.panzer_leader.events import BattleEnded, ControlTaken, NavalRefilled
from sandtable.rulesets.panzer_leader.model import ALLIED, DESTROYED, EXITED, GERMAN, RESERVE, UNSEEN, Position
from sandtable.rulesets.panzer_leader.orders import LeaveMap, MoveUnit
from sandtable.rulesets.panzer_leader.scenario import Condition, Exit, Naval, Otherwise, Victory
from tests.rulesets.panzer_leader.table import Table, U, table, unit

RIVER = """
    . . T .
    . R . .
    . . . .
"""


def lost(*kinds: str) -> list[Any]:
    return [unit(kind, fate=DESTROYED) for kind in kinds]


def gone(*kinds: str) -> list[Any]:
    return [unit(kind, fate=EXITED) for kind in kinds]


def judged(*units: Any, terms: Victory | None = None, rows: str = RIVER, **fields: Any) -> Outcome:
    about = {"features": {"bridge": ["0202"]}, "roads": [["0102", "0202", "0302"]]}
    armies = [unit("a_rifle", "0401"), unit("g_rifle", "0403")] if fields.pop("armies", True) else []
    t = table(rows, *units, *armies, **{**about, **fields}, sections={"victory": terms or Victory()})
    return victory.judged(t.position)


def objective(title: str, label: str, points: int | None = None) -> Objective:
    board = table(RIVER).board
    return Objective(title, (board.parse(label),), points)


@pytest.mark.rule("PL-1501", "PL-1503")
def test_a_side_left_with_trucks_only_has_lost_outright() -> None:
    """Also after a single loss, whatever the points and the conditions say; but who has left the map is not beaten."""
    trucks, army = unit("g_truck", "0101"), unit("a_rifle", "0402")
    beaten = Outcome(ALLIED, "decisive", ("nothing of the German side is left to fight",))
    assert judged(*lost("g_rifle"), trucks, army, armies=False) == beaten
    held = Victory(conditions=(Condition("german", "tactical", hold=("0301",)),))
    assert judged(*lost("g_rifle"), trucks, army, armies=False, terms=held, control={"0301": GERMAN}) == beaten
    assert judged(*lost("g_rifle"), *gone("g_rifle"), army, armies=False).level == "marginal"
    assert judged(*lost("g_rifle", "a_rifle"), trucks, armies=False) == Outcome(None, "draw", ("1 to 1 points",))
    assert judged(trucks, army, armies=False) == Outcome(None, "draw", ("0 to 0 points",))


# --- control --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PL-1502")
def test_a_town_hex_belongs_to_the_side_that_last_had_a_unit_in_it() -> None:
    t = table(".T.", unit("a_m5", "0101"), unit("g_rifle", "0301"), step="vehicle movement", control={"0201": GERMAN})
    t.play(MoveUnit(U(0), t.hexes("0201")))
    assert t.happened(ControlTaken) == [ControlTaken(t.hex("0201"), ALLIED)]
    t.play(MoveUnit(U(0), t.hexes("0101")))
    assert t.happened(ControlTaken) == []
    assert victory.holds(t.position, ALLIED, t.hex("0201"))
    assert not victory.holds(t.position, GERMAN, t.hex("0201"))


STREAM = """
    . R . .
    . R . .
    . R . .
"""


@pytest.mark.rule("PL-1502")
@pytest.mark.parametrize(
    "roads", [[], [["0102", "0202", "0302"]], [["0102", "0202", "0303"], ["0202", "0302"]]], ids=len
)
def test_a_bridge_hex_also_needs_an_adjacent_hex_on_each_bank_wherever_roads_lead(roads: list[list[str]]) -> None:
    t = table(STREAM, features={"bridge": ["0202"]}, roads=roads, control={"0202": ALLIED})
    bridge = t.hex("0202")
    assert {frozenset(bank) for bank in victory.banks(t.position, bridge)} == {
        frozenset(t.hexes("0102", "0103")),
        frozenset(t.hexes("0302", "0303")),
    }
    assert not victory.holds(t.position, ALLIED, bridge)
    for east, west, held in (("0302", "0103", True), ("0303", "0102", True), ("0302", "0303", False)):
        t.set(control={"0202": ALLIED, east: ALLIED, west: ALLIED})
        assert victory.holds(t.position, ALLIED, bridge) == held
    t.set(control={"0202": ALLIED, "0102": ALLIED, "0302": GERMAN})
    assert not victory.holds(t.position, ALLIED, bridge)


@pytest.mark.rule("PL-1502")
@pytest.mark.parametrize(
    ("rows", "bridge", "banks"),
    [
        ("R.\nR.\nR.", "0102", [["0201", "0202"]]),
        ("...\n.R.\n.R.", "0203", [["0103"], ["0303"]]),
        ("R.\n..", "0101", [["0102", "0201"]]),
        ("...\n.R.\n...", "0202", [["0102", "0103", "0201", "0203", "0302", "0303"]]),
    ],
)
def test_a_bridge_without_two_banks_on_the_map_needs_those_it_has(
    rows: str, bridge: str, banks: list[list[str]]
) -> None:
    t = table(rows, features={"bridge": [bridge]})
    found = victory.banks(t.position, t.hex(bridge))
    assert sorted(sorted(map(t.board.label, bank)) for bank in found) == banks


@pytest.mark.rule("PL-1502")
def test_the_owner_is_remembered_of_towns_bridges_with_their_banks_objectives_and_hexes_to_hold() -> None:
    terms = Victory(conditions=(Condition("allied", "marginal", hold=("0401",)),))
    t = table(
        RIVER,
        features={"bridge": ["0202"], "other": ["0101"]},
        roads=[["0102", "0202", "0302"]],
        objectives=(objective("Hill", "0403"),),
        sections={"victory": terms},
    )
    labels = {t.board.label(place) for place in victory.contested(t.position)}
    banks = {"0102", "0103", "0201", "0203", "0302", "0303"}
    assert labels == {"0301", "0202", "0403", "0401"} | banks


@pytest.mark.rule("PL-907", "PL-1502")
def test_dispersed_units_count_for_control() -> None:
    t = table("T", unit("a_rifle", "0101", dispersed=1))
    t.run(victory.take_control, t.hex("0101"), ALLIED)
    assert t.happened(ControlTaken) == [ControlTaken(t.hex("0101"), ALLIED)]


@pytest.mark.rule("PL-1503")
@pytest.mark.parametrize("kind", ["a_truck", "g_wagon", "n_fort30", "n_tbridge"])
def test_trucks_wagons_forts_and_temporary_bridges_neither_control_nor_count_as_losses(kind: str) -> None:
    t = table("T.", unit(kind, "0101", side=GERMAN), unit(kind, side=GERMAN, fate=DESTROYED))
    t.run(victory.take_control, t.hex("0101"), GERMAN)
    assert t.events == ()
    assert victory.losses(t.position, GERMAN) == 0
    assert not victory.counts(t.unit(0))


def test_ground_that_does_not_matter_belongs_to_nobody_and_is_not_taken_twice() -> None:
    t = table(".T", unit("a_rifle", "0101"), unit("a_rifle", "0201"), control={"0201": ALLIED})
    t.run(victory.take_control, t.hex("0101"), ALLIED)
    assert t.events == ()
    t.run(victory.take_control, t.hex("0201"), ALLIED)
    assert t.events == ()


# --- points ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PL-1505")
def test_by_default_each_destroyed_counting_unit_is_1_point_and_each_objective_hex_5() -> None:
    t = table(
        RIVER,
        *lost("g_rifle", "g_pz4", "g_truck", "a_rifle"),
        objectives=(objective("Village", "0301"), objective("Hill", "0101", 2)),
        control={"0301": ALLIED, "0101": GERMAN},
    )
    ours, theirs = (victory.score(t.position, side) for side in (ALLIED, GERMAN))
    assert ours.total == 7
    assert ours.lines == (Line("Enemy units destroyed", 2, RuleId("PL-1505")), Line("Village", 5, RuleId("PL-1505")))
    assert theirs.total == 3
    assert theirs.lines == (Line("Enemy units destroyed", 1, RuleId("PL-1505")), Line("Hill", 2, RuleId("PL-1505")))


@pytest.mark.rule("PL-1501", "PL-1505")
def test_a_scenario_may_set_points_for_forts_exits_and_a_handicap() -> None:
    terms = Victory(
        loss_points=2, fort_points=4, handicap={"german": 3}, exits=(Exit("german", ("0401", "0402"), points=6),)
    )
    left = [unit(kind, fate=EXITED, worth=6) for kind in ("g_rifle", "g_truck")]
    units = [*lost("n_fort20", "g_rifle"), *left]
    t = table(RIVER, *units, sections={"victory": terms})
    assert victory.score(t.position, ALLIED).lines == (
        Line("Enemy units destroyed", 2, RuleId("PL-1505")),
        Line("Fortifications destroyed", 4, RuleId("PL-1505")),
    )
    assert victory.score(t.position, GERMAN).lines == (
        Line("Units exited", 6, RuleId("PL-1501")),
        Line("Set by the scenario", 3, RuleId("PL-1501")),
    )


@pytest.mark.rule("PL-1505")
@pytest.mark.parametrize(
    ("margin", "level"),
    [
        (0, "draw"),
        (1, "marginal"),
        (4, "marginal"),
        (5, "tactical"),
        (9, "tactical"),
        (10, "decisive"),
        (14, "decisive"),
    ],
)
def test_a_margin_of_1_to_4_is_marginal_5_to_9_tactical_and_10_or_more_decisive(margin: int, level: str) -> None:
    assert judged(*lost(*["g_rifle"] * margin)) == Outcome(
        ALLIED if margin else None, level, (f"{margin} to 0 points",)
    )
    assert judged(*lost(*["a_rifle"] * margin)) == Outcome(
        GERMAN if margin else None, level, (f"0 to {margin} points",)
    )


@pytest.mark.rule("PL-1504")
def test_a_unit_leaving_the_map_where_not_allowed_counts_as_destroyed() -> None:
    terms = Victory(exits=(Exit("allied", ("0101",), points=2),))
    t = table(
        "...\n...",
        unit("a_m5", "0101"),
        unit("a_m5", "0301"),
        unit("g_rifle", "0202"),
        step="vehicle movement",
        sections={"victory": terms},
    )
    assert victory.exit_of(t.position, ALLIED, t.hex("0101")) == 2
    assert victory.exit_of(t.position, ALLIED, t.hex("0301")) is None
    assert victory.exit_of(t.position, GERMAN, t.hex("0101")) is None
    t.play(LeaveMap(U(0)))
    t.play(LeaveMap(U(1)))
    assert (victory.exited(t.position, ALLIED), victory.losses(t.position, ALLIED)) == (1, 1)
    assert (victory.score(t.position, ALLIED).total, victory.score(t.position, GERMAN).total) == (2, 1)


@pytest.mark.rule("PL-1501", "PL-1503")
def test_each_unit_that_exits_scores_what_its_way_out_is_worth() -> None:
    ways = (Exit("allied", ("0101",), points=3), Exit("allied", ("0301",)))
    units = unit("a_truck", "0101"), unit("a_rifle", carrier=0), unit("a_m5", "0301"), unit("g_rifle", "0202")
    t = table("...\n...", *units, step="vehicle movement", sections={"victory": Victory(exits=ways)})
    t.play(LeaveMap(U(0)))
    assert victory.score(t.position, ALLIED).total == 3  # the passenger's alone
    t.play(LeaveMap(U(2)))
    assert victory.score(t.position, ALLIED).lines == (Line("Units exited", 4, RuleId("PL-1501")),)


# --- conditions -----------------------------------------------------------------------------------------------------

HOLD = Condition("allied", "tactical", "The village is taken", hold=("0301", "0101"))


@pytest.mark.rule("PL-1501")
@pytest.mark.parametrize(
    ("condition", "units", "control", "met"),
    [
        (HOLD, [], {"0301": ALLIED, "0101": ALLIED}, True),
        (HOLD, [], {"0301": ALLIED}, False),
        (Condition("allied", "tactical", hold=("0301", "0101"), count=1), [], {"0301": ALLIED}, True),
        (Condition("allied", "tactical", hold=("0301", "0101"), count=1), [], {"0301": GERMAN}, False),
        (Condition("allied", "tactical", destroy=2), lost("g_rifle", "g_smg"), {}, True),
        (Condition("allied", "tactical", destroy=2), lost("g_rifle", "g_truck"), {}, False),
        (Condition("german", "tactical", exit=1), gone("g_stug"), {}, True),
        (Condition("german", "tactical", exit=1), gone("g_truck"), {}, False),
        (Condition("german", "tactical", occupy=("0101", "0102"), units=2), [unit("g_rifle", "0101")] * 2, {}, True),
        (Condition("german", "tactical", occupy=("0101", "0102"), units=2), [unit("g_rifle", "0101")], {}, False),
        (Condition("german", "tactical", occupy=("0101",)), [unit("g_truck", "0101")], {}, False),
        (Condition("allied", "tactical", hold=("0301",), destroy=1), lost("g_rifle"), {}, False),
        (Condition("allied", "tactical", hold=("0301",), destroy=1), lost("g_rifle"), {"0301": ALLIED}, True),
    ],
)
def test_conditions_ask_for_hexes_controlled_units_destroyed_units_exited_or_on_a_map_part(
    condition: Condition, units: list[Any], control: dict[str, Any], met: bool
) -> None:
    t = table(RIVER, *units, control=control, sections={"victory": Victory(conditions=(condition,))})
    assert victory.is_met(t.position, condition) is met


@pytest.mark.rule("PL-1501")
def test_the_best_condition_that_is_met_decides_and_equal_ones_of_both_sides_are_a_draw() -> None:
    low = Condition("allied", "marginal", "One is taken", hold=("0301", "0101"), count=1)
    foe = Condition("german", "tactical", destroy=1)
    terms = Victory(conditions=(low, HOLD, foe), otherwise=Otherwise("german", "decisive"))
    both = {"0301": ALLIED, "0101": ALLIED}
    assert judged(terms=terms, control=both) == Outcome(ALLIED, "tactical", ("The village is taken",))
    assert judged(terms=terms, control={"0301": ALLIED}) == Outcome(ALLIED, "marginal", ("One is taken",))
    assert judged(*lost("a_rifle"), terms=terms, control={"0301": ALLIED}) == Outcome(
        GERMAN, "tactical", ("condition met",)
    )
    assert judged(*lost("a_rifle"), terms=terms, control=both) == Outcome(
        None, "draw", ("both sides met their conditions",)
    )
    assert judged(terms=terms) == Outcome(GERMAN, "decisive", ("no condition was met",))


@pytest.mark.rule("PL-1501", "PL-1505")
def test_when_no_condition_is_met_and_the_scenario_is_silent_points_decide() -> None:
    assert judged(*lost("g_rifle"), terms=Victory(conditions=(HOLD,))) == Outcome(
        ALLIED, "marginal", ("1 to 0 points",)
    )


# --- the end --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "decided"),
    [
        ({}, False),
        ({"hex": 0, "fate": RESERVE}, False),
        ({"hex": 0, "fate": UNSEEN}, False),
        ({"hex": 0, "fate": DESTROYED}, True),
    ],
)
def test_the_battle_is_decided_when_a_side_has_nothing_left_that_could_fight_on(
    fields: dict[str, Any], decided: bool
) -> None:
    t = table("...", unit("a_rifle", "0101"), unit("g_rifle", "0201"), unit("g_truck", "0301"))
    t.change(1, **fields)
    assert victory.is_decided(t.position) is decided


def test_when_the_battle_ends_its_points_are_written_down_and_there_is_an_outcome() -> None:
    t = table("..", unit("a_rifle", "0101"), unit("g_rifle", "0201"), *lost("g_rifle"))
    assert victory.outcome(t.position) is None
    t.run(victory.end_battle)
    assert t.events == (BattleEnded({ALLIED: 1, GERMAN: 0}),)
    assert t.position.scores == {ALLIED: 1, GERMAN: 0}
    assert victory.outcome(t.position) == Outcome(ALLIED, "marginal", ("1 to 0 points",))


@pytest.mark.rule("PL-1121")
def test_each_turn_gives_naval_points_anew_when_naval_fire_is_played() -> None:
    def refills(phasing: str, **options: bool) -> list[NavalRefilled]:
        naval = Naval({"allied": 40})
        t: Table = table("..", options=options, phasing=phasing, sections={"naval": naval})
        t.run(victory.begin_segment)
        position: Position = t.position
        assert position.naval == ({ALLIED: 40} if t.events else {})
        return t.happened(NavalRefilled)

    assert refills(ALLIED, naval_fire=True) == [NavalRefilled({ALLIED: 40})]
    assert refills(GERMAN, naval_fire=True) == []
    assert refills(ALLIED) == []
