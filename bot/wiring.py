"""The only place that names concrete adapters: from settings to everything that answers a question."""

import asyncio
import secrets
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import Engine

from adapters.embedding.universal import UniversalEmbedder
from adapters.graph.memory import MemoryGraph
from adapters.llm.embedding import EmbeddingSettings, LiteLLMEmbedder
from adapters.llm.litellm_router import ModelSettings, RoutedModel
from adapters.search.hybrid import HybridSearch
from adapters.search.lance import LanceIndex
from adapters.storage.catalog import SqlCatalog
from adapters.storage.database import Database, blocking_engine, open_database
from adapters.storage.inbox import SqlInbox
from adapters.storage.outbox import SqlOutbox
from adapters.storage.replicas import SqlReplicas
from adapters.storage.threads import SqlThreads
from bot.indexing import ANALYZER
from bot.settings import Settings
from core.entities import make_registry
from core.errors import ConfigError, SearchError
from core.ingest.domain import declared_kinds, read_domain
from core.ingest.generation import Generation
from core.ingest.graph import entities_of, with_names
from core.pipeline import Options, Ports
from core.planner import IntentIndex, index_intents
from core.ports import Embedder, Knowledge, LanguageModel, Platform


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
    """What is kept: the database and the index, and the embedder that fits them."""

    database: Database
    catalog: SqlCatalog
    threads: SqlThreads
    inbox: SqlInbox
    index: LanceIndex
    embedder: Embedder


@asynccontextmanager
async def opened(settings: Settings) -> AsyncIterator[Stores]:
    """Give the stores, made when they are not there. Raises ConfigError when they cannot be used."""
    make_data_dir(settings)
    database, embedder = open_its_database(settings), make_embedder(settings)
    try:
        await database.prepare()
        yield Stores(
            database=database,
            catalog=SqlCatalog(database),
            threads=SqlThreads(database, settings.conversation_window),
            inbox=SqlInbox(database),
            index=LanceIndex(str(settings.data_dir / "index")),
            embedder=embedder,
        )
    finally:
        if isinstance(embedder, LiteLLMEmbedder):
            await embedder.aclose()
        await database.close()


def outbox_and_replicas(database: Database, me: str) -> tuple[SqlOutbox, SqlReplicas]:
    """Return both as the replica `me` uses them."""
    return SqlOutbox(database, me), SqlReplicas(database, me)


def make_data_dir(settings: Settings) -> None:
    """Make the data folder when it is not there. Raises ConfigError when it cannot be."""
    try:
        settings.data_dir.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigError(
            f"FOOTNOTE_DATA_DIR: {settings.data_dir} cannot be used ({error.strerror}); name another folder"
        ) from None


def open_its_database(settings: Settings) -> Database:
    """Return the database that DATABASE_URL names, or the file in the data folder, not yet connected."""
    url = settings.database_url
    return open_database(url.get_secret_value() if url else settings.data_dir / "footnote.db")


def work_engine(url: str) -> Engine:
    """Return connections to where durable work is recorded, for a library that has no loop."""
    return blocking_engine(url)


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

        return OnnxEmbedder(settings.embedding_folder, settings.embedding_threads)
    if settings.embedding_model is None:
        return UniversalEmbedder(settings.embedding_threads)
    key = settings.embedding_api_key
    return LiteLLMEmbedder(
        EmbeddingSettings(
            model=settings.embedding_model,
            dimensions=settings.embedding_dimensions,
            passage_prefix=settings.embedding_passage_prefix or "",
            query_prefix=settings.embedding_query_prefix or "",
            api_base=settings.embedding_api_base,
            api_key=key.get_secret_value() if key else None,
        )
    )


def make_model(settings: Settings) -> RoutedModel:
    """Return the model chains of both roles; nothing is loaded until the first call."""
    key = settings.model_api_key
    return RoutedModel(
        ModelSettings(
            planner=settings.planner_model,
            answer=settings.answer_model,
            planner_temperature=settings.planner_temperature,
            answer_temperature=settings.answer_temperature,
            timeout_seconds=settings.model_timeout_seconds,
            api_base=settings.model_api_base,
            api_key=key.get_secret_value() if key else None,
            structured=settings.model_output,
            max_parallel=settings.max_parallel_answers,
        )
    )


async def ports_for(generation: Generation, stores: Stores, model: LanguageModel, settings: Settings) -> Ports:
    """Return everything a question needs, over one generation. Raises SearchError when it was made otherwise."""
    embedder = stores.embedder
    if not fits(generation, embedder):
        raise SearchError("the index was built by another version; build it again with: footnote index")
    domain = read_domain(generation.make.domain)
    documents = with_names(await stores.catalog.documents(generation.number), domain.entities)
    registry = await asyncio.to_thread(make_registry, tuple(entities_of(documents, domain.entities)))
    by_id = {document.id: document for document in documents}
    return Ports(
        threads=stores.threads,
        search=HybridSearch(stores.index, generation.tables, by_id, registry, embedder),
        graph=MemoryGraph(documents, domain.entities, domain.relations),
        model=model,
        embedder=embedder,
        clock=SystemClock(),
        new_marker=lambda: secrets.token_hex(6),
        knowledge=Knowledge(registry, domain.intents, domain.title, declared_kinds(domain)),
        intents=_once(lambda: index_intents(domain.intents, registry, embedder)),
        options=Options(
            plan_confidence=settings.plan_confidence_threshold,
            max_tool_calls=settings.max_tool_calls,
            planner_max_tokens=settings.planner_max_tokens,
            factual_max_tokens=settings.answer_max_tokens,
            summary_max_tokens=settings.summary_max_tokens,
        ),
    )


def fits(generation: Generation, embedder: Embedder) -> bool:
    """Return whether this version can search the generation."""
    return (generation.make.embedder, generation.make.analyzer) == (embedder.id, ANALYZER)


def _once(make: Callable[[], Awaitable[IntentIndex]]) -> Callable[[], Awaitable[IntentIndex]]:
    """Return a function that makes the index at its first call and gives the same one after."""
    lock = asyncio.Lock()
    made: list[IntentIndex] = []

    async def get() -> IntentIndex:
        async with lock:
            if not made:
                made.append(await make())
            return made[0]

    return get


def make_platforms(settings: Settings) -> tuple[list[Platform], list[str]]:
    """Return the platforms that have their tokens, and in words why the others stay off."""
    platforms: list[Platform] = []
    skipped: list[str] = []
    _add_slack(settings, platforms, skipped)
    _add_telegram(settings, platforms, skipped)
    return platforms, skipped


def _add_slack(settings: Settings, platforms: list[Platform], skipped: list[str]) -> None:
    if not settings.slack_bot_token:
        skipped.append("Slack: off, SLACK_BOT_TOKEN is not set")
        return
    if not (settings.slack_app_token or settings.slack_signing_secret):
        skipped.append(
            "Slack: off, set SLACK_APP_TOKEN (Socket Mode) or SLACK_SIGNING_SECRET (HTTP) beside SLACK_BOT_TOKEN"
        )
        return
    from adapters.slack.app import SlackPlatform, SlackSettings

    platforms.append(
        SlackPlatform(
            SlackSettings(
                bot_token=settings.slack_bot_token.get_secret_value(),
                app_token=settings.slack_app_token.get_secret_value() if settings.slack_app_token else None,
                signing_secret=settings.slack_signing_secret.get_secret_value()
                if settings.slack_signing_secret
                else None,
                http_host=settings.slack_http_host,
                http_port=settings.slack_http_port,
                api_base_url=settings.slack_api_base_url,
            )
        )
    )


def _add_telegram(settings: Settings, platforms: list[Platform], skipped: list[str]) -> None:
    if not settings.telegram_bot_token:
        skipped.append("Telegram: off, TELEGRAM_BOT_TOKEN is not set")
        return
    from adapters.telegram.app import TelegramPlatform, TelegramSettings

    secret = settings.telegram_webhook_secret
    platforms.append(
        TelegramPlatform(
            TelegramSettings(
                token=settings.telegram_bot_token.get_secret_value(),
                base_url=settings.telegram_base_url,
                base_file_url=settings.telegram_base_file_url,
                webhook_url=settings.telegram_webhook_url,
                webhook_secret=secret.get_secret_value() if secret else None,
                webhook_host=settings.telegram_webhook_host,
                webhook_port=settings.telegram_webhook_port,
                max_parallel=settings.max_parallel_answers,
            )
        )
    )
