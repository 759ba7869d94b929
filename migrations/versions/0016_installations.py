"""The bot in many workspaces: sealed tokens, the states of installations under way, and the workspaces it has left."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the tables."""
    op.create_table(
        "installations",
        sa.Column("platform", sa.String(20), nullable=False),
        sa.Column("tenant", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("sealed", sa.Text(), nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.Column("turn_until", sa.DateTime(timezone=True)),
        sa.Column("installed_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("changed_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("platform", "tenant", name="pk_installations"),
    )
    op.create_table(
        "install_states",
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("digest", name="pk_install_states"),
    )
    op.create_index("ix_install_states_expires_at", "install_states", ["expires_at"])
    op.create_table(
        "departures",
        sa.Column("platform", sa.String(20), nullable=False),
        sa.Column("tenant", sa.Text(), nullable=False),
        sa.Column("left_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("platform", "tenant", name="pk_departures"),
    )


def downgrade() -> None:
    """Take them away; workspaces of many must install the bot again."""
    op.drop_table("departures")
    op.drop_index("ix_install_states_expires_at", "install_states")
    op.drop_table("install_states")
    op.drop_table("installations")
