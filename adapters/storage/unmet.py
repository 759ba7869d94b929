"""What it means when PostgreSQL does not let us in, by the words that it says."""

from collections.abc import Mapping

# What PostgreSQL and its client library say when a URL leads nowhere, and what that means.
UNMET = {
    "password authentication failed": "the user or the password is wrong",
    "no password supplied": "a password is wanted; write it as postgresql://user:password@host/name",
    'role "': "there is no such user",
    'database "': "there is no such database; make it with: createdb NAME",
    "failed to resolve host": "there is no such host",
    "no pg_hba.conf entry": "the server lets nobody in from here; see its pg_hba.conf",
}
# What it says when it may let us in a little later; some of these name the database as well, so they come first.
BUSY = {
    "the database system is": "it is starting or stopping",
    "too many clients": "all its connections are taken; a copy uses up to thirty: raise max_connections",
    "remaining connection slots": "all its connections are taken; a copy uses up to thirty: raise max_connections",
    "too many connections for": "no more connections for this user or database; a copy uses up to thirty",
    "not currently accepting connections": "the database takes no connections just now",
}


def meaning(words: Mapping[str, str], said: str) -> str | None:
    """Return what it means, if it is among these words."""
    return next((meaning for sign, meaning in words.items() if sign in said), None)
