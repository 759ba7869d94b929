"""What is old, and what somebody has asked, is found without a look at all there is."""

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None

_ASKED = ("ix_turns_platform_asker_place_asked_at", "turns", ["platform", "asker", "place", "asked_at"])
_KEPT = sa.text("erased_at IS NULL")


def upgrade() -> None:
    """Add the indexes."""
    op.create_index("ix_outbox_changed_at", "outbox", ["changed_at"])
    op.create_index("ix_audit_kept", "audit", ["at"], sqlite_where=_KEPT, postgresql_where=_KEPT)
    op.create_index(*_ASKED)


def downgrade() -> None:
    """Take them away again."""
    op.drop_index(_ASKED[0], _ASKED[1])
    op.drop_index("ix_audit_kept", "audit")
    op.drop_index("ix_outbox_changed_at", "outbox")
