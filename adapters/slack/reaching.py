"""Where people are reached in Slack who have asked nothing: a channel as a whole, and the way back to who asked."""

import logging
import time

from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.web.async_slack_response import AsyncSlackResponse

from adapters.slack.addresses import aloud
from adapters.slack.channels import Channel
from adapters.slack.commands import whisper
from adapters.slack.doors import Doors
from adapters.slack.events import Listener
from adapters.slack.people import quickly
from adapters.slack.shortcuts import hindrance
from core.conversation import MessageRef, Question
from core.errors import DeliveryError
from core.reply import RenderedReply
from core.visiting import Case

_log = logging.getLogger(__name__)


async def way_to(doors: Doors, place: str) -> MessageRef | None:
    """Return what stands for a message to which the channel is told something; None when we cannot write there."""
    channel = await doors.channels.look(place.rpartition(":")[2])
    is_ours = isinstance(channel, Channel) and (doors.porter.lets_all_in or not channel.is_shared)
    if is_ours and hindrance(channel) is None:
        return MessageRef("slack", place, aloud(f"{time.time():.6f}"))
    _log.warning("Slack: HANDOFF_CHANNEL cannot be written in: %s", channel)
    return None


async def speak_alone(doors: Doors, client: AsyncWebClient, question: Question, reply: RenderedReply) -> None:
    """Show it in the question's thread to who asked it, and to nobody else; nothing where outsiders may read."""
    team, _, channel = question.place.rpartition(":")
    try:
        if await doors.porter.objection(team, channel, question.asker):
            return
    except DeliveryError as error:
        _log.info("Slack: a word to one person was not said: %s", error.reason)
        return
    root = question.root or question.message
    await whisper(client, Listener(channel, question.asker, root, question.message), reply)


async def link_to(client: AsyncWebClient, case: Case) -> str | None:
    """Return the address of what was asked, or of a conversation with who asked it where nobody else sees it.

    docs.slack.dev/interactivity/deep-linking: app_redirect opens a direct message by the id of a person.
    """
    channel = case.asked.place.rpartition(":")[2]
    if case.private or channel.startswith("D"):
        return f"https://slack.com/app_redirect?team={case.tenant}&channel={case.asker}"
    answer = await quickly(client.chat_getPermalink(channel=channel, message_ts=case.asked.message))
    return str(answer["permalink"]) if isinstance(answer, AsyncSlackResponse) else None
