"""The written orders as they stand.

Rules: P44-5.08.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sandtable.kernel.ids import SideId, UnitId
from sandtable.rulesets.panzer_44.model import Plot, Position, Unit


def plot_of(position: Position, unit: UnitId) -> Plot | None:
    """The order of a unit, if it has one."""
    return _plots(position).get(unit)


def _plots(position: Position) -> Mapping[UnitId, Plot]:
    return position.derived.of("plots", position.plots, _by_unit)


def _by_unit(plots: tuple[Plot, ...]) -> dict[UnitId, Plot]:
    return {plot.unit: plot for plot in plots if not plot.support}


def has_order(position: Position, unit: Unit, kind: str) -> bool:
    """Whether a unit has an order of that kind."""
    plot = plot_of(position, unit.id)
    return plot is not None and plot.kind == kind


def plots_of(position: Position, side: SideId, kind: str) -> list[Plot]:
    """A side's orders of one kind, in their order."""
    return [plot for plot in position.plots if plot.side == side and plot.kind == kind]


def arranged(plots: Iterable[Plot]) -> tuple[Plot, ...]:
    """Orders in the one sequence that does not depend on when each was written (P44-5.08)."""
    return tuple(sorted(plots, key=lambda plot: (plot.side, plot.support, plot.unit)))
