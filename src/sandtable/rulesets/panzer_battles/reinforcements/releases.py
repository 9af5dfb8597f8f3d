"""Units that may not move yet, and what sets them free.

Rules: PB-MOVE-98, PB-MOVE-99, PB-MOVE-100, PB-MOVE-101.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sandtable.kernel.ids import SideId, UnitId
from sandtable.kernel.resolution import Resolution
from sandtable.rulesets.panzer_battles import clock, index
from sandtable.rulesets.panzer_battles.formations import chain
from sandtable.rulesets.panzer_battles.model import SIDES, Position, Unit, enemy_of, on_map
from sandtable.rulesets.panzer_battles.reinforcements.events import UnitsFixed, UnitsReleased
from sandtable.rulesets.panzer_battles.spotting.levels import SPOTTED, level
from sandtable.rulesets.panzer_battles.spotting.sight import look

Bench = Resolution[Position]


def keep_schedule(resolution: Bench) -> None:
    """At the start of its turn the units of a side are released and fixed as the scenario says.

    Rules: PB-MOVE-100, PB-MOVE-101.
    """
    position = resolution.position
    side = position.active
    is_night = clock.is_night(position.minutes, position.parameters)
    free = [
        unit.id
        for unit in on_map(position, side)
        if unit.fixed and (_is_released(position, unit) or (unit.fixed_tonight and not is_night))
    ]
    _release(resolution, side, free)
    listed = {
        name
        for entry in position.ground.scenario.sections.fixings
        if entry.turn == position.turn
        for name in entry.units
    }
    loose = [unit for unit in on_map(resolution.position, side) if not unit.fixed]
    held = tuple(unit.id for unit in loose if unit.name in listed)
    if held:
        resolution.emit(UnitsFixed(side, held))
    if is_night and position.parameters.misc.fix_at_night.of(side):
        asleep = tuple(unit.id for unit in loose if unit.id not in held and unit.of.is_ground)
        if asleep:
            resolution.emit(UnitsFixed(side, asleep, tonight=True))


def _is_released(position: Position, unit: Unit) -> bool:
    """Whether the turn has come in which an organization of a unit is set free (PB-MOVE-100)."""
    above = {one.id for one in chain(position, unit.formation)}
    releases = position.ground.scenario.sections.releases
    return any(one.formation in above and one.turn == position.turn for one in releases)


def _release(resolution: Bench, side: SideId, ids: Iterable[UnitId]) -> None:
    free = tuple(ids)
    if free:
        resolution.emit(UnitsReleased(side, free))


def alarm(resolution: Bench) -> None:
    """Fixed units that see an enemy or are spotted in detail are free, and with them their organization where the
    scenario says so.

    Rules: PB-MOVE-99, PB-MOVE-100.
    """
    position = resolution.position
    for side in SIDES:
        fixed = _fixed(position)
        if fixed:
            own = [position.units[id] for id in sorted(fixed) if position.units[id].side == side]
            _release(resolution, side, _alarmed(position, side, own))


def _fixed(position: Position) -> frozenset[UnitId]:
    """The fixed units on the map."""

    def update(old: frozenset[UnitId], changed: list[tuple[Unit, Unit]], now: Sequence[Unit]) -> frozenset[UnitId]:
        fewer = [was.id for was, _ in changed if was.fixed and was.hex]
        more = [unit.id for _, unit in changed if unit.fixed and unit.hex]
        return old.difference(fewer).union(more) if fewer or more else old

    return position.derived.follow(
        "fixed", position.units, lambda units: frozenset(one.id for one in units if one.fixed and one.hex), update
    )


def _alarmed(position: Position, side: SideId, fixed: list[Unit]) -> list[UnitId]:
    shaken_up = [one for one in position.ground.scenario.sections.releases if one.when_spotted]
    spotted: set[str] = set()
    if shaken_up:
        seen = [unit for unit in on_map(position, side) if level(position, unit) == SPOTTED]
        spotted = {one.id for unit in seen for one in chain(position, unit.formation)}
    called = {one.formation for one in shaken_up if one.formation in spotted}
    return [
        unit.id
        for unit in fixed
        if level(position, unit) == SPOTTED
        or sees_an_enemy(position, unit)
        or any(one.id in called for one in chain(position, unit.formation))
    ]


def sees_an_enemy(position: Position, unit: Unit) -> bool:
    """Whether a unit itself has an enemy in sight who is not concealed; that somebody looks at it is nothing to it.

    Rules: PB-MOVE-99, PB-SPOT-36.
    """
    mask = look(position, unit.hex)
    near = index.near(position, enemy_of(unit.side), unit.hex, position.visibility)
    return any(mask[foe.hex] and not foe.concealed for foe in near)
