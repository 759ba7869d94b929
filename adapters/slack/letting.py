"""Who is let in: what is stored at the door is answered once Slack has said who asks and who reads there."""

from dataclasses import dataclass, replace
from functools import partial

from slack_sdk.web.async_client import AsyncWebClient

from adapters.slack.calls import Busy, Unknown, Unsent
from adapters.slack.commands import whisper
from adapters.slack.doors import Doors, Errand
from adapters.slack.events import Listener
from adapters.slack.people import PATIENT
from adapters.slack.shortcuts import hindrance
from core.conversation import Question
from core.errors import DeliveryError
from core.phrases import phrase
from core.render import say
from core.reply import RenderedReply


@dataclass(frozen=True, slots=True)
class Decided:
    """The question as it may be answered, None when it may not be; and what is to be done once that is known."""

    question: Question | None
    errand: Errand | None = None


async def decided(doors: Doors, client: AsyncWebClient, question: Question) -> Decided:
    """Return what becomes of a question at the door. Raises DeliveryError while that cannot be told."""
    came = doors.came.get(question.id)
    if came and came.by_shortcut and (hindered := await _hindered(doors, question)):
        return Decided(None, partial(doors.respond, came.response_url, hindered))
    kept_out = await doors.porter.words_for(question, again=question.private or came is not None)
    if kept_out is not None:
        tell = partial(doors.respond, came.response_url) if came else partial(_whisper, client, question)
        return Decided(None, partial(tell, kept_out) if kept_out.nodes else None)
    let_in = replace(await doors.spoken(question), at_door=False)
    return Decided(let_in, partial(doors.hall.entitle, let_in) if came is None else None)


async def _hindered(doors: Doors, question: Question) -> RenderedReply | None:
    """Return why nothing can be said where the shortcut was used, None where it can. Raises DeliveryError."""
    team, _, channel = question.place.rpartition(":")
    if channel.startswith("D"):
        return None
    found = await doors.channels.look(channel, PATIENT)
    if isinstance(found, Busy | Unsent | Unknown):
        raise DeliveryError("whether we can write there cannot be told now", retry=True)
    name = hindrance(found)
    if name is None:
        return None
    language = await doors.people.tongue(team, question.asker, question.text)
    return say(phrase(name, language), language)


async def _whisper(client: AsyncWebClient, question: Question, reply: RenderedReply) -> None:
    thread = question.root if question.root != question.message else None
    await whisper(client, Listener(question.place.rpartition(":")[2], question.asker, thread), reply)
