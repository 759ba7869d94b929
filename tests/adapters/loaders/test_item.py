"""One item of any source becomes its documents."""

import pytest

from adapters.loaders import documents_in, tree, unique
from adapters.loaders.formats import KNOWN
from core.errors import IngestError
from core.ingest.document import Document
from core.ingest.formats import READ
from core.ingest.source import Item
from tests.adapters.loaders.made import inside, mail, one, workbook, zipped

OWN = "---\ntitle: Own\nupdated: 2025-01-01\nlink: https://own.example\n---\n# Heading\n\nтекст"


def test_the_document_speaks_before_its_source() -> None:
    """Title, date and link of the front matter stand above what the source says."""
    known = {"title": "Given", "updated": "2024-12-31", "link": "https://own.example/given"}

    own, given = one("a.md", OWN, **known), one("a.md", "# Heading\n\nтекст", **known)

    assert (own.title, own.updated, own.link) == ("Own", "2025-01-01", "https://own.example")
    assert (given.title, given.updated, given.link) == ("Given", "2024-12-31", "https://own.example/given")


@pytest.mark.parametrize("stated", ["https://evil.example/login", "http://[broken", "https://wiki.example.evil/a.md"])
@pytest.mark.parametrize(("link", "base"), [("https://wiki.example/a.md", None), (None, "https://wiki.example/")])
def test_no_page_leads_its_readers_to_somebody_else(stated: str, link: str | None, base: str | None) -> None:
    """Whoever may write a page chooses its words, not the host that a source's title leads to."""
    text = f"---\ntitle: A\nlink: '{stated}'\n---\ntext"
    [page] = documents_in(Item("a.md", text.encode(), link=link), base)

    assert isinstance(page, Document)
    assert page.link == "https://wiki.example/a.md"


@pytest.mark.parametrize(
    ("own", "given", "both"),
    [
        ("", frozenset(), frozenset()),
        ("readers: [hr, it]", frozenset(), {"hr", "it"}),
        ("", {"кадры"}, {"кадры"}),
        ("readers: [hr, кадры]", {"кадры", "it"}, {"кадры"}),
    ],
)
def test_both_must_allow_a_reader(own: str, given: frozenset[str], both: frozenset[str]) -> None:
    """A document cannot open what its source keeps closed, nor a source what the document does."""
    assert one("a.md", f"---\ntitle: a\n{own}\n---\nтекст", readers=frozenset(given)).readers == both


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.md", "---\nreaders: [hr]\n---\ntext"),
        ("a.json", '{"readers": ["hr"], "a": "b"}'),
        ("a.yaml", "readers: hr\na: b"),
    ],
)
def test_nobody_is_not_everybody(name: str, data: str) -> None:
    """Where the source and the document name nobody in common, the document is reported instead of indexed."""
    (result,) = inside(name, data, readers=frozenset({"it"}))

    assert isinstance(result, IngestError)
    assert "readers hr, its source it; name a group of both" in result.reason


def test_what_the_source_says_is_part_of_the_digest() -> None:
    """Changed readers, dates, titles and links make a changed document, though its bytes are the same."""
    known: list[dict[str, object]] = [
        {},
        {"readers": frozenset({"hr"})},
        {"readers": frozenset({"it"})},
        {"updated": "2025-01-01"},
        {"title": "2025-01-01"},
        {"link": "https://a.example"},
    ]

    assert len({one("a.md", "text", **each).digest for each in known}) == len(known)
    assert one("a.md", "text").digest == one("b.md", "text").digest


def test_an_archive_passes_on_what_its_source_says() -> None:
    """Members and attachments have the readers and the link of what holds them; the title is not theirs."""
    letter = mail("Привет.", tabelle_csv=b"a,b\n1,2")
    found = inside("z.zip", zipped({"m.eml": letter}), title="T", link="https://a.example", readers=frozenset({"hr"}))

    assert [(r.id, r.title, r.readers, r.link) for r in found if isinstance(r, Document)] == [
        ("z.zip/m.eml", "Отпуск", {"hr"}, "https://a.example"),
        ("z.zip/m.eml/tabelle.csv", "Tabelle", {"hr"}, "https://a.example"),
    ]


def test_nothing_is_raised() -> None:
    """What is wrong comes as a result, also when a reader fails in a way that nobody foresaw."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tree, "tree_of", lambda *_: 1 / 0)
        (result,) = inside("a.yaml", "a: b")

    assert str(result) == "a.yaml: could not be read (ZeroDivisionError: division by zero)"


@pytest.mark.parametrize("name", ["a\nb.md", "а\u0085б.zip", "a\ud800.md"])
def test_names_that_cannot_be_shown(name: str) -> None:
    """A name with a line end is reported with its escapes, so that it cannot break the report."""
    (result,) = documents_in(Item(name, b"text"))

    assert isinstance(result, IngestError)
    assert result.path.isascii()
    assert "rename it" in result.reason


def test_the_second_of_two_is_reported() -> None:
    """Over several sources each id is one document: the first that came."""
    results = [*inside("a.md", "first"), *inside("b.md", "other"), *inside("a.md", "second")]
    first, other, second = unique(results)

    assert (first, other) == (results[0], results[1])
    assert str(second) == "a.md: another document has the same path: rename or remove one of them"


def test_pictures_give_nothing() -> None:
    """What lies beside documents and holds no text is no problem either."""
    assert inside("a/logo.PNG", b"\x89PNG\0") == []


def test_pages_and_text_in_other_scripts() -> None:
    """Right-to-left and East Asian text is stored as it is written, mixed with others or not."""
    arabic, hebrew, chinese, japanese = (
        "الإجازة 28 يوما.",
        "חופשה של 28 ימים.",
        "年假二十八天。",
        "有給休暇は28日です。",
    )
    text = f"{arabic}\n\n{hebrew}\n\n{chinese}\n\n{japanese}"
    table = workbook(("表", [["名前", "日"], [hebrew, chinese]]))

    assert one("a.md", text).text.split("\n") == [arabic, hebrew, chinese, japanese]
    assert one("a.txt", text).text.split("\n") == [arabic, hebrew, chinese, japanese]
    assert one("a.xlsx", table).text == f"表\n{hebrew} | {chinese}"
    assert one("a.csv", f"名前,日\n{arabic},{japanese}").text == f"{arabic} | {japanese}"


def test_broken_characters_are_reported() -> None:
    """A text with a broken character is read, and the place where it lies is told."""
    data = "Правила бассейна. Шапочка обязательна.".encode()
    document, problem = inside("a.txt", data[:32] + b"\xff" + data[32:])

    assert isinstance(document, Document)
    assert "\ufffd" in document.text
    assert str(problem).startswith("a.txt: is read, with broken characters")


def test_each_source_knows_what_is_read() -> None:
    """A format that has a reader is one that repositories and sites are searched for."""
    assert READ == set(KNOWN)
