"""What each event does to a position, the truth and what a viewer knows of it alike.

Rules: P44-4.06, P44-5.08, P44-6.04, P44-6.07, P44-10.05, P44-10.06.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from sandtable.kernel.events import Event
from sandtable.kernel.ids import NOBODY, NOWHERE, SideId, UnitId
from sandtable.play.changes import Changes
from sandtable.rulesets.panzer_44 import events as e
from sandtable.rulesets.panzer_44.model import (
    EXITED,
    IN_PLAY,
    LOADED,
    LOST,
    UNLOADED,
    Contact,
    Heard,
    Hit,
    Occasion,
    Plot,
    Position,
    Unit,
    unseen,
)
from sandtable.rulesets.panzer_44.pieces import with_unit, with_units
from sandtable.rulesets.panzer_44.plots import arranged
from sandtable.rulesets.panzer_44.stacks import passengers

DIRECT_FIRE = "direct fire"
"""The manner of attacks whose results wait for the end of the phase (P44-5.10)."""

changes: Changes[Position] = Changes()
change = changes.on


def _crew(position: Position, unit: UnitId) -> Iterable[Unit]:
    """A unit and whoever is aboard it, to whom the same happens (P44-4.06)."""
    return (position.units[unit], *passengers(position, unit))


def _without_order(position: Position, unit: UnitId) -> tuple[Plot, ...]:
    plots = position.plots
    return tuple(x for x in plots if x.unit != unit or x.support) if any(x.unit == unit for x in plots) else plots


# --- the turn -------------------------------------------------------------------------------------------------------


@change(e.TurnBegan)
def _turn_began(position: Position, event: e.TurnBegan) -> Position:
    return replace(position, turn=event.turn)


@change(e.StepBegan)
def _step_began(position: Position, event: e.StepBegan) -> Position:
    return replace(position, step=event.step, active=event.side, shot=(), moving=NOBODY, underway=False)


@change(e.TurnEnded)
def _turn_ended(position: Position, event: e.TurnEnded) -> Position:
    rested = [
        replace(unit, panic="", spent=0, moved=False, handled="", fired=False)
        for unit in position.units
        if unit.panic or unit.spent or unit.moved or unit.handled or unit.fired
    ]
    return replace(with_units(position, rested), plots=(), sealed={}, nonces={}, opened=False, moving=NOBODY)


@change(e.BattleEnded)
def _battle_ended(position: Position, event: e.BattleEnded) -> Position:
    return replace(position, winner=event.winner, level=event.level, reasons=event.reasons)


@change(e.UnitPlaced)
def _unit_placed(position: Position, event: e.UnitPlaced) -> Position:
    crew = _crew(position, event.unit)
    return with_units(position, [replace(unit, hex=event.hex, fate=IN_PLAY) for unit in crew])


# --- plots ----------------------------------------------------------------------------------------------------------


def _others(position: Position, unit: UnitId, support: str) -> list[Plot]:
    return [x for x in position.plots if (x.support != support if support else x.support or x.unit != unit)]


@change(e.Plotted)
def _plotted(position: Position, event: e.Plotted) -> Position:
    others = _others(position, event.plot.unit, event.plot.support)
    return replace(position, plots=arranged([*others, event.plot]))


@change(e.Unplotted)
def _unplotted(position: Position, event: e.Unplotted) -> Position:
    return replace(position, plots=tuple(_others(position, event.unit, event.support)))


@change(e.PlotSealed)
def _plot_sealed(position: Position, event: e.PlotSealed) -> Position:
    sealed = dict(sorted({**position.sealed, event.side: event.commitment}.items()))
    nonces = dict(sorted({**position.nonces, event.side: event.nonce}.items()))
    return replace(position, sealed=sealed, nonces=nonces)


@change(e.PlotsOpened)
def _plots_opened(position: Position, event: e.PlotsOpened) -> Position:
    return replace(position, plots=event.plots, sealed=event.commitments, nonces=event.nonces, opened=True)


def _nothing(position: Position, event: Event) -> Position:
    """Nothing on the table changes by it."""
    return position


for _kind in (e.OrderVoid, e.BoltRolled, e.MoveHalted, e.DigitsDrawn, e.OverrunMade, e.SortieHeld):
    change(_kind)(_nothing)


# --- panic, fire and recovery -----------------------------------------------------------------------------------------


@change(e.Panicked)
def _panicked(position: Position, event: e.Panicked) -> Position:
    crew = [replace(unit, panic=event.panic, delayed=False) for unit in _crew(position, event.unit)]
    plots = position.plots
    for unit in crew:
        plots = _without_order(replace(position, plots=plots), unit.id)
    return replace(with_units(position, crew), plots=plots)


@change(e.Steadied)
def _steadied(position: Position, event: e.Steadied) -> Position:
    return with_units(position, [replace(unit, panic="frozen") for unit in _crew(position, event.unit)])


@change(e.VictimAsked)
def _victim_asked(position: Position, event: e.VictimAsked) -> Position:
    return replace(position, asking=event.unit)


@change(e.FireWasted)
def _fire_wasted(position: Position, event: e.FireWasted) -> Position:
    return replace(position, shot=(*position.shot, event.unit))


@change(e.AttackRolled)
def _attack_rolled(position: Position, event: e.AttackRolled) -> Position:
    if event.manner != DIRECT_FIRE:
        return position
    shot = position.shot if event.attacker == NOBODY else (*position.shot, event.attacker)
    hits = (*position.hits, Hit(event.target, event.result))
    return replace(position, shot=shot, hits=hits, asking=NOBODY)


@change(e.HitsApplied)
def _hits_applied(position: Position, event: e.HitsApplied) -> Position:
    return replace(position, hits=())


@change(e.Pinned)
def _pinned(position: Position, event: e.Pinned) -> Position:
    return with_unit(position, event.unit, pinned=True)


@change(e.PanicDelayed)
def _panic_delayed(position: Position, event: e.PanicDelayed) -> Position:
    return with_unit(position, event.unit, delayed=True)


@change(e.Disrupted)
def _disrupted(position: Position, event: e.Disrupted) -> Position:
    return with_unit(position, event.unit, disruption=event.level)


def _taken_off(position: Position, unit: UnitId, fate: str) -> Position:
    """The unit and its passenger are off the table, with their orders and works."""
    gone = [replace(one, hex=NOWHERE, fate=fate, carrier=NOBODY) for one in _crew(position, unit)]
    ids = {one.id for one in gone}
    moving = NOBODY if position.moving in ids else position.moving
    position = with_units(position, gone)
    if any(plot.unit in ids for plot in position.plots):
        position = replace(position, plots=tuple(x for x in position.plots if x.unit not in ids))
    if any(work.unit in ids for work in position.works):
        position = replace(position, works=tuple(x for x in position.works if x.unit not in ids))
    return position if moving == position.moving else replace(position, moving=moving)


@change(e.Destroyed)
def _destroyed(position: Position, event: e.Destroyed) -> Position:
    position = _taken_off(position, event.unit, LOST)
    if not event.wreck or event.hex in position.wrecks:
        return position
    return replace(position, wrecks=tuple(sorted((*position.wrecks, event.hex))))


@change(e.PinRemoved)
def _pin_removed(position: Position, event: e.PinRemoved) -> Position:
    return with_unit(position, event.unit, pinned=False)


@change(e.RecoveryRolled)
def _recovery_rolled(position: Position, event: e.RecoveryRolled) -> Position:
    return with_unit(position, event.unit, disruption=0) if event.recovered else position


# --- movement -------------------------------------------------------------------------------------------------------


@change(e.MoveBegan)
def _move_began(position: Position, event: e.MoveBegan) -> Position:
    underway = position.underway or not position.units[event.unit].panic
    return replace(with_unit(position, event.unit, moved=True), moving=event.unit, underway=underway)


@change(e.Moved)
def _moved(position: Position, event: e.Moved) -> Position:
    crew = [replace(unit, hex=event.hex) for unit in _crew(position, event.unit)]
    crew[0] = replace(crew[0], spent=event.spent, moved=True)
    return with_units(position, crew)


def _move_spent(position: Position, event: e.Barred | e.MoveSpent) -> Position:
    moving = NOBODY if position.moving == event.unit else position.moving
    return replace(with_unit(position, event.unit, moved=True), moving=moving)


change(e.Barred)(_move_spent)
change(e.MoveSpent)(_move_spent)


@change(e.OccasionGiven)
def _occasion_given(position: Position, event: e.OccasionGiven) -> Position:
    return replace(position, occasion=Occasion(event.unit, event.manner))


@change(e.OpportunityTaken)
def _opportunity_taken(position: Position, event: e.OpportunityTaken) -> Position:
    return with_unit(position, event.unit, fired=True)


@change(e.Loaded)
def _loaded(position: Position, event: e.Loaded) -> Position:
    carrier, rider = position.units[event.unit], position.units[event.passenger]
    return with_units(
        position,
        (
            replace(carrier, spent=event.spent, moved=True),
            replace(rider, carrier=carrier.id, hex=carrier.hex, moved=True, handled=LOADED),
        ),
    )


@change(e.Unloaded)
def _unloaded(position: Position, event: e.Unloaded) -> Position:
    carrier, rider = position.units[event.unit], position.units[event.passenger]
    return with_units(
        position,
        (
            replace(carrier, spent=event.spent, moved=True),
            replace(rider, carrier=NOBODY, hex=carrier.hex, moved=True, handled=UNLOADED),
        ),
    )


@change(e.LeftMap)
def _left_map(position: Position, event: e.LeftMap) -> Position:
    gone = [replace(one, exit=event.hex) for one in _crew(position, event.unit)]
    return _taken_off(with_units(position, gone), event.unit, EXITED)


@change(e.GroundTaken)
def _ground_taken(position: Position, event: e.GroundTaken) -> Position:
    return replace(position, control={**position.control, event.hex: event.side})


# --- works, shells, aircraft ------------------------------------------------------------------------------------------


@change(e.WorkAdvanced)
def _work_advanced(position: Position, event: e.WorkAdvanced) -> Position:
    others = [work for work in position.works if work.unit != event.work.unit]
    return replace(position, works=tuple(sorted((*others, event.work), key=lambda work: work.unit)))


@change(e.WorkEnded)
def _work_ended(position: Position, event: e.WorkEnded) -> Position:
    return replace(position, works=tuple(work for work in position.works if work.unit != event.unit))


@change(e.MinesLowered)
def _mines_lowered(position: Position, event: e.MinesLowered) -> Position:
    mines = {place: grade for place, grade in position.mines.items() if place != event.hex}
    if event.grade:
        mines = dict(sorted({**mines, event.hex: event.grade}.items()))
    return replace(position, mines=mines)


@change(e.PositionBuilt)
def _position_built(position: Position, event: e.PositionBuilt) -> Position:
    return replace(position, positions=tuple(sorted((*position.positions, event.hex))))


def _heard(position: Position, event: e.ShellsFell) -> Heard:
    """A battery was heard now; that it was in an earlier turn stays known to those who aim at it in this one."""
    known = position.heard.get(event.origin)
    if known is None or known.side != event.side:
        return Heard(event.side, position.turn)
    return known if known.turn == position.turn else Heard(event.side, position.turn, known.turn)


@change(e.ShellsFell)
def _shells_fell(position: Position, event: e.ShellsFell) -> Position:
    if event.origin:
        heard = {**position.heard, event.origin: _heard(position, event)}
        return replace(position, heard=dict(sorted(heard.items())))
    batteries = tuple(
        replace(one, left=one.left - 1) if one.name == event.support else one for one in position.batteries
    )
    return replace(position, batteries=batteries)


@change(e.RangedIn)
def _ranged_in(position: Position, event: e.RangedIn) -> Position:
    return replace(position, ranging=dict(sorted({**position.ranging, event.battery: event.ranging}.items())))


@change(e.SortieFlown)
def _sortie_flown(position: Position, event: e.SortieFlown) -> Position:
    flown = tuple(replace(one, flown=True) if one.name == event.support else one for one in position.sorties)
    return replace(position, sorties=flown)


# --- what a viewer knows ----------------------------------------------------------------------------------------------


@change(e.UnitsSighted)
def _units_sighted(position: Position, event: e.UnitsSighted) -> Position:
    ids = {unit.id for unit in event.units}
    contacts = {id: one for id, one in position.contacts.items() if id not in ids}
    position = with_units(position, event.units)
    return position if len(contacts) == len(position.contacts) else replace(position, contacts=contacts)


@change(e.SightLost)
def _sight_lost(position: Position, event: e.SightLost) -> Position:
    gone = [position.units[id] for id in event.units]
    contacts = {**position.contacts, **{one.id: Contact(one, position.turn) for one in gone if one.hex}}
    lost = [unseen(unit.id, SideId(unit.side)) for unit in gone]
    return replace(with_units(position, lost), contacts=dict(sorted(contacts.items())))


@change(e.ContactsForgotten)
def _contacts_forgotten(position: Position, event: e.ContactsForgotten) -> Position:
    contacts = {id: one for id, one in position.contacts.items() if id not in event.units}
    return replace(position, contacts=contacts)


@change(e.AccountsKnown)
def _accounts_known(position: Position, event: e.AccountsKnown) -> Position:
    return replace(position, **event.changes)


changes.complete(e.AnyEvent)
apply = changes.apply
