"""Panzer Battles as the floors above find it."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Final

from sandtable.content import Tutorial, TutorialWords, load_tutorial, read_catalogue
from sandtable.content.catalogue import CatalogueRule
from sandtable.content.reading import Source
from sandtable.play.system import System
from sandtable.rulesets.panzer_battles.calibration.judging import calibrated
from sandtable.rulesets.panzer_battles.campaigns import campaigns
from sandtable.rulesets.panzer_battles.counters import counters
from sandtable.rulesets.panzer_battles.doctrine import Doctrine
from sandtable.rulesets.panzer_battles.kinds import KINDS
from sandtable.rulesets.panzer_battles.orderbook import BOOK
from sandtable.rulesets.panzer_battles.ruleset import PanzerBattles
from sandtable.rulesets.panzer_battles.scenario import VOCABULARY, BattleScenario


def unit_title(type: str) -> str:
    """A unit type as its counter is called."""
    return KINDS[type].name


@cache
def rules() -> tuple[CatalogueRule, ...]:
    """The rules in the order of the catalogue."""
    return read_catalogue(files(__package__).joinpath("rules.toml"))


def tutorial(scenario: BattleScenario, source: Source) -> Tutorial:
    """The tutorial that a source holds for a scenario."""
    return load_tutorial(source, scenario, TutorialWords(BOOK.verbs, BOOK.steps, [rule.id for rule in rules()]))


SYSTEM: Final = System(
    PanzerBattles(), Doctrine(), VOCABULARY, unit_title, rules, tutorial, counters, calibrated, campaigns
)
