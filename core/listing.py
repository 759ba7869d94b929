"""Lists that go on: which items a list has, which of them were shown, and who asks for the rest."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import Any

from pydantic import ValidationError

from core.answer import Answer, Citation, Draft, DraftClaim
from core.carried import of_the_new_name
from core.context import AnswerContext
from core.conversation import Listed, Thread
from core.counting import is_how_often
from core.followup import Carried, FollowUp
from core.headed import lists_the_counted
from core.phrases import phrase
from core.plan import QueryPlan, Shape
from core.proof.quotes import find_quote
from core.quoting import Item, claim_of, first_of, items_of
from core.reply import plain
from core.text import Language, Untrusted, normalise

_KEY = 16
# A model that tells less than this share of a list has chosen from it, and is not to be completed.
_TELLS_IT = 0.5
# Who answers where no model does.
_QUOTES = "quotes"
# Fewer are no list.
_MANY = 2

_POLITE = r"please|pls|and|ok|okay|а|и|ну|ок|пожалуйста|плиз"
_SHOW = (
    r"show|give|list|tell|see"
    r"|показать|(?:покажи|дай|выведи|перечисли|назови|давай)(?:те)?"
)
_WHAT = (
    r"(?:\d{1,3} )?more(?: of (?:them|these|those))?|(?:what|anything) else|next(?: ones)?|continue|go on|keep going"
    r"|(?:what about |all )?(?:of )?(?:the )?(?:rest|others|other ones|remaining(?: ones)?)"
    r"|(?:есть )?еще(?: \d{1,3}| есть)?|что(?: там)? еще|дальше|далее|следующие|продолж(?:ай|айте|и|ите|ение)"
    r"|(?:что )?(?:все )?(?:остальн(?:ые|ое|ых)|оставшиеся)|другие|других"
)
_MORE = re.compile(rf"(?:(?:{_POLITE}) )*(?:(?:{_SHOW}) )?(?:(?:me|us|мне|нам) )?(?:{_WHAT})(?: (?:{_POLITE}))*")
_PLAIN = re.compile(r"[\W_]+")


def going_on(text: str, thread: Thread, offered: str | None = None) -> Listed | None:
    """Return the list that is to go on, or None when nobody asks for the rest of one.

    The last reply, or the one that the message answers to, held a list with something left, and the message asks for
    more in as many words; or a button offered the rest of the list of this key: then as far as it was shown since.
    """
    if offered is not None:
        return _latest(offered, thread)
    meant = thread.answers or next(reversed(thread.offered), None)
    if meant is None or meant.listed is None or not asks_for_more(text):
        return None
    listed = _latest(meant.listed.key, thread) or meant.listed
    return listed if listed.remaining else None


def _latest(key: str, thread: Thread) -> Listed | None:
    """Return the list of this key as far as it has been shown."""
    return next((one.listed for one in reversed(thread.offered) if one.listed and one.listed.key == key), None)


def carried_on(listed: Listed, language: Language) -> FollowUp:
    """Return the decision for a message that asks for the rest of a list: there is nothing to be guessed."""
    because = phrase("because_list", language)
    return FollowUp(listed.question, Carried(listed.question, listed.plan.entities), because)


def asks_for_more(text: str) -> bool:
    """Return whether the message asks for what comes next, and for nothing else."""
    return _MORE.fullmatch(_PLAIN.sub(" ", normalise(text)).strip()) is not None


def completed(draft: Draft, context: AnswerContext) -> Draft:
    """Return a model's draft of a list with the items that it left out, in the documents' own words (R-14).

    Only what the documents' structure lists can be completed, and only for a model that has told most of it.
    """
    first = first_of(items_of(context), context)
    standing = {
        pointer.fact
        for one in draft.claims
        for pointer in one.evidence
        if (fact := context.numbered(pointer.fact)) and find_quote(pointer.quote, fact.text)
    }
    told = [item for item in first if not item.numbers.isdisjoint(standing)]
    if not context.structural or not draft.claims or len(told) < _TELLS_IT * len(first):
        return draft
    added = tuple(claim_of(item, context) for item in first if item not in told)
    # What the model has told stands under the same headings as what it left out.
    headed = {number: item.group for item in first for number in item.numbers} if added else {}
    own = [replace(one, group=one.group or _group_of(one, headed)) for one in draft.claims]
    return replace(draft, claims=_in_order((*own, *added), context))


def _group_of(claim: DraftClaim, headed: Mapping[int, str | None]) -> str | None:
    return next((headed[pointer.fact] for pointer in claim.evidence if pointer.fact in headed), None)


def _in_order(claims: tuple[DraftClaim, ...], context: AnswerContext) -> tuple[DraftClaim, ...]:
    last = len(context.facts)
    return tuple(sorted(claims, key=lambda one: min((pointer.fact for pointer in one.evidence), default=last)))


def with_rest(
    answer: Answer, context: AnswerContext, plan: QueryPlan, asked: str, before: Listed | None = None
) -> tuple[Answer, Listed | None]:
    """Return the answer with the exact number of items that are left, and what it takes to go on with them.

    `before`: the list that it goes on with. If the documents have changed since, the answer says so. A model that has
    told only little of what could be listed has not told a list, and nothing is left of it, unless a list is asked for
    and the documents' structure has it: then the rest can be had.
    """
    if before is None and answer.is_refusal:
        return answer, None
    items = items_of(context)
    spans = _spans(citation for claim in answer.claims for citation in claim.citations)
    shown = [item for item in items if _is_cited(item, spans) or item.is_seen(context.seen)]
    first = first_of([item for item in items if not item.is_seen(context.seen)], context)
    tells = len([item for item in first if item in shown]) >= _TELLS_IT * len(first)
    tells = tells or (context.lists and context.structural)
    if not tells or (answer.model != _QUOTES and not _are_a_list(items, context)):
        return replace(answer, remaining=answer.over), None
    # What is beside the point is nothing to go on with.
    to_the_point = of_the_new_name(items, lambda item: item.units, context)
    left = [item for item in to_the_point if item not in shown and item.units[0].words not in answer.beside]
    done = [item for item in items if item not in left and item not in shown]
    # In the order in which they were read: "the first one" is one of them.
    seen = dict.fromkeys((*(before.seen if before else ()), *(item.keys[0] for item in (*shown, *done))))
    listed = Listed(list_key(items), asked, context.question, plan, tuple(seen), len(left))
    if answer.over and not listed.remaining:
        return replace(answer, remaining=answer.over), None
    answer = replace(answer, remaining=listed.remaining)
    if before is None:
        return _told_first(answer, items, context, plan), listed
    return _gone_on(answer, changed=listed.key != before.key), listed


def _are_a_list(items: Sequence[Item], context: AnswerContext) -> bool:
    """Return whether the items are one: where a model answers, passages that could be quoted beside it are no rest."""
    series = {(item.units[0].fact.source.doc_id, item.units[0].part.series) for item in items}
    return context.lists or context.structural or (len(series) == 1 and items[0].units[0].part.series is not None)


def _told_first(answer: Answer, items: Sequence[Item], context: AnswerContext, plan: QueryPlan) -> Answer:
    """Return the answer with what is to be told before its list: how many there are, or what they all lack."""
    count = len({item.units[0].fact.source.doc_id for item in items})
    if context.by_absence:
        names = ", ".join(phrase("why_quoted", answer.language, word=name) for name in context.absent)
        lead = phrase("counted_others", answer.language, count=count, names=names)
    elif context.by_page and plan.shape is Shape.COUNT:
        name = "counted_least" if context.at_least else "counted_pages"
        name = "counted_places" if is_how_often(context.question) else name
        lead = phrase(name, answer.language, count=count)
    else:
        return _counted(answer, items, context.question)
    return replace(answer, lead=lead)


def _counted(answer: Answer, items: Sequence[Item], asked: str) -> Answer:
    """Return the answer to "how many" with the number first: where one list holds them, headed by what is asked.

    The number is that of the list's items; nobody else counts.
    """
    units = [item.units[0] for item in items]
    lists = {(unit.fact.source.doc_id, unit.fact.place, unit.part.series) for unit in units}
    is_one = len(items) >= _MANY and len(lists) == 1 and units[0].part.series is not None
    if not is_one or not lists_the_counted(units[0].fact, asked):
        return answer
    title = plain(Untrusted(units[0].fact.source.title))
    return replace(answer, lead=phrase("counted", answer.language, title=title, count=len(items)))


def _gone_on(answer: Answer, *, changed: bool) -> Answer:
    """Return the next part of a list, which is nothing when all of it has been shown."""
    if answer.claims and not changed:
        return answer
    name = "list_changed" if answer.claims else "list_done" if changed else "list_all"
    return replace(answer, is_refusal=False, nearest=(), notice=phrase(name, answer.language))


def list_key(items: Sequence[Item]) -> str:
    """Return what names a list: the same as long as it holds the same items in the same order."""
    return sha256("\n".join(item.keys[0] for item in items).encode()).hexdigest()[:_KEY]


def _spans(citations: Iterable[Citation]) -> dict[str, list[tuple[int, int]]]:
    spans: dict[str, list[tuple[int, int]]] = {}
    for citation in citations:
        spans.setdefault(citation.source.doc_id, []).append((citation.span.start, citation.span.end))
    return spans


def _is_cited(item: Item, spans: Mapping[str, list[tuple[int, int]]]) -> bool:
    return any(
        start < unit.part.span.end and unit.part.span.start < end
        for unit in item.units
        for start, end in spans.get(unit.fact.source.doc_id, ())
    )


def listed_as_data(listed: Listed) -> dict[str, Any]:
    """Return the list as JSON-able data."""
    return {
        "key": listed.key,
        "asked": listed.asked,
        "question": listed.question,
        "plan": listed.plan.model_dump(mode="json"),
        "seen": list(listed.seen),
        "remaining": listed.remaining,
    }


def read_listed(data: Mapping[str, Any] | None) -> Listed | None:
    """Return the list that was stored, or None: a plan of another version of the bot cannot be gone on with."""
    if not data:
        return None
    try:
        plan = QueryPlan.model_validate(data["plan"])
        return Listed(data["key"], data["asked"], data["question"], plan, tuple(data["seen"]), int(data["remaining"]))
    except (KeyError, TypeError, ValidationError):
        return None
