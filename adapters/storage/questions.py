"""A question as it is read from its row."""

from typing import Any, cast

from adapters.storage.offers import read_pressed
from adapters.storage.setting import (
    is_attached,
    is_private,
    is_unasked,
    read_around,
    read_door,
    read_language,
)
from adapters.storage.tables import turns
from adapters.storage.targets import read_target
from core.conversation import Audience, PlatformName, Question

ASKED = (
    turns.c.question_id,
    turns.c.platform,
    turns.c.thread,
    turns.c.text,
    turns.c.asker,
    turns.c.tenant,
    turns.c.groups,
    turns.c.guests,
    turns.c.asked_at,
    turns.c.place,
    turns.c.message,
    turns.c.root,
    turns.c.version,
    turns.c.resend,
    turns.c.continues,
    turns.c.pressed,
    turns.c.overheard,
    turns.c.setting,
    turns.c.answers,
)


def read_question(row: Any) -> Question:
    """Return the question of a row with the columns `ASKED`."""
    return Question(
        id=row["question_id"],
        platform=cast("PlatformName", row["platform"]),
        thread=row["thread"],
        text=row["text"],
        asker=row["asker"],
        audience=Audience(row["tenant"], frozenset(row["groups"]), guests=row["guests"]),
        asked_at=row["asked_at"],
        place=row["place"],
        message=row["message"],
        root=row["root"],
        version=row["version"],
        resend=row["resend"],
        pressed=read_pressed(row["continues"], row["pressed"]),
        overheard=row["overheard"],
        around=read_around(row["setting"]),
        private=is_private(row["setting"]),
        attached=is_attached(row["setting"]),
        unasked=is_unasked(row["setting"]),
        reads=read_language(row["setting"]),
        at_door=read_door(row["setting"]) is not None,
        answers=read_target(row["platform"], row["answers"]),
    )
