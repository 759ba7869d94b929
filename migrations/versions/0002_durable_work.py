"""Durable work: where a question stands, the messages to send, the replicas; feedback and channel settings."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

_NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_MOMENT = sa.DateTime(timezone=True)
_JSON = sa.JSON(none_as_null=True)
_ACTIVE = sa.text("state IN ('waiting', 'working')")
_UNSENT = sa.text("state IN ('waiting', 'sending')")


def upgrade() -> None:
    """Add them. Questions that were left unanswered before are taken as withdrawn: it is too late to answer them."""
    _widen_turns()
    _widen_audit()
    _create_outbox()
    _create_replicas()
    _create_settings()


def downgrade() -> None:
    """Remove them with all that they hold; turns stay, those that wait as unanswered ones."""
    for table in ("channel_settings", "feedback", "leases", "replicas", "outbox"):
        op.drop_table(table)
    with op.batch_alter_table("audit") as audit:
        audit.drop_constraint("uq_audit_question_id_version", type_="unique")
        audit.drop_column("version")
    op.drop_index("ix_turns_active", "turns")
    op.drop_index("ix_turns_thread_asked_at_finished_at", "turns")
    op.execute("UPDATE turns SET state = 'open' WHERE state <> 'done'")
    with op.batch_alter_table("turns") as turns:
        turns.drop_constraint("uq_turns_resend", type_="unique")
        for column in ("arrived_at", "taken_by", "turn", "version", "resend", "root", "message", "place", "groups"):
            turns.drop_column(column)
    op.create_index("ix_turns_thread_asked_at", "turns", ["thread", "asked_at"])


def _widen_turns() -> None:
    with op.batch_alter_table("turns") as turns:
        turns.add_column(sa.Column("groups", _JSON, nullable=False, server_default="[]"))
        turns.add_column(sa.Column("place", sa.Text(), nullable=False, server_default=""))
        turns.add_column(sa.Column("message", sa.Text(), nullable=False, server_default=""))
        turns.add_column(sa.Column("root", sa.Text()))
        turns.add_column(sa.Column("resend", sa.Text()))
        turns.add_column(sa.Column("version", sa.BigInteger(), nullable=False, server_default="0"))
        turns.add_column(sa.Column("turn", sa.BigInteger(), nullable=False, server_default="0"))
        turns.add_column(sa.Column("taken_by", sa.Text()))
        turns.add_column(sa.Column("arrived_at", _MOMENT))
        turns.create_unique_constraint("uq_turns_resend", ["resend"])
    op.execute("UPDATE turns SET state = 'withdrawn' WHERE state = 'open'")
    op.drop_index("ix_turns_thread_asked_at", "turns")
    op.create_index("ix_turns_thread_asked_at_finished_at", "turns", ["thread", "asked_at", "finished_at"])
    op.create_index("ix_turns_active", "turns", ["state", "thread"], sqlite_where=_ACTIVE, postgresql_where=_ACTIVE)


def _widen_audit() -> None:
    with op.batch_alter_table("audit") as audit:
        audit.add_column(sa.Column("version", sa.BigInteger(), nullable=False, server_default="0"))
    # A log that was written twice for one question keeps the first entry.
    op.execute("DELETE FROM audit WHERE id NOT IN (SELECT MIN(id) FROM audit GROUP BY question_id, version)")
    with op.batch_alter_table("audit") as audit:
        audit.create_unique_constraint("uq_audit_question_id_version", ["question_id", "version"])


def _create_outbox() -> None:
    op.create_table(
        "outbox",
        sa.Column("id", _NUMBER, nullable=False),
        sa.Column("question_id", sa.Text(), nullable=False),
        sa.Column("part", sa.String(40), nullable=False),
        sa.Column("platform", sa.String(20), nullable=False),
        sa.Column("place", sa.Text(), nullable=False),
        sa.Column("thread", sa.Text(), nullable=False),
        sa.Column("root", sa.Text()),
        sa.Column("message", sa.Text(), nullable=False),
        sa.Column("body", _JSON),
        sa.Column("final", sa.Boolean(), nullable=False),
        sa.Column("shown", _JSON),
        sa.Column("state", sa.String(10), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("tried", sa.Integer(), nullable=False),
        sa.Column("tried_before", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("in_doubt", sa.Boolean(), nullable=False),
        sa.Column("owner", sa.Text()),
        sa.Column("seq", sa.BigInteger(), nullable=False),
        sa.Column("due_at", _MOMENT, nullable=False),
        sa.Column("changed_at", _MOMENT, nullable=False),
        sa.Column("reason", sa.Text()),
        sa.PrimaryKeyConstraint("id", name="pk_outbox"),
        sa.UniqueConstraint("question_id", "part", name="uq_outbox_question_id_part"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_outbox_seq", "outbox", ["seq"])
    for name, columns in (("ix_outbox_unsent", ["thread", "seq"]), ("ix_outbox_places", ["platform", "place"])):
        op.create_index(name, "outbox", columns, sqlite_where=_UNSENT, postgresql_where=_UNSENT)


def _create_replicas() -> None:
    op.create_table(
        "replicas",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("beat", sa.BigInteger(), nullable=False),
        sa.Column("started_at", _MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_replicas"),
    )
    op.create_table(
        "leases",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("holder", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_leases"),
    )


def _create_settings() -> None:
    op.create_table(
        "feedback",
        sa.Column("question_id", sa.Text(), nullable=False),
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("tenant", sa.Text(), nullable=False),
        sa.Column("helpful", sa.Boolean(), nullable=False),
        sa.Column("reason", sa.Text()),
        sa.Column("at", _MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("question_id", "person", name="pk_feedback"),
    )
    op.create_table(
        "channel_settings",
        sa.Column("platform", sa.String(20), nullable=False),
        sa.Column("place", sa.Text(), nullable=False),
        sa.Column("settings", _JSON, nullable=False),
        sa.Column("changed_by", sa.Text(), nullable=False),
        sa.Column("changed_at", _MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("platform", "place", name="pk_channel_settings"),
    )
