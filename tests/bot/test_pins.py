"""An admin's thumb keeps an answer for whoever asks the same, until a source of it changes."""

import asyncio
import json
import shutil
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from core.phrases import phrase
from tests.bot.office import ADA, ANNA, BORIS, GENERAL, GRACE, PEOPLE, Office, at_work, is_judgeable, town, write
from tests.bot.terminal import footnote, refused
from tests.platforms.slack import SlackStandIn, visible_text
from tests.platforms.telegram import TelegramStandIn

LEAVE = "# Annual leave\n\nEveryone gets 27 working days of paid vacation per calendar year.\n"
SALARY = "---\nreaders: [slack:T0TEAM:C2]\n---\n# Salaries\n\nThe salary of a junior cook is 1900 euros a month.\n"
TRIPS = "# Командировки\n\nСуточные в командировке составляют 1500 рублей в день.\n"
PAGES = {"leave.md": LEAVE, "salary.md": SALARY, "trips.md": TRIPS}
QUESTION, SECRET, RUSSIAN = (
    "How many vacation days do I get?",
    "What is the salary of a junior cook?",
    "Какие суточные в командировке?",
)
ADMINS = ("slack:T0TEAM:U1", f"telegram:{ANNA}", f"telegram:{BORIS}")
CHECKED = "A person checked this answer on"
Towns = tuple[SlackStandIn, TelegramStandIn]


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return where the pages are indexed, once."""
    return tmp_path_factory.mktemp("pins")


@pytest.fixture
async def data(indexed: Path, elsewhere: Path) -> Path:
    """Return a data folder of the test's own in which the pages are indexed."""
    if not (indexed / "data").exists():
        await write(indexed / "pages", PAGES, indexed / "data")
    return Path(shutil.copytree(indexed / "data", elsewhere / "data"))


@pytest.fixture
async def towns() -> AsyncIterator[Towns]:
    """Give both platforms."""
    async with town() as both:
        yield both


@pytest.fixture
async def office(data: Path, towns: Towns) -> AsyncIterator[Office]:
    """Give the bot at work, with Ada and Anna for admins."""
    async with at_work(data, towns, admins=ADMINS) as working:
        yield working


async def pin(office: Office, question: str = QUESTION, channel: str = GENERAL) -> tuple[str, str]:
    """Ask, and let Ada find it good; return what was said and its ts."""
    answer, evidence = await office.ask(question, channel)
    assert CHECKED not in visible_text(evidence)
    before = len(office.slack.ephemerals)
    await office.slack.click_as(ADA, channel, answer.ts, "footnote_judge", value="judge:up.0")
    assert phrase("pinned", "en") == (await office.whispers(before + 1))[-1]
    return visible_text(answer), answer.ts


async def test_whoever_asks_the_same_gets_the_checked_answer(office: Office) -> None:
    """In another thread, by another person: the same words, and with the evidence that a person has checked them."""
    said, _ = await pin(office)
    answer, evidence = await office.ask(f"  {QUESTION.replace(' ', '  ')} ", user=GRACE)

    assert said == visible_text(answer)
    assert CHECKED not in visible_text(answer)
    assert f"{CHECKED} {datetime.now(UTC):%Y-%m-%d}" in visible_text(evidence)
    assert [(QUESTION, None)] == await office.pins()


async def test_it_is_told_in_why_that_a_person_had_checked_it(office: Office) -> None:
    """Nothing was looked up for it."""
    await pin(office)
    answer, _ = await office.ask(QUESTION, user=GRACE)
    await office.slack.click_as(GRACE, GENERAL, answer.ts, "footnote_why_1")

    assert phrase("by_pin", "en") in (await office.whispers(2))[-1]


@pytest.mark.parametrize("question", [QUESTION.lower(), "How many vacation days do we get?"])
async def test_other_words_are_another_question(office: Office, question: str) -> None:
    """As everywhere, case carries meaning."""
    await pin(office)
    _, evidence = await office.ask(question)

    assert CHECKED not in visible_text(evidence)


async def test_who_is_no_admin_keeps_nothing(office: Office) -> None:
    """Their thumb is stored as anybody's, and another person's telling is."""
    answer, _ = await office.ask(QUESTION)
    await office.slack.click_as(GRACE, GENERAL, answer.ts, "footnote_judge", value="judge:up.0")

    assert [phrase("thanks_up", "en")] == await office.whispers(1)
    assert [] == await office.pins()


async def test_it_is_never_given_where_a_source_may_not_be_read(office: Office) -> None:
    """What was checked in the channel that may read it stays there, though the very same is asked elsewhere."""
    said, _ = await pin(office, SECRET, PEOPLE)
    root = await office.mention(SECRET, GENERAL, GRACE)
    await office.until(lambda: any(map(is_judgeable, office.slack.answers(GENERAL, root))))
    await office.idle()
    elsewhere = [visible_text(one) for one in office.slack.answers(GENERAL, root)]
    again, evidence = await office.ask(SECRET, PEOPLE)

    assert "1900" in said
    assert not any("1900" in one or CHECKED in one for one in elsewhere)
    assert said == visible_text(again)
    assert CHECKED in visible_text(evidence)


async def test_it_never_leaves_its_workspace(office: Office) -> None:
    """Telegram has its own."""
    await pin(office)
    _, evidence = await office.ask_in_telegram(QUESTION)

    assert CHECKED not in evidence.text


async def test_in_telegram_an_emoji_of_an_admin_keeps_an_answer_and_another_admin_forgets_it(office: Office) -> None:
    """The other one says so under an answer that was given from it, not under the first."""
    answer, _ = await office.ask_in_telegram(RUSSIAN)
    await office.telegram.react(ANNA, ANNA, answer.message_id, "👍")
    await office.says((f"telegram:{ANNA}", "up", None))
    again, evidence = await office.ask_in_telegram(RUSSIAN, BORIS)
    await office.telegram.press(BORIS, BORIS, again.message_id, "judge:down.0")
    [told] = await office.telegram.wait_for_calls("answerCallbackQuery")

    assert "Этот ответ проверил человек" in evidence.text
    assert phrase("unpinned", "ru") == told.params["text"]
    assert [] == await office.pins()


async def test_who_takes_the_thumb_back_takes_the_checked_answer_back(office: Office) -> None:
    """And hears so."""
    _, ts = await pin(office)
    await office.slack.click_as(ADA, GENERAL, ts, "footnote_judge", value="judge:up.0")

    assert phrase("unpinned", "en") == (await office.whispers(2))[-1]
    assert [] == await office.pins()


async def test_it_falls_silently_when_a_source_changes(data: Path, towns: Towns, elsewhere: Path) -> None:
    """The question is answered from the new words, the list says which document it was, and other pins stand."""
    async with at_work(data, towns, admins=ADMINS) as office:
        await pin(office)
        await pin(office, SECRET, PEOPLE)
    await write(elsewhere / "pages", PAGES | {"leave.md": LEAVE.replace("27", "28")}, data)
    async with at_work(data, towns, admins=ADMINS) as office:
        answer, evidence = await office.ask(QUESTION, user=GRACE)
        kept = await office.pins()

    assert "28 working days" in visible_text(answer)
    assert CHECKED not in visible_text(evidence)
    assert [(QUESTION, "Annual leave has changed"), (SECRET, None)] == kept


async def test_an_admin_keeps_and_lets_go_by_a_command(office: Office) -> None:
    """In the thread of the answer. Another person is told who may, and a refusal is no answer to keep."""
    answer, _ = await office.ask(QUESTION)
    mention, told = f"<@{office.slack.bot_user_id}>", list[str]()
    for who, words in ((GRACE, "/pin"), (ADA, "/pin"), (ADA, "/pin off"), (ADA, "/pin off")):
        await office.slack.post_as(who, GENERAL, f"{mention} {words}", thread_ts=answer.thread_ts)
        told = await office.whispers(len(told) + 1)
        await office.idle()
    root = await office.mention("Who won the football world cup in 1998?", GENERAL, ADA)
    await office.until(lambda: any(map(is_judgeable, office.slack.answers(GENERAL, root))))
    await office.slack.post_as(ADA, GENERAL, f"{mention} /pin", thread_ts=root)
    *_, not_kept = await office.whispers(len(told) + 1)

    assert told[0].startswith("Only my administrators can do that.")
    assert [phrase(name, "en") for name in ("pinned", "unpinned", "pin_no_pin")] == told[1:]
    assert phrase("pin_none", "en") == not_kept
    assert [] == await office.pins()


async def filled(data: Path, towns: Towns) -> None:
    """Leave behind one checked answer, one bad one with a reason, and one of the terminal."""
    async with at_work(data, towns, admins=ADMINS) as office:
        await pin(office)
        answer, _ = await office.ask_in_telegram(RUSSIAN)
        await office.telegram.press(ANNA, ANNA, answer.message_id, "judge:down.0")
        await office.until(lambda: "reason:outdated.0" in str(office.telegram.bot_messages(ANNA)[0].keyboard))
        await office.telegram.press(ANNA, ANNA, answer.message_id, "reason:outdated.0")
        await office.says((ADMINS[0], "up", None), (f"telegram:{ANNA}", "down", "outdated"))


def test_the_terminal_lists_them(data: Path, elsewhere: Path) -> None:
    """`footnote pins` and `footnote feedback` tell it as a colleague would; a fallen pin says why."""

    async def leave() -> None:
        async with town() as towns:
            await filled(data, towns)
        await write(elsewhere / "pages", PAGES | {"leave.md": LEAVE.replace("27", "28")}, data)

    asyncio.run(leave())
    pins, listed = footnote("pins"), footnote("feedback")

    assert f"1 {QUESTION}" in pins.text
    assert "Annual leave has changed" in pins.text
    assert "This week: 👍 1, 👎 1 (50% helped)" in listed.text
    assert f"👎 {RUSSIAN} Это устарело" in listed.text
    assert [QUESTION] == [one["question"] for one in json.loads(footnote("pins", "--json").out)]
    told = json.loads(footnote("feedback", "--json", "--limit", "1").out)
    assert ({"up": 1, "down": 1}, ["outdated"]) == (told["week"], [one["reason"] for one in told["feedback"]])
    _cases(elsewhere)
    assert "Forgotten" in footnote("pins", "remove", "1").text
    assert "there is no checked answer 1" in refused(footnote("pins", "remove", "1"))


def _cases(folder: Path) -> None:
    """What did not help is a case: told again the same it is wrong again, and nobody is named in it."""
    file = folder / "cases.jsonl"
    said = footnote("feedback", "cases", str(file), "--since", f"{datetime.now(UTC):%Y-%m-%d}")
    [case] = [json.loads(line) for line in file.read_text("utf-8").splitlines()]

    assert "1 case to be reviewed" in said.text
    assert (RUSSIAN, True, ["outdated"], 1) == (case["question"], case["review"], case["reasons"], case["times"])
    assert "1500" in case["said"]
    assert [("trips.md", "Командировки")] == [(one["document"], one["title"]) for one in case["sources"]]
    assert not any(name in file.read_text("utf-8") for name in (str(ANNA), "telegram", "slack"))
    found = json.loads(footnote("evaluate", "answers", str(file), "--json").out)
    assert ["wrong"] == [one["outcome"] for one in found["answers"]]
    file.write_text(json.dumps(case | {"said": "Something else."}) + "\n", "utf-8")
    found = json.loads(footnote("evaluate", "answers", str(file), "--json").out)
    assert (["unreviewed"], None) == ([one["outcome"] for one in found["answers"]], found["all"]["right"])
    assert "" == footnote("feedback", "cases", "--since", "2999-01-01").out


@pytest.mark.usefixtures("data")
def test_with_nothing_said_the_commands_say_how() -> None:
    """And a day that is none, or a file that cannot be written, is refused in a sentence."""
    assert "there are 👍 and 👎" in footnote("feedback").text
    assert "An admin (ADMINS) who presses 👍" in footnote("pins").text
    assert "write it as 2026-03-01" in refused(footnote("feedback", "cases", "--since", "yesterday"))
    assert "name another file" in refused(footnote("feedback", "cases", "missing/folder/cases.jsonl"))


@pytest.mark.usefixtures("data")
def test_in_the_terminal_an_answer_is_judged_by_a_word() -> None:
    """The reason is in the person's own words; the latest word counts; before a question there is nothing to judge."""
    said = footnote("chat", stdin=f"/good\n{RUSSIAN}\n/good\n/bad не та сумма\n/quit\n").text
    told = footnote("feedback").text

    assert "Nothing has been asked yet." in said
    assert phrase("thanks_up", "ru") in said
    assert phrase("thanks_reason", "ru", reason="не та сумма") in said
    assert f"👎 {RUSSIAN} не та сумма · " in told
    assert "👍 0, 👎 1" in told
