"""A new battle from a point of one that is not over: one's own, with nothing hidden in it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.server.kit import END, Server


def seats(german: str) -> list[dict[str, str]]:
    return [
        {"side": "allied", "player": "hot-seat" if german == "hot-seat" else "human"},
        {"side": "german", "player": german},
    ]


def begun(server: Server, german: str, **more: Any) -> dict[str, Any]:
    keys = server.battle(seats=seats(german), **more)
    with server.seat(keys, "allied") as line:
        for _ in range(2):
            assert line.order(END)["type"] == "Accepted"
    return keys


def branched(
    server: Server, keys: dict[str, Any], number: int, token: str | None = None, german: str = "hot-seat"
) -> Any:
    wanted = {"number": number, "seats": seats(german)}
    token = keys["tokens"]["allied"] if token is None else token
    return server.post(f"battles/{keys['id']}/branch", token, json=wanted)


def test_one_s_own_battle_is_branched_at_any_point_one_saw(server: Server) -> None:
    keys = begun(server, "hot-seat")
    with server.seat(keys, "allied") as line:
        last = line.number
        past = line.ask("AskReplay", sequence=2)["past"]["table"]
    answer = branched(server, keys, 2)
    assert answer.status_code == 201, answer.text
    with server.seat(answer.json(), "allied") as again:
        assert again.table["pieces"] == past["pieces"]
        assert again.table["step"] == past["step"]
        assert again.order(END)["type"] == "Accepted"
    assert branched(server, keys, last).status_code == 201
    # the battle itself is where it was
    with server.seat(keys, "allied") as line:
        assert line.number == last


def test_what_was_taken_back_can_be_branched_from(server: Server) -> None:
    keys = server.battle(seats=seats("hot-seat"))
    with server.seat(keys, "allied") as line:
        own = [piece["id"] for piece in line.table["pieces"] if piece["side"] == "allied"]
        menus = [line.ask("AskMenu", selection={"units": [unit]})["menu"] for unit in own]
        verbs = [verb for menu in menus for verb in menu["verbs"] if verb["key"] == "move"]
        order = next(target["order"] for verb in verbs for target in verb.get("targets", ()))
        assert line.order(order)["type"] == "Accepted"
        moved = line.table["pieces"]
        number = line.number
        assert line.undo()["type"] == "Accepted"
    answer = branched(server, keys, number)
    assert answer.status_code == 201, answer.text
    with server.seat(answer.json(), "allied") as again:
        assert again.table["pieces"] == moved


def test_a_battle_with_something_hidden_is_branched_when_it_is_over(server: Server) -> None:
    answer = branched(server, begun(server, "hot-seat", options={"fog": True}), 1)
    assert (answer.status_code, answer.json()["reason"]) == (
        409,
        "there is something hidden at that point: it can be branched when the battle is over",
    )


@pytest.mark.parametrize("german", ["human", "friend"])
def test_a_battle_with_others_is_branched_when_it_is_over(server: Server, german: str) -> None:
    answer = branched(server, begun(server, german), 1)
    assert (answer.status_code, answer.json()["reason"]) == (
        409,
        "a battle with others can be branched when it is over",
    )


def test_who_sits_at_no_side_branches_nothing(server: Server) -> None:
    keys = begun(server, "hot-seat")
    watcher = server.post(f"battles/{keys['id']}/watch").json()["spectator"]
    for token in ("", watcher):
        assert branched(server, keys, 1, token).status_code == 409
