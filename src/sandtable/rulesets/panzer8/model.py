"""What lies on a PANZER8 table: elements, markers, cards that work on, and the ground they stand on.

Everything here is frozen; mappings are never changed in place. Movement is counted in thirds of a point, because on
bicycles three road hexes cost 20 points (P8-6.09); a full move is 120 of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import msgspec

from sandtable.kernel.ids import NOBODY, NOWHERE, HexId, SideId, UnitId
from sandtable.play.derived import Derived
from sandtable.rulesets.panzer8.ground import Ground
from sandtable.rulesets.panzer8.kinds import UNKNOWN

ALLIED, GERMAN = SideId("allied"), SideId("german")
SIDES = (ALLIED, GERMAN)

THIRDS = 3
"""Of a movement point: what movement is counted in (P8-6.09)."""

IN_PLAY, LOST, UNSEEN, RESERVE = "", "lost", "unseen", "reserve"
"""What has become of an element; one in reserve has no place yet and is set up by its player."""

SETUP = "setup"
"""The step before the first turn, in which players set up where the scenario gives them zones."""

CHARGE, OVERRUN = "charge", "overrun"
"""The two kinds of close combat (P8-11.01, P8-11.07)."""

COMMON_DECK = SideId("")
"""Whose deck the common one is (P8-13.01)."""


class Element(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """One vehicle, gun, team or section: where it is, which way it looks, and what has become of it.

    `acted` counts its actions in this turn, `spare` those that a card or a good recovery adds to the one it has;
    `spent` is what its latest move of this turn cost, in thirds of a point. `reacted` counts its reactions in the
    opposing turn; `handled` tells that it was mounted or dismounted in this one, and does nothing else in it (P8-6.10).
    `has_moved` and `has_fired` hold for the whole battle (P8-12.03, P8-15.01).

    Rules: P8-1.01, P8-2.04, P8-4.03, P8-5.01, P8-9.10.
    """

    id: UnitId
    kind: str
    side: SideId
    hex: HexId = NOWHERE
    facing: int = 0
    quality: int = 0
    fate: str = IN_PLAY
    suppressed: bool = False
    acted: int = 0
    spare: int = 0
    spent: int = 0
    reacted: int = 0
    recovered: bool = False
    rallied: bool = False
    handled: bool = False
    has_moved: bool = False
    has_fired: bool = False
    carrier: UnitId = NOBODY
    has_telephone: bool = False
    name: str = ""


class Effect(msgspec.Struct, frozen=True, omit_defaults=True):
    """An event card that works on, whom for, and on which element; `until` is the player turn that ends it.

    Rules: P8-13.02.
    """

    card: str
    side: SideId
    until: int
    unit: UnitId = NOBODY


class Battery(msgspec.Struct, frozen=True):
    """Support off the map that an observer may call, and how often still (P8-12.03)."""

    side: SideId
    kind: str
    left: int


class Combat(msgspec.Struct, frozen=True):
    """A close combat that was declared and is still to be fought (P8-4.04)."""

    attacker: UnitId
    defender: UnitId
    manner: str


class Work(msgspec.Struct, frozen=True):
    """What engineers are clearing: a mined hex (direction -1) or the obstacle on a side of a hex, and since which
    player turn.

    Rules: P8-15.02.
    """

    unit: UnitId
    hex: HexId
    direction: int
    since: int


class Occasion(msgspec.Struct, frozen=True, gc=False):
    """What gave enemies an occasion to react: an element entered a hex, fired, hunted, charged or overran.

    Rules: P8-5.02.
    """

    unit: UnitId
    manner: str
    target: UnitId = NOBODY


class Opening(msgspec.Struct, frozen=True):
    """The hex that a winner of close combat may enter (P8-11.11)."""

    unit: UnitId
    hex: HexId


class Position(msgspec.Struct, frozen=True):
    """Everything on the table at one moment.

    `half` numbers the player turns. `latest` is the element that acted last in this turn and `doing` what it did last,
    since a move goes on with mounting and after it; `urgent` is one that may act again at once (P8-9.07). `occasion` is
    the latest occasion to react and `opening` the latest hex left in close combat, each good while its frame asks.
    """

    ground: Ground
    turn: int
    half: int
    active: SideId
    elements: tuple[Element, ...]
    step: str = ""
    card: str = ""
    drawn: Mapping[SideId, tuple[str, ...]] = {}
    effects: tuple[Effect, ...] = ()
    smoke: Mapping[HexId, int] = {}
    wrecks: tuple[HexId, ...] = ()
    combats: tuple[Combat, ...] = ()
    batteries: tuple[Battery, ...] = ()
    control: Mapping[HexId, SideId] = {}
    mines: tuple[HexId, ...] = ()
    breaches: tuple[tuple[HexId, int], ...] = ()
    works: tuple[Work, ...] = ()
    stragglers: Mapping[SideId, int] = {}
    latest: UnitId = NOBODY
    doing: str = ""
    urgent: UnitId = NOBODY
    occasion: Occasion | None = None
    opening: Opening | None = None
    winner: SideId = SideId("")
    level: str = ""
    reasons: tuple[str, ...] = ()
    derived: Derived = msgspec.field(default_factory=Derived)


@cache
def unseen(id: UnitId, side: SideId) -> Element:
    """An element of which a side knows no more than that there is one."""
    return Element(id, UNKNOWN, side, fate=UNSEEN)
