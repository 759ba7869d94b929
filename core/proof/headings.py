"""What stands over words in their document: what they are about, what may head them, and what they must be read with."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from core.asking import is_polar
from core.facts import Fact, Part, Place, Source, Span
from core.proof.backing import held_of
from core.proof.cells import Row
from core.proof.denials import denials, is_adverse, is_denying, is_facing
from core.proof.opposites import opposites
from core.proof.told import tells_to_say
from core.proof.words import Reading, read
from core.text import all_terms, sentences

# A title or a heading names what stands below it in so many words; what is longer speaks.
_LABEL_WORDS = 12
_LISTED = frozenset(["item", "row", "code"])
_NUMBERED = re.compile(r"^[\d.]{1,8}\)?\s+(?=\D)")
# What names the rest of its line: "Lead: Ines", "Rest | 30 minutes", "Piet Aalders, Head of Security".
_NAMING = re.compile(r"^[^:|—\n]{1,80}(?=:\s|\s[|—–]\s)")
_PERSON = re.compile(r"^(?:[A-ZА-ЯЁ][\w'’.-]{0,40} ?){1,4}(?=,\s)")
_MOST_SHOWN = 2


def standing_over(span: Span, fact: Fact) -> list[str]:
    """Return what says what words are about: their title, headings, what introduces their list, and their columns."""
    before = ([fact.words(part.span) for part in fact.parts if part.block == block] for block in _openings(span, fact))
    # A paragraph that happens to stand before a list says nothing of its items.
    leads = [words for block in before if block and block[-1].rstrip().endswith(":") for words in block]
    labels = [label for part in _touched(span, fact) for label in part.labels]
    return [*labels_of(fact.source, fact.place), *leads, *labels]


def labels_of(source: Source, place: Place) -> Iterator[str]:
    """Yield the title and the headings as far as they are labels."""
    return map(_label, (source.title, *place.headings))


def widened(span: Span, fact: Fact) -> Span:
    """Return the span of the whole sentences, items and rows that a span touches."""
    spans = [span, *(part.span for part in _touched(span, fact))]
    return Span(min(one.start for one in spans), max(one.end for one in spans))


def may_head(group: str, span: Span, fact: Fact) -> bool:
    """Return whether the group is as a whole what stands over the words, or what begins their line by naming it."""
    lines = [fact.words(part.span) for part in _touched(span, fact)]
    naming = [found.group() for line in lines for sign in (_NAMING, _PERSON) if (found := sign.match(line))]
    over = [fact.source.title, *fact.place.headings, *labels_of(fact.source, fact.place), *_introductions(span, fact)]
    return _key(group) in map(_key, (*over, *naming, fact.group or ""))


def needed_over(text: str, places: Sequence[tuple[Span, Fact]], question: str) -> str | None:
    """Return the headings without which words of documents would say the contrary of what they say there, or None.

    Those are the ones that deny, or that say the opposite of what is asked; where a yes or a no is asked for, also what
    says of an item which list it is in. What adds words of its own to them is judged by itself.
    """
    asked, denied = read(question), bool(denials(read(text)))
    for span, fact in places:
        is_listed = any(part.kind in _LISTED for part in _touched(span, fact))
        if denied and not is_listed:
            continue
        said = (*labels_of(fact.source, fact.place), *_introductions(span, fact))
        # An order is no label of what stands below it.
        over = [line for line in said if not tells_to_say(line)]
        turning = [line for line in over if _turns(read(line), asked)]
        shown = turning[-_MOST_SHOWN:] or (over[1:][-1:] if is_listed and is_polar(question) else [])
        if shown:
            return " – ".join(line.rstrip(" :") for line in shown) if _adds_nothing(text, places) else None
    return None


def _adds_nothing(text: str, places: Sequence[tuple[Span, Fact]]) -> bool:
    """Return whether all words of a text stand in the documents at these places."""
    held = held_of(frozenset().union(*(read(str(fact.words(span))).stems for span, fact in places)))
    return all(held.holds(word) for word in read(text).content)


def rows_at(span: Span, fact: Fact) -> list[Row]:
    """Return the rows of tables that a span touches, of those whose columns are known."""
    rows = [(part.labels, str(fact.words(part.span)).split(" | ")) for part in _touched(span, fact) if part.labels]
    return [tuple(zip(map(str, labels), cells, strict=True)) for labels, cells in rows if len(labels) == len(cells)]


@lru_cache(maxsize=256)
def _turns(label: Reading, asked: Reading) -> bool:
    if denials(label) or any(is_denying(word.low) or is_adverse(word.stem) for word in label.words):
        return True
    return any(opposites(word.stem) & asked.stems or is_facing(word.stem, asked.stems) for word in label.content)


def _introductions(span: Span, fact: Fact) -> Sequence[str]:
    """Return the sentences with a colon that introduce the list, or the words, at a span."""
    before = {part.block - 1 for part in _touched(span, fact)}
    found = [part for part in fact.parts if part.block in before | _openings(span, fact)]
    said = [_label(str(fact.words(part.span)).rstrip()) for part in found]
    return [line for line in said if line.endswith(":")]


def _openings(span: Span, fact: Fact) -> set[int]:
    """Return the blocks before the lists and tables that a span touches."""
    lists = {part.series for part in _touched(span, fact) if part.series is not None}
    return {min(part.block for part in fact.parts if part.series == one) - 1 for one in lists}


def _touched(span: Span, fact: Fact) -> list[Part]:
    return [part for part in fact.parts if part.span.start < span.end and span.start < part.span.end]


def _label(line: str) -> str:
    """Return the line, or of one that is no mere label its first sentence: the others do not say what stands below."""
    if len(line.split()) <= _LABEL_WORDS:
        return line
    return next((line[start:end] for start, end in sentences(line)), line)


def _key(label: str) -> tuple[str, ...]:
    return tuple(all_terms(_NUMBERED.sub("", label.strip())))
