"""What known enemies could do next to what stands in a hex: the worst of them together and each alone, by the very
attack that the rules would roll, under every fall of its die.

Of a unit that would move there in its own segment that is opportunity fire on the spot, by those who have it in sight
long enough on its cheapest way (PL-1601), and then all that the enemy's segment has: fire that may have been written
for the hex, direct fire, aircraft, overruns and close assaults. Who has fired at a mover can do nothing in his next
segment (PL-1603), and who is dispersed neither.

Rules: PL-504, PL-721, PL-802, PL-803, PL-805, PL-831, PL-1006, PL-1023, PL-1107, PL-1203, PL-1601, PL-1602, PL-1603.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from itertools import combinations
from typing import NamedTuple

from msgspec.structs import replace

from sandtable.kernel.dice import Dice
from sandtable.kernel.events import DiceKey
from sandtable.kernel.forecast import Reaction, branches, every_fall
from sandtable.kernel.ids import NOBODY, HexId, RuleId, SideId, UnitId
from sandtable.kernel.resolution import Resolution
from sandtable.kernel.state import State, View
from sandtable.kernel.trace import Line
from sandtable.play.words import listed
from sandtable.rulesets.panzer_leader import (
    air,
    artillery,
    assault,
    changes,
    describe,
    fire,
    movement,
    opportunity,
    overrun,
    sight,
)
from sandtable.rulesets.panzer_leader.combat import ARMORED, NONARMORED, roll_attack, target_type
from sandtable.rulesets.panzer_leader.costs import reacher
from sandtable.rulesets.panzer_leader.events import SegmentBegan, SegmentEnded
from sandtable.rulesets.panzer_leader.kinds import INFANTRY, KINDS
from sandtable.rulesets.panzer_leader.missions import is_observed
from sandtable.rulesets.panzer_leader.mobility import cannot_go, cannot_move, steps, terms
from sandtable.rulesets.panzer_leader.model import FIRE, IN_PLAY, RESERVE, Position, Unit
from sandtable.rulesets.panzer_leader.orders import AirSortie
from sandtable.rulesets.panzer_leader.pieces import enemy_of, with_unit, with_units
from sandtable.rulesets.panzer_leader.stacks import active, has_room, passenger_of
from sandtable.rulesets.panzer_leader.terrain import terrain_key
from sandtable.rulesets.panzer_leader.weapons import reach_of, strength_in_eighths
from sandtable.rulesets.panzer_leader.workings import Attack, Barrage


def threats(view: View[Position], place: HexId, id: UnitId = NOBODY) -> tuple[Reaction, ...]:
    """What known enemies could do next to an own unit if it stood in a hex, or with none named to what the side has
    there; the worst of it first. Of a hex with nobody in it, who could fire there and how strongly.

    Rules: PL-802, PL-803, PL-805, PL-808.
    """
    scene = _scene(view, place, id)
    if scene is not None:
        return tuple(map(scene.told, scene.shots()))
    return tuple(_aims(view, place)) if id == NOBODY and view.position.ground.board.is_on(place) else ()


def lines(view: View[Position], unit: Unit) -> Iterator[Line]:
    """The same of a unit of the side where it stands, in short: who, at what odds, by the rule of such an attack."""
    scene = _scene(view, unit.hex, unit.id)
    assert scene is not None
    for shot in scene.shots():
        yield Line(scene.named(shot), scene.told(shot).text, RuleId(shot.way.rule))


def _scene(view: View[Position], place: HexId, id: UnitId) -> _Scene | None:
    """Who stands in the hex, or would; None when that is nobody of the side."""
    position = view.position
    if not position.ground.board.is_on(place):
        return None
    if id == NOBODY:
        there = fire.counters_under_fire(position, enemy_of(view.side), place)
        return _Scene(view, place, there, None, position) if there else None
    unit = position.units[id] if 0 <= id < len(position.units) else None
    if unit is None or unit.side != view.side or not (unit.hex or unit.fate == RESERVE):
        return None
    moved = _moved(position, unit, place)
    return _Scene(replace(view, position=moved), place, (_bearer(moved, moved.units[id]),), unit, position)


def _aims(view: View[Position], place: HexId) -> Iterator[Reaction]:
    """The enemies in sight that could fire directly at an empty hex, with their strength against armor and others.

    Rules: PL-808.
    """
    position = view.position
    for enemy in _in_range(position, enemy_of(view.side), place):
        armored, soft = (strength_in_eighths(position, enemy, place, against) for against in (ARMORED, NONARMORED))
        text = f"{_eighths(armored)} against armor, {_eighths(soft)} against others"
        yield Reaction(enemy.side, (enemy.id,), place, text)


def _eighths(strength: int) -> str:
    whole, rest = divmod(max(strength, 0), 8)
    return f"{whole}{f'.{rest * 125:03d}'.rstrip('0') if rest else ''}"


_Attacks = Callable[[Sequence[UnitId]], Iterator[Attack]]


class _Way(NamedTuple):
    """A way to attack: its rule, what it is called, the table it is done on, who could take part, and the attacks that
    some of them could make.
    """

    rule: str
    title: str
    table: Position
    actors: tuple[UnitId, ...]
    attacks: _Attacks


class _Shot(NamedTuple):
    """An attack, who makes it, and how likely it destroys or at least disperses whom it is about."""

    way: _Way
    actors: tuple[UnitId, ...]
    attack: Attack
    lost: Fraction
    harmed: Fraction
    weights: dict[str, Fraction]

    @property
    def harm(self) -> tuple[Fraction, Fraction]:
        return self.lost, self.harmed


class _Scene:
    """The table as it would be with somebody in the hex when the enemy acts next."""

    def __init__(
        self, view: View[Position], place: HexId, subjects: Sequence[Unit], mover: Unit | None, before: Position
    ) -> None:
        self.view, self.place, self.mover, self.before, self.foe = view, place, mover, before, enemy_of(view.side)
        self.subjects = tuple(unit.id for unit in subjects)
        self.now = view.position
        self.then = _next_segment(self.now, view.side) if self.now.phasing == view.side else self.now
        self._falls: dict[tuple[object, ...], tuple[Fraction, Fraction, dict[str, Fraction]]] = {}

    def shots(self) -> list[_Shot]:
        """The worst attack of each way together, and each one's own; the worst of all first."""
        shots: list[_Shot] = []
        for way in self._ways():
            alone = [shot for id in way.actors if (shot := self._worst(way, (id,))) is not None]
            together = self._worst(way, way.actors) if len(way.actors) > 1 else None
            fewest = self._spared(together) if together is not None else None
            shots += alone if fewest is None or len(fewest.actors) < 2 else [fewest, *alone]
        return sorted(shots, key=lambda shot: shot.harm, reverse=True)

    def _ways(self) -> Iterator[_Way]:
        """Each way to attack that somebody has, in the order in which it would come."""
        able = partial(_in_range, foe=self.foe, place=self.place)
        if self._is_on_the_move():
            yield self._way("PL-1602", "opportunity fire", self.now, self._watchers(able(self.now)), self._opportunity)
        yield self._way("PL-1107", "written indirect fire", self.then, self._batteries(), self._bombardment)
        yield self._way("PL-805", "", self.then, able(self.then), self._fire)
        planes = [plane.id for plane in self.then.aircraft if air.may_attack(self.then, self.foe, plane)]
        yield _Way("PL-1203", "from the air", self.then, tuple(planes), self._from_above)
        driving = replace(self.then, step="vehicle movement")
        yield _Way("PL-1006", "overrun", driving, overrun.runners(driving, self.foe, self.place), self._overrun)
        beside = self._beside()
        yield self._way("PL-1023", "close assault", beside, self._infantry(beside), partial(self._assault, beside))

    @staticmethod
    def _way(rule: str, title: str, table: Position, actors: Iterator[Unit], attacks: _Attacks) -> _Way:
        return _Way(rule, title, table, tuple(unit.id for unit in actors), attacks)

    # --- who, and with what

    def _is_on_the_move(self) -> bool:
        """Whether the unit would come to the hex by a move of this segment, under opportunity fire (PL-1601)."""
        unit, now = self.mover, self.now
        if unit is None or unit.hex in (0, self.place) or unit.moved or now.phasing != unit.side:
            return False
        return now.ground.options.opportunity_fire

    def _watchers(self, enemies: Iterator[Unit]) -> Iterator[Unit]:
        """Those of them who have the unit in sight long enough on its cheapest way there (PL-1601)."""
        assert self.mover is not None
        unit, before, account = self.mover, self.before, self.before.mover
        path, now = movement.way_to(before, unit, self.place), terms(before, unit)
        spent = dict(account.exposure) if account is not None and account.unit == unit.id else {}
        if cannot_go(before, unit, path, now) is None:
            for step in steps(before, unit, path, now):
                spent = opportunity.exposure(before, unit, step.place, step.cost, spent)
        enough = max(1, opportunity.threshold(KINDS[unit.kind]))
        yield from (enemy for enemy in enemies if spent.get(enemy.id, 0) >= enough)

    def _opportunity(self, ids: Sequence[UnitId]) -> Iterator[Attack]:
        """Only the mover is hit (PL-1602)."""
        hit = (self.now.units[self.subjects[0]],)
        yield from self._shots(self.now, ids, hit, group="", rule="PL-1602")

    def _fire(self, ids: Sequence[UnitId]) -> Iterator[Attack]:
        for targets in self._target_sets():
            yield from self._shots(self.then, ids, targets, group=FIRE, rule="PL-504")

    def _shots(
        self, table: Position, ids: Sequence[UnitId], targets: tuple[Unit, ...], *, group: str, rule: str
    ) -> Iterator[Attack]:
        """The fire of those enemies who can harm such a target; none when nobody can."""
        foe, place, against = self.foe, self.place, target_type(table, targets)
        enemies = [table.units[id] for id in ids]
        able = [enemy for enemy in enemies if fire.is_able(table, foe, enemy, place, targets, against)]
        found = fire.direct_attack(table, foe, able, place, targets, group=group, rule=rule) if able else None
        if isinstance(found, Attack):
            yield found

    def _target_sets(self) -> Iterator[tuple[Unit, ...]]:
        """The targets that the enemy could name and the unit is part of, or any of the hex when none is asked for; in a
        town all are one.

        Rules: PL-802.
        """
        whole = fire.counters_under_fire(self.then, self.foe, self.place)
        if self.mover is None and terrain_key(self.then, self.place) != "town":
            for count in range(len(whole), 0, -1):
                yield from combinations(whole, count)
            return
        own = tuple(self.then.units[id] for id in self.subjects)
        others = [unit for unit in whole if unit.id not in self.subjects]
        if terrain_key(self.then, self.place) == "town":
            yield (*own, *others)
            return
        for count in range(len(others) + 1):
            for some in combinations(others, count):
                yield (*own, *some)

    def _batteries(self) -> Iterator[Unit]:
        """The batteries that reach the hex, if anybody spots for them there (PL-1101, PL-1103)."""
        table = self.then
        reaching = [
            unit
            for unit in active(table, self.foe)
            if unit.kind in artillery.BATTERIES and artillery.reaches(table, unit, self.place)
        ]
        if reaching and is_observed(table, self.foe, self.place):
            yield from (unit for unit in reaching if artillery.battery_refusal(table, unit) is None)

    def _bombardment(self, ids: Sequence[UnitId]) -> Iterator[Attack]:
        """Each counter of the hex is attacked with a share of the strength (PL-1107)."""
        for attack in artillery.bombardment(self.then, Barrage(self.place, tuple(ids))):
            if attack.targets[0] in self.subjects:
                yield attack

    def _from_above(self, ids: Sequence[UnitId]) -> Iterator[Attack]:
        """Aircraft fly beside the hex, each with the weapon that it has left last (PL-1203, PL-1205)."""
        near = HexId(self.then.ground.board.neighbors(self.place)[0])
        planes = tuple(replace(plane, hex=near) if plane.id in ids else plane for plane in self.then.aircraft)
        table = replace(self.then, aircraft=planes)
        sorties = [AirSortie(id, air.weapons_left(planes[id])[-1].key) for id in ids]
        for targets in self._target_sets():
            attack = air.air_attack(table, sorties, self.place, targets)
            if isinstance(attack, Attack):
                yield attack

    def _overrun(self, ids: Sequence[UnitId]) -> Iterator[Attack]:
        attack = overrun.overrun_attack(self.then, self.foe, [self.then.units[id] for id in ids], self.place)
        if isinstance(attack, Attack):
            yield attack

    def _beside(self) -> Position:
        """The table once the enemy's infantry has come beside the hex, who can, where there is room.

        Rules: PL-401, PL-507, PL-1028.
        """
        table, board = replace(self.then, step="foot movement"), self.then.ground.board
        near = [HexId(h) for h in board.neighbors(self.place)]
        for unit in active(table, self.foe):
            far = board.distance(unit.hex, self.place) - 1
            if unit.kind not in INFANTRY or not 0 < far <= KINDS[unit.kind].movement:
                continue
            if cannot_move(table, self.foe, unit.id) is None:
                now = terms(table, unit)
                found = reacher(table.ground).reach(unit.hex, now.left, now.costs, now.flags, now.alternate)
                goal = next((h for h in near if found.cost(h) >= 0 and has_room(table, h)), None)
                table = table if goal is None else with_unit(table, unit.id, hex=goal)
        return table

    def _infantry(self, table: Position) -> Iterator[Unit]:
        """Those who can come to grips with the hex (PL-1021)."""
        for unit in active(table, self.foe):
            if unit.kind in INFANTRY and assault.can_assault(table, unit, self.place):
                yield unit

    def _assault(self, table: Position, ids: Sequence[UnitId]) -> Iterator[Attack]:
        attack = assault.assault_attack(table, self.foe, [table.units[id] for id in ids], self.place)
        if isinstance(attack, Attack):
            yield attack

    # --- what comes of it

    def _worst(self, way: _Way, ids: Sequence[UnitId]) -> _Shot | None:
        shots = (self._rolled(way, tuple(ids), attack) for attack in way.attacks(ids))
        return max(shots, key=lambda shot: shot.harm, default=None)

    def _spared(self, shot: _Shot) -> _Shot:
        """The same odds against the same with fewer of them, the weakest left out first."""
        fewer, taking_part = shot, shot.attack.attackers or shot.actors
        for id in sorted(taking_part, key=lambda id: self._strength(shot.way, id)):
            others = [other for other in (fewer.attack.attackers or fewer.actors) if other != id]
            lesser = self._worst(shot.way, others) if others else None
            if lesser is not None and (lesser.attack.odds, lesser.harm) == (shot.attack.odds, shot.harm):
                fewer = lesser
        return fewer

    def _strength(self, way: _Way, id: UnitId) -> int:
        return 0 if way.attacks == self._from_above else KINDS[way.table.units[id].kind].attack

    def _rolled(self, way: _Way, ids: tuple[UnitId, ...], attack: Attack) -> _Shot:
        """The attack under every fall of the die; what comes of it is the same at the same odds."""
        key = (way.title, attack.targets, attack.odds, attack.drm)
        if key not in self._falls:
            self._falls[key] = self._fallen(way.table, attack)
        return _Shot(way, attack.attackers or ids, attack, *self._falls[key])

    def _fallen(self, table: Position, attack: Attack) -> tuple[Fraction, Fraction, dict[str, Fraction]]:
        weights: defaultdict[str, Fraction] = defaultdict(Fraction)
        lost = harmed = Fraction(0)
        state, view = State(table, self.view.flow, DiceKey("danger")), replace(self.view, position=table)

        def play(dice: Dice) -> Resolution[Position]:
            resolution = Resolution(state, dice, changes.apply)
            roll_attack(resolution, attack)
            return resolution

        for resolution, chance in every_fall(play):
            after = [resolution.position.units[id] for id in self.subjects]
            are_lost = any(not unit.hex for unit in after)
            lost += chance * are_lost
            harmed += chance * (are_lost or any(unit.dispersed == table.segment for unit in after))
            weights[describe.result(tuple(resolution.events), view)] += chance
        return lost, harmed, dict(weights)

    def named(self, shot: _Shot) -> str:
        """Who makes the attack."""
        if self._is_air(shot):
            return listed([describe.aircraft_name(self.now, id) for id in shot.actors])
        return describe.unit_names(self.now, shot.actors)

    def _is_air(self, shot: _Shot) -> bool:
        return shot.way.attacks == self._from_above

    def told(self, shot: _Shot) -> Reaction:
        """The attack as something that the enemy may do."""
        attack, title = shot.attack, shot.way.title
        die = f", die {attack.drm:+d}" if attack.drm else ""
        text = f"{title}: {attack.odds}{die}" if title else f"{attack.odds}{die}"
        is_air = self._is_air(shot)
        actors = tuple(describe.aircraft_piece(self.now, id) if is_air else id for id in shot.actors)
        return Reaction(self.foe, actors, self.place, text, branches(shot.weights), attack.tallies)


def _in_range(position: Position, foe: SideId, place: HexId) -> Iterator[Unit]:
    """The enemies that have a hex in range and in sight."""
    distance = position.ground.board.distance
    for enemy in active(position, foe):
        kind = KINDS[enemy.kind]
        is_near = kind.attack and distance(enemy.hex, place) <= reach_of(kind)
        if is_near and sight.look(position, enemy.hex)[place]:
            yield enemy


def _next_segment(position: Position, side: SideId) -> Position:
    """The table when the other side's segment begins, if the side does nothing more (PL-508, PL-905, PL-1603)."""
    turn = position.turn + (side != position.ground.scenario.first)
    ended = changes.apply(position, SegmentEnded(side))
    return changes.apply(ended, SegmentBegan(enemy_of(side), turn, position.segment + 1))


def _bearer(position: Position, unit: Unit) -> Unit:
    """Who is attacked in a unit's place: what carries it, the fort that it holds, else itself.

    Rules: PL-645, PL-1321.
    """
    outer = unit.carrier if unit.carrier != NOBODY else unit.fort
    return position.units[outer] if outer != NOBODY else unit


def _moved(position: Position, unit: Unit, place: HexId) -> Position:
    """The position with the unit in the hex, and with it whom it carries or who carries it."""
    if unit.hex == place:
        return position
    if unit.carrier != NOBODY:
        riders: tuple[Unit | None, ...] = (position.units[unit.carrier],)
    else:
        riders = (passenger_of(position, unit.id),)
    going = [replace(unit, fort=NOBODY), *(rider for rider in riders if rider is not None)]
    return with_units(position, [replace(one, hex=place, fate=IN_PLAY) for one in going])
