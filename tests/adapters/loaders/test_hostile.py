"""Files made to harm who reads them: each ends with a reason in bounded time and memory, and harms nothing else."""

import struct
import time
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import closing
from io import BytesIO
from zipfile import ZIP_BZIP2, ZIP_DEFLATED, ZIP_LZMA, ZipFile

import pytest

from adapters.loaders import Workers, formats
from core.errors import IngestError
from core.ingest.document import Document
from tests.adapters.loaders import made
from tests.adapters.loaders.made import docx, inside, one, paragraph, repacked, slides, workbook, zipped

# As much as can be stated in four bytes, and a thousand.
_MOST, _FEW = 0xFFFFFFFE, 1_000
_BOOK = '<!DOCTYPE a [<!ENTITY a "лол"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c SYSTEM "file:///etc/passwd">]>'


@pytest.fixture(scope="module")
def workers() -> Iterator[Workers]:
    """Give the processes that read what is risky, with less time than they usually have."""
    with closing(Workers(seconds=10)) as known:
        yield known


def why(name: str, data: str | bytes, workers: Workers) -> str:
    """Return why a file is not read; what was beside it in an archive is read by the same processes."""
    began = time.process_time()
    (result,) = inside(name, data, None, workers)

    assert isinstance(result, IngestError), result
    assert time.process_time() - began < 5
    return str(result)


def stating(size: int, kind: int) -> bytes:
    """Return an archive whose member, of 6,000,000 bytes, states another size."""
    out = BytesIO()
    with ZipFile(out, "w", kind) as archive:
        archive.writestr("a.txt", b"a" * 6_000_000)
    data = bytearray(out.getvalue())
    for sign, place in ((b"PK\x01\x02", 24), (b"PK\x03\x04", 22)):
        begin = data.find(sign) + place
        data[begin : begin + 4] = struct.pack("<I", size)
    return bytes(data)


@pytest.mark.parametrize("kind", [ZIP_DEFLATED, ZIP_BZIP2, ZIP_LZMA])
@pytest.mark.parametrize("size", [_FEW, _MOST])
def test_archives_that_lie_about_their_sizes(kind: int, size: int) -> None:
    """No more is unpacked than is stated, and of what states much nothing."""
    data = stating(size, kind)
    tracemalloc.start()
    (result,) = inside("архив.zip", data)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert isinstance(result, IngestError)
    assert result.path == "архив.zip/a.txt"
    assert peak < len(data) + 2_000_000


def test_members_that_overlap(workers: Workers) -> None:
    """Many names for the same bytes count as often as they are named; the archive is given up at the limit."""
    out = BytesIO()
    with ZipFile(out, "w", ZIP_DEFLATED) as archive:
        archive.writestr("0.txt", "слово " * 1_000_000)
        first = archive.infolist()[0]
        for number in range(1, 60):
            twin = archive.infolist()[0].__class__(f"{number}.txt")
            for field in ("header_offset", "compress_size", "file_size", "CRC", "compress_type"):
                setattr(twin, field, getattr(first, field))
            archive.filelist.append(twin)
    results = inside("a.zip", out.getvalue(), None, workers)

    assert "unpacks to more than 300,000,000 bytes" in str(results[-1])
    assert len(results) < 40


def test_an_archive_that_holds_itself() -> None:
    """However deep it goes, reading ends at the third level."""
    data = zipped({"a.md": "текст"})
    for _ in range(5):
        data = zipped({"r/r.zip": data, "b.md": "text"})
    results = inside("r.zip", data)

    assert [one.id for one in results if isinstance(one, Document)] == ["r.zip/r/r.zip/b.md", "r.zip/b.md"]
    assert [one.path for one in results if isinstance(one, IngestError)] == ["r.zip/r/r.zip/r/r.zip"]


@pytest.mark.parametrize(
    ("name", "make", "part", "limit"),
    [
        ("a.docx", lambda: docx(paragraph("слово")), "word/document.xml", 20_000_000),
        ("a.pptx", lambda: slides(("Отпуск", ["28 дней"])), "ppt/presentation.xml", 30_000_000),
        ("a.xlsx", lambda: workbook(("Бюджет", [["a", "б"]])), "xl/workbook.xml", 100_000_000),
    ],
)
def test_office_files_that_harm(name: str, make: Callable[[], bytes], part: str, limit: int, workers: Workers) -> None:
    """Entities, within and from outside, and text beyond the limit, are refused before they are looked at."""
    data = make()
    entities = repacked(data, {part: f'<?xml version="1.0"?>{_BOOK}<a>&b;&c;</a>'.encode()})
    huge = repacked(data, {part: b"<a>" + b" " * limit})

    assert "has a document type" in why(name, entities, workers)
    assert "bytes of text, more than" in why(name, huge, workers)
    assert isinstance(one(name, data, workers=workers), Document)


def test_entities_of_a_page(workers: Workers) -> None:
    """Those that a page declares are not followed, whatever they are said to hold."""
    page = one("a.html", f"{_BOOK}<title>Отпуск</title><p>28 дней &b;&c;</p>", workers=workers)

    assert "28 дней" in page.text
    assert "лол" not in page.text.replace('"лол"', "")
    assert "root:" not in page.text


def test_a_sheet_of_all_cells_that_there_can_be(workers: Workers) -> None:
    """Though it states 17 thousand million cells, merges them all and fills the last column, it is its two values."""
    sheet = (
        '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><dimension ref="A1:XFD1048576"/>'
        '<sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>первое</t></is></c></row>'
        '<row r="2"><c r="XFD2" t="inlineStr"><is><t>last</t></is></c></row></sheetData>'
        '<mergeCells count="1"><mergeCell ref="A1:XFD1048576"/></mergeCells></worksheet>'
    )
    data = repacked(workbook(("S", [["a"]])), {"xl/worksheets/sheet1.xml": sheet.encode()})

    assert {"первое", "last"} <= set(one("a.xlsx", data, workers=workers).text.replace("|", "\n").split())


LEAVE = [[(70, 700, 20, False, "Отпуск")]]
BROKEN = "is a broken PDF: export it again"


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (made.pdf(LEAVE, kids="2 0 R", count=3), BROKEN),
        (made.pdf(LEAVE, kids="6 0 R 2 0 R", count=4_999), BROKEN),
        (made.pdf(LEAVE, kids="99 0 R 6 0 R", count=2), BROKEN),
        (made.pdf(LEAVE, "/Encrypt << /Filter /Standard /V 1 >>"), "is protected by a password"),
        (made.pdf(LEAVE)[:-400], "is cut off or not a PDF"),
        (made.pdf([[]] * 5_001), "5,001 pages, more than 5,000: split it"),
    ],
    ids=["loop", "loop of many", "missing", "encrypted", "truncated", "pages"],
)
def test_pdfs_that_harm(data: bytes, reason: str, workers: Workers) -> None:
    """What is wrong with one ends its reading, not ours: the next document is read."""
    assert reason in why("отчёт.pdf", data, workers)
    assert one("b.pdf", made.pdf(LEAVE), workers=workers).text == "Отпуск"


@pytest.mark.parametrize(
    "data",
    [
        made.pdf(LEAVE, count=2_000_000_000),
        made.pdf(LEAVE, count=-3),
        made.pdf(LEAVE).replace(b"/Length ", b"/Length 99999999"),
    ],
    ids=["count", "less than nothing", "length"],
)
def test_pdfs_that_lie(data: bytes, workers: Workers) -> None:
    """However many pages one says to have, and however long they are said to be, what is there is read."""
    assert one("отчёт.pdf", data, workers=workers).text == "Отпуск"


def test_pages_that_no_reader_gets_through() -> None:
    """A page of 260,000 tags in one another's way takes minutes; it is given up and named, and the others are read."""
    page = "<table><tr><td rowspan=65534>раз" + "<tr>" * 60_000
    with closing(Workers(seconds=1)) as hasty:
        assert "took more than 1 s and was given up: split it" in why("a.html", page, hasty)
        assert one("b.csv", "a,b\n1,2", workers=hasty).text


@pytest.mark.parametrize(
    ("name", "data"),
    [
        (
            "a.eml",
            "Subject: a\n" + "".join(f"Content-Type: multipart/mixed; boundary=b{n}\n\n--b{n}\n" for n in range(200)),
        ),
        ("a.eml", "Subject: a\nContent-Type: message/rfc822\n\n" * 3_000 + "text"),
        ("a.json", "[" * 100_000 + "]" * 100_000),
        ("a.csv", 'a,b\n"' + "слово " * 1_700_000 + '",1\n'),
        ("a.md", "---\na: " + "[" * 1_200 + "\n---\ntext"),
    ],
    ids=["parts in parts", "mails in mails", "depth", "a cell of 10 MB", "front matter"],
)
def test_what_nests_or_grows_without_end(name: str, data: str, workers: Workers) -> None:
    """The report says what is wrong with it in words of ours."""
    found = why(name, data, workers)

    assert found.startswith(f"{name}: ")
    assert "Error" not in found


@pytest.mark.parametrize(
    "mail",
    [
        "Subject: " + "а" * 2_000_000 + "\n\ntext",
        "Subject: a\n" + "".join(f"X-{n}: b\n" for n in range(20_000)) + "\ntext",
        "Subject: =?x-no?q?abc?= =?utf-8?b?////?=\nContent-Type: text/plain; charset=nonsense\n\ntext",
    ],
    ids=["long", "many", "charset"],
)
def test_letters_with_odd_headers(mail: str, workers: Workers) -> None:
    """What their headers are like does not take their text away."""
    assert one("a.eml", mail, workers=workers).text.endswith("text")


@pytest.mark.parametrize(
    "text",
    ["> " * 1_000 + "слово", "- " * 1_000 + "слово", "".join(f"{'  ' * n}- раз\n" for n in range(300)), "*a_" * 5_000],
    ids=["quotes", "lists in a line", "lists", "marks"],
)
def test_texts_that_nest(text: str) -> None:
    """1,000 quotes or lists in each other take no longer than text of that length."""
    began = time.process_time()

    assert isinstance(one("a.md", text), Document)
    assert time.process_time() - began < 5


def test_tags_that_nest(workers: Workers) -> None:
    """1,000 tags in each other are more than any page has."""
    assert "nested too deeply" in why("a.html", "<div>" * 1_000 + "слово", workers)


def test_large_texts_are_risky() -> None:
    """A text of megabytes may take minutes, whatever its format; a handbook of usual size is read at once."""
    assert formats.is_risky("a.md", 1_000_000)
    assert not formats.is_risky("a.md", 100_000)
    assert formats.is_risky("отчёт.PDF", 1)
