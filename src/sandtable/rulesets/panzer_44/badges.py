"""The badges that Panzer '44's pieces wear, and the arms its orders of battle are read by."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from sandtable.kernel.ids import NOBODY, RuleId, SideId
from sandtable.kernel.questions import SHAKEN, SPENT, WAITING, Badge
from sandtable.rulesets.panzer_44.kinds import UNKNOWN
from sandtable.rulesets.panzer_44.model import (
    BOLTING,
    CLEARING,
    DIGGING,
    DIRECT,
    FROZEN,
    INDIRECT,
    MOVE,
    OPPORTUNITY,
    RESERVE,
    Position,
    Unit,
)
from sandtable.rulesets.panzer_44.plots import plot_of
from sandtable.rulesets.panzer_44.stacks import kind_of

ORDER_BADGES = {
    DIRECT: "fires",
    OPPORTUNITY: "waits",
    INDIRECT: "shells",
    MOVE: "moves",
    CLEARING: "clears",
    DIGGING: "digs",
}

BADGES: tuple[Badge, ...] = (
    Badge("D1", "disrupted, level 1", RuleId("P44-10.03"), "D1", SHAKEN),
    Badge("D2", "disrupted, level 2", RuleId("P44-10.03"), "D2", SHAKEN),
    Badge("D3", "disrupted, level 3", RuleId("P44-10.03"), "D3", SHAKEN),
    Badge(FROZEN, "panicked, frozen", RuleId("P44-6.05"), "P", SHAKEN),
    Badge(BOLTING, "panicked, bolts", RuleId("P44-6.05"), "PB", SHAKEN),
    Badge("pinned", "pinned", RuleId("P44-10.01"), "X", SHAKEN),
    Badge("delayed", "will panic next turn", RuleId("P44-10.02"), "?", SHAKEN),
    Badge("fires", "plotted to fire", RuleId("P44-5.03"), "F"),
    Badge("waits", "plotted for opportunity fire", RuleId("P44-5.06"), "O"),
    Badge("shells", "plotted for indirect fire", RuleId("P44-11.01"), "I"),
    Badge("moves", "plotted to move", RuleId("P44-5.05"), "M"),
    Badge("clears", "plotted to clear mines", RuleId("P44-13.05"), "C"),
    Badge("digs", "plotted to dig", RuleId("P44-13.07"), "G"),
    Badge("moved", "has moved", RuleId("P44-12.02"), "", SPENT),
    Badge("fired", "has fired", RuleId("P44-8.02"), "", SPENT),
    Badge("aboard", "aboard", RuleId("P44-4.05")),
    Badge("waiting", "still to be placed", RuleId("P44-14.01"), "", WAITING),
    Badge("works", "at work", RuleId("P44-13.05"), "W"),
)

BY_KEY = {badge.key: badge for badge in BADGES}


def badges_of(position: Position, unit: Unit) -> tuple[str, ...]:
    """What has become of a unit, as keys of the badges it wears; its order as far as the viewer knows it."""
    plot = plot_of(position, unit.id)
    worn = {
        f"D{unit.disruption}": bool(unit.disruption),
        unit.panic: bool(unit.panic),
        "pinned": unit.pinned,
        "delayed": unit.delayed,
        ORDER_BADGES[plot.kind] if plot is not None else "order": plot is not None,
        "moved": unit.moved,
        "fired": unit.fired or unit.id in position.shot,
        "aboard": unit.carrier != NOBODY,
        "waiting": unit.fate == RESERVE,
        "works": any(work.unit == unit.id for work in position.works),
    }
    return tuple(key for key, holds in worn.items() if holds)


def titles(badges: Iterable[str]) -> tuple[str, ...]:
    """The badges in words."""
    return tuple(BY_KEY[key].title for key in badges)


def tone_of(badges: Iterable[str]) -> str:
    """The tone of the first badge that has one."""
    return next((tone for key in badges if (tone := BY_KEY[key].tone)), "")


class Arm(NamedTuple):
    """One arm of a force, and the kinds of unit that belong to it."""

    key: str
    title: str
    kinds: tuple[str, ...]


ARMS = (
    Arm("tanks", "Tanks", ("tank",)),
    Arm("guns", "Tank destroyers and assault guns", ("tank_destroyer", "assault_gun")),
    Arm("recon", "Reconnaissance", ("armored_car", "jeep", "carrier")),
    Arm("infantry", "Infantry and engineers", ("infantry", "engineers", "machine_gun")),
    Arm("antitank", "Antitank and antiaircraft", ("gun", "flak")),
    Arm("artillery", "Artillery and mortars", ("artillery", "mortar")),
    Arm("transport", "Transport", ("halftrack", "truck")),
    Arm(UNKNOWN, "Not seen", (UNKNOWN,)),
)

ARM_OF = {kind: arm.key for arm in ARMS for kind in arm.kinds}


def formation_key(side: SideId, arm: str) -> str:
    """The key of a side's formation of one arm."""
    return f"{side} {arm}"


def arm_of(unit: Unit) -> str:
    """The arm of a unit."""
    return ARM_OF[kind_of(unit).kind]
