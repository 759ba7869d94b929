"""Commands, options, paths and what stands in backticks: to the letter as in the documents, for they are typed so."""

import re
from collections.abc import Iterator

from core.proof.backing import Backing
from core.proof.patterns import compiled

_CODE = compiled(r"`+([^`\n]{1,400})`+")
_OPTION = compiled(r"(?<![\w-])--?[A-Za-z][\w-]{0,60}")
# A path, a variable of the shell, a call, a setting with its value, a place to be filled in.
_TYPED = compiled(
    r"(?<![\w/.:<])(?:~|\.{1,2})?/[A-Za-z_.][\w.-]{0,80}(?:/[\w.-]{1,80}){0,12}|\$\{?[A-Za-z_]\w{0,60}|\b[A-Za-z_][\w.]{0,60}\(\)"
    r"|(?<![\w-])[A-Za-z_][\w.-]{0,60}=[^\s,;.)]{1,80}|<[A-Za-z][\w -]{0,40}>"
)
_WORD = compiled(r"[\w.<>/-]+")
_DASHES = str.maketrans({"‐": "-", "‑": "-", "’": "'", "‘": "'", "“": '"', "”": '"', "\u00a0": " "})


def fault_of_commands(text: str, backing: Backing) -> str | None:
    """Return what of the claim is to be typed and does not stand so in the documents; that it was asked is nothing."""
    if not any(sign in text for sign in "`-/$(=<"):
        return None
    held = _folded(f"{backing.quotes}\n{backing.around}")
    typed = _folded(text)
    alien = next((code for code in _typed(typed) if not _stands(code, held)), None)
    return f"“{alien}” does not stand so in its quotes" if alien else None


def doubt_of_commands(text: str, backing: Backing) -> str | None:
    """Return the option that the claim gives to another command than its quotes do, or None."""
    if "-" not in text:
        return None
    mine, theirs = _led(_folded(text)), _led(_folded(backing.quotes))
    moved = next((one for one, led in mine.items() if theirs.get(one) and not led & theirs[one]), None)
    return f"it gives “{moved}” to another command than its quotes do" if moved else None


def _typed(text: str) -> Iterator[str]:
    for sign in (_CODE, _OPTION, _TYPED):
        yield from (found[1] if sign is _CODE else found[0] for found in sign.finditer(text))


def _stands(code: str, held: str) -> bool:
    """Return whether the code stands in the text by itself, and not as a piece of something longer."""
    code = code.strip()
    return re.search(rf"(?<![\w-]){re.escape(code)}(?![\w-])", held) is not None


def _led(text: str) -> dict[str, set[str]]:
    """Return for each option the words right before it."""
    found: dict[str, set[str]] = {}
    for option in _OPTION.finditer(text):
        before = _WORD.findall(text[max(0, option.start() - 60) : option.start()])
        found.setdefault(option[0], set()).add(before[-1].lower() if before else "")
    return found


def _folded(text: str) -> str:
    return re.sub(r"\s+", " ", text.translate(_DASHES))
