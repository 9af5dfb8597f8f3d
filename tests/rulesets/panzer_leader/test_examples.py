"""The worked examples of the specification, each played out on a table."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from sandtable.geometry.board import Board
from sandtable.geometry.hexes import Hex
from sandtable.kernel.decisions import Refusal
from sandtable.kernel.trace import amount
from sandtable.rulesets.panzer_leader import air, artillery, combat, opportunity, overrun, sight, weapons, works
from sandtable.rulesets.panzer_leader.combat import target_type
from sandtable.rulesets.panzer_leader.events import AttackRolled, MissionFired
from sandtable.rulesets.panzer_leader.fire import ordered_attack
from sandtable.rulesets.panzer_leader.ground import Ground, Options
from sandtable.rulesets.panzer_leader.kinds import KINDS
from sandtable.rulesets.panzer_leader.model import ALLIED, Mission, Position, Sighting, Unit, enemy_of
from sandtable.rulesets.panzer_leader.orders import AirSortie, CloseAssault, DirectFire, FireMissions, MoveUnit
from sandtable.rulesets.panzer_leader.terrain_table import TERRAIN
from sandtable.rulesets.panzer_leader.workings import Attack, Barrage
from tests.rulesets.panzer_leader.table import Counter, Table, U, ids, open_board, plane, scenario, table, unit

EXAMPLES = tomllib.loads((Path(__file__).parent / "examples.toml").read_text(encoding="utf-8"))["example"]
BY_KIND = {example["kind"] for example in EXAMPLES}

Situation = dict[str, Any]
Expected = dict[str, Any]

WIDTH, HEIGHT, ROW = 3, 62, 40
TARGET = f"02{ROW}"
LEVELS = {"hilltop": 2, "slope": 1}
SPREAD = {"X": "X", "DD": "D", "D": "D", "-": "-"}


def of_kind(kind: str) -> pytest.MarkDecorator:
    """A test over all examples of a kind, each with the rules it carries."""
    cases = [
        pytest.param(example["situation"], example["expected"], id=example["id"])
        for example in EXAMPLES
        if example["kind"] == kind
    ]
    return pytest.mark.parametrize(("situation", "expected"), cases)


def test_every_kind_of_example_is_played() -> None:
    source = Path(__file__).read_text(encoding="utf-8")
    assert {kind for kind in BY_KIND if f'@of_kind("{kind}")' not in source} == set()
    assert len(EXAMPLES) == 34


# --- the ground of an attack ----------------------------------------------------------------------------------------


def rows_with(terrain: str) -> str:
    """Open ground with one hex of the terrain, where the target is."""
    rows = [list(row) for row in open_board(WIDTH, HEIGHT).splitlines()]
    rows[ROW - 1][1] = TERRAIN[terrain].letter
    return "\n".join("".join(row) for row in rows)


def counters(situation: Situation) -> list[Counter]:
    """The targets and who is inside them, numbered from 0."""
    dispersed = int(situation.get("target_dispersed", False))
    side = {"a": "allied", "b": "allied"}.get(situation.get("targets", ["g"])[0][0], "german")
    made = [unit(kind, TARGET, side, dispersed=dispersed) for kind in situation["targets"]]
    return made + [unit(kind, TARGET, side, fort=0) for kind in situation.get("inside", ())]


def laid_out(situation: Situation, others: Iterable[Counter], **fields: Any) -> Table:
    """The targets in their terrain, the others where they stand, the side of the others on turn."""
    others = list(others)
    targets = counters(situation)
    elevation = {TARGET: LEVELS[situation["target_level"]]} if "target_level" in situation else {}
    return table(
        rows_with(situation["terrain"]),
        *targets,
        *others,
        elevation={**elevation, **fields.pop("elevation", {})},
        phasing=others[0].side if others else enemy_of(targets[0].side),
        **fields,
    )


def outcomes(play: Callable[[int], Table], targets: int) -> dict[str, str]:
    """How often each thing happens to the first target over the six faces of the die, as the examples write it."""
    counted: dict[str, int] = {}
    for die in range(1, 7):
        t = play(die)
        result = SPREAD[t.happened(AttackRolled)[0].result]
        gone = [t.unit(number).fate == "destroyed" for number in range(targets)]
        assert len(set(gone)) == 1
        counted["X" if gone[0] else result] = counted.get("X" if gone[0] else result, 0) + 1
    return {result: f"{count}/6" for result, count in counted.items()}


def compare(attack: Attack, expected: Expected) -> None:
    """Every number of an attack that the example gives."""
    found = {
        "as_total": amount(attack.strength),
        "ds_total": attack.defense,
        "base_odds": attack.base,
        "odds": attack.odds,
        "drm": attack.drm,
        "by_die_1_to_6": combat.distribution(attack),
    }
    assert {key: value for key, value in found.items() if key in expected} == {
        key: value for key, value in expected.items() if key in found
    }


# --- fire -----------------------------------------------------------------------------------------------------------


def battery(situation: Situation) -> tuple[list[Counter], dict[str, int], list[str]]:
    """The firers at their distances, turn by turn north and south of the target; their levels; brown sides."""
    made, elevation, brown = [], {}, []
    for number, firer in enumerate(situation["firers"]):
        row = ROW - firer["distance"] if number % 2 == 0 else ROW + firer["distance"]
        label = f"02{row:02d}"
        made.append(unit(firer["unit"], label))
        if "level" in firer:
            elevation[label] = LEVELS[firer["level"]]
        if firer["distance"] == 1 and not firer.get("adjacent_over_plain_side"):
            brown.append(f"{label}-{TARGET}")
    return made, elevation, brown


@of_kind("direct_fire")
@pytest.mark.rule("PL-302", "PL-305", "PL-802", "PL-806", "PL-807", "PL-808", "PL-809", "PL-810", "PL-821", "PL-822")
@pytest.mark.rule("PL-831", "PL-832", "PL-833", "PL-836", "PL-1321")
def test_direct_fire_as_in_the_worked_example(situation: Situation, expected: Expected) -> None:
    firers, elevation, brown = battery(situation)
    first, count = len(counters(situation)), len(situation["targets"])

    def laid() -> Table:
        t = laid_out(situation, firers, elevation=elevation, hexsides={"brown": brown})
        seen = tuple(Sighting(U(number), t.hex(TARGET), 1, ids(first)) for number in range(count))
        t.set(sightings=seen)
        return t

    t = laid()
    against = target_type(t.position, t.position.units[:count])
    able = []
    for number, wanted in enumerate(expected["as_each"], start=first):
        made = weapons.strength_against(t.position, t.unit(number), t.hex(TARGET), against)
        assert ("cannot fire" if isinstance(made, Refusal) else amount(weapons.in_whole_points(made[0]))) == wanted[
            "strength"
        ]
        if not isinstance(made, Refusal):
            able.append(number)
    order = DirectFire(tuple(ids(*able)), t.hex(TARGET), ids(*range(count)))
    if expected["odds"] == "not allowed":
        assert t.refusal(order).rule == "PL-832"
        return
    compare(fire_attack(t, order), expected)

    def play(die: int) -> Table:
        t = laid()
        t.play(order, dice=[die])
        return t

    assert outcomes(play, count) == expected["distribution"]


def fire_attack(t: Table, order: DirectFire) -> Attack:
    attack = ordered_attack(t.position, t.position.phasing, order)
    assert isinstance(attack, Attack), attack
    return attack


@of_kind("indirect_fire")
@pytest.mark.rule("PL-806", "PL-808", "PL-1101", "PL-1107", "PL-1108")
def test_indirect_fire_as_in_the_worked_example(situation: Situation, expected: Expected) -> None:
    firers, _, _ = battery(situation)
    first = len(situation["targets"])
    t = laid_out(situation, firers)
    place = t.hex(TARGET)
    able = [u.id for u in t.position.units[first:] if artillery.range_refusal(t.position, u, place) is None]
    barrage = Barrage(place, tuple(able))
    targets = artillery.bombarded(t.position, place)
    total, _ = artillery.barrage_strength(t.position, barrage, target_type(t.position, targets))
    # the total of the example is what is divided, fraction dropped
    assert int(total) == expected["as_total"]
    attacks = artillery.bombardment(t.position, barrage)
    assert [attack.targets for attack in attacks] == [(number,) for number in range(first)]
    for attack, wanted in zip(attacks, expected["per_defender"], strict=True):
        assert t.unit(attack.targets[0]).kind == wanted["unit"]
        assert attack.strength == expected["as_each_defender"]
        assert attack.odds == wanted["odds"]
        assert rolled(t, attack) == wanted["distribution"]


def rolled(t: Table, attack: Attack) -> dict[str, str]:
    """How the attack ends for its first target, over the six faces."""

    def play(die: int) -> Table:
        fresh = Table(t.state)
        fresh.run(combat.roll_attack, attack, dice=[die])
        return fresh

    counted: dict[str, int] = {}
    for die in range(1, 7):
        after = play(die)
        gone = after.unit(attack.targets[0]).fate == "destroyed"
        result = "X" if gone else SPREAD[after.happened(AttackRolled)[0].result]
        counted[result] = counted.get(result, 0) + 1
    return {result: f"{count}/6" for result, count in counted.items()}


@of_kind("scatter")
@pytest.mark.rule("PL-1105", "PL-1106")
def test_unobserved_fire_scatters_as_in_the_worked_example(situation: Situation, expected: Expected) -> None:
    chances: dict[str, Fraction] = {}
    for die in range(1, 7):
        for direction in range(1, 7) if die in (3, 4, 5) else (0,):
            t = table(open_board(5, 20), unit("a_priest", "0120"), unit("a_rifle", "0503", dispersed=1), segment=3)
            t.set(missions=(Mission(ALLIED, ids(0), t.hex("0303"), ids(1), 1, 3),))
            t.play(FireMissions(), dice=[die, direction] if direction else [die])
            (fell,) = t.happened(MissionFired)
            where = t.board.label(fell.hex) if fell.hex else "nowhere"
            chances[where] = chances.get(where, Fraction(0)) + Fraction(1, 36 if direction else 6)
    assert chances.pop("0303") == Fraction(expected["target_hex"])
    assert chances.pop("nowhere") == Fraction(expected["no_effect"])
    assert set(chances) == {t.board.label(h) for h in t.board.neighbors(t.hex("0303"))}
    assert set(chances.values()) == {Fraction(expected["each_of_6_adjacent_hexes"])}


# --- overrun, assault, mines ----------------------------------------------------------------------------------------


@of_kind("overrun")
@pytest.mark.rule("PL-834", "PL-903", "PL-1005", "PL-1006")
def test_an_overrun_as_in_the_worked_example(situation: Situation, expected: Expected) -> None:
    runners = [unit(kind, f"02{ROW - 1}") for kind in situation["attackers"]]
    t = laid_out(situation, runners)
    driving = t.position.units[len(situation["targets"]) :]
    attack = overrun.overrun_attack(t.position, t.position.phasing, driving, t.hex(TARGET))
    assert isinstance(attack, Attack)
    compare(attack, expected)
    assert rolled(t, attack) == expected["distribution"]


@of_kind("close_assault")
@pytest.mark.rule("PL-1023", "PL-1024", "PL-1025")
def test_a_close_assault_as_in_the_worked_example(situation: Situation, expected: Expected) -> None:
    apart = 0 if situation["stacked_together"] else 2
    labels = [f"02{ROW - 1}", f"02{ROW - 1 + apart}"]
    troops = [unit(kind, label) for kind, label in zip(situation["attackers"], labels, strict=True)]
    first = len(situation["targets"])

    def play(die: int) -> Table:
        t = laid_out(situation, troops, step="close assault")
        t.play(CloseAssault(ids(*range(first, first + len(troops))), t.hex(TARGET)), dice=[die])
        return t

    assert outcomes(play, first) == expected["distribution"]
    t = laid_out(situation, troops, step="close assault")
    order = CloseAssault(ids(*range(first, first + len(troops))), t.hex(TARGET))
    strength, defense, odds, die = t.explain(order)
    assert (strength.total, defense.total, odds.lines[0].value, odds.total, die.total) == (
        expected["as_total"],
        expected["ds_total"],
        expected["base_odds"],
        expected["odds"],
        expected["drm"],
    )
    by_die = [play(face).happened(AttackRolled)[0].result for face in range(1, 7)]
    assert by_die == expected["by_die_1_to_6"]


@of_kind("mine")
@pytest.mark.rule("PL-1303")
def test_a_minefield_as_in_the_worked_example(situation: Situation, expected: Expected) -> None:
    t = laid_out(situation, (), mines=[TARGET])
    attack = works.mine_attack(t.position, t.unit(0))
    compare(attack, expected)
    assert rolled(t, attack) == expected["distribution"]


# --- air ------------------------------------------------------------------------------------------------------------


@of_kind("air_attack")
@pytest.mark.rule("PL-1203", "PL-1204")
def test_an_air_attack_as_in_the_worked_example(situation: Situation, expected: Expected) -> None:
    loads = {"A": "rockets", "H": "bombs", "I": "mg"}
    keys = [loads[weapon["weapon"]] for weapon in situation["weapons"]]
    fleet = [plane("p47", f"02{ROW - 1}", ordnance="" if key == "mg" else key) for key in keys]
    t = laid_out(situation, (), aircraft=fleet)
    for number in range(len(situation["targets"])):
        t.change(number, last_fired=1)
    sorties = tuple(AirSortie(U(number), key) for number, key in enumerate(keys))
    attack = air.air_attack(t.position, sorties, t.hex(TARGET), t.position.units)
    assert isinstance(attack, Attack)
    compare(attack, expected)
    assert rolled(t, attack) == expected["distribution"]


@of_kind("antiair")
@pytest.mark.rule("PL-1207", "PL-1208")
def test_anti_aircraft_fire_as_in_the_worked_example(situation: Situation, expected: Expected) -> None:
    firers, _, _ = battery(situation)
    t = table(open_board(WIDTH, HEIGHT), *firers, aircraft=[plane("p47", TARGET)])
    tally = air.antiair_tally(t.position, ids(*range(len(firers))), U(0))
    assert tally.total == expected["aa_total"]
    assert isinstance(tally.total, int)
    results = air.antiair_results(tally.total)
    assert {word: f"{results.count(word)}/6" for word in results} == expected["distribution"]


# --- movement -------------------------------------------------------------------------------------------------------


@of_kind("movement")
@pytest.mark.rule("PL-209", "PL-603", "PL-611", "PL-612")
def test_a_march_as_in_the_worked_example(situation: Situation, expected: Expected) -> None:
    path = situation["path"]
    labels = [f"01{row:02d}" for row in range(1, len(path) + 2)]
    rows = "\n".join(TERRAIN[terrain].letter for terrain in ["clear", *(step["terrain"] for step in path)])
    road = [labels[0]] + [label for label, step in zip(labels[1:], path, strict=True) if step["road"]]
    others = [
        unit("a_rifle", label) for label, step in zip(labels[1:], path, strict=True) for _ in range(step["others"])
    ]
    t = table(rows, unit(situation["unit"], labels[0]), *others, roads=[road], step="vehicle movement")
    order = MoveUnit(U(0), t.hexes(*labels[1:]))
    (tally,) = t.explain(order)
    assert [line.value for line in tally.lines] == ["½" if cost == "1/2" else cost for cost in expected["costs"]]
    assert tally.total == expected["total"]
    assert KINDS[situation["unit"]].movement == expected["allowance"]
    assert expected["allowance"] - expected["total"] == expected["left"]
    t.play(order)
    assert t.unit(0).hex == t.hex(labels[-1])
    assert t.position.mover is not None
    assert t.position.mover.spent == 2 * expected["total"]


@of_kind("crossing")
@pytest.mark.rule("PL-621", "PL-631")
def test_crossings_as_in_the_worked_example(situation: Situation, expected: Expected) -> None:
    def chance(rows: str, **fields: Any) -> Fraction:
        crossed = 0
        for die in range(1, 7):
            t = table(rows, unit("a_rifle", "0101"), step="foot movement", **fields)
            t.play(MoveUnit(U(0), t.hexes("0102")), dice=[die])
            crossed += t.unit(0).hex == t.hex("0102")
        return Fraction(crossed, 6)

    first, second = chance(".\nR"), chance("R\nR")
    assert first * second == Fraction(expected["p_both_streams"])
    assert chance(".\n.", hexsides={"cliff": ["0101-0102"]}) == Fraction(expected["p_cliff"])


@of_kind("opportunity_threshold")
@pytest.mark.rule("PL-1601")
def test_the_threshold_of_opportunity_fire_as_in_the_worked_example(situation: Situation, expected: Expected) -> None:
    found = [{"unit": key, "points": opportunity.threshold(KINDS[key]) // 2} for key in situation["units"]]
    assert found == expected["thresholds"]


# --- sight ----------------------------------------------------------------------------------------------------------


@of_kind("sight")
@pytest.mark.rule("PL-705", "PL-706", "PL-707", "PL-709", "PL-710")
def test_a_line_of_sight_as_in_the_worked_example(situation: Situation, expected: Expected) -> None:
    blank = Board.build("blank", 6, 8)

    def place(axial: list[int]) -> int:
        # three rows down, so that all of it is on the board
        return blank.from_axial(Hex(axial[0], axial[1] + 3))

    sides: dict[tuple[int | str, int], set[str]] = {}
    for mark in situation["side_symbols"]:
        here, there = map(place, mark["hexes"])
        sides[here, blank.direction(here, there)] = {mark["symbol"]}
    board = Board.build(
        "example",
        6,
        8,
        terrain={place(axial): "town" for axial in situation["town_hexes"]},
        elevation={place(entry["hex"]): entry["level"] for entry in situation["levels"]},
        hexsides=sides,
    )
    units: tuple[Unit, ...] = ()
    position = Position(Ground(scenario(board), Options()), 1, 1, ALLIED, units)
    firer, target = place(situation["firer"]), place(situation["target"])
    assert sight.sees(position, firer, target) == expected["los"]
    assert sight.sees(position, target, firer) == expected["los"]
    line = sight.why_unseen(position, firer, target)
    assert ("clear" if line is None else line.label) == expected["reason"]
