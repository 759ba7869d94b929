"""What has broken other bots in Slack: words, sizes and addresses, each judged as Slack judges a message."""

from collections.abc import Iterator
from typing import Any

import pytest

from adapters.slack.format import answer_messages, evidence_messages
from adapters.slack.packing import SlackMessage
from core.reply import Bullets, Evidence, Note, Paragraph, RenderedReply, Table, Text
from tests.adapters.slack.scene import Scene
from tests.adapters.slack.test_format import accepted, bare, reply, seen
from tests.platforms.slack import live_links, visible_text
from tests.platforms.slack.second_opinion import objections

CODE = "".join(f'row_{number:03} = load("café", "отпуск")  # {number}\n' for number in range(200))
ADDRESSES = [
    "https://x.example/a|b",
    "https://x.example/a>b<c",
    "https://x.example/a\nb",
    "https://x.example/wiki/Leave_(2026)",
    "https://x.example/?a=1&b=2&amp;c=3",
]


def elements(value: Any, kind: str) -> Iterator[dict[str, Any]]:
    """Yield each element of a type, however deep."""
    if isinstance(value, dict):
        if value.get("type") == kind:
            yield value
        value = list(value.values())
    if isinstance(value, list | tuple):
        for one in value:
            yield from elements(one, kind)


def judged(messages: tuple[SlackMessage, ...]) -> list[str]:
    """Return what is seen in each message; Slack and the libraries take all of them."""
    shown = [accepted(message) for message in messages]
    assert [] == [objection for message in messages for objection in objections(message.blocks)]
    return [visible_text(message) for message in shown]


@pytest.mark.parametrize("lead", ["Run this:", "Выполните:"])
def test_code_longer_than_a_block_stays_code(lead: str) -> None:
    """Five thousand characters of it: every line is there, whole, in an element of code, with nothing added."""
    messages = answer_messages(reply(Paragraph((Text(lead),)), Paragraph((Text(CODE, "code"),))))
    judged(messages)
    codes = [one for message in messages for one in elements(message.blocks, "rich_text_preformatted")]
    lines = "".join(f"{text['text'].rstrip()}\n" for code in codes for text in code["elements"])

    assert len(CODE) > 5_000
    assert CODE == lines


@pytest.mark.parametrize(("city", "price"), [("Lyon", "€185"), ("Пермь", "4 200 ₽")])
def test_two_hundred_rows_are_all_there(city: str, price: str) -> None:
    """More than a table of Slack's holds: each row in its order, a line for each."""
    rows = tuple(((Text(f"{city} {number}"), Note(1)), (Text(price),)) for number in range(200))
    messages = answer_messages(reply(Table(("City", "Price"), rows)))
    judged(messages)
    shown = seen(messages)

    assert "\n\n" not in "".join(message.told for message in messages)
    places = [shown.find(bare(f"{city} {number}¹")) for number in range(200)]
    assert -1 not in places
    assert sorted(places) == places


@pytest.mark.parametrize("word", ["👩\u200d💻", "연차휴가", "إجازة", "отпуск", "e\u0301"])
def test_letters_of_many_bytes_pass_every_ceiling(word: str) -> None:
    """Sizes of Slack's count bytes here and characters there: nothing is refused, and no letter is torn or lost."""
    said = " ".join([word] * 4_000)
    messages = answer_messages(reply(Paragraph((Text(said),))))

    assert bare(said) == bare("".join(judged(messages)))
    assert all(len(text.encode()) <= 4_000 for message in messages for text in message.texts())


def test_more_blocks_than_a_message_holds() -> None:
    """Sixty headings with a list each: no message has more than fifty blocks, and the last item is there."""
    lists = [Bullets(((Text(f"item {number}"),),), (Text(f"Part {number}", "strong"),)) for number in range(60)]
    tables = [Table(("a",), (((Text(f"cell {number}"),),),)) for number in range(3)]
    messages = answer_messages(reply(*lists, *tables))
    shown = "\n".join(judged(messages))

    assert all(len(message.blocks) <= 50 for message in messages)
    assert all(f"item {number}" in shown for number in range(60))
    assert all(f"cell {number}" in shown for number in range(3))


@pytest.mark.parametrize("address", ADDRESSES)
def test_an_address_ends_where_it_ends(address: str) -> None:
    """Whatever signs it has: its title leads to it whole or is no link, and no other address comes alive."""
    evidence = Evidence(1, "Leave | policy > «Отпуск»", "p. 2", "27 days", address, None, None)
    messages = evidence_messages(RenderedReply((), (evidence,), "en"))
    judged(messages)
    alive = {link for message in messages for link in live_links(accepted(message))}

    assert alive <= {address}
    assert "Leave | policy > «Отпуск»" in visible_text(accepted(messages[0]))


@pytest.mark.parametrize("text", ["And how many in Leeds?", "А сколько в Лидсе?"])
async def test_a_reply_to_a_reply_is_answered_under_the_first_message(stage: Scene, text: str) -> None:
    """An answer's place is its thread's first message, never a reply, under which Slack would show it to nobody."""
    root = await stage.asks("How many days?")
    replied = await stage.slack.post_as("U1", "C1", text, thread_ts=root)
    await stage.slack.wait_for_messages("C1", root, count=4)

    places = {call.arguments.get("thread_ts") for call in stage.slack.calls_to("chat.postMessage")}
    assert {root} == places
    assert replied not in places
