"""A source under an answer in a group is opened in private, by a link that nobody can make up."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.telegram.body import in_chat, parts_of
from adapters.telegram.links import Links
from adapters.telegram.words import hint
from core.conversation import MessageRef, Target
from core.phrases import phrase
from core.reply import Evidence, Paragraph, RenderedReply, Text
from tests.adapters.telegram.scene import ANNA, BORIS, TEAM, asks_last, chatting, forwarded, message, texts
from tests.platforms.telegram.markup import button_data

LINKS = Links("123456:test-token", "footnote_bot")
SOURCE = MessageRef("telegram", str(TEAM), "77")


def payload_of(address: str | None) -> str:
    assert address
    start, _, payload = address.partition("?start=")
    assert start == "https://t.me/footnote_bot"
    return payload


@settings(derandomize=True, max_examples=50)
@given(st.integers(-(2**62), 2**62), st.integers(0, 2**31 - 1), st.integers(1, 9_999))
def test_a_link_names_its_source(chat: int, number: int, source: int) -> None:
    """In as many characters as Telegram passes on, of those that it takes."""
    ref = MessageRef("telegram", str(chat), str(number))
    payload = payload_of(LINKS.to(ref, source))

    assert (ref, source) == LINKS.read(payload)
    assert len(payload) <= 64
    assert payload.replace("-", "").replace("_", "").isalnum()


@settings(derandomize=True, max_examples=50)
@given(st.text(max_size=70))
def test_what_nobody_was_given_opens_nothing(payload: str) -> None:
    """Whatever is typed after /start."""
    assert LINKS.read(payload) is None


def test_a_changed_link_opens_nothing() -> None:
    """Nor does that of another bot: no number in it can be counted up."""
    payload = payload_of(LINKS.to(SOURCE, 1))
    changed = [payload[:at] + ("A" if payload[at] != "A" else "B") + payload[at + 1 :] for at in range(len(payload))]

    assert {None} == {LINKS.read(one) for one in changed}
    assert Links("123456:other-token", "footnote_bot").read(payload) is None


def test_numbers_of_no_telegram_have_no_link() -> None:
    """A button may bring anything."""
    assert LINKS.to(SOURCE, 10**9) is None
    assert LINKS.to(MessageRef("telegram", "C1", "1.2"), 1) is None


@pytest.mark.parametrize(
    ("count", "labels"), [(1, ["Ask in private"]), (2, ["Ask in private (1)", "Ask in private (2)"])]
)
def test_each_of_the_first_sources_has_a_button_in_groups(count: int, labels: list[str]) -> None:
    """Two side by side; in a private chat there is nothing to open."""
    entries = tuple(Evidence(number, "Title", "Place", "Quote.") for number in range(1, count + 1))
    body = parts_of(RenderedReply((Paragraph((Text("Yes"),)),), entries, "en"))[-1].body

    assert labels == [button["text"] for row in body["keyboard"]["inline_keyboard"] for button in row]
    assert in_chat(body, TEAM) == body
    assert "keyboard" not in in_chat(body, ANNA)


async def test_a_press_opens_the_private_chat_which_asks_about_the_source() -> None:
    """The group sees nothing of it; the same update again asks nothing more."""
    async with chatting() as (tg, desk):
        await tg.say(ANNA, TEAM, "@footnote_bot Сколько дней?")
        _, evidence = await tg.wait_for_messages(TEAM, count=2)
        query = tg.callback(await tg.press(BORIS, TEAM, evidence.message_id, "open:1"))
        await tg.wait_for_calls("answerCallbackQuery")
        payload = payload_of((query.answer or {})["url"])
        await tg.say(BORIS, BORIS, f"/start {payload}")
        await tg.wait_for_messages(BORIS, count=2)
        await desk.idle()

    [(question, number)] = desk.openings
    assert (question.place, question.asker, question.thread) == (str(BORIS), str(BORIS), f"telegram:{BORIS}")
    assert question.answers == Target(MessageRef("telegram", str(TEAM), str(evidence.message_id)))
    assert number == 1
    assert len(tg.bot_messages(TEAM)) == 2
    assert tg.bot_messages(BORIS)[1].keyboard is None
    assert desk.presses == []


async def test_an_answer_that_is_gone_is_told_so() -> None:
    """In the language of who opens it."""
    async with chatting() as (tg, desk):
        desk.knows_buttons = False
        await tg.say(ANNA, ANNA, f"/start {payload_of(LINKS.to(SOURCE, 1))}")
        await tg.wait_for_messages(ANNA, count=1)

    assert [phrase("out_of_date", "ru")] == texts(tg.bot_messages(ANNA))
    assert desk.questions == {}


@pytest.mark.parametrize("payload", ["inline", "c_12", "x" * 64])
async def test_another_start_shows_how_to_ask(payload: str) -> None:
    """As does a link that somebody has forwarded as words."""
    async with chatting() as (tg, desk):
        await tg.say(BORIS, BORIS, f"/start {payload}")
        await tg.wait_for_messages(BORIS, count=1)

    assert [hint("help", "en", "footnote_bot")] == texts(tg.bot_messages(BORIS))
    assert desk.openings == []


async def test_a_forwarded_or_edited_start_opens_nothing() -> None:
    """Only what a person does themselves."""
    words = f"/start {payload_of(LINKS.to(SOURCE, 1))}"
    command = [{"type": "bot_command", "offset": 0, "length": 6}]
    async with chatting() as (tg, desk):
        await tg.deliver(forwarded(600, words, entities=command))
        edit = message(message_id=601, text=words, entities=command, edit_date=1_800_000_009)["message"]
        await tg.deliver({"edited_message": edit})
        await asks_last(tg, desk)

    assert desk.openings == []
    assert button_data(tg.bot_messages(ANNA)[0].keyboard) == []
