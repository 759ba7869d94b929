"""What the bot says in the thread of one question, each message once."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from slack_sdk.web.async_client import AsyncWebClient

from adapters.slack.calls import persist
from adapters.slack.refusals import Refusal
from adapters.slack.rich_text import Json
from core.errors import DeliveryError

# The first message of an answer carries this and the question's id, so that it is found again after a crash.
ANSWER_EVENT = "footnote_answer"
PART_EVENT = "footnote_part"

# The message to be changed is gone or may not be changed: the words are posted instead.
_UNCHANGEABLE = ("message_not_found", "cant_update_message", "edit_window_closed")
# conversations.replies: messages in one page, and pages read, of what was said after the question.
_PAGE = 200
_PAGES = 5


@dataclass(frozen=True, slots=True)
class Outbox:
    """The thread in which a question is answered: `root` and `asked` are the ts of its first message and the question.

    Each message is one `part` of the answer and says so in its metadata; None is the first that can be seen.
    """

    client: AsyncWebClient
    channel: str
    root: str
    asked: str
    question: str

    async def post(self, part: str | None, text: str, blocks: Sequence[Json] = ()) -> str:
        """Post a message and return its ts; one that was lost on the way back is found, not repeated.

        Raises DeliveryError.
        """

        async def send() -> str:
            answer = await self.client.chat_postMessage(
                channel=self.channel,
                thread_ts=self.root,
                text=text,
                blocks=list(blocks) or None,
                metadata=self._mark(part),
                unfurl_links=False,
                unfurl_media=False,
            )
            return str(answer["ts"])

        return await persist(send, lambda: self.find(part))

    async def replace(self, ts: str, part: str | None, text: str, blocks: Sequence[Json] = ()) -> str:
        """Let a message of ours say this instead; return its ts, a new one if it is gone. Raises DeliveryError."""

        async def send() -> str:
            await self.client.chat_update(channel=self.channel, ts=ts, text=text, blocks=list(blocks) or None)
            return ts

        try:
            return await persist(send)
        except Refusal as refusal:
            if refusal.code not in _UNCHANGEABLE:
                raise
        return await self.post(part, text, blocks)

    async def delete(self, ts: str) -> None:
        """Remove a message of ours. Raises DeliveryError."""
        try:
            await persist(lambda: self.client.chat_delete(channel=self.channel, ts=ts))
        except Refusal as refusal:
            if refusal.code != "message_not_found":
                raise

    async def find(self, part: str | None) -> str | None:
        """Return the ts of the message that is this part, if the thread has it. Raises DeliveryError, never Refusal."""
        mark, cursor = self._mark(part), None
        for _ in range(_PAGES):
            page = await self._page(cursor)
            for message in page.get("messages", []):
                if mark.items() <= (message.get("metadata") or {}).items():
                    return str(message["ts"])
            cursor = (page.get("response_metadata") or {}).get("next_cursor")
            if not cursor:
                break
        return None

    async def _page(self, cursor: str | None) -> Any:
        """Return a page of what the thread has said since the question."""
        try:
            return await persist(
                lambda: self.client.conversations_replies(
                    channel=self.channel,
                    ts=self.root,
                    oldest=self.asked,
                    limit=_PAGE,
                    cursor=cursor,
                    include_all_metadata=True,
                )
            )
        except Refusal as refusal:
            reason = f"it cannot be seen whether a message arrived. {refusal.reason}"
            raise DeliveryError(reason, retry=True) from None

    def _mark(self, part: str | None) -> Json:
        if part is None:
            return {"event_type": ANSWER_EVENT, "event_payload": {"question_id": self.question}}
        return {"event_type": PART_EVENT, "event_payload": {"question_id": self.question, "part": part}}
