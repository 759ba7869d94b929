"""Long lists of words as patterns that are quick to search: the same matches, in the same order of preference.

`re` tries each alternative at each word of a text; grouped by their first letters, it tries the few that may begin there.
"""

import re
from collections.abc import Iterator

_FEW = 3
_REPEATS = "?*+{"
_CLOSING = ")"
_MANY = 6


def compiled(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """Return the pattern compiled, with each group of many words grouped by their first letters."""
    return re.compile(_with_groups(pattern), flags)


def _with_groups(pattern: str) -> str:
    found, at = "", 0
    while at < len(pattern):
        if pattern[at] == "[":
            end = _end(pattern, at)
            found += pattern[at:end]
        elif pattern[at] == "(":
            end = _end(pattern, at)
            found += _group(pattern[at:end])
        else:
            end = at + (2 if pattern[at] == "\\" else 1)
            found += pattern[at:end]
        at = end
    return found


def _group(group: str) -> str:
    """Return a group with its words grouped, those within it first where it holds what is captured."""
    begin = _BEGIN.match(group)
    opening = begin.group() if begin else "("
    inner = group[len(opening) : -1]
    if _CAPTURES.search(inner):
        return f"{opening}{_with_groups(inner)})"
    return f"{opening}{grouped(inner) if len(_split(inner)) >= _MANY else inner})"


_BEGIN = re.compile(r"\((?:\?(?:P<\w+>|<?[=!]|:|[a-z-]+:))?")
_CAPTURES = re.compile(r"(?<!\\)\((?!\?)|\(\?P|\(\?\(")


def grouped(alternatives: str) -> str:
    """Return alternatives, “a|b|c”, grouped by the letters that they begin with.

    Those that begin with different letters cannot match at one place, so that it is free which is tried first. They may
    hold no groups that are captured.
    """
    parts = [part for one in _split(alternatives) for part in _spread(one)]
    if len(parts) < _FEW:
        return "|".join(parts)
    told: list[str] = []
    run: dict[str, list[str]] = {}
    for part in parts:
        head = _head(part)
        if head is None:
            told += _joined(run)
            run = {}
            told.append(part)
        else:
            run.setdefault(head, []).append(part[1:])
    return "|".join([*told, *_joined(run)])


def _joined(run: dict[str, list[str]]) -> Iterator[str]:
    for head, rests in run.items():
        yield f"{head}{rests[0]}" if len(rests) == 1 else f"{head}(?:{grouped('|'.join(rests))})"


def _head(part: str) -> str | None:
    """Return the letter that an alternative begins with, or None where it may begin otherwise."""
    plain = part[:1].isalpha() or part[:1] in {" ", "-"}
    return part[0] if plain and part[:1] and part[1:2] not in _REPEATS_TOO else None


_REPEATS_TOO = frozenset(_REPEATS)


def _spread(part: str) -> Iterator[str]:
    """Yield an alternative that begins with a choice, “(?:no|not) more”, as so many: “no more”, “not more”."""
    if not part.startswith("(?:"):
        yield part
        return
    end = _end(part, 0)
    rest = part[end:]
    if rest[:1] in _REPEATS_TOO and rest[:1] != "?":
        yield part
        return
    optional = rest[:1] == "?" and rest[1:2] not in _REPEATS_TOO
    if rest[:1] == "?" and not optional:
        yield part
        return
    for one in _split(part[3 : end - 1]):
        yield from _spread(f"{one}{rest[optional:]}")
    if optional:
        yield from _spread(rest[1:])


def _split(alternatives: str) -> list[str]:
    """Return what stands between the bars that are in no group and no set."""
    found, start, at = [], 0, 0
    while at < len(alternatives):
        if alternatives[at] in "([":
            at = _end(alternatives, at)
            continue
        if alternatives[at] == "|":
            found.append(alternatives[start:at])
            start = at + 1
        at += 2 if alternatives[at] == "\\" else 1
    return [*found, alternatives[start:]]


def _end(pattern: str, start: int) -> int:
    """Return where a group or a set that begins at a place ends."""
    if pattern[start] == "[":
        at = start + 1 + (pattern[start + 1] == "^")
        at += pattern[at] == "]"
        while pattern[at] != "]":
            at += 2 if pattern[at] == "\\" else 1
        return at + 1
    at = start + 1
    while pattern[at] != _CLOSING:
        if pattern[at] in "([":
            at = _end(pattern, at)
        else:
            at += 2 if pattern[at] == "\\" else 1
    return at + 1
