"""What a person tells the bot to do, by a slash command or in a mention, and the answer that they alone see."""

import asyncio
import json
import logging
import re
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from functools import partial
from http import HTTPStatus
from typing import Any

from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.webhook.async_client import AsyncWebhookClient

from adapters.slack.buttons import without_buttons
from adapters.slack.calls import Busy, Trouble, Unknown, Unsent, in_words, once
from adapters.slack.events import Listener, Post, is_asked, question_of
from adapters.slack.parts import in_familiar_blocks, in_plain_text, parts_of
from adapters.slack.refusals import UNSHOWABLE, Refusal, is_understood
from adapters.slack.rich_text import Json
from adapters.slack.whispers import pressable, replaced
from adapters.slack.words import words_of
from core.commands import FORGET, HELP, Verb, asked_in, spoken_in, verb_in
from core.conversation import Command, MessageRef
from core.delivery import Body, Part
from core.errors import whereabouts
from core.reply import RenderedReply
from core.text import language_of

_log = logging.getLogger(__name__)
# The library logs what it sends, unless it is told not to.
_vendor_log = logging.getLogger(f"{__name__}.vendor")
_vendor_log.setLevel(logging.ERROR)
Otherwise = Callable[[Part], Awaitable[None]]
Show = Callable[..., Coroutine[Any, Any, None]]

# docs.slack.dev/interactivity/handling-user-interaction: so often an address may be responded to.
_MOST_RESPONSES = 5
# How many pauses are waited for, and how many seconds one that Slack asks for may last: then nobody looks any more.
_PAUSES, _LONGEST_PAUSE = 2, 60.0
# Seconds after which a call is made again that was lost: should it come twice, one person sees it twice.
_SOON = 0.5
# Whoever has left is told nothing, wherever.
_LEFT = "user_not_in_channel"
# The slash command that has all others behind it.
_OURS = "/footnote"
_ASK = "/ask"
# Somebody as Slack writes a mention, and as people copy an id out of a profile.
_PERSON = re.compile(r"<@(?P<user>[UW][A-Z0-9]+)(?:\|[^<>]*)?>|@?(?P<bare>[UW][A-Z0-9]*[0-9][A-Z0-9]*)")


def command_in(post: Post, bot: str) -> Command | None:
    """Return what a post that speaks to the bot tells it to do, if that is all it says by now."""
    if not is_asked(post, bot):
        return None
    words = words_of(post.text, bot)
    slash, _, behind = words.partition(" ")
    is_slash = slash.lower() == _OURS
    if (said := _told(_OURS, behind) if is_slash else spoken_in(words)) is None:
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
        language=language_of(behind if is_slash else words),
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


async def respond(url: str, reply: RenderedReply, *, shown: int = 0, otherwise: Otherwise | None = None) -> None:
    """Show the reply to who gave a slash command, where they gave it, from the part on that is not `shown` yet.

    What Slack does not take there, as much as it takes, is shown `otherwise`; what cannot be is logged.
    """
    for number, part in enumerate(parts_of(reply)[shown:], shown):
        reason = await responded(url, part.body) if number < _MOST_RESPONSES else "it takes no more of them"
        if reason and otherwise:
            await otherwise(part)
        elif reason:
            _log.warning("Slack: an answer to a command was not shown: %s", reason)


def shown_for(body: Mapping[str, Any], command: Command, client: AsyncWebClient) -> Show:
    """Return what shows a reply to who gave the slash command: where they gave it, or else as to anybody."""
    to = Listener(command.place.rpartition(":")[2], command.asker)
    return partial(respond, str(body.get("response_url") or ""), otherwise=partial(whisper_part, client, to))


async def responded(url: str, body: Body) -> str:
    """Return why the message was not taken at the address that came with a command or a press, "" when it was."""
    client = AsyncWebhookClient(url, logger=_vendor_log, retry_handlers=[])
    reason = await _responded(client, in_familiar_blocks(body))
    if any(code in reason for code in UNSHOWABLE):
        reason = await _responded(client, in_plain_text(body))
    return reason


async def whisper(client: AsyncWebClient, to: Listener, reply: RenderedReply) -> None:
    """Show the reply to one person, and to nobody else. A pause that Slack asks for is waited for."""
    parts = parts_of(reply)
    if len(parts) == 1 and await replaced(client, to, pressable(in_familiar_blocks(parts[0].body), to)):
        return
    for part in parts:
        await whisper_part(client, to, part)


async def whisper_part(client: AsyncWebClient, to: Listener, part: Part) -> None:
    """Show it where the person is, or else at the address of what they did, or else directly: never silence."""
    answer = await _patiently(partial(_ephemeral, client, to, in_familiar_blocks(part.body)))
    if isinstance(answer, Refusal) and (answer.code in UNSHOWABLE or not is_understood(answer.code)):
        answer = await _patiently(partial(_ephemeral, client, to, in_plain_text(part.body)))
    if not isinstance(answer, Trouble):
        return
    _log.warning("Slack: what a person asked to see is told elsewhere: %s", in_words(answer))
    has_left = isinstance(answer, Refusal) and answer.code == _LEFT
    # What its buttons are about is told by the message in the channel alone.
    body = without_buttons(part.body) if to.about else part.body
    if not has_left and to.reach and not await responded(to.reach, body):
        return
    direct = partial(client.chat_postMessage, channel=to.user, unfurl_links=False, unfurl_media=False)
    if has_left or isinstance(await _patiently(lambda: direct(**in_familiar_blocks(body))), Trouble):
        _log.warning("Slack: what a person asked to see was not shown: %s", in_words(answer))


async def _responded(client: AsyncWebhookClient, content: Json) -> str:
    """Return why the answer was not taken, "" when it was."""
    try:
        answer = await client.send_dict({"response_type": "ephemeral", **content})
    except Exception as error:  # noqa: BLE001 - the library lets whatever its connection raises through
        return whereabouts(error)
    return "" if answer.status_code == HTTPStatus.OK else answer.body or f"status {answer.status_code}"


async def _patiently(call: Callable[[], Awaitable[Any]]) -> Any:
    """Return what came of the call; one that Slack put off, or that was lost, was made again after a pause."""
    answer = await once(call())
    for _ in range(_PAUSES):
        pause = answer.seconds if isinstance(answer, Busy) else _SOON
        if not isinstance(answer, Busy | Unsent | Unknown) or pause > _LONGEST_PAUSE:
            break
        await asyncio.sleep(pause)
        answer = await once(call())
    return answer


async def _ephemeral(client: AsyncWebClient, to: Listener, content: Json) -> Any:
    said = pressable(content, to)
    return await client.chat_postEphemeral(channel=to.channel, user=to.user, thread_ts=to.thread_ts, **said)
