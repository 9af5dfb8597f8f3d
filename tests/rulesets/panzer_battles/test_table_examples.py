"""The worked examples of the specification that need a map or a table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import pytest

from sandtable.geometry.hexes import Hex, from_offset
from sandtable.kernel.ids import HexId
from sandtable.rulesets.panzer_battles import victory
from sandtable.rulesets.panzer_battles.environment.calendar import day_of
from sandtable.rulesets.panzer_battles.environment.program import in_force, read_program
from sandtable.rulesets.panzer_battles.fire.costs import fire_cost
from sandtable.rulesets.panzer_battles.fire.values import FireContext, Firer, Target, fire_value
from sandtable.rulesets.panzer_battles.kinds import KINDS
from sandtable.rulesets.panzer_battles.model import ALLIED, Feature, Unit
from sandtable.rulesets.panzer_battles.movement import paths
from sandtable.rulesets.panzer_battles.movement.costs import allowance
from sandtable.rulesets.panzer_battles.parameter_sections import CONDITIONS
from sandtable.rulesets.panzer_battles.parameters import overridden
from sandtable.rulesets.panzer_battles.scenario import Thresholds
from sandtable.rulesets.panzer_battles.spotting.sight import sees
from sandtable.rulesets.panzer_battles.supply.ammunition import shells_value
from sandtable.rulesets.panzer_battles.supply.artillery import is_artillery
from tests.rulesets.panzer_battles import table as tables
from tests.rulesets.panzer_battles.table import Table, U, table, unit
from tests.rulesets.panzer_battles.test_examples import Facts, of_kind

CLASSES = {"tracked": "su_t34_76", "motorized": "de_truck", "foot": "su_rifle_coy"}
LETTERS = {name: letter for letter, name in tables.LETTERS.items()} | {"clear": "."}


@of_kind("step")
def test_what_a_step_costs(situation: Facts, expected: Facts) -> None:
    kind = CLASSES[situation["cls"]]
    hexside, road = situation.get("hexside"), situation.get("road")
    enemy = "su_rifle_coy" if kind.startswith("de") else "de_rifle_coy"
    watch = [unit(enemy, "0102", side="axis"), unit(enemy, "0202", side="axis")] if situation.get("zoc") else []
    t = table(
        f". {LETTERS[situation.get('terrain', 'clear')]}\n. .",
        unit(kind, "0101", side="allied", mode="travel" if road else "deployed"),
        *watch,
        elevation=f"0 {situation.get('levels', 0)}\n0 0",
        hexsides={hexside: ["0101-0201"]} if hexside else None,
        roads={road: [["0101", "0201"]]} if road else None,
        condition=situation["cond"],
        storm=situation.get("storm", False),
        features={"0201": [Feature("rubble")]} if situation.get("rubble") else None,
    )
    cost = paths.step(t.position, t.unit(0), t.hex("0101"), t.hex("0201")).cost
    # no way costs nothing on the table and -1 in the books
    assert (cost or -1) == expected["cost"]


@of_kind("allowance")
def test_quality_changes_the_allowance(situation: Facts, expected: Facts) -> None:
    assert situation["base"] == 100
    for sort, kind in (("vehicle", "de_pz4h"), ("other", "de_rifle_coy")):
        for grade, points in expected[sort].items():
            base = 100 if sort == "vehicle" else 36
            found = allowance(table(".").position, Unit(U(0), kind, ALLIED, quality=grade))
            assert found == base * points // 100


class Country:
    """An open country of 12 by 12 hexes in whose middle axial coordinates begin."""

    def __init__(self, **drawn: Any) -> None:
        self.table = table("\n".join(["." * 12] * 12), **drawn)
        self.middle = self.table.board.axial(self.table.hex("0506"))

    def at(self, place: Iterable[int]) -> HexId:
        q, r = place
        return self.table.board.from_axial(Hex(self.middle.q + q, self.middle.r + r))

    def label(self, place: Iterable[int]) -> str:
        return self.table.board.label(self.at(place))


def drawn(blank: Country, changes: Mapping[str, str], letter: str) -> str:
    """A map of 12 by 12 hexes on which some have another sign."""
    board = blank.table.board
    rows = [[letter] * 12 for _ in range(12)]
    for label, sign in changes.items():
        column, row = board.col_row(board.parse(label))
        rows[row][column] = sign
    return "\n".join("".join(row) for row in rows)


def country(situation: Facts) -> tuple[Country, Table]:
    """The country of an example, and the table it is drawn on."""
    blank = Country()
    terrain = {blank.label(place): LETTERS[key] for place, key in situation.get("terr", ())}
    heights = {blank.label(place): str(meters // 10) for place, meters in situation.get("elev", ())}
    sides: dict[str, list[str]] = {}
    for (a, b), key in situation.get("hs", ()):
        sides.setdefault(key, []).append(f"{blank.label(a)}-{blank.label(b)}")
    laid = table(drawn(blank, terrain, "."), elevation=drawn(blank, heights, "0"), hexsides=sides)
    laid.set(wrecks={blank.at(place): count for place, count in situation.get("wreck", ())})
    return blank, laid


@of_kind("sight")
def test_who_sees_whom(situation: Facts, expected: Facts) -> None:
    places, laid = country(situation)
    observer, target = places.at(situation["observer"]), places.at(situation["target"])
    assert laid.board.distance(observer, target) == expected["distance"]
    assert sees(laid.position, observer, target) == expected["los"]
    assert sees(laid.position, target, observer) == expected["los"]


@of_kind("level of victory")
def test_thresholds_make_levels(situation: Facts, expected: Facts, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "THRESHOLDS", Thresholds(**situation["thresholds"]))
    assert victory.level_of(table(".").position.ground, situation["score"]) == expected["level"]


@of_kind("three fires")
def test_three_fires_use_up_any_allowance(situation: Facts, expected: Facts) -> None:
    t = table(".", unit("us_m4", "0101"))
    points, costs = situation["ma"], []
    t.change(0, kind="de_pz4h", mp=points)
    for number in range(expected["fires"]):
        t.change(0, thirds=number)
        costs.append(fire_cost(t.position, t.unit(0)))
        t.change(0, mp=t.unit(0).mp - costs[-1])
    assert costs == expected["costs"]
    assert t.unit(0).mp == 0


@of_kind("coordinates")
def test_columns_and_rows_are_axial_coordinates(situation: Facts, expected: Facts) -> None:
    places = [from_offset(column, row) for column, row in situation["offset"]]
    assert [[place.q, place.r] for place in places] == expected["axial"]


@of_kind("weather line")
def test_a_line_of_a_weather_file_holds_from_its_day_on(situation: Facts, expected: Facts) -> None:
    forecast = in_force(read_program(situation["line"], "weather", 20), day_of(situation["date"]))
    assert forecast is not None
    assert dict(zip(CONDITIONS, forecast.conditions, strict=True)) == expected["condition_pct"]
    assert [*forecast.visibility, forecast.storm_pct] == [*expected["visibility"], expected["storm_pct"]]


@of_kind("isolated battery")
def test_guns_that_are_cut_off_and_fire_run_out_of_shells(situation: Facts, expected: Facts) -> None:
    t = table(". .", unit("su_122how", "0101", fired=situation["fired"], isolated=situation["isolated"]))
    assert is_artillery(t.unit(0)) is situation["artillery"]
    assert 1 - float(shells_value(t.position, t.unit(0))) == expected["p_unavailable"]


@of_kind("frost")
def test_frost_wears_down_defense_attack_and_vehicles(situation: Facts, expected: Facts) -> None:
    penalty = {"frozen": {"penalty_pct": {"allied": situation["penalty_pct"], "axis": situation["penalty_pct"]}}}
    parameters = overridden(penalty, "example")
    attack = situation["attack"]
    firer = Firer(KINDS["us_m4"], "allied", 1, 1, soft=attack, hard=attack)
    target = Target(KINDS["de_rifle_coy"], "axis", situation["defense"])

    def fire(terrain: str) -> tuple[float, float]:
        found = fire_value(firer, target, FireContext(1, 10, terrain, frozen=True), parameters)
        return found.value, found.defense

    assert fire("clear") == (expected["attack"], expected["defense_open"])
    assert fire("town")[1] == expected["defense_urban"]
    t = table(".", unit("de_pz4h", "0101"), condition="frozen", parameters=penalty)
    assert KINDS["de_pz4h"].ma == situation["ma"]
    assert allowance(t.position, t.unit(0)) == expected["vehicle_ma"]
