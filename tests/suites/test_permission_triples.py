"""Random companies: whoever asks whatever wherever, nothing is told that somebody who reads there may not read (R-25).

A few hundred questions; `python -m benchmarks.permissions` asks ten thousand.
"""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from adapters.search import hybrid
from adapters.search.lexical_port import Where
from bot import audiences, glance, introducing, suggesting, viewing
from core.audience import Groups, Room
from core.conversation import Audience
from core.ingest import graph
from core.known import Names
from core.ports import SearchQuery
from core.visiting import Caller
from tests.suites.permission_asking import Company, company, leaks, leaks_beside, shows_closed
from tests.suites.permission_world import make_world

CONVERSATIONS = 20


async def asked(seed: int, folder: Path, conversations: int = CONVERSATIONS, *, full_text: bool = False) -> Company:
    """Return a company in which so many conversations were held, and nothing was told too much."""
    random = Random(seed)  # noqa: S311 - made-up conversations, no secrets
    async with company(make_world(seed), folder, full_text=full_text) as found:
        for _ in range(conversations):
            _, wrong = await leaks(found, random)
            assert [] == wrong
    return found


@pytest.mark.parametrize("seed", range(5))
async def test_nothing_is_told_to_who_may_not_read_it(seed: int, tmp_path: Path) -> None:
    """On both platforms, over both lexical engines, in follow-ups, "more", choices, /why, the audit and the log."""
    found = await asked(seed, tmp_path, full_text=seed % 2 == 1)

    # It is not for want of answers: those who may read closed pages are answered from them.
    assert shows_closed(found)
    assert found.town.asked


@pytest.mark.parametrize("seed", [7, 500003])
def test_a_mark_stands_in_its_document_alone(seed: int) -> None:
    """Else who may read one of two pages with the same price would seem to be told the other one."""
    world = make_world(seed)
    texts = {one.id: str(one).casefold() for one in world.documents}

    assert all(len(world.marks[one.id]) > 1 for one in world.documents)
    for id_, marks in world.marks.items():
        assert [] == [
            mark for mark in marks for other, text in texts.items() if other != id_ and mark.casefold() in text
        ]


def _anybody(room: Room, groups: Groups, declared: frozenset[str] = frozenset()) -> Audience:
    """Return what any reader may read, in place of all."""
    names = (name for reader in room.readers or () for name in groups.names(reader.names))
    return Audience(room.tenant, room.names.union(declared, names))


def _unfiltered(query: SearchQuery, audience: Audience) -> Where:
    named = frozenset({*audience.names, "people-team", "managers", "finance", "staff", "бухгалтерия", "peple-team"})
    return Where(named, doc_types := frozenset(query.doc_types), doc_types)


def _search(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(hybrid, "where_of", _unfiltered)


def _structure(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(graph._View, "document", lambda view, id_: view.graph.documents.get(id_ or ""))


def _readers(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(audiences, "audience_of", _anybody)


def _names(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Names, "seen_by", lambda names, _: names.whole)


def _why(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(viewing, "shows_only", lambda *_: True)


def _guests(patch: pytest.MonkeyPatch) -> None:
    of = audiences.audience_of
    patch.setattr(audiences, "audience_of", lambda *given: replace(of(*given), guests=False))


async def looked(seed: int, folder: Path) -> None:
    """Look at the Home tab of several people of a company, and ask inline, and be told nothing too much."""
    random = Random(seed)  # noqa: S311 - made-up companies, no secrets
    async with company(make_world(seed, documents=12), folder) as found:
        for _ in range(6):
            assert [] == await leaks_beside(found, random)


@pytest.mark.parametrize("seed", range(2))
async def test_nothing_is_told_beside_conversations(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The Home tab of members and of guests, and inline answers, show no word and no count of what is closed."""
    monkeypatch.setattr(suggesting, "KEPT", 4)
    await looked(seed, tmp_path)


def _home(patch: pytest.MonkeyPatch) -> None:
    async def as_came(_: introducing.Introducer, caller: Caller) -> Audience:
        return caller.audience

    patch.setattr(introducing.Introducer, "_audience_of", as_came)


def _inline(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(glance, "EVERYBODY", Audience("T1", frozenset({"people-team", "managers", "finance", "staff"})))


@pytest.mark.parametrize("mutant", [_search, _structure, _readers, _names, _why, _guests])
async def test_the_suite_sees_a_filter_that_is_wrong(
    mutant: Callable[[pytest.MonkeyPatch], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One filter left out at a time: each is needed, and its loss is found."""
    mutant(monkeypatch)
    with pytest.raises(AssertionError, match=r"slack:|telegram:"):
        await _asked_of_several(tmp_path)


async def _asked_of_several(folder: Path) -> None:
    for seed in range(12):
        (folder / str(seed)).mkdir()
        await asked(seed, folder / str(seed))


@pytest.mark.parametrize("mutant", [_home, _inline])
async def test_the_suite_sees_what_is_told_too_much_beside(
    mutant: Callable[[pytest.MonkeyPatch], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A guest who is shown what is for the workspace, and inline answers for members, are found."""
    monkeypatch.setattr(suggesting, "KEPT", 4)
    mutant(monkeypatch)
    with pytest.raises(AssertionError, match=r"slack:|telegram:"):
        await _looked_at_several(tmp_path)


async def _looked_at_several(folder: Path) -> None:
    for seed in range(20):
        (folder / str(seed)).mkdir()
        await looked(seed, folder / str(seed))
