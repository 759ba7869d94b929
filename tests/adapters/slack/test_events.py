"""What is read out of Slack's payloads."""

from typing import Any

import pytest

from adapters.slack.events import question_of, read_post, standing_of
from adapters.slack.words import words_of

BOT = "U0BOT"
MESSAGE = {"type": "message", "channel": "C1", "channel_type": "channel", "user": "U1", "ts": "1700000000.000100"}


def body(**changes: Any) -> dict[str, Any]:
    """Return the body of an event about a message."""
    return {"type": "event_callback", "team_id": "T1", "event": MESSAGE | {"text": "hello"} | changes}


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
        ("who is <@U2|grace> and <@U3>?", "who is @grace and @U3?"),
        ("see <#C9|general> or <#C8> or <#C7|>", "see #general or #C8 or #C7"),
        ("<https://x.example/a?b=1&amp;c=2>", "https://x.example/a?b=1&c=2"),
        ("<http://x.example|x.example> <mailto:a@b.c|a@b.c> <mailto:a@b.c>", "x.example a@b.c a@b.c"),
        ("<!here> <!subteam^S1|@ops> <!subteam^S1> <!date^1^{date}|May 4>", "@here @ops @S1 May 4"),
        ("a &lt; b &amp;&amp; c &gt; d, &amp;lt;", "a < b && c > d, &lt;"),
        ("*bold* `code` :tada: <>", "*bold* `code` :tada: <>"),
        ("Сколько дней отпуска, <@U0BOT>?", "Сколько дней отпуска,?"),
    ],
)
def test_words_are_the_authors(text: str, words: str) -> None:
    """Mentions of the bot go, tags become their labels, escapes are undone, all else is kept."""
    assert words_of(text, BOT) == words


@pytest.mark.parametrize(
    ("changes", "standing"),
    [
        ({}, "overheard"),
        ({"text": "<@U0BOT> hello"}, "asked"),
        ({"text": "hello <@U0BOT|footnote>"}, "asked"),
        ({"channel": "D1", "channel_type": "im"}, "asked"),
        ({"channel": "G1", "channel_type": "mpim"}, "overheard"),
        ({"thread_ts": "1700000000.000001"}, "follow_up"),
        ({"thread_ts": MESSAGE["ts"]}, "overheard"),
        ({"thread_ts": "1700000000.000001", "text": "<@U2> hello"}, "overheard"),
        ({"thread_ts": "1700000000.000001", "text": "<@U2> and <@U0BOT>, hello"}, "asked"),
        ({"thread_ts": "1700000000.000001", "text": "<!here> hello"}, "overheard"),
        ({"thread_ts": "1700000000.000001", "text": " "}, "overheard"),
    ],
)
def test_who_is_spoken_to(changes: dict[str, Any], standing: str) -> None:
    """A mention or a direct message asks the bot; a reply may follow up, unless it is for somebody else."""
    post = read_post(body(**changes), BOT)

    assert post
    assert standing_of(post, BOT) == standing


def test_two_events_for_one_post_are_one_question() -> None:
    """`app_mention`, which lacks the channel's type, and `message` give equal questions."""
    message = body(text="<@U0BOT> hello", thread_ts="1700000000.000001", subtype="thread_broadcast")
    mention = body(text="<@U0BOT> hello", thread_ts="1700000000.000001", type="app_mention", channel_type=None)
    posts = [read_post(message, BOT), read_post(mention, BOT)]

    assert posts[0]
    assert posts[0] == posts[1]
    assert question_of(posts[0], BOT).thread == "slack:T1:C1:1700000000.000001"


@pytest.mark.parametrize("strange", [{}, {"event": None}, {"event": []}, {"event": "message"}, {"event": {}}])
def test_strange_payloads_are_nothing(strange: dict[str, Any]) -> None:
    """What is not an event about a message is no post, whatever its form."""
    assert read_post(strange, BOT) is None
