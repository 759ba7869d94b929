"""Things of a kind by what a field of their pages says."""

from dataclasses import replace

import pytest

from core.facts import Fact, Part, Source, Span
from core.fielded import Fielded, field_search
from core.plan import DocumentSearch, default_plan
from core.text import Untrusted


def search_of(question: str, *entities: str) -> Fielded | None:
    """Return the search that is made for the question."""
    return field_search(question, default_plan(question).model_copy(update={"entities": entities}))


def fields(doc: str, *lines: str, superseded: bool = False) -> Fact:
    """Return a page's fields, a line each."""
    text, parts, start = "\n".join(lines), [], 0
    for line in lines:
        parts.append(Part(Span(start, start + len(line)), "field"))
        start += len(line) + 1
    source = Source(doc, doc, superseded=superseded)
    return Fact(Untrusted(text), source, Span(0, len(text)), doc, parts=tuple(parts))


@pytest.mark.parametrize(
    ("question", "kind", "said"),
    [
        ("Which incidents were Severity 1?", "incident", {"sever", "1"}),
        ("Какие проекты закончены?", "project", {"законч"}),
        ("How many incidents had Severity 2?", "incident", {"sever", "2"}),
        ("What time were the incidents in Porto?", "incident", {"porto"}),
    ],
)
def test_the_pages_of_the_kind_are_searched(question: str, kind: str, said: set[str]) -> None:
    """For what the question says beside the kind."""
    found = search_of(question)

    assert found
    assert ((kind,), frozenset(said)) == (found.search.doc_types, found.said)


@pytest.mark.parametrize(
    "question",
    [
        "Which incidents were not Severity 1?",
        "Какие инциденты не срочные?",
        "Which incidents are there?",
        "Перечисли проекты",
        "Which lemons are ripe?",
        "Who leads Lantern?",
        "Which incidents made growers in Germany call at night about alerts and mould?",
    ],
)
def test_what_no_field_can_tell_is_not_looked_for(question: str) -> None:
    """What is denied, all of a kind, what nobody knows for a kind, and what says more than a field does."""
    assert search_of(question) is None


def test_what_is_looked_up_by_a_name_is_not_searched_for() -> None:
    """Then the structure knows better, and so it does for a plan that wants nothing but its own."""
    plan = default_plan("Which incidents were Severity 1?")

    assert search_of("Which incidents were Severity 1?", "lantern") is None
    alone = plan.model_copy(update={"fallback": plan.fallback.model_copy(update={"enabled": False})})
    assert field_search("Which incidents were Severity 1?", alone) is None


def test_each_field_that_says_all_of_it_is_told() -> None:
    """Page by page, each once, and no older version's."""
    fielded = Fielded(DocumentSearch(query="?"), frozenset({"sever", "1"}))
    second, other = fields("b.md", "Severity: 1", "Date: 2025-07-21"), fields("c.md", "Severity: 2", "Number: 1")
    first, old = fields("a.md", "Owner: Ann", "Severity: 1"), fields("d.md", "Severity: 1", superseded=True)
    prose = replace(fields("e.md", "Severity 1 it was"), parts=(Part(Span(0, 17), "paragraph"),))

    told = fielded.kept([second, other, first, second, old, prose])

    assert [("a.md", "Severity: 1"), ("b.md", "Severity: 1")] == [(one.group, one.text) for one in told]
    assert all(one.structural and [one.span] == [part.span for part in one.parts] for one in told)
