"""How a sensible commander sees the table: what elements are worth, where to go, what a shot can be expected to do.

All numbers are hundredths of a point; a rifle section is worth 60 of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from sandtable.kernel.ids import HexId, SideId
from sandtable.rulesets.panzer8 import fire
from sandtable.rulesets.panzer8.cover import hex_cover
from sandtable.rulesets.panzer8.kinds import (
    ARMOR,
    CAVALRY,
    COMMANDER,
    ENGINEERS,
    GUN,
    INFANTRY,
    KINDS,
    OBSERVER,
    SOFT,
    UNKNOWN,
    WEAPON,
)
from sandtable.rulesets.panzer8.model import LOST, Element, Position
from sandtable.rulesets.panzer8.movement import distance_field, gait
from sandtable.rulesets.panzer8.pieces import enemy_of, with_element
from sandtable.rulesets.panzer8.results import DIE, FALL_BACK, NONE, OUT, SUPPRESSED, hesa_result, result
from sandtable.rulesets.panzer8.stacks import kind_of, on_table
from sandtable.rulesets.panzer8.terrain import COVER_VALUES
from sandtable.rulesets.panzer8.victory import combat_losses, objective_points
from sandtable.rulesets.panzer8.workings import Contest

BASE_WORTH = {
    COMMANDER: 90,
    INFANTRY: 60,
    ENGINEERS: 75,
    CAVALRY: 55,
    WEAPON: 60,
    GUN: 90,
    ARMOR: 40,
    SOFT: 15,
    OBSERVER: 45,
    UNKNOWN: 50,
}
PER_DEFENSE, PER_AP = 8, 6
"""What armor and a gun add to the worth of a vehicle."""

HARM = {NONE: 0, FALL_BACK: 15, SUPPRESSED: 40, OUT: 100}
"""What a result costs, in hundredths of an element's worth."""

PRIZE = 60
"""What a point of an objective is worth."""

NEARNESS = 3
"""What a hex nearer to the goal is worth to an attacker."""

COVERED = 8
FEAR = 30
"""What cover is worth, and how much of the danger of a hex counts, in hundredths."""

CALM = 10
HASTE = 1
"""How much heavier the way to the goal weighs in the last turn, in shares of what it weighs at first."""


@cache
def worth(kind: str) -> int:
    """What an element of a type is worth."""
    found = KINDS[kind]
    extra = PER_DEFENSE * found.defense + PER_AP * found.ap if found.kind == ARMOR else PER_AP * found.ap // 2
    return BASE_WORTH[found.kind] + extra


@cache
def chances(modifier: int, manner: str, *, is_armor: bool) -> Mapping[str, int]:
    """In how many of a hundred falls of two dice each result comes.

    Rules: P8-8.05.
    """
    armored, soft = Element(-1, "t34", SideId("")), Element(-1, "inf_rifle", SideId(""))  # type: ignore[arg-type]
    counts = dict.fromkeys((NONE, FALL_BACK, SUPPRESSED, OUT), 0)
    for difference in range(1 - DIE, DIE):
        total = difference + modifier
        found = hesa_result(armored if is_armor else soft, total) if manner == fire.HESA else result(manner, total)
        counts[found] += DIE - abs(difference)
    return MappingProxyType(counts)


def expected_harm(odds: Contest | int, target: Element, manner: str) -> int:
    """What an attack can be expected to cost a target, in hundredths of a point; a second suppression costs less."""
    modifier = odds if isinstance(odds, int) else odds.modifier
    found = chances(modifier, manner, is_armor=kind_of(target).kind == ARMOR)
    suppressed = HARM[FALL_BACK] if target.suppressed else HARM[SUPPRESSED]
    total = found[FALL_BACK] * HARM[FALL_BACK] + found[SUPPRESSED] * suppressed + found[OUT] * HARM[OUT]
    return worth(target.kind) * total // 10_000


def best_shot(position: Position, stand: fire.Stand, target: Element) -> int:
    """What the best shot of a firer that stands so can be expected to cost a target, 0 when it has none."""
    return max(
        (
            expected_harm(fire.contest(position, stand, target, ammo), target, ammo)
            for ammo in fire.AMMO
            if fire.no_shot(position, stand, target, ammo) is None
        ),
        default=0,
    )


class Outlook:
    """The table as one side sees it in one decision."""

    def __init__(self, position: Position, side: SideId) -> None:
        self.position, self.side = position, side
        self.enemies = on_table(position, enemy_of(side))
        self.worth_of_ground = objective_points(position.ground)
        self.goals = [place for place in self.worth_of_ground if position.control.get(place) != side]
        self.own_ground = [place for place in self.worth_of_ground if position.control.get(place) == side]
        # an attacker presses on as the turns run out
        passed = CALM * position.turn // position.ground.scenario.turns
        self.haste = CALM + HASTE * passed if self.goals else CALM
        self._fields: dict[object, list[int]] = {}

    def nearness(self, element: Element, place: HexId) -> int:
        """How much nearer to what the side fights for a place is: goals for those who attack, its own ground else."""
        aims = self.goals or self.own_ground
        if not aims:
            return 0
        how = gait(self.position, element)
        field = self._fields.get(how)
        if field is None:
            field = self._fields[how] = distance_field(self.position, how, aims)
        away = field[place]
        return -NEARNESS * self.haste * away // (12 * CALM) if away >= 0 else -10 * NEARNESS * 60

    def danger(self, element: Element, place: HexId, facing: int) -> int:
        """What the enemies known to stand about can be expected to do to an element in a place."""
        moved = with_element(self.position, element.id, hex=place, facing=facing)
        target = moved.elements[element.id]
        harms = sorted(best_shot(moved, fire.standing(foe), target) for foe in self.enemies if not foe.suppressed)
        # all of them won't fire at one and the same element
        return sum(harms[-3:])

    def prospect(self, element: Element, place: HexId, facing: int) -> int:
        """What an element could do to the enemy from a place in its next turn."""
        stand = fire.Stand(element, place, facing, moved=False)
        return max((best_shot(self.position, stand, foe) for foe in self.enemies), default=0)

    def place_value(self, element: Element, place: HexId, facing: int) -> int:
        """How good it is to stand somewhere."""
        kind = kind_of(element).kind
        covered = COVERED * COVER_VALUES[hex_cover(self.position, place)]
        value = covered - FEAR * self.danger(element, place, facing) // 100
        prize = self.worth_of_ground.get(place, 0) if place in self.goals else 0
        if kind in (WEAPON, GUN, OBSERVER, COMMANDER):
            value += self.nearness(element, place) // 2
        else:
            value += self.nearness(element, place) + PRIZE * prize
        if element.hex in self.own_ground and place != element.hex and kind != SOFT:
            value -= 40
        return value + self.prospect(element, place, facing) // 3


def material(position: Position, side: SideId) -> int:
    """Elements and ground of a side less those of the other, in hundredths of a point."""
    total = 0
    for one in position.elements:
        if one.fate == LOST or not one.hex:
            continue
        value = worth(one.kind) * (100 - HARM[SUPPRESSED] * one.suppressed) // 100
        total += value if one.side == side else -value
    for place, points in objective_points(position.ground).items():
        owner = position.control.get(place)
        total += PRIZE * points * (1 if owner == side else -1)
    return total - 5 * combat_losses(position, side)
