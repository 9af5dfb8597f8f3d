"""The boards and scenarios that come with Sandtable, found wherever the package is installed."""

from __future__ import annotations

from importlib.resources import files

from sandtable.content.model import D, S, Scenario
from sandtable.content.problems import ContentError, Findings
from sandtable.content.scenarios import Folder, ScenarioHeader, find_scenarios, load_scenario, read_header, toml_files
from sandtable.content.tutorials import ENDING
from sandtable.content.vocabulary import Vocabulary


def shipped_folder(name: str) -> Folder:
    """A folder of shipped content: `boards` or `scenarios`."""
    return files("sandtable").joinpath(name)


def shipped_boards() -> dict[str, Folder]:
    """The shipped board files by board id."""
    return {file.name.removesuffix(".toml"): file for file in toml_files(shipped_folder("boards"))}


def shipped_scenarios(system: str | None = None) -> list[ScenarioHeader]:
    """The shipped scenarios, of one system or of all."""
    headers = find_scenarios(shipped_folder("scenarios"))
    return [header for header in headers if system in (None, header.system)]


def scenario_path(id: str) -> Folder:
    """The file of a shipped scenario; ContentError when none has that id."""
    # most are named after their id, and to read one file is much less than to read all
    named = {file.name.removesuffix(".toml"): file for file in toml_files(shipped_folder("scenarios"))}
    if id in named and read_header(named[id]).id == id:
        return named[id]
    headers = {header.id: header for header in shipped_scenarios()}
    if id not in headers:
        findings = Findings("")
        findings.add_unknown("", "scenario", id, headers)
        raise ContentError(findings.problems)
    return shipped_folder("scenarios").joinpath(headers[id].file)


def load_shipped(id: str, vocabulary: Vocabulary[S, D]) -> Scenario[S, D]:
    """A shipped scenario with its shipped board."""
    return load_scenario(scenario_path(id), vocabulary, shipped_folder("boards"))


def tutorial_path(id: str) -> Folder | None:
    """The tutorial that lies beside a shipped scenario, or None."""
    name = scenario_path(id).name.removesuffix(".toml") + ENDING
    path = shipped_folder("scenarios").joinpath(name)
    return path if path.is_file() else None
