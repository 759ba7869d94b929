"""Questions between one person and the bot inside a channel: `/ask`, answered in messages that nobody else sees.

Such a message cannot be changed or found again later, vanishes when Slack is loaded anew, and reaches nobody who is
away: Slack promises no more for it (docs.slack.dev/reference/methods/chat.postEphemeral).
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from slack_sdk.web.async_client import AsyncWebClient

from adapters.slack import rich_text
from adapters.slack.addresses import between
from adapters.slack.calls import Barred, Busy, Trouble, Unknown, Unsent, once
from adapters.slack.events import private_audience
from adapters.slack.parts import in_blocks, in_plain_text
from adapters.slack.refusals import UNSHOWABLE, Refusal
from adapters.slack.rich_text import Json
from adapters.slack.words import words_of
from core.conversation import MessageRef, Question
from core.delivery import FIRST, Body, Doubtful, Later, Outcome, Outgoing, Refused, Shown
from core.phrases import phrase
from core.text import language_of

COMMAND = "/ask"
# The bot or the person is not in the channel, or nobody can write there: the direct channel is open still.
_ELSEWHERE = ("not_in_channel", "channel_not_found", "user_not_in_channel", "is_archived", "restricted_action")
_SOON, _BARRED_SECONDS = 1.0, 60.0


def ask_in(body: Mapping[str, Any]) -> Question | None:
    """Return what `/ask` asks, which may be nothing in words; None for any other payload."""
    match body:
        case {"command": str(name), "team_id": str(team), "channel_id": str(channel), "user_id": str(user)}:
            request = str(body.get("trigger_id") or "")
        case _:
            return None
    if name.lower() != COMMAND or not request:
        return None
    place, message = f"{team}:{channel}", between(user, request)
    return Question(
        id=str(MessageRef("slack", place, message)),
        platform="slack",
        thread=str(MessageRef("slack", place, f"{user}{COMMAND}")),
        text=words_of(str(body.get("text") or ""), ""),
        asker=user,
        audience=private_audience(team, channel, user),
        asked_at=datetime.now(UTC),
        place=place,
        message=message,
        private=True,
    )


async def show(client: AsyncWebClient, message: Outgoing, user: str) -> Outcome:
    """Return what came of one attempt to show the message to the person alone. Never raises, except when cancelled.

    What was shown stays; where it cannot be shown, it goes to the direct channel with the person.
    """
    if message.body is None:
        return Shown(None)
    channel = message.asked.place.rpartition(":")[2]
    answer = await _in_some_form(client, message.body, channel=channel, user=user)
    if isinstance(answer, Refusal) and answer.code in _ELSEWHERE:
        return await _in_direct(client, message, message.body, user)
    return _outcome(answer, message, channel, "message_ts")


async def _in_direct(client: AsyncWebClient, message: Outgoing, body: Body, user: str) -> Outcome:
    channel = message.asked.place.rpartition(":")[2]
    content = in_blocks(_introduced(body, channel) if message.part == FIRST else body)
    answer = await once(client.chat_postMessage(channel=user, unfurl_links=False, unfurl_media=False, **content))
    return _outcome(answer, message, "", "ts")


def _introduced(body: Body, channel: str) -> Body:
    """Return the message with a line that says where it was asked for."""
    said = phrase("private_elsewhere", language_of(str(body["text"])))
    line = [*rich_text.text(f"{said} "), {"type": "channel", "channel_id": channel}]
    intro = {"type": "rich_text", "elements": [rich_text.section(line)]}
    return {**body, "blocks": [intro, *body["blocks"]]}


async def _in_some_form(client: AsyncWebClient, body: Body, **where: str) -> Any:
    answer = await once(_ephemeral(client, in_blocks(body), where))
    if isinstance(answer, Refusal) and answer.code in UNSHOWABLE:
        return await once(_ephemeral(client, in_plain_text(body), where))
    return answer


async def _ephemeral(client: AsyncWebClient, content: Json, where: Mapping[str, str]) -> Any:
    return await client.chat_postEphemeral(channel=where["channel"], user=where["user"], **content)


def _outcome(answer: Any | Trouble, message: Outgoing, channel: str, name: str) -> Outcome:
    match answer:
        case Refusal(_, reason):
            return Refused(reason)
        case Unknown(reason):
            return Doubtful(reason)
        case Busy(seconds):
            return Later(seconds, "Slack asks for a pause", whole_place=True)
        case Barred(reason):
            return Later(_BARRED_SECONDS, reason, whole_place=True)
        case Unsent(reason):
            return Later(_SOON, reason, whole_place=True)
        case _:
            team = message.asked.place.rpartition(":")[0]
            return Shown(MessageRef("slack", f"{team}:{channel or answer['channel']}", str(answer[name])))
