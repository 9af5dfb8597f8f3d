"""The tables of the store, the same on SQLite and PostgreSQL, and bringing a database up to them."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
    ForeignKey,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
    UniqueConstraint,
    inspect,
    select,
    text,
)

HEAD = "0004"
"""The version of the tables below: the newest file of migrations/versions."""

MIGRATIONS = Path(__file__).parent / "migrations"

# Any number: it only has to be the same in every process that may migrate one PostgreSQL database at the same moment.
_MIGRATION_LOCK = 7_306_221


class SchemaError(Exception):
    """The database is not one this version can use; the message is one sentence."""


metadata = MetaData()


def _owner() -> Column[str]:
    return Column("battle", String(64), ForeignKey("battle.id", ondelete="CASCADE"), nullable=False)


battle = Table(
    "battle",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("title", Text, nullable=False),
    Column("system", String(64), nullable=False),
    Column("rules_version", String(64), nullable=False),
    Column("header", Text, nullable=False),
    Column("dice", String(16), nullable=False),
    Column("delay", Integer, nullable=False),
    Column("status", String(16), nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("updated", BigInteger, nullable=False),
    # how many entries there are and the chain of the last one: without it, cutting off the end would go unnoticed
    Column("entries", Integer, nullable=False),
    Column("chain", String(64), nullable=False),
    # the files of the scenario as they were when the battle began
    Column("content", Text, nullable=False, server_default=""),
)

entry = Table(
    "entry",
    metadata,
    _owner(),
    Column("number", Integer, nullable=False),
    Column("seat", String(64), nullable=False),
    Column("command", String(160), nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("body", Text, nullable=False),
    Column("chain", String(64), nullable=False),
    PrimaryKeyConstraint("battle", "number", name="pk_entry"),
    UniqueConstraint("battle", "command", name="uq_entry_command"),
)

snapshot = Table(
    "snapshot",
    metadata,
    _owner(),
    Column("number", Integer, nullable=False),
    Column("chain", String(64), nullable=False),
    Column("digest", String(64), nullable=False),
    Column("body", Text, nullable=False),
    PrimaryKeyConstraint("battle", "number", name="pk_snapshot"),
)

seat = Table(
    "seat",
    metadata,
    _owner(),
    Column("name", String(64), nullable=False),
    Column("kind", String(16), nullable=False),
    Column("side", String(64)),
    Column("player", String(64), nullable=False),
    Column("token", String(64), index=True),
    Column("called", String(64), nullable=False, server_default=""),
    PrimaryKeyConstraint("battle", "name", name="pk_seat"),
)

chat = Table(
    "chat",
    metadata,
    _owner(),
    # whom it is for: a side, or nobody in particular; each audience has numbers of its own
    Column("audience", String(64), nullable=False),
    Column("number", Integer, nullable=False),
    Column("seat", String(64), nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("entries", Integer, nullable=False),
    Column("text", Text, nullable=False),
    PrimaryKeyConstraint("battle", "audience", "number", name="pk_chat"),
)


def version(connection: Connection) -> str | None:
    """The version the database is at, None when it is new."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    return connection.execute(select(text("version_num")).select_from(text("alembic_version"))).scalar()


def upgrade(connection: Connection) -> None:
    """The database has the tables of this version, or a SchemaError says why it can't; the caller commits."""
    if connection.dialect.name == "postgresql":
        connection.execute(text(f"SELECT pg_advisory_xact_lock({_MIGRATION_LOCK})"))
    found = version(connection)
    if found != HEAD:
        _migrate(connection, found)


def _migrate(connection: Connection, found: str | None) -> None:
    # Alembic takes a third of a second to import and is needed once in the life of a database.
    from alembic import command
    from alembic.config import Config
    from alembic.util import CommandError

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    try:
        command.upgrade(config, "head")
    except CommandError:
        raise SchemaError(
            f"the database has tables of version {found}, which this program does not know; a newer one wrote it"
        ) from None
    if version(connection) != HEAD:
        raise SchemaError(f"the database is at version {version(connection)} after migrating, not {HEAD}")
