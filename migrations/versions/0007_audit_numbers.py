"""On SQLite the numbers of audit entries are never used twice again, which revision 0002 had lost."""

from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table anew where its numbers may be used again: a batch that is not told so forgets AUTOINCREMENT."""
    if op.get_bind().dialect.name == "sqlite":
        with op.batch_alter_table("audit", recreate="always", table_kwargs={"sqlite_autoincrement": True}):
            pass


def downgrade() -> None:
    """Leave it: to use no number twice harms no version."""
