"""What admin replies are put together from: lines, lists with headings, times and cut texts."""

from collections.abc import Sequence
from dataclasses import replace

from core.phrases import phrase
from core.reply import Bullets, Line, Paragraph, Text
from core.text import Language

LONGEST = 300
_SLOT = "\0"


def paragraph(text: str) -> Paragraph:
    """Return running text."""
    return Paragraph((Text(text),))


def bullets(lines: Sequence[str | Line], heading: str | Line | None = None) -> Bullets:
    """Return the lines as a list, each that is bare words cut to what is read at a glance."""
    items = tuple((Text(cut(line)),) if isinstance(line, str) else line for line in lines)
    heading = (Text(heading),) if isinstance(heading, str) else heading
    strong = tuple(replace(part, style="strong") for part in heading or () if isinstance(part, Text))
    return Bullets(items, heading=strong or None)


def naming(sentence: str, language: Language, slot: str, about: str, *, bare: object = None, **values: object) -> Line:
    """Return one of our sentences in which `slot` is a person or a place, drawn as the platform draws it.

    `bare`: what stands there where the platform draws nothing.
    """
    before, _, after = phrase(sentence, language, **{slot: _SLOT}, **values).partition(_SLOT)
    return tuple(part for part in (Text(before), Text(str(bare or about), about=about), Text(after)) if part.text)


def named(about: str) -> Text:
    """Return a person or a place by its name everywhere, drawn as the platform draws it."""
    return Text(about, about=about)


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
    return phrase("time_seconds", language, seconds=whole) if whole else phrase("time_moment", language)
