"""One message as it is to be seen: posted, changed or removed, in one attempt."""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.web.async_slack_response import AsyncSlackResponse

from adapters.slack.calls import Barred, Busy, Trouble, Unknown, Unsent, once
from adapters.slack.parts import in_blocks, in_plain_text
from adapters.slack.refusals import Refusal
from adapters.slack.rich_text import Json
from core.conversation import MessageRef
from core.delivery import Absent, Body, CannotTell, Doubtful, Found, Later, Outcome, Outgoing, Refused, Seen, Shown

# Every message of ours carries this with the question's id and the part's name, by which it is found again.
EVENT = "footnote_answer"
# Seconds after which to repeat what may be repeated.
SOON = 1.0
# Before the next try of an app whose token or rights must be mended.
BARRED_SECONDS = 60.0

# The message is not as Slack wants it: the same words as plain text still arrive.
_UNSHOWABLE = ("msg_too_long", "invalid_blocks", "invalid_blocks_format", "msg_blocks_too_long", "invalid_attachments")
_GONE = "message_not_found"
# The message stands there, but may not be changed.
_UNCHANGEABLE = ("cant_update_message", "edit_window_closed")
# The thread's first message was deleted, and nothing had been said under it.
_NO_THREAD = "thread_not_found"
# conversations.replies: messages in one page, and pages read, of what was said after the question.
_PAGE = 200
_PAGES = 5


async def show(client: AsyncWebClient, message: Outgoing) -> Outcome:
    """Return what became of one attempt to show the message. Never raises, except when cancelled."""
    if message.body is None:
        return await _remove(client, message)
    if message.shown is None:
        return await _post(client, message, message.body)
    return await _change(client, message, message.body, message.shown)


async def find(client: AsyncWebClient, message: Outgoing) -> Seen:
    """Return whether the thread has the message, besides the one that is `shown`. Never raises, except when cancelled.

    With something shown, a post is in doubt only because what is shown could not be changed: that one is not it.
    """
    cursor: str | None = None
    for _ in range(_PAGES):
        page = await once(_page(client, message, cursor))
        if not isinstance(page, AsyncSlackResponse):
            return _unseen(page)
        if ts := _carrying(message, page.get("messages") or ()):
            return Found(_ref(message, ts))
        cursor = (page.get("response_metadata") or {}).get("next_cursor")
        if not cursor:
            return Absent()
    return CannotTell()


async def _post(client: AsyncWebClient, message: Outgoing, body: Body) -> Outcome:
    async def post(content: Json) -> AsyncSlackResponse:
        return await client.chat_postMessage(
            channel=_channel(message),
            thread_ts=_root(message),
            metadata=_mark(message),
            unfurl_links=False,
            unfurl_media=False,
            **content,
        )

    match await _in_some_form(post, body):
        case Refusal(_, reason):
            return Refused(reason)
        case Unknown(reason):
            return Doubtful(reason)
        case Busy() | Barred() | Unsent() as trouble:
            return _later(trouble)
        case answer:
            return Shown(_ref(message, str(answer["ts"])))


async def _change(client: AsyncWebClient, message: Outgoing, body: Body, shown: MessageRef) -> Outcome:
    async def update(content: Json) -> AsyncSlackResponse:
        return await client.chat_update(channel=_channel(message), ts=shown.message, metadata=_mark(message), **content)

    match await _in_some_form(update, body):
        case Refusal(code) if code == _GONE:
            return await _anew(client, message, body)
        case Refusal(code) if code in _UNCHANGEABLE or code in _UNSHOWABLE:
            return await _replace(client, message, body)
        case Refusal(_, reason):
            return Refused(reason)
        case Busy() | Barred() | Unsent() | Unknown() as trouble:
            return _later(trouble)
        case _:
            return Shown(shown)


async def _anew(client: AsyncWebClient, message: Outgoing, body: Body) -> Outcome:
    """Post the message in place of one that is gone, unless that was done before and only the answer to it was lost."""
    match await find(client, message):
        case Found(ref):
            return await _change(client, replace(message, shown=ref), body, ref)
        case Later() as later:
            return later
        case Absent() | CannotTell():
            return await _post(client, message, body)


async def _in_some_form(
    call: Callable[[Json], Awaitable[AsyncSlackResponse]], body: Body
) -> AsyncSlackResponse | Trouble:
    """Return what came of the call with the blocks or, where Slack does not take those, with the words alone."""
    answer = await once(call(in_blocks(body)))
    if isinstance(answer, Refusal) and answer.code in _UNSHOWABLE:
        return await once(call(in_plain_text(body)))
    return answer


async def _replace(client: AsyncWebClient, message: Outgoing, body: Body) -> Outcome:
    """Post the message in place of the old one: chat.postMessage takes ten times as much text as chat.update.

    The old one goes first, so that a post of unknown outcome is not taken for it.
    """
    removed = await _remove(client, message)
    return removed if isinstance(removed, Later) else await _post(client, message, body)


async def _remove(client: AsyncWebClient, message: Outgoing) -> Outcome:
    if message.shown is None:
        return Shown(None)
    match await once(client.chat_delete(channel=_channel(message), ts=message.shown.message)):
        case Refusal(code, reason) if code != _GONE:
            return Refused(reason)
        case Busy() | Barred() | Unsent() | Unknown() as trouble:
            return _later(trouble)
        case _:
            return Shown(None)


def _later(trouble: Busy | Barred | Unsent | Unknown) -> Later:
    """Return when to try again what has not happened, or what may be repeated."""
    if isinstance(trouble, Busy):
        return Later(trouble.seconds, "Slack asks for a pause", whole_place=True)
    if isinstance(trouble, Barred):
        return Later(BARRED_SECONDS, trouble.reason, whole_place=True)
    return Later(SOON, trouble.reason, whole_place=isinstance(trouble, Unsent))


async def _page(client: AsyncWebClient, message: Outgoing, cursor: str | None) -> AsyncSlackResponse:
    """Return a page of what the thread has said since the question."""
    return await client.conversations_replies(
        channel=_channel(message),
        ts=_root(message),
        oldest=message.asked.message,
        limit=_PAGE,
        cursor=cursor,
        include_all_metadata=True,
    )


def _unseen(trouble: Trouble) -> Seen:
    match trouble:
        case Refusal(code):
            return Absent() if code == _NO_THREAD else CannotTell()
        case Busy(seconds):
            return Later(seconds, "Slack asks for a pause")
        case Barred() | Unsent() | Unknown():
            return _later(trouble)


def _carrying(message: Outgoing, said: Iterable[Mapping[str, Any]]) -> str | None:
    """Return the ts of the message that carries this one's mark."""
    mark, shown = _mark(message), message.shown.message if message.shown else None
    marked = (one for one in said if mark.items() <= (one.get("metadata") or {}).items())
    return next((str(one["ts"]) for one in marked if one["ts"] != shown), None)


def _mark(message: Outgoing) -> Json:
    return {"event_type": EVENT, "event_payload": {"question_id": message.question, "part": message.part}}


def _channel(message: Outgoing) -> str:
    return message.asked.place.rpartition(":")[2]


def _root(message: Outgoing) -> str:
    return message.root or message.asked.message


def _ref(message: Outgoing, ts: str) -> MessageRef:
    return MessageRef("slack", message.asked.place, ts)
