"""Who may fire at whom, and the numbers of an attack, step by step as the Attack Procedure Chart has them.

Rules: P44-3.05, P44-8.07, P44-8.08, P44-8.09, P44-8.10, P44-9.01, P44-9.02, P44-9.03, P44-9.04, P44-9.06, P44-9.08,
P44-9.09, P44-9.11, P44-13.06, P44-15.02, P44-15.04.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from types import MappingProxyType
from typing import NamedTuple

from sandtable.kernel.decisions import Refusal
from sandtable.kernel.ids import NOBODY, NOWHERE, HexId, RuleId
from sandtable.kernel.trace import Line, Tally
from sandtable.rulesets.panzer_44.kinds import GUN, SMALL_ARMS, UnitKind
from sandtable.rulesets.panzer_44.model import LOOSE, Position, Unit
from sandtable.rulesets.panzer_44.refusals import refuse
from sandtable.rulesets.panzer_44.sight import sight
from sandtable.rulesets.panzer_44.stacks import kind_of
from sandtable.rulesets.panzer_44.tables import (
    GREATEST_SUPERIORITY,
    LEAST_SUPERIORITY,
    LINES,
    NO_EFFECT,
    range_band,
    result_of,
)
from sandtable.rulesets.panzer_44.terrain import HEXSIDES, POSITION_REDUCTION, TERRAIN
from sandtable.rulesets.panzer_44.visibility import can_see, visibility

DIE = 6
"""Dice have six sides (P44-1.03)."""

HT, HL = "HT", "HL"
"""The chart lines of tight and loose patterns (P44-9.03)."""

CLOSE_ASSAULT = 1
"""The only range at which small arms attack hard targets (P44-8.07)."""

HOWITZER_SIGHTS = 8
"""So far at most a howitzer fires over open sights: our own limit, see the rule (P44-8.08)."""


def chart_line(kind: UnitKind) -> str:
    """The line of the chart that a unit's aimed fire is read on; howitzers use the tight one (P44-8.08)."""
    return kind.weapon if kind.weapon in (GUN, SMALL_ARMS) else HT


def pattern_line(pattern: str) -> str:
    """The line of the chart that a pattern is read on (P44-11.05, P44-11.06)."""
    return HL if pattern == LOOSE else HT


def aimed_range(kind: UnitKind) -> int:
    """How far a unit fires at what it sees (P44-3.05, P44-8.08)."""
    return min(kind.range, HOWITZER_SIGHTS) if kind.is_howitzer else kind.range


class Odds(NamedTuple):
    """An attack before the die: net superiority and what comes off the roll, each with the lines that made it."""

    superiority: Tally
    reduction: Tally
    is_allowed: bool

    @property
    def net(self) -> int:
        """The net attack superiority as it is (P44-9.03)."""
        return sum(int(line.value) for line in self.superiority.lines if line.rule != CAP)

    @property
    def column(self) -> int:
        """The column of the Combat Results Table (P44-9.04)."""
        return min(GREATEST_SUPERIORITY, self.net)

    @property
    def off_die(self) -> int:
        """What the terrain takes off the roll (P44-9.06)."""
        return int(self.reduction.total)

    @property
    def lines(self) -> tuple[Line, ...]:
        return (*self.superiority.lines, *self.reduction.lines)

    def result(self, roll: int) -> str:
        """What a roll comes to."""
        return result_of(roll, self.off_die, self.column)

    @property
    def chances(self) -> Mapping[str, Fraction]:
        """How likely each result is, exactly; an attack that is not allowed has none (P44-8.10)."""
        return chances(self.column, self.off_die) if self.is_allowed else NOT_ALLOWED

    @property
    def can_harm(self) -> bool:
        """Whether any roll does anything to the target."""
        return self.chances.get(NO_EFFECT) != 1


CAP = RuleId("P44-9.04")
NOT_ALLOWED: Mapping[str, Fraction] = MappingProxyType({NO_EFFECT: Fraction(1)})


@cache
def chances(column: int, reduction: int) -> Mapping[str, Fraction]:
    """How likely each result is in a column with so much off the die."""
    counts = Counter(result_of(roll, reduction, column) for roll in range(1, DIE + 1))
    return MappingProxyType({result: Fraction(count, DIE) for result, count in counts.items()})


def odds(
    position: Position, weapon: str, attack: Line, place: HexId, target: Unit, distance: int | None = None
) -> Odds:
    """The numbers of an attack on a chart line with a strength, coming from a hex (0: from nowhere on the map)."""
    line, kind = LINES[weapon, kind_of(target).target], kind_of(target)
    lines = [attack]
    if line.range:
        away = position.ground.board.distance(place, target.hex) if distance is None else distance
        band = range_band(away)
        change = int(attack.value) * (band.factor - 1) + band.change
        lines.append(Line(f"range {away}", change, RuleId("P44-9.02")))
    if line.defense:
        lines.append(Line(f"defense of {kind.name}", -kind.defense, RuleId("P44-9.03")))
    elif line.subtract:
        lines.append(Line("any hard target counts as", -line.subtract, RuleId("P44-9.03")))
    net = sum(int(one.value) for one in lines)
    if net > GREATEST_SUPERIORITY:
        lines.append(Line(f"above +{GREATEST_SUPERIORITY}", GREATEST_SUPERIORITY - net, CAP))
    superiority = Tally("Net superiority", min(net, GREATEST_SUPERIORITY), tuple(lines))
    covers = _covers(position, place, target, weapon) if line.terrain else ()
    return Odds(superiority, _reduction(position, covers), line.allowed and net >= LEAST_SUPERIORITY)


def _covers(position: Position, place: HexId, target: Unit, weapon: str) -> tuple[Line, ...]:
    """Everything that covers a target from an attacker: its hex, the hexside it is behind, its Improved Position.

    Rules: P44-7.06, P44-9.08, P44-13.06.
    """
    board, where = position.ground.board, target.hex
    terrain = TERRAIN[board.terrain[where]]
    found = [Line(terrain.title.lower(), terrain.die_reduction, RuleId("P44-9.06"))]
    if weapon not in (HT, HL) and place:
        keys = {
            key
            for direction in sight(position.ground).entered_by(place, where)
            for key in board.side_features(where, direction)
            if key in HEXSIDES
        }
        sides = [HEXSIDES[key] for key in sorted(keys)]
        best = max(sides, key=lambda side: side.die_reduction, default=None)
        if best is not None:
            found.append(Line(f"behind a {best.title.lower()}", best.die_reduction, RuleId("P44-7.06")))
    if where in position.positions:
        found.append(Line("Improved Position", POSITION_REDUCTION, RuleId("P44-13.06")))
    return tuple(line for line in found if line.value)


def _reduction(position: Position, covers: tuple[Line, ...]) -> Tally:
    """What comes off the roll: the single largest cover, or with the option all of them (P44-9.06, P44-15.02)."""
    if position.ground.options.cumulative_cover:
        counted = covers
    else:
        counted = tuple(sorted(covers, key=lambda line: -int(line.value))[:1])
    return Tally("Off the die", sum(int(line.value) for line in counted), counted)


# --- aimed fire -----------------------------------------------------------------------------------------------------


def is_mounted(unit: Unit) -> bool:
    """Whether a unit would fire from its carrier."""
    return unit.carrier != NOBODY


def strength(unit: Unit) -> Line:
    """The strength a unit fires with: printed, or half of it from a carrier (P44-9.11, P44-15.04)."""
    printed = kind_of(unit).attack
    if is_mounted(unit):
        return Line("half its attack strength, mounted", printed // 2, RuleId("P44-15.04"))
    return Line("attack strength", printed, RuleId("P44-9.02"))


def aimed(position: Position, firer: Unit, target: Unit, place: HexId = NOWHERE) -> Odds:
    """The numbers of a unit's direct or opportunity fire, from where it is or from another hex."""
    return odds(position, chart_line(kind_of(firer)), strength(firer), place or firer.hex, target)


def out_of_reach(position: Position, firer: Unit, there: HexId, place: HexId = NOWHERE) -> Refusal | None:
    """Why a unit can't fire into a hex from where it is or from another hex, whoever is there; or None.

    Rules: P44-3.05, P44-4.07, P44-7.01, P44-8.08.
    """
    here, kind = place or firer.hex, kind_of(firer)
    distance, reach, far = position.ground.board.distance(here, there), aimed_range(kind), visibility(position)
    if not distance:
        return refuse("P44-1.07", "that is its own hex")
    if distance > reach:
        rule = "P44-8.08" if kind.is_howitzer and distance <= kind.range else "P44-3.05"
        return refuse(rule, f"the hex is {distance} hexes away; it fires {reach} far")
    if distance > far:
        return refuse("P44-4.07", f"the hex is {distance} hexes away; nobody sees farther than {far}")
    if not can_see(position, here, there):
        return refuse("P44-7.01", "there is no line of sight")
    return None


def no_attack(position: Position, firer: Unit, target: Unit, place: HexId = NOWHERE) -> Refusal | None:
    """Why an attack on a unit in reach is not allowed, or None.

    Rules: P44-8.07, P44-8.10, P44-15.04.
    """
    if kind_of(firer).weapon == SMALL_ARMS and kind_of(target).is_hard:
        if position.ground.board.distance(place or firer.hex, target.hex) != CLOSE_ASSAULT:
            return refuse("P44-8.07", "small arms attack hard targets only from an adjacent hex")
        if is_mounted(firer):
            return refuse("P44-15.04", "nobody makes a close assault from a carrier")
    if not aimed(position, firer, target, place).is_allowed:
        return refuse("P44-8.10", f"its superiority would be below {LEAST_SUPERIORITY}")
    return None


def no_shot(position: Position, firer: Unit, target: Unit, place: HexId = NOWHERE) -> Refusal | None:
    """Why a unit can't fire at another, from where it is or from another hex; or None."""
    return out_of_reach(position, firer, target.hex, place) or no_attack(position, firer, target, place)
