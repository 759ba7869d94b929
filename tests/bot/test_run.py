"""`footnote run` with everything in order: people ask on both platforms at once, and one process answers them."""

import asyncio
import re
import shutil
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
import pytest_asyncio

from tests.bot.service import (
    ADA,
    ANNA,
    BORIS,
    GRACE,
    PATIENCE,
    TEAM,
    Offices,
    Service,
    footnote_run,
    offices,
)
from tests.platforms.slack import Message as SlackMessage
from tests.platforms.slack import live_mentions
from tests.platforms.slack import visible_text as seen_in_slack
from tests.platforms.telegram import Message as TelegramMessage
from tests.suites.parity import urls_in, words
from tests.suites.parity import without_buttons as without_pressed

pytestmark = pytest.mark.asyncio(loop_scope="module")

QUESTION = "How many vacation days do I get?"
FACT = "27 working days of paid vacation per calendar year"
FOLLOW_UP = "And how many of them can I carry over?"
CARRY = "At most 5 days may be carried into the next year"
RUSSIAN = "Сколько дней отпуска мне положено?"
UNANSWERABLE = "Who won the football world cup in 1998?"
REFUSAL = "I could not find the answer to this in the documents."
RUSSIAN_HINT = "Задайте вопрос по документам"


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def place() -> AsyncIterator[Offices]:
    """Give both platforms, for the whole file."""
    async with offices() as both:
        yield both


@pytest_asyncio.fixture(scope="module", loop_scope="module", autouse=True)
async def service(
    place: Offices, indexed_handbook: Path, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Service]:
    """Give the bot at work over the handbook, by Socket Mode and polling, for the whole file."""
    data = Path(shutil.copytree(indexed_handbook, tmp_path_factory.mktemp("run") / "data"))
    async with footnote_run(data, **place.polling) as running:
        await running.says("Slack: connected")
        await running.says("Telegram: connected")
        yield running
        assert await running.stop() == 0


def channel_of(place: Offices, name: str) -> str:
    """Return a new channel in which nobody has spoken."""
    return place.slack.add_channel(name, members=[ADA, GRACE, place.slack.bot_user_id]).id


def person_in(place: Offices, number: int, language: str = "en") -> int:
    """Return a new person in Telegram, whose private chat is empty."""
    return place.telegram.add_user(number, "Somebody", language_code=language).id


async def test_it_says_what_it_starts(service: Service) -> None:
    """The log names the mode and each platform with its way in."""
    assert service.line("Quoting mode").startswith("Quoting mode: answers are exact quotes from the documents.")
    assert service.line("Slack:") == "Slack: connected as @footnote in standin (Socket Mode)"
    assert service.line("Telegram:") == "Telegram: connected as @footnote_bot (polling)"


async def test_a_mention_in_a_slack_channel(place: Offices) -> None:
    """One answer appears in the thread, and under it one reply with the exact words; nobody is called."""
    channel = channel_of(place, "C-mention")
    root = await place.mention(QUESTION, channel)
    answer, evidence = await place.slack_answers(channel, root)

    assert (root, root) == (answer.thread_ts, evidence.thread_ts)
    assert FACT in seen_in_slack(answer)
    shown = seen_in_slack(evidence)
    assert shown.startswith("Sources\n¹ Annual leave policy · Entitlement · updated 2025-01-06\n")
    assert FACT in shown
    assert live_mentions(answer) + live_mentions(evidence) == []


async def test_a_follow_up_in_a_slack_thread(place: Offices) -> None:
    """Anybody may ask on in the thread, without a mention, and what came before is understood."""
    channel = channel_of(place, "C-follow")
    root = await place.mention(QUESTION, channel)
    await place.slack_answers(channel, root)
    await place.slack.post_as(GRACE, channel, FOLLOW_UP, thread_ts=root)
    replies = await place.slack_answers(channel, root, 4)

    assert len(replies) == 4
    assert CARRY in seen_in_slack(replies[2])


async def test_a_direct_message_in_slack(place: Offices) -> None:
    """To write to the bot is to ask it."""
    direct = place.slack.open_dm(ADA)
    root = await place.slack.post_as(ADA, direct, QUESTION)
    answer, evidence = await place.slack_answers(direct, root)

    assert FACT in seen_in_slack(answer)
    assert FACT in seen_in_slack(evidence)


async def test_people_in_slack_talk_among_themselves(place: Offices) -> None:
    """Where nobody speaks to the bot it says nothing."""
    channel = channel_of(place, "C-talk")
    talk = await place.slack.post_as(ADA, channel, QUESTION)
    asked = await place.mention(QUESTION, channel)
    await place.slack_answers(channel, asked)

    assert place.slack.answers(channel, talk) == []


async def test_a_slack_event_that_comes_twice(place: Offices) -> None:
    """An event that Slack delivers again is not answered again."""
    channel = channel_of(place, "C-twice")
    root = await place.mention(QUESTION, channel)
    await place.slack_answers(channel, root)
    events = [d for d in place.slack.deliveries if d.payload.get("event", {}).get("ts") == root]
    for number, delivery in enumerate(events, 1):
        await place.slack.deliver(delivery.payload["event"], retry_num=number, event_id=delivery.event_id)
    last = await place.mention(UNANSWERABLE, channel)
    await place.slack_answers(channel, last, 1)

    assert len(events) == 2
    assert len(place.slack.answers(channel, root)) == 2


async def test_a_private_message_in_telegram(place: Offices) -> None:
    """The answer replies to the question, and the evidence to the answer."""
    chat = person_in(place, 2001)
    asked = await place.telegram.say(chat, chat, QUESTION)
    answer, evidence = await place.telegram_answers(chat)

    assert (asked.message_id, answer.message_id) == (answer.reply_to, evidence.reply_to)
    assert FACT in answer.text
    assert evidence.text.startswith("Sources\n")
    assert FACT in evidence.text


async def test_a_private_chat_in_telegram_is_a_conversation(place: Offices) -> None:
    """The next message in the chat may lean on the one before."""
    chat = person_in(place, 2002)
    await place.telegram.say(chat, chat, QUESTION)
    await place.telegram_answers(chat)
    await place.telegram.say(chat, chat, FOLLOW_UP)
    answers = await place.telegram_answers(chat, 4)

    assert CARRY in answers[2].text


async def test_a_mention_in_a_telegram_group(place: Offices) -> None:
    """A mention is answered, a reply to the answer asks on, and other talk is left alone."""
    await place.telegram.say(ANNA, TEAM, QUESTION)
    asked = await place.telegram.say(ANNA, TEAM, f"@footnote_bot {QUESTION}")
    answer, evidence = await place.telegram_answers(TEAM)
    await place.telegram.say(BORIS, TEAM, FOLLOW_UP, reply_to=answer.message_id)
    answers = await place.telegram_answers(TEAM, 4)

    assert (asked.message_id, answer.message_id) == (answer.reply_to, evidence.reply_to)
    assert FACT in answer.text
    assert CARRY in answers[2].text
    assert len(answers) == 4


async def test_a_source_in_a_group_is_opened_in_private(place: Offices) -> None:
    """The button leads to the private chat, which is answered from that source alone, and can be asked on in."""
    group = place.telegram.add_group(-100555, "Leave", members=[BORIS]).id
    await place.telegram.say(BORIS, group, f"@footnote_bot {QUESTION}")
    _, evidence = await place.telegram_answers(group)
    query = place.telegram.callback(await place.telegram.press(BORIS, group, evidence.message_id, "open:1"))
    await place.telegram.world.changes.until(lambda: query.answer is not None, PATIENCE)
    assert query.answer
    address = query.answer["url"]
    chat = person_in(place, 2010)
    answer, proof = await opened(place, chat, f"/start {str(address).partition('start=')[2]}")

    assert answer.text.startswith(f"From the group: {QUESTION}")
    assert FACT in answer.text
    assert "You asked about “Annual leave policy”, so I looked only there." in answer.text
    titles = re.findall(r"^\d+\. (.+)$", proof.text, re.MULTILINE)
    assert {"Annual leave policy"} == set(titles)
    assert proof.keyboard is None
    before = len(place.telegram.bot_messages(chat))
    await place.telegram.say(chat, chat, FOLLOW_UP)
    assert CARRY in (await place.telegram_answers(chat, before + 2))[before].text


async def opened(place: Offices, chat: int, link: str) -> list[TelegramMessage]:
    """Return what a link brings; nobody follows one as fast as a test, before it is stored where the source stands."""
    while True:
        before = len(place.telegram.bot_messages(chat))
        await place.telegram.say(chat, chat, link)
        said = (await place.telegram_answers(chat, before + 1))[before:]
        if "out of date" not in said[0].text:
            return (await place.telegram_answers(chat, before + 2))[before:]


async def test_a_telegram_update_that_comes_twice(place: Offices) -> None:
    """An update that Telegram delivers again is not answered again."""
    chat = person_in(place, 2003)
    asked = await place.telegram.say(chat, chat, QUESTION)
    await place.telegram_answers(chat)
    await place.telegram.deliver(
        {
            "message": {
                "message_id": asked.message_id,
                "date": asked.date,
                "chat": {"id": chat, "type": "private", "first_name": "Somebody"},
                "from": {"id": chat, "is_bot": False, "first_name": "Somebody"},
                "text": QUESTION,
            }
        }
    )
    await place.telegram.say(chat, chat, UNANSWERABLE)
    answers = await place.telegram_answers(chat, 3)
    await place.telegram.wait_until_confirmed()

    assert [FACT in answers[0].text, answers[2].text.startswith(REFUSAL)] == [True, True]


async def test_russian_is_answered_in_russian(place: Offices) -> None:
    """On both platforms Footnote's own words are in the language of the question."""
    channel, chat = channel_of(place, "C-russian"), person_in(place, 2004, "ru")
    root = await place.mention(RUSSIAN, channel)
    await place.telegram.say(chat, chat, RUSSIAN)
    slack_answer, slack_evidence = await place.slack_answers(channel, root)
    telegram_answer, telegram_evidence = await place.telegram_answers(chat)

    assert [revision.text for revision in slack_answer.history] == ["Смотрю в документах…"]
    assert FACT in seen_in_slack(slack_answer)
    assert FACT in telegram_answer.text
    assert seen_in_slack(slack_evidence).startswith("Источники\n")
    assert telegram_evidence.text.startswith("Источники\n")
    assert "обновлено 2025-01-06" in seen_in_slack(slack_evidence)
    assert "обновлено 2025-01-06" in telegram_evidence.text


async def test_what_the_documents_do_not_say(place: Offices) -> None:
    """A refusal is one message on either platform, without evidence."""
    channel, chat = channel_of(place, "C-refusal"), person_in(place, 2005)
    root = await place.mention(UNANSWERABLE, channel)
    await place.telegram.say(chat, chat, UNANSWERABLE)
    [in_slack] = await place.slack_answers(channel, root, 1)
    [in_telegram] = await place.telegram_answers(chat, 1)

    assert seen_in_slack(in_slack).startswith(REFUSAL)
    assert in_telegram.text.startswith(REFUSAL)


async def test_a_mention_without_words(place: Offices) -> None:
    """A mere mention outside a thread gets an example of a question."""
    channel = channel_of(place, "C-empty")
    root = await place.mention("", channel)
    [in_slack] = await place.slack_answers(channel, root, 1)

    assert seen_in_slack(in_slack).startswith("I am here. Write your question")


async def test_an_endless_message(place: Offices) -> None:
    """A pasted document is not searched for: the answer says how long a question may be."""
    channel = channel_of(place, "C-endless")
    root = await place.mention("отпуск " * 3000, channel)
    [in_slack] = await place.slack_answers(channel, root, 1)

    assert "я читаю вопросы до 4000" in seen_in_slack(in_slack)


async def test_many_people_ask_at_once(place: Offices) -> None:
    """Questions on both platforms are answered side by side, each in its place and each once."""
    channel = channel_of(place, "C-many")
    chats = [person_in(place, 2100 + number) for number in range(4)]
    roots = await asyncio.gather(*(place.mention(QUESTION, channel) for _ in range(4)))
    await asyncio.gather(*(place.telegram.say(chat, chat, QUESTION) for chat in chats))
    in_slack = [await place.slack_answers(channel, root) for root in roots]
    in_telegram = [await place.telegram_answers(chat) for chat in chats]

    assert [2] * 8 == [len(answers) for answers in (*in_slack, *in_telegram)]
    assert len({seen_in_slack(answer) for answer, _ in in_slack}) == 1
    assert len({answer.text for answer, _ in in_telegram}) == 1


@pytest.mark.parametrize("question", [QUESTION, RUSSIAN, "What is the hotel limit in Berlin?", UNANSWERABLE])
async def test_both_platforms_say_the_same(place: Offices, question: str, request: pytest.FixtureRequest) -> None:
    """The same question gets the same claims, in the same order, and the same sources, wherever it is asked."""
    number = sum(map(ord, question))
    channel, chat = channel_of(place, f"C-parity-{number}"), person_in(place, 100_000 + number)
    root = await place.mention(question, channel)
    await place.telegram.say(chat, chat, question)
    count = 1 if question == UNANSWERABLE else 2
    slack = await place.slack_answers(channel, root, count)
    telegram = await place.telegram_answers(chat, count)
    in_slack = [seen_in_slack(without_buttons(message)) for message in slack]
    in_telegram = [message.text for message in telegram]

    assert [words([text]) for text in in_slack] == [words([text]) for text in in_telegram]
    assert links_in_slack(slack) == links_in_telegram(telegram)


def without_buttons(message: SlackMessage) -> SlackMessage:
    """Return the message as it reads above its buttons, which Telegram keeps apart from the text."""
    return replace(message, blocks=without_pressed(message.blocks))


def links_in_slack(messages: list[SlackMessage]) -> list[str]:
    """Return the addresses of the links in the order in which they are shown."""
    return [str(url) for message in messages for url in urls_in(message.blocks)]


def links_in_telegram(messages: list[TelegramMessage]) -> list[str]:
    """Return the addresses of the links in the order in which they are shown."""
    return [entity.url for message in messages for entity in message.entities if entity.type == "text_link"]
