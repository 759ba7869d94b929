"""The parts of an index run that are shared out over the copies of the bot."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

_NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_JSON = sa.JSON(none_as_null=True)


def upgrade() -> None:
    """Add them."""
    op.create_table(
        "index_parts",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("generation", _NUMBER, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("documents", _JSON, nullable=False),
        sa.Column("known", _JSON),
        sa.Column("names", sa.Text(), nullable=False),
        sa.Column("state", sa.String(10), nullable=False),
        sa.Column("taken_by", sa.Text()),
        sa.PrimaryKeyConstraint("name", name="pk_index_parts"),
        sa.ForeignKeyConstraint(
            ["generation"], ["generations.number"], name="fk_index_parts_generation_generations", ondelete="CASCADE"
        ),
    )
    op.create_index("ix_index_parts_generation_number", "index_parts", ["generation", "number"])


def downgrade() -> None:
    """Remove them; a run that is under way goes on in one process."""
    op.drop_table("index_parts")
