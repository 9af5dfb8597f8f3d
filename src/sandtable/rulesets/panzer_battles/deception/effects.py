"""What deployed deception units and partisans do to the enemy, and how they are found and recalled.

Rules: PB-DEC-8, PB-DEC-9, PB-DEC-15.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from sandtable.kernel.ids import HexId, SideId, UnitId
from sandtable.kernel.resolution import Resolution
from sandtable.rulesets.panzer_battles import index
from sandtable.rulesets.panzer_battles.deception.events import DeceptionFound, DeceptionRecalled, Misled
from sandtable.rulesets.panzer_battles.model import Position, Unit, enemy_of
from sandtable.rulesets.panzer_battles.results.losses import probability

Bench = Resolution[Position]


def deployed(position: Position, side: SideId) -> list[Unit]:
    """The deception units of a side that work unseen."""
    found = _disturbers(position)
    return [unit for unit in (position.units[id] for id in found) if unit.posted and unit.side == side]


def _disturbers(position: Position) -> tuple[UnitId, ...]:
    """The deception units that work unseen and the partisans on the map, of both sides, by id."""

    def is_one(unit: Unit) -> bool:
        return bool(unit.posted) or (bool(unit.hex) and unit.has("partisan"))

    def update(
        old: tuple[UnitId, ...], changed: list[tuple[Unit, Unit]], now: Sequence[Unit]
    ) -> tuple[UnitId, ...] | None:
        return None if any(is_one(was) != is_one(unit) for was, unit in changed) else old

    return position.derived.follow(
        "disturbers", position.units, lambda units: tuple([unit.id for unit in units if is_one(unit)]), update
    )


def _haunts(position: Position, side: SideId) -> Iterator[HexId]:
    """The hexes from which a side disturbs its enemy.

    Rules: PB-DEC-15, PB-MOVE-66.
    """
    yield from (unit.posted for unit in deployed(position, side))
    if position.parameters.misc.partisan_effect_like_deception:
        found = (position.units[id] for id in _disturbers(position))
        yield from (unit.hex for unit in found if unit.hex and unit.side == side and unit.has("partisan"))


def is_haunted(position: Position, side: SideId, place: HexId) -> bool:
    """Whether a hex is in the radius of a deception unit or partisans of the enemy of a side.

    Rules: PB-DEC-8, PB-DEC-10.
    """
    enemy, board = enemy_of(side), position.ground.board
    radius = position.parameters.deception.radius.of(enemy)
    return any(board.distance(place, haunt) <= radius for haunt in _haunts(position, enemy))


def astray_chance(position: Position, unit: Unit) -> Fraction:
    """How likely a unit that has entered its hex is sent astray, by all that is known to be near: in Travel Mode only.

    Rules: PB-DEC-8, PB-DEC-10, PB-MOVE-66.
    """
    if not unit.is_traveling or not unit.hex or not is_haunted(position, unit.side, unit.hex):
        return Fraction(0)
    return probability(position.parameters.deception.effect_pct.of(enemy_of(unit.side)))


def mislead(resolution: Bench, id: UnitId) -> bool:
    """Whether a unit that entered a hex in Travel Mode was sent astray (PB-DEC-8)."""
    unit = resolution.position.units[id]
    chance = astray_chance(resolution.position, unit)
    if not chance or not resolution.chance(chance, "PB-DEC-8", id):
        return False
    resolution.emit(Misled(id, unit.hex))
    return True


def disturbance(position: Position, side: SideId, place: HexId) -> Fraction:
    """How likely an attempt of a side's engineers at a bridge, ditch or rail line in a hex fails outright, by all that
    is known to be near.

    Rules: PB-DEC-9, PB-DEC-10.
    """
    if not is_haunted(position, side, place):
        return Fraction(0)
    return probability(position.parameters.deception.damage_pct.of(enemy_of(side)))


def disturbs(resolution: Bench, side: SideId, place: HexId, actor: UnitId) -> bool:
    """Whether an attempt of a side's engineers in a hex fails outright (PB-DEC-9)."""
    chance = disturbance(resolution.position, side, place)
    return bool(chance) and resolution.chance(chance, "PB-DEC-9", actor)


def search(resolution: Bench) -> None:
    """At the start of a side's turn the enemy's deception units near its units may be found.

    Rules: PB-DEC-11, PB-DEC-13.
    """
    side = resolution.position.active
    enemy = enemy_of(side)
    for unit in deployed(resolution.position, enemy):
        deception = resolution.position.parameters.deception
        near = index.near(resolution.position, side, unit.posted, deception.radius.of(enemy))
        chance = probability(deception.detect_pct.of(enemy))
        if any(True for _ in near) and resolution.chance(chance, "PB-DEC-11", unit.id):
            resolution.emit(DeceptionFound(enemy, unit.id, unit.posted, unit.kind, unit.strength))


def uncover(resolution: Bench, place: HexId, side: SideId) -> None:
    """The deception units of a side that were deployed in a hex taken by assault are lost.

    Rules: PB-ASLT-53, PB-DEC-13.
    """
    for unit in deployed(resolution.position, side):
        if unit.posted == place:
            resolution.emit(DeceptionFound(side, unit.id, place, unit.kind, unit.strength))


def recall(resolution: Bench) -> None:
    """At the start of a side's turn its deception units come back that share a hex with a regular unit of theirs.

    Rules: PB-DEC-14.
    """
    position = resolution.position
    back = tuple(
        unit.id
        for unit in deployed(position, position.active)
        if any(other.side == unit.side and not other.has("deception") for other in index.at(position, unit.posted))
    )
    if back:
        resolution.emit(DeceptionRecalled(position.active, back))
