"""Where webhooks may go: to public addresses, and nowhere inside anybody's network."""

import re
import socket
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Final
from urllib.parse import SplitResult, urlsplit

LONGEST: Final = 500

_UNICAST: Final = IPv6Network("2000::/3")
_SPECIAL: Final = tuple(
    ip_network(each)
    for each in (
        "192.0.0.0/24", "192.88.99.0/24",
        # Teredo and the rest of the IETF's assignments, documentation, 6to4: addresses in disguise.
        "2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20",
    )
)  # fmt: skip
_LOCAL: Final = re.compile(r"(^|\.)(localhost|local|internal|localdomain|home\.arpa)\.?$")
_HOST: Final = re.compile(r"[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*\.?")


class Forbidden(Exception):  # noqa: N818 - a verdict
    """Say that nothing is sent to an address."""


def is_public(address: IPv4Address | IPv6Address) -> bool:
    """Answer whether everybody can reach an address: no private, loopback, metadata address."""
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is not None:
            return is_public(address.ipv4_mapped)
        if address not in _UNICAST:
            return False
    plain = address.is_global and not address.is_multicast and not address.is_reserved
    return plain and not any(address in each for each in _SPECIAL)


def may_reach(address: IPv4Address | IPv6Address, *, loopback: bool) -> bool:
    """Answer whether a webhook may go to an address; to this machine only where that is allowed."""
    return is_public(address) or (loopback and address.is_loopback)


def split(url: str, *, loopback: bool) -> SplitResult | None:
    """Answer the parts of an address that a webhook may have, or None if it may not.

    https everywhere; http too where this machine is allowed. No names or numbers of inside; a
    name that leads inside is found out when something is sent.
    """
    if len(url) > LONGEST or not re.fullmatch(r"[!-~]+", url):
        return None
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return None
    host = parts.hostname
    schemes = ("https", "http") if loopback else ("https",)
    if parts.scheme not in schemes or not host or port == 0:
        return None
    if "@" in parts.netloc or "#" in url or "\\" in url:
        return None
    return parts if _may_be_named(host, loopback=loopback) else None


def _may_be_named(host: str, *, loopback: bool) -> bool:
    try:
        return may_reach(ip_address(host), loopback=loopback)
    except ValueError:
        pass
    if not _HOST.fullmatch(host) or len(host) > 253:
        return False
    if _LOCAL.search(host.lower()):
        return loopback and host.lower() == "localhost"
    # 127.1, 0x7f000001, 2130706433: resolvers read them as addresses.
    return not re.fullmatch(r"(0[xX][0-9A-Fa-f]*|[0-9]+)", host.rstrip(".").rpartition(".")[2])


def resolve(host: str, port: int, *, loopback: bool) -> list[str]:
    """Answer the addresses of a host, all of them vetted; raise Forbidden, or OSError if none."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    addresses = list(dict.fromkeys(str(each[4][0]) for each in found))
    for each in addresses:
        if not may_reach(ip_address(each.partition("%")[0]), loopback=loopback):
            raise Forbidden
    return addresses
