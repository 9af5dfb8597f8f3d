"""The benchmarks are documented, and their JSON is what the document says it is."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from bench.__main__ import ENTRY_MODULES
from bench.harness import Entry
from sandtable.geometry import compiled

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs/design/performance.md").read_text(encoding="utf-8")


def rows() -> dict[str, list[str]]:
    """The rows of the document's tables by what their first cell names."""
    found = re.findall(r"^\| `([^`]+)` \|(.*)\|$", PAGE, re.MULTILINE)
    return {name: [cell.strip() for cell in rest.split("|")] for name, rest in found}


def entry_names() -> list[str]:
    names: list[str] = []
    for module in ENTRY_MODULES:
        names += import_module(module).ENTRIES
    return names


@pytest.mark.parametrize("name", entry_names())
def test_every_entry_is_named_in_the_document(name: str) -> None:
    assert f"`{name}`" in PAGE or any(row.startswith((f"{name}-", f"{name}:")) for row in rows())


def test_the_document_says_of_each_measured_row_whether_its_target_was_met() -> None:
    measured = {name: cells for name, cells in rows().items() if len(cells) == 5}
    assert measured
    assert {cells[-1] for cells in measured.values()} <= {"met", "missed"}


@pytest.fixture(scope="module")
def start_up() -> dict[str, Any]:
    if not compiled():
        pytest.skip("the benchmarks are of the compiled kernels, which are not built here")
    command = [sys.executable, "-m", "bench", "--only", "start-up", "--json"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    # 1 says that a target was missed, which a busy machine may cause
    assert done.returncode in (0, 1), done.stderr
    data: dict[str, Any] = json.loads(done.stdout)
    return data


def test_the_json_holds_the_entries_that_were_asked_for(start_up: dict[str, Any]) -> None:
    assert list(start_up) == ["entries"]
    assert [entry["name"] for entry in start_up["entries"]] == ["start-up", "start-up-memory"]


def test_an_entry_in_json_has_the_documented_fields(start_up: dict[str, Any]) -> None:
    documented = [name for name in rows() if name in Entry._fields]
    assert documented == list(Entry._fields)
    for entry in start_up["entries"]:
        assert list(entry) == documented
        low, high = entry["spread"]
        assert 0 < low <= entry["ratio"] <= high
        assert entry["met"] is (entry["ratio"] <= entry["target"])
        assert entry["peers"].keys() == {"bare python", "budget"}
