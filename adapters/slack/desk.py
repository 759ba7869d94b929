"""The desk: events become recorded questions, and questions become work that is never lost sight of."""

import asyncio
import logging
from collections.abc import Mapping
from typing import Any

from slack_sdk.web.async_client import AsyncWebClient

from adapters.slack.events import Post, question_of, read_post, standing_of
from adapters.slack.outbox import Outbox
from adapters.slack.send import deliver, describe
from core.conversation import MessageRef, Question
from core.ports import Answerer
from core.reply import RenderedReply

_log = logging.getLogger(__name__)


class Desk:
    """Takes questions and answers them: those of one thread in order, at most `max_parallel` at a time."""

    def __init__(self, bot: str, client: AsyncWebClient, answerer: Answerer, max_parallel: int) -> None:
        self._bot = bot
        self._client = client
        self._answerer = answerer
        self._places = asyncio.Semaphore(max_parallel)
        self._work: set[asyncio.Task[None]] = set()
        self._latest: dict[str, asyncio.Task[None]] = {}

    async def take(self, body: Mapping[str, Any]) -> None:
        """Record the question that an event asks, if it does, and start on it. Raises when it cannot be recorded."""
        post = read_post(body, self._bot)
        if post is None:
            return
        question = question_of(post, self._bot)
        if await self._is_for_us(post, question) and await self._answerer.record(question):
            task = asyncio.create_task(self._answer(post, question, self._latest.get(question.thread)))
            self._work.add(task)
            self._latest[question.thread] = task
            task.add_done_callback(lambda done: self._forget(question.thread, done))

    def _forget(self, thread: str, task: "asyncio.Task[None]") -> None:
        self._work.discard(task)
        if self._latest.get(thread) is task:
            del self._latest[thread]

    async def finish(self, seconds: float) -> None:
        """Wait for the answers under way; those that take longer are cut short."""
        if self._work:
            await asyncio.wait(self._work, timeout=seconds)
        for task in self._work:
            task.cancel()
        await asyncio.gather(*self._work, return_exceptions=True)

    async def _is_for_us(self, post: Post, question: Question) -> bool:
        match standing_of(post, self._bot):
            case "asked":
                return True
            case "follow_up":
                return await self._answerer.knows(question.thread)
            case "overheard":
                return False

    async def _answer(self, post: Post, question: Question, before: "asyncio.Task[None] | None") -> None:
        async def ask(asked: Question) -> RenderedReply | None:
            if before:
                await asyncio.wait([before])
            async with self._places:
                return await self._answerer.answer(asked)

        try:
            outbox = Outbox(self._client, post.channel, post.root, post.ts, question.id)
            sent = await deliver(question, outbox, ask)
            if sent:
                refs = [MessageRef("slack", post.place, ts) for ts in sent]
                await self._answerer.delivered(question, refs)
        except Exception as error:  # noqa: BLE001 - nobody waits for this task
            _log.error("After answering %s: %s", question.id, describe(error))
