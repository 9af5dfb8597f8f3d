"""Shipped content is found by id, and every shipped file can be read."""

from __future__ import annotations

from pathlib import Path

import pytest

from sandtable.content import library, load_shipped, scenario_path, shipped_boards, shipped_scenarios, tutorial_path
from tests.content.samples import BOARD, SCENARIO, TOY, problems_of, spoiled


@pytest.fixture
def shipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package with one board and two scenarios, one of another system."""
    other = spoiled(SCENARIO, ('id = "crossroads"', 'id = "other"'), ('system = "toy"', 'system = "panzer8"'))
    for path, text in (("boards/vire", BOARD), ("scenarios/first", SCENARIO), ("scenarios/other", other)):
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / f"{path}.toml").write_text(text, encoding="utf-8")
    monkeypatch.setattr(library, "shipped_folder", lambda name: tmp_path / name)
    return tmp_path


def test_shipped_files_are_found_by_id(shipped: Path) -> None:
    assert shipped_boards() == {"vire": shipped / "boards" / "vire.toml"}
    assert [header.id for header in shipped_scenarios()] == ["crossroads", "other"]
    assert [header.id for header in shipped_scenarios("panzer8")] == ["other"]
    assert scenario_path("crossroads") == shipped / "scenarios" / "first.toml"
    (shipped / "scenarios" / "first.toml").rename(shipped / "scenarios" / "crossroads.toml")
    assert scenario_path("crossroads") == shipped / "scenarios" / "crossroads.toml"


@pytest.mark.usefixtures("shipped")
def test_a_shipped_scenario_is_loaded_with_its_board() -> None:
    assert load_shipped("crossroads", TOY).board.id == "vire"


def test_a_tutorial_lies_beside_its_scenario_and_is_none_itself(shipped: Path) -> None:
    assert tutorial_path("crossroads") is None
    guide = shipped / "scenarios" / "first.tutorial.toml"
    guide.write_text("", encoding="utf-8")
    assert tutorial_path("crossroads") == guide
    assert tutorial_path("other") is None
    assert [header.id for header in shipped_scenarios()] == ["crossroads", "other"]


@pytest.mark.usefixtures("shipped")
def test_an_unknown_scenario_is_answered_with_the_nearest() -> None:
    assert problems_of(lambda: scenario_path("crosroads")) == [
        "unknown scenario 'crosroads'; did you mean 'crossroads'?"
    ]


def test_what_is_shipped_lies_in_the_package_and_is_sound() -> None:
    assert library.shipped_folder("boards").name == "boards"
    assert [problem for header in shipped_scenarios() for problem in header.problems] == []
