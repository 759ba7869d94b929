"""Many chats at once: never more than Telegram takes, everybody in turn, and nothing lost."""

import heapq
from collections import Counter, defaultdict, deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import pytest
from telegram import Chat, Message
from telegram.error import RetryAfter

from adapters.telegram import send
from adapters.telegram.pace import Pace
from core.conversation import MessageRef
from core.delivery import FIRST, Later, Outgoing, Shown
from tests.adapters.telegram.scene import Hands

# What Telegram takes (core.telegram.org/bots/faq): one a second in a chat, with a few more at once; twenty a minute in
# a group; thirty a second in all.
BURST, GROUP_A_MINUTE, ALL_A_SECOND = 3, 20, 30
# Lanes look in turn again once the wait that they were told is over; nobody's next look takes longer than this.
LOOK = 0.001


@dataclass
class Server:
    """Takes messages as Telegram does, and says 429 to what is too much."""

    clock: Hands
    token: str = "1:x"
    refused: int = 0
    taken: list[tuple[float, int, str]] = field(default_factory=list)
    _everywhere: deque[float] = field(default_factory=deque)
    _groups: dict[int, deque[float]] = field(default_factory=lambda: defaultdict(deque))
    _spent: dict[int, tuple[float, float]] = field(default_factory=dict)
    _ids: Iterator[int] = field(default_factory=lambda: count(1))

    async def send_message(self, chat: int, text: str, **_: Any) -> Message:
        """Return the message, or refuse it and everything there for a while."""
        now = self.clock.now
        spent, since = self._spent.get(chat, (0.0, now))
        spent = max(spent - (now - since), 0.0) + 1
        group = [at for at in self._groups[chat] if at > now - 60]
        around = [at for at in self._everywhere if at > now - 1]
        if spent > BURST or (chat < 0 and len(group) >= GROUP_A_MINUTE) or len(around) >= ALL_A_SECOND:
            self.refused += 1
            raise RetryAfter(30)
        self._spent[chat] = (spent, now)
        self._groups[chat] = deque([*group, now])
        self._everywhere = deque([*around, now])
        self.taken.append((now, chat, text))
        return Message(next(self._ids), None, Chat(chat, "private"))  # type: ignore[arg-type] # no date is looked at


async def served(answers: dict[int, int]) -> tuple[Server, Counter[int]]:
    """Send so many answers of two messages to each chat, all at once; return the server and the tries of each chat."""
    clock = Hands()
    server, pace, tries = Server(clock), Pace(clock), Counter[int]()
    lanes = {chat: deque(str(number) for number in range(2 * most)) for chat, most in answers.items()}
    order = count()
    waiting = [(0.0, next(order), chat) for chat in lanes]
    heapq.heapify(waiting)
    while waiting:
        when, _, chat = heapq.heappop(waiting)
        clock.now = max(clock.now, when)
        tries[chat] += 1
        asked = MessageRef("telegram", str(chat), "1")
        outcome = await send.show(
            server, pace, Outgoing(1, "q", FIRST, {"text": lanes[chat][0], "entities": []}, asked), send.Newer()
        )  # type: ignore[arg-type] # as much of a client as is called
        if isinstance(outcome, Shown):
            lanes[chat].popleft()
        wait = outcome.seconds if isinstance(outcome, Later) else LOOK
        if lanes[chat]:
            heapq.heappush(waiting, (clock.now + wait, next(order), chat))
    return server, tries


@pytest.mark.parametrize("chat", [1_001, -100_123])
async def test_many_answers_in_one_chat(chat: int) -> None:
    """Twenty-five: none refused, all in order, and none later than the chat's own share makes it."""
    server, _ = await served({chat: 25})
    last = server.taken[-1][0]

    assert server.refused == 0
    assert [str(number) for number in range(50)] == [text for _, _, text in server.taken]
    assert last <= (55 if chat > 0 else 3 * 60)


async def test_hundreds_of_chats_at_once() -> None:
    """Beside a chat of many answers and groups: none refused, each in order, nobody passed over, few tries in vain."""
    answers = dict.fromkeys((*range(1000, 1450), *range(-1050, -1000)), 1) | {7: 25}
    server, tries = await served(answers)
    by_chat = defaultdict(list)
    for at, chat, text in server.taken:
        by_chat[chat].append((at, int(text)))
    total = sum(2 * most for most in answers.values())
    firsts = [said[0][0] for said in by_chat.values()]

    assert server.refused == 0
    assert len(server.taken) == total
    assert all([number for _, number in said] == list(range(len(said))) for said in by_chat.values())
    # Whoever came last has the first message when everybody could have had two, at thirty a second.
    assert max(firsts) <= 1.2 * total / ALL_A_SECOND
    assert sum(tries.values()) <= 3 * total
