"""What all tables are made of: the types that SQLite and PostgreSQL share, and the names of constraints."""

from datetime import UTC as ZONE
from datetime import datetime
from typing import Any

from sqlalchemy import JSON, BigInteger, DateTime, Dialect, Integer, MetaData, TypeDecorator


class UTC(TypeDecorator[datetime]):
    """A moment: stored in UTC and given back with its zone, also where the database keeps none."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, _: Dialect) -> datetime | None:
        """Return the moment in UTC. Raises ValueError for a time without a zone, which is no moment."""
        if value is not None and value.tzinfo is None:
            raise ValueError("a time without a zone cannot be stored")
        return value and value.astimezone(ZONE)

    def process_result_value(self, value: Any, _: Dialect) -> datetime | None:
        """Return the stored moment with its zone."""
        if value is None:
            return None
        moment: datetime = value
        return moment.replace(tzinfo=ZONE) if moment.tzinfo is None else moment.astimezone(ZONE)


# Constraints need names: SQLite changes a table by copying it, and finds a constraint by its name alone.
metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)

# SQLite numbers rows by itself only in a key of exactly the type INTEGER.
NUMBER = BigInteger().with_variant(Integer, "sqlite")
JSON_VALUE = JSON(none_as_null=True)
