"""Sharing a private answer: it is made once more, from what everybody there may read, and shown to them."""

from dataclasses import replace
from datetime import UTC, datetime

from core.conversation import Pressed, Question
from core.phrases import phrase
from core.press import Offer, Press
from core.reply import Action, Paragraph, RenderedReply, Text


def shared_question(press: Press, offer: Offer) -> Question | None:
    """Return the question that sharing a reply asks, the same whenever it is pressed; None where nothing is private."""
    alone, message = press.alone, press.message
    if alone is None:
        return None
    return Question(
        id=f"{offer.question}!share",
        platform=message.platform,
        thread=f"{offer.question}!share",
        text=offer.in_full,
        asker=press.person,
        audience=alone.everyone,
        asked_at=datetime.now(UTC),
        place=message.place,
        message=alone.aloud,
        pressed=Pressed("share", "", offer.question),
    )


def as_seen(question: Question, reply: RenderedReply, people: str | None = None) -> RenderedReply:
    """Return the reply with what belongs to it where it is seen: a private one can be shared, a shared one says so.

    `people`: the channel to which questions without an answer can be handed on, as `slack:TEAM:CHANNEL`.
    """
    if reply.is_refusal and people and people.startswith(f"{question.platform}:{question.audience.tenant}:"):
        person = Action("person", phrase("ask_person", reply.language))
        return replace(reply, actions=(*reply.actions, person))
    if question.private and reply.evidence:
        share = Action("share", phrase("share", reply.language))
        return replace(reply, actions=(*reply.actions, share))
    if question.pressed and question.pressed.kind == "share":
        asked = Paragraph((Text(phrase("shared_here", reply.language) + " "), Text(question.text, "strong")))
        return replace(reply, nodes=(asked, *reply.nodes))
    return reply
