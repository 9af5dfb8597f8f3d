"""What a nominal loss does to a unit, carried out.

Rules: PB-CRT-11, PB-FIRE-62.
"""

from __future__ import annotations

from fractions import Fraction

from sandtable.kernel.ids import UnitId
from sandtable.kernel.resolution import Resolution
from sandtable.rulesets.panzer_battles import events as e
from sandtable.rulesets.panzer_battles.kinds import SHIPS
from sandtable.rulesets.panzer_battles.model import Position, Unit
from sandtable.rulesets.panzer_battles.movement.carrying import (
    carries_inside,
    is_external,
    is_passenger,
    left_aboard,
    load,
    passengers,
)
from sandtable.rulesets.panzer_battles.movement.costs import WATERS
from sandtable.rulesets.panzer_battles.movement.events import Dismounted
from sandtable.rulesets.panzer_battles.results.losses import ELIMINATED, Toll, rounded, toll
from sandtable.rulesets.panzer_battles.results.struck import Struck
from sandtable.rulesets.panzer_battles.spotting import concealment
from sandtable.rulesets.panzer_battles.spotting.levels import SPOTTED, level
from sandtable.rulesets.panzer_battles.terrain import terrain_at

SHALLOW_WATER = "shallow_water"


def is_unseen(position: Position, unit: Unit) -> bool:
    """Whether fog hides from the enemy what becomes of a unit; who is inside another is seen by what becomes of that.

    Rules: PB-FIRE-63, PB-MOVE-49.
    """
    inside = is_passenger(unit) and not is_external(position, unit)
    shown = level(position, position.units[unit.carrier] if inside else unit) == SPOTTED
    return position.ground.options.fog and not shown


def wrecks_of(position: Position, unit: Unit, lost: int) -> int:
    """The wrecks that a loss leaves where a unit is: one of each vehicle on land.

    Rules: PB-UNIT-15.
    """
    return lost if unit.of.is_vehicles and position.ground.board.terrain[unit.hex] not in WATERS else 0


def suffer(
    resolution: Resolution[Position],
    unit: Unit,
    struck: Struck,
    loss: int,
    *,
    multiplier: Fraction = Fraction(1),
    attacks: bool = False,
    actor: UnitId | None = None,
    unseen: bool = False,
) -> Toll:
    """The unit has had its loss, by its own dice or another's, and who is out of sight by it is concealed.

    Rules: PB-CRT-11, PB-FIRE-57.
    """
    before = resolution.position
    thrower = unit.id if actor is None else actor
    result = toll(resolution, struck, loss, before.parameters, thrower, multiplier=multiplier, attacks=attacks)
    resolution.emit(
        e.Struck(
            unit.id,
            unit.hex,
            result.lost,
            result.strength,
            result.fatigue,
            result.disrupted,
            result.broken,
            result.effect,
            unit.kind,
            unit.side,
            unseen,
            wrecks_of(before, unit, result.lost),
        )
    )
    concealment.settle(resolution, before)
    after_loss(resolution, unit, unseen=unseen)
    return result


def forfeit(
    resolution: Resolution[Position], unit: Unit, lost: int, *, unseen: bool | None = None, spent: str = ""
) -> None:
    """A unit has lost so much of its strength and is otherwise as it was; it is gone when nothing is left. Its enemy
    learns of it if he sees it. The rule by which it has `spent` charges is named if that is what it lost.

    Rules: PB-FIRE-63, PB-VIC-13.
    """
    left = unit.strength - lost
    hidden = is_unseen(resolution.position, unit) if unseen is None else unseen
    resolution.emit(
        e.Struck(
            unit.id,
            unit.hex,
            lost,
            left,
            unit.fatigue,
            unit.disrupted,
            unit.broken,
            "" if left else ELIMINATED,
            unit.kind,
            unit.side,
            hidden,
            wrecks_of(resolution.position, unit, lost),
            spent,
        )
    )
    after_loss(resolution, unit, unseen=hidden)


def after_loss(resolution: Resolution[Position], before: Unit, *, unseen: bool) -> None:
    """What becomes of the passengers of a unit that has just lost strength, seen by the enemy or not.

    Rules: PB-MOVE-53, PB-MOVE-54, PB-UNIT-8.
    """
    position = resolution.position
    aboard = passengers(position, before)
    if not aboard:
        return
    carrier = position.units[before.id]
    if not carrier.hex:
        for unit in aboard:
            _cast_off(resolution, before, unit, unseen=unseen)
    elif carries_inside(carrier):
        taken = load(carrier, aboard, position.parameters)
        for unit in aboard if taken > 1 else ():
            forfeit(resolution, unit, unit.strength - left_aboard(unit, taken), unseen=unseen)


def _cast_off(resolution: Resolution[Position], carrier: Unit, unit: Unit, *, unseen: bool) -> None:
    """A passenger whose carrier is gone has had his share of its end.

    Rules: PB-MOVE-53, PB-MOVE-54.
    """
    position = resolution.position
    if is_external(position, unit):
        pct = 100 * carrier.strength / carrier.full
    elif carrier.of.component == SHIPS and terrain_at(position, carrier.hex) == SHALLOW_WATER:
        pct = float(position.parameters.carry.naval_sunk_shallow_loss_pct)
    else:
        pct = 100.0
    lost = unit.strength if pct >= 100 else rounded(resolution, unit.strength * pct / 100, "PB-MOVE-54", unit.id)
    if lost < unit.strength:
        resolution.emit(Dismounted(unit.side, carrier.id, (unit.id,), (0, 0), is_shaken=True))
    forfeit(resolution, resolution.position.units[unit.id], lost, unseen=unseen)
