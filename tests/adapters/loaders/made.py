"""Files made on the spot, writing them into a folder, and the documents in them."""

from collections.abc import Callable, Mapping, Sequence
from email.message import EmailMessage
from io import BytesIO
from pathlib import Path
from typing import Any, TypeVar
from zipfile import ZIP_DEFLATED, ZipFile

from openpyxl import Workbook
from pptx import Presentation

from adapters.loaders import Workers, documents_in
from core.errors import IngestError
from core.ingest.document import Document
from core.ingest.source import Item

T = TypeVar("T")

# Where a line is printed: left, bottom, type size, bold, text.
Print = tuple[float, float, float, bool, str]
# Where a link is printed, and what it does: left, bottom, right, top, `/URI /URI (https://example.org)`.
Led = tuple[float, float, float, float, str]

_TYPES = """<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Override PartName="/word/document.xml"
 ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>"""
_LINKS = """<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
<Relationship Id="r1" Target="word/document.xml"
 Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"/></Relationships>"""
_STYLES = """<?xml version="1.0"?><w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">
<w:style w:type="paragraph" w:styleId="Title"><w:name w:val="Title"/></w:style>
<w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/></w:style></w:styles>"""


def write(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    """Return the folder with the files written into it; text is UTF-8."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return folder


def pdf(
    pages: Sequence[Sequence[Print]],
    trailer: str = "",
    kids: str = "",
    count: int = 0,
    links: Mapping[int, Sequence[Led]] | None = None,
) -> bytes:
    """Return a PDF with the lines printed on its pages, in Helvetica over the cp1251 characters.

    `links`: those on each page, from 1.
    `kids` and `count`: what its tree of pages, object 2, says that it holds, where that is not the truth.
    """
    fonts = "/Font << /R 3 0 R /B 4 0 R >>"
    objects = ["<< /Type /Catalog /Pages 2 0 R >>", ""]
    objects += [f"<< /Type /Font /Subtype /Type1 /BaseFont /{name} /ToUnicode 5 0 R >>" for name in _FONTS]
    objects.append(_stream(_to_unicode()))
    truth = []
    for number, lines in enumerate(pages, 1):
        annotations = "".join(map(_annotation, (links or {}).get(number, ())))
        truth.append(f"{len(objects) + 1} 0 R")
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << {fonts} >> "
            f"/Annots [{annotations}] /Contents {len(objects) + 2} 0 R >>"
        )
        objects.append(_stream("\n".join(map(_printed, lines))))
    objects[1] = f"<< /Type /Pages /Kids [{kids or ' '.join(truth)}] /Count {count or len(truth)} >>"
    return _file(objects, trailer)


def _annotation(link: Led) -> str:
    left, bottom, right, top, action = link
    return f"<< /Type /Annot /Subtype /Link /Rect [{left} {bottom} {right} {top}] /A << /S {action} >> >>"


_FONTS = ("Helvetica", "Helvetica-Bold")


def _printed(line: Print) -> str:
    left, bottom, size, bold, text = line
    return f"BT /{'B' if bold else 'R'} {size} Tf {left} {bottom} Td <{text.encode('cp1251').hex()}> Tj ET"


def _to_unicode() -> str:
    pairs = [f"<{code:02x}> <{ord(bytes([code]).decode('cp1251')):04x}>" for code in range(32, 256) if code != 0x98]
    ranges = "".join(
        f"{len(pairs[begin : begin + 100])} beginbfchar {' '.join(pairs[begin : begin + 100])} endbfchar\n"
        for begin in range(0, len(pairs), 100)
    )
    space = "1 begincodespacerange <00> <ff> endcodespacerange"
    return f"/CIDInit /ProcSet findresource begin 12 dict begin begincmap\n{space}\n{ranges}endcmap end end"


def _stream(content: str) -> str:
    return f"<< /Length {len(content)} >>\nstream\n{content}\nendstream"


def _file(objects: Sequence[str], trailer: str) -> bytes:
    out = b"%PDF-1.4\n"
    places = []
    for number, content in enumerate(objects, 1):
        places.append(len(out))
        out += f"{number} 0 obj\n{content}\nendobj\n".encode("latin-1")
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    size = len(objects) + 1
    end = f"xref\n0 {size}\n0000000000 65535 f \n{table}trailer\n<< /Size {size} /Root 1 0 R {trailer} >>\n"
    return out + f"{end}startxref\n{len(out)}\n%%EOF\n".encode()


def docx(*body: str) -> bytes:
    """Return a Word document with the given WordprocessingML in its body."""
    name = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    document = f'<?xml version="1.0"?><w:document xmlns:w="{name}"><w:body>{"".join(body)}</w:body></w:document>'
    link = _LINKS.replace("word/document.xml", "styles.xml").replace('officeDocument"/>', 'styles"/>')
    return archive(
        {
            "[Content_Types].xml": _TYPES,
            "_rels/.rels": _LINKS,
            "word/document.xml": document,
            "word/styles.xml": _STYLES,
            "word/_rels/document.xml.rels": link,
        }
    )


def archive(files: Mapping[str, str]) -> bytes:
    """Return a zip archive."""
    out = BytesIO()
    with ZipFile(out, "w") as zipped:
        for name, content in files.items():
            zipped.writestr(name, content)
    return out.getvalue()


def paragraph(text: str, style: str = "") -> str:
    """Return a paragraph of a Word document."""
    properties = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f"<w:p>{properties}<w:r><w:t>{text}</w:t></w:r></w:p>"


def table(*rows: Sequence[str]) -> str:
    """Return a table of a Word document."""
    lines = ["".join(f"<w:tc>{paragraph(cell)}</w:tc>" for cell in row) for row in rows]
    return "<w:tbl>" + "".join(f"<w:tr>{line}</w:tr>" for line in lines) + "</w:tbl>"


class Here(Workers):
    """Reads in the test's own process: limits can be changed for a test, and what is read can be measured."""

    def read(self, reader: Callable[[bytes, str], T], data: bytes, path: str) -> T:
        return reader(data, path)


def inside(
    name: str, data: str | bytes, link_base: str | None = None, workers: Workers | None = None, **known: Any
) -> list[Document | IngestError]:
    """Return what one item gives; `known` is what its source knows of it."""
    item = Item(name, data.encode() if isinstance(data, str) else data, **known)
    return list(documents_in(item, link_base, workers or Here()))


def one(name: str, data: str | bytes, **known: Any) -> Document:
    """Return the only document of an item, or raise why there is none."""
    (result,) = inside(name, data, **known)
    if isinstance(result, IngestError):
        raise result
    return result


def shapes(document: Document) -> list[tuple[str, str]]:
    """Return kind and text of each block."""
    return [(block.kind, block.span.within(document.text)) for block in document.blocks]


def rows_of(document: Document) -> list[tuple[tuple[str, ...], str]]:
    """Return labels and text of each row."""
    return [(block.labels, block.span.within(document.text)) for block in document.blocks if block.kind == "row"]


def zipped(files: Mapping[str, str | bytes]) -> bytes:
    """Return a compressed zip archive."""
    out = BytesIO()
    with ZipFile(out, "w", ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return out.getvalue()


def repacked(data: bytes, change: Mapping[str, bytes]) -> bytes:
    """Return an archive with some of its members replaced or added."""
    with ZipFile(BytesIO(data)) as archive:
        return zipped({**{name: archive.read(name) for name in archive.namelist()}, **change})


def workbook(*sheets: tuple[str, Sequence[Sequence[object]]]) -> bytes:
    """Return an Excel workbook with the rows in its sheets."""
    book = Workbook()
    book.remove(book.worksheets[0])
    for title, rows in sheets:
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(list(row))
    return saved(book)


def saved(made: Any) -> bytes:
    """Return what an office library writes."""
    out = BytesIO()
    made.save(out)
    return out.getvalue()


def slides(*contents: tuple[str, Sequence[str]]) -> bytes:
    """Return a presentation of slides with a title and a list."""
    deck = Presentation()
    for title, lines in contents:
        slide = deck.slides.add_slide(deck.slide_layouts[1])
        slide.shapes.title.text = title
        slide.placeholders[1].text = "\n".join(lines)
    return saved(deck)


def mail(body: str, subject: str = "Отпуск", **attached: bytes) -> bytes:
    """Return a mail in plain text; attachments by name, the last `_` in it standing for the dot."""
    message = EmailMessage()
    message["Subject"] = subject
    message["From"] = "Анна Петрова <anna@example.org>"
    message["To"] = "bob@example.org"
    message["Date"] = "Mon, 31 Mar 2025 14:05:00 +0300"
    message.set_content(body)
    for name, data in attached.items():
        message.add_attachment(
            data, maintype="application", subtype="octet-stream", filename=".".join(name.rsplit("_", 1))
        )
    return bytes(message)
