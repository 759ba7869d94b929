"""Corpora indexed once, and conversations over them through the whole pipeline, from the question to the record."""

import asyncio
import os
import secrets
import shutil
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from adapters.embedding.universal import UniversalEmbedder
from bot.answering import Bot
from bot.indexing import index_folder
from bot.settings import Settings
from bot.wiring import Stores, make_model, opened
from core.answer import Citation
from core.conversation import Audience, Question
from core.ingest.document import Document
from core.pipeline import answer_question
from core.ports import LanguageModel
from core.recall import Recall
from core.render import text_of
from core.turn import TurnRecord

EXAMPLES = Path(__file__).parent.parent / "examples"
_PATIENCE = 300


@dataclass(frozen=True, slots=True)
class Company:
    """A company's indexed documents, and the bot that answers from them."""

    stores: Stores
    bot: Bot
    documents: Mapping[str, Document]

    async def ask(
        self,
        text: str,
        *,
        thread: str | None = None,
        groups: frozenset[str] = frozenset(),
        audience: Audience | None = None,
        asker: str = "U1",
        model: LanguageModel | None = None,
        hierarchical: bool = False,
        marker: str | None = None,
    ) -> TurnRecord:
        """Return the record of the question, in a thread of its own unless one is named."""
        question = Question(
            id=f"console:{secrets.token_hex(8)}",
            platform="console",
            thread=thread or new_thread(),
            text=text,
            asker=asker,
            audience=audience or Audience("local", groups),
            asked_at=datetime.now(UTC),
        )
        ports = await self.bot.ports()
        assert ports is not None
        given = replace(
            ports,
            model=model or ports.model,
            new_marker=(lambda: marker) if marker else ports.new_marker,
            options=replace(ports.options, hierarchical=hierarchical),
            # Else another model would not be asked what one has answered.
            recall=Recall(),
        )
        record = await answer_question(question, given)
        assert isinstance(record, TurnRecord)
        return record


def new_thread() -> str:
    """Return a thread that nobody has spoken in."""
    return f"console:{secrets.token_hex(8)}"


def cited(record: TurnRecord) -> tuple[Citation, ...]:
    """Return every citation of a reply, those of the nearest things too."""
    answer = record.answer
    return (*(citation for claim in answer.claims for citation in claim.citations), *answer.nearest)


def sources(record: TurnRecord) -> list[str]:
    """Return the documents that a reply cites, each once."""
    return sorted({citation.source.doc_id for citation in cited(record)})


def shown(record: TurnRecord) -> str:
    """Return everything a reader sees of a reply: the answer, and below it the evidence."""
    evidence = [
        "\n".join(filter(None, (one.title, one.place, one.quote, one.updated, one.remark)))
        for one in record.reply.evidence
    ]
    return "\n".join([text_of(record.reply), *evidence])


@asynccontextmanager
async def company(data: Path, embedder: UniversalEmbedder) -> AsyncIterator[Company]:
    """Give the company whose index lies in the data folder; doing it again is a restart."""
    settings = _settings(data)
    async with opened(settings) as fresh:
        stores = replace(fresh, embedder=embedder)
        live = await stores.catalog.live()
        assert live is not None
        documents = {document.id: document for document in await stores.catalog.documents(live.number)}
        yield Company(stores, Bot(stores, make_model(settings), settings), documents)


async def index(folder: Path, data: Path, embedder: UniversalEmbedder) -> None:
    """Index a folder of documents into a data folder."""
    async with opened(_settings(data)) as stores:
        report = await index_folder(folder, stores.catalog, stores.index, embedder, lambda *_: None)
    assert () == report.problems


def _settings(data: Path) -> Settings:
    return Settings(FOOTNOTE_DATA_DIR=data, planner_model=(), answer_model=())  # type: ignore[call-arg]


class Indexes:
    """The example corpora as data folders: each is indexed once for all workers of a test run."""

    def __init__(self, factory: pytest.TempPathFactory, embedder: UniversalEmbedder) -> None:
        self._factory = factory
        self._embedder = embedder

    async def copy(self, name: str) -> Path:
        """Return a fresh copy of the example's data folder, to write in."""
        built = await self._built(name)
        return Path(shutil.copytree(built, self._factory.mktemp(name) / "data"))

    async def _built(self, name: str) -> Path:
        base = self._factory.getbasetemp()
        root = base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base
        target, ready = root / f"indexed-{name}", root / f"indexed-{name}.ready"
        try:
            target.mkdir()
        except FileExistsError:
            await _until(ready.exists)
        else:
            await index(EXAMPLES / name, target, self._embedder)
            ready.touch()
        return target


async def _until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(_PATIENCE):
        while not holds():
            await asyncio.sleep(0.1)
