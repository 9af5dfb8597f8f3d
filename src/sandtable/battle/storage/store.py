"""Where battles are kept: append-only logs in SQLite or PostgreSQL, one row for each order, bound by a hash chain."""

from __future__ import annotations

from concurrent.futures import Future
from typing import Any

import msgspec
from sqlalchemy import (
    BindParameter,
    Column,
    Connection,
    Engine,
    Insert,
    bindparam,
    create_engine,
    delete,
    event,
    func,
    insert,
    select,
    text,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError, SQLAlchemyError

from sandtable.battle.seats import Kind, Seat
from sandtable.battle.storage import schema
from sandtable.battle.storage.files import make_private
from sandtable.battle.storage.rows import (
    Charter,
    Conflict,
    StoredChat,
    StoredEntry,
    StoredSnapshot,
    StoreError,
    Unavailable,
)
from sandtable.battle.storage.writer import Writer
from sandtable.kernel import codec
from sandtable.kernel.ids import SideId

BUSY_SECONDS = 5


def open_store(url: str) -> Store:
    """The store at a database URL, or in the SQLite file of that path; its tables are those of this version."""
    try:
        address = make_url(url) if "://" in url else URL.create("sqlite", database=url)
        if address.drivername == "postgresql":
            address = address.set(drivername="postgresql+psycopg")
        if address.get_backend_name() not in ("sqlite", "postgresql") or not address.database:
            raise StoreError("battles are kept in a SQLite file or in a PostgreSQL database")
        return Store(address)
    except (ArgumentError, NoSuchModuleError):
        raise StoreError("that is no address of a database") from None
    except ModuleNotFoundError as error:
        raise StoreError(f"this kind of database needs the package {error.name}, which is not installed") from None
    except (schema.SchemaError, DBAPIError) as error:
        reason = error.orig if isinstance(error, DBAPIError) else error
        raise StoreError(f"the database can't be opened: {reason}") from error


class Store:
    """The logs of all battles. Writing goes through one thread; reading has connections of its own."""

    def __init__(self, address: URL) -> None:
        if address.get_backend_name() == "sqlite":
            make_private(address.database or "")
        self._engine = _writing_engine(address)
        self._readers = _reading_engine(address)
        try:
            with self._engine.begin() as connection:
                schema.upgrade(connection)
                _require_durable(connection)
        except BaseException:
            self._dispose()
            raise
        self.append_statement = _append_statement(self._engine.dialect.name)
        self.writer = Writer(self._engine)

    @property
    def trouble(self) -> str:
        """Why the store takes no orders, or nothing."""
        return self.writer.trouble

    def close(self) -> None:
        """Everything accepted is written, and the files are closed."""
        self.writer.close()
        self._dispose()

    def _dispose(self) -> None:
        self._engine.dispose()
        self._readers.dispose()

    # writing

    def create(
        self, charter: Charter, seats: tuple[Seat, ...], rows: tuple[StoredEntry, ...], content: str = ""
    ) -> Future[None]:
        """The battle will be kept with its seats, its first entries and the files of its scenario."""

        def work(connection: Connection) -> None:
            values = msgspec.structs.asdict(charter)
            last = rows[-1]
            values |= {"updated": last.at, "entries": len(rows), "chain": last.chain, "content": content}
            connection.execute(insert(schema.battle), values)
            connection.execute(insert(schema.entry), [msgspec.structs.asdict(row) for row in rows])
            connection.execute(insert(schema.seat), [_seat_values(charter.id, seat) for seat in seats])

        return self.writer.put(work)

    def append(self, row: StoredEntry, previous: str, status: str) -> Future[None]:
        """The entry will be the next of its battle, or the future holds a Conflict and nothing has changed."""

        values = {f"its_{name}": getattr(row, name) for name in row.__struct_fields__}
        values |= {"its_previous": previous, "its_status": status, "its_entries": row.number + 1}

        def work(connection: Connection) -> None:
            if connection.execute(self.append_statement, values).rowcount != 1:
                raise Conflict("somebody else was faster; look again and decide anew")
            connection.execute(_SEAL, values)

        return self.writer.put(work)

    def delete(self, battle: str) -> Future[None]:
        """The battle and all that belongs to it will be gone."""
        return self.writer.put(lambda connection: _forget(connection, battle))

    def keep(self, battle: str, snapshot: StoredSnapshot, outdated: tuple[int, ...]) -> Future[None]:
        """The snapshot will be kept with those of other numbers, except the outdated ones."""

        def work(connection: Connection) -> None:
            kept = schema.snapshot.c
            goes = kept.number.in_((*outdated, snapshot.number))
            connection.execute(delete(schema.snapshot).where(kept.battle == battle, goes))
            if connection.execute(select(schema.battle.c.id).where(schema.battle.c.id == battle)).first():
                values = {"battle": battle, **msgspec.structs.asdict(snapshot)}
                connection.execute(insert(schema.snapshot), values)

        return self.writer.put(work)

    def seat_added(self, battle: str, seat: Seat) -> Future[None]:
        """The seat will stand at the battle."""
        return self.writer.put(
            lambda connection: _only_effect(connection.execute(insert(schema.seat), _seat_values(battle, seat)))
        )

    def token_set(self, battle: str, names: tuple[str, ...], token: str | None) -> Future[None]:
        """Those seats will answer to the token with that hash and to no other; None for nobody's."""

        def work(connection: Connection) -> None:
            seat = schema.seat.c
            statement = update(schema.seat).where(seat.battle == battle, seat.name.in_(names)).values(token=token)
            if connection.execute(statement).rowcount != len(names):
                raise StoreError("there is no such seat")

        return self.writer.put(work)

    def seat_taken(self, battle: str, name: str, called: str, token: str) -> Future[None]:
        """That seat's player will be called so, and it will answer to the token with that hash and to no other."""

        def work(connection: Connection) -> None:
            seat = schema.seat.c
            statement = update(schema.seat).where(seat.battle == battle, seat.name == name)
            if connection.execute(statement.values(called=called, token=token)).rowcount != 1:
                raise StoreError("there is no such seat")

        return self.writer.put(work)

    def say(self, battle: str, said: StoredChat, most: int) -> Future[StoredChat]:
        """What was said will be kept under the next number of its audience, which keeps the latest so many; the number
        it is given with counts for nothing."""

        def work(connection: Connection) -> StoredChat:
            chat = schema.chat.c
            own = (chat.battle == battle, chat.audience == said.audience)
            last = connection.execute(select(func.max(chat.number)).where(*own)).scalar() or 0
            kept = msgspec.structs.replace(said, number=last + 1)
            connection.execute(insert(schema.chat), {"battle": battle, **msgspec.structs.asdict(kept)})
            connection.execute(delete(schema.chat).where(*own, chat.number <= kept.number - most))
            return kept

        return self.writer.put(work)

    # reading

    def _read(self, statement: Any) -> list[Any]:
        try:
            with self._readers.connect() as connection:
                return list(connection.execute(statement))
        except SQLAlchemyError as error:
            raise Unavailable("the database could not be read") from error

    def charters(self) -> list[Charter]:
        """Every battle, the oldest first."""
        columns = [schema.battle.c[name] for name in Charter.__struct_fields__]
        order = (schema.battle.c.created, schema.battle.c.id)
        return [Charter(*row) for row in self._read(select(*columns).order_by(*order))]

    def charter(self, battle: str) -> Charter | None:
        """The battle with that id, or None."""
        columns = [schema.battle.c[name] for name in Charter.__struct_fields__]
        found = self._read(select(*columns).where(schema.battle.c.id == battle))
        return Charter(*found[0]) if found else None

    def content(self, battle: str) -> str:
        """The files of the scenario that a battle began with, as they were packed; nothing when they were not kept."""
        found = self._read(select(schema.battle.c.content).where(schema.battle.c.id == battle))
        return str(found[0][0]) if found else ""

    def head(self, battle: str) -> tuple[int, str]:
        """How many entries the battle has and the chain of the last, by its own row."""
        found = self._read(select(schema.battle.c.entries, schema.battle.c.chain).where(schema.battle.c.id == battle))
        return (found[0][0], found[0][1]) if found else (0, "")

    def rows(self, battle: str, since: int = 0, most: int | None = None) -> list[StoredEntry]:
        """The entries from that number on, in order, at most so many."""
        entry = schema.entry.c
        statement = select(*_ROW).where(entry.battle == battle, entry.number >= since).order_by(entry.number)
        return [StoredEntry(*row) for row in self._read(statement.limit(most))]

    def entry_of(self, battle: str, command: str) -> StoredEntry | None:
        """The entry that a command made, or None."""
        entry = schema.entry.c
        found = self._read(select(*_ROW).where(entry.battle == battle, entry.command == command))
        return StoredEntry(*found[0]) if found else None

    def snapshot_numbers(self, battle: str) -> list[int]:
        """The numbers of the snapshots of a battle, in order."""
        kept = schema.snapshot.c
        return [row[0] for row in self._read(select(kept.number).where(kept.battle == battle).order_by(kept.number))]

    def snapshot(self, battle: str, number: int) -> StoredSnapshot | None:
        """The snapshot of that number, if there is one and it is whole."""
        kept = schema.snapshot.c
        columns = [kept[name] for name in StoredSnapshot.__struct_fields__]
        found = self._read(select(*columns).where(kept.battle == battle, kept.number == number))
        snapshot = StoredSnapshot(*found[0]) if found else None
        return snapshot if snapshot is not None and codec.digest(snapshot.body) == snapshot.digest else None

    def seats(self, battle: str) -> tuple[Seat, ...]:
        """The seats of a battle, by name."""
        seat = schema.seat.c
        columns = (seat.name, seat.kind, seat.side, seat.player, seat.called)
        found = self._read(select(*columns).where(seat.battle == battle).order_by(seat.name))
        return tuple(Seat(name, Kind(kind), side and SideId(side), *rest) for name, kind, side, *rest in found)

    def seats_of(self, token: str) -> list[tuple[str, str]]:
        """The battles and seats that answer to the token with that hash."""
        seat = schema.seat.c
        return [tuple(row) for row in self._read(select(seat.battle, seat.name).where(seat.token == token))]

    def chat(self, battle: str, audience: str, before: int, most: int, entries: int) -> list[StoredChat]:
        """What was said to an audience right before that number while the log had at most so many entries, in order."""
        chat = schema.chat.c
        columns = [chat[name] for name in StoredChat.__struct_fields__]
        wanted = (chat.battle == battle, chat.audience == audience, chat.number < before, chat.entries <= entries)
        found = self._read(select(*columns).where(*wanted).order_by(chat.number.desc()).limit(most))
        return [StoredChat(*row) for row in reversed(found)]


_ROW = [schema.entry.c[name] for name in StoredEntry.__struct_fields__]

# Statements for every order are made once: putting them together takes longer than carrying them out.


def _own(column: Column[Any]) -> BindParameter[Any]:
    """A value of the row that is written, under a name that no column has."""
    return bindparam(f"its_{column.name}", type_=column.type)


def _append_statement(dialect: str) -> Insert:
    """Appends and checks in one statement: it writes nothing unless the battle stands exactly where it should.

    Of two writers that saw the same last entry the second finds the number taken, and a command that is already in
    the log can't enter it again.
    """
    battle, entry = schema.battle.c, schema.entry.c
    columns = [entry[name] for name in StoredEntry.__struct_fields__]
    stands = select(*map(_own, columns)).where(
        battle.id == _own(entry.battle),
        battle.entries == _own(entry.number),
        battle.chain == bindparam("its_previous", type_=battle.chain.type),
    )
    made = {"sqlite": sqlite.insert, "postgresql": postgresql.insert}[dialect](schema.entry)
    kept: Insert = made.from_select(columns, stands).on_conflict_do_nothing()  # type: ignore[attr-defined]
    return kept.execution_options(preserve_rowcount=True)


_SEAL = (
    update(schema.battle)
    .where(schema.battle.c.id == _own(schema.entry.c.battle))
    .values(
        entries=bindparam("its_entries"),
        chain=_own(schema.entry.c.chain),
        updated=_own(schema.entry.c.at),
        status=bindparam("its_status"),
    )
)


def _only_effect(result: Any) -> None:
    """For a statement whose result nobody needs."""


def _seat_values(battle: str, seat: Seat) -> dict[str, Any]:
    return {"battle": battle, **msgspec.structs.asdict(seat), "kind": seat.kind.value}


def _forget(connection: Connection, battle: str) -> None:
    connection.execute(delete(schema.battle).where(schema.battle.c.id == battle))


# connections


def _writing_engine(address: URL) -> Engine:
    engine = create_engine(address, pool_size=1, max_overflow=0, pool_pre_ping=True, hide_parameters=True)
    if address.get_backend_name() == "sqlite":
        event.listen(engine, "connect", _set_up_sqlite)
        # SQLite takes the write lock at BEGIN: a transaction that reads first and writes later could fail in between
        event.listen(engine, "begin", lambda connection: connection.exec_driver_sql("BEGIN IMMEDIATE"))
    else:
        event.listen(engine, "connect", _set_up_postgresql)
    return engine


def _reading_engine(address: URL) -> Engine:
    engine = create_engine(address, pool_pre_ping=True, isolation_level="AUTOCOMMIT", hide_parameters=True)
    if address.get_backend_name() == "sqlite":
        event.listen(engine, "connect", _set_up_sqlite)
    return engine


def _set_up_sqlite(connection: Any, _: Any) -> None:
    connection.isolation_level = None  # the driver opens no transactions of its own
    for pragma in (
        f"busy_timeout={BUSY_SECONDS * 1000}",
        "journal_mode=WAL",
        "synchronous=FULL",
        "foreign_keys=ON",
    ):
        connection.execute(f"PRAGMA {pragma}").close()


def _set_up_postgresql(connection: Any, _: Any) -> None:
    connection.execute("SET synchronous_commit = on")
    connection.commit()


# What must be so for a commit to survive a power failure, asked of the database itself and not of our settings.
_DURABLE = {
    "sqlite": (("PRAGMA journal_mode", "wal"), ("PRAGMA synchronous", "2"), ("PRAGMA foreign_keys", "1")),
    "postgresql": (("SHOW synchronous_commit", "on"), ("SHOW fsync", "on")),
}


def _require_durable(connection: Connection) -> None:
    """The database keeps what it commits, or a SchemaError says which setting is wrong."""
    for question, wanted in _DURABLE[connection.dialect.name]:
        found = str(connection.execute(text(question)).scalar())
        if found != wanted:
            raise schema.SchemaError(f"it does not keep what it commits ({question} says {found}, not {wanted})")
