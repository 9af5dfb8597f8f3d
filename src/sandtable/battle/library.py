"""Where the authority finds rules and scenarios by name."""

from __future__ import annotations

import zlib
from base64 import b64decode, b64encode
from functools import lru_cache
from typing import Any, NamedTuple, Protocol

import msgspec

from sandtable import registry
from sandtable.content import ContentError, Scenario, load_scenario, load_sheet, scenario_path, shipped_folder
from sandtable.kernel import codec, replay
from sandtable.kernel.replay import Record
from sandtable.kernel.ruleset import AnyRuleset


class PlayableScenario(NamedTuple):
    """A scenario with its rules; `digest` binds a battle to the files it was set up from, `content` holds them."""

    ruleset: AnyRuleset
    scenario: Any
    digest: str
    title: str
    content: str = ""

    @property
    def system(self) -> str:
        """The key of the system it is played under."""
        return self.ruleset.info.key


def files_digest(scenario: Scenario[Any, Any]) -> str:
    """What binds a battle or a record to the files it was set up from: the scenario's with those it names, and the
    board's.
    """
    return codec.digest([scenario.digest, scenario.board.digest])


class _Files(msgspec.Struct, array_like=True, frozen=True):
    """The files of a scenario as they are packed: its own, the board's, and by name those that it refers to."""

    scenario: str
    board: str
    beside: dict[str, str] = {}


MOST_CONTENT = 16 << 20
"""Bytes of the files of one scenario: as many as `content` reads at most, and some."""


def packed_files(scenario: bytes, board: bytes, beside: dict[str, str]) -> str:
    """The files of a scenario as a battle keeps them."""
    files = _Files(scenario.decode(), board.decode(), beside)
    return b64encode(zlib.compress(msgspec.json.encode(files), 9)).decode()


@lru_cache(maxsize=32)
def restored(system: str, content: str) -> PlayableScenario:
    """The scenario in kept files; LookupError when it can't be played any more."""
    try:
        unpacking = zlib.decompressobj()
        data = unpacking.decompress(b64decode(content, validate=True), MOST_CONTENT)
        files = msgspec.json.decode(data, type=_Files)
        vocabulary = registry.vocabulary(system)
        sheet = load_sheet(files.board.encode(), vocabulary)
        found = load_scenario(files.scenario.encode(), vocabulary, {sheet.board.id: sheet}, beside=files.beside)
    except (KeyError, ValueError, zlib.error, msgspec.MsgspecError, ContentError) as error:
        raise LookupError("the kept scenario can't be read") from error
    return PlayableScenario(registry.ruleset(system), found, files_digest(found), found.title, content)


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
            path, boards = scenario_path(scenario), shipped_folder("boards")
            found = load_scenario(path, registry.vocabulary(system), boards)
        except ContentError as error:
            raise LookupError("there is no such scenario for this system") from error
        board = boards.joinpath(f"{found.board.id}.toml").read_bytes()
        content = packed_files(path.read_bytes(), board, found.files)
        return PlayableScenario(registry.ruleset(system), found, files_digest(found), found.title, content)


def record_problem(library: Library, record: Record) -> str:
    """Why no battle can go on where a record ends, or nothing: every entry is played again, which may take long."""
    header = record.header
    try:
        table = library.find(header.system, header.scenario)
    except LookupError:
        return f"there is no scenario {header.scenario[:64]!r} of {header.system[:64]!r} here"
    if header.scenario_digest != table.digest:
        return "the record was played with another version of the scenario or of a file that it names"
    verdict = replay.verify(table.ruleset, table.scenario, record)
    return "" if verdict.holds else f"the record does not hold: {verdict.problem}"
