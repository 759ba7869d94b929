"""The one analyzer: words, stems, sentences and language, alike for search, entities and verification."""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import pairwise
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
# Signs that only join words where they stand alone, as behind a name in Latin letters: VPN을, VPNの設定.
_STOP_SIGNS = "은 는 이 가 을 를 의 에 로 와 과 도 만 の は を に が と で も へ 的 了 是 在 和 吗 呢".split()
STOP_WORDS = frozenset((*_STOP_EN, *_STOP_SIGNS)) | {word.replace("ё", "е") for word in _STOP_RU}

# Marks that belong to the letter before them: vowel signs of Indian scripts and Thai, points of Hebrew and Arabic.
_MAY_BE_MARKS = (*range(0x300, 0x1D00), *range(0xA800, 0xAC00))
MARKS = "".join(sign for sign in map(chr, _MAY_BE_MARKS) if unicodedata.category(sign) in ("Mn", "Mc"))
# Scripts written without spaces between words, or with the small words joined on: Thai, Lao, Burmese, Khmer, Japanese,
# Chinese, Korean.
_UNSPACED = (
    "\u0e01-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u9fff\uac00-\ud7af"
    "\uf900-\ufaff\U00020000-\U0003ffff"
)
_IS_UNSPACED = re.compile(f"[{_UNSPACED}]")
_RUN = re.compile(f"[{_UNSPACED}][{_UNSPACED}{MARKS}]*|[^{_UNSPACED}]+")
_SIGN = re.compile(f"[^{MARKS}][{MARKS}]*")
# A word may hold dots, hyphens, slashes and apostrophes inside: INC-2041, v2.3.1, GATEWAY_RETRY_LIMIT, don't.
_LETTERS = rf"\w+(?:[{MARKS}]+\w*)*"
_WORD = re.compile(rf"{_LETTERS}(?:[.,:'’/@&+-]{_LETTERS})*[+#%]*")
_PART = re.compile(rf"[^\W_]+(?:[{MARKS}]+[^\W_]*)*")
_CYRILLIC = re.compile(r"[\u0400-\u04ff]")
_LETTER = re.compile(r"[^\W\d_]", re.UNICODE)
# Where a joiner is part of what is seen: between the letters of scripts that it shapes (Arabic to Sinhala, Tibetan and
# Burmese, Khmer and Mongolian; unicode.org/reports/tr31, A1 to B), and in an emoji made of several.
_SHAPED = "\u0600-\u0dff\u0f00-\u109f\u1780-\u18af\u2190-\u2bff\ufe0f\U0001f000-\U0001faff"
# Control characters, marks of direction, stray joiners, and the tags in which a whole sentence can hide.
_INVISIBLE = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x84\x86-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]"
    r"|[\U000e0000-\U000e007f]"
    rf"|(?<![{_SHAPED}])[\u200c\u200d]|[\u200c\u200d](?![{_SHAPED}])"
)
_JOINER = str.maketrans("", "", "\u200c\u200d")
_ADDRESS = re.compile(r"\S+@\S+|\b\w+://\S+|\bwww\.\S+")
_MOVED_DIGITS = re.compile(r"(?<=\d)(?=[⁰¹²³⁴-⁹⁺⁻₀-₉₊₋])")
# Marks that most writers leave out: accents that are part of a letter are composed before, and the points of Hebrew and
# Arabic tell vowels.
_STRESS = re.compile(
    "[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7"
    "\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed]"
)
# A sentence begins with a capital, a number, or a letter of a script that has no capitals.
_BEGINS = "A-ZÀ-ÞΑ-ΩЀ-Я0-9\u0590-\u137f\u1780-\u17ff\u3040-\u9fff\uac00-\ud7af"
# Full stops and so on of Chinese and Japanese, Hindi, Arabic, Urdu, Burmese and Khmer: no space need follow.
_STOPS = "。！？।॥؟۔၊။។"
_CLOSERS = "\"'”’»)]」』）】"
_CLOSED = f"[{re.escape(_CLOSERS)}]*"
_SENTENCE_END = re.compile(
    rf"(?<=[.!?…]){_CLOSED}\s+(?=[\"'“‘«(\[]?[{_BEGINS}])|(?<=[{_STOPS}])(?![{_STOPS}]){_CLOSED}\s*|\n+"
)
_ABBREVIATION = re.compile(
    r"(?:\b(?:e\.g|i\.e|etc|vs|Mr|Mrs|Ms|Dr|No|approx|т\.е|т\.к|т\.д|т\.п|др|г|гг|руб|стр|см|им|ул)|\b[A-ZА-Я])\.$"
)


@lru_cache(maxsize=1_024)
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


# Fewer words without a small one among them may all be names: "docker compose".
_MOST_NAMES = 2


@lru_cache(maxsize=1_024)
def tells_language(text: str) -> bool:
    """Return whether the words show in which language they are: names, codes and digits alone show none.

    Letters of another script than the Latin one do, and of Latin ones small words, or several that are no names.
    """
    if TONGUES[language_of(text)].letters is not None:
        return True
    said = words(_ADDRESS.sub(" ", text))
    small = {word.casefold() for word in said if len(word) == 1 or not word.isupper()}
    if any(not small.isdisjoint(one.words or STOP_WORDS) for one in TONGUES.values() if one.letters is None):
        return True
    plain = [word for n, word in enumerate(said) if word.isalpha() and (word.islower() or (n == 0 and word.istitle()))]
    return len(plain) > _MOST_NAMES


@lru_cache(maxsize=1_024)
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
    """Return the text without control and invisible characters; line ends, tabs and what shapes letters stay."""
    return text if text.isprintable() else _INVISIBLE.sub("", text)


def hidden_in(text: str) -> frozenset[int]:
    """Return the places of the characters that `clean` leaves out."""
    found = () if text.isprintable() else _INVISIBLE.finditer(text)
    return frozenset(place for one in found for place in range(*one.span()))


def bare(text: str) -> str:
    """Return the text as `clean` does, without what shapes letters too: for comparison."""
    return text if text.isprintable() else clean(text).translate(_JOINER)


def normalise(text: str) -> str:
    """Return the text folded for comparison: NFKC, lower case, ё as е, no invisible characters, no stress marks."""
    if text.isascii():  # of these characters nothing else is folded, and most words are of them
        return bare(text).lower()
    folded = unicodedata.normalize("NFKC", apart(bare(text))).lower()
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


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """Return the stem of one folded word by the rules of its script; words with digits stay whole."""
    if known := _UNITS.get(word):
        return known
    if any(char.isdigit() for char in word):
        return word
    # A stemmer keeps the word that it works on, so that two threads with one stemmer would spoil each other's words.
    return str(snowballstemmer.stemmer("russian" if _CYRILLIC.search(word) else "english").stemWord(word))


@lru_cache(maxsize=20_000)
def _terms_of(word: str) -> tuple[str, ...]:
    if word in STOP_WORDS:
        return ()
    if _IS_UNSPACED.search(word):
        return tuple(term for run in _RUN.findall(word) for term in _terms_of_run(run))
    parts = [part for part in _PART.findall(word) if part not in STOP_WORDS]
    if len(parts) <= 1:
        return tuple(stem(part) for part in parts)
    return (word, *(stem(part) for part in parts))


def _terms_of_run(run: str) -> tuple[str, ...]:
    """Return the terms of what is in one script: pairs of signs where words are not told apart."""
    if run in STOP_WORDS or not _IS_UNSPACED.match(run):
        return _terms_of(run)
    found = _SIGN.findall(run)
    return tuple(map("".join, pairwise(found))) if len(found) > 1 else tuple(found)


def lone_signs(text: str) -> list[str]:
    """Return each sign of the scripts without spaces: a question may be for one, and the terms hold them in pairs."""
    if text.isascii() or not _IS_UNSPACED.search(text):
        return []
    runs = [run for word in _WORD.findall(normalise(text)) for run in _RUN.findall(word) if _IS_UNSPACED.match(run)]
    signs = [found for run in runs if len(found := _SIGN.findall(run)) > 1]
    return [sign for found in signs for sign in found if sign not in STOP_WORDS]


def sentences(text: str) -> Iterator[tuple[int, int]]:
    """Yield the (start, end) of each sentence; white space around a sentence is outside it."""
    start = 0
    for match in _SENTENCE_END.finditer(text):
        if "\n" not in match.group() and _ABBREVIATION.search(text[max(start, match.start() - 12) : match.start()]):
            continue
        yield from _trimmed(text, start, match.start() + len(match.group()) - len(match.group().lstrip(_CLOSERS)))
        start = match.end()
    yield from _trimmed(text, start, len(text))


def _trimmed(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if start < end:
        yield start, end
