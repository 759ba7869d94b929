"""The chain that holds the audit log together: whoever changes, removes or slips in a record breaks it visibly.

A record's *commitment* is the SHA-256 of a random salt and its content as canonical JSON (RFC 8785). Its *digest* is
the SHA-256 of the digest before it, its number, its moment and its commitment. Content and salt may be erased later:
the commitment says nothing about them then (a short content could not be guessed either), and the chain still holds.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

import rfc8785

# What the first record of a chain follows.
START = ""
# Bytes of a salt: as many as make guessing a content, to compare it with a commitment, hopeless.
SALT = 16


@dataclass(frozen=True, slots=True)
class Link:
    """What of a record is never erased. `digest` goes through everything before it."""

    number: int
    at: datetime
    commitment: str
    digest: str


def commitment_of(content: Mapping[str, Any], salt: str) -> str:
    """Return the hash that stands for a content. Raises ValueError for what JSON cannot say."""
    return sha256(salt.encode() + b"\n" + rfc8785.dumps(dict(content))).hexdigest()


def linked(before: str, number: int, at: datetime, commitment: str) -> Link:
    """Return the link that follows the digest `before`."""
    said = (before, number, at.astimezone(UTC).isoformat(timespec="microseconds"), commitment)
    return Link(number, at, commitment, sha256(rfc8785.dumps(said)).hexdigest())


def fault_of_link(before: str, link: Link) -> str | None:
    """Return what is wrong with a link that is to follow the digest `before`, or None."""
    if link.digest == linked(before, link.number, link.at, link.commitment).digest:
        return None
    return "it does not follow the record before it: one was changed, removed or slipped in here"
