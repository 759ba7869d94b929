"""Orders to index that admins give in chats."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None

_NUMBER = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Add the table; nothing has been ordered yet."""
    op.create_table(
        "index_orders",
        sa.Column("number", _NUMBER, nullable=False),
        sa.Column("person", sa.Text, nullable=False),
        sa.Column("platform", sa.String(20), nullable=False),
        sa.Column("place", sa.Text, nullable=False),
        sa.Column("language", sa.String(5), nullable=False),
        sa.Column("asked_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("before", _NUMBER),
        sa.Column("stopping", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("state", sa.String(10), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True)),
        sa.PrimaryKeyConstraint("number", name="pk_index_orders"),
        sqlite_autoincrement=True,
    )
    is_open = sa.text("state = 'open'")
    op.create_index(
        "uq_index_orders_open",
        "index_orders",
        ["state"],
        unique=True,
        sqlite_where=is_open,
        postgresql_where=is_open,
    )


def downgrade() -> None:
    """Take it away again; what was indexed stays."""
    op.drop_table("index_orders")
