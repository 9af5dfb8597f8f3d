"""Scenarios read from TOML, checked against a system's vocabulary and their board, and listed without either."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from importlib.resources.abc import Traversable
from pathlib import Path, PurePosixPath
from typing import Final

import msgspec

from sandtable.content.boards import find_hex, load_sheet, not_on
from sandtable.content.model import D, MapSheet, Objective, OptionValue, S, Scenario, Side, Zone
from sandtable.content.order_of_battle import Listed, check_carriers, hex_ids, list_units, place_units
from sandtable.content.problems import ContentError, Findings, Problem, quoted, shown
from sandtable.content.reading import Document, Source, decoded, open_document, read_bytes
from sandtable.content.scenario_file import ScenarioFile, UnitEntry
from sandtable.content.shapes import Place, Reader, Reference
from sandtable.content.tables import ENDING as TABLE_ENDING
from sandtable.content.tutorials import ENDING as TUTORIAL_ENDING
from sandtable.content.vocabulary import AnyVocabulary, Vocabulary
from sandtable.geometry import Board, HexId

MAX_FILES: Final = 1_000
"""How many files of a folder are listed."""

MAX_AREA: Final = 250_000
"""How many hexes the zones of a scenario may name in all, counted as often as they are named."""

Folder = Path | Traversable
Boards = Mapping[str, MapSheet] | Folder
"""Where a scenario finds its board: sheets by id, or the folder with the board files."""


class ScenarioHeader(msgspec.Struct, frozen=True):
    """A scenario as a list shows it; a file that can't be read has problems and only what could be made out."""

    file: str
    id: str
    system: str = ""
    title: str = ""
    summary: str = ""
    board: str = ""
    turns: int = 0
    first: str = ""
    sides: tuple[Side, ...] = ()
    tutorial: bool = False
    difficulty: str = "medium"
    minutes: int = 60
    digest: str = ""
    problems: tuple[Problem, ...] = ()


def load_scenario(
    source: Source,
    vocabulary: Vocabulary[S, D],
    boards: Boards,
    name: str = "",
    beside: Mapping[str, str] | None = None,
) -> Scenario[S, D]:
    """The scenario a file holds; ContentError with every problem of the file and its board when it can't be played.

    `beside` holds the files that it may name, where they are not in its folder.
    """
    document = open_document(source, "scenario", name)
    findings = Findings(document.file)
    reader = Reader(findings, {ScenarioFile: vocabulary.sections, UnitEntry: vocabulary.unit_details})
    file: ScenarioFile = reader.read(document.table, ScenarioFile, Place())
    if file.system and file.system != vocabulary.system:
        # nothing else in the file could be judged by another system's words
        raise ContentError(
            [Problem(document.file, "'system'", f"expected '{vocabulary.system}', got {quoted(file.system)}")]
        )
    _check_sides(file, vocabulary, findings)
    _check_options(file.options, vocabulary, findings)
    sheet = _find_board(file.board, boards, source, vocabulary, findings) if file.board else None
    units = list_units(file, findings, vocabulary.off_map)
    _check_references(reader.references, file, vocabulary, units, sheet, findings)
    check_carriers(units, findings)
    files = _files(reader.references, source, beside, findings)
    objectives = _objectives(file, sheet, findings)
    zones = _zones(file, sheet.board, findings) if sheet else ()
    findings.raise_if_any()
    assert sheet is not None
    scenario = _assemble(document, file, sheet, vocabulary, units, zones, objectives, files)
    findings.take(vocabulary.problems(scenario))
    findings.raise_if_any()
    return scenario


def _assemble(
    document: Document,
    file: ScenarioFile,
    sheet: MapSheet,
    vocabulary: Vocabulary[S, D],
    units: Mapping[str, Listed],
    zones: tuple[Zone, ...],
    objectives: tuple[Objective, ...],
    files: dict[str, str],
) -> Scenario[S, D]:
    return Scenario(
        id=file.id,
        system=file.system,
        title=file.title,
        summary=file.summary,
        turns=file.turns,
        first=file.first,
        sheet=sheet,
        options={option.name: file.options.get(option.name, option.default) for option in vocabulary.options},
        sides=_sides(file),
        units=place_units(units, sheet.board),
        zones=zones,
        objectives=objectives,
        sections=file.extension,
        tutorial=file.tutorial,
        difficulty=file.difficulty,
        minutes=file.minutes,
        file=document.file,
        digest=_digest(document, files),
        files=files,
    )


def _digest(document: Document, files: Mapping[str, str]) -> str:
    """What binds a battle to the scenario's file, and to those it names."""
    if not files:
        return document.digest
    total = hashlib.sha256(document.digest.encode())
    for name in sorted(files):
        total.update(f"\0{name}\0{hashlib.sha256(files[name].encode()).hexdigest()}".encode())
    return total.hexdigest()


def _sides(file: ScenarioFile) -> tuple[Side, ...]:
    return tuple(Side(side.id, side.title, side.nations, side.briefing) for side in file.sides)


def _check_sides(file: ScenarioFile, vocabulary: AnyVocabulary, findings: Findings) -> None:
    seen: set[str] = set()
    for n, side in enumerate(file.sides, 1):
        place = f"[[sides]] #{n} 'id'"
        if side.id in seen:
            findings.add(place, f"{quoted(side.id)} is the id of two sides")
        elif side.id and vocabulary.sides and side.id not in vocabulary.sides:
            findings.add_unknown(place, "side", side.id, vocabulary.sides)
        seen.update([side.id] if side.id else [])


def _check_options(options: Mapping[str, OptionValue], vocabulary: AnyVocabulary, findings: Findings) -> None:
    known = {option.name: option for option in vocabulary.options}
    for name, value in options.items():
        place = Place(header="options")
        if name in vocabulary.absent:
            findings.add(place.under(name, bool), vocabulary.absent[name])
        elif name not in known:
            findings.add_unknown(place, "option", name, known)
        elif not known[name].allows(value):
            values = ", ".join(map(shown, known[name].values))
            findings.add(place.under(name, bool), f"expected one of {values}, got {shown(value)}")


def _check_references(
    references: list[Reference],
    file: ScenarioFile,
    vocabulary: AnyVocabulary,
    units: Mapping[str, Listed],
    sheet: MapSheet | None,
    findings: Findings,
) -> None:
    """Note every name in the file, the system's own sections included, that nothing bears."""
    known = {
        "side": {side.id for side in file.sides},
        "unit type": vocabulary.unit_types,
        "unit": units.keys(),
        "terrain": vocabulary.terrains,
        "nation": vocabulary.nations,
    }
    # sides or units that were themselves refused make no name unknown, and no nations listed means any nation
    if not file.sides or "" in known["side"]:
        del known["side"]
    if (findings.count and not units) or any(entry.id == "" for entry in file.units):
        del known["unit"]
    if not vocabulary.nations:
        del known["nation"]
    for place, noun, value in references:
        if noun == "hex":
            if sheet and not find_hex(sheet.board, value):
                findings.add(place, not_on(sheet.board, value))
        elif noun in known and value not in known[noun]:
            findings.add_unknown(place, noun, value, known[noun])


def _objectives(file: ScenarioFile, sheet: MapSheet | None, findings: Findings) -> tuple[Objective, ...]:
    objectives = []
    for n, entry in enumerate(file.objectives, 1):
        if (entry.hex is None) == (not entry.hexes):
            got = "neither" if entry.hex is None else "both"
            findings.add(f"[[objectives]] #{n}", f"expected one of 'hex' and 'hexes', got {got}")
        elif sheet:
            objectives.append(Objective(entry.title, hex_ids(sheet.board, entry.hex or entry.hexes), entry.points))
    return tuple(objectives)


def _zones(file: ScenarioFile, board: Board, findings: Findings) -> tuple[Zone, ...]:
    zones = []
    room = MAX_AREA
    for n, entry in enumerate(file.zones, 1):
        hexes: set[HexId] = set()
        for m, text in enumerate(entry.hexes, 1):
            area = _area(board, text, f"[[zones]] #{n} 'hexes' #{m}", findings)
            room -= len(area)
            if room < 0:
                findings.add("[[zones]]", f"expected zones of at most {MAX_AREA:,} hexes in all")
                return ()
            hexes.update(area)
        zones.append(Zone(entry.side, tuple(sorted(hexes)), entry.title))
    return tuple(zones)


def _area(board: Board, text: str, where: str, findings: Findings) -> tuple[HexId, ...]:
    """The hexes of one label or of the rectangle between two."""
    if not text:
        return ()
    labels = text.split(":", 1)
    corners = [find_hex(board, label) for label in labels]
    for label, corner in zip(labels, corners, strict=True):
        if not corner:
            findings.add(where, not_on(board, label))
    if not all(corners):
        return ()
    columns, rows = zip(*map(board.col_row, corners), strict=True)
    return tuple(
        board.hex_at(c, r) for c in range(min(columns), max(columns) + 1) for r in range(min(rows), max(rows) + 1)
    )


def _find_board(
    name: str, boards: Boards, source: Source, vocabulary: AnyVocabulary, findings: Findings
) -> MapSheet | None:
    """The board a scenario names; None when it can't be had, which is noted with the board's own problems."""
    if isinstance(boards, Mapping):
        if name not in boards:
            findings.add_unknown("'board'", "board", name, boards)
        return boards.get(name)
    path = _beside(name, source, findings) if name.endswith(".toml") else _in_folder(name, boards, findings)
    if path is None:
        return None
    try:
        sheet = load_sheet(path, vocabulary)
    except ContentError as error:
        findings.take(error.problems)
        return None
    if not name.endswith(".toml") and sheet.board.id != name:
        findings.add("'board'", f"expected board {quoted(name)} in {path.name}, got {quoted(sheet.board.id)}")
    return sheet


def _files(
    references: list[Reference], source: Source, beside: Mapping[str, str] | None, findings: Findings
) -> dict[str, str]:
    """The text of each file that a scenario names; what can't be had is noted."""
    files: dict[str, str] = {}
    for place, noun, name in references:
        if noun != "file" or name in files:
            continue
        try:
            files[name] = _text(name, source, beside)
        except ContentError as error:
            for problem in error.problems:
                findings.add(place, f"{name}: {problem.message}")
    return files


def _text(name: str, source: Source, beside: Mapping[str, str] | None) -> str:
    """The text of a file that lies beside a scenario, or came with it."""
    if isinstance(source, Path) and beside is None:
        return decoded(read_bytes(source.resolve().parent / name, name), name)
    if beside is None or name not in beside:
        raise ContentError([Problem(name, "", "there is no such file beside the scenario")])
    return beside[name]


def _in_folder(name: str, folder: Folder, findings: Findings) -> Folder | None:
    files = {file.name.removesuffix(".toml"): file for file in toml_files(folder)}
    if name not in files:
        findings.add_unknown("'board'", "board", name, files)
    return files.get(name)


def _beside(name: str, source: Source, findings: Findings) -> Path | None:
    """The file at a path relative to the scenario's own; it must lie in the scenario's folder or the folder above."""
    if not isinstance(source, Path):
        findings.add("'board'", f"expected the id of a board: the path {quoted(name)} has no file to start from")
        return None
    folder = source.resolve().parent
    is_plain = not PurePosixPath(name).is_absolute() and not any(sign in name for sign in "\\:\0")
    path = (folder / name).resolve() if is_plain else None
    if path is None or folder.parent not in path.parents:
        findings.add("'board'", f"expected a path inside the folder above the scenario's, got {quoted(name)}")
        return None
    return path


def toml_files(folder: Folder) -> list[Folder]:
    """The boards or scenarios of a folder by name, MAX_FILES of them at most; none when there is no such folder.

    Tutorials and tables lie among the scenarios and are no scenarios themselves.
    """
    if not folder.is_dir():
        return []
    files: list[Folder] = [
        file
        for file in folder.iterdir()
        if file.name.endswith(".toml") and not file.name.endswith((TUTORIAL_ENDING, TABLE_ENDING)) and file.is_file()
    ]
    return sorted(files, key=lambda file: file.name)[:MAX_FILES]


def find_scenarios(folder: Folder) -> list[ScenarioHeader]:
    """The scenarios of a folder by file name; one that can't be read is listed with its problems."""
    headers: list[ScenarioHeader] = []
    owners: dict[str, str] = {}
    for file in toml_files(folder):
        header = read_header(file)
        if owner := owners.get(header.id):
            problem = Problem(header.file, "'id'", f"{quoted(header.id)} is already the id of {owner}")
            header = msgspec.structs.replace(header, problems=(*header.problems, problem))
        owners.setdefault(header.id, header.file)
        headers.append(header)
    return headers


def read_header(source: Source, name: str = "") -> ScenarioHeader:
    """What a list shows of a scenario file of any system; the system's own words and the board are not checked."""
    file = name or ("<scenario>" if isinstance(source, bytes) else source.name)
    try:
        document = open_document(source, "scenario", file)
    except ContentError as error:
        return ScenarioHeader(file, file.removesuffix(".toml"), problems=error.problems)
    findings = Findings(file)
    content: ScenarioFile = Reader(findings, {ScenarioFile: None, UnitEntry: None}).read(
        document.table, ScenarioFile, Place()
    )
    return ScenarioHeader(
        file=file,
        id=content.id or file.removesuffix(".toml"),
        system=content.system,
        title=content.title,
        summary=content.summary,
        board=content.board,
        turns=content.turns,
        first=content.first,
        sides=_sides(content),
        tutorial=content.tutorial,
        difficulty=content.difficulty,
        minutes=content.minutes,
        digest=document.digest,
        problems=findings.problems,
    )
