"""One message as it is to be seen: posted, changed or removed, in one attempt."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.web.async_slack_response import AsyncSlackResponse

from adapters.slack import private
from adapters.slack.addresses import reader_of, since
from adapters.slack.calls import BARRED_SECONDS, Barred, Busy, Trouble, Unknown, Unsent, once, paused
from adapters.slack.forms import Venue, in_some_form
from adapters.slack.refusals import NO_THREAD, SHUT, UNGRANTED, Refusal
from adapters.slack.rich_text import Json
from core.conversation import MessageRef
from core.delivery import Absent, Body, CannotTell, Doubtful, Found, Later, Outcome, Outgoing, Refused, Seen, Shown

# Every message of ours carries this with the question's id and the part's name, by which it is found again.
EVENT = "footnote_answer"
# Seconds after which to repeat what may be repeated.
SOON = 1.0

_GONE = "message_not_found"
# conversations.replies: messages in one page, and pages read, of what was said after the question.
_PAGE = 200
_PAGES = 5


async def show(venue: Venue, message: Outgoing) -> Outcome:
    """Return what became of one attempt to show the message. Never raises, except when cancelled."""
    if reader := reader_of(message.asked.message):
        return await private.show(venue, message, reader)
    if message.body is None:
        return await _remove(venue.client, message)
    if message.shown is None:
        return await _post(venue, message, message.body)
    return await _change(venue, message, message.body, message.shown)


async def find(client: AsyncWebClient, message: Outgoing) -> Seen:
    """Return whether the thread has the message, besides the one that is `shown`. Never raises, except when cancelled.

    With something shown, a post is in doubt only because what is shown could not be changed: that one is not it.
    """
    if reader_of(message.asked.message):
        return CannotTell()
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


async def _post(venue: Venue, message: Outgoing, body: Body) -> Outcome:
    if message.first and message.first.place != message.asked.place:
        return Refused("what it belongs to was shown to who asked alone", SHUT[0])

    async def post(content: Json) -> AsyncSlackResponse:
        return await venue.client.chat_postMessage(
            channel=channel_of(message),
            thread_ts=_root(message),
            metadata=mark_of(message),
            unfurl_links=False,
            unfurl_media=False,
            **content,
        )

    match await in_some_form(venue, post, body):
        case Refusal() as refusal:
            return refused(refusal)
        case Unknown(reason):
            return Doubtful(reason)
        case Busy() | Barred() | Unsent() as trouble:
            return _later(trouble)
        case answer:
            return Shown(_ref(message, str(answer["ts"]), answer.get("channel")))


async def _change(venue: Venue, message: Outgoing, body: Body, shown: MessageRef) -> Outcome:
    async def update(content: Json) -> AsyncSlackResponse:
        # docs.slack.dev/reference/methods/chat.update: without metadata, a message keeps what it was posted with.
        return await venue.client.chat_update(channel=_channel_in(shown), ts=shown.message, **content)

    match await in_some_form(venue, update, body):
        case Refusal(code) if code == _GONE:
            return await _anew(venue, message, body)
        case Refusal(code) as refusal if code in (*SHUT, UNGRANTED, NO_THREAD):
            return refused(refusal)
        # Whatever else it says, and that may be a word of next year, is of this message and not of the channel.
        case Refusal():
            return await _replace(venue, message, body)
        case Busy(seconds, is_ours) as busy:
            # Slack counts changes in the workspace: posts go on here, and changes wait everywhere.
            if not is_ours:
                venue.rest(seconds)
            return paused(busy, whole_place=False)
        case Barred() | Unsent() | Unknown() as trouble:
            return _later(trouble)
        case _:
            return Shown(shown)


async def _anew(venue: Venue, message: Outgoing, body: Body) -> Outcome:
    """Post the message in place of one that is gone, unless that was done before and only the answer to it was lost."""
    match await find(venue.client, message):
        case Found(ref):
            return await _change(venue, replace(message, shown=ref), body, ref)
        case Later() as later:
            return later
        case Absent() | CannotTell():
            return await _post_anew(venue, message, body)


async def _replace(venue: Venue, message: Outgoing, body: Body) -> Outcome:
    """Post the message in place of the old one: chat.postMessage takes ten times as much text as chat.update.

    The old one goes first, so that a post of unknown outcome is not taken for it.
    """
    removed = await _remove(venue.client, message)
    if isinstance(removed, Later):
        return removed
    if isinstance(removed, Refused):
        # The old one stands, and would be taken for the new one if it were not known.
        return await _post(venue, message, body)
    return await _post_anew(venue, message, body)


async def _post_anew(venue: Venue, message: Outgoing, body: Body) -> Outcome:
    """Post it where what showed it is gone: a doubt is about the post alone, also where the thread cannot be read."""
    outcome = await _post(venue, message, body)
    return replace(outcome, anew=True) if isinstance(outcome, Doubtful) else outcome


async def _remove(client: AsyncWebClient, message: Outgoing) -> Outcome:
    if message.shown is None:
        return Shown(None)
    match await once(client.chat_delete(channel=_channel_in(message.shown), ts=message.shown.message)):
        case Refusal(code) as refusal if code != _GONE:
            return refused(refusal)
        case Busy() | Barred() | Unsent() | Unknown() as trouble:
            return _later(trouble)
        case _:
            return Shown(None)


def refused(refusal: Refusal) -> Outcome:
    """Return that it will never be shown, or when to try again once a scope was added."""
    if refusal.code == UNGRANTED:
        return Later(BARRED_SECONDS, refusal.reason, whole_place=True)
    return Refused(refusal.reason, refusal.code if refusal.code in SHUT else "", pointless=refusal.code == NO_THREAD)


def _later(trouble: Busy | Barred | Unsent | Unknown) -> Later:
    """Return when to try again what has not happened, or what may be repeated."""
    if isinstance(trouble, Busy):
        return paused(trouble)
    if isinstance(trouble, Barred):
        return Later(BARRED_SECONDS, trouble.reason, whole_place=True)
    return Later(SOON, trouble.reason, whole_place=isinstance(trouble, Unsent))


async def _page(client: AsyncWebClient, message: Outgoing, cursor: str | None) -> AsyncSlackResponse:
    """Return a page of what the thread, or where there is none the channel, has said since the question."""
    root = _root(message)
    if root is None:
        return await client.conversations_history(
            channel=channel_of(message),
            oldest=since(message.asked.message),
            limit=_PAGE,
            cursor=cursor,
            include_all_metadata=True,
        )
    return await client.conversations_replies(
        channel=channel_of(message),
        ts=root,
        oldest=since(message.asked.message) or message.asked.message,
        limit=_PAGE,
        cursor=cursor,
        include_all_metadata=True,
    )


def _unseen(trouble: Trouble) -> Seen:
    match trouble:
        case Refusal(code):
            return Absent() if code == NO_THREAD else CannotTell()
        case Busy(seconds):
            return Later(seconds, "Slack asks for a pause")
        case Barred() | Unsent() | Unknown():
            return _later(trouble)


def _carrying(message: Outgoing, said: Iterable[Mapping[str, Any]]) -> str | None:
    """Return the ts of the message that carries this one's mark."""
    mark, shown = mark_of(message), message.shown.message if message.shown else None
    marked = (one for one in said if mark.items() <= (one.get("metadata") or {}).items())
    return next((str(one["ts"]) for one in marked if one["ts"] != shown), None)


def mark_of(message: Outgoing) -> Json:
    """Return what a message of ours is found again by."""
    return {"event_type": EVENT, "event_payload": {"question_id": message.question, "part": message.part}}


def channel_of(message: Outgoing) -> str:
    """Return the channel in which the message was asked for."""
    return _channel_in(message.asked)


def _channel_in(ref: MessageRef) -> str:
    return ref.place.rpartition(":")[2]


def _root(message: Outgoing) -> str | None:
    """Return the first message of the thread; None for what stands in a channel by itself, which is one to the rest."""
    if since(message.asked.message):
        return message.first.message if message.first else None
    return message.root or message.asked.message or None


def _ref(message: Outgoing, ts: str, channel: str | None = None) -> MessageRef:
    """Return where the message stands: what is posted to a person is in the direct channel with them."""
    team = message.asked.place.rpartition(":")[0]
    return MessageRef("slack", f"{team}:{channel or channel_of(message)}", ts)
