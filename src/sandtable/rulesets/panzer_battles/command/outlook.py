"""What the start of its next turn may bring a unit, as things stand: command, recovery, ammunition and fuel.

Rules: PB-CMD-1, PB-CMD-16, PB-CMD-22, PB-SUP-23, PB-SUP-36.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from msgspec.structs import replace

from sandtable.kernel.ids import RuleId
from sandtable.kernel.trace import Line
from sandtable.rulesets.panzer_battles.command.control import command_chance, modified_range, range_test
from sandtable.rulesets.panzer_battles.command.recovery import can_recover, is_top, recovery_chance
from sandtable.rulesets.panzer_battles.fire.situations import as_struck
from sandtable.rulesets.panzer_battles.formations import headquarters
from sandtable.rulesets.panzer_battles.model import Position, Unit
from sandtable.rulesets.panzer_battles.results.struck import morale
from sandtable.rulesets.panzer_battles.supply.ammunition import can_run_low, low_ammo_chance
from sandtable.rulesets.panzer_battles.supply.fuel import refuel_chance
from sandtable.rulesets.panzer_battles.supply.values import is_cut_off, value_of


def as_cut_off(position: Position, unit: Unit) -> Unit:
    """A unit as its next turn finds it: cut off if it has no line as things stand (PB-SUP-17)."""
    return replace(unit, isolated=is_cut_off(position, unit))


def in_command_chance(position: Position, post: Unit) -> Fraction:
    """How likely a headquarters will be in command, its superiors tested before it.

    Rules: PB-CMD-12, PB-CMD-16.
    """
    supply, superior = value_of(position, as_cut_off(position, post)), headquarters(position, post)
    if superior is None:
        return supply
    reach, distance = modified_range(superior, position.parameters), _distance(position, post, superior)
    return command_chance(supply, in_command_chance(position, superior), reach, distance)


def _distance(position: Position, unit: Unit, post: Unit) -> int:
    return position.ground.board.distance(unit.hex, post.hex)


def reach_chance(position: Position, unit: Unit) -> Fraction:
    """How likely its headquarters will be in command and its word arrive; without one never.

    Rules: PB-CMD-1, PB-CMD-20.
    """
    post = headquarters(position, unit)
    if post is None:
        return Fraction(0)
    word = range_test(modified_range(post, position.parameters), _distance(position, unit, post))
    return in_command_chance(position, post) * word


def outlook(position: Position, unit: Unit) -> Iterator[Line]:
    """Each test that a unit on the map faces when its next turn begins, with its chance.

    Rules: PB-CMD-16, PB-CMD-22, PB-SUP-20, PB-SUP-23, PB-SUP-36.
    """
    unit = as_cut_off(position, unit)
    if unit.of.has("hq"):
        yield _line("in command", in_command_chance(position, unit), "PB-CMD-16")
    if can_recover(position, unit):
        reach = Fraction(1) if is_top(position, unit) else reach_chance(position, unit)
        value = morale(as_struck(unit), position.parameters, recovering=True)
        yield _line("recovers", recovery_chance(reach, value), "PB-CMD-22")
    if can_run_low(unit):
        low = low_ammo_chance(value_of(position, unit), reach_chance(position, unit))
        yield _line("low on ammunition", low, "PB-SUP-23")
    if unit.low_fuel:
        yield _line("refueled, if it is not midnight", _refueled(position, unit), "PB-SUP-36")


def _refueled(position: Position, unit: Unit) -> Fraction:
    post = headquarters(position, unit)
    if post is None or unit.isolated:
        return Fraction(0)
    pct = position.parameters.supply.refuel_pct.of(unit.side)
    reach = modified_range(post, position.parameters)
    return refuel_chance(pct, in_command_chance(position, post), reach, _distance(position, unit, post))


def _line(label: str, chance: Fraction, rule: str) -> Line:
    return Line(label, f"{float(chance):.0%}", RuleId(rule))
