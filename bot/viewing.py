"""Whether somebody may be told how an answer came about: they must be allowed to read all that it was made from."""

from collections.abc import Mapping
from typing import Any

from bot.answering import Bot
from bot.audiences import Audiences, Where
from core.conversation import Audience
from core.entities import resolve_entities
from core.ports import Knowledge


class Viewing:
    """Looks through a stored result with the eyes of whoever asks about it."""

    def __init__(self, bot: Bot, audiences: Audiences) -> None:
        self._bot = bot
        self._audiences = audiences

    async def may_know(self, result: Mapping[str, Any], made_for: Audience, viewer: Where) -> bool:
        """Return whether the viewer, and those whom the answer was for, may read all of it and know all names in it.

        Without an index nobody can tell for whom its documents are. Raises PortError.
        """
        knowledge = await self._bot.known()
        if knowledge is None or not knowledge.closed:
            return knowledge is not None
        own = await self._audiences.of_person(viewer)
        return shows_only(result, knowledge, made_for) and (own is None or shows_only(result, knowledge, own))


def shows_only(result: Mapping[str, Any], knowledge: Knowledge, audience: Audience) -> bool:
    """Return whether a result contract (`core.result`) holds nothing but what the audience may read and knows."""
    cited = (*result["citations"], *result.get("older", ()), *result["nearest"], *result["raw_context_used"])
    documents = {one["doc_id"] for one in cited}.union(result["facts"]["sources"])
    return knowledge.may_read(documents, audience) and knows_names(result, knowledge, audience)


def knows_names(result: Mapping[str, Any], knowledge: Knowledge, audience: Audience) -> bool:
    """Return whether the audience knows every name that a question was understood by."""
    known = knowledge.seen_by(audience).registry
    if known is knowledge.registry:
        return True
    legend, plan = result.get("legend", {}), result["plan"] or {}
    ids = {*legend.get("names", {}), *plan.get("entities", ())}
    if result["follow_up"]["decision"] == "unclear":
        # What was asked back names what several go by, and no ids.
        return False
    named = {match.entity.name for match in resolve_entities(result["question"], known)}
    return all(id_ in known.entities for id_ in ids) and named.issuperset(legend.get("recognised", ()))
