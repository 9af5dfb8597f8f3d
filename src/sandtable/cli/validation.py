"""`sandtable validate`: everything that is wrong with board, scenario and tutorial files."""

from __future__ import annotations

import argparse
from pathlib import Path

from sandtable import registry
from sandtable.cli.screen import print_json
from sandtable.cli.trouble import REFUSED, CommandError, printable
from sandtable.content import ContentError, Problem, load_sheet
from sandtable.content.reading import MAX_BOARD_BYTES, parse
from sandtable.content.tutorials import ENDING
from sandtable.lab.tables import open_table, system_key

KINDS = ("board", "scenario", "tutorial")


def validate(asked: argparse.Namespace) -> int:
    """Each file's problems stand on stdout; the exit code is 2 when there are any."""
    systems = [system_key(asked.system)] if asked.system else list(registry.SYSTEMS)
    boards = Path(asked.boards) if asked.boards else None
    if boards is not None and not boards.is_dir():
        raise CommandError(f"{boards}: there is no such folder")
    reports = [(name, _problems(Path(name), systems, boards)) for name in asked.files]
    if asked.json:
        print_json(
            [
                {"file": printable(name), "valid": not problems, "problems": [_facts(problem) for problem in problems]}
                for name, problems in reports
            ]
        )
    else:
        for name, problems in reports:
            print(f"{printable(name)}: {_number(problems) if problems else 'good'}")
            for problem in problems:
                print("  " + printable(str(problem)))
    return REFUSED if any(problems for _, problems in reports) else 0


def _number(problems: tuple[Problem, ...]) -> str:
    return "1 problem" if len(problems) == 1 else f"{len(problems)} problems"


def _facts(problem: Problem) -> dict[str, str]:
    return {key: printable(getattr(problem, key)) for key in ("file", "where", "message")}


def _problems(path: Path, systems: list[str], boards: Path | None) -> tuple[Problem, ...]:
    name = printable(path.name)
    try:
        kind = _kind(path, name)
        if kind == "scenario":
            open_table(str(path) if path.suffix == ".toml" else f"./{path}", boards)
        elif kind == "tutorial":
            _load_tutorial(path, name, boards)
        else:
            _load_board(path, systems)
    except ContentError as error:
        return error.problems
    except OSError as error:
        return (Problem(name, "", f"the file can't be read: {error.strerror}"),)
    return ()


def _kind(path: Path, name: str) -> str:
    # only a plain file is opened: a pipe would make the reader wait for ever
    if not path.is_file():
        raise ContentError([Problem(name, "", "there is no such file")])
    with path.open("rb") as stream:
        kind = parse(stream.read(MAX_BOARD_BYTES + 1), name, MAX_BOARD_BYTES).get("kind")
    if not isinstance(kind, str) or kind not in KINDS:
        raise ContentError([Problem(name, "'kind'", f"expected one of {', '.join(map(repr, KINDS))}")])
    return kind


def _load_tutorial(path: Path, name: str, boards: Path | None) -> None:
    """The tutorial fits the scenario beside it, whose own problems come first."""
    if not path.name.endswith(ENDING):
        raise ContentError([Problem(name, "", f"expected a file name such as SCENARIO{ENDING}")])
    scenario = path.with_name(path.name.removesuffix(ENDING) + ".toml")
    table = open_table(str(scenario), boards)
    registry.tutorial(table.system, table.scenario, path)


def _load_board(path: Path, systems: list[str]) -> None:
    """The board can be used by one of the systems; otherwise the problems that the kindest of them has with it."""
    errors = []
    for system in systems:
        try:
            load_sheet(path, registry.vocabulary(system))
        except ContentError as error:
            errors.append(error)
        else:
            return
    raise min(errors, key=lambda error: len(error.problems))
