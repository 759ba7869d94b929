"""One message is posted, changed, removed or looked for, and what became of it is told as it is."""

import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import pytest

from adapters.slack.app import SlackPlatform
from core.conversation import Audience, MessageRef, Question
from core.delivery import (
    NOT_SURELY_OURS,
    Absent,
    CannotTell,
    Doubtful,
    Found,
    Later,
    Outcome,
    Outgoing,
    Part,
    Refused,
    Shown,
)
from core.reply import Paragraph, RenderedReply, Text
from tests.adapters.slack.scene import DAYS, DNI, outgoing, settings, workspace
from tests.platforms.slack import SlackStandIn, visible_text

POST, UPDATE, DELETE, REPLIES = "chat.postMessage", "chat.update", "chat.delete", "conversations.replies"


@dataclass
class Chat:
    """A question in a channel, and the platform that shows what is said to it."""

    slack: SlackStandIn
    platform: SlackPlatform
    asked: str

    def answer(self, shown: MessageRef | None = None, reply: RenderedReply = DAYS) -> Outgoing:
        """Return the answer, in place of what is shown."""
        return outgoing(self.asked, self.platform.parts(reply)[0], shown=shown)

    def removal(self, shown: MessageRef | None) -> Outgoing:
        """Return that the answer is to go."""
        message = self.answer(shown)
        return Outgoing(1, message.question, message.part, None, message.asked, message.root, shown)

    async def posted(self, reply: RenderedReply = DNI) -> MessageRef:
        """Show the answer; return which message it is."""
        outcome = await self.platform.show(self.answer(reply=reply))
        assert isinstance(outcome, Shown)
        assert outcome.message
        return outcome.message

    def said(self) -> list[str]:
        """Return what the bot's messages say."""
        return [visible_text(message) for message in self.slack.answers("C1", self.asked)]

    def calls(self) -> list[str]:
        """Return the methods called since the question, but for who the bot is and who reads the channel."""
        return [call.method for call in self.slack.calls if call.method not in ("auth.test", "conversations.info")]


@pytest.fixture
async def chat() -> AsyncIterator[Chat]:
    """A question, and a connection over which it can be answered."""
    async with workspace() as slack:
        asked = await slack.post_as("U1", "C1", "<@U0BOT> How many days?")
        platform = SlackPlatform(settings(slack))
        async with platform.connected():
            yield Chat(slack, platform, asked)


@pytest.mark.parametrize(("reply", "words"), [(DAYS, "Annual leave"), (DNI, "• Отпуск")])
async def test_a_message_is_posted_changed_and_removed(chat: Chat, reply: RenderedReply, words: str) -> None:
    """Each is one call, and tells which message shows it now."""
    ref = await chat.posted()
    assert await chat.platform.show(chat.answer(ref, reply)) == Shown(ref)
    (said,) = chat.said()
    assert said.startswith(words)
    assert await chat.platform.show(chat.removal(ref)) == Shown(None)

    assert (chat.said(), chat.calls()) == ([], [POST, UPDATE, DELETE])


async def test_what_is_gone_or_never_was_is_removed(chat: Chat) -> None:
    """A message that somebody else deleted, or that was never posted, is no trouble."""
    ref = await chat.posted()
    assert await chat.platform.show(chat.removal(ref)) == Shown(None)

    assert await chat.platform.show(chat.removal(ref)) == Shown(None)
    assert await chat.platform.show(chat.removal(None)) == Shown(None)
    assert chat.calls() == [POST, DELETE, DELETE]


@pytest.mark.parametrize("method", [POST, UPDATE, DELETE])
@pytest.mark.parametrize("trouble", [{"status": 429, "retry_after": 7}, {"error": "ratelimited"}])
async def test_a_busy_slack_is_left_alone(chat: Chat, method: str, trouble: dict[str, Any]) -> None:
    """429 says how long to wait, for the whole channel but after a change, and nothing else is called."""
    ref = await chat.posted()
    message = {POST: chat.answer(), UPDATE: chat.answer(ref, DAYS), DELETE: chat.removal(ref)}[method]
    chat.slack.fail_next(method, **trouble)
    outcome = await chat.platform.show(message)

    assert outcome == Later(trouble.get("retry_after", 1), "Slack asks for a pause", whole_place=method != UPDATE)
    assert chat.calls() == [POST, method]
    assert [said[:8] for said in chat.said()] == ["• Отпуск"]


LOST: list[dict[str, Any]] = [
    {"drop": "before"},
    {"drop": "after"},
    {"status": 500},
    {"status": 503},
    {"error": "internal_error"},
    {"error": "fatal_error"},
    {"error": "request_timeout"},
    {"delay": 1.0},
]


@pytest.mark.parametrize("trouble", LOST)
async def test_a_post_of_unknown_outcome_is_doubtful(trouble: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """When the answer is lost or late, or Slack fails, nobody knows; nothing is repeated."""
    monkeypatch.setattr("adapters.slack.app.CALL_TIMEOUT", 0.15)
    async with workspace() as slack:
        asked = await slack.post_as("U1", "C1", "<@U0BOT> How many days?")
        platform = SlackPlatform(settings(slack))
        async with platform.connected():
            chat = Chat(slack, platform, asked)
            slack.fail_next(POST, **trouble)
            outcome = await platform.show(chat.answer())

            assert isinstance(outcome, Doubtful)
            assert outcome.reason.startswith("Slack")
            assert chat.calls() == [POST]
            arrived = trouble in ({"drop": "after"}, {"delay": 1.0})
            seen = await platform.find(chat.answer())
            assert isinstance(seen, Found if arrived else Absent)


@pytest.mark.parametrize("trouble", LOST[:-1])
async def test_a_change_of_unknown_outcome_may_be_repeated(chat: Chat, trouble: dict[str, Any]) -> None:
    """Changing or removing a message twice is the same as once, so it is for later."""
    ref = await chat.posted()
    chat.slack.fail_next(UPDATE, **trouble)
    chat.slack.fail_next(DELETE, **trouble)
    changed = await chat.platform.show(chat.answer(ref, DAYS))
    again = await chat.platform.show(chat.answer(ref, DAYS))
    removed = await chat.platform.show(chat.removal(ref))

    assert [isinstance(outcome, Later) and outcome.seconds == 1 for outcome in (changed, removed)] == [True, True]
    assert (again, await chat.platform.show(chat.removal(ref))) == (Shown(ref), Shown(None))


async def test_what_surely_was_not_sent_is_for_later() -> None:
    """When Slack cannot be connected to, nothing has happened."""
    async with workspace() as slack:
        asked = await slack.post_as("U1", "C1", "How many days?")
        platform = SlackPlatform(settings(slack))
        async with platform.connected():
            await slack.__aexit__()
            # The first call is lost with the connection that was kept open, the second finds nobody to connect to.
            looked = await platform.find(outgoing(asked, platform.parts(DAYS)[0]))
            outcome = await platform.show(outgoing(asked, platform.parts(DAYS)[0]))

    assert isinstance(looked, Later)
    assert outcome == Later(1, "Slack cannot be reached (ClientConnectorError)", whole_place=True)


@pytest.mark.parametrize("code", ["not_in_channel", "is_archived", "channel_not_found", "thread_not_found"])
async def test_a_refusal_is_told_in_words(chat: Chat, code: str) -> None:
    """It names Slack's word for it and what it means, for posts, changes and removals."""
    ref = await chat.posted()
    outcomes: list[Outcome] = []
    for method, message in ((POST, chat.answer()), (UPDATE, chat.answer(ref)), (DELETE, chat.removal(ref))):
        chat.slack.fail_next(method, error=code)
        outcomes.append(await chat.platform.show(message))

    assert [isinstance(outcome, Refused) and f"Slack says {code}: " in outcome.reason for outcome in outcomes] == [
        True
    ] * 3


async def test_a_message_that_is_gone_is_posted_anew(chat: Chat) -> None:
    """What was to be changed and is no more is shown all the same."""
    ref = await chat.posted()
    chat.slack.workspace.delete(chat.slack.answers("C1", chat.asked)[0])
    outcome = await chat.platform.show(chat.answer(ref))

    assert isinstance(outcome, Shown)
    assert outcome.message != ref
    assert [said[:6] for said in chat.said()] == ["Annual"]


async def test_a_doubtful_post_in_place_of_a_lost_message_is_not_repeated(chat: Chat) -> None:
    """When the message was posted anew and the answer to that was lost, the next attempt changes what arrived."""
    ref = await chat.posted()
    chat.slack.workspace.delete(chat.slack.answers("C1", chat.asked)[0])
    chat.slack.fail_next(POST, drop="after")
    doubtful = await chat.platform.show(chat.answer(ref, DNI))
    (arrived,) = chat.slack.answers("C1", chat.asked)
    again = await chat.platform.show(chat.answer(ref, DAYS))

    assert isinstance(doubtful, Doubtful)
    assert again == Shown(MessageRef("slack", "T0TEAM:C1", arrived.ts))
    assert [said[:6] for said in chat.said()] == ["Annual"]


@pytest.mark.parametrize("trouble", [{"status": 429, "retry_after": 9}, {"error": "missing_scope"}])
async def test_a_look_for_an_earlier_attempt_may_fail(chat: Chat, trouble: dict[str, Any]) -> None:
    """Before a lost message is posted anew the thread is read: later, if not now; if never, it is posted."""
    ref = await chat.posted()
    chat.slack.workspace.delete(chat.slack.answers("C1", chat.asked)[0])
    chat.slack.fail_next(REPLIES, **trouble)
    outcome = await chat.platform.show(chat.answer(ref))

    assert isinstance(outcome, Later if "status" in trouble else Shown)
    assert len(chat.said()) == (0 if "status" in trouble else 1)


@pytest.mark.parametrize("gone", [True, False])
async def test_a_doubt_about_a_post_in_place_of_another_is_told_as_one(chat: Chat, *, gone: bool) -> None:
    """Where the thread cannot be read it would else be posted again and again: what stood there before is gone."""
    ref = await chat.posted()
    if gone:
        chat.slack.workspace.delete(chat.slack.answers("C1", chat.asked)[0])
    else:
        chat.slack.fail_next(UPDATE, error="edit_window_closed")
    chat.slack.fail_next(REPLIES, error="missing_scope")
    chat.slack.fail_next(POST, drop="after")
    outcome = await chat.platform.show(chat.answer(ref))

    assert isinstance(outcome, Doubtful)
    assert outcome.anew
    assert len(chat.said()) == 1


@pytest.mark.parametrize("code", ["edit_window_closed", "cant_update_message"])
async def test_a_message_that_may_not_be_changed_is_replaced(chat: Chat, code: str) -> None:
    """The old one goes if it may, and the new one is posted; what is looked for afterwards is the new one."""
    ref = await chat.posted()
    chat.slack.fail_next(UPDATE, error=code)
    chat.slack.fail_next(DELETE, error="cant_delete_message")
    chat.slack.fail_next(POST, drop="after")
    outcome = await chat.platform.show(chat.answer(ref))
    seen = await chat.platform.find(chat.answer(ref))

    assert isinstance(outcome, Doubtful)
    assert not outcome.anew
    assert seen == Found(MessageRef("slack", "T0TEAM:C1", chat.slack.answers("C1", chat.asked)[1].ts))


REFUSED = [
    *("invalid_blocks", "invalid_blocks_format", "msg_blocks_too_long", "msg_too_long", "invalid_attachments"),
    "invalid_arguments",
]


@pytest.mark.parametrize("code", REFUSED)
@pytest.mark.parametrize("method", [POST, UPDATE])
async def test_refused_blocks_fall_back_to_words(chat: Chat, method: str, code: str) -> None:
    """The same words arrive as plain text in the same attempt, with the same mark."""
    ref = await chat.posted() if method == UPDATE else None
    chat.slack.fail_next(method, error=code)
    outcome = await chat.platform.show(chat.answer(ref))

    (message,) = chat.slack.answers("C1", chat.asked)
    assert outcome == Shown(MessageRef("slack", "T0TEAM:C1", message.ts))
    assert visible_text(message).splitlines()[1:] == [
        "• Everyone has 27 days of leave a year¹",
        "• Five of them carry over¹,²",
    ]
    assert (message.metadata or {})["event_payload"]["part"] == "answer-1"
    assert message.blocks == ()


async def test_long_words_without_blocks_are_posted_in_place_of_the_sign(chat: Chat) -> None:
    """chat.update takes 4,000 bytes of text only: the sign goes, and one message holds every word."""
    ref = await chat.posted()
    long = "<!channel> пять дней & ночей. " * 300
    chat.slack.fail_next(UPDATE, error="msg_blocks_too_long")
    chat.slack.fail_next(POST, error="invalid_blocks")
    outcome = await chat.platform.show(chat.answer(ref, RenderedReply((Paragraph((Text(long),)),), (), "ru")))

    assert isinstance(outcome, Shown)
    assert ["".join(said.split()) for said in chat.said()] == ["".join(long.split())]
    assert chat.calls() == [POST, UPDATE, UPDATE, DELETE, POST, POST]


@pytest.mark.parametrize(
    ("trouble", "seen"),
    [
        ({"error": "missing_scope"}, CannotTell()),
        ({"error": "not_in_channel"}, CannotTell()),
        ({"error": "thread_not_found"}, Absent()),
        ({"status": 429, "retry_after": 30}, Later(30, "Slack asks for a pause")),
        ({"status": 502}, Later(1, "Slack failed (502)")),
        ({"error": "internal_error"}, Later(1, "Slack failed (internal_error)")),
    ],
)
async def test_a_look_that_fails_says_why(chat: Chat, trouble: dict[str, Any], seen: object) -> None:
    """What passes is for later; what Slack does not let us see, nobody can tell."""
    await chat.posted()
    chat.slack.fail_next(REPLIES, **trouble)

    assert await chat.platform.find(chat.answer()) == seen


async def test_a_message_is_found_by_its_own_mark(chat: Chat) -> None:
    """Neither another part, nor another question's answer, nor what people say is taken for it; all pages are read."""
    answer, evidence = chat.platform.parts(DAYS)
    other = await chat.slack.post_as("U1", "C1", "<@U0BOT> And in Leeds?", thread_ts=chat.asked)
    await chat.platform.show(outgoing(chat.asked, evidence))
    await chat.platform.show(outgoing(other, answer, root=chat.asked))
    for number in range(210):
        await chat.slack.post_as("U2", "C1", f"{number}", thread_ts=chat.asked)
    assert await chat.platform.find(outgoing(chat.asked, answer)) == Absent()
    ref = await chat.posted()

    assert await chat.platform.find(outgoing(chat.asked, answer)) == Found(ref)


async def test_a_thread_without_end_cannot_be_searched(chat: Chat, monkeypatch: pytest.MonkeyPatch) -> None:
    """After so many pages, nobody can tell."""
    monkeypatch.setattr("adapters.slack.send._PAGE", 2)
    for number in range(20):
        await chat.slack.post_as("U2", "C1", f"{number}", thread_ts=chat.asked)

    assert await chat.platform.find(chat.answer()) == CannotTell()
    assert len(chat.calls()) == 5


def test_a_reply_becomes_named_parts() -> None:
    """Answer and evidence are counted apart; a reply with nothing to see in it has no parts; all of it is JSON."""
    platform = SlackPlatform(settings(SlackStandIn()))
    long = RenderedReply((Paragraph((Text("word " * 3_000),)),), DAYS.evidence, "en")

    assert [part.name for part in platform.parts(long)] == ["answer-1", "answer-2", "evidence-1"]
    assert platform.parts(RenderedReply((), (), "en")) == ()
    assert json.loads(json.dumps([part.body for part in platform.parts(long)])) == [
        part.body for part in platform.parts(long)
    ]


async def test_a_button_carries_its_value(chat: Chat) -> None:
    """A sentence and one button, which Slack takes even when its label is long."""
    body = chat.platform.button("Есть более новый ответ & ссылка.", "show:7", "Показать " * 20)
    outcome = await chat.platform.show(outgoing(chat.asked, Part("answer-1", body)))

    assert isinstance(outcome, Shown)
    (message,) = chat.slack.answers("C1", chat.asked)
    assert visible_text(message).startswith("Есть более новый ответ & ссылка.")
    assert [block["type"] for block in message.blocks] == ["rich_text", "actions"]


async def test_nothing_is_to_be_seen_of_the_work(chat: Chat) -> None:
    """The sign is a message; while the answer is made nothing else is shown, and any copy may take questions."""
    question = Question("slack:T:C:1.1", "slack", "t", "How many?", "U1", Audience("T"), datetime.now(UTC))
    async with chat.platform.working(question):
        assert chat.calls() == []

    assert (chat.platform.shows_sign, chat.platform.alone, chat.platform.name) == (True, False, "slack")


@pytest.mark.parametrize("shown", [True, False])
async def test_a_copy_that_stood_still_while_it_looked_things_up_shows_nothing(
    chat: Chat,
    *,
    shown: bool,
) -> None:
    """Another copy may have shown it by then: neither it nor how it goes is seen, until it is claimed anew."""
    message = chat.answer(shown=await chat.posted() if shown else None)
    before = chat.said()
    terms = iter((0, 1, 1, 2))
    chat.platform.heed(lambda: next(terms))
    outcomes = [await chat.platform.show(message), await chat.platform.tell(message)]
    after = chat.said()
    chat.platform.heed(lambda: 2)

    assert outcomes == [NOT_SURELY_OURS, NOT_SURELY_OURS]
    assert before == after
    assert isinstance(await chat.platform.show(message), Shown)
