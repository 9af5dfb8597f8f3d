"""What a weapon is worth against a target: the weapon effects chart, distance and elevation, unit by unit.

Rules: PB3-301, PB3-803, PB3-804, PB3-805, PB3-807, PB3-808, PB3-1601, PB3-1605.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import NamedTuple

from sandtable.kernel.decisions import Refusal
from sandtable.kernel.ids import HexId, RuleId
from sandtable.kernel.trace import Line
from sandtable.rulesets.panzerblitz_3d.combat import MIXED_ARMORED, MIXED_EVENLY, MIXED_OTHERS
from sandtable.rulesets.panzerblitz_3d.ground import Ground
from sandtable.rulesets.panzerblitz_3d.kinds import KINDS, MORTAR
from sandtable.rulesets.panzerblitz_3d.model import GERMAN
from sandtable.rulesets.panzerblitz_3d.tables import NOT_ALLOWED, combat_tables
from sandtable.rulesets.panzerblitz_3d.terrain import BROWN, HILLTOP_LEVEL, SLOPE_LEVEL
from sandtable.rulesets.panzerblitz_3d.terrain_table import terrain_table

HALF = Fraction(1, 2)
_CHART = {row.weapon: row for row in combat_tables().wec.row}


class Effect(NamedTuple):
    """What a weapon is multiplied by, 0 when it can't fire so, with reason and rule."""

    multiplier: Fraction
    reason: str
    rule: str


def near_limit(key: str) -> int:
    """The greatest distance that counts as near for a unit type: half its range, fractions dropped (PB3-804)."""
    return KINDS[key].range // 2


def effect_on(weapon: str, against: str, *, is_near: bool) -> Effect:
    """The weapon effects chart; against an evenly divided target a firer has the worse of the two for it.

    Rules: PB3-803, PB3-804, PB3-805.
    """
    if against == MIXED_EVENLY:
        both = [effect_on(weapon, one, is_near=is_near) for one in (MIXED_ARMORED, MIXED_OTHERS)]
        worse = min(both, key=lambda effect: effect.multiplier)
        return Effect(worse.multiplier, f"{worse.reason}, the worse for it of an evenly divided target", "PB3-805")
    row = _CHART[weapon]
    if against == MIXED_OTHERS:
        return Effect(Fraction(row.others), f"{weapon} against others than armor", "PB3-803")
    word = row.armored_near if is_near else row.armored_far
    if word == NOT_ALLOWED:
        return Effect(Fraction(0), f"weapon class {weapon} can't harm armor but by close assault", "PB3-804")
    return Effect(Fraction(word), f"{weapon} against armor, {'near' if is_near else 'far'}", "PB3-803")


@cache
def multiplier(key: str, against: str, distance: int) -> Effect:
    """What the weapon of a unit type is multiplied by at a distance."""
    printed = KINDS[key]
    if distance > printed.range:
        return Effect(Fraction(0), f"the range of {printed.range} hexes is too short for {distance}", "PB3-102")
    return effect_on(printed.weapon, against, is_near=distance <= near_limit(key))


def is_halved(ground: Ground, firer: HexId, place: HexId) -> bool:
    """Whether an attack from a hex on another is halved because the target is on a slope or hilltop.

    Rules: PB3-807, PB3-1601.
    """
    board = ground.board
    level = board.elevation[place]
    if level not in terrain_table().halved_levels:
        return False
    if ground.options.hill_exceptions:
        if level == HILLTOP_LEVEL == board.elevation[firer]:
            return False
        d = board.direction(firer, place)
        if level == SLOPE_LEVEL and d >= 0 and BROWN not in board.side_features(firer, d):
            return False
    return True


class Strength(NamedTuple):
    """The attack factor of one unit after all multipliers, its fraction dropped, and the lines that made it."""

    total: int
    lines: tuple[Line, ...]


@cache
def strength_of(key: str, against: str, distance: int, halving: str) -> Strength | Refusal:
    """What one unit of a type adds to an attack by fire; `halving` cites the rule that halves it for the height of its
    target, if one does.

    Rules: PB3-807, PB3-808.
    """
    printed = KINDS[key]
    effect = multiplier(key, against, distance)
    if not effect.multiplier:
        return Refusal(RuleId(effect.rule), f"{printed.name}: {effect.reason}")
    exact = printed.attack * effect.multiplier
    lines = [Line(f"{printed.name}: attack factor", printed.attack, RuleId("PB3-304"))]
    if effect.multiplier != 1:
        lines.append(Line(f"{printed.name}: {effect.reason}", f"x{effect.multiplier}", RuleId(effect.rule)))
    if halving:
        exact *= HALF
        lines.append(Line(f"{printed.name}: target on a slope or hilltop", "x1/2", RuleId(halving)))
    total = int(exact)
    if len(lines) > 1:
        lines.append(Line(f"{printed.name}: adds, fractions dropped", total, RuleId("PB3-808")))
    return Strength(total, tuple(lines))


def can_lob(key: str, distance: int) -> bool:
    """Whether a unit type may fire without a line of sight of its own at a distance, if the option is played: mortars,
    and German self-propelled artillery beyond half its range.

    Rules: PB3-1605.
    """
    printed = KINDS[key]
    if printed.weapon == MORTAR:
        return True
    return printed.nation == GERMAN and printed.has("spa") and distance > near_limit(key)
