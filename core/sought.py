"""What the documents' structure was asked for in vain: a search may find it elsewhere, under the same headings."""

from collections.abc import Iterable, Mapping

from core.entities import name_term
from core.facts import Sought
from core.ingest.addresses import title_key
from core.plan import GraphQuery, Intent


def sought_by(vain: Iterable[GraphQuery], intents: Mapping[str, Intent]) -> tuple[Sought, ...]:
    """Return the headings under which these look-ups would have found what they were made for, by name."""
    known = ((call.entity_id, intents[call.intent]) for call in vain if call.intent in intents)
    return tuple(
        Sought(name_term(id_), frozenset(map(title_key, intent.headings)))
        for id_, intent in known
        if intent.find == "section"
    )
