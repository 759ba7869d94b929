"""Verification: a claim is shown only if the document's words prove it. The only maker of a `Citation`.

In order: the quote stands in the document → nothing technical → numbers and dates → names → negation → coverage.
Each check is deterministic; what fails is reported in words that a repair call can use.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from core.answer import Answer, Citation, Claim, Draft, DraftClaim, Level, Pointer, Rejection
from core.context import AnswerContext
from core.facts import Fact, Span
from core.hygiene import residue_in
from core.quoting import nearest_quote
from core.text import Untrusted, all_terms, normalise, sentences, terms

# Share of a paraphrase's content words that its quotes, their headings and the question must hold.
MIN_COVERAGE = 0.6
HIGH, MEDIUM = 0.8, 0.5
_MIN_QUOTE = 2

_NUMBER = re.compile(r"\d+(?:[ \u00a0\u202f.,:/-]\d+)*")
_GROUPING = re.compile(r"(?<=\d)[ \u00a0\u202f,](?=\d{3}(?!\d))")
_NAME = re.compile(r"(?<![.!?…:»”\"]\s)(?<!^)\b[A-ZА-ЯЁ][\w-]+|\b[A-Za-z]+[\d_][\w-]*|\b[A-ZА-ЯЁ]{2,}\b", re.UNICODE)
_LINK = re.compile(r"https?://\S+|\bwww\.\S+|\S+@\S+\.\w+")
_NEGATION = re.compile(
    r"\b(?:not|no|never|none|nobody|nothing|neither|nor|without|cannot|не|нет|ни|никогда|никто|ничего|без|нельзя)\b|n[’']t\b"
)
_FOLDED = {
    "’": "'",
    "‘": "'",
    "“": '"',
    "”": '"',
    "«": '"',
    "»": '"',
    "–": "-",
    "—": "-",
    "‑": "-",
    "ё": "е",
    "Ё": "е",
    "\u00a0": " ",
}


@dataclass(frozen=True, slots=True)
class Support:
    """What backs a claim: its citations, their words, and the words around that say what they are about."""

    citations: tuple[Citation, ...]
    words: str
    around: str


def verify(draft: Draft, context: AnswerContext, *, last: bool = True) -> Answer:
    """Return the answer with the claims that hold, in the draft's order, and why the others do not.

    With `last`, a claim that fails but whose quote stands in the document is replaced by the quote.
    """
    judged = [_judge(claim, context, last=last) for claim in draft.claims]
    claims = tuple(one for one in judged if isinstance(one, Claim))
    rejected = tuple(one for one in judged if isinstance(one, Rejection))
    lead = draft.lead if draft.lead and not _lead_fault(draft.lead, claims) else None
    return Answer(
        claims=_distinct(claims),
        language=context.language,
        lead=lead,
        is_refusal=not claims,
        nearest=_nearest(draft, context) if not claims else (),
        rejected=rejected,
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
    """Return where the quote stands in the text: exactly, or but for case, quotation marks, dashes and white space."""
    start = text.find(quote)
    if len(quote.strip()) < _MIN_QUOTE:
        return None
    if start >= 0:
        return Span(start, start + len(quote))
    folded, places = _fold(text)
    wanted = _fold(quote)[0].strip()
    at = folded.find(wanted)
    if at < 0 or len(wanted) < _MIN_QUOTE:
        return None
    return Span(places[at], places[at + len(wanted) - 1] + 1)


def _fold(text: str) -> tuple[str, list[int]]:
    """Return the text folded for comparison and, for each of its characters, its place in the original."""
    chars: list[str] = []
    places: list[int] = []
    for place, char in enumerate(text):
        folded = " " if char.isspace() else _FOLDED.get(char, char.lower())
        if folded == " " and chars and chars[-1] == " ":
            continue
        chars.extend(folded)
        places.extend([place] * len(folded))
    return "".join(chars), places


def _judge(claim: DraftClaim, context: AnswerContext, *, last: bool) -> Claim | Rejection:
    support = _support(claim, context)
    if support is None:
        return Rejection(claim.text, "its quote does not stand in the fact that it names")
    if claim.verbatim:
        return Claim(claim.text, support.citations, "quoted", claim.group, claim.columns)
    fault = next(filter(None, (check(claim.text, support) for check in _CHECKS)), None)
    if fault is None:
        return Claim(claim.text.strip(), support.citations, "supported", _clean_group(claim, context))
    if last:
        words = " ".join(dict.fromkeys(str(citation.quote) for citation in support.citations))
        return Claim(words, support.citations, "quoted")
    return Rejection(claim.text, fault)


def _support(claim: DraftClaim, context: AnswerContext) -> Support | None:
    found = [_cite(pointer, context, whole=not claim.verbatim) for pointer in claim.evidence]
    citations = tuple(dict.fromkeys(citation for citation in found if citation))
    if not citations:
        return None
    around = " ".join(f"{c.source.title} {' '.join(c.place.headings)}" for c in citations)
    return Support(citations, " ".join(c.quote for c in citations), f"{around} {context.question}")


def _cite(pointer: Pointer, context: AnswerContext, *, whole: bool) -> Citation | None:
    """Return the citation for a pointer; with `whole` its quote is widened to the sentence, item or row it is from."""
    if not 1 <= pointer.fact <= len(context.facts):
        return None
    fact = context.facts[pointer.fact - 1]
    span = find_quote(pointer.quote, fact.text)
    if span is None:
        return None
    span = Span(span.start + fact.span.start, span.end + fact.span.start)
    return _citation(fact, _widened(span, fact) if whole else span)


def _widened(span: Span, fact: Fact) -> Span:
    touched = [part.span for part in fact.parts if part.span.start < span.end and span.start < part.span.end]
    if not touched:
        return span
    return Span(min(s.start for s in [*touched, span]), max(s.end for s in [*touched, span]))


def _citation(fact: Fact, span: Span) -> Citation:
    return Citation(fact.source, span, fact.chunk_id, fact.words(span), fact.place)


def _residue(text: str, _: Support) -> str | None:
    found = residue_in(text)
    return f"it holds {found}" if found else None


def _empty(text: str, _: Support) -> str | None:
    return None if terms(text) or _NUMBER.search(text) else "it says nothing"


def _links(text: str, support: Support) -> str | None:
    alien = next((link for link in _LINK.findall(text) if link.rstrip(".,;)") not in support.words), None)
    return f"“{alien}” does not stand in its quotes" if alien else None


def _numbers(text: str, support: Support) -> str | None:
    held = _numbers_in(f"{support.words} {support.around}")
    alien = next((number for number in _numbers_in(text) if number not in held), None)
    return f"the number {alien} does not stand in its quotes" if alien else None


def _numbers_in(text: str) -> list[str]:
    return [number.replace(",", ".") for number in _NUMBER.findall(_GROUPING.sub("", text))]


def _names(text: str, support: Support) -> str | None:
    held = set(all_terms(f"{support.words} {support.around}"))
    for name in _NAME.findall(text):
        if not set(all_terms(name)) <= held:
            return f"the name “{name}” does not stand in its quotes"
    return None


def _negation(text: str, support: Support) -> str | None:
    claimed, held = bool(_NEGATION.search(normalise(text))), bool(_NEGATION.search(normalise(support.words)))
    if claimed and not held:
        return "it denies something that its quotes do not deny"
    if held and not claimed and len(list(sentences(support.words))) == 1:
        return "its quotes deny something and it does not"
    return None


def _coverage(text: str, support: Support) -> str | None:
    own = terms(text)
    held = set(terms(f"{support.words} {support.around}"))
    share = sum(1 for term in own if term in held) / len(own) if own else 1.0
    return None if share >= MIN_COVERAGE else "it says more than its quotes"


_CHECKS: tuple[Callable[[str, Support], str | None], ...] = (
    _residue,
    _empty,
    _links,
    _numbers,
    _names,
    _negation,
    _coverage,
)


def _lead_fault(lead: str, claims: tuple[Claim, ...]) -> bool:
    """Return whether the lead says anything that is not in the claims below it: then it is left out."""
    text = " ".join(claim.text for claim in claims)
    return bool(
        residue_in(lead)
        or _LINK.search(lead)
        or set(_numbers_in(lead)) - set(_numbers_in(text)) - {str(len(claims))}
        or _NEGATION.search(normalise(lead))
    )


def _clean_group(claim: DraftClaim, context: AnswerContext) -> str | None:
    """Return the claim's group if its words come from the facts or the question, else none."""
    if not claim.group or residue_in(claim.group) or _LINK.search(claim.group):
        return None
    held = set(all_terms(context.question))
    for fact in context.facts:
        held |= set(all_terms(f"{fact.source.title} {' '.join(fact.place.headings)} {fact.text}"))
    return claim.group if set(all_terms(claim.group)) <= held else None


def _distinct(claims: tuple[Claim, ...]) -> tuple[Claim, ...]:
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
