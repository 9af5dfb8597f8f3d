"""Who sees what, and who has been spotted.

The line of sight itself is the bare geometry of symbols and towns; smoke, streams and spotting are laid over it.

Rules: PL-701, PL-703, PL-704, PL-710, PL-711, PL-714.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from operator import is_

from sandtable.geometry.board import Board
from sandtable.geometry.sight import (
    AREA,
    BLOCKS,
    BLOCKS_BESIDE_LOWER,
    BLOCKS_NEAR_LOWER,
    CLEAR,
    ONE_ALLOWED,
    Obstruction,
    SymbolSight,
)
from sandtable.kernel.ids import HexId, RuleId, SideId, UnitId
from sandtable.kernel.resolution import Resolution
from sandtable.kernel.trace import Line
from sandtable.rulesets.panzer_leader.combat import ElevationRow, combat_tables
from sandtable.rulesets.panzer_leader.events import Sighted
from sandtable.rulesets.panzer_leader.ground import Ground
from sandtable.rulesets.panzer_leader.kinds import KINDS
from sandtable.rulesets.panzer_leader.model import Position, Sighting, Unit, enemy_of
from sandtable.rulesets.panzer_leader.stacks import active, stacks
from sandtable.rulesets.panzer_leader.terrain import has_bridge, is_concealing

# What a hexside shows to a line of sight. A brown side that touches an orange one is a case of its own (PL-705).
GREEN, BROWN, BROWN_AT_CREST, CREST = 1, 2, 3, 4
TOWN = 1

_LEVELS = {"ground": 0, "slope": 1, "hilltop": 2}
_EFFECTS = {
    "B": BLOCKS,
    "behind_lower": BLOCKS_BESIDE_LOWER,
    "near_ground": BLOCKS_NEAR_LOWER,
    "O1": ONE_ALLOWED,
    ".": CLEAR,
}
_CREST_SYMBOLS = ("orange", "cliff")

_REASONS = {
    (GREEN, BLOCKS): ("woods", "PL-707"),
    (GREEN, BLOCKS_BESIDE_LOWER): ("directly behind woods", "PL-708"),
    (BROWN, BLOCKS): ("slope", "PL-707"),
    (BROWN, BLOCKS_NEAR_LOWER): ("brown near ground unit", "PL-709"),
    (CREST, BLOCKS): ("crest", "PL-707"),
    (CREST, ONE_ALLOWED): ("second crest", "PL-707"),
    (AREA + TOWN, BLOCKS): ("town", "PL-706"),
    (AREA + TOWN, BLOCKS_BESIDE_LOWER): ("directly behind town", "PL-708"),
}

_WORKS = frozenset(key for key, printed in KINDS.items() if printed.is_work)
_BLIND = frozenset(key for key, printed in KINDS.items() if printed.is_soft_carrier) | _WORKS
_TANK_BRIDGES = frozenset(key for key, printed in KINDS.items() if printed.is_temporary_bridge)

_MOST_LOOKS = 64
"""How many states of smoke and bridges a ground remembers the looks of, lest the list grow forever."""

_MOST_UNITED = 16
"""How many sets of hexes their united looks are remembered of."""


# --- the bare line --------------------------------------------------------------------------------------------------


def sight_on(ground: Ground) -> SymbolSight:
    """The lines of sight of a ground, remembered with it."""
    sight: SymbolSight | None = ground.cache.get("sight")
    if sight is None:
        board = ground.board
        towns = bytes(TOWN if key == "town" else 0 for key in board.terrain)
        sight = SymbolSight(
            board, board.elevation, side_codes(board), towns, elevation_effects(), clear_lengthwise=(BROWN_AT_CREST,)
        )
        ground.cache["sight"] = sight
    return sight


def side_codes(board: Board) -> bytes:
    """The code of each hexside, eight bytes per hex.

    Rules: PL-203, PL-204, PL-705.
    """
    codes = bytearray(8 * board.size)
    for (place, d), symbols in board.hexsides.items():
        if any(symbol in symbols for symbol in _CREST_SYMBOLS):
            codes[8 * place + d] = CREST
        elif "brown" in symbols:
            codes[8 * place + d] = BROWN_AT_CREST if _touches_crest(board, place, d) else BROWN
        elif "green" in symbols:
            codes[8 * place + d] = GREEN
    return bytes(codes)


def _touches_crest(board: Board, place: HexId | int, d: int) -> bool:
    """Whether a side shares a corner with an orange or cliff side."""
    beyond = board.neighbor(place, d)
    left, right = (d + 5) % 6, (d + 1) % 6
    # the four sides that meet this one at its corners: two of this hex, two of the hex beyond
    sides = [(place, left), (place, right), (beyond, (d + 4) % 6), (beyond, (d + 2) % 6)]
    return any(symbol in board.side_features(h, side) for h, side in sides if h for symbol in _CREST_SYMBOLS)


def elevation_effects() -> dict[tuple[int, int, int, int], int]:
    """The target elevation table as the geometry reads it: by lower level, upper level, code and obstacle level.

    Rules: PL-206, PL-707, PL-708, PL-709.
    """
    effects: dict[tuple[int, int, int, int], int] = {}
    for row in combat_tables().target_elevation.row:
        lower, upper = _LEVELS[row.firer], _LEVELS[row.target]
        if lower <= upper:  # the table says the same of both directions (PL-711)
            effects.update(_row_effects(row, lower, upper))
    return effects


def _row_effects(row: ElevationRow, lower: int, upper: int) -> dict[tuple[int, int, int, int], int]:
    greens = (row.green_ground, row.green_slope, row.green_hilltop)
    made = {(lower, upper, GREEN, level): _EFFECTS[word] for level, word in enumerate(greens)}
    for level in _LEVELS.values():
        made[lower, upper, BROWN, level] = made[lower, upper, BROWN_AT_CREST, level] = _EFFECTS[row.brown]
        made[lower, upper, CREST, level] = _EFFECTS[row.orange_or_cliff]
    made[lower, upper, AREA + TOWN, _LEVELS["ground"]] = _EFFECTS[row.town_ground]
    made[lower, upper, AREA + TOWN, _LEVELS["hilltop"]] = _EFFECTS[row.town_hilltop]
    return made


def _past_smoke(ground: Ground, place: HexId) -> SymbolSight:
    """Lines that nothing but smoke in one hex can block, remembered with the ground.

    Rules: PL-1609.
    """
    sight: SymbolSight | None = ground.cache.get(("smoke", place))
    if sight is None:
        board = ground.board
        areas = bytearray(board.size)
        areas[place] = TOWN
        sight = SymbolSight(board, bytes(board.size), bytes(8 * board.size), areas, {(0, 0, AREA + TOWN, 0): BLOCKS})
        ground.cache["smoke", place] = sight
    return sight


def sees(position: Position, a: HexId, b: HexId) -> bool:
    """Whether there is a line of sight between two hexes, smoke included, streams not.

    Rules: PL-702, PL-710, PL-1609.
    """
    ground = position.ground
    if not sight_on(ground).visible(a)[b]:
        return False
    return not position.smoke or all(_past_smoke(ground, h).sees(a, b) for h in position.smoke)


def why_unseen(position: Position, a: HexId, b: HexId) -> Line | None:
    """What stands between two hexes and where, or None when one sees the other."""
    board = position.ground.board
    blocked = sight_on(position.ground).why(a, b)
    if blocked is not None:
        word, rule = _reason(blocked)
        return Line(word, board.label(blocked.hex), RuleId(rule))
    for place in position.smoke:
        if not _past_smoke(position.ground, place).sees(a, b):
            return Line("smoke", board.label(place), RuleId("PL-1609"))
    return None


def _reason(blocked: Obstruction) -> tuple[str, str]:
    code = BROWN if blocked.code == BROWN_AT_CREST else blocked.code
    return _REASONS[code, blocked.effect]


# --- what a unit observes -------------------------------------------------------------------------------------------


def is_in_stream(position: Position, place: HexId) -> bool:
    """Whether a hex is a stream without a bridge that stands."""
    return position.ground.board.terrain[place] == "stream" and not has_bridge(position, place)


def _open_streams(position: Position) -> frozenset[HexId]:
    """The stream hexes without a bridge."""
    cache, down = position.ground.cache, position.bridges_down
    streams: frozenset[HexId] | None = cache.get(("streams", down) if down else "streams")
    if streams is None:
        board = position.ground.board
        streams = frozenset(
            h for h in board.hexes if board.terrain[h] == "stream" and (h in down or not board.has_feature(h, "bridge"))
        )
        cache[("streams", down) if down else "streams"] = streams
    if not streams:
        return streams
    # which units are tank bridges never changes in a battle, only where they lie
    bridges = cache.get(("tank bridges", len(position.units)))
    if bridges is None:
        bridges = tuple(unit.id for unit in position.units if unit.kind in _TANK_BRIDGES)
        cache["tank bridges", len(position.units)] = bridges
    laid = [position.units[id].hex for id in bridges if position.units[id].hex]
    return streams.difference(laid) if laid else streams


def look(position: Position, place: HexId) -> bytes:
    """A byte per hex, 1 for each that a unit standing here observes.

    A stream lies deep: it is seen from ground level only when adjacent, and from within it only what is adjacent.

    Rules: PL-712, PL-713, PL-1609.
    """
    return looks(position)(place)


def looks(position: Position) -> Callable[[HexId], bytes]:
    """What is observed from each hex while smoke and bridges stay as they are, remembered with the ground."""
    latest = position.ground.cache.get("latest looks")
    if latest is not None:
        units, smoke, down, found = latest
        if units is position.units and smoke is position.smoke and down is position.bridges_down:
            known: Callable[[HexId], bytes] = found
            return known
    made = _looks(position).__getitem__
    position.ground.cache["latest looks"] = (position.units, position.smoke, position.bridges_down, made)
    return made


def _looks(position: Position) -> _Looks:
    streams, smoke = _open_streams(position), tuple(position.smoke)
    kept: dict[object, _Looks] = position.ground.cache.setdefault("looks", {})
    found = kept.get((streams, smoke))
    if found is None:
        if len(kept) >= _MOST_LOOKS:
            kept.clear()
        found = kept[streams, smoke] = _Looks(position.ground, streams, smoke)
    return found


class _Looks(dict[HexId, bytes]):
    """Masks by the hex from which one looks, each made when it is first asked for."""

    def __init__(self, ground: Ground, streams: frozenset[HexId], smoke: tuple[HexId, ...]) -> None:
        self._ground, self._streams, self._smoke = ground, streams, smoke
        self._numbers: dict[HexId, int] = {}
        self._united: dict[frozenset[HexId], bytes] = {}

    def united(self, places: frozenset[HexId]) -> bytes:
        """What is observed from any of these hexes; while one side moves, the other's hexes stay the same."""
        mask = self._united.get(places)
        if mask is None:
            union = 0
            for place in places:
                union |= self._number(place)
            if len(self._united) >= _MOST_UNITED:
                self._united.clear()
            mask = self._united[places] = union.to_bytes(self._ground.board.size, "little")
        return mask

    def _number(self, place: HexId) -> int:
        """The mask of a hex as one number, ready to be united with others."""
        number = self._numbers.get(place)
        if number is None:
            number = self._numbers[place] = int.from_bytes(self[place], "little")
        return number

    def __missing__(self, place: HexId) -> bytes:
        mask = self[place] = self._overlaid(place, sight_on(self._ground).visible(place))
        return mask

    def _overlaid(self, place: HexId, bare: bytes) -> bytes:
        """The bare lines from a hex less what smoke and the depth of streams hide."""
        if not self._streams and not self._smoke:
            return bare
        board = self._ground.board
        mask = int.from_bytes(bare, "little")
        for smoke in self._smoke:
            mask &= int.from_bytes(_past_smoke(self._ground, smoke).visible(place), "little")
        seen = bytearray(mask.to_bytes(board.size, "little"))
        near = {place, *board.neighbors(place)}
        if place in self._streams:
            return bytes(seen[h] if h in near else 0 for h in range(board.size))
        if not board.elevation[place]:
            for stream in self._streams - near:
                seen[stream] = 0
        return bytes(seen)


def can_observe(position: Position, unit: Unit, place: HexId) -> bool:
    """Whether the unit, where it stands, sees what is in a hex.

    Rules: PL-712, PL-713.
    """
    return look(position, unit.hex)[place] != 0


def visible_mask(position: Position, side: SideId) -> bytes:
    """A byte per hex, 1 for each that some unit of the side observes; the latest is remembered for each side."""
    sources = (position.units, position.smoke, position.bridges_down)
    known = position.ground.cache.get(("mask", side))
    if known is not None and all(map(is_, known[0], sources)):
        latest: bytes = known[1]
        return latest
    mask = _looks(position).united(
        frozenset([unit.hex for unit in position.units if unit.side == side and unit.hex and unit.kind not in _WORKS])
    )
    position.ground.cache["mask", side] = (sources, mask)
    return mask


# --- spotting -------------------------------------------------------------------------------------------------------


def can_spot(unit: Unit) -> bool:
    """Whether a unit can spot at all: trucks, wagons, forts as such and dispersed units can't.

    Rules: PL-724.
    """
    return not unit.dispersed and unit.kind not in _BLIND


def witnesses(position: Position, place: HexId, side: SideId) -> tuple[UnitId, ...]:
    """The side's units that can spot and see into a hex."""
    if not visible_mask(position, side)[place]:
        return ()
    seen_from = looks(position)
    return tuple([unit.id for unit in active(position, side) if can_spot(unit) and seen_from(unit.hex)[place]])


def has_spotter_beside(position: Position, place: HexId, side: SideId) -> bool:
    """Whether a unit of the side that can spot is in the hex or adjacent to it.

    Rules: PL-722, PL-1322.
    """
    occupied = stacks(position)
    for near in (place, *position.ground.board.neighbors(place)):
        for unit in occupied.get(HexId(near), ()):
            if unit.side == side and can_spot(unit):
                return True
    return False


def is_spotted(position: Position, target: Unit, by: SideId) -> bool:
    """Whether a side may fire at a unit from afar, judged at this very moment.

    Rules: PL-721, PL-722, PL-723, PL-725.
    """
    return is_spotted_at(position, target, target.hex, by)


def is_spotted_at(position: Position, target: Unit, place: HexId, by: SideId) -> bool:
    """The same for a unit that is about to stand in a hex."""
    if not is_concealing(position, place):
        return True
    if has_spotter_beside(position, place, by):
        return True
    return any(
        sighting.hex == place
        and _betrays(position, sighting, target)
        and any(_still_watches(position, witness, place, by) for witness in sighting.witnesses)
        for sighting in position.sightings
    )


def _betrays(position: Position, sighting: Sighting, target: Unit) -> bool:
    """Whether the unit that fired is the target, carries it, or holds the fort that it is."""
    return sighting.unit in (target.id, target.carrier) or position.units[sighting.unit].fort == target.id


def _still_watches(position: Position, witness: UnitId, place: HexId, side: SideId) -> bool:
    unit = position.units[witness]
    return unit.side == side and unit.hex != 0 and can_spot(unit) and can_observe(position, unit, place)


def give_away(resolution: Resolution[Position], firers: Iterable[UnitId]) -> None:
    """Units that fired out of hiding are known to the enemies who could see it.

    Rules: PL-722.
    """
    position = resolution.position
    seen: list[Sighting] = []
    for id in firers:
        unit = position.units[id]
        if not unit.hex or not is_concealing(position, unit.hex):
            continue
        by = witnesses(position, unit.hex, enemy_of(unit.side))
        if by:
            seen.append(Sighting(id, unit.hex, position.segment, by))
    if seen:
        resolution.emit(Sighted(tuple(seen)))
