"""A type of counter in words: each number printed on it with what it means; pieces name their type by its key."""

from __future__ import annotations

import msgspec

from sandtable.kernel.ids import RuleId


class CounterValue(msgspec.Struct, frozen=True):
    """One thing printed on a counter: its name, what is printed, what that means, and the rule that says so."""

    name: str
    amount: str
    meaning: str
    rule: RuleId


class CounterCard(msgspec.Struct, frozen=True):
    """A type of counter: its title, all of its values in one breath, and each of them explained."""

    key: str
    title: str
    brief: str
    values: tuple[CounterValue, ...]
