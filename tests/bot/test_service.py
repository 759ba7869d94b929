"""From the intake to what is to be seen, over a real database and the real engine of durable work."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from bot import service as at_work
from bot.line import SETTLE
from core.conversation import Audience, MessageRef
from core.delivery import Doubtful, Later, Refused
from core.pacing import Tally
from core.phrases import phrase
from core.press import Heard, OutOfDate, Press
from core.text import Language
from tests.bot.work import Company, made
from tests.doubles.little import asks, tells
from tests.doubles.stage import Stage

LOOKING = phrase("looking", "en")


@pytest.fixture
def company(tmp_path: Path) -> Company:
    """Return an empty data folder with a stage."""
    return Company(tmp_path / "data")


def answer(key: str) -> str:
    """Return the answer as it is shown."""
    return f"• {tells(key, russian=key >= 'А')}¹"


def evidence(key: str) -> str:
    """Return the evidence as it is shown."""
    return f"1. {tells(key, russian=key >= 'А')}"


@pytest.mark.parametrize("key", ["K1", "Ю1"])
async def test_a_question_becomes_a_sign_an_answer_and_its_evidence(company: Company, key: str) -> None:
    """The sign comes at once, the answer in its place, the evidence after it; each model is asked once."""
    async with company.at_work(held=True) as desk:
        question = await desk.ask(key)
        await desk.until(lambda: desk.stage.visible() == [phrase("looking", "ru" if key >= "А" else "en")])
        desk.hold.set()
        await desk.idle()

    assert desk.stage.visible(question.id) == [answer(key), evidence(key)]
    assert company.calls == {("planner", key): 1, ("answer", key): 1}


async def test_a_post_is_one_question_however_often_it_comes(company: Company) -> None:
    """The same post again, at once and after its answer, and the same words sent again by a device."""
    async with company.at_work() as desk:
        question = made("K1", resend="slack:T1:abc")
        await asyncio.gather(*(desk.service.reception.asked(question) for _ in range(5)))
        await desk.idle()
        await desk.service.reception.asked(question)
        await desk.service.reception.asked(replace(question, id="slack:C1:K1b", message="K1b"))
        await desk.idle()

    assert desk.stage.visible() == [answer("K1"), evidence("K1")]
    assert company.calls["answer", "K1"] == 1


async def test_a_thread_is_answered_in_order(company: Company) -> None:
    """Questions of a thread that come together are answered one after the other, others meanwhile."""
    keys = [f"K{number}" for number in range(6)]
    async with company.at_work() as desk:
        for key in keys:
            await desk.ask(key)
            await desk.ask(key.replace("K", "Ю"), thread="other", asker="U2")
        await desk.idle()

    said = [text for _, part, text in desk.stage.order if part == "answer-1" and text and text.startswith("• ")]
    assert [text for text in said if "key" in text] == [answer(key) for key in keys]
    assert [text for text in said if "ключ" in text.lower()] == [answer(key.replace("K", "Ю")) for key in keys]


async def test_what_was_begun_is_finished_after_a_stop(company: Company, monkeypatch: pytest.MonkeyPatch) -> None:
    """A stop leaves an unfinished answer to the next start, and what a model said before is not paid for again."""
    monkeypatch.setattr(at_work, "GRACE", 0.1)
    async with company.at_work(held=True) as desk:
        await desk.ask("K1")
        await desk.until(lambda: company.calls["planner", "K1"] == 1)
        desk.hold.set()
        await desk.until(lambda: company.calls["answer", "K1"] == 1)
        desk.hold.clear()
    before = dict(company.calls)
    async with company.at_work() as desk:
        await desk.idle()

    assert desk.stage.visible() == [answer("K1"), evidence("K1")]
    assert (before["planner", "K1"], company.calls["planner", "K1"]) == (1, 1)


async def test_an_edited_question_is_answered_in_place(company: Company) -> None:
    """The answer and its evidence change where they are; an old version or the same text changes nothing."""
    async with company.at_work() as desk:
        question = await desk.ask("K1")
        await desk.idle()
        edited = replace(question, text=asks("K2"), version=2)
        assert await desk.service.reception.edited(edited)
        await desk.idle()
        assert await desk.service.reception.edited(replace(question, text=asks("K9"), version=1))
        assert await desk.service.reception.edited(replace(edited, version=3))
        await desk.idle()

    assert desk.stage.visible(question.id) == [answer("K2"), evidence("K2")]
    assert company.calls["answer", "K9"] == 0


async def test_a_late_answer_never_lands_over_a_newer_one(company: Company) -> None:
    """An edit while the answer is made ends that work; what it would have said is never seen."""
    async with company.at_work(held=True) as desk:
        question = await desk.ask("K1")
        await desk.until(lambda: company.calls["planner", "K1"] == 1)
        await desk.service.reception.edited(replace(question, text=asks("K2"), version=1))
        desk.hold.set()
        await desk.idle()

    assert desk.stage.visible(question.id) == [answer("K2"), evidence("K2")]
    assert answer("K1") not in [text for _, _, text in desk.stage.order]


async def test_an_edit_that_overtakes_its_question_is_not_lost(company: Company) -> None:
    """Whether the platform takes it for a new question first or the old words come in between: the last words count."""
    async with company.at_work() as desk:
        question = await desk.ask("K1")
        await desk.service.reception.asked(replace(question, text=asks("K2"), version=1))
        await desk.idle()
        other = made("K3", thread="u")
        await desk.service.reception.asked(replace(other, text=asks("K4"), version=1))
        await desk.service.reception.asked(other)
        await desk.idle()

    assert desk.stage.visible(question.id) == [answer("K2"), evidence("K2")]
    assert desk.stage.visible(other.id) == [answer("K4"), evidence("K4")]


async def test_a_deletion_that_overtakes_its_question_is_not_lost(company: Company) -> None:
    """The message is gone already when it is heard of: nothing is said to it."""
    async with company.at_work() as desk:
        question = made("K1")
        await desk.service.reception.withdrawn(MessageRef("slack", "C1", "K1"), question)
        await desk.service.reception.asked(question)
        await desk.idle()

    assert desk.stage.attempts == []


@pytest.mark.parametrize("key", ["K1", "Ю1"])
async def test_of_a_message_that_a_device_sent_twice_one_may_be_deleted(company: Company, key: str) -> None:
    """Whoever sees a double deletes one: the answer stands under the other then, which is answered once."""
    async with company.at_work() as desk:
        first = await desk.ask(key, resend="slack:T1:abc", thread="t")
        other = await desk.ask(key, resend="slack:T1:abc", thread="u", id="slack:C1:other", message="other")
        await desk.idle()
        assert desk.stage.visible() == desk.stage.visible(first.id) == [answer(key), evidence(key)]
        await desk.service.reception.withdrawn(MessageRef("slack", "C1", key))
        await desk.idle()
        await desk.service.reception.asked(other)
        await desk.idle()

    assert desk.stage.visible() == desk.stage.visible(other.id) == [answer(key), evidence(key)]


async def test_an_edit_of_what_was_no_question_is_not_known(company: Company) -> None:
    """The platform is told so, and decides whether it is one now."""
    async with company.at_work() as desk:
        assert not await desk.service.reception.edited(made("K1", version=1))

    assert desk.stage.attempts == []


@pytest.mark.parametrize("when", ["before", "during", "after"])
async def test_a_deleted_question_takes_its_answer_along(company: Company, when: str) -> None:
    """Whether it waited, was worked on or was answered: nothing of it is left to be seen."""
    async with company.at_work(held=when != "after") as desk:
        question = await desk.ask("K1")
        if when == "during":
            await desk.until(lambda: company.calls["planner", "K1"] == 1)
        if when == "after":
            await desk.idle()
        await desk.service.reception.withdrawn(MessageRef("slack", "C1", "K1"))
        desk.hold.set()
        await desk.idle()
        await desk.until(lambda: desk.service.line.working == 0)

    assert desk.stage.visible(question.id) == []


async def test_a_busy_bot_says_so(company: Company) -> None:
    """Who has to wait for long is told the place in the line, and gets the answer there."""
    company.settings = {"max_parallel_answers": 1}
    async with company.at_work(held=True) as desk:
        for number in range(4):
            await desk.ask(f"K{number}", thread=f"t{number}")
        await desk.until(lambda: len(desk.stage.visible()) == 4)
        last = desk.stage.visible("slack:C1:K3")
        desk.hold.set()
        await desk.idle()

    assert last in ([phrase("busy", "en", number=3)], [phrase("busy", "en", number=4)])
    assert desk.stage.visible("slack:C1:K3") == [answer("K3"), evidence("K3")]


@pytest.mark.parametrize(
    ("limit", "sentence"),
    [
        ("max_waiting_per_person", "too_many_of_yours"),
        ("max_waiting_per_channel", "too_many_here"),
        ("max_waiting", "too_many"),
    ],
)
async def test_too_many_questions_are_declined_politely(company: Company, limit: str, sentence: str) -> None:
    """Over the limit a question gets a sentence at once, and no place in the line."""
    company.settings = {limit: 2, "max_parallel_answers": 1}
    async with company.at_work(running=False) as desk:
        for key in ("K1", "K2"):
            await desk.ask(key)
        declined = await desk.ask("Ю3")
        await desk.until(lambda: desk.stage.visible(declined.id) != [])

    assert desk.stage.visible(declined.id) == [phrase(sentence, "ru", count=2)]


@pytest.mark.parametrize("keys", [[f"{letter}{n}" for n in range(40)] for letter in "KЮ"])
@pytest.mark.parametrize("limit", ["max_waiting_per_person", "max_waiting_per_channel", "max_waiting"])
async def test_a_flood_is_not_answered_by_a_flood(company: Company, limit: str, keys: list[str]) -> None:
    """One refusal within a minute to each: the next person there hears at once, however much one has asked."""
    company.settings = {limit: 2, "max_parallel_answers": 1}
    async with company.at_work(running=False) as desk:
        for key in keys:
            await desk.ask(key)
        other = await desk.ask("K99", asker="U2")
        await desk.until(lambda: desk.stage.visible(other.id) != [])

    language: Language = "ru" if keys[0] >= "А" else "en"
    looking, *said = [text for question, _, text in desk.stage.order if question != other.id]
    assert phrase("looking", language) == looking
    assert len(said) == 2


async def test_an_edit_of_a_question_with_a_reply_is_refused_aloud_however_full_the_line(company: Company) -> None:
    """The refusal takes the place of the answer, also when its asker was told so a moment ago."""
    company.settings = {"max_waiting_per_person": 1}
    async with company.at_work(held=True) as desk:
        answered = await desk.ask("K1")
        desk.hold.set()
        await desk.idle()
        desk.hold.clear()
        for key in ("K2", "K3", "K4"):
            await desk.ask(key, thread=key)
        await desk.service.reception.edited(replace(answered, text=asks("K5"), version=1))
        desk.hold.set()
        await desk.idle()

    assert desk.stage.visible(answered.id) == [phrase("too_many_of_yours", "en", count=1)]


@pytest.mark.parametrize("whose", ["person", "channel", "workspace"])
async def test_too_many_questions_in_an_hour_are_declined_politely(company: Company, whose: str) -> None:
    """Answered or not: over the limit a question gets a sentence that says when to ask again, the next one nothing."""
    company.settings = {f"max_hourly_per_{whose}": 2}
    async with company.at_work() as desk:
        for key in ("K1", "K2"):
            await desk.ask(key)
        await desk.idle()
        declined, silent = await desk.ask("Ю3"), await desk.ask("Ю4")
        await desk.until(lambda: desk.stage.visible(declined.id) != [])
        await desk.idle()

    kind = "place" if whose == "channel" else whose
    assert desk.stage.visible(declined.id) == [phrase(f"too_often_{kind}", "ru", minutes=30)]
    assert desk.stage.visible(silent.id) == []


async def test_an_edit_too_many_never_leaves_its_question_without_a_word(company: Company) -> None:
    """The refusal takes the place of what stood there, however shortly ago the asker was told the same."""
    company.settings = {"max_hourly_per_person": 1}
    async with company.at_work() as desk:
        answered = await desk.ask("K1")
        await desk.idle()
        await desk.ask("Ю2")
        for version, key in enumerate(("Ю3", "Ю4"), 1):
            await desk.service.reception.edited(replace(answered, text=asks(key, russian=True), version=version))
            await desk.idle()

    assert desk.stage.visible(answered.id) == [phrase("too_often_person", "ru", minutes=60)]


@pytest.mark.parametrize("keys", [("K1", "K2", "K3"), ("Ю1", "Ю2", "Ю3")])
async def test_an_edit_in_the_middle_of_an_answer_counts_as_a_question(company: Company, keys: tuple[str, ...]) -> None:
    """Each lets the models begin anew; one too many ends the answer, and says so where it was to stand."""
    company.settings = {"max_hourly_per_person": 2}
    async with company.at_work(held=True) as desk:
        first, *others = keys

        def begun(count: int) -> bool:
            return desk.service.line.working == 1 and len(company.calls) == count

        question = await desk.ask(first)
        for version, key in enumerate(others, 1):
            await desk.until(partial(begun, version))
            text = asks(key, russian=key >= "А")
            await desk.service.reception.edited(replace(question, text=text, version=version))
        await desk.until(lambda: desk.service.line.working == 0)
        desk.hold.set()
        await desk.idle()

    language: Language = "ru" if first >= "А" else "en"
    assert desk.stage.visible(question.id) == [phrase("too_often_person", language, minutes=30)]
    assert company.calls == {("planner", key): 1 for key in keys[:2]}


async def test_a_busy_channel_does_not_starve_a_quiet_one(company: Company) -> None:
    """One question from elsewhere waits for one answer of the busy channel, not for all."""
    company.settings = {"max_parallel_answers": 1}
    async with company.at_work(held=True) as desk:
        for number in range(8):
            await desk.ask(f"K{number}", thread=f"t{number}", asker=f"U{number}")
        await desk.until(lambda: sum(company.calls.values()) > 0)
        await desk.ask("Q1", place="C2", thread="q")
        await asyncio.sleep(2 * SETTLE)
        desk.hold.set()
        await desk.idle()

    said = [question for question, part, text in desk.stage.order if part == "answer-1" and text and text[0] == "•"]
    assert said.index("slack:C2:Q1") <= 2


async def test_a_message_of_doubtful_fate_is_looked_for(company: Company, monkeypatch: pytest.MonkeyPatch) -> None:
    """A post whose confirmation was lost is found, not repeated; one that never arrived is posted."""
    for pause in ("SETTLE", "_FIRST_PAUSE"):
        monkeypatch.setattr(f"bot.courier.{pause}", 0.05)
    company.stage.shows_sign = False
    company.stage.script = [(Doubtful("lost on the way back"), True), (Doubtful("lost on the way"), False)]
    async with company.at_work() as desk:
        question = await desk.ask("K1")
        await desk.idle()

    assert desk.stage.visible(question.id) == [answer("K1"), evidence("K1")]
    assert len(desk.stage.keys) == 2


@pytest.mark.parametrize("arrived", [True, False])
async def test_where_nobody_can_look_a_button_offers_the_answer(
    company: Company,
    monkeypatch: pytest.MonkeyPatch,
    arrived: bool,  # noqa: FBT001
) -> None:
    """Nothing is repeated unasked; the note's button shows the answer in its own place, once."""
    for pause in ("SETTLE", "_FIRST_PAUSE"):
        monkeypatch.setattr(f"bot.courier.{pause}", 0.05)
    company.stage = stage = type(company.stage)(shows_sign=False, finds=False)
    stage.script = [(Doubtful("timed out"), arrived)]
    async with company.at_work() as desk:
        question = await desk.ask("K1")
        await desk.idle()
        seen = stage.visible(question.id)
        note = next(ref for ref, key in stage.keys.items() if key[1] == "note")
        pressed = [
            await desk.service.reception.pressed(
                Press(f"show:{question.id}", MessageRef("slack", "C1", note), "U1", Audience("T1"))
            )
            for _ in range(2)
        ]
        await desk.idle()

    lost = [answer("K1")] if arrived else []
    assert seen == [*lost, phrase("maybe_sent", "en"), evidence("K1")]
    assert pressed == [Heard(), OutOfDate()]
    assert stage.visible(question.id) == [*lost, answer("K1"), evidence("K1")]


async def test_a_place_that_must_rest_is_left_in_peace(company: Company) -> None:
    """While a platform asks for a pause, nothing more is tried there, and all arrives in order after it."""
    company.stage.shows_sign = False
    company.stage.script = [(Later(0.4, "slow down", whole_place=True), False)]
    async with company.at_work() as desk:
        await desk.ask("K1", thread="a")
        await desk.ask("K2", thread="b")
        await desk.until(lambda: len(desk.stage.attempts) == 1)
        await asyncio.sleep(0.2)
        during = len(desk.stage.attempts)
        await desk.idle()

    assert during == 1
    assert sorted(desk.stage.visible()) == sorted([answer("K1"), evidence("K1"), answer("K2"), evidence("K2")])


async def test_a_refusal_leaves_the_rest_alone(company: Company) -> None:
    """What a platform will never show is given up with a note, and what comes after it is shown."""
    company.stage.shows_sign = False
    company.stage.script = [(Refused("too odd"), False)]
    async with company.at_work() as desk:
        question = await desk.ask("K1")
        await desk.idle()

    assert desk.stage.visible(question.id) == [phrase("refused", "en"), evidence("K1")]


async def test_a_defect_is_one_sentence_with_a_reference(company: Company, monkeypatch: pytest.MonkeyPatch) -> None:
    """A mistake of ours in answering ends in a sentence in place of the sign, and the next question is answered."""
    async with company.at_work() as desk:
        broken = monkeypatch.context()
        with broken as patch:
            patch.setattr("bot.answering.reply_to", lambda *_: 1 / 0)
            first = await desk.ask("K1")
            await desk.idle()
        second = await desk.ask("K2")
        await desk.idle()

    [said] = desk.stage.visible(first.id)
    assert said.startswith(phrase("failed", "en", reference="").rstrip())
    assert desk.stage.visible(second.id) == [answer("K2"), evidence("K2")]


class Rationed(Stage):
    """A platform that takes only so much from all copies together."""

    def share(self, copies: Callable[[], int], tally: Tally | None = None) -> None:
        self.copies, self.tally = copies, tally


async def test_a_platform_is_told_how_many_copies_there_are(tmp_path: Path) -> None:
    """It asks whenever it likes; over SQLite there is one."""
    stage = Rationed()
    async with Company(tmp_path / "data", stage=stage).at_work(running=False):
        assert stage.copies() == 1
