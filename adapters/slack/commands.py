"""What a person tells the bot to do, by a slash command or in a mention, and the answer that they alone see."""

import asyncio
import json
import logging
import re
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from http import HTTPStatus
from typing import Any

from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.webhook.async_client import AsyncWebhookClient

from adapters.slack.calls import Busy, Trouble, in_words, once
from adapters.slack.events import Listener, Post, is_asked, question_of
from adapters.slack.parts import in_familiar_blocks, in_plain_text, parts_of
from adapters.slack.refusals import UNSHOWABLE, Refusal
from adapters.slack.rich_text import Json
from adapters.slack.whispers import pressable, replaced
from adapters.slack.words import words_of
from core.commands import FORGET, HELP, Verb, asked_in, spoken_in, verb_in
from core.conversation import Command, MessageRef
from core.errors import whereabouts
from core.reply import RenderedReply
from core.text import language_of

_log = logging.getLogger(__name__)

# docs.slack.dev/interactivity/handling-user-interaction: so often an address may be responded to.
_MOST_RESPONSES = 5
# How many pauses that Slack asks for are waited for, and how many seconds one may last: then nobody looks any more.
_PAUSES, _LONGEST_PAUSE = 2, 60.0
# The slash command that has all others behind it.
_OURS = "/footnote"
_ASK = "/ask"
# Somebody as Slack writes a mention, and as people copy an id out of a profile.
_PERSON = re.compile(r"<@(?P<user>[UW][A-Z0-9]+)(?:\|[^<>]*)?>|@?(?P<bare>[UW][A-Z0-9]*[0-9][A-Z0-9]*)")


def command_in(post: Post, bot: str) -> Command | None:
    """Return what a new post that speaks to the bot tells it to do, if that is all it says."""
    if post.version or not is_asked(post, bot):
        return None
    words = words_of(post.text, bot)
    if (said := spoken_in(words)) is None:
        return None
    verb, rest = said
    return Command(
        verb=verb.name,
        platform="slack",
        place=post.place,
        asker=post.user,
        person=f"slack:{post.team}:{post.user}",
        words=_by_id(verb, rest, post.team),
        thread=question_of(post, bot).thread,
        is_direct=post.is_direct,
        language=language_of(words),
        id=str(MessageRef("slack", post.place, post.ts)),
    )


def slash_in(body: Mapping[str, Any]) -> Command | None:
    """Return what a slash command tells the bot to do: what it does not know calls for help. None else."""
    match body:
        case {"command": str(slash), "team_id": str(team), "channel_id": str(channel), "user_id": str(user)}:
            words = str(body.get("text") or "").strip()
        case _:
            return None
    verb, rest = _told(slash.lower(), words) or (HELP, words)
    return Command(
        verb=verb.name,
        platform="slack",
        place=f"{team}:{channel}",
        asker=user,
        person=f"slack:{team}:{user}",
        words=_by_id(verb, rest, team),
        is_direct=channel.startswith("D"),
        language=language_of(words),
    )


def _by_id(verb: Verb[Any], words: str, team: str) -> str:
    """Return the words after a command about a person, who is named by their id where a mention or the id alone is."""
    found = _PERSON.fullmatch(words) if verb.name == FORGET.name else None
    return f"slack:{team}:{found['user'] or found['bare']}" if found else words


def _told(slash: str, words: str) -> tuple[Verb[Any], str] | None:
    """Return which command a slash command is with its words; what is asked in private may be one, too."""
    if slash == _ASK:
        return asked_in(words)
    return verb_in(words if slash == _OURS else f"{slash} {words}")


def whispered(reply: RenderedReply) -> str:
    """Return the body of an acknowledgement that shows the reply to the person alone."""
    [first, *_] = parts_of(reply)
    return json.dumps({"response_type": "ephemeral", **in_familiar_blocks(first.body)})


async def respond(url: str, reply: RenderedReply, *, shown: int = 0) -> None:
    """Show the reply to who gave a slash command, where they gave it, from the part on that is not `shown` yet.

    What cannot be shown is logged: nobody waits for it.
    """
    client = AsyncWebhookClient(url)
    for part in parts_of(reply)[shown:_MOST_RESPONSES]:
        reason = await _responded(client, in_familiar_blocks(part.body))
        if any(code in reason for code in UNSHOWABLE):
            reason = await _responded(client, in_plain_text(part.body))
        if reason:
            _log.warning("Slack: an answer to a command was not shown: %s", reason)


async def whisper(client: AsyncWebClient, to: Listener, reply: RenderedReply) -> None:
    """Show the reply to one person, and to nobody else; at most once. A pause that Slack asks for is waited for."""
    parts = parts_of(reply)
    if len(parts) == 1 and await replaced(client, to, pressable(in_familiar_blocks(parts[0].body), to)):
        return
    for part in parts:
        answer = await _patiently(partial(_ephemeral, client, to, in_familiar_blocks(part.body)))
        if isinstance(answer, Refusal) and answer.code in UNSHOWABLE:
            answer = await _patiently(partial(_ephemeral, client, to, in_plain_text(part.body)))
        if isinstance(answer, Trouble):
            _log.warning("Slack: what a person asked to see was not shown: %s", in_words(answer))


async def _responded(client: AsyncWebhookClient, content: Json) -> str:
    """Return why the answer was not taken, "" when it was."""
    try:
        answer = await client.send_dict({"response_type": "ephemeral", **content})
    except Exception as error:  # noqa: BLE001 - the library lets whatever its connection raises through
        return whereabouts(error)
    return "" if answer.status_code == HTTPStatus.OK else answer.body or f"status {answer.status_code}"


async def _patiently(call: Callable[[], Awaitable[Any]]) -> Any:
    """Return what came of the call; one that Slack put off was made again after the pause."""
    answer = await once(call())
    for _ in range(_PAUSES):
        if not isinstance(answer, Busy) or answer.seconds > _LONGEST_PAUSE:
            break
        await asyncio.sleep(answer.seconds)
        answer = await once(call())
    return answer


async def _ephemeral(client: AsyncWebClient, to: Listener, content: Json) -> Any:
    said = pressable(content, to)
    return await client.chat_postEphemeral(channel=to.channel, user=to.user, thread_ts=to.thread_ts, **said)
