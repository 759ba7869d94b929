"""What is closed stays closed, wherever `footnote` is started: the rules belong to what is indexed."""

import json
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from bot.answering import Bot
from bot.audiences import Audiences
from bot.index_rules import Ruling
from bot.rules import remembered_by, rules_for, rules_now
from bot.service import _audiences
from bot.wiring import Stores
from core.errors import ConfigError
from core.ingest.document import Document
from core.ingest.generation import Generation, Make, Tables
from core.ingest.identity import Identity, identity_of
from core.ingest.source import Collection, Source
from tests.bot.terminal import footnote, refused
from tests.bot.test_audiences import Book

RULES = "groups: {people-team: [anna@northwind.example]}\nfolders: {pay: [people-team]}\n"
SLIPS = "groups: {people-team: [telegram:1]}\nfolders: {pya: [people-team]}\nlabels: {служебный: [people-team]}\n"
ASKED = "What does level L5 earn?"


@pytest.fixture
def firm(elsewhere: Path) -> Path:
    """Return a folder with documents, of which one is closed by a rule in `permissions.yaml` beside them."""
    firm = elsewhere / "firm"
    (firm / "docs" / "pay").mkdir(parents=True)
    (firm / "docs" / "tea.md").write_text("# Tea\n\nTea is served at four o'clock.\n", "utf-8")
    (firm / "docs" / "pay" / "Оклады.md").write_text("# Salaries\n\nLevel L5 earns 90,000 euros a year.\n", "utf-8")
    (firm / "permissions.yaml").write_text(RULES, "utf-8")
    return firm


def is_closed() -> bool:
    """Return whether the salaries are kept from everybody, and answered to the people team."""
    told = footnote("ask", "--group", "people-team", ASKED)
    assert "90,000" in told.out
    return "90,000" not in footnote("ask", ASKED).out


def test_it_does_not_matter_where_indexing_is_started(firm: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file is found beside the folder, and once indexed remembered: in the folder, above it, and without a name."""
    monkeypatch.chdir(firm)
    assert str(firm / "permissions.yaml") in footnote("index", "docs").out
    assert is_closed()
    monkeypatch.chdir(firm.parent)
    for typed in (["firm/docs"], [], [str(firm / "docs")]):
        outcome = footnote("index", *typed)

        assert (0, "") == (outcome.status, outcome.err)
        assert str(firm / "permissions.yaml") in outcome.out
        assert is_closed()


def test_the_first_run_finds_the_rules_beside_the_documents(firm: Path) -> None:
    """Nobody has to know in which folder to stand."""
    footnote("index", "firm/docs", "--json")

    assert is_closed()
    assert "people-team" in footnote("groups").out


def test_rules_among_the_documents_are_refused(firm: Path) -> None:
    """Whoever may write documents would say who reads them; with the file in use it is no document either."""
    shutil.move(firm / "permissions.yaml", firm / "docs" / "permissions.yaml")

    assert f"lies among the documents, where whoever may write them would say who reads them: move it to {firm}" in (
        refused(footnote("index", "firm/docs"))
    )


def test_rules_are_no_document(firm: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where indexing is started in the folder itself, with the rules in it."""
    shutil.move(firm / "permissions.yaml", firm / "docs" / "permissions.yaml")
    monkeypatch.chdir(firm / "docs")
    footnote("index", ".")

    assert is_closed()
    assert "permissions.yaml" not in footnote("inspect").out


def test_what_a_file_declares_closes_from_anywhere(firm: Path) -> None:
    """Its own section counts, whatever it is called."""
    (firm / "permissions.yaml").unlink()
    section = "permissions:\n  " + RULES.replace("\n", "\n  ").strip()
    (firm / "corpus.yaml").write_text(f"sources: [{{folder: docs}}]\n{section.replace('pay:', 'docs/pay:')}\n", "utf-8")
    footnote("index", "firm/corpus.yaml")

    assert is_closed()


@pytest.mark.parametrize("as_it_is", [True, False])
def test_rules_that_are_gone_open_nothing_by_themselves(firm: Path, *, as_it_is: bool) -> None:
    """A run without them is refused, with or without a name and as a plan, until told to open what they closed."""
    footnote("index", "firm/docs")
    (firm / "permissions.yaml").unlink()
    typed = [] if as_it_is else ["firm/docs"]
    for arguments in (typed, [*typed, "--plan"]):
        assert "is not there: put it back" in refused(footnote("index", *arguments))
    assert is_closed_to_all()
    opened = footnote("index", "--open", *typed)

    assert "Open to everybody now, closed until now (1): pay/Оклады.md." in opened.out
    assert "90,000" in footnote("ask", ASKED).out


def is_closed_to_all() -> bool:
    """Return whether the salaries are kept from whoever names no group."""
    return "90,000" not in footnote("ask", ASKED).out


def test_other_rules_open_nothing_by_themselves(firm: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file of another folder that does not close the same is refused; a change of the same file is told."""
    footnote("index", "firm/docs")
    home = firm.parent / "home"
    home.mkdir()
    (home / "permissions.yaml").write_text(
        "groups: {people-team: [telegram:1]}\nfolders: {paid: [people-team]}\n", "utf-8"
    )
    monkeypatch.chdir(home)
    shutil.move(firm / "permissions.yaml", firm / "kept.yaml")
    said = refused(footnote("index", str(firm / "docs")))

    assert "documents would open to everybody (1): pay/Оклады.md" in said
    assert str(home / "permissions.yaml") in said
    assert is_closed_to_all()
    shutil.move(firm / "kept.yaml", firm / "permissions.yaml")
    (firm / "permissions.yaml").write_text("groups: {people-team: [telegram:1]}\n", "utf-8")
    (home / "permissions.yaml").unlink()
    planned = footnote("index", "--plan", str(firm / "docs"))

    assert "Open to everybody now, closed until now (1): pay/Оклады.md." in planned.out


def test_other_paths_open_nothing_by_themselves(firm: Path) -> None:
    """With a second folder the first one's documents stand below its name, where a rule for `pay` does not reach."""
    footnote("index", "firm/docs")
    (firm / "more").mkdir()
    (firm / "more" / "Кофе.md").write_text("# Кофе\n\nКофе подают в восемь.\n", "utf-8")
    both = ("index", "firm/docs", "firm/more")
    for arguments in (both, (*both, "--plan")):
        said = refused(footnote(*arguments))
        assert "documents would open to everybody (1): docs/pay/Оклады.md; no rule of" in said
    assert is_closed()
    (firm / "permissions.yaml").write_text(RULES.replace("pay:", "docs/pay:"), "utf-8")

    assert 0 == footnote(*both).status
    assert is_closed()


def test_of_two_files_neither_is_chosen(firm: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside the documents and in the working folder: nobody could tell which one holds."""
    home = firm.parent / "home"
    home.mkdir()
    (home / "permissions.yaml").write_text(RULES, "utf-8")
    monkeypatch.chdir(home)

    assert "say who may read these documents: leave one of them" in refused(footnote("index", str(firm / "docs")))


def test_an_index_of_an_older_version_keeps_its_rules(firm: Path) -> None:
    """It does not know its file; without any it is not made anew."""
    made = Make("/srv/docs", "e", 1, "a", {"access": {"folders": {"pay": {"readers": ["hr"]}}}})
    with pytest.raises(ConfigError, match=r"the rules of permissions\.yaml are not there"):
        rules_for([firm.parent / "elsewhere" / "docs"], None, made)

    assert rules_for([firm / "docs"], None, made).file == firm / "permissions.yaml"
    assert rules_for([firm.parent / "elsewhere" / "docs"], None, made, may_open=True).file is None


def test_the_bot_goes_by_the_same_file(firm: Path) -> None:
    """By the one that the live index remembers, as it is now; by that of its own folder where that is not there."""
    home = firm.parent / "home"
    home.mkdir()
    (home / "permissions.yaml").write_text("groups: {others: [telegram:2]}\n", "utf-8")
    remembered = firm / "permissions.yaml"
    audiences = Audiences(Book(), {}, folder=home, remembered=lambda: remembered)
    assert {"people-team"} == set(audiences.permissions().groups.members)
    remembered.write_text("groups: {people-team: [telegram:1], bosses: [telegram:3]}\n", "utf-8")
    assert {"people-team", "bosses"} == set(audiences.permissions().groups.members)
    remembered.unlink()

    assert {"others"} == set(audiences.permissions().groups.members)
    assert rules_now(None, home).file == home / "permissions.yaml"


def test_the_index_remembers_its_rules(firm: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The report and its data name the file."""
    monkeypatch.chdir(firm)
    data = json.loads(footnote("index", "--json", "docs").out)

    assert str(firm / "permissions.yaml") == data["rules"]
    identity = json.dumps({"parts": {"": "/srv/docs"}, "rules": "/srv/permissions.yaml"})
    assert Path("/srv/permissions.yaml") == remembered_by(Make(identity, "e", 1, "a"))
    assert {"": "/srv/docs"} == identity_of(identity).parts
    assert remembered_by(None) is None


def test_a_rule_that_fits_nothing_is_a_problem(firm: Path) -> None:
    """A slip in a folder or a label is named with what may be meant, each time for folders; `--strict` fails."""
    (firm / "docs" / "чай.md").write_text("---\nlabels: [служебное]\n---\n# Чай\n\nЧай в пять.\n", "utf-8")
    footnote("index", "firm/docs")
    (firm / "permissions.yaml").write_text(SLIPS, "utf-8")
    opened, again = (footnote("index", "--strict", "firm/docs") for _ in range(2))

    assert (1, 1) == (opened.status, again.status)
    assert "no document fits the folder 'pya', so that its rule closes nothing: did you mean 'pay'?" in opened.out
    assert "no document fits the label 'служебный', so that its rule closes nothing: did you mean" in opened.out
    assert "the folder 'pya'" in again.out
    (firm / "permissions.yaml").write_text(RULES, "utf-8")
    assert 0 == footnote("index", "--strict", "firm/docs").status


@pytest.mark.parametrize("slip", ["folders: {pya: [people-team]}", "labels: {служебный: [people-team]}"])
def test_a_first_run_leaves_nothing_open_by_a_slip(firm: Path, slip: str) -> None:
    """What the rule is to close would be open at once; `--open` lets it go on. A label that nobody uses is no slip."""
    (firm / "docs" / "чай.md").write_text("---\nlabels: [служебное]\n---\n# Чай\n\nЧай в пять.\n", "utf-8")
    groups = "groups: {people-team: [telegram:1]}\n"
    (firm / "permissions.yaml").write_text(groups + slip + "\n", "utf-8")

    assert "Nothing was indexed. Correct that, or index with --open if it is meant" in (
        refused(footnote("index", "firm/docs"))
    )
    assert 0 == footnote("index", "--open", "firm/docs").status


def test_a_label_that_no_page_has_yet_is_no_slip(firm: Path) -> None:
    """It may be for pages to come."""
    (firm / "permissions.yaml").write_text(f"{RULES}labels: {{confidential: [people-team]}}\n", "utf-8")

    assert 0 == footnote("index", "firm/docs").status


def test_the_doctor_reads_the_rules(firm: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Which file counts, a mistake in it with its line, and that one is gone or another is not heeded."""
    assert "no permissions.yaml; a document that names no readers is for everybody" in footnote("doctor").text
    footnote("index", "firm/docs")
    assert f"Permissions: {firm / 'permissions.yaml'}, 1 group, 1 rule" in footnote("doctor").text
    monkeypatch.chdir(firm / "docs")
    (firm / "docs" / "permissions.yaml").write_text(RULES, "utf-8")
    assert "is not heeded" in footnote("doctor").text
    (firm / "docs" / "permissions.yaml").unlink()
    (firm / "permissions.yaml").write_text("grups: {}\n", "utf-8")
    outcome = footnote("doctor")
    assert "permissions.yaml, line 1: there is no 'grups': did you mean 'groups'?" in outcome.text
    assert 1 == outcome.status
    (firm / "permissions.yaml").unlink()

    assert "by which the documents are closed, is not there: put it back" in footnote("doctor").text


def test_may_says_what_the_file_says(firm: Path) -> None:
    """Of an address, of somebody in Slack without a token, of a group within another; and a slip is named."""
    (firm / "permissions.yaml").write_text(
        "groups:\n  people-team: [anna@northwind.example, slack:T024BE7LD:U0ANNA]\n"
        "  managers: [people-team, telegram:123456]\nfolders: {pay: [managers]}\n",
        "utf-8",
    )
    footnote("index", "firm/docs")
    for who in ("Anna@northwind.example", "slack:T024BE7LD:U0ANNA", "people-team", "managers", "telegram:123456"):
        assert "may read “Salaries”" in footnote("may", who, "Salaries").out
    assert "is in people-team is in managers" in footnote("may", "anna@northwind.example", "Salaries").text
    stranger = footnote("may", "slack:T024BE7LD:U0BORIS", "Salaries")

    assert "may not read" in stranger.out
    assert "Slack was not asked, for SLACK_BOT_TOKEN is not set" in stranger.text
    assert "there is no group 'peple-team': did you mean 'people-team'?" in refused(
        footnote("may", "peple-team", "Salaries")
    )
    assert "90,000" in footnote("ask", "--group", "people-team", ASKED).out
    slip = footnote("ask", "--group", "peple-team", ASKED)
    assert "there is no group 'peple-team': did you mean 'people-team'?" in slip.err
    assert "90,000" not in slip.out


def test_a_mistake_is_told_when_the_bot_starts(firm: Path, caplog: pytest.LogCaptureFixture) -> None:
    """And not only when the first question finds nobody in any group."""
    (firm / "permissions.yaml").write_text("grups: {}\n", "utf-8")
    made = Make(json.dumps({"parts": {}, "rules": str(firm / "permissions.yaml")}), "e", 1, "a")
    bot = SimpleNamespace(make=None, heed=lambda _: None)
    _audiences(cast("Bot", bot), cast("Stores", SimpleNamespace(database=None)), {}, made)

    assert "permissions.yaml, line 1: there is no 'grups'" in caplog.text


async def test_what_a_run_had_read_before_it_was_cut_short_counts_too() -> None:
    """The run that goes on reads only the rest; what opens is looked for in all of it."""
    live = Generation(1, "live", "", Make("/srv/docs", "e", 1, "a", {"access": {"folders": {}}}), Tables(1), {})
    page = Document("pay.md", "Оклады", "Секрет.", (), readers=frozenset({"hr"}))
    stored = {1: (page,), 2: (replace(page, readers=frozenset()),)}
    ruling = Ruling(_Stored(stored), live, Collection(identity_text("/home/rules.yaml"), cast("Source", None)))
    await ruling.see_stored(2)

    with pytest.raises(ConfigError, match=r"would open to everybody \(1\): pay\.md; no rule of /home/rules\.yaml fits"):
        ruling.check()


class _Stored:
    def __init__(self, documents: dict[int, tuple[Document, ...]]) -> None:
        self._documents = documents

    async def documents(self, number: int, ids: Sequence[str] | None = None) -> tuple[Document, ...]:
        return tuple(one for one in self._documents[number] if ids is None or one.id in ids)


def identity_text(rules: str) -> str:
    """Return the identity of a folder with rules."""
    return str(Identity({"": "/srv/docs"}, rules=rules))
