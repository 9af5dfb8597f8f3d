"""What known enemies could do to a unit that stands in a hex: all of them together and each alone, by the very attack
that the rules would roll, under every fall of its die.

It is told for the next time that they fire: those who have fired by now can do so again, those who are dispersed can't.

Rules: PB3-711, PB3-802, PB3-803, PB3-811.
"""

from __future__ import annotations

from msgspec.structs import replace

from sandtable.kernel.forecast import Reaction
from sandtable.kernel.ids import NOBODY, HexId, UnitId
from sandtable.kernel.state import View
from sandtable.rulesets.panzerblitz_3d import fire, insight
from sandtable.rulesets.panzerblitz_3d.combat import target_type
from sandtable.rulesets.panzerblitz_3d.model import IN_PLAY, RESERVE, Position, Unit
from sandtable.rulesets.panzerblitz_3d.pieces import enemy_of, with_units
from sandtable.rulesets.panzerblitz_3d.sequels import rolled
from sandtable.rulesets.panzerblitz_3d.stacks import counters_at, passenger_of
from sandtable.rulesets.panzerblitz_3d.terrain import is_town
from sandtable.rulesets.panzerblitz_3d.workings import Attack


def dangers(view: View[Position], place: HexId, id: UnitId) -> tuple[Reaction, ...]:
    """What known enemies could do to an own unit if it stood in a hex; all together first."""
    position = view.position
    if not position.ground.board.is_on(place) or not 0 <= id < len(position.units):
        return ()
    unit = position.units[id]
    if unit.side != view.side or not (unit.hex or unit.fate == RESERVE):
        return ()
    moved = _moved(position, unit, place)
    scene = replace(view, position=moved)
    target = _bearer(moved, moved.units[id])
    targets: tuple[Unit, ...] = (target,)
    if is_town(moved.ground.board, place):
        targets = counters_at(moved, place, view.side)
    against = target_type(moved, targets)
    able = [
        replace(enemy, fired=False)
        for enemy in insight.gunners(scene, place)
        if enemy.carrier == NOBODY
        and fire.aim_refusal(moved, enemy, place) is None
        and fire.strength_in(moved, enemy, place, against)
    ]
    parties = [able] if len(able) > 1 else []
    parties += [[enemy] for enemy in able]
    made = [fire.fire_attack(moved, enemy_of(view.side), party, targets) for party in parties]
    return tuple(_told(scene, attack) for attack in made if isinstance(attack, Attack))


def _told(scene: View[Position], attack: Attack) -> Reaction:
    die = f", die {attack.drm:+d}" if attack.drm else ""
    return replace(rolled(scene, attack, f"{attack.odds}{die}", attack.attackers), side=attack.side)


def _bearer(position: Position, unit: Unit) -> Unit:
    """Who is fired at in a unit's place: what carries it, the fort that it holds, else itself (PB3-623)."""
    outer = unit.carrier if unit.carrier != NOBODY else unit.fort
    return position.units[outer] if outer != NOBODY else unit


def _moved(position: Position, unit: Unit, place: HexId) -> Position:
    """The position with the unit in the hex, and with it whom it carries or who carries it."""
    if unit.hex == place:
        return position
    other = position.units[unit.carrier] if unit.carrier != NOBODY else passenger_of(position, unit.id)
    going = [replace(unit, fort=NOBODY), *([other] if other is not None else [])]
    return with_units(position, [replace(one, hex=place, fate=IN_PLAY) for one in going])
