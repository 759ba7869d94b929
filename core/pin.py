"""Answers that a person has checked: kept with their words and spans, and given again while the documents say so."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from core.answer import Answer, Citation, Claim
from core.conversation import Audience, Question
from core.facts import Place, Span
from core.ingest.document import Document
from core.ingest.sections import section_mark
from core.phrases import phrase
from core.plan import QueryPlan
from core.recall import same_words
from core.text import Untrusted, language_of
from core.verify import cited_again
from core.when import period_in

Documents = Mapping[str, Document]


@dataclass(frozen=True, slots=True)
class Pin:
    """A checked answer to a question and its version; `words`: how the question is found, `by`: who checked it.

    `result` is its contract (`core.result`). `because`: why it has fallen, when it has.
    """

    tenant: str
    words: str
    question: str
    version: int
    result: Mapping[str, Any]
    by: str
    at: datetime
    number: int = 0
    fallen_at: datetime | None = None
    because: str | None = None


@dataclass(frozen=True, slots=True)
class Again:
    """A checked answer as it can be given now, with the plan that found it; `is_open`: its facts are for them."""

    answer: Answer
    plan: QueryPlan
    is_open: bool = True


@dataclass(frozen=True, slots=True)
class Fallen:
    """A checked answer that the documents do not hold as they did; `because` names the document."""

    because: str


@dataclass(frozen=True, slots=True)
class NotForThem:
    """A checked answer that this audience may not read a source of."""


def pin_of(  # noqa: PLR0913 - each is a field, and given by name
    said: Mapping[str, Any], documents: Documents, *, question: str, version: int, tenant: str, by: str, at: datetime
) -> Pin | None:
    """Return the answer of this contract as a checked one, or None when it could not be given to anybody else.

    That is a refusal, a question that leans on what came before it, and one whose words name other days tomorrow.
    `documents` are those that it cites, as they were when it was made: their sections are part of what is checked.
    """
    read, text = said.get("follow_up", {}), str(said.get("question", ""))
    is_whole = read.get("decision") == "standalone" and read.get("question") == text
    if said.get("is_refusal") or not said.get("claims") or not is_whole or is_of_today(text, at):
        return None
    kept = {name: said[name] for name in _KEPT if name in said}
    sections = [_section_of(one, documents) for one in said["citations"]]
    return Pin(tenant, same_words(text), question, version, kept | {"sections": sections}, by, at)


def _section_of(one: Mapping[str, Any], documents: Documents) -> str | None:
    document = documents.get(one["doc_id"])
    return section_mark(document, Span(one["start"], one["end"])) if document else None


def is_of_today(text: str, at: datetime) -> bool:
    """Return whether the words mean other days when they are said at another time."""
    later = at.replace(year=at.year + _YEARS, month=_MONTH, day=1)
    return period_in(text, at) != period_in(text, later)


# What was read besides is nobody's to keep: it may be gone from the documents by tomorrow.
_KEPT = (
    *("question", "answer", "lead", "claims", "citations", "plan", "facts", "model_used"),
    *("confidence", "confidence_level", "policy_flags"),
)
# Some day that is neither in this year nor in this month nor in this quarter.
_YEARS, _MONTH = 3, 2


def given_again(pin: Pin, documents: Documents, audience: Audience) -> Again | Fallen | NotForThem:
    """Return the checked answer as the live documents prove it, for those who may read all that it was made from.

    Each cited span must hold the very words that it held, in a section that has not changed: what is added there may
    change what they mean. Raises nothing on what another version has stored: that has fallen.
    """
    try:
        if any(one in documents and not _may_read(one, documents, audience) for one in _cited_in(pin)):
            return NotForThem()
        return _again(pin, _citations(pin, documents), documents, audience)
    except _Changed as changed:
        return Fallen(str(changed))
    except _STRANGE:
        return Fallen(_OTHER_VERSION)


def fault_of(pin: Pin, documents: Documents) -> str | None:
    """Return why the checked answer has fallen, by the documents that it cites as they are now; None: it stands."""
    try:
        _citations(pin, documents)
    except _Changed as changed:
        return str(changed)
    except _STRANGE:
        return _OTHER_VERSION
    return None


def cited_in(pin: Pin) -> list[str]:
    """Return the ids of the documents that the checked answer cites."""
    try:
        return _cited_in(pin)
    except _STRANGE:
        return []


class _Changed(Exception):
    """A document does not hold the cited words any more."""


_STRANGE = (KeyError, TypeError, ValueError, IndexError, AttributeError)
_OTHER_VERSION = "it was kept by another version of the bot"


def _cited_in(pin: Pin) -> list[str]:
    said = pin.result
    return sorted({said["citations"][at]["doc_id"] for claim in said["claims"] for at in claim["citations"]})


def _citations(pin: Pin, documents: Documents) -> list[Citation | None]:
    """Return the citations by their places in the result, None where no statement uses one. Raises _Changed."""
    said = pin.result
    used = {at for claim in said["claims"] for at in claim["citations"]}
    # An answer that is only shared was checked by nobody.
    sections = said.get("sections") or [None] * len(said["citations"])
    pairs = zip(said["citations"], sections, strict=True)
    return [_cited(one, section, documents) if at in used else None for at, (one, section) in enumerate(pairs)]


def _cited(one: Mapping[str, Any], section: str | None, documents: Documents) -> Citation:
    document = documents.get(one["doc_id"])
    if document is None:
        raise _Changed(f"{one['title']} is gone")
    place = Place(tuple(Untrusted(heading) for heading in one["headings"]), one["page"])
    found = cited_again(document, Span(one["start"], one["end"]), one["text_snippet"], one["chunk_id"], place)
    if found is None or (section and section != section_mark(document, found.span)):
        raise _Changed(f"{one['title']} has changed")
    return found


def _again(pin: Pin, citations: list[Citation | None], documents: Documents, audience: Audience) -> Again:
    said = pin.result
    # What introduces the statements may tell of anything that was read, so whoever hears it may read all of that.
    is_open = all(_may_read(one, documents, audience) for one in said["facts"]["sources"])
    answer = Answer(
        claims=tuple(_claim(claim, citations) for claim in said["claims"]),
        language=language_of(said["question"]),
        lead=said["lead"] if is_open else None,
        confidence=float(said["confidence"]),
        level=said["confidence_level"],
        flags=frozenset(said["policy_flags"]),
        model=str(said["model_used"]),
    )
    plan = {name: value for name, value in said["plan"].items() if name != "planned_by"}
    return Again(answer, QueryPlan.model_validate(plan), is_open)


def _claim(claim: Mapping[str, Any], citations: list[Citation | None]) -> Claim:
    found = tuple(citation for at in claim["citations"] if (citation := citations[at]))
    if not found:
        raise ValueError("a statement without a citation")
    return Claim(claim["text"], found, claim["verdict"], claim["group"], tuple(claim["columns"]))


def _may_read(doc_id: str, documents: Documents, audience: Audience) -> bool:
    document = documents.get(doc_id)
    return document is not None and audience.may_read(document.readers)


def checked(pin: Pin, question: Question) -> str:
    """Return the sentence that says that a person has checked the answer."""
    return phrase("checked_by_person", question.language, date=pin.at.date().isoformat())
