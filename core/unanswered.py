"""What is said where there can be no answer: to a message that is no question, and when the outside fails."""

import re

from core.conversation import Question
from core.courtesy import courtesy
from core.phrases import phrase
from core.render import say
from core.reply import RenderedReply
from core.summons import beckons, drops_it, is_about_us
from core.text import Language, language_of

# Longer questions are pasted documents; Slack takes messages of up to 40,000 characters, Telegram 4,096.
MAX_QUESTION = 4_000
_MIN_LETTERS = 2
# A year or a date asks on its own: "2024?", "15.03?".
_DAYS = re.compile(r"\b(?:(?:19|20)\d{2}|\d{1,2}[./-]\d{1,2}(?:[./-]\d{2,4})?)\b", re.ASCII)


def unanswerable(text: str, language: Language | None = None) -> RenderedReply | None:
    """Return what to say to courtesies, to what is about ourselves, and to what is empty or endless; None to others.

    In the language of the words, unless another is given.
    """
    language = language or language_of(text)
    kind = "ok" if drops_it(text) else courtesy(text)
    if kind == "hello" or is_about_us(text) or beckons(text):
        return say(phrase("about_us", language), language)
    if kind:
        # Such words tell their language, but for "ok", which is said in all.
        said = language_of(text) if kind != "ok" and any(char.isalpha() for char in text) else language
        return say(phrase(f"courtesy_{kind}", said), said)
    if sum(char.isalpha() for char in text) < _MIN_LETTERS and not _DAYS.search(text):
        return say(phrase("empty", language), language)
    if len(text) > MAX_QUESTION:
        return say(phrase("too_long", language, length=len(text), limit=MAX_QUESTION), language)
    return None


def failed(question: Question, reference: str) -> RenderedReply:
    """Return the sentence that there is no answer this time, with the reference under which the log says why."""
    return say(phrase("failed", question.language, reference=reference), question.language)
