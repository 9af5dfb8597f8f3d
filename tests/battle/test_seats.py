"""Who may do what: every kind of seat against every question and command; computer players; the shipped library."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from sandtable.battle import computers, snapshots
from sandtable.battle.authority import Battle, Denied
from sandtable.battle.battles import Battles
from sandtable.battle.library import ShippedLibrary
from sandtable.battle.seats import Kind, computer, friend, hot_seat, human, spectator
from sandtable.battle.storage.store import Store
from sandtable.kernel.dice import PromptDice
from sandtable.kernel.events import DiceKey
from sandtable.kernel.ruleset import Selection
from tests.battle.kit import battles
from tests.kit.toy import BLUE, RED, TOY, Bid, EndMoves


class Lots:
    """A computer player that plays anything lawful."""

    def choose(self, view: Any, decision: Any, budget: int, dice: PromptDice) -> Any:
        assert view.side == decision.side
        return TOY.options(view, decision).pick(dice)


class Hopeless:
    """A computer player whose orders are not lawful."""

    def choose(self, view: Any, decision: Any, budget: int, dice: PromptDice) -> Any:
        return Bid(99)


def lots(name: str, system: str) -> Any:
    assert (name, system) == ("random", "toy")
    return Lots()


# the matrix: what each kind of seat gets for each question and command, while the battle runs and after it

ASKED: dict[str, Callable[[Any, str], str]] = {
    "view": lambda battle, seat: "seen" if battle.view(seat) else "",
    "truth": lambda battle, seat: "seen" if _sees_all(battle, seat) else "hidden",
    "events": lambda battle, seat: "seen" if battle.events(seat) is not None else "",
    "menu": lambda battle, seat: "seen" if battle.menu(seat, Selection()).verbs else "empty",
    "preview": lambda battle, seat: "refused" if battle.preview(seat, Bid(1)).refusal else "seen",
    "export": lambda battle, seat: type(battle.export(seat)).__name__,
    "submit": lambda battle, seat: battle.submit(seat, Bid(9), _number(battle, seat), "x").refusal.rule,
    "undo": lambda battle, seat: battle.undo(seat, _number(battle, seat), "y").verdict,
}

MATRIX = {
    # kind of seat: view, truth, events, menu, preview, export, submit (the rule that refuses), undo
    ("human", "running"): ("seen", "hidden", "seen", "seen", "seen", "Log", "TOY-2", "refused"),
    ("hot-seat", "running"): ("seen", "hidden", "seen", "seen", "seen", "Log", "TOY-2", "refused"),
    ("friend", "running"): ("seen", "hidden", "seen", "seen", "seen", "Log", "TOY-2", "refused"),
    ("computer", "running"): ("seen", "hidden", "seen", "seen", "seen", "Log", "TOY-2", "refused"),
    ("spectator", "running"): ("seen", "hidden", "seen", "empty", "refused", "Log", "BATTLE", "refused"),
    ("stranger", "running"): ("denied",) * 6 + ("BATTLE", "refused"),
    ("human", "over"): ("seen", "hidden", "seen", "seen", "refused", "Whole", "KERNEL", "refused"),
    ("hot-seat", "over"): ("seen", "hidden", "seen", "seen", "refused", "Whole", "KERNEL", "refused"),
    ("friend", "over"): ("seen", "hidden", "seen", "seen", "refused", "Whole", "KERNEL", "refused"),
    ("computer", "over"): ("seen", "hidden", "seen", "seen", "refused", "Whole", "KERNEL", "refused"),
    ("spectator", "over"): ("seen", "seen", "seen", "empty", "refused", "Whole", "BATTLE", "refused"),
    ("stranger", "over"): ("denied",) * 6 + ("BATTLE", "refused"),
}

SEATINGS = {
    "human": (human(RED), human(BLUE)),
    "hot-seat": (hot_seat(RED), hot_seat(BLUE)),
    "friend": (friend(RED), human(BLUE)),
    "computer": (computer(RED, "random"), human(BLUE)),
    "spectator": (human(RED), human(BLUE), spectator("asker")),
    "stranger": (human(RED), human(BLUE)),
}


def _sees_all(battle: Battle, seat: str) -> bool:
    return len(battle.view(seat).pieces) == len(battle.ledger.state.position.units)


def _number(battle: Battle, seat: str) -> int:
    return battle.view(seat).number if seat in battle.seats else 0


@pytest.mark.parametrize(("kind", "status"), MATRIX)
def test_each_kind_of_seat_may_do_what_the_matrix_says(kind: str, status: str, store: Store) -> None:
    battle = battles(store).create("toy", "line", SEATINGS[kind], {"turns": 1}, "matrix")
    seat = {"spectator": "asker", "stranger": "nobody"}.get(kind, RED)
    if status == "over":
        for side in (RED, BLUE):
            battle.submit(side, Bid(1), battle.view(side).number, "bid")
        for _ in range(2):
            side = battle.rules.ruleset.decisions(battle.ledger.state)[0].side
            battle.submit(side, EndMoves(), battle.view(side).number, "end")
        assert battle.is_over
    found = []
    for ask in ASKED.values():
        try:
            found.append(ask(battle, seat))
        except Denied:
            found.append("denied")
    assert tuple(found) == MATRIX[kind, status]


def test_the_matrix_covers_every_kind_of_seat() -> None:
    assert {kind for kind, _ in MATRIX} == {kind.value for kind in Kind} | {"stranger"}


@pytest.mark.parametrize("name", ["red", "watcher"])
def test_a_seat_of_one_battle_opens_no_other(name: str, store: Store) -> None:
    one = battles(store)
    seats = (human(RED), human(BLUE), spectator("watcher"))
    here, there = one.create("toy", "line", seats), one.create("toy", "line", seats)
    token = one.invite(here.id, name)
    assert one.join(token) == [(here.id, name)]
    assert all(battle != there.id for battle, _ in one.join(token))


# computer players


def test_computers_play_until_a_person_must_decide(store: Store) -> None:
    battle = battles(store).create("toy", "line", (human(RED), computer(BLUE, "random")), seed="computers")
    answers = computers.play(battle, 50, lots)
    assert [answer.verdict for answer in answers] == ["accepted"]
    assert computers.waiting(battle, lots) is None


def test_computers_play_a_battle_to_its_end(store: Store) -> None:
    battle = battles(store).create("toy", "line", (computer(RED, "random"), computer(BLUE, "random")), seed="computers")
    answers = computers.play(battle, 500, lots)
    assert battle.is_over
    assert all(answer.verdict == "accepted" for answer in answers)
    assert len(answers) == battle.ledger.entries - 1


def test_a_computer_that_was_interrupted_decides_the_same_again(store: Store, sqlite_url: str) -> None:
    seats = (computer(RED, "random"), computer(BLUE, "random"))
    battle = battles(store).create("toy", "line", seats, seed="computers")
    computers.play(battle, 7, lots)
    thought = computers.waiting(battle, lots)
    again = computers.waiting(battles(store).open(battle.id), lots)
    assert thought is not None
    assert again is not None
    assert (again.order(), again.command) == (thought.order(), thought.command)
    first = battle.submit(thought.seat.name, thought.order(), thought.number, thought.command)
    assert battle.submit(again.seat.name, again.order(), again.number, again.command) == first


def test_a_computer_whose_order_is_refused_is_not_asked_forever(store: Store) -> None:
    battle = battles(store).create("toy", "line", (computer(RED, "random"), human(BLUE)))
    answers = computers.play(battle, 50, lambda name, system: Hopeless())
    assert [answer.verdict for answer in answers] == ["refused"]


# the shipped library


def test_a_shipped_scenario_is_found_once() -> None:
    library = ShippedLibrary()
    table = library.find("panzer_leader", "pl-first-platoon")
    assert library.find("panzer_leader", "pl-first-platoon") is table
    assert table.ruleset.info.key == "panzer_leader"


@pytest.mark.parametrize(
    ("system", "scenario"),
    [("chess", "pl-first-platoon"), ("panzer_leader", "nowhere"), ("panzer_leader", "../secrets"), ("toy", "")],
)
def test_what_is_not_shipped_is_not_found(system: str, scenario: str) -> None:
    with pytest.raises(LookupError):
        ShippedLibrary().find(system, scenario)


def test_a_shipped_scenario_is_played_from_the_store(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snapshots, "SNAPSHOT_EVERY", 20)
    one = Battles(store, ShippedLibrary())
    table = ShippedLibrary().find("panzer_leader", "pl-first-platoon")
    sides = table.ruleset.sides(table.ruleset.setup(table.scenario, {}, DiceKey("x")))
    battle = one.create("panzer_leader", "pl-first-platoon", tuple(computer(side, "random") for side in sides))
    answers = computers.play(battle, 25)
    assert [answer.verdict for answer in answers] == ["accepted"] * 25
    store.writer.put(lambda connection: None).result()  # the snapshot was put before
    snapshot = store.snapshot(battle.id, 20)
    assert snapshot is not None
    assert snapshots.from_snapshot(battle.rules, snapshot) is not None
    one.release(battle.id)
    again = one.open(battle.id)
    assert again is not battle
    for side in sides:
        assert again.view(side) == battle.view(side)
        assert again.events(side) == battle.events(side)
