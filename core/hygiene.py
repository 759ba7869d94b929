"""The last look at words a model wrote: nothing technical, no markers, nothing that pings or links."""

import re

_RESIDUE = {
    "a source marker": re.compile(r"\[\d+(?:\s*[,–-]\s*\d+)*\]|【[^】]{0,200}】|\(\s*(?:fact|source|факт|источник)\s*(?:[#№]\s*)?\d+\s*\)", re.IGNORECASE),
    "a live mention": re.compile(r"<[!@#][^<>]*>|(?<!\w)@(?:here|channel|everyone|all)\b"),
    "markup of a link or an image": re.compile(r"!?\[[^\]]{0,300}\]\([^)]{0,1000}\)|<https?://[^<>]*>|<[A-Za-z][\w-]{0,30}\s[^<>]{0,300}="),
    "a data structure": re.compile(r"\{\s{0,9}[\"'“”][^\"'“”{}]{1,80}[\"'“”]\s{0,9}:"),
}  # fmt: skip

# These may be the document's own words.
_OWN_WORDS = {
    "escaped characters": re.compile(
        r"(?:\\(?:u[0-9a-f]{4}|x[0-9a-f]{2})){3}|(?:&#x?[0-9a-f]{2,6};){3}|(?:%[0-9a-f]{2}){4}", re.IGNORECASE
    ),
    "a footnote mark": re.compile(r"[⁰¹²³⁴⁵⁶⁷⁸⁹]"),
    "an internal id": re.compile(r"\b(?:chunk|doc|entity|fact|intent)[_-]?id\b|\b[0-9a-f]{12,}\b|\b[A-Z]+(?:_[A-Z]+){2,}\b", re.IGNORECASE),
    "a confidence or score": re.compile(
        r"\b(?:confidence|relevance|similarity)(?:\s+(?:score|level))?\s*(?:[:=]|is|of)\s*\d|\bуверенность\s*(?:[:=–-]\s*)?\d", re.IGNORECASE
    ),
    "advice to ask somebody else": re.compile(
        r"\b(?:ask|contact|reach out to)\s+(?:your|the|an?)\s+(?:(?:system|line|it)\s+)?(?:administrator|manager|team|support|expert)\b|"
        r"\b(?:уточните|спросите|обратитесь)\s+(?:у|к|в)\s", re.IGNORECASE
    ),
    "a needless denial": re.compile(
        r"\bno other (?:mentions?|information|references?)\b|\bнет других упоминаний|других упоминаний не\s+найдено|"
        r"\b(?:based on|according to) the (?:provided|given) (?:facts|context|documents)\b|\bas an ai\b", re.IGNORECASE
    ),
}  # fmt: skip


def residue_in(text: str, quotes: str = "") -> str | None:
    """Return what does not belong into an answer's words, or None when they are clean.

    Markers and markup never belong there; the rest does when the quotes say such a thing themselves.
    """
    found = (name for name, pattern in _RESIDUE.items() if pattern.search(text))
    own = (name for name, pattern in _OWN_WORDS.items() if pattern.search(text) and not pattern.search(quotes))
    return next(found, None) or next(own, None)
