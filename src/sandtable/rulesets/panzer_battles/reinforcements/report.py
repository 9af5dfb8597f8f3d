"""What the scenario has in store for a side: who arrives, who is released and who has to leave, for its own eyes.

Rules: PB-REIN-1, PB-MOVE-100, PB-MOVE-110.
"""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.kernel.ids import RuleId
from sandtable.kernel.questions import Section
from sandtable.kernel.state import View
from sandtable.kernel.trace import Line
from sandtable.rulesets.panzer_battles.formations import formations
from sandtable.rulesets.panzer_battles.model import COMING, DUE, SIDES, Position, on_map
from sandtable.rulesets.panzer_battles.names import place_name, unit_name
from sandtable.rulesets.panzer_battles.reinforcements.entries import Entry, waiting


def report(view: View[Position]) -> Iterator[Section]:
    """The arrivals, releases and withdrawals that are still to come.

    Rules: PB-REIN-1, PB-REIN-3, PB-MOVE-100, PB-MOVE-110.
    """
    if view.side not in SIDES:
        return
    yield Section("Reinforcements", tuple(_arrivals(view)))
    yield Section("Releases", tuple(_releases(view)))
    yield Section("Withdrawals", tuple(_withdrawals(view)))


def _arrivals(view: View[Position]) -> Iterator[Line]:
    position = view.position
    for state in (DUE, COMING):
        for entry, units in waiting(position, view.side, state).items():
            when = "now" if state == DUE else f"turn {entry.turn}"
            for unit in units:
                told = f"{when}, {place_name(position, entry.hex)}{_chance(entry)}"
                yield Line(unit_name(position, unit.id), told, RuleId("PB-REIN-1"))
            if entry.arrival.protection:
                yield Line("enemies so near are Broken by it", entry.arrival.protection, RuleId("PB-REIN-3"))
    advice = position.parameters.misc.arrival_protection_advice_hexes
    yield Line("keep away from where the enemy may arrive (hexes)", advice, RuleId("PB-REIN-3"))


def _chance(entry: Entry) -> str:
    return "" if entry.arrival.chance == 100 else f", {entry.arrival.chance} % each turn"


def _releases(view: View[Position]) -> Iterator[Line]:
    position = view.position
    known = formations(position.ground)
    for one in position.ground.scenario.sections.releases:
        if known[one.formation].side == view.side and one.turn > position.turn:
            when = f"turn {one.turn}{', or when one of it is spotted' if one.when_spotted else ''}"
            yield Line(known[one.formation].title, when, RuleId("PB-MOVE-100"))


def _withdrawals(view: View[Position]) -> Iterator[Line]:
    position = view.position
    own = {unit.name: unit for unit in on_map(position, view.side)}
    for entry in position.ground.scenario.sections.withdrawals:
        for name in entry.units:
            if name in own:
                yield Line(unit_name(position, own[name].id), f"turn {entry.turn}", RuleId("PB-MOVE-110"))
