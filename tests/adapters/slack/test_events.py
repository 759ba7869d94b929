"""What is read out of Slack's payloads."""

import asyncio
import json
import time
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from slack_bolt.request.async_request import AsyncBoltRequest
from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.web.async_slack_response import AsyncSlackResponse

from adapters.slack.calls import Parked
from adapters.slack.connect import Identity
from adapters.slack.events import (
    Deletion,
    Edit,
    Post,
    Pressed,
    aside_of,
    is_asked,
    question_of,
    read_event,
)
from adapters.slack.intake import make_app
from adapters.slack.parking import Parking
from adapters.slack.ways import _is_readable
from adapters.slack.words import words_of
from adapters.slack.workspaces import OneWorkspace, Workspace
from core.addressed import is_small_talk, may_be_for_us
from core.conversation import Aside, Audience, Command, MessageRef, Question
from core.feedback import Reaction
from core.press import OutOfDate, Press, PressOutcome
from core.render import say
from core.reply import RenderedReply
from core.text import Language
from core.visiting import Caller, Introduction
from core.work import Place

BOT = "U0BOT"
MESSAGE = {"type": "message", "channel": "C1", "channel_type": "channel", "user": "U1", "ts": "1700000000.000100"}


def body(**changes: Any) -> dict[str, Any]:
    """Return the body of an event about a message."""
    return {"type": "event_callback", "team_id": "T1", "event": MESSAGE | {"text": "hello"} | changes}


def test_who_asks_in_a_channel_is_of_its_group() -> None:
    """A reply is read by those who can read its channel, so what was said there may be used; nothing of another."""
    post = read_event(body(text=f"<@{BOT}> Сколько дней?"), BOT)
    assert isinstance(post, Post)
    audience = question_of(post, BOT).audience

    assert audience.may_read(frozenset({"slack:T1:C1"}))
    assert not audience.may_read(frozenset({"slack:T1:C2"}))
    assert not audience.may_read(frozenset({"slack:T2:C1"}))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("<@U0BOT> How many days?", "How many days?"),
        ("<@U0BOT|footnote>, how many days?", "how many days?"),
        ("Hey <@U0BOT>: how many?", "Hey how many?"),
        ("How many days <@U0BOT>?", "How many days?"),
        ("<@U0BOT>\nHow many?\nAnd  when?", "How many?\nAnd  when?"),
        ("<@U0BOT> <@U0BOT>", ""),
        ("```<@U0BOT>```", ""),
        ("&gt; <@U0BOT>\nwhat is that?", "what is that?"),
        ("&gt; quoted\n<@U0BOT> true?", "> quoted\n true?"),
        ("`<@U0BOT>` is a mention", "is a mention"),
        ("who is <@U2|grace> and <@U3>?", "who is @grace and @colleague?"),
        ("see <#C9|general> or <#C8> or <#C7|>", "see #general or #channel or #channel"),
        ("<https://x.example/a?b=1&amp;c=2>", "https://x.example/a?b=1&c=2"),
        ("<http://x.example|x.example> <mailto:a@b.c|a@b.c> <mailto:a@b.c>", "x.example a@b.c a@b.c"),
        ("<!here> <!subteam^S1|@ops> <!subteam^S1> <!date^1^{date}|May 4>", "@here @ops @group May 4"),
        ("a &lt; b &amp;&amp; c &gt; d, &amp;lt;", "a < b && c > d, &lt;"),
        ("Кто заменяет <@U3> в <#C8>?", "Кто заменяет @коллега в #канал?"),
        ("*bold* `code` :tada: <>", "*bold* `code` :tada: <>"),
        ("Сколько дней отпуска, <@U0BOT>?", "Сколько дней отпуска,?"),
    ],
)
def test_words_are_the_authors(text: str, words: str) -> None:
    """Mentions of the bot go, tags become their labels, escapes are undone, all else is kept."""
    assert words_of(text, BOT) == words


@pytest.mark.parametrize(
    ("changes", "asked", "calls_others", "in_thread"),
    [
        ({}, False, False, False),
        ({"text": "<@U0BOT> hello"}, True, False, False),
        ({"text": "hello <@U0BOT|footnote>"}, True, False, False),
        ({"channel": "D1", "channel_type": "im"}, True, False, False),
        ({"channel": "G1", "channel_type": "mpim"}, False, False, False),
        ({"thread_ts": "1700000000.000001"}, False, False, True),
        ({"thread_ts": MESSAGE["ts"]}, False, False, False),
        ({"thread_ts": "1700000000.000001", "text": "<@U2> hello"}, False, True, True),
        ({"thread_ts": "1700000000.000001", "text": "<@U2> and <@U0BOT>, hello"}, True, False, True),
        ({"text": "<!here> hello"}, False, True, False),
    ],
)
def test_who_is_spoken_to(changes: dict[str, Any], *, asked: bool, calls_others: bool, in_thread: bool) -> None:
    """A mention or a direct message asks the bot; of anything else it is told where it stands and whom it calls."""
    post = read_event(body(**changes), BOT)

    assert isinstance(post, Post)
    aside = aside_of(post, BOT)
    assert (asked, calls_others, in_thread) == (is_asked(post, BOT), aside.calls_others, aside.in_thread)
    assert question_of(post, BOT).overheard is not asked


def test_two_events_for_one_post_are_one_question() -> None:
    """`app_mention`, which lacks the channel's type, and `message` give equal questions."""
    message = body(text="<@U0BOT> hello", thread_ts="1700000000.000001", subtype="thread_broadcast")
    mention = body(text="<@U0BOT> hello", thread_ts="1700000000.000001", type="app_mention", channel_type=None)
    posts = [read_event(message, BOT), read_event(mention, BOT)]

    assert isinstance(posts[0], Post)
    assert posts[0] == posts[1]
    assert question_of(posts[0], BOT).thread == "slack:T1:C1:1700000000.000001"


def test_two_events_for_one_edit_are_one_edit() -> None:
    """`app_mention` with its mark of an edit and `message_changed` give equal questions with the edit's time."""
    edited = {"edited": {"user": "U1", "ts": "1700000005.000000"}, "client_msg_id": "a-1"}
    now = MESSAGE | {"text": "<@U0BOT> hello"} | edited
    changed = body(subtype="message_changed", ts="1700000005.000300", message=now, previous_message=MESSAGE)
    edits = [read_event(changed, BOT), read_event(body(**(now | {"type": "app_mention"})), BOT)]

    first, second = [question_of(edit.post, BOT) for edit in edits if isinstance(edit, Edit)]
    assert first == second
    assert (first.version, first.resend) == (1_700_000_005_000_000, "slack:T1:a-1")
    assert (first.id, first.message) == ("slack:T1:C1:1700000000.000100", "1700000000.000100")


@pytest.mark.parametrize(
    "changes",
    [
        {"subtype": "message_deleted", "deleted_ts": "1700000000.000100", "previous_message": MESSAGE},
        {"subtype": "message_deleted", "deleted_ts": "1700000000.000100"},
        {"subtype": "message_changed", "message": MESSAGE | {"subtype": "tombstone", "user": "USLACKBOT"}},
    ],
)
def test_what_is_deleted_is_named(changes: dict[str, Any]) -> None:
    """A message that is gone and one that left a stone are the same."""
    found = read_event(body(ts="1700000009.000100", **changes), BOT)

    assert isinstance(found, Deletion)
    assert found.message == MessageRef("slack", "T1:C1", "1700000000.000100")
    assert (found.post is not None) is (changes.get("previous_message") == MESSAGE)


@pytest.mark.parametrize("strange", [{}, {"event": None}, {"event": []}, {"event": "message"}, {"event": {}}])
def test_strange_payloads_are_nothing(strange: dict[str, Any]) -> None:
    """What is not an event about a message is none, whatever its form."""
    assert read_event(strange, BOT) is None


def test_halves_of_characters_are_left_out() -> None:
    """What no database takes never gets that far."""
    post = read_event(body(text="a\ud83d\0b"), BOT)

    assert isinstance(post, Post)
    assert post.text == "ab"


HUGE = 400_000
HOSTILE = [" ", "<@", "<@U", "<", "`", "&gt;", "<@U0BOT> ", "` <@U0BOT>", "\n", "<!here", "<@U0BOT|", "а"]


@pytest.mark.parametrize("part", HOSTILE)
def test_huge_words_are_read_at_once(part: str) -> None:
    """No text takes longer than its length lets it."""
    began = time.perf_counter()
    post = read_event(body(thread_ts="1700000000.000001", text=part * (HUGE // len(part)) + "?"), BOT)
    assert isinstance(post, Post)
    aside = aside_of(post, BOT)
    may_be_for_us(aside)
    is_small_talk(aside.question.text)

    assert time.perf_counter() - began < 2


class Ledger:
    """The port `Intake`, which only notes what it is given."""

    def __init__(self) -> None:
        self.taken: list[Question | MessageRef | Press | Reaction] = []

    async def asked(self, question: Question) -> None:
        self.taken.append(question)

    async def edited(self, question: Question) -> bool:
        self.taken.append(question)
        return False

    async def withdrawn(self, message: MessageRef, question: Question | None = None) -> None:
        self.taken.append(message)

    async def pressed(self, press: Press) -> PressOutcome:
        self.taken.append(press)
        return OutOfDate()

    async def reacted(self, reaction: Reaction) -> RenderedReply | None:
        self.taken.append(reaction)
        return None

    async def thread_of(self, message: MessageRef) -> str | None:
        return None

    async def language_in(self, place: Place, asker: str | None = None) -> Language | None:
        return None

    async def commanded(self, command: Command) -> RenderedReply:
        return say("done", command.language)

    async def invited(self, note: Question, language: Language) -> None:
        del note, language

    async def introduced(self, caller: Caller) -> Introduction:
        return Introduction({})

    async def heard(self, aside: Aside) -> Question | None:
        return aside.question


class Deaf(AsyncWebClient):
    """A client that reaches nobody."""

    async def api_call(self, api_method: str, **_: Any) -> AsyncSlackResponse:
        raise Parked(api_method)


def alone() -> OneWorkspace:
    """Return the one workspace, where nobody hears what is said to one person."""
    return OneWorkspace(Workspace(Deaf(), Identity("acme", BOT, "footnote", "T1")), Parking(), None)


PRESSED: dict[str, Any] = {
    "type": "block_actions",
    "team": {"id": "T1"},
    "channel": {"id": "C1"},
    "user": {"id": "U1"},
    "container": {"message_ts": "1700000009.000001", "thread_ts": "1700000000.000001"},
    "message": {"text": "Что вы имеете в виду?"},
    "actions": [{"action_id": "footnote_choose_1", "value": "choose:1.ab", "action_ts": "1700000011.000001"}],
}
REACTED: dict[str, Any] = {
    "type": "reaction_added",
    "user": "U1",
    "reaction": "+1::skin-tone-3",
    "item": {"type": "message", "channel": "C1", "ts": "1700000009.000001"},
    "item_user": "U0BOT",
    "event_ts": "1700000012.000001",
}
WHISPERED: dict[str, Any] = PRESSED | {
    "container": {"message_ts": "1700000010.000001", "thread_ts": "1700000000.000001", "is_ephemeral": True},
    "response_url": "https://hooks.slack.example/actions/1",
    "actions": [{"action_id": "footnote_reason_1", "value": "reason:wrong.0", "block_id": "about:1700000009.000001"}],
}
EDITED = MESSAGE | {"text": "<@U0BOT> hi", "edited": {"user": "U1", "ts": "1700000005.000000"}}
REAL = [
    body(text="<@U0BOT> hello", client_msg_id="5f-1", thread_ts="1700000000.000001"),
    body(type="app_mention", text="<@U0BOT> hello"),
    body(subtype="message_changed", message=EDITED, previous_message=MESSAGE),
    body(subtype="message_changed", message=MESSAGE | {"subtype": "tombstone"}, previous_message=MESSAGE),
    body(subtype="message_deleted", deleted_ts=MESSAGE["ts"], previous_message=MESSAGE),
    {"type": "block_actions", "user": {"id": "U1"}, "actions": [{"value": "show:1"}]},
    PRESSED,
    body(**REACTED),
    WHISPERED,
]
SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20)
JSON = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
)
# The names that are looked at, with anything under them.
NAMES = st.sampled_from(
    (
        "type team_id context_team_id event subtype user channel channel_type ts thread_ts text edited message bot_id"
        " previous_message deleted_ts client_msg_id authorizations enterprise is_ext_shared_channel view team reaction"
        " item event_ts actions container value block_id action_ts response_url is_ephemeral"
    ).split()
)
VALUES = JSON | st.sampled_from(["U0BOT", "C1", "1.1", "99999999999.000100"])


def mangled(value: Any, changes: dict[str, Any]) -> Any:
    """Return the value with other things under some of its names, at every depth."""
    if not isinstance(value, dict):
        return value
    return {name: mangled(inside, changes) for name, inside in value.items()} | changes


BODIES = st.dictionaries(NAMES | st.text(max_size=8), JSON, max_size=5) | st.builds(
    mangled, st.sampled_from(REAL), st.dictionaries(NAMES, VALUES, max_size=2)
)


@settings(max_examples=40, deadline=None)
@given(st.lists(BODIES, min_size=1, max_size=12))
@example([{"type": "event_callback", "team_id": "T1", "event": None}])
@example([{"type": "event_callback", "team_id": "T1", "event": 1.5}])
def test_no_event_is_too_strange(bodies: list[dict[str, Any]]) -> None:
    """Whatever comes as JSON is acknowledged; what is taken from it is whole and can be stored."""
    ledger = Ledger()

    async def answered() -> set[int]:
        app = make_app(alone(), ledger, "secret")
        # What the library cannot read is acknowledged before it.
        asked = [AsyncBoltRequest(mode="socket_mode", body=given) for given in bodies if _is_readable(given)]
        return {(await app.async_dispatch(request)).status for request in asked}

    assert asyncio.run(answered()) <= {200}
    assert [taken for taken in ledger.taken if not storable(taken)] == []


def storable(taken: Question | MessageRef | Press | Reaction) -> bool:
    """Return whether it is whole, and has nothing in it that a database refuses."""
    if isinstance(taken, Reaction):
        taken.id.encode()
        return storable(taken.message) and bool(taken.by.rpartition(":")[2]) and "\0" not in taken.by + taken.id
    if isinstance(taken, Press):
        taken.button.encode()
        return storable(taken.message) and bool(taken.person) and "\0" not in taken.button
    if isinstance(taken, MessageRef):
        return all(str(taken).split(":")) and float(taken.message) > 0
    json.dumps([taken.text, taken.root, taken.resend, taken.asker], ensure_ascii=False).encode()
    ref = MessageRef("slack", taken.place, taken.message)
    return storable(ref) and taken.id == str(ref) and bool(taken.asker) and "\0" not in taken.text


def test_the_real_events_are_taken() -> None:
    """The events that the other test mangles do mean something as they are."""
    kinds = [Post, Post, Edit, Deletion, Deletion, type(None), Pressed, Reaction, Pressed]

    assert kinds == [type(read_event(event, BOT)) for event in REAL]


def test_a_press_names_its_button_message_thread_and_person() -> None:
    """Who pressed and where says who will read the answer; the thread is where words for the one person go."""
    pressed = read_event(PRESSED, BOT)

    assert isinstance(pressed, Pressed)
    assert Press(
        "choose:1.ab",
        MessageRef("slack", "T1:C1", "1700000009.000001"),
        "U1",
        Audience("T1", frozenset({"slack:T1:C1"})),
        by="slack:T1:U1",
        id="1700000011.000001",
    ) == (pressed.press)
    assert ("1700000000.000001", "Что вы имеете в виду?") == (pressed.root, pressed.said)


def test_a_press_before_one_person_alone_names_the_answer_that_it_is_about() -> None:
    """Slack tells of the message that nobody else sees; its block tells which answer its buttons belong to."""
    pressed = read_event(WHISPERED, BOT)

    assert isinstance(pressed, Pressed)
    assert MessageRef("slack", "T1:C1", "1700000009.000001") == pressed.press.message
    assert "https://hooks.slack.example/actions/1" == pressed.whispered


@pytest.mark.parametrize("block", ["", "about:", "about:x", "about:1700000009.0000011", "1700000009.000001", "b1"])
def test_a_press_before_one_person_that_is_about_nothing_is_left_alone(block: str) -> None:
    """It would be taken for a press on a message that nobody else can see."""
    assert read_event(WHISPERED | {"actions": [WHISPERED["actions"][0] | {"block_id": block}]}, BOT) is None


def test_a_value_that_no_button_has_is_left_alone() -> None:
    """Slack takes values of 2,000 characters; nothing longer was ever on a button of ours."""
    huge = PRESSED["actions"][0] | {"value": "judge:up." + "9" * 100_000}

    assert read_event(PRESSED | {"actions": [huge]}, BOT) is None


@pytest.mark.parametrize(
    ("name", "verdict"),
    [("+1", "up"), ("thumbsup", "up"), ("+1::skin-tone-6", "up"), ("-1", "down"), ("thumbsdown::skin-tone-2", "down")],
)
@pytest.mark.parametrize("kind", ["reaction_added", "reaction_removed"])
def test_a_thumb_is_a_judgement(name: str, verdict: str, kind: str) -> None:
    """In every colour, put there or taken off again, by whom and of which message."""
    found = read_event(body(**(REACTED | {"type": kind, "reaction": name})), BOT)

    assert isinstance(found, Reaction)
    assert (verdict, kind == "reaction_added") == (found.verdict, found.given)
    assert (MessageRef("slack", "T1:C1", "1700000009.000001"), "slack:T1:U1") == (found.message, found.by)


@pytest.mark.parametrize(
    "strange",
    [
        {"user": BOT},
        {"user": "USLACKBOT"},
        {"user": ""},
        {"reaction": "eyes"},
        {"reaction": "+12"},
        {"reaction": None},
        {"item": {"type": "file", "file": "F1"}},
        {"item": {"type": "message", "channel": "C1"}},
        {"item": {"type": "message", "channel": "C 1", "ts": "1700000009.000001"}},
    ],
)
def test_other_reactions_say_nothing(strange: dict[str, Any]) -> None:
    """The bot's own, other emoji, and what stands on no message."""
    assert read_event(body(**(REACTED | strange)), BOT) is None


@pytest.mark.parametrize(
    "strange",
    [{"user": {}}, {"channel": None}, {"container": {"message_ts": "x"}}, {"actions": [{"action_id": "footnote_x"}]}],
)
def test_a_press_with_something_missing_is_left_alone(strange: dict[str, Any]) -> None:
    """What does not say who pressed what where is none of ours."""
    assert read_event(PRESSED | strange, BOT) is None
