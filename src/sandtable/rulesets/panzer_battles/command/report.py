"""The Command report: what the start of its turn brought a side.

Rules: PB-CMD-29, PB-TURN-2.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from sandtable.kernel.ids import RuleId
from sandtable.kernel.questions import Section
from sandtable.kernel.state import View
from sandtable.kernel.trace import Line
from sandtable.play.words import so_many
from sandtable.rulesets.panzer_battles import clock
from sandtable.rulesets.panzer_battles.environment.words import changes_of, ground_text
from sandtable.rulesets.panzer_battles.model import Position, on_map
from sandtable.rulesets.panzer_battles.names import unit_name

HEX_METERS = 250
"""How far it is across a hex.

Rules: PB-GEN-1.
"""


class Topic(NamedTuple):
    """What is reported under a heading, and the rule behind it."""

    title: str
    rule: str


HEADINGS = {
    "arrivals": Topic("Reinforcements that may arrive", "PB-TURN-4"),
    "released": Topic("Free to move", "PB-MOVE-100"),
    "fixed": Topic("Fixed", "PB-MOVE-101"),
    "withdrawn": Topic("Withdrawn", "PB-MOVE-110"),
    "isolated": Topic("Isolated", "PB-SUP-17"),
    "out_of_command": Topic("Out of Command", "PB-CMD-15"),
    "restored": Topic("Headquarters formed anew", "PB-CMD-27"),
    "low_ammo": Topic("Low on ammunition", "PB-SUP-22"),
    "unavailable": Topic("Out of shells", "PB-SUP-27"),
    "unstocked": Topic("Stockpile used up", "PB-SUP-49"),
    "low_fuel": Topic("Low on fuel", "PB-SUP-32"),
    "replenished": Topic("Ammunition brought up", "PB-SUP-25"),
    "available": Topic("Shells brought up", "PB-SUP-27"),
    "set_up": Topic("Set up", "PB-SUP-41"),
    "refueled": Topic("Refueled", "PB-SUP-35"),
    "recovered": Topic("Recovered", "PB-CMD-24"),
    "rested": Topic("Rested", "PB-FAT-9"),
    "remounted": Topic("Have their vehicles again", "PB-MOVE-68"),
    "recalled": Topic("Deception units recalled", "PB-DEC-14"),
    "air_available": Topic("Air units available again", "PB-AIR-32"),
    "air_recovered": Topic("Air units recovered", "PB-AIR-33"),
}
"""The headings of the report by topic, in the order of the steps of a turn.

Rules: PB-CMD-29, PB-TURN-2.
"""


def report(view: View[Position]) -> Iterator[Section]:
    """The clock and the weather, everything that the start of the turn brought, and who is shaken now.

    Rules: PB-CMD-29, PB-ENV-7, PB-TURN-2.
    """
    position, found = view.position, view.position.news.get(view.side, ())
    heading = f"Turn {position.turn} of {position.ground.scenario.turns}"
    yield Section(heading, tuple(_environment(position)))
    changed = [text for one in found if one.weather for text in changes_of(one.weather, position.weather)]
    if changed:
        yield Section("Weather", tuple(Line(text, "", RuleId("PB-ENV-7")) for text in changed))
    for topic, (title, rule) in HEADINGS.items():
        units = tuple(id for one in found if one.topic == topic for id in one.units)
        if units:
            lines = tuple(Line(unit_name(position, id), title, RuleId(rule)) for id in units)
            # who is off the map has no counter to point at
            shown = tuple(id for id in units if position.units[id].hex)
            yield Section(title, lines, len(units), shown)
    shaken = [unit for unit in on_map(position, view.side) if unit.is_shaken]
    lines = tuple(
        Line(unit_name(position, unit.id), "Broken" if unit.broken else "Disrupted", RuleId("PB-FIRE-64"))
        for unit in shaken
    )
    yield Section("Shaken units", lines, len(lines), tuple(unit.id for unit in shaken))


def _environment(position: Position) -> Iterator[Line]:
    sight = f"{so_many(position.visibility, 'hex', 'hexes')}, {position.visibility * HEX_METERS} m"
    yield Line("Time", clock.shown(position.minutes), RuleId("PB-TURN-6"))
    yield Line("Visibility", sight, RuleId("PB-GEN-1"))
    yield Line("Ground", ground_text(position.weather), RuleId("PB-ENV-21"))
