"""Keys that change while copies of the bot are at work in Slack's workspaces."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from adapters.secrets.fernet import FernetCipher, new_key
from adapters.slack.renewal import Renewal
from adapters.storage.installations import SqlInstallations
from tests.adapters.slack.estate import KEY, QUIET, Estate, estate
from tests.platforms.slack.waiting import until

pytestmark = QUIET

NEW = new_key()
UNOPENED = "workspace T1 is not served: FOOTNOTE_SECRET_KEYS: none of the keys opens what is stored"


@pytest.fixture
async def many(tmp_path: Path) -> AsyncIterator[Estate]:
    """Give the bot at work in workspaces whose tokens end."""
    async with estate(tmp_path, rotates=True) as made:
        yield made


def with_keys(many: Estate, *keys: str) -> SqlInstallations:
    """Return what a copy with these keys keeps."""
    return SqlInstallations(many.database, FernetCipher(keys))


async def test_copies_are_started_anew_one_after_the_other(many: Estate) -> None:
    """One that has the new key first and one that has it last open what the other renews; then the old one goes."""
    one = await many.workspace("T1")
    many.kept = with_keys(many, KEY, NEW)
    await many.start()
    many.kept = with_keys(many, NEW, KEY)
    await many.start()
    for copy in (1, 2, 1):
        await many.ages("T1", 600)
        one.send_events_to(many.copies[copy].events)
        assert 2 == len(await many.answered("T1", await many.asks("T1", "How many days?")))
    await many.ages("T1", 6_000_000)
    assert (1, []) == await many.kept.reseal()
    many.kept = with_keys(many, NEW)
    last = await many.start()
    one.send_events_to(last.events)

    assert 2 == len(await many.answered("T1", await many.asks("T1", "Сколько дней?")))
    assert 4 == len(one.tokens)


async def test_a_copy_that_lacks_the_new_key_says_so_and_takes_nothing(
    many: Estate, caplog: pytest.LogCaptureFixture
) -> None:
    """Slack brings the question again, and a copy that has the key answers it; health says it until it is mended."""
    one = await many.workspace("T1")
    await many.workspace("T2")
    assert (2, []) == await with_keys(many, NEW, KEY).reseal()
    many.kept = with_keys(many, NEW, KEY)
    other = await many.start()
    ts = await many.asks("T1", "How many days?")
    health = many.bot.platform.health
    await until(lambda: UNOPENED in health().words, lambda: str(health()), 5.0)
    one.send_events_to(other.events)
    [asked, *_] = [sent for sent in one.deliveries if sent.payload.get("event", {}).get("ts") == ts]
    await one.deliver(asked.payload["event"], retry_num=2, event_id=asked.event_id)

    assert 2 == len(await many.answered("T1", ts))
    assert "put the key that sealed it back" in caplog.text
    assert not any(secret in caplog.text + health().words for secret in (KEY, NEW, "xoxb-", "xoxe"))
    assert "not served" not in other.platform.health().words
    assert (2, []) == await with_keys(many, KEY, NEW).reseal()
    await many.answered("T1", await many.asks("T1", "Сколько дней?"))
    assert many.bot.platform._line
    assert await many.bot.platform._line.workspaces.of("T1")
    assert "T1 is not served" not in health().words


async def test_a_start_without_the_key_says_at_once_whom_it_does_not_serve(many: Estate) -> None:
    """Before anybody asks there; the others are served."""
    await many.workspace("T1")
    await with_keys(many, NEW, KEY).reseal()
    await many.workspace("T2")
    copy = await many.start()
    many.cloud.workspaces["T2"].send_events_to(copy.events)

    assert "T1 is not served: no key in FOOTNOTE_SECRET_KEYS opens its tokens" in copy.platform.health().words
    assert "T2" not in copy.platform.health().words
    assert copy.platform.health().alive
    assert 2 == len(await many.answered("T2", await many.asks("T2", "How many days?")))


async def test_a_token_that_ends_where_no_key_opens_the_next_is_an_answer(
    many: Estate, caplog: pytest.LogCaptureFixture
) -> None:
    """Whoever asks for the next token gets none, and the reason stands in the log."""
    await many.workspace("T1")
    await with_keys(many, NEW, KEY).reseal()

    async def rotate(_: object) -> None: ...

    assert await Renewal(many.kept, rotate).after("T1", "xoxb-old") is None
    assert "the next token of workspace T1 could not be read: FOOTNOTE_SECRET_KEYS: none of the keys" in caplog.text
