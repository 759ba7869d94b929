"""A follow-up that names another thing of a kind: the new name takes the place of the old one ("And Kafka?")."""

from collections.abc import Sequence
from dataclasses import replace

from core.asked import read_question
from core.conversation import Question
from core.entities import EntityMatch, resolve_entities
from core.followup import Carried, FollowUp, in_full
from core.leaning import signs_of
from core.planner import NO_KIND, askable
from core.ports import Knowledge


def with_new_name(
    decision: FollowUp, question: Question, matches: tuple[EntityMatch, ...], known: Knowledge
) -> FollowUp:
    """Return the follow-up with its name in the question that it carries on, where that names one other of the kind.

    "Where was Redis used?", "And Kafka?" asks where Kafka was used, and no longer of Redis. Nothing changes when it
    compares or leaves something out, when a word of it stands for what was named before, or when a model has read it.
    """
    new, old = (askable(found, known.intents) for found in (matches, _named(decision.carried.question, known)))
    replaced = [match for match in old if _name_for(match, new, old)]
    if not replaced or decision.question != in_full(question.text, decision.carried.question):
        return decision
    signs = signs_of(question.text, [_written(match, question.text) for match in new])
    form = read_question(decision.question, askable(_named(decision.question, known), known.intents), question.asked_at)
    if signs.stands or signs.stands_after or form.compares or form.exclude or form.without:
        return decision
    full = decision.carried.question
    for match in reversed(replaced):
        full = f"{full[: match.start]}{_name_for(match, new, old)}{full[match.end :]}"
    gone = {match.entity.id for match in replaced}
    carried = Carried(decision.carried.question, tuple(id_ for id_ in decision.carried.entities if id_ not in gone))
    return replace(
        decision, question=in_full(question.text, full), carried=carried, instead=full if signs.bare else None
    )


def _named(text: str, known: Knowledge) -> tuple[EntityMatch, ...]:
    return resolve_entities(text, known.registry)


def _written(match: EntityMatch, text: str) -> str:
    return text[match.start : match.end]


def _name_for(match: EntityMatch, new: Sequence[EntityMatch], old: Sequence[EntityMatch]) -> str | None:
    """Return the name that takes the place of an earlier one: the only new one of its kind, for the only old one."""
    kind = match.entity.type
    before, now = ({one.entity.id: one.entity for one in found if one.entity.type == kind} for found in (old, new))
    if kind == NO_KIND or len(before) != 1 or len(now) != 1 or before.keys() == now.keys():
        return None
    return next(iter(now.values())).name
