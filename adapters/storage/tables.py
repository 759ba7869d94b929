"""The tables, in types that SQLite and PostgreSQL share."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ColumnElement,
    Date,
    Float,
    Index,
    Integer,
    String,
    Table,
    Text,
    UniqueConstraint,
    and_,
    false,
    literal_column,
    text,
)

from adapters.storage.columns import JSON_VALUE as _JSON
from adapters.storage.columns import NUMBER as _NUMBER
from adapters.storage.columns import UTC, metadata

# A turn is `waiting` once its question is recorded, `working` while it is answered, then `done`; or `withdrawn`; or a
# `copy`, sent again by its device, of another one (`copy_of`), of which it has the mark (`resend`) no more.
# `version` grows with each edit of the question, and `heard` is that of the newest edit that changed nothing;
# `taken_by` is the replica that works on it. `continues`: the question whose reply offered the action that asked this
# one (`pressed`); `unclear`: what was asked back instead of an answer; `listed`: the list that its reply left off at;
# `answers`: the message that the question replies to. `groups` and `guests`: whom its reply is for; `sources`: the
# documents that it shows something of; `told`: the entities that each of its statements names; `setting`: what stood
# around it, whether it is private, and at the door.
turns = Table(
    "turns",
    metadata,
    Column("question_id", Text, primary_key=True),
    Column("thread", Text, nullable=False),
    Column("platform", String(20), nullable=False),
    Column("asker", Text, nullable=False),
    Column("tenant", Text, nullable=False),
    Column("groups", _JSON, nullable=False, server_default="[]"),
    Column("guests", Boolean, nullable=False, server_default=false()),
    Column("sources", _JSON),
    Column("told", _JSON),
    Column("place", Text, nullable=False, server_default=""),
    Column("message", Text, nullable=False, server_default=""),
    Column("root", Text),
    Column("resend", Text),
    Column("copy_of", Text),
    Column("overheard", Boolean, nullable=False, server_default=false()),
    Column("text", Text, nullable=False),
    Column("version", BigInteger, nullable=False, server_default="0"),
    Column("heard", BigInteger, nullable=False, server_default="0"),
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
    Column("answers", _JSON),
    Column("setting", _JSON),
    Index(None, "thread", "asked_at", "finished_at"),
    Index(None, "asked_at"),
    Index(None, "platform", "asker", "place", "asked_at"),
    UniqueConstraint("resend"),
)

# What waits or is worked on is a handful of rows among all that ever were.
_ACTIVE = text("state IN ('waiting', 'working')")
Index("ix_turns_active", turns.c.state, turns.c.thread, sqlite_where=_ACTIVE, postgresql_where=_ACTIVE)

_CONTINUED = text("continues IS NOT NULL")
Index("ix_turns_continues", turns.c.continues, sqlite_where=_CONTINUED, postgresql_where=_CONTINUED)

_COPIED = text("copy_of IS NOT NULL")
Index("ix_turns_copies", turns.c.copy_of, sqlite_where=_COPIED, postgresql_where=_COPIED)

_ASKED_BACK = text("unclear IS NOT NULL")
Index(
    "ix_turns_asked_back",
    *(turns.c.thread, turns.c.asked_at, turns.c.finished_at),
    sqlite_where=_ASKED_BACK,
    postgresql_where=_ASKED_BACK,
)

messages = Table(
    "messages",
    metadata,
    Column("ref", Text, primary_key=True),
    Column("thread", Text, nullable=False),
    Column("question_id", Text, nullable=False, index=True),
)

# One row for each message that is to be seen: what it says (`body`, none when it is to go), which message shows it
# (`shown`, none before the first), and whether these agree: `waiting`, `sending`, `sent`, `gone`, or for good
# `unknown` or `refused`; `held` until its question is let in. `version` grows with each change of the body; `tried` is
# the version that was sent last, `tried_before` the one before that, and `in_doubt` says that nobody knows what became
# of it. `final` is false for a sign that stands in for an answer.
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
    Index(None, "changed_at"),
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

# What each person says of an answer, in each version of its question; without a `verdict` it was taken back. `deeds`
# are the ids of the latest presses and emoji that made it so, by which one that is told of twice is known.
feedback = Table(
    "feedback",
    metadata,
    Column("question_id", Text, primary_key=True),
    Column("version", BigInteger, primary_key=True),
    Column("person", Text, primary_key=True),
    Column("tenant", Text, nullable=False),
    Column("verdict", String(10)),
    Column("reason", Text),
    Column("at", UTC, nullable=False),
    Column("deeds", _JSON, nullable=False),
    Index(None, "at"),
)

# The answers that a person has checked; `words` is the question as it is looked for, `result` the answer's contract.
# One has fallen when a source of it has changed.
pins = Table(
    "pins",
    metadata,
    Column("number", _NUMBER, primary_key=True),
    Column("tenant", Text, nullable=False),
    Column("words", Text, nullable=False),
    Column("question_id", Text, nullable=False),
    Column("version", BigInteger, nullable=False),
    Column("result", _JSON, nullable=False),
    Column("pinned_by", Text, nullable=False),
    Column("pinned_at", UTC, nullable=False),
    Column("fallen_at", UTC),
    Column("because", Text),
    UniqueConstraint("question_id", "version"),
    Index(None, "tenant", "words"),
    sqlite_autoincrement=True,
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

# Who was let in, or asked to be, by `person:` or `chat:` and a number: `allowed`; `pending` with the digest of a code
# that holds `until` then; or `told` that they are not. `times`: how often they were told so.
admissions = Table(
    "admissions",
    metadata,
    Column("platform", String(20), primary_key=True),
    Column("who", Text, primary_key=True),
    Column("state", String(10), nullable=False),
    Column("code", Text),
    Column("times", Integer, nullable=False),
    Column("until", UTC),
    Column("changed_by", Text, nullable=False),
    Column("changed_at", UTC, nullable=False),
)

# Who belongs to a group, as it was imported from somewhere: the file's name, or what the import calls itself.
group_members = Table(
    "group_members",
    metadata,
    Column("origin", Text, primary_key=True),
    Column("group_name", Text, primary_key=True),
    Column("member", Text, primary_key=True),
)

# A chain: `digest` goes through all entries before, `commitment` stands for the content of this one (core/chain.py).
# Triggers of revision 0020 let an entry change in one way only: its content goes (`erased_at`), with its `salt`.
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
    Column("kind", String(10), nullable=False, server_default="answer"),
    Column("salt", Text),
    Column("commitment", Text, nullable=False, server_default=""),
    Column("digest", Text, nullable=False, server_default=""),
    Column("erased_at", UTC),
    UniqueConstraint("question_id", "version"),
    Index(None, "at"),
    Index(None, "asker"),
    sqlite_autoincrement=True,
)

# What is erased stays as a link of the chain for ever, and is not looked for any more.
_KEPT = text("erased_at IS NULL")
Index("ix_audit_kept", audit.c.at, sqlite_where=_KEPT, postgresql_where=_KEPT)

# The last entry of the chain: one row, held by whoever appends.
audit_end = Table(
    "audit_end",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("number", BigInteger, nullable=False),
    Column("digest", Text, nullable=False),
)

# The bot in one of many workspaces, `sealed`: what it enters with. Until `turn_until` one copy alone may change that.
installations = Table(
    "installations",
    metadata,
    Column("platform", String(20), primary_key=True),
    Column("tenant", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("sealed", Text, nullable=False),
    Column("version", BigInteger, nullable=False),
    Column("turn_until", UTC),
    Column("installed_at", UTC, nullable=False),
    Column("changed_at", UTC, nullable=False),
)

# Until when what somebody, a place or a workspace has used up is refilled (core/rates.py), in seconds since 1970; until
# when nobody else does what one copy has claimed; and by `rest`, a platform and a place, until when nothing is shown.
rates = Table(
    "rates",
    metadata,
    Column("key", Text, primary_key=True),
    Column("until", Float, nullable=False),
)

# Installations that came back of late, each by the digest of a word that is taken once.
install_states = Table(
    "install_states",
    metadata,
    Column("digest", String(64), primary_key=True),
    Column("expires_at", UTC, nullable=False, index=True),
)

# The workspaces that the bot was removed from, whose data goes in time.
departures = Table(
    "departures",
    metadata,
    Column("platform", String(20), primary_key=True),
    Column("tenant", Text, primary_key=True),
    Column("left_at", UTC, nullable=False),
)


def is_forgotten() -> ColumnElement[bool]:
    """Return whether a turn is what is left of the question of somebody who is forgotten."""
    return and_(turns.c.state == "withdrawn", turns.c.asker == "")


def active(state: ColumnElement[str]) -> ColumnElement[bool]:
    """Return whether a turn waits or is worked on, so that the database looks in the index of these alone."""
    return _written_out(state, "waiting", "working")


def unsent(state: ColumnElement[str]) -> ColumnElement[bool]:
    """Return whether a message is still to be shown, so that the database looks in the indexes of these alone."""
    return _written_out(state, "waiting", "sending")


def _written_out(column: ColumnElement[str], *values: str) -> ColumnElement[bool]:
    # An index over some rows serves a query only where the text of the query says that it wants no others.
    return column.in_([literal_column(f"'{value}'") for value in values])
