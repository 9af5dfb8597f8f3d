"""What the events of indirect fire do to a position."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from sandtable.kernel.ids import NOBODY, NOWHERE, SideId
from sandtable.rulesets.panzer_battles.changing import changed, changes
from sandtable.rulesets.panzer_battles.fire.events import Bombarded, FirePolicySet, Suffered
from sandtable.rulesets.panzer_battles.model import ELIMINATED, LOST_UNSEEN, Position, Unit, men, with_units
from sandtable.rulesets.panzer_battles.results.losses import ELIMINATED as DESTROYED

Counts = Mapping[SideId, Mapping[str, int]]


@changes.on(Bombarded)
def _bombarded(position: Position, event: Bombarded) -> Position:
    units = [after_suffering(position, one) for one in event.struck]
    others = with_losses(position, event.struck)
    if event.wrecks:
        wrecks = position.wrecks
        others["wrecks"] = {**wrecks, event.hex: wrecks.get(event.hex, 0) + event.wrecks}
    if event.unit != NOBODY:
        firer = position.units[event.unit]
        private = {"mp": event.mp, "halves": event.halves, "fired": True, "concealed": False}
        private["has_shot"] = firer.has_shot or not event.opportunity
        units.append(changed(position, event.unit, private))
        if not event.opportunity and position.knows(firer.side):
            count = men(firer, position.parameters)
            others["shots"] = {**position.shots, firer.hex: position.shots.get(firer.hex, 0) + count}
            others["shells"] = {**position.shells, event.hex: position.shells.get(event.hex, 0) + count}
    return with_units(position, units, **others)


def after_suffering(position: Position, one: Suffered) -> Unit:
    """A unit after what it suffered."""
    shown: dict[str, Any] = {"disrupted": one.disrupted, "broken": one.broken}
    private: dict[str, Any] = {"fatigue": one.fatigue, "attacked": True}
    if one.result == DESTROYED:
        private["lost_at"] = position.units[one.unit].hex
        shown |= {"hex": NOWHERE, "gone": ELIMINATED if one.seen else LOST_UNSEEN, "strength": 0}
    else:
        private["strength"] = one.strength
    return changed(position, one.unit, private, **shown)


def with_losses(position: Position, struck: Iterable[Suffered]) -> dict[str, Any]:
    """The counts of losses as they are after a fire, where it changed them (PB-FIRE-63)."""
    seen = hidden = ()  # type: tuple[Suffered, ...]
    for one in struck:
        if one.lost:
            seen, hidden = ((*seen, one), hidden) if one.seen else (seen, (*hidden, one))
    found: dict[str, Any] = {}
    if seen:
        found["losses"] = _counted(position.losses, seen)
    if hidden:
        found["hidden_losses"] = _counted(position.hidden_losses, hidden)
    return found


def _counted(counts: Counts, struck: Iterable[Suffered]) -> Counts:
    found = {side: dict(lost) for side, lost in counts.items()}
    for one in struck:
        of_side = found.setdefault(one.side, {})
        of_side[one.kind] = of_side.get(one.kind, 0) + one.lost
    return found


@changes.on(FirePolicySet)
def _policy_set(position: Position, event: FirePolicySet) -> Position:
    if not event.units:
        return replace(position, opfire={**position.opfire, event.side: event.settings})
    return with_units(position, [replace(position.units[id], opfire=event.settings) for id in event.units])
