"""Slack's own line that somebody is at work, under a question: seen at once, at no cost to the pace of messages.

docs.slack.dev/reference/methods/assistant.threads.setStatus: with chat:write also in threads of channels. It goes with
the next message of ours in the thread, and by itself after two minutes. It is no message: where it is lost, the sign
that the courier shows says the same.
"""

import asyncio
import logging

from slack_sdk.web.async_client import AsyncWebClient

from adapters.slack.addresses import is_address
from adapters.slack.calls import Busy, Trouble, in_words, once
from adapters.slack.people import Kept
from adapters.slack.refusals import Refusal
from core.conversation import Question
from core.phrases import phrase

_log = logging.getLogger(__name__)

# Seconds for which a workspace that does not take it is left alone.
_REFUSED_SECONDS = 6 * 3600.0
# Seconds that a message waits for a status on its way in its thread, which would stand under it for minutes.
_WITHIN = 1.0
# Slack shows them one after the other, ten at most.
_STEPS = ("tell_understanding", "looking", "status_reading", "status_checking")
# What Slack says of one thread or channel, and not of the whole workspace.
_OF_THE_PLACE = ("channel_not_found", "not_in_channel", "is_archived", "invalid_thread_ts", "thread_not_found")


class Statuses:
    """Shows statuses; which workspaces do not take them is remembered."""

    def __init__(self) -> None:
        self._refused: Kept[str, bool] = Kept(_REFUSED_SECONDS)
        self._rests: dict[str, float] = {}
        self._on_their_way: dict[tuple[str, str], asyncio.Task[None]] = {}

    def show(self, client: AsyncWebClient, question: Question) -> None:
        """Begin to show it to everybody who sees the question; nothing for what nobody asked us or sees."""
        team, _, channel = question.place.rpartition(":")
        root = question.root or question.message
        if question.overheard or question.private or is_address(root) or self._is_silent(team):
            return
        key = question.place, root
        task = asyncio.create_task(self._show(client, team, channel, root, question))
        self._on_their_way[key] = task
        task.add_done_callback(lambda done: self._end(key, done))

    async def settled(self, place: str, root: str | None) -> None:
        """Return once no status is on its way in the thread, so that it goes with the message that comes."""
        if task := self._on_their_way.get((place, root or "")):
            await asyncio.wait([task], timeout=_WITHIN)

    async def clear(self, client: AsyncWebClient, place: str, root: str | None) -> None:
        """Take the status away under a question that is answered elsewhere: no message comes there to end it."""
        team, _, channel = place.rpartition(":")
        if not root or is_address(root) or self._is_silent(team):
            return
        await self.settled(place, root)
        await once(client.assistant_threads_setStatus(channel_id=channel, thread_ts=root, status=""))

    def stop(self) -> None:
        """Show nothing any more."""
        for task in self._on_their_way.values():
            task.cancel()

    def _is_silent(self, team: str) -> bool:
        return bool(self._refused.get(team)) or self._rests.get(team, 0.0) > asyncio.get_running_loop().time()

    async def _show(self, client: AsyncWebClient, team: str, channel: str, root: str, question: Question) -> None:
        language = question.language
        status = client.assistant_threads_setStatus(
            channel_id=channel,
            thread_ts=root,
            status=phrase("status_looking", language),
            loading_messages=[phrase(name, language) for name in _STEPS],
        )
        answer = await once(status)
        if isinstance(answer, Busy):
            self._rests[team] = asyncio.get_running_loop().time() + answer.seconds
        elif isinstance(answer, Refusal) and answer.code not in _OF_THE_PLACE:
            self._refused.put(team, value=True)
            _log.info("Slack: no status is shown in %s for some hours: %s", team, answer.reason)
        elif isinstance(answer, Trouble):
            _log.info("Slack: a status was not shown: %s", in_words(answer))

    def _end(self, key: tuple[str, str], task: "asyncio.Task[None]") -> None:
        if self._on_their_way.get(key) is task:
            del self._on_their_way[key]
