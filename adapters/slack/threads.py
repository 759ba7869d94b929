"""What people had said in a thread when somebody asked us there."""

import asyncio
import logging
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.web.async_slack_response import AsyncSlackResponse

from adapters.slack.calls import Barred, Busy, Trouble, Unknown, Unsent, once
from adapters.slack.events import is_of_app, is_spoken
from adapters.slack.refusals import Refusal
from adapters.slack.words import mentions, words_of
from core.conversation import Question
from core.remarks import Remark

_log = logging.getLogger(__name__)

# conversations.replies: messages in one page (some apps are given 15 and one call a minute), pages read, tries of one.
_PAGE = 200
_PAGES = 5
_TRIES = 3
# Seconds: between tries, the longest pause that is waited for, and all in all.
_AGAIN = 0.5
_LONGEST = 3.0
_ENOUGH = 8.0
# Of a longer message nobody needs the rest to understand the next one.
_MAX_CHARS = 5_000


async def said_before(client: AsyncWebClient, question: Question, bot: str) -> tuple[Remark, ...]:
    """Return what people had said before the question, oldest first; what could be read of it, if not all.

    Apps' messages, notices and what mentions us are left out; but what the thread began with counts whoever wrote it,
    for forms and alerts are what people talk about. Never raises, except when cancelled.
    """
    said: list[Remark] = []
    try:
        async with asyncio.timeout(_ENOUGH):
            await _read(client, question, bot, said)
    except TimeoutError:
        _log.warning("Slack: a thread took too long to be read whole")
    return tuple(said)


async def _read(client: AsyncWebClient, question: Question, bot: str, said: list[Remark]) -> None:
    cursor: str | None = None
    for _ in range(_PAGES):
        page = await _page(client, question, cursor)
        if not isinstance(page, AsyncSlackResponse):
            _log.warning("Slack: a thread that somebody asked in was not read: %s", _reason(page))
            return
        said += _remarks(page.get("messages") or (), question, bot)
        cursor = (page.get("response_metadata") or {}).get("next_cursor")
        if not cursor:
            return


async def _page(client: AsyncWebClient, question: Question, cursor: str | None) -> AsyncSlackResponse | Trouble:
    answer: AsyncSlackResponse | Trouble = Unknown("")
    for _ in range(_TRIES):
        answer = await once(
            client.conversations_replies(
                channel=question.place.rpartition(":")[2],
                ts=question.root or question.message,
                latest=question.message,
                limit=_PAGE,
                cursor=cursor,
            )
        )
        match answer:
            case Busy(seconds) if seconds <= _LONGEST:
                await asyncio.sleep(seconds)
            case Unknown() | Unsent():
                await asyncio.sleep(_AGAIN)
            case _:
                return answer
    return answer


def _remarks(messages: Any, question: Question, bot: str) -> Iterator[Remark]:
    for message in messages:
        if not (isinstance(message, Mapping) and _is_before(message, question)):
            continue
        text, at = str(message.get("text") or "")[:_MAX_CHARS], datetime.fromtimestamp(float(message["ts"]), UTC)
        if is_spoken(message, bot):
            if not mentions(text, bot):
                yield Remark(words_of(text, bot), at)
        elif message["ts"] == question.root and is_of_app(message, bot):
            yield Remark(words_of((text.strip() or _attached(message))[:_MAX_CHARS], bot), at, by_app=True)


def _attached(message: Mapping[str, Any]) -> str:
    """Return what an app's message says that has all its words in attachments."""
    attached = message.get("attachments")
    one = next((each for each in attached if isinstance(each, Mapping)), {}) if isinstance(attached, list) else {}
    said = (one.get(name) for name in ("pretext", "title", "text"))
    words = "\n".join(each for each in said if isinstance(each, str) and each.strip())
    return words or str(one.get("fallback") or "")


def _is_before(message: Mapping[str, Any], question: Question) -> bool:
    try:
        return float(message["ts"]) < float(question.message)
    except (KeyError, TypeError, ValueError):
        return False


def _reason(trouble: Trouble) -> str:
    match trouble:
        case Busy(seconds):
            return f"Slack asks for a pause of {seconds:.0f} s"
        case Refusal(_, reason) | Barred(reason) | Unsent(reason) | Unknown(reason):
            return reason
