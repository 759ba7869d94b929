"""Whatever happens on the way, in the end the chat shows the last reply, each message of it once."""

from dataclasses import dataclass, field, replace

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from adapters.storage.database import Database
from adapters.storage.inbox import SqlInbox
from adapters.storage.outbox import SqlOutbox
from adapters.storage.threads import SqlThreads
from core.conversation import MessageRef, Question
from core.delivery import Outgoing
from core.work import Claim
from tests.adapters.storage.turns import ask, part, signed

# What a person and the answerer do, and how an attempt to show a message can end.
_DEEDS = ("answer 1", "answer 2", "answer 3", "withdraw")
_ENDS = ("shown", "later", "lost on the way", "lost on the way back", "died before", "died after")
_STEPS = st.sampled_from((*_DEEDS, *("claim",) * 4, *_ENDS))
_QUIETLY = settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture], derandomize=True
)
_NUMBERS = iter(range(1_000_000))


@dataclass
class Chat:
    """A chat in which one can look for a message by the question and the part it carries."""

    question: Question
    messages: dict[MessageRef, tuple[str, str]] = field(default_factory=dict)

    def find(self, part: str) -> MessageRef | None:
        """Return the message that carries the part."""
        return next((ref for ref, (carried, _) in self.messages.items() if carried == part), None)

    def show(self, message: Outgoing, shown: MessageRef | None) -> MessageRef | None:
        """Post, change or remove a message."""
        if message.body is None:
            self.messages.pop(shown or self._new(), None)
            return None
        ref = shown or self._new()
        self.messages[ref] = (message.part, str(message.body["text"]))
        return ref

    def _new(self) -> MessageRef:
        return MessageRef("telegram", self.question.place, f"m{next(_NUMBERS)}")


@dataclass
class Scene:
    """One question, its chat, and a courier that may die and be followed by another."""

    database: Database
    chat: Chat
    generation: int = 0
    version: int = 0
    claim: Claim | None = None
    reply: dict[str, str] = field(default_factory=dict)
    withdrawn: bool = False

    @property
    def outbox(self) -> SqlOutbox:
        """The outbox as the living courier sees it."""
        return SqlOutbox(self.database, f"{self.chat.question.place} {self.generation}")

    async def step(self, step: str) -> None:
        """Do one thing, unless it makes no sense now."""
        if step == "withdraw":
            await SqlInbox(self.database).withdraw(MessageRef("telegram", self.chat.question.place, "0"))
            self.withdrawn, self.reply = True, {}
        elif step.startswith("answer"):
            await self._answer(int(step[-1]))
        elif step == "claim":
            self.claim = self.claim or await self.outbox.claim(("telegram", self.chat.question.place))
        elif self.claim:
            claim, self.claim = self.claim, None
            await self._attempt(claim, step)

    async def _answer(self, parts: int) -> None:
        self.version += 1
        now = replace(self.chat.question, text=f"v{self.version}", version=self.version)
        texts = {f"answer-{n}": f"v{self.version} {n}" for n in range(1, parts + 1)}
        await SqlInbox(self.database).edit(now)
        await SqlThreads(self.database, 1).close(now, [part(text, name) for name, text in texts.items()])
        if not self.withdrawn:
            self.reply = texts

    async def _attempt(self, claim: Claim, end: str) -> None:
        shown = claim.outgoing.shown
        if claim.in_doubt and shown is None:
            shown = self.chat.find(claim.outgoing.part)
            if shown and claim.version == 1:
                return await self.outbox.sent(claim, shown)
        if claim.outgoing.body is None and shown is None:
            return await self.outbox.sent(claim, None)
        if end in ("shown", "lost on the way back", "died after"):
            shown = self.chat.show(claim.outgoing, shown)
        return await self._settle(claim, end, shown)

    async def _settle(self, claim: Claim, end: str, shown: MessageRef | None) -> None:
        if end == "shown":
            await self.outbox.sent(claim, shown)
        elif end == "later":
            await self.outbox.later(claim, 0, end, whole_place=True)
        elif end.startswith("lost"):
            await self.outbox.doubted(claim, 0, end)
        else:
            dead = f"{self.chat.question.place} {self.generation}"
            self.generation += 1
            await self.outbox.take_over(dead)


@pytest.fixture
def inbox(database: Database) -> SqlInbox:
    """Return the line of the questions."""
    return SqlInbox(database)


@_QUIETLY
@example(["answer 2", "claim", "died after", "answer 1", "claim", "lost on the way back", "withdraw"])
@example(["claim", "lost on the way back", "answer 1", "claim", "lost on the way"])
@given(steps=st.lists(_STEPS, max_size=16))
async def test_the_chat_shows_the_last_reply(database: Database, inbox: SqlInbox, steps: list[str]) -> None:
    """Answers, edits, withdrawals, refusals to take a message now, doubts and deaths, in any order."""
    question = ask("v0", place=f"chat {next(_NUMBERS)}", message="0")
    await inbox.record(question, signed(part("…")))
    scene = Scene(database, Chat(question), reply={"answer-1": "…"})
    for step in steps:
        await scene.step(step)
    await scene.step("shown")
    await scene.step("claim")
    while scene.claim:
        await scene.step("shown")
        await scene.step("claim")

    assert sorted(scene.reply.items()) == sorted(scene.chat.messages.values())
    assert await scene.outbox.unsent() == 0
