"""Who may do what administrators do: each command, on each platform, by each kind of person and message."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

import pytest
from telegram import Update

from adapters.slack.commands import command_in, slash_in
from adapters.slack.events import Post, read_event
from adapters.telegram.events import Commanded, Me, event_of
from bot.admin.forget import ForgetDuty
from bot.admin.index_duty import IndexDuty
from bot.commanding import Commanding, Duty, duty
from core.audited import Forgotten
from core.commands import FORGET, MODE, VERBS, Verb
from core.conversation import Audience, Command, MessageRef, PlatformName
from core.ingest.generation import Generation
from core.ingest.order import IndexOrder
from core.press import Heard, OutOfDate, Press
from core.render import say, text_of
from core.reply import RenderedReply
from core.text import Language

BOT, ADA, GRACE = "U0BOT", "U1", "U2"
ANNA, BORIS, TEAM = 1001, 1002, -100123
ADMINS = (f"slack:T1:{ADA}", f"telegram:{ANNA}")
# What only an administrator may say: each of their commands, and the words of others that change something.
RESERVED = [
    *(verb.name for verb in VERBS if verb.who == "admins"),
    f"{MODE.name} gate",
    f"{FORGET.name} slack:T1:U2",
]
ME = Me(7, "footnote_bot")
GROUP = {"id": TEAM, "type": "supergroup", "title": "Team"}
CHANNEL = {"id": -100999, "type": "channel", "title": "News"}
ELSEWHERE = {"type": "user", "date": 1_700_000_000, "sender_user": {"id": ANNA, "is_bot": False, "first_name": "Anna"}}


@dataclass
class Doing:
    """Commands that note that they were run, instead of doing anything."""

    done: list[str] = field(default_factory=list)

    def of(self, verb: Verb[Any]) -> Duty:
        async def run(command: Command, _: object) -> RenderedReply:
            self.done.append(command.verb)
            return say("done", command.language)

        return duty(verb, run)

    async def tell(self, command: Command | None) -> str:
        """Return what is said to a command; nothing to a message that is none."""
        duties = [self.of(verb) for verb in VERBS if verb.name != "help"]
        return text_of(await Commanding(duties, ADMINS).done(command)) if command else ""


def slash(words: str, user: str = ADA, team: str = "T1", command: str = "/footnote") -> Command | None:
    """Return what a slash command in C1 tells the bot."""
    return slash_in({"command": command, "text": words, "team_id": team, "channel_id": "C1", "user_id": user})


def posted(words: str, user: str = ADA, team: str = "T1", **event: Any) -> Command | None:
    """Return what a mention in C1 tells the bot."""
    message = {"user": user, "text": f"<@{BOT}> /{words}", "ts": "1700000001.000100", "channel": "C1"}
    body = {"team_id": team, "event": {"type": "app_mention", "team": team, **message, **event}}
    post = read_event(body, BOT)
    return command_in(post, BOT) if isinstance(post, Post) else None


def sent(words: str, kind: str = "message", **content: Any) -> Command | None:
    """Return what a message in the group tells the bot, as Telegram writes it."""
    text = f"/{words.partition(' ')[0]}@footnote_bot {words.partition(' ')[2]}".strip()
    said = {
        "message_id": 5,
        "date": 1_800_000_000,
        "chat": GROUP,
        "from": {"id": ANNA, "is_bot": False, "first_name": "Anna", "language_code": "en"},
        "text": text,
        "entities": [{"type": "bot_command", "offset": 0, "length": len(text.split()[0])}],
    }
    event = event_of(Update.de_json({"update_id": 1, kind: said | content}, None), ME)
    return event.command if isinstance(event, Commanded) else None


def by(number: int, **more: Any) -> Mapping[str, Any]:
    """Return a sender of Telegram's."""
    return {"from": {"id": number, "is_bot": False, "first_name": "Somebody"} | more}


@pytest.mark.parametrize("words", RESERVED)
async def test_an_administrator_may(words: str) -> None:
    """By a slash command, in a mention, and on Telegram."""
    doing = Doing()
    for command in (slash(words), posted(words), sent(words)):
        assert "done" == await doing.tell(command)

    assert 3 == len(doing.done)


async def test_a_slash_command_of_its_own_is_the_same() -> None:
    """/reindex is /footnote reindex."""
    doing = Doing()
    told = [await doing.tell(slash("cancel", user, command="/reindex")) for user in (ADA, GRACE)]

    assert ["reindex"] == doing.done
    assert "Only my administrators can do that." in told[1]


@pytest.mark.parametrize("words", RESERVED)
@pytest.mark.parametrize(
    ("who", "told"),
    [
        ("a member of the workspace", "add slack:T1:U2 to ADMINS"),
        ("an administrator of another workspace", "add slack:T2:U1 to ADMINS"),
        ("a mention by a member", "add slack:T1:U2 to ADMINS"),
        ("a guest from another workspace", "Only my administrators"),
        ("another bot", ""),
        ("an edit in Slack", ""),
        ("a person in the group", f"add telegram:{BORIS} to ADMINS"),
        ("an anonymous administrator of the group", "I cannot tell who you are"),
        ("a channel in whose name somebody writes", "I cannot tell who you are"),
        ("a forward", ""),
        ("an edit in Telegram", ""),
        ("a bot on Telegram", ""),
        ("what an inline bot wrote", ""),
        ("a post of a channel", ""),
    ],
)
async def test_nobody_else_may(words: str, who: str, told: str) -> None:
    """They are told how one becomes an administrator; what nobody typed here is passed over without a word."""
    given = {
        "a member of the workspace": slash(words, GRACE),
        "an administrator of another workspace": slash(words, ADA, "T2"),
        "a mention by a member": posted(words, GRACE),
        "a guest from another workspace": posted(words, "U9", user_team="T9", source_team="T9"),
        "another bot": posted(words, ADA, bot_id="B9"),
        "an edit in Slack": posted(words, ADA, edited={"user": ADA, "ts": "1700000002.000000"}),
        "a person in the group": sent(words, **by(BORIS)),
        "an anonymous administrator of the group": sent(words, **by(1087968824, is_bot=True), sender_chat=GROUP),
        "a channel in whose name somebody writes": sent(words, **by(136817688, is_bot=True), sender_chat=CHANNEL),
        "a forward": sent(words, forward_origin=ELSEWHERE),
        "an edit in Telegram": sent(words, "edited_message", edit_date=1_800_000_009),
        "a bot on Telegram": sent(words, **by(ANNA, is_bot=True)),
        "what an inline bot wrote": sent(
            words, via_bot={"id": 9, "is_bot": True, "first_name": "B", "username": "b_bot"}
        ),
        "a post of a channel": sent(words, "channel_post", chat=CHANNEL, sender_chat=CHANNEL),
    }
    doing = Doing()
    said = await doing.tell(given[who])

    assert [] == doing.done
    assert told in said
    assert bool(told) is bool(said)


@pytest.mark.parametrize(
    ("presser", "button", "removed"),
    [
        ("slack:T1:U2", "forget:en.slack:T1:U2", "slack:T1:U2"),
        ("slack:T1:U1", "forget:en.slack:T1:U2", "slack:T1:U2"),
        (f"telegram:{BORIS}", f"forget:ru.telegram:{BORIS}", f"telegram:{BORIS}"),
        ("slack:T1:U3", "forget:en.slack:T1:U2", None),
        ("slack:T1:U1", "forget:en.slack:T2:U2", None),
        (f"telegram:{ANNA}", "forget:en.slack:T1:U2", None),
        ("slack:T2:U2", "forget:en.slack:T1:U2", None),
        ("", "forget:en.slack:T1:U2", None),
        ("slack:T1:U1", "forget:xx.slack:T1:U2", None),
        ("slack:T1:U1", "forget:en.", None),
        ("", "forget:en.", None),
    ],
)
async def test_only_the_person_or_an_administrator_of_theirs_removes_their_data(
    presser: str, button: str, removed: str | None
) -> None:
    """An administrator of another workspace, or on another platform, is somebody else; so is nobody."""
    gone: list[str] = []

    async def forget(person: str) -> Forgotten:
        gone.append(person)
        return Forgotten(questions=2)

    press = Press(button, MessageRef("slack", "T1:D1", "1.1"), presser.rpartition(":")[2], Audience("T1"), by=presser)
    await ForgetDuty(forget, ADMINS).pressed(press)

    assert ([removed] if removed else []) == gone


@pytest.mark.parametrize(("language", "word"), [("en", "let in again"), ("ru", "понадобится разрешение")])
async def test_who_loses_the_right_to_ask_is_told_so(language: Language, word: str) -> None:
    """Before it is pressed, where people are let in one by one, and after it, if they were."""
    person = f"telegram:{BORIS}"
    duty = ForgetDuty(lambda _: _gone(Forgotten(let_in=True)), ADMINS)
    command = Command("forget", "telegram", str(BORIS), str(BORIS), person, language=language)
    asked = await duty.duty().done(command, False)
    press = Press(f"forget:{language}.{person}", MessageRef("telegram", "1", "1"), "", Audience("telegram"), by=person)
    done = await duty.pressed(press)

    assert isinstance(done, Heard)
    assert [True, True] == [word in text_of(each) for each in (asked, done.reply) if each]


@pytest.mark.parametrize("language", ["en", "ru"])
async def test_a_person_on_telegram_is_named_by_the_bare_number(language: Language) -> None:
    """As `/log` shows it, and as help says that it is written; the button names them in full."""
    duty = ForgetDuty(lambda _: _gone(Forgotten()), ADMINS)
    ask = Command("forget", "telegram", str(ANNA), str(ANNA), ADMINS[1], str(BORIS), is_direct=True, language=language)
    asked = await Commanding([duty.duty()], ADMINS).done(ask)
    helped = await Commanding([duty.duty()], ADMINS).done(replace(ask, verb="help", words=""))

    assert [f"{language}.telegram:{BORIS}"] == [action.value for action in asked.actions]
    assert "/forget [123456]:" in text_of(helped)


@pytest.mark.parametrize("presser", ADMINS)
async def test_a_press_that_comes_too_late_says_that_nothing_runs(presser: str) -> None:
    """The button stood under a run that ended in that moment; there is no question to ask again."""
    kept = Kept(is_open=False)
    press = Press("stop:3", MessageRef("slack", "T1:D1", "1.1"), presser.rpartition(":")[2], Audience("T1"), by=presser)

    assert OutOfDate("index_nothing_to_stop") == await IndexDuty(kept, kept, lambda: None, ADMINS).pressed(press)


async def _gone(told: Forgotten) -> Forgotten:
    return told


@dataclass
class Kept:
    """One order that is open, and a catalogue in which nothing is being built."""

    stopped: list[int] = field(default_factory=list)
    is_open: bool = True

    async def place(
        self, person: str, where: tuple[PlatformName, str], language: Language, at: datetime
    ) -> tuple[IndexOrder, bool]:
        raise AssertionError

    async def open(self) -> IndexOrder | None:
        return None if not self.is_open else IndexOrder(3, ADMINS[0], "slack", "T1:U1", "en", datetime.now(UTC))

    async def stop(self, number: int = 0) -> bool:
        self.stopped.append(number)
        return True

    async def building(self) -> Generation | None:
        return None

    async def generation(self, number: int) -> Generation | None:
        return None


@pytest.mark.parametrize(
    ("presser", "button", "stops"),
    [
        ("slack:T1:U1", "stop:3", True),
        (f"telegram:{ANNA}", "stop:3", True),
        ("slack:T1:U2", "stop:3", False),
        ("slack:T2:U1", "stop:3", False),
        (f"telegram:{BORIS}", "stop:3", False),
        ("telegram:1087968824", "stop:3", False),
        ("", "stop:3", False),
        ("slack:T1:U1", "stop:2", False),
        ("slack:T1:U1", "stop:", False),
    ],
)
async def test_a_press_is_looked_at_anew(presser: str, button: str, *, stops: bool) -> None:
    """Whoever presses must be an administrator now, and the button that of the run that is under way."""
    kept = Kept()
    index = IndexDuty(kept, kept, lambda: None, ADMINS)
    press = Press(button, MessageRef("slack", "T1:D1", "1.1"), presser.rpartition(":")[2], Audience("T1"), by=presser)
    outcome = await index.pressed(press)

    assert ([3] if stops else []) == kept.stopped
    if button == "stop:3" and not stops:
        assert isinstance(outcome, Heard)
        assert outcome.reply
        assert "Only my administrators can do that" in text_of(outcome.reply)
