"""The tables, in types that SQLite and PostgreSQL share."""

from datetime import UTC as ZONE
from datetime import datetime
from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    DateTime,
    Dialect,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    TypeDecorator,
    text,
)


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
_NUMBER = BigInteger().with_variant(Integer, "sqlite")
_JSON = JSON(none_as_null=True)

turns = Table(
    "turns",
    metadata,
    Column("question_id", Text, primary_key=True),
    Column("thread", Text, nullable=False),
    Column("platform", String(20), nullable=False),
    Column("asker", Text, nullable=False),
    Column("tenant", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("standalone", Text),
    Column("entities", _JSON),
    Column("state", String(10), nullable=False),
    Column("answered", Boolean),
    Column("asked_at", UTC, nullable=False),
    Column("finished_at", UTC),
    Column("result", _JSON),
    Index(None, "thread", "asked_at"),
)

messages = Table(
    "messages",
    metadata,
    Column("ref", Text, primary_key=True),
    Column("thread", Text, nullable=False),
    Column("question_id", Text, nullable=False),
)

audit = Table(
    "audit",
    metadata,
    Column("id", _NUMBER, primary_key=True),
    Column("question_id", Text, nullable=False),
    Column("tenant", Text, nullable=False),
    Column("asker", Text, nullable=False),
    Column("at", UTC, nullable=False),
    Column("words", Text, nullable=False),
    Column("record", _JSON, nullable=False),
    sqlite_autoincrement=True,
)

generations = Table(
    "generations",
    metadata,
    Column("number", _NUMBER, primary_key=True),
    Column("state", String(10), nullable=False),
    Column("source", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("embedder", Text, nullable=False),
    Column("dimension", Integer, nullable=False),
    Column("analyzer", Text, nullable=False),
    Column("created_at", UTC, nullable=False),
    Column("published_at", UTC),
    Column("counts", _JSON, nullable=False),
    Column("domain", _JSON, nullable=False),
    sqlite_autoincrement=True,
)

# The database itself refuses a second live generation.
_LIVE = text("state = 'live'")
Index("uq_generations_live", generations.c.state, unique=True, sqlite_where=_LIVE, postgresql_where=_LIVE)

documents = Table(
    "documents",
    metadata,
    Column("generation", _NUMBER, ForeignKey("generations.number", ondelete="CASCADE"), primary_key=True),
    Column("doc_id", Text, primary_key=True),
    Column("digest", Text, nullable=False),
    Column("body", _JSON, nullable=False),
)
