"""How a question was asked, beside its words: in a thread among people, or for the asker alone."""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; what was asked before was asked without."""
    op.add_column("turns", sa.Column("setting", sa.JSON(none_as_null=True)))


def downgrade() -> None:
    """Take it away again; the turns stay."""
    op.drop_column("turns", "setting")
