"""The tables, in types that SQLite and PostgreSQL share."""

from datetime import UTC as ZONE
from datetime import datetime
from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    ColumnElement,
    Date,
    DateTime,
    Dialect,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
    TypeDecorator,
    UniqueConstraint,
    false,
    literal_column,
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

# A turn is `waiting` once its question is recorded, `working` while it is answered, then `done`; or `withdrawn`.
# `version` grows with each edit of the question; `taken_by` is the replica that works on it. `continues`: the question
# whose reply offered the action that asked this one (`pressed`); `unclear`: what was asked back instead of an answer;
# `listed`: the list that its reply left off at.
turns = Table(
    "turns",
    metadata,
    Column("question_id", Text, primary_key=True),
    Column("thread", Text, nullable=False),
    Column("platform", String(20), nullable=False),
    Column("asker", Text, nullable=False),
    Column("tenant", Text, nullable=False),
    Column("groups", _JSON, nullable=False, server_default="[]"),
    Column("place", Text, nullable=False, server_default=""),
    Column("message", Text, nullable=False, server_default=""),
    Column("root", Text),
    Column("resend", Text),
    Column("overheard", Boolean, nullable=False, server_default=false()),
    Column("text", Text, nullable=False),
    Column("version", BigInteger, nullable=False, server_default="0"),
    Column("standalone", Text),
    Column("entities", _JSON),
    Column("state", String(10), nullable=False),
    Column("turn", BigInteger, nullable=False, server_default="0"),
    Column("taken_by", Text),
    Column("answered", Boolean),
    Column("asked_at", UTC, nullable=False),
    Column("arrived_at", UTC),
    Column("finished_at", UTC),
    Column("result", _JSON),
    Column("continues", Text),
    Column("pressed", _JSON),
    Column("unclear", _JSON),
    Column("listed", _JSON),
    Index(None, "thread", "asked_at", "finished_at"),
    UniqueConstraint("resend"),
)

# What waits or is worked on is a handful of rows among all that ever were.
_ACTIVE = text("state IN ('waiting', 'working')")
Index("ix_turns_active", turns.c.state, turns.c.thread, sqlite_where=_ACTIVE, postgresql_where=_ACTIVE)

_CONTINUED = text("continues IS NOT NULL")
Index("ix_turns_continues", turns.c.continues, sqlite_where=_CONTINUED, postgresql_where=_CONTINUED)

messages = Table(
    "messages",
    metadata,
    Column("ref", Text, primary_key=True),
    Column("thread", Text, nullable=False),
    Column("question_id", Text, nullable=False),
)

# One row for each message that is to be seen: what it says (`body`, none when it is to go), which message shows it
# (`shown`, none before the first), and whether these agree: `waiting`, `sending`, `sent`, `gone`, or for good
# `unknown` or `refused`. `version` grows with each change of the body; `tried` is the version that was sent last,
# `tried_before` the one before that, and `in_doubt` says that nobody knows what became of it. `final` is false for a
# sign that stands in for an answer.
outbox = Table(
    "outbox",
    metadata,
    Column("id", _NUMBER, primary_key=True),
    Column("question_id", Text, nullable=False),
    Column("part", String(40), nullable=False),
    Column("platform", String(20), nullable=False),
    Column("place", Text, nullable=False),
    Column("thread", Text, nullable=False),
    Column("root", Text),
    Column("message", Text, nullable=False),
    Column("body", _JSON),
    Column("final", Boolean, nullable=False),
    Column("shown", _JSON),
    Column("state", String(10), nullable=False),
    Column("version", Integer, nullable=False),
    Column("tried", Integer, nullable=False),
    Column("tried_before", Integer, nullable=False, server_default="0"),
    Column("in_doubt", Boolean, nullable=False),
    Column("owner", Text),
    Column("seq", BigInteger, nullable=False),
    Column("due_at", UTC, nullable=False),
    Column("changed_at", UTC, nullable=False),
    Column("reason", Text),
    UniqueConstraint("question_id", "part"),
    Index(None, "seq"),
    sqlite_autoincrement=True,
)

_UNSENT = text("state IN ('waiting', 'sending')")
Index("ix_outbox_unsent", outbox.c.thread, outbox.c.seq, sqlite_where=_UNSENT, postgresql_where=_UNSENT)
Index("ix_outbox_places", outbox.c.platform, outbox.c.place, sqlite_where=_UNSENT, postgresql_where=_UNSENT)

# The processes that share this database; a living one counts up `beat`.
replicas = Table(
    "replicas",
    metadata,
    Column("id", Text, primary_key=True),
    Column("beat", BigInteger, nullable=False),
    Column("started_at", UTC, nullable=False),
)

# What only one replica may do at a time, and which one does it.
leases = Table(
    "leases",
    metadata,
    Column("name", Text, primary_key=True),
    Column("holder", Text, nullable=False),
)

feedback = Table(
    "feedback",
    metadata,
    Column("question_id", Text, primary_key=True),
    Column("person", Text, primary_key=True),
    Column("tenant", Text, nullable=False),
    Column("helpful", Boolean, nullable=False),
    Column("reason", Text),
    Column("at", UTC, nullable=False),
)

# What models cost a workspace on a day of UTC; `cost` in US dollars.
spending = Table(
    "spending",
    metadata,
    Column("tenant", Text, primary_key=True),
    Column("day", Date, primary_key=True),
    Column("calls", BigInteger, nullable=False),
    Column("tokens", BigInteger, nullable=False),
    Column("cost", Float, nullable=False),
)

channel_settings = Table(
    "channel_settings",
    metadata,
    Column("platform", String(20), primary_key=True),
    Column("place", Text, primary_key=True),
    Column("settings", _JSON, nullable=False),
    Column("changed_by", Text, nullable=False),
    Column("changed_at", UTC, nullable=False),
)

audit = Table(
    "audit",
    metadata,
    Column("id", _NUMBER, primary_key=True),
    Column("question_id", Text, nullable=False),
    Column("version", BigInteger, nullable=False, server_default="0"),
    Column("tenant", Text, nullable=False),
    Column("asker", Text, nullable=False),
    Column("at", UTC, nullable=False),
    Column("words", Text, nullable=False),
    Column("record", _JSON, nullable=False),
    UniqueConstraint("question_id", "version"),
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
    Column("base", _NUMBER),
    Column("passages_version", BigInteger),
    Column("chunks_version", BigInteger),
    Column("parent", _NUMBER),
    Column("progress", _JSON, nullable=False, server_default="{}"),
    Column("touched_at", UTC),
    Column("stopping", Boolean, nullable=False, server_default=false()),
    Column("names", Text),
    Column("builder", Text),
    sqlite_autoincrement=True,
)

# The database itself refuses a second live generation, and a second one that is being built.
for _state in ("live", "building"):
    _ONLY = text(f"state = '{_state}'")
    Index(f"uq_generations_{_state}", generations.c.state, unique=True, sqlite_where=_ONLY, postgresql_where=_ONLY)

# A document as it was understood, once for all generations that hold it; what it adds to the names of the corpus, and
# how many chunks it has.
documents = Table(
    "documents",
    metadata,
    Column("doc_id", Text, nullable=False),
    Column("digest", Text, nullable=False),
    Column("body", _JSON, nullable=False),
    Column("names", _JSON),
    Column("chunks", Integer, nullable=False, server_default="0"),
    PrimaryKeyConstraint("doc_id", "digest", name="pk_documents_kept"),
)

# Which documents a generation is to hold, the item of its source that each was made of, and the digest its rows are of.
holdings = Table(
    "holdings",
    metadata,
    Column("generation", _NUMBER, ForeignKey("generations.number", ondelete="CASCADE"), primary_key=True),
    Column("doc_id", Text, primary_key=True),
    Column("digest", Text, nullable=False),
    Column("item", Text, nullable=False),
    Column("written", Text),
)
Index("ix_holdings_doc_id_digest", holdings.c.doc_id, holdings.c.digest)

# The items of its source that a generation was made from, as they were.
items = Table(
    "items",
    metadata,
    Column("generation", _NUMBER, ForeignKey("generations.number", ondelete="CASCADE"), primary_key=True),
    Column("name", Text, primary_key=True),
    Column("sign", Text, nullable=False),
    Column("digest", Text, nullable=False),
    Column("problems", _JSON, nullable=False),
)

# What models proposed as edges for a chunk; `asker` stands for the models and for what they were asked.
proposals = Table(
    "proposals",
    metadata,
    Column("doc_id", Text, primary_key=True),
    Column("chunk", Text, primary_key=True),
    Column("asker", Text, primary_key=True),
    Column("edges", _JSON, nullable=False),
)

# The parts of an index run, by what they are made from: `waiting` until a copy takes it (`taken_by`), then `working`,
# then `made`, when its rows are staged; `kept` is what was made for a run that ended before it wrote them. `names` is
# the digest of the names of the corpus.
index_parts = Table(
    "index_parts",
    metadata,
    Column("name", Text, primary_key=True),
    Column("generation", _NUMBER, ForeignKey("generations.number", ondelete="CASCADE"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("documents", _JSON, nullable=False),
    Column("known", _JSON),
    Column("names", Text, nullable=False),
    Column("state", String(10), nullable=False),
    Column("taken_by", Text),
    Index(None, "generation", "number"),
)


def active(state: ColumnElement[str]) -> ColumnElement[bool]:
    """Return whether a turn waits or is worked on, so that the database looks in the index of these alone."""
    return _written_out(state, "waiting", "working")


def unsent(state: ColumnElement[str]) -> ColumnElement[bool]:
    """Return whether a message is still to be shown, so that the database looks in the indexes of these alone."""
    return _written_out(state, "waiting", "sending")


def _written_out(column: ColumnElement[str], *values: str) -> ColumnElement[bool]:
    # An index over some rows serves a query only where the text of the query says that it wants no others.
    return column.in_([literal_column(f"'{value}'") for value in values])
