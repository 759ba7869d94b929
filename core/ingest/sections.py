"""The section of a document that a passage stands in, known again by its words."""

from hashlib import sha256

from core.facts import Span
from core.ingest.document import Block, Document


def section_mark(document: Document, span: Span) -> str:
    """Return what tells whether the section around a span has changed: its words, but for how they are spaced.

    A section is all that stands under the headings of the span, with the sections below it; what stands under none is
    a section without those below it.
    """
    home = next((block.headings for block in document.blocks if block.start <= span.start < block.end), ())
    held = (block for block in document.blocks if _is_under(home, block))
    lines = ("\x1f".join((*block.headings, *block.labels, *_words(block, document))) for block in held)
    return sha256("\n".join(lines).encode()).hexdigest()[:32]


def _is_under(headings: tuple[str, ...], block: Block) -> bool:
    return block.headings[: len(headings)] == headings if headings else not block.headings


def _words(block: Block, document: Document) -> list[str]:
    return block.span.within(document.text).split()
