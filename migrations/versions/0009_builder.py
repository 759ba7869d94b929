"""A generation that is being built says by which run, so that one that was given up for dead writes nothing more."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; a build under way has no run until somebody takes it."""
    op.add_column("generations", sa.Column("builder", sa.Text))


def downgrade() -> None:
    """Take it away."""
    op.drop_column("generations", "builder")
