"""Who comes and goes: reinforcements by road, sea and air, releases, withdrawals and exits."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.kernel.decisions import Refusal
from sandtable.kernel.ids import NOWHERE
from sandtable.kernel.ruleset import Selection
from sandtable.rulesets.panzer_battles import describe, victory
from sandtable.rulesets.panzer_battles.air.events import MissionFlown
from sandtable.rulesets.panzer_battles.air.orders import CallStrike
from sandtable.rulesets.panzer_battles.events import ObjectiveTaken, Struck, UnitsSeen
from sandtable.rulesets.panzer_battles.model import ALLIED, AXIS, COMING, DUE, ELIMINATED, EXITED, WITHDRAWN, Feature
from sandtable.rulesets.panzer_battles.orderbook import BOOK
from sandtable.rulesets.panzer_battles.orders import Assault, EndTurn, Fire, Move
from sandtable.rulesets.panzer_battles.organization.orders import Combine
from sandtable.rulesets.panzer_battles.parameters import DEFAULTS
from sandtable.rulesets.panzer_battles.reinforcements import events as e
from sandtable.rulesets.panzer_battles.reinforcements import leaving
from sandtable.rulesets.panzer_battles.reinforcements.landing import losses
from sandtable.rulesets.panzer_battles.reinforcements.orders import Arrive, RemoveFromMap
from tests.rulesets.panzer_battles.table import HIGHEST, RULES, AllHighest, Counter, Table, U, coming, table, unit
from tests.rulesets.panzer_battles.test_examples import Facts, of_kind

OPEN = """
. . . . .
. . . . .
. . . . .
. . . . .
"""


def pass_turn(t: Table) -> None:
    """The active side has ended its turn, with no luck in anything."""
    t.play(EndTurn(), AllHighest())


def menu_of(t: Table, key: str) -> Any:
    return next(verb for verb in RULES.menu(t.view(t.position.active), Selection()) if verb.key == key)


@pytest.mark.rule("PB-REIN-1", "PB-REIN-5", "PB-TURN-4")
def test_reinforcements_are_announced_in_their_turn_and_come_in_by_order() -> None:
    t = table(OPEN, unit("us_m4", "0101"), unit("de_rifle_coy", "0504"), coming("us_m4", "0103", 2, mp=0))
    assert t.refusal(Arrive(U(2))).reason == "it is not due to arrive"
    pass_turn(t)
    pass_turn(t)
    assert t.unit(2).away == DUE
    assert t.only(e.ArrivalsAnnounced).units == (2,)
    assert not t.heard(AXIS, e.ArrivalsAnnounced)
    verb = menu_of(t, "arrive")
    assert [target.hex for target in verb.targets] == [t.hex("0103")]
    t.play(Arrive(U(2)))
    arrived = t.unit(2)
    assert (t.at(2), arrived.away, arrived.mp, arrived.mode) == ("0103", "", 110, "travel")
    assert not t.heard(AXIS, e.Arrived)
    assert [unit.id for seen in t.heard(AXIS, UnitsSeen) for unit in seen.units] == [2]
    assert t.refusal(Arrive(U(2))).rule == "PB-REIN-1"


def test_nobody_brings_in_what_is_not_his() -> None:
    t = table(OPEN, unit("us_m4", "0101"), coming("de_pz4h", "0103", 1, away=DUE))
    assert t.refusal(Arrive(U(1))).rule == "PB-GEN-3"
    assert t.refusal(Arrive(U(9))).reason == "there is no such unit"


@pytest.mark.rule("PB-TURN-4")
def test_next_turn_reminds_of_reinforcements_that_wait() -> None:
    t = table(OPEN, unit("us_m4", "0101"), unit("de_pz4h", "0504"), coming("us_m4", "0103", 1, away=DUE))
    (left,) = BOOK.losses(t.known(ALLIED), ALLIED, "orders")
    assert (left.rule, left.hex, left.units) == ("PB-TURN-4", t.hex("0103"), ())


@pytest.mark.rule("PB-REIN-2")
def test_an_entry_may_fail_to_come_and_is_tested_again_each_turn() -> None:
    t = table(
        OPEN,
        unit("us_m4", "0101"),
        unit("de_rifle_coy", "0504"),
        coming("us_m4", "0103", 1, arrival={"chance": 40}),
        coming("us_m4", "0103", 1, arrival={"chance": 40}),
    )
    t.set(active=AXIS)
    t.play(EndTurn(), AllHighest())
    assert t.unit(2).away == COMING
    t.play(EndTurn(), AllHighest())
    t.set(turn=1)
    t.play(EndTurn(), dice=[1])
    assert (t.unit(2).away, t.unit(3).away) == (DUE, DUE)


@pytest.mark.rule("PB-REIN-3", "PB-REIN-4")
def test_a_protected_arrival_breaks_enemies_around_and_destroys_who_holds_the_hex() -> None:
    t = table(
        OPEN,
        unit("us_m4", "0101"),
        unit("de_rifle_coy", "0103"),
        unit("de_rifle_coy", "0203"),
        unit("de_rifle_coy", "0504"),
        coming("us_m4", "0103", 1, away=DUE, arrival={"protection": 2}),
        unit("de_truck", "0103", strength=2),
        unit("de_rifle_plt", "0103", strength=20, carrier=U(5)),
    )
    t.play(Arrive(U(4)))
    assert t.unit(1).gone == "eliminated"
    assert t.position.losses[AXIS] == {"de_rifle_coy": t.unit(1).full, "de_truck": 2, "de_rifle_plt": 20}
    assert (t.unit(2).broken, t.unit(3).broken) == (True, False)
    assert t.at(4) == "0103"
    assert "broken by the arrival" in describe.sentence(t.only(e.ArrivalProtected), t.position).lower()


@pytest.mark.rule("PB-REIN-3", "PB-REIN-4")
@pytest.mark.parametrize("by", ["paradrop", "glider", "infiltration"])
def test_an_arrival_from_the_air_or_in_secret_is_protected_as_well_where_its_entry_says_so(by: str) -> None:
    foes = unit("de_rifle_coy", "0103"), unit("de_rifle_coy", "0203"), unit("de_rifle_coy", "0504")
    arrival = {"protection": 2, "by": by}
    t = table(OPEN, unit("us_m4", "0101"), *foes, coming("us_para_coy", "0103", 1, away=DUE, arrival=arrival))
    t.play(Arrive(U(4)), AllHighest())
    assert t.unit(1).gone == "eliminated"
    assert (t.unit(2).broken, t.unit(3).broken) == (True, False)
    assert t.at(4) == "0103"


@pytest.mark.rule("PB-REIN-3", "PB-VIC-12", "PB-MOVE-54")
def test_who_rides_on_somebody_whom_a_protected_arrival_destroys_is_lost_once() -> None:
    t = table(
        OPEN,
        unit("us_m4", "0102"),
        unit("de_truck", "0103", strength=2),
        unit("de_pak40", "0103", strength=2, carrier=U(1)),
        coming("us_m4", "0103", 1, away=DUE, arrival={"protection": 1}),
    )
    t.play(Arrive(U(3)))
    assert t.position.losses[AXIS] == {"de_truck": 2, "de_pak40": 2}


@pytest.mark.rule("PB-FIRE-68", "PB-REIN-3")
def test_a_work_whose_defenders_a_protected_arrival_destroys_is_vacated() -> None:
    t = table(
        OPEN,
        unit("de_rifle_coy", "0103"),
        coming("us_m4", "0103", 1, away=DUE, arrival={"protection": 1}),
        features={"0103": [Feature("trench", AXIS)]},
    )
    t.play(Arrive(U(1)))
    assert t.at(1) == "0103"
    assert t.position.features[t.hex("0103")] == (Feature("trench", AXIS, vacated=True),)


@pytest.mark.rule("PB-STK-9")
def test_without_protection_nobody_arrives_where_an_enemy_stands() -> None:
    t = table(
        "F . .\n. . .",
        unit("us_m4", "0302"),
        unit("de_rifle_coy", "0101"),
        coming("us_m4", "0101", 1, away=DUE),
    )
    assert t.refusal(Arrive(U(2))).rule == "PB-STK-9"
    t.change(1, concealed=True)
    t.play(Arrive(U(2)))
    assert t.unit(2).away == COMING
    assert t.only(e.ArrivalPutOff).reason == "somebody holds the hex"
    assert not t.heard(AXIS, e.ArrivalPutOff)


@pytest.mark.rule("PB-STK-10")
def test_arrivals_by_road_ignore_the_stacking_limit_and_landings_reach_twice_of_it() -> None:
    crowd = [unit("us_rifle_coy", "0103", strength=160) for _ in range(3)]
    t = table(OPEN, *crowd, unit("de_pz4h", "0504"), coming("us_rifle_coy", "0103", 1, away=DUE, strength=160))
    t.play(Arrive(U(4)))
    assert t.at(4) == "0103"
    sea = {"by": "amphibious"}
    many = [coming("us_rifle_coy", "0103", 1, away=DUE, strength=160, full=160, arrival=sea) for _ in range(4)]
    t = table(OPEN, *crowd, unit("de_pz4h", "0504"), *many)
    t.play(Arrive(U(4)))
    assert [t.at(number) for number in (4, 5, 6, 7)] == ["0103", "0103", "0103", ""]
    assert t.refusal(Arrive(U(7))).rule == "PB-STK-10"
    t.change(0, mode="rail")
    assert t.check(Arrive(U(7))) is None, "trains are not counted"


@pytest.mark.rule("PB-REIN-5")
def test_artillery_arrives_as_if_it_had_moved() -> None:
    counters = (unit("us_m4", "0101"), unit("de_pz4h", "0504"), coming("us_m7", "0103", 1, away=DUE))
    t = table(OPEN, *counters, options={"artillery_setup": True})
    t.play(Arrive(U(2)))
    assert t.unit(2).setup_required
    assert t.unit(2).moved
    for kind, moved in (("us_m7", True), ("us_m4", False), ("uk_destroyer", False)):
        t = table(OPEN, *counters[:2], coming(kind, "0103", 1, away=DUE))
        t.play(Arrive(U(2)))
        assert t.unit(2).moved is moved


@pytest.mark.rule("PB-REIN-15")
def test_in_a_storm_nobody_lands_from_the_air_or_the_sea() -> None:
    for by in ("paradrop", "glider", "amphibious"):
        t = table(
            OPEN,
            unit("de_pz4h", "0504"),
            coming("us_para_coy", "0103", 1, away=DUE, arrival={"by": by}),
            storm=True,
        )
        assert t.refusal(Arrive(U(1))).rule == "PB-REIN-15"


def jump(**arrival: Any) -> Counter:
    """A hundred men who jump over 0202."""
    way = {"by": "paradrop", **arrival}
    return coming("us_para_coy", "0202", 1, away=DUE, arrival=way, mode="deployed", strength=100, full=100)


def dropped(terrain: str, dice: list[int], *others: Any, **arrival: Any) -> Table:
    """The first unit has been dropped on 0202."""
    t = table(terrain, jump(**arrival), *others, unit("de_pz4h", "0303"))
    t.play(Arrive(U(0)), dice=dice)
    return t


HALF = 1 << 52


@pytest.mark.rule("PB-REIN-6", "PB-REIN-11", "PB-REIN-13", "PB-REIN-14", "PB-VIC-13")
def test_parachutists_scatter_lose_some_and_land_without_movement_points() -> None:
    t = dropped("...\n...\n...", [1, HALF, 1], scatter=1)
    landed = t.unit(0)
    assert t.at(0) == "0201"
    assert (landed.mode, landed.mp) == ("deployed", 0)
    # one hex off: 10 percent, and half of 20
    assert landed.strength == 80
    assert t.position.losses[ALLIED]["us_para_coy"] == landed.full - landed.strength


@pytest.mark.rule("PB-REIN-7")
def test_who_lands_in_water_is_lost() -> None:
    t = dropped("...\n.~.\n...", [])
    assert t.unit(0).gone == "eliminated"


@pytest.mark.rule("PB-REIN-8", "PB-REIN-9", "PB-REIN-11", "PB-REIN-12")
def test_what_landing_costs_by_terrain() -> None:
    assert losses("paradrop", "marsh", 0, 0, DEFAULTS) == (0, 60)
    assert losses("paradrop", "forest", 0, 0, DEFAULTS) == (0, 20)
    assert losses("glider", "forest", 0, 0, DEFAULTS) == (0, 60)
    assert losses("glider", "clear", 1, 3, DEFAULTS) == (16, 36)


@of_kind("landing")
def test_what_landing_costs(situation: Facts, expected: Facts) -> None:
    mines = situation.get("mine_strength", 0)
    low, high = losses(situation["kind"], situation["terrain"], situation["scatter"], mines, DEFAULTS)
    assert [low, high] == expected["loss_pct_range"]
    assert (low + high) / 2 == expected.get("mean_pct", (low + high) / 2)


@pytest.mark.rule("PB-REIN-12")
def test_a_minefield_adds_to_what_landing_costs() -> None:
    t = table("...\n...\n...", jump(), unit("de_pz4h", "0303"), features={"0202": [Feature("minefield", AXIS, 3)]})
    t.play(Arrive(U(0)), dice=[1, HIGHEST])
    assert t.unit(0).strength == 94


@pytest.mark.rule("PB-REIN-10")
def test_who_lands_on_an_enemy_loses_most_and_gets_away_beside_him() -> None:
    t = table("..~\n...\n...", jump(), unit("de_pz4h", "0202"))
    t.play(Arrive(U(0)), dice=[1, HIGHEST])
    assert (t.at(0), t.unit(0).strength) == ("0201", 20)
    t = table("~~~\n~.~\n~~~", jump(), unit("de_pz4h", "0202"))
    t.play(Arrive(U(0)))
    assert t.unit(0).gone == "eliminated"
    t = table("mmm\nm.m\nmmm", jump(), unit("de_pz4h", "0202"))
    t.play(Arrive(U(0)), dice=[1, HIGHEST])
    assert t.unit(0).gone == "eliminated"


@pytest.mark.rule("PB-REIN-10", "PB-VIC-4")
def test_who_is_lost_on_landing_takes_no_objective_and_who_is_left_does() -> None:
    axis = {"0202": AXIS, "0201": AXIS}
    t = table("~~~\n~.~\n~~~", jump(), unit("de_pz4h", "0202"), owners=axis)
    t.play(Arrive(U(0)))
    assert t.position.owners[t.hex("0202")] == AXIS
    t = table("..~\n...\n...", jump(), unit("de_pz4h", "0202"), owners=axis)
    t.play(Arrive(U(0)), dice=[1, HIGHEST])
    assert t.position.owners == {t.hex("0202"): AXIS, t.hex("0201"): ALLIED}


@pytest.mark.rule("PB-REIN-13", "PB-FIRE-63")
def test_what_a_landing_out_of_sight_costs_is_not_told_to_the_enemy() -> None:
    t = table("..F..\n...F.\n..F..", jump(), unit("de_pz4h", "0502"), visibility=[1])
    t.play(Arrive(U(0)), dice=[HALF, HIGHEST])
    assert t.known(ALLIED).losses[ALLIED] == {"us_para_coy": 100 - t.unit(0).strength}
    assert t.known(AXIS).losses == {}
    assert not t.heard(AXIS, Struck)


@pytest.mark.rule("PB-REIN-16")
def test_infiltrators_come_into_an_empty_hex_or_wait() -> None:
    way = {"by": "infiltration"}

    def slips(terrain: str, dice: list[int], *others: Any) -> Table:
        t = table(terrain, coming("su_partisan", "0202", 1, away=DUE, mode="deployed", arrival=way), *others)
        t.play(Arrive(U(0)), dice=dice)
        return t

    assert slips("...\n...\n...", [], unit("de_pz4h", "0303")).at(0) == "0202"
    assert slips("...\n...\n...", [1], unit("de_pz4h", "0202")).at(0) == "0201"
    t = slips("~~~\n~.~\n~~~", [], unit("de_pz4h", "0202"))
    assert t.unit(0).away == COMING
    assert "can't arrive" in describe.sentence(t.only(e.ArrivalPutOff), t.position)


@pytest.mark.rule("PB-REIN-17")
def test_ships_appear_at_sea() -> None:
    t = table("~~~\n~~~", unit("de_pz4h", "0302"), coming("uk_destroyer", "0101", 1, away=DUE, arrival={"by": "sea"}))
    t.play(Arrive(U(1)))
    assert t.at(1) == "0101"


@pytest.mark.rule("PB-OPT-16")
def test_under_automatic_arrival_reinforcements_come_in_by_themselves() -> None:
    t = table(
        OPEN,
        unit("us_m4", "0101"),
        unit("de_rifle_coy", "0504"),
        coming("us_m4", "0103", 2),
        options={"automatic_arrival": True},
        owners={"0103": AXIS},
    )
    pass_turn(t)
    pass_turn(t)
    assert t.at(2) == "0103"
    assert t.only(ObjectiveTaken).side == ALLIED


@pytest.mark.rule("PB-REIN-1")
def test_all_that_come_in_together_are_named_with_their_strengths() -> None:
    t = table(
        OPEN,
        unit("de_rifle_coy", "0504"),
        coming("us_m4", "0202", 1, away=DUE),
        coming("us_rifle_coy", "0202", 1, away=DUE, strength=90),
    )
    assert RULES.order_text(Arrive(U(1)), t.view()) == "bring in M4 Sherman platoon #1 and Rifle company #2"
    (tally,) = RULES.explain(t.view(), Arrive(U(1)))
    assert (tally.title, tally.total) == ("Units that arrive", 2)
    assert [line.value for line in tally.lines] == ["5 vehicles", "90 men"]


@pytest.mark.rule("PB-REIN-11", "PB-REIN-12")
def test_the_odds_of_an_arrival_are_explained() -> None:
    t = table(
        OPEN,
        unit("de_rifle_coy", "0504"),
        coming("us_para_coy", "0103", 1, away=DUE, strength=100, arrival={"by": "glider"}),
        coming("us_m4", "0202", 1, away=DUE),
    )
    men, lost = RULES.explain(t.view(), Arrive(U(1)))
    assert ([line.value for line in men.lines], lost.total) == (["100 men"], "0 to 20")
    t.set(features={t.hex("0103"): (Feature("minefield", ALLIED, 2),)})
    _, lost = RULES.explain(t.view(), Arrive(U(1)))
    assert lost.total == "4 to 24"
    (tanks,) = RULES.explain(t.view(), Arrive(U(2)))
    assert tanks.total == 1
    assert "bring in" in RULES.order_text(Arrive(U(1)), t.view())
    row = BOOK.of(Arrive(U(1)))
    assert row.point(t.known(ALLIED), ALLIED, (), Selection(hex=t.hex("0202"))) == Arrive(U(2))
    assert isinstance(row.point(t.known(ALLIED), ALLIED, (), Selection(hex=t.hex("0101"))), Refusal)


@pytest.mark.rule("PB-REIN-1", "PB-SUP-19")
def test_whoever_rides_arrives_with_his_carrier() -> None:
    t = table(
        OPEN,
        unit("de_rifle_coy", "0504"),
        coming("de_truck", "0103", 1, away=DUE, side="allied", arrival={"supplied": 3}),
        coming("us_rifle_coy", "0103", 1, carrier=U(1)),
    )
    t.play(Arrive(U(1)))
    assert (t.at(2), t.unit(2).away) == ("0103", "")
    assert (t.unit(1).supplied_until, t.unit(2).supplied_until) == (3, 3)


# --- releases and fixing --------------------------------------------------------------------------------------------


@pytest.mark.rule("PB-MOVE-100")
def test_a_release_frees_an_organization_at_its_turn() -> None:
    t = table(
        OPEN.replace(". . . . .", ". . F F F"),
        unit("us_m4", "0101", fixed=True),
        unit("de_rifle_coy", "0504", concealed=True),
        sections={"releases": [{"formation": "brigade", "turn": 2}]},
        visibility=[2],
    )
    pass_turn(t)
    assert t.unit(0).fixed
    pass_turn(t)
    assert not t.unit(0).fixed
    assert t.only(e.UnitsReleased).units == (0,)
    assert not t.heard(AXIS, e.UnitsReleased)


@pytest.mark.rule("PB-MOVE-99")
def test_who_sees_an_enemy_or_is_spotted_is_fixed_no_more() -> None:
    t = table(
        "F . . . .",
        unit("us_m4", "0501"),
        unit("de_rifle_coy", "0101", fixed=True, concealed=True),
        unit("de_rifle_coy", "0101", fixed=True),
        visibility=[2],
    )
    t.play(Move((U(0),), t.hexes("0401")), AllHighest())
    assert t.unit(1).fixed
    t.play(Move((U(0),), t.hexes("0301")), AllHighest())
    assert not t.unit(1).fixed
    assert not t.unit(2).fixed


@pytest.mark.rule("PB-MOVE-99")
def test_who_gives_himself_away_by_firing_is_fixed_no_more_at_once() -> None:
    t = table(
        "F . . F",
        unit("us_rifle_coy", "0101", fixed=True, concealed=True),
        unit("de_rifle_coy", "0301"),
        unit("de_rifle_coy", "0401", fixed=True, concealed=True),
    )
    t.change(0, fixed=True)
    t.play(Fire(U(0), U(1)), AllHighest())
    assert not t.unit(0).fixed
    assert not t.unit(2).fixed, "he sees who fired"
    assert t.heard(ALLIED, e.UnitsReleased) == [e.UnitsReleased(ALLIED, (U(0),))]


@pytest.mark.rule("PB-MOVE-99")
def test_who_is_assaulted_is_fixed_no_more() -> None:
    t = table("...", unit("us_m4", "0101"), unit("de_rifle_coy", "0201", fixed=True, strength=5))
    t.play(Assault((U(0),), t.hex("0201")), AllHighest())
    assert not t.unit(1).fixed


@pytest.mark.rule("PB-MOVE-100")
def test_a_flagged_release_is_triggered_when_one_of_the_organization_is_spotted() -> None:
    t = table(
        ". . . F F F F F",
        unit("us_m4", "0101"),
        unit("de_rifle_coy", "0301"),
        unit("de_rifle_coy", "0801", fixed=True, concealed=True),
        sections={"releases": [{"formation": "regiment", "turn": 9, "when_spotted": True}]},
        visibility=[2],
    )
    t.play(Move((U(0),), t.hexes("0201")), AllHighest())
    assert not t.unit(2).fixed


@pytest.mark.rule("PB-MOVE-101")
def test_a_scenario_may_fix_units_later_and_all_of_them_at_night() -> None:
    t = table(
        "F F F F F F",
        unit("us_m4", "0101"),
        unit("us_m4", "0101"),
        unit("de_rifle_coy", "0601"),
        sections={"fixings": [{"units": ["unit-1"], "turn": 2}]},
        visibility=[1],
    )
    pass_turn(t)
    pass_turn(t)
    assert (t.unit(0).fixed, t.unit(1).fixed) == (False, True)
    asleep = {"misc": {"fix_at_night": {"allied": True}}}
    t = table(
        "F F F F F F",
        unit("us_m4", "0101"),
        unit("us_m4", "0101", fixed=True),
        unit("de_rifle_coy", "0601"),
        parameters=asleep,
        visibility=[1],
        minutes=3 * 60,
        turns=9,
    )
    pass_turn(t)
    pass_turn(t)
    assert (t.unit(0).fixed, t.unit(0).fixed_tonight, t.unit(1).fixed_tonight) == (True, True, False)
    assert "for the night" in describe.sentence(t.only(e.UnitsFixed), t.position)
    pass_turn(t)
    pass_turn(t)
    assert (t.unit(0).fixed, t.unit(1).fixed) == (False, True)


# --- leaving the map ------------------------------------------------------------------------------------------------


@pytest.mark.rule("PB-MOVE-110")
def test_units_are_withdrawn_at_their_turn_and_are_no_losses() -> None:
    t = table(
        OPEN,
        unit("us_m4", "0101"),
        unit("us_rifle_coy", "0101", carrier=U(0)),
        unit("us_m4", "0102"),
        unit("de_rifle_coy", "0504"),
        sections={"withdrawals": [{"units": ["unit-0"], "turn": 2}]},
    )
    pass_turn(t)
    pass_turn(t)
    assert [(t.unit(number).hex, t.unit(number).away) for number in (0, 1)] == [(NOWHERE, WITHDRAWN)] * 2
    assert t.at(2) == "0102"
    assert not t.position.losses
    assert not t.heard(AXIS, e.UnitsWithdrawn)


@pytest.mark.rule("PB-MOVE-110")
def test_who_was_lost_before_is_not_withdrawn() -> None:
    called = {"withdrawals": [{"units": ["unit-0"], "turn": 2}]}
    t = table(OPEN, unit("us_m4", "0101"), unit("us_m4", "0102"), unit("de_rifle_coy", "0504"), sections=called)
    t.change(0, hex=NOWHERE, gone=ELIMINATED)
    pass_turn(t)
    pass_turn(t)
    assert not t.all(e.UnitsWithdrawn)
    assert not t.unit(0).away


@pytest.mark.rule("PB-MOVE-110", "PB-AIR-1")
def test_aircraft_are_withdrawn_with_their_mission() -> None:
    t = table(
        OPEN, unit("il2_flight", "", formation=""), unit("us_m4", "0101"), unit("de_pz4h", "0103"),
        sections={"withdrawals": [{"units": ["unit-0"], "turn": 2}]},
    )  # fmt: skip
    t.play(CallStrike(U(0), t.hex("0103")))
    pass_turn(t)
    pass_turn(t)
    assert t.only(e.UnitsWithdrawn).units == (U(0),)
    assert not t.all(MissionFlown)
    assert (t.unit(0).away, t.position.missions) == (WITHDRAWN, ())


@pytest.mark.rule("PB-MOVE-110", "PB-UNIT-30")
@pytest.mark.parametrize(("strength", "left"), [(9, [3, 0, 3]), (2, [0, 0, 0])])
def test_who_is_called_away_out_of_a_combined_unit_leaves_it_or_goes_with_it(strength: int, left: list[int]) -> None:
    platoons = [unit("us_m4", "0101", formation="company", strength=3, full=5) for _ in range(3)]
    called = {"withdrawals": [{"units": ["unit-1"], "turn": 2}]}
    t = table(OPEN, *platoons, unit("de_rifle_coy", "0504"), sections=called)
    t.play(Combine((U(0), U(1), U(2))))
    t.change(0, strength=strength)
    pass_turn(t)
    pass_turn(t)
    on_map = [t.unit(number).strength if t.unit(number).hex else 0 for number in range(3)]
    assert on_map == left
    assert not t.position.losses


def exit_table(**drawn: Any) -> Table:
    return table(
        OPEN,
        unit("us_rifle_coy", "0101", strength=57),
        unit("us_m4", "0102"),
        unit("de_rifle_coy", "0504"),
        objectives={"0101": 0},
        owners={"0101": ALLIED},
        **drawn,
    )


@pytest.mark.rule("PB-VIC-6", "PB-VIC-7", "PB-VIC-8", "PB-VIC-10")
def test_units_leave_for_good_by_a_friendly_exit_whose_value_grows() -> None:
    t = exit_table(sections={"exit_multipliers": {"0101": 3}})
    assert t.refusal(RemoveFromMap(U(1))).rule == "PB-VIC-7"
    assert t.refusal(RemoveFromMap(U(2))).rule == "PB-GEN-3"
    (tally,) = RULES.explain(t.view(), RemoveFromMap(U(0)))
    t.play(RemoveFromMap(U(0)))
    assert (t.unit(0).hex, t.unit(0).away) == (NOWHERE, EXITED)
    # 57 men are 5.7 points, three times
    assert tally.total == victory.exit_value(t.position, t.hex("0101")) == 17
    assert victory.score(t.position).total == 17
    assert "leaves the map" in describe.sentence(t.only(e.UnitsExited), t.position)
    assert "off the map" in RULES.order_text(RemoveFromMap(U(1)), t.view())


@pytest.mark.rule("PB-VIC-6", "PB-VIC-10", "PB-VIC-15")
def test_the_score_tells_nobody_under_fog_what_left_by_the_exits_of_the_enemy() -> None:
    for fog, told in ((True, ["?", 0]), (False, [5, 0])):
        t = exit_table(fog=fog)
        t.play(RemoveFromMap(U(0)))
        ours, theirs = victory.score(t.known(ALLIED)), victory.score(t.known(AXIS))
        assert [line.value for line in ours.lines[-2:]] == ([5, "?"] if fog else [5, 0])
        assert [line.value for line in theirs.lines[-2:]] == told
        assert (ours.total, theirs.total) == (5, 0 if fog else 5)


@pytest.mark.rule("PB-VIC-8")
def test_an_exit_may_count_a_part_of_what_leaves() -> None:
    t = exit_table(sections={"exit_multipliers": {"0101": 0.2}})
    (tally,) = RULES.explain(t.view(), RemoveFromMap(U(0)))
    t.play(RemoveFromMap(U(0)))
    # a fifth of 5.7 points
    assert tally.total == victory.exit_value(t.position, t.hex("0101")) == 1


@pytest.mark.rule("PB-VIC-6")
def test_the_flag_of_an_exit_shows_what_it_has_grown_to() -> None:
    t = exit_table()
    before = t.known(ALLIED)
    t.play(RemoveFromMap(U(0)))
    changes = RULES.piece_changes(before, t.known(ALLIED), ALLIED)
    assert [(one.mark, one.note) for one in changes.changed if one.kind == "marker"] == [("flag", "5")]
    assert changes.gone == (U(0),)


@pytest.mark.rule("PB-VIC-6")
def test_under_fog_the_enemy_does_not_know_what_an_exit_is_worth() -> None:
    t = exit_table()
    t.play(RemoveFromMap(U(0)))
    assert t.known(ALLIED).exits == t.position.exits
    assert t.known(AXIS).exits == {}
    assert victory.score(t.known(AXIS)).total == 0

    def note(side: Any) -> str:
        return next(one.note for one in RULES.pieces(t.view(side)) if one.mark == "flag")

    assert (note(ALLIED), note(AXIS)) == ("5", "?")
    (worth,) = (line.label for line in RULES.standing(t.view())[-1].lines if "leave" in line.label)
    assert worth.endswith(", 5 points so far, for those who leave there")


@pytest.mark.rule("PB-VIC-9")
def test_an_exit_never_changes_hands_and_an_enemy_on_it_denies_it() -> None:
    t = table(
        OPEN,
        unit("us_m4", "0102"),
        unit("de_rifle_coy", "0504"),
        objectives={"0101": 0},
        owners={"0101": AXIS},
    )
    t.play(Move((U(0),), t.hexes("0101")))
    assert t.position.owners[t.hex("0101")] == AXIS
    assert t.refusal(RemoveFromMap(U(0))).reason == "it is not on an Exit Objective of its side"


def test_nobody_leaves_who_may_not_move_or_is_carried() -> None:
    t = exit_table()
    t.change(0, fixed=True)
    assert t.refusal(RemoveFromMap(U(0))).rule == "PB-MOVE-98"
    t.change(0, fixed=False, carrier=U(1))
    assert t.refusal(RemoveFromMap(U(0))).rule == "PB-MOVE-49"
    assert leaving.no_exit(t.known(ALLIED), ALLIED, t.unit(0)) is not None
    t.change(0, carrier=U(-1))
    verb = next(one for one in RULES.menu(t.view(), Selection(units=(U(0),))) if one.key == "exit")
    assert verb.refusal is None
    silent = RULES.menu(t.view(), Selection(units=(U(1),)))
    assert "exit" not in [one.key for one in silent]


@pytest.mark.rule("PB-VIC-5")
def test_a_broken_unit_takes_no_objective() -> None:
    t = table(OPEN, unit("us_m4", "0102", broken=True), unit("de_pz4h", "0504"), owners={"0101": AXIS}, visibility=[1])
    t.play(Move((U(0),), t.hexes("0101")))
    assert t.position.owners[t.hex("0101")] == AXIS


@pytest.mark.rule("PB-TURN-4")
def test_without_fog_both_sides_know_of_arrivals() -> None:
    t = table(
        OPEN,
        unit("us_m4", "0101"),
        unit("de_rifle_coy", "0203"),
        coming("us_m4", "0103", 1, away=DUE, arrival={"protection": 1}),
        coming("us_m4", "0103", 3),
        fog=False,
    )
    t.play(Arrive(U(2)))
    assert t.heard(AXIS, e.Arrived)
    assert t.heard(AXIS, e.ArrivalProtected)
    pass_turn(t)
    pass_turn(t)
    assert t.unit(3).away == COMING


def test_a_protected_arrival_far_from_any_enemy_breaks_nobody() -> None:
    t = table(OPEN, unit("de_rifle_coy", "0504"), coming("us_m4", "0101", 1, away=DUE, arrival={"protection": 1}))
    t.play(Arrive(U(1)))
    assert not t.all(e.ArrivalProtected)


def test_in_a_storm_only_who_comes_by_road_arrives_by_himself() -> None:
    t = table(
        OPEN,
        unit("us_m4", "0101"),
        unit("de_rifle_coy", "0504"),
        coming("us_m4", "0103", 2),
        coming("us_para_coy", "0103", 2, arrival={"by": "glider"}),
        options={"automatic_arrival": True},
        storm=True,
    )
    pass_turn(t)
    pass_turn(t)
    assert (t.at(2), t.at(3)) == ("0103", "")


@pytest.mark.rule("PB-MOVE-101")
def test_at_night_who_is_fixed_already_stays_so() -> None:
    t = table(
        "F F F F F F",
        unit("us_m4", "0101", fixed=True),
        unit("de_rifle_coy", "0601"),
        parameters={"misc": {"fix_at_night": {"allied": True}}},
        visibility=[1],
        minutes=60,
    )
    pass_turn(t)
    pass_turn(t)
    assert not t.all(e.UnitsFixed)
    assert t.unit(0).fixed


@pytest.mark.rule("PB-VIC-14")
def test_a_battle_may_end_early_at_a_major_level() -> None:
    t = table(
        OPEN,
        unit("us_m4", "0101"),
        unit("de_pz4h", "0504"),
        owners={"0101": ALLIED},
        objectives={"0101": 50},
        parameters={"victory": {"early_termination": True}},
    )
    pass_turn(t)
    pass_turn(t)
    assert t.position.result is not None
    assert t.position.result.level == "major victory"
    assert not t.all(Struck)
