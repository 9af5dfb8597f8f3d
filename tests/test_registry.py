"""The only list of the systems and of the players."""

from __future__ import annotations

import pytest

from sandtable import registry
from sandtable.ai.players import GreedyPlayer, RandomPlayer
from sandtable.content import Vocabulary


@pytest.mark.parametrize("key", registry.SYSTEMS)
def test_every_system_has_a_ruleset_a_vocabulary_and_a_doctrine_of_its_name(key: str) -> None:
    system = registry.SYSTEMS[key]
    assert system.key == key
    info = registry.ruleset(key).info
    assert (info.key, info.title, info.prefix) == (key, system.title, f"{system.prefix}-")
    assert info.rules_version == system.rules_version
    vocabulary = registry.vocabulary(key)
    assert isinstance(vocabulary, Vocabulary)
    assert vocabulary.system == key
    doctrine = registry.doctrine(key)
    assert all(callable(getattr(doctrine, name)) for name in ("candidates", "value", "ending"))


@pytest.mark.parametrize(("name", "kind"), [("random", RandomPlayer), ("greedy", GreedyPlayer)])
def test_players_are_made_by_name(name: str, kind: type[object]) -> None:
    assert isinstance(registry.player(name, "panzer_leader"), kind)


def test_every_player_of_the_list_can_be_made() -> None:
    assert all(callable(registry.player(name, "panzer_leader").choose) for name in registry.PLAYERS)


def test_there_is_no_other_system_and_no_other_player() -> None:
    with pytest.raises(KeyError):
        registry.ruleset("chess")
    with pytest.raises(KeyError):
        registry.vocabulary("chess")
    with pytest.raises(KeyError):
        registry.doctrine("chess")
    with pytest.raises(KeyError):
        registry.player("deep", "panzer_leader")
