"""Bytes to text, in the encodings that office files really have."""

import codecs
import re

from core.errors import IngestError

# Below this share of letters, digits, spaces and common marks the bytes are no Cyrillic text.
MOSTLY = 0.85
# Characters that tell what a text is; a longer look costs memory and says the same.
SAMPLE = 100_000
_COMMON = re.compile(r"[\w\s.,:;!?()\"'«»„“”’–—№%/*#=|+&@<>\[\]-]")
_MIXED = re.compile(r"[A-Za-z][\u0400-\u04ff]|[\u0400-\u04ff][A-Za-z]")
_PLAIN = re.compile(r"[\x20-\x7e\s\u00a0-\u00ffА-Яа-яЁё«»„“”’–—№€₽…]")
_CYRILLIC = re.compile(r"[а-яёА-ЯЁ]")
_ANY_CYRILLIC = re.compile(r"[\u0400-\u04ff]")
# What English text of Windows has beyond ASCII: signs, of which none stands in a word, and letters of borrowed words.
_LATIN_SIGNS, _LATIN_LETTERS = "€£¥¢§©®™°±²³µ·×÷½¼¾–—‘’“”„‚«»•…†‡‰\xa0", "àâäçéèêëîïôöùûüœßñáíóúÀÂÄÇÉÈÊËÎÏÔÖÙÛÜŒÑÁÍÓÚ"
_LATIN = re.compile(rf"[\x00-\x7f{_LATIN_SIGNS}{_LATIN_LETTERS}]*")
_NO_LATIN = re.compile(
    rf"[{_LATIN_LETTERS}]{{3}}|(?<![A-Za-z{_LATIN_LETTERS}])[{_LATIN_LETTERS}]{{1,2}}(?![A-Za-z{_LATIN_LETTERS}])"
    r"|[A-Za-z][€£¥¢§±¼½¾÷«][a-z]"
)
_BEYOND_ASCII, _LETTER = re.compile(rf"[{_LATIN_LETTERS}]"), re.compile(rf"[A-Za-z{_LATIN_LETTERS}]")
# Of the letters of an English text at most so many are borrowed; of other languages it could only be guessed.
_BORROWED = 0.05
# A character of UTF-8 that is broken is an accident where so many others are whole.
_WHOLE, _BROKEN = 20, "\ufffd"
# The ten commonest letters of Russian: about two thirds of any text in it.
_FREQUENT = re.compile(r"[оеаинтсрвл]")
_BYTE_ORDER_MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
# Windows, Unix of old, and DOS.
_CYRILLIC_ENCODINGS = ("cp1251", "koi8-r", "cp866")


def decode(data: bytes, path: str, declared: str | None = None) -> str:
    """Return the text with plain line ends.

    By its byte order mark, as UTF-8, as declared, as UTF-16 without a mark, as English of Windows, or in a Cyrillic
    encoding, whichever gives the more Russian text. A broken character or two of UTF-8 come as U+FFFD. Raises
    IngestError for what is no text and what could only be guessed.
    """
    encoding = next((name for mark, name in _BYTE_ORDER_MARKS if data.startswith(mark)), None)
    if encoding is None and b"\0" in data:
        text = _utf16(data)
        if text is None:
            raise IngestError(path, "holds binary data, not text: give it the suffix of its real format or remove it")
    else:
        text = _decoded(data, encoding or "utf-8")
    if text is None and encoding is None:
        text = _nearly_utf8(data) or (declared and _decoded(data, declared)) or _latin(data) or _cyrillic(data)
    if text is None or "\0" in text:
        raise IngestError(path, "its encoding is unknown: save it as UTF-8")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _decoded(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    # A codec that makes no text, such as "hex", and a name with a zero in it are as good as unknown ones.
    except (UnicodeError, LookupError, ValueError, TypeError):
        return None


def _utf16(data: bytes) -> str | None:
    """Return the bytes read as UTF-16 without a mark when that gives plain English or Russian."""
    for encoding in ("utf-16-le", "utf-16-be"):
        text = _decoded(data, encoding)
        if text and "\0" not in text and _share(_PLAIN, text) >= MOSTLY:
            return text
    return None


def _nearly_utf8(data: bytes) -> str | None:
    """Return the bytes read as UTF-8 when all but one or two of many characters beyond ASCII are whole."""
    text = data.decode("utf-8", "replace")
    broken = text.count(_BROKEN)
    whole = len(re.findall(rf"[^\x00-\x7f{_BROKEN}]", text)) if broken <= 2 else 0  # noqa: PLR2004 - as promised
    return text if whole >= _WHOLE * broken else None


def _latin(data: bytes) -> str | None:
    """Return the bytes read as English of Windows, when what is beyond ASCII are signs and letters in English words."""
    text = _decoded(data, "cp1252")
    if text is None or not _LATIN.fullmatch(text) or _NO_LATIN.search(text):
        return None
    sample = text[:SAMPLE]
    return text if len(_BEYOND_ASCII.findall(sample)) <= _BORROWED * len(_LETTER.findall(sample)) else None


def _cyrillic(data: bytes) -> str | None:
    """Return the bytes read in the Cyrillic encoding that gives words: mostly of Russian letters."""
    texts = [text for name in _CYRILLIC_ENCODINGS if (text := _decoded(data, name)) is not None and _is_words(text)]
    return max(texts, key=_russian, default=None)


def _is_words(text: str) -> bool:
    sample = text[:SAMPLE]
    russian = len(_CYRILLIC.findall(sample)) >= MOSTLY * len(_ANY_CYRILLIC.findall(sample))
    mixed = len(_MIXED.findall(sample)) <= len(sample.split()) / 50
    return russian and mixed and _share(_COMMON, sample) >= MOSTLY


def _russian(text: str) -> float:
    """Return how common the letters of the text are in Russian, where it is Cyrillic."""
    letters = "".join(_CYRILLIC.findall(text[:SAMPLE]))
    return _share(_FREQUENT, letters) if letters else 0


def _share(pattern: re.Pattern[str], text: str) -> float:
    sample = text[:SAMPLE]
    return len(pattern.findall(sample)) / len(sample) if sample else 0
