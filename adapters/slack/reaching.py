"""Where people are reached in Slack who have asked nothing: a channel as a whole, and the way back to who asked."""

import logging
import time

from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.web.async_slack_response import AsyncSlackResponse

from adapters.slack.addresses import aloud, is_address
from adapters.slack.calls import Busy
from adapters.slack.channels import Channel
from adapters.slack.commands import whisper
from adapters.slack.doors import Doors
from adapters.slack.events import Listener
from adapters.slack.forms import Venue, in_some_form
from adapters.slack.people import PATIENT, Person, quickly
from adapters.slack.private import UNINVITED, introduced
from adapters.slack.rich_text import Json
from adapters.slack.send import mark_of
from adapters.slack.shortcuts import hindrance
from core.conversation import MessageRef, Question
from core.delivery import FIRST, Later, Outcome, Outgoing, Refused, Shown
from core.errors import DeliveryError
from core.reply import RenderedReply
from core.visiting import Case, Names

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
    # What was shared belongs to no message of the channel.
    about = None if is_address(question.message) else question.message
    await whisper(client, Listener(channel, question.asker, question.root or about, about), reply)


async def show_directly(doors: Doors, venue: Venue, message: Outgoing, asker: str, why: Refused) -> Outcome:
    """Show who asked, where nobody else sees it, what could not be shown where they asked; `why` where it cannot be.

    Only a member of the workspace is written to, and nobody who asked in a direct channel, where there is no other way.
    What was asked in private goes its own way, and what we say to a channel by ourselves is nobody's answer.
    """
    team, _, channel = message.asked.place.rpartition(":")
    if message.body is None or channel.startswith("D") or is_address(message.asked.message):
        return why
    person = await doors.people.person(team, asker, PATIENT)
    if not isinstance(person, Person) or (person.is_guest and not doors.porter.lets_all_in):
        return why
    is_first = message.part == FIRST
    body = introduced(message.body, channel, invites=why.shut in UNINVITED) if is_first else message.body

    async def post(content: Json) -> AsyncSlackResponse:
        return await venue.client.chat_postMessage(
            channel=asker, metadata=mark_of(message), unfurl_links=False, unfurl_media=False, **content
        )

    match await in_some_form(venue, post, body):
        case Busy(seconds):
            return Later(seconds, "Slack asks for a pause", whole_place=True)
        case AsyncSlackResponse() as answer:
            return Shown(MessageRef("slack", f"{team}:{answer['channel']}", str(answer["ts"])))
        case _:
            return why


async def names_in(doors: Doors, case: Case) -> Names:
    """Return what who asked is called, and the channel in which they did; ids where Slack does not tell."""
    team, _, channel = case.asked.place.rpartition(":")
    person = await doors.people.person(team, case.asker)
    there = await doors.channels.look(channel) if not channel.startswith("D") else None
    name = there.name if isinstance(there, Channel) and there.name else channel
    return Names((person.name if isinstance(person, Person) else "") or case.asker, f"#{name}")


async def link_to(client: AsyncWebClient, case: Case) -> str | None:
    """Return the address of what was asked, or of a conversation with who asked it where nobody else sees it.

    docs.slack.dev/interactivity/deep-linking: app_redirect opens a direct message by the id of a person.
    """
    channel = case.asked.place.rpartition(":")[2]
    if case.private or channel.startswith("D"):
        return f"https://slack.com/app_redirect?team={case.tenant}&channel={case.asker}"
    answer = await quickly(client.chat_getPermalink(channel=channel, message_ts=case.asked.message))
    return str(answer["permalink"]) if isinstance(answer, AsyncSlackResponse) else None
