"""Players have names, and what is said at a table is kept."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """A seat has a name for its player, and there is a table for what is said."""
    op.add_column("seat", sa.Column("called", sa.String(64), nullable=False, server_default=""))
    op.create_table(
        "chat",
        sa.Column("battle", sa.String(64), sa.ForeignKey("battle.id", ondelete="CASCADE"), nullable=False),
        sa.Column("audience", sa.String(64), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("seat", sa.String(64), nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("entries", sa.Integer, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("battle", "audience", "number", name="pk_chat"),
    )
