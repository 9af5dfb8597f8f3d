"""Whole Panzer Leader scenarios drawn in a test, for what happens before the first shot and after the last.

b = battle(
    "..T",
    entry("a_rifle", "0101"),
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
from sandtable.kernel.ids import HexId, UnitId
from sandtable.rulesets.panzer_leader.ruleset import PanzerLeader
from sandtable.rulesets.panzer_leader.scenario import PanzerLeaderScenario, UnitDetails
from tests.rulesets.panzer_leader.table import Table, drawn, scenario

_numbers = count(1)


class Entry:
    """One unit of an order of battle, its hexes still labels."""

    def __init__(self, type: str, label: str, side: str, fields: dict[str, Any]) -> None:
        self.type, self.label, self.side, self.fields = type, label, side, fields


def entry(type: str, label: str = "", side: str = "", **fields: Any) -> Entry:
    """A unit that begins in the hex, or arrives on `turn` at one of the hexes `at`, or is yet to be set up.

    `id`, `name`, `aboard` and `inside` are as in a scenario file; anything else is a detail of the unit.
    """
    return Entry(type, label, side or ("allied" if type[0] in "ab" else "german"), fields)


def battle(
    rows: str,
    *entries: Entry,
    zones: Mapping[str, Iterable[str]] | None = None,
    objectives: Iterable[tuple[str, Iterable[str], int | None]] = (),
    **fields: Any,
) -> PanzerLeaderScenario:
    """The scenario as described; fields that a board has go into the drawing, all others into the scenario."""
    about = {key: fields.pop(key) for key in ("elevation", "roads", "hexsides", "features") if key in fields}
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

    made: Scenario[Any, Any] = scenario(
        board,
        units=tuple(unit(n, one) for n, one in enumerate(entries, 1)),
        zones=tuple(Zone(side, places(labels)) for side, labels in (zones or {}).items()),
        objectives=tuple(Objective(title, places(labels), points) for title, labels, points in objectives),
        # grounds are shared by digest, so every scenario needs one of its own
        **{"digest": f"drawn {next(_numbers)}", **fields},
    )
    return made


def opened(scenario: PanzerLeaderScenario, options: dict[str, Any] | None = None, seed: str = "seed") -> Table:
    """The battle at its first decision."""
    played = begin(PanzerLeader(), scenario, options or {}, seed)
    table = Table(played.state)
    table.events = played.events
    return table


def named(table: Table, name: str) -> UnitId:
    """The number of the unit with that id in the scenario."""
    return next(unit.id for unit in table.position.units if unit.name == name)
