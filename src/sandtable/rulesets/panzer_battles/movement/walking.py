"""On foot: carried men who have left their vehicles behind.

Rules: PB-MOVE-67, PB-MOVE-68.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from sandtable.kernel.decisions import Refusal
from sandtable.kernel.ids import NOBODY, SideId
from sandtable.kernel.resolution import Resolution
from sandtable.rulesets.panzer_battles.formations import headquarters
from sandtable.rulesets.panzer_battles.model import DEPLOYED, Position, Unit, on_map
from sandtable.rulesets.panzer_battles.movement.costs import allowance
from sandtable.rulesets.panzer_battles.movement.events import Remounted, WentOnFoot
from sandtable.rulesets.panzer_battles.movement.orders import GoOnFoot
from sandtable.rulesets.panzer_battles.refusals import own, refuse


def no_walk(position: Position, side: SideId, unit: Unit) -> Refusal | None:
    """Why a unit can't leave its vehicles behind.

    Rules: PB-MOVE-49, PB-MOVE-67.
    """
    if unit.carrier != NOBODY:
        return refuse("PB-MOVE-49", "it is carried")
    if not unit.of.is_carried:
        return refuse("PB-MOVE-67", "it has no vehicles of its own to leave behind")
    if unit.on_foot:
        return refuse("PB-MOVE-67", "it walks already")
    return None if unit.mode == DEPLOYED else refuse("PB-MOVE-67", "it must deploy first")


def check_walk(position: Position, side: SideId, order: GoOnFoot) -> Refusal | None:
    """Rules: PB-MOVE-67."""
    unit = own(position, side, order.unit)
    return unit if isinstance(unit, Refusal) else no_walk(position, side, unit)


def resolve_walk(resolution: Resolution[Position], side: SideId, order: GoOnFoot) -> None:
    """The unit walks; its points are the same share of its allowance as before (PB-MOVE-126)."""
    position = resolution.position
    unit = position.units[order.unit]
    before = allowance(position, unit)
    after = allowance(position, replace(unit, on_foot=True))
    resolution.emit(WentOnFoot(side, unit.id, unit.mp * after // before))


def walk_offers(position: Position, side: SideId, unit: Unit) -> Iterator[GoOnFoot]:
    if no_walk(position, side, unit) is None:
        yield GoOnFoot(unit.id)


def walk_warning(position: Position, side: SideId, order: GoOnFoot) -> str:
    """When the vehicles come back, which nobody can order (PB-MOVE-68)."""
    return "its vehicles come back only at the start of a turn in which it is with its headquarters"


def remount(resolution: Resolution[Position]) -> None:
    """At the start of its side's turn a unit that walks and is with its headquarters has its vehicles again.

    Rules: PB-MOVE-68.
    """
    position = resolution.position
    back = []
    for unit in on_map(position, position.active):
        post = headquarters(position, unit) if unit.on_foot else None
        if post is not None and post.hex == unit.hex:
            back.append(unit.id)
    if back:
        resolution.emit(Remounted(position.active, tuple(back)))
