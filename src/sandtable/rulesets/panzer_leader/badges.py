"""The badges that Panzer Leader's pieces wear, and the formations that its orders of battle are read by."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from sandtable.kernel.ids import NOBODY, RuleId, SideId
from sandtable.kernel.questions import SEEN, SHAKEN, SPENT, UNKNOWN, WAITING, Badge
from sandtable.rulesets.panzer_leader.kinds import KINDS
from sandtable.rulesets.panzer_leader.model import RESERVE, Aircraft, Mine, Position, Unit

BADGES: tuple[Badge, ...] = (
    Badge("dispersed", "dispersed", RuleId("PL-902"), "!", SHAKEN),
    Badge("fired", "fired", RuleId("PL-801"), "F", SPENT),
    Badge("moved", "moved", RuleId("PL-601"), "M", SPENT),
    Badge("transported", "transported", RuleId("PL-643"), "T", SPENT),
    Badge("aboard", "aboard", RuleId("PL-641")),
    Badge("inside", "inside", RuleId("PL-1321")),
    Badge("facedown", "face-down", RuleId("PL-1401"), tone=UNKNOWN),
    Badge("reserve", "in reserve", RuleId("PL-1506"), tone=WAITING),
    Badge("spotted", "spotted", RuleId("PL-722"), tone=SEEN),
    Badge("bombs", "bombs", RuleId("PL-308")),
    Badge("rockets", "rockets", RuleId("PL-308")),
    Badge("attacked", "attacked", RuleId("PL-1203"), "F", SPENT),
    Badge("lifted", "being lifted", RuleId("PL-1304")),
)

BY_KEY = {badge.key: badge for badge in BADGES}


def badges_of(position: Position, unit: Unit) -> tuple[str, ...]:
    """What has become of a unit, as keys of the badges it wears."""
    worn = {
        "dispersed": bool(unit.dispersed),
        "fired": unit.fired,
        "moved": unit.moved,
        "transported": unit.transported,
        "aboard": unit.carrier != NOBODY,
        "inside": unit.fort != NOBODY,
        "facedown": unit.facedown,
        "reserve": unit.fate == RESERVE,
        "spotted": any(s.unit == unit.id for s in position.sightings),
    }
    return tuple([key for key, holds in worn.items() if holds])


def badges_of_aircraft(plane: Aircraft) -> tuple[str, ...]:
    """What an aircraft carries, and whether it has attacked in this air phase."""
    return tuple(filter(None, (plane.ordnance, "attacked" if plane.attacked else "")))


def badges_of_mine(mine: Mine) -> tuple[str, ...]:
    """Whether engineers are at work on a minefield."""
    return ("lifted",) if mine.flipped_by != NOBODY else ()


def titles(badges: Iterable[str]) -> tuple[str, ...]:
    """The badges in words."""
    return tuple([BY_KEY[key].title for key in badges])


def tone_of(badges: Iterable[str]) -> str:
    """The tone of the first badge that has one: what hampers a unit comes before what it has done."""
    return next((tone for key in badges if (tone := BY_KEY[key].tone)), "")


class Arm(NamedTuple):
    """One arm of an army, and the symbols of the unit types that belong to it."""

    key: str
    title: str
    symbols: str


ARMS = (
    Arm("armor", "Tanks and assault guns", "armor assault_gun tank_destroyer flame armored_engineer"),
    Arm("recon", "Reconnaissance", "recon"),
    Arm("infantry", "Infantry and engineers", "infantry armored_infantry airborne commando engineer mg"),
    Arm("guns", "Antitank and antiaircraft guns", "antitank antiair spaa"),
    Arm("artillery", "Artillery", "artillery mortar rocket spa"),
    Arm("transport", "Transport", "halftrack transport bridge"),
    Arm("works", "Fortifications and bridges", "fort"),
    Arm("unknown", "Not identified", "unknown"),
    Arm("aircraft", "Aircraft", "aircraft"),
)

_BY_SYMBOL = {symbol: arm.key for arm in ARMS for symbol in arm.symbols.split()}

ARM_OF = {key: "works" if kind.is_work else _BY_SYMBOL[kind.nato] for key, kind in KINDS.items()}
"""The arm of each unit type."""


def formation_key(side: SideId, arm: str) -> str:
    """The key of a side's formation of one arm."""
    return f"{side} {arm}"
