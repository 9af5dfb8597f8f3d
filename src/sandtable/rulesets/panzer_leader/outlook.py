"""How a commander judges the table before he gives an order: what units and ground are worth, where to go, and what
awaits a unit in a hex.

These are estimates. An outlook is made once for the enemy as he stands and remembered while he does nothing; what it
says of a hex depends on the hex, the type of unit and the enemy alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, cached_property

from sandtable.geometry.board import Board
from sandtable.kernel.ids import NOBODY, NOWHERE, HexId, SideId
from sandtable.mechanics.odds import odds_ratio, odds_text
from sandtable.rulesets.panzer_leader import sight, victory
from sandtable.rulesets.panzer_leader.artillery import INDIRECT_WEAPONS
from sandtable.rulesets.panzer_leader.combat import ARMORED, BEST_ODDS, CRT, DIRECT, NONARMORED, WORST_ODDS
from sandtable.rulesets.panzer_leader.costs import layers, obstacles, reacher
from sandtable.rulesets.panzer_leader.kinds import KINDS, UnitKind
from sandtable.rulesets.panzer_leader.model import RESERVE, Position, Unit
from sandtable.rulesets.panzer_leader.overrun import can_overrun
from sandtable.rulesets.panzer_leader.pieces import enemy_of
from sandtable.rulesets.panzer_leader.stacks import active, stacks
from sandtable.rulesets.panzer_leader.terrain import HILLTOP_LEVEL, SLOPE_LEVEL, is_concealing
from sandtable.rulesets.panzer_leader.terrain_table import TERRAIN
from sandtable.rulesets.panzer_leader.weapons import EIGHTHS, multiplier, strength_in_eighths
from sandtable.rulesets.panzer_leader.works import bridge_of

# All in hundredths of a victory point for a unit lost.
UNIT_WORTH = 60
SOFT_WORTH = 12
PER_ATTACK = 3
PER_DEFENSE = 2
MOST_ATTACK = 20
GROUND_WORTH = 130
POINT_WORTH = 70
EXIT_WORTH = 80
DISPERSED_LOSS = 3  # tenths of a unit's worth

# What results cost a unit, in hundredths of its worth.
RESULT_LOSS = {"X": 100, "DD": 35, "D": 25, "-": 0}
TWICE_LOSS = {**RESULT_LOSS, "DD": 100}

# How much a turn of marching toward the goal counts, by what the side is about.
ADVANCE, HOLD, LEAVE = 20, 5, 80
NEAR_ENOUGH = 4  # half points from the ground a defender keeps
MOST_TURNS = 15
BATTERY_STANDOFF = 3  # hexes inside its range at which a mortar stops going forward

# Shares, in tenths, of what could happen that is counted as if it did.
SHOT_AT, STORMED, OVERRUN_BY, SHOT_AGAIN, UNSPOTTED = 5, 4, 3, 5, 3
STRONGEST = 3  # how many enemies are taken to fire at one hex
GARRISON, IDLE_GARRISON = 80, 10
AT_SEA = 400
BOLDNESS = 7  # tenths of the danger that an attacker shrugs off on the last turn
MINE_RISK = 60  # hundredths

COUNTING = frozenset(key for key, kind in KINDS.items() if not kind.is_soft_carrier and not kind.is_work)
"""The types that hold ground and count as losses (PL-1503)."""


@cache
def worth(kind: str) -> int:
    """What a unit type is worth: more with its weapons, little for trucks, nothing for works."""
    printed = KINDS[kind]
    if printed.is_work:
        return 0
    if printed.is_soft_carrier:
        return SOFT_WORTH
    return UNIT_WORTH + PER_ATTACK * min(printed.attack, MOST_ATTACK) + PER_DEFENSE * printed.defense


@cache
def harm(eighths: int, defense: int, drm: int, losses: str = "", shift: int = 0) -> int:
    """The share of its worth that a target can expect to lose to an attack, in hundredths."""
    ratio = odds_ratio(eighths, defense * EIGHTHS, BEST_ODDS) if eighths > 0 else -WORST_ODDS - 1
    if ratio < -WORST_ODDS:
        return 0
    column = min(CRT.columns.index(odds_text(ratio)) + shift, len(CRT.columns) - 1)
    table = TWICE_LOSS if losses else RESULT_LOSS
    return sum(table[CRT.result(CRT.columns[column], die + drm)] for die in range(1, 7)) // 6


def prizes(position: Position) -> frozenset[HexId]:
    """The hexes that decide the battle: objectives and all that a victory condition asks to hold."""
    cache = position.ground.cache
    if "prizes" not in cache:
        board, scenario = position.ground.board, position.ground.scenario
        places = {place for objective in scenario.objectives for place in objective.hexes}
        for condition in victory.terms(position).conditions:
            places.update(board.parse(label) for label in (*condition.hold, *condition.occupy))
        for place in tuple(places):
            if board.has_feature(place, "bridge"):
                places.update(_way_over(board, place, bank) for bank in victory.banks(position, place))
        cache["prizes"] = frozenset(places)
    result: frozenset[HexId] = cache["prizes"]
    return result


def _way_over(board: Board, bridge: HexId, bank: tuple[HexId, ...]) -> HexId:
    """One hex of a bank is enough: where the road comes over the bridge, if it has one."""
    return next((h for h in bank if board.has_road(bridge, board.direction(bridge, h))), bank[0])


def exits(position: Position, side: SideId) -> frozenset[HexId]:
    """The hexes by which a side may leave the map."""
    board = position.ground.board
    ways = (way for way in victory.terms(position).exits if way.side == side)
    return frozenset(board.parse(label) for way in ways for label in way.hexes)


def goals(position: Position, side: SideId) -> frozenset[HexId]:
    """Where the side wants to be: its way out, else the ground it must take, else the ground it must keep, else
    the enemy.
    """
    ways = exits(position, side)
    if ways:
        return ways
    ground = prizes(position)
    wanted = frozenset(place for place in ground if position.control.get(place) != side)
    if wanted or ground:
        return wanted or ground
    return frozenset(unit.hex for unit in active(position, enemy_of(side)))


def distances(position: Position, mobility: str, places: frozenset[HexId], planned: HexId = NOWHERE) -> list[int]:
    """How far every hex is from the nearest of these places, for units of that mobility, in half points; a bridge
    that is still to be laid counts as there.
    """
    around = obstacles(position, position.phasing)
    down, laid = around.bridges
    bridges = (down, (*laid, planned) if planned else laid)
    cache = position.ground.cache
    key = ("doctrine distances", mobility, places, bridges)
    if key not in cache:
        mover = next(printed for printed in KINDS.values() if printed.mobility == mobility and printed.movement)
        layer = layers(position, bridges, mover.key)
        field = reacher(position.ground).flood(sorted(places), layer.road, bytes(len(around.flags)))
        beyond = max(field) + 1
        cache[key] = [cost if cost >= 0 else beyond for cost in field]
    result: list[int] = cache[key]
    return result


def ground_worth(position: Position, place: HexId) -> int:
    """What a hex that decides the battle is worth to the side that owns it."""
    terms = victory.terms(position)
    if terms.conditions:
        return GROUND_WORTH
    for objective in position.ground.scenario.objectives:
        if place in objective.hexes:
            points = terms.objective_points if objective.points is None else objective.points
            return POINT_WORTH * points
    return POINT_WORTH // 2


class Outlook:
    """The enemy as he stands and what he means for every hex."""

    def __init__(self, position: Position, side: SideId) -> None:
        self.position, self.side = position, side
        self.enemies = tuple(unit for unit in position.units if unit.side != side)
        self.aims = goals(position, side)
        self.leaves = bool(exits(position, side))
        self.attacks = self.leaves or any(position.control.get(place) != side for place in self.aims)
        self.prizes = {place: ground_worth(position, place) for place in prizes(position)}
        self.control = position.control
        self.shooters = [
            (unit, sight.look(position, unit.hex))
            for unit in active(position, enemy_of(side))
            if KINDS[unit.kind].attack and not unit.dispersed and unit.carrier == NOBODY
        ]
        self.stormers = [unit for unit, _ in self.shooters if KINDS[unit.kind].is_infantry and unit.fort == NOBODY]
        self.tanks = [unit for unit, _ in self.shooters if can_overrun(KINDS[unit.kind])]
        self.layer = next((u for u in active(position, side) if KINDS[u.kind].has("bridge")), None)
        self.planned = self._planned_bridge()
        turn, turns = position.turn, position.ground.scenario.turns
        # what a turn of marching counts for an attacker, and how much danger does, in tenths, as time runs out
        self.urgency = ADVANCE + ADVANCE * turn // turns
        self.caution = 10 - BOLDNESS * turn // turns if self.attacks else 10
        self._fields: dict[str, list[int]] = {}
        self._threats: dict[tuple[HexId, str], int] = {}
        self._dangers: dict[tuple[HexId, str, int], int] = {}
        self._prospects: dict[tuple[HexId, str], int] = {}
        self._values: dict[int, tuple[Unit, int]] = {}

    def is_of(self, position: Position, side: SideId) -> bool:
        """Whether the enemy and the ground are still as this outlook saw them."""
        known = self.position
        if side != self.side or position.segment != known.segment or position.control is not self.control:
            return False
        if position.mines is not known.mines or position.smoke is not known.smoke:
            return False
        if self.layer is not None and position.units[self.layer.id] is not self.layer:
            return False
        if position.units is known.units:
            return True
        enemies = [unit for unit in position.units if unit.side != side]
        return len(enemies) == len(self.enemies) and all(a is b for a, b in zip(enemies, self.enemies, strict=True))

    # --- the way to the goal -------------------------------------------------------------------------------------

    def _planned_bridge(self) -> HexId:
        """The stream hex where a bridgelayer that still has its bridge saves the vehicles the longest way."""
        position, board = self.position, self.position.ground.board
        layer = self.layer
        if layer is None or not self.aims or bridge_of(position, layer) is None:
            return NOWHERE
        far = distances(position, "vehicle", self.aims)
        best, place = 0, NOWHERE
        for stream in board.hexes:
            if board.terrain[stream] != "stream" or board.has_feature(stream, "bridge"):
                continue
            banks = [far[h] for h in board.neighbors(stream) if self._is_dry(HexId(h))]
            saved = max(banks, default=0) - min(banks, default=0) - 4 * board.distance(layer.hex, stream)
            if saved > best:
                best, place = saved, HexId(stream)
        return place

    def _is_dry(self, place: HexId) -> bool:
        return self.position.ground.board.terrain[place] not in ("stream", "swamp", "sea")

    def far(self, mobility: str) -> list[int]:
        """How far every hex is from the side's goals."""
        if mobility not in self._fields:
            self._fields[mobility] = distances(self.position, mobility, self.aims, self.planned)
        return self._fields[mobility]

    def nearness(self, unit: Unit, mover: UnitKind, place: HexId) -> int:
        """What it counts to be so far from the goal: a turn of marching costs the same whoever marches."""
        printed = KINDS[unit.kind]
        if not self.aims or not mover.movement:
            return 0
        if self.planned and mover.has("bridge"):
            return -ADVANCE * 2 * self.position.ground.board.distance(place, self.planned) // mover.movement
        far = self.far(mover.mobility)[place]
        turns10 = min(10 * far // (2 * mover.movement), 10 * MOST_TURNS)
        if self.leaves and mover.is_vehicle:
            return -(LEAVE - ADVANCE + self.urgency) * turns10 // 10
        if printed.is_soft_carrier or printed.has("bridge"):
            return 0
        if printed.weapon in INDIRECT_WEAPONS:
            slack = 2 * max(0, printed.range - BATTERY_STANDOFF)
            return -HOLD * max(0, far - slack) // (2 * mover.movement)
        if not self.attacks:
            return -HOLD * max(0, far - NEAR_ENOUGH) // (2 * mover.movement)
        return -self.urgency * turns10 // 10

    # --- what awaits a unit in a hex -----------------------------------------------------------------------------

    def threat(self, place: HexId, against: str) -> int:
        """The strength, in eighths, that the strongest enemies who see a hex could bring to bear on it."""
        key = (place, against)
        if key not in self._threats:
            position = self.position
            made = [strength_in_eighths(position, unit, place, against) for unit, seen in self.shooters if seen[place]]
            self._threats[key] = sum(sorted(made)[-STRONGEST:])
        return self._threats[key]

    def danger(self, unit: Unit, place: HexId, cover: str = "") -> int:
        """What a unit can expect to lose in a hex in the enemy's next segment; `cover` is the type it rides in."""
        key = (place, cover or unit.kind, worth(unit.kind))
        if key not in self._dangers:
            shell = KINDS[cover or unit.kind]
            rides_on = bool(cover) and not shell.has("c")
            self._dangers[key] = self._risk(shell, place, rides_on) * worth(unit.kind) // 1000
        return self._dangers[key]

    def _risk(self, shell: UnitKind, place: HexId, rides_on: bool) -> int:
        """The share of its worth, in thousandths, that a counter of this type can expect to lose in a hex."""
        position, board = self.position, self.position.ground.board
        terrain = TERRAIN[board.terrain[place]]
        defense = 1 if rides_on else shell.defense
        armored = (shell.armored and not rides_on) or terrain is TERRAIN["town"]
        risk = 0
        if not self.hides(place):
            risk += SHOT_AT * harm(self.threat(place, ARMORED if armored else NONARMORED), defense, terrain.drm_fire)
        near = [KINDS[u.kind].attack for u in self.stormers if board.distance(u.hex, place) <= 2]
        if near:
            risk += STORMED * harm(EIGHTHS * sum(near), defense, terrain.drm_cat - 2)
        if terrain.overrun_ok and self.tanks:
            rolling = [KINDS[u.kind] for u in self.tanks]
            reach = [
                k.attack for u, k in zip(self.tanks, rolling, strict=True) if board.distance(u.hex, place) < k.movement
            ]
            risk += OVERRUN_BY * harm(EIGHTHS * sum(sorted(reach)[-2:]), defense, -2, shift=1)
        if place in position.mines and not shell.has("flail"):
            risk += 10 * MINE_RISK
        return min(risk, 1000)

    def hides(self, place: HexId) -> bool:
        """Whether a unit that does not fire can't be fired at in a hex from afar."""
        if not is_concealing(self.position, place):
            return False
        board = self.position.ground.board
        return not any(board.distance(unit.hex, place) <= 1 for unit, _ in self.shooters)

    def prospect(self, kind: str, place: HexId) -> int:
        """What the best shot of a unit of this type from a hex can be expected to cost the enemy."""
        key = (place, kind)
        if key not in self._prospects:
            self._prospects[key] = self._best_shot(KINDS[kind], place) if KINDS[kind].attack else 0
        return self._prospects[key]

    def _best_shot(self, printed: UnitKind, place: HexId) -> int:
        position, board = self.position, self.position.ground.board
        seen, best = sight.look(position, place), 0
        for target, armored, defense, loss in self.marks:
            if not seen[target]:
                continue
            distance = board.distance(place, target)
            eighths = printed.attack * multiplier(printed.key, DIRECT, armored, distance)[0]
            level = board.elevation[target]
            if level == SLOPE_LEVEL or (level == HILLTOP_LEVEL and board.elevation[place] != HILLTOP_LEVEL):
                eighths //= 2
            gain = harm(eighths, defense, TERRAIN[board.terrain[target]].drm_fire) * loss // 100
            if distance > 1 and is_concealing(position, target):
                gain = gain * UNSPOTTED // 10
            best = max(best, gain)
        return best

    @cached_property
    def marks(self) -> tuple[tuple[HexId, str, int, int], ...]:
        """What there is to fire at: each enemy counter, in a town all of them as one, with its worth."""
        return tuple(self._targets())

    def _targets(self) -> Iterable[tuple[HexId, str, int, int]]:
        position = self.position
        for place, units in stacks(position).items():
            shown = [u for u in units if u.side != self.side and u.carrier == NOBODY and u.fort == NOBODY]
            if not shown:
                continue
            loss = {u.id: self.loss(u, units) for u in shown}
            if position.ground.board.terrain[place] == "town":
                yield place, ARMORED, sum(KINDS[u.kind].defense for u in shown), sum(loss.values())
                continue
            for u in shown:
                yield place, ARMORED if KINDS[u.kind].armored else NONARMORED, KINDS[u.kind].defense, loss[u.id]

    def loss(self, unit: Unit, stack: Iterable[Unit]) -> int:
        """What a side loses with a counter: it, what it carries and who is inside."""
        total = self.unit_worth(unit)
        return total + sum(worth(u.kind) for u in stack if unit.id in (u.carrier, u.fort))

    def unit_worth(self, unit: Unit) -> int:
        """What a unit is worth in this battle: a fort as much as the scenario says."""
        if KINDS[unit.kind].is_fort:
            return POINT_WORTH * victory.terms(self.position).fort_points
        return worth(unit.kind)

    # --- what a whole table is worth -----------------------------------------------------------------------------

    def placed(self, units: tuple[Unit, ...], unit: Unit, place: HexId) -> int:
        """What a hex is worth to a unit of the side: near its goal, out of danger, with something to fire at."""
        printed = KINDS[unit.kind]
        if printed.is_work or unit.fort != NOBODY:
            return 0
        if self.position.ground.board.terrain[place] == "sea":
            return -AT_SEA
        if unit.carrier != NOBODY:
            carrier = units[unit.carrier].kind
            return self.nearness(unit, KINDS[carrier], place) - self.danger(unit, place, carrier) * self.caution // 10
        # batteries fire from where they are hard to see
        shot = 0 if printed.weapon in INDIRECT_WEAPONS else self.prospect(unit.kind, place) * SHOT_AGAIN // 10
        return self.nearness(unit, printed, place) + shot - self.danger(unit, place) * self.caution // 10

    def unit_value(self, units: tuple[Unit, ...], unit: Unit) -> int:
        """What a unit counts for, for its side, as it stands."""
        value = 0
        if unit.hex or unit.fate == RESERVE:
            value = self.unit_worth(unit)
            if unit.dispersed:
                value -= value * DISPERSED_LOSS // 10
            if unit.side == self.side and unit.hex:
                value += self.placed(units, unit, unit.hex)
        self._values[id(unit)] = (unit, value)
        return value

    @cached_property
    def threatened(self) -> frozenset[HexId]:
        """The hexes that decide the battle into which an enemy could come within two turns."""
        board = self.position.ground.board
        comers = [(unit.hex, 2 * KINDS[unit.kind].movement) for unit in self.enemies if unit.kind in COUNTING]
        return frozenset(
            place for place in self.prizes if any(h and board.distance(h, place) <= way for h, way in comers)
        )

    def ground_value(self, position: Position) -> int:
        """What the ground that decides the battle counts for the side: owned, and with somebody in it."""
        kept = {unit.hex for unit in position.units if unit.side == self.side and unit.kind in COUNTING}
        total = 0
        for place, value in self.prizes.items():
            owner = position.control.get(place)
            if owner == self.side:
                total += value
                if place in kept:
                    total += GARRISON if place in self.threatened else IDLE_GARRISON
            elif owner is not None:
                total -= value
        return total

    def value(self, position: Position) -> int:
        """Units, ground, exits and nearness to the goals, for the side."""
        units, side, values = position.units, self.side, self._values
        total = self.ground_value(position)
        for unit in units:
            # most units are as they were, and this is asked for every fall of the dice
            known = values.get(id(unit))
            value = known[1] if known is not None and known[0] is unit else self.unit_value(units, unit)
            total += value if unit.side == side else -value
        left = victory.exited(position, side) - victory.exited(position, enemy_of(side))
        return total + left * (EXIT_WORTH + 2 * UNIT_WORTH)


def outlook_for(position: Position, side: SideId) -> Outlook:
    """The outlook of a side on the table as it knows it; the latest is remembered."""
    found: Outlook = position.derived.part(
        ("outlook", side),
        (position,),
        lambda: Outlook(position, side),
        lambda known, sources: known if known.is_of(position, side) else None,
    )
    return found
