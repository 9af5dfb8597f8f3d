"""Twin worlds over the socket: two battles that differ in what a side can't know give it the same bytes."""

from __future__ import annotations

import asyncio
import copy
import json
from collections.abc import Iterator
from typing import Any, get_args

import msgspec
import pytest

from sandtable.battle import seats
from sandtable.battle.authority import Battle
from sandtable.battle.battles import Battles
from sandtable.battle.library import ShippedLibrary
from sandtable.battle.seats import Seat
from sandtable.battle.storage.store import open_store
from sandtable.battle.undo import Undoing
from sandtable.kernel.dice import PromptDice
from sandtable.kernel.ids import SideId
from sandtable.server import messages as m
from sandtable.server.limits import Budgets
from sandtable.server.play.connections import SocketConnection
from sandtable.server.play.sessions import BattleSession, new_queues
from sandtable.server.workers.pool import WorkerPool
from tests.kit import panzer_leader

SIDES = (SideId("allied"), SideId("german"))
WRONG_ORDERS: tuple[dict[str, Any], ...] = (
    {"order": "EndPhase", "more": 1},
    {"order": "MoveUnit", "unit": 0, "path": [55]},
    {"order": "DirectFire", "firers": [0], "hex": 60, "targets": [5]},
    {"order": "DirectFire", "firers": [5], "hex": 60, "targets": [0, 1]},
    {"order": "Nothing"},
)


class Ear(SocketConnection):
    """A connection whose messages are kept instead of sent."""

    def __init__(self, session: BattleSession, seat: Seat) -> None:
        super().__init__(session, (seat,), seat)
        self.heard: list[bytes] = []

    def send(self, data: bytes) -> None:
        self.heard.append(data)

    async def answers(self, frames: list[str]) -> list[bytes]:
        """Everything the server says to these frames, one after the other."""
        self.greet(m.Hello(m.PROTOCOL))
        asker = asyncio.create_task(self.answer_questions())
        for frame in frames:
            said = len(self.heard)
            self._messages.spend(-1)
            for payer in self._payers:
                payer.messages.spend(-1)
                payer.orders.spend(-1)
                payer.work.spend(-1)
            await self.hear(frame)
            while len(self.heard) == said:
                await asyncio.sleep(0)
        asker.cancel()
        await self.close()
        return self.heard


def frames(battle: Battle, side: SideId, dice: PromptDice) -> list[str]:
    """What a curious client asks: menus, odds, lines of sight, hexes, orders that can't be."""
    view = battle.rules.ruleset.view(battle.ledger.state, side)
    places = battle.rules.scenario.board.hexes
    number = battle.ledger.number(side)
    asked: list[dict[str, Any]] = [{"type": "Ping", "ask": 1}, {"type": "AskSeen", "ask": 2}]
    own = [piece.id for piece in battle.rules.ruleset.pieces(view) if piece.side == side]
    units = [own[dice.below(len(own))] for _ in range(3)] if own else []
    asked += [{"type": "AskMenu", "ask": 3, "selection": {"units": [unit]}} for unit in units]
    asked += [{"type": "AskMenu", "ask": 3, "selection": {}}, {"type": "AskSeen", "ask": 4, "units": units}]
    asked += [{"type": kind, "ask": 12} for kind in ("AskReady", "AskTree", "AskQueries", "AskReports")]
    ruleset, known = battle.rules.ruleset, range(len(battle.ledger.state.position.units))
    asked += [{"type": "AskCard", "ask": 13, "unit": unit} for unit in (*known, 10**6)]
    keys = [query.key for query in ruleset.queries(view)]
    asked += [{"type": "AskQuery", "ask": 14, "key": key} for key in (*keys, "the truth")]
    kinds = [report.kind for report in ruleset.reports(view)]
    asked += [{"type": "AskReport", "ask": 15, "kind": kind} for kind in (*kinds, "the truth")]
    for verb in ("move", "fire", "assault", "overrun", "mission", "nothing"):
        here, there = (places[dice.below(len(places))] for _ in range(2))
        points: list[dict[str, Any]] = [{"hex": here}, {"hex": there, "units": [dice.below(len(known))]}]
        asked += [
            {"type": "AskWhyNot", "ask": 16, "verb": verb, "selection": {"units": units[:1]}, "target": point}
            for point in points
        ]
        asked.append({"type": "AskMenu", "ask": 17, "selection": {"units": units[:1], "hex": here, "via": [there]}})
    for _ in range(8):
        a, b = (places[dice.below(len(places))] for _ in range(2))
        asked += [{"type": "AskHex", "ask": 5, "hex": a}, {"type": "AskSight", "ask": 6, "a": a, "b": b}]
    options = [order for decision in view.decisions for order in battle.rules.ruleset.options(view, decision)]
    for _ in range(min(5, len(options))):
        order = msgspec.to_builtins(options[dice.below(len(options))])
        asked.append({"type": "AskPreview", "ask": 7, "order": order})
    for order in WRONG_ORDERS:
        asked.append({"type": "AskPreview", "ask": 8, "order": order})
        asked.append({"type": "Submit", "command": "wrong", "based_on": number - 1, "order": order})
    asked.append({"type": "Submit", "command": "nothing", "based_on": number, "order": {"order": "Nothing"}})
    asked.append({"type": "Undo", "command": "back", "based_on": number - 1})
    for sequence in (1, 1 + dice.below(number), number):
        asked.append({"type": "AskReplay", "ask": 9, "sequence": sequence})
    asked.append({"type": "AskReplay", "ask": 10, "sequence": 1, "full": True})
    asked += [{"type": "AskLog", "ask": 11, "before": before, "most": 7} for before in (0, 1 + dice.below(number))]
    # what is said is kept once for both worlds: they differ in nothing when there is nothing to say
    asked += [{"type": "Say", "ask": 17, "to": to, "text": " "} for to in ("all", "side", "enemy")]
    asked += [{"type": "AskChat", "ask": 18, "to": to} for to in ("all", "side", "enemy")]
    asked += [{"type": "TakeSeat", "side": "other"}, {"type": "Hello", "protocol": m.PROTOCOL}]
    return [json.dumps(one) for one in asked]


def twins(battle: Battle, side: SideId, number: int) -> Iterator[Battle]:
    """The same battle with other truths that look alike to the side."""
    state = battle.ledger.state
    for other in panzer_leader.twins(state, side, PromptDice(f"twin of {side}", number)):
        if other != state:
            twin = copy.copy(battle)
            known = battle.rules.known(other, battle.ledger.state.known.positions)
            twin._ledger = msgspec.structs.replace(battle.ledger, state=known)
            twin._undoing, twin._situations = Undoing(battle.rules), {}
            yield twin


def overheard(battle: Battle, battles: Battles, workers: WorkerPool, side: SideId, asked: list[str]) -> list[bytes]:
    async def listen() -> list[bytes]:
        session = BattleSession(battle, battles, workers, workers, new_queues(Budgets()), "")
        return await Ear(session, battle.seats[side]).answers(asked)

    return asyncio.run(listen())


def test_a_curious_client_says_everything_that_has_an_answer(tmp_path: Any) -> None:
    """A new word of the protocol must be said in twin worlds too."""
    store = open_store(str(tmp_path / "battles.sqlite"))
    battle = Battles(store, ShippedLibrary()).create("panzer_leader", "pl-meeting", tuple(map(seats.human, SIDES)))
    said = {json.loads(frame)["type"] for frame in frames(battle, SIDES[0], PromptDice("words"))}
    store.close()
    assert said == {word.__name__ for word in get_args(m.ClientMessage)} - {m.CancelThinking.__name__}


@pytest.mark.parametrize(
    "scenario",
    ["pl-meeting", *(pytest.param(one, marks=pytest.mark.thorough) for one in ("pl-crossroads", "pl-bluff"))],
)
def test_twin_worlds_sound_the_same_over_the_socket(scenario: str, tmp_path: Any) -> None:
    store = open_store(str(tmp_path / "battles.sqlite"))
    workers = WorkerPool(1, 1.0)
    battles = Battles(store, ShippedLibrary())
    options = {"fog": True, "opportunity_fire": True}
    battle = battles.create("panzer_leader", scenario, tuple(map(seats.human, SIDES)), options, "twins")
    for side in SIDES:
        for to in ("all", "side"):
            battle.say(side, to, f"{side} to {to}").result()
    ruleset, compared = battle.rules.ruleset, 0
    for number in range(120):
        state = battle.ledger.state
        decision = ruleset.decisions(state)[0]
        if number % 12 == 5:
            for side in SIDES:
                asked = frames(battle, side, PromptDice(f"questions of {side}", number))
                here = overheard(battle, battles, workers, side, asked)
                for twin in twins(battle, side, number):
                    there = overheard(twin, battles, workers, side, asked)
                    assert len(here) == len(there)
                    for a, b in zip(here, there, strict=True):
                        assert a == b
                    compared += 1
        order = ruleset.options(ruleset.view(state, decision.side), decision).pick(PromptDice("lots", number))
        answer = battle.submit(decision.side, order, battle.ledger.number(decision.side), f"order {number}")
        assert answer.verdict == "accepted"
    store.close()
    assert compared >= 10


def test_the_comparison_notices_a_leak(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The control: a server that counts the true pieces is caught."""
    plain = BattleSession.number
    monkeypatch.setattr(
        BattleSession,
        "number",
        lambda self, seat: plain(self, seat) + sum(unit.hex for unit in self.battle.ledger.state.position.units),
    )
    with pytest.raises(AssertionError):
        test_twin_worlds_sound_the_same_over_the_socket("pl-meeting", tmp_path)
