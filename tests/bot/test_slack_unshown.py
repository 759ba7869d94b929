"""Over the service in Slack: each word that Slack may refuse a call with, and what then stands before the person."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from core.phrases import phrase
from tests.bot.office import ADA, GENERAL, GRACE, Office, over
from tests.bot.test_slack_places import OPEN, PAGES, ours
from tests.platforms.slack import Message, visible_text

POST, UPDATE, DELETE, ALONE = "chat.postMessage", "chat.update", "chat.delete", "chat.postEphemeral"
# What can be said of a channel or a thread, what of a message, and what nobody has heard of yet.
OF_THE_CHANNEL = (
    *("no_permission", "access_denied", "cannot_reply_to_message", "restricted_action_thread_locked"),
    *("restricted_action_thread_only_channel", "restricted_action_non_threadable_channel", "message_limit_exceeded"),
    *("restricted_action_read_only_channel", "is_inactive", "posting_to_general_channel_denied", "some_word_of_2030"),
)
OF_THE_MESSAGE = (
    *("no_permission", "access_denied", "update_failed", "block_mismatch", "invalid_metadata_format"),
    *("team_not_found", "cant_update_message", "invalid_blocks", "some_word_of_2030"),
)


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return where the pages are indexed, once."""
    return tmp_path_factory.mktemp("unshown")


@pytest.fixture
async def office(indexed: Path, elsewhere: Path) -> AsyncIterator[Office]:
    """Give the bot at work over the pages."""
    async with over(PAGES, indexed, elsewhere) as working:
        yield working


def asked_in(number: int) -> tuple[str, str, Any]:
    """Return a question with a word of its answer, in either language by turns."""
    return OPEN[number % 2]


def button(message: Message, prefix: str) -> tuple[str, str]:
    """Return the button of a message whose value begins so, with the whole value."""
    found = [
        (element["action_id"], one["value"])
        for block in message.blocks
        for element in block.get("elements", ())
        for one in (element, element.get("positive_button", {}), element.get("negative_button", {}))
        if str(one.get("value", "")).startswith(prefix)
    ]
    return found[0]


@pytest.mark.parametrize("code", OF_THE_MESSAGE)
async def test_an_answer_whose_sign_cannot_be_changed_comes_as_a_message(office: Office, code: str) -> None:
    """With its evidence under it; the sign goes, or stands above it where it may not be deleted."""
    number = OF_THE_MESSAGE.index(code)
    text, word, _ = asked_in(number)
    office.slack.close(GENERAL, UPDATE, *([DELETE] if number % 3 == 0 else []), error=code)
    root = await office.mention(text)
    signs = 1 if number % 3 == 0 else 0
    await office.until(lambda: len(office.slack.answers(GENERAL, root)) >= 2 + signs)
    await office.idle()
    *before, answer, evidence = office.slack.answers(GENERAL, root)

    assert signs == len(before)
    assert word in visible_text(answer)
    assert word in visible_text(evidence)


@pytest.mark.parametrize("code", OF_THE_CHANNEL)
async def test_whatever_a_channel_refuses_who_asked_gets_it_directly(office: Office, code: str) -> None:
    """Both messages, in the language of the question; no status stays under it as if somebody still looked."""
    text, word, language = asked_in(OF_THE_CHANNEL.index(code))
    office.slack.close(GENERAL, POST, error=code)
    root = await office.mention(text)
    direct = office.slack.open_dm(ADA)
    await office.until(lambda: len(ours(office, direct)) >= 2)
    await office.idle()
    answer, evidence = ours(office, direct)

    assert visible_text(answer).startswith(phrase("private_elsewhere", language))
    assert answer.text.startswith(phrase("private_elsewhere_unnamed", language))
    assert word in visible_text(answer)
    assert word in visible_text(evidence)
    assert [""] == [one.text for one in office.slack.statuses if one.thread_ts == root][-1:]


@pytest.mark.parametrize("code", ["thread_not_found"])
async def test_a_question_that_is_gone_is_answered_nowhere(office: Office, code: str) -> None:
    """Nobody waits for it."""
    office.slack.close(GENERAL, POST, error=code)
    await office.mention(OPEN[0][0])
    direct = office.slack.open_dm(ADA)
    await office.until(lambda: len(office.slack.calls_to(POST)) >= 2)
    await office.idle()

    assert [] == ours(office, direct)


async def test_evidence_goes_where_its_answer_went(office: Office) -> None:
    """A channel that takes the second message again is not told the sources of an answer that it has not."""
    office.slack.fail_next(POST, error="message_limit_exceeded", times=4)
    root = await office.mention(OPEN[0][0])
    direct = office.slack.open_dm(ADA)
    await office.until(lambda: len(ours(office, direct)) + len(office.slack.answers(GENERAL, root)) >= 2)
    await office.idle()

    assert 1 == len([there for there in (direct, GENERAL) if len(ours(office, there)) == 2])


@pytest.mark.parametrize("code", [*OF_THE_CHANNEL, "user_not_found"])
async def test_a_private_question_is_answered_directly(office: Office, code: str) -> None:
    """Whatever Slack says where it was asked."""
    text, word, language = asked_in(len(code))
    office.slack.close(GENERAL, ALONE, error=code)
    await office.slack.command_as(ADA, GENERAL, "/ask", text)
    direct = office.slack.open_dm(ADA)
    await office.until(lambda: len(ours(office, direct)) >= 2)
    await office.idle()
    answer, evidence = ours(office, direct)

    assert visible_text(answer).startswith(phrase("private_elsewhere", language))
    assert word in visible_text(answer)
    assert word in visible_text(evidence)


@pytest.mark.parametrize(("text", "word", "language"), OPEN)
async def test_where_direct_messages_are_refused_too_the_command_itself_is_answered(
    office: Office, text: str, word: str, language: Any
) -> None:
    """Slack takes words at its address for half an hour."""
    office.slack.fail_next(ALONE, error="access_denied", times=99)
    office.slack.fail_next(POST, error="messages_tab_disabled", times=99)
    await office.slack.command_as(ADA, GENERAL, "/ask", text)
    await office.whispers(2)
    await office.idle()
    answer, evidence = await office.whispers(2)

    assert word in answer
    assert phrase("sources", language) in evidence


@pytest.mark.parametrize("fault", [{"status": 500}, {"drop": "before"}, {"error": "internal_error"}])
@pytest.mark.parametrize("prefix", ["why:", "judge:down"])
async def test_one_lost_call_loses_no_word_to_one_person(office: Office, fault: Any, prefix: str) -> None:
    """It is made again."""
    answer, _ = await office.ask(OPEN[0][0])
    office.slack.fail_next(ALONE, **fault)
    action, value = button(answer, prefix)
    await office.slack.click_as(ADA, GENERAL, answer.ts, action, value=value)

    assert 1 == len(await office.whispers(1))


@pytest.mark.parametrize("code", ["no_permission", "some_word_of_2030", "is_inactive"])
@pytest.mark.parametrize("way", ["reach", "direct"])
async def test_a_press_is_answered_whatever_slack_has_against_it(office: Office, code: str, way: str) -> None:
    """At the address of the press, or directly where that is over."""
    answer, _ = await office.ask(OPEN[1][0])
    office.slack.close(GENERAL, ALONE, error=code)
    if way == "direct":
        office.slack.expire_response_urls()
    action, _ = button(answer, "why:")
    await office.slack.click_as(ADA, GENERAL, answer.ts, action)
    direct = office.slack.open_dm(ADA)
    await office.until(lambda: bool(office.slack.ephemerals if way == "reach" else ours(office, direct)))
    [told] = office.slack.ephemerals if way == "reach" else ours(office, direct)

    assert phrase("why_understood", "ru") in visible_text(told)


async def test_a_command_that_slack_takes_no_answer_to_is_answered_directly(office: Office) -> None:
    """A mention has no address of its own."""
    office.slack.close(GENERAL, ALONE, error="no_permission")
    await office.mention("/sources")
    direct = office.slack.open_dm(ADA)
    await office.until(lambda: bool(ours(office, direct)))

    assert ours(office, direct)


async def test_a_slow_command_whose_address_is_over_is_answered_all_the_same(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As to anybody in the channel, where nobody else sees it."""
    monkeypatch.setattr("adapters.slack.intake._SLASH_WITHIN", 0.0)
    office.slack.expire_response_urls()
    await office.slack.command_as(ADA, GENERAL, "/footnote", "sources")
    [told] = await office.whispers(1)

    assert told


@pytest.mark.parametrize(("text", "word", "language"), OPEN)
async def test_a_message_between_two_people_is_answered_to_who_chose_it(
    office: Office, text: str, word: str, language: Any
) -> None:
    """We are not there and nobody can invite us: the answer comes directly, and says why without a name of no use."""
    office.slack.add_channel("D77", members=[ADA, GRACE], kind="im", name="two")
    ts = await office.slack.post_as(GRACE, "D77", text)
    await office.slack.shortcut_as(ADA, "D77", ts, "footnote_answer")
    direct = office.slack.open_dm(ADA)
    await office.until(lambda: len(ours(office, direct)) >= 2)
    await office.idle()
    answer, evidence = ours(office, direct)

    assert visible_text(answer).startswith(phrase("private_elsewhere_unnamed", language))
    assert "D77" not in str(answer.blocks)
    assert word in visible_text(answer)
    assert word in visible_text(evidence)


@pytest.mark.parametrize(
    ("text", "command"), [("How many days of leave?", "/status"), ("статус чего?", "/footnote статус")]
)
async def test_a_question_that_is_edited_into_a_command_is_none(office: Office, text: str, command: str) -> None:
    """Its answer goes, nothing is done, and its writer is told so, once and alone."""
    root = await office.mention(text)
    await office.until(lambda: bool(office.slack.answers(GENERAL, root)))
    await office.idle()
    await office.slack.edit_as(ADA, GENERAL, root, f"<@{office.slack.bot_user_id}> {command}")
    language = "en" if command == "/status" else "ru"
    told = await office.whispers(1)
    await office.idle()

    assert [] == office.slack.answers(GENERAL, root)
    assert [phrase("edited_command", language)] == told


async def test_what_is_shown_directly_unfolds_no_links(office: Office) -> None:
    """As nowhere."""
    office.slack.close(GENERAL, POST, error="is_archived")
    await office.mention(OPEN[0][0])
    direct = office.slack.open_dm(ADA)
    await office.until(lambda: len(ours(office, direct)) >= 2)
    sent = [one.arguments for one in office.slack.calls_to(POST) if one.arguments.get("channel") == ADA]

    assert sent
    assert {(False, False)} == {(one["unfurl_links"], one["unfurl_media"]) for one in sent}
