"""How long a PostgreSQL server waits for us: what froze, or lost its machine, does not hold up the others."""

from typing import Any

from sqlalchemy import Text, bindparam, func, select

# Seconds that a transaction may stand still before it is undone: less than it takes until its copy is taken for dead
# (`bot/replica.py`), so that whoever takes over from it does not wait. A slow one computes between its statements.
STILL, STILL_WHEN_SLOW = 10.0, 120.0
# Seconds to wait for what another transaction holds: more than that one may stand still.
BLOCKED = 20.0

# Lets the transaction be a slow one.
SLOWLY = select(
    *(
        func.set_config(name, bindparam("wait", type_=Text), True)
        for name in ("idle_in_transaction_session_timeout", "lock_timeout")
    )
)


def limit_waits(connection: Any, _: object) -> None:
    """Let the server end what stands still on a new connection, and find out by itself that a machine is gone.

    Said on the connection, and not while connecting: what pools connections takes no options then.
    """
    limits = {
        "idle_in_transaction_session_timeout": in_words(STILL),
        "lock_timeout": in_words(BLOCKED),
        "tcp_keepalives_idle": "10",
        "tcp_keepalives_interval": "5",
        "tcp_keepalives_count": "3",
    }
    cursor = connection.cursor()
    cursor.execute("SELECT " + ", ".join(f"set_config('{name}', '{value}', false)" for name, value in limits.items()))
    cursor.close()
    # Else it would be taken back with the first transaction that is.
    connection.commit()


def one_by_one(cursor: Any, statement: str, rows: Any, _: object) -> bool:
    """Run a statement for each of the rows, in place of the driver's own way, and return that this is done.

    psycopg sends them as a pipeline, and says only afterwards that there is no more. To the server a client that
    freezes in between is about to go on: no limit of this module counts then, and its locks are held for ever
    (postgresql.org/docs/current/libpq-pipeline-mode.html; seen with PostgreSQL 18 and psycopg 3.3).
    """
    for row in rows:
        cursor.execute(statement, row)
    return True


def in_words(seconds: float) -> str:
    """Return a time as the server takes it."""
    return f"{seconds * 1000:.0f}ms"
