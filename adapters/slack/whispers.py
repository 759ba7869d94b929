"""What stands before one person alone: what its buttons are about, and how another word takes its place."""

import logging
from http import HTTPStatus

import aiohttp
from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.webhook.async_client import AsyncWebhookClient

from adapters.slack.buttons import about
from adapters.slack.events import Listener
from adapters.slack.rich_text import Json

_log = logging.getLogger(__name__)
# The library logs what it sends, unless it is told not to.
_vendor_log = logging.getLogger(f"{__name__}.vendor")
_vendor_log.setLevel(logging.ERROR)


def pressable(content: Json, to: Listener) -> Json:
    """Return a message for one person so that its buttons tell what they are about: Slack alone would not say it."""
    return {**content, "blocks": about(content["blocks"], to.about)} if to.about and "blocks" in content else content


async def replaced(client: AsyncWebClient, to: Listener, content: Json) -> bool:
    """Return whether the message stands now in place of what the person had before them; Slack offers it for a while.

    https://docs.slack.dev/interactivity/handling-user-interaction#message_responses
    """
    if to.instead is None:
        return False
    hook = AsyncWebhookClient(to.instead, session=client.session, logger=_vendor_log, retry_handlers=[])
    try:
        answer = await hook.send(text=content["text"], blocks=content["blocks"], replace_original=True)
    except (TimeoutError, OSError, aiohttp.ClientError) as error:
        _log.info("Slack: a word to one person did not take another's place: %s", type(error).__name__)
        return False
    return answer.status_code == HTTPStatus.OK
