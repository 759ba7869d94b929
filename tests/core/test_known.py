"""Names are known to those who may read a document that gives them, and depend on no other document."""

from hypothesis import given, settings
from hypothesis import strategies as st

from core.conversation import Audience
from core.entities import Entity, resolve_entities
from core.ingest.document import Document
from core.ingest.graph import entities_of
from core.ingest.markdown import pieces_of
from core.ingest.names import named, registry_of
from core.ingest.pieces import lay_out
from core.known import Names, names_of
from core.namesakes import namesakes_of, shared_names

HR = frozenset({"hr"})
DECLARED = (Entity("pay", "Salary bands", "page", ("Вилки",), "pay.md"), Entity("kafka", "Kafka", "technology"))


def page(id_: str, title: str, text: str = "It says nothing.", readers: frozenset[str] = frozenset()) -> Document:
    """Return a document of one text."""
    laid, blocks = lay_out(pieces_of(text), title)
    return Document(id_, title, laid, blocks, readers=readers)


PAGES = (
    page("a-secret.md", "Project Phoenix", "The Nightjar Retreat Board (NRB) decides.", HR),
    page("b-open.md", "Phoenix Kitchen", "The Canteen Working Group (CWG) decides about soup."),
    page("pay.md", "Salary bands", "Secret.", HR),
    page("c-boss.md", "Жар-птица", "Тайна.", frozenset({"boss"})),
)


def names_in(pages: tuple[Document, ...], declared: tuple[Entity, ...] = DECLARED) -> Names:
    """Return the names of the pages."""
    given_ = [(named(one), one.readers) for one in pages]
    registry = registry_of((one for one, _ in given_), declared)
    return names_of(given_, declared, registry, namesakes_of(registry))


def found(text: str, names: Names, audience: Audience) -> list[str]:
    """Return the names that the audience is known to ask about."""
    return [match.entity.name for match in resolve_entities(text, names.seen_by(audience).registry)]


ASKED = "Who is on Project Phoenix, the NRB, the CWG, Salary bands, вилки, Kafka, Жар-птица and Phoenix Kitchen?"
NOBODY, PEOPLE, BOSS = Audience("T1"), Audience("T1", HR), Audience("T1", frozenset({"boss", "hr"}))


def test_an_outsider_knows_the_names_of_open_pages_alone() -> None:
    """Neither titles, nor aliases, nor terms of closed pages, in either language, however a name is misspelt."""
    names = names_in(PAGES)

    assert ["Canteen Working Group", "Kafka", "Phoenix Kitchen"] == sorted(found(ASKED, names, NOBODY))
    assert [] == found("project phoenx, salry bands, zhar-ptica", names, NOBODY)


def test_a_reader_knows_what_their_pages_give() -> None:
    """And nothing of what is for others; who may read everything knows all names."""
    names = names_in(PAGES)

    assert {"Project Phoenix", "Salary bands", "Kafka"} <= set(found(ASKED, names, PEOPLE))
    assert "Жар-птица" not in found(ASKED, names, PEOPLE)
    assert names.whole is names.seen_by(BOSS)


def test_two_who_share_a_name_are_no_doubt_to_whom_knows_one() -> None:
    """A name that a closed page and an open one share is asked back about only where both are known."""
    pages = (page("x.md", "Company ALOR", readers=HR), page("y.md", "Project ALOR"), page("z.md", "Soup"))
    names = names_in(
        pages, (Entity("x", "Company ALOR", "company", (), "x.md"), Entity("y", "Project ALOR", "project", (), "y.md"))
    )
    shared = [shared_names("What is ALOR?", (), names.seen_by(who).namesakes) for who in (NOBODY, PEOPLE)]

    assert [0, 1] == [len(one) for one in shared]


_titles = st.sampled_from(["Alpha Beacon", "Beta Kitchen", "Кафка", "Alpha Kitchen", "US", "Apple", "Бета Маяк"])
_texts = st.sampled_from(["Plain.", "The Alpha Beacon Crew (ABC) meets.", "**Mole**: an animal.", "Маяк (МЯК) горит."])
_readers = st.sampled_from([frozenset[str](), HR, frozenset({"boss"}), frozenset({"hr", "boss"})])
_pages = st.lists(st.tuples(_titles, _texts, _readers), max_size=6)


@settings(derandomize=True, max_examples=150, deadline=None)
@given(_pages, _pages, st.sampled_from([NOBODY, PEOPLE]))
def test_closed_pages_change_nothing_for_outsiders(
    some: list[tuple[str, str, frozenset[str]]], others: list[tuple[str, str, frozenset[str]]], who: Audience
) -> None:
    """Whatever else there is that they may not read, the same names are found in their questions."""
    visible = [page(f"m{n}.md", *one) for n, one in enumerate(some) if who.may_read(one[2])]
    hidden = [page(f"{'az'[n % 2]}{n}.md", *one) for n, one in enumerate(others) if not who.may_read(one[2])]
    asked = "alpha beacon, Beta Kitchen, кафка, Kafka, ABC, Alpha Kitchen, US, us, apple, Apple, mole, МЯК, Бета Маяк"
    # Somebody else may read something, so that nobody of these may read everything.
    rest = [page("zz.md", "Zz", readers=frozenset({"nobody"}))]
    alone, beside = names_in((*visible, *rest), ()), names_in((*visible, *hidden, *rest), ())

    def told(names: Names) -> list[tuple[str, int, int]]:
        found_ = resolve_entities(asked, names.seen_by(who).registry)
        return [(match.entity.id, match.start, match.end) for match in found_]

    assert told(alone) == told(beside)


def test_without_closed_pages_all_is_as_it_was() -> None:
    """The registry of everybody is the one of all, and equal to one that is built from the documents."""
    pages = tuple(one for one in PAGES if not one.readers)
    names = names_in(pages)

    assert names.open is names.whole.registry
    assert list(names.open.entities) == list(dict.fromkeys(one.id for one in entities_of(pages, DECLARED)))
