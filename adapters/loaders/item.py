"""One item of any source to its documents: one for most formats, several for an archive or a mail."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Final
from unicodedata import category

from adapters.loaders import archive, mail
from adapters.loaders.assemble import document_of
from adapters.loaders.formats import ARCHIVE, MAIL, check_size, is_risky, reader_of
from adapters.loaders.guard import SHARED, Workers
from core.errors import IngestError
from core.ingest.document import Document
from core.ingest.formats import suffix_of
from core.ingest.source import Item

# An archive in a mail in an archive is as far as people go; what nests further was made to.
NESTING_LIMIT: Final = 2
# So begin the names of what is hidden, of lock files of Office and of what a Mac adds to an archive.
HIDDEN: Final = (".", "~$", "__MACOSX")
# Lie beside documents and are no documents; left out without a word.
ASSETS: Final = frozenset(
    f".{suffix}"
    for suffix in (
        *("png", "jpg", "jpeg", "gif", "svg", "webp", "ico", "bmp", "tif", "tiff", "heic"),
        *("mp3", "wav", "ogg", "mp4", "mov", "webm", "avi"),
        *("css", "js", "map", "woff", "woff2", "ttf", "otf", "eot"),
        *("lock", "bak", "tmp", "ics", "p7s", "vcf"),
    )
)

# What stands where a character could not be read.
_BROKEN: Final = "\ufffd"

Result = Document | IngestError


@dataclass(frozen=True, slots=True)
class _Reading:
    """What holds for everything inside one item: where links lead, what may still be unpacked, and who reads."""

    link_base: str | None
    allowance: archive.Allowance
    workers: Workers

    def documents(self, item: Item) -> Iterator[Result]:
        """Yield the only document of the item, and what of it could not be read. Raises IngestError."""
        reader = reader_of(item.name)
        risky = is_risky(item.name, len(item.data))
        found = self.workers.read(reader, item.data, item.name) if risky else reader(item.data, item.name)
        document = document_of(item, found, self.link_base)
        yield document
        yield from (IngestError(item.name, reason) for reason in found.unread)
        if _BROKEN in document.text:
            yield IngestError(
                item.name, "is read, with broken characters shown as \ufffd: save it anew, as UTF-8 if it is text"
            )


def documents_in(item: Item, link_base: str | None = None, workers: Workers = SHARED) -> Iterator[Result]:
    """Yield the documents of an item, or why one cannot be read; never raises, whatever the bytes are.

    An archive gives its members as `archive.zip/inner/path.md`, a mail itself and its attachments as
    `mail.eml/attachment.pdf`; both to NESTING_LIMIT levels. Of two with one id the first counts. Pictures and what
    else lies beside documents give nothing.
    """
    return unique(_results(item, _Reading(link_base, archive.Allowance(), workers), 0))


def unique(results: Iterable[Result]) -> Iterator[Result]:
    """Yield the results; a document whose id came before is reported instead, over all that is put in here."""
    seen: set[str] = set()
    for result in results:
        if isinstance(result, Document) and result.id in seen:
            yield IngestError(result.id, "another document has the same path: rename or remove one of them")
            continue
        if isinstance(result, Document):
            seen.add(result.id)
        yield result


def is_hidden(name: str) -> bool:
    """Return whether a part of the path is hidden, a lock file of Office or what a Mac adds to an archive."""
    return any(part.startswith(HIDDEN) for part in PurePosixPath(name).parts)


def check_name(name: str) -> None:
    """Raise IngestError when the name has characters that cannot be shown, such as a line end."""
    if (readable := shown(name)) != name:
        raise IngestError(readable, "its name has characters that cannot be shown: rename it")


def shown(name: str) -> str:
    """Return the name as it can be shown: with a line end or half a character in it, as an escape."""
    is_plain = name.isprintable() or not any(category(char) in ("Cc", "Cs") for char in name)
    return name if is_plain else name.encode("unicode_escape").decode("ascii")


def _results(item: Item, reading: _Reading, depth: int) -> Iterator[Result]:
    if suffix_of(item.name) in ASSETS:
        return
    try:
        _check(item)
        match suffix_of(item.name):
            case ".zip":
                yield from _members(item, reading, depth)
            case ".eml":
                yield from _mail(item, reading, depth)
            case _:
                yield from reading.documents(item)
    except IngestError as error:
        yield error
    # A reader's library met something nobody foresaw: this document is lost, the others are not.
    except Exception as error:  # noqa: BLE001
        yield IngestError(item.name, f"could not be read ({type(error).__name__}: {error})")


def _check(item: Item) -> None:
    check_name(item.name)
    check_size(item.name, len(item.data))
    if not item.data.strip():
        raise IngestError(item.name, "is empty: write something into it or remove it")


def _members(item: Item, reading: _Reading, depth: int) -> Iterator[Result]:
    empty = True
    for member in archive.members(item, reading.allowance):
        results = [member] if isinstance(member, IngestError) else _inside(member, item, reading, depth + 1)
        for result in results:
            empty = False
            yield result
    if empty:
        raise IngestError(item.name, "holds nothing to read: put documents into it or remove it")


def _mail(item: Item, reading: _Reading, depth: int) -> Iterator[Result]:
    letter = reading.workers.read(mail.read_mail, item.data, item.name)
    attached = [replace(one, link=item.link, readers=item.readers) for one in letter.attachments]
    yield _letter(item, letter, reading)
    for one in attached:
        if refusal := reading.allowance.spend(one.name, len(one.data)):
            yield refusal
            return
        yield from _inside(one, item, reading, depth + 1)


def _letter(item: Item, letter: mail.Letter, reading: _Reading) -> Result:
    """Return the letter itself, or why it cannot be read: its attachments are read all the same."""
    try:
        return (
            letter.reading
            if isinstance(letter.reading, IngestError)
            else document_of(item, letter.reading, reading.link_base)
        )
    except IngestError as error:
        return error


def _inside(item: Item, outer: Item, reading: _Reading, depth: int) -> Iterator[Result]:
    if is_hidden(item.name.removeprefix(f"{outer.name}/")):
        return
    if depth >= NESTING_LIMIT and suffix_of(item.name) in (ARCHIVE, MAIL):
        yield IngestError(item.name, f"lies more than {NESTING_LIMIT} archives or mails deep: unpack it")
        return
    yield from _results(item, reading, depth)
