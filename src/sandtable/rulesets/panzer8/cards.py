"""The card of an element: its values, where it is, what it has done and what it can still do."""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.kernel.ids import NOBODY, RuleId, UnitId
from sandtable.kernel.questions import Section, UnitCard
from sandtable.kernel.state import View
from sandtable.kernel.trace import Line
from sandtable.rulesets.panzer8 import actions, recovery
from sandtable.rulesets.panzer8.badges import BY_KEY, QUALITIES, badges_of
from sandtable.rulesets.panzer8.cover import hex_cover
from sandtable.rulesets.panzer8.describe import FACINGS, element_name, place_name
from sandtable.rulesets.panzer8.kinds import INFANTRY, KIND_TITLES, flag_titles
from sandtable.rulesets.panzer8.model import UNSEEN, Element, Position
from sandtable.rulesets.panzer8.movement_table import RATES
from sandtable.rulesets.panzer8.stacks import kind_of, passengers


def card(view: View[Position], id: UnitId) -> UnitCard | None:
    """What the side knows of an element; None when it knows of none."""
    position = view.position
    if not 0 <= id < len(position.elements) or position.elements[id].fate == UNSEEN:
        return None
    element = position.elements[id]
    sections = [Section("Values", tuple(values(element)))]
    for title, lines in (
        ("Where it is", tuple(_place(position, element))),
        ("This turn", tuple(_done(position, element))),
        ("It can still", tuple(_left(view, element))),
    ):
        if lines:
            sections.append(Section(title, lines))
    name, worn = kind_of(element).name, badges_of(position, element)
    return UnitCard(id, element_name(position, id), name, element.side, tuple(sections), worn)


def values(element: Element) -> Iterator[Line]:
    """What the tables say of an element, in words.

    Rules: P8-2.01, P8-2.02, P8-2.03, P8-2.04.
    """
    kind = kind_of(element)
    yield Line("Kind", KIND_TITLES[kind.kind], RuleId("P8-2.02"))
    yield Line("Defense", kind.defense, RuleId("P8-2.01"))
    if kind.ap:
        yield Line("Armor-piercing fire", f"{kind.ap}, range {kind.ap_range}", RuleId("P8-8.01"))
    if kind.hesa:
        what = "High explosive" if kind.has("he") else "Small arms"
        yield Line(what, f"{kind.hesa}, range {kind.hesa_range}", RuleId("P8-8.01"))
    if kind.kind in (INFANTRY, "eng"):
        yield Line("Tank hunting", kind.tank_hunting, RuleId("P8-10.02"))
    rates = RATES[kind.move]
    yield Line("Moves", f"{rates.open} hexes in the open, {rates.road} on roads ({rates.title})", RuleId("P8-6.01"))
    yield Line("Fires", "to its front only" if kind.is_front_only else "all around", RuleId("P8-7.06"))
    yield Line("Quality", QUALITIES.get(element.quality, "regular"), RuleId("P8-2.04"))
    for flag in sorted(kind.flags):
        yield Line("Ability", flag_titles()[flag], RuleId("P8-2.03"))


def _place(position: Position, element: Element) -> Iterator[Line]:
    if not element.hex:
        yield Line("Out of action", "off the table", RuleId("P8-9.01"))
        return
    yield Line("Hex", place_name(position, element.hex), RuleId("P8-1.02"))
    yield Line("Faces", FACINGS[element.facing], RuleId("P8-7.05"))
    yield Line("Cover of the hex", hex_cover(position, element.hex), RuleId("P8-3.03"))
    if element.carrier != NOBODY:
        yield Line("Aboard", element_name(position, element.carrier), RuleId("P8-6.10"))
    for rider in passengers(position, element.id):
        yield Line("Carries", element_name(position, rider.id), RuleId("P8-6.10"))
    if element.suppressed:
        for line in recovery.recovery(position, element).lines:
            yield Line(f"Recovery: {line.label}", line.value, line.rule)


def _done(position: Position, element: Element) -> Iterator[Line]:
    for key in badges_of(position, element):
        badge = BY_KEY[key]
        if badge.tone:
            yield Line("Is" if key == "suppressed" else "It", badge.title, badge.rule)


def _left(view: View[Position], element: Element) -> Iterator[Line]:
    """What an element of the active side can still do in this turn, or why not."""
    position = view.position
    if element.side != view.side or position.active != element.side or not element.hex:
        return
    for action, title, rule in (("move", "Move", "P8-4.06"), ("fire", "Fire", "P8-4.06")):
        refusal = actions.cannot_act(position, view.side, element.id, action)
        if refusal is None:
            yield Line(title, "yes", RuleId(rule))
        else:
            yield Line(title, f"no: {refusal.reason}", refusal.rule)
