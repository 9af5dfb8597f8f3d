"""Nothing leaves a battle that its viewer may not know: twin worlds over every exit, and seeded leaks to be caught."""

from __future__ import annotations

import ast
import logging
import typing
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sandtable.battle import observation
from sandtable.battle.authority import Battle
from sandtable.battle.hall import Hall
from sandtable.battle.observation import Observed, wire
from sandtable.kernel.dice import DiceKey
from sandtable.kernel.events import Draw
from sandtable.kernel.state import State
from tests.battle import mutants, twins
from tests.battle.kit import WATCHER, MemoryStore, hall
from tests.kit.toy import BLUE, RED, TOY

ROOM = Path(observation.__file__).parent


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    """The rules of these toys fail on purpose."""
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


@pytest.mark.parametrize("seat", [RED, BLUE, WATCHER])
@pytest.mark.parametrize("generator", twins.GENERATORS)
def test_twin_worlds_look_the_same(generator: str, seat: str) -> None:
    compared = twins.campaign(generator, seat, 12)
    assert min(compared) > 20
    assert sum(compared) > 500


@pytest.mark.parametrize("mutant", mutants.MUTANTS, ids=lambda mutant: mutant.__name__)
def test_a_seeded_leak_is_caught(mutant: mutants.Mutant, monkeypatch: pytest.MonkeyPatch) -> None:
    mutant(monkeypatch)
    with pytest.raises(twins.Leak):
        twins.campaign(*mutants.MUTANTS[mutant], 40)


def test_only_observed_values_have_bytes_to_send() -> None:
    state = TOY.setup(twins.HIDDEN, {}, DiceKey("x"))
    for secret in (state, Draw("TOY-2", 6, 3), DiceKey("seed"), {"a": 1}):  # type: ignore[arg-type]
        with pytest.raises(TypeError, match="may not leave"):
            wire(secret)  # type: ignore[arg-type]


def test_the_truth_is_not_shown_before_the_end() -> None:
    state = TOY.setup(twins.HIDDEN, {}, DiceKey("x"))
    with pytest.raises(ValueError, match="after the end"):
        observation.open_sight(TOY, state, 0)
    battle = hall(MemoryStore()).create("toy", "line", twins.SEATS)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="after the end"):
        observation.whole(battle._record(battle.ledger))


# the shape of the exit

INSIDE = {"ledger", "is_over", "order_from", "prepare", "prepare_undo", "settle", "failed", "doubt", "catch_up"}
"""What the authority, the store and the event loop use among themselves; none of it takes an answer to a player."""

QUESTIONS = {"view", "redact", "describe", "menu", "pieces", "order_text", "explain", "result", "known", "imagine"}
"""What a ruleset is asked to show something; only the exit asks."""


def kinds(annotation: Any) -> Iterator[Any]:
    arguments = typing.get_args(annotation)
    if arguments:
        for argument in arguments:
            yield from kinds(argument)
    elif annotation is not Ellipsis:
        yield annotation


def test_everything_a_battle_tells_is_an_observed_value() -> None:
    told = {
        name: set(kinds(typing.get_type_hints(method)["return"]))
        for name, method in vars(Battle).items()
        if callable(method) and not name.startswith("_") and name not in INSIDE
    }
    assert set(told) == {"view", "events", "menu", "preview", "export", "submit", "undo"}
    assert [name for name, found in told.items() if not all(issubclass(kind, Observed) for kind in found)] == []
    assert set(kinds(typing.get_type_hints(Hall.cards)["return"])) == {observation.Card}


def test_no_observed_value_has_room_for_the_truth() -> None:
    forbidden = {State, DiceKey, Draw}
    for kind in vars(observation).values():
        if isinstance(kind, type) and issubclass(kind, Observed):
            fields = typing.get_type_hints(kind).values()
            assert not forbidden & {found for field in fields for found in kinds(field)}, kind


def test_only_the_exit_asks_the_rules_what_can_be_seen() -> None:
    asked = [
        f"{path.name}:{node.lineno} {node.func.attr}"
        for path in sorted(ROOM.glob("*.py"))
        if path.name != "observation.py"
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in QUESTIONS
        and ast.unparse(node.func.value).endswith("ruleset")
    ]
    assert asked == []


def test_only_the_exit_makes_what_tells_of_the_table() -> None:
    makers = {"Sight", "Observation", "Seen", "Answer", "Log", "Whole", "Card", "Place", "Public", "Picture"}
    made = [
        f"{path.name}:{node.lineno} {node.func.id}"
        for path in sorted(ROOM.glob("*.py"))
        if path.name != "observation.py"
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in makers
    ]
    assert made == []
