"""The badges that PANZER8's pieces wear, and the arms its orders of battle are read by."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from sandtable.kernel.ids import NOBODY, RuleId, SideId
from sandtable.kernel.questions import SHAKEN, SPENT, Badge
from sandtable.rulesets.panzer8.actions import has_action
from sandtable.rulesets.panzer8.kinds import (
    ARMOR,
    CAVALRY,
    COMMANDER,
    ENGINEERS,
    GUN,
    INFANTRY,
    OBSERVER,
    SOFT,
    UNKNOWN,
    WEAPON,
)
from sandtable.rulesets.panzer8.model import Element, Position
from sandtable.rulesets.panzer8.stacks import kind_of

BADGES: tuple[Badge, ...] = (
    Badge("suppressed", "suppressed", RuleId("P8-9.02"), "!", SHAKEN),
    Badge("acted", "has acted", RuleId("P8-4.03"), "A", SPENT),
    Badge("reacted", "has reacted", RuleId("P8-5.01"), "R", SPENT),
    Badge("rallied", "rallies", RuleId("P8-9.08"), "Y"),
    Badge("aboard", "aboard", RuleId("P8-6.10")),
    Badge("combat", "in close combat", RuleId("P8-4.04"), "X"),
    Badge("work", "at work", RuleId("P8-15.02"), "W"),
    Badge("raw", "raw", RuleId("P8-2.04")),
    Badge("veteran", "veteran", RuleId("P8-2.04")),
    Badge("elite", "elite", RuleId("P8-15.04")),
)

BY_KEY = {badge.key: badge for badge in BADGES}
QUALITIES = {-1: "raw", 1: "veteran", 2: "elite"}


def badges_of(position: Position, element: Element) -> tuple[str, ...]:
    """What has become of an element, as keys of the badges it wears."""
    fighting = {id for combat in position.combats for id in (combat.attacker, combat.defender)}
    worn = {
        "suppressed": element.suppressed,
        "acted": not has_action(position, element),
        "reacted": element.reacted > 0,
        "rallied": element.rallied,
        "aboard": element.carrier != NOBODY,
        "combat": element.id in fighting,
        "work": any(work.unit == element.id for work in position.works),
        QUALITIES.get(element.quality, ""): bool(element.quality),
    }
    return tuple(key for key, holds in worn.items() if holds)


def titles(badges: Iterable[str]) -> tuple[str, ...]:
    """The badges in words."""
    return tuple(BY_KEY[key].title for key in badges)


def tone_of(badges: Iterable[str]) -> str:
    """The tone of the first badge that has one."""
    return next((tone for key in badges if (tone := BY_KEY[key].tone)), "")


class Arm(NamedTuple):
    """One arm of a force, and the kinds of element that belong to it."""

    key: str
    title: str
    kinds: tuple[str, ...]


ARMS = (
    Arm("command", "Command", (COMMANDER, OBSERVER)),
    Arm("armor", "Armored vehicles", (ARMOR,)),
    Arm("infantry", "Infantry, engineers and cavalry", (INFANTRY, ENGINEERS, CAVALRY)),
    Arm("weapons", "Weapons and guns", (WEAPON, GUN)),
    Arm("transport", "Transport", (SOFT,)),
    Arm("unknown", "Not seen", (UNKNOWN,)),
)

ARM_OF = {kind: arm.key for arm in ARMS for kind in arm.kinds}


def formation_key(side: SideId, arm: str) -> str:
    """The key of a side's formation of one arm."""
    return f"{side} {arm}"


def arm_of(element: Element) -> str:
    """The arm of an element."""
    return ARM_OF[kind_of(element).kind]
