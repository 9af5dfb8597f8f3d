"""What is seen from the hexes of a ground, whoever stands there.

The line of sight itself is the bare geometry of symbols and towns; smoke and the depth of streams are laid over it.

Rules: PL-701, PL-703, PL-704, PL-710, PL-711, PL-714.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol

from sandtable.geometry.board import Board
from sandtable.geometry.sight import AREA, SymbolSight
from sandtable.kernel.ids import NOWHERE, HexId
from sandtable.mechanics.elevation import EFFECTS, ELEVATIONS, past_hex
from sandtable.rulesets.panzer_leader.combat_tables import ElevationRow, combat_tables
from sandtable.rulesets.panzer_leader.ground import Ground
from sandtable.rulesets.panzer_leader.sight_rows import WholeRow

# What a hexside shows to a line of sight. A brown side that touches an orange one is a case of its own (PL-705).
GREEN, BROWN, BROWN_AT_CREST, CREST = 1, 2, 3, 4
TOWN = 1

_CREST_SYMBOLS = ("orange", "cliff")

MOST_ROWS = 1500
"""From how many hexes the looks are remembered."""

SMALL = 4096
"""On a map of so many hexes all of them are judged at once, which is quicker to ask and takes less room."""


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
    """Whether a side shares a corner with an orange or cliff side, on the edge of the map too."""
    left, right = (d + 5) % 6, (d + 1) % 6
    beyond, near, far = board.neighbor(place, d), board.neighbor(place, left), board.neighbor(place, right)
    # the four sides that meet this one at its corners: two of this hex, two of the hex beyond, which are also the
    # neighbors' where that is off the map
    own, others = [(place, left), (place, right)], [(beyond, (d + 4) % 6), (beyond, (d + 2) % 6)]
    if not beyond:
        others = [(near, right), (far, left)]
    return any(symbol in board.side_features(h, side) for h, side in (*own, *others) if h for symbol in _CREST_SYMBOLS)


def elevation_effects() -> dict[tuple[int, int, int, int], int]:
    """The target elevation table as the geometry reads it: by lower level, upper level, code and obstacle level.

    Rules: PL-206, PL-707, PL-708, PL-709.
    """
    effects: dict[tuple[int, int, int, int], int] = {}
    for row in combat_tables().target_elevation.row:
        lower, upper = ELEVATIONS[row.firer], ELEVATIONS[row.target]
        if lower <= upper:  # the table says the same of both directions (PL-711)
            effects.update(_row_effects(row, lower, upper))
    return effects


def _row_effects(row: ElevationRow, lower: int, upper: int) -> dict[tuple[int, int, int, int], int]:
    greens = (row.green_ground, row.green_slope, row.green_hilltop)
    made = {(lower, upper, GREEN, level): EFFECTS[word] for level, word in enumerate(greens)}
    for level in ELEVATIONS.values():
        made[lower, upper, BROWN, level] = made[lower, upper, BROWN_AT_CREST, level] = EFFECTS[row.brown]
        made[lower, upper, CREST, level] = EFFECTS[row.orange_or_cliff]
    made[lower, upper, AREA + TOWN, ELEVATIONS["ground"]] = EFFECTS[row.town_ground]
    made[lower, upper, AREA + TOWN, ELEVATIONS["hilltop"]] = EFFECTS[row.town_hilltop]
    return made


def past_smoke(ground: Ground, place: HexId) -> SymbolSight:
    """Lines that nothing but smoke in one hex can block, remembered with the ground.

    Rules: PL-1609.
    """
    sight: SymbolSight | None = ground.cache.get(("smoke", place))
    if sight is None:
        sight = ground.cache["smoke", place] = past_hex(ground.board, place)
    return sight


# --- past smoke and streams -----------------------------------------------------------------------------------------


class Looks(dict[HexId, "Row"]):
    """Rows by the hex from which one looks, each made when it is first asked for; at most so many are remembered."""

    def __init__(self, ground: Ground, streams: frozenset[HexId], smoke: tuple[HexId, ...]) -> None:
        self.ground, self.streams, self.smoke = ground, streams, smoke
        self.bare = sight_on(ground)
        self.is_small = ground.board.size <= SMALL
        self._onto: dict[HexId, WholeRow] = {}

    def __missing__(self, place: HexId) -> Row:
        if len(self) >= MOST_ROWS:
            self.clear()
        row: Row = self._whole(place) if self.is_small else JudgedRow(self, place)
        self[place] = row
        return row

    def _whole(self, place: HexId) -> WholeRow:
        """What is observed from a hex of a small map."""
        seen = self._clear(place)
        near = self.near(place)
        if near is not None:
            in_deep = place in self.streams
            for hidden in self.ground.board.hexes if in_deep else self.streams:
                if hidden not in near:
                    seen[hidden] = 0
        return WholeRow(seen)

    def near(self, place: HexId) -> set[HexId] | None:
        """All that a look from here can reach in a stream, or out of the one it is in; None for a look from above."""
        board = self.ground.board
        # only a look from the ground or from a stream is cut short by the depth of streams
        if not self.streams or (board.elevation[place] and place not in self.streams):
            return None
        return {place, *map(HexId, board.neighbors(place))}

    def _clear(self, place: HexId) -> bytearray:
        """Every hex with a clear line from here, past smoke, the depth of streams aside."""
        bare = self.bare.visible(place)
        if not self.smoke:
            return bytearray(bare)
        # whole rows at a stroke, as numbers of many digits: a hex is seen past all smoke or not at all
        seen = int.from_bytes(bare, "little")
        for smoke in self.smoke:
            seen &= int.from_bytes(past_smoke(self.ground, smoke).visible(place), "little")
        return bytearray(seen.to_bytes(len(bare), "little"))

    def onto(self, place: HexId) -> WholeRow:
        """A byte for every hex of a small map, 1 for those from which a hex is observed."""
        found = self._onto.get(place)
        if found is None:
            if len(self._onto) >= MOST_ROWS:
                self._onto.clear()
            board, seen = self.ground.board, self._clear(place)
            near = {place, *board.neighbors(place)}
            # out of the deep nothing is seen but what is beside it, and into it from the ground no more
            for eye in board.hexes if place in self.streams else self.streams:
                if eye not in near and (eye in self.streams or not board.elevation[eye]):
                    seen[eye] = 0
            found = self._onto[place] = WholeRow(seen)
        return found

    def eyes_on(self, place: HexId, eyes: Places) -> set[HexId]:
        """Those of the eyes that see a hex."""
        if self.streams:
            return {eye for eye in eyes.numbers if self[eye][place]}
        # without streams who is seen sees, so that one row tells of all of them
        return self[place].among(eyes)


class Places:
    """Hexes with a number for each; never changed once others know of it, so that it can be told by its identity.

    The numbers are a mapping of their own, since copying one that something was taken out of is quick for that alone.
    """

    __slots__ = ("numbers", "token")

    def __init__(self, numbers: dict[HexId, int]) -> None:
        self.numbers, self.token = numbers, object()


class Row(Protocol):
    """What is observed from one hex."""

    def __getitem__(self, place: HexId) -> int:
        """1 when the hex is observed, else 0."""

    def among(self, places: Places) -> set[HexId]:
        """Those of the places that are observed from here."""


class JudgedRow:
    """What is observed from one hex, judged hex by hex when it is asked for: on a large map nobody asks for most."""

    __slots__ = ("_crowd", "_known", "_latest", "_looks", "_near", "_place", "_seen")

    def __init__(self, looks: Looks, place: HexId) -> None:
        self._looks, self._place, self._near = looks, place, looks.near(place)
        # the first many places that were judged at once, which rows made at the same time share, and the others
        self._crowd: Mapping[HexId, int] = {}
        self._known: set[HexId] = set()
        self._seen: set[HexId] = set()
        self._latest: tuple[object, ...] = ()

    def __getitem__(self, place: HexId) -> int:
        if place not in self._known and place not in self._crowd:
            if place == NOWHERE:
                return 0
            self._judge((place,))
            self._known.add(place)
        return 1 if place in self._seen else 0

    def among(self, places: Places) -> set[HexId]:
        # the latest sets of places that were judged are known by their tokens, which keep nothing else alive
        numbers = places.numbers
        if places.token not in self._latest:
            if not self._crowd and len(self._known) < len(numbers):
                self._judge(numbers)
                self._crowd = numbers
            else:
                unknown = [place for place in numbers if place not in self._crowd and place not in self._known]
                if unknown:
                    self._judge(unknown)
                    self._known.update(unknown)
            self._latest = (*self._latest[-1:], places.token)
        return numbers.keys() & self._seen

    def _judge(self, places: Iterable[HexId]) -> None:
        """Those of these places that are observed from here are among the seen."""
        looks, here = self._looks, self._place
        clear = looks.bare.sees_each(here, places)
        if self._near is not None:
            in_deep = here in looks.streams
            clear = [p for p in clear if p in self._near or not (in_deep or p in looks.streams)]
        for smoke in looks.smoke:
            clear = past_smoke(looks.ground, smoke).sees_each(here, clear)
        self._seen.update(clear)
