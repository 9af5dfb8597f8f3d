"""The secret notes: which written missions there are, and who sees the ground they are written for.

Rules: PL-1102, PL-1103, PL-1104, PL-1105.
"""

from __future__ import annotations

from sandtable.kernel.decisions import Refusal
from sandtable.kernel.ids import HexId, RuleId, SideId, UnitId
from sandtable.rulesets.panzer_leader import air, sight
from sandtable.rulesets.panzer_leader.model import Mission, Position, Unit
from sandtable.rulesets.panzer_leader.terrain import is_concealing

NEXT_SEGMENT = 2
"""A side's next segment is the second from now (PL-501)."""


def batteries(position: Position) -> frozenset[UnitId]:
    """All who are to fire in missions that are written."""
    missions = position.missions
    return position.derived.part("batteries", (missions,), lambda: _named(missions)) if missions else _NOBODY


def _named(missions: tuple[Mission, ...]) -> frozenset[UnitId]:
    return frozenset([id for mission in missions for id in mission.firers])


_NOBODY: frozenset[UnitId] = frozenset()


def qualifies(position: Position, unit: Unit, place: HexId) -> bool:
    """Whether a unit can spot for indirect fire on a hex it sees; in cover only beside it or watching one who fired.

    Rules: PL-1103.
    """
    if not unit.hex or not sight.can_spot(position, unit) or not sight.can_observe(position, unit, place):
        return False
    if not is_concealing(position, place) or position.ground.board.distance(unit.hex, place) <= 1:
        return True
    return any(
        sighting.hex == place and unit.id in sighting.witnesses and position.units[sighting.unit].side != unit.side
        for sighting in position.sightings
    )


def spotters(position: Position, side: SideId, place: HexId) -> tuple[UnitId, ...]:
    """The side's units that can spot for indirect fire on a hex now (PL-1103)."""
    return tuple([unit.id for unit in sight.watchers(position, side, place) if qualifies(position, unit, place)])


def is_observed(position: Position, side: SideId, place: HexId) -> bool:
    """Whether the side has anyone, on the ground or in the air, who can spot for indirect fire on a hex.

    Rules: PL-1103, PL-1206.
    """
    for unit in sight.watchers(position, side, place):
        if qualifies(position, unit, place):
            return True
    return bool(position.aircraft) and bool(air.observers(position, side, place))


def unobserved(position: Position, side: SideId, place: HexId) -> Refusal:
    """Why nobody spots for fire on a hex that is not observed (PL-1103)."""
    rule, label = RuleId("PL-1103"), position.ground.board.label(place)
    if is_concealing(position, place) and sight.witnesses(position, place, side):
        cover = f"{label} is in cover: who spots for it must be adjacent, or have seen an enemy fire there"
        return Refusal(rule, cover)
    return Refusal(rule, f"no unit of yours that can spot has a line of sight to {label}")


def is_still_observed(position: Position, mission: Mission) -> bool:
    """Whether one of those who spotted for a mission when it was written still can.

    Rules: PL-1105, PL-1206.
    """
    if any(qualifies(position, position.units[id], mission.hex) for id in mission.spotters):
        return True
    return any(air.observes(position, position.aircraft[id], mission.hex) for id in mission.observers)


def written(
    position: Position, side: SideId, firers: tuple[UnitId, ...], place: HexId, due: int, *, naval: int = 0
) -> Mission:
    """A mission as it is written now, with everyone who can spot for it (PL-1105)."""
    return Mission(
        side,
        firers,
        place,
        spotters(position, side, place),
        written=position.segment,
        due=due,
        naval=naval,
        observers=air.observers(position, side, place),
    )


def due_missions(position: Position, side: SideId) -> tuple[Mission, ...]:
    """The side's missions that can come down now, in the order in which they were written."""
    return tuple(
        mission
        for mission in position.missions
        if mission.side == side and mission.due == position.segment and not mission.held
    )


def is_ordered(position: Position, unit: Unit, due: int) -> bool:
    """Whether a unit has a mission for that segment already (PL-801)."""
    return any(mission.due == due and unit.id in mission.firers for mission in position.missions)
