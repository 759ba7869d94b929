"""A sentence under somebody's message that is not an answer: how to ask, or that something failed."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from adapters.telegram.body import parts_of
from core.conversation import MessageRef
from core.delivery import FIRST, Later, Outcome, Outgoing, Shown
from core.render import say
from core.text import Language

log = logging.getLogger(__name__)

# Who waits longer for a hint has asked by now.
TRIES, LONGEST_WAIT = 5, 30.0

Show = Callable[[Outgoing], Awaitable[Outcome]]


@dataclass(frozen=True, slots=True)
class Notice:
    """The words, and the message that they reply to, in its topic."""

    ref: MessageRef
    root: str | None
    words: str
    language: Language


async def give(notice: Notice, show: Show) -> None:
    """Show the sentence, unless Telegram makes it wait too long."""
    [part] = parts_of(say(notice.words, notice.language))
    message = Outgoing(0, str(notice.ref), FIRST, part.body, notice.ref, notice.root)
    outcome = await show(message)
    for _ in range(TRIES - 1):
        if not isinstance(outcome, Later) or outcome.seconds > LONGEST_WAIT:
            break
        await asyncio.sleep(outcome.seconds)
        outcome = await show(message)
    if not isinstance(outcome, Shown):
        log.warning("Telegram: a hint was not given in chat %s: %s", notice.ref.place, outcome.reason)
