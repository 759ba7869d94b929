"""Who may ask on Telegram: a list, and codes by which an admin lets new people in."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from adapters.storage.admissions import SqlAdmissions
from adapters.storage.database import open_database
from bot import access
from bot.access import CODE_LASTS, MOST_REMINDERS, TOLD_AGAIN, Doorkeeper
from bot.wiring import admissions_of
from core.access import Access, Visitor
from core.phrases import phrase
from core.render import text_of
from core.text import Language
from tests.adapters.telegram.scene import ANNA, BORIS, TEAM, asks_last, desk_for, message, serving, telegram, texts
from tests.bot.work import Company
from tests.doubles.desk import Desk
from tests.platforms.telegram import TelegramStandIn

ADMIN = 1007


class Hours:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.time = datetime(2026, 3, 2, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.time


@asynccontextmanager
async def doors(folder: Path, mode: Access = "pairing", *allowed: str) -> AsyncIterator[tuple[Doorkeeper, Hours]]:
    """Give the doors of a bot with one admin, and their clock."""
    database, clock = open_database(folder / "footnote.db"), Hours()
    await database.prepare()
    try:
        yield Doorkeeper(mode, allowed, [f"telegram:{ADMIN}"], SqlAdmissions(database), clock), clock
    finally:
        await database.close()


def visitor(number: int, language: Language = "en", **more: Any) -> Visitor:
    """Return a person in their private chat, or a person in a group with a number below zero."""
    direct = number > 0
    person = more.pop("person", "")
    return Visitor("telegram", str(number), str(number) if direct else person, direct, language, **more)


async def said(keeper: Doorkeeper, who: Visitor) -> str | None:
    """Return what somebody is told who is not let in; None is silence."""
    admission = await keeper.admit(who)

    assert not admission.is_let_in
    return text_of(admission.reply) if admission.reply else None


def code_in(words: str | None) -> str:
    return next(
        word for word in (words or "").replace(",", " ").replace(":", " ").split() if len(word) == 8 and word.isupper()
    )


async def test_with_open_doors_everybody_is_let_in(tmp_path: Path) -> None:
    """As it always was."""
    async with doors(tmp_path, "open") as (keeper, _):
        assert (await keeper.admit(visitor(ANNA))).is_let_in
        assert (await keeper.admit(visitor(TEAM))).is_let_in
        paired = await keeper.pair(visitor(ADMIN), "X")
        assert paired.reply
        assert text_of(paired.reply) == phrase("pair_open", "en")


@pytest.mark.parametrize("mode", ["list", "pairing"])
async def test_the_list_holds_for_people_and_groups_apart(tmp_path: Path, mode: Access) -> None:
    """A person on it is let in in private alone, a group for all who are in it; admins may always ask in private."""
    async with doors(tmp_path, mode, str(ANNA), str(TEAM)) as (keeper, _):
        for number in (ANNA, TEAM, ADMIN):
            assert (await keeper.admit(visitor(number))).is_let_in
        for number in (BORIS, -100999, -ANNA):
            assert not (await keeper.admit(visitor(number, person=str(ANNA)))).is_let_in


@pytest.mark.parametrize("language", ["en", "ru"])
async def test_who_is_not_on_the_list_hears_it_once(tmp_path: Path, language: Language) -> None:
    """A group never again; a person once a day, with the number that is to be put on the list."""
    async with doors(tmp_path, "list") as (keeper, clock):
        person, group = visitor(ANNA, language), visitor(TEAM, language)
        assert await said(keeper, visitor(TEAM, aloud=False)) is None

        assert await said(keeper, person) == phrase("not_let_in", language, number=ANNA)
        assert await said(keeper, group) == phrase("group_not_let_in", language, number=TEAM)
        assert [None, None] == [await said(keeper, person), await said(keeper, group)]
        clock.time += TOLD_AGAIN + timedelta(seconds=1)
        assert await said(keeper, person)
        assert [None, None] == [await said(keeper, person), await said(keeper, group)]


async def test_a_new_person_is_let_in_by_a_code(tmp_path: Path) -> None:
    """It works once, however it is typed; the person is told, and may ask in private and nowhere else."""
    async with doors(tmp_path) as (keeper, _):
        code = code_in(await said(keeper, visitor(ANNA)))
        paired = await keeper.pair(visitor(ADMIN), f" {code[:4].lower()}-{code[4:]} ")

        assert paired.reply
        assert paired.welcome
        assert (text_of(paired.reply), paired.place) == (phrase("pair_done", "en", person=ANNA), str(ANNA))
        assert (await keeper.admit(visitor(ANNA))).is_let_in
        assert not (await keeper.admit(visitor(TEAM, person=str(ANNA)))).is_let_in
        again = await keeper.pair(visitor(ADMIN), code)
        assert again.reply
        assert text_of(again.reply) == phrase("pair_wrong", "en")


async def test_a_code_ends_after_an_hour(tmp_path: Path) -> None:
    """Then there is another one; meanwhile the person is reminded a few times, and never given a second."""
    async with doors(tmp_path) as (keeper, clock):
        first = code_in(await said(keeper, visitor(ANNA, "ru")))
        reminders = [await said(keeper, visitor(ANNA, "ru")) for _ in range(MOST_REMINDERS + 2)]
        clock.time += CODE_LASTS
        second = code_in(await said(keeper, visitor(ANNA)))

        assert reminders == [phrase("pair_waits", "ru")] * MOST_REMINDERS + [None, None]
        assert first != second
        assert [None, str(ANNA)] == [await keeper.redeem("telegram", code, "console") for code in (first, second)]


async def test_only_so_many_codes_wait_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who comes then is told that they are not on the list."""
    monkeypatch.setattr(access, "MOST_CODES", 2)
    async with doors(tmp_path) as (keeper, _):
        told = [await said(keeper, visitor(number)) for number in (1, 2, 3)]

    assert ["pair", "pair", "number"] == ["number" if "number" in str(one) else "pair" for one in told]


async def test_nobody_but_an_admin_lets_anybody_in(tmp_path: Path) -> None:
    """A stranger is answered as ever, somebody known that admins do it; an anonymous admin is nobody."""
    async with doors(tmp_path, "pairing", str(BORIS), str(TEAM)) as (keeper, _):
        code = code_in(await said(keeper, visitor(ANNA)))
        for who in (visitor(ANNA), visitor(BORIS), visitor(TEAM, person=""), visitor(TEAM, person=str(BORIS))):
            paired = await keeper.pair(who, code)
            assert paired.place is None
        known = await keeper.pair(visitor(BORIS), code)

        assert known.reply
        assert text_of(known.reply) == phrase("pair_admins", "en")
        assert not (await keeper.admit(visitor(ANNA))).is_let_in


async def test_an_admin_lets_a_group_in_from_inside(tmp_path: Path) -> None:
    """Without a code: a code is shown to nobody in a group."""
    async with doors(tmp_path) as (keeper, _):
        here = visitor(TEAM, person=str(ADMIN))
        shown = await keeper.pair(here, "ABCD2345")
        assert shown.reply
        assert text_of(shown.reply) == phrase("pair_direct", "en")
        await keeper.pair(here, "")

        assert (await keeper.admit(visitor(TEAM))).is_let_in


@asynccontextmanager
async def guarded(folder: Path, *allowed: str) -> AsyncIterator[tuple[TelegramStandIn, Desk]]:
    """Give a Telegram where Boris is let in and the admin is somebody, with a bot that has doors."""
    desk = desk_for()
    async with telegram() as tg, doors(folder, "pairing", str(BORIS), *allowed) as (keeper, _):
        tg.add_user(ADMIN, "Ada", language_code="en")
        desk.doors = keeper
        async with serving(tg, desk):
            yield tg, desk


async def test_pairing_as_people_meet_it(tmp_path: Path) -> None:
    """A stranger gets a code, the admin types it, the stranger is told and then answered."""
    async with guarded(tmp_path) as (tg, desk):
        await tg.say(ANNA, ANNA, "How many days?")
        (code,) = await tg.wait_for_messages(ANNA, count=1)
        await tg.say(ADMIN, ADMIN, f"/pair {code_in(code.text)}")
        await tg.wait_for_messages(ADMIN, count=1)
        await tg.wait_for_messages(ANNA, count=2)
        await tg.say(ANNA, ANNA, "And now?")
        await tg.wait_for_messages(ANNA, count=4)

    assert [phrase("pair_done", "en", person=f"Anna ({ANNA})")] == texts(tg.bot_messages(ADMIN))
    assert ["And now?"] == [question.text for question in desk.questions.values()]


@pytest.mark.parametrize(("words", "language"), [("How many days?", "en"), ("Сколько дней?", "ru")])
async def test_whoever_is_let_in_is_welcomed_in_their_own_language(
    tmp_path: Path, words: str, language: Language
) -> None:
    """Not in that of the admin, who lets in people of all kinds."""
    async with guarded(tmp_path) as (tg, _):
        tg.add_user(ADMIN, "Ada", language_code="ru" if language == "en" else "en")
        await tg.say(ANNA, ANNA, words)
        (code,) = await tg.wait_for_messages(ANNA, count=1)
        await tg.say(ADMIN, ADMIN, f"/pair {code_in(code.text)}")
        _, welcome = await tg.wait_for_messages(ANNA, count=2)

    assert phrase("pair_welcome", language) == welcome.text


async def test_a_group_that_is_not_let_in_gets_one_line(tmp_path: Path) -> None:
    """Whatever is said, edited or pressed there afterwards, and nothing of it is stored."""
    async with guarded(tmp_path) as (tg, desk):
        await tg.say(ANNA, TEAM, "just talk")
        first = await tg.say(ANNA, TEAM, "/ask where?")
        await tg.wait_for_messages(TEAM, count=1)
        await tg.say(BORIS, TEAM, "@footnote_bot and here?")
        await tg.edit(TEAM, first.message_id, "/ask where then?")
        await tg.say(BORIS, TEAM, "/why")
        assert await asks_last(tg, desk) == ["last"]
        assert texts(tg.bot_messages(TEAM)) == [phrase("group_not_let_in", "en", number=TEAM)]
        assert desk.commands == []
        await tg.say(ANNA, TEAM, "/pair")
        await tg.deliver(
            message(
                message_id=900,
                chat={"id": TEAM, "type": "supergroup", "title": "Team"},
                **{"from": {"id": ADMIN, "is_bot": False, "first_name": "Ada"}},
                text="/pair",
                entities=[{"type": "bot_command", "offset": 0, "length": 5}],
            )
        )
        await tg.wait_for_messages(TEAM, count=2)
        await tg.say(BORIS, TEAM, "/ask how?")
        await tg.wait_for_messages(TEAM, count=4)

    assert ["last", "how?"] == [question.text for question in desk.questions.values()]


OLD, NEW = ("telegram", "-7"), ("telegram", "-1007")


@pytest.mark.parametrize("told", [False, True])
async def test_a_listed_group_that_becomes_a_supergroup_stays_let_in(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, *, told: bool
) -> None:
    """Also when it was told already that it is not, also after a restart; the log says once what to change by hand."""
    given = {"TELEGRAM_ACCESS": "list", "TELEGRAM_ALLOWED": "-7"}
    company = Company(tmp_path, given)
    async with company.at_work(running=False) as desk:
        if told:
            assert not (await desk.service.reception.admit(visitor(-1007))).is_let_in
        await desk.service.reception.moved(OLD, NEW)
        assert (await desk.service.reception.admit(visitor(-1007))).is_let_in
        assert not (await desk.service.reception.admit(visitor(-1008))).is_let_in
    async with company.at_work(running=False) as desk:
        assert (await desk.service.reception.admit(visitor(-1007))).is_let_in
        people = await admissions_of(desk.stores.database).allowed("telegram")

    [warning] = [record.getMessage() for record in caplog.records if "supergroup" in record.getMessage()]
    assert all(each in warning for each in ("-7 ", "-1007", "TELEGRAM_ALLOWED", "permissions.yaml", "stays let in"))
    assert {"chat:-1007": "TELEGRAM_ALLOWED (-7)"} == {who: by for who, (by, _) in people.items()}


async def test_a_group_on_no_list_gets_in_nowhere_by_moving(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """The log says all the same that permissions.yaml may name the old number."""
    async with doors(tmp_path, "list", "-8") as (keeper, _):
        await keeper.moved(OLD, NEW)
        assert not (await keeper.admit(visitor(-1007))).is_let_in

    assert "permissions.yaml" in caplog.text
    assert "stays let in" not in caplog.text


async def test_a_group_goes_on_asking_after_it_became_a_supergroup(tmp_path: Path) -> None:
    """As people meet it: the next question is answered."""
    async with guarded(tmp_path, "-7") as (tg, desk):
        tg.add_group(-7, "Small", members=[BORIS], kind="group")
        await tg.migrate(-7, -1007)
        await tg.say(BORIS, -1007, "/ask а теперь?")
        await tg.wait_for_messages(-1007, count=2)

    assert ["а теперь?"] == [question.text for question in desk.questions.values()]
