"""Off-board artillery: secret plots of both sides, observers, scatter, and the fire where it falls.

Rules: PB3-305, PB3-502, PB3-504, PB3-708, PB3-1201 to PB3-1208.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from sandtable.geometry.hexes import STEPS, Hex, to_offset
from sandtable.kernel.decisions import Refusal
from sandtable.kernel.ids import NOBODY, NOWHERE, HexId, RuleId, SideId
from sandtable.kernel.resolution import Resolution
from sandtable.kernel.trace import Line, Tally
from sandtable.rulesets.panzerblitz_3d.combat import fail, readied, roll_attack, target_type
from sandtable.rulesets.panzerblitz_3d.events import BatteryFired, HexShelled, PlotStruck, PlotWritten
from sandtable.rulesets.panzerblitz_3d.kinds import COMMAND_POSTS
from sandtable.rulesets.panzerblitz_3d.looks import looks
from sandtable.rulesets.panzerblitz_3d.model import ARTILLERY, SIDES, BatteryState, Plot, Position, Unit
from sandtable.rulesets.panzerblitz_3d.orders import CancelPlot, PlotFire
from sandtable.rulesets.panzerblitz_3d.pieces import enemy_of
from sandtable.rulesets.panzerblitz_3d.sight import can_spot
from sandtable.rulesets.panzerblitz_3d.stacks import active, is_outside, units_at
from sandtable.rulesets.panzerblitz_3d.tables import BATTERIES, artillery_table
from sandtable.rulesets.panzerblitz_3d.weapons import effect_on
from sandtable.rulesets.panzerblitz_3d.workings import Attack

PLOTTING = RuleId("PB3-502")
SCATTER = artillery_table().scatter


# --- plotting -------------------------------------------------------------------------------------------------------


def batteries_of(position: Position, side: SideId) -> tuple[BatteryState, ...]:
    """The side's batteries that have fire missions left."""
    return tuple([battery for battery in position.batteries if battery.side == side and battery.missions])


def plotters(position: Position) -> tuple[SideId, ...]:
    """The sides that have batteries to plot for; everybody knows who has."""
    return tuple(side for side in SIDES if batteries_of(position, side))


def plot_of(position: Position, battery: int) -> Plot | None:
    """What is written for a battery."""
    return next((plot for plot in position.plots if plot.battery == battery), None)


def still_to_plot_first(position: Position, side: SideId) -> tuple[BatteryState, ...]:
    """The side's batteries, those without a target first, so that nobody plots one anew while another is silent."""
    return tuple(sorted(batteries_of(position, side), key=lambda battery: plot_of(position, battery.id) is not None))


def check_plot(position: Position, side: SideId, order: PlotFire) -> Refusal | None:
    """Why a battery can't be plotted to fire there, or None.

    Rules: PB3-305, PB3-502.
    """
    if not 0 <= order.battery < len(position.batteries) or position.batteries[order.battery].side != side:
        return Refusal(PLOTTING, "there is no such battery of yours")
    if not position.batteries[order.battery].missions:
        return Refusal(RuleId("PB3-305"), "the battery has no fire mission left")
    if not position.ground.board.is_on(order.hex):
        return Refusal(PLOTTING, "that is no hex of the map")
    return None


def resolve_plot(resolution: Resolution[Position], side: SideId, order: PlotFire) -> None:
    """The battery's target stands in the notes."""
    resolution.emit(PlotWritten(side, order.battery, order.hex))


def plot_options(position: Position, side: SideId) -> Iterator[PlotFire]:
    """For each battery without a target the hexes with enemies in sight and the ground that is fought for."""
    places = _worth_plotting(position, side)
    for battery in batteries_of(position, side):
        if plot_of(position, battery.id) is None:
            yield from (PlotFire(battery.id, place) for place in places)


def _worth_plotting(position: Position, side: SideId) -> dict[HexId, None]:
    """Where enemies are in sight, and the ground that is fought for."""
    wanted = [place for objective in position.ground.scenario.objectives for place in objective.hexes]
    return dict.fromkeys([unit.hex for unit in active(position, enemy_of(side))] + list(map(HexId, wanted)))


def plot_offers(position: Position, side: SideId) -> Iterator[PlotFire]:
    """Every battery on every hex, first where it is worth it."""
    places = {**_worth_plotting(position, side), **dict.fromkeys(map(HexId, position.ground.board.hexes))}
    for battery in still_to_plot_first(position, side):
        yield from (PlotFire(battery.id, place) for place in places)


def check_cancel(position: Position, side: SideId, order: CancelPlot) -> Refusal | None:
    """Why nothing can be struck out for a battery, or None."""
    if plot_of(position, order.battery) is None:
        return Refusal(PLOTTING, "nothing is written for that battery")
    return None


def resolve_cancel(resolution: Resolution[Position], side: SideId, order: CancelPlot) -> None:
    """The battery is silent in this game turn."""
    resolution.emit(PlotStruck(side, order.battery))


def cancel_offers(position: Position, side: SideId) -> Iterator[CancelPlot]:
    """All that is written."""
    return (CancelPlot(plot.battery) for plot in position.plots)


def no_options(position: Position, side: SideId) -> Iterator[CancelPlot]:
    """Nothing that a computer player need try: it writes only what it means."""
    return iter(())


# --- observing ------------------------------------------------------------------------------------------------------


def is_observer(unit: Unit) -> bool:
    """Whether a unit can observe for artillery: a command post or one that the scenario names, in good order and not
    loaded.

    Rules: PB3-902, PB3-1201.
    """
    return (unit.kind in COMMAND_POSTS or unit.observer) and can_spot(unit) and unit.carrier == NOBODY


def is_observed(position: Position, side: SideId, place: HexId) -> bool:
    """Whether an observer of a side sees a hex; units in it need not be spotted.

    Rules: PB3-1201.
    """
    row = looks(position)[place]
    return any(row[unit.hex] and is_observer(unit) for unit in active(position, side))


# --- the fire -------------------------------------------------------------------------------------------------------


def under_fire(position: Position, place: HexId) -> tuple[Unit, ...]:
    """All counters of a hex, friend and foe; both sides never share one (PB3-1206)."""
    return tuple([unit for unit in units_at(position, place) if is_outside(unit)])


def artillery_attack(
    position: Position, side: SideId, batteries: tuple[int, ...], place: HexId
) -> Attack | Refusal | None:
    """The fire of these batteries at all that is in a hex, a refusal when it is worse than 1-4, None when nobody is
    there.

    Rules: PB3-805, PB3-808, PB3-1206, PB3-1207, PB3-1208.
    """
    targets = under_fire(position, place)
    if not targets:
        return None
    effect = effect_on(artillery_table().weapon, target_type(position, targets), is_near=False)
    total = 0
    lines: list[Line] = []
    for id in batteries:
        printed = BATTERIES[position.batteries[id].kind]
        share = int(printed.attack * Fraction(effect.multiplier))
        total += share
        lines.append(Line(f"{printed.name}: attack factor", printed.attack, RuleId("PB3-305")))
        if share != printed.attack:
            lines.append(Line(f"{printed.name}: {effect.reason}", f"x{effect.multiplier}", RuleId("PB3-1206")))
    return readied(position, place, targets, lines, strength=total, side=side, how=ARTILLERY, rule="PB3-1206")


def resolve_artillery(resolution: Resolution[Position]) -> None:
    """All plotted fire has fallen: the first player's, then the second's; who sees which hex was judged before.

    Rules: PB3-504, PB3-1201, PB3-1208.
    """
    position = resolution.position
    owner = {plot.battery: position.batteries[plot.battery].side for plot in position.plots}
    seen = {plot.battery: is_observed(position, owner[plot.battery], plot.hex) for plot in position.plots}
    for side in (position.first, enemy_of(position.first)):
        falls: dict[HexId, list[int]] = {}
        for plot in position.plots:
            if owner[plot.battery] == side:
                place = _fire_battery(resolution, plot, is_seen=seen[plot.battery])
                if place != NOWHERE:
                    falls.setdefault(place, []).append(plot.battery)
        for place, batteries in falls.items():
            _strike(resolution, side, tuple(batteries), place)


def _fire_battery(resolution: Resolution[Position], plot: Plot, *, is_seen: bool) -> HexId:
    """The battery has fired; where its fire falls, NOWHERE when it is missed or off the map.

    Rules: PB3-1202, PB3-1203, PB3-1204, PB3-1205, PB3-1208.
    """
    dice: tuple[int, ...] = ()
    place, rule = plot.hex, "PB3-1202"
    if not is_seen:
        rule = "PB3-1203"
        dice = (resolution.roll(rule),)
        if dice[0] > SCATTER.on_target:
            dice = (*dice, resolution.roll("PB3-1204"), resolution.roll("PB3-1203"))
            place = scattered(resolution.position, plot.hex, dice[1], dice[2])
    resolution.emit(BatteryFired(plot.battery, plot.hex, place, is_seen, dice, rule))
    return place


def scattered(position: Position, plotted: HexId, direction: int, distance: int) -> HexId:
    """Where fire falls by the dice for direction and distance; NOWHERE when it is missed or off the map.

    Rules: PB3-1203, PB3-1204, PB3-1205.
    """
    board, steps = position.ground.board, SCATTER.distance[distance]
    if not steps:
        return NOWHERE
    (dq, dr), start = STEPS[direction - 1], board.axial(plotted)
    col, row = to_offset(Hex(start.q + steps * dq, start.r + steps * dr))
    return HexId(board.hex_at(col, row))


def _strike(resolution: Resolution[Position], side: SideId, batteries: tuple[int, ...], place: HexId) -> None:
    """The hex is under fire for the rest of the game turn, and whoever is in it has taken what came of it.

    Rules: PB3-708, PB3-1206, PB3-1207.
    """
    attack = artillery_attack(resolution.position, side, batteries, place)
    resolution.emit(HexShelled(place))
    if isinstance(attack, Attack):
        roll_attack(resolution, attack)
    elif attack is not None:
        fail(resolution, side, ARTILLERY, (), place, under_fire(resolution.position, place))


def explain_plot(position: Position, side: SideId, order: PlotFire) -> tuple[Tally, ...]:
    """The tallies of the fire if it falls as plotted on what is known to be there."""
    if check_plot(position, side, order) is not None:
        return ()
    attack = artillery_attack(position, side, falling_with(position, side, order.battery, order.hex), order.hex)
    return attack.tallies if isinstance(attack, Attack) else ()


def falling_with(position: Position, side: SideId, battery: int, place: HexId) -> tuple[int, ...]:
    """A battery plotted on a hex, after the others plotted there if an observer lets all of it fall there: that is one
    attack. What nobody observes may scatter apart.

    Rules: PB3-1202, PB3-1208.
    """
    if not is_observed(position, side, place):
        return (battery,)
    return (*(plot.battery for plot in position.plots if plot.hex == place and plot.battery != battery), battery)
