"""The cases of the conformance suite: the toy, the how-to's example, and every shipped scenario of every system."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Any

import pytest

from sandtable import registry
from sandtable.content import load_shipped, shipped_folder, shipped_scenarios
from sandtable.kernel.dice import PromptDice
from sandtable.kernel.events import Order
from sandtable.kernel.ids import HexId, SideId
from sandtable.kernel.ruleset import AnyRuleset
from sandtable.kernel.state import State
from sandtable.rulesets.panzer_44.orders import Pass as HoldFire
from sandtable.rulesets.panzer_leader.orders import Pass
from sandtable.rulesets.panzerblitz_3d.orders import Pass as LetPass
from tests.kit import panzer8, panzer_44, panzer_battles, panzer_leader, panzerblitz_3d, toy
from tests.kit.patrol import room as patrol

Twin = Callable[[State[Any], SideId, PromptDice], State[Any] | None]
"""Another truth that looks the same to a side; None when there is none."""


@dataclass(frozen=True)
class Case:
    """One battle the suite plays: `most` orders must be enough to end it, `rules` are the ids it may cite."""

    name: str
    ruleset: AnyRuleset
    opened: Callable[[], Any]
    """Gives the scenario: most cases are listed in every run and played only in a thorough one."""
    options: dict[str, Any] = field(default_factory=dict)
    twin: Twin | None = None
    rules: frozenset[str] = frozenset()
    most: int = 400
    seeds: tuple[str, ...] = ("1", "2", "3")
    samples: int = 12
    """How many states of a battle the slower checks look at."""
    lets_go: Order | None = None
    """What somebody orders who may react and does not want to, where that there was a chance is a secret."""
    is_short: bool = True
    """Whether it is played in every run of the tests; the others wait for a thorough one."""

    def __str__(self) -> str:
        return self.name

    @property
    def scenario(self) -> Any:
        return self.opened()


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
        Case("toy-line", toy.TOY, lambda: toy.LINE, twin=toy.twin, rules=rules),
        Case("toy-long", toy.TOY, lambda: toy.LINE, {"turns": 12}, twin=toy.twin, rules=rules, seeds=("4", "5")),
        Case("toy-short", toy.TOY, lambda: SHORT, twin=toy.twin, rules=rules),
    ]


def patrol_cases() -> list[Case]:
    """The example of docs/howto/add-a-system.md."""
    rules = frozenset(rule.id for rule in patrol.SYSTEM.rules())
    return [Case("np-meadow", patrol.SYSTEM.ruleset, patrol.meadow, twin=patrol.twin, rules=rules)]


@dataclass(frozen=True)
class Terms:
    """How the suite plays the scenarios of one system: each with every set of options, and what makes its twins."""

    options: tuple[dict[str, Any], ...] = ({},)
    twin: Twin | None = None
    most: int = 3000
    seeds: tuple[str, ...] = ("1",)
    samples: int = 6
    lets_go: Order | None = None


TERMS: dict[str, Terms] = {
    "panzer_leader": Terms(
        options=({}, {"fog": True}, {"fog": True, "opportunity_fire": True}),
        twin=panzer_leader.twin,
        lets_go=Pass(),
    ),
    "panzerblitz_3d": Terms(
        options=({}, {"fog": True}),
        twin=panzerblitz_3d.twin,
        lets_go=LetPass(),
    ),
    "panzer_44": Terms(
        options=({}, {"fog": True}, {"individual_panic": True, "ranging_in": True, "mounted_fire": True}),
        twin=panzer_44.twin,
        lets_go=HoldFire(),
    ),
    "panzer8": Terms(options=({}, {"hidden_setup": True}), twin=panzer8.twin),
    "panzer_battles": Terms(options=({}, {"fog": False}), twin=panzer_battles.twin, samples=3),
}
"""The terms of a system by its key; a system that is not listed is played on the usual ones, without twins."""


def systems() -> list[str]:
    """The keys of the registered systems."""
    return list(registry.SYSTEMS)


def shipped_cases(key: str) -> list[Case]:
    """Every shipped scenario of a system."""
    headers = shipped_scenarios(key) if shipped_folder("scenarios").is_dir() else []
    terms = TERMS.get(key, Terms())
    return [
        Case(
            "-".join([header.id, *sorted(options)]),
            registry.ruleset(key),
            partial(_shipped, header.id, key),
            options,
            terms.twin,
            rule_ids(key),
            terms.most,
            terms.seeds,
            terms.samples,
            terms.lets_go,
            header.tutorial,
        )
        for header in headers
        for options in terms.options
    ]


@cache
def _shipped(id: str, key: str) -> Any:
    return load_shipped(id, registry.vocabulary(key))


def rule_ids(key: str) -> frozenset[str]:
    """The ids in the catalogue of a system."""
    return frozenset(rule.id for rule in registry.rules(key))


@cache
def cases() -> tuple[Case, ...]:
    """Every case there is."""
    return (*toy_cases(), *patrol_cases(), *(case for key in systems() for case in shipped_cases(key)))


def short_cases() -> tuple[Case, ...]:
    """The cases of every run: the toys, and of each system what its beginners play."""
    return tuple(case for case in cases() if case.is_short)


MEASURED = ("pb3-cauldron", "pb3-seelow")
"""Battles with what none for beginners has, ways out, forts and batteries: they are run while lines are measured."""


def marked_cases() -> list[Any]:
    """Every case as a parameter of a test; those that take long wait for a thorough run, and are not measured in it but
    for a few.
    """
    return [case if case.is_short else pytest.param(case, marks=_marks_of(case)) for case in cases()]


def _marks_of(case: Case) -> tuple[Any, ...]:
    is_measured = case.name.startswith(MEASURED)
    return (pytest.mark.thorough,) if is_measured else (pytest.mark.thorough, pytest.mark.unmeasured)
