"""The air units of a side and what they are at, for its own eyes."""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.kernel.ids import RuleId
from sandtable.kernel.questions import Section
from sandtable.kernel.state import View
from sandtable.kernel.trace import Line
from sandtable.rulesets.panzer_battles.air.calling import cannot_be_called
from sandtable.rulesets.panzer_battles.air.units import CARPET, RECON, TITLES, air_units, called, mission_of
from sandtable.rulesets.panzer_battles.formations import formations
from sandtable.rulesets.panzer_battles.model import SIDES, Position
from sandtable.rulesets.panzer_battles.names import place_name, strength_text, unit_name

MARKS = {RECON: " RECON", CARPET: " CARPET"}
"""How air units are marked that do not strike (PB-AIR-1, PB-AIR-22)."""


def air_support(view: View[Position]) -> Iterator[Section]:
    """Each air unit with its strength, its owner and whether it can be called, marked by what it is for.

    Rules: PB-AIR-1, PB-AIR-22, PB-AIR-24, PB-OOB-8.
    """
    position = view.position
    lines = []
    for unit in air_units(position, view.side) if view.side in SIDES else []:
        marks = MARKS.get(mission_of(unit), "") + (" SINGLE USE" if unit.has("single_use") else "")
        name = f"{unit_name(position, unit.id)}{marks}, {strength_text(unit.kind, unit.strength)}"
        mission = called(position, unit)
        barred = cannot_be_called(position, view.side, unit)
        if mission is not None:
            state, rule = f"{TITLES[mission.kind]} called on {place_name(position, mission.hex)}", RuleId("PB-AIR-2")
        elif barred is not None:
            state, rule = barred.reason, barred.rule
        else:
            state, rule = "available", RuleId("PB-AIR-32")
        lines.append(Line(name, state, rule))
        if unit.formation:
            owner = formations(position.ground)[unit.formation].title
            lines.append(Line("owned by", owner, RuleId("PB-OOB-8")))
    yield Section("Air units", tuple(lines))
