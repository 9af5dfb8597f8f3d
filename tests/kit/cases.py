"""The cases of the conformance suite: the toy, and every ruleset in the registry with scenarios of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from sandtable.kernel.dice import PromptDice
from sandtable.kernel.ids import HexId, SideId
from sandtable.kernel.ruleset import AnyRuleset
from sandtable.kernel.state import State
from tests.kit import toy

Twin = Callable[[State[Any], SideId, PromptDice], State[Any] | None]
"""Another truth that looks the same to a side; None when there is none."""


@dataclass(frozen=True)
class Case:
    """One battle the suite plays: `most` orders must be enough to end it, `rules` are the ids it may cite."""

    name: str
    ruleset: AnyRuleset
    scenario: Any
    options: dict[str, Any] = field(default_factory=dict)
    twin: Twin | None = None
    rules: frozenset[str] = frozenset()
    most: int = 400
    seeds: tuple[str, ...] = ("1", "2", "3")
    samples: int = 12
    """How many states of a battle the slower checks look at."""

    def __str__(self) -> str:
        return self.name


SHORT = toy.Scenario(
    length=6,
    turns=3,
    posts=(
        toy.Post(toy.RED, HexId(1)),
        toy.Post(toy.BLUE, HexId(3), hidden=True),
        toy.Post(toy.BLUE, HexId(6)),
    ),
)


def toy_cases() -> list[Case]:
    rules = frozenset(toy.RULES)
    return [
        Case("toy-line", toy.TOY, toy.LINE, twin=toy.twin, rules=rules),
        Case("toy-long", toy.TOY, toy.LINE, {"turns": 12}, twin=toy.twin, rules=rules, seeds=("4", "5")),
        Case("toy-short", toy.TOY, SHORT, twin=toy.twin, rules=rules),
    ]


REGISTERED: dict[str, Callable[[AnyRuleset], Iterable[Case]]] = {}
"""For each name in the registry, what makes its cases. A ruleset without an entry fails the suite."""


def registry() -> dict[str, AnyRuleset]:
    """The registered rulesets by name."""
    if find_spec("sandtable.registry") is None:
        return {}
    return dict(import_module("sandtable.registry").RULESETS)


def cases() -> list[Case]:
    """Every case there is."""
    made = [case for name, ruleset in registry().items() if name in REGISTERED for case in REGISTERED[name](ruleset)]
    return toy_cases() + made
