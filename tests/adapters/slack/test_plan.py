"""What is being done is a plan of tasks in Slack, and lines where a workspace takes none; its words are only words."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.slack.app import SlackPlatform
from adapters.slack.novelties import BELIEVED
from adapters.slack.parts import in_blocks, in_familiar_blocks, parts_of, with_button
from core.delivery import Outgoing, Refused, Shown
from core.phrases import phrase
from core.plan import Style
from core.render import say
from core.reply import RenderedReply, Task, Tasks
from core.telling import Checking, Looking, Proven, Reading, Step, Understanding, shown
from core.text import Language
from tests.adapters.slack.scene import outgoing, workspace
from tests.adapters.slack.scene import settings as slack_settings
from tests.adapters.slack.test_format import SAID, bare, claims
from tests.adapters.slack.test_tell import Chat, Clock
from tests.core.scenes import drafted, judged
from tests.platforms.slack import Message, live_links, live_mentions, visible_text
from tests.platforms.slack.content import posted_content
from tests.platforms.slack.models import Json
from tests.platforms.slack.second_opinion import objections

UPDATE = "chat.update"
RECEIPT = judged(drafted("Attach a receipt above €15.", "Attach a receipt for every item above €15"))
STEPS: tuple[Step, ...] = (Understanding(), Looking(), Reading(6, ("Отпуск",)))
TASKS = st.builds(
    Tasks,
    SAID,
    st.lists(
        st.builds(Task, SAID, st.sampled_from(["waiting", "doing", "done"]), st.just("") | SAID), min_size=1, max_size=6
    ).map(tuple),
    SAID.filter(str.strip),
    st.just("") | SAID,
)


def taken(content: Json) -> Message:
    """Return the message that Slack makes of it; fails where Slack would refuse it."""
    made = posted_content(content)
    assert [] == objections(content["blocks"])
    return Message("C1", "1.1", "U0BOT", made.text, blocks=made.blocks)


@settings(max_examples=25, deadline=None)
@given(TASKS, st.sampled_from(["alone", "over a button"]))
def test_tasks_are_shown_whole(tasks: Tasks, where: str) -> None:
    """As a plan and as lines: every word in order, and none of them calls or leads anywhere."""
    [part] = parts_of(RenderedReply((tasks,), (), "en"))
    body = with_button(tasks, "stop:1", "Stop") if where == "over a button" else part.body
    for message in (taken(in_blocks(body)), taken(in_familiar_blocks(body))):
        read, position = bare(visible_text(message)), 0
        for said in claims(tasks):
            position = read.find(bare(said), position)
            assert position >= 0, said
        assert not live_mentions(message)
        assert not live_links(message)


@pytest.mark.parametrize(
    ("language", "lines"),
    [
        (
            "en",
            (
                "Working on your question",
                "[complete] Reading the question",
                "[complete] Looking through the documents",
                "[in_progress] Reading “Отпуск” (passages: 6)",
            ),
        ),
        (
            "ru",
            (
                "Работаю над вопросом",
                "[complete] Читаю вопрос",
                "[complete] Смотрю в документах",
                "[in_progress] Читаю «Отпуск» (отрывков: 6)",
            ),
        ),
    ],
)
def test_an_answer_in_the_making_is_a_plan(language: Language, lines: Sequence[str]) -> None:
    """What was done is ticked, what is being done is open, and a notification says the latter in a sentence."""
    [part] = parts_of(shown(STEPS, language))

    assert "\n".join(lines) == visible_text(taken(in_blocks(part.body)))
    assert lines[-1].partition("] ")[2] + "…" == part.body["text"]


@pytest.mark.parametrize("language", ["en", "ru"])
def test_proven_statements_stand_over_the_plan(language: Language) -> None:
    """They stay where they are when the answer takes the place of the plan."""
    [part] = parts_of(shown((*STEPS, Proven(RECEIPT.claims, Style.SHORT), Checking(1)), language))
    first, plan = part.body["blocks"]

    assert ("rich_text", "plan") == (first["type"], plan["type"])
    assert visible_text(taken(in_blocks(part.body))).startswith("Attach a receipt above €15.\n")
    assert ["complete"] * 4 + ["in_progress"] == [card["status"] for card in plan["tasks"]]


@pytest.fixture
async def chat() -> AsyncIterator[Chat]:
    """A question whose sign stands in the chat."""
    async with workspace() as slack:
        asked, clock = await slack.post_as("U1", "C1", "<@U0BOT> How many days?"), Clock()
        platform = SlackPlatform(slack_settings(slack), clock)
        async with platform.connected():
            message = outgoing(asked, platform.parts(say(phrase("looking", "en"), "en"))[0])
            outcome = await platform.show(message)
            assert isinstance(outcome, Shown)
            yield Chat(slack, platform, clock, replace(message, shown=outcome.message))


def telling(chat: Chat, count: int) -> Outgoing:
    """Return the sign after so many steps."""
    [part] = chat.platform.parts(shown(STEPS[:count], "en"))
    return replace(chat.sign, body=part.body)


def forms(chat: Chat) -> list[str]:
    """Return how each change was tried."""
    kinds = {"plan": "plan", "rich_text": "lines"}
    return [kinds[call.arguments["blocks"][-1]["type"]] for call in chat.slack.calls_to(UPDATE)]


async def test_where_plans_are_refused_the_steps_are_lines(chat: Chat) -> None:
    """In the same attempt, at once for the next ones, and after some hours a plan is tried again."""
    chat.slack.refuse_plans()
    first = await chat.platform.tell(telling(chat, 2))
    said = chat.said()
    await chat.platform.tell(telling(chat, 3))
    chat.clock.now += BELIEVED
    chat.slack.refuse_plans(None)
    await chat.platform.tell(telling(chat, 3))

    assert Shown(chat.sign.shown) == first
    assert ["Working on your question\n✓ Reading the question\n▸ Looking through the documents"] == said
    assert ["plan", "lines", "lines", "plan"] == forms(chat)
    assert 1 == len(chat.slack.calls_to("chat.postMessage"))


async def test_plans_and_citations_are_learnt_apart(chat: Chat) -> None:
    """A workspace that takes no plan is not believed to take no citations."""
    chat.slack.refuse_plans()
    await chat.platform.tell(telling(chat, 2))

    assert frozenset({"plan"}) == chat.platform._novelties.refused_in("T0TEAM")


async def test_what_is_wrong_besides_is_the_end_of_it(chat: Chat) -> None:
    """A channel that was archived takes no form of it, and is asked once."""
    chat.slack.fail_next(UPDATE, error="is_archived")

    assert isinstance(await chat.platform.tell(telling(chat, 2)), Refused)
    assert ["plan"] == forms(chat)
