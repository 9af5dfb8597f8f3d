"""What the start of its next turn may bring who is at work.

Rules: PB-MOVE-106, PB-ENG-24, PB-ENG-29, PB-ENG-36, PB-ENG-57.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from sandtable.kernel.ids import RuleId
from sandtable.kernel.trace import Line
from sandtable.rulesets.panzer_battles.engineers.bridges import done_chance, gang_of
from sandtable.rulesets.panzer_battles.engineers.digging import FROZEN, dig_chance, next_work
from sandtable.rulesets.panzer_battles.engineers.mines import lay_chance, rubble_chance
from sandtable.rulesets.panzer_battles.model import Position, Unit
from sandtable.rulesets.panzer_battles.operations import CLEARING, LAYING, RUBBLE, is_at, is_building


def at_work(position: Position, unit: Unit) -> Iterator[Line]:
    """How likely the work that a unit has in hand gets on when its next turn begins; who is shaken does none, and
    frozen ground lets nobody dig or lay mines.

    Rules: PB-MOVE-106, PB-ENG-7, PB-ENG-24, PB-ENG-29, PB-ENG-36, PB-ENG-57, PB-ENV-14.
    """
    if unit.is_shaken:
        return
    parameters, is_frozen = position.parameters, position.weather.condition == FROZEN
    work = next_work(position, unit, unit.hex) if unit.digging_in else None
    if work is not None and not is_frozen:
        yield _line(f"digs: {work.new.kind}", dig_chance(unit, work.new.kind, parameters), "PB-MOVE-106")
    if is_at(unit, CLEARING):
        yield _line("clears one strength", Fraction(1), "PB-ENG-24")
    if is_at(unit, LAYING) and not is_frozen:
        yield _line("minefield laid", lay_chance(unit, parameters), "PB-ENG-29")
    if is_at(unit, RUBBLE):
        yield _line("rubble cleared", rubble_chance(unit, parameters), "PB-ENG-57")
    if is_building(unit):
        yield _line("bridge work done", done_chance(gang_of(position, unit), parameters, ahead=1), "PB-ENG-36")


def _line(label: str, chance: Fraction, rule: str) -> Line:
    return Line(label, f"{float(chance):.0%}", RuleId(rule))
