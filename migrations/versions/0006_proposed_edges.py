"""What models proposed as edges of the graph, so that no chunk is asked about twice."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table."""
    op.create_table(
        "proposals",
        sa.Column("doc_id", sa.Text(), nullable=False),
        sa.Column("chunk", sa.Text(), nullable=False),
        sa.Column("asker", sa.Text(), nullable=False),
        sa.Column("edges", sa.JSON(none_as_null=True), nullable=False),
        sa.PrimaryKeyConstraint("doc_id", "chunk", "asker", name="pk_proposals"),
    )


def downgrade() -> None:
    """Take it away; the models are asked again."""
    op.drop_table("proposals")
