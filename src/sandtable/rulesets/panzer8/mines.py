"""Mines under vehicles: those that a scenario lays, and those of an event card.

Rules: P8-13.02, P8-15.02.
"""

from __future__ import annotations

from sandtable.kernel.ids import RuleId, UnitId
from sandtable.kernel.resolution import Resolution
from sandtable.rulesets.panzer8.actions import has_effect
from sandtable.rulesets.panzer8.events import AttackRolled, EffectSpent
from sandtable.rulesets.panzer8.model import Element, Position
from sandtable.rulesets.panzer8.results import inflict, line, result, roll_off, tally
from sandtable.rulesets.panzer8.stacks import kind_of
from sandtable.rulesets.panzer8.tank_hunting import MOST_DEFENSE

MINE_STRENGTH = 4
"""What mines hit a vehicle with (card E18, P8-15.02)."""


def strike_mines(resolution: Resolution[Position], unit: UnitId) -> bool:
    """Whether a vehicle ran onto mines and was harmed: those of a scenario, or the first off the road (card E18)."""
    position = resolution.position
    mover = position.elements[unit]
    if not kind_of(mover).is_vehicle:
        return False
    if mover.hex in position.mines:
        return _blow_up(resolution, mover, "P8-15.02")
    if has_effect(position, "E18", mover.side) and not position.ground.board.roads[mover.hex]:
        resolution.emit(EffectSpent("E18", mover.side))
        return _blow_up(resolution, mover, "P8-13.02")
    return False


def _blow_up(resolution: Resolution[Position], mover: Element, rule: str) -> bool:
    """Mines hit like tank hunters of strength 4, and nothing else counts (card E18)."""
    defense = tally("Target", [line("Def, at most 4", min(kind_of(mover).defense, MOST_DEFENSE), "P8-10.03")])
    attack = line("mines", MINE_STRENGTH, rule)
    ours, theirs = roll_off(resolution, rule, mover.id, mover.id)
    difference = ours - theirs + MINE_STRENGTH - int(defense.total)
    outcome = result("hunt", difference)
    resolution.emit(
        AttackRolled("mines", mover.id, ours, theirs, difference, outcome, RuleId(rule), lines=(attack, *defense.lines))
    )
    was = resolution.position.elements[mover.id]
    inflict(resolution, mover.id, outcome, mover.hex)
    return resolution.position.elements[mover.id] != was
