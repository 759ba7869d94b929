"""A follow-up that names another thing of a kind: the new name takes the place of the old one ("And Kafka?")."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from core.asked import read_question
from core.asking import parted
from core.conversation import Question
from core.entities import EntityMatch, resolve_entities, unknown_names
from core.followup import Carried, FollowUp, in_full
from core.leaning import points_back, signs_of, without_opening
from core.namesakes import with_parts
from core.plan import NO_KIND
from core.planner import askable
from core.ports import Knowledge
from core.shortening import is_name
from core.text import normalise, terms


def with_new_name(
    decision: FollowUp, question: Question, matches: tuple[EntityMatch, ...], known: Knowledge
) -> FollowUp:
    """Return the follow-up with its name in the question that it carries on, where that names one other of the kind.

    "Where was Redis used?", "And Kafka?" asks where Kafka was used, and no longer of Redis. Nothing changes when it
    compares or leaves something out, when a word of it stands for what was named before, or when a model has read it.
    """
    meant = _but_for_denied(question.text, matches)
    new, old = (askable(found, known.intents) for found in (meant, _named(decision.carried.question, known)))
    if len(meant) < len(matches) and decision.question == in_full(question.text, decision.carried.question):
        # "Not Redis but Kafka": what is denied is neither asked of nor left out.
        words = question.text[meant[0].start :]
        question = replace(question, text=words)
        decision = replace(decision, question=in_full(words, decision.carried.question))
    replaced = [match for match in old if _name_for(match, new, old)]
    if decision.question != in_full(question.text, decision.carried.question):
        return decision
    if not replaced:
        return _with_a_strange_name(decision, question.text, old)
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
        decision,
        question=in_full(question.text, full),
        carried=carried,
        instead=full if signs.bare else None,
        own=None if decision.own is None else question.text,
    )


def _with_a_strange_name(decision: FollowUp, text: str, old: Sequence[EntityMatch]) -> FollowUp:
    """Return the follow-up that is nothing but a name with it in place of the only other one, which nobody knows.

    "And Porto?" after "What is the hotel rate in Berlin?" asks for the rate in Porto, and no longer of Berlin.
    """
    whole = decision.carried.question
    own = parted(whole)[0]
    strange = () if old or decision.own is not None or not is_name(text) else unknown_names(own, ())
    name = _SMALL.sub("", without_opening(text).strip(_AROUND))
    if len(strange) != 1 or not name or _JOINED.search(name) or name in own:
        return decision
    full = re.sub(rf"{re.escape(strange[0])}{_NUMBERED}", lambda _: name, whole, count=1)
    return replace(decision, question=in_full(text, full), instead=full)


# A number right behind a name is a part of it: "Severity 1".
_NUMBERED = r"(?:\s+№?\d[\w.]*)?"
_SMALL = re.compile(r"^(?:in|at|for|to|from|the|в|во|на|для|из|о|об|про|у)\s+", re.IGNORECASE)
_JOINED = re.compile(r",|\b(?:and|or|и|или)\b", re.IGNORECASE)
_NOT = re.compile(r"(?:^|[\s,.!:;—-])(?:not|не)\s+(?:the |про |о |в |на |с |из )?$")
_BUT = re.compile(r"^\s*,?\s*(?:(?:but|а)\s|[,—-]\s*)(?:rather |the |про |о |в |на |с |из )?$")


def _but_for_denied(text: str, matches: tuple[EntityMatch, ...]) -> tuple[EntityMatch, ...]:
    """Return the names but for the first, where the message denies that one and says which is meant instead."""
    if len(matches) < _DENIED_AND_MEANT:
        return matches
    first, second = matches[0], matches[1]
    before, between = normalise(text[: first.start]), normalise(text[first.end : second.start])
    return matches[1:] if _NOT.search(before) and _BUT.match(between) else matches


_DENIED_AND_MEANT = 2


def plainly(question: str, known: Knowledge) -> str:
    """Return a question without the earlier ones in brackets behind it, where its own words and their names say all.

    "And the results? (Which tools did Heron use?)" asks for "And the results? (Heron)"; "Which ones? (Where is RAG
    used?)" and "And RAG? (Where is RAG used?)" ask where RAG is used. Else nothing changes.
    """
    own, earlier = parted(question)
    if not earlier:
        return question
    earlier = plainly(earlier, known)
    if _WHICH_ONES.fullmatch(normalise(own).strip(_AROUND)):
        return earlier
    mine, theirs = (askable(_named(text, known), known.intents) for text in (own, earlier))
    names = {one.entity.id: one.entity.name for one in theirs}
    topics = [term for term in terms(_without_names(own, mine)) if not points_back(term)]
    if not topics and mine and names.keys() >= {one.entity.id for one in mine}:
        return earlier
    return in_full(own, earlier if mine or not (topics and names) else ", ".join(names.values()))


# They ask for nothing but what was asked before, as a list.
_WHICH_ONES = re.compile(
    r"(?:(?:and|so|ok) )?which(?: ones?)?(?: (?:exactly|are (?:they|these|those)))?|(?:what|who|where) exactly"
    r"|(?:and )?(?:list|name|show)(?: me)? (?:them|these|those)(?: all)?"
    r"|(?:(?:а|и|ну|так) )?как(?:ие|их|ой|ая)(?: (?:именно|конкретно|это|они))?"
    r"|(?:(?:а|и|ну|так) )?(?:кто|что|где|в каких)(?: (?:именно|конкретно))"
    r"|(?:(?:а|и|ну) )?(?:перечисли|назови|покажи|список)(?:те)?(?: (?:их|все|мне))*"
)
_AROUND = " \t\n?!.,…"


def _without_names(text: str, named: Iterable[EntityMatch]) -> str:
    for match in named:
        text = text[: match.start] + " " * (match.end - match.start) + text[match.end :]
    return text


def _named(text: str, known: Knowledge) -> tuple[EntityMatch, ...]:
    return with_parts(text, resolve_entities(text, known.registry), known.registry, known.namesakes)


def _written(match: EntityMatch, text: str) -> str:
    return text[match.start : match.end]


def _name_for(match: EntityMatch, new: Sequence[EntityMatch], old: Sequence[EntityMatch]) -> str | None:
    """Return the name that takes the place of an earlier one: the only new one of its kind, for the only old one."""
    kind = match.entity.type
    before, now = ({one.entity.id: one.entity for one in found if one.entity.type == kind} for found in (old, new))
    if kind == NO_KIND or len(before) != 1 or len(now) != 1 or before.keys() == now.keys():
        return None
    return next(iter(now.values())).name
