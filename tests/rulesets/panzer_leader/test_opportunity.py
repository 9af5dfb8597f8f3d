"""Opportunity fire."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from sandtable.kernel.ids import NOWHERE
from sandtable.rulesets.panzer_leader import opportunity
from sandtable.rulesets.panzer_leader.events import (
    AttackRolled,
    MoveEnded,
    MoveHalted,
    MoveResumed,
    Sighted,
    UnitDestroyed,
    UnitDispersed,
    UnitMoved,
    UnitsFired,
)
from sandtable.rulesets.panzer_leader.frames import Journey, OpportunityWindow, StepFrame
from sandtable.rulesets.panzer_leader.model import ALLIED, GERMAN, Mission, Mover
from sandtable.rulesets.panzer_leader.orders import MoveUnit, OpportunityFire, Pass, UnloadUnit
from sandtable.rulesets.panzer_leader.ruleset import PanzerLeader
from sandtable.rulesets.panzer_leader.sequels import warn_of_opportunity
from sandtable.rulesets.panzer_leader.workings import Attack
from tests.rulesets.panzer_leader.table import Table, U, ids, table, unit

RULESET = PanzerLeader()
ON = {"opportunity_fire": True}
SHERMAN_ROAD = ".\n.\n.\n.\n.\n.\n.\n.\n.\n."


def watched(*units: Any, rows: str = SHERMAN_ROAD, step: str = "vehicle movement", **fields: Any) -> Table:
    """A strip of open ground, the mover at its top in 0101."""
    options = {**ON, **fields.pop("options", {})}
    return table(rows, *units, step=step, options=options, **fields)


def move(t: Table, *labels: str, gait: str = "") -> MoveUnit:
    return MoveUnit(U(0), t.hexes(*labels), gait)


def fire(*firers: int) -> OpportunityFire:
    return OpportunityFire(ids(*firers))


def window(t: Table) -> OpportunityWindow:
    top = t.state.flow[-1]
    assert isinstance(top, OpportunityWindow)
    return top


def sherman_seen_by_a_panther(**fields: Any) -> Table:
    """The Sherman has gone the two hexes of clear that make the Panther's chance; two more are to come."""
    t = watched(unit("a_m4_75", "0101"), unit("g_panther", "0110"), **fields)
    t.play(move(t, "0102", "0103", "0104", "0105"))
    return t


@pytest.mark.rule("PL-1601")
def test_a_unit_that_spends_a_quarter_of_its_allowance_in_sight_may_be_fired_at() -> None:
    t = sherman_seen_by_a_panther()
    assert window(t) == OpportunityWindow(GERMAN, U(0), ids(1))
    assert [event.path for event in t.happened(UnitMoved)] == [t.hexes("0102"), t.hexes("0103")]
    assert t.position.mover == Mover(U(0), t.hex("0101"), spent=4, hexes=2, exposure={U(1): 4})
    assert t.state.flow[-2] == Journey(U(0), t.hexes("0104", "0105"))
    (decision,) = opportunity.decisions(t.position, window(t))
    assert (decision.side, decision.rule, decision.optional) == (GERMAN, "PL-1601", True)


@pytest.mark.rule("PL-1601")
def test_who_has_not_had_the_mover_in_sight_long_enough_may_not_fire_with_those_who_have() -> None:
    t = watched(unit("a_m4_75", "0101"), unit("g_panther", "0110"), unit("g_panther", "0109"))
    t.set(mover=Mover(U(0), t.hex("0101"), 4, 2, exposure={U(1): 4, U(2): 2}))
    chance = opportunity.window_for(t.position, t.unit(0))
    assert chance is not None
    assert chance.firers == (1,)
    refusal = opportunity.check_opportunity(t.position, GERMAN, fire(1, 2))
    assert refusal is not None
    assert "in sight long enough" in refusal.reason
    t.set(mover=None)
    assert not opportunity.has_watched_enough(t.position, t.unit(1))


@pytest.mark.rule("PL-1601", "PL-1305", "PL-1333")
def test_what_a_flail_pays_to_leave_its_mines_is_spent_in_the_hex_it_enters() -> None:
    t = watched(unit("b_flail", "0101"), unit("g_panther", "0108"), mines=["0101"])
    t.play(move(t, "0102"))
    assert window(t).firers == (1,)
    assert t.position.mover is not None
    assert t.position.mover.exposure == {1: t.position.mover.spent}


@pytest.mark.rule("PL-1601")
def test_without_the_option_nobody_is_asked() -> None:
    t = table(SHERMAN_ROAD, unit("a_m4_75", "0101"), unit("g_panther", "0110"), step="vehicle movement")
    t.play(move(t, "0102", "0103", "0104"))
    assert t.state.flow == (StepFrame("vehicle movement"),)
    assert t.position.mover is not None
    assert t.position.mover.exposure == {}


@pytest.mark.rule("PL-1601")
def test_infantry_is_fired_at_for_anything_it_spends() -> None:
    t = watched(unit("a_rifle", "0101"), unit("g_panther", "0106"), step="foot movement")
    t.play(move(t, "0102"))
    assert window(t).firers == (1,)


@pytest.mark.rule("PL-1601")
def test_the_count_returns_to_nothing_in_a_hex_out_of_sight() -> None:
    t = watched(unit("a_m4_75", "0106"), unit("g_panther", "0101"), rows=".\n.\nT\n.\n.\n.\n.")
    seen = {U(1): 4}
    assert opportunity.exposure(t.position, t.unit(0), t.hex("0105"), 2, seen) == {}
    t.change(1, hex="0107")
    assert opportunity.exposure(t.position, t.unit(0), t.hex("0105"), 2, seen) == {1: 6}


@pytest.mark.rule("PL-1601", "PL-721")
@pytest.mark.parametrize(("enemy", "points"), [("0105", 2), ("0102", 4)])
def test_cover_adds_nothing_to_the_count_and_takes_nothing_away_unless_the_mover_is_spotted(
    enemy: str, points: int
) -> None:
    t = watched(unit("a_m4_75", "0104"), unit("g_panther", enemy), rows=".\n.\nW\n.\n.")
    t.change(1, hex=enemy if points == 4 else "0101")
    assert opportunity.exposure(t.position, t.unit(0), t.hex("0103"), 2, {U(1): 2}) == {1: points}
    assert opportunity.exposure(t.position, t.unit(0), t.hex("0103"), 2, {}).get(U(1), 0) == points - 2


@pytest.mark.rule("PL-1602")
def test_fire_that_misses_lets_the_mover_go_on() -> None:
    t = sherman_seen_by_a_panther()
    t.play(fire(1), dice=[6])
    (rolled,) = t.happened(AttackRolled)
    assert (rolled.group, rolled.targets, rolled.rule, rolled.result) == ("", (0,), "PL-1602", "-")
    assert t.unit(0).attacked == ()  # opportunity fire is outside the count of PL-511
    assert t.unit(0).hex == t.hex("0105")
    assert t.state.flow == (StepFrame("vehicle movement"),)


@pytest.mark.rule("PL-1602", "PL-905")
def test_a_dispersed_mover_stops() -> None:
    t = sherman_seen_by_a_panther()
    t.play(fire(1), dice=[3])
    assert t.happened(UnitDispersed)[0].unit == 0
    assert t.happened(MoveEnded) == [MoveEnded(U(0), "dispersed by opportunity fire (PL-1602)")]
    assert t.unit(0).hex == t.hex("0103")
    assert t.unit(0).dispersed == t.position.segment
    assert t.state.flow == (StepFrame("vehicle movement"),)


@pytest.mark.rule("PL-1602")
def test_a_mover_that_is_lost_goes_no_further() -> None:
    t = watched(unit("a_greyhound", "0101"), unit("g_panther", "0110"))
    t.play(move(t, "0102", "0103", "0104", "0105"))
    t.play(fire(1), dice=[1])
    assert [event.unit for event in t.happened(UnitDestroyed)] == [0]
    assert t.state.flow == (StepFrame("vehicle movement"),)


@pytest.mark.rule("PL-1602")
def test_who_lets_it_pass_may_fire_at_any_later_hex() -> None:
    t = sherman_seen_by_a_panther()
    t.play(Pass())
    assert window(t).firers == (1,)
    assert t.unit(0).hex == t.hex("0104")
    t.play(Pass())
    assert t.unit(0).hex == t.hex("0105")
    t.play(Pass())
    assert t.state.flow == (StepFrame("vehicle movement"),)
    t.play(move(t, "0106"))
    assert window(t).firers == (1,)


@pytest.mark.rule("PL-1602", "PL-802")
def test_only_the_mover_is_hit_even_in_a_town() -> None:
    units = (unit("a_rifle", "0102"), unit("a_rifle", "0103"), unit("g_panther", "0104"))
    t = watched(*units, rows=".\n.\nT\n.", step="foot movement")
    t.play(move(t, "0103"))
    t.play(fire(2), dice=[1])
    assert t.happened(AttackRolled)[0].targets == (0,)
    assert t.unit(1).hex == t.hex("0103")


@pytest.mark.rule("PL-1602")
def test_a_passenger_set_down_in_sight_is_hit_with_its_carrier() -> None:
    t = watched(unit("a_ht", "0101"), unit("a_rifle", carrier=0), unit("g_stuh", "0110"))
    t.play(move(t, "0102", "0103"))
    t.play(Pass())
    t.play(UnloadUnit(U(0)))
    assert window(t).firers == (2,)
    t.play(fire(2), dice=[2])
    assert t.happened(AttackRolled)[0].targets == (0, 1)
    assert [event.unit for event in t.happened(UnitDispersed)] == [0, 1]
    assert t.happened(MoveEnded) != []
    assert t.state.flow == (StepFrame("vehicle movement"),)


@pytest.mark.rule("PL-1324", "PL-1602")
def test_opportunity_fire_at_a_mover_on_top_of_ones_own_fort_is_rolled_again_against_the_fort() -> None:
    def climbed() -> Table:
        units = (unit("n_fort20", "0103"), unit("g_smg", fort=1), unit("g_pz4", "0104"), unit("g_rifle", "0105"))
        t = watched(unit("a_rifle", "0102"), *units, step="foot movement")
        t.play(move(t, "0103"))
        return t

    t = climbed()
    t.play(fire(3, 4), dice=[6, 1])
    top, fort = t.happened(AttackRolled)
    assert (top.strength, top.targets, top.rule) == ("10", (0,), "PL-1602")
    # the tank doubles against the armored fort, the infantry can't harm it
    assert (fort.strength, fort.defense, fort.targets, fort.group, fort.rule) == ("28", 20, (1,), "", "PL-1324")
    assert [event.unit for event in t.happened(UnitDispersed)] == [1, 2]
    # from inside the mover alone is hit
    t = climbed()
    t.play(fire(2), dice=[6])
    assert [event.targets for event in t.happened(AttackRolled)] == [(0,)]


@pytest.mark.rule("PL-1603")
def test_a_unit_that_fired_is_spent_until_the_end_of_its_next_segment() -> None:
    t = sherman_seen_by_a_panther()
    t.play(fire(1), dice=[6])
    assert t.happened(UnitsFired) == [UnitsFired(ids(1))]
    assert t.unit(1).fired
    t.play(move(t, "0106"))
    assert t.state.flow == (StepFrame("vehicle movement"),)


@pytest.mark.rule("PL-722", "PL-1603")
def test_fire_gives_its_unit_away() -> None:
    t = watched(unit("a_m4_75", "0101"), unit("g_panther", "0110"), rows=SHERMAN_ROAD[:-1] + "W")
    t.play(move(t, "0102", "0103"))
    t.play(fire(1), dice=[6])
    assert [sighting.unit for event in t.happened(Sighted) for sighting in event.sightings] == [1]


def two_panthers() -> Table:
    t = watched(unit("a_m4_75", "0101"), unit("g_panther", "0110"), unit("g_panther", "0109"))
    t.play(move(t, "0102", "0103"))
    assert window(t).firers == (1, 2)
    return t


@pytest.mark.rule("PL-1604")
def test_several_units_may_fire_one_after_the_other_also_at_a_mover_they_have_stopped() -> None:
    t = two_panthers()
    t.play(fire(2), dice=[3])
    assert t.unit(0).dispersed
    assert window(t).firers == (1,)
    t.play(Pass())
    assert t.happened(MoveEnded)[0].unit == 0


@pytest.mark.rule("PL-1604")
def test_units_that_declare_together_make_one_attack() -> None:
    t = two_panthers()
    strength, *_ = t.explain(fire(1, 2))
    assert strength.total == 48  # one of them at half range
    t.play(fire(1, 2), dice=[6])
    (rolled,) = t.happened(AttackRolled)
    assert rolled.attackers == (1, 2)


@pytest.mark.rule("PL-1604", "PL-832")
def test_units_too_weak_alone_are_asked_when_they_can_fire_together() -> None:
    t = watched(unit("b_churchill7", "0101"), unit("g_2341", "0105"), unit("g_2341", "0106"))
    t.play(move(t, "0102"))
    assert window(t).firers == (1, 2)
    assert t.refusal(fire(1)).rule == "PL-832"
    assert list(opportunity.opportunity_options(t.position, GERMAN, window(t))) == [fire(1, 2)]


@pytest.mark.rule("PL-1601", "PL-808")
def test_nobody_is_asked_who_could_do_no_harm() -> None:
    weak = watched(unit("b_churchill7", "0101"), unit("g_2341", "0106"), unit("g_rifle", "0104"))
    weak.play(move(weak, "0102"))
    assert weak.state.flow == (StepFrame("vehicle movement"),)


SLOPES = "B\nB\nB"


def climbing(*enemies: str) -> Table:
    """A rifle platoon has gone up a slope before enemies at its top, whose dice the slope makes worse by 1."""
    about = [unit(kind, "0103") for kind in enemies]
    t = watched(unit("b_rifle", "0101"), *about, rows=SLOPES, step="foot movement")
    t.play(move(t, "0102"))
    return t


@pytest.mark.rule("PL-836", "PL-1601")
def test_nobody_is_asked_whose_fire_no_die_would_make_good() -> None:
    t = climbing("g_security")
    assert t.state.flow == (StepFrame("foot movement"),)
    # it may fire all the same, at 1-3; together with another it is to some purpose
    assert isinstance(opportunity.attack(t.position, GERMAN, [t.unit(1)]), Attack)
    assert window(climbing("g_security", "g_smg")).firers == (1, 2)
    assert window(climbing("g_smg")).firers == (1,)


@pytest.mark.rule("PL-836", "PL-1401", "PL-1601")
def test_who_lies_face_down_may_be_fired_at_to_see_what_it_is() -> None:
    t = climbing("g_security")
    t.change(0, facedown=True)
    t.set(mover=Mover(U(0), t.hex("0101"), exposure={U(1): 2}))
    chance = opportunity.window_for(t.position, t.unit(0))
    assert chance is not None
    assert chance.firers == (1,)


@pytest.mark.rule("PL-836", "PL-1104", "PL-1507", "PL-1601")
def test_who_could_only_help_a_gun_that_waits_for_its_mission_is_asked_so_that_nothing_betrays_it() -> None:
    t = watched(unit("b_rifle", "0101"), unit("g_security", "0103"), unit("g_smg", "0103"), rows=SLOPES)
    t.set(missions=(Mission(GERMAN, ids(2), t.hex("0101"), (), 1, 9),))
    t.change(0, hex="0102")
    t.set(mover=Mover(U(0), t.hex("0101"), exposure={U(1): 2, U(2): 2}))
    assert opportunity.window_for(t.position, t.unit(0)) == OpportunityWindow(GERMAN, U(0), ())


@pytest.mark.rule("PL-1104", "PL-1601")
def test_a_unit_ordered_to_fire_indirectly_is_asked_but_does_not_use_opportunity_fire() -> None:
    t = watched(unit("a_m4_75", "0101"), unit("g_105", "0110"))
    t.set(missions=(Mission(GERMAN, ids(1), t.hex("0101"), (), 1, 9),))
    t.play(move(t, "0102", "0103"))
    # that nobody is asked would tell the mover, who sees the gun, that it has a mission
    assert window(t) == OpportunityWindow(GERMAN, U(0), ())
    (decision,) = RULESET.decisions(t.state)
    assert decision.prompt.endswith("wait for their fire missions (PL-1104): let it go by.")
    assert t.refusal(fire(1)).rule == "PL-1601"
    assert list(RULESET.options(RULESET.view(t.state, GERMAN), decision)) == [Pass(), Pass(rest=True)]
    t.play(Pass())
    assert t.unit(0).hex == t.hex("0103")


IN_WOODS = "\n".join(["."] * 9 + ["W"])


def halts(t: Table) -> list[str]:
    return [type(one).__name__ for one in t.events if isinstance(one, MoveHalted | MoveResumed)]


@pytest.mark.rule("PL-1104", "PL-1507", "PL-1601")
def test_in_the_fog_a_move_halts_where_somebody_could_have_watched_it_whether_or_not_anybody_has() -> None:
    """One German is out of sight in the woods, and he is asked unless he has a mission; one is not there at all."""
    for missions, asked in (((), True), ((Mission(GERMAN, ids(1), 9, (), 1, 9),), False)):
        t = watched(unit("a_m4_75", "0101"), unit("g_105", "0110"), rows=IN_WOODS, options={"fog": True})
        t.set(missions=missions)
        t.play(move(t, "0102", "0103"))
        assert (t.state.flow[-1] == OpportunityWindow(GERMAN, U(0), ids(1))) is asked
        assert halts(t) == (["MoveHalted"] if asked else ["MoveHalted", "MoveResumed"])
        if asked:
            t.play(Pass())
            assert halts(t) == ["MoveResumed"]
        assert t.unit(0).hex == t.hex("0103")
    alone = watched(unit("a_m4_75", "0101"), unit("g_105", hex=NOWHERE), rows=IN_WOODS, options={"fog": True})
    alone.play(move(alone, "0102", "0103"))
    assert halts(alone) == ["MoveHalted", "MoveResumed"]
    # before it has spent a quarter of its allowance nobody can have watched it long enough
    alone.play(move(alone, "0104"))
    assert halts(alone) == ["MoveHalted", "MoveResumed"]


@pytest.mark.rule("PL-1601", "PL-1602")
def test_the_rest_of_a_move_is_let_go_by_at_once_and_the_next_asks_again() -> None:
    t = watched(unit("a_m4_75", "0101"), unit("g_panther", "0110"))
    t.play(move(t, "0102", "0103", "0104"))
    assert t.unit(0).hex == t.hex("0103")
    t.play(Pass(rest=True))
    assert t.unit(0).hex == t.hex("0104")
    assert t.state.flow == (StepFrame("vehicle movement"),)
    t.play(move(t, "0105"))
    assert window(t).firers == (1,)
    # whether there is more of the move is not for the other side to know: it may always be said
    t.play(Pass(rest=True))
    assert t.state.flow == (StepFrame("vehicle movement"),)


@pytest.mark.rule("PL-1507", "PL-1601")
def test_in_the_fog_the_mover_is_told_the_same_whether_each_chance_or_the_whole_move_is_let_go_by() -> None:
    told: list[list[str]] = []
    for passes in ((Pass(), Pass(), Pass()), (Pass(rest=True),), ()):
        hidden = unit("g_105", "0110") if passes else unit("g_105", hex=NOWHERE)
        t = watched(unit("a_m4_75", "0101"), hidden, rows=IN_WOODS, options={"fog": True})
        t.play(move(t, "0102", "0103", "0104", "0105"))
        names = [type(event).__name__ for event in t.events]
        for one in passes:
            t.play(one)
            names += [type(event).__name__ for event in t.events]
        assert t.unit(0).hex == t.hex("0105")
        told.append(names)
    assert told[0] == told[1] == told[2]
    assert told[0].count("MoveHalted") == told[0].count("MoveResumed") == 3


@pytest.mark.rule("PL-1605")
def test_infantry_in_quick_time_has_half_its_defense() -> None:
    t = watched(unit("a_rifle", "0101"), unit("g_panther", "0108"), step="foot movement", options={"quick_time": True})
    t.play(move(t, "0102", "0103", gait="quick"))
    _, defense, *_ = t.explain(fire(1))
    assert defense.total == 3
    t.play(fire(1), dice=[4])  # 8 against 3 is 2-1
    assert t.unit(0).dispersed
    assert t.unit(0).hex == t.hex("0102")  # no die of its own: it is dispersed already
    again = watched(
        unit("a_rifle", "0101"), unit("g_panther", "0108"), step="foot movement", options={"quick_time": True}
    )
    again.play(move(again, "0102", gait="quick"))
    again.play(Pass(), dice=[4])
    assert again.unit(0).dispersed


def test_orders_that_name_the_wrong_units_are_refused() -> None:
    t = two_panthers()
    for firers in ((), (1, 1), (99,), (-1,), (0,)):
        assert t.refusal(fire(*firers)).rule == "PL-1601"
        assert t.explain(fire(*firers)) == ()
    assert t.refusal(fire(1), side=ALLIED).rule == "PL-1601"
    assert t.refusal(fire(0), side=ALLIED).reason == "no enemy is moving in your sight"
    t.set(mover=Mover(U(0), t.hex("0101"), exposure={U(1): 1}))
    assert t.refusal(fire(1)).reason.startswith("a unit has not had the mover in sight long enough")
    t.set(mover=None)
    assert t.refusal(fire(1)).reason == "no enemy is moving in your sight"
    assert opportunity.targets(t.position) == ()
    assert not opportunity.has_watched_enough(t.position, t.unit(1))
    assert opportunity.window_for(t.position, t.unit(0)) is None


def test_options_are_each_unit_alone_and_all_together() -> None:
    t = two_panthers()
    options = list(opportunity.opportunity_options(t.position, GERMAN, window(t)))
    assert options == [fire(1), fire(2), fire(1, 2)]
    one = sherman_seen_by_a_panther()
    assert list(opportunity.opportunity_options(one.position, GERMAN, window(one))) == [fire(1)]


@pytest.mark.rule("PL-1601", "PL-1604")
def test_a_player_is_offered_all_together_first_and_then_each_alone_the_strongest_first() -> None:
    t = two_panthers()
    alone = [Fraction(t.explain(fire(one))[0].total) for one in (1, 2)]
    strongest = [1, 2] if alone[0] >= alone[1] else [2, 1]
    assert alone[0] != alone[1]
    offers = list(opportunity.opportunity_offers(t.position, GERMAN))
    assert offers == [fire(1, 2), *map(fire, strongest)]
    one = sherman_seen_by_a_panther()
    assert list(opportunity.opportunity_offers(one.position, GERMAN)) == [fire(1)]


@pytest.mark.rule("PL-832", "PL-1604")
def test_nobody_is_offered_to_fire_alone_who_is_too_weak_for_it() -> None:
    t = watched(unit("b_churchill7", "0101"), unit("g_2341", "0105"), unit("g_2341", "0106"))
    t.play(move(t, "0102"))
    assert list(opportunity.opportunity_offers(t.position, GERMAN)) == [fire(1, 2)]


def test_fire_at_what_turns_out_too_strong_is_spent_without_effect() -> None:
    #  the order is carried out although the truth would refuse it: the firer has not watched long enough
    t = two_panthers()
    t.change(2, dispersed=1)
    t.run(opportunity.resolve_opportunity, GERMAN, fire(2))
    assert t.happened(UnitsFired) == [UnitsFired(ids(2))]
    assert t.happened(AttackRolled) == []
    assert window(t).firers == (1,)


@pytest.mark.rule("PL-836", "PL-1603")
def test_a_shot_warns_of_its_price_and_that_no_die_makes_it_good() -> None:
    def warning(firer: str, *firers: int) -> str:
        t = watched(unit("b_rifle", "0101"), unit(firer, "0103"), rows="B\nB\nB", step="foot movement")
        t.play(move(t, "0102"))
        return warn_of_opportunity(t.position, GERMAN, fire(*firers))

    assert warning("g_security", 1) == f"No die would do any harm (PL-836). {opportunity.PRICE}"
    assert warning("g_smg", 1) == opportunity.PRICE
