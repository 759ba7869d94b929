"""Whom a reply to one person alone is for, and what of it may be said aloud."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import cast

import pytest

from bot import patience
from bot.answering import Bot
from bot.audiences import Audiences
from bot.settings import Settings
from bot.sharing import Sayable
from bot.wiring import Stores, make_model
from core.audience import Reader, Room
from core.conversation import Audience, Question
from core.delivery import Part
from core.entities import Entity
from core.errors import StorageError
from core.ingest.generation import Generation
from core.known import View
from core.ports import Knowledge
from core.render import text_of
from core.reply import RenderedReply
from core.turn import TurnRecord
from tests.core.corpus import page as text_page
from tests.core.corpus import registry
from tests.doubles.shelves import Forgetful, Shelves

TEAM, PLACE = "T1", "T1:C1"
HOME, CHANNEL, ADA, BOSSES = "workspace:T1", "slack:T1:C1", "slack:T1:U1", "slack:T1:S1"
ADA_READS = Reader(frozenset({ADA, BOSSES, HOME, "ada@acme.example"}))
ORION, LANTERN = Entity("orion", "Orion", "project"), Entity("lantern", "Lantern", "project")
GRACE_READS = Reader(frozenset({"slack:T1:U2", HOME}))


@dataclass
class Channel:
    """A channel with two people in it, one of them of a user group; `person` is whoever asks."""

    asker: Reader | None = ADA_READS

    async def room(self, place: str, *, fresh: bool = False) -> Room:
        """Return both."""
        return Room(TEAM, frozenset({f"slack:{place}"}), (ADA_READS, GRACE_READS))

    async def person(self, place: str, person: str) -> Reader | None:
        """Return the one who asks."""
        return self.asker


@dataclass
class Book:
    """Groups that were imported: the bosses are managers. `fails`: what the next reads end with, None for none."""

    fails: list[StorageError | None] = field(default_factory=list)

    async def members(self) -> Mapping[str, frozenset[str]]:
        """Return the one group."""
        if self.fails and (failure := self.fails.pop(0)):
            raise failure
        return {"managers": frozenset({BOSSES})}

    async def replace(self, origin: str, groups: Mapping[str, Collection[str]]) -> None:
        """Import nothing."""

    async def origins(self) -> tuple[str, ...]:
        """Return none."""
        return ()


@dataclass
class Kept(Forgetful):
    """Threads that keep what is said."""

    texts: list[str] = field(default_factory=list)

    async def close(self, question: Question, parts: Sequence[Part], record: TurnRecord | None = None) -> None:
        """Keep it."""
        self.texts += [str(part.body["text"]) for part in parts if part.body]


def parts(reply: RenderedReply) -> tuple[Part, ...]:
    """Return the reply as one message."""
    return (Part("answer", {"text": text_of(reply)}),)


def asked(*, private: bool, text: str = "?") -> Question:
    """Return a question of Ada's in the channel."""
    audience = Audience(TEAM, frozenset({CHANNEL, ADA}))
    now = datetime.now(UTC)
    return Question("q", "slack", "t", text, "U1", audience, now, PLACE, message="U1/r", private=private)


async def test_what_one_person_alone_sees_is_made_from_what_they_may_read(tmp_path: Path) -> None:
    """And from what is said in the channel; what all see there, from what all of them may read."""
    audiences = Audiences(Book(), {"slack": Channel()}, folder=tmp_path)
    alone, all_there = await audiences.of(asked(private=True)), await audiences.of(asked(private=False))

    for readers in ({ADA}, {"managers"}, {CHANNEL}, {"ada@acme.example"}):
        assert alone.may_read(frozenset(readers))
        assert (readers == {CHANNEL}) is all_there.may_read(frozenset(readers))
    assert not alone.may_read(frozenset({"slack:T1:U2"}))
    assert (False, False) == (alone.guests, all_there.guests)


async def test_groups_that_cannot_be_read_just_now_are_asked_for_again(tmp_path: Path) -> None:
    """A database that is away is no answer and not kept as one; where it will never do it, nobody is in any group."""
    away, broken = StorageError("away", retry=True), StorageError("no such table")
    audiences = Audiences(Book([away, None, broken]), {"slack": Channel()}, folder=tmp_path)
    with pytest.raises(StorageError):
        await audiences.of(asked(private=True))
    after = [await audiences.of(asked(private=True), fresh=fresh) for fresh in (False, True, False)]

    assert [each.may_read(frozenset({"managers"})) for each in after] == [True, False, False]


@pytest.mark.parametrize(
    ("question", "page", "said"),
    [
        ("Where is the gateway?", "The gateway is in Berlin.", "Berlin"),
        ("Сколько дней отпуска положено?", "Положено 27 дней отпуска.", "27"),
    ],
)
async def test_an_outage_takes_nothing_from_an_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, question: str, page: str, said: str
) -> None:
    """Neither before the index is loaded, nor when it is asked who reads there, nor at the last look before the end."""
    monkeypatch.setattr(patience, "_FIRST_PAUSE", 0.001)
    away, shelves = StorageError("away", retry=True), Shelves()
    await shelves.publish([text_page("боссам.md", page, readers=frozenset({"managers"}))])
    live, failures = shelves.live, [away, away]

    async def read() -> Generation | None:
        if failures:
            raise failures.pop()
        return await live()

    monkeypatch.setattr(shelves, "live", read)
    settings, threads, book = Settings(planner_model=(), answer_model=()), Kept(), Book([away, None, away, away])
    bot = Bot(cast("Stores", shelves), make_model(settings), settings)
    bot.heed(Audiences(book, {"slack": Channel()}, folder=tmp_path))
    await bot.answer(asked(private=True, text=question), parts, threads)

    [told] = threads.texts
    assert said in told
    assert (book.fails, failures) == ([], [])


@pytest.mark.parametrize(
    ("asker", "readers", "may"),
    [
        (ADA_READS, "finance", True),
        (GRACE_READS, "finance", True),
        (Reader(frozenset({ADA})), "finance", False),
        (None, "finance", False),
        (None, CHANNEL, True),
        (None, "managers", False),
    ],
)
async def test_a_place_that_is_for_a_group_is_so_for_each_member_alone(
    tmp_path: Path, asker: Reader | None, readers: str, *, may: bool
) -> None:
    """Not for an outsider, nor for somebody whom nobody knows: they have what is said in the channel."""
    (tmp_path / "permissions.yaml").write_text(f"groups: {{finance: [{BOSSES}]}}\nplaces: {{'{CHANNEL}': finance}}\n")
    audiences = Audiences(Book(), {"slack": Channel(asker)}, folder=tmp_path)

    assert may is (await audiences.of(asked(private=True))).may_read(frozenset({readers}))


class Names:
    """Names by who may know them: one project is for managers alone."""

    def seen_by(self, audience: Audience) -> View:
        """Return both to managers."""
        known = [ORION] + ([LANTERN] if audience.may_read(frozenset({"managers"})) else [])
        return View(registry(*known), Knowledge(registry(), (), "").namesakes)


@pytest.mark.parametrize(
    ("text", "groups", "may"),
    [
        ("When does Orion end?", (), True),
        ("When does Lantern end?", (), False),
        ("Когда кончится Lantern?", (), False),
        ("When does Lantern end?", ("managers",), True),
        ("And then?", (), True),
    ],
)
async def test_a_name_that_not_all_may_know_is_not_said_aloud(text: str, groups: tuple[str, ...], *, may: bool) -> None:
    """A private answer may have brought it into the question that is shared."""
    known = registry(ORION, LANTERN)
    knowledge = Knowledge(known, (), "", names=Names(), closed={"lantern.md": frozenset({"managers"})})

    async def reading(question: Question) -> Audience:
        return Audience(question.audience.tenant, frozenset(groups))

    async def loaded() -> Knowledge:
        return knowledge

    async def nothing() -> None: ...

    assert may is await Sayable(loaded, reading)(asked(private=False, text=text))
    assert await Sayable(nothing, reading)(asked(private=False, text=text))
