"""Phase 1: both sides write their orders in secret, commit themselves to them, and open them at once.

Rules: P44-5.03, P44-5.04, P44-5.05, P44-5.06, P44-5.07, P44-5.08, P44-11.01, P44-11.09, P44-11.10.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from sandtable.kernel import codec
from sandtable.kernel.decisions import Decision, Refusal
from sandtable.kernel.ids import NOBODY, HexId, RuleId, SideId, UnitId
from sandtable.kernel.resolution import Resolution
from sandtable.rulesets.panzer_44 import fire
from sandtable.rulesets.panzer_44 import orders as o
from sandtable.rulesets.panzer_44.events import OrderVoid, PlotSealed, PlotsOpened, Plotted, Unplotted
from sandtable.rulesets.panzer_44.model import (
    CLEARING,
    DIGGING,
    DIRECT,
    INDIRECT,
    MISSION,
    MOVE,
    OPPORTUNITY,
    PATTERNS,
    SIDES,
    SORTIE,
    Plot,
    Position,
    Unit,
)
from sandtable.rulesets.panzer_44.pieces import enemy_of
from sandtable.rulesets.panzer_44.plots import has_order, plot_of
from sandtable.rulesets.panzer_44.refusals import not_yours, refuse
from sandtable.rulesets.panzer_44.stacks import enemies_at, kind_of, on_table, passengers

PLOT = "plot"
FIRING = (DIRECT, OPPORTUNITY)
LONGEST_NONCE = 200
PROMPT = "Write an order for each of your units; then seal your plot."


def decide(position: Position) -> tuple[Decision, ...]:
    """Each side that has not sealed its plot is at it; neither can tell whether the other still is."""
    return tuple(_DECISIONS[side] for side in SIDES if side not in position.sealed)


_DECISIONS = {side: Decision(side, PLOT, RuleId("P44-5.03"), PROMPT, sealed=True) for side in SIDES}


def is_sealed(position: Position, side: SideId) -> Refusal | None:
    """Why nothing more can be written, or None: a sealed plot stands as it is until both are opened (P44-5.08)."""
    return refuse("P44-5.08", "the plot is sealed") if side in position.sealed and not position.opened else None


# --- who may be given which order -----------------------------------------------------------------------------------


def cannot_plot(position: Position, side: SideId, unit: UnitId) -> Refusal | None:
    """Why a unit can't be given any order, or None (P44-5.07)."""
    refusal = not_yours(position, side, unit)
    if refusal is not None:
        return refusal
    if position.units[unit].disruption:
        return refuse("P44-5.07", "a disrupted unit receives no order")
    return None


def _aboard(unit: Unit) -> Refusal | None:
    return refuse("P44-4.05", "it is aboard a carrier") if unit.carrier != NOBODY else None


def cannot_fire(position: Position, side: SideId, unit: UnitId) -> Refusal | None:
    """Why a unit can't be plotted to fire at what it sees, or None (P44-4.05, P44-15.04)."""
    refusal = cannot_plot(position, side, unit)
    if refusal is not None:
        return refusal
    firer = position.units[unit]
    if not kind_of(firer).is_armed:
        return refuse("P44-3.01", "it has no weapon")
    if firer.carrier == NOBODY:
        return None
    carrier = position.units[firer.carrier]
    if not (position.ground.options.mounted_fire and "halftrack" in kind_of(carrier).flags):
        return _aboard(firer)
    if not kind_of(firer).is_infantry:
        return refuse("P44-15.04", "only infantry fires from a halftrack")
    if has_order(position, carrier, MOVE):
        return refuse("P44-5.04", "its carrier is to move, and a unit that fires does not")
    return None


def cannot_move(position: Position, side: SideId, unit: UnitId) -> Refusal | None:
    """Why a unit can't be plotted to move, or None: on its own feet or wheels, or to be loaded or unloaded.

    Rules: P44-4.04, P44-5.04, P44-5.07.
    """
    refusal = cannot_plot(position, side, unit)
    if refusal is not None:
        return refusal
    mover = position.units[unit]
    if mover.pinned:
        return refuse("P44-5.07", "a pinned unit can't be plotted to move")
    if not kind_of(mover).ma and mover.carrier == NOBODY and not _could_be_towed(position, mover):
        return refuse("P44-3.03", "it moves only in tow, and nobody could tow it")
    for rider in passengers(position, unit):
        plot = plot_of(position, rider.id)
        if plot is not None and plot.kind in FIRING:
            return refuse("P44-5.04", "its passenger is to fire, and a unit that fires does not move")
    return None


def _could_be_towed(position: Position, unit: Unit) -> bool:
    return kind_of(unit).can_be_carried and any(kind_of(one).carries for one in on_table(position, unit.side))


def cannot_shell(position: Position, side: SideId, unit: UnitId) -> Refusal | None:
    """Why a unit can't be plotted for indirect fire, or None (P44-8.06)."""
    refusal = cannot_plot(position, side, unit)
    if refusal is not None:
        return refusal
    if not kind_of(position.units[unit]).is_howitzer:
        return refuse("P44-8.06", "only howitzers and mortars fire indirectly")
    return _aboard(position.units[unit])


def cannot_work(position: Position, side: SideId, unit: UnitId) -> Refusal | None:
    """Why a unit can't be plotted to clear or dig, or None (P44-13.05)."""
    refusal = cannot_plot(position, side, unit)
    if refusal is not None:
        return refusal
    if not kind_of(position.units[unit]).is_engineer:
        return refuse("P44-13.05", "only engineers clear mines and dig positions")
    return _aboard(position.units[unit])


def _off_map(position: Position, place: HexId) -> Refusal | None:
    return None if position.ground.board.is_on(place) else refuse("P44-1.04", "that is no hex of the map")


def _no_pattern(pattern: str) -> Refusal | None:
    return None if pattern in PATTERNS else refuse("P44-11.01", "a pattern is tight or loose")


# --- the orders -----------------------------------------------------------------------------------------------------


def _each(
    position: Position, side: SideId, units: tuple[UnitId, ...], cannot: Callable[..., Refusal | None]
) -> Refusal | None:
    """Why one of several units can't be given an order, or None."""
    if not units or len(set(units)) < len(units):
        return refuse("P44-5.04", "an order is for one unit or several")
    return next((refusal for unit in units if (refusal := cannot(position, side, unit)) is not None), None)


def check_direct(position: Position, side: SideId, order: o.PlotDirectFire) -> Refusal | None:
    """Why the units can't be plotted to fire into the hex, or None; whom they will find there is another matter."""
    refusal = _each(position, side, order.units, cannot_fire) or _off_map(position, order.hex)
    if refusal is not None:
        return refusal
    reaches = (fire.out_of_reach(position, position.units[unit], order.hex) for unit in order.units)
    return next((refusal for refusal in reaches if refusal is not None), None)


def in_vain(position: Position, unit: Unit, place: HexId) -> Refusal | None:
    """Why plotted fire into a hex would be wasted as far as the side can tell, or None (P44-8.01, P44-8.10)."""
    enemies = enemies_at(position, place, unit.side)
    if not enemies:
        return refuse("P44-8.01", "no enemy is seen there; the fire would be wasted")
    against = [fire.no_attack(position, unit, enemy) for enemy in enemies]
    return None if None in against else against[0]


def check_opportunity(position: Position, side: SideId, order: o.PlotOpportunityFire) -> Refusal | None:
    return _each(position, side, order.units, cannot_fire)


def check_move(position: Position, side: SideId, order: o.PlotMove) -> Refusal | None:
    return _each(position, side, order.units, cannot_move)


def check_indirect(position: Position, side: SideId, order: o.PlotIndirectFire) -> Refusal | None:
    """Why the unit can't lay shells there, or None (P44-11.01)."""
    refusal = cannot_shell(position, side, order.unit) or _off_map(position, order.hex) or _no_pattern(order.pattern)
    if refusal is not None:
        return refusal
    unit = position.units[order.unit]
    distance = position.ground.board.distance(unit.hex, order.hex)
    if distance > kind_of(unit).range:
        return refuse("P44-3.05", f"the hex is {distance} hexes away; it fires {kind_of(unit).range} far")
    return None


def check_clear(position: Position, side: SideId, order: o.PlotClear) -> Refusal | None:
    """Why the engineers can't clear the hex, or None (P44-13.05)."""
    refusal = cannot_work(position, side, order.unit) or _off_map(position, order.hex)
    if refusal is not None:
        return refusal
    if order.hex not in position.mines:
        return refuse("P44-13.05", "there are no mines in that hex")
    if position.ground.board.distance(position.units[order.unit].hex, order.hex) > 1:
        return refuse("P44-13.05", "engineers clear mines in their own hex or next to it")
    return None


def check_dig(position: Position, side: SideId, order: o.PlotDig) -> Refusal | None:
    """Why the engineers can't dig, or None (P44-13.07)."""
    refusal = cannot_work(position, side, order.unit)
    if refusal is None and position.units[order.unit].hex in position.positions:
        return refuse("P44-13.07", "there is an Improved Position already")
    return refusal


def check_mission(position: Position, side: SideId, order: o.PlotMission) -> Refusal | None:
    """Why the battery can't fire there, or None; its range is unlimited (P44-11.09)."""
    own = [one for one in position.batteries if one.side == side and one.name == order.battery]
    if not own or not own[0].left:
        return refuse("P44-11.09", "you have no such battery with a mission left")
    return _off_map(position, order.hex) or _no_pattern(order.pattern)


def check_sortie(position: Position, side: SideId, order: o.PlotSortie) -> Refusal | None:
    """Why the aircraft can't attack there, or None (P44-11.10)."""
    own = [one for one in position.sorties if one.side == side and one.name == order.sortie and not one.flown]
    return _off_map(position, order.hex) if own else refuse("P44-11.10", "you have no such sortie left")


def check_unplot(position: Position, side: SideId, order: o.Unplot) -> Refusal | None:
    refusal = not_yours(position, side, order.unit)
    if refusal is None and plot_of(position, order.unit) is None:
        return refuse("P44-5.04", "it has no order")
    return refusal


def check_unplot_support(position: Position, side: SideId, order: o.UnplotSupport) -> Refusal | None:
    has = order.support and any(plot.side == side and plot.support == order.support for plot in position.plots)
    return None if has else refuse("P44-5.04", "nothing of that kind is plotted")


def check_seal(position: Position, side: SideId, order: o.SealPlot) -> Refusal | None:
    return None if len(order.nonce) <= LONGEST_NONCE else refuse("P44-5.08", "the nonce is too long")


PlotOrder = (
    o.PlotDirectFire
    | o.PlotOpportunityFire
    | o.PlotMove
    | o.PlotIndirectFire
    | o.PlotClear
    | o.PlotDig
    | o.PlotMission
    | o.PlotSortie
)

# --- writing them down ----------------------------------------------------------------------------------------------


def written(side: SideId, order: PlotOrder) -> tuple[Plot, ...]:
    """An order of the plot as it is written down."""
    match order:
        case o.PlotDirectFire():
            return tuple(Plot(side, DIRECT, unit, order.hex) for unit in order.units)
        case o.PlotOpportunityFire():
            return tuple(Plot(side, OPPORTUNITY, unit) for unit in order.units)
        case o.PlotMove():
            return tuple(Plot(side, MOVE, unit) for unit in order.units)
        case o.PlotIndirectFire():
            return (Plot(side, INDIRECT, order.unit, order.hex, order.pattern),)
        case o.PlotClear():
            return (Plot(side, CLEARING, order.unit, order.hex),)
        case o.PlotDig():
            return (Plot(side, DIGGING, order.unit),)
        case o.PlotMission():
            return (Plot(side, MISSION, hex=order.hex, pattern=order.pattern, support=order.battery),)
    return (Plot(side, SORTIE, hex=order.hex, support=order.sortie),)


def resolve_plot(resolution: Resolution[Position], side: SideId, order: PlotOrder) -> None:
    """The order stands in the side's plot, in place of what the unit had before."""
    for plot in written(side, order):
        resolution.emit(Plotted(side, plot))


def resolve_unplot(resolution: Resolution[Position], side: SideId, order: o.Unplot) -> None:
    resolution.emit(Unplotted(side, order.unit))


def resolve_unplot_support(resolution: Resolution[Position], side: SideId, order: o.UnplotSupport) -> None:
    resolution.emit(Unplotted(side, support=order.support))


def commitment(position: Position, side: SideId, nonce: str) -> str:
    """What binds a side to its plot without showing it: the digest of the plot and the nonce (P44-5.08)."""
    own = [plot for plot in position.plots if plot.side == side]
    return codec.digest([side, position.turn, own, nonce])


def resolve_seal(resolution: Resolution[Position], side: SideId, order: o.SealPlot) -> None:
    """The side is bound to its plot."""
    resolution.emit(PlotSealed(side, commitment(resolution.position, side, order.nonce), order.nonce))


# --- opening --------------------------------------------------------------------------------------------------------

CHECKS: dict[str, Callable[[Position, Plot], Refusal | None]] = {
    DIRECT: lambda p, x: check_direct(p, x.side, o.PlotDirectFire((x.unit,), x.hex)),
    OPPORTUNITY: lambda p, x: check_opportunity(p, x.side, o.PlotOpportunityFire((x.unit,))),
    INDIRECT: lambda p, x: check_indirect(p, x.side, o.PlotIndirectFire(x.unit, x.hex, x.pattern)),
    MOVE: lambda p, x: check_move(p, x.side, o.PlotMove((x.unit,))),
    CLEARING: lambda p, x: check_clear(p, x.side, o.PlotClear(x.unit, x.hex)),
    DIGGING: lambda p, x: check_dig(p, x.side, o.PlotDig(x.unit)),
    MISSION: lambda p, x: check_mission(p, x.side, o.PlotMission(x.support, x.hex, x.pattern)),
    SORTIE: lambda p, x: check_sortie(p, x.side, o.PlotSortie(x.support, x.hex)),
}
"""How each kind of written order is judged once more when the plots are opened."""


def open_plots(resolution: Resolution[Position]) -> None:
    """Both plots are open; each is held against its commitment, and what is not lawful is no order (P44-5.08)."""
    position = resolution.position
    lawful: list[Plot] = []
    for plot in position.plots:
        if commitment(position, plot.side, position.nonces[plot.side]) != position.sealed[plot.side]:
            refusal: Refusal | None = refuse("P44-5.08", "the plot is not the one the side committed itself to")
        else:
            refusal = CHECKS[plot.kind](position, plot)
        if refusal is None:
            lawful.append(plot)
        else:
            resolution.emit(OrderVoid(plot.side, plot, refusal.reason, refusal.rule))
    resolution.emit(PlotsOpened(tuple(lawful), position.sealed, position.nonces))


# --- options --------------------------------------------------------------------------------------------------------


def direct_options(position: Position, side: SideId, unit: Unit) -> Iterator[o.PlotDirectFire]:
    """Fire at every hex with an enemy in sight whom the unit may attack."""
    if cannot_fire(position, side, unit.id) is not None:
        return
    for place in dict.fromkeys(enemy.hex for enemy in on_table(position, enemy_of(side))):
        if fire.out_of_reach(position, unit, place) is None and in_vain(position, unit, place) is None:
            yield o.PlotDirectFire((unit.id,), place)


def opportunity_options(position: Position, side: SideId, unit: Unit) -> Iterator[o.PlotOpportunityFire]:
    if cannot_fire(position, side, unit.id) is None:
        yield o.PlotOpportunityFire((unit.id,))


def move_options(position: Position, side: SideId, unit: Unit) -> Iterator[o.PlotMove]:
    if cannot_move(position, side, unit.id) is None:
        yield o.PlotMove((unit.id,))


def targets_for_shells(position: Position, side: SideId) -> list[HexId]:
    """Where shells could do something: hexes with enemies in sight, then batteries that were heard (P44-11.08)."""
    seen = dict.fromkeys(enemy.hex for enemy in on_table(position, enemy_of(side)))
    heard = {place: None for place, one in position.heard.items() if one.side != side}
    return list(seen | heard)


def indirect_options(position: Position, side: SideId, unit: Unit) -> Iterator[o.PlotIndirectFire]:
    """Both patterns on whatever enemies are known of within range."""
    if cannot_shell(position, side, unit.id) is not None:
        return
    for place in targets_for_shells(position, side):
        if position.ground.board.distance(unit.hex, place) <= kind_of(unit).range:
            for pattern in PATTERNS:
                yield o.PlotIndirectFire(unit.id, place, pattern)


def indirect_offers(position: Position, side: SideId, unit: Unit) -> Iterator[o.PlotIndirectFire]:
    """Every hex within range; the form asks for the pattern."""
    if cannot_shell(position, side, unit.id) is None:
        for place in position.ground.board.within(unit.hex, kind_of(unit).range):
            yield o.PlotIndirectFire(unit.id, HexId(place))


def clear_options(position: Position, side: SideId, unit: Unit) -> Iterator[o.PlotClear]:
    if cannot_work(position, side, unit.id) is None:
        for place in (unit.hex, *position.ground.board.neighbors(unit.hex)):
            if place in position.mines:
                yield o.PlotClear(unit.id, HexId(place))


def dig_options(position: Position, side: SideId, unit: Unit) -> Iterator[o.PlotDig]:
    if check_dig(position, side, o.PlotDig(unit.id)) is None:
        yield o.PlotDig(unit.id)


def idle_batteries(position: Position, side: SideId) -> list[str]:
    """The side's batteries off the map with a mission left and none plotted."""
    busy = {plot.support for plot in position.plots if plot.side == side}
    return [one.name for one in position.batteries if one.side == side and one.left and one.name not in busy]


def idle_sorties(position: Position, side: SideId) -> list[str]:
    """The side's sorties that are neither flown nor plotted."""
    busy = {plot.support for plot in position.plots if plot.side == side}
    return [one.name for one in position.sorties if one.side == side and not one.flown and one.name not in busy]


def mission_options(position: Position, side: SideId) -> Iterator[o.PlotMission]:
    for name in idle_batteries(position, side):
        for place in targets_for_shells(position, side):
            for pattern in PATTERNS:
                yield o.PlotMission(name, place, pattern)


def mission_offers(position: Position, side: SideId) -> Iterator[o.PlotMission]:
    """Every hex for the first idle battery; the form asks for battery and pattern."""
    for name in idle_batteries(position, side)[:1]:
        for place in position.ground.board.hexes:
            yield o.PlotMission(name, HexId(place))


def sortie_options(position: Position, side: SideId) -> Iterator[o.PlotSortie]:
    for name in idle_sorties(position, side):
        for place in dict.fromkeys(enemy.hex for enemy in on_table(position, enemy_of(side))):
            yield o.PlotSortie(name, place)


def sortie_offers(position: Position, side: SideId) -> Iterator[o.PlotSortie]:
    for name in idle_sorties(position, side)[:1]:
        for place in position.ground.board.hexes:
            yield o.PlotSortie(name, HexId(place))


def no_unplot_options(position: Position, side: SideId, unit: Unit | None = None) -> Iterator[o.Unplot]:
    """Nobody need try to strike out what he has just written."""
    return iter(())


def unplot_offers(position: Position, side: SideId, unit: Unit) -> Iterator[o.Unplot]:
    if check_unplot(position, side, o.Unplot(unit.id)) is None:
        yield o.Unplot(unit.id)


def unplot_support_offers(position: Position, side: SideId) -> Iterator[o.UnplotSupport]:
    for plot in position.plots:
        if plot.side == side and plot.support:
            yield o.UnplotSupport(plot.support)


def seal_options(position: Position, side: SideId) -> Iterator[o.SealPlot]:
    yield o.SealPlot()


def unplotted(position: Position, side: SideId) -> list[Unit]:
    """The side's units that could be given an order and have none; passengers need none (P44-4.05)."""
    return [
        unit
        for unit in on_table(position, side)
        if not unit.disruption and plot_of(position, unit.id) is None and _has_use(position, side, unit)
    ]


def _has_use(position: Position, side: SideId, unit: Unit) -> bool:
    kind = kind_of(unit)
    return kind.is_armed or not unit.pinned
