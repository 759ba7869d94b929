"""A folder full of bad files: each is named, the rest is read, in bounded time and memory."""

import tracemalloc
from pathlib import Path

import pytest

from adapters.loaders import load_corpus, pdf, reading
from core.errors import IngestError
from tests.adapters.loaders import made
from tests.adapters.loaders.made import docx, inside, one, paragraph, slides, workbook, write, zipped


def test_a_folder_of_bad_files(tmp_path: Path) -> None:
    """One bad file of every kind: the report names each, and every good one is read."""
    folder = write(
        tmp_path,
        {
            "good.md": "текст",
            "good.zip": zipped({"a.md": "text", "../b.md": "text", "c.pdf": b"%PDF-1.4"}),
            "bad/cut.docx": docx(paragraph("text"))[:-50],
            "bad/cut.pptx": slides(("a", ["b"]))[:-50],
            "bad/cut.xlsx": workbook(("a", [["b"]]))[:-50],
            "bad/cut.pdf": made.pdf([[(70, 700, 20, False, "text")]])[:-50],
            "bad/locked.xlsx": bytes.fromhex("d0cf11e0a1b11ae1") + b"\0" * 600,
            "bad/cut.zip": zipped({"a.md": "text"})[:-10],
            "bad/deep.json": "[" * 5_000,
            "bad/deep.yaml": "[" * 5_000,
            "bad/no.eml": "no mail",
            "bad/quote.csv": 'a,b\n"' + "слово " * 40_000,
            "bad/line\nend.md": "text",
            "bad/binary.txt": b"\0\1\2",
        },
    )
    (folder / "bad" / "loop").symlink_to(folder)
    known = load_corpus(folder)

    assert [document.id for document in known.documents] == ["good.md", "good.zip/a.md"]
    assert [problem.path for problem in known.problems] == [
        "bad/binary.txt",
        "bad/cut.docx",
        "bad/cut.pdf",
        "bad/cut.pptx",
        "bad/cut.xlsx",
        "bad/cut.zip",
        "bad/deep.json",
        "bad/deep.yaml",
        "bad/line\\nend.md",
        "bad/locked.xlsx",
        "bad/no.eml",
        "bad/quote.csv",
        "good.zip/../b.md",
        "good.zip/c.pdf",
    ]
    assert all(": " in problem.reason for problem in known.problems)


@pytest.mark.parametrize("name", ["a.md", "a.html", "a.json", "a.yaml"])
def test_1000_nested_headings(name: str) -> None:
    """Headings without end cost no more than their number; the deepest of a format is the deepest of a path."""
    content = {
        "a.md": "".join(f"{'#' * min(n, 6)} Часть {n}\n\ntext {n}\n\n" for n in range(1, 1_001)),
        "a.html": "".join(f"<h{min(n, 6)}>Часть {n}</h{min(n, 6)}><p>text {n}</p>" for n in range(1, 1_001)),
        "a.json": '{"Часть": ' * 1_000 + "1" + "}" * 1_000,
        "a.yaml": "".join(f"{' ' * n}Часть:\n" for n in range(1_000)),
    }[name]
    (result,) = inside(name, content)

    if isinstance(result, IngestError):
        assert "make it flatter" in result.reason
    else:
        assert result.blocks[-1].headings[-1] == "Часть 1000"
        assert max(len(block.headings) for block in result.blocks) <= 6


def test_a_bomb_takes_no_memory() -> None:
    """Archives that would unpack to many times their size take a few megabytes to refuse."""
    zeros = b"\0" * 19_000_000
    bombs = [
        ("a.zip", zipped({f"{n}.csv": zeros for n in range(2)})),
        ("b.zip", zipped({"inner.zip": zipped({f"{n}.pdf": zeros for n in range(2)})})),
        ("c.docx", made.repacked(docx(paragraph("text")), {"word/document.xml": zeros * 2})),
    ]
    inside("warm.docx", docx(paragraph("text")))
    for name, data in bombs:
        tracemalloc.start()
        results = inside(name, data)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()

        assert all(isinstance(result, IngestError) for result in results), name
        assert peak < 5_000_000, name


@pytest.mark.parametrize("mark", ["[", "![", "[[a", "[Отпуск "])
def test_brackets_without_end(mark: str) -> None:
    """A paragraph in which more is opened than closed would take the parser minutes, and is named."""
    assert "open brackets: close them" in str(inside("a.md", mark * 50_000)[0])


def test_brackets_that_are_closed() -> None:
    """Any number of links, and a few brackets that nobody closed in each paragraph, are a document."""
    text = "[a](b) " * (2 * reading.BRACKETS_LIMIT) + "\n\n[x" * reading.BRACKETS_LIMIT

    assert one("a.md", text).text.startswith("a a a")


@pytest.mark.parametrize("name", ["a.md", "a.txt", "a.jsonl"])
def test_a_text_of_very_many_lines(name: str) -> None:
    """A text of which each line is an item or a heading would take a minute and gigabytes, and is named."""
    assert "lines: split it" in str(inside(name, "- раз\n" * 300_001)[0])


def test_a_page_of_very_many_tags() -> None:
    """A page that would take gigabytes as a tree is named."""
    assert "tags: split it" in str(inside("a.html", "<b></b>" * 100_001)[0])


@pytest.mark.parametrize(("limit", "reason"), [("PAGES_LIMIT", "2 pages"), ("CHARACTERS_LIMIT", "1 characters")])
def test_a_very_long_pdf(monkeypatch: pytest.MonkeyPatch, limit: str, reason: str) -> None:
    """Beyond the limits a PDF is refused as soon as they are met."""
    monkeypatch.setattr(pdf, limit, 1)
    page = [(70.0, 700.0, 20.0, False, "Отпуск"), (70.0, 600.0, 10.0, False, "This is the text.")]

    assert reason in str(inside("a.pdf", made.pdf([page, page]))[0])
