"""What stands on a Panzer Battles table: units and their state, wrecks, objectives, and what a side remembers.

Everything here is frozen; mappings are never changed in place. Movement points are whole numbers (PB-GEN-15).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

import msgspec
from msgspec.structs import replace

from sandtable.kernel.ids import NOBODY, NOWHERE, HexId, SideId, UnitId
from sandtable.play.derived import Derived
from sandtable.rulesets.panzer_battles.ground import Ground
from sandtable.rulesets.panzer_battles.kinds import HARD, KINDS, UNKNOWN, UnitKind, men_equivalents
from sandtable.rulesets.panzer_battles.parameters import Parameters

ALLIED = SideId("allied")
AXIS = SideId("axis")
SIDES = (ALLIED, AXIS)

DEPLOYED, TRAVEL = "deployed", "travel"
"""The modes of a unit (PB-MOVE-21)."""

ELIMINATED = "eliminated"

TRUTH = SideId("truth")
"""Whose position it is when nobody's: the table itself."""


def enemy_of(side: SideId) -> SideId:
    """The other side.

    Rules: PB-GEN-3.
    """
    return AXIS if side == ALLIED else ALLIED


class Unit(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """One unit: where it is and what has become of it.

    `thirds` counts what it has paid this turn in thirds of its allowance, `moved` tells that it paid for a step as well
    (PB-GEN-17). `gone` says why it is off the map. `name` is its id in the scenario, `title` what it is called.

    Rules: PB-UNIT-6.
    """

    id: UnitId
    kind: str
    side: SideId
    hex: HexId = NOWHERE
    strength: int = 0
    full: int = 0
    quality: str = "C"
    fatigue: int = 0
    disrupted: bool = False
    broken: bool = False
    mode: str = DEPLOYED
    mp: int = 0
    thirds: int = 0
    moved: bool = False
    fired: bool = False
    attacked: bool = False
    assaulted: bool = False
    concealed: bool = False
    fixed: bool = False
    vulnerable: bool = False
    out_of_command: bool = False
    carrier: UnitId = NOBODY
    gone: str = ""
    formation: str = ""
    name: str = ""
    title: str = ""

    @property
    def of(self) -> UnitKind:
        """Its type."""
        return KINDS[self.kind]

    @property
    def is_traveling(self) -> bool:
        return self.mode == TRAVEL

    @property
    def has_acted(self) -> bool:
        """Whether it has done anything this turn (PB-SPOT-31)."""
        return self.moved or self.fired or self.thirds > 0

    @property
    def is_shaken(self) -> bool:
        return self.disrupted or self.broken


class Intel(msgspec.Struct, frozen=True, gc=False):
    """Where an enemy was last known to be, of what class, how strong in notation, and in which turn.

    Rules: PB-SPOT-21.
    """

    unit: UnitId
    side: SideId
    hex: HexId
    category: str
    notation: str
    turn: int


class Result(msgspec.Struct, frozen=True):
    """How the battle ended: the score and its level from the first side's view (PB-VIC-11)."""

    score: int
    level: str


class Position(msgspec.Struct, frozen=True):
    """Everything on the table at one moment, or as a viewer knows it.

    `losses` counts what each side has lost by unit type: direct fire needs a target in sight, so both sides see it.
    `shots` are the men-equivalents that fired out of a hex in this player turn (PB-FIRE-18). `unknowns` are the hexes
    of units of which the viewer knows no more than that, one entry for each, and `intel` what he remembers: in the
    truth there are none.
    """

    ground: Ground
    turn: int
    minutes: int
    visibility: int
    active: SideId
    units: tuple[Unit, ...]
    owners: Mapping[HexId, SideId] = {}
    wrecks: Mapping[HexId, int] = {}
    losses: Mapping[SideId, Mapping[str, int]] = {}
    shots: Mapping[HexId, int] = {}
    unknowns: tuple[HexId, ...] = ()
    intel: Mapping[UnitId, Intel] = {}
    viewer: SideId = TRUTH
    result: Result | None = None
    derived: Derived = msgspec.field(default_factory=Derived)

    @property
    def parameters(self) -> Parameters:
        return self.ground.parameters

    @property
    def first(self) -> SideId:
        """The side that moves first in every turn (PB-GEN-4)."""
        return SideId(self.ground.scenario.first)

    def knows(self, side: SideId) -> bool:
        """Whether everything about the units of a side stands here."""
        return self.viewer in (TRUTH, side)


@cache
def unseen(id: UnitId, side: SideId) -> Unit:
    """A unit of which a side knows nothing; always the same, so that it counts as unchanged."""
    return Unit(id, UNKNOWN, side)


def is_hard(unit: Unit) -> bool:
    """Whether fire meets armor: hard vehicles, and carried men of a hard type while they ride.

    Rules: PB-UNIT-9.
    """
    return unit.of.target == HARD and (not unit.of.is_carried or unit.is_traveling)


def men(unit: Unit, parameters: Parameters) -> int:
    """The unit in men-equivalents (PB-STK-1)."""
    return men_equivalents(unit.of, unit.strength, parameters)


def with_units(position: Position, changed: Iterable[Unit], **others: Any) -> Position:
    """The position in which these units are as given, and others of its fields; the very same when nothing changes."""
    before = position.units
    units = list(before)
    places: dict[int, None] = {}
    for unit in changed:
        units[unit.id] = unit
        places[unit.id] = None
    if places:
        others["units"] = now = tuple(units)
        position.derived.note(before, now, tuple(places))
    return replace(position, **others) if others else position


def on_map(position: Position, side: SideId) -> list[Unit]:
    """The units of a side that stand on the map, as far as they are known."""
    return [unit for unit in position.units if unit.hex and unit.side == side]
