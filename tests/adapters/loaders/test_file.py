"""One file becomes one document."""

import os
import tracemalloc
from collections.abc import Iterable
from pathlib import Path

import pytest

from adapters.loaders import assemble as loader
from adapters.loaders import formats, load_file
from core.errors import IngestError
from core.ingest.document import Document
from tests.adapters.loaders.made import docx, paragraph, pdf, write

FULL = """---
title: Учебный отпуск
type: policy
aliases: [study leave, отпуск на учёбу]
labels: personal-data, hr
readers: [hr]
updated: 2025-03-31
status: active
owner: Анна Петрова
tech-lead: Bob
technologies: [Python, Kafka]
empty:
---
# Учебный отпуск

Положено 5 дней.

- диплом
- сессия
"""


def load(folder: Path, name: str, content: str | bytes, link_base: str | None = None) -> Document:
    """Return the document of one file with the content, or raise why there is none."""
    return only(load_file(write(folder, {name: content}) / name, folder, link_base))


def only(results: Iterable[Document | IngestError]) -> Document:
    """Return the one document, or raise why there is none."""
    (result,) = results
    if isinstance(result, IngestError):
        raise result
    return result


def test_front_matter_finds_its_places(tmp_path: Path) -> None:
    """What the loader knows goes into the document; every other field is shown at the top of the text."""
    known = load(tmp_path, "policies/study.md", FULL)

    assert (known.id, known.title, known.kind) == ("policies/study.md", "Учебный отпуск", "policy")
    assert known.aliases == ("study leave", "отпуск на учёбу")
    assert known.labels == {"personal-data", "hr"}
    assert known.readers == {"hr"}
    assert (known.updated, known.superseded, known.replaced_by, known.link) == ("2025-03-31", False, None, None)
    assert known.fields == {"owner": "Анна Петрова", "tech_lead": "Bob", "technologies": "Python, Kafka"}


@pytest.mark.parametrize(
    ("said", "authority", "is_draft"),
    [
        ("authority: 3", 3, False),
        ("authority: highest", 0, False),
        ("authority: 10", 0, False),
        ("draft: true", 0, True),
        ("draft: да", 0, True),
        ("draft: false", 0, False),
        ("status: Draft", 0, True),
        ("status: черновик", 0, True),
        ("status: current", 0, False),
    ],
)
def test_a_page_says_what_weight_it_has(tmp_path: Path, said: str, authority: int, *, is_draft: bool) -> None:
    """A number from 0 to 9, and whether it is finished; what is neither says nothing."""
    known = load(tmp_path, "a.md", f"---\ntitle: A\n{said}\n---\nText.\n")

    assert (authority, is_draft) == (known.authority, "draft" in known.labels)


def test_fields_are_text(tmp_path: Path) -> None:
    """Fields are the first blocks, one series apart from the lists, the day of the last change among them."""
    known = load(tmp_path, "study.md", FULL)

    assert known.text.split("\n") == [
        "Owner: Анна Петрова",
        "Tech lead: Bob",
        "Technologies: Python, Kafka",
        "Updated: 2025-03-31",
        "Положено 5 дней.",
        "диплом",
        "сессия",
    ]
    assert [block.kind for block in known.blocks] == ["field"] * 4 + ["paragraph"] + ["item"] * 2
    assert [block.series for block in known.blocks] == [1, 1, 1, 1, None, 0, 0]


def test_a_superseded_document(tmp_path: Path) -> None:
    """A stated status or a replacement marks a document as superseded."""
    by_status = load(tmp_path, "a.md", "---\nstatus: Superseded\n---\ntext")
    replaced = load(tmp_path, "b.md", "---\nreplaced-by: c.md\n---\ntext")

    assert (by_status.superseded, by_status.replaced_by) == (True, None)
    assert (replaced.superseded, replaced.replaced_by) == (True, "c.md")


@pytest.mark.parametrize(
    ("name", "content", "title"),
    [
        ("a.md", "---\ntitle: Stated\n---\n# Heading\n\ntext", "Stated"),
        ("a.md", "## Section\n\ntext\n\n# Заголовок\n\nend", "Заголовок"),
        ("how-to/reset_vpn-access.md", "text", "Reset vpn access"),
        ("Отпуск.txt", "Просто предложение, и больше ничего.", "Отпуск"),
        ("___.txt", "Nothing but a sentence.", "___.txt"),
        ("a.html", "<title>Page</title><p>text</p>", "Page"),
        ("a.docx", docx(paragraph("Word", "Title"), paragraph("text")), "Word"),
        ("a.pdf", pdf([[(70, 700, 20, False, "Printed"), (70, 600, 10, False, "This is the text.")]]), "Printed"),
        ("a.TXT", "CAPITALS\n\nThis is the text.", "CAPITALS"),
        ("a.markdown", "# T\n\ntext", "T"),
    ],
)
def test_titles(tmp_path: Path, name: str, content: str | bytes, title: str) -> None:
    """The title is stated, or the first heading, or the name of the file."""
    assert load(tmp_path, name, content).title == title


@pytest.mark.parametrize(("name", "kind"), [("a.md", "page"), ("people/a.md", "people"), ("x/teams/a.md", "teams")])
def test_the_folder_is_the_kind(tmp_path: Path, name: str, kind: str) -> None:
    """Without a stated type the folder says what a document is."""
    assert load(tmp_path, name, "text").kind == kind


@pytest.mark.parametrize(
    ("front", "base", "link"),
    [
        ("link: https://docs.example/1", "https://docs.example", "https://docs.example/1"),
        ("link: https://wiki.example/1", "https://docs.example", "https://docs.example/%D0%B0%20%26b/c%23.md"),
        ("url: http://wiki.example/1", None, "http://wiki.example/1"),
        ("link: javascript:alert(1)", None, None),
        ("x: y", "https://docs.example/", "https://docs.example/%D0%B0%20%26b/c%23.md"),
        ("x: y", None, None),
    ],
)
def test_links(tmp_path: Path, front: str, base: str | None, link: str | None) -> None:
    """A stated address of a known host wins, else the base and the quoted path; other addresses are not followed."""
    assert load(tmp_path, "а &b/c#.md", f"---\n{front}\n---\ntext", base).link == link


def test_the_digest_is_of_the_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same bytes have the same digest, wherever they are; other bytes or a new loader another."""
    one = load(tmp_path, "a.md", "text").digest

    assert load(tmp_path, "b/c.md", "text").digest == one
    assert load(tmp_path, "a.md", "text ").digest != one
    monkeypatch.setattr(loader, "LOADER_VERSION", "next")
    assert load(tmp_path, "a.md", "text").digest != one


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        pytest.param("a.md", "", "is empty", id="empty"),
        pytest.param("a.txt", " \n\t", "is empty", id="white space"),
        pytest.param("a.md", "# Only a title", "has no text", id="title alone"),
        pytest.param("a.md", "<!-- nothing -->", "has no text", id="comment"),
        pytest.param("a.md", b"\0\1\2", "binary", id="binary"),
        pytest.param("a.md", "---\na: [\n---\n", "line", id="front matter"),
        pytest.param("a.doc", "x", r"save it as \.docx", id="old Word"),
        pytest.param("a.xls", "x", r"save it as \.xlsx", id="old sheet"),
        pytest.param("a.key", "x", r"save it as \.pptx", id="other slides"),
        pytest.param("LICENSE", "x", "without a suffix", id="no suffix"),
        pytest.param("a\nb.md", "x", "rename it", id="name"),
    ],
)
def test_what_cannot_be_read_is_named(tmp_path: Path, name: str, content: str | bytes, reason: str) -> None:
    """The error names the file below the folder and what to do."""
    with pytest.raises(IngestError, match=reason) as caught:
        load(tmp_path, name, content)

    assert caught.value.path == name.replace("\n", "\\n")


def test_a_missing_file(tmp_path: Path) -> None:
    """A file that is gone is said to be gone."""
    with pytest.raises(IngestError, match="No such file"):
        only(load_file(tmp_path / "a.md", tmp_path))


def test_a_huge_file_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond the limit a file is refused by its size alone."""
    monkeypatch.setattr(formats, "SIZE_LIMIT", 10)

    with pytest.raises(IngestError, match="11 bytes, more than 10"):
        load(tmp_path, "a.md", "x" * 11)


@pytest.mark.parametrize("name", ["a.pdf", "a.zip", "отпуск.md", "a.exe"])
def test_a_file_of_200_megabytes(tmp_path: Path, name: str) -> None:
    """A file that fills the disk is refused before a byte of it is read."""
    with (tmp_path / name).open("wb") as file:
        file.truncate(200_000_000)

    began = tracemalloc.get_traced_memory() if tracemalloc.is_tracing() else tracemalloc.start()
    with pytest.raises(IngestError, match="200,000,000 bytes, more than"):
        only(load_file(tmp_path / name, tmp_path))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert began is None
    assert peak < 5_000_000


@pytest.mark.parametrize("change", ["longer", "shorter", "touched"])
def test_a_file_that_changes_while_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: str) -> None:
    """What was read then is neither the old file nor the new one, so it is reported; the next run reads it."""
    path = write(tmp_path, {"a.md": "Отпуск — 28 дней."}) / "a.md"
    seen = os.fstat

    def changing(number: int) -> os.stat_result:
        found = seen(number)
        if change == "longer":
            path.write_text("Отпуск — 28 дней, и ещё три.")
        elif change == "shorter":
            path.write_text("Отпуск")
        else:
            os.utime(path, ns=(1, found.st_mtime_ns + 1_000_000_000))
        return found

    monkeypatch.setattr(os, "fstat", changing)
    with pytest.raises(IngestError, match="changed while it was read"):
        only(load_file(path, tmp_path))

    monkeypatch.setattr(os, "fstat", seen)
    assert only(load_file(path, tmp_path)).id == "a.md"


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    """A pipe with nobody at its other end ends the reading of nothing but itself."""
    os.mkfifo(tmp_path / "a.md")

    with pytest.raises(IngestError, match="is no file"):
        only(load_file(tmp_path / "a.md", tmp_path))


def test_spans_are_of_the_stored_text(tmp_path: Path) -> None:
    """Every block's span reads its own text, emoji and Cyrillic counted as characters."""
    known = load(tmp_path, "a.md", "---\nowner: Анна 🙂\n---\nПривет 🙂.\n\n- конец 👩🏽")

    assert [block.span.within(known.text) for block in known.blocks] == ["Owner: Анна 🙂", "Привет 🙂.", "конец 👩🏽"]
