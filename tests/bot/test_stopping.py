"""An answer in the making that whoever asked stops: either that or the answer is seen, whatever dies in between."""

import asyncio
from dataclasses import dataclass
from pathlib import Path

import pytest

from bot import signs
from bot.durable import Workflows
from core.conversation import Audience, Command, MessageRef, Question
from core.delivery import Body
from core.errors import StorageError
from core.phrases import phrase
from core.press import HALT, Heard, Press
from core.render import text_of
from core.text import language_of
from tests.bot.work import Company, Desk, made
from tests.doubles.little import asks, tells
from tests.doubles.stage import Stage

HERE = Audience("T1")


@dataclass
class Booth(Stage):
    """A stage on which answers can be stopped."""

    def stoppable(self, body: Body, button: str, label: str) -> Body:
        return {**body, "buttons": {button: label}}


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tell at once how an answer goes."""
    monkeypatch.setattr(signs, "FIRST_AFTER", 0.0)


@pytest.fixture
def company(tmp_path: Path) -> Company:
    """Return an empty data folder with such a stage, where one answer is made at a time."""
    return Company(tmp_path / "data", {"max_parallel_answers": 1}, Booth())


async def begun(desk: Desk, key: str = "K1", thread: str = "t") -> Question:
    """Ask, and return the question once the model works on it, which `hold` keeps it at."""
    question = await desk.ask(key, thread=thread, text=asks(key, russian=key.startswith("Ю")))
    await desk.until(lambda: bool(desk.calls["planner", key]))
    return question


async def stop(desk: Desk, question: Question, person: str = "U1") -> Heard:
    """Press the button that stops the question's answer."""
    message = MessageRef("slack", question.place, "sign")
    heard = await desk.service.reception.pressed(Press(f"{HALT}:{question.message}", message, person, HERE))
    assert isinstance(heard, Heard)
    return heard


def sentence(question: Question) -> str:
    """Return what stands where an answer was stopped."""
    return phrase("stopped", language_of(question.text))


@pytest.mark.parametrize("key", ["K1", "Ю1"])
async def test_what_is_stopped_is_never_answered(company: Company, key: str) -> None:
    """The work ends, no model is asked any more, and the sentence takes the place of the sign."""
    async with company.at_work(held=True) as desk:
        question = await begun(desk, key)
        heard = await stop(desk, question)
        await desk.until(lambda: desk.service.line.working == 0)
        desk.hold.set()
        await desk.idle()
        await asyncio.sleep(0.2)
        seen, calls = desk.stage.visible(), dict(desk.calls)

    assert (Heard(), [sentence(question)]) == (heard, seen)
    assert {("planner", key): 1} == calls


@pytest.mark.parametrize("key", ["K3", "Ю3"])
async def test_what_waits_in_line_can_be_stopped_too(company: Company, key: str) -> None:
    """Its button stands under the sentence that says so; no work on it ever begins, and the others have theirs."""
    async with company.at_work(held=True) as desk:
        first = await begun(desk)
        second, third = await desk.ask("K2", thread="u"), await desk.ask(key, thread="v")
        await desk.until(lambda: bool(desk.stage.buttons(third.id)))
        offered = desk.stage.buttons(third.id)
        await stop(desk, third)
        desk.hold.set()
        await desk.idle()
        seen, calls = desk.stage.visible(third.id), dict(desk.calls)
        others = [desk.stage.visible(one.id) for one in (first, second)]

    assert {f"{HALT}:{key}": phrase("stop_button", language_of(third.text))} == offered
    assert [sentence(third)] == seen
    assert not [role for role, about in calls if about == key]
    assert ["K1", "K2"] == ["K" + said[0].split("drawer K")[1][0] for said in others]


async def test_the_button_stands_under_what_is_told(company: Company) -> None:
    """However the sign changes, the answer can be stopped; under the answer there is no such button."""
    async with company.at_work(held=True) as desk:
        question = await begun(desk)
        await desk.until(lambda: bool(desk.stage.told))
        told = [one.body or {} for one in desk.stage.told]
        desk.hold.set()
        await desk.idle()
        under = desk.stage.buttons(question.id)

    assert all(list(body["buttons"]) == [f"{HALT}:K1"] for body in told)
    assert not any(button.startswith(HALT) for button in under)


@pytest.mark.parametrize("key", ["K1", "Ю1"])
async def test_only_who_asked_can_stop_it(company: Company, key: str) -> None:
    """Others hear why not, and the answer comes."""
    async with company.at_work(held=True) as desk:
        question = await begun(desk, key)
        heard = await stop(desk, question, "U2")
        desk.hold.set()
        await desk.idle()
        seen = desk.stage.visible(question.id)

    assert heard.reply
    assert phrase("stop_theirs", language_of(question.text)) == text_of(heard.reply)
    assert tells(key, russian=key == "Ю1") in seen[0]


async def test_pressed_too_late_or_twice_it_changes_nothing(company: Company) -> None:
    """An answer that is there stays, and what was stopped is stopped once."""
    async with company.at_work() as desk:
        answered = await desk.ask("K1")
        await desk.idle()
        heard = [await stop(desk, answered)]
        desk.hold.clear()
        stopped = await begun(desk, "K2", "u")
        heard += await asyncio.gather(*(stop(desk, stopped) for _ in range(3)))
        await desk.idle()
        seen = [desk.stage.visible(one.id) for one in (answered, stopped)]
        desk.hold.set()

    assert [Heard()] * 4 == heard
    assert tells("K1") in seen[0][0]
    assert [sentence(stopped)] == seen[1]


async def test_what_was_stopped_can_be_asked_by_an_edit_or_anew(company: Company) -> None:
    """An edit is answered where the sentence stands, and the same words again are another question."""
    async with company.at_work(held=True) as desk:
        question = await begun(desk)
        await stop(desk, question)
        await desk.idle()
        desk.hold.set()
        await desk.service.reception.edited(made("K1", text=asks("K2"), version=1))
        anew = await desk.ask("K4", thread="u", text=question.text)
        await desk.idle()
        seen = [desk.stage.visible(one.id) for one in (question, anew)]

    assert [2, 2] == [len(said) for said in seen]
    assert tells("K2") in seen[0][0]
    assert tells("K1") in seen[1][0]


async def test_nothing_goes_on_from_what_was_stopped(company: Company) -> None:
    """A question that was stopped is no earlier question of its thread, for it has no answer."""
    async with company.at_work(held=True) as desk:
        question = await begun(desk)
        await stop(desk, question)
        await desk.idle()
        later = await desk.stores.threads.open(made("K2"))

    assert () == later.turns  # type: ignore[union-attr]


@pytest.mark.parametrize("lost", ["before", "after"])
async def test_a_death_in_the_middle_of_a_stop(company: Company, monkeypatch: pytest.MonkeyPatch, lost: str) -> None:
    """Stored, and dead before or after the run could be ended: after the next start there is the sentence alone."""
    cancel = Workflows.cancel

    async def dying(self: Workflows, prefix: str, before: int | None = None) -> None:
        if lost == "after":
            await cancel(self, prefix, before)
        raise asyncio.CancelledError

    monkeypatch.setattr("bot.service.GRACE", 0.1)
    async with company.at_work(held=True) as desk:
        question = await begun(desk)
        monkeypatch.setattr(Workflows, "cancel", dying)
        with pytest.raises(asyncio.CancelledError):
            await stop(desk, question)
    monkeypatch.setattr(Workflows, "cancel", cancel)
    async with company.at_work() as desk:
        await desk.idle()
        # Telegram tells of the press again: nobody had said that it was heard.
        again = await stop(desk, question)
        await desk.idle()
        await asyncio.sleep(0.2)
        seen, calls = desk.stage.visible(), dict(desk.calls)

    assert (Heard(), [sentence(question)]) == (again, seen)
    assert {("planner", "K1"): 1} == calls


async def test_a_stop_that_was_not_stored_is_not_acknowledged(
    company: Company, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The platform tells of it again; until then the question wants its answer, and gets it."""
    async with company.at_work(held=True) as desk:
        question = await begun(desk)

        async def away(*_: object) -> None:
            raise StorageError("the database did not do it", retry=True)

        with monkeypatch.context() as broken:
            broken.setattr(type(desk.stores.threads), "close", away)
            with pytest.raises(StorageError):
                await stop(desk, question)
        desk.hold.set()
        await desk.idle()
        seen = desk.stage.visible(question.id)

    assert tells("K1") in seen[0]


async def tell(desk: Desk, thread: str | None = None, about: str | None = None, asker: str = "U1") -> str:
    """Give the command; return what is said to it."""
    message = MessageRef("slack", "C1", about) if about else None
    known = {"asker": asker, "person": f"slack:T1:{asker}", "thread": thread and f"slack:C1:{thread}", "about": message}
    command = Command("stop", "slack", "C1", words="", is_direct=False, language="ru", **known)  # type: ignore[arg-type]
    return text_of(await desk.service.reception.commanded(command))


@pytest.mark.parametrize(("thread", "about"), [("u", None), (None, "K2")])
async def test_a_command_stops_what_it_is_about(company: Company, thread: str | None, about: str | None) -> None:
    """In its thread, or by a reply, one question of its giver; nothing that others asked."""
    async with company.at_work(held=True) as desk:
        first = await begun(desk)
        second = await desk.ask("K2", thread="u")
        theirs = await desk.ask("K3", thread="u", asker="U2")
        said = [await tell(desk, thread, about) for _ in range(2)]
        desk.hold.set()
        await desk.idle()
        seen = [desk.stage.visible(one.id)[0] for one in (first, second, theirs)]

    assert ["", phrase("stop_nothing", "ru")] == said
    assert [True, False, True] == [any(tells(key) in text for key in ("K1", "K2", "K3")) for text in seen]
    assert sentence(second) == seen[1]


async def test_a_command_alone_stops_all_that_its_giver_asked_there(company: Company) -> None:
    """In every thread, and nothing elsewhere."""
    async with company.at_work(held=True) as desk:
        asked = [await begun(desk), await desk.ask("K2", thread="u"), await desk.ask("K3", place="C2")]
        await tell(desk)
        desk.hold.set()
        await desk.idle()
        seen = [desk.stage.visible(one.id)[0] for one in asked]

    assert [sentence(asked[0]), sentence(asked[1])] == seen[:2]
    assert tells("K3") in seen[2]
