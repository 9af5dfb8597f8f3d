"""A whole table as a side may expect it: the enemies it can't see, dealt by lots and placed where they could be.

The order of battle is public, and the id of an unseen unit tells nothing. So the types that are neither in sight nor
known to be lost are dealt to the unseen ids, and those that may be on the map by now stand where the side would not see
them and where they could have gone from their start. What does not fit anywhere stays unseen. The enemy's notes are
written by lots too.

Rules: PB3-401, PB3-1303.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Any, TypeVar

from msgspec.structs import replace

from sandtable.content import ScenarioUnit
from sandtable.kernel.dice import PromptDice
from sandtable.kernel.events import DiceKey
from sandtable.kernel.ids import NOBODY, HexId, SideId, UnitId
from sandtable.kernel.state import State, View
from sandtable.play.ground import zone_of
from sandtable.rulesets.panzerblitz_3d import artillery, fire, opportunity, sequence, victory
from sandtable.rulesets.panzerblitz_3d.costs import layers, reacher
from sandtable.rulesets.panzerblitz_3d.frames import SetupFrame
from sandtable.rulesets.panzerblitz_3d.kinds import KINDS
from sandtable.rulesets.panzerblitz_3d.model import RESERVE, UNSEEN, Plot, Position, Shot, Unit
from sandtable.rulesets.panzerblitz_3d.pieces import enemy_of, with_units
from sandtable.rulesets.panzerblitz_3d.stacks import active, has_room, places_of
from sandtable.rulesets.panzerblitz_3d.terrain import may_stand
from sandtable.rulesets.panzerblitz_3d.visibility import is_searched

Entry = ScenarioUnit[Any]
T = TypeVar("T")


def imagined(known: View[Position], key: DiceKey) -> State[Position]:
    """A state that looks to the side like its view, with everybody it can't see somewhere."""
    position, side = known.position, known.side
    lots = PromptDice(f"imagine/{key.seed}", key.number)
    unknown = [unit for unit in position.units if unit.fate == UNSEEN and unit.side != side]
    if unknown:
        position = with_units(position, _Guesses(known, lots).guessed(unknown))
        position = _owned(position, {unit.id for unit in unknown})
    written = NOTES.get(position.step)
    if written is not None:
        position = written(position, enemy_of(side), lots)
    return State(position, known.flow, key)


# --- what the enemy may have written --------------------------------------------------------------------------------


def _plotted(position: Position, side: SideId, lots: PromptDice) -> Position:
    """About half of a side's batteries are plotted on hexes of its enemy."""
    places = places_of(position, enemy_of(side))
    plots = [
        Plot(battery.id, places[lots.below(len(places))])
        for battery in artillery.batteries_of(position, side)
        if places and lots.below(2)
    ]
    return replace(position, plots=(*position.plots, *plots))


def _assigned(position: Position, side: SideId, lots: PromptDice) -> Position:
    """About half of a side's units that can be are assigned to opportunity fire."""
    able = [unit.id for unit in active(position, side) if opportunity.assigning_refusal(unit) is None]
    chosen = [id for id in able if lots.below(2)]
    return replace(position, assigned=tuple(sorted((*position.assigned, *chosen))))


def _designated(position: Position, side: SideId, lots: PromptDice) -> Position:
    """About half of a side's units that can fire have the first target they find, if it is its turn."""
    if position.phasing != side:
        return position
    for unit in fire.able(position, side):
        if lots.below(2):
            shot = next((one for one in fire.fire_options(position, side, unit) if len(one.firers) == 1), None)
            if shot is not None:
                position = replace(position, shots=(*position.shots, Shot(shot.firers, shot.hex, shot.targets)))
    return position


NOTES: dict[str, Callable[[Position, SideId, PromptDice], Position]] = {
    sequence.PLOTS: _plotted,
    sequence.ASSIGNMENT: _assigned,
    sequence.FIRE: _designated,
}
"""What is written in secret in each step (PB3-502, PB3-503, PB3-505)."""


# --- who may be where -----------------------------------------------------------------------------------------------


def _owned(position: Position, guessed: set[UnitId]) -> Position:
    """The position in which ground is held by the guessed units that stand on it, as they have taken it (PB3-1302)."""
    ground = victory.contested(position)
    taken = {unit.hex: unit.side for unit in position.units if unit.id in guessed and unit.hex in ground}
    changed = {place: side for place, side in taken.items() if position.control.get(place) != side}
    return replace(position, control=dict(sorted({**position.control, **changed}.items()))) if changed else position


def _shuffled(items: Iterable[T], lots: PromptDice) -> list[T]:
    left, dealt = list(items), []
    while left:
        dealt.append(left.pop(lots.below(len(left))))
    return dealt


class _Guesses:
    """Where the enemies of a side may be that it can't see."""

    def __init__(self, known: View[Position], lots: PromptDice) -> None:
        self.position, self.side, self.lots = known.position, known.side, lots
        self.enemy: SideId = enemy_of(known.side)
        top = known.flow[-1]
        self.is_setup = isinstance(top, SetupFrame)
        self.waits = isinstance(top, SetupFrame) and self.enemy in (top.side, *top.then)
        self.zone = zone_of(known.position.ground, self.enemy)
        self.taken: Counter[HexId] = Counter()

    def guessed(self, unknown: Sequence[Unit]) -> Iterable[Unit]:
        """Each of these units as it may be."""
        scenario = self.position.ground.scenario
        known = {unit.name for unit in self.position.units if unit.fate != UNSEEN}
        pool = [entry for entry in scenario.units if entry.side == self.enemy and entry.id not in known]
        dealt = list(zip(unknown, _shuffled(pool, self.lots), strict=True))
        ids = {entry.id: unit.id for unit, entry in dealt}
        made: dict[UnitId, Unit] = {}
        for unit, entry in dealt:
            if entry.aboard not in ids:
                made[unit.id] = self._placed(unit, entry)
        for unit, entry in dealt:
            carrier = made.get(ids.get(entry.aboard or "", NOBODY))
            if carrier is not None and carrier.fate != UNSEEN:
                made[unit.id] = replace(_of(unit, entry), hex=carrier.hex, fate=carrier.fate, carrier=carrier.id)
        return made.values()

    def _placed(self, unit: Unit, entry: Entry) -> Unit:
        guess = _of(unit, entry)
        waits = replace(guess, fate=RESERVE)
        if entry.arrival is None:
            if self.waits and entry.hex is None:
                return waits
            return self._inside(guess, entry) or self._somewhere(guess, self._starts(entry), self._turns(1)) or unit
        since = self._turns(entry.arrival.turn)
        return (self._somewhere(guess, frozenset(entry.arrival.hexes), since) if since else None) or waits

    def _turns(self, first: int) -> int:
        """How many of its player turns a unit that came on a turn may have had."""
        return 0 if self.is_setup else max(0, self.position.turn - first + 1)

    def _inside(self, guess: Unit, entry: Entry) -> Unit | None:
        """The unit inside its fort, where that still stands and hides it."""
        for fort in self.position.units:
            if entry.inside == fort.name and fort.hex and not self._shows(fort.hex):
                return replace(guess, hex=fort.hex, fort=fort.id)
        return None

    def _starts(self, entry: Entry) -> frozenset[HexId]:
        """Where the unit stood when the battle began."""
        if entry.hex is None or entry.hex in self.zone:
            return frozenset(self.zone)
        return frozenset([entry.hex])

    def _shows(self, place: HexId) -> bool:
        """Whether the side would see whoever stood in a hex; while the sides set up it sees nobody."""
        return not self.is_setup and is_searched(self.position, place, self.side)

    def _somewhere(self, unit: Unit, starts: frozenset[HexId], turns: int) -> Unit | None:
        """The unit in a hex by lot that it could have reached in so many turns, and where the side would not see it;
        None when there is none.
        """
        far, reach = self._ways(unit.kind, starts), 2 * max(1, KINDS[unit.kind].movement) * turns
        likely = [place for place in self._hiding if 0 <= far[place] <= reach]
        while likely:
            place = likely.pop(self.lots.below(len(likely)))
            room = has_room(self.position, place, self.enemy, self.taken[place] + 1)
            if room and may_stand(self.position.ground.board, KINDS[unit.kind].mobility, place):
                self.taken[place] += 1
                return replace(unit, hex=place)
        return None

    def _ways(self, kind: str, starts: frozenset[HexId]) -> Sequence[int]:
        """What it costs a unit of this type to come from its start to every hex, -1 where it can't."""
        ground = self.position.ground
        layer, flags = layers(ground, kind), bytes(ground.board.size)
        return ground.once(
            ("imagined ways", KINDS[kind].mobility, starts),
            lambda: reacher(ground).flood(sorted(starts), layer.road, flags),
        )

    @cached_property
    def _hiding(self) -> list[HexId]:
        """The hexes into which the side does not see, or in whose cover it has spotted nobody."""
        own = set(places_of(self.position, self.side))
        places = map(HexId, self.position.ground.board.hexes)
        return [place for place in places if place not in own and not self._shows(place)]


def _of(unit: Unit, entry: Entry) -> Unit:
    """The unit with the face of an entry of the order of battle."""
    return replace(unit, kind=entry.type, name=entry.id, fate="", observer=entry.details.observer)
