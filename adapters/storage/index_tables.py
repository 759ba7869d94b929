"""The tables of indexing: generations, what they hold, and what is being made."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
    false,
    text,
)

from adapters.storage.columns import JSON_VALUE as _JSON
from adapters.storage.columns import NUMBER as _NUMBER
from adapters.storage.columns import UTC, metadata

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


# What admins ordered to be indexed from a chat, `open` until it has ended. `before`: the generation that was live when
# the work began. The message that shows how it goes is in the outbox, by the order's id.
index_orders = Table(
    "index_orders",
    metadata,
    Column("number", _NUMBER, primary_key=True),
    Column("person", Text, nullable=False),
    Column("platform", String(20), nullable=False),
    Column("place", Text, nullable=False),
    Column("language", String(5), nullable=False),
    Column("asked_at", UTC, nullable=False),
    Column("before", _NUMBER),
    Column("stopping", Boolean, nullable=False, server_default=false()),
    Column("state", String(10), nullable=False),
    Column("ended_at", UTC),
    sqlite_autoincrement=True,
)

# The database itself refuses a second live generation, and a second one that is being built.
for _state in ("live", "building"):
    _ONLY = text(f"state = '{_state}'")
    Index(f"uq_generations_{_state}", generations.c.state, unique=True, sqlite_where=_ONLY, postgresql_where=_ONLY)

Index("ix_holdings_doc_id_digest", holdings.c.doc_id, holdings.c.digest)

_OPEN = text("state = 'open'")
Index("uq_index_orders_open", index_orders.c.state, unique=True, sqlite_where=_OPEN, postgresql_where=_OPEN)
