"""The toy as the floors above find it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sandtable.content import Tutorial, TutorialWords, load_tutorial, read_catalogue
from sandtable.play.system import System
from tests.cli.outpost.doctrine import Doctrine
from tests.cli.outpost.ruleset import Outpost
from tests.cli.outpost.scenario import VOCABULARY
from tests.kit import toy

RULES = read_catalogue(Path(__file__).with_name("rules.toml"))


def unit_title(type: str) -> str:
    return type


def tutorial(scenario: Any, source: Any) -> Tutorial:
    return load_tutorial(source, scenario, TutorialWords({"move", "end"}, toy.FITTING, [rule.id for rule in RULES]))


SYSTEM = System(Outpost(), Doctrine(), VOCABULARY, unit_title, lambda: RULES, tutorial)
