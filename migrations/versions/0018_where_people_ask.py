"""Which message a question replies to, and who may ask on Telegram."""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column and the table."""
    op.add_column("turns", sa.Column("answers", sa.JSON(none_as_null=True)))
    op.create_table(
        "admissions",
        sa.Column("platform", sa.String(20), nullable=False),
        sa.Column("who", sa.Text, nullable=False),
        sa.Column("state", sa.String(10), nullable=False),
        sa.Column("code", sa.Text),
        sa.Column("times", sa.Integer, nullable=False),
        sa.Column("until", sa.DateTime(timezone=True)),
        sa.Column("changed_by", sa.Text, nullable=False),
        sa.Column("changed_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("platform", "who", name="pk_admissions"),
    )


def downgrade() -> None:
    """Take both away again; who was let in has to be let in anew."""
    op.drop_table("admissions")
    op.drop_column("turns", "answers")
