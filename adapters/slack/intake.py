"""What people do in Slack, brought to where it is stored before it is acknowledged."""

import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from slack_bolt.async_app import AsyncApp
from slack_bolt.authorization import AuthorizeResult
from slack_bolt.response import BoltResponse
from slack_sdk.web.async_client import AsyncWebClient

from adapters.slack.events import Deletion, Edit, Post, Press, question_of, read_event, standing_of
from core.errors import ConfigError, whereabouts
from core.ports import Intake

_log = logging.getLogger(__name__)
# The libraries log whole requests, with people's words in them; only their errors are wanted.
vendor_log = logging.getLogger(f"{__name__}.vendor")
vendor_log.setLevel(logging.ERROR)


def make_app(bot: str, intake: Intake, signing_secret: str) -> AsyncApp:
    """Return the Bolt app that brings what people did to the intake, and then acknowledges the event.

    Whatever else Slack tells of is acknowledged and left alone; what could not be stored is not acknowledged.
    """

    async def take(body: dict[str, Any], next_: Callable[[], Awaitable[BoltResponse]]) -> BoltResponse:
        if body.get("type") == "url_verification":
            return await next_()
        try:
            await bring(body, bot, intake)
        except Exception as error:  # noqa: BLE001 - whatever it is, Slack sends the event again
            _log.error("An event was not recorded, so Slack is left to send it again: %s", whereabouts(error))
            return BoltResponse(status=500, body="")
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


async def bring(body: Mapping[str, Any], bot: str, intake: Intake) -> None:
    """Bring what the event tells of, if a person did it and it may concern us. Raises what the intake raises."""
    match read_event(body, bot):
        case Post() as post:
            if await _is_for_us(post, bot, intake):
                await intake.asked(question_of(post, bot))
        case Edit(post):
            question = question_of(post, bot)
            if not await intake.edited(question) and standing_of(post, bot) == "asked":
                await intake.asked(question)
        case Deletion(message, post):
            was_for_us = post is not None and await _is_for_us(post, bot, intake)
            await intake.withdrawn(message, question_of(post, bot) if post and was_for_us else None)
        case Press(button, message):
            await intake.pressed(button, message)
        case None:
            pass


async def _is_for_us(post: Post, bot: str, intake: Intake) -> bool:
    match standing_of(post, bot):
        case "asked":
            return True
        case "follow_up":
            return await intake.knows(question_of(post, bot).thread)
        case "overheard":
            return False
