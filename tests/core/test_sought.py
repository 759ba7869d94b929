"""What was looked up in vain."""

from core.entities import name_term
from core.facts import Sought
from core.ingest.addresses import title_key
from core.plan import ALL_PAGES, GraphQuery
from core.sought import sought_by
from tests.core.corpus import intent


def test_only_sections_have_headings_to_be_found_elsewhere() -> None:
    """What an intent looks for by mentions or openings, and what no intent is, has none."""
    known = {
        "RESULTS": intent("RESULTS", "section", headings=("Results", "Достижения")),
        "USAGE": intent("USAGE", "mentions"),
    }
    vain = [GraphQuery(intent=name, entity_id="rag") for name in ("RESULTS", "USAGE", ALL_PAGES)]

    expected = frozenset({title_key("Results"), title_key("Достижения")})
    assert (Sought(name_term("rag"), expected),) == sought_by(vain, known)
