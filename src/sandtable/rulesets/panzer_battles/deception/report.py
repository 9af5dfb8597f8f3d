"""The deception units of a side, for its own eyes.

Rules: PB-DEC-5.
"""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.kernel.ids import RuleId
from sandtable.kernel.questions import Section
from sandtable.kernel.state import View
from sandtable.kernel.trace import Line
from sandtable.rulesets.panzer_battles.deception.deploying import deceivers, place_of
from sandtable.rulesets.panzer_battles.model import Position
from sandtable.rulesets.panzer_battles.names import place_name, unit_name

USED = "X"
"""The mark of a unit that moved or was deployed this turn (PB-DEC-5)."""


def report(view: View[Position]) -> Iterator[Section]:
    """Those with a counter and those deployed, each with its hex; an X marks who moved or was deployed this turn.

    Rules: PB-DEC-5.
    """
    position = view.position
    for title, is_deployed in (("Available", False), ("Deployed", True)):
        units = [unit for unit in deceivers(position, view.side) if bool(unit.posted) == is_deployed]
        lines = tuple(
            Line(
                f"{unit_name(position, unit.id)}{f' {USED}' if unit.has_acted else ''}",
                place_name(position, place_of(unit)),
                RuleId("PB-DEC-5"),
            )
            for unit in units
        )
        yield Section(title, lines, len(units), tuple(unit.id for unit in units))
