"""The “yes” or “no” before a claim: it is kept only where the claim itself answers the question with it."""

import re

from core.asking import is_polar
from core.proof.backing import held_of
from core.proof.conditions import without_conditions
from core.proof.denials import REPLY, clauses, denials, is_denying, is_negated
from core.proof.opposites import opposites
from core.proof.quantifiers import reach
from core.proof.words import Reading, read

_NO = re.compile(r"^(?:no|nope|нет)\b", re.IGNORECASE)
_JOINED = re.compile(r"^(?:but|and|но|а|и)\s+", re.IGNORECASE)
_EITHER = re.compile(r"\b(?:or|или)\b")
# What of the question's words a claim must hold to be its answer: all of two, two of three.
_ANSWERS = 0.6
_WITHOUT = frozenset("without без".split())


def replying(text: str, question: str) -> tuple[str, str]:
    """Return what of a claim is to be proven, and as what it is shown then.

    These are the claim without its “yes” or “no”, and the same unless the words behind it bear that out. A claim that
    repeats the question in front of its answer is shown without.
    """
    text = _behind(text, question)
    found = REPLY.match(text)
    rest = text[found.end() :].strip() if found else ""
    if not found or not rest:
        return text, text
    plain = _JOINED.sub("", rest)
    plain = plain[:1].upper() + plain[1:]
    affirms = not _NO.match(text)
    return plain, text if affirms is answered_by(plain, question) else plain


def _behind(text: str, question: str) -> str:
    """Return what a claim says behind the question, where it repeats that word by word first: “Who leads it? – Ines”."""
    asked = question.strip().rstrip("?!. ")
    if not asked or not text.lower().startswith(asked.lower()):
        return text
    rest = text[len(asked) :]
    return rest.lstrip(" ?-–—:") if rest.startswith("?") and rest.strip(" ?-–—:") else text


def answered_by(text: str, question: str) -> bool | None:
    """Return whether a statement says yes to a question, or no; None where its words do not tell."""
    asked, said = read(question), read(text)
    if not is_polar(question) or _EITHER.search(asked.low):
        return None
    held = held_of(said.stems)
    words = [word for word in asked.words if word.says]
    known = [word for word in words if held.holds(word) or held.opposes(word)]
    if not words or len(known) < _ANSWERS * len(words) or len(words) - len(known) > 1:
        return None
    if any(word not in known and (word.kind != "word" or (word.capital and not word.opens)) for word in words):
        return None
    if (reach(asked) - reach(said)) & {"all", "only", "most"}:
        return None
    return _denials_of(asked) % 2 == (_denials_of(said) + _opposed(said, asked)) % 2


def _denials_of(reading: Reading) -> int:
    """Return how often what is said first is denied: a condition of it, or an exception from it, denies nothing."""
    main = read(without_conditions(reading).strip(" ,;"))
    first = next((one.number for one in clauses(main) if not one.conditional), None)
    return sum(1 for one in denials(main) if one.clause == first and one.word not in _WITHOUT)


def _opposed(said: Reading, asked: Reading) -> int:
    """Return how many words of the question stand in the statement only as their opposites: open, and closed.

    One that denies by itself, such as “forbidden”, has been counted as a denial.
    """
    plain = frozenset(word.stem for word in said.words if not is_denying(word.low))
    asked_for = [word.stem for word in asked.words if word.says and word.stem not in said.stems]
    return sum(1 for stem in asked_for if opposites(stem) & plain or any(_negates(stem, one) for one in plain))


def _negates(one: str, other: str) -> bool:
    return is_negated(one, other) or is_negated(other, one)
