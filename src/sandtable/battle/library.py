"""Where the authority finds rules and scenarios by name."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

from sandtable import registry
from sandtable.content import ContentError, Scenario, load_scenario, scenario_path, shipped_folder
from sandtable.kernel import codec, replay
from sandtable.kernel.replay import Record
from sandtable.kernel.ruleset import AnyRuleset


class PlayableScenario(NamedTuple):
    """A scenario with its rules; `digest` binds a battle to the files it was set up from."""

    ruleset: AnyRuleset
    scenario: Any
    digest: str
    title: str

    @property
    def system(self) -> str:
        """The key of the system it is played under."""
        return self.ruleset.info.key


def files_digest(scenario: Scenario[Any, Any]) -> str:
    """What binds a battle or a record to the files it was set up from: the scenario's and the board's."""
    return codec.digest([scenario.digest, scenario.board.digest])


class Library(Protocol):
    """Rules and scenarios by name."""

    def find(self, system: str, scenario: str) -> PlayableScenario:
        """The table of that name; LookupError when there is none."""
        ...


class ShippedLibrary:
    """The systems of the registry and the scenarios that come with the program."""

    def __init__(self) -> None:
        self._tables: dict[tuple[str, str], PlayableScenario] = {}

    def find(self, system: str, scenario: str) -> PlayableScenario:
        if system not in registry.SYSTEMS or not scenario.replace("-", "").replace("_", "").isalnum():
            raise LookupError("there is no such scenario")
        if (system, scenario) not in self._tables:
            self._tables[system, scenario] = self._load(system, scenario)
        return self._tables[system, scenario]

    @staticmethod
    def _load(system: str, scenario: str) -> PlayableScenario:
        try:
            found = load_scenario(scenario_path(scenario), registry.vocabulary(system), shipped_folder("boards"))
        except ContentError as error:
            raise LookupError("there is no such scenario for this system") from error
        return PlayableScenario(registry.ruleset(system), found, files_digest(found), found.title)


def record_problem(library: Library, record: Record) -> str:
    """Why no battle can go on where a record ends, or nothing: every entry is played again, which may take long."""
    header = record.header
    try:
        table = library.find(header.system, header.scenario)
    except LookupError:
        return f"there is no scenario {header.scenario[:64]!r} of {header.system[:64]!r} here"
    if header.scenario_digest != table.digest:
        return "the record was played with another version of the scenario"
    verdict = replay.verify(table.ruleset, table.scenario, record)
    return "" if verdict.holds else f"the record does not hold: {verdict.problem}"
