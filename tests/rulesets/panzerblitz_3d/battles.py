"""Whole 3D PanzerBlitz scenarios drawn in a test, for what happens before the first shot and after the last.

b = battle(
    "..T",
    entry("r_rifle", "0101"),
    entry("g_truck", turn=2, at=["0301"]),
    objectives=[("Village", ["0301"], 3)],
    sections={"mines": ("0201",)},
)
t = opened(b)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import count
from typing import Any

from sandtable.content import Objective, Reinforcement, Scenario, ScenarioUnit, Zone
from sandtable.kernel.engine import begin
from sandtable.kernel.ids import SPECTATORS, HexId, UnitId
from sandtable.rulesets.panzerblitz_3d.kinds import KINDS
from sandtable.rulesets.panzerblitz_3d.model import SIDES
from sandtable.rulesets.panzerblitz_3d.scenario import OPTIONS, UnitDetails
from tests.rulesets.panzerblitz_3d.table import RULES, Table, drawn, scenario

_numbers = count(1)
OFF = {option.name: False for option in OPTIONS}


class Entry:
    """One unit of an order of battle, its hexes still labels."""

    def __init__(self, type: str, label: str, side: str, fields: dict[str, Any]) -> None:
        self.type, self.label, self.side, self.fields = type, label, side, fields


def entry(type: str, label: str = "", side: str = "", **fields: Any) -> Entry:
    """A unit that begins in the hex, or arrives on `turn` at one of the hexes `at`, or is yet to be set up.

    `id`, `name`, `aboard` and `inside` are as in a scenario file; anything else is a detail of the unit.
    """
    return Entry(type, label, side or KINDS[type].nation, fields)


def battle(
    rows: str,
    *entries: Entry,
    zones: Mapping[str, Iterable[str]] | None = None,
    objectives: Iterable[tuple[str, Iterable[str], int | None]] = (),
    options: Mapping[str, bool] | None = None,
    **fields: Any,
) -> Scenario[Any, Any]:
    """The scenario as described; fields that a board has go into the drawing, all others into the scenario."""
    about = {key: fields.pop(key) for key in ("roads", "hexsides", "gully", "ford") if key in fields}
    board = drawn(rows, **about)

    def places(labels: Iterable[str]) -> tuple[HexId, ...]:
        return tuple(HexId(board.parse(label)) for label in labels)

    by_id: dict[str, Entry] = {}
    for n, one in enumerate(entries, 1):
        by_id[one.fields.setdefault("id", f"{one.type}-{n}")] = one

    def unit(n: int, one: Entry) -> ScenarioUnit[UnitDetails]:
        given = dict(one.fields)
        bearer = given.get("aboard") or given.get("inside")
        label = one.label or (by_id[bearer].label if bearer else "")
        arrival = Reinforcement(given.pop("turn"), places(given.pop("at"))) if "turn" in given else None
        own = {key: given.pop(key) for key in ("id", "name", "aboard", "inside") if key in given}
        place = HexId(board.parse(label)) if label else None
        return ScenarioUnit(
            type=one.type, side=one.side, details=UnitDetails(**given), entry=n, hex=place, arrival=arrival, **own
        )

    return scenario(
        board,
        units=tuple(unit(n, one) for n, one in enumerate(entries, 1)),
        zones=tuple(Zone(side, places(labels)) for side, labels in (zones or {}).items()),
        objectives=tuple(Objective(title, places(labels), points) for title, labels, points in objectives),
        options={**OFF, **(options or {})},
        # grounds are shared by digest, so every scenario needs one of its own
        **{"digest": f"drawn {next(_numbers)}", **fields},
    )


def opened(made: Scenario[Any, Any], seed: str = "test", **options: bool) -> Table:
    """The table of a scenario, at its first decision; both sides and spectators are told what happens."""
    return Table(begin(RULES, made, dict(options), seed, (*SIDES, SPECTATORS)).state)


def id_of(t: Table, name: str) -> UnitId:
    """The number that the unit of this name was dealt."""
    return next(unit.id for unit in t.position.units if unit.name == name)
