"""Looking back at what memory no longer holds: the same lines, tables and answers as if it had held everything."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable import registry
from sandtable.battle import history, ledger, snapshots
from sandtable.battle.authority import Battle
from sandtable.battle.battles import Battles
from sandtable.battle.memory import MemoryStore, nobody, open_battle, open_record
from sandtable.battle.observed import LogLine, wire
from sandtable.battle.seats import computer, human, spectator
from sandtable.battle.snapshots import is_worth_keeping, snapshot_of
from sandtable.content import load_shipped
from sandtable.kernel import codec, replay
from sandtable.kernel.engine import begin
from sandtable.kernel.ids import HexId, UnitId
from tests.battle.kit import SEATS, WATCHER, Shelf, battles, order_by_lot, play_by_lot
from tests.battle.toys import Melee
from tests.kit.toy import BLUE, LINE, RED, SIDES, TOY, Bid, Move


@pytest.fixture
def forgetful(monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory holds next to nothing."""
    monkeypatch.setattr(ledger, "TAIL", 4)
    monkeypatch.setattr(history, "LEAD", 3)
    monkeypatch.setattr(history, "PAGE", 5)
    monkeypatch.setattr(snapshots, "SNAPSHOT_EVERY", 6)
    monkeypatch.setattr(snapshots, "NEIGHBORS", 2)


def long_battle(seed: str = "history", turns: int = 20) -> Battle:
    """A battle of many orders, some of them taken back."""
    battle = battles(MemoryStore(), Shelf(Melee())).create("toy", "line", SEATS, {"turns": turns}, seed)
    for number in range(150):
        if order_by_lot(battle, number) is None:
            break
        for side in SIDES:
            if number % 7 == 3 and battle.situation(side).can_undo:
                battle.undo(side, battle.ledger.number(side), f"back {number}")
    return battle


def all_lines(battle: Battle, seat: str) -> list[LogLine]:
    return [line for seen in battle.events(seat) for line in seen.lines]


@pytest.mark.usefixtures("forgetful")
def test_what_was_noticed_is_found_again_when_memory_has_let_it_go(monkeypatch: pytest.MonkeyPatch) -> None:
    forgetful = long_battle()
    monkeypatch.undo()
    remembering = long_battle()
    assert len(forgetful.ledger.tail.logs[RED]) == 4 < len(remembering.ledger.tail.logs[RED])
    for seat in (RED, BLUE, WATCHER):
        for since in (0, 3, 20, forgetful.standpoint(seat).number - 2):
            assert forgetful.events(seat, since) == remembering.events(seat, since)
        assert all_lines(forgetful, seat) == all_lines(remembering, seat)


@pytest.mark.usefixtures("forgetful")
@pytest.mark.parametrize("seat", [RED, WATCHER])
def test_every_page_of_the_log_is_a_part_of_the_whole(seat: str) -> None:
    battle = long_battle()
    lines = all_lines(battle, seat)
    assert len(lines) > 30
    for before in range(1, len(lines) + 3, 3):
        part = battle.log(seat, before, 7)
        last = min(before, len(lines) + 1) - 1
        assert part.first == max(1, last - 6)
        assert [*part.lines] == lines[part.first - 1 : last]
    assert [*battle.log(seat).lines] == lines[-200:]
    recent = battle.recent_log(seat)
    assert 0 < len(recent.lines) < 30
    assert [*recent.lines] == lines[recent.first - 1 :]


@pytest.mark.usefixtures("forgetful")
def test_the_past_is_shown_as_it_was_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    battle = battles(MemoryStore()).create("toy", "line", SEATS, {"turns": 20}, "past")
    seen = {}
    for number in range(60):
        order_by_lot(battle, number)
        for side in SIDES:
            seen[side, battle.standpoint(side).number] = battle.table(side).pieces
    for (side, number), pieces in seen.items():
        past = battle.as_seen(side, number)
        assert (past.number, past.table.pieces) == (number, pieces)
    assert battle.as_seen(RED, 10**6).number == battle.standpoint(RED).number


@pytest.mark.usefixtures("forgetful")
def test_a_look_back_tells_the_very_steps_that_were_told_then() -> None:
    battle = long_battle()
    for side in SIDES:
        for seen in battle.events(side):
            assert battle.as_seen(side, seen.number).steps == seen.steps


def test_the_line_of_an_undo_names_what_was_taken_back() -> None:
    battle = long_battle()
    for side in SIDES:
        undos = [seen for seen in battle.events(side) if seen.undone]
        assert undos
        assert [line.undone for seen in undos for line in seen.lines] == [seen.undone for seen in undos]
        assert all(0 < seen.undone < seen.number for seen in undos)


@pytest.mark.usefixtures("forgetful")
def test_an_old_command_is_answered_from_the_store() -> None:
    battle = battles(MemoryStore()).create("toy", "line", SEATS, {"turns": 20}, "old")
    first = battle.submit(RED, Bid(2), 1, "once")
    number = battle.standpoint(BLUE).number
    assert battle.submit(BLUE, Bid(1), number, "once").verdict == "accepted"
    play_by_lot(battle, 40, 100)
    assert battle.ledger.tail.reply("red:once") is None
    held = [reply for reply in (*battle.ledger.tail.replies, *battle.ledger.tail.earlier) if reply != "red:once"]
    assert 2 <= len(held) <= 6
    assert all(battle.ledger.tail.reply(name) for name in held)
    assert wire(battle.submit(RED, Bid(2), 1, "once")) == wire(first)
    # on the present view the log itself refuses it a second entry
    assert wire(battle.submit(RED, Bid(2), battle.standpoint(RED).number, "once")) == wire(first)
    assert battle.submit(RED, Bid(3), 1, "once").verdict == "refused"


@pytest.mark.usefixtures("forgetful")
def test_an_old_undo_is_answered_from_the_store() -> None:
    battle = battles(MemoryStore()).create("toy", "line", SEATS, {"turns": 20}, "old")
    for side, bid in ((RED, Bid(3)), (BLUE, Bid(1))):
        battle.submit(side, bid, battle.standpoint(side).number, "bid")
    battle.submit(RED, Move(UnitId(3), HexId(4)), battle.standpoint(RED).number, "move")
    number = battle.standpoint(RED).number
    back = battle.undo(RED, number, "back")
    assert (back.verdict, back.number) == ("accepted", number + 1)
    play_by_lot(battle, 40, 100)
    assert wire(battle.undo(RED, number, "back")) == wire(back)


@pytest.mark.usefixtures("forgetful")
def test_a_battle_opened_again_goes_on_as_it_was() -> None:
    battle = long_battle()
    house = Battles(battle._store, Shelf(Melee()))
    again = house.open(battle.id)
    assert codec.encode(again.ledger.bare) == codec.encode(battle.ledger.bare)
    for seat in (RED, BLUE, WATCHER):
        assert wire(again.view(seat)) == wire(battle.view(seat))
        assert wire(again.log(seat)) == wire(battle.log(seat))
        assert again.events(seat) == battle.events(seat)


@pytest.mark.usefixtures("forgetful")
def test_the_truth_of_a_battle_that_is_over_is_looked_through_in_any_order() -> None:
    battle = long_battle("the end", turns=3)
    assert battle.is_over
    record = battle.record()
    assert replay.verify(Melee(), LINE, record).holds
    states = [*replay.states(Melee(), LINE, record)]
    for number in (5, 0, len(states) - 1, 7, 6):
        past = battle.as_it_was(RED, number)
        truth = states[number].position.units
        assert {piece.id: piece.hex for piece in past.table.pieces} == {unit.id: unit.cell for unit in truth}
        # and the steps lead there from the table before
        pieces = {piece.id: piece for piece in battle.as_it_was(RED, number - 1).table.pieces} if number else {}
        for step in past.steps:
            pieces |= {piece.id: piece for piece in step.changed}
            for id in step.gone:
                del pieces[id]
        assert not number or {*pieces.values()} == {*past.table.pieces}
        cut = battle.cut(number)
        assert cut is not None
        assert replay.verify(Melee(), LINE, cut).holds
    assert battle.cut(len(states)) is None


def test_the_older_snapshots_are_the_fewer_are_kept() -> None:
    kept: list[int] = []
    every = snapshots.SNAPSHOT_EVERY
    for entries in range(every, 20_001, every):
        kept = [number for number in [*kept, entries] if is_worth_keeping(number, entries)]
        # whatever is asked for, a snapshot is not farther before it than it is in the past
        gaps = [b - a for a, b in zip([0, *kept], kept, strict=False)]
        assert all(gap <= max(2 * every, entries - number) for gap, number in zip(gaps, kept, strict=False))
    assert len(kept) < 50
    assert kept[-9:] == [*range(20_000 - 8 * every, 20_001, every)]


@pytest.mark.usefixtures("forgetful")
def test_stored_snapshots_are_thinned_as_the_log_grows() -> None:
    battle = long_battle()
    entries = battle.ledger.entries - battle.ledger.entries % 6
    wanted = [number for number in range(6, entries + 1, 6) if is_worth_keeping(number, entries)]
    assert battle._store.snapshot_numbers(battle.id) == wanted
    assert len(wanted) < entries // 6


def test_a_snapshot_is_as_large_late_as_early() -> None:
    battle = long_battle()
    early = len(snapshot_of(battles(MemoryStore()).create("toy", "line", SEATS, {"turns": 20}).ledger).body)
    assert len(snapshot_of(battle.ledger).body) < early + 4_000


# without a database


def test_what_a_snapshot_writes_field_by_field_are_the_canonical_bytes() -> None:
    battle = registry.ruleset("panzer_battles")
    state = begin(battle, load_shipped("pb-rudnya", registry.vocabulary("panzer_battles")), {}, "seed").state
    assert state.position.owners, "a mapping by number"
    for value in (state, state.position, state.flow, [HexId(1)]):
        assert bytes(snapshots.written(value)) == codec.encode(value)


def test_a_battle_is_opened_in_memory() -> None:
    scenario = Shelf().find("toy", "line")
    battle = open_battle(scenario, (human(RED), human(BLUE), spectator(WATCHER)), {"turns": 2}, "seed")
    play_by_lot(battle)
    assert battle.is_over
    assert replay.verify(TOY, LINE, battle.record()).holds


def test_a_record_is_played_on_in_memory() -> None:
    scenario = Shelf().find("toy", "line")
    battle = open_battle(scenario, (human(RED), human(BLUE)), {"turns": 4}, "seed")
    play_by_lot(battle, 12)
    again = open_record(scenario, battle.record(), (human(RED), human(BLUE)))
    assert codec.encode(again.ledger.state) == codec.encode(battle.ledger.state)
    assert again.view(RED).pieces == battle.view(RED).pieces
    play_by_lot(again, start=100)
    assert replay.verify(TOY, LINE, again.record()).holds


def test_a_game_that_tells_nobody_is_the_same_game() -> None:
    scenario = Shelf().find("toy", "line")
    seats = (computer(RED, "random"), computer(BLUE, "random"))
    told = open_battle(scenario, seats, {"turns": 4}, "seed")
    quiet = open_battle(scenario, seats, {"turns": 4}, "seed", nobody)
    for battle in (told, quiet):
        play_by_lot(battle)
        assert battle.is_over
    assert codec.encode(quiet.record()) == codec.encode(told.record())
    assert quiet.events(RED) == ()
    assert not quiet.view(RED).can_undo
    assert wire(quiet.table(RED)) == wire(told.table(RED))


def test_a_store_in_memory_keeps_seats_tokens_and_refuses_what_a_database_refuses() -> None:
    store: Any = MemoryStore()
    house = battles(store)
    battle = house.create("toy", "line", (human(RED), human(BLUE)))
    token = house.invite(battle.id, RED)
    assert house.join(token) == [(battle.id, RED)]
    house.leave(battle.id, RED)
    assert house.join(token) == []
    assert [seat.name for seat in house.cards()[0].seats] == ["blue", "red"]
    assert store.token_set(battle.id, ("nobody",), "x").exception() is not None
    assert store.token_set("nothing", (RED,), "x").exception() is not None
    watching = house.watch(battle.id, WATCHER)
    assert house.join(watching) == [(battle.id, WATCHER)]
    house.delete(battle.id)
    assert (store.charter(battle.id), store.rows(battle.id), store.head(battle.id)) == (None, [], (0, ""))
    assert (store.entry_of(battle.id, "x"), store.snapshot_numbers(battle.id), store.seats(battle.id)) == (None, [], ())
    assert store.snapshot(battle.id, 1) is None
    assert store.keep(battle.id, snapshot_of(battle.ledger), ()).exception() is None
    assert battle.submit(RED, Bid(1), battle.standpoint(RED).number, "gone").verdict == "unavailable"
    store.close()
