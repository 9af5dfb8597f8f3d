"""An open field with two small forces on it, and one engagement in play there.

Places are axial steps from the middle of the field; the defenders' first hex is (0, 0) and the attackers come from the
north, so that a unit at (q, -d) is d hexes away.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from functools import cache
from typing import Any, Final, NamedTuple

from msgspec.structs import replace

from sandtable.content import MapSheet, Scenario, ScenarioUnit, Side
from sandtable.geometry.board import Board
from sandtable.geometry.hexes import Hex, to_offset
from sandtable.kernel.decisions import Refusal
from sandtable.kernel.engine import submit
from sandtable.kernel.events import DiceKey, Order
from sandtable.kernel.ids import NOWHERE, HexId, SideId, UnitId
from sandtable.kernel.state import State
from sandtable.rulesets.panzer_battles import features
from sandtable.rulesets.panzer_battles import orders as o
from sandtable.rulesets.panzer_battles.fire.orders import Bombard
from sandtable.rulesets.panzer_battles.frames import StepFrame
from sandtable.rulesets.panzer_battles.ground import Ground, Options
from sandtable.rulesets.panzer_battles.kinds import KINDS
from sandtable.rulesets.panzer_battles.model import ALLIED, AXIS, Feature, Position, Unit, enemy_of
from sandtable.rulesets.panzer_battles.movement.costs import allowance
from sandtable.rulesets.panzer_battles.ruleset import PanzerBattles
from sandtable.rulesets.panzer_battles.scenario import FormationEntry, Sections, Thresholds, UnitDetails
from sandtable.rulesets.panzer_battles.sequence import ORDERS

RULES: Final = PanzerBattles()

SIZE, MIDDLE = 44, Hex(20, 12)
"""The field: so many hexes wide and high, and where its middle is."""

Place = tuple[int, int]

HEADQUARTERS = "de_bn_hq"
"""Of both sides, since the conditions give both the same range."""

BY_DAY: Final[dict[str, Any]] = {
    "time": {"dawn": "00:00", "dusk": "23:30", "has_dawn_dusk_turns": False},
    "terrain": {"height_m": {"forest": 0, "village": 0}},
    "weather": {"visibility_change_pct": 0},
}
"""It is day as long as it takes, and terrain hides nobody: everybody is spotted."""

NO_ANSWER: Final[dict[str, Any]] = {**BY_DAY, "combat": {"opfire_base_pct": 0}}
"""Nobody takes an opportunity to fire."""

BY_NIGHT: Final[dict[str, Any]] = {
    **BY_DAY, "time": {"dawn": "23:30", "dusk": "23:30", "has_dawn_dusk_turns": False}
}  # fmt: skip
"""It is night as long as it takes."""

START = 30
"""Minutes after midnight when an engagement begins."""

FORMATIONS: Final = (
    FormationEntry("allied", "Allied battalion", "allied", "battalion"),
    FormationEntry("axis", "Axis battalion", "axis", "battalion"),
)


class Counter(NamedTuple):
    """A unit of an engagement; a strength of 0 is that of its type, and who has no place is in the air."""

    kind: str
    side: SideId
    at: Place | None
    strength: int = 0
    quality: str = "C"
    fatigue: int = 0


class Setting(NamedTuple):
    """Where and by whom an engagement is fought, whether opportunity fire answers, how easily vehicles break down, and
    whether it is night.
    """

    counters: tuple[Counter, ...]
    terrain: tuple[tuple[Place, str], ...] = ()
    works: tuple[tuple[Place, Feature], ...] = ()
    answers: bool = True
    breakdown: int = 0
    night: bool = False


def row(kinds: Iterable[str], side: SideId, distance: int, start: int = 0, quality: str = "C") -> tuple[Counter, ...]:
    """Units side by side, all at that distance from the enemy's row."""
    return tuple(Counter(kind, side, (start + n, -distance), quality=quality) for n, kind in enumerate(kinds))


def with_headquarters(*counters: Counter) -> tuple[Counter, ...]:
    """These units and a headquarters for each side, 4 hexes behind its own."""
    posts = []
    for side, behind in ((ALLIED, -4), (AXIS, -4)):
        own = [one.at for one in counters if one.side == side and one.at is not None]
        front = max(r for _, r in own)
        # behind the row at the front, away from the enemy: north of who stands north, south of who stands south
        if front < 0:
            posts.append(Counter(HEADQUARTERS, side, (max(q for q, r in own if r == front), front + behind)))
        else:
            posts.append(Counter(HEADQUARTERS, side, (max(q for q, _ in own) - 4, 4)))
    return (*counters, *posts)


@cache
def _board(terrain: tuple[tuple[Place, str], ...]) -> Board:
    blank = Board.build("field", SIZE, SIZE)
    drawn = ["clear" if name else "" for name in blank.terrain]
    for place, name in terrain:
        drawn[_hex(blank, place)] = name
    heights = memoryview(array("h", bytes(2 * blank.size)))
    return Board("field", "Field", SIZE, SIZE, tuple(drawn), heights, blank.roads, {}, {}, {})


def _hex(board: Board, place: Place) -> HexId:
    return HexId(board.hex_at(*to_offset(Hex(MIDDLE.q + place[0], MIDDLE.r + place[1]))))


@cache
def _ground(setting: Setting) -> Ground:
    board = _board(setting.terrain)
    scenario: Scenario[Sections, UnitDetails] = Scenario(
        id="engagement",
        system="panzer_battles",
        title="Engagement",
        summary="",
        turns=999,
        first=ALLIED,
        sheet=MapSheet(board, names={}),
        options={"fog": False},
        sides=(Side("allied", "Allied"), Side("axis", "Axis")),
        units=tuple(_entry(board, number, one) for number, one in enumerate(setting.counters)),
        zones=(),
        objectives=(),
        sections=Sections(Thresholds(-2, -1, 1, 2), formations=FORMATIONS, parameters=_numbers(setting)),
        tutorial=False,
        difficulty="easy",
        minutes=1,
        file="engagement.toml",
        digest="",
    )
    return Ground(scenario, Options(fog=False))


def _numbers(setting: Setting) -> dict[str, Any]:
    """What an engagement sets anew of the numbers of the game."""
    numbers = (BY_NIGHT if setting.night else BY_DAY) if setting.answers else NO_ANSWER
    if not setting.breakdown:
        return numbers
    return {**numbers, "misc": {"vehicle_breakdown": dict.fromkeys((ALLIED, AXIS), float(setting.breakdown))}}


def _entry(board: Board, number: int, one: Counter) -> ScenarioUnit[UnitDetails]:
    details = UnitDetails(one.side if one.at else "")
    return ScenarioUnit(f"unit-{number}", one.kind, one.side, details, number + 1, hex=_place(board, one))


def _place(board: Board, one: Counter) -> HexId:
    return NOWHERE if one.at is None else _hex(board, one.at)


@cache
def _opening(setting: Setting) -> Position:
    ground = _ground(setting)
    works: dict[HexId, tuple[Feature, ...]] = {}
    for place, work in setting.works:
        works[_hex(ground.board, place)] = (work,)
    position = Position(
        ground=ground,
        turn=1,
        minutes=START,
        visibility=20,
        active=ALLIED,
        units=tuple(_unit(ground, UnitId(number), one) for number, one in enumerate(setting.counters)),
        features=works,
    )
    rested = (replace(unit, mp=allowance(position, unit)) for unit in position.units)
    return replace(position, units=tuple(rested))


def _unit(ground: Ground, id: UnitId, one: Counter) -> Unit:
    full = KINDS[one.kind].full
    return Unit(
        id=id,
        kind=one.kind,
        side=one.side,
        hex=_place(ground.board, one),
        strength=one.strength or full,
        full=full,
        quality=one.quality,
        fatigue=one.fatigue,
        formation=one.side if one.at else "",
        name=f"{one.kind}-{id}",
    )


class Bout:
    """One engagement in play: every order is given and carried out by the rules."""

    def __init__(self, setting: Setting, seed: str, active: SideId) -> None:
        position = replace(_opening(setting), active=active)
        self.setting, self.seed = setting, seed
        self.state: State[Position] = State(position, (StepFrame(ORDERS),), DiceKey(seed))

    @property
    def position(self) -> Position:
        return self.state.position

    @property
    def active(self) -> SideId:
        return self.position.active

    def unit(self, id: int) -> Unit:
        return self.position.units[id]

    def lost(self, id: int) -> int:
        """What a unit has lost so far."""
        return (self.setting.counters[id].strength or KINDS[self.unit(id).kind].full) - self.unit(id).strength

    def fighters(self, side: SideId) -> list[Unit]:
        """The units of a side that are on the map, but for its headquarters."""
        return [unit for unit in self.position.units if unit.side == side and unit.hex and not unit.of.has("hq")]

    def target(self, side: SideId) -> Unit | None:
        """Whom a side aims at: one in good order before a Disrupted before a Broken one, then the largest."""
        foes = self.fighters(enemy_of(side))
        return min(foes, key=lambda foe: (foe.broken, foe.disrupted, -foe.strength, foe.id), default=None)

    def attempt(self, order: Order) -> bool:
        """The order is carried out if the rules allow it; whether they do."""
        played = submit(RULES, self.state, self.active, order)
        if isinstance(played, Refusal):
            return False
        self.state = played.state
        return True

    def end_turn(self) -> None:
        self.attempt(o.EndTurn())

    def fire(self, id: int, times: int) -> None:
        """A unit has fired so often, or as often as it may and finds somebody."""
        for _ in range(times):
            target = self.target(self.active)
            if target is None or not self.attempt(o.Fire(UnitId(id), target.id)):
                return

    def bombard(self, id: int, place: Place, times: int) -> None:
        """A unit has fired so often into a hex, or as often as it may."""
        self.bombard_hex(id, self.hex(place), times)

    def bombard_hex(self, id: int, place: HexId, times: int) -> None:
        for _ in range(times):
            if not self.attempt(Bombard(UnitId(id), place)):
                return

    def all_fire(self, times: int) -> None:
        """Every unit of the active side has fired so often."""
        for unit in self.fighters(self.active):
            self.fire(unit.id, times)

    def step(self, id: int, place: Place) -> bool:
        """A unit goes one hex; whether it may."""
        return self.attempt(o.Move((UnitId(id),), (self.hex(place),)))

    def hex(self, place: Place) -> HexId:
        return _hex(self.position.ground.board, place)

    def wait(self) -> None:
        """Both sides have ended their turns, and it is the turn of the same side again."""
        self.end_turn()
        self.end_turn()

    def work(self, place: Place, *kinds: str) -> Feature | None:
        """The feature of one of these kinds that lies in a hex."""
        return features.find(self.position, self.hex(place), *kinds)

    def entrench(self, places: Iterable[HexId], side: SideId) -> None:
        """There are improved positions in these hexes, by no event at all."""
        made = {place: (Feature(features.IMPROVED, side),) for place in places}
        self.state = replace(self.state, position=replace(self.position, features={**self.position.features, **made}))

    def renew(self, id: int) -> None:
        """A unit is as it was at the beginning, by no event at all."""
        units = list(self.position.units)
        units[id] = _opening(self.setting).units[id]
        self.state = replace(self.state, position=replace(self.position, units=tuple(units)))
