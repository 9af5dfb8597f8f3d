"""Opportunity fire (option): enemies who have watched a unit move long enough may fire at it on the spot.

Rules: PL-1601, PL-1602, PL-1603, PL-1604, PL-1605.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache

from msgspec.structs import replace

from sandtable.kernel.decisions import Decision, Refusal
from sandtable.kernel.ids import NOBODY, HexId, RuleId, SideId, UnitId
from sandtable.kernel.resolution import Resolution
from sandtable.kernel.trace import Tally
from sandtable.rulesets.panzer_leader import fire, sight
from sandtable.rulesets.panzer_leader.combat import (
    DIRECT,
    can_harm,
    defense_of,
    die_modifiers,
    modifier_sum,
    odds_column,
    reveal,
    roll_attack,
    target_type,
)
from sandtable.rulesets.panzer_leader.costs import QUICK
from sandtable.rulesets.panzer_leader.events import MoveHalted, MoveResumed, UnitsFired
from sandtable.rulesets.panzer_leader.frames import Journey, OpportunityWindow
from sandtable.rulesets.panzer_leader.kinds import ARMED, KINDS, UnitKind
from sandtable.rulesets.panzer_leader.missions import batteries
from sandtable.rulesets.panzer_leader.model import Mover, Position, Unit, enemy_of
from sandtable.rulesets.panzer_leader.movement_table import NUMBERS
from sandtable.rulesets.panzer_leader.moves import end_move
from sandtable.rulesets.panzer_leader.orders import OpportunityFire, Pass
from sandtable.rulesets.panzer_leader.visibility import hidden_units
from sandtable.rulesets.panzer_leader.weapons import EIGHTHS, strength_in_eighths
from sandtable.rulesets.panzer_leader.workings import Attack

RULE = RuleId("PL-1601")
PRICE = "Who fires now can do nothing in your next segment (PL-1603)."


def threshold(printed: UnitKind) -> int:
    """What a unit of this type can spend in an enemy's sight before he may fire, in half points.

    Rules: PL-1601.
    """
    return printed.movement // NUMBERS.opportunity.divisor * 2


def exposure(
    position: Position, unit: Unit, place: HexId, cost: int, before: Mapping[UnitId, int]
) -> dict[UnitId, int]:
    """What the unit has spent in each enemy's unbroken sight once it has entered a hex at that cost.

    Enemies who do not see the hex begin anew; cover hides what is spent in it unless the unit is spotted there.

    Rules: PL-1601.
    """
    enemy = enemy_of(unit.side)
    if not sight.is_spotted_at(position, unit, place, enemy):
        cost = 0
    if not cost and not before:
        return {}
    spent: dict[UnitId, int] = {}
    for watcher in sight.watchers(position, enemy, place):
        if watcher.kind in ARMED:
            points = before.get(watcher.id, 0) + cost
            if points:
                spent[watcher.id] = points
    return spent


def has_watched_enough(position: Position, firer: Unit) -> bool:
    """Whether the unit has seen the mover long enough, and is not kept for a fire mission.

    Rules: PL-1104, PL-1601.
    """
    mover = position.mover
    if mover is None:
        return False
    seen = mover.exposure.get(firer.id, 0)
    if not seen or seen < threshold(KINDS[position.units[mover.unit].kind]):
        return False
    return not _waits_for_mission(position, firer)


def _waits_for_mission(position: Position, firer: Unit) -> bool:
    return firer.id in batteries(position)


def targets(position: Position) -> tuple[Unit, ...]:
    """Who is hit: the mover, and with it a passenger it has just set down where it stands.

    Rules: PL-1602.
    """
    mover = position.mover
    if mover is None:
        return ()
    hit = [position.units[mover.unit]]
    if mover.dropped != NOBODY and position.units[mover.dropped].hex == hit[0].hex:
        hit.append(position.units[mover.dropped])
    return tuple(hit)


def attack(position: Position, side: SideId, firers: Sequence[Unit]) -> Attack | Refusal:
    """The fire of these units at the mover, which is outside the count of PL-511, or why it is not allowed.

    Rules: PL-511, PL-1602, PL-1604, PL-1605.
    """
    hit = targets(position)
    if position.mover is None or not hit[0].hex or hit[0].side == side:
        return Refusal(RULE, "no enemy is moving in your sight")
    if not all(has_watched_enough(position, firer) for firer in firers):
        return Refusal(RULE, "a unit has not had the mover in sight long enough, or waits for its fire mission")
    quick = position.mover.gait == QUICK
    return fire.direct_attack(position, side, firers, hit[0].hex, hit, defense_halved=quick, group="", rule="PL-1602")


def _able(position: Position, mover: Mover, side: SideId) -> list[Unit]:
    """The side's units that have watched the mover long enough and could harm it, their fire missions aside."""
    units = position.units
    enough = max(1, threshold(KINDS[units[mover.unit].kind]))
    watching = [units[id] for id, seen in mover.exposure.items() if seen >= enough]
    if not watching:
        return []
    hit = targets(position)
    place, against = hit[0].hex, target_type(position, hit)
    return [one for one in watching if one.side == side and fire.is_able(position, side, one, place, hit, against)]


def candidates(position: Position, side: SideId) -> tuple[Unit, ...]:
    """The side's units that may fire at the mover to some purpose, alone or at least together."""
    assert position.mover is not None
    return _free(position, _able(position, position.mover, side))


def _free(position: Position, able: Iterable[Unit]) -> tuple[Unit, ...]:
    """Those of them who do not wait for a fire mission (PL-1104)."""
    kept = batteries(position)
    return _together(position, [one for one in able if one.id not in kept])


def _together(position: Position, able: Iterable[Unit]) -> tuple[Unit, ...]:
    """These units if their fire together can come to something, else none."""
    some = tuple(able)
    return some if some and _is_to_some_purpose(position, some, targets(position)) else ()


def _is_to_some_purpose(position: Position, firers: Sequence[Unit], hit: Sequence[Unit]) -> bool:
    """Whether the fire of able units is allowed and some die would harm the mover, or shows what lies face-down.

    Fewer of them would do no better, so that this tells whether there is anything to ask.

    Rules: PL-832, PL-836, PL-1401.
    """
    odds = _odds(position, firers, hit)
    if odds is None:
        return False
    drm = modifier_sum(die_modifiers(position, DIRECT, hit[0].hex, hit))
    return can_harm(odds, drm) or any(unit.facedown for unit in hit)


def _is_enough(position: Position, firers: Sequence[Unit], hit: Sequence[Unit]) -> bool:
    """Whether the fire of able units at the mover is no worse than 1-4 (PL-832)."""
    return _odds(position, firers, hit) is not None


def _odds(position: Position, firers: Sequence[Unit], hit: Sequence[Unit]) -> str | None:
    """The odds of the fire of able units at the mover, or None when they are worse than 1-4.

    Rules: PL-831, PL-832, PL-1605.
    """
    defense = sum([defense_of(position, unit) for unit in hit])
    if position.mover is not None and position.mover.gait == QUICK:
        defense = -(-defense // 2)
    against, place = target_type(position, hit), hit[0].hex
    strength = sum([strength_in_eighths(position, unit, place, against) for unit in firers])
    return odds_column(strength, defense * EIGHTHS)


def window_for(position: Position, unit: Unit) -> OpportunityWindow | None:
    """The chance to fire that the moving unit gives the enemy where it stands, if any.

    Nobody is asked whose fire no die would make good. Enemies that the mover's side sees, and who could harm it as far
    as it knows, are asked also when written missions keep them from it: that nobody is asked would betray the missions.

    Rules: PL-836, PL-1104, PL-1507, PL-1601, PL-1602.
    """
    side = enemy_of(unit.side)
    mover = position.mover
    if mover is None or mover.unit != unit.id or not mover.exposure or not unit.hex:
        return None
    able = _able(position, mover, side)
    if not able:
        return None
    firers = _free(position, able)
    if not firers:
        unseen = hidden_units(position, unit.side)
        if not _together(position, [one for one in able if one.id not in unseen]):
            return None
    return OpportunityWindow(side, unit.id, tuple([firer.id for firer in firers]))


def halt(resolution: Resolution[Position], id: UnitId) -> OpportunityWindow | None:
    """The chance to fire that a moving unit gives the enemy where it stands, if any; its own side can't tell by what it
    is told of the move whether there was one.

    In the fog a move halts wherever somebody could have watched it long enough. It goes on at once when nobody has, or
    none of those who have may fire and be seen; when the enemy is asked, it goes on when he lets it pass. The mover's
    side is told the same in every case, in the same number of observations.

    Rules: PL-1104, PL-1507, PL-1601.
    """
    unit, is_secret = resolution.position.units[id], _has_halted(resolution, id)
    window = window_for(resolution.position, unit)
    if is_secret and window is None:
        resolution.emit(MoveResumed(id, unit.side))
    return window


def go_by(resolution: Resolution[Position], id: UnitId) -> None:
    """The move has gone on in the same breath although it gave somebody a chance to fire, for the enemy lets the rest
    of it go by; its own side is told as if he had been asked.

    Rules: PL-1507, PL-1601.
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
    """Whether in the fog somebody may have watched the unit long enough, as far as its own side can know.

    Rules: PL-1507, PL-1601.
    """
    mover, unit = position.mover, position.units[id]
    if not position.ground.options.fog or not position.ground.options.opportunity_fire or not unit.hex:
        return False
    return mover is not None and mover.unit == id and mover.spent >= max(1, threshold(KINDS[unit.kind]))


def decisions(position: Position, window: OpportunityWindow) -> tuple[Decision, ...]:
    """The enemy may fire at the mover or let it pass."""
    return _decisions(window.side, position.units[window.unit].kind, may_fire=bool(window.firers))


@cache
def _decisions(side: SideId, kind: str, *, may_fire: bool) -> tuple[Decision, ...]:
    name = KINDS[kind].name
    prompt = f"Fire at the moving {name}, or pass."
    if not may_fire:
        prompt = f"Those who could harm the moving {name} wait for their fire missions (PL-1104): let it go by."
    return (Decision(side, "opportunity fire", RULE, prompt, optional=True),)


def check_opportunity(position: Position, side: SideId, order: OpportunityFire) -> Refusal | None:
    """Why these units can't fire at the mover, or None.

    Rules: PL-1601, PL-1604.
    """
    firers = fire.named_units(position, order.firers)
    if firers is None or any(firer.side != side for firer in firers):
        return Refusal(RULE, "name each of your firing units once")
    found = attack(position, side, firers)
    return found if isinstance(found, Refusal) else None


def resolve_opportunity(resolution: Resolution[Position], side: SideId, order: OpportunityFire) -> None:
    """The units have fired together and are `fired`, also at a fort of their own that the mover stands on; whoever else
    may fire at the mover is asked again.

    Rules: PL-1324, PL-1602, PL-1603, PL-1604.
    """
    reveal(resolution, tuple(unit.id for unit in targets(resolution.position)))
    position = resolution.position
    firers = tuple(position.units[id] for id in order.firers)
    found = attack(position, side, firers)
    resolution.emit(UnitsFired(order.firers))
    if isinstance(found, Attack):
        roll_attack(resolution, found)
        fire.hit_own_fort(resolution, side, position, firers, found.hex)
    sight.give_away(resolution, order.firers)
    window = resolution.top
    assert isinstance(window, OpportunityWindow)
    again = window_for(resolution.position, resolution.position.units[window.unit])
    if again is None:
        _close(resolution, window)
    else:
        resolution.goto(again)


def opportunity_offers(position: Position, side: SideId) -> Iterator[OpportunityFire]:
    """The same as a player is offered it, the strongest first: all of them together, then each alone."""
    hit, able = targets(position), candidates(position, side)
    against = target_type(position, hit)
    strongest = sorted(able, key=lambda one: -strength_in_eighths(position, one, hit[0].hex, against))
    if len(able) > 1:
        yield OpportunityFire(tuple(firer.id for firer in able))
    for firer in strongest:
        if _is_enough(position, (firer,), hit):
            yield OpportunityFire((firer.id,))


def pass_options(position: Position, side: SideId, window: OpportunityWindow) -> Iterator[Pass]:
    """The chance can always be let go by, and with it the rest of the move, whether or not there is more of it."""
    yield Pass()
    yield Pass(rest=True)


def resolve_pass(resolution: Resolution[Position], side: SideId, order: Pass) -> None:
    """The chance to fire is gone, until the mover's next hex or for as far as its order takes it."""
    window = resolution.top
    assert isinstance(window, OpportunityWindow)
    _close(resolution, window)
    journey = resolution.top
    if order.rest and isinstance(journey, Journey):
        resolution.goto(replace(journey, ignored=True))


def _close(resolution: Resolution[Position], window: OpportunityWindow) -> None:
    """Nobody fires any more; a mover that was dispersed stops here (PL-1602)."""
    resolution.pop()
    unit = resolution.position.units[window.unit]
    if resolution.position.ground.options.fog:
        resolution.emit(MoveResumed(unit.id, unit.side))
    if unit.hex and unit.dispersed:
        end_move(resolution, unit.id, "dispersed by opportunity fire (PL-1602)")


def explain_opportunity(position: Position, side: SideId, order: OpportunityFire) -> tuple[Tally, ...]:
    """The tallies of the fire at the mover."""
    if check_opportunity(position, side, order) is not None:
        return ()
    found = attack(position, side, tuple(position.units[id] for id in order.firers))
    return found.tallies if isinstance(found, Attack) else ()


def opportunity_options(position: Position, side: SideId, window: OpportunityWindow) -> Iterator[OpportunityFire]:
    """Each unit that can fire at the mover by itself, and all of them together."""
    hit, able = targets(position), tuple(position.units[id] for id in window.firers)
    for firer in able:
        if _is_enough(position, (firer,), hit):
            yield OpportunityFire((firer.id,))
    if len(able) > 1:
        yield OpportunityFire(window.firers)
