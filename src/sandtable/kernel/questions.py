"""What a client may ask a system besides orders; every answer is made from a view, and its lines cite their rules."""

from __future__ import annotations

import msgspec

from sandtable.kernel.ids import HexId, RuleId, SideId, UnitId
from sandtable.kernel.trace import Amount, Line

SPENT, SHAKEN, SEEN, WAITING, UNKNOWN = "spent", "shaken", "seen", "waiting", "unknown"
GRADES = ("green", "yellow", "orange", "red")
"""Tones: has acted, hampered, under enemy eyes, still to come, not known, a grade from good to bad; "" for none."""


class Badge(msgspec.Struct, frozen=True, omit_defaults=True):
    """A state that pieces can show: the key they carry, words for people, a sign of a letter or two to draw."""

    key: str
    title: str
    rule: RuleId
    sign: str = ""
    tone: str = ""


class Section(msgspec.Struct, frozen=True, omit_defaults=True):
    """Lines under a heading, with a total where there is one and the units they are about."""

    title: str
    lines: tuple[Line, ...] = ()
    total: Amount = ""
    units: tuple[UnitId, ...] = ()


class UnitCard(msgspec.Struct, frozen=True, omit_defaults=True):
    """All that a side knows of one unit."""

    unit: UnitId
    title: str
    kind: str
    side: SideId
    sections: tuple[Section, ...]
    badges: tuple[str, ...] = ()


class Formation(msgspec.Struct, frozen=True, omit_defaults=True):
    """Units that belong together, those in sight by id; strength left and at first count all that is below it."""

    key: str
    title: str
    side: SideId
    left: int
    initial: int
    units: tuple[UnitId, ...] = ()
    children: tuple[Formation, ...] = ()


class Query(msgspec.Struct, frozen=True, omit_defaults=True):
    """A named set of hexes and units to highlight; empty while only listed. The key "x@12" is one about unit 12."""

    key: str
    title: str
    rule: RuleId
    hexes: tuple[HexId, ...] = ()
    units: tuple[UnitId, ...] = ()


class Report(msgspec.Struct, frozen=True, omit_defaults=True):
    """A named report; without sections while it is only listed."""

    kind: str
    title: str
    sections: tuple[Section, ...] = ()
