"""The order of battle, named highlights and reports, as far as a side knows them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from sandtable.kernel.ids import HexId, RuleId, SideId, UnitId
from sandtable.kernel.questions import Formation, Query, Report, Section
from sandtable.kernel.state import View
from sandtable.kernel.trace import Line
from sandtable.play.choices import Choices
from sandtable.rulesets.panzer_battles import index, insight, parameter_report
from sandtable.rulesets.panzer_battles.air.report import air_support
from sandtable.rulesets.panzer_battles.command import report as command_report
from sandtable.rulesets.panzer_battles.command.control import is_detached
from sandtable.rulesets.panzer_battles.deception import report as deception_report
from sandtable.rulesets.panzer_battles.formations import below, formations, headquarters, listed_under, parent
from sandtable.rulesets.panzer_battles.kinds import KINDS
from sandtable.rulesets.panzer_battles.model import EXITED, SIDES, WITHDRAWN, Position, Unit, enemy_of, on_map
from sandtable.rulesets.panzer_battles.movement.carrying import is_passenger
from sandtable.rulesets.panzer_battles.movement.stacking import stacked
from sandtable.rulesets.panzer_battles.movement.zones import zone_flags
from sandtable.rulesets.panzer_battles.names import side_title, strength_text
from sandtable.rulesets.panzer_battles.orderbook import BOOK
from sandtable.rulesets.panzer_battles.reinforcements import report as schedule_report
from sandtable.rulesets.panzer_battles.spotting.levels import UNSPOTTED, level
from sandtable.rulesets.panzer_battles.spotting.sight import sees
from sandtable.rulesets.panzer_battles.supply import display as supply_display
from sandtable.rulesets.panzer_battles.supply.columns import is_column
from sandtable.rulesets.panzer_battles.supply.sources import usable

Seen = View[Position]


def sides_for(side: SideId) -> list[SideId]:
    """Both sides, the viewer's own first."""
    return sorted(SIDES, key=lambda one: one != side)


# --- the tree -------------------------------------------------------------------------------------------------------


def tree(view: Seen) -> tuple[Formation, ...]:
    """Each side's organizations with what is left of their units; of an enemy under fog the units in sight alone.

    Rules: PB-OOB-1, PB-OOB-9, PB-UNIT-18.
    """
    return tuple(_army(view.position, side) for side in sides_for(view.side))


def _army(position: Position, side: SideId) -> Formation:
    title = side_title(position, side)
    if not position.knows(side):
        seen = tuple(unit.id for unit in on_map(position, side))
        return Formation(side, title, side, len(seen), len(seen), seen)
    tops = [key for key, one in formations(position.ground).items() if one.side == side and not parent(position, key)]
    children = tuple(_formation(position, key) for key in tops)
    left, initial = sum(one.left for one in children), sum(one.initial for one in children)
    return Formation(side, title, side, left, initial, (), children)


def is_left(unit: Unit) -> bool:
    """Whether a side still has a unit: on the map, in the air, combined with others, or still to come."""
    return not unit.gone and unit.away not in (EXITED, WITHDRAWN)


def takes_part(position: Position, unit: Unit) -> bool:
    """Whether a unit is in the battle at all: supply columns are where the option brings them (PB-OOB-15)."""
    return position.ground.options.explicit_supply or not is_column(unit)


def _formation(position: Position, key: str) -> Formation:
    entry = formations(position.ground)[key]
    own = [unit for unit in position.units if unit.formation == key and takes_part(position, unit)]
    units, side = tuple(unit.id for unit in own if unit.hex), SideId(entry.side)
    left, parts = sum(is_left(unit) for unit in own), below(position, key)
    if not parts:
        return Formation(key, entry.title, side, left, len(own), units)
    staff = Formation(listed_under(position, key), f"{entry.title}: staff and troops", side, left, len(own), units)
    children = (*([staff] if own else []), *(_formation(position, child) for child in parts))
    left, initial = sum(one.left for one in children), sum(one.initial for one in children)
    return Formation(key, entry.title, side, left, initial, (), children)


# --- who can still act ----------------------------------------------------------------------------------------------


def ready(view: Seen) -> tuple[UnitId, ...]:
    """The side's units that have a lawful order."""
    if not view.decisions:
        return ()
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
    return [unit.id for unit in view.position.units if unit.hex and unit.is_shaken]


def _zones(view: Seen) -> Iterable[HexId]:
    flags = zone_flags(view.position, enemy_of(view.side))
    return [HexId(place) for place in view.position.ground.board.hexes if flags[place]]


def _headquarters(view: Seen) -> Iterable[UnitId]:
    return [unit.id for unit in on_map(view.position, view.side) if unit.of.has("hq")]


def _without_headquarters(view: Seen) -> Iterable[UnitId]:
    position = view.position
    return [unit.id for unit in on_map(position, view.side) if headquarters(position, unit) is None]


def _watching(view: Seen) -> Iterable[UnitId]:
    """The units that see an enemy themselves, be they seen or not (PB-SPOT-22)."""
    position = view.position
    seen = [foe.hex for foe in on_map(position, enemy_of(view.side)) if level(position, foe) != UNSPOTTED]
    places = (*seen, *position.unknowns)
    own = (unit for unit in on_map(position, view.side) if not is_passenger(unit))
    return [unit.id for unit in own if any(sees(position, unit.hex, place) for place in places)]


def _engineers(view: Seen) -> Iterable[UnitId]:
    return [unit.id for unit in on_map(view.position, view.side) if unit.has("engineer")]


def _moved(view: Seen) -> Iterable[UnitId]:
    return [unit.id for unit in on_map(view.position, view.side) if unit.moved]


def _fixed(view: Seen) -> Iterable[UnitId]:
    return [unit.id for unit in on_map(view.position, view.side) if unit.fixed]


def _crowded(view: Seen) -> Iterable[HexId]:
    """The hexes of the side through which its roads can't be used (PB-STK-4)."""
    position = view.position
    hexes = {unit.hex for unit in on_map(position, view.side)}
    return [
        place for place in hexes if stacked(position, index.at(position, place)) > position.parameters.stacking.road
    ]


def _threatened(view: Seen) -> Iterable[UnitId]:
    return [unit.id for unit in on_map(view.position, view.side) if insight.threats(view, unit.hex)]


def _low_supply(view: Seen) -> Iterable[UnitId]:
    own = on_map(view.position, view.side)
    return [unit.id for unit in own if unit.low_ammo or unit.low_fuel or unit.unavailable]


def _isolated(view: Seen) -> Iterable[UnitId]:
    return [unit.id for unit in on_map(view.position, view.side) if unit.isolated]


def _sources(view: Seen) -> Iterable[HexId]:
    return usable(view.position, view.side)


def _detached(view: Seen) -> Iterable[UnitId]:
    return [unit.id for unit in on_map(view.position, view.side) if is_detached(view.position, unit)]


QUERIES: dict[str, QueryRow] = {
    "ready": QueryRow("Who can still act", "PB-MOVE-1", units=ready),
    "shaken": QueryRow("Disrupted and Broken units", "PB-FIRE-64", units=_shaken),
    "threatened": QueryRow("Your units under enemy guns", "PB-OPF-1", units=_threatened),
    "zones": QueryRow("Enemy zones of control", "PB-ZOC-1", hexes=_zones),
    "seen": QueryRow("What your units see", "PB-SPOT-1", hexes=lambda view: insight.seen(view, ())),
    "headquarters": QueryRow("Your headquarters", "PB-OOB-1", units=_headquarters),
    "leaderless": QueryRow("Units without a headquarters", "PB-OOB-5", units=_without_headquarters),
    "watching": QueryRow("Your units that see an enemy", "PB-SPOT-22", units=_watching),
    "engineers": QueryRow("Your engineers", "PB-ENG-64", units=_engineers),
    "moved": QueryRow("Your units that have moved", "PB-MOVE-125", units=_moved),
    "fixed": QueryRow("Your fixed units", "PB-MOVE-125", units=_fixed),
    "crowded": QueryRow("Hexes over the road limit", "PB-MOVE-125", hexes=_crowded),
    "low_supply": QueryRow("Your units low on ammunition or fuel", "PB-SUP-51", units=_low_supply),
    "isolated": QueryRow("Your isolated units", "PB-SUP-51", units=_isolated),
    "sources": QueryRow("Your supply sources", "PB-SUP-51", hexes=_sources),
    "detached": QueryRow("Your detached units", "PB-CMD-7", units=_detached),
    "objectives": QueryRow("Objectives", "PB-VIC-2", hexes=lambda view: list(view.position.owners)),
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


def _victory(view: Seen) -> Iterator[Section]:
    """Objectives, losses as known, the level and the thresholds (PB-VIC-15)."""
    for tally in insight.standing(view):
        yield Section(tally.title, tally.lines, tally.total)


def _losses(view: Seen) -> Iterator[Section]:
    """What each side has lost, by type."""
    position = view.position
    for side in sides_for(view.side):
        lost = position.losses.get(side, {})
        lines = tuple(
            Line(KINDS[kind].name, strength_text(kind, count), RuleId("PB-VIC-12"))
            for kind, count in sorted(lost.items())
        )
        yield Section(side_title(position, side), lines)


class ReportRow(NamedTuple):
    """One report: what it is called, and how it is written."""

    title: str
    sections: Callable[[Seen], Iterator[Section]]


REPORTS: dict[str, ReportRow] = {
    "command": ReportRow("Command report", command_report.report),
    "victory": ReportRow("Victory", _victory),
    "losses": ReportRow("Losses", _losses),
    "supply": ReportRow("Supply", supply_display.report),
    "parameters": ReportRow("Parameter data", parameter_report.sections),
    "air": ReportRow("Air support", air_support),
    "schedule": ReportRow("Arrivals and withdrawals", schedule_report.report),
    "deception": ReportRow("Deception", deception_report.report),
}


def reports(view: Seen) -> tuple[Report, ...]:
    """The reports there are."""
    return tuple(Report(kind, row.title) for kind, row in REPORTS.items())


def report(view: Seen, kind: str) -> Report | None:
    """One of them written."""
    row = REPORTS.get(kind)
    return None if row is None else Report(kind, row.title, tuple(row.sections(view)))
