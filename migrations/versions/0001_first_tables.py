"""The first tables: turns, messages, audit, generations and documents."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

_NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_MOMENT = sa.DateTime(timezone=True)
_JSON = sa.JSON(none_as_null=True)
_LIVE = sa.text("state = 'live'")


def upgrade() -> None:
    """Create the tables of conversations, of the audit log and of the catalogue."""
    _create_turns()
    _create_messages()
    _create_audit()
    _create_generations()
    _create_documents()


def downgrade() -> None:
    """Remove them with all that they hold."""
    for table in ("documents", "generations", "audit", "messages", "turns"):
        op.drop_table(table)


def _create_turns() -> None:
    op.create_table(
        "turns",
        sa.Column("question_id", sa.Text(), nullable=False),
        sa.Column("thread", sa.Text(), nullable=False),
        sa.Column("platform", sa.String(20), nullable=False),
        sa.Column("asker", sa.Text(), nullable=False),
        sa.Column("tenant", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("standalone", sa.Text()),
        sa.Column("entities", _JSON),
        sa.Column("state", sa.String(10), nullable=False),
        sa.Column("answered", sa.Boolean()),
        sa.Column("asked_at", _MOMENT, nullable=False),
        sa.Column("finished_at", _MOMENT),
        sa.Column("result", _JSON),
        sa.PrimaryKeyConstraint("question_id", name="pk_turns"),
    )
    op.create_index("ix_turns_thread_asked_at", "turns", ["thread", "asked_at"])


def _create_messages() -> None:
    op.create_table(
        "messages",
        sa.Column("ref", sa.Text(), nullable=False),
        sa.Column("thread", sa.Text(), nullable=False),
        sa.Column("question_id", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("ref", name="pk_messages"),
    )


def _create_audit() -> None:
    op.create_table(
        "audit",
        sa.Column("id", _NUMBER, nullable=False),
        sa.Column("question_id", sa.Text(), nullable=False),
        sa.Column("tenant", sa.Text(), nullable=False),
        sa.Column("asker", sa.Text(), nullable=False),
        sa.Column("at", _MOMENT, nullable=False),
        sa.Column("words", sa.Text(), nullable=False),
        sa.Column("record", _JSON, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_audit"),
        sqlite_autoincrement=True,
    )


def _create_generations() -> None:
    op.create_table(
        "generations",
        sa.Column("number", _NUMBER, nullable=False),
        sa.Column("state", sa.String(10), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("embedder", sa.Text(), nullable=False),
        sa.Column("dimension", sa.Integer(), nullable=False),
        sa.Column("analyzer", sa.Text(), nullable=False),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Column("published_at", _MOMENT),
        sa.Column("counts", _JSON, nullable=False),
        sa.Column("domain", _JSON, nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_generations"),
        sqlite_autoincrement=True,
    )
    op.create_index(
        "uq_generations_live", "generations", ["state"], unique=True, sqlite_where=_LIVE, postgresql_where=_LIVE
    )


def _create_documents() -> None:
    op.create_table(
        "documents",
        sa.Column("generation", _NUMBER, nullable=False),
        sa.Column("doc_id", sa.Text(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("body", _JSON, nullable=False),
        sa.PrimaryKeyConstraint("generation", "doc_id", name="pk_documents"),
        sa.ForeignKeyConstraint(
            ["generation"], ["generations.number"], name="fk_documents_generation_generations", ondelete="CASCADE"
        ),
    )
