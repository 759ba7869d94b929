"""Incremental indexing: documents kept once for all generations, and how far a generation is."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

_NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_MOMENT = sa.DateTime(timezone=True)
_JSON = sa.JSON(none_as_null=True)
_BUILDING = sa.text("state = 'building'")


def upgrade() -> None:
    """Add them. Generations made before stay readable; the next index run makes a new one from the ground up."""
    # Column by column: a table that SQLite copies forgets that its numbers are never used twice.
    for column in _columns():
        op.add_column("generations", column)
    # What was cut short before could not be gone on with anyway.
    op.execute("DELETE FROM documents WHERE generation IN (SELECT number FROM generations WHERE state = 'building')")
    op.execute("DELETE FROM generations WHERE state = 'building'")
    op.execute("UPDATE generations SET base = number")
    op.create_index(
        "uq_generations_building",
        "generations",
        ["state"],
        unique=True,
        sqlite_where=_BUILDING,
        postgresql_where=_BUILDING,
    )
    op.rename_table("documents", "old_documents")
    op.create_table(
        "documents",
        sa.Column("doc_id", sa.Text(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("body", _JSON, nullable=False),
        sa.PrimaryKeyConstraint("doc_id", "digest", name="pk_documents_kept"),
    )
    op.create_table(
        "holdings",
        sa.Column("generation", _NUMBER, nullable=False),
        sa.Column("doc_id", sa.Text(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("item", sa.Text(), nullable=False),
        sa.Column("item_digest", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("generation", "doc_id", name="pk_holdings"),
        sa.ForeignKeyConstraint(
            ["generation"], ["generations.number"], name="fk_holdings_generation_generations", ondelete="CASCADE"
        ),
    )
    op.create_index("ix_holdings_doc_id_digest", "holdings", ["doc_id", "digest"])
    op.execute(
        "INSERT INTO documents (doc_id, digest, body) SELECT doc_id, digest, body FROM old_documents AS one "
        "WHERE generation = (SELECT max(generation) FROM old_documents AS other "
        "WHERE other.doc_id = one.doc_id AND other.digest = one.digest)"
    )
    op.execute(
        "INSERT INTO holdings (generation, doc_id, digest, item, item_digest) "
        "SELECT generation, doc_id, digest, doc_id, '' FROM old_documents"
    )
    op.drop_table("old_documents")


def downgrade() -> None:
    """Give each generation copies of its documents again; those that build on another's tables cannot be read then."""
    op.create_table(
        "old_documents",
        sa.Column("generation", _NUMBER, nullable=False),
        sa.Column("doc_id", sa.Text(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("body", _JSON, nullable=False),
        sa.PrimaryKeyConstraint("generation", "doc_id", name="pk_documents"),
        sa.ForeignKeyConstraint(
            ["generation"], ["generations.number"], name="fk_documents_generation_generations", ondelete="CASCADE"
        ),
    )
    op.execute(
        "INSERT INTO old_documents (generation, doc_id, digest, body) "
        "SELECT generation, holdings.doc_id, holdings.digest, body FROM holdings JOIN documents "
        "ON documents.doc_id = holdings.doc_id AND documents.digest = holdings.digest"
    )
    op.drop_index("ix_holdings_doc_id_digest", "holdings")
    op.drop_table("holdings")
    op.drop_table("documents")
    op.rename_table("old_documents", "documents")
    op.drop_index("uq_generations_building", "generations")
    for column in reversed(_columns()):
        op.drop_column("generations", column.name)


def _columns() -> list[sa.Column]:
    return [
        sa.Column("base", _NUMBER),
        sa.Column("passages_version", sa.BigInteger()),
        sa.Column("chunks_version", sa.BigInteger()),
        sa.Column("parent", _NUMBER),
        sa.Column("progress", _JSON, nullable=False, server_default="{}"),
        sa.Column("touched_at", _MOMENT),
        sa.Column("stopping", sa.Boolean(), nullable=False, server_default=sa.false()),
    ]
