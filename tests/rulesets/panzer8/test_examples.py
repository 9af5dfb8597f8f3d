"""The worked examples of the specification, each played out on a table under every fall of the dice."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping
from fractions import Fraction
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import pytest

from sandtable.geometry import STEPS
from sandtable.geometry.board import Board
from sandtable.geometry.hexes import Hex
from sandtable.kernel.ids import HexId
from sandtable.rulesets.panzer8 import close_combat, movement, recovery, sight, support
from sandtable.rulesets.panzer8.events import AttackRolled, BatteryCalled, RecoveryRolled
from sandtable.rulesets.panzer8.ground import Ground, Options
from sandtable.rulesets.panzer8.model import LOST, THIRDS
from sandtable.rulesets.panzer8.movement_table import FULL_MOVE
from sandtable.rulesets.panzer8.orders import Charge, EndPhase, Fight, Fire, MoveAndFire, Overrun, Recover, TankHunt
from sandtable.rulesets.panzer8.results import FALL_BACK, OUT, SUPPRESSED, fall_back_path, inflict, result
from sandtable.rulesets.panzer8.terrain import FEATURES
from sandtable.rulesets.panzer8.workings import Gait
from tests.rulesets.panzer8.table import Table, U, element, open_ground, scenario, table

EXAMPLES = tomllib.loads((Path(__file__).parent / "examples.toml").read_text(encoding="utf-8"))["example"]
BY_ID = {example["id"]: example for example in EXAMPLES}
DICE = list(product(range(1, 11), repeat=2))

Situation = dict[str, Any]
Expected = dict[str, Any]


def of_kind(*kinds: str) -> pytest.MarkDecorator:
    """A test over all examples of some kinds."""
    cases = [
        pytest.param(example["id"], example["situation"], example["expected"], id=example["id"])
        for example in EXAMPLES
        if example["kind"] in kinds
    ]
    return pytest.mark.parametrize(("id", "situation", "expected"), cases)


def test_every_example_is_played() -> None:
    source = Path(__file__).read_text(encoding="utf-8")
    assert {example["kind"] for example in EXAMPLES if f'"{example["kind"]}"' not in source} == set()
    assert len(EXAMPLES) == 27


def share(counts: Counter[str], names: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    """How often each result came in a hundred falls, under the names of the examples."""
    return {name: f"{sum(counts[one] for one in found)}/100" for name, found in names.items()}


HESA_NAMES = {"none": ("no effect",), "fall_back": (FALL_BACK,), "suppressed": (SUPPRESSED,), "out": (OUT,)}
AP_NAMES = {"none": ("no effect",), "suppressed": (SUPPRESSED,), "out": (OUT,)}

# --- fire: the table of each example, its target in column 1 and its firer below it ----------------------------------


def column(length: int, letter: str = "o", target: str = "o") -> str:
    """A column of hexes, the target's at its top."""
    return "\n".join([target * 3, *[letter * 3] * length])


def shot(id: str) -> tuple[Table, Fire | MoveAndFire]:
    """The table and the order of an example of fire."""
    match id:
        case "P8-X01":
            return _shot("inf_rifle", "inf_rifle", 6)
        case "P8-X02":
            t = table(
                column(5, target="B"),
                element("inf_rifle", "0201", "german", quality=-1, facing=3),
                element("mmg", "0205", "allied", quality=1),
                hexsides={"hedge": ["0201-0202"]},
            )
            return t, Fire(U(1), U(0), "hesa")
        case "P8-X03":
            return _shot("pz3h", "t34", 15, "ap")
        case "P8-X04":
            return _shot("pz3h", "t34", 14, "ap")
        case "P8-X05":
            t = table(
                column(6),
                element("t34", "0201", facing=0),
                element("pz3h", "0205", acted=0),
                active="german",
            )
            return t, MoveAndFire(U(1), t.hexes("0204"), 0, U(0), "ap")
        case "P8-X06":
            t = table(
                column(4, target="s"),
                element("inf_rifle", "0201", "german", facing=3),
                element("inf_rifle", "0203", suppressed=True),
            )
            return t, Fire(U(1), U(0), "hesa")
        case "P8-X07":
            # no element has a HESA of 2 and a target of Def 9 that fire could be aimed at: the odds are what counts
            return _shot("inf_rifle", "inf_rifle", 6)
        case "P8-X19":
            return _shot("pz4d", "pz38", 10, "hesa", target_side="allied")
    t = table(column(9), element("halftrack", "0201", "german", facing=3), element("inf_rifle", "0209"))
    return t, Fire(U(1), U(0), "hesa")


def _shot(
    firer: str, target: str, distance: int, ammo: str = "hesa", target_side: str | None = None
) -> tuple[Table, Fire]:
    side = target_side or ("allied" if target == "t34" else "german")
    other = "german" if side == "allied" else "allied"
    t = table(
        column(distance),
        element(target, "0201", side, facing=3),
        element(firer, f"02{distance + 1:02d}", other),
        active=other,
    )
    return t, Fire(U(1), U(0), ammo)


@of_kind("hesa", "ap", "shells_at_armor")
def test_fire(id: str, situation: Situation, expected: Expected) -> None:
    names = AP_NAMES if "fall_back" not in expected["odds"] else HESA_NAMES
    wanted = {name: expected["odds"].get(name, "0/100") for name in names}
    if id in ("P8-X07", "P8-X08"):
        found = odds_of(expected["M"], "hesa" if id == "P8-X07" else "ap")
        assert share(found, names) == wanted
        return
    t, order = shot(id)
    attack, defense = t.explain(order)[-2:]
    assert int(attack.total) - int(defense.total) == expected["M"]
    assert share(falls(t, order), names) == wanted


def odds_of(modifier: int, manner: str) -> Counter[str]:
    return Counter(result(manner, a - b + modifier) for a, b in DICE)


def falls(t: Table, order: Fire | MoveAndFire | TankHunt) -> Counter[str]:
    """The results of an attack under every fall of its two dice."""
    found: Counter[str] = Counter()
    start = t.state
    for dice in DICE:
        t.state = start
        rolled = [event for event in t.play(order, dice) if isinstance(event, AttackRolled)]
        found[rolled[0].backfire if rolled[0].backfire == FALL_BACK else rolled[0].result] += 1
    return found


@of_kind("th")
def test_tank_hunting(id: str, situation: Situation, expected: Expected) -> None:
    if id == "P8-X09":
        t = table("ooo\nooo\nooo", element("tiger", "0201", facing=3), element("inf_rifle", "0202"))
    else:
        t = table(
            "WWW\nooo\nooo",
            element("marder", "0201", facing=0),
            element("eng", "0202", "allied", quality=1),
        )
    order = TankHunt(U(1), U(0))
    attack, defense = t.explain(order)[-2:]
    assert int(attack.total) - int(defense.total) == expected["M"]
    names = {"hunter_falls_back": (FALL_BACK,), "none": ("no effect",), "suppressed": (SUPPRESSED,), "out": (OUT,)}
    assert share(falls(t, order), names) == expected["odds"]


@of_kind("cc")
def test_close_combat(id: str, situation: Situation, expected: Expected) -> None:
    t, order = combat(id)
    t.play(order)
    t.play_to_combat()
    fight = Fight(order.unit)
    attack, defense = t.explain(fight)
    assert int(attack.total) - int(defense.total) == expected["M"]
    counts: Counter[str] = Counter()
    start = t.state
    for dice in DICE:
        t.state = start
        t.run(close_combat.resolve_fight, t.position.active, fight, dice=dice)
        (rolled,) = t.happened(AttackRolled)
        if rolled.difference == 0:
            counts["tie"] += 1
        else:
            side, what = ("defender", rolled.result) if rolled.difference > 0 else ("attacker", rolled.backfire)
            counts[f"{side}_{ {FALL_BACK: 'fall_back', SUPPRESSED: 'suppressed', OUT: 'out'}[what] }"] += 1
    assert {name: f"{counts[name]}/100" for name in expected["odds"]} == expected["odds"]


def combat(id: str) -> tuple[Any, Charge | Overrun]:
    """The table and the declaration of an example of close combat."""
    rows = "\n".join(["ooBoo", *["ooooo"] * 8]) if id == "P8-X11" else open_ground(5, 9)
    match id:
        case "P8-X11":
            t = CombatTable(
                table(
                    rows,
                    element("inf_rifle", "0301", "german"),
                    element("cmd_foot", "0501", "german"),
                    element("eng", "0302", "allied"),
                    smoke={"0302": 9},
                )
            )
            return t, Charge(U(2), U(0))
        case "P8-X12":
            t = CombatTable(table(rows, element("mmg", "0301", "german", facing=3), element("cav", "0302", "allied")))
            return t, Charge(U(1), U(0))
    t = CombatTable(
        table(
            rows,
            element("inf_rifle", "0301", "allied", quality=1),
            element("cmd_foot", "0501", "allied"),
            element("pz4g", "0302"),
            active="german",
        )
    )
    return t, Overrun(U(2), U(0))


class CombatTable(Table):
    """A table on which a declared combat can be come to."""

    def __init__(self, t: Table) -> None:
        super().__init__(t.state)

    def play_to_combat(self) -> None:
        self.play(EndPhase())
        assert self.asked == "close combat"


@of_kind("recovery")
def test_recovery(id: str, situation: Situation, expected: Expected) -> None:
    lost = {"P8-X14": 7, "P8-X15": 9}[id]
    quality = situation["modifiers"]["tq"]
    gone = [element("truck", "", fate=LOST) for _ in range(lost)]
    friends = [element("cmd_foot", "0102", rallied=True)] if "rally" in situation["modifiers"] else []
    t = table("ooo\nooo\nooo", element("inf_rifle", "0101", suppressed=True, quality=quality), *friends, *gone)
    assert recovery.recovery(t.position, t.element(0)).total == expected["total"]
    counts: Counter[str] = Counter()
    start = t.state
    for die in range(1, 11):
        t.state = start
        (rolled,) = [event for event in t.play(Recover(U(0)), [die]) if isinstance(event, RecoveryRolled)]
        counts[rolled.result] += 1
    names = {
        "out": OUT,
        "none": recovery.NO_EFFECT,
        "unsuppressed": recovery.RECOVERS,
        "unsuppressed_and_action": recovery.RECOVERS_AND_ACTS,
    }
    assert {name: f"{counts[found]}/10" for name, found in names.items()} == expected["odds"]


# --- ground, facing, sight -------------------------------------------------------------------------------------------

CLASSES = {"Wh": "truck", "WhX": "truck_x", "Mech": "pz2", "Inf": "inf_rifle", "Slow": "r35"}
ROWS_OF_PATH = {"road": "o", "flat": ".", "open": "o", "rough": "s", "BUA": "B", "open across a hedge": "o"}


@of_kind("costs")
def test_costs(id: str, situation: Situation, expected: Expected) -> None:
    words = situation["path"]
    rows = "\n".join(["o", *[ROWS_OF_PATH[word] for word in words]])
    roads = [[f"01{row:02d}" for row in range(1, 2 + words.count("road"))]] if "road" in words else []
    hedges = [f"01{n + 1:02d}-01{n + 2:02d}" for n, word in enumerate(words) if "hedge" in word]
    t = table(rows, roads=roads, hexsides={"hedge": hedges} if hedges else None)
    for name in situation["classes"]:
        how = Gait((name,))
        places = [t.hex(f"01{row:02d}") for row in range(1, len(words) + 2)]
        costs = [
            movement.step_cost(t.position, how, here, t.board.direction(here, there))
            for here, there in pairwise(places)
        ]
        assert [cost // THIRDS for cost in costs if cost is not None] == expected[name]["costs"]
        left, moved = FULL_MOVE, 0
        for cost in costs:
            if cost is None or cost > left:
                break
            left, moved = left - cost, moved + 1
        assert (moved, left // THIRDS) == (expected[name]["hexes_moved"], expected[name]["points_left"])


@of_kind("facing")
def test_facing(id: str, situation: Situation, expected: Expected) -> None:
    facing = situation["facing"]
    bearings = [sight.product((q, r), (facing[0], facing[1])) for q, r in situation["firers"]]
    assert bearings == expected["s"]
    assert [s < 0 for s in bearings] == expected["flank_bonus"]


def sketched(cells: Iterable[tuple[Hex, int, str]], size: int = 16) -> tuple[Board, Hex]:
    """A board of flat ground with some cells otherwise, and the hex that stands for [0, 0]."""
    origin = Hex(6, 4)
    blank = Board.build("sketch", size, size, base="flat")
    at = {cell: blank.from_axial(Hex(origin.q + cell.q, origin.r + cell.r)) for cell, _, _ in cells}
    board = Board.build(
        "sketch",
        size,
        size,
        base="flat",
        terrain={at[cell]: feature for cell, _, feature in cells},
        elevation={at[cell]: level for cell, level, _ in cells},
    )
    return board, origin


@of_kind("sight")
def test_sight(id: str, situation: Situation, expected: Expected) -> None:
    cells = [(Hex(*place), level, feature) for place, level, feature in situation["map"]]
    board, origin = sketched(cells)
    t = table("o")

    def place(cell: list[int]) -> HexId:
        return HexId(board.from_axial(Hex(origin.q + cell[0], origin.r + cell[1])))

    t.set(ground=Ground(scenario(board), Options()))
    t.set(smoke={place(cell): 9 for cell in situation["smoke"]})
    a, b = place(situation["from"]), place(situation["to"])
    assert board.distance(a, b) == expected["distance"]
    assert sight.sees(t.position, a, b) == expected["los"]
    assert sight.is_in_smoke(t.position, a, b) == expected["target_in_smoke"]
    assert list(sight.entered_across(board, a, b)) == expected["entered_across"]


@of_kind("fall_back")
def test_falling_back(id: str, situation: Situation, expected: Expected) -> None:
    board, origin = sketched([])

    def place(q: int, r: int) -> HexId:
        return HexId(board.from_axial(Hex(origin.q + q, origin.r + r)))

    if id == "P8-X20":
        for occupied, path in zip((None, (1, 0)), expected["paths"], strict=True):
            t = table("ooo\nooo", element("inf_rifle", "0101"), element("truck", "0201"))
            t.set(ground=Ground(scenario(board), Options()))
            t.change(0, hex=place(0, 0))
            t.change(1, hex=place(*occupied) if occupied else place(5, 5))
            wanted = tuple(place(q, r) for q, r in path)
            assert fall_back_path(t.position, t.element(0), place(-3, 0)) == wanted
        return
    around = [element("truck", "0201") for _ in STEPS]
    t = table("ooo\nooo", element("mmg", "0101", "allied", suppressed=True), *around)
    t.set(ground=Ground(scenario(board), Options()))
    t.change(0, hex=place(0, 0))
    for number, (q, r) in enumerate(STEPS, 1):
        t.change(number, hex=place(q, r))
    t.run(inflict, U(0), SUPPRESSED, place(-3, 0))
    assert t.element(0).fate == LOST


@of_kind("stonk")
def test_stonks(id: str, situation: Situation, expected: Expected) -> None:
    on_target = Fraction(sum(die >= support.ON_TARGET for die in range(1, 11)), 10)
    assert str(on_target) == expected["on_target"]
    t = table(open_ground(15, 15))
    aimed, covered = t.hex("0808"), Fraction(0)
    for first in range(1, 11):
        if first >= support.ON_TARGET:
            covered += Fraction(1, 10)
            continue
        for drift in range(1, 11):
            for direction in range(1, 7):
                start = t.state
                t.run(support.stonk, "allied", "bat_105", 6, aimed, None, dice=[first, drift, direction])
                (called,) = t.happened(BatteryCalled)
                covered += Fraction(t.board.distance(called.hex, aimed) <= 1, 600)
                t.state = start
    assert str(covered) == expected["aimed_hex_covered"]


def test_the_tables_have_a_letter_for_every_feature() -> None:
    assert len({feature.letter for feature in FEATURES.values()}) == len(FEATURES)
