"""Nothing leaves a battle that its viewer may not know: twin worlds over every exit, and seeded leaks to be caught."""

from __future__ import annotations

import ast
import logging
import os
import typing
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from sandtable.battle import observation, observed
from sandtable.battle.asking import Asking
from sandtable.battle.authority import Battle
from sandtable.battle.battles import Battles
from sandtable.battle.chatting import Chatting
from sandtable.battle.observation import EXITS
from sandtable.battle.observed import Observed, wire
from sandtable.kernel.events import DiceKey, Draw
from sandtable.kernel.state import State
from tests.battle import mutants, probing, twins
from tests.battle.kit import SEATS, WATCHER, MemoryStore, battles
from tests.kit.toy import BLUE, RED, TOY

ROOM = Path(observation.__file__).parent
SERVER = ROOM.parent / "server"
PAIRS = 12 if os.environ.get("SANDTABLE_THOROUGH") == "1" else 4
"""How many twin worlds are made in each way for each viewer."""


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    """The rules of these toys fail on purpose."""
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


@pytest.mark.parametrize("seat", [RED, BLUE, WATCHER])
@pytest.mark.parametrize("generator", twins.GENERATORS)
def test_twin_worlds_look_the_same(generator: str, seat: str) -> None:
    compared = twins.campaign(generator, seat, PAIRS)
    assert min(compared) > 20
    assert sum(compared) > 40 * PAIRS


@pytest.mark.parametrize("mutant", mutants.MUTANTS, ids=lambda mutant: mutant.__name__)
def test_a_seeded_leak_is_caught(mutant: mutants.Mutant, monkeypatch: pytest.MonkeyPatch) -> None:
    mutant(monkeypatch)
    with pytest.raises(twins.Leak):
        twins.campaign(*mutants.MUTANTS[mutant], 40)


@pytest.mark.rule("PL-1104", "PL-1506", "PL-1507", "PL-1601")
@pytest.mark.parametrize("oracle", probing.ORACLES, ids=lambda oracle: oracle.__name__)
def test_nobody_scouts_for_nothing(oracle: Callable[[], int]) -> None:
    assert oracle() > 1


@pytest.mark.parametrize("mutant", mutants.SCOUTS, ids=lambda mutant: mutant.__name__)
def test_a_free_scout_is_caught(mutant: mutants.Mutant, monkeypatch: pytest.MonkeyPatch) -> None:
    mutant(monkeypatch)
    with pytest.raises(twins.Leak):
        mutants.SCOUTS[mutant]()


def test_only_observed_values_have_bytes_to_send() -> None:
    state = TOY.setup(twins.HIDDEN, {}, DiceKey("x"))
    for secret in (state, Draw("TOY-2", 6, 3), DiceKey("seed"), {"a": 1}):  # type: ignore[arg-type]
        with pytest.raises(TypeError, match="may not leave"):
            wire(secret)  # type: ignore[arg-type]


def test_the_truth_is_not_shown_before_the_end() -> None:
    state = TOY.setup(twins.HIDDEN, {}, DiceKey("x"))
    with pytest.raises(ValueError, match="after the end"):
        observation.open_table(TOY, state)
    with pytest.raises(ValueError, match="after the end"):
        observation.as_it_was(TOY, None, observation.Change(state, state), (), 0, 0)
    battle = battles(MemoryStore()).create("toy", "line", SEATS)
    with pytest.raises(ValueError, match="after the end"):
        observation.whole(battle.record())


# the shape of the exit

INSIDE = {
    *("ledger", "sides", "is_over", "order_from", "record", "cut", "cut_as_seen"),
    *("ordering", "undoing", "catch_up", "say"),
}
"""What the authority, the store and the event loop use among themselves; none of it takes an answer to a player."""

INSIDE_HALL = {
    *(
        "create",
        "import_record",
        "adopt",
        "open",
        "resume",
        "release",
        "delete",
        "invite",
        "take",
        "saved",
        "leave",
        "join",
    ),
    "watch",
}
"""Of the battles: battles for the server's own use, and tokens."""

QUESTIONS = {
    *("view", "redact", "describe", "menu", "pieces", "order_text", "explain", "result", "known", "imagine"),
    *("sight", "seen", "watchers", "threats", "standing", "hex_facts"),
    *("ready", "card", "tree", "queries", "query", "reports", "report", "why_not"),
}
"""What a ruleset is asked to show something; only the exit asks."""

WORKER = "jobs.py"
"""Runs in a process of its own, which is given a belief and has nothing else to ask the rules about."""


def kinds(annotation: Any) -> Iterator[Any]:
    arguments = typing.get_args(annotation)
    if arguments:
        for argument in arguments:
            yield from kinds(argument)
    elif annotation is not Ellipsis:
        yield annotation


def public_methods(kind: type) -> set[str]:
    return {name for name in vars(kind) if not name.startswith("_")}


def test_whatever_a_battle_or_a_battles_can_be_asked_is_an_exit_or_stays_inside() -> None:
    asked = {f"Battle.{name}" for name in public_methods(Battle) - INSIDE}
    # a battle answers these on the view that `Battle.knowledge` gives out
    asked |= {f"Asking.{name}" for name in public_methods(Asking) - {"rules", "knowledge"}}
    asked |= {f"Chatting.{name}" for name in public_methods(Chatting) - INSIDE}
    asked |= {f"Battles.{name}" for name in public_methods(Battles) - INSIDE_HALL}
    assert asked == {*EXITS}


def test_twin_worlds_go_through_every_exit() -> None:
    assert set(twins.PROBED) == set(EXITS)


def test_an_exit_that_twin_worlds_do_not_know_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """The control of the list: a new way out without a probe stops the campaign at its first comparison."""
    monkeypatch.setitem(EXITS, "Battle.gossip", lambda battle, seat: battle.ledger)
    with pytest.raises(KeyError, match="gossip"):
        twins.campaign("positions", RED, 1)


def test_everything_a_battle_tells_is_an_observed_value() -> None:
    told = {name: set(kinds(typing.get_type_hints(method)["return"])) for name, method in EXITS.items()}
    # a computer player in this process is given its view, which has no bytes to send
    assert told.pop("Battle.knowledge") == {Any}
    allowed = (Observed, type(None))
    assert [name for name, found in told.items() if not all(issubclass(kind, allowed) for kind in found)] == []


def test_no_observed_value_has_session_for_the_truth() -> None:
    forbidden = {State, DiceKey, Draw}
    for kind in vars(observed).values():
        if isinstance(kind, type) and issubclass(kind, Observed):
            fields = typing.get_type_hints(kind).values()
            assert not forbidden & {found for field in fields for found in kinds(field)}, kind


def modules(*but: str) -> Iterator[tuple[str, ast.Module]]:
    """The modules of the battle and of the server, except those named."""
    for session in (ROOM, SERVER):
        for path in sorted(session.rglob("*.py")):
            if path.name not in but:
                name = path.relative_to(ROOM.parent).as_posix()
                yield name, ast.parse(path.read_text(encoding="utf-8"))


def test_only_the_exit_asks_the_rules_what_can_be_seen() -> None:
    asked = [
        f"{name}:{node.lineno} {node.func.attr}"
        for name, module in modules("observation.py", "undo.py", WORKER)
        for node in ast.walk(module)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in QUESTIONS
        and ast.unparse(node.func.value).endswith("ruleset")
    ]
    assert asked == []


def test_only_the_exit_makes_what_tells_of_the_table() -> None:
    # an empty menu and the odds that a spectator is refused tell nothing of the table
    assert sorted(made_outside()) == [
        "battle/authority.py Menu",
        "battle/authority.py Menu",
        "battle/authority.py Preview",
        "battle/authority.py Preview",
    ]


def made_outside() -> Iterator[str]:
    """Every observed value that is made by another module than the exit."""
    for name, module in modules("observation.py"):
        imported = {
            alias.asname or alias.name
            for node in ast.walk(module)
            if isinstance(node, ast.ImportFrom) and node.module == "sandtable.battle.observed"
            for alias in node.names
            if isinstance(kind := getattr(observed, alias.name), type) and issubclass(kind, Observed)
        }
        for node in ast.walk(module):
            if isinstance(node, ast.Call):
                called = ast.unparse(node.func)
                if called in imported or called in {f"observed.{kind}" for kind in OBSERVED}:
                    yield f"{name} {called}"


OBSERVED = {name for name, kind in vars(observed).items() if isinstance(kind, type) and issubclass(kind, Observed)}

TRUTH = {"ledger", "_ledger", "knowledge", "_undoing", "_history"}


def test_the_server_never_touches_the_truth() -> None:
    """Not the ledger, not a state, not a view: whatever it knows of a battle it was told by an exit."""
    touched = [
        f"{name}:{node.lineno} {ast.unparse(node)}"
        for name, module in modules(WORKER)
        if name.startswith("server/")
        for node in ast.walk(module)
        if (isinstance(node, ast.Attribute) and node.attr in TRUTH)
        or (isinstance(node, ast.ImportFrom) and node.module == "sandtable.battle.ledger")
    ]
    assert touched == []
