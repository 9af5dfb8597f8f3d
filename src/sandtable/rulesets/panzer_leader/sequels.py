"""What an order leads to in a later step: the dice that fall for it then, as far as its side can tell, what speaks
against it although it is lawful, and what is lost when a step is ended.

Rules: PL-503, PL-1104, PL-1105, PL-1303, PL-1331, PL-1332, PL-1403, PL-1406.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction

from msgspec.structs import replace

from sandtable.kernel.decisions import Refusal
from sandtable.kernel.dice import Dice
from sandtable.kernel.events import DiceKey
from sandtable.kernel.forecast import Reaction, branches, every_fall
from sandtable.kernel.ids import HexId, RuleId, SideId, UnitId
from sandtable.kernel.resolution import Resolution
from sandtable.kernel.ruleset import Reminder
from sandtable.kernel.state import State, View
from sandtable.kernel.trace import Tally
from sandtable.play.words import listed
from sandtable.rulesets.panzer_leader import (
    air,
    artillery,
    changes,
    engineers,
    fire,
    landing,
    movement,
    naval,
    opportunity,
    orders,
    works,
)
from sandtable.rulesets.panzer_leader.combat import is_at_sea, is_futile, roll_attack
from sandtable.rulesets.panzer_leader.describe import place_name, result, unit_name, unit_names
from sandtable.rulesets.panzer_leader.events import AircraftFlew, UnitPlaced
from sandtable.rulesets.panzer_leader.missions import due_missions
from sandtable.rulesets.panzer_leader.model import Mission, Position, Unit, Work
from sandtable.rulesets.panzer_leader.pieces import enemy_of, with_unit
from sandtable.rulesets.panzer_leader.stacks import active, is_outside, kind, passenger_of, side_at
from sandtable.rulesets.panzer_leader.workings import Barrage

Played = Callable[[Resolution[Position]], object]


def _dice(
    view: View[Position],
    position: Position,
    text: str,
    play: Played,
    *,
    side: SideId,
    actors: tuple[UnitId, ...] = (),
    place: HexId,
    tally: tuple[Tally, ...] = (),
) -> Reaction:
    """What the dice may bring when the rules play it on that table."""
    weights: defaultdict[str, Fraction] = defaultdict(Fraction)
    state = State(position, view.flow, DiceKey("forecast"))

    def played(dice: Dice) -> str:
        resolution = Resolution(state, dice, changes.apply)
        play(resolution)
        return result(tuple(resolution.events), view)

    for came, chance in every_fall(played):
        weights[came] += chance
    return Reaction(side, actors, place, text, branches(weights), tally)


# --- fire that comes down later -------------------------------------------------------------------------------------


def of_mission(view: View[Position], order: orders.WriteMission) -> tuple[Reaction, ...]:
    """What a written mission does in the side's next segment, if its hex is still observed and nobody moves.

    Rules: PL-503, PL-1105, PL-1107, PL-1609.
    """
    where = place_name(view.position, order.hex)
    if order.smoke:
        text = f"In your next segment smoke comes down on {where}; it may scatter if nobody who spots for it still can"
        return (Reaction(view.side, order.firers, order.hex, text, (), ()),)
    return (_barrage(view, Barrage(order.hex, order.firers), f"In your next segment it comes down on {where}"),)


def of_naval_mission(view: View[Position], order: orders.WriteNavalMission) -> tuple[Reaction, ...]:
    """The same of naval fire, two turns ahead.

    Rules: PL-1105, PL-1121.
    """
    text = f"In two turns it comes down on {place_name(view.position, order.hex)}"
    return (_barrage(view, Barrage(order.hex, (), order.points), text),)


def _barrage(view: View[Position], barrage: Barrage, text: str) -> Reaction:
    tallies = tuple(tally for attack in artillery.bombardment(view.position, barrage) for tally in attack.tallies)
    return _dice(
        view,
        view.position,
        f"{text}, if all stays as it is; it may scatter if nobody who spots for it still can",
        lambda resolution: artillery.shell(resolution, barrage),
        side=view.side,
        actors=barrage.batteries,
        place=barrage.hex,
        tally=tallies,
    )


def _in_vain(position: Position, barrage: Barrage) -> str:
    """Why a barrage can't harm anybody where it is aimed, as the side knows it; empty when it can.

    Rules: PL-832, PL-1108.
    """
    where = place_name(position, barrage.hex)
    targets = artillery.bombarded(position, barrage.hex)
    if not targets:
        return f"nobody is known to be in {where}"
    attacks = artillery.bombardment(position, barrage)
    if not attacks:
        return f"it is too weak for anything in {where}: worse than 1-4 against each"
    if all(map(is_futile, attacks)):
        return f"no die would harm anything in {where}"
    return ""


def _friends(position: Position, side: SideId, place: HexId) -> str:
    friends = side_at(position, place, side)
    return f"it hits your own there too: {unit_names(position, (unit.id for unit in friends))}" if friends else ""


def _cautioned(reasons: Iterable[str], price: str) -> str:
    """What speaks against fire, and what it costs all the same; empty when nothing does."""
    named = [reason for reason in reasons if reason]
    return f"As things stand {listed(named)}. {price}" if named else ""


def warn_of_mission(position: Position, side: SideId, order: orders.WriteMission) -> str:
    """That a mission is in vain or falls on friends; its batteries will not fire directly in the segment all the same.

    Rules: PL-804, PL-1104, PL-1106.
    """
    barrage = Barrage(order.hex, order.firers)
    reasons = () if order.smoke else (_in_vain(position, barrage), _friends(position, side, order.hex))
    return _cautioned(
        reasons, "Nobody may fire directly at that hex in that segment (PL-804), and the batteries nowhere (PL-1104)."
    )


def warn_of_naval_mission(position: Position, side: SideId, order: orders.WriteNavalMission) -> str:
    """That a naval mission is in vain or falls on friends.

    Rules: PL-1106, PL-1121.
    """
    barrage = Barrage(order.hex, (), order.points)
    return _cautioned(
        (_in_vain(position, barrage), _friends(position, side, order.hex)),
        "The points are spent all the same (PL-1121).",
    )


def warn_of_missions(position: Position, side: SideId, order: orders.FireMissions) -> str:
    """Which of the missions that come down are in vain or fall on friends; no direct fire may follow into their hexes.

    Rules: PL-804, PL-1106, PL-1108.
    """
    reasons = []
    for barrage in artillery.barrages(position, side, order.hold):
        reasons += [_in_vain(position, barrage), _friends(position, side, barrage.hex)]
    return _cautioned(dict.fromkeys(reasons), "No direct fire may follow into a shelled hex (PL-804).")


def warn_of_fire(position: Position, side: SideId, order: orders.DirectFire) -> str:
    """That no die makes the shot good, though it is no worse than 1-4.

    Rules: PL-832, PL-836.
    """
    return NO_HARM if fire.is_in_vain(position, side, order) else ""


def warn_of_opportunity(position: Position, side: SideId, order: orders.OpportunityFire) -> str:
    """What the shot costs, and that no die makes it good.

    Rules: PL-836, PL-1603.
    """
    attack = opportunity.attack(position, side, tuple(position.units[id] for id in order.firers))
    in_vain = not isinstance(attack, Refusal) and is_futile(attack)
    return f"{NO_HARM} {opportunity.PRICE}" if in_vain else opportunity.PRICE


NO_HARM = "No die would do any harm (PL-836)."


# --- mines, charges and the sea -------------------------------------------------------------------------------------


def _on_mines(view: View[Position], id: UnitId, place: HexId) -> tuple[Reaction, ...]:
    """The attack of the minefield that a unit comes to stand on, in the enemy's segment.

    Rules: PL-502, PL-1303, PL-1305.
    """
    table = with_unit(view.position, id, hex=place)
    unit = table.units[id]
    if place not in table.mines or kind(unit).has("flail") or engineers.is_clearing(table, unit):
        return ()
    attack, where = works.mine_attack(table, unit), place_name(table, place)
    return (
        _dice(
            view,
            table,
            f"The minefield in {where} attacks {unit_name(table, id)} when the enemy's segment begins",
            lambda resolution: roll_attack(resolution, attack, actor=id),
            side=enemy_of(view.side),
            place=place,
            tally=attack.tallies,
        ),
    )


def of_move(view: View[Position], order: orders.MoveUnit) -> tuple[Reaction, ...]:
    """Mines at the end of the way (PL-1301, PL-1303)."""
    return _on_mines(view, order.unit, order.path[-1])


def warn_of_move(position: Position, side: SideId, order: orders.MoveUnit) -> str:
    """What a landing costs others: who is on the beach hex is dispersed, and who is ashore moves no more in the step.

    Rules: PL-1404.
    """
    unit, place = position.units[order.unit], order.path[-1]
    if not is_at_sea(position, unit):
        return ""
    crowded = landing.must_stop(position, unit, place) == landing.ORDER
    friends = unit_names(position, (one.id for one in side_at(position, place, side))) if crowded else ""
    reasons = [f"It lands on top of {friends}: all there are dispersed (PL-1404)."] if crowded else []
    if not position.landed and any(_can_move_ashore(position, side, one) for one in active(position, side)):
        reasons.append("Once a unit lands, units ashore move no more in this step (PL-1404).")
    return " ".join(reasons)


def _can_move_ashore(position: Position, side: SideId, unit: Unit) -> bool:
    return not is_at_sea(position, unit) and movement.moving_refusal(position, side, unit) is None


def of_overrun(view: View[Position], order: orders.Overrun) -> tuple[Reaction, ...]:
    """Mines behind the stack that is overrun (PL-1301, PL-1303)."""
    return tuple(reaction for run in order.runs for reaction in _on_mines(view, run.unit, run.path[-1]))


def of_unloading(view: View[Position], order: orders.UnloadUnit) -> tuple[Reaction, ...]:
    """Mines under the feet of those who dismount (PL-1303)."""
    passenger = passenger_of(view.position, order.carrier)
    assert passenger is not None
    return _on_mines(view, passenger.id, passenger.hex)


def of_placing(view: View[Position], order: orders.PlaceUnit) -> tuple[Reaction, ...]:
    """Mines where a unit is placed, and the swim of a DD tank that is placed at sea.

    Rules: PL-1303, PL-1406.
    """
    position, unit = view.position, view.position.units[order.unit]
    table = changes.apply(position, UnitPlaced(unit.id, order.hex))
    if not (kind(unit).has("dd") and is_at_sea(table, table.units[unit.id])):
        return _on_mines(view, unit.id, order.hex)
    loss = position.ground.scenario.sections.landing.dd_loss
    return (
        _dice(
            view,
            table,
            f"{unit_name(position, unit.id)} swims when your next segment begins: lost on {loss} or more",
            lambda resolution: landing.swim(resolution, table.units[unit.id]),
            side=view.side,
            actors=(unit.id,),
            place=order.hex,
        ),
    )


def of_work(view: View[Position], order: orders.BeginWork) -> tuple[Reaction, ...]:
    """The die that the charge takes in the end; to clear mines or a block takes none.

    Rules: PL-1304, PL-1331, PL-1332.
    """
    if order.task == engineers.CLEAR:
        return ()
    position, old = view.position, engineers.work_of(view.position, order.unit)
    tries = old.tries if old is not None and (old.task, old.hex) == (order.task, order.hex) else 0
    needed = engineers.phases_needed(position, Work(order.unit, order.task, order.hex, tries=tries))
    ripe = Work(order.unit, order.task, order.hex, stage=needed, tries=tries)
    table = replace(position, works=(*(work for work in position.works if work.unit != order.unit), ripe))
    best = engineers.success_die(ripe)
    text = f"After {needed} full movement phases there it steps off and rolls: up to {best} succeeds"
    return (
        _dice(
            view,
            table,
            text,
            lambda resolution: engineers.resolve_finish(resolution, view.side, orders.FinishWork(order.unit)),
            side=view.side,
            actors=(order.unit,),
            place=order.hex,
        ),
    )


def of_flight(view: View[Position], order: orders.FlyTo) -> tuple[Reaction, ...]:
    """The fire of all known guns that reach the aircraft where it flies to.

    Rules: PL-1202, PL-1207.
    """
    table, enemy = changes.apply(view.position, AircraftFlew(order.aircraft, order.hex)), enemy_of(view.side)
    guns = tuple(unit.id for unit in air.guns_on(table, view.side, order.hex))
    if not guns:
        return ()
    shot = orders.FireAtAircraft(guns, order.aircraft)
    return (
        _dice(
            view,
            table,
            f"{unit_names(table, guns)} may fire at it over {place_name(table, order.hex)}",
            lambda resolution: air.resolve_antiair(resolution, enemy, shot),
            side=enemy,
            actors=guns,
            place=order.hex,
            tally=air.explain_antiair(table, enemy, shot),
        ),
    )


# --- what is lost with a step ---------------------------------------------------------------------------------------


def losses(position: Position, side: SideId, step: str) -> Iterator[Reminder]:
    """What the side loses or sets off by ending the step now.

    Rules: PL-503, PL-1121, PL-1203, PL-1403.
    """
    match step:
        case "indirect fire":
            due = due_missions(position, side)
            yield from (_coming_down(position, one) for one in due if one.firers or side_at(position, one.hex, side))
        case "direct fire" if naval.points_left(position, side) >= naval.SMALLEST_LOT:
            left = naval.points_left(position, side)
            yield Reminder(f"{left} naval points of this turn go unused", RuleId("PL-1121"), lost=True)
        case "vehicle movement" | "foot movement":
            vehicles = step == "vehicle movement"
            yield from (
                _drowning(position, unit) for unit in _at_sea(position, side) if kind(unit).is_vehicle == vehicles
            )


def _coming_down(position: Position, mission: Mission) -> Reminder:
    """Batteries may hold (PL-1104); ships' fire, which nobody can, is worth a word only where it falls on friends."""
    what = "Smoke" if mission.smoke else "The written fire"
    who = unit_names(position, mission.firers) if mission.firers else "naval guns"
    text = f"{what} of {who} on {place_name(position, mission.hex)} comes down as the step ends"
    return Reminder(text, RuleId("PL-503"), mission.hex, mission.firers, sets_off=True)


def _at_sea(position: Position, side: SideId) -> Iterator[Unit]:
    """The side's counters that have to land in this segment."""
    return (unit for unit in active(position, side) if is_at_sea(position, unit) and is_outside(unit))


def _drowning(position: Position, unit: Unit) -> Reminder:
    text = f"{unit_name(position, unit.id)} is lost at sea if it does not land now"
    return Reminder(text, RuleId("PL-1403"), unit.hex, (unit.id,), lost=True)
