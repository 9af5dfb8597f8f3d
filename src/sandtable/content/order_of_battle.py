"""The units of a scenario: entries expanded, ids given, carriers found, every unit in its place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from typing import Any, Final, NamedTuple

from sandtable.content.boards import find_hex
from sandtable.content.model import Reinforcement, ScenarioUnit
from sandtable.content.problems import Findings, quoted
from sandtable.content.scenario_file import MAX_UNITS, ScenarioFile, UnitEntry
from sandtable.geometry import Board, HexId

MAX_HOLD: Final = 8
"""How many units may hold one another: more than any carrier in a fort, fewer than a circle."""

_PLACES = ("at", "arrives", "aboard", "inside")
_ONE_OF = "'at', 'arrives', 'aboard' and 'inside'"


class Listed(NamedTuple):
    """One unit of an entry: its id, the number of the entry, which of its count it is, and the entry itself."""

    id: str
    number: int
    copy: int
    entry: UnitEntry

    @property
    def where(self) -> str:
        return f"[[units]] #{self.number}"

    @property
    def carrier(self) -> str:
        """The unit it is aboard or inside, or ""."""
        return self.entry.aboard or self.entry.inside or ""


def list_units(file: ScenarioFile, findings: Findings, off_map: Collection[str] = ()) -> dict[str, Listed]:
    """All units by id, with what is wrong with their entries noted; units of `off_map` types need no place."""
    copies = [_copies(entry) for entry in file.units]
    if sum(copies) > MAX_UNITS:
        findings.add("[[units]]", f"expected at most {MAX_UNITS:,} units, got {sum(copies):,}")
        return {}
    zoned = {zone.side for zone in file.zones}
    for n, entry in enumerate(file.units, 1):
        placed = {*zoned, entry.side} if entry.type in off_map else zoned
        _check_entry(f"[[units]] #{n}", entry, placed, file.turns, findings)
    return _with_ids(file, copies, findings)


def _copies(entry: UnitEntry) -> int:
    if entry.count is not None:
        return entry.count
    return len(entry.at) if isinstance(entry.at, tuple) else 1


def _check_entry(where: str, entry: UnitEntry, zoned: set[str], turns: int, findings: Findings) -> None:
    places = [f"'{key}'" for key in _PLACES if getattr(entry, key) is not None]
    if len(places) > 1:
        findings.add(where, f"expected one of {_ONE_OF}, got {' and '.join(places)}")
    if not places and entry.side and entry.side not in zoned:
        findings.add(where, f"expected one of {_ONE_OF}: side {quoted(entry.side)} has no zone to set up in")
    if isinstance(entry.at, tuple) and entry.count and entry.at and len(entry.at) != entry.count:
        findings.add(f"{where} 'at'", f"expected {entry.count} hexes, as 'count' says, got {len(entry.at)}")
    if entry.arrives and turns and entry.arrives.turn > turns:
        findings.add(f"{where} 'arrives.turn'", f"expected a turn up to {turns}, the last, got {entry.arrives.turn}")


def _with_ids(file: ScenarioFile, copies: list[int], findings: Findings) -> dict[str, Listed]:
    """Units under their own ids, numbered ids for an entry of several, and ids after the type for the unnamed."""
    units: dict[str, Listed] = {}
    for n, entry in enumerate(file.units, 1):
        if not entry.id:
            continue
        for copy in range(copies[n - 1]):
            listed = Listed(f"{entry.id}-{copy + 1}" if copies[n - 1] > 1 else entry.id, n, copy, entry)
            if taken := units.get(listed.id):
                findings.add(f"{listed.where} 'id'", f"{quoted(listed.id)} is already the id of {taken.where}")
            units[listed.id] = listed
    last: Counter[str] = Counter()
    for n, entry in enumerate(file.units, 1):
        for copy in range(0 if entry.id else copies[n - 1]):
            last[entry.type] += 1
            while f"{entry.type}-{last[entry.type]}" in units:
                last[entry.type] += 1
            listed = Listed(f"{entry.type}-{last[entry.type]}", n, copy, entry)
            units[listed.id] = listed
    return units


def check_carriers(units: Mapping[str, Listed], findings: Findings) -> None:
    """Note units carried by another side, and units that are carried without end."""
    for unit in units.values():
        carrier = units.get(unit.carrier)
        if carrier and carrier.entry.side != unit.entry.side:
            findings.add(unit.where, f"{quoted(unit.id)} is of another side than {quoted(carrier.id)}, which holds it")
        for _ in range(MAX_HOLD):
            if carrier is None or carrier.id == unit.id:
                break
            carrier = units.get(carrier.carrier)
        if carrier:
            ending = "holds itself" if carrier.id == unit.id else f"is held more than {MAX_HOLD} deep"
            findings.add(unit.where, f"{quoted(unit.id)} {ending}")


def place_units(units: Mapping[str, Listed], board: Board) -> tuple[ScenarioUnit[Any], ...]:
    """The units in the order of the file, each where it or what carries it begins."""
    listed = sorted(units.values(), key=lambda unit: (unit.number, unit.copy))
    return tuple(_placed(unit, units, board) for unit in listed)


def _placed(unit: Listed, units: Mapping[str, Listed], board: Board) -> ScenarioUnit[Any]:
    entry = unit.entry
    outermost = unit
    while outermost.carrier:
        outermost = units[outermost.carrier]
    at, arrives = outermost.entry.at, outermost.entry.arrives
    start = at[outermost.copy] if isinstance(at, tuple) else at
    return ScenarioUnit(
        id=unit.id,
        type=entry.type,
        side=entry.side,
        details=entry.extension,
        entry=unit.number,
        name=entry.name,
        hex=find_hex(board, start) if start else None,
        arrival=Reinforcement(arrives.turn, hex_ids(board, arrives.at)) if arrives else None,
        aboard=entry.aboard,
        inside=entry.inside,
    )


def hex_ids(board: Board, labels: str | tuple[str, ...]) -> tuple[HexId, ...]:
    """The hexes that one label or several name."""
    return tuple(find_hex(board, label) for label in ((labels,) if isinstance(labels, str) else labels))
