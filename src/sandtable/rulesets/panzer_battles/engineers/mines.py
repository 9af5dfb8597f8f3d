"""Clearing and laying mines, clearing obstacles and rubble.

Rules: PB-ENG-22, PB-ENG-24, PB-ENG-28, PB-ENG-57.
"""

from __future__ import annotations

from fractions import Fraction

from msgspec.structs import replace

from sandtable.kernel.decisions import Refusal
from sandtable.kernel.ids import RuleId, SideId
from sandtable.kernel.resolution import Resolution
from sandtable.kernel.trace import Line, Tally
from sandtable.rulesets.panzer_battles import features
from sandtable.rulesets.panzer_battles.assault.values import demolition_loss
from sandtable.rulesets.panzer_battles.engineers.digging import FROZEN, size_multiplier
from sandtable.rulesets.panzer_battles.engineers.events import FeatureChanged, WorkChanged, WorkProgressed
from sandtable.rulesets.panzer_battles.engineers.orders import ClearMines, LayMines
from sandtable.rulesets.panzer_battles.engineers.states import (
    cannot_work,
    each_turn,
    has_acted,
    is_engineer,
    may_clear,
)
from sandtable.rulesets.panzer_battles.model import Feature, Position, Unit, men
from sandtable.rulesets.panzer_battles.operations import CLEARING, LAYING, RUBBLE, is_at
from sandtable.rulesets.panzer_battles.parameters import Parameters
from sandtable.rulesets.panzer_battles.refusals import own, refuse
from sandtable.rulesets.panzer_battles.results.losses import probability, rounded
from sandtable.rulesets.panzer_battles.results.suffering import forfeit

Bench = Resolution[Position]


# --- clearing -------------------------------------------------------------------------------------------------------


def what_to_clear(position: Position, unit: Unit) -> str:
    """The work that clearing would be for a unit where it stands: mines and obstacles first, then rubble; or none.

    Rules: PB-ENG-24, PB-ENG-57.
    """
    if may_clear(unit) and features.find(position, unit.hex, *features.BARRIERS):
        return CLEARING
    is_mined = features.minefield_at(position, unit.hex) is not None
    if is_engineer(unit) and not is_mined and features.find(position, unit.hex, features.RUBBLE):
        return RUBBLE
    return ""


def cannot_clear(position: Position, side: SideId, unit: Unit) -> Refusal | None:
    """What keeps a unit from clearing its hex, or from ending it.

    Rules: PB-ENG-6, PB-ENG-23, PB-ENG-27.
    """
    if is_at(unit, CLEARING, RUBBLE):
        return None
    if not what_to_clear(position, unit):
        return refuse("PB-ENG-27", "there is nothing here that it could clear")
    return cannot_work(position, unit)


def check_clear(position: Position, side: SideId, order: ClearMines) -> Refusal | None:
    """Rules: PB-ENG-27."""
    unit = own(position, side, order.unit)
    return unit if isinstance(unit, Refusal) else cannot_clear(position, side, unit)


def resolve_clear(resolution: Bench, side: SideId, order: ClearMines) -> None:
    """The unit clears from now on, or no more (PB-ENG-27)."""
    position = resolution.position
    unit = position.units[order.unit]
    work = "" if unit.operation else what_to_clear(position, unit)
    resolution.emit(WorkChanged(unit.id, work, mp=unit.mp, thirds=unit.thirds))


def clear(resolution: Bench, side: SideId) -> None:
    """The mines under the clearers of a side are fewer by one, obstacles gone; rubble is cleared by lot.

    Rules: PB-ENG-24, PB-ENG-25, PB-ENG-26, PB-MOVE-73, PB-MOVE-86.
    """
    own = [unit for unit in resolution.position.units if unit.hex and unit.side == side]
    clearers = [unit for unit in own if is_at(unit, CLEARING) and not unit.is_shaken]
    if clearers:
        resolution.emit(WorkProgressed(side, tuple(unit.id for unit in clearers)))
    for place in sorted({unit.hex for unit in clearers}):
        # charges are spared where somebody works without
        _take_up(resolution, min((unit for unit in clearers if unit.hex == place), key=spends_charges))
        if features.find(resolution.position, place, *features.BARRIERS) is None:
            # for those too who are too shaken to help
            for unit in own:
                if unit.hex == place and is_at(unit, CLEARING) and resolution.position.units[unit.id].hex:
                    resolution.emit(WorkChanged(unit.id, mp=unit.mp, thirds=unit.thirds, by_itself=True))
    for unit in own:
        if is_at(unit, RUBBLE) and not unit.is_shaken:
            _clear_rubble(resolution, unit)


def _take_up(resolution: Bench, unit: Unit) -> None:
    """One strength of mines, or an obstacle, is cleared by a unit; charges cost it strength.

    Rules: PB-ENG-8, PB-ENG-24.
    """
    position = resolution.position
    old = features.find(position, unit.hex, *features.BARRIERS)
    assert old is not None
    is_left = old.kind == features.MINEFIELD and old.strength > 1
    resolution.emit(FeatureChanged(unit.hex, old, replace(old, strength=old.strength - 1) if is_left else None))
    if spends_charges(unit):
        spend_charges(resolution, unit, "PB-ENG-8")


def spends_charges(unit: Unit) -> bool:
    """Whether a unit clears with charges, which cost it strength (PB-ENG-8)."""
    return unit.has("demolition")


def spend_charges(resolution: Bench, unit: Unit, rule: str) -> None:
    """A unit with charges has used some, and so lost strength.

    Rules: PB-ENG-8, PB-ENG-9, PB-ASLT-36.
    """
    lost = rounded(resolution, demolition_loss(unit.of.assault, resolution.position.parameters), rule, unit.id)
    forfeit(resolution, unit, min(lost, unit.strength), spent=rule)


def rubble_chance(unit: Unit, parameters: Parameters) -> Fraction:
    """How likely a unit clears the rubble of its hex in a turn.

    Rules: PB-ENG-57.
    """
    misc = parameters.misc
    pct = misc.dig_in_pct * misc.rubble_clear_fraction_of_dig_in
    return probability(pct * size_multiplier(unit, parameters) * misc.dig_in_mult_engineer)


def _clear_rubble(resolution: Bench, unit: Unit) -> None:
    position = resolution.position
    old = features.find(position, unit.hex, features.RUBBLE)
    if old is not None and not resolution.chance(rubble_chance(unit, position.parameters), "PB-ENG-57", unit.id):
        return
    if old is not None:
        resolution.emit(FeatureChanged(unit.hex, old, replace(old, kind=features.CLEARED_RUBBLE)))
    resolution.emit(WorkChanged(unit.id, mp=unit.mp, thirds=unit.thirds, by_itself=True))


def explain_clear(position: Position, side: SideId, order: ClearMines) -> tuple[Tally, ...]:
    """How long clearing takes: a turn for each strength of mines, or by lot for rubble."""
    unit = position.units[order.unit]
    if unit.operation:
        return ()
    if what_to_clear(position, unit) == CLEARING:
        barrier = features.find(position, unit.hex, *features.BARRIERS)
        turns = barrier.strength if barrier is not None and barrier.kind == features.MINEFIELD else 1
        return (Tally("Turns of work", str(turns), (Line("one strength a turn", turns, RuleId("PB-ENG-24")),)),)
    chance = rubble_chance(unit, position.parameters)
    return each_turn("rubble", chance, "PB-ENG-57")


# --- laying ---------------------------------------------------------------------------------------------------------


def cannot_lay(position: Position, side: SideId, unit: Unit) -> Refusal | None:
    """What keeps a unit from laying mines in its hex, or from ending it.

    Rules: PB-ENG-6, PB-ENG-28, PB-ENV-14.
    """
    if is_at(unit, LAYING):
        return None
    if not is_engineer(unit):
        return refuse("PB-ENG-28", "only engineers lay mines")
    if position.weather.condition == FROZEN:
        return refuse("PB-ENG-28", "the ground is frozen")
    if features.minefield_at(position, unit.hex):
        return refuse("PB-ENG-28", "there are mines here already")
    return cannot_work(position, unit) or has_acted(unit, "PB-ENG-28")


def check_lay(position: Position, side: SideId, order: LayMines) -> Refusal | None:
    """Rules: PB-ENG-28."""
    unit = own(position, side, order.unit)
    return unit if isinstance(unit, Refusal) else cannot_lay(position, side, unit)


def resolve_lay(resolution: Bench, side: SideId, order: LayMines) -> None:
    """The unit lays mines from now on, or no more (PB-ENG-28)."""
    unit = resolution.position.units[order.unit]
    resolution.emit(WorkChanged(unit.id, "" if unit.operation else LAYING, mp=unit.mp, thirds=unit.thirds))


def lay_chance(unit: Unit, parameters: Parameters) -> Fraction:
    """How likely a unit has laid a minefield in a turn.

    Rules: PB-ENG-29.
    """
    hands = Fraction(men(unit, parameters), parameters.bridge.engineer_full_men)
    return probability(parameters.misc.mine_prob_pct * min(Fraction(1), hands))


def explain_lay(position: Position, side: SideId, order: LayMines) -> tuple[Tally, ...]:
    """How likely the minefield lies at the start of each of the side's turns."""
    unit = position.units[order.unit]
    if unit.operation:
        return ()
    chance = lay_chance(unit, position.parameters)
    return each_turn("mines", chance, "PB-ENG-29")


def lay(resolution: Bench, side: SideId) -> None:
    """Who lays mines has tested; a success is a minefield of strength 1, and the end of the work for all who laid
    there. Frozen ground lets nobody.

    Rules: PB-ENG-29, PB-ENG-30, PB-ENG-31, PB-ENV-14.
    """
    if resolution.position.weather.condition == FROZEN:
        return
    layers = [one for one in resolution.position.units if one.hex and one.side == side and is_at(one, LAYING)]
    for unit in layers:
        position = resolution.position
        if unit.is_shaken or features.minefield_at(position, unit.hex) is not None:
            continue
        if resolution.chance(lay_chance(unit, position.parameters), "PB-ENG-29", unit.id):
            resolution.emit(FeatureChanged(unit.hex, None, Feature(features.MINEFIELD, side)))
    for unit in layers:
        if features.minefield_at(resolution.position, unit.hex) is not None:
            resolution.emit(WorkChanged(unit.id, mp=unit.mp, thirds=unit.thirds, by_itself=True))
