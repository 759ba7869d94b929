"""Where a name may lead: never to what a machine tells about itself, and for one visit always to the same side.

A name is resolved again and again while a site is read. Whoever owns it could let it lead to a public address first and
then into the operator's network (DNS rebinding), so what was outside at first stays outside.
"""

import socket
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Final

from aiohttp.abc import AbstractResolver, ResolveResult
from aiohttp.resolver import ThreadedResolver

# What clouds tell their machines, keys among it, where the address is not link-local: all that AWS says over IPv6, the
# same of Google, Alibaba, Oracle, and Azure, whose address is a public one.
_METADATA: Final = tuple(
    map(ip_network, ("fd00:ec2::/32", "fd20:ce::254", "100.100.100.200", "192.0.0.192", "168.63.129.16"))
)
# An IPv4 address as the last four bytes of an IPv6 address: RFC 6052, 2.1, as it is translated (NAT64).
_TRANSLATED: Final = ip_network("64:ff9b::/96")
_IPV4: Final = 0xFFFFFFFF

_Address = IPv4Address | IPv6Address


def may_be_visited(address: str) -> bool:
    """Return whether a site may stand at this IP address, in whatever spelling; what is no such address may."""
    try:
        ip = _plain(_read(address.partition("%")[0]))
    except ValueError:
        return True
    if any(ip in network for network in _METADATA):
        return False
    return not (ip.is_link_local or ip.is_multicast or ip.is_unspecified or ip.is_reserved)


def is_inside(address: str) -> bool:
    """Return whether an IP address belongs to a network of somebody's own, this machine among them."""
    return not _plain(ip_address(address.partition("%")[0])).is_global


def _read(address: str) -> _Address:
    """Return the address, also one written as operating systems take them: 2852039166, 0251.0376.43518.

    Raises ValueError for what is none.
    """
    try:
        return ip_address(address)
    except ValueError:
        try:
            return ip_address(socket.inet_aton(address))
        except (OSError, UnicodeError):
            raise ValueError(address) from None


def _plain(ip: _Address) -> _Address:
    """Return the IPv4 address that an IPv6 address stands for, if it does."""
    if isinstance(ip, IPv4Address):
        return ip
    translated = IPv4Address(int(ip) & _IPV4) if ip in _TRANSLATED else None
    return ip.ipv4_mapped or ip.sixtofour or translated or ip


class SteadyResolver(AbstractResolver):
    """Resolves the name of a site, to addresses that may be visited and are on the side where they were at first."""

    def __init__(self, resolver: AbstractResolver | None = None) -> None:
        self._resolver = resolver or ThreadedResolver()
        self._inside: dict[str, bool] = {}

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        """Return the addresses of a name. Raises OSError when there is none that may be visited."""
        found = [one for one in await self._resolver.resolve(host, port, family) if may_be_visited(one["host"])]
        if not found:
            raise OSError(0, "its name leads to an address that is never read")
        inside = self._inside.setdefault(host, all(is_inside(one["host"]) for one in found))
        steady = [one for one in found if is_inside(one["host"]) == inside]
        if not steady:
            raise OSError(0, "its name leads into another network than before")
        return steady

    async def close(self) -> None:
        """Let go of what resolving holds."""
        await self._resolver.close()
