"""What stands in place of a message's time where something is said to one person alone, or to a whole channel."""

import re

# Who asks, and which request it was; nobody, where it is said to all.
_ADDRESS = re.compile(r"(?P<user>[A-Z0-9]{0,40})/(?P<request>[A-Za-z0-9._-]{1,100})")
_ODD = re.compile(r"[^A-Za-z0-9._-]")


def between(user: str, request: str) -> str:
    """Return what stands in place of a message's time in a question that only this person sees."""
    return f"{user}/{_ODD.sub('_', request)[:100]}"


def aloud(ts: str) -> str:
    """Return what stands in place of a message's time where something is said to the whole channel after this time."""
    return between("", ts)


def is_address(message: str) -> bool:
    """Return whether it stands in place of a message's time."""
    return _ADDRESS.fullmatch(message) is not None


def reader_of(message: str) -> str | None:
    """Return who alone sees what is said to this message, or None for a message that everybody there sees."""
    found = _ADDRESS.fullmatch(message)
    return (found["user"] or None) if found else None


def since(message: str) -> str | None:
    """Return since when something that is said to the whole channel may stand there; None for any other message."""
    found = _ADDRESS.fullmatch(message)
    return found["request"] if found and not found["user"] else None
