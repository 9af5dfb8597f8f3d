"""Reports on the battle as a side may know it: losses, forces, points and objectives, artillery, and what its units
have done.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from sandtable.kernel.ids import HexId, RuleId, SideId
from sandtable.kernel.questions import Report, Section
from sandtable.kernel.state import View
from sandtable.kernel.trace import Line
from sandtable.rulesets.panzerblitz_3d import insight, victory
from sandtable.rulesets.panzerblitz_3d.cards import done
from sandtable.rulesets.panzerblitz_3d.describe import battery_name, place_name, side_title, unit_name
from sandtable.rulesets.panzerblitz_3d.forces import sides_for, tree
from sandtable.rulesets.panzerblitz_3d.kinds import KINDS
from sandtable.rulesets.panzerblitz_3d.model import DESTROYED, Position
from sandtable.rulesets.panzerblitz_3d.stacks import active
from sandtable.rulesets.panzerblitz_3d.tables import BATTERIES

Seen = View[Position]


def reports(view: Seen) -> tuple[Report, ...]:
    """The reports there are."""
    return tuple(Report(kind, row.title) for kind, row in ROWS.items())


def report(view: Seen, kind: str) -> Report | None:
    """One of them written."""
    row = ROWS.get(kind)
    return None if row is None else Report(kind, row.title, tuple(row.sections(view)))


def _losses(view: Seen) -> Iterator[Section]:
    """What each side has lost, by type; the total is what counts."""
    for side in sides_for(view.side):
        yield _losses_of(view.position, side)


def _losses_of(position: Position, side: SideId) -> Section:
    by_kind: dict[str, int] = {}
    for unit in position.units:
        if unit.side == side and unit.fate == DESTROYED:
            by_kind[unit.kind] = by_kind.get(unit.kind, 0) + 1
    lines = tuple(Line(KINDS[kind].name, count, RuleId("PB3-1301")) for kind, count in by_kind.items())
    return Section(side_title(position, side), lines, victory.losses(position, side))


def _forces(view: Seen) -> Iterator[Section]:
    """What each side has left of each arm."""
    for army in tree(view):
        lines = tuple(Line(arm.title, f"{arm.left} of {arm.initial}", RuleId("PB3-1301")) for arm in army.children)
        yield Section(army.title, lines, f"{army.left} of {army.initial}")


def _artillery(view: Seen) -> Iterator[Section]:
    """The batteries of each side and the fire missions they have left (PB3-305)."""
    for side in sides_for(view.side):
        lines = tuple(
            Line(
                f"{battery_name(view.position, battery.id)}, attack factor {BATTERIES[battery.kind].attack}",
                f"{battery.missions} missions",
                RuleId("PB3-305"),
            )
            for battery in view.position.batteries
            if battery.side == side
        )
        yield Section(side_title(view.position, side), lines)


def _standing(view: Seen) -> Iterator[Section]:
    """How the battle would end now, the points of both sides, and who holds each objective."""
    for tally in insight.standing(view):
        yield Section(tally.title, tally.lines, tally.total)
    position = view.position
    lines = tuple(
        Line(f"{objective.title}, {place_name(position, place)}", _owner(position, place), RuleId("PB3-1302"))
        for objective in position.ground.scenario.objectives
        for place in objective.hexes
    )
    if lines:
        yield Section("Objectives", lines)


def _owner(position: Position, place: HexId) -> str:
    owner = position.control.get(place)
    return side_title(position, owner) if owner else "nobody"


def _done(view: Seen) -> Iterator[Section]:
    """What each of the side's units has done in this game turn; those that have done nothing are only counted."""
    position, idle = view.position, 0
    for unit in active(position, view.side):
        lines = tuple(done(position, unit))
        if lines:
            yield Section(unit_name(position, unit.id), lines, units=(unit.id,))
        else:
            idle += 1
    yield Section("Units that have done nothing", total=idle)


class Row(NamedTuple):
    """One report: what it is called, and how it is written."""

    title: str
    sections: Callable[[Seen], Iterator[Section]]


ROWS: dict[str, Row] = {
    "losses": Row("Losses", _losses),
    "forces": Row("Forces left", _forces),
    "artillery": Row("Off-board artillery", _artillery),
    "standing": Row("Points and objectives", _standing),
    "done": Row("What your units did this turn", _done),
}
