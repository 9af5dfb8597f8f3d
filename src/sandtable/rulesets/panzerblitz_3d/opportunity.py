"""Opportunity fire: units assigned to it in secret may fire at an enemy who moves in their sight long enough.

Rules: PB3-503, PB3-906, PB3-1101 to PB3-1106.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from sandtable.kernel.decisions import Decision, Refusal
from sandtable.kernel.ids import NOBODY, HexId, RuleId, SideId, UnitId
from sandtable.kernel.resolution import Resolution
from sandtable.kernel.trace import Tally
from sandtable.rulesets.panzerblitz_3d import halts
from sandtable.rulesets.panzerblitz_3d.combat import (
    can_harm,
    die_modifiers,
    odds_column,
    roll_attack,
    summed,
    target_type,
    total_defense,
)
from sandtable.rulesets.panzerblitz_3d.events import (
    Assigned,
    AssignmentsRevealed,
    MoveHalted,
    MoveResumed,
    Unassigned,
    UnitsFired,
)
from sandtable.rulesets.panzerblitz_3d.fire import aim_refusal, fire_attack, firing_refusal, strength_in
from sandtable.rulesets.panzerblitz_3d.frames import Journey, OpportunityWindow
from sandtable.rulesets.panzerblitz_3d.kinds import KINDS
from sandtable.rulesets.panzerblitz_3d.looks import looks
from sandtable.rulesets.panzerblitz_3d.model import OPPORTUNITY, Position, Unit
from sandtable.rulesets.panzerblitz_3d.orders import Assign, OpportunityFire, Pass, Unassign
from sandtable.rulesets.panzerblitz_3d.pieces import enemy_of
from sandtable.rulesets.panzerblitz_3d.sight import is_spotted_at
from sandtable.rulesets.panzerblitz_3d.stacks import active, kind, named_units
from sandtable.rulesets.panzerblitz_3d.workings import Attack

RULE = RuleId("PB3-1104")
ASSIGNING = RuleId("PB3-503")
DIVISOR = 4
"""A mover is fired at when it has spent its allowance divided by this, fractions dropped, in sight (PB3-1102)."""


# --- assigning ------------------------------------------------------------------------------------------------------


def assigning_refusal(unit: Unit) -> Refusal | None:
    """Why a unit can't be assigned to opportunity fire, or None.

    Rules: PB3-503, PB3-902.
    """
    name = kind(unit).name
    if not kind(unit).attack:
        return Refusal(ASSIGNING, f"{name} has no weapon")
    if unit.dispersed:
        return Refusal(ASSIGNING, f"{name} is dispersed")
    if unit.carrier != NOBODY:
        return Refusal(RuleId("PB3-622"), f"{name} rides")
    return None


def check_assign(position: Position, side: SideId, order: Assign) -> Refusal | None:
    """Why these units can't be assigned, or None."""
    units = named_units(position, side, order.units)
    if units is None:
        return Refusal(ASSIGNING, "name each of your units on the table once")
    for unit in units:
        refusal = assigning_refusal(unit)
        if refusal is not None:
            return refusal
        if unit.id in position.assigned:
            return Refusal(ASSIGNING, f"{kind(unit).name} is assigned already")
    return None


def resolve_assign(resolution: Resolution[Position], side: SideId, order: Assign) -> None:
    """The units stand in the notes."""
    resolution.emit(Assigned(side, order.units))


def assign_options(position: Position, side: SideId, unit: Unit) -> Iterator[Assign]:
    """The unit, if it can be assigned."""
    order = Assign((unit.id,))
    if check_assign(position, side, order) is None:
        yield order


def check_unassign(position: Position, side: SideId, order: Unassign) -> Refusal | None:
    """Why these units can't be struck from the notes, or None."""
    units = named_units(position, side, order.units)
    if units is None or any(unit.id not in position.assigned for unit in units):
        return Refusal(ASSIGNING, "name units of yours that are assigned, each once")
    return None


def resolve_unassign(resolution: Resolution[Position], side: SideId, order: Unassign) -> None:
    """The units are struck from the notes."""
    resolution.emit(Unassigned(side, order.units))


def unassign_offers(position: Position, side: SideId, unit: Unit) -> Iterator[Unassign]:
    """The unit, if it is assigned."""
    if unit.id in position.assigned:
        yield Unassign((unit.id,))


def no_offers(position: Position, side: SideId, unit: Unit) -> Iterator[Unassign]:
    """Nothing that a computer player need try: it writes only what it means."""
    return iter(())


def reveal(resolution: Resolution[Position]) -> None:
    """The notes of both sides are laid open together (PB3-503)."""
    resolution.emit(AssignmentsRevealed(resolution.position.assigned))


# --- watching -------------------------------------------------------------------------------------------------------


def threshold(key: str) -> int:
    """What a unit of this type can spend in an enemy's sight before he may fire, in half points.

    Rules: PB3-1102.
    """
    return KINDS[key].movement // DIVISOR * 2


def waits(unit: Unit) -> bool:
    """Whether a unit waits for an opportunity: assigned, in good order, and it has not fired.

    Rules: PB3-906, PB3-1101, PB3-1104.
    """
    return unit.of_assigned and not unit.of_used and not unit.fired and not unit.dispersed


def is_awaited(position: Position, side: SideId) -> bool:
    """Whether any enemy of a side waits for an opportunity."""
    return any(waits(unit) for unit in active(position, enemy_of(side)))


def exposure(
    position: Position, unit: Unit, place: HexId, cost: int, before: Mapping[UnitId, int]
) -> dict[UnitId, int]:
    """What the unit has spent in the unbroken sight of each enemy who waits, once it has entered a hex at that cost.

    Enemies who do not see the hex begin anew; cover hides what is spent in it unless the unit is spotted there.

    Rules: PB3-1102, PB3-1103.
    """
    enemy = enemy_of(unit.side)
    watching = [one for one in active(position, enemy) if waits(one)]
    if not watching:
        return {}
    row = looks(position)[place]
    paid = cost if is_spotted_at(position, place, enemy) else 0
    counts = {one.id: before.get(one.id, 0) + paid for one in watching if row[one.hex]}
    return {id: count for id, count in counts.items() if count}


def candidates(position: Position, unit: Unit) -> tuple[Unit, ...]:
    """The enemies who have watched the moving unit long enough and may fire at it, if their fire together is no worse
    than 1-4 and some die makes it good.

    Rules: PB3-711, PB3-811, PB3-814, PB3-1102, PB3-1104.
    """
    mover = position.mover
    if mover is None or not unit.hex:
        return ()
    enough = max(1, threshold(unit.kind))
    against = target_type(position, (unit,))
    able = [
        firer
        for firer in [position.units[id] for id, seen in mover.exposure.items() if seen >= enough]
        if waits(firer)
        and firing_refusal(firer) is None
        and aim_refusal(position, firer, unit.hex) is None
        and strength_in(position, firer, unit.hex, against)
    ]
    odds = _odds(position, able, unit) if able else None
    if odds is None:
        return ()
    drm = summed(die_modifiers(position, OPPORTUNITY, unit.hex, (unit,)))
    return tuple(able) if can_harm(position.ground, odds, drm) else ()


def _is_enough(position: Position, firer: Unit, unit: Unit) -> bool:
    return _odds(position, (firer,), unit) is not None


def _odds(position: Position, firers: Sequence[Unit], unit: Unit) -> str | None:
    """The odds of the fire of able units at the mover, or None when they are worse than 1-4 (PB3-811)."""
    against = target_type(position, (unit,))
    strength = sum([strength_in(position, firer, unit.hex, against) for firer in firers])
    return odds_column(strength, total_defense((unit,)))


def halt(resolution: Resolution[Position], id: UnitId) -> None:
    """The chance to fire that a moving unit gives the enemy where it stands is open, if there is one; in the fog its
    own side can't tell by what it is told of the move whether there was one.

    In the fog a move halts wherever somebody could have watched it long enough, and goes on when nobody has, or when he
    lets it pass or has fired. The mover's side is told the same in every case.

    Rules: PB3-1104, PB3-1303.
    """
    position = resolution.position
    unit, is_secret = position.units[id], _has_halted(resolution, id)
    firers = candidates(position, unit)
    if firers:
        resolution.push(OpportunityWindow(enemy_of(unit.side), id, tuple([firer.id for firer in firers])))
    elif is_secret:
        resolution.emit(MoveResumed(id, unit.side))


def go_by(resolution: Resolution[Position], id: UnitId) -> None:
    """The move has gone on in the same breath although it gave somebody a chance to fire, for the enemy lets the rest
    of it go by; its own side is told as if he had been asked.

    Rules: PB3-1104, PB3-1303.
    """
    if _has_halted(resolution, id):
        resolution.emit(MoveResumed(id, resolution.position.units[id].side))


def _has_halted(resolution: Resolution[Position], id: UnitId) -> bool:
    """Whether the move has halted for a moment, as it does in the fog wherever somebody could have watched it."""
    is_secret = _could_be_watched(resolution.position, id)
    if is_secret:
        resolution.emit(MoveHalted(id, resolution.position.units[id].side))
    return is_secret


def _could_be_watched(position: Position, id: UnitId) -> bool:
    """Whether in the fog somebody may have watched the unit long enough, as far as its own side can know."""
    mover = position.mover
    assert mover is not None  # asked of the unit that has just moved
    return position.ground.options.fog and mover.spent >= max(1, threshold(position.units[id].kind))


# --- the reaction ---------------------------------------------------------------------------------------------------


def decisions(position: Position, window: OpportunityWindow) -> tuple[Decision, ...]:
    """The enemy may fire at the mover or let it pass."""
    name = KINDS[position.units[window.unit].kind].name
    prompt = f"Fire at the moving {name}, or pass."
    return (Decision(window.side, "opportunity fire", RULE, prompt, optional=True),)


def opportunity_attack(position: Position, side: SideId, firers: Sequence[Unit]) -> Attack | Refusal:
    """The fire of these units at the mover, or why it is not allowed.

    Rules: PB3-1101, PB3-1102, PB3-1104.
    """
    mover = position.mover
    assert mover is not None  # asked in the middle of a move
    target = position.units[mover.unit]
    enough = max(1, threshold(target.kind))
    for firer in firers:
        if not waits(firer):
            return Refusal(RuleId("PB3-1101"), f"{kind(firer).name} does not wait for an opportunity")
        if mover.exposure.get(firer.id, 0) < enough:
            return Refusal(RuleId("PB3-1102"), f"{kind(firer).name} has not had the mover in sight long enough")
    return fire_attack(position, side, firers, (target,), OPPORTUNITY)


def check_opportunity(position: Position, side: SideId, order: OpportunityFire) -> Refusal | None:
    """Why these units can't fire at the mover, or None."""
    firers = named_units(position, side, order.firers)
    if firers is None:
        return Refusal(RULE, "name each of your firing units once")
    attack = opportunity_attack(position, side, firers)
    return attack if isinstance(attack, Refusal) else None


def resolve_opportunity(resolution: Resolution[Position], side: SideId, order: OpportunityFire) -> None:
    """The units have fired together at this moment, and no others do (PB3-1104)."""
    position = resolution.position
    attack = opportunity_attack(position, side, tuple(map(position.unit, order.firers)))
    assert isinstance(attack, Attack)  # whom a side may fire at it sees, so that what it judged holds
    resolution.emit(UnitsFired(order.firers, at_opportunity=True))
    roll_attack(resolution, attack)
    _close(resolution)


def resolve_pass(resolution: Resolution[Position], side: SideId, order: Pass) -> None:
    """The chance to fire is gone, until the mover's next hex or for as far as its order takes it."""
    _close(resolution)
    journey = resolution.top
    if order.rest and isinstance(journey, Journey):
        resolution.goto(replace(journey, ignored=True))


def _close(resolution: Resolution[Position]) -> None:
    """The moment is over; a mover that was dispersed stops here, any other goes on.

    Rules: PB3-404, PB3-902, PB3-1105.
    """
    window = resolution.pop()
    assert isinstance(window, OpportunityWindow)
    unit = resolution.position.units[window.unit]
    if resolution.position.ground.options.fog:
        resolution.emit(MoveResumed(unit.id, unit.side))
    if unit.hex and unit.dispersed and not unit.mined:
        journey = resolution.top
        behind = journey.behind if isinstance(journey, Journey) else ()
        halts.stop(resolution, unit.id, behind, "dispersed by opportunity fire (PB3-902)")


def explain_opportunity(position: Position, side: SideId, order: OpportunityFire) -> tuple[Tally, ...]:
    """The tallies of the fire at the mover."""
    if check_opportunity(position, side, order) is not None:
        return ()
    attack = opportunity_attack(position, side, tuple(map(position.unit, order.firers)))
    assert isinstance(attack, Attack)
    return attack.tallies


def opportunity_options(position: Position, side: SideId, window: OpportunityWindow) -> Iterator[OpportunityFire]:
    """Each unit that can fire at the mover by itself, and all of them together."""
    able, unit = [position.units[id] for id in window.firers], position.units[window.unit]
    for firer in able:
        if _is_enough(position, firer, unit):
            yield OpportunityFire((firer.id,))
    if len(able) > 1:
        yield OpportunityFire(window.firers)


def opportunity_offers(position: Position, side: SideId) -> Iterator[OpportunityFire]:
    """The same as a player is offered it, the strongest first: all of them together, then each alone."""
    assert position.mover is not None  # asked in the middle of a move
    unit = position.units[position.mover.unit]
    able, against = candidates(position, unit), target_type(position, (unit,))
    if len(able) > 1:
        yield OpportunityFire(tuple(firer.id for firer in able))
    for firer in sorted(able, key=lambda one: -strength_in(position, one, unit.hex, against)):
        if _is_enough(position, firer, unit):
            yield OpportunityFire((firer.id,))


def pass_options(position: Position, side: SideId, window: OpportunityWindow) -> Iterator[Pass]:
    """The chance can always be let go by, and with it the rest of the move, whether or not there is more of it."""
    yield Pass()
    yield Pass(rest=True)
