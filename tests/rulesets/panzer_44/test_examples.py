"""The worked examples of the specification, each played out on a table under every fall of the dice."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.kernel.ids import HexId, RuleId
from sandtable.kernel.trace import Line
from sandtable.rulesets.panzer_44 import panic, stacks
from sandtable.rulesets.panzer_44.events import AttackRolled, Destroyed, Panicked
from sandtable.rulesets.panzer_44.fire import Odds, odds
from sandtable.rulesets.panzer_44.journeys import enter, mine_odds
from sandtable.rulesets.panzer_44.kinds import KINDS
from sandtable.rulesets.panzer_44.model import (
    ALLIED,
    GERMAN,
    MISSION,
    OPPORTUNITY,
    SORTIE,
    TIGHT,
    Battery,
    Plot,
    Sortie,
)
from sandtable.rulesets.panzer_44.movement import step_cost, stops
from sandtable.rulesets.panzer_44.orders import FireOnOpportunity, Overrun
from sandtable.rulesets.panzer_44.overrun import overrun_odds
from sandtable.rulesets.panzer_44.reactions import opportunity_odds, resolve_fire
from sandtable.rulesets.panzer_44.recovery import remove_markers
from sandtable.rulesets.panzer_44.results import disruption_after, is_stopped
from sandtable.rulesets.panzer_44.shelling import resolve_side
from sandtable.rulesets.panzer_44.sight import sees, sight, touched
from sandtable.rulesets.panzer_44.terrain import HEXSIDES
from tests.rulesets.panzer_44.table import Table, U, on_the_move, open_ground, table, unit

EXAMPLES = tomllib.loads((Path(__file__).parent / "examples.toml").read_text(encoding="utf-8"))["example"]
DICE = range(1, 7)
LETTERS = {"clear": ".", "town": "T", "woods": "W", "hilltop": "H"}

Situation = dict[str, Any]
Expected = dict[str, Any]


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
    assert [example["id"] for example in EXAMPLES] == [f"P44-X{number:02}" for number in range(1, 29)]


def shares(counts: Mapping[str, int], outcomes: int) -> dict[str, str]:
    """How often each thing came about, as an exact fraction."""
    return {name: str(Fraction(count, outcomes)) for name, count in counts.items() if count}


# --- attacks --------------------------------------------------------------------------------------------------------


@pytest.fixture
def specimen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Types of unit with just the defense of an example."""
    made = {
        f"{target}_{defense}": replace(KINDS["g_gren"], target=target, defense=defense)
        for target in ("hard", "soft")
        for defense in range(15)
    }
    monkeypatch.setattr(stacks, "KINDS", {**KINDS, **made})


def attack(situation: Situation) -> Odds:
    """The numbers of an attack, with its target at the top of a column and its firer below it."""
    distance, options = situation["range"], [situation["option"]] if "option" in situation else []
    letter = LETTERS[situation.get("hex", "clear")]
    t = table(
        "\n".join([f".{letter}.", *["..."] * distance]),
        unit("g_gren", "0201"),
        hexsides={situation["hexside"]: ["0201-0202"]} if "hexside" in situation else None,
        options=dict.fromkeys(options, True),
        positions=("0201",) if situation.get("improved") else (),
    )
    t.change(0, kind=f"{situation['target']}_{situation['defense']}")
    strength = Line("attack strength", situation["attack"], RuleId("P44-9.02"))
    return odds(t.position, situation["weapon"], strength, t.hex(f"02{distance + 1:02}"), t.unit(0))


@pytest.mark.usefixtures("specimen")
@of_kind("attack")
def test_attacks(situation: Situation, expected: Expected) -> None:
    found = attack(situation)
    assert found.is_allowed == expected["legal"]
    if "net" in expected:
        effective = sum(int(line.value) for line in found.superiority.lines if line.rule == "P44-9.02")
        assert (effective, found.net) == (expected["effective_attack"], expected["net"])
    if expected["legal"]:
        assert (found.column, found.off_die) == (expected["column"], expected["die_reduction"])
        assert [found.result(die) for die in DICE] == expected["by_die"]
        assert {result: str(chance) for result, chance in found.chances.items()} == expected["dist"]


@pytest.mark.usefixtures("specimen")
@of_kind("two_attacks")
def test_two_attacks_on_one_unit(situation: Situation, expected: Expected) -> None:
    counts = Counter({0: 1})
    for weapon, strength, distance, defense, target in situation["attacks"]:
        shot = {"weapon": weapon, "attack": strength, "range": distance, "defense": defense, "target": target}
        results = [attack(shot).result(die) for die in DICE]
        counts = sum(
            (
                Counter({disruption_after(level, result): counts[level] * results.count(result)})
                for level in counts
                for result in set(results)
            ),
            Counter[int](),
        )
    names = {0: "none", 1: "D1", 2: "D2", 3: "D3", 4: "destroyed"}
    assert shares({names[level]: count for level, count in counts.items()}, 36) == expected


# --- sight ----------------------------------------------------------------------------------------------------------


@of_kind("touched")
def test_what_a_line_touches(situation: Situation, expected: Expected) -> None:
    t = table(open_ground(10, 10))
    for a, b in situation["pairs"]:
        here, there = t.board.axial(t.hex(a)), t.board.axial(t.hex(b))
        between = touched(there.q - here.q, there.r - here.r).hexes
        steps = [t.board.from_axial(type(here)(here.q + step.q, here.r + step.r)) for step in between]
        wanted = expected[f"{a}-{b}"]
        assert t.board.distance(t.hex(a), t.hex(b)) == wanted["range"]
        assert sorted(map(t.board.label, steps)) == wanted["hexes_touched"]


def sketched(situation: Situation) -> Table:
    """Open ground with some hexes and hexsides otherwise, a target at the far end of the line."""
    rows = [["."] * 10 for _ in range(10)]
    for label, terrain in situation["hexes"].items():
        rows[int(label[2:]) - 1][int(label[:2]) - 1] = LETTERS[terrain]
    sides: dict[str, list[str]] = {}
    for a, b, kind in situation["hexsides"]:
        sides.setdefault(kind, []).append(f"{a}-{b}")
    return table("\n".join(map("".join, rows)), unit("g_gren", situation["to"]), hexsides=sides)


@of_kind("sight")
def test_sight_and_cover(situation: Situation, expected: Expected) -> None:
    t = sketched(situation)
    here, there = t.hexes(situation["from"], situation["to"])
    assert t.board.distance(here, there) == expected["range"]
    assert sees(t.position.ground, here, there) == sees(t.position.ground, there, here) == expected["los"]
    assert behind(t, here, there) == expected["behind"]
    for weapon, key in (("M", "m_die_reduction"), ("HT", "h_die_reduction")):
        if key in expected:
            found = odds(t.position, weapon, Line("attack strength", 8, RuleId("P44-9.02")), here, t.unit(0))
            assert found.off_die == expected[key]


def behind(t: Table, here: HexId, there: HexId) -> list[str]:
    """The hexsides that cover a target from a firer."""
    ways = sight(t.position.ground).entered_by(here, there)
    return [key for way in ways for key in t.board.side_features(there, way) if HEXSIDES[key].die_reduction]


# --- ground ---------------------------------------------------------------------------------------------------------

MOBILITIES = ("hard", "soft", "foot")


def prices(t: Table, mobility: str, *labels: str) -> list[float]:
    """What each step along some hexes costs in movement points."""
    places = t.hexes(*labels)
    found = [step_cost(t.position, mobility, a, t.board.direction(a, b)) for a, b in pairwise(places)]
    return [cost / 2 for cost in found if cost is not None]


@of_kind("path")
def test_a_path(situation: Situation, expected: Expected) -> None:
    assert situation["path"] == ["clear", "clear across stream", "woods"]
    for mobility, kind in zip(MOBILITIES, ("g_pz4h", "g_truck", "g_gren"), strict=True):
        t = table(".\n.\n.\nW", unit(kind, "0101"), hexsides={"stream": ["0102-0103"]})
        costs = prices(t, mobility, "0101", "0102", "0103", "0104")
        assert (costs, sum(costs)) == (expected["costs"][mobility], expected["totals"][mobility])
        assert KINDS[kind].ma == situation["ma"][mobility]
        farthest = {place for place, _ in stops(t.position, t.unit(0))}
        end = t.hex("0102") if expected["reaches"][mobility] == "first hex only" else t.hex("0104")
        assert max(farthest) == end


@of_kind("slope")
def test_up_and_down_a_slope(situation: Situation, expected: Expected) -> None:
    t = table(".\n.", elevation="0\n1", hexsides={"slope": ["0101-0102"]})
    for mobility in MOBILITIES:
        assert prices(t, mobility, "0101", "0102") == [expected["from_splash_hex"][mobility]]
        assert prices(t, mobility, "0102", "0101") == [expected["towards_splash_hex"][mobility]]


@of_kind("steps")
def test_roads_towns_bridges_and_wrecks(situation: Situation, expected: Expected) -> None:
    village = table(".\nT\n.", roads=[["0101", "0102"]])
    blocked = table(".\n.\n.", roads=[["0101", "0102", "0103"]], wrecks=("0102",))
    bridge = table(
        ".\n.",
        roads=[["0101", "0102"]],
        hexsides={"river": ["0101-0102"], "bridge": ["0101-0102"]},
        wrecks=("0102",),
    )
    forest = table(".\nW", roads=[["0101", "0102"]], wrecks=("0102",))
    for mobility in MOBILITIES:
        found = [
            *prices(village, mobility, "0101", "0102"),
            *prices(village, mobility, "0103", "0102"),
            *prices(blocked, mobility, "0101", "0102", "0103"),
            *prices(bridge, mobility, "0101", "0102"),
            *prices(forest, mobility, "0101", "0102"),
        ]
        assert found == expected["cost"][mobility]


# --- panic ----------------------------------------------------------------------------------------------------------


@of_kind("panic")
def test_panic_by_digits(situation: Situation, expected: Expected) -> None:
    level, names = situation["panic_level"], ("neither", "exactly_one", "both")
    for key, wanted in (("hexes", expected["different_digits"]), ("then", expected["same_digit"])):
        # guns freeze without a roll
        guns = [unit("g_pak40", label) for label in situation[key]]
        counts = dict.fromkeys(names, 0)
        for draw in product(range(1, 11), range(1, 10)):
            t = table(open_ground(11, 24), *guns, sections={"panic": {"german": level}})
            t.run(panic.determine, dice=draw)
            counts[names[len(t.happened(Panicked))]] += 1
        assert {name: str(Fraction(count, 90)) for name, count in counts.items()} == wanted


# --- on the move ----------------------------------------------------------------------------------------------------


def chance(table_of: Callable[[], Table], path: tuple[str, ...], throws: int, holds: Callable[[Table], bool]) -> str:
    """How often something holds after unit 0 has gone along a path, over every fall of up to so many dice."""
    found = 0
    for dice in product(DICE, repeat=throws):
        t = table_of()
        thrown = iter(dice)
        for label in path:
            if t.at(0) and not is_stopped(t.position, U(0)):
                faces = [next(thrown) for place in {t.at(0), label} if t.position.mines.get(t.hex(place))]
                t.run(enter, U(0), t.hex(label), 2, dice=faces)
        found += holds(t)
    return str(Fraction(found, 6**throws))


@of_kind("mines")
def test_mines(situation: Situation, expected: Expected) -> None:
    for grade, wanted in expected.items():
        assert [mine_odds(grade).result(die) for die in DICE] == wanted["by_die"]

        def field(grade: str = grade, start: str = "0101") -> Table:
            return on_the_move(".\n.\n.", unit("g_pz4h", start), mines={"0102": grade})

        def goes_on(t: Table) -> bool:
            return not is_stopped(t.position, U(0))

        def is_alive(t: Table) -> bool:
            return bool(t.at(0))

        assert chance(field, ("0102",), 1, goes_on) == wanted["p_go_on_after_entry"]
        assert chance(field, ("0102", "0103"), 2, goes_on) == wanted["p_through"]
        assert chance(field, ("0102",), 1, lambda t: not t.at(0)) == wanted["p_destroyed_on_entry"]
        assert chance(partial(field, start="0102"), ("0103",), 1, is_alive) == wanted["p_leaves_alive"]


@of_kind("opportunity")
def test_opportunity_fire_at_a_mover(situation: Situation, expected: Expected) -> None:
    weapon, _, distance, _, _ = situation["op_fire"]
    assert KINDS["u_57"].weapon == weapon
    goes_on = 0
    for die in DICE:
        t = on_the_move(
            open_ground(1, distance + 2),
            unit("g_pz4h", "0101"),
            unit("u_57", f"01{distance + 2:02}"),
            plots=(Plot(ALLIED, OPPORTUNITY, U(1)),),
        )
        t.run(enter, U(0), t.hex("0102"), 2)
        odds = opportunity_odds(t.position, FireOnOpportunity(U(1)))
        t.run(resolve_fire, ALLIED, FireOnOpportunity(U(1)), dice=[die])
        assert odds.net == expected["net"]
        assert odds.result(die) == expected["by_die"][die - 1]
        goes_on += not is_stopped(t.position, U(0))
    assert str(Fraction(goes_on, 6)) == expected["p_continue"]
    assert str(Fraction(6 - goes_on, 6)) == expected["p_stopped"]


@of_kind("overrun")
def test_an_overrun(situation: Situation, expected: Expected) -> None:
    attacker, defenders = situation["overrun_by"], [text.split()[0] for text in situation["defenders"]]
    enters, destroyed = 0, Counter[int]()
    for dice in product(DICE, repeat=len(defenders)):
        t = on_the_move(".\n.", unit(attacker, "0101"), *(unit(kind, "0102") for kind in defenders))
        columns = [overrun_odds(t.position, t.unit(0), t.hex("0101"), one).column for one in t.position.units[1:]]
        assert columns == expected["column_each"]
        t.play(Overrun(U(0), t.hex("0102")), dice=dice)
        enters += t.at(0) == "0102"
        destroyed.update(event.unit for event in t.happened(Destroyed))
    assert str(Fraction(enters, 36)) == expected["p_enters_hex"]
    assert [str(Fraction(destroyed[number + 1], 36)) for number in range(len(defenders))] == expected["p_destroy_each"]


# --- phase 5 and 6 --------------------------------------------------------------------------------------------------


@of_kind("removal")
def test_recovery(situation: Situation, expected: Expected) -> None:
    level, turns = int(situation["level"][1:]), situation["turns"]
    clear = 0
    for dice in product(DICE, repeat=turns):
        t = table(".", unit("g_pz4h", "0101", disruption=level))
        for die in dice:
            if t.unit(0).disruption:
                t.run(remove_markers, dice=[die])
        clear += not t.unit(0).disruption
    assert str(Fraction(clear, 6**turns)) == expected["p"]


def struck(t: Table) -> str:
    """What the target was told, by the attack that was rolled."""
    rolled = t.happened(AttackRolled)
    return rolled[0].result if rolled else ""


@of_kind("artillery")
def test_off_board_artillery(situation: Situation, expected: Expected) -> None:
    assert situation["fire"] == "oba_105 tight, observed, accuracy 1"
    counts = Counter[str]()
    for roll, second in product(DICE, repeat=2):
        t = table(
            "...\n.W.\n...\n...",
            unit("u_rifle", "0202"),
            unit("g_gren", "0204"),
            batteries=(Battery("guns", GERMAN, "oba_105", 1, 1),),
            plots=(Plot(GERMAN, MISSION, hex=HexId(0), pattern=TIGHT, support="guns"),),
        )
        t.set(plots=(replace(t.position.plots[0], hex=t.hex("0202")),))
        t.run(resolve_side, GERMAN, dice=[roll, second])
        counts[struck(t) or "no attack on this hex"] += 1
    assert shares(counts, 36) == expected


@of_kind("air")
def test_a_sortie(situation: Situation, expected: Expected) -> None:
    counts = Counter[str]()
    for roll, second in product(DICE, repeat=2):
        t = table(open_ground(1, 4), unit("g_panther", "0101"), unit("b_rifle", "0104"))
        flight = Plot(ALLIED, SORTIE, hex=t.hex("0101"), support="flight")
        t.set(sorties=(Sortie("flight", ALLIED, "cas_typhoon"),), plots=(flight,))
        t.run(resolve_side, ALLIED, dice=[roll, second] if roll <= 4 else [roll])
        counts[struck(t) or "aborted"] += 1
    assert situation["sortie"].startswith("cas_typhoon (8)")
    assert shares(counts, 36) == expected
