"""The card of a unit or an aircraft: what is printed on it, where it is, what it has done and what it can still do.

Of an enemy a card tells what his counter shows; what he can still do is for him to know.

Rules: PL-102, PL-307, PL-308, PL-1507.
"""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.kernel.decisions import Refusal
from sandtable.kernel.ids import NOBODY, RuleId, UnitId
from sandtable.kernel.questions import Section, UnitCard
from sandtable.kernel.state import View
from sandtable.kernel.trace import Line
from sandtable.rulesets.panzer_leader import artillery, dangers, mobility, prospects
from sandtable.rulesets.panzer_leader.badges import BY_KEY, badges_of, badges_of_aircraft
from sandtable.rulesets.panzer_leader.combat import DIRECT, defends_as_armored, defense_of, die_modifiers
from sandtable.rulesets.panzer_leader.counters import values_of
from sandtable.rulesets.panzer_leader.describe import (
    aircraft_name,
    aircraft_piece,
    coming,
    name_of,
    place_name,
    unit_name,
    unit_names,
)
from sandtable.rulesets.panzer_leader.kinds import KINDS, aircraft_kinds
from sandtable.rulesets.panzer_leader.model import (
    DESTROYED,
    EXITED,
    UNSEEN,
    Aircraft,
    Contact,
    Position,
    Unit,
)
from sandtable.rulesets.panzer_leader.stacks import garrison, passenger_of
from sandtable.rulesets.panzer_leader.terrain import is_concealing, level_at, points, terrain_at

DIRECTIONS = ("north", "northeast", "southeast", "south", "southwest", "northwest")
ATTACKED = {
    "mine": "by mines",
    "fire": "by fire",
    "air": "from the air",
    "overrun": "by an overrun",
    "assault": "by close assault",
}


def card(view: View[Position], id: UnitId) -> UnitCard | None:
    """What the side knows of a unit or an aircraft by the number of its piece; None when it knows of none."""
    position = view.position
    if 0 <= id < len(position.units):
        unit = position.units[id]
        if unit.fate != UNSEEN:
            return _unit_card(view, unit)
        contact = position.contacts.get(id)
        return None if contact is None else _contact_card(position, contact)
    number = id - len(position.units)
    return _aircraft_card(position, position.aircraft[number]) if 0 <= number < len(position.aircraft) else None


def _unit_card(view: View[Position], unit: Unit) -> UnitCard:
    position = view.position
    sections = [Section("Printed", tuple(printed(unit.kind)))]
    for title, lines in (
        ("Where it is", _place(position, unit)),
        ("This segment", done(position, unit)),
        ("It can still", _left(view, unit)),
        ("Known enemies can attack it", _danger(view, unit)),
    ):
        found = tuple(lines)
        if found:
            sections.append(Section(title, found))
    name = KINDS[unit.kind].name
    worn = badges_of(position, unit)
    return UnitCard(unit.id, unit_name(position, unit.id), name, unit.side, tuple(sections), worn)


def _contact_card(position: Position, contact: Contact) -> UnitCard:
    """An enemy out of sight, as he was when he was last seen.

    Rules: PL-1507.
    """
    unit, rule = contact.unit, RuleId("PL-1507")
    seen = Line("Last seen in", place_name(position, unit.hex), rule), Line("On turn", contact.turn, rule)
    sections = (Section("Out of sight", seen), Section("Printed", tuple(printed(unit.kind))))
    return UnitCard(unit.id, name_of(position, unit), KINDS[unit.kind].name, unit.side, sections)


def printed(key: str) -> Iterator[Line]:
    """What is printed on a counter, and what that makes of it.

    Rules: PL-102, PL-307.
    """
    for value in values_of(key):
        yield Line(f"{value.name}: {value.meaning}", value.amount, value.rule)


def _place(position: Position, unit: Unit) -> Iterator[Line]:
    """Where a unit is, what that does for it, and who is with it."""
    if not unit.hex:
        yield _off_table(position, unit)
        return
    terrain = terrain_at(position, unit.hex)
    yield Line("Hex", place_name(position, unit.hex), RuleId("PL-101"))
    yield Line("Terrain", terrain.title, RuleId("PL-209"))
    yield Line("Level", level_at(position, unit.hex), RuleId("PL-202"))
    if is_concealing(position, unit.hex):
        yield Line("Cover", "must be spotted to be fired at from afar", RuleId("PL-721"))
    for line in die_modifiers(position, DIRECT, unit.hex, (unit,)):
        yield Line(f"Die against fire: {line.label.lower()}", f"{line.value:+d}", line.rule)
    yield Line("Defends with", defense_of(position, unit), RuleId("PL-802"))
    if defends_as_armored(position, unit) and not KINDS[unit.kind].armored:
        yield Line("Defends as", "armored", RuleId("PL-302"))
    yield from _company(position, unit)


def _off_table(position: Position, unit: Unit) -> Line:
    if unit.fate == DESTROYED:
        return Line("Destroyed", "off the table", RuleId("PL-901"))
    if unit.fate == EXITED:
        return Line("Left the map", "off the table", RuleId("PL-1504"))
    return Line("In reserve", coming(position, unit) or "to be set up", RuleId("PL-1506"))


def _company(position: Position, unit: Unit) -> Iterator[Line]:
    """Who carries or shelters a unit, whom it carries or shelters, and the way it points."""
    if unit.carrier != NOBODY:
        yield Line("Aboard", unit_name(position, unit.carrier), RuleId("PL-641"))
    if unit.fort != NOBODY:
        yield Line("Inside", unit_name(position, unit.fort), RuleId("PL-1321"))
    passenger = passenger_of(position, unit.id)
    if passenger is not None:
        yield Line("Carries", unit_name(position, passenger.id), RuleId("PL-641"))
    inside = garrison(position, unit.id)
    if inside:
        yield Line("Holds", unit_names(position, (one.id for one in inside)), RuleId("PL-1321"))
    if position.ground.options.field_of_fire and not KINDS[unit.kind].movement:
        yield Line("Points", DIRECTIONS[unit.facing], RuleId("PL-1608"))


def done(position: Position, unit: Unit) -> Iterator[Line]:
    """What a unit has done and suffered in this segment, and what it has in hand."""
    for key in badges_of(position, unit):
        badge = BY_KEY[key]
        if badge.tone in ("spent", "shaken"):
            yield Line("Has" if badge.tone == "spent" else "Is", badge.title, badge.rule)
    now = mobility.account(position, unit)
    if now is not None and now.spent:
        yield Line("Movement spent", points(now.spent), RuleId("PL-603"))
    for group in unit.attacked:
        yield Line("Was attacked", ATTACKED[group], RuleId("PL-511"))
    for work in position.works:
        if work.unit == unit.id:
            yield Line("Works", f"{work.task} in {place_name(position, work.hex)}", RuleId("PL-1304"))
    for mission in position.missions:
        if unit.id in mission.firers:
            what = "smoke" if mission.smoke else "indirect fire"
            yield Line("Ordered", f"{what} on {place_name(position, mission.hex)}", RuleId("PL-1102"))


def _left(view: View[Position], unit: Unit) -> Iterator[Line]:
    """What a unit of the side on turn can still do before its segment is over, or why not."""
    position, kind = view.position, KINDS[unit.kind]
    if unit.side != view.side or position.phasing != unit.side or not unit.hex or kind.is_work:
        return
    refusal = prospects.no_move(position, unit)
    yield _chance("Move", refusal, "PL-601")
    if refusal is None:
        yield Line("Movement points left", points(mobility.terms(position, unit).left), RuleId("PL-603"))
    if kind.attack:
        yield _chance("Fire", prospects.no_fire(position, unit), "PL-801")
    if unit.kind in artillery.BATTERIES:
        yield _chance("Be ordered to fire indirectly", prospects.no_mission(position, unit), "PL-1101")
    if kind.is_infantry:
        yield _chance("Close assault", prospects.no_assault(position, unit), "PL-1021")


def _danger(view: View[Position], unit: Unit) -> Iterator[Line]:
    """The odds at which known enemies could attack a unit of the side where it stands, the worst first."""
    if unit.side == view.side and unit.hex:
        yield from dangers.lines(view, unit)


def _chance(what: str, refusal: Refusal | None, rule: str) -> Line:
    return Line(what, f"no: {refusal.reason}", refusal.rule) if refusal else Line(what, "yes", RuleId(rule))


def _aircraft_card(position: Position, plane: Aircraft) -> UnitCard:
    """An aircraft with its weapons and what is left of them.

    Rules: PL-308, PL-1205.
    """
    kind = aircraft_kinds()[plane.kind]
    lines = [Line("Role", kind.role.replace("_", " "), RuleId("PL-308"))]
    if kind.guns is not None:
        lines.append(Line("Machine guns", kind.guns.strength, RuleId("PL-308")))
        lines.append(Line("Strafing runs left", plane.strafes, RuleId("PL-1205")))
    if plane.ordnance:
        lines.append(Line("Carries", plane.ordnance, RuleId("PL-1205")))
    where = place_name(position, plane.hex) if plane.hex else "off the map"
    lines.append(Line("Where it is", where, RuleId("PL-1201")))
    sections = (Section("Aircraft", tuple(lines)),)
    worn = badges_of_aircraft(plane)
    id = aircraft_piece(position, plane.id)
    return UnitCard(id, aircraft_name(position, plane.id), kind.name, plane.side, sections, worn)
