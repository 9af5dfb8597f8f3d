"""What the state of units, works and weather make of a fire on the table, and the alternative calculation."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.kernel.ids import UnitId
from sandtable.rulesets.panzer_battles.assault.odds import side_fate
from sandtable.rulesets.panzer_battles.assault.prospects import prospect
from sandtable.rulesets.panzer_battles.assault.situations import as_fighter
from sandtable.rulesets.panzer_battles.fire.eligibility import is_hard_target
from sandtable.rulesets.panzer_battles.fire.policy import target_type
from sandtable.rulesets.panzer_battles.fire.prospects import odds_of
from sandtable.rulesets.panzer_battles.fire.situations import as_struck, shot
from sandtable.rulesets.panzer_battles.model import ALLIED, AXIS, Feature
from sandtable.rulesets.panzer_battles.orders import Assault, Fire
from sandtable.rulesets.panzer_battles.parameters import DEFAULTS
from sandtable.rulesets.panzer_battles.results.losses import Interval
from sandtable.rulesets.panzer_battles.results.struck import Struck, morale
from tests.rulesets.panzer_battles.table import HIGHEST, AllHighest, Table, U, table, unit

ROW = ". . . . . ."
FIELD = f"{ROW}\n{ROW}"


class Counted(AllHighest):
    """Dice that show their highest face, counted."""

    thrown = 0

    def face(self, sides: int, actor: UnitId) -> int:
        self.thrown += 1
        return super().face(sides, actor)


def duel(firer: str = "us_m4", target: str = "de_rifle_coy", **drawn: Any) -> Table:
    return table(FIELD, unit(firer, "0101"), unit(target, "0201"), **drawn)


def value(t: Table) -> float:
    return shot(t.position, t.unit(0), t.unit(1)).value.value


def defense(t: Table) -> float:
    return shot(t.position, t.unit(0), t.unit(1)).value.defense


@pytest.mark.rule("PB-FIRE-28", "PB-FIRE-33", "PB-FIRE-70")
def test_want_of_shells_digging_in_and_stockpiles_count_in_a_fire() -> None:
    poor = {"artillery": {"stockpiled_fire_pct": {"allied": 75, "axis": 75}}}
    t = duel("su_122how", parameters=poor)
    plain = value(t)
    for state, factor in (("low_ammo", 0.5), ("digging_in", 0.5), ("unavailable", 0.5), ("stockpiled", 0.75)):
        t.change(0, **{state: True})
        assert value(t) == pytest.approx(plain * factor), state
        t.change(0, **{state: False})
    t.change(0, low_ammo=True, digging_in=True)
    assert value(t) == pytest.approx(plain * 0.5)


@pytest.mark.rule("PB-MOVE-67", "PB-UNIT-9", "PB-FIRE-39", "PB-FIRE-50", "PB-FIRE-52", "PB-ASLT-21", "PB-OPF-6")
def test_men_without_their_vehicles_are_men_on_the_march_too() -> None:
    t = duel(target="de_pzgren_coy")
    t.change(1, mode="travel", low_fuel=True)
    assert is_hard_target(t.position, t.unit(1))
    assert as_fighter(t.position, t.unit(1), t.hex("0101")).fights_as_vehicle
    assert target_type(t.unit(1)) == "hard"
    t.change(1, on_foot=True)
    assert not is_hard_target(t.position, t.unit(1))
    assert defense(t) == 24 * 0.5, "on the march, and no fuel that he could lack"
    assert "PB-FIRE-39" not in [line.rule for line in shot(t.position, t.unit(0), t.unit(1)).value.tallies[0].lines]
    assert not as_fighter(t.position, t.unit(1), t.hex("0101")).fights_as_vehicle
    assert target_type(t.unit(1)) == "foot"


@pytest.mark.rule("PB-FIRE-46", "PB-FIRE-49", "PB-FIRE-66", "PB-FIRE-67")
def test_a_work_protects_its_side_and_half_as_well_once_it_is_left_or_the_enemys() -> None:
    plain = value(duel())
    for work, ratio in (
        (Feature("trench", AXIS), 0.45),
        (Feature("trench", AXIS, vacated=True), 0.725),
        (Feature("trench", ALLIED), 0.725),
        (Feature("improved", AXIS), 0.7),
    ):
        t = duel(features={"0201": [work]})
        assert value(t) == pytest.approx(plain * ratio)
        assert defense(t) == 24


@pytest.mark.rule("PB-FIRE-47", "PB-FIRE-40")
def test_a_bunker_makes_men_hard_but_gives_them_no_armor() -> None:
    t = duel(features={"0201": [Feature("bunker", AXIS)]})
    assert defense(t) == 40
    assert next(line.label for line in shot(t.position, t.unit(0), t.unit(1)).value.tallies[0].lines).startswith("hard")
    assert not any("arms" in line.label for line in shot(t.position, t.unit(0), t.unit(1)).value.tallies[0].lines)


@pytest.mark.rule("PB-FIRE-42", "PB-FIRE-52", "PB-FIRE-54")
def test_storm_frost_and_want_of_fuel_count_in_a_fire() -> None:
    plain = duel(target="de_pz4h")
    assert value(duel(target="de_pz4h", storm=True)) == pytest.approx(value(plain) / 2)
    frost = {"frozen": {"penalty_pct": {"allied": 20, "axis": 40}}}
    cold = duel(target="de_pz4h", condition="frozen", parameters=frost)
    assert value(cold) == pytest.approx(value(plain) * 0.9)
    assert defense(cold) == pytest.approx(defense(plain) * 0.6)
    plain.change(1, low_fuel=True)
    assert defense(plain) == pytest.approx(duel(target="de_pz4h").unit(1).of.defense / 2)


@pytest.mark.rule("PB-MOR-6", "PB-MOR-8")
def test_want_and_isolation_lower_the_morale_that_a_fire_meets() -> None:
    t = duel()
    assert morale(as_struck(t.unit(1)), DEFAULTS) == 4
    t.change(1, low_ammo=True, isolated=True)
    assert morale(as_struck(t.unit(1)), DEFAULTS) == 2


@pytest.mark.rule("PB-FIRE-51")
def test_guns_set_up_where_only_the_road_leads_defend_as_if_on_the_march() -> None:
    rows = ". F .\n. . ."
    t = table(rows, unit("us_m4", "0101"), unit("de_pak40", "0201"), roads={"secondary": [["0101", "0201", "0301"]]})
    assert defense(t) == pytest.approx(t.unit(1).of.defense / 4)


@pytest.mark.rule("PB-CRT-19", "PB-OPT-10")
def test_by_the_alternative_calculation_a_fire_takes_the_mean_of_two_draws() -> None:
    t = duel(options={"alternative_fire": True}, target="de_pz4h")
    # two draws for the casualty value, one for rounding; all highest
    t.play(Fire(U(0), U(1)), dice=[HIGHEST, HIGHEST, HIGHEST, *[HIGHEST] * 4])
    plain, peaked = duel(), duel(options={"alternative_fire": True})
    usual, other = (odds_of(one.position, one.unit(0), one.unit(1)) for one in (plain, peaked))
    assert usual.mean_loss == pytest.approx(other.mean_loss)
    assert usual.losses != other.losses


@pytest.mark.rule("PB-CRT-19", "PB-OPT-11")
def test_by_the_alternative_calculation_an_assault_takes_the_mean_of_two_draws() -> None:
    def storm(**options: bool) -> Table:
        return duel("us_rifle_coy", options=options)

    order = Assault((U(0),), storm().hex("0201"))
    usual = prospect(storm().position, ALLIED, order)
    other = prospect(storm(alternative_assault=True).position, ALLIED, order)
    assert usual is not None
    assert other is not None
    assert usual.hurt == other.hurt
    assert usual.success != other.success
    unit_ = Struck(True, 30, 30)
    point = side_fate([unit_], [1.0], Interval(5.0, 5.0), DEFAULTS, alternative=True)
    assert point == side_fate([unit_], [1.0], Interval(5.0, 5.0), DEFAULTS)
    thrown = []
    for t in (storm(), storm(alternative_assault=True)):
        dice = Counted()
        t.play(order, dice)
        thrown.append(dice.thrown)
    assert thrown[1] == thrown[0] + 2
