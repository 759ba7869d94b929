"""Messages that nobody addressed to the bot are told apart from questions to it."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the mark, which no message had until now."""
    op.add_column("turns", sa.Column("overheard", sa.Boolean(), nullable=False, server_default=sa.false()))


def downgrade() -> None:
    """Drop it; what was overheard and waits is asked of the bot then."""
    op.drop_column("turns", "overheard")
