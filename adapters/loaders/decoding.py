"""Bytes to text, in the encodings that office files really have."""

import codecs
import re

from core.errors import IngestError

# Below this share of letters, digits, spaces and common marks the bytes are no cp1251 text.
MOSTLY = 0.85
_COMMON = re.compile(r"[\w\s.,;:!?()\"'«»„“”’–—№%/*#=|+&@<>\[\]-]")
_MIXED = re.compile(r"[A-Za-z][а-яёА-ЯЁ]|[а-яёА-ЯЁ][A-Za-z]")
_BYTE_ORDER_MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))


def decode(data: bytes, path: str, declared: str | None = None) -> str:
    """Return the text with plain line ends: by its byte order mark, as UTF-8, as declared, or as Windows Cyrillic."""
    encoding = next((name for mark, name in _BYTE_ORDER_MARKS if data.startswith(mark)), None)
    if encoding is None and b"\0" in data:
        raise IngestError(path, "holds binary data, not text: give it the suffix of its real format or remove it")
    text = _decoded(data, encoding or "utf-8")
    if text is None and encoding is None:
        text = (declared and _decoded(data, declared)) or _cyrillic(data)
    if text is None or "\0" in text:
        raise IngestError(path, "its encoding is unknown: save it as UTF-8")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _decoded(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except (UnicodeDecodeError, LookupError):
        return None


def _cyrillic(data: bytes) -> str | None:
    """Return the bytes read as cp1251 when that gives words: letters mostly, and no word of two alphabets."""
    text = _decoded(data, "cp1251")
    if text is None or len(_COMMON.findall(text)) < MOSTLY * len(text):
        return None
    return None if len(_MIXED.findall(text)) > len(text.split()) / 50 else text
