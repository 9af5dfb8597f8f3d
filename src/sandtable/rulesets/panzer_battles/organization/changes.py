"""What combining, breaking down and attaching do to a position."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from sandtable.kernel.ids import UnitId
from sandtable.rulesets.panzer_battles.changing import changes
from sandtable.rulesets.panzer_battles.model import Position, with_units
from sandtable.rulesets.panzer_battles.movement.carrying import passengers
from sandtable.rulesets.panzer_battles.organization import events as e
from sandtable.rulesets.panzer_battles.organization.combining import broken_down, combined, put_away


@changes.on(e.UnitsCombined)
def _combined(position: Position, event: e.UnitsCombined) -> Position:
    units = [position.units[id] for id in event.units]
    # who rides on a part rides on the whole
    aboard = [replace(one, carrier=units[0].id) for unit in units[1:] for one in passengers(position, unit)]
    return with_units(position, (combined(units, position.parameters), *map(put_away, units[1:]), *aboard))


@changes.on(e.UnitBrokenDown)
def _broken_down(position: Position, event: e.UnitBrokenDown) -> Position:
    return with_units(position, broken_down(position, position.units[event.unit]))


def attached(position: Position, ids: Iterable[UnitId], organization: str, to: str) -> Position:
    """The position in which units, or an organization, are under another.

    Rules: PB-OOB-10.
    """
    if organization:
        return replace(position, attachments={**position.attachments, organization: to})
    return with_units(position, [replace(position.units[id], formation=to) for id in ids])


@changes.on(e.Attached)
def _attached(position: Position, event: e.Attached) -> Position:
    return attached(position, event.units, event.organization, event.to)
