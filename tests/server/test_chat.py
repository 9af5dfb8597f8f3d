"""What is said at a table: who hears it and when, how much of it, and what becomes of the text."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tests.server.kit import END, Line, Server


@contextmanager
def table(server: Server, german: str = "human") -> Iterator[tuple[Line, Line, Line, dict[str, Any]]]:
    """Both players and a spectator at one battle."""
    keys = server.battle("human", german)
    watching = {**keys, "tokens": {}, **server.post(f"battles/{keys['id']}/watch").json()}
    with (
        server.seat(keys, "allied") as allied,
        server.seat(keys, "german") as german_line,
        server.seat(watching) as watcher,
    ):
        yield allied, german_line, watcher, keys


def said(line: Line, to: str, **more: Any) -> list[str]:
    """What a client is told was said."""
    return [one["text"] for one in line.ask("AskChat", to=to, **more)["lines"]]


def test_what_is_said_to_all_is_heard_by_both_sides(server: Server) -> None:
    with table(server) as (allied, german, _, _):
        assert allied.ask("Say", to="all", text="good luck")["type"] == "SayAnswer"
        heard = german.until("Chatted")["line"]
        assert heard == {"number": 1, "to": "all", "side": "allied", "text": "good luck"}
        assert said(allied, "all") == said(german, "all") == ["good luck"]


def test_what_is_said_to_a_side_is_heard_by_nobody_else(server: Server) -> None:
    with table(server) as (allied, german, watcher, _):
        allied.ask("Say", to="side", text="the gun is at 0804")
        allied.ask("Say", to="all", text="ready")
        # the line to all is the first that the others are told of, and its number tells of no other
        assert german.until("Chatted")["line"]["number"] == 1
        assert said(allied, "side") == ["the gun is at 0804"]
        assert said(german, "side") == []
        for to in ("side", "allied", "german", ""):
            answer = watcher.ask("AskChat", to=to)
            assert (answer["type"], answer["reason"]) == ("Trouble", "you belong to no such side")
        assert german.ask("AskChat", to="allied")["reason"] == "you belong to no such side"


def test_spectators_hear_with_the_turns_they_are_shown(server: Server) -> None:
    with table(server) as (allied, german, watcher, _):
        allied.ask("Say", to="all", text="in turn 1")
        assert said(watcher, "all") == []
        while allied.table["turn"] < 3:
            mover = allied if allied.table["decisions"] else german
            assert mover.order(END)["type"] == "Accepted"
            for line in (allied, german):
                line.ask("Ping")
            if allied.table["turn"] == 2 and not said(allied, "all", before=0)[1:]:
                allied.ask("Say", to="all", text="in turn 2")
                assert said(watcher, "all") == []
        watcher.ask("Ping")
        assert said(watcher, "all") == ["in turn 1"]
        assert said(german, "all") == ["in turn 1", "in turn 2"]


def test_a_spectator_says_nothing(server: Server) -> None:
    with table(server) as (allied, _, watcher, _):
        assert watcher.ask("Say", to="all", text="behind you!")["reason"] == "that is not for spectators"
        assert said(allied, "all") == []


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("  two\nlines \t and more ", "two lines and more"),
        ("<script>alert(1)</script> & <b>", "<script>alert(1)</script> & <b>"),
        ("\u202eback\u202c \u2066x\u2069\u0007", "back x"),
        ("y" * 2000, "y" * 500),
    ],
)
def test_what_is_said_is_one_line_of_plain_text(server: Server, written: str, shown: str) -> None:
    with table(server) as (allied, german, _, _):
        allied.ask("Say", to="all", text=written)
        assert said(german, "all") == [shown]


@pytest.mark.parametrize("written", ["", "  ", "\n\u200b"])
def test_nothing_is_not_said(server: Server, written: str) -> None:
    with table(server) as (allied, _, _, _):
        assert allied.ask("Say", to="all", text=written)["reason"] == "there is nothing to say"


def test_who_speaks_too_fast_is_told_so_on_every_line_of_his(server: Server) -> None:
    with table(server) as (allied, german, _, keys):
        answers = [allied.ask("Say", to="all", text=str(n)) for n in range(8)]
        assert [one["type"] for one in answers[:6]] == ["SayAnswer"] * 6
        assert answers[-1]["reason"] == "you speak too fast; wait a moment"
        with server.seat(keys, "allied") as again:
            assert again.ask("Say", to="side", text="and again")["type"] == "Trouble"
        assert german.ask("Say", to="all", text="I do not")["type"] == "SayAnswer"


def test_the_talk_is_kept_paged_and_bounded(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    class Patient:
        def __init__(self, *_: float) -> None: ...
        def take(self) -> bool:
            return True

    monkeypatch.setattr("sandtable.server.play.sessions.Bucket", Patient)
    monkeypatch.setattr("sandtable.battle.chatting.KEPT", 12)
    with table(server) as (allied, _, _, keys):
        for n in range(1, 16):
            allied.ask("Say", to="all", text=f"line {n}")
    with server.seat(keys, "german") as again:
        assert said(again, "all", most=3) == ["line 13", "line 14", "line 15"]
        assert said(again, "all", before=13, most=3) == ["line 10", "line 11", "line 12"]
        assert said(again, "all", most=99) == [f"line {n}" for n in range(4, 16)]
