"""What known enemies could do to a unit that stands in a hex: the worst of them together and each alone, by the very
attack that the rules would roll, under every fall of its die.

It is told for the next time that they fire: those who have fired by now can do so again, those who are dispersed can't.

Rules: PL-504, PL-721, PL-802, PL-803, PL-805, PL-831.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import partial
from itertools import combinations
from typing import NamedTuple

from msgspec.structs import replace

from sandtable.kernel.dice import Dice, DiceKey
from sandtable.kernel.forecast import Reaction, branches, every_fall
from sandtable.kernel.ids import NOBODY, HexId, UnitId
from sandtable.kernel.resolution import Resolution
from sandtable.kernel.state import State, View
from sandtable.rulesets.panzer_leader import changes, describe, fire
from sandtable.rulesets.panzer_leader.combat import Attack, roll_attack, target_type
from sandtable.rulesets.panzer_leader.kinds import KINDS
from sandtable.rulesets.panzer_leader.model import IN_PLAY, RESERVE, Position, Unit, enemy_of, with_units
from sandtable.rulesets.panzer_leader.sight import look
from sandtable.rulesets.panzer_leader.stacks import active, passenger_of
from sandtable.rulesets.panzer_leader.terrain import terrain_key
from sandtable.rulesets.panzer_leader.weapons import reach_of


class Shot(NamedTuple):
    """An attack, and how likely it destroys or at least disperses the unit in question."""

    attack: Attack
    lost: Fraction
    harmed: Fraction
    weights: dict[str, Fraction]

    @property
    def harm(self) -> tuple[Fraction, Fraction]:
        return self.lost, self.harmed


def dangers(view: View[Position], place: HexId, id: UnitId) -> tuple[Reaction, ...]:
    """What known enemies could do to an own unit if it stood in a hex; the worst of it first.

    Rules: PL-802, PL-803, PL-805.
    """
    position = view.position
    if not position.ground.board.is_on(place) or not 0 <= id < len(position.units):
        return ()
    unit = position.units[id]
    if unit.side != view.side or not (unit.hex or unit.fate == RESERVE):
        return ()
    scene = _Scene(view, unit, place)
    alone = sorted(scene.singles(), key=lambda shot: shot.harm, reverse=True)
    together = scene.together()
    shots = alone if together is None or len(together.attack.attackers) < 2 else [together, *alone]
    return tuple(map(scene.told, shots))


class _Scene:
    """The table as it would be with the unit in the hex when the enemy fires next."""

    def __init__(self, view: View[Position], unit: Unit, place: HexId) -> None:
        self.place, self.foe = place, enemy_of(view.side)
        position = _moved(view.position, unit, place)
        is_over = view.position.phasing == view.side
        if is_over:
            position = replace(position, segment=position.segment + 1)
        self.position = position
        self.state = State(position, view.flow, DiceKey("danger"))
        self.view = replace(view, position=position)
        self.target = _bearer(position, position.units[unit.id])
        self.enemies = [_recovered(enemy) if is_over else enemy for enemy in self._in_range()]

    def _in_range(self) -> Iterator[Unit]:
        distance = self.position.ground.board.distance
        for enemy in active(self.position, self.foe):
            kind = KINDS[enemy.kind]
            is_near = kind.attack and distance(enemy.hex, self.place) <= reach_of(kind)
            if is_near and look(self.position, enemy.hex)[self.place]:
                yield enemy

    def singles(self) -> Iterator[Shot]:
        """The worst that each enemy could do by himself."""
        for enemy in self.enemies:
            shot = self._worst((enemy,))
            if shot is not None:
                yield shot

    def together(self) -> Shot | None:
        """The worst that they could do with one attack, by no more of them than it takes."""
        shot = self._worst(self.enemies)
        return shot and self._spared(shot)

    def _worst(self, enemies: Sequence[Unit]) -> Shot | None:
        shots = [shot for targets in self._target_sets() if (shot := self._shot(enemies, targets)) is not None]
        return max(shots, key=lambda shot: shot.harm, default=None)

    def _spared(self, shot: Shot) -> Shot:
        """The same odds with fewer firers, the weakest left out first."""
        fewer = shot
        named = {enemy.id: enemy for enemy in self.enemies}
        targets = tuple(self.position.units[id] for id in shot.attack.targets)
        weakest = sorted(shot.attack.attackers, key=lambda id: KINDS[named[id].kind].attack)
        for id in weakest:
            others = [named[other] for other in fewer.attack.attackers if other != id]
            lesser = self._shot(others, targets)
            if lesser is not None and lesser.attack.odds == shot.attack.odds:
                fewer = lesser
        return fewer

    def _target_sets(self) -> Iterator[tuple[Unit, ...]]:
        """The targets that the enemy could name and the unit is part of; in a town all are one.

        Rules: PL-802.
        """
        whole = fire.counters_under_fire(self.position, self.foe, self.place)
        others = [unit for unit in whole if unit.id != self.target.id]
        if terrain_key(self.position, self.place) == "town":
            yield (self.target, *others)
            return
        for count in range(len(others) + 1):
            for some in combinations(others, count):
                yield (self.target, *some)

    def _shot(self, enemies: Sequence[Unit], targets: tuple[Unit, ...]) -> Shot | None:
        """The fire of those enemies who can harm such a target, or None when nobody can."""
        position, foe, place = self.position, self.foe, self.place
        against = target_type(position, targets)
        able = [enemy for enemy in enemies if fire.is_able(position, foe, enemy, place, targets, against)]
        if not able:
            return None
        attack = fire.direct_attack(position, foe, able, place, targets)
        return self._rolled(attack) if isinstance(attack, Attack) else None

    def _rolled(self, attack: Attack) -> Shot:
        """The attack under every fall of the die."""
        weights: defaultdict[str, Fraction] = defaultdict(Fraction)
        lost = harmed = Fraction(0)
        for resolution, chance in every_fall(partial(self._play, attack)):
            after = resolution.position.units[self.target.id]
            lost += chance * (not after.hex)
            harmed += chance * (not after.hex or after.dispersed == self.position.segment)
            weights[describe.result(tuple(resolution.events), self.view)] += chance
        return Shot(attack, lost, harmed, dict(weights))

    def _play(self, attack: Attack, dice: Dice) -> Resolution[Position]:
        resolution = Resolution(self.state, dice, changes.apply)
        roll_attack(resolution, attack)
        return resolution

    def told(self, shot: Shot) -> Reaction:
        attack = shot.attack
        die = f", die {attack.drm:+d}" if attack.drm else ""
        text = f"{attack.odds}{die}"
        return Reaction(self.foe, attack.attackers, self.place, text, branches(shot.weights), attack.tallies)


def _recovered(enemy: Unit) -> Unit:
    """The enemy at the beginning of his own segment, as far as that lets him fire.

    Rules: PL-501, PL-801.
    """
    return replace(enemy, fired=False, transported=False)


def _bearer(position: Position, unit: Unit) -> Unit:
    """Who is fired at in a unit's place: what carries it, the fort that it holds, else itself.

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
