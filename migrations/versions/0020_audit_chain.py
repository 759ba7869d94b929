"""The audit log becomes a chain that the database lets nobody change; and what is too old is found by its age."""

from datetime import UTC, datetime
from hashlib import sha256
from secrets import token_hex
from typing import Any

import rfc8785
import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None

_MOMENT = sa.DateTime(timezone=True)
_SIGNS = {"passed": "passed_over", "feedback": "feedback"}
_AT_ONCE = 500
_ADDED = ("kind", "salt", "commitment", "digest", "erased_at")

# An entry changes in one way only: its content goes. What an erasure itself says stays for good.
_ERASED = """
    NEW.id = OLD.id AND NEW.kind = OLD.kind AND NEW.version = OLD.version
    AND NEW.at = OLD.at AND NEW.commitment = OLD.commitment AND NEW.digest = OLD.digest
    AND OLD.kind <> 'erasure' AND OLD.erased_at IS NULL AND NEW.erased_at IS NOT NULL AND NEW.salt IS NULL
    AND NEW.tenant = '' AND NEW.asker = '' AND NEW.words = ''
    AND NEW.question_id = 'erased:' || OLD.id AND {record} = '{{}}'
"""
_REFUSED = "the audit log is only ever added to"
_SQLITE = (
    f"""CREATE TRIGGER audit_is_not_changed BEFORE UPDATE ON audit WHEN NOT ({_ERASED.format(record="NEW.record")})
        BEGIN SELECT RAISE(ABORT, '{_REFUSED}'); END""",
    f"CREATE TRIGGER audit_is_not_removed BEFORE DELETE ON audit BEGIN SELECT RAISE(ABORT, '{_REFUSED}'); END",
)
_POSTGRESQL = (
    f"""CREATE FUNCTION footnote_audit_guard() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          IF TG_OP = 'UPDATE' THEN
            IF {_ERASED.format(record="NEW.record::text")} THEN RETURN NEW; END IF;
          END IF;
          RAISE EXCEPTION '{_REFUSED}';
        END $$""",
    """CREATE TRIGGER audit_is_not_changed BEFORE UPDATE OR DELETE ON audit
       FOR EACH ROW EXECUTE FUNCTION footnote_audit_guard()""",
    """CREATE TRIGGER audit_is_not_emptied BEFORE TRUNCATE ON audit
       FOR EACH STATEMENT EXECUTE FUNCTION footnote_audit_guard()""",
)


def upgrade() -> None:
    """Add the columns and the end of the chain, chain what is there, and then let nobody change it any more.

    A later revision that copies the table on SQLite must make the triggers anew.
    """
    op.create_table(
        "audit_end",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_audit_end"),
    )
    op.add_column("audit", sa.Column("kind", sa.String(10), nullable=False, server_default="answer"))
    op.add_column("audit", sa.Column("salt", sa.Text()))
    op.add_column("audit", sa.Column("commitment", sa.Text(), nullable=False, server_default=""))
    op.add_column("audit", sa.Column("digest", sa.Text(), nullable=False, server_default=""))
    op.add_column("audit", sa.Column("erased_at", _MOMENT))
    op.create_index("ix_turns_asked_at", "turns", ["asked_at"])
    op.create_index("ix_messages_question_id", "messages", ["question_id"])
    op.create_index("ix_audit_at", "audit", ["at"])
    op.create_index("ix_audit_asker", "audit", ["asker"])
    _chain(op.get_bind())
    for statement in _POSTGRESQL if op.get_bind().dialect.name == "postgresql" else _SQLITE:
        op.execute(statement)


def downgrade() -> None:
    """Take it away again; what was answered stays, and what has been erased is gone for good."""
    if op.get_bind().dialect.name == "postgresql":
        op.execute("DROP TRIGGER audit_is_not_changed ON audit")
        op.execute("DROP TRIGGER audit_is_not_emptied ON audit")
        op.execute("DROP FUNCTION footnote_audit_guard()")
    else:
        op.execute("DROP TRIGGER audit_is_not_changed")
        op.execute("DROP TRIGGER audit_is_not_removed")
    op.execute("DELETE FROM audit WHERE erased_at IS NOT NULL OR kind = 'erasure'")
    op.drop_index("ix_messages_question_id", "messages")
    op.drop_index("ix_turns_asked_at", "turns")
    op.drop_index("ix_audit_asker", "audit")
    op.drop_index("ix_audit_at", "audit")
    for column in _ADDED:
        op.drop_column("audit", column)
    op.drop_table("audit_end")


def _chain(connection: sa.Connection) -> None:
    audit = _table()
    number, digest = 0, ""
    while rows := connection.execute(
        sa.select(audit).where(audit.c.id > number).order_by(audit.c.id).limit(_AT_ONCE)
    ).all():
        for row in rows:
            at = row.at if row.at.tzinfo else row.at.replace(tzinfo=UTC)
            number, salt = row.id, token_hex(16)
            commitment = sha256(salt.encode() + b"\n" + rfc8785.dumps(_content(row, at))).hexdigest()
            digest = sha256(rfc8785.dumps([digest, number, _said(at), commitment])).hexdigest()
            kept = {"salt": salt, "commitment": commitment, "digest": digest, "kind": _kind(row)}
            connection.execute(sa.update(audit).where(audit.c.id == number).values(kept))
    end = sa.table("audit_end", sa.column("id"), sa.column("number"), sa.column("digest"))
    connection.execute(sa.insert(end).values(id=1, number=number, digest=digest))


def _table() -> sa.TableClause:
    texts = ("question_id", "tenant", "asker", "salt", "commitment", "digest", "kind")
    return sa.table(
        "audit",
        sa.column("id", sa.BigInteger()),
        sa.column("version", sa.BigInteger()),
        sa.column("at", _MOMENT),
        sa.column("record", sa.JSON()),
        *(sa.column(name, sa.Text()) for name in texts),
    )


def _kind(row: Any) -> str:
    return next((kind for kind in ("passed", "feedback") if _SIGNS[kind] in row.record), "answer")


def _content(row: Any, at: datetime) -> dict[str, Any]:
    return {
        "kind": _kind(row),
        "question_id": row.question_id,
        "version": row.version,
        "tenant": row.tenant,
        "asker": row.asker,
        "at": _said(at),
        "record": row.record,
    }


def _said(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="microseconds")
