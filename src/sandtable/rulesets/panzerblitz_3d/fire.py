"""Fire: all targets are designated first, then all fire is resolved.

Rules: PB3-505, PB3-508, PB3-711, PB3-712, PB3-801, PB3-802, PB3-807, PB3-1605.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from sandtable.kernel.decisions import Refusal
from sandtable.kernel.dice import PromptDice
from sandtable.kernel.ids import NOBODY, HexId, RuleId, SideId
from sandtable.kernel.resolution import Resolution
from sandtable.kernel.trace import Line, Tally
from sandtable.rulesets.panzerblitz_3d.combat import WORST_ODDS, fail, readied, roll_attack, target_type, total_defense
from sandtable.rulesets.panzerblitz_3d.events import ShotDesignated, ShotLost, ShotStruck, UnitsFired
from sandtable.rulesets.panzerblitz_3d.kinds import COMMAND_POSTS, KINDS
from sandtable.rulesets.panzerblitz_3d.looks import looks
from sandtable.rulesets.panzerblitz_3d.model import FIRE, Position, Shot, Unit
from sandtable.rulesets.panzerblitz_3d.orders import CancelShot, DesignateTarget
from sandtable.rulesets.panzerblitz_3d.pieces import enemy_of
from sandtable.rulesets.panzerblitz_3d.sight import can_spot, is_spotted_at, why_unseen
from sandtable.rulesets.panzerblitz_3d.stacks import (
    active,
    counters_at,
    is_outside,
    kind,
    named_units,
    places_of,
)
from sandtable.rulesets.panzerblitz_3d.terrain import is_town
from sandtable.rulesets.panzerblitz_3d.weapons import Strength, can_lob, is_halved, strength_of
from sandtable.rulesets.panzerblitz_3d.workings import Attack

RULE = "PB3-505"


def refuse(rule: str, reason: str) -> Refusal:
    """A refusal that cites a rule."""
    return Refusal(RuleId(rule), reason)


# --- whether a unit can fire ----------------------------------------------------------------------------------------


def firing_refusal(unit: Unit) -> Refusal | None:
    """Why a unit can't fire at anything now, or None; whether it waits for an opportunity is not asked.

    Rules: PB3-801, PB3-902, PB3-622.
    """
    name = kind(unit).name
    if not unit.hex:
        return refuse("PB3-801", f"{name} is not on the table")
    if not kind(unit).attack:
        return refuse("PB3-801", f"{name} has no weapon")
    if unit.fired:
        return refuse("PB3-801", f"{name} has fired already in this game turn")
    if unit.dispersed:
        return refuse("PB3-902", f"{name} is dispersed")
    if unit.carrier != NOBODY:
        return refuse("PB3-622", f"{name} rides")
    return None


def designating_refusal(position: Position, unit: Unit) -> Refusal | None:
    """Why a unit can't be given a target in its own fire step, or None.

    Rules: PB3-505, PB3-1101.
    """
    refusal = firing_refusal(unit)
    if refusal is not None:
        return refusal
    if unit.of_assigned:
        return refuse("PB3-1101", f"{kind(unit).name} is assigned to opportunity fire")
    if any(unit.id in shot.firers for shot in position.shots):
        return refuse("PB3-801", f"{kind(unit).name} has a target already")
    return None


def lobs(position: Position, firer: Unit, place: HexId) -> bool:
    """Whether a unit that has no line of sight may fire because a command post sees the target.

    Rules: PB3-1605.
    """
    if not position.ground.options.indirect_fire:
        return False
    if not can_lob(firer.kind, position.ground.board.distance(firer.hex, place)):
        return False
    row = looks(position)[place]
    own = active(position, firer.side)
    return any(unit.kind in COMMAND_POSTS and can_spot(unit) and row[unit.hex] for unit in own)


def aim_refusal(position: Position, firer: Unit, place: HexId) -> Refusal | None:
    """Why a unit that can fire can't fire into a hex, apart from its weapon.

    Rules: PB3-701, PB3-711, PB3-712, PB3-1605.
    """
    board, name = position.ground.board, kind(firer).name
    if not looks(position)[firer.hex][place] and not lobs(position, firer, place):
        blocked = why_unseen(position, firer.hex, place)
        assert blocked is not None  # a hex that is not looked into is hidden by something
        return Refusal(blocked.rule, f"{name} has no line of sight: {blocked.label} at {blocked.value}")
    if board.distance(firer.hex, place) > 1 and not is_spotted_at(position, place, firer.side):
        return refuse("PB3-711", f"the target in {board.label(place)} is hidden and not spotted")
    return None


def strength_against(position: Position, firer: Unit, place: HexId, against: str) -> Strength | Refusal:
    """What one unit adds to fire at a hex; fire that is lobbed is never halved for height.

    Rules: PB3-803, PB3-807, PB3-808, PB3-1605.
    """
    ground = position.ground
    halving = ""
    if is_halved(ground, firer.hex, place) and looks(position)[firer.hex][place]:
        halving = "PB3-807"
    return strength_of(firer.kind, against, ground.board.distance(firer.hex, place), halving)


def strength_in(position: Position, firer: Unit, place: HexId, against: str) -> int:
    """The same as a number; 0 when the unit can't harm such a target from there."""
    made = strength_against(position, firer, place, against)
    return 0 if isinstance(made, Refusal) else made.total


# --- targets --------------------------------------------------------------------------------------------------------


def target_sets(position: Position, side: SideId, place: HexId) -> Iterator[tuple[Unit, ...]]:
    """The target sets worth naming in a hex: all that have no shot at them yet, then each alone; in a town only all.

    Rules: PB3-802.
    """
    whole = counters_at(position, place, enemy_of(side))
    taken = {id for shot in position.shots for id in shot.targets}
    fresh = tuple([unit for unit in whole if unit.id not in taken and FIRE not in unit.attacked])
    if not fresh or (is_town(position.ground.board, place) and len(fresh) < len(whole)):
        return
    yield fresh
    if len(fresh) > 1 and not is_town(position.ground.board, place):
        for unit in fresh:
            yield (unit,)


def target_refusal(position: Position, side: SideId, place: HexId, targets: Sequence[Unit]) -> Refusal | None:
    """Why these units of a hex can't be one target now.

    Rules: PB3-802.
    """
    taken = {id for shot in position.shots for id in shot.targets}
    for unit in targets:
        if unit.side == side or unit.hex != place or not is_outside(unit):
            return refuse("PB3-802", "a target is an enemy counter in the hex fired at")
        if unit.id in taken or FIRE in unit.attacked:
            return refuse("PB3-802", f"{kind(unit).name} is a target of other fire in this player turn")
    whole = counters_at(position, place, enemy_of(side))
    if is_town(position.ground.board, place) and len(targets) < len(whole):
        return refuse("PB3-802", "in a town all units of the hex are one target")
    return None


# --- the attack -----------------------------------------------------------------------------------------------------


def fire_attack(
    position: Position, side: SideId, firers: Sequence[Unit], targets: Sequence[Unit], how: str = FIRE
) -> Attack | Refusal:
    """The fire of these units at those of one hex, ready to be rolled, or why it is not allowed.

    Rules: PB3-802, PB3-803, PB3-808, PB3-811.
    """
    place, against = targets[0].hex, target_type(position, targets)
    total = 0
    lines: list[Line] = []
    for firer in firers:
        refusal = firing_refusal(firer) or aim_refusal(position, firer, place)
        made = refusal or strength_against(position, firer, place, against)
        if isinstance(made, Refusal):
            return made
        total += made.total
        lines += made.lines
    rule = RULE if how == FIRE else "PB3-1104"
    return readied(position, place, targets, lines, strength=total, side=side, how=how, rule=rule, attackers=firers)


def designated_attack(position: Position, side: SideId, order: DesignateTarget) -> Attack | Refusal:
    """The attack that a designation leads to, or why it can't be made.

    Rules: PB3-505, PB3-801, PB3-802.
    """
    firers = named_units(position, side, order.firers)
    if firers is None:
        return refuse("PB3-801", "name each of your firing units once")
    targets = named_units(position, enemy_of(side), order.targets)
    if targets is None:
        return refuse("PB3-802", "name each target in sight once")
    for firer in firers:
        refusal = designating_refusal(position, firer)
        if refusal is not None:
            return refusal
    return target_refusal(position, side, order.hex, targets) or fire_attack(position, side, firers, targets)


def check_designate(position: Position, side: SideId, order: DesignateTarget) -> Refusal | None:
    """Why the target can't be designated, or None."""
    attack = designated_attack(position, side, order)
    return attack if isinstance(attack, Refusal) else None


def resolve_designate(resolution: Resolution[Position], side: SideId, order: DesignateTarget) -> None:
    """The target is designated; nothing is fired before all are (PB3-505)."""
    resolution.emit(ShotDesignated(side, Shot(order.firers, order.hex, order.targets)))


def explain_designate(position: Position, side: SideId, order: DesignateTarget) -> tuple[Tally, ...]:
    """The tallies of the attack that the designation leads to, none when it leads to none."""
    attack = designated_attack(position, side, order)
    return () if isinstance(attack, Refusal) else attack.tallies


def shot_attack(position: Position, side: SideId, shot: Shot) -> Attack | Refusal | None:
    """The attack of a designated shot as the table stands now; None when its target is gone.

    Rules: PB3-508, PB3-802.
    """
    targets = tuple([unit for unit in map(position.unit, shot.targets) if unit.hex == shot.hex])
    if targets and is_town(position.ground.board, shot.hex):
        targets = counters_at(position, shot.hex, enemy_of(side))
    if not targets:
        return None
    return fire_attack(position, side, tuple(map(position.unit, shot.firers)), targets)


def fire_all(resolution: Resolution[Position]) -> None:
    """Every designated shot has been resolved in the order of designation; one whose target was gone is lost, and one
    that proved too weak for what was in a town has no effect.

    Rules: PB3-505, PB3-508, PB3-811.
    """
    side = resolution.position.phasing
    for shot in resolution.position.shots:
        position = resolution.position
        attack = shot_attack(position, side, shot)
        resolution.emit(UnitsFired(shot.firers))
        if isinstance(attack, Attack):
            roll_attack(resolution, attack)
        elif attack is None:
            resolution.emit(ShotLost(side, shot.firers, shot.hex))
        else:
            fail(resolution, side, FIRE, shot.firers, shot.hex, counters_at(position, shot.hex, enemy_of(side)))


# --- striking out ---------------------------------------------------------------------------------------------------


def check_cancel(position: Position, side: SideId, order: CancelShot) -> Refusal | None:
    """Why a shot can't be struck out, or None."""
    if any(order.unit in shot.firers for shot in position.shots):
        return None
    return refuse(RULE, "that unit has no target to strike out")


def resolve_cancel(resolution: Resolution[Position], side: SideId, order: CancelShot) -> None:
    """The shot is struck out; its firers may be given another target."""
    resolution.emit(ShotStruck(side, order.unit))


def cancel_offers(position: Position, side: SideId, unit: Unit) -> Iterator[CancelShot]:
    """The shot of a unit, if it has one."""
    if any(unit.id in shot.firers for shot in position.shots):
        yield CancelShot(unit.id)


# --- what can be fired at -------------------------------------------------------------------------------------------


def able(position: Position, side: SideId) -> list[Unit]:
    """The side's units that can be given a target."""
    return [unit for unit in active(position, side) if designating_refusal(position, unit) is None]


def places_in_view(position: Position, side: SideId, unit: Unit) -> Iterator[HexId]:
    """The hexes with enemies in a unit's range at which it may aim, in order of the enemies."""
    board, reach = position.ground.board, KINDS[unit.kind].range
    for place in places_of(position, enemy_of(side)):
        if board.distance(unit.hex, place) <= reach and aim_refusal(position, unit, place) is None:
            yield place


def may_fire(position: Position) -> bool:
    """Whether the side on turn has a unit that can aim at an enemy."""
    side = position.phasing
    return any(True for unit in able(position, side) for _ in places_in_view(position, side, unit))


def fire_options(position: Position, side: SideId, unit: Unit) -> Iterator[DesignateTarget]:
    """Shots of the unit alone and together with all who can join, at whole stacks and at single counters."""
    if unit.side != side or designating_refusal(position, unit) is not None:
        return
    friends: list[Unit] | None = None
    for place in places_in_view(position, side, unit):
        if friends is None:
            friends = [friend for friend in able(position, side) if friend.id != unit.id]
        yield from _shots_at(position, side, unit, place, friends)


def _shots_at(
    position: Position, side: SideId, unit: Unit, place: HexId, friends: Iterable[Unit]
) -> Iterator[DesignateTarget]:
    joining: list[Unit] | None = None
    for targets in target_sets(position, side, place):
        against = target_type(position, targets)
        own, needed = strength_in(position, unit, place, against), total_defense(targets)
        if not own:
            continue
        named = tuple([target.id for target in targets])
        if own * WORST_ODDS >= needed:
            yield DesignateTarget((unit.id,), place, named)
        if joining is None:
            joining = [friend for friend in friends if aim_refusal(position, friend, place) is None]
        added = {friend.id: strength_in(position, friend, place, against) for friend in joining}
        party = {id: strength for id, strength in added.items() if strength}
        if party and (own + sum(party.values())) * WORST_ODDS >= needed:
            yield DesignateTarget((unit.id, *party), place, named)


def pick_fire(position: Position, side: SideId, unit: Unit, dice: PromptDice) -> DesignateTarget | None:
    """A random shot of the unit at the first hex after a random one that it can fire at, or None when there is none."""
    if unit.side != side or designating_refusal(position, unit) is not None:
        return None
    places = list(places_in_view(position, side, unit))
    if not places:
        return None
    start = dice.below(len(places))
    friends = [friend for friend in able(position, side) if friend.id != unit.id]
    for place in places[start:] + places[:start]:
        shots = list(_shots_at(position, side, unit, place, friends))
        if shots:
            return shots[dice.below(len(shots))]
    return None


def no_offers(position: Position, side: SideId, unit: Unit) -> Iterator[CancelShot]:
    """Nothing that a computer player need try: it writes only what it means."""
    return iter(())
