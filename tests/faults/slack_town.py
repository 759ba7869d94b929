"""Slack with people in it."""

import uuid
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from tests.faults.town import SOURCES, Asked, PlatformName, Sight, Sights
from tests.platforms.slack import Delivery, Message, Patience, SlackStandIn, visible_text

PEOPLE = tuple(f"U{number}" for number in range(1, 9))
# A guest, whom the bot answers nothing.
STRANGER = "U9"
# What the bot asks of Slack before it knows whether it may answer.
LOOK_UPS = ("users.info", "conversations.info")
# Slack waits three seconds; a machine that is busy with other tests is no fault of the bot's. When the only worker has
# died, nothing is waited for, and it is tried again at once and not after minutes.
PATIENCE = Patience(ack_timeout=10.0, retries=20, retry_pause=0.02)
# With two workers nobody knows which of them was to acknowledge it. Where many rounds starve each other, both may stand
# still for most of a minute.
SHORT = Patience(ack_timeout=2.0, retries=60, retry_pause=0.02)


@dataclass
class SlackTown:
    """Satisfies `Town`: a thread's first question opens it, the others stand under that one."""

    slack: SlackStandIn
    sights: Sights = field(default_factory=Sights)
    name: PlatformName = "slack"
    posts: tuple[str, ...] = ("chat.postMessage",)
    changes: tuple[str, ...] = ("chat.update", "chat.delete", "conversations.replies")
    tells_of_deletions: bool = True
    drafts: Sights = field(default_factory=Sights)
    _strange: list[str] = field(default_factory=list)
    _roots: dict[str, str] = field(default_factory=dict)
    _ids: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        space = self.slack.workspace
        post, change, delete = space.post, space.change, space.delete

        def posted(message: Message) -> Message:
            self._see(message)
            return post(message)

        def changed(before: Message, after: Message) -> Message:
            self._see(after)
            return change(before, after)

        def deleted(message: Message) -> None:
            if message.user == self.slack.bot_user_id:
                self.sights.add(message.channel, message.ts, None)
            delete(message)

        space.post, space.change, space.delete = posted, changed, deleted  # type: ignore[method-assign]

    @property
    def env(self) -> Mapping[str, str]:
        app = self.slack.app
        return {
            "SLACK_BOT_TOKEN": app.bot_token,
            "SLACK_APP_TOKEN": app.app_token,
            "SLACK_API_BASE_URL": self.slack.api_base_url,
        }

    async def ask(self, asked: Asked, text: str) -> None:
        person = PEOPLE[asked.number % len(PEOPLE)]
        original = asked.copy_of or asked
        mark = self._ids.setdefault(original.message or f"new {asked.number}", str(uuid.uuid4()))
        root = self._root_of(asked.thread) if asked.copy_of is None else self._root_above(original)
        said = f"<@{self.slack.bot_user_id}> {text}"
        asked.message = await self.slack.post_as(person, asked.place, said, thread_ts=root, client_msg_id=mark)
        self._ids[asked.message] = mark
        self._roots.setdefault(asked.thread, asked.message)

    def is_taken(self, asked: Asked) -> bool:
        return any(one.acked and _ts(one) == asked.message for one in self.slack.deliveries)

    async def edit(self, asked: Asked, text: str) -> None:
        said = f"<@{self.slack.bot_user_id}> {text}"
        await self.slack.edit_as(PEOPLE[asked.number % len(PEOPLE)], asked.place, asked.message, said)

    async def delete(self, asked: Asked) -> None:
        await self.slack.delete_as(PEOPLE[asked.number % len(PEOPLE)], asked.place, asked.message)

    async def stop(self, asked: Asked) -> bool:
        """Return False: Slack has no such button."""
        return False

    async def repeat(self, asked: Asked, times: int) -> None:
        told = [one.payload for one in self.slack.deliveries if _ts(one) == asked.message]
        for number in range(times):
            payload: Any = told[number % len(told)]
            await self.slack.deliver(payload["event"], retry_num=1 + number, event_id=payload["event_id"])

    async def press(self, sight: Sight) -> None:
        await self.slack.click_as(PEOPLE[0], sight.place, sight.message, "footnote_button")

    async def cut(self, how: str) -> None:
        if how == "refresh":
            await self.slack.sockets.disconnect("refresh_requested")
        else:
            self.slack.sockets.drop()

    def fail(self, method: str, **how: Any) -> None:
        self.slack.fail_next(method, **how)

    async def ask_as_stranger(self, text: str) -> str:
        said = f"<@{self.slack.bot_user_id}> {text}"
        message = await self.slack.post_as(STRANGER, "C1", said, client_msg_id=str(uuid.uuid4()))
        self._strange.append(message)
        return message

    def trouble_look_ups(self, **how: Any) -> None:
        for method in LOOK_UPS:
            self.slack.fail_next(method, times=10_000, **how)

    def mend_look_ups(self) -> None:
        for method in LOOK_UPS:
            self.slack.mend(method)

    def told_strangers(self) -> list[str]:
        posts = [call.arguments for call in self.slack.calls_to("chat.postMessage")]
        return [str(post) for post in posts if post.get("thread_ts") in self._strange]

    def died(self, *, alone: bool) -> None:
        """Let Slack try again at once what nobody is left to acknowledge."""
        if alone:
            for _, acknowledged in list(self.slack.sockets._waiting.values()):
                acknowledged.set()

    def is_heard(self) -> bool:
        return not self.slack._courier.unfinished()

    def complaints(self) -> list[str]:
        refused = [
            f"{call.method}: {call.error}"
            for call in self.slack.calls
            if call.error and call.error not in ("ratelimited", "dropped", *_SCRIPTED) and call.status == 200
        ]
        lost = [f"given up: {one.payload}" for one in self.slack.deliveries if one.finished.is_set() and not one.acked]
        # An acknowledgement that came late leads to an event that is told of twice, which must do no harm.
        broken = [words for words in self.slack.violations if "late envelope" not in words]
        return [*broken, *refused, *lost]

    def _root_of(self, thread: str) -> str | None:
        """Return what opened the thread; a message that is gone opens none."""
        root = self._roots.get(thread)
        if root and not any(message.ts == root for message in self.slack.workspace.messages.values()):
            del self._roots[thread]
            return None
        return root

    def _root_above(self, asked: Asked) -> str | None:
        root = self._roots[asked.thread]
        return None if root == asked.message else root

    def _see(self, message: Message) -> None:
        if message.user == self.slack.bot_user_id:
            part = ((message.metadata or {}).get("event_payload") or {}).get("part", "")
            text = visible_text(message)
            is_evidence = str(part).startswith("evidence") or text.startswith(SOURCES)
            self.sights.add(message.channel, message.ts, text, evidence=is_evidence)


def _ts(delivery: Delivery) -> object:
    return delivery.payload.get("event", {}).get("ts")


# What a round lets Slack say, and what a deleted message leads to.
_SCRIPTED = ("internal_error", "fatal_error", "service_unavailable", "message_not_found", "thread_not_found")


@asynccontextmanager
async def slack_town(replicas: int) -> AsyncIterator[SlackTown]:
    """Serve a workspace: everybody is in C1, C2 and C3 with the bot."""
    slack = SlackStandIn(patience=PATIENCE if replicas == 1 else SHORT)
    for person in PEOPLE:
        slack.add_user(person)
    slack.add_user(STRANGER, is_guest=True)
    for channel in ("C1", "C2", "C3"):
        slack.add_channel(channel, members=[*PEOPLE, slack.bot_user_id, *([STRANGER] if channel == "C1" else [])])
    async with slack:
        yield SlackTown(slack)
