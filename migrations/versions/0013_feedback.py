"""What people say of each version of an answer, and the answers that a person has checked.

The table of before has never been written to, so it is made anew.
"""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table of feedback anew, with the version that it is about, and add that of the checked answers."""
    op.drop_table("feedback")
    op.create_table(
        "feedback",
        sa.Column("question_id", sa.Text(), nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("tenant", sa.Text(), nullable=False),
        sa.Column("verdict", sa.String(10)),
        sa.Column("reason", sa.Text()),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("deeds", sa.JSON(none_as_null=True), nullable=False),
        sa.PrimaryKeyConstraint("question_id", "version", "person", name="pk_feedback"),
    )
    op.create_index("ix_feedback_at", "feedback", ["at"])
    op.create_table(
        "pins",
        sa.Column("number", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("tenant", sa.Text(), nullable=False),
        sa.Column("words", sa.Text(), nullable=False),
        sa.Column("question_id", sa.Text(), nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.Column("result", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("pinned_by", sa.Text(), nullable=False),
        sa.Column("pinned_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("fallen_at", sa.DateTime(timezone=True)),
        sa.Column("because", sa.Text()),
        sa.PrimaryKeyConstraint("number", name="pk_pins"),
        sa.UniqueConstraint("question_id", "version", name="uq_pins_question_id_version"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_pins_tenant_words", "pins", ["tenant", "words"])


def downgrade() -> None:
    """Take the checked answers away, and what was said: the version before had no use for it."""
    op.drop_table("pins")
    op.drop_table("feedback")
    op.create_table(
        "feedback",
        sa.Column("question_id", sa.Text(), nullable=False),
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("tenant", sa.Text(), nullable=False),
        sa.Column("helpful", sa.Boolean(), nullable=False),
        sa.Column("reason", sa.Text()),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("question_id", "person", name="pk_feedback"),
    )
