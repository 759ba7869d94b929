"""A site that is visited again sends only what changed; what fails for the moment is not taken for removed."""

from dataclasses import replace
from pathlib import Path

import pytest

from adapters.sources import web_limits
from adapters.sources.web import WebSite
from core.errors import ConfigError, Gone, IngestError, Unread
from core.ingest.source import Item
from tests.adapters.sources.gathered import gathered, items_of
from tests.adapters.sources.site import Reply, Site, page, sitemap

DOWN = Reply(status=500)


@pytest.fixture
def copies(tmp_path: Path) -> Path:
    """Return where pages are kept."""
    return tmp_path / "sites"


@pytest.fixture
def pages(site: Site) -> Site:
    """Return a site of three pages in a sitemap."""
    site["/sitemap.xml"] = sitemap(site("/a"), site("/страница"), site("/c"))
    site["/a"] = page("A", ETag='"1"')
    site["/страница"] = page("Страница", ETag='"2"', X_Robots_Tag="nofollow")
    site["/c"] = page("C", Last_Modified="Wed, 21 Oct 2015 07:28:00 GMT")
    return site


def source(site: Site, copies: Path | None = None, path: str = "/") -> WebSite:
    """Return the source of the site, without pauses."""
    return WebSite(site(path), pause=0, copies=copies)


def kept(copies: Path) -> dict[str, Path]:
    """Return the copies by the names of their files."""
    return {path.name: path for path in copies.iterdir()} if copies.exists() else {}


async def unread(site: Site, path: str = "/") -> dict[str, str]:
    """Return what could not be had this time: what stays for it, by its address."""
    found = await gathered(source(site, path=path))
    return {one.path: one.keeps for one in found if isinstance(one, Unread)}


async def test_what_did_not_change_is_not_sent_again(pages: Site, copies: Path) -> None:
    """The second visit gives the same items, byte for byte, and the server sends none of them."""
    first = await items_of(source(pages, copies))
    second = await items_of(source(pages, copies))

    assert (first, 3) == (second, len(second))
    assert {pages(path) for path in ("/a", "/страница", "/c")} == {pages(path) for path in pages.unchanged}


async def test_what_changed_is_sent(pages: Site, copies: Path) -> None:
    """A page with another tag comes with its new words, and is kept in its turn."""
    await items_of(source(pages, copies))
    pages["/страница"] = page("Новая", ETag='"3"')

    assert "Новая".encode() in (await items_of(source(pages, copies)))["страница.html"].data
    assert "Новая".encode() in (await items_of(source(pages, copies)))["страница.html"].data


async def test_what_the_server_cannot_tell_apart_is_sent_each_time(site: Site, copies: Path) -> None:
    """Without a sign, or where the server forbids it, no copy is kept."""
    site["/"] = page("Home", "/private")
    site["/private"] = page("Private", ETag='"1"', Cache_Control="private, no-store")
    await items_of(source(site, copies))

    assert 2 == len(await items_of(source(site, copies)))
    assert [] == site.unchanged
    assert {} == kept(copies)


async def test_links_of_an_unchanged_page_are_followed(site: Site, copies: Path) -> None:
    """The walk goes on through pages that were not sent again."""
    site["/"] = page("Home", "/next", ETag='"1"')
    site["/next"] = page("Next", ETag='"2"')
    await items_of(source(site, copies))

    assert ["index.html", "next.html"] == list(await items_of(source(site, copies)))


@pytest.mark.parametrize("damage", [b"", b"{", b'{"address": 1}\n', b"\xff\x00", b'{"address": "x", "headers": 3}\n'])
async def test_a_damaged_copy_is_as_none(pages: Site, copies: Path, damage: bytes) -> None:
    """Whatever has become of the copies, the pages are read."""
    first = await items_of(source(pages, copies))
    for path in kept(copies).values():
        path.write_bytes(damage)

    assert first == await items_of(source(pages, copies))


async def test_copies_of_pages_that_are_gone_are_removed(pages: Site, copies: Path) -> None:
    """The folder holds what the site does, and no more."""
    await items_of(source(pages, copies))
    before = len(kept(copies))
    pages["/sitemap.xml"] = sitemap(pages("/a"))
    await items_of(source(pages, copies))

    assert (3, 1) == (before, len(kept(copies)))


async def test_a_page_that_fails_for_the_moment_is_kept(pages: Site) -> None:
    """Of a listed page that the server cannot give now, what is indexed stays; of one that is gone it does not."""
    pages["/страница"], pages["/c"] = DOWN, Reply(status=404)
    found = await gathered(source(pages))

    assert {pages("/страница"): "страница.html"} == {one.path: one.keeps for one in found if isinstance(one, Unread)}
    assert {pages("/страница"), pages("/c")} == {one.path for one in found if isinstance(one, IngestError)}


async def test_a_file_that_fails_is_kept_under_its_own_name(pages: Site) -> None:
    """What is no page is named by its own suffix."""
    pages["/sitemap.xml"] = sitemap(pages("/a"), pages("/отчёт.pdf"))
    pages["/отчёт.pdf"] = DOWN

    assert {pages("/отчёт.pdf"): "отчёт.pdf"} == await unread(pages)


async def test_where_links_are_followed_all_is_kept(site: Site) -> None:
    """Nobody knows where a page leads that could not be had, so nothing that is indexed of the site goes."""
    site["/"] = page("Home", "/a")
    site["/a"] = DOWN

    assert {site("/a"): ""} == await unread(site)


async def test_what_is_gone_goes_where_all_is_kept(site: Site) -> None:
    """One link that never works must not keep every page that was ever deleted."""
    site["/"] = page("Home", "/a", "/отпуск", "/b")
    site["/a"], site["/b"] = DOWN, Reply(status=410)
    found = await gathered(source(site))

    assert {site("/отпуск"): "отпуск.html", site("/b"): "b.html"} == {
        one.path: one.name for one in found if isinstance(one, Gone)
    }
    assert [""] == [one.keeps for one in found if isinstance(one, Unread)]


async def test_pages_that_nothing_leads_to_any_more_are_asked_for(site: Site, copies: Path) -> None:
    """When a page fails, those of the last visit say by themselves whether they are gone; once, and not again."""
    site["/"] = page("Home", "/a", "/старая", "/there")
    site["/a"], site["/старая"], site["/there"] = (page(name, ETag=f'"{n}"') for n, name in enumerate("ABC"))
    await items_of(source(site, copies))
    site["/"], site["/a"], site["/старая"] = page("Home", "/a"), DOWN, Reply(status=404)
    found = await gathered(source(site, copies))
    again = await gathered(source(site, copies))

    assert ["index.html", "there.html"] == [one.name for one in found if isinstance(one, Item)]
    assert ["старая.html"] == [one.name for one in found if isinstance(one, Gone)]
    assert [] == [one for one in again if isinstance(one, Gone)]


async def test_pages_that_nothing_leads_to_are_not_asked_for_otherwise(site: Site, copies: Path) -> None:
    """When all that links lead to was had, nothing else is of the site."""
    site["/"], site["/a"] = page("Home", "/a"), page("A", ETag='"1"')
    await items_of(source(site, copies))
    site["/"] = page("Home")

    assert ["index.html"] == list(await items_of(source(site, copies)))


async def test_a_sitemap_that_fails_keeps_all(pages: Site) -> None:
    """Its pages are not known this time; those of the other sitemaps are read."""
    pages["/robots.txt"] = Reply(
        f"Sitemap: {pages('/sitemap.xml')}\nSitemap: {pages('/more.xml')}".encode(), "text/plain"
    )
    pages["/more.xml"] = DOWN

    assert {pages("/more.xml"): ""} == await unread(pages)


async def test_a_site_without_its_sitemap_for_the_moment(pages: Site) -> None:
    """When links are followed because the sitemap failed, what they do not lead to stays."""
    pages["/sitemap.xml"] = DOWN
    pages["/"] = page("Home", "/a")

    assert {pages("/sitemap.xml"): ""} == await unread(pages)


async def test_a_site_that_goes_down_keeps_all(pages: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """After many failures the visit ends, and what was not reached stays."""
    monkeypatch.setattr(web_limits, "FAILURES_IN_A_ROW", 1)
    pages["/страница"] = replace(DOWN)

    assert {pages("/страница"): "страница.html", pages("/"): ""} == await unread(pages)


async def test_a_site_that_is_not_there_is_said(site: Site) -> None:
    """Without a start page the source as a whole has failed."""
    site["/"] = DOWN

    with pytest.raises(ConfigError, match="the start page"):
        await gathered(source(site))
