"""Before the first plot: units from the scenario, placement in zones, objectives in the defender's hands.

Rules: P44-1.01, P44-4.01, P44-11.09, P44-11.10, P44-13.01, P44-13.09, P44-14.01, P44-14.02.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
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
from sandtable.play.ground import zone_of
from sandtable.play.words import numbered
from sandtable.rulesets.panzer_44 import panic, victory
from sandtable.rulesets.panzer_44.events import StepBegan, UnitPlaced
from sandtable.rulesets.panzer_44.frames import SetupFrame, StepFrame
from sandtable.rulesets.panzer_44.ground import Ground, Options
from sandtable.rulesets.panzer_44.model import IN_PLAY, RESERVE, SIDES, Battery, Position, Sortie, Unit
from sandtable.rulesets.panzer_44.orders import EndSetup, PlaceUnit
from sandtable.rulesets.panzer_44.pieces import enemy_of
from sandtable.rulesets.panzer_44.refusals import refuse
from sandtable.rulesets.panzer_44.scenario import STACK_LIMIT, Panzer44Scenario, UnitDetails
from sandtable.rulesets.panzer_44.stacks import kind_of, on_table, units_at
from sandtable.rulesets.panzer_44.tables import BATTERIES, SORTIES
from sandtable.rulesets.panzer_44.visibility import SETUP

PLACING = RuleId("P44-14.01")


def opening(scenario: Panzer44Scenario, options: dict[str, Any], key: DiceKey) -> State[Position]:
    """The table as the scenario lays it out, with the first side about to set up or the first turn about to begin."""
    switches = msgspec.convert({**scenario.options, **options}, Options)
    ground, sections = Ground.of(scenario, switches), scenario.sections
    mines = {
        HexId(scenario.board.parse(label)): grade
        for grade in ("hasty", "preventative", "defensive")
        for label in getattr(sections.mines, grade)
    }
    placers = tuple(SideId(side) for side in sections.setup.order if scenario.zone(side))
    position = Position(
        ground=ground,
        turn=1,
        units=_units(scenario, ground, key),
        step=SETUP if placers else "",
        mines=dict(sorted(mines.items())),
        positions=tuple(sorted(map(HexId, map(scenario.board.parse, sections.positions)))),
        batteries=tuple(_batteries(scenario)),
        sorties=tuple(_sorties(scenario)),
        control=_owners(scenario, ground),
    )
    frame = SetupFrame(placers[0], placers[1:]) if placers else StepFrame()
    return State(position, (frame,), key)


def _owners(scenario: Panzer44Scenario, ground: Ground) -> dict[HexId, SideId]:
    """Ground that counts is the defender's at the start unless the scenario says otherwise (P44-14.02)."""
    sections = scenario.sections
    named = {
        HexId(scenario.board.parse(label)): SideId(side)
        for side, labels in sections.control.items()
        for label in labels
    }
    defender = enemy_of(SideId(sections.attacker or scenario.first))
    return {place: named.get(place, defender) for place in sorted(victory.contested(ground))}


def _units(scenario: Panzer44Scenario, ground: Ground, key: DiceKey) -> tuple[Unit, ...]:
    """All units, dealt ids by the seed so that an id tells nothing of what it is on (P44-4.07)."""
    ids = dealt(len(scenario.units), key)
    id_of = {entry.id: id for entry, id in zip(scenario.units, ids, strict=True)}
    units = [_unit(entry, id_of, ground) for entry in scenario.units]
    return tuple(sorted(units, key=lambda unit: unit.id))


def _unit(entry: ScenarioUnit[UnitDetails], id_of: dict[str, UnitId], ground: Ground) -> Unit:
    side = SideId(entry.side)
    return Unit(
        id=id_of[entry.id],
        kind=entry.type,
        side=side,
        hex=NOWHERE if entry.hex is None else HexId(entry.hex),
        fate=RESERVE if entry.hex is None else IN_PLAY,
        carrier=id_of[entry.aboard] if entry.aboard else NOBODY,
        accuracy=entry.details.accuracy,
        group=panic.group_of(ground, entry.type, side, entry.details.group),
        name=entry.id,
    )


def _batteries(scenario: Panzer44Scenario) -> Iterator[Battery]:
    """The batteries off the map, alike ones of either side numbered: a plot names them (P44-11.09)."""
    entries = [entry for side in SIDES for entry in scenario.sections.batteries if entry.side == side]
    for n, entry in enumerate(entries):
        kind = BATTERIES[entry.type]
        twins = sum(one.type == entry.type for one in entries[:n])
        name = numbered(kind.name, twins + 1) if twins else kind.name
        yield Battery(name, SideId(entry.side), entry.type, entry.accuracy or kind.accuracy, entry.missions)


def _sorties(scenario: Panzer44Scenario) -> Iterator[Sortie]:
    """The sorties of each side, those of a type numbered through: a plot names them (P44-11.10)."""
    flown = Counter[str]()
    for side in SIDES:
        kinds = [e.type for e in scenario.sections.sorties if e.side == side for _ in range(e.count)]
        for kind in kinds:
            flown[kind] += 1
            yield Sortie(numbered(SORTIES[kind].name, flown[kind]), side, kind)


# --- placing units --------------------------------------------------------------------------------------------------


def decide(position: Position, frame: SetupFrame) -> tuple[Decision, ...]:
    """The side places its units, then ends its set-up."""
    return (Decision(frame.side, SETUP, PLACING, "Place your units in your set-up zone; then end your set-up."),)


def awaits_setup(unit: Unit) -> bool:
    """Whether a unit has no place yet and must be given one."""
    return unit.fate == RESERVE and unit.carrier == NOBODY


def check_place(position: Position, side: SideId, order: PlaceUnit) -> Refusal | None:
    """Why the unit can't be set up there, or None."""
    if not 0 <= order.unit < len(position.units) or position.units[order.unit].side != side:
        return refuse("P44-5.04", "that is no unit of yours")
    unit, zone = position.units[order.unit], zone_of(position.ground, side)
    if unit.carrier != NOBODY:
        return refuse("P44-4.05", "it comes with its carrier")
    if not (unit.hex in zone or awaits_setup(unit)):
        return refuse(PLACING, "the scenario places this unit")
    if order.hex not in zone:
        return refuse(PLACING, "that hex is not in your set-up zone")
    if order.hex == unit.hex:
        return refuse(PLACING, "it is there already")
    if len(units_at(position, order.hex)) >= STACK_LIMIT:
        return refuse("P44-4.01", f"the hex holds {STACK_LIMIT} units already")
    return None


def resolve_place(resolution: Resolution[Position], side: SideId, order: PlaceUnit) -> None:
    resolution.emit(UnitPlaced(order.unit, order.hex))


def placeable(position: Position, side: SideId) -> list[Unit]:
    """The side's units that it may place, those without a place first."""
    zone = zone_of(position.ground, side)
    own = [unit for unit in position.units if unit.side == side and unit.carrier == NOBODY]
    return [*(unit for unit in own if awaits_setup(unit)), *(unit for unit in own if unit.hex in zone)]


def place_options(position: Position, side: SideId, unit: Unit) -> Iterator[PlaceUnit]:
    for place in zone_of(position.ground, side):
        order = PlaceUnit(unit.id, place)
        if check_place(position, side, order) is None:
            yield order


def pick_place(position: Position, side: SideId, unit: Unit, dice: PromptDice) -> PlaceUnit | None:
    """A placement in the first hex after a random one that will do, or None when there is none."""
    places = tuple(zone_of(position.ground, side))
    start = dice.below(len(places))
    for place in (*places[start:], *places[:start]):
        order = PlaceUnit(unit.id, place)
        if check_place(position, side, order) is None:
            return order
    return None


def check_end(position: Position, side: SideId, order: EndSetup) -> Refusal | None:
    """Set-up can't end while a unit has no place."""
    waiting = [unit for unit in position.units if unit.side == side and awaits_setup(unit)]
    return refuse(PLACING, f"the {kind_of(waiting[0]).name} still has to be placed") if waiting else None


def end_options(position: Position, side: SideId) -> Iterator[EndSetup]:
    if check_end(position, side, EndSetup()) is None:
        yield EndSetup()


def resolve_end(resolution: Resolution[Position], side: SideId, order: EndSetup) -> None:
    """The side holds the ground it stands on that counts, and the next one sets up, or the battle begins."""
    for unit in on_table(resolution.position, side):
        victory.take_ground(resolution, unit.id)
    frame = resolution.top
    assert isinstance(frame, SetupFrame)
    if frame.then:
        resolution.goto(SetupFrame(frame.then[0], frame.then[1:]))
    else:
        resolution.emit(StepBegan(""))
        resolution.goto(StepFrame())
