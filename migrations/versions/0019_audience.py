"""Whom a reply is for and which documents it shows something of, beside the turn; and groups that were imported."""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add them; of turns of before nobody knows what they showed, so that they stay as they are."""
    op.add_column("turns", sa.Column("guests", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("turns", sa.Column("sources", sa.JSON(none_as_null=True)))
    op.create_table(
        "group_members",
        sa.Column("origin", sa.Text(), primary_key=True),
        sa.Column("group_name", sa.Text(), primary_key=True),
        sa.Column("member", sa.Text(), primary_key=True),
    )


def downgrade() -> None:
    """Take them away again; the turns stay, and what was imported can be imported again."""
    op.drop_table("group_members")
    op.drop_column("turns", "sources")
    op.drop_column("turns", "guests")
