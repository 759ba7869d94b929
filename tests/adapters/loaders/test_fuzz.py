"""Whatever the bytes are, reading them ends with documents or with the reason why there are none."""

import time
from collections.abc import Mapping
from datetime import timedelta

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adapters.loaders.formats import KNOWN
from core.errors import IngestError
from core.ingest.document import Document
from tests.adapters.loaders.made import docx, inside, mail, paragraph, pdf, slides, table, workbook, zipped

SEEDS: Mapping[str, bytes] = {
    ".md": "---\ntitle: Отпуск\n---\n# Дни\n\n- раз\n  - two\n\n|a|б|\n|-|-|\n|1|2|\n\n> q\n".encode(),
    ".txt": "TITLE\n\nOwner: Анна\n\n1. раз\n2. two\n\nText.\n".encode(),
    ".html": "<title>Отпуск</title><h1>A</h1><ul><li>раз</ul><table><tr><td>1<td>2</table>".encode(),
    ".pdf": pdf([[(70, 700, 20, False, "Отпуск"), (70, 600, 10, False, "This is the text.")]]),
    ".docx": docx(paragraph("Отпуск", "Title"), paragraph("text"), table(("a", "б"), ("1", "2"))),
    ".pptx": slides(("Отпуск", ["28 дней", "text"])),
    ".xlsx": workbook(("Бюджет", [["a", "б"], [1, "x"], [0.5, "y"]])),
    ".csv": 'имя;город\nАнна;Рим\n"a;b";2\n'.encode("cp1251"),
    ".json": '{"title": "Отпуск", "a": [{"b": 1}, {"b": 2}], "в": {"г": [1, "x"]}}'.encode(),
    ".jsonl": b'{"a": 1}\n{"a": "x"}\n',
    ".yaml": "title: Отпуск\na: &a [1, x]\nb: {c: *a}\nd:\n- {e: 1}\n- {e: 2}\n".encode(),
    ".eml": mail("Привет.\n\n> text\n", план_csv=b"a,b\n1,2"),
    ".zip": zipped({"a.md": "# T\n\nтекст", "b/c.eml": mail("text"), "d.zip": zipped({"e.csv": "a,b\n1,2"})}),
}
BOUNDED = settings(
    max_examples=60,
    derandomize=True,
    database=None,
    deadline=timedelta(seconds=20),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
NAMES = st.sampled_from(KNOWN).map(lambda suffix: f"а/b{suffix}")


@st.composite
def damaged(draw: st.DrawFn) -> tuple[str, bytes]:
    """Return a file with some of its bytes changed, cut out, doubled or moved."""
    suffix = draw(st.sampled_from(sorted(SEEDS)))
    data = bytearray(SEEDS[suffix])
    for _ in range(draw(st.integers(1, 6))):
        begin = draw(st.integers(0, max(0, len(data) - 1)))
        end = draw(st.integers(begin, min(len(data), begin + 200)))
        data[begin:end] = draw(st.one_of(st.binary(max_size=20), st.just(bytes(data[begin:end] * 3))))
    return f"а/b{suffix}", bytes(data)


def check(name: str, data: bytes) -> None:
    """Read the bytes and check every offset of what is read."""
    began = time.process_time()
    for result in inside(name, data):
        assert isinstance(result, Document | IngestError)
        if isinstance(result, Document):
            check_document(result)
        else:
            assert result.path.split("/")[0] == "а" or result.path.isascii()
            assert result.reason
    assert time.process_time() - began < 15


def check_document(document: Document) -> None:
    """Check that the blocks are the text, one after the other, and that all of it can be stored."""
    end = 0
    for block in document.blocks:
        assert end <= block.start < block.end <= len(document.text)
        assert document.text[block.start : block.end].strip()
        end = block.end + 1
    assert end == len(document.text) + 1
    assert document.title
    for text in (document.text, document.title, document.id, *document.fields.values()):
        text.encode()


@BOUNDED
@given(NAMES, st.binary(max_size=400))
def test_any_bytes(name: str, data: bytes) -> None:
    """Bytes without any sense, under every suffix."""
    check(name, data)


@BOUNDED
@given(NAMES, st.text(max_size=200))
def test_any_text(name: str, text: str) -> None:
    """Text of every script, with control characters and halves of characters, under every suffix."""
    check(name, text.encode("utf-8", "surrogatepass"))


@BOUNDED
@given(NAMES, st.text(alphabet="аb1 \t\n-*#>|[](){}:;,\"'&<!/=._`\\", max_size=120))
def test_text_full_of_marks(name: str, text: str) -> None:
    """Text made of the marks that formats are made of."""
    check(name, text.encode())


@settings(BOUNDED, max_examples=200)
@given(damaged())
def test_damaged_files(file: tuple[str, bytes]) -> None:
    """Files of every format with damage in them."""
    check(*file)


@BOUNDED
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
        max_leaves=20,
    )
)
def test_any_tree(tree: object) -> None:
    """Every JSON value, read as JSON and as YAML, which holds it."""
    import json

    for name in ("а/b.json", "а/b.yaml"):
        check(name, json.dumps(tree).encode())


@BOUNDED
@given(st.lists(st.lists(st.text(max_size=6) | st.integers() | st.floats() | st.datetimes(), max_size=5), max_size=6))
def test_any_sheet(rows: list[list[object]]) -> None:
    """Every table that Excel takes."""
    from openpyxl.utils.exceptions import IllegalCharacterError

    try:
        data = workbook(("S", rows))
    except IllegalCharacterError:
        return
    check("а/b.xlsx", data)


def test_the_seeds_are_whole() -> None:
    """What is damaged above is read when it is not."""
    for suffix, data in SEEDS.items():
        assert all(isinstance(result, Document) for result in inside(f"а/b{suffix}", data)), suffix
