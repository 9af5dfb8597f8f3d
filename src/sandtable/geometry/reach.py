# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# cython: annotation_typing=False, infer_types=False, nonecheck=False, auto_pickle=False
"""Movement reach over flat cost layers: a bucket-queue search with reused scratch.

One source for two uses: interpreted as it stands, or compiled with the C types that `reach.pxd` adds. Results and
ties are the same either way: of equally cheap ways into a hex the search keeps the first it finds, and it expands the
hexes of one cost latest found first, each in order of direction.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from sandtable.geometry.hexes import STEPS, Hex, from_offset, to_offset

if TYPE_CHECKING:
    from sandtable.geometry.board import Board
    from sandtable.geometry.grid import HexId

    Layer = bytes | bytearray
    Entering = Mapping[HexId, int]

FORBIDDEN = 255
"""The cost of a step that may not be taken."""

MAY_NOT_ENTER = 1
COSTS_MORE = 2
MUST_STOP = 4
ALTERNATE = 8
IN_ZONE = 16

MOST_TIMES = 15
"""The most that a step from zone to zone may multiply its cost by."""

_NEVER = (1 << 31) - 1
_TOP = 1 << 30


class Reach:
    """The hexes a search reached, in order of cost, the source first; a dict is built only when one is asked for."""

    def __init__(self, hexes: array[int], costs: array[int], came_from: array[int]) -> None:
        self.hexes = hexes
        self.costs = costs
        self._came_from = came_from
        self._cost_of: dict[HexId, int] = {}

    def cost(self, h: HexId) -> int:
        """The least cost to be in a hex, or -1 when it is out of reach."""
        # nothing reached is nothing to look up in, and made again at no cost
        self._cost_of = self._cost_of or self.as_dict()
        return self._cost_of.get(h, -1)

    def path_to(self, h: HexId) -> list[HexId]:
        """The hexes entered on a cheapest way to a hex, the hex itself last; KeyError when it is out of reach."""
        hexes, came_from = self.hexes, self._came_from
        path: list[HexId] = []
        here, i = h, len(hexes)
        # a hex is always found after the one it was reached from, so one way back through the list meets them all
        while here and i:
            i -= 1
            if hexes[i] == here:
                path.append(here)
                here = came_from[i]
        if here:
            raise KeyError(h)
        path.pop()  # the source, which is not entered
        path.reverse()
        return path

    def items(self) -> Iterator[tuple[HexId, int]]:
        """Each hex with its cost, cheapest first."""
        return zip(self.hexes, self.costs, strict=True)

    def as_dict(self) -> dict[HexId, int]:
        """The costs by hex."""
        return dict(zip(self.hexes, self.costs, strict=True))

    def __contains__(self, h: HexId) -> bool:
        return self.cost(h) >= 0

    def __iter__(self) -> Iterator[HexId]:
        return iter(self.hexes)

    def __len__(self) -> int:
        return len(self.hexes)


class Reacher:
    """Searches over one size of board; it keeps its scratch, so a call allocates nothing but its result.

    A cost layer holds 8 bytes per hex, 6 of them used: the cost to leave the hex in a direction and enter the
    neighbor, 255 where that is forbidden. Flags hold a byte per hex: MAY_NOT_ENTER, COSTS_MORE (zone_cost more to
    enter), MUST_STOP (no further once entered), ALTERNATE (the second cost layer holds for entering this hex) and
    IN_ZONE. Flags never bind the source, save that a step from one hex IN_ZONE to another, the source among them,
    costs `zone_to_zone` times as much, before zone_cost is added, and can't be taken where that is 0.

    `entering` holds costs by hex that are laid over the layers for the call: a hex named there costs that much from
    every side by which the layers let it be entered, 255 forbids it.
    """

    def __init__(self, board: Board) -> None:
        self.size = board.size
        stride = board.height + 2
        fresh = array("i", [-1]) * board.size
        for h in board.hexes:
            fresh[h] = _NEVER
        # guard hexes hold -1, below every value in use, so no step off the board ever looks like an improvement
        self._fresh = fresh
        self._value = array("i", fresh)
        self._base = _TOP
        self._odd = bytes(h // stride - 1 & 1 for h in range(board.size))
        self._steps = _neighbor_offsets(stride)
        self._came = array("i", bytes(4 * board.size))
        self._mask = 0
        self._head = array("i")
        # a hex enters the queue at most once per neighbor
        self._entry = array("i", bytes(4 * (6 * board.size + 1)))
        self._link = array("i", bytes(4 * (6 * board.size + 1)))
        self._used = 0
        # one more than the cost laid over a hex, 0 where the layers hold
        self._laid = array("H", bytes(2 * board.size))
        self._times = 1
        self._is_plain = True
        self._hexes = self._out_hexes = array("i", bytes(4 * board.size))
        self._costs = self._out_costs = array("i", bytes(4 * board.size))
        self._froms = self._out_froms = array("i", bytes(4 * board.size))

    def reach(
        self,
        source: HexId,
        allowance: int,
        costs: Layer,
        flags: Layer,
        alternate: Layer | None = None,
        zone_cost: int = 0,
        zone_to_zone: int = 1,
        entering: Entering | None = None,
    ) -> Reach:
        """Every hex that can be entered for no more than the allowance, with its cost and a cheapest way there."""
        if alternate is None:
            alternate = costs
        self._check(costs, flags, alternate, zone_cost, zone_to_zone)
        self._lay(entering, zone_to_zone)
        if not entering:
            return self._reach(source, allowance, costs, flags, alternate, zone_cost)
        try:
            return self._reach(source, allowance, costs, flags, alternate, zone_cost)
        finally:
            self._lift(entering)

    def reach_many(
        self,
        sources: Sequence[HexId],
        allowances: Sequence[int],
        costs: Layer,
        flags: Layer,
        alternate: Layer | None = None,
        zone_cost: int = 0,
        zone_to_zone: int = 1,
        entering: Entering | None = None,
    ) -> list[Reach]:
        """The reach of each source with its own allowance, in order: a whole side in one call."""
        if alternate is None:
            alternate = costs
        self._check(costs, flags, alternate, zone_cost, zone_to_zone)
        self._lay(entering, zone_to_zone)
        try:
            return [
                self._reach(source, allowance, costs, flags, alternate, zone_cost)
                for source, allowance in zip(sources, allowances, strict=True)
            ]
        finally:
            self._lift(entering)

    def path(
        self,
        source: HexId,
        goal: HexId,
        costs: Layer,
        flags: Layer,
        alternate: Layer | None = None,
        zone_cost: int = 0,
        zone_to_zone: int = 1,
        entering: Entering | None = None,
    ) -> list[HexId] | None:
        """The hexes entered on a cheapest way to the goal, the goal last, or None when there is no way."""
        if alternate is None:
            alternate = costs
        self._check(costs, flags, alternate, zone_cost, zone_to_zone)
        self._check_hex(goal)
        self._check_hex(source)
        self._lay(entering, zone_to_zone)
        self._begin(self._unlimited(zone_cost), zone_cost)
        self._seed(source)
        n = self._search(self._unlimited(zone_cost), costs, flags, alternate, zone_cost, goal)
        self._lift(entering)
        if self._out_hexes[n - 1] != goal:
            return None
        return self._result(n).path_to(goal)

    def flood(
        self,
        sources: HexId | Sequence[HexId],
        costs: Layer,
        flags: Layer,
        alternate: Layer | None = None,
        zone_cost: int = 0,
        zone_to_zone: int = 1,
        entering: Entering | None = None,
    ) -> array[int]:
        """The cost from the nearest source to every hex, by HexId, -1 where there is no way."""
        if alternate is None:
            alternate = costs
        self._check(costs, flags, alternate, zone_cost, zone_to_zone)
        starts = [sources] if isinstance(sources, int) else sources
        for source in starts:
            self._check_hex(source)
        self._lay(entering, zone_to_zone)
        self._begin(self._unlimited(zone_cost), zone_cost)
        for source in starts:
            self._seed(source)
        n = self._search(self._unlimited(zone_cost), costs, flags, alternate, zone_cost, 0)
        self._lift(entering)
        return self._field(n)

    def _check(self, costs: Layer, flags: Layer, alternate: Layer, zone_cost: int, zone_to_zone: int) -> None:
        size = self.size
        if len(costs) != 8 * size or len(alternate) != 8 * size:
            raise ValueError(f"a cost layer of this board has {8 * size} bytes")
        if len(flags) != size:
            raise ValueError(f"the flags of this board have {size} bytes, not {len(flags)}")
        if not 0 <= zone_cost <= 255:
            raise ValueError(f"a zone can't cost {zone_cost}")
        if not 0 <= zone_to_zone <= MOST_TIMES:
            raise ValueError(f"a step from zone to zone can't cost {zone_to_zone} times as much")

    def _lay(self, entering: Entering | None, zone_to_zone: int) -> None:
        """Costs are laid over the layers for one call: all of them, or none when one of them can't be."""
        self._times = zone_to_zone
        self._is_plain = not entering and zone_to_zone == 1
        if not entering:
            return
        for h, cost in entering.items():
            self._check_hex(h)
            if not 0 <= cost <= FORBIDDEN:
                raise ValueError(f"hex {h} can't cost {cost} to enter")
        for h, cost in entering.items():
            self._laid[h] = cost + 1

    def _lift(self, entering: Entering | None) -> None:
        if entering:
            for h in entering:
                self._laid[h] = 0

    def _check_hex(self, h: HexId) -> None:
        if not 0 < h < self.size or self._fresh[h] < 0:
            raise ValueError(f"hex {h} is off the board")

    def _reach(
        self, source: HexId, allowance: int, costs: Layer, flags: Layer, alternate: Layer, zone_cost: int
    ) -> Reach:
        if allowance < 0:
            raise ValueError(f"an allowance of {allowance} is less than nothing")
        limit = self._unlimited(zone_cost)
        if allowance > limit:
            allowance = limit
        self._begin(allowance, zone_cost)
        self._seed(source)
        return self._result(self._search(allowance, costs, flags, alternate, zone_cost, 0))

    def _widest(self, zone_cost: int) -> int:
        """The most that one step can cost."""
        return 254 * (self._times if self._times else 1) + zone_cost

    def _unlimited(self, zone_cost: int) -> int:
        """More than any way can cost, or as much as the numbers in use can hold on boards of a million hexes."""
        widest, most = self._widest(zone_cost), _TOP - 2
        return widest * self.size if widest < most // self.size else most

    def _begin(self, allowance: int, zone_cost: int) -> None:
        """Old values now read as infinite: each search counts from a lower base, and only a spent base costs a
        refill.
        """
        if self._base <= allowance + 1:
            self._value[:] = self._fresh
            self._base = _TOP
        self._base -= allowance + 1
        widest = self._widest(zone_cost)
        if allowance < widest:
            widest = allowance
        mask = 1
        while mask <= widest:
            mask += mask
        if mask > len(self._head):
            self._head = array("i", bytes(4 * mask))
        self._mask = mask - 1
        self._used = 0
        self._empty_buckets()

    def _empty_buckets(self) -> None:
        head = self._head
        for slot in range(self._mask + 1):
            head[slot] = -1

    def _seed(self, source: HexId) -> None:
        self._check_hex(source)
        if self._value[source] == self._base:
            return  # named twice
        self._value[source] = self._base
        self._came[source] = 0
        self._entry[self._used] = source
        self._link[self._used] = self._head[0]
        self._head[0] = self._used
        self._used += 1

    def _search(self, allowance: int, costs: Layer, flags: Layer, alternate: Layer, zone_cost: int, goal: HexId) -> int:
        """The number of hexes reached, now in the out buffers; the goal, when it is reached, is the last of them."""
        value, came, steps, odd = self._value, self._came, self._steps, self._odd
        head, entry, link = self._head, self._entry, self._link
        out_hexes, out_costs, out_froms = self._out_hexes, self._out_costs, self._out_froms
        base, mask, used = self._base, self._mask, self._used
        is_plain = self._is_plain
        n = c = highest = 0
        while c <= highest:
            slot = c & mask
            e = head[slot]
            while e >= 0:
                head[slot] = link[e]
                h = entry[e]
                if value[h] == base + c:  # otherwise a cheaper way in was found after this entry was made
                    came_from = came[h]
                    out_hexes[n] = h
                    out_costs[n] = c
                    out_froms[n] = came_from
                    n += 1
                    if h == goal:
                        return n
                    if not (flags[h] & 4 and came_from):
                        step = 6 * odd[h]
                        for i in range(8 * h, 8 * h + 6):
                            t = h + steps[step]
                            step += 1
                            f = flags[t]
                            k = alternate[i] if f & 8 else costs[i]
                            if k == 255 or f & 1:
                                continue
                            if not is_plain:
                                k = self._price(k, t, f & flags[h] & 16)
                                if k < 0:
                                    continue
                            k += c
                            if f & 2:
                                k += zone_cost
                            if k > allowance or base + k >= value[t]:
                                continue
                            value[t] = base + k
                            came[t] = h
                            entry[used] = t
                            slot_t = k & mask
                            link[used] = head[slot_t]
                            head[slot_t] = used
                            used += 1
                            if k > highest:
                                highest = k
                e = head[slot]
            c += 1
        return n

    def _price(self, cost: int, t: HexId, is_from_zone: int) -> int:
        """What a step costs that enters a hex, in a zone from a zone or not; -1 when it is forbidden."""
        if self._laid[t]:
            cost = self._laid[t] - 1
        if is_from_zone:
            return -1 if cost == 255 or self._times == 0 else cost * self._times
        return -1 if cost == 255 else cost

    def _result(self, n: int) -> Reach:
        return Reach(self._hexes[:n], self._costs[:n], self._froms[:n])

    def _field(self, n: int) -> array[int]:
        field = array("i", [-1]) * self.size
        cells, out_hexes, out_costs = field, self._out_hexes, self._out_costs
        for i in range(n):
            cells[out_hexes[i]] = out_costs[i]
        return field


def _neighbor_offsets(stride: int) -> array[int]:
    """What to add to a HexId for each direction: six for even columns, then six for odd ones."""
    offsets = array("i")
    for col in (0, 1):
        q, r = from_offset(col, 0)
        for dq, dr in STEPS:
            there_col, there_row = to_offset(Hex(q + dq, r + dr))
            offsets.append((there_col - col) * stride + there_row)
    return offsets
