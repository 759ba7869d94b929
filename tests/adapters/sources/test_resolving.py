"""A site is read where it was named, and nothing leads its reader into the operator's own network."""

import socket
from collections.abc import Sequence

import aiohttp
import pytest
from aiohttp.abc import AbstractResolver, ResolveResult

from adapters.sources.addresses import start_of
from adapters.sources.resolving import SteadyResolver, is_inside, may_be_visited
from adapters.sources.web import WebSite
from core.errors import ConfigError
from core.ingest.source import Item
from tests.adapters.sources.gathered import gathered
from tests.adapters.sources.site import Reply, Site, page


class Names(AbstractResolver):
    """Gives the next list of addresses each time that it is asked."""

    def __init__(self, *lists: Sequence[str]) -> None:
        self._lists = iter(lists)

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        flags = {"family": family, "proto": 0, "flags": 0}
        return [ResolveResult(hostname=host, host=ip, port=port, **flags) for ip in next(self._lists)]

    async def close(self) -> None:
        """Hold nothing."""


NEVER = [
    *("169.254.169.254", "fe80::1", "::ffff:169.254.169.254", "64:ff9b::a9fe:a9fe", "::"),
    *("fd00:ec2::254", "fd00:ec2::23", "fd20:ce::254", "100.100.100.200", "192.0.0.192", "168.63.129.16"),
]


@pytest.mark.parametrize("address", [*NEVER, "224.0.0.1", "255.255.255.255"])
def test_what_a_machine_tells_about_itself_is_never_read(address: str) -> None:
    """Cloud metadata, link-local, multicast: no document stands there; an intranet is fine, where it was named."""
    assert not may_be_visited(address)
    assert may_be_visited("10.0.0.5")
    assert may_be_visited("203.0.113.9")
    assert may_be_visited("wiki.acme.example")


@pytest.mark.parametrize(
    "start",
    [
        "http://169.254.169.254/latest/meta-data",
        "http://[fd00:ec2::254]/",
        "http://0.0.0.0",
        "http://2852039166/",
        "http://0251.0376.0251.0376/",
        "http://0xa9fea9fe/",
        "http://169.254.43518/",
    ],
)
def test_nobody_can_name_such_an_address(start: str) -> None:
    """In none of the spellings that a system reads; it is refused before anything is asked, with what to do instead."""
    with pytest.raises(ConfigError, match="give the address of a web site"):
        start_of(start)


@pytest.mark.parametrize("address", NEVER)
async def test_a_name_cannot_lead_there(address: str) -> None:
    """Also a name, or a number written in another way, is followed to no such address."""
    with pytest.raises(OSError, match="never read"):
        await SteadyResolver(Names([address])).resolve("wiki.acme.example")


async def test_a_name_cannot_change_sides() -> None:
    """DNS rebinding: public when it is looked at, inside when it is read."""
    resolver = SteadyResolver(Names(["93.184.216.34"], ["93.184.216.34", "10.0.0.5"], ["127.0.0.1"]))
    first = [one["host"] for one in await resolver.resolve("evil.example")]
    second = [one["host"] for one in await resolver.resolve("evil.example")]
    with pytest.raises(OSError, match="another network"):
        await resolver.resolve("evil.example")

    assert ["93.184.216.34"] == first == second


def test_an_address_in_another_spelling_is_on_the_same_side() -> None:
    """An IPv4 address that is translated for machines without one leads where it always did."""
    assert is_inside("64:ff9b::10.0.0.5")
    assert not is_inside("64:ff9b::93.184.216.34")


async def test_an_intranet_stays_one() -> None:
    """A name that the operator gave may lead inside from the start, from one machine to the next."""
    resolver = SteadyResolver(Names(["10.0.0.5"], ["10.0.0.6"]))

    for _ in range(2):
        assert all(is_inside(one["host"]) for one in await resolver.resolve("wiki.acme.example"))


@pytest.mark.parametrize(
    "target", ["http://127.0.0.1:1/admin", "file:///etc/passwd", "gopher://127.0.0.1:1/x", "//169.254.169.254/latest"]
)
async def test_a_page_cannot_send_its_reader_elsewhere(site: Site, target: str) -> None:
    """Neither a redirect nor a link, a base, a canonical or a sitemap leads to another host or scheme."""
    site["/"] = page("Home", "/moved", target)
    site["/moved"] = Reply(b"", status=302, headers={"Location": target})
    site["/robots.txt"] = Reply(f"Sitemap: {target}".encode(), "text/plain")
    site["/sitemap.xml"] = Reply(f"<urlset><url><loc>{target}</loc></url></urlset>".encode(), "text/xml")
    hosts: list[object] = []
    connect = aiohttp.TCPConnector._create_connection

    async def watched(self: aiohttp.TCPConnector, request: aiohttp.ClientRequest, *rest: object) -> object:
        hosts.append((request.url.host, request.url.port))
        return await connect(self, request, *rest)  # type: ignore[arg-type]  # as it came

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(aiohttp.TCPConnector, "_create_connection", watched)
        found = await gathered(WebSite(site("/"), pause=0))

    assert {"index.html"} == {one.name for one in found if isinstance(one, Item)}
    assert len(set(hosts)) == 1
