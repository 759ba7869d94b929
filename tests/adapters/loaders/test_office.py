"""Office files that were made to do harm, or came to harm, are refused with the remedy."""

import pytest

from adapters.loaders import archive as zips
from adapters.loaders import docx as word
from adapters.loaders import office
from core.errors import IngestError
from tests.adapters.loaders.made import archive, docx, inside, paragraph, repacked, slides, workbook, zipped

FILES = {
    "a.docx": docx(paragraph("Отпуск")),
    "a.pptx": slides(("Отпуск", ["28 дней"])),
    "a.xlsx": workbook(("Отпуск", [["дни", "год"], [28, 2025]])),
}
MAIN = {"a.docx": "word/document.xml", "a.pptx": "ppt/slides/slide1.xml", "a.xlsx": "xl/worksheets/sheet1.xml"}
LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
BOMB = f'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY l0 "lol">{LAUGHS}]><a>&l9;</a>'
OUTSIDE = '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY e SYSTEM "file:///etc/hostname">]><a>&e;</a>'
every = pytest.mark.parametrize("name", FILES)


def refused(name: str, data: bytes) -> str:
    """Return why the only thing in the item was refused."""
    (bad,) = inside(name, data)
    assert isinstance(bad, IngestError)
    return bad.reason


@every
@pytest.mark.parametrize("share", [0.2, 0.5, 0.9, 0.99])
def test_truncated(name: str, share: float) -> None:
    """A file that is cut off is named with the program that mends it."""
    data = FILES[name]

    assert "cut off: open it in" in refused(name, data[: int(share * len(data))])


@every
def test_encrypted(name: str) -> None:
    """Office wraps a file with a password into a compound file: it is known by its first bytes."""
    assert "protected by a password" in refused(name, bytes.fromhex("d0cf11e0a1b11ae1") + b"\0" * 2_000)


@every
@pytest.mark.parametrize("bomb", [BOMB, OUTSIDE])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_document_types(name: str, bomb: str, encoding: str) -> None:
    """XML that multiplies itself, or reads a file of the machine, is refused before a parser sees it."""
    data = repacked(FILES[name], {MAIN[name]: bomb.encode(encoding)})

    assert "has a document type" in refused(name, data)


@every
def test_other_archives(name: str) -> None:
    """A zip archive of other things is no office file."""
    assert "open it in" in refused(name, archive({"a.txt": "x"}))


@every
def test_broken_xml(name: str) -> None:
    """A part that is no XML is named."""
    assert "broken" in refused(name, repacked(FILES[name], {MAIN[name]: b"<a><b></a>"}))


@every
def test_bombs(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What unpacks to far more than any document has is refused by what it states, pictures or text."""
    monkeypatch.setattr(office, "UNPACKED_LIMIT", 5_000_000)
    pictures = repacked(FILES[name], {"media/a.png": b"\0" * 6_000_000})
    text = repacked(FILES[name], {MAIN[name]: b" " * 101_000_000})

    assert "unpacks to 6," in refused(name, pictures)
    monkeypatch.setattr(office, "UNPACKED_LIMIT", 300_000_000)
    assert "bytes of text, more than" in refused(name, text)


@every
def test_very_many_parts(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A list of parts that is a bomb by itself is not read."""
    monkeypatch.setattr(office, "PARTS_LIMIT", 20)

    assert "more than 20 parts" in refused(name, repacked(FILES[name], {f"{n}.bin": b"" for n in range(20)}))


def test_limits_hold_inside_archives() -> None:
    """An office file in an archive is checked as one by itself."""
    inner = repacked(FILES["a.docx"], {MAIN["a.docx"]: b" " * (word.XML_LIMIT + 1)})

    assert len(inner) < zips.RATIO_FREE
    assert "bytes of text" in refused("z.zip", zipped({"a.docx": inner}))
