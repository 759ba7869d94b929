"""Mails as files (EML): the letter, what it quotes, and its attachments."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from email import message_from_bytes
from email._policybase import Compat32
from email.errors import MessageError
from email.header import decode_header, make_header
from email.message import Message
from email.utils import parsedate_to_datetime
from itertools import count, groupby
from mimetypes import guess_extension
from pathlib import PurePosixPath
from typing import Final

from adapters.loaders.closing import check_head
from adapters.loaders.decoding import decode
from adapters.loaders.front_matter import Meta
from adapters.loaders.html import reading_of
from adapters.loaders.mail_quotes import with_earlier
from adapters.loaders.reading import Reading
from core.errors import IngestError
from core.ingest import plaintext
from core.ingest.pieces import Piece, one_line
from core.ingest.source import Item

# A letter has a few parts; what nests or counts further was made to.
PARTS_LIMIT: Final = 1_000
DEPTH_LIMIT: Final = 30
# Longer lists of recipients are cut: nobody asks for the two hundredth.
LONGEST_HEADER: Final = 3_000
# The HTML of a letter repeats the plain text beside it; with so many times as much text it is the letter.
_MUCH_MORE: Final = 2
_QUOTED = re.compile(r"^\s{0,3}>")
_MARKS = re.compile(r"^[\s>]+")
_PATH = re.compile(r"[/\\]")


class _ShortHeaders(Compat32):
    """Headers cut at a length: the library takes time that grows with its square to find the parameters in one."""

    def header_source_parse(self, sourcelines: list[str]) -> tuple[str, str]:
        name, value = super().header_source_parse(sourcelines)
        return name, value[:LONGEST_HEADER]


@dataclass(frozen=True, slots=True)
class Letter:
    """A mail as it was understood, or why it was not, and its attachments as items below it."""

    reading: Reading | IngestError
    attachments: tuple[Item, ...]


def read_mail(data: bytes, path: str) -> Letter:
    """Return a mail as a reader sees it: subject as title, the plain text before the HTML where both say the same.

    Raises IngestError when it is no mail.
    """
    try:
        return _letter(data, path)
    except RecursionError as error:
        raise IngestError(path, "has parts in parts without end: save it again from the mail program") from error


def _letter(data: bytes, path: str) -> Letter:
    message = message_from_bytes(data, policy=_ShortHeaders())
    if not message.keys() or not any(message.get(name) for name in ("From", "To", "Subject", "Date")):
        raise IngestError(path, "is not a mail: save it again from the mail program as .eml")
    parts = list(_parts(message, path, 0))
    sent = _sent(message)
    attached = [_attachment(part, path, sent, number) for number, part in enumerate(parts, 1) if _is_attached(part)]
    attachments = tuple(_told_apart(attached))
    bodies = [part for part in parts if not _is_attached(part)]
    try:
        return Letter(Reading(_body(bodies, path), _meta(message, sent)), attachments)
    except IngestError as error:
        return Letter(error, attachments)


def _parts(message: Message, path: str, depth: int) -> Iterator[Message]:
    """Yield the parts that hold something; a mail in the mail is one of them."""
    if depth > DEPTH_LIMIT:
        raise IngestError(path, f"has parts more than {DEPTH_LIMIT} levels deep: save it again from the mail program")
    inner = message.get_payload()
    if not isinstance(inner, list) or message.get_content_type() == "message/rfc822":
        yield message
        return
    if len(inner) > PARTS_LIMIT:
        raise IngestError(path, f"has more than {PARTS_LIMIT:,} parts: save it again from the mail program")
    for part in inner:
        if isinstance(part, Message):
            yield from _parts(part, path, depth + 1)


def _is_attached(part: Message) -> bool:
    if part.get_content_type() == "message/rfc822" or part.get_content_disposition() == "attachment":
        return True
    return part.get_content_maintype() != "text" or part.get_filename() is not None


def _meta(message: Message, sent: datetime | None) -> Meta:
    stated = {name: _header(message, name) for name in ("Subject", "From", "To", "Cc")}
    fields = {"title": stated.pop("Subject"), **{name.lower(): value for name, value in stated.items()}}
    if sent is not None:
        fields |= {"date": sent.strftime("%Y-%m-%d %H:%M"), "updated": sent.date().isoformat()}
    return {key: value for key, value in fields.items() if value}


def _header(message: Message, name: str) -> str:
    """Return a header as a person sees it; one in a broken encoding as it is written."""
    raw = str(message.get(name, ""))[:LONGEST_HEADER]
    try:
        return one_line(str(make_header(decode_header(raw))))
    except (MessageError, LookupError, ValueError):
        return one_line(raw.encode("utf-8", "replace").decode("utf-8", "replace"))


def _sent(message: Message) -> datetime | None:
    try:
        return parsedate_to_datetime(str(message.get("Date", ""))[:LONGEST_HEADER])
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


def _body(parts: list[Message], path: str) -> tuple[Piece, ...]:
    """Return what the plain parts say, or the HTML where it says much more than "see the HTML version" or a footer."""
    plain = [text for part in parts if part.get_content_subtype() == "plain" and (text := _text(part, path)).strip()]
    for text in plain:
        check_head(text, path)
    said = tuple(piece for text in plain for piece in _plain_pieces(text))
    said = tuple(with_earlier(said))
    rich = [part for part in parts if part.get_content_subtype() == "html"]
    try:
        shown = tuple(piece for part in rich for piece in with_earlier(reading_of(_text(part, path), path).pieces))
    except IngestError:
        if not said:
            raise
        return said
    return shown if _length(shown) > _MUCH_MORE * _length(said) else said


def _length(pieces: tuple[Piece, ...]) -> int:
    return sum(len(piece.text) for piece in pieces)


def _text(part: Message, path: str) -> str:
    return decode(_bytes(part), path, part.get_content_charset())


def _bytes(part: Message) -> bytes:
    found = part.get_payload(decode=True)
    return found if isinstance(found, bytes) else b""


def _plain_pieces(text: str) -> Iterator[Piece]:
    """Yield what the letter says, and each paragraph that it quotes; short lines in it are no headings."""
    for quoted, lines in groupby(text.split("\n"), key=lambda line: bool(_QUOTED.match(line))):
        if quoted:
            yield from _quotes([_MARKS.sub("", line) for line in lines])
        else:
            for piece in plaintext.pieces_of("\n".join(lines)):
                yield replace(piece, kind="paragraph", depth=0) if piece.kind in ("heading", "field") else piece


def _quotes(lines: list[str]) -> Iterator[Piece]:
    for full, run in groupby(lines, key=lambda line: bool(line.strip())):
        if full:
            yield Piece("quote", one_line(" ".join(run)))


def _attachment(part: Message, path: str, sent: datetime | None, number: int) -> Item:
    """Return an attachment as an item below the mail; its name cannot lead anywhere else."""
    updated = sent.date().isoformat() if sent else None
    if part.get_content_type() == "message/rfc822":
        inner = part.get_payload()
        letter = inner[0] if isinstance(inner, list) and inner and isinstance(inner[0], Message) else part
        name = _PATH.sub(" ", _header(letter, "Subject")) or f"mail {number}"
        return Item(f"{path}/{name}.eml", letter.as_bytes(), updated=updated)
    stated = one_line(_PATH.split(_decoded_name(part))[-1])
    name = stated if stated.strip(".") else f"attachment {number}{guess_extension(part.get_content_type()) or ''}"
    return Item(f"{path}/{name}", _bytes(part), updated=updated)


def _told_apart(attached: Sequence[Item]) -> Iterator[Item]:
    """Yield the attachments; one whose name came before gets a number, as in `contract (2).txt`."""
    stated = {one.name for one in attached}
    numbers: dict[str, Iterator[int]] = {}
    for one in attached:
        if one.name not in numbers:
            numbers[one.name] = count(2)
            yield one
            continue
        ending = PurePosixPath(one.name).suffix
        numbered = (f"{one.name.removesuffix(ending)} ({number}){ending}" for number in numbers[one.name])
        yield replace(one, name=next(name for name in numbered if name not in stated))


def _decoded_name(part: Message) -> str:
    stated = part.get_filename() or ""
    try:
        return str(make_header(decode_header(stated)))
    except (MessageError, LookupError, ValueError):
        return stated
