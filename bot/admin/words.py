"""What admin replies are put together from: lines, lists with headings, times and cut texts."""

from collections.abc import Sequence

from core.phrases import phrase
from core.reply import Bullets, Paragraph, Text
from core.text import Language

LONGEST = 300


def paragraph(text: str) -> Paragraph:
    """Return running text."""
    return Paragraph((Text(text),))


def bullets(lines: Sequence[str], heading: str | None = None) -> Bullets:
    """Return the lines as a list, each cut to what is read at a glance."""
    items = tuple((Text(cut(line)),) for line in lines)
    return Bullets(items, heading=(Text(heading, "strong"),) if heading else None)


def cut(text: str, longest: int = LONGEST) -> str:
    """Return the text in one line of at most so many characters."""
    one_line = " ".join(text.split())
    return one_line if len(one_line) <= longest else one_line[: longest - 1] + "…"


def time_in_words(seconds: float, language: Language) -> str:
    """Return how long that is, in at most two units."""
    whole = max(0, int(seconds))
    minutes, hours, days = whole // 60, whole // 3600, whole // 86400
    if days:
        return phrase("time_days", language, days=days, hours=hours % 24)
    if hours:
        return phrase("time_hours", language, hours=hours, minutes=minutes % 60)
    if minutes:
        return phrase("time_minutes", language, minutes=minutes, seconds=whole % 60)
    return phrase("time_seconds", language, seconds=whole)
