"""Concealment: units that the terrain hides although they are in a clear line.

Rules: PB-SPOT-27, PB-SPOT-35.
"""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.kernel.ids import NOBODY, HexId, UnitId
from sandtable.kernel.resolution import Resolution
from sandtable.play.derived import differing
from sandtable.rulesets.panzer_battles.events import Concealed
from sandtable.rulesets.panzer_battles.features import work_at
from sandtable.rulesets.panzer_battles.kinds import GUNS
from sandtable.rulesets.panzer_battles.model import DEPLOYED, RAIL, Position, Unit, enemy_of
from sandtable.rulesets.panzer_battles.spotting.levels import Spotters, is_watched, spotters

HIDES_MEN_AND_GUNS = 1
HIDES_ALL = 2
"""Heights of terrain in meters (PB-SPOT-28)."""


def can_hide(position: Position, unit: Unit, place: HexId) -> bool:
    """Whether the terrain of a hex, or a work of its side there, conceals the unit in its mode; men who ride are
    as high as what they ride on.

    Rules: PB-SPOT-28, PB-SPOT-29, PB-SPOT-34.
    """
    if unit.mode == RAIL:
        return False
    height = position.parameters.terrain.height_m[position.ground.board.terrain[place]]
    work = work_at(position, place)
    if work is not None and work.side == unit.side and not work.vacated:
        height = max(height, HIDES_MEN_AND_GUNS)
    if height >= HIDES_ALL:
        return True
    is_low = (unit.of.is_men or unit.of.component == GUNS) and unit.carrier == NOBODY
    return height >= HIDES_MEN_AND_GUNS and unit.mode == DEPLOYED and is_low


def is_hidden_on_entering(position: Position, unit: Unit, place: HexId) -> bool:
    """Whether a unit is concealed once it has entered a hex: terrain that hides it, out of every steady enemy's sight.

    Rules: PB-SPOT-30, PB-SPOT-31, PB-SPOT-33.
    """
    return can_hide(position, unit, place) and not is_watched(position, enemy_of(unit.side), place)


def settle(resolution: Resolution[Position], before: Position | None = None) -> None:
    """Units that did nothing this turn, in terrain that hides them and in nobody's sight, are concealed again: all of
    them, or those alone that went out of sight since an earlier position.

    Rules: PB-SPOT-20, PB-SPOT-32.
    """
    settle_since(resolution, None if before is None else spotters(before))


def settle_since(resolution: Resolution[Position], watched: Spotters | None) -> None:
    """Those are concealed again who went out of sight since they were in that of these spotters (PB-SPOT-32)."""
    hidden = hidden_again(resolution.position, watched)
    if hidden:
        resolution.emit(Concealed(hidden))


def hidden_again(position: Position, watched: Spotters | None = None) -> tuple[UnitId, ...]:
    """The units that are concealed again, of all or of those that went out of sight of who saw them before.

    Rules: PB-SPOT-32.
    """
    steady = spotters(position).steady
    doubtful: Sequence[Unit] = position.units
    if watched is not None:
        doubtful = [position.units[id] for id in differing(watched.steady, steady)]
    return tuple([unit.id for unit in doubtful if not steady[unit.id] and _hides_again(position, unit)])


def _hides_again(position: Position, unit: Unit) -> bool:
    is_idle = not unit.has_acted and not unit.stirred
    return bool(unit.hex) and not unit.concealed and is_idle and can_hide(position, unit, unit.hex)
