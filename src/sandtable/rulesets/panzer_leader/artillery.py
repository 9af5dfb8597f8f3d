"""Indirect fire: missions written a segment ahead, scatter, and the attack on everything in the hex it falls on.

Rules: PL-501, PL-503, PL-510, PL-804, PL-910, PL-1101 to PL-1110, PL-1609.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction

from msgspec.structs import replace

from sandtable.kernel.decisions import Refusal
from sandtable.kernel.dice import PromptDice
from sandtable.kernel.ids import NOBODY, NOWHERE, HexId, RuleId, SideId, UnitId
from sandtable.kernel.resolution import Resolution
from sandtable.kernel.trace import Line, Tally, amount
from sandtable.rulesets.panzer_leader import naval, sight
from sandtable.rulesets.panzer_leader.combat import INDIRECT, is_at_sea, readied, reveal, roll_attack, target_type
from sandtable.rulesets.panzer_leader.events import (
    HexShelled,
    MissionFired,
    MissionsEnded,
    MissionWritten,
    NavalSpent,
    SmokeLaid,
    UnitsFired,
)
from sandtable.rulesets.panzer_leader.kinds import KINDS, UnitKind
from sandtable.rulesets.panzer_leader.missions import (
    NEXT_SEGMENT,
    due_missions,
    is_observed,
    is_ordered,
    is_still_observed,
    unobserved,
    written,
)
from sandtable.rulesets.panzer_leader.model import FIRE, Mission, Position, Unit, enemy_of
from sandtable.rulesets.panzer_leader.orders import FireMissions, WriteMission
from sandtable.rulesets.panzer_leader.stacks import is_outside, kind, places_of, side_at, units_at
from sandtable.rulesets.panzer_leader.terrain import terrain_key
from sandtable.rulesets.panzer_leader.weapons import EIGHTHS, bears_on, in_whole_points, multiplier
from sandtable.rulesets.panzer_leader.workings import Attack, Barrage

HOWITZER, MORTAR = "(H)", "M"
INDIRECT_WEAPONS = (HOWITZER, MORTAR)
"""The weapon classes that can fire indirectly (PL-301, PL-1101)."""

BATTERIES: frozenset[str] = frozenset(key for key, printed in KINDS.items() if printed.weapon in INDIRECT_WEAPONS)
"""The unit types that can fire indirectly (PL-1101)."""

ON_TARGET, SCATTERED = 2, 5
"""Up to 2 a mission without spotters is on target, up to 5 it falls on an adjacent hex, else nowhere (PL-1105)."""

SMOKE_STRENGTH = 25
"""The attack strength it takes to lay smoke in a hex (PL-1609)."""

SMOKE_LASTS = 2
"""Smoke laid in a segment lies to the end of the side's next one, two segments on (PL-1609)."""

NO_SMOKE = frozenset({"g_maultier", "g_nebel"})
"""Rocket launchers, which have no smoke (PL-1609)."""

NO_SMOKE_ON = frozenset({"sea", "stream", "swamp"})


# --- writing ---------------------------------------------------------------------------------------------------------


def may_write_missions(position: Position) -> bool:
    """Whether the side on turn can order indirect fire that would still come down before the battle ends.

    Rules: PL-501.
    """
    if position.turn >= position.ground.scenario.turns:
        return False
    side = position.phasing
    return any(_batteries(position, side)) or naval.may_write(position)


def _batteries(position: Position, side: SideId) -> Iterator[Unit]:
    """The side's units that can be ordered to fire indirectly."""
    for unit in position.units:
        if unit.kind in BATTERIES and unit.side == side and unit.hex and battery_refusal(position, unit) is None:
            yield unit


def battery_refusal(position: Position, unit: Unit) -> Refusal | None:
    """Why a unit on the table can't be ordered to fire indirectly in its next segment, whatever the target.

    Rules: PL-713, PL-801, PL-1101, PL-1401.
    """
    rule = RuleId("PL-1101")
    if kind(unit).weapon not in INDIRECT_WEAPONS:
        return Refusal(rule, "the unit can't fire indirectly")
    if unit.carrier != NOBODY:
        return Refusal(rule, "a loaded unit can't be ordered")
    if unit.dispersed:
        return Refusal(rule, "a dispersed unit can't be ordered")
    if unit.fired:
        return Refusal(rule, "a unit that has fired can't be ordered")
    if sight.is_in_stream(position, unit.hex):
        return Refusal(RuleId("PL-713"), "no unit attacks from a stream")
    if is_at_sea(position, unit):
        return Refusal(RuleId("PL-1401"), "the unit is still at sea")
    if is_ordered(position, unit, position.segment + NEXT_SEGMENT):
        return Refusal(RuleId("PL-801"), "the unit has an order for that segment already")
    return None


def range_refusal(position: Position, unit: Unit, place: HexId) -> Refusal | None:
    """Why a battery can't reach a hex with indirect fire.

    Rules: PL-208, PL-1101, PL-1608.
    """
    if reaches(position, unit, place):
        return None
    gun, distance = kind(unit), position.ground.board.distance(unit.hex, place)
    if not _nearest(gun) <= distance <= gun.range:
        away = f"the hex is {distance} hexes away"
        return Refusal(RuleId("PL-1101"), f"out of range: {_nearest(gun)} to {gun.range} hexes", away)
    return Refusal(RuleId("PL-1608"), "the gun points another way")


def reaches(position: Position, unit: Unit, place: HexId) -> bool:
    """Whether a battery can reach a hex with indirect fire."""
    gun, distance = KINDS[unit.kind], position.ground.board.distance(unit.hex, place)
    return _nearest(gun) <= distance <= gun.range and bears_on(position, unit, place)


def _nearest(gun: UnitKind) -> int:
    """The least distance of indirect fire; a howitzer can't fire nearer than a quarter of its range (PL-1101)."""
    return gun.range // 4 + 1 if gun.weapon == HOWITZER else 1


def check_write(position: Position, side: SideId, order: WriteMission) -> Refusal | None:
    """Batteries are ordered onto a hex in range that someone of the side observes.

    Rules: PL-1101, PL-1102, PL-1103.
    """
    if not position.ground.board.is_on(order.hex):
        return Refusal(RuleId("PL-1102"), "that hex is off the map")
    if not order.firers or len(set(order.firers)) < len(order.firers):
        return Refusal(RuleId("PL-1102"), "name each firing unit once")
    for id in order.firers:
        if not 0 <= id < len(position.units) or position.units[id].side != side or not position.units[id].hex:
            return Refusal(RuleId("PL-1102"), "there is no such unit of yours on the table")
        unit = position.units[id]
        refusal = battery_refusal(position, unit) or range_refusal(position, unit, order.hex)
        if refusal is not None:
            return refusal
    if order.smoke:
        refusal = _smoke_refusal(position, side, order)
        if refusal is not None:
            return refusal
    if not is_observed(position, side, order.hex):
        return unobserved(position, side, order.hex)
    return None


def _smoke_refusal(position: Position, side: SideId, order: WriteMission) -> Refusal | None:
    """Why these batteries can't lay smoke there.

    Rules: PL-1609.
    """
    rule = RuleId("PL-1609")
    if not position.ground.options.smoke:
        return Refusal(rule, "smoke is not in use in this battle")
    batteries = [position.units[id] for id in order.firers]
    if any(unit.kind in NO_SMOKE for unit in batteries):
        return Refusal(rule, "rocket launchers have no smoke")
    strength = sum(kind(unit).attack for unit in batteries)
    if strength < SMOKE_STRENGTH:
        return Refusal(rule, f"smoke takes {SMOKE_STRENGTH} points of attack strength", f"these have {strength}")
    if side_at(position, order.hex, side):
        return Refusal(rule, "a friend is in that hex")
    if terrain_key(position, order.hex) in NO_SMOKE_ON:
        return Refusal(rule, "smoke does not lie on sea, stream or swamp")
    return None


def resolve_write(resolution: Resolution[Position], side: SideId, order: WriteMission) -> None:
    """The mission stands in the side's notes for its next segment, with those who spot for it.

    Rules: PL-501, PL-1102, PL-1105.
    """
    position = resolution.position
    mission = written(position, side, order.firers, order.hex, position.segment + NEXT_SEGMENT)
    resolution.emit(MissionWritten(replace(mission, smoke=True) if order.smoke else mission))


def mission_options(position: Position, side: SideId, unit: Unit) -> Iterator[WriteMission]:
    """The battery alone and with all who can join, on each observed hex where a known enemy and no friend stands."""
    if not unit.hex or unit.side != side or battery_refusal(position, unit) is not None:
        return
    others = [other for other in _batteries(position, side) if other.id != unit.id]
    for place in _places_in_range(position, side, unit):
        if not is_observed(position, side, place):
            continue
        joined = tuple(other.id for other in others if range_refusal(position, other, place) is None)
        for firers in ((unit.id,), (unit.id, *joined)) if joined else ((unit.id,),):
            yield WriteMission(firers, place)
            smoke = WriteMission(firers, place, smoke=True)
            if position.ground.options.smoke and _smoke_refusal(position, side, smoke) is None:
                yield smoke


def mission_offers(position: Position, side: SideId, unit: Unit) -> Iterator[WriteMission]:
    """The options, and the battery alone on every other hex in its range that is observed.

    Rules: PL-1101, PL-1103.
    """
    options = tuple(mission_options(position, side, unit))
    yield from options
    if not unit.hex or unit.side != side or battery_refusal(position, unit) is not None:
        return
    named = {option.hex for option in options}
    for place in map(HexId, position.ground.board.hexes):
        if place in named or not reaches(position, unit, place) or not is_observed(position, side, place):
            continue
        yield WriteMission((unit.id,), place)
        if position.ground.options.smoke:
            yield from _smoke_offers(position, side, unit, place)


def _smoke_offers(position: Position, side: SideId, unit: Unit, place: HexId) -> Iterator[WriteMission]:
    """Smoke of a battery alone, or of all who reach the hex where it takes more than one of them (PL-1609)."""
    reaching = (other for other in _batteries(position, side) if other.id != unit.id and other.kind not in NO_SMOKE)
    joined = tuple(other.id for other in reaching if range_refusal(position, other, place) is None)
    for firers in ((unit.id,), (unit.id, *joined)):
        smoke = WriteMission(firers, place, smoke=True)
        if _smoke_refusal(position, side, smoke) is None:
            yield smoke
            return


def pick_mission(position: Position, side: SideId, unit: Unit, dice: PromptDice) -> WriteMission | None:
    """A mission on the first hex after a random one that is observed, alone or with all who can join, now and then
    of smoke; None when there is none.
    """
    if not unit.hex or unit.side != side or battery_refusal(position, unit) is not None:
        return None
    places = list(_places_in_range(position, side, unit))
    start = dice.below(len(places)) if places else 0
    for place in places[start:] + places[:start]:
        if is_observed(position, side, place):
            firers = [unit, *(_batteries(position, side) if dice.below(2) else ())]
            named = dict.fromkeys(other.id for other in firers if reaches(position, other, place))
            order = WriteMission(tuple(named), place, smoke=position.ground.options.smoke and not dice.below(4))
            refused = order.smoke and _smoke_refusal(position, side, order) is not None
            return replace(order, smoke=False) if refused else order
    return None


def _places_in_range(position: Position, side: SideId, unit: Unit) -> Iterator[HexId]:
    """The hexes in a battery's range where a known enemy and no friend stands, whether they are observed or not."""
    friends = places_of(position, side)
    for place in sorted(places_of(position, enemy_of(side))):
        if place not in friends and reaches(position, unit, place):
            yield place


# --- coming down -----------------------------------------------------------------------------------------------------


def has_due_missions(position: Position) -> bool:
    """Whether the side on turn has missions that come down in this segment.

    Rules: PL-503, PL-510.
    """
    return bool(position.missions) and bool(due_missions(position, position.phasing))


def strike_due_missions(resolution: Resolution[Position]) -> None:
    """Missions that were due and not carried out can't be any more (PL-1104)."""
    if has_due_missions(resolution.position):
        resolution.emit(MissionsEnded(resolution.position.phasing))


def check_missions(position: Position, side: SideId, order: FireMissions) -> Refusal | None:
    """Missions that are due come down, all at once; batteries may hold.

    Rules: PL-503, PL-1104, PL-1110.
    """
    due = due_missions(position, side)
    if not due:
        return Refusal(RuleId("PL-503"), "no mission is due")
    ordered = {id for mission in due for id in mission.firers}
    if any(id not in ordered for id in order.hold):
        return Refusal(RuleId("PL-1104"), "only a battery with a mission that is due can hold its fire")
    return None


def due_options(position: Position, side: SideId) -> Iterator[FireMissions]:
    """All due missions, and all but those written for a hex where friends have come to stand."""
    due = due_missions(position, side)
    if not due:
        return
    yield FireMissions()
    endangering = tuple(id for mission in due if side_at(position, mission.hex, side) for id in mission.firers)
    if endangering:
        yield FireMissions(endangering)


def due_offers(position: Position, side: SideId) -> Iterator[FireMissions]:
    """The options, and that each battery holds its fire, or all of them do (PL-1104)."""
    seen = list(due_options(position, side))
    ordered = [mission.firers for mission in due_missions(position, side) if mission.firers]
    everybody = tuple(id for firers in ordered for id in firers)
    holding = (FireMissions(hold) for hold in (*ordered, everybody) if hold)
    yield from dict.fromkeys((*seen, *holding))


def fire_due_missions(resolution: Resolution[Position]) -> None:
    """Whatever was written for this segment and not held has come down: to end the step is to let it.

    Rules: PL-503, PL-1104.
    """
    position = resolution.position
    if has_due_missions(position):
        resolve_missions(resolution, position.phasing, FireMissions())


def _carried_out(position: Position, side: SideId, hold: Iterable[UnitId]) -> Iterator[Mission]:
    """The due missions, each with the batteries that fire it: not those that hold or can't fire from where they are."""
    for mission in due_missions(position, side):
        firers = tuple(
            id
            for id in mission.firers
            if id not in hold
            and not sight.is_in_stream(position, position.units[id].hex)
            and range_refusal(position, position.units[id], mission.hex) is None
        )
        if firers or mission.naval:
            yield replace(mission, firers=firers)


def resolve_missions(resolution: Resolution[Position], side: SideId, order: FireMissions) -> None:
    """Every due mission has been rolled for scatter, and then each hex that was hit has been attacked once.

    Rules: PL-503, PL-1104, PL-1105, PL-1110.
    """
    shells, smoke = dict[HexId, list[Mission]](), dict[HexId, list[Mission]]()
    fired = list[UnitId]()
    for mission in tuple(_carried_out(resolution.position, side, order.hold)):
        place = _come_down(resolution, mission)
        fired += mission.firers
        if mission.naval:
            resolution.emit(NavalSpent(side, mission.naval))
        if place:
            (smoke if mission.smoke else shells).setdefault(place, []).append(mission)
    if fired:
        resolution.emit(UnitsFired(tuple(fired)))
        sight.give_away(resolution, tuple(fired))
    for place, missions in shells.items():
        shell(resolution, _gathered(place, missions))
    for place, missions in smoke.items():
        _lay_smoke(resolution, _gathered(place, missions))
    strike_due_missions(resolution)


def _come_down(resolution: Resolution[Position], mission: Mission) -> HexId:
    """The mission has come down, and this is where: its hex, a neighbor of it, or nowhere.

    Rules: PL-1105, PL-1106.
    """
    actor = mission.firers[0] if mission.firers else NOBODY
    place, die = mission.hex, 0
    if not is_still_observed(resolution.position, mission):
        die = resolution.roll("PL-1105", actor)
        if die > SCATTERED:
            place = NOWHERE
        elif die > ON_TARGET:
            direction = resolution.roll("PL-1106", actor) - 1
            # beyond the edge of the map it harms nobody
            place = HexId(resolution.position.ground.board.neighbor(mission.hex, direction))
    resolution.emit(MissionFired(mission, place, scattered=place != mission.hex, die=die))
    return place


def _gathered(place: HexId, missions: Iterable[Mission]) -> Barrage:
    missions = tuple(missions)
    batteries = tuple(id for mission in missions for id in mission.firers)
    return Barrage(place, batteries, sum(mission.naval for mission in missions))


def shell(resolution: Resolution[Position], barrage: Barrage) -> None:
    """Everything in the hex, friend or foe, has been attacked with a die of its own; no direct fire may follow there.

    Rules: PL-804, PL-1106, PL-1107, PL-1109.
    """
    targets = bombarded(resolution.position, barrage.hex)
    reveal(resolution, tuple(unit.id for unit in targets))
    attacks = bombardment(resolution.position, barrage)
    resolution.emit(HexShelled(barrage.hex, in_vain=not attacks))
    for attack in attacks:
        target = resolution.position.units[attack.targets[0]]
        # a vehicle may have gone down with its bridge before its turn came
        if target.hex:
            roll_attack(resolution, attack)


def bombarded(position: Position, place: HexId) -> tuple[Unit, ...]:
    """The counters that indirect fire on a hex attacks: all of both sides, but nobody aboard or inside another.

    Rules: PL-1106, PL-1107, PL-1109.
    """
    return tuple(unit for unit in units_at(position, place) if is_outside(unit))


def barrage_strength(position: Position, barrage: Barrage, target: str) -> tuple[Fraction, tuple[Line, ...]]:
    """The summed strength of a barrage against a type of target, with the lines that made it; height never halves it.

    Rules: PL-807, PL-808, PL-810, PL-823, PL-1108, PL-1121.
    """
    total, lines = 0, list[Line]()
    for unit in map(position.unit, barrage.batteries):
        # scattered fire may fall a hex beyond the range, and distance means nothing to indirect fire
        eighths, reason, rule = multiplier(unit.kind, INDIRECT, target, 1)
        name, printed = kind(unit).name, kind(unit).attack
        lines.append(Line(f"{name}: attack strength", printed, RuleId("PL-307")))
        if eighths != EIGHTHS:
            lines.append(Line(f"{name}: {reason}", f"x{in_whole_points(eighths)}", RuleId(rule)))
        total += printed * eighths
    if not barrage.naval:
        return in_whole_points(total), tuple(lines)
    strength, made = naval.strength(barrage.naval, target)
    return in_whole_points(total) + strength, (*lines, *made)


def bombardment(position: Position, barrage: Barrage) -> tuple[Attack, ...]:
    """One attack for each counter in the hex, with an equal share of the strength; none at odds worse than 1-4.

    Rules: PL-1107, PL-1108, PL-1109, PL-1333.
    """
    targets = bombarded(position, barrage.hex)
    if not targets:
        return ()
    total, lines = barrage_strength(position, barrage, target_type(position, targets))
    share = total // len(targets)
    shared = Line(f"Divided among {len(targets)} counters, fraction dropped", share, RuleId("PL-1107"))
    attacks = (_attack_on(position, barrage, unit, share, (*lines, shared)) for unit in targets)
    return tuple(attack for attack in attacks if attack is not None)


def _attack_on(position: Position, barrage: Barrage, unit: Unit, share: int, lines: tuple[Line, ...]) -> Attack | None:
    strength: int | Fraction = share
    if kind(unit).is_temporary_bridge:
        strength = Fraction(share, 2)
        lines = (*lines, Line("Indirect fire on a tank bridge is halved", amount(strength), RuleId("PL-1333")))
    batteries = (position.units[id] for id in barrage.batteries)
    attack = readied(
        position,
        barrage.hex,
        (unit,),
        strength,
        lines,
        group=FIRE,
        how=INDIRECT,
        rule="PL-1107",
        attackers=batteries,
    )
    return None if isinstance(attack, Refusal) else attack


def _lay_smoke(resolution: Resolution[Position], barrage: Barrage) -> None:
    """Smoke lies in the hex if enough of it came down and the ground holds it.

    Rules: PL-1609.
    """
    position = resolution.position
    strength = sum(kind(position.units[id]).attack for id in barrage.batteries)
    if strength >= SMOKE_STRENGTH and terrain_key(position, barrage.hex) not in NO_SMOKE_ON:
        resolution.emit(SmokeLaid(barrage.hex, position.segment + SMOKE_LASTS))


def explain_missions(position: Position, side: SideId, order: FireMissions) -> tuple[Tally, ...]:
    """Where missions that nobody spots for any more may fall; for each hex they are written for, the strength and each
    attack, as they are if nothing scatters.

    Rules: PL-1105, PL-1107.
    """
    due = _carried_out(position, side, order.hold)
    blind = dict.fromkeys(mission.hex for mission in due if not is_still_observed(position, mission))
    attacks = (attack for barrage in barrages(position, side, order.hold) for attack in bombardment(position, barrage))
    return (*(_scatter(position, place) for place in blind), *(tally for one in attacks for tally in one.tallies))


def _scatter(position: Position, place: HexId) -> Tally:
    """What the die of a mission means that nobody spots for any more.

    Rules: PL-1105, PL-1106.
    """
    spread = (
        Line("On target", f"1 to {ON_TARGET}", RuleId("PL-1105")),
        Line("On one of the six hexes beside it", f"{ON_TARGET + 1} to {SCATTERED}", RuleId("PL-1106")),
        Line("Nowhere", str(SCATTERED + 1), RuleId("PL-1105")),
    )
    return Tally(f"Nobody spots for {position.ground.board.label(place)}: it scatters", "by a die", spread)


def barrages(position: Position, side: SideId, hold: Iterable[UnitId]) -> Iterator[Barrage]:
    """The fire on each hex that due missions are written for, as it is if nothing scatters and these batteries hold."""
    by_hex = dict[HexId, list[Mission]]()
    for mission in _carried_out(position, side, hold):
        if not mission.smoke:
            by_hex.setdefault(mission.hex, []).append(mission)
    return (_gathered(place, missions) for place, missions in by_hex.items())
