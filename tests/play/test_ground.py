"""Grounds that battles share, setup zones and reinforcements, ids that tell nothing."""

from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from sandtable.kernel.events import DiceKey
from sandtable.kernel.ids import HexId, SideId
from sandtable.play import ground
from sandtable.play.dealing import dealt
from sandtable.play.ground import Battleground, arrivals, zone_of


class Weather(msgspec.Struct, frozen=True):
    rain: bool = False


class Meadow(Battleground[Weather]):
    __slots__ = ()


class Marsh(Battleground[Weather]):
    __slots__ = ()


def scenario(digest: str) -> Any:
    units = (
        SimpleNamespace(id="early", arrival=None),
        SimpleNamespace(id="late", arrival=SimpleNamespace(turn=3, hexes=(HexId(7),))),
    )
    return SimpleNamespace(
        digest=digest, board=SimpleNamespace(digest="board"), units=units, zone=lambda side: (HexId(4), HexId(2))
    )


@pytest.fixture(autouse=True)
def forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    for room in (Meadow, Marsh):
        monkeypatch.setattr(room, "kept", {})


def test_battles_of_one_scenario_with_the_same_options_share_their_ground() -> None:
    assert Meadow.of(scenario("a"), Weather()) is Meadow.of(scenario("a"), Weather())
    assert Meadow.of(scenario("a"), Weather()) is not Meadow.of(scenario("a"), Weather(rain=True))
    assert Meadow.of(scenario("a"), Weather()) is not Meadow.of(scenario("b"), Weather())


def test_rooms_share_no_ground() -> None:
    assert isinstance(Meadow.of(scenario("a"), Weather()), Meadow)
    assert isinstance(Marsh.of(scenario("a"), Weather()), Marsh)


def test_only_the_latest_grounds_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ground, "KEPT", 1)
    first = Meadow.of(scenario("a"), Weather())
    second = Meadow.of(scenario("b"), Weather())
    assert list(Meadow.kept.values()) == [second]
    assert Meadow.of(scenario("a"), Weather()) is not first


def test_what_is_derived_from_a_ground_is_worked_out_once() -> None:
    meadow, answers = Meadow(scenario("a"), Weather()), iter([False, True])
    assert meadow.once("flooded", lambda: next(answers)) is False
    assert meadow.once("flooded", lambda: next(answers)) is False


def test_a_zone_is_in_order_and_an_arrival_says_when_and_where() -> None:
    meadow = Meadow(scenario("a"), Weather())
    assert list(zone_of(meadow, SideId("red"))) == [4, 2]
    assert arrivals(meadow) == {"late": (3, (7,))}


def test_ids_are_dealt_by_the_seed() -> None:
    hands = {tuple(dealt(6, DiceKey(seed))) for seed in ("one", "two", "three")}
    assert len(hands) > 1
    assert all(sorted(hand) == list(range(6)) for hand in hands)
    assert dealt(6, DiceKey("one")) == dealt(6, DiceKey("one"))
