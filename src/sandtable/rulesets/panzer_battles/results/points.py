"""What losses are worth to the other side."""

from __future__ import annotations

from fractions import Fraction

from sandtable.rulesets.panzer_battles.kinds import AIRCRAFT, GUNS, HARD, SHIPS, UnitKind
from sandtable.rulesets.panzer_battles.parameters import Parameters


def loss_points(kind: UnitKind, lost: int, parameters: Parameters) -> Fraction:
    """The victory points for so many men, guns or vehicles of a type, not yet rounded.

    Rules: PB-VIC-12.
    """
    points = parameters.victory
    if kind.is_men:
        return lost * (points.points_per_hq_man if kind.has("hq") else points.points_per_10_men / 10)
    each = {
        GUNS: points.points_per_gun,
        SHIPS: points.points_per_ship,
        AIRCRAFT: points.points_per_aircraft,
    }.get(kind.component, points.points_per_hard_vehicle if kind.target == HARD else points.points_per_soft_vehicle)
    return lost * (Fraction(kind.vp) if kind.vp else each)
