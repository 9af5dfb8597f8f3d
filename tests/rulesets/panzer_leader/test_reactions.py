"""What a move invites: the forecast tells the shots that known enemies may fire at it, and its chance to arrive."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import partial
from itertools import combinations
from typing import Any

import pytest

from sandtable.kernel.engine import carry_out
from sandtable.kernel.events import Order
from sandtable.kernel.forecast import Arrival, Branch, Forecast, every_fall, forecast
from sandtable.kernel.ids import HexId
from sandtable.kernel.state import State
from sandtable.play import reactions as ways
from sandtable.rulesets.panzer_leader import describe
from sandtable.rulesets.panzer_leader.frames import OpportunityWindow
from sandtable.rulesets.panzer_leader.model import ALLIED, GERMAN, Mission, Position
from sandtable.rulesets.panzer_leader.orders import MoveUnit, OpportunityFire, Overrun, OverrunRun, Pass, UnloadUnit
from sandtable.rulesets.panzer_leader.ruleset import PanzerLeader
from tests.rulesets.panzer_leader.table import Table, U, ids, open_board, table, unit

RULESET = PanzerLeader()
ON = {"opportunity_fire": True}
ROAD = ".\n.\n.\n.\n.\n.\n.\n.\n.\n."


def watched(*units: Any, rows: str = ROAD, step: str = "vehicle movement", **fields: Any) -> Table:
    """A strip of open ground, the mover at its top in 0101."""
    options = {**ON, **fields.pop("options", {})}
    return table(rows, *units, step=step, options=options, **fields)


def move(t: Table, *labels: str, gait: str = "") -> MoveUnit:
    return MoveUnit(U(0), t.hexes(*labels), gait)


def odds(t: Table, order: Order) -> Forecast:
    found = forecast(RULESET, RULESET.view(t.state, ALLIED), order)
    assert isinstance(found, Forecast), found
    return found


def arrival(t: Table, order: Order) -> Arrival:
    found = odds(t, order).arrival
    assert found is not None
    return found


def worst(state: State[Position], goals: dict[int, HexId]) -> Fraction:
    """The chance to arrive in good order when the enemy plays on for the worst by the rules, every order tried."""
    frame, units = state.flow[-1], state.position.units
    if not isinstance(frame, OpportunityWindow):
        return Fraction(all(units[id].hex == place and not units[id].dispersed for id, place in goals.items()))
    ways: list[Order] = [Pass()]
    for count in range(1, len(frame.firers) + 1):
        ways += [OpportunityFire(some) for some in combinations(frame.firers, count)]
    view = RULESET.view(state, frame.side)
    return min(expected(state, way, goals) for way in ways if RULESET.check(view, way) is None)


def expected(state: State[Position], order: Order, goals: dict[int, HexId]) -> Fraction:
    side = RULESET.decisions(state)[0].side
    falls = every_fall(partial(carry_out, RULESET, state, side, order))
    return sum((chance * worst(played.state, goals) for played, chance in falls), Fraction(0))


def test_without_opportunity_fire_a_move_has_no_reactions() -> None:
    t = table(ROAD, unit("a_m4_75", "0101"), unit("g_panther", "0110"), step="vehicle movement")
    found = odds(t, move(t, "0102", "0103", "0104"))
    assert (found.reactions, found.arrival, found.dice) == ((), None, 0)


def test_a_move_that_nobody_watches_has_no_reactions() -> None:
    t = watched(unit("a_m4_75", "0101"), unit("g_panther", "0110"))
    assert odds(t, move(t, "0102")).reactions == ()
    blind = watched(unit("a_m4_75", "0101"), unit("g_panther", "0110", fired=True))
    assert odds(blind, move(blind, "0102", "0103", "0104")).reactions == ()


@pytest.mark.rule("PL-1601", "PL-1602")
def test_the_forecast_of_a_move_tells_every_shot_it_invites() -> None:
    t = watched(unit("a_m4_75", "0101"), unit("g_panther", "0110"))
    found = odds(t, move(t, "0102", "0103", "0104", "0105"))
    assert [(r.side, r.actors, r.hex) for r in found.reactions] == [
        (GERMAN, (1,), t.hex("0103")),
        (GERMAN, (1,), t.hex("0104")),
        (GERMAN, (1,), t.hex("0105")),
    ]
    assert found.reactions[0].text == "Panther G #1 may fire at M4/75 Sherman #0 in 0103"
    assert found.branches == (Branch("no effect", "1/1", harmless=True),)
    assert found.dice == 0
    assert found.tally == RULESET.explain(RULESET.view(t.state, ALLIED), move(t, "0102", "0103", "0104", "0105"))


@pytest.mark.rule("PL-1602", "PL-1604")
@pytest.mark.parametrize("passed", [0, 1, 2])
def test_a_shot_has_the_odds_with_which_it_is_fired(passed: int) -> None:
    t = watched(unit("a_m4_75", "0101"), unit("g_panther", "0110"))
    order = move(t, "0102", "0103", "0104", "0105")
    reaction = odds(t, order).reactions[passed]
    results: Counter[str] = Counter()
    for die in range(1, 7):
        t = watched(unit("a_m4_75", "0101"), unit("g_panther", "0110"))
        t.submit(order)
        for _ in range(passed):
            t.submit(Pass())
        explained = t.explain(OpportunityFire(ids(1)))
        t.submit(OpportunityFire(ids(1)), dice=[die])
        results[describe.result(t.events, RULESET.view(t.state, ALLIED))] += 1
        assert t.unit(0).hex in (t.hex("0105"), reaction.hex, 0)
    assert {branch.result: branch.chance * 6 for branch in reaction.branches} == results
    assert reaction.tally == explained
    assert len(results) > 1


@pytest.mark.rule("PL-1602")
def test_the_least_chance_to_arrive_is_that_against_the_best_fire() -> None:
    t = watched(unit("a_jumbo_75", "0101"), unit("g_pz4", "0110"))
    order = move(t, "0102", "0103", "0104", "0105")
    least = expected(t.state, order, {0: t.hex("0105")})
    assert 0 < least < 1
    assert arrival(t, order) == Arrival("1/1", f"{least.numerator}/{least.denominator}")


ALIKE = (unit("g_pz4", "0110"), unit("g_pz3", "0109"))
UNLIKE = (*ALIKE, unit("g_50pak", "0108"))
WEAK = (unit("g_2341", "0105"), unit("g_2341", "0106"))


@pytest.mark.rule("PL-832", "PL-1602", "PL-1604")
@pytest.mark.parametrize("enemies", [ALIKE, UNLIKE, WEAK], ids=["two", "three", "weak"])
def test_several_enemies_may_share_out_their_fire_in_every_lawful_way(enemies: tuple[Any, ...]) -> None:
    t = watched(unit("b_churchill7", "0101"), *enemies)
    order = move(t, "0102", "0103")
    found = odds(t, order)
    assert len(found.reactions[-1].actors) == len(enemies)
    least = expected(t.state, order, {0: t.hex("0103")})
    assert found.arrival == Arrival("1/1", f"{least.numerator}/{least.denominator}")
    together = next(b.chance for b in found.reactions[-1].branches if b.result == "no effect")
    assert 0 < least <= together < 1


@pytest.mark.rule("PL-631", "PL-1602")
def test_dice_on_the_way_weigh_what_comes_after_them() -> None:
    t = watched(unit("a_rifle", "0101"), unit("g_pz3", "0103"), rows=".\nR\n.", step="foot movement")
    order = move(t, "0102")
    found = odds(t, order)
    least = expected(t.state, order, {0: t.hex("0102")})
    assert found.branches == (Branch("crosses", "1/2"), Branch("does not cross", "1/2"))
    assert found.dice == 1
    assert [reaction.hex for reaction in found.reactions] == [t.hex("0102")]  # once, whatever die led there
    assert found.arrival == Arrival("1/2", f"{least.numerator}/{least.denominator}")
    assert least < Fraction(1, 2)


@pytest.mark.rule("PL-1605")
def test_whoever_goes_in_quick_time_arrives_when_it_keeps_its_order() -> None:
    t = watched(unit("a_rifle", "0101"), unit("g_panther", "0106"), step="foot movement", options={"quick_time": True})
    order = move(t, "0102", "0103", gait="quick")
    found = odds(t, order)
    least = expected(t.state, order, {0: t.hex("0103")})
    fails = next(branch.chance for branch in found.branches if branch.result != "no effect")
    unhindered = 1 - fails
    assert found.arrival == Arrival(
        f"{unhindered.numerator}/{unhindered.denominator}", f"{least.numerator}/{least.denominator}"
    )


@pytest.mark.rule("PL-1003", "PL-1602")
def test_an_overrun_is_carried_through_when_every_vehicle_gets_through() -> None:
    t = watched(unit("a_m4_75", "0301"), unit("g_rifle", "0304"), unit("g_pz4", "0509"), rows=open_board(6, 9))
    order = Overrun(t.hex("0304"), (OverrunRun(U(0), t.hexes("0302", "0303", "0304", "0305")),))
    found = odds(t, order)
    least = expected(t.state, order, {0: t.hex("0305")})
    assert found.arrival == Arrival("1/1", f"{least.numerator}/{least.denominator}")
    assert 0 < least < 1
    assert sum(branch.chance for branch in found.branches) == 1
    assert found.dice == 1
    assert t.hex("0304") not in [reaction.hex for reaction in found.reactions]


@pytest.mark.rule("PL-1602")
def test_a_unit_set_down_is_fired_at_with_its_carrier() -> None:
    t = watched(unit("a_ht", "0101"), unit("a_rifle", carrier=0), unit("g_pz4", "0107"))
    t.submit(move(t, "0102", "0103"))
    while isinstance(t.state.flow[-1], OpportunityWindow):
        t.submit(Pass())
    order = UnloadUnit(U(0))
    found = odds(t, order)
    here = t.hex("0103")
    least = expected(t.state, order, {0: here, 1: here})
    assert [reaction.hex for reaction in found.reactions] == [here]
    assert found.arrival == Arrival("1/1", f"{least.numerator}/{least.denominator}")
    assert least < 1


def test_what_many_enemies_can_do_is_bounded_and_says_so() -> None:
    guns = [unit("g_pz4", f"0{n}10") for n in range(1, 8)]
    t = watched(unit("a_jumbo_75", "0401"), *guns, rows=open_board(7, 10))
    order = move(t, "0402", "0403")
    found = arrival(t, order)
    assert not found.exact
    few = watched(unit("a_jumbo_75", "0401"), *guns[:4], rows=open_board(7, 10))
    assert Fraction(found.at_least) <= Fraction(arrival(few, order).at_least) < 1
    assert Fraction(found.unhindered) == 1


@pytest.mark.rule("PL-1507")
def test_an_enemy_the_side_does_not_know_of_is_in_no_forecast() -> None:
    rows = ".\n.\n.\n.\n.\n.\n.\n.\n.\nW"
    hidden = watched(unit("a_m4_75", "0101"), unit("g_panther", "0110"), rows=rows, options={"fog": True})
    order = move(hidden, "0102", "0103", "0104")
    assert odds(hidden, order).reactions == ()
    hidden.submit(order)
    assert isinstance(hidden.state.flow[-1], OpportunityWindow)
    seen = watched(unit("a_m4_75", "0101"), unit("g_panther", "0110"), options={"fog": True})
    assert odds(seen, order).reactions


@pytest.mark.rule("PL-1104")
def test_a_battery_kept_for_a_secret_mission_is_thought_free_to_fire() -> None:
    mission = Mission(GERMAN, ids(1), HexId(0), (), 1, 2)
    t = watched(unit("a_m4_75", "0101"), unit("g_panther", "0110"), missions=(mission,))
    assert odds(t, move(t, "0102", "0103")).reactions


def test_a_way_with_too_many_chances_to_fire_is_not_looked_into(monkeypatch: pytest.MonkeyPatch) -> None:
    t = watched(unit("a_m4_75", "0101"), unit("g_panther", "0110"))
    order = move(t, "0102", "0103", "0104", "0105")
    monkeypatch.setattr(ways, "MOST_WINDOWS", 3)
    assert len(odds(t, order).reactions) == 3
    monkeypatch.setattr(ways, "MOST_WINDOWS", 2)
    assert odds(t, order).reactions == ()
