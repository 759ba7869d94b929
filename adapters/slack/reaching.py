"""Where people are reached in Slack who have asked nothing: a channel as a whole, and the way back to who asked."""

import logging
import time

from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.web.async_slack_response import AsyncSlackResponse

from adapters.slack.addresses import aloud, is_address, reader_of
from adapters.slack.calls import BARRED_SECONDS, Barred, Busy, Unknown, Unsent, paused
from adapters.slack.channels import Channel
from adapters.slack.commands import responded, whisper
from adapters.slack.doors import Doors
from adapters.slack.events import Listener
from adapters.slack.forms import Venue, in_some_form
from adapters.slack.people import PATIENT, Person, quickly
from adapters.slack.private import UNINVITED, introduced
from adapters.slack.rich_text import Json
from adapters.slack.send import SOON, mark_of
from adapters.slack.shortcuts import hindrance
from core.conversation import MessageRef, Question
from core.delivery import FIRST, Body, Later, Outcome, Outgoing, Refused, Shown
from core.errors import DeliveryError
from core.reply import RenderedReply
from core.visiting import Case, Names

_log = logging.getLogger(__name__)
_OF_A_GROUP = "mpdm-"


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

    Only a member of the workspace is written to; a direct channel may be one of theirs with somebody else. What was
    asked by a command is told where the command was given, and what we say to a channel by ourselves is nobody's
    answer.
    """
    if message.body is None:
        return why
    if is_address(message.asked.message):
        return await _shown_at_command(doors, message, why) if reader_of(message.asked.message) else why
    person = await doors.people.person(venue.workspace, asker, PATIENT)
    if isinstance(person, Busy | Unsent | Unknown):
        return Later(person.seconds if isinstance(person, Busy) else SOON, "who asked is not known")
    is_let_in = isinstance(person, Person) and (doors.porter.lets_all_in or not person.is_guest)
    return await _posted_to(venue, asker, message, message.body, why) if is_let_in else why


async def _posted_to(venue: Venue, asker: str, message: Outgoing, body: Body, why: Refused) -> Outcome:
    if message.part == FIRST:
        body = introduced(body, message.asked.place.rpartition(":")[2], invites=why.shut in UNINVITED)

    async def post(content: Json) -> AsyncSlackResponse:
        return await venue.client.chat_postMessage(
            channel=asker, metadata=mark_of(message), unfurl_links=False, unfurl_media=False, **content
        )

    match await in_some_form(venue, post, body):
        case Busy() as busy:
            return paused(busy)
        case Barred(reason):
            return Later(BARRED_SECONDS, reason, whole_place=True)
        # Should it come twice, one person sees it twice; nobody could look for it in the thread.
        case Unsent(reason) | Unknown(reason):
            return Later(SOON, reason)
        case AsyncSlackResponse() as answer:
            return Shown(MessageRef("slack", f"{venue.workspace}:{answer['channel']}", str(answer["ts"])))
        case _:
            return why


async def _shown_at_command(doors: Doors, message: Outgoing, why: Refused) -> Outcome:
    """Show it at the address that came with the command, which Slack takes for half an hour, also where we are not."""
    url = doors.commanded.get(message.question)
    if url is None or message.body is None or await responded(url, message.body):
        return why
    return Shown(None)


async def names_in(doors: Doors, case: Case) -> Names:
    """Return what who asked is called, and the channel in which they did; ids where Slack does not tell."""
    team, _, channel = case.asked.place.rpartition(":")
    person = await doors.people.person(team, case.asker)
    there = await doors.channels.look(channel) if not channel.startswith("D") else None
    name = there.name if isinstance(there, Channel) else ""
    # What Slack calls a conversation of several people is made of how they sign in, and tells nobody anything.
    is_named = name and not name.startswith(_OF_A_GROUP)
    is_open = isinstance(there, Channel) and there.is_open
    who = (person.name if isinstance(person, Person) else "") or case.asker
    return Names(who, f"#{name}" if is_named else "", is_open)


async def link_to(client: AsyncWebClient, case: Case) -> str | None:
    """Return the address of what was asked, or of a conversation with who asked it where nobody else sees it.

    None where it stands nowhere by itself, as what was shared from a private answer.
    docs.slack.dev/interactivity/deep-linking: app_redirect opens a direct message by the id of a person.
    """
    channel = case.asked.place.rpartition(":")[2]
    if case.private or channel.startswith("D"):
        return f"https://slack.com/app_redirect?team={case.tenant}&channel={case.asker}"
    if is_address(case.asked.message):
        return None
    answer = await quickly(client.chat_getPermalink(channel=channel, message_ts=case.asked.message))
    return str(answer["permalink"]) if isinstance(answer, AsyncSlackResponse) else None
