"""Sharing a private answer: it is given again, word for word, where everybody may read what it was made from."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from core.around import has_words
from core.conversation import Audience, MessageRef, Pressed, Question
from core.entities import Registry, resolve_entities
from core.phrases import phrase
from core.ports import Knowledge
from core.press import Offer, Press
from core.render import say
from core.reply import Action, Paragraph, RenderedReply, Text
from core.turn import TurnRecord

# What the id of a question that shares an answer ends with, and its thread: it begins one of its own.
SHARED = "!share"


def goes_on(root: MessageRef, thread: str) -> bool:
    """Return whether the thread that a message of ours belongs to goes on under it.

    So does one under an answer that was shared, and in a direct channel under one to what was asked elsewhere. What is
    said under other messages of ours, such as a question that was handed on, people say to each other.
    """
    return thread.endswith(SHARED) or root.place.rpartition(":")[2].startswith("D")


def shared_question(press: Press, offer: Offer) -> Question | None:
    """Return the question that sharing a reply asks, the same whenever it is pressed; None where nothing is private."""
    alone, message = press.alone, press.message
    if alone is None:
        return None
    return Question(
        id=f"{offer.question}{SHARED}",
        platform=message.platform,
        thread=f"{offer.question}{SHARED}",
        text=offer.in_full,
        asker=press.person,
        audience=alone.everyone,
        asked_at=datetime.now(UTC),
        place=message.place,
        message=alone.aloud,
        pressed=Pressed("share", "", offer.question),
    )


@dataclass(frozen=True, slots=True)
class Sayable:
    """Tells whether a question may be said aloud where it would be answered: a private answer may have named more."""

    known: Callable[[], Awaitable[Knowledge | None]]
    audience: Callable[[Question], Awaitable[Audience]]

    async def __call__(self, question: Question) -> bool:
        """Return whether everybody who would read it may know all names in it. Raises PortError."""
        knowledge = await self.known()
        if knowledge is None or not knowledge.closed:
            return True
        known = knowledge.seen_by(await self.audience(question)).registry
        return _named(question, known) >= _named(question, knowledge.registry)


def _named(question: Question, registry: Registry) -> set[str]:
    return {match.entity.name for match in resolve_entities(question.text, registry)}


def not_shared(question: Question, record: TurnRecord | None) -> RenderedReply:
    """Return what is said to who wanted to share an answer that not all who read there may read.

    `record`: what those would be answered, which goes with it if it is an answer.
    """
    language = question.language
    if record is None or record.answer.is_refusal:
        return say(phrase("share_closed", language), language)
    words = f"{phrase('share_closed', language)} {phrase('share_instead', language)}"
    return replace(record.reply, nodes=(*say(words, language).nodes, *record.reply.nodes), actions=(), checks=())


def as_seen(question: Question, reply: RenderedReply, people: str | None = None) -> RenderedReply:
    """Return the reply with what belongs to it where it is seen: a private one can be shared, a shared one says so.

    Of a file that came with the question it says that nobody read it.

    `people`: the channel to which questions without an answer can be handed on, as `slack:TEAM:CHANNEL`.
    """
    if question.attached and has_words(question.text):
        unread = Paragraph((Text(phrase("file_unread", reply.language), "quiet"),))
        reply = replace(reply, nodes=(*reply.nodes, unread))
    if reply.is_refusal and people and people.startswith(f"{question.platform}:{question.audience.tenant}:"):
        person = Action("person", phrase("ask_person", reply.language))
        return replace(reply, actions=(*reply.actions, person))
    if question.private and reply.evidence:
        share = Action("share", phrase("share", reply.language))
        return replace(reply, actions=(*reply.actions, share))
    if question.pressed and question.pressed.kind in ("share", "open"):
        name = "shared_here" if question.pressed.kind == "share" else "opened_here"
        asked = Paragraph((Text(phrase(name, reply.language) + " "), Text(question.text, "strong")))
        return replace(reply, nodes=(asked, *reply.nodes))
    return reply
