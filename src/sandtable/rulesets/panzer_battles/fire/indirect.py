"""Indirect fire as an order.

Rules: PB-FIRE-2, PB-FIRE-14, PB-FIRE-16.
"""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.kernel.decisions import Refusal
from sandtable.kernel.ids import HexId, SideId
from sandtable.kernel.resolution import Resolution
from sandtable.kernel.trace import Tally
from sandtable.rulesets.panzer_battles import index
from sandtable.rulesets.panzer_battles.fire import opportunity
from sandtable.rulesets.panzer_battles.fire.costs import bombardment_cost, cannot_pay
from sandtable.rulesets.panzer_battles.fire.orders import Bombard, KeepBombarding
from sandtable.rulesets.panzer_battles.fire.shelling import bombard, cannot_bombard, no_bombardment, salvo
from sandtable.rulesets.panzer_battles.model import Position, Unit, enemy_of
from sandtable.rulesets.panzer_battles.refusals import own
from sandtable.rulesets.panzer_battles.reinforcements import releases


def bars_bombardment(position: Position, side: SideId, unit: Unit) -> Refusal | None:
    """What keeps a unit from firing indirectly, wherever that is."""
    return cannot_bombard(position, unit) or cannot_pay(position, unit, bombardment_cost(position, unit))


def check_bombard(position: Position, side: SideId, order: Bombard | KeepBombarding) -> Refusal | None:
    """Rules: PB-FIRE-2, PB-FIRE-14, PB-FIRE-19."""
    unit = own(position, side, order.unit)
    if isinstance(unit, Refusal):
        return unit
    return bars_bombardment(position, side, unit) or no_bombardment(position, unit, order.hex)


def resolve_bombard(resolution: Resolution[Position], side: SideId, order: Bombard) -> None:
    """The guns fire; then the enemy may answer, if he sees them, and who sees him do it is fixed no more.

    Rules: PB-FIRE-57, PB-SPOT-36, PB-OPF-11.
    """
    unit = resolution.position.units[order.unit]
    bombard(resolution, order.unit, order.hex, cost=bombardment_cost(resolution.position, unit))
    opportunity.draw_fire(resolution, order.unit, by_moving=False)
    releases.alarm(resolution)


def resolve_keep_bombarding(resolution: Resolution[Position], side: SideId, order: KeepBombarding) -> None:
    """The guns fire as long as they can and an enemy may be there as far as the side knows.

    Rules: PB-FIRE-22.
    """
    again = Bombard(order.unit, order.hex)
    resolve_bombard(resolution, side, again)
    while _goes_on(resolution.position, side, again):
        resolve_bombard(resolution, side, again)


def _goes_on(position: Position, side: SideId, order: Bombard) -> bool:
    """Whether the guns are still able to fire and have the points; what is left in the hex nobody may have seen."""
    unit = position.units[order.unit]
    return bool(unit.hex) and check_bombard(position, side, order) is None


# --- what can be ordered --------------------------------------------------------------------------------------------


def known_hexes(position: Position, unit: Unit) -> list[HexId]:
    """The hexes in a unit's indirect range in which its side knows of enemies."""
    board, reach = position.ground.board, unit.of.indirect_range
    near = {foe.hex for foe in index.near(position, enemy_of(unit.side), unit.hex, reach)}
    return sorted(near | {place for place in position.unknowns if board.distance(unit.hex, place) <= reach})


def bombard_options(position: Position, side: SideId, unit: Unit) -> Iterator[Bombard]:
    """A fire into every hex in which somebody is known to be and that somebody watches."""
    return _options(position, side, unit, known_hexes(position, unit))


def bombard_offers(position: Position, side: SideId, unit: Unit) -> Iterator[Bombard]:
    """By the map a fire into every hex in range."""
    if not position.ground.options.fire_by_map:
        return bombard_options(position, side, unit)
    within = position.ground.board.within(unit.hex, unit.of.indirect_range)
    return _options(position, side, unit, [HexId(place) for place in within])


def _options(position: Position, side: SideId, unit: Unit, places: list[HexId]) -> Iterator[Bombard]:
    if bars_bombardment(position, side, unit) is None:
        for place in places:
            if no_bombardment(position, unit, place) is None:
                yield Bombard(unit.id, place)


def keep_bombarding_options(position: Position, side: SideId, unit: Unit) -> Iterator[KeepBombarding]:
    """Nothing that a computer player need try: it fires again if it wants to."""
    return iter(())


def keep_bombarding_offers(position: Position, side: SideId, unit: Unit) -> Iterator[KeepBombarding]:
    """To keep firing into every hex that the unit can fire into."""
    return (KeepBombarding(one.unit, one.hex) for one in bombard_offers(position, side, unit))


def explain_bombard(position: Position, side: SideId, order: Bombard | KeepBombarding) -> tuple[Tally, ...]:
    """The fire value and the defense of each unit that is known to be there."""
    found = salvo(position, position.units[order.unit], order.hex)
    return tuple(tally for shot in found.shots for tally in shot.value.tallies)
