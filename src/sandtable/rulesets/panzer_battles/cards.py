"""The card of a unit: its values, its state, where it is and what it can still do."""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.kernel.ids import RuleId, UnitId
from sandtable.kernel.questions import Section, UnitCard
from sandtable.kernel.state import View
from sandtable.kernel.trace import Line
from sandtable.play.words import mixed
from sandtable.rulesets.panzer_battles.badges import BY_KEY, FATIGUE, badges_of
from sandtable.rulesets.panzer_battles.command.control import is_detached, modified_range, nominal_range
from sandtable.rulesets.panzer_battles.command.outlook import outlook
from sandtable.rulesets.panzer_battles.engineers.outlook import at_work
from sandtable.rulesets.panzer_battles.fire.costs import fire_cost, fires_left
from sandtable.rulesets.panzer_battles.fire.policy import policy_lines
from sandtable.rulesets.panzer_battles.fire.situations import as_struck
from sandtable.rulesets.panzer_battles.formations import chain
from sandtable.rulesets.panzer_battles.kinds import FLAG_TITLES, TYPE_TITLES, UNKNOWN
from sandtable.rulesets.panzer_battles.menu import bars_fire
from sandtable.rulesets.panzer_battles.model import Position, Unit
from sandtable.rulesets.panzer_battles.movement.costs import allowance
from sandtable.rulesets.panzer_battles.movement.moves import cannot_move
from sandtable.rulesets.panzer_battles.names import COMPONENTS, GRADES, place_name
from sandtable.rulesets.panzer_battles.organization.combining import count
from sandtable.rulesets.panzer_battles.pieces import counter_title
from sandtable.rulesets.panzer_battles.results.notation import notation
from sandtable.rulesets.panzer_battles.results.struck import fatigue_level, morale_tally
from sandtable.rulesets.panzer_battles.supply.display import by_column


def points_color(points: int, most: int) -> str:
    """The color in which movement points are told: by the part that is left of the allowance.

    Rules: PB-MOVE-124.
    """
    if points >= most:
        return "white"
    if 3 * points >= 2 * most:
        return "green"
    return "yellow" if 3 * points >= most else "red"


def card(view: View[Position], id: UnitId) -> UnitCard | None:
    """What the side knows of a unit; None when it knows of none."""
    position = view.position
    if not 0 <= id < len(position.units) or position.units[id].kind == UNKNOWN:
        return None
    unit = position.units[id]
    sections = [Section("Values", tuple(values(unit))), Section("State", tuple(_state(position, unit)))]
    if position.knows(unit.side):
        sections.append(Section("Organization", tuple(_organization(position, unit)), units=(id,)))
        ahead = (*outlook(position, unit), *at_work(position, unit)) if unit.hex else ()
        if ahead:
            sections.append(Section("At the start of its next turn", ahead))
    left = tuple(_left(view, unit))
    if left:
        sections.append(Section("It can still", left))
    title = counter_title(position, unit)
    return UnitCard(id, title, unit.of.name, unit.side, tuple(sections), badges_of(position, unit))


def values(unit: Unit) -> Iterator[Line]:
    """What the table says of a unit's type, and what the order of battle adds to it.

    Rules: PB-OOB-6, PB-UNIT-4, PB-UNIT-5, PB-UNIT-7.
    """
    kind = unit.of
    size = f"{count(unit)} combined" if unit.parts else kind.size
    yield Line("Type", f"{TYPE_TITLES[kind.type]}, {size}", RuleId("PB-UNIT-7"))
    for word, value, reach in (("Soft", kind.soft, kind.soft_range), ("Hard", kind.hard, kind.hard_range)):
        if value and reach:
            yield Line(f"{word} attack", f"{value}, range {reach}", RuleId("PB-UNIT-5"))
    yield Line("Defense", f"{kind.defense}, {kind.target} target", RuleId("PB-UNIT-4"))
    yield Line("Assault", kind.assault, RuleId("PB-UNIT-4"))
    yield Line("Movement", f"{kind.ma}, {kind.move_class}", RuleId("PB-UNIT-4"))
    for flag in sorted(kind.flags.union(unit.flags)):
        yield Line("Ability", FLAG_TITLES[flag], RuleId("PB-UNIT-4"))


def _state(position: Position, unit: Unit) -> Iterator[Line]:
    """Where it is and how it stands; of an enemy what shows (PB-UNIT-16, PB-UNIT-18)."""
    if unit.gone:
        yield Line("Eliminated", "off the map", RuleId("PB-UNIT-8"))
        return
    yield Line("Hex", place_name(position, unit.hex), RuleId("PB-MAP-2"))
    word = COMPONENTS[unit.of.component][1].capitalize()
    if not position.knows(unit.side):
        yield Line(word, notation(unit.strength), RuleId("PB-UNIT-16"))
    else:
        yield Line(word, f"{unit.strength} of {unit.full}", RuleId("PB-UNIT-2"))
        yield Line("Quality", f"{unit.quality}, {GRADES[unit.quality]}", RuleId("PB-MOR-1"))
        level = fatigue_level(unit.fatigue, position.parameters)
        yield Line("Fatigue", f"{unit.fatigue}, {level}", RuleId("PB-FAT-12"))
        most = allowance(position, unit)
        if unit.is_immobile:
            yield Line("Fires left", fires_left(position, unit), RuleId("PB-UNIT-11"))
        else:
            yield Line("Movement points", f"{unit.mp} of {most}, {points_color(unit.mp, most)}", RuleId("PB-MOVE-124"))
        morale = morale_tally(as_struck(unit), position.parameters)
        yield Line("Morale", morale.total, RuleId("PB-MOR-2"))
        yield from morale.lines
        if unit.of.has("hq"):
            reach, nominal = modified_range(unit, position.parameters), nominal_range(unit, position.parameters)
            yield Line("Command range", f"{mixed(reach)} hexes now, {nominal} at best", RuleId("PB-CMD-4"))
        if unit.hex:
            yield from by_column(position, unit)
        if unit.hex and is_detached(position, unit):
            yield Line("Is", "Detached", RuleId("PB-CMD-7"))
    for badge in (BY_KEY[key] for key in badges_of(position, unit)):
        # fatigue has its line above
        if badge not in FATIGUE:
            yield Line("Is", badge.title, badge.rule)


def _organization(position: Position, unit: Unit) -> Iterator[Line]:
    """Its organizations up to the top (PB-OOB-9)."""
    for formation in chain(position, unit.formation):
        yield Line(formation.level.replace("_", " ").capitalize(), formation.title, RuleId("PB-OOB-9"))


def _left(view: View[Position], unit: Unit) -> Iterator[Line]:
    """What a unit of the active side can still do in this turn, or why not."""
    position = view.position
    if unit.side != view.side or position.active != unit.side or not unit.hex:
        return
    barred = cannot_move(position, view.side, unit)
    yield Line("Move", f"no: {barred.reason}", barred.rule) if barred else Line("Move", "yes", RuleId("PB-MOVE-1"))
    yield from policy_lines(position, unit)
    barred = bars_fire(position, view.side, unit)
    if barred:
        yield Line("Fire", f"no: {barred.reason}", barred.rule)
    else:
        yield Line("Fire", f"for {fire_cost(position, unit)} points each", RuleId("PB-FIRE-14"))
