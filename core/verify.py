"""Verification: a claim is shown only if the document's words prove it. The only maker of a `Citation`.

In order: the quote stands in the document → nothing technical → numbers and dates → names → negation → coverage.
Each check is deterministic; what fails is reported in words that a repair call can use.
"""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache

from core.answer import Answer, Citation, Claim, Draft, DraftClaim, Level, Pointer, Rejection
from core.checks import Backing, denies, fault_of, has_link, is_founded, names_in
from core.context import AnswerContext
from core.facts import Fact, Part, Span
from core.hygiene import residue_in
from core.quoting import bears_on, nearest_quote
from core.text import Untrusted, all_terms, clean, normalise

HIGH, MEDIUM = 0.8, 0.5
_MIN_QUOTE = 2
# What a lead may say to introduce the claims, besides their own words.
_INTRODUCING = """
here is what the documents say, list, state, show: the following, as follows, listed below, found, the answer, in short
вот что говорится, сказано, указано в документах: следующее, перечислено ниже, нашлось, ответ, список, кратко
"""

_FOLDED = str.maketrans(
    {**dict.fromkeys("’‘‚‛′", "'"), **dict.fromkeys("“”„‟«»″", '"'), **dict.fromkeys("‐‑‒–—―−", "-"), "ё": "е"}
)
_BREVE = "\u0306"  # it makes й of и; other marks are stress, or left out as often as not


@dataclass(frozen=True, slots=True)
class Support:
    """What backs a claim: its citations, those of them that bear on the question, and all the words behind it."""

    citations: tuple[Citation, ...]
    near: tuple[Citation, ...]
    backing: Backing


def verify(draft: Draft, context: AnswerContext, *, last: bool = True) -> Answer:
    """Return the answer with the claims that hold, in the draft's order, and why the others do not.

    With `last`, a claim that fails but whose quote stands in the document and bears on the question is replaced by it.
    """
    names = names_in([*(fact.text for fact in context.facts), context.question])
    judged = [_judge(claim, context, names, last=last) for claim in draft.claims]
    claims = _distinct(one for one in judged if isinstance(one, Claim))
    return Answer(
        claims=claims,
        language=context.language,
        lead=_lead(draft.lead, claims, context, names),
        is_refusal=not claims,
        nearest=_nearest(draft, context) if not claims else (),
        rejected=tuple(one for one in judged if isinstance(one, Rejection)),
        remaining=draft.remaining,
        model=draft.model,
        tokens=draft.tokens,
    )


def with_confidence(answer: Answer, coverage: float) -> Answer:
    """Return the answer with its confidence: the share of claims that held, times how much the plan covered (R-19)."""
    if answer.is_refusal:
        return replace(answer, confidence=0.0, level="low")
    share = len(answer.claims) / (len(answer.claims) + len(answer.rejected))
    value = round(share * (0.5 + 0.5 * coverage), 3)
    level: Level = "high" if value >= HIGH else "medium" if value >= MEDIUM else "low"
    return replace(answer, confidence=value, level=level)


def find_quote(quote: str, text: str) -> Span | None:
    """Return where the quote stands in the text: exactly, or but for how it is written.

    Case, quotation marks, dashes, white space, accents, ligatures and invisible characters may differ.
    """
    if len(quote.strip()) < _MIN_QUOTE:
        return None
    if (start := text.find(quote)) >= 0:
        return Span(start, start + len(quote))
    folded, places = _fold(text)
    wanted = _fold(quote)[0].strip()
    found = re.search(re.escape(wanted) + f"(?!{_BREVE})", folded)
    if found is None or len(wanted) < _MIN_QUOTE:
        return None
    end = places[found.end() - 1] + 1
    while end < len(text) and unicodedata.combining(text[end]):
        end += 1
    return Span(places[found.start()], end)


def _fold(text: str) -> tuple[str, list[int]]:
    """Return the text folded for comparison and, for each of its characters, its place in the original."""
    chars: list[str] = []
    places: list[int] = []
    for place, char in enumerate(text):
        for folded in _folded(char):
            if folded != " " or chars[-1:] != [" "]:
                chars.append(folded)
                places.append(place)
    return "".join(chars), places


@lru_cache(maxsize=10_000)
def _folded(char: str) -> str:
    if char.isspace():
        return " "
    apart = unicodedata.normalize("NFKD", clean(char)).translate(_FOLDED).lower()
    return "".join(one for one in apart if one == _BREVE or not unicodedata.combining(one))


def _judge(claim: DraftClaim, context: AnswerContext, names: frozenset[str], *, last: bool) -> Claim | Rejection:
    support = _support(claim, context, names)
    if support is None:
        return Rejection(claim.text, "its quote does not stand in the fact that it names")
    if claim.verbatim:
        return Claim(claim.text, support.citations, "quoted", claim.group, claim.columns)
    text = clean(claim.text).strip()
    fault = fault_of(text, support.backing)
    if fault is None and not is_founded(text, support.backing):
        fault = "it repeats the question, and its quotes do not say so"
    if fault is None:
        return Claim(text, support.citations, "supported", _clean_group(claim, context))
    if last and support.near:
        words = " ".join(dict.fromkeys(str(citation.quote) for citation in support.near))
        return Claim(words, support.near, "quoted")
    return Rejection(claim.text, fault)


def _support(claim: DraftClaim, context: AnswerContext, names: frozenset[str]) -> Support | None:
    found = [cited for pointer in claim.evidence if (cited := _cite(pointer, context, whole=not claim.verbatim))]
    if not found:
        return None
    citations = tuple(dict.fromkeys(citation for citation, _ in found))
    quotes = "\n".join(citation.quote for citation in citations)
    around = "\n".join(dict.fromkeys(line for citation, fact in found for line in _standing_under(citation, fact)))
    near = tuple(dict.fromkeys(citation for citation, fact in found if bears_on(citation.span, fact, context)))
    return Support(citations, near, Backing(quotes, around, context.question, names))


def _cite(pointer: Pointer, context: AnswerContext, *, whole: bool) -> tuple[Citation, Fact] | None:
    """Return the citation for a pointer; with `whole` its quote is widened to the sentence, item or row it is from."""
    if not 1 <= pointer.fact <= len(context.facts):
        return None
    fact = context.facts[pointer.fact - 1]
    span = find_quote(pointer.quote, fact.text)
    if span is None:
        return None
    span = Span(span.start + fact.span.start, span.end + fact.span.start)
    return _citation(fact, _widened(span, fact) if whole else span), fact


def _widened(span: Span, fact: Fact) -> Span:
    spans = [span, *(part.span for part in _touched(span, fact))]
    return Span(min(one.start for one in spans), max(one.end for one in spans))


def _touched(span: Span, fact: Fact) -> list[Part]:
    return [part for part in fact.parts if part.span.start < span.end and span.start < part.span.end]


def _standing_under(citation: Citation, fact: Fact) -> list[str]:
    """Return what says what a quote is about: its title, its headings, and what introduces its list or table."""
    lists = {part.series for part in _touched(citation.span, fact) if part.series is not None}
    openings = {min(part.block for part in fact.parts if part.series == one) - 1 for one in lists}
    leads = [fact.words(part.span) for part in fact.parts if part.block in openings]
    labels = [label for part in _touched(citation.span, fact) for label in part.labels]
    return [citation.source.title, *citation.place.headings, *leads, *labels]


def _citation(fact: Fact, span: Span) -> Citation:
    return Citation(fact.source, span, fact.chunk_id, fact.words(span), fact.place)


def _lead(lead: str | None, claims: tuple[Claim, ...], context: AnswerContext, names: frozenset[str]) -> str | None:
    """Return the lead if it says nothing that is not in the claims below it: else it is left out."""
    text = clean(lead or "").strip()
    if not (text and claims) or residue_in(text) or has_link(text) or denies(text):
        return None
    citations = [citation for claim in claims for citation in claim.citations]
    said = "\n".join([*(claim.text for claim in claims), *(citation.quote for citation in citations)])
    under = {line for c in citations for line in (c.source.title, *c.place.headings)} | {str(len(claims))}
    backing = Backing(said, "\n".join(sorted(under)), f"{context.question}\n{_INTRODUCING}", names)
    return None if fault_of(text, backing) else text


def _clean_group(claim: DraftClaim, context: AnswerContext) -> str | None:
    """Return the claim's group if its words stand in the facts that it cites, else none: a wrong one misattributes."""
    group = clean(claim.group or "").strip()
    if not group or residue_in(group) or has_link(group):
        return None
    cited = {pointer.fact for pointer in claim.evidence}
    facts = [fact for number, fact in enumerate(context.facts, 1) if number in cited]
    held = all_terms("\n".join(f"{fact.source.title}\n{' '.join(fact.place.headings)}\n{fact.text}" for fact in facts))
    return group if set(all_terms(group)) <= set(held) else None


def _distinct(claims: Iterable[Claim]) -> tuple[Claim, ...]:
    kept: dict[tuple[str, str | None], Claim] = {}
    for claim in claims:
        kept.setdefault((normalise(claim.text), claim.group), claim)
    return tuple(kept.values())


def _nearest(draft: Draft, context: AnswerContext) -> tuple[Citation, ...]:
    numbers = draft.abstain.nearest if draft.abstain else ()
    facts = [context.facts[number - 1] for number in numbers[:2] if 1 <= number <= len(context.facts)]
    return tuple(filter(None, (_nearest_citation(fact) for fact in facts)))


def _nearest_citation(fact: Fact) -> Citation | None:
    words: Untrusted = nearest_quote(fact)
    span = find_quote(words, fact.text)
    return _citation(fact, Span(span.start + fact.span.start, span.end + fact.span.start)) if span else None
