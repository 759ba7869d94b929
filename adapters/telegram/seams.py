"""A text without the words that address the bot, and without the seams that they leave."""

from collections.abc import Sequence

from telegram import MessageEntity

_CLOSING = "\n.,:;!?…)»”"


def without(text: str, removed: Sequence[MessageEntity]) -> str:
    """Return the words without the ranges, which count UTF-16 units, and without the seams they leave."""
    units, kept, start = text.encode("utf-16-le"), "", 0
    for entity in removed:
        kept = _seamless(kept, units[2 * start : 2 * entity.offset].decode("utf-16-le"))
        start = entity.offset + entity.length
    return _seamless(kept, units[2 * start :].decode("utf-16-le")).strip()


def _seamless(before: str, after: str) -> str:
    """Return both sides of a removed range as one text: "@bot, where?" leaves "where?"."""
    if not before.strip():
        return after.lstrip(" ,:\n")
    if after[:1] in ("", *_CLOSING):
        return before.rstrip(" ,") + after
    return f"{before.rstrip(' ')} {after.lstrip(' ')}"
