"""How often questions may be asked within an hour: by one person, in one channel or chat, and in one workspace.

Each has a bucket that holds a number of questions and fills up again within an hour, kept as one moment: until when
what was taken out is on its way back (the generic cell rate algorithm, ITU-T I.371, annex A).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from core.conversation import Question

HOUR = 3600.0
# Seconds for which somebody who was told that they ask too often, or that too many wait, is not told so again.
TOLD = 60.0

Kind = Literal["person", "place", "workspace"]


@dataclass(frozen=True, slots=True)
class Hourly:
    """How many questions there may be in an hour; 0: any number."""

    person: int = 0
    place: int = 0
    workspace: int = 0


@dataclass(frozen=True, slots=True)
class Bucket:
    """What one question takes a place in: of which kind, its name for all copies of the bot, and seconds to refill."""

    kind: Kind
    key: str
    seconds: float


@dataclass(frozen=True, slots=True)
class TooOften:
    """Which bucket is empty, and in how many seconds there is a place in it."""

    kind: Kind
    seconds: float


def keys_of(question: Question) -> dict[Kind | Literal["told"], str]:
    """Return the names under which it is kept how often is asked; nobody in particular has none of their own."""
    platform, workspace = question.platform, question.audience.tenant
    person = f"{platform}:{workspace}:{question.asker}"
    keys: dict[Kind | Literal["told"], str] = {
        "place": f"place:{platform}:{question.place}",
        "workspace": f"workspace:{platform}:{workspace}",
        "told": f"told:{person}",
    }
    if question.asker:
        keys["person"] = f"person:{person}"
    return keys


def buckets_of(question: Question, hourly: Hourly) -> tuple[Bucket, ...]:
    """Return what the question takes a place in; what was only overheard counts for nobody in person."""
    keys = keys_of(question)
    limits: tuple[tuple[Kind, int], ...] = (
        ("person", 0 if question.overheard else hourly.person),
        ("place", hourly.place),
        ("workspace", hourly.workspace),
    )
    return tuple(Bucket(kind, keys[kind], HOUR / most) for kind, most in limits if most and kind in keys)


def too_often(buckets: tuple[Bucket, ...], used: Mapping[str, float], now: float) -> TooOften | None:
    """Return the bucket that has no place for one more question, the one that fills up last; None when all have.

    `used`: until when each is refilled, in seconds since 1970, as is `now`.
    """
    late = [TooOften(one.kind, max(used.get(one.key, 0.0), now) + one.seconds - now - HOUR) for one in buckets]
    # A millionth for what is lost in sums of fractions.
    worst = max(late, key=lambda one: one.seconds, default=None)
    return worst if worst and worst.seconds > 1e-6 * HOUR else None
