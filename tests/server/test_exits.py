"""Every exit of a server: what a side has, and is to do, is told to that side alone where units are out of sight."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from sandtable import registry
from sandtable.content import load_shipped
from sandtable.server.http.routes import API
from tests.server.kit import SECRET, Server

SCENARIOS = {"pl-first-platoon": "fog", "pl-meeting": "fog", "pl-crossroads": "fog", "p8-mill-road": "hidden_setup"}

OF_THE_WHOLE_SYSTEM = ("rules/{system}", "counters/{system}")
"""These tell of every unit type there is, and so of none in particular."""


def secrets(scenario: str, side: str) -> set[str]:
    """What only the side itself may be told: the sentences of its briefing, and the types that nobody else has."""
    system = "panzer8" if scenario.startswith("p8") else "panzer_leader"
    found = load_shipped(scenario, registry.vocabulary(system))
    titles = {
        one: {registry.unit_title(system, unit.type) for unit in found.units if unit.side == one}
        for one in ("allied", "german")
    }
    other = "german" if side == "allied" else "allied"
    # "Rifle section" is part of what a side with a "British rifle section" of its own is told
    alone = {title for title in titles[side] if not any(title.lower() in one.lower() for one in titles[other])}
    sentences = next(one.briefing for one in found.sides if one.id == side).strip().split(". ")
    return {json.dumps(text.split("\n")[0])[1:-1] for text in (*sentences, *alone)}


def _get(server: Server, path: str, token: str) -> str:
    return server.get(path, token).text


def exits(server: Server, keys: dict[str, Any], scenario: str, token: str, option: str) -> Iterator[tuple[str, str]]:
    """Everything that can be read of a server by somebody with that token, each with its address."""
    id, system = keys["id"], "panzer8" if scenario.startswith("p8") else "panzer_leader"
    card = next(card for card in server.get("scenarios").json() if card["id"] == scenario)
    for path in ("house", "systems", "scenarios", "battles", f"boards/{card['board']['digest']}"):
        yield path.split("/")[0], _get(server, path, token)
    yield "scenarios/{id}/briefings", _get(server, f"scenarios/{scenario}/briefings?options={option}:true", token)
    for path in ("rules", "counters"):
        yield f"{path}/{{system}}", _get(server, f"{path}/{system}", token)
    for path in ("record", "scenario", "tutorial", "salvage"):
        yield f"battles/{{id}}/{path}", _get(server, f"battles/{id}/{path}", token)
    for path, body in (
        ("keys", None),
        ("save", {}),
        ("branch", {"number": 1, "seats": []}),
        ("watch", None),
        ("invite", {"side": "german"}),
        ("join", {"called": "Anna"}),
    ):
        yield f"battles/{{id}}/{path}", server.post(f"battles/{id}/{path}", token, json=body).text
    yield "battles/import", server.post("battles/import", token, content=b"{}").text


def greeting(server: Server, keys: dict[str, Any], side: str) -> list[dict[str, Any]]:
    """What a seat is told when it comes to the table, and what it is answered about the forces."""
    with server.seat(keys, side) as line:
        return [line.greeting, line.ask("AskTree")]


def in_sight(told: list[dict[str, Any]], side: str) -> str:
    """What the side sees of the other on the map from the beginning."""
    return " ".join(piece["title"] for piece in told[0]["table"]["pieces"] if piece["side"] != side)


def told(server: Server, scenario: str, side: str, secret: str, hides: dict[str, bool]) -> Iterator[tuple[str, str]]:
    """What leaks, and where, to the commander of a side in a new battle."""
    keys = server.battle("human", "human", scenario=scenario, options=hides)
    token, other = keys["tokens"][side], "german" if side == "allied" else "allied"
    own = greeting(server, {**keys, "tokens": {side: token}}, side)
    heard, seen = [("socket", json.dumps(own, ensure_ascii=False))], in_sight(own, side)
    heard += [*exits(server, keys, scenario, secret or token, next(iter(hides)))]
    heard += [*exits(server, keys, scenario, token, next(iter(hides)))]
    for place, text in heard:
        if place not in OF_THE_WHOLE_SYSTEM:
            yield from ((place, one) for one in secrets(scenario, other) if one in text and one not in seen)


@pytest.mark.parametrize("scenario", SCENARIOS)
@pytest.mark.parametrize("side", ["allied", "german"])
def test_where_units_are_out_of_sight_no_exit_tells_what_the_other_side_has(
    server: Server, public_server: Server, scenario: str, side: str
) -> None:
    hides = {SCENARIOS[scenario]: True}
    assert [*told(server, scenario, side, "", hides)] == []
    assert [*told(public_server, scenario, side, SECRET, hides)] == []


def test_in_a_battle_that_hides_nothing_the_same_exits_tell_it(server: Server) -> None:
    """The control: the comparison finds what is there."""
    keys = server.battle("human", "human")
    own = json.dumps(greeting(server, keys, "allied"), ensure_ascii=False)
    assert all(secret in own for secret in secrets("pl-first-platoon", "allied"))
    everybody = server.get("scenarios/pl-first-platoon/briefings").text
    assert all(secret in everybody for side in ("allied", "german") for secret in secrets("pl-first-platoon", side))


def test_every_address_is_looked_at(server: Server) -> None:
    """A new address must be asked what it tells."""
    addresses = {
        path.lstrip("/").replace(":str", "").removesuffix("/{digest}") for handler in API for path in handler.paths
    }
    keys = server.battle("human", "human")
    asked = {place for place, _ in exits(server, keys, "pl-first-platoon", keys["tokens"]["allied"], "fog")}
    assert asked == addresses - {"battles/{id}"}, "deleting tells nothing"
