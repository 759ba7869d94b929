"""From blocks of text to as few messages as Telegram's limits allow, cut where it hurts least."""

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate

from telegram.constants import MessageLimit

from adapters.telegram.richtext import Mark, Rich, utf16_positions

# The server counts code points (tdlib MessageContent.cpp), which are never more than UTF-16 units; clients count those.
MAX_TEXT = MessageLimit.MAX_TEXT_LENGTH.value
# tdlib MAX_USER_ENTITY_COUNT; what is over it is dropped in silence.
MAX_ENTITIES = MessageLimit.MESSAGE_ENTITIES.value
# The server refuses from about 9,500 bytes (tdlib/telegram-bot-api #165: "a good approximation"); this leaves room.
MAX_ENTITY_BYTES = 8_000

BLOCK_GAP = "\n\n"
ITEM_GAP = "\n"

Span = tuple[int, int]
Block = Sequence[Rich]


def pages(blocks: Sequence[Block]) -> list[Rich]:
    """Return the messages that hold all the blocks in order: cut between blocks, else items, lines, words, clusters."""
    document, spans = _joined(blocks)
    page = _Page(document)
    found: list[Span] = []
    start = end = 0
    for piece_start, piece_end in _pieces(page, spans):
        if end > start and not page.holds(start, piece_end):
            found.append((start, end))
            start = piece_start
        end = piece_end
    found.append((start, end))
    return [rich for span in found if (rich := document.slice(*span)).text.strip()]


class _Page:
    """A document that can tell whether a range of it fits in one message."""

    def __init__(self, document: Rich) -> None:
        self.text = document.text
        self._positions = utf16_positions(document.text)
        # Asked for each cluster of a text that fits nowhere: what is in a range is told by its ends alone.
        self._begun = _Running(document.marks, lambda mark: mark.start)
        self._ended = _Running(document.marks, lambda mark: mark.end)

    def holds(self, start: int, end: int) -> bool:
        """Return whether the range is within every budget."""
        if self._positions[end] - self._positions[start] > MAX_TEXT:
            return False
        (begun, weight), (ended, gone) = self._begun.before(end), self._ended.before(start + 1)
        return begun - ended <= MAX_ENTITIES and weight - gone <= MAX_ENTITY_BYTES


class _Running:
    """How many marks there are before each place, and what they weigh together."""

    def __init__(self, marks: Sequence[Mark], place: Callable[[Mark], int]) -> None:
        ordered = sorted(marks, key=place)
        self._places = [place(mark) for mark in ordered]
        self._weights = [0, *accumulate(mark.weight for mark in ordered)]

    def before(self, place: int) -> tuple[int, int]:
        """Return the count and the weight of those before a place."""
        count = bisect_left(self._places, place)
        return count, self._weights[count]


def _joined(blocks: Sequence[Block]) -> tuple[Rich, list[list[Span]]]:
    """Return everything as one text, and where each item of each block stands in it."""
    text, marks, spans = "", list[Mark](), list[list[Span]]()
    for block in filter(None, blocks):
        items: list[Span] = []
        for item in block:
            text += "" if not text else ITEM_GAP if items else BLOCK_GAP
            marks += item.marks_at(len(text))
            items.append((len(text), len(text) + len(item.text)))
            text += item.text
        spans.append(items)
    return Rich(text, tuple(marks)), spans


def _pieces(page: _Page, blocks: list[list[Span]]) -> Iterator[Span]:
    for items in blocks:
        block = (items[0][0], items[-1][1])
        if page.holds(*block):
            yield block
        else:
            for item in items:
                yield from _fitting(page, item, _LEVELS)


def _fitting(page: _Page, span: Span, levels: "Sequence[_Level]") -> Iterator[Span]:
    if page.holds(*span) or not levels:
        yield span
        return
    for smaller in levels[0](page.text, span):
        yield from _fitting(page, smaller, levels[1:])


_Level = Callable[[str, Span], Iterator[Span]]
_LINE = re.compile(r"[^\n]+")
_WORD = re.compile(r"\S+")


def _lines(text: str, span: Span) -> Iterator[Span]:
    return _found(_LINE, text, span)


def _words(text: str, span: Span) -> Iterator[Span]:
    return _found(_WORD, text, span)


def _found(pattern: re.Pattern[str], text: str, span: Span) -> Iterator[Span]:
    """Yield the pieces; one that begins with a mark goes with the piece before, as nothing else bears its mark."""
    held: Span | None = None
    for match in pattern.finditer(text, *span):
        if held and not _extends(text[match.start()]):
            yield held
            held = None
        held = (held[0] if held else match.start(), match.end())
    if held:
        yield held


def _clusters(text: str, span: Span) -> Iterator[Span]:
    """Yield what a reader takes for one character: a letter with its marks, a family of joined emoji, a flag."""
    start, end = span
    for place in range(start + 1, end):
        if not _belongs(text, start, place):
            yield start, place
            start = place
    if start < end:
        yield start, end


def _characters(_text: str, span: Span) -> Iterator[Span]:
    return ((place, place + 1) for place in range(*span))


_LEVELS: tuple[_Level, ...] = (_lines, _words, _clusters, _characters)
_JOINER = "\u200d"


def _belongs(text: str, start: int, place: int) -> bool:
    """Return whether the character at `place` continues the cluster that begins at `start`."""
    char, before = text[place], text[place - 1]
    if before == _JOINER or _extends(char):
        return True
    return place - start == 1 and _is_flag_letter(before) and _is_flag_letter(char)


def _extends(char: str) -> bool:
    """Return whether the character is seen on the one before it: a mark, a joiner, a tone of skin, a tag."""
    if char == _JOINER or unicodedata.category(char) in ("Mn", "Mc", "Me"):
        return True
    return "\U0001f3fb" <= char <= "\U0001f3ff" or "\U000e0020" <= char <= "\U000e007f"


def _is_flag_letter(char: str) -> bool:
    return "\U0001f1e6" <= char <= "\U0001f1ff"
