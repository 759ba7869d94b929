"""How an answer goes is told in the sign's place, within its own share of Slack's limit, and never costs an answer."""

import json
from bisect import bisect_right
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.slack.app import SlackPlatform
from adapters.slack.pace import SECONDS, SIGNS, Pace
from core.answer import Claim
from core.conversation import MessageRef
from core.delivery import Body, Doubtful, Later, Outcome, Outgoing, Refused, Shown
from core.phrases import phrase
from core.plan import Style
from core.render import say
from core.telling import Proven, Reading, shown
from tests.adapters.slack.scene import outgoing, workspace
from tests.adapters.slack.scene import settings as slack_settings
from tests.platforms.slack import SlackStandIn, visible_text


@dataclass
class Clock:
    """Time as a test wants it."""

    now: float = 0.0

    def __call__(self) -> float:
        return self.now


@dataclass
class Chat:
    """A question with its sign in a channel."""

    slack: SlackStandIn
    platform: SlackPlatform
    clock: Clock
    sign: Outgoing

    def telling(self, words: str = "Reading…") -> Outgoing:
        return replace(self.sign, body=self.platform.parts(say(words, "en"))[0].body)

    def said(self) -> list[str]:
        return [visible_text(message) for message in self.slack.answers("C1", self.sign.asked.message)]


@pytest.fixture
async def chat() -> AsyncIterator[Chat]:
    """A question whose sign stands in the chat."""
    async with workspace() as slack:
        asked = await slack.post_as("U1", "C1", "<@U0BOT> Сколько дней?")
        clock = Clock()
        platform = SlackPlatform(slack_settings(slack), clock)
        async with platform.connected():
            message = outgoing(asked, platform.parts(say(phrase("looking", "ru"), "ru"))[0])
            outcome = await platform.show(message)
            assert isinstance(outcome, Shown)
            yield Chat(slack, platform, clock, replace(message, shown=outcome.message))


async def test_the_sign_changes_and_stays_ours(chat: Chat) -> None:
    """With its mark, by which the answer finds it, and without a mark of editing."""
    outcome = await chat.platform.tell(chat.telling("Читаю…"))
    [message] = chat.slack.answers("C1", chat.sign.asked.message)

    assert (Shown(chat.sign.shown), ["Читаю…"]) == (outcome, chat.said())
    assert "answer-1" == (message.metadata or {})["event_payload"]["part"]
    assert message.edited is None


@pytest.mark.parametrize(
    ("trouble", "kind"),
    [
        ({"error": "message_not_found"}, Refused),
        ({"error": "edit_window_closed"}, Refused),
        ({"status": 429, "retry_after": 7}, Refused),
        ({"status": 500}, Doubtful),
        ({"drop": "after"}, Doubtful),
    ],
)
async def test_what_goes_wrong_is_the_end_of_it(chat: Chat, trouble: dict[str, Any], kind: type[Outcome]) -> None:
    """It is tried once, nothing is ever posted for it, and the answer takes the sign's place all the same."""
    chat.slack.fail_next("chat.update", **trouble)
    outcome = await chat.platform.tell(chat.telling())
    chat.clock.now += trouble.get("retry_after", 0)
    answered = await chat.platform.show(chat.telling("The answer."))

    assert isinstance(outcome, kind)
    assert (Shown(chat.sign.shown), ["The answer."]) == (answered, chat.said())
    assert 1 == len(chat.slack.calls_to("chat.postMessage"))


async def test_without_a_sign_nothing_is_told(chat: Chat) -> None:
    """It would be a second message."""
    assert isinstance(await chat.platform.tell(replace(chat.telling(), shown=None)), Refused)


async def test_a_pause_that_slack_asks_for_is_kept(chat: Chat) -> None:
    """By what is told, and by the answer: it would be refused as well."""
    chat.slack.fail_next("chat.update", status=429, retry_after=7)
    await chat.platform.tell(chat.telling())
    waiting = [await way(chat.telling()) for way in (chat.platform.tell, chat.platform.show)]
    chat.clock.now += 7.1

    assert [7.0, 7.0] == [one.seconds for one in waiting if isinstance(one, Later)]
    assert isinstance(await chat.platform.tell(chat.telling("Later.")), Shown)


async def test_answers_go_before_what_is_told(chat: Chat) -> None:
    """What the answers leave of the limit is what may be told; they never wait for what is told."""
    outcomes = [await chat.platform.tell(chat.telling(f"{n}…")) for n in range(SIGNS + 1)]
    answered = await chat.platform.show(chat.telling("The answer."))

    assert [Shown] * SIGNS + [Later] == [type(one) for one in outcomes]
    assert Shown(chat.sign.shown) == answered


@settings(max_examples=50, deadline=None, derandomize=True)
@given(st.lists(st.tuples(st.sampled_from([0.0, 0.1, 1.5, 9.0]), st.booleans()), max_size=200))
def test_signs_never_take_more_than_their_share(steps: list[tuple[float, bool]]) -> None:
    """In no minute are more than so many told, and none while the answers have changed as many messages."""
    clock, told, made = Clock(), list[float](), list[float]()
    pace = Pace(clock)
    for gap, is_answer in steps:
        clock.now += gap
        if is_answer or pace.wait("T") == 0:
            pace.take("T")
            made.append(clock.now)
            if not is_answer:
                told.append(clock.now)
                assert len(made) - bisect_right(made, clock.now - SECONDS) <= SIGNS


async def test_long_statements_in_the_making_are_taken_by_slack(chat: Chat) -> None:
    """As many as fit into one message, in any script, with whatever stands in them."""
    claims = tuple(Claim(f"<!channel> {n} Ж&<b>`*_~ 😀" + "я" * 90, (), "supported") for n in range(25))
    reply = shown((Proven(claims, Style.BULLETS), Reading(3, ("<@U1> & Co",))), "ru")
    bodies: list[Body] = [part.body for part in chat.platform.parts(reply)]
    outcomes = [await chat.platform.tell(replace(chat.sign, body=body)) for body in bodies]

    assert all(isinstance(one, Shown) for one in outcomes), outcomes
    assert "<!channel>" not in json.dumps([call.arguments.get("text") for call in chat.slack.calls])
    assert isinstance(chat.sign.shown, MessageRef)
