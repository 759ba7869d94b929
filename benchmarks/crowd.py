"""A Slack workspace with hundreds of people in it, and what came of each question that they asked."""

import asyncio
import random
import re
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from core.phrases import phrase
from tests.doubles.little import asks, key_in, tells
from tests.faults.town import SOURCES
from tests.platforms.slack import Delivery, Message, Patience, SlackStandIn, visible_text

_NUMBER = "000"
_BUSY = tuple(re.escape(phrase("busy", language, number=_NUMBER)).replace(_NUMBER, r"\d+") for language in ("en", "ru"))
BUSY = re.compile("|".join(_BUSY))


@dataclass(eq=False)
class Told:
    """One question and what could be seen of it; times are of the monotonic clock."""

    key: str
    thread: int
    channel: str
    root: str
    ts: str
    asked: float
    # Earlier questions of the thread that had been acknowledged when this one was asked.
    follows: frozenset[str] = frozenset()
    taken: float | None = None
    first_sign: float | None = None
    answered: float | None = None
    was_busy: bool = False
    # Every message in which its answer was ever seen, and those in which it stands now.
    answers: set[str] = field(default_factory=set)
    standing: set[str] = field(default_factory=set)
    done: asyncio.Event = field(default_factory=asyncio.Event)


@dataclass
class Crowd:
    """The people of a workspace, who ask in so many threads, spread over the channels."""

    slack: SlackStandIn
    threads: int
    channels: tuple[str, ...]
    people: tuple[str, ...]
    chance: random.Random = field(default_factory=lambda: random.Random(1))  # noqa: S311 - the same chances each time
    told: list[Told] = field(default_factory=list)
    # Seconds from sending an event that tells of a question until its acknowledgement.
    acknowledgements: list[float] = field(default_factory=list)
    answered: int = 0
    _by_key: dict[str, Told] = field(default_factory=dict)
    _by_ts: dict[str, Told] = field(default_factory=dict)
    _by_thread: dict[int, list[Told]] = field(default_factory=lambda: defaultdict(list))

    def __post_init__(self) -> None:
        space, sockets = self.slack.workspace, self.slack.sockets
        post, change, deliver = space.post, space.change, sockets.deliver

        def posted(message: Message) -> Message:
            self.see(message)
            return post(message)

        def changed(before: Message, after: Message) -> Message:
            self.see(after)
            return change(before, after)

        async def delivered(delivery: Delivery) -> None:
            self._time(delivery)
            await deliver(delivery)

        space.post, space.change = posted, changed  # type: ignore[method-assign]
        sockets.deliver = delivered  # type: ignore[method-assign]

    @property
    def env(self) -> Mapping[str, str]:
        """The settings that lead the bot here."""
        app = self.slack.app
        return {
            "SLACK_BOT_TOKEN": app.bot_token,
            "SLACK_APP_TOKEN": app.app_token,
            "SLACK_API_BASE_URL": self.slack.api_base_url,
        }

    async def ask(self, thread: int) -> Told:
        """Let somebody ask for a key that nobody has asked for; a thread's first question opens it."""
        key, channel = f"K{len(self.told) + 1}", self.channels[thread % len(self.channels)]
        before = self._by_thread[thread]
        root, now = (before[0].root if before else None), time.monotonic()
        said = f"<@{self.slack.bot_user_id}> {asks(key)}"
        ts = await self.slack.post_as(self.chance.choice(self.people), channel, said, thread_ts=root)
        follows = frozenset(one.key for one in before if one.taken is not None)
        one = Told(key, thread, channel, root or ts, ts, now, follows)
        self.told.append(one)
        before.append(one)
        self._by_key[key] = self._by_ts[ts] = one
        return one

    async def ask_over(self, questions: int, seconds: float) -> None:
        """Let questions come at random moments of a time, each in a thread by chance."""
        begun = time.monotonic()
        for moment in sorted(self.chance.random() * seconds for _ in range(questions)):
            await asyncio.sleep(max(0.0, begun + moment - time.monotonic()))
            await self.ask(self.chance.randrange(self.threads))

    async def ask_in_turn(self, questions: int) -> None:
        """Let every thread ask its next question as soon as it has the answer, until so many are answered."""

        async def talk(thread: int) -> None:
            while len(self.told) < questions:
                one = await self.ask(thread)
                await one.done.wait()

        await asyncio.gather(*map(talk, range(self.threads)))

    def see(self, message: Message) -> None:
        """Note what a message of the bot's shows from now on."""
        text, now = visible_text(message), time.monotonic()
        if message.user != self.slack.bot_user_id or _is_evidence(message, text):
            return
        asked = self._by_ts.get(str(_mark(message).get("question_id")).rpartition(":")[2])
        if asked:
            asked.first_sign = asked.first_sign or now
            asked.was_busy = asked.was_busy or bool(BUSY.fullmatch(text))
        if one := self._answered_in(message, text):
            one.answers.add(message.ts)
            if one.answered is None:
                one.answered = now
                self.answered += 1
                one.done.set()

    def look(self) -> None:
        """Note in which messages each answer stands now."""
        for message in self.slack.workspace.messages.values():
            text = visible_text(message)
            if message.user == self.slack.bot_user_id and not _is_evidence(message, text):
                one = self._answered_in(message, text)
                if one:
                    one.standing.add(message.ts)

    def _answered_in(self, message: Message, text: str) -> Told | None:
        """Return the question that the message answers rightly and in its thread."""
        one = self._by_key.get(key_in(text) or "")
        is_right = one and tells(one.key) in text and (message.channel, message.thread_ts) == (one.channel, one.root)
        return one if is_right else None

    def _time(self, delivery: Delivery) -> None:
        begun, accept = time.monotonic(), delivery.accept

        def accepted(response: Any) -> None:
            accept(response)
            event = delivery.payload.get("event") or {}
            one = self._by_ts.get(str(event.get("ts")))
            if one and event.get("user") != self.slack.bot_user_id:
                now = time.monotonic()
                one.taken = one.taken or now
                self.acknowledgements.append(now - begun)

        delivery.accept = accepted  # type: ignore[method-assign]


def _mark(message: Message) -> Mapping[str, Any]:
    return (message.metadata or {}).get("event_payload") or {}


def _is_evidence(message: Message, text: str) -> bool:
    return str(_mark(message).get("part")).startswith("evidence") or text.startswith(SOURCES)


def lost(told: list[Told]) -> int:
    """Return how many questions have no right answer, or more than one, standing in their thread."""
    return sum(len(one.standing) != 1 for one in told)


def twice(told: list[Told]) -> int:
    """Return how many questions were ever answered in more than one message."""
    return sum(len(one.answers) > 1 for one in told)


def out_of_order(told: list[Told]) -> int:
    """Return how many pairs of a thread were answered the wrong way round, the earlier known before the later came."""
    return sum(earlier.key in later.follows for earlier, later in _inversions(told))


def overtaken(told: list[Told]) -> int:
    """Return how many such pairs came at once, so that nobody promised an order."""
    return sum(earlier.key not in later.follows for earlier, later in _inversions(told))


def _inversions(told: list[Told]) -> Iterator[tuple[Told, Told]]:
    threads: dict[int, list[Told]] = defaultdict(list)
    for one in told:
        threads[one.thread].append(one)
    for thread in threads.values():
        for earlier, later in combinations(thread, 2):
            if earlier.answered and later.answered and later.answered < earlier.answered:
                yield earlier, later


@asynccontextmanager
async def crowd(threads: int, channels: int, people: int, patience: Patience) -> AsyncIterator[Crowd]:
    """Serve a workspace in which everybody is in every channel with the bot."""
    slack = SlackStandIn(patience=patience)
    names = tuple(f"U{number}" for number in range(1, people + 1))
    places = tuple(f"C{number}" for number in range(1, channels + 1))
    for name in names:
        slack.add_user(name)
    for place in places:
        slack.add_channel(place, members=[*names, slack.bot_user_id])
    async with slack:
        yield Crowd(slack, threads, places, names)
