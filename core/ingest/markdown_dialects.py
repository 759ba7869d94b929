"""What MkDocs, Docusaurus, GitBook and Obsidian add to Markdown: written as Markdown, or left out as they do."""

import re
from collections.abc import Iterator, Sequence

_FENCE = re.compile(r"^\s*(?:>\s*)*(?:[-*+]\s+|\d{1,9}[.)]\s+)?(`{3,}|~{3,})")
# MkDocs: a box or a tab, and all that is indented under it is in it.
_BOX = re.compile(r"^( *)(?:!!!|\?\?\?\+?) +[\w -]+?(?: +\"([^\"]*)\")? *$")
_TAB = re.compile(r"^( *)===[!+]? +\"([^\"]+)\" *$")
_IN_BOX = 4
# Characters of a line with a mark, and lines of a remark: more are text.
_LONGEST = 1_000
# Docusaurus and others: what stands between lines of colons. GitBook, Jekyll and Hugo: marks on lines of their own.
_COLONS = re.compile(r"^\s*:{3,}(?:\s*[\w-]+(?:\[([^\]]*)\]|[ \t]+([^{}]*?))?\s*(?:\{[^{}]*\})?)?\s*$")
_MARK = re.compile(
    r"^\s*(?:\{%.*%\}|\{\{[<%].*[%>]\}\}|\{:[^{}]*\}|\{/\*.*\*/\}|import\s[^'\"]{1,200}\sfrom\s+(['\"]).*\1;?)\s*$"
)
_ANCHOR = re.compile(r"^(\s{0,3}#{1,6}\s.*?)\s*\{:?\s*[#.][^{}]*\}\s*$")
_ATTRIBUTES = re.compile(r"(?<=\))\{:?\s*[.#\w][^{}\n]{0,200}\}")
# Obsidian: remarks, marked words, names of blocks.
_REMARK = re.compile(r"%%(?!%)(?:(?!%%).)+%%")
_MARKED = re.compile(r"(?<![=\w])==(?=[^\s=])([^=\n]{1,500})(?<=\S)==(?![=\w])")
_BLOCK_NAME = re.compile(r"[ \t]\^(?=[\w-]*[A-Za-z])[A-Za-z0-9-]{3,60}[ \t]*$")


def plain_markdown(source: str) -> str:
    """Return the text in Markdown as everybody reads it: boxes and tabs by their titles, without marks nobody sees.

    Code stays as it is.
    """
    return "\n".join(_lines(source.split("\n")))


def _lines(lines: Sequence[str]) -> Iterator[str]:
    boxes: list[int] = []
    fence = ""
    hidden_until = -1
    for place, raw in enumerate(lines):
        if place <= hidden_until:
            continue
        line = _out_of_boxes(raw, boxes)
        if found := _FENCE.match(line):
            fence = "" if fence and found[1].startswith(fence) else fence or found[1]
        if fence or found:
            yield line
            continue
        hidden_until = _end_of_remark(lines, place) if line.lstrip().startswith("%%") else -1
        if hidden_until < 0:
            yield from _told(line, boxes)


def _out_of_boxes(line: str, boxes: list[int]) -> str:
    """Return the line as it stands in the boxes that are open, and close those that it does not stand in."""
    if not line.strip():
        return line
    indent = len(line) - len(line.lstrip(" "))
    while boxes and indent < boxes[-1] + _IN_BOX * len(boxes):
        boxes.pop()
    return line[_IN_BOX * len(boxes) :]


def _told(line: str, boxes: list[int]) -> Iterator[str]:
    if len(line) > _LONGEST:
        yield _inline(line)
    elif found := _BOX.match(line):
        boxes.append(len(found[1]))
        yield from ("", f"{found[1]}{found[2] or ''}", "")
    elif found := _TAB.match(line):
        yield from ("", f"{found[1]}- {found[2]}", "")
    elif found := _COLONS.match(line):
        yield from ("", (found[1] or found[2] or "").strip(), "")
    elif _MARK.match(line):
        yield ""
    else:
        yield _inline(_ANCHOR.sub(r"\1", line))


def _inline(line: str) -> str:
    line = _ATTRIBUTES.sub("", line)
    if "`" in line:
        return line
    return _BLOCK_NAME.sub("", _MARKED.sub(r"\1", _REMARK.sub("", line)))


def _end_of_remark(lines: Sequence[str], place: int) -> int:
    """Return where a remark over several lines ends, or -1 when none begins here."""
    if lines[place].count("%%") != 1:
        return -1
    return next(
        (n for n in range(place + 1, min(len(lines), place + _LONGEST)) if lines[n].rstrip().endswith("%%")), -1
    )
