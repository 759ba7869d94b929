"""`footnote inspect` as somebody uses it who wonders what became of a document."""

import json
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.bot.terminal import footnote, refused


@pytest.fixture
def indexed(folder: Path) -> Path:
    """Return a folder that is indexed: two pages in two languages, one for a group, and a long one."""
    (folder / "rooms").mkdir()
    (folder / "rooms" / "garden.md").write_text(
        "---\nowner: Anna Petrova\nupdated: 2025-03-01\naliases: [green room]\n---\n# Garden\n\n"
        'Tea is served here, see <a href="../tea.md">tea</a>.\n\n## Rules\n\n- no dogs\n- no shouting\n',
        "utf-8",
    )
    (folder / "secret.md").write_text("---\nreaders: [board]\n---\n# Plans\n\nThe bunker opens in May.\n", "utf-8")
    items = "".join(f"- Правило {n}: молчать.\n" for n in range(40))
    (folder / "правила.md").write_text(f"# Правила дома\n\n## Список\n\n{items}", "utf-8")
    assert footnote("index", str(folder)).status == 0
    return folder


def test_a_document_is_shown_as_it_was_understood(indexed: Path) -> None:
    """Its title and facts, its chunks, names and edges, within 80 columns, and nothing that is not asked for."""
    outcome = footnote("inspect", "garden", COLUMNS="80")

    assert (outcome.status, outcome.err) == (0, "")
    assert max(map(len, outcome.out.splitlines())) <= 80
    for words in (
        "Garden rooms/garden.md · rooms · English", "updated 2025-03-01", "everybody may read it",
        "also called green room", "Chunks (2), with 5 sentences", "2 Rules · ", "Entities (", "as written (1)",
        "Garden – OWNER – Anna Petrova “Owner: Anna Petrova” 0–19", "Garden – LINKS_TO – Tea “tea”",
    ):  # fmt: skip
        assert words in outcome.text
    only = footnote("inspect", "rooms/garden.md", "--edges").text
    assert "Edges (" in only
    assert "Chunks" not in only
    assert "Tea is served here, see tea. Rules no dogs no shouting" in footnote("inspect", "garden", "--text").text


def test_links_that_lead_to_no_document(folder: Path) -> None:
    """What leads out is told with its address, what leads nowhere as that; the columns of a table are told, too."""
    (folder / "форма.md").write_text(
        "# Форма\n\nВот [анкета](https://forms.example/a), а [правил](нет.md) нет; см. [чай](tea.md).\n\n"
        "| Кто | Сколько |\n|---|---|\n| Анна | 7 |\n",
        "utf-8",
    )
    footnote("index", str(folder))

    shown = footnote("inspect", "форма").text
    assert "Other links (2) “анкета” → https://forms.example/a " in shown
    assert "“правил” → нет.md, which is no document of the index " in shown
    assert "Анна – HAS Сколько – 7" in shown
    found = json.loads(footnote("inspect", "форма", "--json").out)["links"]
    assert [(one["words"], one["lost"]) for one in found] == [("анкета", False), ("правил", True)]


def test_a_long_list_is_cut_politely(indexed: Path) -> None:
    """Forty edges show ten and how to see the others."""
    outcome = footnote("inspect", "правила", "--edges")

    assert "Edges (40)" in outcome.text
    assert "… 30 more; --all shows them" in outcome.text
    assert "Правило 39" not in outcome.text
    assert "Правило 39" in footnote("inspect", "правила", "--edges", "--all").text


def test_all_of_it_as_data(indexed: Path) -> None:
    """The JSON holds every span, and the text at each is what stands there."""
    outcome = footnote("inspect", "green room", "--json")

    found = json.loads(outcome.out)
    assert ("rooms/garden.md", "en", []) == tuple(found["document"][key] for key in ("id", "language", "readers"))
    assert [chunk["headings"] for chunk in found["chunks"]] == [[], ["Rules"]]
    for edge in found["edges"]:
        assert edge["proof"] == found["text"][edge["start"] : edge["end"]]
    assert {"OWNER", "DATED", "LINKS_TO", "LISTS"} == {edge["relation"] for edge in found["edges"]}


def test_what_is_not_there_gets_suggestions(indexed: Path) -> None:
    """Several that fit are named, a slip gets what is like it, and a file that is not indexed is told apart."""
    (indexed / "new.md").write_text("New.", "utf-8")

    assert refused(footnote("inspect", "e")).startswith("3 documents fit 'e': ")
    assert "Is it one of these: rooms/garden.md" in refused(footnote("inspect", "gardne"))
    assert "it is not in the index: run footnote index" in refused(footnote("inspect", "new.md"))


def test_alone_it_lists_the_documents(indexed: Path) -> None:
    """By their paths, with whom each is for."""
    (indexed / "плата.md").write_text("---\nreaders: [people-team]\n---\n# Плата\n\nСекрет.\n", "utf-8")
    footnote("index", str(indexed))

    assert "плата.md Плата (for people-team)" in footnote("inspect").text
    listed = json.loads(footnote("inspect", "--json").out)["documents"]
    assert {"id": "rooms/garden.md", "title": "Garden", "readers": []} in [one | {"title": "Garden"} for one in listed]


def test_what_could_not_be_read_is_told(indexed: Path) -> None:
    """The reason that the last index run gave, for a file and for one in an archive."""
    (indexed / "broken.pdf").write_bytes(b"%PDF-1.7 cut off")
    with ZipFile(indexed / "bundle.zip", "w") as bundle:
        bundle.writestr("ключи.md", "# Ключи\n\nКлючи лежат в ящике.\n")
        bundle.writestr("lost.pdf", b"%PDF-1.7 cut off")
    footnote("index", str(indexed))

    assert "broken.pdf could not be read by the last index run: " in refused(footnote("inspect", "broken.pdf"))
    assert "bundle.zip/lost.pdf could not be read" in refused(footnote("inspect", "bundle.zip/lost.pdf"))
    assert "Problems" not in footnote("inspect", "garden").out


def test_nothing_to_look_at() -> None:
    """Before the first index run it says what to do."""
    assert "run footnote index FOLDER first" in refused(footnote("inspect", "tea"))


def test_why_a_question_finds_a_document(indexed: Path) -> None:
    """In both languages: each word and what became of it, the plan, the engines' places, a conclusion."""
    found = footnote("inspect", "tea.md", "-q", "When is tea served at the zeppelin?").text
    russian = footnote("inspect", "чай.md", "-q", "Когда подают кофе?").text

    for words in (
        "when → passed over", "tea → the name of Tea", "zeppelin → zeppelin (in no document)", "GENERAL_UNSTRUCTURED",
        "document_search brought", "This document in the search", "Found: 1st of",
    ):  # fmt: skip
        assert words in found
    assert "когда → passed over" in russian
    assert "кофе → the name of Кофе" in russian.replace("Кофе →", "кофе →")
    assert "Found: 1st of" in russian


def test_why_a_question_does_not_find_a_document(indexed: Path) -> None:
    """Who may read it counts before all; without a document the question as a whole is explained."""
    closed = footnote("inspect", "secret", "-q", "When does the bunker open?").text
    opened = footnote("inspect", "secret", "-q", "When does the bunker open?", "--group", "board").text

    assert "Not found: only board may read it, and the question was asked by somebody of no group." in closed
    assert "Found: 1st of" in opened
    data = json.loads(footnote("inspect", "-q", "When does the bunker open?", "--json").out)
    assert data["conclusion"].startswith("Found: ")
    assert "secret.md" not in {one["doc_id"] for one in (*data["candidates"], *data["facts"])}
    assert "secret.md" not in {one["doc_id"] for one in data["own"]}


def test_as_a_member_of_a_group_closed_documents_are_neither_listed_nor_shown(indexed: Path) -> None:
    """Whoever looks as somebody else sees what they may read; without a group it is all, as for whoever runs it."""
    (indexed / "staff.md").write_text("---\nreaders: [staff]\n---\n# Смены\n\nСмена в пять.\n", "utf-8")
    assert footnote("index", str(indexed)).status == 0

    listed = footnote("inspect", "--group", "staff").text

    assert "staff.md" in listed
    assert "secret.md" not in listed
    assert refused(footnote("inspect", "secret.md", "--group", "staff")).startswith("secret.md is for board, not for")
    assert "bunker" in footnote("inspect", "secret.md", "--text", "--group", "board").text


@pytest.mark.parametrize(
    "question", ["When does the bunker open?", "Tell me about the vault plan", "Что за план хранилища?"]
)
def test_why_as_a_member_of_a_group_shows_nothing_closed(indexed: Path, question: str) -> None:
    """Only that it is closed, and for whom: none of its text, no name that it alone gives, no place in the search."""
    (indexed / "staff.md").write_text("---\nreaders: [staff]\n---\n# Смены\n\nСмена в пять.\n", "utf-8")
    vault = "---\nreaders: [board]\naliases: [План хранилища]\n---\n# Vault plan\n\nThe bunker opens at six.\n"
    (indexed / "vault.md").write_text(vault, "utf-8")
    assert footnote("index", str(indexed)).status == 0

    told = footnote("inspect", "vault.md", "-q", question, "--group", "staff")
    data = footnote("inspect", "vault.md", "-q", question, "--group", "staff", "--json").out
    opened = footnote("inspect", "vault.md", "-q", question, "--group", "board").text

    assert "Not found: only board may read it" in told.text
    for words in ("opens at six", "the name of Vault plan", "This document in the search"):
        assert words not in told.text + data
    assert [] == json.loads(data)["own"]
    assert "opens at six" in opened
    assert "secret.md" in footnote("inspect").text
