"""How often is asked, by person, channel and workspace."""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table; what was asked before does not count."""
    op.create_table(
        "rates",
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("until", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("key", name="pk_rates"),
    )


def downgrade() -> None:
    """Take it away again."""
    op.drop_table("rates")
