"""Questions between one person and the bot inside a channel: `/ask`, answered in messages that nobody else sees.

Such a message cannot be changed or found again later, vanishes when Slack is loaded anew, and reaches nobody who is
away: Slack promises no more for it (docs.slack.dev/reference/methods/chat.postEphemeral).
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from slack_sdk.web.async_slack_response import AsyncSlackResponse

from adapters.slack import rich_text
from adapters.slack.addresses import between
from adapters.slack.buttons import after
from adapters.slack.calls import Barred, Busy, Trouble, Unknown, Unsent, paused
from adapters.slack.events import private_audience
from adapters.slack.forms import Venue, in_some_form
from adapters.slack.refusals import UNGRANTED, Refusal
from adapters.slack.rich_text import Json
from adapters.slack.words import words_of
from core.commands import asked_in
from core.conversation import MessageRef, Question
from core.delivery import FIRST, Body, Doubtful, Later, Outcome, Outgoing, Refused, Shown
from core.phrases import phrase
from core.text import language_of

COMMAND = "/ask"
UNINVITED = ("not_in_channel", "channel_not_found")
_SOON, _BARRED_SECONDS = 1.0, 60.0


def ask_in(body: Mapping[str, Any]) -> Question | None:
    """Return what `/ask` asks, which may be nothing in words; None for any other payload, and for what is a command."""
    match body:
        case {"command": str(name), "team_id": str(team), "channel_id": str(channel), "user_id": str(user)}:
            request = str(body.get("trigger_id") or "")
        case _:
            return None
    if name.lower() != COMMAND or not request or asked_in(str(body.get("text") or "")):
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


def response_url_of(body: Mapping[str, Any]) -> str:
    """Return where Slack takes words for whoever gave the command."""
    return str(body.get("response_url") or "")


async def show(venue: Venue, message: Outgoing, user: str) -> Outcome:
    """Return what came of one attempt to show the message to the person alone. Never raises, except when cancelled.

    What was shown to them in a channel stays as it is; where it cannot be shown, it goes to the direct channel with
    them, and can be changed there.
    """
    if message.body is None:
        return Shown(None)
    if message.shown:
        return await _changed(venue, message, message.shown, message.body)
    channel = message.asked.place.rpartition(":")[2]
    if message.first and message.first.place != message.asked.place:
        return await _in_direct(venue, message, message.body, user)
    answer = await in_some_form(
        venue, lambda content: venue.client.chat_postEphemeral(channel=channel, user=user, **content), message.body
    )
    # Whatever Slack has against this channel, the direct one is open still.
    if isinstance(answer, Refusal) and answer.code != UNGRANTED:
        return await _in_direct(venue, message, message.body, user, invites=answer.code in UNINVITED)
    return _outcome(answer, message, channel, "message_ts")


async def _in_direct(venue: Venue, message: Outgoing, body: Body, user: str, *, invites: bool = False) -> Outcome:
    """Show it in the direct channel, where it cannot be shared from: whoever cannot write there shares nothing there.

    `invites`: an invitation would have let it be shown where it was asked for.
    """
    channel, body = message.asked.place.rpartition(":")[2], after(body, "share:")
    said = introduced(body, channel, invites=invites) if message.part == FIRST else body

    async def post(content: Json) -> AsyncSlackResponse:
        return await venue.client.chat_postMessage(channel=user, unfurl_links=False, unfurl_media=False, **content)

    answer = await in_some_form(venue, post, said)
    return _outcome(answer, message, "", "ts")


async def _changed(venue: Venue, message: Outgoing, shown: MessageRef, body: Body) -> Outcome:
    channel = shown.place.rpartition(":")[2]
    if not channel.startswith("D"):
        return Shown(shown)
    there = message.asked.place.rpartition(":")[2]
    body = after(body, "share:")
    said = introduced(body, there, invites=False) if message.part == FIRST else body
    answer = await in_some_form(
        venue, lambda content: venue.client.chat_update(channel=channel, ts=shown.message, **content), said
    )
    return _outcome(answer, message, channel, "ts")


def introduced(body: Body, channel: str, *, invites: bool) -> Body:
    """Return the message with a line that says where it was asked for, and how it could have been answered there."""
    language = language_of(str(body["text"]))
    said, invitation, unnamed = (
        phrase(name, language) for name in ("private_elsewhere", "private_invite", "private_elsewhere_unnamed")
    )
    # Slack draws no direct channel, and nobody can be invited to one.
    is_named = not channel.startswith("D")
    there: Json = {"type": "channel", "channel_id": channel}
    line = [*rich_text.text(f"{said} "), there, *rich_text.text(f". {invitation}" if invites else "")]
    intro = {"type": "rich_text", "elements": [rich_text.section(line if is_named else rich_text.text(unnamed))]}
    in_words = f"{unnamed} {invitation}" if is_named and invites else unnamed
    words = {name: f"{in_words}\n{body[name]}" for name in ("text", "plain") if body.get(name)}
    return {**body, **words, "blocks": [intro, *body["blocks"]]}


def _outcome(answer: Any | Trouble, message: Outgoing, channel: str, name: str) -> Outcome:
    match answer:
        case Refusal(code, reason):
            return Later(_BARRED_SECONDS, reason, whole_place=True) if code == UNGRANTED else Refused(reason)
        case Unknown(reason):
            return Doubtful(reason)
        case Busy() as busy:
            return paused(busy)
        case Barred(reason):
            return Later(_BARRED_SECONDS, reason, whole_place=True)
        case Unsent(reason):
            return Later(_SOON, reason, whole_place=True)
        case _:
            team = message.asked.place.rpartition(":")[0]
            return Shown(MessageRef("slack", f"{team}:{channel or answer['channel']}", str(answer[name])))
