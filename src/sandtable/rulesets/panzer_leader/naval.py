"""Naval guns: attack points a scenario gives a side each turn, for direct fire from the sea or fire written ahead.

Rules: PL-510, PL-1121.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from msgspec.structs import replace

from sandtable.kernel.decisions import Refusal
from sandtable.kernel.ids import HexId, RuleId, SideId
from sandtable.kernel.resolution import Resolution
from sandtable.kernel.trace import Line, Tally
from sandtable.rulesets.panzer_leader import fire, sight
from sandtable.rulesets.panzer_leader.combat import DIRECT, NONARMORED, fail, readied, reveal, roll_attack, target_type
from sandtable.rulesets.panzer_leader.combat_tables import combat_tables
from sandtable.rulesets.panzer_leader.events import MissionWritten, NavalSpent
from sandtable.rulesets.panzer_leader.missions import is_observed, unobserved, written
from sandtable.rulesets.panzer_leader.model import FIRE, Position, Unit
from sandtable.rulesets.panzer_leader.orders import NavalFire, WriteNavalMission
from sandtable.rulesets.panzer_leader.stacks import fort_at, stacks
from sandtable.rulesets.panzer_leader.terrain import GROUND_LEVEL, HILLTOP_LEVEL, level_at, terrain_key
from sandtable.rulesets.panzer_leader.workings import Attack
from sandtable.rulesets.panzer_leader.works import bridge_target_refusal

NAVAL = RuleId("PL-1121")

SMALLEST_LOT = 20
"""Naval points are used in lots of at least this many (PL-1121)."""

TWO_TURNS = 4
"""Naval missions are written two turns, so four segments, ahead (PL-1121)."""

_EFFECT = next(row for row in combat_tables().wec.row if row.mode == "naval")


def points_per_turn(position: Position, side: SideId) -> int:
    """The naval points the scenario gives the side each turn; none unless the option is on."""
    if not position.ground.options.naval_fire:
        return 0
    points: int = position.ground.scenario.sections.naval.points.get(side, 0)
    return points


def points_promised(position: Position, side: SideId, segment: int) -> int:
    """The points that missions written for a segment will use or, held, would have used."""
    return sum(mission.naval for mission in position.missions if mission.side == side and mission.due == segment)


def points_left(position: Position, side: SideId) -> int:
    """The points of this turn that no mission has a claim on."""
    if not position.ground.options.naval_fire:
        return 0
    return position.naval.get(side, 0) - points_promised(position, side, position.segment)


def _lot_refusal(points: int, left: int) -> Refusal | None:
    if points < SMALLEST_LOT:
        return Refusal(NAVAL, f"naval guns fire at least {SMALLEST_LOT} points at a time")
    if points > left:
        return Refusal(NAVAL, "there are not that many naval points", f"{max(left, 0)} are left")
    return None


# --- written fire ----------------------------------------------------------------------------------------------------


def _free_in_two_turns(position: Position, side: SideId) -> int:
    return points_per_turn(position, side) - points_promised(position, side, position.segment + TWO_TURNS)


def may_write(position: Position) -> bool:
    """Whether the side on turn can write naval fire that still comes down before the battle ends."""
    if position.turn + 2 > position.ground.scenario.turns:
        return False
    return _free_in_two_turns(position, position.phasing) >= SMALLEST_LOT


def check_naval_write(position: Position, side: SideId, order: WriteNavalMission) -> Refusal | None:
    """Naval fire is written two turns ahead, from the points of that turn, for a hex that someone observes.

    Rules: PL-1103, PL-1121.
    """
    if not position.ground.board.is_on(order.hex):
        return Refusal(NAVAL, "that hex is off the map")
    refusal = _lot_refusal(order.points, _free_in_two_turns(position, side))
    if refusal is not None:
        return refusal
    if not is_observed(position, side, order.hex):
        return unobserved(position, side, order.hex)
    return None


def resolve_naval_write(resolution: Resolution[Position], side: SideId, order: WriteNavalMission) -> None:
    """The naval mission stands in the side's notes."""
    position = resolution.position
    mission = written(position, side, (), order.hex, position.segment + TWO_TURNS, naval=order.points)
    resolution.emit(MissionWritten(mission))


# --- direct fire -----------------------------------------------------------------------------------------------------


def is_seen_from_sea(position: Position, place: HexId) -> bool:
    """Whether some sea hex has a line of sight to a hex.

    Rules: PL-1121.
    """
    cache = position.ground.cache
    if "sea" not in cache:
        board = position.ground.board
        cache["sea"] = tuple(HexId(h) for h in board.hexes if board.terrain[h] == "sea")
    return any(sight.look(position, sea)[place] for sea in cache["sea"])


def check_naval_fire(position: Position, side: SideId, order: NavalFire) -> Refusal | None:
    """Naval guns fire directly at units of a hex that is seen from the sea.

    Rules: PL-721, PL-804, PL-1121, PL-1333.
    """
    if not position.ground.board.is_on(order.hex):
        return Refusal(NAVAL, "that hex is off the map")
    refusal = _lot_refusal(order.points, points_left(position, side))
    if refusal is not None:
        return refusal
    if not is_seen_from_sea(position, order.hex):
        return Refusal(NAVAL, "no sea hex has a line of sight to that hex")
    targets = fire.named_units(position, order.targets)
    if targets is None:
        return Refusal(RuleId("PL-802"), "name each target once")
    refusal = fire.target_refusal(position, side, order.hex, targets) or bridge_target_refusal(DIRECT, (), targets)
    if refusal is not None:
        return refusal
    if not fire.are_spotted(position, side, order.hex, targets):
        return Refusal(RuleId("PL-721"), "the target is not spotted")
    attack = naval_attack(position, order.points, order.hex, targets)
    return attack if isinstance(attack, Refusal) else None


def strength(points: int, target: str) -> tuple[Fraction, list[Line]]:
    """What naval guns make of their points against a type of target, which is always far; even is as bad as armored.

    Rules: PL-807, PL-808, PL-1121.
    """
    figure = Fraction(_EFFECT.nonarmored if target == NONARMORED else _EFFECT.armored_far)
    lines = [Line("Naval guns: attack points", points, NAVAL)]
    if figure != 1:
        lines.append(Line("Naval guns: (H) against armored, far", f"x{figure}", RuleId("PL-808")))
    return points * figure, lines


def naval_attack(position: Position, points: int, place: HexId, targets: Sequence[Unit]) -> Attack | Refusal:
    """The attack of naval guns on units of a hex, ready to be rolled.

    Rules: PL-808, PL-810, PL-821, PL-822, PL-1121.
    """
    force, lines = strength(points, target_type(position, targets))
    level = level_at(position, place)
    if level > GROUND_LEVEL:
        force /= 2
        where, rule = ("on a hilltop", "PL-821") if level == HILLTOP_LEVEL else ("on a slope", "PL-822")
        lines.append(Line(f"Naval guns: target {where}", "x1/2", RuleId(rule)))
    return readied(position, place, targets, force, lines, group=FIRE, how=DIRECT, rule="PL-1121")


def resolve_naval_fire(resolution: Resolution[Position], side: SideId, order: NavalFire) -> None:
    """The points are spent and the attack has been rolled, a second time against a fort of one's own below the target;
    what the target was taken for may have proved wrong.

    Rules: PL-802, PL-1121, PL-1324, PL-1401.
    """
    reveal(resolution, order.targets)
    position = resolution.position
    targets = tuple(map(position.unit, order.targets))
    if terrain_key(position, order.hex) == "town":
        targets = fire.counters_under_fire(position, side, order.hex)
    attack = naval_attack(position, order.points, order.hex, targets)
    resolution.emit(NavalSpent(side, order.points))
    if not isinstance(attack, Attack):
        fail(resolution, side, DIRECT, (), order.hex)
        return
    roll_attack(resolution, attack)
    fort = fort_at(position, order.hex)
    if fort is not None and fort.side == side:
        again = naval_attack(position, order.points, order.hex, (fort,))
        if isinstance(again, Attack):
            roll_attack(resolution, replace(again, group="", rule="PL-1324"))


def explain_naval_fire(position: Position, side: SideId, order: NavalFire) -> tuple[Tally, ...]:
    """The strength, defense, odds and modifiers of naval fire, none when it is not allowed."""
    if check_naval_fire(position, side, order) is not None:
        return ()
    attack = naval_attack(position, order.points, order.hex, tuple(map(position.unit, order.targets)))
    return attack.tallies if isinstance(attack, Attack) else ()


# --- what can be ordered ---------------------------------------------------------------------------------------------


def points_to_fire(position: Position, side: SideId) -> int:
    """The points that a side can use in the open step: written two turns ahead, or fired now."""
    return _free_in_two_turns(position, side) if position.step == "indirect orders" else points_left(position, side)


def _lots(position: Position, side: SideId) -> list[int]:
    """The smallest lot, and all that is left."""
    left = points_to_fire(position, side)
    return sorted({SMALLEST_LOT, left}) if left >= SMALLEST_LOT else []


def _enemy_stacks(position: Position, side: SideId) -> Iterator[HexId]:
    """The hexes with known enemies and no friends."""
    return (place for place, units in stacks(position).items() if all(unit.side != side for unit in units))


def write_options(position: Position, side: SideId) -> Iterator[WriteNavalMission]:
    """A smallest lot and all that is left, on each known enemy stack that is observed."""
    lots = _lots(position, side) if may_write(position) else []
    for place in _enemy_stacks(position, side) if lots else ():
        if is_observed(position, side, place):
            yield from (WriteNavalMission(points, place) for points in lots)


def write_offers(position: Position, side: SideId) -> Iterator[WriteNavalMission]:
    """All that is left, on each hex that is observed."""
    lots = _lots(position, side) if may_write(position) else []
    for place in position.ground.board.hexes if lots else ():
        if is_observed(position, side, HexId(place)):
            yield WriteNavalMission(lots[-1], HexId(place))


def fire_options(position: Position, side: SideId) -> Iterator[NavalFire]:
    """A smallest lot and all that is left, on each known enemy stack that the guns may fire at."""
    lots = _lots(position, side)
    for place in _enemy_stacks(position, side) if lots else ():
        for targets in fire.target_sets(position, side, place):
            for points in lots:
                order = NavalFire(points, place, tuple(unit.id for unit in targets))
                if check_naval_fire(position, side, order) is None:
                    yield order
