"""How an answer goes, told in the message that the answer will take the place of."""

from slack_sdk.web.async_client import AsyncWebClient

from adapters.slack.calls import Barred, Busy, Unknown, Unsent, once
from adapters.slack.pace import Pace
from adapters.slack.parts import in_blocks
from adapters.slack.refusals import Refusal
from adapters.slack.send import channel_of, mark_of
from core.delivery import Doubtful, Later, Outcome, Outgoing, Refused, Shown


async def tell(client: AsyncWebClient, pace: Pace, message: Outgoing) -> Outcome:
    """Return what became of one change of the sign. Never posts, and never raises, except when cancelled.

    Slack's own streams are not used: docs/decisions/0011-streaming.md says why.
    """
    if message.shown is None or message.body is None:
        return Refused("no message stands there that could tell it")
    workspace = workspace_of(message)
    if wait := pace.wait(workspace):
        return Later(wait, "changes are left to the answers", expected=True)
    pace.take(workspace)
    change = client.chat_update(
        channel=channel_of(message), ts=message.shown.message, metadata=mark_of(message), **in_blocks(message.body)
    )
    match await once(change):
        case Busy(seconds):
            pace.rest(workspace, seconds)
            return Refused("Slack asks for a pause")
        case Refusal(_, reason) | Barred(reason) | Unsent(reason):
            return Refused(reason)
        case Unknown(reason):
            return Doubtful(reason)
        case _:
            return Shown(message.shown)


def workspace_of(message: Outgoing) -> str:
    """Return the workspace that a message belongs to."""
    return message.asked.place.rpartition(":")[0]
