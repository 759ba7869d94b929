"""Why something is so: what a page says under a heading that names a cause, and which sentences state one."""

import re
from collections.abc import Sequence

from core.asking import holds
from core.context import AnswerContext
from core.evidence import ENOUGH, Unit
from core.exhaustive import pieces
from core.proof.backing import Held
from core.proof.words import Word, read
from core.specific import MOST_LACKING, is_thin, lacking
from core.text import normalise

# What a sentence shows that says of something else that it led to this, where it says no “because”.
_LINKS = re.compile(
    r"\b(?:when|after|as|once|so|following|without|until|to (?!\d|the\b|an?\b|our\b)[a-z]{2,})\b|:\s|—"
    r"|\b(?:когда|после|как только|поэтому|для|ввиду|от|ведь|пока|иначе|в результате)\b"
)


def told_cause(units: Sequence[Unit], every: Sequence[Unit], context: AnswerContext, most: int) -> list[Unit]:
    """Return what the page that the question is about says under a heading of causes, in its order; none without one.

    `units` are those of the time asked about, best first; `every`: all, as a cause may lie before. Of several such
    sections the one that stands nearest to the passage that says what is asked. At most `most` characters a piece.
    """
    best = next((one for one in units if one.evidence >= ENOUGH and lacking([one], context) <= MOST_LACKING), None)
    if best is None:
        return []
    page = [unit for unit in every if unit.fact.source.doc_id == best.fact.source.doc_id]
    found = [unit for unit in page if heads_cause(unit, best, context.question)]
    near = max((_shared(unit, best) for unit in found), default=0)
    under = [unit for unit in found if _shared(unit, best) == near]
    section = under[0].fact.place.headings if under else ()
    first = sorted((one for one in under if one.fact.place.headings == section), key=_place)
    return list(pieces(first, most))


def heads_cause(unit: Unit, best: Unit, question: str) -> bool:
    """Return whether the unit stands under a heading of the cause of what the question asks about.

    “Why it happened” is; “Why we chose Kafka” is only where the question or the passage about it says the rest.
    """
    heading = "\n".join(unit.fact.place.headings[-1:])
    if not holds(heading, "reason"):
        return False
    asked = Held(read(f"{question}\n{best.words}\n{best.fact.source.title}").stems)
    return all(asked.holds(word) for word in read(heading).content if not _only_asks(word))


def states_cause(text: str) -> bool:
    """Return whether the text says of something that it led to something else, by whatever word."""
    return holds(text, "reason") or _LINKS.search(normalise(text)) is not None


def _only_asks(word: Word) -> bool:
    return holds(word.low, "reason") or is_thin(word) or word.low in ("root", "causal")


def _shared(unit: Unit, best: Unit) -> int:
    """Return how many headings both stand under."""
    pairs = zip(unit.fact.place.headings, best.fact.place.headings, strict=False)
    return next(
        (n for n, (one, other) in enumerate(pairs) if one != other),
        min(len(unit.fact.place.headings), len(best.fact.place.headings)),
    )


def _place(unit: Unit) -> int:
    return unit.part.span.start
