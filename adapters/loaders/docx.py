"""Word documents, by way of HTML."""

from io import BytesIO
from typing import Final

from adapters.loaders import docx_xml
from adapters.loaders.closing import check_fields
from adapters.loaders.front_matter import meta_of
from adapters.loaders.html import reading_of
from adapters.loaders.office import check_package
from adapters.loaders.reading import Reading
from core.errors import IngestError
from core.ingest.header import without_header

# About 15,000 printed pages; mammoth builds a tree of all of it, at about a second for every 500 kB.
XML_LIMIT: Final = 20_000_000
_STYLES = f"p[style-name='Title'] => h1:fresh\np[style-name='Subtitle'] => p:fresh\n{docx_xml.STYLES}"


def read_docx(data: bytes, path: str) -> Reading:
    """Return a Word document as a reader sees it; the first row of a table that reads like it names its columns."""
    check_package(data, path, "Word", XML_LIMIT)
    reading = reading_of(_html(data, path), path, infers_names=True)
    header, pieces = without_header(reading.pieces)
    check_fields(header, path)
    return Reading(pieces, meta_of(header))


def _html(data: bytes, path: str) -> str:
    import mammoth  # type: ignore[import-untyped, unused-ignore]

    try:
        result = mammoth.convert_to_html(
            BytesIO(docx_xml.as_shown(data)),
            style_map=_STYLES,
            convert_image=mammoth.images.img_element(lambda _: {"src": ""}),
        )
    # mammoth reports a broken document by whatever its XML, zip or dictionary look-up raises.
    except Exception as error:
        raise IngestError(path, "is a broken Word document: open it in Word and save it again") from error
    return str(result.value)
