"""What a stranger may send, and what he gets for it: a sentence, never a fault and never a change."""

from __future__ import annotations

import json
import os
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed, InvalidStatus

from sandtable.server import limits
from sandtable.server.http.gate import HEADERS
from sandtable.server.messages import PROTOCOL
from sandtable.server.play.connections import Unreadable, understood
from tests.server.kit import END, Line, Server

HOSTILE_ORIGINS = (
    "null", "", "http://", "https://", "file://", "http://evil.example", "https://evil.example",
    "http://evil.example:8470", "http://127.0.0.1", "http://127.0.0.1:1", "http://127.0.0.1:80",
    "http://localhost", "http://localhost:1", "http://127.0.0.1.evil.example", "http://localhost.evil.example",
    "http://evil.example/127.0.0.1:{port}", "http://evil.example#127.0.0.1:{port}", "http://evil.example?127.0.0.1:{port}",
    "http://127.0.0.1:{port}@evil.example", "http://evil.example@127.0.0.2:{port}", "http://127.0.0.2:{port}",
    "http://127.1:{port}", "http://2130706433:{port}", "http://0x7f000001:{port}", "http://017700000001:{port}",
    "http://[::1]:{port}", "http://[::ffff:127.0.0.1]:{port}", "http://0.0.0.0:{port}", "http://0:{port}",
    "ftp://127.0.0.1:{port}", "ws://127.0.0.1:{port}", "javascript:alert(1)", "data:text/html,hi", "blob:http://127.0.0.1",
    "chrome-extension://abcdefgh", "moz-extension://abcdefgh", "about:blank", "http://127.0.0.1:{port}/path",
    "http://127.0.0.1:{port} http://evil.example", "http://evil.example, http://127.0.0.1:{port}",
    "HTTP://EVIL.EXAMPLE", "http://127.0.0.1:{port}.evil.example", "http://user:pass@127.0.0.1:{port}",
    "http://127.0.0.1:0{port}", "http://127.0.0.1:{port}0", "//127.0.0.1:{port}", "127.0.0.1:{port}",
    "http://xn--localhost-9za:{port}", "http://127。0。0。1:{port}", "http://localhost:{port}",
)  # fmt: skip

HOSTILE_HOSTS = ("evil.example", "127.0.0.1.evil.example", "192.168.0.7", "0.0.0.0", "", "[::2]", "localhost.evil")


def test_there_are_fifty_hostile_origins() -> None:
    assert len(set(HOSTILE_ORIGINS)) == 50


@pytest.mark.thorough
@pytest.mark.parametrize("origin", HOSTILE_ORIGINS)
def test_a_foreign_page_opens_no_line_and_changes_nothing(server: Server, origin: str) -> None:
    name = origin.format(port=server.port).encode("utf-8").decode("latin-1")
    before = len(server.get("battles").json())
    seats = [{"side": side, "player": "human"} for side in ("allied", "german")]
    wanted = {"scenario": "pl-first-platoon", "seats": seats}
    answer = server.post("battles", json=wanted, headers={"origin": name.encode("latin-1")})
    assert answer.status_code == 403
    assert len(server.get("battles").json()) == before
    with (
        pytest.raises(InvalidStatus) as refused,
        server.line("0" * 32, additional_headers={"Origin": name}),
    ):
        pass
    assert refused.value.response.status_code == 403


def test_our_own_page_opens_a_line_and_a_battle(server: Server) -> None:
    keys = server.battle()
    origin = f"http://{server.host}"
    with server.line(keys["id"], origin=origin) as line:
        line.say("Hello", protocol=PROTOCOL, token=keys["tokens"]["allied"])
        assert line.hear()["type"] == "Snapshot"
    assert server.post(f"battles/{keys['id']}/keys", headers={"origin": origin}).status_code == 201


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_a_browser_that_says_it_speaks_for_another_site_is_believed(server: Server, site: str) -> None:
    keys = server.battle()
    assert server.post(f"battles/{keys['id']}/keys", headers={"sec-fetch-site": site}).status_code == 403


@pytest.mark.parametrize("host", HOSTILE_HOSTS)
def test_a_name_made_to_point_here_gets_no_answer(server: Server, host: str) -> None:
    answer = server.get("battles", headers={"host": host})
    assert answer.status_code in (400, 403)
    assert "id" not in answer.text


@pytest.mark.parametrize("path", ["/", "/api/house", "/api/nothing", "/api/battles/x/record", "/assets/none.js"])
def test_every_answer_carries_the_headers_that_forbid(server: Server, path: str) -> None:
    headers = server.http.get(path).headers
    for name, value in HEADERS:
        assert headers[name.decode()] == value.decode()
    policy = headers["content-security-policy"]
    assert "script-src 'self'" in policy
    assert "default-src 'none'" in policy
    assert "unsafe-eval" not in policy
    assert "unsafe-inline" not in policy.replace("style-src-attr 'unsafe-inline'", "")
    assert "set-cookie" not in headers
    assert "server" not in headers
    assert "access-control-allow-origin" not in headers


# frames

BROKEN_FRAMES: tuple[str | bytes, ...] = (
    "", "{}", "[]", "null", "1", '"Hello"', "{", "\x00", "é" * 100, "[" * 60_000, "{" * 60_000, '{"a":' * 10_000,
    '{"type":"Nothing"}', '{"type":1}', '{"type":"Submit"}', '{"type":"Submit","command":1,"based_on":1,"order":{}}',
    '{"type":"Submit","command":"x","based_on":"1","order":{}}', '{"type":"AskMenu","ask":1,"selection":{"hex":"x"}}',
    '{"type":"Ping","ask":1.5}', '{"type":"Ping","ask":1,"more":2}', '{"type":"Ping","ask":' + "9" * 5000 + "}",
    '{"type":"TakeSeat","side":"\\ud800"}', b"\xff\xfe", b"\x00" * 1000, os.urandom(500), b'{"type":"Ping","ask":1',
)  # fmt: skip

STRANGE_MESSAGES: tuple[dict[str, Any], ...] = (
    {"type": "Submit", "command": "x", "based_on": 1, "order": {}},
    {"type": "Submit", "command": "x", "based_on": 1, "order": {"order": "Nothing"}},
    {"type": "Submit", "command": "", "based_on": 1, "order": END},
    {"type": "Submit", "command": "x" * 5000, "based_on": 1, "order": END},
    {"type": "Submit", "command": "\n", "based_on": 1, "order": END},
    {"type": "Submit", "command": "x", "based_on": 2**70, "order": END},
    {"type": "Submit", "command": "x", "based_on": 1, "order": {"order": "MoveUnit", "unit": 2**70, "path": [1]}},
    {"type": "Submit", "command": "x", "based_on": 1, "order": {"order": "MoveUnit", "unit": -1, "path": [-1]}},
    {"type": "Submit", "command": "x", "based_on": 1, "order": {"order": "MoveUnit", "unit": 0, "path": []}},
    {"type": "Submit", "command": "x", "based_on": 1, "order": {"order": "MoveUnit", "unit": 0, "path": [10**9]}},
    {"type": "Undo", "command": "x", "based_on": -(2**63)},
    {"type": "AskMenu", "ask": 2**63, "selection": {"units": [-1, 2**62, 10**9], "hex": -7}},
    {"type": "AskMenu", "ask": 1, "selection": {"units": list(range(5000))}},
    {"type": "AskPreview", "ask": 1, "order": {"order": "DirectFire"}},
    {"type": "AskPreview", "ask": 1, "order": {"order": "MoveUnit", "unit": 10**9, "path": [10**9]}},
    {"type": "AskSight", "ask": 1, "a": -1, "b": 10**9},
    {"type": "AskSight", "ask": 1, "a": 2**80, "b": -(2**80)},
    {"type": "AskSeen", "ask": 1, "units": [-1, 10**9, 2**70]},
    {"type": "AskHex", "ask": 1, "hex": 2**70},
    {"type": "AskHex", "ask": 1, "hex": -1},
    {"type": "AskCard", "ask": 1, "unit": -1},
    {"type": "AskCard", "ask": 1, "unit": 10**9},
    {"type": "AskCard", "ask": 1, "unit": 2**70},
    {"type": "AskWhyNot", "ask": 1, "verb": "", "selection": {}, "target": {}},
    {"type": "AskMenu", "ask": 1, "selection": {"units": [0], "hex": 10**9, "via": [2**62, -1]}},
    {"type": "AskMenu", "ask": 1, "selection": {"via": [50]}},
    {"type": "AskWhyNot", "ask": 1, "verb": "move", "selection": {"units": [-1]}, "target": {"hex": 10**9}},
    {"type": "AskWhyNot", "ask": 1, "verb": "fire", "selection": {"units": [0]}, "target": {"units": [2**62, -1]}},
    {"type": "AskQuery", "ask": 1, "key": ""},
    {"type": "AskQuery", "ask": 1, "key": "\x00" * 5000},
    {"type": "AskReport", "ask": 1, "kind": "the truth"},
    {"type": "AskReport", "ask": 1, "kind": "x" * 5000},
    {"type": "AskReplay", "ask": 1, "sequence": -(2**70)},
    {"type": "AskReplay", "ask": 2**80, "sequence": 2**80, "full": True},
    {"type": "AskLog", "ask": 1, "before": -(2**70), "most": 2**70},
    {"type": "AskLog", "ask": 1, "before": 2**80, "most": -(2**80)},
    {"type": "TakeSeat", "side": "x" * 10_000},
    {"type": "Hello", "protocol": PROTOCOL},
)


@pytest.fixture
def line(server: Server) -> Any:
    with server.seat(server.battle(), "allied") as line:
        yield line


def unchanged(line: Line) -> bool:
    """Whether the line is open and the table is what it was."""
    pong = line.ask("Ping")
    return bool(pong["sequence"] == line.number == 1 and pong["view_hash"] == line.hash)


@pytest.mark.parametrize("frame", BROKEN_FRAMES, ids=range(len(BROKEN_FRAMES)))
def test_a_broken_frame_is_answered_with_a_sentence_and_the_line_stays_open(line: Line, frame: str | bytes) -> None:
    line.connection.send(frame)
    assert line.hear()["type"] == "Trouble"
    assert unchanged(line)


@pytest.mark.parametrize("message", STRANGE_MESSAGES, ids=range(len(STRANGE_MESSAGES)))
def test_a_strange_message_is_answered_and_changes_nothing(line: Line, message: dict[str, Any]) -> None:
    line.connection.send(json.dumps(message))
    answer = line.hear()
    assert "fault" not in json.dumps(answer)
    assert answer["type"] != "Accepted"
    assert unchanged(line)


def test_a_giant_frame_ends_its_own_line_and_no_other(server: Server, line: Line) -> None:
    with server.seat(server.battle(), "allied") as giant:
        giant.connection.send("x" * (limits.FRAME + 1))
        assert giant.closed() == 1009
    assert unchanged(line)


@pytest.mark.parametrize(
    ("first", "code"),
    [
        ("", 4400),
        ("x", 4400),
        ('{"type":"Ping","ask":1}', 4400),
        ('{"type":"Hello","protocol":0}', 4409),
        (f'{{"type":"Hello","protocol":{PROTOCOL}}}', 4401),
        (f'{{"type":"Hello","protocol":{PROTOCOL},"token":"x"}}', 4401),
        (f'{{"type":"Hello","protocol":{PROTOCOL},"token":"' + "x" * 60_000 + '"}', 4401),
    ],
)
def test_a_line_without_a_proper_hello_is_closed_with_its_code(server: Server, first: str, code: int) -> None:
    keys = server.battle()
    with server.line(keys["id"]) as line:
        line.connection.send(first)
        assert line.closed() == code


@pytest.mark.parametrize("id", ["x", "0" * 32, "%00", "..%2e", "A" * 32, "é"])
def test_a_battle_that_is_not_there_has_no_line(server: Server, id: str) -> None:
    with server.line(id) as line:
        line.say("Hello", protocol=PROTOCOL, token="x")
        assert line.closed() in (4401, 4404)


def test_a_flood_is_slowed_and_then_cut(server: Server) -> None:
    with server.seat(server.battle(), "allied") as flood:
        codes = set()
        try:
            for _ in range(400):
                flood.connection.send('{"type":"Ping","ask":1}')
        except ConnectionClosed as end:
            codes.add(end.rcvd.code if end.rcvd else 1006)
        assert (codes or {flood.closed()}) <= {4429, 1006}


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
KINDS = st.sampled_from([message["type"] for message in STRANGE_MESSAGES])


def answer_to(frame: str | bytes) -> str:
    """The sentence that a frame is refused with, or nothing when it is a message."""
    try:
        understood(frame)
    except Unreadable as error:
        return str(error)
    return ""


@given(st.binary(max_size=300) | st.text(max_size=300))
def test_whatever_bytes_come_they_are_a_message_or_refused_in_a_sentence(frame: str | bytes) -> None:
    assert len(answer_to(frame)) < 300


FIELDS = st.sampled_from(["ask", "order", "side", "hex", "a", "b", "selection", "units", "key", "kind", "unit"])


@given(KINDS, st.dictionaries(FIELDS, JSON))
def test_whatever_fields_a_message_has_it_is_understood_or_refused_in_a_sentence(
    kind: str, fields: dict[str, Any]
) -> None:
    answer = answer_to(json.dumps({"type": kind, **fields}))
    assert not answer or answer.startswith("that is no message: ")


@given(st.lists(st.tuples(KINDS, st.integers(-(2**70), 2**70), JSON), min_size=1, max_size=6))
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_line_survives_whatever_its_client_makes_up(server: Server, made_up: list[tuple[str, int, Any]]) -> None:
    with server.seat(server.battle(), "allied") as line:
        for kind, number, value in made_up:
            places = dict.fromkeys(("ask", "hex", "a", "b", "unit", "sequence"), number)
            fields = {**places, "order": value, "key": value, "kind": value}
            known = {name: fields[name] for name in FIELDS_OF.get(kind, ())}
            line.connection.send(json.dumps({"type": kind, **known}))
        assert unchanged(line)


FIELDS_OF = {
    "AskSight": ("ask", "a", "b"),
    "AskHex": ("ask", "hex"),
    "AskReplay": ("ask", "sequence"),
    "AskPreview": ("ask", "order"),
    "AskSeen": ("ask",),
    "AskCard": ("ask", "unit"),
    "AskQuery": ("ask", "key"),
    "AskReport": ("ask", "kind"),
}
