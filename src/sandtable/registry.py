"""The only list of the systems and of the players: names to rulesets, names to computer players."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any, NamedTuple

from sandtable.kernel.ruleset import AnyRuleset


class System(NamedTuple):
    """Where a system lives and how it is called; the room itself is opened only when it is asked for."""

    key: str
    title: str
    prefix: str
    room: str
    ruleset: str


SYSTEMS: Mapping[str, System] = {
    system.key: system
    for system in (System("panzer_leader", "Panzer Leader", "PL", "sandtable.rulesets.panzer_leader", "PanzerLeader"),)
}

PLAYERS: Mapping[str, tuple[str, str]] = {
    "random": ("sandtable.ai.players", "RandomPlayer"),
    "greedy": ("sandtable.ai.players", "GreedyPlayer"),
}


def ruleset(key: str) -> AnyRuleset:
    """The ruleset of a system; KeyError when there is no such system."""
    system = SYSTEMS[key]
    result: AnyRuleset = getattr(import_module(f"{system.room}.ruleset"), system.ruleset)()
    return result


def vocabulary(key: str) -> Any:
    """The words a system's content files may use."""
    return import_module(f"{SYSTEMS[key].room}.scenario").VOCABULARY


def doctrine(key: str) -> Any:
    """What a system tells computer players about good orders."""
    return import_module(f"{SYSTEMS[key].room}.doctrine").Doctrine()


def player(name: str, system: str) -> Any:
    """A computer player of that name for a system; KeyError when there is none."""
    module, kind = PLAYERS[name]
    return getattr(import_module(module), kind)(ruleset(system), doctrine(system))
