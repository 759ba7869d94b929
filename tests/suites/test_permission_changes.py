"""Who reads in a channel changes while answers are made there: at the moment one is stored, all may read all of it."""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import cast

import pytest

from bot import answering
from core.conversation import AlreadyAnswered, Audience, Question, Thread
from core.delivery import Part
from core.ports import Found, Search, SearchQuery, Threads
from core.turn import TurnRecord
from tests.suites.permission_asking import THEN, Company, Memory, company, question, told
from tests.suites.permission_world import Somewhere, make_world

INTERLEAVINGS = 40


@dataclass
class Watching(Memory):
    """Threads that look, at the moment an answer is stored, who reads there; `change` may let somebody come or go."""

    change: Callable[[], None] = lambda: None
    found: Company | None = None
    typed: dict[str, str] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)

    async def open(self, question: Question) -> Thread | AlreadyAnswered:
        """Return the turns before."""
        self.change()
        return await super().open(question)

    async def close(self, question: Question, parts: Sequence[Part], record: TurnRecord | None = None) -> None:
        """Remember the turn, and what it shows to somebody who may not read it."""
        assert self.found
        typed = self.typed[question.thread] = f"{self.typed.get(question.thread, '')}\n{question.text}".casefold()
        world = self.found.world
        marks = world.marks_of(world.hidden_from(self.found.town.where(question.place)))
        shown = told(record).casefold() if record else ""
        self.wrong += [mark for mark in sorted(marks) if mark.casefold() in shown and mark.casefold() not in typed]
        await super().close(question, parts, record)


@dataclass
class Moving:
    """A search during which somebody may come or go."""

    search: Search
    change: Callable[[], None]

    async def find(self, query: SearchQuery, audience: Audience) -> Found:
        """Return what is found."""
        self.change()
        found = await self.search.find(query, audience)
        self.change()
        return found


@asynccontextmanager
async def changing(seed: int, folder: Path) -> AsyncIterator[tuple[Company, Watching, Random]]:
    """Give a company in whose channels people come and go all the time."""
    random = Random(seed)  # noqa: S311 - made-up people, no secrets
    async with company(make_world(seed), folder) as found:
        memory = Watching(found=found, change=lambda: _something(found, random))
        found.memory = memory
        live = await found.bot.take_up()
        assert live
        moving = cast("Search", Moving(live.ports.search, memory.change))
        found.bot._live = replace(live, ports=replace(live.ports, search=moving))
        yield found, memory, random


def _something(found: Company, random: Random) -> None:
    """Let somebody join or leave, a channel become shared or not, or a group lose and win people; often nothing."""
    town, world = found.town, found.world
    here = town.where(random.choice([one.place for one in world.places if one.id[0] == "C"]))
    members = [one for one in world.people if one[0] == "U"]
    match random.randrange(8):
        case 0:
            here = replace(here, people=tuple(dict.fromkeys((*here.people, random.choice(members)))))
        case 1 if len(here.people) > 1:
            here = replace(here, people=here.people[1:])
        case 2:
            here = replace(here, shared=not here.shared)
        case 3:
            here = replace(here, known=not here.known)
        case 4:
            group = random.choice(sorted(world.groups))
            world.groups[group] ^= {f"slack:T1:{random.choice(members)}"}
    town.now[here.place] = here


async def _held(found: Company, random: Random) -> None:
    """Hold a conversation in a channel."""
    here: Somewhere = random.choice([one for one in found.world.places if one.id[0] == "C"])
    thread = None
    for text in (question(random, found.world), *random.sample(THEN, random.randrange(2))):
        record = await found.ask(here, random.choice(here.people), text, thread)
        thread = thread or (record.question.root if record else None)


@pytest.mark.parametrize("seed", range(5))
async def test_whoever_came_meanwhile_is_told_nothing_that_is_not_for_them(seed: int, tmp_path: Path) -> None:
    """An answer that somebody may not read any more is not stored, but made again for those who are there."""
    async with changing(seed, tmp_path) as (found, memory, random):
        for _ in range(INTERLEAVINGS):
            await _held(found, random)

    assert [] == memory.wrong
    assert len(memory.records) >= INTERLEAVINGS


class _Unwatched:
    """What stores an answer without a second look."""

    def __new__(cls, threads: Threads, *_: object) -> Threads:  # type: ignore[misc] # it stands for another class
        """Return the threads themselves."""
        return threads


async def test_without_the_second_look_something_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else this suite would prove nothing."""
    monkeypatch.setattr(answering, "Watched", _Unwatched)
    wrong: list[str] = []
    for seed in range(5):
        (tmp_path / str(seed)).mkdir()
        async with changing(seed, tmp_path / str(seed)) as (found, memory, random):
            for _ in range(INTERLEAVINGS):
                await _held(found, random)
        wrong += memory.wrong
        if wrong:
            break

    assert wrong
