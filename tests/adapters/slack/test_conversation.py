"""What people write in Slack and what they get, through the real clients against the stand-in."""

from tests.adapters.slack.scene import Scene
from tests.platforms.slack import live_mentions, visible_text

ANSWER = "Annual leave\n• Everyone has 27 days of leave a year¹\n• Five of them carry over¹,²"


async def test_a_mention_is_answered_in_its_thread(stage: Scene) -> None:
    """One message becomes the answer in place, one reply under it holds the evidence; nothing else is said."""
    ts = await stage.asks("How many days of leave?")
    answer, evidence = await stage.answered("C1", ts)

    assert visible_text(answer) == ANSWER
    assert visible_text(evidence) == (
        "Sources\n"
        "¹ Annual leave · Leave › Entitlement\n27 days of annual leave\n"
        "² Carry-over · page 3 · updated 2025-01-07\nUp to five days carry over."
    )
    assert [ts, ts] == [answer.thread_ts, evidence.thread_ts]
    assert [revision.text for revision in answer.history] == ["Looking through the documents…"]


async def test_each_message_says_what_it_is(stage: Scene) -> None:
    """Every message carries the question's id and its part, and keeps them when the sign becomes the answer."""
    ts = await stage.asks("How many days?")
    sent = await stage.answered("C1", ts)

    question_id = f"slack:T0TEAM:C1:{ts}"
    assert [
        {"event_type": "footnote_answer", "event_payload": {"question_id": question_id, "part": part}}
        for part in ("answer-1", "evidence-1")
    ] == [message.metadata for message in sent]


async def test_a_question_is_read_once_and_whole(stage: Scene) -> None:
    """The question keeps the person's words, without the mention, and knows where it stands, its asker and audience."""
    ts = await stage.asks("is 5 &lt; 6 &amp; is it in <#C9|general>?")
    await stage.answered("C1", ts)

    (question,) = stage.desk.questions.values()
    assert question.text == "is 5 < 6 & is it in #general?"
    assert (f"slack:T0TEAM:C1:{ts}", f"slack:T0TEAM:C1:{ts}") == (question.id, question.thread)
    assert ("U1", "T0TEAM", frozenset({"slack:T0TEAM:C1"})) == (
        question.asker,
        question.audience.tenant,
        question.audience.groups,
    )
    assert float(ts) == question.asked_at.timestamp()
    assert ("T0TEAM:C1", ts, ts, 0) == (question.place, question.message, question.root, question.version)


async def test_a_reply_knows_the_first_message_of_its_thread(stage: Scene) -> None:
    """The place and the message are the reply's own; the root and the thread are the first message's."""
    root = await stage.slack.post_as("U1", "C1", "How is leave these days?")
    ts = await stage.asks("How many days?", thread_ts=root)
    await stage.answered("C1", root)

    (question,) = stage.desk.questions.values()
    assert (f"slack:T0TEAM:C1:{root}", "T0TEAM:C1", ts, root) == (
        question.thread,
        question.place,
        question.message,
        question.root,
    )


async def test_what_was_shown_is_known(stage: Scene) -> None:
    """Showing a message tells which message it is."""
    ts = await stage.asks("How many days?")
    sent = await stage.answered("C1", ts)

    refs = stage.desk.shown[f"slack:T0TEAM:C1:{ts}"].values()
    assert [f"slack:T0TEAM:C1:{message.ts}" for message in sent] == [str(ref) for ref in refs]


async def test_a_direct_message_needs_no_mention(stage: Scene) -> None:
    """In a direct channel every message is a question; each root is a thread of its own."""
    dm = stage.slack.open_dm("U1")
    first = await stage.slack.post_as("U1", dm, "How many days?")
    await stage.answered(dm, first)
    second = await stage.slack.post_as("U1", dm, "And how many carry over?")
    await stage.answered(dm, second)

    assert [f"slack:T0TEAM:{dm}:{ts}" for ts in (first, second)] == [
        question.thread for question in stage.desk.questions.values()
    ]


async def test_a_follow_up_in_the_thread_needs_no_mention(stage: Scene) -> None:
    """In a thread that the bot answers in, whoever writes next asks the bot, and the reply goes to the same thread."""
    ts = await stage.asks("How many days?")
    await stage.answered("C1", ts)
    await stage.slack.post_as("U2", "C1", "And in Leeds?", thread_ts=ts)
    replies = await stage.answered("C1", ts, 4)

    first, second = stage.desk.questions.values()
    assert ("And in Leeds?", first.thread) == (second.text, second.thread)
    assert [ts] * 4 == [message.thread_ts for message in replies]


async def test_a_mention_in_such_a_thread_counts_once(stage: Scene) -> None:
    """`app_mention` and `message` for one post are one question, in a thread as well."""
    ts = await stage.asks("How many days?")
    await stage.answered("C1", ts)
    await stage.asks("And in Leeds?", thread_ts=ts)

    assert len(await stage.answered("C1", ts, 4)) == 4


async def test_people_talk_among_themselves(stage: Scene) -> None:
    """Nothing is said in a channel or a thread where nobody asked the bot, nor to what is addressed to others."""
    root = await stage.slack.post_as("U1", "C1", "Lunch?")
    await stage.slack.post_as("U2", "C1", "How many people?", thread_ts=root)
    ts = await stage.asks("How many days?")
    await stage.answered("C1", ts)
    await stage.slack.post_as("U2", "C1", "<@U1> is that so?", thread_ts=ts)
    await stage.slack.post_as("U2", "C1", "Maybe ask <@U1>", thread_ts=ts)
    await stage.slack.post_as("U2", "C1", "<!subteam^S1> please help", thread_ts=ts)
    await stage.quiet()

    assert stage.texts == ["How many days?"]
    assert stage.slack.answers("C1", root) == []


async def test_a_mention_in_a_thread_of_others_is_answered_there(stage: Scene) -> None:
    """Who asks inside a thread is answered in it, under its first message; from then on it is a conversation."""
    root = await stage.slack.post_as("U1", "C1", "How is leave these days?")
    await stage.asks("How many days?", user="U2", thread_ts=root)
    await stage.answered("C1", root)
    await stage.slack.post_as("U1", "C1", "And in Leeds?", thread_ts=root)

    assert len(await stage.answered("C1", root, 4)) == 4


async def test_a_reply_also_sent_to_the_channel_is_a_reply(stage: Scene) -> None:
    """`thread_broadcast` is a message like any other."""
    ts = await stage.asks("How many days?")
    await stage.answered("C1", ts)
    await stage.slack.post_as("U1", "C1", "And in Leeds?", thread_ts=ts, broadcast=True)
    await stage.answered("C1", ts, 4)

    assert stage.texts == ["How many days?", "And in Leeds?"]


async def test_an_empty_mention_is_a_question_without_words(stage: Scene) -> None:
    """What to say to that is the pipeline's business; in code and quotes it calls nobody."""
    for text in (stage.at_bot, f"{stage.at_bot}?"):
        await stage.answered("C1", await stage.slack.post_as("U1", "C1", text))

    assert stage.texts == ["", "?"]


async def test_several_people_ask_at_once(stage: Scene) -> None:
    """Everybody sees a sign at once, before any answer is ready."""
    stage.script.gate.clear()
    asked = [await stage.asks(f"How many days, {number}?") for number in range(3)]
    for ts in asked:
        (sign,) = await stage.slack.wait_for_messages("C1", ts)
        assert visible_text(sign) == "Looking through the documents…"
    stage.script.gate.set()

    for ts in asked:
        assert len(await stage.answered("C1", ts)) == 2


async def test_russian_is_answered_in_russian(stage: Scene) -> None:
    """The sign and the heading of the evidence speak the language of the question."""
    ts = await stage.asks("Сколько дней отпуска?")
    answer, evidence = await stage.answered("C1", ts)

    assert [revision.text for revision in answer.history] == ["Смотрю в документах…"]
    assert visible_text(answer) == "• Отпуск — 27 дней в году¹"
    assert visible_text(evidence) == "Источники\n¹ Отпуск · Сколько дней · обновлено 2025-01-07\n27 дней отпуска"


async def test_nothing_unfurls_and_nobody_is_called(stage: Scene) -> None:
    """Links stay small, and the bot's messages mention no one."""
    ts = await stage.asks("How many days?")
    sent = await stage.answered("C1", ts)

    assert [mention for message in sent for mention in live_mentions(message)] == []
    posts = [call.arguments for call in stage.slack.calls_to("chat.postMessage")]
    assert [(bool(post["unfurl_links"]), bool(post["unfurl_media"])) for post in posts] == [(False, False)] * 2
