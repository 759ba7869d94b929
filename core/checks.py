"""What a paraphrase may not do: each check compares its words with those behind it and says in words what is wrong."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from core.amounts import alien_bound, alien_date, alien_number, is_date, without_bounds
from core.hygiene import residue_in
from core.text import all_terms, language_of, normalise, sentences, terms, words

# Share of a sentence's content words that its quotes, what stands around them and the question must hold, and how many
# in a row they need not hold.
MIN_COVERAGE = 0.6
_MAX_RUN = 3
# Share of them that the documents alone must hold: it is not proven because somebody asked it.
MIN_FOUNDED = 0.3

_NAME = re.compile(
    r"(?<![.!?…:»”\"]\s)(?<!^)\b[A-ZА-ЯЁ][\w-]+|\b[A-Za-z]{1,60}[\d_][\w-]*|\b[A-ZА-ЯЁ]{2,}\b", re.UNICODE
)
_FULL_NAME = re.compile(r"\b[A-ZА-ЯЁ][\w-]{1,60}(?= [A-ZА-ЯЁ]\w)")
_OPENING = re.compile(r"(?:^|(?<=[.!?…:»”\"]\s))[\"“«(]?([A-ZА-ЯЁ][\w-]+)")
# A host without a scheme becomes a link on both platforms; @somebody is told.
_LINK = re.compile(
    r"\b\w{2,20}://\S+|\bwww\.\S+|[^\s@]{1,64}@[^\s@]{1,190}\.\w+|(?<!\w)@\w+"
    r"|(?<![\w.@/-])\w[\w-]{0,62}(?:\.[\w-]{1,63}){0,6}\.[^\W\d_]{2,24}\b(?:/\S*)?"
)
_NEGATION = re.compile(
    r"\b(?:not|no|never|none|nobody|nothing|neither|nor|nowhere|without|cannot|forbidden|prohibited|impossible"
    r"|не|нет|ни|никогда|никто|никого|никому|ничто|ничего|нигде|никак(?:ой|ая|ое|ие|их|ого)?|без|нельзя"
    r"|запрещен\w*|запрещает\w*|недопустим\w*|невозможн\w*)\b|n[’']t\b"
)
_CLAUSE = re.compile(
    r"[;:()]|\s[—–-]\s|(?<=[.!?])\s"
    r"|,\s(?=(?:but|and|so|which|while|although|unless|except|а|но|и|что|чтобы|хотя|если|кроме|котор\w+)\b)"
    r"|\s(?=(?:without|без|и не)\s)|\s(?=and (?:is|are|was|were|does|do|did|has|have|had|may|can|must|will|should)\b)"
)
_CONDITION = re.compile(r"(\b(?:if|when|unless|если|когда)\b[^,;]{1,120}),")


@dataclass(frozen=True, slots=True)
class Backing:
    """The words behind a claim: its quotes, what they stand under (title, headings, introduction), and the question.

    `names` are the stems of words known to be names, whatever they open.
    """

    quotes: str
    around: str
    question: str
    names: frozenset[str] = frozenset()

    @property
    def known(self) -> str:
        """The quotes with what they stand under."""
        return f"{self.quotes}\n{self.around}"

    @property
    def all(self) -> str:
        """Everything that a claim may take its words from."""
        return f"{self.known}\n{self.question}"


def fault_of(text: str, backing: Backing) -> str | None:
    """Return what is wrong with a claim, or None when its backing holds it."""
    return next(filter(None, (check(text, backing) for check in _CHECKS)), None)


def is_founded(text: str, backing: Backing) -> bool:
    """Return whether each sentence rests on the documents too, and does not only repeat the question."""
    held = set(terms(backing.known))
    found = [_found(text[start:end], held) for start, end in sentences(text)]
    return all(sum(own) >= MIN_FOUNDED * len(own) for own in found)


def has_link(text: str) -> bool:
    """Return whether anything in the text would become a link or a mention."""
    return _LINK.search(text) is not None


def denies(text: str) -> bool:
    """Return whether the text says that something is not so."""
    return _NEGATION.search(without_bounds(normalise(text))) is not None


def names_in(texts: Iterable[str]) -> frozenset[str]:
    """Return the stems of the words that the texts write as names and never as plain words."""
    found: set[str] = set()
    plain: set[str] = set()
    for text in texts:
        found |= set(all_terms(" ".join(_NAME.findall(text) + _FULL_NAME.findall(text))))
        plain |= set(all_terms(" ".join(word for word in words(text) if word.islower())))
    return frozenset(found - plain)


def _residue(text: str, backing: Backing) -> str | None:
    found = residue_in(text, backing.quotes)
    return f"it holds {found}" if found else None


def _empty(text: str, _: Backing) -> str | None:
    return None if terms(text) or re.search(r"\d", text) else "it says nothing"


def _links(text: str, backing: Backing) -> str | None:
    held = backing.known.casefold()
    alien = next((link for link in _LINK.findall(text) if link.rstrip('.,;:!?)»”"').casefold() not in held), None)
    return f"“{alien}” does not stand in its quotes" if alien else None


def _numbers(text: str, backing: Backing) -> str | None:
    """Numbers come from the documents: that the question supposes one proves nothing."""
    if alien := alien_number(text, backing.known):
        return f"the number {alien} does not stand in its quotes"
    if alien := alien_date(text, backing.known):
        return f"the date “{alien}” does not stand in its quotes"
    if alien := alien_bound(text, backing.known):
        return f"its quotes do not say “at {alien}”"
    return None


def _names(text: str, backing: Backing) -> str | None:
    held = set(all_terms(backing.all))
    alien = (name for name in _named(text, backing) if not set(all_terms(name)) <= held and not is_date(name))
    return next((f"the name “{name}” does not stand in its quotes" for name in alien), None)


def _named(text: str, backing: Backing) -> Iterator[str]:
    """Yield the words that are names: by their capital, or, where a sentence opens, by what else is known."""
    yield from _NAME.findall(text)
    russian = language_of(text) == "ru"
    for word in _OPENING.findall(text):
        if set(all_terms(word)) <= backing.names or (russian and word.isascii()):
            yield word


def _negation(text: str, backing: Backing) -> str | None:
    if denies(text):
        return None if denies(backing.known) else "it denies something that its quotes do not deny"
    said = set(terms(text))
    if said & _only_denied(backing.quotes):
        return "its quotes deny something and it does not"
    # Under “What we do not pay”, a claim that says more than the item itself has turned it round.
    if denies(backing.around) and not denies(backing.question) and not said <= set(terms(backing.quotes)):
        return "what its quotes stand under denies something and it does not"
    return None


def _only_denied(text: str) -> set[str]:
    """Return the terms of the clauses that deny something, without those that other clauses state."""
    clauses = _CLAUSE.split(_CONDITION.sub(r"\1;", without_bounds(normalise(text))))
    denying = {term for clause in clauses if _NEGATION.search(clause) for term in terms(clause)}
    stating = {term for clause in clauses if not _NEGATION.search(clause) for term in terms(clause)}
    return denying - stating


def _coverage(text: str, backing: Backing) -> str | None:
    """Each sentence must be covered, so that a foreign one cannot hide among good ones."""
    held = set(terms(backing.all))
    found = (_covered(text[start:end], held) for start, end in sentences(text))
    return None if all(found) else "it says more than its quotes"


def _covered(sentence: str, held: set[str]) -> bool:
    own = _found(sentence, held)
    run = longest = 0
    for known in own:
        run = 0 if known else run + 1
        longest = max(longest, run)
    return not own or (sum(own) / len(own) >= MIN_COVERAGE and longest < _MAX_RUN)


def _found(sentence: str, held: set[str]) -> list[bool]:
    """Return for each content word of the sentence whether it is among those held."""
    return [any(term in held for term in terms(word)) for word in words(sentence) if terms(word)]


_CHECKS: tuple[Callable[[str, Backing], str | None], ...] = (
    _residue,
    _empty,
    _links,
    _numbers,
    _names,
    _negation,
    _coverage,
)
