"""The air phase: aircraft fly, the enemy's guns fire at them, and those that are left attack.

Fighter-bombers come and go within the phase. An observer stays over the hex it flew to until it flies again, and from
there it sights for indirect fire.

Rules: PL-308, PL-505, PL-1201 to PL-1208.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from sandtable.kernel.decisions import Refusal
from sandtable.kernel.ids import NOBODY, HexId, RuleId, SideId, UnitId
from sandtable.kernel.resolution import Resolution
from sandtable.kernel.trace import Line, Tally
from sandtable.rulesets.panzer_leader import fire
from sandtable.rulesets.panzer_leader.combat import (
    AIR_ATTACK,
    ARMORED,
    EVEN,
    NONARMORED,
    fail,
    readied,
    reveal,
    roll_attack,
    target_type,
)
from sandtable.rulesets.panzer_leader.combat_tables import combat_tables
from sandtable.rulesets.panzer_leader.events import (
    AircraftAttacked,
    AircraftFlew,
    AircraftShotAt,
    AirPhaseEnded,
    UnitsFired,
)
from sandtable.rulesets.panzer_leader.kinds import OBSERVER, AircraftKind, AirWeapon, aircraft_kinds
from sandtable.rulesets.panzer_leader.model import AIR, IN_PLAY, RESERVE, Aircraft, Position, Unit
from sandtable.rulesets.panzer_leader.orders import AirAttack, AirSortie, FireAtAircraft, FlyTo
from sandtable.rulesets.panzer_leader.sight import is_in_stream
from sandtable.rulesets.panzer_leader.stacks import kind, stacks, units_at
from sandtable.rulesets.panzer_leader.terrain import is_concealing, terrain_key
from sandtable.rulesets.panzer_leader.workings import Attack

SIGHT, SIGHT_IN_COVER = 30, 10
"""How far aircraft sight units in the open, and units in cover that have fired (PL-1206)."""

_AIR_WEAPONS = combat_tables().air_weapons
_ANTIAIR = combat_tables().antiair.row
_ANTIAIR_EFFECT = next(row for row in combat_tables().wec.row if row.mode == "antiair")
_SHOWN = {ARMORED: "armored", NONARMORED: "non-armored", EVEN: "an evenly divided target"}
_NEAR, _FAR = int(_ANTIAIR_EFFECT.aircraft_near), int(_ANTIAIR_EFFECT.aircraft_far)


def printed(plane: Aircraft) -> AircraftKind:
    """The type of an aircraft (PL-308)."""
    return aircraft_kinds()[plane.kind]


def is_observer(plane: Aircraft) -> bool:
    """Whether the aircraft is an unarmed observer (PL-308)."""
    return printed(plane).role == OBSERVER


def weapons_left(plane: Aircraft) -> tuple[AirWeapon, ...]:
    """The weapons an aircraft can still use, machine guns first.

    Rules: PL-308, PL-1205.
    """
    guns, carried = printed(plane).guns, printed(plane).ordnance
    strafing = (guns,) if guns is not None and plane.strafes > 0 else ()
    return (*strafing, *(weapon for weapon in carried if weapon.key == plane.ordnance))


# --- who sees what from above ----------------------------------------------------------------------------------------


def has_shown_itself(position: Position, unit: Unit) -> bool:
    """Whether a unit, or one aboard or inside it, has fired where it stands in the previous segment or since.

    Rules: PL-1206.
    """
    return any(
        0 < other.last_fired >= position.segment - 1
        for other in units_at(position, unit.hex)
        if unit.id in (other.id, other.carrier, other.fort)
    )


def sights(position: Position, plane: Aircraft, unit: Unit) -> bool:
    """Whether an aircraft overhead sights a unit: in the open from afar, in cover only nearby and when it has fired.

    Rules: PL-1206.
    """
    if not plane.hex or not unit.hex:
        return False
    distance = position.ground.board.distance(plane.hex, unit.hex)
    if not is_concealing(position, unit.hex):
        return distance <= SIGHT
    return distance <= SIGHT_IN_COVER and has_shown_itself(position, unit)


def observes(position: Position, plane: Aircraft, place: HexId) -> bool:
    """Whether an observer overhead sights a hex for indirect fire; one in cover only through an enemy it sights there.

    Rules: PL-1103, PL-1206.
    """
    if not plane.hex or not is_observer(plane):
        return False
    if not is_concealing(position, place):
        return position.ground.board.distance(plane.hex, place) <= SIGHT
    return any(unit.side != plane.side and sights(position, plane, unit) for unit in units_at(position, place))


def observers(position: Position, side: SideId, place: HexId) -> tuple[UnitId, ...]:
    """The side's observers that sight a hex for indirect fire."""
    return tuple(plane.id for plane in position.aircraft if plane.side == side and observes(position, plane, place))


def is_sighted_from_air(position: Position, unit: Unit, side: SideId) -> bool:
    """Whether any aircraft of a side sights a unit (PL-1206)."""
    return any(plane.side == side and sights(position, plane, unit) for plane in position.aircraft)


# --- flying ----------------------------------------------------------------------------------------------------------


def has_aircraft(position: Position) -> bool:
    """Whether the side on turn has an aircraft that is worth a flight.

    Rules: PL-505.
    """
    return any(plane.side == position.phasing and _is_ready(position, plane) for plane in position.aircraft)


def _is_ready(position: Position, plane: Aircraft) -> bool:
    return plane.fate == IN_PLAY and plane.turn <= position.turn and (is_observer(plane) or bool(weapons_left(plane)))


def _no_aircraft(position: Position, side: SideId, id: UnitId) -> Refusal | None:
    if not 0 <= id < len(position.aircraft) or position.aircraft[id].side != side:
        return Refusal(RuleId("PL-1201"), "there is no such aircraft of yours")
    if position.aircraft[id].fate != IN_PLAY:
        return Refusal(RuleId("PL-1208"), "the aircraft is lost or has gone home")
    return None


def check_fly(position: Position, side: SideId, order: FlyTo) -> Refusal | None:
    """An aircraft flies once in an air phase, to any hex of the map.

    Rules: PL-1201, PL-1202.
    """
    refusal = _no_aircraft(position, side, order.aircraft)
    if refusal is not None:
        return refusal
    plane = position.aircraft[order.aircraft]
    if not position.ground.board.is_on(order.hex):
        return Refusal(RuleId("PL-1201"), "that hex is off the map")
    if plane.turn > position.turn:
        return Refusal(RuleId("PL-505"), f"the aircraft comes on turn {plane.turn}")
    if plane.flown == position.segment:
        return Refusal(RuleId("PL-1202"), "the aircraft has flown in this air phase")
    return None


def resolve_fly(resolution: Resolution[Position], side: SideId, order: FlyTo) -> None:
    """The aircraft is over the hex."""
    resolution.emit(AircraftFlew(order.aircraft, order.hex))


def fly_options(position: Position, side: SideId, aircraft: Aircraft) -> Iterator[FlyTo]:
    """Flights to a hex beside each known enemy stack, for an observer over each friendly one as well."""
    if aircraft.side != side or not _is_ready(position, aircraft) or aircraft.flown == position.segment:
        return
    board, chosen, guns = position.ground.board, set[HexId](), _guns_against(position, side)
    for place, units in stacks(position).items():
        enemies = [unit for unit in units if unit.side != side and not kind(unit).is_temporary_bridge]
        if enemies:
            # any neighbor will do for the attack; the one under the fewest guns is the best of them
            chosen.add(min(map(HexId, board.neighbors(place)), key=lambda near: _flak(position, guns, near)))
        elif is_observer(aircraft):
            chosen.add(place)
    for place in sorted(chosen):
        yield FlyTo(aircraft.id, place)


def fly_offers(position: Position, side: SideId, aircraft: Aircraft) -> Iterator[FlyTo]:
    """Flights to every hex of the map."""
    if check_fly(position, side, FlyTo(aircraft.id, HexId(position.ground.board.hexes[0]))) is None:
        yield from (FlyTo(aircraft.id, HexId(place)) for place in position.ground.board.hexes)


def _guns_against(position: Position, side: SideId) -> list[Unit]:
    """The known enemy guns that could fire at the side's aircraft now."""
    return [
        unit for unit in position.units if unit.hex and unit.side != side and _antiair_refusal(position, unit) is None
    ]


def _flak(position: Position, guns: Iterable[Unit], place: HexId) -> int:
    """The summed strength of guns against an aircraft over a hex."""
    return sum(_antiair_strength(position, unit, place) for unit in guns)


def guns_on(position: Position, side: SideId, place: HexId) -> list[Unit]:
    """The known enemy guns that could fire at the side's aircraft over a hex now (PL-1207)."""
    return [unit for unit in _guns_against(position, side) if _antiair_strength(position, unit, place)]


def flight_note(position: Position, order: FlyTo) -> str:
    """What awaits an aircraft over a hex, in a few words: the strength of the known guns that reach it (PL-1207)."""
    flak = _flak(position, _guns_against(position, position.aircraft[order.aircraft].side), order.hex)
    return f"flak {flak}" if flak else "no flak"


def end_air_phase(resolution: Resolution[Position]) -> None:
    """The side's fighter-bombers have left the map."""
    resolution.emit(AirPhaseEnded(resolution.position.phasing))


# --- anti-aircraft fire ----------------------------------------------------------------------------------------------


def may_fire_at_aircraft(position: Position) -> bool:
    """Whether the side not on turn has a gun in range of an aircraft overhead; in the fog it is asked for any gun it
    has left, lest the question betray where that is.

    Rules: PL-1202, PL-1207, PL-1507.
    """
    overhead = [plane.hex for plane in position.aircraft if plane.side == position.phasing and plane.hex]
    if not overhead:
        return False
    if position.ground.options.fog:
        return any(
            kind(unit).has("aa") and unit.side != position.phasing and unit.fate in (IN_PLAY, RESERVE)
            for unit in position.units
        )
    guns = _guns_against(position, position.phasing)
    return any(_flak(position, guns, place) for place in overhead)


def _antiair_refusal(position: Position, unit: Unit) -> Refusal | None:
    """Why a unit on the table can't fire at any aircraft now."""
    if not kind(unit).has("aa"):
        return Refusal(RuleId("PL-1207"), "the unit has no anti-aircraft guns")
    if unit.fired:
        return Refusal(RuleId("PL-801"), "the unit has fired already")
    if unit.dispersed:
        return Refusal(RuleId("PL-902"), "the unit is dispersed")
    if unit.carrier != NOBODY:
        return Refusal(RuleId("PL-643"), "the unit is being carried")
    if is_in_stream(position, unit.hex):
        return Refusal(RuleId("PL-713"), "no unit attacks from a stream")
    return None


def _antiair_strength(position: Position, unit: Unit, place: HexId) -> int:
    """The strength of a gun against an aircraft over a hex: doubled up to half its range, 0 out of range.

    Rules: PL-809, PL-1207.
    """
    gun, distance = kind(unit), position.ground.board.distance(unit.hex, place)
    if distance > gun.range:
        return 0
    return gun.attack * (_NEAR if distance <= gun.range // 2 else _FAR)


def check_antiair(position: Position, side: SideId, order: FireAtAircraft) -> Refusal | None:
    """Guns fire together at one aircraft overhead, which is fired at once in an air phase.

    Rules: PL-1207.
    """
    rule = RuleId("PL-1207")
    if not 0 <= order.aircraft < len(position.aircraft) or position.aircraft[order.aircraft].side == side:
        return Refusal(rule, "there is no such enemy aircraft")
    plane = position.aircraft[order.aircraft]
    if not plane.hex:
        return Refusal(rule, "the aircraft is not over the map")
    if plane.shot_at == position.segment:
        return Refusal(rule, "the aircraft has been fired at in this air phase")
    if not order.firers or len(set(order.firers)) < len(order.firers):
        return Refusal(rule, "name each firing unit once")
    for id in order.firers:
        if not 0 <= id < len(position.units) or position.units[id].side != side or not position.units[id].hex:
            return Refusal(rule, "there is no such unit of yours on the table")
        unit = position.units[id]
        refusal = _antiair_refusal(position, unit)
        if refusal is not None:
            return refusal
        if not _antiair_strength(position, unit, plane.hex):
            return Refusal(rule, f"the aircraft is out of range: {kind(unit).range} hexes at most")
    return None


def antiair_tally(position: Position, firers: tuple[UnitId, ...], aircraft: UnitId) -> Tally:
    """The summed strength of guns against an aircraft, a line for each."""
    place, lines = position.aircraft[aircraft].hex, list[Line]()
    for unit in map(position.unit, firers):
        strength = _antiair_strength(position, unit, place)
        near = " (doubled at half range or less)" if strength > kind(unit).attack else ""
        lines.append(Line(f"{kind(unit).name}{near}", strength, RuleId("PL-1207")))
    total = sum(line.value for line in lines if isinstance(line.value, int))
    return Tally("Anti-aircraft strength", total, tuple(lines))


def antiair_results(strength: int) -> tuple[str, ...]:
    """The results for the die faces 1 to 6 at a summed strength.

    Rules: PL-1207, PL-1208.
    """
    return next((row for row in _ANTIAIR if strength <= row.max), _ANTIAIR[-1]).results


def resolve_antiair(resolution: Resolution[Position], side: SideId, order: FireAtAircraft) -> None:
    """The aircraft has passed, is lost or has gone home, and the guns have fired.

    Rules: PL-1207, PL-1208.
    """
    strength = int(antiair_tally(resolution.position, order.firers, order.aircraft).total)
    die = resolution.roll("PL-1207", order.firers[0])
    result = antiair_results(strength)[die - 1]
    resolution.emit(AircraftShotAt(order.aircraft, order.firers, strength, die, result))
    resolution.emit(UnitsFired(order.firers))


def explain_antiair(position: Position, side: SideId, order: FireAtAircraft) -> tuple[Tally, ...]:
    """The strength against the aircraft and what each die would do."""
    if check_antiair(position, side, order) is not None:
        return ()
    strength = antiair_tally(position, order.firers, order.aircraft)
    results = antiair_results(int(strength.total))
    lines = tuple(Line(f"Die {die}", result, RuleId("PL-1207")) for die, result in enumerate(results, 1))
    return (strength, Tally("Results", " ".join(results), lines))


def antiair_options(position: Position, side: SideId, unit: Unit) -> Iterator[FireAtAircraft]:
    """The unit alone, and together with all others that can, at each aircraft in range."""
    if not unit.hex or unit.side != side or _antiair_refusal(position, unit) is not None:
        return
    for plane in position.aircraft:
        if plane.side == side or not plane.hex or plane.shot_at == position.segment:
            continue
        if not _antiair_strength(position, unit, plane.hex):
            continue
        yield FireAtAircraft((unit.id,), plane.id)
        others = tuple(
            other.id
            for other in position.units
            if other.side == side
            and other.hex
            and other.id != unit.id
            and _antiair_refusal(position, other) is None
            and _antiair_strength(position, other, plane.hex)
        )
        if others:
            yield FireAtAircraft((unit.id, *others), plane.id)


# --- air attacks -----------------------------------------------------------------------------------------------------


def has_aircraft_overhead(position: Position) -> bool:
    """Whether fighter-bombers of the side on turn are over the map.

    Rules: PL-1202.
    """
    return any(plane.hex and plane.side == position.phasing and not is_observer(plane) for plane in position.aircraft)


def may_attack(position: Position, side: SideId, plane: Aircraft) -> bool:
    """Whether an aircraft of the side could attack in its next air phase (PL-505, PL-1205)."""
    return plane.side == side and _is_ready(position, plane) and not is_observer(plane)


def check_air_attack(position: Position, side: SideId, order: AirAttack) -> Refusal | None:
    """Aircraft beside a hex attack units in it that they sight, once for each hex and each aircraft.

    Rules: PL-1203, PL-1205, PL-1206.
    """
    if not position.ground.board.is_on(order.hex):
        return Refusal(RuleId("PL-1203"), "that hex is off the map")
    sorties = order.sorties
    if not sorties or len({sortie.aircraft for sortie in sorties}) < len(sorties):
        return Refusal(RuleId("PL-1205"), "name each aircraft once, with one weapon")
    for sortie in sorties:
        refusal = _sortie_refusal(position, side, sortie, order.hex)
        if refusal is not None:
            return refusal
    if any(plane.side == side and plane.attacked == order.hex for plane in position.aircraft):
        return Refusal(RuleId("PL-1203"), "the hex has been attacked in this air phase")
    targets = fire.named_units(position, order.targets)
    if targets is None:
        return Refusal(RuleId("PL-802"), "name each target once")
    refusal = fire.set_refusal(position, side, order.hex, targets)
    if refusal is not None:
        return refusal
    attack = air_attack(position, order.sorties, order.hex, targets)
    return attack if isinstance(attack, Refusal) else None


def _sortie_refusal(position: Position, side: SideId, sortie: AirSortie, place: HexId) -> Refusal | None:
    refusal = _no_aircraft(position, side, sortie.aircraft)
    if refusal is not None:
        return refusal
    plane = position.aircraft[sortie.aircraft]
    if not plane.hex or position.ground.board.distance(plane.hex, place) != 1:
        return Refusal(RuleId("PL-1203"), "the aircraft is not beside that hex")
    if plane.attacked:
        return Refusal(RuleId("PL-1205"), "the aircraft has attacked in this air phase")
    if all(weapon.key != sortie.weapon for weapon in weapons_left(plane)):
        return Refusal(RuleId("PL-1205"), "the aircraft has no such weapon left")
    return None


def _multiplier(weapon: str, target: str) -> Fraction:
    """What a class of aircraft weapon makes of its strength; against an evenly divided target the worse figure.

    Rules: PL-807, PL-1204.
    """
    effect = getattr(_AIR_WEAPONS, weapon)
    against = [
        Fraction(0) if figure == "not_allowed" else Fraction(figure) for figure in (effect.armored, effect.nonarmored)
    ]
    if target == EVEN:
        return min(against)
    return against[0] if target == ARMORED else against[1]


def air_attack(
    position: Position, sorties: Sequence[AirSortie], place: HexId, targets: Sequence[Unit]
) -> Attack | Refusal:
    """The attack of aircraft on units of a hex, ready to be rolled; height never halves it.

    Rules: PL-823, PL-1203, PL-1204, PL-1206, PL-1333.
    """
    fliers = [position.aircraft[sortie.aircraft] for sortie in sorties]
    if any(kind(unit).is_temporary_bridge for unit in targets):
        return Refusal(RuleId("PL-1333"), "aircraft do nothing to a tank bridge")
    seen = [any(sights(position, plane, unit) for plane in fliers) for unit in targets]
    # in a town the whole hex is one target (PL-802): who sights one unit of it attacks them all
    if not (any(seen) if terrain_key(position, place) == "town" else all(seen)):
        return Refusal(RuleId("PL-1206"), "from the air a unit in cover is sighted only after it has fired")
    against, lines, strength = target_type(position, targets), list[Line](), Fraction(0)
    for plane, sortie in zip(fliers, sorties, strict=True):
        weapon = next(weapon for weapon in weapons_left(plane) if weapon.key == sortie.weapon)
        figure = _multiplier(weapon.weapon, against)
        name = f"{printed(plane).name}: {sortie.weapon}"
        lines.append(Line(name, weapon.strength, RuleId("PL-308")))
        if figure != 1:
            lines.append(Line(f"{name} against {_SHOWN[against]}", f"x{figure}", RuleId("PL-1204")))
        strength += weapon.strength * figure
    return readied(position, place, targets, strength, lines, group=AIR, how=AIR_ATTACK, rule="PL-1203")


def resolve_air_attack(resolution: Resolution[Position], side: SideId, order: AirAttack) -> None:
    """The weapons are spent and the attack has been rolled; what the target was taken for may have proved wrong.

    Rules: PL-802, PL-1203, PL-1205, PL-1401.
    """
    reveal(resolution, order.targets)
    position = resolution.position
    targets = tuple(map(position.unit, order.targets))
    if terrain_key(position, order.hex) == "town":
        targets = fire.counters_under_fire(position, side, order.hex)
    attack = air_attack(position, order.sorties, order.hex, targets)
    used = tuple((sortie.aircraft, sortie.weapon) for sortie in order.sorties)
    resolution.emit(AircraftAttacked(used, order.hex))
    if isinstance(attack, Attack):
        roll_attack(resolution, attack)
    else:
        fail(resolution, side, AIR_ATTACK, (), order.hex)


def explain_air_attack(position: Position, side: SideId, order: AirAttack) -> tuple[Tally, ...]:
    """The strength, defense, odds and modifiers of an air attack, none when it is not allowed."""
    if check_air_attack(position, side, order) is not None:
        return ()
    attack = air_attack(position, order.sorties, order.hex, tuple(map(position.unit, order.targets)))
    return attack.tallies if isinstance(attack, Attack) else ()


def air_attack_options(position: Position, side: SideId, aircraft: Aircraft) -> Iterator[AirAttack]:
    """Attacks on each hex beside an aircraft, with each of its weapons, alone and with all others that can join."""
    if aircraft.side != side or not aircraft.hex or aircraft.attacked or is_observer(aircraft):
        return
    for place in map(HexId, position.ground.board.neighbors(aircraft.hex)):
        for targets in fire.target_sets(position, side, place, AIR):
            named = tuple(unit.id for unit in targets)
            for order in _attacks_on(position, side, aircraft, place, named):
                if check_air_attack(position, side, order) is None:
                    yield order


def _attacks_on(
    position: Position, side: SideId, aircraft: Aircraft, place: HexId, targets: tuple[UnitId, ...]
) -> Iterator[AirAttack]:
    others = [
        AirSortie(plane.id, weapons_left(plane)[-1].key)
        for plane in position.aircraft
        if plane.side == side
        and plane.id != aircraft.id
        and not plane.attacked
        and plane.hex
        and weapons_left(plane)
        and position.ground.board.distance(plane.hex, place) == 1
    ]
    for weapon in weapons_left(aircraft):
        yield AirAttack((AirSortie(aircraft.id, weapon.key),), place, targets)
        if others:
            yield AirAttack((AirSortie(aircraft.id, weapon.key), *others), place, targets)
