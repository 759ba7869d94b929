"""How Alembic meets the database: one connection, one transaction, one process at a time."""

from typing import Any, Literal

from alembic import context
from sqlalchemy import URL, Connection, create_engine, event, make_url
from sqlalchemy.pool import NullPool

from adapters.storage.columns import UTC
from adapters.storage.schema import metadata

# Any number that no other program in the database locks.
_LOCK = 7_046_029
# A machine that is gone in the middle of it lets the next one begin after so long; who waits for its turn waits.
_STILL = "2min"


def run() -> None:
    """Run the asked migration whole or not at all."""
    engine = create_engine(_blocking(context.config.attributes["url"]), poolclass=NullPool, hide_parameters=True)
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _leave_transactions_to_us)
    with engine.connect() as connection, connection.begin():
        _lock(connection)
        _configure(connection)
        with context.begin_transaction():
            context.run_migrations()
    engine.dispose()


def _blocking(url: str | URL) -> URL:
    parsed = make_url(url)
    return parsed.set(drivername="sqlite") if parsed.drivername == "sqlite+aiosqlite" else parsed


def _leave_transactions_to_us(connection: Any, _: object) -> None:
    # The driver would run CREATE TABLE outside any transaction, and a crash would leave half a schema.
    connection.isolation_level = None


def _lock(connection: Connection) -> None:
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("BEGIN IMMEDIATE")
    else:
        connection.exec_driver_sql(f"SET LOCAL idle_in_transaction_session_timeout = '{_STILL}'")
        connection.exec_driver_sql("SET LOCAL lock_timeout = 0")
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_LOCK})")


def _configure(connection: Connection) -> None:
    context.configure(
        connection=connection,
        target_metadata=metadata,
        render_as_batch=connection.dialect.name == "sqlite",
        compare_type=True,
        transactional_ddl=True,
        render_item=_render,
    )


def _render(kind: str, item: object, _: object) -> str | Literal[False]:
    # A revision outlives the code of today: it names plain types.
    return "sa.DateTime(timezone=True)" if kind == "type" and isinstance(item, UTC) else False


run()
