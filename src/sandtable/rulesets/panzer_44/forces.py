"""The order of battle, named highlights and reports, as far as a side knows them.

Rules: P44-4.07, P44-14.02.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from sandtable.kernel.ids import HexId, RuleId, SideId, UnitId
from sandtable.kernel.questions import Formation, Query, Report, Section
from sandtable.kernel.state import View
from sandtable.kernel.trace import Line
from sandtable.play.choices import Choices
from sandtable.rulesets.panzer_44 import insight, menu, plotting, reactions, victory
from sandtable.rulesets.panzer_44.badges import ARM_OF, ARMS, arm_of, formation_key
from sandtable.rulesets.panzer_44.describe import is_shown, plot_words, side_title, unit_name
from sandtable.rulesets.panzer_44.frames import OpportunityFrame
from sandtable.rulesets.panzer_44.kinds import KINDS
from sandtable.rulesets.panzer_44.model import EXITED, LOST, SIDES, Position, Unit
from sandtable.rulesets.panzer_44.orderbook import BOOK
from sandtable.rulesets.panzer_44.panic import nerves
from sandtable.rulesets.panzer_44.stacks import kind_of, on_table
from sandtable.rulesets.panzer_44.tables import SORTIES

Seen = View[Position]


def sides_for(side: SideId) -> list[SideId]:
    """Both sides, the viewer's own first."""
    return sorted(SIDES, key=lambda one: one != side)


def tree(view: Seen) -> tuple[Formation, ...]:
    """Each side's units by arm, with what is left of what it had."""
    return tuple(_army(view.position, side, view.side) for side in sides_for(view.side))


def _army(position: Position, side: SideId, viewer: SideId) -> Formation:
    arms = []
    for arm in ARMS:
        here = [unit for unit in position.units if unit.side == side and arm_of(unit) == arm.key]
        initial = _initial(position, side, arm.key, here, viewer)
        if initial:
            units = tuple(unit.id for unit in here if is_shown(unit, viewer))
            left = sum(unit.fate not in (LOST, EXITED) for unit in here)
            arms.append(Formation(formation_key(side, arm.key), arm.title, side, left, initial, units))
    total, left = sum(arm.initial for arm in arms), sum(arm.left for arm in arms)
    return Formation(side, side_title(position, side), side, left, total, (), tuple(arms))


def _initial(position: Position, side: SideId, arm: str, here: list[Unit], viewer: SideId) -> int:
    """How many there were: by the scenario for one's own side, else as many as are known or counted as unseen."""
    if side != viewer and position.ground.options.fog:
        return len(here)
    return sum(unit.side == side and ARM_OF[KINDS[unit.type].kind] == arm for unit in position.ground.scenario.units)


# --- who can still act ----------------------------------------------------------------------------------------------


def ready(view: Seen) -> tuple[UnitId, ...]:
    """The side's units that have a lawful order in the open decision."""
    if not view.decisions:
        return ()
    if isinstance(view.flow[-1], OpportunityFrame):
        return tuple(order.unit for order in reactions.fire_options(view.position, view.side, view.flow[-1]))
    choices = Choices(BOOK, view, view.decisions[0])
    return tuple(unit.id for unit in choices.units() if choices.is_able(unit))


# --- highlights -----------------------------------------------------------------------------------------------------


class QueryRow(NamedTuple):
    """One highlight: what it is called, its rule, and the hexes or units it finds."""

    title: str
    rule: str
    hexes: Callable[[Seen], Iterable[HexId]] | None = None
    units: Callable[[Seen], Iterable[UnitId]] | None = None


def _shaken(view: Seen) -> Iterable[UnitId]:
    return [u.id for u in view.position.units if u.hex and (u.disruption or u.panic or u.pinned or u.delayed)]


def _unplotted(view: Seen) -> Iterable[UnitId]:
    if view.position.step != menu.PLOT:
        return []
    return [unit.id for unit in plotting.unplotted(view.position, view.side)]


def _threatened(view: Seen) -> Iterable[UnitId]:
    return [unit.id for unit in on_table(view.position, view.side) if insight.threats(view, unit.hex, unit.id)]


QUERIES: dict[str, QueryRow] = {
    "ready": QueryRow("Who can still act", "P44-5.04", units=ready),
    "unplotted": QueryRow("Your units without an order", "P44-5.03", units=_unplotted),
    "shaken": QueryRow("Pinned, panicked and disrupted units", "P44-10.06", units=_shaken),
    "threatened": QueryRow("Your units under enemy guns", "P44-7.01", units=_threatened),
    "seen": QueryRow("What your units see", "P44-4.07", hexes=lambda view: insight.seen(view, ())),
    "objectives": QueryRow("Ground that counts", "P44-14.02", hexes=lambda view: list(view.position.control)),
}


def queries(view: Seen) -> tuple[Query, ...]:
    """The highlights that can be asked for."""
    offered = QUERIES.items() if view.side in SIDES else [("objectives", QUERIES["objectives"])]
    return tuple(Query(key, row.title, RuleId(row.rule)) for key, row in offered)


def query(view: Seen, key: str) -> Query | None:
    """One of them worked out."""
    row = QUERIES.get(key)
    if row is None or key not in {one.key for one in queries(view)}:
        return None
    hexes = tuple(sorted(row.hexes(view))) if row.hexes else ()
    units = tuple(sorted(row.units(view))) if row.units else ()
    return Query(key, row.title, RuleId(row.rule), hexes, units)


# --- reports --------------------------------------------------------------------------------------------------------


def _losses(view: Seen) -> Iterator[Section]:
    """What each side has lost, and what that is worth."""
    position = view.position
    for side in sides_for(view.side):
        lost = [unit for unit in position.units if unit.side == side and unit.fate == LOST]
        lines = tuple(
            Line(unit_name(position, unit.id), victory.loss_points(kind_of(unit)), RuleId("P44-14.02")) for unit in lost
        )
        yield Section(side_title(position, side), lines, sum(int(line.value) for line in lines))


def _standing(view: Seen) -> Iterator[Section]:
    for tally in insight.standing(view):
        yield Section(tally.title, tally.lines, tally.total)


def _orders(view: Seen) -> Iterator[Section]:
    """The orders of the turn, as far as the side knows them."""
    position = view.position
    for side in sides_for(view.side):
        plots = [plot for plot in position.plots if plot.side == side]
        if side != view.side and position.step == menu.PLOT:
            plots = []
        lines = tuple(Line(plot_words(position, plot), plot.kind, RuleId("P44-5.03")) for plot in plots)
        yield Section(side_title(position, side), lines)


def _support(view: Seen) -> Iterator[Section]:
    """Batteries off the map and sorties of the side."""
    position = view.position
    guns = [
        Line(one.name, f"{one.left} missions left, accuracy {one.accuracy}", RuleId("P44-11.09"))
        for one in position.batteries
        if one.side == view.side
    ]
    planes = [
        Line(one.name, "flown" if one.flown else f"strength {SORTIES[one.kind].strength}", RuleId("P44-11.10"))
        for one in position.sorties
        if one.side == view.side
    ]
    yield Section("Off the map", tuple(guns + planes))


def _nerves(view: Seen) -> Iterator[Section]:
    """The Panic Levels (P44-6.01)."""
    for side in sides_for(view.side):
        found = nerves(view.position.ground, side)
        lines = tuple(Line(one.title or "all others", one.level, RuleId("P44-6.01")) for one in found)
        yield Section(side_title(view.position, side), lines)


class ReportRow(NamedTuple):
    """One report: what it is called, and how it is written."""

    title: str
    sections: Callable[[Seen], Iterator[Section]]


REPORTS: dict[str, ReportRow] = {
    "orders": ReportRow("Orders of the turn", _orders),
    "losses": ReportRow("Losses", _losses),
    "standing": ReportRow("Points and tasks", _standing),
    "support": ReportRow("Artillery and aircraft", _support),
    "panic": ReportRow("Panic Levels", _nerves),
}


def reports(view: Seen) -> tuple[Report, ...]:
    """The reports there are."""
    return tuple(Report(kind, row.title) for kind, row in REPORTS.items())


def report(view: Seen, kind: str) -> Report | None:
    """One of them written."""
    row = REPORTS.get(kind)
    return None if row is None else Report(kind, row.title, tuple(row.sections(view)))
