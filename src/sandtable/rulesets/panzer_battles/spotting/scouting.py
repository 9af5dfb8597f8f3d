"""What comes to light by scouts, by dust, and by standing next to somebody.

Rules: PB-SPOT-16, PB-SPOT-23, PB-MOVE-115, PB-OPT-13.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction

from msgspec.structs import replace

from sandtable.kernel.ids import NOBODY, SideId, UnitId
from sandtable.kernel.resolution import Resolution
from sandtable.rulesets.panzer_battles import clock, index
from sandtable.rulesets.panzer_battles.model import SIDES, Position, Unit, enemy_of, on_map
from sandtable.rulesets.panzer_battles.results.losses import probability
from sandtable.rulesets.panzer_battles.spotting.events import Reported, Scouted
from sandtable.rulesets.panzer_battles.spotting.levels import UNKNOWN, UNSPOTTED, level
from sandtable.rulesets.panzer_battles.spotting.sight import look

NORMAL = "normal"
"""The ground condition in which wheels raise dust (PB-MOVE-115)."""


def scouting_chance(quality: str, distance: int, position: Position) -> Fraction:
    """How likely a scout finds a concealed enemy at that distance.

    Rules: PB-SPOT-23.
    """
    parameters = position.parameters
    pct = Fraction(parameters.misc.recon_spot_pct) / distance
    return probability(pct * parameters.quality.air_recon_pct[quality] / 100)


def may_scout(unit: Unit) -> bool:
    """Whether a unit looks for concealed enemies this turn: once, and neither while Broken nor while it rides.

    Rules: PB-SPOT-23, PB-MOVE-49.
    """
    is_able = bool(unit.hex) and unit.carrier == NOBODY and not unit.broken
    return is_able and unit.has("recon") and not unit.scouted


def concealed_before(position: Position, unit: Unit) -> list[Unit]:
    """The concealed enemies in a unit's line of sight, by id."""
    mask = look(position, unit.hex)
    near = index.near(position, enemy_of(unit.side), unit.hex, position.visibility)
    return sorted((foe for foe in near if foe.concealed and mask[foe.hex]), key=lambda foe: foe.id)


def scout(resolution: Resolution[Position], units: Iterable[Unit]) -> None:
    """The scouts among the units have looked for concealed enemies, and those found are concealed no longer.

    Rules: PB-SPOT-23.
    """
    position, scouts = resolution.position, [unit for unit in units if may_scout(unit)]
    if not scouts:
        return
    board, found = position.ground.board, dict[UnitId, None]()
    for unit in scouts:
        for foe in concealed_before(position, unit):
            chance = scouting_chance(unit.quality, board.distance(unit.hex, foe.hex), position)
            if foe.id not in found and resolution.chance(chance, "PB-SPOT-23", foe.id):
                found[foe.id] = None
    resolution.emit(Scouted(scouts[0].side, tuple(unit.id for unit in scouts), tuple(found)))


def dust_seen_by(position: Position, unit: Unit) -> Unit | None:
    """The enemy nearest to a unit who may see its dust beyond visibility, if there is one and dust counts.

    Rules: PB-MOVE-49, PB-MOVE-115.
    """
    side, parameters = enemy_of(unit.side), position.parameters
    is_day = not clock.is_night(position.minutes, parameters)
    if not parameters.misc.dust_spot_pct.of(side) or not is_day or position.weather.condition != NORMAL:
        return None
    if not unit.hex or level(position, unit) != UNSPOTTED:
        return None
    board, mask = position.ground.board, look(position, unit.hex)
    near = index.near(position, side, unit.hex, parameters.misc.dust_spot_range)
    seers = (foe for foe in near if mask[foe.hex] and foe.carrier == NOBODY)
    watching = [foe for foe in seers if board.distance(unit.hex, foe.hex) > position.visibility]
    return min(watching, key=lambda foe: (board.distance(unit.hex, foe.hex), foe.id), default=None)


def raise_dust(resolution: Resolution[Position], ids: Iterable[UnitId]) -> None:
    """Units that moved far from the enemy may be known by their dust.

    Rules: PB-MOVE-115, PB-SPOT-24.
    """
    for id in ids:
        position = resolution.position
        foe = dust_seen_by(position, position.units[id])
        if foe is not None:
            chance = probability(position.parameters.misc.dust_spot_pct.of(foe.side))
            if resolution.chance(chance, "PB-MOVE-115", foe.id):
                resolution.emit(Reported(foe.side, (id,), UNKNOWN))


def neighbors_found(position: Position, units: Iterable[Unit]) -> Iterator[tuple[SideId, tuple[UnitId, ...]]]:
    """By side, the concealed enemies who stand next to one of these units or are one of them; passengers find nobody.

    Rules: PB-SPOT-16, PB-MOVE-49.
    """
    found: dict[SideId, set[UnitId]] = {side: set() for side in SIDES}
    for unit in units:
        for foe in index.adjacent(position, enemy_of(unit.side), unit.hex):
            for one, other in ((unit, foe), (foe, unit)):
                is_able = not one.broken and one.carrier == NOBODY
                if other.concealed and is_able and level(position, other) == UNSPOTTED:
                    found[one.side].add(other.id)
    return ((side, tuple(sorted(ids))) for side, ids in found.items() if ids)


def reveal_neighbors(resolution: Resolution[Position], units: Iterable[Unit]) -> None:
    """Who stands next to a concealed enemy knows that somebody is there, where the parameters say so.

    Rules: PB-SPOT-16.
    """
    if resolution.position.parameters.los.adjacent_reveals:
        for side, ids in list(neighbors_found(resolution.position, units)):
            resolution.emit(Reported(side, ids, UNKNOWN))


def after_move(resolution: Resolution[Position], ids: Iterable[UnitId]) -> None:
    """Units have ended their move: scouts have looked around, dust was seen, and neighbors found.

    Rules: PB-SPOT-16, PB-SPOT-23, PB-MOVE-115.
    """
    movers = [id for id in ids if resolution.position.units[id].hex]
    scout(resolution, [resolution.position.units[id] for id in movers])
    raise_dust(resolution, movers)
    reveal_neighbors(resolution, [resolution.position.units[id] for id in movers])


def finding_chance(position: Position, units: Iterable[Unit]) -> Fraction:
    """How likely the scouts among units that end a move where they are find any concealed enemy their side knows of.

    Rules: PB-SPOT-23.
    """
    distance, missed = position.ground.board.distance, Fraction(1)
    for unit in filter(may_scout, units):
        for foe in concealed_before(position, unit):
            missed *= 1 - scouting_chance(unit.quality, distance(unit.hex, foe.hex), position)
    return 1 - missed


def dust_chance(position: Position, units: Iterable[Unit]) -> Fraction:
    """How likely the dust of units that end a move where they are is seen by an enemy their side knows of.

    Rules: PB-MOVE-115.
    """
    unseen = Fraction(1)
    for foe in (dust_seen_by(position, unit) for unit in units):
        if foe is not None:
            unseen *= 1 - probability(position.parameters.misc.dust_spot_pct.of(foe.side))
    return 1 - unseen


def _stayed(position: Position, side: SideId) -> list[Unit]:
    return [unit for unit in on_map(position, side) if not unit.moved]


def at_next_turn(resolution: Resolution[Position]) -> None:
    """At the end of its turn each scout of the active side looks around that did not move.

    Rules: PB-SPOT-23.
    """
    position = resolution.position
    scout(resolution, _stayed(position, position.active))


def at_turn_start(resolution: Resolution[Position]) -> None:
    """At the start of a turn the enemy's scouts that stayed look around once more, and neighbors are found.

    Rules: PB-SPOT-16, PB-SPOT-23.
    """
    position = resolution.position
    stayed = [replace(unit, scouted=False) for unit in _stayed(position, enemy_of(position.active))]
    scout(resolution, stayed)
    reveal_neighbors(resolution, on_map(resolution.position, position.active))
