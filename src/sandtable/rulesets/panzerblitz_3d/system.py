"""3D PanzerBlitz as the floors above find it."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Final

from sandtable.content import Tutorial, TutorialWords, load_tutorial, read_catalogue
from sandtable.content.catalogue import CatalogueRule
from sandtable.content.reading import Source
from sandtable.play.system import System
from sandtable.rulesets.panzerblitz_3d.counters import counters
from sandtable.rulesets.panzerblitz_3d.doctrine import Doctrine
from sandtable.rulesets.panzerblitz_3d.kinds import KINDS
from sandtable.rulesets.panzerblitz_3d.orderbook import BOOK
from sandtable.rulesets.panzerblitz_3d.ruleset import Panzerblitz3d
from sandtable.rulesets.panzerblitz_3d.scenario import VOCABULARY, PanzerblitzScenario


def unit_title(type: str) -> str:
    """A unit type as its counter is called."""
    return KINDS[type].name


@cache
def rules() -> tuple[CatalogueRule, ...]:
    """The rules in the order of the catalogue."""
    return read_catalogue(files(__package__).joinpath("rules.toml"))


def tutorial(scenario: PanzerblitzScenario, source: Source) -> Tutorial:
    """The tutorial that a source holds for a scenario."""
    return load_tutorial(source, scenario, TutorialWords(BOOK.verbs, BOOK.steps, [rule.id for rule in rules()]))


SYSTEM: Final = System(Panzerblitz3d(), Doctrine(), VOCABULARY, unit_title, rules, tutorial, counters)
