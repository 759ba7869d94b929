"""What can go wrong, as a reader meets it.

BotError
    ConfigError             a setting is missing or wrong; names the variable and the fix
    IngestError             one document cannot be read; the rest of the batch goes on
        Unread              it could not be had this time; what is indexed of it stays
        Gone                it is not there any more; what is indexed of it goes, whatever else could not be had
        Unused              a rule on who may read what fits no document
        Pageless            a declared name has a page that is no document
    IndexingStopped         an index run was asked to stop; the next one goes on from there
    PortError               the outside failed; `retry` says whether trying again may help
        ModelError          a language model gave no usable answer
            ModelTimeout    it did not answer in time
            ModelRefused    the provider refused: key, model name, quota, content rules
                TextsRefused    it refused some texts to embed, and took the others
            BadModelOutput  it answered, but not in the asked form
        SearchError         the index could not be searched
        StorageError        threads, documents or audit could not be read or written
        DeliveryError       a platform did not take a message
"""

from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import Any


class BotError(Exception):
    """Base of every error that Footnote raises on purpose; its text tells the reader what to do."""


class ConfigError(BotError):
    """A setting is missing or wrong."""


class IngestError(BotError):
    """One document cannot be read."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path}: {reason}")
        self.path = path
        self.reason = reason

    def __reduce__(self) -> tuple[Any, ...]:
        """Return how it is made again in another process."""
        return type(self), (self.path, self.reason), self.__dict__


class Unread(IngestError):
    """A document, or all of them below a path, could not be had this time; what is indexed of them stays.

    `keeps` is the name of the item or of the folder of items; nothing stands for all that the source holds.
    """

    def __init__(self, path: str, reason: str, keeps: str = "") -> None:
        super().__init__(path, reason)
        self.keeps = keeps


class Gone(IngestError):
    """A document is not there any more, and goes also where all of its source stays because something failed.

    `name` is that of the item.
    """

    def __init__(self, path: str, reason: str, name: str = "") -> None:
        super().__init__(path, reason)
        self.name = name


class Unused(IngestError):
    """A rule on who may read what fits no document: most likely a slip, by which something is open."""


class Pageless(IngestError):
    """A name is declared with a page that is no document, so that nothing is known of it but its name."""


class IndexingStopped(BotError):
    """An index run was asked to stop."""

    def __init__(self) -> None:
        super().__init__("the index run was stopped: answers come from the index as it was; the next run goes on here")


class PortError(BotError):
    """Something outside failed."""

    def __init__(self, port: str, reason: str, *, retry: bool = False) -> None:
        super().__init__(f"{port}: {reason}")
        self.port = port
        self.reason = reason
        self.retry = retry


class ModelError(PortError):
    """A language model gave no usable answer; `tokens` and `cost`, in US dollars, are what that took all the same."""

    def __init__(self, reason: str, *, retry: bool = False, tokens: int = 0, cost: float = 0.0) -> None:
        super().__init__("model", reason, retry=retry)
        self.tokens = tokens
        self.cost = cost


class ModelTimeout(ModelError):
    """The model did not answer in time."""


class ModelRefused(ModelError):
    """The provider refused the call."""


class TextsRefused(ModelRefused):
    """The provider refused some texts to embed, and took the others.

    `places`: of the refused among those given, from 0; `vectors`: of the others, by their places.
    """

    def __init__(self, reason: str, places: Sequence[int], vectors: Mapping[int, Sequence[float]]) -> None:
        super().__init__(reason)
        self.places = tuple(places)
        self.vectors = vectors


class BadModelOutput(ModelError):
    """The model answered, but not in the form that was asked for."""


class SearchError(PortError):
    """The index could not be searched."""

    def __init__(self, reason: str, *, retry: bool = False) -> None:
        super().__init__("search", reason, retry=retry)


class StorageError(PortError):
    """Stored data could not be read or written."""

    def __init__(self, reason: str, *, retry: bool = False) -> None:
        super().__init__("storage", reason, retry=retry)


class DeliveryError(PortError):
    """A platform did not take a message."""

    def __init__(self, reason: str, *, retry: bool = False) -> None:
        super().__init__("delivery", reason, retry=retry)


def whereabouts(error: BaseException) -> str:
    """Return what an error of ours says, or the kind of another and where it arose: its text may quote people."""
    if isinstance(error, BotError):
        return str(error)
    trace, places = error.__traceback__, [type(error).__name__]
    while trace is not None:
        code = trace.tb_frame.f_code
        places.insert(1, f"{PurePath(code.co_filename).name}:{trace.tb_lineno} {code.co_name}")
        trace = trace.tb_next
    return " < ".join(places[:4])
