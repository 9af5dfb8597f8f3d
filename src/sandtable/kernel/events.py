"""The bases of what rulesets define: orders, events and frames, each family a tagged union of frozen structs."""

from __future__ import annotations

import msgspec

from sandtable.kernel.ids import NOBODY, RuleId, UnitId


class Order(msgspec.Struct, frozen=True, tag_field="order", tag=True, omit_defaults=True):
    """What a side wants done: imperative, made of ids, hexes and words."""


class Event(msgspec.Struct, frozen=True, tag_field="event", tag=True, omit_defaults=True):
    """What has happened: past tense; the only thing that changes a position."""


class Frame(msgspec.Struct, frozen=True, tag_field="frame", tag=True, omit_defaults=True):
    """One level of the sequence of play: the ruleset's own word with small frozen locals."""


class Draw(msgspec.Struct, frozen=True, omit_defaults=True):
    """One die or chance as it fell: which rule asked, for whom, out of how many, and the result."""

    rule: RuleId
    sides: int
    result: int
    actor: UnitId = NOBODY
    odds: str = ""
