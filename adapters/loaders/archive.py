"""Zip archives: their members as items, and the limits that no bomb gets through."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from io import BytesIO
from typing import Final
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from adapters.loaders.formats import check_size
from core.errors import IngestError
from core.ingest.source import Item

# Over everything that one item unpacks to, however its archives are nested.
UNPACKED_LIMIT: Final = 300_000_000
MEMBERS_LIMIT: Final = 10_000
# Text shrinks to a fifth, a table of one value to a hundredth; zeros, of which bombs are made, to a thousandth.
RATIO_LIMIT, RATIO_FREE = 200, 1_000_000
_DIRECTORY_ENTRY = b"PK\x01\x02"
_PROTECTED, _UTF8 = 0x1, 0x800
# What Python unpacks piece by piece; bzip2 and LZMA it unpacks whole, whatever size the archive states.
_BOUNDED: Final = (ZIP_STORED, ZIP_DEFLATED)


@dataclass(slots=True)
class Allowance:
    """What may still be unpacked from one item."""

    size: int = UNPACKED_LIMIT
    members: int = MEMBERS_LIMIT

    def spend(self, name: str, size: int) -> IngestError | None:
        """Take one member from it, or return why it may not be unpacked; what comes after it may not either."""
        self.size -= size
        self.members -= 1
        if self.size < 0:
            return IngestError(name, f"its archive unpacks to more than {UNPACKED_LIMIT:,} bytes: split the archive")
        if self.members < 0:
            return IngestError(name, f"its archive holds more than {MEMBERS_LIMIT:,} files: split the archive")
        return None


def members(item: Item, allowance: Allowance) -> Iterator[Item | IngestError]:
    """Yield the files in an archive, named `archive.zip/inner/path.md`, or why one cannot be had.

    No member gives more bytes than the archive states for it, so the limits are checked before anything is unpacked.
    Raises IngestError when the archive as a whole cannot be read.
    """
    if item.data.count(_DIRECTORY_ENTRY) > MEMBERS_LIMIT:
        raise IngestError(item.name, f"holds more than {MEMBERS_LIMIT:,} files: split it")
    try:
        archive = ZipFile(BytesIO(item.data))
    # Broken offsets and names end in more than the one error that is meant for it.
    except Exception as error:
        raise IngestError(item.name, "is not a zip archive, or is cut off: pack it again") from error
    with archive:
        for member in archive.infolist():
            if member.is_dir():
                continue
            if refusal := allowance.spend(f"{item.name}/{_shown(member)}", member.file_size):
                yield refusal
                return
            yield _member(archive, member, item)


def _member(archive: ZipFile, member: ZipInfo, item: Item) -> Item | IngestError:
    name = f"{item.name}/{_shown(member)}"
    try:
        check_size(name, member.file_size)
        _check(member, name)
        return replace(item, name=name, title=None, data=_unpacked(archive, member))
    except IngestError as error:
        return error
    # A wrong checksum, an unknown compression, a broken stream: each decompressor has its own error.
    except Exception as error:  # noqa: BLE001
        return IngestError(name, f"cannot be unpacked ({error}): pack the archive again")


def _unpacked(archive: ZipFile, member: ZipInfo) -> bytes:
    """Return the member; of one that has more than it states, no more is unpacked, and its checksum gives it away."""
    with archive.open(member) as stream:
        return stream.read(member.file_size)


def _check(member: ZipInfo, name: str) -> None:
    inner = _shown(member)
    if inner.startswith("/") or inner[1:2] == ":" or ".." in inner.split("/"):
        raise IngestError(name, "its path leads out of the archive: pack it with paths below one folder")
    if member.flag_bits & _PROTECTED:
        raise IngestError(name, "is protected by a password: pack it without one")
    if member.compress_type not in _BOUNDED:
        raise IngestError(name, "is packed in an unusual way: pack it again with the usual compression (Deflate)")
    if member.file_size > RATIO_FREE and member.file_size > RATIO_LIMIT * member.compress_size:
        raise IngestError(name, f"unpacks to more than {RATIO_LIMIT} times its size: pack what it holds otherwise")


def _shown(member: ZipInfo) -> str:
    """Return the member's path; of names without their encoding Macs write UTF-8, and Russian Windows cp866."""
    name = member.filename
    if not member.flag_bits & _UTF8 and not name.isascii():
        raw = name.encode("cp437", "replace")
        try:
            name = raw.decode("utf-8")
        except UnicodeDecodeError:
            name = raw.decode("cp866")
    return name.replace("\\", "/").removeprefix("./")
