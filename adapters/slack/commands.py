"""What a person tells the bot to do, by a slash command or in a mention, and the answer that they alone see."""

import json
import logging
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from slack_sdk.web.async_client import AsyncWebClient

from adapters.slack.calls import once
from adapters.slack.events import Listener, Post, is_asked, question_of
from adapters.slack.parts import in_blocks, in_plain_text, parts_of
from adapters.slack.refusals import Refusal
from adapters.slack.rich_text import Json
from adapters.slack.words import words_of
from core.conversation import Command
from core.render import say
from core.reply import RenderedReply

_log = logging.getLogger(__name__)

# "/why", "channel", "channel mode gate"; the words of a question stand for nothing else.
_WHY = re.compile(r"/?why\s*", re.IGNORECASE)
_SAID_WHY = re.compile(r"/why\s*", re.IGNORECASE)
_MODE = re.compile(r"/?channel(?:\s+mode)?(?:\s+(?P<mode>\w{1,20}))?\s*", re.IGNORECASE)
_HELP = (
    "/footnote why tells how I came to my latest answer to you here; in a thread, mention me and write /why.\n"
    "/footnote channel tells whom I hear in this channel, /footnote channel mode gate changes it."
)


def command_in(post: Post, bot: str) -> Command | None:
    """Return what a new post that speaks to the bot tells it to do, if that is all it says."""
    if post.version or not is_asked(post, bot):
        return None
    command = Command(
        verb="why",
        platform="slack",
        place=post.place,
        asker=post.user,
        person=f"slack:{post.team}:{post.user}",
        thread=question_of(post, bot).thread,
        is_direct=post.is_direct,
    )
    words = words_of(post.text, bot)
    if _SAID_WHY.fullmatch(words):
        return command
    if (said := _MODE.fullmatch(words)) and ("mode" in words.lower() or words.startswith("/")):
        return replace(command, verb="mode", words=said["mode"] or "")
    return None


def slash_in(body: Mapping[str, Any]) -> Command | str | None:
    """Return what a slash command tells the bot to do, or the help that it asks for; None for any other payload."""
    match body:
        case {"command": str(_), "team_id": str(team), "channel_id": str(channel), "user_id": str(user)}:
            words = str(body.get("text") or "").strip()
        case _:
            return None
    command = Command(
        verb="why",
        platform="slack",
        place=f"{team}:{channel}",
        asker=user,
        person=f"slack:{team}:{user}",
        is_direct=channel.startswith("D"),
    )
    if _WHY.fullmatch(words):
        return command
    if said := _MODE.fullmatch(words):
        return replace(command, verb="mode", words=said["mode"] or "")
    return _HELP


def whispered(reply: RenderedReply | str) -> str:
    """Return the body of an acknowledgement that shows the reply to the person alone."""
    reply = say(reply, "en") if isinstance(reply, str) else reply
    [first, *_] = parts_of(reply)
    return json.dumps({"response_type": "ephemeral", **in_blocks(first.body)})


async def whisper(client: AsyncWebClient, to: Listener, reply: RenderedReply) -> None:
    """Show the reply to one person, and to nobody else; at most once."""
    for part in parts_of(reply):
        answer = await once(_ephemeral(client, to, in_blocks(part.body)))
        if isinstance(answer, Refusal):
            answer = await once(_ephemeral(client, to, in_plain_text(part.body)))
        if isinstance(answer, Refusal):
            _log.warning("Slack: what a person asked to see was not shown: %s", answer.reason)


async def _ephemeral(client: AsyncWebClient, to: Listener, content: Json) -> Any:
    return await client.chat_postEphemeral(channel=to.channel, user=to.user, thread_ts=to.thread_ts, **content)
