"""How a commander judges the table before he gives an order: what units and ground are worth, where to go, and what
awaits a unit in a hex.

These are estimates. An outlook is made once for the enemy as he stands and remembered while he does nothing; what it
says of a hex depends on the hex, the type of unit and the enemy alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, cached_property

from sandtable.kernel.decisions import Refusal
from sandtable.kernel.ids import NOBODY, HexId, SideId
from sandtable.mechanics.odds import odds_ratio, odds_text
from sandtable.rulesets.panzerblitz_3d import fire, opportunity, victory
from sandtable.rulesets.panzerblitz_3d.combat import (
    BEST_ODDS,
    CRT,
    MIXED_ARMORED,
    MIXED_OTHERS,
    WORST_ODDS,
    counts_as_armored,
)
from sandtable.rulesets.panzerblitz_3d.costs import layers, reacher
from sandtable.rulesets.panzerblitz_3d.describe import prizes
from sandtable.rulesets.panzerblitz_3d.kinds import FORTS, INFANTRY, KINDS, MORTAR, OVERRUNNERS, UNKNOWN, UnitKind
from sandtable.rulesets.panzerblitz_3d.looks import looks
from sandtable.rulesets.panzerblitz_3d.model import RESERVE, Position, Unit
from sandtable.rulesets.panzerblitz_3d.pieces import enemy_of
from sandtable.rulesets.panzerblitz_3d.stacks import active, stacks
from sandtable.rulesets.panzerblitz_3d.terrain import ground_of, is_hiding, is_town
from sandtable.rulesets.panzerblitz_3d.terrain_table import terrain_table
from sandtable.rulesets.panzerblitz_3d.weapons import strength_of

# All in hundredths of a victory point for a unit lost.
UNIT_WORTH = 60
SOFT_WORTH = 40
PER_ATTACK = 3
PER_DEFENSE = 2
MOST_ATTACK = 20
GROUND_WORTH = 130
POINT_WORTH = 70
EXIT_WORTH = 200
DISPERSED_LOSS = 3  # tenths of a unit's worth

# What results cost a unit, in hundredths of its worth, when it is in good order and when it is dispersed already.
RESULT_LOSS = {"X": 100, "DD": 35, "D": 30, "-": 0}
TWICE_LOSS = {"X": 100, "DD": 100, "D": 0, "-": 0}

# How much a turn of marching toward the goal counts, by what the side is about.
ADVANCE, HOLD, LEAVE = 22, 5, 80
NEAR_ENOUGH = 4  # half points from the ground a defender keeps
MOST_TURNS = 15
STANDOFF = 3  # hexes inside its range at which a long gun or mortar stops going forward

# Shares, in tenths, of what could happen that is counted as if it did.
SHOT_AT, STORMED, OVERRUN_BY, SHOT_AGAIN, UNSPOTTED = 5, 4, 3, 5, 3
STRONGEST = 3  # how many enemies are taken to fire at one hex
GARRISON, IDLE_GARRISON = 80, 10
BOLDNESS = 6  # tenths of the danger that an attacker shrugs off on the last turn
MINE_RISK = 40  # hundredths


@cache
def worth(kind: str) -> int:
    """What a unit type is worth: more with its weapons, less for what only carries, nothing for forts."""
    printed = KINDS[kind]
    if kind in FORTS:
        return 0
    if not printed.attack and kind != UNKNOWN:
        return SOFT_WORTH
    return UNIT_WORTH + PER_ATTACK * min(printed.attack, MOST_ATTACK) + PER_DEFENSE * printed.defense


@cache
def harm(strength: int, defense: int, drm: int, *, twice: bool = False, shift: int = 0) -> int:
    """The share of its worth that a target can expect to lose to an attack, in hundredths."""
    ratio = odds_ratio(strength, defense, BEST_ODDS) if strength > 0 else -WORST_ODDS - 1
    if ratio < -WORST_ODDS:
        return 0
    column = CRT.columns[min(CRT.columns.index(odds_text(ratio)) + shift, len(CRT.columns) - 1)]
    losses = TWICE_LOSS if twice else RESULT_LOSS
    return sum(losses[CRT.result(column, die + drm)] for die in range(1, 7)) // 6


def harm_of(odds: str, drm: int, *, twice: bool) -> int:
    """The same for an attack whose odds are known."""
    losses = TWICE_LOSS if twice else RESULT_LOSS
    return sum(losses[CRT.result(odds, die + drm)] for die in range(1, 7)) // 6


def strength_at(kind: str, against: str, distance: int, halving: str) -> int:
    """What a unit type adds to fire at such a target at a distance; 0 when it can't harm it."""
    made = strength_of(kind, against, distance, halving)
    return 0 if isinstance(made, Refusal) else made.total


def goals(position: Position, side: SideId) -> frozenset[HexId]:
    """Where the side wants to be: its way out, else the ground it must take, else the ground it must keep, else the
    enemy.
    """
    ways = victory.ways_out(position, side)
    if ways:
        return frozenset(ways)
    ground = prizes(position)
    wanted = frozenset(place for place in ground if position.control.get(place) != side)
    if wanted or ground:
        return wanted or ground
    known = [unit.hex for unit in active(position, enemy_of(side))]
    return frozenset(known or [contact.unit.hex for contact in position.contacts.values()])


def distances(position: Position, key: str, places: frozenset[HexId]) -> list[int]:
    """How far every hex is from the nearest of these places for units of a type, in half points; hexes without any way
    there are farther than all others.
    """
    ground = position.ground

    def made() -> list[int]:
        field = reacher(ground).flood(sorted(places), layers(ground, key).road, bytes(ground.board.size))
        beyond = max(field) + 1
        return [cost if cost >= 0 else beyond for cost in field]

    return ground.once(("doctrine distances", KINDS[key].mobility, places), made)


def ground_worth(position: Position, place: HexId) -> int:
    """What a hex that decides the battle is worth to the side that holds it."""
    terms = victory.terms(position)
    if terms.conditions:
        return GROUND_WORTH
    objectives = position.ground.scenario.objectives
    points = next(objective.points for objective in objectives if place in objective.hexes)
    return POINT_WORTH * (terms.objective_points if points is None else points)


class Outlook:
    """The enemy as he stands and what he means for every hex."""

    def __init__(self, position: Position, side: SideId) -> None:
        self.position, self.side = position, side
        self.enemies = tuple(unit for unit in position.units if unit.side != side)
        self.aims = goals(position, side)
        self.leaves = bool(victory.ways_out(position, side))
        self.prizes = {place: ground_worth(position, place) for place in prizes(position)}
        self.attacks = self.leaves or any(position.control.get(place) != side for place in self.prizes)
        self.hunts = not self.leaves and not self.prizes
        self.control, self.barrages = position.control, position.barrages
        seen = looks(position)
        foes = active(position, enemy_of(side))
        self.shooters = [
            (unit, seen[unit.hex])
            for unit in foes
            if KINDS[unit.kind].attack and not unit.dispersed and unit.carrier == NOBODY
        ]
        self.stormers = [unit for unit, _ in self.shooters if unit.kind in INFANTRY and unit.fort == NOBODY]
        self.tanks = [unit for unit, _ in self.shooters if unit.kind in OVERRUNNERS]
        self.waiting = [(unit, row) for unit, row in self.shooters if opportunity.waits(unit)]
        turn, turns = position.turn, position.ground.scenario.turns
        # what a turn of marching counts for an attacker, and how much danger does, in tenths, as time runs out
        self.urgency = ADVANCE + ADVANCE * turn // turns
        self.caution = 10 - BOLDNESS * turn // turns if self.attacks else 10
        self._threats: dict[tuple[HexId, str], int] = {}
        self._dangers: dict[tuple[HexId, str, str], int] = {}
        self._prospects: dict[tuple[HexId, str], int] = {}

    def is_of(self, position: Position, side: SideId) -> bool:
        """Whether the enemy and the ground are still as this outlook saw them."""
        known = self.position
        if side != self.side or position.turn != known.turn or position.control is not self.control:
            return False
        if position.barrages is not self.barrages:
            return False
        if position.units is known.units:
            return True
        enemies = [unit for unit in position.units if unit.side != side]
        return all(a is b for a, b in zip(enemies, self.enemies, strict=True))

    # --- the way to the goal -------------------------------------------------------------------------------------

    def far(self, key: str) -> list[int]:
        """How far every hex is from the side's goals for a unit type."""
        return distances(self.position, key, self.aims)

    def nearness(self, unit: Unit, mover: UnitKind, place: HexId) -> int:
        """What it counts to be so far from the goal: a turn of marching costs the same whoever marches."""
        printed = KINDS[unit.kind]
        if not self.aims or not mover.movement:
            return 0
        far = self.far(mover.key)[place]
        turns10 = min(10 * far // (2 * mover.movement), 10 * MOST_TURNS)
        if self.leaves:
            return -(LEAVE - ADVANCE + self.urgency) * turns10 // 10
        if not printed.attack:
            return 0
        if printed.weapon == MORTAR or printed.has("spa") or not printed.movement:
            slack = 2 * max(0, printed.range - STANDOFF)
            return -HOLD * max(0, far - slack) // (2 * mover.movement)
        if self.hunts or not self.attacks:
            return -HOLD * max(0, far - NEAR_ENOUGH) // (2 * mover.movement)
        return -self.urgency * turns10 // 10

    # --- what awaits a unit in a hex -----------------------------------------------------------------------------

    def threat(self, place: HexId, against: str) -> int:
        """The strength that the strongest enemies who see a hex could bring to bear on it."""
        key = (place, against)
        if key not in self._threats:
            position = self.position
            made = [fire.strength_in(position, unit, place, against) for unit, row in self.shooters if row[place]]
            self._threats[key] = sum(sorted(made)[-STRONGEST:])
        return self._threats[key]

    def danger(self, unit: Unit, place: HexId, shell: str = "") -> int:
        """What a unit can expect to lose in a hex in the enemy's next turn; `shell` is the type it rides in."""
        key = (place, shell or unit.kind, unit.kind)
        if key not in self._dangers:
            self._dangers[key] = self._risk(KINDS[shell or unit.kind], place) * worth(unit.kind) // 1000
        return self._dangers[key]

    def _risk(self, shell: UnitKind, place: HexId) -> int:
        """The share of its worth, in thousandths, that a counter of this type can expect to lose in a hex."""
        position, board = self.position, self.position.ground.board
        terrain, defense, risk = ground_of(board, place), shell.defense, 0
        if not self.hides(place):
            against = MIXED_ARMORED if shell.armored or is_town(board, place) else MIXED_OTHERS
            risk += SHOT_AT * harm(self.threat(place, against), defense, terrain.drm)
        near = [KINDS[u.kind].attack for u in self.stormers if board.distance(u.hex, place) <= 2]
        if near:
            risk += STORMED * harm(sum(near), defense, terrain.drm - 2)
        if terrain.overrun_ok and self.tanks:
            reach = [KINDS[u.kind].attack for u in self.tanks if board.distance(u.hex, place) < KINDS[u.kind].movement]
            risk += OVERRUN_BY * harm(sum(sorted(reach)[-2:]), defense, -2, shift=1)
        if place in position.mines:
            risk += 10 * MINE_RISK
        return min(risk, 1000)

    def hides(self, place: HexId) -> bool:
        """Whether a unit can't be fired at in a hex from afar."""
        board = self.position.ground.board
        return is_hiding(board, place) and not any(board.distance(unit.hex, place) <= 1 for unit, _ in self.shooters)

    def passage(self, unit: Unit, path: Iterable[tuple[HexId, int]]) -> int:
        """What a unit can expect to lose to enemies who wait for an opportunity along a path with its costs.

        Rules: PB3-1102, PB3-1103, PB3-1104.
        """
        if not self.waiting:
            return 0
        position, board = self.position, self.position.ground.board
        enough, watched = max(1, opportunity.threshold(unit.kind)), dict[int, int]()
        against = MIXED_ARMORED if KINDS[unit.kind].armored else MIXED_OTHERS
        worst = 0
        for place, cost in path:
            if self.hides(place):
                continue
            strength = 0
            for enemy, row in self.waiting:
                watched[enemy.id] = watched.get(enemy.id, 0) + cost if row[place] else 0
                if watched[enemy.id] >= enough:
                    strength += fire.strength_in(position, enemy, place, against)
            share = harm(strength, KINDS[unit.kind].defense, ground_of(board, place).drm)
            worst = max(worst, share)
        return worst * worth(unit.kind) // 100

    # --- what a unit could do from a hex -------------------------------------------------------------------------

    def prospect(self, kind: str, place: HexId) -> int:
        """What the best shot of a unit of this type from a hex can be expected to cost the enemy."""
        key = (place, kind)
        if key not in self._prospects:
            self._prospects[key] = self._best_shot(kind, place) if KINDS[kind].attack else 0
        return self._prospects[key]

    def _best_shot(self, kind: str, place: HexId) -> int:
        board, row, best = self.position.ground.board, looks(self.position)[place], 0
        for target, against, defense, drm, loss in self.marks:
            if not row[target]:
                continue
            distance = board.distance(place, target)
            halving = "PB3-807" if board.elevation[target] in terrain_table().halved_levels else ""
            gain = harm(strength_at(kind, against, distance, halving), defense, drm) * loss // 100
            if distance > 1 and is_hiding(board, target):
                gain = gain * UNSPOTTED // 10
            best = max(best, gain)
        return best

    @cached_property
    def marks(self) -> tuple[tuple[HexId, str, int, int, int], ...]:
        """What there is to fire at: each enemy counter, in a town all of them as one, with its worth."""
        return tuple(self._targets())

    def _targets(self) -> Iterable[tuple[HexId, str, int, int, int]]:
        position, board = self.position, self.position.ground.board
        for place, units in stacks(position).items():
            shown = [u for u in units if u.side != self.side and u.carrier == NOBODY and u.fort == NOBODY]
            if not shown:
                continue
            drm, loss = ground_of(board, place).drm, {u.id: self.loss(u, units) for u in shown}
            if is_town(board, place):
                yield place, MIXED_ARMORED, sum(KINDS[u.kind].defense for u in shown), drm, sum(loss.values())
                continue
            for u in shown:
                against = MIXED_ARMORED if counts_as_armored(position, u) else MIXED_OTHERS
                yield place, against, KINDS[u.kind].defense, drm - u.dispersed, loss[u.id]

    def loss(self, unit: Unit, stack: Iterable[Unit]) -> int:
        """What a side loses with a counter: it, what it carries and who is inside."""
        return worth(unit.kind) + sum(worth(u.kind) for u in stack if unit.id in (u.carrier, u.fort))

    # --- what a whole table is worth -----------------------------------------------------------------------------

    def placed(self, units: tuple[Unit, ...], unit: Unit, place: HexId) -> int:
        """What a hex is worth to a unit of the side: near its goal, out of danger, with something to fire at."""
        printed = KINDS[unit.kind]
        if printed.is_work or unit.fort != NOBODY:
            return 0
        if unit.carrier != NOBODY:
            carrier = units[unit.carrier].kind
            return self.nearness(unit, KINDS[carrier], place) - self.danger(unit, place, carrier) * self.caution // 10
        shot = self.prospect(unit.kind, place) * SHOT_AGAIN // 10
        return self.nearness(unit, printed, place) + shot - self.danger(unit, place) * self.caution // 10

    @cached_property
    def threatened(self) -> frozenset[HexId]:
        """The hexes that decide the battle into which an enemy could come within two turns."""
        board = self.position.ground.board
        comers = [(unit.hex, 2 * KINDS[unit.kind].movement) for unit in self.enemies if unit.hex]
        return frozenset(place for place in self.prizes if any(board.distance(h, place) <= way for h, way in comers))


def material(position: Position, side: SideId) -> int:
    """Units, ground and exits of a side less those of the other, in hundredths of a point."""
    total = 0
    for unit in position.units:
        if unit.hex or unit.fate == RESERVE:
            value = worth(unit.kind)
            value -= value * DISPERSED_LOSS // 10 if unit.dispersed else 0
            total += value if unit.side == side else -value
    for place in prizes(position):
        owner = position.control.get(place)
        if owner is not None:
            total += ground_worth(position, place) * (1 if owner == side else -1)
    left = victory.exited(position, side) - victory.exited(position, enemy_of(side))
    return total + left * EXIT_WORTH


def outlook_for(position: Position, side: SideId) -> Outlook:
    """The outlook of a side on the table as it knows it; the latest is remembered."""
    found: Outlook = position.derived.part(
        f"outlook of {side}",
        (position,),
        lambda: Outlook(position, side),
        lambda known, sources: known if known.is_of(position, side) else None,
    )
    return found
