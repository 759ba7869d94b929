"""All that is said of one thing: its whole page, where a question asks for everything and names nothing besides."""

from core.asked import Asked
from core.exhaustive import without_all
from core.kinds import words_of_kind
from core.plan import WHOLE, GraphQuery, QueryPlan, Style
from core.text import all_terms, terms

# What only says that something is to be told; “results” or “history” say what.
_TELLING = frozenset(
    all_terms(
        "give show share explain describe know need information info details detail summary overview facts please "
        "дай покажи поделись объясни опиши знаешь знаете известно нужно информация сведения подробности "
        "подробно подробнее детали факты данные пожалуйста вообще"
    )
)


def wholly(asked: Asked) -> QueryPlan | None:
    """Return the plan that looks up the whole page of the only thing named, where “everything about” it is asked for.

    “Tell me everything about the results of Lantern” asks for something of it, and has no such plan.
    """
    rest, things = without_all(asked.question), {match.entity.id: match.entity for match in asked.about}
    if rest is None or len(things) != 1 or asked.exclude or asked.without or asked.period:
        return None
    [thing] = things.values()
    known = {*terms(" ".join(thing.names))} | words_of_kind(thing.type)
    if thing.page is None or {*terms(rest)} - known - _TELLING:
        return None
    call = GraphQuery(intent=WHOLE, entity_id=thing.id)
    return QueryPlan(intents=(WHOLE,), entities=(thing.id,), tool_calls=(call,), render_style=Style.GROUPED_BULLETS)
