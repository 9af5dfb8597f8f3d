"""Phase 5: pins come off, disrupted units try to recover, and engineers get on with their work.

Rules: P44-5.13, P44-6.07, P44-10.07, P44-10.08, P44-10.09, P44-13.05, P44-13.07.
"""

from __future__ import annotations

from sandtable.kernel.ids import HexId
from sandtable.kernel.resolution import Resolution
from sandtable.rulesets.panzer_44.events import (
    MinesLowered,
    PinRemoved,
    PositionBuilt,
    RecoveryRolled,
    WorkAdvanced,
    WorkEnded,
)
from sandtable.rulesets.panzer_44.model import CLEARING, DIGGING, Plot, Position, Work
from sandtable.rulesets.panzer_44.pieces import enemy_of, first_player
from sandtable.rulesets.panzer_44.plots import plot_of, plots_of
from sandtable.rulesets.panzer_44.stacks import is_fit
from sandtable.rulesets.panzer_44.tables import GRADE_ORDER, REMOVAL

TURNS = {CLEARING: 2, DIGGING: 4}
"""For how many turns running engineers must be at a work (P44-13.05, P44-13.07)."""


def remove_markers(resolution: Resolution[Position]) -> None:
    """Each player has removed his pins and rolled for his disrupted units, the First Player first."""
    first = first_player(resolution.position)
    # first the engineers: who was disrupted in this turn has not worked, even if he recovers now
    for side in (first, enemy_of(first)):
        for kind in (CLEARING, DIGGING):
            for plot in plots_of(resolution.position, side, kind):
                _advance(resolution, plot)
    _leave_works(resolution)
    for side in (first, enemy_of(first)):
        own = [unit for unit in resolution.position.units if unit.side == side and unit.hex]
        for unit in own:
            if unit.pinned:
                resolution.emit(PinRemoved(unit.id))
        for unit in own:
            if unit.disruption:
                roll = resolution.roll("P44-10.08", unit.id)
                resolution.emit(RecoveryRolled(unit.id, roll, roll in REMOVAL[unit.disruption]))


def place_of_work(position: Position, plot: Plot) -> HexId:
    """The hex that engineers work on."""
    return plot.hex if plot.kind == CLEARING else position.units[plot.unit].hex


def _advance(resolution: Resolution[Position], plot: Plot) -> None:
    """Engineers have worked for one more turn, and are done after as many as it takes."""
    position = resolution.position
    unit, place = position.units[plot.unit], place_of_work(position, plot)
    if not is_fit(unit):
        return
    before = next((work for work in position.works if work.unit == unit.id), None)
    is_same = before is not None and (before.kind, before.hex) == (plot.kind, place)
    turns = before.turns + 1 if before is not None and is_same else 1
    if turns < TURNS[plot.kind]:
        resolution.emit(WorkAdvanced(plot.side, Work(unit.id, plot.kind, place, turns)))
        return
    resolution.emit(WorkEnded(plot.side, unit.id))
    if plot.kind == DIGGING:
        if place not in position.positions:
            resolution.emit(PositionBuilt(place))
    elif place in position.mines:
        rank = GRADE_ORDER.index(position.mines[place])
        resolution.emit(MinesLowered(place, GRADE_ORDER[rank - 1] if rank else ""))


def _leave_works(resolution: Resolution[Position]) -> None:
    """Work that nobody went on with in this turn is lost: it must be done in turns running."""
    for work in resolution.position.works:
        plot = plot_of(resolution.position, work.unit)
        unit = resolution.position.units[work.unit]
        goes_on = plot is not None and (plot.kind, place_of_work(resolution.position, plot)) == (work.kind, work.hex)
        if not goes_on or not is_fit(unit):
            resolution.emit(WorkEnded(unit.side, unit.id))
