"""Thumbs, reasons and emoji from both platforms to what is stored, over the real service."""

import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from core.conversation import MessageRef
from core.feedback import Reaction
from core.phrases import phrase
from tests.bot.office import ADA, ANNA, BORIS, GENERAL, GRACE, Office, at_work, is_judgeable, town, write
from tests.platforms.slack import SlackStandIn, visible_text
from tests.platforms.telegram import TelegramStandIn

PAGES = {
    "leave.md": "# Annual leave\n\nEveryone gets 27 working days of paid vacation per calendar year.\n",
    "отпуск.md": "# Командировки\n\nСуточные в командировке составляют 1500 рублей в день.\n",
}
QUESTION, RUSSIAN = "How many vacation days do I get?", "Какие суточные в командировке?"
ADA_, GRACE_, ANNA_, BORIS_ = "slack:T0TEAM:U1", "slack:T0TEAM:U2", f"telegram:{ANNA}", f"telegram:{BORIS}"
Towns = tuple[SlackStandIn, TelegramStandIn]


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return where the two pages are indexed, once."""
    return tmp_path_factory.mktemp("judging")


@pytest.fixture
async def data(indexed: Path, elsewhere: Path) -> Path:
    """Return a data folder of the test's own in which the two pages are indexed."""
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
    """Give the bot at work."""
    async with at_work(data, towns) as working:
        yield working


async def press(office: Office, ts: str, value: str, user: str = ADA) -> None:
    """Press a thumb in Slack."""
    await office.slack.click_as(user, GENERAL, ts, "footnote_judge", value=value)


async def test_in_slack_a_thumb_is_given_changed_and_taken_back(office: Office) -> None:
    """Each person has a word of their own; each hears of it alone, and nothing of it is seen in the thread."""
    answer, evidence = await office.ask(QUESTION)
    await press(office, answer.ts, "judge:up.0")
    await office.says((ADA_, "up", None))
    await office.whispers(1)
    await press(office, answer.ts, "judge:down.0", GRACE)
    await office.says((ADA_, "up", None), (GRACE_, "down", None))
    await office.whispers(2)
    await press(office, answer.ts, "judge:down.0")
    await office.says((GRACE_, "down", None), (ADA_, "down", None))
    await office.whispers(3)
    await press(office, answer.ts, "judge:down.0", GRACE)
    await office.says((ADA_, "down", None))
    told = await office.whispers(4)

    assert visible_text(evidence).endswith(phrase("confirmed_one", "en"))
    assert phrase("confirmed_one", "en") not in visible_text(answer)
    assert [phrase("thanks_up", "en"), phrase("taken_back", "en")] == [told[0], told[3]]
    assert [ADA, GRACE, ADA, GRACE] == [one.only_for for one in office.slack.ephemerals]
    assert [answer, evidence] == office.slack.answers(GENERAL, answer.thread_ts or "")


@pytest.mark.parametrize(("question", "language"), [(QUESTION, "en"), (RUSSIAN, "ru")])
async def test_in_slack_a_reason_is_asked_for_alone(office: Office, question: str, language: str) -> None:
    """In the language of the question; the thanks take the place of the reasons."""
    answer, _ = await office.ask(question)
    await press(office, answer.ts, "judge:down.0", GRACE)
    [asked] = await office.whispers(1)
    await office.slack.click_as(GRACE, GENERAL, office.slack.ephemerals[0].ts, "footnote_reason_3")
    await office.says((GRACE_, "down", "outdated"))
    await office.until(lambda: visible_text(office.slack.ephemerals[0]) != asked)

    reason = phrase("reason_outdated", language)  # type: ignore[arg-type]
    assert reason in asked
    assert [phrase("thanks_reason", language, reason=reason)] == await office.whispers(1)  # type: ignore[arg-type]


async def test_in_slack_emoji_count_and_only_on_answers(office: Office) -> None:
    """Any colour of the thumbs; not on a person's message, by the bot, or another emoji."""
    answer, _ = await office.ask(QUESTION)
    await office.slack.react_as(GRACE, GENERAL, answer.thread_ts or "", "-1")
    await office.slack.react_as(office.slack.bot_user_id, GENERAL, answer.ts, "+1")
    await office.slack.react_as(ADA, GENERAL, answer.ts, "eyes")
    await office.slack.react_as(ADA, GENERAL, answer.ts, "+1::skin-tone-4")
    await office.says((ADA_, "up", None))
    await office.slack.react_as(GRACE, GENERAL, answer.ts, "thumbsdown")
    await office.says((ADA_, "up", None), (GRACE_, "down", None))
    await office.slack.unreact_as(GRACE, GENERAL, answer.ts, "thumbsdown")
    await office.says((ADA_, "up", None))

    assert [GRACE] == [one.only_for for one in office.slack.ephemerals]


async def test_what_slack_delivers_twice_counts_once(office: Office) -> None:
    """A thumb that is brought again is not taken back by it, nor is an emoji."""
    answer, _ = await office.ask(QUESTION)
    await press(office, answer.ts, "judge:down.0")
    await office.says((ADA_, "down", None))
    pressed = next(one for one in office.slack.deliveries if one.payload.get("type") == "block_actions")
    again = office.slack._courier.hand_over("interactive", pressed.payload)
    await again.finished.wait()
    await office.slack.react_as(GRACE, GENERAL, answer.ts, "+1")
    await office.says((ADA_, "down", None), (GRACE_, "up", None))
    events = [one.payload["event"] for one in office.slack.deliveries if "event" in one.payload]
    await office.slack.deliver(events[-1], retry_num=1)
    await office.slack.settled()

    await office.says((ADA_, "down", None), (GRACE_, "up", None))


async def test_a_thumb_is_pressed_after_a_restart(data: Path, towns: Towns) -> None:
    """Another process knows the answer, and what was said of it before."""
    async with at_work(data, towns) as office:
        answer, _ = await office.ask(QUESTION)
        await press(office, answer.ts, "judge:down.0")
        await office.says((ADA_, "down", None))
    async with at_work(data, towns) as office:
        await press(office, answer.ts, "judge:down.0")
        await office.says()
        await press(office, answer.ts, "judge:up.0", GRACE)
        await office.says((GRACE_, "up", None))


async def test_a_press_on_an_earlier_version_is_about_that_answer(office: Office) -> None:
    """The question was edited while somebody looked at the old answer; the new one has thumbs of its own."""
    answer, _ = await office.ask(QUESTION)
    root = answer.thread_ts or ""
    await press(office, answer.ts, "judge:up.0")
    await office.says((ADA_, "up", None))
    old = next(one for one in office.slack.deliveries if one.payload.get("type") == "block_actions").payload
    await office.slack.edit_as(ADA, GENERAL, root, f"<@{office.slack.bot_user_id}> {RUSSIAN}")
    await office.until(lambda: "1500" in visible_text(office.slack.answers(GENERAL, root)[0]))
    await office.idle()
    new = office.slack.answers(GENERAL, root)[0]
    [pair] = new.blocks[-1]["elements"]
    late = {**old, "user": {**old["user"], "id": GRACE}}
    late["actions"] = [{**old["actions"][0], "value": "judge:down.0", "action_ts": "1795000000.000001"}]
    office.slack._courier.hand_over("interactive", late)
    await office.says((ADA_, "up", None), (GRACE_, "down", None))
    await press(office, new.ts, pair["positive_button"]["value"], GRACE)
    await office.says((ADA_, "up", None), (GRACE_, "down", None), (GRACE_, "up", None))

    assert pair["positive_button"]["value"] != "judge:up.0"


async def test_a_press_that_means_nothing_says_so(office: Office) -> None:
    """Nothing is stored, and the person hears that the button is out of date."""
    answer, _ = await office.ask(QUESTION)
    await press(office, answer.ts, "judge:up.0")
    await office.says((ADA_, "up", None))
    await office.whispers(1)
    real = next(one for one in office.slack.deliveries if one.payload.get("type") == "block_actions").payload
    values = ("judge:down.1", "judge:down." + "9" * 18, "judge:sideways.0", "reason:boring.0", "judge:")
    for value in values:
        strange = {**real, "actions": [{**real["actions"][0], "value": value, "action_ts": "1795000000.000001"}]}
        office.slack._courier.hand_over("interactive", strange)

    assert [phrase("out_of_date", "en")] * len(values) == (await office.whispers(1 + len(values)))[1:]
    await office.says((ADA_, "up", None))


async def test_in_slack_each_hears_thanks_in_the_language_that_they_have_chosen(office: Office) -> None:
    """By a button and by an emoji; who has chosen English hears the language of the question."""
    office.slack.add_user(GRACE, name="Grace", locale="ru-RU")
    answer, _ = await office.ask(QUESTION)
    await press(office, answer.ts, "judge:up.0", GRACE)
    await office.whispers(1)
    await office.slack.react_as(GRACE, GENERAL, answer.ts, "-1")
    await office.whispers(2)
    await press(office, answer.ts, "judge:up.0")
    [by_button, by_emoji, others] = await office.whispers(3)

    assert (phrase("thanks_up", "ru"), phrase("thanks_up", "en")) == (by_button, others)
    assert phrase("thanks_down", "ru") in by_emoji
    assert phrase("reason_wrong", "ru") in by_emoji


async def test_in_slack_an_emoji_is_asked_why_once(office: Office) -> None:
    """A thumb down asks its giver, not again when the event is told of twice; a thumb up and its taking ask nothing."""
    answer, _ = await office.ask(RUSSIAN)
    await office.slack.react_as(GRACE, GENERAL, answer.ts, "+1")
    await office.says((GRACE_, "up", None))
    await office.slack.unreact_as(GRACE, GENERAL, answer.ts, "+1")
    await office.says()
    await office.slack.react_as(GRACE, GENERAL, answer.ts, "-1")
    await office.says((GRACE_, "down", None))
    [asked] = await office.whispers(1)
    events = [one.payload["event"] for one in office.slack.deliveries if "event" in one.payload]
    await office.slack.deliver(events[-1], retry_num=1)
    await office.slack.settled()
    shown = office.slack.ephemerals[0]
    await office.slack.click_as(GRACE, GENERAL, shown.ts, "footnote_reason_2")
    await office.says((GRACE_, "down", "incomplete"))

    assert phrase("thanks_down", "ru") in asked
    assert (GRACE, answer.thread_ts) == (shown.only_for, shown.thread_ts)
    assert 1 == len(office.slack.ephemerals)


@pytest.mark.parametrize(
    ("person", "text", "name"),
    [
        *((ANNA, "🙏", "courtesy_thanks"), (BORIS, "🙏", "courtesy_thanks"), (ANNA, "???", "empty")),
        *((BORIS, "???", "empty"), (ANNA, "123", "empty"), (ANNA, "Thanks", "courtesy_thanks")),
    ],
)
async def test_what_has_no_letters_is_answered_in_the_language_of_their_telegram(
    office: Office, person: int, text: str, name: str
) -> None:
    """Signs and digits tell none; words do."""
    await office.telegram.say(person, person, text)
    [told] = await office.telegram.wait_for_messages(person, count=1, timeout=20)

    assert phrase(name, "ru" if person == ANNA and not text.isalpha() else "en") == told.text


async def test_in_telegram_the_reasons_come_under_the_answer(office: Office) -> None:
    """A thumb down brings them, a reason takes them away; the word for it goes by itself, in the language asked in."""
    answer, evidence = await office.ask_in_telegram(RUSSIAN)
    chat, number = ANNA, answer.message_id

    def labels() -> list[str]:
        message = next(one for one in office.telegram.bot_messages(chat) if one.message_id == number)
        rows = (message.keyboard or {}).get("inline_keyboard", [])
        return [button["text"] for row in rows for button in row]  # type: ignore[attr-defined, index]

    before = labels()
    await office.telegram.press(ANNA, chat, number, "judge:down.0")
    await office.until(lambda: phrase("reason_wrong", "ru") in labels())
    await office.telegram.press(ANNA, chat, number, "reason:incomplete.0")
    await office.says((ANNA_, "down", "incomplete"))
    await office.until(lambda: labels() == before)
    told = await office.telegram.wait_for_calls("answerCallbackQuery", count=2)

    assert ["👍", "👎", phrase("why_button", "ru")] == before
    assert evidence.text.endswith(phrase("confirmed_one", "ru"))
    reason = phrase("reason_incomplete", "ru")
    assert [phrase("thanks_down", "ru"), phrase("thanks_reason", "ru", reason=reason)] == [
        call.params["text"] for call in told
    ]
    assert not any(call.params.get("show_alert") for call in told)


async def test_in_telegram_emoji_count_and_a_repeated_update_does_not(office: Office) -> None:
    """What was told of is not told of again; on the evidence it is said of the answer."""
    answer, evidence = await office.ask_in_telegram(QUESTION, BORIS)
    await office.telegram.react(BORIS, BORIS, evidence.message_id, "👎")
    await office.says((BORIS_, "down", None))
    await office.telegram.react(BORIS, BORIS, answer.message_id, "👎")
    await office.says((BORIS_, "down", None))
    await office.until(lambda: "reason:wrong.0" in str(office.telegram.bot_messages(BORIS)[0].keyboard))
    await office.telegram.press(BORIS, BORIS, answer.message_id, "judge:up.0")
    await office.says((BORIS_, "up", None))
    await office.telegram.press(BORIS, BORIS, answer.message_id, "judge:up.0")
    await office.says()
    await office.telegram.react(BORIS, BORIS, answer.message_id, "👍")
    await office.says((BORIS_, "up", None))
    await office.telegram.react(BORIS, BORIS, answer.message_id, "")
    await office.says()
    told = Reaction(MessageRef("telegram", str(BORIS), str(answer.message_id)), BORIS_, "reaction 5", "up", given=True)
    await office.service.reception.reacted(told)
    await office.telegram.press(BORIS, BORIS, answer.message_id, "judge:up.0")
    await office.says()
    await office.service.reception.reacted(told)
    await office.says()


async def test_why_is_a_button_that_tells_the_presser_alone(office: Office) -> None:
    """It does what /why does."""
    answer, _ = await office.ask(QUESTION)
    await office.slack.click_as(GRACE, GENERAL, answer.ts, "footnote_why_1")
    [told] = await office.whispers(1)

    assert phrase("why_understood", "en") in told
    assert GRACE == office.slack.ephemerals[0].only_for


async def test_a_refusal_can_be_judged_and_small_words_cannot(office: Office) -> None:
    """That something was not found may be wrong as well; a hint how to ask is no answer."""
    root = await office.mention("Who won the football world cup in 1998?")
    await office.until(
        lambda: any(one.blocks[-1]["type"] == "context_actions" for one in office.slack.answers(GENERAL, root))
    )
    refusal = office.slack.answers(GENERAL, root)[0]
    await press(office, refusal.ts, "judge:down.0")
    await office.says((ADA_, "down", None))
    hint = await office.mention("?")
    await office.until(lambda: any("vacation days" in visible_text(one) for one in office.slack.answers(GENERAL, hint)))

    assert not is_judgeable(office.slack.answers(GENERAL, hint)[0])
    assert phrase("refusal", "en") in visible_text(refusal)
