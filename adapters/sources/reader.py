"""Whatever a reader of LlamaIndex reads, as a source of documents; the reader is named by a setting, never imported."""

import asyncio
import importlib
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Iterator, Mapping
from contextlib import aclosing, suppress
from dataclasses import dataclass, field
from functools import partial
from inspect import isawaitable
from typing import Any, Final, Literal, TypeVar

from adapters.sources.reader_documents import Told, item_of, told_by
from adapters.sources.reader_thread import ReaderThread
from core.errors import ConfigError, IngestError, Unread
from core.ingest.source import Item

# Values shorter than this are no passwords, and blotting them out would blot out words.
_SECRET_CHARS: Final = 6
_COMPLAINT_CHARS: Final = 300
_END: Final = object()
# Seconds without a document after which a reader is given up. Many load all that there is before they give the first.
SILENCE: Final = 3_600.0

_T = TypeVar("_T")


@dataclass(slots=True)
class ReaderSource:
    """The documents that a reader gives: anything with `lazy_load_data`, `load_data` or `alazy_load_data`.

    `reader` is such an object, or where its class is, as `llama_index.readers.notion:NotionPageReader`: then it is made
    with the `arguments`. `load` is what its loading takes. `suffix` says what its texts are, where they do not show it.
    `readers` are the groups that may read the documents; nobody: everybody. The reader is made, and works, in a
    thread of its own.
    """

    reader: object = field(repr=False)
    arguments: Mapping[str, Any] = field(default_factory=dict, repr=False)
    load: Mapping[str, Any] = field(default_factory=dict, repr=False)
    suffix: Literal[".md", ".txt"] | None = None
    readers: frozenset[str] = frozenset()
    name: str = ""

    def __post_init__(self) -> None:
        what = self.reader if isinstance(self.reader, str) else type(self.reader).__name__
        self.name = self.name or f"the reader {what}"

    async def items(self) -> AsyncIterator[Item | IngestError]:
        """Yield every document, or why one could not be had; a reader that breaks off in the middle ends there.

        Raises ConfigError when the reader is not installed, cannot be made, or gives not one document.
        """
        thread, seen = ReaderThread(), Counter[str]()
        try:
            reader = await self._in_time(thread.do(self._made))
            async with aclosing(_documents(reader, self.load, thread)) as documents:
                while (document := await self._in_time(anext(documents, _END))) is not _END:
                    yield self._item(document, seen)
        except Exception as error:
            if not seen:
                raise self._trouble("gives nothing", error) from error
            yield Unread(self.name, f"broke off after {seen.total()} documents ({self._said(error)}): run it again")
        finally:
            thread.leave()
        if not seen:
            raise ConfigError(f"{self.name} gives no document: check what it is asked to load")

    def _item(self, document: object, seen: Counter[str]) -> Item | IngestError:
        told: Told | None = None
        try:
            told = told_by(document)
            number = seen[told.identity]
            return item_of(told, number, self.suffix, self.readers)
        except Exception as error:  # noqa: BLE001 - a document of another shape is lost, the others are not
            return IngestError(f"{self.name}, document {seen.total() + 1}", f"cannot be read ({self._said(error)})")
        finally:
            seen[told.identity if told else ""] += 1

    async def _in_time(self, work: Awaitable[_T]) -> _T:
        """Return what comes of the work. Raises TimeoutError when nothing does for SILENCE."""
        try:
            async with asyncio.timeout(SILENCE) as patience:
                return await work
        except TimeoutError as error:
            if not patience.expired():
                raise
            raise TimeoutError(f"gave no sign for {SILENCE / 60:g} minutes") from error

    def _made(self) -> object:
        if not isinstance(self.reader, str):
            return self.reader
        make = _named(self.reader)
        try:
            return make(**self.arguments)
        except ImportError as error:
            raise ConfigError(_install(self.reader, error)) from error
        except Exception as error:
            raise self._trouble("cannot be made", error) from error

    def _trouble(self, what: str, error: Exception) -> ConfigError:
        if isinstance(error, ConfigError):
            return error
        if isinstance(error, ImportError) and isinstance(self.reader, str):
            return ConfigError(_install(self.reader, error))
        return ConfigError(f"{self.name} {what} ({self._said(error)}): check its arguments, and what it asks for")

    def _said(self, error: Exception) -> str:
        """Return the error in its own words, with the values of all arguments blotted out."""
        text = f"{type(error).__name__}: {' '.join(str(error).split())}"
        for secret in sorted(_texts([self.arguments, self.load]), key=len, reverse=True):
            text = text.replace(secret, "***")
        return text[:_COMPLAINT_CHARS]


def _named(dotted: str) -> Any:
    """Return the class with this name. Raises ConfigError that says how to install what is missing."""
    module, colon, attribute = dotted.partition(":")
    if not (colon and attribute.isidentifier() and all(part.isidentifier() for part in module.split("."))):
        raise ConfigError(f"{dotted!r} names no reader: write it as package.module:Class")
    try:
        found = getattr(importlib.import_module(module), attribute, None)
    except ImportError as error:
        raise ConfigError(_install(dotted, error)) from error
    if not callable(found):
        raise ConfigError(
            f"there is no {attribute} in {module}: look up the name of the reader, and its package's version"
        )
    return found


def _install(dotted: str, error: ImportError) -> str:
    """Return the advice; LlamaIndex calls a package as its first three modules (docs.llamaindex.ai, LlamaHub)."""
    parts = dotted.partition(":")[0].split(".")
    is_llama = parts[0] == "llama_index"
    package = "-".join(parts[: 2 if parts[1:2] == ["core"] else 3] if is_llama else parts[:1]).replace("_", "-")
    missing = (error.name or "").split(".")
    if missing != [""] and missing != parts[: len(missing)]:
        package = f"{package} {missing[0].replace('_', '-')}"
    return f"the reader {dotted} is not installed ({error}): run `pip install {package}`"


def _texts(value: object) -> Iterator[str]:
    match value:
        case str() if len(value) >= _SECRET_CHARS:
            yield value
        case Mapping():
            yield from _texts(list(value.values()))
        case list() | tuple() | set() | frozenset():
            for part in value:
                yield from _texts(part)


async def _documents(reader: Any, load: Mapping[str, Any], thread: ReaderThread) -> AsyncGenerator[object, None]:
    """Yield what the reader loads, one after the other when it can, all at once when not."""
    if not any(hasattr(reader, name) for name in ("lazy_load_data", "load_data", "alazy_load_data")):
        raise ConfigError(f"{type(reader).__name__} is no reader: it has no load_data")
    if not hasattr(reader, "load_data") and not hasattr(reader, "lazy_load_data"):
        found = reader.alazy_load_data(**load)
        found = await found if isawaitable(found) else found
        if hasattr(found, "__aiter__"):
            async for document in found:
                yield document
            return
        load_all = partial(iter, found)
    else:
        load_all = partial(_loaded, reader, load)
    documents = await thread.do(load_all)
    while (document := await thread.do(partial(next, documents, _END))) is not _END:
        yield document


def _loaded(reader: Any, load: Mapping[str, Any]) -> Iterator[object]:
    if hasattr(reader, "lazy_load_data"):
        # What the base class of all readers says when only load_data is written.
        with suppress(NotImplementedError):
            return iter(reader.lazy_load_data(**load))
    return iter(reader.load_data(**load))
