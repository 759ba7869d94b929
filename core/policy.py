"""Policy flags (R-20): what a reader or an admin should know about an answer."""

import re
from dataclasses import replace

from core.answer import Answer, Flag

_DIGIT = r"(?:[ \u00a0().-]{0,2}\d)"
_PERSONAL = re.compile(
    r"[\w.+-]{1,64}@[\w-]{1,63}\.\w"
    rf"|(?<!\w)(?:\+\d{_DIGIT}{{7,14}}|0{_DIGIT}{{9,10}}|8{_DIGIT}{{10}}|\(?\d{{3}}[)-] ?\d{{3}}-\d{{4}})(?!\w)"
)
# They look like telephone numbers: 01.02.2025 – 31.12.2025.
_DATE = re.compile(r"(?<!\d)(?:\d{4}-\d{2}-\d{2}|\d{1,2}\.\d{1,2}\.\d{2,4})(?!\d)")


def apply_policy(answer: Answer, *, found: bool) -> Answer:
    """Return the answer with its flags: by the labels of what it cites, by contact details, by its confidence."""
    citations = [citation for claim in answer.claims for citation in claim.citations] + list(answer.nearest)
    labels = frozenset[str]().union(*(citation.source.labels for citation in citations))
    flags: set[Flag] = set()
    if not found:
        flags.add("no_context")
    if "personal-data" in labels or any(_is_personal(citation.quote) for citation in citations):
        flags.add("pii_referenced")
    if "confidential" in labels:
        flags.add("confidential")
    if answer.rejected or (answer.level == "low" and not answer.is_refusal):
        flags.add("uncertain")
    return replace(answer, flags=frozenset(flags))


def _is_personal(text: str) -> bool:
    return _PERSONAL.search(_DATE.sub("|", text)) is not None
