"""Any reader of LlamaIndex is a source."""

import asyncio
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from types import ModuleType
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.sources import reader as reader_module
from adapters.sources.reader import ReaderSource
from adapters.sources.reader_documents import item_of, told_by
from core.errors import ConfigError, Unread
from tests.adapters.sources.gathered import errors_of, gathered, items_of


@dataclass
class Document:
    """A document in the shape of LlamaIndex's."""

    text: object
    metadata: dict[str, Any] = field(default_factory=dict)
    id_: str = field(default_factory=lambda: str(uuid4()))

    def get_content(self) -> object:
        return self.text


DOCUMENTS = (
    Document(
        "28 дней",
        {"title": "Отпуск", "page_id": "a1", "url": "https://wiki.example/a1", "last_edited_time": "2025-03-31T10:00"},
    ),
    Document("page one", {"file_name": "Handbook.pdf", "page_label": "1", "last_modified_date": "2025-01-02"}),
    Document("page two", {"file_name": "Handbook.pdf", "page_label": "2", "last_modified_date": "2025-01-02"}),
    Document("# Notes", {"file name": "notes.md", "modified at": datetime(2025, 1, 3)}),  # noqa: DTZ001 - as given
    Document("Nothing is known of this one."),
)


class Wiki:
    """A reader that loads all at once, as the base class of all readers leaves it."""

    def __init__(self, token: str = "", space: str = "") -> None:
        self.token, self.space = token, space

    def lazy_load_data(self, **load: Any) -> Iterator[Document]:
        raise NotImplementedError

    def load_data(self, page_ids: tuple[str, ...] = ()) -> list[Document]:
        known = [document for document in DOCUMENTS if not page_ids or document.metadata.get("page_id") in page_ids]
        return [Document(document.text, document.metadata) for document in known]


class Lazy:
    """A reader that loads one after the other and breaks off after so many."""

    def __init__(self, *documents: object, error: Exception | None = None) -> None:
        self.documents, self.error, self.threads = documents, error, set[int]()

    def lazy_load_data(self) -> Iterator[object]:
        for document in self.documents:
            self.threads.add(threading.get_ident())
            yield document
        if self.error:
            raise self.error


class Awaited:
    """A reader that knows only the asynchronous way."""

    async def alazy_load_data(self, **load: Any) -> AsyncIterator[Document]:
        async def each() -> AsyncIterator[Document]:
            for document in DOCUMENTS:
                yield document

        return each()


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Install a package with the reader in it."""
    module = ModuleType("acme_wiki")
    module.Wiki = Wiki  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "acme_wiki", module)


@pytest.mark.parametrize("reader", [Wiki(), Lazy(*DOCUMENTS), Awaited()], ids=["at once", "lazy", "awaited"])
async def test_documents_and_what_is_known_of_them(reader: object) -> None:
    """Every document comes under a name of its own, with the title, day and link that its reader found."""
    leave, one, two, notes, unknown = (await items_of(ReaderSource(reader))).values()

    assert (leave.title, leave.updated, leave.link) == ("Отпуск", "2025-03-31", "https://wiki.example/a1")
    assert "28 дней" == leave.data.decode()
    assert leave.name.startswith("Отпуск-")
    assert leave.name.endswith(".md")
    assert one.name != two.name
    assert one.name.endswith(".txt")
    assert (notes.updated, notes.name[-3:]) == ("2025-01-03", ".md")
    assert (unknown.title, unknown.updated, unknown.link) == (None, None, None)


async def test_names_stay() -> None:
    """Names are the same in every run though ids are new, and do not depend on the other documents."""
    all_, again = [await items_of(ReaderSource(Wiki())) for _ in range(2)]
    some = await items_of(ReaderSource(Lazy(*reversed(DOCUMENTS[1:]))))

    assert list(all_) == list(again)
    assert set(some) < set(all_)


@pytest.mark.usefixtures("installed")
async def test_a_reader_by_its_name() -> None:
    """A reader is made from its name and arguments, and loads what it is asked for."""
    source = ReaderSource(
        "acme_wiki:Wiki", {"token": "s3cret-word"}, {"page_ids": ("a1",)}, suffix=".txt", readers=frozenset({"hr"})
    )

    (item,) = await gathered(source)

    assert (item.title, item.readers, item.name[-4:]) == ("Отпуск", {"hr"}, ".txt")
    assert "s3cret" not in f"{source!r}{source.name}"


@pytest.mark.parametrize(
    ("dotted", "said"),
    [
        ("llama_index_absent:Reader", "run `pip install llama-index-absent`"),
        ("llama_index.readers.no_such_wiki:Reader", "run `pip install llama-index-readers-no-such-wiki`"),
        ("acme_wiki:Missing", "there is no Missing in acme_wiki"),
        ("acme_wiki.Wiki", "write it as package.module:Class"),
        ("os;system:x", "write it as package.module:Class"),
    ],
)
@pytest.mark.usefixtures("installed")
async def test_a_reader_that_is_not_there(dotted: str, said: str) -> None:
    """A missing package comes with the command that installs it."""
    with pytest.raises(ConfigError, match=said):
        await gathered(ReaderSource(dotted))


@pytest.mark.usefixtures("installed")
async def test_wrong_arguments() -> None:
    """A reader that cannot be made says why, without the values it was given."""
    with pytest.raises(ConfigError, match=r"cannot be made .*unexpected keyword") as told:
        await gathered(ReaderSource("acme_wiki:Wiki", {"toke": "s3cret-word"}))

    assert "s3cret" not in str(told.value)


async def test_breaking_off_at_once() -> None:
    """A reader that gives nothing says why, without the values it was given."""
    reader = Lazy(error=PermissionError("401 for token s3cret-word"))

    with pytest.raises(ConfigError, match=r"gives nothing .*401 for token \*\*\*") as told:
        await gathered(ReaderSource(reader, {"headers": [{"auth": "s3cret-word"}]}))

    assert "s3cret" not in str(told.value)


async def test_nothing_at_all() -> None:
    """A reader without a document is told: an empty source would empty the index."""
    with pytest.raises(ConfigError, match="gives no document"):
        await gathered(ReaderSource(Lazy()))


async def test_no_reader() -> None:
    """An object that loads nothing is no reader."""
    with pytest.raises(ConfigError, match="object is no reader"):
        await gathered(ReaderSource(object()))


async def test_breaking_off_in_the_middle() -> None:
    """What came before a reader broke off counts, and the break is told."""
    source = ReaderSource(Lazy(*DOCUMENTS[:2], error=TimeoutError("слишком долго")))

    _, _, told = await gathered(source)

    assert "the reader Lazy: broke off after 2 documents (TimeoutError: слишком долго): run it again" == str(told)


async def test_a_document_of_another_shape() -> None:
    """A document without text is told, and the others come."""
    reader = Lazy(DOCUMENTS[0], Document(None), object(), DOCUMENTS[3])

    assert ["the reader Lazy, document 2", "the reader Lazy, document 3"] == list(await errors_of(ReaderSource(reader)))
    assert 4 == len(await gathered(ReaderSource(reader)))


async def test_one_thread() -> None:
    """A reader works in one thread, and not in that of the service."""
    reader = Lazy(*DOCUMENTS)
    await gathered(ReaderSource(reader))

    assert 1 == len(reader.threads)
    assert threading.get_ident() not in reader.threads


class Hanging:
    """A reader that gives these documents and then nothing, for as long as nobody lets it go on."""

    def __init__(self, *documents: object, made: bool = True) -> None:
        self.documents, self.goes_on = documents, threading.Event()
        if not made:
            self.goes_on.wait()

    def lazy_load_data(self) -> Iterator[object]:
        yield from self.documents
        self.goes_on.wait()


class HangingAwaited:
    """The same that knows only the asynchronous way."""

    def __init__(self, *documents: object) -> None:
        self.documents = documents

    async def alazy_load_data(self) -> AsyncIterator[object]:
        for document in self.documents:
            yield document
        await asyncio.sleep(3_600)


@pytest.mark.parametrize("kind", [Hanging, HangingAwaited])
async def test_a_reader_that_hangs_is_given_up(monkeypatch: pytest.MonkeyPatch, kind: type) -> None:
    """After so much silence it has broken off; what it gave comes, and one that gave nothing cannot be used."""
    monkeypatch.setattr(reader_module, "SILENCE", 0.2)
    async with asyncio.timeout(10):
        *items, broken = await gathered(ReaderSource(kind(*DOCUMENTS)))
        with pytest.raises(ConfigError, match="gave no sign for"):
            await gathered(ReaderSource(kind()))

    assert len(DOCUMENTS) == len(items)
    assert isinstance(broken, Unread)
    assert "broke off after 5 documents (TimeoutError: gave no sign for" in str(broken)


@pytest.mark.parametrize("error", [SystemExit(1), StopIteration()])
async def test_a_reader_ends_nothing_but_itself(error: BaseException) -> None:
    """One that calls `exit()` has failed, and that is all."""

    class Ending:
        def load_data(self) -> list[object]:
            raise error

    with pytest.raises(ConfigError, match=type(error).__name__):
        await gathered(ReaderSource(Ending()))


_ENDED = """
import asyncio
import tests.adapters.sources.test_reader
from adapters.sources.reader import ReaderSource

async def main():
    try:
        async with asyncio.timeout(0.5):
            async for _ in ReaderSource("tests.adapters.sources.test_reader:Hanging", {"made": MADE}).items():
                pass
    except TimeoutError:
        print("over")

asyncio.run(main())
"""


@pytest.mark.parametrize("made", ["True", "False"])
def test_a_reader_that_hangs_does_not_hold_up_the_end(made: str) -> None:
    """After Ctrl-C the process ends, whatever the reader is waiting for."""
    command = [sys.executable, "-c", _ENDED.replace("MADE", made)]
    done = subprocess.run(command, capture_output=True, timeout=20, check=True, text=True)  # noqa: S603 - ours

    assert "over\n" == done.stdout


VALUES = st.one_of(st.text(max_size=20), st.integers(), st.floats(), st.none(), st.lists(st.text(max_size=3)))
KEYS = st.sampled_from(
    ["title", "file_name", "file_path", "url", "page_label", "last_modified", "page_id", "source", "File Path"]
)


@settings(deadline=None, derandomize=True, max_examples=150)
@given(st.text(max_size=50), st.dictionaries(KEYS, VALUES, max_size=6))
def test_any_metadata(text: str, metadata: dict[str, Any]) -> None:
    """Whatever stands in the metadata, the item has a name that can be shown, a day or none, a link or none."""
    item = item_of(told_by(Document(text, metadata)), 0, None, frozenset())

    assert item.name.endswith((".md", ".txt"))
    assert "/" not in item.name
    assert item.name.encode("utf-8")
    assert item.updated is None or 10 == len(item.updated)
    assert item.link is None or item.link.startswith(("https://", "http://"))
