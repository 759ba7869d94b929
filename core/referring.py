"""What a word that points back stands for where the question before it does not name it: what its answer told.

"Who leads Lantern?", "When did she join?": she is who the answer named. Only known entities that whoever reads here may
know are ever meant, and no word of an answer goes anywhere by this.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from core.answer import Answer
from core.asked import thing_asked
from core.asking import asked_for, parted
from core.conversation import Clarification, Reading
from core.entities import Entity, EntityMatch, resolve_entities
from core.followup import Carried, FollowUp, FollowUpDecision, Standalone
from core.kinds import is_kind
from core.leaning import without_expletives
from core.namesakes import with_parts
from core.plan import NO_KIND
from core.ports import Knowledge
from core.readings import called, in_place_of, label_of
from core.text import normalise

# Statements whose names are kept, and names of each.
_MOST_STATEMENTS, _MOST_NAMES = 12, 6
# More statements are a list, of which no one thing is spoken of.
_FEW = 2
_PERSON = "person"
# Nobody works, lives or goes "there".
_NO_PLACES = frozenset({_PERSON, "technology", NO_KIND})
# What "where?" is answered with before anything else.
_PLACES = frozenset(
    {"company", "office", "customer", "team", "department", "site", "city", "country", "place", "school"}
)
_WHERE = re.compile(r"^(?:\W*(?:and|а|и|но)\b)?\W*(?:where|где|куда|откуда)\b")


@dataclass(frozen=True, slots=True)
class _Word:
    """A kind of word that points back, and what it may stand for: things of these kinds, or of all but these."""

    pattern: re.Pattern[str]
    kinds: frozenset[str] = frozenset()
    no: frozenset[str] = frozenset()
    replaced: re.Pattern[str] | None = None

    def fits(self, entity: Entity, found: re.Match[str]) -> bool:
        """Return whether the thing may be meant by the word."""
        if noun := found.groupdict().get("kind"):
            return is_kind(noun, entity.type)
        return entity.type in self.kinds if self.kinds else entity.type not in self.no


_HE = re.compile(r"\b(?:he|she|him|his|her|hers)\b", re.IGNORECASE)
_ON = re.compile(r"\b(?:он|она|его|ее|ему|ей|ним|нем|ней|него|нее|нему)\b")
_IT = re.compile(r"\b(?:it|its|that one)\b", re.IGNORECASE)
# The name takes the place of some English words; elsewhere it might have to be declined.
_WORDS = (
    _Word(re.compile(r"\b(?:this|that|(?:эт|т)(?:от|а|о|ого|ой|ом|ому|у|им)|что (?:это )?за)\s+(?P<kind>\w{3,})\b")),
    _Word(_HE, kinds=frozenset({_PERSON}), replaced=_HE),
    _Word(re.compile(r"\b(?:there|там|туда|оттуда)\b"), no=_NO_PLACES),
    _Word(_IT, no=frozenset({_PERSON, NO_KIND}), replaced=_IT),
    _Word(re.compile(r"\b(?:он|она|оно|его|ее|ему|ей|ним|нем|ней|него|нее|нему|это)\b"), no=frozenset({NO_KIND})),
)


def told_in(answer: Answer, known: Knowledge) -> tuple[tuple[str, ...], ...]:
    """Return the known entities that each statement of the answer names, and at the end those whose pages it quotes."""
    if answer.is_refusal:
        return ()
    claims = answer.claims[:_MOST_STATEMENTS]
    sources = dict.fromkeys(citation.source for claim in claims for citation in claim.citations)
    pages = [entity.id for one in sources for entity in _named(str(one.title), known) if entity.page == one.doc_id]
    named = [[entity.id for entity in _named(claim.text, known)] for claim in claims]
    groups = (*named, pages)
    return tuple(tuple(dict.fromkeys(ids))[:_MOST_NAMES] for ids in groups) if any(groups) else ()


def readings_of_what_was_told(
    question: str, decision: FollowUpDecision, matches: Sequence[EntityMatch], known: Knowledge
) -> Clarification | None:
    """Return a reading for what a word that points back may mean, of what the answer before told and was asked.

    One alone where nothing that the question before names may be meant; none where the answer told none, or several.
    """
    if not isinstance(decision, FollowUp) or decision.own is not None or not decision.carried.told:
        return None
    folded = without_expletives(normalise(question))
    word, found = next(((one, at) for one in _WORDS if (at := one.pattern.search(folded))), (None, None))
    if word is None or found is None or any(word.fits(match.entity, found) for match in matches):
        return None
    carried = decision.carried
    asked = [one for one in _entities(_ids_of(carried, known), known) if word.fits(one, found)]
    kinds = _kinds_asked(carried, known)
    told = [one for one in _focus(carried, kinds, known) if word.fits(one, found)]
    if len(told) != 1 or told[0] in asked or (asked and not kinds):
        return None
    # Where a place was asked for, "there" is the one that was told.
    meant = (*told, *([] if kinds and word.no == _NO_PLACES else asked))
    return Clarification(
        "|".join(sorted(one.id for one in meant)),
        tuple(Reading(_said(one, question, word), label_of(one, meant, question), (one.id,)) for one in meant),
    )


def reading_of_the_only_person(
    question: str, decision: FollowUpDecision, matches: Sequence[EntityMatch], known: Knowledge
) -> Clarification | None:
    """Return the reading of a new question about "him" where the documents know one person alone."""
    if not isinstance(decision, Standalone) or matches or decision.rival or decision.unplanned:
        return None
    if not any(pattern.search(without_expletives(normalise(question))) for pattern in (_HE, _ON)):
        return None
    # Most documents know several people, the first of whom are soon found.
    people = list(islice((one for one in known.registry.entities.values() if one.type == _PERSON), 2))
    if len(people) != 1:
        return None
    [person] = people
    said = _said(person, question, _Word(_HE, replaced=_HE))
    return Clarification(person.id, (Reading(said, called(person, question), (person.id,)),))


def _said(entity: Entity, question: str, word: _Word) -> str:
    """Return the question with the name in it: in place of the word, or beside all, where it might be declined."""
    name, found = called(entity, question), word.replaced.search(question) if word.replaced else None
    if found is None:
        return f"{question.strip()} ({name})"
    return in_place_of(question, *found.span(), replace(entity, name=name))


def _focus(carried: Carried, kinds: frozenset[str] | None, known: Knowledge) -> list[Entity]:
    """Return what the earlier question asked for of all that its answer told; all of that where its words do not tell.

    Of several in one statement that is the first.
    """
    *statements, pages = [_entities(ids, known) for ids in carried.told]
    groups = [group for group in statements if group]
    # What a page is called is no thing that was spoken of, unless things of its kind were asked for.
    if kinds is None and len(statements) > _FEW:
        return []
    if kinds is None:
        return list(dict.fromkeys(one for group in groups for one in group))
    heads = [_first(group, kinds) for group in groups]
    return list(dict.fromkeys(filter(None, heads if any(heads) else [_first(pages, kinds)])))


def _first(group: Sequence[Entity], kinds: frozenset[str]) -> Entity | None:
    return next((one for one in group if one.type in kinds), None)


def _kinds_asked(carried: Carried, known: Knowledge) -> frozenset[str] | None:
    """Return the kinds of what was told that the earlier question asked for, None where its words do not tell."""
    own = parted(carried.question)[0]
    types = {one.type for ids in carried.told for one in _entities(ids, known)}
    if asked_for(own) == "person":
        return frozenset({_PERSON} & types)
    if _WHERE.search(normalise(own)):
        return frozenset(_PLACES & types)
    thing = thing_asked(own)
    return frozenset(one for one in types if is_kind(thing, one)) if thing else None


def _ids_of(carried: Carried, known: Knowledge) -> tuple[str, ...]:
    named = (entity.id for entity in _named(carried.question, known))
    return tuple(dict.fromkeys((*carried.entities, *named)))


def _entities(ids: Sequence[str], known: Knowledge) -> list[Entity]:
    return [known.registry.entities[id_] for id_ in ids if id_ in known.registry.entities]


def _named(text: str, known: Knowledge) -> Iterator[Entity]:
    found = resolve_entities(text, known.registry, typos=False)
    return (match.entity for match in with_parts(text, found, known.registry, known.namesakes))
