"""What stands on a Panzer Battles table: units and their state, works and mines, wrecks, objectives, weather, and what
a side remembers.

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
from sandtable.rulesets.panzer_battles.kinds import HARD, KINDS, UNKNOWN, UnitKind, blended, men_equivalents
from sandtable.rulesets.panzer_battles.parameters import Parameters

ALLIED = SideId("allied")
AXIS = SideId("axis")
SIDES = (ALLIED, AXIS)

DEPLOYED, TRAVEL, RAIL = "deployed", "travel", "rail"
"""The modes of a unit (PB-MOVE-21)."""

NO_FACING = -1
"""The facing of a unit that has none: it looks everywhere (PB-MAP-11)."""

NOBODYS = SideId("")
"""Whose a feature is that belongs to no side."""

ELIMINATED = "eliminated"
LOST_UNSEEN = "lost"
"""Why a unit is off the map: everybody knows that it is gone, or its own side alone (PB-FIRE-63)."""

COMING, DUE, COMBINED, EXITED, WITHDRAWN = "coming", "due", "combined", "exited", "withdrawn"
"""Why a unit is off the map although nobody destroyed it; none of the enemy's business.

Rules: PB-REIN-1, PB-UNIT-19, PB-VIC-7, PB-MOVE-110.
"""

TRUTH = SideId("truth")
"""Whose position it is when nobody's: the table itself."""


def enemy_of(side: SideId) -> SideId:
    """The other side.

    Rules: PB-GEN-3.
    """
    return AXIS if side == ALLIED else ALLIED


class Unit(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """One unit: where it is and what has become of it.

    `thirds` counts what it has paid this turn in thirds of its allowance, `moved` tells that it went a step or rode
    (PB-GEN-17), `halves` counts its indirect fires. `gone` says that it was destroyed, `away` why it is off the map
    otherwise, which is told to its own side alone; `posted` is where a deception unit is deployed that has no counter
    on the map meanwhile (PB-DEC-6). `name` is its id in the scenario, `title` what it is called; `flags` are its own
    beside those of its type. `fixed_tonight` tells that only the night holds it (PB-MOVE-101). A unit with a `carrier`
    is where that is. `operation` names the work of an engineer in hand; `has_burned` tells that it used fuel since it
    was last refueled; `parts` are the units that it was combined with, which are off the map meanwhile. `scouted` tells
    that it has looked for concealed enemies this turn, `has_shot` that it fired of its own will, `stirred` that it did
    something that costs no points and gives it away. `progress` is how many turns its work in hand has taken,
    `opfire` are its own settings of opportunity fire, empty where those of its side hold.

    `lost_at` is where it was destroyed, as far as its side knows (PB-CMD-27).

    Until the end of turn `supplied_until` it is never cut off (PB-SUP-19); `stores` are the points of a supply column.

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
    facing: int = NO_FACING
    digging_in: bool = False
    operation: str = ""
    on_foot: bool = False
    parts: tuple[UnitId, ...] = ()
    isolated: bool = False
    low_ammo: bool = False
    low_fuel: bool = False
    has_burned: bool = False
    unavailable: bool = False
    setup_required: bool = False
    stockpiled: bool = False
    supplied_until: int = 0
    stores: int = 0
    away: str = ""
    posted: HexId = NOWHERE
    flags: tuple[str, ...] = ()
    fixed_tonight: bool = False
    blend: tuple[tuple[str, int], ...] = ()
    halves: int = 0
    scouted: bool = False
    opfire: str = ""
    progress: int = 0
    lost_at: HexId = NOWHERE
    has_shot: bool = False
    stirred: bool = False

    @property
    def of(self) -> UnitKind:
        """Its type; of one that was combined of several types, the mean of them."""
        return blended(self.blend) if self.blend else KINDS[self.kind]

    def has(self, flag: str) -> bool:
        """Whether its type or the order of battle gives it that quality.

        Rules: PB-OOB-6.
        """
        return flag in self.flags or flag in KINDS[self.kind].flags

    @property
    def is_immobile(self) -> bool:
        """Whether it stands on the ground and never moves.

        Rules: PB-UNIT-11.
        """
        return "immobile" in self.flags or (not self.of.ma and self.of.is_ground)

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


class Feature(msgspec.Struct, frozen=True, gc=False, omit_defaults=True, order=True):
    """What was built, laid or left in a hex: a work, a minefield, an obstacle, rubble.

    `strength` is that of a minefield, `vacated` tells that a work is worth half, `count` is what a marker counts.

    Rules: PB-MAP-9, PB-MOVE-85.
    """

    kind: str
    side: SideId = NOBODYS
    strength: int = 1
    vacated: bool = False
    count: int = 0


class Weather(msgspec.Struct, frozen=True, gc=False):
    """The ground condition, whether a storm rages, how far one would see by day, and where that tends to.

    Rules: PB-ENV-1, PB-ENV-6.
    """

    condition: str = "normal"
    storm: bool = False
    nominal: int = 20
    trend: int = 0


class Intel(msgspec.Struct, frozen=True, gc=False):
    """Where an enemy was last known to be, of what class, how strong in notation, and in which turn; `watched` says
    that the place was still in sight when he had gone.

    Rules: PB-SPOT-21.
    """

    unit: UnitId
    side: SideId
    hex: HexId
    category: str
    notation: str
    turn: int
    watched: bool = False


class Mission(msgspec.Struct, frozen=True, gc=False):
    """An air mission called for the start of its side's next turn; `halved` tells that only detached units spotted.

    Rules: PB-AIR-2, PB-AIR-41.
    """

    unit: UnitId
    side: SideId
    hex: HexId
    kind: str
    halved: bool = False


Sightings = Mapping[SideId, Mapping[UnitId, int]]
"""By side, the enemies that it knows of until its turn ends although nobody sees them, with the level (PB-SPOT-25)."""


class News(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """Something that the start of a turn brought a side: a topic and the units it is about, or the weather before.

    Rules: PB-CMD-29.
    """

    topic: str
    units: tuple[UnitId, ...] = ()
    weather: Weather | None = None


class Result(msgspec.Struct, frozen=True):
    """How the battle ended: the score and its level from the first side's view (PB-VIC-11)."""

    score: int
    level: str


class Position(msgspec.Struct, frozen=True):
    """Everything on the table at one moment, or as a viewer knows it.

    `losses` counts what each side has lost by unit type and both sides saw, `hidden_losses` what its enemy did not see.
    `shots` are the men-equivalents that fired out of a hex in this player turn (PB-FIRE-18), `shells` those that fired
    indirectly into one (PB-FIRE-19). `opfire` are the settings of opportunity fire by side (PB-OPF-7), `missions` those
    that air units are called to. `unknowns` are the hexes
    of units of which the viewer knows no more than that, one entry for each, and `intel` what he remembers: in the
    truth there are none. `features` are what stands in hexes, as far as it is known; `sides` are the hexsides that
    are no longer as the board has them, with what lies there now; their keys are those of `terrain.side_key`.
    `supply` are the Global Supply Values that midnight has changed (PB-SUP-2).
    `exits` are the units that left for good by each Exit Objective, as strength by type (PB-VIC-7), `attachments` the
    organizations that are under another than the order of battle says, with that one (PB-OOB-10). `news` are what the
    start of its turn brought each side (PB-CMD-29).
    """

    ground: Ground
    turn: int
    minutes: int
    visibility: int
    active: SideId
    units: tuple[Unit, ...]
    owners: Mapping[HexId, SideId] = {}
    weather: Weather = Weather()
    features: Mapping[HexId, tuple[Feature, ...]] = {}
    sides: Mapping[int, frozenset[str]] = {}
    wrecks: Mapping[HexId, int] = {}
    losses: Mapping[SideId, Mapping[str, int]] = {}
    hidden_losses: Mapping[SideId, Mapping[str, int]] = {}
    shots: Mapping[HexId, int] = {}
    shells: Mapping[HexId, int] = {}
    sightings: Sightings = {}
    opfire: Mapping[SideId, str] = {}
    missions: tuple[Mission, ...] = ()
    unknowns: tuple[HexId, ...] = ()
    intel: Mapping[UnitId, Intel] = {}
    exits: Mapping[HexId, Mapping[str, int]] = {}
    supply: Mapping[SideId, int] = {}
    attachments: Mapping[str, str] = {}
    news: Mapping[SideId, tuple[News, ...]] = {}
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
    return unit.of.target == HARD and (not unit.of.is_carried or (unit.is_traveling and not unit.on_foot))


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
