"""Who may move, how far, and along which paths.

A path is judged over the same costs and flags that `reach` searches, and a journey is walked over them, so the three
agree. Movement points are counted in halves.

Rules: PL-601 to PL-634, PL-1028, PL-1301, PL-1311, PL-1405, PL-1605, PL-1607.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from operator import is_
from typing import Any, NamedTuple

from sandtable.geometry.reach import ALTERNATE, FORBIDDEN, MAY_NOT_ENTER, MUST_STOP, Reach
from sandtable.kernel.decisions import Refusal
from sandtable.kernel.ids import NOBODY, NOWHERE, HexId, RuleId, SideId, UnitId
from sandtable.rulesets.panzer_leader import landing, works
from sandtable.rulesets.panzer_leader.costs import QUICK, flag, layers_around, obstacles, reacher
from sandtable.rulesets.panzer_leader.kinds import BRIDGELAYERS, KINDS, VEHICLES, WORKS
from sandtable.rulesets.panzer_leader.model import Mover, Position, Unit
from sandtable.rulesets.panzer_leader.movement_table import NUMBERS
from sandtable.rulesets.panzer_leader.stacks import has_room, kind, own_unit, units_at
from sandtable.rulesets.panzer_leader.terrain import terrain_at
from sandtable.rulesets.panzer_leader.terrain_table import TERRAIN
from sandtable.rulesets.panzer_leader.ways import Terms

OVERRUN = "overrun"
"""The gait of a vehicle on its way through an overrun: without the road rate (PL-1003)."""

FIRST, LAST = "first", "last"
"""Whether a carrier loaded or unloaded before it moved or after it had (PL-642)."""


# --- who may move, and how far --------------------------------------------------------------------------------------


def allowance(position: Position, unit: Unit, gait: str = "") -> int:
    """The movement points of a unit for the whole of its move, in halves.

    Rules: PL-603, PL-1405, PL-1605, PL-1607.
    """
    if gait == QUICK:
        return NUMBERS.quick.allowance
    printed = KINDS[unit.kind]
    if unit.dispersed:
        # it drifts ashore, one hex and no more
        return max(0, getattr(TERRAIN["beach"], printed.mobility)) if is_at_sea(position, unit) else 0
    if unit.fired:
        return printed.movement // 2 * 2 if _fires_and_moves(position, unit) else 0
    return printed.movement * 2


def _fires_and_moves(position: Position, unit: Unit) -> bool:
    """Whether a unit that is `fired` may still move: a turret, the option, and a shot of its own segment.

    Rules: PL-1603, PL-1607.
    """
    if not position.ground.options.turret_fire or not KINDS[unit.kind].has("tur"):
        return False
    return unit.last_fired == position.segment or account(position, unit) is not None


def is_at_sea(position: Position, unit: Unit) -> bool:
    """Whether a unit waits in a sea hex to land."""
    return position.ground.board.terrain[unit.hex] == "sea"


def account(position: Position, unit: Unit) -> Mover | None:
    """The account of the unit if it is the one that is moving."""
    mover = position.mover
    return mover if mover is not None and mover.unit == unit.id else None


def cannot_move(position: Position, side: SideId, id: UnitId) -> Refusal | None:
    """Why a unit can't move at all now, or None.

    Rules: PL-506, PL-507, PL-601, PL-602, PL-604, PL-642, PL-643, PL-1321, PL-1404, PL-1405.
    """
    unit = own_unit(position, side, id)
    if unit is None:
        return Refusal(RuleId("PL-601"), "there is no such unit of yours on the table")
    printed = KINDS[unit.kind]
    if not printed.movement:
        return Refusal(RuleId("PL-604"), f"{printed.name} never moves by itself")
    if (unit.kind in VEHICLES) != (position.step == "vehicle movement"):
        rule = "PL-506" if printed.is_vehicle else "PL-507"
        return Refusal(RuleId(rule), "vehicles move first, then all other units")
    if unit.moved:
        return Refusal(RuleId("PL-601"), f"{printed.name} has finished its move")
    if unit.carrier != NOBODY or unit.transported:
        return Refusal(RuleId("PL-643"), f"{printed.name} loads, rides or unloads this segment")
    if unit.fort != NOBODY:
        return Refusal(RuleId("PL-1321"), f"{printed.name} must leave its fortification first")
    if unit.dispersed and not is_at_sea(position, unit):
        return Refusal(RuleId("PL-602"), f"{printed.name} is dispersed")
    if unit.fired and not _fires_and_moves(position, unit):
        return Refusal(RuleId("PL-602"), f"{printed.name} has fired")
    now = account(position, unit)
    if now is not None and now.handled == LAST:
        return Refusal(RuleId("PL-642"), f"{printed.name} moved before it loaded or unloaded, so it stays")
    return landing.move_refusal(position, unit) if position.landed else None


def cannot_quicken(position: Position, unit: Unit) -> Refusal | None:
    """Why a unit that may move can't go in quick-time.

    Rules: PL-1605.
    """
    rule = RuleId("PL-1605")
    if not position.ground.options.quick_time:
        return Refusal(rule, "quick-time is not played in this battle")
    if not KINDS[unit.kind].is_infantry or KINDS[unit.kind].has("mg"):
        return Refusal(rule, "only infantry goes in quick-time, and no machine guns")
    if account(position, unit) is not None:
        return Refusal(rule, "quick-time is for the whole of a move")
    return None


def terms(position: Position, unit: Unit, gait: str = "") -> Terms:
    """The terms of the unit's move as things stand; remembered, since one order asks several times."""
    asked = position.derived.answers("terms", position.units)
    sources = (unit, position.mover, position.mines, position.blocks, position.wrecks, position.bridges_down)
    found: tuple[Any, Terms] | None = asked.get((unit.id, gait))
    if found is None or not all(map(is_, found[0], sources)):
        found = asked[unit.id, gait] = (sources, _make_terms(position, unit, gait))
    return found[1]


def _make_terms(position: Position, unit: Unit, gait: str) -> Terms:
    around = obstacles(position, unit.side)
    layer = layers_around(position, around, unit.kind, "" if gait == OVERRUN else gait)
    now = account(position, unit)
    left, leaving = allowance(position, unit, gait), 0
    if now is not None:
        left -= now.spent
    if now is None or not now.hexes:
        leaving = works.leaving_cost(position, unit, unit.hex) or 0
    return Terms(
        layer.carried if gait == OVERRUN else layer.road,
        layer.plain,
        _own_flags(position, unit, around.flags, now),
        left - leaving,
        leaving,
        layer.plain,
        layer.road_crossings,
        layer.plain_crossings,
    )


def _own_flags(position: Position, unit: Unit, flags: bytearray, now: Mover | None) -> bytearray:
    """The flags of the side with what concerns this unit alone: far blocks, streams for its bridge, crowded beaches.

    Rules: PL-1311, PL-1333, PL-1404.
    """
    board = position.ground.board
    if position.blocks:
        flags = bytearray(flags)
        start = unit.hex if now is None else now.start
        for place in position.blocks:
            if place not in board.neighbors(start):
                flags[place] |= MAY_NOT_ENTER
    own: Sequence[int] = ()
    if unit.kind in BRIDGELAYERS:
        own = [place for place in board.hexes if board.terrain[place] == "stream"]
    elif is_at_sea(position, unit):
        own = board.neighbors(unit.hex)
    if own:
        flags = bytearray(flags)
        for place in map(HexId, own):
            if works.must_stop(position, unit, place):
                flags[place] |= MUST_STOP
                if works.may_enter(position, unit, unit.hex, unit.hex, place):
                    flags[place] |= MAY_NOT_ENTER
    return flags


def flags_at(position: Position, unit: Unit, terms: Terms, place: HexId) -> int:
    """The flags of a hex for a unit on its way; where it set out there is one counter less."""
    if place != unit.hex:
        return terms.flags[place]
    others = (other for other in units_at(position, place) if other.id != unit.id)
    barred = MAY_NOT_ENTER if place in position.blocks else 0  # it did not begin beside that block but on it
    return flag(position, unit.side, place, others) | barred


def step_cost(position: Position, unit: Unit, a: HexId, b: HexId, *, gait: str = "", roads: bool = True) -> int | None:
    """What the unit pays to go from a hex to the next one in half points, or None where it may not go.

    Without `roads` the road rate is forbidden, but a road still bears it over green sides and through swamps (PL-1003).

    Rules: PL-209, PL-603, PL-604, PL-606, PL-611, PL-612, PL-613, PL-614, PL-615, PL-616, PL-633, PL-1028.
    """
    board = position.ground.board
    if not board.is_on(a) or not board.is_on(b) or (d := board.direction(a, b)) < 0:
        return None
    around = obstacles(position, unit.side)
    layer = layers_around(position, around, unit.kind, gait)
    if around.flags[b] & ALTERNATE:
        cost = layer.plain[8 * a + d]
    else:
        cost = (layer.road if roads else layer.carried)[8 * a + d]
    return None if cost == FORBIDDEN else cost


def reach(position: Position, unit: Unit, gait: str = "") -> Reach:
    """Every hex the unit can go to now with its cost; hexes behind a stream or cliff are among them, dice permitting.

    Rules: PL-603, PL-604, PL-605.
    """
    if cannot_move(position, unit.side, unit.id) is not None or (gait and cannot_quicken(position, unit) is not None):
        here = [unit.hex] if unit.hex else []
        return Reach(array("i", here), array("i", [0] * len(here)), array("i", [0] * len(here)))
    now = terms(position, unit, gait)
    return reacher(position.ground).reach(unit.hex, max(0, now.left), now.costs, now.flags, now.alternate)


# --- along a path ---------------------------------------------------------------------------------------------------


class Step(NamedTuple):
    """One hex of a path: its cost, whether that is the road rate, its place in a layer, and its flags."""

    place: HexId
    cost: int
    by_road: bool
    at: int
    flags: int


def steps(position: Position, unit: Unit, path: Sequence[HexId], now: Terms) -> list[Step]:
    """A path that the unit can go on these terms, step by step."""
    table, here = position.ground.board.neighbor_table, unit.hex
    made: list[Step] = []
    for place in path:
        flags = flags_at(position, unit, now, place)
        at = 8 * here + table[here].index(place)
        cost = now.alternate[at] if flags & ALTERNATE else now.costs[at]
        made.append(Step(place, cost, cost < now.plain[at], at, flags))
        here = place
    return made


def cannot_go(
    position: Position, unit: Unit, path: Sequence[HexId], now: Terms, through: HexId = NOWHERE
) -> Refusal | None:
    """Why the unit can't go along a path on these terms, or None; `through` is a hex it is to overrun.

    Rules: PL-401, PL-405, PL-603, PL-605, PL-1301, PL-1311, PL-1322.
    """
    board = position.ground.board
    # this loop judges every order of every playout, so it looks things up once
    table, costs, around, origin = board.neighbor_table, now.costs, now.flags, unit.hex
    here, left, must_stop = origin, now.left, 0
    for place in path:
        row = table[here]
        if not place or place not in row:
            return Refusal(RuleId("PL-601"), "a path goes from each hex to one beside it on the map")
        if must_stop:
            rule = works.must_stop(position, unit, here)
            return Refusal(rule or RuleId("PL-1301"), f"it must stop in {board.label(here)}")
        flags = around[place] if place != origin else flags_at(position, unit, now, place)
        if place == through:
            flags &= ~(MAY_NOT_ENTER | MUST_STOP)
        at = 8 * here + row.index(place)
        cost = now.alternate[at] if flags & ALTERNATE else costs[at]
        if flags & MAY_NOT_ENTER or cost == FORBIDDEN:
            return why_barred(position, unit, here, place, flags)
        left -= cost
        if left < 0:
            return Refusal(RuleId("PL-603"), f"not enough movement points to reach {board.label(place)}")
        must_stop = flags & MUST_STOP
        here = place
    return None


def crossings(now: Terms, step: Step) -> tuple[RuleId, ...]:
    """The rules that ask for a die before the step is taken (PL-621, PL-631)."""
    return (now.alternate_crossings if step.flags & ALTERNATE else now.crossings).get(step.at, ())


def why_barred(position: Position, unit: Unit, here: HexId, place: HexId, flags: int) -> Refusal:
    """The reason why a unit may not take a step.

    Rules: PL-209, PL-401, PL-406, PL-605, PL-606, PL-613, PL-621, PL-631, PL-1311, PL-1401, PL-1605.
    """
    board, printed = position.ground.board, kind(unit)
    label = board.label(place)
    if flags & MAY_NOT_ENTER:
        if any(enemy_bars(other, unit.side) for other in units_at(position, place)):
            return Refusal(RuleId("PL-605"), f"an enemy holds {label}")
        if not has_room(position, place):
            return Refusal(RuleId("PL-401"), f"{label} is full")
        now = account(position, unit)
        start = unit.hex if now is None else now.start
        refusal = works.may_enter(position, unit, here, start, place)
        assert refusal is not None  # an enemy, a full hex and works are all that bars a way
        return refusal
    side = board.side_features(here, board.direction(here, place))
    terrain = terrain_at(position, place)
    if is_at_sea(position, unit):
        return Refusal(RuleId("PL-1401"), "from the sea a unit lands on a beach, and not in quick-time")
    denied = "; the road can't be used now" if board.has_road(here, board.direction(here, place)) else ""
    if "green" in side and printed.is_vehicle:
        rule = "PL-613" if denied else "PL-606"
        return Refusal(RuleId(rule), f"vehicles may not cross the green side into {label}{denied}")
    if "cliff" in side and not printed.is_infantry:
        return Refusal(RuleId("PL-621"), f"only infantry on foot can try the cliff at {label}")
    if terrain is TERRAIN["stream"] and printed.is_vehicle:
        return Refusal(RuleId("PL-631"), f"vehicles may not enter the stream at {label}")
    if getattr(terrain, printed.mobility) >= 0:
        ground = "the cliff" if "cliff" in side else terrain.title.lower()
        return Refusal(RuleId("PL-1605"), f"quick-time does not go over {ground} at {label}")
    return Refusal(RuleId("PL-613" if denied else "PL-209"), f"{printed.name} may not enter {label}{denied}")


def enemy_bars(other: Unit, side: SideId) -> bool:
    """Whether a unit keeps the other side out of its hex: all but works and those inside them do (PL-605, PL-1322)."""
    return other.side != side and other.fort == NOBODY and other.kind not in WORKS
