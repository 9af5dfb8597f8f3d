"""What is told beside a target of the menu: odds and costs in brief, and what tells the ways to do it apart."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from sandtable.kernel.ids import SideId, UnitId
from sandtable.kernel.trace import Tally
from sandtable.play.rows import Label
from sandtable.play.words import all_of, counted, listed
from sandtable.rulesets.panzer_leader import air, assault, fire, movement, naval, opportunity, orders, overrun
from sandtable.rulesets.panzer_leader.costs import QUICK
from sandtable.rulesets.panzer_leader.describe import aircraft_name, direction_name, place_name, unit_name, unit_names
from sandtable.rulesets.panzer_leader.engineers import BLOCK, CLEAR, DEMOLISH
from sandtable.rulesets.panzer_leader.missions import due_missions
from sandtable.rulesets.panzer_leader.model import Position, Unit
from sandtable.rulesets.panzer_leader.terrain import points

TASKS = {CLEAR: "clear the mines or the block there", DEMOLISH: "blow the bridge", BLOCK: "block the road"}
"""The tasks of engineers in words (PL-1304, PL-1331, PL-1332)."""


def _odds(tallies: tuple[Tally, ...]) -> tuple[str, int]:
    """The odds and the die modifier of an attack."""
    total = {tally.title: tally.total for tally in tallies}
    die = total.get("Die modifier", 0)
    return str(total.get("Odds", "")), die if isinstance(die, int) else 0


def _attack(tallies: tuple[Tally, ...], who: str, choice: str) -> Label:
    """The label of an attack: odds and who makes it, the odds alone on the map, and odds with the way of doing it."""
    odds, die = _odds(tallies)
    with_die = f"{odds} die {die:+d}" if die else odds
    return Label(f"{with_die} by {who}", f"{odds} {die:+d}" if die else odds, f"{with_die} {choice}")


def _company(position: Position, who: Sequence[UnitId], able: int) -> str:
    """Those of so many able who act: alone, all together, or some of them by name."""
    if len(who) == 1:
        return f"with {unit_name(position, who[0])} alone"
    if len(who) >= able:
        return f"with {all_of(len(who))}"
    return f"with {len(who)} of {able}: {unit_names(position, who)}"


def _aimed(position: Position, targets: Sequence[UnitId], whole: Sequence[Unit]) -> str:
    """What of a hex is aimed at, where there is more than one thing to aim at."""
    if {unit.id for unit in whole} != set(targets):
        return f"at {unit_names(position, targets)} "
    if len(whole) < 2:
        return ""
    return "at both units there " if len(whole) == 2 else f"at all {len(whole)} units there "


def of_fire(position: Position, side: SideId, order: orders.DirectFire) -> Label:
    """Direct fire: the odds, how many of those who could take part do, and what of the hex they fire at."""
    targets = [position.units[id] for id in order.targets]
    able = fire.able_firers(position, side, order.hex, targets)
    at = _aimed(position, order.targets, fire.counters_under_fire(position, side, order.hex))
    tallies = fire.explain_direct_fire(position, side, order)
    return _attack(tallies, unit_names(position, order.firers), f"{at}{_company(position, order.firers, able)}")


def of_opportunity(position: Position, side: SideId, order: orders.OpportunityFire) -> Label:
    """Opportunity fire: the odds, and who fires."""
    able, tallies = opportunity.candidates(position, side), opportunity.explain_opportunity(position, side, order)
    return _attack(tallies, unit_names(position, order.firers), _company(position, order.firers, len(able)))


def of_assault(position: Position, side: SideId, order: orders.CloseAssault) -> Label:
    """Close assault: the odds, and how many of those who could take part do."""
    able, tallies = (
        assault.able_attackers(position, side, order.hex),
        assault.explain_assault(position, side, order),
    )
    return _attack(tallies, unit_names(position, order.units), _company(position, order.units, able))


def of_overrun(position: Position, side: SideId, order: orders.Overrun) -> Label:
    """An overrun: the odds, who drives, where the first of them comes out, and who drops off."""
    runners = tuple(run.unit for run in order.runs)
    who, out = unit_names(position, runners), place_name(position, order.runs[0].path[-1])
    drivers = f"with {who}, the first of them" if len(runners) > 1 else f"with {who},"
    drop = f", {unit_names(position, order.drop)} dropping off" if order.drop else ""
    return _attack(overrun.explain_overrun(position, side, order), who, f"{drivers} out to {out}{drop}")


def of_strike(position: Position, side: SideId, order: orders.AirAttack) -> Label:
    """An air attack: the odds, the weapons, and what they are aimed at."""
    weapons = counted(f"{s.weapon} of {aircraft_name(position, s.aircraft)}" for s in order.sorties)
    at = _aimed(position, order.targets, fire.counters_under_fire(position, side, order.hex))
    return _attack(air.explain_air_attack(position, side, order), "aircraft", f"{at}with {weapons}")


def of_naval_fire(position: Position, side: SideId, order: orders.NavalFire) -> Label:
    """Naval fire: the odds at these points, and what it is aimed at."""
    at = _aimed(position, order.targets, fire.counters_under_fire(position, side, order.hex))
    tallies = naval.explain_naval_fire(position, side, order)
    return _attack(tallies, "naval guns", f"{at}with {order.points} naval points")


def of_naval_mission(position: Position, side: SideId, order: orders.WriteNavalMission) -> Label:
    """A written naval mission: its points."""
    return Label(f"{order.points} naval points", str(order.points), f"{order.points} naval points in two turns")


def of_antiair(position: Position, side: SideId, order: orders.FireAtAircraft) -> Label:
    """Fire at an aircraft: the strength, and who fires."""
    strength = air.antiair_tally(position, order.firers, order.aircraft).total
    who, plane = unit_names(position, order.firers), aircraft_name(position, order.aircraft)
    return Label(f"strength {strength} by {who}", str(strength), f"{who} at {plane}, strength {strength}")


def of_mission(position: Position, side: SideId, order: orders.WriteMission) -> Label:
    """A written mission: shells or smoke, of which batteries."""
    what, who = "smoke" if order.smoke else "shells", unit_names(position, order.firers)
    return Label(f"{what} by {who}", what if order.smoke else "", f"{what} of {who} in the next segment")


def of_missions(position: Position, side: SideId, order: orders.FireMissions) -> Label:
    """Missions that come down: all of them, or which batteries hold."""
    due = due_missions(position, side)
    where = listed(dict.fromkeys(place_name(position, mission.hex) for mission in due))
    if not order.hold:
        return Label(where, "", f"all written fire comes down on {where}")
    hold = "hold their fire" if len(order.hold) > 1 else "holds its fire"
    rest = any(mission.naval or set(mission.firers) - set(order.hold) for mission in due)
    return Label(where, "", f"{unit_names(position, order.hold)} {hold}{'; the rest comes down' if rest else ''}")


def of_move(position: Position, side: SideId, order: orders.MoveUnit) -> Label:
    """A move: what is left of the movement points, at which pace, and whether dice stand in the way."""
    left, takes_dice = movement.left_after(position, order)
    dice = " if the dice allow it to cross" if takes_dice else ""
    pace = "at quick-time, then a die against dispersal" if order.gait == QUICK else "at its normal pace"
    amount = points(left)
    return Label(f"{amount} left{dice}", str(amount), f"{pace}, movement points left: {amount}{dice}")


def of_load(position: Position, side: SideId, order: orders.LoadUnit) -> Label:
    """Who is taken aboard."""
    name = unit_name(position, order.passenger)
    return Label(name, "", f"take {name} aboard {unit_name(position, order.carrier)}")


def of_work(position: Position, side: SideId, order: orders.BeginWork) -> Label:
    """The task of an engineer."""
    return Label(TASKS[order.task], "", f"{unit_name(position, order.unit)} is to {TASKS[order.task]}")


def of_flight(position: Position, side: SideId, order: orders.FlyTo) -> Label:
    """A flight: the known guns that reach the hex, and which aircraft goes."""
    note = air.flight_note(position, order)
    return Label(note, "", f"{aircraft_name(position, order.aircraft)}, {note}")


def of_facing(position: Position, side: SideId, order: orders.SetFacing) -> Label:
    """Which way a gun is turned."""
    way = direction_name(order.facing)
    return Label(way, "", f"{unit_name(position, order.unit)} to face {way}")


def of_place(position: Position, side: SideId, order: orders.PlaceUnit) -> Label:
    """Who is placed."""
    return Label("", "", f"{unit_name(position, order.unit)} in {place_name(position, order.hex)}")


def of_unit(doing: Callable[[str], str]) -> Callable[[Position, SideId, Any], Label]:
    """What one unit does where it stands, told with its name."""
    return lambda position, side, order: Label("", "", doing(unit_name(position, order.unit)))


def of_unload(position: Position, side: SideId, order: orders.UnloadUnit) -> Label:
    """Who is set down by whom."""
    return Label("", "", f"{unit_name(position, order.carrier)} sets its passenger down")
