"""Guns between their fires: shells on hand, and setting up after a move.

Rules: PB-SUP-27, PB-SUP-40.
"""

from __future__ import annotations

from fractions import Fraction

from sandtable.kernel.decisions import Refusal
from sandtable.kernel.ids import SideId
from sandtable.rulesets.panzer_battles.ground import Ground
from sandtable.rulesets.panzer_battles.model import DEPLOYED, Position, Unit
from sandtable.rulesets.panzer_battles.parameters import Parameters
from sandtable.rulesets.panzer_battles.refusals import refuse

TYPES = frozenset({"artillery", "heavy_artillery", "siege_gun", "rockets"})
OTHER_GUNS = ("at_gun", "aa", "heavy_aa")
"""Guns that are supplied like infantry and never need to set up (PB-SUP-44)."""

CERTAIN = 100


def is_artillery(unit: Unit) -> bool:
    """Whether a unit is supplied with shells as artillery is: batteries, mortars that fire indirectly, ships.

    Rules: PB-SUP-9, PB-SUP-27, PB-SUP-44.
    """
    kind = unit.of
    if kind.has("naval"):
        return True
    return (kind.type in TYPES or kind.has("indirect")) and not any(map(kind.has, OTHER_GUNS))


def setup_pct(unit: Unit, side: SideId, parameters: Parameters) -> Fraction:
    """How likely a battery is ready after a turn of quiet, in percent: siege guns take longer.

    Rules: PB-SUP-41, PB-SUP-42, PB-SUP-47.
    """
    artillery, pct = parameters.artillery, Fraction(parameters.artillery.setup_pct.of(side))
    if unit.of.has("sp") and pct >= artillery.setup_sp_exempt_at_pct:
        return Fraction(CERTAIN)
    return pct * artillery.siege_setup_fraction if unit.of.has("siege") and pct < CERTAIN else pct


def needs_setup(ground: Ground, unit: Unit) -> bool:
    """Whether a unit must be set up before it fires indirectly once it has moved, traveled or arrived.

    Rules: PB-SUP-40, PB-SUP-42, PB-SUP-44, PB-SUP-45, PB-OPT-4.
    """
    if not ground.options.artillery_setup or not unit.of.has("indirect") or unit.of.has("naval"):
        return False
    return is_artillery(unit) and setup_pct(unit, unit.side, ground.parameters) < CERTAIN


def can_set_up(unit: Unit) -> bool:
    """Whether a unit that must be set up tries it at the start of its turn: it had quiet in its own last turn, and is
    off its tow.

    Rules: PB-SUP-41, PB-SUP-43, PB-SUP-46, PB-OPF-12.
    """
    on_tow = unit.of.has("towed") and unit.mode != DEPLOYED
    return unit.setup_required and not unit.moved and not unit.has_shot and not on_tow


def cannot_fire_indirect(position: Position, unit: Unit) -> Refusal | None:
    """What of its supply and its place keeps a unit from firing indirectly.

    Rules: PB-SUP-28, PB-SUP-40, PB-SUP-43.
    """
    if unit.unavailable:
        return refuse("PB-SUP-28", "it is out of shells; it may fire direct at half value")
    if unit.setup_required:
        return refuse("PB-SUP-40", "it is not set up yet; it may fire direct")
    return None
