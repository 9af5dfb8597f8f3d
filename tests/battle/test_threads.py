"""Questions are answered in other threads than orders, and every answer is what it would be alone."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from threading import Thread
from typing import Any

import pytest

from sandtable.battle.authority import Battle
from sandtable.battle.library import ShippedLibrary
from sandtable.battle.memory import open_battle
from sandtable.battle.observed import wire
from sandtable.battle.seats import human
from sandtable.geometry import reach
from sandtable.kernel import codec
from sandtable.kernel.dice import PromptDice
from sandtable.kernel.ids import SideId
from sandtable.kernel.ruleset import Selection

SIDES = (SideId("allied"), SideId("german"))
ASKERS = 3
ORDERS = 60

compiled = pytest.mark.skipif(
    not str(reach.__file__).endswith((".so", ".pyd")),
    reason="interpreted, the map kernels are asked by one thread alone",
)


@pytest.fixture
def restless() -> Iterator[None]:
    """Threads take turns as often as they can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def opened(scenario: str) -> Battle:
    table = ShippedLibrary().find("panzer_leader", scenario)
    return open_battle(table, tuple(human(side) for side in SIDES), {"fog": True}, "threads")


def questions(battle: Battle, side: SideId) -> list[Callable[[], Any]]:
    """What somebody may ask about his table, each as something that answers with the number it was asked at."""
    units = tuple(piece.id for piece in battle.table(side).pieces if piece.side == side)[:4]
    asked: list[Callable[[], Any]] = [lambda: battle.menu(side, Selection(units=units))]
    asked += [lambda: battle.table(side), lambda: battle.ready(side), lambda: battle.field(side, ())]
    asked += [lambda unit=unit: battle.unit(side, unit) for unit in units]  # type: ignore[misc]
    return asked


def played(battle: Battle) -> None:
    """A battle in which lots decide what is ordered."""
    dice = PromptDice("threads")
    for count in range(ORDERS):
        decisions = battle.rules.ruleset.decisions(battle.ledger.state)
        if not decisions:
            return
        side, ruleset = decisions[0].side, battle.rules.ruleset
        order = ruleset.options(battle.knowledge(side), decisions[0]).pick(dice)
        assert battle.submit(side, order, battle.standpoint(side).number, f"c{count}").verdict == "accepted"


@compiled
@pytest.mark.usefixtures("restless")
@pytest.mark.parametrize("scenario", ["pl-first-platoon", "pl-ridge"])
def test_asking_while_orders_are_given_disturbs_neither(scenario: str, monkeypatch: pytest.MonkeyPatch) -> None:
    blamed: list[Exception] = []
    monkeypatch.setattr(Battle, "_blame", lambda self, what, error: blamed.append(error))
    alone, together = opened(scenario), opened(scenario)
    played(alone)
    is_over = False

    def ask() -> None:
        try:
            while not is_over:
                for side in SIDES:
                    for question in questions(together, side):
                        question()
        except Exception as error:
            blamed.append(error)

    threads = [Thread(target=ask) for _ in range(ASKERS)]
    for thread in threads:
        thread.start()
    try:
        played(together)
    finally:
        is_over = True
        for thread in threads:
            thread.join()
    assert blamed == []
    assert codec.digest(together.ledger.state) == codec.digest(alone.ledger.state)
    for side in SIDES:
        assert together.standpoint(side) == alone.standpoint(side)
        told = [[wire(question()) for question in questions(battle, side)] for battle in (alone, together)]
        assert told[0] == told[1]
