"""What a paraphrase may not do: each check compares its words with those behind it and says in words what is wrong."""

import re
from collections.abc import Callable

from core.hygiene import residue_in
from core.proof.backing import Backing
from core.proof.coverage import fault_of_coverage, fault_of_substitution
from core.proof.denials import denials
from core.proof.names import fault_of_names
from core.proof.negation import fault_of_negation
from core.proof.quantifiers import fault_of_reach
from core.proof.subjects import fault_of_roles
from core.proof.told import fault_of_telling
from core.proof.values import fault_of_values
from core.proof.words import read
from core.text import terms

# A host without a scheme becomes a link on both platforms; @somebody is told.
_LINK = re.compile(
    r"\b\w{2,20}://\S+|\bwww\.\S+|[^\s@]{1,64}@[^\s@]{1,190}\.\w+|(?<!\w)@\w+"
    r"|(?<![\w.@/-])\w[\w-]{0,62}(?:\.[\w-]{1,63}){0,6}\.[^\W\d_]{2,24}\b(?:/\S*)?"
)


def fault_of(text: str, backing: Backing) -> str | None:
    """Return what is wrong with a claim, or None when its backing holds it."""
    return next(filter(None, (check(text, backing) for check in _CHECKS)), None)


def fault_of_form(text: str, quotes: str) -> str | None:
    """Return what technical thing the text holds that may never be shown."""
    found = residue_in(text, quotes)
    return f"it holds {found}" if found else None


def has_link(text: str) -> bool:
    """Return whether anything in the text would become a link or a mention."""
    return _LINK.search(text) is not None


def denies(text: str) -> bool:
    """Return whether the text says that something is not so."""
    return bool(denials(read(text)))


def _residue(text: str, backing: Backing) -> str | None:
    return fault_of_form(text, backing.quotes)


def _empty(text: str, _: Backing) -> str | None:
    return None if terms(text) or re.search(r"\d", text) else "it says nothing"


def _links(text: str, backing: Backing) -> str | None:
    held = f"{backing.quotes}\n{backing.around}".casefold()
    alien = next((link for link in _LINK.findall(text) if link.rstrip('.,;:!?)»”"').casefold() not in held), None)
    return f"“{alien}” does not stand in its quotes" if alien else None


def _reach(text: str, backing: Backing) -> str | None:
    return fault_of_reach(read(text), backing.quoted, backing.known)


_CHECKS: tuple[Callable[[str, Backing], str | None], ...] = (
    _residue,
    _empty,
    _links,
    fault_of_values,
    fault_of_names,
    fault_of_negation,
    fault_of_telling,
    _reach,
    fault_of_roles,
    fault_of_substitution,
    fault_of_coverage,
)
