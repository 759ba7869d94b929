"""The message shortcut "Answer this": the message is the question, and its thread gets the answer."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from adapters.slack.calls import Barred, Trouble
from adapters.slack.channels import Channel
from adapters.slack.events import audience_of
from adapters.slack.refusals import Refusal
from adapters.slack.words import words_of
from core.conversation import MessageRef, Question
from core.remarks import Around

CALLBACK = "footnote_answer"
_TS = re.compile(r"[0-9]{1,10}\.[0-9]{6}")
_ABSENT = ("channel_not_found", "not_in_channel")


@dataclass(frozen=True, slots=True)
class Chosen:
    """A message that somebody wants answered, and where that person alone can be told something."""

    question: Question
    response_url: str


def chosen_in(body: Mapping[str, Any], bot: str) -> Chosen | None:
    """Return what the shortcut was used on; None for any other payload."""
    match body:
        case {
            "type": "message_action",
            "callback_id": str(callback),
            "team": {"id": str(team)},
            "channel": {"id": str(channel)},
            "user": {"id": str(user)},
            "message": {"ts": str(ts)} as message,
        } if callback == CALLBACK and _TS.fullmatch(ts):
            question = _question(team, channel, user, message, bot)
            return Chosen(question, str(body.get("response_url") or ""))
    return None


def hindrance(channel: Channel | Trouble) -> str | None:
    """Return the name of the sentence why nothing can be answered in the channel, or None where it can."""
    match channel:
        case Channel(is_archived=True):
            return "shortcut_archived"
        case Channel(is_member=False):
            return "shortcut_invite"
        case Refusal(code) if code in _ABSENT:
            return "shortcut_invite"
        case Refusal() | Barred():
            return "outside_unknown"
        case _:
            return None


def _question(team: str, channel: str, user: str, message: Mapping[str, Any], bot: str) -> Question:
    """Return the question that the message asks: the same one, should it be asked by a mention, too."""
    place, ts = f"{team}:{channel}", str(message["ts"])
    given = message.get("thread_ts")
    root = given if isinstance(given, str) and _TS.fullmatch(given) else ts
    text = message.get("text")
    words = text.encode("utf-8", "ignore").decode().replace("\0", "") if isinstance(text, str) else ""
    question = Question(
        id=str(MessageRef("slack", place, ts)),
        platform="slack",
        thread=str(MessageRef("slack", place, root)),
        text=words_of(words, bot),
        asker=user,
        audience=audience_of(team, channel),
        asked_at=datetime.fromtimestamp(float(ts), UTC),
        place=place,
        message=ts,
        root=root,
    )
    return replace(question, around=Around()) if root != ts and not channel.startswith("D") else question
