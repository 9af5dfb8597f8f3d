"""What attacks do to units: pins, delayed panic, disruption and destruction.

Rules: P44-4.06, P44-10.01, P44-10.02, P44-10.03, P44-10.04, P44-10.05, P44-10.06.
"""

from __future__ import annotations

from sandtable.kernel.ids import NOBODY, RuleId, UnitId
from sandtable.kernel.resolution import Resolution
from sandtable.rulesets.panzer_44.events import AttackRolled, Destroyed, Disrupted, PanicDelayed, Pinned
from sandtable.rulesets.panzer_44.fire import Odds
from sandtable.rulesets.panzer_44.model import Position
from sandtable.rulesets.panzer_44.stacks import kind_of, passengers
from sandtable.rulesets.panzer_44.tables import DELAYED_PANIC, DESTROYED, DISRUPTIONS, NO_EFFECT, PIN

RESULT_WORDS = {
    NO_EFFECT: "no effect",
    PIN: "pinned",
    DELAYED_PANIC: "delayed panic",
    "D1": "disrupted 1",
    "D2": "disrupted 2",
    "D3": "disrupted 3",
    DESTROYED: "destroyed",
}


def disruption_after(level: int, result: str) -> int:
    """The level of disruption after a result: it adds up (P44-10.05)."""
    return min(DISRUPTIONS[DESTROYED], level + DISRUPTIONS.get(result, 0))


def inflict(resolution: Resolution[Position], unit: UnitId, result: str) -> None:
    """A result has befallen a unit and whoever is aboard it, each as it was before (P44-4.06)."""
    for one in (resolution.position.units[unit], *passengers(resolution.position, unit)):
        _befall(resolution, one.id, result)


def _befall(resolution: Resolution[Position], unit: UnitId, result: str) -> None:
    """A result has befallen one unit; a second pin or delayed panic changes nothing (P44-10.06)."""
    target = resolution.position.units[unit]
    if not target.hex or result == NO_EFFECT:
        return
    if result == PIN:
        if not target.pinned:
            resolution.emit(Pinned(unit))
    elif result == DELAYED_PANIC:
        if not target.delayed:
            resolution.emit(PanicDelayed(unit))
    else:
        level = disruption_after(target.disruption, result)
        if level >= DISRUPTIONS[DESTROYED]:
            resolution.emit(Destroyed(unit, target.hex, kind_of(target).is_vehicle))
        else:
            resolution.emit(Disrupted(unit, level))


def roll_attack(
    resolution: Resolution[Position], manner: str, target: UnitId, odds: Odds, rule: str, attacker: UnitId = NOBODY
) -> str:
    """The die of an attack was thrown and its result read; nothing has befallen the target yet.

    Rules: P44-1.08, P44-9.05, P44-9.10.
    """
    roll = resolution.roll(rule, target if attacker == NOBODY else attacker)
    result = odds.result(roll)
    resolution.emit(
        AttackRolled(manner, target, roll, odds.off_die, odds.column, result, RuleId(rule), attacker, odds.lines)
    )
    return result


def attack(
    resolution: Resolution[Position], manner: str, target: UnitId, odds: Odds, rule: str, attacker: UnitId = NOBODY
) -> None:
    """An attack was made and its result holds at once; one that is not allowed was skipped (P44-8.10)."""
    if odds.is_allowed:
        inflict(resolution, target, roll_attack(resolution, manner, target, odds, rule, attacker))


def is_stopped(position: Position, unit: UnitId) -> bool:
    """Whether a mover is pinned, disrupted or gone; delayed panic does not stop it (P44-8.04)."""
    mover = position.units[unit]
    return not mover.hex or mover.pinned or bool(mover.disruption)
