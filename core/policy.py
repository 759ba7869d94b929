"""Policy flags (R-20): what a reader or an admin should know about an answer."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from core.answer import Answer, Citation, Flag
from core.personal import personal_in


def apply_policy(answer: Answer, *, found: bool) -> Answer:
    """Return the answer with its flags: by the labels of what it cites, by personal data in it, by its confidence."""
    citations = [citation for claim in answer.claims for citation in claim.citations] + list(answer.nearest)
    labels = frozenset[str]().union(*(citation.source.labels for citation in citations))
    flags: set[Flag] = set()
    if not found:
        flags.add("no_context")
    if "personal-data" in labels or any(map(personal_in, _shown(citations))):
        flags.add("pii_referenced")
    if "confidential" in labels:
        flags.add("confidential")
    if answer.rejected or (answer.level == "low" and not answer.is_refusal):
        flags.add("uncertain")
    return replace(answer, flags=frozenset(flags))


def _shown(citations: Iterable[Citation]) -> Iterator[str]:
    """Yield what is shown of the citations: their words, and the addresses behind them."""
    for citation in citations:
        yield citation.quote
        yield from (address for _, address in citation.leads)
