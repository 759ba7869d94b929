"""Why documents cannot be read, in the language of whoever is told."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import core
from core.errors import IngestError
from core.phrases import TONGUES
from core.remedies import told_in, told_of
from core.text import Language

ROOT = Path(core.__file__).parents[1]
WHERE = ("adapters", "bot", "core/ingest")
RAISED = ("IngestError", "Unread", "Gone", "Unused", "Pageless")
# Sentences that are put together of a part that stands elsewhere; that part is looked at there.
PUT_TOGETHER = (
    "{}: {}",
    "{}: index again when the disk or share that it lies on answers",
    "{}, mostly for want of memory: free some and index again",
)


def reasons() -> Iterator[str]:
    """Yield each reason that stands in the code, with `{}` for its values."""
    for folder in WHERE:
        for file in (ROOT / folder).rglob("*.py"):
            for node in ast.walk(ast.parse(file.read_text("utf-8"))):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in RAISED:
                    yield from filter(None, map(_words, node.args[1:2]))


def _words(said: ast.expr) -> str | None:
    match said:
        case ast.Constant(value=str(words)):
            return words
        case ast.JoinedStr(values=parts):
            return "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in parts)
    return None


FOUND = sorted({one for one in reasons() if one not in PUT_TOGETHER})


def test_there_are_reasons() -> None:
    """What is looked through is where they are."""
    assert len(FOUND) > 90


@pytest.mark.parametrize("language", [one for one in TONGUES if one != "en"])
@pytest.mark.parametrize("reason", FOUND)
def test_every_reason_is_said_in_every_language(reason: str, language: Language) -> None:
    """An admin who reads Russian is not told in English what to do about a document."""
    said = told_in(reason.replace("{}", "7"), language)
    letters = TONGUES[language].letters

    assert reason.replace("{}", "7") != said
    assert letters is None or letters.search(said)


@pytest.mark.parametrize(
    ("reason", "told"),
    [
        ("is cut off or not a PDF: fetch the file again", "обрезан или это не PDF: скачайте файл заново"),
        ("has 2,001 pages, more than 2,000: split it", "слишком много страниц (2,001, можно 2,000): разделите файл"),
        (
            "cannot be read (Permission denied): check that it exists and may be read",
            "не читается (Permission denied): проверьте, что он есть и что его разрешено читать",
        ),
        (
            "the documents folder '/srv/{0}' does not exist: create it or correct its path",
            "папки с документами '/srv/{0}' нет: создайте её или поправьте путь",
        ),
        ("a reason of a reader that somebody else wrote", "a reason of a reader that somebody else wrote"),
    ],
)
def test_values_stand_where_they_belong(reason: str, told: str) -> None:
    """They are told as they are; a reason that nobody knows is, too, and English ones are in English."""
    assert told == told_in(reason, "ru")
    assert reason == told_in(reason, "en")
    assert f"a.pdf: {told}" == told_of(IngestError("a.pdf", reason), "ru")
