"""`footnote inspect`: a document as it was understood, and why a question finds it or does not."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from rich.console import Console, RenderableType

from adapters.search.explain import explain
from adapters.search.hybrid import HybridSearch
from bot.commands import NOTHING_INDEXED, ready_bot
from bot.inspect_data import document_data, why_data
from bot.knowledge import Loaded, load, ports_over
from bot.settings import read_settings
from bot.wiring import Stores, opened
from core.conversation import Audience
from core.entities import resolve_entities
from core.errors import ConfigError, IngestError
from core.executor import Tools, run_plan
from core.followup import Standalone
from core.ingest.document import Document
from core.ingest.generation import Generation
from core.ingest.identity import identity_of
from core.ingest.portrait import Portrait, looked_up, portrait_of
from core.phrases import phrase
from core.pipeline import Ports, make_plan, unanswerable
from core.plan import DocumentSearch
from core.render import text_of
from core.standing import Why, asked_words
from core.text import language_of

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

    Raises ConfigError when nothing is indexed, no document is so called or several are, and when neither a document
    nor a question is given; and PortError.
    """
    if words is None and question is None:
        raise ConfigError('name a document, as footnote inspect FILE, or ask: footnote inspect --question "…"')
    if question is not None and (remark := unanswerable(question)) is not None:
        raise ConfigError(text_of(remark))
    settings = read_settings()
    if question is None:
        async with opened(settings) as stores:
            loaded, problems = await _loaded(stores)
            return await _understood(await _document(words or "", loaded, problems), loaded, problems, shown)
    async with ready_bot(settings) as (bot, stores):
        loaded, problems = await _loaded(stores)
        document = await _document(words, loaded, problems) if words is not None else None
        ports = ports_over(loaded, stores, bot.model_for("local"), settings)
        why = await _why(question, Audience("local", groups), document, ports)
    if not shown.quiet:
        from adapters.console.explained import why_shown

        _print(why_shown(why, loaded.documents))
    return why_data(why)


async def _loaded(stores: Stores) -> tuple[Loaded, Problems]:
    """Return the live generation, and what could not be read when it was made."""
    live = await stores.catalog.live()
    if live is None:
        raise ConfigError(NOTHING_INDEXED)
    items = await stores.catalog.items(live.number)
    return await load(live, stores), tuple(problem for item in items.values() for problem in item.problems)


async def _document(words: str, loaded: Loaded, problems: Problems) -> Document:
    """Return the document that is meant. Raises ConfigError that names those that may be, or why it is not there."""
    source = loaded.generation.make.source
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
        return path.resolve().relative_to(source).as_posix() if path.exists() else words
    except (ValueError, OSError, RuntimeError):
        return words


def _lies_in(source: str, words: str) -> bool:
    try:
        return (Path(source) / words).is_file()
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


async def _why(question: str, audience: Audience, document: Document | None, ports: Ports) -> Why:
    """Return how the question is answered up to its facts, as the first one of a conversation."""
    registry = ports.knowledge.registry
    matches = resolve_entities(question, registry)
    decision = Standalone(question, phrase("because_first", language_of(question)))
    planned = await make_plan(decision, matches, ports, ports.clock.now())
    payload = await run_plan(planned.plan, decision.question, _tools(ports, audience))
    whole = DocumentSearch(query=decision.question[:500])
    call = next((call for call in planned.plan.tool_calls if isinstance(call, DocumentSearch)), whole)
    assert isinstance(ports.search, HybridSearch)
    standing = await explain(ports.search, call, audience, document)
    return Why(asked_words(call.query, registry), planned, payload, standing, audience.groups, document)


def _tools(ports: Ports, audience: Audience) -> Tools:
    return Tools(ports.graph, ports.search, {one.name: one for one in ports.knowledge.intents}, audience)


def _print(*views: RenderableType) -> None:
    console = Console()
    for view in views:
        console.print(view, highlight=False)
