"""Office files are zip archives of XML: what is checked before a library may open one."""

from io import BytesIO
from typing import Final
from xml.parsers import expat
from zipfile import ZipFile, ZipInfo

from core.errors import IngestError

# A few kilobytes can unpack to gigabytes; no handbook does. The XML of a document becomes a tree many times its size.
UNPACKED_LIMIT: Final = 300_000_000
XML_LIMIT: Final = 30_000_000
PARTS_LIMIT: Final = 10_000
_COMPOUND = bytes.fromhex("d0cf11e0a1b11ae1")
_DIRECTORY_ENTRY = b"PK\x01\x02"
_PIECE = 65_536


def check_package(data: bytes, path: str, program: str, xml_limit: int = XML_LIMIT) -> None:
    """Raise IngestError unless the bytes are a whole archive that is safe to unpack and to parse.

    Refused: what is protected or not an archive, what grows beyond the limits, and XML with a document type, which
    the format forbids (ECMA-376 part 2) and only attacks use. `program` opens such files; the remedy names it.
    """
    if data.startswith(_COMPOUND):
        raise IngestError(path, f"is protected by a password, or is of an old {program}: save a copy without one")
    if data.count(_DIRECTORY_ENTRY) > PARTS_LIMIT:
        raise IngestError(path, f"holds more than {PARTS_LIMIT:,} parts: split it")
    try:
        with ZipFile(BytesIO(data)) as archive:
            _check_sizes(archive.infolist(), path, xml_limit)
            typed = [part.filename for part in archive.infolist() if _is_xml(part) and _has_type(archive, part)]
    except IngestError:
        raise
    # zipfile reports a damaged archive by whatever its offsets, its decompressors or the file's own flags raise.
    except Exception as error:
        again = f"is not a {program} file, or is cut off: open it in {program} and save it again"
        raise IngestError(path, again) from error
    if typed:
        raise IngestError(path, f"has a document type in {typed[0]!r}: open it in {program} and save it again")


def _check_sizes(parts: list[ZipInfo], path: str, xml_limit: int) -> None:
    size = sum(part.file_size for part in parts)
    if size > UNPACKED_LIMIT:
        raise IngestError(path, f"unpacks to {size:,} bytes, more than {UNPACKED_LIMIT:,}: split it")
    text = sum(part.file_size for part in parts if _is_xml(part))
    if text > xml_limit:
        raise IngestError(path, f"unpacks to {text:,} bytes of text, more than {xml_limit:,}: split it")


def _is_xml(part: ZipInfo) -> bool:
    return part.filename.lower().endswith((".xml", ".rels", ".vml"))


def _has_type(archive: ZipFile, part: ZipInfo) -> bool:
    """Return whether a document type stands above the first element, in whichever encoding."""
    parser, seen = expat.ParserCreate(), set[str]()
    parser.StartDoctypeDeclHandler = lambda *_: seen.add("type")
    parser.StartElementHandler = lambda *_: seen.add("element")
    with archive.open(part) as stream:
        while not seen and (piece := stream.read(_PIECE)):
            try:
                parser.Parse(piece)
            except expat.ExpatError:
                break
    return "type" in seen
