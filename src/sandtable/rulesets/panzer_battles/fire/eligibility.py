"""Who may fire direct at what.

Rules: PB-FIRE-1, PB-FIRE-8.
"""

from __future__ import annotations

from sandtable.kernel.decisions import Refusal
from sandtable.kernel.ids import NOBODY
from sandtable.play.words import so_many
from sandtable.rulesets.panzer_battles.facing import covers
from sandtable.rulesets.panzer_battles.fire.situations import as_target, in_the_open, shelter
from sandtable.rulesets.panzer_battles.fire.values import is_hard
from sandtable.rulesets.panzer_battles.model import DEPLOYED, RAIL, Position, Unit
from sandtable.rulesets.panzer_battles.operations import MINING, is_at
from sandtable.rulesets.panzer_battles.refusals import refuse
from sandtable.rulesets.panzer_battles.spotting.sight import sees


def is_hard_target(position: Position, target: Unit) -> bool:
    """Whether fire meets armor or concrete: hard vehicles, and whoever is in a bunker or pillbox.

    Rules: PB-FIRE-23, PB-FIRE-47.
    """
    fort, _ = shelter(position, target)
    if not fort:
        return is_hard(in_the_open(position, target), fort)
    return is_hard(as_target(position, target), fort)


def fire_range(position: Position, unit: Unit, target: Unit) -> int:
    """How far a unit fires at a target of that class.

    Rules: PB-UNIT-5, PB-FIRE-1.
    """
    return unit.of.hard_range if is_hard_target(position, target) else unit.of.soft_range


def attack(position: Position, unit: Unit, target: Unit) -> int:
    """With what a unit fires at a target of that class (PB-FIRE-23)."""
    return unit.of.hard if is_hard_target(position, target) else unit.of.soft


def cannot_fire(position: Position, unit: Unit) -> Refusal | None:
    """What in the unit itself keeps it from firing at all.

    Rules: PB-FIRE-8, PB-FIRE-9, PB-UNIT-3, PB-UNIT-13, PB-CMD-2, PB-FIRE-64.
    """
    kind = unit.of
    if kind.has("hq") or kind.has("supply"):
        return refuse("PB-FIRE-8", "headquarters and supply units do not fire")
    if unit.broken:
        return refuse("PB-FIRE-8", "a Broken unit does not fire")
    if is_at(unit, *MINING):
        return refuse("PB-FIRE-8", "who clears or lays mines does not fire")
    if not kind.soft and not kind.hard:
        return refuse("PB-FIRE-8", "it has nothing to fire with")
    if unit.mode == RAIL:
        return refuse("PB-FIRE-8", "nobody fires from a train")
    if unit.carrier != NOBODY:
        return refuse("PB-FIRE-8", "passengers do not fire")
    if kind.has("towed") and unit.mode != DEPLOYED:
        return refuse("PB-FIRE-9", "towed guns fire deployed only")
    return None


def no_shot(position: Position, unit: Unit, target: Unit) -> Refusal | None:
    """Why a unit can't fire at that target from where it is.

    Rules: PB-FIRE-1, PB-FIRE-21, PB-SPOT-18, PB-UNIT-5.
    """
    distance, reach = position.ground.board.distance(unit.hex, target.hex), fire_range(position, unit, target)
    if not reach or not attack(position, unit, target):
        sort = "hard" if is_hard_target(position, target) else "soft"
        return refuse("PB-UNIT-5", f"it can't harm {sort} targets")
    if distance > reach:
        return refuse("PB-FIRE-1", f"its range is {so_many(reach, 'hex', 'hexes')}", f"{distance} hexes away")
    if not covers(position.ground.board, unit, target.hex):
        return refuse("PB-FIRE-21", "it does not face there")
    if distance > position.visibility:
        return refuse(
            "PB-FIRE-1", "the target is beyond visibility", f"{distance} hexes away, {position.visibility} seen"
        )
    if not sees(position, unit.hex, target.hex):
        return refuse("PB-FIRE-1", "it has no line of sight to the target")
    return None
