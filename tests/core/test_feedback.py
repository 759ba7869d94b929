"""What people say of answers: what a deed makes of it, and what the buttons bring."""

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.conversation import MessageRef
from core.feedback import (
    REASONS,
    Deed,
    Judgement,
    Verdict,
    Way,
    judged,
    read_deed,
    reason_in_words,
    reasons,
    with_buttons,
)
from core.phrases import phrase
from core.press import button_of, read_button
from core.reply import MAX_VALUE_BYTES
from core.text import Language
from tests.adapters.storage.turns import NOON, ask, finish

NOTHING, UP, DOWN, WRONG = Judgement(), Judgement("up"), Judgement("down"), Judgement("down", "wrong")
BEFORE = st.sampled_from([NOTHING, UP, DOWN, WRONG])
VERDICTS = st.sampled_from(["up", "down"])
LAST = 10**18 - 1


def deed(way: Way, verdict: Verdict = "down", reason: str | None = None) -> Deed:
    return Deed(MessageRef("slack", "T1:C1", "1.000001"), "slack:T1:U1", "1", way, verdict, NOON, reason)


@pytest.mark.parametrize(
    ("before", "done", "now"),
    [
        (NOTHING, deed("press", "up"), UP),
        (UP, deed("press", "up"), NOTHING),
        (UP, deed("press", "down"), DOWN),
        (WRONG, deed("press", "down"), NOTHING),
        (WRONG, deed("press", "up"), UP),
        (DOWN, deed("reason", reason="wrong"), WRONG),
        (UP, deed("reason", reason="wrong"), WRONG),
        (WRONG, deed("reason", reason="outdated"), Judgement("down", "outdated")),
        (NOTHING, deed("given", "up"), UP),
        (WRONG, deed("given", "down"), WRONG),
        (WRONG, deed("given", "up"), UP),
        (UP, deed("taken", "up"), NOTHING),
        (WRONG, deed("taken", "up"), WRONG),
        (NOTHING, deed("taken", "down"), NOTHING),
    ],
)
def test_a_deed_makes_one_judgement_of_another(before: Judgement, done: Deed, now: Judgement) -> None:
    """A button pressed again takes back, an emoji only says what it shows, and a reason stays with its thumb."""
    assert now == judged(before, done)


@settings(derandomize=True)
@given(BEFORE, st.sampled_from(["given", "taken", "reason"]), VERDICTS)
def test_only_a_press_undoes_itself(before: Judgement, way: Way, verdict: Verdict) -> None:
    """Whatever is not a press can be told of again without a difference."""
    once = judged(before, deed(way, verdict, "wrong" if way == "reason" else None))

    assert once == judged(once, deed(way, verdict, "wrong" if way == "reason" else None))


@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize("version", [0, 1, 1_700_000_005_000_000, LAST])
def test_what_the_buttons_bring_is_read_again(language: Language, version: int) -> None:
    """Every thumb and reason, with the version of the question, within what every platform brings back."""
    record = finish(ask("Где?", version=version))
    offered = [*with_buttons(record).actions, *reasons(version, language)]
    read = [read_button(button_of(action)) for action in offered]
    deeds = [read_deed(kind, value) for kind, value in filter(None, read) if kind in ("judge", "reason")]

    assert all(len(action.value.encode()) <= MAX_VALUE_BYTES for action in offered)
    assert [
        *[("up", None, version), ("down", None, version)],
        *[("down", reason, version) for reason in REASONS],
    ] == deeds


@settings(derandomize=True)
@given(st.sampled_from(["judge", "reason"]), st.text(max_size=60))
def test_no_value_is_too_strange(kind: str, value: str) -> None:
    """What is none of ours means nothing; what means something is one that we offer, in an ordinary number."""
    read = read_deed(kind, value)  # type: ignore[arg-type]

    assert read is None or (0 <= read[2] <= LAST and (read[1] in REASONS or read[1] is None))


@pytest.mark.parametrize(
    "value",
    [
        *(
            "",
            "up",
            "up.",
            ".0",
            "up.0.",
            "up.-1",
            "up. 1",
            "up.1e3",
            "up.٣",
            "up.1\n",
            "sideways.0",
            "wrong.0",
            "UP.0",
        ),
        *("up." + "9" * 19, "up." + "9" * 100_000, "u" * 100_000),
    ],
)
def test_a_thumb_that_is_none_is_not_read(value: str) -> None:
    """Also where it is huge."""
    assert read_deed("judge", value) is None


@pytest.mark.parametrize("language", ["en", "ru"])
def test_a_reason_is_told_in_the_readers_language(language: Language) -> None:
    """Chosen ones from our sentences, own words as they are."""
    assert phrase("reason_outdated", language) == reason_in_words("outdated", language)
    assert "Не тот проект" == reason_in_words("Не тот проект", language)


def test_what_was_looked_up_can_be_judged_and_asked_about() -> None:
    """An answer and a refusal have the thumbs and why; what we ask back and sentences of our own have not."""
    record = finish(ask("Где?"))
    kinds = [action.kind for action in with_buttons(record).actions]

    assert ["judge", "judge", "why"] == kinds
    assert kinds == [action.kind for action in with_buttons(finish(ask("Где?"), refusal=True)).actions]
    assert record.reply == with_buttons(replace(record, planned_by="nobody"))


def test_an_older_moment_changes_nothing_in_what_a_deed_means() -> None:
    """What counts is the deed, not when it is told of."""
    late = replace(deed("press", "up"), at=NOON + timedelta(days=1))

    assert UP == judged(NOTHING, late)
