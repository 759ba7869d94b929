"""What the form of a question says of its plan, whoever made it: shape, period, what is left out, what is asked for."""

from collections.abc import Mapping, Sequence
from itertools import permutations

from core.asked import Asked
from core.entities import EntityMatch
from core.kinds import known_kind
from core.plan import (
    ALL_PAGES,
    GENERAL,
    DocumentSearch,
    GraphQuery,
    Intent,
    Period,
    QueryPlan,
    Shape,
    Style,
    default_plan,
)

_PAIR = 2


def in_form(plan: QueryPlan, asked: Asked, intents: Sequence[Intent]) -> QueryPlan:
    """Return the plan with what the question's form says: its shape, period, and what is left out.

    What a planner says of these stands only where the words of the question bear it out.
    """
    known = {intent.name: intent for intent in intents}
    without = asked.without or (plan.without if asked.negates else ())
    plan = _with_left_out(plan, without, asked, intents)
    plan = plan.model_copy(update={"tool_calls": _jointly(plan.tool_calls, asked, known)})
    planned = [known[name] for name in _named_by(plan) if name in known]
    exclude = asked.exclude or (tuple(one for one in plan.exclude if one not in without) if asked.negates else ())
    shape = _shape(plan, asked, planned)
    is_listed = shape in (Shape.LIST, Shape.COUNT)
    return plan.model_copy(
        update={
            "shape": shape,
            "period": asked.period or _said(plan.period, asked.question),
            "exclude": exclude,
            "without": without,
            "among": _among(plan, asked, planned),
            "answer_style": "compare" if shape is Shape.COMPARE else plan.answer_style,
            "render_style": Style.BULLETS if is_listed and plan.render_style is Style.SHORT else plan.render_style,
        }
    )


def _named_by(plan: QueryPlan) -> tuple[str, ...]:
    """Return the intents of the plan, and those of its calls."""
    calls = (call.intent for call in plan.tool_calls if isinstance(call, GraphQuery))
    return tuple(dict.fromkeys((*plan.intents, *calls)))


def _with_left_out(plan: QueryPlan, without: Sequence[str], asked: Asked, intents: Sequence[Intent]) -> QueryPlan:
    """Return the plan with look-ups of what lists things alone, where entities are left out: all others are asked for.

    What else is looked up or searched of the very thing that is to be absent would only bring it back.
    """
    if not without:
        return plan
    mentions = [intent for intent in intents if intent.find == "mentions"]
    lists = {ALL_PAGES, *(intent.name for intent in intents if intent.find in ("mentions", "pages"))}
    looked_up = [call for call in plan.tool_calls if isinstance(call, GraphQuery)]
    own = [_apart(call, without) for call in looked_up if call.intent in lists]
    absent = [match for match in asked.about if match.entity.id in without]
    others = [match for match in asked.about if match.entity.id not in without]
    found = [call for intent in mentions for call in calls_of(intent, others)]
    found += [call for intent in mentions for one in absent for call in calls_of(intent, [one, *others])]
    listed: dict[str, GraphQuery] = {}
    for call in (*own, *found):
        listed.setdefault(call.entity_id, call)
    calls: list[GraphQuery | DocumentSearch] = [*listed.values()] or (_pages_of(others) if asked.thing else [])
    if not calls:
        kept = [call for call in plan.tool_calls if call not in looked_up or call.entity_id not in without]
        calls = kept or list(default_plan(asked.question).tool_calls)
    named = dict.fromkeys(call.intent for call in calls if isinstance(call, GraphQuery))
    return plan.model_copy(update={"tool_calls": tuple(calls[:5]), "intents": tuple(named)[:3] or (GENERAL,)})


def _apart(call: GraphQuery, without: Sequence[str]) -> GraphQuery:
    """Return the look-up, not narrowed to what has to do with what is to be absent."""
    return call.model_copy(update={"also": None}) if call.also in without else call


def _pages_of(about: Sequence[EntityMatch]) -> list[GraphQuery | DocumentSearch]:
    """Return the look-up of all pages of the kind asked for, of each of the names where there are any."""
    of_each = calls_of(Intent(ALL_PAGES, "all pages of a kind", find="mentions"), about)
    return [*of_each] or [GraphQuery(intent=ALL_PAGES, entity_id="")]


def _jointly(
    calls: Sequence[GraphQuery | DocumentSearch], asked: Asked, known: Mapping[str, Intent]
) -> tuple[GraphQuery | DocumentSearch, ...]:
    """Return the calls, where both of two are asked for at once each narrowed to what concerns the other."""
    mentions = [
        call
        for call in calls
        if isinstance(call, GraphQuery)
        and call.entity_id not in asked.without
        and call.intent in known
        and known[call.intent].find == "mentions"
    ]
    other = {one.entity_id: two.entity_id for one, two in permutations(mentions, 2)}
    if not asked.both or len(mentions) != _PAIR or len(other) != _PAIR:
        return tuple(calls)
    joint = {call: call.model_copy(update={"also": call.also or other[call.entity_id]}) for call in mentions}
    return tuple(joint.get(call, call) if isinstance(call, GraphQuery) else call for call in calls)


def _shape(plan: QueryPlan, asked: Asked, planned: Sequence[Intent]) -> Shape:
    """Return the shape that the words say, else the planner's, if it is no more than a list."""
    listed = any(intent.find in ("mentions", "pages") for intent in planned) or _asks_all(plan)
    if asked.shape is Shape.COMPARE or (asked.shape is not Shape.PLAIN and not asked.times):
        return asked.shape
    if asked.times and listed:
        return Shape.COUNT
    return Shape.LIST if listed or plan.shape is Shape.LIST or asked.shape is Shape.LIST else Shape.PLAIN


def _among(plan: QueryPlan, asked: Asked, planned: Sequence[Intent]) -> str | None:
    """Return the kind of thing that is asked for, where its pages can be told apart from others that say so too."""
    of_pages = [intent for intent in planned if intent.find in ("mentions", "pages")]
    kinds = {kind for intent in of_pages for kind in intent.within}
    if not of_pages and not _asks_all(plan):
        return None
    if asked.thing:
        return (known_kind(asked.thing) or asked.thing)[:30]
    return kinds.pop() if len(kinds) == 1 else None


def _asks_all(plan: QueryPlan) -> bool:
    return any(isinstance(call, GraphQuery) and call.intent == ALL_PAGES for call in plan.tool_calls)


def _said(period: Period | None, question: str) -> Period | None:
    """Return the planner's period if the question says its years; code reads all other dates by itself."""
    days = [day for day in (period.since, period.until) if day] if period else []
    return period if days and all(str(day.year) in question for day in days) else None


def calls_of(intent: Intent, about: Sequence[EntityMatch]) -> list[GraphQuery]:
    """Return a look-up for each entity of the first kind that the intent is asked of.

    Where the intent is about mentions, an entity of another kind narrows them.
    """
    fitting = [match.entity for match in about if not intent.of or match.entity.type in intent.of]
    if not fitting or intent.find == "search":
        return []
    same = [entity for entity in fitting if entity.type == fitting[0].type]
    also = next((match.entity.id for match in about if match.entity.type != same[0].type), None)
    narrowed = also if intent.find == "mentions" else None
    return [GraphQuery(intent=intent.name, entity_id=entity.id, also=narrowed) for entity in same]
