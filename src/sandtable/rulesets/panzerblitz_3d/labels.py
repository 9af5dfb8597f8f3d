"""What is told beside a target of the menu: odds and costs in brief, and what tells the ways to do it apart."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from sandtable.kernel.ids import SideId, UnitId
from sandtable.kernel.trace import Tally
from sandtable.play.rows import Label
from sandtable.play.words import all_of, mixed
from sandtable.rulesets.panzerblitz_3d import artillery, assault, fire, movement, opportunity, orders, overrun
from sandtable.rulesets.panzerblitz_3d.describe import battery_name, place_name, unit_name, unit_names
from sandtable.rulesets.panzerblitz_3d.journeys import halves
from sandtable.rulesets.panzerblitz_3d.model import Position
from sandtable.rulesets.panzerblitz_3d.pieces import enemy_of
from sandtable.rulesets.panzerblitz_3d.stacks import counters_at


def _attack(tallies: tuple[Tally, ...], who: str, choice: str) -> Label:
    """The label of an attack: odds and who makes it, the odds alone on the map, and odds with the way of doing it."""
    total = {tally.title: tally.total for tally in tallies}
    odds, die = str(total["Odds"]), int(total["Die modifier"])
    with_die = f"{odds} die {die:+d}" if die else odds
    return Label(f"{with_die} by {who}", f"{odds} {die:+d}" if die else odds, f"{with_die} {choice}")


def _company(position: Position, who: Sequence[UnitId], able: int) -> str:
    """Those of so many able who act: alone, all together, or some of them by name."""
    if len(who) == 1:
        return f"with {unit_name(position, who[0])} alone"
    if len(who) >= able:
        return f"with {all_of(len(who))}"
    return f"with {len(who)} of {able}: {unit_names(position, who)}"


def of_fire(position: Position, side: SideId, order: orders.DesignateTarget) -> Label:
    """A designated target: the odds, what of the hex is aimed at, and who fires."""
    whole = counters_at(position, order.hex, enemy_of(side))
    at = "" if len(whole) == 1 else f"at all {len(whole)} units there "
    if len(order.targets) < len(whole):
        at = f"at {unit_names(position, order.targets)} "
    tallies = fire.explain_designate(position, side, order)
    return _attack(tallies, unit_names(position, order.firers), f"{at}with {unit_names(position, order.firers)}")


def of_opportunity(position: Position, side: SideId, order: orders.OpportunityFire) -> Label:
    """Opportunity fire: the odds, and who fires."""
    mover = position.mover
    assert mover is not None
    able = opportunity.candidates(position, position.units[mover.unit])
    tallies = opportunity.explain_opportunity(position, side, order)
    return _attack(tallies, unit_names(position, order.firers), _company(position, order.firers, len(able)))


def of_assault(position: Position, side: SideId, order: orders.CloseAssault) -> Label:
    """Close assault: the odds, and how many of those who could take part do."""
    able = len(assault.joining(position, side, order.hex))
    tallies = assault.explain_assault(position, side, order)
    return _attack(tallies, unit_names(position, order.units), _company(position, order.units, able))


def of_overrun(position: Position, side: SideId, order: orders.Overrun) -> Label:
    """An overrun: the odds, who drives, where the first of them comes out, and who drops off."""
    runners = tuple(run.unit for run in order.runs)
    who, out = unit_names(position, runners), place_name(position, order.runs[0].path[-1])
    drivers = f"with {who}, the first of them" if len(runners) > 1 else f"with {who},"
    drop = f", {unit_names(position, order.drop)} dropping off" if order.drop else ""
    return _attack(overrun.explain_overrun(position, side, order), who, f"{drivers} out to {out}{drop}")


def of_plot(position: Position, side: SideId, order: orders.PlotFire) -> Label:
    """A plotted battery: its missions, the odds if it falls as plotted on what is known there, and the target that it
    gives up.
    """
    battery, written = position.batteries[order.battery], artillery.plot_of(position, order.battery)
    total = {tally.title: tally.total for tally in artillery.explain_plot(position, side, order)}
    odds = str(total.get("Odds", ""))
    seen = "observed" if artillery.is_observed(position, side, order.hex) else "not observed, may scatter"
    instead = f", instead of {place_name(position, written.hex)}" if written and written.hex != order.hex else ""
    note = f"{f'{odds}, ' if odds else ''}{seen}, missions left: {battery.missions}{instead}"
    return Label(note, odds, f"{battery_name(position, order.battery)}, {note}")


def of_cancelled_plot(position: Position, side: SideId, order: orders.CancelPlot) -> Label:
    """The battery that is to be silent."""
    return Label("", "", battery_name(position, order.battery))


def of_move(position: Position, side: SideId, order: orders.MoveUnit) -> Label:
    """A move: what is left of the movement points."""
    left = mixed(halves(movement.left_after(position, side, order)))
    return Label(f"{left} left", left, f"{unit_name(position, order.unit)}, movement points left: {left}")


def of_load(position: Position, side: SideId, order: orders.LoadUnit) -> Label:
    """Who is taken aboard."""
    name = unit_name(position, order.passenger)
    return Label(name, "", f"take {name} aboard {unit_name(position, order.carrier)}")


def of_unload(position: Position, side: SideId, order: orders.UnloadUnit) -> Label:
    """Who sets its passenger down."""
    return Label("", "", f"{unit_name(position, order.carrier)} sets its passenger down")


def of_place(position: Position, side: SideId, order: orders.PlaceUnit) -> Label:
    """Who is placed."""
    return Label("", "", f"{unit_name(position, order.unit)} in {place_name(position, order.hex)}")


def of_units(doing: Callable[[str], str]) -> Callable[[Position, SideId, Any], Label]:
    """What units do where they stand, told with their names."""
    return lambda position, side, order: Label("", "", doing(unit_names(position, _named(order))))


def _named(order: Any) -> tuple[UnitId, ...]:
    return getattr(order, "units", None) or (order.unit,)


def of_first(position: Position, side: SideId, order: orders.ChooseFirst) -> Label:
    """Whether the side goes first or second."""
    return Label("", "", "your side goes first" if order.side == side else "your side goes second")
