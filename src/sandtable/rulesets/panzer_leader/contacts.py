"""What a side is told because of what it sees: enemies come into its sight and go out of it.

Rules: PL-1507.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from sandtable.kernel.events import DISCERNED, Event
from sandtable.kernel.ids import NOWHERE, HexId, SideId, UnitId
from sandtable.rulesets.panzer_leader.model import Mine, Mover, Sighting, Unit, Work


class ContactMoved(Event, frozen=True):
    """An enemy has come into a side's sight along the path it saw of his move (PL-1507)."""

    audience = DISCERNED

    unit: Unit
    path: tuple[HexId, ...]
    mover: Mover


class MovedOutOfSight(Event, frozen=True):
    """An enemy is out of a side's sight after the path it saw of his move, of which it may have caught a glimpse alone;
    it remembers where it saw him last (PL-1507).
    """

    audience = DISCERNED

    unit: UnitId
    path: tuple[HexId, ...]


class UnitsSighted(Event, frozen=True):
    """Units that a side could not see, or not as they are, are in its sight (PL-1507); `contacts` are those among them
    that it did not see before.
    """

    audience = DISCERNED

    units: tuple[Unit, ...]
    contacts: tuple[UnitId, ...] = ()


class SightLost(Event, frozen=True):
    """Units that a side saw are out of its sight; it remembers where they were, the first of them in the hex given
    (PL-1507).
    """

    audience = DISCERNED

    units: tuple[UnitId, ...]
    hex: HexId = NOWHERE


class ContactsForgotten(Event, frozen=True):
    """Where a side last saw these units it sees nobody now (PL-1507)."""

    audience = DISCERNED

    units: tuple[UnitId, ...]


class AccountsKnown(Event, frozen=True):
    """What a side knows of moves, sightings, works, mines and ground has changed with what it sees (PL-1507)."""

    audience = DISCERNED

    mover: Mover | msgspec.UnsetType | None = msgspec.UNSET
    sightings: tuple[Sighting, ...] | msgspec.UnsetType = msgspec.UNSET
    works: tuple[Work, ...] | msgspec.UnsetType = msgspec.UNSET
    block_builders: tuple[UnitId, ...] | msgspec.UnsetType = msgspec.UNSET
    landed: tuple[UnitId, ...] | msgspec.UnsetType = msgspec.UNSET
    mines: Mapping[HexId, Mine] | msgspec.UnsetType = msgspec.UNSET
    control: Mapping[HexId, SideId] | msgspec.UnsetType = msgspec.UNSET
