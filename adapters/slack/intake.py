"""What people do in Slack, brought to where it is stored before it is acknowledged."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from slack_bolt.async_app import AsyncApp
from slack_bolt.authorization import AuthorizeResult
from slack_bolt.response import BoltResponse
from slack_sdk.web.async_client import AsyncWebClient

from adapters.slack.commands import command_in, slash_in, whispered
from adapters.slack.events import (
    Deletion,
    Edit,
    Listener,
    Post,
    Pressed,
    aside_of,
    is_asked,
    question_of,
    read_event,
)
from core.conversation import Question
from core.errors import ConfigError, whereabouts
from core.phrases import phrase
from core.ports import Intake
from core.press import Heard
from core.render import say
from core.reply import RenderedReply
from core.text import language_of

_log = logging.getLogger(__name__)
_JSON: dict[str, str | Sequence[str]] = {"content-type": ["application/json"]}

Tell = Callable[[Listener, RenderedReply], Awaitable[None]]
# The libraries log whole requests, with people's words in them; only their errors are wanted.
vendor_log = logging.getLogger(f"{__name__}.vendor")
vendor_log.setLevel(logging.ERROR)


# A post is told of up to twice, and again when an acknowledgement was lost.
_REMEMBERED = 1_000
# docs.slack.dev/reference/methods/chat.postMessage: no message is longer, and who asks nobody is not read beyond it.
_LONGEST_ASIDE = 40_000


def make_app(bot: str, intake: Intake, signing_secret: str, tell: Tell) -> AsyncApp:
    """Return the Bolt app that brings what people did to the intake, and then acknowledges the event.

    `tell` shows something to one person alone. Whatever else Slack tells of is acknowledged and left alone; what could
    not be stored is not acknowledged.
    """
    told: dict[str, None] = {}
    errands: set[asyncio.Task[None]] = set()

    async def take(body: dict[str, Any], next_: Callable[[], Awaitable[BoltResponse]]) -> BoltResponse:
        if body.get("type") == "url_verification":
            return await next_()
        try:
            if command := slash_in(body):
                said = command if isinstance(command, str) else await intake.commanded(command)
                return BoltResponse(status=200, body=whispered(said), headers=_JSON)
            is_done = await _is_command(body, bot, intake, tell, told)
            heard = None if is_done else await bring(body, bot, intake)
        except Exception as error:  # noqa: BLE001 - whatever it is, Slack sends the event again
            _log.error("An event was not recorded, so Slack is left to send it again: %s", whereabouts(error))
            return BoltResponse(status=500, body="")
        if heard:
            errand = asyncio.create_task(_told(heard, tell))
            errands.add(errand)
            errand.add_done_callback(errands.discard)
        return BoltResponse(status=200, body="")

    async def nobody() -> AuthorizeResult:
        raise ConfigError("no event of Slack's needs an authorization here")

    # Before Bolt looks for an authorization: nothing here needs one, and an event in a form that it does not expect
    # would be acknowledged or refused unread.
    client = AsyncWebClient(logger=vendor_log)
    return AsyncApp(
        name=f"{__name__}.bolt",  # a logger of this name gets the level of the one below
        client=client,
        signing_secret=signing_secret,
        before_authorize=take,
        authorize=nobody,
        logger=vendor_log,
    )


@dataclass(frozen=True, slots=True)
class Told:
    """What is said to the person who pressed a button, and to nobody else."""

    to: Listener
    reply: RenderedReply


async def _told(told: Told, tell: Tell) -> None:
    try:
        await tell(told.to, told.reply)
    except Exception as error:  # noqa: BLE001 - nobody waits for it, and nothing is lost by it
        _log.info("Words for somebody who pressed a button were not shown: %s", whereabouts(error))


async def bring(body: Mapping[str, Any], bot: str, intake: Intake) -> Told | None:
    """Bring what the event tells of, if a person did it and it may concern us. Raises what the intake raises.

    Returns what is to be said to a person alone.
    """
    match read_event(body, bot):
        case Post() as post:
            if question := await _asked_by(post, bot, intake):
                await intake.asked(question)
        case Edit(post):
            question = question_of(post, bot)
            if not await intake.edited(question) and is_asked(post, bot):
                await intake.asked(question)
        case Deletion(message, post):
            await intake.withdrawn(message, await _asked_by(post, bot, intake) if post else None)
        case Pressed() as pressed:
            return await _pressed(pressed, intake)
        case None:
            pass
    return None


async def _pressed(pressed: Pressed, intake: Intake) -> Told | None:
    press, language = pressed.press, language_of(pressed.said)
    outcome = await intake.pressed(press)
    reply = outcome.reply if isinstance(outcome, Heard) else say(phrase("out_of_date", language), language)
    to = Listener(press.message.place.rpartition(":")[2], press.person, pressed.root)
    return Told(to, reply) if reply else None


async def _is_command(body: Mapping[str, Any], bot: str, intake: Intake, tell: Tell, told: dict[str, None]) -> bool:
    """Return whether the event is a post that tells us to do something, which is then done, and said once."""
    post = read_event(body, bot)
    command = command_in(post, bot) if isinstance(post, Post) else None
    if command is None or not isinstance(post, Post):
        return False
    key = f"{post.place}:{post.ts}"
    if key not in told:
        reply = await intake.commanded(command)
        told[key] = None
        if len(told) > _REMEMBERED:
            del told[next(iter(told))]
        await tell(Listener(post.channel, post.user, post.thread_ts), reply)
    return True


async def _asked_by(post: Post, bot: str, intake: Intake) -> Question | None:
    """Return what the post asks of us; None when it is not for us, or has no words."""
    if is_asked(post, bot):
        return question_of(post, bot)
    if len(post.text) > _LONGEST_ASIDE:
        return None
    aside = aside_of(post, bot)
    return await intake.heard(aside) if aside.question.text else None
