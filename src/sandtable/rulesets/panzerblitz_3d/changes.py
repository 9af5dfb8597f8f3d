"""What each event does to the table: one small function per event, and nothing else changes a position."""

from __future__ import annotations

from msgspec import UNSET
from msgspec.structs import replace

from sandtable.kernel.ids import NOBODY, NOWHERE, UnitId
from sandtable.play.changes import Changes
from sandtable.rulesets.panzerblitz_3d import events as e
from sandtable.rulesets.panzerblitz_3d import memory
from sandtable.rulesets.panzerblitz_3d.model import (
    DESTROYED,
    EXITED,
    IN_PLAY,
    NO_SIDE,
    Plot,
    Position,
    Shot,
    Unit,
    unseen,
)
from sandtable.rulesets.panzerblitz_3d.pieces import with_unit, with_units
from sandtable.rulesets.panzerblitz_3d.stacks import passengers_of

table: Changes[Position] = Changes()
change, apply = table.on, table.apply


# --- the game turn --------------------------------------------------------------------------------------------------


@change(e.TurnBegan)
def _turn_began(position: Position, event: e.TurnBegan) -> Position:
    """Nobody has fired, moved or been assigned yet, nothing is written down, and the barrages have lifted (PB3-708)."""
    return with_units(
        position,
        [_rested(unit) for unit in position.units if _rested(unit) != unit],
        turn=event.turn,
        winner=NO_SIDE,
        first=NO_SIDE,
        phasing=NO_SIDE,
        plots=(),
        assigned=(),
        sealed=(),
        shots=(),
        barrages=(),
        mover=None,
        step="",
    )


def _rested(unit: Unit) -> Unit:
    return replace(
        unit,
        fired=False,
        moved=False,
        of_assigned=False,
        of_used=False,
        unloaded=False,
        mined=False,
        attacked=(),
        assaults=NOWHERE,
    )


@change(e.InitiativeRolled)
def _initiative_rolled(position: Position, event: e.InitiativeRolled) -> Position:
    return replace(position, winner=event.winner)


@change(e.FirstChosen)
def _first_chosen(position: Position, event: e.FirstChosen) -> Position:
    return replace(position, first=event.side)


@change(e.StepBegan)
def _step_began(position: Position, event: e.StepBegan) -> Position:
    return replace(position, step=event.step, sealed=(), mover=None)


@change(e.PlayerTurnBegan)
def _player_turn_began(position: Position, event: e.PlayerTurnBegan) -> Position:
    return replace(position, phasing=event.side, shots=())


@change(e.PlayerTurnEnded)
def _player_turn_ended(position: Position, event: e.PlayerTurnEnded) -> Position:
    """PB3-905: the owner's dispersed units have served."""
    served = [
        replace(unit, served=True)
        for unit in position.units
        if unit.side == event.side and unit.dispersed and not unit.served
    ]
    return with_units(position, served, mover=None)


@change(e.TurnEnded)
def _turn_ended(position: Position, event: e.TurnEnded) -> Position:
    """PB3-507, PB3-905: who has served is in good order again."""
    recovered = [replace(unit, dispersed=False, served=False) for unit in position.units if unit.served]
    return with_units(position, recovered, phasing=NO_SIDE)


@change(e.UnitPlaced)
def _unit_placed(position: Position, event: e.UnitPlaced) -> Position:
    placed = (position.units[event.unit], *passengers_of(position, event.unit))
    return with_units(position, [replace(unit, hex=event.hex, fate=IN_PLAY) for unit in placed])


# --- notes ----------------------------------------------------------------------------------------------------------


@change(e.PlotWritten)
def _plot_written(position: Position, event: e.PlotWritten) -> Position:
    """A battery that is plotted anew keeps its place in the plotted order (PB3-504)."""
    plot = Plot(event.battery, event.hex)
    if any(one.battery == event.battery for one in position.plots):
        return replace(position, plots=tuple(plot if one.battery == plot.battery else one for one in position.plots))
    return replace(position, plots=(*position.plots, plot))


@change(e.PlotStruck)
def _plot_struck(position: Position, event: e.PlotStruck) -> Position:
    return replace(position, plots=tuple(plot for plot in position.plots if plot.battery != event.battery))


@change(e.Assigned)
def _assigned(position: Position, event: e.Assigned) -> Position:
    return replace(position, assigned=tuple(sorted({*position.assigned, *event.units})))


@change(e.Unassigned)
def _unassigned(position: Position, event: e.Unassigned) -> Position:
    return replace(position, assigned=tuple(id for id in position.assigned if id not in event.units))


@change(e.NotesSealed)
def _notes_sealed(position: Position, event: e.NotesSealed) -> Position:
    return replace(position, sealed=(*position.sealed, event.side))


@change(e.AssignmentsRevealed)
def _assignments_revealed(position: Position, event: e.AssignmentsRevealed) -> Position:
    return with_units(position, [replace(position.units[id], of_assigned=True) for id in event.units], assigned=())


@change(e.BatteryFired)
def _battery_fired(position: Position, event: e.BatteryFired) -> Position:
    batteries = tuple(
        replace(one, missions=one.missions - 1) if one.id == event.battery else one for one in position.batteries
    )
    plots = tuple(plot for plot in position.plots if plot.battery != event.battery)
    return replace(position, batteries=batteries, plots=plots)


@change(e.HexShelled)
def _hex_shelled(position: Position, event: e.HexShelled) -> Position:
    if event.hex in position.barrages:
        return position
    return replace(position, barrages=tuple(sorted((*position.barrages, event.hex))))


@change(e.ShotDesignated)
def _shot_designated(position: Position, event: e.ShotDesignated) -> Position:
    return replace(position, shots=(*position.shots, event.shot))


def _shots_without(position: Position, unit: UnitId) -> tuple[Shot, ...]:
    return tuple(shot for shot in position.shots if unit not in shot.firers)


@change(e.ShotStruck)
def _shot_struck(position: Position, event: e.ShotStruck) -> Position:
    return replace(position, shots=_shots_without(position, event.unit))


@change(e.ShotLost)
def _shot_lost(position: Position, event: e.ShotLost) -> Position:
    return position


# --- attacks --------------------------------------------------------------------------------------------------------


@change(e.AttackRolled)
def _attack_rolled(position: Position, event: e.AttackRolled) -> Position:
    marked = [position.units[id] for id in event.targets if event.how not in position.units[id].attacked]
    return with_units(position, [replace(unit, attacked=(*unit.attacked, event.how)) for unit in marked])


@change(e.AttackFailed)
def _attack_failed(position: Position, event: e.AttackFailed) -> Position:
    return position


@change(e.UnitsFired)
def _units_fired(position: Position, event: e.UnitsFired) -> Position:
    """Who has fired has no shot left, designated or at opportunity (PB3-801, PB3-1104)."""
    units = [position.units[id] for id in event.units]
    shots = tuple(shot for shot in position.shots if not set(shot.firers) & set(event.units))
    return with_units(
        position,
        [replace(unit, fired=True, of_used=unit.of_used or event.at_opportunity) for unit in units],
        shots=shots,
    )


@change(e.UnitDispersed)
def _unit_dispersed(position: Position, event: e.UnitDispersed) -> Position:
    """PB3-904, PB3-906: a second dispersal changes nothing; the first costs the opportunity fire."""
    unit = position.units[event.unit]
    if unit.dispersed:
        return position
    return with_unit(position, event.unit, dispersed=True, of_assigned=False)


@change(e.UnitDestroyed)
def _unit_destroyed(position: Position, event: e.UnitDestroyed) -> Position:
    position = _gone(position, event.unit, DESTROYED)
    if event.wreck:
        wrecks = {**position.wrecks, event.wreck: position.wrecks.get(event.wreck, 0) + 1}
        position = replace(position, wrecks=dict(sorted(wrecks.items())))
    return position


def _gone(position: Position, id: UnitId, fate: str) -> Position:
    """The unit is off the table and out of every list that names it; what it was about nobody learns by that.

    Rules: PB3-1303.
    """
    unit = position.units[id]
    lost = Unit(id, unit.kind, unit.side, fate=fate, name=unit.name)
    mover = None if position.mover is not None and position.mover.unit == id else position.mover
    return memory.without(with_units(position, (lost,), mover=mover), (id,))


# --- movement -------------------------------------------------------------------------------------------------------


@change(e.UnitMoved)
def _unit_moved(position: Position, event: e.UnitMoved) -> Position:
    moved = (position.units[event.unit], *passengers_of(position, event.unit))
    return with_units(position, [replace(unit, hex=event.path[-1]) for unit in moved], mover=event.mover)


@change(e.MoveEnded)
def _move_ended(position: Position, event: e.MoveEnded) -> Position:
    mover = None if position.mover is not None and position.mover.unit == event.unit else position.mover
    return with_units(position, (replace(position.units[event.unit], moved=True),), mover=mover)


@change(e.MoveHalted)
def _move_halted(position: Position, event: e.MoveHalted) -> Position:
    return position


@change(e.MoveResumed)
def _move_resumed(position: Position, event: e.MoveResumed) -> Position:
    return position


@change(e.UnitExited)
def _unit_exited(position: Position, event: e.UnitExited) -> Position:
    leaving = (event.unit, *[rider.id for rider in passengers_of(position, event.unit)])
    for id in leaving:
        position = _gone(position, id, EXITED if event.allowed else DESTROYED)
    return with_units(position, [replace(position.units[id], worth=event.points) for id in leaving])


@change(e.UnitLoaded)
def _unit_loaded(position: Position, event: e.UnitLoaded) -> Position:
    carrier, passenger = position.units[event.carrier], position.units[event.passenger]
    return with_units(
        position, (replace(carrier, moved=True), replace(passenger, carrier=event.carrier, moved=True)), mover=None
    )


@change(e.UnitUnloaded)
def _unit_unloaded(position: Position, event: e.UnitUnloaded) -> Position:
    return with_unit(position, event.passenger, carrier=NOBODY, unloaded=True, assaults=event.assaults)


@change(e.FortEntered)
def _fort_entered(position: Position, event: e.FortEntered) -> Position:
    return with_unit(position, event.unit, fort=event.fort)


@change(e.FortLeft)
def _fort_left(position: Position, event: e.FortLeft) -> Position:
    return with_unit(position, event.unit, fort=NOBODY)


@change(e.MineEntered)
def _mine_entered(position: Position, event: e.MineEntered) -> Position:
    return with_unit(position, event.unit, mined=True)


@change(e.ControlTaken)
def _control_taken(position: Position, event: e.ControlTaken) -> Position:
    return replace(position, control=dict(sorted({**position.control, event.hex: event.side}.items())))


# --- what a side knows ----------------------------------------------------------------------------------------------


@change(e.ContactMoved)
def _contact_moved(position: Position, event: e.ContactMoved) -> Position:
    known = with_units(replace(position, mover=event.mover), (event.unit,))
    return memory.without(known, (event.unit.id,))


@change(e.UnitsSighted)
def _units_sighted(position: Position, event: e.UnitsSighted) -> Position:
    return memory.without(with_units(position, event.units), [unit.id for unit in event.units])


@change(e.SightLost)
def _sight_lost(position: Position, event: e.SightLost) -> Position:
    lost = {id: contact for id in event.units if (contact := memory.contact_with(position, id)) is not None}
    position = with_units(position, [unseen(id, position.units[id].side) for id in event.units])
    return replace(position, contacts=dict(sorted({**position.contacts, **lost}.items()))) if lost else position


@change(e.ContactsForgotten)
def _contacts_forgotten(position: Position, event: e.ContactsForgotten) -> Position:
    return memory.without(position, event.units)


@change(e.AccountsKnown)
def _accounts_known(position: Position, event: e.AccountsKnown) -> Position:
    accounts = ((name, getattr(event, name)) for name in event.__struct_fields__)
    return replace(position, **{name: account for name, account in accounts if account is not UNSET})


@change(e.BattleEnded)
def _battle_ended(position: Position, event: e.BattleEnded) -> Position:
    return replace(position, over=True, scores=dict(event.scores))


table.complete(e.AnyEvent)
