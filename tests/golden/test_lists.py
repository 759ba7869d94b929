"""Every item of every list in the examples is in the graph, with the right parent, by files made by hand."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from adapters.loaders.corpus import load_corpus
from core.ingest.corpus import CorpusGraph, build_graph
from core.ingest.domain import read_domain
from core.ingest.graph import with_names
from core.ingest.statements import LISTS

GOLDEN = Path(__file__).parent
EXAMPLES = GOLDEN.parent.parent / "examples"
# Where an item stands and what it says: the headings above it, the item that it is part of, its text.
Item = tuple[tuple[str, ...], str | None, str]


def graph_of(name: str) -> CorpusGraph:
    """Return the graph of an example, made from its files alone: no model takes part."""
    corpus = load_corpus(EXAMPLES / name)
    domain = read_domain(corpus.domain)
    return build_graph(with_names(corpus.documents, domain.entities), domain.entities, domain.relations)


def expected_of(lists: list[dict[str, Any]]) -> Iterator[Item]:
    """Yield the items of a document as the golden file has them."""
    for one in lists:
        for item in one["items"]:
            nested = item if isinstance(item, Mapping) else {item: ()}
            for parent, children in nested.items():
                yield tuple(one["under"]), None, parent
                yield from ((tuple(one["under"]), parent, child) for child in children)


def found_in(graph: CorpusGraph, doc_id: str) -> Iterator[Item]:
    """Yield the items of a document as the graph has them; each is the document's text at its span."""
    document = graph.documents[doc_id]
    for edge in graph.said[doc_id].edges:
        if edge.relation == LISTS:
            assert edge.target == edge.span.within(document.text)
            parent = None if edge.parent is None else document.blocks[edge.parent].span.within(document.text)
            yield edge.headings, parent, edge.target


@pytest.mark.parametrize("name", ["portfolio", "handbook"])
def test_every_item_of_every_list_has_its_place(name: str) -> None:
    """Document, headings, parent and words of each item are those of the golden file, in order, and no others."""
    golden = yaml.safe_load((GOLDEN / f"{name}.yaml").read_text())
    graph = graph_of(name)

    assert set(golden) == set(graph.documents)
    for doc_id, lists in golden.items():
        assert (doc_id, list(expected_of(lists))) == (doc_id, list(found_in(graph, doc_id)))


@pytest.mark.parametrize(("name", "count"), [("portfolio", 256), ("handbook", 619)])
def test_the_golden_files_are_whole(name: str, count: int) -> None:
    """The files hold as many items as were counted in the documents."""
    golden = yaml.safe_load((GOLDEN / f"{name}.yaml").read_text())

    assert count == sum(len(list(expected_of(lists))) for lists in golden.values())


@pytest.mark.parametrize("name", ["portfolio", "handbook"])
def test_every_edge_of_the_examples_is_proved(name: str) -> None:
    """Each edge's span lies in the block that it names, and every link between documents leads to one."""
    graph = graph_of(name)
    for doc_id, said in graph.said.items():
        document = graph.documents[doc_id]
        for edge in said.edges:
            assert document.blocks[edge.block].span.contains(edge.span)
            assert edge.span.within(document.text).strip()
        stated = {one.span for one in said.statements if one.relation == "LINKS_TO" and "://" not in one.object}
        led = {edge.span for edge in said.edges if edge.relation == "LINKS_TO"}
        mail = {one.span for one in said.statements if one.object.startswith(("mailto:", "tel:"))}
        assert stated - mail == led


@pytest.mark.parametrize("name", ["portfolio", "handbook"])
def test_documents_lead_to_documents(name: str) -> None:
    """Every web page's links and every page that another one replaced, by a file made by hand, and no others."""
    golden = yaml.safe_load((GOLDEN / "between_documents.yaml").read_text())[name]
    graph = graph_of(name)
    web = {doc_id for doc_id in graph.documents if doc_id.endswith(".html")}
    led: dict[str, dict[str, list[str]]] = {"REPLACED_BY": {}, "LINKS_TO": {doc_id: [] for doc_id in web}}
    for doc_id, said in graph.said.items():
        for edge in said.edges:
            if edge.relation == "REPLACED_BY" or (edge.relation == "LINKS_TO" and doc_id in web):
                led[edge.relation].setdefault(doc_id, []).append(edge.target)

    assert golden == led
