"""The commands for what is kept of people, as somebody types them."""

import json
import sqlite3
from pathlib import Path

import pytest

from tests.bot.terminal import Outcome, footnote

QUESTION = "How many vacation days do I get?"
CONTACT = "Where do I report a lost device or a suspicious message?"


@pytest.fixture
def asked(handbook_data: Path) -> Path:
    """Return the data folder, in which two questions have been answered."""
    for question in (QUESTION, "Who won the 1998 World Cup?"):
        assert 0 == footnote("ask", question).status
    return handbook_data


def data(outcome: Outcome) -> list[dict[str, object]]:
    """Return the JSON that was printed."""
    assert (0, "") == (outcome.status, outcome.err)
    found: list[dict[str, object]] = json.loads(outcome.out)
    return found


@pytest.mark.usefixtures("asked")
def test_the_log_is_searched() -> None:
    """Alone it shows the latest; words, persons, days and refusals narrow it down."""
    assert "vacation" in footnote("audit").text
    assert [2, 1] == [one["number"] for one in data(footnote("audit", "search", "--json"))]
    assert [1] == [one["number"] for one in data(footnote("audit", "search", "vacation", "days", "--json"))]
    assert [2] == [one["number"] for one in data(footnote("audit", "search", "--refused", "--json"))]
    assert [] == data(footnote("audit", "search", "--since", "2100-01-01", "--json"))
    assert [] == data(footnote("audit", "search", "--person", "slack:T1:U1", "--json"))
    assert "Nothing of the kind" in footnote("audit", "search", "дирижабль").out


@pytest.mark.parametrize(
    "hostile", ["What is [/b]?", "Что такое [red]отпуск[/]?", "What is \x1b]0;mine\x07leave\x1b[2J?"]
)
def test_a_question_cannot_break_the_terminal_of_who_reads_the_log(handbook_data: Path, hostile: str) -> None:
    """Markup and control characters that somebody asked with are shown as text, or not at all."""
    assert handbook_data
    assert 0 == footnote("ask", hostile).status
    shown, replayed = footnote("audit"), footnote("audit", "replay", "1")

    assert 0 == shown.status
    assert "[/" in shown.out or "leave" in shown.out
    assert "\x1b" not in shown.out + replayed.out


def test_the_log_is_verified(asked: Path) -> None:
    """Sound with the hash to keep; status 1, with the entry, once somebody has been at the file."""
    sound = footnote("audit", "verify")
    digest = sound.out.split("ends with ")[1].split()[0]
    assert 0 == sound.status
    assert "sound: 2 entries" in sound.out
    assert 0 == footnote("audit", "verify", "--through", digest).status
    assert 1 == footnote("audit", "verify", "--through", "0" * 64).status
    with sqlite3.connect(asked / "footnote.db") as connection:
        connection.execute("DROP TRIGGER audit_is_not_changed")
        connection.execute("UPDATE audit SET asker = 'nobody' WHERE id = 2")
    connection.close()
    broken = footnote("audit", "verify")

    assert 1 == broken.status
    assert "broken from entry 2 of" in broken.out
    assert {"sound": False, "number": 2} == {
        name: json.loads(footnote("audit", "verify", "--json").out)[name] for name in ("sound", "number")
    }


@pytest.mark.usefixtures("asked")
@pytest.mark.parametrize("noted", ["", "  ", "abc", "хэш"])
def test_a_hash_that_is_none_proves_nothing(noted: str) -> None:
    """A script whose note is lost is told so, and not that all is sound."""
    outcome = footnote("audit", "verify", "--through", noted)

    assert 2 == outcome.status
    assert "no hash" in " ".join(outcome.err.split())


@pytest.mark.usefixtures("asked")
def test_an_answer_is_looked_at_again() -> None:
    """With its quotes and their places; what is no answer, or is not there, is said."""
    replayed = footnote("audit", "replay", "1")

    assert 0 == replayed.status
    assert QUESTION in replayed.out
    assert "stands there word for word" in replayed.out
    assert json.loads(footnote("audit", "replay", "1", "--json").out)["holds"]
    assert "has no entry 99" in footnote("audit", "replay", "99").err


def test_the_log_is_written_to_a_file(asked: Path) -> None:
    """An entry a line; a file that is there stays as it is."""
    file = asked / "log.jsonl"

    assert "2 entries of the audit log stand in" in footnote("audit", "export", str(file)).out
    assert 2 == len(file.read_text("utf-8").splitlines())
    assert "is there already" in footnote("audit", "export", str(file)).err


@pytest.mark.usefixtures("asked")
def test_nothing_is_too_old_yet() -> None:
    """What would go is told, and in what way everything is kept."""
    told = footnote("retention", "--dry-run")

    assert "RETENTION: everything is kept for 180 days. Would go: nothing." == told.text
    assert "kept for ever. Gone: nothing." in footnote("retention", RETENTION="forever").text


@pytest.mark.parametrize("value", ["1d", "soon", "0d", "-3d", "99999999d"])
def test_a_wrong_retention_is_named(value: str) -> None:
    """As every wrong setting is; what platforms bring again must stay known for two days."""
    assert "RETENTION: " in footnote("retention", RETENTION=value).err


@pytest.mark.usefixtures("asked")
def test_a_person_is_forgotten_once_that_is_sure(tmp_path: Path) -> None:
    """Nobody is forgotten by a wrong key; a name is nobody."""
    unsure = footnote("forget", "telegram:42", stdin="n\n")

    assert "Nothing was changed." in unsure.out
    assert "Nothing is stored of telegram:42." in footnote("forget", "telegram:42", "--yes").out
    assert "'anna' is nobody" in footnote("forget", "anna", "--yes").err
    assert "0 records of telegram:42" in footnote("export", "telegram:42", str(tmp_path / "mine.jsonl")).out


@pytest.mark.parametrize(("mode", "is_masked"), [("off", False), ("logs", True), ("models", False), ("all", True)])
def test_the_log_holds_no_personal_data_where_a_setting_says_so(
    mode: str,
    handbook_data: Path,
    *,
    is_masked: bool,
) -> None:
    """The reader gets the address all the same."""
    answer = footnote("ask", CONTACT, MASK_PERSONAL=mode).out
    with sqlite3.connect(handbook_data / "footnote.db") as connection:
        [(logged,)] = connection.execute("SELECT record || words FROM audit").fetchall()
    connection.close()

    assert "@quillfern.example" in answer
    assert is_masked == ("@quillfern.example" not in logged)
    assert is_masked == ("⟨EMAIL⟩" in logged)


@pytest.mark.parametrize(("mode", "is_masked"), [("off", False), ("logs", True)])
@pytest.mark.parametrize("reason", ["ask anna@northwind.example", "спросите anna@northwind.example"])
def test_nor_does_what_somebody_says_of_an_answer(
    mode: str, handbook_data: Path, reason: str, *, is_masked: bool
) -> None:
    """A reason in own words is logged, too."""
    said = footnote("chat", stdin=f"{QUESTION}\n/bad {reason}\n/quit\n", MASK_PERSONAL=mode)
    with sqlite3.connect(handbook_data / "footnote.db") as connection:
        [(logged,)] = connection.execute("SELECT record || words FROM audit WHERE kind = 'feedback'").fetchall()
    connection.close()

    assert 0 == said.status
    assert is_masked == ("anna@" not in logged)
