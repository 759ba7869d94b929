"""What is said under somebody's message and is no answer: how to ask, that something failed, why an answer is so."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from adapters.telegram.body import parts_of
from core.conversation import MessageRef
from core.delivery import FIRST, Later, Outcome, Outgoing, Shown
from core.reply import RenderedReply

log = logging.getLogger(__name__)

# Who waits longer for a hint has asked by now.
TRIES, LONGEST_WAIT = 5, 30.0

Show = Callable[[Outgoing], Awaitable[Outcome]]


@dataclass(frozen=True, slots=True)
class Notice:
    """What is said, and the message that it replies to, in its topic; `shown`: the message in whose place it stands."""

    ref: MessageRef
    root: str | None
    reply: RenderedReply
    shown: MessageRef | None = None


async def give(notice: Notice, show: Show) -> bool:
    """Show what is said, unless Telegram makes it wait too long; return whether all of it is seen."""
    shown = notice.shown
    for part in parts_of(notice.reply):
        if not await _show(Outgoing(0, str(notice.ref), FIRST, part.body, notice.ref, notice.root, shown), show):
            return False
        shown = None
    return True


def in_private(person: str, reply: RenderedReply) -> Notice:
    """Return what is said to a person (their id) in their private chat, under nothing in particular."""
    return Notice(MessageRef("telegram", person, ""), None, reply)


async def _show(message: Outgoing, show: Show) -> bool:
    outcome = await show(message)
    for _ in range(TRIES - 1):
        if not isinstance(outcome, Later) or outcome.seconds > LONGEST_WAIT:
            break
        await asyncio.sleep(outcome.seconds)
        outcome = await show(message)
    if not isinstance(outcome, Shown):
        log.warning("Telegram: a hint was not given in chat %s: %s", message.asked.place, outcome.reason)
    return isinstance(outcome, Shown)
