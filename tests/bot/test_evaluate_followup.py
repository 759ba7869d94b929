"""`footnote evaluate followup`: labelled turns in, shares out."""

import io
import json
from contextlib import redirect_stdout
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from adapters.embedding.universal import UniversalEmbedder
from bot.evaluate_followup import Judged, Recorded, _print, judge, sampled, scores_of
from bot.followup_cases import Case, Label, read_cases
from core.conversation import Thread, Turn
from core.errors import ConfigError, ModelTimeout
from core.text import language_of
from tests.core.corpus import NOON
from tests.doubles.models import ScriptedModel


def case(label: str, message: str = "And in Porto?", *history: str, kind: str = "") -> Case:
    """Return a labelled turn."""
    before = history or ("Who leads the Leeds office?",)
    turns = tuple(Turn(text, text, (), answered=True, asked_at=NOON) for text in before)
    named: Label = "follow_up" if label == "follow_up" else "standalone"
    return Case("1", kind, language_of(message), named, message, NOON, (), Thread("1", turns))


def line(**changed: Any) -> str:
    """Return a line of a file of labelled turns."""
    said = [{"role": "user", "text": "Кто ведёт «Альфу»?"}, {"role": "assistant", "text": "Анна."}]
    return json.dumps({"id": "1", "history": said, "message": "А «Вегу»?", "label": "followup"} | changed)


@pytest.mark.parametrize(
    ("message", "before", "expected"),
    [
        ("And in Porto?", "Who leads the Leeds office?", "carried over"),
        ("What are the main advantages?", "Tell me about the pension plan of the firm", "carried over"),
        ("Where is the badge printer on the third floor?", "Who leads the Leeds office?", "new"),
        ("А в Порту?", "Кто руководит офисом в Лидсе?", "carried over"),
        ("Какие основные преимущества?", "Расскажи о пенсионном плане фирмы", "carried over"),
        ("Где стоит принтер для пропусков на третьем этаже?", "Кто руководит офисом в Лидсе?", "new"),
    ],
)
async def test_a_turn_is_judged_by_the_gate(
    message: str, before: str, expected: str, embedder: UniversalEmbedder
) -> None:
    """The same gate decides that answers questions, with what the words and their nearness tell."""
    found = await judge(case("follow_up", message, before), embedder)

    assert ("carried over" == expected) == found.is_follow_up


def test_both_labels_weigh_alike() -> None:
    """Four follow-ups of which one is found, and one new question: the mean of 1/4 and 1."""
    judged = [Judged(case("follow_up", kind="plain"), found, "") for found in (True, False, False, False)]
    scores = scores_of([*judged, Judged(case("standalone"), False, "")])

    assert (0.625, 0.25, 1.0, 1.0) == (scores.balanced, scores.recall, scores.standalone, scores.precision)
    assert {"plain": 0.25} == scores.by_kind
    assert {"en": 0.625} == scores.by_language


def test_switches_that_are_carried_over_are_counted_apart() -> None:
    """They are the costly mistake; of two switches one is carried over here."""
    judged = [Judged(case("standalone", kind="topic_switch"), carried, "") for carried in (True, False)]

    assert 0.5 == scores_of(judged).switches


async def test_a_model_is_asked_only_where_the_words_do_not_tell(embedder: UniversalEmbedder) -> None:
    """Its reading then counts, and what it costs is told."""
    reply = Recorded(json.dumps({"about": "the Leeds office", "question": "Is parking free at the Leeds office?"}))
    doubtful = await judge(case("follow_up", "Is parking free?"), embedder, reply)
    clear = await judge(case("follow_up", "And what about that?"), embedder, reply)

    assert (True, True, "Is parking free at the Leeds office?") == (
        doubtful.asked, doubtful.is_follow_up, doubtful.question
    )  # fmt: skip
    assert not clear.asked
    assert 1 == scores_of([doubtful, clear]).model_calls


async def test_a_model_that_is_away_is_told_of(embedder: UniversalEmbedder) -> None:
    """The turn is judged without it."""
    judged = await judge(case("follow_up", "Is parking free?"), embedder, ScriptedModel([ModelTimeout("slow")]))

    assert ("model: slow", True) == (judged.failure, judged.asked)


def test_a_sample_is_the_same_each_time_and_balanced() -> None:
    """So many turns of each label and language, in the order of the file."""
    cases = [replace(case(label), id=f"{label}{n}") for label in ("follow_up", "standalone") for n in range(9)]

    assert sampled(cases, 3) == sampled(cases, 3)
    assert [3, 3] == [sum(one.label == label for one in sampled(cases, 3)) for label in ("follow_up", "standalone")]


FULL = {
    "id": "3", "language": "ru", "kind": "evidence", "label": "follow_up", "question": "А Вега?", "entities": ["Вега"],
    "asked_at": "2026-03-02T09:05:00+00:00", "answers": 0,
    "history": [{"question": "Кто ведёт Альфу?", "entities": ["Альфа"], "asked_at": "2026-03-02T09:00:00+00:00"}],
}  # fmt: skip


def test_the_long_form_tells_of_names_times_and_replies(tmp_path: Path) -> None:
    """A name is found in the message as the registry would; a reply to no turn is no case."""
    file = tmp_path / "turns.jsonl"
    file.write_text("\n".join([json.dumps(FULL), json.dumps(FULL | {"answers": 4})]), "utf-8")

    [found], [problem] = read_cases(file)

    assert ["Вега"] == [match.entity.name for match in found.matches]
    assert found.thread.turns[0] == found.thread.answers
    assert problem.startswith("turns.jsonl:2: answers")


def test_a_line_that_is_no_case_is_named_and_the_rest_is_judged(tmp_path: Path) -> None:
    """Its number and what is wrong are told."""
    file = tmp_path / "turns.jsonl"
    file.write_text("\n".join([line(), "", "{", line(label="maybe"), line(id="2")]), "utf-8")

    cases, problems = read_cases(file)

    assert ["1", "2"] == [one.id for one in cases]
    assert ["Кто ведёт «Альфу»?"] == [turn.question for turn in cases[0].thread.turns]
    assert ["turns.jsonl:3", "turns.jsonl:4"] == [problem.split(": ")[0] for problem in problems]
    assert "label" in problems[1]


@pytest.mark.parametrize("content", [b"", b"{}\n", b"\xff\xfe\x00"])
def test_a_file_without_a_case_is_refused(tmp_path: Path, content: bytes) -> None:
    """It says what a line must hold, or that it is no text."""
    file = tmp_path / "turns.jsonl"
    file.write_bytes(content)

    with pytest.raises(ConfigError, match=r"labelled turn|UTF-8"):
        read_cases(file)


def test_a_label_without_turns_has_no_share() -> None:
    """Nothing of it was right or wrong, which is a dash and not nought."""
    out = io.StringIO()
    with redirect_stdout(out):
        _print({"alone": [Judged(case("follow_up"), True, "")]}, (), every=False)

    kept, found = (next(line for line in out.getvalue().splitlines() if name in line) for name in ("new qu", "found"))
    assert kept.split()[-2:] == ["0", "–"]
    assert found.split()[-2:] == ["1", "100.0%"]
    assert "1 turn. No documents" in out.getvalue()
