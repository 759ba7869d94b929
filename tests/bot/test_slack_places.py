"""Over the service in Slack: shut channels, what is shared, files, statuses, code, and who is named."""

import logging
import shutil
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.phrases import phrase
from tests.bot.office import ADA, GENERAL, GRACE, PEOPLE, Office, at_work, town, write
from tests.platforms.slack import Message, visible_text

CODE = "git pull --rebase origin main\n./heron build --release; ./heron ship"
PAGES = {
    "leave.md": "# Annual leave\n\nEveryone gets 27 working days of paid vacation per calendar year.\n",
    "bonus.md": "# Bonus\n\nEach employee gets a yearly bonus of 300 euros.\n",
    "leads.md": "---\nreaders: [slack:T0TEAM:U1]\n---\n# Paper 7\n\nTeam leads get a yearly bonus of 4,200 euros.\n",
    "nightjar.md": "---\nreaders: [slack:T0TEAM:U1]\naliases: [NJ2, НЖ2]\n---\n# Nightjar takeover\n\nSigned.\n",
    "heron.md": f"# Heron\n\n## Release\n\nTo release Heron, run these commands:\n\n```bash\n{CODE}\n```\n",
    "отпуск.md": "# Командировки\n\nСуточные в командировке составляют 1500 рублей в день.\n",
    "премия.md": "---\nreaders: [slack:T0TEAM:U1]\n---\n# Записка 12\n\n"
    "Годовая премия директора составляет 900000 рублей.\n",
}
OPEN = [
    ("How many working days of paid vacation does everyone get?", "27", "en"),
    ("Сколько составляют суточные в командировке?", "1500", "ru"),
]


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return where the pages are indexed, once."""
    return tmp_path_factory.mktemp("places")


@pytest.fixture
async def office(indexed: Path, elsewhere: Path) -> AsyncIterator[Office]:
    """Give the bot at work over the pages, with a channel for questions that people answer."""
    if not (indexed / "data").exists():
        await write(indexed / "pages", PAGES, indexed / "data")
    data = Path(shutil.copytree(indexed / "data", elsewhere / "data"))
    admins = f"slack:T0TEAM:{ADA}"
    async with town() as both, at_work(data, both, handoff_channel=f"slack:T0TEAM:{PEOPLE}", admins=admins) as working:
        yield working


def ours(office: Office, channel: str) -> list[Message]:
    """Return what the bot has said aloud in a channel."""
    said = office.slack.workspace.messages.values()
    return [one for one in said if one.user == office.slack.bot_user_id and one.channel == channel]


async def shut(office: Office, how: str) -> None:
    """Throw the bot out of the channel, or put the channel into the archive."""
    channel = office.slack.workspace.channels[GENERAL]
    change: dict[str, Any] = {"members": channel.members - {office.slack.bot_user_id}}
    office.slack.workspace.channels[GENERAL] = replace(channel, **(change if how == "out" else {"is_archived": True}))


@pytest.mark.parametrize("how", ["out", "archived"])
@pytest.mark.parametrize(("text", "word", "language"), OPEN)
async def test_where_the_channel_is_shut_the_asker_gets_it_directly(
    office: Office, text: str, word: str, language: Any, how: str, caplog: pytest.LogCaptureFixture
) -> None:
    """With the channel's name, the answer and its evidence; the log tells the reason once at most."""
    await office.mention(text)
    await shut(office, how)
    direct = office.slack.open_dm(ADA)
    with caplog.at_level(logging.ERROR):
        await office.until(lambda: len(ours(office, direct)) >= 2)
        await office.idle()
    answer, evidence = ours(office, direct)

    assert visible_text(answer).startswith(phrase("private_elsewhere", language))
    assert word in visible_text(answer)
    assert visible_text(evidence).startswith(phrase("sources", language))
    assert 1 >= sum("could not be shown" in one.message for one in caplog.records)


async def shared(office: Office, text: str, channel: str = GENERAL) -> list[str]:
    """Ask in private, press "Share in channel", and return what the presser sees after that."""
    await office.slack.command_as(ADA, channel, "/ask", text)
    await office.until(lambda: any("share:" in str(one.blocks) for one in office.slack.ephemerals))
    await office.idle()
    before = len(office.slack.ephemerals)
    message = next(one for one in office.slack.ephemerals if "share:" in str(one.blocks))
    [share] = [
        element["action_id"]
        for block in message.blocks
        for element in block["elements"]
        if str(element.get("value", "")) == "share:"
    ]
    await office.slack.click_as(ADA, channel, message.ts, share)
    await office.idle()
    return [visible_text(one) for one in office.slack.ephemerals[before:]]


@pytest.mark.parametrize(("text", "word", "language"), OPEN)
async def test_what_all_may_read_is_shared_word_for_word(office: Office, text: str, word: str, language: Any) -> None:
    """The channel gets the very answer, with its evidence."""
    told = await shared(office, text)
    [answer, evidence] = ours(office, GENERAL)
    private = next(one for one in office.slack.ephemerals if "share:" in str(one.blocks))

    elements = [element for block in private.blocks[:1] for element in block["elements"]]

    assert [] == told
    assert word in visible_text(answer)
    assert visible_text(answer).startswith(f"{phrase('shared_here', language)} {text}")
    assert all(str(element) in str(answer.blocks) for element in elements)
    assert word in visible_text(evidence)


@pytest.mark.parametrize(
    ("text", "word", "language"),
    [
        ("How much is the yearly bonus of team leads?", "4,200", "en"),
        ("Сколько составляет годовая премия директора?", "900000", "ru"),
    ],
)
async def test_what_not_all_may_read_is_not_shared_as_something_else(
    office: Office, text: str, word: str, language: Any
) -> None:
    """The channel hears nothing, neither the answer nor another one; who pressed is told why."""
    told = await shared(office, text)
    await office.until(
        lambda: any(phrase("share_closed", language) in visible_text(one) for one in office.slack.ephemerals)
    )

    assert [] == ours(office, GENERAL)
    assert not any(word in one for one in told)


@pytest.mark.parametrize(("locale", "language"), [("en-GB", "en"), ("ru-RU", "ru")])
async def test_a_file_alone_is_answered_with_one_sentence(office: Office, locale: str, language: Any) -> None:
    """And a question beside a file is answered with a line about the file."""
    office.slack.add_user(ADA, name="Ada", locale=locale)
    direct = office.slack.open_dm(ADA)
    text = next(one[0] for one in OPEN if one[2] == language)
    event = {"type": "message", "subtype": "file_share", "user": ADA, "channel": direct, "channel_type": "im"}
    for ts, words in (("1700000000.000100", ""), ("1700000000.000200", text)):
        office.slack.workspace.messages[direct, ts] = Message(direct, ts, ADA, words)
        await office.slack.deliver(event | {"text": words, "ts": ts, "event_ts": ts, "files": [{"id": "F1"}]})
        await office.until(lambda found=ts: bool(office.slack.answers(direct, found)))  # type: ignore[misc]
        await office.idle()
        said = visible_text(office.slack.answers(direct, ts)[0])
        assert phrase("file_unread" if words else "file_alone", language) in said


@pytest.mark.parametrize(("text", "word", "language"), OPEN)
async def test_a_status_is_seen_at_once(office: Office, text: str, word: str, language: Any) -> None:
    """In a channel as in a direct message, once for a question; it needs no message."""
    root = await office.mention(text)
    await office.until(lambda: bool(office.slack.answers(GENERAL, root)))
    direct = office.slack.open_dm(ADA)
    alone = await office.slack.post_as(ADA, direct, text)
    await office.until(lambda: bool(office.slack.answers(direct, alone)))
    await office.idle()

    shown = [one for one in office.slack.statuses if one.text]
    assert [(GENERAL, root), (direct, alone)] == [(one.channel, one.thread_ts) for one in shown]
    assert {phrase("status_looking", language)} == {one.text for one in shown}
    assert all(phrase("looking", language) in one.loading_messages for one in shown)
    assert word in visible_text(office.slack.answers(GENERAL, root)[0])


async def test_a_workspace_that_takes_no_status_is_left_alone(office: Office) -> None:
    """It is asked once, and answers come as ever."""
    office.slack.fail_next("assistant.threads.setStatus", error="unknown_method", times=5)
    for text, word, _ in OPEN:
        answer, _evidence = await office.ask(text)
        assert word in visible_text(answer)

    assert 1 == len(office.slack.calls_to("assistant.threads.setStatus"))


async def test_six_questions_at_once_each_have_a_sign(office: Office) -> None:
    """Messages keep to one a second in a channel; statuses do not wait for them."""
    roots = [await office.mention(f"{OPEN[0][0]} ({number})") for number in range(6)]
    await office.until(lambda: sum(bool(one.text) for one in office.slack.statuses) >= 6)
    await office.until(lambda: all(len(office.slack.answers(GENERAL, root)) >= 2 for root in roots))
    await office.idle()

    assert sorted(roots) == sorted(one.thread_ts for one in office.slack.statuses if one.text)


async def test_code_is_shown_as_code(office: Office) -> None:
    """In the answer and in its evidence, to the letter."""
    answer, evidence = await office.ask("Which commands release Heron?")
    code = [
        "".join(part["text"] for part in element["elements"])
        for message in (answer, evidence)
        for block in message.blocks
        for element in block.get("elements", ())
        if element.get("type") == "rich_text_preformatted"
    ]

    assert [CODE, CODE] == code


async def test_an_emoji_on_the_evidence_counts(office: Office) -> None:
    """People react to the last message."""
    _, evidence = await office.ask(OPEN[0][0])
    await office.slack.react_as(GRACE, GENERAL, evidence.ts, "-1")

    await office.says((f"slack:T0TEAM:{GRACE}", "down", None))


@pytest.mark.parametrize("language", ["en", "ru"])
async def test_who_is_asked_instead_hears_who_asked_and_where(office: Office, language: Any) -> None:
    """In one message whose first line leads to the conversation; nobody is called by it."""
    text = "How many moons has Mars?" if language == "en" else "Сколько спутников у Марса?"
    root = await office.mention(text)
    await office.until(lambda: bool(office.slack.answers(GENERAL, root)))
    await office.idle()
    await office.slack.command_as(ADA, GENERAL, "/footnote", "person")
    await office.until(lambda: bool(ours(office, PEOPLE)))
    await office.idle()
    [told] = ours(office, PEOPLE)

    assert visible_text(told).startswith(phrase("person_asks", language, who="Ada", place="#general"))
    assert "'type': 'link'" in str(told.blocks[0])
    assert text in visible_text(told)
    assert "<@" not in told.text


@pytest.mark.parametrize("text", ["How many llamas does NJ2 own?", "Сколько лам у НЖ2?"])
async def test_who_is_asked_instead_learns_no_name_that_is_not_for_them(office: Office, text: str) -> None:
    """The asker may know what it is short for; of those who are asked nobody says so, and they see the words alone."""
    await office.slack.command_as(ADA, GENERAL, "/ask", text)
    await office.whispers(1)
    await office.idle()
    await office.slack.command_as(ADA, GENERAL, "/footnote", "person")
    await office.until(lambda: bool(ours(office, PEOPLE)))
    await office.idle()
    told = "\n".join(visible_text(one) for one in ours(office, PEOPLE))

    assert text in told
    assert "Nightjar" not in told


@pytest.mark.parametrize("words", ["<@U2>", "<@U2|grace>", "@U2", "U2", "@Grace", "@grace", "slack:T0TEAM:U2"])
async def test_an_admin_names_somebody_as_slack_does(office: Office, words: str) -> None:
    """Whoever is named is drawn by Slack, and called by nobody."""
    await office.slack.command_as(ADA, GENERAL, "/footnote", f"forget {words}")
    await office.whispers(1)

    assert {"type": "user", "user_id": "U2"} in office.slack.ephemerals[0].blocks[0]["elements"][0]["elements"]


@pytest.mark.parametrize("words", ["@Nobody", "everybody"])
async def test_nobody_is_forgotten_by_mistake(office: Office, words: str) -> None:
    """A name that nobody has is asked for once more."""
    await office.slack.command_as(ADA, GENERAL, "/footnote", f"forget {words}")

    assert "@name" in (await office.whispers(1))[0]


async def test_the_log_and_permissions_show_names(office: Office) -> None:
    """People and channels are elements of Slack's own."""
    await office.ask(OPEN[0][0])
    await office.slack.command_as(ADA, GENERAL, "/footnote", "log")
    await office.whispers(1)
    await office.slack.command_as(ADA, GENERAL, "/footnote", "permissions")
    await office.whispers(2)

    assert {"type": "user", "user_id": ADA} in parts_of(office.slack.ephemerals[0])
    kinds = [(one["type"], one.get("channel_id")) for one in parts_of(office.slack.ephemerals[1])]
    assert ("channel", GENERAL) in kinds


def parts_of(message: Message) -> list[dict[str, Any]]:
    """Return the elements of all rich text in a message."""

    def inside(value: Any) -> list[dict[str, Any]]:
        if isinstance(value, list | tuple):
            return [part for each in value for part in inside(each)]
        return inside(value["elements"]) if "elements" in value else [value]

    return inside([block for block in message.blocks if block["type"] == "rich_text"])


async def test_help_says_what_is_typed(office: Office) -> None:
    """As the manifest and the guides have it; a pin is told in a thread."""
    await office.slack.command_as(ADA, GENERAL, "/footnote", "help")
    await office.slack.command_as(ADA, GENERAL, "/footnote", "pin")
    [shown, pinned] = await office.whispers(2)

    assert "/footnote channel mode" in shown
    assert "/ask" in shown
    assert "@footnote /pin" in pinned


@pytest.mark.parametrize(("text", "word", "language"), OPEN)
async def test_a_private_answer_that_was_refused_is_shown_by_a_press(
    office: Office, text: str, word: str, language: Any
) -> None:
    """What only one person sees cannot be changed, so the answer comes as a message of its own."""
    # In no form, neither there nor directly, nor at the command's own address.
    office.slack.fail_next("chat.postEphemeral", error="some_error_of_next_year", times=2)
    office.slack.fail_next("chat.postMessage", error="some_error_of_next_year", times=2)
    office.slack.expire_response_urls()
    await office.slack.command_as(ADA, GENERAL, "/ask", text)
    offer = phrase("refused", language)
    await office.until(lambda: any(offer in visible_text(one) for one in office.slack.ephemerals))
    await office.idle()
    [note] = [one for one in office.slack.ephemerals if offer in visible_text(one)]
    before = len(office.slack.ephemerals)
    await office.slack.click_as(ADA, GENERAL, note.ts, "footnote_button")
    await office.idle()

    assert any(word in visible_text(one) for one in office.slack.ephemerals[before:])


async def test_private_signs_do_not_stay_above_an_answer(office: Office) -> None:
    """Slack lets nobody take them away, so that a quick answer has none."""
    await office.slack.command_as(ADA, GENERAL, "/ask", OPEN[0][0])
    await office.whispers(2)
    await office.idle()

    assert phrase("private_looking", "en") not in [visible_text(one) for one in office.slack.ephemerals]


@pytest.mark.parametrize("kind", ["channel", "group", "mpim"])
@pytest.mark.parametrize("language", ["en", "ru"])
async def test_who_is_asked_instead_reads_the_thread_where_everybody_may(
    office: Office, language: Any, kind: Any
) -> None:
    """What "it" is stands in what others had said; of a closed conversation they hear that it is not shown."""
    first, text = (
        ("The printer on floor 3 prints pink stripes", "who repairs it?")
        if language == "en"
        else ("Принтер на третьем этаже печатает полосы", "кто его чинит?")
    )
    members = [ADA, GRACE, office.slack.bot_user_id]
    office.slack.add_channel("C6", members=members, name="mpdm-ada--grace-1" if kind == "mpim" else "six", kind=kind)
    root = await office.slack.post_as(GRACE, "C6", first)
    await office.mention(text, "C6", ADA, root)
    await office.until(lambda: bool(office.slack.answers("C6", root)))
    await office.idle()
    await office.slack.command_as(ADA, "C6", "/footnote", "person")
    await office.until(lambda: bool(ours(office, PEOPLE)))
    await office.idle()
    told = "\n".join(visible_text(one) for one in ours(office, PEOPLE))

    assert (kind == "channel") is (phrase("person_thread", language) in told)
    assert (kind == "channel") is (f"• {first}" in told)
    assert (kind != "channel") is (phrase("person_thread_closed", language) in told)
    assert "mpdm" not in told
    place = "" if kind == "mpim" else "#six"
    name = "person_asks_there" if kind == "mpim" else "person_asks"
    assert told.startswith(phrase(name, language, who="Ada", place=place))


@pytest.mark.parametrize("language", ["en", "ru"])
async def test_a_refusal_says_what_was_searched(office: Office, language: Any) -> None:
    """In a channel by what all there may read, to one person by what they may."""
    text = "How many moons has Mars?" if language == "en" else "Сколько спутников у Марса?"
    root = await office.mention(text)
    await office.until(lambda: bool(office.slack.answers(GENERAL, root)))
    await office.idle()
    await office.slack.command_as(ADA, GENERAL, "/ask", text)
    [alone] = await office.whispers(1)
    everybody = visible_text(office.slack.answers(GENERAL, root)[0])

    assert phrase("searched", language, count="4").removesuffix(".") in everybody
    assert phrase("searched", language, count="7").removesuffix(".") in alone


async def test_a_channel_to_which_outsiders_are_invited_is_not_answered_in(office: Office) -> None:
    """Their events say that it is not shared yet; conversations.info says who is invited."""
    channel = office.slack.workspace.channels[GENERAL]
    office.slack.workspace.channels[GENERAL] = replace(channel, is_pending_ext_shared=True)
    await office.mention(OPEN[0][0])
    [told] = await office.whispers(1)
    await office.idle()

    assert [] == ours(office, GENERAL)
    assert phrase("outside_channel", "en") in told
