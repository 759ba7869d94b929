"""What each statement of an answer names, by which a word of the next question that points back is understood."""

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; of answers before, nothing is known."""
    op.add_column("turns", sa.Column("told", sa.JSON(none_as_null=True)))


def downgrade() -> None:
    """Take it away again: words that point back lean on questions alone."""
    op.drop_column("turns", "told")
