"""The only place that names concrete adapters: from settings to everything that answers a question."""

import time
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import Engine

from adapters.embedding.universal import UniversalEmbedder
from adapters.graph.memory import MemoryGraph
from adapters.llm.embedding import EmbeddingSettings, LiteLLMEmbedder
from adapters.llm.litellm_router import ModelSettings, RoutedModel
from adapters.llm.reranking import LiteLLMReranker, RerankSettings
from adapters.search.hybrid import HybridSearch
from adapters.search.lance import LanceIndex
from adapters.search.staging import LanceStaging
from adapters.storage.admissions import SqlAdmissions
from adapters.storage.audit import SqlAudit
from adapters.storage.cases import SqlCases
from adapters.storage.catalog import SqlCatalog
from adapters.storage.channels import SqlChannels
from adapters.storage.claims import SqlClaims
from adapters.storage.database import Database, blocking_engine, close_engine, open_database
from adapters.storage.feedback import SqlFeedback
from adapters.storage.groups import SqlGroups
from adapters.storage.inbox import SqlInbox
from adapters.storage.index_parts import SqlParts
from adapters.storage.orders import SqlOrders
from adapters.storage.outbox import SqlOutbox
from adapters.storage.persons import SqlPersons
from adapters.storage.pins import SqlPins
from adapters.storage.probe import SqlProbe
from adapters.storage.proposals import SqlProposals
from adapters.storage.records import records_failure
from adapters.storage.replicas import SqlGuest, SqlReplicas, counts_of
from adapters.storage.resting import rests_now
from adapters.storage.retention import SqlRetention
from adapters.storage.spending import SqlSpending
from adapters.storage.tally import SqlTally
from adapters.storage.threads import SqlThreads
from adapters.storage.weeks import SqlWeeks
from bot.index_place import index_place
from bot.proposing import Proposer
from bot.settings import Settings, opened_up
from core.entities import Registry
from core.errors import ConfigError, StorageError
from core.ingest.document import Document
from core.ingest.domain import Domain
from core.ingest.generation import Generation, Tables
from core.ingest.rows import ANALYZER
from core.known import Names
from core.masking import MaskedModel, blotted, blotted_data
from core.ports import Embedder, Entailment, Reranker
from core.work import Place


class SystemClock:
    """The machine's own time."""

    def now(self) -> datetime:
        """Return the time of day in UTC."""
        return datetime.now(UTC)

    def elapsed(self) -> float:
        """Return seconds on a clock that never goes back."""
        return time.perf_counter()


@dataclass(frozen=True, slots=True)
class Stores:
    """What is kept: the database and the index, the embedder that fits them, and what else judges, if anything does."""

    database: Database
    catalog: SqlCatalog
    threads: SqlThreads
    inbox: SqlInbox
    spending: SqlSpending
    index: LanceIndex
    embedder: Embedder
    reranker: Reranker | None = None
    proposer: Proposer | None = None
    entailment: Entailment | None = None


@asynccontextmanager
async def opened(settings: Settings) -> AsyncIterator[Stores]:
    """Give the stores, made when they are not there. Raises ConfigError when they cannot be used."""
    make_data_dir(settings)
    database, embedder, place = open_its_database(settings), make_embedder(settings), index_place(settings)
    reranker, entailment = make_reranker(settings), make_entailment(settings)
    catalog, model = SqlCatalog(database), _proposing_model(settings)
    asked = MaskedModel(model) if model and settings.masks_for_models else model
    mask = blotted_data if settings.masks_for_logs else None
    store, limit = SqlProposals(database), settings.graph_model_calls
    try:
        await database.prepare()
        yield Stores(
            database=database,
            catalog=catalog,
            threads=SqlThreads(database, settings.conversation_window, mask),
            inbox=SqlInbox(database),
            spending=SqlSpending(database),
            index=LanceIndex(place.address, place.options, full_text=settings.lexical_engine == "lance"),
            embedder=embedder,
            reranker=reranker,
            proposer=Proposer(catalog, store, settings.planner_model, limit, asked) if asked else None,
            entailment=entailment,
        )
    finally:
        if model:
            await model.aclose()
        for remote in (embedder, reranker):
            if isinstance(remote, LiteLLMEmbedder | LiteLLMReranker):
                await remote.aclose()
        await database.close()


def _proposing_model(settings: Settings) -> RoutedModel | None:
    """Return the model that proposes edges, if one is to. Raises ConfigError when none is named."""
    if settings.graph_model == "off":
        return None
    if not settings.planner_model:
        raise ConfigError("GRAPH_MODEL=planner needs a model: set PLANNER_MODEL, or leave GRAPH_MODEL out")
    return make_model(settings)


@dataclass(frozen=True, slots=True)
class SharedIndex:
    """What copies that make an index together share, beside the index itself."""

    parts: SqlParts
    staging: LanceStaging
    replicas: SqlReplicas


def shared_index(stores: Stores, settings: Settings, me: str, *, guest: str | None = None) -> SharedIndex:
    """Return it as the replica `me` uses it; `guest`: what a process does that is no replica else."""
    place, database = index_place(settings), stores.database
    replicas = SqlGuest(database, me, guest) if guest else SqlReplicas(database, me)
    return SharedIndex(SqlParts(database, me), LanceStaging(place.address, place.options), replicas)


def outbox_and_replicas(database: Database, me: str) -> tuple[SqlOutbox, SqlReplicas]:
    """Return both as the replica `me` uses them."""
    return SqlOutbox(database, me), SqlReplicas(database, me)


def tally_of(database: Database) -> SqlTally | None:
    """Return what counts with all copies of the bot what is said; None where there can be no other copy."""
    return SqlTally(database) if database.is_shared else None


def feedback_of(database: Database, *, masked: bool = False) -> SqlFeedback:
    """Return what people say of answers; `masked`: the log holds no personal data of it."""
    return SqlFeedback(database, blotted if masked else str)


def pins_of(database: Database) -> SqlPins:
    """Return the answers that a person has checked."""
    return SqlPins(database)


def probe_of(database: Database) -> SqlProbe:
    """Return what tells whether anything can be stored."""
    return SqlProbe(database)


async def rests(database: Database, place: Place) -> bool:
    """Return whether a platform has told a copy that nothing may be shown in a place just now. Raises StorageError."""
    return await rests_now(database, place)


async def replicas_of(database: Database) -> dict[str, int]:
    """Return the count of every copy that has said that it is there. Raises StorageError."""
    return await counts_of(database)


def claims_of(database: Database) -> SqlClaims:
    """Return what is done by one of several copies."""
    return SqlClaims(database)


def channels_of(database: Database) -> SqlChannels:
    """Return what is set for single channels and chats."""
    return SqlChannels(database)


def cases_of(database: Database) -> SqlCases:
    """Return the questions that are dealt with."""
    return SqlCases(database)


def weeks_of(database: Database) -> SqlWeeks:
    """Return what the latest week was like."""
    return SqlWeeks(database)


def admissions_of(database: Database) -> SqlAdmissions:
    """Return who was let in."""
    return SqlAdmissions(database)


def audit_of(database: Database) -> SqlAudit:
    """Return the audit log."""
    return SqlAudit(database)


def groups_of(database: Database) -> SqlGroups:
    """Return the groups that were imported."""
    return SqlGroups(database)


def persons_of(database: Database) -> SqlPersons:
    """Return what is stored of persons."""
    return SqlPersons(database)


def retention_of(database: Database) -> SqlRetention:
    """Return what removes what is too old."""
    return SqlRetention(database)


def index_orders_of(database: Database) -> SqlOrders:
    """Return what admins ordered to be indexed."""
    return SqlOrders(database)


def make_data_dir(settings: Settings) -> None:
    """Make the data folder when it is not there. Raises ConfigError when it cannot be."""
    try:
        settings.data_dir.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigError(
            f"FOOTNOTE_DATA_DIR: {settings.data_dir} cannot be used ({error.strerror}); name another folder"
        ) from None


def open_its_database(settings: Settings) -> Database:
    """Return the database that DATABASE_URL names, or the file in the data folder, not yet connected.

    Raises ConfigError for one that cannot be, and for a file of SQLite elsewhere: a process holds its folder alone.
    """
    if settings.database_url is None:
        return open_database(settings.data_dir / "footnote.db")
    database = open_database(settings.database_url.get_secret_value())
    if not database.is_shared:
        raise ConfigError(_NOT_BY_URL)
    return database


_NOT_BY_URL = (
    "`DATABASE_URL` names a file, and is for PostgreSQL, as postgresql://user:password@host/name; for SQLite leave it "
    "out, and name the folder of its database in `FOOTNOTE_DATA_DIR`"
)


def work_engine(url: str) -> Engine:
    """Return connections to where durable work is recorded, for a library that has no loop."""
    return blocking_engine(url)


def end_work(engine: Engine) -> None:
    """Close all connections of durable work; one that is still at work as soon as it is done."""
    close_engine(engine)


def work_failure(kind: str, error: Exception) -> StorageError | ConfigError:
    """Return what to raise when the library cannot record work in this kind of database."""
    return records_failure(kind, error)


def work_url(settings: Settings, database: Database) -> str:
    """Return where durable work is recorded: beside the tables in PostgreSQL, in a file beside SQLite's."""
    if settings.database_url:
        return database.blocking_url()
    return f"sqlite:///{settings.data_dir / 'work.db'}"


def make_embedder(settings: Settings) -> Embedder:
    """Return what makes vectors: a folder's model, a provider's, or the built-in one; nothing is loaded yet.

    Raises ConfigError when two are named, or the folder is not what it says.
    """
    if settings.embedding_folder and settings.embedding_model:
        raise ConfigError("EMBEDDING_MODEL and EMBEDDING_FOLDER both name an encoder: leave one of them out")
    if settings.embedding_folder:
        from adapters.embedding.onnx import OnnxEmbedder

        with _named("EMBEDDING_FOLDER"):
            return OnnxEmbedder(settings.embedding_folder, settings.embedding_threads)
    if settings.embedding_model is None:
        return UniversalEmbedder(settings.embedding_threads)
    return LiteLLMEmbedder(
        EmbeddingSettings(
            model=settings.embedding_model,
            dimensions=settings.embedding_dimensions,
            passage_prefix=settings.embedding_passage_prefix or "",
            query_prefix=settings.embedding_query_prefix or "",
            api_base=settings.embedding_api_base,
            api_key=opened_up(settings.embedding_api_key),
        )
    )


def make_reranker(settings: Settings) -> Reranker | None:
    """Return what puts the best passages into order, if the settings name it; nothing is loaded yet.

    Raises ConfigError when two are named, or the folder is not what it says.
    """
    if settings.rerank_folder and settings.rerank_model:
        raise ConfigError("RERANK_MODEL and RERANK_FOLDER both name a reranker: leave one of them out")
    if settings.rerank_folder:
        from adapters.embedding.cross_encoder import OnnxReranker

        with _named("RERANK_FOLDER"):
            return OnnxReranker(settings.rerank_folder, settings.embedding_threads)
    if settings.rerank_model is None:
        return None
    return LiteLLMReranker(
        RerankSettings(
            model=settings.rerank_model,
            api_base=settings.rerank_api_base,
            api_key=opened_up(settings.rerank_api_key),
        )
    )


def make_entailment(settings: Settings) -> Entailment | None:
    """Return what may refuse claims that the rules let through, if the settings name it; nothing is loaded yet.

    Raises ConfigError when the folder is not what it says.
    """
    if settings.entailment_folder is None:
        return None
    from adapters.embedding.entailment import OnnxEntailment

    with _named("ENTAILMENT_FOLDER"):
        return OnnxEntailment(settings.entailment_folder, settings.embedding_threads)


@contextmanager
def _named(variable: str) -> Iterator[None]:
    """Name the variable that leads to a folder of a model in what is wrong with it."""
    try:
        yield
    except ConfigError as error:
        raise ConfigError(f"{variable}: {error}") from None


def make_model(settings: Settings) -> RoutedModel:
    """Return the model chains of both roles; nothing is loaded until the first call."""
    return RoutedModel(
        ModelSettings(
            planner=settings.planner_model,
            answer=settings.answer_model,
            planner_temperature=settings.planner_temperature,
            answer_temperature=settings.answer_temperature,
            timeout_seconds=settings.model_timeout_seconds,
            api_base=settings.model_api_base,
            api_key=opened_up(settings.model_api_key),
            structured=settings.model_output,
            max_parallel=settings.max_parallel_answers,
            answer_window=settings.answer_window,
            native_citations=settings.native_citations == "on",
        )
    )


def make_search(
    stores: Stores,
    tables: Tables,
    documents: Mapping[str, Document],
    registry: Registry,
    names: Names | None = None,
) -> HybridSearch:
    """Return the search over a generation's documents; nothing is loaded yet."""
    return HybridSearch(stores.index, tables, documents, registry, stores.embedder, stores.reranker, names=names)


def make_graph(documents: Mapping[str, Document], domain: Domain) -> MemoryGraph:
    """Return the graph of a generation's documents, not built yet."""
    return MemoryGraph(tuple(documents.values()), domain.entities, domain.relations)


def fits(generation: Generation, embedder: Embedder) -> bool:
    """Return whether this version can search the generation."""
    return (generation.make.embedder, generation.make.analyzer) == (embedder.id, ANALYZER)
