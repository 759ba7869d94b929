"""Wrapped lines to running text."""

import re
from collections.abc import Iterable, Sequence

_BROKEN = re.compile(r"([^\W\d_]+)[-\u00ad\u2010]$")
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")


def words_of(lines: Iterable[str]) -> frozenset[str]:
    """Return the words of the lines in lower case, compounds whole."""
    return frozenset(word.lower() for line in lines for word in _WORD.findall(line))


def joined(lines: Sequence[str], words: frozenset[str] = frozenset()) -> str:
    """Return wrapped lines as one text; a word broken by a hyphen is mended unless the text spells it with one."""
    parts: list[str] = []
    for line in map(str.strip, lines):
        broken = _BROKEN.search(parts[-1]) if parts else None
        if broken and line[:1].islower():
            kept = "-" if _is_compound(broken[1], line, words) else ""
            parts[-1] = parts[-1][:-1] + kept
        elif parts:
            parts.append(" ")
        parts.append(line)
    return "".join(parts)


def _is_compound(begin: str, line: str, words: frozenset[str]) -> bool:
    rest = _WORD.match(line)
    compound = f"{begin}-{rest[0] if rest else ''}".lower()
    return compound in words and compound.replace("-", "") not in words
