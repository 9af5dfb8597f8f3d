"""What a weapon is worth against a target: the weapons effectiveness chart, distance, elevation and field of fire.

Strengths are counted in eighths where they are only compared: every multiplier is a power of two, so nothing is lost.

Rules: PL-305, PL-808, PL-809, PL-810, PL-821, PL-822.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache

from sandtable.geometry.hexes import line_words
from sandtable.kernel.decisions import Refusal
from sandtable.kernel.ids import HexId, RuleId
from sandtable.kernel.trace import Line
from sandtable.rulesets.panzer_leader.combat import ARMORED, DIRECT, EVEN, NONARMORED
from sandtable.rulesets.panzer_leader.combat_tables import WeaponEffect, combat_tables
from sandtable.rulesets.panzer_leader.kinds import KINDS, UnitKind
from sandtable.rulesets.panzer_leader.model import Position, Unit
from sandtable.rulesets.panzer_leader.terrain import HILLTOP_LEVEL, SLOPE_LEVEL

EIGHTHS = 8
"""Strengths are counted in eighths of a point."""

NOT_ALLOWED = "not_allowed"

HIGH_EXPLOSIVE_NEAR = 6
"""High explosive is near up to six hexes, whatever its range (PL-809)."""

FRONT = (5, 0, 1)
"""The front three sides of a gun, counted from the direction it faces (PL-1608)."""

_CHART = {(row.weapon, row.mode): row for row in combat_tables().wec.row}


def near_limit(printed: UnitKind, effect: WeaponEffect) -> int:
    """The greatest distance that counts as near for a weapon.

    Rules: PL-809.
    """
    return {"half_range": printed.range // 2, "6_hexes": HIGH_EXPLOSIVE_NEAR}.get(str(effect.near_limit), 0)


@cache
def multiplier(key: str, mode: str, against: str, distance: int) -> tuple[int, str, str]:
    """What the weapon of a unit type is multiplied by, in eighths, with reason and rule; 0 when it can't fire so.

    `against` is the type of the target; against an evenly divided one the firer has the worse of the two.

    Rules: PL-208, PL-301, PL-305, PL-807, PL-808, PL-809.
    """
    if against == EVEN:
        sides = (multiplier(key, mode, ARMORED, distance), multiplier(key, mode, NONARMORED, distance))
        eighths, reason, _ = min(sides, key=lambda side: side[0])
        return eighths, f"{reason}, the worse for it of an evenly divided target", "PL-807"
    printed = KINDS[key]
    effect = _CHART.get((printed.weapon, mode))
    if effect is None:
        return 0, "has no weapon for that", "PL-808"
    if distance > printed.range:
        if mode == DIRECT and printed.has("star") and against == NONARMORED and distance <= 2 * printed.range:
            return _eighths(effect.nonarmored_star), "beyond its range, up to twice it", "PL-305"
        return 0, f"the range of {printed.range} hexes is too short for {distance}", "PL-805"
    if against == NONARMORED:
        return _eighths(effect.nonarmored), f"{printed.weapon} against non-armored", "PL-808"
    is_near = distance <= near_limit(printed, effect)
    word = effect.armored_near if is_near else effect.armored_far
    if word == NOT_ALLOWED:
        return 0, f"weapon class {printed.weapon} can't harm armor", "PL-808"
    return _eighths(word), f"{printed.weapon} against armored, {'near' if is_near else 'far'}", "PL-808"


def _eighths(word: str) -> int:
    return int(Fraction(word) * EIGHTHS)


@cache
def in_whole_points(eighths: int) -> Fraction:
    """A strength as players count it."""
    return Fraction(eighths, EIGHTHS)


def is_halved_by_height(position: Position, firer: HexId, place: HexId) -> str:
    """The rule that halves direct fire because the target stands higher, or "" when none does.

    Rules: PL-821, PL-822.
    """
    board = position.ground.board
    level = board.elevation[place]
    if level == HILLTOP_LEVEL:
        return "" if board.elevation[firer] == HILLTOP_LEVEL else "PL-821"
    if level == SLOPE_LEVEL and firer != place:
        d = board.direction(firer, place)
        if d < 0 or "brown" in board.side_features(firer, d):
            return "PL-822"
    return ""


def strength_in_eighths(position: Position, firer: Unit, place: HexId, against: str) -> int:
    """The strength of direct fire of one unit, in eighths; 0 when it can't harm such a target from there."""
    board = position.ground.board
    by_distance, distance = _direct(firer.kind, against), board.distance(firer.hex, place)
    if distance >= len(by_distance):
        return 0
    eighths = by_distance[distance]
    if eighths and board.elevation[place] and is_halved_by_height(position, firer.hex, place):
        return eighths // 2
    return eighths


@cache
def _direct(key: str, against: str) -> tuple[int, ...]:
    """The strength of a unit type's direct fire in eighths at each distance, as far as it can fire."""
    printed = KINDS[key]
    return tuple(
        multiplier(key, DIRECT, against, distance)[0] * printed.attack for distance in range(reach_of(printed) + 1)
    )


def reach_of(printed: UnitKind) -> int:
    """The greatest distance at which a unit type can fire directly."""
    return 2 * printed.range if "star" in printed.flags else printed.range


Strength = tuple[int, tuple[Line, ...]]
"""An attack strength in eighths and the lines that made it."""


def strength_against(
    position: Position, firer: Unit, place: HexId, against: str, mode: str = DIRECT
) -> Strength | Refusal:
    """The attack strength of one unit at a hex and the lines that made it; elevation halves direct fire alone.

    Rules: PL-808, PL-810, PL-821, PL-822, PL-823.
    """
    distance = position.ground.board.distance(firer.hex, place)
    height = is_halved_by_height(position, firer.hex, place) if mode == DIRECT else ""
    return _strength(firer.kind, mode, against, distance, height)


@cache
def _strength(key: str, mode: str, against: str, distance: int, height: str) -> Strength | Refusal:
    printed = KINDS[key]
    eighths, reason, rule = multiplier(key, mode, against, distance)
    if not eighths:
        return Refusal(RuleId(rule), f"{printed.name}: {reason}")
    strength = printed.attack * eighths
    lines = [Line(f"{printed.name}: attack strength", printed.attack, RuleId("PL-307"))]
    if eighths != EIGHTHS:
        lines.append(Line(f"{printed.name}: {reason}", f"x{in_whole_points(eighths)}", RuleId(rule)))
    if height:
        strength //= 2
        where = "on a hilltop" if height == "PL-821" else "on a slope"
        lines.append(Line(f"{printed.name}: target {where}", "x1/2", RuleId(height)))
    return strength, tuple(lines)


# --- field of fire --------------------------------------------------------------------------------------------------


@cache
def _exits(dq: int, dr: int) -> frozenset[int]:
    """The sides through which a line to an offset leaves its hex: one, or two when it leaves through their corner."""
    return frozenset(word[0] for word in line_words(dq, dr) if word)


def is_fixed_gun(printed: UnitKind) -> bool:
    """Whether a unit type is a gun with a field of fire: it can't move by itself and is no mortar.

    Rules: PL-1608.
    """
    return printed.movement == 0 and printed.weapon not in ("M", "-", "C")


def bears_on(position: Position, firer: Unit, place: HexId) -> bool:
    """Whether a hex lies in the unit's field of fire; a corner of a front side belongs to it.

    Rules: PL-1608.
    """
    if not position.ground.options.field_of_fire or firer.hex == place or not is_fixed_gun(KINDS[firer.kind]):
        return True
    board = position.ground.board
    here, there = board.axial(firer.hex), board.axial(place)
    return any((d - firer.facing) % 6 in FRONT for d in _exits(there.q - here.q, there.r - here.r))
