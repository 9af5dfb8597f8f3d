"""The elements as the tables beside this file list them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType

import msgspec

from sandtable.content import read_table

TABLES = files("sandtable.rulesets.panzer8") / "tables"

UNKNOWN = "unknown"
"""The kind of an enemy element of which a side knows no more than that it exists."""

COMMANDER, INFANTRY, ENGINEERS, CAVALRY = "cmd", "inf", "eng", "cav"
WEAPON, GUN, ARMOR, SOFT, OBSERVER = "csw", "gun", "afv", "soft", "foo"
KIND_TITLES: Mapping[str, str] = MappingProxyType(
    {
        COMMANDER: "commander",
        INFANTRY: "infantry",
        ENGINEERS: "engineers",
        CAVALRY: "cavalry",
        WEAPON: "crew-served weapon",
        GUN: "heavy gun",
        ARMOR: "armored vehicle",
        SOFT: "unarmored vehicle",
        OBSERVER: "forward observer",
        UNKNOWN: "unknown",
    }
)
"""The kinds of element in words (P8-2.02)."""


class ElementKind(msgspec.Struct, frozen=True):
    """A type of element: one vehicle, one gun or team, or one section. A value of 0 is a blank.

    Rules: P8-1.01, P8-2.01, P8-2.02, P8-2.03.
    """

    key: str
    name: str
    nation: str
    kind: str
    defense: int
    move: str
    hesa: int = 0
    ap: int = 0
    hesa_range: int = 0
    ap_range: int = 0
    arc: str = "all"
    tank_hunting: int = 4
    flags: frozenset[str] = frozenset()

    def has(self, flag: str) -> bool:
        return flag in self.flags

    @property
    def is_vehicle(self) -> bool:
        """Whether it is an armored or unarmored vehicle."""
        return self.kind in (ARMOR, SOFT)

    @property
    def is_combat_element(self) -> bool:
        """Whether it counts when losses are counted: all but unarmored vehicles and observers.

        Rules: P8-2.05.
        """
        return self.kind not in (SOFT, OBSERVER, UNKNOWN)

    @property
    def is_on_foot(self) -> bool:
        """Whether it goes on foot, so that it can be carried: no vehicle, no rider, nobody in a car."""
        return not self.is_vehicle and not self.has("rides") and not self.has("car")

    @property
    def is_front_only(self) -> bool:
        """Whether it may fire to its front only (P8-7.06)."""
        return self.arc == "front"


class _Elements(msgspec.Struct, frozen=True):
    system: str
    rule: str
    flags: dict[str, str]
    element: tuple[ElementKind, ...]


@cache
def element_kinds() -> Mapping[str, ElementKind]:
    """Every type of element by key, and the unknown one that stands for what a side can't see.

    Rules: P8-2.06.
    """
    table = read_table(TABLES / "elements.toml", _Elements)
    unknown = ElementKind(UNKNOWN, "Unseen element", "any", UNKNOWN, 0, "Inf")
    return MappingProxyType({kind.key: kind for kind in (*table.element, unknown)})


@cache
def flag_titles() -> Mapping[str, str]:
    """What each flag of an element says about it."""
    return MappingProxyType(read_table(TABLES / "elements.toml", _Elements).flags)


KINDS = element_kinds()
