"""What begins by itself when a unit has come into a hex: clearing, and a work that is vacated under the enemy.

Rules: PB-ENG-22, PB-FIRE-68.
"""

from __future__ import annotations

from msgspec.structs import replace

from sandtable.kernel.ids import HexId, UnitId
from sandtable.kernel.resolution import Resolution
from sandtable.rulesets.panzer_battles import features
from sandtable.rulesets.panzer_battles.engineers.demolition import try_wiring
from sandtable.rulesets.panzer_battles.engineers.events import FeatureChanged, WorkChanged
from sandtable.rulesets.panzer_battles.engineers.states import cannot_work, may_clear
from sandtable.rulesets.panzer_battles.model import Position
from sandtable.rulesets.panzer_battles.operations import CLEARING


def begin(resolution: Resolution[Position], id: UnitId, came_from: HexId) -> None:
    """Wired bridges were tested, a work of the enemy is vacated by who has entered it, and who clears mines is at it.

    Rules: PB-ENG-22, PB-ENG-60, PB-FIRE-68.
    """
    try_wiring(resolution, id, came_from)
    vacate(resolution, id)
    position = resolution.position
    unit = position.units[id]
    barrier = features.find(position, unit.hex, *features.BARRIERS)
    if barrier is not None and may_clear(unit) and cannot_work(position, unit) is None:
        resolution.emit(WorkChanged(id, CLEARING, mp=unit.mp, thirds=unit.thirds, by_itself=True))


def vacate(resolution: Resolution[Position], id: UnitId) -> None:
    """A work of the enemy is worth half from when a unit stands in it, however it came there.

    Rules: PB-FIRE-68.
    """
    position = resolution.position
    unit = position.units[id]
    work = features.work_at(position, unit.hex)
    if work is not None and work.side != unit.side and not work.vacated:
        resolution.emit(FeatureChanged(unit.hex, work, replace(work, vacated=True)))
