"""To which facts a model's quotes lead, where their numbers are wrong or their words are not copied in full."""

import re
from collections.abc import Iterable, Iterator

from core.answer import Pointer
from core.context import AnswerContext
from core.facts import Fact, Span
from core.proof.quotes import find_quote

# Where a model leaves words out of its quote.
_LEFT_OUT = re.compile(r"\s*(?:\[(?:…|\.{3})\]|\((?:…|\.{3})\)|…|\.{3})\s*")
# Shorter words stand in a text by chance.
_MIN_PIECE, _MIN_ELSEWHERE = 4, 12


def pointed(pointers: Iterable[Pointer], context: AnswerContext) -> tuple[Pointer, ...]:
    """Return the pointers with the words as they stand in their facts, one for each piece of a quote with a gap.

    A number whose fact has not the words gives way to that of the only given fact that has them. What stands nowhere is
    returned as it is.
    """
    return tuple(dict.fromkeys(one for pointer in pointers for one in _led(pointer, context)))


def _led(pointer: Pointer, context: AnswerContext) -> Iterator[Pointer]:
    fact = context.numbered(pointer.fact)
    if fact is None:
        yield pointer
        return
    if spans := _pieces(pointer.quote, fact):
        yield from (Pointer(pointer.fact, span.within(fact.text)) for span in spans)
        return
    others = [(number, one) for number, one in enumerate(context.given, 1) if one is not fact]
    found = [(number, one, spans) for number, one in others if (spans := _pieces(pointer.quote, one))]
    if len(found) == 1 and len(pointer.quote.strip()) >= _MIN_ELSEWHERE:
        [(number, one, spans)] = found
        yield from (Pointer(number, span.within(one.text)) for span in spans)
    else:
        yield pointer


def _pieces(quote: str, fact: Fact) -> tuple[Span, ...]:
    """Return where the quote stands in the fact, or its pieces one after the other; nothing unless all of it does."""
    if whole := find_quote(quote, fact.text):
        return (whole,)
    pieces = [piece for piece in _LEFT_OUT.split(quote) if any(map(str.isalnum, piece))]
    if len(pieces) == 1 or any(len(piece.strip()) < _MIN_PIECE for piece in pieces):
        return ()
    spans: list[Span] = []
    start = 0
    for piece in pieces:
        span = find_quote(piece, fact.text[start:])
        if span is None:
            return ()
        spans.append(Span(span.start + start, span.end + start))
        start = spans[-1].end
    return tuple(spans)
