"""What goes wrong is one clear sentence that names the fix, on standard error, with status 1: never a traceback."""

import os
import socket
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.bot.terminal import Outcome, footnote, installed_footnote, refused

NOBODY = 65534
SUFFIXES = (
    ".csv, .docx, .eml, .htm, .html, .ipynb, .json, .jsonl, .markdown, .md, .mdx, .pdf, .pptx, .tsv, .txt, .xlsm, "
    ".xlsx, .yaml, .yml, .zip"
)
NOTHING_INDEXED = (
    "nothing is indexed yet: run footnote index FOLDER first, for example footnote index examples/handbook"
)
QUESTION = "How many vacation days do I get?"
FACT = "27 working days of paid vacation per calendar year"


def made(path: Path, content: bytes | None = None) -> Path:
    """Return the path, as a file with the content or as an empty folder."""
    if content is None:
        path.mkdir()
    else:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return path


def test_a_missing_folder() -> None:
    """A folder that is not there is named."""
    assert refused(footnote("index", "nowhere")) == (
        "'nowhere' is neither a folder nor anything else that can be read. Give a folder, https://site/, "
        "https://host/repository.git, git@host:repository, slack:#channel or reader:package.module:Class."
    )


def test_an_empty_folder(elsewhere: Path) -> None:
    """A folder without documents says what may be put into it."""
    made(elsewhere / "empty")

    sentence = refused(footnote("index", "empty"))

    assert sentence.endswith(f"empty holds no document that can be read. Footnote reads {SUFFIXES}.")


def test_a_file_instead_of_a_folder(folder: Path) -> None:
    """One document is no folder of documents."""
    file = str(folder / "tea.md")

    assert refused(footnote("index", file)) == f"{file!r} is a file: give the folder that holds the documents"


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("a.md", b"\x00\x01\x02\xff\xfe\x00", "a.md: holds binary data, not text"),
        ("a.pdf", b"not a PDF", "a.pdf: is cut off or not a PDF"),
        ("a.docx", b"PK\x03\x04 cut off", "a.docx: "),
        ("a.txt", b"", "a.txt: is empty"),
        ("a.xyz", b"abc", "a.xyz: no reader for .xyz"),
    ],
)
def test_only_broken_files(elsewhere: Path, name: str, content: bytes, reason: str) -> None:
    """When nothing at all can be read, the first problem is told with its fix, and nothing is indexed."""
    made(elsewhere / "broken" / name, content)
    sentence = refused(footnote("index", "broken"))

    assert f"broken holds no document that can be read. The first problem: {reason}" in sentence
    assert refused(footnote("ask", QUESTION)) == NOTHING_INDEXED


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("intents: [1, 2", "domain.yaml: line "),
        ("- a list", "domain.yaml: must hold keys and values"),
        ("intents: 5", "domain.yaml, intents: "),
        ("entities: [{id: a}]", "domain.yaml, entities"),
        ("nonsense: true", "domain.yaml, nonsense: "),
        ("\x00", "domain.yaml: cannot be read: "),
    ],
)
def test_a_wrong_domain(folder: Path, content: str, reason: str) -> None:
    """A domain that cannot be used changes nothing: the entry is named, and the live index goes on answering."""
    footnote("index", str(folder))
    made(folder / "domain.yaml", content.encode())
    made(folder / "new.md", b"# New\n\nThe new door is blue.\n")
    sentence = refused(footnote("index", str(folder)))

    assert sentence.startswith(reason)
    assert sentence.endswith("and index again.")
    assert "could not find" in footnote("ask", "What colour is the new door?").text
    assert "four o'clock" in footnote("ask", "When is tea served?").text


@pytest.mark.parametrize("command", [("index", "documents"), ("ask", QUESTION), ("chat",), ("demo",)])
def test_a_data_folder_that_is_a_file(folder: Path, command: tuple[str, ...]) -> None:
    """A data folder that is none is named, with its variable; only the demo has said its mode before."""
    file = made(folder.parent / "taken", b"")
    outcome = footnote(*command, FOOTNOTE_DATA_DIR=str(file))
    shown = outcome if command != ("demo",) else Outcome(outcome.status, "", outcome.err)

    where = file / "demo" if command == ("demo",) else file
    assert refused(shown).startswith(f"FOOTNOTE_DATA_DIR: {where} cannot be used (")
    assert refused(shown).endswith("); name another folder")


def test_a_data_folder_that_may_not_be_written(folder: Path) -> None:
    """A read-only data folder is named, with its variable."""
    with tempfile.TemporaryDirectory() as place:
        Path(place).chmod(0o555)
        with unprivileged():
            outcome = footnote("index", str(folder), FOOTNOTE_DATA_DIR=place)

    assert "`FOOTNOTE_DATA_DIR`" in refused(outcome)
    assert "that Footnote may read and write" in refused(outcome)


@contextmanager
def unprivileged() -> Iterator[None]:
    """Be somebody to whom permissions apply, when the tests run as root."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


def test_a_database_that_is_none(folder: Path) -> None:
    """Something else in the place of the database is named, and left as it is."""
    file = made(folder.parent / "data" / "footnote.db", b"these are my notes, " * 100)
    sentence = refused(footnote("index", str(folder)))

    assert "footnote.db' cannot hold the database" in sentence
    assert file.read_bytes().startswith(b"these are my notes")


@pytest.mark.parametrize("command", [("ask", "When is tea served?"), ("chat",), ("run",), ("doctor",), ("demo",)])
@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("PLANNER_TEMPERATURE", "3"),
        ("ANSWER_TEMPERATURE", "warm"),
        ("MAX_TOOL_CALLS", "x"),
        ("MODEL_OUTPUT", "yaml"),
        ("TELEGRAM_WEBHOOK_PORT", "xoxb-secret-in-the-wrong-place"),
    ],
)
def test_a_wrong_setting(command: tuple[str, ...], variable: str, value: str) -> None:
    """Any command refuses a wrong setting by its variable, and never repeats its value, which may be a secret."""
    sentence = refused(footnote(*command, **{variable: value}, SLACK_BOT_TOKEN="xoxb-very-secret"))

    assert sentence.startswith(f"Correct these settings in the environment or in .env. {variable}: ")
    assert "secret" not in sentence


def test_all_wrong_settings_are_told_at_once() -> None:
    """Nobody has to correct one setting to learn of the next."""
    sentence = refused(footnote("doctor", PLANNER_TEMPERATURE="3", MAX_TOOL_CALLS="x"))

    assert "PLANNER_TEMPERATURE: " in sentence
    assert "MAX_TOOL_CALLS: " in sentence


def test_a_dotenv_that_is_no_text(elsewhere: Path) -> None:
    """An .env saved in another encoding is named."""
    made(elsewhere / ".env", b"ANSWER_MODEL=\xff\xfe\n")

    assert (
        refused(footnote("doctor")) == ".env cannot be read (UnicodeDecodeError): save it as UTF-8 text, or remove it"
    )


def test_settings_may_come_from_dotenv(elsewhere: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the environment leaves out is taken from .env; a home folder in it is the user's."""
    made(elsewhere / ".env", b"FOOTNOTE_DATA_DIR=~/notes\n")
    monkeypatch.delenv("FOOTNOTE_DATA_DIR")
    outcome = footnote("index", str(folder), HOME=str(elsewhere / "home"))

    assert outcome.status == 0
    assert (elsewhere / "home" / "notes" / "footnote.db").exists()
    assert not (elsewhere / "~").exists()


@pytest.mark.parametrize("command", [("ask", QUESTION), ("ask", QUESTION, "--json"), ("chat",)])
def test_nothing_is_indexed_yet(command: tuple[str, ...]) -> None:
    """Before there are documents a question is refused with the command that adds them."""
    assert refused(footnote(*command)) == NOTHING_INDEXED


def test_the_doctor_misses_the_documents() -> None:
    """Without documents the doctor's report says how to add them, and its status is 1."""
    outcome = footnote("doctor")

    assert outcome.status == 1
    assert "✗ Documents: none yet; run footnote index FOLDER" in outcome.out


def test_the_doctor_names_what_is_wrong(folder: Path) -> None:
    """Half of what a platform needs, and a model that is not there, are wrong, each with its variable."""
    footnote("index", str(folder))
    outcome = footnote(
        "doctor",
        SLACK_BOT_TOKEN="xoxb-very-secret",
        TELEGRAM_BOT_TOKEN="1:very-secret",
        TELEGRAM_WEBHOOK_URL="https://bot.example/",
        ANSWER_MODEL="nosuch/model",
    )
    wrong = [line for line in outcome.out.splitlines() if line.startswith("✗")]

    assert outcome.status == 1
    assert [line.split(":")[0] for line in wrong] == ["✗ ANSWER_MODEL", "✗ Slack", "✗ Telegram"]
    assert "neither SLACK_APP_TOKEN nor SLACK_SIGNING_SECRET is" in wrong[1]
    assert "TELEGRAM_WEBHOOK_SECRET is not" in wrong[2]
    assert "secret" not in outcome.out


def test_the_doctor_says_why_the_data_cannot_be_used(elsewhere: Path) -> None:
    """A data folder that is a file is one wrong line among the others."""
    file = made(elsewhere / "taken", b"")
    outcome = footnote("doctor", FOOTNOTE_DATA_DIR=str(file))

    assert outcome.status == 1
    assert f"✗ Data: FOOTNOTE_DATA_DIR: {file} cannot be used" in outcome.out


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("", "Ask me a question about the documents, for example: “How many vacation days do I get?”"),
        ("  \n ", "Ask me a question about the documents, for example: “How many vacation days do I get?”"),
        ("?!", "Ask me a question about the documents, for example: “How many vacation days do I get?”"),
        (
            "leave " * 3_333 + "ok",
            "That is 20000 characters; I take questions of up to 4000. What would you like to know, in short?",
        ),
        ("отпуск " * 3_000, "Это 21000 знаков, а я читаю вопросы до 4000. Что вы хотите узнать, если коротко?"),
    ],
)
def test_what_is_no_question(question: str, sentence: str) -> None:
    """Nothing, and far too much, is refused in the language of the question, with what to do."""
    assert refused(footnote("ask", question)) == sentence
    assert refused(footnote("ask", question, "--json")) == sentence


@pytest.mark.usefixtures("handbook_data")
@pytest.mark.parametrize("question", ["How many vacation \udcff\udcfe days do I get?", "How many vacation\x00 days?"])
def test_a_question_with_bytes_that_are_no_text(question: str) -> None:
    """What a terminal passes on although it is no text does not keep the question from being answered."""
    outcome = footnote("ask", question)

    assert (outcome.status, outcome.err) == (0, "")
    assert FACT in outcome.text


def test_input_that_is_no_text(folder: Path) -> None:
    """A line in another encoding is read as well as can be, and the conversation goes on."""
    footnote("index", str(folder))
    data = str(folder.parent / "data")
    outcome = installed_footnote(
        "chat", stdin=b"When is t\xe4a s\xffrved?\nWhen is tea served?\n", FOOTNOTE_DATA_DIR=data, PYTHONUTF8="1"
    )

    assert (outcome.status, outcome.err) == (0, "")
    assert "four o'clock" in outcome.text


@pytest.mark.usefixtures("handbook_data")
@pytest.mark.parametrize("role", ["PLANNER", "ANSWER"])
def test_an_unknown_model(role: str) -> None:
    """The answer is made of quotes, and standard error says how a model is named."""
    outcome = footnote("ask", QUESTION, **{f"{role}_MODEL": "nosuch/model"})

    assert outcome.status == 0
    assert FACT in outcome.text
    (line,) = outcome.err.splitlines()
    assert line.startswith(f"footnote: model: 'nosuch/model' names no known provider: write {role}_MODEL as provider/")


@pytest.mark.usefixtures("handbook_data")
def test_a_model_that_is_down() -> None:
    """The answer says that it is the documents' own words, and standard error says what to check."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{probe.getsockname()[1]}/v1"
        outcome = footnote("ask", QUESTION, ANSWER_MODEL="openai/small", MODEL_API_BASE=address, MODEL_API_KEY="s3cret")

    assert outcome.status == 0
    assert FACT in outcome.text
    assert "No model could write this answer, so these are the documents' own words." in outcome.text
    assert outcome.err == (
        "footnote: model: openai/small cannot be reached: check MODEL_API_BASE and that the server runs\n"
    )


@pytest.mark.usefixtures("handbook_data")
def test_a_model_that_is_down_leaves_json_whole() -> None:
    """What is said about the model goes to standard error, so that standard output stays JSON."""
    outcome = footnote("ask", "--json", QUESTION, ANSWER_MODEL="nosuch/model")

    assert outcome.out.startswith("{\n")
    assert outcome.out.endswith("}\n")
    assert outcome.err.startswith("footnote: model: 'nosuch/model'")


def test_a_command_that_does_not_exist() -> None:
    """A wrong command or a missing argument shows how it is used, with status 2."""
    for arguments in (("answer",), ("ask",), ("index", "--loudly"), ("--verbose",)):
        outcome = footnote(*arguments)

        assert outcome.status == 2
        assert outcome.err.startswith("Usage: ")
        assert "Traceback" not in outcome.err


def test_as_a_process_of_its_own(elsewhere: Path) -> None:
    """The installed command refuses as it does here."""
    nowhere = str(elsewhere / "nowhere")

    assert installed_footnote("index", nowhere, FOOTNOTE_DATA_DIR=str(elsewhere / "data")) == footnote("index", nowhere)
