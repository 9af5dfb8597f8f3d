"""Mines, blocks, flails and tank bridges, and what works of all kinds mean to a unit that moves.

Rules: PL-502, PL-1301, PL-1302, PL-1303, PL-1305, PL-1311, PL-1322, PL-1333.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from fractions import Fraction

from sandtable.geometry.board import Board
from sandtable.kernel.decisions import Refusal
from sandtable.kernel.ids import HexId, RuleId, UnitId
from sandtable.kernel.resolution import Resolution
from sandtable.kernel.trace import Line
from sandtable.mechanics.odds import odds_text
from sandtable.rulesets.panzer_leader import engineers, forts, landing
from sandtable.rulesets.panzer_leader.combat import (
    DIRECT,
    INDIRECT,
    MINE_ATTACK,
    defense_of,
    die_modifiers,
    modifier_sum,
    roll_attack,
    tallied,
)
from sandtable.rulesets.panzer_leader.engineers import is_clearing, work_of, works_table
from sandtable.rulesets.panzer_leader.events import BridgeLaid, MineLifted, WorkBegan, WorkEnded
from sandtable.rulesets.panzer_leader.kinds import BRIDGELAYERS, FLAILS
from sandtable.rulesets.panzer_leader.model import MINE, RESERVE, Position, Unit
from sandtable.rulesets.panzer_leader.stacks import fort_at, is_outside, kind
from sandtable.rulesets.panzer_leader.terrain import terrain_key
from sandtable.rulesets.panzer_leader.workings import Attack

MINES, BLOCKS, TANK_BRIDGE = RuleId("PL-1301"), RuleId("PL-1311"), RuleId("PL-1333")

FLAIL, BRIDGE = "flail", "bridge"
"""The tasks of special vehicles, taken up by driving in."""

NO_GROUND_FOR_MINES = frozenset({"sea", "town", "swamp"})
"""Terrain on which no mines lie (PL-1302)."""


def mine_problems(
    board: Board, mines: Iterable[HexId], blocks: Collection[HexId] = (), forts: Collection[HexId] = ()
) -> Iterator[tuple[HexId, str]]:
    """What is wrong with minefields in these hexes, each hex as often as one lies there.

    Rules: PL-1302.
    """
    seen: set[HexId] = set()
    for place in mines:
        ground = "bridge" if board.has_feature(place, "bridge") else board.terrain[place]
        if ground == "bridge" or ground in NO_GROUND_FOR_MINES:
            yield place, f"a minefield on {ground} (PL-1302)"
        if place in seen:
            yield place, "two minefields in one hex (PL-1302)"
        if place in blocks or place in forts:
            yield place, "a minefield together with a block or fortification (PL-1302)"
        seen.add(place)


def mine_victims(position: Position) -> Iterator[Unit]:
    """The counters of the side not on turn that mines attack now: all on any, but flails and engineers at work.

    Rules: PL-502, PL-1303, PL-1304, PL-1305.
    """
    mines = position.mines
    return (
        unit
        for unit in position.units
        if unit.hex in mines
        and unit.side != position.phasing
        and is_outside(unit)
        and not kind(unit).is_work
        and not kind(unit).has("flail")
        and not is_clearing(position, unit)
    )


def has_mine_attacks(position: Position) -> bool:
    """Whether any unit is attacked by mines in this segment."""
    return bool(position.mines) and any(True for _ in mine_victims(position))


def mine_attack(position: Position, unit: Unit) -> Attack:
    """The attack of the minefield on one counter: 2-1 whatever it is.

    Rules: PL-211, PL-1303.
    """
    multiple, rule = works_table().mine.multiple, works_table().mine.rule
    defense, odds = defense_of(position, unit), odds_text(multiple)
    modifiers = die_modifiers(position, MINE_ATTACK, unit.hex, (unit,))
    strength, drm = Fraction(multiple * defense), modifier_sum(modifiers)
    ratio = (Line("Minefield", odds, RuleId(rule)),)
    return Attack(
        group=MINE,
        how=MINE_ATTACK,
        attackers=(),
        hex=unit.hex,
        targets=(unit.id,),
        strength=strength,
        defense=defense,
        base=odds,
        odds=odds,
        drm=drm,
        rule=rule,
        tallies=tallied(strength, defense, odds, drm, ratio=ratio, modifiers=modifiers),
    )


def attack_on_mines(resolution: Resolution[Position]) -> None:
    """Each enemy counter on a minefield has been attacked by it.

    Rules: PL-502, PL-1303.
    """
    for unit in tuple(mine_victims(resolution.position)):
        roll_attack(resolution, mine_attack(resolution.position, unit), actor=unit.id)


def must_stop(position: Position, unit: Unit, place: HexId) -> RuleId | None:
    """The rule by which a unit that enters the hex goes no farther, if there is one.

    Rules: PL-1301, PL-1311, PL-1322, PL-1333, PL-1404, PL-1405.
    """
    if place in position.mines:
        return MINES
    if place in position.blocks:
        return BLOCKS
    fort = fort_at(position, place)
    if fort is not None and fort.side != unit.side:
        return forts.ON_TOP
    if kind(unit).has("bridge") and terrain_key(position, place) == "stream":
        return TANK_BRIDGE
    return landing.must_stop(position, unit, place)


STOPS = {
    MINES: "mines lie here",
    BLOCKS: "a block lies here",
    forts.ON_TOP: "a fort stands here",
    TANK_BRIDGE: "it lays its bridge here",
}
"""What brings a unit to a stop, by its rule."""


def stopped_by(rule: RuleId) -> str:
    """Why a unit goes no farther, in words."""
    return f"{STOPS.get(rule, 'it must stop here')} ({rule})"


def may_enter(position: Position, unit: Unit, came_from: HexId, start: HexId, place: HexId) -> Refusal | None:
    """Why a unit that started its move in one hex and stands in another may not enter the next; None if works allow it.

    Rules: PL-1311, PL-1322, PL-1333, PL-1401.
    """
    if place in position.blocks and position.ground.board.distance(start, place) != 1:
        return Refusal(BLOCKS, "a block is entered only by a unit that began its move adjacent to it")
    if kind(unit).has("bridge") and terrain_key(position, place) == "stream" and not can_bridge(position, unit):
        return Refusal(TANK_BRIDGE, "the bridgelayer has laid its bridge already")
    return forts.top_refusal(position, unit.side, place) or landing.shore_refusal(position, came_from, place)


def entered(resolution: Resolution[Position], id: UnitId, place: HexId) -> None:
    """A unit has come to stand in a hex: an empty fort is its own, and special vehicles set to work.

    Rules: PL-1305, PL-1323, PL-1333.
    """
    position = resolution.position
    unit = position.units[id]
    forts.capture(resolution, id, place)
    work = work_of(position, id)
    if work is not None:
        engineers.came_onto(resolution, work, place)
    if kind(unit).has("flail") and place in position.mines:
        resolution.emit(WorkBegan(id, FLAIL, place))
    elif kind(unit).has("bridge") and terrain_key(position, place) == "stream":
        resolution.emit(WorkBegan(id, BRIDGE, place))


def leaving_cost(position: Position, unit: Unit, place: HexId) -> int | None:
    """What leaving the hex costs a unit beyond the hex it enters, in half points; None for the many that leave freely.

    A flail pays half its movement allowance to leave a minefield, a bridgelayer the price of laying its bridge.

    Rules: PL-1305, PL-1333.
    """
    if unit.kind in FLAILS and place in position.mines:
        # half the allowance in half points is the allowance itself
        return kind(unit).movement
    if unit.kind in BRIDGELAYERS and terrain_key(position, place) == "stream":
        return works_table().bridgelayer.leaving_cost
    return None


def left(resolution: Resolution[Position], id: UnitId, place: HexId) -> None:
    """A unit has gone from a hex: the flail's mines are gone, the bridgelayer's bridge lies there, other work is lost.

    Rules: PL-1304, PL-1305, PL-1331, PL-1333.
    """
    position = resolution.position
    done = _leave_behind(resolution, position.units[id], place)
    work = work_of(position, id)
    if work is not None:
        if work.task in (FLAIL, BRIDGE):
            resolution.emit(WorkEnded(id, work.task, done))
        else:
            engineers.went_off(resolution, work, place)


def _leave_behind(resolution: Resolution[Position], unit: Unit, place: HexId) -> bool:
    """A special vehicle has left the hex as its work makes it; False for others and where there was nothing to do."""
    position = resolution.position
    if kind(unit).has("flail") and place in position.mines:
        resolution.emit(MineLifted(place))
        return True
    if kind(unit).has("bridge") and terrain_key(position, place) == "stream":
        bridge = bridge_of(position, unit)
        if bridge is not None:
            resolution.emit(BridgeLaid(bridge.id, place, unit.side))
            return True
    return False


def bridge_of(position: Position, unit: Unit) -> Unit | None:
    """The tank bridge that a bridgelayer still carries: it has one for the whole battle.

    Rules: PL-1333.
    """
    own = [other for other in position.units if other.side == unit.side]
    layers = [other.id for other in own if kind(other).has("bridge")]
    bridges = [other for other in own if kind(other).is_temporary_bridge]
    place = layers.index(unit.id)
    carried = bridges[place] if place < len(bridges) else None
    return carried if carried is not None and carried.fate == RESERVE else None


def can_bridge(position: Position, unit: Unit) -> bool:
    """Whether the unit is a bridgelayer that still has its bridge and so may drive into a stream (PL-631, PL-1333)."""
    return kind(unit).has("bridge") and bridge_of(position, unit) is not None


def bridge_target_refusal(how: str, firers: Iterable[Unit], targets: Collection[Unit]) -> Refusal | None:
    """Why these units may not be attacked so if a tank bridge is among them; None if there is none or it may be.

    A tank bridge is attacked by itself, by direct or indirect fire of weapons other than class I.

    Rules: PL-1333.
    """
    if not any(kind(target).is_temporary_bridge for target in targets):
        return None
    if how not in (DIRECT, INDIRECT):
        return Refusal(TANK_BRIDGE, "only direct or indirect fire can destroy a tank bridge")
    if len(targets) > 1:
        return Refusal(TANK_BRIDGE, "a tank bridge is a target by itself")
    if any(kind(firer).weapon == "I" for firer in firers):
        return Refusal(TANK_BRIDGE, "weapons of class I can't harm a tank bridge")
    return None
