"""Assaults on the table: who may, what it costs, who wins, who retreats and who moves in."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from sandtable.ai.players import GreedyPlayer
from sandtable.kernel.dice import PromptDice
from sandtable.kernel.events import Order
from sandtable.kernel.forecast import Forecast, forecast
from sandtable.kernel.ids import NOBODY, UnitId
from sandtable.kernel.ruleset import Selection
from sandtable.rulesets.panzer_battles.assault import prospects
from sandtable.rulesets.panzer_battles.assault.eligibility import assault_cost
from sandtable.rulesets.panzer_battles.assault.retreat import capture_chance, refuges, retreat
from sandtable.rulesets.panzer_battles.assault.situations import as_fighter, circumstances, organization, side_pct
from sandtable.rulesets.panzer_battles.describe import sentence
from sandtable.rulesets.panzer_battles.doctrine import Doctrine, gain
from sandtable.rulesets.panzer_battles.events import (
    AssaultBegun,
    AssaultDecided,
    Fired,
    ModeChanged,
    ObjectiveTaken,
    Stepped,
    Struck,
)
from sandtable.rulesets.panzer_battles.marks import marks
from sandtable.rulesets.panzer_battles.model import ALLIED, AXIS, Feature
from sandtable.rulesets.panzer_battles.orders import Assault, EndTurn, Fire, Move
from tests.rulesets.panzer_battles.table import RULES, AllHighest, Table, U, table, unit

FIELD = """
. . . . . .
. . . . . .
. . . . . .
. . . . . .
"""
QUIET = {"combat": {"opfire_base_pct": 0}}
"""Nobody takes an opportunity."""


def share(part: float) -> int:
    """The face of a uniform number."""
    return int(part * 2**53) + 1


class Lowest(AllHighest):
    """Dice that show their lowest face for some units and their highest for all others."""

    def __init__(self, *lucky: int) -> None:
        self.lucky = {UnitId(id) for id in lucky}

    def face(self, sides: int, actor: UnitId) -> int:
        return 1 if actor in self.lucky else sides


def duel(attacker: str = "su_rifle_coy", defender: str = "de_rifle_plt", **state: Any) -> Table:
    """An attacker in 0202 beside a defender in 0302."""
    return table(FIELD, unit(attacker, "0202"), unit(defender, "0302", **state), parameters=QUIET)


def storm(t: Table, *ids: int, at: str = "0302") -> Assault:
    return Assault(tuple(map(U, ids)), t.hex(at))


# --- who may ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PB-ASLT-4", "PB-ASLT-5", "PB-ASLT-9", "PB-UNIT-13", "PB-MOVE-98", "PB-FIRE-64")
@pytest.mark.parametrize(
    ("kind", "state", "rule"),
    [
        ("su_bn_hq", {}, "PB-UNIT-13"),
        ("any_supply", {}, "PB-ASLT-4"),
        ("su_45at", {"mode": "travel"}, "PB-ASLT-5"),
        ("su_rifle_coy", {"disrupted": True}, "PB-ASLT-4"),
        ("su_rifle_coy", {"broken": True}, "PB-ASLT-4"),
        ("su_rifle_coy", {"fixed": True}, "PB-ASLT-4"),
        ("su_rifle_coy", {"fatigue": 150}, "PB-ASLT-4"),
        ("su_rifle_coy", {"digging_in": True}, "PB-ASLT-4"),
        ("su_rifle_coy", {"operation": "building:1"}, "PB-ASLT-4"),
        ("su_rifle_coy", {"operation": "clearing"}, "PB-ASLT-4"),
        ("su_rifle_coy", {"operation": "rubble"}, ""),
        ("su_rifle_coy", {"flags": ("immobile",), "mp": 100}, "PB-ASLT-6"),
        ("su_rifle_coy", {"assaulted": True}, "PB-ASLT-9"),
        ("su_rifle_coy", {"mp": 23}, "PB-ASLT-7"),
    ],
)
def test_attackers_must_be_fit(kind: str, state: dict[str, Any], rule: str) -> None:
    t = table(FIELD, unit(kind, "0202", side="allied", **state), unit("de_rifle_plt", "0302"))
    refusal = t.check(storm(t, 0))
    assert (refusal.rule if refusal else "") == rule


@pytest.mark.rule("PB-ASLT-1", "PB-ASLT-3", "PB-ASLT-6")
def test_an_assault_goes_into_a_neighboring_hex_that_the_enemy_holds() -> None:
    t = table(
        FIELD,
        unit("su_rifle_coy", "0202"),
        unit("de_rifle_plt", "0302"),
        unit("de_rifle_plt", "0502"),
        hexsides={"river": ["0202-0302"]},
    )
    assert t.refusal(storm(t, 0)).rule == "PB-ASLT-6"
    assert t.refusal(storm(t, 0, at="0502")).rule == "PB-ASLT-1"
    assert t.refusal(storm(t, 0, at="0201")).rule == "PB-ASLT-3"
    assert t.refusal(Assault((U(0),), t.hex("0101"))).rule == "PB-ASLT-3"
    assert t.refusal(Assault((), t.hex("0302"))).rule == "PB-ASLT-1"
    assert t.refusal(Assault((U(0), U(0)), t.hex("0302"))).rule == "PB-ASLT-1"
    assert t.refusal(Assault((U(1),), t.hex("0302"))).rule == "PB-GEN-3"
    assert RULES.check(t.view(ALLIED), Assault((U(0),), t.hex("0101").__class__(0))) is not None


@pytest.mark.rule("PB-ASLT-7", "PB-ASLT-8", "PB-GEN-17")
def test_an_assault_costs_two_thirds_or_the_step() -> None:
    t = duel("su_t34_76")
    place = t.hex("0302")
    assert assault_cost(t.position, t.unit(0), place, overruns=False) == 77
    assert assault_cost(t.position, t.unit(0), place, overruns=True) == 9
    t.change(0, thirds=1, mp=76)
    assert assault_cost(t.position, t.unit(0), place, overruns=False) == 76
    t.change(0, thirds=1, mp=67, moved=True)
    assert assault_cost(t.position, t.unit(0), place, overruns=False) == 77


@pytest.mark.rule("PB-ASLT-6", "PB-STK-4")
def test_how_many_defend_a_hex_does_not_bar_the_road_into_it() -> None:
    t = table(
        "F F", unit("de_motinf_coy", "0101", mode="travel"), unit("su_rifle_coy", "0201"), active=AXIS,
        roads={"primary": [["0101", "0201"]]},
    )  # fmt: skip
    assert t.check(storm(t, 0, at="0201")) is None
    assert assault_cost(t.position, t.unit(0), t.hex("0201"), overruns=True) == 4


# --- how it ends -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("PB-ASLT-37", "PB-ASLT-42", "PB-ASLT-52", "PB-ASLT-53", "PB-ASLT-54", "PB-ASLT-56", "PB-VIC-4")
def test_shaken_defenders_retreat_and_attackers_move_in() -> None:
    t = table(
        FIELD,
        unit("su_rifle_coy", "0202"),
        unit("de_rifle_plt", "0302", disrupted=True),
        owners={"0302": AXIS},
        parameters=QUIET,
    )
    t.play(storm(t, 0), AllHighest())
    assert (t.at(0), t.at(1)) == ("0302", "0301")
    decided = t.only(AssaultDecided)
    assert decided.won
    cost, hurt = t.unit(0).full - t.unit(0).strength, 40 - t.unit(1).strength
    assert (decided.attackers_lost, decided.defenders_lost) == ((("men", cost),), (("men", hurt),))
    assert t.only(ObjectiveTaken).side == ALLIED
    assert (t.unit(0).mp, t.unit(0).assaulted, t.unit(1).attacked) == (12, True, True)
    assert t.refusal(storm(t, 0, at="0301")).rule == "PB-ASLT-9"
    assert sentence(decided, t.position) == (
        f"The assault on 0302 (Place 0302) succeeds: attackers lose {cost} men, defenders {hurt} men"
    )
    assert marks(decided).brief == f"{cost} men / {hurt} men"
    assert sentence(t.only(AssaultBegun), t.position).endswith("storms 0302 (Place 0302)")
    assert marks(t.only(AssaultBegun)).units == (U(0),)
    t.play(EndTurn(), AllHighest())
    t.play(EndTurn(), AllHighest())
    assert not t.unit(0).assaulted


@pytest.mark.rule("PB-ASLT-42", "PB-ASLT-38", "PB-ASLT-41")
def test_defenders_in_order_stay_and_so_does_everybody() -> None:
    t = duel()
    t.play(storm(t, 0), AllHighest())
    assert not t.only(AssaultDecided).won
    assert (t.at(0), t.at(1)) == ("0202", "0302")
    assert t.all(Stepped) == []
    assert len(t.all(Struck)) == 2
    assert "fails: attackers lose" in sentence(t.only(AssaultDecided), t.position)


@pytest.mark.rule("PB-ASLT-38", "PB-ASLT-40", "PB-CRT-13")
def test_an_assault_is_drawn_once_for_each_side() -> None:
    t = duel("su_rifle_coy", "de_rifle_plt", strength=40)
    # 1260/24 on the defender: 2.625 to 13.125; 400/24 on the attacker: 0.83 to 4.17
    half = share(0.5)
    t.play(storm(t, 0), [1, half, share(0.9), half, share(0.9), 1, 1, 6, 1, 14, 1])
    defender, attacker = t.all(Struck)
    assert (defender.lost, defender.result) == (7, "D")
    assert (attacker.lost, attacker.result) == (2, "")
    assert t.only(AssaultDecided).won


@pytest.mark.rule("PB-ASLT-43")
def test_a_hex_without_defenders_is_won() -> None:
    t = duel("su_smg_coy", "de_rifle_plt", strength=3)
    t.play(storm(t, 0), AllHighest())
    assert t.unit(1).gone
    assert t.only(AssaultDecided).won
    assert t.at(0) == "0302"


@pytest.mark.rule("PB-ASLT-10", "PB-ASLT-54")
def test_the_losses_of_an_assault_count_the_riders_and_the_guns_left_behind() -> None:
    t = table(
        FIELD,
        unit("su_t34_76", "0202"),
        unit("su_smg_coy", "0202", strength=40, carrier=U(0)),
        unit("de_105lefh", "0302", disrupted=True),
        parameters=QUIET,
    )
    t.play(storm(t, 0), Lowest(0))
    decided = t.only(AssaultDecided)
    assert t.unit(1).gone
    assert t.unit(2).gone
    assert decided.attackers_lost == (("men", 40), ("vehicles", t.unit(0).full - t.unit(0).strength))
    assert decided.defenders_lost == (("guns", 4),)
    assert sentence(decided, t.position).endswith("attackers lose 40 men and 1 vehicle, defenders 4 guns")
    assert marks(decided).brief == "40 men and 1 vehicle / 4 guns"


@pytest.mark.rule("PB-ASLT-54", "PB-FIRE-62")
def test_who_lost_nothing_in_an_assault_is_said_to_have_lost_nothing() -> None:
    t = duel("su_t34_76", "de_truck")
    t.play(storm(t, 0), AllHighest())
    decided = t.only(AssaultDecided)
    assert sentence(decided, t.position).endswith("succeeds: attackers lose nothing, defenders 10 vehicles")
    assert marks(decided).brief == "0 / 10 vehicles"


@pytest.mark.rule("PB-ASLT-43", "PB-ASLT-52")
def test_attackers_shaken_in_an_assault_do_not_move_in() -> None:
    t = duel("su_smg_coy", "de_rifle_plt", strength=3)
    # the defenders are gone; the attackers lose a man, tire, check and fail
    t.play(storm(t, 0), [1, share(0.5), share(0.5), share(0.9), share(0.0), 1, 1, 6])
    assert t.unit(1).gone
    assert t.unit(0).disrupted
    assert t.only(AssaultDecided).won
    assert t.at(0) == "0202"


@pytest.mark.rule("PB-ASLT-8")
def test_the_defenseless_are_overrun_at_the_cost_of_the_step() -> None:
    t = duel("su_t34_76", "de_truck")
    t.change(0, mp=9)
    t.play(storm(t, 0), AllHighest())
    assert t.unit(1).gone
    assert (t.at(0), t.unit(0).mp) == ("0302", 0)
    assert t.only(Struck).lost == 10


@pytest.mark.rule("PB-OPF-1", "PB-ASLT-4")
def test_attackers_shaken_by_the_answer_do_not_attack() -> None:
    t = table(FIELD, unit("su_rifle_coy", "0202"), unit("de_hmg_plt", "0302"))
    # the machine guns fire; a loss; fatigue; a check; the highest die fails it
    t.play(storm(t, 0), [1, share(0.9), share(0.9), 1, 1, 6])
    assert len(t.all(Fired)) == 1
    assert t.unit(0).disrupted
    assert not t.only(AssaultDecided).won
    assert len(t.all(Struck)) == 1


@pytest.mark.rule("PB-OPF-1", "PB-ASLT-1")
def test_each_attacking_hex_draws_fire_once() -> None:
    t = table(
        FIELD,
        unit("su_rifle_plt", "0202"),
        unit("su_rifle_coy", "0202"),
        unit("su_t34_76", "0301"),
        unit("de_hmg_plt", "0302"),
        unit("su_rifle_plt", "0202"),
    )
    t.play(storm(t, 0, 1, 2, 4), Lowest(3))
    assert [event.target for event in t.all(Fired)] == [U(1), U(2)]


@pytest.mark.rule("PB-SPOT-31", "PB-ASLT-3")
def test_defenders_nobody_saw_are_found_and_fight() -> None:
    board = FIELD.replace(".", "F")
    t = table(
        board,
        unit("su_rifle_coy", "0202"),
        unit("de_rifle_plt", "0302"),
        unit("de_rifle_plt", "0302", concealed=True),
        parameters=QUIET,
    )
    assert [one.id for one in t.known(ALLIED).units if one.hex] == [U(0), U(1)]
    t.play(storm(t, 0), AllHighest())
    assert len(t.all(Struck)) == 3
    assert not t.unit(2).concealed
    assert [event.unit for event in t.heard(ALLIED, Struck)] == [U(1), U(2), U(0)]
    assert t.heard(ALLIED, AssaultBegun)[0].revealed == ()
    assert t.heard(AXIS, AssaultBegun)[0].mp == (0,)


@pytest.mark.rule("PB-SPOT-15", "PB-SPOT-31")
def test_broken_defenders_do_not_see_who_strikes_them() -> None:
    t = duel(broken=True)
    t.play(storm(t, 0), AllHighest())
    begun, *_ = t.heard(AXIS, AssaultBegun)
    assert begun.units == ()
    assert "unseen enemy storms" in sentence(begun, t.known(AXIS))
    told = t.heard(AXIS, Struck)
    assert [event.unit for event in told] == [U(1), NOBODY]
    assert t.known(AXIS).losses == t.position.losses


@pytest.mark.rule("PB-UNIT-15", "PB-VIC-12")
def test_wrecks_of_unseen_attackers_are_counted() -> None:
    t = duel("su_t34_76", "de_assault_pio", broken=True)
    t.play(storm(t, 0), Lowest(0))
    assert t.known(AXIS).wrecks == t.position.wrecks


def test_without_fog_everybody_is_told_everything() -> None:
    t = table(FIELD, unit("su_rifle_coy", "0202"), unit("de_rifle_plt", "0302"), parameters=QUIET, fog=False)
    t.play(storm(t, 0), AllHighest())
    assert t.heard(AXIS, AssaultBegun) == t.heard(ALLIED, AssaultBegun) == [t.only(AssaultBegun)]


# --- retreat ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PB-ASLT-44", "PB-ASLT-45", "PB-STK-12")
def test_a_refuge_is_free_of_enemies_and_their_zones_and_has_room() -> None:
    t = table(
        FIELD,
        unit("su_rifle_coy", "0202"),
        unit("de_rifle_plt", "0302", disrupted=True),
        unit("su_rifle_coy", "0502"),
        unit("de_rifle_coy", "0303"),
        unit("de_bn_hq", "0604"),
        unit("su_rifle_plt", "0201"),
    )
    board = t.board
    # all around are zones of the enemy, but in 0303 a friend stands
    assert [board.label(place) for place in refuges(t.position, t.unit(1), t.hexes("0202"))] == ["0303"]
    t.change(3, strength=711)
    assert refuges(t.position, t.unit(1), t.hexes("0202")) == []
    t.change(3, mode="rail")
    assert [board.label(place) for place in refuges(t.position, t.unit(1), t.hexes("0202"))] == ["0303"], (
        "trains are not counted"
    )


@pytest.mark.rule("PB-VIC-4", "PB-VIC-5", "PB-MOVE-89")
@pytest.mark.parametrize("is_broken", [False, True])
def test_who_falls_back_over_a_hedge_row_is_vulnerable_and_takes_the_objective_there(is_broken: bool) -> None:
    state: dict[str, Any] = {"broken": True} if is_broken else {"disrupted": True}
    t = table(
        "~ ~ ~\n~ . ~\n~ . ~",
        unit("de_pz4h", "0202", **state),
        unit("su_rifle_coy", "0302"),
        hexsides={"hedge_row": ["0202-0203"]},
        owners={"0203": ALLIED},
    )
    t.work(lambda bench, side: retreat(bench, (U(0),), frozenset()), AXIS, [])
    assert t.at(0) == "0203"
    assert t.unit(0).vulnerable
    assert t.position.owners[t.hex("0203")] == (ALLIED if is_broken else AXIS)


@pytest.mark.rule("PB-ASLT-46", "PB-FIRE-65")
@pytest.mark.parametrize(("state", "taken"), [("disrupted", 50), ("broken", 75)])
def test_who_can_not_retreat_is_captured_in_part_and_stays(state: str, taken: int) -> None:
    t = table(
        "~ ~ ~\n~ . ~\n~ ~ .",
        unit("de_rifle_coy", "0202", disrupted=state == "disrupted", broken=state == "broken"),
        unit("su_rifle_coy", "0303"),
        parameters=QUIET,
    )
    t.play(Assault((U(1),), t.hex("0202")), AllHighest())
    fought, _, captured = t.all(Struck)
    assert captured.lost == (140 - fought.lost) * taken // 100
    assert t.only(AssaultDecided).defenders_lost == (("men", fought.lost + captured.lost),)
    assert (t.at(0), t.at(1)) == ("0202", "0303")
    assert t.only(AssaultDecided).won


@pytest.mark.rule("PB-ASLT-47", "PB-ASLT-48")
def test_guns_are_lost_and_anti_tank_guns_saved_by_half() -> None:
    t = duel("su_smg_coy", "de_105lefh", disrupted=True)
    t.play(storm(t, 0), AllHighest())
    assert t.unit(1).gone
    t = duel("su_smg_coy", "de_pak40", disrupted=True, strength=2, full=3)
    t.play(storm(t, 0), AllHighest())
    if t.unit(1).hex:
        assert t.only(ModeChanged).mode == "travel"
        assert (t.at(1), t.unit(1).strength) == ("0301", 1)


@pytest.mark.rule("PB-ASLT-48", "PB-ASLT-51")
def test_an_anti_tank_gun_that_is_halved_away_is_gone() -> None:
    t = duel("su_rifle_plt", "de_pak40", broken=True, strength=1)
    # it survives the assault itself: 1 man is no gun, no check; then the half of it is rounded up
    fight = [share(0.0), share(0.99), share(0.5), share(0.9), 10, 1, 6]
    t.play(storm(t, 0), [*fight, share(0.1)])
    assert t.unit(1).gone
    assert t.all(ModeChanged) == []


@pytest.mark.rule("PB-ASLT-45")
def test_a_stack_retreats_together() -> None:
    t = table(
        FIELD,
        unit("su_rifle_coy", "0202"),
        unit("de_rifle_plt", "0302", disrupted=True),
        unit("de_rifle_plt", "0302", disrupted=True),
        parameters=QUIET,
    )
    t.play(storm(t, 0), AllHighest())
    assert t.at(1) == t.at(2) == "0301"


@pytest.mark.rule("PB-ASLT-45")
def test_a_retreat_leads_away_from_those_who_attacked_and_not_from_others_beside() -> None:
    t = table(
        FIELD,
        unit("su_rifle_plt", "0202"),
        unit("de_rifle_plt", "0302", disrupted=True),
        unit("su_rifle_plt", "0401", broken=True),
        unit("de_rifle_plt", "0303"),
        unit("de_bn_hq", "0304"),
    )
    # each has one enemy beside it, and headquarters lie behind 0303, but that is beside the attacker
    labels = [t.board.label(place) for place in refuges(t.position, t.unit(1), t.hexes("0202"))]
    assert labels == ["0402", "0301", "0303"]


@pytest.mark.rule("PB-ASLT-45", "PB-STK-12")
def test_a_stack_retreats_together_to_where_there_is_room_for_all() -> None:
    t = table(
        FIELD,
        unit("su_rifle_coy", "0202"),
        unit("de_rifle_plt", "0302", disrupted=True),
        unit("de_rifle_plt", "0302", disrupted=True),
        unit("de_rifle_coy", "0301", strength=710, full=710),
        parameters=QUIET,
    )
    assert t.board.label(refuges(t.position, t.unit(1), t.hexes("0202"))[0]) == "0301", "for one alone"
    t.play(storm(t, 0), AllHighest())
    assert t.at(1) == t.at(2) == "0401"


@pytest.mark.rule("PB-ASLT-47", "PB-ASLT-48", "PB-ASLT-5")
def test_guns_on_tow_do_not_escape_either() -> None:
    t = duel("su_smg_coy", "de_105lefh", disrupted=True, mode="travel")
    t.play(storm(t, 0), AllHighest())
    assert t.unit(1).gone
    t = duel("su_rifle_plt", "de_pak40", disrupted=True, mode="travel", strength=12, full=12)
    t.play(storm(t, 0), Lowest(0, 1))
    assert t.at(1) == "0301"
    assert t.all(Struck)[-1].lost == 6
    assert not t.all(ModeChanged)


@pytest.mark.rule("PB-ASLT-52")
def test_attackers_move_in_as_far_as_there_is_room() -> None:
    t = table(
        FIELD,
        unit("su_rifle_coy", "0202", strength=300, full=300),
        unit("su_rifle_coy", "0301", strength=300, full=300),
        unit("de_rifle_plt", "0302", disrupted=True),
        parameters=QUIET,
    )
    t.play(storm(t, 0, 1), AllHighest())
    assert (t.at(0), t.at(1)) == ("0302", "0301")


# --- circumstances ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("PB-ASLT-20", "PB-ASLT-27", "PB-ASLT-25")
def test_hexsides_and_organizations() -> None:
    t = table(
        FIELD,
        unit("su_t34_76", "0202"),
        unit("su_t34_76", "0301"),
        unit("de_rifle_plt", "0302", disrupted=True),
        hexsides={"hedge_row": ["0202-0302"], "river": ["0301-0302"], "heavy_bridge": ["0301-0302"]},
        parameters=QUIET,
    )
    place = t.hex("0302")
    assert (side_pct(t.position, t.hex("0202"), place), side_pct(t.position, t.hex("0301"), place)) == (-20, -30)
    assert circumstances(t.position, [t.unit(0), t.unit(1)], place).hexside_pct == -30
    assert as_fighter(t.position, t.unit(0), place).over_hedge_row
    assert not as_fighter(t.position, t.unit(2), place).over_hedge_row
    assert organization(t.position, t.unit(0)) == ("brigade", "")
    assert organization(t.position, t.unit(2)) == ("", "")
    t.play(storm(t, 0), AllHighest())
    assert t.unit(0).vulnerable


@pytest.mark.rule("PB-ASLT-20")
@pytest.mark.parametrize(
    ("hexside", "percent"),
    [
        (("river", "ford"), -20), (("river", "heavy_bridge"), -30), (("stream", "ford", "hedge"), -20),
        (("river", "ford", "cliff"), -30), (("ford", "heavy_bridge", "river"), -20), (("stream", "hedge_row"), -20),
    ],
)  # fmt: skip
def test_a_bridge_or_ford_counts_instead_of_its_water_and_of_nothing_else(
    hexside: tuple[str, ...], percent: int
) -> None:
    t = table(". .", unit("su_t34_76", "0101"), hexsides={feature: ["0101-0201"] for feature in hexside})
    assert side_pct(t.position, t.hex("0101"), t.hex("0201")) == percent


@pytest.mark.rule("PB-ASLT-20", "PB-ENV-13")
@pytest.mark.parametrize(
    ("hexside", "percent"),
    [
        (("river", "heavy_bridge"), 0), (("stream", "ford"), 0), (("river", "heavy_bridge", "hedge"), -10),
        (("canal", "heavy_bridge"), -30), (("river", "canal", "ford"), -20), (("dike",), -20),
    ],
)  # fmt: skip
def test_a_bridge_over_the_ice_is_no_obstacle(hexside: tuple[str, ...], percent: int) -> None:
    sides = {feature: ["0101-0201"] for feature in hexside}
    t = table(". .", unit("su_t34_76", "0101"), hexsides=sides, condition="frozen")
    assert side_pct(t.position, t.hex("0101"), t.hex("0201")) == percent


# --- beforehand ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PB-CRT-21", "PB-ASLT-42")
def test_the_odds_of_an_assault_are_known_beforehand() -> None:
    t = duel(disrupted=True)
    order = storm(t, 0)
    found = forecast(RULES, t.view(ALLIED), order)
    assert isinstance(found, Forecast)
    assert sum(branch.chance for branch in found.branches) == 1
    assert {branch.result for branch in found.branches} == {prospects.TAKEN, prospects.HELD}
    expected, attackers = found.tally[:2]
    assert [line.label for line in expected.lines] == ["attackers", "defenders"]
    cost, hurt = (float(str(line.value).removesuffix(" men")) for line in expected.lines)
    assert hurt > cost > 0, "the defender is Disrupted"
    assert attackers.title == "Assault value of the attackers"
    ours, theirs = found.tally[-2:]
    assert (ours.title, theirs.title) == (
        "Loss of Rifle company #0 to be expected", "Loss of Rifle platoon #1 to be expected"
    )  # fmt: skip
    assert [line.label for line in ours.lines] == ["any loss", "Disrupted"]
    assert [line.label for line in theirs.lines] == ["any loss", "Broken"], "he is Disrupted already"
    label = prospects.assault_label(t.known(ALLIED), ALLIED, order)
    assert label.note.endswith("to take the hex")
    assert label.choice == f"Rifle company #0: {label.brief}", "who storms tells one way from another"


@pytest.mark.rule("PB-CRT-21", "PB-ASLT-54")
def test_men_guns_and_vehicles_are_foreseen_to_be_lost_apart() -> None:
    t = table(
        FIELD, unit("su_rifle_coy", "0202"), unit("su_t34_76", "0202"), unit("de_rifle_plt", "0302"),
        unit("de_pak40", "0302"), unit("de_rifle_plt", "0302"), parameters=QUIET,
    )  # fmt: skip
    found = RULES.odds(t.view(ALLIED), storm(t, 0, 1))
    assert found is not None
    losses, *_, infantry, tanks, men, guns, more_men = found.tally
    assert losses.title == "Losses to be expected"
    each = [str(one.total) for one in (infantry, tanks, guns)]
    apart = [float(str(one.total).split()[0]) for one in (men, more_men)]
    attackers, defenders = (str(line.value) for line in losses.lines)
    assert attackers == f"{each[0]} and {each[1]}"
    assert defenders.endswith(f" men and {each[2]}")
    assert float(defenders.split()[0]) == pytest.approx(sum(apart), abs=0.11)
    assert losses.total == f"{attackers} for {defenders}"
    assert [text.split()[1] for text in each] == ["men", "vehicles", "guns"]


def pocket(defender: str, *, way_out: bool = False, fanatical: bool = False, bunker: bool = True) -> Table:
    """A Disrupted defender in a pocket of water, which may have a way out, beside an attacker."""
    return table(
        f"~ ~ ~\n~ . .\n{'.' if way_out else '~'} ~ ~",
        unit(defender, "0202", disrupted=True),
        unit("su_rifle_coy", "0302"),
        parameters=QUIET,
        features={"0202": [Feature("bunker", AXIS)]} if bunker else None,
        sections={"fanatical": ["German"]} if fanatical else None,
    )


@pytest.mark.rule("PB-CRT-21", "PB-ASLT-46", "PB-ASLT-47", "PB-ASLT-50")
@pytest.mark.parametrize(
    ("defender", "changes", "is_taken"),
    [
        ("de_rifle_plt", {}, False),
        ("de_rifle_plt", {"fanatical": True}, False),
        ("de_105lefh", {}, True),
        ("de_rifle_plt", {"way_out": True}, True),
        ("de_pak40", {"way_out": True}, True),
        ("de_rifle_plt", {"way_out": True, "fanatical": True}, False),
    ],
)
def test_who_cannot_get_away_is_foreseen_to_stay(defender: str, changes: dict[str, bool], is_taken: bool) -> None:
    t = pocket(defender, **changes)
    found = RULES.odds(t.view(ALLIED), Assault((U(1),), t.hex("0202")))
    assert found is not None
    chances = {branch.result: branch.chance for branch in found.branches}
    assert (prospects.TAKEN in chances, prospects.BEATEN in chances) == (is_taken, not is_taken)
    t.play(Assault((U(1),), t.hex("0202")), AllHighest())
    assert t.only(AssaultDecided).won
    assert (t.at(1) == "0202") == is_taken


@pytest.mark.rule("PB-ASLT-46", "PB-ASLT-48", "PB-ASLT-49", "PB-ASLT-50", "PB-FIRE-65")
def test_how_likely_those_who_cannot_get_away_are_captured_to_the_last() -> None:
    def chance(t: Table, strength: int, *, is_broken: bool = False) -> float:
        return capture_chance(t.position, t.unit(0), strength, is_broken=is_broken)

    men, guns = pocket("de_rifle_plt"), pocket("de_pak40")
    assert [chance(men, left) for left in (1, 2, 3)] == [0.5, 0.0, 0.0]
    assert [chance(men, left, is_broken=True) for left in (1, 2, 3, 4)] == [0.75, 0.5, 0.25, 0.0]
    # half of one gun, then half of what is left; half of two is one, and then half of that
    assert [chance(guns, left) for left in (1, 2)] == [0.75, 0.5]
    assert chance(pocket("de_rifle_plt", fanatical=True, bunker=False), 1) == 0.0
    assert chance(pocket("de_pak40", fanatical=True, bunker=False), 1) == 0.5
    assert chance(pocket("de_pak40", fanatical=True), 1) == 0.0
    found = RULES.odds(guns.view(ALLIED), Assault((U(1),), guns.hex("0202")))
    assert found is not None
    assert {branch.result for branch in found.branches} >= {prospects.TAKEN, prospects.BEATEN}


@pytest.mark.rule("PB-CRT-21", "PB-OPF-1")
def test_the_forecast_of_an_assault_names_the_shots_that_it_may_draw() -> None:
    t = table(
        FIELD,
        unit("su_rifle_plt", "0202"),
        unit("su_rifle_coy", "0202"),
        unit("su_t34_76", "0301"),
        unit("de_hmg_plt", "0302"),
        unit("de_pak40", "0402", concealed=True),
    )
    found = forecast(RULES, t.view(ALLIED), storm(t, 0, 1, 2))
    assert isinstance(found, Forecast)
    assert [(one.actors, t.board.label(one.hex)) for one in found.reactions] == [((3,), "0202"), ((3,), "0301")]
    t.set(unknowns=(t.hex("0302"),))
    t.change(3, concealed=True)
    guess = RULES.odds(t.view(), storm(t, 0))
    assert guess is not None
    assert guess.reactions == (), "who is not known shoots in no forecast"


@pytest.mark.rule("PB-ASLT-8", "PB-CRT-21")
def test_overruns_are_certain_and_unknowns_unknown() -> None:
    t = duel("su_t34_76", "de_truck")
    found = forecast(RULES, t.view(ALLIED), storm(t, 0))
    assert isinstance(found, Forecast)
    assert [(branch.result, branch.chance) for branch in found.branches] == [(prospects.TAKEN, Fraction(1))]
    assert found.tally[0].total == f"nothing for {t.unit(1).strength:.1f} vehicles", "nobody is left of them"
    t = table(FIELD, unit("su_rifle_coy", "0202"), parameters=QUIET)
    assert prospects.prospect(t.position, ALLIED, storm(t, 0)) is None
    assert prospects.assault_label(t.position, ALLIED, storm(t, 0)).brief == "?"
    assert prospects.explain_assault(t.position, ALLIED, storm(t, 0)) == ()
    t.set(unknowns=(t.hex("0302"),))
    view = t.view(ALLIED)
    guess = RULES.odds(view, storm(t, 0))
    assert guess is not None
    assert [(branch.result, guess.exact) for branch in guess.branches] == [(prospects.UNKNOWN, False)]
    assert guess.dice, "an assault is decided by dice, whoever is there"


@pytest.mark.rule("PB-ASLT-2")
def test_all_who_may_join_an_assault_are_found() -> None:
    t = table(
        FIELD,
        unit("su_rifle_coy", "0202"),
        unit("su_rifle_coy", "0301"),
        unit("su_bn_hq", "0203"),
        unit("de_rifle_plt", "0302"),
    )
    position = t.known(ALLIED)
    (order,) = prospects.assault_options(position, ALLIED, position.units[0])
    joint = prospects.joined(position, ALLIED, order)
    assert joint.units == (U(0), U(1))
    assert list(prospects.assault_offers(position, ALLIED, position.units[0])) == [order, joint]
    shown = {verb.key: verb for verb in RULES.menu(t.view(), Selection((U(0),)))}
    assert [target.actors for target in shown["assault"].targets] == [(U(0),), (U(0), U(1))]
    assert list(prospects.assault_options(position, ALLIED, position.units[2])) == []
    pointed = prospects.point_assault(position, ALLIED, [position.units[0]], Selection(hex=t.hex("0302")))
    assert pointed == order
    assert prospects.assault_aim(position, order).actors == (U(0),)
    t.change(0, mp=5)
    position = t.known(ALLIED)
    assert list(prospects.assault_options(position, ALLIED, position.units[0])) == []


@pytest.mark.rule("PB-ASLT-2")
def test_the_menu_offers_an_assault_to_who_can_storm() -> None:
    t = duel()
    verbs = {verb.key: verb for verb in RULES.menu(t.view(ALLIED), Selection(units=(U(0),)))}
    assert [target.hex for target in verbs["assault"].targets] == [t.hex("0302")]
    assert RULES.order_text(storm(t, 0), t.view(ALLIED)).startswith("storm 0302 with ")


@pytest.mark.rule("PB-GEN-5")
def test_moving_firing_and_storming_may_be_mixed() -> None:
    t = table(FIELD, unit("su_t34_76", "0102"), unit("de_rifle_plt", "0302", disrupted=True), parameters=QUIET)
    t.play(Move((U(0),), t.hexes("0202")), AllHighest())
    t.play(storm(t, 0), AllHighest())
    assert t.refusal(Fire(U(0), U(1))).rule == "PB-FIRE-14"


# --- the computer ----------------------------------------------------------------------------------------------------


def chosen(t: Table) -> Order:
    """What the computer does first."""
    view = t.view(ALLIED)
    return GreedyPlayer(RULES, Doctrine()).choose(view, view.decisions[0], 64, PromptDice("x"))


@pytest.mark.rule("PB-AI-7")
def test_the_computer_storms_what_it_can_take_with_all_who_can_join() -> None:
    t = table(
        FIELD,
        unit("su_rifle_coy", "0202"),
        unit("su_rifle_coy", "0301"),
        unit("de_rifle_plt", "0302", broken=True),
        owners={"0302": AXIS},
        parameters=QUIET,
    )
    order = chosen(t)
    assert isinstance(order, Assault)
    assert (set(order.units), order.hex) == ({U(0), U(1)}, t.hex("0302"))


@pytest.mark.rule("PB-AI-7")
def test_the_computer_does_not_storm_against_the_odds_or_into_the_dark() -> None:
    t = table(FIELD, unit("su_rifle_plt", "0202"), unit("de_rifle_coy", "0302"), owners={"0302": AXIS})
    assert not isinstance(chosen(t), Assault)
    t = table(FIELD, unit("su_rifle_plt", "0202"), owners={"0302": AXIS})
    assert gain(t.position, ALLIED, storm(t, 0)) == 0


@pytest.mark.rule("PB-ASLT-7")
def test_who_stands_beside_an_enemy_is_told_that_points_are_lacking() -> None:
    t = table(". . .", unit("su_rifle_coy", "0101", mp=5), unit("de_rifle_coy", "0201"))
    (verb,) = (one for one in RULES.menu(t.view(), Selection((U(0),))) if one.key == "assault")
    assert verb.refusal is not None
    assert (verb.refusal.rule, verb.refusal.reason) == ("PB-ASLT-7", "it has not the movement points left")
    t.change(0, mp=36)
    (verb,) = (one for one in RULES.menu(t.view(), Selection((U(0),))) if one.key == "assault")
    assert verb.refusal is None
    t.change(0, disrupted=True)
    (verb,) = (one for one in RULES.menu(t.view(), Selection((U(0),))) if one.key == "assault")
    assert verb.refusal is not None
    assert verb.refusal.reason == "it is Disrupted"
