"""A battle at one keyboard is the authority's battle: its log, its news, its record."""

from __future__ import annotations

from pathlib import Path

import pytest

from sandtable import registry
from sandtable.cli.session import Session
from sandtable.kernel import replay
from sandtable.kernel.ids import SideId
from sandtable.lab.batch import Game, play_game
from sandtable.lab.seats import computer_order, deciding
from sandtable.lab.tables import open_table
from tests.cli.kit import Run

ALLIED = SideId("allied")
FOG = {"fog": True}


@pytest.fixture(scope="module")
def finished() -> Session:
    """A battle in fog that two computer players have fought out."""
    session = Session.begun(open_table("pl-crossroads"), FOG, "s")
    player = registry.player("greedy", "panzer_leader")
    while (side := deciding(session.battle)) is not None:
        assert computer_order(session.battle, side, player, 16).refusal is None
    return session


def test_the_log_is_read_back_to_the_beginning_however_long_it_is(finished: Session) -> None:
    whole = finished.log(ALLIED, None)
    assert len(whole) > 200
    assert finished.log(ALLIED, 5) == whole[-5:]
    assert finished.log(ALLIED, 201) == whole[-201:]
    assert finished.log(ALLIED, len(whole) + 1) == whole


def test_news_are_the_lines_of_the_log_and_are_told_once(finished: Session) -> None:
    assert list(finished.news(ALLIED)) == finished.log(ALLIED, None)
    assert list(finished.news(ALLIED)) == []


def test_each_side_has_a_log_of_its_own(finished: Session) -> None:
    assert finished.log(ALLIED, None) != finished.log(SideId("german"), None)


def test_a_battle_that_is_resumed_has_no_news_but_its_log(finished: Session, tmp_path: Path) -> None:
    path = tmp_path / "game.rec"
    finished.save(path)
    again = Session.resumed(path, None)
    assert list(again.news(ALLIED)) == []
    assert again.log(ALLIED, None) == finished.log(ALLIED, None)


def test_a_file_is_written_only_when_something_has_happened(finished: Session, tmp_path: Path) -> None:
    path = tmp_path / "game.rec"
    finished.keep(path)
    path.unlink()
    finished.keep(path)
    assert not path.exists()


def test_a_game_of_a_batch_can_be_watched_in_the_console(run: Run, tmp_path: Path) -> None:
    game = Game("pl-first-platoon", {}, {ALLIED: "greedy", SideId("german"): "random"}, "1/7", 64)
    path = tmp_path / "game.rec"
    run("console", game.scenario, "--sides", "greedy,random", "--seed", game.seed, "--record", path)
    record = replay.read(path.read_bytes())
    result = play_game(game)
    assert (record.digest, len(record.entries) - 1) == (result.digest, result.orders)
    assert record.outcome is not None
    assert record.outcome.winner == result.winner
