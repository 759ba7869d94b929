"""Telegram's dialect of a reply: text with entities, never markup, so that no document can format, link or ping."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest
from urllib.parse import urlsplit

from telegram.constants import MessageEntityType

from adapters.telegram.richtext import Mark, Part, Rich, part, whole
from adapters.telegram.split import Block, pages
from adapters.telegram.table import aligned
from core.phrases import phrase
from core.reply import Bullets, Evidence, Inline, Line, Node, Note, Paragraph, RenderedReply, Table, Tasks, mark

BOLD, ITALIC, CODE = MessageEntityType.BOLD.value, MessageEntityType.ITALIC.value, MessageEntityType.CODE.value
PRE, LINK = MessageEntityType.PRE.value, MessageEntityType.TEXT_LINK.value
QUOTE = MessageEntityType.EXPANDABLE_BLOCKQUOTE.value

BULLET = "• "
# Before an address that stands behind words of the quote. No line of an entry begins with a number but its first.
LEADS = "→ "
# An address this long would eat the entity budget of its message; browsers rarely take longer ones either.
MAX_LINK = 2_048
# What is only read, not pressed, and is longer, tells nobody more.
MAX_PATH = 200

_STYLES = {"plain": None, "strong": BOLD, "quiet": ITALIC, "code": CODE}
# td match_mentions, match_bot_commands and match_urls, wider: what looks like a mention, like a command, which one tap
# would give in the reader's name, or like an address is shown as code, which Telegram does not read. Else "README.md"
# leads to Moldova, and a document's words lead wherever whoever wrote them likes.
_LETTERS = r"[A-Za-z]{2,24}|xn--[\w-]{1,60}|рф|укр|бел|рус|срб|мкд|мон|қаз|ею|бг|ком|орг|онлайн|сайт|дети|москва"
_LIVE = re.compile(
    r"(?<!\w)@\w{2,}|(?<![\w/])/[A-Za-z0-9_]{1,64}\b(?:@\w+)?(?!/)|\b[A-Za-z][A-Za-z0-9+.-]{1,20}://\S+"
    rf"|(?<![\w@./-])(?:[\w.%~-]{{1,80}}/){{0,8}}(?:(?:\w[\w-]{{0,62}}\.){{1,8}}(?:{_LETTERS})|(?:\d{{1,3}}\.){{3}}\d{{1,3}})"
    r"\b(?!@)(?::\d{1,5})?(?:[/?#]\S*)?"
)
_HOST = re.compile(r"[\w-]+(\.[\w-]+)+")


def answer_parts(reply: RenderedReply) -> list[Part]:
    """Return the messages of the answer itself."""
    return [part(page) for page in pages([_block(node) for node in reply.nodes])]


def evidence_parts(reply: RenderedReply) -> list[Part]:
    """Return the messages that prove the answer: each entry's document, place and exact words."""
    if not reply.evidence:
        return []
    heading = said(phrase("sources", reply.language), BOLD)
    checks = [[said(" ".join(reply.checks), ITALIC)]] if reply.checks else []
    return [part(page) for page in pages([[heading], *map(_entry, reply.evidence), *checks])]


def in_one(reply: RenderedReply) -> Part:
    """Return the answer and what proves it as one message, as much of both as it takes."""
    blocks = [_block(node) for node in reply.nodes]
    return part(pages([*blocks, *map(_entry, reply.evidence)])[0])


def entry_part(entry: Evidence) -> Part:
    """Return one source with its words as a message."""
    return part(pages([_entry(entry)])[0])


def said(text: str, style: str | None = None) -> Rich:
    """Return the words in a style; what Telegram would read as a mention, command or address is code, which is dead."""
    text = whole(text)
    runs = _runs(text) if style != CODE else ((0, len(text), True),)
    kinds = ((start, end, CODE if live else style) for start, end, live in runs if start < end)
    return Rich(text, tuple(Mark(start, end, kind) for start, end, kind in kinds if kind))


def is_public(link: str) -> bool:
    """Return whether Telegram accepts the address: http(s) and a host with a dot (LinkManager::check_link)."""
    if len(link) > MAX_LINK or not link.isprintable() or " " in link:
        return False
    try:
        address = urlsplit(link)
        host, _ = address.hostname or "", address.port
    except ValueError:
        return False
    return address.scheme in ("http", "https") and address.username is None and bool(_HOST.fullmatch(host))


def _runs(text: str) -> Iterator[tuple[int, int, bool]]:
    """Yield the text in runs: start, end, and whether it looks like a mention, a command or an address."""
    start = 0
    for match in _LIVE.finditer(text):
        if start < match.start():
            yield start, match.start(), False
        yield *match.span(), True
        start = match.end()
    if start < len(text):
        yield start, len(text), False


def _block(node: Node) -> Block:
    match node:
        case Paragraph(line):
            return [_in_blocks(line_of(line))]
        case Bullets(items, heading):
            bullets = [Rich(BULLET) + line_of(item) for item in items]
            return _headed(heading, bullets)
        case Table(header, rows):
            return _table(header, rows)
        case Tasks(line=line):
            return [said(line, _STYLES["quiet"])]


def _in_blocks(told: Rich) -> Rich:
    """Return the words with code of several lines as a block of its own."""
    return Rich(told.text, tuple(_as_block(one, told.text) for one in told.marks))


def _as_block(one: Mark, text: str) -> Mark:
    return replace(one, kind=PRE) if one.kind == CODE and "\n" in text[one.start : one.end] else one


def _headed(heading: Line | None, items: list[Rich]) -> list[Rich]:
    """Return the items with the heading on the first, so that no message ends with a heading alone."""
    if heading is None:
        return items
    first, *rest = items or [Rich()]
    return [line_of(heading) + Rich("\n") + first, *rest]


def _table(header: Sequence[str], rows: Sequence[Sequence[Line]]) -> Block:
    """Return the table aligned when a phone can show it so, else one bullet for each row."""
    grid = aligned([list(header), *([_plain(cell) for cell in row] for row in rows)])
    if grid is None:
        return [Rich(BULLET) + _row(header, row) for row in rows]
    text = whole(grid)
    return [Rich(text, (Mark(0, len(text), PRE),))]


def _row(header: Sequence[str], row: Sequence[Line]) -> Rich:
    """Return "first — name: cell, name: cell", empty cells left out."""
    told = line_of(row[0]) if row else Rich()
    named = zip_longest(header[1:], row[1:], fillvalue=None)
    cells = [_cell(name, cell) for name, cell in named if cell and _plain(cell).strip()]
    for number, cell in enumerate(cells):
        told += Rich(", " if number else " — ") + cell
    return told


def _cell(name: str | None, cell: Line) -> Rich:
    return (said(f"{name}: ") if name else Rich()) + line_of(cell)


def line_of(line: Line) -> Rich:
    """Return the line with its marks."""
    told = Rich()
    for before, inline in zip((None, *line), line, strict=False):
        told += _inline(inline, after_note=isinstance(before, Note))
    return told


def _inline(inline: Inline, *, after_note: bool) -> Rich:
    """Return the words, or the footnote mark; ¹ and ² side by side would read as twelve, so a comma parts them."""
    if isinstance(inline, Note):
        return Rich(f",{mark(inline.number)}" if after_note else mark(inline.number))
    return said(inline.text, _STYLES[inline.style])


def _plain(line: Line) -> str:
    return line_of(line).text


def _entry(evidence: Evidence) -> Block:
    where = " · ".join(filter(None, (evidence.place, evidence.updated, evidence.remark)))
    title = _title(evidence) + _path(evidence)
    quotes = [_block_of_code(words) if is_code else _quote(words) for words, is_code in evidence.runs]
    leads = [Rich(LEADS) + said(f"{words}: ") + said(address, CODE) for words, address in evidence.leads]
    return [title + Rich("\n") + said(where) if where else title, *quotes, *leads]


def _quote(words: str) -> Rich:
    quote = said(words)
    return Rich(quote.text, (Mark(0, len(quote.text), QUOTE), *quote.marks))


def _block_of_code(words: str) -> Rich:
    text = whole(words)
    return Rich(text, (Mark(0, len(text), PRE),))


def _path(evidence: Evidence) -> Rich:
    """Return the address as words where Telegram would refuse the link, so that a reader can find it all the same."""
    link = evidence.link
    if link is None or not link.strip() or is_public(link):
        return Rich()
    short = link if len(link) <= MAX_PATH else f"{link[:MAX_PATH]}…"
    return Rich(" (") + said(short, CODE) + Rich(")")


def _title(evidence: Evidence) -> Rich:
    """Return the number and the title, linked if Telegram takes the address: one it refuses costs the whole message."""
    number, title = said(f"{evidence.number}. ", BOLD), said(evidence.title, BOLD)
    if evidence.link is not None and is_public(evidence.link):
        covered = len(title.text)
        title = Rich(title.text, (Mark(0, covered, BOLD), Mark(0, covered, LINK, evidence.link)))
    return number + title
