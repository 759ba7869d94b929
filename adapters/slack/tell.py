"""How an answer goes, told in the message that the answer will take the place of."""

from slack_sdk.web.async_slack_response import AsyncSlackResponse

from adapters.slack.calls import Barred, Busy, Unknown, Unsent
from adapters.slack.forms import Venue, in_some_form
from adapters.slack.pace import Pace
from adapters.slack.refusals import Refusal
from adapters.slack.rich_text import Json
from adapters.slack.send import channel_of
from core.delivery import Doubtful, Later, Outcome, Outgoing, Refused, Shown


async def tell(venue: Venue, pace: Pace, message: Outgoing) -> Outcome:
    """Return what became of one change of the sign. Never posts, and never raises, except when cancelled.

    Slack's own streams are not used: docs/decisions/0011-streaming.md says why.
    """
    shown = message.shown
    if shown is None or message.body is None:
        return Refused("no message stands there that could tell it")
    if wait := pace.wait(venue.workspace):
        return Later(wait, "changes are left to the answers", expected=True)

    async def change(content: Json) -> AsyncSlackResponse:
        return await venue.client.chat_update(channel=channel_of(message), ts=shown.message, **content)

    match await in_some_form(venue, change, message.body):
        case Busy(seconds, is_ours):
            if not is_ours:
                pace.rest(venue.workspace, seconds)
            return Refused("Slack asks for a pause")
        case Refusal(_, reason) | Barred(reason) | Unsent(reason):
            return Refused(reason)
        case Unknown(reason):
            return Doubtful(reason)
        case _:
            return Shown(shown)


def workspace_of(message: Outgoing) -> str:
    """Return the workspace that a message belongs to."""
    return message.asked.place.rpartition(":")[0]
