"""One battle: who may order, what a repeated or a late command gets, what can be taken back, what is given out."""

from __future__ import annotations

import sqlite3
from typing import Any

import msgspec
import pytest
from sqlalchemy import event

from sandtable import registry
from sandtable.battle import history, snapshots, undo
from sandtable.battle.authority import Battle, Denied
from sandtable.battle.battles import Battles, BattlesError
from sandtable.battle.ledger import Ledger, LedgerError, absorb, blank, fold
from sandtable.battle.library import ShippedLibrary
from sandtable.battle.observation import AUTHORITY
from sandtable.battle.observed import CommandAnswer, Log, Sight, Whole, wire
from sandtable.battle.seats import Kind, Seat, computer, hot_seat, human, spectator
from sandtable.battle.snapshots import from_snapshot, snapshot_of
from sandtable.battle.storage.rows import Conflict, StoredEntry, StoreError, link
from sandtable.battle.storage.store import Store
from sandtable.kernel import codec, engine, replay
from sandtable.kernel.dice import PromptDice
from sandtable.kernel.ids import HexId, SideId, UnitId
from sandtable.kernel.ruleset import Selection
from sandtable.rulesets.panzer_leader.orders import EndPhase, WriteMission
from tests.battle.kit import (
    SEATS,
    WATCHER,
    MemoryStore,
    Shelf,
    battles,
    lot,
    new_battle,
    order_by_lot,
    play_by_lot,
    reopened,
)
from tests.battle.test_store import administered
from tests.battle.toys import FAULTY, Brittle, Melee
from tests.kit.toy import (
    BLUE,
    LINE,
    RED,
    SIDES,
    TOY,
    Appeared,
    Bid,
    EndMoves,
    Move,
    Moves,
    Plan,
    Shoot,
    Toy,
    Watch,
    Watched,
)


def give(battle: Battle, side: str, order: Any, command: str = "") -> CommandAnswer:
    """An order on the present view."""
    command = command or f"c{battle.ledger.entries}"
    return battle.submit(side, order, battle.view(side).number, command)


def bids(battle: Battle, red: int = 3, blue: int = 1) -> Battle:
    """Both sides have bid: red leads."""
    assert give(battle, RED, Bid(red)).verdict == "accepted"
    assert give(battle, BLUE, Bid(blue)).verdict == "accepted"
    return battle


def commands(store: Store, battle: Battle) -> list[str]:
    return [row.command for row in store.rows(battle.id)][1:]


def known_in(sight: Sight) -> tuple[Any, ...]:
    """The position and the sequence of play in a view, without the numbers that count what was noticed."""
    return sight.position, sight.flow, sight.pieces, sight.decisions, sight.turn


def known(battle: Battle, seat: str) -> tuple[Any, ...]:
    return known_in(battle.view(seat))


def same(here: Ledger, there: Ledger) -> bool:
    """Whether two ledgers would go on alike; how much of the log they hold in memory does not matter."""
    return codec.encode(here.bare) == codec.encode(there.bare)


def reason(answer: CommandAnswer) -> str:
    assert answer.refusal is not None
    return answer.refusal.reason


# orders


def test_an_order_on_the_present_view_is_carried_out(store: Store) -> None:
    battle = new_battle(store)
    answer = give(battle, RED, Bid(2))
    assert (answer.verdict, answer.number) == ("accepted", 2)
    (seen,) = battle.events(RED, 1)
    assert (seen.order, seen.mine) == ("bid 2", True)
    assert [line.text for line in seen.lines] == ["BidMade: side red, amount 2"]


def test_an_order_on_an_older_view_is_refused_with_the_present_number(store: Store) -> None:
    battle = bids(new_battle(store))
    answer = battle.submit(RED, Watch(UnitId(1)), 1, "late")
    assert (answer.verdict, answer.number) == ("stale", battle.view(RED).number)
    assert commands(store, battle) == ["red:c1", "blue:c2"]


def test_the_same_command_gets_the_same_answer_and_one_entry(url: str, stores: Any) -> None:
    store = stores(url)
    battle = new_battle(store)
    first = battle.submit(RED, Bid(2), 1, "once")
    give(battle, BLUE, Bid(1))
    assert wire(battle.submit(RED, Bid(2), 1, "once")) == wire(first)
    again_store, again = reopened(battle, url)
    assert wire(again.submit(RED, Bid(2), 1, "once")) == wire(first)
    assert commands(again_store, battle).count("red:once") == 1
    again_store.close()


def test_a_command_used_for_another_order_is_refused(store: Store) -> None:
    battle = new_battle(store)
    battle.submit(RED, Bid(2), 1, "once")
    answer = battle.submit(RED, Bid(3), 2, "once")
    assert answer.verdict == "refused"
    assert "another order" in reason(answer)


def test_the_commands_of_another_seat_are_nobodys_business(store: Store) -> None:
    battle = new_battle(store)
    battle.submit(RED, Bid(2), 1, "mine")
    assert battle.submit(BLUE, Bid(2), 2, "mine").verdict == "accepted"


@pytest.mark.parametrize("command", ["", "x" * 65, "line\nbreak"])
def test_a_command_has_a_short_printable_name(command: str, store: Store) -> None:
    assert "printable" in reason(new_battle(store).submit(RED, Bid(2), 1, command))


@pytest.mark.parametrize("seat", [WATCHER, "nobody"])
def test_a_seat_without_a_side_gives_no_orders(seat: str, store: Store) -> None:
    battle = new_battle(store)
    for answer in (battle.submit(seat, Bid(1), 0, "c"), battle.undo(seat, 0, "d")):
        assert answer.verdict == "refused"
        assert answer.refusal is not None
        assert answer.refusal.rule == AUTHORITY
    assert store.head(battle.id)[0] == 1


def test_a_seat_orders_for_its_own_side_only(store: Store) -> None:
    battle = bids(new_battle(store))
    answer = give(battle, BLUE, Watch(UnitId(1)))
    assert answer.verdict == "refused"
    answer = give(battle, RED, Move(UnitId(5), HexId(8)))
    assert "no unit of yours" in reason(answer)


def test_an_unlawful_order_is_refused_with_its_rule(store: Store) -> None:
    answer = give(new_battle(store), RED, Bid(9))
    assert answer.refusal is not None
    assert (answer.verdict, answer.refusal.rule) == ("refused", "TOY-2")


def test_an_order_the_enemy_gives_unseen_makes_nothing_stale(store: Store) -> None:
    battle = bids(new_battle(store))
    give(battle, RED, EndMoves())
    number = battle.view(RED).number
    before = wire(battle.view(RED))
    assert give(battle, BLUE, Watch(UnitId(4))).verdict == "accepted"
    assert battle.view(RED).number == number
    assert wire(battle.view(RED)) == before
    assert battle.events(RED, number) == ()


def test_a_failure_of_the_rules_tells_nothing_and_changes_nothing(store: Store) -> None:
    shelf = Shelf(Brittle())
    battle = bids(battles(store, shelf).create("toy", "line", SEATS))
    answer = give(battle, RED, Watch(FAULTY))
    assert (answer.verdict, reason(answer)) == (
        "refused",
        "the rules could not carry out this order; nothing was changed",
    )
    odds = battle.preview(RED, Watch(FAULTY))
    assert odds.refusal is not None
    assert "can't be told" in odds.refusal.reason
    assert battle.menu(RED, Selection(hex=HexId(5))).verbs == ()
    assert give(battle, RED, Move(UnitId(3), HexId(4))).verdict == "accepted"


class Tongue(Toy):
    """The toy with an event it has no sentence for."""

    def describe(self, event: Any, view: Any) -> str:
        if isinstance(event, Watched):
            raise KeyError("no such sentence")
        return super().describe(event, view)


def test_an_order_that_can_not_be_told_is_not_written(store: Store) -> None:
    """Otherwise its battle could never be opened again."""
    shelf = Shelf(Tongue())
    battle = bids(battles(store, shelf).create("toy", "line", SEATS))
    assert give(battle, RED, Watch(UnitId(1))).verdict == "refused"
    assert store.head(battle.id)[0] == 3
    assert battles(store, shelf).open(battle.id).view(RED) == battle.view(RED)


def test_a_snapshot_that_fails_does_not_hold_up_an_order(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(ledger: Any) -> None:
        raise RuntimeError("no snapshot")

    monkeypatch.setattr(snapshots, "SNAPSHOT_EVERY", 1)
    monkeypatch.setattr("sandtable.battle.authority.snapshot_of", fail)
    assert give(new_battle(store), RED, Bid(1)).verdict == "accepted"


def test_a_message_is_read_as_an_order_or_refused(store: Store) -> None:
    battle = new_battle(store)
    assert battle.order_from(b'{"order":"Bid","amount":2}') == Bid(2)
    with pytest.raises(codec.CodecError):
        battle.order_from(b'{"order":"Bid"}')


def test_rules_of_another_version_show_a_battle_but_do_not_play_it(sqlite_url: str, store: Store) -> None:
    battle = bids(new_battle(store))

    class Newer(Toy):
        info = msgspec.structs.replace(TOY.info, rules_version="2")

    again_store, again = reopened(battle, sqlite_url, Shelf(Newer()))
    assert wire(again.view(RED)) == wire(battle.view(RED))
    answer = give(again, RED, Watch(UnitId(1)))
    assert (answer.verdict, reason(answer)) == (
        "refused",
        "the battle was begun under version 1 of the rules and this program has version 2: "
        "it can be looked at, but not played on",
    )
    again_store.close()


# looking


def test_a_menu_and_a_preview_are_those_of_the_view(store: Store) -> None:
    battle = bids(new_battle(store))
    verbs = {verb.key: verb for verb in battle.menu(RED, Selection((UnitId(3),))).verbs}
    assert [target.hex for target in verbs["move"].targets] == [4]
    odds = battle.preview(RED, Move(UnitId(3), HexId(4)))
    assert odds.forecast is not None
    assert [branch.result for branch in odds.forecast.branches] == ["no effect"]
    refused = battle.preview(RED, Move(UnitId(3), HexId(11)))
    assert refused.refusal is not None
    assert refused.refusal.rule == "TOY-3"


def test_nobody_looks_from_a_seat_that_is_not_there(store: Store) -> None:
    battle = new_battle(store)
    for ask in (
        lambda: battle.view("nobody"),
        lambda: battle.events("nobody"),
        lambda: battle.menu("nobody", Selection()),
        lambda: battle.preview("nobody", Bid(1)),
        lambda: battle.export("nobody"),
    ):
        with pytest.raises(Denied):
            ask()


def test_numbers_count_what_a_viewer_noticed_without_a_gap(store: Store) -> None:
    battle = new_battle(store, "numbers", turns=20)
    play_by_lot(battle)
    for seat in (RED, BLUE, WATCHER):
        numbers = [one.number for one in battle.events(seat)]
        assert numbers == list(range(1, len(numbers) + 1))
        assert battle.events(seat, 7) == battle.events(seat)[7:]
        assert battle.events(seat, -3) == battle.events(seat)
    for side in SIDES:
        assert battle.events(side)[-1].digest == battle.view(side).digest


def test_a_spectator_is_a_whole_turn_behind_and_sees_what_every_side_saw(store: Store) -> None:
    battle = new_battle(store, "spectators", turns=12)
    assert battle.view(WATCHER).pieces == ()
    number, pieces = 0, set()
    while order_by_lot(battle, number) is not None:
        number += 1
        if battle.is_over:
            break
        turn = battle.view(RED).turn
        assert all(one.turn + 1 < turn for one in battle.events(WATCHER))
        sight = battle.view(WATCHER)
        assert sight.turn + 1 < turn or sight.turn == 0
        assert (sight.position, sight.decisions) == (None, ())
        assert all("hidden" not in piece.states for piece in sight.pieces)
        pieces |= {piece.id for piece in sight.pieces}
    assert pieces, "the spectator never saw anything"
    assert any(one.turn == battle.view(RED).turn for one in battle.events(WATCHER)), "not all was told after the end"


def test_a_spectator_has_no_menu_and_no_preview(store: Store) -> None:
    battle = new_battle(store)
    assert battle.menu(WATCHER, Selection()).verbs == ()
    assert battle.preview(WATCHER, Bid(1)).refusal is not None


def test_after_the_end_a_spectator_sees_the_truth(store: Store) -> None:
    battle = new_battle(store, turns=1)
    play_by_lot(battle)
    sight = battle.view(WATCHER)
    assert sight.outcome is not None
    assert len(sight.pieces) == len(battle.ledger.state.position.units)


def test_spectators_wait_as_many_turns_as_the_host_wants(store: Store) -> None:
    battle = new_battle(store, "spectators", turns=12, delay=3)
    for number in range(40):
        order_by_lot(battle, number)
        assert all(one.turn + 3 < battle.view(RED).turn for one in battle.events(WATCHER))
    with pytest.raises(BattlesError, match="one whole turn"):
        new_battle(store, delay=0)


# undo


def test_an_undo_is_an_entry_and_the_order_is_gone(url: str, stores: Any) -> None:
    store = stores(url)
    battle = bids(new_battle(store))
    before = battle.view(RED)
    give(battle, RED, Move(UnitId(3), HexId(4)))
    assert battle.view(RED).can_undo
    answer = battle.undo(RED, battle.view(RED).number, "back")
    assert answer.verdict == "accepted"
    assert battle.events(RED, answer.number - 1)[0].undone == answer.number - 1
    assert known(battle, RED) == known_in(before)
    assert commands(store, battle)[-1] == "red:back"
    assert store.head(battle.id)[0] == 5
    assert [one.undone for one in battle.events(BLUE, battle.view(BLUE).number - 1)] == [battle.view(BLUE).number - 1]
    # the same command again: the same answer, one entry, also after a restart
    assert wire(battle.undo(RED, 4, "back")) == wire(answer)
    again_store, again = reopened(battle, url)
    assert wire(again.undo(RED, 4, "back")) == wire(answer)
    assert same(again.ledger, battle.ledger)
    again_store.close()


def test_orders_are_taken_back_one_after_the_other_also_after_a_restart(sqlite_url: str, store: Store) -> None:
    battle = bids(new_battle(store))
    before = battle.view(RED)
    give(battle, RED, Move(UnitId(3), HexId(4)))
    give(battle, RED, Watch(UnitId(1)))
    again_store, again = reopened(battle, sqlite_url)
    for command in ("one", "two"):
        assert again.undo(RED, again.view(RED).number, command).verdict == "accepted"
    assert known(again, RED) == known_in(before)
    answer = again.undo(RED, again.view(RED).number, "three")
    assert answer.verdict == "refused"
    again_store.close()


def test_an_order_that_drew_dice_stays(store: Store) -> None:
    battle = bids(new_battle(store, "ambush"))
    for unit, to in ((3, 4),):
        give(battle, RED, Move(UnitId(unit), HexId(to)))
    give(battle, RED, EndMoves())
    answer = battle.undo(RED, battle.view(RED).number, "back")
    assert answer.verdict == "refused"
    assert not battle.view(RED).can_undo
    assert reason(answer).startswith("your latest order can't be taken back")


def test_an_undo_asked_on_an_older_view_is_stale(store: Store) -> None:
    battle = bids(new_battle(store))
    give(battle, RED, Watch(UnitId(1)))
    assert battle.undo(RED, 1, "back").verdict == "stale"


def test_a_record_with_undone_orders_verifies(store: Store) -> None:
    battle = bids(new_battle(store, turns=1))
    give(battle, RED, Move(UnitId(3), HexId(4)))
    battle.undo(RED, battle.view(RED).number, "back")
    play_by_lot(battle, start=100)
    export = battle.export(RED)
    assert isinstance(export, Whole)
    assert replay.verify(TOY, LINE, export.record).holds
    assert len(export.record.entries) == battle.ledger.lines == battle.ledger.entries - 2


def test_an_enemy_order_nobody_noticed_does_not_stand_in_the_way_of_an_undo(store: Store) -> None:
    battle = bids(battles(store, Shelf(Melee())).create("toy", "line", SEATS))
    before = known(battle, RED)
    give(battle, RED, Move(UnitId(3), HexId(4)))
    give(battle, BLUE, Watch(UnitId(4)))
    blue = battle.events(BLUE)
    assert battle.view(RED).can_undo
    answer = battle.undo(RED, battle.view(RED).number, "back")
    assert answer.verdict == "accepted"
    assert known(battle, RED) == before
    unit = battle.ledger.state.position.unit(UnitId(4))
    assert unit is not None
    assert unit.watching, "the enemy's order still stands"
    assert battle.events(BLUE)[: len(blue)] == blue
    assert battle.events(BLUE)[len(blue) :][0].undone == blue[-2].number
    store_rows = store.rows(battle.id)
    assert codec.encode(_folded(battle, store_rows)) == codec.encode(battle.ledger)


def _folded(battle: Battle, rows: Any) -> Any:
    return fold(battle.rules, blank(battle.rules), rows)


def test_an_enemy_order_that_was_noticed_ends_the_undo(store: Store) -> None:
    battle = bids(battles(store, Shelf(Melee())).create("toy", "line", SEATS))
    give(battle, RED, Move(UnitId(3), HexId(4)))
    give(battle, BLUE, Move(UnitId(5), HexId(8)))
    assert not battle.view(RED).can_undo


@pytest.mark.parametrize("number", range(6))
def test_what_is_kept_up_is_what_the_whole_log_gives(number: int) -> None:
    """Undo and looking back remember as the log grows; after every order and undo they agree with a fresh start."""
    rules = (Melee(), TOY)[number % 2]
    store: Any = MemoryStore()
    battle = battles(store, Shelf(rules)).create("toy", "line", SEATS, {"turns": 20}, f"kept {number}")
    dice, offered, taken = PromptDice("kept up", number), 0, 0
    for step in range(60):
        if lot(battle, step) is None:
            break
        order_by_lot(battle, step)
        for side in SIDES:
            kept = battle._undoing.body(battle.ledger, side)
            assert codec.encode(kept) == codec.encode(undo.Undoing(battle.rules).body(battle.ledger, side))
            offered += kept is not None
            if kept is not None and dice.below(3) == 0:
                taken += 1
                assert battle.undo(side, battle.ledger.number(side), f"back {step} {side}").verdict == "accepted"
        fresh = fold(battle.rules, blank(battle.rules), store.rows(battle.id))
        assert codec.encode(fresh) == codec.encode(battle.ledger)
    assert offered > taken > 0


class NoScratch(Toy):
    """The toy, which never makes what a side knows from scratch once the battle has begun."""

    begun = False

    def known(self, position: Any, side: Any, before: Any = None) -> Any:
        assert not self.begun, "a view was made anew"
        return super().known(position, side)

    def discern(self, known: Any, before: Any, after: Any, side: Any) -> Any:
        # the toy itself compares with what would be known from scratch
        appeared = tuple(unit for unit in super().known(after, side).units if unit != known.unit(unit.id))
        return [Appeared(appeared)] if appeared else []


def test_a_view_is_what_its_side_was_told_and_never_made_anew() -> None:
    rules = NoScratch()
    battle = battles(MemoryStore(), Shelf(rules)).create("toy", "line", SEATS, {"turns": 20}, "looking")
    rules.begun, offered = True, 0
    for number in range(60):
        if order_by_lot(battle, number) is None:
            break
        offered += sum(battle.view(side).can_undo for side in SIDES)
        assert [battle.table(side).can_undo for side in SIDES] == [battle.view(side).can_undo for side in SIDES]
        battle.view(WATCHER)
    assert offered > 3


def test_a_hidden_order_that_needs_the_undone_one_keeps_it(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """The later order can't be carried out without the earlier, so neither is taken back."""
    battle = bids(battles(store, Shelf(Melee())).create("toy", "line", SEATS))
    give(battle, RED, Move(UnitId(3), HexId(4)))
    give(battle, BLUE, Watch(UnitId(4)))
    real = engine.submit
    monkeypatch.setattr(
        undo, "submit", lambda rules, state, side, order: real(rules, state, side, Shoot(UnitId(1), UnitId(99)))
    )
    assert not battle.view(RED).can_undo


class Patient(Toy):
    """The toy without bidding after the first turn: red alone moves, and ends one turn after the other."""

    def advance(self, resolution: Any) -> None:
        super().advance(resolution)
        if isinstance(resolution.top, Plan):
            resolution.goto(Moves(RED))


def test_an_order_that_ends_the_turn_stays(store: Store) -> None:
    battle = bids(battles(store, Shelf(Patient())).create("toy", "line", SEATS))
    give(battle, RED, EndMoves())
    give(battle, BLUE, EndMoves())
    assert battle.view(RED).turn == 2
    give(battle, RED, EndMoves())
    assert battle.view(RED).turn == 3
    assert not battle.view(RED).can_undo


# records


def test_while_a_battle_runs_a_seat_exports_its_own_account(store: Store) -> None:
    battle = new_battle(store, "a very secret seed")
    play_by_lot(battle, 12)
    for seat in (RED, BLUE, WATCHER):
        export = battle.export(seat)
        assert isinstance(export, Log)
        assert export.observations == battle.events(seat)
        assert export.header.seed is None
        assert b"a very secret seed" not in wire(export)


def test_after_the_end_everybody_exports_the_full_record(store: Store) -> None:
    battle = new_battle(store, turns=2)
    play_by_lot(battle)
    for seat in (RED, BLUE, WATCHER):
        export = battle.export(seat)
        assert isinstance(export, Whole)
        assert replay.verify(TOY, LINE, replay.read(replay.write(export.record))).holds


def test_a_record_is_played_on_where_it_ends(store: Store, sqlite_url: str) -> None:
    battle = new_battle(store, turns=4)
    play_by_lot(battle, 20)
    record = battle.record()
    copy = battles(store).import_record(record, SEATS)
    assert codec.encode(copy.ledger.state) == codec.encode(battle.ledger.state)
    play_by_lot(copy, start=100)
    assert copy.is_over
    export = copy.export(RED)
    assert isinstance(export, Whole)
    assert replay.verify(TOY, LINE, export.record).holds
    assert {card.id: card.dice for card in battles(store).cards()} == {battle.id: "sealed", copy.id: "open"}
    again_store, again = reopened(copy, sqlite_url)
    assert same(again.ledger, copy.ledger)
    again_store.close()


def test_a_record_that_does_not_hold_is_refused(store: Store) -> None:
    battle = new_battle(store)
    play_by_lot(battle, 10)
    record = battle.record()
    wrong = [
        msgspec.structs.replace(record, digest="x"),
        msgspec.structs.replace(record, header=msgspec.structs.replace(record.header, seed=None)),
        msgspec.structs.replace(record, header=msgspec.structs.replace(record.header, scenario_digest="x")),
        msgspec.structs.replace(record, header=msgspec.structs.replace(record.header, system="chess")),
    ]
    for one in wrong:
        with pytest.raises(BattlesError):
            battles(store).import_record(one, SEATS)


# the battles


def test_a_restart_resumes_every_battle(url: str, stores: Any) -> None:
    store = stores(url)
    first, second = new_battle(store, "one", turns=20), new_battle(store, "two", turns=20)
    play_by_lot(first, 60)
    play_by_lot(second, 7)
    again = battles(stores(url))
    assert again.resume() == {}
    for battle in (first, second):
        assert same(again.open(battle.id).ledger, battle.ledger)


def test_a_damaged_battle_does_not_stop_the_others(store: Store, sqlite_url: str) -> None:
    good, bad = new_battle(store), new_battle(store)
    over = new_battle(store, turns=1)
    play_by_lot(over)
    administered(sqlite_url, f"UPDATE entry SET at = 0 WHERE battle = '{bad.id}'")
    again = battles(store)
    assert list(again.resume()) == [bad.id]
    assert again.open(good.id).view(RED).number == 1


def test_dropping_the_snapshots_changes_nothing(url: str, stores: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snapshots, "SNAPSHOT_EVERY", 7)
    monkeypatch.setattr(history, "LEAD", 3)
    store = stores(url)
    battle = new_battle(store, "snapshots", turns=20)
    play_by_lot(battle, 40)
    store.writer.put(lambda connection: None).result()  # the snapshot was put before
    assert store.snapshot_numbers(battle.id) == [7, 14, 21, 28, 35]
    with_snapshots = reopened_ledger(battle, url)
    administered(url, "DELETE FROM snapshot")
    for again in (with_snapshots, reopened_ledger(battle, url)):
        assert same(again, battle.ledger)
        assert again.tail.logs[RED] == battle.ledger.tail.logs[RED][-len(again.tail.logs[RED]) :]
    assert 0 < len(with_snapshots.tail.logs[RED]) < len(battle.ledger.tail.logs[RED])


def reopened_ledger(battle: Battle, url: str) -> Any:
    store, again = reopened(battle, url)
    store.close()
    return again.ledger


def test_a_snapshot_of_another_past_is_not_used(store: Store, sqlite_url: str) -> None:
    battle, other = new_battle(store, "one"), new_battle(store, "two")
    play_by_lot(battle, 10)
    play_by_lot(other, 8)
    store.keep(battle.id, snapshot_of(other.ledger), ()).result()
    assert same(reopened_ledger(battle, sqlite_url), battle.ledger)


def test_a_snapshot_that_can_not_be_read_is_not_used(store: Store) -> None:
    battle = new_battle(store)
    snapshot = snapshot_of(battle.ledger)
    restored = from_snapshot(battle.rules, snapshot)
    assert restored is not None
    assert same(restored, battle.ledger)
    assert from_snapshot(battle.rules, msgspec.structs.replace(snapshot, body="{}")) is None


def test_an_entry_out_of_order_is_noticed(store: Store) -> None:
    battle = new_battle(store)
    play_by_lot(battle, 3)
    row = store.rows(battle.id)[1]
    with pytest.raises(LedgerError, match="missing"):
        absorb(battle.rules, battle.ledger, row)


def test_an_entry_that_says_nothing_readable_is_named(store: Store) -> None:
    """Its chain is right, so somebody with the program's own means wrote it."""
    battle = new_battle(store)
    previous, entries = battle.ledger.chain, battle.ledger.entries
    row = StoredEntry(battle.id, entries, "red", "red:x", 0, "{}", link(previous, entries, "red", "red:x", 0, "{}"))
    with pytest.raises(LedgerError, match="entry 1 can't be read"):
        fold(battle.rules, battle.ledger, [row])


def test_a_battle_is_deleted(store: Store) -> None:
    one = battles(store)
    battle = one.create("toy", "line", SEATS)
    one.release(battle.id)
    one.open(battle.id)
    one.delete(battle.id)
    assert one.cards() == ()
    with pytest.raises(BattlesError, match="no such battle"):
        one.open(battle.id)
    assert give(battle, RED, Bid(1)).verdict == "unavailable"


@pytest.mark.parametrize(
    "seats",
    [
        (human(RED),),
        (human(RED), human(RED)),
        (human(RED), human(BLUE), human(BLUE)),
        (human(RED), Seat("blue", Kind.SPECTATOR, BLUE)),
        (human(RED), human(BLUE), Seat("third", Kind.HUMAN)),
        (human(RED), human(BLUE), spectator("a:b")),
        (human(RED), human(BLUE), spectator("")),
    ],
)
def test_each_side_has_one_seat(seats: tuple[Seat, ...], store: Store) -> None:
    with pytest.raises(BattlesError):
        battles(store).create("toy", "line", seats)


def test_wrong_options_and_unknown_scenarios_are_refused(store: Store) -> None:
    with pytest.raises(BattlesError, match="1 to 20 turns"):
        battles(store).create("toy", "line", SEATS, {"turns": 99})
    for system, scenario in (("chess", "line"), ("toy", "nowhere")):
        with pytest.raises(BattlesError, match="no scenario"):
            battles(store).create(system, scenario, SEATS)


def test_a_battle_of_a_changed_scenario_is_not_opened(store: Store) -> None:
    battle = new_battle(store)

    class Changed(Shelf):
        def find(self, system: str, scenario: str) -> Any:
            return super().find(system, scenario)._replace(digest="other")

    with pytest.raises(BattlesError, match="was changed or removed after the battle began"):
        battles(store, Changed()).open(battle.id)


def test_tokens_open_seats_until_they_are_replaced(store: Store) -> None:
    one = battles(store)
    battle = one.create("toy", "line", (hot_seat(RED), hot_seat(BLUE)))
    both = one.invite(battle.id, RED, BLUE)
    assert sorted(one.join(both)) == [(battle.id, BLUE), (battle.id, RED)]
    fresh = one.invite(battle.id, RED)
    assert one.join(both) == [(battle.id, BLUE)]
    one.leave(battle.id, RED)
    assert one.join(fresh) == []
    assert one.join("guess") == []


def test_a_spectator_joins_a_running_battle(store: Store) -> None:
    one = battles(store)
    battle = one.create("toy", "line", (human(RED), computer(BLUE, "random")))
    token = one.watch(battle.id, "connection")
    assert one.join(token) == [(battle.id, "connection")]
    assert battle.view("connection").pieces == ()
    assert [seat.name for seat in one.cards()[0].seats] == ["blue", "connection", "red"]
    with pytest.raises(BattlesError, match="name of his own"):
        one.watch(battle.id, "red")


# several processes, and stores that fail


def test_two_processes_play_one_battle(url: str, stores: Any) -> None:
    here = new_battle(stores(url), "shared", turns=20)
    elsewhere, there = reopened(here, url)
    for number in range(40):
        # each in turn, without looking first: the log tells them what the other did
        battle = (here, there)[number % 2]
        battle.catch_up()
        assert order_by_lot(battle, number) is not None
    here.catch_up()
    assert same(here.ledger, there.ledger)
    elsewhere.close()


def test_an_order_that_meets_another_process_is_judged_anew(url: str, stores: Any) -> None:
    here = bids(new_battle(stores(url)))
    give(here, RED, EndMoves())
    elsewhere, there = reopened(here, url)
    # unseen by blue's other process, blue has watched; the second order fits in behind it
    assert give(here, BLUE, Watch(UnitId(4))).verdict == "accepted"
    late = there.submit(BLUE, Watch(UnitId(6)), there.view(BLUE).number, "late")
    assert late.verdict == "stale", "blue itself has noticed its own order"
    assert there.submit(BLUE, Watch(UnitId(6)), there.view(BLUE).number, "again").verdict == "accepted"
    elsewhere.close()


def test_an_order_goes_in_behind_one_its_sender_could_not_notice(store: Store, sqlite_url: str) -> None:
    shelf = Shelf(Melee())
    here = bids(battles(store, shelf).create("toy", "line", SEATS))
    elsewhere, there = reopened(here, sqlite_url, shelf)
    assert give(here, BLUE, Watch(UnitId(4))).verdict == "accepted"
    answer = there.submit(RED, Watch(UnitId(1)), there.view(RED).number, "red's")
    assert answer.verdict == "accepted"
    assert there.ledger.entries == 5
    elsewhere.close()


def test_a_battle_whose_log_was_changed_takes_no_orders(store: Store, sqlite_url: str) -> None:
    here = bids(new_battle(store))
    elsewhere, there = reopened(here, sqlite_url)
    give(here, RED, Watch(UnitId(1)))
    administered(sqlite_url, "UPDATE entry SET at = 77 WHERE number = 3")
    answer = there.submit(RED, Watch(UnitId(1)), there.view(RED).number, "x")
    assert answer.verdict == "unavailable"
    assert "changed from outside" in reason(answer)
    elsewhere.close()


def test_an_order_that_always_meets_others_is_given_back(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    battle = new_battle(store)

    def lose(*_: Any) -> Any:
        return store.writer.put(_always_late)

    monkeypatch.setattr(store, "append", lose)
    answer = give(battle, RED, Bid(1))
    assert answer.verdict == "unavailable"
    assert store.trouble == ""


def _always_late(connection: Any) -> None:
    raise Conflict("too late")


def test_an_order_that_was_stored_without_an_answer_is_answered_when_asked_again(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The connection broke after the commit: the sender asks again with the same command and learns it was accepted."""
    battle = new_battle(store)
    real = store.append

    def broken(*arguments: Any) -> Any:
        real(*arguments).result()
        return store.writer.put(_away)

    monkeypatch.setattr(store, "append", broken)
    assert battle.submit(RED, Bid(2), 1, "once").verdict == "unavailable"
    monkeypatch.undo()
    assert battle.submit(RED, Bid(2), 1, "once").verdict == "accepted"
    assert commands(store, battle) == ["red:once"]


def _away(connection: Any) -> None:
    raise StoreError("the database is away")


def test_nothing_is_confirmed_from_a_log_on_a_failed_disk(store: Store) -> None:
    battle = new_battle(store)

    def fail(connection: Any) -> None:
        raise sqlite3.OperationalError("disk I/O error")

    event.listen(store._engine, "commit", fail)
    assert battle.submit(RED, Bid(2), 1, "once").verdict == "unavailable"
    event.remove(store._engine, "commit", fail)
    assert battle.submit(RED, Bid(2), 1, "once").verdict == "unavailable"
    assert battle.view(RED).number == 1


def test_lots_end_with_the_battle(store: Store) -> None:
    battle = new_battle(store, turns=1)
    play_by_lot(battle)
    assert lot(battle, 0) is None
    assert give(battle, RED, Bid(1)).verdict == "refused"


def test_what_is_written_down_tells_whether_it_can_be_struck_out_now() -> None:
    allied, german = SideId("allied"), SideId("german")
    seats = (human(allied), human(german))
    battle = Battles(MemoryStore(), ShippedLibrary()).create("panzer_leader", "pl-ridge", seats, {}, "notes")

    def stay(side: SideId = allied) -> list[bool]:
        return [plan.stays for plan in battle.table(side).plans]

    assert stay() == []
    view = battle.knowledge(allied)
    options = registry.ruleset("panzer_leader").options(view, view.decisions[0])
    give(battle, allied, next(order for order in options if isinstance(order, WriteMission)))
    assert stay() == [False]
    give(battle, allied, EndPhase())
    assert stay() == [True], "the batteries have the order"
    assert stay(german) == []
