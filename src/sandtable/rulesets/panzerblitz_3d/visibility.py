"""Which enemies a side sees in the fog: those in its sight and, in cover, spotted.

Rules: PB3-1303.
"""

from __future__ import annotations

from operator import is_

from sandtable.kernel.ids import NOWHERE, SPECTATORS, HexId, SideId, UnitId
from sandtable.rulesets.panzerblitz_3d import sight
from sandtable.rulesets.panzerblitz_3d.kinds import FORTS
from sandtable.rulesets.panzerblitz_3d.model import RESERVE, SIDES, Position
from sandtable.rulesets.panzerblitz_3d.terrain import is_hiding

NOBODY_HIDDEN: frozenset[UnitId] = frozenset()
_HIDDEN = {side: f"hidden from {side}" for side in (*SIDES, SPECTATORS)}


def hidden_units(position: Position, side: SideId) -> frozenset[UnitId]:
    """The enemy units a side can't see, those that have not arrived yet included; none without fog of war, and all
    while the sides set up. Spectators see what every side sees.
    """
    if not position.ground.options.fog:
        return NOBODY_HIDDEN
    sources = (position.units, position.barrages, position.step == "setup")
    kept = position.derived.parts.get(_HIDDEN[side])
    if kept is not None and all(map(is_, kept[0], sources)):
        known: frozenset[UnitId] = kept[1]
        return known
    if side == SPECTATORS:
        return position.derived.part(
            _HIDDEN[side], sources, lambda: hidden_units(position, SIDES[0]) | hidden_units(position, SIDES[1])
        )
    return position.derived.part(_HIDDEN[side], sources, lambda: _hidden(position, side))


def _hidden(position: Position, side: SideId) -> frozenset[UnitId]:
    if position.step == "setup" and position.ground.scenario.sections.setup.order:
        # who could look while he places units, and place them anew, would scout for nothing
        others = (unit for unit in position.units if unit.side != side and unit.kind not in FORTS)
        return frozenset([unit.id for unit in others])
    searched: dict[HexId, bool] = {}
    hidden: list[UnitId] = []
    for unit in position.units:
        if unit.side == side or unit.kind in FORTS:
            continue
        if unit.hex == NOWHERE:
            if unit.fate == RESERVE:
                hidden.append(unit.id)
            continue
        if unit.hex not in searched:
            searched[unit.hex] = is_searched(position, unit.hex, side)
        if not searched[unit.hex]:
            hidden.append(unit.id)
    return frozenset(hidden)


def is_searched(position: Position, place: HexId, side: SideId) -> bool:
    """Whether a side would see whoever stood in a hex: it is in sight of an undispersed unit and, in cover, spotted.

    Rules: PB3-711, PB3-712, PB3-1303.
    """
    if not sight.is_watched(position, side, place):
        return False
    return not is_hiding(position.ground.board, place) or sight.has_spotter_beside(position, place, side)
