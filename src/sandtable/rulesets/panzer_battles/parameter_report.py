"""Every number of the parameter data in use, under its headings.

Rules: PB-GEN-21.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from sandtable.kernel.ids import RuleId
from sandtable.kernel.questions import Section
from sandtable.kernel.state import View
from sandtable.kernel.trace import Line
from sandtable.rulesets.panzer_battles.model import Position

TRUTHS = {"True": "yes", "False": "no"}
WORDS = {"pct": "%", "mult": "multiplier", "m": "(meters)", "combined2": "of two combined"}
"""What is short in the names of values, as it is read."""


def sections(view: View[Position]) -> Iterator[Section]:
    """A section for each heading of the parameter file, with all its values.

    Rules: PB-GEN-21.
    """
    parameters = view.position.parameters
    for heading in parameters.__struct_fields__:
        yield Section(heading, tuple(_lines("", getattr(parameters, heading))))


def _lines(name: str, value: object) -> Iterator[Line]:
    """A value as a line, a table as a line for each of its values."""
    inside: dict[str, object] = {}
    if isinstance(value, msgspec.Struct):
        inside = {field: getattr(value, field) for field in value.__struct_fields__}
    elif isinstance(value, dict):
        inside = value
    if not inside:
        shown = ", ".join(map(str, value)) if isinstance(value, tuple) else TRUTHS.get(str(value), str(value))
        words = " ".join(WORDS.get(word, word) for word in name.split())
        yield Line(words, shown, RuleId("PB-GEN-21"))
    for key, one in inside.items():
        yield from _lines(f"{name} {key}".strip().replace("_", " "), one)
