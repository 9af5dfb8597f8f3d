"""Before the first card: elements from the scenario, objectives in the defender's hands.

Rules: P8-1.05, P8-2.04, P8-4.01, P8-14.03, P8-15.04.
"""

from __future__ import annotations

from typing import Any

import msgspec

from sandtable.content import ScenarioUnit
from sandtable.kernel.dice import DiceKey
from sandtable.kernel.ids import NOBODY, HexId, SideId, UnitId
from sandtable.kernel.state import State
from sandtable.play.dealing import dealt
from sandtable.rulesets.panzer8.frames import StepFrame
from sandtable.rulesets.panzer8.ground import Ground, Options
from sandtable.rulesets.panzer8.model import Battery, Element, Position, enemy_of
from sandtable.rulesets.panzer8.scenario import ElementDetails, Panzer8Scenario

ELITE = 2
VETERAN = 1
"""The quality of elite troops, with the optional rule and without it (P8-15.04)."""


def opening(scenario: Panzer8Scenario, options: dict[str, Any], key: DiceKey) -> State[Position]:
    """The table as the scenario lays it out, with the first side about to draw a card."""
    switches = msgspec.convert({**scenario.options, **options}, Options)
    ground, sections = Ground.of(scenario, switches), scenario.sections
    first = SideId(scenario.first)
    position = Position(
        ground=ground,
        turn=1,
        half=0,
        active=first,
        elements=_elements(scenario, switches, key),
        batteries=tuple(Battery(SideId(one.side), one.type, one.stonks) for one in sections.batteries),
        mines=tuple(sorted(map(ground.board.parse, sections.mines))),
        control=_owners(scenario, first),
    )
    return State(position, (StepFrame(),), key)


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
        carrier=id_of[entry.aboard] if entry.aboard else NOBODY,
        has_telephone=details.telephone,
        name=entry.id,
    )
