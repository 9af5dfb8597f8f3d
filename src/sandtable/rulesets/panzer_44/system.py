"""Panzer '44 as the floors above find it."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Final

from sandtable.content import Tutorial, TutorialWords, load_tutorial, read_catalogue
from sandtable.content.catalogue import CatalogueRule
from sandtable.content.reading import Source
from sandtable.play.system import System
from sandtable.rulesets.panzer_44.counters import counters
from sandtable.rulesets.panzer_44.doctrine import Doctrine
from sandtable.rulesets.panzer_44.kinds import KINDS
from sandtable.rulesets.panzer_44.orderbook import BOOK
from sandtable.rulesets.panzer_44.ruleset import Panzer44
from sandtable.rulesets.panzer_44.scenario import VOCABULARY, Panzer44Scenario


def unit_title(type: str) -> str:
    """A unit type as its counter is called."""
    return KINDS[type].name


@cache
def rules() -> tuple[CatalogueRule, ...]:
    """The rules in the order of the catalogue."""
    return read_catalogue(files(__package__).joinpath("rules.toml"))


def tutorial(scenario: Panzer44Scenario, source: Source) -> Tutorial:
    """The tutorial that a source holds for a scenario."""
    return load_tutorial(source, scenario, TutorialWords(BOOK.verbs, BOOK.steps, [rule.id for rule in rules()]))


SYSTEM: Final = System(Panzer44(), Doctrine(), VOCABULARY, unit_title, rules, tutorial, counters)
