"""`sandtable systems` and `sandtable scenarios`."""

from __future__ import annotations

import argparse

from sandtable import registry
from sandtable.cli.screen import columns, print_json
from sandtable.content import ContentError, ScenarioHeader, shipped_folder, shipped_scenarios
from sandtable.lab.tables import read_table, system_key


def systems(asked: argparse.Namespace) -> int:
    """The systems stand on stdout."""
    counts = {key: len(shipped_scenarios(key)) for key in registry.SYSTEMS}
    if asked.json:
        print_json(
            [
                {"key": key, "title": system.title, "prefix": system.prefix, "scenarios": counts[key]}
                for key, system in registry.SYSTEMS.items()
            ]
        )
        return 0
    rows = [("KEY", "RULES", "SCENARIOS", "TITLE")]
    rows += [(key, system.prefix, str(counts[key]), system.title) for key, system in registry.SYSTEMS.items()]
    print("\n".join(columns(rows)))
    return 0


def scenarios(asked: argparse.Namespace) -> int:
    """The shipped scenarios stand on stdout, of one system or of all."""
    headers = shipped_scenarios(system_key(asked.system) if asked.system else None)
    if asked.json:
        print_json([_facts(header) for header in headers])
        return 0
    rows = [("ID", "SYSTEM", "TURNS", "UNITS", "MINUTES", "DIFFICULTY", "SIDES", "TITLE")]
    for header in headers:
        sides = " / ".join(side.title for side in header.sides)
        level = "tutorial" if header.tutorial else header.difficulty
        count = _unit_count(header)
        units = "?" if count is None else str(count)
        row = (header.id, header.system, str(header.turns), units, str(header.minutes), level, sides, header.title)
        rows.append(row)
    print("\n".join(columns(rows)))
    for system in sorted({header.system for header in headers}):
        for campaign in registry.campaigns(system):
            print(f"\nCampaign {campaign.title}: {', '.join(campaign.scenarios)}\n  {campaign.summary}")
    return 0


def _facts(header: ScenarioHeader) -> dict[str, object]:
    return {
        "id": header.id,
        "system": header.system,
        "title": header.title,
        "turns": header.turns,
        "units": _unit_count(header),
        "sides": [{"id": side.id, "title": side.title} for side in header.sides],
        "board": header.board,
        "difficulty": header.difficulty,
        "minutes": header.minutes,
        "tutorial": header.tutorial,
        "summary": header.summary,
        "campaigns": [one.id for one in registry.campaigns(header.system) if header.id in one.scenarios],
    }


def _unit_count(header: ScenarioHeader) -> int | None:
    """How many units fight in a scenario, or None when its file can't be played."""
    try:
        source = shipped_folder("scenarios").joinpath(header.file)
        return len(read_table(source, header.system).scenario.units)
    except ContentError:
        return None
