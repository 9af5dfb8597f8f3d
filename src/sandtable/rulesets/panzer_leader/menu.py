"""What a client shows for a selection: each verb of the step with its targets, or greyed with the refusal that says
why.

Every target carries the complete order, so that a client needs no rules to give it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from sandtable.kernel.decisions import Refusal
from sandtable.kernel.events import Order
from sandtable.kernel.ids import NOWHERE, HexId, RuleId, SideId, UnitId
from sandtable.kernel.ruleset import AnyRuleset, Selection, Target, Verb
from sandtable.kernel.state import View
from sandtable.rulesets.panzer_leader import (
    air,
    artillery,
    assault,
    engineers,
    fire,
    forts,
    movement,
    naval,
    opportunity,
    orders,
    overrun,
    sequence,
    setup,
    transport,
    victory,
)
from sandtable.rulesets.panzer_leader.describe import unit_name, unit_names
from sandtable.rulesets.panzer_leader.frames import OpportunityWindow
from sandtable.rulesets.panzer_leader.kinds import KINDS
from sandtable.rulesets.panzer_leader.model import RESERVE, Position, Unit
from sandtable.rulesets.panzer_leader.stacks import fort_at, passenger_of

Generator = Callable[[Position, SideId, Unit], Iterator[Order]]


def anybody(position: Position, unit: Unit) -> bool:
    """The verb is for every unit."""
    return True


def _waits(position: Position, unit: Unit) -> bool:
    return position.step in ("setup", "landing") or unit.fate == RESERVE


def _is_armored(position: Position, unit: Unit) -> bool:
    return KINDS[unit.kind].armored and not KINDS[unit.kind].is_work


def _has_fort(position: Position, unit: Unit) -> bool:
    return fort_at(position, unit.hex) is not None


def _carries(position: Position, unit: Unit) -> bool:
    return passenger_of(position, unit.id) is not None


def _can_work(position: Position, unit: Unit) -> bool:
    return any(KINDS[unit.kind].has(flag) for flag in ("eng", "flail", "bridge"))


def _has_field_of_fire(position: Position, unit: Unit) -> bool:
    return any(True for _ in fire.facing_options(position, unit.side, unit))


def _has_way_out(position: Position, unit: Unit) -> bool:
    return any(way.side == unit.side for way in victory.terms(position).exits)


class VerbRow(msgspec.Struct, frozen=True):
    """One verb: in which steps it is offered, which orders it gives, and the rule to cite when it can't be used."""

    key: str
    title: str
    hotkey: str
    order: type[Order]
    steps: tuple[str, ...]
    options: Generator
    rule: str
    nothing: str
    suits: Callable[[Position, Unit], bool] = anybody
    """Whether the verb could ever mean anything to the unit; the menu is silent about it otherwise."""
    actors: str = ""
    """The field of the order that names all who act together, if several can."""


MOVEMENT = ("vehicle movement", "foot movement")

VERBS: tuple[VerbRow, ...] = (
    VerbRow(
        "place", "Place", "p", orders.PlaceUnit, ("setup", "landing", *MOVEMENT), setup.placement_options,
        "PL-1506", "there is no hex where it can be placed now", suits=_waits,
    ),
    VerbRow(
        "mission", "Indirect fire", "i", orders.WriteMission, ("indirect orders",), artillery.mission_options,
        "PL-1103", "no hex in its range is under the eyes of a friendly unit", actors="firers",
    ),
    VerbRow(
        "fire", "Fire", "f", orders.DirectFire, ("direct fire",), fire.fire_options,
        "PL-805", "it has no target in range and in sight", actors="firers",
    ),
    VerbRow(
        "antiair", "Fire at aircraft", "f", orders.FireAtAircraft, ("anti-aircraft",), air.antiair_options,
        "PL-1207", "no aircraft is in its range", actors="firers",
    ),
    VerbRow(
        "move", "Move", "m", orders.MoveUnit, MOVEMENT, movement.move_options,
        "PL-601", "there is no hex it can move to",
    ),
    VerbRow(
        "overrun", "Overrun", "o", orders.Overrun, ("vehicle movement",), overrun.overrun_options,
        "PL-1001", "there is no stack it can overrun", suits=_is_armored,
    ),
    VerbRow(
        "load", "Load", "l", orders.LoadUnit, ("vehicle movement",), transport.load_options,
        "PL-641", "there is nobody here it can take aboard",
    ),
    VerbRow(
        "unload", "Unload", "u", orders.UnloadUnit, ("vehicle movement",), transport.load_options,
        "PL-642", "it carries nobody it could set down", suits=_carries,
    ),
    VerbRow(
        "enter", "Enter fort", "e", orders.EnterFort, MOVEMENT, forts.fort_options,
        "PL-1321", "there is no fortification here it could enter", suits=_has_fort,
    ),
    VerbRow(
        "leave fort", "Leave fort", "v", orders.LeaveFort, MOVEMENT, forts.fort_options,
        "PL-1321", "it is in no fortification it could leave", suits=_has_fort,
    ),
    VerbRow(
        "work", "Set to work", "w", orders.BeginWork, MOVEMENT, engineers.work_options,
        "PL-1304", "there is no work here for it", suits=_can_work,
    ),
    VerbRow(
        "finish", "Finish work", "n", orders.FinishWork, MOVEMENT, engineers.work_options,
        "PL-1331", "it has no work ready to be finished", suits=_can_work,
    ),
    VerbRow(
        "exit", "Leave the map", "x", orders.LeaveMap, MOVEMENT, movement.move_options,
        "PL-1504", "it can't leave the map from here", suits=_has_way_out,
    ),
    VerbRow(
        "turn", "Turn", "t", orders.SetFacing, ("setup", "foot movement"), fire.facing_options,
        "PL-1608", "it can't be turned now", suits=_has_field_of_fire,
    ),
    VerbRow(
        "assault", "Close assault", "a", orders.CloseAssault, ("close assault",), assault.assault_options,
        "PL-1021", "there is no hex it can assault", actors="units",
    ),
)  # fmt: skip


def menu(ruleset: AnyRuleset, view: View[Position], selection: Selection) -> tuple[Verb, ...]:
    """The verbs of the open decision for the selected units, and those that need no unit."""
    if not view.decisions:
        return ()
    top = view.flow[-1]
    if isinstance(top, OpportunityWindow):
        return _reaction_menu(ruleset, view, top)
    step = view.decisions[0].kind
    chosen = [view.position.units[id] for id in selection.units if 0 <= id < len(view.position.units)]
    verbs = [
        _verb(ruleset, view, row, chosen)
        for row in VERBS
        if step in row.steps and any(row.suits(view.position, unit) for unit in chosen)
    ]
    return (*verbs, *_unitless(ruleset, view, step), _ending(ruleset, view))


def _verb(ruleset: AnyRuleset, view: View[Position], row: VerbRow, chosen: list[Unit]) -> Verb:
    own = [unit for unit in chosen if unit.side == view.side]
    if not own:
        return Verb(row.key, row.title, row.hotkey, refusal=Refusal(RuleId("PL-501"), "that is not your unit"))
    targets = tuple(target for unit in own for target in _targets(view, row, unit))
    if len(own) > 1 and row.actors:
        targets = tuple(_together(ruleset, view, row, tuple(unit.id for unit in own), targets))
    if targets:
        return Verb(row.key, row.title, row.hotkey, _merged(row, targets))
    return Verb(row.key, row.title, row.hotkey, refusal=_why_not(view, row, own[0]))


def _targets(view: View[Position], row: VerbRow, unit: Unit) -> Iterator[Target]:
    for order in row.options(view.position, view.side, unit):
        if isinstance(order, row.order):
            yield _target(view, order)


def _target(view: View[Position], order: Order) -> Target:
    position = view.position
    direction = order.facing if isinstance(order, orders.SetFacing) else None
    return Target(
        order,
        _hex_of(position, order),
        _units_of(order),
        direction,
        note(position, view.side, order),
        order.path if isinstance(order, orders.MoveUnit) else (),
    )


def _together(
    ruleset: AnyRuleset, view: View[Position], row: VerbRow, chosen: tuple[UnitId, ...], targets: tuple[Target, ...]
) -> Iterator[Target]:
    """What the selected units can do all together, then what those among them can do without the others."""
    for target in targets:
        joint = msgspec.structs.replace(target.order, **{row.actors: chosen})
        if ruleset.check(view, joint) is None:
            yield _target(view, joint)
    for target in targets:
        if set(getattr(target.order, row.actors)) <= set(chosen):
            yield target


def _merged(row: VerbRow, targets: tuple[Target, ...]) -> tuple[Target, ...]:
    """Each order once: two selected units may offer the same joint attack, each naming itself first."""
    once: dict[bytes, Target] = {}
    for target in targets:
        order = target.order
        if row.actors:
            order = msgspec.structs.replace(order, **{row.actors: tuple(sorted(getattr(order, row.actors)))})
        once.setdefault(msgspec.json.encode(order), target)
    return tuple(once.values())


def _why_not(view: View[Position], row: VerbRow, unit: Unit) -> Refusal:
    """The rule that stands in the way: the unit's own state first, then the lack of anything to point at."""
    position = view.position
    if not unit.hex and unit.side == view.side and row.key != "place":
        return Refusal(RuleId("PL-1506"), "the unit is not on the table")
    if unit.dispersed:
        return Refusal(RuleId("PL-902"), "a dispersed unit may do nothing until it recovers")
    if row.order is orders.DirectFire:
        refusal = fire.firing_refusal(position, unit)
    elif row.order in (orders.MoveUnit, orders.Overrun):
        refusal = movement.moving_refusal(position, view.side, unit)
    else:
        refusal = None
    return refusal or Refusal(RuleId(row.rule), row.nothing)


def _hex_of(position: Position, order: Any) -> HexId:
    place: HexId = NOWHERE
    if isinstance(order, orders.MoveUnit):
        place = order.path[-1]
    elif hasattr(order, "hex"):
        place = order.hex
    else:
        for field in ("unit", "carrier"):
            if hasattr(order, field):
                place = position.units[getattr(order, field)].hex
    return place


def _units_of(order: Any) -> tuple[UnitId, ...]:
    for field in ("targets", "passenger"):
        if hasattr(order, field):
            found = getattr(order, field)
            return found if isinstance(found, tuple) else (found,)
    return ()


def note(position: Position, side: SideId, order: Order) -> str:
    """A few words beside a target: movement left, or the odds in brief."""
    match order:
        case orders.MoveUnit():
            return movement.move_note(position, order)
        case orders.DirectFire():
            return _odds(fire.explain_direct_fire(position, side, order), unit_names(position, order.firers))
        case orders.CloseAssault():
            return _odds(assault.explain_assault(position, side, order), unit_names(position, order.units))
        case orders.Overrun():
            return _odds(
                overrun.explain_overrun(position, side, order), unit_names(position, (r.unit for r in order.runs))
            )
        case orders.LoadUnit():
            return unit_name(position, order.passenger)
        case orders.BeginWork():
            return order.task
    return ""


def _odds(tallies: tuple[Any, ...], who: str) -> str:
    odds = next((tally.total for tally in tallies if tally.title == "Odds"), "")
    die = next((tally.total for tally in tallies if tally.title == "Die modifier"), 0)
    return f"{odds}{f' die {die:+d}' if isinstance(die, int) and die else ''} by {who}"


def _reaction_menu(ruleset: AnyRuleset, view: View[Position], window: OpportunityWindow) -> tuple[Verb, ...]:
    targets = tuple(
        Target(
            order,
            view.position.units[window.unit].hex,
            (window.unit,),
            note=_odds(
                opportunity.explain_opportunity(view.position, view.side, order),
                unit_names(view.position, order.firers),
            ),
        )
        for order in opportunity.opportunity_options(view.position, view.side, window)
    )
    return (
        Verb("opportunity", "Opportunity fire", "f", targets),
        Verb("pass", "Let it go by", " ", (Target(orders.Pass()),)),
    )


def _unitless(ruleset: AnyRuleset, view: View[Position], step: str) -> Iterator[Verb]:
    """Verbs of written missions, ships and aircraft."""
    position, side = view.position, view.side
    match step:
        case "indirect fire":
            due = tuple(Target(order) for order in artillery.due_options(position, side))
            yield _filled("missions", "Fire missions", "f", due, "PL-503", "no mission is due")
        case "indirect orders" | "direct fire" if position.ground.options.naval_fire:
            salvos = tuple(
                Target(order, _hex_of(position, order), _units_of(order))
                for order in naval.naval_options(position, side)
            )
            yield _filled("naval", "Naval fire", "g", salvos, "PL-1121", "no naval points or no target for them")
        case "air movement":
            flights = tuple(
                Target(order, order.hex, note=air.flight_note(position, order))
                for plane in position.aircraft
                for order in air.fly_options(position, side, plane)
            )
            yield _filled("fly", "Fly", "y", flights, "PL-1201", "no aircraft can fly")
        case "air attack":
            attacks = tuple(
                Target(
                    order,
                    order.hex,
                    order.targets,
                    note=_odds(air.explain_air_attack(position, side, order), "aircraft"),
                )
                for order in air.air_attack_options(position, side)
            )
            yield _filled("strike", "Air attack", "k", attacks, "PL-1203", "no aircraft has a target beside it")


def _filled(key: str, title: str, hotkey: str, targets: tuple[Target, ...], rule: str, nothing: str) -> Verb:
    return Verb(key, title, hotkey, targets, None if targets else Refusal(RuleId(rule), nothing))


def _ending(ruleset: AnyRuleset, view: View[Position]) -> Verb:
    refusal = ruleset.check(view, orders.EndPhase())
    title = f"End: {sequence.title_of(view.flow[-1])}"
    return Verb("end", title, "Enter", () if refusal else (Target(orders.EndPhase()),), refusal)
