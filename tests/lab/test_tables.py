"""Scenarios, options and seats as people name them."""

from __future__ import annotations

from pathlib import Path

import pytest

from sandtable.content import ContentError
from sandtable.kernel.ids import SideId
from sandtable.lab.seats import seats_from, sides_of
from sandtable.lab.tables import LabError, checked_options, open_table, options_from, system_key
from tests.cli.kit import toy_system

__all__ = ["toy_system"]

RED, BLUE = SideId("red"), SideId("blue")
SIDES = (RED, BLUE)
KNOWN = ("human", "greedy", "random")


@pytest.mark.parametrize("name", ["PL", "pl", "PL-", "panzer_leader", "Panzer Leader", "panzer leader"])
def test_a_system_is_named_by_key_title_or_prefix(name: str) -> None:
    assert system_key(name) == "panzer_leader"


def test_an_unknown_system_is_refused_with_the_one_probably_meant() -> None:
    with pytest.raises(LabError, match="no system 'panzer_leadr'; did you mean 'panzer_leader'"):
        system_key("panzer_leadr")


def test_a_scenario_is_found_by_id_and_by_path(toy_system: Path) -> None:
    assert open_table("pl-first-platoon").system == "panzer_leader"
    assert open_table(str(toy_system)).system == "toy"


def test_a_scenario_of_a_system_that_is_not_here_is_refused(tmp_path: Path, toy_system: Path) -> None:
    path = tmp_path / "other.toml"
    path.write_text(toy_system.read_text().replace('system = "toy"', 'system = "tyo"'))
    with pytest.raises(ContentError, match="did you mean 'toy'"):
        open_table(str(path))


def test_a_file_that_names_no_system_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bad.toml"
    path.write_text('format = 1\nkind = "scenario"\n')
    with pytest.raises(ContentError, match="'system'"):
        open_table(str(path))


def test_a_table_is_bound_to_its_scenario_and_its_board(toy_system: Path) -> None:
    first = open_table(str(toy_system))
    board = toy_system.with_name("line.toml")
    board.write_text(board.read_text().replace("w\n", ".\n", 1))
    assert open_table(str(toy_system)).digest != first.digest


def test_the_sides_of_a_battle_are_known_before_it_begins(toy_system: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = open_table(str(toy_system))
    assert sides_of(table, {}) == SIDES

    def broken(*_: object) -> None:
        raise ValueError("no room for the guard")

    monkeypatch.setattr(type(table.ruleset), "setup", broken)
    with pytest.raises(LabError, match="the battle can't be set up: no room for the guard"):
        sides_of(table, {})


def test_options_are_written_as_name_and_value(toy_system: Path) -> None:
    table = open_table(str(toy_system))
    assert options_from(table, ["turns=2", "mood=wild"]) == {"turns": 2, "mood": "wild"}
    leader = open_table("pl-first-platoon")
    assert options_from(leader, ["fog=on", "smoke=no", "quick_time=true"]) == {
        "fog": True,
        "smoke": False,
        "quick_time": True,
    }


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("turns", "written name=value"),
        ("turn=2", "no option 'turn'; did you mean 'turns'"),
        ("turns=3", "can't be '3'; it is one of 2, 6, 12"),
        ("turns=on", "can't be 'true'"),
    ],
)
def test_an_option_that_is_none_is_refused(toy_system: Path, text: str, reason: str) -> None:
    with pytest.raises(LabError, match=reason):
        options_from(open_table(str(toy_system)), [text])


def test_the_options_of_a_file_are_held_to_their_values(toy_system: Path) -> None:
    table = open_table(str(toy_system))
    assert checked_options(table, {"turns": 2}) == {"turns": 2}
    with pytest.raises(LabError, match="can't be 'True'"):
        checked_options(table, {"turns": True})
    with pytest.raises(LabError, match="no option 'speed'"):
        checked_options(table, {"speed": 2})


def test_seats_are_named_in_order_or_by_side() -> None:
    assert seats_from("human, greedy", SIDES, KNOWN) == {RED: "human", BLUE: "greedy"}
    assert seats_from("blue=random,red=greedy", SIDES, KNOWN) == {RED: "greedy", BLUE: "random"}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("human", "1 player is named, but the battle has 2 sides"),
        ("human,grady", "no player 'grady'; did you mean 'greedy'"),
        ("red=human", "nobody is named to play blue"),
        ("green=human,red=human", "no side 'green'"),
    ],
)
def test_seats_that_do_not_fit_are_refused(text: str, reason: str) -> None:
    with pytest.raises(LabError, match=reason):
        seats_from(text, SIDES, KNOWN)
