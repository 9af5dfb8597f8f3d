"""The pages on file formats: every key is on its page, and the examples are good files."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest

from sandtable.content import (
    Tutorial,
    TutorialCondition,
    TutorialStep,
    load_scenario,
    load_sheet,
    load_tutorial,
    read_table,
)
from sandtable.content.boards import BoardFile
from sandtable.content.scenario_file import (
    ArrivalEntry,
    ObjectiveEntry,
    ScenarioFile,
    SideEntry,
    UnitEntry,
    ZoneEntry,
)
from sandtable.content.shapes import EXTENSION
from tests.content.samples import SHEETS, TOY
from tests.content.test_tables import Effects
from tests.content.test_tutorials import WORDS

PAGES = Path(__file__).parents[2] / "docs" / "formats"
SECTIONS: list[tuple[str, str, type[msgspec.Struct]]] = [
    ("board.md", "Keys", BoardFile),
    ("scenario.md", "Keys of the file", ScenarioFile),
    ("scenario.md", "`[[sides]]`", SideEntry),
    ("scenario.md", "`[[units]]`", UnitEntry),
    ("scenario.md", "`[[units]]`", ArrivalEntry),
    ("scenario.md", "`[[zones]]`", ZoneEntry),
    ("scenario.md", "`[[objectives]]`", ObjectiveEntry),
    ("tutorial.md", "Keys of the file", Tutorial),
    ("tutorial.md", "`[[steps]]`", TutorialStep),
    ("tutorial.md", "`until`", TutorialCondition),
]


def page(name: str) -> str:
    return (PAGES / name).read_text(encoding="utf-8")


def section(name: str, heading: str) -> str:
    return page(name).split(f"\n## {heading}\n")[1].split("\n## ")[0]


def example(name: str) -> bytes:
    blocks = re.findall(r"```toml\n(.*?)```", page(name), re.DOTALL)
    assert len(blocks) == 1
    return str(blocks[0]).encode()


@pytest.mark.parametrize(("name", "heading", "shape"), SECTIONS, ids=[shape.__name__ for _, _, shape in SECTIONS])
def test_every_key_is_described_on_its_page(name: str, heading: str, shape: type[msgspec.Struct]) -> None:
    words = set(re.findall(r"`\[?\[?(\w+)\]?\]?`", section(name, heading)))
    keys = {field.encode_name for field in msgspec.structs.fields(shape)} - {EXTENSION}
    assert keys - words == set()


def test_every_key_in_the_tables_of_a_page_exists() -> None:
    for name, heading, shape in SECTIONS:
        rows = re.findall(r"^\| (.+?) \|", section(name, heading), re.MULTILINE)
        words = {word for row in rows for word in re.findall(r"`\[?(\w+)\]?`", row)} - {"format", "kind"}
        if shape is not ArrivalEntry:
            assert words <= {field.encode_name for field in msgspec.structs.fields(shape)}, name


def test_the_example_of_a_board_is_the_board_of_the_tests() -> None:
    sheet = load_sheet(example("board.md"), TOY)
    assert (sheet.board.digest, sheet.names) == (SHEETS["vire"].board.digest, SHEETS["vire"].names)


def test_the_example_of_a_scenario_is_a_good_scenario() -> None:
    boards = {"vire": load_sheet(example("board.md"), TOY)}
    assert len(load_scenario(example("scenario.md"), TOY, boards).units) == 10


def test_the_example_of_a_table_is_a_good_table() -> None:
    assert set(read_table(example("tables.md"), Effects).terrain) == {"clear", "town"}


def test_the_example_of_a_tutorial_is_a_good_tutorial_of_the_example_of_a_scenario() -> None:
    scenario = load_scenario(example("scenario.md"), TOY, SHEETS)
    assert len(load_tutorial(example("tutorial.md"), scenario, WORDS).steps) == 3
