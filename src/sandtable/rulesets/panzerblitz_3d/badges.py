"""The badges that the pieces of 3D PanzerBlitz wear, and the formations that its orders of battle are read by."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from sandtable.kernel.ids import NOBODY, RuleId, SideId
from sandtable.kernel.questions import SHAKEN, SPENT, WAITING, Badge
from sandtable.rulesets.panzerblitz_3d.kinds import KINDS
from sandtable.rulesets.panzerblitz_3d.model import RESERVE, Position, Unit

BADGES: tuple[Badge, ...] = (
    Badge("dispersed", "dispersed", RuleId("PB3-902"), "!", SHAKEN),
    Badge("fired", "fired", RuleId("PB3-801"), "F", SPENT),
    Badge("moved", "moved", RuleId("PB3-601"), "M", SPENT),
    Badge("unloaded", "unloaded", RuleId("PB3-622"), "U", SPENT),
    Badge("mined", "on mines", RuleId("PB3-1606"), tone=SPENT),
    Badge("opportunity", "waits for an opportunity", RuleId("PB3-1101"), "O", WAITING),
    Badge("target", "has a target", RuleId("PB3-505"), "T", WAITING),
    Badge("aboard", "aboard", RuleId("PB3-621")),
    Badge("inside", "inside", RuleId("PB3-1606")),
    Badge("observer", "forward observer", RuleId("PB3-1201")),
    Badge("reserve", "in reserve", RuleId("PB3-1303"), tone=WAITING),
)

BY_KEY = {badge.key: badge for badge in BADGES}


def badges_of(position: Position, unit: Unit) -> tuple[str, ...]:
    """What has become of a unit, as keys of the badges it wears."""
    worn = {
        "dispersed": unit.dispersed,
        "fired": unit.fired,
        "moved": unit.moved,
        "unloaded": unit.unloaded,
        "mined": unit.mined,
        "opportunity": (unit.of_assigned and not unit.of_used) or unit.id in position.assigned,
        "target": any(unit.id in shot.firers for shot in position.shots),
        "aboard": unit.carrier != NOBODY,
        "inside": unit.fort != NOBODY,
        "observer": unit.observer or KINDS[unit.kind].has("fo"),
        "reserve": unit.fate == RESERVE,
    }
    return tuple([key for key, holds in worn.items() if holds])


def titles(badges: Iterable[str]) -> tuple[str, ...]:
    """The badges in words."""
    return tuple([BY_KEY[key].title for key in badges])


def tone_of(badges: Iterable[str]) -> str:
    """The tone of the first badge that has one: what hampers a unit comes before what it has done."""
    return next((tone for key in badges if (tone := BY_KEY[key].tone)), "")


class Arm(NamedTuple):
    """One arm of an army."""

    key: str
    title: str


ARMS = (
    Arm("armor", "Tanks and assault guns"),
    Arm("infantry", "Infantry and engineers"),
    Arm("guns", "Guns"),
    Arm("artillery", "Howitzers and mortars"),
    Arm("command", "Command posts"),
    Arm("transport", "Transport"),
    Arm("works", "Forts"),
    Arm("unknown", "Not identified"),
)


def _arm(key: str) -> str:
    printed = KINDS[key]
    if printed.nato == "unknown":
        return "unknown"
    if printed.is_work:
        return "works"
    if printed.has("fo"):
        return "command"
    if printed.has("c"):
        return "transport"
    if printed.has("inf"):
        return "infantry"
    if printed.is_vehicle and not printed.has("spa"):
        return "armor"
    return "guns" if printed.weapon in ("A", "I") else "artillery"


ARM_OF = {key: _arm(key) for key in KINDS}
"""The arm of each unit type."""


def formation_key(side: SideId, arm: str) -> str:
    """The key of a side's formation of one arm."""
    return f"{side} {arm}"
