"""The one analyzer: words, stems, sentences and language, alike for search, entities and verification."""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Final, Literal

import snowballstemmer

from core.phrases import TONGUES

# The code of a language that we speak: the name of a file in core/phrases/.
Language = str
# Languages whose words we have rules for; text of any other is read as English.
Analysed = Literal["en", "ru"]


class Untrusted(str):
    """Text from a document or from somebody else's message: information, never instructions.

    Only `prompts.quote` (into a prompt) and `reply.plain` (into a reply) turn it into text that leaves the bot.
    """

    __slots__ = ()


# Words that carry no topic. They are left out of search and of coverage, never out of what is shown.
_STOP_EN = """
a an and are as at be been but by can could did do does for from had has have how i if in into is it its me my no
not of on or our s shall should so t than that the their them then there these they this those to too us was we were
what when where which who whom whose why will with would you your about also am any each every both all only get
gets got much many need want tell please know take
""".split()
_STOP_RU = """
а без бы был была были было быть в вам вас весь во вот все всё вы где да для до его ее её если есть еще ещё же за и
из или им их к как какая какие какой какое каких каким каков кем ко когда кого кому кто ли либо мне мы на над нам
нас не него нее неё нет ни них но ну о об он она они оно от по под при про с со сколько так также такой там те тем
то того той том ты у уже чего чем что чтобы эта эти это этого этой этом этот я мой моя мои свой своя свои себя
расскажи скажи такое такая самый самой почему зачем куда откуда чей чья чье чьи
""".split()
STOP_WORDS = frozenset(_STOP_EN) | {word.replace("ё", "е") for word in _STOP_RU}

# A word may hold dots, hyphens, slashes and apostrophes inside: INC-2041, v2.3.1, GATEWAY_RETRY_LIMIT, don't.
_WORD = re.compile(r"\w+(?:[.,:'’/@&+-]\w+)*[+#%]*", re.UNICODE)
_PART = re.compile(r"[^\W_]+", re.UNICODE)
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_CYRILLIC = re.compile(r"[\u0400-\u04ff]")
_LETTER = re.compile(r"[^\W\d_]", re.UNICODE)
# Control characters, marks of direction, joiners, and the tags in which a whole sentence can hide.
_INVISIBLE = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x84\x86-\x9f\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]"
    r"|[\U000e0000-\U000e007f]"
)
_ADDRESS = re.compile(r"\S+@\S+|\b\w+://\S+|\bwww\.\S+")
_MOVED_DIGITS = re.compile(r"(?<=\d)(?=[⁰¹²³⁴-⁹⁺⁻₀-₉₊₋])")
_STRESS = re.compile(r"[\u0300-\u036f]")  # accents that are part of a letter are composed before
_SENTENCE_END = re.compile(r"(?<=[.!?…])[\"'”’»)\]]*\s+(?=[\"'“‘«(\[]?[A-ZА-ЯЁ0-9])|\n+")
_ABBREVIATION = re.compile(
    r"(?:\b(?:e\.g|i\.e|etc|vs|Mr|Mrs|Ms|Dr|No|approx|т\.е|т\.к|т\.д|т\.п|др|г|гг|руб|стр|см|им|ул)|\b[A-ZА-Я])\.$"
)


@lru_cache(maxsize=4_096)
def language_of(text: str) -> Language:
    """Return the language to answer in: the one that has at least half of the letters, else a Latin one.

    Where several languages have the letters, the one with most of its small words in the text, and where these do not
    tell, the first: English of the Latin ones.
    """
    letters = "" if text.isascii() else _telling_letters(text)
    fit = [code for code, one in TONGUES.items() if one.letters and _is_mostly(one.letters, letters)]
    fit = fit or [code for code, one in TONGUES.items() if one.letters is None]
    if len(fit) == 1:
        return fit[0]
    said = _WORD.findall(normalise(text))
    return max(fit, key=lambda code: sum(word in (TONGUES[code].words or STOP_WORDS) for word in said))


@lru_cache(maxsize=4_096)
def analysed_as(text: str) -> Analysed:
    """Return whose rules of words fit the text: the Russian ones for mostly Cyrillic letters, else the English ones."""
    return "en" if text.isascii() or not _is_mostly(_CYRILLIC, _telling_letters(text)) else "ru"


def _telling_letters(text: str) -> str:
    """Return the letters that tell the language: those of addresses tell none.

    Words with a capital are names as often as not ("Кто руководит Project Lantern?"), so the others decide if there
    are any, else the first ("Без Kafka?").
    """
    text = _ADDRESS.sub(" ", text) if "@" in text or "/" in text else text
    said = words(text)
    plain = " ".join(word for word in said if word[0].islower()) or next((one for one in said if one.istitle()), "")
    return "".join(_LETTER.findall(plain) or _LETTER.findall(text))


def _is_mostly(script: re.Pattern[str], letters: str) -> bool:
    return bool(letters) and 2 * len(script.findall(letters)) >= len(letters)


def clean(text: str) -> str:
    """Return the text without control and invisible characters; line ends and tabs stay."""
    return text if text.isprintable() else _INVISIBLE.sub("", text)


def normalise(text: str) -> str:
    """Return the text folded for comparison: NFKC, lower case, ё as е, no invisible characters, no stress marks."""
    folded = unicodedata.normalize("NFKC", apart(clean(text))).lower()
    return _STRESS.sub("", folded).replace("ё", "е")


def apart(text: str) -> str:
    """Return the text with raised and lowered digits parted from a number before them: folded, 10⁵ would read 105."""
    return text if text.isascii() else _MOVED_DIGITS.sub("^", text)


def words(text: str) -> list[str]:
    """Return the words as written, with identifiers and numbers whole."""
    return _WORD.findall(text)


def terms(text: str) -> list[str]:
    """Return the search terms of the text in order: stems without stop words, identifiers whole and in parts."""
    return [term for word in _WORD.findall(normalise(text)) for term in _terms_of(word)]


def all_terms(text: str) -> list[str]:
    """Return the stems of every word, stop words too: for names, where each word counts."""
    return [stem(part) for word in _WORD.findall(normalise(text)) for part in _PART.findall(word)]


# Units of time and money whose forms the stemmer takes for different words: 28 дней, 44 дня.
_UNITS: Final[Mapping[str, str]] = {
    **dict.fromkeys("день дня дню днем дне дни дней дням днями днях".split(), "ден"),
    "суток": "сутк",
    "копеек": "копейк",
}


@lru_cache(maxsize=200_000)
def stem(word: str) -> str:
    """Return the stem of one folded word by the rules of its script; words with digits stay whole."""
    if known := _UNITS.get(word):
        return known
    if any(char.isdigit() for char in word):
        return word
    # A stemmer keeps the word that it works on, so that two threads with one stemmer would spoil each other's words.
    return str(snowballstemmer.stemmer("russian" if _CYRILLIC.search(word) else "english").stemWord(word))


@lru_cache(maxsize=200_000)
def _terms_of(word: str) -> tuple[str, ...]:
    if word in STOP_WORDS:
        return ()
    if _CJK.search(word):
        return tuple(word[i : i + 2] for i in range(max(1, len(word) - 1)))
    parts = [part for part in _PART.findall(word) if part not in STOP_WORDS]
    if len(parts) <= 1:
        return tuple(stem(part) for part in parts)
    return (word, *(stem(part) for part in parts))


def sentences(text: str) -> Iterator[tuple[int, int]]:
    """Yield the (start, end) of each sentence; white space around a sentence is outside it."""
    start = 0
    for match in _SENTENCE_END.finditer(text):
        if "\n" not in match.group() and _ABBREVIATION.search(text[max(start, match.start() - 12) : match.start()]):
            continue
        yield from _trimmed(text, start, match.start() + len(match.group()) - len(match.group().lstrip("\"'”’»)]")))
        start = match.end()
    yield from _trimmed(text, start, len(text))


def _trimmed(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if start < end:
        yield start, end
