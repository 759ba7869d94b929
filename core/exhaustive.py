"""Questions for all that is known of something: nothing that was found is left out, a few passages at a time."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from core.evidence import ENOUGH, Unit
from core.facts import Part, Span
from core.text import normalise

_ALL = re.compile(
    r"\b(?:everything|all (?:(?:that )?(?:there is|you (?:know|have|can|found)|we (?:know|have|say))|(?:the )?"
    r"(?:details|information|info|facts)|about)|every detail|(?:the )?(?:full|whole|complete) (?:story|picture|"
    r"details)|"
    r"(?:обо? )?вс(?:е|ю|ем),? (?:что (?:ты |вы |мы |там )?(?:знае\w+|есть|известно|можешь|сказано|написано)|про|"
    r"о|об|обо|(?:подробности|сведения|детали|информаци\w+|данные|факты))|со всеми подробностями|"
    r"во всех подробностях)\b"
)
# Shown at first; whoever wants the rest asks for more.
FIRST = 3
_MOST = 60


def asks_for_all(question: str) -> bool:
    """Return whether all that is known of something is asked for: “tell me everything about …”, «расскажи всё о …»."""
    return _ALL.search(" ".join(normalise(question).split())) is not None


def without_all(question: str) -> str | None:
    """Return what a question for all that is known asks besides, folded; None for any other question."""
    folded = " ".join(normalise(question).split())
    return _ALL.sub(" ", folded, count=1) if _ALL.search(folded) else None


def all_of(units: Sequence[Unit], longest: int) -> list[Unit]:
    """Return all passages that bear on the question, of the best document first, each in the order of its document.

    A paragraph is cut into pieces of whole sentences, none of which is left out.
    """
    good = [unit for unit in units if unit.evidence >= ENOUGH]
    documents = list(dict.fromkeys(unit.fact.source.doc_id for unit in good))
    blocks = {(unit.fact.source.doc_id, unit.part.block): unit for unit in reversed(good)}
    ordered = sorted(blocks, key=lambda block: (documents.index(block[0]), block[1]))
    return list(pieces([blocks[block] for block in ordered], longest))[:_MOST]


def pieces(units: Iterable[Unit], longest: int) -> Iterator[Unit]:
    """Yield the paragraphs, lists and so on that the units stand in, each once, cut where one is too long."""
    done: set[tuple[str, int]] = set()
    for unit in units:
        if (block := (unit.fact.source.doc_id, unit.part.block)) not in done:
            done.add(block)
            yield from _pieces(unit, longest)


def _pieces(unit: Unit, longest: int) -> Iterator[Unit]:
    """Yield the paragraph that the unit stands in, in pieces; anything else in its parts."""
    beside = [part for part in unit.fact.parts if part.block == unit.part.block]
    if unit.part.kind != "paragraph":
        yield from (replace(unit, part=part) for part in beside)
        return
    taken: list[Part] = []
    for part in beside:
        if taken and part.span.end - taken[0].span.start > longest:
            yield _joined(unit, taken)
            taken = []
        taken.append(part)
    yield _joined(unit, taken)


def _joined(unit: Unit, parts: Sequence[Part]) -> Unit:
    return replace(unit, part=replace(parts[0], span=Span(parts[0].span.start, parts[-1].span.end)))
