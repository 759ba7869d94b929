"""Each error of the Bot API on the calls that are made beside messages: at the start, while looking, for names."""

import asyncio
import re
from pathlib import Path
from typing import Any

import pytest
from telegram import Bot

from adapters.telegram.checkup import checkup
from core.conversation import Command
from core.delivery import Doubtful, Shown
from core.errors import ConfigError, DeliveryError
from core.reply import Bullets, RenderedReply, Text
from tests.adapters.telegram.scene import (
    ANNA,
    BORIS,
    TEAM,
    asks_last,
    chatting,
    joined,
    outgoing,
    place_of,
    settings,
    telegram,
    words,
)
from tests.adapters.telegram.test_connecting import SECRET, free_port, run_fails
from tests.adapters.telegram.test_every_error import ERRORS, POSTED, REPEATED
from tests.adapters.telegram.test_watch import LOOK, hooked
from tests.platforms.telegram.markup import button_data

ADAPTER = Path(__file__).parents[3] / "adapters" / "telegram"
TABLES = [Path(__file__).with_name(f"{name}.py") for name in ("test_every_error", "test_every_error_besides")]
# What the library raises once an answer has come, where it misses what a newer server always says.
UNREADABLE = (TypeError("missing 'accent_color_id'"), KeyError("status"), ValueError("?"), AttributeError("user"))


@pytest.fixture(autouse=True)
def _hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("adapters.telegram.watch.LOOK_SECONDS", LOOK)
    monkeypatch.setattr("adapters.telegram.watch.RIVAL_PAUSE", LOOK)


def test_every_call_that_is_made_has_its_errors() -> None:
    """No method of the Bot API is called whose errors are in none of the tables."""
    code = "\n".join(path.read_text("utf-8") for path in ADAPTER.glob("*.py"))
    called = {name for name in re.findall(r"\bbot\.([a-z_]+)\(", code) if hasattr(Bot, name)}
    called |= set(re.findall(r'"((?:get|edit|send)_[a-z_]+)",', code)) | {"get_me"}
    called -= {"do_api_request", "initialize", "shutdown"}
    told = re.findall(r'"((?:get|set|send|edit|delete|answer)[A-Z]\w+)"', "\n".join(map(Path.read_text, TABLES)))

    assert {name.replace("_", "") for name in called} <= {name.lower() for name in told}
    assert len(called) >= 15


@pytest.mark.parametrize("error", ERRORS)
async def test_a_start_whose_first_call_fails(error: str) -> None:
    """A token that is refused is a person's to mend, and anything else may pass; neither error holds the token."""
    async with telegram() as tg:
        tg.fail_next("getMe", **ERRORS[error], times=5)
        raised = await run_fails(tg)

    assert isinstance(raised, ConfigError if error == "401" else DeliveryError)
    assert isinstance(raised, ConfigError) or raised.retry
    assert tg.token not in str(raised)


@pytest.mark.parametrize(("method", "url"), [("deleteWebhook", None), ("setWebhook", "https://bot.acme.org/")])
@pytest.mark.parametrize("error", ERRORS)
async def test_a_start_that_is_interrupted(error: str, method: str, url: str | None) -> None:
    """An address that is refused names its setting; anything else may pass, and the start is tried again."""
    async with telegram() as tg:
        tg.fail_next(method, **ERRORS[error])
        raised = await run_fails(tg, webhook_url=url, webhook_secret=SECRET, webhook_port=free_port())

    assert isinstance(raised, ConfigError if (error, method) == ("400", "setWebhook") else DeliveryError)
    assert isinstance(raised, DeliveryError) or "TELEGRAM_WEBHOOK_URL" in str(raised)
    assert tg.token not in str(raised)


@pytest.mark.parametrize("error", ERRORS)
async def test_a_look_at_the_webhook(error: str) -> None:
    """A refused token ends the bot; after anything else it looks again, and is well."""
    async with hooked() as here:
        here.tg.fail_next("getWebhookInfo", **ERRORS[error])
        if error in ("401", "404"):
            with pytest.raises(ConfigError, match="TELEGRAM_BOT_TOKEN"):
                await asyncio.wait_for(here.run, 5)
            return
        await here.looks(2)

        assert not here.run.done()
        assert here.desk.platform.health().alive


@pytest.mark.parametrize(
    ("method", "subject"),
    [
        ("getMyCommands", "commands"),
        ("getWebhookInfo", "webhook"),
        ("getChatMember", f"group {TEAM}"),
        ("getChat", f"group {TEAM}"),
    ],
)
@pytest.mark.parametrize("error", ERRORS)
async def test_the_doctor_names_what_it_could_not_find_out(error: str, method: str, subject: str) -> None:
    """With what Telegram says, what follows and what to do; all the rest is looked at, and nothing holds the token."""
    async with telegram() as tg:
        await tg.set_bot_status(ANNA, TEAM, "member")
        healthy = await checkup(settings(tg), [str(TEAM)])
        tg.fail_next(method, **ERRORS[error], times=5)
        found = await checkup(settings(tg), [str(TEAM)])

    assert [one.subject for one in healthy] == [one.subject for one in found]
    [troubled] = [one for one in found if one.state == "problem"]
    assert (troubled.subject, troubled.state) == (subject, "problem")
    assert troubled.found
    gone = error in ("400", "403") and subject.startswith("group")
    assert ("add the bot again" if gone else "try again") == troubled.fix
    assert troubled.consequence == ("nobody is answered there" if gone else "it cannot be told")
    assert not [one for one in found if tg.token in str(one)]


@pytest.mark.parametrize("error", ERRORS)
async def test_the_doctor_without_its_first_call(error: str) -> None:
    """It ends with one finding that says why."""
    async with telegram() as tg:
        tg.fail_next("getMe", **ERRORS[error], times=5)
        found = await checkup(settings(tg), [str(TEAM)])

    assert [("problem", "token")] == [(one.state, one.subject) for one in found]
    assert tg.token not in str(found)


LINE = (Text(str(BORIS), about=f"telegram:{BORIS}"),)


async def named(_: Command) -> RenderedReply:
    """Answer a command with somebody's number, as `/log` does."""
    return RenderedReply((Bullets((LINE,)),), (), "ru")


@pytest.mark.parametrize("error", ERRORS)
async def test_without_names_numbers_do(error: str) -> None:
    """The list is shown all the same."""
    async with chatting() as (tg, desk):
        desk.commanded = named  # type: ignore[method-assign]
        tg.fail_next("getChat", **ERRORS[error])
        await tg.say(ANNA, ANNA, "/log")
        [said] = await tg.wait_for_messages(ANNA, count=1)

    assert said.text == f"• {BORIS}"


@pytest.mark.parametrize("error", ERRORS)
async def test_a_source_that_is_not_opened(error: str) -> None:
    """The button that leads to the private chat may be pressed again, and questions go on."""
    async with chatting() as (tg, desk):
        await tg.say(ANNA, TEAM, "@footnote_bot Сколько?")
        _, evidence = await tg.wait_for_messages(TEAM, count=2)
        [button] = [data for data in button_data(evidence.keyboard) if data.startswith("open:")]
        tg.fail_next("answerCallbackQuery", **ERRORS[error])
        await tg.press(ANNA, TEAM, evidence.message_id, button)
        again = await tg.press(ANNA, TEAM, evidence.message_id, button)
        await tg.wait_for_calls("answerCallbackQuery", count=2)

        assert "start=" in str((tg.callback(again).answer or {}).get("url"))
        assert await asks_last(tg, desk) == ["Сколько?", "last"]


class _Days:
    now = 0.0

    def __call__(self) -> float:
        self.now += 86_400.0
        return self.now


# The library tells a refused token, of a method that it does not know, as a method that is not there.
AS_TEXT = ("400", "401", "404")
TABLE: dict[str, Any] = {"text": "28", "entities": [], "rich": {"blocks": [{"type": "paragraph", "text": "28"}]}}


@pytest.mark.parametrize("error", ERRORS)
async def test_a_rich_message_that_is_shown_and_changed(error: str) -> None:
    """What is refused as a rich message goes as text, at once; what may stand there is not posted again."""
    async with telegram() as tg, joined(tg, elapsed=_Days(), rich=True) as platform:
        asked = await tg.say(ANNA, ANNA, "?")
        tg.fail_next("sendRichMessage", **ERRORS[error])
        outcome = await platform.show(outgoing(asked, TABLE))
        assert isinstance(outcome, Shown if error in AS_TEXT else POSTED[error])
        before = len(tg.bot_messages(ANNA))
        assert before == (error in AS_TEXT)
    async with telegram() as tg, joined(tg, elapsed=_Days(), rich=True) as platform:
        asked = await tg.say(ANNA, ANNA, "?")
        shown = place_of(await platform.show(outgoing(asked, TABLE)))
        tg.fail_next("editMessageText", **ERRORS[error])
        outcome = await platform.show(outgoing(asked, TABLE | {"text": "29"}, shown=shown))
        assert isinstance(outcome, Shown if error in AS_TEXT else REPEATED[error])
        assert 1 == len(tg.bot_messages(ANNA))


@pytest.mark.parametrize("error", UNREADABLE, ids=repr)
async def test_an_answer_that_cannot_be_read_costs_only_itself(
    error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An older server leaves out what the library insists on: a list is shown without names, the doctor goes on."""

    def broken(*_: object, **__: object) -> Any:
        raise error

    async with chatting() as (tg, desk):
        desk.commanded = named  # type: ignore[method-assign]
        monkeypatch.setattr("telegram.ChatFullInfo.de_json", broken)
        await tg.say(ANNA, ANNA, "/log")
        [said] = await tg.wait_for_messages(ANNA, count=1)
        await tg.set_bot_status(ANNA, TEAM, "member")
        found = await checkup(settings(tg), [str(TEAM)])

    assert said.text == f"• {BORIS}"
    assert [f"group {TEAM}"] == [one.subject for one in found if one.state == "problem"]


@pytest.mark.parametrize("error", UNREADABLE, ids=repr)
async def test_a_look_that_cannot_be_read_changes_nothing(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither while it runs nor in the doctor, who names it."""

    def broken(*_: object, **__: object) -> Any:
        raise error

    async with hooked() as here:
        monkeypatch.setattr("telegram.WebhookInfo.de_json", broken)
        monkeypatch.setattr("telegram.BotCommand.de_list", broken)
        await here.looks(2)
        assert not here.run.done()
        found = await checkup(settings(here.tg), [])

    assert {"webhook", "commands"} == {one.subject for one in found if one.state == "problem"}


@pytest.mark.parametrize("error", UNREADABLE, ids=repr)
async def test_how_an_answer_goes_is_told_or_not_and_nothing_else(
    error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A sign whose change cannot be read is in doubt; it is a courtesy, and never fails the answer."""

    def broken(*_: object, **__: object) -> Any:
        raise error

    async with telegram() as tg, joined(tg, elapsed=_Days()) as platform:
        asked = await tg.say(ANNA, TEAM, "@footnote_bot ?")
        shown = place_of(await platform.show(outgoing(asked, words("Looking"))))
        with monkeypatch.context() as patched:
            patched.setattr("telegram.Message.de_json", broken)
            told = await platform.tell(outgoing(asked, words("Читаю…"), shown=shown))
        answered = await platform.show(outgoing(asked, words("28 дней"), shown=shown))

    assert (Doubtful, Shown) == (type(told), type(answered))
    assert ["28 дней"] == [message.text for message in tg.bot_messages(TEAM)]
