"""A message in the best form that Slack takes: with blocks, with ordinary buttons only, or as words alone."""

from collections.abc import Awaitable, Callable

from slack_sdk.web.async_slack_response import AsyncSlackResponse

from adapters.slack.calls import Trouble, once
from adapters.slack.parts import in_blocks, in_plain_text, in_usual_blocks
from adapters.slack.refusals import UNSHOWABLE, Refusal
from adapters.slack.rich_text import Json
from core.delivery import Body


async def in_some_form(
    call: Callable[[Json], Awaitable[AsyncSlackResponse]], body: Body
) -> AsyncSlackResponse | Trouble:
    """Return what came of the call with the blocks or, where Slack does not take those, with the words alone.

    Between the two stand the same blocks with ordinary buttons only.
    """
    answer = await once(call(in_blocks(body)))
    for content in (in_usual_blocks(body), in_plain_text(body)):
        if content and isinstance(answer, Refusal) and answer.code in UNSHOWABLE:
            answer = await once(call(content))
    return answer
