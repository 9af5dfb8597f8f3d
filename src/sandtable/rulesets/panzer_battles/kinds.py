"""The unit types as the table beside this file lists them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from types import MappingProxyType
from typing import Annotated, Final, Literal

import msgspec

from sandtable.content import ContentError, Problem, read_table
from sandtable.content.reading import Source
from sandtable.content.shapes import Id, Title
from sandtable.rulesets.panzer_battles.parameters import Parameters
from sandtable.rulesets.panzer_battles.version import TABLES

MEN, GUNS, VEHICLES, SHIPS, AIRCRAFT = "men", "guns", "vehicles", "ships", "aircraft"
HARD, SOFT = "hard", "soft"
COMPANY = "company"

Rating = Annotated[int, msgspec.Meta(ge=0, le=1000, description="a whole number from 0 to 1000")]
Strength = Annotated[int, msgspec.Meta(ge=1, le=999, description="a whole number from 1 to 999")]
Defense = Annotated[int, msgspec.Meta(ge=1, le=1000, description="a whole number from 1 to 1000")]


class UnitKind(msgspec.Struct, frozen=True):
    """A type of unit: what it consists of, what it can do, and what it is called.

    Rules: PB-UNIT-1, PB-UNIT-2, PB-UNIT-4, PB-UNIT-5, PB-UNIT-7.
    """

    key: Id
    name: Title
    nation: Literal["German", "Soviet", "American", "British", "any"]
    type: str
    size: Literal["company", "platoon", "section", "battery", "flight", "group"]
    component: Literal["men", "guns", "vehicles", "ships", "aircraft"]
    full: Strength
    soft: Rating
    soft_range: Rating
    hard: Rating
    hard_range: Rating
    defense: Defense
    assault: Rating
    ma: Rating
    move_class: Literal[
        "foot", "ski", "bicycle", "horse", "motorcycle", "motorized", "halftrack", "tracked", "naval", "rail", "air"
    ]
    target: Literal["soft", "hard"]
    indirect_range: Rating = 0
    aa: Rating = 0
    aa_range: Rating = 0
    command_range: Rating = 0
    vp: Rating = 0
    flags: frozenset[str] = frozenset()

    def has(self, flag: str) -> bool:
        return flag in self.flags

    @property
    def is_men(self) -> bool:
        """Whether its strength is counted in men."""
        return self.component == MEN

    @property
    def is_vehicles(self) -> bool:
        """Whether its strength is counted in vehicles."""
        return self.component == VEHICLES

    @property
    def is_company(self) -> bool:
        """Whether it counts as a company for fatigue, morale and digging in; all smaller units count as platoons.

        Rules: PB-UNIT-7.
        """
        return self.size == COMPANY

    @property
    def is_carried(self) -> bool:
        """Whether its men ride in transport of their own while in Travel Mode, and walk otherwise.

        Rules: PB-UNIT-9.
        """
        return self.is_men and (self.has("motorized") or self.has("mechanized"))

    @property
    def is_ground(self) -> bool:
        """Whether it stands on the map on land."""
        return self.component not in (SHIPS, AIRCRAFT)


class _Units(msgspec.Struct, frozen=True):
    system: str
    rule: str
    flags: dict[str, str]
    types: dict[str, str]
    unit: tuple[UnitKind, ...]


def _mistakes(table: _Units, kind: UnitKind) -> Iterator[tuple[str, str]]:
    """The keys of a unit type that do not fit its others, and why."""
    if kind.type not in table.types:
        yield "type", f"unknown type '{kind.type}'"
    for flag in sorted(kind.flags - set(table.flags)):
        yield "flags", f"unknown flag '{flag}'"
    if kind.has("indirect") != bool(kind.indirect_range):
        yield "indirect_range", "expected one exactly for units that fire indirectly"
    if kind.type == "infantry_artillery" and kind.has("indirect"):
        yield "flags", "infantry artillery does not fire indirectly (PB-OOB-13)"
    if kind.has("hq") != bool(kind.command_range):
        yield "command_range", "expected one exactly for headquarters"
    if bool(kind.aa) != bool(kind.aa_range):
        yield "aa_range", "expected one exactly where there is an aa attack"
    if kind.has("towed") and kind.component != GUNS:
        yield "flags", "only guns are towed"
    if (kind.component == AIRCRAFT) != (kind.move_class == "air"):
        yield "move_class", "expected 'air' exactly for aircraft"
    if (kind.component == SHIPS) != (kind.move_class == "naval"):
        yield "move_class", "expected 'naval' exactly for ships"


def read_kinds(source: Source) -> _Units:
    """The unit types that a file lists; ContentError with everything that is wrong otherwise."""
    table = read_table(source, _Units)
    file = "<table>" if isinstance(source, bytes) else source.name
    problems = []
    seen: set[str] = set()
    for number, kind in enumerate(table.unit, 1):
        if kind.key in seen:
            problems.append(Problem(file, f"[[unit]] #{number} 'key'", f"'{kind.key}' stands twice"))
        seen.add(kind.key)
        problems += [Problem(file, f"[[unit]] #{number} '{key}'", why) for key, why in _mistakes(table, kind)]
    if problems:
        raise ContentError(problems)
    return table


_SHIPPED: Final = read_kinds(TABLES / "units.toml")

UNKNOWN: Final = "unknown"
"""The type of a unit of which a side knows no more than that it exists."""

_BLANK: Final = UnitKind(
    *(UNKNOWN, "Unknown unit", "any", UNKNOWN, "platoon", "men", 0, 0, 0, 0, 0, 0, 0, 0, "foot", "soft")
)

KINDS: Final[Mapping[str, UnitKind]] = MappingProxyType({kind.key: kind for kind in (*_SHIPPED.unit, _BLANK)})
"""Every unit type by its key, and the blank one that stands for what a side can't tell."""

UNIT_TYPES: Final = frozenset(KINDS) - {UNKNOWN}
"""The unit types that a scenario may name."""

FLAG_TITLES: Final[Mapping[str, str]] = MappingProxyType(_SHIPPED.flags)
"""What each flag of a unit type says about it."""

TYPE_TITLES: Final[Mapping[str, str]] = MappingProxyType(_SHIPPED.types)
"""The symbols of units in words (PB-OOB-12)."""


@cache
def blended(parts: tuple[tuple[str, int], ...]) -> UnitKind:
    """The type of a unit combined of several: the first of them, with attacks, defense and assault as the mean of all
    by strength, rounded to whole numbers, and no faster than the slowest.

    Rules: PB-UNIT-24, PB-UNIT-26.
    """
    total = sum(strength for _, strength in parts)

    def mean(rating: str) -> int:
        whole: int = sum(getattr(KINDS[key], rating) * strength for key, strength in parts)
        return (2 * whole + total) // (2 * total)

    ratings = {rating: mean(rating) for rating in ("soft", "hard", "defense", "assault")}
    slowest = min(KINDS[key].ma for key, _ in parts)
    return msgspec.structs.replace(KINDS[parts[0][0]], ma=slowest, **ratings)


def men_equivalents(kind: UnitKind, strength: int, parameters: Parameters) -> int:
    """How many men a strength counts as: each vehicle, gun, ship or aircraft as ten.

    Rules: PB-STK-1.
    """
    return strength if kind.is_men else strength * parameters.stacking.men_per_vehicle_or_gun
