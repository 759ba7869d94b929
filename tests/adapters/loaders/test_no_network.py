"""Reading a document asks nobody: whatever address stands in it, in whatever way, nothing is fetched."""

import socket
import threading
from collections.abc import Iterator
from contextlib import closing

import pytest

from adapters.loaders import Workers
from core.errors import IngestError
from tests.adapters.loaders.made import docx, inside, mail, paragraph, repacked, slides, workbook


class Bait:
    """A port that notes who comes."""

    def __init__(self) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}/bait"
        self.visits = 0
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self.visits += 1
            connection.close()

    def close(self) -> None:
        self._listener.close()


@pytest.fixture(scope="module")
def bait() -> Iterator[Bait]:
    """Give the port."""
    with closing(Bait()) as set_out:
        yield set_out


@pytest.fixture(scope="module")
def workers() -> Iterator[Workers]:
    """Give the processes that read what is risky."""
    with closing(Workers(seconds=10)) as known:
        yield known


def relations(url: str) -> bytes:
    kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/image"
    one = f'<Relationship Id="rId9" Type="{kind}" Target="{url}" TargetMode="External"/>'
    space = "http://schemas.openxmlformats.org/package/2006/relationships"
    return f'<?xml version="1.0"?><Relationships xmlns="{space}">{one}</Relationships>'.encode()


def files(url: str) -> dict[str, str | bytes]:
    """Return a file of each format that names the address in every way that its format knows."""
    picture = f"<p>Отпуск</p><img src='{url}'><link rel=stylesheet href='{url}'><iframe src='{url}'></iframe>"
    entity = f'<!DOCTYPE html [<!ENTITY x SYSTEM "{url}">]><html><body><p>Text &x;</p></body></html>'
    inner = f'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY x SYSTEM "{url}"><!ENTITY % y SYSTEM "{url}"> %y;]><a>&x;</a>'
    written = docx(paragraph("Отпуск"))
    return {
        "a.html": picture,
        "b.xhtml": entity,
        "c.md": f"# T\n\n![x]({url})\n\n<img src='{url}'>\n\ntext\n",
        "d.docx": repacked(written, {"word/_rels/document.xml.rels": relations(url)}),
        "e.docx": repacked(written, {"word/document.xml": inner.encode()}),
        "f.xlsx": repacked(workbook(("S", [["a", "б"], [1, 2]])), {"xl/workbook.xml": inner.encode()}),
        "g.pptx": repacked(slides(("T", ["text"])), {"ppt/presentation.xml": inner.encode()}),
        "h.yaml": f"a: !!python/object/apply:os.system ['curl {url}']\nb: !include {url}\n",
        "i.json": f'{{"$ref": "{url}", "a": "text"}}',
        "j.eml": mail(f"see {url}") + f"\n<img src='{url}'>".encode(),
        "k.csv": f'a,b\n"=WEBSERVICE(""{url}"")",2\n',
    }


@pytest.mark.parametrize("name", sorted(files("")))
def test_no_document_makes_its_reader_ask_anybody(name: str, bait: Bait, workers: Workers) -> None:
    """Pictures, styles, entities, relations, references, formulas: read over, or the reason why not."""
    results = inside(name, files(bait.url)[name], None, workers)

    assert results
    assert all(one.reason for one in results if isinstance(one, IngestError))
    assert 0 == bait.visits
