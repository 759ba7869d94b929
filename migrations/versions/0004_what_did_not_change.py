"""Skipping what did not change: the items of each generation, the names of each document, and what is written of it."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

_NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_JSON = sa.JSON(none_as_null=True)


def upgrade() -> None:
    """Add them. Generations made before stay readable; the next index run makes a new one and takes their vectors."""
    op.create_table(
        "items",
        sa.Column("generation", _NUMBER, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("sign", sa.Text(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("problems", _JSON, nullable=False),
        sa.PrimaryKeyConstraint("generation", "name", name="pk_items"),
        sa.ForeignKeyConstraint(
            ["generation"], ["generations.number"], name="fk_items_generation_generations", ondelete="CASCADE"
        ),
    )
    op.add_column("generations", sa.Column("names", sa.Text()))
    op.add_column("documents", sa.Column("names", _JSON))
    op.add_column("documents", sa.Column("chunks", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("holdings", sa.Column("written", sa.Text()))
    op.execute("UPDATE holdings SET written = digest")
    op.drop_column("holdings", "item_digest")


def downgrade() -> None:
    """Take them away; what was being built cannot be gone on with."""
    op.execute("DELETE FROM holdings WHERE generation IN (SELECT number FROM generations WHERE state = 'building')")
    op.execute("DELETE FROM items")
    op.execute("DELETE FROM generations WHERE state = 'building'")
    op.add_column("holdings", sa.Column("item_digest", sa.Text(), nullable=False, server_default=""))
    op.drop_column("holdings", "written")
    op.drop_column("documents", "chunks")
    op.drop_column("documents", "names")
    op.drop_column("generations", "names")
    op.drop_table("items")
