"""The card of a unit: its values, where it is, its order, what has become of it and what it can still do."""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.kernel.ids import NOBODY, RuleId, UnitId
from sandtable.kernel.questions import Section, UnitCard
from sandtable.kernel.state import View
from sandtable.kernel.trace import Line
from sandtable.rulesets.panzer_44.badges import BY_KEY
from sandtable.rulesets.panzer_44.describe import ghost, piece, place_name, plot_words, unit_name
from sandtable.rulesets.panzer_44.kinds import MOBILITY_TITLES, WEAPON_TITLES, flag_titles
from sandtable.rulesets.panzer_44.model import UNSEEN, Position, Unit
from sandtable.rulesets.panzer_44.movement import left_of, points
from sandtable.rulesets.panzer_44.panic import last_digit, nerves
from sandtable.rulesets.panzer_44.plots import plot_of
from sandtable.rulesets.panzer_44.stacks import kind_of, passengers
from sandtable.rulesets.panzer_44.tables import REMOVAL


def card(view: View[Position], id: UnitId) -> UnitCard | None:
    """What the side knows of a unit; None when it knows of none."""
    position = view.position
    if not 0 <= id < len(position.units):
        return None
    unit = position.units[id]
    if unit.fate == UNSEEN:
        contact = position.contacts.get(id)
        if contact is None:
            return None
        seen = Line("Last seen", f"turn {contact.turn}", RuleId("P44-4.07"))
        sections: tuple[Section, ...] = (Section("Values", tuple(values(contact.unit))), Section("Contact", (seen,)))
        return UnitCard(id, ghost(position, contact, view.side).title, kind_of(contact.unit).name, unit.side, sections)
    sections = (
        Section("Values", tuple(values(unit))),
        Section("Where it is", tuple(_place(position, unit))),
        Section("State", tuple(_state(position, unit, view))),
    )
    worn = piece(position, unit, view.side).badges
    return UnitCard(id, unit_name(position, id), kind_of(unit).name, unit.side, sections, worn)


def values(unit: Unit) -> Iterator[Line]:
    """What the tables say of a unit, in words.

    Rules: P44-3.01, P44-3.02, P44-3.03.
    """
    kind = kind_of(unit)
    if kind.is_armed:
        yield Line("Attack", f"{kind.attack}, {WEAPON_TITLES[kind.weapon]}", RuleId("P44-3.02"))
        yield Line("Range", kind.range, RuleId("P44-3.05"))
    yield Line("Defense", f"{kind.defense}, {kind.target} target", RuleId("P44-3.01"))
    yield Line("Movement", f"{kind.ma}, {MOBILITY_TITLES[kind.mobility]}", RuleId("P44-3.03"))
    if kind.carries:
        yield Line("Carries", "one foot unit or gun", RuleId("P44-4.04"))
    for flag in sorted(kind.flags):
        yield Line("Ability", flag_titles()[flag], RuleId("P44-3.01"))


def _place(position: Position, unit: Unit) -> Iterator[Line]:
    if not unit.hex:
        yield Line("Off the map", unit.fate, RuleId("P44-10.04"))
        return
    yield Line("Hex", place_name(position, unit.hex), RuleId("P44-1.04"))
    yield Line("Last digit", last_digit(position, unit.hex), RuleId("P44-6.03"))
    if unit.carrier != NOBODY:
        yield Line("Aboard", unit_name(position, unit.carrier), RuleId("P44-4.05"))
    for rider in passengers(position, unit.id):
        yield Line("Carries", unit_name(position, rider.id), RuleId("P44-4.05"))


def _state(position: Position, unit: Unit, view: View[Position]) -> Iterator[Line]:
    """Markers, order, panic level, and what is left of its movement."""
    for key in piece(position, unit, view.side).badges:
        yield Line("It is" if BY_KEY[key].tone else "It", BY_KEY[key].title, BY_KEY[key].rule)
    if unit.disruption:
        rolls = REMOVAL[unit.disruption]
        yield Line("Recovers on", f"1 to {max(rolls)}" if len(rolls) > 1 else "1", RuleId("P44-10.08"))
    plot = plot_of(position, unit.id)
    if plot is not None and (unit.side == view.side or position.step != "plot"):
        yield Line("Order", plot_words(position, plot), RuleId("P44-5.04"))
    level = next((one.level for one in nerves(position.ground, unit.side) if one.group == unit.group), 0)
    yield Line("Panic Level", level, RuleId("P44-6.01"))
    if unit.side == view.side and unit.spent:
        yield Line("Movement points left", points(left_of(unit)), RuleId("P44-12.01"))
