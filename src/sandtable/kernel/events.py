"""The bases of what rulesets define: orders, events and frames, each family a tagged union of frozen structs; draws."""

from __future__ import annotations

from typing import Any, ClassVar

import msgspec

from sandtable.kernel.ids import NOBODY, RuleId, UnitId


class Order(msgspec.Struct, frozen=True, gc=False, tag_field="order", tag=True, omit_defaults=True):
    """What a side wants done: imperative, made of ids, hexes and words."""


class Audience(msgspec.Struct, frozen=True):
    """Who may know of an event and how much, whether it brings something hidden to light, and ends an observation."""

    words: str
    reveals: bool = False
    pauses: bool = False


EVERYBODY = Audience("everybody, word for word")
REVEALED = Audience("everybody: what was secret until now", reveals=True)
DISCERNED = Audience("a viewer alone: something came into his sight or went out of it", reveals=True)
"""Of events that never happen by themselves: a viewer is told them because of what he sees."""


class Event(msgspec.Struct, frozen=True, gc=False, tag_field="event", tag=True, omit_defaults=True):
    """What has happened: past tense; the only thing that changes a position.

    Every event says who may know of it: hidden unless declared.
    """

    audience: ClassVar[Audience]

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if "audience" not in cls.__dict__:
            raise TypeError(f"the event {cls.__name__} does not declare its audience")


class Frame(msgspec.Struct, frozen=True, gc=False, tag_field="frame", tag=True, omit_defaults=True):
    """One level of the sequence of play: the ruleset's own word with small frozen locals."""


class DiceKey(msgspec.Struct, frozen=True, gc=False):
    """Where a battle's dice stand: its secret seed and the number of the next order."""

    seed: str
    number: int = 0


class Draw(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """One die or chance as it fell: which rule asked, for whom, out of how many, and the result."""

    rule: RuleId
    sides: int
    result: int
    actor: UnitId = NOBODY
    odds: str = ""
