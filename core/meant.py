"""Which names a question was taken to mean beyond its own words, and what they tell of closed documents."""

from collections.abc import Iterator
from dataclasses import replace

from core.entities import resolve_entities
from core.followup import FollowUp, FollowUpDecision, Standalone, Unclear
from core.ports import Knowledge
from core.turn import TurnRecord


def with_names_meant(record: TurnRecord, knowledge: Knowledge) -> TurnRecord:
    """Return the record with the names that stand in how its question was read, and the closed documents they are of.

    Whoever may not read these is neither told how the question was read, nor has it carried into a question of theirs.
    Only names that the asker knows count: nothing depends on whether what they typed is somebody's name.
    """
    audience = record.question.audience
    if not knowledge.closed:
        return record
    known = knowledge.registry.entities
    ids = [id_ for id_ in dict.fromkeys(_meant(record.decision, record.question.text, knowledge)) if id_ in known]
    pages = filter(None, (known[id_].page for id_ in ids))
    closed = (page for page in pages if page in knowledge.closed and audience.may_read(knowledge.closed[page]))
    names = {id_: known[id_].name for id_ in ids} | dict(record.legend.names)
    return replace(record, legend=replace(record.legend, names=names, closed=frozenset(closed)))


def _meant(decision: FollowUpDecision, typed: str, knowledge: Knowledge) -> Iterator[str]:
    match decision:
        case Standalone(means=means):
            yield from means
        case FollowUp(carried=carried):
            yield from carried.entities
        case Unclear(clarification=clarification):
            yield from (id_ for reading in clarification.readings for id_ in reading.entities)
    for text in _read_as(decision):
        if text != typed:
            yield from (match.entity.id for match in resolve_entities(text, knowledge.registry, typos=False))


def _read_as(decision: FollowUpDecision) -> Iterator[str]:
    """Yield the texts by which the question was understood, and told to be."""
    yield from (decision.question, decision.because)
    match decision:
        case FollowUp(carried=carried):
            yield carried.question
        case Unclear(clarification=clarification):
            yield from (text for reading in clarification.readings for text in (reading.question, reading.label))
        case _:
            pass
