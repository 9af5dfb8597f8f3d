"""`sandtable simulate`."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from sandtable.lab import batch
from tests.cli.kit import Run


@pytest.fixture(autouse=True)
def no_tables_kept() -> None:
    batch._table.cache_clear()


def test_games_are_played_and_added_up(run: Run, toy_system: Path) -> None:
    told = run(
        "simulate", toy_system, "--sides", "greedy,random", "--games", 5, "--seed", "s", "--workers", 1, "--json"
    ).json
    assert [result["seed"] for result in told["results"]] == [f"s/{n}" for n in range(5)]
    assert set(told["results"][0]) == {"seed", "winner", "level", "turns", "orders", "digest", "cpu_seconds"}
    summary = told["summary"]
    assert sum(share["count"] for share in summary["wins"].values()) + summary["draws"]["count"] == 5
    assert told["seats"] == {"red": "greedy", "blue": "random"}


def test_the_number_of_workers_changes_nothing(run: Run) -> None:
    words = ("simulate", "pl-first-platoon", "--sides", "random,random", "--games", 4, "--seed", 7, "--json")
    one, two = (run(*words, "--workers", workers).json["results"] for workers in (1, 2))
    assert [game["digest"] for game in one] == [game["digest"] for game in two]


def test_the_first_games_do_not_depend_on_how_many_follow(run: Run, toy_system: Path) -> None:
    words = ("simulate", toy_system, "--sides", "random,random", "--seed", 7, "--json", "--workers", 1)
    few, many = (run(*words, "--games", games).json["results"] for games in (2, 4))
    assert [game["digest"] for game in few] == [game["digest"] for game in many[:2]]


def test_results_go_to_a_file(run: Run, toy_system: Path, tmp_path: Path) -> None:
    out = tmp_path / "games.csv"
    text = run("simulate", toy_system, "--sides", "random,random", "--games", 3, "--workers", 1, "--out", out).out
    with out.open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert len(rows) == 3
    assert set(rows[0]) == {"seed", "winner", "level", "turns", "orders", "digest", "cpu_seconds"}
    assert "95 % CONFIDENCE" in text
    assert "red wins" in text


def test_options_and_limits_reach_the_games(run: Run, toy_system: Path) -> None:
    words = ("simulate", toy_system, "--sides", "random,random", "--games", 1, "--workers", 1, "--seed", 1)
    assert run(*words, "--option", "turns=2", "--json").json["results"][0]["turns"] <= 3
    assert "1 games were broken off" in run(*words, "--most-orders", 2).out


def test_a_bar_shows_on_a_terminal_alone(run: Run, toy_system: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ("simulate", toy_system, "--sides", "random,random", "--games", 2, "--workers", 1)
    assert run(*words).err == ""
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "games" in run(*words).err
