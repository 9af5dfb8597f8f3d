"""Before the first card: elements from the scenario, objectives in the defender's hands.

Rules: P8-1.05, P8-2.04, P8-4.01, P8-14.03, P8-15.04.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from sandtable.content import ScenarioUnit
from sandtable.kernel.decisions import Decision, Refusal
from sandtable.kernel.dice import PromptDice
from sandtable.kernel.events import DiceKey
from sandtable.kernel.ids import NOBODY, HexId, RuleId, SideId, UnitId
from sandtable.kernel.resolution import Resolution
from sandtable.kernel.state import State
from sandtable.play.dealing import dealt
from sandtable.play.ground import zone_of
from sandtable.rulesets.panzer8.actions import refuse
from sandtable.rulesets.panzer8.events import Placed
from sandtable.rulesets.panzer8.frames import SetupFrame, StepFrame
from sandtable.rulesets.panzer8.ground import Ground, Options
from sandtable.rulesets.panzer8.model import IN_PLAY, RESERVE, SETUP, Battery, Element, Position
from sandtable.rulesets.panzer8.movement import may_stand
from sandtable.rulesets.panzer8.orders import EndPhase, PlaceElement
from sandtable.rulesets.panzer8.pieces import enemy_of
from sandtable.rulesets.panzer8.scenario import ElementDetails, Panzer8Scenario
from sandtable.rulesets.panzer8.stacks import element_at, kind_of

ELITE = 2
VETERAN = 1
"""The quality of elite troops, with the optional rule and without it (P8-15.04)."""


def opening(scenario: Panzer8Scenario, options: dict[str, Any], key: DiceKey) -> State[Position]:
    """The table as the scenario lays it out, with the first side about to set up, or to draw a card."""
    switches = msgspec.convert({**scenario.options, **options}, Options)
    ground, sections = Ground.of(scenario, switches), scenario.sections
    first = SideId(scenario.first)
    placers = tuple(SideId(side) for side in sections.setup.order)
    position = Position(
        ground=ground,
        turn=1,
        half=0,
        active=first,
        step=SETUP if placers else "",
        elements=_elements(scenario, switches, key),
        batteries=tuple(Battery(SideId(one.side), one.type, one.stonks) for one in sections.batteries),
        mines=tuple(sorted(map(ground.board.parse, sections.mines))),
        control=_owners(scenario, first),
    )
    frame = SetupFrame(placers[0], placers[1:]) if placers else StepFrame()
    return State(position, (frame,), key)


def _owners(scenario: Panzer8Scenario, first: SideId) -> dict[HexId, SideId]:
    """Objectives are the defender's at the start, who goes second, unless the scenario says otherwise (P8-14.03)."""
    named = {
        HexId(scenario.board.parse(label)): SideId(side)
        for side, labels in scenario.sections.control.items()
        for label in labels
    }
    prizes = [HexId(place) for one in scenario.objectives for place in one.hexes]
    return {place: named.get(place, enemy_of(first)) for place in sorted({*prizes, *named})}


def _elements(scenario: Panzer8Scenario, switches: Options, key: DiceKey) -> tuple[Element, ...]:
    """All elements, dealt ids by the seed so that an id tells nothing of what it is on (P8-15.01)."""
    ids = dealt(len(scenario.units), key)
    id_of = {entry.id: id for entry, id in zip(scenario.units, ids, strict=True)}
    elements = [_element(entry, id_of, switches) for entry in scenario.units]
    return tuple(sorted(elements, key=lambda element: element.id))


def _element(entry: ScenarioUnit[ElementDetails], id_of: dict[str, UnitId], switches: Options) -> Element:
    details = entry.details
    quality = (ELITE if switches.elite else VETERAN) if details.elite else details.quality
    return Element(
        id=id_of[entry.id],
        kind=entry.type,
        side=SideId(entry.side),
        hex=HexId(entry.hex or 0),
        facing=details.facing,
        quality=quality,
        fate=IN_PLAY if entry.hex else RESERVE,
        carrier=id_of[entry.aboard] if entry.aboard else NOBODY,
        has_telephone=details.telephone,
        name=entry.id,
    )


# --- by the players -------------------------------------------------------------------------------------------------

PLACING = RuleId("P8-4.01")
"""The rule of who goes first is also that of who sets up first: the scenario names both."""


def decide(position: Position, frame: SetupFrame) -> tuple[Decision, ...]:
    """The side sets up in its zone."""
    return (Decision(frame.side, SETUP, PLACING, "Set your elements up in your zone, then end the set-up."),)


def awaits_place(element: Element) -> bool:
    """Whether an element must be given a place before the battle begins."""
    return element.fate == RESERVE and element.carrier == NOBODY


def is_placed_by_player(position: Position, element: Element) -> bool:
    """Whether its player says where an element begins: it has no place yet, or stands in his zone."""
    stands_in_zone = element.carrier == NOBODY and element.hex in zone_of(position.ground, element.side)
    return awaits_place(element) or stands_in_zone


def placed_by(position: Position, side: SideId) -> list[Element]:
    """The elements that a side places."""
    return [one for one in position.elements if one.side == side and is_placed_by_player(position, one)]


def check_place(position: Position, side: SideId, order: PlaceElement) -> Refusal | None:
    """Why an element can't begin there, or None.

    Rules: P8-1.05, P8-4.01, P8-6.01.
    """
    if not 0 <= order.unit < len(position.elements) or position.elements[order.unit].side != side:
        return refuse("P8-4.03", "that is no element of yours")
    element = position.elements[order.unit]
    if not is_placed_by_player(position, element):
        return Refusal(PLACING, "the scenario says where it begins, or it comes with its carrier")
    if order.hex not in zone_of(position.ground, side):
        return Refusal(PLACING, "that hex is not in your zone")
    if not 0 <= order.facing < 6:
        return refuse("P8-6.08", "it faces one of the six hexsides, 0 to 5")
    if not may_stand(position.ground.board, kind_of(element), order.hex):
        return refuse("P8-6.01", "that ground is impassable to it")
    if element_at(position, order.hex) not in (None, element):
        return refuse("P8-1.05", "there is one element in a hex")
    return None


def resolve_place(resolution: Resolution[Position], side: SideId, order: PlaceElement) -> None:
    """The element stands there, and whoever is aboard with it; zones never meet, so no enemy can be in the way."""
    resolution.emit(Placed(order.unit, order.hex, order.facing))


def place_options(position: Position, side: SideId, element: Element) -> Iterator[PlaceElement]:
    """Every hex of the zone that is free, facing the way the scenario has it face."""
    return (order for order in _places(position, side, element) if order.hex != element.hex)


def place_offers(position: Position, side: SideId, element: Element) -> Iterator[PlaceElement]:
    """The same with every facing, the one it has first, and turning on the spot."""
    for order in _places(position, side, element):
        for facing in (d % 6 for d in range(element.facing, element.facing + 6)):
            if (order.hex, facing) != (element.hex, element.facing):
                yield msgspec.structs.replace(order, facing=facing)


def _places(position: Position, side: SideId, element: Element) -> Iterator[PlaceElement]:
    for place in zone_of(position.ground, side):
        order = PlaceElement(element.id, place, element.facing)
        if check_place(position, side, order) is None:
            yield order


def pick_place(position: Position, side: SideId, element: Element, dice: PromptDice) -> PlaceElement | None:
    """A free hex of the zone by lot, or None when there is none."""
    free = list(place_options(position, side, element))
    return free[dice.below(len(free))] if free else None


def check_end(position: Position, side: SideId, order: EndPhase) -> Refusal | None:
    """A set-up can't end while an element has no place."""
    if position.step == SETUP:
        for one in position.elements:
            if one.side == side and awaits_place(one):
                return Refusal(PLACING, f"{kind_of(one).name} still has to be set up")
    return None


def end_options(position: Position, side: SideId) -> Iterator[EndPhase]:
    """The end of the phase, where it may end."""
    if check_end(position, side, EndPhase()) is None:
        yield EndPhase()


def end_setup(resolution: Resolution[Position], frame: SetupFrame) -> None:
    """The next side sets up, or the battle begins (P8-4.01)."""
    resolution.goto(SetupFrame(frame.then[0], frame.then[1:]) if frame.then else StepFrame())
