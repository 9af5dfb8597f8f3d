"""Calling air missions: who can be called, and to where.

Rules: PB-AIR-2, PB-AIR-4, PB-AIR-5.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from sandtable.kernel.decisions import Refusal
from sandtable.kernel.ids import NOBODY, HexId, SideId, UnitId
from sandtable.kernel.resolution import Resolution
from sandtable.kernel.ruleset import Selection, Target
from sandtable.play.rows import Actors, Aim, Label
from sandtable.rulesets.panzer_battles import clock
from sandtable.rulesets.panzer_battles.air.events import MissionCalled
from sandtable.rulesets.panzer_battles.air.orders import AnyCall, CallCarpet, CallRecon, CallStrike
from sandtable.rulesets.panzer_battles.air.units import (
    CARPET,
    RECON,
    STRIKE,
    TITLES,
    air_units,
    called,
    is_air,
    mission_of,
)
from sandtable.rulesets.panzer_battles.command.control import is_detached
from sandtable.rulesets.panzer_battles.fire.shelling import is_known_target
from sandtable.rulesets.panzer_battles.formations import chain
from sandtable.rulesets.panzer_battles.model import Position, Unit
from sandtable.rulesets.panzer_battles.names import place_name, unit_name
from sandtable.rulesets.panzer_battles.refusals import NOT_YOURS, refuse
from sandtable.rulesets.panzer_battles.spotting.levels import observers

LEAST_VISIBILITY = 2
"""How far one must see for missions to be called (PB-AIR-5)."""

ORDERS: dict[str, type[AnyCall]] = {STRIKE: CallStrike, CARPET: CallCarpet, RECON: CallRecon}


def can_see_enough(position: Position) -> bool:
    """Whether it is clear enough to call a mission; at dawn and dusk what one would see by day counts.

    Rules: PB-AIR-5, PB-AIR-31.
    """
    twilight = clock.is_twilight(position.minutes, position.ground)
    sight = position.weather.nominal if twilight else position.visibility
    return sight >= LEAST_VISIBILITY


def cannot_be_called(position: Position, side: SideId, unit: Unit) -> Refusal | None:
    """What keeps an air unit on the ground.

    Rules: PB-AIR-4, PB-AIR-6, PB-AIR-5, PB-AIR-31, PB-AIR-32, PB-ENV-19.
    """
    if position.weather.storm:
        return refuse("PB-AIR-6", "nobody flies in a storm")
    if not can_see_enough(position):
        return refuse("PB-AIR-5", "one does not see far enough to fly")
    if called(position, unit) is not None:
        return refuse("PB-AIR-4", "it is called already, and no mission is called off")
    if unit.is_shaken:
        return refuse("PB-AIR-32", "it has to recover first")
    return refuse("PB-AIR-32", "it is not available yet") if unit.unavailable else None


def air_spotters(position: Position, unit: Unit, place: HexId) -> list[Unit]:
    """The ground units that spot a hex for an air unit: of its owner, if it has one; they have not moved.

    Rules: PB-AIR-40, PB-AIR-42, PB-AIR-43.
    """
    seers = (one for one in observers(position, unit.side, place) if not one.broken and not one.moved)
    fit = [one for one in seers if not one.has("partisan") and one.carrier == NOBODY]
    if not unit.formation:
        return fit
    return [one for one in fit if unit.formation in {org.id for org in chain(position, one.formation)}]


def no_strike(position: Position, unit: Unit, place: HexId) -> Refusal | None:
    """Why a hex can't be struck by an air unit; what was reported without being seen may be struck by who has no owner.

    Rules: PB-AIR-5, PB-AIR-40, PB-AIR-42, PB-AIR-43, PB-AIR-46, PB-AIR-47, PB-OOB-8.
    """
    if not is_known_target(position, unit.side, place):
        return refuse("PB-AIR-5", "no enemy is known to be there")
    limit = position.parameters.air.strike_hex_limit
    there = [one for one in position.missions if (one.side, one.hex, one.kind) == (unit.side, place, STRIKE)]
    if limit and sum(position.units[one.unit].strength for one in there) >= limit:
        return refuse("PB-AIR-47", "as many aircraft are called to that hex as may be")
    if not air_spotters(position, unit, place):
        if unit.formation:
            return refuse("PB-AIR-40", "no unit of its organization that kept still sees the hex")
        seers = [one for one in observers(position, unit.side, place) if not one.broken]
        if seers and all(one.has("partisan") for one in seers):
            return refuse("PB-AIR-43", "partisans do not direct aircraft")
        if seers:
            return refuse("PB-AIR-42", "who sees the hex has moved this turn")
    return None


def is_halved(position: Position, unit: Unit, place: HexId) -> bool:
    """Whether only detached units spot for an air unit that is owned (PB-AIR-41)."""
    seers = air_spotters(position, unit, place)
    return bool(unit.formation) and all(is_detached(position, one) for one in seers)


def check_call(position: Position, side: SideId, order: AnyCall) -> Refusal | None:
    """Rules: PB-AIR-1, PB-AIR-5, PB-AIR-22, PB-AIR-25."""
    if not 0 <= order.unit < len(position.units):
        return refuse("PB-AIR-1", "there is no such unit")
    unit = position.units[order.unit]
    if unit.side != side:
        return NOT_YOURS
    if not is_air(unit) or unit.gone or unit.away or ORDERS[mission_of(unit)] is not type(order):
        return refuse("PB-AIR-1", "that is no mission for it")
    if not position.ground.board.is_on(order.hex):
        return refuse("PB-AIR-5", "that is off the map")
    refusal = cannot_be_called(position, side, unit)
    if refusal is not None or not isinstance(order, CallStrike):
        return refusal
    return no_strike(position, unit, order.hex)


def resolve_call(resolution: Resolution[Position], side: SideId, order: AnyCall) -> None:
    """The mission is noted.

    Rules: PB-AIR-2, PB-AIR-3.
    """
    position = resolution.position
    unit = position.units[order.unit]
    kind = mission_of(unit)
    halved = kind == STRIKE and is_halved(position, unit, order.hex)
    resolution.emit(MissionCalled(side, order.unit, order.hex, kind, halved))


# --- what can be ordered --------------------------------------------------------------------------------------------


def _callable(kind: str) -> Callable[[Position, SideId, str], list[Unit]]:
    """The air units for a kind of mission that can be called; where none can, the first of them, who says why."""

    def everybody(position: Position, side: SideId, step: str) -> list[Unit]:
        found = [unit for unit in air_units(position, side) if mission_of(unit) == kind]
        return [unit for unit in found if cannot_be_called(position, side, unit) is None] or found[:1]

    return everybody


def _first_callable(kind: str) -> Callable[[Position, SideId, str], list[Unit]]:
    found = _callable(kind)
    return lambda position, side, step: found(position, side, step)[:1]


def _picked(position: Position, ids: tuple[UnitId, ...]) -> list[Unit]:
    """Nobody: air units are not on the map to be picked."""
    return []


def has_flyers(kind: str) -> Callable[[Position, SideId], bool]:
    """Whether a side has air units left that fly such missions."""
    return lambda position, side: any(mission_of(unit) == kind for unit in air_units(position, side))


STRIKERS: Actors[Position] = Actors(_callable(STRIKE), _picked, must_be_picked=False)
BOMBERS: Actors[Position] = Actors(_first_callable(CARPET), _picked, must_be_picked=False)
SCOUTS: Actors[Position] = Actors(_first_callable(RECON), _picked, must_be_picked=False)
"""Those who can be called; where any hex will do, one after the other."""


def strike_options(position: Position, side: SideId, unit: Unit) -> Iterator[CallStrike]:
    """A strike on each hex in which an enemy is known."""
    if cannot_be_called(position, side, unit) is None:
        known = {foe.hex for foe in position.units if foe.hex and foe.side != side} | set(position.unknowns)
        yield from (CallStrike(unit.id, place) for place in sorted(known) if no_strike(position, unit, place) is None)


def carpet_options(position: Position, side: SideId, unit: Unit) -> Iterator[CallCarpet]:
    """Any hex of the map."""
    if cannot_be_called(position, side, unit) is None:
        yield from (CallCarpet(unit.id, HexId(place)) for place in position.ground.board.hexes)


def recon_options(position: Position, side: SideId, unit: Unit) -> Iterator[CallRecon]:
    """Any hex of the map."""
    if cannot_be_called(position, side, unit) is None:
        yield from (CallRecon(unit.id, HexId(place)) for place in position.ground.board.hexes)


def call_aim(position: Position, order: AnyCall) -> Aim:
    return Aim(order.hex)


def call_label(position: Position, side: SideId, order: AnyCall) -> Label:
    """Who would fly."""
    return Label(choice=unit_name(position, order.unit))


def pointer(kind: type[AnyCall]) -> Callable[[Position, SideId, Sequence[Unit], Selection], AnyCall]:
    """The call of the first who is fit to the hex pointed at."""
    return lambda position, side, units, target: kind(units[0].id, target.hex)


def plans(position: Position, side: SideId) -> tuple[Target, ...]:
    """The missions that the side has called, to be drawn on its map (PB-AIR-3)."""
    return tuple(
        Target(
            ORDERS[one.kind](one.unit, one.hex),
            one.hex,
            text=f"{TITLES[one.kind]} by {unit_name(position, one.unit)} on {place_name(position, one.hex)}",
            brief="air",
        )
        for one in position.missions
        if one.side == side
    )
