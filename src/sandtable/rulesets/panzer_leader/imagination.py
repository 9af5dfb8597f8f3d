"""A whole table as a side may expect it: the enemies it can't see, dealt by lots and placed where they could be.

The order of battle is public, and the id of an unseen unit tells nothing. So the types that are neither in sight nor
known to be lost are dealt to the unseen ids, and those that may be on the map by now stand where the side would not see
them and where they could have gone from their start. What does not fit anywhere stays unseen.

Rules: PL-401, PL-1401, PL-1506, PL-1507.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any, TypeVar

from msgspec.structs import replace

from sandtable.content import ScenarioUnit
from sandtable.kernel.dice import PromptDice
from sandtable.kernel.events import DiceKey
from sandtable.kernel.ids import NOBODY, HexId, SideId, UnitId
from sandtable.kernel.state import State, View
from sandtable.play.ground import zone_of
from sandtable.rulesets.panzer_leader import air, insight, landing, setup, sight, stacks, victory
from sandtable.rulesets.panzer_leader.costs import layers, obstacles, reacher
from sandtable.rulesets.panzer_leader.frames import SetupFrame
from sandtable.rulesets.panzer_leader.kinds import KINDS, UNKNOWN
from sandtable.rulesets.panzer_leader.model import RESERVE, UNSEEN, Position, Unit
from sandtable.rulesets.panzer_leader.pieces import enemy_of, with_units
from sandtable.rulesets.panzer_leader.terrain import is_concealing

Entry = ScenarioUnit[Any]
T = TypeVar("T")


def imagined(known: View[Position], key: DiceKey) -> State[Position]:
    """A state that looks to the side like its view, with everybody it can't see somewhere."""
    position, side = known.position, known.side
    unknown = [unit for unit in position.units if unit.kind == UNKNOWN and unit.side != side]
    if unknown:
        lots = PromptDice(f"imagine/{key.seed}", key.number)
        position = with_units(position, _Guesses(known, lots).guessed(unknown))
        position = _owned(position, {unit.id for unit in unknown})
    return State(position, known.flow, key)


def _owned(position: Position, guessed: set[UnitId]) -> Position:
    """The position in which ground belongs to the guessed units that stand on it, as they have taken it.

    Rules: PL-1502, PL-1503.
    """
    ground = victory.contested(position)
    taken = {
        unit.hex: unit.side
        for unit in position.units
        if unit.id in guessed and unit.hex in ground and victory.counts(unit)
    }
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
        self.enemy = enemy_of(known.side)
        eyes = [unit.id for unit in stacks.active(known.position, known.side) if not KINDS[unit.kind].is_work]
        self.seen = frozenset(insight.seen(known, tuple(eyes)) if eyes else ())
        self.segments = _segments(known.position, self.enemy)
        top = known.flow[-1]
        self.is_setting_up = isinstance(top, SetupFrame) and self.enemy in (top.side, *top.then)
        self.zone = zone_of(known.position.ground, self.enemy)
        self.taken: Counter[HexId] = Counter()

    def guessed(self, unknown: Sequence[Unit]) -> Iterable[Unit]:
        """Each of these units as it may be."""
        dealt = self._dealt(unknown)
        ids = {entry.id: unit.id for unit, entry in dealt}
        made: dict[UnitId, Unit] = {}
        for unit, entry in dealt:
            if entry.aboard not in ids:
                made[unit.id] = self._placed(unit, entry)
        for unit, entry in dealt:
            carrier = made.get(ids.get(entry.aboard or "", NOBODY))
            if carrier is not None and carrier.fate != UNSEEN:
                made[unit.id] = replace(_of(unit, entry), hex=carrier.hex, fate=carrier.fate, carrier=carrier.id)
        for unit in unknown:
            if unit.id >= len(self.position.ground.scenario.units):
                # tank bridges come after all that the scenario lists, each still on its layer (PL-1333)
                made[unit.id] = replace(unit, kind="n_tbridge", fate=RESERVE, name=KINDS["n_tbridge"].name)
        return made.values()

    def _dealt(self, unknown: Sequence[Unit]) -> list[tuple[Unit, Entry]]:
        """Who each of these units may be: faces that lie down are landing units, those off the table the latest of
        them; the rest may be anybody.
        """
        position = self.position
        scenario, waiting = position.ground.scenario, landing.sea_arrivals(position)
        known = {unit.name for unit in position.units if unit.kind != UNKNOWN}
        pool = [entry for entry in scenario.units if entry.side == self.enemy and entry.id not in known]
        landers = (entry for entry in pool if entry.id in waiting or entry.details.facedown)
        by_turn = _shuffled((entry for entry in landers if entry.aboard is None), self.lots)
        by_turn.sort(key=lambda entry: 0 if entry.arrival is None else entry.arrival.turn)
        dealt = list(zip([unit for unit in unknown if unit.hex], by_turn, strict=False))
        dealt += zip([unit for unit in unknown if unit.fate == RESERVE], reversed(by_turn), strict=False)
        taken = {entry.id for _, entry in dealt}
        rest = _shuffled((entry for entry in pool if entry.id not in taken), self.lots)
        unseen = [unit for unit in unknown if unit.fate == UNSEEN and unit.id < len(scenario.units)]
        return dealt + list(zip(unseen, rest, strict=False))

    def _placed(self, unit: Unit, entry: Entry) -> Unit:
        guess = _of(unit, entry)
        if unit.fate != UNSEEN:
            return guess
        waits = replace(guess, fate=RESERVE)
        if entry.arrival is None:
            if self.is_setting_up and entry.hex is None:
                return waits
            return self._inside(guess, entry) or self._somewhere(guess, self._starts(entry), self.segments) or unit
        since = self.segments - entry.arrival.turn + 1
        if since < 1 or entry.id in landing.sea_arrivals(self.position):
            return waits
        return self._somewhere(guess, frozenset(entry.arrival.hexes), since) or waits

    def _inside(self, guess: Unit, entry: Entry) -> Unit | None:
        """The unit inside its fort, where that still is the enemy's and hides it."""
        forts = (unit for unit in self.position.units if entry.inside and unit.name == entry.inside)
        for fort in forts:
            within = replace(guess, hex=fort.hex, fort=fort.id)
            if fort.hex and fort.side == self.enemy and not self._shows(within):
                return within
        return None

    def _shows(self, unit: Unit) -> bool:
        """Whether the side would see the unit; nobody it can't see has given himself away.

        Rules: PL-722, PL-1206, PL-1507.
        """
        if unit.hex in self.seen and not self._is_cover(unit.hex):
            return True
        return bool(self.position.aircraft) and air.is_sighted_from_air(self.position, unit, self.side)

    def _starts(self, entry: Entry) -> frozenset[HexId]:
        """Where the unit stood when the battle began."""
        if entry.hex is None or entry.hex in self.zone:
            return frozenset(self.zone)
        return frozenset([entry.hex])

    def _somewhere(self, unit: Unit, starts: frozenset[HexId], segments: int) -> Unit | None:
        """The unit in a hex by lot that it could have reached in so many of its segments and where the side would not
        see it; None when there is none.
        """
        far, reach = self._ways(unit.kind, starts), 2 * KINDS[unit.kind].movement * segments
        grounds = self._vehicle_grounds if KINDS[unit.kind].is_vehicle else self._foot_grounds
        likely = [place for place in grounds if 0 <= far[place] <= reach]
        while likely:
            place = likely.pop(self.lots.below(len(likely)))
            there = replace(unit, hex=place)
            if stacks.has_room(self.position, place, self.taken[place] + 1) and not self._shows(there):
                self.taken[place] += 1
                return there
        return None

    def _ways(self, kind: str, starts: frozenset[HexId]) -> Sequence[int]:
        """What it costs a unit of this type to come from its start to every hex, -1 where it can't."""
        position = self.position
        bridges, cache = obstacles(position, self.enemy).bridges, position.ground.cache
        key = ("imagined ways", KINDS[kind].mobility, starts, bridges)
        if key not in cache:
            layer = layers(position, bridges, kind)
            flags = bytes(position.ground.board.size)
            cache[key] = reacher(position.ground).flood(sorted(starts), layer.road, flags)
        ways: Sequence[int] = cache[key]
        return ways

    @cached_property
    def _hiding(self) -> list[HexId]:
        """The hexes into which the side does not see, or in whose cover it has spotted nobody; ground that it believes
        to be its own may have been taken unseen.
        """
        position, side = self.position, self.side
        own = {unit.hex for unit in position.units if unit.side == side}
        return [
            place
            for place in map(HexId, position.ground.board.hexes)
            if place not in own and place not in position.mines and (place not in self.seen or self._is_cover(place))
        ]

    def _is_cover(self, place: HexId) -> bool:
        position = self.position
        return is_concealing(position, place) and not sight.has_spotter_beside(position, place, self.side)

    @cached_property
    def _vehicle_grounds(self) -> list[HexId]:
        return self._grounds_of("g_pz4")

    @cached_property
    def _foot_grounds(self) -> list[HexId]:
        return self._grounds_of("g_rifle")

    def _grounds_of(self, kind: str) -> list[HexId]:
        unit = Unit(UnitId(0), kind, self.enemy)
        return [place for place in self._hiding if setup.may_stand(self.position, unit, place)]


def _of(unit: Unit, entry: Entry) -> Unit:
    """The unit with the face of an entry of the order of battle."""
    facing = entry.details.facing if unit.fate == UNSEEN else 0
    return replace(unit, kind=entry.type, name=entry.id, facing=facing, fate="" if unit.fate == UNSEEN else unit.fate)


def _segments(position: Position, side: SideId) -> int:
    """How many segments a side has had, the one under way included."""
    if not position.segment:
        return 0
    is_behind = side != position.ground.scenario.first and position.phasing != side
    return position.turn - is_behind
