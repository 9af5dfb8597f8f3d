"""A battle keeps the files of the scenario it was set up from."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """A battle has room for its scenario; those from before have none."""
    op.add_column("battle", sa.Column("content", sa.Text, nullable=False, server_default=""))
