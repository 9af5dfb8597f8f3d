"""Boards over the wire: small, complete, found by digest and kept for ever."""

from __future__ import annotations

import gzip
import struct
from base64 import b64decode
from functools import cache
from typing import Any

import msgspec
import pytest

from sandtable import registry
from sandtable.content import MapSheet, load_shipped, shipped_scenarios
from sandtable.geometry import DIRECTIONS, Board
from sandtable.server import messages as m
from sandtable.server.http.boards import board_sheet, packed
from tests.server.kit import Server

# one with rail lines and roads of all kinds besides
SYSTEM_OF = {
    **{header.id: "panzer_leader" for header in shipped_scenarios("panzer_leader")},
    "pb-sosnovka": "panzer_battles",
}
SCENARIOS = list(SYSTEM_OF)


@cache
def sheet_of(id: str) -> MapSheet:
    return load_shipped(id, registry.vocabulary(SYSTEM_OF[id])).sheet


def cards(server: Server) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = server.get("scenarios").json()
    return found


def in_order(board: Board) -> list[int]:
    return sorted(board.hexes)


@pytest.mark.parametrize("id", SCENARIOS)
def test_everything_on_a_board_can_be_read_back(id: str) -> None:
    sheet = sheet_of(id)
    board, told = sheet.board, msgspec.json.decode(packed(sheet).plain, type=m.BoardSheet)
    assert (told.id, told.title, told.width, told.height) == (board.id, board.title, board.width, board.height)
    terrain = [told.legend[ord(sign) - ord("0")] for sign in told.terrain]
    assert terrain == [board.terrain[place] for place in in_order(board)]
    levels = struct.unpack(f"<{len(board.hexes)}h", b64decode(told.elevation)) if told.elevation else None
    assert levels in (None, tuple(board.elevation[place] for place in in_order(board)))
    assert (levels is None) == (not any(board.elevation))
    roads = {
        (number // 64, direction): kind
        for kind, numbers in told.roads.items()
        for number in numbers
        for direction in DIRECTIONS
        if number % 64 >> direction & 1
    }
    stretches = [(place, d) for place in board.hexes for d in DIRECTIONS if board.has_road(place, d)]
    assert roads == {(place, d): board.road_kind(place, d) or "road" for place, d in stretches}
    features = {(place, kind) for kind, places in told.features.items() for place in places}
    assert features == {(place, kind) for place, kinds in board.features.items() for kind in kinds}
    assert dict(told.names) == sheet.names
    assert told.season == sheet.season
    assert tuple(divmod(number, 6) for number in told.road_ends) == sheet.road_ends


@pytest.mark.parametrize("id", SCENARIOS)
def test_every_hexside_is_told_and_an_inner_one_once(id: str) -> None:
    board = sheet_of(id).board
    told = [
        (kind, *divmod(number, 6)) for kind, numbers in board_sheet(sheet_of(id)).hexsides.items() for number in numbers
    ]
    both = {(kind, place, side) for kind, place, side in told} | {
        (kind, board.neighbor(place, side), (side + 3) % 6) for kind, place, side in told if board.neighbor(place, side)
    }
    assert both == {(kind, *side) for side, kinds in board.hexsides.items() for kind in kinds}
    assert len(both) == sum(2 if board.neighbor(place, side) else 1 for _, place, side in told)


def test_heights_of_16_bits_and_depths_are_told() -> None:
    class Deep:
        """A board whose elevation holds more than bytes do."""

        def __init__(self) -> None:
            self._board = Board.build("deep", 2, 1)
            self.elevation = [0] * self._board.size
            self.elevation[self._board.hex_at(0, 0)] = -12
            self.elevation[self._board.hex_at(1, 0)] = 4807

        def __getattr__(self, name: str) -> Any:
            return getattr(self._board, name)

    told = board_sheet(MapSheet(Deep()))  # type: ignore[arg-type]
    assert struct.unpack("<2h", b64decode(told.elevation)) == (-12, 4807)


def test_a_board_of_160000_hexes_stays_well_under_a_megabyte() -> None:
    board = Board.build(
        "great",
        400,
        400,
        terrain={f"{col:03}{row:03}": "woods" for col in range(1, 401, 7) for row in range(1, 401, 3)},
    )
    found = packed(MapSheet(board))
    assert len(found.plain) < 200_000
    assert len(found.zipped) < 20_000


def test_the_list_of_scenarios_is_small(server: Server) -> None:
    assert len(server.get("scenarios").content) / len(cards(server)) < 4_000


def test_a_board_is_found_by_its_digest_and_kept_for_ever(server: Server) -> None:
    for card in cards(server):
        answer = server.get(f"boards/{card['board']['digest']}", headers={"accept-encoding": "identity"})
        assert answer.headers["content-type"] == "application/json"
        assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert answer.headers["vary"] == "accept-encoding"
        assert "content-encoding" not in answer.headers
        told = msgspec.json.decode(answer.content, type=m.BoardSheet)
        known = (told.id, told.title, told.width, told.height)
        assert known == tuple(card["board"][key] for key in ("id", "title", "width", "height"))


def test_a_board_is_compressed_for_whoever_can_read_that(server: Server) -> None:
    digest = next(card["board"]["digest"] for card in cards(server) if card["id"] == "pl-crossroads")
    with server.http.stream("GET", f"/api/boards/{digest}", headers={"accept-encoding": "gzip, br"}) as answer:
        raw = b"".join(answer.iter_raw())
    assert answer.headers["content-encoding"] == "gzip"
    plain = server.get(f"boards/{digest}", headers={"accept-encoding": "identity"}).content
    assert gzip.decompress(raw) == plain
    assert len(raw) < len(plain) / 2


def test_who_has_a_board_is_not_sent_it_again(server: Server) -> None:
    digest = cards(server)[0]["board"]["digest"]
    tag = server.get(f"boards/{digest}").headers["etag"]
    again = server.get(f"boards/{digest}", headers={"if-none-match": tag})
    assert (again.status_code, again.content) == (304, b"")
    assert server.get(f"boards/{digest}", headers={"if-none-match": '"other"'}).status_code == 200


@pytest.mark.parametrize("digest", ["0" * 32, "..%2F..%2Fetc", "le-mesnil"])
def test_there_is_no_other_board(server: Server, digest: str) -> None:
    answer = server.get(f"boards/{digest}")
    assert answer.status_code == 404
    assert answer.headers["cache-control"] == "no-store"


def test_a_board_that_changes_gets_another_digest_even_when_only_a_name_does() -> None:
    sheet = sheet_of(SCENARIOS[0])
    place = sheet.board.hexes[0]
    renamed = MapSheet(sheet.board, {**sheet.names, place: "Elsewhere"}, sheet.road_ends)
    assert packed(renamed).digest != packed(sheet).digest
    assert packed(MapSheet(sheet.board, sheet.names, sheet.road_ends)).digest == packed(sheet).digest
