"""How indirect fire is told: everybody hears where shells fall, who sees the guns knows whose, and of enemies that were
not in sight nobody learns what came of it.

Rules: PB-FIRE-63.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from sandtable.kernel.ids import NOBODY, NOWHERE, SideId
from sandtable.rulesets.panzer_battles.fire.events import Bombarded, FirePolicySet, Suffered
from sandtable.rulesets.panzer_battles.model import Position
from sandtable.rulesets.panzer_battles.spotting.fog import is_fogged, shows, telling, to_its_side

telling.version(FirePolicySet)(to_its_side)


def told_results(struck: Iterable[Suffered], side: SideId) -> tuple[Suffered, ...]:
    """What a viewer learns of what units suffered: all of his own, what shows of the others that were in sight."""
    own = (replace(one, seen=True) for one in struck if one.side == side)
    others = (replace(one, strength=0, fatigue=0) for one in struck if one.side != side and one.seen)
    return tuple(sorted((*own, *others), key=lambda one: one.unit))


@telling.version(Bombarded)
def _bombarded(event: Bombarded, before: Position, after: Position, side: SideId) -> Bombarded:
    if not is_fogged(after):
        return event
    told = replace(event, struck=told_results(event.struck, side), lines=())
    if after.units[event.unit].side == side:
        return told
    told = replace(told, mp=0, halves=0)
    return told if shows(after, event.unit, side) else replace(told, unit=NOBODY, start=NOWHERE)
