"""Engineers: mines, rubble, bridges, demolitions and boats."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.kernel.ids import HexId
from sandtable.kernel.ruleset import Selection
from sandtable.rulesets.panzer_battles import features
from sandtable.rulesets.panzer_battles.badges import badges_of
from sandtable.rulesets.panzer_battles.describe import sentence
from sandtable.rulesets.panzer_battles.engineers import bridges, demolition, mines, rubble
from sandtable.rulesets.panzer_battles.engineers import orders as o
from sandtable.rulesets.panzer_battles.engineers.events import (
    DamageTried,
    FeatureChanged,
    MinesTouched,
    SideChanged,
    WorkChanged,
)
from sandtable.rulesets.panzer_battles.events import Bumped, FeaturesSeen, MoveStopped, Struck
from sandtable.rulesets.panzer_battles.insight import hex_facts
from sandtable.rulesets.panzer_battles.marks import marks
from sandtable.rulesets.panzer_battles.model import ALLIED, AXIS, TRAVEL, Feature
from sandtable.rulesets.panzer_battles.movement import moves, paths
from sandtable.rulesets.panzer_battles.movement.costs import allowance
from sandtable.rulesets.panzer_battles.movement.modes import has_rail
from sandtable.rulesets.panzer_battles.movement.orders import Carry
from sandtable.rulesets.panzer_battles.operations import after_step
from sandtable.rulesets.panzer_battles.orders import Assault, ChangeMode, EndTurn, Move
from sandtable.rulesets.panzer_battles.parameters import DEFAULTS
from sandtable.rulesets.panzer_battles.pieces import markers
from sandtable.rulesets.panzer_battles.terrain import features_on
from tests.rulesets.panzer_battles.table import HIGHEST, ONE, RULES, AllHighest, Counter, Table, U, table, unit

MINES = Feature("minefield", ALLIED, 2)
RIVER = {"river": ["0101-0201"]}
CLEAR_SKIES = {"air": {"interdiction_pct": {"allied": 0, "axis": 0}}}


def there(t: Table, label: str) -> list[Feature]:
    return list(features.at(t.position, t.hex(label)))


def across(t: Table) -> set[str]:
    """What lies between the first two hexes of the top row."""
    here, to = t.hexes("0101", "0201")
    return set(features_on(t.position, here, t.board.direction(here, to)))


# --- mines and rubble -----------------------------------------------------------------------------------------------


@pytest.mark.rule("PB-ENG-23")
@pytest.mark.rule("PB-ENG-24")
@pytest.mark.rule("PB-ENG-25")
def test_mines_lose_one_strength_a_turn_however_many_clear_them() -> None:
    t = table(
        ". .",
        unit("su_sapper_coy", "0101", operation="clearing"),
        unit("su_sapper_coy", "0101", operation="clearing"),
        features={"0101": [MINES]},
    )
    t.work(mines.clear, ALLIED, ())
    assert there(t, "0101") == [Feature("minefield", ALLIED, 1)]
    assert t.unit(0).progress == 1
    t.work(mines.clear, ALLIED, ())
    assert there(t, "0101") == []
    assert [t.unit(n).operation for n in (0, 1)] == ["", ""]


@pytest.mark.rule("PB-MOVE-73")
@pytest.mark.rule("PB-ENG-24")
@pytest.mark.rule("PB-ENG-7")
def test_an_obstacle_is_gone_after_a_turn_unless_the_clearers_are_disrupted() -> None:
    t = table(
        ". .",
        unit("su_sapper_coy", "0101", operation="clearing", disrupted=True),
        features={"0101": [Feature("obstacle")]},
    )
    t.work(mines.clear, ALLIED, ())
    assert there(t, "0101") == [Feature("obstacle")]
    t.change(0, disrupted=False)
    t.work(mines.clear, ALLIED, ())
    assert there(t, "0101") == []


@pytest.mark.rule("PB-ENG-8")
@pytest.mark.rule("PB-MOVE-86")
def test_charges_clear_mines_at_a_cost_in_strength() -> None:
    t = table(
        ". .", unit("de_assault_pio", "0101", operation="clearing"), features={"0101": [Feature("minefield", AXIS, 1)]}
    )
    t.work(mines.clear, AXIS, (HIGHEST,))
    assert t.only(Struck).lost == 32 // t.unit(0).of.assault
    assert there(t, "0101") == []


@pytest.mark.rule("PB-ENG-8")
@pytest.mark.rule("PB-ENG-25")
def test_charges_are_spared_where_somebody_clears_without() -> None:
    t = table(
        ". .",
        unit("de_assault_pio", "0101", operation="clearing"),
        unit("su_sapper_coy", "0101", AXIS, operation="clearing"),
        features={"0101": [MINES]},
    )
    t.work(mines.clear, AXIS, ())
    assert not t.all(Struck)
    assert there(t, "0101") == [Feature("minefield", ALLIED, 1)]


@pytest.mark.rule("PB-ENG-27")
@pytest.mark.rule("PB-ENG-6")
def test_clearing_is_stopped_and_begun_again_by_the_same_order() -> None:
    t = table(". .", unit("su_sapper_coy", "0101"), unit("su_rifle_coy", "0201"), features={"0101": [MINES]})
    (tally,) = mines.explain_clear(t.position, ALLIED, o.ClearMines(U(0)))
    assert tally.total == "2"
    t.play(o.ClearMines(U(0)))
    assert t.unit(0).operation == "clearing"
    assert "mining" in badges_of(t.position, t.unit(0))
    assert mines.explain_clear(t.position, ALLIED, o.ClearMines(U(0))) == ()
    t.play(o.ClearMines(U(0)))
    assert t.unit(0).operation == ""
    assert t.refusal(o.ClearMines(U(1))).rule == "PB-ENG-27"
    assert t.refusal(o.ClearMines(U(9))).rule == "PB-GEN-3"
    change: dict[str, Any]
    for change in (
        {"disrupted": True},
        {"broken": True},
        {"mode": TRAVEL},
        {"digging_in": True},
        {"operation": "laying"},
    ):
        t = table(". .", unit("su_sapper_coy", "0101", **change), features={"0101": [MINES]})
        assert t.refusal(o.ClearMines(U(0))).rule == "PB-ENG-6"


@pytest.mark.rule("PB-ENG-57")
def test_engineers_clear_rubble_once_the_mines_are_gone() -> None:
    t = table("T .", unit("su_bridge_eng", "0101"), features={"0101": [Feature("rubble"), MINES]})
    assert t.refusal(o.ClearMines(U(0))).rule == "PB-ENG-27"
    t = table("T .", unit("su_sapper_coy", "0101"), features={"0101": [Feature("rubble")]})
    (tally,) = mines.explain_clear(t.position, ALLIED, o.ClearMines(U(0)))
    assert tally.total == "18.0%"
    t.play(o.ClearMines(U(0)))
    t.work(mines.clear, ALLIED, (HIGHEST,))
    assert there(t, "0101") == [Feature("rubble")]
    t.work(mines.clear, ALLIED, (ONE,))
    assert there(t, "0101") == [Feature("cleared_rubble")]
    assert t.unit(0).operation == ""
    t.change(0, operation="rubble")
    t.work(mines.clear, ALLIED, ())
    assert t.unit(0).operation == ""


@pytest.mark.rule("PB-MOVE-69")
@pytest.mark.rule("PB-MOVE-70")
@pytest.mark.rule("PB-FIRE-61")
def test_houses_may_fall_in_under_shells_and_only_once() -> None:
    t = table("T .", unit("su_rifle_coy", "0201"), features={"0101": [Feature("cleared_rubble")]})

    def shell(label: str, dice: tuple[int, ...]) -> None:
        t.work(lambda bench, side: rubble.after_fire(bench, t.hex(label), 180.0), ALLIED, dice)

    shell("0201", ())
    shell("0101", (HIGHEST,))
    assert there(t, "0101") == [Feature("cleared_rubble")]
    shell("0101", (ONE,))
    assert there(t, "0101") == [Feature("rubble")]
    shell("0101", ())


@pytest.mark.rule("PB-ENG-28")
@pytest.mark.rule("PB-ENG-29")
@pytest.mark.rule("PB-ENG-30")
@pytest.mark.rule("PB-ENG-31")
def test_engineers_lay_a_minefield_of_strength_1_by_lot() -> None:
    t = table(
        ". .", unit("su_sapper_coy", "0101"), unit("su_sapper_coy", "0101", strength=50), unit("su_rifle_coy", "0201")
    )
    (tally,) = mines.explain_lay(t.position, ALLIED, o.LayMines(U(1)))
    assert tally.total == "10.0%"
    t.play(o.LayMines(U(0)))
    t.play(o.LayMines(U(1)))
    assert mines.explain_lay(t.position, ALLIED, o.LayMines(U(1))) == ()
    t.work(mines.lay, ALLIED, (HIGHEST, HIGHEST))
    assert there(t, "0101") == []
    t.work(mines.lay, ALLIED, (HIGHEST, ONE))
    assert there(t, "0101") == [Feature("minefield", ALLIED, 1)]
    assert [t.unit(n).operation for n in (0, 1)] == ["", ""], "who failed has nothing left to lay"
    t.change(0, operation="laying", disrupted=True)
    t.work(mines.lay, ALLIED, ())
    assert t.unit(0).operation == "", "where mines lie nobody lays any"
    assert not t.all(Struck)
    assert t.refusal(o.LayMines(U(0))).reason == "there are mines here already"
    assert t.refusal(o.LayMines(U(2))).rule == "PB-ENG-28"
    assert t.refusal(o.LayMines(U(9))).rule == "PB-GEN-3"
    frozen = table(
        ". .", unit("su_sapper_coy", "0101"), unit("su_sapper_coy", "0101", operation="laying"), condition="frozen"
    )
    assert frozen.refusal(o.LayMines(U(0))).reason == "the ground is frozen"
    frozen.play(o.LayMines(U(1)))
    assert frozen.unit(1).operation == ""


# --- demolition -----------------------------------------------------------------------------------------------------


def bridged(*units: Counter, side: str = "heavy_bridge", **more: Any) -> Table:
    return table(". .", *units, hexsides={"river": ["0101-0201"], side: ["0101-0201"]}, **more)


@pytest.mark.rule("PB-ENG-10")
@pytest.mark.rule("PB-ENG-11")
@pytest.mark.rule("PB-ENG-12")
@pytest.mark.rule("PB-ENG-13")
@pytest.mark.rule("PB-ENG-15")
def test_engineers_blow_up_a_bridge_as_a_vehicle_is_destroyed() -> None:
    t = bridged(unit("su_sapper_coy", "0101"))
    order = o.Demolish(U(0), t.hex("0201"))
    tally, points = demolition.explain_demolish(t.position, ALLIED, order)
    assert (tally.total, points.total) == ("22.5%", 0)
    forecast = RULES.odds(t.view(), order)
    assert forecast is not None
    assert {branch.result: branch.chance for branch in forecast.branches} == {
        "damaged": Fraction(9, 40),
        "nothing happens": Fraction(31, 40),
    }
    t.play(order, AllHighest())
    assert t.unit(0).mp == 0
    assert sentence(t.only(DamageTried), t.position).endswith("that fails")
    t = bridged(unit("su_sapper_coy", "0101"), parameters={"bridge": {"defense": {"heavy": 1}}})
    t.play(o.Demolish(U(0), t.hex("0201")), (ONE, ONE))
    assert across(t) == {"river", "damaged_bridge"}
    assert sentence(t.only(SideChanged), t.position).startswith("The bridge is down")
    facts = [line.value for line in hex_facts(t.view(), t.hex("0101")) if line.label == "Hexside"]
    assert "damaged bridge to the southeast" in facts
    (marker,) = markers(t.position)
    assert (marker.mark, marker.title) == ("damaged_bridge", "damaged bridge to the southeast")


@pytest.mark.rule("PB-ENG-4")
@pytest.mark.rule("PB-ENG-10")
@pytest.mark.rule("PB-ENG-17")
@pytest.mark.rule("PB-ENG-61")
def test_who_may_blow_up_what_and_when() -> None:
    t = bridged(unit("su_rifle_coy", "0101"), unit("su_sapper_coy", "0101"), unit("us_ranger_coy", "0101"))
    to = t.hex("0201")
    assert t.refusal(o.Demolish(U(0), to)).rule == "PB-ENG-10"
    assert t.check(o.Demolish(U(2), to)) is None
    assert t.refusal(o.Demolish(U(1), t.hex("0101"))).rule == "PB-ENG-10"
    assert t.refusal(o.Demolish(U(9), to)).rule == "PB-GEN-3"
    for acted in ("moved", "fired"):
        t = bridged(unit("su_sapper_coy", "0101"))
        t.change(0, **{acted: True})
        assert t.refusal(o.Demolish(U(0), to)).rule == "PB-ENG-10"
    t = bridged(unit("su_sapper_coy", "0101"), parameters={"bridge": {"wired_pct": {"axis": 50}}})
    assert t.refusal(o.Demolish(U(0), to)).rule == "PB-ENG-17"
    assert demolition.targets(t.position, t.unit(0)) == []
    t = bridged(unit("su_sapper_coy", "0101"), side="at_ditch", parameters={"bridge": {"wired_pct": {"axis": 50}}})
    assert t.check(o.Demolish(U(0), to)) is None, "ditches are no bridges"


@pytest.mark.rule("PB-ENG-10", "PB-SPOT-31")
def test_a_demolition_takes_the_whole_allowance_so_that_there_is_one_a_turn() -> None:
    t = table(
        "b .\n. .",
        unit("su_sapper_coy", "0101"),
        hexsides={"river": ["0101-0201", "0101-0102"], "heavy_bridge": ["0101-0201", "0101-0102"]},
    )
    t.play(o.Demolish(U(0), t.hex("0201")), AllHighest())
    for label in ("0201", "0102"):
        refusal = t.refusal(o.Demolish(U(0), t.hex(label)))
        assert (refusal.rule, refusal.reason) == ("PB-ENG-10", "it takes the whole of an unspent allowance")
    assert not t.unit(0).concealed, "it has acted this turn"


@pytest.mark.rule("PB-ENG-18", "PB-DEC-9", "PB-DEC-15")
def test_the_chance_of_a_demolition_allows_for_partisans_in_sight() -> None:
    t = bridged(unit("su_sapper_coy", "0101"), unit("su_partisan", "0201", AXIS))
    tally, _ = demolition.explain_demolish(t.view().position, ALLIED, o.Demolish(U(0), t.hex("0201")))
    assert tally.total == f"{0.225 * 0.75:.1%}"
    assert [line.value for line in tally.lines if line.rule == "PB-DEC-9"] == ["25%"]


@pytest.mark.rule("PB-GEN-17", "PB-MOVE-87", "PB-MOVE-94", "PB-MOVE-26", "PB-ENG-34")
def test_the_third_of_three_actions_for_a_third_costs_what_is_left() -> None:
    sides = {"river": ["0101-0201"], "ferry": ["0101-0201"]}
    men = unit("su_rifle_coy", "0101", quality="D", thirds=2, mp=10)
    t = table(". .", men, roads={"rail": [["0101", "0201"]]}, hexsides=sides)
    assert allowance(t.position, t.unit(0)) == 32, "a third of it is 11"
    rail, ferry = o.DamageRail(U(0)), o.DestroyFerry(U(0), t.hex("0201"))
    assert (t.check(rail), t.check(ferry)) == (None, None)
    t.play(rail)
    assert t.unit(0).mp == 0
    assert t.refusal(ferry).reason == "it has not the movement points left"
    t.change(0, moved=True, mp=9, thirds=2)
    assert t.refusal(ferry).detail == "11 needed, 9 left"
    t.change(0, moved=False, mode=TRAVEL)
    t.play(ChangeMode(U(0), "deployed"))
    assert t.unit(0).mp == 0
    men = unit("su_rifle_coy", "0101", quality="D", thirds=2, mp=10, strength=20)
    board = table(". .", men, unit("us_m4", "0101"))
    board.play(Carry((U(0),), U(1)))
    assert board.unit(0).mp == 0
    mined = table(". .", men, features={"0201": [Feature("minefield", ALLIED, 1)]}, fog=False)
    assert paths.step(mined.position, mined.unit(0), mined.hex("0101"), mined.hex("0201")).cost == 10


@pytest.mark.rule("PB-MOVE-87", "PB-MOVE-94")
def test_who_holds_a_bridge_may_damage_rails_and_who_builds_one_may_not() -> None:
    for work, is_free in (("holding:2", True), ("building:2", False)):
        engineers = unit("su_bridge_eng", "0101", operation=work)
        t = table(". .", engineers, roads={"rail": [["0101", "0201"]]}, hexsides=RIVER)
        t.bridge("0101", "0201")
        assert (t.check(o.DamageRail(U(0))) is None) == is_free


@pytest.mark.rule("PB-MOVE-87", "PB-MOVE-94", "PB-DEC-9")
def test_rails_and_ferries_are_destroyed_in_words_of_their_own_with_their_own_rule() -> None:
    sides = {"river": ["0101-0201"], "ferry": ["0101-0201"]}
    t = table(". .", unit("su_ba64", "0101"), roads={"rail": [["0101", "0201"]]}, hexsides=sides)
    t.play(o.DamageRail(U(0)))
    rail = t.only(DamageTried)
    assert sentence(rail, t.position).endswith("damages the rail line in 0101")
    assert "fails to damage the rail line" in sentence(replace(rail, done=False), t.position)
    t.play(o.DestroyFerry(U(0), t.hex("0201")))
    ferry = t.all(DamageTried)[-1]
    assert sentence(ferry, t.position).endswith("destroys the ferry to 0201")
    assert [marks(one).rule for one in (rail, ferry, replace(ferry, what=""))] == [
        "PB-MOVE-87",
        "PB-MOVE-94",
        "PB-ENG-10",
    ]


@pytest.mark.rule("PB-MOVE-87", "PB-MOVE-94", "PB-MOVE-93", "PB-ENG-53", "PB-DEC-9")
def test_the_preview_of_what_costs_points_says_how_many() -> None:
    sides = {"river": ["0101-0201"], "ferry": ["0101-0201"]}
    t = table(
        ". .",
        *(unit("su_rifle_coy", "0101"), unit("su_rifle_coy", "0101", mode=TRAVEL), unit("su_sapper_coy", "0201")),
        roads={"rail": [["0101", "0201"]]},
        hexsides=sides,
    )
    over = t.hex("0201")
    for order, cost, rule in (
        (o.DamageRail(U(0)), 12, "PB-MOVE-87"),
        (o.DestroyFerry(U(0), over), 12, "PB-MOVE-94"),
        (o.FerryAcross(U(1), over), 36, "PB-MOVE-93"),
    ):
        (points,) = RULES.explain(t.view(), order)
        assert (points.total, points.lines[1].value, points.lines[1].rule) == (36 - cost, -cost, rule)
    boats = table(". .", unit("su_rifle_coy", "0101", mode=TRAVEL), unit("su_sapper_coy", "0201"), hexsides=RIVER)
    (points,) = RULES.explain(boats.view(), o.FerryAcross(U(0), over))
    assert points.lines[1].rule == "PB-ENG-53"
    rails = {"rail": [["0101", "0201"]]}
    haunted = table(
        ". . .", unit("de_rifle_coy", "0101"), unit("su_partisan", "0301"), roads=rails, active=AXIS, fog=False
    )
    chance, points = RULES.explain(haunted.view(AXIS), o.DamageRail(U(0)))
    assert (chance.total, points.total) == ("75.0%", 24)
    verb = next(one for one in RULES.menu(t.view(), Selection((U(0),))) if one.key == "destroyferry")
    assert verb.targets[0].note == "", "what it costs is no odds"


@pytest.mark.rule("PB-ENG-44", "PB-ENG-45", "PB-ENG-50", "PB-ENG-58")
def test_the_preview_tells_how_likely_a_bridge_is_taken_up_or_wired_and_that_one_given_up_is_gone() -> None:
    t = held()
    (chance,) = RULES.explain(t.view(), o.DismantleBridge(U(0)))
    assert (chance.total, chance.lines[0].rule) == ("15.0%", "PB-ENG-44")
    pontoon = {"bridge": {"pontoon_turns": {"allied": 2}}}
    sea = table(". ~ .", unit("su_bridge_eng", "0101", operation="pontoon holding:2"), parameters=pontoon)
    assert [tally.total for tally in RULES.explain(sea.view(), o.DismantleBridge(U(0)))] == ["15.0%", "2"]
    long = table(
        ". ~ .",
        unit("su_sapper_coy", "0201", mode=TRAVEL),
        hex_features={"full_bridge": ["0201"]},
        roads={"primary": [["0101", "0201", "0301"]]},
    )
    (chance,) = RULES.explain(long.view(), o.WireBridge(U(0)))
    assert (chance.total, chance.lines[0].rule) == ("15.0%", "PB-ENG-58")

    def warnings(t: Table) -> dict[str, str]:
        return {verb.key: verb.targets[0].warning for verb in RULES.menu(t.view(), Selection((U(0),))) if verb.targets}

    assert warnings(t)["abandonbridge"] == "the bridge is gone at once"
    assert warnings(t)["travel"] == "", "it is held in any mode"
    building = held()
    building.change(0, operation="building:2")
    assert warnings(building)["abandonbridge"] == ""
    assert warnings(building)["travel"] == "it gives up its work: Bridge Ops"
    digging = table(". .", unit("su_rifle_coy", "0101", digging_in=True))
    assert warnings(digging)["travel"] == "it stops digging in"


@pytest.mark.rule("PB-ENG-19")
@pytest.mark.rule("PB-ENG-20")
@pytest.mark.rule("PB-MOVE-88")
def test_a_ditch_is_filled_in_with_certainty_and_lies_in_nobodys_way_any_more() -> None:
    t = table(". .", unit("su_sapper_coy", "0101"), unit("su_rifle_coy", "0101"), hexsides={"at_ditch": ["0101-0201"]})
    assert t.check(Move((U(1),), t.hexes("0201"))) is not None
    tally, _ = demolition.explain_demolish(t.position, ALLIED, o.Demolish(U(0), t.hex("0201")))
    assert tally.total == "100.0%"
    t.play(o.Demolish(U(0), t.hex("0201")), (ONE, ONE))
    assert across(t) == set()
    assert t.check(Move((U(1),), t.hexes("0201"))) is None


@pytest.mark.rule("PB-ENG-14")
def test_a_bridge_over_a_stream_may_be_damaged_too() -> None:
    t = table(
        ". .",
        unit("su_sapper_coy", "0101"),
        hexsides={"stream": ["0101-0201"], "light_bridge": ["0101-0201"]},
        parameters={"bridge": {"defense": {"light": 1}}},
    )
    t.play(o.Demolish(U(0), t.hex("0201")), (ONE, ONE))
    assert across(t) == {"stream", "damaged_bridge"}
    assert t.check(Move((U(0),), t.hexes("0201"))) is not None or t.unit(0).mp == 0


@pytest.mark.rule("PB-ENG-58", "PB-MOVE-85")
@pytest.mark.rule("PB-ENG-59")
def test_a_long_bridge_is_blown_only_when_it_is_wired_and_with_all_upon_it() -> None:
    t = table(
        ". ~ .",
        unit("su_sapper_coy", "0101"),
        unit("su_sapper_coy", "0201", mode=TRAVEL),
        roads={"primary": [["0101", "0201", "0301"]]},
        hex_features={"full_bridge": ["0201"]},
        parameters={"bridge": {"defense": {"heavy": 1}}},
    )
    order = o.Demolish(U(0), t.hex("0201"))
    assert t.refusal(order).rule == "PB-ENG-10"
    t.play(o.WireBridge(U(1)))
    assert t.refusal(o.WireBridge(U(1))).rule == "PB-ENG-58"
    assert t.refusal(o.WireBridge(U(0))).rule == "PB-ENG-58"
    t.work(bridges.work, ALLIED, (ONE,))
    assert there(t, "0201") == [Feature("wired", ALLIED)]
    assert t.known(AXIS).features == {}, "whoever does not see the bridge does not know"
    assert t.refusal(o.WireBridge(U(1))).reason == "the bridge is wired already"
    t.play(order, (ONE, ONE))
    assert there(t, "0201") == [Feature("broken_bridge")]
    assert t.known(AXIS).features == t.position.features
    assert t.at(1) == ""


@pytest.mark.rule("PB-ENG-59", "PB-MOVE-54", "PB-VIC-12")
def test_who_rides_on_somebody_who_drowns_is_lost_once() -> None:
    t = table("~", unit("de_truck", "0101", strength=2), unit("de_pak40", "0101", strength=2, carrier=U(0)), fog=False)
    t.work(lambda bench, side: bridges.drown(bench, t.hex("0101")), AXIS, [])
    assert t.position.losses[AXIS] == {"de_truck": 2, "de_pak40": 2}


@pytest.mark.rule("PB-ENG-58")
@pytest.mark.rule("PB-ENG-61")
def test_wiring_is_for_engineers_who_came_in_an_earlier_turn() -> None:
    def drawn(kind: str = "su_sapper_coy", **changes: Any) -> Table:
        parameters = changes.pop("parameters", None)
        return table(
            ". ~ .",
            unit(kind, "0201", mode=TRAVEL, **changes),
            roads={"primary": [["0101", "0201", "0301"]]},
            hex_features={"full_bridge": ["0201"]},
            parameters=parameters,
        )

    assert drawn("su_rifle_coy").refusal(o.WireBridge(U(0))).reason == "only engineers wire bridges"
    assert drawn(moved=True).refusal(o.WireBridge(U(0))).reason == "it has moved this turn"
    assert drawn(disrupted=True).refusal(o.WireBridge(U(0))).rule == "PB-ENG-58"
    wired = drawn(parameters={"bridge": {"wired_pct": {"axis": 50}}})
    assert wired.refusal(o.WireBridge(U(0))).rule == "PB-ENG-61"
    assert wired.refusal(o.WireBridge(U(9))).rule == "PB-GEN-3"


@pytest.mark.rule("PB-ENG-60")
@pytest.mark.rule("PB-ENG-62")
def test_bridges_wired_beforehand_are_tested_once_when_the_other_side_comes_up() -> None:
    for face, left in ((ONE, {"river", "damaged_bridge"}), (HIGHEST, {"river", "heavy_bridge"})):
        t = table(
            ". .\n. .",
            unit("su_rifle_coy", "0102"),
            hexsides={"river": ["0101-0201"], "heavy_bridge": ["0101-0201"]},
            parameters={"bridge": {"wired_pct": {"allied": 50}}},
            sections={"wired": ["0101-0201"]},
        )
        t.wire("0101-0201")
        facts = [line.value for line in hex_facts(t.view(), t.hex("0101")) if line.label == "Hexside"]
        assert "Wired to the southeast" in facts
        t.play(Move((U(0),), t.hexes("0101")), (face,))
        assert across(t) == left
        end = "The bridge is down" if face == ONE else "The charges fail on the bridge"
        assert sentence(t.only(SideChanged), t.position) == f"{end} southeast of 0101"


def forewarned(t: Table, order: Move) -> tuple[list[tuple[str, dict[str, Any]]], str]:
    """The wired bridges that the preview of a move speaks of, and the least chance to get through."""
    found = RULES.odds(t.view(), order)
    assert found is not None
    assert found.arrival is not None
    told = [(one.text, {each.result: each.chance for each in one.branches}) for one in found.reactions]
    return [one for one in told if "wired" in one[0]], found.arrival.at_least


@pytest.mark.rule("PB-ENG-60", "PB-ENG-63", "PB-MOVE-11")
def test_the_preview_of_a_move_tells_which_wired_bridge_it_sets_off_once_and_what_that_bars() -> None:
    odds = {"the bridge is down": Fraction(1, 4), "the charges fail": Fraction(3, 4)}
    quarter = {"bridge": {"wired_pct": {"allied": 25}}, **CLEAR_SKIES}
    t = table(
        ". .\n. .",
        *(unit("su_rifle_coy", "0102", mode=TRAVEL), unit("su_rifle_coy", "0102", mode=TRAVEL)),
        hexsides={"river": ["0101-0201"], "heavy_bridge": ["0101-0201"]},
        parameters=quarter,
        sections={"wired": ["0101-0201"]},
    )
    t.wire("0101-0201")
    beside = [("the wired bridge southeast of 0101 may go up", odds)]
    assert forewarned(t, Move((U(0),), t.hexes("0101"))) == (beside, "1")
    assert forewarned(t, Move((U(0), U(1)), t.hexes("0101", "0201"))) == (beside, "3/4")
    long = table(
        ". ~ .",
        unit("su_rifle_coy", "0101", mode=TRAVEL),
        roads={"primary": [["0101", "0201", "0301"]]},
        hex_features={"full_bridge": ["0201"]},
        features={"0201": [Feature("wired")]},
        parameters=quarter,
        fog=False,
    )
    assert forewarned(long, Move((U(0),), long.hexes("0201"))) == (
        [("the wired bridge in 0201 may go up", odds)],
        "3/4",
    )


@pytest.mark.rule("PB-ENG-60")
@pytest.mark.rule("PB-ENG-63")
def test_who_comes_onto_a_wired_long_bridge_that_is_blown_is_put_back() -> None:
    for face, end in ((ONE, ("0101", [Feature("broken_bridge")])), (HIGHEST, ("0201", []))):
        t = table(
            ". ~ .",
            unit("su_rifle_coy", "0101", mode=TRAVEL),
            roads={"primary": [["0101", "0201", "0301"]]},
            hex_features={"full_bridge": ["0201"]},
            features={"0201": [Feature("wired")]},
            parameters={"bridge": {"wired_pct": {"allied": 50}}, **CLEAR_SKIES},
        )
        t.play(Move((U(0),), t.hexes("0201")), (face,))
        assert (t.at(0), there(t, "0201")) == end
    assert t.unit(0).mp > 0


@pytest.mark.rule("PB-ENG-63")
@pytest.mark.parametrize(("units", "way"), [((0,), ("0201", "0301")), ((0, 1), ("0201",)), ((0, 1), ("0201", "0301"))])
def test_nobody_goes_on_over_a_long_bridge_that_is_blown(units: tuple[int, ...], way: tuple[str, ...]) -> None:
    t = table(
        ". ~ .",
        unit("su_rifle_plt", "0101", mode=TRAVEL),
        unit("su_rifle_plt", "0101", mode=TRAVEL),
        roads={"primary": [["0101", "0201", "0301"]]},
        hex_features={"full_bridge": ["0201"]},
        features={"0201": [Feature("wired")]},
        parameters={"bridge": {"wired_pct": {"allied": 50}}, **CLEAR_SKIES},
    )
    t.play(Move(tuple(map(U, units)), t.hexes(*way)), (ONE,))
    assert [(t.at(n), t.unit(n).mp > 0) for n in (0, 1)] == [("0101", False), ("0101", True)]
    assert t.only(MoveStopped).reason == "the bridge is down"


@pytest.mark.rule("PB-ENG-60")
def test_a_bridge_blown_under_the_first_of_a_stack_keeps_the_others_on_their_bank() -> None:
    t = bridged(
        unit("su_t34_76", "0101", mode=TRAVEL),
        unit("su_t34_76", "0101", mode=TRAVEL),
        parameters={"bridge": {"wired_pct": {"allied": 50}}, **CLEAR_SKIES},
    )
    t.wire("0101-0201")
    t.play(Move((U(0), U(1)), t.hexes("0201")), (ONE,))
    assert (t.at(0), t.at(1), across(t)) == ("0201", "0101", {"river", "damaged_bridge"})
    assert t.only(MoveStopped).units == (1,)


@pytest.mark.rule("PB-ENG-63")
@pytest.mark.rule("PB-ASLT-52")
def test_nobody_follows_an_attacker_under_whom_a_long_bridge_was_blown() -> None:
    t = table(
        ". ~ .",
        unit("su_rifle_coy", "0101", mode=TRAVEL),
        unit("su_rifle_coy", "0101", mode=TRAVEL),
        unit("de_rifle_plt", "0201", mode=TRAVEL, strength=1, disrupted=True),
        roads={"primary": [["0101", "0201", "0301"]]},
        hex_features={"full_bridge": ["0201"]},
        features={"0201": [Feature("wired")]},
        parameters={"bridge": {"wired_pct": {"allied": 100}}, **CLEAR_SKIES},
        fog=False,
    )
    t.play(Assault((U(0), U(1)), t.hex("0201")), AllHighest())
    assert (t.at(0), t.at(1), there(t, "0201")) == ("0101", "0101", [Feature("broken_bridge")])


@pytest.mark.rule("PB-ENG-60", "PB-MOVE-7")
def test_a_move_ends_before_the_bridge_that_was_blown_as_it_came_up() -> None:
    t = table(
        ". .\n. .",
        unit("su_rifle_coy", "0102", mode=TRAVEL),
        hexsides={"river": ["0101-0201"], "heavy_bridge": ["0101-0201"]},
        parameters={"bridge": {"wired_pct": {"allied": 50}}, **CLEAR_SKIES},
    )
    t.wire("0101-0201")
    t.play(Move((U(0),), t.hexes("0101", "0201")), (ONE,))
    assert t.at(0) == "0101"
    assert t.only(MoveStopped).reason == moves.BARRED


@pytest.mark.rule("PB-ENG-63")
def test_nobody_follows_onto_a_long_bridge_that_is_blown_before_it() -> None:
    t = table(
        ". ~ .",
        *[unit("su_rifle_coy", "0101", mode=TRAVEL, strength=50, full=50)] * 2,
        roads={"primary": [["0101", "0201", "0301"]]},
        hex_features={"full_bridge": ["0201"]},
        features={"0201": [Feature("wired")]},
        parameters={"bridge": {"wired_pct": {"allied": 50}}, **CLEAR_SKIES},
    )
    t.play(Move((U(0), U(1)), t.hexes("0201", "0301")), (ONE,))
    assert [(t.at(n), t.unit(n).mp > 0) for n in (0, 1)] == [("0101", False), ("0101", True)]
    assert t.only(MoveStopped).reason == moves.DOWN


@pytest.mark.rule("PB-MOVE-87")
@pytest.mark.rule("PB-MOVE-65")
def test_anybody_deployed_damages_the_rail_line_in_his_hex_for_a_third() -> None:
    def drawn(kind: str = "su_rifle_coy", **changes: Any) -> Table:
        return table(". .", unit(kind, "0101", side=ALLIED, **changes), roads={"rail": [["0101", "0201"]]})

    t = drawn()
    t.play(o.DamageRail(U(0)))
    assert there(t, "0101") == [Feature("rail_damage", ALLIED)]
    assert t.unit(0).mp == 24
    assert t.refusal(o.DamageRail(U(0))).rule == "PB-MOVE-87"
    change: dict[str, Any]
    for change in ({"mode": TRAVEL}, {"broken": True}, {"digging_in": True}, {"operation": "building:1"}, {"mp": 11}):
        assert drawn(**change).refusal(o.DamageRail(U(0))).rule == "PB-MOVE-87"
    assert drawn(flags=("partisan",)).refusal(o.DamageRail(U(0))).rule == "PB-MOVE-65"
    assert t.refusal(o.DamageRail(U(9))).rule == "PB-GEN-3"
    t = table(
        ". .",
        unit("su_rifle_coy", "0101"),
        unit("su_rifle_coy", "0101", mode="rail"),
        roads={"rail": [["0101", "0201"]]},
    )
    assert t.refusal(o.DamageRail(U(0))).reason == "somebody here is in Rail Mode"


# --- bridges --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PB-ENG-36")
@pytest.mark.rule("PB-ENG-37")
@pytest.mark.rule("PB-ENG-38")
@pytest.mark.rule("PB-ENG-39")
def test_a_bridge_is_done_by_lot_the_better_and_larger_the_engineers_the_sooner() -> None:
    def chance(kind: str, **changes: Any) -> Fraction:
        return bridges.build_chance(table(". .", unit(kind, "0101", **changes)).unit(0), DEFAULTS)

    full = chance("su_bridge_eng", strength=100)
    assert full == Fraction(15, 100)
    assert chance("su_bridge_eng", strength=50) == full / 2
    assert chance("su_bridge_eng", strength=100, quality="A") == full * Fraction(120, 100)
    assert chance("su_rifle_plt", strength=30) == full * Fraction(30, 100) / 3
    assert chance("su_rifle_plt", strength=30, parts=(U(7),)) == full * Fraction(30, 100) * 2 / 3
    assert bridges.together((Fraction(1, 2), Fraction(1, 2))) == Fraction(3, 4)
    assert chance("uk_churchill_avlb", strength=3) == full * Fraction(30, 100)


@pytest.mark.rule("PB-ENG-32")
@pytest.mark.rule("PB-ENG-33")
@pytest.mark.rule("PB-ENG-34")
@pytest.mark.rule("PB-ENG-35")
@pytest.mark.rule("PB-ENG-40")
@pytest.mark.rule("PB-ENG-16")
def test_bridge_engineers_build_over_a_river_and_hold_the_bridge() -> None:
    t = table(". .", unit("su_bridge_eng", "0101"), unit("su_t34_76", "0101", mode=TRAVEL), hexsides=RIVER)
    assert t.check(Move((U(1),), t.hexes("0201"))) is not None
    order = o.BuildBridge(U(0), t.hex("0201"))
    tally, _ = bridges.explain_build(t.position, ALLIED, order)
    assert (tally.title, [line.value for line in tally.lines]) == ("Chance to be done, each turn", [tally.total])
    t.play(order)
    assert (t.unit(0).mp, t.unit(0).operation) == (0, "building:2")
    assert "bridge_ops" in badges_of(t.position, t.unit(0))
    assert t.refusal(order).rule == "PB-ENG-6"
    t.work(bridges.work, ALLIED, (HIGHEST,))
    assert across(t) == {"river"}
    t.work(bridges.work, ALLIED, (ONE,))
    assert across(t) == {"river", "engineer_bridge"}
    assert "has_bridge" in badges_of(t.position, t.unit(0))
    t.play(Move((U(1),), t.hexes("0201")))
    assert t.at(1) == "0201"


@pytest.mark.rule("PB-ENG-41")
@pytest.mark.rule("PB-ENG-43")
@pytest.mark.rule("PB-MOVE-12")
def test_who_holds_a_bridge_may_cross_it_in_travel_mode_and_go_nowhere_else() -> None:
    t = held()
    assert t.refusal(Move((U(0),), t.hexes("0201"))).rule == "PB-MOVE-12"
    t.change(0, mode=TRAVEL, mp=100)
    assert t.refusal(Move((U(0),), t.hexes("0102"))).rule == "PB-ENG-43"
    order = Move((U(0),), t.hexes("0201"))
    assert order in list(RULES.options(t.view(), t.view().decisions[0]))
    t.play(order, AllHighest())
    assert (t.at(0), t.unit(0).operation) == ("0201", "holding:5")
    assert across(t) == {"river", "engineer_bridge"}


def held(**changes: Any) -> Table:
    """Engineers who hold a bridge over the river."""
    t = table(
        ". .\n. .",
        unit("su_bridge_eng", "0101", operation="holding:2", **changes),
        unit("de_rifle_coy", "0202"),
        hexsides=RIVER,
        fog=False,
    )
    t.bridge("0101", "0201")
    return t


@pytest.mark.rule("PB-ENG-7")
@pytest.mark.rule("PB-ENG-43")
def test_who_held_a_bridge_that_the_enemy_blows_up_is_free() -> None:
    t = table(
        ". .",
        unit("su_bridge_eng", "0101", operation="holding:2"),
        unit("de_assault_pio", "0201"),
        hexsides=RIVER,
        parameters={"bridge": {"defense": {"heavy": 1}}},
        fog=False,
        active=AXIS,
    )
    t.bridge("0101", "0201")
    t.play(o.Demolish(U(1), t.hex("0101")), AllHighest())
    assert (across(t), t.unit(0).operation) == ({"river"}, "")


@pytest.mark.rule("PB-ENG-7")
@pytest.mark.rule("PB-ENG-46")
def test_who_retreats_leaves_his_bridge_even_if_he_retreats_over_it() -> None:
    unit_ = held().unit(0)
    assert after_step(unit_, 2, retreats=False) == "holding:5"
    assert after_step(unit_, 2, retreats=True) == ""
    t = table(
        ". .\n. .",
        unit("su_bridge_eng", "0101", operation="holding:2", mode=TRAVEL, disrupted=True),
        unit("de_rifle_coy", "0102"),
        hexsides={"river": ["0101-0201", "0102-0201", "0102-0202"]},
        fog=False,
        active=AXIS,
    )
    t.bridge("0101", "0201")
    t.play(Assault((U(1),), t.hex("0101")), AllHighest())
    assert (t.at(0), across(t), t.unit(0).operation) == ("0201", {"river"}, "")


@pytest.mark.rule("PB-ENG-6")
@pytest.mark.rule("PB-ENG-44")
def test_nobody_takes_up_a_bridge_in_travel_mode() -> None:
    assert held(mode=TRAVEL).refusal(o.DismantleBridge(U(0))).rule == "PB-ENG-6"
    t = held()
    t.play(o.DismantleBridge(U(0)))
    t.play(ChangeMode(U(0), TRAVEL))
    assert (t.unit(0).operation, across(t)) == ("holding:2", {"river", "engineer_bridge"})


@pytest.mark.rule("PB-ENG-44")
@pytest.mark.rule("PB-ENG-47")
def test_a_bridge_is_taken_up_by_the_same_chance_and_serves_until_then() -> None:
    t = held()
    t.play(o.DismantleBridge(U(0)))
    assert t.unit(0).operation == "dismantling:2"
    assert across(t) == {"river", "engineer_bridge"}
    t.work(bridges.work, ALLIED, (ONE,))
    assert (across(t), t.unit(0).operation) == ({"river"}, "")
    assert t.refusal(o.DismantleBridge(U(0))).rule == "PB-ENG-44"
    assert t.refusal(o.DismantleBridge(U(9))).rule == "PB-GEN-3"
    assert held(disrupted=True).refusal(o.DismantleBridge(U(0))).rule == "PB-ENG-6"


@pytest.mark.rule("PB-ENG-45")
@pytest.mark.rule("PB-ENG-46")
def test_a_bridge_that_is_given_up_or_whose_engineers_are_gone_is_no_more() -> None:
    t = held()
    t.play(o.AbandonBridge(U(0)))
    assert across(t) == {"river"}
    assert t.refusal(o.AbandonBridge(U(0))).rule == "PB-ENG-45"
    assert t.refusal(o.AbandonBridge(U(9))).rule == "PB-GEN-3"
    t = held()
    t.change(0, hex=HexId(0), gone="eliminated")
    t.bridge("0101", "0201")
    t.play(EndTurn(), AllHighest())
    assert across(t) == {"river"}


@pytest.mark.rule("PB-ENG-32")
@pytest.mark.rule("PB-ENG-33")
@pytest.mark.rule("PB-ENG-21")
def test_where_and_by_whom_nothing_is_bridged() -> None:
    t = table(". . .", unit("su_rifle_coy", "0101"), unit("su_bridge_eng", "0101", mp=1), unit("su_bridge_eng", "0101"))
    to = t.hex("0201")
    assert t.refusal(o.BuildBridge(U(0), to)).rule == "PB-ENG-33"
    assert t.refusal(o.BuildBridge(U(1), to)).rule == "PB-ENG-34"
    assert t.refusal(o.BuildBridge(U(2), to)).reason == "there is nothing to be bridged"
    assert t.refusal(o.BuildBridge(U(2), t.hex("0301"))).rule == "PB-ENG-35"
    assert t.refusal(o.BuildBridge(U(9), to)).rule == "PB-GEN-3"
    t = bridged(unit("su_bridge_eng", "0101"))
    assert t.refusal(o.BuildBridge(U(0), t.hex("0201"))).reason == "there is a bridge already"
    t = table(". .", unit("su_bridge_eng", "0101"), hexsides={"at_ditch": ["0101-0201"]})
    assert t.check(o.BuildBridge(U(0), t.hex("0201"))) is None


@pytest.mark.rule("PB-ENG-42")
def test_over_an_engineers_bridge_one_storms_in_travel_mode_only() -> None:
    t = held()
    t.change(1, hex=t.hex("0201"))
    t.set(units=(*t.position.units,))
    assert t.refusal(Assault((U(0),), t.hex("0201"))).rule == "PB-ASLT-4"
    t = bridged(unit("su_rifle_coy", "0101"), unit("de_rifle_coy", "0201"), fog=False)
    assert t.refusal(Assault((U(0),), t.hex("0201"))).rule == "PB-ASLT-6"
    t.play(ChangeMode(U(0), TRAVEL))
    assert t.check(Assault((U(0),), t.hex("0201"))) is None


@pytest.mark.rule("PB-ENG-48")
@pytest.mark.rule("PB-ENG-49")
@pytest.mark.rule("PB-ENG-50")
@pytest.mark.rule("PB-ENG-51")
@pytest.mark.rule("PB-ENG-52")
def test_a_pontoon_takes_its_turns_first_and_then_the_chance_of_a_bridge() -> None:
    sea = ". ~ .\n. . ."
    t = table(sea, unit("su_bridge_eng", "0101"))
    to = t.hex("0201")
    assert t.refusal(o.BuildBridge(U(0), to)).reason == "its side has no pontoons"
    given = {"bridge": {"pontoon_turns": {"allied": 1}}, **CLEAR_SKIES}
    t = table(sea, unit("su_bridge_eng", "0101"), unit("su_t34_76", "0101", mode=TRAVEL), parameters=given)
    t.play(o.BuildBridge(U(0), to))
    assert t.unit(0).operation == "pontoon building:2"
    t.change(0, disrupted=True)
    t.work(bridges.work, ALLIED, ())
    assert t.unit(0).progress == 0
    t.change(0, disrupted=False)
    t.work(bridges.work, ALLIED, ())
    t.work(bridges.work, ALLIED, (ONE,))
    assert [one.kind for one in there(t, "0201")] == ["pontoon"]
    t.play(Move((U(1),), (to,)))
    assert t.at(1) == "0201"
    t.play(o.DismantleBridge(U(0)))
    assert t.unit(0).operation == "pontoon dismantling:2"
    t.play(o.AbandonBridge(U(0)))
    assert there(t, "0201") == []
    assert t.at(1) == "", "who stood on it is lost"
    wide = table(". ~ ~\n. ~ ~", unit("su_bridge_eng", "0101"), parameters=given)
    assert wide.refusal(o.BuildBridge(U(0), wide.hex("0201"))).rule == "PB-ENG-49"
    full = table(sea, unit("su_bridge_eng", "0101"), parameters=given, hex_features={"full_bridge": ["0201"]})
    assert full.refusal(o.BuildBridge(U(0), to)).rule == "PB-ENG-48"


def moored(label: str = "0101", operation: str = "pontoon holding:2", **changes: Any) -> Table:
    """Engineers in Travel Mode who hold a pontoon from 0101 over 0201 to 0302."""
    engineers = unit("su_bridge_eng", label, operation=operation, mode=TRAVEL, **changes)
    t = table(". ~ .\n. . .", engineers, unit("su_rifle_coy", "0102"), unit("de_rifle_coy", "0301"), fog=False)
    t.set(features={t.hex("0201"): (Feature("pontoon", count=2),)})
    return t


@pytest.mark.rule("PB-ENG-41", "PB-ENG-43", "PB-ENG-50")
def test_who_holds_a_pontoon_may_cross_it_in_one_move_or_in_two_and_go_nowhere_else() -> None:
    t = moored()
    water, far = t.hexes("0201", "0302")
    assert [order for order in moves.move_options(t.position, ALLIED, t.unit(0)) if isinstance(order, Move)] == [
        Move((U(0),), (water,)),
        Move((U(0),), (water, far)),
    ]
    assert t.refusal(Move((U(0),), t.hexes("0102"))).rule == "PB-ENG-43"
    t.play(Move((U(0),), (water,)), AllHighest())
    assert (t.at(0), t.unit(0).operation) == ("0201", "pontoon holding:2")
    assert there(t, "0201") == [Feature("pontoon", count=2)]
    assert t.refusal(Move((U(0),), t.hexes("0202"))).rule == "PB-ENG-43"
    t.play(Move((U(0),), (far,)), AllHighest())
    assert (t.at(0), t.unit(0).operation) == ("0302", "pontoon holding:5")
    assert there(t, "0201") == [Feature("pontoon", count=2)]
    t = moored()
    t.play(Move((U(0),), (water, far)), AllHighest())
    assert (t.at(0), t.unit(0).operation) == ("0302", "pontoon holding:5")
    t = moored("0201")
    t.play(Move((U(0),), t.hexes("0101")), AllHighest())
    assert (t.at(0), t.unit(0).operation) == ("0101", "pontoon holding:2")
    assert after_step(moored("0201").unit(0), 1, retreats=False, afloat=True) == ""
    t = moored(mp=1)
    assert list(moves.move_options(t.position, ALLIED, t.unit(0))) == []
    assert t.refusal(Move((U(0),), (water,))).rule == "PB-MOVE-1"


@pytest.mark.rule("PB-ENG-41")
def test_the_way_of_who_holds_a_bridge_leads_over_it_even_if_another_is_shorter() -> None:
    t = table(
        ". .\n. .",
        unit("su_bridge_eng", "0101", operation="holding:2", mode=TRAVEL),
        elevation="0 9\n0 9",
        roads={"primary": [["0101", "0102", "0201"]]},
        hexsides=RIVER,
    )
    t.bridge("0101", "0201")
    assert list(moves.move_options(t.position, ALLIED, t.unit(0))) == [Move((U(0),), t.hexes("0201"))]


@pytest.mark.rule("PB-ENG-38", "PB-ENG-50", "PB-CRT-21")
def test_the_chance_of_a_bridge_counts_who_is_at_it_already_and_names_the_turns_of_a_pontoon() -> None:
    t = table(
        ". .", unit("su_bridge_eng", "0101"), unit("su_bridge_eng", "0201", operation="building:5"), hexsides=RIVER
    )
    order = o.BuildBridge(U(0), t.hex("0201"))
    chance, _ = bridges.explain_build(t.view().position, ALLIED, order)
    assert chance.total == f"{1 - 0.85 * 0.85:.1%}"
    t.change(1, disrupted=True)
    chance, _ = bridges.explain_build(t.view().position, ALLIED, order)
    assert chance.total == "15.0%"
    sea = table(". ~ .\n. . .", unit("su_bridge_eng", "0101"), parameters={"bridge": {"pontoon_turns": {"allied": 2}}})
    chance, before, points = bridges.explain_build(sea.view().position, ALLIED, o.BuildBridge(U(0), sea.hex("0201")))
    assert (chance.total, before.title, before.total) == ("15.0%", "Turns before", "2")
    assert (points.total, points.lines[1].value, points.lines[1].rule) == (0, -36, "PB-ENG-34")


def ahead(t: Table, number: int = 0) -> dict[str, Any]:
    """What the card says of the start of a unit's next turn."""
    card = RULES.card(t.view(), U(number))
    assert card is not None
    sections = [one for one in card.sections if one.title == "At the start of its next turn"]
    return {line.label: line.value for one in sections for line in one.lines}


@pytest.mark.rule("PB-MOVE-106", "PB-ENG-7", "PB-ENG-24", "PB-ENG-29", "PB-ENG-57", "PB-ENV-14")
@pytest.mark.parametrize(
    ("state", "told"),
    [
        ({"digging_in": True}, {"digs: improved": "100%"}),
        ({"operation": "clearing"}, {"clears one strength": "100%"}),
        ({"operation": "laying"}, {"minefield laid": "20%"}),
        ({"operation": "rubble"}, {"rubble cleared": "18%"}),
        ({"operation": "laying", "disrupted": True}, {}),
        ({}, {}),
    ],
)
def test_the_card_of_who_is_at_work_says_what_its_next_turn_may_bring(
    state: dict[str, Any], told: dict[str, Any]
) -> None:
    t = table(". .", unit("su_sapper_coy", "0101", **state))
    found = ahead(t)
    found.pop("recovers", None)
    assert found == told
    t.set(weather=replace(t.position.weather, condition="frozen"))
    if state == {"digging_in": True} or state.get("operation") == "laying":
        assert not ahead(t).keys() & told.keys(), "the ground is frozen"


@pytest.mark.rule("PB-MOVE-108")
def test_the_card_of_who_digs_where_nothing_can_be_made_better_promises_nothing() -> None:
    trench = {"0101": [Feature("trench", ALLIED)]}
    assert ahead(table(". .", unit("su_rifle_coy", "0101", digging_in=True), features=trench)) == {}


@pytest.mark.rule("PB-ENG-36", "PB-ENG-38", "PB-ENG-50")
def test_the_card_of_who_builds_counts_his_helpers_and_the_turns_of_a_pontoon() -> None:
    t = table(
        ". .",
        *(
            unit("su_bridge_eng", place, operation=work)
            for place, work in (("0101", "building:2"), ("0201", "building:5"))
        ),
        hexsides=RIVER,
    )
    assert ahead(t) == {"bridge work done": f"{1 - 0.85 * 0.85:.0%}"}
    sea = table(
        ". ~ .\n. . .",
        unit("su_bridge_eng", "0101", operation="pontoon building:2"),
        parameters={"bridge": {"pontoon_turns": {"allied": 2}}},
    )
    assert ahead(sea) == {"bridge work done": "0%"}
    sea.change(0, progress=1)
    assert ahead(sea) == {"bridge work done": "15%"}


# --- boats ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PB-MOVE-93")
@pytest.mark.rule("PB-MOVE-95")
def test_a_ferry_takes_one_unit_a_turn_over_for_its_whole_allowance() -> None:
    t = table(
        ". .",
        unit("su_t34_76", "0101", mode=TRAVEL),
        unit("su_t34_76", "0101", mode=TRAVEL),
        hexsides={"river": ["0101-0201"], "ferry": ["0101-0201"]},
    )
    facts = [line.value for line in hex_facts(t.view(), t.hex("0101")) if line.label == "Hexside"]
    assert "FERRY to the southeast" in facts
    order = o.FerryAcross(U(0), t.hex("0201"))
    t.play(order)
    assert (t.at(0), t.unit(0).mp) == ("0201", 0)
    assert across(t) == {"river", "used_ferry"}
    facts = [line.value for line in hex_facts(t.view(), t.hex("0101")) if line.label == "Hexside"]
    assert "Ferry to the southeast" in facts
    refusal = t.refusal(o.FerryAcross(U(1), t.hex("0201")))
    assert (refusal.rule, refusal.reason) == ("PB-MOVE-93", "the ferry has gone over this turn")
    t.play(EndTurn(), AllHighest())
    assert across(t) == {"river", "ferry"}
    t.set(active=ALLIED)
    t.change(1, parts=(U(2),))
    assert t.refusal(o.FerryAcross(U(1), t.hex("0201"))).reason == "the ferry takes no combined unit"


@pytest.mark.rule("PB-MOVE-93")
def test_who_is_deployed_shaken_fixed_or_has_spent_points_does_not_go_by_boat() -> None:
    change: dict[str, Any]
    for change, rule in (
        ({}, "PB-MOVE-93"),
        ({"mode": TRAVEL, "disrupted": True}, "PB-MOVE-93"),
        ({"mode": TRAVEL, "mp": 5}, "PB-MOVE-93"),
        ({"mode": TRAVEL, "fixed": True}, "PB-MOVE-98"),
        ({"mode": TRAVEL, "operation": "holding:2"}, "PB-ENG-43"),
    ):
        t = table(
            ". .", unit("su_rifle_coy", "0101", **change), hexsides={"river": ["0101-0201"], "ferry": ["0101-0201"]}
        )
        assert t.refusal(o.FerryAcross(U(0), t.hex("0201"))).rule == rule
    assert t.refusal(o.FerryAcross(U(9), t.hex("0201"))).rule == "PB-GEN-3"


@pytest.mark.rule("PB-ENG-53")
@pytest.mark.rule("PB-ENG-54")
@pytest.mark.rule("PB-ENG-55")
def test_engineers_take_men_over_a_river_at_no_cost_to_themselves() -> None:
    t = table(
        ". . .",
        unit("su_sapper_coy", "0101"),
        unit("su_rifle_coy", "0101", mode=TRAVEL, strength=100),
        unit("su_rifle_coy", "0101", mode=TRAVEL, strength=100),
        unit("su_t34_76", "0101", mode=TRAVEL),
        hexsides=RIVER,
    )
    to = t.hex("0201")
    assert t.refusal(o.FerryAcross(U(3), to)).rule == "PB-ENG-53"
    assert t.refusal(o.FerryAcross(U(1), t.hex("0301"))).rule == "PB-ENG-53"
    for number in (1, 2):
        t.play(o.FerryAcross(U(number), to))
        assert (t.at(number), t.unit(number).mp) == ("0201", 0)
    assert t.unit(0).mp == 36
    t.play(ChangeMode(U(0), TRAVEL))
    t.play(o.FerryAcross(U(0), to))
    assert t.at(0) == "0201"


@pytest.mark.rule("PB-ENG-53")
@pytest.mark.parametrize(
    ("rider", "crew", "told"),
    [
        ({"mode": "deployed"}, {}, "only a unit in Travel Mode and in good order goes over by boat"),
        ({"mode": TRAVEL}, {"mode": TRAVEL}, "engineers who take others over must be deployed, in good order, at no"),
        ({"mode": TRAVEL}, {"mp": 5}, "other work and with all their points"),
        ({"mode": TRAVEL}, None, "no engineers are on either bank to take it over in boats"),
    ],
)
def test_who_waits_at_a_river_is_told_what_the_boats_wait_for(
    rider: dict[str, Any], crew: dict[str, Any] | None, told: str
) -> None:
    engineers = [] if crew is None else [unit("su_sapper_coy", "0101", **crew)]
    t = table(". .\n. .", unit("su_rifle_coy", "0101", **rider), *engineers, hexsides=RIVER)
    (verb,) = (one for one in RULES.menu(t.view(), Selection((U(0),))) if one.key == "ferryacross")
    assert verb.refusal is not None
    assert told in verb.refusal.reason


@pytest.mark.rule("PB-ENG-53")
def test_boats_are_a_matter_of_those_who_are_at_the_water() -> None:
    inland = {"su_sapper_coy": "0101", "su_rifle_coy": "0301"}
    t = table(". . .", *(unit(kind, place, mode=TRAVEL) for kind, place in inland.items()), hexsides=RIVER)
    assert "ferryacross" not in [one.key for one in RULES.menu(t.view(), Selection((U(1),)))]
    t = table(". ~ .", unit("su_rifle_coy", "0101", mode=TRAVEL))
    (verb,) = (one for one in RULES.menu(t.view(), Selection((U(0),))) if one.key == "ferryacross")
    assert verb.refusal is not None
    assert verb.refusal.reason == "nobody can take it over the water here"


@pytest.mark.rule("PB-ENG-53", "PB-OPF-1")
def test_the_forecast_of_a_passage_by_boat_is_that_of_a_move() -> None:
    t = table(". .", unit("su_sapper_coy", "0101"), unit("su_rifle_coy", "0101", mode=TRAVEL), hexsides=RIVER)
    found = RULES.odds(t.view(), o.FerryAcross(U(1), t.hex("0201")))
    assert found is not None
    assert [one.result for one in found.branches] == ["moves to 0201"]
    assert (found.dice, found.reactions) == (0, ())


@pytest.mark.rule("PB-ENG-53")
@pytest.mark.parametrize(
    ("kind", "change", "goes"),
    [
        ("su_82mortar", {}, True),
        ("su_120mortar", {}, False),
        ("su_cavalry", {}, True),
        ("us_aib_coy", {}, False),
        ("us_aib_coy", {"on_foot": True}, True),
        ("us_m4", {}, False),
    ],
)
def test_who_fits_into_boats(kind: str, change: dict[str, Any], goes: bool) -> None:
    t = table(". .", unit("su_sapper_coy", "0101"), unit(kind, "0101", mode=TRAVEL, **change), hexsides=RIVER)
    assert (t.check(o.FerryAcross(U(1), t.hex("0201"))) is None) is goes


@pytest.mark.rule("PB-ENG-53")
def test_boats_go_nowhere_without_a_river_room_or_firm_ground_and_not_to_the_enemy() -> None:
    t = table(". . m", unit("su_sapper_coy", "0101"), unit("su_rifle_coy", "0101", mode=TRAVEL))
    assert t.refusal(o.FerryAcross(U(1), t.hex("0201"))).reason == "there is no river or canal to be crossed"
    t = table(
        ". .",
        unit("su_sapper_coy", "0101"),
        unit("su_rifle_coy", "0101", mode=TRAVEL),
        unit("de_rifle_coy", "0201"),
        hexsides=RIVER,
        fog=False,
    )
    assert t.refusal(o.FerryAcross(U(1), t.hex("0201"))).rule == "PB-MOVE-14"
    t = table(
        ". .",
        unit("su_sapper_coy", "0101"),
        unit("su_rifle_coy", "0101", mode=TRAVEL),
        unit("su_rifle_coy", "0201", strength=480),
        hexsides=RIVER,
    )
    assert t.refusal(o.FerryAcross(U(1), t.hex("0201"))).rule == "PB-STK-2"
    t = table(". m", unit("su_t34_76", "0101", mode=TRAVEL), hexsides={"river": ["0101-0201"], "ferry": ["0101-0201"]})
    assert t.refusal(o.FerryAcross(U(0), t.hex("0201"))).rule == "PB-MOVE-7"


@pytest.mark.rule("PB-MOVE-14")
def test_a_boat_that_meets_an_unseen_enemy_turns_back() -> None:
    t = table(
        ". F",
        unit("su_rifle_coy", "0101", mode=TRAVEL),
        unit("de_rifle_coy", "0201", concealed=True),
        hexsides={"river": ["0101-0201"], "ferry": ["0101-0201"]},
    )
    t.play(o.FerryAcross(U(0), t.hex("0201")), AllHighest())
    assert t.only(Bumped).revealed == (1,)
    assert (t.at(0), t.unit(0).mp) == ("0101", 0)


@pytest.mark.rule("PB-ENG-56")
def test_engineers_with_boats_take_one_unit_at_a_time_onto_the_water() -> None:
    t = table(
        ". ~ .\n. . .",
        unit("su_bridge_eng", "0101"),
        unit("su_rifle_coy", "0101", mode=TRAVEL, strength=50),
        unit("su_rifle_coy", "0101", mode=TRAVEL, strength=50),
    )
    to = t.hex("0201")
    t.play(o.FerryAcross(U(1), to))
    assert (t.at(1), t.unit(1).mp) == ("0201", 0)
    assert t.refusal(o.FerryAcross(U(2), to)).reason == "one unit at a time is ferried in a Water hex"
    t.change(1, mp=36)
    assert t.check(Move((U(1),), t.hexes("0301"))) is None
    t = table(". ~ .", unit("su_sapper_coy", "0101"), unit("su_rifle_coy", "0101", mode=TRAVEL))
    assert t.refusal(o.FerryAcross(U(1), t.hex("0201"))).rule == "PB-ENG-56"
    t = table(
        ". ~ .",
        unit("su_bridge_eng", "0101"),
        unit("su_rifle_coy", "0101", mode=TRAVEL),
        hex_features={"full_ferry": ["0201"]},
    )
    assert t.refusal(o.FerryAcross(U(1), t.hex("0201"))).reason == "there is a bridge or a ferry in that hex"


@pytest.mark.rule("PB-MOVE-94")
def test_a_ferry_is_destroyed_without_a_roll_for_a_third() -> None:
    t = table(". .", unit("su_rifle_coy", "0101"), hexsides={"river": ["0101-0201"], "ferry": ["0101-0201"]})
    t.play(o.DestroyFerry(U(0), t.hex("0201")))
    assert (across(t), t.unit(0).mp) == ({"river"}, 24)
    assert t.refusal(o.DestroyFerry(U(0), t.hex("0201"))).rule == "PB-MOVE-94"
    assert t.refusal(o.DestroyFerry(U(9), t.hex("0201"))).rule == "PB-GEN-3"


# --- telling --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PB-UNIT-6")
def test_the_enemy_learns_of_work_that_he_sees_and_of_no_other() -> None:
    for fog, heard in ((True, 0), (False, 1)):
        t = table(". F . .", unit("su_rifle_coy", "0101"), unit("de_rifle_coy", "0401"), visibility=(1,), fog=fog)
        t.play(o.DigIn(U(0)))
        assert len(t.heard(AXIS, WorkChanged)) == heard
    t = table(". .", unit("su_sapper_coy", "0101"), unit("de_rifle_coy", "0201"), features={"0101": [MINES]})
    t.play(o.ClearMines(U(0)))
    (told,) = t.heard(AXIS, WorkChanged)
    assert (told.operation, told.mp) == ("clearing", 0)
    t = table(
        ". . .", unit("su_sapper_coy", "0101"), unit("de_rifle_coy", "0301"), hexsides={"at_ditch": ["0101-0201"]}
    )
    t.play(o.Demolish(U(0), t.hex("0201")), (ONE, ONE))
    (tried,) = t.heard(AXIS, DamageTried)
    assert (tried.mp, tried.done) == (0, True)
    assert not t.all(FeatureChanged)


@pytest.mark.rule("PB-ENG-64")
@pytest.mark.rule("PB-ENG-1")
@pytest.mark.rule("PB-ENG-2")
def test_every_command_of_engineers_is_in_their_menu() -> None:
    from sandtable.kernel.ruleset import Selection

    t = table(". .", unit("su_sapper_coy", "0101"), hexsides={"at_ditch": ["0101-0201"]}, features={"0101": [MINES]})
    shown = {
        verb.key: verb for verb in RULES.menu(t.view(), Selection((U(0),), t.hex("0101"))) if verb.group == "Engineers"
    }
    assert {"digin", "clearmines", "laymines", "demolish"} <= set(shown)
    assert shown["laymines"].refusal is not None
    assert shown["demolish"].targets[0].brief == "100.0%"
    elsewhere = RULES.why_not(t.view(), "digin", Selection((U(0),), t.hex("0101")), Selection((), t.hex("0201")))
    assert elsewhere is not None


@pytest.mark.rule("PB-ENG-38")
def test_of_several_at_one_bridge_the_first_holds_it_and_the_others_are_free() -> None:
    t = table(
        ". .",
        unit("su_bridge_eng", "0101", operation="building:2"),
        unit("su_bridge_eng", "0101", operation="building:2"),
        hexsides=RIVER,
    )
    t.work(bridges.work, ALLIED, (ONE,))
    assert [t.unit(n).operation for n in (0, 1)] == ["holding:2", ""]
    t.change(0, mode=TRAVEL)
    t.play(ChangeMode(U(0), "deployed"))
    assert t.unit(0).operation == "holding:2"


@pytest.mark.rule("PB-ENG-7")
@pytest.mark.rule("PB-ENG-24")
@pytest.mark.rule("PB-ENG-38")
def test_the_work_of_the_shaken_is_over_when_others_have_done_it() -> None:
    mined = {"0101": [Feature("minefield", AXIS, 1)]}
    pair = [unit("su_bridge_eng", "0101", disrupted=shaken) for shaken in (False, True)]
    for work, do, dice in (("clearing", mines.clear, ()), ("building:2", bridges.work, (ONE,))):
        t = table(". .", *pair, hexsides=RIVER, features=mined)
        for number in (0, 1):
            t.change(number, operation=work)
        t.work(do, ALLIED, dice)
        assert t.unit(1).operation == ""
        t.change(1, disrupted=False)
        t.work(do, ALLIED, ())


@pytest.mark.rule("PB-ENG-38")
@pytest.mark.rule("PB-ENG-52")
def test_engineers_on_both_banks_build_one_pontoon() -> None:
    t = table(
        ". ~ .\n. . .",
        unit("su_bridge_eng", "0101", operation="pontoon building:2", progress=1),
        unit("su_bridge_eng", "0302", operation="pontoon building:5", progress=1),
        parameters={"bridge": {"pontoon_turns": {"allied": 1}}},
    )
    t.work(bridges.work, ALLIED, (ONE,))
    assert [one.kind for one in there(t, "0201")] == ["pontoon"]
    assert [t.unit(n).operation for n in (0, 1)] == ["pontoon holding:2", ""]


@pytest.mark.rule("PB-ENG-38", "PB-ENG-48", "PB-ENG-49")
def test_who_bridges_a_water_hex_another_way_does_not_help_and_is_done_when_it_is_bridged() -> None:
    t = table(
        ". ~ .\n. . .",
        unit("su_bridge_eng", "0101", operation="pontoon building:2", progress=1),
        unit("su_bridge_eng", "0301", operation="pontoon building:4", progress=1),
        parameters={"bridge": {"pontoon_turns": {"allied": 1}}},
    )
    t.work(bridges.work, ALLIED, (HIGHEST, HIGHEST))
    assert [t.unit(n).operation for n in (0, 1)] == ["pontoon building:2", "pontoon building:4"]
    t.work(bridges.work, ALLIED, (ONE,))
    assert there(t, "0201") == [Feature("pontoon", count=2)]
    assert [t.unit(n).operation for n in (0, 1)] == ["pontoon holding:2", ""]


@pytest.mark.rule("PB-ENG-8")
def test_a_clearer_who_spends_his_last_is_gone() -> None:
    t = table(
        ". .",
        unit("de_assault_pio", "0101", operation="clearing", strength=1),
        features={"0101": [Feature("minefield", AXIS, 1)]},
    )
    t.work(mines.clear, AXIS, (HIGHEST,))
    assert t.at(0) == ""


@pytest.mark.rule("PB-MOVE-85")
def test_what_becomes_of_mines_is_told_to_who_owns_them_and_seen_by_who_is_there() -> None:
    t = table(
        ". . . .",
        unit("su_sapper_coy", "0101", operation="clearing"),
        unit("de_rifle_coy", "0401"),
        features={"0101": [Feature("minefield", AXIS, 1)]},
        visibility=(1,),
    )
    t.play(EndTurn(), AllHighest())
    t.play(EndTurn(), AllHighest())
    assert t.heard(AXIS, FeatureChanged)
    assert t.heard(ALLIED, FeatureChanged)
    assert not t.known(ALLIED).features


@pytest.mark.rule("PB-ENG-24")
@pytest.mark.rule("PB-SPOT-26")
def test_who_clears_barriers_of_the_enemy_is_told_what_is_left_of_them() -> None:
    t = table(
        ". . . .",
        unit("su_sapper_coy", "0101", operation="clearing"),
        unit("de_rifle_coy", "0401"),
        features={"0101": [Feature("minefield", AXIS, 2)]},
        visibility=(1,),
    )
    for words in ("The mines in 0101 are down to strength 1", "The mines in 0101 are cleared"):
        t.play(EndTurn(), AllHighest())
        t.play(EndTurn(), AllHighest())
        (told,) = t.heard(ALLIED, FeatureChanged)
        assert RULES.describe(told, t.view(ALLIED)) == words
        assert RULES.marks(told).rule == "PB-ENG-24"
        assert not t.heard(ALLIED, FeaturesSeen), "nothing is left to be found"
    t = table(
        ". . . .",
        unit("su_sapper_coy", "0101", operation="clearing"),
        unit("de_rifle_coy", "0401"),
        features={"0101": [Feature("obstacle", ALLIED)]},
        visibility=(3,),
    )
    t.play(EndTurn(), AllHighest())
    t.play(EndTurn(), AllHighest())
    (told,) = t.heard(ALLIED, FeatureChanged)
    assert RULES.describe(told, t.view(ALLIED)) == "The obstacle in 0101 is cleared"
    assert not t.heard(AXIS, FeatureChanged), "he sees that it is gone"


@pytest.mark.rule("PB-ENG-8")
def test_that_charges_were_spent_is_told_to_who_sees_the_clearers() -> None:
    for foe, heard in (("0201", True), ("0501", False)):
        t = table(
            ". . . . .",
            unit("de_assault_pio", "0101", AXIS, operation="clearing"),
            unit("su_rifle_coy", foe),
            features={"0101": [Feature("minefield", ALLIED, 1)]},
            visibility=(1,),
        )
        t.play(EndTurn(), AllHighest())
        (told,) = t.heard(AXIS, Struck)
        assert RULES.describe(told, t.view(AXIS)) == "Assault pioneer platoon #0: charges spent, loses 2 men"
        assert RULES.marks(told).rule == "PB-ENG-8"
        assert bool(t.heard(ALLIED, Struck)) == heard


@pytest.mark.rule("PB-MOVE-81")
def test_who_sees_a_unit_among_mines_is_told() -> None:
    t = table(
        ". . .",
        unit("su_rifle_coy", "0101"),
        unit("de_rifle_coy", "0301"),
        features={"0201": [MINES]},
    )
    t.play(Move((U(0),), t.hexes("0201")), AllHighest())
    (told,) = t.heard(AXIS, MinesTouched)
    assert told.lines == ()


@pytest.mark.rule("PB-ENG-35")
@pytest.mark.rule("PB-ENG-43")
def test_engineers_are_offered_every_hexside_they_could_bridge_and_nothing_happens_to_a_bridge_that_is_held() -> None:
    t = table(
        ". .", unit("su_bridge_eng", "0101"), unit("su_bridge_eng", "0101", operation="holding:2"), hexsides=RIVER
    )
    assert bridges.sites(t.position, t.unit(0)) == [t.hex("0201")]
    t.bridge("0101", "0201")
    t.work(bridges.work, ALLIED, ())
    assert across(t) == {"river", "engineer_bridge"}


@pytest.mark.rule("PB-MOVE-87", "PB-MOVE-31", "PB-MOVE-41", "PB-MAP-5")
@pytest.mark.parametrize(
    ("road", "is_rail"), [("trail", False), ("primary", False), ("rail", True), ("trail_rail", True)]
)
def test_a_trail_is_no_rail_line(road: str, is_rail: bool) -> None:
    t = table(". .", unit("su_rifle_coy", "0101", side=ALLIED), roads={road: [["0101", "0201"]]})
    assert has_rail(t.position.ground.board, t.hex("0101")) is is_rail
    offered = [verb.key for verb in RULES.menu(t.view(), Selection((U(0),)))]
    assert ("damagerail" in offered, "rail" in offered) == (is_rail, is_rail)
    assert (t.check(o.DamageRail(U(0))) is None) is is_rail


@pytest.mark.rule("PB-MOVE-87")
@pytest.mark.rule("PB-ENG-18")
def test_partisans_may_spoil_the_damage_to_a_rail_line() -> None:
    t = table(
        ". . .",
        unit("de_rifle_coy", "0101"),
        unit("su_rifle_coy", "0301", flags=("partisan",)),
        roads={"rail": [["0101", "0201"]]},
        parameters={"deception": {"damage_pct": {"allied": 50}}},
        fog=False,
        active=AXIS,
    )
    t.play(o.DamageRail(U(0)), (ONE,))
    assert (there(t, "0101"), t.unit(0).mp) == ([], 24)
    t.play(o.DamageRail(U(0)), (HIGHEST,))
    assert there(t, "0101") == [Feature("rail_damage", AXIS)]
    assert t.heard(ALLIED, FeatureChanged)


@pytest.mark.rule("PB-ASLT-4")
@pytest.mark.rule("PB-ENG-57")
def test_who_clears_rubble_may_storm_and_who_is_among_mines_or_at_a_bridge_may_not() -> None:
    for work, rule in (("rubble", ""), ("clearing", "PB-ASLT-4"), ("laying", "PB-ASLT-4"), ("building:2", "PB-ASLT-4")):
        t = table(". .", unit("su_sapper_coy", "0101", operation=work), unit("de_rifle_coy", "0201"), fog=False)
        refusal = t.check(Assault((U(0),), t.hex("0201")))
        assert (refusal.rule if refusal else "") == rule


@pytest.mark.rule("PB-ENG-59")
@pytest.mark.rule("PB-MOVE-54")
def test_who_goes_down_with_a_long_bridge_in_a_truck_is_counted_once() -> None:
    t = table(
        ". ~ .",
        unit("de_truck", "0201", ALLIED, mode=TRAVEL, strength=5),
        unit("su_rifle_plt", "0201", strength=20, carrier=U(0)),
        unit("de_assault_pio", "0101"),
        hex_features={"full_bridge": ["0201"]},
        features={"0201": [Feature("wired")]},
        parameters={"bridge": {"defense": {"heavy": 1}}},
        active=AXIS,
    )
    t.play(o.Demolish(U(2), t.hex("0201")), AllHighest())
    assert t.position.losses[ALLIED] == {"de_truck": 5, "su_rifle_plt": 20}
