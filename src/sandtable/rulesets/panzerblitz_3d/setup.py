"""Before the first shot: units from the scenario, placement in zones, and units that come later.

Rules: PB3-1303.
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
from sandtable.rulesets.panzerblitz_3d import victory, works
from sandtable.rulesets.panzerblitz_3d.events import MoveEnded, UnitPlaced
from sandtable.rulesets.panzerblitz_3d.frames import SetupFrame, StepFrame
from sandtable.rulesets.panzerblitz_3d.ground import Ground, Options
from sandtable.rulesets.panzerblitz_3d.journeys import begin_move
from sandtable.rulesets.panzerblitz_3d.memory import owners_of_scenario
from sandtable.rulesets.panzerblitz_3d.mobility import step_of
from sandtable.rulesets.panzerblitz_3d.model import IN_PLAY, RESERVE, BatteryState, Position, Unit
from sandtable.rulesets.panzerblitz_3d.orders import EndPhase, PlaceUnit
from sandtable.rulesets.panzerblitz_3d.scenario import PanzerblitzScenario
from sandtable.rulesets.panzerblitz_3d.stacks import active, has_enemy, has_room, kind
from sandtable.rulesets.panzerblitz_3d.tables import BATTERIES
from sandtable.rulesets.panzerblitz_3d.terrain import may_stand

PLACING = RuleId("PB3-1303")


def opening(scenario: PanzerblitzScenario, options: dict[str, Any], key: DiceKey) -> State[Position]:
    """The table as the scenario lays it out, with the first side about to set up or the first turn to begin."""
    ground = Ground.of(scenario, msgspec.convert({**scenario.options, **options}, Options))
    sections, board = scenario.sections, scenario.board
    has_works = ground.options.works
    position = Position(
        ground=ground,
        turn=1,
        units=_units(scenario, key),
        batteries=tuple(
            BatteryState(n, one.type, SideId(one.side), one.missions or BATTERIES[one.type].missions, one.name)
            for n, one in enumerate(sections.batteries)
        ),
        mines=tuple(sorted(HexId(board.parse(label)) for label in sections.mines)) if has_works else (),
        blocks=tuple(sorted(HexId(board.parse(label)) for label in sections.blocks)) if has_works else (),
    )
    position = msgspec.structs.replace(position, control=_first_owners(position))
    placers = tuple(SideId(side) for side in sections.setup.order if scenario.zone(side))
    frame = SetupFrame(placers[0], placers[1:]) if placers else StepFrame("")
    return State(position, (frame,), key)


def _units(scenario: PanzerblitzScenario, key: DiceKey) -> tuple[Unit, ...]:
    """All units, dealt ids by the seed so that an id tells nothing of what it is on (PB3-1303)."""
    entries = list(scenario.units)
    ids = dealt(len(entries), key)
    id_of = {entry.id: id for entry, id in zip(entries, ids, strict=True)}
    return tuple(sorted((_unit(entry, id_of) for entry in entries), key=lambda unit: unit.id))


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
        observer=entry.details.observer,
        name=entry.id,
    )


def _first_owners(position: Position) -> dict[HexId, SideId]:
    """Who holds what at the start: as the scenario says, then whoever stands there (PB3-1302)."""
    places = victory.contested(position)
    standing = {unit.hex: unit.side for unit in position.units if unit.hex in places and victory.counts(unit)}
    return dict(sorted({**owners_of_scenario(position), **standing}.items()))


def decisions(position: Position, frame: SetupFrame) -> tuple[Decision, ...]:
    """The side places its units, then ends the phase."""
    return (Decision(frame.side, "setup", PLACING, "Place your units in your setup zone, then end the phase."),)


def arrival_of(position: Position, unit: Unit) -> tuple[int, tuple[HexId, ...]] | None:
    """The turn from which a reinforcement may come and where, or None for a unit that is no reinforcement."""
    return arrivals(position.ground).get(unit.name)


def awaits_setup(position: Position, unit: Unit) -> bool:
    """Whether the unit has no place yet and must be given one before the battle begins."""
    return unit.fate == RESERVE and unit.carrier == NOBODY and arrival_of(position, unit) is None


def check_place(position: Position, side: SideId, order: PlaceUnit) -> Refusal | None:
    """Why a unit can't be placed there now, or None."""
    if not 0 <= order.unit < len(position.units) or position.units[order.unit].side != side:
        return Refusal(PLACING, "there is no such unit of yours")
    unit = position.units[order.unit]
    if not position.ground.board.is_on(order.hex):
        return Refusal(PLACING, "that is no hex of the map")
    if unit.carrier != NOBODY:
        return Refusal(PLACING, "it comes with its carrier")
    refusal = _not_in_zone(position, unit, order.hex)
    if position.step != "setup":
        refusal = _not_arriving(position, unit, order.hex)
    if refusal is not None:
        return refusal
    if not may_stand(position.ground.board, kind(unit).mobility, order.hex):
        return Refusal(RuleId("PB3-205"), "this unit can't be in that terrain")
    if has_enemy(position, order.hex, side):
        return Refusal(RuleId("PB3-606"), "an enemy holds that hex")
    if unit.hex != order.hex and not has_room(position, order.hex, side):
        return Refusal(RuleId("PB3-401"), "the hex is full")
    return None


def _not_in_zone(position: Position, unit: Unit, place: HexId) -> Refusal | None:
    """Why the scenario does not let a unit be set up in a hex, or None."""
    zone = zone_of(position.ground, unit.side)
    if place not in zone:
        return Refusal(PLACING, "that hex is not in your setup zone")
    if not (unit.hex in zone or awaits_setup(position, unit)) or unit.fort != NOBODY or kind(unit).is_work:
        return Refusal(PLACING, "the scenario places this unit")
    return None


def _not_arriving(position: Position, unit: Unit, place: HexId) -> Refusal | None:
    """Why a reinforcement can't come in at a hex now, or None: it comes in the movement step of its kind, from its turn
    on, on one of its entry hexes.
    """
    arrival = arrival_of(position, unit)
    if unit.fate != RESERVE or arrival is None:
        return Refusal(PLACING, "this unit is no reinforcement")
    if unit.moved:
        return Refusal(RuleId("PB3-606"), "its way in was barred in this player turn")
    turn, places = arrival
    if turn > position.turn:
        return Refusal(PLACING, f"it arrives on turn {turn}")
    if place not in places:
        return Refusal(PLACING, "that is not one of its entry hexes")
    if position.step != step_of(unit):
        return Refusal(RuleId("PB3-509"), "vehicles come in with the vehicles, foot units with the foot units")
    return None


def resolve_place(resolution: Resolution[Position], side: SideId, order: PlaceUnit) -> None:
    """The unit stands in its hex; a reinforcement whose way in proves barred waits."""
    position = resolution.position
    if position.step == "setup":
        resolution.emit(UnitPlaced(order.unit, order.hex))
        return
    begin_move(resolution, order.unit)
    if has_enemy(position, order.hex, side):
        # the side could not know it, so the order stands and the unit waits
        resolution.emit(MoveEnded(order.unit, "the way is barred (PB3-606)"))
        return
    resolution.emit(UnitPlaced(order.unit, order.hex))
    victory.take_control(resolution, order.hex, side)
    works.entered(resolution, order.unit, order.hex)
    works.stopped(resolution, order.unit)


def check_end(position: Position, side: SideId, order: EndPhase) -> Refusal | None:
    """Setup can't end while a unit has no place."""
    if position.step == "setup":
        for unit in position.units:
            if unit.side == side and awaits_setup(position, unit):
                return Refusal(PLACING, f"{kind(unit).name} still has to be placed")
    return None


def end_options(position: Position, side: SideId) -> Iterator[EndPhase]:
    """The end of the step, where it may end."""
    if check_end(position, side, EndPhase()) is None:
        yield EndPhase()


def end_setup(resolution: Resolution[Position], frame: SetupFrame) -> None:
    """The side holds the ground its units stand on, and the next one sets up, or the battle can begin."""
    for unit in active(resolution.position, frame.side):
        victory.take_control(resolution, unit.hex, frame.side)
    resolution.goto(SetupFrame(frame.then[0], frame.then[1:]) if frame.then else StepFrame(""))


def placement_options(position: Position, side: SideId, unit: Unit) -> Iterator[PlaceUnit]:
    """Where a unit can be placed now."""
    for place in _proposed_places(position, side, unit):
        order = PlaceUnit(unit.id, place)
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
    places = _proposed_places(position, side, unit)
    start = dice.below(len(places)) if places else 0
    for place in (*places[start:], *places[:start]):
        order = PlaceUnit(unit.id, place)
        if check_place(position, side, order) is None:
            return order
    return None
