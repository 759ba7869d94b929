"""What was heard of a question beside its words: edits that changed nothing, and copies that its device sent."""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None

_ASKED_BACK = sa.text("unclear IS NOT NULL")
_COPIED = sa.text("copy_of IS NOT NULL")


def upgrade() -> None:
    """Add the columns; of edits before, the version alone counts, and of copies before, nothing is known."""
    op.add_column("turns", sa.Column("heard", sa.BigInteger(), nullable=False, server_default="0"))
    op.add_column("turns", sa.Column("copy_of", sa.Text()))
    op.create_index("ix_turns_copies", "turns", ["copy_of"], sqlite_where=_COPIED, postgresql_where=_COPIED)
    back = {"sqlite_where": _ASKED_BACK, "postgresql_where": _ASKED_BACK}
    op.create_index("ix_turns_asked_back", "turns", ["thread", "asked_at", "finished_at"], **back)


def downgrade() -> None:
    """Take them away again: copies are never asked, and the turns stay."""
    op.drop_index("ix_turns_asked_back", "turns")
    op.drop_index("ix_turns_copies", "turns")
    op.execute("UPDATE turns SET state = 'done' WHERE state = 'copy'")
    for name in ("copy_of", "heard"):
        op.drop_column("turns", name)
