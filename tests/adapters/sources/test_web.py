"""A web site is read politely, whole, and no further."""

import asyncio
import gzip
from itertools import pairwise

import pytest

from adapters.sources import web_limits
from adapters.sources.web import WebSite
from adapters.sources.web_limits import Limits
from core.errors import ConfigError
from tests.adapters.sources.gathered import errors_of, gathered, items_of
from tests.adapters.sources.site import Reply, Site, page, sitemap

PDF = Reply(b"%PDF-1.7 %%EOF", "application/pdf")


def website(site: Site, path: str = "/", **more: object) -> WebSite:
    """Return the source of the site, without pauses."""
    return WebSite(site(path), pause=0, **more)  # type: ignore[arg-type]


async def test_pages_by_links(site: Site) -> None:
    """From the start page every link within the site is followed; a page is named by its path."""
    site["/"] = page("Home", "docs/leave", "/docs/старт.html", "/", "#top", "mailto:anna@acme.example")
    site["/docs/leave"] = page("27 days", "/", "../docs/pay/")
    site["/docs/старт.html"] = page("Начало")
    site["/docs/pay/"] = page("Payday")

    found = await items_of(website(site))

    assert ["index.html", "docs/leave.html", "docs/старт.html", "docs/pay/index.html"] == list(found)
    assert b"27 days" in found["docs/leave.html"].data
    assert site("/docs/старт.html") == found["docs/старт.html"].link
    assert found["docs/старт.html"].link.isascii()


async def test_pages_by_sitemap(site: Site) -> None:
    """A sitemap stands above links: its pages are read, and the days that it gives are theirs."""
    site["/sitemap.xml"] = sitemap(site("/a"), site("/страница"), updated="2025-03-31T10:00:00+03:00")
    site["/a"] = page("A", "/unlisted", Last_Modified="Wed, 21 Oct 2015 07:28:00 GMT")
    site["/страница"] = page("Страница")
    site["/unlisted"] = page("Not in the sitemap")

    found = await items_of(website(site))

    assert {"a.html": "2025-03-31", "страница.html": "2025-03-31"} == {n: item.updated for n, item in found.items()}


async def test_an_index_of_sitemaps(site: Site) -> None:
    """A sitemap may name others, packed or not; one that is broken is reported and the others are read."""
    parts = "".join(
        f"<sitemap><loc>{site(p)}</loc></sitemap>" for p in ("/1.xml", "/2.xml.gz", "/gone.xml", "/all.xml")
    )
    site["/all.xml"] = Reply(f"<sitemapindex>{parts}</sitemapindex>".encode(), "text/xml")
    site["/1.xml"] = sitemap(site("/one"))
    site["/2.xml.gz"] = Reply(gzip.compress(sitemap(site("/два")).body), "application/x-gzip")
    site["/one"], site["/два"] = page("1"), page("2")

    found = await gathered(website(site, "/all.xml"))

    assert {"one.html", "два.html"} == {getattr(item, "name", None) for item in found} - {None}
    assert {site("/gone.xml"): "answers with status 404"} == await errors_of(website(site, "/all.xml"))


async def test_a_sitemap_of_lines(site: Site) -> None:
    """A sitemap may be plain text, packed too."""
    site["/sitemap.txt.gz"] = Reply(gzip.compress(f"{site('/a')}\n{site('/дом')}\n".encode()), None)
    site["/a"], site["/дом"] = page("A"), page("Дом")

    assert ["a.html", "дом.html"] == list(await items_of(website(site, "/sitemap.txt.gz")))


async def test_the_sitemap_that_robots_names(site: Site) -> None:
    """robots.txt may say where the sitemap is."""
    site["/robots.txt"] = Reply(f"Sitemap: {site('/maps/here.xml')}\n".encode(), "text/plain")
    site["/maps/here.xml"] = sitemap(site("/a"))
    site["/a"] = page("A")

    assert ["a.html"] == list(await items_of(website(site)))


async def test_robots(site: Site) -> None:
    """What robots.txt forbids us is not even asked for; rules for us stand above rules for all."""
    rules = "User-agent: *\nDisallow: /\n\nUser-agent: footnote\nDisallow: /тайна/\nDisallow: /*.pdf$\nAllow: /\n"
    site["/robots.txt"] = Reply(rules.encode(), "text/plain")
    site["/"] = page("Home", "/тайна/план", "/a.pdf", "/open")
    site["/тайна/план"], site["/a.pdf"], site["/open"] = page("Secret"), PDF, page("Open")

    assert ["index.html", "open.html"] == list(await items_of(website(site)))
    assert ["/robots.txt", "/sitemap.xml", "/", "/open"] == site.asked


async def test_one_at_a_time_with_a_pause(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between two requests lies the pause, or the longer one that the site asks for; we say who we are."""
    site["/robots.txt"] = Reply(b"User-agent: *\nCrawl-delay: 7\n", "text/plain")
    site["/"] = page("Home", "/a", "/b")
    site["/a"], site["/b"] = page("A"), page("B")
    waits: list[float] = []
    sleep = asyncio.sleep

    async def noted(seconds: float) -> None:
        waits.append(seconds)
        await sleep(0)

    monkeypatch.setattr("adapters.sources.visitor.asyncio.sleep", noted)
    await items_of(WebSite(site("/"), pause=0.5))

    assert waits[0] == 0
    assert all(before < 7.1 for before in waits)
    assert all(wait > 6 for wait in waits[2:])
    assert 0.3 < waits[1] <= 7
    assert {web_limits.USER_AGENT} == site.agents
    assert site.most_at_once == 1


async def test_a_busy_site(site: Site) -> None:
    """A site that is busy is asked again when it says; a page that fails for good is told by its address."""
    busy = Reply(status=429, headers={"Retry-After": "0"})
    site["/"] = page("Home", "/later", "/never", "/wrong")
    site["/later"] = [busy, busy, page("Late")]
    site["/never"] = Reply(status=503, headers={"Retry-After": "Wed, 21 Oct 2015 07:28:00 GMT"})
    site["/wrong"] = Reply(status=500)

    found = await gathered(website(site))

    assert ["index.html", "later.html"] == [item.name for item in found if hasattr(item, "name")]
    assert {site("/never"): "answers with status 503", site("/wrong"): "answers with status 500"} == {
        error.path: error.reason for error in found if hasattr(error, "reason")
    }
    assert site.asked.count("/never") == web_limits.TRIES


async def test_only_this_host(site: Site) -> None:
    """Neither links nor redirects lead to another scheme, host or port."""
    port = site.origin.rpartition(":")[2]
    site["/"] = page(
        "Home", f"http://localhost:{port}/x", "https://127.0.0.1/x", "//example.com/", "/away", "/near", "/loop"
    )
    site["/away"] = Reply(status=302, headers={"Location": f"http://localhost:{port}/x"})
    site["/near"] = Reply(status=301, headers={"Location": "/docs/рядом"})
    site["/loop"] = Reply(status=301, headers={"Location": "/loop"})
    site["/docs/рядом"], site["/x"] = page("Near"), page("Elsewhere")

    found = await gathered(website(site))

    assert ["index.html", "docs/рядом.html"] == [item.name for item in found if hasattr(item, "name")]
    assert [site("/away"), site("/loop")] == [error.path for error in found if hasattr(error, "reason")]
    assert "/x" not in site.asked


async def test_pages_that_do_not_want_to_be_found(site: Site) -> None:
    """Noindex and a canonical page elsewhere leave a page out; the links on it count unless it says nofollow."""
    site["/"] = page("Home", "/hidden", "/closed", "/print", "/by-header", "/self")
    site["/hidden"] = page("Hidden", "/through", head='<meta name="ROBOTS" content="NoIndex">')
    site["/closed"] = page("Closed", "/not-through", head='<meta name="robots" content="noindex, nofollow">')
    site["/print"] = page("Print", head='<link rel="canonical" href="/статья?id=1">')
    site["/by-header"] = page("By header", X_Robots_Tag="googlebot: nofollow, noindex")
    site["/self"] = page("Self", head=f'<link rel="canonical" href="https{site.origin[4:]}/self/">')
    site["/through"] = page("Through", X_Robots_Tag="unavailable_after: 25 Jun 2010, noindex")
    site["/статья?id=1"] = page("Article")
    site["/not-through"] = page("Not through")

    assert ["index.html", "by-header.html", "self.html", "статья~id=1.html"] == list(await items_of(website(site)))


async def test_formats_by_type(site: Site) -> None:
    """A document keeps or gets the suffix of what the server says it is; pictures are not fetched."""
    site["/"] = page("Home", "/отчёт", "/a.pdf", "/b.md", "/c", "/d", "/e.docx", "/f.png", "/data.csv", "/old.htm")
    site["/отчёт"] = site["/a.pdf"] = PDF
    site["/b.md"] = Reply(b"# B", "text/plain")
    site["/c"] = Reply(b"plain", "text/plain")
    site["/d"] = Reply(b"\0" * 10, "image/png")
    site["/e.docx"] = Reply(b"PK", "application/octet-stream")
    site["/data.csv"] = Reply(b"a,b", "text/csv; charset=utf-8")
    site["/old.htm"] = page("Old")

    found = list(await items_of(website(site)))

    assert ["index.html", "отчёт.pdf", "a.pdf", "b.md", "c.txt", "e.docx", "data.csv", "old.htm"] == found
    assert "/f.png" not in site.asked


async def test_the_day_of_a_page(site: Site) -> None:
    """Last-Modified is the day of a page that no sitemap gives one."""
    site["/"] = page("Home", Last_Modified="Wed, 21 Oct 2015 07:28:00 GMT", ETag='"1"')

    assert "2015-10-21" == (await items_of(website(site)))["index.html"].updated


async def test_other_encodings(site: Site) -> None:
    """Text in the encoding that the server names comes as UTF-8."""
    site["/"] = Reply("<p>Отпуск — 28 дней</p>".encode("koi8-r", "replace"), "text/html; charset=koi8-r")
    site["/sitemap.xml"] = sitemap(site("/"), site("/win"))
    site["/win"] = Reply("Привет".encode("cp1251"), "text/plain; charset=windows-1251")

    found = await items_of(website(site))

    assert "Отпуск" in found["index.html"].data.decode()
    assert "Привет" == found["win.txt"].data.decode()


async def test_two_addresses_with_one_name(site: Site) -> None:
    """The same page under two addresses comes once; two pages whose names would be the same get two names."""
    site["/"] = page("Home", "/docs/", "/docs/index.html", "/a", "/a.html")
    site["/docs/"] = site["/docs/index.html"] = page("Docs")
    site["/a"], site["/a.html"] = page("One"), page("Other")

    index, docs, first, second = await items_of(website(site))

    assert ["index.html", "docs/index.html", "a.html"] == [index, docs, first]
    assert second.startswith("a-")
    assert second.endswith(".html")


async def test_a_part_of_a_site(site: Site) -> None:
    """With `under`, only what lies there is read, wherever the start is."""
    site["/"] = page("Home", "/docs/a", "/blog/b", "/docsearch")
    site["/docs/a"], site["/blog/b"], site["/docsearch"] = page("A", "/docs"), page("B"), page("Search")
    site["/docs"] = page("Docs")

    assert ["docs/a.html", "docs.html"] == list(await items_of(website(site, under="docs")))


@pytest.mark.parametrize(
    ("limits", "said"),
    [
        (Limits(pages=5), "more than 5 pages"),
        (Limits(site_bytes=1_000), "more than 1,000 bytes"),
    ],
)
async def test_a_site_without_end(site: Site, limits: Limits, said: str) -> None:
    """A site that always links to one more page is left after so many pages or bytes, and says so."""
    for number in range(40):
        site[f"/{number}"] = page("x" * 100, f"/{number + 1}", f"/{number + 2}")
    *found, last = await gathered(website(site, "/0", limits=limits))

    assert 4 <= len(found) <= 10
    assert said in str(last)


async def test_no_deeper(site: Site) -> None:
    """Pages further from the start than the depth are left out."""
    for number in range(10):
        site[f"/{number}"] = page("x", f"/{number + 1}")
    site["/10"] = page("end")

    assert ["0.html", "1.html", "2.html"] == list(await items_of(website(site, "/0", limits=Limits(depth=2))))


async def test_a_page_without_end(site: Site) -> None:
    """A page that is longer than a reader takes is left, and the rest is read."""
    site["/"] = page("Home", "/endless", "/after")
    site["/endless"] = Reply(stalls=True)
    site["/after"] = page("After")

    found = await gathered(website(site, limits=Limits(page_bytes=1_000_000)))

    assert ["index.html", "after.html"] == [item.name for item in found if hasattr(item, "name")]
    assert [f"{site('/endless')}: has more than 1,000,000 bytes: it is too long to read"] == [
        str(error) for error in found if hasattr(error, "reason")
    ]


async def test_a_site_that_goes_down(site: Site) -> None:
    """A site that only fails is not asked for all of its pages; pages that are gone do not mean that."""
    site["/"] = page("Home", *(f"/gone/{number}" for number in range(30)), *(f"/{number}" for number in range(100)))
    for number in range(100):
        site[f"/{number}"] = Reply(status=500)

    *_, last = await gathered(website(site))

    assert "20 times in a row" in str(last)
    assert len(site.asked) < 60


async def test_a_site_that_is_not_there(unused_tcp_port: int) -> None:
    """A site that cannot be reached says what to check."""
    with pytest.raises(ConfigError, match=r"cannot be reached .*: check its address"):
        await gathered(WebSite(f"http://127.0.0.1:{unused_tcp_port}/", pause=0))


@pytest.mark.parametrize(
    ("replies", "said"),
    [
        ({"/robots.txt": Reply(b"User-agent: *\nDisallow: /", "text/plain")}, "robots.txt .* forbids reading"),
        ({"/robots.txt": Reply(b"User-agent: *\nCrawl-delay: 86400", "text/plain")}, "asks for 86400 s"),
        ({"/robots.txt": Reply(status=503)}, "stay away for now: try again later"),
        ({"/robots.txt": Reply(status=301, headers={"Location": "https://a.example/"})}, "leads to another site"),
        ({}, "the start page .* answers with status 404; check the address"),
        ({"/": page("x", head='<meta name="robots" content="noindex">')}, "has no page to read"),
    ],
)
async def test_a_site_that_cannot_be_used(site: Site, replies: dict[str, Reply], said: str) -> None:
    """A site of which nothing can be had says why, and what to do."""
    for path, reply in replies.items():
        site[path] = reply

    with pytest.raises(ConfigError, match=said):
        await gathered(website(site))


@pytest.mark.parametrize("start", ["", "wiki", "ftp://a.example/", "file:///etc/passwd", "http://[", "http://"])
def test_no_address_of_a_page(start: str) -> None:
    """What is not an address of a web page is told at once."""
    with pytest.raises(ConfigError, match="not one of a web page"):
        WebSite(start)


async def test_a_broken_sitemap(site: Site) -> None:
    """A sitemap that was asked for and is none is told; one that breaks off gives what stood before."""
    whole = sitemap(site("/a"), site("/b")).body
    site["/half.xml"] = Reply(whole[: whole.index(b"<url>", whole.index(b"<url>") + 1) + 9], "text/xml")
    site["/none.xml"] = page("Not found, but with status 200")
    site["/a"] = page("A")

    assert ["a.html"] == [item.name for item in await gathered(website(site, "/half.xml")) if hasattr(item, "name")]
    with pytest.raises(ConfigError, match=r"none\.xml is not a sitemap"):
        await gathered(website(site, "/none.xml"))


async def test_a_login(site: Site) -> None:
    """The name and password in the address open the site, and stand nowhere else."""
    site["/"] = page("Home", "/gone")
    source = WebSite(site("/").replace("//", "//anna:s3cret-word@"), pause=0, readers=frozenset({"staff"}))

    home, gone = await gathered(source)

    assert {"Basic YW5uYTpzM2NyZXQtd29yZA=="} == site.logins
    assert "s3cret" not in f"{source.name}{home}{gone}"
    assert home.readers == {"staff"}


async def test_the_same_in_every_run(site: Site) -> None:
    """Two runs over a site that did not change give the same items in the same order."""
    site["/"] = page("Home", "/b?x=1&y=2", "/a", "/б")
    site["/a"], site["/b?x=1&y=2"], site["/б"] = page("A", "/c"), page("B"), page("Б")
    site["/c"] = page("C")

    first, second = [await gathered(website(site)) for _ in range(2)]

    assert first == second
    assert ["index.html", "b~x=1&y=2.html", "a.html", "б.html", "c.html"] == [item.name for item in first]
    assert all(one != other for one, other in pairwise(item.name for item in first))


async def test_documents_in_other_formats_are_named(site: Site) -> None:
    """A document that nobody reads is no silence; a picture is."""
    site["/"] = page("Home", "/устав.doc", "/a.bin2", "/b.png")
    site["/устав.doc"] = Reply(b"x", "application/msword")
    site["/a.bin2"] = Reply(b"x", "application/octet-stream")

    assert {site("/устав.doc"): "no reader for .doc: give it as .docx"} == await errors_of(website(site))
