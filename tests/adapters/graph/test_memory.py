"""The graph in memory: the next generation's is made from this one's, which goes on answering."""

from adapters.graph.memory import MemoryGraph
from core.plan import GraphQuery
from tests.core.corpus import EVERYBODY, RAG, intent, page

USAGE = intent("USAGE", "mentions")
LOOK_UP = GraphQuery(intent="USAGE", entity_id="rag")


async def told(graph: MemoryGraph) -> list[str]:
    """Return the documents that name RAG."""
    return [fact.source.doc_id for fact in await graph.query(LOOK_UP, USAGE, EVERYBODY)]


async def test_the_next_generation_is_made_from_this_one() -> None:
    """What changed is read again, what did not is shared, and who still asks the old graph is told the old."""
    old = MemoryGraph([page("a.md", "RAG.", "A"), page("b.md", "Ничего.", "B")], [RAG])

    new = await old.changed(["a.md"], [page("b.md", "Теперь RAG.", "B")], [RAG])

    assert ["a.md"] == await told(old)
    assert ["b.md"] == await told(new)
    assert ["a.md", "b.md"] == list((await old.graph()).documents)
