"""Before the first shot: units from the scenario, placement in zones, and units that come later.

Rules: PL-104, PL-1506.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from sandtable.content import ScenarioUnit
from sandtable.kernel.decisions import Decision, Refusal
from sandtable.kernel.dice import PromptDice
from sandtable.kernel.events import DiceKey
from sandtable.kernel.ids import NOBODY, NOWHERE, HexId, RuleId, SideId, UnitId
from sandtable.kernel.resolution import Resolution
from sandtable.kernel.state import State
from sandtable.play.dealing import dealt
from sandtable.play.ground import arrivals, zone_of
from sandtable.rulesets.panzer_leader import landing, sight, victory, works
from sandtable.rulesets.panzer_leader.events import MoveEnded, UnitPlaced
from sandtable.rulesets.panzer_leader.frames import SetupFrame, StepFrame
from sandtable.rulesets.panzer_leader.ground import Ground, Options
from sandtable.rulesets.panzer_leader.kinds import KINDS, aircraft_kinds
from sandtable.rulesets.panzer_leader.model import IN_PLAY, RESERVE, Aircraft, Mine, Mission, Position, Unit
from sandtable.rulesets.panzer_leader.moves import begin_move, end_move
from sandtable.rulesets.panzer_leader.orders import EndPhase, PlaceUnit
from sandtable.rulesets.panzer_leader.pieces import enemy_of
from sandtable.rulesets.panzer_leader.scenario import PanzerLeaderScenario, Sections
from sandtable.rulesets.panzer_leader.stacks import active, has_enemy, has_room, kind
from sandtable.rulesets.panzer_leader.terrain import terrain_key

PLACING = RuleId("PL-1506")


def opening(scenario: PanzerLeaderScenario, options: dict[str, Any], key: DiceKey) -> State[Position]:
    """The table as the scenario lays it out, with the first side about to set up or to begin."""
    switches = msgspec.convert({**scenario.options, **options}, Options)
    ground = Ground.of(scenario, switches)
    sections, board = scenario.sections, scenario.board
    units = _units(scenario, key)
    blocks = tuple(board.parse(label) for label in sections.blocks)
    position = Position(
        ground=ground,
        turn=1,
        segment=0,
        phasing=SideId(scenario.first),
        units=units,
        aircraft=_aircraft(sections),
        mines={place: Mine(place) for place in map(board.parse, sections.mines)},
        blocks=blocks,
        missions=_naval_missions(scenario, switches),
    )
    position = msgspec.structs.replace(position, control=_first_owners(position))
    placers = tuple(SideId(side) for side in sections.setup.order if scenario.zone(side))
    frame = SetupFrame(placers[0], placers[1:]) if placers else StepFrame("")
    return State(position, (frame,), key)


def _units(scenario: PanzerLeaderScenario, key: DiceKey) -> tuple[Unit, ...]:
    """All units, dealt ids by the seed so that an id tells nothing of what it is on (PL-1401, PL-1507)."""
    entries = list(scenario.units)
    bridges = [entry for entry in entries if KINDS[entry.type].has("bridge")]
    ids = dealt(len(entries), key)
    id_of = {entry.id: id for entry, id in zip(entries, ids, strict=True)}
    units = [_unit(entry, id_of) for entry in entries]
    # each bridgelayer carries a tank bridge, which waits off the table (PL-1333)
    units += [
        Unit(UnitId(len(entries) + n), "n_tbridge", SideId(entry.side), fate=RESERVE, name=KINDS["n_tbridge"].name)
        for n, entry in enumerate(bridges)
    ]
    return tuple(sorted(units, key=lambda unit: unit.id))


def _unit(entry: ScenarioUnit[Any], id_of: dict[str, UnitId]) -> Unit:
    waits = entry.arrival is not None or entry.hex is None
    return Unit(
        id=id_of[entry.id],
        kind=entry.type,
        side=SideId(entry.side),
        hex=NOWHERE if waits else HexId(entry.hex or 0),
        fate=RESERVE if waits else IN_PLAY,
        carrier=id_of[entry.aboard] if entry.aboard else NOBODY,
        fort=id_of[entry.inside] if entry.inside else NOBODY,
        facing=entry.details.facing,
        facedown=entry.details.facedown,
        name=entry.id,
    )


def _aircraft(sections: Sections) -> tuple[Aircraft, ...]:
    return tuple(
        Aircraft(
            UnitId(n), entry.type, SideId(entry.side), entry.ordnance, strafes=_strafes(entry.type), turn=entry.turn
        )
        for n, entry in enumerate(sections.aircraft)
    )


def _strafes(key: str) -> int:
    guns = aircraft_kinds()[key].guns
    return guns.uses if guns else 0


def _naval_missions(scenario: PanzerLeaderScenario, switches: Options) -> tuple[Mission, ...]:
    """Naval fire written before the battle comes down in the side's segment of the given turn (PL-510)."""
    if not switches.naval_fire:
        return ()
    return tuple(
        Mission(
            SideId(entry.side),
            (),
            HexId(scenario.board.parse(entry.hex)),
            (),
            written=0,
            due=2 * entry.turn - (entry.side == scenario.first),
            naval=entry.points,
        )
        for entry in scenario.sections.naval.missions
    )


def _first_owners(position: Position) -> dict[HexId, SideId]:
    """Who owns what at the start: as the scenario says, then whoever stands there (PL-1502)."""
    board, sections = position.ground.board, position.ground.scenario.sections
    owners = {HexId(board.parse(label)): SideId(side) for side, labels in sections.control.items() for label in labels}
    places = victory.contested(position)
    owners |= {unit.hex: unit.side for unit in position.units if unit.hex in places and victory.counts(unit)}
    return dict(sorted(owners.items()))


def decisions(position: Position, frame: SetupFrame) -> tuple[Decision, ...]:
    """The side places its units, then ends the phase."""
    return (Decision(frame.side, "setup", PLACING, "Place your units in your setup zone, then end the phase."),)


def arrival_of(position: Position, unit: Unit) -> tuple[int, tuple[HexId, ...]] | None:
    """The turn from which a reinforcement may come and where, or None for a unit that is no reinforcement."""
    return arrivals(position.ground).get(unit.name)


def awaits_setup(position: Position, unit: Unit) -> bool:
    """Whether the unit has no place yet and must be given one before the battle begins."""
    return (
        unit.fate == RESERVE
        and unit.carrier == NOBODY
        and not kind(unit).is_temporary_bridge
        and arrival_of(position, unit) is None
    )


def check_place(position: Position, side: SideId, order: PlaceUnit) -> Refusal | None:
    """Placement in a zone, of a landing unit at sea, or of a reinforcement on its entry hex."""
    refusal = _bad_reference(position, side, order)
    if refusal is not None:
        return refusal
    unit = position.units[order.unit]
    if position.step == "landing":
        return landing.check_landing_place(position, side, order)
    if position.step == "setup":
        return _check_zone(position, side, unit, order.hex)
    return _check_arrival(position, side, unit, order.hex)


def _bad_reference(position: Position, side: SideId, order: PlaceUnit) -> Refusal | None:
    if not 0 <= order.unit < len(position.units) or position.units[order.unit].side != side:
        return Refusal(PLACING, "there is no such unit of yours")
    if not position.ground.board.is_on(order.hex):
        return Refusal(PLACING, "that hex is off the board")
    if not 0 <= order.facing <= 5:
        return Refusal(PLACING, "a facing is a direction from 0 to 5")
    if position.units[order.unit].carrier != NOBODY:
        return Refusal(PLACING, "it comes with its carrier")
    return None


def _check_zone(position: Position, side: SideId, unit: Unit, place: HexId) -> Refusal | None:
    """Setup within the side's zone, within terrain and stacking, and not in enemy sight for the side that sets up last,
    as long as that leaves the unit anywhere to go.

    Rules: PL-401, PL-1506.
    """
    zone = zone_of(position.ground, side)
    if place not in zone:
        return Refusal(PLACING, "that hex is not in your setup zone")
    if not (unit.hex in zone or awaits_setup(position, unit)):
        return Refusal(PLACING, "the scenario places this unit")
    if unit.fort != NOBODY or kind(unit).is_work:
        return Refusal(PLACING, "fortifications and their garrisons stand where the scenario puts them")
    if not may_stand(position, unit, place):
        return Refusal(RuleId("PL-209"), "this unit can't be in that terrain")
    if unit.hex != place and not has_room(position, place):
        return Refusal(RuleId("PL-401"), "the hex is full")
    order, free = position.ground.scenario.sections.setup.order, position.ground.scenario.sections.setup.in_sight
    if side != order[-1] or free or unit.hex == place:
        return None
    if _is_watched(position, side, place) and _has_cover(position, side, unit):
        return Refusal(PLACING, "an enemy unit has that hex in sight")
    return None


def _is_watched(position: Position, side: SideId, place: HexId) -> bool:
    """Whether an enemy has a hex in sight (PL-1506)."""
    return bool(sight.witnesses(position, place, enemy_of(side)))


def _has_cover(position: Position, side: SideId, unit: Unit) -> bool:
    """Whether a unit could stand anywhere in its side's zone where no enemy sees it."""
    zone = zone_of(position.ground, side)
    return any(_could_stand(position, unit, place) and not _is_watched(position, side, place) for place in zone)


def _could_stand(position: Position, unit: Unit, place: HexId) -> bool:
    """Whether terrain and stacking let a unit stand in a hex, or it stands there already (PL-209, PL-401)."""
    return may_stand(position, unit, place) and (unit.hex == place or has_room(position, place))


def may_stand(position: Position, unit: Unit, place: HexId) -> bool:
    """Whether a unit of this kind can be in a hex at all: vehicles in swamps only on a road, in streams on a bridge.

    Rules: PL-209, PL-613, PL-631.
    """
    terrain = terrain_key(position, place)
    if terrain == "sea":
        return False
    if not kind(unit).is_vehicle:
        return True
    return terrain != "stream" and (terrain != "swamp" or bool(position.ground.board.roads[place]))


def placing_refusal(position: Position, side: SideId, unit: Unit) -> Refusal | None:
    """Why a unit that waits beside the map can be placed nowhere in this step, whatever its hexes; None where it may.

    Rules: PL-506, PL-1401, PL-1506.
    """
    arrival = arrival_of(position, unit)
    if unit.fate != RESERVE or arrival is None:
        return None
    turn, _ = arrival
    if turn > position.turn:
        return Refusal(PLACING, f"it arrives on turn {turn}")
    if position.step == "landing":
        return None
    if landing.landing_of(position, unit) is not None:
        return Refusal(landing.PLACING, "landing units are placed at sea as the segment ends")
    return _out_of_step(position, unit)


def _out_of_step(position: Position, unit: Unit) -> Refusal | None:
    if kind(unit).is_vehicle == (position.step == "vehicle movement"):
        return None
    return Refusal(RuleId("PL-506"), "vehicles come in with the vehicles, foot units with the foot units")


def _check_arrival(position: Position, side: SideId, unit: Unit, place: HexId) -> Refusal | None:
    """A reinforcement comes in the movement step of its kind, from its turn on, on one of its entry hexes.

    Rules: PL-209, PL-401, PL-506, PL-605, PL-1401, PL-1506.
    """
    arrival = arrival_of(position, unit)
    if unit.fate != RESERVE or arrival is None:
        return Refusal(PLACING, "this unit is no reinforcement")
    if unit.moved:
        return Refusal(RuleId("PL-605"), "its way in was barred in this segment")
    turn, places = arrival
    if turn > position.turn:
        return Refusal(PLACING, f"it arrives on turn {turn}")
    if place not in places:
        return Refusal(PLACING, "that is not one of its entry hexes")
    if position.ground.board.terrain[place] == "sea":
        return Refusal(RuleId("PL-1401"), "landing units are placed at the end of the segment")
    refusal = _out_of_step(position, unit)
    if refusal is not None:
        return refusal
    if not may_stand(position, unit, place):
        return Refusal(RuleId("PL-209"), "this unit can't be in that terrain")
    if has_enemy(position, place, side):
        return Refusal(RuleId("PL-605"), "an enemy holds that hex")
    if not has_room(position, place):
        return Refusal(RuleId("PL-401"), "the hex is full")
    return None


def resolve_place(resolution: Resolution[Position], side: SideId, order: PlaceUnit) -> None:
    """The unit stands in its hex. Who was on the move when a reinforcement came has finished, and where one that comes
    must stop its move is over.

    Rules: PL-601, PL-605, PL-1301, PL-1506.
    """
    if resolution.position.step == "landing":
        landing.resolve_landing_place(resolution, side, order)
        return
    begin_move(resolution, order.unit)
    if has_enemy(resolution.position, order.hex, side):
        # the side could not know it, so the order stands and the unit waits
        resolution.emit(MoveEnded(order.unit, "the way is barred (PL-605)"))
        return
    resolution.emit(UnitPlaced(order.unit, order.hex, order.facing))
    if resolution.position.step != "setup":
        rule = works.must_stop(resolution.position, resolution.position.units[order.unit], order.hex)
        victory.take_control(resolution, order.hex, side)
        works.entered(resolution, order.unit, order.hex)
        if rule is not None:
            end_move(resolution, order.unit, works.stopped_by(rule))


def check_end(position: Position, side: SideId, order: EndPhase) -> Refusal | None:
    """Setup can't end while a unit has no place."""
    if position.step == "setup":
        for unit in position.units:
            if unit.side == side and awaits_setup(position, unit):
                return Refusal(PLACING, f"{kind(unit).name} still has to be placed")
    return None


def end_options(position: Position, side: SideId) -> Iterator[EndPhase]:
    """The end of the phase, where it may end."""
    if check_end(position, side, EndPhase()) is None:
        yield EndPhase()


def end_setup(resolution: Resolution[Position], frame: SetupFrame) -> None:
    """The side owns the ground its units stand on, and the next one sets up, or the battle can begin.

    Rules: PL-1502, PL-1506.
    """
    for unit in active(resolution.position, frame.side):
        victory.take_control(resolution, unit.hex, frame.side)
    if frame.then:
        resolution.goto(SetupFrame(frame.then[0], frame.then[1:]))
    else:
        resolution.goto(StepFrame(""))


def placement_options(position: Position, side: SideId, unit: Unit) -> Iterator[PlaceUnit]:
    """Where a unit can be placed now."""
    if position.step == "landing":
        yield from landing.placement_options(position, side, unit)
        return
    for place in _proposed_places(position, side, unit):
        order = PlaceUnit(unit.id, place, unit.facing)
        if check_place(position, side, order) is None:
            yield order


def _proposed_places(position: Position, side: SideId, unit: Unit) -> Sequence[HexId]:
    """Where the scenario would have a unit placed now, terrain, stacks and enemies apart."""
    if unit.side != side or unit.carrier != NOBODY:
        return ()
    if position.step == "setup":
        return tuple(zone_of(position.ground, side))
    arrival = arrival_of(position, unit)
    return arrival[1] if unit.fate == RESERVE and arrival is not None else ()


def pick_placement(position: Position, side: SideId, unit: Unit, dice: PromptDice) -> PlaceUnit | None:
    """A placement in the first hex after a random one that will do, or None when there is none."""
    if position.step == "landing":
        return next(iter(landing.placement_options(position, side, unit)), None)
    places = _proposed_places(position, side, unit)
    start = dice.below(len(places)) if places else 0
    for place in (*places[start:], *places[:start]):
        order = PlaceUnit(unit.id, place, unit.facing)
        if check_place(position, side, order) is None:
            return order
    return None
