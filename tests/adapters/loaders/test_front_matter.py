"""Front matter is read as text."""

import pytest

from adapters.loaders.closing import key_of
from adapters.loaders.front_matter import LIMIT, split
from core.errors import IngestError


def test_values_stay_as_written() -> None:
    """Versions, dates, times and yes or no are what the author typed; lists are lists."""
    meta, text = split(
        "---\nversion: 1.10\nupdated: 2025-01-02\nopen: 09:30\nremote: no\nrole:\nреадеры: [hr, 'a b']\n---\n# T\n",
        "a.md",
    )

    assert meta == {
        "version": "1.10",
        "updated": "2025-01-02",
        "open": "09:30",
        "remote": "no",
        "реадеры": ("hr", "a b"),
    }
    assert text == "\n# T\n"


def test_keys_are_alike() -> None:
    """Spaces, hyphens and case make no difference between keys; the hyphen of a letter stays."""
    assert key_of(" Replaced-By ") == key_of("replaced by") == "replaced_by"
    assert key_of("E-mail") == "e-mail"


@pytest.mark.parametrize(
    "text", ["# T\n", "---\n\ntext\n", "---\njust words\n---\nmore", "--- \n- a\n- b\n---\n", "", "...\na: b\n---\n"]
)
def test_text_with_a_rule_at_the_top(text: str) -> None:
    """A rule is not front matter when no keys follow."""
    assert split(text, "a.md") == ({}, text)


def test_empty_front_matter() -> None:
    """Nothing between the lines is nothing known."""
    assert split("---\n# comment\n---\ntext", "a.md") == ({}, "\ntext")


def test_blank_lines_do_not_hide_it() -> None:
    """Who may read a document is heeded also when something empty stands above it."""
    assert split("\n \n---\nreaders: [hr]\n---\ntext", "a.md")[0] == {"readers": ("hr",)}


@pytest.mark.parametrize("readers", ["{group: hr}", "[{group: hr}]", "[hr, [it]]"])
def test_readers_that_are_no_names_close_the_document(readers: str) -> None:
    """A document whose readers cannot be understood is refused: it must not be open to everyone."""
    with pytest.raises(IngestError, match="names of groups"):
        split(f"---\nReaders: {readers}\n---\ntext", "a.md")


def test_mappings_are_left_out() -> None:
    """Only text and lists of text can be shown."""
    assert split("---\na: {b: c}\nd: [e, {f: g}]\n---\n", "a.md")[0] == {"d": ("e",)}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("---\ntitle: a\nowner: [Anna\n---\n", "line 4"),
        ("---\ntitle: a\nkey: b: c\n---\n", "line 3"),
        ("---\nв: \t@x\n---\n", "line 2"),
        ("---\ntitle: a\n\n# Text", "not closed"),
        ("---\na: " + "[" * 5_000 + "\n---\n", "make it flatter"),
        ("---\na: &a " + "слово" * 99 + "\n" + "".join(f"b{n}: *a\n" for n in range(999)) + "---\n", "aliases"),
        ("---\na: \x01\n---\n", "not YAML"),
        ("---\na: " + "b" * LIMIT + "\n---\n", "longer than"),
    ],
)
def test_broken_front_matter_names_its_line(text: str, reason: str) -> None:
    """What is wrong is said with its line in the file."""
    with pytest.raises(IngestError, match=reason):
        split(text, "a.md")


def test_toml() -> None:
    """Hugo and Zola write +++ and TOML: above all who may read the page is heeded."""
    meta, text = split(
        '+++\ntitle = "Отпуск"\nupdated = 2025-01-05\ndraft = true\nversion = 1.10\nreaders = ["hr", "it"]\nn = 7\n'
        '[extra]\nowner = "Анна Петрова"\n+++\nТекст',
        "a.md",
    )

    assert meta == {
        "owner": "Анна Петрова",
        "title": "Отпуск",
        "updated": "2025-01-05",
        "draft": "true",
        "version": "1.10",
        "readers": ("hr", "it"),
        "n": "7",
    }
    assert text == "\nТекст"


@pytest.mark.parametrize(
    "source",
    [
        '+++\nreaders = ["hr"]\ntext without an end',
        "+++\nreaders = [hr]\n+++\ntext",
        '+++\nreaders = [{group = "hr"}]\n+++\ntext',
        "+++\n[extra]\nreaders = []\n+++\ntext",
    ],
)
def test_readers_in_toml_are_never_missed(source: str) -> None:
    """What says who may read the page, and is not understood, closes it."""
    with pytest.raises(IngestError, match=r"front matter"):
        split(source, "a.md")


def test_pluses_are_no_front_matter() -> None:
    """A rule of pluses over text says nothing of the page."""
    assert split("+++\nJust words\n+++\nmore", "a.md") == ({}, "+++\nJust words\n+++\nmore")
