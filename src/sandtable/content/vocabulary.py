"""The words a system allows in its files. Content knows no game: each ruleset hands in its vocabulary."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Generic

import msgspec

from sandtable.content.model import D, OptionValue, S, Scenario
from sandtable.content.problems import Problem
from sandtable.geometry import Board


class Option(msgspec.Struct, frozen=True):
    """A switch a scenario or a player may set: one of a few values."""

    name: str
    default: OptionValue = False
    values: tuple[OptionValue, ...] = (False, True)
    title: str = ""

    def allows(self, value: object) -> bool:
        """Whether a value is one of the option's own; true is not 1."""
        return any(type(value) is type(own) and value == own for own in self.values)


def no_problems(_: object) -> Iterable[Problem]:
    """Nothing to object to: the checks of a system that has none of its own."""
    return ()


class Vocabulary(msgspec.Struct, Generic[S, D], frozen=True):
    """What terrains, unit types, options, sides and further sections the files of one system may name.

    `road_kinds` are the kinds a road may have; one of no kind is always allowed. Boards give elevation in meters or in
    levels, as the system says. Units of `off_map` types have no place on it. Empty `sides` or `nations` leave the
    choice to the scenario. `absent` are options that a system is known for and does not have, each with what is said to
    who sets it. The two checks see only what has passed all other checks; a Problem they make may leave its file empty.
    """

    system: str
    sections: type[S]
    unit_details: type[D]
    terrains: frozenset[str]
    unit_types: frozenset[str]
    hexsides: frozenset[str] = frozenset()
    features: frozenset[str] = frozenset()
    sides: frozenset[str] = frozenset()
    nations: frozenset[str] = frozenset()
    options: tuple[Option, ...] = ()
    absent: Mapping[str, str] = {}
    road_kinds: frozenset[str] = frozenset()
    off_map: frozenset[str] = frozenset()
    in_meters: bool = False
    problems: Callable[[Scenario[S, D]], Iterable[Problem]] = no_problems
    board_problems: Callable[[Board], Iterable[Problem]] = no_problems


AnyVocabulary = Vocabulary[Any, Any]
