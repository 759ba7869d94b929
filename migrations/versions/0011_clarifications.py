"""What we asked back, and which action of a reply asked a question."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

_CONTINUED = sa.text("continues IS NOT NULL")


def upgrade() -> None:
    """Add the columns; turns of before have nothing in them."""
    op.add_column("turns", sa.Column("continues", sa.Text))
    op.add_column("turns", sa.Column("pressed", sa.JSON(none_as_null=True)))
    op.add_column("turns", sa.Column("unclear", sa.JSON(none_as_null=True)))
    where = {"sqlite_where": _CONTINUED, "postgresql_where": _CONTINUED}
    op.create_index("ix_turns_continues", "turns", ["continues"], **where)


def downgrade() -> None:
    """Take them away again: what was asked back is forgotten, the turns stay."""
    op.drop_index("ix_turns_continues", "turns")
    for name in ("unclear", "pressed", "continues"):
        op.drop_column("turns", name)
