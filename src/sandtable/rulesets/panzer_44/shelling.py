"""Phase 6: indirect fire of howitzers and mortars, off-board artillery, and attacks from the air.

Rules: P44-5.12, P44-5.13, P44-8.06, P44-11.01, P44-11.02, P44-11.03, P44-11.04, P44-11.05, P44-11.06, P44-11.07,
P44-11.08, P44-11.09, P44-11.10, P44-11.11, P44-15.03.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from sandtable.geometry.hexes import STEPS, Hex
from sandtable.kernel.ids import NOBODY, NOWHERE, HexId, RuleId, SideId
from sandtable.kernel.resolution import Resolution
from sandtable.kernel.trace import Line
from sandtable.rulesets.panzer_44 import fire
from sandtable.rulesets.panzer_44.events import RangedIn, ShellsFell, SortieFlown, SortieHeld
from sandtable.rulesets.panzer_44.ground import registered
from sandtable.rulesets.panzer_44.kinds import SMALL_ARMS
from sandtable.rulesets.panzer_44.model import INDIRECT, LOOSE, MISSION, SORTIE, Plot, Position, Ranging, Unit
from sandtable.rulesets.panzer_44.pieces import enemy_of
from sandtable.rulesets.panzer_44.plots import plots_of
from sandtable.rulesets.panzer_44.results import attack
from sandtable.rulesets.panzer_44.stacks import is_fit, kind_of, units_at
from sandtable.rulesets.panzer_44.tables import BATTERIES, SORTIES, STRIKE
from sandtable.rulesets.panzer_44.visibility import can_see, is_watched, spotters

OBSERVED_DRIFT, UNOBSERVED_DRIFT = 1, 2
"""How far shells fall from where they were aimed: our own distances, see the rules (P44-11.03, P44-11.04)."""

AIR_SPOTTING = 5
"""How near a spotter must be to mark a target for aircraft (P44-11.10)."""

FLAK_RANGE = 5
"""Small arms of at least this range are light flak (P44-11.11)."""

SHELLS, BOMBS = "shells", "bombs"


class Guns(NamedTuple):
    """What fires: its strength, its accuracy number, and where it stands (0: off the map)."""

    name: str
    strength: int
    accuracy: int
    place: HexId


def resolve_side(resolution: Resolution[Position], side: SideId) -> None:
    """A side's indirect fire, off-board missions and sorties have been carried out and applied (P44-5.12)."""
    for kind in (INDIRECT, MISSION):
        for plot in plots_of(resolution.position, side, kind):
            if plot.support or is_fit(resolution.position.units[plot.unit]):
                _shell(resolution, plot)
    for plot in plots_of(resolution.position, side, SORTIE):
        _strike(resolution, plot)


def guns_of(position: Position, plot: Plot) -> Guns:
    """The battery of a mission or the unit of a plotted indirect fire."""
    if plot.support:
        battery = next(one for one in position.batteries if one.name == plot.support)
        return Guns(battery.name, BATTERIES[battery.kind].strength, battery.accuracy, NOWHERE)
    unit = position.units[plot.unit]
    return Guns(str(unit.id), kind_of(unit).attack, unit.accuracy, unit.hex)


# --- aim ------------------------------------------------------------------------------------------------------------


def is_heard(position: Position, side: SideId, place: HexId) -> bool:
    """Whether an enemy battery fired indirectly from a hex in the last turn, whether it has again in this one or not:
    counter-battery fire (P44-11.08).
    """
    heard = position.heard.get(place)
    return heard is not None and heard.side != side and position.turn - 1 in (heard.turn, heard.before)


def is_observed(position: Position, side: SideId, place: HexId) -> bool:
    """Whether a side's shells on a hex are observed, registered or counter-battery fire.

    Rules: P44-11.02, P44-11.04, P44-11.08.
    """
    if place in registered(position.ground, side) or is_heard(position, side, place):
        return True
    return is_watched(position, place, side)


def ranging_of(position: Position, guns: Guns, place: HexId) -> Ranging | None:
    """How a battery has ranged in on a hex, if it fired at it in the last turn (P44-15.03)."""
    kept = position.ranging.get(guns.name) if position.ground.options.ranging_in else None
    return kept if kept is not None and kept.hex == place and kept.turn == position.turn - 1 else None


def accuracy_of(position: Position, guns: Guns, place: HexId) -> int:
    """The accuracy number of observed fire on a hex (P44-11.03, P44-15.03)."""
    ranged = ranging_of(position, guns, place)
    if ranged is None:
        return guns.accuracy
    return fire.DIE if ranged.on_target else guns.accuracy + ranged.turns


def drifted(position: Position, place: HexId, direction: int, hexes: int) -> HexId:
    """The hex so far away in a direction, 0 off the map (P44-11.07)."""
    board = position.ground.board
    here, (q, r) = board.axial(place), STEPS[direction]
    return HexId(board.from_axial(Hex(here.q + hexes * q, here.r + hexes * r)))


def impacts(position: Position, side: SideId, place: HexId, accuracy: int) -> dict[HexId, Fraction]:
    """Where shells on a hex can come down, and how likely (P44-11.03, P44-11.04)."""
    found: dict[HexId, Fraction] = {}
    if is_observed(position, side, place):
        on_target = Fraction(min(accuracy, fire.DIE), fire.DIE)
        found[place] = on_target
        drift, share = OBSERVED_DRIFT, (1 - on_target) / fire.DIE
    else:
        drift, share = UNOBSERVED_DRIFT, Fraction(1, fire.DIE)
    for direction in range(fire.DIE):
        there = drifted(position, place, direction, drift)
        if there and share:
            found[there] = share
    return found


def _shell(resolution: Resolution[Position], plot: Plot) -> None:
    """One battery's shells have come down and attacked whoever is under them."""
    position = resolution.position
    guns, actor = guns_of(position, plot), plot.unit
    observed = is_observed(position, plot.side, plot.hex)
    roll = direction = 0
    accuracy = accuracy_of(position, guns, plot.hex) if observed else 0
    impact = plot.hex
    if observed and accuracy < fire.DIE:
        roll = resolution.roll("P44-11.03", actor)
    if roll > accuracy or not observed:
        direction = resolution.roll("P44-11.03" if observed else "P44-11.04", actor)
        impact = drifted(position, plot.hex, direction - 1, OBSERVED_DRIFT if observed else UNOBSERVED_DRIFT)
    resolution.emit(
        ShellsFell(
            plot.side, plot.pattern, impact, plot.unit, plot.support, guns.place, plot.hex,
            observed, accuracy, roll, direction,
        )
    )  # fmt: skip
    if observed and position.ground.options.ranging_in:
        ranged = ranging_of(position, guns, plot.hex)
        turns = ranged.turns + 1 if ranged is not None else 1
        kept = Ranging(plot.hex, turns, position.turn, impact == plot.hex)
        resolution.emit(RangedIn(plot.side, guns.name, kept))
    if impact:
        _burst(resolution, plot, guns, impact)


def under_shells(position: Position, place: HexId, pattern: str) -> list[Unit]:
    """Who is attacked by shells on a hex, friend or enemy: all in it, or the soft targets in it and around it.

    Rules: P44-11.05, P44-11.06.
    """
    if pattern != LOOSE:
        return list(units_at(position, place))
    hexes = (place, *position.ground.board.neighbors(place))
    return [unit for here in hexes for unit in units_at(position, HexId(here)) if not kind_of(unit).is_hard]


def shell_odds(position: Position, strength: int, pattern: str, target: Unit) -> fire.Odds:
    """The numbers of shells on one target."""
    line = Line("strength of the shells", strength, RuleId("P44-9.02"))
    return fire.odds(position, fire.pattern_line(pattern), line, NOWHERE, target)


def _burst(resolution: Resolution[Position], plot: Plot, guns: Guns, impact: HexId) -> None:
    rule = "P44-11.06" if plot.pattern == LOOSE else "P44-11.05"
    for target in under_shells(resolution.position, impact, plot.pattern):
        odds = shell_odds(resolution.position, guns.strength, plot.pattern, target)
        attack(resolution, SHELLS, target.id, odds, rule)


# --- aircraft -------------------------------------------------------------------------------------------------------


def is_marked(position: Position, side: SideId, place: HexId) -> bool:
    """Whether a spotter near enough sees the hex (P44-11.10)."""
    distance = position.ground.board.distance
    near = (unit for unit in spotters(position, side) if distance(unit.hex, place) <= AIR_SPOTTING)
    return any(can_see(position, unit.hex, place) for unit in near)


def has_flak(position: Position, side: SideId, place: HexId) -> bool:
    """Whether a side's light flak is in a hex or next to it (P44-11.11)."""
    hexes = (place, *position.ground.board.neighbors(place))
    return any(
        unit.side == side and is_fit(unit) and kind_of(unit).weapon == SMALL_ARMS and kind_of(unit).range >= FLAK_RANGE
        for here in hexes
        for unit in units_at(position, HexId(here))
    )


def attack_rolls(position: Position, side: SideId, place: HexId) -> tuple[int, ...]:
    """The rolls with which a side's aircraft attack a hex."""
    return STRIKE.under_flak if has_flak(position, enemy_of(side), place) else STRIKE.attacks


def _strike(resolution: Resolution[Position], plot: Plot) -> None:
    """An aircraft has attacked every enemy in its hex, was driven off, or saw nobody to mark the target."""
    position = resolution.position
    if not is_marked(position, plot.side, plot.hex):
        resolution.emit(SortieHeld(plot.side, plot.support, plot.hex))
        return
    rolls = attack_rolls(position, plot.side, plot.hex)
    roll = resolution.roll("P44-11.10", NOBODY)
    flak = has_flak(position, enemy_of(plot.side), plot.hex)
    resolution.emit(SortieFlown(plot.side, plot.support, plot.hex, roll, roll in rolls, flak))
    if roll not in rolls:
        return
    aircraft = next(one for one in position.sorties if one.name == plot.support)
    for target in units_at(position, plot.hex):
        if target.side != plot.side:
            odds = bomb_odds(resolution.position, aircraft.kind, target)
            attack(resolution, BOMBS, target.id, odds, "P44-11.10")


def bomb_odds(position: Position, aircraft: str, target: Unit) -> fire.Odds:
    """The numbers of an aircraft's attack on one target, on the tight line without scatter."""
    line = Line(SORTIES[aircraft].name, SORTIES[aircraft].strength, RuleId("P44-11.10"))
    return fire.odds(position, fire.HT, line, NOWHERE, target)
