"""Commands in letters that Telegram marks none in: «/почему» is typed like /why, and is plain text to it."""

import re

from core.commands import spoken_in

_SLASHED = re.compile(r"(/[^\W\d_]+)(@\w+)?(?=\s|$)")


def unmarked(text: str) -> str:
    """Return the command that the text begins with, with whom it is for; nothing for what is none of ours."""
    found = _SLASHED.match(text)
    if found is None or found[1].isascii():
        return ""
    return found[0] if spoken_in(found[1] + text[found.end() :]) else ""
