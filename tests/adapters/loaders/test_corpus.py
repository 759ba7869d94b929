"""A folder becomes a corpus."""

import os
from pathlib import Path

import pytest

from adapters.loaders import FolderSource, load_corpus, tree
from core.errors import ConfigError, IngestError
from core.ingest.source import Offer
from tests.adapters.loaders.made import docx, paragraph, pdf, write


def test_everything_readable_in_order(tmp_path: Path) -> None:
    """Documents come in the order of their paths; hidden files, assets and the domain are no documents."""
    folder = write(
        tmp_path,
        {
            "z.md": "text",
            "б/отпуск.txt": "текст",
            "a/b.html": "<p>text</p>",
            "a/c.docx": docx(paragraph("text")),
            "a/d.pdf": pdf([[(70, 700, 10, False, "This is the text.")]]),
            "domain.yaml": "link_base: https://docs.example\nentities: []",
            "a/domain.yaml": "x: y",
            ".hidden.md": "text",
            ".git/x.md": "text",
            "~$c.docx": "lock",
            "a/logo.png": b"\x89PNG",
            "styles.css": "p {}",
        },
    )
    known = load_corpus(folder)

    assert [document.id for document in known.documents] == [
        "a/b.html",
        "a/c.docx",
        "a/d.pdf",
        "a/domain.yaml",
        "z.md",
        "б/отпуск.txt",
    ]
    assert known.domain == {"link_base": "https://docs.example", "entities": []}
    assert known.documents[4].link == "https://docs.example/z.md"
    assert known.problems == ()


def test_bad_files_do_not_stop_the_rest(tmp_path: Path) -> None:
    """Each bad file is a problem with its path and reason; the good ones are read."""
    folder = write(
        tmp_path,
        {
            "good.md": "text",
            "binary.md": b"\0\1",
            "broken.docx": b"PK\3\4",
            "broken.md": "---\ntitle: [\n---\n",
            "broken.pdf": b"%PDF-1.4",
            "empty.txt": "",
            "sheet.xlsx": b"x",
        },
    )
    (folder / "gone.md").symlink_to(folder / "nowhere.md")
    known = load_corpus(folder)

    assert [document.id for document in known.documents] == ["good.md"]
    assert [problem.path for problem in known.problems] == [
        "binary.md",
        "broken.docx",
        "broken.md",
        "broken.pdf",
        "empty.txt",
        "gone.md",
        "sheet.xlsx",
    ]
    assert all(problem.reason for problem in known.problems)


def test_the_unforeseen_is_a_problem_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Even a fault in a reader loses one document only."""

    def broken(text: str, path: str, limit: int) -> None:
        raise KeyError("w:p")

    monkeypatch.setattr(tree, "tree_of", broken)
    known = load_corpus(write(tmp_path, {"a.md": "text", "b.yaml": "text"}))

    assert [document.id for document in known.documents] == ["a.md"]
    assert "KeyError" in known.problems[0].reason


@pytest.mark.parametrize(("pay", "page"), [("pay", "bands.md"), ("оклады", "вилки.md")])
def test_links_are_not_followed(tmp_path: Path, pay: str, page: str) -> None:
    """None leads out of the folder, nor to a page under the rules of another folder, and each is named.

    Whoever may write documents could else show everybody any file that the bot may read.
    """
    folder = write(tmp_path / "docs", {"a.md": "text", f"{pay}/{page}": "pay", ".env": "TOKEN=x", "k/b.md": "text"})
    elsewhere = write(tmp_path / "elsewhere", {"b.md": "text"})
    links = {"passwd.txt": elsewhere / "b.md", "shared": elsewhere, "env.txt": folder / ".env"}
    links |= {"copy.md": folder / pay / page, "all": folder / pay, "up": folder, "twin.md": tmp_path / "docs2" / "x.md"}
    for name, target in links.items():
        (folder / "k" / name).symlink_to(target)
    write(tmp_path / "docs2", {"x.md": "text"})
    known = load_corpus(folder)

    assert ["a.md", "k/b.md", f"{pay}/{page}"] == [document.id for document in known.documents]
    told = {problem.path: problem.reason.partition(":")[0] for problem in known.problems}
    out, inside = "is a link that leads out of the folder", "which is read where it lies, if it is there"
    assert told == {
        "k/all": f"is a link to {pay}, {inside}",
        "k/copy.md": f"is a link to {pay}/{page}, {inside}",
        "k/env.txt": "is a link to what is hidden",
        **dict.fromkeys(("k/passwd.txt", "k/shared", "k/twin.md"), out),
    }


def test_documents_that_kubernetes_projects(tmp_path: Path) -> None:
    """They are links into a folder beside them, which is exchanged as a whole; the folder itself may be a link."""
    folder = write(tmp_path / "docs", {"..2026_01/a.md": "text", "..2026_01/k/b.md": "text"})
    (folder / "..data").symlink_to("..2026_01")
    for name in ("a.md", "k"):
        (folder / name).symlink_to(f"..data/{name}")
    (tmp_path / "link").symlink_to(folder)

    assert [document.id for document in load_corpus(tmp_path / "link").documents] == ["a.md", "k/b.md"]


def test_a_file_that_becomes_a_link_is_not_followed(tmp_path: Path) -> None:
    """Where links lead is looked at when the folder is listed; what changes before it is read is refused."""
    folder = write(tmp_path / "docs", {"a.md": "text"})
    (offer,) = FolderSource(folder).offers()
    (folder / "a.md").unlink()
    (folder / "a.md").symlink_to(write(tmp_path / "elsewhere", {"b.md": "secret"}) / "b.md")

    assert isinstance(offer, Offer)
    with pytest.raises(IngestError, match="cannot be read"):
        offer.read()


def test_files_that_are_no_files(tmp_path: Path) -> None:
    """A pipe is left out instead of being waited for."""
    os.mkfifo(write(tmp_path, {"a.md": "text"}) / "pipe.md")

    assert len(load_corpus(tmp_path).documents) == 1


@pytest.mark.parametrize(("name", "shown"), [("closed", "closed"), ("clo\nsed", "clo\\nsed")])
def test_a_folder_that_cannot_be_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, shown: str) -> None:
    """A closed folder is a problem; the rest is read."""
    folder = write(tmp_path, {"a.md": "text", f"{name}/b.md": "text"})
    listed = os.scandir

    def closed(path: str) -> object:
        if Path(path).name == name:
            raise PermissionError(13, "Permission denied")
        return listed(path)

    monkeypatch.setattr(os, "scandir", closed)
    known = load_corpus(folder)

    assert [document.id for document in known.documents] == ["a.md"]
    assert str(known.problems[0]) == f"{shown}: cannot be listed (Permission denied): allow reading it"


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("a: [\n", "line 2"),
        ("- a list", "keys and values"),
        ("a: \x01", "cannot be read"),
        (b"\xff\xfe\xff", "cannot be read"),
    ],
)
def test_a_broken_domain_is_a_problem(tmp_path: Path, content: str | bytes, reason: str) -> None:
    """The documents are read without it, and the problem names it first."""
    known = load_corpus(write(tmp_path, {"domain.yaml": content, "a.md": "text"}))

    assert known.domain == {}
    assert known.problems[0].path == "domain.yaml"
    assert reason in known.problems[0].reason


@pytest.mark.parametrize("content", ["", "# nothing", "link_base: [x]", "link_base: ' '"])
def test_a_domain_without_a_base(tmp_path: Path, content: str) -> None:
    """Without a base no document has a link."""
    known = load_corpus(write(tmp_path, {"domain.yaml": content, "a.md": "text"}))

    assert known.documents[0].link is None
    assert known.problems == ()


def test_a_missing_folder(tmp_path: Path) -> None:
    """The error says which folder, and what to do."""
    with pytest.raises(ConfigError, match=r"nowhere' does not exist: create it"):
        load_corpus(tmp_path / "nowhere")


def test_a_file_instead_of_a_folder(tmp_path: Path) -> None:
    """A file is no corpus."""
    with pytest.raises(ConfigError, match="is a file: give the folder"):
        load_corpus(write(tmp_path, {"a.md": "text"}) / "a.md")


@pytest.mark.parametrize(
    ("files", "reason"),
    [({}, "put .* files into it"), ({"a.md": ""}, r"1 could not be read, the first: a\.md: is empty")],
)
def test_a_folder_with_nothing_to_read(tmp_path: Path, files: dict[str, str | bytes], reason: str) -> None:
    """A corpus without documents is a mistake in the settings."""
    with pytest.raises(ConfigError, match=reason):
        load_corpus(write(tmp_path, files))


def test_reading_twice_gives_the_same(tmp_path: Path) -> None:
    """The same files give equal documents."""
    folder = write(tmp_path, {"a.md": "# T\n\n- a\n- b", "b.txt": "TITLE\n\ntext"})

    assert load_corpus(folder) == load_corpus(folder)
