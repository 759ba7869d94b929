"""What a database reports, in words that hold no SQL and nothing a user wrote."""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from core.errors import StorageError


@contextmanager
def storage_errors() -> Iterator[None]:
    """Turn every failure of the database into a StorageError that can be shown and logged as it is."""
    try:
        yield
    except (SQLAlchemyError, OSError, UnicodeError) as error:
        raise StorageError(f"the database did not do it ({reason(error)})") from None


def reason(error: Exception) -> str:
    """Return the kind of failure with the database's code for it; its message is left out, it may quote values."""
    origin = error.orig if isinstance(error, DBAPIError) and error.orig is not None else error
    code = code_of(error)
    return f"{type(origin).__name__}, {code}" if code else type(origin).__name__


def code_of(error: Exception) -> str | None:
    """Return the database's own code: SQLite's name of the error, or PostgreSQL's five characters."""
    origin = error.orig if isinstance(error, DBAPIError) else error
    return getattr(origin, "sqlite_errorname", None) or getattr(origin, "sqlstate", None)
