"""The first tables: battle, entry, snapshot, seat."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def _owner() -> sa.Column[str]:
    return sa.Column("battle", sa.String(64), sa.ForeignKey("battle.id", ondelete="CASCADE"), nullable=False)


def upgrade() -> None:
    """The tables exist."""
    op.create_table(
        "battle",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("system", sa.String(64), nullable=False),
        sa.Column("rules_version", sa.String(64), nullable=False),
        sa.Column("header", sa.Text, nullable=False),
        sa.Column("dice", sa.String(16), nullable=False),
        sa.Column("delay", sa.Integer, nullable=False),
        sa.Column("status", sa.String(16), nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("updated", sa.BigInteger, nullable=False),
        sa.Column("entries", sa.Integer, nullable=False),
        sa.Column("chain", sa.String(64), nullable=False),
    )
    op.create_table(
        "entry",
        _owner(),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("seat", sa.String(64), nullable=False),
        sa.Column("command", sa.String(160), nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("chain", sa.String(64), nullable=False),
        sa.PrimaryKeyConstraint("battle", "number", name="pk_entry"),
        sa.UniqueConstraint("battle", "command", name="uq_entry_command"),
    )
    op.create_table(
        "snapshot",
        _owner(),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("chain", sa.String(64), nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("battle"),
    )
    op.create_table(
        "seat",
        _owner(),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("side", sa.String(64)),
        sa.Column("player", sa.String(64), nullable=False),
        sa.Column("token", sa.String(64)),
        sa.PrimaryKeyConstraint("battle", "name", name="pk_seat"),
    )
    op.create_index("ix_seat_token", "seat", ["token"])
