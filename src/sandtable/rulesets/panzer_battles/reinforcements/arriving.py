"""Bringing reinforcements in, with what the truth has in store for them.

Rules: PB-REIN-1, PB-REIN-5, PB-REIN-17.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from sandtable.kernel.decisions import Refusal
from sandtable.kernel.ids import HexId, RuleId, SideId, UnitId
from sandtable.kernel.resolution import Resolution
from sandtable.kernel.ruleset import Reminder
from sandtable.kernel.trace import Line, Tally
from sandtable.rulesets.panzer_battles import index, victory
from sandtable.rulesets.panzer_battles.assault.retreat import lose
from sandtable.rulesets.panzer_battles.engineers import entering
from sandtable.rulesets.panzer_battles.model import DEPLOYED, DUE, Position, Unit, enemy_of
from sandtable.rulesets.panzer_battles.movement.costs import allowance, mobility
from sandtable.rulesets.panzer_battles.movement.stacking import stacked
from sandtable.rulesets.panzer_battles.names import place_name, strength_text, unit_name
from sandtable.rulesets.panzer_battles.parameter_sections import PROHIBITED
from sandtable.rulesets.panzer_battles.refusals import NOT_YOURS, refuse
from sandtable.rulesets.panzer_battles.reinforcements.changes import riders
from sandtable.rulesets.panzer_battles.reinforcements.entries import Entry, due, entry_of
from sandtable.rulesets.panzer_battles.reinforcements.events import ArrivalProtected, ArrivalPutOff, Arrived
from sandtable.rulesets.panzer_battles.reinforcements.landing import landing, losses_in, lost_by, scattered
from sandtable.rulesets.panzer_battles.reinforcements.orders import Arrive
from sandtable.rulesets.panzer_battles.schedule import AMPHIBIOUS, FROM_THE_AIR, INFILTRATION
from sandtable.rulesets.panzer_battles.spotting import concealment
from sandtable.rulesets.panzer_battles.supply.artillery import needs_setup
from sandtable.rulesets.panzer_battles.terrain import terrain_at

Bench = Resolution[Position]

BARRED_BY_STORM = (*FROM_THE_AIR, AMPHIBIOUS)
FINDS_ITS_PLACE = (*FROM_THE_AIR, INFILTRATION)
"""Who does not mind that somebody stands in the hex that was meant."""


def companions(position: Position, unit: Unit) -> list[Unit]:
    """The units that come in together with one that is due, itself among them."""
    return due(position, unit.side)[entry_of(position, unit)]


def has_landing_room(position: Position, unit: Unit, place: HexId) -> bool:
    """Whether a unit that comes from the sea finds room where it lands, with whoever rides on it.

    Rules: PB-STK-3, PB-STK-10.
    """
    stacking = position.parameters.stacking
    total = stacked(position, (unit, *riders(position, unit), *index.at(position, place)))
    return total <= stacking.max * stacking.amphibious_arrival_multiplier


def check_arrive(position: Position, side: SideId, order: Arrive) -> Refusal | None:
    """Rules: PB-REIN-1, PB-REIN-15, PB-ENV-20, PB-STK-9, PB-STK-10."""
    if not 0 <= order.unit < len(position.units):
        return refuse("PB-GEN-3", "there is no such unit")
    unit = position.units[order.unit]
    if unit.side != side:
        return NOT_YOURS
    if unit.away != DUE:
        return refuse("PB-REIN-1", "it is not due to arrive")
    entry = entry_of(position, unit)
    if position.weather.storm and entry.arrival.by in BARRED_BY_STORM:
        return refuse("PB-REIN-15", "nobody lands in a storm")
    if entry.arrival.by not in FINDS_ITS_PLACE and not entry.arrival.protection and _foes(position, side, entry.hex):
        return refuse("PB-STK-9", "an enemy holds the hex", position.ground.board.label(entry.hex))
    if entry.arrival.by == AMPHIBIOUS and not has_landing_room(position, unit, entry.hex):
        return refuse("PB-STK-10", "there is no room left on the shore", position.ground.board.label(entry.hex))
    return None


def _foes(position: Position, side: SideId, place: HexId) -> list[Unit]:
    return [other for other in index.at(position, place) if other.side != side]


def resolve_arrive(resolution: Bench, side: SideId, order: Arrive) -> None:
    """The units of the entry have come in, as far as the truth lets them."""
    unit = resolution.position.units[order.unit]
    bring_in(resolution, entry_of(resolution.position, unit), companions(resolution.position, unit))


def bring_in(resolution: Bench, entry: Entry, units: list[Unit]) -> None:
    """The units of one entry have come in, each in its way; unless they find their place or make it, nobody may be in
    the hex.

    Rules: PB-REIN-3, PB-REIN-4, PB-STK-9.
    """
    side, by = units[0].side, entry.arrival.by
    needs_hex = by not in FINDS_ITS_PLACE and not entry.arrival.protection
    if needs_hex and _foes(resolution.position, side, entry.hex):
        ids = tuple(unit.id for unit in units)
        resolution.emit(ArrivalPutOff(side, ids, entry.hex, "somebody holds the hex"))
        return
    _protect(resolution, side, entry)
    for unit in units:
        if by in FROM_THE_AIR:
            _land(resolution, unit, entry)
        elif by == INFILTRATION:
            _infiltrate(resolution, unit, entry)
        elif by != AMPHIBIOUS or has_landing_room(resolution.position, unit, entry.hex):
            _enter(resolution, unit, entry.hex, unit.mode, allowance(resolution.position, unit))
            _occupy(resolution, unit.id)


def _protect(resolution: Bench, side: SideId, entry: Entry) -> None:
    """Whoever stood in the hex is gone, and the enemies around it are Broken.

    Rules: PB-REIN-3, PB-REIN-4.
    """
    if not entry.arrival.protection:
        return
    while foes := _foes(resolution.position, side, entry.hex):
        # who rides on one of them may go with him
        lose(resolution, foes[0], 100, "PB-REIN-3")
    near = index.near(resolution.position, enemy_of(side), entry.hex, entry.arrival.protection)
    broken = tuple(sorted(unit.id for unit in near if not unit.broken))
    if broken:
        resolution.emit(ArrivalProtected(side, entry.hex, broken))


def _enter(resolution: Bench, unit: Unit, place: HexId, mode: str, mp: int) -> None:
    """A unit is on the map, and who looks sees it.

    Rules: PB-REIN-5, PB-SPOT-30, PB-SUP-19, PB-SUP-45.
    """
    before = resolution.position
    arrived = replace(unit, hex=place, mode=mode)
    hidden = concealment.is_hidden_on_entering(before, arrived, place)
    supplied = entry_of(before, unit).arrival.supplied
    until = before.turn + supplied - 1 if supplied else 0
    ready = not needs_setup(before.ground, unit)
    resolution.emit(Arrived(unit.side, unit.id, place, mode, mp, hidden, not ready, until))
    concealment.settle(resolution, before)


def _occupy(resolution: Bench, id: UnitId) -> None:
    """Who has come takes the objective, and a work of the enemy there is vacated.

    Rules: PB-FIRE-68, PB-VIC-4.
    """
    victory.capture(resolution, id)
    entering.vacate(resolution, id)


def _land(resolution: Bench, unit: Unit, entry: Entry) -> None:
    """A unit has come down from the air, and has had its losses; who is left of it takes the objective there.

    Rules: PB-REIN-13, PB-REIN-14, PB-VIC-4, PB-VIC-13.
    """
    place, bounds = landing(resolution, unit, entry)
    pct = lost_by(resolution, unit, bounds)
    _enter(resolution, unit, place, DEPLOYED, 0)
    lose(resolution, resolution.position.units[unit.id], pct, "PB-REIN-13")
    _occupy(resolution, unit.id)


def _infiltrate(resolution: Bench, unit: Unit, entry: Entry) -> None:
    """A unit has slipped into an empty hex, or waits for another turn.

    Rules: PB-REIN-16.
    """
    position = resolution.position
    place = scattered(resolution, unit, entry)
    if not is_hideout(position, unit, place):
        beside = [HexId(one) for one in position.ground.board.neighbors(place)]
        free = [one for one in beside if is_hideout(position, unit, one)]
        if not free:
            resolution.emit(ArrivalPutOff(unit.side, (unit.id,), entry.hex, "there is no empty hex"))
            return
        place = free[resolution.roll("PB-REIN-16", unit.id, len(free)) - 1]
    _enter(resolution, unit, place, unit.mode, allowance(position, unit))
    _occupy(resolution, unit.id)


def is_hideout(position: Position, unit: Unit, place: HexId) -> bool:
    """Whether a hex is empty and the unit may be there (PB-REIN-16)."""
    costs = position.parameters.movement.terrain[terrain_at(position, place)]
    return costs[mobility(unit).column] != PROHIBITED and not index.at(position, place)


# --- what can be ordered --------------------------------------------------------------------------------------------


def arrive_options(position: Position, side: SideId) -> Iterator[Arrive]:
    """The arrival of every entry that is due."""
    for units in due(position, side).values():
        order = Arrive(units[0].id)
        if check_arrive(position, side, order) is None:
            yield order


def explain_arrive(position: Position, side: SideId, order: Arrive) -> tuple[Tally, ...]:
    """Who comes, and what landing where it is aimed at would cost him in percent."""
    unit = position.units[order.unit]
    entry = entry_of(position, unit)
    coming = companions(position, unit)
    who = tuple(
        Line(unit_name(position, one.id), strength_text(one.kind, one.strength), RuleId("PB-REIN-1")) for one in coming
    )
    tallies = [Tally("Units that arrive", len(coming), who)]
    if entry.arrival.by in FROM_THE_AIR:
        low, high = losses_in(position, entry, entry.hex)
        lines = (Line("at least", low, RuleId("PB-REIN-11")), Line("at most", high, RuleId("PB-REIN-11")))
        tallies.append(Tally("Percent lost on landing in the hex itself", f"{low} to {high}", lines))
    return tuple(tallies)


def reminders(position: Position, side: SideId) -> Iterator[Reminder]:
    """The reinforcements that still wait when a side is about to end its turn (PB-TURN-4)."""
    for entry in due(position, side):
        text = f"reinforcements are waiting to come in at {place_name(position, entry.hex)}"
        yield Reminder(text, RuleId("PB-TURN-4"), entry.hex)


def arrive_by_themselves(resolution: Bench) -> None:
    """Under Automatic Arrival everybody comes in as soon as he may.

    Rules: PB-OPT-16.
    """
    position = resolution.position
    if position.ground.options.automatic_arrival:
        for order in list(arrive_options(position, position.active)):
            resolve_arrive(resolution, position.active, order)


def first_of(position: Position, side: SideId, place: HexId) -> UnitId | None:
    """A unit that is due to arrive in a hex."""
    return next((units[0].id for entry, units in due(position, side).items() if entry.hex == place), None)
