"""What the lobby says and hears over HTTP: the house, its systems and scenarios, battles and keys to their seats."""

from __future__ import annotations

import msgspec

from sandtable.content.model import Season
from sandtable.kernel.ids import HexId, RuleId, SideId
from sandtable.kernel.questions import Badge
from sandtable.kernel.state import Outcome
from sandtable.play.counters import CounterCard as CounterCard
from sandtable.play.system import Campaign


class PlayerCard(msgspec.Struct, frozen=True):
    """A computer player that can be given a seat."""

    name: str
    title: str


class House(msgspec.Struct, frozen=True):
    """What kind of server this is: on one of your own (`local`) every battle of it is yours."""

    version: str
    protocol: int
    local: bool
    players: tuple[PlayerCard, ...]


class SystemCard(msgspec.Struct, frozen=True):
    """A system of the house; pieces wear its badges by their keys, its campaigns list scenarios in their order."""

    key: str
    title: str
    prefix: str
    rules: int
    rules_version: str
    badges: tuple[Badge, ...]
    campaigns: tuple[Campaign, ...] = ()


class SideCard(msgspec.Struct, frozen=True):
    """One side of a scenario as anybody may know it: what it has, and is to do, stands in its Briefing."""

    id: SideId
    title: str
    nations: tuple[str, ...]


class Briefing(msgspec.Struct, frozen=True):
    """What a side is to do, and how many of what it has to do it with."""

    side: SideId
    text: str
    forces: tuple[tuple[str, int], ...]


class OptionCard(msgspec.Struct, frozen=True):
    """A switch that may be set for a battle."""

    name: str
    title: str
    value: bool | int | str
    values: tuple[bool | int | str, ...]


class BoardSheet(msgspec.Struct, frozen=True):
    """A map as a client draws it. Hexes are numbered (col + 1) * (height + 2) + row + 1; a layer of the whole map has
    one entry for each hex, column by column from the west and each from the north.
    """

    id: str
    title: str
    width: int
    height: int
    legend: tuple[str, ...]
    terrain: str
    """One sign for each hex: "0" for the first terrain of the legend, and on in the order of Unicode."""
    elevation: str
    """One signed 16-bit number for each hex, the low byte first, in base64; empty when all are 0."""
    roads: dict[str, tuple[int, ...]]
    """Kinds of road, each with hex * 64 + exits: bit n of the exits is a road that leaves in direction n."""
    hexsides: dict[str, tuple[int, ...]]
    """Kinds of hexside, each with hex * 6 + direction, 0 north and on clockwise."""
    features: dict[str, tuple[HexId, ...]]
    names: tuple[tuple[HexId, str], ...]
    road_ends: tuple[int, ...]
    """Roads that leave the map, as hex * 6 + direction."""
    season: Season = "summer"


class BoardCard(msgspec.Struct, frozen=True):
    """A map as a list names it; the digest is the address of its sheet."""

    id: str
    title: str
    width: int
    height: int
    digest: str


class ScenarioCard(msgspec.Struct, frozen=True):
    """A scenario as the lobby shows it."""

    id: str
    system: str
    title: str
    summary: str
    turns: int
    first: SideId
    sides: tuple[SideCard, ...]
    options: tuple[OptionCard, ...]
    tutorial: bool
    difficulty: str
    minutes: int
    balance: str
    board: BoardCard
    objectives: tuple[tuple[HexId, str], ...]
    """The hexes that count, each with the name of its objective."""
    guided: SideId
    """The side whose player the tutorial guides; empty when there is none."""


class RuleCard(msgspec.Struct, frozen=True):
    """A rule in our own words; one that is not played says why."""

    id: RuleId
    title: str
    text: str
    section: str
    provenance: tuple[str, ...]
    not_implemented: str = ""


class SeatChoice(msgspec.Struct, frozen=True):
    """Who sits on a side: "human", "hot-seat", "friend" or the name of a computer player; `called` is what a person
    calls himself, empty for a friend who has not come yet."""

    side: SideId
    player: str
    called: str = ""


class NewBattle(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a new battle is to be."""

    scenario: str
    seats: tuple[SeatChoice, ...]
    options: dict[str, bool | int | str] = {}
    seed: str = ""


class BattleCard(msgspec.Struct, frozen=True):
    """A battle as the lobby lists it; `yours` are the sides that the caller's tokens open, `trouble` says why it can't
    be opened, `readable` that its record can be had all the same, `stopped` why it can be opened but not played on,
    `kept` that it has its own version of the scenario.
    """

    id: str
    scenario: str
    system: str
    title: str
    turn: int
    turns: int
    seats: tuple[SeatChoice, ...]
    outcome: Outcome | None
    updated: str
    options: dict[str, bool | int | str] = {}
    yours: tuple[SideId, ...] = ()
    trouble: str = ""
    stopped: str = ""
    kept: bool = False
    readable: bool = False


class BattleKeys(msgspec.Struct, frozen=True):
    """A battle just made or joined, with the token of each seat that is the caller's."""

    id: str
    tokens: dict[SideId, str]
    spectator: str = ""


class Fault(msgspec.Struct, frozen=True):
    """Why a request was not carried out, in a plain sentence; it `needs` "secret" when the server's would help."""

    reason: str
    needs: str = ""


class Saving(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A save of a battle: sealed with a passphrase, or by the server itself when there is none."""

    passphrase: str = ""


class Inviting(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A new invitation to a friend's seat; those from before are worth nothing."""

    side: SideId


class Joining(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody sits down on the seat that his invitation opens."""

    called: str


class Branching(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Start a new battle from a point of another."""

    number: int
    seats: tuple[SeatChoice, ...]
