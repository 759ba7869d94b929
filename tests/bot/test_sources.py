"""Sources are indexed, alone and together, again and after failures, as somebody does it who has them."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.settings import read_settings
from bot.sources import folders_of, sources_from, with_login
from core.errors import ConfigError
from core.ingest.generation import Make
from tests.adapters.sources.repository import Repository
from tests.bot.terminal import footnote, refused

READER = """
from dataclasses import dataclass, field

@dataclass
class Document:
    text: str
    metadata: dict = field(default_factory=dict)

class Notes:
    def __init__(self, token):
        self.token = token

    def load_data(self, words):
        if self.token != "s3cret-value":
            raise PermissionError(f"{self.token} is wrong")
        return [Document(f"# {word}\\n\\nThe word is {word}.", {"title": word, "id": word}) for word in words]
"""


@pytest.fixture
def notes(elsewhere: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Return what is typed for a reader of a few notes, whose token is in a variable."""
    (elsewhere / "my_notes.py").write_text(READER, "utf-8")
    monkeypatch.syspath_prepend(str(elsewhere))
    monkeypatch.setenv("NOTES_TOKEN", "s3cret-value")
    yield "reader:my_notes:Notes?token=${NOTES_TOKEN}&load.words=[Замок, bridge]"
    sys.modules.pop("my_notes", None)


def report(*arguments: str) -> dict[str, object]:
    """Return the report of an index run as data."""
    outcome = footnote("index", "--json", *arguments)
    assert (outcome.status, outcome.err) == (0, "")
    found: dict[str, object] = json.loads(outcome.out)
    return found


def test_several_sources_become_one(folder: Path, notes: str, elsewhere: Path) -> None:
    """A folder, a repository and a reader are one corpus; run again without an argument, nothing has changed."""
    repository = Repository.made(elsewhere / "runbooks")
    repository.commit({"docs/vpn.md": "# VPN\n\nThe gateway is in Berlin.\n", "README.md": "# No\n\nNot this.\n"})
    first = report(str(folder), f"git+{repository.address}#main:docs", notes)
    added = first["added"]
    assert isinstance(added, list)

    assert ["documents/tea.md", "documents/чай.md", "runbooks/docs/vpn.md"] == sorted(added)[2:]
    assert ["Notes", "Notes"] == [str(id_).split("/")[0] for id_ in sorted(added)[:2]]
    again = report()
    assert ("unchanged", 5, 0) == (again["status"], again["unchanged"], again["embedded"])
    assert "Berlin" in footnote("ask", "Where is the VPN gateway?").text


def test_a_source_that_fails_keeps_its_documents(folder: Path, notes: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a wrong token the notes stay, and are answered from; the other source changes; the report names it."""
    report(str(folder), notes)
    monkeypatch.setenv("NOTES_TOKEN", "wrong-value")
    (folder / "tea.md").write_text("# Tea\n\nTea is served at five o'clock.\n", "utf-8")
    (folder / "чай.md").unlink()
    outcome = footnote("index")

    assert "Added 0, changed 1, removed 1, unchanged 2." in outcome.out
    assert "Could not be had this time (1); what is indexed of it stays:" in outcome.out
    assert "*** is wrong" in outcome.out
    assert "wrong-value" not in outcome.out
    assert "Замок" in footnote("ask", "What is the word Замок?").text
    assert 1 == footnote("index", "--strict").status


def test_a_folder_that_is_not_there_keeps_its_documents(folder: Path, notes: str) -> None:
    """A share that is not mounted loses neither documents nor the names that it declares; the doctor says so."""
    (folder / "domain.yaml").write_text("entities: [{id: tea, name: Tea, aliases: [чаёк]}]\n", "utf-8")
    report(str(folder), notes)
    folder.rename(folder.with_name("away"))
    again = report()

    assert ("unchanged", 4) == (again["status"], again["unchanged"])
    assert "is not there" in footnote("doctor").text


def test_declared_readers_close_a_source_and_never_open_it(folder: Path) -> None:
    """Who is not of the groups gets no answer from it; when it fails after its readers changed, nothing of it stays."""
    (folder.parent / "кадры").mkdir()
    (folder.parent / "кадры" / "pay.md").write_text("# Pay\n\nLevel L5 earns 90,000 euros.\n", "utf-8")
    declared = folder.parent / "footnote.yaml"
    declared.write_text("sources:\n  - folder: documents\n  - folder: кадры\n    readers: [hr]\n", "utf-8")
    report()

    assert "90,000" not in footnote("ask", "What does level L5 earn?").text
    assert "90,000" in footnote("ask", "--group", "hr", "What does level L5 earn?").text
    declared.write_text("sources:\n  - folder: documents\n  - folder: кадры\n    readers: [boss]\n", "utf-8")
    (folder.parent / "кадры").rename(folder.parent / "away")
    report()
    assert "90,000" not in footnote("ask", "--group", "hr", "What does level L5 earn?").text


def test_nothing_is_indexed_where_nothing_can_be_read(
    folder: Path, notes: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When every source fails the command says why, with status 1, and answers go on."""
    report(str(folder))
    monkeypatch.setenv("NOTES_TOKEN", "wrong-value")
    said = refused(footnote("index", notes))

    assert "gives nothing (PermissionError: *** is wrong)" in said
    assert "four o'clock" in footnote("ask", "When is tea served?").text


def test_a_plan_changes_nothing(folder: Path, notes: str) -> None:
    """What a run over several sources would do is said, and not done."""
    report(str(folder))
    plan = report("--plan", str(folder), notes)
    added = plan["added"]
    assert isinstance(added, list)

    assert ("plan", 4) == (plan["status"], len(added))
    assert "Nothing has changed" in footnote("index", str(folder)).out


@pytest.mark.parametrize(
    ("wheres", "said"),
    [
        ((), "nothing says what to index"),
        (("documents", "documents"), "is named twice: leave one of them out"),
        (("documents", "x/documents"), "give one a name of its own"),
        (("slack:#general",), "SLACK_BOT_TOKEN is not set"),
        (("dokuments",), "did you mean documents?"),
        (("reader:my_notes:Notes?token=${NOT_SET_HERE}",), "NOT_SET_HERE, which is not set"),
    ],
)
def test_what_cannot_be_done_is_said(wheres: tuple[str, ...], said: str, folder: Path) -> None:
    """One sentence says what is wrong and what to do."""
    (folder.parent / "x" / "documents").mkdir(parents=True)

    assert said in refused(footnote("index", *wheres))


def test_what_is_stored_is_found_again(folder: Path) -> None:
    """From the identity of an index its sources can be made again; nothing secret stands in it."""
    made = Make(str(folder), "e", 8, "a")
    assert (folder,) == folders_of(str(folder))

    assert sources_from(made, read_settings()).identity == str(folder)
    with pytest.raises(ConfigError, match=r"footnote.yaml cannot be read"):
        sources_from(Make('{"file": "/nowhere/footnote.yaml", "parts": {}}', "e", 8, "a"), read_settings())


@pytest.mark.parametrize(
    ("address", "value", "full"),
    [
        ("https://${V}@host/a@b", "anna:p/w", "https://anna:p%2Fw@host/a@b"),
        ("https://anna:${V}@host/", "p@:", "https://anna:p%40%3A@host/"),
        ("git@host:a", "x", "git@host:a"),
        ("https://host/${V}", "x", "https://host/${V}"),
    ],
)
def test_a_login_comes_from_a_variable(address: str, value: str, full: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the login takes values, written so that it stays one."""
    monkeypatch.setenv("V", value)

    assert full == with_login(address)
