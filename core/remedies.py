"""Why a document cannot be read and what to do about it, in the language of whoever is told.

What reads documents says it in English, for logs and the terminal; a language's file may say each of these sentences
its own way, with `{}` for the values in it.
"""

import re
from functools import cache

from core.errors import IngestError
from core.phrases import tongue


def told_of(problem: IngestError, language: str) -> str:
    """Return the document with what is wrong with it."""
    return f"{problem.path}: {told_in(problem.reason, language)}"


def told_in(reason: str, language: str) -> str:
    """Return the reason in the language; as it is where the language has no words for it."""
    for known, own in _patterns(language):
        if found := known.fullmatch(reason):
            return own.format(*found.groups())
    return reason


@cache
def _patterns(language: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    """Return what the language knows, the sentence with most words of its own first: it fits best where several do."""
    known = sorted(tongue(language).reasons.items(), key=lambda item: -len(item[0].replace("{}", "")))
    return tuple((_pattern(sentence), own) for sentence, own in known)


def _pattern(sentence: str) -> re.Pattern[str]:
    return re.compile("(.*?)".join(map(re.escape, sentence.split("{}"))), re.DOTALL)
