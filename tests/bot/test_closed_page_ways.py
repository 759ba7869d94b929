"""A walk to the closed page by every way there is, on both platforms, with what each is shown."""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from adapters.slack.app import SlackSettings
from adapters.telegram.app import TelegramSettings
from tests.bot import office as offices
from tests.bot.office import ADA, ANNA, BORIS, GRACE, PATIENCE, Office, at_work, town, write
from tests.platforms.slack import visible_text

GUEST, OUTSIDER, SHARED, JOINT = "U3GUEST", "U4OTHER", "C3", "C4"
STRANGER, GROUP = 1003, -100900
_CITIES = "Porto Lyon Riga Oslo Bern Graz Turin Ghent Malmo Tartu Vigo Brno Split Cork Pecs".split()
PAGES = {
    "pay.md": "---\ntitle: Salary bands\nreaders: ['slack:T0TEAM:U1', 'telegram:1001', 'telegram:-100900']\n---\n\n"
    "# Salary bands\n\nPay in Portugal is multiplied by 0.7431.\n\n## Cities with a salary supplement\n\n"
    + "".join(f"- Zargo-{city} pays a supplement\n" for city in _CITIES),
    "оклады.md": "---\ntitle: Оклады\nreaders: ['slack:T0TEAM:U1', 'telegram:1001', 'telegram:-100900']\n---\n\n"
    "# Оклады\n\nОклад в Португалии умножается на 0,8152.\n",
    "leave.md": "# Annual leave\n\nEveryone gets 27 working days of paid vacation per calendar year.\n",
    "отпуск.md": "# Отпуск\n\nКаждому положено 28 дней оплачиваемого отпуска в год.\n",
}
ASKED = {
    "en": ("By which factor is pay in Portugal multiplied?", "0.7431"),
    "ru": ("На сколько умножается оклад в Португалии?", "0,8152"),
}
CITIES = "Which cities have a salary supplement?"
# Seconds in which nothing is said once all is said.
_STILL = 0.25
# Whatever only the closed pages hold: figures, names, titles, files.
CLOSED = re.compile(r"0[.,]7431|0[.,]8152|Zargo|Salary bands|Оклады|pay\.md|оклады\.md", re.IGNORECASE)


@dataclass
class Walk:
    """Who has tried what, and what they were shown."""

    office: Office
    rows: list[tuple[str, str, str, bool]] = field(default_factory=list)

    async def step(self, who: str, way: str, done: Callable[[], Awaitable[object]], *, own: str = "") -> str:
        """Do it, and note all that the bot said since but to who may read it, alone; `own` is what was typed."""
        slack, telegram = self.office.slack, self.office.telegram
        begun = len(slack.calls), len(telegram.calls), len(slack.deliveries), len(slack.ephemerals)
        await done()
        await telegram.wait_until_confirmed(timeout=PATIENCE)
        heard = -1
        while heard != (now := self._heard()):
            # What follows an acknowledgement is not counted as waiting.
            heard = now
            await self.office.idle()
            await asyncio.sleep(_STILL)
        theirs = {slack.open_dm(ADA), str(ANNA)} if not who.endswith("who may") else set()
        said: list[Any] = [
            call.arguments
            for call in slack.calls[begun[0] :]
            if call.method == "chat.postEphemeral" or call.arguments.get("channel") not in theirs
        ]
        said += [
            call.params
            for call in telegram.calls[begun[1] :]
            if call.method != "getUpdates" and str(call.params.get("chat_id")) not in theirs
        ]
        said += [one.response or {} for one in slack.deliveries[begun[2] :]]
        said += [visible_text(one) for one in slack.ephemerals[begun[3] :]]
        words = " ".join(" ".join(_words(one)) for one in said).replace(own or "\0", "")
        self.rows.append((who, way, _first(words), bool(CLOSED.search(words))))
        return words

    def _heard(self) -> int:
        slack, telegram = self.office.slack, self.office.telegram
        asked = sum(call.method != "getUpdates" for call in telegram.calls)
        return asked + len(slack.calls) + len(slack.ephemerals)

    def table(self) -> str:
        """Return the walk as a table of Markdown."""
        rows = [f"| {who} | {way} | {shown} | {'yes' if told else 'no'} |" for who, way, shown, told in self.rows]
        return "\n".join(("| who | by | is shown | of the page |", "|---|---|---|---|", *rows))


def _words(node: Any) -> list[str]:
    """Return the texts that a call shows: of blocks, views, messages, offers, whatever they are in."""
    if isinstance(node, str):
        try:
            inner = json.loads(node)
        except ValueError:
            return [node]
        return _words(inner) if isinstance(inner, dict | list) else [node]
    if isinstance(node, dict):
        return [text for value in node.values() for text in _words(value)]
    return [text for value in node for text in _words(value)] if isinstance(node, list | tuple) else []


def _first(words: str) -> str:
    return " ".join(words.split())[:60]


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return where the pages are indexed, once."""
    return tmp_path_factory.mktemp("ways")


@pytest.fixture
async def walk(indexed: Path, elsewhere: Path) -> AsyncIterator[Walk]:
    """Give the bot at work, with outsiders let in, inline and guest mode on, and every kind of person about."""
    data = elsewhere / "data"
    await write(indexed / "pages", PAGES, data)
    let_in = partial(SlackSettings, lets_outsiders_in=True)
    shown = partial(TelegramSettings, inline=True, guest=True)
    with patch.object(offices, "SlackSettings", let_in), patch.object(offices, "TelegramSettings", shown):
        async with town() as (slack, telegram):
            slack.add_user(GUEST, name="Guest", is_guest=True)
            slack.add_user(OUTSIDER, name="Admin of another workspace", team_id="T7COMPANY")
            slack.add_channel(SHARED, members={ADA, OUTSIDER, slack.bot_user_id}, is_ext_shared=True)
            slack.add_channel(JOINT, members={ADA, GRACE, GUEST, slack.bot_user_id}, kind="group")
            telegram.world.inline_mode = telegram.world.guest_mode = True
            telegram.add_user(STRANGER, "Stranger", language_code="en")
            telegram.add_group(GROUP, "People", members=[ANNA, BORIS])
            async with at_work(data, (slack, telegram), admins=f"slack:T0TEAM:{ADA}") as working:
                yield Walk(working)


async def test_nobody_else_comes_to_the_page_in_slack(walk: Walk) -> None:
    """A member, a guest, and the admin of another workspace: by question, follow-up, more, why, Home and commands."""
    office, slack = walk.office, walk.office.slack
    for text, word in ASKED.values():
        assert word in await walk.step("Ada, who may", "a question alone", partial(_ask_alone, office, ADA, text))
    own = slack.open_dm(ADA)
    listed = await walk.step("Ada, who may", "a list alone", partial(_ask_alone, office, ADA, CITIES))
    assert "Zargo-Porto" in listed
    home = await walk.step("Ada, who may", "Home", lambda: slack.open_app_as(ADA, "home"))
    assert home
    people = {GRACE: "a member", GUEST: "a guest", OUTSIDER: "the admin of another workspace"}
    for person, who in people.items():
        direct, there = slack.open_dm(person), SHARED if person == OUTSIDER else JOINT
        for text, _ in (*ASKED.values(), (CITIES, "")):
            await walk.step(who, f"“{text}” alone", partial(_ask_alone, office, person, text), own=text)
            await walk.step(who, f"“{text}” among others", partial(office.mention, text, there, person), own=text)
            await walk.step(who, f"`/ask {text}`", partial(slack.command_as, person, there, "/ask", text), own=text)
        root = await office.mention("How many working days of paid vacation does everyone get?", there, ADA)
        await office.idle()
        on = "And by which factor is pay in Portugal multiplied?"
        await walk.step(who, "a follow-up", partial(slack.post_as, person, there, on, thread_ts=root), own=on)
        await _ask_alone(office, ADA, CITIES)
        await office.idle()
        for named in ("why", "more"):
            message, action = _latest(office, own, named)
            pressed = partial(slack.click_as, person, own, message.ts, action)
            await walk.step(who, f"the button “{named}” under Ada's answer", pressed)
        await walk.step(who, "Home", partial(slack.open_app_as, person, "home"))
        for words in (
            *("why", "sources", "permissions", "log", "log Portugal", "log 0.7431", "status", "reindex"),
            *("export slack:T0TEAM:U1", "forget slack:T0TEAM:U1", "pin", "person U1"),
        ):
            command = partial(slack.command_as, person, direct, "/footnote", words)
            await walk.step(who, f"`/footnote {words}`", command, own=words)
    print(walk.table())

    assert [] == [row for row in walk.rows if row[3] and not row[0].startswith("Ada")]
    left = await walk.step(
        "Ada, who may", "asked again after all that", partial(_ask_alone, office, ADA, ASKED["en"][0])
    )
    assert "0.7431" in left


def _latest(office: Office, channel: str, named: str) -> tuple[Any, str]:
    """Return the latest message of ours with such a button, and the button's id."""
    for message in reversed(office.slack.workspace.messages.values()):
        nodes: list[Any] = [message.blocks] if message.channel == channel else []
        for node in nodes:
            if isinstance(node, dict) and str(node.get("value", "")).startswith(f"{named}:"):
                return message, str(node["action_id"])
            nodes += node.values() if isinstance(node, dict) else node if isinstance(node, list | tuple) else ()
    raise AssertionError(f"no button {named} in {channel}")


async def _ask_alone(office: Office, person: str, text: str) -> None:
    await office.slack.post_as(person, office.slack.open_dm(person), text)


async def test_nobody_else_comes_to_the_page_in_telegram(walk: Walk) -> None:
    """Somebody of the group that may, in their own chat; a stranger; inline, as a guest, and by the group's link."""
    office, telegram = walk.office, walk.office.telegram
    for text, word in ASKED.values():
        assert word in await walk.step("Anna, who may", "a question alone", partial(telegram.say, ANNA, ANNA, text))
    listed = await walk.step("Anna, who may", "a list alone", partial(telegram.say, ANNA, ANNA, CITIES))
    assert "Zargo-Porto" in listed
    hers = {named: _pressable(office, ANNA, named) for named in ("why:", "more:")}
    asked = f"@footnote_bot {ASKED['en'][0]}"
    in_group = await walk.step("the group that may", "a question", partial(telegram.say, ANNA, GROUP, asked))
    assert "0.7431" in in_group
    evidence, data = _pressable(office, GROUP, "open:")
    query = telegram.callback(await telegram.press(ANNA, GROUP, evidence, data))
    await telegram.world.changes.until(lambda: query.answer is not None, PATIENCE)
    assert query.answer
    payload = str(query.answer["url"]).partition("start=")[2]
    assert payload
    for person, who in ((BORIS, "another member of that group"), (STRANGER, "a stranger")):
        for text, _ in (*ASKED.values(), (CITIES, "")):
            await walk.step(who, f"“{text}” alone", partial(telegram.say, person, person, text), own=text)
            for named, call in (("inline", telegram.type_inline), ("as a guest", telegram.call_guest)):
                await walk.step(who, f"“{text}” {named}", partial(_offered, office, call, person, text), own=text)
        await walk.step(who, "the group's link", partial(telegram.say, person, person, f"/start {payload}"))
        for named, (message, pressed) in hers.items():
            press = partial(_pressed_elsewhere, office, person, message, pressed)
            await walk.step(who, f"the button “{named}” under Anna's answer", press)
        for words in (
            *("/why", "/sources", "/permissions", "/log", "/log Portugal", "/status", "/reindex", "/pin"),
            *("/export telegram:1001", "/forget telegram:1001"),
        ):
            await walk.step(who, f"`{words}`", partial(telegram.say, person, person, words), own=words)
    print(walk.table())

    assert [] == [row for row in walk.rows if row[3] and row[0] in ("another member of that group", "a stranger")]
    again = await walk.step("Anna, who may", "a question again", partial(telegram.say, ANNA, ANNA, ASKED["en"][0]))
    assert "0.7431" in again


def _pressable(office: Office, chat: int, named: str) -> tuple[int, str]:
    """Return the latest message there with such a button, and what the button says."""
    for message in reversed(office.telegram.bot_messages(chat)):
        for row in (message.keyboard or {}).get("inline_keyboard", []):
            for button in row:
                if str(button.get("callback_data", "")).startswith(named):
                    return message.message_id, button["callback_data"]
    raise AssertionError(f"no button {named} in {chat}: {[visible(one) for one in office.telegram.bot_messages(chat)]}")


def visible(message: Any) -> str:
    """Return what a message shows, with its buttons."""
    return f"{getattr(message, 'text', '') or visible_text(message)} {getattr(message, 'keyboard', '')}"


async def _offered(office: Office, call: Callable[[int, str], Awaitable[str]], person: int, text: str) -> None:
    query = office.telegram.world.callbacks[await call(person, text)]
    assert await office.telegram.world.changes.until(lambda: query.answer is not None, PATIENCE)


async def _pressed_elsewhere(office: Office, person: int, message: int, data: str) -> None:
    """Press, with a made-up client, a button in Anna's private chat."""
    shown = {"message_id": message, "date": 1, "chat": {"id": ANNA, "type": "private", "first_name": "Anna"}}
    who = {"id": person, "is_bot": False, "first_name": "Somebody"}
    given = {"id": f"{person}{message}", "from": who, "message": shown, "chat_instance": "1", "data": data}
    await office.telegram.deliver({"callback_query": given})
