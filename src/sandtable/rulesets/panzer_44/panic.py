"""Phase 2: who panics, and what the panicked do.

Rules: P44-1.04, P44-6.01, P44-6.02, P44-6.03, P44-6.04, P44-6.05, P44-6.07, P44-6.08, P44-15.01.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from sandtable.kernel.ids import NOBODY, HexId, SideId, UnitId
from sandtable.kernel.resolution import Resolution
from sandtable.rulesets.panzer_44.events import DigitsDrawn, Panicked
from sandtable.rulesets.panzer_44.ground import Ground
from sandtable.rulesets.panzer_44.kinds import KINDS
from sandtable.rulesets.panzer_44.model import BOLTING, FROZEN, Position, Unit
from sandtable.rulesets.panzer_44.pieces import enemy_of, first_player
from sandtable.rulesets.panzer_44.scenario import Group
from sandtable.rulesets.panzer_44.stacks import kind_of, on_table
from sandtable.rulesets.panzer_44.tables import PANIC


class Nerve(NamedTuple):
    """A group of units with its Panic Level; the rest of a side is a group without a name."""

    group: str
    title: str
    level: int


def last_digit(position: Position, place: HexId) -> int:
    """The last digit of a hex's number, which panic goes by (P44-1.04)."""
    return int(position.ground.board.label(place)[-1])


def group_of(ground: Ground, kind: str, side: SideId, named: str) -> str:
    """The group a unit belongs to: the one it names, else one that lists its type, else one of its nation, else none.

    Rules: P44-6.01.
    """
    if named:
        return named
    groups: list[Group] = [group for group in ground.scenario.sections.groups if group.side == side]
    by_type = (group.id for group in groups if kind in group.types)
    by_nation = (group.id for group in groups if KINDS[kind].nation in group.nations)
    return next(by_type, "") or next(by_nation, "")


def nerves(ground: Ground, side: SideId) -> tuple[Nerve, ...]:
    """The groups of a side with their Panic Levels, the rest of it first (P44-6.01)."""
    sections = ground.scenario.sections
    groups = [Nerve(one.id, one.title, one.level) for one in sections.groups if one.side == side]
    return (Nerve("", "", sections.panic.get(side, 0)), *groups)


def determine(resolution: Resolution[Position]) -> None:
    """The phase is over: markers first, then each side's draws, then what every panicked unit does."""
    first = first_player(resolution.position)
    for side in (first, enemy_of(first)):
        struck = [unit.id for unit in resolution.position.units if unit.side == side and unit.hex and unit.delayed]
        _panic(resolution, struck)
    for side in (first, enemy_of(first)):
        for nerve in nerves(resolution.position.ground, side):
            if nerve.level:
                _draw(resolution, side, nerve)


def _draw(resolution: Resolution[Position], side: SideId, nerve: Nerve) -> None:
    """Units of one group panic by the digits drawn for it, or with the option each by a roll of its own."""
    members = [unit for unit in on_table(resolution.position, side) if unit.group == nerve.group]
    if not members:
        return
    if resolution.position.ground.options.individual_panic:
        rolls = [(unit, resolution.roll("P44-15.01", unit.id, PANIC.digits) - 1) for unit in members]
        _panic(resolution, [unit.id for unit, roll in rolls if roll < nerve.level])
        return
    left = list(range(PANIC.digits))
    digits = [left.pop(resolution.roll("P44-6.03", NOBODY, len(left)) - 1) for _ in range(nerve.level)]
    resolution.emit(DigitsDrawn(side, nerve.group, tuple(sorted(digits))))
    position = resolution.position
    _panic(resolution, [unit.id for unit in members if last_digit(position, unit.hex) in digits])


def _panic(resolution: Resolution[Position], units: Iterable[UnitId]) -> None:
    """These units panic; each freezes or bolts by its own roll (P44-6.05)."""
    for id in units:
        unit = resolution.position.units[id]
        if unit.panic:
            continue
        if always_freezes(unit):
            resolution.emit(Panicked(id, 0, FROZEN))
        else:
            roll = resolution.roll("P44-6.05", id)
            resolution.emit(Panicked(id, roll, BOLTING if roll in PANIC.bolt else FROZEN))


def always_freezes(unit: Unit) -> bool:
    """Whether a panicked unit stays where it is without a roll: disrupted, pinned, immobile, or a passenger."""
    return bool(unit.disruption) or unit.pinned or not kind_of(unit).ma or unit.carrier != NOBODY
