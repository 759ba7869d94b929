"""The commands as somebody uses them whose documents and settings are in order."""

import json
from pathlib import Path
from shutil import rmtree

import pytest

from bot.demo import CONVERSATION
from tests.bot.terminal import Outcome, footnote, installed_footnote
from tests.corpora import EXAMPLES

QUESTION = "How many vacation days do I get?"
FACT = "27 working days of paid vacation per calendar year"

# R-21, and what the audit keeps with it.
RESULT = {
    *("answer", "citations", "confidence", "confidence_level", "policy_flags", "is_refusal", "raw_context_used"),
    *("model_used", "tokens_used", "model_calls", "cost_usd", "latency_ms", "follow_up", "plan", "facts"),
    *("question", "remaining", "older", "list", "nearest", "rejected_claims", "timings_ms", "legend", "actions"),
    *("lead", "claims", "pin", "generation", "language"),
}
CITATION = {
    *("number", "doc_id", "chunk_id", "title", "place", "headings", "page", "link", "links"),
    *("text_snippet", "start", "end"),
}


def result(outcome: Outcome) -> dict[str, object]:
    """Return the JSON that was printed, all of standard output."""
    assert (outcome.status, outcome.err) == (0, "")
    found: dict[str, object] = json.loads(outcome.out)
    return found


def test_indexing_says_what_was_made(folder: Path) -> None:
    """The first run counts documents, passages and sentences, and says that all of them are new."""
    outcome = footnote("index", str(folder))

    assert outcome == Outcome(
        0, "Documents: 2 documents, 2 passages, 2 sentences.\nAdded 2, changed 0, removed 0, unchanged 0.\n", ""
    )


def test_indexing_again_changes_nothing(folder: Path) -> None:
    """A second run over the same documents says that nothing has changed, and leaves the index as it was."""
    footnote("index", str(folder))
    outcome = footnote("index", str(folder))

    assert outcome.out.splitlines()[1:] == ["Nothing has changed since the last time."]
    assert "four o'clock" in footnote("ask", "When is tea served?").text


def test_a_lost_index_is_built_again(folder: Path, elsewhere: Path) -> None:
    """The doctor sees that the folder of the index is gone, and indexing the same documents brings it back."""
    footnote("index", str(folder))
    rmtree(elsewhere / "data" / "index")

    assert "footnote index" in footnote("doctor").text
    footnote("index", str(folder))
    assert "four o'clock" in footnote("ask", "When is tea served?").text


@pytest.mark.usefixtures("handbook_data")
def test_indexing_the_handbook_again_changes_nothing() -> None:
    """All formats give the same documents each time they are read."""
    outcome = footnote("index", str(EXAMPLES / "handbook"))

    assert outcome.out.splitlines()[1:] == ["Nothing has changed since the last time."]


def test_indexing_tells_what_changed(folder: Path) -> None:
    """Added, changed, removed and unchanged documents are counted, and the next question is answered from them."""
    footnote("index", str(folder))
    (folder / "tea.md").write_text("# Tea\n\nTea is served at five o'clock in the kitchen.\n", "utf-8")
    (folder / "чай.md").unlink()
    (folder / "keys.txt").write_text("The keys hang behind the door.\n", "utf-8")
    outcome = footnote("index", str(folder))

    assert outcome.out.splitlines()[1] == "Added 1, changed 1, removed 1, unchanged 0."
    assert "five o'clock" in footnote("ask", "When is tea served?").text


def test_a_broken_document_is_named_and_the_rest_is_indexed(folder: Path) -> None:
    """What cannot be read is listed with its reason; the good documents answer."""
    (folder / "report.pdf").write_bytes(b"%PDF-1.7 cut off")
    (folder / "old.md").write_bytes(b"\x00\x01\x02\xff\x00")
    outcome = footnote("index", str(folder))

    assert outcome.status == 0
    made, _, heading, *problems = outcome.out.splitlines()
    assert made.startswith("Documents: 2 documents")
    assert heading == "Could not be read (2), the rest is indexed:"
    assert [line.split(":")[0].strip() for line in problems] == ["old.md", "report.pdf"]
    assert "four o'clock" in footnote("ask", "When is tea served?").text


def test_many_broken_documents_are_counted(folder: Path) -> None:
    """Of very many problems the first twenty are named."""
    for number in range(23):
        (folder / f"{number:02}.md").write_bytes(b"\x00\xff\x00")
    lines = footnote("index", str(folder)).out.splitlines()

    assert lines[2] == "Could not be read (23), the rest is indexed:"
    assert (len(lines[3:]), lines[-1]) == (21, "  …and 3 more")


@pytest.mark.usefixtures("handbook_data")
def test_an_answer_is_printed_with_its_evidence() -> None:
    """The answer comes first, then each source with its number, title, place, exact words and link."""
    outcome = footnote("ask", QUESTION)

    assert (outcome.status, outcome.err) == (0, "")
    answer, _, sources = outcome.text.partition(" Sources ")
    assert FACT in answer
    assert f"“A full-time employee gets {FACT}." in sources
    assert "¹ Annual leave policy — Entitlement · updated 2025-01-06" in sources
    assert "https://handbook.quillfern.example/policies/annual-leave.md" in sources


@pytest.mark.usefixtures("handbook_data")
def test_a_question_in_russian_is_answered_in_russian() -> None:
    """Footnote's own words are in the language of the question; quotes stay in the document's."""
    outcome = footnote("ask", "Сколько дней отпуска мне положено?")

    answer, _, sources = outcome.text.partition(" Источники ")
    assert FACT in answer
    assert "обновлено 2025-01-06" in sources


def test_russian_documents_answer_in_russian(folder: Path) -> None:
    """A Russian question over a Russian document, whose name is Russian too."""
    footnote("index", str(folder))
    outcome = footnote("ask", "Когда подают кофе?")

    assert "Кофе подают в восемь утра в зале." in outcome.text
    assert "Источники ¹ Кофе" in outcome.text


@pytest.mark.usefixtures("handbook_data")
@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("Who won the football world cup in 1998?", "I could not find the answer to this in the documents."),
        ("Кто выиграл чемпионат мира по футболу?", "Не удалось найти ответ на этот вопрос в документах."),
        ("sdkfjh wieurh qpwoei", "I could not find the answer to this in the documents."),
    ],
)
def test_what_the_documents_do_not_say_is_not_answered(question: str, words: str) -> None:
    """A refusal is an answer: said plainly, in the language of the question, with status 0."""
    outcome = footnote("ask", question)

    assert (outcome.status, outcome.err) == (0, "")
    assert outcome.text.startswith(words)


@pytest.mark.usefixtures("handbook_data")
def test_json_is_the_whole_result() -> None:
    """`--json` prints one JSON object with the fields of the contract, and nothing beside it."""
    found = result(footnote("ask", QUESTION, "--json"))

    assert set(found) == RESULT
    assert FACT in str(found["answer"])
    assert (found["is_refusal"], found["confidence_level"], found["policy_flags"]) == (False, "high", [])
    assert (found["model_used"], found["tokens_used"]) == ("quotes", 0)
    citations = found["citations"]
    assert isinstance(citations, list)
    assert [set(citation) for citation in citations] == [CITATION] * len(citations)
    assert "policies/annual-leave.md" in {citation["doc_id"] for citation in citations}


@pytest.mark.usefixtures("handbook_data")
def test_json_of_a_refusal() -> None:
    """A refusal is a field of the result, not a phrase to be searched for."""
    found = result(footnote("ask", "Who won the football world cup in 1998?", "--json"))

    assert set(found) == RESULT
    assert (found["is_refusal"], found["citations"], found["confidence_level"]) == (True, [], "low")


@pytest.mark.usefixtures("handbook_data")
def test_the_same_question_gets_the_same_answer() -> None:
    """Nothing but times differs between two answers to one question."""
    first, second = (result(footnote("ask", QUESTION, "--json")) for _ in range(2))

    assert {name: first[name] for name in RESULT - {"latency_ms", "timings_ms"}} == {
        name: second[name] for name in RESULT - {"latency_ms", "timings_ms"}
    }


@pytest.mark.usefixtures("handbook_data")
def test_hierarchical_reads_the_sections_around() -> None:
    """With -H the whole section around each find is read, and the answer still holds the fact."""
    question = "How many wrong sign-in attempts lock an account?"
    usual = result(footnote("ask", question, "--json"))
    hierarchical = result(footnote("ask", "-H", "--json", question))

    def read(found: dict[str, object]) -> int:
        context = found["raw_context_used"]
        assert isinstance(context, list)
        return sum(len(fact["text"]) for fact in context)

    assert read(hierarchical) > read(usual)
    assert "locked after 8" in str(hierarchical["answer"])


@pytest.mark.usefixtures("handbook_data")
def test_a_group_reads_what_is_meant_for_it() -> None:
    """A document with readers answers them alone; for anybody else it does not exist."""
    question = "What is the salary midpoint of a senior engineer?"
    member = footnote("ask", question, "--group", "people-team", "--group", "platform")
    anybody = footnote("ask", question)
    other = footnote("ask", question, "--group", "platform")

    assert "Midpoint: €70,000" in member.text
    assert "· confidential" in member.text
    assert "70,000" not in anybody.text + other.text
    assert "Salary bands" not in anybody.text + other.text


def test_the_doctor_finds_nothing_wrong_without_models_and_tokens(folder: Path) -> None:
    """What is merely off is no illness: the report names the variable that turns it on, and the status is 0."""
    footnote("index", str(folder))
    outcome = footnote("doctor")

    assert (outcome.status, outcome.err) == (0, "")
    mode, data, documents, permissions, planner, answer, slack, telegram = outcome.out.splitlines()
    assert mode.startswith("Quoting mode: answers are exact quotes from the documents. Set ANSWER_MODEL")
    assert data == f"✓ Data: {folder.parent / 'data'} (FOOTNOTE_DATA_DIR)"
    assert documents.startswith(f"✓ Documents: Documents, 2 documents from {folder.resolve()}, indexed ")
    assert planner.startswith("– PLANNER_MODEL is not set")
    assert answer.startswith("– ANSWER_MODEL is not set")
    assert slack.startswith("– Slack: off; set SLACK_BOT_TOKEN")
    assert telegram.startswith("– Telegram: off; set TELEGRAM_BOT_TOKEN")
    assert permissions.startswith("– Permissions: no permissions.yaml")


def test_the_doctor_tells_what_is_on(folder: Path) -> None:
    """Platforms that have what they need are on, each with its way in."""
    footnote("index", str(folder))
    polling = footnote("doctor", SLACK_BOT_TOKEN="xoxb-1", SLACK_APP_TOKEN="xapp-1", TELEGRAM_BOT_TOKEN="1:a")
    pushed = footnote(
        "doctor",
        SLACK_BOT_TOKEN="xoxb-1",
        SLACK_SIGNING_SECRET="s3cret",
        SLACK_HTTP_PORT="3001",
        TELEGRAM_BOT_TOKEN="1:a",
        TELEGRAM_WEBHOOK_URL="https://bot.example/",
        TELEGRAM_WEBHOOK_SECRET="s3cret",
    )

    assert polling.out.splitlines()[-2:] == [
        "✓ Slack: on, Socket Mode; footnote doctor slack asks Slack itself",
        "✓ Telegram: on, polling; footnote doctor telegram asks Telegram itself",
    ]
    assert pushed.out.splitlines()[-2:] == [
        "✓ Slack: on, HTTP on port 3001, path /slack/events",
        "✓ Telegram: on, webhook; footnote doctor telegram asks Telegram itself",
    ]
    assert (polling.status, pushed.status) == (0, 0)
    assert "s3cret" not in polling.out + pushed.out


def test_the_demo_needs_no_terminal(handbook_data: Path) -> None:
    """Without a terminal the demo says the mode, shows each question as both platforms would, and ends by itself."""
    handbook_data.rename(handbook_data.with_name("demo"))
    outcome = footnote("demo", FOOTNOTE_DATA_DIR=str(handbook_data.parent))

    assert (outcome.status, outcome.err) == (0, "")
    lines = outcome.out.splitlines()
    assert lines[0].startswith("Quoting mode: ")
    assert lines[0].endswith("written by a model.")
    assert lines[-1].startswith("Your own documents: ")
    assert lines[-1].endswith("footnote index FOLDER, then footnote chat.")
    for question in CONVERSATION:
        assert outcome.text.count(question) >= 3
    assert len(CONVERSATION) == len([line for line in lines if line.startswith("• It ")])
    assert len(CONVERSATION) == outcome.out.count("╭─ Slack ") == outcome.out.count("╭─ Telegram ")
    assert FACT in " ".join(outcome.out.replace("│", " ").split())
    # What only a group has is not drawn in a private chat.
    assert "[ Why? ]" in outcome.out
    assert "Ask in private" not in outcome.out


def test_the_installed_command_does_the_same(folder: Path) -> None:
    """As a process of its own the command prints what it prints here, and "?" for what the terminal cannot show."""
    footnote("index", str(folder))
    here = footnote("ask", "Когда подают кофе?")
    there = installed_footnote(
        "ask", "Когда подают кофе?", FOOTNOTE_DATA_DIR=str(folder.parent / "data"), PYTHONIOENCODING="ascii"
    )

    assert there == Outcome(0, here.out.encode("ascii", "replace").decode(), "")


def test_help_names_every_command() -> None:
    """Without arguments the commands are listed, each with what it does."""
    outcome = footnote("--help")

    assert outcome.status == 0
    for command in ("index", "ask", "chat", "demo", "run", "doctor"):
        assert f" {command} " in outcome.out
