"""Verification: a claim is shown only if the document's words prove it. The only maker of a `Citation`.

In order: the quote stands in the document → nothing technical → numbers, units, dates → names → negation → how far it
goes → who does what → coverage. Citations that the claim does not need are left out.
Each check is deterministic; what fails is reported in words that a repair call can use.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from core.answer import Answer, Citation, Citing, Claim, Draft, DraftClaim, Level, Pointer, Rejection
from core.checks import denies, doubt_of, fault_of, fault_of_form, has_link
from core.context import AnswerContext
from core.facts import Fact, Place, Span
from core.hygiene import residue_in
from core.ingest.document import Document
from core.outward import outward
from core.proof.asked import asked_alone, fault_of_asking
from core.proof.atmost import told_alike
from core.proof.backing import Backing, Vocabulary
from core.proof.cells import Row, doubt_of_cells
from core.proof.commands import doubt_of_commands
from core.proof.comparing import from_the_quotes_side
from core.proof.converted import converted
from core.proof.gapped import ways_to_read
from core.proof.headings import labels_of, may_head, needed_over, rows_at, standing_over, widened
from core.proof.leads import INTRODUCING, introduces
from core.proof.mixed import doubt_of_mixing, names_or_numbers
from core.proof.names import vocabulary_of
from core.proof.quotes import find_quote
from core.proof.replies import replying
from core.proof.told import fault_of_telling, tells_to_say
from core.proof.tongues import fault_of_language
from core.proof.whose import Naming, Passage, strangers_to
from core.quoting import bears_on, nearest_quote
from core.text import Untrusted, clean, normalise, sentences

HIGH, MEDIUM = 0.8, 0.5
# Passages offered with a refusal.
_MOST_NEAREST = 2


class Cited(NamedTuple):
    """A citation, the fact that it is from, what its quote stands under, and the rows of tables that it holds."""

    citation: Citation
    fact: Fact
    under: tuple[str, ...]
    rows: tuple[Row, ...] = ()


def verify(draft: Draft, context: AnswerContext, *, last: bool = True) -> Answer:
    """Return the answer with the claims that hold, in the draft's order, and why the others do not.

    With `last`, a claim that fails but whose quote stands in the document and bears on the question is replaced by it;
    one that is merely in doubt always is.
    """
    known = vocabulary_of([*(fact.text for fact in context.facts), context.question])
    judged = [_headed(_judge(claim, context, known, last=last), context) for claim in draft.claims]
    claims = distinct(one for one in judged if isinstance(one, Claim))
    return Answer(
        claims=claims,
        language=context.language,
        lead=_lead(draft.lead, claims, context, known),
        is_refusal=not claims,
        nearest=_nearest(draft, context) if not claims else (),
        rejected=tuple(one for one in judged if isinstance(one, Rejection)),
        remaining=draft.remaining,
        model=draft.model,
        citing=_citing(draft, context, judged),
    )


def with_confidence(answer: Answer, coverage: float) -> Answer:
    """Return the answer with its confidence: the share of claims that held, times how much the plan covered (R-19)."""
    if answer.is_refusal:
        return replace(answer, confidence=0.0, level="low")
    share = len(answer.claims) / (len(answer.claims) + len(answer.rejected))
    value = round(share * (0.5 + 0.5 * coverage), 3)
    level: Level = "high" if value >= HIGH else "medium" if value >= MEDIUM else "low"
    return replace(answer, confidence=value, level=level)


def with_older(answer: Answer, context: AnswerContext) -> Answer:
    """Return the answer with what an older version of a cited page says otherwise than the words that it cites.

    A page that is marked as replaced is silent: whoever marked it has settled which of the two holds.
    """
    cited = [citation for claim in answer.claims for citation in claim.citations]
    older = []
    for conflict in context.conflicts:
        newer, old = (_cite(pointer, context, whole=False) for pointer in (conflict.newer, conflict.older))
        if (
            newer
            and old
            and not old.citation.source.superseded
            and any(_overlap(newer.citation, citation) for citation in cited)
        ):
            older.append(old.citation)
    return replace(answer, older=tuple(dict.fromkeys(older)))


def _overlap(one: Citation, other: Citation) -> bool:
    same = one.source.doc_id == other.source.doc_id
    return same and one.span.start < other.span.end and other.span.start < one.span.end


def _judge(claim: DraftClaim, context: AnswerContext, known: Vocabulary, *, last: bool) -> Claim | Rejection:
    found = [cited for pointer in claim.evidence if (cited := _cite(pointer, context, whole=not claim.verbatim))]
    if not found:
        return Rejection(claim.text, "its quote does not stand in the fact that it names")
    if claim.verbatim:
        group = None if tells_to_say(claim.group or "") else claim.group
        return Claim(claim.text, _citations(found), "quoted", group, claim.columns)
    text, shown = replying(clean(claim.text).strip(), context.question)
    fault = _fault(text, found, context, known)
    if fault is None:
        needed = _needed(text, found, context, known)
        return Claim(shown, _citations(needed), "supported", _clean_group(claim, context))
    told = _quoted(found, context) if last or fault.is_doubt else None
    return told or Rejection(claim.text, fault.reason)


def _quoted(found: Iterable[Cited], context: AnswerContext) -> Claim | None:
    """Return the quotes that bear on the question in the place of the claim that cites them, or None when none does."""
    near = _citations([one for one in found if bears_on(one.citation.span, one.fact, context)])
    return Claim(" ".join(dict.fromkeys(str(citation.quote) for citation in near)), near, "quoted") if near else None


def in_its_quotes(claim: Claim, context: AnswerContext) -> Claim | None:
    """Return a verified claim told by those of its quotes that bear on the question, or None when none does."""
    told = _quoted(cited_by(claim, context), context)
    headed = _headed(told, context) if told else None
    return headed if isinstance(headed, Claim) else None


def cited_by(claim: Claim, context: AnswerContext) -> list[Cited]:
    """Return a verified claim's citations, each with its fact and what its quote stands under."""
    homes = [(one, fact) for one in claim.citations for fact in context.holding(one.chunk_id, one.span)[:1]]
    return [Cited(one, fact, tuple(standing_over(one.span, fact))) for one, fact in homes]


def _citations(found: Iterable[Cited]) -> tuple[Citation, ...]:
    return tuple(dict.fromkeys(cited.citation for cited in found))


class _Fault(NamedTuple):
    """Why a claim is not proven; a mere doubt is not worth another try of a model, as its quote says enough."""

    reason: str
    is_doubt: bool = False


def _fault(text: str, found: Sequence[Cited], context: AnswerContext, known: Vocabulary) -> _Fault | None:
    """Return why these citations do not prove the text, or None when they do: a sentence of theirs proves itself."""
    quotes = "\n".join(citation.quote for citation in _citations(found))
    around = "\n".join(dict.fromkeys(line for cited in found for line in cited.under))
    if not is_said(text, quotes) and (alien := fault_of_language(text, quotes, context.question, context.language)):
        return _Fault(alien)
    strange = _strangers(text, [cited.citation for cited in found], context, known)
    fault = _unproven(text, Backing(quotes, around, context.question, known, strange))
    if fault or is_said(text, quotes):
        return fault
    doubt = doubt_of_cells(text, context.question, [row for one in found for row in one.rows])
    return _Fault(doubt, is_doubt=True) if doubt else None


# A claim is judged again when it is streamed, when others are repaired, and when its citations are thinned out.
@lru_cache(maxsize=256)
def _unproven(text: str, backing: Backing) -> _Fault | None:
    """Return why these words do not prove the text, or None when they do."""
    text = from_the_quotes_side(text, backing.quotes)
    if is_said(text, backing.quotes):
        fault = fault_of_form(text, backing.quotes) or fault_of_telling(text, backing)
        return _Fault(fault) if fault else None
    ways = (replace(backing, quotes=quotes) for quotes in ways_to_read(text, backing.quotes))
    return next(filter(None, (_unproven_so(text, one) for one in ways)), None)


def _unproven_so(text: str, backing: Backing) -> _Fault | None:
    text = converted(told_alike(text, backing.quoted), backing.known)
    if fault := fault_of(text, backing) or fault_of_asking(text, backing):
        return _Fault(fault)
    doubt = doubt_of(text, backing) or doubt_of_commands(text, backing) or doubt_of_mixing(text, backing)
    return _Fault(doubt, is_doubt=True) if doubt else None


def _strangers(text: str, cited: Iterable[Citation], context: AnswerContext, known: Vocabulary) -> tuple[str, ...]:
    """Return the words of names in the question that no passage behind the text knows."""
    passages = [passage_of(one, context) for one in dict.fromkeys(cited)]
    return strangers_to(passages, text, Naming(context.question, context.named, context.strange), known)


def passage_of(citation: Citation, context: AnswerContext) -> Passage:
    """Return the cited words with what stands over them and before them."""
    over, before = [*labels_of(citation.source, citation.place)], ""
    for fact in context.holding(citation.chunk_id, citation.span)[:1]:
        over = standing_over(citation.span, fact)
        before = str(fact.words(Span(fact.span.start, citation.span.start)))
    return Passage(citation.source.doc_id, str(citation.quote), "\n".join(over), before)


def is_said(text: str, quotes: str) -> bool:
    """Return whether the text is a line or a sentence of the quotes, but for case and the signs around it.

    What a question asks it does not say.
    """
    said = [*quotes.split("\n"), *(quotes[start:end] for start, end in sentences(quotes))]
    return _bare(text) in (_bare(line) for line in said if text.endswith("?") or not line.rstrip().endswith("?"))


@lru_cache(maxsize=1_024)
def _bare(text: str) -> str:
    return normalise(text).strip(" \t\n.,;:!?\"'«»“”()-–—*•")


def _needed(text: str, found: Sequence[Cited], context: AnswerContext, known: Vocabulary) -> Sequence[Cited]:
    """Return the citations without those that prove nothing by themselves while the others prove the text (ALCE)."""
    kept = list(dict.fromkeys(found))
    for cited in tuple(kept):
        others = [one for one in kept if one is not cited]
        if others and not _fault(text, others, context, known) and _fault(text, [cited], context, known):
            kept = others
    return kept


def _citing(draft: Draft, context: AnswerContext, judged: Sequence[Claim | Rejection]) -> Citing:
    """Return how the draft cited: a pointer that leads nowhere counts against it, and so does one too many."""
    pairs = [(claim, one) for claim, one in zip(draft.claims, judged, strict=True) if not claim.verbatim]
    held = [one for _, one in pairs if isinstance(one, Claim) and one.verdict == "supported"]
    pointers = [pointer for claim, _ in pairs for pointer in claim.evidence]
    return Citing(
        claims=len(pairs),
        supported=len(held),
        pointers=len(pointers),
        needed=sum(len(one.citations) for one in held),
        dangling=sum(1 for pointer in pointers if _found(pointer, context) is None),
    )


def _cite(pointer: Pointer, context: AnswerContext, *, whole: bool) -> Cited | None:
    """Return the citation for a pointer; with `whole` its quote is widened to the sentence, item or row it is from."""
    found = _found(pointer, context)
    if found is None:
        return None
    fact, span = found
    span = Span(span.start + fact.span.start, span.end + fact.span.start)
    citation = _citation(fact, widened(span, fact) if whole else span)
    return Cited(citation, fact, tuple(standing_over(citation.span, fact)), tuple(rows_at(citation.span, fact)))


def _found(pointer: Pointer, context: AnswerContext) -> tuple[Fact, Span] | None:
    """Return the fact that a pointer names and where in its text the quote stands."""
    fact = context.numbered(pointer.fact)
    span = find_quote(pointer.quote, fact.text) if fact else None
    return (fact, span) if fact and span else None


def _citation(fact: Fact, span: Span) -> Citation:
    is_code = any(part.kind == "code" and part.span.contains(span) for part in fact.parts)
    place, links = fact.place_of(span), outward(fact.links, span)
    quote = fact.words(span)
    labels = next((part.labels for part in fact.parts if part.span == span), ())
    columns = labels if len(labels) == len(quote.split(" | ")) else ()
    return Citation(fact.source, span, fact.chunk_id, quote, place, is_code, links, columns)


def cited_again(document: Document, span: Span, quote: str, chunk_id: str, place: Place) -> Citation | None:
    """Return the citation of an earlier answer anew, if its words still stand there and nothing newer replaces them.

    What stood over them must be there, too: “Within 14 days.” says one thing under “Refundable” and another elsewhere.
    """
    source = document.source()
    if source.superseded or not quote or span.within(document.text) != quote:
        return None
    over = {heading for block in document.blocks for heading in block.headings}
    if not over.issuperset(place.headings):
        return None
    is_code = any(block.kind == "code" and block.span.contains(span) for block in document.blocks)
    links = outward((link for block in document.blocks for link in block.links), span)
    return Citation(source, span, chunk_id, Untrusted(quote), place, is_code, links)


def _lead(lead: str | None, claims: tuple[Claim, ...], context: AnswerContext, known: Vocabulary) -> str | None:
    """Return the lead if it says nothing that is not in the claims below it: else it is left out."""
    text, _ = replying(clean(lead or "").strip(), context.question)
    if not (text and claims) or residue_in(text) or has_link(text) or denies(text):
        return None
    if fault_of_language(text, "", context.question, context.language):
        return None
    citations = [citation for claim in claims for citation in claim.citations]
    said = "\n".join([*(claim.text for claim in claims), *(citation.quote for citation in citations)])
    # What heads one claim alone tells nothing of the others.
    heads = [{line for c in claim.citations for line in labels_of(c.source, c.place)} for claim in claims]
    under = "\n".join(sorted(set.intersection(*heads) | {str(len(claims))}))
    each = ["\n".join([claim.text, *(citation.quote for citation in claim.citations)]) for claim in claims]
    strange = _strangers(text, citations, context, known)
    backing = Backing(said, under, context.question, known, strange)
    introducing = replace(backing, question=f"{context.question}\n{INTRODUCING}")
    if fault_of(text, introducing) or asked_alone(text, backing) or not introduces(text, each, backing):
        return None
    if not _is_of_one(text, claims, introducing):
        return None
    return text


def _is_of_one(lead: str, claims: tuple[Claim, ...], introducing: Backing) -> bool:
    """Return whether a lead that names somebody or a number has all of it from one claim: else it may swap them."""
    if not names_or_numbers(lead, {str(len(claims))}):
        return True
    for claim in claims:
        quotes = "\n".join(citation.quote for citation in claim.citations)
        own = replace(introducing, quotes=f"{claim.text}\n{quotes}")
        if not fault_of(lead, own) and not doubt_of_mixing(lead, replace(introducing, quotes=quotes)):
            return True
    return False


def _headed(judged: Claim | Rejection, context: AnswerContext) -> Claim | Rejection:
    """Return the claim under the headings without which its words would say the contrary of what they say there."""
    if isinstance(judged, Rejection):
        return judged
    places = [(c.span, fact) for c in judged.citations for fact in context.holding(c.chunk_id, c.span)[:1]]
    over = needed_over(judged.text, places, context.question)
    if not over or residue_in(over) or has_link(over) or normalise(over) in normalise(judged.group or ""):
        return judged
    is_above = judged.group and normalise(judged.group) not in normalise(over)
    return replace(judged, group=f"{judged.group} – {over}" if is_above else over)


def _clean_group(claim: DraftClaim, context: AnswerContext) -> str | None:
    """Return the claim's group if it stands over all that it cites: any other may turn it round."""
    group = clean(claim.group or "").strip()
    if not group or residue_in(group) or has_link(group) or tells_to_say(group):
        return None
    cited = [cited for pointer in claim.evidence if (cited := _cite(pointer, context, whole=True))]
    backing = Backing("\n".join(one.fact.text for one in cited), "\n".join(cited[0].under), context.question)
    over = all(may_head(group, one.citation.span, one.fact) for one in cited)
    return group if over and not fault_of_telling(group, backing) else None


def distinct(claims: Iterable[Claim]) -> tuple[Claim, ...]:
    """Return the claims without those that say again what one before them says."""
    kept: dict[tuple[str, str | None], Claim] = {}
    for claim in claims:
        kept.setdefault(claim_key(claim), claim)
    return tuple(kept.values())


def without_twins(answer: Answer) -> Answer:
    """Return the answer without quotes in the place of failing claims that another of its claims proves itself by.

    Shown again, they would count as one more statement that holds; the statements that they stood for are left out.
    """
    if all(claim.verdict == "quoted" for claim in answer.claims):
        return answer
    twins = [claim for claim in answer.claims if claim.verdict == "quoted" and _is_told(claim, answer.claims)]
    if not twins:
        return answer
    kept = tuple(claim for claim in answer.claims if claim not in twins)
    return replace(answer, claims=kept, rejected=(*answer.rejected, *map(left_out, twins)))


def left_out(quoted: Claim) -> Rejection:
    """Return why a statement is not told by its quote."""
    return Rejection(quoted.text, "another statement is proven by the same words")


def _is_told(quoted: Claim, claims: Iterable[Claim]) -> bool:
    """Return whether statements in words of their own cite all that the quotes hold."""
    cited = [one for claim in claims if claim.verdict == "supported" for one in claim.citations]
    return all(
        any(other.source.doc_id == one.source.doc_id and other.span.contains(one.span) for other in cited)
        for one in quoted.citations
    )


def claim_key(claim: Claim) -> tuple[str, str | None]:
    """Return what two claims that say the same have in common."""
    return normalise(claim.text), claim.group


def _nearest(draft: Draft, context: AnswerContext) -> tuple[Citation, ...]:
    numbers = draft.abstain.nearest if draft.abstain else ()
    facts = [context.facts[number - 1] for number in numbers if 1 <= number <= len(context.facts)]
    near = (_nearest_citation(fact) for fact in facts if bears_on(fact.span, fact, context))
    return tuple(filter(None, near))[:_MOST_NEAREST]


def _nearest_citation(fact: Fact) -> Citation | None:
    words: Untrusted = nearest_quote(fact)
    span = find_quote(words, fact.text)
    return _citation(fact, Span(span.start + fact.span.start, span.end + fact.span.start)) if span else None
