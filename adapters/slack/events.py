"""Slack's events, read once: which are posts of people, and which of those may be questions to us."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal

from adapters.slack.words import calls_others, mentions, words_of
from core.conversation import Audience, Question

# A message without a subtype, one also sent to the channel, and one with a file. Every other subtype (edits,
# deletions, people joining, other bots, whatever Slack adds) is not somebody asking something.
_SPOKEN = (None, "thread_broadcast", "file_share")
_SLACKBOT = "USLACKBOT"

Standing = Literal["asked", "follow_up", "overheard"]


@dataclass(frozen=True, slots=True)
class Post:
    """What a person wrote where the bot can read it; `text` is in Slack's markup."""

    team: str
    channel: str
    ts: str
    user: str
    text: str
    thread_ts: str | None = None
    is_direct: bool = False

    @property
    def root(self) -> str:
        """The first message of the post's thread: itself, unless it is a reply."""
        return self.thread_ts or self.ts

    @property
    def place(self) -> str:
        """The channel, with its workspace."""
        return f"{self.team}:{self.channel}"


def read_post(body: Mapping[str, Any], bot: str) -> Post | None:
    """Return the post that an event tells of, or None when it tells of anything but a person's message.

    `app_mention` and `message` for one message give equal posts.
    """
    event = body.get("event")
    if not isinstance(event, dict) or event.get("type") not in ("app_mention", "message"):
        return None
    if event.get("subtype") not in _SPOKEN or event.get("user") in (_SLACKBOT, bot):
        return None
    if event.get("bot_id") or event.get("bot_profile"):
        return None
    if event.get("subtype") == "file_share" and not _text(event, "text").strip():
        return None
    return _post(body, event)


def standing_of(post: Post, bot: str) -> Standing:
    """Return whether the post asks the bot, or does so if it stands in a conversation with the bot, or does not."""
    if post.is_direct or mentions(post.text, bot):
        return "asked"
    is_reply = post.thread_ts not in (None, post.ts)
    if is_reply and words_of(post.text, bot) and not calls_others(post.text, bot):
        return "follow_up"
    return "overheard"


def question_of(post: Post, bot: str) -> Question:
    """Return the question that the post asks; its id is the same whichever event told of it."""
    return Question(
        id=f"slack:{post.place}:{post.ts}",
        platform="slack",
        thread=f"slack:{post.place}:{post.root}",
        text=words_of(post.text, bot),
        asker=post.user,
        audience=Audience(tenant=post.team),
        asked_at=datetime.fromtimestamp(float(post.ts), UTC),
    )


def _post(body: Mapping[str, Any], event: Mapping[str, Any]) -> Post | None:
    channel = _text(event, "channel")
    post = Post(
        team=_text(body, "context_team_id") or _text(body, "team_id"),
        channel=channel,
        ts=_text(event, "ts"),
        user=_text(event, "user"),
        text=_text(event, "text"),
        thread_ts=_text(event, "thread_ts") or None,
        # `app_mention` has no channel_type; ids of direct channels begin with D.
        is_direct=event.get("channel_type") == "im" or channel.startswith("D"),
    )
    is_whole = post.team and post.channel and post.user and post.ts.replace(".", "", 1).isdecimal()
    return post if is_whole else None


def _text(value: Mapping[str, Any], name: str) -> str:
    found = value.get(name)
    return found if isinstance(found, str) else ""
