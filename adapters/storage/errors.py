"""What a database reports, in words that hold no SQL and nothing a user wrote."""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from core.errors import StorageError

# A connection that is lost, a database that is locked, full or starting: it may work in a while.
_PASSING = (OperationalError, InterfaceError, PoolTimeoutError, OSError)
# The same in PostgreSQL's words (postgresql.org/docs/current/errcodes-appendix.html): connection, conflict with another
# transaction, no room, a server that goes or comes, one that may only be read while another takes its place, and what
# took too long: a lock that another transaction holds, a transaction that stood still.
_PASSING_CODES = ("08", "40", "53", "55P03", "57P", "25006", "25P03")
# What a start finds in SQLite's words: a disk that is full or fails, another program that holds the file.
_PASSING_NAMES = ("SQLITE_FULL", "SQLITE_IOERR", "SQLITE_BUSY", "SQLITE_LOCKED", "SQLITE_NOMEM", "SQLITE_PROTOCOL")
# A file that holds something else, or is broken.
_BROKEN_NAMES = ("SQLITE_NOTADB", "SQLITE_CORRUPT")


@contextmanager
def storage_errors(what: str = "the database did not do it") -> Iterator[None]:
    """Turn every failure of the database into a StorageError that can be shown and logged as it is."""
    try:
        yield
    except (SQLAlchemyError, OSError, UnicodeError) as error:
        passing = isinstance(error, _PASSING) or str(code_of(error)).startswith(_PASSING_CODES)
        raise StorageError(f"{what} ({reason(error)})", retry=passing) from None


def may_pass(error: Exception) -> bool:
    """Return whether what failed at a start may work in a while, as it is."""
    code = code_of(error) or ""
    if code.startswith("SQLITE"):
        return code.startswith(_PASSING_NAMES)
    return isinstance(error, _PASSING) or code.startswith(_PASSING_CODES)


def is_broken(error: Exception) -> bool:
    """Return whether the file itself cannot be read any more."""
    return (code_of(error) or "").startswith(_BROKEN_NAMES)


def reason(error: Exception) -> str:
    """Return the kind of failure with the database's code for it; its message is left out, it may quote values."""
    origin = error.orig if isinstance(error, DBAPIError) and error.orig is not None else error
    code = code_of(error)
    return f"{type(origin).__name__}, {code}" if code else type(origin).__name__


def code_of(error: Exception) -> str | None:
    """Return the database's own code: SQLite's name of the error, or PostgreSQL's five characters."""
    origin = error.orig if isinstance(error, DBAPIError) else error
    return getattr(origin, "sqlite_errorname", None) or getattr(origin, "sqlstate", None)
