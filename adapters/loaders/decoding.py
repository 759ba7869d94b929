"""Bytes to text, in the encodings that office files really have."""

import codecs
import re

from core.errors import IngestError

# Below this share of letters, digits, spaces and common marks the bytes are no Cyrillic text.
MOSTLY = 0.85
# Characters that tell what a text is; a longer look costs memory and says the same.
SAMPLE = 100_000
_COMMON = re.compile(r"[\w\s.,:;!?()\"'«»„“”’–—№%/*#=|+&@<>\[\]-]")
_MIXED = re.compile(r"[A-Za-z][а-яёА-ЯЁ]|[а-яёА-ЯЁ][A-Za-z]")
_PLAIN = re.compile(r"[\x20-\x7e\s\u00a0-\u00ffА-Яа-яЁё«»„“”’–—№€₽…]")
_CYRILLIC = re.compile(r"[а-яёА-ЯЁ]")
# The ten commonest letters of Russian: about two thirds of any text in it.
_FREQUENT = re.compile(r"[оеаинтсрвл]")
_BYTE_ORDER_MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
# Windows, Unix of old, and DOS.
_CYRILLIC_ENCODINGS = ("cp1251", "koi8-r", "cp866")


def decode(data: bytes, path: str, declared: str | None = None) -> str:
    """Return the text with plain line ends.

    By its byte order mark, as UTF-8, as declared, as UTF-16 without a mark, or in a Cyrillic encoding, whichever gives
    the more Russian text. Raises IngestError for what is no text and what could only be guessed.
    """
    encoding = next((name for mark, name in _BYTE_ORDER_MARKS if data.startswith(mark)), None)
    if encoding is None and b"\0" in data:
        text = _utf16(data)
        if text is None:
            raise IngestError(path, "holds binary data, not text: give it the suffix of its real format or remove it")
    else:
        text = _decoded(data, encoding or "utf-8")
    if text is None and encoding is None:
        text = (declared and _decoded(data, declared)) or _cyrillic(data)
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


def _cyrillic(data: bytes) -> str | None:
    """Return the bytes read in the Cyrillic encoding that gives words: letters mostly, and no word of two alphabets."""
    texts = [text for name in _CYRILLIC_ENCODINGS if (text := _decoded(data, name)) is not None and _is_words(text)]
    return max(texts, key=_russian, default=None)


def _is_words(text: str) -> bool:
    sample = text[:SAMPLE]
    return _share(_COMMON, sample) >= MOSTLY and len(_MIXED.findall(sample)) <= len(sample.split()) / 50


def _russian(text: str) -> float:
    """Return how common the letters of the text are in Russian, where it is Cyrillic."""
    letters = "".join(_CYRILLIC.findall(text[:SAMPLE]))
    return _share(_FREQUENT, letters) if letters else 0


def _share(pattern: re.Pattern[str], text: str) -> float:
    sample = text[:SAMPLE]
    return len(pattern.findall(sample)) / len(sample) if sample else 0
