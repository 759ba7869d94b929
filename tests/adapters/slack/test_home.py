"""The bot's own place in Slack: Home, suggested questions, and the titles of threads there."""

import logging
from datetime import UTC, date, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.slack.agent import title_of
from adapters.slack.home import VIEW_BLOCKS, home_view
from core.conversation import Audience, Question
from core.phrases import phrase
from core.visiting import Caller, Complaint, Day, Introduction, Week
from tests.adapters.slack.scene import Scene
from tests.platforms.slack.blocks import problems_of, written_strings
from tests.platforms.slack.waiting import until

ASKS = ("How many days of leave?", "Who runs payments?", "Where is parking?", "What is RAG?", "Who is Ada?")
BUILT = datetime(2026, 5, 4, 9, 30, tzinfo=UTC)
WEEK = Week(
    days=tuple(Day(date(2026, 5, day), answered=day, refused=day % 3, cost=0.5) for day in range(1, 8)),
    unanswered=("How many moons has Mars?",),
    complaints=(Complaint("Who runs payments?", "outdated"), Complaint("Где склад?", None)),
    waiting=2,
    problems=1,
)
KNOWS = Introduction({"policy": 12, "team": 3}, BUILT, ASKS)


def words(view: Any) -> str:
    """Return all that stands in a view."""
    return "\n".join(written_strings(view["blocks"]))


async def at_home(stage: Scene) -> str:
    """Open the Home tab and return what stands there."""
    await stage.slack.open_app_as("U1", "home")
    homes = stage.slack.workspace.homes
    await until(lambda: "U1" in homes, lambda: str(stage.slack.calls), 5.0)
    return words(homes["U1"])


@pytest.mark.parametrize(
    ("locale", "language", "kinds"),
    [("en-US", "en", "policy 12, team 3"), ("ru-RU", "ru", "политика 12, команда 3")],
)
async def test_home_says_what_it_knows_and_how_to_ask(stage: Scene, locale: str, language: Any, kinds: str) -> None:
    """In the caller's language, made from what everybody of the workspace may read; nothing of how it fares."""
    stage.slack.add_user("U1", name="Ada", locale=locale)
    stage.desk.introduction = KNOWS
    shown = await at_home(stage)

    assert [Caller("slack", "slack:T0TEAM:U1", Audience("T0TEAM"), language)] == stage.desk.callers
    assert phrase("home_documents", language, count=15, kinds=kinds) in shown
    assert phrase("home_built", language, at="2026-05-04 09:30 UTC") in shown
    assert all(question in shown for question in ASKS)
    assert phrase("home_week", language) not in shown


@pytest.mark.parametrize(
    ("language", "known"),
    [
        ("en", "Documents that everybody here may read: 9 (policy 3, how to 1)."),
        ("ru", "Документы, которые можно читать всем: 9 (политика 3, how to 1)."),
    ],
)
def test_kinds_are_called_by_their_words(language: Any, known: str) -> None:
    """Folders are named in the plural, some pages by no kind at all: that is no word for anybody."""
    shown = words(home_view(Introduction({"page": 5, "policies": 1, "policy": 2, "how-to": 1}), "U0BOT", language))
    plain = words(home_view(Introduction({"page": 4}), "U0BOT", language))

    assert known in shown
    assert phrase("home_documents_alike", language, count=4) in plain
    assert "page" not in shown + plain


@pytest.mark.parametrize(
    ("language", "told"), [("en", "05-02: 2 answered, 2 not; 05-03"), ("ru", "05-02: с ответом 2, без ответа 2; 05-03")]
)
def test_the_week_is_told_in_words(language: Any, told: str) -> None:
    """Whoever has the screen read aloud hears no bars; a week without questions needs none."""
    silent = Week(tuple(Day(date(2026, 5, day)) for day in range(1, 8)))

    assert told in words(home_view(Introduction({}, week=WEEK), "U0BOT", language))
    assert "05-02:" not in words(home_view(Introduction({}, week=silent), "U0BOT", language))


async def test_administrators_see_how_it_fares(stage: Scene) -> None:
    """The week as bars and sums, what was not answered, what did not help and why."""
    stage.desk.introduction = Introduction({}, week=WEEK)
    shown = await at_home(stage)

    assert phrase("home_nothing", "en") in shown
    assert phrase("home_sums", "en", answered=28, refused=7, cost="$3.50") in shown
    assert phrase("home_health", "en", waiting=2, problems=1) in shown
    assert "How many moons has Mars?" in shown
    assert "Who runs payments? — It is outdated" in shown
    assert f"Где склад? — {phrase('home_no_reason', 'en')}" in shown
    assert "05-07  " + "█" * 18 + "░" * 2 in shown


async def test_what_can_be_asked_is_suggested(stage: Scene) -> None:
    """At most four, where somebody opens the messages: without a thread, for an agent's are in the channel."""
    stage.desk.introduction = KNOWS
    await stage.slack.open_app_as("U1", "messages")
    offered = stage.slack.workspace.prompts
    await until(lambda: bool(offered), lambda: str(stage.slack.calls), 5.0)

    assert ("D1", phrase("prompts_title", "en")) == (offered[0].channel, offered[0].title)
    assert tuple((question, question) for question in ASKS[:4]) == offered[0].prompts


@pytest.mark.parametrize("changed", [False, True])
async def test_an_older_assistant_s_pane_is_given_its_thread(stage: Scene, *, changed: bool) -> None:
    """Apps that are assistants still have a thread from the start, and another when they look elsewhere."""
    stage.desk.introduction = KNOWS
    await stage.slack.open_assistant_as("U1", changed=changed)
    called = "assistant.threads.setSuggestedPrompts"
    await until(lambda: bool(stage.slack.calls_to(called)), lambda: str(stage.slack.calls), 5.0)

    assert stage.slack.calls_to(called)[0].arguments["thread_ts"]


@pytest.mark.parametrize(("locale", "language"), [("en-US", "en"), ("ru-RU", "ru")])
async def test_a_guest_s_home_says_why_it_is_empty(stage: Scene, locale: str, language: Any) -> None:
    """One polite sentence in their language in place of Slack's blank page, and nothing of what the bot knows."""
    stage.slack.add_user("U1", is_guest=True, locale=locale)
    stage.desk.introduction = KNOWS

    assert phrase("outside_person", language) == await at_home(stage)
    assert [] == stage.desk.callers


async def test_nothing_is_suggested_where_nothing_is_known(stage: Scene) -> None:
    """A bot without documents promises nothing; outsiders are promised nothing either."""
    await stage.slack.open_app_as("U1", "messages")
    stage.slack.add_user("U3", is_guest=True)
    stage.desk.introduction = KNOWS
    await stage.slack.settled()
    await stage.slack.open_app_as("U3", "messages")
    await stage.slack.settled()
    await until(lambda: len(stage.slack.calls_to("users.info")) == 2, lambda: str(stage.slack.calls), 5.0)
    await stage.quiet()

    assert {} == stage.slack.workspace.homes
    assert ["slack:T0TEAM:U1"] == [caller.person for caller in stage.desk.callers]


async def test_a_thread_is_named_by_its_question(stage: Scene) -> None:
    """In a direct message; what follows in the thread does not name it again, and a channel's has no name."""
    direct = stage.slack.open_dm("U1")
    ts = await stage.slack.post_as("U1", direct, "Сколько дней отпуска у новичка?")
    await stage.answered(direct, ts)
    await stage.slack.post_as("U1", direct, "And in Leeds?", thread_ts=ts)
    await stage.asks("How many days?")
    await stage.quiet()
    await until(lambda: bool(stage.slack.workspace.titles), lambda: str(stage.slack.calls), 5.0)

    assert {(direct, ts): "Сколько дней отпуска у новичка?"} == stage.slack.workspace.titles


@pytest.mark.parametrize("error", ["missing_scope", "channel_not_found", "invalid_thread_ts", "token_revoked"])
async def test_what_slack_refuses_costs_no_answer(stage: Scene, error: str, caplog: pytest.LogCaptureFixture) -> None:
    """A title that cannot be set is told to the operator, without the question's words; the answer comes."""
    stage.slack.fail_next("assistant.threads.setTitle", error=error)
    direct = stage.slack.open_dm("U1")
    with caplog.at_level(logging.WARNING):
        ts = await stage.slack.post_as("U1", direct, "How many days?")
        await stage.answered(direct, ts)
        await until(lambda: error in caplog.text, lambda: caplog.text, 5.0)

    assert "How many days" not in caplog.text


TEXT = st.text(max_size=300)
WEEKS = st.builds(
    Week,
    days=st.lists(
        st.builds(Day, st.dates(), st.integers(0, 10**6), st.integers(0, 10**6), st.floats(0, 10**6)),
        min_size=7,
        max_size=7,
    ).map(tuple),
    unanswered=st.lists(TEXT, max_size=8).map(tuple),
    complaints=st.lists(st.builds(Complaint, TEXT, st.none() | TEXT), max_size=8).map(tuple),
)


@settings(max_examples=60, derandomize=True, deadline=None)
@given(
    st.builds(
        Introduction,
        kinds=st.dictionaries(TEXT, st.integers(1, 10**6), max_size=30),
        questions=st.lists(TEXT, max_size=12).map(tuple),
        week=st.none() | WEEKS,
    ),
    st.sampled_from(["en", "ru"]),
)
def test_slack_takes_every_home(shown: Introduction, language: Any) -> None:
    """Whatever documents, kinds and questions are called: no block that Slack refuses, and not too many."""
    view = home_view(shown, "U0BOT", language)

    assert [] == problems_of(view["blocks"], VIEW_BLOCKS)


@settings(max_examples=60, derandomize=True, deadline=None)
@given(TEXT)
def test_a_title_is_one_short_line(text: str) -> None:
    """Of the question's own first words, or none where it has none."""
    question = Question("slack:T1:D1:1", "slack", "t", text, "U1", Audience("T1"), BUILT)
    title = title_of(question)

    assert len(title) <= 60
    assert "\n" not in title
