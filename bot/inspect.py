"""`footnote inspect`: a document as it was understood, and why a question finds it or does not."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from rich.console import Console, RenderableType

from adapters.search.explain import explain
from adapters.search.hybrid import HybridSearch
from bot.asking_as import asked_as
from bot.commands import NOTHING_INDEXED, ready_bot
from bot.inspect_data import document_data, why_data
from bot.knowledge import Loaded, load, ports_over
from bot.settings import read_settings
from bot.wiring import Stores, opened
from core.calling import Tools
from core.conversation import Audience
from core.entities import resolve_entities
from core.errors import ConfigError, IngestError
from core.executor import run_plan
from core.followup import Standalone
from core.ingest.document import Document
from core.ingest.generation import Generation
from core.ingest.identity import identity_of
from core.ingest.portrait import Portrait, looked_up, portrait_of
from core.outside import Ports
from core.phrases import phrase
from core.pipeline import make_plan
from core.plan import DocumentSearch
from core.render import text_of
from core.standing import Why, asked_words
from core.text import clean, language_of
from core.unanswered import unanswerable

Part = Literal["chunks", "entities", "edges", "text"]
PARTS: tuple[Part, ...] = ("chunks", "entities", "edges", "text")
# What is shown when nothing in particular is asked for.
_USUAL: tuple[Part, ...] = ("chunks", "entities", "edges")
_SUGGESTIONS = 8

Problems = tuple[IngestError, ...]


@dataclass(frozen=True, slots=True)
class Shown:
    """What is to be seen: which parts (none: the usual ones), at full length or not, or nothing on the screen."""

    parts: tuple[Part, ...] = ()
    whole: bool = False
    quiet: bool = False


async def inspect_command(
    words: str | None, question: str | None, groups: frozenset[str], shown: Shown
) -> dict[str, Any]:
    """Return what there is to know as plain data; unless `quiet`, it is printed for a person too.

    Without a document and a question it is which documents there are. Raises ConfigError when nothing is indexed, no
    document is so called or several are; and PortError.
    """
    if question is not None and (remark := unanswerable(question)) is not None:
        raise ConfigError(text_of(remark))
    settings = read_settings()
    if question is None:
        async with opened(settings) as stores:
            reader = Audience("local", await asked_as(groups, stores)) if groups else None
            if words is None:
                return await _listed(stores, shown, reader)
            loaded, problems = await _loaded(stores)
            found = await _document(words, loaded, problems)
            if reader and not reader.may_read(found.readers):
                raise ConfigError(
                    f"{found.id} is for {', '.join(sorted(found.readers))}, not for {', '.join(sorted(groups))}. Leave "
                    f"out --group to see it as whoever runs this."
                )
            return await _understood(found, loaded, problems, shown)
    async with ready_bot(settings) as (bot, stores):
        loaded, problems = await _loaded(stores)
        document = await _document(words, loaded, problems) if words is not None else None
        ports = ports_over(loaded, stores, bot.model_for("local"), settings)
        reader = Audience("local", await asked_as(groups, stores))
        why = await _why(question, reader, document, ports, shows=not groups or _may_see(reader, document))
    if not shown.quiet:
        from adapters.console.explained import why_shown

        _print(why_shown(why, loaded.documents))
    return why_data(why)


async def _listed(stores: Stores, shown: Shown, reader: Audience | None) -> dict[str, Any]:
    """Return the documents by their paths, titles and readers; for a reader, those they may read.

    Raises ConfigError when nothing is indexed.
    """
    live = await stores.catalog.live()
    if live is None:
        raise ConfigError(NOTHING_INDEXED)
    found = await stores.catalog.documents(live.number)
    documents = sorted((one for one in found if reader is None or reader.may_read(one.readers)), key=lambda one: one.id)
    if not shown.quiet:
        for one in documents:
            closed = f" (for {', '.join(sorted(one.readers))})" if one.readers else ""
            print(clean(f"{one.id}  {one.title}{closed}"))
    return {"documents": [{"id": one.id, "title": one.title, "readers": sorted(one.readers)} for one in documents]}


async def _loaded(stores: Stores) -> tuple[Loaded, Problems]:
    """Return the live generation, and what could not be read when it was made."""
    live = await stores.catalog.live()
    if live is None:
        raise ConfigError(NOTHING_INDEXED)
    items = await stores.catalog.items(live.number)
    return await load(live, stores), tuple(problem for item in items.values() for problem in item.problems)


async def _document(words: str, loaded: Loaded, problems: Problems) -> Document:
    """Return the document that is meant. Raises ConfigError that names those that may be, or why it is not there."""
    source = identity_of(loaded.generation.make.source).parts.get("", "")
    name = _below(words, source)
    found = looked_up(name, await loaded.graph.graph())
    if isinstance(found, Document):
        return found
    if unread := next((one for one in problems if one.path == name), None):
        raise ConfigError(f"{name} could not be read by the last index run: {unread.reason}")
    names = ", ".join(document.id for document in found.documents[:_SUGGESTIONS])
    if found.exact:
        more = len(found.documents) - _SUGGESTIONS
        rest = f" and {more} more" if more > 0 else ""
        raise ConfigError(f"{len(found.documents)} documents fit {words!r}: {names}{rest}. Name one of them.")
    if _lies_in(source, words):
        raise ConfigError(
            f"{words} lies in {source}, but it is not in the index: run footnote index, which says why if it cannot "
            f"be read"
        )
    like = f" Is it one of these: {names}?" if names else ""
    raise ConfigError(f"no document in the index is called {words!r}.{like}")


def _below(words: str, source: str) -> str:
    """Return a path of this computer as the path within the indexed folder, anything else as it is."""
    try:
        path = Path(words).expanduser()
        return path.resolve().relative_to(source).as_posix() if source and path.exists() else words
    except (ValueError, OSError, RuntimeError):
        return words


def _lies_in(source: str, words: str) -> bool:
    try:
        return bool(source) and (Path(source) / words).is_file()
    except (ValueError, OSError):
        return False


async def _understood(document: Document, loaded: Loaded, problems: Problems, shown: Shown) -> dict[str, Any]:
    one = portrait_of(document, await loaded.graph.graph())
    near = [problem for problem in problems if _concerns(problem.path, document.id)]
    if not shown.quiet:
        from adapters.console.inspected import problems_shown

        _print(*_views(one, _origin(loaded.generation), shown), *([problems_shown(near)] if near else []))
    return document_data(one, loaded.generation) | {"problems": list(map(str, near))}


def _concerns(path: str, id_: str) -> bool:
    """Return whether the problem is with the document, something in it, or the archive that it is in."""
    return path == id_ or path.startswith(f"{id_}/") or id_.startswith(f"{path}/")


def _views(one: Portrait, origin: str, shown: Shown) -> Iterator[RenderableType]:
    from adapters.console import inspected

    views = {
        "chunks": inspected.chunks_shown,
        "entities": inspected.entities_shown,
        "edges": inspected.edges_shown,
        "text": inspected.text_shown,
    }
    yield inspected.head_shown(one, origin)
    for part in shown.parts or _USUAL:
        yield views[part](one, whole=shown.whole)


def _origin(generation: Generation) -> str:
    day = f"{generation.published_at:%Y-%m-%d %H:%M} UTC" if generation.published_at else "never"
    return f"from {identity_of(generation.make.source).shown}, index {generation.number} of {day}"


def _may_see(reader: Audience, document: Document | None) -> bool:
    """Return whether the reader may see the document, if one is asked about."""
    return document is None or reader.may_read(document.readers)


async def _why(question: str, audience: Audience, document: Document | None, ports: Ports, *, shows: bool) -> Why:
    """Return how the question is answered up to its facts, as the first one of a conversation.

    With the passages of the document, if it is one to be shown.
    """
    ports = replace(ports, knowledge=ports.knowledge.seen_by(audience))
    registry = ports.knowledge.registry
    matches = resolve_entities(question, registry)
    decision = Standalone(question, phrase("because_first", language_of(question)))
    planned = await make_plan(decision, matches, ports, ports.clock.now())
    payload = await run_plan(planned.plan, decision.question, _tools(ports, audience))
    whole = DocumentSearch(query=decision.question[:500])
    call = next((call for call in planned.plan.tool_calls if isinstance(call, DocumentSearch)), whole)
    assert isinstance(ports.search, HybridSearch)
    standing = await explain(ports.search, call, audience, document if shows else None)
    return Why(asked_words(call.query, registry), planned, payload, standing, audience.groups, document)


def _tools(ports: Ports, audience: Audience) -> Tools:
    return Tools(ports.graph, ports.search, {one.name: one for one in ports.knowledge.intents}, audience)


def _print(*views: RenderableType) -> None:
    console = Console()
    for view in views:
        console.print(view, highlight=False)
