"""The readings of a question: by a name that several go by, by a pronoun, and by whether it leans on the last turn."""

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from core.asking import parted
from core.conversation import Clarification, Reading, Thread, Turn
from core.entities import Entity, EntityMatch, Registry, resolve_entities
from core.followup import FollowUp, FollowUpDecision, Standalone
from core.kinds import is_kind, word_for
from core.namesakes import Shared, shared_names
from core.phrases import DEFAULT, phrase
from core.ports import Knowledge
from core.text import Language, all_terms, language_of, normalise, words

# So many are looked at: of more, nobody would be offered the rest.
_MOST_CANDIDATES = 6
# Right before a name they ask for all of them at once: "every Dmitry", "both Dmitrys", "какие у нас есть Дмитрии".
_ALL = re.compile(
    r"\b(?:all|both|every|each|which|any|все|всех|всем|всеми|оба|обе|об[ое](?:их|им|ими)|кажд\w+|каки\w+|котор\w+)"
    r"(?:(?: of| из)? (?:the|our|these|those|у нас|у вас|есть|здесь|наши\w?|эти\w?))* $"
)
# So does a name that is said of several: "the Dmitrys", "Дмитриям".
_SEVERAL = re.compile(r"s$|[ая](?:м|ми|х)$")
# What stands between a name and the word for what it is: "the project Alor", "this project is Alor".
_IS = frozenset({"is", "was", "called", "named", "это"})
_HE = re.compile(r"\b(?:he|she|him|his|her|hers)\b", re.IGNORECASE)
_IT = re.compile(r"\b(?:it|its|(?:this|that) one)\b", re.IGNORECASE)
_ON = re.compile(r"\b(?:он|она|оно|его|е[её]|ему|ей|ним|н[её]м|ней|него|не[её])\b", re.IGNORECASE)
_OF_A_KIND = re.compile(
    r"\b(?:this|that|the|(?:эт|т)(?:от|а|о|ого|ой|ом|ему|у|им|ой|от))\s+(?P<kind>\w{3,})\b", re.IGNORECASE
)
_POSSESSIVE = frozenset({"his", "her", "its"})


def readings_of_a_name(decision: FollowUpDecision, thread: Thread, known: Knowledge) -> Clarification | None:
    """Return a reading for each entity that goes by a name in the question; one alone if thread or words choose it."""
    text = decision.question
    matches = resolve_entities(text, known.registry)
    shared = shared_names(text, matches, known.namesakes)
    if len({one.name for one in shared}) != 1:
        return None
    name = shared[0]
    written = text[name.start : name.end]
    candidates = [known.registry.entities[id_] for id_ in name.ids if id_ in known.registry.entities]
    if any(_asks_for_all(text, one, candidates) for one in shared):
        return None
    meant = _said_besides(candidates, text, name, matches) or _of_the_kind(candidates, text, name)
    meant = meant or _of_the_thread(candidates, name, thread, known) or candidates
    kept = _kept(decision)
    return Clarification(
        name.name,
        tuple(
            Reading(
                _said_in_full(text, name, one, candidates, known.registry),
                label_of(one, candidates, text, written),
                (one.id, *kept),
            )
            for one in meant[:_MOST_CANDIDATES]
        ),
    )


def reading_of_all(decision: FollowUpDecision, found: Clarification, known: Knowledge) -> Reading | None:
    """Return the question asked of all that go by the name in it: of people, whose names in full tell them apart.

    Where names do not, as of two things called alike, there is none.
    """
    text = decision.question
    name = next((one for one in shared_names(text, (), known.namesakes) if one.name == found.about), None)
    if name is None:
        return None
    everyone = [known.registry.entities[reading.entities[0]] for reading in found.readings]
    said = ", ".join(called(one, text, text[name.start : name.end]) for one in everyone)
    whole = f"{text[: name.end]} ({said}){text[name.end :]}"
    named = {match.entity.id for match in resolve_entities(whole, known.registry)}
    ids = tuple(one.id for one in everyone)
    return Reading(whole, said, (*ids, *_kept(decision))) if named.issuperset(ids) else None


def readings_of_a_pronoun(
    question: str, decision: FollowUpDecision, matches: tuple[EntityMatch, ...], known: Knowledge
) -> Clarification | None:
    """Return a reading for each of several entities of the turn it leans on that "he" or "this project" may mean."""
    if not isinstance(decision, FollowUp) or matches:
        return None
    entities = _entities_of(decision.carried.question, decision.carried.entities, known.registry)
    pointing = _pointing(question, entities)
    if pointing is None:
        return None
    return Clarification(
        "|".join(sorted(one.id for one in pointing.candidates)),
        tuple(
            Reading(pointing.said_of(one, question), label_of(one, pointing.candidates, question), (one.id,))
            for one in pointing.candidates[:_MOST_CANDIDATES]
        ),
    )


def readings_of_a_turn(decision: FollowUpDecision, language: Language) -> Clarification | None:
    """Return the question by itself and the question that leans on the turn before, if the signs hardly tell."""
    match decision:
        case Standalone(rival=FollowUp() as other) as own:
            return _either(own, other, language)
        case FollowUp(rival=Standalone() as own) as other:
            return _either(own, other, language)
    return None


def _either(own: Standalone, other: FollowUp, language: Language) -> Clarification:
    going_on = phrase("reading_goes_on", language, question=other.carried.question.strip())
    readings = (
        Reading(own.question, phrase("reading_alone", language)),
        Reading(other.question, going_on, other.carried.entities),
    )
    return Clarification(" ".join(all_terms(other.carried.question)), readings)


@dataclass(frozen=True, slots=True)
class _Pointing:
    """A word of a question that points back, and what it may stand for."""

    start: int
    end: int
    candidates: list[Entity]
    language: Language

    def said_of(self, entity: Entity, question: str) -> str:
        """Return the question with the name: beside it but in English, where the name might have to be declined."""
        if self.language != DEFAULT:
            return f"{question.strip()} ({called(entity, question)})"
        return in_place_of(question, self.start, self.end, entity)


def in_place_of(question: str, start: int, end: int, entity: Entity) -> str:
    """Return the English question with the entity's name in place of a word that points back."""
    word = question[start:end].lower()
    owns = word in _POSSESSIVE and (word != "her" or question[end:].lstrip()[:1].isalpha())
    return f"{question[:start]}{entity.name}{'’s' if owns else ''}{question[end:]}".strip()


def _pointing(question: str, entities: Collection[Entity]) -> _Pointing | None:
    language = language_of(question)
    for found in _OF_A_KIND.finditer(question):
        alike = [one for one in entities if is_kind(found["kind"], one.type)]
        if len(alike) > 1:
            return _Pointing(found.start(), found.end(), alike, language)
    for pattern, fits in _PRONOUNS:
        found_word = pattern.search(question)
        alike = _of_one_type([one for one in entities if fits(one.type)])
        if found_word and len(alike) > 1:
            return _Pointing(found_word.start(), found_word.end(), alike, language)
    return None


_PRONOUNS = (
    (_HE, lambda kind: kind == "person"),
    (_IT, lambda kind: kind != "person"),
    (_ON, lambda _: True),
)


def _of_one_type(entities: Iterable[Entity]) -> list[Entity]:
    """Return the entities of the only type of which there are several."""
    alike: dict[str, list[Entity]] = {}
    for one in entities:
        alike.setdefault(one.type, []).append(one)
    several = [those for those in alike.values() if len(those) > 1]
    return several[0] if len(several) == 1 else []


def _asks_for_all(text: str, name: Shared, candidates: Iterable[Entity]) -> bool:
    """Return whether the question asks for all that go by the name, and not for something of one of them."""
    said = words(normalise(text[name.start : name.end]))[-1]
    own = {word for one in candidates for known in one.names for word in words(normalise(known))}
    several = _SEVERAL.search(said) is not None and said not in own
    return several or _ALL.search(f"{normalise(text[: name.start]).rstrip()} ") is not None


def _said_besides(candidates: list[Entity], text: str, name: Shared, matches: Iterable[EntityMatch]) -> list[Entity]:
    """Return the only candidate that the message names in full, of an earlier question's name, or the other way round.

    So "Dmitry Petrov" says who was meant by "Dmitry" before; within one question they may be two people.
    """
    own = len(parted(text)[0])
    other = {one.entity.id for one in matches if (one.start < own) != (name.start < own)}
    named = [one for one in candidates if one.id in other]
    return named if len(named) == 1 else []


def _of_the_kind(candidates: list[Entity], text: str, name: Shared) -> list[Entity]:
    """Return the only candidate whose kind the question says beside the name: "the project ALOR".

    Elsewhere the word says what is asked for: "Which projects does ALOR pay for?".
    """
    before = [word for word in words(text[: name.start]) if normalise(word) not in _IS][-1:]
    beside = (*before, *words(text[name.end :])[:1])
    named = [one for one in candidates if any(is_kind(word, one.type) for word in beside)]
    return named if len(named) == 1 else []


def _of_the_thread(candidates: list[Entity], name: Shared, thread: Thread, known: Knowledge) -> list[Entity]:
    """Return the only candidate that the last turn was about; else of the latest turn since it was asked who is meant.

    A choice holds for all that comes behind it, whatever else is talked of in between.
    """
    last = thread.answers or thread.last
    asked = next((n for n, turn in enumerate(thread.offered) if turn.unclear and turn.unclear.about == name.name), None)
    since = thread.offered[asked:] if asked is not None else ()
    readings = since[0].unclear.readings if since and since[0].unclear else ()
    offered = {reading.question: reading.entities[:1] for reading in readings}
    for turn in (*((last,) if last else ()), *reversed(since)):
        about = {*(offered.get(turn.standalone) or _surely_about(turn, known))}
        if named := [one for one in candidates if one.id in about]:
            return named if len(named) == 1 else []
    return []


def _surely_about(turn: Turn, known: Knowledge) -> set[str]:
    """Return the entities of the turn, but for those that only a name of several in its words stands for."""
    matches = resolve_entities(turn.standalone, known.registry)
    doubtful = shared_names(turn.standalone, matches, known.namesakes)
    rivals = {id_ for one in doubtful for id_ in one.ids}
    named = (one.entity.id for one in matches if all(one.end <= at.start or at.end <= one.start for at in doubtful))
    return {*named, *(id_ for id_ in turn.entities if id_ not in rivals)}


def _entities_of(asked: str, entities: tuple[str, ...], registry: Registry) -> list[Entity]:
    named = (match.entity.id for match in resolve_entities(asked, registry))
    known = dict.fromkeys((*entities, *named))
    return [registry.entities[id_] for id_ in known if id_ in registry.entities]


def _said_in_full(text: str, name: Shared, entity: Entity, others: Collection[Entity], registry: Registry) -> str:
    """Return the question with the entity's whole name: in place of its part, or beside a declined form of it.

    Where another one goes by that name too, its kind stands with it.
    """
    written = text[name.start : name.end]
    known = called(entity, text, written)
    resolved = [match.entity.id for match in resolve_entities(known, registry)]
    alone = resolved == [entity.id] and not any(_goes_by(known, one) for one in others if one.id != entity.id)
    whole = known if alone else f"{known} ({word_for(entity.type, language_of(text))})"
    if set(normalise(written).split()) <= set(normalise(known).split()):
        return f"{text[: name.start]}{whole}{text[name.end :]}"
    return f"{text[: name.end]} ({whole}){text[name.end :]}"


def called(entity: Entity, text: str, written: str = "") -> str:
    """Return the entity's name in the alphabet of the question if it has one, at best one with the written words."""
    wanted, language = set(all_terms(written)), language_of(text)
    alike = [name for name in entity.names if language_of(name) == language]
    holding = [name for name in entity.names if wanted and wanted < set(all_terms(name))]
    return next((name for name in (*holding, *alike) if name in alike), entity.name)


def _goes_by(name: str, entity: Entity) -> bool:
    return normalise(name) in map(normalise, entity.names)


def label_of(entity: Entity, others: Collection[Entity], text: str, written: str = "") -> str:
    """Return the entity's name, with its kind where the others are of another."""
    known = called(entity, text, written)
    if len({one.type for one in others}) == 1:
        return known
    return f"{known} ({word_for(entity.type, language_of(text))})"


def _kept(decision: FollowUpDecision) -> tuple[str, ...]:
    return decision.carried.entities if isinstance(decision, FollowUp) else ()
