"""Policy flags (R-20): what a reader or an admin should know about an answer."""

from dataclasses import replace

from core.answer import Answer, Flag
from core.personal import personal_in


def apply_policy(answer: Answer, *, found: bool) -> Answer:
    """Return the answer with its flags: by the labels of what it cites, by personal data in it, by its confidence."""
    citations = [citation for claim in answer.claims for citation in claim.citations] + list(answer.nearest)
    labels = frozenset[str]().union(*(citation.source.labels for citation in citations))
    flags: set[Flag] = set()
    if not found:
        flags.add("no_context")
    if "personal-data" in labels or any(personal_in(citation.quote) for citation in citations):
        flags.add("pii_referenced")
    if "confidential" in labels:
        flags.add("confidential")
    if answer.rejected or (answer.level == "low" and not answer.is_refusal):
        flags.add("uncertain")
    return replace(answer, flags=frozenset(flags))
