"""An answer in the making as people see it, on both platforms: only what is proven, and in the end only the answer."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from adapters.slack.app import SlackPlatform, SlackSettings
from adapters.telegram import pace
from adapters.telegram.app import TelegramPlatform, TelegramSettings
from bot import signs
from core.conversation import MessageRef, Question
from core.phrases import phrase
from core.ports import ModelRequest, Threads
from core.running import Platform
from core.text import language_of
from tests.bot.work import Company, Desk, made
from tests.doubles.little import LittleBot, asks, key_in, tells
from tests.doubles.models import WritingModel, obedient_plan
from tests.platforms.slack import SlackStandIn, visible_text
from tests.platforms.telegram import TelegramStandIn

ANNA, TEAM = 1001, -100123
# What the model makes up; nobody may ever see it.
LIES = ("stolen", "украден", "Z9", "zebra", "зебр")


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tell everything at once, as often as it comes."""
    monkeypatch.setattr(signs, "FIRST_AFTER", 0.0)
    monkeypatch.setattr(signs, "EVERY", 0.0)
    monkeypatch.setattr("bot.courier.SETTLE", 0.05)
    for limit in ("PRIVATE", "GROUP"):
        monkeypatch.setattr(pace, limit, (pace.Limit(10_000, 1.0),))
    monkeypatch.setattr(pace, "EVERYWHERE", pace.Limit(10_000, 1.0))
    monkeypatch.setattr("adapters.slack.pace.SIGNS", 49)


def half_true(request: ModelRequest) -> str:
    """Write a plan or an answer: what the documents say among what they do not, with true quotes and false ones."""
    if request.role == "planner":
        return json.dumps(obedient_plan(request.user))
    key = key_in(request.user) or ""
    russian = "Answer in Russian" in request.user
    said = tells(key, russian=russian)
    lies = (
        (f"Ключ {key} украден.", f"Ключ {key} лежит в ящике Z9.", "Ключ у зебры.")
        if russian
        else (f"The key {key} was stolen.", f"The key {key} is in the drawer Z9.", "A zebra has the key.")
    )
    claims = [
        {"evidence": [{"fact": 1, "quote": said}], "text": lies[0]},
        {"evidence": [{"fact": 1, "quote": said}], "text": said},
        {"evidence": [{"fact": 1, "quote": lies[1]}], "text": lies[1]},
        {"evidence": [{"fact": 2, "quote": said}], "text": lies[2]},
    ]
    lead = "A zebra says: [click](https://evil.example)"
    return json.dumps({"lead": lead, "claims": claims, "abstain": False, "nearest": []}, ensure_ascii=False)


class Writer(LittleBot):
    """The little bot with a model that writes slowly and lies; `gate` holds it back before each piece."""

    gate = asyncio.Event()
    pause = 0.003

    def use(self, threads: Threads, model: Any) -> None:
        async def paced() -> None:
            await asyncio.sleep(Writer.pause)
            await Writer.gate.wait()

        super().use(threads, WritingModel(half_true, size=25, pace=paced))


@dataclass
class Office:
    """A platform with somebody who asks; `seen` is all that was ever sent there, `now` what stands there."""

    platform: Platform
    ask: Callable[[str], Awaitable[Question]]
    seen: Callable[[], list[str]]
    now: Callable[[], list[str]]
    fail: Callable[..., None]
    withdraw: Callable[[Question], Awaitable[None]] | None = None
    extra: dict[str, Any] = field(default_factory=dict)


@asynccontextmanager
async def slack_office() -> AsyncIterator[Office]:
    slack = SlackStandIn()
    slack.add_user("U1", name="Ada")
    slack.add_channel("C1", members=["U1", slack.bot_user_id])
    async with slack:
        platform = SlackPlatform(
            SlackSettings(slack.app.bot_token, slack.app.app_token, api_base_url=slack.api_base_url)
        )

        async def ask(text: str) -> Question:
            ts = await slack.post_as("U1", "C1", text)
            ref = MessageRef("slack", "T0TEAM:C1", ts)
            return made("K1", id=str(ref), place=ref.place, message=ts, root=ts, thread=ts, text=text)

        def seen() -> list[str]:
            return [json.dumps(call.arguments, ensure_ascii=False) for call in slack.calls]

        def now() -> list[str]:
            said = slack.workspace.messages.values()
            return [visible_text(message) for message in said if message.user == slack.bot_user_id]

        async with platform.connected():
            yield Office(platform, ask, seen, now, slack.fail_next)
        assert slack.violations == []


@asynccontextmanager
async def telegram_office(chat: int) -> AsyncIterator[Office]:
    tg = TelegramStandIn()
    tg.add_user(ANNA, "Anna", language_code="ru")
    tg.add_group(TEAM, "Team", members=[ANNA])
    async with tg:
        platform = TelegramPlatform(TelegramSettings(token=tg.token, base_url=tg.base_url))

        async def ask(text: str) -> Question:
            said = await tg.say(ANNA, chat, text)
            ref = MessageRef("telegram", str(chat), str(said.message_id))
            known = {"platform": "telegram", "place": ref.place, "message": ref.message, "root": None}
            return made("K1", id=str(ref), thread=str(chat), text=text, **known)

        def seen() -> list[str]:
            return [json.dumps(call.params, ensure_ascii=False) for call in tg.calls]

        def now() -> list[str]:
            return [message.text for message in tg.bot_messages(chat)]

        async with platform.connected():
            yield Office(platform, ask, seen, now, tg.fail_next, extra={"tg": tg})
        assert tg.warnings == []


OFFICES = {
    "slack": slack_office,
    "telegram": lambda: telegram_office(ANNA),
    "telegram group": lambda: telegram_office(TEAM),
}


@asynccontextmanager
async def at_work(tmp_path: Path, office: Office, **settings: Any) -> AsyncIterator[Desk]:
    """Give the service at work over the office; the model is free to write."""
    Writer.gate = asyncio.Event()
    Writer.gate.set()
    company = Company(tmp_path / "data", settings, stage=office.platform, bot=Writer)  # type: ignore[arg-type]
    async with company.at_work() as desk:
        yield desk


async def answered(desk: Desk, question: Question) -> None:
    """Return once the question is answered and all of that is shown."""
    await desk.service.reception.asked(question)
    await desk.idle()


def right(office: Office, question: Question) -> None:
    """Check that what stands is the answer and its evidence, and that nothing unproven was ever sent."""
    said = tells("K1", russian=language_of(question.text) == "ru")
    told = [text for text in office.now() if said in text]
    assert len(told) == len(office.now()) == 2, office.now()
    assert not any(text.rstrip().endswith("…") for text in office.now())
    for call in office.seen():
        assert not any(lie in call for lie in LIES), call
        assert "evil.example" not in call


@pytest.mark.parametrize(
    ("where", "russian"),
    [("slack", False), ("slack", True), ("telegram", False), ("telegram", True), ("telegram group", True)],
)
async def test_nothing_unproven_is_ever_sent(tmp_path: Path, where: str, *, russian: bool) -> None:
    """In no call and no state of a message, whatever the model writes; one answer and its evidence stand in the end."""
    async with OFFICES[where]() as office, at_work(tmp_path, office) as desk:
        question = await office.ask(asks("K1", russian=russian))
        await answered(desk, question)
        proven = phrase("tell_proven", "ru" if russian else "en", count=1)

        right(office, question)
        assert (where != "telegram group") == any(proven in call for call in office.seen())


async def test_without_streaming_nothing_is_told(tmp_path: Path) -> None:
    """Then there is a sign, and in the end the answer."""
    async with OFFICES["slack"]() as office, at_work(tmp_path, office, streaming="off") as desk:
        question = await office.ask(asks("K1"))
        await answered(desk, question)

        right(office, question)
        told = ("(passages:", "(statements:", "Confirmed so far", phrase("tell_writing", "en"))
        assert not any(words in call for call in office.seen() for words in told)


TROUBLES: dict[str, dict[str, Any]] = {
    "slack": {"chat.update": ({"status": 429, "retry_after": 1}, {"status": 500}, {"drop": "after"})},
    "telegram": {
        "sendMessageDraft": ({"retry_after": 1}, {"status": 404, "description": "Not Found"}, {"drop": "after"})
    },
}


@pytest.mark.parametrize("trouble", [0, 1, 2])
@pytest.mark.parametrize("where", ["slack", "telegram"])
async def test_what_cannot_be_told_costs_nothing(tmp_path: Path, where: str, trouble: int) -> None:
    """A pause asked for, a server that fails or knows no drafts, a connection that breaks: then it is not told."""
    async with OFFICES[where]() as office, at_work(tmp_path, office) as desk:
        [(method, ways)] = TROUBLES[where].items()
        question = await office.ask(asks("K1"))
        office.fail(method, **ways[trouble])
        await answered(desk, question)

        right(office, question)


async def told_so_far(office: Office, desk: Desk, question: Question, words: str) -> None:
    """Return once the words have been told, with the model held back in the middle of its reply."""
    await desk.service.reception.asked(question)
    async with asyncio.timeout(20):
        while not any(words in call for call in office.seen()):
            await asyncio.sleep(0.002)
    Writer.gate.clear()


@pytest.mark.parametrize("where", ["slack", "telegram"])
async def test_an_edit_in_the_middle(tmp_path: Path, where: str) -> None:
    """What was told of the old question is gone with it; the answer is the new one's."""
    async with OFFICES[where]() as office, at_work(tmp_path, office) as desk:
        question = await office.ask(asks("K0"))
        await told_so_far(office, desk, question, tells("K0"))
        changed = made("K1", **{**_known(question), "text": asks("K1"), "version": 1})
        await desk.service.reception.edited(changed)
        Writer.gate.set()
        await desk.idle()

        right(office, changed)


async def test_a_deletion_in_the_middle(tmp_path: Path) -> None:
    """Nothing stands there any more, and nothing comes back."""
    async with OFFICES["slack"]() as office, at_work(tmp_path, office) as desk:
        question = await office.ask(asks("K1"))
        await told_so_far(office, desk, question, tells("K1"))
        await desk.service.reception.withdrawn(MessageRef("slack", question.place, question.message))
        Writer.gate.set()
        await desk.idle()
        await asyncio.sleep(0.1)

        assert office.now() == []


async def test_a_stop_in_the_middle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was told stays until the next start makes the answer, in the same place."""
    monkeypatch.setattr("bot.service.GRACE", 0.1)
    async with OFFICES["slack"]() as office:
        question = await office.ask(asks("K1"))
        async with at_work(tmp_path, office) as desk:
            await told_so_far(office, desk, question, tells("K1"))
        async with at_work(tmp_path, office) as desk:
            await desk.idle()

        right(office, question)


async def test_the_first_sign_comes_before_any_model_is_asked(tmp_path: Path) -> None:
    """Whatever is told later, that the question has arrived is seen at once."""
    async with OFFICES["slack"]() as office, at_work(tmp_path, office) as desk:
        Writer.gate.clear()
        question = await office.ask(asks("K1"))
        await desk.service.reception.asked(question)
        async with asyncio.timeout(5):
            while not office.now():
                await asyncio.sleep(0.002)
        first = office.now()
        Writer.gate.set()
        await desk.idle()

        assert [phrase("looking", "en")] == first
        right(office, question)


def _known(question: Question) -> dict[str, Any]:
    names = ("id", "platform", "place", "message", "root", "thread")
    return {name: getattr(question, name) for name in names}
