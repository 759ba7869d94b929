"""A platform that shows messages nowhere but to the test, and a bot that answers without documents."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from core.conversation import MessageRef, PlatformName, Question
from core.delivery import Absent, Body, Found, Health, Outcome, Outgoing, Part, Seen, Shown
from core.press import button_of
from core.render import text_of
from core.reply import RenderedReply, Tasks
from core.running import Intake


@dataclass
class Stage:
    """Satisfies `Platform`: every message shown is kept, in the order of arrival, with what it showed over time.

    `script` gives the outcome of the next attempts, None a success; True in a pair lets the message arrive
    nevertheless, as a time-out after the effect does.
    """

    name: PlatformName = "slack"
    shows_sign: bool = True
    alone: bool = False
    finds: bool = True
    script: list[tuple[Outcome | None, bool]] = field(default_factory=list)
    messages: dict[str, list[str]] = field(default_factory=dict)
    keys: dict[str, tuple[str, str]] = field(default_factory=dict)
    order: list[tuple[str, str, str | None]] = field(default_factory=list)
    attempts: list[Outgoing] = field(default_factory=list)
    # What was told of answers in the making, and the outcomes of the next tellings as `script` gives those of messages.
    told: list[Outgoing] = field(default_factory=list)
    tellings: list[tuple[Outcome, bool]] = field(default_factory=list)
    # The questions of which it was seen that somebody is at work on them.
    worked: list[str] = field(default_factory=list)

    @asynccontextmanager
    async def connected(self) -> AsyncIterator[None]:
        yield

    async def run(self, intake: Intake, ready: Callable[[str], Awaitable[None]]) -> None:
        await ready(f"{self.name}: connected")
        await asyncio.Event().wait()

    def parts(self, reply: RenderedReply) -> tuple[Part, ...]:
        evidence = [
            Part(f"evidence-{entry.number}", {"text": f"{entry.number}. {entry.quote}"}) for entry in reply.evidence
        ]
        buttons = {button_of(action): action.label for action in reply.actions}
        return (Part("answer-1", {"text": text_of(reply)} | ({"buttons": buttons} if buttons else {})), *evidence)

    def button(self, said: str | Tasks, button: str, label: str) -> Body:
        return {"text": said.line if isinstance(said, Tasks) else said, "button": button, "label": label}

    def after(self, body: Body, button: str) -> Body:
        kind = button.partition(":")[0]
        left = {each: label for each, label in body.get("buttons", {}).items() if not each.startswith(kind)}
        chosen = f"{body['text']} ✓ {body['buttons'][button]}" if button in body.get("buttons", {}) else body["text"]
        return {**body, "text": chosen, "buttons": left} if button in body.get("buttons", {}) else body

    @asynccontextmanager
    async def working(self, question: Question) -> AsyncIterator[None]:
        self.worked.append(question.message)
        yield

    def buttons(self, question: str) -> dict[str, str]:
        """Return what can be pressed now under the answer to a question: what it brings, with its words."""
        shown = [one.body for one in self.attempts if one.question == question and one.body]
        return dict(shown[-1].get("buttons", {})) if shown else {}

    async def show(self, message: Outgoing) -> Outcome:
        self.attempts.append(message)
        outcome, arrives = self.script.pop(0) if self.script else (None, True)
        shown = self._arrive(message) if arrives else None
        return outcome or Shown(shown)

    async def tell(self, message: Outgoing) -> Outcome:
        self.told.append(message)
        outcome, arrives = self.tellings.pop(0) if self.tellings else (None, True)
        if message.shown and arrives and message.body and message.shown.message in self.messages:
            self.messages[message.shown.message].append(str(message.body["text"]))
        return outcome or Shown(message.shown)

    async def find(self, message: Outgoing) -> Seen:
        from core.delivery import CannotTell

        if not self.finds:
            return CannotTell()
        found = [id_ for id_, key in self.keys.items() if key == (message.question, message.part)]
        return Found(MessageRef(self.name, message.asked.place, found[0])) if found else Absent()

    def health(self) -> Health:
        return Health(alive=True, words="on stage", silent=0.0)

    def visible(self, question: str | None = None) -> list[str]:
        """Return what can be seen now, of one question or of all, in the order in which it was first posted."""
        return [said[-1] for id_, said in self.messages.items() if question in (None, self.keys[id_][0])]

    def _arrive(self, message: Outgoing) -> MessageRef | None:
        text = str(message.body["text"]) if message.body else None
        self.order.append((message.question, message.part, text))
        if text is None:
            assert message.shown
            self.messages.pop(message.shown.message, None)
            return None
        if message.shown and message.shown.message in self.messages:
            self.messages[message.shown.message].append(text)
            return message.shown
        id_ = f"m{len(self.keys) + 1}"
        self.messages[id_] = [text]
        self.keys[id_] = (message.question, message.part)
        return MessageRef(self.name, message.asked.place, id_)
