"""The list that a reply left off at, beside the turn, so that a thread is read without its results."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; lists of before cannot be gone on with."""
    op.add_column("turns", sa.Column("listed", sa.JSON(none_as_null=True)))


def downgrade() -> None:
    """Take it away again; the turns stay."""
    op.drop_column("turns", "listed")
