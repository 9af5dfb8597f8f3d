"""The store: what it promises holds on SQLite and on PostgreSQL."""

from __future__ import annotations

import sqlite3
from concurrent.futures import Future
from pathlib import Path
from threading import Barrier, Thread
from typing import Any

import pytest
import sqlalchemy as sa
from sqlalchemy import event

from sandtable.battle.battles import BattlesError
from sandtable.battle.seats import human, token_hash
from sandtable.battle.storage import schema
from sandtable.battle.storage import store as stores_module
from sandtable.battle.storage.rows import (
    Charter,
    Conflict,
    ReadOnly,
    StoredEntry,
    StoredSnapshot,
    StoreError,
    Unavailable,
    link,
)
from sandtable.battle.storage.store import Store, open_store
from sandtable.battle.storage.writer import is_passing
from sandtable.kernel import codec
from tests.battle.kit import SEATS, battles, new_battle, play_by_lot, reopened
from tests.kit.toy import RED

BATTLE = "b" * 32


def charter(id: str = BATTLE) -> Charter:
    return Charter(id, "A title", "toy", "1", "{}", "sealed", 1, 7)


def row(number: int, previous: str, command: str = "", body: str = "{}") -> StoredEntry:
    command = command or f"red:{number}"
    return StoredEntry(
        BATTLE, number, "red", command, number, body, link(previous, number, "red", command, number, body)
    )


def started(store: Store) -> StoredEntry:
    first = row(0, "start")
    store.create(charter(), SEATS, (first,)).result()
    return first


def administered(url: str, *statements: str) -> None:
    """Somebody has changed the database behind the program's back."""
    engine = sa.create_engine(url)
    try:
        with engine.begin() as connection:
            for statement in statements:
                assert connection.exec_driver_sql(statement).rowcount != 0
    finally:
        engine.dispose()


# tables and settings


def test_a_new_database_gets_the_tables_of_this_version(url: str, stores: Any) -> None:
    store = stores(url)
    with store._readers.connect() as connection:
        assert schema.version(connection) == schema.HEAD


def test_migrating_gives_the_tables_the_program_expects(url: str, stores: Any) -> None:
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext

    store = stores(url)
    with store._engine.begin() as connection:
        assert compare_metadata(MigrationContext.configure(connection), schema.metadata) == []


def test_the_newest_migration_is_the_version_of_the_program() -> None:
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", str(schema.MIGRATIONS))
    assert ScriptDirectory.from_config(config).get_current_head() == schema.HEAD


def test_opening_again_changes_nothing(url: str, stores: Any) -> None:
    started(stores(url))
    assert [one.id for one in stores(url).charters()] == [BATTLE]


def test_a_database_of_the_first_version_keeps_its_battles_and_loses_its_snapshots(url: str, stores: Any) -> None:
    battle = new_battle(stores(url), "migrated")
    play_by_lot(battle, 10)
    administered(url, "DROP TABLE snapshot", "CREATE TABLE snapshot (battle VARCHAR(64) PRIMARY KEY, body TEXT)")
    administered(url, f"INSERT INTO snapshot VALUES ('{battle.id}', '{{}}')")
    administered(
        url, "DROP TABLE chat", "ALTER TABLE seat DROP COLUMN called", "ALTER TABLE battle DROP COLUMN content"
    )
    administered(url, "UPDATE alembic_version SET version_num = '0001'")
    again_store, again = reopened(battle, url)
    assert again_store.snapshot_numbers(battle.id) == []
    assert codec.encode(again.ledger.bare) == codec.encode(battle.ledger.bare)
    again_store.close()


def test_a_database_of_a_newer_version_is_refused(url: str, stores: Any) -> None:
    stores(url)
    administered(url, "UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(StoreError, match="9999"):
        open_store(url)


def test_a_migration_that_stops_short_is_refused(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schema, "HEAD", "9999")
    with pytest.raises(StoreError, match="not 9999"):
        open_store(sqlite_url)


@pytest.mark.parametrize("address", ["mysql://x/y", "nonsense://", "sqlite://", "://"])
def test_another_kind_of_database_is_refused(address: str) -> None:
    with pytest.raises(StoreError):
        open_store(address)


def test_a_driver_that_is_not_installed_is_named() -> None:
    with pytest.raises(StoreError, match="needs the package pg8000"):
        open_store("postgresql+pg8000://host/battles")


def test_an_address_without_a_driver_means_psycopg(postgresql: Any) -> None:
    open_store(postgresql.database().replace("+psycopg", "")).close()


def test_a_path_is_the_address_of_a_sqlite_file(tmp_path: Path) -> None:
    open_store(str(tmp_path / "plain.db")).close()
    assert (tmp_path / "plain.db").exists()


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "no.db"
    path.write_bytes(b"x" * 5000)
    with pytest.raises(StoreError, match="not a database"):
        open_store(str(path))


def test_a_database_that_forgets_commits_is_refused(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    real = stores_module._set_up_sqlite

    def careless(connection: Any, record: Any) -> None:
        real(connection, record)
        connection.execute("PRAGMA synchronous=NORMAL").close()

    monkeypatch.setattr(stores_module, "_set_up_sqlite", careless)
    with pytest.raises(StoreError, match="does not keep what it commits"):
        open_store(sqlite_url)


def test_readers_and_the_writer_sync_every_commit(store: Store) -> None:
    for engine in (store._engine, store._readers):
        with engine.connect() as connection:
            assert connection.execute(sa.text("PRAGMA synchronous")).scalar() == 2
            assert connection.execute(sa.text("PRAGMA journal_mode")).scalar() == "wal"


# appending


def test_an_entry_is_there_when_its_future_is_done(url: str, stores: Any) -> None:
    store = stores(url)
    first = started(store)
    second = row(1, first.chain)
    store.append(second, first.chain, "running").result()
    assert stores(url).rows(BATTLE) == [first, second]
    assert store.rows(BATTLE, 1) == [second]
    assert store.head(BATTLE) == (2, second.chain)


@pytest.mark.parametrize("number", [0, 2])
def test_an_entry_with_another_number_than_the_next_is_a_conflict(number: int, url: str, stores: Any) -> None:
    store = stores(url)
    first = started(store)
    with pytest.raises(Conflict):
        store.append(row(number, first.chain, "red:x"), first.chain, "running").result()
    assert store.rows(BATTLE) == [first]


def test_an_entry_that_follows_another_chain_is_a_conflict(url: str, stores: Any) -> None:
    store = stores(url)
    first = started(store)
    with pytest.raises(Conflict):
        store.append(row(1, "elsewhere"), "elsewhere", "running").result()
    assert store.rows(BATTLE) == [first]


def test_a_command_enters_a_log_once(url: str, stores: Any) -> None:
    store = stores(url)
    first = started(store)
    with pytest.raises(Conflict):
        store.append(row(1, first.chain, first.command), first.chain, "running").result()
    assert store.rows(BATTLE) == [first]
    assert store.head(BATTLE) == (1, first.chain)


def test_a_conflict_does_not_touch_its_neighbors_in_the_group(url: str, stores: Any) -> None:
    store = stores(url)
    first = started(store)
    second = row(1, first.chain)
    third = row(2, second.chain)
    gate, doors = Barrier(2), []
    store.writer.put(lambda connection: doors.append(gate.wait()))  # the writer waits until all three are queued
    futures = [
        store.append(second, first.chain, "running"),
        store.append(second, first.chain, "running"),
        store.append(third, second.chain, "over"),
    ]
    before = store.writer.transactions
    gate.wait()
    assert futures[2].result() is None
    assert isinstance(futures[1].exception(), Conflict)
    assert store.rows(BATTLE) == [first, second, third]
    assert store.writer.transactions - before <= 2
    assert store.charter(BATTLE) == charter_over()


def charter_over() -> Charter:
    return Charter(BATTLE, "A title", "toy", "1", "{}", "sealed", 1, 7, "over")


def test_a_battle_is_created_once(url: str, stores: Any) -> None:
    store = stores(url)
    started(store)
    assert isinstance(store.create(charter(), SEATS, (row(0, "start"),)).exception(), Conflict)
    assert store.trouble == ""


def test_deleting_takes_everything_that_belongs_to_a_battle(url: str, stores: Any) -> None:
    store = stores(url)
    first = started(store)
    store.keep(BATTLE, StoredSnapshot(1, first.chain, codec.digest("x"), "x"), ()).result()
    store.delete(BATTLE).result()
    assert (store.charters(), store.charter(BATTLE), store.rows(BATTLE)) == ([], None, [])
    assert (store.seats(BATTLE), store.snapshot(BATTLE, 1), store.head(BATTLE)) == ((), None, (0, ""))
    with pytest.raises(Conflict):
        store.append(row(1, first.chain), first.chain, "running").result()
    store.keep(BATTLE, StoredSnapshot(1, first.chain, codec.digest("x"), "x"), ()).result()
    assert store.snapshot(BATTLE, 1) is None


def test_a_snapshot_that_was_changed_is_not_used(url: str, stores: Any) -> None:
    store = stores(url)
    first = started(store)
    store.keep(BATTLE, StoredSnapshot(1, first.chain, codec.digest("x"), "x"), ()).result()
    assert store.snapshot(BATTLE, 1) is not None
    administered(url, "UPDATE snapshot SET body = 'y'")
    assert store.snapshot(BATTLE, 1) is None


def test_snapshots_stand_beside_each_other_until_they_are_outdated(url: str, stores: Any) -> None:
    store = stores(url)
    first = started(store)
    for number in (50, 100, 150):
        store.keep(BATTLE, StoredSnapshot(number, first.chain, codec.digest("x"), "x"), ()).result()
    assert store.snapshot_numbers(BATTLE) == [50, 100, 150]
    store.keep(BATTLE, StoredSnapshot(100, first.chain, codec.digest("y"), "y"), (50, 75)).result()
    assert store.snapshot_numbers(BATTLE) == [100, 150]
    assert store.snapshot(BATTLE, 100) == StoredSnapshot(100, first.chain, codec.digest("y"), "y")


def test_an_entry_is_found_by_its_command(url: str, stores: Any) -> None:
    store = stores(url)
    first = started(store)
    second = row(1, first.chain, "red:this one")
    store.append(second, first.chain, "running").result()
    assert store.entry_of(BATTLE, "red:this one") == second
    assert store.entry_of(BATTLE, "red:that one") is None
    assert store.rows(BATTLE, 0, 1) == [first]


def test_a_seat_answers_to_its_latest_token_alone(url: str, stores: Any) -> None:
    store = stores(url)
    started(store)
    store.token_set(BATTLE, ("red", "blue"), token_hash("one")).result()
    assert sorted(store.seats_of(token_hash("one"))) == [(BATTLE, "blue"), (BATTLE, "red")]
    store.token_set(BATTLE, ("red",), token_hash("two")).result()
    assert store.seats_of(token_hash("one")) == [(BATTLE, "blue")]
    store.token_set(BATTLE, ("red",), None).result()
    assert store.seats_of(token_hash("two")) == []
    with pytest.raises(StoreError, match="no such seat"):
        store.token_set(BATTLE, ("green",), "x").result()


def test_a_token_is_stored_as_its_hash(sqlite_url: str, stores: Any) -> None:
    store = stores(sqlite_url)
    battle = new_battle(store)
    token = battles(store).invite(battle.id, "red")
    store.close()
    path = Path(sa.make_url(sqlite_url).database or "")
    assert token.encode() not in path.read_bytes()
    assert token_hash(token).encode() in path.read_bytes()


def test_a_seat_is_added_once(url: str, stores: Any) -> None:
    store = stores(url)
    started(store)
    assert isinstance(store.seat_added(BATTLE, human(RED)).exception(), Conflict)


# tampering


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE entry SET body = replace(body, ',', ', ') WHERE number = 9",
        "UPDATE entry SET body = '{}' WHERE number = 9",
        "UPDATE entry SET seat = 'blue' WHERE number = 9",
        "UPDATE entry SET command = 'red:other' WHERE number = 9",
        "UPDATE entry SET at = at + 1 WHERE number = 9",
        "UPDATE entry SET chain = 'x' WHERE number = 9",
        "DELETE FROM entry WHERE number = 9",
        "DELETE FROM entry WHERE number > 20",
        "UPDATE battle SET entries = 20",
        "UPDATE battle SET header = replace(header, '\"turns\":20', '\"turns\":19')",
    ],
)
def test_a_changed_row_is_noticed(change: str, url: str, stores: Any) -> None:
    battle = new_battle(stores(url), "tampering", turns=20)
    play_by_lot(battle, 30)
    administered(url, change)
    with pytest.raises(BattlesError, match="can't be trusted"):
        battles(stores(url)).open(battle.id)


def test_a_log_nobody_changed_opens_as_it_was(url: str, stores: Any) -> None:
    battle = new_battle(stores(url), "tampering", turns=20)
    play_by_lot(battle, 30)
    again_store, again = reopened(battle, url)
    assert codec.encode(again.ledger.bare) == codec.encode(battle.ledger.bare)
    again_store.close()


# trouble


def test_a_full_disk_refuses_the_order_and_says_so(store: Store) -> None:
    battle = new_battle(store, turns=20)
    with store._engine.begin() as connection:
        pages = connection.execute(sa.text("PRAGMA page_count")).scalar()
        connection.execute(sa.text(f"PRAGMA max_page_count={pages}"))
    acknowledged, number, answer = [], 0, None
    while answer is None or answer.verdict == "accepted":
        order = battle.rules.ruleset.options(
            battle.rules.ruleset.view(battle.ledger.state, (side := _decider(battle)).side), side
        )
        answer = battle.submit(side.side, next(iter(order)), battle.ledger.number(side.side), f"c{number}")
        if answer.verdict == "accepted":
            acknowledged.append(f"{side.side}:c{number}")
        number += 1
    assert answer.verdict == "unavailable"
    assert answer.refusal is not None
    assert "no more orders" in answer.refusal.reason
    assert store.trouble
    assert [one.command for one in store.rows(battle.id)][1:] == acknowledged
    # looking goes on, and nothing is taken any more
    assert battle.view("red").number == battle.ledger.number(RED)
    assert isinstance(store.delete(battle.id).exception(), ReadOnly)


def _decider(battle: Any) -> Any:
    return battle.rules.ruleset.decisions(battle.ledger.state)[0]


class Saboteur:
    """Makes the nth statement or commit of the writer fail as a failing disk makes it fail."""

    def __init__(self, store: Store, nth: int) -> None:
        self.left = nth
        event.listen(store._engine, "before_cursor_execute", self)
        event.listen(store._engine, "commit", self)

    def __call__(self, *_: Any) -> None:
        self.left -= 1
        if self.left == 0:
            raise sqlite3.OperationalError("disk I/O error")


@pytest.mark.parametrize("nth", range(1, 31))
def test_no_failing_write_is_acknowledged(nth: int, tmp_path: Path) -> None:
    store = open_store(str(tmp_path / "battles.db"))
    battle = new_battle(store, turns=20)
    saboteur = Saboteur(store, nth)
    answers = []
    for number in range(10):
        decision = _decider(battle)
        order = next(
            iter(battle.rules.ruleset.options(battle.rules.ruleset.view(battle.ledger.state, decision.side), decision))
        )
        answers.append(battle.submit(decision.side, order, battle.ledger.number(decision.side), f"c{number}"))
    store.close()
    assert saboteur.left <= 0, "the disk never failed"
    verdicts = [answer.verdict for answer in answers]
    good = verdicts.count("accepted")
    assert verdicts == ["accepted"] * good + ["unavailable"] * (10 - good)
    assert good < 10
    # after a restart everything acknowledged is there, and the battle goes on
    again_store, again = reopened(battle, str(tmp_path / "battles.db"))
    assert {f"c{n}" for n in range(good)} <= {name.split(":")[1] for name in again.ledger.tail.replies}
    play_by_lot(again, 3, start=100)
    again_store.close()


def test_a_busy_database_refuses_for_now_only(sqlite_url: str, stores: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stores_module, "BUSY_SECONDS", 0)
    store = stores(sqlite_url)
    first = started(store)
    other = sqlite3.connect(sa.make_url(sqlite_url).database or "", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    second = row(1, first.chain)
    assert isinstance(store.append(second, first.chain, "running").exception(), Unavailable)
    other.execute("ROLLBACK")
    other.close()
    assert store.trouble == ""
    assert store.append(second, first.chain, "running").result() is None


def test_a_lost_connection_refuses_for_now_only(postgresql: Any, stores: Any) -> None:
    url = postgresql.database()
    store = stores(url)
    first = started(store)
    second = row(1, first.chain)
    name = sa.make_url(url).database

    def cut(connection: sa.Connection) -> None:
        killer = stores(url)
        with killer._readers.connect() as other:
            other.execute(
                sa.text(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                    "WHERE datname = :name AND pid <> pg_backend_pid()"
                ),
                {"name": name},
            )
        connection.execute(sa.text("SELECT 1"))

    assert isinstance(store.writer.put(cut).exception(), Unavailable)
    assert store.trouble == ""
    assert store.append(second, first.chain, "running").result() is None


def test_reading_that_fails_is_one_plain_error(sqlite_url: str, stores: Any) -> None:
    store = stores(sqlite_url)
    administered(sqlite_url, "DROP TABLE seat")
    with pytest.raises(Unavailable, match="could not be read"):
        store.seats(BATTLE)


def test_nothing_is_put_into_a_closed_store(tmp_path: Path) -> None:
    store = open_store(str(tmp_path / "battles.db"))
    store.close()
    store.close()
    assert isinstance(store.delete(BATTLE).exception(), ReadOnly)


def test_closing_writes_what_waits(tmp_path: Path) -> None:
    store = open_store(str(tmp_path / "battles.db"))
    previous = started(store)
    gate = Barrier(2)
    store.writer.put(lambda connection: gate.wait())
    futures: list[Future[None]] = []
    for number in range(1, 21):
        following = row(number, previous.chain)
        futures.append(store.append(following, previous.chain, "running"))
        previous = following
    closing = Thread(target=store.close)
    closing.start()
    gate.wait()
    closing.join()
    assert all(future.exception() is None for future in futures)
    again = open_store(str(tmp_path / "battles.db"))
    assert again.head(BATTLE)[0] == 21
    again.close()


def test_what_waits_behind_a_failed_write_is_refused(store: Store) -> None:
    first = started(store)
    gate = Barrier(2)

    def fail(connection: sa.Connection) -> None:
        gate.wait()
        raise OSError("no space left")

    futures: list[Future[Any]] = [store.writer.put(fail)]
    futures += [store.append(row(1, first.chain), first.chain, "running") for _ in range(40)]
    gate.wait()
    assert all(isinstance(future.exception(), ReadOnly) for future in futures)
    assert store.rows(BATTLE) == [first]


def test_errors_are_told_apart() -> None:
    busy = sqlite3.OperationalError("locked")
    busy.sqlite_errorname = "SQLITE_BUSY_SNAPSHOT"
    assert is_passing(busy)
    assert not is_passing(sqlite3.OperationalError("disk I/O error"))
    assert not is_passing(OSError("no space left"))

    class ServerError(Exception):
        sqlstate = "40001"

    assert is_passing(ServerError())
