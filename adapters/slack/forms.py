"""A message in the best form that Slack takes: the newest blocks, familiar ones, ordinary buttons only, or words."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.web.async_slack_response import AsyncSlackResponse

from adapters.slack.calls import Trouble, once
from adapters.slack.novelties import Novelties
from adapters.slack.parts import in_blocks, in_familiar_blocks, in_plain_text, in_usual_blocks, new_in
from adapters.slack.refusals import STRANGE, UNSHOWABLE, Refusal, is_understood
from adapters.slack.rich_text import Json
from core.delivery import Body

Call = Callable[[Json], Awaitable[AsyncSlackResponse]]


@dataclass(frozen=True, slots=True)
class Venue:
    """The workspace in which messages are shown: what calls it, its id, and what workspaces take.

    `rest` is told for how many seconds nothing may be changed there.
    """

    client: AsyncWebClient
    workspace: str
    novelties: Novelties
    rest: Callable[[float], None]


async def in_some_form(venue: Venue, call: Call, body: Body) -> AsyncSlackResponse | Trouble:
    """Return what came of the call with the blocks or, where Slack does not take those, with the words alone.

    Between the two stand the same blocks in familiar forms, and those with ordinary buttons only. A workspace that
    takes a message only without what is new in it is sent none of that for some hours. A refusal that we do not know
    may be about the form as well: the words alone are tried once.
    """
    refused_before = venue.novelties.refused_in(venue.workspace)
    novelties = new_in(body) - refused_before
    if not novelties:
        return await _plainer(call, body, await once(call(in_familiar_blocks(body))))
    refused = await once(call(in_blocks(body, refused_before)))
    if not isinstance(refused, Refusal) or refused.code not in (*UNSHOWABLE, *STRANGE):
        return await _plainer(call, body, refused)
    answer = await once(call(in_familiar_blocks(body)))
    if refused.code in STRANGE and not isinstance(answer, Trouble):
        venue.novelties.were_refused_in(venue.workspace, novelties)
    return await _plainer(call, body, answer)


async def _plainer(call: Call, body: Body, answer: AsyncSlackResponse | Trouble) -> AsyncSlackResponse | Trouble:
    """Return the answer, or what came of the plainer forms where Slack does not take the one that it answers."""
    for content in (in_usual_blocks(body), in_plain_text(body)):
        if content and isinstance(answer, Refusal) and answer.code in (*UNSHOWABLE, *STRANGE):
            answer = await once(call(content))
    if isinstance(answer, Refusal) and not is_understood(answer.code):
        return await once(call(in_plain_text(body)))
    return answer
