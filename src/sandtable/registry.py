"""The only list of the systems and of the players: names to systems, names to computer players."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any, NamedTuple

from sandtable.content.catalogue import CatalogueRule
from sandtable.kernel.ruleset import AnyRuleset
from sandtable.play.counters import CounterCard
from sandtable.play.system import Campaign, System
from sandtable.rulesets.panzer_battles.version import RULES_VERSION as BATTLES_VERSION


class Room(NamedTuple):
    """Where a system lives and how it is called; the room itself is opened only when it is asked for."""

    key: str
    title: str
    prefix: str
    rules_version: str
    package: str


SYSTEMS: Mapping[str, Room] = {
    room.key: room
    for room in (
        Room("panzer_leader", "Panzer Leader", "PL", "1", "sandtable.rulesets.panzer_leader"),
        Room("panzerblitz_3d", "3D PanzerBlitz", "PB3", "1", "sandtable.rulesets.panzerblitz_3d"),
        Room("panzer_44", "Panzer '44", "P44", "1", "sandtable.rulesets.panzer_44"),
        Room("panzer8", "PANZER8", "P8", "1", "sandtable.rulesets.panzer8"),
        Room("panzer_battles", "Panzer Battles", "PB", BATTLES_VERSION, "sandtable.rulesets.panzer_battles"),
    )
}

PLAYERS: Mapping[str, tuple[str, str]] = {
    "random": ("sandtable.ai.players", "RandomPlayer"),
    "greedy": ("sandtable.ai.players", "GreedyPlayer"),
}


def system(key: str) -> System:
    """The system of that name; KeyError when there is none."""
    found: System = import_module(f"{SYSTEMS[key].package}.system").SYSTEM
    return found


def ruleset(key: str) -> AnyRuleset:
    """The ruleset of a system; KeyError when there is no such system."""
    return system(key).ruleset


def vocabulary(key: str) -> Any:
    """The words a system's content files may use."""
    return system(key).vocabulary


def doctrine(key: str) -> Any:
    """What a system tells computer players about good orders."""
    return system(key).doctrine


def rules(key: str) -> tuple[CatalogueRule, ...]:
    """The rules of a system, in the order of its catalogue."""
    return system(key).rules()


def counters(key: str) -> tuple[CounterCard, ...]:
    """A system's types of counters in words."""
    return system(key).counters()


def campaigns(key: str) -> tuple[Campaign, ...]:
    """A system's scenarios that are to be played one after the other."""
    return system(key).campaigns()


def unit_title(key: str, type: str) -> str:
    """A unit type of a system in words."""
    return system(key).unit_title(type)


def tutorial(key: str, scenario: Any, source: Any) -> Any:
    """The tutorial that a source holds for a scenario of a system; ContentError when it teaches no such battle."""
    return system(key).tutorial(scenario, source)


def player(name: str, system: str) -> Any:
    """A computer player of that name for a system; KeyError when there is none."""
    return player_with(name, ruleset(system), doctrine(system))


def player_with(name: str, ruleset: AnyRuleset, doctrine: Any) -> Any:
    """A computer player of that name who goes by a ruleset and a doctrine; KeyError when there is none."""
    module, kind = PLAYERS[name]
    return getattr(import_module(module), kind)(ruleset, doctrine)
