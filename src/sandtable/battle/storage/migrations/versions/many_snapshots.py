"""A battle has several snapshots, each at an entry of its own; those of the first kind are caches and go."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """The table of snapshots is empty and holds one for each battle and number."""
    op.drop_table("snapshot")
    op.create_table(
        "snapshot",
        sa.Column("battle", sa.String(64), sa.ForeignKey("battle.id", ondelete="CASCADE"), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("chain", sa.String(64), nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("battle", "number", name="pk_snapshot"),
    )
