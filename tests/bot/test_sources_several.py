"""Several sources as one: names that never meet, permissions that never widen, failures that lose nothing."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.several import Part, Several, SeveralSigned
from core.errors import ConfigError, Gone, IngestError, Unread
from core.ingest.source import Item, Offer

STAFF, PEOPLE = frozenset({"staff"}), frozenset({"people"})


@dataclass
class Given:
    """Gives what it is told to, and raises what it is told to."""

    found: Sequence[Item | IngestError | Exception]
    name: str = "the shelf"

    async def items(self) -> AsyncIterator[Item | IngestError]:
        for one in self.found:
            if isinstance(one, Exception) and not isinstance(one, IngestError):
                raise one
            yield one  # type: ignore[misc]


def page(name: str, **more: object) -> Item:
    """Return an item with a few words."""
    return Item(name, b"# A\n\nWords.\n", **more)  # type: ignore[arg-type]


async def gathered(*parts: Part) -> list[Item | IngestError]:
    """Return all that the parts give."""
    return [found async for found in Several(parts).items()]


async def the_item(part: Part) -> Item:
    """Return the one item that the part gives."""
    (item,) = await gathered(part)
    assert isinstance(item, Item)
    return item


async def test_items_stand_below_the_name_of_their_source() -> None:
    """Two sources with a page of one name give two items, whatever the language of their names."""
    found = await gathered(Part("wiki", Given([page("отпуск.md")])), Part("кадры", Given([page("отпуск.md")])))

    assert ["wiki/отпуск.md", "кадры/отпуск.md"] == [item.name for item in found if isinstance(item, Item)]


async def test_a_source_by_itself_keeps_its_names() -> None:
    """Without a name the items stay as they are."""
    assert page("a/b.md") == await the_item(Part("", Given([page("a/b.md")])))


@given(
    st.frozensets(st.sampled_from("abc")), st.frozensets(st.sampled_from("abc")), st.frozensets(st.sampled_from("abc"))
)
@settings(derandomize=True, max_examples=60)
async def test_nothing_is_opened(declared: frozenset[str], stated: frozenset[str], groups: frozenset[str]) -> None:
    """Whoever may read an item may read it by the word of its source and by its own, whatever the groups are."""
    found = await gathered(
        Part("a", Given([page("b.md", readers=stated)]), readers=declared), Part("z", Given([page("z.md")]))
    )
    items = [one for one in found if isinstance(one, Item) and one.name == "a/b.md"]

    for item in items:
        may = not item.readers or bool(item.readers & groups)
        assert not may or ((not declared or bool(declared & groups)) and (not stated or bool(stated & groups)))
    assert bool(items) == (not (declared and stated) or bool(declared & stated))


async def test_items_that_nobody_may_read_are_named_once() -> None:
    """Of the many threads of a channel that is closed to the source's readers one is reported, and none is given."""
    found = await gathered(
        Part("chat", Given([page("1.md", readers=PEOPLE), page("2.md", readers=PEOPLE), page("3.md")]), readers=STAFF)
    )

    assert ["chat/1.md: nobody may read it: it is for people, and the source for staff alone", "chat/3.md"] == [
        found[0].name if isinstance(found[0], Item) else str(found[0]),
        found[1].name if isinstance(found[1], Item) else str(found[1]),
    ]
    assert 2 == len(found)


async def test_a_source_that_fails_leaves_the_others() -> None:
    """What could not be had at all is said so that it stays in the index; the rest comes."""
    found = await gathered(
        Part("site", Given([ConfigError("the site is down: try again")])), Part("folder", Given([page("a.md")]))
    )

    failed, item = found
    assert isinstance(failed, Unread)
    assert ("site: the site is down: try again", "site") == (str(failed), failed.keeps)
    assert isinstance(item, Item)


async def test_a_defect_of_a_source_leaves_the_others() -> None:
    """An error that nobody foresaw counts as a source that could not be read, after what it gave."""
    found = await gathered(Part("site", Given([page("a.md"), KeyError("x")])), Part("folder", Given([page("a.md")])))

    assert ["site/a.md", "site: the shelf cannot be read (KeyError: 'x')", "folder/a.md"] == [
        one.name if isinstance(one, Item) else str(one) for one in found
    ]


async def test_a_source_that_gives_nothing_is_not_taken_for_an_empty_one() -> None:
    """A share that is not mounted looks empty; what is indexed of it stays, and the first problem says more."""
    found = await gathered(
        Part("share", Given([IngestError("a.pdf", "is broken")])), Part("folder", Given([page("a.md")]))
    )

    assert [
        "share/a.pdf: is broken",
        "share: the shelf gives nothing to read; the first problem: share/a.pdf: is broken",
    ] == [str(one) for one in found if isinstance(one, IngestError)]
    assert ["share"] == [one.keeps for one in found if isinstance(one, Unread)]


async def test_when_all_fail_there_is_nothing_to_do() -> None:
    """Without one item the run ends, with the reasons of all."""
    with pytest.raises(ConfigError, match="the site is down; the token is wrong"):
        await gathered(
            Part("a", Given([ConfigError("the site is down")])), Part("b", Given([ConfigError("the token is wrong")]))
        )


async def test_what_is_unread_within_a_source_keeps_its_place() -> None:
    """A page that could not be had stands below the name of its source, and so does the whole of the source."""
    found = await gathered(
        Part(
            "docs", Given([page("a.md"), Unread("https://x/b", "failed", "b.html"), Unread("https://x/", "broke off")])
        )
    )

    assert ["docs/b.html", "docs"] == [one.keeps for one in found if isinstance(one, Unread)]


async def test_what_is_gone_within_a_source_is_named_with_it() -> None:
    """So that it goes from the index, where it stands below the name of its source."""
    found = await gathered(Part("docs", Given([page("a.md"), Gone("https://x/b", "is gone", "b.html")])))

    assert [("https://x/b", "docs/b.html")] == [(one.path, one.name) for one in found if isinstance(one, Gone)]


async def test_problems_are_named_so_that_they_can_be_found() -> None:
    """A file is named with its source; an address and a channel speak for themselves."""
    problems = [IngestError("a.md", "is empty"), IngestError("https://x/a", "is gone"), IngestError("#общий", "fails")]
    found = await gathered(Part("docs", Given([page("b.md"), *problems])))

    assert ["docs/a.md", "https://x/a", "#общий"] == [one.path for one in found if isinstance(one, IngestError)]


@dataclass
class Offering(Given):
    """Offers what it gives, so that it fails when that is read; and raises at once what it is told to."""

    def offers(self) -> Sequence[Offer | IngestError]:
        """Return an offer of each item and of each error that is one."""
        if failures := [one for one in self.found if not isinstance(one, Item | IngestError)]:
            raise failures[0]
        return [
            Offer(one.path if isinstance(one, IngestError) else one.name, "", partial(_read, one)) for one in self.found
        ]  # type: ignore[union-attr]


def _read(one: Item | IngestError) -> Item:
    if isinstance(one, IngestError):
        raise one
    return one


def test_what_fails_when_it_is_read_is_named_with_its_source() -> None:
    """The one that fails for good, and the one that is only out of reach."""
    failing = Offering([IngestError("a.md", "is closed"), Unread("b.md", "is out of reach", "b.md")])
    errors = []
    for offer in SeveralSigned([Part("docs", failing)]).offers():
        assert isinstance(offer, Offer)
        with pytest.raises(IngestError) as error:
            offer.read()
        errors.append(error.value)

    assert ["docs/a.md: is closed", "docs/b.md: is out of reach"] == [str(one) for one in errors]
    assert ["docs/b.md"] == [one.keeps for one in errors if isinstance(one, Unread)]


def test_a_defect_of_a_source_with_signs_leaves_the_others() -> None:
    """As of one without."""
    parts = [Part("share", Offering([KeyError("x")])), Part("folder", Offering([page("a.md")]))]

    assert ["share: the shelf cannot be read (KeyError: 'x')", "folder/a.md"] == [
        one.name if isinstance(one, Offer) else str(one) for one in SeveralSigned(parts).offers()
    ]


async def test_a_link_base_is_for_the_pages_that_have_no_address() -> None:
    """It counts from the source, not from the corpus; a page that says where it lies keeps its own link."""
    base = "https://wiki.example.com/"

    assert (
        "https://wiki.example.com/a%20b.md" == (await the_item(Part("w", Given([page("a b.md")]), link_base=base))).link
    )
    stated = page("a.md", link="https://other.example.com/a")
    assert "https://other.example.com/a" == (await the_item(Part("w", Given([stated]), link_base=base))).link


@pytest.mark.parametrize(
    ("name", "declared", "kind"),
    [("a.md", None, "page"), ("policies/a.md", None, None), ("policies/a.md", "rule", "rule"), ("all.zip", None, None)],
)
async def test_the_name_of_a_source_is_no_kind(name: str, declared: str | None, kind: str | None) -> None:
    """A page right below it is a plain page, as in a folder of its own; a declared kind holds for all."""
    assert kind == (await the_item(Part("handbook", Given([page(name)]), kind=declared))).kind


async def test_progress_is_told_by_source() -> None:
    """Each source is named when its turn comes, and counted."""
    told: list[tuple[str, int]] = []
    source = Several([Part("a", Given([page("1.md"), page("2.md")]))], lambda name, count: told.append((name, count)))
    assert 2 == len([item async for item in source.items()])

    assert [("the shelf", 0), ("the shelf", 1), ("the shelf", 2)] == told
