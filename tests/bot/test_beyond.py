"""More for the asker alone: offered to nobody else, only where an answer to them would rest on it, over the service."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from core.conversation import Audience, MessageRef, Question, Thread
from core.phrases import phrase
from core.pipeline import open_turn
from core.press import Alone, OutOfDate, Press
from core.text import Language
from tests.bot.office import ADA, GENERAL, GRACE, PEOPLE, Office, over
from tests.platforms.slack import visible_text

PAGES = {
    "leave.md": "# Annual leave\n\nEveryone gets 27 working days of paid vacation per calendar year.\n",
    "board.md": "---\nreaders: [slack:T0TEAM:U1]\n---\n# Board members\n\nBoard members get 12 extra vacation days.\n",
    "отпуск.md": "# Командировки\n\nСуточные в командировке составляют 1500 рублей в день.\n",
    "правление.md": "---\nreaders: [slack:T0TEAM:U1]\n---\n# Правление\n\nЧлены правления летают бизнес-классом.\n",
}
HIDDEN = "How many extra vacation days do board members get?"


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return where the pages are indexed, once."""
    return tmp_path_factory.mktemp("beyond")


@pytest.fixture
async def office(indexed: Path, elsewhere: Path) -> AsyncIterator[Office]:
    """Give the bot at work over the pages."""
    async with over(PAGES, indexed, elsewhere) as working:
        yield working


async def done(office: Office, text: str, user: str) -> str:
    """Ask in the channel, and return the question's ts once it is answered."""
    root = await office.mention(text, user=user)
    await office.until(lambda: bool(office.slack.answers(GENERAL, root)))
    await office.idle()
    return root


def aloud(office: Office) -> str:
    """Return all that the bot has said where everybody reads."""
    said = (one for one in office.slack.workspace.messages.values() if one.user == office.slack.bot_user_id)
    return "\n".join(f"{visible_text(one)} {one.text} {[past.text for past in one.history]}" for one in said)


@pytest.mark.parametrize(
    ("text", "word", "language"),
    [(HIDDEN, "12", "en"), ("Каким классом летают члены правления?", "бизнес-классом", "ru")],
)
async def test_the_asker_is_offered_the_rest_alone(office: Office, text: str, word: str, language: Language) -> None:
    """Who may read more is told so in the thread, and on a press answered; the channel learns nothing of either."""
    await done(office, text, GRACE)
    await done(office, "How many working days of paid vacation does everyone get?", ADA)
    root = await done(office, text, ADA)
    [offered] = await office.whispers(1)
    hint = office.slack.ephemerals[0]
    await office.slack.click_as(ADA, GENERAL, hint.ts, "footnote_alone_1")
    await office.until(lambda: any(word in visible_text(one) for one in office.slack.ephemerals))
    await office.idle()

    assert offered.startswith(phrase("beyond", language))
    assert (ADA, root) == (hint.only_for, hint.thread_ts)
    assert {ADA} == {one.only_for for one in office.slack.ephemerals}
    assert phrase("private_looking", language) in [visible_text(one) for one in office.slack.ephemerals]
    assert not any(said in aloud(office) for said in (word, phrase("beyond", language), "board.md", "правление.md"))


async def test_nobody_else_can_press_it(office: Office) -> None:
    """Whoever brings the button of somebody else, or one of no question, hears that it is out of date."""
    root = await done(office, HIDDEN, ADA)
    await office.whispers(1)
    place, everyone = "T0TEAM:C1", Audience("T0TEAM", frozenset({"slack:T0TEAM:C1"}))

    def press(person: str, ts: str) -> Press:
        alone = Alone(f"{person}/{ts}", f"/{ts}", everyone)
        return Press("alone:", MessageRef("slack", place, ts), person, everyone, f"slack:T0TEAM:{person}", "1", alone)

    for one in (press(GRACE, root), press(ADA, "1700000000.000001")):
        assert OutOfDate() == await office.service.reception.pressed(one)


@pytest.mark.parametrize(
    ("text", "again", "word"),
    [
        (HIDDEN, "And how many days do they get?", "12"),
        ("Каким классом летают члены правления?", "А они каким классом летают?", "бизнес-классом"),
    ],
)
async def test_under_a_shared_answer_it_goes_on_with_what_all_may_read(
    office: Office, text: str, again: str, word: str
) -> None:
    """What was shared with those who might read it is no part of the conversation once others read there."""
    await office.slack.command_as(ADA, PEOPLE, "/ask", text)
    await office.until(lambda: any(word in visible_text(one) for one in office.slack.ephemerals))
    await office.idle()
    share, message = next(
        (button["action_id"], one)
        for one in office.slack.ephemerals
        for block in one.blocks
        for button in block["elements"]
        if str(button.get("value", "")) == "share:"
    )
    await office.slack.click_as(ADA, PEOPLE, message.ts, share)
    await office.until(lambda: word in aloud(office))
    await office.idle()
    root = next(one.ts for one in office.slack.workspace.messages.values() if one.channel == PEOPLE)
    office.slack.add_channel(PEOPLE, members=[ADA, GRACE, office.slack.bot_user_id], name="people", kind="group")
    await office.slack.deliver({"type": "member_joined_channel", "user": GRACE, "channel": PEOPLE})
    before = len(office.slack.answers(PEOPLE, root))
    follow_up = await office.mention(again, PEOPLE, GRACE, root)
    await office.until(lambda: len(office.slack.answers(PEOPLE, root)) > before)
    await office.idle()
    thread = await office.stores.threads.thread_of(MessageRef("slack", "T0TEAM:C2", follow_up))
    assert thread
    live = await office.bot.live()
    assert live
    goes_on = {
        reader: await open_turn(asked_of(thread, Audience("T0TEAM", frozenset({reader}))), live.ports)
        for reader in ("slack:T0TEAM:U1", "slack:T0TEAM:C2")
    }

    assert thread.endswith("!share")
    assert not any(word in visible_text(one) for one in office.slack.answers(PEOPLE, root)[before:])
    assert [[text, again], [again]] == [
        [turn.question for turn in one.turns] for one in goes_on.values() if isinstance(one, Thread)
    ]


def asked_of(thread: str, audience: Audience) -> Question:
    """Return a question that goes on the thread, before readers of an audience."""
    return Question("later", "slack", thread, "?", GRACE, audience, datetime.now(UTC))
