"""Several sources as one: each item below the name of its source, and a source that fails loses nothing."""

from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import PurePosixPath
from typing import Final
from urllib.parse import quote

from core.audience import folded
from core.errors import ConfigError, Gone, IngestError, Unread
from core.ingest.source import Item, Offer, Signed, Source

# Told of a source by its name in words, and how many of its items have come.
Tell = Callable[[str, int], None]

_ARCHIVE: Final = ".zip"


@dataclass(frozen=True, slots=True)
class Part:
    """A source of a corpus, and what is declared of it.

    `name` is the folder that its items stand in; without one, which only a source by itself can do, they stay as they
    are. `readers` are the groups that may read it at most; nobody: whoever the items allow. `link_base` is where the
    pages lie that say not themselves where they are.
    """

    name: str
    source: Source
    readers: frozenset[str] = frozenset()
    kind: str | None = None
    link_base: str | None = None


def tell_nobody(_name: str, _count: int) -> None:
    """Tell nobody."""


@dataclass(slots=True)
class Several:
    """The items of all parts, part after part. `tell` hears how far the part is that is being read."""

    parts: Sequence[Part]
    tell: Tell = field(default=tell_nobody, repr=False)
    name: str = field(init=False)

    def __post_init__(self) -> None:
        self.name = ", ".join(part.source.name for part in self.parts)

    async def items(self) -> AsyncIterator[Item | IngestError]:
        """Yield every item below the name of its part; a part that fails or gives nothing is an `Unread`.

        Raises ConfigError when no part gives one.
        """
        reasons, something = list[str](), False
        for part in self.parts:
            async with aclosing(_whole(part, self.tell)) as everything:
                async for found in everything:
                    something = something or isinstance(found, Item)
                    reasons += [found.reason] if isinstance(found, Unread) else []
                    yield found
        if not something:
            raise ConfigError("; ".join(dict.fromkeys(reasons)))


@dataclass(slots=True)
class SeveralSigned(Several):
    """The same of parts that can all tell by a sign what did not change."""

    def offers(self) -> Sequence[Offer | IngestError]:
        """Return what the parts offer, unread. Raises ConfigError as `items` does."""
        found = [offer for part in self.parts for offer in _offers(part, self.tell)]
        if not any(isinstance(one, Offer) for one in found):
            raise ConfigError("; ".join(dict.fromkeys(one.reason for one in found if isinstance(one, Unread))))
        return found


def together(parts: Sequence[Part], tell: Tell = tell_nobody) -> Source:
    """Return the parts as one source, which tells by signs what did not change if all of them can."""
    return (SeveralSigned if all(isinstance(part.source, Signed) for part in parts) else Several)(parts, tell)


async def _whole(part: Part, tell: Tell) -> AsyncGenerator[Item | IngestError, None]:
    """Yield what the part gives, and at last why it failed as a whole, if it did."""
    count, shut, problems = 0, set[frozenset[str]](), list[IngestError]()
    tell(part.source.name, count)
    try:
        async for found in part.source.items():
            given = _placed(part, found)
            if isinstance(given, Item):
                count += 1
                tell(part.source.name, count)
            elif isinstance(found, Item):
                # That nobody may read it is said once of all with the same readers: of a channel, not of each thread.
                if found.readers in shut:
                    continue
                shut.add(found.readers)
            problems += [given] if isinstance(given, IngestError) and not problems else []
            yield given
    except ConfigError as error:
        yield Unread(part.name, str(error), part.name)
    # A defect of one source, or of the library that it is read by, must not cost the others.
    except Exception as error:  # noqa: BLE001
        yield _defect(part, error)
    else:
        if not count:
            yield _nothing(part, problems)


def _offers(part: Part, tell: Tell) -> list[Offer | IngestError]:
    """Return what a part with signs offers, and at last why it failed as a whole, if it did."""
    assert isinstance(part.source, Signed)
    tell(part.source.name, 0)
    try:
        found = part.source.offers()
    except ConfigError as error:
        return [Unread(part.name, str(error), part.name)]
    except Exception as error:  # noqa: BLE001 - as above
        return [_defect(part, error)]
    # What is declared of a part is in no file, and changes what is made of each.
    declared = sha256(repr((sorted(part.readers), part.kind, part.link_base)).encode()).hexdigest()[:16]
    given = [_offer(part, one, declared) if isinstance(one, Offer) else _placed(part, one) for one in found]
    offers = [one for one in given if not isinstance(one, Item)]
    if not any(isinstance(one, Offer) for one in offers):
        offers.append(_nothing(part, [one for one in offers if isinstance(one, IngestError)]))
    tell(part.source.name, len(offers))
    return offers


def _offer(part: Part, offer: Offer, declared: str) -> Offer:
    def read() -> Item:
        try:
            given = _placed(part, offer.read())
        except IngestError as error:
            raise _told(part, error) from error
        if isinstance(given, IngestError):
            raise given
        return given

    sign = f"{offer.sign}/{declared}" if offer.sign else ""
    return Offer(_below(part.name, offer.name), sign, read, offer.size)


def _defect(part: Part, error: Exception) -> Unread:
    return Unread(part.name, f"{part.source.name} cannot be read ({type(error).__name__}: {error})", part.name)


def _nothing(part: Part, problems: Sequence[IngestError]) -> Unread:
    first = f"; the first problem: {problems[0]}" if problems else ""
    return Unread(part.name, f"{part.source.name} gives nothing to read{first}", part.name)


def _placed(part: Part, found: Item | IngestError) -> Item | IngestError:
    """Return what the part gave as the corpus has it."""
    if isinstance(found, IngestError):
        return _told(part, found)
    name = _below(part.name, found.name)
    given, own = (frozenset(map(folded, readers)) for readers in (part.readers, found.readers))
    if given and own and not given & own:
        ours, theirs = ", ".join(sorted(given)), ", ".join(sorted(own))
        return IngestError(name, f"nobody may read it: it is for {theirs}, and the source for {ours} alone")
    both = given & own or given | own
    return replace(found, name=name, link=_link(part, found), readers=both, kind=_kind(part, found))


def _told(part: Part, error: IngestError) -> IngestError:
    """Return the error as the corpus has it, named so that its document can be found."""
    # Addresses, channels and a source that broke off say by themselves whose they are.
    as_it_is = "://" in error.path or error.path.startswith("#") or (isinstance(error, Unread) and not error.keeps)
    path = error.path if as_it_is else _below(part.name, error.path)
    if isinstance(error, Unread):
        return Unread(path, error.reason, _below(part.name, error.keeps))
    if isinstance(error, Gone):
        return Gone(path, error.reason, _below(part.name, error.name))
    return IngestError(path, error.reason)


def _below(name: str, path: str) -> str:
    return f"{name}/{path}".rstrip("/") if name else path


def _link(part: Part, item: Item) -> str | None:
    return item.link or (f"{part.link_base.rstrip('/')}/{quote(item.name)}" if part.link_base else None)


def _kind(part: Part, item: Item) -> str | None:
    """Return the declared kind; the name of the part is none, so a page that lies right below it is a plain page."""
    path = PurePosixPath(item.name)
    is_page = part.name and len(path.parts) == 1 and path.suffix.lower() != _ARCHIVE
    return part.kind or item.kind or ("page" if is_page else None)
