"""How a sensible commander sees the table: what units are worth, where to go, what fire can be expected to do.

All numbers are hundredths of a point; a rifle platoon is worth 160 of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache

from sandtable.kernel.ids import NOBODY, HexId, SideId
from sandtable.rulesets.panzer_44 import fire, shelling, victory
from sandtable.rulesets.panzer_44.ground import exits
from sandtable.rulesets.panzer_44.kinds import KINDS
from sandtable.rulesets.panzer_44.model import EXITED, LOST, UNSEEN, Position, Unit
from sandtable.rulesets.panzer_44.movement import distance_field
from sandtable.rulesets.panzer_44.pieces import enemy_of, with_unit
from sandtable.rulesets.panzer_44.results import disruption_after
from sandtable.rulesets.panzer_44.scenario import area_hexes
from sandtable.rulesets.panzer_44.stacks import kind_of, on_table, units_at
from sandtable.rulesets.panzer_44.tables import DELAYED_PANIC, DISRUPTIONS, PIN
from sandtable.rulesets.panzer_44.terrain import POSITION_REDUCTION, TERRAIN

BASE_WORTH, PER_STRENGTH = 40, 10
"""What any unit is worth, and each point of attack and defense."""

SHAKEN = (0, 35, 50, 65, 100)
"""What each level of disruption costs, in hundredths of a unit's worth."""

PINNED, PANICKED = 12, 28
"""What a pin and a delayed panic cost, in hundredths of a unit's worth."""

PRIZE = 60
"""What a point of an objective is worth."""

TASK_PRIZE = 500
"""What a hex or an exit that a task asks for is worth."""

NEARNESS = 70
"""What it is worth to be a turn of movement nearer to the goal."""

COVERED = 7
"""What each point off an attacker's die is worth to who stands there."""

FEAR = 45
"""How much of the danger of a hex counts, in hundredths."""

HOPE = 40
"""How much of the best shot from a hex counts, in hundredths."""

FARTHEST = 200
"""As good as no way at all, in half-points."""


@cache
def worth(kind: str) -> int:
    """What a unit of a type is worth."""
    found = KINDS[kind]
    attack = 2 * found.attack if found.is_howitzer else found.attack
    return BASE_WORTH + PER_STRENGTH * (attack + found.defense)


def harm(unit: Unit, result: str, pending: int = 0) -> int:
    """What a result costs a unit with so much more disruption on the way, in hundredths of its worth."""
    if result == PIN:
        return 0 if unit.pinned else PINNED
    if result == DELAYED_PANIC:
        return 0 if unit.delayed else PANICKED
    before = min(unit.disruption + pending, DISRUPTIONS["D4"])
    return SHAKEN[disruption_after(before, result)] - SHAKEN[before]


def expected_harm(odds: fire.Odds, target: Unit, pending: int = 0) -> int:
    """What an attack can be expected to cost a target."""
    if not odds.is_allowed:
        return 0
    marks = (target.disruption, target.pinned, target.delayed)
    return int(worth(target.kind) * _share(odds.column, odds.off_die, marks, pending))


@cache
def _share(column: int, reduction: int, marks: tuple[int, bool, bool], pending: int) -> Fraction:
    """What share of its worth an attack can be expected to cost a unit that bears such markers."""
    level, pinned, delayed = marks
    unit = Unit(NOBODY, "", SideId(""), disruption=level, pinned=pinned, delayed=delayed)
    chances = fire.chances(column, reduction)
    return sum((p * harm(unit, result, pending) for result, p in chances.items()), Fraction(0)) / 100


def shot(position: Position, firer: Unit, target: Unit, place: HexId) -> int:
    """What a unit's fire from a hex can be expected to cost a target, 0 when it can't fire at it."""
    if fire.no_shot(position, firer, target, place) is not None:
        return 0
    return expected_harm(fire.aimed(position, firer, target, place), target)


class Outlook:
    """The table as one side sees it: made once for where the units are, and kept while they stay there."""

    def __init__(self, position: Position, side: SideId) -> None:
        self.position, self.side = position, side
        self.enemies = on_table(position, enemy_of(side))
        self.armed = [foe for foe in self.enemies if kind_of(foe).is_armed and not foe.disruption]
        self.prizes = _prizes(position, side)
        self.guarded = _guarded(position, side)
        self.goals = list(self.prizes) or [unit.hex for unit in self.enemies if self.attacks]
        self._fields: dict[str, list[int]] = {}
        self._dangers: dict[tuple[str, HexId, int], int] = {}

    @property
    def attacks(self) -> bool:
        """Whether the side has ground to take."""
        return bool(self.prizes)

    def way_to_goal(self, unit: Unit, place: HexId) -> int:
        """How far it is from a hex to the nearest goal, in half-points of the unit's own kind of movement."""
        if not self.goals:
            return 0
        mobility = kind_of(unit).mobility
        field = self._fields.get(mobility)
        if field is None:
            field = self._fields[mobility] = distance_field(self.position, mobility, self.goals)
        return field[place] if 0 <= field[place] < FARTHEST else FARTHEST

    def danger(self, unit: Unit, place: HexId) -> int:
        """What the known enemies can be expected to do to a unit in a hex; all of them won't fire at it."""
        key = (unit.kind, place, unit.disruption)
        kept = self._dangers.get(key)
        if kept is None:
            there = with_unit(self.position, unit.id, hex=place) if unit.hex != place else self.position
            target = there.units[unit.id]
            harms = sorted(shot(there, foe, target, foe.hex) for foe in self.armed)
            kept = self._dangers[key] = sum(harms[-3:])
        return kept

    def prospect(self, unit: Unit, place: HexId) -> int:
        """The best shot that a unit would have from a hex in the next turn."""
        return max((shot(self.position, unit, foe, place) for foe in self.enemies), default=0)

    def cover(self, place: HexId) -> int:
        """What a hex takes off an attacker's die."""
        ground = TERRAIN[self.position.ground.board.terrain[place]].die_reduction
        return max(ground, POSITION_REDUCTION if place in self.position.positions else 0)

    def glance(self, unit: Unit, place: HexId) -> int:
        """How good a hex looks without a closer look at who can fire at it."""
        if place in self.position.mines and place != unit.hex:
            return -TASK_PRIZE
        turns = Fraction(self.way_to_goal(unit, place), kind_of(unit).allowance or FARTHEST)
        value = COVERED * self.cover(place) - int(NEARNESS * turns)
        if kind_of(unit).is_howitzer:
            value //= 3
        return value + self.prizes.get(place, 0) + self._hold(unit, place)

    def _hold(self, unit: Unit, place: HexId) -> int:
        """Ground that must be kept is worth staying in while nobody else does."""
        if place not in self.guarded or place != unit.hex:
            return 0
        alone = all(other.id == unit.id for other in units_at(self.position, place))
        return self.guarded[place] if alone else 0

    def place_value(self, unit: Unit, place: HexId) -> int:
        """How good it is to stand somewhere."""
        value = self.glance(unit, place) - FEAR * self.danger(unit, place) // 100
        return value + HOPE * self.prospect(unit, place) // 100


def _prizes(position: Position, side: SideId) -> Mapping[HexId, int]:
    """The hexes that a side wants to be in, with what each is worth."""
    ground = position.ground
    scenario, board = ground.scenario, ground.board
    found: dict[HexId, int] = {}
    for one in scenario.objectives:
        points = victory.OBJECTIVE_POINTS if one.points is None else one.points
        for place in map(HexId, one.hexes):
            if position.control.get(place) != side:
                found[place] = PRIZE * points // len(one.hexes)
    for task in victory.tasks(ground, side):
        for place in map(HexId, map(board.parse, task.hold)):
            if position.control.get(place) != side:
                found[place] = TASK_PRIZE // 4
        if task.exit > victory.exited(position, side):
            found |= dict.fromkeys(exits(ground, side), TASK_PRIZE // 4)
    for presence in scenario.sections.victory.presence:
        if presence.side == side:
            found |= dict.fromkeys(area_hexes(board, presence.area), PRIZE * presence.points)
    return found


def _guarded(position: Position, side: SideId) -> Mapping[HexId, int]:
    """The ground of a side's own that the enemy wants, with what it is worth to him."""
    return _prizes(position, enemy_of(side))


def material(position: Position, side: SideId) -> int:
    """Units, ground and units brought out of a side, less those of the other."""
    total = 0
    for unit in position.units:
        if unit.fate in (LOST, UNSEEN):
            continue
        value = TASK_PRIZE if unit.fate == EXITED else worth(unit.kind) * (100 - SHAKEN[unit.disruption]) // 100
        total += value if unit.side == side else -value
    return total + sum(PRIZE * (1 if owner == side else -1) for owner in position.control.values())


# --- shells -----------------------------------------------------------------------------------------------------------


def expected_shelling(position: Position, side: SideId, guns: shelling.Guns, place: HexId, pattern: str) -> int:
    """What shells can be expected to cost the enemy, less twice what they cost one's own."""
    total = Fraction(0)
    accuracy = shelling.accuracy_of(position, guns, place)
    for impact, chance in shelling.impacts(position, side, place, accuracy).items():
        for target in shelling.under_shells(position, impact, pattern):
            cost = expected_harm(shelling.shell_odds(position, guns.strength, pattern, target), target)
            total += chance * (cost if target.side != side else -2 * cost)
    return int(total)
