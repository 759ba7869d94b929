"""In which language a claim is written: that of its question, whatever that of the documents is."""

import re

from core.phrases import tongue
from core.proof.words import Word, read
from core.text import STOP_WORDS, Language

_LATIN = re.compile(r"[a-zà-ž]")
# So many words of another script are no name and no term.
_SEVERAL = 2


def fault_of_language(text: str, quotes: str, question: str, language: Language) -> str | None:
    """Return that the claim is not written in the language of the question, as far as its script tells.

    Names are written as they are, and so are words that are only copied from the quotes, unless small words join them
    to a sentence. A question in two languages may be answered in either.
    """
    letters = tongue(language).letters or _LATIN
    if not any(map(str.isalpha, letters.sub("", text.lower()))):
        return None
    held = read(quotes)
    capitals = {word.low for word in held.words if word.capital}
    words = [word for word in read(text).words if word.kind == "word" and _is_plain(word, capitals)]
    alien = [word for word in words if not letters.search(word.low)]
    if len(alien) < _SEVERAL or 2 * len(alien) <= len(words):
        return None
    asked = (word for word in read(question).words if word.kind == "word" and not word.capital)
    if sum(not letters.search(word.low) for word in asked) >= _SEVERAL:
        return None
    copied = all(word.stem in held.stems and word.low not in STOP_WORDS for word in alien)
    return None if copied else f"it is not written in {tongue(language).name}, the language of the question"


def _is_plain(word: Word, capitals: set[str]) -> bool:
    """Return whether a word is no name: it has no capital, or only since it opens the sentence."""
    return not word.capital or (word.opens and word.low not in capitals)
