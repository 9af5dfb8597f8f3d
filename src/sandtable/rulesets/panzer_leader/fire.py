"""Direct fire: who may fire at what, how hard, and what comes of it.

Rules: PL-801 to PL-836.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from sandtable.kernel.decisions import Refusal
from sandtable.kernel.dice import PromptDice
from sandtable.kernel.ids import NOBODY, HexId, RuleId, SideId, UnitId
from sandtable.kernel.resolution import Resolution
from sandtable.kernel.trace import Line, Tally
from sandtable.mechanics.odds import odds_ratio
from sandtable.rulesets.panzer_leader.combat import (
    ARMORED,
    BEST_ODDS,
    DIRECT,
    WORST_ODDS,
    defense_of,
    fail,
    is_futile,
    readied,
    reveal,
    rides_outside,
    roll_attack,
    target_type,
)
from sandtable.rulesets.panzer_leader.events import FacingSet, UnitsFired
from sandtable.rulesets.panzer_leader.kinds import KINDS, TANK_BRIDGES
from sandtable.rulesets.panzer_leader.model import FIRE, Position, Unit
from sandtable.rulesets.panzer_leader.orders import DirectFire, SetFacing
from sandtable.rulesets.panzer_leader.pieces import enemy_of
from sandtable.rulesets.panzer_leader.sight import (
    can_observe,
    give_away,
    has_enemy_in_sight,
    is_in_stream,
    is_spotted,
    look,
    looks,
    obstacle,
)
from sandtable.rulesets.panzer_leader.stacks import active, fort_at, is_outside, kind, places_of, units_at
from sandtable.rulesets.panzer_leader.terrain import is_concealing, terrain_key
from sandtable.rulesets.panzer_leader.weapons import (
    EIGHTHS,
    bears_on,
    in_whole_points,
    is_fixed_gun,
    reach_of,
    strength_against,
    strength_in_eighths,
)
from sandtable.rulesets.panzer_leader.workings import Attack
from sandtable.rulesets.panzer_leader.works import bridge_target_refusal

ODDS = (-4, -3, -2, 1, 2, 3, 4)
"""The columns of the combat results table as ratios, worst first (PL-836)."""


# --- whether a unit can fire ----------------------------------------------------------------------------------------


def firing_refusal(position: Position, unit: Unit) -> Refusal | None:
    """Why a unit can't fire at anything now, or None.

    Rules: PL-504, PL-643, PL-648, PL-713, PL-801, PL-902, PL-1104, PL-1603.
    """
    printed = KINDS[unit.kind]
    name = printed.name
    if not unit.hex:
        return Refusal(RuleId("PL-801"), f"{name} is not on the table")
    if not printed.attack:
        return Refusal(RuleId("PL-648"), f"{name} has no weapon")
    if unit.fired:
        return Refusal(RuleId("PL-801"), f"{name} has fired already")
    if unit.dispersed:
        return Refusal(RuleId("PL-902"), f"{name} is dispersed")
    if unit.carrier != NOBODY or unit.transported:
        return Refusal(RuleId("PL-643"), f"{name} loads, rides or unloads this segment")
    terrain = position.ground.board.terrain[unit.hex]
    if terrain == "sea":
        return Refusal(RuleId("PL-1401"), f"{name} is still at sea")
    if terrain == "stream" and is_in_stream(position, unit.hex):
        return Refusal(RuleId("PL-713"), f"{name} stands in a stream")
    for mission in position.missions:
        if mission.due == position.segment and unit.id in mission.firers:
            return Refusal(RuleId("PL-1104"), f"{name} has a fire mission this segment")
    return None


def _aim_refusal(
    position: Position, side: SideId, firer: Unit, place: HexId, targets: Sequence[Unit]
) -> Refusal | None:
    """Why a unit that can fire can't fire at these targets, apart from its weapon.

    Rules: PL-721, PL-802, PL-805, PL-1608.
    """
    board = position.ground.board
    name = kind(firer).name
    if not can_observe(position, firer, place):
        blocked = obstacle(position, firer.hex, place)
        if blocked is None:
            return Refusal(RuleId("PL-712"), f"{name} can't see into the stream at {board.label(place)}")
        return Refusal(blocked.rule, f"{name} has no line of sight: {blocked.label} at {blocked.value}")
    if not bears_on(position, firer, place):
        return Refusal(RuleId("PL-1608"), f"{board.label(place)} is outside the field of fire of {name}")
    if board.distance(firer.hex, place) > 1 and not are_spotted(position, side, place, targets):
        hidden = [unit for unit in targets if not is_spotted(position, unit, side)]
        # of several who are one target some may have shown themselves
        who = "the target" if len(hidden) == len(targets) else kind(hidden[0]).name
        return Refusal(RuleId("PL-721"), f"{who} in {board.label(place)} is not spotted")
    return None


def is_able(position: Position, side: SideId, firer: Unit, place: HexId, targets: Sequence[Unit], against: str) -> bool:
    """Whether a unit can fire at these targets of a type and harm them, if perhaps only together with others.

    Rules: PL-805, PL-808.
    """
    # the quickest question first: most who see a target are too far away
    if not strength_in_eighths(position, firer, place, against):
        return False
    return firing_refusal(position, firer) is None and _aim_refusal(position, side, firer, place, targets) is None


def are_spotted(position: Position, side: SideId, place: HexId, targets: Iterable[Unit]) -> bool:
    """Whether fire from afar can be aimed at these units: each is spotted, or one of a town's, which are one target.

    Rules: PL-721, PL-802.
    """
    if not is_concealing(position, place):
        return True
    spotted = (is_spotted(position, unit, side) for unit in targets)
    return any(spotted) if terrain_key(position, place) == "town" else all(spotted)


QUICK_TIME = Line("Quick-time: half the defense", "x1/2", RuleId("PL-1605"))


# --- the attack -----------------------------------------------------------------------------------------------------


def direct_attack(
    position: Position,
    side: SideId,
    firers: Sequence[Unit],
    place: HexId,
    targets: Sequence[Unit],
    *,
    defense_halved: bool = False,
    group: str = FIRE,
    rule: str = "PL-504",
) -> Attack | Refusal:
    """Direct fire of these units at those, ready to be rolled, or why it is not allowed.

    A halved defense is rounded up, in the defender's favor (PL-1605).

    Rules: PL-805, PL-806, PL-807, PL-808, PL-810, PL-831, PL-832, PL-833.
    """
    asked = position.derived.answers("direct attacks", position)
    named = tuple([firer.id for firer in firers]), tuple([target.id for target in targets])
    key = (side, place, group, rule, defense_halved, *named)
    found: Attack | Refusal | None = asked.get(key)
    if found is None:
        halving = QUICK_TIME if defense_halved else None
        found = asked[key] = _direct_attack(position, side, firers, place, targets, group, rule, halving)
    return found


def _direct_attack(
    position: Position,
    side: SideId,
    firers: Sequence[Unit],
    place: HexId,
    targets: Sequence[Unit],
    group: str,
    rule: str,
    halving: Line | None,
) -> Attack | Refusal:
    against = target_type(position, targets)
    eighths = 0
    lines: list[Line] = []
    for firer in firers:
        refusal = firing_refusal(position, firer) or _aim_refusal(position, side, firer, place, targets)
        if refusal is not None:
            return refusal
        made = strength_against(position, firer, place, against)
        if isinstance(made, Refusal):
            return made
        eighths += made[0]
        lines += made[1]
    return readied(
        position,
        place,
        targets,
        in_whole_points(eighths),
        lines,
        group=group,
        how=DIRECT,
        rule=rule,
        attackers=firers,
        halving=halving,
    )


# --- targets --------------------------------------------------------------------------------------------------------


def is_target(position: Position, side: SideId, unit: Unit) -> bool:
    """Whether a unit can be named as a target: an enemy counter of its own, or a rider on a tank outside towns.

    Rules: PL-646, PL-802, PL-806, PL-1321.
    """
    if unit.side == side or not unit.hex:
        return False
    if is_outside(unit):
        return True
    if unit.carrier == NOBODY or not rides_outside(position.units[unit.carrier]):
        return False
    return terrain_key(position, unit.hex) != "town"


def counters_under_fire(position: Position, side: SideId, place: HexId) -> tuple[Unit, ...]:
    """The enemy counters of a hex as one target: riders and garrisons not apart, a tank bridge only if it is alone."""
    counters = tuple(unit for unit in units_at(position, place) if unit.side != side and is_outside(unit))
    troops = tuple(unit for unit in counters if unit.kind not in TANK_BRIDGES)
    return troops or counters


def target_sets(position: Position, side: SideId, place: HexId, group: str = FIRE) -> Iterator[tuple[Unit, ...]]:
    """The target sets worth naming in a hex: all not yet attacked in the group, then each alone; in a town only all.

    Rules: PL-511, PL-646, PL-802, PL-803.
    """
    whole = counters_under_fire(position, side, place)
    if terrain_key(position, place) == "town":
        if whole and not any(group in unit.attacked for unit in whole):
            yield whole
        return
    fresh = tuple(unit for unit in whole if group not in unit.attacked)
    if fresh:
        yield fresh
    alone = [unit for unit in units_at(position, place) if group not in unit.attacked]
    for unit in alone:
        if fresh != (unit,) and is_target(position, side, unit):
            yield (unit,)


def set_refusal(position: Position, side: SideId, place: HexId, targets: Sequence[Unit]) -> Refusal | None:
    """Why these units of a hex can't be named together as a target, whatever attacks them.

    Rules: PL-646, PL-802.
    """
    named = {unit.id for unit in targets}
    for unit in targets:
        if unit.hex != place or not is_target(position, side, unit):
            return Refusal(RuleId("PL-802"), "a target must be an enemy counter in the hex fired at")
        if unit.carrier in named:
            return Refusal(RuleId("PL-646"), "a rider is attacked alone or shares the fate of its tank, not both")
    if terrain_key(position, place) == "town":
        whole = counters_under_fire(position, side, place)
        if {unit.id for unit in whole} != named:
            return Refusal(RuleId("PL-802"), "in a town all units of the hex are one target")
    return None


def target_refusal(position: Position, side: SideId, place: HexId, targets: Sequence[Unit]) -> Refusal | None:
    """Why these units of a hex can't be one target of direct fire now.

    Rules: PL-511, PL-803, PL-804.
    """
    if place in position.shelled:
        return Refusal(RuleId("PL-804"), "indirect fire has hit that hex this segment")
    for unit in targets:
        if FIRE in unit.attacked:
            return Refusal(RuleId("PL-511"), f"{kind(unit).name} has been fired at already this segment")
    return set_refusal(position, side, place, targets)


# --- the order ------------------------------------------------------------------------------------------------------


def named_units(position: Position, ids: Sequence[UnitId]) -> tuple[Unit, ...] | None:
    """The units with these ids, or None when there are none, one is no unit at all, or one is named twice."""
    if not ids or len(set(ids)) != len(ids) or not all(0 <= id < len(position.units) for id in ids):
        return None
    return tuple(position.units[id] for id in ids)


def ordered_attack(position: Position, side: SideId, order: DirectFire) -> Attack | Refusal:
    """The attack that the order makes, or why it makes none.

    Rules: PL-801, PL-802, PL-803, PL-804, PL-805.
    """
    firers = named_units(position, order.firers)
    if firers is None or any(firer.side != side for firer in firers):
        return Refusal(RuleId("PL-801"), "name each of your firing units once")
    targets = named_units(position, order.targets)
    if targets is None:
        return Refusal(RuleId("PL-802"), "name each target once")
    if not position.ground.board.is_on(order.hex):
        return Refusal(RuleId("PL-802"), "that hex is off the map")
    refusal = target_refusal(position, side, order.hex, targets) or bridge_target_refusal(DIRECT, firers, targets)
    return refusal or direct_attack(position, side, firers, order.hex, targets)


def check_direct_fire(position: Position, side: SideId, order: DirectFire) -> Refusal | None:
    """Why the order can't be carried out, or None."""
    attack = ordered_attack(position, side, order)
    return attack if isinstance(attack, Refusal) else None


def resolve_direct_fire(resolution: Resolution[Position], side: SideId, order: DirectFire) -> None:
    """The firers have fired, and the targets have taken what came of it.

    In a town the fire falls on every unit of the hex, also on those the firer did not know of; if that makes the odds
    worse than 1-4, the fire has no effect.

    Rules: PL-504, PL-802, PL-1324, PL-1401.
    """
    reveal(resolution, order.targets)
    position = resolution.position
    firers = tuple(position.units[id] for id in order.firers)
    targets = tuple(position.units[id] for id in order.targets)
    if terrain_key(position, order.hex) == "town":
        targets = counters_under_fire(position, side, order.hex)
    attack = direct_attack(position, side, firers, order.hex, targets)
    resolution.emit(UnitsFired(order.firers))
    if isinstance(attack, Attack):
        roll_attack(resolution, attack)
        hit_own_fort(resolution, side, position, firers, order.hex)
    else:
        fail(resolution, side, DIRECT, order.firers, order.hex)
    give_away(resolution, order.firers)


def hit_own_fort(
    resolution: Resolution[Position], side: SideId, before: Position, firers: Sequence[Unit], place: HexId
) -> None:
    """Fire at enemies on top of one's own fort has been rolled a second time against the fort.

    Rules: PL-1324.
    """
    fort = fort_at(before, place)
    if fort is None or fort.side != side:
        return
    made = [(firer, strength_against(before, firer, place, ARMORED)) for firer in firers if firer.fort != fort.id]
    able = [(firer, hit) for firer, hit in made if not isinstance(hit, Refusal)]
    strength = in_whole_points(sum([hit[0] for _, hit in able]))
    lines = [line for _, hit in able for line in hit[1]]
    attack = readied(
        before,
        place,
        (fort,),
        strength,
        lines,
        group="",
        how=DIRECT,
        rule="PL-1324",
        attackers=[firer for firer, _ in able],
    )
    if isinstance(attack, Attack):
        roll_attack(resolution, attack)


def explain_direct_fire(position: Position, side: SideId, order: DirectFire) -> tuple[Tally, ...]:
    """The tallies of the attack that the order makes, none when it makes none."""
    attack = ordered_attack(position, side, order)
    return () if isinstance(attack, Refusal) else attack.tallies


# --- what can be fired at -------------------------------------------------------------------------------------------


def places_in_view(position: Position, side: SideId, unit: Unit) -> Iterator[HexId]:
    """The hexes with enemies that the unit has in range and in sight, were it able to fire; in order of the enemies."""
    board, here, reach = position.ground.board, unit.hex, reach_of(KINDS[unit.kind])
    found, shelled = looks(position), position.shelled
    seen, enemies = found[here], places_of(position, enemy_of(side))
    places = list(enemies)
    if isinstance(seen, bytes):
        # where all that a hex sees is known, few are left to measure; on a large map a line costs more than a distance
        row: bytes = seen
        places = [place for place in enemies if row[place]]
    for place in places:
        if board.distance(here, place) <= reach and seen[place] and place not in shelled:
            yield place


def may_fire(position: Position) -> bool:
    """Whether the side on turn can fire at anything, with units or with naval guns."""
    side = position.phasing
    if position.naval.get(side, 0) > 0:
        return True
    if not has_enemy_in_sight(position, side):
        return False
    for unit in _ready(position, side):
        for place in places_in_view(position, side, unit):
            if bears_on(position, unit, place) and any(
                are_spotted(position, side, place, targets) for targets in target_sets(position, side, place)
            ):
                return True
    return False


def _ready(position: Position, side: SideId) -> Iterator[Unit]:
    """The side's units that can fire at all now."""
    for unit in active(position, side):
        if not unit.fired and not unit.dispersed and firing_refusal(position, unit) is None:
            yield unit


def fire_options(position: Position, side: SideId, unit: Unit) -> Iterator[DirectFire]:
    """Shots of the unit alone and together with all who can join, at whole stacks and at single counters."""
    if unit.fired or unit.dispersed or unit.side != side or firing_refusal(position, unit) is not None:
        return
    friends: list[Unit] = []
    for place in places_in_view(position, side, unit):
        friends = friends or [friend for friend in _ready(position, side) if friend.id != unit.id]
        yield from _shots_at(position, side, unit, place, friends)


def shooters(position: Position, side: SideId) -> Iterator[Unit]:
    """The side's units that have a shot, alone or with others."""
    if not has_enemy_in_sight(position, side):
        return
    able = list(_ready(position, side))
    for unit in able:
        friends = [friend for friend in able if friend.id != unit.id]
        if any(
            True
            for place in places_in_view(position, side, unit)
            for _ in _shots_at(position, side, unit, place, friends)
        ):
            yield unit


def pick_fire(position: Position, side: SideId, unit: Unit, dice: PromptDice) -> DirectFire | None:
    """A random shot of the unit at the first hex after a random one that it can fire at, or None when there is none."""
    if unit.fired or unit.dispersed or unit.side != side or firing_refusal(position, unit) is not None:
        return None
    places = list(places_in_view(position, side, unit))
    if not places:
        return None
    friends = [friend for friend in _ready(position, side) if friend.id != unit.id]
    start = dice.below(len(places))
    for place in places[start:] + places[:start]:
        shots = list(_shots_at(position, side, unit, place, friends))
        if shots:
            return shots[dice.below(len(shots))]
    return None


def _shots_at(
    position: Position, side: SideId, unit: Unit, place: HexId, friends: Iterable[Unit]
) -> Iterator[DirectFire]:
    """The shots of a unit, alone and with those friends who can join, at a hex that it sees."""
    if not bears_on(position, unit, place):
        return
    joining: list[Unit] | None = None
    for targets in target_sets(position, side, place):
        against = target_type(position, targets)
        own = strength_in_eighths(position, unit, place, against)
        # an adjacent firer spots the target itself (PL-722), so this holds at any distance
        if not own or not are_spotted(position, side, place, targets):
            continue
        named = tuple(target.id for target in targets)
        needed = sum(defense_of(position, target) for target in targets) * EIGHTHS
        if own * WORST_ODDS >= needed:
            yield DirectFire((unit.id,), place, named)
        if joining is None:
            joining = [f for f in friends if look(position, f.hex)[place] and bears_on(position, f, place)]
        made = {friend.id: strength_in_eighths(position, friend, place, against) for friend in joining}
        added = {id: strength for id, strength in made.items() if strength}
        if added and (own + sum(added.values())) * WORST_ODDS >= needed:
            yield DirectFire((unit.id, *added), place, named)


def able_firers(position: Position, side: SideId, place: HexId, targets: Sequence[Unit]) -> int:
    """How many units of a side could fire at these targets, if perhaps only together with others."""
    against = target_type(position, targets)
    return sum(
        1
        for unit in _ready(position, side)
        if look(position, unit.hex)[place]
        and strength_in_eighths(position, unit, place, against)
        and bears_on(position, unit, place)
    )


def fire_offers(position: Position, side: SideId, unit: Unit) -> Iterator[DirectFire]:
    """The options, and between the unit alone and all together those few who are enough for each odds in between; last
    of all what no die makes good.
    """
    yield from sorted(_offers(position, side, unit), key=lambda order: is_in_vain(position, side, order))


def _offers(position: Position, side: SideId, unit: Unit) -> Iterator[DirectFire]:
    for order in fire_options(position, side, unit):
        if len(order.firers) > 1:
            yield from fewer(position, side, order, (unit.id,))
        yield order


def is_in_vain(position: Position, side: SideId, order: DirectFire) -> bool:
    """Whether the order makes an attack that no die makes good (PL-836)."""
    attack = ordered_attack(position, side, order)
    return isinstance(attack, Attack) and is_futile(attack)


def fewer(position: Position, side: SideId, order: DirectFire, kept: tuple[UnitId, ...] = ()) -> Iterator[DirectFire]:
    """For each odds that these firers can reach, the fewest of them that are enough, `kept` among them; not each alone
    and not all together.

    Rules: PL-831, PL-1604.
    """
    targets = [position.units[id] for id in order.targets]
    against, needed = target_type(position, targets), EIGHTHS * sum(defense_of(position, unit) for unit in targets)
    made = {id: strength_in_eighths(position, position.units[id], order.hex, against) for id in order.firers}
    rest = sorted((id for id in made if id not in kept), key=lambda id: -made[id])
    start = sum(made[id] for id in kept)
    named = {kept, order.firers}
    for column in ODDS:
        strength, some = start, list(kept)
        for id in rest:
            if strength and odds_ratio(strength, needed, BEST_ODDS) >= column:
                break
            some.append(id)
            strength += made[id]
        # of those who would be enough as the last of them, the weakest is
        spare = [id for id in rest if id not in some[:-1] and len(some) > len(kept)]
        enough = [id for id in spare if odds_ratio(strength - made[some[-1]] + made[id], needed, BEST_ODDS) >= column]
        party = (*some[:-1], min(enough, key=made.__getitem__)) if enough else ()
        if 1 < len(party) < len(made) and party not in named:
            named.add(party)
            yield DirectFire(party, order.hex, order.targets)


# --- facing ---------------------------------------------------------------------------------------------------------


def check_facing(position: Position, side: SideId, order: SetFacing) -> Refusal | None:
    """Why a gun can't be turned so, or None.

    Rules: PL-602, PL-643, PL-1608.
    """
    named = named_units(position, (order.unit,))
    if named is None or named[0].side != side or not named[0].hex:
        return Refusal(RuleId("PL-1608"), "turn one of your guns on the table")
    unit = named[0]
    if not position.ground.options.field_of_fire:
        return Refusal(RuleId("PL-1608"), "fields of fire are not played in this battle")
    if not is_fixed_gun(kind(unit)):
        return Refusal(RuleId("PL-1608"), f"{kind(unit).name} fires all around")
    if order.facing not in range(6) or order.facing == unit.facing:
        return Refusal(RuleId("PL-1608"), "name another of the six directions")
    if unit.is_inverted:
        return Refusal(RuleId("PL-602"), f"{kind(unit).name} has fired or is dispersed")
    if unit.carrier != NOBODY:
        return Refusal(RuleId("PL-643"), f"{kind(unit).name} is aboard a carrier")
    return None


def resolve_facing(resolution: Resolution[Position], side: SideId, order: SetFacing) -> None:
    """The gun points in the direction."""
    resolution.emit(FacingSet(order.unit, order.facing))


def facing_options(position: Position, side: SideId, unit: Unit) -> Iterator[SetFacing]:
    """Every way in which a gun can be turned."""
    if not position.ground.options.field_of_fire:
        return
    for facing in range(6):
        order = SetFacing(unit.id, facing)
        if check_facing(position, side, order) is None:
            yield order
