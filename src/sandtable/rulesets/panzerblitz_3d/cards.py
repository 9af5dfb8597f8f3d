"""The card of a unit: what is printed on it, where it is, what it has done and what it can still do.

Of an enemy a card tells what his counter shows; what he can still do is for him to know.

Rules: PB3-102, PB3-304, PB3-1303.
"""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.kernel.decisions import Refusal
from sandtable.kernel.ids import NOBODY, RuleId, UnitId
from sandtable.kernel.questions import Section, UnitCard
from sandtable.kernel.state import View
from sandtable.kernel.trace import Line
from sandtable.play.words import mixed
from sandtable.rulesets.panzerblitz_3d import mobility, prospects
from sandtable.rulesets.panzerblitz_3d.badges import BY_KEY, badges_of
from sandtable.rulesets.panzerblitz_3d.combat import counts_as_armored, die_modifiers
from sandtable.rulesets.panzerblitz_3d.counters import values_of
from sandtable.rulesets.panzerblitz_3d.dangers import dangers
from sandtable.rulesets.panzerblitz_3d.describe import coming, name_of, place_name, unit_name, unit_names
from sandtable.rulesets.panzerblitz_3d.insight import terrain_name
from sandtable.rulesets.panzerblitz_3d.journeys import halves
from sandtable.rulesets.panzerblitz_3d.kinds import KINDS
from sandtable.rulesets.panzerblitz_3d.model import DESTROYED, EXITED, FIRE, UNSEEN, Contact, Position, Unit
from sandtable.rulesets.panzerblitz_3d.stacks import garrison, passenger_of
from sandtable.rulesets.panzerblitz_3d.terrain import is_hiding

ATTACKED = {
    "fire": "by fire",
    "opportunity": "by opportunity fire",
    "overrun": "by an overrun",
    "assault": "by close assault",
    "artillery": "by artillery",
    "mine": "by mines",
}


def card(view: View[Position], id: UnitId) -> UnitCard | None:
    """What the side knows of a unit by the number of its piece; None when it knows of none."""
    position = view.position
    if not 0 <= id < len(position.units):
        return None
    unit = position.units[id]
    if unit.fate != UNSEEN:
        return _unit_card(view, unit)
    contact = position.contacts.get(id)
    return None if contact is None else _contact_card(position, contact)


def _unit_card(view: View[Position], unit: Unit) -> UnitCard:
    position = view.position
    sections = [Section("Printed", tuple(printed(unit.kind)))]
    for title, lines in (
        ("Where it is", _place(position, unit)),
        ("This turn", done(position, unit)),
        ("It can still", _left(view, unit)),
        ("Known enemies can fire at it", _danger(view, unit)),
    ):
        found = tuple(lines)
        if found:
            sections.append(Section(title, found))
    name = KINDS[unit.kind].name
    worn = badges_of(position, unit)
    return UnitCard(unit.id, unit_name(position, unit.id), name, unit.side, tuple(sections), worn)


def _contact_card(position: Position, contact: Contact) -> UnitCard:
    """An enemy out of sight, as he was when he was last seen."""
    unit, rule = contact.unit, RuleId("PB3-1303")
    seen = Line("Last seen in", place_name(position, unit.hex), rule), Line("On turn", contact.turn, rule)
    sections = (Section("Out of sight", seen), Section("Printed", tuple(printed(unit.kind))))
    return UnitCard(unit.id, name_of(position, unit), KINDS[unit.kind].name, unit.side, sections)


def printed(key: str) -> Iterator[Line]:
    """What is printed on a counter, and what that makes of it."""
    for value in values_of(key):
        yield Line(f"{value.name}: {value.meaning}", value.amount, value.rule)


def _place(position: Position, unit: Unit) -> Iterator[Line]:
    """Where a unit is, what that does for it, and who is with it."""
    if not unit.hex:
        yield _off_table(position, unit)
        return
    board = position.ground.board
    yield Line("Hex", place_name(position, unit.hex), RuleId("PB3-101"))
    yield Line("Terrain", terrain_name(position, unit.hex), RuleId("PB3-205"))
    yield Line("Level", board.elevation[unit.hex], RuleId("PB3-202"))
    if is_hiding(board, unit.hex):
        yield Line("Hidden", "must be spotted to be fired at from afar", RuleId("PB3-711"))
    for line in die_modifiers(position, FIRE, unit.hex, (unit,)):
        yield Line(f"Die against fire: {line.label.lower()}", f"{line.value:+d}", line.rule)
    if counts_as_armored(position, unit) and not KINDS[unit.kind].armored:
        yield Line("Defends as", "armored", RuleId("PB3-806"))
    yield from _company(position, unit)


def _off_table(position: Position, unit: Unit) -> Line:
    if unit.fate == DESTROYED:
        return Line("Destroyed", "off the table", RuleId("PB3-901"))
    if unit.fate == EXITED:
        return Line("Left the map", "off the table", RuleId("PB3-1301"))
    return Line("In reserve", coming(position, unit) or "to be set up", RuleId("PB3-1303"))


def _company(position: Position, unit: Unit) -> Iterator[Line]:
    """Who carries or shelters a unit, and whom it carries or shelters."""
    if unit.carrier != NOBODY:
        yield Line("Aboard", unit_name(position, unit.carrier), RuleId("PB3-621"))
    if unit.fort != NOBODY:
        yield Line("Inside", unit_name(position, unit.fort), RuleId("PB3-1606"))
    passenger = passenger_of(position, unit.id)
    if passenger is not None:
        yield Line("Carries", unit_name(position, passenger.id), RuleId("PB3-621"))
    inside = garrison(position, unit.id)
    if inside:
        yield Line("Holds", unit_names(position, (one.id for one in inside)), RuleId("PB3-1606"))


def done(position: Position, unit: Unit) -> Iterator[Line]:
    """What a unit has done and suffered in this game turn, and what it has in hand."""
    for key in badges_of(position, unit):
        badge = BY_KEY[key]
        if badge.tone in ("spent", "shaken"):
            yield Line("Has" if badge.tone == "spent" else "Is", badge.title, badge.rule)
    if unit.served:
        yield Line("Recovers", "at the end of this game turn", RuleId("PB3-905"))
    now = mobility.account(position, unit)
    if now is not None and now.spent:
        yield Line("Movement spent", mixed(halves(now.spent)), RuleId("PB3-602"))
    for how in unit.attacked:
        yield Line("Was attacked", ATTACKED[how], RuleId("PB3-802"))
    for shot in position.shots:
        if unit.id in shot.firers:
            yield Line("Fires at", place_name(position, shot.hex), RuleId("PB3-505"))
    if unit.id in position.assigned or (unit.of_assigned and not unit.of_used):
        yield Line("Waits for", "an opportunity to fire", RuleId("PB3-1101"))


def _left(view: View[Position], unit: Unit) -> Iterator[Line]:
    """What a unit of the side on turn can still do before its player turn is over, or why not."""
    position, kind = view.position, KINDS[unit.kind]
    if unit.side != view.side or position.phasing != unit.side or not unit.hex or kind.is_work:
        return
    refusal = prospects.no_move(position, unit)
    yield _chance("Move", refusal, "PB3-601")
    if refusal is None:
        left = max(0, mobility.terms(position, unit).left)
        yield Line("Movement points left", mixed(halves(left)), RuleId("PB3-602"))
    if kind.attack:
        yield _chance("Fire", prospects.no_fire(position, unit), "PB3-801")
    if kind.has("inf"):
        yield _chance("Close assault", prospects.no_assault(position, unit), "PB3-1021")


def _danger(view: View[Position], unit: Unit) -> Iterator[Line]:
    """The odds at which known enemies could fire at a unit of the side where it stands."""
    if unit.side == view.side and unit.hex:
        for threat in dangers(view, unit.hex, unit.id):
            yield Line(unit_names(view.position, threat.actors), threat.text, RuleId("PB3-811"))


def _chance(what: str, refusal: Refusal | None, rule: str) -> Line:
    return Line(what, f"no: {refusal.reason}", refusal.rule) if refusal else Line(what, "yes", RuleId(rule))
