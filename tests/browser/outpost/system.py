"""The toy as the floors above find it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sandtable.content import Tutorial, TutorialWords, load_tutorial, read_catalogue
from sandtable.play.system import System
from tests.browser.outpost.doctrine import Doctrine
from tests.browser.outpost.ruleset import KEYS, Outpost
from tests.browser.outpost.scenario import VOCABULARY
from tests.kit import toy

VERBS = {*KEYS.values(), "dodge", "press", "pass"}
RULES = read_catalogue(Path(__file__).with_name("rules.toml"))


def unit_title(type: str) -> str:
    return type


def tutorial(scenario: Any, source: Any) -> Tutorial:
    return load_tutorial(source, scenario, TutorialWords(VERBS, toy.FITTING, [rule.id for rule in RULES]))


SYSTEM = System(Outpost(), Doctrine(), VOCABULARY, unit_title, lambda: RULES, tutorial)
