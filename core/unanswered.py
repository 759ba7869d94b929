"""What is said where there can be no answer: to a message that is no question, and when the outside fails."""

import re

from core.conversation import Question
from core.phrases import phrase
from core.render import say
from core.reply import RenderedReply
from core.text import language_of

# Longer questions are pasted documents; Slack takes messages of up to 40,000 characters, Telegram 4,096.
MAX_QUESTION = 4_000
_MIN_LETTERS = 2
# A year or a date asks on its own: "2024?", "15.03?".
_DAYS = re.compile(r"\b(?:(?:19|20)\d{2}|\d{1,2}[./-]\d{1,2}(?:[./-]\d{2,4})?)\b", re.ASCII)


def unanswerable(text: str) -> RenderedReply | None:
    """Return what to say to an empty or an endless message, or None for a question."""
    language = language_of(text)
    if sum(char.isalpha() for char in text) < _MIN_LETTERS and not _DAYS.search(text):
        return say(phrase("empty", language), language)
    if len(text) > MAX_QUESTION:
        return say(phrase("too_long", language, length=len(text), limit=MAX_QUESTION), language)
    return None


def failed(question: Question, reference: str) -> RenderedReply:
    """Return the sentence that there is no answer this time, with the reference under which the log says why."""
    language = language_of(question.text)
    return say(phrase("failed", language, reference=reference), language)
