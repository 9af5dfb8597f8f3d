"""What is observed from one hex of a small map, all of it known.

Rules: PL-701.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from sandtable.kernel.ids import HexId


class Listed(Protocol):
    """Places with a number for each."""

    @property
    def numbers(self) -> Iterable[HexId]: ...


class WholeRow(bytes):
    """A byte for every hex, 1 for those that are observed."""

    def among(self, places: Listed) -> set[HexId]:
        """Those of the places that are observed."""
        return {place for place in places.numbers if self[place]}
