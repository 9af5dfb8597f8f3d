"""Where the authority finds rules and scenarios by name."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

from sandtable import registry
from sandtable.content import ContentError, load_scenario, scenario_path, shipped_folder
from sandtable.kernel import codec
from sandtable.kernel.ruleset import AnyRuleset


class Table(NamedTuple):
    """A scenario with its rules; `digest` binds a battle to the files it was set up from."""

    ruleset: AnyRuleset
    scenario: Any
    digest: str
    title: str


class Library(Protocol):
    """Rules and scenarios by name."""

    def find(self, system: str, scenario: str) -> Table:
        """The table of that name; LookupError when there is none."""
        ...


class ShippedLibrary:
    """The systems of the registry and the scenarios that come with the program."""

    def __init__(self) -> None:
        self._tables: dict[tuple[str, str], Table] = {}

    def find(self, system: str, scenario: str) -> Table:
        if system not in registry.SYSTEMS or not scenario.replace("-", "").replace("_", "").isalnum():
            raise LookupError("there is no such scenario")
        if (system, scenario) not in self._tables:
            self._tables[system, scenario] = self._load(system, scenario)
        return self._tables[system, scenario]

    @staticmethod
    def _load(system: str, scenario: str) -> Table:
        try:
            found = load_scenario(scenario_path(scenario), registry.vocabulary(system), shipped_folder("boards"))
        except ContentError as error:
            raise LookupError("there is no such scenario for this system") from error
        digest = codec.digest([found.digest, found.board.digest])
        return Table(registry.ruleset(system), found, digest, found.title)
