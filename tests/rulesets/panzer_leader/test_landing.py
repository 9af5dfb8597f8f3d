"""Landings from the sea: placing units off the beach, the swim of DD tanks, coming ashore."""

from collections.abc import Mapping
from typing import Any

import msgspec
import pytest

from sandtable.content import Reinforcement, ScenarioUnit
from sandtable.rulesets.panzer_leader import combat, landing, works
from sandtable.rulesets.panzer_leader.events import (
    DieCast,
    StepBegan,
    UnitDestroyed,
    UnitDispersed,
    UnitLanded,
    UnitPlaced,
    UnitRevealed,
)
from sandtable.rulesets.panzer_leader.ground import Ground
from sandtable.rulesets.panzer_leader.model import ALLIED, GERMAN
from sandtable.rulesets.panzer_leader.orders import MoveUnit, PlaceUnit
from sandtable.rulesets.panzer_leader.scenario import Landing, UnitDetails
from sandtable.rulesets.panzer_leader.sequels import warn_of_move
from sandtable.rulesets.panzer_leader.setup import placing_refusal
from tests.rulesets.panzer_leader.table import Counter, Table, U, table, unit

# Open sea to the west, then the sea off the beach, the beach, and land behind it.
COAST = """
O O B .
O O B .
O O B .
"""


def coast(*units: Counter, arrivals: Mapping[str, Reinforcement] | None = None, **fields: Any) -> Table:
    """The coast, with the arrivals of units by name; sea hexes of an arrival are given as labels."""
    t = table(COAST, *units, **{"step": "landing", **fields})
    entries = tuple(
        ScenarioUnit(name, "a_rifle", "allied", UnitDetails(), 1, arrival=arrival)
        for name, arrival in (arrivals or {}).items()
    )
    scenario = msgspec.structs.replace(t.position.ground.scenario, units=entries)
    t.set(ground=Ground(scenario, t.position.ground.options))
    return t


def off(t: Table, *labels: str, turn: int = 1) -> Reinforcement:
    return Reinforcement(turn, t.hexes(*labels))


def waiting(turn: int = 1, *labels: str) -> Table:
    """An Allied rifle, unit 0, and a loaded truck, units 1 and 2, that wait to land; unit 3 is any reinforcement."""
    plain = table(COAST)
    return coast(
        unit("a_rifle", name="first"),
        unit("a_truck", name="second"),
        unit("a_rifle", carrier=1, name="third", fate="reserve"),
        unit("a_rifle", name="by land"),
        unit("g_rifle", name="enemy"),
        arrivals={
            "first": off(plain, *(labels or ("0101", "0201", "0202")), turn=turn),
            "second": off(plain, "0201", turn=turn),
            "third": off(plain, "0201", turn=turn),
            "by land": off(plain, "0401"),
        },
    )


@pytest.mark.rule("PL-1401")
def test_landing_units_are_placed_face_down_one_to_a_sea_hex_next_to_a_beach() -> None:
    t = waiting()
    assert landing.may_place(t.position)
    t.play(PlaceUnit(U(0), t.hex("0201")))
    assert t.events == (UnitPlaced(U(0), t.hex("0201"), facedown=True),)
    assert t.unit(0).facedown
    assert not t.unit(0).dispersed
    assert t.refusal(PlaceUnit(U(1), t.hex("0201"))).reason == "a sea hex holds one unit"
    assert not landing.may_place(t.position)


@pytest.mark.rule("PL-1401")
def test_a_carrier_is_placed_with_its_passenger() -> None:
    t = waiting()
    t.play(PlaceUnit(U(1), t.hex("0201")))
    assert t.unit(2).hex == t.hex("0201")


@pytest.mark.rule("PL-1401")
def test_a_landing_unit_is_not_placed_early_elsewhere_or_by_the_enemy() -> None:
    t = waiting()
    check = landing.check_landing_place
    for order, side in (
        (PlaceUnit(U(0), t.hex("0101")), ALLIED),
        (PlaceUnit(U(0), t.hex("0203")), ALLIED),
        (PlaceUnit(U(2), t.hex("0201")), ALLIED),
        (PlaceUnit(U(3), t.hex("0401")), ALLIED),
        (PlaceUnit(U(0), t.hex("0201")), GERMAN),
        (PlaceUnit(U(88), t.hex("0201")), ALLIED),
    ):
        refusal = check(t.position, side, order)
        assert refusal is not None
        assert refusal.rule == "PL-1401"
    late = waiting(turn=3)
    assert late.refusal(PlaceUnit(U(0), late.hex("0201"))).reason == "the unit is placed from turn 3 on"
    assert not landing.may_place(late.position)
    assert not landing.may_place(coast(unit("a_rifle")).position)


@pytest.mark.rule("PL-506", "PL-1401", "PL-1506")
def test_a_unit_that_waits_says_why_it_can_be_placed_nowhere_in_this_step() -> None:
    def reason(t: Table, unit: int, step: str) -> str:
        t.set(step=step)
        refusal = placing_refusal(t.position, ALLIED, t.unit(unit))
        return refusal.reason if refusal is not None else ""

    t = waiting()
    assert reason(t, 0, "foot movement") == "landing units are placed at sea as the segment ends"
    assert reason(t, 0, "landing") == ""
    assert reason(waiting(turn=3), 0, "landing") == "it arrives on turn 3"
    assert reason(t, 3, "vehicle movement") == "vehicles come in with the vehicles, foot units with the foot units"
    assert reason(t, 3, "foot movement") == ""
    assert reason(coast(unit("a_rifle")), 0, "foot movement") == ""
    assert reason(coast(unit("a_rifle", "0301")), 0, "foot movement") == ""


@pytest.mark.rule("PL-1401")
def test_the_options_are_the_sea_hexes_off_the_beach() -> None:
    t = waiting()
    listed = [[order.hex for order in landing.placement_options(t.position, ALLIED, one)] for one in t.position.units]
    assert listed == [list(t.hexes("0201", "0202")), [t.hex("0201")], [], [], []]


@pytest.mark.rule("PL-1402")
def test_at_sea_units_are_armored_with_defense_8_and_dd_tanks_give_2_to_every_die() -> None:
    t = coast(unit("a_rifle", "0201"), unit("a_m4_dd", "0202"))
    rifle, swimmer = t.position.units
    assert combat.defense_of(t.position, rifle) == 8
    assert combat.defends_as_armored(t.position, rifle)
    assert combat.defense_of(t.position, swimmer) == 9
    lines = combat.die_modifiers(t.position, combat.DIRECT, swimmer.hex, (swimmer,))
    assert combat.modifier_sum(lines) == 2
    assert combat.die_modifiers(t.position, combat.DIRECT, rifle.hex, (rifle,)) == []


@pytest.mark.rule("PL-1401")
def test_a_unit_at_sea_lands_on_a_beach_and_nowhere_else() -> None:
    t = coast(unit("a_m4_dd", "0201"))
    start = t.hex("0201")
    refusal = works.may_enter(t.position, t.unit(0), start, start, t.hex("0202"))
    assert refusal is not None
    assert refusal.rule == "PL-1401"
    assert works.may_enter(t.position, t.unit(0), start, start, t.hex("0301")) is None
    assert works.may_enter(t.position, t.unit(0), t.hex("0301"), start, t.hex("0401")) is None


@pytest.mark.rule("PL-1401")
def test_a_landed_unit_is_face_up() -> None:
    t = coast(unit("a_rifle", "0301", facedown=True, name="first"))
    t.run(landing.landed, 0, t.hex("0301"))
    assert t.events == (UnitRevealed(U(0), "a_rifle", "first"), UnitLanded(U(0), t.hex("0301")))
    assert not t.unit(0).facedown


@pytest.mark.rule("PL-1403")
def test_units_still_at_sea_after_their_movement_are_lost() -> None:
    def afloat(step: str) -> Table:
        return coast(
            unit("a_m4_dd", "0201", facedown=True),
            unit("a_rifle", "0202"),
            unit("a_truck", "0203"),
            unit("a_rifle", carrier=2),
            unit("a_rifle", "0301"),
            unit("g_rifle", "0101"),
            step=step,
        )

    t = afloat("vehicle movement")
    t.run(landing.finish_landing)
    assert [event.unit for event in t.happened(UnitDestroyed)] == [0, 3, 2]
    assert t.happened(UnitRevealed) == [UnitRevealed(U(0), "a_m4_dd")]
    assert not t.position.wrecks
    t = afloat("foot movement")
    t.run(landing.finish_landing)
    assert t.happened(UnitDestroyed) == [UnitDestroyed(U(1), False, "PL-1403")]


@pytest.mark.rule("PL-1404")
def test_units_ashore_move_before_those_at_sea_land() -> None:
    t = coast(unit("a_rifle", "0401"), unit("a_rifle", "0301"), unit("a_rifle", "0202"))
    assert landing.move_refusal(t.position, t.unit(0)) is None
    t.run(landing.landed, 1, t.hex("0301"))
    refusal = landing.move_refusal(t.position, t.unit(0))
    assert refusal is not None
    assert refusal.rule == "PL-1404"
    assert landing.move_refusal(t.position, t.unit(1)) is None
    assert landing.move_refusal(t.position, t.unit(2)) is None
    t.run(lambda resolution: resolution.emit(StepBegan("close assault", ALLIED, 1)))
    assert landing.move_refusal(t.position, t.unit(0)) is None


@pytest.mark.rule("PL-1404")
def test_landing_on_a_beach_hex_that_holds_a_friend_disperses_all_units_there() -> None:
    t = coast(unit("a_rifle", "0201"), unit("a_truck", "0301"), unit("a_rifle", carrier=1), unit("a_rifle", "0302"))
    assert works.must_stop(t.position, t.unit(0), t.hex("0301")) == "PL-1404"
    assert works.must_stop(t.position, t.unit(0), t.hex("0401")) is None
    assert works.must_stop(t.position, t.unit(3), t.hex("0301")) is None
    t.change(0, hex="0301")
    t.run(landing.landed, 0, t.hex("0301"))
    assert [event.unit for event in t.happened(UnitDispersed)] == [0, 1, 2]
    assert not t.unit(3).dispersed


@pytest.mark.rule("PL-1404")
def test_a_landing_warns_of_the_friends_it_disperses_and_of_those_ashore_whose_turn_to_move_it_ends() -> None:
    def warning(t: Table, unit: int, label: str) -> str:
        return warn_of_move(t.position, ALLIED, MoveUnit(U(unit), t.hexes(label)))

    ashore = unit("a_rifle", "0301")
    t = coast(unit("a_rifle", "0201"), ashore, unit("a_rifle", "0203"), step="foot movement")
    lost = "Once a unit lands, units ashore move no more in this step (PL-1404)."
    assert warning(t, 0, "0301") == f"It lands on top of Rifle platoon #1: all there are dispersed (PL-1404). {lost}"
    assert warning(t, 0, "0302") == lost
    assert warning(t, 1, "0401") == ""
    t.play(MoveUnit(U(0), t.hexes("0302")))
    assert warning(t, 2, "0303") == ""
    vehicles = coast(unit("a_m5", "0201"), ashore, step="vehicle movement")
    assert warning(vehicles, 0, "0302") == ""


@pytest.mark.rule("PL-1405")
def test_a_unit_dispersed_at_sea_lands_one_hex_and_stops() -> None:
    t = coast(unit("a_m4_dd", "0201", dispersed=2))
    assert works.must_stop(t.position, t.unit(0), t.hex("0302")) == "PL-1405"
    t.change(0, hex="0302")
    t.run(landing.landed, 0, t.hex("0302"))
    assert t.unit(0).dispersed == 2


@pytest.mark.rule("PL-1401", "PL-1404", "PL-1405")
def test_units_come_ashore_by_moving_and_go_on_unless_they_are_dispersed() -> None:
    t = coast(
        unit("a_m4_dd", "0201", facedown=True),
        unit("a_truck", "0302"),
        unit("a_m4_dd", "0203", dispersed=2),
        step="vehicle movement",
    )
    t.play(MoveUnit(U(1), t.hexes("0402")))
    t.play(MoveUnit(U(0), t.hexes("0301", "0401")))
    assert (t.unit(0).hex, t.unit(0).facedown) == (t.hex("0401"), False)
    t.play(MoveUnit(U(2), t.hexes("0303")))
    assert t.unit(2).moved
    assert t.unit(2).dispersed == 2
    t.run(landing.finish_landing)
    assert t.events == ()


@pytest.mark.rule("PL-1406")
@pytest.mark.parametrize(("die", "lost"), [(1, False), (5, False), (6, True)])
def test_dd_tanks_are_lost_at_sea_on_a_6(die: int, lost: bool) -> None:
    t = coast(unit("a_m4_dd", "0201", facedown=True), unit("a_m4_dd", "0301"), unit("a_rifle", "0202"))
    assert landing.has_swimmers_at_sea(t.position)
    played = t.run(landing.roll_survival, dice=[die])
    assert [(draw.rule, draw.actor) for draw in played.draws] == [("PL-1406", 0)]
    expected: tuple[object, ...] = (
        UnitRevealed(U(0), "a_m4_dd"),
        DieCast("survival at sea", die, not lost, "PL-1406", U(0), t.hex("0201")),
    )
    assert t.events == ((*expected, UnitDestroyed(U(0), False, "PL-1406")) if lost else expected)


@pytest.mark.rule("PL-1406")
def test_the_scenario_may_name_another_number() -> None:
    t = coast(unit("a_m4_dd", "0201"), sections={"landing": Landing(dd_loss=4)})
    t.run(landing.roll_survival, dice=[4])
    assert not t.unit(0).hex
    assert not landing.has_swimmers_at_sea(t.position)
