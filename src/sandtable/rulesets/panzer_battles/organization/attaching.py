"""Corps attachments: at midnight a unit or an organization is given to another corps of its side.

Rules: PB-OOB-10, PB-OOB-11, PB-CMD-28.
"""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.kernel.decisions import Refusal
from sandtable.kernel.ids import RuleId, SideId
from sandtable.kernel.resolution import Resolution
from sandtable.kernel.trace import Line, Tally
from sandtable.rulesets.panzer_battles import clock
from sandtable.rulesets.panzer_battles.command.control import nominal_range
from sandtable.rulesets.panzer_battles.environment.weather import day_at
from sandtable.rulesets.panzer_battles.formations import chain, formations, headquarters
from sandtable.rulesets.panzer_battles.model import Position, Unit
from sandtable.rulesets.panzer_battles.names import unit_name
from sandtable.rulesets.panzer_battles.organization.changes import attached
from sandtable.rulesets.panzer_battles.organization.events import Attached
from sandtable.rulesets.panzer_battles.organization.orders import Attach
from sandtable.rulesets.panzer_battles.refusals import own, refuse
from sandtable.rulesets.panzer_battles.scenario import FormationEntry

CORPS, ARMY = "corps", "army"
SOVIET, FIRST_YEAR_OF_ARMIES = "Soviet", 1942
"""From this year on the armies of the Soviets are what their corps were before (PB-OOB-11)."""


def changing_level(position: Position, unit: Unit) -> str:
    """The level between whose organizations a unit can be exchanged.

    Rules: PB-OOB-10, PB-OOB-11.
    """
    by_army = unit.of.nation == SOVIET and day_at(position.ground, position.minutes).year >= FIRST_YEAR_OF_ARMIES
    return ARMY if by_army else CORPS


def movable(position: Position, unit: Unit) -> list[FormationEntry]:
    """The organizations of a unit that can be given away, the smallest first: all below its corps; of Soviets from 1942
    on those below their army, but nothing out of a corps.

    Rules: PB-OOB-10, PB-OOB-11.
    """
    level, found = changing_level(position, unit), list[FormationEntry]()
    for one in chain(position, unit.formation):
        if one.level == level:
            return found
        found = [one] if one.level == CORPS else [*found, one]
    return []


def holder(position: Position, unit: Unit) -> str:
    """The corps, or of Soviets the army, that a unit belongs to; empty for none."""
    level = changing_level(position, unit)
    return next((one.id for one in chain(position, unit.formation) if one.level == level), "")


def takers(position: Position, unit: Unit) -> list[FormationEntry]:
    """The other organizations of its side that could take a unit in.

    Rules: PB-OOB-10, PB-OOB-11.
    """
    level, now = changing_level(position, unit), holder(position, unit)
    known = formations(position.ground).values()
    return [one for one in known if one.side == unit.side and one.level == level and one.id != now]


def is_single(position: Position, unit: Unit) -> bool:
    """Whether a unit can be given away by itself: a staff goes with its troops, and no part of a corps that is fixed.

    Rules: PB-OOB-10, PB-OOB-11.
    """
    above = [one.level for one in chain(position, unit.formation)]
    level = changing_level(position, unit)
    return not unit.of.has("hq") and level in above and CORPS not in above[: above.index(level)]


def can_change(position: Position, unit: Unit) -> bool:
    """Whether there is anything to be attached elsewhere about a unit, whatever the hour."""
    has_any = is_single(position, unit) or bool(movable(position, unit))
    return has_any and bool(takers(position, unit))


def cannot_attach(position: Position, side: SideId, unit: Unit) -> Refusal | None:
    """What keeps a unit and its organizations where they are.

    Rules: PB-OOB-10, PB-OOB-11, PB-CMD-28.
    """
    if not clock.is_midnight_turn(position.minutes, position.ground):
        return refuse("PB-OOB-10", "attachments change in the midnight turn only")
    if not can_change(position, unit):
        rule = "PB-OOB-11" if changing_level(position, unit) == ARMY else "PB-OOB-10"
        return refuse(rule, f"no other {changing_level(position, unit)} of its side could take it")
    return None


def check_attach(position: Position, side: SideId, order: Attach) -> Refusal | None:
    """Rules: PB-OOB-10, PB-OOB-11."""
    unit = own(position, side, order.unit, may_ride=True)
    if isinstance(unit, Refusal):
        return unit
    refusal = cannot_attach(position, side, unit)
    if refusal is not None:
        return refusal
    if order.to not in {one.id for one in takers(position, unit)}:
        return refuse("PB-OOB-10", "that is no organization that could take it")
    if order.organization:
        is_known = order.organization in {one.id for one in movable(position, unit)}
        return None if is_known else refuse("PB-OOB-11", "that is no organization of its that can be given away")
    return None if is_single(position, unit) else refuse("PB-OOB-10", "it goes with its organization")


def resolve_attach(resolution: Resolution[Position], side: SideId, order: Attach) -> None:
    """The unit or its organization is under another command.

    Rules: PB-OOB-10.
    """
    unit = resolution.position.units[order.unit]
    ids = () if order.organization else (unit.id, *unit.parts)
    resolution.emit(Attached(side, ids, order.organization, order.to))


def attach_offers(position: Position, side: SideId, unit: Unit) -> Iterator[Attach]:
    """A unit, and each of its organizations that can be given away, to each who could take it."""
    if cannot_attach(position, side, unit) is not None:
        return
    single = [""] if is_single(position, unit) else []
    for key in (*single, *(one.id for one in movable(position, unit))):
        for taker in takers(position, unit):
            yield Attach(unit.id, key, taker.id)


def what(position: Position, order: Attach) -> str:
    """What an order gives away, in words."""
    found = formations(position.ground).get(order.organization)
    return found.title if found else unit_name(position, order.unit)


def taker_title(position: Position, order: Attach) -> str:
    """Who takes it, in words."""
    found = formations(position.ground).get(order.to)
    return found.title if found else "nobody"


def explain_attach(position: Position, side: SideId, order: Attach) -> tuple[Tally, ...]:
    """Which staff the unit would have, or the staff of its organization over it, how far that is and how far it
    reaches.
    """
    unit = _led(position, order)
    ids = () if order.organization else (unit.id,)
    after = attached(position, ids, order.organization, order.to)
    post = headquarters(after, after.units[unit.id])
    title = f"Headquarters over {unit_name(position, unit.id)}"
    if post is None:
        return (Tally(title, "none", (Line("without a headquarters", "", RuleId("PB-OOB-5")),)),)
    lines = (
        Line("hexes away", position.ground.board.distance(unit.hex, post.hex), RuleId("PB-CMD-7")),
        Line("its range", nominal_range(post, position.parameters), RuleId("PB-CMD-3")),
    )
    return (Tally(title, unit_name(position, post.id), lines),)


def _led(position: Position, order: Attach) -> Unit:
    """Who has another staff over him by an order: the unit, or the staff of the organization that is given away."""
    staffs = (one for one in position.units if one.formation == order.organization and one.of.has("hq") and one.hex)
    return next(staffs, position.units[order.unit])
