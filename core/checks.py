"""What a paraphrase may not do: each check compares its words with those behind it and says in words what is wrong."""

import re
from collections.abc import Callable

from core.hygiene import residue_in
from core.proof import asked
from core.proof.actors import doubt_of_actors
from core.proof.backing import Backing
from core.proof.changing import fault_of_changing
from core.proof.commands import fault_of_commands
from core.proof.comparing import doubt_of_comparing, fault_of_comparing
from core.proof.conditions import doubt_of_conditions
from core.proof.contrary import doubt_of_denials
from core.proof.coverage import fault_of_coverage, fault_of_substitution
from core.proof.denials import clauses, denials
from core.proof.extent import doubt_of_extent
from core.proof.following import doubt_of_following
from core.proof.formerly import doubt_of_time_past
from core.proof.frames import doubt_of_frames
from core.proof.gapped import doubt_of_gaps
from core.proof.heads import doubt_of_heads
from core.proof.hedges import doubt_of_hedges
from core.proof.included import doubt_of_including
from core.proof.joined import doubt_of_joining
from core.proof.labels import doubt_of_labels
from core.proof.modes import says_the_same
from core.proof.names import fault_of_names
from core.proof.negation import fault_of_negation
from core.proof.owning import doubt_of_owning
from core.proof.particles import doubt_of_particles
from core.proof.predicates import doubt_of_predicates
from core.proof.quantifiers import fault_of_binding, fault_of_reach
from core.proof.relations import doubt_of_relations
from core.proof.scope import doubt_of_scope
from core.proof.subjects import fault_of_roles
from core.proof.tense import doubt_of_tense
from core.proof.told import fault_of_telling
from core.proof.turned import doubt_of_turning
from core.proof.twins import doubt_of_twins
from core.proof.values import fault_of_values
from core.proof.voices import fault_of_voice
from core.proof.whose import doubt_of_whose
from core.proof.within import doubt_of_sides
from core.proof.words import read

# A host without a scheme becomes a link on both platforms; @somebody is told.
_LINK = re.compile(
    r"\b\w{2,20}://\S+|\bwww\.\S+|[^\s@]{1,64}@[^\s@]{1,190}\.\w+|(?<!\w)@\w+"
    r"|(?<![\w.@/-])\w[\w-]{0,62}(?:\.[\w-]{1,63}){0,6}\.[^\W\d_]{2,24}\b(?:/\S*)?"
)

# Each clause is held against each of its quotes; whoever says more at once makes no statement that anybody could check.
_MOST_CLAUSES = 150


def fault_of(text: str, backing: Backing) -> str | None:
    """Return what is wrong with a claim, or None when its backing holds it."""
    for check in _CHECKS:
        if fault := check(text, backing):
            return fault
    return None


def doubt_of(text: str, backing: Backing) -> str | None:
    """Return why a claim that has no fault is less sure than its quote, or None.

    It may be true for all that, in words that no list knows for the same: its quote is the safer answer.
    """
    for check in _DOUBTS:
        if doubt := check(text, backing):
            return doubt
    return None


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
    said = read(text)
    says = any(word.kind != "sign" for word in said.content) or any(word.kind == "number" for word in said.words)
    return None if says else "it says nothing"


def _endless(text: str, _: Backing) -> str | None:
    said = len(clauses(read(text)))
    return f"it says {said} things at once" if said > _MOST_CLAUSES else None


def _links(text: str, backing: Backing) -> str | None:
    held = f"{backing.quotes}\n{backing.around}".casefold()
    alien = next((link for link in _LINK.findall(text) if link.rstrip('.,;:!?)»”"').casefold() not in held), None)
    return f"“{alien}” does not stand in its quotes" if alien else None


def _reach(text: str, backing: Backing) -> str | None:
    claim = read(text)
    if fault := fault_of_reach(claim, backing.quoted, backing.known):
        return fault
    fault = fault_of_binding(claim, backing.quoted)
    return None if fault and says_the_same(claim, backing) else fault


_CHECKS: tuple[Callable[[str, Backing], str | None], ...] = (
    _residue,
    _empty,
    _endless,
    _links,
    fault_of_commands,
    fault_of_values,
    fault_of_names,
    fault_of_negation,
    fault_of_telling,
    _reach,
    fault_of_roles,
    fault_of_voice,
    fault_of_comparing,
    fault_of_changing,
    fault_of_substitution,
    fault_of_coverage,
)

_DOUBTS: tuple[Callable[[str, Backing], str | None], ...] = (
    asked.doubt_of,
    doubt_of_whose,
    doubt_of_conditions,
    doubt_of_tense,
    doubt_of_relations,
    doubt_of_particles,
    doubt_of_denials,
    doubt_of_actors,
    doubt_of_heads,
    doubt_of_comparing,
    doubt_of_following,
    doubt_of_frames,
    doubt_of_hedges,
    doubt_of_scope,
    doubt_of_extent,
    doubt_of_predicates,
    doubt_of_joining,
    doubt_of_turning,
    doubt_of_including,
    doubt_of_owning,
    doubt_of_time_past,
    doubt_of_sides,
    doubt_of_twins,
    doubt_of_labels,
    doubt_of_gaps,
)
