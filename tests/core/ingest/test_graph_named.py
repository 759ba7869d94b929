"""All things of a kind, those without a page among them."""

from core.conversation import Audience
from core.ingest.graph import query_graph
from core.plan import ALL_PAGES, GraphQuery, Intent
from tests.golden.test_lists import graph_of


def told(kind: str, entity: str = "") -> list[tuple[str | None, str]]:
    """Return what is told of all things of the kind, under which name."""
    every = Intent(ALL_PAGES, "all pages", find="pages", within=(kind,))
    call = GraphQuery(intent=ALL_PAGES, entity_id=entity)
    return [(one.group, str(one.text)) for one in query_graph(graph_of("handbook"), call, every, Audience("local"))]


def test_what_has_no_page_is_told_by_a_sentence_that_names_it() -> None:
    """At best one that says its kind beside the name."""
    found = dict(told("team"))

    assert ["Field Operations", "Platform team", "Firmware", "Apps", "People team", "Customer Success"] == list(found)
    assert "Firmware team" in found["Firmware"]
    assert "Apps team" in found["Apps"]


def test_a_page_that_goes_by_its_name_is_told_once() -> None:
    """The guide to an office says to be a guide, and is the page of the office; what it opens with is told once."""
    found = told("office")

    assert len(found) == len({text for _, text in found})
    assert ["Leeds office guide", "Leiden office guide", "Porto office"] == [name for name, _ in found]


def test_of_what_has_to_do_with_a_name_only_pages_are_told() -> None:
    """What names it is no list of things."""
    assert not any(name == "Firmware" for name, _ in told("team", "leeds"))
