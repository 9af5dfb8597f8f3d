"""The worked examples of the specification, each played out on a table under every fall of the dice."""

from __future__ import annotations

import tomllib
from collections import Counter
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from sandtable.geometry.board import Board
from sandtable.geometry.hexes import Hex
from sandtable.kernel.decisions import Refusal
from sandtable.kernel.events import Order
from sandtable.kernel.ids import NOWHERE
from sandtable.kernel.trace import Tally
from sandtable.rulesets.panzerblitz_3d import artillery, opportunity
from sandtable.rulesets.panzerblitz_3d.combat import take_result, target_type
from sandtable.rulesets.panzerblitz_3d.events import AttackRolled, BatteryFired, InitiativeRolled
from sandtable.rulesets.panzerblitz_3d.fire import strength_against
from sandtable.rulesets.panzerblitz_3d.kinds import KINDS
from sandtable.rulesets.panzerblitz_3d.model import DESTROYED, GERMAN, RUSSIAN, BatteryState, Plot
from sandtable.rulesets.panzerblitz_3d.orders import (
    ChooseFirst,
    CloseAssault,
    DesignateTarget,
    EndPhase,
    MoveUnit,
    Overrun,
    OverrunRun,
    SealPlot,
)
from sandtable.rulesets.panzerblitz_3d.sight import sees
from tests.rulesets.panzerblitz_3d.table import Table, U, open_ground, table, unit

EXAMPLES = tomllib.loads((Path(__file__).parent / "examples.toml").read_text(encoding="utf-8"))["example"]

Situation = dict[str, Any]
Expected = dict[str, Any]

LETTERS = {"clear": ".", "town": "T", "woods": "W", "slope": "S", "hilltop": "^"}
FACES = range(1, 7)


def of_kind(*kinds: str) -> pytest.MarkDecorator:
    """A test over all examples of some kinds."""
    cases = [
        pytest.param(example["situation"], example["expected"], id=example["id"])
        for example in EXAMPLES
        if example["kind"] in kinds
    ]
    return pytest.mark.parametrize(("situation", "expected"), cases)


def test_every_example_is_played() -> None:
    source = Path(__file__).read_text(encoding="utf-8")
    assert {example["kind"] for example in EXAMPLES if f'"{example["kind"]}"' not in source} == set()
    assert [example["id"] for example in EXAMPLES] == [f"PB3-E{n:02d}" for n in range(1, 30)]


# --- attacks: the target stands in 0303, the others below it or beside it --------------------------------------------


def ground_with(terrain: str, length: int = 14) -> str:
    """Open ground with one hex, 0303, otherwise."""
    rows = open_ground(5, length).splitlines()
    rows[2] = f"..{LETTERS[terrain]}.."
    return "\n".join(rows)


def side_of(key: str) -> str:
    return "german" if key.startswith("g_") else "russian"


def falls(t: Table, order: Order) -> tuple[list[str], dict[str, str]]:
    """What the table says for each face of the die, and how often the target is destroyed, dispersed, left alone."""
    results: list[str] = []
    found: Counter[str] = Counter()
    start = t.state
    for face in FACES:
        t.state = start
        t.play(order, [face])
        (rolled,) = t.happened(AttackRolled)
        results.append(rolled.result)
        target = t.unit(rolled.targets[-1])
        assert (target.fate == DESTROYED) or target.dispersed or rolled.result == "-"
        found["X" if target.fate == DESTROYED else "-" if rolled.result == "-" else "D"] += 1
    return results, {name: f"{count}/6" for name, count in found.items()}


def assert_numbers(tallies: tuple[Tally, ...], expected: Expected) -> None:
    """Strength, defense, odds and modifier are those of the example."""
    strength, defense, odds, drm = tallies
    assert (strength.total, defense.total) == (expected["af_total"], expected["df_total"])
    assert (odds.total, drm.total) == (expected["odds"], expected["drm"])
    assert odds.lines[0].value == expected.get("base_odds", expected["odds"])


@of_kind("fire")
def test_fire(situation: Situation, expected: Expected) -> None:
    targets, firers = situation["targets"], situation["firers"]
    side, dispersed = side_of(firers[0][0]), situation.get("target_dispersed", False)
    t = table(
        ground_with(situation["terrain"]),
        *[unit(key, "0303", dispersed=dispersed) for key in targets],
        *[unit(key, f"03{3 + distance:02d}") for key, distance in firers],
        unit("g_truck" if side == GERMAN else "r_truck", "0203"),  # so that they are spotted
        phasing=side,
        step="fire",
    )
    against = target_type(t.position, t.units(*range(len(targets))))
    able = []
    for number, (key, wanted) in enumerate(expected["af_each"], len(targets)):
        made = strength_against(t.position, t.unit(number), t.hex("0303"), against)
        assert (t.unit(number).kind, "cannot fire" if isinstance(made, Refusal) else made.total) == (key, wanted)
        if not isinstance(made, Refusal):
            able.append(U(number))
    order = DesignateTarget(tuple(able), t.hex("0303"), tuple(map(U, range(len(targets)))))
    if expected["odds"] == "no attack":
        assert t.refusal(order).rule == "PB3-811"
        return
    assert_numbers(t.explain(order), expected)
    t.play(order)
    assert falls(t, EndPhase()) == (expected["by_die_1_to_6"], expected["distribution"])


@of_kind("overrun")
def test_overruns(situation: Situation, expected: Expected) -> None:
    targets, runners = situation["targets"], situation["overrun"]
    ways = [("0305", ("0304", "0303", "0302")), ("0104", ("0203", "0303", "0402"))]
    t = table(
        ground_with(situation["terrain"]),
        *[unit(key, "0303", dispersed=situation.get("target_dispersed", False)) for key in targets],
        *[unit(key, start) for key, (start, _) in zip(runners, ways, strict=False)],
        phasing=side_of(runners[0]),
        step="vehicle movement",
    )
    runs = [OverrunRun(U(n), t.hexes(*ways[n - len(targets)][1])) for n in range(len(targets), len(targets + runners))]
    order = Overrun(t.hex("0303"), tuple(runs))
    assert_numbers(t.explain(order), expected)
    assert falls(t, order) == (expected["by_die_1_to_6"], expected["distribution"])


@of_kind("close_assault")
def test_close_assaults(situation: Situation, expected: Expected) -> None:
    targets, stormers = situation["targets"], situation["cat"]
    t = table(
        ground_with(situation["terrain"]),
        *[unit(key, "0303") for key in targets],
        *[unit(key, "0304") for key in stormers],
        phasing=side_of(stormers[0]),
        step="close assault",
    )
    order = CloseAssault(tuple(U(n) for n in range(len(targets), len(targets + stormers))), t.hex("0303"))
    assert_numbers(t.explain(order), expected)
    assert falls(t, order) == (expected["by_die_1_to_6"], expected["distribution"])


# --- off-board artillery ---------------------------------------------------------------------------------------------

BATTERY_OF = {40: "ob_105", 60: "ob_150"}


@of_kind("barrage")
def test_barrages(situation: Situation, expected: Expected) -> None:
    targets = situation["targets"]
    side, post = (RUSSIAN, "r_cp") if side_of(targets[0]) == GERMAN else (GERMAN, "g_cp")
    t = table(
        ground_with(situation["terrain"]),
        *[unit(key, "0303") for key in targets],
        unit(post, "0307"),
        first=side,
        batteries=(BatteryState(0, BATTERY_OF[situation["artillery_af"]], side, 4),),
    )
    t.set(plots=(Plot(0, t.hex("0303")),))
    found: Counter[str] = Counter()
    start = t.state
    for face in FACES:
        t.state = start
        t.run(artillery.resolve_artillery, dice=[face])
        (rolled,) = t.happened(AttackRolled)
        assert (rolled.strength, rolled.defense) == (expected["af"], expected["df_total"])
        assert (rolled.odds, rolled.drm) == (expected["odds"], expected["drm"])
        found["X" if t.unit(0).fate == DESTROYED else "D" if t.unit(0).dispersed else "-"] += 1
    assert {name: f"{count}/6" for name, count in found.items()} == expected["distribution"]


@of_kind("scatter")
def test_scatter(situation: Situation, expected: Expected) -> None:
    t = table(open_ground(15, 15), first=GERMAN, batteries=(BatteryState(0, "ob_105", GERMAN, 4),))
    aimed = t.hex("0808")
    t.set(plots=(Plot(0, aimed),))
    chances: Counter[tuple[int, int]] = Counter()  # sixths of sixths of sixths, by direction die and hexes
    start = t.state
    for first in FACES:
        rest: list[tuple[int, ...]] = [()] if first <= 2 else list(product(FACES, FACES))
        for dice in rest:
            t.state = start
            t.run(artillery.resolve_artillery, dice=[first, *dice])
            (fired,) = t.happened(BatteryFired)
            distance = t.board.distance(fired.hex, aimed) if fired.hex != NOWHERE else -1
            chances[dice[0] if distance > 0 else 0, distance] += 216 // 6 // len(rest)
    share = {key: str(Fraction(count, 216)) for key, count in chances.items()}
    assert share.pop((0, 0)) == expected["plotted_hex"]
    assert share.pop((0, -1)) == expected["missed"]
    names = {1: "each_direction_1_hex", 2: "each_direction_2_hexes", 3: "each_direction_3_hexes"}
    assert share == {(die, hexes): expected[name] for die in FACES for hexes, name in names.items()}


# --- the turn --------------------------------------------------------------------------------------------------------


@of_kind("initiative")
def test_initiative(situation: Situation, expected: Expected) -> None:
    t = table("...\n...", unit("g_rifle", "0101"), unit("r_rifle", "0302"), phasing="russian", first="german")
    last = turned_to(t, "foot movement", RUSSIAN)
    found: Counter[str] = Counter()
    for german, russian in product(FACES, FACES):
        t.state = last
        again = [6, 1] if german == russian else []
        t.play(EndPhase(), [german, russian, *again])
        rolls = t.happened(InitiativeRolled)
        winner = GERMAN if german > russian else RUSSIAN
        if again:
            found["reroll"] += 1
        else:
            found["win" if rolls[-1].winner == GERMAN else "lose"] += 1
            assert rolls[-1].winner == winner
    assert {name: f"{count}/36" for name, count in found.items()} == expected


def turned_to(t: Table, step: str, side: str) -> Any:
    """The state in which a step of a side's player turn is open."""
    while (t.position.step, t.position.phasing) != (step, side):
        pass_time(t)
    return t.state


def pass_time(t: Table) -> None:
    """Nobody does anything in the open step; at a new turn the Germans win the initiative and go first."""
    if t.asked == "initiative":
        t.play(ChooseFirst(GERMAN))
    elif t.asked in ("artillery plots", "opportunity assignment"):
        t.play(SealPlot())
    else:
        # nobody is next to an enemy, so that the step of close assaults is passed over
        is_last = t.position.step == "foot movement" and t.position.phasing != t.position.first
        t.play(EndPhase(), [6, 1] if is_last else [])


@of_kind("recovery")
def test_recovery(situation: Situation, expected: Expected) -> None:
    names = ["German tank", "Russian tank", "German gun"]
    t = table(
        open_ground(9, 3),
        unit("g_pz4", "0101", dispersed=True),
        unit("r_t34c", "0901"),
        unit("g_75pak", "0103"),
        phasing="german",
        step="fire",
    )
    t.run(take_result, U(1), "D")
    turned_to(t, "vehicle movement", RUSSIAN)
    t.run(take_result, U(2), "D")
    for turn in (1, 2):
        while t.position.turn == turn:
            pass_time(t)
        dispersed = [name for number, name in enumerate(names) if t.unit(number).dispersed]
        assert dispersed == expected[f"dispersed_after_step_7_turn_{turn}"]


@of_kind("threshold")
def test_thresholds(situation: Situation, expected: Expected) -> None:
    found = {key: Fraction(opportunity.threshold(key), 2) for key in situation["of_threshold"]}
    assert found == expected


@of_kind("opportunity")
def test_watching_a_mover(situation: Situation, expected: Expected) -> None:
    t = table(
        open_ground(9, 3),
        unit(situation["mover"], "0101"),
        unit("r_76at", "0501", of_assigned=True),
        gully=["0102"],
    )
    places = {"in LOS": t.hex("0201"), "out of LOS": t.hex("0102")}
    counts: dict[Any, int] = {}
    found, allowed = [], []
    for number, (_, cost, sight) in enumerate(situation["path"], 1):
        counts = opportunity.exposure(t.position, t.unit(0), places[sight], int(2 * cost), counts)
        found.append(Fraction(counts.get(U(1), 0), 2))
        if found[-1] >= expected["threshold"]:
            allowed.append(number)
    assert found == expected["count_after_each"]
    assert allowed == [expected["of_allowed_on_hex"]]


# --- ground ----------------------------------------------------------------------------------------------------------


def costs_of(t: Table, *labels: str) -> list[Fraction]:
    """What each hex of a way costs the first unit."""
    (tally,) = t.explain(MoveUnit(U(0), t.hexes(*labels)))
    return [Fraction(str(line.value)) for line in tally.lines]


@of_kind("path_costs")
def test_costs_of_a_path(situation: Situation, expected: Expected) -> None:
    t = table(
        "...\n...\n...\nS..\nS..\n^..",
        unit("g_truck", "0101"),
        unit("g_rifle", "0103"),
        roads=[["0101", "0102", "0103"]],
        step="vehicle movement",
    )
    found = costs_of(t, "0102", "0103", "0104", "0105", "0106")
    assert found == expected["costs"]
    assert (sum(found), KINDS["g_truck"].movement - sum(found)) == (expected["total"], expected["ma_12_left"])


@of_kind("gully_costs")
def test_costs_of_gullies(situation: Situation, expected: Expected) -> None:
    ways = {
        "tank: clear gully to clear": ("g_pz4", "0202"),
        "truck: clear gully to clear": ("g_truck", "0202"),
        "tank: gully to gully (clear)": ("g_pz4", "0102"),
        "tank: gully to ford": ("g_pz4", "0201"),
    }
    found = []
    for words in situation["moves"]:
        key, to = ways[words]
        start = "0102" if to == "0202" else "0101"
        t = table("...\n...", unit(key, start), gully=["0101", "0102"], ford=["0201"], step="vehicle movement")
        found += costs_of(t, to)
    assert found == expected["costs"]


ORIGIN = Hex(2, 2)
SIZE = 12


@of_kind("sight")
def test_sight(situation: Situation, expected: Expected) -> None:
    blank = Board.build("sketch", SIZE, SIZE)

    def label(cell: list[int]) -> str:
        return blank.label(blank.from_axial(Hex(ORIGIN.q + cell[0], ORIGIN.r + cell[1])))

    letters = {label(cell): {1: "S", 2: "^"}[level] for cell, level in situation["levels"]}
    rows = [
        "".join(letters.get(blank.label(blank.hex_at(col, row)), ".") for col in range(SIZE)) for row in range(SIZE)
    ]
    hexsides: dict[str, list[str]] = {}
    for (a, b), symbol in situation["side_symbols"]:
        hexsides.setdefault(symbol, []).append(f"{label(a)}-{label(b)}")
    t = table("\n".join(rows), hexsides=hexsides, gully=[label(cell) for cell in situation["gully"]])
    t.set(barrages=tuple(label(cell) for cell in situation["barrage"]))
    firer, target = t.hex(label(situation["firer"])), t.hex(label(situation["target"]))
    assert sees(t.position, firer, target) == expected["los"]
    assert sees(t.position, target, firer) == expected["los"]
